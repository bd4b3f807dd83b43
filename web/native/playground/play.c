/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scene, steps and settings of the playground, and what a hand does to it. In: calls of the page. Out: a simulation
 * that takes the very steps `abut simulate` takes, so that the hash of its state is the same until something is
 * changed.
 */
#include "play.h"
#include "abut/literature.h"

#include <string.h>

Play play = {.dragged = -1};

enum { DEFAULT_STEP_US = 1000 };

int play_result(AbutStatus status, const AbutError *error) {
    if (status == ABUT_OK) return 1;
    snprintf(play.text, sizeof play.text, "%s", error->text);
    return 0;
}

double *play_room(int64_t count) {
    if (count > play.number_room) {
        double *numbers = abut_alloc_array((size_t)count * 2, sizeof *numbers);
        if (!numbers) return NULL;
        abut_free(play.numbers);
        play.numbers = numbers;
        play.number_room = count * 2;
    }
    return play.numbers;
}

char *play_text(void) { return play.text; }

static AbutStatus no_scene(AbutError *error) { return abut_fail(error, ABUT_ERROR_ARGUMENT, "there is no scene yet"); }

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

int play_slots(void) { return play.bodies + PLAY_BALLS; }

AbutBodyId play_body(int slot) {
    AbutBodyId none = {0};
    if (!play.scene || slot < 0 || slot >= play_slots()) return none;
    return slot < play.bodies ? abut_scene_body_at(play.scene, slot) : play.ball[slot - play.bodies];
}

int play_slot(AbutBodyId body) {
    for (int i = 0; i < PLAY_BALLS; ++i)
        if (body.index1 && body.index1 == play.ball[i].index1 && body.generation == play.ball[i].generation)
            return play.bodies + i;
    /* Bodies of the scene stay in their places, and nothing before them is ever removed. */
    return (int)body.index1 <= play.bodies ? (int)body.index1 - 1 : -1;
}

/* ---- scene ------------------------------------------------------------------------------------------------------- */

/* A scene from the model, and its simulation, with the settings of play.def. */
static AbutStatus start(const AbutModel *model, AbutScene **scene, AbutSimulation **simulation, AbutError *error) {
    AbutStatus status = abut_scene_create(scene, error);
    if (status == ABUT_OK) status = abut_scene_add_model(*scene, model, abut_pose_identity(), NULL, error);
    return status == ABUT_OK ? abut_simulation_create(*scene, &play.def, simulation, error) : status;
}

int play_load(unsigned seed) {
    AbutModel *model = NULL;
    AbutScene *scene = NULL;
    AbutSimulation *simulation = NULL;
    AbutError error;
    AbutSimulationDef before = play.def;
    abut_literature_register();
    play.text[PLAY_TEXT] = '\0';
    AbutStatus status = abut_model_build(play.text, seed, &model, &error);
    if (status == ABUT_OK) {
        play.def = abut_simulation_default();
        play.def.gravity = model->gravity;
        status = start(model, &scene, &simulation, &error);
    }
    if (status != ABUT_OK) {
        play.def = before;
        abut_simulation_free(simulation);
        abut_scene_free(scene);
        abut_model_free(model);
        return play_result(status, &error);
    }
    AbutSimulationDef def = play.def;
    play_unload();
    play.def = def;
    play.friction = -1.0;
    play.model = model;
    play.scene = scene;
    play.simulation = simulation;
    play.step = model->timestep > 0.0 ? model->timestep : DEFAULT_STEP_US * 1e-6;
    play.bodies = abut_scene_body_count(scene);
    abut_simulation_energy(simulation, &play.report.kinetic, &play.report.potential);
    return 1;
}

void play_unload(void) {
    abut_simulation_free(play.simulation);
    abut_scene_free(play.scene);
    abut_model_free(play.model);
    abut_json_free(&play.json);
    abut_free(play.numbers);
    memset(&play, 0, sizeof play);
    play.dragged = -1;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Critically damped, and as strong as it takes to lift what lies on it: at most 60 times its weight. */
static AbutStatus pull(AbutError *error) {
    const double rate = 18.0, most = 600.0; /* 1/s, m/s^2 */
    AbutBodyState s;
    if (!abut_scene_get_body(play.scene, play_body(play.dragged), &s)) return play.dragged = -1, ABUT_OK;
    AbutVec3 at = abut_pose_apply(s.pose, play.hold);
    AbutVec3 v = abut_add(s.velocity, abut_cross(s.spin, abut_sub(at, s.center)));
    AbutVec3 a = abut_sub(abut_scale(abut_sub(play.to, at), rate * rate), abut_scale(v, 2.0 * rate));
    double size = abut_length(a);
    if (size > most) a = abut_scale(a, most / size);
    AbutVec3 turning = abut_scale(abut_mat3_apply(s.inertia, abut_quat_rotate_inv(s.pose.q, s.spin)), -rate * 0.5);
    AbutStatus status = abut_scene_add_force(play.scene, play_body(play.dragged), abut_scale(a, s.mass), at, error);
    if (status == ABUT_OK)
        status = abut_scene_add_torque(play.scene, play_body(play.dragged), abut_quat_rotate(s.pose.q, turning), error);
    return status;
}

int play_step(int count) {
    int done = 0;
    AbutError error;
    AbutStatus status = play.simulation ? ABUT_OK : no_scene(&error);
    for (; status == ABUT_OK && done < count; ++done) {
        if (play.dragged >= 0) status = pull(&error);
        if (status == ABUT_OK) status = abut_simulation_step(play.simulation, play.step, &play.report, &error);
        if (status != ABUT_OK) break;
        play.steps += 1;
    }
    play_result(status, &error);
    return done;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Another simulation of the same scene: what moves goes on, what rests and presses begins anew. */
static AbutStatus restart(const AbutSimulationDef *def, AbutError *error) {
    AbutSimulation *simulation = NULL;
    ABUT_TRY(abut_simulation_create(play.scene, def, &simulation, error));
    abut_simulation_free(play.simulation);
    play.simulation = simulation;
    play.def = *def;
    return ABUT_OK;
}

int play_set_model(int model) {
    AbutSimulationDef def = play.def;
    AbutError error;
    if (!play.scene || model < 0 || model >= ABUT_CONTACT_MODEL_COUNT)
        return play_result(abut_fail(&error, ABUT_ERROR_ARGUMENT, "there is no such contact model"), &error);
    def.model = model;
    return play_result(restart(&def, &error), &error);
}

int play_set_step(double seconds) {
    AbutError error;
    if (!(seconds >= 1e-6 && seconds <= 0.1))
        return play_result(
            abut_fail(&error, ABUT_ERROR_ARGUMENT, "expected a step between 1e-6 and 0.1 s, got %g", seconds), &error);
    play.step = seconds;
    return 1;
}

/* Before the first step it is a setting, as of `abut simulate --gravity`; later it is part of the state. */
int play_set_gravity(double x, double y, double z) {
    AbutError error;
    AbutStatus status = play.simulation ? ABUT_OK : no_scene(&error);
    AbutSimulationDef def = play.def;
    def.gravity = abut_vec3(x, y, z);
    if (status == ABUT_OK)
        status =
            play.steps == 0 ? restart(&def, &error) : abut_simulation_set_gravity(play.simulation, def.gravity, &error);
    if (status == ABUT_OK) {
        play.def.gravity = def.gravity;
        abut_simulation_energy(play.simulation, &play.report.kinetic, &play.report.potential);
    }
    return play_result(status, &error);
}

static AbutStatus set_friction(AbutBodyId body, double friction, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < abut_scene_shape_count(play.scene, body) && status == ABUT_OK; ++i) {
        AbutShapeId id = abut_scene_shape_at(play.scene, body, i);
        AbutShapeDef shape;
        if (!abut_scene_get_shape(play.scene, id, &shape, NULL)) continue;
        shape.material.friction = friction;
        shape.material.friction_kinetic = -1.0;
        status = abut_scene_set_material(play.scene, id, &shape.material, error);
    }
    if (status == ABUT_OK) abut_scene_wake(play.scene, body, error); /* refused where there is nothing to wake */
    return status;
}

int play_set_friction(double friction) {
    AbutError error;
    AbutStatus status = play.scene ? ABUT_OK : no_scene(&error);
    for (int i = 0; status == ABUT_OK && i < abut_scene_body_count(play.scene); ++i)
        status = set_friction(abut_scene_body_at(play.scene, i), friction, &error);
    if (status == ABUT_OK) play.friction = friction;
    return play_result(status, &error);
}

/* ---- hands ------------------------------------------------------------------------------------------------------- */

int play_drag(int slot, double x, double y, double z, double to_x, double to_y, double to_z) {
    AbutError error;
    AbutBodyState state;
    AbutVec3 hold = abut_vec3(x, y, z), to = abut_vec3(to_x, to_y, to_z);
    if (!play.scene || !abut_scene_get_body(play.scene, play_body(slot), &state) || !(state.mass > 0.0))
        return play_result(abut_fail(&error, ABUT_ERROR_ARGUMENT, "there is no body that could be dragged"), &error);
    if (!abut_is_finite(hold) || !abut_is_finite(to))
        return play_result(abut_fail(&error, ABUT_ERROR_NUMBER, "expected a finite place to drag it to"), &error);
    play.dragged = slot;
    play.hold = hold;
    play.to = to;
    abut_scene_wake(play.scene, play_body(slot), &error);
    return 1;
}

void play_let_go(void) { play.dragged = -1; }

int play_push(int slot, double x, double y, double z, double jx, double jy, double jz) {
    AbutError error;
    AbutStatus status = play.scene ? abut_scene_add_impulse(
                                         play.scene, play_body(slot), abut_vec3(jx, jy, jz), abut_vec3(x, y, z), &error)
                                   : no_scene(&error);
    return play_result(status, &error);
}

int play_throw(double radius, double mass, double x, double y, double z, double vx, double vy, double vz) {
    AbutError error;
    AbutBodyDef def = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    int at = play.thrown % PLAY_BALLS;
    AbutBodyId ball = {0};
    char name[16];
    snprintf(name, sizeof name, "ball%d", at);
    def.name = name;
    def.pose.p = abut_vec3(x, y, z);
    def.velocity = abut_vec3(vx, vy, vz);
    shape.form.kind = ABUT_SHAPE_SPHERE;
    shape.material.friction = play.friction >= 0.0 ? play.friction : shape.material.friction;
    shape.form.size = abut_vec3(radius, radius, radius);
    shape.density = mass / (4.0 / 3.0 * ABUT_PI * radius * radius * radius);
    if (!play.scene) return play_result(no_scene(&error), &error) - 1;
    if (!play_result(abut_scene_add_body(play.scene, &def, &ball, &error), &error)) return -1;
    if (!play_result(abut_scene_add_shape(play.scene, ball, &shape, NULL, &error), &error)) {
        abut_scene_remove_body(play.scene, ball, &error);
        return -1;
    }
    if (play.ball[at].index1) abut_scene_remove_body(play.scene, play.ball[at], &error);
    if (play.dragged == play.bodies + at) play.dragged = -1;
    play.ball[at] = ball;
    play.thrown += 1;
    return play.bodies + at;
}
