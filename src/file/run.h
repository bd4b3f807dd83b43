/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of a run: its columns, shared by the functions that fill, write and read them. */
#ifndef ABUT_SRC_FILE_RUN_H
#define ABUT_SRC_FILE_RUN_H

#include "abut/file.h"
#include "file/npz.h"

extern const AbutRunColumnInfo abut_run_columns[ABUT_RUN_COLUMN_COUNT];

typedef struct AbutRunSize {
    int64_t steps, bodies, contacts, vertices, positions, velocities, actuators, sensors, activations;
} AbutRunSize;

typedef struct AbutRunData {
    void *data;
    size_t capacity; /* numbers */
} AbutRunData;

/* Follows the bodies of a scene by their ids. */
typedef struct AbutRunFollow {
    const AbutScene *scene;
    AbutBodyId *ids;   /* of the bodies of the run */
    int32_t *place;    /* from index1 of an id to the number of the last body that had it, or -1 */
    AbutRunBody *rows; /* of the step at hand */
    size_t id_capacity, place_capacity, row_capacity;
    int32_t robots; /* of the scene when the run began */
} AbutRunFollow;

typedef struct AbutRunInside {
    AbutRun run; /* first: a pointer to it is a pointer to the whole */
    AbutModel *model;
    char *settings, *stage_names;
    char *robot_names[ABUT_NUMBERS_LISTS]; /* of positions, velocities, actuators, sensors, activations */
    AbutRunData column[ABUT_RUN_COLUMN_COUNT];
    AbutRunFollow follow;
} AbutRunInside;

static inline AbutRunInside *abut_run_inside(const AbutRun *run) { return (AbutRunInside *)(uintptr_t)run; }

/* How many numbers a list of robots has. */
int32_t *abut_run_robot_count(AbutRunInside *in, int list);

/* An empty run with an empty model and without columns. */
AbutStatus abut_run_create_empty(const char *settings, AbutRunInside **out, AbutError *error);

/* Copies a text; NULL: no memory. */
char *abut_run_keep_text(const char *text, size_t length);

AbutRunSize abut_run_size(const AbutRun *run);

/* Room for one more body in every step (false: no memory); the last body of the model, new and not there so far. */
int abut_run_reserve_body(AbutRunInside *in);
void abut_run_join_body(AbutRunInside *in);

/* Robots: names and numbers of those that the scene has, when the run begins; their numbers at the last step. */
AbutStatus abut_run_begin_robots(AbutRunInside *in, AbutError *error);
AbutStatus abut_run_put_robots(AbutRunInside *in, const AbutSimulation *simulation, AbutError *error);
void abut_run_set_robot_names(AbutRunInside *in); /* from robot_names */

/* Does the run keep a column? */
int abut_run_keeps(const AbutRun *run, AbutRunColumn column);

/* Rows of a column in a run of this size, and its array, without data. */
int64_t abut_run_rows(AbutRunColumn column, AbutRunSize size);
AbutArray abut_run_array(AbutRunColumn column, AbutRunSize size);

/* Numbers of one row of a column. */
static inline int64_t abut_run_width(AbutRunColumn column) {
    return abut_run_columns[column].width ? abut_run_columns[column].width : 1;
}

/* A body that is not there. */
static inline AbutRunBody abut_run_absent(void) {
    AbutVec3 none = abut_vec3(NAN, NAN, NAN);
    return (AbutRunBody){{none, {NAN, NAN, NAN, NAN}}, none, none, 0, -1};
}

/* ---- the scene document: bodies and their shapes as JSON (docs/reference/run_log.md) --------------------------------------- */

enum { ABUT_SCENE_DOCUMENT_VERSION = 2 };

/* The text is to be freed with abut_json_free. */
AbutStatus abut_scene_document_write(const AbutModel *model, const char *settings, AbutJson *out, AbutError *error);

/* Fills an empty model; *settings is a copy to be freed, or NULL. `name` stands for the text in messages. */
AbutStatus abut_scene_document_read(
    const char *text, size_t count, const char *name, AbutModel *model, char **settings, AbutError *error);

/* Was the body there at a step? */
int abut_run_has_body(const AbutRun *run, int32_t step, int32_t body);

#endif
