/* SPDX-License-Identifier: Apache-2.0 */
/* The sections <compiler>, <option> and <default> of an MJCF file. */
#include "import/mjcf_read.h"

#include <string.h>

enum { CLASS_DEPTH = 16, CLASS_SECTIONS = 100 };

static const char *const truth[] = {"false", "true", NULL};

static AbutStatus read_euler(AbutMjcfReader *reader, const AbutXmlElement *element) {
    const char *value = abut_xml_attribute(element, "eulerseq");
    if (!value) return ABUT_OK;
    if (strlen(value) != 3 || strspn(value, "xyzXYZ") != 3)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute eulerseq: expected three letters of xyzXYZ, got '%.40s'", value);
    memcpy(reader->now.euler, value, 4);
    return ABUT_OK;
}

/* Which geoms have mass, how meshes have it, and what all sums up to. */
static AbutStatus read_mass_settings(const AbutMjcfView *view) {
    AbutMjcfReader *reader = view->reader;
    AbutMjcfMassRules *rules = &reader->now.mass;
    double groups[2] = {(double)rules->groups[0], (double)rules->groups[1]};
    int exact = reader->now.inertia == ABUT_MJCF_INERTIA_EXACT;
    ABUT_TRY(abut_mjcf_numbers(view, "inertiagrouprange", 2, 2, groups, NULL));
    ABUT_TRY(abut_mjcf_numbers(view, "settotalmass", 1, 1, &reader->draft.total_mass, NULL));
    ABUT_TRY(abut_mjcf_word(view, "exactmeshinertia", truth, &exact));
    ABUT_TRY(abut_mjcf_word(view, "alignfree", truth, &rules->align));
    if (!(fabs(groups[0]) < 1e10 && fabs(groups[1]) < 1e10))
        return abut_xml_fail(
            reader->error, view->element, ABUT_ERROR_FORMAT, "attribute inertiagrouprange: expected two small numbers");
    rules->groups[0] = (int64_t)groups[0];
    rules->groups[1] = (int64_t)groups[1];
    reader->now.inertia = exact ? ABUT_MJCF_INERTIA_EXACT : ABUT_MJCF_INERTIA_LEGACY;
    return ABUT_OK;
}

AbutStatus abut_mjcf_compiler(AbutMjcfReader *reader, const AbutXmlElement *element) {
    static const char *const angles[] = {"radian", "degree", NULL}, *const coordinates[] = {"local", NULL},
                             *const inertia[] = {"false", "true", "auto", NULL};
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutMjcfMassRules *rules = &reader->now.mass;
    int angle = -1, local = 0;
    ABUT_TRY(abut_mjcf_word(&view, "angle", angles, &angle));
    ABUT_TRY(read_euler(reader, element));
    ABUT_TRY(abut_mjcf_word(&view, "coordinate", coordinates, &local));
    ABUT_TRY(abut_mjcf_word(&view, "autolimits", truth, &reader->now.auto_limits));
    ABUT_TRY(abut_mjcf_word(&view, "inertiafromgeom", inertia, &rules->from_geom));
    ABUT_TRY(abut_mjcf_word(&view, "balanceinertia", truth, &rules->balance));
    ABUT_TRY(abut_mjcf_word(&view, "strippath", truth, &reader->now.strip_path));
    ABUT_TRY(abut_mjcf_word(&view, "fitaabb", truth, &reader->now.fit_vertices));
    ABUT_TRY(read_mass_settings(&view));
    ABUT_TRY(abut_mjcf_number(&view, "boundmass", 0.0, &rules->bound_mass));
    ABUT_TRY(abut_mjcf_number(&view, "boundinertia", 0.0, &rules->bound_inertia));
    if (angle >= 0) reader->now.angle = angle ? ABUT_PI / 180.0 : 1.0;
    const char *assets = abut_xml_attribute(element, "assetdir"), *meshes = abut_xml_attribute(element, "meshdir");
    if (meshes || assets)
        reader->now.mesh_folder = abut_mjcf_join(reader, reader->now.folder, meshes ? meshes : assets);
    if (!reader->now.mesh_folder) return abut_fail_memory(reader->error);
    abut_mjcf_ignore_others(reader, element, "compiler");
    for (const AbutXmlElement *e = element->child; e; e = e->next) abut_mjcf_warn_ignored(reader, e);
    return ABUT_OK;
}

/* Flags of MuJoCo's own; those of gravity and contact change what moves. */
static AbutStatus read_flags(AbutMjcfReader *reader, const AbutXmlElement *element) {
    static const char *const words[] = {"disable", "enable", NULL};
    AbutMjcfView view = {reader, element, NULL, NULL};
    ABUT_TRY(abut_mjcf_word(&view, "gravity", words, &reader->draft.has_gravity));
    ABUT_TRY(abut_mjcf_word(&view, "contact", words, &reader->draft.has_contacts));
    abut_mjcf_ignore_others(reader, element, "option/flag");
    return ABUT_OK;
}

AbutStatus abut_mjcf_option(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutMjcfDraft *draft = &reader->draft;
    int count;
    ABUT_TRY(abut_mjcf_vec3(&view, "gravity", &draft->gravity));
    ABUT_TRY(abut_mjcf_vec3(&view, "magnetic", &draft->magnetic));
    ABUT_TRY(abut_mjcf_numbers(&view, "timestep", 1, 1, &draft->timestep, &count));
    if (count && !(draft->timestep > 0.0))
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute timestep: expected a positive number, got %g", draft->timestep);
    abut_mjcf_ignore_others(reader, element, "option");
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next)
        if (strcmp(e->tag, "flag") == 0)
            status = read_flags(reader, e);
        else
            abut_mjcf_warn_ignored(reader, e);
    return status;
}

/* ---- default classes --------------------------------------------------------------------------------------------- */

static AbutStatus new_class(AbutMjcfReader *reader, const AbutXmlElement *element, const char *name,
    AbutMjcfClass *parent, AbutMjcfClass **out) {
    *out = abut_pool_take(&reader->xml.pool, sizeof **out);
    int32_t old;
    name = abut_mjcf_full_name(reader, name);
    if (!*out || !name || !abut_mjcf_names_add(&reader->names, ABUT_MJCF_KIND_CLASS, name, reader->class_count, &old))
        return abut_fail_memory(reader->error);
    if (old >= 0)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute class: expected a new class, got '%.100s' again", name);
    memset(*out, 0, sizeof **out);
    (*out)->name = name;
    (*out)->parent = parent;
    return ABUT_MJCF_ADD(reader, reader, classes, class, *out);
}

/* Attributes that are ignored are said where a class sets them, as where an element does. */
static void ignore_others(AbutMjcfReader *reader, const AbutXmlElement *element) {
    static const char *const of[][2] = {{"geom", "geom"}, {"joint", "joint"}, {"site", "site"}, {"mesh", "asset/mesh"},
        {"pair", "contact/pair"}, {"tendon", "tendon/spatial"}, {"general", "actuator/general"},
        {"motor", "actuator/motor"}, {"position", "actuator/position"}, {"velocity", "actuator/velocity"},
        {"intvelocity", "actuator/intvelocity"}, {"damper", "actuator/damper"}, {"cylinder", "actuator/cylinder"},
        {"muscle", "actuator/muscle"}, {"adhesion", "actuator/adhesion"}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; ++i)
        if (strcmp(of[i][0], element->tag) == 0) abut_mjcf_ignore_others(reader, element, of[i][1]);
}

static AbutStatus add_setting(AbutMjcfReader *reader, AbutMjcfClass *class, const AbutXmlElement *element) {
    for (int32_t i = 0; i < class->setting_count; ++i)
        if (strcmp(class->settings[i]->tag, element->tag) == 0)
            return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
                "stands a second time in default class '%.100s'", class->name);
    if (class->setting_count == ABUT_MJCF_CLASS_SETTINGS)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_LIMIT,
            "expected at most %d kinds of elements in a default class", ABUT_MJCF_CLASS_SETTINGS);
    class->settings[class->setting_count++] = element;
    ignore_others(reader, element);
    return ABUT_OK;
}

static AbutStatus fill_class(AbutMjcfReader *reader, AbutMjcfClass *class, const AbutXmlElement *element, int depth) {
    AbutStatus status = ABUT_OK;
    if (depth > CLASS_DEPTH)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_LIMIT, "expected classes at most %d deep", CLASS_DEPTH);
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (strcmp(e->tag, "default") != 0) {
            status = add_setting(reader, class, e);
            continue;
        }
        const char *name = abut_xml_attribute(e, "class");
        AbutMjcfClass *inner = NULL;
        if (!name)
            return abut_xml_fail(reader->error, e, ABUT_ERROR_FORMAT, "attribute class: expected a name, got nothing");
        status = new_class(reader, e, name, class, &inner);
        if (!status) status = fill_class(reader, inner, e, depth + 1);
    }
    return status;
}

/* A later section at the top changes the outermost class, not those that stand inside it in earlier sections: it is a
 * class of its own that inherits from the earlier one and takes its name. */
static AbutStatus next_section(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfClass **root) {
    int sections = 1;
    for (const AbutMjcfClass *class = *root; class; class = class->parent) ++sections;
    if (sections > CLASS_SECTIONS)
        return abut_xml_fail(
            reader->error, element, ABUT_ERROR_LIMIT, "expected at most %d sections <default>", CLASS_SECTIONS);
    AbutMjcfClass *next = abut_pool_take(&reader->xml.pool, sizeof *next);
    if (!next) return abut_fail_memory(reader->error);
    memset(next, 0, sizeof *next);
    next->name = (*root)->name;
    next->parent = *root;
    reader->classes[reader->now.root_class] = *root = next;
    return ABUT_OK;
}

/* Sections at the top share one class, named by the first of them or "main". */
AbutStatus abut_mjcf_default(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfClass *root = reader->now.root_class >= 0 ? reader->classes[reader->now.root_class] : NULL;
    const char *name = abut_xml_attribute(element, "class");
    AbutStatus status = ABUT_OK;
    if (root && name && abut_mjcf_find(reader, ABUT_MJCF_KIND_CLASS, name) != reader->now.root_class)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute class: '%.100s' expected for the outermost class, got '%.100s'", root->name, name);
    if (root)
        status = next_section(reader, element, &root);
    else {
        reader->now.root_class = reader->class_count;
        status = new_class(reader, element, name && *name ? name : "main", NULL, &root);
    }
    return status ? status : fill_class(reader, root, element, 1);
}
