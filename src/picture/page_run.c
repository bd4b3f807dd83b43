/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of a run: bodies, poses, contacts and series over time. The page is made whole; when it passes the limit,
 * contacts, then frames, are thinned by halves and it is made again.
 */
#include "picture/page.h"

#include <string.h>

enum { CONTACT_STRIDE = 16, FRAME_STRIDE = 1 << 20, DEFAULT_LIMIT = 3000000, BODY_LIMIT = 10000000 };

typedef struct Thinning {
    int32_t frames, contacts; /* strides */
} Thinning;

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* Starts from 0, never falls, and stays below what 32 bits count. */
static int starts_well(const int64_t *start, int64_t count)
{
    for (int64_t i = 0; i < count; ++i)
        if (start[i + 1] < start[i])
            return 0;
    return start[0] == 0 && start[count] < INT32_MAX;
}

static AbutStatus check_contacts(const AbutPageRun *run, AbutError *error)
{
    if (!starts_well(run->contact_start, run->frame_count))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: the starts of the contacts are not in order");
    int64_t count = run->contact_start[run->frame_count];
    if (!run->vertex_start || !starts_well(run->vertex_start, count))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: the starts of the contact vertices are not in order");
    for (int64_t i = 0; i < 2 * count; ++i)
        if (run->contact_body[i] < 0 || run->contact_body[i] >= run->body_count)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: contact %lld names body %d of %d", (long long)(i / 2),
                run->contact_body[i], run->body_count);
    return ABUT_OK;
}

static AbutStatus check_run(const AbutPageRun *run, AbutError *error)
{
    if (run->frame_count < 1 || run->body_count < 1 || !run->times || !run->poses)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: a run needs a body and a frame");
    if (run->body_count > BODY_LIMIT)
        return abut_fail(error, ABUT_ERROR_LIMIT, "page: %d bodies are more than %d", run->body_count, BODY_LIMIT);
    if (!run->bodies && !run->scene_json)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: a run needs its bodies");
    for (int32_t i = 0; i < run->frame_count; ++i)
        if (!isfinite(run->times[i]) || (i > 0 && run->times[i] < run->times[i - 1]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "page: time %d is not finite, or before the one before it", i);
    int64_t count = (int64_t)run->frame_count * run->body_count;
    for (int64_t i = 0; i < 7 * count; ++i)
        if (!isfinite(run->poses[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "page: the pose of body %d is not finite in frame %d",
                (int)(i / 7 % run->body_count), (int)(i / 7 / run->body_count));
    return run->contact_start ? check_contacts(run, error) : ABUT_OK;
}

/* ---- tables over the kept frames --------------------------------------------------------------------------------- */

typedef struct Kept {
    const void *values; /* [frames, columns] of double or int32_t */
    const int32_t *frame;
    int32_t count, columns;
} Kept;

static double get_double(const void *source, int64_t row, int32_t column)
{
    const Kept *kept = source;
    return ((const double *)kept->values)[(int64_t)kept->frame[row] * kept->columns + column];
}

static double get_int(const void *source, int64_t row, int32_t column)
{
    const Kept *kept = source;
    return ((const int32_t *)kept->values)[(int64_t)kept->frame[row] * kept->columns + column];
}

static void put_doubles(AbutPage *page, const char *key, Kept kept, int shift, double smallest)
{
    AbutPageTable table = {get_double, &kept, kept.count, kept.columns, 0.0, shift, smallest, NULL};
    abut_page_table(page, key, &table);
}

static void put_ints(AbutPage *page, const char *key, Kept kept)
{
    AbutPageTable table = {get_int, &kept, kept.count, kept.columns, 1.0, 0, 0.0, NULL};
    if (kept.values)
        abut_page_table(page, key, &table);
}

static void put_series(AbutPage *page, const AbutPageRun *run, Kept kept)
{
    AbutJson *json = &page->json;
    abut_json_key(json, "series");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < run->series_count; ++i) {
        const AbutPageSeries *series = &run->series[i];
        abut_json_begin_object(json);
        abut_json_put_string(json, "group", series->group ? series->group : "");
        abut_json_put_string(json, "name", series->name ? series->name : "");
        abut_json_put_string(json, "unit", series->unit ? series->unit : "");
        kept.values = series->values;
        kept.columns = 1;
        put_doubles(page, "values", kept, 0, 0.0);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static double fastest(const double *velocities, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; ++i)
        if (isfinite(velocities[i]))
            most = abut_larger(fabs(velocities[i]), most);
    return most;
}

static void put_frames(AbutPage *page, const AbutPageRun *run, const int32_t *frame, int32_t count)
{
    AbutJson *json = &page->json;
    Kept kept = {NULL, frame, count, run->body_count};
    abut_json_key(json, "times");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i)
        abut_json_number(json, run->times[frame[i]]);
    abut_json_end_array(json);
    abut_page_poses(page, run->poses, frame, count, run->body_count);
    if (run->velocities) {
        double most = fastest(run->velocities, 6 * (int64_t)run->frame_count * run->body_count);
        Kept speeds = {run->velocities, frame, count, 6 * run->body_count};
        put_doubles(page, "velocities", speeds, 10, 1e-6 * most);
    }
    kept.values = run->asleep;
    put_ints(page, "asleep", kept);
    kept.values = run->islands;
    put_ints(page, "islands", kept);
    put_series(page, run, kept);
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void put_panels(AbutPage *page)
{
    static const char *const types[] = {"selection", "layers", "plots"};
    abut_json_key(&page->json, "panels");
    abut_json_begin_array(&page->json);
    for (int i = 0; i < 3; ++i) {
        abut_json_begin_object(&page->json);
        abut_json_put_string(&page->json, "type", types[i]);
        abut_json_end_object(&page->json);
    }
    abut_json_end_array(&page->json);
}

/* Every stride-th frame, and the last. */
static int32_t keep_frames(int32_t *frame, int32_t count, int32_t stride)
{
    int32_t kept = 0;
    for (int64_t i = 0; i < count; i += stride)
        frame[kept++] = (int32_t)i;
    if (frame[kept - 1] != count - 1)
        frame[kept++] = count - 1;
    return kept;
}

static AbutPage make_page(const AbutPageRun *run, Thinning thinning, int32_t *frame, AbutError *error)
{
    AbutPage page = abut_page_begin(run->title, run->subtitle, run->gravity, error);
    int32_t count = keep_frames(frame, run->frame_count, thinning.frames);
    abut_json_put_integer(&page.json, "stride", thinning.frames);
    if (run->bodies)
        abut_page_bodies(&page, run->bodies, run->body_count);
    else {
        abut_json_put_integer(&page.json, "bodyCount", run->body_count);
        abut_page_text(&page, "scene", run->scene_json);
    }
    put_frames(&page, run, frame, count);
    if (run->contact_start && run->contact_start[run->frame_count] > 0)
        abut_page_contacts(&page, run, frame, count, thinning.contacts);
    put_panels(&page);
    return page;
}

/* Half as much of what matters least; 0 when there is nothing left to thin. */
static int thin(Thinning *thinning, const AbutPageRun *run)
{
    int contacts = run->contact_start && run->contact_start[run->frame_count] > 0;
    if (contacts && thinning->contacts < CONTACT_STRIDE && thinning->contacts < run->frame_count)
        thinning->contacts *= 2;
    else if (thinning->frames < FRAME_STRIDE && run->frame_count / thinning->frames > 2)
        thinning->frames *= 2;
    else
        return 0;
    return 1;
}

AbutStatus abut_page_write_run(const char *path, const AbutPageRun *run, AbutError *error)
{
    AbutStatus status = check_run(run, error);
    if (status)
        return status;
    int32_t *frame = abut_alloc_array((size_t)run->frame_count + 1, sizeof *frame);
    if (!frame)
        return abut_fail(error, ABUT_ERROR_MEMORY, "page: no memory for %d frames", run->frame_count);
    size_t limit = run->size_limit ? run->size_limit : DEFAULT_LIMIT;
    Thinning thinning = {1, 1};
    for (;;) {
        AbutPage page = make_page(run, thinning, frame, error);
        size_t size = abut_page_close(&page);
        if (size <= limit || !thin(&thinning, run)) {
            abut_free(frame);
            return abut_page_save(&page, path);
        }
        abut_page_free(&page);
    }
}
