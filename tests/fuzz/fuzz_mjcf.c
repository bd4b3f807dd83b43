/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as MJCF: a model and a scene, or one clear refusal; what is accepted is sound. No files are opened. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "abut/file.h"

static void on_warning(const char *text, void *user)
{
    (void)user;
    FUZZ_REQUIRE(strlen(text) > 0);
}

static void check_model(const AbutMjcfModel *model)
{
    FUZZ_REQUIRE(model->body_count >= 1);
    for (int i = 0; i < model->body_count; ++i) {
        const AbutMjcfBody *body = &model->bodies[i];
        FUZZ_REQUIRE(body->parent < i && (i == 0) == (body->parent < 0));
        FUZZ_REQUIRE(abut_pose_is_finite(body->pose));
        FUZZ_REQUIRE(body->first_geom + body->geom_count <= model->geom_count);
        FUZZ_REQUIRE(body->first_joint + body->joint_count <= model->joint_count);
    }
    for (int i = 0; i < model->geom_count; ++i)
        FUZZ_REQUIRE(abut_pose_is_finite(model->geoms[i].pose) && model->geoms[i].mesh < model->mesh_count);
}

static void check_scene(const AbutScene *scene)
{
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyState state;
        FUZZ_REQUIRE(abut_scene_get_body(scene, abut_scene_body_at(scene, i), &state));
        FUZZ_REQUIRE(abut_pose_is_finite(state.pose));
        FUZZ_REQUIRE(state.kind != ABUT_BODY_DYNAMIC || (state.mass > 0.0 && isfinite(state.mass)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AbutMjcfModel model;
    AbutError error = {0};
    AbutScene *scene = NULL;
    AbutSceneInfo info;
    AbutStatus status = abut_mjcf_parse_model(data, size, "input.xml", NULL, &model, on_warning, NULL, &error);
    FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
    if (!status)
        check_model(&model);
    abut_mjcf_free(&model);
    if (abut_scene_create(&scene, NULL) != ABUT_OK)
        return 0;
    AbutStatus built = abut_scene_parse_mjcf(data, size, "input.xml", NULL, scene, &info, on_warning, NULL, &error);
    FUZZ_REQUIRE(!status || built == status);
    FUZZ_REQUIRE(!built || abut_scene_body_count(scene) == 0);
    check_scene(scene);
    abut_scene_free(scene);
    return 0;
}
