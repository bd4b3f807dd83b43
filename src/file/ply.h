/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a PLY file: which elements there are, and what each row of them holds. */
#ifndef ABUT_SRC_FILE_PLY_H
#define ABUT_SRC_FILE_PLY_H

#include "base/text.h"

enum { ABUT_PLY_ELEMENTS = 32, ABUT_PLY_PROPERTIES = 256 };

typedef enum AbutPlyType {
    ABUT_PLY_NONE = 0,
    ABUT_PLY_INT8,
    ABUT_PLY_UINT8,
    ABUT_PLY_INT16,
    ABUT_PLY_UINT16,
    ABUT_PLY_INT32,
    ABUT_PLY_UINT32,
    ABUT_PLY_FLOAT,
    ABUT_PLY_DOUBLE
} AbutPlyType;

typedef enum AbutPlyEncoding { ABUT_PLY_ASCII = 0, ABUT_PLY_LITTLE, ABUT_PLY_BIG } AbutPlyEncoding;

/* Meaning of a property. */
typedef enum AbutPlyRole { ABUT_PLY_OTHER = 0, ABUT_PLY_X, ABUT_PLY_Y, ABUT_PLY_Z, ABUT_PLY_INDICES } AbutPlyRole;

typedef struct AbutPlyProperty {
    AbutPlyType list_type; /* of the length in front of a list; NONE for one value */
    AbutPlyType type;
    AbutPlyRole role;
} AbutPlyProperty;

typedef enum AbutPlyKind { ABUT_PLY_KIND_OTHER = 0, ABUT_PLY_KIND_VERTEX, ABUT_PLY_KIND_FACE } AbutPlyKind;

typedef struct AbutPlyElement {
    AbutPlyKind kind;
    int64_t count;
    int first_property, property_count;
    const char *where; /* its line in the header */
} AbutPlyElement;

typedef struct AbutPlyHeader {
    AbutPlyEncoding encoding;
    int element_count, property_count, has_faces;
    AbutPlyElement elements[ABUT_PLY_ELEMENTS];
    AbutPlyProperty properties[ABUT_PLY_PROPERTIES];
} AbutPlyHeader;

/* Bytes of a value in a binary file. */
static inline int abut_ply_size(AbutPlyType type) {
    static const signed char sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

/* Reads the header and leaves text->at at the first byte behind it. */
AbutStatus abut_ply_read_header(AbutText *text, AbutPlyHeader *header);

#endif
