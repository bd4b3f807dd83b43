/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the page writers. A page collects JSON and, beside it, a pool of bytes with all tables of numbers; at the
 * end the pool is deflated, becomes base64 in the JSON, and the JSON takes its place in the template.
 *
 * Nothing fails on the way: the first failure is kept with its text, later calls do nothing, and abut_page_close tells.
 */
#ifndef ABUT_SRC_PICTURE_PAGE_H
#define ABUT_SRC_PICTURE_PAGE_H

#include "abut/picture.h"

typedef struct AbutPage {
    AbutJson json;
    unsigned char *pool;
    size_t count, capacity;
    AbutStatus status;
    AbutError *error;
} AbutPage;

/* Starts the JSON object and writes the heading. `error` is filled by the first failure of any call. */
AbutPage abut_page_begin(const AbutPageHead *head, AbutVec3 gravity, AbutError *error);

/* Title, subtitle and gravity of the object that was begun. */
void abut_page_heading(AbutPage *page, const AbutPageHead *head, AbutVec3 gravity);

void abut_page_fail(AbutPage *page, AbutStatus status, const char *text);
void abut_page_keep(AbutPage *page, AbutStatus status); /* of a call that has filled page->error */

/* ---- tables: rows x columns of numbers, coded as docs/howto/panels.md tells -------------------------------------------- */

typedef double AbutPageGet(const void *source, int64_t row, int32_t column);

typedef struct AbutPageTable {
    AbutPageGet *get;
    const void *source;
    int64_t rows;
    int32_t columns;
    double step;           /* > 0: value = step * integer, finite numbers only */
    int shift;             /* step 0: the upper 32 - shift bits of a float */
    double floor;          /* step 0: smaller magnitudes become 0 */
    const int32_t *before; /* the row each row is told from, or -1; NULL: the row above */
} AbutPageTable;

/* Writes the key and the reference, and the numbers into the pool. */
void abut_page_table(AbutPage *page, const char *key, const AbutPageTable *table);

/* Doubles that lie row by row, as the source of a table; and all of them as one. */
typedef struct AbutPlainNumbers {
    const double *values;
    int32_t columns;
} AbutPlainNumbers;

double abut_page_plain(const void *source, int64_t row, int32_t column);
void abut_page_numbers(
    AbutPage *page, const char *key, const double *values, int64_t rows, int32_t columns, double step, int shift);

/* ---- scene ------------------------------------------------------------------------------------------------------- */

void abut_page_bodies(AbutPage *page, const AbutModel *model); /* the keys bodies and meshes */
void abut_page_mesh(AbutPage *page, const AbutMesh *mesh);     /* the keys vertices and triangles */

/* These keys for body k of a pair: its mesh, or the facets shown of a convex one. */
void abut_page_shown(AbutPage *page, const AbutPageMeshes *pair, int k);

/* Frames of poses [frames, bodies, 7], of which frame[0 .. count-1] are kept. A pose that is not finite: not there. */
void abut_page_poses(AbutPage *page, const double *poses, const int32_t *frame, int32_t count, int32_t bodies);

/* As above, for `count` frames of poses [count, bodies], with their times; nothing is left out. */
void abut_page_frames(AbutPage *page, const double *times, const AbutPose *poses, int32_t count, int32_t bodies);

/* The bodies of a model where they stand: one frame at time 0. */
void abut_page_rest(AbutPage *page, const AbutModel *model);

/* The smallest step that keeps |values| in 40 bits, and their range in 22; what is not finite does not count. */
double abut_page_step(const double *values, int64_t rows, int32_t stride, int32_t columns);

/* ---- contacts of a run: those of every stride-th kept frame ------------------------------------------------------ */

void abut_page_contacts(AbutPage *page, const AbutRun *run, const int32_t *frame, int32_t count, int32_t stride);

/* ---- charts of a run: every step ------------------------------------------------------------------------------- */

/* A line of the chart `group`: one column of numbers. */
void abut_page_line(AbutPage *page, const char *group, const char *name, const char *unit, const AbutPageTable *table);

/* As far as the head asks for them. `own_times`: the frames are not all steps, so that the charts need times of their
 * own. */
void abut_page_series(AbutPage *page, const AbutRun *run, const AbutPageHead *head, int own_times);

/* ---- joints of a robot ------------------------------------------------------------------------------------------ */

/* The panel to pose it by hand, among the panels; nothing where the run has not its positions, or it has no joints. */
void abut_page_joints(AbutPage *page, const AbutRun *run, const AbutModel *robot, const int32_t *frame, int32_t count);

/* ---- panels ------------------------------------------------------------------------------------------------------ */

/* Begins a panel; that of a distance with its numbers. */
void abut_page_panel(AbutPage *page, const char *type, const char *note);
void abut_page_distance(AbutPage *page, const AbutPageHead *head, const AbutGap *distance);

/* A panel of minima of a distance, nearest first, as times to go to, with what the bodies sweep. `names`, unless NULL,
 * tell what each is; else its kind does. */
void abut_page_minima(
    AbutPage *page, const char *note, int32_t count, const AbutClearanceMinimum *minima, const char *const *names);

/* Ends the panel, adds the one with the layers, and writes the file. */
AbutStatus abut_page_finish(AbutPage *page, const char *path);

/* ---- end --------------------------------------------------------------------------------------------------------- */

/* Finishes the JSON; gives the size of the page in bytes, 0 after a failure. */
size_t abut_page_close(AbutPage *page);

/* Writes the file when all went well; gives the first failure otherwise. Releases the page in any case. */
AbutStatus abut_page_save(AbutPage *page, const char *path);
void abut_page_free(AbutPage *page);

/* The template, or NULL when the build has none. */
const unsigned char *abut_page_template(size_t *count);

#endif
