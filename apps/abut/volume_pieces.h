/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `abut volume` behind --pieces. */
#ifndef ABUT_CLI_VOLUME_PIECES_H
#define ABUT_CLI_VOLUME_PIECES_H

#include "operands.h"

/* The common volume of two meshes by convex pieces; the operands kept their meshes. Gives the status to end with. */
int volume_by_pieces(const Operands *operands, int json);

#endif
