/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots that act: time per step of 1 ms over a whole run. A gripper takes up a box and holds it, an arm pushes a box
 * over the floor, a biped without servos falls. MuJoCo does the same with the same bodies and controls. Failed: the box
 * is not held, it was not pushed far enough, the biped is not on the floor, or fell through it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/robot_peer.h"

static const BenchStandPeer *const peers[] = {
#ifdef BENCH_HAVE_STAND_MUJOCO
    &bench_stand_mujoco,
#endif
    NULL};

enum { MOST_STEPS = 4000, MOST_CONTROLS = 32, MOST_POSITIONS = 64 };
static const double DT = 1e-3;

/* A run: where all begins, what the servos are told, and a number that has to be within bounds at the end. */
typedef struct Act {
    AbutModel *model;
    int steps, controls, positions;
    double q[MOST_POSITIONS];
    double (*u)[MOST_CONTROLS]; /* [steps]; NULL: no servos */
    int place;
    double least, most;
} Act;

typedef struct Acting {
    const Act *act;
    AbutScene *scene;
    AbutSimulation *simulation;
    const BenchStandPeer *peer; /* NULL: abut */
    void *state;
    double end;
} Acting;

/* ---- the runs ---------------------------------------------------------------------------------------------------- */

static void begin(Act *a, int steps) {
    const AbutTree *tree;
    AbutConfiguration *c;
    AbutError error;
    a->steps = steps;
    bench_require(abut_tree_create(a->model, &tree, &error), &error);
    bench_require(abut_configuration_create(tree, &c, &error), &error);
    abut_tree_release(tree);
    a->positions = abut_configuration_position_count(c);
    memcpy(a->q, abut_configuration_positions(c), (size_t)a->positions * sizeof *a->q);
    abut_configuration_free(c);
    a->controls = a->model->actuator_count;
    a->u = a->controls ? bench_memory((size_t)steps, sizeof *a->u) : NULL;
}

/* A built-in robot without its keyframes, and without its servos where those are not wanted. */
static AbutModel *copy_robot(const char *name, int servos) {
    AbutModel *from, *to;
    AbutError error;
    bench_require(abut_model_build(name, 1, &from, &error), &error);
    bench_require(abut_model_create(&to, &error), &error);
    for (int32_t i = 0; i < from->body_count; ++i)
        bench_require(abut_model_add_body(to, &from->bodies[i], NULL, &error), &error);
    for (int32_t i = 0; i < from->shape_count; ++i)
        bench_require(abut_model_add_shape(to, &from->shapes[i], NULL, &error), &error);
    for (int32_t i = 0; i < from->joint_count; ++i)
        bench_require(abut_model_add_joint(to, &from->joints[i], NULL, &error), &error);
    for (int32_t i = 0; i < from->pair_count; ++i)
        bench_require(abut_model_add_pair(to, &from->pairs[i], NULL, &error), &error);
    for (int32_t i = 0; i < from->actuator_count && servos; ++i)
        bench_require(abut_model_add_actuator(to, &from->actuators[i], NULL, &error), &error);
    abut_model_free(from);
    return to;
}

/* Down, close, up, hold. */
static Act make_grasp(void) {
    Act a = {.place = 2, .least = 0.1, .most = 1.0};
    AbutError error;
    bench_require(abut_model_build("gripper", 1, &a.model, &error), &error);
    begin(&a, 4000);
    for (int i = 0; i < a.steps; ++i) {
        a.u[i][0] = i < 1500 ? -0.13 : 0.1;
        a.u[i][1] = i < 1000 ? 0.02 : -0.04;
    }
    return a;
}

static void add_box(AbutModel *model, AbutVec3 at, AbutVec3 half, double mass) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    AbutVec3 i = abut_vec3(
        half.y * half.y + half.z * half.z, half.x * half.x + half.z * half.z, half.x * half.x + half.y * half.y);
    body.name = "pushed", body.kind = ABUT_BODY_DYNAMIC, body.pose.p = at;
    body.mass = mass, body.inertia = abut_mat3_diagonal(mass * i.x / 3.0, mass * i.y / 3.0, mass * i.z / 3.0);
    bench_require(abut_model_add_body(model, &body, &shape.body, &error), &error);
    shape.form.size = half;
    bench_require(abut_model_add_shape(model, &shape, NULL, &error), &error);
}

/* The tool goes back, comes down before the box and goes ahead; its way by inverse kinematics. */
static void plan_push(Act *a) {
    const AbutTree *tree;
    AbutConfiguration *c;
    AbutIkTask task = abut_ik_task_default();
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    AbutError error;
    bench_require(abut_tree_create(a->model, &tree, &error), &error);
    bench_require(abut_configuration_create(tree, &c, &error), &error);
    abut_tree_release(tree);
    for (int32_t b = 0; b < a->model->body_count; ++b)
        if (strcmp(a->model->bodies[b].name, "flange") == 0) task.body = b;
    task.kind = ABUT_IK_POSITION;
    a->q[1] = 0.8, a->q[2] = 0.8;
    bench_require(abut_configuration_set(c, a->positions, a->q, 0, NULL, &error), &error);
    AbutVec3 start = abut_configuration_body_pose(c, task.body).p, above = abut_vec3(0.35, 0.0, 0.35),
             low = abut_vec3(0.35, 0.0, 0.06);
    for (int i = 0; i < a->steps; ++i) {
        double back = fmin(1.0, i / 500.0), down = fmax(0.0, fmin(1.0, (i - 500) / 500.0)),
               ahead = fmax(0.0, (i - 1000) / 2000.0);
        task.target.p = abut_add(abut_lerp(abut_lerp(start, above, back), low, down), abut_vec3(0.3 * ahead, 0.0, 0.0));
        bench_require(abut_configuration_ik(c, 1, &task, &settings, &result, &error), &error);
        memcpy(a->u[i], abut_configuration_positions(c), (size_t)a->controls * sizeof(double));
    }
    abut_configuration_free(c);
}

static Act make_push(void) {
    Act a = {.place = 6, .least = 0.62, .most = 1.0};
    a.model = copy_robot("arm6", 1);
    add_box(a.model, abut_vec3(0.55, 0.0, 0.05), abut_vec3(0.08, 0.08, 0.05), 0.3);
    begin(&a, 3000);
    plan_push(&a);
    return a;
}

/* Bodies, shapes and joints alone, turned and bent, 0.5 m above where it would stand. */
static Act make_fall(void) {
    Act a = {.place = 2, .least = 0.0, .most = 0.5};
    AbutRng rng = abut_rng(71, 1);
    a.model = copy_robot("biped", 0);
    begin(&a, 3000);
    AbutQuat turn = abut_random_quat(&rng);
    a.q[2] += 0.5, a.q[3] = turn.w, a.q[4] = turn.x, a.q[5] = turn.y, a.q[6] = turn.z;
    for (int k = 7; k < a.positions; ++k) a.q[k] = abut_rng_between(&rng, -0.1, 0.1);
    return a;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void open_abut(Acting *x) {
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    bench_require(abut_scene_create(&x->scene, &error), &error);
    bench_require(abut_scene_add_model(x->scene, x->act->model, abut_pose_identity(), NULL, &error), &error);
    bench_require(abut_simulation_create(x->scene, &def, &x->simulation, &error), &error);
}

static void close_abut(Acting *x) {
    abut_simulation_free(x->simulation);
    abut_scene_free(x->scene);
}

/* From the start to the end. */
static void run_abut(Acting *x) {
    const Act *a = x->act;
    AbutStepReport report;
    AbutError error;
    double q[MOST_POSITIONS], v[MOST_POSITIONS] = {0};
    int velocities = a->model->joint_count;
    for (int32_t b = 0; b < a->model->body_count; ++b)
        velocities += a->model->bodies[b].kind == ABUT_BODY_DYNAMIC ? 6 : 0;
    bench_require(abut_scene_set_joints(x->scene, 0, a->positions, a->q, velocities, v, &error), &error);
    for (int i = 0; i < a->steps; ++i) {
        if (a->u) bench_require(abut_simulation_set_control(x->simulation, 0, a->controls, a->u[i], &error), &error);
        bench_require(abut_simulation_step(x->simulation, DT, &report, &error), &error);
    }
    abut_scene_get_joints(x->scene, 0, q, NULL);
    x->end = q[a->place];
}

static void run_peer(Acting *x) {
    const Act *a = x->act;
    x->peer->reset(x->state, a->q);
    for (int i = 0; i < a->steps; ++i) {
        if (a->u) x->peer->control(x->state, a->u[i]);
        (void)x->peer->step(x->state);
    }
    x->end = x->peer->look(x->state, a->place);
}

static void run_once(void *user) {
    Acting *x = user;
    if (x->peer)
        run_peer(x);
    else
        run_abut(x);
}

static void time_run(BenchRun *run, Acting *x, const char *engine, int own) {
    BenchProbe probe = {run_once, x, x->act->steps, 0.0};
    bench_time(run, &probe, 1);
    BenchRow row = {engine, probe.ns, x->act->steps, -1, -1, !(x->end >= x->act->least && x->end <= x->act->most), own};
    bench_row(run, &row);
}

static void run_act(BenchRun *run, int parameter) {
    Act act = parameter == 0 ? make_grasp() : parameter == 1 ? make_push() : make_fall();
    Acting x = {.act = &act};
    open_abut(&x);
    time_run(run, &x, "abut", 1);
    close_abut(&x);
    for (const BenchStandPeer *const *peer = peers; *peer; ++peer) {
        Acting y = {.act = &act, .peer = *peer};
        y.state = y.peer->open(act.model, 1, 0.0);
        time_run(run, &y, y.peer->name, 0);
        y.peer->close(y.state);
    }
    free(act.u);
    abut_model_free(act.model);
}

static const BenchCase cases[] = {
    {"robot/grasp/gripper", run_act, 0}, {"robot/push/arm6", run_act, 1}, {"robot/fall/biped", run_act, 2}};

const BenchList bench_act_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
