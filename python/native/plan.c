/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: what of a robot must not meet what, and the nearest pair at a posture. */
#include <string.h>

#include "bodies.h"
#include "models.h"
#include "abut/literature.h"
#include "problems.h"
#include "records.h"
#include "robots.h"
#include "rooms.h"

static PyTypeObject *problem_type;

static void problem_dealloc(PyObject *self) {
    ProblemObject *object = (ProblemObject *)self;
    abut_plan_problem_free(object->problem);
    Py_XDECREF(object->robot);
    Py_XDECREF(object->obstacles);
    Py_XDECREF(object->meshes);
    free_object(self);
}

ProblemObject *read_problem(PyObject *value) {
    if (!PyObject_TypeCheck(value, problem_type))
        return PyErr_Format(PyExc_TypeError, "problem: expected an abut.PlanProblem, got %R", value), NULL;
    return (ProblemObject *)value;
}

static const DefField def_fields[] = {
    DEF(AbutPlanDef, margin, DEF_REAL),
    DEF(AbutPlanDef, neighbors, DEF_INT),
    DEF(AbutPlanDef, support, DEF_INT),
    DEF(AbutPlanDef, other_foot, DEF_INT),
    DEF(AbutPlanDef, balance, DEF_FLAG),
    DEF(AbutPlanDef, balance_margin, DEF_REAL),
    DEF(AbutPlanDef, capsules, DEF_FLAG),
};

static const DefTable def_table = DEF_TABLE("problem", def_fields);

/* The part of the settings in memory of the caller. */
typedef struct Held {
    Py_buffer held, left_out, only, added, windows;
    Doubles coupling, offset, limits;
    Doubles corners, joint_limits, radii;
} Held;

static void release_held(Held *h) {
    PyBuffer_Release(&h->held);
    PyBuffer_Release(&h->left_out);
    PyBuffer_Release(&h->only);
    PyBuffer_Release(&h->added);
    PyBuffer_Release(&h->windows);
    release_doubles(&h->coupling);
    release_doubles(&h->offset);
    release_doubles(&h->limits);
    release_doubles(&h->corners);
    release_doubles(&h->joint_limits);
    release_doubles(&h->radii);
}

/* (held u1, left_out i4 (n, 2), only i4 (n, 2), coupling (joints, k), offset (joints,), limits (2, k)); what is None
 * or empty is not stated. */
static int read_held(PyObject *const *args, int32_t joints, Held *h, AbutPlanDef *def) {
    memset(h, 0, sizeof *h);
    if (PyObject_GetBuffer(args[0], &h->held, PyBUF_C_CONTIGUOUS) != 0 ||
        PyObject_GetBuffer(args[1], &h->left_out, PyBUF_C_CONTIGUOUS) != 0 ||
        PyObject_GetBuffer(args[2], &h->only, PyBUF_C_CONTIGUOUS) != 0)
        return release_held(h), -1;
    def->held = h->held.len == joints && joints > 0 ? h->held.buf : NULL;
    def->left_out = h->left_out.buf, def->left_out_count = (int32_t)(h->left_out.len / (Py_ssize_t)sizeof *def->only);
    def->only = h->only.buf, def->only_count = (int32_t)(h->only.len / (Py_ssize_t)sizeof *def->only);
    if (args[3] == Py_None) return 0;
    if (read_matrix(args[3], "coupling", joints, -1, &h->coupling) != 0 ||
        read_vector(args[4], "offset", joints, &h->offset) != 0 ||
        (args[5] != Py_None && read_matrix(args[5], "limits", 2, h->coupling.shape[1], &h->limits) != 0))
        return release_held(h), -1;
    def->coordinate_count = (int32_t)h->coupling.shape[1];
    def->coupling = h->coupling.data, def->offset = h->offset.data;
    if (args[5] != Py_None) def->lower = h->limits.data, def->upper = h->limits.data + h->coupling.shape[1];
    return 0;
}

/* (corners (n, 3), limits of the joints (joints, 5): lower, upper, speed, acceleration, torque; radii (bodies,)); what
 * is None is not stated. */
static int read_limits(PyObject *const *args, const AbutModel *model, Held *h, AbutPlanDef *def) {
    if ((args[0] != Py_None && read_matrix(args[0], "corners", -1, 3, &h->corners) != 0) ||
        (args[1] != Py_None && read_matrix(args[1], "joint_limits", model->joint_count, 5, &h->joint_limits) != 0) ||
        (args[2] != Py_None && read_vector(args[2], "radii", model->body_count, &h->radii) != 0))
        return release_held(h), -1;
    if (args[0] != Py_None) {
        def->corner_count = (int32_t)h->corners.shape[0];
        def->corners = (const AbutVec3 *)(const void *)h->corners.data;
    }
    def->limits = args[1] == Py_None ? NULL : (const AbutPlanJointLimits *)(const void *)h->joint_limits.data;
    def->radii = args[2] == Py_None ? NULL : h->radii.data;
    return 0;
}

/* (added i4 (n, 2), windows: rows of i4, i4, f8, f8) */
static int read_more_pairs(PyObject *const *args, Held *h, AbutPlanDef *def) {
    if (PyObject_GetBuffer(args[0], &h->added, PyBUF_C_CONTIGUOUS) != 0 ||
        PyObject_GetBuffer(args[1], &h->windows, PyBUF_C_CONTIGUOUS) != 0)
        return release_held(h), -1;
    def->added = h->added.buf, def->added_count = (int32_t)(h->added.len / (Py_ssize_t)sizeof *def->added);
    def->windows = h->windows.buf, def->window_count = (int32_t)(h->windows.len / (Py_ssize_t)sizeof *def->windows);
    return 0;
}

static PyObject *problem_take(
    AbutPlanProblem *problem, PyObject *robot, PyObject *obstacles, PyObject *meshes, int32_t joints) {
    ProblemObject *self = PyObject_New(ProblemObject, problem_type);
    if (!self) return abut_plan_problem_free(problem), NULL;
    self->problem = problem;
    self->robot = Py_NewRef(robot), self->obstacles = Py_NewRef(obstacles), self->meshes = Py_NewRef(meshes);
    self->joints = joints;
    if (obstacles != Py_None) ((ModelObject *)obstacles)->frozen = 1;
    return (PyObject *)self;
}

/* ---- obstacles of triangles --------------------------------------------------------------------------------------- */

static const char MESHES[] = "abut.plan_meshes";

static void free_meshes(PyObject *capsule) {
    AbutPlanObstacles *obstacles = PyCapsule_GetPointer(capsule, MESHES);
    abut_plan_obstacles_free(obstacles);
    abut_free(obstacles);
}

/* The meshes of obstacles, whose model lives elsewhere. Takes what it is given. */
static PyObject *meshes_take(AbutPlanObstacles *made) {
    AbutPlanObstacles *kept = abut_alloc(sizeof *kept);
    PyObject *out = NULL;
    if (kept) {
        *kept = *made;
        kept->model = NULL;
        out = PyCapsule_New(kept, MESHES, free_meshes);
    } else {
        PyErr_NoMemory();
    }
    if (!out) {
        made->model = NULL;
        abut_plan_obstacles_free(made);
        abut_free(kept);
    }
    return out;
}

/* mesh -> (model, meshes) */
static PyObject *plan_mesh_obstacle(PyObject *module, PyObject *value) {
    (void)module;
    MeshObject *mesh = read_mesh(value, "obstacles");
    AbutPlanObstacles made;
    AbutStatus status;
    AbutError error;
    if (!mesh) return NULL;
    UNLOCKED(status = abut_plan_obstacles_from_mesh(&mesh->mesh, "mesh", 1, &made, &error));
    if (status != ABUT_OK) return raise_error(&error);
    PyObject *model = model_take(made.model), *meshes = meshes_take(&made);
    if (!model || !meshes) return Py_XDECREF(model), Py_XDECREF(meshes), NULL;
    return Py_BuildValue("(NN)", model, meshes);
}

/* (obstacles, the same model with meshes as they are) -> meshes */
static PyObject *plan_surface_obstacles(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *obstacles, *surfaces;
    AbutStatus status;
    AbutError error;
    if (expect_count("plan_surface_obstacles", count, 2) != 0 || !(obstacles = read_model(args[0])) ||
        !(surfaces = read_model(args[1])))
        return NULL;
    AbutPlanObstacles made = {.model = obstacles->model};
    READING(surfaces, status = abut_plan_obstacles_add_surfaces(&made, surfaces->model, &error));
    if (status == ABUT_OK) return meshes_take(&made);
    made.model = NULL;
    abut_plan_obstacles_free(&made);
    return raise_error(&error);
}

/* (a model of its own, meshes or None, points (n, 3), radius, edge of cubes) -> (the model, meshes) with the points */
static PyObject *plan_point_obstacle(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ModelObject *model;
    Doubles points;
    double radius, edge;
    AbutPlanObstacles made = {0};
    AbutStatus status;
    AbutError error;
    if (expect_count("plan_point_obstacle", count, 5) != 0 || !(model = read_model(args[0])) ||
        read_real(args[3], "point_radius", &radius) != 0 || read_real(args[4], "voxel", &edge) != 0)
        return NULL;
    if (!(radius >= 0.0 && edge >= 0.0))
        return raise_text(ABUT_ERROR_ARGUMENT, "point_radius, voxel: expected 0 or more, got %g, %g", radius, edge);
    AbutPlanObstacles *to = args[1] == Py_None ? &made : PyCapsule_GetPointer(args[1], MESHES);
    if (!to || read_matrix(args[2], "points", -1, 3, &points) != 0) return NULL;
    to->model = model->model;
    UNLOCKED(status = abut_plan_obstacles_add_points(
                 to, "points", points.shape[0], (const AbutVec3 *)points.data, radius, 0.5 * edge, &error));
    to->model = NULL;
    release_doubles(&points);
    if (status != ABUT_OK) return abut_plan_obstacles_free(&made), raise_error(&error);
    PyObject *meshes = to == &made ? meshes_take(&made) : Py_NewRef(args[1]);
    return meshes ? Py_BuildValue("(ON)", args[0], meshes) : NULL;
}

static PyObject *pairs_array(int32_t count, const AbutPair *pairs) {
    const Py_ssize_t shape[2] = {count, 2};
    NewArray out;
    if (begin_array_of("i4", 2, shape, &out) != 0) return NULL;
    if (count > 0) memcpy(out.data, pairs, (size_t)count * sizeof *pairs);
    return end_array(&out);
}

/* (bytes, name, a model of its own, which gets the objects that the robot holds) -> (positions, obstacles, meshes,
 * allowed (n, 2), added (n, 2)) */
static PyObject *planning_scene(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    FileBytes in;
    AbutModel *robot;
    AbutPlanningScene scene;
    AbutStatus status;
    AbutError error;
    if (expect_count("planning_scene", count, 3) != 0 || read_file_bytes(args[0], args[1], &in) != 0 ||
        !(robot = open_model(args[2])))
        return NULL;
    UNLOCKED(status = abut_planning_scene_read(in.name, in.data, in.size, 1, robot, &scene, &error));
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[1] = {abut_configuration_position_count(scene.robot)};
    PyObject *q = array_of_doubles(abut_configuration_positions(scene.robot), 1, shape);
    PyObject *model = model_take(scene.obstacles.model), *meshes = meshes_take(&scene.obstacles);
    PyObject *allowed = pairs_array(scene.allowed_count, scene.allowed),
             *added = pairs_array(scene.added_count, scene.added);
    scene.obstacles = (AbutPlanObstacles){0};
    abut_planning_scene_free(&scene);
    if (q && model && meshes && allowed && added) return Py_BuildValue("(NNNNN)", q, model, meshes, allowed, added);
    Py_XDECREF(q), Py_XDECREF(model), Py_XDECREF(meshes), Py_XDECREF(allowed), Py_XDECREF(added);
    return NULL;
}

static int read_meshes(PyObject *value, AbutPlanDef *def) {
    if (value == Py_None) return 0;
    const AbutPlanObstacles *obstacles = PyCapsule_GetPointer(value, MESHES);
    if (!obstacles) return -1;
    def->mesh_count = obstacles->mesh_count, def->meshes = obstacles->meshes;
    return 0;
}

/* The search takes hulls of shapes that keep a mesh. */
static int warn_of_hulls(const AbutModel *model) {
    int count = 0;
    char text[160];
    for (int32_t i = 0; i < model->shape_count; ++i)
        count += model->shapes[i].geometry->surface_closed && !model->shapes[i].visual;
    snprintf(text, sizeof text,
        "obstacles: the search takes %d meshes that are not convex as their hulls; convex_pieces=True of Model.read "
        "splits them",
        count);
    PyObject *done = count ? PyObject_CallFunction(helpers.warn, "s", text) : NULL;
    Py_XDECREF(done);
    return count && !done ? -1 : 0;
}

/* (robot, obstacles model or None, settings, what read_held, read_limits and read_more_pairs take, meshes or None) */
static PyObject *problem_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *problem = NULL;
    ModelObject *obstacles = NULL;
    AbutConfiguration *robot;
    AbutError error;
    Held held;
    if (expect_count("problem_new", count, 15) != 0 || !(robot = read_robot(args[0])) ||
        (args[1] != Py_None && !(obstacles = read_model(args[1]))) || fill_def(args[2], &def_table, &def) != 0 ||
        read_meshes(args[14], &def) != 0)
        return NULL;
    int32_t joints = abut_configuration_model(robot)->joint_count;
    if (read_held(args + 3, joints, &held, &def) != 0 ||
        read_limits(args + 9, abut_configuration_model(robot), &held, &def) != 0 ||
        read_more_pairs(args + 12, &held, &def) != 0)
        return NULL;
    if (obstacles && warn_of_hulls(obstacles->model) != 0) return release_held(&held), NULL;
    AbutStatus status;
    keep_robot(args[0], 1);
    UNLOCKED(status = abut_plan_problem_create(robot, obstacles ? obstacles->model : NULL, &def, &problem, &error));
    keep_robot(args[0], 0);
    release_held(&held);
    return status == ABUT_OK ? problem_take(problem, args[0], args[1], args[14], joints) : raise_error(&error);
}

int append_made(PyObject *list, PyObject *item) {
    int bad = !item || PyList_Append(list, item) != 0;
    Py_XDECREF(item);
    return bad ? -1 : 0;
}

static PyObject *coordinate_of(const AbutPlanProblem *p, int32_t i) {
    double limits[2];
    abut_plan_coordinate_limits(p, i, limits);
    return Py_BuildValue("(sdd)", abut_plan_coordinate_name(p, i), limits[0], limits[1]);
}

static PyObject *links_of(const AbutPlanProblem *p, AbutPair links) {
    return Py_BuildValue("(ss)", abut_plan_link_name(p, links.a), abut_plan_link_name(p, links.b));
}

static PyObject *pair_of(const AbutPlanProblem *p, int32_t i) { return links_of(p, abut_plan_pair(p, i)); }

static int32_t exception_count(const AbutPlanProblem *p) { return abut_plan_exceptions(p, NULL); }

static PyObject *exception_of(const AbutPlanProblem *p, int32_t i) {
    const AbutPair *pairs;
    abut_plan_exceptions(p, &pairs);
    return links_of(p, pairs[i]);
}

static PyObject *triangles_of(const AbutPlanProblem *p, int32_t i) {
    return PyLong_FromLongLong(abut_plan_pair_triangles(p, i));
}

static PyObject *link_of(const AbutPlanProblem *p, int32_t i) {
    return PyUnicode_FromString(abut_plan_link_name(p, i));
}

static PyObject *note_of(const AbutPlanProblem *p, int32_t i) { return PyUnicode_FromString(abut_plan_note(p, i)); }

static PyObject *joint_of(const AbutPlanProblem *p, int32_t i) { return PyLong_FromLong(abut_plan_joint(p, i)); }

static PyObject *limits_of(const AbutPlanProblem *p, int32_t i) {
    AbutPlanJointLimits x = abut_plan_joint_limits(p, i);
    return Py_BuildValue("(ddddd)", x.lower, x.upper, x.speed, x.acceleration, x.torque);
}

/* (problem, 'joints' | 'pairs' | 'links' | 'notes' | 'coordinates' | 'limits' | 'triangles' | 'exceptions') -> list */
static PyObject *problem_tell(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const struct {
        int32_t (*count)(const AbutPlanProblem *);
        PyObject *(*item)(const AbutPlanProblem *, int32_t);
    } rows[] = {{abut_plan_joint_count, joint_of}, {abut_plan_pair_count, pair_of}, {abut_plan_link_count, link_of},
        {abut_plan_note_count, note_of}, {abut_plan_coordinate_count, coordinate_of},
        {abut_plan_joint_count, limits_of}, {abut_plan_pair_count, triangles_of}, {exception_count, exception_of}};
    static const char *const words[] = {
        "joints", "pairs", "links", "notes", "coordinates", "limits", "triangles", "exceptions"};
    ProblemObject *self;
    if (expect_count("problem_tell", count, 2) != 0 || !(self = read_problem(args[0]))) return NULL;
    int what = read_word(args[1], "what", sizeof words / sizeof words[0], words);
    PyObject *list = what < 0 ? NULL : PyList_New(0);
    for (int32_t i = 0; list && i < rows[what].count(self->problem); ++i)
        if (append_made(list, rows[what].item(self->problem, i)) != 0) Py_CLEAR(list);
    return list;
}

/* (problem, coordinates (k,) or joints (joints,), to joints: 0 or 1) -> the other */
static PyObject *problem_convert(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *self;
    Doubles x;
    NewArray out;
    int to_joints;
    if (expect_count("problem_convert", count, 3) != 0 || !(self = read_problem(args[0])) ||
        read_int(args[2], "to_joints", &to_joints) != 0)
        return NULL;
    const Py_ssize_t u = abut_plan_coordinate_count(self->problem), joints = self->joints;
    if (read_vector(args[1], to_joints ? "u" : "joints", to_joints ? u : joints, &x) != 0) return NULL;
    int begun = begin_array_of("f8", 1, to_joints ? &joints : &u, &out) == 0;
    if (begun) (to_joints ? abut_plan_joints_of : abut_plan_coordinates_of)(self->problem, x.data, out.data);
    release_doubles(&x);
    return begun ? end_array(&out) : NULL;
}

/* (problem, joints (joints of the model,)) -> (links, 7) */
static PyObject *problem_link_poses(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *self;
    AbutError error;
    Doubles q;
    NewArray out;
    if (expect_count("problem_link_poses", count, 2) != 0 || !(self = read_problem(args[0])) ||
        read_vector(args[1], "joints", self->joints, &q) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {abut_plan_link_count(self->problem), 7};
    AbutStatus status = ABUT_OK;
    int begun = begin_array_of("f8", 2, shape, &out) == 0; /* seven numbers are a pose */
    if (begun) UNLOCKED(status = abut_plan_link_poses(self->problem, q.data, out.data, &error));
    release_doubles(&q);
    if (begun && status != ABUT_OK) return cancel_array(&out), raise_error(&error);
    return begun ? end_array(&out) : NULL;
}

/* (problem, joints (joints of the model,) or poses of the robot's bodies (bodies, 7)) -> (pair, distance, point_a,
 * point_b, normal, distances) */
static PyObject *problem_nearest(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    ProblemObject *self;
    AbutPlanNear near;
    AbutError error;
    AbutStatus status;
    Doubles q;
    NewArray out;
    if (expect_count("problem_nearest", count, 3) != 0 || !(self = read_problem(args[0]))) return NULL;
    AbutConfiguration *robot = args[2] == Py_None ? NULL : read_robot(self->robot);
    if (args[2] == Py_None
            ? read_vector(args[1], "joints", self->joints, &q) != 0
            : !robot || read_matrix(args[2], "poses", abut_configuration_model(robot)->body_count, 7, &q) != 0)
        return NULL;
    const Py_ssize_t pairs = abut_plan_pair_count(self->problem);
    if (begin_array_of("f8", 1, &pairs, &out) != 0) return release_doubles(&q), NULL;
    Py_BEGIN_ALLOW_THREADS;
    status =
        robot ? abut_plan_nearest_poses(self->problem, (const AbutPose *)(const void *)q.data, &near, out.data, &error)
              : abut_plan_nearest(self->problem, q.data, &near, out.data, &error);
    Py_END_ALLOW_THREADS;
    release_doubles(&q);
    if (status != ABUT_OK) return cancel_array(&out), raise_error(&error);
    return Py_BuildValue("(idNNNN)", (int)near.pair, near.distance, array_of_vec3(near.point_a),
        array_of_vec3(near.point_b), array_of_vec3(near.normal), end_array(&out));
}

static PyObject *plan_has_thesis(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    return PyBool_FromLong(abut_plan_has_thesis());
}

PyMethodDef plan_functions[] = {
    PLAIN("plan_has_thesis", plan_has_thesis),
    FAST("problem_new", problem_new),
    {"plan_mesh_obstacle", plan_mesh_obstacle, METH_O, NULL},
    FAST("plan_surface_obstacles", plan_surface_obstacles),
    FAST("plan_point_obstacle", plan_point_obstacle),
    FAST("planning_scene", planning_scene),
    FAST("problem_tell", problem_tell),
    FAST("problem_convert", problem_convert),
    FAST("problem_link_poses", problem_link_poses),
    FAST("problem_nearest", problem_nearest),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot problem_slots[] = {
    {Py_tp_dealloc, problem_dealloc},
    {0, NULL},
};

static PyType_Spec problem_spec = {"abut._abut.ProblemHandle", sizeof(ProblemObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, problem_slots};

int add_problem_type(PyObject *module) {
    problem_type = add_type(module, &problem_spec);
    return problem_type ? 0 : -1;
}
