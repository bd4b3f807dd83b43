/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The features of a mesh. In: a triangle mesh, outward. Out: its edges with the faces beside them, the stars of its
 * vertices, and which of them can touch another body.
 *
 * A triangle that is a line has no face: the edges at its sides look through it, to the face across its long side or
 * across a short one, so that a crack filled with slivers neither hides an edge nor makes one. Where an edge has one
 * triangle or more than two, each of those has an edge of its own, bounded by that face alone.
 */
#include "mesh/mesh_features.h"
#include "mesh/tolerance.h"
#include "query/round.h"

#include <string.h>

enum { LOOKS_THROUGH = 8 }; /* slivers in a row */

static AbutVec3 corner(const AbutMeshFeatures *f, int32_t t, int k) {
    return f->mesh.vertices[f->mesh.triangles[t].v[k % 3]];
}

/* Zero where the triangle is a line. */
static AbutVec3 normal_of(const AbutMeshFeatures *f, int32_t t) {
    AbutVec3 p = corner(f, t, 0), n = abut_cross(abut_sub(corner(f, t, 1), p), abut_sub(corner(f, t, 2), p));
    double longest = 0.0, area = abut_length(n);
    for (int k = 0; k < 3; ++k)
        longest = abut_larger(longest, abut_point_distance(corner(f, t, k), corner(f, t, k + 1)));
    return area > ABUT_FEATURE_THIN * f->tree->radius * longest ? abut_scale(n, 1.0 / area) : abut_zero();
}

static int is_line(const AbutMeshFeatures *f, int32_t t) { return abut_length_sq(f->normal[t]) == 0.0; }

/* The face t, or, where it is a line that was entered from the triangle `from`, that beyond its longest other side; -1:
 * none. */
static int32_t face_behind(const AbutMeshFeatures *f, const AbutTriangle *beside, int32_t t, int32_t from) {
    for (int look = 0; look < LOOKS_THROUGH && t >= 0 && is_line(f, t); ++look) {
        int32_t next = -1;
        double longest = -1.0;
        for (int k = 0; k < 3; ++k) {
            double length = abut_length_sq(abut_sub(corner(f, t, k + 1), corner(f, t, k)));
            if (beside[t].v[k] != from && length > longest) longest = length, next = beside[t].v[k];
        }
        from = t;
        t = next;
    }
    return t >= 0 && !is_line(f, t) ? t : -1;
}

/* Unit vector in the face t across the line from p along d (unit), towards the face. */
static AbutVec3 into_face(const AbutMeshFeatures *f, int32_t t, AbutVec3 p, AbutVec3 d) {
    AbutVec3 best = abut_zero();
    for (int k = 0; k < 3; ++k) {
        AbutVec3 r = abut_sub(corner(f, t, k), p);
        AbutVec3 across = abut_sub(r, abut_scale(d, abut_dot(d, r)));
        if (abut_length_sq(across) > abut_length_sq(best)) best = across;
    }
    return abut_normalize(best);
}

static void describe_edge(AbutMeshFeatures *f, AbutFeatureEdge *e) {
    AbutVec3 p = f->mesh.vertices[e->v[0]], d = abut_normalize(abut_sub(f->mesh.vertices[e->v[1]], p));
    e->convex = 1;
    for (int k = 0; k < 2; ++k) e->in[k] = e->t[k] >= 0 ? into_face(f, e->t[k], p, d) : abut_zero();
    if (e->t[0] < 0 || e->t[1] < 0) return;
    double bend = abut_dot(f->normal[e->t[0]], e->in[1]);
    e->convex = bend < -ABUT_FEATURE_FLAT ? 1 : bend > ABUT_FEATURE_FLAT ? -1 : 0;
}

/* Edges, each made by the first of its triangles. */
static void make_edges(AbutMeshFeatures *f, const AbutTriangle *beside) {
    for (int32_t t = 0; t < f->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t other = beside[t].v[k];
            const int32_t *v = f->mesh.triangles[t].v;
            if ((other >= 0 && other < t) || v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
            AbutFeatureEdge *e = &f->edge[f->edge_count];
            *e = (AbutFeatureEdge){.v = {v[k], v[(k + 1) % 3]}};
            e->t[0] = face_behind(f, beside, t, other);
            e->t[1] = other >= 0 ? face_behind(f, beside, other, t) : -1;
            if (e->t[0] < 0) e->t[0] = e->t[1], e->t[1] = -1;
            if (e->t[1] == e->t[0]) e->t[1] = -1;
            f->side[t].v[k] = f->edge_count;
            for (int j = 0; j < 3 && other >= 0; ++j)
                if (beside[other].v[j] == t && f->mesh.triangles[other].v[j] == v[(k + 1) % 3])
                    f->side[other].v[j] = f->edge_count;
            describe_edge(f, e);
            if (e->convex == 1 && e->t[0] >= 0) f->own[t] |= (uint8_t)(ABUT_OWNS_EDGE << k);
            ++f->edge_count;
        }
}

/* Counts at a vertex while its star is made. */
typedef struct Corner {
    int32_t at, convex, bent;
    AbutVec3 sum; /* of unit vectors along the edges that are not flat */
} Corner;

static void count_end(AbutMeshFeatures *f, Corner *of, const AbutFeatureEdge *e, int k) {
    Corner *c = &of[e->v[k]];
    f->star[c->at++] = e->v[1 - k];
    c->convex += e->convex == 1;
    c->bent += e->convex != 0;
    if (e->convex != 0)
        c->sum = abut_add(c->sum, abut_normalize(abut_sub(f->mesh.vertices[e->v[1 - k]], f->mesh.vertices[e->v[k]])));
}

/* Vertices in which two convex edges end, but not the middle of a straight edge. */
static int can_touch(const Corner *c) {
    return c->convex >= 2 && !(c->bent == 2 && abut_length(c->sum) < ABUT_FEATURE_FLAT);
}

static void make_stars(AbutMeshFeatures *f, Corner *of) {
    int32_t n = f->mesh.vertex_count;
    for (int32_t i = 0; i < f->edge_count; ++i)
        for (int k = 0; k < 2; ++k) ++f->star_first[f->edge[i].v[k] + 1];
    for (int32_t v = 0; v < n; ++v) {
        f->star_first[v + 1] += f->star_first[v];
        of[v].at = f->star_first[v];
    }
    for (int32_t i = 0; i < f->edge_count; ++i)
        for (int k = 0; k < 2; ++k) count_end(f, of, &f->edge[i], k);
    for (int32_t v = 0; v < n; ++v) of[v].bent = can_touch(&of[v]) && abut_mesh_can_reach_out(f, v); /* not owned yet */
    for (int32_t t = 0; t < f->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = f->mesh.triangles[t].v[k];
            if (!of[v].bent) continue;
            of[v].bent = 0;
            f->own[t] |= (uint8_t)(ABUT_OWNS_VERTEX << k);
            f->tip[f->tip_count++] = v;
        }
}

static int32_t *take_zeroed(size_t count, size_t bytes_each) {
    void *memory = abut_alloc_array(count + 1, bytes_each);
    return memory ? memset(memory, 0, (count + 1) * bytes_each) : NULL;
}

static int reserve(AbutMeshFeatures *f) {
    size_t t = (size_t)f->mesh.triangle_count, v = (size_t)f->mesh.vertex_count;
    f->normal = (void *)take_zeroed(t, sizeof *f->normal);
    f->side = (void *)take_zeroed(t, sizeof *f->side);
    f->own = (void *)take_zeroed(t, sizeof *f->own);
    f->edge = (void *)take_zeroed(3 * t, sizeof *f->edge);
    f->star_first = take_zeroed(v + 1, sizeof *f->star_first);
    f->star = take_zeroed(6 * t, sizeof *f->star);
    f->tip = take_zeroed(v, sizeof *f->tip);
    f->flat = (void *)take_zeroed(v, sizeof *f->flat);
    return f->normal && f->side && f->own && f->edge && f->star_first && f->star && f->tip && f->flat;
}

static AbutStatus fill(AbutMeshFeatures *f, int threads, AbutError *error) {
    AbutTriangle *beside = NULL;
    ABUT_TRY(abut_mesh_weld(&f->mesh, error));
    ABUT_TRY(abut_mesh_tree_create(&f->mesh, threads, &f->tree, error));
    f->radius = f->lever = f->tree->radius;
    Corner *corners = (void *)take_zeroed((size_t)f->mesh.vertex_count, sizeof *corners);
    AbutStatus status = corners && reserve(f) ? abut_mesh_adjacency(&f->mesh, &beside, error) : abut_fail_memory(error);
    if (status == ABUT_OK) {
        for (int32_t t = 0; t < f->mesh.triangle_count; ++t) f->normal[t] = normal_of(f, t);
        make_edges(f, beside);
        make_stars(f, corners);
        abut_mesh_facing_flat(f);
        if (!abut_mesh_facing_make(f)) status = abut_fail_memory(error);
    }
    abut_free(beside);
    abut_free(corners);
    return status;
}

AbutStatus abut_mesh_features_create(const AbutMesh *mesh, int threads, AbutMeshFeatures **out, AbutError *error) {
    AbutMeshFeatures *f = abut_alloc(sizeof *f);
    *out = NULL;
    if (!f) return abut_fail_memory(error);
    memset(f, 0, sizeof *f);
    AbutStatus status = abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &f->mesh, error);
    if (status == ABUT_OK) {
        memcpy(f->mesh.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
        memcpy(f->mesh.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
        status = fill(f, threads, error);
    }
    if (status == ABUT_OK)
        *out = f;
    else
        abut_mesh_features_free(f);
    return status;
}

/* One vertex, or two and their edge, which no face bounds. */
static AbutStatus fill_core(AbutMeshFeatures *f, AbutVec3 p, AbutVec3 q, AbutError *error) {
    int line = abut_point_distance(p, q) > 0.0;
    ABUT_TRY(abut_mesh_create(1 + line, 1, &f->mesh, error));
    f->mesh.vertices[line] = q;
    f->mesh.vertices[0] = p;
    f->mesh.triangles[0] = (AbutTriangle){{0, line, line}};
    ABUT_TRY(abut_mesh_tree_create(&f->mesh, 1, &f->tree, error));
    if (!reserve(f)) return abut_fail_memory(error);
    f->own[0] = (uint8_t)(line ? ABUT_OWNS_VERTEX | ABUT_OWNS_VERTEX << 1 | ABUT_OWNS_EDGE : ABUT_OWNS_VERTEX);
    f->edge[0] = (AbutFeatureEdge){.v = {0, line}, .t = {-1, -1}, .convex = 1};
    f->edge_count = line;
    f->star[0] = f->star_first[1] = line; /* each end is the neighbor of the other */
    f->star_first[1 + line] = 2 * line;
    f->tip[line] = line;
    f->tip_count = 1 + line;
    return abut_mesh_facing_make(f) ? ABUT_OK : abut_fail_memory(error);
}

AbutStatus abut_round_features_create(const AbutConvex *body, AbutMeshFeatures **out, AbutError *error) {
    AbutMeshFeatures *f = abut_alloc(sizeof *f);
    int smooth = abut_convex_is_round(body), line = body->kind == ABUT_CONVEX_SEGMENT;
    *out = NULL;
    if (!f) return abut_fail_memory(error);
    memset(f, 0, sizeof *f);
    AbutStatus status = fill_core(f, smooth ? abut_zero() : body->p[0], smooth ? abut_zero() : body->p[line], error);
    if (status != ABUT_OK) {
        abut_mesh_features_free(f);
        return status;
    }
    f->kind = smooth ? ABUT_FEATURES_SMOOTH : ABUT_FEATURES_CORE;
    f->body = *body;
    f->round = smooth ? 0.0 : body->radius;
    f->lever = smooth ? abut_round_reach(body) : f->tree->radius;
    f->radius = f->lever + f->round;
    *out = f;
    return ABUT_OK;
}

void abut_mesh_features_free(AbutMeshFeatures *f) {
    if (!f) return;
    abut_mesh_free(&f->mesh);
    abut_mesh_tree_free(f->tree);
    abut_free(f->normal);
    abut_free(f->side);
    abut_free(f->own);
    abut_free(f->edge);
    abut_free(f->star_first);
    abut_free(f->star);
    abut_free(f->tip);
    abut_free(f->flat);
    abut_free(f->facing);
    abut_free(f);
}
