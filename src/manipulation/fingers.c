/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where fingers touch: points on the object drawn by area, a sparse choice of them that balances the weight, and the
 * order in which fingers go to new points while the others hold.
 */
#include "manipulation/manip.h"

#include "math/numbers.h"

#include <string.h>

#define INSET 0.004   /* m: points keep this far from the edges of their face */
#define SPACE 1e-3    /* m: between a finger and the surroundings */
#define BY_FACE 0.3   /* part of the points that are drawn by faces */
#define SYMMETRIC 0.5 /* part of the points that lie on planes of principal axes */

/* ---- points ------------------------------------------------------------------------------------------------------ */

typedef struct Triangles {
    double *area;
    AbutVec3 (*corner)[3];
    AbutVec3 *normal; /* outward */
    int32_t count;
    double sum;
} Triangles;

static int is_forbidden(const AbutManipTask *task, AbutVec3 normal) {
    for (int32_t k = 0; k < task->forbidden_count; ++k)
        if (abut_dot(abut_normalize(task->forbidden[k]), normal) > 0.99) return 1;
    return 0;
}

/* The face as a fan, its corners moved towards its middle by the inset, at most wholly. */
static void add_face(const AbutManip *m, const AbutManipShape *part, int32_t face, Triangles *t) {
    const AbutPolyhedron *p = part->geometry->polyhedron;
    const AbutFace *f = &abut_polyhedron_faces(p)[face];
    const AbutVec3 *vertex = abut_polyhedron_vertices(p);
    const AbutHalfEdge *edge = abut_polyhedron_half_edges(p);
    AbutVec3 normal = abut_quat_rotate(part->pose.q, f->plane.normal), middle = abut_zero(), corner[64];
    int32_t n = f->count < 64 ? f->count : 64;
    if (is_forbidden(m->task, normal)) return;
    for (int32_t k = 0; k < n; ++k) corner[k] = abut_pose_apply(part->pose, vertex[edge[f->first + k].origin]);
    for (int32_t k = 0; k < n; ++k) middle = abut_add_scaled(middle, corner[k], 1.0 / n);
    for (int32_t k = 0; k < n; ++k) {
        AbutVec3 in = abut_sub(middle, corner[k]);
        double length = abut_length(in);
        if (length > 0.0) corner[k] = abut_add_scaled(corner[k], in, abut_smaller(1.0, INSET * sqrt(2.0) / length));
    }
    for (int32_t k = 1; k + 1 < n; ++k) {
        AbutVec3 c = abut_cross(abut_sub(corner[k], corner[0]), abut_sub(corner[k + 1], corner[0]));
        t->area[t->count] = 0.5 * abut_length(c) + 1e-12;
        t->sum += t->area[t->count];
        t->normal[t->count] = normal;
        t->corner[t->count][0] = corner[0], t->corner[t->count][1] = corner[k], t->corner[t->count][2] = corner[k + 1];
        ++t->count;
    }
}

/*
 * A point of the triangle where a plane through the center of mass cuts it, at right angles to a principal axis:
 * fingers at such points balance each other more often than chance would have it. 0: the plane misses the triangle.
 */
static int point_of_symmetry(AbutManip *m, const Triangles *t, int32_t k, AbutVec3 *out) {
    AbutVec3 axis = m->principal[abut_rng_below(&m->rng, 3)], end[3];
    double s = abut_rng_unit(&m->rng);
    int ends = 0;
    if (fabs(abut_dot(axis, t->normal[k])) > 0.9) return 0;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 a = t->corner[k][i], b = t->corner[k][(i + 1) % 3];
        double x = abut_dot(a, axis), y = abut_dot(b, axis);
        if (x * y < 0.0) end[ends++] = abut_lerp(a, b, x / (x - y));
    }
    if (ends != 2) return 0;
    *out = abut_lerp(end[0], end[1], s);
    return 1;
}

/* A point of the surface, drawn by area or by faces, as small ones count too; onto a round body it is brought along the
 * normal. */
static struct AbutManipPoint draw_point(AbutManip *m, const Triangles *t) {
    double r = abut_rng_unit(&m->rng) * t->sum, u = abut_rng_unit(&m->rng), v = abut_rng_unit(&m->rng);
    int32_t k = 0;
    for (; k < t->count - 1 && (r -= t->area[k]) >= 0.0;) ++k;
    if (abut_rng_unit(&m->rng) < BY_FACE) k = (int32_t)abut_rng_below(&m->rng, (uint32_t)t->count);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    AbutVec3 p = abut_add_scaled(abut_add_scaled(t->corner[k][0], abut_sub(t->corner[k][1], t->corner[k][0]), u),
        abut_sub(t->corner[k][2], t->corner[k][0]), v);
    if (abut_rng_unit(&m->rng) < SYMMETRIC) point_of_symmetry(m, t, k, &p);
    struct AbutManipPoint out = {p, abut_neg(t->normal[k])};
    AbutConvex point = abut_convex_point(abut_zero(), 0.0);
    double nearest = INFINITY;
    for (int32_t i = 0; i < m->part_count; ++i) {
        AbutPose outside = abut_pose(abut_add_scaled(p, t->normal[k], 0.1 * m->length), abut_quat_identity());
        AbutGap gap = abut_gap_in(m->part[i].pose,
            abut_convex_distance(&m->part[i].convex, &point, abut_pose_between(m->part[i].pose, outside), NULL, NULL));
        if (!(gap.distance > 0.0 && gap.distance < nearest)) continue;
        nearest = gap.distance;
        out = (struct AbutManipPoint){gap.point_a, abut_neg(gap.normal)};
    }
    return out;
}

AbutStatus abut_manip_make_points(AbutManip *m, AbutError *error) {
    size_t most = 0;
    int good = 1;
    Triangles t = {NULL, NULL, NULL, 0, 0.0};
    for (int32_t i = 0; i < m->part_count; ++i) most += (size_t)m->part[i].geometry->polyhedron->half_edge_count;
    t.area = abut_pool_take_array(&m->pool, most, sizeof *t.area, &good);
    t.corner = abut_pool_take_array(&m->pool, most, sizeof *t.corner, &good);
    t.normal = abut_pool_take_array(&m->pool, most, sizeof *t.normal, &good);
    m->point = abut_pool_take_array(&m->pool, ABUT_MANIP_POINTS, sizeof *m->point, &good);
    if (!good) return abut_fail_memory(error);
    for (int32_t i = 0; i < m->part_count; ++i)
        for (int32_t f = 0; f < m->part[i].geometry->polyhedron->face_count; ++f) add_face(m, &m->part[i], f, &t);
    if (!t.count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "forbidden of a task: expected a face to touch, got none");
    for (m->point_count = 0; m->point_count < ABUT_MANIP_POINTS; ++m->point_count)
        m->point[m->point_count] = draw_point(m, &t);
    return ABUT_OK;
}

/* ---- fingers at points ------------------------------------------------------------------------------------------- */

static AbutVec3 local_center(const AbutManip *m, int32_t point) {
    return abut_add_scaled(m->point[point].point, m->point[point].normal, -m->task->finger_radius);
}

AbutVec3 abut_manip_finger_center(const AbutManip *m, AbutPose x, int32_t point) {
    return abut_pose_apply(x, local_center(m, point));
}

int abut_manip_finger_free(const AbutManip *m, AbutPose x, int32_t point) {
    AbutVec3 c = abut_manip_finger_center(m, x, point), low = m->task->finger_low, high = m->task->finger_high;
    double r = m->task->finger_radius;
    AbutConvex ball = abut_convex_point(abut_zero(), r);
    AbutPose at = abut_pose(c, abut_quat_identity());
    if (c.x < low.x || c.y < low.y || c.z < low.z || c.x > high.x || c.y > high.y || c.z > high.z) return 0;
    for (int32_t j = 0; j < m->wall_count; ++j) {
        AbutPose b = abut_pose_between(m->wall[j].pose, at);
        if (abut_convex_distance(&m->wall[j].convex, &ball, b, NULL, NULL).distance < SPACE) return 0;
    }
    for (int32_t i = 0; i < m->part_count; ++i) {
        AbutPose b = abut_pose_between(abut_pose_mul(x, m->part[i].pose), at);
        if (abut_convex_distance(&m->part[i].convex, &ball, b, NULL, NULL).distance < -1e-3 * r) return 0;
    }
    return 1;
}

static int are_spaced(const AbutManip *m, const AbutManipHold *hold) {
    for (int32_t i = 0; i < hold->count; ++i)
        for (int32_t j = 0; j < i; ++j)
            if (hold->finger[i] >= 0 && hold->finger[j] >= 0 &&
                abut_length(abut_sub(local_center(m, hold->finger[i]), local_center(m, hold->finger[j]))) <
                    2.2 * m->task->finger_radius)
                return 0;
    return 1;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static int32_t draw(AbutManip *m, const int32_t *list, int32_t count) {
    return list[abut_rng_below(&m->rng, (uint32_t)count)];
}

static int holds(const AbutManipHold *h, int32_t finger) {
    for (int32_t i = 0; i < h->count; ++i)
        if (h->finger[i] == finger) return 1;
    return 0;
}

/* Least squares over many points uses few of them. Gives how many, INT32_MAX: too many. */
static int32_t sparse(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const int32_t *list,
    int32_t count, const AbutManipHold *kept, AbutManipHold *out) {
    AbutManipHold many = *kept;
    AbutVec3 force[ABUT_MANIP_TRIED];
    int32_t used = 0, wanted = 6 + (int32_t)abut_rng_below(&m->rng, 8);
    while (many.count < wanted) many.finger[many.count++] = draw(m, list, count);
    AbutManipDemand demand = {ABUT_MANIP_MARGIN * ABUT_MANIP_MARGIN, 0.0, 0, NULL};
    if (abut_manip_balance(m, s, pattern, &many, demand, force) > ABUT_MANIP_BALANCED) return INT32_MAX;
    out->count = 0;
    for (int32_t i = 0; i < many.count; ++i) {
        if (abut_length(force[i]) <= 1e-4 || holds(out, many.finger[i])) continue;
        if (used++ < m->task->fingers) out->finger[out->count++] = many.finger[i];
    }
    return used;
}

/* Does the hold balance in the air on the way to the pose, and there with what it touches? */
static int holds_ahead(AbutManip *m, AbutPose from, AbutPose to, const AbutManipHold *hold, int in_air) {
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, m->force_least, 1, NULL};
    AbutManipStance s = {.count = 0};
    for (int k = 1; in_air && k < 3; ++k) {
        s.x = abut_manip_between(from, to, k / 3.0);
        if (abut_manip_balance(m, &s, NULL, hold, demand, NULL) > ABUT_MANIP_BALANCED) return 0;
    }
    abut_manip_stand(m, to, ABUT_MANIP_TOUCH, 1, &s);
    return abut_manip_balance(m, &s, NULL, hold, demand, NULL) <= ABUT_MANIP_BALANCED;
}

static int parts_all(const AbutManipStance *s, const AbutManipPattern *pattern) {
    for (int32_t i = 0; i < s->count; ++i)
        if (pattern->state[i] != ABUT_MANIP_PART) return 0;
    return 1;
}

int abut_manip_choose(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const uint8_t *free_at,
    const AbutManipHold *present, AbutManipCourse *course, const AbutPose *ahead, AbutManipHold *out) {
    int32_t list[ABUT_MANIP_POINTS], count = 0, fingers = m->task->fingers;
    static const int MORE = 9;
    int found = 0, in_air = ahead && parts_all(s, pattern);
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, m->force_least, 1, NULL};
    for (int32_t k = 0; k < m->point_count; ++k)
        if (free_at[k]) list[count++] = k;
    if (count < fingers) return 0;
    for (int draws = 0; draws < 10; ++draws) {
        AbutManipHold kept = {0, {0}}, h;
        for (int32_t i = 0; draws % 2 && i < fingers && present->finger[0] >= 0; ++i)
            if (abut_rng_unit(&m->rng) < 0.6) kept.finger[kept.count++] = present->finger[i];
        int32_t used = sparse(m, s, pattern, list, count, &kept, &h);
        if (used > fingers) continue;
        for (int fills = 0; fills < 6; ++fills) {
            h.count = used;
            while (h.count < fingers) {
                int32_t same = fills < 3 && kept.count && fills == h.count ? present->finger[h.count] : -1;
                int32_t next = same >= 0 ? same : draw(m, list, count);
                h.finger[h.count++] = next;
            }
            if (!are_spaced(m, &h) || !abut_manip_determined(m, s, pattern, &h)) continue;
            if (abut_manip_balance(m, s, pattern, &h, demand, NULL) <= ABUT_MANIP_BALANCED) {
                int good = abut_manip_looks_good(course, &h) && (!ahead || holds_ahead(m, s->x, *ahead, &h, in_air));
                if (good || !found) *out = h;
                if (good || ++found > MORE) return 1;
            }
            if (used == fingers) break;
        }
    }
    return found > 0;
}

/* ---- changing the hold ------------------------------------------------------------------------------------------- */

/* Fingers that both holds have keep their slots; the others fill the slots that are left, which are listed. */
static int32_t match(const AbutManipHold *from, AbutManipHold *to, int32_t *slot) {
    AbutManipHold out = *to;
    int used[ABUT_MANIP_FINGERS] = {0};
    int32_t moved = 0, n = to->count;
    for (int32_t i = 0; i < n; ++i) {
        out.finger[i] = -1;
        for (int32_t j = 0; j < n; ++j)
            if (from->finger[i] >= 0 && from->finger[i] == to->finger[j] && !used[j])
                out.finger[i] = to->finger[j], used[j] = 1, j = n;
    }
    for (int32_t i = 0; i < n; ++i) {
        if (out.finger[i] >= 0) continue;
        int32_t j = 0;
        while (used[j]) ++j;
        out.finger[i] = to->finger[j], used[j] = 1;
        slot[moved++] = i;
    }
    *to = out;
    return moved;
}

static int order_works(AbutManip *m, const AbutManipStance *s, const AbutManipHold *from, const AbutManipHold *to,
    const int32_t *slot, const int *turn, int32_t moved, int32_t *order) {
    AbutManipHold now = *from;
    int32_t n = 0;
    for (int k = 0; k < ABUT_MANIP_FINGERS; ++k) {
        if (turn[k] >= moved) continue;
        int32_t i = slot[turn[k]], held = now.finger[i] >= 0;
        now.finger[i] = -1;
        if (held && !abut_manip_stable(m, s, &now)) return 0;
        now.finger[i] = to->finger[i];
        if (!are_spaced(m, &now)) return 0;
        order[n++] = i;
    }
    return 1;
}

int abut_manip_relocate(
    AbutManip *m, const AbutManipStance *s, const AbutManipHold *from, AbutManipHold *to, int32_t *order) {
    static const int turns[6][ABUT_MANIP_FINGERS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int32_t slot[ABUT_MANIP_FINGERS], moved = match(from, to, slot);
    for (int k = 0; k < 6; ++k)
        if (order_works(m, s, from, to, slot, turns[k], moved, order)) return moved;
    return -1;
}
