/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sensors of a simulation. In: the scene after a step, and what the last part of the step did: the mean acceleration of
 * every degree of freedom, impulses of rows, joins and contacts. Out: AbutSensed for src/robot/sensors_read.c.
 * Positions and velocities are those of now, forces and accelerations those of the last part of the last step.
 */
#include "abut/solid.h"
#include "dynamics/mover.h"
#include "dynamics/solver_tree.h"
#include "math/numbers.h"
#include "robot/sensors.h"
#include "scene/internal.h"
#include "step/sense.h"

#define RAY_LENGTH 1e4 /* m: what is farther is not seen */

typedef AbutSensing Work;

/* ---- accelerations ----------------------------------------------------------------------------------------------- */

/* Robots without sensors need none. */
static double *accelerations(const AbutSimulation *sim, int32_t robot) {
    return sim->scene->robot[robot].model->sensor_count > 0
               ? sim->trees->acceleration + sim->trees->robot[robot].first_torque
               : NULL;
}

void abut_sensors_begin(AbutSimulation *sim) {
    for (int32_t r = 0; sim->trees && r < sim->trees->robot_count; ++r)
        if (accelerations(sim, r)) abut_scene_get_joints(sim->scene, r, NULL, accelerations(sim, r));
}

AbutStatus abut_sensors_end(AbutSimulation *sim, double h, AbutError *error) {
    for (int32_t r = 0; sim->trees && r < sim->trees->robot_count; ++r) {
        double *a = accelerations(sim, r);
        int32_t count = sim->scene->robot[r].velocity_count;
        double *now = a ? abut_alloc_array((size_t)count, sizeof *now) : NULL;
        if (a && !now) return abut_fail_memory(error);
        if (a) abut_scene_get_joints(sim->scene, r, NULL, now);
        for (int32_t i = 0; a && i < count; ++i) a[i] = (now[i] - a[i]) / h;
        abut_free(now);
    }
    return ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void sense_body(const Work *w, int32_t number) {
    const AbutSceneRobot *r = w->robot;
    const AbutBody *body = &w->sim->scene->body[r->body[number]];
    AbutBodyMotion *out = &w->body[number];
    AbutVec3 gravity = w->sim->def.gravity;
    *out = (AbutBodyMotion){.a = abut_neg(gravity)};
    if (abut_model_is_movable(r->model, number) || r->model->bodies[number].mass > 0.0)
        out->rigid = abut_rigid_of_body(r->model, number);
    if (r->tree[number] >= 0) {
        abut_sense_link(w->sim->scene->robot_tree[r->tree[number]].configuration, &r->place[number], 1, out);
        return;
    }
    AbutPose whole = abut_body_pose(body);
    out->pose = abut_pose_mul(whole, r->pose[number]);
    if (body->kind == ABUT_BODY_STATIC) return;
    out->w = body->w;
    out->v = abut_add(body->v, abut_cross(body->w, abut_sub(out->pose.p, body->x)));
    if (!(body->inv_mass > 0.0)) return;
    const double *a = w->acceleration;
    for (int32_t i = 0; i < r->move_count && (r->move[i].tree >= 0 || r->move[i].body != r->body[number]); ++i)
        a += r->move[i].velocity_count;
    AbutVec3 arm = abut_sub(out->pose.p, whole.p);
    out->spin = abut_mat3_apply(body->rotation, abut_vec3_at(a + 3));
    AbutVec3 turned = abut_add(abut_cross(out->spin, arm), abut_cross(body->w, abut_cross(body->w, arm)));
    out->a = abut_add(abut_sub(abut_vec3_at(a), gravity), turned);
}

/* Accelerations of the links of a tree; its velocities are made anew, with the bits that they had. */
static void accelerate_trees(const Work *w) {
    const AbutSceneRobot *r = w->robot;
    const double *a = w->acceleration;
    const AbutScene *scene = w->sim->scene;
    for (int32_t i = 0; i < r->move_count; a += r->move[i].velocity_count, ++i) {
        const AbutRobotMove *move = &r->move[i];
        double *to = move->tree >= 0 ? scene->robot_tree[move->tree].configuration->work2 : NULL;
        for (int32_t k = 0; to && k < move->velocity_count; ++k) to[move->in_velocities + k] = a[k];
    }
    for (int32_t t = r->first_tree; t < r->first_tree + r->tree_count; ++t) {
        AbutConfiguration *c = scene->robot_tree[t].configuration;
        c->gravity = w->sim->def.gravity;
        abut_robot_inverse(c, c->work2, c->work);
    }
}

static void settle_trees(const Work *w) {
    const AbutSceneRobot *r = w->robot;
    for (int32_t t = r->first_tree; t < r->first_tree + r->tree_count; ++t)
        abut_robot_velocities(w->sim->scene->robot_tree[t].configuration);
}

/* ---- forces from outside ----------------------------------------------------------------------------------------- */

static void push(const Work *w, int32_t body, AbutVec3 point, AbutVec3 force, AbutVec3 torque) {
    if (body < 0) return;
    w->body[body].force = abut_add(w->body[body].force, force);
    w->body[body].torque = abut_add(w->body[body].torque, abut_add(torque, abut_cross(point, force)));
}

int32_t abut_sensed_body(const Work *w, AbutShapeId id) {
    const AbutScene *scene = w->sim->scene;
    int32_t place = abut_scene_shape_place(scene, id);
    const AbutShape *shape = place >= 0 ? &scene->shape[place] : NULL;
    int32_t owner = shape ? shape->body : -1, stated = shape ? shape->def.body : -1;
    const AbutModel *model = w->robot->model;
    if (stated >= 0 && stated < model->body_count && w->robot->body[stated] == owner) return stated;
    for (int32_t i = 0; i < model->body_count; ++i)
        if (w->robot->body[i] == owner) return i;
    return -1;
}

static void add_contacts(const Work *w) {
    for (int k = 0; k < abut_simulation_contact_count(w->sim); ++k) {
        AbutContact c;
        abut_simulation_get_contact(w->sim, k, &c);
        push(w, abut_sensed_body(w, c.shape_b), c.center, c.force, c.torque);
        push(w, abut_sensed_body(w, c.shape_a), c.center, abut_neg(c.force), abut_neg(c.torque));
    }
}

static void add_joins(const Work *w, int32_t robot) {
    const AbutTrees *t = w->sim->trees;
    double per_time = 1.0 / w->sim->constants.dt;
    for (int32_t i = 0; i < t->join_count; ++i) {
        const AbutJoin *join = &t->join[i];
        const AbutEqualityDef *def = &w->robot->model->equalities[join->equality];
        const double *p = join->impulse;
        if (join->robot != robot) continue;
        AbutVec3 f = abut_scale(abut_vec3_at(p), per_time),
                 n = abut_scale(join->rows == 6 ? abut_vec3_at(p + 3) : abut_zero(), per_time);
        for (int side = 0; side < 2; ++side) {
            int32_t body = side ? def->b : def->a, place = join->body[side];
            if (place < 0) continue;
            AbutVec3 at = abut_add(w->sim->scene->body[place].x, join->arm[side]);
            push(w, body, at, side ? f : abut_neg(f), side ? n : abut_neg(n));
        }
    }
}

static void add_pushes(const Work *w) {
    for (int32_t i = 0; i < w->robot->model->body_count; ++i) {
        int32_t place = w->robot->body[i];
        int outermost = i == 0 || w->robot->model->bodies[i].parent < 0 ||
                        w->robot->body[w->robot->model->bodies[i].parent] != place;
        if (place >= w->sim->mover_count || !outermost) continue;
        const AbutSolverBody *m = &w->sim->mover[place];
        push(w, i, w->sim->scene->body[place].x, m->force, m->torque);
    }
}

/* ---- rows and actuators ------------------------------------------------------------------------------------------ */

static void read_rows(const Work *w, int32_t robot) {
    const AbutTrees *t = w->sim->trees;
    for (int32_t i = 0; i < t->row_count; ++i) {
        const AbutTreeRow *row = &t->row[i];
        if (row->robot != robot || !row->active) continue;
        double force = row->impulse / w->sim->constants.dt;
        if (row->kind == ABUT_ROW_LOW || row->kind == ABUT_ROW_HIGH || row->kind == ABUT_ROW_BALL)
            w->limit[row->number] += force;
        if (row->kind == ABUT_ROW_TENDON_LOW || row->kind == ABUT_ROW_TENDON_HIGH) w->tendon[row->number] += force;
    }
}

/* Gravity compensation that counts as a force of actuators. */
static void add_lift(const Work *w) {
    const AbutSceneRobot *r = w->robot;
    for (int32_t t = r->first_tree; t < r->first_tree + r->tree_count; ++t) {
        AbutConfiguration *c = w->sim->scene->robot_tree[t].configuration;
        for (int32_t d = 0; d < c->tree->nv; ++d) c->work[d] = 0.0;
        abut_robot_lift(c, c->work);
        for (int32_t i = 0; i < c->tree->move_count; ++i)
            if (c->tree->moves[i].lifted) w->sum[c->tree->moves[i].joint] += c->work[c->tree->moves[i].velocity];
    }
}

/* The actuators of a joint together keep to its range. */
static void read_actuators(const Work *w, int32_t robot) {
    const AbutModel *model = w->robot->model;
    for (int32_t a = 0; a < model->actuator_count; ++a) {
        const AbutActuatorDef *def = &model->actuators[a];
        double force = w->actuator[a] = abut_actuator_force(w->sim, robot, a);
        if (def->target == ABUT_TARGET_JOINT) w->sum[def->number] += def->gear[0] * force;
        const AbutTendonDef *tendon = def->target == ABUT_TARGET_TENDON ? &model->tendons[def->number] : NULL;
        for (int32_t i = 0; tendon && i < tendon->count; ++i)
            w->sum[tendon->joints[i]] += def->gear[0] * force * tendon->coefficients[i];
        abut_actuator_push(w->sim, robot, def, force, w->dof);
    }
    for (int32_t j = 0; j < model->joint_count; ++j) {
        const AbutRobotMove *move = &w->robot->move[w->robot->move_of_joint[j]];
        if (move->velocity_count == 1) w->sum[j] += w->dof[w->sim->trees->tree[move->tree].first + move->in_velocities];
    }
    add_lift(w);
    for (int32_t j = 0; j < model->joint_count; ++j) {
        const double *range = model->joints[j].force_range;
        if (model->joints[j].force_limited) w->sum[j] = abut_larger(range[0], abut_smaller(range[1], w->sum[j]));
    }
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

AbutConvex abut_sensed_zone(const AbutSensorDef *d) {
    AbutVec3 s = d->zone_size;
    switch (d->zone) {
    case ABUT_SHAPE_BOX:
        return abut_convex_box(s, 0.0);
    case ABUT_SHAPE_CAPSULE:
        return abut_convex_segment(abut_vec3(0, 0, -s.z), abut_vec3(0, 0, s.z), s.x);
    case ABUT_SHAPE_CYLINDER:
        return abut_convex_cylinder(s.x, s.z, 0.0);
    case ABUT_SHAPE_ELLIPSOID:
        return abut_convex_ellipsoid(s, 0.0);
    default:
        return abut_convex_point(abut_zero(), s.x);
    }
}

/* Does the ray from a contact point away from the body meet the zone? */
static int is_in_zone(const AbutPlaced *zone, AbutVec3 point, AbutVec3 outward, double length) {
    AbutCast cast = {{point, abut_scale(outward, length)}, NULL, 0.0};
    AbutCastHit hit = abut_cast(zone, &cast);
    return hit.outcome == ABUT_IMPACT_HIT || hit.outcome == ABUT_IMPACT_AT_START || hit.outcome == ABUT_IMPACT_GRAZING;
}

static double touched(const AbutSensed *s, const AbutSensorDef *d) {
    const Work *w = s->user;
    AbutConvex convex = abut_sensed_zone(d);
    AbutPlaced zone = {abut_solid_convex(&convex), abut_sensed_frame(s, d->body, d->pose)};
    double sum = 0.0;
    for (int k = 0; d->body >= 0 && k < abut_simulation_contact_count(w->sim); ++k) {
        AbutContact c;
        abut_simulation_get_contact(w->sim, k, &c);
        int on_a = abut_sensed_body(w, c.shape_a) == d->body, on_b = abut_sensed_body(w, c.shape_b) == d->body;
        AbutVec3 outward = on_a ? c.normal : abut_neg(c.normal);
        for (int i = 0; (on_a || on_b) && i < c.vertex_count; ++i) {
            double length = abut_point_distance(c.vertex[i].point, zone.pose.p) + abut_length(d->zone_size);
            if (is_in_zone(&zone, c.vertex[i].point, outward, 2.0 * length))
                sum += abut_larger(0.0, abut_dot(c.vertex[i].force, c.normal));
        }
    }
    return sum;
}

typedef struct Ray {
    const Work *work;
    int32_t body;
} Ray;

static int is_other(AbutShapeId shape, void *user) {
    const Ray *ray = user;
    return ray->body < 0 || abut_sensed_body(ray->work, shape) != ray->body;
}

static double range(const AbutSensed *s, const AbutSensorDef *d) {
    const Work *w = s->user;
    Ray ray = {w, d->body};
    AbutPose site = abut_sensed_frame(s, d->body, d->pose);
    AbutCast cast = {{site.p, abut_scale(abut_quat_rotate(site.q, abut_axis(2)), RAY_LENGTH)}, NULL, 0.0};
    AbutSceneHit hit = abut_scene_cast(w->sim->scene, &cast, is_other, &ray);
    return hit.hit.outcome == ABUT_IMPACT_NONE ? -1.0 : hit.hit.t * RAY_LENGTH;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void sense(Work *w, int32_t robot, double *q, double *v, int32_t *places, double *out) {
    const AbutSimulation *sim = w->sim;
    const AbutModel *model = w->robot->model;
    int stepped = sim->constants.dt > 0.0;
    int32_t at_q = 0, at_v = 0;
    for (int32_t i = 0; i < w->robot->move_count; ++i) {
        const AbutRobotMove *move = &w->robot->move[i];
        if (move->joint >= 0) places[move->joint] = at_q, places[model->joint_count + move->joint] = at_v;
        at_q += move->position_count, at_v += move->velocity_count;
    }
    abut_scene_get_joints(sim->scene, robot, q, v);
    accelerate_trees(w);
    for (int32_t i = 0; i < model->body_count; ++i) sense_body(w, i);
    settle_trees(w);
    read_actuators(w, robot);
    if (stepped) {
        read_rows(w, robot);
        add_contacts(w);
        add_joins(w, robot);
        add_pushes(w);
    }
    AbutSensed s = {.model = model,
        .gravity = sim->def.gravity,
        .time = sim->time,
        .accelerated = stepped,
        .body = w->body,
        .q = q,
        .v = v,
        .joint_q = places,
        .joint_v = places + model->joint_count,
        .actuator_force = w->actuator,
        .joint_limit = stepped ? w->limit : NULL,
        .joint_sum = w->sum,
        .tendon_limit = stepped ? w->tendon : NULL,
        .touch = stepped ? touched : NULL,
        .contacts = stepped ? abut_sense_contacts : NULL,
        .range = range,
        .user = w};
    abut_sensors_read(&s, out);
}

AbutStatus abut_simulation_get_sensors(const AbutSimulation *simulation, int32_t robot, double *out, AbutError *error) {
    ABUT_ASSERT(simulation);
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* as for saving */
    ABUT_TRY(abut_scene_check_robot(sim->scene, robot, error));
    ABUT_TRY(abut_trees_follow(sim, error));
    const AbutSceneRobot *r = &sim->scene->robot[robot];
    if (r->model->sensor_count == 0) return ABUT_OK;
    AbutPool pool = {0};
    int good = 1;
    size_t joints = (size_t)r->model->joint_count;
    double *q = abut_pool_take_array(&pool, (size_t)r->position_count, sizeof *q, &good);
    double *v = abut_pool_take_array(&pool, (size_t)r->velocity_count, sizeof *v, &good);
    int32_t *places = abut_pool_take_array(&pool, 2 * joints, sizeof *places, &good);
    Work w = {.sim = sim, .robot = r, .acceleration = sim->trees->acceleration + sim->trees->robot[robot].first_torque};
    w.body = abut_pool_take_array(&pool, (size_t)r->model->body_count, sizeof *w.body, &good);
    w.actuator = abut_pool_take_array(&pool, (size_t)r->model->actuator_count, sizeof *w.actuator, &good);
    w.limit = abut_pool_take_array(&pool, joints, sizeof *w.limit, &good);
    w.sum = abut_pool_take_array(&pool, joints, sizeof *w.sum, &good);
    w.tendon = abut_pool_take_array(&pool, (size_t)r->model->tendon_count, sizeof *w.tendon, &good);
    w.dof = abut_pool_take_array(&pool, (size_t)sim->trees->dof_count, sizeof *w.dof, &good);
    if (good) sense(&w, robot, q, v, places, out);
    abut_pool_free(&pool);
    return good ? ABUT_OK : abut_fail_memory(error);
}
