/* SPDX-License-Identifier: Apache-2.0 */
/* What is made of two meshes in a call that Ctrl-C may leave. */
#ifndef ABUT_PYTHON_MINKOWSKI_H
#define ABUT_PYTHON_MINKOWSKI_H

#include "bodies.h"

typedef struct OfMeshes {
    MeshObject *a, *b;
    void *out; /* NULL: not made */
    void (*drop)(void *out);
    AbutStatus status;
    AbutError error;
} OfMeshes;

/* Of arguments (mesh a, mesh b): what `make` puts into `out` of an OfMeshes; NULL with an exception. */
void *make_of_meshes(PyObject *const *args, void (*make)(void *), void (*drop)(void *));

#endif
