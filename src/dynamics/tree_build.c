/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The robots of a scene as the solver sees them: trees, rows that may become active, joins, room for all of it. In: the
 * placed models. Out: AbutTrees, made anew when the scene got another robot; controls and torques that were set stay.
 * Each row has its list of degrees of freedom (everything from the roots to its joints) from the beginning; a step only
 * fills in numbers.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <stdlib.h>
#include <string.h>

typedef struct Build {
    AbutSimulation *sim;
    AbutTrees *t;
    int32_t robot, row_room, term_room, dof_room; /* room: for rows, terms, and degrees of freedom in lists */
    int path;                                     /* 1: rows of a tendon along a path are added */
    int good;
} Build;

static void *take(Build *b, int64_t count, size_t bytes_each) {
    void *memory = abut_pool_take(&b->t->pool, ((size_t)count + 1) * bytes_each);
    if (memory) memset(memory, 0, ((size_t)count + 1) * bytes_each);
    b->good &= memory != NULL;
    return memory;
}

static const AbutSceneRobot *robot_now(const Build *b) { return &b->sim->scene->robot[b->robot]; }

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static void add_tree(Build *b, const AbutSceneTree *from) {
    AbutTrees *t = b->t;
    AbutSolverTree *tree = &t->tree[t->tree_count];
    const AbutConfiguration *c = from->configuration;
    tree->c = from->configuration;
    tree->body = from->body;
    tree->first = t->dof_count;
    tree->mass = c->tree->mass;
    tree->size = from->size > 0.0 ? from->size : ABUT_TREE_SIZE;
    tree->speed = abut_scale_speed(&b->sim->def, tree->size / ABUT_TREE_SIZE);
    tree->turning = 1.0 / abut_scale_time(&b->sim->def, tree->size / ABUT_TREE_SIZE);
    tree->floats = c->tree->moves[0].kind == ABUT_MOVE_FREE && c->tree->dofs[0].armature == 0.0;
    t->dof_count += c->tree->nv;
    ++t->tree_count;
}

static void take_dofs(Build *b) {
    AbutTrees *t = b->t;
    double **arrays[] = {&t->z, &t->start, &t->mean, &t->bias, &t->force, &t->stiffness, &t->damping, &t->loss,
        &t->lock, &t->work, &t->other, &t->begin, &t->free, &t->shove, &t->servo_force, &t->servo_stiffness,
        &t->servo_damping, &t->passive};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) *arrays[i] = take(b, t->dof_count, sizeof(double));
    t->tree_of = take(b, t->dof_count, sizeof *t->tree_of);
    t->spot = take(b, t->dof_count, sizeof *t->spot);
    t->island_tree = take(b, t->tree_count, sizeof *t->island_tree);
    for (int32_t i = 0; i < t->tree_count && b->good; ++i)
        for (int32_t d = 0; d < t->tree[i].c->tree->nv; ++d) t->tree_of[t->tree[i].first + d] = i;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int compare_dofs(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* All degrees of freedom from the roots to those of the terms of a row, ascending, each once. */
static void list_dofs(AbutTrees *t, AbutTreeRow *row) {
    int32_t *list = t->row_dof + row->first;
    for (int32_t i = 0; i < row->term_count; ++i) {
        int32_t dof = t->term[row->first_term + i].dof;
        const AbutSolverTree *tree = &t->tree[t->tree_of[dof]];
        const AbutConfiguration *c = tree->c;
        for (int32_t d = dof - tree->first; d >= 0; d = c->tree->dofs[d].parent) {
            int32_t k = 0;
            while (k < row->count && list[k] != tree->first + d) ++k;
            if (k < row->count) break; /* and with it all above */
            list[row->count++] = tree->first + d;
        }
    }
    qsort(list, (size_t)row->count, sizeof *list, compare_dofs);
}

/* A term on one degree of freedom of a joint (`which` of a ball) of the robot. */
static AbutRowTerm joint_term(const Build *b, int32_t joint, int32_t which, double coefficient) {
    const AbutSceneRobot *robot = robot_now(b);
    const AbutRobotMove *move = &robot->move[robot->move_of_joint[joint]];
    const AbutSolverTree *tree = &b->t->tree[move->tree];
    AbutRowTerm term = {tree->first + move->in_velocities + which,
        move->velocity_count == 1 ? tree->c->q + move->in_positions : NULL, coefficient};
    return term;
}

static int turns(const Build *b, const AbutRowTerm *term) {
    const AbutSolverTree *tree = &b->t->tree[b->t->tree_of[term->dof]];
    return abut_length_sq(tree->c->axes[term->dof - tree->first].w) > 0.0;
}

/* A row on these terms; the first time the rows are only counted. */
static void add_row(Build *b, AbutRowKind kind, int32_t number, int32_t count, const AbutRowTerm *terms) {
    AbutTrees *t = b->t;
    int32_t depth = 0;
    for (int32_t i = 0; i < count; ++i) {
        const AbutSolverTree *tree = &t->tree[t->tree_of[terms[i].dof]];
        depth += tree->c->tree->dofs[terms[i].dof - tree->first].depth;
    }
    if (t->row) {
        const AbutSolverTree *tree = &t->tree[t->tree_of[terms[0].dof]];
        AbutTreeRow row = {.kind = kind,
            .robot = b->robot,
            .number = number,
            .turns = turns(b, &terms[0]),
            .first_term = b->term_room,
            .term_count = count,
            .first = b->dof_room};
        if (kind == ABUT_ROW_LOW || kind == ABUT_ROW_HIGH)
            row.limit = robot_now(b)->model->joints[number].range[kind == ABUT_ROW_HIGH];
        row.weight = row.turns ? ABUT_TREE_LEVER * tree->size / ABUT_TREE_SIZE : 1.0;
        if (b->path) row.path = kind == ABUT_ROW_TENDON_HIGH ? -1 : 1;
        row.turns &= !row.path;
        memcpy(t->term + b->term_room, terms, (size_t)count * sizeof *terms);
        list_dofs(t, &row);
        t->row[b->row_room] = row;
    }
    ++b->row_room;
    b->term_room += count;
    b->dof_room += depth < t->dof_count ? depth : t->dof_count;
}

static void add_couplings(Build *b, int32_t tree) {
    const AbutModel *model = robot_now(b)->model;
    for (int32_t e = 0; e < model->equality_count; ++e) {
        const AbutEqualityDef *def = &model->equalities[e];
        if (def->kind != ABUT_EQUALITY_JOINT || def->inactive) continue;
        AbutRowTerm terms[2] = {joint_term(b, def->a, 0, 1.0)};
        if (def->b >= 0) terms[1] = joint_term(b, def->b, 0, 0.0);
        if (b->t->tree_of[terms[0].dof] == tree) add_row(b, ABUT_ROW_COUPLING, e, def->b >= 0 ? 2 : 1, terms);
    }
}

static void add_tendon(Build *b, int32_t number, int32_t count, AbutRowTerm *terms) {
    const AbutModel *model = robot_now(b)->model;
    const AbutTendonDef *def = &model->tendons[number];
    b->path = def->path_count > 0;
    for (int32_t a = 0; a < model->actuator_count; ++a)
        if (model->actuators[a].target == ABUT_TARGET_TENDON && model->actuators[a].number == number)
            add_row(b, ABUT_ROW_SERVO, a, count, terms);
    if (def->stiffness > 0.0 || def->damping > 0.0) add_row(b, ABUT_ROW_TENDON_SPRING, number, count, terms);
    if (def->friction_loss > 0.0) add_row(b, ABUT_ROW_TENDON_FRICTION, number, count, terms);
    if (def->limited) {
        add_row(b, ABUT_ROW_TENDON_LOW, number, count, terms);
        for (int32_t i = 0; i < count; ++i) terms[i].coefficient = -terms[i].coefficient;
        add_row(b, ABUT_ROW_TENDON_HIGH, number, count, terms);
    }
    b->path = 0;
}

/* Terms on all that moves the bodies of a path, each once; a step fills in the coefficients. Returns their number. */
static int32_t path_terms(const Build *b, const AbutTendonDef *def, AbutRowTerm *terms) {
    const AbutSceneRobot *robot = robot_now(b);
    int32_t count = 0;
    for (int32_t i = 0; i < def->path_count; ++i) {
        int32_t number = def->path[i].kind == ABUT_PATH_PULLEY ? -1 : def->path[i].body;
        const AbutBody *body = number >= 0 ? &b->sim->scene->body[robot->body[number]] : NULL;
        if (!body || body->tree < 0) continue;
        const AbutSolverTree *tree = &b->t->tree[body->tree];
        for (int32_t d = tree->c->tree->links[body->link].last; d >= 0; d = tree->c->tree->dofs[d].parent) {
            int32_t k = 0;
            while (k < count && terms[k].dof != tree->first + d) ++k;
            if (k == count) terms[count++] = (AbutRowTerm){tree->first + d, NULL, 0.0};
        }
    }
    return count;
}

static void add_tendons(Build *b, int32_t tree) {
    const AbutModel *model = robot_now(b)->model;
    for (int32_t k = 0; k < model->tendon_count && b->good; ++k) {
        const AbutTendonDef *def = &model->tendons[k];
        int32_t count = def->path_count > 0 ? b->t->dof_count : def->count;
        AbutRowTerm *terms = abut_alloc_array((size_t)count, sizeof *terms);
        b->good &= terms != NULL;
        if (terms && def->path_count > 0) count = path_terms(b, def, terms);
        for (int32_t i = 0; terms && i < def->count; ++i)
            terms[i] = joint_term(b, def->joints[i], 0, def->coefficients[i]);
        if (terms && count > 0 && b->t->tree_of[terms[0].dof] == tree) add_tendon(b, k, count, terms);
        abut_free(terms);
    }
}

/* Servos on balls, free bodies and frames: terms on all that moves them, whose coefficients a step fills in. */
static void add_servo(Build *b, int32_t actuator, const AbutSolverTree *tree, int32_t last) {
    int32_t count = tree->c->tree->dofs[last].depth;
    AbutRowTerm *terms = abut_alloc_array((size_t)count, sizeof *terms);
    b->good &= terms != NULL;
    for (int32_t k = 0, d = last; terms && k < count; ++k, d = tree->c->tree->dofs[d].parent)
        terms[k] = (AbutRowTerm){tree->first + d, NULL, 0.0};
    if (terms) add_row(b, ABUT_ROW_SERVO, actuator, count, terms);
    abut_free(terms);
}

static void add_servos(Build *b, int32_t tree) {
    const AbutModel *model = robot_now(b)->model;
    for (int32_t a = 0; a < model->actuator_count && b->good; ++a) {
        int32_t own, last = abut_servo_last(b->sim->scene, b->robot, a, &own);
        if (last >= 0 && own == tree) add_servo(b, a, &b->t->tree[tree], last);
    }
}

static void add_loss(Build *b, int32_t dof, double loss) {
    AbutRowTerm term = {dof, NULL, 1.0};
    b->t->loss[dof] = loss;
    if (loss > 0.0) add_row(b, ABUT_ROW_FRICTION, dof, 1, &term);
}

static void add_losses(Build *b, const AbutSolverTree *tree) {
    const AbutConfiguration *c = tree->c;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        static const int32_t velocities[] = {1, 1, 3, 6};
        double loss = move->joint >= 0 ? c->tree->model->joints[move->joint].friction_loss
                                       : c->tree->model->bodies[c->tree->links[move->link].body].friction_loss;
        for (int32_t k = 0; k < velocities[move->kind]; ++k) add_loss(b, tree->first + move->velocity + k, loss);
    }
}

static void add_limits(Build *b, int32_t tree) {
    const AbutSceneRobot *robot = robot_now(b);
    for (int32_t j = 0; j < robot->model->joint_count; ++j) {
        const AbutJointDef *def = &robot->model->joints[j];
        AbutRowTerm terms[3] = {joint_term(b, j, 0, 1.0)};
        if (!def->limited || b->t->tree_of[terms[0].dof] != tree) continue;
        if (def->kind == ABUT_JOINT_BALL) {
            terms[1] = joint_term(b, j, 1, 0.0);
            terms[2] = joint_term(b, j, 2, 0.0);
            add_row(b, ABUT_ROW_BALL, j, 3, terms);
            continue;
        }
        add_row(b, ABUT_ROW_LOW, j, 1, terms);
        terms[0].coefficient = -1.0;
        add_row(b, ABUT_ROW_HIGH, j, 1, terms);
    }
}

/* Rows of all trees, tree by tree: what couples joints first. */
static void add_rows(Build *b) {
    AbutTrees *t = b->t;
    b->row_room = b->term_room = b->dof_room = 0;
    for (int32_t i = 0; i < t->tree_count && b->good; ++i) {
        b->robot = b->sim->scene->robot_tree[i].robot;
        t->tree[i].first_row = b->row_room;
        add_couplings(b, i);
        add_tendons(b, i);
        add_servos(b, i);
        add_losses(b, &t->tree[i]);
        add_limits(b, i);
        t->tree[i].row_count = b->row_room - t->tree[i].first_row;
    }
}

static void take_rows(Build *b) {
    AbutTrees *t = b->t;
    add_rows(b);
    t->row_count = b->row_room;
    t->term_count = b->term_room;
    t->term = take(b, b->term_room, sizeof *t->term);
    t->row_dof = take(b, b->dof_room, sizeof *t->row_dof);
    t->row_y = take(b, b->dof_room, sizeof *t->row_y);
    AbutTreeRow *rows = take(b, b->row_room, sizeof *t->row);
    if (!b->good) return;
    t->row = rows;
    add_rows(b);
}

/* ---- joins ------------------------------------------------------------------------------------------------------- */

/* A frame of a body of the model: in the body of the scene from its center of mass, or in the world. */
static AbutPose frame_of(const Build *b, int32_t body, AbutPose frame, int32_t *place) {
    const AbutSceneRobot *robot = robot_now(b);
    *place = body >= 0 ? robot->body[body] : -1;
    if (body < 0) return abut_pose_mul(robot->at, frame);
    AbutPose pose = abut_pose_mul(robot->pose[body], frame);
    pose.p = abut_sub(pose.p, b->sim->scene->body[*place].local_center);
    return pose;
}

static int32_t depth_of(const Build *b, int32_t place) {
    const AbutBody *body = place >= 0 ? &b->sim->scene->body[place] : NULL;
    if (!body || body->tree < 0) return 0;
    const AbutConfiguration *c = b->t->tree[body->tree].c;
    return c->tree->dofs[c->tree->links[body->link].last].depth;
}

/* Speeds at which a join takes back its gap go with the smaller of what it holds. */
static void set_speeds(const Build *b, AbutJoin *join) {
    double size = INFINITY;
    for (int i = 0; i < 2; ++i) {
        const AbutBody *body = join->body[i] >= 0 ? &b->sim->scene->body[join->body[i]] : NULL;
        if (body && body->inv_mass > 0.0 && body->tree >= 0) size = abut_smaller(size, b->t->tree[body->tree].size);
    }
    size = isfinite(size) ? size / ABUT_TREE_SIZE : 1.0;
    join->speed = abut_scale_speed(&b->sim->def, size);
    join->turning = 1.0 / abut_scale_time(&b->sim->def, size);
}

static void add_joins(Build *b) {
    AbutTrees *t = b->t;
    for (b->robot = 0; b->robot < t->robot_count; ++b->robot) {
        const AbutModel *model = robot_now(b)->model;
        for (int32_t e = 0; e < model->equality_count; ++e) {
            const AbutEqualityDef *def = &model->equalities[e];
            if (def->kind == ABUT_EQUALITY_JOINT || def->inactive) continue;
            AbutJoin *join = &t->join[t->join_count];
            join->robot = b->robot;
            join->equality = e;
            join->rows = def->kind == ABUT_EQUALITY_WELD ? 6 : 3;
            join->frame[0] = frame_of(b, def->a, def->pose_a, &join->body[0]);
            join->frame[1] = frame_of(b, def->b, def->pose_b, &join->body[1]);
            join->first = t->fixed_columns;
            set_speeds(b, join);
            t->fixed_columns += depth_of(b, join->body[0]) + depth_of(b, join->body[1]);
            int moves = 0;
            for (int i = 0; i < 2; ++i)
                moves |= join->body[i] >= 0 && b->sim->scene->body[join->body[i]].inv_mass > 0.0;
            t->join_count += moves;
        }
    }
}

static void take_joins(Build *b) {
    int64_t most = 0;
    for (int32_t i = 0; i < b->t->robot_count; ++i) most += b->sim->scene->robot[i].model->equality_count;
    b->t->join = take(b, most, sizeof *b->t->join);
    b->t->island_join = take(b, most, sizeof *b->t->island_join);
    if (b->good) add_joins(b);
}

/* ---- controls ---------------------------------------------------------------------------------------------------- */

static void take_controls(Build *b, const AbutTrees *old) {
    AbutTrees *t = b->t;
    const AbutScene *scene = b->sim->scene;
    t->robot = take(b, t->robot_count, sizeof *t->robot);
    for (int32_t i = 0; i < t->robot_count && b->good; ++i) {
        t->robot[i] = (AbutDrivenRobot){t->control_count, t->torque_count};
        t->control_count += scene->robot[i].model->actuator_count;
        t->torque_count += scene->robot[i].velocity_count;
    }
    t->control = take(b, t->control_count, sizeof *t->control);
    t->activation = take(b, t->control_count, sizeof *t->activation);
    t->torque = take(b, t->torque_count, sizeof *t->torque);
    t->acceleration = take(b, t->torque_count, sizeof *t->acceleration);
    if (!old || !b->good) return;
    memcpy(t->control, old->control, (size_t)old->control_count * sizeof *t->control);
    memcpy(t->activation, old->activation, (size_t)old->control_count * sizeof *t->activation);
    memcpy(t->torque, old->torque, (size_t)old->torque_count * sizeof *t->torque);
    memcpy(t->acceleration, old->acceleration, (size_t)old->torque_count * sizeof *t->acceleration);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static AbutTrees *build(AbutSimulation *sim, const AbutTrees *old) {
    AbutTrees *t = abut_alloc(sizeof *t);
    if (!t) return NULL;
    memset(t, 0, sizeof *t);
    Build b = {.sim = sim, .t = t, .good = 1};
    t->robot_count = sim->scene->robot_count;
    t->tree = take(&b, sim->scene->robot_tree_count, sizeof *t->tree);
    for (int32_t i = 0; b.good && i < sim->scene->robot_tree_count; ++i) add_tree(&b, &sim->scene->robot_tree[i]);
    if (b.good) take_dofs(&b);
    if (b.good) take_rows(&b);
    if (b.good) take_joins(&b);
    if (b.good) take_controls(&b, old);
    if (b.good) return t;
    abut_trees_free(t);
    return NULL;
}

void abut_trees_free(AbutTrees *trees) {
    if (!trees) return;
    abut_free(trees->column);
    abut_free(trees->column_dof);
    abut_pool_free(&trees->pool);
    abut_free(trees);
}

AbutStatus abut_trees_follow(AbutSimulation *sim, AbutError *error) {
    int32_t robots = sim->scene->robot_count;
    if (robots == 1 && sim->scene->robot[0].passive) return ABUT_OK;
    if (robots == (sim->trees ? sim->trees->robot_count : 0)) return ABUT_OK;
    if (sim->model->solve_island)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "the contact model %s does not take robots", sim->model->name);
    AbutTrees *fresh = build(sim, sim->trees);
    if (!fresh) return abut_fail_memory(error);
    abut_trees_free(sim->trees);
    sim->trees = fresh;
    return ABUT_OK;
}
