/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes around shapes in the world. In: poses and velocities of the bodies. Out: the box of each shape, grown by the
 * margin of contact, and the fat box that stands in the tree and changes rarely. Shapes whose fat box changed are
 * listed for the pairs.
 */
#include "math/functions.h"
#include "math/matrix.h"
#include "scene/internal.h"
#include "scene/tolerance.h"
#include "shape/polyhedron.h"

static AbutAabb grown(AbutAabb box, double by) {
    AbutVec3 d = abut_vec3(by, by, by);
    AbutAabb out = {abut_sub(box.min, d), abut_add(box.max, d)};
    return out;
}

static int contains(AbutAabb outer, AbutAabb inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           inner.max.x <= outer.max.x && inner.max.y <= outer.max.y && inner.max.z <= outer.max.z;
}

/* Smallest and largest of n[0] x + n[1] y + n[2] z over the vertices; four at a time, the padding repeats a vertex. */
static void extent(const AbutPolyhedron *p, AbutVec3 n, double *low, double *high) {
    const double *x = abut_polyhedron_rows(p), *y = x + p->padded_count, *z = y + p->padded_count;
    double least[4], most[4];
    for (int k = 0; k < 4; ++k) least[k] = most[k] = n.x * x[k] + n.y * y[k] + n.z * z[k];
    for (int32_t i = 4; i < p->padded_count; i += 4)
        for (int k = 0; k < 4; ++k) {
            double value = n.x * x[i + k] + n.y * y[i + k] + n.z * z[i + k];
            least[k] = abut_smaller(least[k], value);
            most[k] = abut_larger(most[k], value);
        }
    *low = abut_smaller(abut_smaller(least[0], least[1]), abut_smaller(least[2], least[3]));
    *high = abut_larger(abut_larger(most[0], most[1]), abut_larger(most[2], most[3]));
}

/* Half the extent along world axes of a disc across z, of which r has the axes as columns. */
static AbutVec3 disc_extent(double radius, AbutMat3 r) {
    return abut_vec3(
        radius * abut_hypot(r.x.x, r.y.x), radius * abut_hypot(r.x.y, r.y.y), radius * abut_hypot(r.x.z, r.y.z));
}

/* Half the extent of a round shape along world axes, of which r has the axes of the shape as columns. */
static AbutVec3 round_extent(const AbutGeometry *g, AbutMat3 r) {
    AbutVec3 s = g->size, z = abut_abs(r.z);
    double radius = s.x;
    switch (g->kind) {
    case ABUT_SHAPE_SPHERE:
        return abut_vec3(radius, radius, radius);
    case ABUT_SHAPE_CAPSULE:
        return abut_add(abut_scale(z, s.z), abut_vec3(radius, radius, radius));
    case ABUT_SHAPE_CYLINDER:
        return abut_add(abut_scale(z, s.z), disc_extent(radius, r));
    default: /* ellipsoid */
        r = abut_mat3_transpose(r);
        return abut_vec3(abut_length(abut_mul(s, r.x)), abut_length(abut_mul(s, r.y)), abut_length(abut_mul(s, r.z)));
    }
}

/* Around a round shape, from its own origin; a cone lies between its base and its apex. */
static AbutAabb round_box(const AbutGeometry *g, AbutMat3 r) {
    AbutVec3 high, apex = abut_scale(r.z, g->size.z);
    if (g->kind != ABUT_SHAPE_CONE) {
        high = abut_scale(round_extent(g, r), 1.0 + ABUT_ROUND_BOX);
        return (AbutAabb){abut_neg(high), high};
    }
    AbutVec3 rim = abut_scale(disc_extent(g->size.x, r), 1.0 + ABUT_ROUND_BOX),
             spare = abut_scale(abut_abs(apex), ABUT_ROUND_BOX);
    AbutAabb box = {abut_neg(abut_add(apex, rim)), abut_sub(rim, apex)};
    return (AbutAabb){abut_sub(abut_min(box.min, apex), spare), abut_add(abut_max(box.max, apex), spare)};
}

/* Around the shape, from the center of mass of its body, world axes. */
static AbutAabb tight_box(const AbutShape *shape, AbutMat3 rotation) {
    AbutMat3 r = abut_mat3_mul(rotation, shape->local_rotation);
    AbutVec3 p = abut_mat3_apply(rotation, shape->local_p), low, high;
    if (shape->def.form.kind == ABUT_SHAPE_BOX) {
        AbutVec3 h = shape->def.form.size;
        high = abut_add(
            abut_scale(abut_abs(r.x), h.x), abut_add(abut_scale(abut_abs(r.y), h.y), abut_scale(abut_abs(r.z), h.z)));
        low = abut_neg(high);
    } else if (abut_geometry_is_round(shape->def.geometry)) {
        AbutAabb box = round_box(shape->def.geometry, r);
        low = box.min, high = box.max;
    } else {
        AbutMat3 rows = abut_mat3_transpose(r);
        extent(shape->polyhedron, rows.x, &low.x, &high.x);
        extent(shape->polyhedron, rows.y, &low.y, &high.y);
        extent(shape->polyhedron, rows.z, &low.z, &high.z);
    }
    AbutAabb box = {abut_add(p, low), abut_add(p, high)};
    return box;
}

static AbutAabb shifted(AbutAabb box, AbutVec3 by) {
    AbutAabb out = {abut_add(box.min, by), abut_add(box.max, by)};
    return out;
}

AbutAabb abut_shape_box(const AbutScene *scene, const AbutShape *shape) {
    const AbutBody *body = &scene->body[shape->body];
    return shifted(tight_box(shape, body->rotation), body->x);
}

double abut_shape_reach(const AbutShape *shape) { return abut_length(shape->bound_center) + shape->bound_radius; }

void abut_body_extent(const AbutScene *scene, const AbutBody *body, double *size, double *reach) {
    *size = *reach = 0.0;
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutShape *shape = &scene->shape[s];
        *size = shape->def.sensor ? *size : abut_larger(*size, shape->size);
        *reach = shape->polyhedron ? abut_larger(*reach, abut_shape_reach(shape)) : *reach;
    }
}

double abut_shape_inner_radius(const AbutShape *shape) {
    const AbutHeightGrid *grid = abut_shape_grid(shape);
    if (grid) return 0.5 * (grid->lowest - grid->field.bottom);
    return shape->polyhedron ? shape->polyhedron->inner_radius : (double)INFINITY;
}

static void compute_box(const AbutScene *scene, AbutShape *shape) {
    const AbutBody *body = &scene->body[shape->body];
    shape->local_box = tight_box(shape, body->rotation);
    shape->local_box_q = body->q;
    shape->box = grown(shifted(shape->local_box, body->x), scene->margin);
}

/* The last box, moved along with the body and grown by what it has turned since: no point moves by more than 2 |q - q'|
 * times its distance from the center. It costs less than a new one. */
static void follow_box(const AbutScene *scene, AbutShape *shape) {
    const AbutBody *body = &scene->body[shape->body];
    AbutQuat a = body->q, b = shape->local_box_q;
    double sign = abut_quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
    double dw = a.w - sign * b.w, dx = a.x - sign * b.x, dy = a.y - sign * b.y, dz = a.z - sign * b.z;
    double turned = 2.0 * sqrt(dw * dw + dx * dx + dy * dy + dz * dz) * abut_shape_reach(shape);
    shape->box = grown(shifted(shape->local_box, body->x), scene->margin + turned);
}

/* The box over the way of the body in dt: shifted by v dt, and grown by what turning can add. */
static AbutAabb swept(const AbutBody *body, const AbutShape *shape, double dt) {
    AbutVec3 way = abut_scale(body->v, dt), none = abut_zero();
    double turn = abut_smaller(abut_length(body->w) * dt, 2.0);
    AbutAabb box = grown(shape->box, turn * abut_shape_reach(shape));
    box.min = abut_add(box.min, abut_min(way, none));
    box.max = abut_add(box.max, abut_max(way, none));
    return box;
}

int abut_shape_reaches(const AbutScene *scene, const AbutShape *half_space, AbutAabb box) {
    AbutPlane plane = abut_shape_plane(scene, half_space);
    AbutVec3 n = plane.normal;
    AbutVec3 lowest = abut_vec3(
        n.x > 0.0 ? box.min.x : box.max.x, n.y > 0.0 ? box.min.y : box.max.y, n.z > 0.0 ? box.min.z : box.max.z);
    return abut_dot(n, lowest) <= plane.offset + scene->margin;
}

AbutAabb abut_shape_box_inside(const AbutScene *scene, const AbutShape *field, AbutAabb box, double by) {
    AbutPose pose = abut_shape_pose(scene, field);
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    AbutVec3 half = abut_scale(abut_sub(box.max, box.min), 0.5),
             middle = abut_mat3_apply_t(r, abut_sub(abut_add(box.min, half), pose.p));
    double wider = by + ABUT_ROUND_BOX * (abut_max_abs(box.min) + abut_max_abs(box.max) + abut_max_abs(pose.p));
    AbutVec3 reach = abut_vec3(abut_dot(abut_abs(r.x), half) + wider, abut_dot(abut_abs(r.y), half) + wider,
        abut_dot(abut_abs(r.z), half) + wider);
    AbutAabb out = {abut_sub(middle, reach), abut_add(middle, reach)};
    return out;
}

void abut_scene_mark_moved(AbutScene *scene, int32_t place) {
    if (scene->shape[place].moved) return;
    scene->shape[place].moved = 1;
    scene->moved[scene->moved_count++] = place;
}

static void set_fat(AbutScene *scene, int32_t place, AbutAabb fat) {
    AbutShape *shape = &scene->shape[place];
    if (shape->node >= 0) abut_box_tree_remove(&scene->tree, shape->node);
    shape->fat = fat;
    shape->node = abut_box_tree_insert(&scene->tree, fat, place);
    abut_scene_mark_moved(scene, place);
}

void abut_scene_add_half_space(AbutScene *scene, int32_t place) {
    AbutAabb whole = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    scene->shape[place].box = scene->shape[place].fat = whole;
    int32_t i = scene->plane_count++;
    for (; i > 0 && scene->plane[i - 1] > place; --i) scene->plane[i] = scene->plane[i - 1];
    scene->plane[i] = place;
}

void abut_scene_refit_shape(AbutScene *scene, int32_t place) {
    AbutShape *shape = &scene->shape[place];
    if (shape->polyhedron) {
        compute_box(scene, shape);
        set_fat(scene, place, shape->box);
    } else {
        abut_scene_mark_moved(scene, place);
    }
}

void abut_scene_refit_body(AbutScene *scene, const AbutBody *body) {
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) abut_scene_refit_shape(scene, s);
}

/* How much larger than needed a new fat box is: on all sides, and in addition where the body goes. None for what never
 * moves. */
typedef struct Excess {
    double margin;
    AbutVec3 ahead;
} Excess;

static double beyond(double way, double margin) {
    double far = ABUT_FAT_AHEAD * way;
    return far > margin ? far - margin : far < -margin ? far + margin : 0.0;
}

static Excess excess_of(const AbutBody *body, const AbutShape *shape, double fatten, double dt) {
    double margin = body->kind == ABUT_BODY_STATIC ? 0.0 : fatten * shape->size;
    AbutVec3 way = abut_scale(body->v, dt);
    Excess e = {margin, abut_vec3(beyond(way.x, margin), beyond(way.y, margin), beyond(way.z, margin))};
    return e;
}

static AbutAabb fattened(AbutAabb need, Excess e) {
    AbutAabb out = grown(need, e.margin);
    out.min = abut_add(out.min, abut_min(e.ahead, abut_zero()));
    out.max = abut_add(out.max, abut_max(e.ahead, abut_zero()));
    return out;
}

/* Is the fat box large enough, and not far too large? What lay ahead lies behind before long. */
static int fits(AbutAabb fat, AbutAabb need, Excess e) {
    AbutVec3 most = abut_scale(abut_add(abut_vec3(e.margin, e.margin, e.margin), abut_abs(e.ahead)), ABUT_FAT_EXCESS);
    AbutAabb limit = {abut_sub(need.min, most), abut_add(need.max, most)};
    return contains(fat, need) && contains(limit, fat);
}

static void update_shape(AbutScene *scene, int32_t place, double fatten, double dt) {
    AbutShape *shape = &scene->shape[place];
    const AbutBody *body = &scene->body[shape->body];
    if (!shape->polyhedron) {
        if (abut_max_abs(body->v) > 0.0 || abut_max_abs(body->w) > 0.0 || body->motion)
            abut_scene_mark_moved(scene, place);
        return;
    }
    Excess excess = excess_of(body, shape, fatten, dt);
    follow_box(scene, shape);
    if (fits(shape->fat, swept(body, shape, dt), excess)) return;
    compute_box(scene, shape);
    AbutAabb need = swept(body, shape, dt);
    if (!fits(shape->fat, need, excess)) set_fat(scene, place, fattened(need, excess));
}

AbutStatus abut_scene_update_bounds(AbutScene *scene, double margin, double fatten, double dt, const uint8_t *still) {
    int all = margin != scene->margin;
    scene->margin = margin;
    for (int32_t i = 0; i < scene->live_count; ++i) {
        if (!all && still && still[scene->live[i]]) continue;
        const AbutBody *body = &scene->body[scene->live[i]];
        if (!all && body->kind == ABUT_BODY_STATIC) continue;
        for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
            if (all && !scene->shape[s].polyhedron) abut_scene_mark_moved(scene, s);
            update_shape(scene, s, fatten, dt);
        }
    }
    return ABUT_OK;
}

void abut_scene_visit(const AbutScene *scene, AbutAabb box, AbutBoxVisitor *visit, void *user) {
    if (!abut_box_tree_visit(&scene->tree, box, visit, user)) return;
    for (int32_t i = 0; i < scene->plane_count; ++i)
        if (abut_shape_reaches(scene, &scene->shape[scene->plane[i]], box) && !visit(scene->plane[i], user)) return;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef struct Bodies {
    const AbutScene *scene;
    AbutAabb box;
    int32_t field;
    AbutConvexVisitor *visit;
    void *user;
} Bodies;

static int visit_piece(int32_t piece, void *user) {
    const Bodies *b = user;
    AbutHeightPrism prism;
    AbutConvex convex = abut_shape_piece(&b->scene->shape[b->field], piece, &prism);
    return b->visit(b->field, piece, &convex, b->user);
}

static int visit_body(int32_t place, void *user) {
    Bodies *b = user;
    const AbutShape *shape = &b->scene->shape[place];
    AbutConvex convex = abut_geometry_convex(shape->def.geometry);
    b->field = place;
    if (!abut_shape_grid(shape)) return b->visit(place, -1, &convex, b->user);
    return abut_height_visit(
        abut_shape_grid(shape), abut_shape_box_inside(b->scene, shape, b->box, 0.0), visit_piece, b);
}

void abut_scene_visit_bodies(const AbutScene *scene, AbutAabb box, AbutConvexVisitor *visit, void *user) {
    Bodies b = {scene, box, -1, visit, user};
    abut_scene_visit(scene, box, visit_body, &b);
}
