/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May a block of bytes from outside be trusted as a polyhedron?
 *
 * In: memory of a stated size. Out: OK, or FORMAT with the first fault found. First what can be read safely (size,
 * magic, counts, layout), then the hash, then every index, then the geometry: the surface is closed, connected, of the
 * topology of a sphere, its polygons and edges are convex, planes support all vertices, derived numbers agree.
 * Heights are judged by the block's own noise: the greatest depth of a face's own vertices below its plane.
 */
#include "shape/hull.h"
#include "shape/polyhedron.h"
#include "shape/tolerance.h"

#include <stdlib.h>
#include <string.h>

static AbutStatus bad(AbutError *error, const char *what) {
    return abut_fail(error, ABUT_ERROR_FORMAT, "not a polyhedron: %s", what);
}

static AbutStatus check_counts(const AbutPolyhedron *p, AbutError *error) {
    int32_t v = p->vertex_count, h = p->half_edge_count, f = p->face_count;
    if (p->dimension < 0 || p->dimension > 3 || v < 1 || h < 0 || f < 0) return bad(error, "counts are out of range");
    if (p->dimension < 2 && (v != p->dimension + 1 || h != 0 || f != 0))
        return bad(error, "a point or segment has the wrong counts");
    if (p->dimension == 2 && (v < 3 || (int64_t)h != 2 * (int64_t)v || f != 2))
        return bad(error, "a flat polygon has the wrong counts");
    if (p->dimension == 3 && (v < 4 || f < 4 || h % 2 != 0 || (int64_t)v + f - h / 2 != 2))
        return bad(error, "vertices, edges and faces do not close a surface");
    return ABUT_OK;
}

static AbutStatus check_header(const void *block, size_t bytes, AbutError *error) {
    const AbutPolyhedron *p = block;
    if (!block || bytes < sizeof *p || (uintptr_t)block % _Alignof(AbutPolyhedron) != 0)
        return bad(error, "too small or not aligned");
    if (p->magic != ABUT_POLYHEDRON_MAGIC || p->version != ABUT_POLYHEDRON_VERSION)
        return bad(error, "wrong mark or version");
    AbutStatus status = check_counts(p, error);
    if (status != ABUT_OK) return status;
    AbutPolyhedron expected = *p;
    /* The header has no padding: it is compared bit by bit. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    if (abut_polyhedron_layout(&expected, NULL) != ABUT_OK || expected.bytes != bytes ||
        memcmp(&expected, p, sizeof *p) != 0)
        return bad(error, "the layout does not fit the counts");
    return p->hash == abut_polyhedron_hash(p) ? ABUT_OK : bad(error, "the hash is wrong");
}

static AbutStatus check_numbers(const AbutPolyhedron *p, AbutError *error) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const double *row = abut_polyhedron_rows(p);
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; i < p->padded_count; ++i) {
        AbutVec3 q = v[i < p->vertex_count ? i : 0];
        if (!abut_is_finite(q) || abut_max_abs(q) > ABUT_SHAPE_MAX_COORDINATE)
            return bad(error, "a vertex is not finite");
        if (row[i] != q.x || row[p->padded_count + i] != q.y || row[2 * p->padded_count + i] != q.z)
            return bad(error, "rows and vertices differ");
        box = abut_aabb_add(box, q);
    }
    if (box.min.x != p->box.min.x || box.min.y != p->box.min.y || box.min.z != p->box.min.z ||
        box.max.x != p->box.max.x || box.max.y != p->box.max.y || box.max.z != p->box.max.z)
        return bad(error, "the box is wrong");
    return ABUT_OK;
}

/* Half-edges and faces refer to each other and to vertices that exist. */
static AbutStatus check_indices(const AbutPolyhedron *p, AbutError *error) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    int32_t used = 0;
    for (int32_t f = 0; f < p->face_count; ++f) {
        if (faces[f].first != used || faces[f].count < 3 || faces[f].count > p->half_edge_count - used)
            return bad(error, "faces do not share out the half-edges");
        used += faces[f].count;
    }
    if (used != p->half_edge_count) return bad(error, "half-edges without a face");
    for (int32_t f = 0; f < p->face_count; ++f)
        for (int32_t i = faces[f].first; i < faces[f].first + faces[f].count; ++i)
            if (h[i].face != f || h[i].origin < 0 || h[i].origin >= p->vertex_count || h[i].twin < 0 ||
                h[i].twin >= p->half_edge_count)
                return bad(error, "a half-edge points outside");
    for (int32_t i = 0; i < p->half_edge_count; ++i) {
        int32_t twin = h[i].twin;
        if (twin == i || h[twin].twin != i || h[twin].face == h[i].face ||
            h[twin].origin != h[abut_polyhedron_next(p, i)].origin)
            return bad(error, "twins do not match");
    }
    return ABUT_OK;
}

static int compare_numbers(const void *p, const void *q) {
    int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

/* Edge list and neighbor lists match the half-edges one to one. `seen` has room for every half-edge. */
static AbutStatus check_lists(const AbutPolyhedron *p, int32_t *seen, AbutError *error) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const int32_t *edges = abut_polyhedron_edges(p), *start = abut_polyhedron_neighbor_start(p),
                  *list = abut_polyhedron_neighbors(p);
    memset(seen, 0, (size_t)p->half_edge_count * sizeof *seen);
    for (int32_t e = 0; e < p->half_edge_count / 2; ++e) {
        if (edges[e] < 0 || edges[e] >= p->half_edge_count || seen[edges[e]] || seen[h[edges[e]].twin])
            return bad(error, "the edge list is wrong");
        seen[edges[e]] = 1;
    }
    if (start[0] != 0 || start[p->vertex_count] != p->half_edge_count)
        return bad(error, "the neighbor lists are wrong");
    for (int32_t v = 0; v < p->vertex_count; ++v)
        if (start[v + 1] < start[v] || start[v + 1] > p->half_edge_count ||
            (p->dimension == 3 && start[v + 1] - start[v] < 3))
            return bad(error, "the neighbor lists are wrong");
    memset(seen, 0, (size_t)p->half_edge_count * sizeof *seen);
    for (int32_t i = 0; i < p->half_edge_count; ++i) {
        int32_t v = h[i].origin, other = h[h[i].twin].origin;
        const int32_t *at =
            bsearch(&other, list + start[v], (size_t)(start[v + 1] - start[v]), sizeof other, compare_numbers);
        if (!at || seen[at - list]) return bad(error, "the neighbors are wrong");
        seen[at - list] = 1;
    }
    for (int32_t v = 0; v < p->vertex_count; ++v)
        for (int32_t i = start[v] + 1; i < start[v + 1]; ++i)
            if (list[i] <= list[i - 1]) return bad(error, "the neighbors are not sorted");
    return ABUT_OK;
}

/* Every vertex can be reached from the first, and the faces around each form one ring. */
static AbutStatus check_connected(const AbutPolyhedron *p, int32_t *work, AbutError *error) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    const int32_t *start = abut_polyhedron_neighbor_start(p), *list = abut_polyhedron_neighbors(p);
    int32_t *queue = work, *reached = work + p->vertex_count, *ring = reached + p->vertex_count, first = 0, last = 0;
    memset(reached, 0, (size_t)p->vertex_count * sizeof *reached);
    queue[last++] = 0;
    reached[0] = 1;
    while (first < last) {
        int32_t v = queue[first++];
        for (int32_t i = start[v]; i < start[v + 1]; ++i)
            if (!reached[list[i]]) {
                reached[list[i]] = 1;
                queue[last++] = list[i];
            }
    }
    if (last != p->vertex_count) return bad(error, "the surface has several parts");
    for (int32_t i = 0; i < p->half_edge_count; ++i) ring[h[i].origin] = i;
    for (int32_t v = 0; v < p->vertex_count; ++v) {
        int32_t at = ring[v], n = 0;
        do {
            const AbutFace *face = &faces[h[at].face];
            at = h[at > face->first ? at - 1 : face->first + face->count - 1].twin;
            ++n;
        } while (at != ring[v] && n <= start[v + 1] - start[v]);
        if (n != start[v + 1] - start[v]) return bad(error, "the faces around a vertex form no ring");
    }
    return ABUT_OK;
}

/* Every plane touches the set. */
static int planes_touch(const AbutPolyhedron *p, double slack) {
    const AbutFace *faces = abut_polyhedron_faces(p);
    for (int32_t f = 0; f < p->face_count; ++f)
        if (!(fabs(faces[f].plane.offset - abut_polyhedron_face_height(p, &faces[f])) <= slack)) return 0;
    return 1;
}

/* Unit normals; gives the greatest depth of a vertex of a face below its plane, or NaN when a plane is no plane. */
static double plane_noise(const AbutPolyhedron *p) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    double noise = 0.0;
    for (int32_t f = 0; f < p->face_count; ++f) {
        AbutPlane plane = faces[f].plane;
        if (!(fabs(abut_length_sq(plane.normal) - 1.0) < ABUT_CHECK_UNIT) || !isfinite(plane.offset)) return NAN;
        for (int32_t i = 0; i < faces[f].count; ++i)
            noise = fmax(noise, plane.offset - abut_dot(plane.normal, v[h[faces[f].first + i].origin]));
    }
    return noise;
}

/* The polygon of a face turns left at every corner, and once around; a sliver may be without area. */
static int face_is_convex(const AbutPolyhedron *p, const AbutFace *face, double slack) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *loop = abut_polyhedron_half_edges(p) + face->first;
    AbutVec3 start = v[loop[0].origin], n = face->plane.normal;
    for (int32_t i = 0; i < face->count; ++i) {
        AbutVec3 a = v[loop[i].origin], b = v[loop[(i + 1) % face->count].origin],
                 c = v[loop[(i + 2) % face->count].origin];
        if (!(abut_dot(n, abut_cross(abut_sub(b, a), abut_sub(c, b))) >= -slack * (abut_point_distance(a, c) + slack)))
            return 0;
        double fan = abut_dot(n, abut_cross(abut_sub(a, start), abut_sub(b, start)));
        if (!(fan >= -slack * (abut_point_distance(a, start) + abut_point_distance(b, start) + slack))) return 0;
    }
    return 1;
}

/* Vertices of the faces across each edge lie below the plane; small blocks: all vertices below all planes. */
static int is_convex(const AbutPolyhedron *p, double slack) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    int all = (int64_t)p->vertex_count * p->face_count <= 1000000;
    for (int32_t f = 0; f < p->face_count; ++f) {
        AbutPlane plane = faces[f].plane;
        if (!face_is_convex(p, &faces[f], slack)) return 0;
        for (int32_t i = 0; all && i < p->vertex_count; ++i)
            if (!(abut_dot(plane.normal, v[i]) <= plane.offset + slack)) return 0;
        for (int32_t i = faces[f].first; i < faces[f].first + faces[f].count; ++i) {
            int32_t after = abut_polyhedron_next(p, abut_polyhedron_next(p, h[i].twin));
            if (!(abut_dot(plane.normal, v[h[i].origin]) <= plane.offset + slack) ||
                !(abut_dot(plane.normal, v[h[after].origin]) <= plane.offset + slack))
                return 0;
        }
    }
    return 1;
}

static int mat3_near(AbutMat3 a, AbutMat3 b, double limit) {
    AbutMat3 d = abut_mat3_sub(a, b);
    return abut_max_abs(d.x) <= limit && abut_max_abs(d.y) <= limit && abut_max_abs(d.z) <= limit;
}

/* Mass, bounding sphere and inner radius are what the geometry gives. */
static int derived_hold(const AbutPolyhedron *p, double extent, double slack) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    AbutMass mass = abut_polyhedron_integrate(p);
    double part = ABUT_CHECK_PART, limit = part * extent + slack, square = extent * extent;
    if (!(fabs(mass.volume - p->mass.volume) <= part * square * extent) ||
        !(fabs(mass.area - p->mass.area) <= part * square) ||
        !(abut_point_distance(mass.centroid, p->mass.centroid) <= limit) ||
        !mat3_near(mass.inertia, p->mass.inertia, part * square * square * extent))
        return 0;
    for (int32_t i = 0; i < p->vertex_count; ++i)
        if (!(abut_point_distance(p->bound.center, v[i]) <= p->bound.radius + ABUT_CHECK_BOUND * slack)) return 0;
    return p->bound.radius <= 2.0 * extent + slack && fabs(abut_polyhedron_inner_radius(p) - p->inner_radius) <= limit;
}

static AbutStatus check_geometry(const AbutPolyhedron *p, AbutError *error) {
    double extent = abut_max_abs(abut_sub(p->box.max, p->box.min)),
           most = fmax(abut_max_abs(p->box.min), abut_max_abs(p->box.max));
    double rounding = ABUT_CHECK_ROUNDING * extent + ABUT_CHECK_GRAIN * 0x1p-52 * most, noise = plane_noise(p),
           slack = 4.0 * noise + rounding;
    if (!(noise <= 0.05 * extent) || !planes_touch(p, rounding))
        return bad(error, "a face is not flat or its plane is wrong");
    if (p->dimension == 3 && (!is_convex(p, slack) || !(p->mass.volume > 0.0))) return bad(error, "it is not convex");
    if (p->dimension == 2 && !face_is_convex(p, abut_polyhedron_faces(p), slack)) return bad(error, "it is not convex");
    return derived_hold(p, extent, slack) ? ABUT_OK : bad(error, "mass or bounds are wrong");
}

AbutStatus abut_polyhedron_check(const void *block, size_t bytes, AbutError *error) {
    ABUT_ASSERT(block || bytes == 0);
    const AbutPolyhedron *p = block;
    AbutStatus status = check_header(block, bytes, error);
    if (status == ABUT_OK) status = check_numbers(p, error);
    if (status == ABUT_OK) status = check_indices(p, error);
    if (status != ABUT_OK) return status;
    size_t room = (size_t)p->half_edge_count + 3 * (size_t)p->vertex_count;
    int32_t *work = abut_alloc_array(room, sizeof *work);
    if (!work) return abut_fail_memory(error);
    status = check_lists(p, work, error);
    if (status == ABUT_OK && p->dimension >= 2) status = check_connected(p, work, error);
    abut_free(work);
    return status == ABUT_OK ? check_geometry(p, error) : status;
}
