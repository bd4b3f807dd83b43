/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a planning scene of a small arm: one clear refusal, or a robot and obstacles of which a problem is made.
 */
#include "abut/file.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AbutModel *arm;
    AbutModel *robot;
    AbutPlanningScene scene;
    AbutPlanProblem *problem;
    AbutError error = {0};
    if (!arm) FUZZ_REQUIRE(abut_model_build("planar-arm:3", 1, &arm, &error) == ABUT_OK);
    FUZZ_REQUIRE(abut_model_copy(arm, &robot, &error) == ABUT_OK);
    AbutStatus status = abut_planning_scene_read("input", data, size, (int)(size % 2), robot, &scene, &error);
    FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
    if (status) {
        FUZZ_REQUIRE(!scene.robot && !scene.obstacles.model && !scene.allowed && !scene.added);
        abut_model_free(robot);
        return 0;
    }
    int32_t links = robot->body_count + scene.obstacles.model->body_count;
    for (int32_t i = 0; i < scene.allowed_count; ++i)
        FUZZ_REQUIRE(scene.allowed[i].a >= 0 && scene.allowed[i].a < links && scene.allowed[i].b < links);
    AbutPlanDef def = abut_plan_def_default();
    def.mesh_count = scene.obstacles.mesh_count, def.meshes = scene.obstacles.meshes;
    def.left_out_count = scene.allowed_count, def.left_out = scene.allowed;
    def.added_count = scene.added_count, def.added = scene.added;
    /* some of them: a problem looks at 200 postures */
    status = size % 64 ? ABUT_ERROR_LIMIT
                       : abut_plan_problem_create(scene.robot, scene.obstacles.model, &def, &problem, &error);
    FUZZ_REQUIRE(!status || size % 64 || error.text[0]);
    if (!status) {
        FUZZ_REQUIRE(abut_plan_link_count(problem) == links);
        abut_plan_problem_free(problem);
    }
    abut_planning_scene_free(&scene);
    abut_model_free(robot);
    return 0;
}
