/* SPDX-License-Identifier: Apache-2.0 */
/* Edges, rings, pseudo normals and the tree of a closed mesh. In: a mesh. Out: arrays, in the order of the mesh. */
#include "literature/minkowski/rings.h"
#include "literature/minkowski/tolerance.h"
#include "math/functions.h"

#include <string.h>

typedef struct Array {
    void **at;
    size_t count, size;
} Array;

enum { ARRAYS = 17 };

/* All arrays of the rings, by the counts that are set. */
static void list_arrays(AbutRings *r, Array out[ARRAYS]) {
    size_t v = (size_t)r->vertex_count, f = (size_t)r->face_count, e = (size_t)r->edge_count, n = (size_t)r->node_count;
#define ROW(name, count)                                                                                               \
    { (void **)&r->name, count, sizeof *r->name }
    const Array all[ARRAYS] = {ROW(vertex, v), ROW(normal, v), ROW(face_normal, f), ROW(face, f), ROW(edge, e),
        ROW(edge_face, e), ROW(face_edge, f), ROW(edge_sign, e), ROW(ring_start, v + 1), ROW(ring_vertex, 3 * f),
        ROW(ring_face, 3 * f), ROW(ring_edge, 3 * f), ROW(vertex_owner, v), ROW(edge_owner, e), ROW(node, n),
        ROW(cap, n), ROW(item, f)};
#undef ROW
    memcpy(out, all, sizeof all);
}

void abut_rings_free(AbutRings *r) {
    Array all[ARRAYS];
    list_arrays(r, all);
    for (int i = 0; i < ARRAYS; ++i) abut_free(*all[i].at);
    memset(r, 0, sizeof *r);
}

static int take_memory(AbutRings *r) {
    Array all[ARRAYS];
    int good = 1;
    list_arrays(r, all);
    for (int i = 0; i < ARRAYS; ++i) {
        *all[i].at = abut_alloc_array(all[i].count, all[i].size);
        good = good && *all[i].at;
    }
    return good;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static int side_from(const AbutTriangle *t, int32_t vertex) {
    return t->v[0] == vertex ? 0 : (t->v[1] == vertex ? 1 : 2);
}

static int8_t sign_of_edge(const AbutRings *r, int32_t e) {
    AbutVec3 along = abut_normalize(abut_sub(r->vertex[r->edge[e][1]], r->vertex[r->edge[e][0]]));
    double turn = abut_triple(along, r->face_normal[r->edge_face[e][0]], r->face_normal[r->edge_face[e][1]]);
    return (int8_t)((turn > ABUT_RINGS_FLAT) - (turn < -ABUT_RINGS_FLAT));
}

static void make_edges(AbutRings *r, const AbutTriangle *adjacency) {
    int32_t count = 0;
    for (int32_t f = 0; f < r->face_count; ++f)
        for (int k = 0; k < 3; ++k) {
            int32_t other = adjacency[f].v[k], from = r->face[f].v[k], to = r->face[f].v[(k + 1) % 3];
            if (other < f) continue;
            r->edge[count][0] = from, r->edge[count][1] = to;
            r->edge_face[count][0] = f, r->edge_face[count][1] = other;
            r->face_edge[f][k] = r->face_edge[other][side_from(&r->face[other], to)] = count;
            r->edge_owner[count] = f;
            r->edge_sign[count] = sign_of_edge(r, count);
            ++count;
        }
}

/* ---- rings ------------------------------------------------------------------------------------------------------- */

/* Walks round vertex v from one of its faces; gives the number of neighbors, 0 when that is more than there are. */
static int walk_round(AbutRings *r, const AbutTriangle *adjacency, int32_t v, int32_t start) {
    int32_t at = r->ring_start[v], face = start;
    int count = 0;
    do {
        int k = side_from(&r->face[face], v);
        if (at + count >= 3 * r->face_count) return 0;
        r->ring_vertex[at + count] = r->face[face].v[(k + 1) % 3];
        r->ring_face[at + count] = face;
        r->ring_edge[at + count] = r->face_edge[face][k];
        ++count;
        face = adjacency[face].v[(k + 2) % 3]; /* across the side that comes back to v */
    } while (face != start);
    return count;
}

static AbutVec3 weighted_normal(const AbutRings *r, int32_t v) {
    AbutVec3 sum = abut_zero();
    int32_t first = r->ring_start[v], count = r->ring_start[v + 1] - first;
    for (int32_t k = 0; k < count; ++k) {
        AbutVec3 a = abut_sub(r->vertex[r->ring_vertex[first + k]], r->vertex[v]),
                 b = abut_sub(r->vertex[r->ring_vertex[first + (k + 1) % count]], r->vertex[v]);
        double angle = abut_atan2(abut_length(abut_cross(a, b)), abut_dot(a, b));
        sum = abut_add_scaled(sum, r->face_normal[r->ring_face[first + k]], angle);
    }
    return abut_normalize(sum);
}

/* Where the ring of each vertex begins, and who owns the vertex. */
static void start_rings(AbutRings *r) {
    memset(r->ring_start, 0, ((size_t)r->vertex_count + 1) * sizeof *r->ring_start);
    for (int32_t v = 0; v < r->vertex_count; ++v) r->vertex_owner[v] = -1;
    for (int32_t f = 0; f < r->face_count; ++f)
        for (int k = 0; k < 3; ++k) {
            int32_t v = r->face[f].v[k];
            r->vertex_owner[v] = r->vertex_owner[v] < 0 ? f : r->vertex_owner[v];
            ++r->ring_start[v + 1];
        }
    for (int32_t v = 0; v < r->vertex_count; ++v) r->ring_start[v + 1] += r->ring_start[v];
}

/* How often a plane through a vertex can cross its ring: no more often than the ring has corners, and twice for each of
 * the convex parts that its reflex edges cut it into. */
static int32_t most_crossings(const AbutRings *r, int32_t v) {
    int32_t edges = r->ring_start[v + 1] - r->ring_start[v], reflex = 0;
    for (int32_t k = r->ring_start[v]; k < r->ring_start[v + 1]; ++k) reflex += r->edge_sign[r->ring_edge[k]] < 0;
    return 2 * (reflex + 1) < edges ? 2 * (reflex + 1) : edges;
}

static AbutStatus make_rings(AbutRings *r, const AbutTriangle *adjacency, AbutError *error) {
    start_rings(r);
    for (int32_t v = 0; v < r->vertex_count; ++v) {
        int32_t faces = r->ring_start[v + 1] - r->ring_start[v];
        if (walk_round(r, adjacency, v, r->vertex_owner[v]) != faces)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "convolution: more than one surface meets at vertex %d", v);
        if (most_crossings(r, v) > ABUT_RING_CROSSINGS)
            return abut_fail(error, ABUT_ERROR_LIMIT,
                "convolution: vertex %d has %d edges, more than %d of them reflex; expected at most %d or %d", v, faces,
                ABUT_RING_CROSSINGS / 2 - 1, ABUT_RING_CROSSINGS, ABUT_RING_CROSSINGS / 2 - 1);
    }
    for (int32_t v = 0; v < r->vertex_count; ++v) r->normal[v] = weighted_normal(r, v);
    return ABUT_OK;
}

/* ---- tree -------------------------------------------------------------------------------------------------------- */

typedef void NormalTask(AbutVec3 normal, void *user);

/* The normals at everything that a triangle owns, and its own. */
static void for_each_normal(const AbutRings *r, int32_t face, NormalTask *task, void *user) {
    task(r->face_normal[face], user);
    for (int k = 0; k < 3; ++k) {
        int32_t v = r->face[face].v[k], e = r->face_edge[face][k];
        for (int32_t i = r->ring_start[v]; r->vertex_owner[v] == face && i < r->ring_start[v + 1]; ++i)
            task(r->face_normal[r->ring_face[i]], user);
        for (int i = 0; r->edge_owner[e] == face && i < 2; ++i) task(r->face_normal[r->edge_face[e][i]], user);
    }
}

typedef struct Farthest {
    AbutVec3 axis, normal;
    double cosine;
} Farthest;

static void keep_farthest(AbutVec3 normal, void *user) {
    Farthest *f = user;
    double cosine = abut_dot(f->axis, normal);
    if (cosine < f->cosine) f->cosine = cosine, f->normal = normal;
}

static Farthest farthest_in(const AbutRings *r, const AbutBallNode *node, AbutVec3 axis) {
    Farthest f = {axis, axis, 2.0};
    for (int32_t i = node->first; i < node->first + node->count; ++i) for_each_normal(r, r->item[i], keep_farthest, &f);
    return f;
}

/* A small cap: the axis moves towards the farthest normal, less and less. 90 degrees or more must not cull. */
static AbutNormalCap cap_of(const AbutRings *r, const AbutBallNode *node) {
    enum { STEPS = 20 };
    AbutNormalCap everything = {abut_axis(2), ABUT_PI};
    AbutVec3 axis = r->face_normal[r->item[node->first]];
    for (int k = 0; k < STEPS; ++k) {
        Farthest f = farthest_in(r, node, axis);
        axis = abut_normalize_or(abut_lerp(axis, f.normal, 1.0 / (k + 2)), axis);
    }
    double cosine = farthest_in(r, node, axis).cosine;
    if (!(cosine > 1e-6)) return everything;
    AbutNormalCap cap = {axis, abut_atan2(sqrt(abut_larger(0.0, 1.0 - cosine * cosine)), cosine) + 1e-7};
    return cap;
}

/* A ball around the corners of the triangles under a node. */
static void grow_ball(const AbutRings *r, AbutBallNode *node) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; i < 3 * node->count; ++i)
        box = abut_aabb_add(box, r->vertex[r->face[r->item[node->first + i / 3]].v[i % 3]]);
    node->center = abut_lerp(box.min, box.max, 0.5);
    node->radius = 0.0;
    for (int32_t i = 0; i < 3 * node->count; ++i)
        node->radius = abut_larger(
            node->radius, abut_point_distance(node->center, r->vertex[r->face[r->item[node->first + i / 3]].v[i % 3]]));
}

static AbutStatus make_tree(AbutRings *r, AbutError *error) {
    AbutBallKey *order = abut_alloc_array((size_t)r->face_count, sizeof *order);
    AbutVec3 *middle = abut_alloc_array((size_t)r->face_count, sizeof *middle);
    if (order && middle) {
        for (int32_t f = 0; f < r->face_count; ++f) {
            const int32_t *v = r->face[f].v;
            middle[f] = abut_scale(abut_add(abut_add(r->vertex[v[0]], r->vertex[v[1]]), r->vertex[v[2]]), 1.0 / 3.0);
        }
        abut_ball_tree(middle, sizeof *middle, r->face_count, 1, order, r->node);
        for (int32_t i = 0; i < r->face_count; ++i) r->item[i] = order[i].item;
        for (int32_t n = 0; n < r->node_count; ++n) {
            grow_ball(r, &r->node[n]);
            r->cap[n] = cap_of(r, &r->node[n]);
        }
    }
    int good = order && middle;
    abut_free(order);
    abut_free(middle);
    return good ? ABUT_OK : abut_fail_memory(error);
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus fill(AbutRings *r, const AbutMesh *mesh, const AbutTriangle *adjacency, AbutError *error) {
    memcpy(r->vertex, mesh->vertices, (size_t)r->vertex_count * sizeof *r->vertex);
    memcpy(r->face, mesh->triangles, (size_t)r->face_count * sizeof *r->face);
    for (int32_t v = 0; v < r->vertex_count; ++v) r->radius = abut_larger(r->radius, abut_length(r->vertex[v]));
    for (int32_t f = 0; f < r->face_count; ++f) {
        const int32_t *v = r->face[f].v;
        r->face_normal[f] = abut_normalize(
            abut_cross(abut_sub(r->vertex[v[1]], r->vertex[v[0]]), abut_sub(r->vertex[v[2]], r->vertex[v[0]])));
    }
    make_edges(r, adjacency);
    AbutStatus status = make_rings(r, adjacency, error);
    return status == ABUT_OK ? make_tree(r, error) : status;
}

static AbutStatus check_mesh(const AbutMesh *mesh, AbutError *error) {
    AbutMeshReport report;
    AbutStatus status = abut_mesh_report(mesh, &report, error);
    if (status != ABUT_OK) return status;
    if (!report.closed || !report.oriented || !report.outward)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "convolution: expected a closed mesh with all triangles counter-clockwise seen from outside");
    if (report.degenerate > 0)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "convolution: %d triangles have no area", report.degenerate);
    return ABUT_OK;
}

AbutStatus abut_rings_create(const AbutMesh *mesh, AbutRings *out, AbutError *error) {
    AbutTriangle *adjacency;
    memset(out, 0, sizeof *out);
    AbutStatus status = check_mesh(mesh, error);
    if (status == ABUT_OK) status = abut_mesh_adjacency(mesh, &adjacency, error);
    if (status != ABUT_OK) return status;
    out->vertex_count = mesh->vertex_count, out->face_count = mesh->triangle_count;
    out->edge_count = mesh->triangle_count / 2 * 3;
    out->node_count = abut_ball_node_count(out->face_count, 1);
    status = take_memory(out) ? fill(out, mesh, adjacency, error) : abut_fail_memory(error);
    abut_free(adjacency);
    if (status != ABUT_OK) abut_rings_free(out);
    return status;
}
