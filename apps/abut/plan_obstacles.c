/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the scenarios: posts, a shelf, rings, cups, a bar, statues; and the table of the scenarios. */
#include "plan_scenario.h"

#include <string.h>

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static AbutStatus add_body(AbutModel *model, const char *name, int32_t *out, AbutError *error)
{
    AbutBodyDef body = abut_body_default();
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    return abut_model_add_body(model, &body, out, error);
}

static AbutStatus add_shape(
    AbutModel *model, int32_t body, AbutShapeKind kind, AbutVec3 at, AbutVec3 size, AbutError *error)
{
    AbutShapeDef shape = abut_shape_default();
    shape.body = body;
    shape.form.kind = kind;
    shape.form.size = size;
    shape.pose.p = at;
    return abut_model_add_shape(model, &shape, NULL, error);
}

static AbutStatus add_hull(AbutModel *model, int32_t body, int count, const AbutVec3 *points, AbutError *error)
{
    AbutPolyhedron *hull;
    AbutShapeDef shape = abut_shape_default();
    AbutStatus status = abut_polyhedron_from_points(points, count, NULL, &hull, error);
    if (status)
        return status;
    shape.body = body;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    status = abut_model_add_shape(model, &shape, NULL, error);
    abut_polyhedron_free(hull);
    return status;
}

/* A ring about the x axis: prisms of six sides. */
static AbutStatus add_ring(AbutModel *model, AbutVec3 center, double radius, double thick, AbutError *error)
{
    enum { PARTS = 20, SIDES = 6 };
    int32_t body;
    AbutStatus status = add_body(model, "ring", &body, error);
    for (int i = 0; i < PARTS && !status; ++i) {
        AbutVec3 points[2 * SIDES];
        for (int k = 0; k < 2 * SIDES; ++k) {
            double a = 2.0 * ABUT_PI * (i + k / SIDES) / PARTS, b = 2.0 * ABUT_PI * (k % SIDES) / SIDES;
            double r = radius + thick * abut_cos(b);
            points[k] = abut_add(center, abut_vec3(thick * abut_sin(b), r * abut_cos(a), r * abut_sin(a)));
        }
        status = add_hull(model, body, 2 * SIDES, points, error);
    }
    return status;
}

/* A cup that is open at its top: wall pieces and a floor. */
static AbutStatus add_cup(AbutModel *model, AbutVec3 floor, double radius, double height, AbutError *error)
{
    enum { PARTS = 16 };
    const double thick = 0.006;
    AbutVec3 bottom[2 * PARTS];
    int32_t body;
    AbutStatus status = add_body(model, "cup", &body, error);
    for (int i = 0; i < PARTS && !status; ++i) {
        AbutVec3 points[8];
        for (int k = 0; k < 8; ++k) {
            double a = 2.0 * ABUT_PI * (i + (k & 1)) / PARTS, r = radius + (k & 2 ? thick : 0.0);
            points[k] = abut_add(floor, abut_vec3(r * abut_cos(a), r * abut_sin(a), k & 4 ? height : 0.0));
        }
        status = add_hull(model, body, 8, points, error);
        double a = 2.0 * ABUT_PI * i / PARTS;
        AbutVec3 rim = abut_vec3((radius + thick) * abut_cos(a), (radius + thick) * abut_sin(a), 0.0);
        bottom[2 * i] = abut_add(floor, rim);
        bottom[2 * i + 1] = abut_add(bottom[2 * i], abut_vec3(0, 0, -0.01));
    }
    return status ? status : add_hull(model, body, 2 * PARTS, bottom, error);
}

/* The hull of points of an ellipsoid: seven circles of twelve, the poles once. */
static AbutStatus add_blob(AbutModel *model, int32_t body, AbutVec3 center, AbutVec3 half, AbutError *error)
{
    enum { RINGS = 6, AROUND = 12 };
    AbutVec3 points[(RINGS + 1) * AROUND];
    int n = 0;
    for (int i = 0; i <= RINGS; ++i)
        for (int k = 0; k < (i % RINGS ? AROUND : 1); ++k) {
            double a = ABUT_PI * i / RINGS, b = 2.0 * ABUT_PI * k / AROUND;
            points[n++] = abut_add(
                center, abut_mul(half, abut_vec3(abut_sin(a) * abut_cos(b), abut_sin(a) * abut_sin(b), abut_cos(a))));
        }
    return add_hull(model, body, n, points, error);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static AbutStatus make_posts(AbutModel *model, AbutError *error)
{
    static const AbutVec3 at[2] = {{0.45, 0.1, 0.4}, {0.25, 0.45, 0.4}};
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        int32_t body;
        status = add_body(model, i ? "post2" : "post1", &body, error);
        if (!status)
            status = add_shape(model, body, ABUT_SHAPE_CAPSULE, at[i], abut_vec3(0.006, 0.006, 0.4), error);
    }
    return status;
}

/* Three boards between two sides and a back. */
static AbutStatus make_shelf(AbutModel *model, AbutError *error)
{
    static const double parts[6][6] = {{0.6, 0, 0.25, 0.15, 0.3, 0.01}, {0.6, 0, 0.6, 0.15, 0.3, 0.01},
        {0.6, 0, 0.95, 0.15, 0.3, 0.01}, {0.6, 0.3, 0.5, 0.15, 0.01, 0.5}, {0.6, -0.3, 0.5, 0.15, 0.01, 0.5},
        {0.76, 0, 0.5, 0.01, 0.3, 0.5}};
    int32_t body;
    AbutStatus status = add_body(model, "shelf", &body, error);
    for (int i = 0; i < 6 && !status; ++i) {
        const double *p = parts[i];
        status =
            add_shape(model, body, ABUT_SHAPE_BOX, abut_vec3(p[0], p[1], p[2]), abut_vec3(p[3], p[4], p[5]), error);
    }
    return status;
}

static AbutStatus make_ring(AbutModel *model, AbutError *error)
{
    return add_ring(model, abut_vec3(0.4, -0.3, 1.3), 0.11, 0.008, error);
}

static AbutStatus make_cup(AbutModel *model, AbutError *error)
{
    return add_cup(model, abut_vec3(0.35, -0.25, 0.85), 0.12, 0.2, error);
}

static AbutStatus make_bar(AbutModel *model, AbutError *error)
{
    int32_t body;
    AbutStatus status = add_body(model, "bar", &body, error);
    return status
               ? status
               : add_shape(model, body, ABUT_SHAPE_BOX, abut_vec3(0.22, 0, 0.12), abut_vec3(0.006, 1.0, 0.006), error);
}

static AbutStatus make_talos_ring(AbutModel *model, AbutError *error)
{
    return add_ring(model, abut_vec3(0.55, -0.25, 1.15), 0.17, 0.008, error);
}

static AbutStatus make_talos_cup(AbutModel *model, AbutError *error)
{
    return add_cup(model, abut_vec3(0.48, -0.18, 0.82), 0.13, 0.22, error);
}

/* Two seated figures: a plinth and ten rounded hulls each. */
static AbutStatus make_statues(AbutModel *model, AbutError *error)
{
    static const double parts[10][6] = {{0, 0, 0.07, 0.2, 0.24, 0.09}, {-0.02, 0, 0.25, 0.14, 0.15, 0.15},
        {0, 0, 0.45, 0.12, 0.15, 0.14}, {0, 0, 0.53, 0.08, 0.2, 0.07}, {0, -0.19, 0.4, 0.05, 0.05, 0.15},
        {0, 0.19, 0.4, 0.05, 0.05, 0.15}, {-0.09, -0.13, 0.25, 0.12, 0.06, 0.05}, {-0.09, 0.13, 0.25, 0.12, 0.06, 0.05},
        {0, 0, 0.73, 0.09, 0.085, 0.12}, {0, 0, 0.86, 0.035, 0.035, 0.05}};
    AbutStatus status = ABUT_OK;
    for (int side = 0; side < 2 && !status; ++side) {
        AbutVec3 base = abut_vec3(0.62, side ? -0.4 : 0.4, 0.55);
        int32_t body;
        status = add_body(model, side ? "statue2" : "statue1", &body, error);
        if (!status)
            status = add_shape(
                model, body, ABUT_SHAPE_BOX, abut_vec3(base.x, base.y, 0.275), abut_vec3(0.16, 0.16, 0.275), error);
        for (int i = 0; i < 10 && !status; ++i) {
            const double *p = parts[i];
            status =
                add_blob(model, body, abut_add(base, abut_vec3(p[0], p[1], p[2])), abut_vec3(p[3], p[4], p[5]), error);
        }
    }
    return status;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define HUMANOID_RIGHT "waist,chest,right_shoulder,right_roll,right_upper,right_fore,right_wrist,right_bend,right_hand"
#define TALOS_JOINTS                                                                                                   \
    "torso_1_joint,torso_2_joint,arm_left_1_joint,arm_left_2_joint,arm_left_3_joint,arm_left_4_joint,"                 \
    "arm_left_5_joint,arm_left_6_joint,arm_left_7_joint,arm_right_1_joint,arm_right_2_joint,arm_right_3_joint,"        \
    "arm_right_4_joint,arm_right_5_joint,arm_right_6_joint,arm_right_7_joint"
#define TALOS_LEGS                                                                                                     \
    "leg_left_3_joint=-0.4,leg_left_4_joint=0.8,leg_left_5_joint=-0.4,leg_right_3_joint=-0.4,leg_right_4_joint=0.8,"   \
    "leg_right_5_joint=-0.4,"
#define TALOS_TRUNK(yaw, bend) "torso_1_joint=" #yaw ",torso_2_joint=" #bend ","
#define TALOS_ARM(side, a, b, c, d, e, f, g)                                                                           \
    "arm_" side "_1_joint=" #a ",arm_" side "_2_joint=" #b ",arm_" side "_3_joint=" #c ",arm_" side "_4_joint=" #d     \
    ",arm_" side "_5_joint=" #e ",arm_" side "_6_joint=" #f ",arm_" side "_7_joint=" #g
#define TALOS_LEFT TALOS_ARM("left", .26, .25, 0, -.9, 0, 0, 0) ","
#define TALOS_FOOT                                                                                                     \
    .support = "leg_left_6_link", .stand = {{0, 0.085, 0.106}, {1, 0, 0, 0}}, .neighbours = 3, .joints = TALOS_JOINTS

static const Scenario scenarios[] = {
    {.name = "posts",
        .summary = "a six-axis arm swings past two thin posts",
        .robot = "arm6",
        .start = "shoulder=-0.6,upper=0.9,fore=0.6",
        .goal = "shoulder=1.9",
        .obstacles = make_posts},
    {.name = "shelf",
        .summary = "a six-axis arm reaches into a shelf",
        .robot = "arm6",
        .key = "home",
        .goal_pose = "tool=0.6,0.05,0.42",
        .obstacles = make_shelf},
    {.name = "ring",
        .summary = "a humanoid puts its hand through a ring",
        .robot = "humanoid",
        .key = "stand",
        .joints = HUMANOID_RIGHT,
        .goal_pose = "right_grip=0.48,-0.3,1.3",
        .obstacles = make_ring},
    {.name = "cup",
        .summary = "a humanoid puts its hand into a cup, over the rim",
        .robot = "humanoid",
        .key = "stand",
        .joints = HUMANOID_RIGHT,
        .goal_pose = "right_grip=0.35,-0.25,0.95",
        .obstacles = make_cup},
    {.name = "bar",
        .summary = "a humanoid on its left foot lifts the right one over a bar, without regard to balance",
        .robot = "humanoid",
        .key = "stand",
        .support = "left_foot",
        .joints = "left_yaw,left_hip,left_thigh,left_shin,left_ankle,left_foot,"
                  "right_yaw,right_hip,right_thigh,right_shin,right_ankle,right_foot",
        .start = "left_thigh=-0.2,left_shin=0.6,left_ankle=-0.4,right_thigh=-0.3,right_shin=0.9,right_ankle=-0.5",
        .goal = "right_thigh=-1.0,right_shin=0.75,right_ankle=0.1",
        .obstacles = make_bar},
    {.name = "talos-statues",
        .summary = "TALOS moves its arms from outside two statues to between them",
        .start = TALOS_LEGS TALOS_TRUNK(.1124, .4151) TALOS_ARM("left", -.4789, 1.1898, .4316, -.7904, .0036, -.0040,
            -.0600) "," TALOS_ARM("right", .2096, -1.1769, -.1952, -.8359, .0854, -.0336, .2415),
        .goal = TALOS_TRUNK(.2269, .0426) TALOS_ARM("left", -1.5508, 1.0678, -.0208, -.6550, .2653, -.0255,
            .2772) "," TALOS_ARM("right", 1.4064, -.8531, .4776, -.1099, -.2372, -1.3087, .4845),
        .obstacles = make_statues,
        TALOS_FOOT},
    {.name = "talos-cup",
        .summary = "TALOS puts its hand into a cup, over the rim; its forearm may touch the cup",
        .allow = "arm_right_5_link:cup",
        .start = TALOS_LEGS TALOS_LEFT TALOS_ARM("right", .2782, -.5228, -.1388, -.9293, -.0031, -.0142, .0274),
        .goal = TALOS_ARM("right", .7359, -.7581, .1356, -1.3633, -.3617, .5839, .5952),
        .obstacles = make_talos_cup,
        TALOS_FOOT},
    {.name = "talos-ring",
        .summary = "TALOS puts its hand through a ring",
        .start = TALOS_LEGS TALOS_LEFT TALOS_ARM("right", .1851, -.7722, -.3433, -1.4562, -.0205, -.0646, -.1613),
        .goal = TALOS_ARM("right", .8056, -.8338, -.1911, -1.2051, -.0266, -.0438, -.0187),
        .obstacles = make_talos_ring,
        TALOS_FOOT},
};

const Scenario *plan_scenarios(int *count)
{
    *count = (int)(sizeof scenarios / sizeof scenarios[0]);
    return scenarios;
}
