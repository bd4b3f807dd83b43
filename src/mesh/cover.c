/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering balls of a convex body. In: a body. Out: balls whose union holds it.
 *
 * Method: the body is cut into cells by planes. A ball around the corners of a cell holds the cell, since balls are
 * convex; the cells are the body. The cell whose ball reaches farthest out is cut next, by the best of a few planes. A
 * cell is its corners and edges, where additional edges do no harm: a plane cuts it into the part of its corners and
 * edges on either side, and the convex polygon around the points in which edges cross the plane. Round bodies are cut
 * as polyhedra around them; capsules and ellipsoids have balls along their longest axis.
 */
#include "mesh/cover.h"
#include "math/matrix.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edge {
    int32_t a, b;
} Edge;

typedef struct Cell {
    int32_t count, edge_count;
    AbutVec3 *corner;
    Edge *edge;
    AbutSphere ball;
    double depth; /* of the center in the body */
} Cell;

/* ---- the body ---------------------------------------------------------------------------------------------------- */

enum { SIDES = 16 };

/* Distance of a point to the surface from inside; negative outside. */
static double depth_in(const AbutConvex *body, AbutVec3 x) {
    AbutVec3 h = body->p[0];
    double least = INFINITY, around = sqrt(x.x * x.x + x.y * x.y);
    switch (body->kind) {
    case ABUT_CONVEX_BOX:
        return fmin(fmin(h.x - fabs(x.x), h.y - fabs(x.y)), h.z - fabs(x.z));
    case ABUT_CONVEX_CYLINDER:
        return fmin(h.x - around, h.z - fabs(x.z));
    case ABUT_CONVEX_CONE: {
        double slant = sqrt(h.x * h.x + 4.0 * h.z * h.z);
        return fmin(x.z + h.z, slant > 0.0 ? ((h.z - x.z) * h.x - 2.0 * h.z * around) / slant : 0.0);
    }
    case ABUT_CONVEX_POLYHEDRON:
        for (int32_t i = 0; i < body->polyhedron->face_count; ++i) {
            AbutPlane plane = abut_polyhedron_faces(body->polyhedron)[i].plane;
            least = fmin(least, plane.offset - abut_dot(plane.normal, x));
        }
        return least;
    default:
        return 0.0;
    }
}

static void add_edge(Cell *cell, int32_t a, int32_t b) { cell->edge[cell->edge_count++] = (Edge){a, b}; }

/* Prisms around cylinders, pyramids around cones. */
static void fill_round(const AbutConvex *body, Cell *cell) {
    double wide = body->p[0].x / abut_cos(ABUT_PI / SIDES), high = body->p[0].z;
    int cone = body->kind == ABUT_CONVEX_CONE;
    cell->count = cone ? SIDES + 1 : 2 * SIDES;
    for (int i = 0; i < SIDES; ++i) {
        double angle = 2.0 * ABUT_PI * i / SIDES, x = wide * abut_cos(angle), y = wide * abut_sin(angle);
        cell->corner[i] = abut_vec3(x, y, -high);
        if (!cone) cell->corner[SIDES + i] = abut_vec3(x, y, high);
        add_edge(cell, i, (i + 1) % SIDES);
        add_edge(cell, i, cone ? SIDES : SIDES + i);
        if (!cone) add_edge(cell, SIDES + i, SIDES + (i + 1) % SIDES);
    }
    if (cone) cell->corner[SIDES] = abut_vec3(0.0, 0.0, high);
}

static void fill_box(AbutVec3 h, Cell *cell) {
    cell->count = 8;
    for (int i = 0; i < 8; ++i) {
        cell->corner[i] = abut_vec3((i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z);
        for (int bit = 1; bit < 8; bit *= 2)
            if (!(i & bit)) add_edge(cell, i, i | bit);
    }
}

static void fill(const AbutConvex *body, Cell *cell) {
    cell->count = cell->edge_count = 0;
    if (body->kind == ABUT_CONVEX_POLYHEDRON) {
        const AbutHalfEdge *edge = abut_polyhedron_half_edges(body->polyhedron);
        cell->count = body->polyhedron->vertex_count;
        memcpy(cell->corner, abut_polyhedron_vertices(body->polyhedron), (size_t)cell->count * sizeof *cell->corner);
        for (int32_t i = 0; i < body->polyhedron->half_edge_count; ++i)
            if (i < edge[i].twin) add_edge(cell, edge[i].origin, edge[edge[i].twin].origin);
    } else if (body->kind == ABUT_CONVEX_BOX) {
        fill_box(body->p[0], cell);
    } else if (body->kind == ABUT_CONVEX_TRIANGLE) {
        cell->count = 3;
        for (int i = 0; i < 3; ++i) {
            cell->corner[i] = body->p[i];
            add_edge(cell, i, (i + 1) % 3);
        }
    } else {
        fill_round(body, cell);
    }
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* A cut adds at most one corner for each edge that it crosses, and as many edges. */
typedef struct Cutter {
    const AbutConvex *body;
    size_t room;        /* of corners and edges */
    double *side;       /* of the corners of a cell */
    int32_t *number;    /* their numbers in the new one */
    AbutVec3 *crossing; /* points on the plane */
    Cell cell[ABUT_COVER_MOST], half[2], best[2];
    void *memory;
} Cutter;

static double excess_of(const Cell *cell) { return cell->ball.radius - cell->depth; }

static void enclose(const Cutter *cutter, Cell *cell) {
    cell->ball = abut_bounding_sphere(cell->corner, cell->count);
    cell->depth = depth_in(cutter->body, cell->ball.center);
}

/* Orders by x, then y; z is not looked at. */
static int compare(const void *a, const void *b) {
    const AbutVec3 *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->y > q->y) - (p->y < q->y);
}

static double turn(AbutVec3 a, AbutVec3 b, AbutVec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* The convex polygon of points by their x and y, in place, behind them; returns its corner count. */
static int32_t polygon_of(AbutVec3 *point, int32_t count) {
    AbutVec3 *out = point + count;
    int32_t n = 0;
    qsort(point, (size_t)count, sizeof *point, compare);
    for (int way = 0; way < 2; ++way)
        for (int32_t i = 0, first = n; i < count; ++i) {
            AbutVec3 p = point[way ? count - 1 - i : i];
            while (n - first >= 2 && turn(out[n - 2], out[n - 1], p) <= 0.0) --n;
            out[n++] = p;
            if (i + 1 == count) --n; /* the other way begins with it */
        }
    return n;
}

/* Adds the polygon in which the plane cuts the cell. */
static void add_polygon(Cutter *cutter, AbutVec3 axis, double offset, int32_t count, Cell *out) {
    AbutVec3 x = abut_perpendicular(axis), y = abut_cross(axis, x), *flat = cutter->crossing;
    for (int32_t i = 0; i < count; ++i) flat[i] = abut_vec3(abut_dot(x, flat[i]), abut_dot(y, flat[i]), 0.0);
    int32_t n = polygon_of(flat, count), first = out->count;
    for (int32_t i = 0; i < n; ++i) {
        AbutVec3 p = flat[count + i];
        out->corner[out->count++] = abut_add_scaled(abut_add_scaled(abut_scale(axis, offset), x, p.x), y, p.y);
        add_edge(out, first + i, first + (i + 1) % n);
    }
}

/* The part of a cell with axis . x <= offset; 0: nothing of it, or all. */
static int cut(Cutter *cutter, const Cell *cell, AbutVec3 axis, double offset, Cell *out) {
    int32_t crossings = 0;
    out->count = out->edge_count = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        cutter->side[i] = abut_dot(axis, cell->corner[i]) - offset;
        cutter->number[i] = out->count;
        if (cutter->side[i] <= 0.0) out->corner[out->count++] = cell->corner[i];
        if (cutter->side[i] == 0.0) cutter->crossing[crossings++] = cell->corner[i];
    }
    if (out->count == 0 || out->count == cell->count) return 0;
    for (int32_t i = 0; i < cell->edge_count; ++i) {
        Edge e = cell->edge[i];
        double a = cutter->side[e.a], b = cutter->side[e.b];
        if (a <= 0.0 && b <= 0.0) add_edge(out, cutter->number[e.a], cutter->number[e.b]);
        if (!((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0))) continue;
        AbutVec3 p = abut_lerp(cell->corner[e.a], cell->corner[e.b], a / (a - b));
        add_edge(out, cutter->number[a < 0.0 ? e.a : e.b], out->count);
        out->corner[out->count++] = cutter->crossing[crossings++] = p;
    }
    if (crossings > 1) add_polygon(cutter, axis, offset, crossings, out);
    return 1;
}

/* The axes along which the corners are spread, widest last. */
static AbutMat3 spread_of(const Cell *cell) {
    AbutMat3 sum = {abut_zero(), abut_zero(), abut_zero()};
    AbutVec3 mean = abut_zero();
    for (int32_t i = 0; i < cell->count; ++i) mean = abut_add_scaled(mean, cell->corner[i], 1.0 / cell->count);
    for (int32_t i = 0; i < cell->count; ++i) {
        AbutVec3 d = abut_sub(cell->corner[i], mean);
        sum.x = abut_add_scaled(sum.x, d, d.x);
        sum.y = abut_add_scaled(sum.y, d, d.y);
        sum.z = abut_add_scaled(sum.z, d, d.z);
    }
    return abut_mat3_eigen_symmetric(sum, NULL);
}

static void swap(Cell *a, Cell *b) {
    Cell keep = *a;
    *a = *b;
    *b = keep;
}

/* The best cut across an axis; *least is the sum of the squared excesses of the best so far. */
static void try_axis(Cutter *cutter, const Cell *cell, AbutVec3 axis, double part, double *least) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < cell->count; ++i) {
        low = fmin(low, abut_dot(axis, cell->corner[i]));
        high = fmax(high, abut_dot(axis, cell->corner[i]));
    }
    double offset = low + part * (high - low);
    if (!cut(cutter, cell, axis, offset, &cutter->half[0]) ||
        !cut(cutter, cell, abut_neg(axis), -offset, &cutter->half[1]))
        return;
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        enclose(cutter, &cutter->half[i]);
        sum += excess_of(&cutter->half[i]) * excess_of(&cutter->half[i]);
    }
    if (!(sum < *least)) return;
    *least = sum;
    for (int i = 0; i < 2; ++i) swap(&cutter->half[i], &cutter->best[i]);
}

/* Cuts a cell in two, the second into `other`; 0: no plane does. */
static int split(Cutter *cutter, Cell *cell, Cell *other) {
    static const double PARTS[3] = {0.5, 1.0 / 3.0, 2.0 / 3.0};
    AbutMat3 axes = spread_of(cell);
    double least = INFINITY;
    for (int a = 2; a >= 0; --a)
        for (int k = 0; k < (a == 2 ? 3 : 1); ++k)
            try_axis(cutter, cell, abut_mat3_apply(axes, abut_axis(a)), PARTS[k], &least);
    if (least == INFINITY) return 0;
    swap(cell, &cutter->best[0]);
    swap(other, &cutter->best[1]);
    return 1;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

/* Adds a ball, wide enough for what rounding takes away. */
static void add_ball(AbutCover *out, double radius, AbutVec3 center, double outer, double depth) {
    double lost = 1e-10 * (outer + radius + abut_length(center)), inner = depth >= 0.0 ? depth + radius - lost : -1.0;
    out->ball[out->count++] = (AbutCoverBall){center, outer + radius + lost, inner > 0.0 ? inner : -1.0};
    out->excess = fmax(out->excess, outer - depth + 2.0 * lost);
}

/* Along a segment with a ball at either end. */
static void cover_segment(const AbutConvex *body, double excess, int32_t most, AbutCover *out) {
    double length = abut_point_distance(body->p[0], body->p[1]), r = body->radius;
    double step = 2.0 * sqrt(excess * (excess + 2.0 * r));
    int32_t parts = length == 0.0 ? 0 : length < step * (most - 1) ? (int32_t)ceil(length / step) : most - 1;
    if (parts == 0) add_ball(out, 0.0, abut_lerp(body->p[0], body->p[1], 0.5), r + 0.5 * length, r);
    for (int32_t i = 0; i <= parts && parts; ++i) {
        double half = 0.5 * length / parts;
        add_ball(out, 0.0, abut_lerp(body->p[0], body->p[1], (double)i / parts), sqrt(r * r + half * half), r);
    }
}

/* Slices across the longest axis, each in a box. */
static void cover_ellipsoid(const AbutConvex *body, double excess, int32_t most, AbutCover *out) {
    double s[3] = {body->p[0].x, body->p[0].y, body->p[0].z}, least = fmin(fmin(s[0], s[1]), s[2]);
    int l = s[0] >= s[1] && s[0] >= s[2] ? 0 : s[1] >= s[2] ? 1 : 2;
    double across = sqrt(s[(l + 1) % 3] * s[(l + 1) % 3] + s[(l + 2) % 3] * s[(l + 2) % 3]), long_way = s[l];
    int32_t parts = long_way - least <= excess ? 1 : most;
    for (int32_t i = 0; i < parts; ++i) {
        double from = -1.0 + 2.0 * i / parts, to = -1.0 + 2.0 * (i + 1) / parts, at = 0.5 * (from + to);
        double near = from > 0.0 ? from : to < 0.0 ? -to : 0.0, wide = across * sqrt(fmax(1.0 - near * near, 0.0));
        double along = 0.5 * (to - from) * long_way, outer = sqrt(wide * wide + along * along);
        add_ball(out, body->radius, abut_scale(abut_axis(l), at * long_way), parts == 1 ? long_way : outer,
            least * (1.0 - fabs(at)));
    }
}

static AbutStatus open_cutter(const AbutConvex *body, Cutter *out, AbutError *error) {
    size_t cells = ABUT_COVER_MOST + 4, corners = 4 * SIDES, edges = 4 * SIDES;
    if (body->kind == ABUT_CONVEX_POLYHEDRON) {
        corners = (size_t)body->polyhedron->vertex_count;
        edges = (size_t)body->polyhedron->half_edge_count / 2;
    }
    memset(out, 0, sizeof *out);
    out->body = body;
    out->room = 8 * (corners + edges) + 1024;
    size_t cell = out->room * (sizeof(AbutVec3) + sizeof(Edge));
    char *block = abut_alloc(cells * cell + out->room * (2 * sizeof(AbutVec3) + sizeof(double) + sizeof(int32_t)));
    if (!block) return abut_fail_memory(error);
    out->memory = block;
    out->crossing = (AbutVec3 *)(block + cells * cell);
    out->side = (double *)(out->crossing + 2 * out->room);
    out->number = (int32_t *)(out->side + out->room);
    for (size_t i = 0; i < cells; ++i) {
        Cell *x = i < ABUT_COVER_MOST ? &out->cell[i]
                  : i < cells - 2     ? &out->half[i - ABUT_COVER_MOST]
                                      : &out->best[i + 2 - cells];
        x->corner = (AbutVec3 *)(block + i * cell);
        x->edge = (Edge *)(x->corner + out->room);
    }
    return ABUT_OK;
}

/* Has a cell room for what another cut adds? */
static int has_room(const Cutter *cutter, const Cell *cell) {
    return (size_t)cell->count + 2 * (size_t)cell->edge_count < cutter->room / 2;
}

static AbutStatus cover_by_cells(
    const AbutConvex *body, double excess, int32_t most, AbutCover *out, AbutError *error) {
    Cutter cutter;
    int32_t count = 1;
    AbutStatus status = open_cutter(body, &cutter, error);
    if (status) return status;
    fill(body, &cutter.cell[0]);
    enclose(&cutter, &cutter.cell[0]);
    while (count < most) {
        int32_t worst = 0;
        for (int32_t i = 1; i < count; ++i)
            worst = excess_of(&cutter.cell[i]) > excess_of(&cutter.cell[worst]) ? i : worst;
        if (!(excess_of(&cutter.cell[worst]) > excess) || !has_room(&cutter, &cutter.cell[worst]) ||
            !split(&cutter, &cutter.cell[worst], &cutter.cell[count]))
            break;
        ++count;
    }
    for (int32_t i = 0; i < count; ++i)
        add_ball(out, body->radius, cutter.cell[i].ball.center, cutter.cell[i].ball.radius, cutter.cell[i].depth);
    abut_free(cutter.memory);
    return ABUT_OK;
}

AbutStatus abut_cover_make(const AbutConvex *body, double excess, int32_t most, AbutCover *out, AbutError *error) {
    ABUT_ASSERT(body && out && excess >= 0.0 && most > 0 && most <= ABUT_COVER_MOST);
    memset(out, 0, sizeof *out);
    switch (body->kind) {
    case ABUT_CONVEX_POINT:
        add_ball(out, body->radius, body->p[0], 0.0, 0.0);
        return ABUT_OK;
    case ABUT_CONVEX_SEGMENT:
        cover_segment(body, excess, most, out);
        return ABUT_OK;
    case ABUT_CONVEX_ELLIPSOID:
        cover_ellipsoid(body, excess, most, out);
        return ABUT_OK;
    case ABUT_CONVEX_TRIANGLE:
    case ABUT_CONVEX_BOX:
    case ABUT_CONVEX_POLYHEDRON:
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
        return cover_by_cells(body, excess, most, out, error);
    default:
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "cover: expected a bounded body, got one without end");
    }
}
