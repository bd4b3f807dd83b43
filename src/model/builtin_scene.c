/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in scenes by name: the table, the reading of "name:argument", and the pieces that the scenes share. Text is
 * read without regard to the locale.
 */
#include "model/builtin_scene.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

#define ROW(build, name, argument, number, low, high, whole, summary) {name, argument, summary},
static const AbutBuiltinScene scenes[] = {ABUT_BUILTIN_SCENES(ROW) ABUT_BUILTIN_ROBOTS(ROW)};

#define BUILDER(build, name, argument, number, low, high, whole, summary)                                              \
    {abut_build_##build, number, low, high, whole},
static const struct Builder {
    AbutStatus (*build)(AbutBuild *build);
    double number, low, high;
    int whole;
} builders[] = {ABUT_BUILTIN_SCENES(BUILDER) ABUT_BUILTIN_ROBOTS(BUILDER)};

#define ONE(...) +1
enum {
    SCENE_COUNT = 0 ABUT_BUILTIN_SCENES(ONE),
    ROBOT_COUNT = 0 ABUT_BUILTIN_ROBOTS(ONE),
    ALL_COUNT = SCENE_COUNT + ROBOT_COUNT
};

const AbutBuiltinScene *abut_builtin_scenes(int robots, int *count) {
    ABUT_ASSERT(count);
    *count = robots ? ROBOT_COUNT : SCENE_COUNT;
    return scenes + (robots ? SCENE_COUNT : 0);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* "12", "-0.499", "1e-5": any finite number. 0: not such a number. */
static int read_number(const char *text, double *out) {
    const char *end = text + strlen(text);
    return abut_parse_double(&text, end, out) == ABUT_NUMBER_OK && text == end && isfinite(*out);
}

static AbutStatus unknown_scene(const char *spec, AbutError *error) {
    char known[1000] = "", name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    const char *near = abut_suggest(name, ALL_COUNT, &scenes[0].name, sizeof scenes[0]);
    if (near)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "no built-in model '%.60s'; did you mean '%s%.60s'?", spec, near,
            spec + strcspn(spec, ":"));
    for (int i = 0; i < ALL_COUNT; ++i) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s%s%s", i ? ", " : "", scenes[i].name,
            *scenes[i].argument ? ":" : "", scenes[i].argument);
    }
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "no built-in model '%.60s'; there are %s", spec, known);
}

static AbutStatus read_argument(int which, const char *text, double *number, AbutError *error) {
    const struct Builder *b = &builders[which];
    *number = b->number;
    if (!text) return ABUT_OK;
    if (b->low > b->high)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "model '%s': expected no argument, got '%.60s'", scenes[which].name, text);
    if (read_number(text, number) && (!b->whole || *number == floor(*number)) && *number >= b->low &&
        *number <= b->high)
        return ABUT_OK;
    if (b->whole)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "model '%s': expected a whole number from %.15g to %.15g, got '%.60s'", scenes[which].name, b->low, b->high,
            text);
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "model '%s': expected a %s, got '%.60s'", scenes[which].name,
        b->low < 0.0   ? "finite number"
        : b->low > 0.0 ? "number above 0"
                       : "number of 0 or more",
        text);
}

/* Place of the scene that is named before the colon in the table; ALL_COUNT: none. */
static int find_scene(const char *spec) {
    size_t length = strcspn(spec, ":");
    int which = 0;
    while (
        which < ALL_COUNT && (strlen(scenes[which].name) != length || strncmp(scenes[which].name, spec, length) != 0))
        ++which;
    return which;
}

AbutStatus abut_model_build(const char *spec, uint64_t seed, AbutModel **out, AbutError *error) {
    ABUT_ASSERT(spec && out);
    AbutBuild build = {.rng = abut_rng(seed, 0), .error = error};
    const char *colon = strchr(spec, ':');
    int which = find_scene(spec);
    *out = NULL;
    if (which == ALL_COUNT) return unknown_scene(spec, error);
    ABUT_TRY(read_argument(which, colon ? colon + 1 : NULL, &build.number, error));
    ABUT_TRY(abut_model_create(&build.model, error));
    build.model->timestep = 1e-3;
    build.model->time = 4.0;
    AbutStatus status = abut_model_set_name(build.model, spec, error);
    if (status == ABUT_OK) status = builders[which].build(&build);
    if (status == ABUT_OK)
        *out = build.model;
    else
        abut_model_free(build.model);
    return status;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_build_body(
    AbutBuild *build, const AbutBodyDef *given, const AbutShapeDef *shape, const char *stem, int number) {
    char name[40];
    AbutBodyDef body = *given;
    AbutShapeDef part = *shape;
    snprintf(name, sizeof name, number < 0 ? "%s" : "%s%d", stem, number);
    body.name = name;
    AbutStatus status = abut_model_add_body(build->model, &body, &part.body, build->error);
    return status == ABUT_OK ? abut_model_add_shape(build->model, &part, NULL, build->error) : status;
}

AbutStatus abut_build_ground(AbutBuild *build, AbutPose pose, double friction) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = ABUT_BODY_STATIC;
    body.pose = pose;
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    shape.material.friction = friction;
    return abut_build_body(build, &body, &shape, "ground", -1);
}

AbutShapeDef abut_build_box_shape(void) {
    AbutShapeDef shape = abut_shape_default();
    shape.form.size = abut_vec3(0.1, 0.05, 0.025);
    shape.density = 1.0; /* 1 g over 0.001 m^3; the body states its mass */
    return shape;
}

AbutBodyDef abut_build_box_body(AbutPose pose) {
    AbutBodyDef body = abut_body_default();
    double m = 1e-3, xx = 0.2 * 0.2, yy = 0.1 * 0.1, zz = 0.05 * 0.05;
    body.pose = pose;
    body.mass = m;
    body.inertia = abut_mat3_diagonal(m * (yy + zz) / 12.0, m * (xx + zz) / 12.0, m * (xx + yy) / 12.0);
    return body;
}

AbutStatus abut_build_box(AbutBuild *build, AbutPose pose, int number) {
    AbutBodyDef body = abut_build_box_body(pose);
    AbutShapeDef shape = abut_build_box_shape();
    return abut_build_body(build, &body, &shape, "box", number);
}
