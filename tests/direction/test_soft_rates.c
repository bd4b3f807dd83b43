/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rates of the soft direction are bounds. A search climbs the part of rate_move * way + rate_turn * angle that the
 * direction turns in a small step, over poses, ways and axes, and over bodies whose origin is far from the contact. It
 * must not come above 1, and the bound must not be so loose that it says nothing.
 */
#include "soft_pairs.h"

/* A pose, and a step of unit size: so far along a way, so much about an axis through the origin of B. */
typedef struct Place {
    AbutPose pose;
    AbutVec3 way, axis;
} Place;

/* The part of the bound that a step is, where the bound is a millionth of a radian; 0: no direction. */
static double part_of(const SoftPair *p, const AbutSoftDef *def, const Place *x) {
    const double small = 1e-6;
    AbutSoft at = abut_soft_direction(p->a, p->b, x->pose, def, p->workspace);
    if (at.outcome == ABUT_SOFT_NONE || at.outcome == ABUT_SOFT_INVALID || at.coherence < 1e-3) return 0.0;
    double step = small / (at.rate_move * abut_length(x->way) + at.rate_turn * abut_length(x->axis));
    AbutQuat q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(x->axis, step)), x->pose.q));
    AbutPose to = abut_pose(abut_add_scaled(x->pose.p, x->way, step), q);
    AbutSoft then = abut_soft_direction(p->a, p->b, to, def, p->workspace);
    double part = abut_angle_between(at.direction, then.direction) / small;
    CHECK(part <= 1.0 + 1e-4);
    return part;
}

/* What the step does, in pure rotation (kind 0), pure movement (1) or both (2), at a random pose near contact. */
static Place random_place(AbutRng *rng, const SoftPair *p, int kind, double far) {
    Place x = {near_pose(rng, p), abut_zero(), abut_zero()};
    x.pose.p = abut_sub(abut_scale(x.pose.p, far), abut_quat_rotate(x.pose.q, p->b->center));
    if (kind > 0) x.way = abut_random_direction(rng);
    if (kind != 1)
        x.axis = abut_scale(abut_random_direction(rng), kind == 0 ? 1.0 : exp(abut_rng_between(rng, -2.0, 2.0)));
    return x;
}

static AbutVec3 nudged(AbutRng *rng, AbutVec3 v, double by) {
    double length = abut_length(v);
    return length > 0.0
               ? abut_scale(abut_normalize(abut_add_scaled(v, abut_random_direction(rng), by * length)), length)
               : v;
}

static double climb(AbutRng *rng, const SoftPair *p, const AbutSoftDef *def, int kind, double far) {
    Place best = random_place(rng, p, kind, far);
    double part = part_of(p, def, &best), by = 0.3;
    for (int i = 0; i < 40; ++i) {
        Place x = i < 12 ? random_place(rng, p, kind, far) : best;
        if (i >= 12) {
            AbutVec3 arm = abut_quat_rotate(x.pose.q, p->b->center), turn = abut_random_direction(rng);
            AbutVec3 middle = abut_add_scaled(abut_add(x.pose.p, arm), abut_random_direction(rng), 0.2 * by * p->size);
            x.pose.q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(turn, by)), x.pose.q));
            x.pose.p = abut_sub(middle, abut_quat_rotate(x.pose.q, p->b->center));
            x.way = nudged(rng, x.way, 2.0 * by);
            x.axis = nudged(rng, x.axis, 2.0 * by);
        }
        double now = part_of(p, def, &x);
        by = i < 12 || now > part ? by : fmax(0.94 * by, 1e-3);
        if (now > part) {
            part = now;
            best = x;
        }
    }
    return part;
}

static SoftPair displaced_pair(int number, AbutVec3 shift) {
    AbutMesh a, b;
    AbutError error;
    good(abut_direction_case_meshes(number, &a, &b, &error), &error);
    for (int32_t i = 0; i < b.vertex_count; ++i) b.vertices[i] = abut_add(b.vertices[i], shift);
    SoftPair p = made_pair(&a, &b, case_tau(number), 1);
    abut_mesh_free(&a);
    abut_mesh_free(&b);
    return p;
}

static void rates_are_bounds(void **state) {
    (void)state;
    AbutRng rng = abut_rng(511, 1);
    double most[3] = {0.0, 0.0, 0.0}, adaptive = 0.0;
    for (int number = 0; number < check_cases(3); ++number)
        for (int k = 0; k < 2; ++k) {
            SoftPair p = displaced_pair(number, abut_scale(abut_random_direction(&rng), k ? 2.0 : 0.0));
            AbutSoftDef fixed = {0.0, 0, 0}, growing = {0.0, 1, 0};
            for (int kind = 0; kind < 3; ++kind) most[kind] = fmax(most[kind], climb(&rng, &p, &fixed, kind, 1.0));
            adaptive = fmax(adaptive, climb(&rng, &p, &growing, k, 2.5));
            close_pair(&p);
        }
    print_message("largest part of the bound: turn %.3f, move %.3f, both %.3f, adaptive %.3f\n", most[0], most[1],
        most[2], adaptive);
    CHECK(check_cases(3) < 3 || (most[0] > 0.05 && most[1] > 0.05 && most[2] > 0.05 && adaptive > 0.02));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
