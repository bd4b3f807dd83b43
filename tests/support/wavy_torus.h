/* SPDX-License-Identifier: Apache-2.0 */
/* A torus with waves on it, for tests and benchmarks. */
#ifndef ABUT_TESTS_WAVY_TORUS_H
#define ABUT_TESTS_WAVY_TORUS_H

#include "abut/shape.h"

/* Fills a mesh of nu nv vertices and twice as many triangles: radii 1 and 0.35 -+ 0.06. */
static inline void fill_wavy_torus(AbutMesh *m, int nu, int nv, int waves_u, int waves_v) {
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < nv; ++j) {
            double u = 2.0 * ABUT_PI * i / nu, v = 2.0 * ABUT_PI * j / nv;
            double r = 0.35 + 0.06 * sin(waves_u * u) * sin(waves_v * v);
            int a = i * nv + j, b = (i + 1) % nu * nv + j, c = (i + 1) % nu * nv + (j + 1) % nv;
            m->vertices[a] = abut_vec3((1.0 + r * cos(v)) * cos(u), (1.0 + r * cos(v)) * sin(u), r * sin(v));
            m->triangles[2 * a] = (AbutTriangle){{a, b, c}};
            m->triangles[2 * a + 1] = (AbutTriangle){{a, c, i * nv + (j + 1) % nv}};
        }
}

#endif
