/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <contact> of an MJCF file (pairs and exclusions), and elements that are only kept, with their attributes
 * and those of their default class: what the model has no structure for.
 */
#include "import/mjcf_read.h"

#include <string.h>

/* Friction of a pair of geoms. */
static AbutStatus read_friction(const AbutMjcfView *view, AbutDraftPair *pair) {
    int64_t condim = 0;
    int count = 0;
    AbutStatus status = abut_mjcf_numbers(view, "friction", 1, 5, pair->friction, &count);
    if (!status) status = abut_mjcf_condim(view, &condim);
    for (int k = 0; k < count && !status; ++k)
        if (!(pair->friction[k] >= 0.0))
            status = abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute friction: expected numbers of at least 0, got %g", pair->friction[k]);
    if (!status && ((count > 1 && pair->friction[1] != pair->friction[0]) ||
                       (count > 4 && pair->friction[4] != pair->friction[3])))
        abut_mjcf_warn(view->reader, view->element,
            "attribute friction: is the same in both directions: the second and the fifth number are not used");
    pair->condim = (int32_t)condim;
    pair->count = count;
    return status;
}

static double larger_of(const AbutDraftGeom *a, const AbutDraftGeom *b, int k) {
    return abut_larger(a->friction[k], b->friction[k]);
}

/* Values that the pair does not state come from its geoms: the one with the higher priority, or the larger number. */
void abut_mjcf_pair_law(const AbutMjcfDraft *draft, const AbutDraftPair *pair, AbutPairDef *out) {
    const AbutDraftGeom *a = &draft->geoms[pair->def.a], *b = &draft->geoms[pair->def.b];
    if (pair->count == 0 && pair->condim == 0) return;
    if (a->def.priority != b->def.priority) a = b = a->def.priority > b->def.priority ? a : b;
    int32_t condim = pair->condim ? pair->condim : a->condim > b->condim ? a->condim : b->condim;
    double sliding = pair->count > 0 ? pair->friction[0] : larger_of(a, b, 0),
           spinning = pair->count > 2 ? pair->friction[2] : larger_of(a, b, 1),
           rolling = pair->count > 3 ? pair->friction[3] : larger_of(a, b, 2);
    out->friction = out->friction_kinetic = condim == 1 ? 0.0 : sliding;
    out->friction_spinning = condim > 3 ? spinning : 0.0;
    out->friction_rolling = condim == 6 ? rolling : 0.0;
}

static AbutStatus read_pair(AbutMjcfReader *reader, const AbutXmlElement *element, int exclude) {
    AbutMjcfKind kind = exclude ? ABUT_MJCF_KIND_BODY : ABUT_MJCF_KIND_GEOM;
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftPair pair = {.def = abut_pair_default()};
    const char *name;
    pair.def.exclude = exclude;
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_PAIR, draft->pair_count, &name, &pair.def.source));
    ABUT_TRY(abut_mjcf_reference(&view, exclude ? "body1" : "geom1", kind, &pair.def.a));
    ABUT_TRY(abut_mjcf_reference(&view, exclude ? "body2" : "geom2", kind, &pair.def.b));
    if (!exclude) ABUT_TRY(read_friction(&view, &pair));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, pairs, pair, pair));
    abut_mjcf_ignore_others(reader, element, exclude ? "contact/exclude" : "contact/pair");
    return ABUT_OK;
}

AbutStatus abut_mjcf_contact(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (!abut_mjcf_names_are_here(reader, e)) continue;
        if (strcmp(e->tag, "pair") == 0 || strcmp(e->tag, "exclude") == 0)
            status = read_pair(reader, e, *e->tag == 'e');
        else
            abut_mjcf_warn_ignored(reader, e);
    }
    return status;
}

/* ---- what is kept ------------------------------------------------------------------------------------------------ */

static int holds(const AbutElement *element, const char *name) { return abut_element_attribute(element, name) != NULL; }

static int32_t settings_size(const AbutMjcfView *view) {
    int32_t count = view->element->attribute_count;
    for (const AbutMjcfClass *class = view->class; class; class = class->parent)
        for (int32_t i = 0; i < class->setting_count; ++i)
            if (strcmp(class->settings[i]->tag, view->element->tag) == 0) count += class->settings[i]->attribute_count;
    return count;
}

static void add_missing(AbutElement *out, AbutAttribute *attributes, const AbutXmlElement *from) {
    for (int32_t i = 0; i < from->attribute_count; ++i)
        if (!holds(out, from->attributes[i].name)) attributes[out->attribute_count++] = from->attributes[i];
}

/* Own attributes, then those of the classes that are not there yet, the nearest class first. */
static AbutStatus gather(const AbutMjcfView *view, AbutElement *out) {
    int32_t most = settings_size(view);
    view->reader->attributes_left -= most;
    if (view->reader->attributes_left < 0)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_LIMIT,
            "expected at most 1000000 attributes of actuators, sensors, tendons and equalities, got more");
    AbutAttribute *attributes = abut_pool_take(&view->reader->xml.pool, (size_t)most * sizeof *attributes);
    if (!attributes) return abut_fail_memory(view->reader->error);
    out->attributes = attributes;
    add_missing(out, attributes, view->element);
    for (const AbutMjcfClass *class = view->class; class; class = class->parent)
        for (int32_t i = 0; i < class->setting_count; ++i)
            if (strcmp(class->settings[i]->tag, view->element->tag) == 0)
                add_missing(out, attributes, class->settings[i]);
    return ABUT_OK;
}

AbutStatus abut_mjcf_keep_element(AbutMjcfReader *reader, const AbutXmlElement *element, const char *section) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    const char *name = abut_xml_attribute(element, "name");
    AbutElement kept = {
        section, element->tag, name ? abut_mjcf_full_name(reader, name) : "", NULL, 0, {element->file, element->line}};
    AbutStatus status = abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view);
    if (!status) status = gather(&view, &kept);
    if (!status) status = ABUT_MJCF_ADD(reader, draft, elements, element, kept);
    return status;
}
