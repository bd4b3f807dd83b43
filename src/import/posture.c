/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Postures as text. In: the name of a keyframe, a file of a state, joint=value,..., or all positions as numbers with
 * commas between. Out: a configuration; joints that follow a named one follow it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/import.h"

enum { WORD = 200 };

/* Number of a hinge or slide. */
static AbutStatus find_joint(const char *name, const AbutModel *model, int32_t *out, AbutError *error) {
    *out = abut_model_find(model, ABUT_MODEL_JOINT, name);
    if (*out >= 0 && model->joints[*out].kind != ABUT_JOINT_BALL) return ABUT_OK;
    const char *near = model->joint_count && *out < 0
                           ? abut_suggest(name, model->joint_count, &model->joints[0].name, sizeof model->joints[0])
                           : NULL;
    return near ? abut_fail(error, ABUT_ERROR_ARGUMENT, "no joint '%s'; did you mean '%s'?", name, near)
                : abut_fail(error, ABUT_ERROR_ARGUMENT, "no hinge or slide '%s' in the model", name);
}

/* The next part of a list with commas between, copied to `word`; NULL at the end. */
static const char *next_word(const char *text, char word[WORD]) {
    size_t length = strcspn(text, ",");
    snprintf(word, WORD, "%.*s", (int)length, text);
    return text[length] ? text + length + 1 : NULL;
}

/* Does name=... stand within the first `length` characters of a list? */
static int is_named(const char *text, const char *name, size_t length) {
    size_t size = strlen(name);
    for (const char *p = text; (size_t)(p - text) < length; p += strcspn(p, ",") + 1)
        if (strncmp(p, name, size) == 0 && p[size] == '=') return 1;
    return 0;
}

/* One finite number up to a comma or the end. */
static int read_number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end > text && *text != ' ' && isfinite(*out) && (*end == 0 || *end == ',');
}

static AbutStatus set_numbers(const char *text, int32_t n, double *q, AbutError *error) {
    int32_t count = 0;
    for (const char *p = text; p; ++count) {
        double value;
        if (!read_number(p, &value))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "expected a finite number, got '%.*s'", (int)strcspn(p, ","), p);
        if (count < n) q[count] = value;
        p = strchr(p, ',');
        p = p ? p + 1 : NULL;
    }
    return count == n ? ABUT_OK
                      : abut_fail(error, ABUT_ERROR_ARGUMENT, "expected %d numbers, all positions of the model, got %d",
                            (int)n, (int)count);
}

/* Joints that follow one of a list, and are not in it themselves. */
static void follow(const AbutConfiguration *c, const char *text, double *q) {
    const AbutModel *model = abut_configuration_model(c);
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 &&
            is_named(text, model->joints[coupling.leader].name, strlen(text)) &&
            !is_named(text, model->joints[j].name, strlen(text)))
            q[abut_configuration_joint_place(c, j, ABUT_NUMBERS_POSITIONS)] =
                coupling.factor * q[abut_configuration_joint_place(c, coupling.leader, ABUT_NUMBERS_POSITIONS)] +
                coupling.offset;
    }
}

static AbutStatus set_values(const char *text, const AbutConfiguration *c, double *q, AbutError *error) {
    for (const char *p = text; p;) {
        char word[WORD];
        const char *start = p;
        int32_t joint;
        double number;
        p = next_word(p, word);
        char *value = strchr(word, '=');
        if (!value || !read_number(value + 1, &number))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected joint=value, got '%s'", word);
        *value = 0;
        AbutStatus status = find_joint(word, abut_configuration_model(c), &joint, error);
        if (status != ABUT_OK) return status;
        if (is_named(text, word, (size_t)(start - text)))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%s' stands there twice", word);
        q[abut_configuration_joint_place(c, joint, ABUT_NUMBERS_POSITIONS)] = number;
    }
    follow(c, text, q);
    return ABUT_OK;
}

AbutStatus abut_posture_set(AbutConfiguration *c, const char *text, AbutError *error) {
    ABUT_ASSERT(c && text);
    int32_t key = abut_model_find(abut_configuration_model(c), ABUT_MODEL_KEYFRAME, text);
    int32_t n = abut_configuration_position_count(c);
    int list = strchr(text, '=') != NULL;
    if (key >= 0) return abut_configuration_set_keyframe(c, key, error);
    if (!list && !(*text && strchr("+-.0123456789", *text)))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "expected a keyframe of the model, a file .json, joint=value,..., or numbers, got '%s'", text);
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    if (!q) return abut_fail_memory(error);
    memcpy(q, abut_configuration_positions(c), (size_t)n * sizeof *q);
    AbutStatus status = list ? set_values(text, c, q, error) : set_numbers(text, n, q, error);
    if (status == ABUT_OK) status = abut_configuration_set(c, n, q, 0, NULL, error);
    abut_free(q);
    return status;
}

AbutStatus abut_posture_held(const AbutConfiguration *c, const char *text, uint8_t *held, AbutError *error) {
    ABUT_ASSERT(c && text && held);
    const AbutModel *model = abut_configuration_model(c);
    memset(held, 1, (size_t)model->joint_count);
    for (const char *p = text; p;) {
        char word[WORD];
        int32_t joint;
        p = next_word(p, word);
        AbutStatus status = find_joint(word, model, &joint, error);
        if (status != ABUT_OK) return status;
        held[joint] = 0;
    }
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 && coupling.factor != 0.0 && !held[coupling.leader])
            held[j] = 0; /* it moves along */
    }
    return ABUT_OK;
}
