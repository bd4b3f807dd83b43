/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut info` knows about one file, and the ways to print it. */
#ifndef ABUT_CLI_INFO_H
#define ABUT_CLI_INFO_H

#include "cli.h"

enum { INFO_WARNINGS = 8 };

typedef struct InfoWanted {
    int hull, capsule, json;
} InfoWanted;

typedef struct InfoItem {
    const char *file;
    AbutStatus status; /* of reading and measuring; the rest is set when ABUT_OK */
    int told;          /* what is wrong was said already */
    AbutError error;
    AbutMeshFileInfo source;
    int32_t vertices, triangles;
    AbutMeshReport report;
    int has_hull, has_capsule;
    int32_t hull_vertices, hull_faces;
    AbutMass hull_mass;
    AbutAabb hull_box;
    AbutCapsule capsule;
    double capsule_volume;
    char warning[INFO_WARNINGS][600];
    int warnings;
} InfoItem;

/* One file as a list of all numbers, several as a table, both as JSON (which gives the exit status). */
void info_print_list(const InfoItem *item);
void info_print_table(const InfoItem *items, int count, const InfoWanted *wanted);
int info_print_json(const CliCommand *command, const InfoItem *items, int count, const InfoWanted *wanted);

#endif
