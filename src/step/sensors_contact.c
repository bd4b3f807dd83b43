/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sensors of contacts. In: the contacts of the last step. Out: rows of those between two sides, each vertex a contact
 * of its own as in MuJoCo, in the order that the sensor asks for; or one row with the sum of their forces.
 */
#include <string.h>

#include "math/numbers.h"
#include "step/sense.h"

typedef struct Point {
    AbutVec3 place, normal, tangent, force, torque; /* world axes; of the first side on the second */
    double gap;
} Point;

typedef struct Found {
    const AbutSensed *s;
    const AbutSensing *w;
    const AbutSensorDef *def;
    int32_t count;
    Point sum; /* forces; the place weighted with them, the torque about the origin */
    double weight;
} Found;

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static int hangs_on(const AbutModel *model, int32_t body, int32_t root) {
    while (body > root) body = model->bodies[body].parent;
    return body == root;
}

static int is_world(const AbutModel *model, int32_t body) {
    return body < 0 || (model->bodies[body].kind == ABUT_BODY_STATIC && model->bodies[body].parent < 0);
}

/* Pieces of a mesh have the name of their shape. */
static int is_shape(const Found *f, int32_t number, AbutShapeId id, int32_t body) {
    const AbutShapeDef *wanted = &f->s->model->shapes[number];
    int32_t place = abut_scene_shape_place(f->w->sim->scene, id);
    if (place < 0 || (wanted->body != body && !(is_world(f->s->model, wanted->body) && is_world(f->s->model, body))))
        return 0;
    const AbutShapeDef *def = &f->w->sim->scene->shape[place].def;
    return wanted->name[0] ? def->name && strcmp(def->name, wanted->name) == 0 : def->geometry == wanted->geometry;
}

static int is_side(const Found *f, int32_t kind, int32_t number, AbutShapeId id, int32_t body) {
    const AbutModel *model = f->s->model;
    if (kind == ABUT_SENSED_SHAPE) return is_shape(f, number, id, body);
    if (kind == ABUT_SENSED_BODY) return number < 0 ? is_world(model, body) : body == number;
    return kind == ABUT_SENSED_ANY || number < 0 || (body >= 0 && hangs_on(model, body, number));
}

/* 1: as the sensor has them, -1: the other way around, 0: other bodies. */
static int matches(const Found *f, const AbutContact *c) {
    const AbutSensorDef *d = f->def;
    int32_t a = abut_sensed_body(f->w, c->shape_a), b = abut_sensed_body(f->w, c->shape_b);
    if (is_side(f, d->first_kind, d->first, c->shape_a, a) && is_side(f, d->second_kind, d->second, c->shape_b, b))
        return 1;
    return is_side(f, d->first_kind, d->first, c->shape_b, b) && is_side(f, d->second_kind, d->second, c->shape_a, a)
               ? -1
               : 0;
}

/* Is the point in the volume of the site, where there is one? */
static int is_in_site(const Found *f, AbutVec3 point) {
    if (f->def->zone_size.x <= 0.0) return 1;
    AbutConvex zone = abut_sensed_zone(f->def);
    AbutPlaced placed = {abut_solid_convex(&zone), abut_sensed_frame(f->s, f->def->body, f->def->pose)};
    AbutCast cast = {{point, abut_scale(abut_axis(0), 1e-9)}, NULL, 0.0};
    return abut_cast(&placed, &cast).outcome == ABUT_IMPACT_AT_START;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static Point point_at(const AbutContact *c, int i, int way) {
    double sign = way;
    Point p = {.place = c->vertex[i].point, .normal = abut_scale(c->normal, sign), .gap = -c->depth};
    p.tangent = abut_scale(abut_perpendicular(c->normal), sign);
    p.force = abut_scale(c->vertex[i].force, sign);
    if (c->vertex_count == 1) { /* what turns a single point: the torque less that of its force */
        AbutVec3 arm = abut_sub(p.place, c->center);
        p.torque = abut_scale(abut_sub(c->torque, abut_cross(arm, c->vertex[i].force)), sign);
    }
    return p;
}

static double *put3(double *out, AbutVec3 v) { return abut_vec3_put(v, out), out + 3; }

static AbutVec3 in_frame(const Point *p, AbutVec3 v) {
    return abut_vec3(abut_dot(p->normal, v), abut_dot(p->tangent, v), abut_dot(abut_cross(p->normal, p->tangent), v));
}

static void put(const Found *f, const Point *p, double *out) {
    int32_t data = f->def->data;
    if (data & ABUT_SENSED_FOUND) *out++ = f->count;
    if (data & ABUT_SENSED_FORCE) out = put3(out, in_frame(p, p->force));
    if (data & ABUT_SENSED_TORQUE) out = put3(out, in_frame(p, p->torque));
    if (data & ABUT_SENSED_GAP) *out++ = p->gap;
    if (data & ABUT_SENSED_PLACE) out = put3(out, p->place);
    if (data & ABUT_SENSED_NORMAL) out = put3(out, p->normal);
    if (data & ABUT_SENSED_TANGENT) put3(out, p->tangent);
}

static double rank(const Found *f, const Point *p) {
    return f->def->reduce == ABUT_SENSED_DEEPEST     ? -p->gap
           : f->def->reduce == ABUT_SENSED_STRONGEST ? abut_length(p->force)
                                                     : 0.0;
}

/* Calls for every point that matches; `visit` 0 counts and sums, 1 looks for the best rank below a place in the order.
 */
typedef struct Pick {
    double rank;
    int32_t number;
    Point point;
} Pick;

static int is_after(double rank, int32_t number, const Pick *last) {
    return rank < last->rank || (rank == last->rank && number > last->number);
}

static void take(Found *f, const Point *p) {
    double weight = abut_length(p->force);
    ++f->count;
    f->weight += weight;
    f->sum.force = abut_add(f->sum.force, p->force);
    f->sum.place = abut_add_scaled(f->sum.place, p->place, weight);
    f->sum.torque = abut_add(f->sum.torque, abut_add(p->torque, abut_cross(p->place, p->force)));
}

/* Counts all points, or (`last` given) finds the next after it in the order; 0: there is none. */
static int walk(Found *f, const Pick *last, Pick *next) {
    int32_t number = 0, found = 0;
    for (int k = 0; k < abut_simulation_contact_count(f->w->sim); ++k) {
        AbutContact c;
        abut_simulation_get_contact(f->w->sim, k, &c);
        int way = matches(f, &c);
        for (int i = 0; way && i < c.vertex_count; ++i) {
            Point p = point_at(&c, i, way);
            if (!is_in_site(f, p.place)) continue;
            double value = rank(f, &p);
            if (!last) take(f, &p);
            if (last && is_after(value, number, last) &&
                (!found || is_after(next->rank, next->number, &(Pick){value, number, p}))) {
                *next = (Pick){value, number, p};
                found = 1;
            }
            ++number;
        }
    }
    return found;
}

void abut_sense_contacts(const AbutSensed *s, const AbutSensorDef *d, double *out) {
    Found f = {.s = s, .w = s->user, .def = d};
    Pick at = {INFINITY, -1, {.gap = 0.0}};
    (void)walk(&f, NULL, NULL);
    if (f.count > 0 && d->reduce == ABUT_SENSED_SUM) {
        f.sum.normal = abut_axis(0);
        f.sum.tangent = abut_axis(1);
        f.sum.place = abut_scale(f.sum.place, f.weight > 0.0 ? 1.0 / f.weight : 0.0);
        f.sum.torque = abut_sub(f.sum.torque, abut_cross(f.sum.place, f.sum.force));
        put(&f, &f.sum, out);
        return;
    }
    for (int32_t row = 0; row < d->rows; ++row) {
        Pick next = {0};
        if (!walk(&f, &at, &next)) return;
        put(&f, &next.point, out + (size_t)row * (size_t)(d->width / d->rows));
        at = next;
    }
}
