/* SPDX-License-Identifier: Apache-2.0 */
/* The distance over time: certified samples, local minima, their gradients, times of contact; all against samples. */
#include "clearance_support.h"
#include "mesh/kernels.h"

typedef struct Meshes {
    AbutMeshTree *tree[2];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Meshes;

static Meshes make_meshes(void) {
    Meshes m = {{made_tree("knot", 300), made_tree("torus", 200)}, {NULL, NULL}, new_space()};
    for (int k = 0; k < 2; ++k) m.body[k] = body_of_mesh(m.tree[k]);
    return m;
}

static void free_meshes(Meshes *m) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(m->body[k]);
        abut_mesh_tree_free(m->tree[k]);
    }
    abut_clearance_space_free(m->space);
}

static double distance_at(const Meshes *m, const AbutMover *a, const AbutMover *b, double t) {
    return abut_mesh_distance(m->tree[0], m->tree[1], pose_of_b_in_a(a, b, t), NULL, NULL).surface;
}

/* ---- the curve --------------------------------------------------------------------------------------------------- */

typedef struct Curve {
    const Meshes *m;
    const AbutMover *a, *b;
    AbutRng *rng;
    double eps, ceiling, at;
    int count;
} Curve;

static int check_sample(const AbutClearanceSample *x, void *user) {
    Curve *c = user;
    assert_true(x->from == c->at && x->to > x->from && x->t > x->from && x->t < x->to);
    double d = distance_at(c->m, c->a, c->b, x->t);
    if (x->beyond)
        assert_true(d >= x->d - 1e-12);
    else
        CHECK_NEAR(d, x->d, 1e-12);
    assert_true(x->lb >= abut_smaller(x->d, c->ceiling) - c->eps && x->lb <= x->d);
    for (int k = 0; k < 3; ++k)
        assert_true(distance_at(c->m, c->a, c->b, abut_rng_between(c->rng, x->from, x->to)) >= x->lb - 1e-12);
    c->at = x->to;
    ++c->count;
    return 0;
}

static void curves_are_certified(void **state) {
    (void)state;
    AbutRng rng = abut_rng(501, 1);
    Meshes m = make_meshes();
    for (int i = 0; i < check_cases(24); ++i) {
        FreeMotion motion;
        AbutMover a = {abut_solid_prepared(m.body[0]), random_free_motion(&rng, 0.9, 0.3, 0.7, &motion)};
        AbutMover b = {abut_solid_prepared(m.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(4e-3);
        double band = i % 3 ? 0.03 * (i % 3) : INFINITY;
        AbutClearance x = abut_clearance(&a, &b, &def, m.space);
        Curve c = {&m, &a, &b, &rng, def.eps, x.ub + band, 0, 0};
        AbutClearance y = abut_clearance_curve(&a, &b, &def, band, check_sample, &c, m.space);
        assert_true(x.ub == y.ub && x.lb == y.lb && c.at == 1 && c.count > 0);
    }
    free_meshes(&m);
}

/* ---- minima ------------------------------------------------------------------------------------------------------ */

/* Does a minimum tell the valley whose lowest sample has this time and distance? Near it; or, where the valley is flat,
 * around it and as low as the tolerance asks. */
static int tells_valley(const AbutClearanceMinimum *q, double t, double d, double eps) {
    return fabs(q->t - t) < 0.02 || (q->from <= t && t <= q->to && q->d <= d + eps);
}

/* The middle of a contact that lasts, to a tenth of the motion: the samples of the curve are wide there. */
static void check_contact(const AbutClearanceMinimum *q, const double *d, int samples) {
    int first = (int)lround(q->t * samples), last = first;
    while (first > 0 && d[first - 1] <= 0) --first;
    while (last < samples && d[last + 1] <= 0) ++last;
    double middle = 0.5 * (first + last) / samples;
    assert_true(q->d == 0 && q->from <= q->t && q->t <= q->to);
    if (d[first] <= 0) assert_true(fabs(q->t - middle) < 0.1);
}

/* Dense samples know each valley that is deep enough; each has its minimum in the list, and no other is there. */
static void minima_are_complete(void **state) {
    (void)state;
    enum { SAMPLES = 2000, MOST = 16 };
    AbutRng rng = abut_rng(502, 1);
    Meshes m = make_meshes();
    int several = 0;
    for (int i = 0; i < check_cases(12); ++i) {
        FreeMotion motion;
        AbutMover a = {abut_solid_prepared(m.body[0]), random_free_motion(&rng, 1.0, 0.35, 1.5, &motion)};
        AbutMover b = {abut_solid_prepared(m.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(2e-3);
        AbutClearanceMinimum minimum[MOST];
        static double d[SAMPLES + 1];
        int32_t count;
        const double band = 0.1;
        AbutClearance x = abut_clearance_minima(&a, &b, &def, band, MOST, minimum, &count, m.space);
        assert_true(count >= 1 && count <= MOST);
        for (int k = 0; k <= SAMPLES; ++k) d[k] = distance_at(&m, &a, &b, k / (double)SAMPLES);
        for (int k = 0; k < count; ++k) {
            const AbutClearanceMinimum *q = &minimum[k];
            assert_true(q->d <= x.ub + band + 1e-9 && q->d >= x.lb && (k == 0 || q->d >= q[-1].d));
            CHECK_NEAR(q->d, distance_at(&m, &a, &b, q->t), 1e-12);
            CHECK_VEC_NEAR(abut_sub(q->point_b, q->point_a), abut_scale(q->normal, q->d), 1e-12);
            assert_true(q->polished || q->kind == ABUT_MINIMUM_CONTACT);
            if (q->kind == ABUT_MINIMUM_CONTACT) check_contact(q, d, SAMPLES);
            for (int side = -1; side <= 1; side += 2) {
                double t = abut_smaller(1, abut_larger(0, q->t + side * 1e-5));
                assert_true(distance_at(&m, &a, &b, t) >= q->d - 1e-11);
            }
            for (int s = (int)ceil(q->from * SAMPLES); s <= (int)floor(q->to * SAMPLES); ++s)
                assert_true(d[s] >= q->lb - 1e-12);
        }
        assert_true(minimum[0].d <= x.ub + 1e-12);
        double high = INFINITY; /* valleys of the samples with humps of 5 eps */
        for (int k = 0; k <= SAMPLES; ++k) {
            int low = k, found = 0;
            high = abut_larger(high == INFINITY ? d[k] + 1 : high, d[k]);
            if (d[k] > high - 5 * def.eps) continue;
            while (k <= SAMPLES && d[k] <= d[low] + 5 * def.eps) low = d[k] < d[low] ? k : low, ++k;
            for (int q = 0; q < count; ++q) found |= tells_valley(&minimum[q], low / (double)SAMPLES, d[low], def.eps);
            if (d[low] < x.ub + band - 5 * def.eps) assert_true(found);
            high = k <= SAMPLES ? d[k] : INFINITY;
        }
        several += count > 1;
    }
    assert_true(several > 0 || check_cases(12) < 6);
    free_meshes(&m);
}

/* ---- gradients --------------------------------------------------------------------------------------------------- */

static AbutClearanceMinimum first_minimum(const Meshes *m, const AbutMover *a, const AbutMover *b, int *good_one) {
    AbutClearanceDef def = over_unit(1e-4);
    AbutClearanceMinimum out[2];
    int32_t count;
    AbutClearance x = abut_clearance_minima(a, b, &def, 1e-3, 2, out, &count, m->space);
    *good_one = x.ub > 1e-3 && count == 1 && out[0].polished;
    return out[0];
}

static int by_size(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void gradients_are_those_of_differences(void **state) {
    (void)state;
    enum { MOST = 4000 };
    AbutRng rng = abut_rng(503, 1);
    Meshes m = make_meshes();
    static double error[MOST];
    int count = 0, ends = 0;
    for (int i = 0; i < check_cases(24); ++i) {
        FreeMotion motion;
        int usable;
        AbutMover a = {abut_solid_prepared(m.body[0]), random_free_motion(&rng, 1.0, 0.3, 0.7, &motion)};
        AbutMover b = {abut_solid_prepared(m.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceMinimum q = first_minimum(&m, &a, &b, &usable);
        double gradient[9];
        if (!usable) continue;
        abut_chain_gradient(a.motion.chain, a.motion.link, q.t, q.point_a, abut_neg(q.normal), gradient);
        ends += q.kind == ABUT_MINIMUM_START || q.kind == ABUT_MINIMUM_END;
        for (int p = 0; p < 5; ++p)
            for (int k = 0; k < 6; k += 5) {
                double h = 1e-5, keep = motion.piece[p].c[k], value[2];
                int both = 1, one;
                for (int side = 0; side < 2; ++side) {
                    motion.piece[p].c[k] = keep + (side ? h : -h);
                    value[side] = first_minimum(&m, &a, &b, &one).d;
                    both &= one;
                }
                motion.piece[p].c[k] = keep;
                double by_joint = gradient[p < 3 ? p : 3 * (p - 2)];
                if (both && count < MOST)
                    error[count++] = fabs((value[1] - value[0]) / (2 * h) - pow(q.t, k) * by_joint);
            }
    }
    qsort(error, (size_t)count, sizeof *error, by_size);
    if (count > 60) {
        print_message(
            "gradient: %d differences, median %.1e, 99 %% %.1e\n", count, error[count / 2], error[count * 99 / 100]);
        assert_true(error[count / 2] <= 1e-9);
        assert_true(error[count * 99 / 100] <= 1e-7);
        assert_true(ends > 0);
    }
    free_meshes(&m);
}

/* ---- times of contact -------------------------------------------------------------------------------------------- */

static void contact_times_are_bracketed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(504, 1);
    Meshes m = make_meshes();
    int found = 0;
    for (int i = 0; i < check_cases(100); ++i) {
        FreeMotion motion;
        AbutMover a = {abut_solid_prepared(m.body[0]), random_free_motion(&rng, 0.7, 0.5, 1, &motion)};
        AbutMover b = {abut_solid_prepared(m.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        const double level = i % 2 ? 1e-5 : 0.05, tau = 1e-6;
        AbutContactTime first = abut_clearance_contact_time(&a, &b, &def, level, tau, 0, m.space);
        AbutContactTime last = abut_clearance_contact_time(&a, &b, &def, level, tau, 1, m.space);
        AbutClearance x = abut_clearance(&a, &b, &def, m.space);
        assert_int_equal(first.found, last.found);
        if (x.ub <= level) assert_true(first.found);
        if (!first.found) {
            assert_true(first.resolved ? x.ub > level : 1);
            continue;
        }
        ++found;
        assert_true(x.lb <= level && first.free <= last.free + tau);
        if (first.resolved) assert_true(first.touching - first.free <= tau && first.touching >= first.free);
        if (last.resolved) assert_true(last.free - last.touching <= tau && last.free >= last.touching);
        assert_true(distance_at(&m, &a, &b, first.touching) <= level + 1e-9);
        assert_true(distance_at(&m, &a, &b, last.touching) <= level + 1e-9);
        for (int k = 0; k < 20; ++k) {
            assert_true(distance_at(&m, &a, &b, first.free * k / 20) > level || first.free <= 0);
            assert_true(distance_at(&m, &a, &b, last.free + (1 - last.free) * (k + 1) / 20) > level || last.free >= 1);
        }
    }
    assert_true(found > 0);
    free_meshes(&m);
}

/* Solid spheres that pass through each other: known times and a known depth; and through keyframes. */
static void spheres_in_closed_form(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.5);
    AbutClearanceBody *body = body_of_pieces(1, &ball);
    AbutClearanceSpace *space = new_space();
    AbutKeyframe keys[5];
    AbutMotion line;
    AbutError error;
    for (int k = 0; k < 5; ++k)
        keys[k] = (AbutKeyframe){0.25 * k, abut_pose(abut_vec3(-4 + 2 * k, 0.6, 0), abut_quat_identity())};
    good(abut_motion_keyframes(5, keys, &line, &error), &error);
    AbutMover a = {abut_solid_prepared(body), abut_motion_static(abut_pose_identity())},
              b = {abut_solid_prepared(body), line};
    AbutClearanceDef def = over_unit(1e-6); /* a curve takes samples in the number of its rise over eps */
    double half = sqrt(1 - 0.36) / 8;
    AbutClearanceMinimum minimum[4];
    int32_t count;
    AbutClearance x = abut_clearance_minima(&a, &b, &def, 0, 4, minimum, &count, space);
    assert_true(x.certified && x.status == ABUT_CLEARANCE_CONTACT);
    CHECK_NEAR(x.ub, -0.4, 1e-6);
    assert_int_equal(count, 1);
    CHECK_NEAR(minimum[0].t, 0.5, 1e-9);
    CHECK_NEAR(abut_clearance_contact_time(&a, &b, &def, 0, 1e-9, 0, space).touching, 0.5 - half, 1e-8);
    CHECK_NEAR(abut_clearance_contact_time(&a, &b, &def, 0, 1e-9, 1, space).touching, 0.5 + half, 1e-8);
    CHECK_NEAR(abut_clearance_contact_time(&a, &b, &def, 1, 1e-9, 0, space).free, 0.5 - sqrt(4 - 0.36) / 8, 1e-8);
    def.from = 0.75;
    x = abut_clearance_minima(&a, &b, &def, 0.005, 4, minimum, &count, space);
    assert_true(count == 1 && minimum[0].kind == ABUT_MINIMUM_START && minimum[0].t == 0.75);
    assert_false(abut_clearance_contact_time(&a, &b, &def, 0, 0, 0, space).found);
    assert_string_equal(abut_word(abut_minimum_kind_names, ABUT_MINIMUM_START), "start");
    assert_string_equal(abut_word(abut_minimum_kind_names, ABUT_MINIMUM_KIND_COUNT), "unknown");
    abut_clearance_body_free(body);
    abut_clearance_space_free(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_certified),
        cmocka_unit_test(minima_are_complete),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(contact_times_are_bracketed),
        cmocka_unit_test(spheres_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
