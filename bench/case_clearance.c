/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clearance over a motion: capsules, boxes, unions of pieces and meshes on quintic motions of 1 s, eps 1e-3. The front
 * search beside subdivision and certified sampling on the same trees. Wrong are brackets that a search at eps 1e-6
 * contradicts. Motions with contact: how long it takes to say so, and to bracket the first time of it to 1e-6 s. On
 * straight lines peers are asked whether there is contact.
 */
#include "abut/import.h"
#include "abut/literature.h"
#include "bench/mesh_peer.h"
#include "support/moving_robot.h"
#include "support/optional_data.h"

#include <math.h>
#include <string.h>

enum { MOTIONS = 40, LARGE_MOTIONS = 10, SAMPLED_MOTIONS = 2, MOST_PIECES = 16, CURVES = 5 };

typedef enum Kind { CAPSULES, BOXES, UNION_5, UNION_16, MESHES } Kind;

typedef struct Pair {
    Kind kind;
    const char *mesh[2];
    int triangles[2];
    double away, way;   /* of the sum of the radii */
    int methods;        /* also subdivision and sampling */
    const double *size; /* of A; NULL: as mesh_make has it */
} Pair;

static const double small_finger[] = {0.15, 0.02, 0.35};

static const Pair pairs[] = {
    {CAPSULES, {NULL, NULL}, {0, 0}, 0.0, 0.0, 1, NULL},
    {BOXES, {NULL, NULL}, {0, 0}, 0.0, 0.0, 1, NULL},
    {UNION_5, {NULL, NULL}, {0, 0}, 0.0, 0.0, 0, NULL},
    {UNION_16, {NULL, NULL}, {0, 0}, 0.0, 0.0, 0, NULL},
    {MESHES, {"knot", "torus"}, {3482, 894}, 0.9, 0.25, 1, NULL},
    {MESHES, {"knot", "cup"}, {3482, 1000}, 0.9, 0.25, 0, NULL},
    {MESHES, {"torus", "torus"}, {10000, 10000}, 0.9, 0.25, 0, NULL},
    {MESHES, {"statue", "knot"}, {100000, 3482}, 0.9, 0.25, 0, NULL},
    {MESHES, {"statue", "torus"}, {100000, 100000}, 0.9, 0.25, 0, NULL},
    {MESHES, {"finger", "cup"}, {1000, 1000}, 0.0, 0.15, 0, small_finger},
};

typedef struct Motion {
    AbutCurvePiece piece[CURVES];
    AbutChainJoint joint[3];
    AbutChain chain;
} Motion;

typedef struct Questions {
    AbutMesh mesh[2];
    AbutMeshTree *tree[2];
    AbutPolyhedron *hull[2][MOST_PIECES];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
    Motion motion[MOTIONS];
    AbutMover a[MOTIONS], b;
    AbutClearance truth[MOTIONS], answer[MOTIONS];
    AbutContactTime first[MOTIONS];
    AbutClearanceMethod method;
    int count;
    int met[MOTIONS]; /* what a peer says */
    const BenchMeshPeer *peer;
    void *state;
    int samples;
} Questions;

static void random_motion(AbutRng *rng, double away, double way, Motion *m, AbutMotion *out) {
    AbutVec3 place = abut_scale(abut_random_direction(rng), away);
    memset(m, 0, sizeof *m);
    for (int j = 0; j < 3; ++j) {
        m->joint[j].parent = j - 1;
        m->joint[j].kind = j == 0 ? ABUT_CHAIN_PLACE : ABUT_CHAIN_HINGE;
        m->joint[j].fixed = abut_pose(abut_zero(), j == 1 ? abut_random_quat(rng) : abut_quat_identity());
        m->joint[j].axis = abut_random_direction(rng);
    }
    for (int k = 0; k < CURVES; ++k) {
        double b[6];
        for (int i = 0; i < 6; ++i)
            b[i] = (k < 3 ? abut_get(place, k) : 0.0) + abut_rng_between(rng, -1.0, 1.0) * (k < 3 ? way : 0.5);
        m->piece[k] = abut_curve_bernstein(0.0, 1.0, 5, b);
        m->joint[k < 3 ? 0 : k - 2].curve[k < 3 ? k : 0] = (AbutCurve){1, &m->piece[k], 1.0};
    }
    m->chain = (AbutChain){3, m->joint};
    *out = abut_motion_static(abut_pose_identity());
    out->chain = &m->chain;
    out->link = 2;
}

/* Boxes on a ring, each turned a little. */
static void make_union(AbutRng *rng, int count, Questions *q, int k) {
    AbutPieces pieces = {.count = count, .piece = q->hull[k]};
    AbutSolid solid = abut_solid_pieces(&pieces);
    AbutError error;
    for (int p = 0; p < count; ++p) {
        double angle = 2.0 * ABUT_PI * p / count;
        AbutVec3 corner[8], h = abut_vec3(abut_rng_between(rng, 0.02, 0.05), 0.065, 0.035);
        AbutQuat turn = abut_quat_mul(abut_quat_axis_angle(abut_axis(2), angle),
            abut_quat_axis_angle(abut_random_direction(rng), abut_rng_between(rng, -0.3, 0.3)));
        AbutPose at = abut_pose(abut_vec3(0.25 * cos(angle), 0.25 * sin(angle) * (k ? 0.6 : 1.0), 0.0), turn);
        for (int c = 0; c < 8; ++c)
            corner[c] = abut_pose_apply(
                at, abut_mul(h, abut_vec3((c & 1) ? 1.0 : -1.0, (c & 2) ? 1.0 : -1.0, (c & 4) ? 1.0 : -1.0)));
        bench_require(abut_polyhedron_from_points(corner, 8, NULL, &q->hull[k][p], &error), &error);
    }
    bench_require(abut_clearance_body_create(1, &solid, &q->body[k], &error), &error);
}

static double make_body(const Pair *pair, AbutRng *rng, Questions *q, int k) {
    AbutConvex capsule = abut_convex_segment(abut_vec3(-0.2, 0.0, 0.0), abut_vec3(0.2, 0.0, 0.0), 0.08);
    AbutConvex box = abut_convex_box(abut_vec3(0.15, 0.1, 0.05), 0.0);
    AbutError error;
    switch (pair->kind) {
    case CAPSULES:
        bench_require(
            abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &q->body[k], &error), &error);
        return 0.3;
    case BOXES:
        bench_require(
            abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&box)}, &q->body[k], &error), &error);
        return 0.3;
    case UNION_5:
    case UNION_16:
        make_union(rng, pair->kind == UNION_5 ? 5 : 16, q, k);
        return 0.3;
    default:
        bench_require(
            abut_mesh_make(pair->mesh[k], pair->triangles[k], k == 0 ? pair->size : NULL, &q->mesh[k], &error), &error);
        bench_require(abut_mesh_tree_create(&q->mesh[k], 0, &q->tree[k], &error), &error);
        bench_require(
            abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(q->tree[k])}, &q->body[k], &error), &error);
        return q->tree[k]->radius;
    }
}

static AbutClearanceDef question(double eps) { return (AbutClearanceDef){.from = 0.0, .to = 1.0, .eps = eps}; }

static void ask(void *user) {
    Questions *q = user;
    AbutClearanceDef def = question(1e-3);
    for (int i = 0; i < q->count; ++i) q->answer[i] = abut_clearance_by(q->method, &q->a[i], &q->b, &def, q->space);
}

static void time_method(BenchRun *run, Questions *q, AbutClearanceMethod method, const char *name) {
    int wrong = 0;
    q->method = method;
    BenchProbe probe = {ask, q, q->count, 0.0};
    bench_time(run, &probe, 1);
    for (int i = 0; i < q->count; ++i)
        wrong += !q->answer[i].certified || q->answer[i].lb > q->truth[i].ub || q->answer[i].ub < q->truth[i].lb;
    BenchRow row = {name, probe.ns, q->count, wrong, -1, 0, 1};
    bench_row(run, &row);
}

/* Both bodies, B at rest. Gives the sum of their radii. */
static double open_questions(const Pair *pair, AbutRng *rng, Questions *q) {
    AbutError error;
    memset(q, 0, sizeof *q);
    bench_require(abut_clearance_space_create(1 << 20, &q->space, &error), &error);
    double first = make_body(pair, rng, q, 0), second = make_body(pair, rng, q, 1);
    q->b = (AbutMover){abut_solid_prepared(q->body[1]), abut_motion_static(abut_pose_identity())};
    return first + second;
}

static void free_questions(Questions *q) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(q->body[k]);
        abut_mesh_tree_free(q->tree[k]);
        abut_mesh_free(&q->mesh[k]);
        for (int p = 0; p < MOST_PIECES; ++p) abut_polyhedron_free(q->hull[k][p]);
    }
    abut_clearance_space_free(q->space);
}

/* Meshes on motions with contact or without; solids on any. */
static void open_motions(const Pair *pair, AbutRng *rng, int touching, Questions *q) {
    AbutClearanceDef fine = question(1e-6);
    double size = open_questions(pair, rng, q);
    q->count = pair->triangles[0] > 5000 ? LARGE_MOTIONS : MOTIONS;
    for (int i = 0; i < q->count;) {
        q->a[i].solid = abut_solid_prepared(q->body[0]);
        random_motion(rng, pair->kind == MESHES ? size * pair->away : 0.4,
            pair->kind == MESHES ? size * pair->way : 0.4, &q->motion[i], &q->a[i].motion);
        q->truth[i] = abut_clearance(&q->a[i], &q->b, &fine, q->space);
        i += pair->kind != MESHES || (q->truth[i].ub <= 0.0) == touching;
    }
}

static void run_pair(BenchRun *run, int which) {
    static Questions q;
    const Pair *pair = &pairs[which];
    AbutRng rng = abut_rng(77, (uint64_t)which);
    open_motions(pair, &rng, 0, &q); /* without contact, as the paper has them */
    time_method(run, &q, ABUT_CLEARANCE_FRONT, "abut");
    if (pair->methods) {
        time_method(run, &q, ABUT_CLEARANCE_SUBDIVIDE, "abut, subdivision");
        time_method(run, &q, ABUT_CLEARANCE_BEST_FIRST, "abut, subdivision, best first");
        q.count = pair->kind == MESHES ? SAMPLED_MOTIONS : q.count; /* it takes long */
        time_method(run, &q, ABUT_CLEARANCE_SAMPLING, "abut, sampling");
    }
    free_questions(&q);
}

static void ask_first_contact(void *user) {
    Questions *q = user;
    AbutClearanceDef def = question(1e-3);
    for (int i = 0; i < q->count; ++i)
        q->first[i] = abut_clearance_contact_time(&q->a[i], &q->b, &def, 0.0, 1e-6, 0, q->space);
}

/* Motions on which meshes meet: is there contact, and from when on? */
static void run_contact(BenchRun *run, int which) {
    static Questions q;
    AbutRng rng = abut_rng(81, (uint64_t)which);
    int wrong = 0;
    open_motions(&pairs[which], &rng, 1, &q);
    time_method(run, &q, ABUT_CLEARANCE_FRONT, "abut");
    BenchProbe probe = {ask_first_contact, &q, q.count, 0.0};
    bench_time(run, &probe, 1);
    for (int i = 0; i < q.count; ++i)
        wrong += !q.first[i].found || !q.first[i].resolved || q.first[i].free > q.truth[i].t ||
                 q.first[i].touching - q.first[i].free > 1.01e-6;
    BenchRow row = {"abut, first contact", probe.ns, q.count, wrong, -1, 0, 1};
    bench_row(run, &row);
    free_questions(&q);
}

/* ---- capsules whose ends follow polynomials ---------------------------------------------------------------------- */

enum { PATHS = 200 };

typedef struct PathQuestions {
    AbutCapsulePath a[PATHS], b[PATHS];
    AbutClearance answer[PATHS];
} PathQuestions;

static void ask_paths(void *user) {
    PathQuestions *q = user;
    for (int i = 0; i < PATHS; ++i) q->answer[i] = abut_clearance_capsules(&q->a[i], &q->b[i], 0.0, 1.0, 1e-3);
}

/* A capsule whose middle roams within 0.6 m while its axis turns by half a radian or so; another stands still. */
static void random_path(AbutRng *rng, int moves, AbutCapsulePath *out) {
    double half = abut_rng_between(rng, 0.1, 0.3), start = abut_rng_between(rng, -1.0, 1.0);
    AbutVec3 axis = abut_random_direction(rng);
    out->radius = abut_rng_between(rng, 0.04, 0.12);
    for (int k = 0; k < 6; ++k) {
        AbutVec3 c = abut_vec3(
            abut_rng_between(rng, -0.6, 0.6), abut_rng_between(rng, -0.6, 0.6), abut_rng_between(rng, -0.6, 0.6));
        double angle = start + abut_rng_between(rng, -0.5, 0.5);
        AbutVec3 to = abut_quat_rotate(abut_quat_axis_angle(axis, angle), abut_vec3(0.0, 0.0, half));
        out->a[k] = moves ? abut_sub(c, to) : abut_vec3(-half, 0.0, 0.0);
        out->b[k] = moves ? abut_add(c, to) : abut_vec3(half, 0.0, 0.0);
    }
}

static void run_paths(BenchRun *run, int which) {
    static PathQuestions q;
    AbutRng rng = abut_rng(79, (uint64_t)which);
    BenchProbe probe = {ask_paths, &q, PATHS, 0.0};
    int wrong = 0;
    for (int i = 0; i < PATHS; ++i) random_path(&rng, 1, &q.a[i]), random_path(&rng, which, &q.b[i]);
    bench_time(run, &probe, 1);
    for (int i = 0; i < PATHS; ++i) {
        AbutClearance truth = abut_clearance_capsules(&q.a[i], &q.b[i], 0.0, 1.0, 1e-6);
        wrong += !q.answer[i].certified || q.answer[i].lb > truth.ub || q.answer[i].ub < truth.lb;
    }
    BenchRow row = {"abut", probe.ns, PATHS, wrong, -1, 0, 1};
    bench_row(run, &row);
}

/* ---- pairs of links of a robot ----------------------------------------------------------------------------------- */

enum { BIPED, TALOS, ROBOT_MOTIONS = 5 };

static const char *const biped_pairs[6][2] = {{"left_thigh", "right_thigh"}, {"left_shin", "right_shin"},
    {"left_foot", "right_foot"}, {"left_foot", "right_shin"}, {"left_shin", "trunk"}, {"right_foot", "trunk"}};

typedef struct RobotQuestions {
    MovingRobot robot;
    AbutClearance answer[ROBOT_PAIRS];
    AbutClearanceWorst worst;
    int worst_alone;
} RobotQuestions;

/* All pairs, or the worst alone. The motions are the same in every round: seeds by number. */
static void ask_robot(void *user) {
    RobotQuestions *q = user;
    MovingRobot *r = &q->robot;
    AbutClearanceDef def = question(1e-3);
    AbutError error;
    for (int i = 0; i < ROBOT_MOTIONS; ++i) {
        AbutRng rng = abut_rng(80, (uint64_t)i);
        moving_robot_curves(r, &rng, 0.5);
        AbutStatus status = q->worst_alone ? abut_clearance_worst(r->model->body_count, r->mover, r->pair_count,
                                                 r->pair, &def, 1, &q->worst, &error)
                                           : abut_clearance_pairs(r->model->body_count, r->mover, r->pair_count,
                                                 r->pair, &def, q->answer, 1, &error);
        bench_require(status, &error);
    }
}

static void time_robot(BenchRun *run, RobotQuestions *q, int worst_alone, const char *form) {
    char name[40];
    BenchProbe probe = {ask_robot, q, ROBOT_MOTIONS, 0.0};
    int wrong = 0;
    q->worst_alone = worst_alone;
    snprintf(name, sizeof name, "abut, %s%s", form, worst_alone ? ", worst" : "");
    bench_time(run, &probe, 1);
    for (int32_t i = 0; i < q->robot.pair_count; ++i) wrong += !q->answer[i].certified;
    BenchRow row = {name, probe.ns, ROBOT_MOTIONS, wrong, -1, 0, 1};
    bench_row(run, &row);
}

/* All pairs of a robot over a motion of 1 s, and the worst of them; links as meshes of their hulls, as solids, and as
 * capsules. */
static void run_robot(BenchRun *run, int which) {
    static RobotQuestions q;
    char path[1024];
    AbutModel *model = NULL;
    AbutError error;
    const char *folder = which == TALOS ? optional_data("robots") : NULL;
    if (which == TALOS && !folder) return;
    if (which == TALOS) {
        AbutModelReadOptions options = {.without_visuals = 1};
        snprintf(path, sizeof path, "%s/pal_talos/talos.xml", folder);
        bench_require(abut_model_read(path, &options, &model, &error), &error);
    } else {
        bench_require(abut_model_build("biped", 1, &model, &error), &error);
    }
    static const char *const forms[3] = {"solids", "meshes", "capsules"};
    for (int form = ROBOT_OF_HULLS; form <= ROBOT_OF_CAPSULES; ++form) {
        if (!moving_robot_make(model, (RobotForm)form, 0, &q.robot, &error))
            bench_require(ABUT_ERROR_UNSUPPORTED, &error);
        moving_robot_pairs(&q.robot, which == TALOS ? TALOS_PAIRS : 6, which == TALOS ? talos_pairs : biped_pairs);
        time_robot(run, &q, 0, forms[form]);
        time_robot(run, &q, 1, forms[form]);
        moving_robot_free(&q.robot);
    }
    abut_model_free(model);
}

/* ---- contact on straight lines ----------------------------------------------------------------------------------- */

static void ask_peer(void *user) {
    Questions *q = user;
    for (int i = 0; i < q->count; ++i)
        q->met[i] = q->peer->meet_on_line(
            q->state, abut_motion_pose(&q->a[i].motion, 0.0), abut_motion_pose(&q->a[i].motion, 1.0), q->samples);
}

static void time_peer(BenchRun *run, Questions *q, int samples) {
    char name[40];
    snprintf(name, sizeof name, "%s, %s", q->peer->name, samples > 0 ? "samples" : "advancing");
    q->samples = samples;
    BenchProbe probe = {ask_peer, q, q->count, 0.0};
    BenchRow row = {name, 0.0, q->count, 0, -1, -1, 0};
    q->state = q->peer->open(&q->mesh[0], &q->mesh[1]);
    bench_time(run, &probe, 1);
    row.ns = probe.ns;
    for (int i = 0; i < q->count; ++i) row.wrong_6 += q->met[i] != (q->truth[i].ub <= 0.0);
    bench_row(run, &row);
    q->peer->close(q->state);
}

/* A passes B on a chord, often through it. */
static void run_line(BenchRun *run, int which) {
    static Questions q;
    const Pair *pair = &pairs[which];
    AbutRng rng = abut_rng(78, (uint64_t)which);
    AbutClearanceDef fine = question(1e-6);
    double size = open_questions(pair, &rng, &q);
    q.count = MOTIONS;
    for (int i = 0; i < q.count; ++i) {
        AbutVec3 way = abut_random_direction(&rng), aside = abut_cross(way, abut_random_direction(&rng));
        AbutVec3 start =
            abut_scale(abut_sub(abut_scale(abut_normalize(aside), abut_rng_between(&rng, 0.2, 0.9)), way), size);
        AbutPose pose = abut_pose(start, abut_random_quat(&rng));
        q.a[i] =
            (AbutMover){abut_solid_prepared(q.body[0]), abut_motion_translation(pose, abut_scale(way, 2.0 * size))};
        q.truth[i] = abut_clearance(&q.a[i], &q.b, &fine, q.space);
    }
    time_method(run, &q, ABUT_CLEARANCE_FRONT, "abut");
    for (const BenchMeshPeer *const *peer = bench_mesh_peers; *peer; ++peer) {
        q.peer = *peer;
        if (!q.peer->meet_on_line) continue;
        time_peer(run, &q, 0);
        time_peer(run, &q, 1000);
    }
    free_questions(&q);
}

static const BenchCase cases[] = {
    {"clearance/capsules", run_pair, 0},
    {"clearance/capsules, polynomial ends", run_paths, 0},
    {"clearance/capsules, both with polynomial ends", run_paths, 1},
    {"clearance/boxes", run_pair, 1},
    {"clearance/pieces 5 x 5", run_pair, 2},
    {"clearance/pieces 16 x 16", run_pair, 3},
    {"clearance/knot 3482, torus 894", run_pair, 4},
    {"clearance/knot 3482, cup 1000", run_pair, 5},
    {"clearance/tori 10k, 10k", run_pair, 6},
    {"clearance/statue 100k, knot 3482", run_pair, 7},
    {"clearance/statue 100k, torus 100k", run_pair, 8},
    {"clearance/finger in cup", run_pair, 9},
    {"clearance/contact, knot 3482, torus 894", run_contact, 4},
    {"clearance/contact, statue 100k, knot 3482", run_contact, 7},
    {"clearance/biped, 6 pairs", run_robot, BIPED},
    {"clearance/TALOS, 19 pairs", run_robot, TALOS},
    {"clearance/straight lines", run_line, 4},
};

const BenchList bench_clearance_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
