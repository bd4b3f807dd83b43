/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a run log, shared by its recorder and its reader. */
#ifndef ABUT_SRC_FILE_RUN_LOG_H
#define ABUT_SRC_FILE_RUN_LOG_H

#include "abut/file.h"

/* What one row of a column stands for. */
typedef enum AbutRunLogRow {
    ABUT_LOG_STEP = 0,
    ABUT_LOG_BODY, /* a body at a step */
    ABUT_LOG_CONTACT,
    ABUT_LOG_VERTEX,
    ABUT_LOG_CONTACT_START, /* a step: where its contacts begin; one more at the end */
    ABUT_LOG_VERTEX_START   /* a contact: where its vertices begin; one more at the end */
} AbutRunLogRow;

typedef enum AbutRunLogColumn {
    ABUT_LOG_TIME = 0,
    ABUT_LOG_RESIDUAL,
    ABUT_LOG_SWEEPS,
    ABUT_LOG_KINETIC,
    ABUT_LOG_POTENTIAL,
    ABUT_LOG_MAX_DEPTH,
    ABUT_LOG_STAGE_SECONDS,
    ABUT_LOG_POSE,
    ABUT_LOG_VELOCITY,
    ABUT_LOG_SPEED,
    ABUT_LOG_ASLEEP,
    ABUT_LOG_ISLAND,
    ABUT_LOG_CONTACTS_AT,
    ABUT_LOG_CONTACT_BODY,
    ABUT_LOG_CONTACT_FORCE,
    ABUT_LOG_CONTACT_TORQUE,
    ABUT_LOG_CONTACT_CENTER,
    ABUT_LOG_CONTACT_NORMAL,
    ABUT_LOG_CONTACT_AREA,
    ABUT_LOG_CONTACT_VOLUME,
    ABUT_LOG_CONTACT_DEPTH,
    ABUT_LOG_CONTACT_SLIDING,
    ABUT_LOG_VERTICES_AT,
    ABUT_LOG_VERTEX_POINT,
    ABUT_LOG_VERTEX_FORCE,
    ABUT_LOG_VERTEX_PRESSURE,
    ABUT_LOG_COLUMNS
} AbutRunLogColumn;

typedef struct AbutRunLogColumnInfo {
    const char *name;
    AbutArrayType type;
    AbutRunLogRow row;
    int width; /* numbers per row; 0: one, without a dimension of its own */
} AbutRunLogColumnInfo;

extern const AbutRunLogColumnInfo abut_run_log_columns[ABUT_LOG_COLUMNS];

typedef struct AbutRunLogSize {
    int64_t steps, bodies, contacts, vertices;
} AbutRunLogSize;

/* The array of a column in a log of this size, without data. */
AbutArray abut_run_log_array(AbutRunLogColumn column, AbutRunLogSize size);

/* Points the arrays of *out at the columns. */
void abut_run_log_point(AbutRunLogData *out, AbutRunLogSize size, const void *const data[ABUT_LOG_COLUMNS]);

/* ---- recorder: abut_run_log_record is a step and its contacts ---------------------------------------------------- */

AbutStatus abut_run_log_add_step(AbutRunLog *log, const AbutStepReport *report, AbutError *error);
/* A contact of the last step. */
AbutStatus abut_run_log_add_contact(AbutRunLog *log, const AbutContact *contact, AbutError *error);

/* The scene as JSON: bodies with their shapes as polyhedra. The text is to be freed with abut_json_free. */
AbutStatus abut_run_log_scene_json(
    const AbutScene *scene, const AbutModel *info, const char *settings, AbutJson *out, AbutError *error);

#endif
