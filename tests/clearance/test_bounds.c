/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of the search, one by one: no pair of leaves comes nearer at any time of an interval than the bounds of
 * all pairs of nodes above it say, nor farther than the ceiling of the curve; halves of an interval bound no worse. The
 * boxes of the tree hold what is below them. */
#include "clearance/search.h"
#include "literature/clearance/methods.h"
#include "clearance_support.h"

typedef struct Case {
    AbutMeshTree *tree[2];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Case;

static Case make_case(void) {
    Case c = {{made_tree("knot", 300), made_tree("cup", 200)}, {NULL, NULL}, new_space()};
    for (int k = 0; k < 2; ++k) c.body[k] = body_of_mesh(c.tree[k]);
    return c;
}

static void free_case(Case *c) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(c->body[k]);
        abut_mesh_tree_free(c->tree[k]);
    }
    abut_clearance_space_free(c->space);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* How far a point is from the box of a node, at most: along its half axes, less what they reach. */
static double beyond_box(const AbutClearanceNode *n, AbutVec3 p) {
    AbutVec3 d = abut_sub(p, abut_node_center(n));
    double most = abut_length(d) - n->rho;
    for (int k = 0; k < 3; ++k) {
        AbutVec3 h = abut_vec3(n->h[0][k], n->h[1][k], n->h[2][k]);
        double half = abut_length(h);
        if (half > 0) most = abut_larger(most, fabs(abut_dot(d, h)) / half - half);
    }
    return most;
}

static void check_boxes(const AbutClearanceBody *body, int32_t at, int32_t above) {
    const AbutClearanceNode *n = &body->nodes[at];
    if (n->child >= 0) {
        check_boxes(body, n->child, above);
        check_boxes(body, n->child + 1, above);
        return;
    }
    for (int k = 0; k < 3; ++k) assert_true(beyond_box(&body->nodes[above], body->triangle[~n->child][k]) <= 0);
}

/* Rounded to floats as they stand, boxes and balls hold all corners below them: small triangles far from the center,
 * whose place a float hardly holds, too. */
static void boxes_hold_their_triangles(void **state) {
    (void)state;
    AbutVec3 v[6] = {{0.9, 0.1, 0.3}, {0.90001, 0.1, 0.3}, {0.9, 0.10001, 0.30001}, {-1, -1, -1}, {-1, -0.99999, -1},
        {-1.00001, -1, -0.99999}};
    AbutTriangle t[2] = {{{0, 1, 2}}, {{3, 4, 5}}};
    AbutMesh far = {.vertices = v, .vertex_count = 6, .triangles = t, .triangle_count = 2};
    AbutMeshTree *tree[4] = {made_tree("knot", 3482), made_tree("cup", 1000), made_tree("box", 12), tree_of(&far)};
    for (int i = 0; i < 4; ++i) {
        AbutClearanceBody *body = body_of_mesh(tree[i]);
        for (int32_t at = 0; at < body->node_count; ++at) check_boxes(body, at, at);
        abut_clearance_body_free(body);
        abut_mesh_tree_free(tree[i]);
    }
}

/* ---- bounds over an interval ------------------------------------------------------------------------------------- */

/* Bounds of all pairs of nodes on a random way down to a pair of leaves; gives the leaves and the best bound. */
static double walk_down(AbutRng *rng, AbutSearch *s, const AbutSpan *span, AbutWitness *leaves) {
    AbutFrontItem at = {0, 0, 0}, child[2];
    double best = -INFINITY;
    int control;
    for (;;) {
        AbutBound bound = abut_bound_nodes(s, span, at.i, at.j, INFINITY);
        best = abut_larger(best, bound.lb);
        assert_true(bound.boxes >= 0 && bound.way >= 0);
        CHECK_NEAR(abut_length(bound.n), 1, 1e-12);
        if (abut_both_leaves(s, at)) {
            *leaves = abut_leaves_of(s, at);
            AbutVec3 any = abut_random_direction(rng);
            best = abut_larger(best, abut_bound_leaves(s, span, leaves->leaf_a, leaves->leaf_b, bound.n, &control));
            return abut_larger(best, abut_bound_leaves(s, span, leaves->leaf_a, leaves->leaf_b, any, &control));
        }
        abut_open_pair(s, at, 0, child);
        at = child[abut_rng_below(rng, 2)];
    }
}

static void bounds_are_never_above_the_distance(void **state) {
    (void)state;
    AbutRng rng = abut_rng(901, 1);
    Case c = make_case();
    for (int i = 0; i < check_cases(4000); ++i) {
        FreeMotion m, n;
        AbutMover a = {
            abut_solid_prepared(c.body[0]), random_free_motion(&rng, abut_rng_between(&rng, 0, 2), 0.5, 2, &m)};
        AbutMover b = {abut_solid_prepared(c.body[1]), random_free_motion(&rng, 0.2, 0.2, 2, &n)};
        AbutClearanceDef def = over_unit(1e-3);
        AbutSearch s;
        AbutSpan span;
        assert_true(abut_search_open(&s, &a, &b, &def, c.space));
        double length = ldexp(1, -(int)abut_rng_below(&rng, 8));
        double from = (1 - length) * abut_rng_unit(&rng);
        abut_search_span(&s, from, from + length, &span);
        for (int k = 0; k < 10; ++k) {
            AbutWitness w;
            double lb = walk_down(&rng, &s, &span, &w), ceiling = abut_span_largest(&s, &span, w, INFINITY);
            for (int q = 0; q < 5; ++q) {
                double t = q < 2 ? from + q * length : abut_rng_between(&rng, from, from + length);
                AbutPlace place = abut_search_place(&s, t);
                double d = abut_leaf_gap(&s, &place, w.leaf_a, w.leaf_b).d;
                assert_true(d >= lb - 1e-12 && d <= ceiling + 1e-12);
                assert_true(abut_bound_at(&s, &place, 0, 0, INFINITY) <= d + 1e-12);
            }
        }
    }
    free_case(&c);
}

/* Control points, the middle and the turn of a span hold what they say. */
static void spans_hold_the_motion(void **state) {
    (void)state;
    AbutRng rng = abut_rng(902, 1);
    Case c = make_case();
    for (int i = 0; i < check_cases(4000); ++i) {
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(c.body[0]), random_free_motion(&rng, 1, 0.5, 2, &m)};
        AbutMover b = {abut_solid_prepared(c.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutSearch s;
        AbutSpan span, half;
        assert_true(abut_search_open(&s, &a, &b, &def, c.space));
        double length = ldexp(1, -(int)abut_rng_below(&rng, 6)), from = (1 - length) * abut_rng_unit(&rng);
        abut_search_span(&s, from, from + length, &span);
        AbutPlace middle = abut_search_place(&s, from + 0.5 * length);
        CHECK_VEC_NEAR(middle.t, span.middle.t, 1e-12);
        for (int k = 0; k < 10; ++k) {
            AbutPlace p = abut_search_place(&s, from + length * abut_rng_unit(&rng));
            AbutVec3 n = abut_random_direction(&rng), x = abut_scale(abut_random_direction(&rng), s.a->reach);
            double least = INFINITY;
            for (int q = 0; q < ABUT_CONTROLS; ++q)
                least = abut_smaller(least, abut_dot(n, abut_add(abut_vec3(span.t[0][q], span.t[1][q], span.t[2][q]),
                                                            abut_mat3_apply(span.r[q], x))));
            assert_true(abut_dot(n, abut_add(p.t, abut_mat3_apply(p.r, x))) >= least - span.slack);
            AbutVec3 turned = abut_sub(abut_mat3_apply(p.r, x), abut_mat3_apply(span.middle.r, x));
            assert_true(abut_length(turned) <= span.turn * abut_length(x) + span.slack);
        }
        abut_search_span(&s, from, from + 0.5 * length, &half); /* a half leaves out less */
        assert_true(half.error <= span.error + 1e-14);
    }
    free_case(&c);
}

/* The bound of a pair along a direction over either half of an interval is no worse than over all of it: exactly where
 * the motion is a polynomial, else but for what the models leave out. */
static void halves_bound_no_worse(void **state) {
    (void)state;
    AbutRng rng = abut_rng(905, 1);
    Case c = make_case();
    for (int i = 0; i < check_cases(4000); ++i) {
        FreeMotion m;
        double turn = i % 2 ? 2 : 0, length = ldexp(1, -(int)abut_rng_below(&rng, 8));
        AbutMover a = {abut_solid_prepared(c.body[0]), random_free_motion(&rng, 1, 0.5, turn, &m)};
        AbutMover b = {abut_solid_prepared(c.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutSearch s;
        AbutSpan whole, half;
        assert_true(abut_search_open(&s, &a, &b, &def, c.space));
        double from = (1 - length) * abut_rng_unit(&rng);
        abut_search_span(&s, from, from + length, &whole);
        for (int side = 0; side < 2; ++side) {
            abut_search_span(&s, from + 0.5 * side * length, from + 0.5 * (side + 1) * length, &half);
            for (int k = 0; k < 5; ++k) {
                int32_t leaf_a = (int32_t)abut_rng_below(&rng, (uint32_t)s.a->leaf_count), control;
                int32_t leaf_b = (int32_t)abut_rng_below(&rng, (uint32_t)s.b->leaf_count);
                AbutVec3 n = abut_random_direction(&rng);
                double before = abut_bound_leaves(&s, &whole, leaf_a, leaf_b, n, &control);
                double spare =
                    turn > 0 ? 40 * whole.error : 0; /* control points enlarge a difference at most so much */
                assert_true(abut_bound_leaves(&s, &half, leaf_a, leaf_b, n, &control) >= before - spare - 1e-12);
            }
        }
    }
    free_case(&c);
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* From one time of a span to a later one the distance falls by no more than the rates say: of a leaf and of the whole
 * body along the normal, and in any direction. */
static void check_rates(AbutRng *rng, AbutSearch *s, double from, double length) {
    AbutSpan span;
    abut_search_span(s, from, from + length, &span);
    double any = abut_rate_any(s, &span);
    for (int k = 0; k < 20; ++k) {
        double u = abut_rng_unit(rng), v = u + (1 - u) * abut_rng_unit(rng), spare = 2 * span.slack + 1e-9;
        AbutPlace first = abut_search_place(s, from + u * length), second = abut_search_place(s, from + v * length);
        AbutLeafGap gap = abut_leaf_gap(s, &first, 0, 0);
        double fall = gap.d - abut_leaf_gap(s, &second, 0, 0).d;
        double leaf = abut_rate_leaf(s, &span, 0, gap.n), along = abut_rate_along(s, &span, gap.n);
        assert_true(isfinite(any) && leaf >= 0 && leaf <= along + 1e-9 && along <= any + 1e-9);
        assert_true(fall <= (v - u) * leaf + spare);
    }
}

static void rates_are_never_below_the_fall(void **state) {
    (void)state;
    AbutRng rng = abut_rng(903, 1);
    AbutClearanceSpace *space = new_space();
    AbutConvex shape[3] = {abut_convex_box(abut_vec3(0.1, 0.15, 0.05), 0),
        abut_convex_segment(abut_vec3(0, 0, -0.2), abut_vec3(0.1, 0, 0.2), 0.08), abut_convex_point(abut_zero(), 0.1)};
    for (int i = 0; i < check_cases(2000); ++i) {
        FreeMotion m, n;
        AbutClearanceBody *body[2] = {body_of_pieces(1, &shape[i % 3]), body_of_pieces(1, &shape[i % 2])};
        AbutMover a = {
            abut_solid_prepared(body[0]), random_free_motion(&rng, abut_rng_between(&rng, 0, 1), 0.6, 1.5, &m)};
        AbutMover b = {abut_solid_prepared(body[1]), random_free_motion(&rng, 0.2, 0.2, 1, &n)};
        AbutClearanceDef def = over_unit(1e-3);
        AbutSearch s;
        assert_true(abut_search_open(&s, &a, &b, &def, space));
        double length = ldexp(1, -2 - (int)abut_rng_below(&rng, 6));
        check_rates(&rng, &s, (1 - length) * abut_rng_unit(&rng), length);
        abut_clearance_body_free(body[0]);
        abut_clearance_body_free(body[1]);
    }
    abut_clearance_space_free(space);
}

/* Spins that vanish inside the interval, and one of t^5, which a formula that divides by the least spin, or drops high
 * terms, gets wrong: the tip of a rod is bounded by its true speed from above. */
static void spins_that_vanish_or_grow(void **state) {
    (void)state;
    AbutClearanceSpace *space = new_space();
    AbutConvex rod = abut_convex_segment(abut_zero(), abut_vec3(1, 0, 0), 0.01),
               ball = abut_convex_point(abut_zero(), 0.1);
    AbutClearanceBody *body[2] = {body_of_pieces(1, &rod), body_of_pieces(1, &ball)};
    AbutMotion away = abut_motion_static(abut_pose(abut_vec3(0, 3, 0), abut_quat_identity()));
    const AbutCurvePiece angle[2] = {{0, {0, 0.25, -0.5, 1.0 / 3, 0, 0}}, {0, {0, 0, 0, 0, 0, 0.2}}};
    for (int k = 0; k < 2; ++k) {
        AbutChainJoint joint = {
            .parent = -1, .kind = ABUT_CHAIN_HINGE, .fixed = abut_pose_identity(), .axis = abut_axis(2)};
        joint.curve[0] = (AbutCurve){1, &angle[k], 1};
        AbutChain chain = {1, &joint};
        AbutMotion m;
        AbutError error;
        good(abut_motion_chain(&chain, 0, &m, &error), &error);
        AbutMover a = {abut_solid_prepared(body[0]), m}, b = {abut_solid_prepared(body[1]), away};
        AbutClearanceDef def = over_unit(1e-4);
        AbutSearch s;
        AbutSpan span;
        assert_true(abut_search_open(&s, &a, &b, &def, space));
        abut_search_span(&s, 0, 1, &span);
        double fastest = k == 0 ? 0.25 : 1, tip = fabs(abut_motion_speed(&m, 0, 1, NULL, abut_zero(), 1));
        assert_true(tip >= fastest && tip < 4 * fastest);
        assert_true(isfinite(abut_rate_any(&s, &span)));
        AbutRng rng = abut_rng(904, (uint64_t)k);
        for (int part = 0; part < 8; ++part) check_rates(&rng, &s, part / 8.0, 0.125);
    }
    abut_clearance_body_free(body[0]);
    abut_clearance_body_free(body[1]);
    abut_clearance_space_free(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_their_triangles),
        cmocka_unit_test(bounds_are_never_above_the_distance),
        cmocka_unit_test(spans_hold_the_motion),
        cmocka_unit_test(halves_bound_no_worse),
        cmocka_unit_test(rates_are_never_below_the_fall),
        cmocka_unit_test(spins_that_vanish_or_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
