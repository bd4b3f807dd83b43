/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shell becomes one block of memory: layout, arrays, planes, mass properties, hash.
 *
 * In: points and a shell. Out: the block (parts aligned to 64 bytes, gaps zero). Each face plane is a support plane:
 * its offset is the greatest height over the normal of its vertices and of those next to them across its edges.
 */
#include "shape/hull.h"
#include "shape/polyhedron.h"

#include <string.h>

static uint64_t place_part(uint64_t *used, uint64_t bytes) {
    uint64_t at = (*used + 63) & ~(uint64_t)63;
    *used = at + bytes;
    return at;
}

AbutStatus abut_polyhedron_layout(AbutPolyhedron *p, AbutError *error) {
    uint64_t n = (uint64_t)p->vertex_count, h = (uint64_t)p->half_edge_count, f = (uint64_t)p->face_count;
    uint64_t padded = (n + 7) & ~(uint64_t)7, used = sizeof *p;
    uint64_t vertex_at = place_part(&used, n * sizeof(AbutVec3)),
             row_at = place_part(&used, 3 * padded * sizeof(double));
    uint64_t half_edge_at = place_part(&used, h * sizeof(AbutHalfEdge)),
             face_at = place_part(&used, f * sizeof(AbutFace));
    uint64_t edge_at = place_part(&used, h / 2 * sizeof(int32_t));
    uint64_t start_at = place_part(&used, (n + 1) * sizeof(int32_t)),
             neighbor_at = place_part(&used, h * sizeof(int32_t));
    p->bytes = place_part(&used, 0);
    if (p->bytes > UINT32_MAX)
        return abut_fail(error, ABUT_ERROR_LIMIT, "a polyhedron of %d vertices passes 4 GiB", p->vertex_count);
    p->padded_count = (int32_t)padded;
    p->vertex_at = (uint32_t)vertex_at;
    p->row_at = (uint32_t)row_at;
    p->half_edge_at = (uint32_t)half_edge_at;
    p->face_at = (uint32_t)face_at;
    p->edge_at = (uint32_t)edge_at;
    p->neighbor_start_at = (uint32_t)start_at;
    p->neighbor_at = (uint32_t)neighbor_at;
    return ABUT_OK;
}

static void *part(AbutPolyhedron *p, uint32_t offset) { return (unsigned char *)p + offset; }

static void fill_vertices(AbutPolyhedron *p, const AbutVec3 *points, const int32_t *source) {
    AbutVec3 *vertices = part(p, p->vertex_at);
    double *row = part(p, p->row_at);
    p->box = abut_aabb_empty();
    for (int32_t i = 0; i < p->padded_count; ++i) {
        AbutVec3 v = points[source[i < p->vertex_count ? i : 0]];
        row[i] = v.x;
        row[p->padded_count + i] = v.y;
        row[2 * p->padded_count + i] = v.z;
        p->box = abut_aabb_add(p->box, v);
        if (i < p->vertex_count) vertices[i] = v;
    }
    p->bound = abut_bounding_sphere(vertices, p->vertex_count);
}

/* One half-edge per edge, and the neighbors of each vertex in ascending order: going through the vertices in order
 * and telling each neighbor "I am next to you" fills every list in order. */
static AbutStatus fill_edges(AbutPolyhedron *p, AbutError *error) {
    const AbutHalfEdge *half_edges = abut_polyhedron_half_edges(p);
    int32_t *edges = part(p, p->edge_at), *start = part(p, p->neighbor_start_at), *neighbor = part(p, p->neighbor_at);
    int32_t n = p->vertex_count, edge_count = 0;
    int32_t *work = abut_alloc_array((size_t)p->half_edge_count + (size_t)n, sizeof *work);
    if (!work) return abut_fail_memory(error);
    int32_t *fill = work + p->half_edge_count;
    for (int32_t h = 0; h < p->half_edge_count; ++h) {
        ++start[half_edges[h].origin + 1];
        if (h < half_edges[h].twin) edges[edge_count++] = h;
    }
    for (int32_t v = 0; v < n; ++v) {
        start[v + 1] += start[v];
        fill[v] = start[v];
    }
    for (int32_t h = 0; h < p->half_edge_count; ++h)
        work[fill[half_edges[h].origin]++] = half_edges[half_edges[h].twin].origin;
    memcpy(fill, start, (size_t)n * sizeof *fill);
    for (int32_t v = 0; v < n; ++v)
        for (int32_t i = start[v]; i < start[v + 1]; ++i) neighbor[fill[work[i]]++] = v;
    abut_free(work);
    return ABUT_OK;
}

double abut_polyhedron_face_height(const AbutPolyhedron *p, const AbutFace *face) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    AbutVec3 n = face->plane.normal;
    double best = -INFINITY;
    for (int32_t i = face->first; i < face->first + face->count; ++i) {
        int32_t after = abut_polyhedron_next(p, abut_polyhedron_next(p, h[i].twin));
        best = fmax(best, fmax(abut_dot(n, v[h[i].origin]), abut_dot(n, v[h[after].origin])));
    }
    return best;
}

static void fill_planes(AbutPolyhedron *p) {
    AbutFace *faces = part(p, p->face_at);
    for (int32_t f = 0; f < p->face_count; ++f) faces[f].plane.offset = abut_polyhedron_face_height(p, &faces[f]);
}

double abut_polyhedron_inner_radius(const AbutPolyhedron *p) {
    const AbutFace *faces = abut_polyhedron_faces(p);
    double least = INFINITY;
    for (int32_t f = 0; f < p->face_count; ++f)
        least = fmin(least, faces[f].plane.offset - abut_dot(faces[f].plane.normal, p->mass.centroid));
    return p->dimension == 3 ? fmax(least, 0.0) : 0.0;
}

uint64_t abut_polyhedron_hash(const AbutPolyhedron *p) {
    const unsigned char *bytes = (const unsigned char *)p;
    size_t from = offsetof(AbutPolyhedron, dimension);
    return abut_hash(bytes + from, (size_t)p->bytes - from, p->bytes);
}

AbutStatus abut_polyhedron_pack(
    const AbutVec3 *points, const AbutShell *shell, AbutPolyhedron **out, AbutError *error) {
    AbutPolyhedron header = {.magic = ABUT_POLYHEDRON_MAGIC,
        .version = ABUT_POLYHEDRON_VERSION,
        .dimension = shell->dimension,
        .vertex_count = shell->vertex_count,
        .half_edge_count = shell->half_edge_count,
        .face_count = shell->face_count};
    *out = NULL;
    AbutStatus status = abut_polyhedron_layout(&header, error);
    if (status != ABUT_OK) return status;
    AbutPolyhedron *p = abut_alloc((size_t)header.bytes);
    if (!p) return abut_fail_memory(error);
    memset(p, 0, (size_t)header.bytes);
    *p = header;
    fill_vertices(p, points, shell->source);
    if (p->face_count > 0) {
        memcpy(part(p, p->half_edge_at), shell->half_edges, (size_t)p->half_edge_count * sizeof(AbutHalfEdge));
        AbutFace *faces = part(p, p->face_at);
        for (int32_t f = 0; f < p->face_count; ++f) faces[f] = shell->faces[f];
    }
    status = fill_edges(p, error);
    if (status != ABUT_OK) {
        abut_free(p);
        return status;
    }
    fill_planes(p);
    p->mass = abut_polyhedron_integrate(p);
    p->inner_radius = abut_polyhedron_inner_radius(p);
    p->hash = abut_polyhedron_hash(p);
    *out = p;
    return ABUT_OK;
}

void abut_polyhedron_free(AbutPolyhedron *polyhedron) { abut_free(polyhedron); }
