/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of a run, or of two side by side: bodies, poses, contacts, and charts. The page is made whole; when it
 * passes the limit, contacts, then frames, are thinned by halves and it is made again. Charts keep every step.
 */
#include "file/npz.h"
#include "picture/page.h"

#include <string.h>

enum { CONTACT_STRIDE = 16, FRAME_STRIDE = 1 << 20, DEFAULT_LIMIT = 3000000, BODY_LIMIT = 10000000 };

typedef struct Thinning {
    int32_t frames, contacts; /* strides */
} Thinning;

static AbutStatus check_run(const AbutRun *run, AbutError *error) {
    const double *time = abut_run_f8(run, ABUT_RUN_TIME);
    if (run->steps < 1) return abut_fail(error, ABUT_ERROR_EMPTY, "page: the run has no step");
    if (run->bodies < 1) return abut_fail(error, ABUT_ERROR_EMPTY, "page: the run has no body");
    if (run->bodies > BODY_LIMIT)
        return abut_fail(error, ABUT_ERROR_LIMIT, "page: %d bodies are more than %d", run->bodies, BODY_LIMIT);
    if (run->contacts >= INT32_MAX || run->vertices >= INT32_MAX)
        return abut_fail(error, ABUT_ERROR_LIMIT, "page: the run has more contacts than a page can count");
    for (int32_t i = 0; i < run->steps; ++i)
        if (!isfinite(time[i]) || (i > 0 && time[i] < time[i - 1]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "page: time %d is not finite, or before the one before it", i);
    return ABUT_OK;
}

/* ---- columns over the kept frames -------------------------------------------------------------------------------- */

typedef struct Kept {
    const AbutRun *run;
    const int32_t *frame;
    int32_t count;
    AbutRunColumn column;
} Kept;

/* A number of the row of a kept frame; of all bodies one after the other where the column has rows per body. */
static double get_number(const void *source, int64_t row, int32_t at) {
    const Kept *kept = source;
    const AbutRunColumnInfo *about = abut_run_column_info(kept->column);
    int64_t width = about->width ? about->width : 1;
    width *= about->row == ABUT_RUN_PER_BODY ? kept->run->bodies : 1;
    int64_t index = kept->frame[row] * width + at;
    return about->type == ABUT_ARRAY_F8 ? abut_run_f8(kept->run, kept->column)[index]
                                        : abut_run_i4(kept->run, kept->column)[index];
}

/* Bodies that are not there do not move. */
static double get_velocity(const void *source, int64_t row, int32_t at) {
    double v = get_number(source, row, at);
    return isfinite(v) ? v : 0.0;
}

static void put_integers(AbutPage *page, const char *key, Kept kept, AbutRunColumn column) {
    kept.column = column;
    AbutPageTable table = {get_number, &kept, kept.count, kept.run->bodies, 1.0, 0, 0.0, NULL};
    if (abut_run_i4(kept.run, column)) abut_page_table(page, key, &table);
}

static void put_velocities(AbutPage *page, Kept kept) {
    const double *velocity = abut_run_f8(kept.run, ABUT_RUN_VELOCITY);
    int64_t count = 6 * (int64_t)kept.run->steps * kept.run->bodies;
    double most = 0.0;
    if (!velocity) return;
    for (int64_t i = 0; i < count; ++i) most = isfinite(velocity[i]) ? abut_larger(fabs(velocity[i]), most) : most;
    kept.column = ABUT_RUN_VELOCITY;
    AbutPageTable table = {get_velocity, &kept, kept.count, 6 * kept.run->bodies, 0.0, 10, 1e-6 * most, NULL};
    abut_page_table(page, "velocities", &table);
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void put_frames(
    AbutPage *page, const AbutRun *run, const AbutPageHead *head, const int32_t *frame, int32_t count) {
    Kept kept = {.run = run, .frame = frame, .count = count};
    abut_json_begin_array(abut_json_key(&page->json, "times"));
    for (int32_t i = 0; i < count; ++i)
        abut_json_put_number(&page->json, NULL, abut_run_f8(run, ABUT_RUN_TIME)[frame[i]]);
    abut_json_end_array(&page->json);
    abut_page_poses(page, abut_run_f8(run, ABUT_RUN_POSE), frame, count, run->bodies);
    put_velocities(page, kept);
    put_integers(page, "asleep", kept, ABUT_RUN_ASLEEP);
    put_integers(page, "islands", kept, ABUT_RUN_ISLAND);
    abut_page_series(page, run, head, count < run->steps);
}

static void put_panels(
    AbutPage *page, const AbutRun *run, const AbutPageHead *head, const int32_t *frame, int32_t count) {
    static const char *const types[] = {"selection", "layers", "plots"};
    abut_json_begin_array(abut_json_key(&page->json, "panels"));
    if (head->robot) abut_page_joints(page, run, head->robot, frame, count);
    for (int i = 0; i < 3; ++i) {
        abut_json_begin_object(&page->json);
        abut_json_put_string(&page->json, "type", types[i]);
        if (i == 1) abut_json_put_bool(&page->json, "names", head->names);
        abut_json_end_object(&page->json);
    }
    abut_json_end_array(&page->json);
}

/* Every stride-th frame, and the last. */
static int32_t keep_frames(int32_t *frame, int32_t count, int32_t stride) {
    int32_t kept = 0;
    for (int64_t i = 0; i < count; i += stride) frame[kept++] = (int32_t)i;
    if (frame[kept - 1] != count - 1) frame[kept++] = count - 1;
    return kept;
}

static void put_run(AbutPage *page, const AbutRun *run, const AbutPageHead *head, Thinning thinning, int32_t *frame) {
    int32_t count = keep_frames(frame, run->steps, thinning.frames);
    abut_json_put_integer(&page->json, "stride", thinning.frames);
    abut_page_bodies(page, run->model);
    put_frames(page, run, head, frame, count);
    if (run->contacts > 0) abut_page_contacts(page, run, frame, count, thinning.contacts);
    put_panels(page, run, head, frame, count);
}

static AbutPage make_page(
    const AbutRun *run, const AbutPageHead *head, Thinning thinning, int32_t *frame, AbutError *error) {
    AbutPage page = abut_page_begin(head, run->model->gravity, error);
    put_run(&page, run, head, thinning, frame);
    if (head->beside) {
        AbutPageHead second = {.title = head->beside_title,
            .without_charts = head->without_charts,
            .stages = head->stages,
            .names = head->names};
        abut_json_begin_object(abut_json_key(&page.json, "beside"));
        abut_page_heading(&page, &second, head->beside->model->gravity);
        put_run(&page, head->beside, &second, thinning, frame);
        abut_json_end_object(&page.json);
    }
    return page;
}

/* Half as much of what matters least; 0 when there is nothing left to thin. */
static int thin(Thinning *thinning, int has_contacts, int32_t steps) {
    if (has_contacts && thinning->contacts < CONTACT_STRIDE && thinning->contacts < steps)
        thinning->contacts *= 2;
    else if (thinning->frames < FRAME_STRIDE && steps / thinning->frames > 2)
        thinning->frames *= 2;
    else
        return 0;
    return 1;
}

AbutStatus abut_page_write_run(
    const char *path, const AbutPageHead *head, const AbutRun *run, AbutPageReport *report, AbutError *error) {
    ABUT_ASSERT(path && head && run);
    const AbutRun *beside = head->beside;
    ABUT_TRY(check_run(run, error));
    if (beside) ABUT_TRY(check_run(beside, error));
    int32_t steps = beside && beside->steps > run->steps ? beside->steps : run->steps;
    int has_contacts = run->contacts > 0 || (beside && beside->contacts > 0);
    int32_t *frame = abut_alloc_array((size_t)steps + 1, sizeof *frame);
    if (!frame) return abut_fail_memory(error);
    size_t limit = head->size_limit ? head->size_limit : DEFAULT_LIMIT;
    Thinning thinning = {1, 1};
    for (;;) {
        AbutPage page = make_page(run, head, thinning, frame, error);
        size_t size = abut_page_close(&page);
        if (size <= limit || !thin(&thinning, has_contacts, steps)) {
            abut_free(frame);
            if (report) *report = (AbutPageReport){thinning.frames, thinning.frames * thinning.contacts, (int64_t)size};
            return abut_page_save(&page, path);
        }
        abut_page_free(&page);
    }
}
