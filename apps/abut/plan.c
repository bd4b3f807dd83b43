/* SPDX-License-Identifier: Apache-2.0 */
/* The robot, the obstacles and the pairs of `abut plan`; certificates as JSON. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

PlanSetup plan_setup_make(void) {
    AbutPlanDef def = abut_plan_def_default();
    return (PlanSetup){.neighbors = def.neighbors,
        .radius = NAN,
        .voxel = NAN,
        .margin = def.margin,
        .balance_margin = def.balance_margin,
        .support_body = -1,
        .other_body = -1};
}

void plan_setup_free(PlanSetup *setup) {
    abut_plan_problem_free(setup->problem);
    abut_configuration_free(setup->robot.c);
    abut_model_free(setup->robot.model);
    abut_plan_obstacles_free(&setup->obstacles);
    abut_planning_scene_free(&setup->scene);
    abut_srdf_free(&setup->srdf);
}

void plan_need(AbutStatus status) {
    static const char *const names[][2] = {{"level", "--level"}, {"points", "--points"}, {"attempts", "--attempts"},
        {"budget", "--budget"}, {"speed", "--speed"}, {"acceleration", "--acceleration"}, {"duration", "--time"},
        {"samples", "--method sampled"}, {"method", "--method"}, {"via", "--via"}, {"support", "--support"},
        {"margin", "--margin"}, {"obstacles", "--obstacles"}, {"other_foot", "--support"}, {"balance", "--balance"},
        {"balance_margin", "--balance-margin"}, {"corners", "--balance"}, {"limits", "--limits"},
        {"window", "--allow"}};
    for (int i = 0; status != ABUT_OK && cli_why.field && i < CLI_ROWS(names); ++i)
        if (strcmp(cli_why.field, names[i][0]) == 0)
            cli_error("%s%s", names[i][1], cli_why.text + strlen(cli_why.field));
    cli_need(status);
}

void plan_check_ending(const char *option, const char *path, const char *ending, const char *other) {
    if (path && !cli_has_ending(path, ending) && !(other && cli_has_ending(path, other)))
        cli_error("%s: expected a name that ends in %s%s%s, got '%s'", option, ending, other ? " or " : "",
            other ? other : "", path);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void read_mesh(PlanSetup *setup) {
    const char *file = setup->obstacle_file, *name = cli_base_name(file);
    AbutPlanObstacles *obstacles = &setup->obstacles;
    AbutMesh mesh = {0};
    cli_need(abut_mesh_read(file, NULL, 0, &mesh, NULL, &cli_why));
    cli_need_of(file, abut_plan_obstacles_from_mesh(&mesh, name, !setup->proof_only, obstacles, &cli_why));
    if (obstacles->open) cli_warning("%s is open: it has no inside, its triangles alone are kept clear of", file);
    if (obstacles->pieces.count) operands_warn_pieces(file, &obstacles->pieces);
    if (obstacles->thick > 0.0)
        cli_warning("%s: the search takes %d pieces for it that are up to %.3g m thick", file,
            (int)obstacles->model->shape_count, obstacles->thick);
}

/* --radius or --voxel says that a file has points. */
static int takes_points(const PlanSetup *setup) {
    static const char *const endings[] = {".pcd", ".npy"};
    int given = !isnan(setup->radius) || !isnan(setup->voxel);
    if (given && !setup->obstacle_file) cli_error("--radius and --voxel: expected --obstacles with points");
    for (int i = 0; setup->obstacle_file && i < CLI_ROWS(endings) && !given; ++i)
        if (cli_has_ending(setup->obstacle_file, endings[i]))
            cli_error("--obstacles: expected --radius or --voxel for the points of '%s'", setup->obstacle_file);
    return given;
}

static void read_points(PlanSetup *setup) {
    AbutVec3 *points;
    const char *file = setup->obstacle_file;
    double radius = isnan(setup->radius) ? 0.0 : setup->radius, half = isnan(setup->voxel) ? 0.0 : 0.5 * setup->voxel;
    cli_need(abut_points_read(file, NULL, 0, &setup->points, &points, &cli_why));
    cli_need_of(file, abut_plan_obstacles_add_points(
                          &setup->obstacles, cli_base_name(file), setup->points, points, radius, half, &cli_why));
    abut_free(points);
}

static void read_obstacles(PlanSetup *setup) {
    AbutModel *surfaces = NULL;
    const char *file = setup->obstacle_file;
    AbutPlanObstacles *obstacles = &setup->obstacles;
    obstacles->model = operands_load_model(file, 1, setup->proof_only ? OPERAND_SURFACES : OPERAND_PIECES);
    if (setup->proof_only)
        cli_need(abut_plan_obstacles_add_surfaces(obstacles, obstacles->model, &cli_why));
    else if (cli_is_file(file))
        surfaces = operands_read_model(file, 1, (AbutModelReadOptions){0});
    if (surfaces) cli_need(abut_plan_obstacles_add_surfaces(obstacles, surfaces, &cli_why));
}

static int is_scene(const char *file) {
    return file && (cli_has_ending(file, ".yaml") || cli_has_ending(file, ".yml"));
}

/* Objects that the robot holds become links of it, and it stands as the scene says, unless a state is given. */
static void read_scene(PlanSetup *setup) {
    AbutPlanningScene *scene = &setup->scene;
    Robot *robot = &setup->robot;
    if (!isnan(setup->radius) || !isnan(setup->voxel))
        cli_error("--radius and --voxel: expected a file of points, got '%s'", setup->obstacle_file);
    abut_configuration_free(robot->c);
    cli_need(
        abut_planning_scene_read(setup->obstacle_file, NULL, 0, !setup->proof_only, robot->model, scene, &cli_why));
    robot->c = scene->robot;
    scene->robot = NULL;
    robot_set_state(robot);
    setup->obstacles = scene->obstacles;
    scene->obstacles = (AbutPlanObstacles){0};
    if (setup->obstacles.open)
        cli_warning(
            "%s has open meshes: they have no inside, their triangles alone are kept clear of", setup->obstacle_file);
}

void plan_setup_read(PlanSetup *setup) {
    robot_load(&setup->robot);
    if (is_scene(setup->obstacle_file)) read_scene(setup);
    if (setup->srdf_file) cli_need(abut_srdf_read(setup->srdf_file, setup->robot.model, &setup->srdf, &cli_why));
    if (!setup->quiet) robot_warn(&setup->robot);
    if (!is_scene(setup->obstacle_file)) plan_read_obstacles(setup);
}

void plan_read_obstacles(PlanSetup *setup) {
    if (is_scene(setup->obstacle_file))
        cli_error("%s: expected a model, a mesh or points, got a planning scene, which only 'abut plan' and 'abut plan "
                  "check' read",
            setup->obstacle_file);
    if (takes_points(setup))
        read_points(setup);
    else if (setup->obstacle_file && abut_mesh_name_fits(setup->obstacle_file))
        read_mesh(setup);
    else if (setup->obstacle_file)
        read_obstacles(setup);
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

/* --shapes, and the radii of capsules that are wanted thinner. */
static void take_shapes(const PlanSetup *setup, AbutPlanDef *def) {
    int32_t bodies = setup->robot.model->body_count;
    double *radii = cli_room((size_t)bodies, sizeof *radii);
    def->capsules = setup->shapes;
    for (int32_t i = 0; i < bodies; ++i) radii[i] = NAN;
    for (const char *p = setup->thin; p;) {
        char name[200];
        size_t length = strcspn(p, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, p);
        int32_t body = abut_model_find(setup->robot.model, ABUT_MODEL_BODY, name);
        if (body >= 0) radii[body] = strtod(p + length + 1, NULL);
        p = strchr(p, ',');
        p = p ? p + 1 : NULL;
    }
    def->radii = setup->thin ? radii : NULL;
}

/* The definition; `corners` is room for ABUT_PLAN_CORNERS. */
static AbutPlanDef take_def(PlanSetup *setup, AbutVec3 *corners) {
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanJointLimits *limits = cli_room((size_t)setup->robot.model->joint_count, sizeof *limits);
    def.margin = setup->margin;
    def.neighbors = setup->neighbors;
    def.held = setup->held;
    def.mesh_count = setup->obstacles.mesh_count;
    def.meshes = setup->obstacles.meshes;
    plan_take_pairs(setup, &def);
    setup->has_windows = def.window_count > 0;
    if (setup->retimed && setup->has_windows)
        cli_error("--retime: expected no times in --allow, as they refer to another duration");
    plan_take_stand(setup, corners, &def);
    if (setup->limits_file) {
        cli_need(abut_limits_read(setup->limits_file, NULL, 0, setup->robot.model, limits, &cli_why));
        def.limits = limits;
    }
    take_shapes(setup, &def);
    return def;
}

void plan_setup_half(PlanSetup *setup) {
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    AbutPlanRobot *half;
    AbutPlanDef def = take_def(setup, corners);
    plan_need(abut_plan_robot_create(setup->robot.c, &def, &half, &cli_why));
    setup->half = half;
}

void plan_setup_problem(PlanSetup *setup) {
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    AbutPlanDef def = take_def(setup, corners);
    const AbutModel *obstacles = setup->obstacles.model;
    plan_need(setup->half ? abut_plan_robot_problem(setup->half, obstacles, &def, &setup->problem, &cli_why)
                          : abut_plan_problem_create(setup->robot.c, obstacles, &def, &setup->problem, &cli_why));
    for (int32_t i = 0; i < abut_plan_note_count(setup->problem) && !setup->quiet; ++i)
        cli_warning("%s", abut_plan_note(setup->problem, i));
    if (abut_plan_pair_count(setup->problem) == 0) cli_warning("no pair of links is left: nothing can be proved");
}

int64_t plan_triangles(const PlanSetup *setup) {
    int64_t count = 0;
    for (int32_t i = 0; i < setup->obstacles.mesh_count; ++i)
        count += setup->obstacles.meshes[i].tree ? setup->obstacles.meshes[i].tree->triangle_count : 0;
    return count;
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

const char *plan_pair_text(const AbutPlanProblem *problem, int32_t pair) {
    static char text[300];
    AbutPair links = abut_plan_pair(problem, pair);
    snprintf(
        text, sizeof text, "%s and %s", abut_plan_link_name(problem, links.a), abut_plan_link_name(problem, links.b));
    return text;
}

PlanPair plan_pair(const AbutPlanProblem *problem, int32_t pair) {
    if (pair < 0) return (PlanPair){{NULL, NULL}, 0};
    AbutPair links = abut_plan_pair(problem, pair);
    return (PlanPair){{abut_plan_link_name(problem, links.a), abut_plan_link_name(problem, links.b)}, 1};
}

static const AbutField clearance_fields[] = {
    {ABUT_FIELD_AS("lb", PlanProof, certificate.lb, REAL, "m", "No nearer than this at any time.")},
    {ABUT_FIELD_AS("ub", PlanProof, certificate.ub, REAL, "m", "Least distance that was evaluated.")},
    {PLAN_PAIR_FIELD(PlanProof, "Names of the two links.")},
    {ABUT_FIELD_AS("t", PlanProof, certificate.t, REAL, "s", "Time of `ub`.")},
};
static const AbutRecord clearance_record = ABUT_RECORD("clearance", "", PlanProof, clearance_fields);

static const char *const balance_statuses[] = {"clear", "lost", "undecided", "nothing to check", NULL};

static const AbutField balance_fields[] = {
    {ABUT_FIELD_WORDS(AbutPairCertificate, status, balance_statuses, "Whether balance is proved.")},
    {ABUT_FIELD(AbutPairCertificate, lb, REAL, "m", "The center of mass is at least this far inside at all times.")},
    {ABUT_FIELD(AbutPairCertificate, ub, REAL, "m", "Least such distance that was evaluated.")},
    {ABUT_FIELD(AbutPairCertificate, t, REAL, "s", "Time of `ub`.")},
};
static const AbutRecord balance_record = ABUT_RECORD("balance", "", AbutPairCertificate, balance_fields);

static const AbutField proof_fields[] = {
    {.name = "clearance",
        .unit = "",
        .sentence = "Least distance over the whole motion.",
        .kind = ABUT_FIELD_RECORD,
        .record = &clearance_record},
    {ABUT_FIELD(
         PlanProof, balance, RECORD, "", "How far the center of mass stays inside the support polygon; or null."),
        .record = &balance_record, .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD_AS("left_out", PlanProof, notes, TEXT, "", "Pairs that are not checked, with the reason."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(PlanProof, note_count)},
    {ABUT_FIELD_OF(PlanProof, certificate, abut_certificate_record, "poses distances bounds")},
    {ABUT_FIELD(PlanProof, triangles, LONG, "", "Triangles of obstacles that are proved against as they are.")},
    {ABUT_FIELD(PlanProof, points, LONG, "", "Points of obstacles, with --radius or --voxel.")},
};
const AbutRecord plan_proof_record = ABUT_RECORD("proof", "", PlanProof, proof_fields);

PlanProof plan_proof(const PlanSetup *setup, const AbutCertificate *x) {
    int32_t count = abut_plan_note_count(setup->problem);
    const char **notes = cli_room((size_t)count, sizeof *notes);
    for (int32_t i = 0; i < count; ++i) notes[i] = abut_plan_note(setup->problem, i);
    return (PlanProof){*x, plan_pair(setup->problem, x->pair),
        x->balance.status == ABUT_CERTIFICATE_NOTHING ? NULL : &x->balance, notes, count, plan_triangles(setup),
        setup->points};
}

typedef struct PairProof {
    PlanPair pair;
    int64_t triangles;
    AbutPairCertificate certificate;
} PairProof;

static const AbutField pair_fields[] = {
    {PLAN_PAIR_FIELD(PairProof, "Names of the two links.")},
    {ABUT_FIELD(PairProof, triangles, LONG, "", "Triangles that it is proved against.")},
    {ABUT_FIELD_OF(PairProof, certificate, abut_pair_certificate_record, "status lb ub t")},
};
static const AbutRecord pair_record = ABUT_RECORD("pair", "", PairProof, pair_fields);

typedef struct CertificateFile {
    const char *version, *robot, *obstacles, *trajectory_hash;
    double level, from, to;
    PlanProof proof;
    const PairProof *pairs;
    int32_t pair_count;
} CertificateFile;

static const AbutField file_fields[] = {
    {ABUT_FIELD(CertificateFile, version, TEXT, "", "Version of abut.")},
    {ABUT_FIELD(CertificateFile, robot, TEXT, "", "Model of the robot.")},
    {ABUT_FIELD(CertificateFile, obstacles, TEXT, "", "File of the obstacles; null for none.")},
    {ABUT_FIELD(CertificateFile, trajectory_hash, TEXT, "", "Hash of the numbers of the trajectory.")},
    {ABUT_FIELD_OF(CertificateFile, proof.certificate, abut_certificate_record, "status")},
    {ABUT_FIELD(CertificateFile, level, REAL, "m", "Distance that is proved.")},
    {ABUT_FIELD(CertificateFile, from, REAL, "s", "Begin of the motion.")},
    {ABUT_FIELD(CertificateFile, to, REAL, "s", "End of the motion.")},
    {ABUT_FIELD_OF(CertificateFile, proof, plan_proof_record, "clearance balance left_out")},
    {ABUT_FIELD_AT(CertificateFile, pairs, pair_record, "Bounds of every pair."),
        .count_at = offsetof(CertificateFile, pair_count)},
    {ABUT_FIELD_OF(CertificateFile, proof, plan_proof_record, "poses distances bounds triangles points")},
};
const AbutRecord plan_certificate_file = ABUT_RECORD("certificate", "", CertificateFile, file_fields);

/* Hash of the numbers of a trajectory, which links a certificate to it. */
static void hash_text(const AbutTrajectory *t, char text[20]) {
    size_t numbers = 6 * (size_t)t->piece_count * (size_t)t->joint_count;
    uint64_t hash = abut_hash(t->coefficients, numbers * sizeof(double), 1);
    hash = abut_hash(t->times, ((size_t)t->piece_count + 1) * sizeof(double), hash);
    snprintf(text, 20, "%016llx", (unsigned long long)hash);
}

void plan_write_certificate(const char *path, const PlanSetup *setup, double level, const AbutTrajectory *trajectory,
    const AbutCertificate *x, const AbutPairCertificate *pairs) {
    AbutJson json = abut_json_to_file(NULL, 1);
    char hash[20];
    int32_t count = abut_plan_pair_count(setup->problem);
    PairProof *rows = cli_room((size_t)count, sizeof *rows);
    for (int32_t i = 0; i < count; ++i)
        rows[i] = (PairProof){plan_pair(setup->problem, i), abut_plan_pair_triangles(setup->problem, i), pairs[i]};
    hash_text(trajectory, hash);
    CertificateFile file = {abut_version(), setup->robot.source, setup->obstacle_file, hash, level,
        trajectory->times[0], trajectory->times[trajectory->piece_count], plan_proof(setup, x), rows, count};
    abut_record_put_object(&json, &plan_certificate_file, &file);
    cli_need(abut_json_finish(&json, &cli_why));
    cli_need(abut_file_write(path, json.text, json.count, &cli_why));
}
