/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the built-in scenes: the state of building one, and its pieces. */
#ifndef ABUT_MODEL_BUILTIN_SCENE_H
#define ABUT_MODEL_BUILTIN_SCENE_H

#include "abut/model.h"

#include <float.h>

typedef struct AbutBuild {
    AbutModel *model;
    AbutRng rng;
    double number; /* the argument */
    AbutError *error;
    double
        friction; /* of joints of robots, as a part of the force of their servos, which they have not then; 0: none */
    int round;    /* 1: links of robots are rounded hulls of many vertices instead of boxes */
} AbutBuild;

AbutStatus abut_build_ground(AbutBuild *build, AbutPose pose, double friction);
/* A body with one shape; the name is `stem` and `number` (none when negative). */
AbutStatus abut_build_body(
    AbutBuild *build, const AbutBodyDef *body, const AbutShapeDef *shape, const char *stem, int number);
/* The box of 0.2 x 0.1 x 0.05 m and 1 g that most scenes are made of. */
AbutBodyDef abut_build_box_body(AbutPose pose);
AbutShapeDef abut_build_box_shape(void);
AbutStatus abut_build_box(AbutBuild *build, AbutPose pose, int number);

/* The scenes, then the robots: function, name, argument, its default and its range (low > high: it takes none), whether
 * it is a whole number, one line about it. Numbers that are not whole are any that mean something. */
/* clang-format off */
#define ABUT_BUILTIN_SCENES(row)                                                                                      \
    row(boxes, "boxes", "N=50", 50, 1, 100000, 1,                                                                     \
        "boxes of 0.2 x 0.1 x 0.05 m fall in random poses onto the floor")                                            \
    row(drop, "drop", "", 0, 1, 0, 0,                                                                                 \
        "one box, turned by 60, 45, 30 degrees about z, y, z, falls from 1 m")                                        \
    row(stack, "stack", "N=10", 10, 1, 100000, 1,                                                                     \
        "boxes flat on top of each other")                                                                            \
    row(heavy, "heavy", "RATIO=1000", 1000, DBL_MIN, DBL_MAX, 0,                                                      \
        "cubes of 1 kg with one of RATIO kg on each, two of both, on top of each other")                              \
    row(incline, "incline", "TAN=0.499", 0.499, -DBL_MAX, DBL_MAX, 0,                                                 \
        "one box with friction 0.5 on a slope of this tangent")                                                       \
    row(slide, "slide", "", 0, 1, 0, 0,                                                                               \
        "one box slides over the floor at 1 m/s")                                                                     \
    row(spin, "spin", "", 0, 1, 0, 0,                                                                                 \
        "one box turns on the floor at 10 rad/s")                                                                     \
    row(bridge, "bridge", "DH=1e-5", 1e-5, -DBL_MAX, DBL_MAX, 0,                                                      \
        "one box over two supports, the second lower by DH meters")                                                   \
    row(pyramid, "pyramid", "N=20", 20, 1, 446, 1,                                                                    \
        "N rows of boxes, one less in each")                                                                          \
    row(wall, "wall", "N=10", 10, 1, 9000, 1,                                                                         \
        "N rows of ten bricks with staggered joints")                                                                 \
    row(arch, "arch", "N=25", 25, 7, 99, 1,                                                                           \
        "round arch of N wedge blocks without mortar")                                                                \
    row(domino, "domino", "N=20", 20, 1, 100000, 1,                                                                   \
        "a row of dominoes, the first one leaning")                                                                   \
    row(hulls, "hulls", "N=100", 100, 1, 100000, 1,                                                                   \
        "a pile of random hulls of 4 to 40 vertices")                                                                 \
    row(bin, "bin", "N=50", 50, 1, 100000, 1,                                                                         \
        "boxes fall into a bin of 28 x 28 cm, which widens past N = 50")                                              \
    row(balls, "balls", "N=50", 50, 1, 100000, 1,                                                                     \
        "balls of 4 cm radius fall into a bin, which widens with N")                                                  \
    row(shapes, "shapes", "N=50", 50, 1, 100000, 1,                                                                   \
        "balls, cylinders, capsules, ellipsoids, cones and boxes fall into a bin")                                    \
    row(roll, "roll", "TAN=0.1", 0.1, -DBL_MAX, DBL_MAX, 0,                                                           \
        "a ball, a cylinder, a capsule and a pipe roll down a slope of this tangent")                                 \
    row(bowling, "bowling", "", 0, 1, 0, 0,                                                                           \
        "a ball of 7 kg at 7 m/s slides, rolls and meets ten pins")                                                   \
    row(coin, "coin", "", 0, 1, 0, 0,                                                                                 \
        "a coin spun on its edge, which whirls as it falls over")                                                     \
    row(conveyor, "conveyor", "N=12", 12, 1, 1000, 1,                                                                 \
        "boxes, balls and cylinders go over a belt and fall onto another across it")                                  \
    row(edge, "edge", "Y=0.075", 0.075, -DBL_MAX, DBL_MAX, 0,                                                         \
        "a ball at 6 m/s strikes a bar at Y; its edge is at 0.1 m; no gravity")                                       \
    row(loops, "loops", "", 0, 1, 0, 0,                                                                               \
        "three parallel bars with friction loss carry a head; two connects")                                          \
    row(delta, "delta", "", 0, 1, 0, 0,                                                                               \
        "a delta robot: six rods connect three driven arms with its platform")                                        \
    row(rope, "rope", "N=30", 30, 1, 300, 1,                                                                          \
        "a rope of N links by ball joints, held at one end, falls on the floor")                                      \
    row(net, "net", "N=5", 5, 2, 12, 1,                                                                               \
        "a net of N x N links with loops falls from the edge that holds it")                                          \
    row(squeeze, "squeeze", "RATIO=1000", 1000, DBL_MIN, DBL_MAX, 0,                                                  \
        "two fingers of 10 kg press with 50 N each on a cube of 10 / RATIO kg")                                       \
    row(humanoid_friction, "humanoid-friction", "", 0, 1, 0, 0,                                                       \
        "the humanoid with friction loss instead of servos falls and sinks down")                                     \
    row(nut, "nut", "MU=0.01", 0.01, 0, DBL_MAX, 0,                                                                   \
        "a nut M20 turns down its bolt by its weight; it locks above MU = 0.0345")                                    \
    row(peg, "peg", "", 0, 1, 0, 0,                                                                                   \
        "a tilted peg falls into a hole that is 0.1 mm wider")                                                        \
    row(gears, "gears", "W=2", 2, -DBL_MAX, DBL_MAX, 0,                                                               \
        "a gear at W rad/s drives another with involute teeth")                                                       \
    row(chain, "chain", "N=5", 5, 2, 100, 1,                                                                          \
        "a chain of N rings hangs from the first")                                                                    \
    row(mugs, "mugs", "N=2", 2, 1, 100, 1,                                                                            \
        "N mugs with handles fall onto the floor")                                                                    \
    row(rings, "rings", "N=4", 4, 1, 100, 1,                                                                          \
        "N rings fall over a post")

#define ABUT_BUILTIN_ROBOTS(row)                                                                                      \
    row(planar_arm, "planar-arm", "N=3", 3, 1, 30, 1,                                                                 \
        "an arm of N links that moves in a plane; frame tip")                                                         \
    row(arm6, "arm6", "", 0, 1, 0, 0,                                                                                 \
        "an arm of six hinges; frame tool")                                                                           \
    row(arm_gripper, "arm-gripper", "", 0, 1, 0, 0,                                                                   \
        "that arm with two coupled fingers; frame tool")                                                              \
    row(two_arms, "two-arms", "", 0, 1, 0, 0,                                                                         \
        "two of these side by side; frames left_tool, right_tool")                                                    \
    row(gripper, "gripper", "", 0, 1, 0, 0,                                                                           \
        "two coupled fingers on a slide over a free box; frame grip")                                                 \
    row(hand16, "hand16", "", 0, 1, 0, 0,                                                                             \
        "four fingers of four hinges; frames index_tip, long_tip, ring_tip, thumb_tip")                               \
    row(biped, "biped", "", 0, 1, 0, 0,                                                                               \
        "a free trunk on two legs of six hinges; frames left_sole, right_sole")                                       \
    row(humanoid, "humanoid", "", 0, 1, 0, 0,                                                                         \
        "a free body of thirty hinges; frames left_sole, right_sole, left_grip, right_grip")                          \
    row(humanoid_mesh, "humanoid-mesh", "", 0, 1, 0, 0,                                                               \
        "the same with links that are rounded hulls of 200 to 3,500 triangles")
/* clang-format on */

#define ABUT_BUILTIN_DECLARE(build, ...) AbutStatus abut_build_##build(AbutBuild *build);
ABUT_BUILTIN_SCENES(ABUT_BUILTIN_DECLARE)
ABUT_BUILTIN_ROBOTS(ABUT_BUILTIN_DECLARE)

#endif
