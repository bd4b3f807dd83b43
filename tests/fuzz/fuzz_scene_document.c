/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the scene document of a run: a model that survives being written and read again, or one clear line. */
#include "fuzz.h"

#include <string.h>

#include "file/run.h"

static AbutModel *read_model(const char *text, size_t count, AbutError *error) {
    AbutModel *model = NULL;
    char *settings = NULL;
    if (abut_model_create(&model, NULL) != ABUT_OK) return NULL;
    AbutStatus status = abut_scene_document_read(text, count, "scene_json", model, &settings, error);
    abut_free(settings);
    if (status == ABUT_OK) return model;
    FUZZ_REQUIRE(error->status == status && error->text[0] && !strchr(error->text, '\n'));
    abut_model_free(model);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutError error = {0};
    AbutJson json;
    if (size > 100000) return 0;
    AbutModel *model = read_model((const char *)data, size, &error);
    if (!model) return 0;
    FUZZ_REQUIRE(abut_scene_document_write(model, NULL, &json, NULL) == ABUT_OK);
    AbutModel *back = read_model(json.text, json.count, &error);
    FUZZ_REQUIRE(back && back->body_count == model->body_count && back->shape_count == model->shape_count);
    for (int32_t i = 0; i < model->shape_count; ++i)
        FUZZ_REQUIRE(back->shapes[i].body == model->shapes[i].body &&
                     back->shapes[i].geometry->kind == model->shapes[i].geometry->kind);
    abut_json_free(&json);
    abut_model_free(back);
    abut_model_free(model);
    return 0;
}
