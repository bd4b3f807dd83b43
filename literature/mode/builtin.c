/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems by name: a cube against walls, a peg in a hole, a box on a box against walls, a box in a hand, a ball held by
 * fingers, the hand with a football. The first three and the hands are the examples of the paper; of its box in a hand
 * it gives no numbers, so those here are ours.
 */
#include "literature/mode/builtin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 128 };

/* The walls of the box examples in their order: inward normal and the two tangents as axes. */
typedef struct Wall {
    int axis, sign, first, second;
} Wall;

static const Wall walls[5] = {{2, 1, 0, 1}, {1, 1, 2, 0}, {0, 1, 1, 2}, {0, -1, 2, 1}, {1, -1, 0, 2}};

/* Corner k = 0..3 of the face of a cube of half size `half` that touches the wall. */
static AbutVec3 wall_corner(const Wall *wall, int k, double half) {
    double p[3];
    p[wall->axis] = -half * wall->sign;
    p[wall->first] = k & 2 ? half : -half;
    p[wall->second] = k & 1 ? half : -half;
    return abut_vec3(p[0], p[1], p[2]);
}

static AbutPointContact wall_contact(const Wall *wall, AbutVec3 point, int body) {
    AbutPointContact c = {.point = point, .body_a = -1, .body_b = body};
    c.normal = abut_scale(abut_axis(wall->axis), wall->sign);
    c.tangent_x = abut_axis(wall->first);
    c.tangent_y = abut_axis(wall->second);
    return c;
}

/* A unit cube with its four corners on each of the first `count` walls. */
static AbutStatus build_box(int count, AbutModeSystem *out, AbutError *error) {
    AbutPointContact contacts[20];
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    if (count < 1 || count > 5) return abut_fail(error, ABUT_ERROR_ARGUMENT, "box:%d: a box has 1 to 5 walls", count);
    for (int i = 0; i < 4 * count; ++i)
        contacts[i] = wall_contact(&walls[i / 4], wall_corner(&walls[i / 4], i % 4, 0.5), 0);
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = 4 * count, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    return abut_mode_system_build(&def, out, error);
}

/* A cylinder of radius 3 and height 40/3 with `count` contacts on each end circle, normals inward. */
static AbutStatus build_peg(int count, AbutModeSystem *out, AbutError *error) {
    AbutPointContact contacts[MOST_CONTACTS];
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    if (count < 1 || count > MOST_CONTACTS / 2)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "peg:%d: a peg has 1 to %d contacts at each end", count, MOST_CONTACTS / 2);
    for (int i = 0; i < 2 * count; ++i) {
        double angle = 2.0 * ABUT_PI * (i % count) / count, c = abut_cos(angle), s = abut_sin(angle);
        AbutPointContact contact = {
            .point = abut_vec3(3.0 * c, 3.0 * s, i < count ? 20.0 / 3.0 : -20.0 / 3.0), .body_a = -1};
        contact.normal = abut_vec3(-c, -s, 0.0);
        contact.tangent_x = abut_axis(2);
        contact.tangent_y = abut_vec3(-s, c, 0.0);
        contacts[i] = contact;
    }
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = 2 * count, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    return abut_mode_system_build(&def, out, error);
}

/*
 * A cube that slides on the ground (3 velocities) with a cube of 0.8 on top of it (6 velocities). With two walls, both
 * lean on a side wall; the contacts of the upper cube sit at +-0.5 as in the published example.
 */
static AbutStatus build_box_box(int count, AbutModeSystem *out, AbutError *error) {
    double jacobian[6 * 9] = {0};
    AbutPointContact contacts[16];
    int n = 0;
    if (count < 1 || count > 2)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "box-box:%d: two boxes have 1 or 2 walls", count);
    jacobian[0 * 9 + 1] = jacobian[1 * 9 + 2] = jacobian[5 * 9 + 0] = 1.0;
    AbutModeBody bodies[2] = {{.kind = ABUT_MODE_BODY_JACOBIAN, .rotation = abut_mat3_identity(), .jacobian = jacobian},
        {.kind = ABUT_MODE_BODY_FREE, .first_dof = 3, .position = {0.0, 0.0, 0.9}}};
    for (int k = 0; k < 4; ++k) contacts[n++] = wall_contact(&walls[0], wall_corner(&walls[0], k, 0.5), 0);
    for (int k = 0; k < 4 && count == 2; ++k) {
        AbutVec3 corner = wall_corner(&walls[1], k, 0.5);
        contacts[n++] = wall_contact(&walls[1], corner, 0);
        contacts[n++] = wall_contact(&walls[1], abut_add(corner, bodies[1].position), 1);
    }
    for (int k = 0; k < 4; ++k) {
        AbutPointContact c = {
            .point = abut_vec3(k & 2 ? 0.4 : -0.4, k & 1 ? 0.4 : -0.4, 0.5), .body_a = 1, .body_b = 0};
        c.normal = abut_vec3(0.0, 0.0, -1.0);
        c.tangent_x = abut_axis(1);
        c.tangent_y = abut_axis(0);
        contacts[n++] = c;
    }
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = n, .bodies = bodies, .body_count = 2, .dof = 9, .lines = 2};
    return abut_mode_system_build(&def, out, error);
}

/*
 * A unit cube on a palm between two fingers of two hinges about y each, whose pads lie flat on two sides: four contacts
 * on the palm, four on each pad; six velocities of the box, then those of the hinges, left root, left tip, right root,
 * right tip. The pads are the outer links; hinges are at the height of the palm, 0.75 out, and 0.5 above it.
 */
static AbutStatus build_box_hand(AbutModeSystem *out, AbutError *error) {
    enum { DOF = 10 };
    double jacobian[2][6 * DOF] = {{0}};
    AbutPointContact contacts[12];
    AbutModeBody bodies[3] = {{.kind = ABUT_MODE_BODY_FREE}};
    for (int f = 0; f < 2; ++f) {
        double side = f ? 0.75 : -0.75;
        bodies[1 + f] =
            (AbutModeBody){.kind = ABUT_MODE_BODY_JACOBIAN, .rotation = abut_mat3_identity(), .jacobian = jacobian[f]};
        for (int j = 0; j < 2; ++j) {
            AbutVec3 v = abut_cross(abut_vec3(side, 0.0, j ? 0.0 : -0.5), abut_axis(1));
            for (int k = 0; k < 3; ++k) jacobian[f][k * DOF + 6 + 2 * f + j] = abut_get(v, k);
            jacobian[f][4 * DOF + 6 + 2 * f + j] = 1.0;
        }
    }
    for (int i = 0; i < 12; ++i) {
        const Wall *wall = &walls[i < 4 ? 0 : i < 8 ? 2 : 3];
        contacts[i] = wall_contact(wall, wall_corner(wall, i % 4, 0.5), 0);
        contacts[i].body_a = i < 4 ? -1 : i < 8 ? 1 : 2;
    }
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = 12, .bodies = bodies, .body_count = 3, .dof = DOF, .lines = 2};
    return abut_mode_system_build(&def, out, error);
}

/* A unit ball held by fixed fingertips spread evenly over its equator. */
static AbutStatus build_grasp(int count, AbutModeSystem *out, AbutError *error) {
    AbutPointContact contacts[MOST_CONTACTS];
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    if (count < 1 || count > MOST_CONTACTS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "grasp:%d: a grasp has 1 to %d fingers", count, MOST_CONTACTS);
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * ABUT_PI * i / count;
        AbutPointContact contact = {.point = abut_vec3(abut_cos(angle), abut_sin(angle), 0.0), .body_a = -1};
        contact.normal = abut_neg(contact.point);
        contact.tangent_x = abut_axis(2);
        contact.tangent_y = abut_vec3(-abut_sin(angle), abut_cos(angle), 0.0);
        contacts[i] = contact;
    }
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = count, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    return abut_mode_system_build(&def, out, error);
}

AbutStatus abut_mode_builtin(const char *name, AbutModeSystem *out, AbutError *error) {
    static const struct {
        const char *name;
        AbutStatus (*build)(int count, AbutModeSystem *out, AbutError *error);
    } families[] = {{"box", build_box}, {"peg", build_peg}, {"box-box", build_box_box}, {"grasp", build_grasp}};
    ABUT_ASSERT(name && out);
    memset(out, 0, sizeof *out);
    if (strcmp(name, "hand-ball") == 0 || strcmp(name, "hand-ball-generic") == 0)
        return abut_mode_builtin_hand(name[9] != 0, out, error);
    if (strcmp(name, "box-hand") == 0) return build_box_hand(out, error);
    const char *colon = strchr(name, ':');
    for (size_t i = 0; colon && i < sizeof families / sizeof families[0]; ++i) {
        size_t length = strlen(families[i].name);
        char *end;
        if ((size_t)(colon - name) != length || strncmp(name, families[i].name, length) != 0) continue;
        long count = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || count < 0 || count > 10000)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected a number after the colon", name);
        return families[i].build((int)count, out, error);
    }
    return abut_fail(error, ABUT_ERROR_ARGUMENT,
        "no built-in system %s; there are box:1..5, peg:N, box-box:1|2, box-hand, grasp:N, hand-ball, "
        "hand-ball-generic",
        name);
}
