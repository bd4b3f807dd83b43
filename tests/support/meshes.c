/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes for tests. */
#include "support/meshes.h"

#include "support/check.h"
#include "support/wavy_torus.h"

AbutMeshTree *tree_of(const AbutMesh *mesh) {
    AbutMeshTree *tree = NULL;
    AbutError error;
    good(abut_mesh_tree_create(mesh, 1, &tree, &error), &error);
    return tree;
}

AbutMeshTree *made_tree(const char *name, int triangles) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make(name, triangles, NULL, &mesh, &error), &error);
    AbutMeshTree *tree = tree_of(&mesh);
    abut_mesh_free(&mesh);
    return tree;
}

static AbutMesh mesh_of(int vertices, int triangles) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_create(vertices, triangles, &mesh, &error), &error);
    return mesh;
}

AbutMesh wavy_torus(int nu, int nv, int waves_u, int waves_v) {
    AbutMesh m = mesh_of(nu * nv, 2 * nu * nv);
    fill_wavy_torus(&m, nu, nv, waves_u, waves_v);
    return m;
}

AbutMesh box_mesh(AbutVec3 center, AbutVec3 half, int inward) {
    static const int face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3},
        {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    AbutMesh m = mesh_of(8, 12);
    for (int i = 0; i < 8; ++i)
        m.vertices[i] =
            abut_add(center, abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
    for (int t = 0; t < 12; ++t)
        for (int k = 0; k < 3; ++k) m.triangles[t].v[k] = face[t][inward ? 2 - k : k];
    return m;
}

AbutMesh both_meshes(const AbutMesh *a, const AbutMesh *b) {
    AbutMesh m = mesh_of(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    for (int i = 0; i < m.vertex_count; ++i)
        m.vertices[i] = i < a->vertex_count ? a->vertices[i] : b->vertices[i - a->vertex_count];
    for (int t = 0; t < m.triangle_count; ++t) {
        int second = t >= a->triangle_count;
        m.triangles[t] = second ? b->triangles[t - a->triangle_count] : a->triangles[t];
        for (int k = 0; k < 3; ++k) m.triangles[t].v[k] += second ? a->vertex_count : 0;
    }
    return m;
}

static AbutVec3 corner(AbutRng *rng, int kind, AbutVec3 near) {
    AbutVec3 p = abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1));
    switch (kind) {
    case 2:
        return abut_vec3(round(2 * p.x), round(2 * p.y), round(2 * p.z));
    case 3:
        return abut_add(abut_vec3(2000, -1000, 500), abut_add(near, abut_scale(p, 0.1)));
    case 4:
        return abut_scale(abut_add_scaled(near, p, 0.3), 1e-7);
    case 5:
        return abut_scale(abut_add_scaled(near, p, 0.3), 1e7);
    default:
        return abut_add_scaled(near, p, abut_rng_unit(rng));
    }
}

AbutMesh random_soup(AbutRng *rng, int count, int kind) {
    AbutMesh m = mesh_of(3 * count, count);
    for (int t = 0; t < count; ++t) {
        AbutVec3 near = abut_random_direction(rng);
        for (int k = 0; k < 3; ++k) {
            m.vertices[3 * t + k] = corner(rng, kind, near);
            m.triangles[t].v[k] = 3 * t + k;
        }
        if (kind == 1) {
            AbutVec3 *v = &m.vertices[3 * t];
            v[2] = abut_lerp(v[0], v[1], abut_rng_between(rng, -0.2, 1.2));
            v[2].x += 1e-8 * abut_rng_normal(rng);
        }
    }
    return m;
}

void corners_of(const AbutMesh *mesh, int t, AbutVec3 out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = mesh->vertices[mesh->triangles[t].v[k]];
}
