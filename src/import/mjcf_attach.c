/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <attach>: bodies of another file, which stands under <asset><model>, with all that refers to them. The file is read
 * in its own context (units, classes, mesh folder) and every name of it gets the prefix.
 */
#include "import/mjcf_read.h"

#include <stdio.h>
#include <string.h>

enum { ATTACHED = 100, DEPTH = 8 };

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* <model> of this name in the file of the present context; NULL: none. */
static const AbutXmlElement *find_model(const AbutMjcfReader *reader, const char *name) {
    for (const AbutXmlElement *s = reader->now.root->child; s; s = s->next)
        for (const AbutXmlElement *e = strcmp(s->tag, "asset") == 0 ? s->child : NULL; e; e = e->next) {
            const char *own = abut_xml_attribute(e, "name");
            if (strcmp(e->tag, "model") == 0 && own && strcmp(own, name) == 0) return e;
        }
    return NULL;
}

/* A file is named from the folder of the one that names it. */
static AbutStatus find_file(AbutMjcfReader *reader, const AbutXmlElement *model, const char **file) {
    const char *given = abut_xml_attribute(model, "file");
    if (!given)
        return abut_xml_fail(reader->error, model, ABUT_ERROR_FORMAT,
            "attribute file: expected a file inside the folder of the scene, got nothing");
    *file = abut_mjcf_join(reader, *given == '/' ? "" : reader->now.folder, given);
    return *file ? ABUT_OK : abut_fail_memory(reader->error);
}

/* The folder of a file, "" when it has none. */
static const char *file_folder(AbutMjcfReader *reader, const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? abut_pool_text(&reader->xml.pool, file, (size_t)(slash - file)) : "";
}

/* Its includes are named from its own folder. */
static AbutStatus load_file(
    AbutMjcfReader *reader, const AbutXmlElement *model, const char *file, AbutXmlElement **root) {
    AbutXmlElement *own = reader->xml.root;
    char path[4096];
    AbutStatus found = abut_mjcf_file_path(reader, model, file, path, sizeof path, reader->error);
    if (found) return found;
    char *bytes;
    size_t count;
    AbutError inner;
    AbutStatus status = abut_file_load(path, "MJCF", ABUT_XML_BYTES, &bytes, &count, &inner);
    if (status) return abut_xml_fail(reader->error, model, status, "%.300s", inner.text);
    const char *folder = file_folder(reader, path);
    status = folder ? abut_xml_parse(&reader->xml, bytes, count, path, folder) : abut_fail_memory(reader->error);
    abut_free(bytes);
    *root = reader->xml.root;
    reader->xml.root = own;
    return status ? status : abut_mjcf_replicate(reader, *root);
}

/* Reads what the bodies need, in the context of the file. */
static AbutStatus begin(AbutMjcfReader *reader, AbutMjcfAttached *at) {
    static const char *const first[] = {"compiler", "default", "asset"};
    AbutMjcfContext own = reader->now;
    double total_mass = reader->draft.total_mass;
    AbutStatus status = ABUT_OK;
    reader->now = at->context;
    for (int i = 0; i < 3 && !status; ++i) status = abut_mjcf_sections(reader, first[i]);
    for (const AbutXmlElement *e = reader->now.root->child; e; e = e->next)
        if (strcmp(e->tag, "keyframe") == 0) abut_mjcf_warn(reader, e, "of an attached file is ignored");
    at->context = reader->now;
    reader->now = own;
    reader->draft.total_mass = total_mass;
    return status;
}

/* The prefix of this place, behind that of the file it stands in. */
static const char *prefix_of(AbutMjcfReader *reader, const AbutXmlElement *element) {
    const char *prefix = abut_xml_attribute(element, "prefix");
    return abut_mjcf_glue(reader, reader->now.prefix, prefix ? prefix : "", "");
}

/* Prefix of names where <attach> was replicated, before that of the file it stands in. */
static const char *suffix_of(AbutMjcfReader *reader, const AbutXmlElement *element) {
    return abut_mjcf_glue(reader, element->suffix ? element->suffix : "", reader->now.suffix, "");
}

static AbutStatus attach(AbutMjcfReader *reader, const AbutXmlElement *element, int32_t *out) {
    const char *name = abut_xml_attribute(element, "model"), *prefix = prefix_of(reader, element);
    const AbutXmlElement *model = name ? find_model(reader, name) : NULL;
    AbutXmlElement *root = NULL;
    if (!model)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute model: expected name of a <model> under <asset>, got '%.100s'", name ? name : "nothing");
    for (*out = 0; *out < reader->attached_count; ++*out)
        if (reader->attached[*out].element == element && strcmp(reader->attached[*out].context.prefix, prefix) == 0)
            return ABUT_OK;
    if (*out == ATTACHED)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_LIMIT, "expected at most %d attached files", ATTACHED);
    const char *file = NULL;
    AbutStatus status = find_file(reader, model, &file);
    if (!status) status = load_file(reader, model, file, &root);
    if (status || !prefix) return status ? status : abut_fail_memory(reader->error);
    AbutMjcfAttached new = {element, abut_mjcf_context(root)};
    new.context.prefix = prefix;
    new.context.suffix = suffix_of(reader, element);
    new.context.depth = reader->now.depth + 1;
    new.context.folder = new.context.mesh_folder = file_folder(reader, file);
    if (!new.context.folder || !new.context.suffix) return abut_fail_memory(reader->error);
    if (new.context.depth > DEPTH)
        return abut_xml_fail(
            reader->error, element, ABUT_ERROR_LIMIT, "expected attached files at most %d deep", DEPTH);
    status = begin(reader, &new);
    new.context.fit_vertices = reader->now.fit_vertices; /* how geoms are fitted the outermost file says */
    *out = reader->attached_count;                       /* the array may have grown in between */
    if (!status) status = ABUT_MJCF_ADD(reader, reader, attached, attached, new);
    abut_mjcf_ignore_others(reader, element, "attach");
    return status;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* The body of this name below `element`, and the class its ancestors give it. */
static const AbutXmlElement *find_body(
    AbutMjcfReader *reader, const AbutXmlElement *element, const char *name, const AbutMjcfClass **class) {
    for (const AbutXmlElement *e = element->child; e; e = e->next) {
        const char *own = abut_xml_attribute(e, "name"), *given = abut_xml_attribute(element, "childclass");
        int32_t found = given ? abut_mjcf_find(reader, ABUT_MJCF_KIND_CLASS, given) : -1;
        const AbutMjcfClass *outer = *class;
        if (found >= 0) *class = reader->classes[found];
        if (strcmp(e->tag, "body") == 0 && own && strcmp(own, name) == 0) return e;
        const AbutXmlElement *inner = find_body(reader, e, name, class);
        if (inner) return inner;
        *class = outer;
    }
    return NULL;
}

static AbutStatus attach_body(AbutMjcfReader *reader, const AbutXmlElement *element, const char *name, int32_t body) {
    for (const AbutXmlElement *e = reader->now.root->child; e; e = e->next) {
        const AbutMjcfClass *class = abut_mjcf_root_class(reader);
        const AbutXmlElement *found = strcmp(e->tag, "worldbody") == 0 ? find_body(reader, e, name, &class) : NULL;
        if (found) return abut_mjcf_body(reader, found, class, body);
    }
    return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
        "attribute body: expected a body of the attached file, got '%.100s'", name);
}

static AbutStatus attach_world(AbutMjcfReader *reader, int32_t body, int bodies) {
    const AbutMjcfClass *class = abut_mjcf_root_class(reader);
    for (const AbutXmlElement *e = reader->now.root->child; e; e = e->next)
        if (strcmp(e->tag, "worldbody") == 0)
            ABUT_TRY(bodies ? abut_mjcf_bodies(reader, e, class, body) : abut_mjcf_parts(reader, e, class, body));
    return ABUT_OK;
}

AbutStatus abut_mjcf_attach(AbutMjcfReader *reader, const AbutXmlElement *element, int32_t body, int bodies) {
    const char *name = abut_xml_attribute(element, "body");
    AbutMjcfContext own = reader->now;
    int32_t number = 0;
    AbutStatus status = attach(reader, element, &number);
    if (status || (name && !bodies)) return status;
    reader->now = reader->attached[number].context;
    status = name ? attach_body(reader, element, name, body) : attach_world(reader, body, bodies);
    reader->now = own;
    return status;
}

/* ---- what refers to bodies --------------------------------------------------------------------------------------- */

static const struct {
    const char *attribute;
    AbutMjcfKind kind;
} references[] = {{"joint", ABUT_MJCF_KIND_JOINT}, {"joint1", ABUT_MJCF_KIND_JOINT}, {"joint2", ABUT_MJCF_KIND_JOINT},
    {"jointinparent", ABUT_MJCF_KIND_JOINT}, {"body", ABUT_MJCF_KIND_BODY}, {"body1", ABUT_MJCF_KIND_BODY},
    {"body2", ABUT_MJCF_KIND_BODY}, {"geom1", ABUT_MJCF_KIND_GEOM}, {"geom2", ABUT_MJCF_KIND_GEOM},
    {"geom", ABUT_MJCF_KIND_GEOM}, {"site", ABUT_MJCF_KIND_SITE}, {"site1", ABUT_MJCF_KIND_SITE},
    {"site2", ABUT_MJCF_KIND_SITE}, {"refsite", ABUT_MJCF_KIND_SITE}, {"cranksite", ABUT_MJCF_KIND_SITE},
    {"slidersite", ABUT_MJCF_KIND_SITE}};

int abut_mjcf_names_are_here(AbutMjcfReader *reader, const AbutXmlElement *element) {
    if (reader->now.depth == 0) /* in the outermost file a missing name is an error */
        return 1;
    for (size_t i = 0; i < sizeof references / sizeof references[0]; ++i) {
        const char *name = abut_xml_attribute(element, references[i].attribute);
        if (name && abut_mjcf_find(reader, references[i].kind, name) < 0) return 0;
    }
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (!abut_mjcf_names_are_here(reader, e)) return 0;
    return 1;
}
