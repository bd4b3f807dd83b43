/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Velocities of a scene that keep the equalities of its robots: couplings of joints, connect and weld. In: a scene as
 * it stands. Out: a basis Z with x = Z y, where the y are velocities of the scene that the others follow from.
 *
 * Each equality is one, three or six rows on x. They are brought to reduced form by Gauss and Jordan with the largest
 * pivot of what is left, in velocities scaled by the rows; a row that is then small is one that follows from others.
 */
#include "grasp/modes.h"
#include "mode/constraints.h"
#include "solve/vector.h"

#include <string.h>

static const double SMALL = 1e-9; /* of the largest entry of its row: follows from others */

typedef struct Rows {
    const AbutScene *scene;
    int *first;   /* per tree: its first velocity */
    int *body_at; /* per place: first velocity of a free body, -1: none */
    double *row;  /* count x dof */
    double *own;  /* Jacobian of a link in its tree */
    int *pivot;   /* per row: its velocity, -1: the row is empty */
    int count, dof;
} Rows;

static void free_rows(Rows *r) {
    abut_free(r->first);
    abut_free(r->body_at);
    abut_free(r->row);
    abut_free(r->own);
    abut_free(r->pivot);
}

static int row_count(const AbutEqualityDef *def) {
    return def->inactive ? 0 : def->kind == ABUT_EQUALITY_JOINT ? 1 : def->kind == ABUT_EQUALITY_CONNECT ? 3 : 6;
}

static int count_rows(const AbutScene *scene) {
    int count = 0;
    for (int32_t r = 0; r < scene->robot_count; ++r)
        for (int32_t e = 0; e < scene->robot[r].model->equality_count; ++e)
            count += row_count(&scene->robot[r].model->equalities[e]);
    return count;
}

static AbutStatus make_rows(const AbutScene *scene, int count, Rows *r, AbutError *error) {
    int at = 0, widest = 0;
    *r = (Rows){.scene = scene, .dof = abut_scene_mode_dof(scene)};
    for (int32_t t = 0; t < scene->robot_tree_count; ++t)
        widest = scene->robot_tree[t].configuration->tree->nv > widest ? scene->robot_tree[t].configuration->tree->nv
                                                                       : widest;
    r->first = abut_alloc_array((size_t)scene->robot_tree_count + 1, sizeof *r->first);
    r->body_at = abut_alloc_array((size_t)scene->body_places + 1, sizeof *r->body_at);
    r->row = abut_alloc_array((size_t)count * (size_t)r->dof + 1, sizeof *r->row);
    r->own = abut_alloc_array((size_t)widest + 1, 6 * sizeof *r->own);
    r->pivot = abut_alloc_array((size_t)count + 1, sizeof *r->pivot);
    if (!r->first || !r->body_at || !r->row || !r->own || !r->pivot) {
        free_rows(r);
        return abut_fail_memory(error);
    }
    memset(r->row, 0, (size_t)count * (size_t)r->dof * sizeof *r->row);
    for (int32_t i = 0; i < scene->body_places; ++i) r->body_at[i] = -1;
    for (int32_t i = 0; i < scene->live_count; ++i) {
        const AbutBody *body = &scene->body[scene->live[i]];
        if (body->tree >= 0 && body->link == 0)
            r->first[body->tree] = at;
        else if (body->tree < 0 && body->kind == ABUT_BODY_DYNAMIC)
            r->body_at[scene->live[i]] = at;
        at += abut_scene_mode_width(scene, body);
    }
    return ABUT_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static double *column_of(Rows *r, const AbutSceneRobot *robot, int32_t joint, double *row) {
    const AbutRobotMove *move = &robot->move[robot->move_of_joint[joint]];
    return &row[r->first[move->tree] + move->in_velocities];
}

/* dq_a = p'(q_b - ref_b) dq_b. */
static void put_coupling(Rows *r, const AbutSceneRobot *robot, const AbutEqualityDef *def, double *row) {
    *column_of(r, robot, def->a, row) += 1.0;
    if (def->b < 0) return;
    const AbutRobotMove *move = &robot->move[robot->move_of_joint[def->b]];
    double x = r->scene->robot_tree[move->tree].configuration->q[move->in_positions] -
               robot->model->joints[def->b].reference,
           slope = 0.0;
    for (int k = 4; k > 0; --k) slope = slope * x + k * def->polynomial[k];
    *column_of(r, robot, def->b, row) -= slope;
}

/* The body of the scene that a body of the model belongs to; NULL: the world. */
static const AbutBody *body_of(const Rows *r, const AbutSceneRobot *robot, int32_t body) {
    return body >= 0 ? &r->scene->body[robot->body[body]] : NULL;
}

static AbutVec3 anchor(const Rows *r, const AbutSceneRobot *robot, int32_t body, AbutPose local) {
    if (body < 0) return abut_pose_apply(robot->at, local.p);
    const AbutBody *b = body_of(r, robot, body);
    AbutVec3 in_body = abut_pose_apply(robot->pose[body], local.p);
    return abut_pose_apply(abut_body_pose(b), in_body);
}

/* Adds the twist of a body at a point to the first `count` of three rows of velocity and three of turning. */
static void add_twist(Rows *r, const AbutBody *body, AbutVec3 point, double sign, int count, double *rows) {
    if (!body) return;
    if (body->tree >= 0) {
        const AbutConfiguration *c = r->scene->robot_tree[body->tree].configuration;
        abut_configuration_jacobian(c, c->tree->links[body->link].body, point, r->own);
        for (int k = 0; k < count; ++k)
            for (int j = 0; j < c->tree->nv; ++j)
                rows[(size_t)k * (size_t)r->dof + (size_t)(r->first[body->tree] + j)] +=
                    sign * r->own[k * c->tree->nv + j];
        return;
    }
    int at = r->body_at[body - r->scene->body];
    if (at < 0) return;
    for (int j = 0; j < 6; ++j) {
        AbutVec3 w = j < 3 ? abut_zero() : abut_axis(j - 3);
        AbutVec3 v = j < 3 ? abut_axis(j) : abut_cross(w, abut_sub(point, body->x));
        for (int k = 0; k < count; ++k)
            rows[(size_t)k * (size_t)r->dof + (size_t)(at + j)] += sign * (k < 3 ? abut_get(v, k) : abut_get(w, k - 3));
    }
}

static void put_robot(Rows *r, const AbutSceneRobot *robot) {
    for (int32_t e = 0; e < robot->model->equality_count; ++e) {
        const AbutEqualityDef *def = &robot->model->equalities[e];
        double *row = r->row + (size_t)r->count * (size_t)r->dof;
        int count = row_count(def);
        r->count += count;
        if (count == 1) put_coupling(r, robot, def, row);
        if (count < 3) continue;
        AbutVec3 point = anchor(r, robot, def->a, def->pose_a);
        add_twist(r, body_of(r, robot, def->a), point, -1.0, count, row);
        add_twist(r, body_of(r, robot, def->b), point, 1.0, count, row);
    }
}

/* ---- reduced form ------------------------------------------------------------------------------------------------ */

/* Gives the number of rows that are left. */
static int reduce(Rows *r, double *size) {
    for (int i = 0; i < r->count; ++i) {
        size[i] = abut_row_largest(r->dof, r->row + i * r->dof);
        size[i] = size[i] > 0.0 ? size[i] : 1.0;
    }
    return abut_mode_rank(r->row, r->count, r->dof, SMALL, size, r->pivot);
}

/* Velocities that are no pivots are free; the others follow from them. */
static double *make_basis(const Rows *r, int rank, AbutError *error) {
    int free_count = r->dof - rank, at = 0;
    double *basis = abut_alloc_array((size_t)r->dof * (size_t)free_count + 1, sizeof *basis);
    if (!basis) {
        abut_fail_memory(error);
        return NULL;
    }
    memset(basis, 0, (size_t)r->dof * (size_t)free_count * sizeof *basis);
    for (int j = 0; j < r->dof; ++j) {
        int is_pivot = 0;
        for (int i = 0; i < rank; ++i) is_pivot |= r->pivot[i] == j;
        if (is_pivot) continue;
        basis[(size_t)j * (size_t)free_count + (size_t)at] = 1.0;
        for (int i = 0; i < rank; ++i)
            basis[(size_t)r->pivot[i] * (size_t)free_count + (size_t)at] = -r->row[i * r->dof + j];
        ++at;
    }
    return basis;
}

AbutStatus abut_scene_mode_basis(const AbutScene *scene, double **basis, int *count, AbutError *error) {
    ABUT_ASSERT(scene && basis && count);
    Rows r;
    int rows = count_rows(scene);
    *basis = NULL;
    *count = abut_scene_mode_dof(scene);
    if (rows == 0) return ABUT_OK;
    AbutStatus status = make_rows(scene, rows, &r, error);
    if (status != ABUT_OK) return status;
    for (int32_t i = 0; i < scene->robot_count; ++i) put_robot(&r, &scene->robot[i]);
    double *size = abut_alloc_array((size_t)rows, sizeof *size);
    int rank = size ? reduce(&r, size) : 0;
    *basis = size ? make_basis(&r, rank, error) : NULL;
    *count = r.dof - rank;
    abut_free(size);
    free_rows(&r);
    return *basis ? ABUT_OK : abut_fail_memory(error);
}
