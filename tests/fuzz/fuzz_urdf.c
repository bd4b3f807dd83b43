/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as URDF: a model with a configuration, or one clear refusal. No files are opened. */
#include "fuzz.h"
#include "import/parse.h"

#include <string.h>

#include "abut/import.h"
#include "support/tree_of.h"

static void on_warning(const char *text, void *user) {
    (void)user;
    FUZZ_REQUIRE(strlen(text) > 0);
}

static void check_configuration(const AbutModel *model) {
    AbutConfiguration *c;
    FUZZ_REQUIRE(configuration_of(model, &c, NULL) == ABUT_OK); /* the reader asked already */
    for (int i = 0; i < model->body_count; ++i) {
        FUZZ_REQUIRE(model->bodies[i].parent < i);
        FUZZ_REQUIRE(abut_pose_is_finite(model->bodies[i].pose));
    }
    for (int i = 0; i < model->joint_count; ++i)
        FUZZ_REQUIRE(model->joints[i].range[0] <= model->joints[i].range[1] || !model->joints[i].limited);
    abut_configuration_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutModel *model;
    AbutError error = {0};
    AbutModelReadOptions options = {.warn = on_warning, .free_root = size % 2};
    AbutStatus status = abut_model_parse_urdf(data, size, "input.urdf", &options, &model, &error);
    FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
    FUZZ_REQUIRE(!status == (model != NULL));
    if (!status) check_configuration(model);
    abut_model_free(model);
    return 0;
}
