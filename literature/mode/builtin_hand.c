/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in hand: a fixed palm, three fingers of three links and a thumb of two, all hinges along x, around a
 * football with six degrees of freedom; one contact on every link and one on the palm. Lengths are those of the
 * published example. The generic variant has its contacts moved and its tangent frames turned at random, which removes
 * the mirror symmetries that make the count of the original ill-conditioned.
 */
#include "literature/mode/builtin.h"

#include <string.h>

enum { LINKS = 11, HAND_DOF = 17, HAND_CONTACTS = 12 };

typedef struct HandContact {
    double point[3], normal[3], x[3], y[3];
} HandContact;

static const HandContact hand_contacts[2][HAND_CONTACTS] = {
    {
        {{-3.016640538, 6.422932332, 2.588465403}, {0.156098072, -0.812533911, 0.561624461},
            {0.812533916, 0.428931354, 0.394723357}, {-0.561624454, 0.394723368, 0.727166718}},
        {{-3.01642032, 7.204582153, 6.08919844}, {0.155991712, -0.974146987, -0.1634143},
            {0.974146987, 0.179092425, -0.137708206}, {0.163414297, -0.13770821, 0.976899287}},
        {{-3.016168958, 4.152396057, 9.776761688}, {0.156034254, -0.342029151, -0.926644145},
            {0.342029159, 0.898805816, -0.274160828}, {0.926644142, -0.274160837, 0.257228438}},
        {{-0.001272509, 6.357363652, 2.117703113}, {8.9e-08, -0.771375645, 0.636380087},
            {0.771375646, 0.404979667, 0.490888055}, {-0.636380086, 0.490888057, 0.595020422}},
        {{0.000179344, 7.410901635, 6.250558789}, {-1e-08, -0.981776199, -0.190040774},
            {-0.981776197, 0.036115507, -0.186577517}, {0.190040784, 0.186577506, -0.963884503}},
        {{-0.001040068, 4.892592708, 9.694074029}, {6e-08, -0.478190002, -0.87825641},
            {0.47819, 0.771334337, -0.419973409}, {0.878256411, -0.419973408, 0.228665723}},
        {{3.01664096, 6.422937676, 2.588473113}, {-0.156079022, -0.812536406, 0.561626146},
            {-0.812536406, 0.42891844, 0.394732263}, {-0.561626145, -0.394732265, -0.727160582}},
        {{3.01641799, 7.204582373, 6.089198925}, {-0.156092773, -0.974131236, -0.163411692},
            {-0.974131235, 0.17919073, -0.137691752}, {0.163411697, 0.137691746, -0.976902042}},
        {{3.016168619, 4.152402503, 9.776759356}, {-0.156048013, -0.342028429, -0.926642095},
            {-0.342028431, 0.89880745, -0.274156381}, {0.926642094, 0.274156384, -0.257240563}},
        {{5.013401739, -1.358793104, 3.334017775}, {-0.278074822, 0.855880068, 0.436054702},
            {0.855880071, 0.42684835, -0.292009915}, {-0.436054696, 0.292009924, -0.851226472}},
        {{5.012886105, -1.802823148, 5.809214515}, {-0.27783441, 0.953971853, -0.112897049},
            {0.953971854, 0.287808898, 0.084283693}, {0.112897046, -0.084283697, -0.990025512}},
        {{-2.22e-06, 2.500000253, 0.3}, {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}},
    },
    {
        {{-3.1223, 6.2134, 2.679}, {0.029086587, -0.838002372, 0.54489081}, {-0.749105375, -0.379195247, -0.543186987},
            {0.661811989, -0.392381179, -0.638781576}},
        {{-3.0562, 6.9465, 5.8436}, {0.143654968, -0.943811502, -0.297629131},
            {-0.515371129, -0.328095712, 0.791672788}, {-0.844840725, 0.039661732, -0.533545778}},
        {{-2.9699, 4.0904, 10.0625}, {0.019667709, -0.230488305, -0.972876314},
            {-0.740294546, -0.657378109, 0.140776444}, {-0.671994915, 0.717446279, -0.183558357}},
        {{0.1884, 6.1658, 2.1667}, {0.040088051, -0.778841607, 0.625938255}, {-0.659062311, -0.491458842, -0.569302272},
            {0.751019186, -0.389710094, -0.533006777}},
        {{0.1084, 7.3675, 6.139}, {0.024992007, -0.969574193, -0.243518548}, {0.707936923, 0.189156106, -0.680474305},
            {0.705833346, -0.155389353, 0.691124762}},
        {{0.0436, 4.9077, 9.9192}, {0.075222407, -0.592096371, -0.802348725}, {-0.857924343, -0.448534342, 0.250564892},
            {-0.508239521, 0.669506409, -0.541713723}},
        {{2.8078, 6.4163, 2.312}, {-0.112001413, -0.777504177, 0.618823834}, {0.989588164, -0.030621481, 0.140632824},
            {-0.090393305, 0.628131817, 0.77283858}},
        {{3.073, 7.2525, 6.0629}, {-0.062933125, -0.977951698, -0.199122822}, {0.550210894, -0.200456742, 0.810607838},
            {-0.832650824, -0.058545461, 0.550695047}},
        {{3.1044, 4.4483, 9.9699}, {-0.225484467, -0.384501851, -0.895162042}, {-0.946516612, 0.304117103, 0.107791886},
            {0.230787907, 0.871591139, -0.432511073}},
        {{4.7837, -1.6234, 3.495}, {-0.405212736, 0.812110774, 0.419855605}, {0.705798523, -0.014005877, 0.708274156},
            {0.581077519, 0.583335174, -0.567511225}},
        {{5.0426, -1.5728, 6.0008}, {-0.184525939, 0.971106127, -0.151337593}, {-0.15515241, 0.123268582, 0.980169672},
            {0.970503945, 0.204347121, 0.127923206}},
        {{-0.2094, 2.3057, 0.1392}, {-0.077679749, -0.004380388, 0.99696874},
            {-0.437953641, -0.898191119, -0.038069954}, {0.89563523, -0.439583355, 0.067852854}},
    },
};

/* Links 0-8 are three fingers of three, 9-10 the thumb; `angles` are the joint angles. */
static const double hand_angles[LINKS] = {0.966, 0.771, 1.051, 0.881, 0.881, 0.881, 0.966, 0.771, 1.051, 2.042, -0.589};
static const double finger_root[4][2] = {{-4.0, 5.0}, {0.0, 5.0}, {4.0, 5.0}, {6.0, 0.0}};
static const double link_length = 5.0;

/* Where the hinge of every link is. */
static void hinge_positions(AbutVec3 *hinge) {
    double angle = 0.0;
    for (int link = 0; link < LINKS; ++link) {
        int finger = link / 3;
        if (link % 3 == 0) {
            hinge[link] = abut_vec3(finger_root[finger][0], finger_root[finger][1], 0.0);
            angle = hand_angles[link];
        } else {
            AbutVec3 along = abut_vec3(0.0, abut_cos(angle), abut_sin(angle));
            hinge[link] = abut_add_scaled(hinge[link - 1], along, link_length);
            angle += hand_angles[link];
        }
    }
}

/* Twist of a link at the world origin: every hinge of its finger up to the link adds a turn about x. */
static void link_jacobian(const AbutVec3 *hinge, int link, double *jacobian) {
    memset(jacobian, 0, sizeof(double) * 6 * HAND_DOF);
    for (int j = link - link % 3; j <= link; ++j) {
        AbutVec3 v = abut_cross(hinge[j], abut_axis(0));
        jacobian[0 * HAND_DOF + j] = v.x;
        jacobian[1 * HAND_DOF + j] = v.y;
        jacobian[2 * HAND_DOF + j] = v.z;
        jacobian[3 * HAND_DOF + j] = 1.0;
    }
}

AbutStatus abut_mode_builtin_hand(int generic, AbutModeSystem *out, AbutError *error) {
    AbutModeBody bodies[LINKS + 1] = {0};
    AbutPointContact contacts[HAND_CONTACTS];
    AbutVec3 hinge[LINKS];
    double jacobians[LINKS][6 * HAND_DOF];
    hinge_positions(hinge);
    for (int link = 0; link < LINKS; ++link) {
        link_jacobian(hinge, link, jacobians[link]);
        bodies[link].kind = ABUT_MODE_BODY_JACOBIAN;
        bodies[link].rotation = abut_mat3_identity();
        bodies[link].jacobian = jacobians[link];
    }
    bodies[LINKS].kind = ABUT_MODE_BODY_FREE;
    bodies[LINKS].first_dof = LINKS;
    bodies[LINKS].position = abut_vec3(0.0, 2.5, 5.3);
    for (int i = 0; i < HAND_CONTACTS; ++i) {
        const HandContact *c = &hand_contacts[generic][i];
        contacts[i].point = abut_vec3(c->point[0], c->point[1], c->point[2]);
        contacts[i].normal = abut_vec3(c->normal[0], c->normal[1], c->normal[2]);
        contacts[i].tangent_x = abut_vec3(c->x[0], c->x[1], c->x[2]);
        contacts[i].tangent_y = abut_vec3(c->y[0], c->y[1], c->y[2]);
        contacts[i].body_a = i < LINKS ? i : -1;
        contacts[i].body_b = LINKS;
    }
    AbutModeSystemDef def = {.contacts = contacts,
        .contact_count = HAND_CONTACTS,
        .bodies = bodies,
        .body_count = LINKS + 1,
        .dof = HAND_DOF,
        .lines = 2,
        .literal = !generic};
    return abut_mode_system_build(&def, out, error);
}
