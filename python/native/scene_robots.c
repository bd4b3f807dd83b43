/* SPDX-License-Identifier: Apache-2.0 */
/* Robots of a scene: their joints as arrays, controls, torques and forces of a simulation. */
#include <string.h>

#include "models.h"
#include "rooms.h"
#include "worlds.h"

/* The model of a robot of the scene; NULL with an exception. */
static const AbutModel *robot_model(const AbutScene *scene, PyObject *value, int *robot) {
    if (read_int(value, "robot", robot) != 0) return NULL;
    if (*robot >= 0 && *robot < abut_scene_robot_count(scene)) return abut_scene_robot_model(scene, *robot);
    raise_text(ABUT_ERROR_ARGUMENT, "robot: the scene has %d robots, got %d", abut_scene_robot_count(scene), *robot);
    return NULL;
}

static PyObject *scene_robot_count(PyObject *module, PyObject *value) {
    (void)module;
    SceneObject *scene = look_at_scene(value);
    return scene ? PyLong_FromLong(abut_scene_robot_count(scene->scene)) : NULL;
}

/* (scene, robot, number of a body of its model) -> body, or None where it has none of its own */
static PyObject *scene_robot_body(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    const AbutModel *model;
    int robot, number;
    if (expect_count("scene_robot_body", count, 3) != 0 || !(scene = look_at_scene(args[0])) ||
        !(model = robot_model(scene->scene, args[1], &robot)) || read_int(args[2], "body", &number) != 0)
        return NULL;
    if (number < 0 || number >= model->body_count)
        return raise_text(ABUT_ERROR_ARGUMENT, "body: expected 0 to %d, got %d", model->body_count - 1, number);
    AbutBodyId body = abut_scene_robot_body(scene->scene, robot, number);
    return body.index1 ? number_of_body(body) : Py_NewRef(Py_None);
}

/* (scene, robot) -> Model, a copy */
static PyObject *scene_robot_model(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    const AbutModel *model;
    AbutModel *copy = NULL;
    AbutError error;
    int robot;
    if (expect_count("scene_robot_model", count, 2) != 0 || !(scene = look_at_scene(args[0])) ||
        !(model = robot_model(scene->scene, args[1], &robot)))
        return NULL;
    return abut_model_copy(model, &copy, &error) == ABUT_OK ? model_take(copy) : raise_error(&error);
}

/* (scene, robot, keyframe) */
static PyObject *scene_set_keyframe(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    AbutError error;
    int robot, keyframe;
    if (expect_count("scene_set_keyframe", count, 3) != 0 || !(scene = read_scene(args[0])) ||
        !robot_model(scene->scene, args[1], &robot) || read_int(args[2], "keyframe", &keyframe) != 0)
        return NULL;
    return none_or_raise(abut_scene_set_keyframe(scene->scene, robot, keyframe, &error), &error);
}

/* (scene, robot) -> (positions, velocities) */
static PyObject *scene_get_joints(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    const AbutModel *model;
    NewArray q, v;
    int robot;
    if (expect_count("scene_get_joints", count, 2) != 0 || !(scene = look_at_scene(args[0])) ||
        !(model = robot_model(scene->scene, args[1], &robot)))
        return NULL;
    const Py_ssize_t nq = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS),
                     nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    if (begin_array_of("f8", 1, &nq, &q) != 0) return NULL;
    if (begin_array_of("f8", 1, &nv, &v) != 0) return cancel_array(&q), NULL;
    abut_scene_get_joints(scene->scene, robot, q.data, v.data);
    return Py_BuildValue("(NN)", end_array(&q), end_array(&v));
}

/* (scene, robot, positions, velocities or None) */
static PyObject *scene_set_joints(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SceneObject *scene;
    const AbutModel *model;
    AbutError error;
    Doubles q, v = {0};
    int robot;
    if (expect_count("scene_set_joints", count, 4) != 0 || !(scene = read_scene(args[0])) ||
        !(model = robot_model(scene->scene, args[1], &robot)) ||
        read_vector(args[2], "q", abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), &q) != 0)
        return NULL;
    if (args[3] != Py_None &&
        read_vector(args[3], "v", abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), &v) != 0)
        return release_doubles(&q), NULL;
    AbutStatus status =
        abut_scene_set_joints(scene->scene, robot, (int32_t)q.count, q.data, (int32_t)v.count, v.data, &error);
    release_doubles(&q);
    release_doubles(&v);
    return none_or_raise(status, &error);
}

/* (simulation, robot, numbers, 0: controls, 1: torques, 2: activations) */
static PyObject *simulation_drive(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    const AbutModel *model;
    AbutError error;
    Doubles d;
    int robot, which;
    static const char *const names[] = {"controls", "torques", "activations"};
    static const int lists[] = {ABUT_NUMBERS_FORCES, ABUT_NUMBERS_VELOCITIES, ABUT_NUMBERS_ACTIVATIONS};
    static AbutStatus (*const set[])(AbutSimulation *, int32_t, int32_t, const double *, AbutError *) = {
        abut_simulation_set_control, abut_simulation_set_torque, abut_simulation_set_activation};
    if (expect_count("simulation_drive", count, 4) != 0 || !(self = look_at_simulation(args[0])) ||
        !(model = robot_model(self->scene->scene, args[1], &robot)) || read_int(args[3], "which", &which) != 0 ||
        read_vector(args[2], names[which], abut_model_number_count(model, lists[which]), &d) != 0)
        return NULL;
    AbutStatus status = set[which](self->simulation, robot, (int32_t)d.count, d.data, &error);
    release_doubles(&d);
    return none_or_raise(status, &error);
}

/* (simulation, robot) */
static PyObject *simulation_get_control(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    const AbutModel *model;
    NewArray out;
    int robot;
    if (expect_count("simulation_get_control", count, 2) != 0 || !(self = look_at_simulation(args[0])) ||
        !(model = robot_model(self->scene->scene, args[1], &robot)))
        return NULL;
    const Py_ssize_t n = model->actuator_count;
    if (begin_array_of("f8", 1, &n, &out) != 0) return NULL;
    abut_simulation_get_control(self->simulation, robot, out.data);
    return end_array(&out);
}

/* (simulation, robot) -> (sensor_values,) */
static PyObject *simulation_get_sensors(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    const AbutModel *model;
    AbutError error;
    NewArray out;
    int robot;
    if (expect_count("simulation_get_sensors", count, 2) != 0 || !(self = look_at_simulation(args[0])) ||
        !(model = robot_model(self->scene->scene, args[1], &robot)))
        return NULL;
    const Py_ssize_t n = model->sensor_values;
    if (begin_array_of("f8", 1, &n, &out) != 0) return NULL;
    if (abut_simulation_get_sensors(self->simulation, robot, out.data, &error) == ABUT_OK) return end_array(&out);
    cancel_array(&out);
    return raise_error(&error);
}

/* (simulation, body, force, torque) */
static PyObject *simulation_set_force(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    AbutBodyId body;
    AbutVec3 force, torque;
    AbutError error;
    if (expect_count("simulation_set_force", count, 4) != 0 || !(self = look_at_simulation(args[0])) ||
        read_body_id(args[1], &body) != 0 || read_vec3(args[2], "force", &force) != 0 ||
        read_vec3(args[3], "torque", &torque) != 0)
        return NULL;
    return none_or_raise(abut_simulation_set_force(self->simulation, body, force, torque, &error), &error);
}

/* (simulation, robot) -> (actuator, limit, friction, equality (n, 6), tendon, activation) */
static PyObject *simulation_robot_forces(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    SimulationObject *self;
    const AbutModel *model;
    NewArray out[6];
    int robot, begun = 0;
    if (expect_count("simulation_robot_forces", count, 2) != 0 || !(self = look_at_simulation(args[0])) ||
        !(model = robot_model(self->scene->scene, args[1], &robot)))
        return NULL;
    const Py_ssize_t nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    const Py_ssize_t shapes[6][2] = {{model->actuator_count, 0}, {nv, 0}, {nv, 0}, {model->equality_count, 6},
        {model->tendon_count, 0}, {abut_model_number_count(model, ABUT_NUMBERS_ACTIVATIONS), 0}};
    while (begun < 6 && begin_array_of("f8", begun == 3 ? 2 : 1, shapes[begun], &out[begun]) == 0) {
        memset(out[begun].data, 0, (size_t)out[begun].view.len);
        ++begun;
    }
    if (begun < 6) {
        while (begun > 0) cancel_array(&out[--begun]);
        return NULL;
    }
    AbutRobotForces forces = {.actuator = out[0].data,
        .limit = out[1].data,
        .friction = out[2].data,
        .equality = out[3].data,
        .tendon = out[4].data,
        .activation = out[5].data};
    abut_simulation_get_robot_forces(self->simulation, robot, &forces);
    return Py_BuildValue("(NNNNNN)", end_array(&out[0]), end_array(&out[1]), end_array(&out[2]), end_array(&out[3]),
        end_array(&out[4]), end_array(&out[5]));
}

PyMethodDef scene_robot_functions[] = {
    {"scene_robot_count", scene_robot_count, METH_O, NULL},
    FAST("scene_robot_body", scene_robot_body),
    FAST("scene_robot_model", scene_robot_model),
    FAST("scene_set_keyframe", scene_set_keyframe),
    FAST("scene_get_joints", scene_get_joints),
    FAST("scene_set_joints", scene_set_joints),
    FAST("simulation_drive", simulation_drive),
    FAST("simulation_get_control", simulation_get_control),
    FAST("simulation_get_sensors", simulation_get_sensors),
    FAST("simulation_set_force", simulation_set_force),
    FAST("simulation_robot_forces", simulation_robot_forces),
    {NULL, NULL, 0, NULL},
};
