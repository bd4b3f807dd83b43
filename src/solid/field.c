/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields as solids. In: a field and what is asked of it. Out: the answers of the tables of this room. Method:
 * the grid names the convex pieces near the question, and the verbs answer for each of them. Two questions look through
 * the walls between pieces: rays cut the faces of pieces, whose neighbors agree about these walls, and from within the
 * nearest point is looked for on the bottom, the outer walls and the triangles on top.
 */
#include "solid/field.h"

#include "query/contract.h"
#include "shape/height_grid.h"
#include "solid/cast.h"
#include "solid/tolerance.h"

static const double WIDER = 1e-9; /* boxes, of their size and place */

static const AbutHeightGrid *grid_of(const AbutSolid *solid) {
    return (const AbutHeightGrid *)(const void *)solid->field; /* the field is its first member */
}

/* A piece as a body of the queries, which points to the prism. */
static AbutConvex piece_of(const AbutHeightGrid *grid, int32_t piece, AbutHeightPrism *prism) {
    *prism = abut_height_piece(grid, piece);
    return abut_convex_support(abut_height_prism_support, prism, 0.0);
}

/* A box around a solid, wider by more than rounding; the grid's own around one without end. */
static AbutAabb box_around(const AbutHeightGrid *grid, const AbutSolid *solid, AbutPose pose) {
    AbutVec3 middle, half;
    abut_placed_box(&(AbutPlaced){*solid, pose}, &middle, &half);
    double more = WIDER * (abut_max_abs(half) + abut_max_abs(middle));
    half = abut_add(half, abut_vec3(more, more, more));
    return half.x < INFINITY ? (AbutAabb){abut_sub(middle, half), abut_add(middle, half)} : grid->box;
}

AbutAabb abut_field_box(AbutSolid field, AbutPose pose) {
    const AbutAabb own = grid_of(&field)->box;
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < 8; ++i) {
        AbutVec3 corner =
            abut_vec3(i & 1 ? own.max.x : own.min.x, i & 2 ? own.max.y : own.min.y, i & 4 ? own.max.z : own.min.z);
        box = abut_aabb_add(box, abut_pose_apply(pose, corner));
    }
    return box;
}

/* ---- rays -------------------------------------------------------------------------------------------------------- */

typedef struct Cast {
    const AbutHeightGrid *grid;
    AbutRay ray;             /* in the frame of the field */
    double slack;            /* of t: hits this near each other are one */
    double limit;            /* of t: nothing later matters */
    const AbutPlaced *moved; /* NULL: a ray */
    AbutPose pose;           /* of the field, for what moves */
    AbutVec3 way;            /* in the world */
    double tolerance;
    AbutCastHit first;
} Cast;

/* A touch does not hide the hit that it is the beginning of. */
static void keep_hit(Cast *s, const AbutCastHit *hit) {
    int touches = hit->outcome == ABUT_IMPACT_GRAZING, touched = s->first.outcome == ABUT_IMPACT_GRAZING;
    double least = s->first.t + (touched && !touches ? s->slack : touches && !touched ? -s->slack : 0.0);
    int above = hit->t == s->first.t && hit->normal.z > s->first.normal.z;
    if (abut_cast_is_hit(s->first) && !(hit->t < least || above)) return;
    s->first = *hit;
    s->limit = abut_smaller(s->limit, hit->t + s->slack);
}

/* Rounding of the t at which a ray goes through a plane with this normal: nothing is lost along axes that the
 * normal does not look along, however wide the field is. */
static double slack_of(AbutRay r, AbutVec3 normal) {
    double lengths = 0.0;
    for (int k = 0; k < 3; ++k)
        lengths += fabs(abut_get(normal, k)) * (fabs(abut_get(r.origin, k)) + fabs(abut_get(r.way, k)));
    return ABUT_CAST_GRAIN * lengths / fabs(abut_dot(normal, r.way));
}

static int try_ray(int32_t piece, void *user) {
    Cast *s = user;
    AbutRay r = s->ray;
    double enter, exit;
    AbutVec3 normal;
    if (!abut_height_piece_cut(s->grid, piece, r.origin, r.way, &enter, &exit, &normal) || exit < 0.0 || enter > 1.0)
        return 1;
    AbutCastHit hit = abut_cast_at_start(r, -1);
    if (enter > 0.0) {
        double slack = slack_of(r, normal);
        hit.outcome = exit - enter > slack ? ABUT_IMPACT_HIT : ABUT_IMPACT_GRAZING;
        hit.t = enter;
        hit.t_lo = abut_larger(0.0, enter - slack), hit.t_hi = abut_smaller(1.0, enter + slack);
        hit.normal = abut_normalize_or(normal, abut_zero());
    }
    keep_hit(s, &hit);
    return 1;
}

/* A point near a field, and whether it is in it or on its surface. */
typedef struct Start {
    const AbutHeightGrid *grid;
    AbutVec3 point;
    double touch;
    int on;
} Start;

/* Straight down from the point: does the piece begin below it at once? */
static int try_start(int32_t piece, void *user) {
    Start *s = user;
    double enter, exit;
    AbutVec3 normal;
    s->on = abut_height_piece_cut(s->grid, piece, s->point, abut_neg(abut_axis(2)), &enter, &exit, &normal) &&
            enter <= s->touch && exit >= -s->touch;
    return !s->on;
}

static int begins_on(const AbutHeightGrid *grid, AbutRay ray, double touch) {
    Start s = {grid, ray.origin, touch, 0};
    AbutVec3 by = abut_vec3(touch, touch, touch);
    AbutAabb box = {abut_sub(s.point, by), abut_add(s.point, by)};
    for (int k = 0; k < 2; ++k) { /* a point beside a wall is on it */
        double at = abut_get(s.point, k), low = abut_get(grid->box.min, k), high = abut_get(grid->box.max, k);
        if (at < low - touch || at > high + touch) return 0;
        at = abut_smaller(abut_larger(at, low), high);
        *(k == 0 ? &s.point.x : &s.point.y) = at;
    }
    abut_height_visit(grid, box, try_start, &s);
    return s.on;
}

/* A box around what is cast goes over the grid, and pieces below it are tried. */
static AbutCastHit sweep(Cast *s, AbutAabb box, AbutHeightVisitor *visit) {
    AbutVec3 half = abut_scale(abut_sub(box.max, box.min), 0.5);
    double length = abut_length(s->ray.way), size = abut_max_abs(s->ray.origin) + length + abut_max_abs(box.max);
    s->slack = length > 0.0 ? ABUT_CAST_GRAIN * size / length : 0.0;
    s->limit = 1.0;
    s->first = abut_cast_without(ABUT_IMPACT_NONE);
    abut_height_visit_way(s->grid, abut_add(box.min, half), half, s->ray.way, &s->limit, visit, s);
    return s->first;
}

AbutCastHit abut_field_ray(AbutSolid field, AbutRay ray, double touch) {
    Cast s = {.grid = grid_of(&field), .ray = ray};
    AbutVec3 by = abut_vec3(touch, touch, touch);
    if (begins_on(s.grid, ray, touch)) return abut_cast_at_start(ray, -1);
    return sweep(&s, (AbutAabb){abut_sub(ray.origin, by), abut_add(ray.origin, by)}, try_ray);
}

static int try_moved(int32_t piece, void *user) {
    Cast *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = piece_of(s->grid, piece, &prism);
    AbutPlaced body = {abut_solid_convex(&convex), s->pose};
    AbutCastHit hit = abut_cast_moved(&body, s->moved, s->way, s->tolerance);
    if (hit.outcome == ABUT_IMPACT_INVALID) return s->first = hit, 0;
    if (abut_cast_is_hit(hit)) keep_hit(s, &hit);
    return 1;
}

AbutCastHit abut_field_moved(const AbutPlaced *field, const AbutPlaced *moved, AbutVec3 way, double tolerance) {
    if (moved->solid.kind == ABUT_SOLID_FIELD || !abut_pose_is_finite(field->pose) ||
        !abut_pose_is_finite(moved->pose) || !abut_is_finite(way))
        return abut_cast_without(ABUT_IMPACT_INVALID);
    Cast s = {grid_of(&field->solid), .moved = moved, .pose = field->pose, .way = way, .tolerance = tolerance};
    AbutPose own = abut_pose_between(field->pose, moved->pose);
    AbutAabb box = box_around(s.grid, &moved->solid, own);
    s.ray = (AbutRay){own.p, abut_quat_rotate_inv(field->pose.q, way)};
    return sweep(&s, box, try_moved);
}

/* ---- nearest points ---------------------------------------------------------------------------------------------- */

typedef struct Nearest {
    const AbutHeightGrid *grid;
    AbutVec3 p;
    double limit;
    AbutNearestPoint best;
} Nearest;

static void keep_surface(Nearest *s, double distance, AbutVec3 point, AbutVec3 normal) {
    if (distance >= s->limit) return;
    s->limit = distance;
    s->best = (AbutNearestPoint){0, -1, -distance, point, normal};
}

static int try_piece(int32_t piece, void *user) {
    Nearest *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = piece_of(s->grid, piece, &prism);
    AbutPlaced body = {abut_solid_convex(&convex), abut_pose_identity()};
    AbutNearestPoint found = abut_nearest_point(&body, s->p);
    if (found.body >= 0 && found.distance < s->best.distance) {
        s->best = found;
        s->limit = abut_larger(0.0, found.distance);
    }
    return 1;
}

static void try_triangle(Nearest *s, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutConvex triangle = abut_convex_triangle(a, b, c, 0.0), dot = abut_convex_point(s->p, 0.0);
    AbutGap d = abut_convex_distance(&dot, &triangle, abut_pose_identity(), NULL, NULL);
    AbutVec3 up = abut_normalize(abut_cross(abut_sub(b, a), abut_sub(c, a)));
    if (d.outcome != ABUT_INVALID)
        keep_surface(s, abut_larger(0.0, d.distance), d.point_b, d.distance > 0.0 ? d.normal : up);
}

static int try_top(int32_t piece, void *user) {
    Nearest *s = user;
    AbutHeightPrism prism = abut_height_piece(s->grid, piece);
    const AbutVec3 *q = prism.point;
    if (prism.count == 6) {
        try_triangle(s, q[0], q[1], q[2]);
    } else {
        try_triangle(s, q[0], q[1], q[3]);
        try_triangle(s, q[0], q[3], q[2]);
    }
    return 1;
}

/* Where the ground is lower than the point at a wall, the way there leaves through the top, which is nearer then. */
static void try_walls(Nearest *s) {
    AbutAabb box = s->grid->box;
    for (int k = 0; k < 4; ++k) {
        AbutVec3 n = abut_scale(abut_axis(k / 2), k % 2 ? 1.0 : -1.0), on = s->p;
        double side = abut_get(k % 2 ? box.max : box.min, k / 2);
        *(k < 2 ? &on.x : &on.y) = side;
        keep_surface(s, abut_larger(0.0, abut_dot(n, abut_sub(on, s->p))), on, n);
    }
    keep_surface(s, abut_larger(0.0, s->p.z - box.min.z), abut_vec3(s->p.x, s->p.y, box.min.z), abut_neg(abut_axis(2)));
}

AbutNearestPoint abut_field_nearest(AbutSolid field, AbutVec3 point) {
    Nearest s = {grid_of(&field), point, INFINITY, abut_nearest_without(point)};
    AbutAabb box = {point, point};
    abut_height_visit_near(s.grid, box, &s.limit, try_piece, &s);
    if (s.best.body >= 0 && s.best.distance < 0.0) {
        s.limit = INFINITY;
        try_walls(&s);
        abut_height_visit_near(s.grid, box, &s.limit, try_top, &s);
    }
    return s.best;
}

/* ---- distance, meeting ------------------------------------------------------------------------------------------- */

typedef struct Pair {
    const AbutHeightGrid *grid;
    const AbutSolid *b;
    AbutPose b_in_a;
    AbutGapDef def;
    double limit; /* pieces farther away do not matter */
    AbutGap gap;
    AbutCollision collision;
    int asked; /* pieces */
} Pair;

static int try_distance(int32_t piece, void *user) {
    Pair *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = piece_of(s->grid, piece, &prism);
    AbutGap x = abut_distance(abut_solid_convex(&convex), *s->b, s->b_in_a, &s->def, NULL);
    abut_gap_keep_piece(&s->gap, &x, piece, &s->def);
    if (s->gap.outcome != ABUT_INVALID) s->limit = abut_larger(0.0, abut_smaller(s->limit, s->gap.distance));
    return s->gap.outcome != ABUT_EMPTY;
}

AbutGap abut_field_distance(
    const AbutSolid *field, const AbutSolid *b, AbutPose b_in_a, const AbutGapDef *def, AbutGapCache *cache) {
    Pair s = {grid_of(field), b, b_in_a, .limit = INFINITY, .gap = abut_gap_invalid()};
    (void)cache;
    s.def = def ? *def : (AbutGapDef){0};
    if (abut_pose_is_finite(b_in_a))
        abut_height_visit_near(s.grid, box_around(s.grid, b, b_in_a), &s.limit, try_distance, &s);
    return s.gap;
}

static int try_collide(int32_t piece, void *user) {
    Pair *s = user;
    AbutHeightPrism prism;
    AbutConvex convex = piece_of(s->grid, piece, &prism);
    AbutCollision x = abut_collide(abut_solid_convex(&convex), *s->b, s->b_in_a, NULL);
    if (x.outcome != ABUT_INVALID && (s->asked == 0 || abut_gap_meets(x.outcome))) {
        s->collision = x;
        s->collision.first.a = abut_gap_meets(x.outcome) ? piece : -1;
    }
    ++s->asked;
    return s->collision.outcome != ABUT_PENETRATING;
}

AbutCollision abut_field_collide(const AbutSolid *field, const AbutSolid *b, AbutPose b_in_a, AbutGapCache *cache) {
    Pair s = {grid_of(field), b, b_in_a, .collision = {.outcome = ABUT_INVALID, .first = {-1, -1}}};
    (void)cache;
    if (!abut_pose_is_finite(b_in_a)) return s.collision;
    abut_height_visit(s.grid, box_around(s.grid, b, b_in_a), try_collide, &s);
    if (s.asked == 0) /* no piece is near */
        s.collision.outcome = ABUT_SEPARATED, s.collision.containment_known = 1;
    return s.collision;
}
