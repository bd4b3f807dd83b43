/* SPDX-License-Identifier: Apache-2.0 */
/* Rays of one question or of many. */
#ifndef ABUT_PYTHON_CASTS_H
#define ABUT_PYTHON_CASTS_H

#include "convert.h"

/* Origins and ways, (3,) or (n, 3); one of a kind goes with all of the other. */
typedef struct Rays {
    Doubles origin, way;
    int batch;
    Py_ssize_t count;
} Rays;

int read_rays(PyObject *origin, const char *name, PyObject *way, Rays *out);
AbutRay get_ray(const Rays *rays, Py_ssize_t i);
void release_rays(Rays *rays);

#endif
