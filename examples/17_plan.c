/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A motion of an arm past a thin post, planned and proved: the first guess goes through the post, the plan does not, at
 * no time.
 */
#include <abut/abut.h>
#include <stdio.h>

static int fail(const AbutError *error) {
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

static AbutStatus add_post(AbutModel *world, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = ABUT_BODY_STATIC;
    body.name = "post";
    body.pose.p = abut_vec3(0.45, 0.1, 0.4);
    shape.form.size = abut_vec3(0.006, 0.006, 0.4);
    AbutStatus status = abut_model_add_body(world, &body, &shape.body, error);
    return status ? status : abut_model_add_shape(world, &shape, NULL, error);
}

int main(void) {
    const double start[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[6] = {1.0, 0.9, 0.6, 0, 0, 0};
    AbutModel *robot, *world;
    const AbutTree *tree;
    AbutConfiguration *posture;
    AbutPlanRobot *half;
    AbutPlanProblem *problem;
    AbutCertificate moved;
    AbutPlanQuery query = {start, goal, 0, NULL, NULL};
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlan plan;
    AbutError error;
    settings.budget = 60.0; /* slow machines too */
    if (abut_model_build("arm6", 1, &robot, &error) || abut_model_create(&world, &error) || add_post(world, &error) ||
        abut_tree_create(robot, &tree, &error) || abut_configuration_create(tree, &posture, &error) ||
        abut_plan_robot_create(posture, NULL, &half, &error) || /* once, for any number of problems */
        abut_plan_robot_problem(half, world, NULL, &problem, &error) ||
        abut_plan_solve(problem, &query, &settings, &plan, &error))
        return fail(&error);
    printf("%s: %d pairs of links are farther apart than %g mm for all of %.2f s\n",
        abut_word(abut_plan_status_names, plan.status), (int)abut_plan_pair_count(problem), 1e3 * settings.level,
        plan.trajectory.times[plan.trajectory.piece_count]);
    int found = plan.status == ABUT_PLAN_CERTIFIED;
    AbutCertifyDef def = {.level = settings.level};
    abut_plan_move_obstacle(problem, robot->body_count, abut_pose(abut_vec3(0.3, 0.3, 0.4), abut_quat_identity()));
    if (abut_plan_certify(problem, &plan.trajectory, &def, &moved, NULL, &error)) return fail(&error);
    printf("with the post elsewhere: %s\n", abut_word(abut_certificate_status_names, moved.status));
    abut_plan_free(&plan);
    abut_plan_problem_free(problem);
    abut_plan_robot_free(half);
    abut_configuration_free(posture);
    abut_tree_release(tree);
    abut_model_free(world);
    abut_model_free(robot);
    return !found;
}
