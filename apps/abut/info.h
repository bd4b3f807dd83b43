/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut info` knows about one file, and the ways to print it. */
#ifndef ABUT_CLI_INFO_H
#define ABUT_CLI_INFO_H

#include "cli.h"

enum { INFO_WARNINGS = 8 };

typedef struct InfoWanted {
    int hull, capsule, json;
} InfoWanted;

/* A solid of density 1; inertia: xx, yy, zz, xy, xz, yz. */
typedef struct InfoSolid {
    AbutMass mass;
    AbutAabb box;
    double inertia[6];
} InfoSolid;

typedef struct InfoHull {
    int32_t vertices, faces;
    InfoSolid solid;
} InfoHull;

typedef struct InfoCapsule {
    AbutCapsule body;
    double volume;
} InfoCapsule;

typedef struct InfoItem {
    const char *file;
    AbutStatus status; /* of reading and measuring; the rest is set when ABUT_OK */
    int good;          /* the same as a flag */
    AbutError error;
    const char *failure; /* its text */
    AbutMeshFileInfo source;
    int32_t vertices, triangles;
    AbutMeshReport report;
    InfoSolid solid;
    InfoWanted wanted;
    InfoHull hull;
    InfoCapsule capsule;
    const InfoHull *found_hull; /* NULL: there is none */
    const InfoCapsule *found_capsule;
    char warning_text[INFO_WARNINGS][600];
    const char *warning[INFO_WARNINGS];
    int warnings;
} InfoItem;

InfoSolid info_solid(const AbutMass *mass, AbutAabb box);

/* One file as a list of all numbers, several as a table, both as JSON (which gives the exit status). */
void info_print_list(const InfoItem *item);
void info_print_table(const InfoItem *items, int count, const InfoWanted *wanted);
int info_print_json(const InfoItem *items, int count);

#endif
