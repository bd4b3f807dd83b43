/* SPDX-License-Identifier: Apache-2.0 */
/* A COLLADA file while it is being read: its tree, its ids, the numbers in its texts. */
#ifndef ABUT_SRC_FILE_MESH_DAE_H
#define ABUT_SRC_FILE_MESH_DAE_H

#include "file/mesh_formats.h"
#include "file/mesh_place.h"
#include "file/xml.h"

typedef struct AbutDaeId {
    const char *id;
    const AbutXmlElement *element;
} AbutDaeId;

typedef struct AbutDae {
    AbutText *text;
    AbutXml xml;
    AbutXmlElement *root;
    AbutDaeId *ids; /* sorted */
    size_t id_count;
    AbutMeshBuilder *builder;
    int64_t work; /* bytes of numbers that may still be read: copies of geometry read theirs again */
} AbutDae;

/* The first child with this tag, or the next one behind it among its siblings; NULL: none. */
const AbutXmlElement *abut_dae_child(const AbutXmlElement *parent, const char *tag);
const AbutXmlElement *abut_dae_same(const AbutXmlElement *element, const char *tag);

/* The element that attribute `name`, "#id", leads to; *out is NULL only on failure. */
AbutStatus abut_dae_follow(AbutDae *dae, const AbutXmlElement *element, const char *name, const AbutXmlElement **out);

/* An attribute that is an integer from 0 to `last`; *out stays as it is where there is none. */
AbutStatus abut_dae_integer(AbutDae *dae, const AbutXmlElement *element, const char *name, int64_t last, int64_t *out);

/* The numbers of an element's text one after the other. */
typedef struct AbutDaeScan {
    const AbutXmlElement *element;
    const char *at, *end;
} AbutDaeScan;

AbutStatus abut_dae_scan(AbutDae *dae, const AbutXmlElement *element, AbutDaeScan *out);
int abut_dae_ended(AbutDaeScan *scan); /* is there nothing left? */
AbutStatus abut_dae_number(AbutDae *dae, AbutDaeScan *scan, double *out);
AbutStatus abut_dae_index(AbutDae *dae, AbutDaeScan *scan, int32_t *out); /* from 0 to ABUT_MESH_LIMIT */

/* Exactly `count` numbers. */
AbutStatus abut_dae_numbers(AbutDae *dae, const AbutXmlElement *element, int count, double *out);

/* Adds the triangles of a <geometry> at a place. */
AbutStatus abut_dae_add_geometry(AbutDae *dae, const AbutXmlElement *geometry, const AbutMeshPlace *place);

#endif
