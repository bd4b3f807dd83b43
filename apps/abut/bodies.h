/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of the commands on pairs: meshes as their convex hulls, and text files of half-spaces. */
#ifndef ABUT_CLI_BODIES_H
#define ABUT_CLI_BODIES_H

#include "cli.h"

/* The convex hull of a mesh file. Gives CLI_GO, or CLI_BAD after one line on standard error. */
int bodies_read_hull(const CliCommand *command, const char *file, AbutPolyhedron **out);

typedef struct BodiesPlanes {
    AbutPlane *plane; /* not normalised; free with abut_free */
    size_t count, capacity;
} BodiesPlanes;

/* A text file of half-spaces: `a b c d` per line means ax + by + cz <= d; # starts a comment. As bodies_read_hull. */
int bodies_read_planes(const CliCommand *command, const char *file, BodiesPlanes *out);

/* The face planes of a hull with volume. False without memory. */
int bodies_planes_of_hull(const AbutPolyhedron *hull, BodiesPlanes *out);

/* Two hulls where they stand, for a page; the meshes belong to it until bodies_free_page. CLI_GO, or CLI_BAD after one
 * line. */
typedef struct BodiesPage {
    AbutPagePair pair;
    AbutPageShape shape[2];
    AbutMesh mesh[2];
} BodiesPage;

int bodies_make_page(const CliCommand *command, const AbutPolyhedron *const hull[2], const AbutPose pose[2],
    const char *const names[2], BodiesPage *out);
void bodies_free_page(BodiesPage *page);

#endif
