/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance of random convex polyhedra against the exhaustive reference: hulls of 4 .. 64 points on random
 * ellipsoids, far apart to concentric, at scales from 1e-6 to 1e6, with their vertices near and far from their origin.
 * ABUT_TEST_SCALE=25 makes it more than a million pairs.
 */
#include "oracle/convex_oracle.h"
#include "oracle/oracle_vec.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { BODIES = 6, BATCHES = 150 };

typedef enum Regime { FAR, NEAR, VERY_NEAR, TOUCHING, SHALLOW, DEEP, CONCENTRIC, CONTAINED, IDENTICAL, REGIMES } Regime;

static const char *const regime_name[REGIMES] = {
    "far", "near", "very near", "touching", "shallow", "deep", "concentric", "contained", "identical"};

typedef struct Batch {
    AbutPolyhedron *hull[BODIES];
    double scale;
    int index, number; /* of the batch, and of the case now running */
} Batch;

typedef struct Case {
    AbutConvex a, b;
    AbutPose b_in_a;
    OracleBody oracle_a, oracle_b;
    OracleDistance truth;
    double size; /* of the larger body */
    Regime regime;
    int batch, number; /* to find it again */
} Case;

typedef struct Count {
    int separated, touching, penetrating, unique;
} Count;

static AbutVec3 random_unit(AbutRng *rng) {
    AbutVec3 v = abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
    return abut_normalize_or(v, abut_axis(0));
}

static AbutPolyhedron *offset_hull(AbutRng *rng, int count, double scale, AbutVec3 offset) {
    AbutVec3 points[64];
    AbutQuat q = random_turn(rng);
    double thin = abut_rng_below(rng, 8) == 0 ? 0.01 : 0.3;
    AbutVec3 axes = abut_vec3(1.0, abut_rng_between(rng, 0.3, 1.0), abut_rng_between(rng, thin, 1.0));
    for (int i = 0; i < count; ++i) {
        AbutVec3 p = abut_quat_rotate(q, abut_mul(random_unit(rng), axes));
        points[i] = abut_scale(abut_add(p, offset), scale);
    }
    return hull_of(points, count);
}

/* Bodies 4 and 5 are small: they fit inside the others. */
static Batch make_batch(AbutRng *rng) {
    Batch batch = {{NULL}, 0.0, 0, 0};
    batch.scale = pow(10.0, abut_rng_between(rng, -6.0, 6.0));
    double away = abut_rng_below(rng, 4) == 0 ? 1000.0 : 0.3;
    for (int i = 0; i < BODIES; ++i) {
        int count = 4 + (int)abut_rng_below(rng, abut_rng_below(rng, 3) == 0 ? 61 : 13);
        double scale = i < 4 ? batch.scale : 0.01 * batch.scale;
        batch.hull[i] = offset_hull(rng, count, scale, abut_scale(random_unit(rng), away));
    }
    return batch;
}

static AbutVec3 middle(const AbutPolyhedron *hull) { return hull->mass.centroid; }

/* Pose that puts the middle of B at `at` relative to the middle of A. */
static AbutPose place_middle(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutQuat q, AbutVec3 at) {
    AbutVec3 p = abut_sub(abut_add(middle(a), at), abut_quat_rotate(q, middle(b)));
    return abut_pose(p, q);
}

/* From a pose where they are apart, the translation that leaves `gap` (negative: pushes that deep). */
static AbutPose close_in(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, double gap) {
    OracleBody oa = oracle_body(a, abut_pose_identity()), ob = oracle_body(b, b_in_a);
    OracleDistance d = oracle_distance(&oa, &ob, 0);
    b_in_a.p = abut_add_scaled(b_in_a.p, ov_to(d.normal), gap - (double)d.distance);
    oracle_body_free(&oa);
    oracle_body_free(&ob);
    return b_in_a;
}

static AbutPose regime_pose(Case *c, AbutRng *rng, double scale) {
    const AbutPolyhedron *a = c->a.polyhedron, *b = c->b.polyhedron;
    AbutQuat q = abut_rng_below(rng, 4) == 0 ? abut_quat_identity() : random_turn(rng);
    AbutVec3 u = random_unit(rng);
    AbutPose apart = place_middle(a, b, q, abut_scale(u, abut_rng_between(rng, 2.1, 8.0) * scale));
    switch (c->regime) {
    case NEAR:
        return close_in(&c->a, &c->b, apart, scale * pow(10.0, abut_rng_between(rng, -4.0, -0.5)));
    case VERY_NEAR:
        return close_in(&c->a, &c->b, apart, scale * pow(10.0, abut_rng_between(rng, -12.0, -4.0)));
    case TOUCHING:
        return close_in(&c->a, &c->b, apart, 0.0);
    case SHALLOW:
        return close_in(&c->a, &c->b, apart, -scale * pow(10.0, abut_rng_between(rng, -10.0, -1.0)));
    case DEEP:
        return place_middle(a, b, q, abut_scale(u, abut_rng_between(rng, 0.0, 0.5) * scale));
    case CONCENTRIC:
    case CONTAINED:
        return place_middle(a, b, q, abut_zero());
    case IDENTICAL:
        return abut_pose_identity();
    default:
        return apart;
    }
}

static Case make_case(const Batch *batch, AbutRng *rng, Regime regime) {
    Case c;
    int i = (int)abut_rng_below(rng, 4), j = (int)abut_rng_below(rng, BODIES);
    if (regime == CONTAINED) j = 4 + (int)abut_rng_below(rng, 2);
    if (regime == IDENTICAL) j = i;
    c.a = abut_convex_polyhedron(batch->hull[i], 0.0);
    c.b = abut_convex_polyhedron(batch->hull[j], 0.0);
    if (abut_rng_below(rng, 8) == 0) c.b.radius = 0.05 * batch->scale;
    c.regime = regime;
    c.batch = batch->index;
    c.number = batch->number;
    c.b_in_a = regime_pose(&c, rng, batch->scale);
    c.oracle_a = oracle_body(&c.a, abut_pose_identity());
    c.oracle_b = oracle_body(&c.b, c.b_in_a);
    c.truth = oracle_distance(&c.oracle_a, &c.oracle_b, 0);
    c.size = (double)fmaxl(c.oracle_a.size, c.oracle_b.size);
    return c;
}

static void free_case(Case *c) {
    oracle_body_free(&c->oracle_a);
    oracle_body_free(&c->oracle_b);
}

/* Outcome, distance, witness points and normal, each against the definition. */
static void check_answer(const Case *c, const AbutGap *d) {
    double tolerance = 1e-9 * c->size, truth = (double)c->truth.distance;
    AbutVec3 between = abut_sub(d->point_b, d->point_a);
    double far = (double)ov_length(c->oracle_a.middle); /* vertices far from their origin carry more rounding */
    if (!(fabs(d->distance - truth) <= tolerance) ||
        abut_point_distance(between, abut_scale(d->normal, d->distance)) > tolerance)
        print_error("batch %d, case %d: %s, %d and %d vertices, size %g, middle %g away\n", c->batch, c->number,
            regime_name[c->regime], c->oracle_a.vertex_count, c->oracle_b.vertex_count, c->size, far);
    CHECK(d->outcome != ABUT_NOT_CONVERGED && d->outcome != ABUT_INVALID);
    CHECK_NEAR(d->distance, truth, tolerance);
    if (fabs(truth) > tolerance) CHECK(d->outcome == (truth > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING));
    CHECK_NEAR(abut_length(d->normal), 1.0, 1e-12);
    CHECK((double)oracle_point_outside(&c->oracle_a, d->point_a) <= tolerance);
    CHECK((double)oracle_point_outside(&c->oracle_b, d->point_b) <= tolerance);
    CHECK_VEC_NEAR(between, abut_scale(d->normal, d->distance), tolerance + 1e-11 * far);
    double unsure =
        1e-13 * c->size * c->size / fabs(truth); /* near contact the direction of a tiny vector is less sure */
    CHECK_NEAR((double)oracle_push(&c->oracle_a, &c->oracle_b, ov_from(d->normal)), -truth,
        2.0 * tolerance + fmin(unsure, 1e-5 * c->size));
}

/* Of the bodies without their radii, since those do not change the direction. */
static int normal_is_unique(const Case *c) {
    long double core = c->truth.distance + c->a.radius + c->b.radius;
    if (core > 0) return core > 1e-3L * c->size;
    return c->truth.runner_up + c->truth.distance > 1e-3L * c->size;
}

static void check_push(const Case *c, const AbutGap *d) {
    double tolerance = 1e-9 * c->size;
    AbutPose moved = c->b_in_a;
    moved.p = abut_add_scaled(c->b_in_a.p, d->normal, -d->distance);
    AbutGap after = abut_convex_distance(&c->a, &c->b, moved, NULL, NULL);
    CHECK_NEAR(after.distance, 0.0, 2.0 * tolerance);
    moved.p = abut_add_scaled(c->b_in_a.p, d->normal, -0.99 * d->distance);
    after = abut_convex_distance(&c->a, &c->b, moved, NULL, NULL);
    CHECK_NEAR(after.distance, 0.01 * d->distance, 2.0 * tolerance);
    if (fabs(d->distance) > 1e-6 * c->size) CHECK(after.outcome == d->outcome);
}

static void check_swap(const Case *c, const AbutGap *d, Count *count) {
    AbutPose a_in_b = abut_pose_inv(c->b_in_a);
    AbutGap swapped = abut_convex_distance(&c->b, &c->a, a_in_b, NULL, NULL);
    CHECK_NEAR(swapped.distance, d->distance, 2e-9 * c->size);
    if (!normal_is_unique(c)) return;
    ++count->unique;
    AbutVec3 normal = abut_quat_rotate(c->b_in_a.q, swapped.normal);
    CHECK_VEC_NEAR(normal, abut_neg(d->normal), 1e-5);
}

static void check_motion(const Case *c, const AbutGap *d, AbutRng *rng) {
    AbutPose a_in_world = abut_pose(abut_scale(random_unit(rng), 1000.0 * c->size), random_turn(rng));
    AbutPose b_in_world = abut_pose_mul(a_in_world, c->b_in_a);
    AbutPose b_in_a = abut_pose_between(a_in_world, b_in_world);
    AbutGap moved = abut_convex_distance(&c->a, &c->b, b_in_a, NULL, NULL);
    CHECK_NEAR(moved.distance, d->distance, 2e-9 * c->size);
    if (normal_is_unique(c)) CHECK_VEC_NEAR(moved.normal, d->normal, 1e-5);
}

/* A cache filled at a pose nearby gives the same answer, and so does the yes/no query. */
static void check_cache(const Case *c, AbutRng *rng) {
    AbutConvexCache cache = {0};
    AbutPose nearby = c->b_in_a;
    nearby.p = abut_add_scaled(nearby.p, random_unit(rng), 0.02 * c->size);
    abut_convex_distance(&c->a, &c->b, nearby, NULL, &cache);
    for (int again = 0; again < 2; ++again) {
        AbutGap warm = abut_convex_distance(&c->a, &c->b, c->b_in_a, NULL, &cache);
        CHECK(warm.outcome != ABUT_NOT_CONVERGED && warm.outcome != ABUT_INVALID);
        CHECK_NEAR(warm.distance, (double)c->truth.distance, 1e-9 * c->size);
    }
    if (fabsl(c->truth.distance) > 1e-9L * c->size) {
        assert_int_equal(abut_convex_meet(&c->a, &c->b, c->b_in_a, NULL), c->truth.distance < 0);
        assert_int_equal(abut_convex_meet(&c->a, &c->b, c->b_in_a, &cache), c->truth.distance < 0);
    }
}

static void run_case(const Batch *batch, AbutRng *rng, Regime regime, Count *count) {
    Case c = make_case(batch, rng, regime);
    AbutGap d = abut_convex_distance(&c.a, &c.b, c.b_in_a, NULL, NULL);
    check_answer(&c, &d);
    check_swap(&c, &d, count);
    if (abut_rng_below(rng, 4) == 0) {
        check_push(&c, &d);
        check_motion(&c, &d, rng);
        check_cache(&c, rng);
    }
    count->separated += d.outcome == ABUT_SEPARATED;
    count->touching += d.outcome == ABUT_TOUCHING;
    count->penetrating += d.outcome == ABUT_PENETRATING;
    free_case(&c);
}

static void agrees_with_reference(void **state) {
    (void)state;
    int batches = check_cases(BATCHES), cases = 0;
    Count count = {0};
    for (int i = 0; i < batches; ++i) {
        AbutRng rng = abut_rng(2024, (uint64_t)i);
        Batch batch = make_batch(&rng);
        batch.index = i;
        for (int k = 0; k < 30; ++k)
            for (int r = 0; r < REGIMES; ++r, ++cases, ++batch.number) run_case(&batch, &rng, (Regime)r, &count);
        for (int k = 0; k < BODIES; ++k) abut_polyhedron_free(batch.hull[k]);
    }
    print_message("%d pairs: %d separated, %d touching, %d penetrating, %d with one normal\n", cases, count.separated,
        count.touching, count.penetrating, count.unique);
    CHECK(count.separated >= cases / 5);
    CHECK(count.touching >= cases / 50);
    CHECK(count.penetrating >= cases / 4);
    CHECK(count.unique >= cases / 10);
}

/* ---- the reference itself ---------------------------------------------------------------------------------------- */

/* All pairs of edges give the same as the filtered ones; no direction beats the depth; separation is proven. */
static void reference_keeps_its_definition(void **state) {
    (void)state;
    int cases = check_cases(300), overlap = 0, apart = 0;
    for (int i = 0; i < cases; ++i) {
        AbutRng rng = abut_rng(7, (uint64_t)i);
        Batch batch = make_batch(&rng);
        Case c = make_case(&batch, &rng, (Regime)(i % REGIMES));
        OracleDistance plain = oracle_distance(&c.oracle_a, &c.oracle_b, 1);
        CHECK(fabsl(plain.distance - c.truth.distance) <= 1e-15L * c.size);
        if (c.truth.distance > 0) {
            CHECK_NEAR((double)(c.truth.gap / c.size), 0.0, 1e-10); /* largest where they almost touch */
            ++apart;
        } else {
            for (int k = 0; k < 300; ++k)
                CHECK(oracle_push(&c.oracle_a, &c.oracle_b, ov_unit(ov_from(random_unit(&rng)))) >= -c.truth.distance);
            ++overlap;
        }
        free_case(&c);
        for (int k = 0; k < BODIES; ++k) abut_polyhedron_free(batch.hull[k]);
    }
    CHECK(overlap >= cases / 4 && apart >= cases / 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_keeps_its_definition),
        cmocka_unit_test(agrees_with_reference),
    };
    return cmocka_run_group_tests_name("signed distance against the reference", tests, NULL, NULL);
}
