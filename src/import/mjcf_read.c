/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MJCF into a model. The tree of elements is read into a draft section by section, in the order in which they need each
 * other whatever their order in the file: compiler, option, default, asset, worldbody, contact, and then what is only
 * kept (actuators, sensors, tendons, equalities). The model is made from the draft when all is known.
 */
#include "import/mjcf_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abut/import.h"

enum { WORK = 50000000, ATTRIBUTES = 1000000 };

typedef AbutStatus Section(AbutMjcfReader *reader, const AbutXmlElement *element);

static const struct {
    const char *tag;
    Section *read;
} sections[] = {{"compiler", abut_mjcf_compiler}, {"option", abut_mjcf_option}, {"default", abut_mjcf_default},
    {"asset", abut_mjcf_asset}, {"worldbody", abut_mjcf_world_geoms}, {"worldbody", abut_mjcf_world_bodies},
    {"contact", abut_mjcf_contact}, {"equality", abut_mjcf_elements}, {"tendon", abut_mjcf_elements},
    {"actuator", abut_mjcf_elements}, {"sensor", abut_mjcf_elements}};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

void abut_mjcf_warn(AbutMjcfReader *reader, const AbutXmlElement *element, const char *format, ...)
{
    char message[300], text[500];
    va_list args;
    va_start(args, format);
    int n = snprintf(message, sizeof message, "<%.40s>: ", element->tag);
    vsnprintf(message + n, sizeof message - (size_t)n, format, args);
    va_end(args);
    if (!reader->options.warn || reader->warned_count == ABUT_MJCF_WARNINGS)
        return;
    uint64_t hash = abut_hash(message, strlen(message), 0);
    for (int32_t i = 0; i < reader->warned_count; ++i)
        if (reader->warned[i] == hash)
            return;
    reader->warned[reader->warned_count++] = hash;
    snprintf(text, sizeof text, "%.180s:%d: %s", element->file, (int)element->line, message);
    reader->options.warn(text, reader->options.user);
    if (reader->warned_count == ABUT_MJCF_WARNINGS)
        reader->options.warn("further warnings are left out", reader->options.user);
}

void abut_mjcf_warn_ignored(AbutMjcfReader *reader, const AbutXmlElement *element)
{
    abut_mjcf_warn(reader, element, "is ignored");
}

AbutStatus abut_mjcf_no_memory(AbutMjcfReader *reader, const AbutXmlElement *element)
{
    return abut_xml_fail(reader->error, element, ABUT_ERROR_MEMORY, "no memory for it");
}

AbutStatus abut_mjcf_room(AbutMjcfReader *reader, const AbutXmlElement *element, void *array, size_t *capacity,
    int32_t count, size_t bytes_each)
{
    void *memory;
    memcpy(&memory, array, sizeof memory);
    int grown = abut_grow(&memory, capacity, (size_t)count + 1, bytes_each);
    memcpy(array, &memory, sizeof memory);
    return grown ? ABUT_OK : abut_mjcf_no_memory(reader, element);
}

AbutStatus abut_mjcf_place(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfKind kind, int32_t index,
    const char **name, AbutSource *source)
{
    const char *given = abut_xml_attribute(element, "name");
    AbutSource place = {element->file, element->line};
    int32_t old;
    *name = given ? given : "";
    *source = place;
    if (!**name)
        return ABUT_OK;
    if (!abut_mjcf_names_add(&reader->names, kind, given, index, &old))
        return abut_mjcf_no_memory(reader, element);
    if (old >= 0)
        return abut_xml_fail(
            reader->error, element, ABUT_ERROR_FORMAT, "attribute name: a new name expected, '%.100s' is taken", given);
    return ABUT_OK;
}

const AbutMjcfClass *abut_mjcf_root_class(const AbutMjcfReader *reader)
{
    return reader->class_count ? reader->classes[0] : NULL;
}

AbutStatus abut_mjcf_reference(const AbutMjcfView *view, const char *attribute, AbutMjcfKind kind, int32_t *out)
{
    static const char *const kinds[] = {"body", "geom", "joint", "mesh", "height field", "material"};
    const AbutXmlElement *holder = view->element;
    const char *name = abut_mjcf_value(view, attribute, &holder);
    *out = name ? abut_mjcf_names_find(&view->reader->names, kind, name) : -1;
    if (*out >= 0)
        return ABUT_OK;
    return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
        "attribute %.40s: name of a %s expected, found %s%.100s%s", attribute, kinds[kind], name ? "'" : "",
        name ? name : "nothing", name ? "'" : "");
}

static AbutStatus begin_draft(AbutMjcfReader *reader)
{
    AbutMjcfDraft *draft = &reader->draft;
    const AbutXmlElement *root = reader->xml.root;
    if (strcmp(root->tag, "mujoco") != 0)
        return abut_xml_fail(reader->error, root, ABUT_ERROR_FORMAT, "root element <mujoco> expected");
    const char *name = abut_xml_attribute(root, "model");
    draft->name = name ? name : "";
    AbutStatus status = abut_mjcf_room(reader, root, &draft->bodies, &reader->body_capacity, 0, sizeof *draft->bodies);
    if (status)
        return status;
    AbutDraftBody world = {.def = abut_body_default(), .parent = -1};
    world.def.name = "world";
    world.def.source = (AbutSource){root->file, root->line};
    draft->bodies[0] = world;
    draft->body_count = 1;
    int32_t old;
    if (!abut_mjcf_names_add(&reader->names, ABUT_MJCF_KIND_BODY, "world", 0, &old))
        return abut_mjcf_no_memory(reader, root);
    return ABUT_OK;
}

static AbutStatus read_sections(AbutMjcfReader *reader)
{
    const AbutXmlElement *root = reader->xml.root;
    AbutStatus status = begin_draft(reader);
    for (int i = 0; i < SECTIONS; ++i)
        for (const AbutXmlElement *e = root->child; e && !status; e = e->next)
            if (strcmp(e->tag, sections[i].tag) == 0)
                status = sections[i].read(reader, e);
    for (const AbutXmlElement *e = root->child; e && !status; e = e->next) {
        int known = 0;
        for (int i = 0; i < SECTIONS && !known; ++i)
            known = strcmp(e->tag, sections[i].tag) == 0;
        if (!known)
            abut_mjcf_warn_ignored(reader, e);
    }
    return status;
}

static void end_reader(AbutMjcfReader *reader)
{
    AbutMjcfDraft *draft = &reader->draft;
    void *arrays[] = {draft->bodies, draft->geoms, draft->joints, draft->meshes, draft->fields, draft->pairs,
        draft->elements, reader->classes, reader->materials};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        abut_free(arrays[i]);
    abut_mjcf_names_free(&reader->names);
    abut_pool_free(&reader->xml.pool);
}

static AbutStatus read_draft(AbutMjcfReader *reader, const void *bytes, size_t count, const char *name)
{
    reader->xml.error = reader->error;
    reader->angle = ABUT_PI / 180.0;
    memcpy(reader->euler, "xyz", 4);
    reader->mesh_folder = "";
    reader->auto_limits = 1;
    reader->work = WORK;
    reader->attributes_left = ATTRIBUTES;
    reader->draft = (AbutMjcfDraft){.name = "", .gravity = {0.0, 0.0, -9.81}, .inertia_from_geom = 2};
    const char *folder = reader->options.folder;
    AbutStatus status = abut_xml_parse(&reader->xml, bytes, count, name && *name ? name : "model", folder);
    return status ? status : read_sections(reader);
}

AbutStatus abut_model_parse_mjcf(const void *bytes, size_t count, const char *name, const AbutModelReadOptions *options,
    AbutModel **out, AbutError *error)
{
    ABUT_ASSERT((bytes || count == 0) && out);
    AbutMjcfReader reader = {.error = error};
    AbutModel *model = NULL;
    *out = NULL;
    if (options)
        reader.options = *options;
    AbutStatus status = read_draft(&reader, bytes, count, name);
    if (!status)
        status = abut_model_create(&model, error);
    if (!status)
        status = abut_mjcf_make_model(&reader, model);
    end_reader(&reader);
    if (!status)
        *out = model;
    else
        abut_model_free(model);
    return status;
}

/* The folder of a path, to be freed; "." when it has none. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 1;
    char *folder = abut_alloc(n + 2);
    if (folder) {
        memcpy(folder, slash ? path : ".", n);
        strcpy(folder + n, slash == path ? "/" : "");
    }
    return folder;
}

/* Loads the file and finds its folder; on failure both are NULL. */
static AbutStatus open_file(const char *path, char **bytes, size_t *count, char **folder, AbutError *error)
{
    *folder = *bytes = NULL;
    if (!path || !*path)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "path of an MJCF file expected, found none");
    AbutStatus status = abut_file_load(path, "MJCF", ABUT_XML_BYTES, bytes, count, error);
    if (status)
        return status;
    *folder = folder_of(path);
    if (*folder)
        return ABUT_OK;
    abut_free(*bytes);
    *bytes = NULL;
    return abut_fail(error, ABUT_ERROR_MEMORY, "%.300s: no memory for its folder", path);
}

AbutStatus abut_model_read_mjcf(
    const char *path, const AbutModelReadOptions *options, AbutModel **out, AbutError *error)
{
    ABUT_ASSERT(out);
    AbutModelReadOptions own = {0};
    char *bytes, *folder;
    size_t count;
    *out = NULL;
    if (options)
        own = *options;
    AbutStatus status = open_file(path, &bytes, &count, &folder, error);
    if (!own.folder)
        own.folder = folder;
    if (!status)
        status = abut_model_parse_mjcf(bytes, count, path, &own, out, error);
    abut_free(bytes);
    abut_free(folder);
    return status;
}
