/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two solids by tracing. Clipping takes one plane after the other and pays for every face that comes and
 * goes on the way; deep in each other most faces of the result are whole faces of one body, and only those along the
 * curves where the surfaces cross are cut.
 *   1 Every vertex is measured against all planes of the other body: inside, outside, or too near to say.
 *   2 An edge with one end inside leaves the other body once. From such a crossing the curve is followed: along the
 *     line of the two faces it lies in, to the first edge of either, and there over to the next face. Edges with both
 *     ends outside that no single plane keeps out are tried as well; so every curve is found.
 *   3 Faces of the result: whole faces, faces along the curves, whose outline changes between their own edges and the
 *     curve, and faces that hold a whole curve.
 * In: bodies of an overlap. Out: vertices (crossings first), faces and corners, or nothing where rounding could decide
 * or Euler's count does not come out: the caller then clips. Frame of A about bodies->origin.
 */
#include "query/overlap_trace.h"
#include "query/tolerance.h"

#include <math.h>

/* Vertices are measured in groups of two times four. */
enum { LANES = 4, GROUP = 2 * LANES, CELLS = 6 * 4 * 4 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long Masks __attribute__((vector_size(LANES * sizeof(long long))));

/* A plane with its number. */
typedef struct Pick {
    double x, y, z, offset, number;
} Pick;

/* A body in the common frame. */
typedef struct Side {
    const AbutFaceted *body;
    AbutVec3 *vertex;
    AbutPlane *plane;
    int32_t *exit;   /* per half-edge: the crossing where it leaves the other body; -1: none */
    int32_t *worst;  /* per vertex outside: a plane of the other body that it is well beyond */
    int32_t *number; /* per vertex: its number among the inside ones; -1: outside */
    int32_t first;   /* number of the first of them in the result */
    AbutVec3 center; /* of the bounding sphere */
    double inner;    /* radius of a ball about the centre inside the body; not positive: none */
} Side;

/* Vertices that have to be measured, in groups; the last one is repeated to fill its group. */
typedef struct Rows {
    Lanes *x, *y, *z;
    Lanes *most, *worst; /* largest value over some planes, and the number of that plane */
    int32_t *which;      /* vertex by place */
    int32_t count;
} Rows;

/* A vertex of the curves: half-edge `half_edge` of body `owner` leaves the other body here. */
typedef struct Crossing {
    int32_t half_edge, owner, next, previous;
} Crossing;

typedef struct Trace {
    Side side[2];
    Rows rows;
    Crossing *crossing;
    AbutOverlapArrays to;
    AbutOverlap *out;
    Pick *pick; /* planes that matter to the vertices of a body */
    int32_t crossings, vertex_capacity, face_capacity, corner_capacity;
    double near; /* lengths below this could be rounding */
} Trace;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int32_t groups_of(int32_t vertices)
{
    return (vertices + GROUP - 1) / GROUP;
}

/* A solid of f faces has at most 2 f - 4 vertices and 6 f - 12 half-edges. */
size_t abut_overlap_trace_size(int faces)
{
    size_t f = (size_t)faces + 8;
    return 64 + 5 * (2 * f + GROUP) * sizeof(double) +
           f * (2 * sizeof(AbutVec3) + sizeof(AbutPlane) + sizeof(Pick) + 3 * sizeof(Crossing)) +
           12 * f * sizeof(int32_t) + 16;
}

static void *take(char **at, size_t bytes)
{
    void *block = *at;
    *at += bytes;
    return block;
}

static Rows take_rows(char **at, int32_t vertices)
{
    size_t bytes = (size_t)groups_of(vertices) * GROUP * sizeof(double);
    Rows r = {.count = 0};
    r.x = take(at, bytes), r.y = take(at, bytes), r.z = take(at, bytes);
    r.most = take(at, bytes), r.worst = take(at, bytes);
    return r;
}

static void take_places(char **at, Side *s, const AbutFaceted *body)
{
    s->body = body;
    s->vertex = take(at, (size_t)body->vertex_count * sizeof *s->vertex);
    s->plane = take(at, (size_t)body->face_count * sizeof *s->plane);
}

static void take_lists(char **at, Side *s)
{
    s->exit = take(at, (size_t)s->body->half_edge_count * sizeof *s->exit);
    s->number = take(at, (size_t)s->body->vertex_count * sizeof *s->number);
    s->worst = take(at, (size_t)s->body->vertex_count * sizeof *s->worst);
}

/* Rows first: they want their alignment. Numbers come last, after all that holds doubles. */
static Trace lay_out(const AbutOverlapBodies *bodies, void *memory, AbutOverlapArrays to, AbutOverlap *out)
{
    Trace t;
    char *at = (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int32_t faces = a->face_count + b->face_count + 8;
    int32_t vertices = a->vertex_count > b->vertex_count ? a->vertex_count : b->vertex_count;
    t.to = to;
    t.out = out;
    t.crossings = 0;
    t.vertex_capacity = 3 * faces, t.face_capacity = faces, t.corner_capacity = 9 * faces;
    t.near = ABUT_OVERLAP_TRACE_NEAR * bodies->scale;
    t.rows = take_rows(&at, vertices);
    take_places(&at, &t.side[0], a);
    take_places(&at, &t.side[1], b);
    t.pick = take(&at, (size_t)faces * sizeof *t.pick);
    t.crossing = take(&at, (size_t)t.vertex_capacity * sizeof *t.crossing);
    take_lists(&at, &t.side[0]);
    take_lists(&at, &t.side[1]);
    t.rows.which = take(&at, (size_t)vertices * sizeof *t.rows.which);
    return t;
}

/* A is not turned. */
static inline __attribute__((always_inline)) void load_side(Side *s, AbutVec3 origin, int turned)
{
    const AbutFaceted *b = s->body;
    AbutMat3 turn = b->turn;
    AbutVec3 shift = abut_sub(b->shift, origin);
    s->center = abut_add(abut_mat3_apply(turn, b->bound.center), shift);
    s->inner = INFINITY;
    for (int32_t v = 0; v < b->vertex_count; ++v)
        s->vertex[v] = abut_add(turned ? abut_mat3_apply(turn, b->vertex[v]) : b->vertex[v], shift);
    for (int32_t f = 0; f < b->face_count; ++f) {
        AbutVec3 n = turned ? abut_mat3_apply(turn, b->face[f].plane.normal) : b->face[f].plane.normal;
        s->plane[f].normal = n;
        s->plane[f].offset = b->face[f].plane.offset + abut_dot(n, shift);
        s->inner = abut_smaller(s->inner, s->plane[f].offset - abut_dot(n, s->center));
    }
    for (int32_t h = 0; h < b->half_edge_count; ++h)
        s->exit[h] = -1;
}

/* ---- 1: inside or outside ---------------------------------------------------------------------------------------- */

#define ALL_LANES(x) ((Lanes){(x), (x), (x), (x)})
#define CHOOSE(mask, yes, no) ((Lanes)(((Masks)(yes) & (mask)) | ((Masks)(no) & ~(mask))))

/* Largest value of a group of vertices over the planes, and the plane that has it. */
static inline __attribute__((always_inline)) void measure_group(
    const Rows *r, int32_t g, const Pick *pick, int32_t count)
{
    const Lanes *x = r->x + 2 * g, *y = r->y + 2 * g, *z = r->z + 2 * g;
    Lanes most[2] = {ALL_LANES(-INFINITY), ALL_LANES(-INFINITY)}, worst[2] = {ALL_LANES(0.0), ALL_LANES(0.0)};
    for (int32_t k = 0; k < count; ++k) {
        Pick p = pick[k];
        for (int j = 0; j < 2; ++j) {
            Lanes value = p.x * x[j] + p.y * y[j] + p.z * z[j] - p.offset;
            Masks more = value > most[j];
            most[j] = CHOOSE(more, value, most[j]);
            worst[j] = CHOOSE(more, ALL_LANES(p.number), worst[j]);
        }
    }
    for (int j = 0; j < 2; ++j) {
        r->most[2 * g + j] = most[j];
        r->worst[2 * g + j] = worst[j];
    }
}

typedef void MeasureAll(const Rows *r, const Pick *pick, int32_t count);

#define MEASURE_ALL(name)                                                                                              \
    static void name(const Rows *r, const Pick *pick, int32_t count)                                                   \
    {                                                                                                                  \
        for (int32_t g = 0; g < groups_of(r->count); ++g)                                                              \
            measure_group(r, g, pick, count);                                                                          \
    }

MEASURE_ALL(measure_plain)
#if defined(__x86_64__)
__attribute__((target("avx2"))) MEASURE_ALL(measure_avx2)
#endif

    static MeasureAll *choose_measure(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return measure_avx2;
#endif
    return measure_plain;
}

static inline double value_at(AbutPlane plane, AbutVec3 v)
{
    return abut_dot(plane.normal, v) - plane.offset;
}

/* Part of the sphere of directions that d points to. */
static inline int32_t cell_of(AbutVec3 d)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z), most = abut_larger(x, abut_larger(y, z));
    double u = x == most ? d.y : d.x, v = z == most ? d.y : d.z, w = x == most ? d.x : (y == most ? d.y : d.z);
    int32_t side = 2 * (x == most ? 0 : (y == most ? 1 : 2)) + (w > 0.0), half = 2 * most > 0.0;
    int32_t i = half * ((u > 0.0) + (u > 0.5 * most) + (u > -0.5 * most));
    int32_t j = half * ((v > 0.0) + (v > 0.5 * most) + (v > -0.5 * most));
    return (4 * side + i) * 4 + j;
}

/* A plane of the body for every direction that some plane faces; -1: none. */
static void fill_cells(const Side *s, int32_t cell[CELLS])
{
    for (int32_t i = 0; i < CELLS; ++i)
        cell[i] = -1;
    for (int32_t f = 0; f < s->body->face_count; ++f)
        cell[cell_of(s->plane[f].normal)] = f;
}

/*
 * Vertices of `s` in the inner ball of the other body are inside; those beyond the plane that faces their direction are
 * outside. The rest is left to be measured.
 */
static void gather(Rows *r, Side *s, const Side *other, double near)
{
    double *x = (double *)r->x, *y = (double *)r->y, *z = (double *)r->z, inner = other->inner - near;
    int32_t cell[CELLS];
    int use = other->body->face_count > CELLS; /* measuring few planes is cheaper */
    if (use)
        fill_cells(other, cell);
    r->count = 0;
    for (int32_t v = 0; v < s->body->vertex_count; ++v) {
        AbutVec3 p = s->vertex[v], d = abut_sub(p, other->center);
        s->number[v] = 0;
        if (inner > 0.0 && abut_length_sq(d) < inner * inner)
            continue;
        int32_t facing = use ? cell[cell_of(d)] : -1;
        if (facing >= 0 && value_at(other->plane[facing], p) > near) {
            s->number[v] = -1;
            s->worst[v] = facing;
            continue;
        }
        x[r->count] = p.x, y[r->count] = p.y, z[r->count] = p.z;
        r->which[r->count++] = v;
    }
    for (int32_t i = r->count; i % GROUP && i > 0; ++i)
        x[i] = x[i - 1], y[i] = y[i - 1], z[i] = z[i - 1];
}

/* The planes of `other` that a sphere around `s` reaches. */
static int32_t pick_planes(const Trace *t, const Side *s, const Side *other)
{
    int32_t count = 0;
    for (int32_t f = 0; f < other->body->face_count; ++f) {
        AbutPlane p = other->plane[f];
        Pick pick = {p.normal.x, p.normal.y, p.normal.z, p.offset, f};
        t->pick[count] = pick;
        count += abut_dot(p.normal, s->center) - p.offset > -s->body->bound.radius - t->near;
    }
    return count;
}

/* Numbers the inside vertices; gives their count, or -1 when one is too near to say. */
static int32_t classify(Trace *t, int own)
{
    Side *s = &t->side[own];
    const Side *other = &t->side[!own];
    Rows *r = &t->rows;
    gather(r, s, other, t->near);
    choose_measure()(r, t->pick, pick_planes(t, s, other));
    for (int32_t i = 0; i < r->count; ++i) {
        double most = ((const double *)r->most)[i];
        if (fabs(most) <= t->near)
            return -1;
        s->number[r->which[i]] = most < 0.0 ? 0 : -1;
        s->worst[r->which[i]] = (int32_t)((const double *)r->worst)[i];
    }
    int32_t inside = 0;
    for (int32_t v = 0; v < s->body->vertex_count; ++v)
        if (s->number[v] >= 0)
            s->number[v] = inside++;
    return inside;
}

/* ---- 2: the curves ----------------------------------------------------------------------------------------------- */

static inline AbutHalfEdge half_of(const Side *s, int32_t h)
{
    return s->body->half_edge[h];
}

/* The vertex at which half-edge h ends. */
static inline int32_t end_of(const Side *s, int32_t h)
{
    return half_of(s, half_of(s, h).twin).origin;
}

static inline int32_t next_of(const Side *s, int32_t h)
{
    AbutFace face = s->body->face[half_of(s, h).face];
    return h + 1 < face.first + face.count ? h + 1 : face.first;
}

/* Where an edge of a face crosses a plane. */
typedef struct Event {
    int32_t half_edge; /* -1: none */
    AbutVec3 point;
} Event;

/* The half-edge of a face that comes in from behind the plane (`in`), or goes out (not `in`), and where. */
static Event find_event(const Side *s, int32_t face, AbutPlane plane, int in)
{
    Event out = {-1, {0, 0, 0}};
    AbutFace f = s->body->face[face];
    AbutVec3 a = s->vertex[half_of(s, f.first + f.count - 1).origin];
    double va = value_at(plane, a);
    for (int32_t k = 0; k < f.count; ++k) {
        AbutVec3 b = s->vertex[half_of(s, f.first + k).origin];
        double vb = value_at(plane, b);
        if (in ? va > 0.0 && vb <= 0.0 : va <= 0.0 && vb > 0.0) {
            out.half_edge = f.first + (k > 0 ? k : f.count) - 1;
            out.point = abut_add_scaled(a, abut_sub(b, a), va / (va - vb));
            return out;
        }
        a = b;
        va = vb;
    }
    return out;
}

static int add_crossing(Trace *t, int owner, int32_t h, AbutVec3 point)
{
    int32_t i = t->crossings;
    if (i >= t->vertex_capacity)
        return 0;
    Crossing c = {h, owner, i + 1, i - 1};
    t->crossing[i] = c;
    t->to.vertex[i] = point;
    t->side[owner].exit[h] = i;
    ++t->crossings;
    return 1;
}

/*
 * One step along the line of faces face[0] of A and face[1] of B, in the sense that has the inside of B on the left on
 * A's face: to the first of the edge of A's face that comes in and the edge of B's face that goes out. Gives the owner
 * of that edge, with the half-edge that leaves the other body; -1 when they are too near each other.
 */
static int step(const Trace *t, int32_t face[2], Event *to)
{
    const Side *a = &t->side[0], *b = &t->side[1];
    AbutPlane pa = a->plane[face[0]], pb = b->plane[face[1]];
    Event on_a = find_event(a, face[0], pb, 1), on_b = find_event(b, face[1], pa, 0);
    AbutVec3 d = abut_cross(pa.normal, pb.normal);
    double ahead = abut_dot(d, abut_sub(on_b.point, on_a.point)), length = abut_length(d);
    if (on_a.half_edge < 0 || on_b.half_edge < 0 || !(fabs(ahead) > t->near * length) ||
        length < ABUT_OVERLAP_TRACE_SLANT)
        return -1;
    if (ahead > 0.0) {
        *to = on_a;
        to->half_edge = half_of(a, on_a.half_edge).twin;
        face[0] = half_of(a, to->half_edge).face;
        return 0;
    }
    *to = on_b;
    face[1] = half_of(b, half_of(b, on_b.half_edge).twin).face;
    return 1;
}

/* ---- 3: faces ---------------------------------------------------------------------------------------------------- */

static int open_face(Trace *t, int owner, int32_t source)
{
    AbutOverlap *out = t->out;
    if (out->face_count >= t->face_capacity)
        return 0;
    AbutOverlapFace *face = &t->to.face[out->face_count++];
    face->owner = owner;
    face->source = source;
    face->first = out->corner_count;
    face->count = 0;
    return 1;
}

static int add_corner(Trace *t, int32_t vertex)
{
    AbutOverlap *out = t->out;
    if (out->corner_count >= t->corner_capacity)
        return 0;
    t->to.corner[out->corner_count++] = vertex;
    ++t->to.face[out->face_count - 1].count;
    return 1;
}

/* The curve runs one way round on the faces of A, the other way on those of B. */
static inline int32_t follow(const Trace *t, int owner, int32_t i)
{
    return owner ? t->crossing[i].previous : t->crossing[i].next;
}

/* A face that holds a whole curve, from `first` to the last crossing. */
static int add_curve_face(Trace *t, int owner, int32_t source, int32_t first)
{
    if (!open_face(t, owner, source))
        return 0;
    int32_t i = first;
    do {
        if (!add_corner(t, i))
            return 0;
        i = follow(t, owner, i);
    } while (i != first);
    return 1;
}

/* Follows the curve that begins where half-edge h of `owner` leaves the other body through its face f. */
static int trace_curve(Trace *t, int owner, int32_t h, int32_t f, AbutVec3 point)
{
    int32_t first = t->crossings, face[2];
    int met[2] = {owner == 0, owner == 1};
    const Side *s = &t->side[owner];
    face[owner] = half_of(s, owner ? half_of(s, h).twin : h).face;
    face[!owner] = f;
    Event at = {h, point};
    for (int by = owner; t->side[by].exit[at.half_edge] < 0;) {
        if (!add_crossing(t, by, at.half_edge, at.point))
            return 0;
        by = step(t, face, &at);
        if (by < 0)
            return 0;
        met[by] = 1;
        if (t->side[by].exit[at.half_edge] == first && by == owner)
            break;
        if (t->side[by].exit[at.half_edge] >= 0)
            return 0;
    }
    t->crossing[t->crossings - 1].next = first;
    t->crossing[first].previous = t->crossings - 1;
    return (met[0] || add_curve_face(t, 0, face[0], first)) && (met[1] || add_curve_face(t, 1, face[1], first));
}

/* The part of an edge that lies in the other body: its range, and the face by which it goes out (-1: it does not). */
typedef struct Stretch {
    AbutVec3 a, b;
    double from, to;
    int32_t out_by;
} Stretch;

/* False when nothing is left of the stretch on the inner side of face f. */
static inline int cut_stretch(Stretch *e, const Side *other, int32_t f)
{
    double va = value_at(other->plane[f], e->a), vb = value_at(other->plane[f], e->b);
    if (va > 0.0 && vb > 0.0)
        return 0;
    if (va > 0.0)
        e->from = abut_larger(e->from, va / (va - vb));
    if (vb > 0.0 && va > e->to * (va - vb)) { /* va - vb is negative: it goes out before `to` */
        e->to = va / (va - vb);
        e->out_by = f;
    }
    return e->from < e->to + ABUT_OVERLAP_TRACE_NEAR;
}

/* An edge whose ends are both outside: the planes that keep them out nearly always tell when it stays outside. */
static inline int stays_out(const Side *s, const Side *other, int32_t a, int32_t b)
{
    AbutPlane pa = other->plane[s->worst[a]], pb = other->plane[s->worst[b]];
    double aa = value_at(pa, s->vertex[a]), ab = value_at(pa, s->vertex[b]);
    double ba = value_at(pb, s->vertex[a]), bb = value_at(pb, s->vertex[b]);
    /* in at aa / (aa - ab), out at ba / (ba - bb); the second difference is negative */
    return ab > 0.0 || ba > 0.0 || aa * (bb - ba) > -ba * (aa - ab) * (1.0 + 1e-9);
}

static int clip_edge(const Side *s, const Side *other, int32_t a, int32_t b, Stretch *e)
{
    Stretch whole = {s->vertex[a], s->vertex[b], 0.0, 1.0, -1};
    *e = whole;
    for (int32_t f = 0; f < other->body->face_count; ++f)
        if (!cut_stretch(e, other, f))
            return 0;
    return 1;
}

/* Follows the curve through the point where half-edge h, whose end is outside, leaves the other body, if it does and is
 * not known yet. */
static int try_edge(Trace *t, int owner, int32_t h)
{
    const Side *s = &t->side[owner];
    int32_t a = half_of(s, h).origin;
    Stretch e;
    if (s->exit[h] >= 0)
        return 1;
    if (!clip_edge(s, &t->side[!owner], a, end_of(s, h), &e))
        return s->number[a] < 0;
    if (e.to <= e.from + ABUT_OVERLAP_TRACE_NEAR || e.out_by < 0)
        return 0;
    return trace_curve(t, owner, h, e.out_by, abut_add_scaled(e.a, abut_sub(e.b, e.a), e.to));
}

/* Both half-edges of an edge: an end that is outside may be reached from the inside. */
static int try_both(Trace *t, int owner, int32_t h)
{
    const Side *s = &t->side[owner];
    AbutHalfEdge half = half_of(s, h);
    int out_a = s->number[half.origin] < 0, out_b = s->number[half_of(s, half.twin).origin] < 0;
    if (out_a && out_b && stays_out(s, &t->side[!owner], half.origin, half_of(s, half.twin).origin))
        return 1;
    if (out_b && !try_edge(t, owner, h))
        return 0;
    return !out_a || (out_b && s->exit[h] < 0) || try_edge(t, owner, half.twin);
}

static int trace_all(Trace *t)
{
    for (int owner = 0; owner < 2; ++owner)
        for (int32_t h = 0; h < t->side[owner].body->half_edge_count; ++h)
            if (h < half_of(&t->side[owner], h).twin && !try_both(t, owner, h))
                return 0;
    return 1;
}

/* The outline of a face of `owner`, from the crossing where half-edge h leaves: the curve until it meets an edge of the
 * face again, then along the edges until one leaves. */
static int add_cut_face(Trace *t, int owner, int32_t h)
{
    const Side *s = &t->side[owner];
    int32_t face = half_of(s, h).face, first = s->exit[h], i = first;
    if (!open_face(t, owner, face))
        return 0;
    do {
        if (!add_corner(t, i))
            return 0;
        do {
            i = follow(t, owner, i);
            if (!add_corner(t, i))
                return 0;
        } while (t->crossing[i].owner != owner);
        h = half_of(s, t->crossing[i].half_edge).twin;
        if (half_of(s, h).face != face)
            return 0;
        for (; s->exit[h] < 0; h = next_of(s, h)) {
            int32_t v = s->number[end_of(s, h)];
            if (v < 0 || !add_corner(t, s->first + v))
                return 0;
        }
        i = s->exit[h];
    } while (i != first);
    return 1;
}

/* A face whose edges the curves do not meet: whole, or not there. */
static int add_whole_face(Trace *t, int owner, int32_t f)
{
    const Side *s = &t->side[owner];
    AbutFace face = s->body->face[f];
    int inside = s->number[half_of(s, face.first).origin] >= 0;
    if (inside && !open_face(t, owner, f))
        return 0;
    for (int32_t h = face.first; h < face.first + face.count; ++h) {
        int32_t v = s->number[half_of(s, h).origin];
        if ((v >= 0) != inside || (inside && !add_corner(t, s->first + v)))
            return 0;
    }
    return 1;
}

static int add_faces(Trace *t, int owner)
{
    const Side *s = &t->side[owner];
    for (int32_t f = 0; f < s->body->face_count; ++f) {
        AbutFace face = s->body->face[f];
        int32_t h = face.first, end = face.first + face.count;
        while (h < end && s->exit[h] < 0)
            ++h;
        if (!(h < end ? add_cut_face(t, owner, h) : add_whole_face(t, owner, f)))
            return 0;
    }
    return 1;
}

/* Vertices behind the crossings. */
static void add_inside(Trace *t, int owner)
{
    const Side *s = &t->side[owner];
    for (int32_t v = 0; v < s->body->vertex_count; ++v)
        if (s->number[v] >= 0)
            t->to.vertex[s->first + s->number[v]] = s->vertex[v];
}

int abut_overlap_trace(const AbutOverlapBodies *bodies, void *memory, AbutOverlapArrays to, AbutOverlap *out)
{
    Trace t = lay_out(bodies, memory, to, out);
    load_side(&t.side[0], bodies->origin, 0);
    load_side(&t.side[1], bodies->origin, 1);
    int32_t inside_a = classify(&t, 0), inside_b = inside_a < 0 ? -1 : classify(&t, 1);
    if (inside_b < 0 || !trace_all(&t) || t.crossings + inside_a + inside_b > t.vertex_capacity)
        return 0;
    t.side[0].first = t.crossings;
    t.side[1].first = t.crossings + inside_a;
    if (!add_faces(&t, 0) || !add_faces(&t, 1))
        return 0;
    out->vertex_count = t.crossings + inside_a + inside_b;
    if (out->vertex_count - out->corner_count / 2 + out->face_count != 2)
        return 0;
    add_inside(&t, 0);
    add_inside(&t, 1);
    for (int32_t f = 0; f < out->face_count; ++f)
        to.face[f].plane = abut_overlap_plane(bodies, to.face[f].owner, to.face[f].source);
    return 1;
}
