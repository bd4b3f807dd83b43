/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scenarios of `abut plan scenario`. Those of TALOS are after Lee's thesis, Chapter VI: cross, twist and pick with
 * capsules, twist, pass and place with meshes, and two with thin things to step over and to reach through. In its
 * "pass" a robot walks between statues; here the arms go between them.
 */
#include "plan_scenario.h"

#include <string.h>

#define HUMANOID_ARM(side)                                                                                             \
    side "_shoulder," side "_roll," side "_upper," side "_fore," side "_wrist," side "_bend," side "_hand"
#define HUMANOID_RIGHT "waist,chest," HUMANOID_ARM("right")
#define HUMANOID_ARMS HUMANOID_RIGHT "," HUMANOID_ARM("left")
#define HUMANOID_LEG(side) side "_yaw," side "_hip," side "_thigh," side "_shin," side "_ankle," side "_foot"
#define HUMANOID_LEGS HUMANOID_LEG("left") "," HUMANOID_LEG("right")
#define ON_THE_GROUND "ground:left_foot,ground:right_foot"
#define HUMANOID_FIXED                                                                                                 \
    .support = "left_foot", .allow = ON_THE_GROUND, .neighbors = 3,                                                    \
    .balance = "-0.08,-0.15;0.14,-0.15;0.14,0.15;-0.08,0.15"
#define HUMANOID_DOUBLE .support = "both", .neighbors = 3, .joints = HUMANOID_ARMS "," HUMANOID_LEGS
#define HUMANOID_KNEE(side, hip, knee, ankle) side "_thigh=" hip "," side "_shin=" knee "," side "_ankle=" ankle ","
#define HUMANOID_KNEES(hip, knee, ankle)                                                                               \
    HUMANOID_KNEE("left", hip, knee, ankle) HUMANOID_KNEE("right", hip, knee, ankle)
#define HUMANOID_TWIST                                                                                                 \
    .key = "stand",                                                                                                    \
    .start =                                                                                                           \
        HUMANOID_KNEES("-1.1", "1.9", "-0.8") "waist=-0.9,chest=0.6,left_shoulder=-0.8,left_roll=-0.4,"                \
                                              "left_fore=-0.1,right_shoulder=-0.3,right_roll=-0.5,right_fore=-0.1",    \
    .goal = "waist=0.9,left_shoulder=-0.3,left_roll=0.5,right_shoulder=-0.8,right_roll=0.4", HUMANOID_DOUBLE
#define CROSS_START                                                                                                    \
    "waist=-0.145,chest=-0.29,left_shoulder=-0.127,left_roll=0.105,left_upper=-0.599,left_fore=-0.948,left_wrist=0."   \
    "15,"                                                                                                              \
    "left_bend=-0.037,left_hand=-0.348,right_shoulder=-0.574,right_roll=-0.046,right_upper=0.684,right_fore=-1.25,"    \
    "right_wrist=0.121,right_bend=0.459,right_hand=-0.322"
#define TWO_ARMS(side) side "_shoulder," side "_upper," side "_fore," side "_wrist," side "_roll," side "_flange"
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
#define TALOS_LEG(side, a, b, c, d, e, f)                                                                              \
    "leg_" side "_1_joint=" #a ",leg_" side "_2_joint=" #b ",leg_" side "_3_joint=" #c ",leg_" side "_4_joint=" #d     \
    ",leg_" side "_5_joint=" #e ",leg_" side "_6_joint=" #f
#define TALOS_KNEES(hip, knee, ankle)                                                                                  \
    TALOS_LEG("left", 0, 0, hip, knee, ankle, 0) "," TALOS_LEG("right", 0, 0, hip, knee, ankle, 0) ","
#define TALOS_LEG_JOINTS(side)                                                                                         \
    "leg_" side "_1_joint,leg_" side "_2_joint,leg_" side "_3_joint,leg_" side "_4_joint,leg_" side                    \
    "_5_joint,leg_" side "_6_joint"
#define TALOS_ALL_JOINTS TALOS_JOINTS "," TALOS_LEG_JOINTS("left") "," TALOS_LEG_JOINTS("right")
#define TALOS_STAND .stand = {{0, 0.085, 0.106}, {1, 0, 0, 0}}, .neighbors = 3
/* legs held, both legs coupled, one leg free */
#define TALOS_FIXED                                                                                                    \
    TALOS_STAND, .support = "leg_left_6_link", .joints = TALOS_JOINTS,                                                 \
                 .balance = "-0.105,-0.145;0.095,-0.145;0.095,0.145;-0.105,0.145"
#define TALOS_DOUBLE TALOS_STAND, .support = "leg_left_6_link,leg_right_6_link", .joints = TALOS_ALL_JOINTS
#define TALOS_SINGLE TALOS_STAND, .support = "leg_left_6_link", .joints = TALOS_ALL_JOINTS
/* Table 6.1 of the thesis */
#define THESIS_PAIRS                                                                                                   \
    "RH:LH,RH:WAIST,RH:CHEST,RH:HEAD,LH:WAIST,LH:CHEST,LH:HEAD,RE:WAIST,RE:CHEST,RE:HEAD,LE:WAIST,LE:CHEST,LE:HEAD,"   \
    "RHIP:LHIP,RHIP:RH,RHIP:LH,LHIP:RH,LHIP:LH,RKNEE:LKNEE"
#define STATUE_PAIRS(n) "RH:" n ",LH:" n ",RE:" n ",LE:" n ",RU:" n ",LU:" n ",HEAD:" n ",CHEST:" n
#define TALOS_CAPSULES                                                                                                 \
    .capsules = 1, .pairs = THESIS_PAIRS,                                                                              \
    .thin = "leg_left_3_link=0.114,leg_right_3_link=0.114,leg_left_4_link=0.108,leg_right_4_link=0.108"
#define TALOS_BAR                                                                                                      \
    .start = TALOS_LEFT TALOS_ARM("right", -.26, -.25, 0, -.9, 0, 0, 0) "," TALOS_LEG("left", .0144, -.0962, -.4521,   \
        .7448, -.4424, .1198) "," TALOS_LEG("right", -.0067, -.2627, -.3695, .8019, -.4004, .1694),                    \
    .goal = TALOS_LEG("left", -.1379, .0106, -.0650, .6703, -.4709, .1028) "," TALOS_LEG(                              \
        "right", -.1043, -.2154, -.5721, .6173, -.4599, .2144),                                                        \
    .pairs = "RFOOT:bar,RANK:bar,RKNEE:bar,RHIP:bar,RFOOT:ground,RFOOT:LKNEE,RANK:LKNEE,RKNEE:LKNEE,RKNEE:LHIP,"       \
             "RH:WAIST,RH:CHEST,RH:HEAD,LH:WAIST,LH:CHEST,LH:HEAD,RHIP:RH,RHIP:LH,LHIP:RH,LHIP:LH",                    \
    TALOS_SINGLE
#define TALOS_RING                                                                                                     \
    .start = TALOS_LEGS TALOS_LEFT TALOS_ARM("right", .1851, -.7722, -.3433, -1.4562, -.0205, -.0646, -.1613),         \
    .goal = TALOS_ARM("right", .8056, -.8338, -.1911, -1.2051, -.0266, -.0438, -.0187), TALOS_FIXED

static const Scenario scenarios[] = {
    {.name = "posts",
        .summary = "a six-axis arm swings past two thin posts",
        .robot = "arm6",
        .start = "shoulder=-0.6,upper=0.9,fore=0.6",
        .goal = "shoulder=1.9",
        .obstacles = plan_make_posts},
    {.name = "mesh-ring",
        .summary = "a six-axis arm reaches into a ring of 100,000 triangles, which the proof takes as they are",
        .robot = "arm6",
        .start = "shoulder=0.9,upper=0.7,fore=0.9",
        .goal = "shoulder=0",
        .obstacles = plan_make_mesh_ring,
        .mesh = plan_make_ring_triangles},
    {.name = "shelf",
        .summary = "an arm with a gripper reaches into a shelf",
        .robot = "arm-gripper",
        .key = "home",
        .joints = "shoulder,upper,fore,wrist,roll,flange",
        .goal_pose = "tool=0.6,0.05,0.42",
        .obstacles = plan_make_shelf},
    {.name = "ring",
        .summary = "a humanoid puts its hand through a ring",
        .robot = "humanoid",
        .key = "stand",
        .joints = HUMANOID_RIGHT,
        .allow = ON_THE_GROUND,
        .goal_pose = "right_grip=0.48,-0.3,1.3",
        .obstacles = plan_make_ring},
    {.name = "cup",
        .summary = "a humanoid puts its hand into a cup, over the rim",
        .robot = "humanoid",
        .key = "stand",
        .joints = HUMANOID_RIGHT,
        .allow = ON_THE_GROUND,
        .goal_pose = "right_grip=0.35,-0.25,0.95",
        .obstacles = plan_make_cup},
    {.name = "cross",
        .summary = "a humanoid as capsules: its hands swap their height, cross, and come back",
        .robot = "humanoid",
        .key = "stand",
        .capsules = 1,
        .joints = HUMANOID_ARMS,
        HUMANOID_FIXED,
        .start = CROSS_START,
        .goal = CROSS_START,
        .via =
            "0.5:waist=-0.002,chest=-0.236,left_shoulder=-0.755,left_roll=-0.326,left_upper=-0.517,left_fore=-0.72,"
            "left_wrist=0.155,left_bend=0.007,left_hand=-0.232,right_shoulder=-0.373,right_roll=0.2,right_upper=0.74,"
            "right_fore=-0.729,right_wrist=0.171,right_bend=0.407,right_hand=-0.185"},
    {.name = "twist",
        .summary = "a humanoid as capsules, knees bent: the upper body turns, its hands sweep through the thighs",
        .robot = "humanoid",
        .capsules = 1,
        HUMANOID_TWIST},
    {.name = "pick",
        .summary = "a humanoid as capsules: its hand goes from before the knees to behind the right thigh",
        .robot = "humanoid",
        .capsules = 1,
        .key = "stand",
        .start = HUMANOID_KNEES("-0.8", "1.4", "-0.6") "waist=0.5,chest=0.5,right_shoulder=-0.6,right_fore=-0.4,"
                                                       "right_roll=0.2,left_shoulder=0.3,left_roll=0.5",
        .goal = HUMANOID_KNEES("-1", "1.7", "-0.7") "waist=-0.8,chest=0.6,right_shoulder=0.6,right_roll=0.25,"
                                                    "right_fore=-0.3",
        HUMANOID_DOUBLE},
    {.name = "twistmesh",
        .summary = "the same turn of a humanoid of rounded hulls",
        .robot = "humanoid-mesh",
        HUMANOID_TWIST},
    {.name = "statues",
        .summary = "a humanoid of rounded hulls moves its arms from outside two statues to between them",
        .robot = "humanoid-mesh",
        .key = "stand",
        .joints = HUMANOID_ARMS,
        HUMANOID_FIXED,
        .start = "chest=0.059,left_shoulder=-0.559,left_roll=0.759,left_upper=0.182,left_fore=-0.654,left_bend=0.065,"
                 "right_shoulder=-0.559,right_roll=-0.759,right_upper=-0.182,right_fore=-0.654,right_bend=-0.065",
        .goal =
            "chest=-0.249,left_shoulder=-0.364,left_roll=-0.284,left_upper=-0.159,left_fore=-0.914,left_bend=-0.065,"
            "left_hand=-0.06,right_shoulder=-0.364,right_roll=0.284,right_upper=0.159,right_fore=-0.914,"
            "right_bend=0.065,right_hand=-0.06",
        .obstacles = plan_make_statues},
    {.name = "bar",
        .summary = "a humanoid on its left foot steps over a thin bar",
        .robot = "humanoid",
        .key = "stand",
        .support = "left",
        .neighbors = 3,
        .joints = HUMANOID_LEGS ",waist,chest",
        .start = "left_hip=-0.09,left_foot=0.09,left_thigh=-0.3,left_shin=0.6,left_ankle=-0.3,right_hip=-0.1,"
                 "right_foot=0.1,right_thigh=-0.45,right_shin=1.1,right_ankle=-0.6",
        .goal = "right_thigh=-1.05,right_shin=0.6,right_ankle=0.3",
        .obstacles = plan_make_bar},
    {.name = "place",
        .summary =
            "a humanoid leans on a table with its left hand and brings the right one over it, feet and hand bearing",
        .robot = "humanoid",
        .key = "stand",
        .support = "left_foot",
        .balance = "-0.08,-0.15;0.14,-0.15;0.42,0.22;0.14,0.15;-0.08,0.15",
        .allow = ON_THE_GROUND ",table:left_hand",
        .neighbors = 3,
        .joints = HUMANOID_ARM("right"),
        .start = "waist=-0.14,chest=0.2,left_shoulder=-0.55,left_fore=-0.55,right_shoulder=-0.1,right_roll=-0.25,"
                 "right_fore=-0.3",
        .goal = "right_shoulder=-0.5,right_roll=0.1,right_fore=-1.1",
        .obstacles = plan_make_table},
    {.name = "two-arms",
        .summary = "two arms with grippers exchange their places, one over the other",
        .robot = "two-arms",
        .joints = TWO_ARMS("left") "," TWO_ARMS("right"),
        .start = "left_shoulder=0,left_upper=0.9,left_fore=0.6,right_shoulder=0.9,right_upper=0.3,right_fore=0.9",
        .goal = "left_shoulder=-0.9,left_upper=0.3,left_fore=0.9,right_shoulder=0,right_upper=0.9,right_fore=0.6"},
    {.name = "talos-cross",
        .summary = "TALOS as capsules: its hands swap their height, cross, and come back",
        .start = TALOS_LEGS TALOS_ARM("left", -.1724, .0298, -.0792, -1.5105, .0135, -.0204, -.1907) "," TALOS_ARM(
            "right", .5517, -.3093, -.2724, -2.1649, -.1310, -.0526, -.0865),
        .goal = TALOS_ARM("left", -.1724, .0298, -.0792, -1.5105, .0135, -.0204, -.1907),
        .via = "0.5:" TALOS_ARM("left", -1.4046, .6625, .3763, -1.8982, -.0540, .1045, .0019) "," TALOS_ARM(
            "right", 1.3218, -.3157, -.2325, -1.4687, -.2631, -.0211, .1948),
        TALOS_CAPSULES,
        TALOS_FIXED},
    {.name = "talos-twist",
        .summary = "TALOS as capsules, knees bent: the upper body turns, its hands sweep through the thighs",
        .start = TALOS_KNEES(-1.15, 1.9, -.75) TALOS_TRUNK(-.9, .62) TALOS_ARM("left", .5244, .0587, -2.1602, -.0535,
            .1579, -.1004, -.0417) "," TALOS_ARM("right", .0925, -.0587, -.5727, -1.7189, -.1738, .2483, -.0123),
        .goal = TALOS_TRUNK(.9, .62) TALOS_ARM("left", -.0925, .0587, .5727, -1.7189, .1738, -.2483,
            -.0123) "," TALOS_ARM("right", -.5244, -.0587, 2.1602, -.0535, -.1579, .1004, -.0417),
        TALOS_CAPSULES,
        TALOS_DOUBLE},
    {.name = "talos-pick",
        .summary = "TALOS as capsules: its hand goes from before the knees to behind the right thigh",
        .start = TALOS_KNEES(-.8, 1.4, -.6) TALOS_TRUNK(.6063, .4500)
            TALOS_LEFT TALOS_ARM("right", .6112, -.0998, -.3553, -1.0454, -.1988, .3320, .1201),
        .goal = TALOS_KNEES(-1.0, 1.7, -.7) TALOS_TRUNK(-.8032, .7130) TALOS_ARM("left", .4915, .1141, -.1312, -.7298,
            .3725, -.0889, .3529) "," TALOS_ARM("right", -.2902, -.3296, .7410, -.6776, .0291, .6416, -.4653),
        TALOS_CAPSULES,
        TALOS_DOUBLE},
    {.name = "talos-twistmesh",
        .summary = "TALOS as hulls: the upper body turns, its hands sweep through the thighs",
        .start = TALOS_KNEES(-1.15, 1.9, -.75) TALOS_TRUNK(-.9, .62) TALOS_ARM("left", .0660, .0587, -.2648, -1.4729,
            .0755, -.4435, -.6307) "," TALOS_ARM("right", -.2498, -.0587, .8090, -.3070, -.9064, .2592, .6307),
        .goal = TALOS_TRUNK(.9, .62) TALOS_ARM("left", .2498, .0587, -.8090, -.3070, .9064, -.2592,
            .6307) "," TALOS_ARM("right", -.0660, -.0587, .2648, -1.4729, -.0755, .4435, -.6307),
        .pairs = THESIS_PAIRS,
        TALOS_DOUBLE},
    {.name = "talos-statues",
        .summary = "TALOS moves its arms from outside two statues to between them",
        .start = TALOS_LEGS TALOS_TRUNK(.1124, .4151) TALOS_ARM("left", -.4789, 1.1898, .4316, -.7904, .0036, -.0040,
            -.0600) "," TALOS_ARM("right", .2096, -1.1769, -.1952, -.8359, .0854, -.0336, .2415),
        .goal = TALOS_TRUNK(.2269, .0426) TALOS_ARM("left", -1.5508, 1.0678, -.0208, -.6550, .2653, -.0255,
            .2772) "," TALOS_ARM("right", 1.4064, -.8531, .4776, -.1099, -.2372, -1.3087, .4845),
        .pairs = STATUE_PAIRS("statue1") "," STATUE_PAIRS("statue2") ",RH:LH,RH:LE,LH:RE,RE:LE,RH:CHEST,LH:CHEST",
        .obstacles = plan_make_talos_statues,
        TALOS_FIXED},
    {.name = "talos-cup",
        .summary = "TALOS puts its hand into a cup, over the rim; the hand and the cup are the one pair",
        .pairs = "RH:cup",
        .start = TALOS_LEGS TALOS_LEFT TALOS_ARM("right", .2782, -.5228, -.1388, -.9293, -.0031, -.0142, .0274),
        .goal = TALOS_ARM("right", .7359, -.7581, .1356, -1.3633, -.3617, .5839, .5952),
        .obstacles = plan_make_talos_cup,
        TALOS_FIXED},
    {.name = "talos-bar",
        .summary = "TALOS on its left foot steps over a thin bar",
        .obstacles = plan_make_talos_bar,
        TALOS_BAR},
    {.name = "talos-bar-high",
        .summary = "the same with the bar at 37 cm",
        .obstacles = plan_make_talos_bar_high,
        TALOS_BAR},
    {.name = "talos-ring",
        .summary = "TALOS puts its hand through a ring; hand and forearm against the ring",
        .pairs = "RH:ring,RE:ring",
        .obstacles = plan_make_talos_ring,
        TALOS_RING},
    {.name = "talos-ring-tight",
        .summary = "the same with a ring of 11.8 cm radius",
        .pairs = "RH:ring,RE:ring",
        .obstacles = plan_make_talos_ring_tight,
        TALOS_RING},
};

const Scenario *plan_scenarios(int *count) {
    *count = (int)(sizeof scenarios / sizeof scenarios[0]);
    return scenarios;
}

/* ---- pairs of groups --------------------------------------------------------------------------------------------- */

typedef struct Group {
    const char *name, *links; /* with commas between */
} Group;

#define TALOS_HAND(side)                                                                                               \
    "arm_" side "_7_link,gripper_" side "_motor_double_link,gripper_" side "_inner_double_link,gripper_" side          \
    "_fingertip_1_link,gripper_" side "_fingertip_2_link,gripper_" side "_motor_single_link,gripper_" side             \
    "_inner_single_link,gripper_" side "_fingertip_3_link"

static const Group groups[] = {
    {"RH", TALOS_HAND("right")},
    {"LH", TALOS_HAND("left")},
    {"RE", "arm_right_5_link"},
    {"LE", "arm_left_5_link"},
    {"RU", "arm_right_3_link"},
    {"LU", "arm_left_3_link"},
    {"CHEST", "torso_2_link"},
    {"WAIST", "base_link"},
    {"HEAD", "head_2_link"},
    {"RHIP", "leg_right_3_link"},
    {"LHIP", "leg_left_3_link"},
    {"RKNEE", "leg_right_4_link"},
    {"LKNEE", "leg_left_4_link"},
    {"RANK", "leg_right_5_link"},
    {"RFOOT", "leg_right_6_link"},
};

/* The links of a word, which is a group or a link itself. */
static const char *links_of(const char *word, size_t length, size_t *out_length) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i)
        if (strlen(groups[i].name) == length && memcmp(groups[i].name, word, length) == 0) {
            *out_length = strlen(groups[i].links);
            return groups[i].links;
        }
    *out_length = length;
    return word;
}

/* All pairs of two lists. */
static size_t put_product(char *out, size_t room, const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t used = 0;
    for (const char *p = a; p < a + a_length;) {
        size_t one = strcspn(p, ",:");
        one = p + one > a + a_length ? (size_t)(a + a_length - p) : one;
        for (const char *q = b; q < b + b_length;) {
            size_t two = strcspn(q, ",:");
            two = q + two > b + b_length ? (size_t)(b + b_length - q) : two;
            if (used < room) used += (size_t)snprintf(out + used, room - used, "%.*s:%.*s,", (int)one, p, (int)two, q);
            q += two + 1;
        }
        p += one + 1;
    }
    return used;
}

char *plan_expand_pairs(const char *text) {
    enum { ROOM = 1 << 16 };
    char *out = abut_alloc(ROOM);
    size_t used = 0;
    if (!out) return NULL;
    out[0] = 0;
    for (const char *p = text; *p;) {
        size_t colon = strcspn(p, ":"), end = strcspn(p, ","), a, b;
        const char *one = links_of(p, colon, &a), *two = links_of(p + colon + 1, end - colon - 1, &b);
        used += put_product(out + used, ROOM - used, one, a, two, b);
        p += end + (p[end] == ',');
    }
    if (used) out[used - 1] = 0; /* the last comma */
    return out;
}
