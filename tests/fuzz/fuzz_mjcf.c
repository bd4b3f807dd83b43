/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as MJCF: a model and a scene, or one clear refusal; what is accepted is sound. No files are opened. */
#include "fuzz.h"
#include "import/parse.h"

#include <math.h>
#include <string.h>

#include "abut/import.h"

static void on_warning(const char *text, void *user) {
    (void)user;
    FUZZ_REQUIRE(strlen(text) > 0);
}

static void check_model(const AbutModel *model) {
    for (int i = 0; i < model->body_count; ++i) {
        const AbutBodyDef *body = &model->bodies[i];
        FUZZ_REQUIRE(body->parent < i && body->parent >= -1);
        FUZZ_REQUIRE(abut_pose_is_finite(body->pose));
    }
    for (int i = 0; i < model->shape_count; ++i) {
        const AbutShapeDef *shape = &model->shapes[i];
        FUZZ_REQUIRE(abut_pose_is_finite(shape->pose) && shape->geometry);
        FUZZ_REQUIRE(shape->body >= 0 && shape->body < model->body_count);
    }
    for (int i = 0; i < model->joint_count; ++i)
        FUZZ_REQUIRE(model->bodies[model->joints[i].body].kind == ABUT_BODY_LINK);
}

static void check_scene(const AbutScene *scene) {
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyState state;
        FUZZ_REQUIRE(abut_scene_get_body(scene, abut_scene_body_at(scene, i), &state));
        FUZZ_REQUIRE(abut_pose_is_finite(state.pose));
        FUZZ_REQUIRE(state.kind != ABUT_BODY_DYNAMIC || (state.mass > 0.0 && isfinite(state.mass)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutModel *model;
    AbutError error = {0};
    AbutScene *scene = NULL;
    AbutModelReadOptions options = {.warn = on_warning};
    AbutStatus status = abut_model_parse_mjcf(data, size, "input.xml", &options, &model, &error);
    FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
    FUZZ_REQUIRE(!status == (model != NULL));
    if (status) return 0;
    check_model(model);
    if (abut_scene_create(&scene, NULL) == ABUT_OK) {
        AbutStatus built = abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error);
        FUZZ_REQUIRE(!built || abut_scene_body_count(scene) == 0);
        FUZZ_REQUIRE(!built || error.text[0]);
        check_scene(scene);
    }
    abut_scene_free(scene);
    abut_model_free(model);
    return 0;
}
