/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <sensor> of an MJCF file. A sensor of a kind that the model knows is read; bodies, geoms and sites become
 * frames of bodies. Others are kept as elements and reported.
 */
#include <string.h>

#include "import/mjcf_making.h"
#include "model/sensor_kind.h"

/* Words of objtype and reftype, in the order of AbutMjcfObject from 1 on. */
static const char *const objects[] = {"body", "xbody", "geom", "site", NULL};
static const AbutMjcfKind kinds[] = {
    ABUT_MJCF_KIND_BODY, ABUT_MJCF_KIND_BODY, ABUT_MJCF_KIND_BODY, ABUT_MJCF_KIND_GEOM, ABUT_MJCF_KIND_SITE};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The thing that two attributes name, one its type and one its name; `camera` is no such type here: *known is 0. */
static AbutStatus read_object(
    const AbutMjcfView *view, const char *type, const char *name, AbutMjcfObject *object, int32_t *number, int *known) {
    const char *word = abut_mjcf_value(view, type, NULL);
    int found = -1;
    *known = !word || strcmp(word, "camera") != 0;
    if (!*known) return ABUT_OK;
    ABUT_TRY(abut_mjcf_word(view, type, objects, &found));
    if (found < 0)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute %s: expected one of body, xbody, geom, site, got nothing", type);
    *object = (AbutMjcfObject)(found + 1);
    return abut_mjcf_reference(view, name, kinds[*object], number);
}

static AbutStatus read_frame(const AbutMjcfView *view, AbutDraftSensor *sensor, int *known) {
    AbutSensorDef *def = &sensor->def;
    ABUT_TRY(read_object(view, "objtype", "objname", &sensor->object, &def->body, known));
    if (!*known || !abut_mjcf_value(view, "refname", NULL)) return ABUT_OK;
    def->has_reference = 1;
    return read_object(view, "reftype", "refname", &sensor->reference, &def->reference_body, known);
}

static AbutStatus read_site(const AbutMjcfView *view, AbutDraftSensor *sensor, int *known) {
    *known = abut_mjcf_value(view, "site", NULL) || !abut_mjcf_value(view, "camera", NULL);
    if (!*known) return ABUT_OK;
    sensor->object = ABUT_MJCF_OBJECT_SITE;
    ABUT_TRY(abut_mjcf_reference(view, "site", ABUT_MJCF_KIND_SITE, &sensor->def.body));
    sensor->def.zone = view->reader->draft.sites[sensor->def.body].zone;
    sensor->def.zone_size = view->reader->draft.sites[sensor->def.body].size;
    return ABUT_OK;
}

/* One side of a contact: the number of a geom or body of the draft. */
static AbutStatus read_side(const AbutMjcfView *view, int which, int32_t *kind, int32_t *number) {
    static const char *const names[2][3] = {{"geom1", "body1", "subtree1"}, {"geom2", "body2", "subtree2"}};
    for (int i = 0; i < 3; ++i) {
        if (!abut_mjcf_value(view, names[which][i], NULL)) continue;
        if (*kind != ABUT_SENSED_ANY)
            return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "expected one geom, body or subtree on a side, got two");
        *kind = ABUT_SENSED_SHAPE + i;
        ABUT_TRY(abut_mjcf_reference(view, names[which][i], i ? ABUT_MJCF_KIND_BODY : ABUT_MJCF_KIND_GEOM, number));
    }
    return ABUT_OK;
}

/* The words of data become bits, in their order; *known is 0 for velocities, which are not there. */
static AbutStatus read_data(const AbutMjcfView *view, AbutSensorDef *def, int *known) {
    static const char *const words[] = {
        "found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel"};
    const char *text = abut_mjcf_value(view, "data", NULL);
    int last = -1;
    for (const char *at = text ? text : "found"; *at;) {
        size_t length = strcspn(at, " \t\r\n");
        int word = last + 1;
        while (word < 9 && (strlen(words[word]) != length || strncmp(words[word], at, length) != 0)) ++word;
        if (length > 0 && word == 9)
            return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute data: expected words in the order found, force, torque, dist, pos, normal, tangent, got "
                "'%.60s'",
                text);
        if (length > 0) def->data |= 1 << word, last = word;
        at += length + (at[length] != 0);
    }
    *known = def->data <= ABUT_SENSED_ALL;
    return ABUT_OK;
}

static AbutStatus read_contact(const AbutMjcfView *view, AbutDraftSensor *sensor, int *known) {
    AbutSensorDef *def = &sensor->def;
    int64_t rows = 1;
    def->body = -1;
    ABUT_TRY(read_side(view, 0, &def->first_kind, &def->first));
    ABUT_TRY(read_side(view, 1, &def->second_kind, &def->second));
    ABUT_TRY(read_data(view, def, known));
    ABUT_TRY(abut_mjcf_word(view, "reduce", abut_sensed_reduce_names, &def->reduce));
    ABUT_TRY(abut_mjcf_integer(view, "num", 1, 10000, &rows));
    def->rows = (int32_t)rows;
    if (!abut_mjcf_value(view, "site", NULL)) return ABUT_OK;
    if (def->first_kind != ABUT_SENSED_ANY)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "expected one of site, geom1, body1 and subtree1, got two");
    int here;
    return read_site(view, sensor, &here);
}

/* Mount of the sensor; *known is 0 where the model has no such thing. */
static AbutStatus read_mount(const AbutMjcfView *view, AbutSensorObject object, AbutDraftSensor *sensor, int *known) {
    AbutMjcfReader *reader = view->reader;
    int32_t *number = &sensor->def.number;
    *known = 1;
    if (object == ABUT_SENSOR_NONE) return ABUT_OK;
    if (object == ABUT_SENSOR_CONTACTS) return read_contact(view, sensor, known);
    if (object == ABUT_SENSOR_FRAME) return read_frame(view, sensor, known);
    if (object == ABUT_SENSOR_SITE) return read_site(view, sensor, known);
    if (object == ABUT_SENSOR_SUBTREE) return abut_mjcf_reference(view, "body", ABUT_MJCF_KIND_BODY, number);
    if (object == ABUT_SENSOR_TENDON) return abut_mjcf_reference(view, "tendon", ABUT_MJCF_KIND_TENDON, number);
    if (object != ABUT_SENSOR_ACTUATOR) return abut_mjcf_reference(view, "joint", ABUT_MJCF_KIND_JOINT, number);
    ABUT_TRY(abut_mjcf_reference(view, "actuator", ABUT_MJCF_KIND_ACTUATOR, number));
    *known = reader->draft.actuators[*number].kept;
    return ABUT_OK;
}

/* Reports attributes that are read and not simulated. */
static AbutStatus warn_of_rest(const AbutMjcfView *view) {
    static const char *const delays[] = {"delay", "interval", "nsample", "interp"};
    double noise = 0.0;
    ABUT_TRY(abut_mjcf_numbers(view, "noise", 1, 1, &noise, NULL));
    if (noise != 0.0) abut_mjcf_warn(view->reader, view->element, "attribute noise is not simulated: values are exact");
    for (size_t i = 0; i < sizeof delays / sizeof delays[0]; ++i)
        if (abut_mjcf_value(view, delays[i], NULL))
            abut_mjcf_warn(
                view->reader, view->element, "attribute %s is not simulated: values are those of now", delays[i]);
    return ABUT_OK;
}

static AbutStatus read_sensor(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutDraftSensor sensor = {.def = {.kind = element->tag}};
    int32_t row = abut_sensor_row(element->tag);
    int known = 0;
    if (row >= 0) ABUT_TRY(read_mount(&view, abut_sensor_rows[row].object, &sensor, &known));
    if (!known) return abut_mjcf_keep_element(reader, element, "sensor");
    ABUT_TRY(abut_mjcf_place(
        reader, element, ABUT_MJCF_KIND_SENSOR, draft->sensor_count, &sensor.def.name, &sensor.def.source));
    ABUT_TRY(abut_mjcf_number(&view, "cutoff", 0.0, &sensor.def.cutoff));
    ABUT_TRY(warn_of_rest(&view));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, sensors, sensor, sensor));
    abut_mjcf_ignore_others(reader, element, "sensor");
    return ABUT_OK;
}

/* Is what objname and refname say in an attached file in this model? */
static int objects_are_here(AbutMjcfReader *reader, const AbutXmlElement *element) {
    static const char *const pairs[][2] = {{"objtype", "objname"}, {"reftype", "refname"}};
    for (int i = 0; i < 2 && reader->now.depth > 0; ++i) {
        const char *type = abut_xml_attribute(element, pairs[i][0]), *name = abut_xml_attribute(element, pairs[i][1]);
        int found = type ? abut_word_find(objects, type) : -1;
        if (name && found >= 0 && abut_mjcf_find(reader, kinds[found + 1], name) < 0) return 0;
    }
    return 1;
}

AbutStatus abut_mjcf_sensors(AbutMjcfReader *reader, const AbutXmlElement *element) {
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (abut_mjcf_names_are_here(reader, e) && objects_are_here(reader, e)) ABUT_TRY(read_sensor(reader, e));
    return ABUT_OK;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* The frame of an object of the draft, on a body of the model. */
static void place_object(const AbutMjcfMaking *m, AbutMjcfObject object, int32_t *body, AbutPose *pose) {
    const AbutMjcfDraft *draft = m->draft;
    int32_t number = *body;
    *pose = abut_pose_identity();
    if (object == ABUT_MJCF_OBJECT_BODY) *pose = m->inertial[number];
    if (object == ABUT_MJCF_OBJECT_SITE) {
        *body = draft->sites[number].def.body;
        *pose = draft->sites[number].def.pose;
    } else if (object == ABUT_MJCF_OBJECT_GEOM) {
        const AbutDraftGeom *geom = &draft->geoms[number];
        *body = geom->def.body;
        *pose = geom->def.pose;
        if (geom->mesh >= 0 && m->mesh[geom->mesh].loaded)
            *pose = abut_pose_mul(*pose, m->mesh[geom->mesh].inertial.place);
    }
    *body = *body > 0 ? m->body_of[*body] : -1;
}

static void settle_side(const AbutMjcfMaking *m, int32_t kind, int32_t *number) {
    if (kind == ABUT_SENSED_SHAPE) *number = m->shape_of[*number];
    if (kind > ABUT_SENSED_SHAPE) *number = *number > 0 ? m->body_of[*number] : -1;
}

static AbutStatus make_sensor(const AbutMjcfMaking *m, const AbutDraftSensor *from) {
    AbutSensorDef def = from->def;
    AbutSensorObject object = abut_sensor_rows[abut_sensor_row(def.kind)].object;
    AbutXmlElement at = abut_mjcf_at(def.source, def.kind);
    AbutError inner;
    if (object == ABUT_SENSOR_JOINT || object == ABUT_SENSOR_BALL || object == ABUT_SENSOR_LIMIT)
        def.number = m->joint_of[def.number];
    if (object == ABUT_SENSOR_SUBTREE) def.number = def.number > 0 ? m->body_of[def.number] : -1;
    if (object == ABUT_SENSOR_ACTUATOR) {
        int32_t number = 0;
        for (int32_t i = 0; i < def.number; ++i) number += m->draft->actuators[i].kept;
        def.number = number;
    }
    settle_side(m, def.first_kind, &def.first);
    settle_side(m, def.second_kind, &def.second);
    if (from->object) place_object(m, from->object, &def.body, &def.pose);
    if (from->reference) place_object(m, from->reference, &def.reference_body, &def.reference_pose);
    AbutStatus status = abut_model_add_sensor(m->model, &def, NULL, &inner);
    return status ? abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

AbutStatus abut_mjcf_make_sensors(AbutMjcfMaking *m) {
    for (int32_t i = 0; i < m->draft->sensor_count; ++i) ABUT_TRY(make_sensor(m, &m->draft->sensors[i]));
    return ABUT_OK;
}
