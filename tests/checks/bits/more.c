/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of the answers of the rooms above the meshes: soft directions, contact modes, dynamics of a robot, a plan. */
#include "bits.h"

#include "abut/direction.h"
#include "abut/literature.h"
#include "abut/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- directions -------------------------------------------------------------------------------------------------- */

static AbutSoftBody *make_soft(const char *name) {
    AbutMesh mesh;
    AbutSoftBody *out;
    const AbutSoftBodyDef def = {.tau = 0.1, .threads = 1};
    must(abut_mesh_make(name, 200, NULL, &mesh, &error));
    must(abut_soft_body_create(&mesh, &def, &out, &error));
    abut_mesh_free(&mesh);
    return out;
}

static void directions(void) {
    enum { QUERIES = 20 };
    AbutRng rng = abut_rng(14, 0);
    AbutSoftBody *a = make_soft("torus"), *b = make_soft("cup");
    void *workspace = malloc(abut_soft_size(a, b));
    uint64_t hash = 0;
    for (int i = 0; i < QUERIES && workspace; ++i) {
        AbutSoft x = abut_soft_direction(a, b, random_pose(&rng, 0.8), NULL, workspace);
        hash = abut_hash(&x.distance, sizeof x.distance, hash_vec3(x.direction, hash));
    }
    printf("%d soft directions: %016llx\n", QUERIES, (unsigned long long)hash);
    free(workspace);
    abut_soft_body_free(a);
    abut_soft_body_free(b);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static void modes(const char *name) {
    enum { TEXT = 400, DOF = 40 };
    AbutModeSystem system = {0};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeList list = {0};
    AbutModeResult result;
    char text[TEXT];
    double velocity[DOF];
    uint64_t hash = 0;
    options.threads = 1;
    must(abut_mode_builtin(name, &system, &error));
    must(abut_mode_collect(&system, &options, &list, &result, &error));
    for (size_t i = 0; i < list.count; ++i) {
        size_t length = abut_mode_text(&system, 0, abut_mode_list_get(&list, i), text, sizeof text);
        must(abut_mode_velocity(&system, abut_mode_list_get(&list, i), velocity, &error));
        hash = abut_hash(velocity, (size_t)system.dof * sizeof *velocity, abut_hash(text, length, hash));
    }
    printf("%d modes of %s: %016llx\n", (int)list.count, name, (unsigned long long)hash);
    abut_mode_list_free(&list);
    abut_mode_system_free(&system);
}

/* ---- robots ------------------------------------------------------------------------------------------------------ */

enum { JOINTS = 6 };

static void random_joints(AbutRng *rng, double *out) {
    for (int i = 0; i < JOINTS; ++i) out[i] = random_number(rng, 1.0);
}

static void torques(void) {
    enum { STATES = 50 };
    AbutRng rng = abut_rng(15, 0);
    AbutModel *model;
    const AbutTree *tree;
    AbutConfiguration *robot;
    uint64_t hash = 0;
    must(abut_model_build("arm6", 1, &model, &error));
    must(abut_tree_create(model, &tree, &error));
    must(abut_configuration_create(tree, &robot, &error));
    abut_tree_release(tree);
    for (int i = 0; i < STATES; ++i) {
        double q[JOINTS], v[JOINTS], a[JOINTS], out[JOINTS];
        random_joints(&rng, q);
        random_joints(&rng, v);
        random_joints(&rng, a);
        must(abut_configuration_set(robot, JOINTS, q, JOINTS, v, &error));
        abut_configuration_inverse_dynamics(robot, a, out);
        hash = abut_hash(out, sizeof out, hash);
    }
    printf("%d torques of an arm: %016llx\n", STATES, (unsigned long long)hash);
    abut_configuration_free(robot);
    abut_model_free(model);
}

/* An arm around a block: the polynomials of the plan. */
static void plan(void) {
    const double start[JOINTS] = {0}, goal[JOINTS] = {0.3, -0.2, 0.2};
    AbutModel *model, *block;
    const AbutTree *tree;
    AbutConfiguration *robot;
    AbutPlanProblem *problem;
    AbutPlan out;
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    must(abut_model_build("arm6", 1, &model, &error));
    must(abut_tree_create(model, &tree, &error));
    must(abut_configuration_create(tree, &robot, &error));
    abut_tree_release(tree);
    must(abut_model_create(&block, &error));
    body.name = "block", body.kind = ABUT_BODY_STATIC, body.pose.p = abut_vec3(0.6, 0.0, 0.2);
    shape.form.kind = ABUT_SHAPE_BOX, shape.form.size = abut_vec3(0.1, 0.1, 0.1);
    must(abut_model_add_body(block, &body, &shape.body, &error));
    must(abut_model_add_shape(block, &shape, NULL, &error));
    must(abut_plan_problem_create(robot, block, NULL, &problem, &error));
    settings.attempts = 2, settings.threads = 1, settings.budget = 1e6, settings.seed = 1;
    must(abut_plan_solve(problem, &query, &settings, &out, &error));
    const AbutTrajectory *t = &out.trajectory;
    size_t numbers = 6 * (size_t)t->piece_count * (size_t)t->joint_count;
    uint64_t hash = abut_hash(t->coefficients, numbers * sizeof(double), 0);
    hash = abut_hash(&out.certificate.lb, sizeof out.certificate.lb, hash);
    printf("a plan, %s: %016llx\n", abut_word(abut_plan_status_names, out.status), (unsigned long long)hash);
    abut_plan_free(&out);
    abut_plan_problem_free(problem);
    abut_configuration_free(robot);
    abut_model_free(block);
    abut_model_free(model);
}

void ask_more(void) {
    directions();
    modes("box:3");
    modes("peg:4");
    torques();
    plan();
}
