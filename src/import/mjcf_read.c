/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MJCF into a model. The tree of elements is read into a draft section by section, in the order in which they need each
 * other whatever their order in the file. The model is made from the draft when all is known.
 */
#include "import/mjcf_read.h"
#include "import/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abut/import.h"

enum { WORK = 50000000, ATTRIBUTES = 1000000 };

typedef AbutStatus Section(AbutMjcfReader *reader, const AbutXmlElement *element);

/* In the order in which they need each other. */
static const struct {
    const char *tag;
    Section *read;
    int attached; /* 1: of attached files too, at this point */
} sections[] = {{"compiler", abut_mjcf_compiler, 0}, {"option", abut_mjcf_option, 0}, {"default", abut_mjcf_default, 0},
    {"asset", abut_mjcf_asset, 0}, {"worldbody", abut_mjcf_world_geoms, 0}, {"worldbody", abut_mjcf_world_bodies, 0},
    {"contact", abut_mjcf_contact, 1}, {"equality", abut_mjcf_equality, 1}, {"tendon", abut_mjcf_tendon, 1},
    {"actuator", abut_mjcf_actuator, 1}, {"sensor", abut_mjcf_sensors, 1}, {"keyframe", abut_mjcf_keyframe, 0}};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

void abut_mjcf_warn(AbutMjcfReader *reader, const AbutXmlElement *element, const char *format, ...) {
    va_list args;
    va_start(args, format);
    abut_import_warn(&reader->warnings, &reader->options, element, format, args);
    va_end(args);
}

void abut_mjcf_warn_ignored(AbutMjcfReader *reader, const AbutXmlElement *element) {
    abut_mjcf_warn(reader, element, "is ignored");
}

AbutStatus abut_mjcf_add(
    AbutMjcfReader *reader, void *array, int32_t *count, size_t *capacity, const void *item, size_t bytes_each) {
    void *memory;
    memcpy(&memory, array, sizeof memory);
    int grown = abut_grow(&memory, capacity, (size_t)*count + 1, bytes_each);
    memcpy(array, &memory, sizeof memory);
    if (!grown) return abut_fail_memory(reader->error);
    memcpy((char *)memory + (size_t)(*count)++ * bytes_each, item, bytes_each);
    return ABUT_OK;
}

AbutStatus abut_mjcf_place(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfKind kind, int32_t index,
    const char **name, AbutSource *source) {
    const char *given = abut_xml_attribute(element, "name");
    AbutSource place = {element->file, element->line};
    int32_t old;
    *name = given ? abut_mjcf_full_name(reader, given) : "";
    *source = place;
    if (*name && !**name) return ABUT_OK;
    if (!*name || !abut_mjcf_names_add(&reader->names, kind, *name, index, &old))
        return abut_fail_memory(reader->error);
    if (old >= 0)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute name: expected a new name, got '%.100s' again", given);
    return ABUT_OK;
}

const AbutMjcfClass *abut_mjcf_root_class(const AbutMjcfReader *reader) {
    return reader->now.root_class >= 0 ? reader->classes[reader->now.root_class] : NULL;
}

const char *abut_mjcf_glue(AbutMjcfReader *reader, const char *first, const char *middle, const char *last) {
    size_t a = strlen(first), b = strlen(middle), c = strlen(last);
    char *all = abut_pool_take(&reader->xml.pool, a + b + c + 1);
    if (!all) return NULL;
    memcpy(all, first, a);
    memcpy(all + a, middle, b);
    memcpy(all + a + b, last, c + 1);
    return all;
}

const char *abut_mjcf_full_name(AbutMjcfReader *reader, const char *name) {
    const AbutMjcfContext *now = &reader->now;
    return *now->prefix || *now->suffix ? abut_mjcf_glue(reader, now->prefix, name, now->suffix) : name;
}

const char *abut_mjcf_join(AbutMjcfReader *reader, const char *folder, const char *file) {
    size_t n = strlen(folder);
    return abut_mjcf_glue(reader, folder, n > 0 && *file && folder[n - 1] != '/' ? "/" : "", file);
}

int32_t abut_mjcf_find(AbutMjcfReader *reader, AbutMjcfKind kind, const char *name) {
    const char *full = abut_mjcf_full_name(reader, name);
    if (kind == ABUT_MJCF_KIND_BODY && strcmp(name, "world") == 0) return 0;
    return full ? abut_mjcf_names_find(&reader->names, kind, full) : -1;
}

AbutStatus abut_mjcf_reference(const AbutMjcfView *view, const char *attribute, AbutMjcfKind kind, int32_t *out) {
    static const char *const kinds[] = {"body", "geom", "joint", "mesh", "height field", "material", "class", "pair",
        "site", "tendon", "actuator", "equality", "keyframe", "model", "sensor"};
    const AbutXmlElement *holder = view->element;
    const char *name = abut_mjcf_value(view, attribute, &holder);
    *out = name ? abut_mjcf_find(view->reader, kind, name) : -1;
    if (*out >= 0) return ABUT_OK;
    return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
        "attribute %.40s: expected name of a %s, got %s%.100s%s", attribute, kinds[kind], name ? "'" : "",
        name ? name : "nothing", name ? "'" : "");
}

static AbutStatus begin_draft(AbutMjcfReader *reader) {
    AbutMjcfDraft *draft = &reader->draft;
    const AbutXmlElement *root = reader->xml.root;
    if (strcmp(root->tag, "mujoco") != 0)
        return abut_xml_fail(reader->error, root, ABUT_ERROR_FORMAT, "expected root element <mujoco>");
    const char *name = abut_xml_attribute(root, "model");
    draft->name = name ? name : "";
    AbutDraftBody world = {.def = abut_body_default(), .parent = -1};
    world.def.name = "world";
    world.def.source = (AbutSource){root->file, root->line};
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, bodies, body, world));
    int32_t old;
    if (!abut_mjcf_names_add(&reader->names, ABUT_MJCF_KIND_BODY, "world", 0, &old))
        return abut_fail_memory(reader->error);
    return ABUT_OK;
}

static AbutStatus read_section(AbutMjcfReader *reader, int section) {
    for (const AbutXmlElement *e = reader->now.root->child; e; e = e->next)
        if (strcmp(e->tag, sections[section].tag) == 0) ABUT_TRY(sections[section].read(reader, e));
    return ABUT_OK;
}

AbutStatus abut_mjcf_sections(AbutMjcfReader *reader, const char *tag) {
    for (int i = 0; i < SECTIONS; ++i)
        if (strcmp(sections[i].tag, tag) == 0) ABUT_TRY(read_section(reader, i));
    return ABUT_OK;
}

/* This section of all attached files. */
static AbutStatus read_attached(AbutMjcfReader *reader, int section) {
    AbutMjcfContext own = reader->now;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < reader->attached_count && !status; ++i) {
        reader->now = reader->attached[i].context;
        status = read_section(reader, section);
    }
    reader->now = own;
    return status;
}

/* Elements that would move things and are not read are refused; the rest is reported. */
static AbutStatus check_sections(AbutMjcfReader *reader) {
    static const char *const refused[] = {"deformable", "extension"};
    for (const AbutXmlElement *e = reader->now.root->child; e; e = e->next) {
        int known = 0;
        for (int i = 0; i < SECTIONS && !known; ++i) known = strcmp(e->tag, sections[i].tag) == 0;
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
            if (strcmp(e->tag, refused[i]) == 0)
                return abut_xml_fail(reader->error, e, ABUT_ERROR_UNSUPPORTED, "is not supported");
        if (!known) abut_mjcf_warn_ignored(reader, e);
    }
    return ABUT_OK;
}

static AbutStatus read_sections(AbutMjcfReader *reader) {
    AbutStatus status = begin_draft(reader);
    if (!status) status = check_sections(reader);
    for (int i = 0; i < SECTIONS && !status; ++i) {
        status = read_section(reader, i);
        if (!status && sections[i].attached) status = read_attached(reader, i);
    }
    return status;
}

static void end_reader(AbutMjcfReader *reader) {
    AbutMjcfDraft *draft = &reader->draft;
    void *arrays[] = {draft->bodies, draft->geoms, draft->joints, draft->meshes, draft->fields, draft->pairs,
        draft->elements, draft->sites, draft->tendons, draft->actuators, draft->equalities, draft->keys, draft->sensors,
        reader->classes, reader->materials, reader->attached};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) abut_free(arrays[i]);
    abut_mjcf_names_free(&reader->names);
    abut_pool_free(&reader->xml.pool);
}

AbutMjcfContext abut_mjcf_context(const AbutXmlElement *root) {
    return (AbutMjcfContext){.root = root,
        .prefix = "",
        .suffix = "",
        .folder = "",
        .angle = ABUT_PI / 180.0,
        .euler = "xyz",
        .mesh_folder = "",
        .auto_limits = 1,
        .inertia = ABUT_MJCF_INERTIA_LEGACY,
        .mass = {.from_geom = 2, .groups = {INT32_MIN, INT32_MAX}},
        .root_class = -1};
}

static AbutStatus read_draft(AbutMjcfReader *reader, const void *bytes, size_t count, const char *name) {
    reader->xml.error = reader->error;
    reader->xml.outside = reader->options.allow_outside;
    reader->frame = abut_pose_identity();
    reader->work = WORK;
    reader->attributes_left = ATTRIBUTES;
    reader->draft = (AbutMjcfDraft){.name = "",
        .gravity = {0.0, 0.0, -9.81},
        .has_gravity = 1,
        .has_contacts = 1,
        .total_mass = -1.0,
        .magnetic = {0.0, -0.5, 0.0}};
    const char *folder = reader->options.folder;
    AbutStatus status = abut_xml_parse(&reader->xml, bytes, count, name && *name ? name : "model", folder);
    reader->now = abut_mjcf_context(reader->xml.root);
    if (!status) status = abut_mjcf_replicate(reader, reader->xml.root);
    return status ? status : read_sections(reader);
}

AbutStatus abut_model_parse_mjcf(const void *bytes, size_t count, const char *name, const AbutModelReadOptions *options,
    AbutModel **out, AbutError *error) {
    ABUT_ASSERT((bytes || count == 0) && out);
    AbutMjcfReader reader = {.error = error};
    AbutModel *model = NULL;
    *out = NULL;
    if (options) reader.options = *options;
    AbutStatus status = read_draft(&reader, bytes, count, name);
    if (!status) status = abut_model_create(&model, error);
    if (!status) status = abut_mjcf_make_model(&reader, model);
    abut_import_warn_end(&reader.warnings, &reader.options);
    end_reader(&reader);
    if (!status)
        *out = model;
    else
        abut_model_free(model);
    return status;
}

char *abut_import_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 1;
    char *folder = abut_alloc(n + 2);
    if (folder) {
        memcpy(folder, slash ? path : ".", n);
        strcpy(folder + n, slash == path ? "/" : "");
    }
    return folder;
}

AbutStatus abut_import_load(
    const char *path, const char *what, char **bytes, size_t *count, char **folder, AbutError *error) {
    *folder = *bytes = NULL;
    if (!path || !*path) return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected path of a file of %s, got none", what);
    ABUT_TRY(abut_file_load(path, what, ABUT_XML_BYTES, bytes, count, error));
    *folder = abut_import_folder(path);
    if (*folder) return ABUT_OK;
    abut_free(*bytes);
    *bytes = NULL;
    return abut_fail_memory(error);
}
