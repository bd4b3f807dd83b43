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

/* A model of two hulls where they stand, for a page; free with abut_model_free. CLI_GO, or CLI_BAD after one line. */
int bodies_make_model(const CliCommand *command, const AbutPolyhedron *const hull[2], const AbutPose pose[2],
    const char *const names[2], AbutModel **out);

#endif
