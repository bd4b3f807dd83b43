/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included files: each <include file="..."> of a tree is replaced by the children of that file's root, as if they stood
 * there. Only names in the folder of the first file, or below, are taken unless the caller lets them lie elsewhere,
 * each once.
 */
#include "import/mjcf_read.h"

#include <stdio.h>
#include <string.h>

#include "abut/import.h"

enum { INCLUDE_DEPTH = 8, INCLUDES = 100 };

typedef struct Including {
    AbutXml *xml;
    const char *folder;
    const AbutXmlElement *from[INCLUDES]; /* include elements so far: a file is included once */
    int from_count;
} Including;

/* Is a folder or file of the path hidden? "." is not. */
static int has_hidden(const char *name)
{
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (*p == '.' && p[1] != '/')
            return 1;
    }
    return 0;
}

/* A file in the folder or below, nothing hidden; or any. */
static int is_plain(const char *name, int outside)
{
    if (outside)
        return *name && strlen(name) < 1000;
    return *name && !has_hidden(name) && abut_mjcf_stays_inside(name) && strlen(name) < 200;
}

/* Without "./" in front. */
static const char *short_name(const AbutXmlElement *element)
{
    const char *name = abut_xml_attribute(element, "file");
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    return name;
}

static AbutStatus include_file(Including *work, const AbutXmlElement *element, AbutXmlElement **root)
{
    AbutError *error = work->xml->error;
    const char *file = abut_xml_attribute(element, "file");
    if (!file || !is_plain(file, work->xml->outside))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute file: name of a file in the same folder or below expected, found '%.100s'; allow-outside lets "
            "it lie elsewhere",
            file ? file : "nothing");
    if (!work->folder)
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT, "no folder to include '%.100s' from", file);
    for (int i = 0; i < work->from_count; ++i)
        if (strcmp(short_name(work->from[i]), short_name(element)) == 0)
            return abut_xml_fail(error, element, ABUT_ERROR_FORMAT, "'%.100s' is included a second time", file);
    if (work->from_count == INCLUDES)
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "at most %d includes expected", INCLUDES);
    work->from[work->from_count++] = element;
    char path[4096];
    if (!abut_mjcf_locate(work->folder, file, path, sizeof path))
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "attribute file: a shorter path expected");
    char *bytes;
    size_t count;
    AbutError inner;
    AbutStatus status = abut_file_load(path, "MJCF", ABUT_XML_BYTES, &bytes, &count, &inner);
    if (status)
        return abut_xml_fail(error, element, status, "%.300s", inner.text);
    status = abut_xml_parse_one(work->xml, bytes, count, path, root);
    abut_free(bytes);
    return status;
}

static int tree_depth(const AbutXmlElement *element)
{
    int depth = 0;
    for (; element; element = element->parent)
        ++depth;
    return depth;
}

static AbutStatus resolve(Including *work, AbutXmlElement *parent, int level);

/* Puts the children of the included root in the place of `element`, which follows `before` (NULL: is the first). */
static AbutStatus splice(
    Including *work, AbutXmlElement *parent, AbutXmlElement *before, AbutXmlElement *element, int level)
{
    AbutXmlElement *root;
    if (level >= INCLUDE_DEPTH)
        return abut_xml_fail(
            work->xml->error, element, ABUT_ERROR_LIMIT, "includes at most %d deep expected", INCLUDE_DEPTH);
    AbutStatus status = include_file(work, element, &root);
    if (!status)
        status = resolve(work, root, level + 1);
    if (status)
        return status;
    for (AbutXmlElement *e = root->child; e; e = e->next)
        e->parent = parent;
    AbutXmlElement *first = root->child ? root->child : element->next;
    *(before ? &before->next : &parent->child) = first;
    if (root->last_child)
        root->last_child->next = element->next;
    if (parent->last_child == element)
        parent->last_child = root->last_child ? root->last_child : before;
    return ABUT_OK;
}

/* Walks the tree below `parent` without includes that came from deeper files: those are resolved already. */
static AbutStatus resolve(Including *work, AbutXmlElement *parent, int level)
{
    AbutXmlElement *before = NULL;
    for (AbutXmlElement *e = parent->child; e;) {
        AbutXmlElement *next = e->next;
        if (strcmp(e->tag, "include") == 0) {
            AbutStatus status = splice(work, parent, before, e, level);
            if (status)
                return status;
            /* step over what came in */
            AbutXmlElement *in = before ? before->next : parent->child;
            for (; in && in != next; in = in->next)
                before = in;
        } else {
            AbutStatus status = e->child ? resolve(work, e, level) : ABUT_OK;
            if (status)
                return status;
            before = e;
        }
        e = next;
    }
    return ABUT_OK;
}

/* Included trees hang below others: the limit of depth holds for the sum. Elements in document order, no recursion. */
static AbutStatus check_depth(AbutXml *xml)
{
    int depth = 1;
    for (AbutXmlElement *e = xml->root; e;) {
        if (depth > ABUT_XML_DEPTH)
            return abut_xml_fail(xml->error, e, ABUT_ERROR_LIMIT, "elements at most %d deep expected, found %d",
                ABUT_XML_DEPTH, tree_depth(e));
        if (e->child) {
            e = e->child;
            ++depth;
            continue;
        }
        while (e && !e->next) {
            e = e->parent;
            --depth;
        }
        e = e ? e->next : NULL;
    }
    return ABUT_OK;
}

AbutStatus abut_xml_parse(AbutXml *xml, const void *bytes, size_t count, const char *name, const char *folder)
{
    AbutStatus status = abut_xml_parse_one(xml, bytes, count, name, &xml->root);
    if (status)
        return status;
    Including work = {.xml = xml, .folder = folder};
    status = resolve(&work, xml->root, 0);
    return status ? status : check_depth(xml);
}
