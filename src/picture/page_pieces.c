/* SPDX-License-Identifier: Apache-2.0 */
/* The page of convex pieces that move apart: each along the line from the common center to its own. */
#include <string.h>

#include "abut/picture.h"

enum { FRAMES = 21 };

static AbutVec3 middle_of(const AbutPieces *pieces) {
    AbutVec3 middle = abut_zero();
    double all = 0.0;
    for (int i = 0; i < pieces->count; ++i) {
        double v = pieces->piece[i]->mass.volume;
        middle = abut_add_scaled(middle, pieces->piece[i]->mass.centroid, v);
        all += v;
    }
    return abut_scale(middle, 1.0 / all);
}

static AbutStatus add_pieces(const AbutPieces *pieces, AbutModel *model, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < pieces->count && status == ABUT_OK; ++i) {
        char name[32];
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        snprintf(name, sizeof name, "piece %d", i);
        body.name = name;
        body.kind = ABUT_BODY_DYNAMIC;
        shape.form.kind = ABUT_SHAPE_POLYHEDRON;
        shape.form.polyhedron = pieces->piece[i];
        status = abut_model_add_body(model, &body, &shape.body, error);
        if (status == ABUT_OK) status = abut_model_add_shape(model, &shape, NULL, error);
    }
    return status;
}

/* The pieces at parts 0 to 1 of the way apart. */
static AbutStatus move_apart(const AbutPieces *pieces, AbutRun *run, AbutError *error) {
    AbutVec3 middle = middle_of(pieces);
    AbutRunBody *body = abut_alloc_array((size_t)pieces->count, sizeof *body);
    AbutStatus status = body ? ABUT_OK : abut_fail_memory(error);
    for (int k = 0; k < FRAMES && status == ABUT_OK; ++k) {
        AbutStepReport report = {.time = 0.05 * k};
        for (int i = 0; i < pieces->count; ++i) {
            AbutVec3 way = abut_sub(pieces->piece[i]->mass.centroid, middle);
            memset(&body[i], 0, sizeof body[i]);
            body[i].pose = abut_pose(abut_scale(way, 0.8 * k / (FRAMES - 1)), abut_quat_identity());
            body[i].island = -1;
        }
        status = abut_run_add_step(run, &report, body, error);
    }
    abut_free(body);
    return status;
}

AbutStatus abut_page_write_pieces(const char *path, const char *title, const AbutPieces *pieces, AbutError *error) {
    ABUT_ASSERT(path && title && pieces);
    AbutModel *model = NULL;
    AbutRun *run = NULL;
    char note[120];
    int length = snprintf(note, sizeof note, "%d convex pieces moving apart", pieces->count);
    if (isfinite(pieces->excess))
        snprintf(note + length, sizeof note - (size_t)length, ", excess %.3g", pieces->excess);
    AbutPageHead head = {.title = title, .subtitle = note, .without_charts = 1, .names = 1};
    AbutStatus status = abut_model_create(&model, error);
    if (status == ABUT_OK) status = add_pieces(pieces, model, error);
    if (status == ABUT_OK) status = abut_run_create(model, NULL, &run, error);
    if (status == ABUT_OK) status = move_apart(pieces, run, error);
    if (status == ABUT_OK) status = abut_page_write_run(path, &head, run, NULL, error);
    abut_run_free(run);
    abut_model_free(model);
    return status;
}
