/* SPDX-License-Identifier: Apache-2.0 */
/* Results made from two meshes in a call that Ctrl-C may interrupt. */
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

/* For arguments (mesh a, mesh b): the `out` of an OfMeshes that `make` fills; NULL with an exception. */
void *make_of_meshes(PyObject *const *args, void (*make)(void *), void (*drop)(void *));

#endif
