/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about two bodies: distance, closer than, meet, depth, collision, derivative. In: two bodies and one pose of
 * B in A, or many. Out: a record, or an array of them.
 */
#include <string.h>

#include "bodies.h"
#include "abut/literature.h"
#include "interrupt.h"
#include "records.h"

/* A pair of bodies at one pose or many. */
typedef struct Question {
    Body a, b;
    Poses poses;
    int threads;
} Question;

static int read_question(PyObject *const *args, PyObject *threads, Question *out) {
    if (read_body(args[0], "a", &out->a) != 0 || read_body(args[1], "b", &out->b) != 0 ||
        read_count(threads, "threads", &out->threads) != 0)
        return -1;
    return read_poses(args[2], "pose", &out->poses);
}

static int both_convex(const Question *q) { return q->a.convex && q->b.convex; }

static AbutSolid solid_of(const Body *body) {
    return body->tree ? abut_solid_mesh(body->tree) : abut_solid_convex(body->convex);
}

/* Small bodies are done before another thread could take over. */
static int is_quick(const Question *q) {
    return both_convex(q) && q->a.convex->kind != ABUT_CONVEX_POLYHEDRON && q->b.convex->kind != ABUT_CONVEX_POLYHEDRON;
}

/* The question of one function: `answer` points to a struct of the record. */
typedef struct Task {
    const Question *question;
    void (*one)(const struct Task *task, AbutPose pose, void *answer);
    const void *settings;
    const Record *record;
    char *out;
} Task;

static void ask_pose(Py_ssize_t i, void *user) {
    const Task *task = user;
    char *row = task->out + (size_t)i * task->record->table->size;
    task->one(task, get_pose(&task->question->poses, i), row);
    clear_row(task->record, row);
}

static PyObject *ask_many(Task *task, Question *q) {
    NewArray out;
    if (begin_records(task->record, q->poses.count, &out) != 0) return NULL;
    task->out = out.data;
    out.record = NULL; /* each row is cleared as it is answered, while it is at hand */
    if (ask_all(q->poses.count, q->threads, ask_pose, task) != 0) return cancel_array(&out), NULL;
    return end_array(&out);
}

static PyObject *ask_one(const Task *task, const Question *q) {
    union {
        AbutGap gap;
        AbutCollision collision;
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

static PyObject *ask(Task *task, Question *q) {
    task->question = q;
    PyObject *out = q->poses.batch ? ask_many(task, q) : ask_one(task, q);
    release_poses(&q->poses);
    return out;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

static AbutGap distance_of(const Question *q, AbutPose pose, const AbutGapDef *def) {
    return abut_distance(solid_of(&q->a), solid_of(&q->b), pose, def, NULL);
}

static void distance_one(const Task *task, AbutPose pose, void *answer) {
    *(AbutGap *)answer = distance_of(task->question, pose, task->settings);
}

/* (a, b, pose, within, tolerance, max_supports, absolute_error, relative_error, threads) */
static PyObject *distance(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Question q;
    AbutGapDef s = {0};
    if (expect_count("distance", count, 9) != 0 || read_length(args[3], "within", &s.within) != 0 ||
        read_length(args[4], "tolerance", &s.tolerance) != 0 ||
        read_count(args[5], "max_supports", &s.max_supports) != 0 ||
        read_length(args[6], "absolute_error", &s.absolute_error) != 0 ||
        read_length(args[7], "relative_error", &s.relative_error) != 0 || read_question(args, args[8], &q) != 0)
        return NULL;
    Task task = {.one = distance_one, .settings = &s, .record = &record_gap};
    return ask(&task, &q);
}

/* ---- yes or no --------------------------------------------------------------------------------------------------- */

typedef struct YesNo {
    const Question *question;
    double within; /* negative: do they meet? */
    signed char *out;
} YesNo;

static int bodies_are_closer(const Question *q, double within, AbutPose pose) {
    AbutGapDef def = {.within = within, .enough = within};
    AbutGap d = distance_of(q, pose, &def);
    return d.outcome == ABUT_INVALID ? -1 : d.outcome != ABUT_FARTHER && d.distance <= within;
}

static int bodies_meet(const Question *q, AbutPose pose) {
    AbutGapOutcome outcome = abut_collide(solid_of(&q->a), solid_of(&q->b), pose, NULL).outcome;
    return outcome == ABUT_INVALID ? -1 : abut_gap_meets(outcome);
}

static int yes_or_no(const YesNo *x, AbutPose pose) {
    return x->within < 0.0 ? bodies_meet(x->question, pose) : bodies_are_closer(x->question, x->within, pose);
}

static void ask_yes_no(Py_ssize_t i, void *user) {
    YesNo *x = user;
    x->out[i] = (signed char)yes_or_no(x, get_pose(&x->question->poses, i));
}

static PyObject *many_yes_no(YesNo *x, const Question *q) {
    NewArray out;
    if (begin_array_of("i1", 1, &q->poses.count, &out) != 0) return NULL;
    x->out = out.data;
    if (ask_all(q->poses.count, q->threads, ask_yes_no, x) != 0) return cancel_array(&out), NULL;
    return end_array(&out);
}

/* (a, b, pose, within, threads) -> 1, 0, -1, or an array of them; within negative: do they meet? */
static PyObject *closer(PyObject *module, PyObject *const *args, Py_ssize_t count) {
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

/* One question about meshes that may take long, and outlive the call of Python that asked it. */
typedef struct Slow {
    Question question;
    PyObject *keep[2]; /* the bodies */
    AbutDepthDef depth;
    AbutGap answer;
    int limit;
    AbutPair *pairs;
    AbutCollision collision;
} Slow;

static void free_slow(void *user) {
    Slow *x = user;
    Py_XDECREF(x->keep[0]);
    Py_XDECREF(x->keep[1]);
    abut_free(x->pairs);
    abut_free(x);
}

/* Takes over the question, of one pose. */
static Slow *open_slow(PyObject *const *args, Question *q) {
    Slow *x = abut_alloc(sizeof *x);
    release_poses(&q->poses);
    if (!x) return (Slow *)PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->question = *q;
    x->keep[0] = Py_NewRef(args[0]), x->keep[1] = Py_NewRef(args[1]);
    return x;
}

static void depth_one(const Task *task, AbutPose pose, void *answer) {
    const Question *q = task->question;
    *(AbutGap *)answer = abut_depth(solid_of(&q->a), solid_of(&q->b), pose, task->settings, NULL);
}

static int read_depth_settings(PyObject *const *args, const Question *q, AbutDepthDef *out) {
    static const char *const methods[2] = {"sweep", "classic"};
    int method = read_word(args[0], "method", 2, methods), directions;
    if (method < 0 || read_count(args[1], "directions", &directions) != 0) return -1;
    out->method = method ? abut_depth_classic : NULL, out->directions = directions;
    int along = args[2] != Py_None;
    if (along && read_vec3(args[2], "along", &out->along) != 0) return -1;
    if (along && abut_max_abs(out->along) == 0.0) /* no direction: the answer is invalid, not the depth in any */
        out->along.x = NAN;
    if (both_convex(q))
        return along ? (raise_text(ABUT_ERROR_UNSUPPORTED, "along: of two meshes only; to_mesh() makes one"), -1) : 0;
    if (method && !(q->a.tree && q->b.tree))
        return raise_text(ABUT_ERROR_UNSUPPORTED, "method: 'classic' is for two meshes; to_mesh() makes one"), -1;
    out->core_a = q->a.tree ? mesh_core(q->a.mesh) : NULL;
    out->core_b = q->b.tree ? mesh_core(q->b.mesh) : NULL;
    return (q->a.tree && !out->core_a) || (q->b.tree && !out->core_b) ? -1 : 0;
}

static void find_depth(void *user) {
    Slow *x = user;
    Task task = {.question = &x->question, .settings = &x->depth};
    depth_one(&task, x->question.poses.one, &x->answer);
}

static PyObject *one_mesh_depth(PyObject *const *args, Question *q, const AbutDepthDef *settings) {
    Slow *x = open_slow(args, q);
    if (!x) return NULL;
    x->depth = *settings;
    if (run_or_leave(find_depth, free_slow, x, NULL) != 0) return NULL;
    PyObject *out = record_new(&record_gap, &x->answer);
    free_slow(x);
    return out;
}

/* (a, b, pose, method, directions, along, threads) */
static PyObject *depth(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Question q;
    AbutDepthDef s = {0};
    if (expect_count("depth", count, 7) != 0 || read_question(args, args[6], &q) != 0) return NULL;
    if (read_depth_settings(args + 3, &q, &s) != 0) return release_poses(&q.poses), NULL;
    if (!both_convex(&q) && !q.poses.batch) return one_mesh_depth(args, &q, &s);
    Task task = {.one = depth_one, .settings = &s, .record = &record_gap};
    return ask(&task, &q);
}

/* ---- collision --------------------------------------------------------------------------------------------------- */

static void collide_one(const Task *task, AbutPose pose, void *answer) {
    *(AbutCollision *)answer = abut_collide(solid_of(&task->question->a), solid_of(&task->question->b), pose, NULL);
}

static int read_limit(PyObject *value, int *out) {
    if (read_int(value, "limit", out) != 0) return -1;
    return *out >= 1 ? 0 : (raise_text(ABUT_ERROR_ARGUMENT, "limit: expected at least 1, got %d", *out), -1);
}

/* (a, b, pose, limit, which counts where all are asked for, threads) */
static PyObject *collide(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Question q;
    int limit;
    if (expect_count("collide", count, 5) != 0 || read_limit(args[3], &limit) != 0 ||
        read_question(args, args[4], &q) != 0)
        return NULL;
    Task task = {.one = collide_one, .record = &record_collision};
    return ask(&task, &q);
}

static void find_pairs(void *user) {
    Slow *x = user;
    const Question *q = &x->question;
    x->collision = abut_collide_all(solid_of(&q->a), solid_of(&q->b), q->poses.one, x->limit, x->pairs);
}

/* (a, b, pose, limit, threads, which do not matter to one question) -> (Collision, pairs (n, 2)) */
static PyObject *collide_all(PyObject *module, PyObject *const *args, Py_ssize_t count) {
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
    if (wrong) return release_poses(&q.poses), raise_text(ABUT_ERROR_ARGUMENT, "%s", wrong);
    Slow *x = open_slow(args, &q);
    if (!x) return NULL;
    x->limit = limit, x->pairs = abut_alloc_array((size_t)limit, sizeof *x->pairs);
    if (!x->pairs) return free_slow(x), PyErr_NoMemory();
    if (run_or_leave(find_pairs, free_slow, x, NULL) != 0) return NULL;
    const Py_ssize_t shape[2] = {x->collision.count, 2};
    int begun = begin_array_of("i4", 2, shape, &all) == 0;
    if (begun && all.view.len > 0) memcpy(all.data, x->pairs, (size_t)all.view.len);
    PyObject *out = begun ? Py_BuildValue("(NN)", record_new(&record_collision, &x->collision), end_array(&all)) : NULL;
    free_slow(x);
    return out;
}

/* ---- derivative -------------------------------------------------------------------------------------------------- */

/* (a, b, pose_a, pose_b) -> (Gap in the frame of A, DistanceDerivative) */
static PyObject *derivative(PyObject *module, PyObject *const *args, Py_ssize_t count) {
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
