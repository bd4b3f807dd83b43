/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included files: each <include file="..."> of a tree is replaced by the children of that file's root, as if they stood
 * there. A name is looked for beside the file that includes it, then beside the first file. Only names in that folder,
 * or below, are taken unless the caller lets them lie elsewhere, each file once.
 */
#include "import/mjcf_read.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abut/import.h"

enum { INCLUDE_DEPTH = 8, INCLUDES = 100 };

typedef struct Including {
    AbutXml *xml;
    const char *folder;
    const char *path[INCLUDES]; /* of the files so far: each is included once */
    int path_count;
} Including;

/* Is a folder or file of the path hidden? "." is not. */
static int has_hidden(const char *name) {
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (*p == '.' && p[1] != '/') return 1;
    }
    return 0;
}

/* A file in the folder or below, nothing hidden; or any. */
static int is_plain(const char *name, int outside) {
    if (outside) return *name && strlen(name) < 1000;
    return *name && !has_hidden(name) && abut_mjcf_stays_inside(name) && strlen(name) < 200;
}

/* Where an included file lies: beside the file of the element where there is one, else beside the first file. */
static int find_file(const Including *work, const AbutXmlElement *element, int level, char *out, size_t room) {
    const char *name = abut_xml_attribute(element, "file"), *slash = strrchr(element->file, '/');
    while (strncmp(name, "./", 2) == 0) name += 2;
    if (level > 0 && slash && *name != '/') {
        int n = snprintf(out, room, "%.*s/%s", (int)(slash - element->file), element->file, name);
        if (n >= 0 && (size_t)n < room && access(out, F_OK) == 0) return 1;
    }
    return abut_mjcf_locate(work->folder, name, out, room);
}

/* Notes a path; -1: it was there before, 0: there is no memory. */
static int note_path(Including *work, const char *path) {
    for (int i = 0; i < work->path_count; ++i)
        if (strcmp(work->path[i], path) == 0) return -1;
    char *copy = abut_pool_take(&work->xml->pool, strlen(path) + 1);
    if (copy) work->path[work->path_count++] = strcpy(copy, path);
    return copy != NULL;
}

static AbutStatus include_file(Including *work, const AbutXmlElement *element, int level, AbutXmlElement **root) {
    AbutError *error = work->xml->error;
    const char *file = abut_xml_attribute(element, "file");
    if (!file || !is_plain(file, work->xml->outside))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute file: expected name of a file in the same folder or below, got '%.100s'; allow-outside lets "
            "it lie elsewhere",
            file ? file : "nothing");
    if (!work->folder)
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT, "no folder to include '%.100s' from", file);
    if (work->path_count == INCLUDES)
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "expected at most %d includes", INCLUDES);
    char path[4096];
    if (!find_file(work, element, level, path, sizeof path))
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "attribute file: expected a shorter path");
    if (!work->xml->outside && abut_mjcf_leads_out(work->folder, path))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute file: '%.100s' is a link out of the folder; allow-outside follows it", file);
    int noted = note_path(work, path);
    if (noted < 0) return abut_xml_fail(error, element, ABUT_ERROR_FORMAT, "'%.100s' is included a second time", file);
    if (!noted) return abut_fail_memory(error);
    char *bytes;
    size_t count;
    AbutError inner;
    AbutStatus status = abut_file_load(path, "MJCF", ABUT_XML_BYTES, &bytes, &count, &inner);
    if (status) return abut_xml_fail(error, element, status, "%.300s", inner.text);
    status = abut_xml_parse_one(work->xml, bytes, count, path, root);
    abut_free(bytes);
    return status;
}

static int tree_depth(const AbutXmlElement *element) {
    int depth = 0;
    for (; element; element = element->parent) ++depth;
    return depth;
}

static AbutStatus resolve(Including *work, AbutXmlElement *parent, int level);

/* Puts the children of the included root in the place of `element`, which follows `before` (NULL: is the first). */
static AbutStatus splice(
    Including *work, AbutXmlElement *parent, AbutXmlElement *before, AbutXmlElement *element, int level) {
    AbutXmlElement *root;
    if (level >= INCLUDE_DEPTH)
        return abut_xml_fail(
            work->xml->error, element, ABUT_ERROR_LIMIT, "expected includes at most %d deep", INCLUDE_DEPTH);
    ABUT_TRY(include_file(work, element, level, &root));
    ABUT_TRY(resolve(work, root, level + 1));
    for (AbutXmlElement *e = root->child; e; e = e->next) e->parent = parent;
    AbutXmlElement *first = root->child ? root->child : element->next;
    *(before ? &before->next : &parent->child) = first;
    if (root->last_child) root->last_child->next = element->next;
    if (parent->last_child == element) parent->last_child = root->last_child ? root->last_child : before;
    return ABUT_OK;
}

/* Walks the tree below `parent` without includes that came from deeper files: those are resolved already. */
static AbutStatus resolve(Including *work, AbutXmlElement *parent, int level) {
    AbutXmlElement *before = NULL;
    for (AbutXmlElement *e = parent->child; e;) {
        AbutXmlElement *next = e->next;
        if (strcmp(e->tag, "include") == 0) {
            AbutStatus status = splice(work, parent, before, e, level);
            if (status) return status;
            /* step over what came in */
            AbutXmlElement *in = before ? before->next : parent->child;
            for (; in && in != next; in = in->next) before = in;
        } else {
            AbutStatus status = e->child ? resolve(work, e, level) : ABUT_OK;
            if (status) return status;
            before = e;
        }
        e = next;
    }
    return ABUT_OK;
}

/* Included trees hang below others: the limit of depth holds for the sum. Elements in document order, no recursion. */
static AbutStatus check_depth(AbutXml *xml) {
    int depth = 1;
    for (AbutXmlElement *e = xml->root; e;) {
        if (depth > ABUT_XML_DEPTH)
            return abut_xml_fail(xml->error, e, ABUT_ERROR_LIMIT, "expected elements at most %d deep, got %d",
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

AbutStatus abut_xml_parse(AbutXml *xml, const void *bytes, size_t count, const char *name, const char *folder) {
    ABUT_TRY(abut_xml_parse_one(xml, bytes, count, name, &xml->root));
    Including work = {.xml = xml, .folder = folder};
    AbutStatus status = resolve(&work, xml->root, 0);
    return status ? status : check_depth(xml);
}
