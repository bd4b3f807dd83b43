/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tendons along paths in a simulation: length, speed, and the degrees of freedom that change it. In: the bodies of the
 * scene as they are. Out: numbers of this state; nothing is kept.
 */
#include "dynamics/solver_tree.h"
#include "robot/wrap.h"

typedef struct Path {
    const AbutScene *scene;
    const AbutSceneRobot *robot;
    const AbutTrees *trees;
    double speed, force, *to;
} Path;

static AbutPose pose_of(const void *user, int32_t body) {
    const Path *p = user;
    if (body < 0) return p->robot->at;
    const AbutBody *b = &p->scene->body[p->robot->body[body]];
    AbutPose pose = abut_pose(abut_sub(b->x, abut_mat3_apply(b->rotation, b->local_center)), b->q);
    return abut_pose_mul(pose, p->robot->pose[body]);
}

static void add_speed(void *user, const AbutPathPull *pull) {
    Path *p = user;
    if (pull->body < 0) return;
    const AbutBody *b = &p->scene->body[p->robot->body[pull->body]];
    AbutVec3 v = abut_add(b->v, abut_cross(b->w, abut_sub(pull->point, b->x)));
    p->speed += abut_dot(pull->pull, v);
}

static void add_force(void *user, const AbutPathPull *pull) {
    Path *p = user;
    const AbutBody *body = pull->body >= 0 ? &p->scene->body[p->robot->body[pull->body]] : NULL;
    if (!body || body->tree < 0) return;
    abut_link_push(p->trees, body, pull->point, abut_scale(pull->pull, p->force), abut_zero(), p->to);
}

double abut_path_now(const AbutScene *scene, const AbutSceneRobot *robot, const AbutTendonDef *tendon, double *speed) {
    Path p = {.scene = scene, .robot = robot};
    double length = abut_path_length(tendon, pose_of, &p, speed ? add_speed : NULL, &p);
    if (speed) *speed = p.speed;
    return length;
}

void abut_path_push(
    const AbutSimulation *sim, const AbutSceneRobot *robot, const AbutTendonDef *tendon, double force, double *to) {
    Path p = {.scene = sim->scene, .robot = robot, .trees = sim->trees, .force = force, .to = to};
    (void)abut_path_length(tendon, pose_of, &p, add_force, &p);
}

void abut_path_terms(AbutSimulation *sim, AbutTreeRow *row, const AbutTendonDef *tendon) {
    AbutTrees *t = sim->trees;
    AbutRowTerm *term = t->term + row->first_term;
    Path p = {
        .scene = sim->scene, .robot = &sim->scene->robot[row->robot], .trees = t, .force = row->path, .to = t->other};
    for (int32_t i = 0; i < row->term_count; ++i) t->other[term[i].dof] = 0.0;
    row->length = row->path * abut_path_length(tendon, pose_of, &p, add_force, &p);
    for (int32_t i = 0; i < row->term_count; ++i) term[i].coefficient = t->other[term[i].dof];
}
