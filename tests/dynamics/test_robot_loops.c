/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mechanisms with several loops: parallel necks, cranks that hold a coupler more often than it needs, delta
 * robots, Stewart platforms. Their places stay
 * together over a minute, and nothing feeds them energy.
 */
#include "dynamics/robot_world.h"

typedef struct Outcome {
    double start, rise, above, gap, last_gap, fastest; /* energies; gaps: largest in the last half, at the end */
    int finite, guarded, named;
} Outcome;

static double join_gap(const World *world, const AbutEqualityDef *e) {
    AbutPose pose[2] = {abut_pose_identity(), abut_pose_identity()};
    int32_t body[2] = {e->a, e->b};
    for (int i = 0; i < 2; ++i)
        if (body[i] >= 0) pose[i] = body_of(world, abut_scene_robot_body(world->scene, 0, body[i])).pose;
    return abut_point_distance(abut_pose_apply(pose[0], e->pose_a.p), abut_pose_apply(pose[1], e->pose_b.p));
}

static double largest_gap(const World *world) {
    const AbutModel *model = abut_scene_robot_model(world->scene, 0);
    double gap = 0.0;
    for (int32_t e = 0; e < model->equality_count; ++e) gap = fmax(gap, join_gap(world, &model->equalities[e]));
    return gap;
}

/* Bodies of guarded islands, as events name them. */
static int count_guarded(const World *world) {
    int count, guarded = 0;
    const AbutEvent *events = abut_simulation_events(world->sim, &count);
    for (int i = 0; i < count; ++i) {
        AbutBodyState body;
        if (events[i].kind == ABUT_EVENT_GUARDED) guarded += abut_scene_get_body(world->scene, events[i].body_a, &body);
    }
    return guarded;
}

static Outcome run(World *world, double dt, double time) {
    double kinetic, potential;
    abut_simulation_energy(world->sim, &kinetic, &potential);
    double before = kinetic + potential;
    Outcome o = {before, 0, 0, 0, 0, 0, 1, 0, 0};
    for (int i = 0; i < (int)(time / dt + 0.5); ++i) {
        AbutStepReport r = world_step(world, dt);
        double now = r.kinetic + r.potential;
        o.rise = fmax(o.rise, now - before);
        o.above = fmax(o.above, now - o.start);
        o.last_gap = largest_gap(world);
        o.gap = i * dt > 0.5 * time ? fmax(o.gap, o.last_gap) : 0.0;
        o.fastest = fmax(o.fastest, r.kinetic);
        o.finite &= isfinite(now) && isfinite(r.residual);
        o.guarded += r.guarded_islands;
        o.named += count_guarded(world);
        before = now;
    }
    world_free(world);
    return o;
}

/* ---- a neck ------------------------------------------------------------------------------------------------------ */

static int32_t put_turning(AbutModel *model, int32_t parent, AbutVec3 at, double mass, AbutVec3 center, double loss) {
    int32_t body = add_mass(model, ABUT_BODY_LINK, parent, at, mass, center, 0.02);
    AbutJointDef def = joint_def(ABUT_JOINT_HINGE, body, abut_axis(1));
    def.friction_loss = loss;
    def.damping = loss;
    put_joint(model, &def);
    return body;
}

/* A head that two light rods turn: two connections on one mechanism, whose parallelograms are nearly the same; one rod
 * is too long by the error. */
static World neck(double loss, double error, int iterations) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    def.iterations = iterations;
    AbutVec3 rod = abut_vec3(0.03, 0, -0.035), pivot = abut_vec3(0, 0, 0.02);
    int32_t head = put_turning(model, -1, pivot, 0.16, abut_vec3(-0.012, 0, 0.05), loss),
            plate = put_turning(model, head, abut_neg(rod), 0.002, abut_zero(), loss);
    for (int i = 0; i < 2; ++i) {
        AbutVec3 off = abut_scale(abut_vec3(0.008, 0, 0.0021), i ? -1.0 : 1.0),
                 wrong = abut_vec3(0, 0, i ? error : 0.0);
        int32_t link = put_turning(model, plate, off, 0.003, abut_scale(rod, 0.5), loss);
        put_connect(model, ABUT_EQUALITY_CONNECT, link, abut_add(rod, wrong), -1, abut_add(pivot, off));
    }
    return world_of_model(model, &def);
}

static void test_necks_stay_calm(void **state) {
    (void)state;
    const double dt[3] = {0.5e-3, 1e-3, 2e-3}, error[3] = {0.0, 1e-6, 3e-5};
    for (int i = 0; i < 18; ++i) {
        World world = neck(i / 9 ? 0.0 : 0.01, error[i / 3 % 3], 0);
        Outcome o = run(&world, dt[i % 3], 2.0);
        CHECK(o.finite);
        CHECK(o.rise < 0.01);
        CHECK(o.above < 0.02 * o.start); /* it swings from one side to the other */
        CHECK(o.gap < 20.0 * error[i / 3 % 3] + 1e-7);
    }
}

/* ---- more cranks than a coupler needs ---------------------------------------------------------------------------- */

static void test_three_cranks_for_a_minute(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        AbutModel *model = new_model();
        AbutSimulationDef def = abut_simulation_default();
        int32_t crank[3];
        for (int k = 0; k < 3; ++k) {
            crank[k] = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0.3 * k, 0, 0), 0.5, abut_vec3(0, 0, -0.1), 0.05);
            put_hinge(model, crank[k], abut_axis(1));
        }
        int32_t coupler =
            add_mass(model, ABUT_BODY_LINK, crank[0], abut_vec3(0, 0, -0.2), 1.0, abut_vec3(0.3, 0, 0), 0.2);
        put_hinge(model, coupler, abut_axis(1));
        for (int k = 1; k < 3; ++k) /* the last one may be too long */
            put_connect(model, ABUT_EQUALITY_CONNECT, coupler, abut_vec3(0.3 * k, 0, 0), crank[k],
                abut_vec3(0, 0, i && k == 2 ? -0.200002 : -0.2));
        World world = world_of_model(model, &def);
        double start[4] = {0.5, 0.5, 0.5, -0.5};
        set_joints(&world, start, NULL);
        Outcome o = run(&world, 2e-3, 60.0);
        CHECK(o.finite);
        CHECK(o.gap < 1e-5);
        CHECK(o.rise < 1e-3 * o.fastest);
        CHECK(o.above < 1e-2 * o.fastest);
    }
}

/* ---- platforms on legs ------------------------------------------------------------------------------------------- */

static AbutVec3 on_circle(double radius, double angle, double height) {
    return abut_vec3(radius * cos(angle), radius * sin(angle), height);
}

/* A rod from `from` to `to` that two hinges let turn every way but about itself, in a parent that stands at `origin`.
 */
static int32_t put_leg(AbutModel *model, int32_t parent, AbutVec3 origin, AbutVec3 from, AbutVec3 to, double mass) {
    AbutVec3 along = abut_sub(to, from), side = abut_normalize(abut_cross(along, abut_vec3(0.3, 0.2, 0.9)));
    int32_t body = add_mass(model, ABUT_BODY_LINK, parent, abut_sub(from, origin), mass, abut_scale(along, 0.5), 0.3);
    put_hinge(model, body, side);
    put_hinge(model, body, abut_normalize(abut_cross(along, side)));
    return body;
}

/* Three arms, two forearms on each, a platform that they keep level. */
static World delta(int iterations) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    def.iterations = iterations;
    int32_t plate = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, -0.45), 0.3, abut_zero(), 0.05);
    for (int k = 0; k < 3; ++k) {
        double angle = 2.0 * ABUT_PI / 3.0 * k;
        AbutVec3 root = on_circle(0.12, angle, 0), elbow = on_circle(0.3, angle, -0.05),
                 side = on_circle(0.04, angle + 0.5 * ABUT_PI, 0);
        int32_t arm = add_mass(model, ABUT_BODY_LINK, -1, root, 0.2, abut_scale(abut_sub(elbow, root), 0.5), 0.1);
        AbutJointDef hinge = joint_def(ABUT_JOINT_HINGE, arm, abut_normalize(side));
        hinge.friction_loss = k == 0 ? 0.02 : 0.0;
        hinge.damping = 0.01;
        put_joint(model, &hinge);
        for (int i = 0; i < 2; ++i) {
            AbutVec3 off = abut_scale(side, i ? -1.0 : 1.0), at = abut_add(on_circle(0.05, angle, 0), off);
            AbutVec3 end = abut_add(at, abut_vec3(0, 0, -0.45)), from = abut_add(elbow, off);
            int32_t rod = put_leg(model, arm, root, from, end, 0.05);
            put_connect(model, ABUT_EQUALITY_CONNECT, rod, abut_sub(end, from), plate, at);
        }
    }
    return world_of_model(model, &def);
}

/* Six legs, each two hinges and a slide that friction brakes, and a platform on top. */
static World stewart(void) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t plate = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.6), 5.0, abut_vec3(0.02, 0, 0.05), 0.2);
    for (int k = 0; k < 6; ++k) {
        double low = ABUT_PI / 3.0 * (k + (k & 1 ? -0.3 : 0.3)), high = ABUT_PI / 3.0 * (k + (k & 1 ? 0.3 : -0.3));
        AbutVec3 from = on_circle(0.4, low, 0), at = on_circle(0.25, high, 0), to = abut_add(at, abut_vec3(0, 0, 0.6));
        AbutVec3 along = abut_sub(to, from);
        int32_t barrel = put_leg(model, -1, abut_zero(), from, to, 0.8),
                rod = add_mass(model, ABUT_BODY_LINK, barrel, abut_zero(), 0.4, abut_scale(along, 0.8), 0.1);
        AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, rod, abut_normalize(along));
        slide.friction_loss = 8.0;
        slide.limited = 1;
        slide.range[0] = -0.1, slide.range[1] = 0.1;
        put_joint(model, &slide);
        put_connect(model, ABUT_EQUALITY_CONNECT, rod, along, plate, at);
    }
    return world_of_model(model, &def);
}

static void test_platforms_for_a_minute(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        World world = i ? stewart() : delta(0);
        Outcome o = run(&world, 2e-3, 60.0);
        CHECK(o.finite);
        CHECK(o.gap < 1e-5);
        CHECK(o.rise < 2e-2 * o.fastest);
        CHECK(o.above < 1e-2 * o.fastest);
    }
}

/* ---- the guard --------------------------------------------------------------------------------------------------- */

/* Sweeps that are too few for such loops bring kilojoules; what the guard lets through stays small, and it says so. */
static void test_guard_of_the_energy(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        World world = i ? delta(2) : neck(0.0, 3e-5, 2);
        Outcome o = run(&world, i ? 2e-3 : 1e-3, i ? 10.0 : 2.0);
        CHECK(o.finite);
        CHECK(o.above < (i ? 10.0 : 0.1));
        CHECK(o.guarded > 0);
        assert_int_equal(o.named, o.guarded * (i ? 10 : 4)); /* all links of the island, and the platform */
    }
    World calm = delta(0);
    world_run(&calm, 1e-3, 20);
    assert_int_equal(count_guarded(&calm), 0);
    world_free(&calm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_necks_stay_calm),
        cmocka_unit_test(test_platforms_for_a_minute),
        cmocka_unit_test(test_guard_of_the_energy),
        cmocka_unit_test(test_three_cranks_for_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
