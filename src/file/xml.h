/* SPDX-License-Identifier: Apache-2.0 */
/* XML as a tree of elements with attributes. Text is kept of elements without children, and only on request. */
#ifndef ABUT_SRC_FILE_XML_H
#define ABUT_SRC_FILE_XML_H

#include "abut/file.h"
#include "base/pool.h"

typedef struct AbutXmlElement AbutXmlElement;
struct AbutXmlElement {
    const char *tag, *file;
    int32_t line, attribute_count;
    AbutAttribute *attributes;
    AbutXmlElement *parent, *child, *last_child, *next;
    const char *text; /* NULL: none, or not asked for */
    size_t text_size;
    const char *suffix; /* of the names that a copy of <attach> brings; NULL: none */
};

/* More elements, or deeper ones, are refused. */
enum { ABUT_XML_ELEMENTS = 1000000, ABUT_XML_DEPTH = 200, ABUT_XML_ATTRIBUTES = 100 };

typedef struct AbutXml {
    AbutPool pool;
    AbutXmlElement *root;
    size_t bytes;        /* of all files so far */
    int32_t elements;    /* of all files so far */
    int32_t keep_text;   /* 1: of elements without children */
    int32_t keep_prefix; /* 1: the tag of <xacro:if> is "xacro:if", else "if" */
    int32_t outside;     /* 1: includes may lie outside the folder of the first file */
    AbutError *error;
} AbutXml;

/* One file alone, its includes left as they are. */
AbutStatus abut_xml_parse_one(AbutXml *xml, const void *bytes, size_t count, const char *name, AbutXmlElement **root);

/* Own attribute of an element; NULL: it is absent or empty. */
const char *abut_xml_attribute(const AbutXmlElement *element, const char *name);

/* Fails with "file:line: <tag>: ...". */
AbutStatus abut_xml_fail(AbutError *error, const AbutXmlElement *element, AbutStatus status, const char *format, ...)
    ABUT_PRINTF(4, 5);

#endif
