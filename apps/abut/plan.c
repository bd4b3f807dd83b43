/* SPDX-License-Identifier: Apache-2.0 */
/* The robot, the obstacles and the pairs of `abut plan`; certificates as JSON. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

PlanSetup plan_setup_make(void)
{
    AbutPlanDef def = abut_plan_def_default();
    return (PlanSetup){.neighbours = def.neighbours,
        .margin = def.margin,
        .balance_margin = def.balance_margin,
        .support_body = -1,
        .other_body = -1};
}

void plan_setup_free(PlanSetup *setup)
{
    abut_plan_problem_free(setup->problem);
    robot_free(&setup->robot);
    abut_plan_obstacles_free(&setup->obstacles);
    abut_free(setup->held);
}

void plan_setting_error(const AbutError *error)
{
    static const char *const names[][2] = {{"level", "--level"}, {"points", "--points"}, {"attempts", "--attempts"},
        {"budget", "--budget"}, {"speed", "--speed"}, {"acceleration", "--acceleration"}, {"duration", "--time"},
        {"samples", "--method sampled"}, {"method", "--method"}, {"via", "--via"}, {"support", "--support"},
        {"margin", "--margin"}, {"obstacles", "--obstacles"}, {"other_foot", "--support"}, {"balance", "--balance"},
        {"balance_margin", "--balance-margin"}, {"corners", "--balance"}, {"limits", "--limits"},
        {"window", "--allow"}};
    for (size_t i = 0; error->field && i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(error->field, names[i][0]) == 0)
            cli_error("%s%s", names[i][1], error->text + strlen(error->field));
    cli_error("%s", error->text);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

void plan_setup_read(PlanSetup *setup)
{
    robot_load(&setup->robot);
    for (int i = 0; i < setup->robot.warning_count && !setup->quiet; ++i)
        cli_warning("%s", setup->robot.warnings[i]);
    if (!setup->obstacle_file)
        return;
    if (abut_mesh_name_fits(setup->obstacle_file))
        plan_read_mesh(setup);
    else
        plan_read_obstacles(setup);
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

static void read_limits(const PlanSetup *setup, AbutPlanJointLimits **out)
{
    if (!setup->limits_file)
        return;
    *out = cli_room((size_t)setup->robot.model->joint_count, sizeof **out);
    cli_need(abut_limits_read(setup->limits_file, NULL, 0, setup->robot.model, *out, &cli_why));
}

/* --shapes, and the radii of capsules that are wanted thinner. */
static void take_shapes(const PlanSetup *setup, double **radii, AbutPlanDef *def)
{
    def->capsules = setup->shapes && strcmp(setup->shapes, "capsule") == 0;
    if (setup->shapes && !def->capsules && strcmp(setup->shapes, "hull") != 0)
        cli_error("--shapes: hull or capsule expected, got '%s'", setup->shapes);
    if (!setup->thin)
        return;
    *radii = cli_room((size_t)setup->robot.model->body_count, sizeof **radii);
    for (int32_t i = 0; i < setup->robot.model->body_count; ++i)
        (*radii)[i] = NAN;
    for (const char *p = setup->thin; p;) {
        size_t length = strcspn(p, "=");
        int32_t body = plan_find_link(setup, "--shapes", p, length);
        (*radii)[body] = strtod(p + length + 1, NULL);
        p = strchr(p, ',');
        p = p ? p + 1 : NULL;
    }
    def->radii = *radii;
}

static void create_problem(PlanSetup *setup, const AbutPlanDef *def)
{
    if (abut_plan_problem_create(setup->robot.c, setup->obstacles.model, def, &setup->problem, &cli_why) != ABUT_OK) {
        plan_setting_error(&cli_why);
        return;
    }
    for (int32_t i = 0; i < abut_plan_note_count(setup->problem) && !setup->quiet; ++i)
        cli_warning("%s", abut_plan_note(setup->problem, i));
    if (abut_plan_pair_count(setup->problem) == 0)
        cli_warning("no pair of links is left: nothing can be proved");
}

void plan_setup_problem(PlanSetup *setup)
{
    AbutPlanDef def = abut_plan_def_default();
    PlanPairs pairs;
    AbutPlanJointLimits *limits = NULL;
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    double *radii = NULL;
    def.margin = setup->margin;
    def.neighbours = setup->neighbours;
    def.held = setup->held;
    def.mesh_count = setup->obstacles.mesh_count;
    def.meshes = setup->obstacles.meshes;
    plan_take_pairs(setup, &pairs);
    if (setup->retimed && pairs.timed.count)
        cli_error("--retime: no times of --allow expected with it, as they are of another duration");
    plan_take_stand(setup, corners, &def);
    read_limits(setup, &limits);
    take_shapes(setup, &radii, &def);
    def.left_out_count = pairs.allowed.count;
    def.left_out = pairs.allowed.pairs;
    def.only_count = pairs.only.count;
    def.only = pairs.only.pairs;
    def.added_count = pairs.added.count;
    def.added = pairs.added.pairs;
    def.window_count = pairs.timed.count;
    def.windows = pairs.timed.windows;
    setup->has_windows = pairs.timed.count > 0;
    def.limits = limits;
    create_problem(setup, &def);
    plan_free_pairs(&pairs);
    abut_free(limits);
    abut_free(radii);
}

int64_t plan_triangles(const PlanSetup *setup)
{
    int64_t count = 0;
    for (int32_t i = 0; i < setup->obstacles.mesh_count; ++i)
        count += setup->obstacles.meshes[i].tree->triangle_count;
    return count;
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

const char *plan_when(const PlanSetup *setup)
{
    return setup->has_windows ? "at all times when they may not meet" : "at all times";
}

const char *plan_pair_text(const AbutPlanProblem *problem, int32_t pair)
{
    static char text[300];
    AbutPair links = abut_plan_pair(problem, pair);
    snprintf(
        text, sizeof text, "%s and %s", abut_plan_link_name(problem, links.a), abut_plan_link_name(problem, links.b));
    return text;
}

void plan_put_pair(AbutJson *json, const void *member)
{
    const PlanPair *pair = member;
    if (pair->number < 0) {
        abut_json_put_string(json, NULL, NULL);
        return;
    }
    AbutPair links = abut_plan_pair(pair->problem, pair->number);
    abut_json_begin_array(json);
    abut_json_put_string(json, NULL, abut_plan_link_name(pair->problem, links.a));
    abut_json_put_string(json, NULL, abut_plan_link_name(pair->problem, links.b));
    abut_json_end_array(json);
}

static void put_notes(AbutJson *json, const void *member)
{
    const AbutPlanProblem *problem = *(AbutPlanProblem *const *)member;
    abut_json_begin_array(json);
    for (int32_t i = 0; i < abut_plan_note_count(problem); ++i)
        abut_json_put_string(json, NULL, abut_plan_note(problem, i));
    abut_json_end_array(json);
}

static const AbutField clearance_fields[] = {
    {ABUT_FIELD_AS("lb", PlanProof, certificate.lb, REAL, "m", "No nearer than this at any time.")},
    {ABUT_FIELD_AS("ub", PlanProof, certificate.ub, REAL, "m", "Least distance that was evaluated.")},
    {ABUT_FIELD(PlanProof, pair, PUT, "", "Names of the two links."), .put = plan_put_pair},
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
    {ABUT_FIELD_AS("left_out", PlanProof, pair.problem, PUT, "", "Pairs that are not checked, with the reason."),
        .put = put_notes},
    {ABUT_FIELD_OF(PlanProof, certificate, abut_certificate_record, "poses distances bounds")},
    {ABUT_FIELD(PlanProof, triangles, LONG, "", "Triangles of obstacles that are proved against as they are.")},
};
const AbutRecord plan_proof_record = ABUT_RECORD("proof", "", PlanProof, proof_fields);

PlanProof plan_proof(const PlanSetup *setup, const AbutCertificate *x)
{
    return (PlanProof){*x, {setup->problem, x->pair},
        x->balance.status == ABUT_CERTIFICATE_NOTHING ? NULL : &x->balance, plan_triangles(setup)};
}

typedef struct PairProof {
    PlanPair pair;
    int64_t triangles;
    AbutPairCertificate certificate;
} PairProof;

static const AbutField pair_fields[] = {
    {ABUT_FIELD(PairProof, pair, PUT, "", "Names of the two links."), .put = plan_put_pair},
    {ABUT_FIELD(PairProof, triangles, LONG, "", "Triangles that it is proved against.")},
    {ABUT_FIELD_OF(PairProof, certificate, abut_pair_certificate_record, "status lb ub t")},
};
static const AbutRecord pair_record = ABUT_RECORD("pair", "", PairProof, pair_fields);

typedef struct CertificateFile {
    const char *version, *robot, *obstacles, *trajectory_hash;
    double level, from, to;
    PlanProof proof;
    const AbutPairCertificate *pairs;
} CertificateFile;

static void put_pairs(AbutJson *json, const void *member)
{
    const CertificateFile *file =
        (const void *)((const char *)member - offsetof(CertificateFile, pairs)); /* the member of that struct */
    const AbutPlanProblem *problem = file->proof.pair.problem;
    abut_json_begin_array(json);
    for (int32_t i = 0; i < abut_plan_pair_count(problem); ++i) {
        PairProof x = {{problem, i}, abut_plan_pair_triangles(problem, i), file->pairs[i]};
        abut_record_put_object(json, &pair_record, &x);
    }
    abut_json_end_array(json);
}

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
    {ABUT_FIELD(CertificateFile, pairs, PUT, "", "Bounds of every pair."), .put = put_pairs, .record = &pair_record},
    {ABUT_FIELD_OF(CertificateFile, proof, plan_proof_record, "poses distances bounds triangles")},
};
const AbutRecord plan_certificate_file = ABUT_RECORD("certificate", "", CertificateFile, file_fields);

/* Of the numbers of a trajectory, so that a certificate can be told to belong to it. */
static void hash_text(const AbutTrajectory *t, char text[20])
{
    size_t numbers = 6 * (size_t)t->piece_count * (size_t)t->joint_count;
    uint64_t hash = abut_hash(t->coefficients, numbers * sizeof(double), 1);
    hash = abut_hash(t->times, ((size_t)t->piece_count + 1) * sizeof(double), hash);
    snprintf(text, 20, "%016llx", (unsigned long long)hash);
}

void plan_write_certificate(const char *path, const PlanSetup *setup, double level, const AbutTrajectory *trajectory,
    const AbutCertificate *x, const AbutPairCertificate *pairs)
{
    AbutJson json = abut_json_to_file(NULL, 1);
    char hash[20];
    hash_text(trajectory, hash);
    CertificateFile file = {abut_version(), setup->robot.source, setup->obstacle_file, hash, level,
        trajectory->times[0], trajectory->times[trajectory->piece_count], plan_proof(setup, x), pairs};
    abut_record_put_object(&json, &plan_certificate_file, &file);
    AbutStatus status = abut_json_finish(&json, &cli_why);
    if (!status)
        status = abut_file_write(path, json.text, json.count, &cli_why);
    abut_json_free(&json);
    cli_need(status);
}

/* ---- obstacles ------------------------------------------------------------------------------------------------------ */

void plan_read_mesh(PlanSetup *setup)
{
    const char *file = setup->obstacle_file, *name = cli_base_name(file);
    AbutPlanObstacles *obstacles = &setup->obstacles;
    AbutMesh mesh = {0};
    cli_need(abut_mesh_read(file, NULL, 0, &mesh, NULL, &cli_why));
    AbutStatus made = abut_plan_obstacles_from_mesh(&mesh, name, !setup->proof_only, obstacles, &cli_why);
    abut_mesh_free(&mesh);
    if (made)
        cli_error("%s: %s", file, cli_why.text);
    if (obstacles->open)
        cli_warning("%s is open: it has no inside, its triangles alone are kept clear of", file);
    if (obstacles->pieces.count)
        depth_warn_pieces(file, &obstacles->pieces);
    if (obstacles->thick > 0.0)
        cli_warning("%s: the search takes %d pieces for it that are up to %.3g m thick", file,
            (int)obstacles->model->shape_count, obstacles->thick);
}

void plan_read_obstacles(PlanSetup *setup)
{
    AbutModel *surfaces = NULL;
    const char *file = setup->obstacle_file;
    AbutModelReadOptions options = {.surfaces = 1, .allow_outside = operands_outside};
    AbutPlanObstacles *obstacles = &setup->obstacles;
    obstacles->model = operands_load_model(file, 1, setup->proof_only ? OPERAND_SURFACES : OPERAND_PIECES);
    if (setup->proof_only)
        cli_need(abut_plan_obstacles_add_surfaces(obstacles, obstacles->model, &cli_why));
    else if (cli_is_file(file))
        cli_need(abut_model_read(file, &options, &surfaces, &cli_why));
    if (surfaces)
        cli_need(abut_plan_obstacles_add_surfaces(obstacles, surfaces, &cli_why));
    abut_model_free(surfaces);
}
