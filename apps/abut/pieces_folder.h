/* SPDX-License-Identifier: Apache-2.0 */
/* Convex pieces of a mesh from a folder of mesh files, as `abut decompose` and other tools write them. */
#ifndef ABUT_CLI_PIECES_FOLDER_H
#define ABUT_CLI_PIECES_FOLDER_H

#include "operands.h"

/* The row of --pieces-a (which 0) or --pieces-b. */
CliOption pieces_folder_option(const char **folder, int which);

/*
 * The files of a folder in the order of their names, one convex piece each, for the mesh that an operand kept; to be
 * freed. Warns of pieces that are not convex, whose hulls are taken, and of vertices that no piece covers. CLI_GO, or
 * CLI_BAD after one line.
 */
void pieces_folder_read(const char *folder, const Operand *operand, AbutPieces *out);

#endif
