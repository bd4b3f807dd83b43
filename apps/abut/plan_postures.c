/* SPDX-License-Identifier: Apache-2.0 */
/* Postures of `abut plan` from words, keyframes and files. */
#include "plan_postures.h"

#include <stdlib.h>
#include <string.h>

/* Number of a hinge or slide; -1 after one line. */
static int32_t find_joint(const char *option, const char *name, const Robot *robot)
{
    const AbutModel *model = robot->model;
    int32_t i = abut_model_find_joint(model, name);
    if (i >= 0 && model->joints[i].kind != ABUT_JOINT_BALL)
        return i;
    const char *near = model->joint_count && i < 0
                           ? abut_suggest(name, model->joint_count, &model->joints[0].name, sizeof model->joints[0])
                           : NULL;
    if (near)
        cli_error("%s: no joint '%s'; did you mean '%s'?", option, name, near);
    cli_error("%s: no hinge or slide '%s' in %s", option, name, robot->source);
}

/* The next part of a list with commas between, copied to `word`; NULL at the end. */
static const char *next_word(const char *text, char *word, size_t size)
{
    size_t length = strcspn(text, ",");
    snprintf(word, size, "%.*s", (int)length, text);
    return text[length] ? text + length + 1 : NULL;
}

/* Does name=... stand within the first `length` characters of a list? */
static int is_named(const char *text, const char *name, size_t length)
{
    size_t size = strlen(name);
    for (const char *p = text; (size_t)(p - text) < length; p += strcspn(p, ",") + 1)
        if (strncmp(p, name, size) == 0 && p[size] == '=')
            return 1;
    return 0;
}

/* All positions of the model, as numbers with commas between. */
static void set_numbers(const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c), count = 1;
    const char *bad = cli_bad_real(text);
    double *q = cli_room((size_t)n, sizeof *q);
    for (const char *p = text; *p; ++p)
        count += *p == ',';
    if (bad)
        cli_error("%s: a finite number expected, got '%.*s'", option, (int)strcspn(bad, ","), bad);
    if (count != n)
        cli_error("%s: %d numbers, all positions of the model, expected, got %d", option, (int)n, (int)count);
    for (int32_t i = 0; i < n; ++i, text += *text == ',') {
        char *end;
        q[i] = strtod(text, &end);
        text = end;
    }
    cli_need_of(option, abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
    abut_free(q);
}

/* Joints that follow one of a list, and are not in it themselves. */
static void follow(const Robot *robot, const char *text, double *q)
{
    const AbutModel *model = robot->model;
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 &&
            is_named(text, model->joints[coupling.leader].name, strlen(text)) &&
            !is_named(text, model->joints[j].name, strlen(text)))
            q[abut_configuration_joint_position(robot->c, j)] =
                coupling.factor * q[abut_configuration_joint_position(robot->c, coupling.leader)] + coupling.offset;
    }
}

static void set_values(const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c);
    double *q = cli_room((size_t)n, sizeof *q);
    memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    for (const char *p = text; p;) {
        char word[200];
        const char *start = p;
        p = next_word(p, word, sizeof word);
        char *value = strchr(word, '=');
        CliReals number;
        if (!value || !cli_read_reals(value + 1, &number) || number.count != 1)
            cli_error("%s: joint=value expected, got '%s'", option, word);
        *value = 0;
        int32_t joint = find_joint(option, word, robot);
        if (is_named(text, word, (size_t)(start - text)))
            cli_error("%s: joint '%s' stands there twice", option, word);
        q[abut_configuration_joint_position(robot->c, joint)] = number.value[0];
    }
    follow(robot, text, q);
    cli_need_of(option, abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
    abut_free(q);
}

void posture_set(const char *option, const char *text, Robot *robot)
{
    int32_t key = abut_model_find_keyframe(robot->model, text);
    if (key >= 0)
        cli_need_of(option, abut_configuration_set_keyframe(robot->c, key, &cli_why));
    else if (cli_has_ending(text, ".json") || cli_is_file(text))
        cli_need(abut_state_read(text, robot->c, &cli_why));
    else if (strchr(text, '='))
        set_values(option, text, robot);
    else if (*text && strchr("+-.0123456789", *text))
        set_numbers(option, text, robot);
    else
        cli_error(
            "%s: a keyframe of the model, a file .json, joint=value,..., or numbers expected, got '%s'", option, text);
}

void posture_held(const char *text, const Robot *robot, uint8_t **held)
{
    size_t n = (size_t)robot->model->joint_count;
    if (!text)
        return;
    *held = cli_room(n, 1);
    memset(*held, 1, n);
    for (const char *p = text; p;) {
        char word[200];
        p = next_word(p, word, sizeof word);
        (*held)[find_joint("--joints", word, robot)] = 0;
    }
    for (int32_t j = 0; j < robot->model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 && coupling.factor != 0.0 && !(*held)[coupling.leader])
            (*held)[j] = 0; /* it moves along */
    }
}
