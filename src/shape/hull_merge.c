/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From triangles to faces: joins triangles that lie in one plane to a tolerance, and drops vertices that end no edge.
 *
 * In: a closed convex surface of triangles over scaled points. Out: a shell of convex polygons. Steps:
 *   1. regions: from the largest triangles downwards, a region takes neighbors as long as their vertices stay within
 *      the tolerance of the plane of its first triangle (at tolerance 0: exactly in it). Slivers follow their
 * neighbor;
 *   2. vertices with fewer than three regions around them lie inside a face or an edge, and go;
 *   3. the border of each region, followed from kept vertex to kept vertex, is the polygon of a face;
 *   4. the shell is checked: one border per region, three corners or more, convex corners, convex edges,
 *      nothing that was dropped is above a face, no vertex far away is above a narrow face that noise has tilted.
 * DEGENERATE means that step 4 found fault: the caller tries another tolerance. Tolerance 0 always passes.
 */
#include "shape/hull.h"
#include "shape/tolerance.h"

#include <string.h>

enum { BUCKETS = 256 };

typedef struct Merger {
    const AbutVec3 *points;
    const AbutHullTriangle *triangles;
    int32_t count, point_count;
    double tolerance;
    int32_t *order;   /* triangles from large to small */
    int32_t *queue;   /* triangles of one region; later the first side of each region, and then how many it has */
    int32_t *region;  /* per triangle */
    int32_t *vertex;  /* per point: number among the kept vertices, or -1 */
    int32_t *stamp;   /* per point: last region whose polygon has it; later a list of the points that were dropped */
    int32_t *edge_of; /* per side of a triangle: the half-edge of the shell that runs along it, or -1 */
    int32_t *side_of; /* per half-edge of the shell: the first side that it runs along */
    double *width;    /* per region: of its polygon, across the longest line from its first corner */
    double *row;      /* three rows of coordinates, of points that are held against planes */
    int32_t region_count;
} Merger;

static int next_side(int i) { return i == 2 ? 0 : i + 1; }

/* Side of the neighbor across side i of triangle t, as 3 * triangle + side. */
static int32_t opposite(const Merger *m, int32_t t, int i) {
    int32_t other = m->triangles[t].across[i], from = m->triangles[t].v[next_side(i)];
    const int32_t *v = m->triangles[other].v;
    return 3 * other + (v[0] == from ? 0 : (v[1] == from ? 1 : 2));
}

static double longest_side_sq(const Merger *m, int32_t t) {
    const int32_t *v = m->triangles[t].v;
    AbutVec3 a = m->points[v[0]], b = m->points[v[1]], c = m->points[v[2]];
    return fmax(abut_length_sq(abut_sub(b, a)), fmax(abut_length_sq(abut_sub(c, b)), abut_length_sq(abut_sub(a, c))));
}

static double doubled_area(const Merger *m, int32_t t) {
    const int32_t *v = m->triangles[t].v;
    AbutVec3 a = m->points[v[0]];
    return abut_length(abut_cross(abut_sub(m->points[v[1]], a), abut_sub(m->points[v[2]], a)));
}

/* Triangles sorted by the power of two of their area. */
static void sort_by_area(Merger *m) {
    int32_t start[BUCKETS + 1] = {0};
    for (int32_t t = 0; t < m->count; ++t) {
        int exponent;
        double area = doubled_area(m, t);
        frexp(area, &exponent);
        int bucket = area > 0.0 ? 4 - exponent : BUCKETS - 1; /* areas are below 2^4 */
        bucket = bucket < 0 ? 0 : (bucket < BUCKETS ? bucket : BUCKETS - 1);
        m->region[t] = bucket;
        ++start[bucket + 1];
    }
    for (int i = 0; i < BUCKETS; ++i) start[i + 1] += start[i];
    for (int32_t t = 0; t < m->count; ++t) m->order[start[m->region[t]]++] = t;
}

/* May the region of `seed` take triangle t, reached over its side i? */
static int fits(const Merger *m, int32_t seed, int32_t t, int i) {
    const AbutHullTriangle *s = &m->triangles[seed];
    int32_t apex = m->triangles[t].v[i == 0 ? 2 : i - 1];
    AbutVec3 p = m->points[apex];
    if (m->tolerance == 0.0) return abut_exact_side(m->points[s->v[0]], m->points[s->v[1]], m->points[s->v[2]], p) == 0;
    if (fabs(abut_dot(s->normal, abut_sub(p, m->points[s->v[0]]))) > m->tolerance) return 0;
    if (abut_dot(s->normal, m->triangles[t].normal) > 0.0) return 1;
    return doubled_area(m, t) <= m->tolerance * sqrt(longest_side_sq(m, t)); /* a sliver has no direction */
}

/* Step 1 */
static void grow_regions(Merger *m) {
    sort_by_area(m);
    for (int32_t t = 0; t < m->count; ++t) m->region[t] = -1;
    m->region_count = 0;
    for (int32_t k = 0; k < m->count; ++k) {
        int32_t seed = m->order[k], first = 0, last = 0;
        if (m->region[seed] >= 0) continue;
        m->region[seed] = m->region_count;
        m->queue[last++] = seed;
        while (first < last) {
            int32_t t = m->queue[first++];
            for (int i = 0; i < 3; ++i) {
                int32_t side = opposite(m, t, i), other = side / 3;
                if (m->region[other] >= 0 || !fits(m, seed, other, side % 3)) continue;
                m->region[other] = m->region_count;
                m->queue[last++] = other;
            }
        }
        ++m->region_count;
    }
}

/* Step 2: numbers the kept vertices in the order of the points; gives how many there are. */
static int32_t keep_vertices(Merger *m) {
    memset(m->vertex, 0, (size_t)m->point_count * sizeof *m->vertex);
    for (int32_t t = 0; t < m->count; ++t)
        for (int i = 0; i < 3; ++i)
            if (m->region[m->triangles[t].across[i]] != m->region[t])
                ++m->vertex[m->triangles[t].v[i]]; /* borders that start here = regions around */
    int32_t n = 0;
    for (int32_t p = 0; p < m->point_count; ++p) m->vertex[p] = m->vertex[p] >= 3 ? n++ : -1;
    return n;
}

static int is_border(const Merger *m, int32_t side) {
    return m->region[m->triangles[side / 3].across[side % 3]] != m->region[side / 3];
}

/* The side of the border that follows `side` around its region. */
static int32_t next_border(const Merger *m, int32_t side) {
    side = 3 * (side / 3) + next_side(side % 3);
    while (!is_border(m, side)) {
        side = opposite(m, side / 3, side % 3);
        side = 3 * (side / 3) + next_side(side % 3);
    }
    return side;
}

static int32_t corner_of(const Merger *m, int32_t side) { return m->vertex[m->triangles[side / 3].v[side % 3]]; }

/* Step 3 for the region of `side`, which starts at a kept vertex; false when a vertex comes twice. */
static int trace_face(const Merger *m, int32_t side, AbutShell *shell) {
    int32_t region = m->region[side / 3], at = side, n = shell->half_edge_count;
    AbutFace *face = &shell->faces[region];
    face->first = n;
    do {
        int32_t corner = corner_of(m, at);
        if (corner >= 0) {
            if (m->stamp[corner] == region) return 0;
            m->stamp[corner] = region;
            AbutHalfEdge edge = {corner, -1, region};
            shell->half_edges[n] = edge;
            m->side_of[n++] = at;
        }
        m->edge_of[at] = n - 1;
        at = next_border(m, at);
    } while (at != side);
    face->count = n - face->first;
    shell->half_edge_count = n;
    return face->count >= 3;
}

static int trace_faces(const Merger *m, AbutShell *shell) {
    int32_t sides = 3 * m->count;
    memset(m->edge_of, 0xff, (size_t)sides * sizeof *m->edge_of);
    memset(m->stamp, 0xff, (size_t)m->point_count * sizeof *m->stamp);
    int32_t *start = m->queue; /* a side to begin each region with */
    memset(start, 0xff, (size_t)m->region_count * sizeof *start);
    for (int32_t s = sides - 1; s >= 0; --s)
        if (is_border(m, s) && corner_of(m, s) >= 0) start[m->region[s / 3]] = s;
    for (int32_t i = 0; i < m->region_count; ++i)
        if (start[i] < 0 || !trace_face(m, start[i], shell)) return 0;
    for (int32_t s = 0; s < sides; ++s) /* a border that was not met is a hole in its region */
        if (is_border(m, s) && m->edge_of[s] < 0) return 0;
    for (int32_t h = 0; h < shell->half_edge_count; ++h)
        shell->half_edges[h].twin = m->edge_of[opposite(m, m->side_of[h] / 3, m->side_of[h] % 3)];
    return 1;
}

static AbutVec3 corner_point(const Merger *m, const AbutShell *shell, int32_t half_edge) {
    return m->points[shell->source[shell->half_edges[half_edge].origin]];
}

/* Normal of a narrow polygon: of its widest triangle, whose direction is computed without loss. */
static AbutVec3 narrow_normal(const Merger *m, const AbutShell *shell, const AbutFace *face) {
    AbutVec3 a = corner_point(m, shell, face->first);
    int32_t far = 1, wide = 0;
    double best = -1.0;
    for (int32_t i = 2; i < face->count; ++i)
        if (abut_point_distance(a, corner_point(m, shell, face->first + i)) >
            abut_point_distance(a, corner_point(m, shell, face->first + far)))
            far = i;
    AbutVec3 b = corner_point(m, shell, face->first + far);
    for (int32_t i = 1; i < face->count; ++i) {
        double width =
            i == far ? -1.0
                     : abut_length_sq(abut_cross(abut_sub(b, a), abut_sub(corner_point(m, shell, face->first + i), a)));
        if (width > best) {
            best = width;
            wide = i;
        }
    }
    AbutVec3 c = corner_point(m, shell, face->first + wide);
    return far < wide ? abut_exact_normal(a, b, c) : abut_exact_normal(a, c, b);
}

/* Sum of the fan of triangles: the mean normal, and the width of the polygon. */
static AbutVec3 polygon_normal(const Merger *m, const AbutShell *shell, const AbutFace *face, double *width) {
    AbutVec3 a = corner_point(m, shell, face->first), b = corner_point(m, shell, face->first + 1), sum = abut_zero();
    double reach = abut_length_sq(abut_sub(b, a));
    for (int32_t i = 2; i < face->count; ++i) {
        AbutVec3 c = corner_point(m, shell, face->first + i);
        sum = abut_add(sum, abut_cross(abut_sub(b, a), abut_sub(c, a)));
        reach = fmax(reach, abut_length_sq(abut_sub(c, a)));
        b = c;
    }
    *width = abut_length(sum) / sqrt(reach);
    return abut_length(sum) > ABUT_HULL_FACE_TURN * reach ? abut_normalize(sum) : narrow_normal(m, shell, face);
}

static int32_t after(const AbutFace *face, int32_t h) {
    return h + 1 < face->first + face->count ? h + 1 : face->first;
}

static int32_t before(const AbutFace *face, int32_t h) {
    return h > face->first ? h - 1 : face->first + face->count - 1;
}

/* Step 4 at one half-edge: the corner at its end turns left, and the face across does not rise above `limit`. */
static int convex_at(const Merger *m, const AbutShell *shell, double limit, int32_t h) {
    const AbutHalfEdge *edge = &shell->half_edges[h];
    const AbutFace *face = &shell->faces[edge->face], *other = &shell->faces[shell->half_edges[edge->twin].face];
    AbutVec3 n = face->plane.normal, a = corner_point(m, shell, h), b = corner_point(m, shell, after(face, h));
    AbutVec3 c = corner_point(m, shell, after(face, after(face, h)));
    double turn = abut_dot(n, abut_cross(abut_sub(b, a), abut_sub(c, b)));
    if (!(turn > -fmin(m->tolerance, limit) * abut_point_distance(a, c))) return 0;
    AbutVec3 p = corner_point(m, shell, before(other, edge->twin));
    AbutVec3 q = corner_point(m, shell, after(other, after(other, edge->twin)));
    double rise = fmax(abut_dot(n, abut_sub(p, a)), abut_dot(n, abut_sub(q, a)));
    return rise <= limit && edge->face != shell->half_edges[edge->twin].face;
}

/* The corners of the face lie in its plane; sets the offset (in scaled units) to the highest, and *noise to how far the
 * lowest is below, if that is more. */
static int plane_holds(const Merger *m, const AbutShell *shell, AbutFace *face, double *noise) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < face->count; ++i) {
        double d = abut_dot(face->plane.normal, corner_point(m, shell, face->first + i));
        low = fmin(low, d);
        high = fmax(high, d);
    }
    face->plane.offset = high;
    *noise = fmax(*noise, high - low);
    return high - low <= 4.0 * m->tolerance && abut_length_sq(face->plane.normal) > 0.5;
}

/* The vertices of triangles that are not kept go to the list in `stamp`; gives how many there are. */
static int32_t list_dropped(const Merger *m) {
    int32_t n = 0;
    for (int32_t t = 0; t < m->count; ++t)
        for (int i = 0; i < 3; ++i) {
            int32_t p = m->triangles[t].v[i];
            if (m->vertex[p] == -1) {
                m->vertex[p] = -2; /* listed */
                m->stamp[n++] = p;
            }
        }
    return n;
}

enum { LANES = 8 };

/* Coordinates of points by row, the last one repeated up to a multiple of LANES; gives the length of a row. */
static int32_t fill_rows(const Merger *m, const int32_t *which, int32_t count) {
    int32_t n = (count + LANES - 1) / LANES * LANES;
    for (int32_t i = 0; i < n; ++i) {
        AbutVec3 p = m->points[which[i < count ? i : count - 1]];
        m->row[i] = p.x, m->row[n + i] = p.y, m->row[2 * n + i] = p.z;
    }
    return n;
}

/* Are all points of the rows at most the tolerance above a plane? */
static int none_above(const Merger *m, AbutPlane plane, int32_t n) {
    const double *x = m->row, *y = x + n, *z = y + n;
    double most[LANES], limit = plane.offset + ABUT_HULL_MERGE_RISE * m->tolerance;
    for (int k = 0; k < LANES; ++k) most[k] = -INFINITY;
    for (int32_t i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; ++k) {
            double d = plane.normal.x * x[i + k] + plane.normal.y * y[i + k] + plane.normal.z * z[i + k];
            most[k] = d > most[k] ? d : most[k];
        }
    for (int k = 0; k < LANES; ++k)
        if (most[k] > limit) return 0;
    return 1;
}

/* A dropped point is not above the plane of any face: where faces meet at a sharp edge it may be near its own and far
 * above a third. */
static int dropped_hold(const Merger *m, const AbutShell *shell) {
    int32_t dropped = list_dropped(m), n = dropped > 0 ? fill_rows(m, m->stamp, dropped) : 0;
    for (int32_t f = 0; f < shell->face_count && n > 0; ++f)
        if (!none_above(m, shell->faces[f].plane, n)) return 0;
    return 1;
}

/* Does a vertex of triangle t lie so deep below the plane of its face that the plane may be tilted by more than the
 * tolerance over the size of the body? */
static int may_tilt(const Merger *m, const AbutShell *shell, int32_t t) {
    AbutPlane plane = shell->faces[m->region[t]].plane;
    double low = INFINITY;
    for (int i = 0; i < 3; ++i) low = fmin(low, abut_dot(plane.normal, m->points[m->triangles[t].v[i]]));
    return plane.offset - low + 0x1p-52 > m->tolerance * m->width[m->region[t]];
}

/* No vertex is above the plane of a face of several triangles that may be tilted. */
static int far_vertices_hold(const Merger *m, const AbutShell *shell) {
    int32_t *size = m->queue, n = fill_rows(m, shell->source, shell->vertex_count);
    memset(size, 0, (size_t)m->region_count * sizeof *size);
    for (int32_t t = 0; t < m->count; ++t) ++size[m->region[t]];
    for (int32_t t = 0; t < m->count; ++t) {
        int32_t f = m->region[t];
        if (size[f] < 2 || !may_tilt(m, shell, t)) continue;
        size[f] = 0; /* once is enough */
        if (!none_above(m, shell->faces[f].plane, n)) return 0;
    }
    return 1;
}

/* A face may rise above its neighbor by as much as faces are not flat, as polyhedron_check.c has it. */
static int shell_holds(const Merger *m, AbutShell *shell) {
    double noise = 0.0;
    for (int32_t f = 0; f < shell->face_count; ++f)
        shell->faces[f].plane.normal = polygon_normal(m, shell, &shell->faces[f], &m->width[f]);
    if (m->tolerance == 0.0) return 1;
    for (int32_t f = 0; f < shell->face_count; ++f)
        if (!plane_holds(m, shell, &shell->faces[f], &noise)) return 0;
    double limit = fmin(3.0 * m->tolerance, 2.0 * noise + 0.5 * ABUT_CHECK_ROUNDING);
    for (int32_t h = 0; h < shell->half_edge_count; ++h)
        if (!convex_at(m, shell, limit, h)) return 0;
    return dropped_hold(m, shell) && far_vertices_hold(m, shell);
}

static AbutStatus fill_shell(Merger *m, AbutShell *shell, AbutError *error) {
    int32_t vertices = keep_vertices(m);
    if (vertices < 4 || m->region_count < 4) return ABUT_ERROR_DEGENERATE;
    AbutStatus status = abut_shell_create(3, vertices, 3 * m->count, m->region_count, shell, error);
    if (status != ABUT_OK) return status;
    for (int32_t p = 0; p < m->point_count; ++p)
        if (m->vertex[p] >= 0) shell->source[m->vertex[p]] = p;
    shell->half_edge_count = 0;
    if (trace_faces(m, shell) && shell_holds(m, shell)) return ABUT_OK;
    abut_shell_free(shell);
    return ABUT_ERROR_DEGENERATE;
}

AbutStatus abut_hull_merge(const AbutVec3 *points, int count, const AbutHullTriangles *triangles, double tolerance,
    AbutShell *out, AbutError *error) {
    size_t n = (size_t)triangles->count, p = (size_t)count;
    Merger m = {.points = points,
        .triangles = triangles->items,
        .count = triangles->count,
        .point_count = count,
        .tolerance = tolerance};
    int32_t *memory = triangles->count < INT32_MAX / 3 ? abut_alloc_array(9 * n + 2 * p, sizeof *memory) : NULL;
    m.width = memory ? abut_alloc_array(n + 3 * (p + LANES), sizeof *m.width) : NULL;
    if (!m.width) {
        abut_free(memory);
        return abut_fail_memory(error);
    }
    m.row = m.width + n;
    m.order = memory;
    m.queue = memory + n;
    m.region = memory + 2 * n;
    m.edge_of = memory + 3 * n;
    m.side_of = memory + 6 * n;
    m.vertex = memory + 9 * n;
    m.stamp = m.vertex + p;
    grow_regions(&m);
    AbutStatus status = fill_shell(&m, out, error);
    abut_free(m.width);
    abut_free(memory);
    if (status == ABUT_ERROR_DEGENERATE)
        abut_fail(error, status, "the points are too nearly coplanar for faces at tolerance %g", tolerance);
    return status;
}
