/* SPDX-License-Identifier: Apache-2.0 */
#include "support/moving_robot.h"

#include <math.h>
#include <string.h>

const char *const talos_pairs[TALOS_PAIRS][2] = {{"arm_right_7_link", "arm_left_7_link"},
    {"arm_right_7_link", "base_link"}, {"arm_right_7_link", "torso_2_link"}, {"arm_right_7_link", "head_2_link"},
    {"arm_left_7_link", "base_link"}, {"arm_left_7_link", "torso_2_link"}, {"arm_left_7_link", "head_2_link"},
    {"arm_right_4_link", "base_link"}, {"arm_right_4_link", "torso_2_link"}, {"arm_right_4_link", "head_2_link"},
    {"arm_left_4_link", "base_link"}, {"arm_left_4_link", "torso_2_link"}, {"arm_left_4_link", "head_2_link"},
    {"leg_right_3_link", "leg_left_3_link"}, {"leg_right_3_link", "arm_right_7_link"},
    {"leg_right_3_link", "arm_left_7_link"}, {"leg_left_3_link", "arm_right_7_link"},
    {"leg_left_3_link", "arm_left_7_link"}, {"leg_right_4_link", "leg_left_4_link"}};

/* ---- mirror across y --------------------------------------------------------------------------------------------- */

static AbutVec3 reflect(AbutVec3 v) { return abut_vec3(v.x, -v.y, v.z); }

static AbutPose reflect_pose(AbutPose p) { return abut_pose(reflect(p.p), abut_quat(p.q.w, -p.q.x, p.q.y, -p.q.z)); }

/* ---- chain ------------------------------------------------------------------------------------------------------- */

static int32_t add_joint(
    MovingRobot *r, int32_t parent, AbutChainKind kind, AbutPose fixed, AbutVec3 axis, int32_t of) {
    int32_t k = r->chain.joint_count++;
    r->joint[k] = (AbutChainJoint){.parent = parent, .kind = kind, .fixed = fixed, .axis = axis};
    r->joint_of[k] = of;
    return k;
}

/* A body after its parent: its pose, then each joint about its own place. */
static int add_link(MovingRobot *r, int32_t body, int mirrored) {
    const AbutModel *m = r->model;
    const AbutBodyDef *b = &m->bodies[body];
    AbutPose pose = mirrored ? reflect_pose(b->pose) : b->pose;
    int32_t at = add_joint(r, b->parent >= 0 ? r->link[b->parent] : -1, ABUT_CHAIN_FIXED, pose, abut_axis(2), -1);
    for (int32_t j = abut_model_next_joint(m, body, -1); j >= 0; j = abut_model_next_joint(m, body, j)) {
        const AbutJointDef *q = &m->joints[j];
        AbutVec3 place = mirrored ? reflect(q->position) : q->position, axis = q->axis;
        if (mirrored) axis = q->kind == ABUT_JOINT_HINGE ? abut_neg(reflect(axis)) : reflect(axis);
        if (q->kind == ABUT_JOINT_BALL || r->chain.joint_count + 3 > ROBOT_JOINTS) return 0;
        at = add_joint(r, at, q->kind == ABUT_JOINT_HINGE ? ABUT_CHAIN_HINGE : ABUT_CHAIN_SLIDE,
            abut_pose(place, abut_quat_identity()), axis, j);
        at = add_joint(r, at, ABUT_CHAIN_FIXED, abut_pose(abut_neg(place), abut_quat_identity()), abut_axis(2), -1);
    }
    r->link[body] = at;
    return 1;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static AbutStatus add_hull(MovingRobot *r, const AbutShapeDef *shape, int mirrored, AbutError *error) {
    const AbutPolyhedron *p = shape->geometry->polyhedron;
    AbutVec3 *points = abut_alloc_array((size_t)p->vertex_count, sizeof *points);
    if (!points || r->hull_count == ROBOT_HULLS) return abut_fail(error, ABUT_ERROR_MEMORY, "too many hulls");
    for (int32_t i = 0; i < p->vertex_count; ++i) {
        points[i] = abut_pose_apply(shape->pose, abut_polyhedron_vertices(p)[i]);
        points[i] = mirrored ? reflect(points[i]) : points[i];
    }
    AbutStatus status = abut_polyhedron_from_points(points, p->vertex_count, NULL, &r->hull[r->hull_count], error);
    r->hull_count += status == ABUT_OK;
    abut_free(points);
    return status;
}

/* The surfaces of hulls as one mesh. */
static AbutStatus mesh_of(AbutPolyhedron *const *hull, int32_t count, AbutMeshTree **out, AbutError *error) {
    AbutMesh part[ROBOT_HULLS], all = {0};
    int32_t vertices = 0, triangles = 0;
    AbutStatus status = ABUT_OK;
    memset(part, 0, sizeof part);
    for (int32_t i = 0; i < count && status == ABUT_OK; ++i) {
        status = abut_polyhedron_to_mesh(hull[i], &part[i], error);
        vertices += part[i].vertex_count, triangles += part[i].triangle_count;
    }
    if (status == ABUT_OK) status = abut_mesh_create(vertices, triangles, &all, error);
    vertices = triangles = 0;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < part[i].triangle_count && status == ABUT_OK; ++k)
            for (int q = 0; q < 3; ++q) all.triangles[triangles + k].v[q] = part[i].triangles[k].v[q] + vertices;
        if (status == ABUT_OK)
            memcpy(all.vertices + vertices, part[i].vertices, sizeof(AbutVec3) * (size_t)part[i].vertex_count);
        vertices += part[i].vertex_count, triangles += part[i].triangle_count;
        abut_mesh_free(&part[i]);
    }
    if (status == ABUT_OK) status = abut_mesh_tree_create(&all, 0, out, error);
    abut_mesh_free(&all);
    return status;
}

/* A capsule around the vertices of hulls. */
static AbutStatus capsule_around(AbutPolyhedron *const *hull, int32_t count, AbutCapsule *out, AbutError *error) {
    AbutVec3 *points = NULL;
    size_t capacity = 0, used = 0;
    for (int32_t i = 0; i < count; ++i) {
        size_t more = (size_t)hull[i]->vertex_count;
        if (!abut_grow((void **)&points, &capacity, used + more, sizeof *points))
            return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for points");
        memcpy(points + used, abut_polyhedron_vertices(hull[i]), sizeof *points * more);
        used += more;
    }
    AbutStatus status = abut_capsule_around(points, (int)used, out, error);
    abut_free(points);
    return status;
}

/* The body of a link from its hulls. */
static AbutStatus make_body(
    MovingRobot *r, int32_t body, RobotForm form, int32_t first, AbutClearanceBody **out, AbutError *error) {
    int32_t count = r->hull_count - first;
    AbutPieces hulls = {.count = count, .piece = &r->hull[first]};
    AbutSolid solid = abut_solid_pieces(&hulls); /* a body without shapes is an empty one */
    AbutConvex capsule;
    AbutStatus status = ABUT_OK;
    if (count > 0 && form == ROBOT_OF_CAPSULES) {
        status = capsule_around(&r->hull[first], count, &r->capsule[body], error);
        capsule = abut_convex_segment(r->capsule[body].a, r->capsule[body].b, r->capsule[body].radius);
        solid = abut_solid_convex(&capsule);
    } else if (count > 0 && form != ROBOT_OF_HULLS) {
        status = mesh_of(&r->hull[first], count, &r->tree[body], error);
        solid = abut_solid_mesh(r->tree[body]);
    }
    return status == ABUT_OK ? abut_clearance_body_create(1, &solid, out, error) : status;
}

static AbutStatus add_body(MovingRobot *r, int32_t body, RobotForm form, int mirrored, AbutError *error) {
    const AbutModel *m = r->model;
    int32_t first = r->hull_count;
    AbutClearanceBody *made = NULL;
    AbutStatus status = ABUT_OK;
    for (int32_t s = abut_model_next_shape(m, body, -1); s >= 0 && status == ABUT_OK;
         s = abut_model_next_shape(m, body, s))
        if (!m->shapes[s].visual && m->shapes[s].geometry->polyhedron)
            status = add_hull(r, &m->shapes[s], mirrored, error);
    if (status != ABUT_OK) return status;
    r->shaped[body] = r->hull_count > first;
    status = make_body(r, body, form, first, &made, error);
    r->mover[body].solid = abut_solid_prepared(made);
    return status;
}

int moving_robot_make(const AbutModel *model, RobotForm form, int mirrored, MovingRobot *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    out->model = model;
    out->chain.joints = out->joint;
    if (model->body_count > ROBOT_BODIES) return 0;
    for (int32_t b = 0; b < model->body_count; ++b)
        if (!add_link(out, b, mirrored) || add_body(out, b, form, mirrored, error) != ABUT_OK) return 0;
    for (int32_t b = 0; b < model->body_count; ++b)
        if (abut_motion_chain(&out->chain, out->link[b], &out->mover[b].motion, error) != ABUT_OK) return 0;
    return 1;
}

void moving_robot_free(MovingRobot *robot) {
    for (int32_t b = 0; b < ROBOT_BODIES; ++b) {
        abut_clearance_body_free((AbutClearanceBody *)robot->mover[b].solid.prepared);
        abut_mesh_tree_free(robot->tree[b]);
    }
    for (int32_t i = 0; i < robot->hull_count; ++i) abut_polyhedron_free(robot->hull[i]);
}

void moving_robot_curves(MovingRobot *robot, AbutRng *rng, double most) {
    for (int32_t k = 0; k < robot->chain.joint_count; ++k) {
        if (robot->joint_of[k] < 0) continue;
        const AbutJointDef *q = &robot->model->joints[robot->joint_of[k]];
        double b[6], middle = q->limited ? 0.5 * (q->range[0] + q->range[1]) : q->reference;
        for (int i = 0; i < 6; ++i) b[i] = middle - q->reference + abut_rng_between(rng, -most, most);
        robot->piece[k] = abut_curve_bernstein(0.0, 1.0, 5, b);
        robot->joint[k].curve[0] = (AbutCurve){1, &robot->piece[k], 1.0};
    }
}

void moving_robot_pairs(MovingRobot *robot, int count, const char *const names[][2]) {
    robot->pair_count = 0;
    for (int i = 0; i < count && robot->pair_count < ROBOT_PAIRS; ++i) {
        int32_t a = abut_model_find(robot->model, ABUT_MODEL_BODY, names[i][0]);
        int32_t b = abut_model_find(robot->model, ABUT_MODEL_BODY, names[i][1]);
        if (a >= 0 && b >= 0 && robot->shaped[a] && robot->shaped[b])
            robot->pair[robot->pair_count++] = (AbutPair){a, b};
    }
}
