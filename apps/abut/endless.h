/* SPDX-License-Identifier: Apache-2.0 */
/* Half-spaces and planes have no end; a page shows a plate of them, as large as the other body needs. */
#ifndef ABUT_CLI_ENDLESS_H
#define ABUT_CLI_ENDLESS_H

#include "operands.h"

/* Where both bodies stand on the pages of a movement; `a` may be NULL: A stays where its operand says. */
typedef struct EndlessPoses {
    int32_t count;
    const AbutPose *a, *b;
} EndlessPoses;

/* A plate of an endless operand, in its own frame, below and around the other one in all poses: a half-space as a slab
 * under its plane, a plane as a thin sheet. To be freed. */
void endless_plate(const Operands *operands, int which, EndlessPoses poses, AbutPolyhedron **out);

/* Writes the page of both operands over the poses of `page`: their meshes, or plates. Fills in bodies and names. */
void operands_write_page(const Operands *operands, const char *path, const AbutPageHead *head, AbutPageMeshes *page);

/* The note of a page, with a word on the plates where there are some; `text` is room for it. */
const char *endless_note(const Operands *operands, const char *note, char text[256]);

#endif
