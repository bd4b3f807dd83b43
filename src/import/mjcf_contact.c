/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <contact> of an MJCF file (pairs and exclusions), and elements that are only kept, with their attributes
 * and those of their default class: sensors, and what the model has no structure for.
 */
#include "import/mjcf_read.h"

#include <string.h>

static AbutStatus read_pair(AbutMjcfReader *reader, const AbutXmlElement *element, int exclude)
{
    AbutMjcfKind kind = exclude ? ABUT_MJCF_KIND_BODY : ABUT_MJCF_KIND_GEOM;
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutPairDef pair = {.exclude = exclude};
    const char *name;
    double friction[5] = {-1.0};
    int count = 0;
    AbutStatus status = abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view);
    if (!status)
        status = abut_mjcf_place(reader, element, ABUT_MJCF_KIND_PAIR, draft->pair_count, &name, &pair.source);
    if (!status)
        status = abut_mjcf_reference(&view, exclude ? "body1" : "geom1", kind, &pair.a);
    if (!status)
        status = abut_mjcf_reference(&view, exclude ? "body2" : "geom2", kind, &pair.b);
    if (!status && !exclude)
        status = abut_mjcf_numbers(&view, "friction", 1, 5, friction, &count);
    if (!status && count && !(friction[0] >= 0.0))
        status = abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute friction: a number of at least 0 expected, found %g", friction[0]);
    if (!status)
        status = abut_mjcf_room(
            reader, element, &draft->pairs, &reader->pair_capacity, draft->pair_count, sizeof *draft->pairs);
    if (status)
        return status;
    pair.friction = pair.friction_kinetic = friction[0];
    if (count > 1)
        abut_mjcf_warn(reader, element, "attribute friction: the first number alone is used");
    draft->pairs[draft->pair_count++] = pair;
    abut_mjcf_ignore_others(reader, element, exclude ? "contact/exclude" : "contact/pair");
    return ABUT_OK;
}

AbutStatus abut_mjcf_contact(AbutMjcfReader *reader, const AbutXmlElement *element)
{
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (!abut_mjcf_names_are_here(reader, e))
            continue;
        if (strcmp(e->tag, "pair") == 0 || strcmp(e->tag, "exclude") == 0)
            status = read_pair(reader, e, *e->tag == 'e');
        else
            abut_mjcf_warn_ignored(reader, e);
    }
    return status;
}

/* ---- what is kept ------------------------------------------------------------------------------------------------ */

static int holds(const AbutElement *element, const char *name)
{
    return abut_element_attribute(element, name) != NULL;
}

static int32_t settings_size(const AbutMjcfView *view)
{
    int32_t count = view->element->attribute_count;
    for (const AbutMjcfClass *class = view->class; class; class = class->parent)
        for (int32_t i = 0; i < class->setting_count; ++i)
            if (strcmp(class->settings[i]->tag, view->element->tag) == 0)
                count += class->settings[i]->attribute_count;
    return count;
}

static void add_missing(AbutElement *out, AbutAttribute *attributes, const AbutXmlElement *from)
{
    for (int32_t i = 0; i < from->attribute_count; ++i)
        if (!holds(out, from->attributes[i].name))
            attributes[out->attribute_count++] = from->attributes[i];
}

/* Own attributes, then those of the classes that are not there yet, the nearest class first. */
static AbutStatus gather(const AbutMjcfView *view, AbutElement *out)
{
    int32_t most = settings_size(view);
    view->reader->attributes_left -= most;
    if (view->reader->attributes_left < 0)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_LIMIT,
            "at most 1000000 attributes of actuators, sensors, tendons and equalities expected, found more");
    AbutAttribute *attributes = abut_pool_take(&view->reader->xml.pool, (size_t)most * sizeof *attributes);
    if (!attributes)
        return abut_mjcf_no_memory(view->reader, view->element);
    out->attributes = attributes;
    add_missing(out, attributes, view->element);
    for (const AbutMjcfClass *class = view->class; class; class = class->parent)
        for (int32_t i = 0; i < class->setting_count; ++i)
            if (strcmp(class->settings[i]->tag, view->element->tag) == 0)
                add_missing(out, attributes, class->settings[i]);
    return ABUT_OK;
}

AbutStatus abut_mjcf_keep_element(AbutMjcfReader *reader, const AbutXmlElement *element, const char *section)
{
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    const char *name = abut_xml_attribute(element, "name");
    AbutElement kept = {
        section, element->tag, name ? abut_mjcf_full_name(reader, name) : "", NULL, 0, {element->file, element->line}};
    AbutStatus status = abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view);
    if (!status)
        status = gather(&view, &kept);
    if (!status)
        status = abut_mjcf_room(reader, element, &draft->elements, &reader->element_capacity, draft->element_count,
            sizeof *draft->elements);
    if (!status)
        draft->elements[draft->element_count++] = kept;
    return status;
}

/* Sensors change nothing: they are kept as they are. */
AbutStatus abut_mjcf_sensors(AbutMjcfReader *reader, const AbutXmlElement *element)
{
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next)
        if (abut_mjcf_names_are_here(reader, e))
            status = abut_mjcf_keep_element(reader, e, element->tag);
    return status;
}
