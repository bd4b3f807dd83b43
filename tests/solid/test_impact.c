/* SPDX-License-Identifier: Apache-2.0 */
/* Time of impact: known answers, never late, brackets, backward, every pair of kinds, bad input. */
#include "abut/solid.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"
#include "support/random_motion.h"
#include "mesh/kernels.h"

static void boxes_hit_when_they_should(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0), ball = abut_convex_point(abut_zero(), 0.25);
    AbutConvex ground = abut_convex_half_space((AbutPlane){abut_axis(2), 0}, 0);
    AbutMover a = {abut_solid_convex(&box), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_convex(&ball),
        abut_motion_translation(abut_pose(abut_vec3(4, 0.1, 0.2), abut_quat_identity()), abut_vec3(-2, 0, 0))};
    AbutImpactDef def = {.to = 5};
    AbutImpact hit = abut_time_of_impact(&a, &b, &def);
    assert_int_equal(hit.outcome, ABUT_IMPACT_HIT);
    CHECK_NEAR(hit.t, 1.625, 1e-6);
    assert_true(hit.t_lo <= 1.625 && hit.t_hi >= 1.625 - 1e-12 && hit.t_hi - hit.t_lo < 1e-5);
    CHECK_VEC_NEAR(hit.normal, abut_axis(0), 1e-9);
    AbutImpactDef back = {.from = 5}; /* out on the other side at x = -0.75 */
    hit = abut_time_of_impact(&a, &b, &back);
    assert_int_equal(hit.outcome, ABUT_IMPACT_HIT);
    CHECK_NEAR(hit.t, 2.375, 1e-6);
    AbutImpactDef brief = {.to = 1.6}, inside = {.from = 2, .to = 3};
    assert_int_equal(abut_time_of_impact(&a, &b, &brief).outcome, ABUT_IMPACT_NONE);
    assert_int_equal(abut_time_of_impact(&a, &b, &inside).outcome, ABUT_IMPACT_AT_START);
    b.motion.start.p.y = 0.75; /* touches the side face for a while, and never overlaps more than rounding */
    hit = abut_time_of_impact(&a, &b, &def);
    assert_true(hit.outcome == ABUT_IMPACT_GRAZING || hit.outcome == ABUT_IMPACT_HIT);
    AbutMover floor = {abut_solid_convex(&ground), abut_motion_static(abut_pose_identity())};
    AbutMover drop = {
        abut_solid_convex(&box), abut_motion_static(abut_pose(abut_vec3(0, 0, 5.5), abut_quat_identity()))};
    drop.motion.path[1] = abut_vec3(0, 0, -5); /* falls 5 m in a second */
    hit = abut_time_of_impact(&floor, &drop, &def);
    assert_int_equal(hit.outcome, ABUT_IMPACT_HIT);
    CHECK_NEAR(hit.t, 1, 1e-6);
    floor.motion.spin = abut_axis(0);
    assert_int_equal(abut_time_of_impact(&floor, &drop, &def).outcome, ABUT_IMPACT_INVALID);
    def.to = NAN;
    hit = abut_time_of_impact(&a, &b, &def);
    assert_int_equal(hit.outcome, ABUT_IMPACT_INVALID);
    assert_true(isnan(hit.t) && isnan(hit.t_lo) && isnan(hit.t_hi) && isnan(hit.distance) && isnan(hit.point_a.x));
}

static int in_contact(const AbutMover *a, const AbutMover *b, double t) {
    AbutPose pose = abut_pose_between(abut_motion_pose(&a->motion, t), abut_motion_pose(&b->motion, t));
    int mesh_a = a->solid.kind == ABUT_SOLID_MESH, mesh_b = b->solid.kind == ABUT_SOLID_MESH;
    if (mesh_a && mesh_b) {
        AbutGapOutcome m = abut_mesh_collide(a->solid.mesh, b->solid.mesh, pose, NULL).outcome;
        return m != ABUT_SEPARATED;
    }
    if (mesh_a) return abut_mesh_convex_distance(a->solid.mesh, b->solid.convex, pose, NULL, NULL).distance == 0;
    if (mesh_b)
        return abut_mesh_convex_distance(b->solid.mesh, a->solid.convex, abut_pose_inv(pose), NULL, NULL).distance == 0;
    return abut_convex_distance(a->solid.convex, b->solid.convex, pose, NULL, NULL).distance < 0;
}

/* No sample before the reported time is in contact; the gap at it is within the tolerance; t_hi is in contact. */
static void check_motion(const AbutMover *a, const AbutMover *b, double from, double to, int samples) {
    AbutImpactDef def = {.from = from, .to = to, .tolerance = 1e-6};
    AbutImpact hit = abut_time_of_impact(a, b, &def);
    assert_true(hit.outcome != ABUT_IMPACT_INVALID && hit.outcome != ABUT_IMPACT_UNDECIDED);
    if (hit.outcome == ABUT_IMPACT_AT_START) return;
    for (int i = 0; i < samples; ++i) assert_false(in_contact(a, b, from + (hit.t_lo - from) * i / samples));
    if (hit.outcome != ABUT_IMPACT_NONE) assert_true(hit.distance <= 1e-6);
    if (hit.outcome == ABUT_IMPACT_HIT) assert_true(in_contact(a, b, hit.t_hi));
    if (hit.outcome == ABUT_IMPACT_HIT) assert_true(fabs(hit.t_hi - from) >= fabs(hit.t_lo - from));
}

/* Bodies on a way that lets most of them meet: at a distance, with a velocity towards the other and a spin. */
static void impacts_are_never_late(void **state) {
    (void)state;
    AbutRng rng = abut_rng(102, 1);
    AbutMesh ma = wavy_torus(14, 10, 3, 2), mb = wavy_torus(12, 9, 2, 3);
    AbutMeshTree *ta = tree_of(&ma), *tb = tree_of(&mb);
    AbutPolyhedron *hull = random_hull(&rng, 25, abut_vec3(0.5, 0.4, 0.6));
    AbutConvex box = abut_convex_box(abut_vec3(0.4, 0.3, 0.5), 0), body = abut_convex_polyhedron(hull, 0.1);
    int cases = check_cases(100), samples = cases < 1000 ? 60 : 400;
    for (int i = 0; i < cases; ++i) {
        AbutMover a = {i & 1 ? abut_solid_mesh(ta) : abut_solid_convex(&box), random_motion(&rng, abut_zero(), 0.2, 2)};
        AbutMover b = {i & 2 ? abut_solid_mesh(tb) : abut_solid_convex(&body),
            random_motion(&rng, abut_scale(abut_random_direction(&rng), 4), 1, i % 3 ? 3 : 0)};
        int back = i % 5 == 0;
        if (i % 4 == 3 && i % 8 < 6) /* straight at it: swept */
            a.motion.path[1] = a.motion.path[2] = a.motion.spin = b.motion.path[1] = b.motion.path[2] = b.motion.spin =
                abut_zero(),
            b.motion.path[0] = abut_add(abut_neg(b.motion.start.p), random_arm(&rng, 1));
        check_motion(&a, &b, back ? 2 : 0, back ? 0 : 1, samples);
    }
    abut_mesh_tree_free(ta);
    abut_mesh_tree_free(tb);
    abut_mesh_free(&ma);
    abut_mesh_free(&mb);
    abut_polyhedron_free(hull);
}

/* The signed distance of two convex bodies at a time. */
static double signed_distance(const AbutMover *a, const AbutMover *b, double t) {
    AbutPose pose = abut_pose_between(abut_motion_pose(&a->motion, t), abut_motion_pose(&b->motion, t));
    return abut_convex_distance(a->solid.convex, b->solid.convex, pose, NULL, NULL).distance;
}

/* Down to a level above and below 0: never beyond it before the time given, within the tolerance of it there. */
static void levels_are_kept(void **state) {
    (void)state;
    AbutRng rng = abut_rng(105, 1);
    AbutPolyhedron *hull = random_hull(&rng, 25, abut_vec3(0.5, 0.4, 0.6));
    AbutConvex box = abut_convex_box(abut_vec3(0.4, 0.3, 0.5), 0), body = abut_convex_polyhedron(hull, 0);
    AbutMeshTree *torus = made_tree("torus", 300);
    int hits = 0, cases = check_cases(200);
    for (int i = 0; i < cases; ++i) {
        AbutMover a = {abut_solid_convex(&box), random_motion(&rng, abut_zero(), 0.2, 2)};
        AbutMover b = {abut_solid_convex(&body),
            random_motion(&rng, abut_scale(abut_random_direction(&rng), 3), 1, i % 3 ? 3 : 0)};
        double level = i % 2 ? -abut_rng_between(&rng, 0.01, 0.2) : abut_rng_between(&rng, 0, 0.3), tol = 1e-3;
        AbutImpactDef def = {.from = i % 5 ? 0 : 1, .to = i % 5 ? 1 : 0, .tolerance = tol, .no_bracket = 1};
        def.level = level;
        AbutImpact x = abut_time_of_impact(&a, &b, &def);
        assert_true(x.outcome == ABUT_IMPACT_NONE || x.outcome == ABUT_IMPACT_HIT || x.outcome == ABUT_IMPACT_AT_START);
        for (int k = 0; k <= 40 && x.outcome != ABUT_IMPACT_AT_START; ++k)
            assert_true(signed_distance(&a, &b, def.from + (x.t_lo - def.from) * k / 40) >= level - 1e-9);
        if (x.outcome == ABUT_IMPACT_HIT)
            assert_true(fabs(signed_distance(&a, &b, x.t) - level) <= tol && x.t_hi == def.to && x.approach > 0);
        hits += x.outcome == ABUT_IMPACT_HIT;
        a = (AbutMover){abut_solid_mesh(torus), a.motion};
        def.level = fabs(level);
        x = abut_time_of_impact(&b, &a, &def);
        for (int k = 0; k <= 40 && x.outcome != ABUT_IMPACT_AT_START; ++k) {
            double t = def.from + (x.t_lo - def.from) * k / 40;
            AbutPose pose = abut_pose_between(abut_motion_pose(&a.motion, t), abut_motion_pose(&b.motion, t));
            assert_true(abut_mesh_convex_distance(torus, &body, pose, NULL, NULL).distance >= def.level - 1e-9);
        }
        def.level = -0.1;
        assert_int_equal(abut_time_of_impact(&a, &b, &def).outcome, ABUT_IMPACT_INVALID);
    }
    assert_true(hits > cases / 4);
    abut_mesh_tree_free(torus);
    abut_polyhedron_free(hull);
}

/* A body that grazes a mesh, or swings past it: the single triangles, seen or not, are never passed. Fewer rounds than
 * the bound of speed alone would take. */
static void convex_bodies_near_meshes_are_never_late(void **state) {
    (void)state;
    AbutRng rng = abut_rng(106, 1);
    AbutMeshTree *torus = made_tree("torus", 2000);
    AbutPolyhedron *hull = random_hull(&rng, 25, abut_vec3(0.3, 0.2, 0.25));
    AbutConvex kinds[4] = {abut_convex_box(abut_vec3(0.2, 0.1, 0.3), 0), abut_convex_polyhedron(hull, 0.02),
        abut_convex_segment(abut_vec3(0, 0, -0.2), abut_vec3(0, 0, 0.2), 0.1),
        abut_convex_half_space((AbutPlane){abut_axis(2), -0.2}, 0)};
    int cases = check_cases(60), samples = cases < 1000 ? 60 : 400;
    for (int i = 0; i < cases; ++i) {
        const AbutConvex *body = &kinds[i % 4];
        AbutVec3 from = abut_scale(abut_random_direction(&rng), 2.5), side = abut_perpendicular(from);
        AbutMover mesh = {abut_solid_mesh(torus), random_motion(&rng, abut_zero(), 0.1, 1)};
        AbutMover go = {abut_solid_convex(body), random_motion(&rng, from, 0.1, i % 3 ? 4 : 0)};
        go.motion.path[0] = abut_add_scaled(abut_neg(from), side, abut_rng_between(&rng, 0.8, 1.4));
        if (i % 4 == 3) go.motion.spin = abut_zero();
        int back = i % 5 == 0, swapped = i % 2;
        check_motion(swapped ? &go : &mesh, swapped ? &mesh : &go, back ? 2 : 0, back ? 0 : 2, samples);
    }
    abut_mesh_tree_free(torus);
    abut_polyhedron_free(hull);
}

/* A straight line is swept exactly; as a path with a bend of rounding it is advanced step by step: the same contact. */
static void straight_lines_are_swept(void **state) {
    (void)state;
    AbutRng rng = abut_rng(104, 1);
    AbutMeshTree *a = made_tree("knot", 400), *b = made_tree("cup", 300);
    int hits = 0, cases = check_cases(60);
    for (int i = 0; i < cases; ++i) {
        AbutVec3 from = abut_scale(abut_random_direction(&rng), 3);
        AbutMover still = {abut_solid_mesh(a), abut_motion_static(abut_pose(abut_zero(), abut_random_quat(&rng)))};
        AbutMover go = {
            abut_solid_mesh(b), abut_motion_translation(abut_pose(from, abut_random_quat(&rng)), abut_zero())};
        go.motion.path[0] = abut_add(abut_neg(from), random_arm(&rng, 0.4));
        AbutMover bent = go;
        bent.motion.path[1] = abut_vec3(1e-12, 0, 0);
        AbutImpactDef def = {.to = 2, .tolerance = 1e-9};
        AbutImpact x = abut_time_of_impact(&still, &go, &def), y = abut_time_of_impact(&still, &bent, &def);
        AbutPose pose = abut_pose_between(still.motion.start, go.motion.start);
        AbutMeshCast cast =
            abut_mesh_cast(a, b, pose, abut_quat_rotate_inv(still.motion.start.q, go.motion.path[0]), 2);
        assert_true((x.outcome == ABUT_IMPACT_NONE) == (y.outcome == ABUT_IMPACT_NONE));
        assert_true((x.outcome == ABUT_IMPACT_NONE) == !isfinite(cast.t));
        if (x.outcome == ABUT_IMPACT_NONE) continue;
        CHECK_NEAR(x.t, cast.t, 1e-9);
        /* step by step the search ends where the gap is within the tolerance, which is earlier where it closes slowly
         */
        assert_true(x.t >= y.t - 1e-9 && x.distance <= 1e-9 && y.distance <= 1e-9);
        assert_true(x.rounds <= y.rounds);
        ++hits;
    }
    assert_true(hits > cases / 4);
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
}

/* Time reversed, the same contact; a frame that both bodies move in changes nothing. */
static void time_runs_both_ways(void **state) {
    (void)state;
    AbutRng rng = abut_rng(103, 1);
    AbutMeshTree *a = made_tree("knot", 400), *b = made_tree("cup", 300);
    for (int i = 0; i < check_cases(20); ++i) {
        AbutVec3 way = abut_scale(abut_random_direction(&rng), 3);
        AbutPose still = abut_pose(abut_zero(), abut_random_quat(&rng)), go = abut_pose(way, abut_random_quat(&rng));
        AbutMover fixed = {abut_solid_mesh(a), abut_motion_static(still)};
        AbutMover there = {abut_solid_mesh(b), abut_motion_translation(go, abut_scale(way, -1))}, back = there;
        back.motion.path[0] = way; /* passes the same places at times -t */
        AbutImpactDef forward = {.to = 2, .tolerance = 1e-7}, backward = {.to = -2, .tolerance = 1e-7};
        AbutImpact x = abut_time_of_impact(&fixed, &there, &forward), y = abut_time_of_impact(&fixed, &back, &backward);
        assert_int_equal(x.outcome, y.outcome);
        CHECK_NEAR(x.t, -y.t, 1e-9);
        CHECK_VEC_NEAR(x.point_a, y.point_a, 1e-6);
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hit_when_they_should),
        cmocka_unit_test(impacts_are_never_late),
        cmocka_unit_test(levels_are_kept),
        cmocka_unit_test(convex_bodies_near_meshes_are_never_late),
        cmocka_unit_test(straight_lines_are_swept),
        cmocka_unit_test(time_runs_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
