/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies and paths on which directions are compared. In: the number of a case and a time. Out: meshes and the pose of
 * B. The first four pairs are those of Lee, "Continuous distance computation for planning and haptics" (thesis, 2017),
 * section VI.B, by kind and number of triangles; its models and paths are not public, so that these are stand-ins.
 */
#include "abut/literature.h"
#include "math/functions.h"

enum { CONE_AXIS, SPOON_CUP, FISH_TORUS, TORUS_TORUS, LINKED_TORI, BALL_BAR, BOX_BOX, PEG_CUP, BALL_PLATE, CASES };

static const AbutDirectionCase cases[CASES] = {
    [CONE_AXIS] = {"cone/axis", "a cone of 1,000 triangles turns and moves across three bars of 36", 0.02},
    [SPOON_CUP] = {"spoon/cup", "a spoon of 1,326 triangles turns about itself, leaning in a cup of 1,000", 0.02},
    [FISH_TORUS] = {"fish/torus", "a fish of 950 triangles turns across the tube of a torus of 1,600", 0.02},
    [TORUS_TORUS] = {"torus/torus", "two tori of 2,000 triangles, linked and overlapping, one going round", 0.02},
    [LINKED_TORI] = {"linked tori", "the same with a thinner tube: linked and apart", 0.02},
    [BALL_BAR] = {"ball/bar", "a ball slides over the edge of a bar", 0.02},
    [BOX_BOX] = {"box/box", "a tilted box goes through another one", 0.02},
    [PEG_CUP] = {"peg/cup", "a peg turns in the wall of a cup, which is thinner than it", 0.02},
    [BALL_PLATE] = {"ball/plate", "a ball goes straight through a plate: every direction must turn round", 0.02},
};

const AbutDirectionCase *abut_direction_cases(int *count) {
    ABUT_ASSERT(count);
    *count = CASES;
    return cases;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Two triangles; the corners run counter-clockwise seen from outside. */
static void add_square(AbutMesh *m, const AbutVec3 corner[4]) {
    int32_t v = m->vertex_count;
    AbutTriangle two[2] = {{{v, v + 1, v + 2}}, {{v, v + 2, v + 3}}};
    for (int k = 0; k < 4; ++k) m->vertices[m->vertex_count++] = corner[k];
    m->triangles[m->triangle_count++] = two[0];
    m->triangles[m->triangle_count++] = two[1];
}

static AbutVec3 on_axes(int axis, double along, double first, double second) {
    double x[3];
    x[axis] = along, x[(axis + 1) % 3] = first, x[(axis + 2) % 3] = second;
    return abut_vec3(x[0], x[1], x[2]);
}

/* One of the three bars, and the side of the cube where they meet that is opposite to it. */
static void add_bar(AbutMesh *m, int axis, double w, double length) {
    static const double first[4] = {-1, 1, 1, -1}, second[4] = {-1, -1, 1, 1};
    AbutVec3 low[4], high[4], back[4];
    for (int k = 0; k < 4; ++k) {
        low[k] = on_axes(axis, w, w * first[k], w * second[k]);
        high[k] = on_axes(axis, length, w * first[k], w * second[k]);
        back[3 - k] = on_axes(axis, -w, w * first[k], w * second[k]);
    }
    for (int k = 0; k < 4; ++k) {
        AbutVec3 side[4] = {low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]};
        add_square(m, side);
    }
    add_square(m, high);
    add_square(m, back);
}

/* Three bars of half width w along x, y, z: 36 triangles. */
static AbutStatus make_axis(double w, double length, AbutMesh *out, AbutError *error) {
    AbutStatus status = abut_mesh_create(72, 36, out, error);
    if (status != ABUT_OK) return status;
    out->vertex_count = out->triangle_count = 0;
    for (int axis = 0; axis < 3; ++axis) add_bar(out, axis, w, length);
    status = abut_mesh_weld(out, error);
    if (status != ABUT_OK) abut_mesh_free(out);
    return status;
}

/* Row s of the spoon: bowl over the first 40 % of its length, a thin handle behind it. */
static AbutVec3 spoon_point(double s, double angle) {
    double bowl = s < 0.4 ? abut_sin(ABUT_PI * s / 0.4) : 0.0, far = s < 0.5 ? 0.0 : (s - 0.5) / 0.5;
    double far2 = far * far, far4 = far2 * far2, end = sqrt(abut_larger(0.0, 1.0 - far4 * far4));
    double width =
        0.011 * end * abut_smaller(1.0, s / 0.02) + (bowl > 0.0 ? 0.045 * abut_exp(0.7 * abut_ln(bowl)) : 0.0);
    double thick = 0.006 * end * abut_smaller(1.0, s / 0.05) + 0.002 * bowl;
    double y = width * abut_cos(angle), across = y / (width + 1e-9);
    double z = thick * abut_sin(angle) - 0.025 * bowl * (1.0 - across * across) + 0.03 * s * s;
    return abut_vec3(-0.25 + 0.5 * s, y, z);
}

static AbutStatus make_spoon(AbutMesh *out, AbutError *error) {
    enum { ROWS = 39, AROUND = 17, TIP = ROWS * AROUND, HANDLE };
    AbutStatus status = abut_mesh_create(HANDLE + 1, 2 * AROUND * ROWS, out, error);
    if (status != ABUT_OK) return status;
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < AROUND; ++k)
            out->vertices[i * AROUND + k] = spoon_point((i + 1.0) / (ROWS + 1.0), 2.0 * ABUT_PI * k / AROUND);
    out->vertices[TIP] = abut_vec3(-0.25, 0, 0);
    out->vertices[HANDLE] = abut_vec3(0.25, 0, 0.03);
    AbutTriangle *t = out->triangles;
    for (int i = 0; i + 1 < ROWS; ++i)
        for (int k = 0; k < AROUND; ++k) {
            int a = i * AROUND + k, b = i * AROUND + (k + 1) % AROUND;
            *t++ = (AbutTriangle){{a, b, a + AROUND}};
            *t++ = (AbutTriangle){{b, b + AROUND, a + AROUND}};
        }
    for (int k = 0, last = (ROWS - 1) * AROUND; k < AROUND; ++k) {
        *t++ = (AbutTriangle){{TIP, (k + 1) % AROUND, k}};
        *t++ = (AbutTriangle){{HANDLE, last + k, last + (k + 1) % AROUND}};
    }
    return ABUT_OK;
}

/* A side of an octahedron cut into n^2 triangles; `flip` where its axes are a left-handed set. */
static void add_octant(AbutMesh *m, int n, AbutVec3 sign, int flip) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; i + j < n; ++j)
            for (int upper = 0; upper < (i + j + 2 <= n ? 2 : 1); ++upper) {
                const int at[3][2] = {{i + upper, j + upper}, {i + !upper, j + upper}, {i + upper, j + !upper}};
                AbutTriangle t = {{m->vertex_count, m->vertex_count + 1 + flip, m->vertex_count + 2 - flip}};
                for (int k = 0; k < 3; ++k)
                    m->vertices[m->vertex_count++] =
                        abut_mul(sign, abut_vec3(at[k][0], at[k][1], n - at[k][0] - at[k][1]));
                m->triangles[m->triangle_count++] = t;
            }
}

/* A ball without poles: an octahedron, cut and blown up; 512 triangles. */
static AbutStatus make_ball(double radius, AbutMesh *out, AbutError *error) {
    enum { CUT = 8 };
    AbutStatus status = abut_mesh_create(3 * 8 * CUT * CUT, 8 * CUT * CUT, out, error);
    if (status != ABUT_OK) return status;
    out->vertex_count = out->triangle_count = 0;
    for (int k = 0; k < 8; ++k)
        add_octant(
            out, CUT, abut_vec3(k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1), (k & 1) ^ (k >> 1 & 1) ^ (k >> 2 & 1));
    status = abut_mesh_weld(out, error);
    if (status != ABUT_OK) {
        abut_mesh_free(out);
        return status;
    }
    for (int32_t i = 0; i < out->vertex_count; ++i)
        out->vertices[i] = abut_scale(abut_normalize(out->vertices[i]), radius);
    return ABUT_OK;
}

static AbutStatus make_box(double x, double y, double z, AbutMesh *out, AbutError *error) {
    const double sides[3] = {2.0 * x, 2.0 * y, 2.0 * z};
    return abut_mesh_make("box", 12, sides, out, error);
}

static AbutStatus make_torus(double tube, AbutMesh *out, AbutError *error) {
    const double sizes[2] = {0.3, tube};
    return abut_mesh_make("torus", 2000, sizes, out, error);
}

/* The one that rests. */
static AbutStatus make_a(int number, AbutMesh *out, AbutError *error) {
    switch (number) {
    case CONE_AXIS:
        return make_axis(0.04, 0.3, out, error);
    case FISH_TORUS:
        return abut_mesh_make("torus", 1600, NULL, out, error);
    case TORUS_TORUS:
    case LINKED_TORI:
        return make_torus(0.1, out, error);
    case BALL_BAR:
        return make_box(0.4, 0.1, 0.06, out, error);
    case BOX_BOX:
        return make_box(0.3, 0.2, 0.1, out, error);
    case BALL_PLATE:
        return make_box(0.3, 0.3, 0.05, out, error);
    default: /* the cups */
        return abut_mesh_make("cup", 1000, NULL, out, error);
    }
}

/* The one that moves. */
static AbutStatus make_b(int number, AbutMesh *out, AbutError *error) {
    switch (number) {
    case CONE_AXIS:
        return abut_mesh_make("cone", 1000, NULL, out, error);
    case SPOON_CUP:
        return make_spoon(out, error);
    case FISH_TORUS:
        return abut_mesh_make("fish", 950, NULL, out, error);
    case TORUS_TORUS:
        return make_torus(0.1, out, error);
    case LINKED_TORI:
        return make_torus(0.06, out, error);
    case BOX_BOX:
        return make_box(0.1, 0.12, 0.08, out, error);
    case PEG_CUP:
        return make_box(0.02, 0.02, 0.2, out, error);
    default:
        return make_ball(0.1, out, error);
    }
}

AbutStatus abut_direction_case_meshes(int number, AbutMesh *a, AbutMesh *b, AbutError *error) {
    ABUT_ASSERT(a && b);
    AbutMesh none = {0, 0, NULL, NULL};
    *a = *b = none;
    if (number < 0 || number >= CASES)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "direction: case %d, expected 0 to %d", number, CASES - 1);
    AbutStatus status = make_a(number, a, error);
    if (status == ABUT_OK) status = make_b(number, b, error);
    if (status != ABUT_OK) abut_mesh_free(a);
    return status;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static AbutQuat turned(double x, double y, double z) { return abut_quat_exp(abut_vec3(x, y, z)); }

/* Around the tube of a torus at (0.3, 0, 0), at `radius` from its middle. */
static AbutVec3 around_tube(double angle, double radius) {
    return abut_vec3(0.3 + radius * abut_cos(angle), 0.0, radius * abut_sin(angle));
}

AbutPose abut_direction_case_pose(int number, double t) {
    double a = 2.0 * ABUT_PI * t;
    switch (number) {
    case CONE_AXIS:
        return abut_pose(abut_vec3(0.42 - 0.55 * t, 0.06 + 0.05 * t, 0.05),
            abut_quat_mul(turned(0, 0, 1.2 * a), turned(0.7, 0.2, 0)));
    case SPOON_CUP:
        return abut_pose(abut_vec3(0.12, 0.02, 0.17), abut_quat_mul(turned(0, -1.15, 0), turned(a, 0, 0)));
    case FISH_TORUS:
        return abut_pose(abut_vec3(0.02, 0.33, 0.04), abut_quat_mul(turned(0.25, 0.15, 0.1), turned(a, 0, 0)));
    case TORUS_TORUS:
        return abut_pose(around_tube(a, 0.18), abut_quat_mul(turned(0, a, 0), turned(0.5 * ABUT_PI, 0, 0)));
    case LINKED_TORI:
        return abut_pose(around_tube(a, 0.12), abut_quat_mul(turned(0, a, 0), turned(0.5 * ABUT_PI + 0.05, 0, 0.03)));
    case BALL_BAR:
        return abut_pose(abut_vec3(0.03, 0.02 + 0.2 * t, 0.11 - 0.06 * t), turned(0.1, 0.2, 0.3));
    case BOX_BOX:
        return abut_pose(abut_vec3(0.02, -0.3 + 0.6 * t, 0.03), turned(0.3, 0.2, 0.1));
    case PEG_CUP:
        return abut_pose(abut_vec3(0.16, 0.01, 0.1), abut_quat_mul(turned(0.1, 0.05, 0), turned(0, 0.4 * a, 0)));
    default:
        return abut_pose(abut_vec3(0.013, 0.021, 0.2 - 0.4 * t), turned(0.1, 0.2, 0.3));
    }
}
