/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in scenes by name: the table, the reading of "name:argument", and the pieces that the scenes share. Text is
 * read without regard to the locale.
 */
#include "model/builtin_scene.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

enum { SCENE_COUNT = 27, ROBOT_COUNT = 9, ALL_COUNT = SCENE_COUNT + ROBOT_COUNT };

/* The scenes, then the robots. */
static const AbutBuiltinScene scenes[ALL_COUNT] = {
    {"boxes", "N=50", "boxes of 0.2 x 0.1 x 0.05 m fall in random poses onto the floor"},
    {"drop", "", "one box, turned by 60, 45, 30 degrees about z, y, z, falls from 1 m"},
    {"stack", "N=10", "boxes flat on top of each other"},
    {"heavy", "RATIO=1000", "cubes of 1 kg with one of RATIO kg on each, two of both, on top of each other"},
    {"incline", "TAN=0.499", "one box with friction 0.5 on a slope of this tangent"},
    {"slide", "", "one box slides over the floor at 1 m/s"},
    {"spin", "", "one box turns on the floor at 10 rad/s"},
    {"bridge", "DH=1e-5", "one box over two supports, the second lower by DH metres"},
    {"pyramid", "N=20", "N rows of boxes, one less in each"},
    {"wall", "N=10", "N rows of ten bricks with staggered joints"},
    {"arch", "N=25", "round arch of N wedge blocks without mortar"},
    {"domino", "N=20", "a row of dominoes, the first one leaning"},
    {"hulls", "N=100", "a pile of random hulls of 4 to 40 vertices"},
    {"bin", "N=50", "boxes fall into a bin of 28 x 28 cm, which widens past N = 50"},
    {"balls", "N=50", "balls of 4 cm radius fall into a bin, which widens with N"},
    {"shapes", "N=50", "balls, cylinders, capsules, ellipsoids, cones and boxes fall into a bin"},
    {"roll", "TAN=0.1", "a ball, a cylinder, a capsule and a pipe roll down a slope of this tangent"},
    {"bowling", "", "a ball of 7 kg at 7 m/s slides, rolls and meets ten pins"},
    {"coin", "", "a coin spun on its edge, which whirls as it falls over"},
    {"conveyor", "N=12", "boxes, balls and cylinders go over a belt and fall onto another across it"},
    {"edge", "Y=0.075", "a ball at 6 m/s strikes a bar at Y; its edge is at 0.1 m; no gravity"},
    {"loops", "", "three parallel bars with friction loss carry a head; two connects"},
    {"delta", "", "a delta robot: six rods connect three driven arms with its platform"},
    {"rope", "N=30", "a rope of N links by ball joints, held at one end, falls on the floor"},
    {"net", "N=5", "a net of N x N links with loops falls from the edge that holds it"},
    {"squeeze", "RATIO=1000", "two fingers of 10 kg press with 50 N each on a cube of 10 / RATIO kg"},
    {"humanoid-friction", "", "the humanoid with friction loss instead of servos falls and sinks down"},
    {"planar-arm", "N=3", "an arm of N links that moves in a plane; frame tip"},
    {"arm6", "", "an arm of six hinges; frame tool"},
    {"arm-gripper", "", "that arm with two coupled fingers; frame tool"},
    {"two-arms", "", "two of these side by side; frames left_tool, right_tool"},
    {"gripper", "", "two coupled fingers on a slide over a free box; frame grip"},
    {"hand16", "", "four fingers of four hinges; frames index_tip, long_tip, ring_tip, thumb_tip"},
    {"biped", "", "a free trunk on two legs of six hinges; frames left_sole, right_sole"},
    {"humanoid", "", "a free body of thirty hinges; frames left_sole, right_sole, left_grip, right_grip"},
    {"humanoid-mesh", "", "the same with links that are rounded hulls of 200 to 3,500 triangles"},
};

/* In the order of `scenes`. */
static const struct Builder {
    AbutStatus (*build)(AbutBuild *build);
    double number, low, high; /* default and range of the argument; low > high: it takes none */
    int whole;
} builders[ALL_COUNT] = {
    {abut_build_boxes, 50, 1, 100000, 1},
    {abut_build_drop, 0, 1, 0, 0},
    {abut_build_stack, 10, 1, 100000, 1},
    {abut_build_heavy, 1000, 1e-6, 1e6, 0},
    {abut_build_incline, 0.499, 0, 10, 0},
    {abut_build_slide, 0, 1, 0, 0},
    {abut_build_spin, 0, 1, 0, 0},
    {abut_build_bridge, 1e-5, 0, 0.01, 0},
    {abut_build_pyramid, 20, 1, 446, 1},
    {abut_build_wall, 10, 1, 9000, 1},
    {abut_build_arch, 25, 7, 99, 1},
    {abut_build_domino, 20, 1, 100000, 1},
    {abut_build_hulls, 100, 1, 100000, 1},
    {abut_build_bin, 50, 1, 100000, 1},
    {abut_build_balls, 50, 1, 100000, 1},
    {abut_build_shapes, 50, 1, 100000, 1},
    {abut_build_roll, 0.1, 0, 10, 0},
    {abut_build_bowling, 0, 1, 0, 0},
    {abut_build_coin, 0, 1, 0, 0},
    {abut_build_conveyor, 12, 1, 1000, 1},
    {abut_build_edge, 0.075, 0, 0.3, 0},
    {abut_build_loops, 0, 1, 0, 0},
    {abut_build_delta, 0, 1, 0, 0},
    {abut_build_rope, 30, 1, 300, 1},
    {abut_build_net, 5, 2, 12, 1},
    {abut_build_squeeze, 1000, 1e-3, 1e6, 0},
    {abut_build_humanoid_friction, 0, 1, 0, 0},
    {abut_build_planar_arm, 3, 1, 30, 1},
    {abut_build_arm6, 0, 1, 0, 0},
    {abut_build_arm_gripper, 0, 1, 0, 0},
    {abut_build_two_arms, 0, 1, 0, 0},
    {abut_build_gripper, 0, 1, 0, 0},
    {abut_build_hand16, 0, 1, 0, 0},
    {abut_build_biped, 0, 1, 0, 0},
    {abut_build_humanoid, 0, 1, 0, 0},
    {abut_build_humanoid_mesh, 0, 1, 0, 0},
};

const AbutBuiltinScene *abut_builtin_scenes(int *count)
{
    ABUT_ASSERT(count);
    *count = SCENE_COUNT;
    return scenes;
}

const AbutBuiltinScene *abut_builtin_robots(int *count)
{
    ABUT_ASSERT(count);
    *count = ROBOT_COUNT;
    return scenes + SCENE_COUNT;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* "12", "-0.499", "1e-5": any finite number. 0: not such a number. */
static int read_number(const char *text, double *out)
{
    const char *end = text + strlen(text);
    return abut_parse_double(&text, end, out) == ABUT_NUMBER_OK && text == end && isfinite(*out);
}

static AbutStatus unknown_scene(const char *spec, AbutError *error)
{
    char known[800] = "", name[64];
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

static AbutStatus read_argument(int which, const char *text, double *number, AbutError *error)
{
    const struct Builder *b = &builders[which];
    *number = b->number;
    if (!text)
        return ABUT_OK;
    if (b->low > b->high)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the model '%s' takes no argument", scenes[which].name);
    if (!read_number(text, number) || (b->whole && *number != floor(*number)) || *number < b->low || *number > b->high)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the model '%s' takes %s number in %.15g .. %.15g, not '%.60s'",
            scenes[which].name, b->whole ? "a whole" : "a", b->low, b->high, text);
    return ABUT_OK;
}

/* Place of the scene that is named before the colon in the table; ALL_COUNT: none. */
static int find_scene(const char *spec)
{
    size_t length = strcspn(spec, ":");
    int which = 0;
    while (
        which < ALL_COUNT && (strlen(scenes[which].name) != length || strncmp(scenes[which].name, spec, length) != 0))
        ++which;
    return which;
}

AbutStatus abut_model_build(const char *spec, uint64_t seed, AbutModel **out, AbutError *error)
{
    ABUT_ASSERT(spec && out);
    AbutBuild build = {.rng = abut_rng(seed, 0), .error = error};
    const char *colon = strchr(spec, ':');
    int which = find_scene(spec);
    *out = NULL;
    if (which == ALL_COUNT)
        return unknown_scene(spec, error);
    ABUT_TRY(read_argument(which, colon ? colon + 1 : NULL, &build.number, error));
    ABUT_TRY(abut_model_create(&build.model, error));
    build.model->timestep = 1e-3;
    build.model->time = 4.0;
    AbutStatus status = abut_model_set_name(build.model, spec, error);
    if (status == ABUT_OK)
        status = builders[which].build(&build);
    if (status == ABUT_OK)
        *out = build.model;
    else
        abut_model_free(build.model);
    return status;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_build_body(
    AbutBuild *build, const AbutBodyDef *given, const AbutShapeDef *shape, const char *stem, int number)
{
    char name[40];
    AbutBodyDef body = *given;
    AbutShapeDef part = *shape;
    snprintf(name, sizeof name, number < 0 ? "%s" : "%s%d", stem, number);
    body.name = name;
    AbutStatus status = abut_model_add_body(build->model, &body, &part.body, build->error);
    return status == ABUT_OK ? abut_model_add_shape(build->model, &part, NULL, build->error) : status;
}

AbutStatus abut_build_ground(AbutBuild *build, AbutPose pose, double friction)
{
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = ABUT_BODY_STATIC;
    body.pose = pose;
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    shape.material.friction = friction;
    return abut_build_body(build, &body, &shape, "ground", -1);
}

AbutShapeDef abut_build_box_shape(void)
{
    AbutShapeDef shape = abut_shape_default();
    shape.form.size = abut_vec3(0.1, 0.05, 0.025);
    shape.density = 1.0; /* 1 g over 0.001 m^3; the body states its mass */
    return shape;
}

AbutBodyDef abut_build_box_body(AbutPose pose)
{
    AbutBodyDef body = abut_body_default();
    double m = 1e-3, xx = 0.2 * 0.2, yy = 0.1 * 0.1, zz = 0.05 * 0.05;
    body.pose = pose;
    body.mass = m;
    body.inertia = abut_mat3_diagonal(m * (yy + zz) / 12.0, m * (xx + zz) / 12.0, m * (xx + yy) / 12.0);
    return body;
}

AbutStatus abut_build_box(AbutBuild *build, AbutPose pose, int number)
{
    AbutBodyDef body = abut_build_box_body(pose);
    AbutShapeDef shape = abut_build_box_shape();
    return abut_build_body(build, &body, &shape, "box", number);
}
