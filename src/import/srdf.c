/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SRDF: what MoveIt knows about a robot beside its URDF. In: a file and the model of the URDF. Out: texts that
 * postures, pairs and lists of joints are read from: states as joint=value,..., groups as joint,joint, disabled pairs
 * as A:B,C:D.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/mjcf_read.h"

enum { GROUPS_DEEP = 16 };

typedef struct Text {
    void *bytes;
    size_t size, capacity;
} Text;

typedef struct Srdf {
    AbutXml xml;
    const AbutModel *model;
    AbutError *error;
    AbutSrdf *out;
} Srdf;

static AbutStatus add(Srdf *s, Text *text, const char *separator, const char *format, const char *a, const char *b) {
    char part[500];
    int n = snprintf(part, sizeof part, format, a, b);
    const char *between = text->size ? separator : "";
    size_t gap = strlen(between);
    if (n < 0 || (size_t)n >= sizeof part)
        return abut_fail(s->error, ABUT_ERROR_LIMIT, "expected shorter names, got '%.100s'", a);
    if (!abut_grow(&text->bytes, &text->capacity, text->size + gap + (size_t)n + 1, 1))
        return abut_fail_memory(s->error);
    memcpy((char *)text->bytes + text->size, between, gap);
    memcpy((char *)text->bytes + text->size + gap, part, (size_t)n + 1);
    text->size += gap + (size_t)n;
    return ABUT_OK;
}

static AbutStatus need(Srdf *s, const AbutXmlElement *e, const char *name, const char **out) {
    *out = abut_xml_attribute(e, name);
    return *out && **out ? ABUT_OK : abut_xml_fail(s->error, e, ABUT_ERROR_FORMAT, "expected attribute %s", name);
}

static AbutStatus body(Srdf *s, const AbutXmlElement *e, const char *attribute, const char **name, int32_t *out) {
    ABUT_TRY(need(s, e, attribute, name));
    *out = abut_model_find(s->model, ABUT_MODEL_BODY, *name);
    return *out >= 0 ? ABUT_OK
                     : abut_xml_fail(s->error, e, ABUT_ERROR_FORMAT,
                           "attribute %s: expected a link of the robot, got '%.100s'", attribute, *name);
}

/* Names a joint that moves; those that are fixed have no place in a model. */
static AbutStatus add_joint(Srdf *s, Text *text, int32_t joint) {
    const char *name = s->model->joints[joint].name;
    size_t n = strlen(name);
    for (const char *p = text->bytes; p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || !p[n])) return ABUT_OK;
    return add(s, text, ",", "%s%s", name, "");
}

static AbutStatus add_chain(Srdf *s, const AbutXmlElement *e, Text *text) {
    const char *base_name, *tip_name;
    int32_t base, tip;
    ABUT_TRY(body(s, e, "base_link", &base_name, &base));
    ABUT_TRY(body(s, e, "tip_link", &tip_name, &tip));
    for (; tip >= 0 && tip != base; tip = s->model->bodies[tip].parent)
        for (int32_t j = abut_model_next_joint(s->model, tip, -1); j >= 0; j = abut_model_next_joint(s->model, tip, j))
            ABUT_TRY(add_joint(s, text, j));
    return tip == base
               ? ABUT_OK
               : abut_xml_fail(s->error, e, ABUT_ERROR_FORMAT,
                     "expected a chain from '%.80s', got '%.80s', which does not hang on it", base_name, tip_name);
}

static AbutStatus add_group(Srdf *s, const AbutXmlElement *group, int deep, Text *text);

static AbutStatus add_named_group(Srdf *s, const AbutXmlElement *e, int deep, Text *text) {
    const char *name, *other;
    ABUT_TRY(need(s, e, "name", &name));
    for (const AbutXmlElement *g = s->xml.root->child; g; g = g->next)
        if (strcmp(g->tag, "group") == 0 && (other = abut_xml_attribute(g, "name")) && strcmp(other, name) == 0)
            return deep < GROUPS_DEEP
                       ? add_group(s, g, deep + 1, text)
                       : abut_xml_fail(s->error, e, ABUT_ERROR_LIMIT, "expected groups that do not hold themselves");
    return abut_xml_fail(s->error, e, ABUT_ERROR_FORMAT, "expected a group of the file, got '%.100s'", name);
}

static AbutStatus add_group(Srdf *s, const AbutXmlElement *group, int deep, Text *text) {
    AbutStatus status = ABUT_OK;
    if (text->size > ABUT_XML_BYTES) return abut_xml_fail(s->error, group, ABUT_ERROR_LIMIT, "expected smaller groups");
    for (const AbutXmlElement *e = group->child; e && !status; e = e->next) {
        const char *name;
        int32_t i = -1;
        if (strcmp(e->tag, "chain") == 0)
            status = add_chain(s, e, text);
        else if (strcmp(e->tag, "group") == 0)
            status = add_named_group(s, e, deep, text);
        else if (strcmp(e->tag, "joint") == 0 && !(status = need(s, e, "name", &name)))
            i = abut_model_find(s->model, ABUT_MODEL_JOINT, name);
        else if (strcmp(e->tag, "link") == 0 && !(status = body(s, e, "name", &name, &i)))
            i = abut_model_next_joint(s->model, i, -1);
        if (!status && i >= 0) status = add_joint(s, text, i);
    }
    return status;
}

/* joint=value,... of a state */
static AbutStatus add_state(Srdf *s, const AbutXmlElement *state, Text *text) {
    for (const AbutXmlElement *e = state->child; e; e = e->next) {
        const char *name, *value;
        if (strcmp(e->tag, "joint") != 0) continue;
        ABUT_TRY(need(s, e, "name", &name));
        ABUT_TRY(need(s, e, "value", &value));
        if (abut_model_find(s->model, ABUT_MODEL_JOINT, name) < 0)
            return abut_xml_fail(
                s->error, e, ABUT_ERROR_FORMAT, "attribute name: expected a joint that moves, got '%.100s'", name);
        while (abut_is_space(*value)) ++value;
        size_t n = strcspn(value, " \t\r\n");
        if (strspn(value + n, " \t\r\n") != strlen(value + n) || n >= 60)
            return abut_xml_fail(
                s->error, e, ABUT_ERROR_FORMAT, "attribute value: expected one number, got '%.60s'", value);
        char number[60];
        snprintf(number, sizeof number, "%.*s", (int)n, value);
        ABUT_TRY(add(s, text, ",", "%s=%s", name, number));
    }
    return ABUT_OK;
}

/* The next entry of a list of names with texts, which it takes over. */
static AbutStatus put(Srdf *s, AbutAttribute **list, int32_t *count, const char *group, const char *name, Text *text) {
    size_t capacity = (size_t)*count;
    char label[300];
    if (!text->bytes) ABUT_TRY(add(s, text, "", "%s%s", "", ""));
    if ((size_t)snprintf(label, sizeof label, "%s%s%s", group, *group ? "/" : "", name) >= sizeof label)
        return abut_fail(s->error, ABUT_ERROR_LIMIT, "expected shorter names, got '%.100s'", name);
    char *copy = abut_alloc(strlen(label) + 1);
    if (!copy || !abut_grow((void **)list, &capacity, capacity + 1, sizeof **list))
        return abut_free(copy), abut_fail_memory(s->error);
    (*list)[(*count)++] = (AbutAttribute){strcpy(copy, label), text->bytes};
    text->bytes = NULL;
    return ABUT_OK;
}

static AbutStatus read_element(Srdf *s, const AbutXmlElement *e, Text *pairs) {
    const char *name, *other;
    int32_t a, b;
    Text text = {0};
    AbutStatus status = ABUT_OK;
    if (strcmp(e->tag, "disable_collisions") == 0) {
        ABUT_TRY(body(s, e, "link1", &name, &a));
        ABUT_TRY(body(s, e, "link2", &other, &b));
        if (a == b)
            return abut_xml_fail(
                s->error, e, ABUT_ERROR_FORMAT, "expected two different links, got '%.100s' twice", name);
        return add(s, pairs, ",", "%s:%s", name, other);
    }
    if (strcmp(e->tag, "group") == 0) {
        ABUT_TRY(need(s, e, "name", &name));
        status = add_group(s, e, 0, &text);
        if (!status) status = put(s, &s->out->groups, &s->out->group_count, "", name, &text);
    } else if (strcmp(e->tag, "group_state") == 0) {
        ABUT_TRY(need(s, e, "name", &name));
        ABUT_TRY(need(s, e, "group", &other));
        status = add_state(s, e, &text);
        if (!status) status = put(s, &s->out->states, &s->out->state_count, other, name, &text);
    }
    abut_free(text.bytes);
    return status;
}

AbutStatus abut_srdf_read(const char *path, const AbutModel *model, AbutSrdf *out, AbutError *error) {
    ABUT_ASSERT(model && out);
    Srdf s = {.xml = {.error = error}, .model = model, .error = error, .out = out};
    Text pairs = {0};
    char *bytes;
    size_t count;
    *out = (AbutSrdf){0};
    if (!path || !*path) return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected path of a file of SRDF, got none");
    ABUT_TRY(abut_file_load(path, "SRDF", ABUT_XML_BYTES, &bytes, &count, error));
    AbutStatus status = abut_xml_parse_one(&s.xml, bytes, count, path, &s.xml.root);
    if (!status && strcmp(s.xml.root->tag, "robot") != 0)
        status = abut_xml_fail(error, s.xml.root, ABUT_ERROR_FORMAT, "expected root element <robot>");
    if (!status) status = add(&s, &pairs, "", "%s%s", "", "");
    for (const AbutXmlElement *e = s.xml.root ? s.xml.root->child : NULL; e && !status; e = e->next)
        status = read_element(&s, e, &pairs);
    abut_pool_free(&s.xml.pool);
    abut_free(bytes);
    out->pairs = pairs.bytes;
    if (status) abut_srdf_free(out);
    return status;
}

void abut_srdf_free(AbutSrdf *srdf) {
    AbutAttribute *lists[2] = {srdf->states, srdf->groups};
    const int32_t counts[2] = {srdf->state_count, srdf->group_count};
    for (int k = 0; k < 2; ++k) {
        for (int32_t i = 0; i < counts[k]; ++i) {
            abut_free((void *)(uintptr_t)lists[k][i].name);
            abut_free((void *)(uintptr_t)lists[k][i].value);
        }
        abut_free(lists[k]);
    }
    abut_free(srdf->pairs);
    *srdf = (AbutSrdf){0};
}
