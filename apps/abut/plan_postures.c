/* SPDX-License-Identifier: Apache-2.0 */
/* Postures of `abut plan` from words, keyframes and files. */
#include "plan_postures.h"

#include <stdlib.h>
#include <string.h>

/* Number of a hinge or slide; -1 after one line. */
static int32_t find_joint(const CliCommand *command, const char *option, const char *name, const Robot *robot)
{
    const AbutModel *model = robot->model;
    int32_t i = abut_model_find_joint(model, name);
    if (i >= 0 && model->joints[i].kind != ABUT_JOINT_BALL)
        return i;
    const char *near = model->joint_count && i < 0
                           ? abut_suggest(name, model->joint_count, &model->joints[0].name, sizeof model->joints[0])
                           : NULL;
    if (near)
        cli_error(command, "%s: no joint '%s'; did you mean '%s'?", option, name, near);
    else
        cli_error(command, "%s: no hinge or slide '%s' in %s", option, name, robot->source);
    return -1;
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
static int set_numbers(const CliCommand *command, const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c), count = 1;
    const char *bad = cli_bad_real(text);
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    AbutError error;
    for (const char *p = text; *p; ++p)
        count += *p == ',';
    int status = q ? CLI_GO : cli_error(command, "no memory for %d positions", (int)n);
    if (q && bad)
        status = cli_error(command, "%s: a finite number expected, got '%.*s'", option, (int)strcspn(bad, ","), bad);
    else if (q && count != n)
        status = cli_error(
            command, "%s: %d numbers, all positions of the model, expected, got %d", option, (int)n, (int)count);
    for (int32_t i = 0; status == CLI_GO && i < n; ++i, text += *text == ',') {
        char *end;
        q[i] = strtod(text, &end);
        text = end;
    }
    if (status == CLI_GO && abut_configuration_set(robot->c, n, q, 0, NULL, &error) != ABUT_OK)
        status = cli_error(command, "%s: %s", option, error.text);
    abut_free(q);
    return status;
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

static int set_values(const CliCommand *command, const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c);
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    AbutError error;
    int status = q ? CLI_GO : cli_error(command, "no memory for %d positions", (int)n);
    if (q)
        memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    for (const char *p = text; p && status == CLI_GO;) {
        char word[200];
        const char *start = p;
        p = next_word(p, word, sizeof word);
        char *value = strchr(word, '=');
        CliReals number;
        if (!value || !cli_read_reals(value + 1, &number) || number.count != 1) {
            status = cli_error(command, "%s: joint=value expected, got '%s'", option, word);
            break;
        }
        *value = 0;
        int32_t joint = find_joint(command, option, word, robot);
        if (joint < 0)
            status = CLI_BAD;
        else if (is_named(text, word, (size_t)(start - text)))
            status = cli_error(command, "%s: joint '%s' stands there twice", option, word);
        else
            q[abut_configuration_joint_position(robot->c, joint)] = number.value[0];
    }
    if (status == CLI_GO)
        follow(robot, text, q);
    if (status == CLI_GO && abut_configuration_set(robot->c, n, q, 0, NULL, &error) != ABUT_OK)
        status = cli_error(command, "%s: %s", option, error.text);
    abut_free(q);
    return status;
}

int posture_set(const CliCommand *command, const char *option, const char *text, Robot *robot)
{
    AbutError error;
    int32_t key = abut_model_find_keyframe(robot->model, text);
    if (key >= 0)
        return abut_configuration_set_keyframe(robot->c, key, &error) == ABUT_OK
                   ? CLI_GO
                   : cli_error(command, "%s: %s", option, error.text);
    if (cli_has_ending(text, ".json") || cli_is_file(text))
        return abut_state_read(text, robot->c, &error) == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
    if (!strchr(text, '=') && *text && strchr("+-.0123456789", *text))
        return set_numbers(command, option, text, robot);
    if (!strchr(text, '='))
        return cli_error(command,
            "%s: a keyframe of the model, a file .json, joint=value,..., or numbers expected, got '%s'", option, text);
    return set_values(command, option, text, robot);
}

int posture_held(const CliCommand *command, const char *text, const Robot *robot, uint8_t **held)
{
    size_t n = (size_t)robot->model->joint_count;
    if (!text)
        return CLI_GO;
    *held = abut_alloc(n + 1);
    if (!*held)
        return cli_error(command, "no memory for %zu joints", n);
    memset(*held, 1, n);
    for (const char *p = text; p;) {
        char word[200];
        p = next_word(p, word, sizeof word);
        int32_t joint = find_joint(command, "--joints", word, robot);
        if (joint < 0)
            return CLI_BAD;
        (*held)[joint] = 0;
    }
    for (int32_t j = 0; j < robot->model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 && coupling.factor != 0.0 && !(*held)[coupling.leader])
            (*held)[j] = 0; /* it moves along */
    }
    return CLI_GO;
}
