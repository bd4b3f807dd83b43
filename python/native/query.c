/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about two bodies: distance, closer than, meet, depth, collision, derivative. In: two bodies and one pose of
 * B in A, or many. Out: a record, or an array of them. A convex body against a mesh is asked as the mesh against the
 * convex body, and the answer turned round.
 */
#include <string.h>

#include "bodies.h"
#include "interrupt.h"
#include "records.h"

/* A pair of bodies at one pose or many. */
typedef struct Question {
    Body a, b;
    Poses poses;
    int threads;
} Question;

static int read_question(PyObject *const *args, PyObject *threads, Question *out)
{
    if (read_body(args[0], "a", &out->a) != 0 || read_body(args[1], "b", &out->b) != 0 ||
        read_count(threads, "threads", &out->threads) != 0)
        return -1;
    return read_poses(args[2], "pose", &out->poses);
}

static int both_convex(const Question *q)
{
    return q->a.convex && q->b.convex;
}

/* Small bodies are done before another thread could take over. */
static int is_quick(const Question *q)
{
    return both_convex(q) && q->a.convex->kind != ABUT_CONVEX_POLYHEDRON && q->b.convex->kind != ABUT_CONVEX_POLYHEDRON;
}

/* What one function asks: `answer` points to a struct of the record. */
typedef struct Task {
    const Question *question;
    void (*one)(const struct Task *task, AbutPose pose, void *answer);
    const void *settings;
    const Record *record;
    char *out;
} Task;

static void ask_pose(Py_ssize_t i, void *user)
{
    const Task *task = user;
    char *row = task->out + (size_t)i * task->record->size;
    task->one(task, get_pose(&task->question->poses, i), row);
    clear_row(task->record, row);
}

static PyObject *ask_many(Task *task, Question *q)
{
    NewArray out;
    if (begin_records(task->record, q->poses.count, &out) != 0)
        return NULL;
    task->out = out.data;
    out.record = NULL; /* each row is cleared as it is answered, while it is at hand */
    if (ask_all(q->poses.count, q->threads, ask_pose, task) != 0)
        return cancel_array(&out), NULL;
    return end_array(&out);
}

static PyObject *ask_one(const Task *task, const Question *q)
{
    union {
        AbutGap gap;
        AbutMeshCollision collision;
        Meeting meeting;
    } answer;
    memset(&answer, 0, sizeof answer);
    if (is_quick(q)) {
        task->one(task, q->poses.one, &answer);
    } else {
        Py_BEGIN_ALLOW_THREADS;
        task->one(task, q->poses.one, &answer);
        Py_END_ALLOW_THREADS;
    }
    return record_new(task->record, &answer);
}

static PyObject *ask(Task *task, Question *q)
{
    task->question = q;
    PyObject *out = q->poses.batch ? ask_many(task, q) : ask_one(task, q);
    release_poses(&q->poses);
    return out;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

static void convex_distance(const Task *task, AbutPose pose, void *answer)
{
    *(AbutGap *)answer =
        abut_convex_distance(task->question->a.convex, task->question->b.convex, pose, task->settings, NULL);
}

static void mesh_distance(const Task *task, AbutPose pose, void *answer)
{
    const Question *q = task->question;
    const AbutGapDef *def = task->settings;
    AbutGap *out = answer;
    if (q->a.tree && q->b.tree)
        *out = abut_mesh_distance(q->a.tree, q->b.tree, pose, def, NULL);
    else if (q->a.tree)
        *out = abut_mesh_convex_distance(q->a.tree, q->b.convex, pose, def, NULL);
    else
        *out = abut_gap_swapped(
            abut_gap_in(pose, abut_mesh_convex_distance(q->b.tree, q->a.convex, abut_pose_inv(pose), def, NULL)));
}

/* (a, b, pose, within, tolerance, max_supports, absolute_error, relative_error, threads) */
static PyObject *distance(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Question q;
    AbutGapDef s = {0};
    if (expect_count("distance", count, 9) != 0 || read_length(args[3], "within", &s.within) != 0 ||
        read_length(args[4], "tolerance", &s.tolerance) != 0 ||
        read_count(args[5], "max_supports", &s.max_supports) != 0 ||
        read_length(args[6], "absolute_error", &s.absolute_error) != 0 ||
        read_length(args[7], "relative_error", &s.relative_error) != 0 || read_question(args, args[8], &q) != 0)
        return NULL;
    Task task = {.one = both_convex(&q) ? convex_distance : mesh_distance, .settings = &s, .record = &record_gap};
    return ask(&task, &q);
}

/* ---- yes or no --------------------------------------------------------------------------------------------------- */

typedef struct YesNo {
    const Question *question;
    double within; /* negative: do they meet? */
    signed char *out;
} YesNo;

static int mesh_closer(const YesNo *x, AbutPose pose)
{
    AbutGap answer;
    AbutGapDef s = {.within = x->within, .enough = x->within};
    Task task = {.question = x->question, .settings = &s};
    mesh_distance(&task, pose, &answer);
    if (answer.outcome == ABUT_INVALID)
        return -1;
    return answer.outcome != ABUT_FARTHER && answer.outcome != ABUT_EMPTY && answer.distance <= x->within;
}

static int convex_closer(const YesNo *x, AbutPose pose)
{
    AbutGapDef def = {.within = x->within};
    AbutGap d = abut_convex_distance(x->question->a.convex, x->question->b.convex, pose, &def, NULL);
    return d.outcome == ABUT_INVALID ? -1 : d.distance <= x->within;
}

static AbutMeshCollision collision_of(const Question *q, AbutPose pose);

static int bodies_meet(const YesNo *x, AbutPose pose)
{
    const Question *q = x->question;
    if (both_convex(q))
        return abut_convex_meet(q->a.convex, q->b.convex, pose, NULL);
    AbutGapOutcome outcome = collision_of(q, pose).outcome;
    return outcome == ABUT_INVALID ? -1 : abut_gap_meets(outcome);
}

static int yes_or_no(const YesNo *x, AbutPose pose)
{
    if (x->within < 0.0)
        return bodies_meet(x, pose);
    return both_convex(x->question) ? convex_closer(x, pose) : mesh_closer(x, pose);
}

static void ask_yes_no(Py_ssize_t i, void *user)
{
    YesNo *x = user;
    x->out[i] = (signed char)yes_or_no(x, get_pose(&x->question->poses, i));
}

static PyObject *many_yes_no(YesNo *x, const Question *q)
{
    NewArray out;
    if (begin_array_of("i1", 1, &q->poses.count, &out) != 0)
        return NULL;
    x->out = out.data;
    if (ask_all(q->poses.count, q->threads, ask_yes_no, x) != 0)
        return cancel_array(&out), NULL;
    return end_array(&out);
}

/* (a, b, pose, within, threads) -> 1, 0, -1, or an array of them; within negative: do they meet? */
static PyObject *closer(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Question q;
    YesNo x = {&q, -1.0, NULL};
    if (expect_count("closer", count, 5) != 0 || read_real(args[3], "within", &x.within) != 0 ||
        read_question(args, args[4], &q) != 0)
        return NULL;
    PyObject *out;
    if (q.poses.batch) {
        out = many_yes_no(&x, &q);
    } else {
        int answer;
        Py_BEGIN_ALLOW_THREADS;
        answer = yes_or_no(&x, q.poses.one);
        Py_END_ALLOW_THREADS;
        out = PyLong_FromLong(answer);
    }
    release_poses(&q.poses);
    return out;
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

typedef struct DepthSettings {
    AbutDepthDef def;
    int along;
    AbutVec3 direction;
} DepthSettings;

/* One question about meshes that may take long, and outlive the call of Python that asked it. */
typedef struct Slow {
    Question question;
    PyObject *keep[2]; /* the bodies */
    DepthSettings depth;
    AbutGap answer;
    int limit;
    AbutMeshPairOfTriangles *pairs;
    AbutMeshCollision collision;
} Slow;

static void free_slow(void *user)
{
    Slow *x = user;
    Py_XDECREF(x->keep[0]);
    Py_XDECREF(x->keep[1]);
    abut_free(x->pairs);
    abut_free(x);
}

/* Takes over the question, of one pose. */
static Slow *open_slow(PyObject *const *args, Question *q)
{
    Slow *x = abut_alloc(sizeof *x);
    release_poses(&q->poses);
    if (!x)
        return (Slow *)PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->question = *q;
    x->keep[0] = Py_NewRef(args[0]), x->keep[1] = Py_NewRef(args[1]);
    return x;
}

static void convex_depth(const Task *task, AbutPose pose, void *answer)
{
    const Question *q = task->question;
    *(AbutGap *)answer = abut_convex_distance(q->a.convex, q->b.convex, pose, NULL, NULL);
}

static void mesh_depth(const Task *task, AbutPose pose, void *answer)
{
    const Question *q = task->question;
    const DepthSettings *s = task->settings;
    *(AbutGap *)answer = s->along ? abut_mesh_depth_along(q->a.tree, q->b.tree, pose, s->direction, &s->def)
                                  : abut_mesh_depth(q->a.tree, q->b.tree, pose, &s->def, NULL);
}

static int read_depth_settings(PyObject *const *args, const Question *q, DepthSettings *out)
{
    static const char *const methods[ABUT_DEPTH_METHOD_COUNT] = {"sweep", "classic"};
    int method = read_word(args[0], "method", ABUT_DEPTH_METHOD_COUNT, methods), directions;
    if (method < 0 || read_count(args[1], "directions", &directions) != 0)
        return -1;
    out->def.method = (AbutDepthMethod)method, out->def.directions = directions;
    out->along = args[2] != Py_None;
    if (out->along && read_vec3(args[2], "along", &out->direction) != 0)
        return -1;
    if (both_convex(q))
        return out->along ? (raise_text(ABUT_ERROR_UNSUPPORTED, "along: of two meshes only; to_mesh() makes one"), -1)
                          : 0;
    if (!q->a.tree || !q->b.tree)
        return raise_text(ABUT_ERROR_UNSUPPORTED,
                   "the depth of a mesh and a convex body is not known: to_mesh() makes the body a mesh"),
               -1;
    out->def.core_a = mesh_core(q->a.mesh);
    out->def.core_b = out->def.core_a ? mesh_core(q->b.mesh) : NULL;
    return out->def.core_b ? 0 : -1;
}

static void find_depth(void *user)
{
    Slow *x = user;
    Task task = {.question = &x->question, .settings = &x->depth};
    mesh_depth(&task, x->question.poses.one, &x->answer);
}

static PyObject *one_mesh_depth(PyObject *const *args, Question *q, const DepthSettings *settings)
{
    Slow *x = open_slow(args, q);
    if (!x)
        return NULL;
    x->depth = *settings;
    if (run_or_leave(find_depth, free_slow, x, NULL) != 0)
        return NULL;
    PyObject *out = record_new(&record_gap, &x->answer);
    free_slow(x);
    return out;
}

/* (a, b, pose, method, directions, along, threads) */
static PyObject *depth(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Question q;
    DepthSettings s = {0};
    if (expect_count("depth", count, 7) != 0 || read_question(args, args[6], &q) != 0)
        return NULL;
    if (read_depth_settings(args + 3, &q, &s) != 0)
        return release_poses(&q.poses), NULL;
    if (!both_convex(&q) && !q.poses.batch)
        return one_mesh_depth(args, &q, &s);
    Task task = {.one = both_convex(&q) ? convex_depth : mesh_depth, .settings = &s, .record = &record_gap};
    return ask(&task, &q);
}

/* ---- collision --------------------------------------------------------------------------------------------------- */

static AbutMeshCollision turn_collision(AbutMeshCollision x)
{
    AbutMeshCollision out = x;
    out.first.a = x.first.b, out.first.b = x.first.a;
    out.outcome = x.outcome == ABUT_A_IN_B ? ABUT_B_IN_A : x.outcome == ABUT_B_IN_A ? ABUT_A_IN_B : x.outcome;
    return out;
}

static AbutMeshCollision collision_of(const Question *q, AbutPose pose)
{
    if (q->a.tree && q->b.tree)
        return abut_mesh_collide(q->a.tree, q->b.tree, pose, NULL);
    if (q->a.tree)
        return abut_mesh_convex_collide(q->a.tree, q->b.convex, pose, NULL);
    if (q->b.tree)
        return turn_collision(abut_mesh_convex_collide(q->b.tree, q->a.convex, abut_pose_inv(pose), NULL));
    AbutMeshCollision out = {.containment_known = 1, .first = {-1, -1}};
    int meet = abut_convex_meet(q->a.convex, q->b.convex, pose, NULL);
    out.outcome = meet < 0 ? ABUT_INVALID : meet ? ABUT_PENETRATING : ABUT_SEPARATED;
    return out;
}

static void collide_one(const Task *task, AbutPose pose, void *answer)
{
    *(AbutMeshCollision *)answer = collision_of(task->question, pose);
}

static int read_limit(PyObject *value, int *out)
{
    if (read_int(value, "limit", out) != 0)
        return -1;
    return *out >= 1 ? 0 : (raise_text(ABUT_ERROR_ARGUMENT, "limit: expected at least 1, got %d", *out), -1);
}

/* (a, b, pose, limit, which counts where all are asked for, threads) */
static PyObject *collide(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Question q;
    int limit;
    if (expect_count("collide", count, 5) != 0 || read_limit(args[3], &limit) != 0 ||
        read_question(args, args[4], &q) != 0)
        return NULL;
    Task task = {.one = collide_one, .record = &record_collision};
    return ask(&task, &q);
}

/* All pairs of triangles, as many as there is room for. */
static AbutMeshCollision list_pairs(const Question *q, int32_t limit, AbutMeshPairOfTriangles *pairs)
{
    if (q->a.tree && q->b.tree)
        return abut_mesh_collide_all(q->a.tree, q->b.tree, q->poses.one, limit, pairs);
    int32_t *triangles = (int32_t *)pairs; /* half of the room; spread out afterwards, from the end */
    AbutMeshCollision x = q->a.tree
                              ? abut_mesh_convex_collide_all(q->a.tree, q->b.convex, q->poses.one, limit, triangles)
                              : turn_collision(abut_mesh_convex_collide_all(
                                    q->b.tree, q->a.convex, abut_pose_inv(q->poses.one), limit, triangles));
    for (int32_t i = x.count - 1; i >= 0; --i) {
        int32_t t = triangles[i];
        pairs[i] = q->a.tree ? (AbutMeshPairOfTriangles){t, -1} : (AbutMeshPairOfTriangles){-1, t};
    }
    return x;
}

static void find_pairs(void *user)
{
    Slow *x = user;
    x->collision = list_pairs(&x->question, x->limit, x->pairs);
}

/* (a, b, pose, limit, threads, which do not matter to one question) -> (Collision, pairs (n, 2)) */
static PyObject *collide_all(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    Question q;
    NewArray all;
    int limit;
    if (expect_count("collide_all", count, 5) != 0 || read_limit(args[3], &limit) != 0 ||
        read_question(args, args[4], &q) != 0)
        return NULL;
    const char *wrong = q.poses.batch     ? "pose: one pose when all pairs are asked for"
                        : both_convex(&q) ? "a, b: one of them must be a mesh when pairs of triangles are asked for"
                                          : NULL;
    if (wrong)
        return release_poses(&q.poses), raise_text(ABUT_ERROR_ARGUMENT, "%s", wrong);
    Slow *x = open_slow(args, &q);
    if (!x)
        return NULL;
    x->limit = limit, x->pairs = abut_alloc_array((size_t)limit, sizeof *x->pairs);
    if (!x->pairs)
        return free_slow(x), PyErr_NoMemory();
    if (run_or_leave(find_pairs, free_slow, x, NULL) != 0)
        return NULL;
    const Py_ssize_t shape[2] = {x->collision.count, 2};
    int begun = begin_array_of("i4", 2, shape, &all) == 0;
    if (begun && all.view.len > 0)
        memcpy(all.data, x->pairs, (size_t)all.view.len);
    PyObject *out = begun ? Py_BuildValue("(NN)", record_new(&record_collision, &x->collision), end_array(&all)) : NULL;
    free_slow(x);
    return out;
}

/* ---- derivative -------------------------------------------------------------------------------------------------- */

/* (a, b, pose_a, pose_b) -> (Distance in the frame of A, DistanceDerivative) */
static PyObject *derivative(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    const AbutConvex *a, *b;
    AbutPose pose_a, pose_b;
    if (expect_count("derivative", count, 4) != 0 || !(a = read_convex(args[0], "a")) ||
        !(b = read_convex(args[1], "b")) || read_pose(args[2], "pose_a", &pose_a) != 0 ||
        read_pose(args[3], "pose_b", &pose_b) != 0)
        return NULL;
    AbutGap d;
    AbutDistanceDerivative out;
    Py_BEGIN_ALLOW_THREADS;
    d = abut_convex_distance(a, b, abut_pose_between(pose_a, pose_b), NULL, NULL);
    out = abut_distance_derivative(a, b, pose_a, pose_b, &d);
    Py_END_ALLOW_THREADS;
    return Py_BuildValue("(NN)", record_new(&record_gap, &d), record_new(&record_derivative, &out));
}

PyMethodDef query_functions[] = {
    FAST("distance", distance),
    FAST("closer", closer),
    FAST("depth", depth),
    FAST("collide", collide),
    FAST("collide_all", collide_all),
    FAST("derivative", derivative),
    {NULL, NULL, 0, NULL},
};
