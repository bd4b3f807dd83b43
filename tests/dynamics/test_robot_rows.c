/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of robots: limbs with friction losses and limits on a base that stands on the floor, which nothing drives, so
 * that their energy never rises; friction losses alone, at limits and under a pendulum. */
#include "dynamics/robot_world.h"

typedef struct Watch {
    double start, before, rise, most; /* energies: at the start, after the last step, largest rise in a step, largest */
    int capped, finite;
} Watch;

static Watch watch_of(const World *world) {
    double kinetic, potential;
    abut_simulation_energy(world->sim, &kinetic, &potential);
    return (Watch){kinetic + potential, kinetic + potential, 0.0, 0.0, 0, 1};
}

static void watch(Watch *w, const AbutStepReport *r) {
    double now = r->kinetic + r->potential;
    w->rise = fmax(w->rise, now - w->before);
    w->most = fmax(w->most, now - w->start);
    w->before = now;
    w->capped += r->capped_islands > 0;
    w->finite &= isfinite(r->residual) && isfinite(now);
}

static Watch run(World *world, double dt, double time) {
    Watch w = watch_of(world);
    for (int i = 0; i < (int)(time / dt + 0.5); ++i) {
        AbutStepReport r = world_step(world, dt);
        watch(&w, &r);
    }
    return w;
}

/* ---- limbs ------------------------------------------------------------------------------------------------------- */

/* Links one on the other, each with a hinge along an axis, limits on both sides of 0 and friction. */
static void put_limb(AbutModel *model, int32_t base, AbutRng *random, int links, double loss) {
    int32_t parent = base;
    double mass = abut_rng_between(random, 1.0, 3.0);
    AbutVec3 at = abut_vec3(abut_rng_between(random, -0.1, 0.1), abut_rng_between(random, -0.1, 0.1), 0.05);
    for (int i = 0; i < links; ++i) {
        AbutVec3 center = abut_vec3(abut_rng_between(random, -0.05, 0.05), abut_rng_between(random, -0.05, 0.05), 0.05);
        parent = add_mass(model, ABUT_BODY_LINK, parent, at, mass, center, 0.08);
        AbutJointDef def = joint_def(ABUT_JOINT_HINGE, parent, abut_axis((int)abut_rng_below(random, 3)));
        def.limited = 1;
        def.range[0] = -abut_rng_between(random, 0.1, 1.4);
        def.range[1] = abut_rng_between(random, 0.1, 1.4);
        def.friction_loss = loss;
        put_joint(model, &def);
        mass *= 0.6;
        at = abut_vec3(abut_rng_between(random, -0.1, 0.1), abut_rng_between(random, -0.1, 0.1), 0.1);
    }
}

static World limb_world(AbutRng *random) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    put_floor(model, 0.8);
    int32_t base = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.05), 10.0, abut_zero(), 0.2);
    put_box(model, base, abut_zero(), abut_vec3(0.2, 0.2, 0.05), 0.8);
    put_limb(model, base, random, 4 + (int)abut_rng_below(random, 4), abut_rng_between(random, 0.1, 0.5));
    return world_of_model(model, &def);
}

/* Locks that break while a limit pushes against them: the step is solved again, in full and from where it began. */
static void test_limbs_fall_within_their_limits(void **state) {
    (void)state;
    AbutRng random = abut_rng(7, 0);
    const double dt[3] = {0.5e-3, 1e-3, 2e-3};
    for (int i = 0, cases = check_cases(20); i < cases; ++i) {
        World world = limb_world(&random);
        Watch w = run(&world, dt[i % 3], 1.5);
        CHECK(w.finite);
        CHECK(w.rise < 1e-3 * w.start);
        CHECK(w.most < 1e-3 * w.start);
        world_free(&world);
    }
}

/* A chain that strikes all of its limits at once, under a single sweep a step: the impulses of the impact are no start
 * for the step after it. */
static void test_impulses_of_an_impact_are_forgotten(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    double start[6] = {0}, speed[6] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
    for (int32_t i = 0, parent = -1; i < 6; ++i) {
        parent = add_mass(
            model, ABUT_BODY_LINK, parent, abut_vec3(0, 0, i ? -0.2 : 0.0), 1.0 / (1 + i), abut_vec3(0, 0, -0.1), 0.05);
        AbutJointDef hinge = joint_def(ABUT_JOINT_HINGE, parent, abut_axis(1));
        hinge.limited = 1;
        hinge.range[0] = -1.0, hinge.range[1] = 0.001;
        put_joint(model, &hinge);
    }
    def.iterations = 1;
    World world = world_of_model(model, &def);
    set_joints(&world, start, speed);
    Watch w = run(&world, 1e-3, 0.05);
    CHECK(w.rise < 1e-3);
    world_free(&world);
}

/* ---- friction loss ----------------------------------------------------------------------------------------------- */

static const double STEPS[5] = {0.5e-3, 1e-3, 2e-3, 5e-3, 10e-3};

/* 1 kg on a level slide with a friction of 2 N, a motor and limits; then a second one that hangs on it by a hinge. */
static World slider(int limited, int hangs, double speed) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutActuatorDef motor = abut_actuator_default();
    AbutError error;
    int32_t body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_zero(), 0.05);
    AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, body, abut_axis(0));
    slide.friction_loss = 2.0;
    slide.limited = limited;
    slide.range[0] = -0.1, slide.range[1] = 0.1;
    motor.number = put_joint(model, &slide);
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    if (hangs)
        put_hinge(
            model, add_mass(model, ABUT_BODY_LINK, body, abut_zero(), 0.5, abut_vec3(0, 0, -0.2), 0.05), abut_axis(1));
    World world = world_of_model(model, &def);
    double q[2] = {0.0, 0.0}, v[2] = {speed, 0.0};
    set_joints(&world, q, v);
    return world;
}

static double driven(double force, double speed, double time, double dt, double *place) {
    World world = slider(0, 0, speed);
    set_control(&world, &force);
    world_run(&world, dt, (int)(time / dt + 0.5));
    double v = speed_at(&world, 0);
    *place = joint_at(&world, 0);
    world_free(&world);
    return v;
}

/* Holds up to its bound; beyond it, and while it slides, it is a constant force. */
static void test_friction_loss_alone(void **state) {
    (void)state;
    for (int i = 0; i < 5; ++i) {
        double dt = STEPS[i], place;
        driven(1.999, 0.0, 1.0, dt, &place);
        CHECK(fabs(place) < 1e-6);
        CHECK_NEAR(driven(2.2, 0.0, 1.0, dt, &place), 0.2, 1e-6);
        CHECK_NEAR(driven(-3.0, 0.0, 1.0, dt, &place), -1.0, 1e-6);
        CHECK_NEAR(driven(0.0, 1.0, 0.2, dt, &place), 0.6, 1e-6);
        CHECK_NEAR(driven(0.0, 1.0, 2.0, dt, &place), 0.0, 1e-9);
        CHECK_NEAR(place, 0.25, 0.51 * dt);
    }
}

static void test_friction_loss_at_a_limit(void **state) {
    (void)state;
    const double push = 5.0, hold = -1.9, leave = -2.5;
    for (int i = 0; i < 5; ++i) {
        double dt = STEPS[i];
        World world = slider(1, 0, 0.0);
        set_control(&world, &push);
        world_run(&world, dt, (int)(1.0 / dt + 0.5));
        CHECK_NEAR(joint_at(&world, 0), 0.1, 1e-5);
        set_control(&world, &hold);
        world_run(&world, dt, (int)(0.5 / dt + 0.5));
        CHECK_NEAR(joint_at(&world, 0), 0.1, 2e-5);
        set_control(&world, &leave);
        world_run(&world, dt, (int)(0.2 / dt + 0.5));
        CHECK_NEAR(speed_at(&world, 0), -0.1, 1e-6);
        world_free(&world);
    }
}

/* A pendulum pulls on the slider: it stands while the pull is below the friction, and energy only falls. */
static void test_friction_loss_under_a_pendulum(void **state) {
    (void)state;
    for (int i = 0; i < 10; ++i) {
        World world = slider(1, 1, 0.0);
        double q[2] = {0.0, i % 2 ? 0.1 : 1.2}, v[2] = {0.0, 0.0};
        set_joints(&world, q, v);
        Watch w = run(&world, STEPS[i / 2], 2.0);
        CHECK(w.finite);
        CHECK(w.most < 0.05);
        CHECK(i % 2 ? fabs(joint_at(&world, 0)) < 1e-6 : fabs(joint_at(&world, 0)) > 1e-3);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limbs_fall_within_their_limits),
        cmocka_unit_test(test_impulses_of_an_impact_are_forgotten),
        cmocka_unit_test(test_friction_loss_alone),
        cmocka_unit_test(test_friction_loss_at_a_limit),
        cmocka_unit_test(test_friction_loss_under_a_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
