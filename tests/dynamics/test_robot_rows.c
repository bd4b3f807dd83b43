/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of rows together: limbs with friction losses and limits on a base that stands on the floor. Nothing drives
 * them, so their energy never rises. */
#include "dynamics/robot_world.h"

typedef struct Watch {
    double start, before, rise, most; /* energies: at the start, after the last step, largest rise in a step, largest */
    int capped, finite;
} Watch;

static Watch watch_of(const World *world)
{
    double kinetic, potential;
    abut_simulation_energy(world->sim, &kinetic, &potential);
    return (Watch){kinetic + potential, kinetic + potential, 0.0, 0.0, 0, 1};
}

static void watch(Watch *w, const AbutStepReport *r)
{
    double now = r->kinetic + r->potential;
    w->rise = fmax(w->rise, now - w->before);
    w->most = fmax(w->most, now - w->start);
    w->before = now;
    w->capped += r->capped_islands > 0;
    w->finite &= isfinite(r->residual) && isfinite(now);
}

static Watch run(World *world, double dt, double time)
{
    Watch w = watch_of(world);
    for (int i = 0; i < (int)(time / dt + 0.5); ++i) {
        AbutStepReport r = world_step(world, dt);
        watch(&w, &r);
    }
    return w;
}

/* ---- limbs ------------------------------------------------------------------------------------------------------- */

/* Links one on the other, each with a hinge along an axis, limits on both sides of 0 and friction. */
static void put_limb(AbutModel *model, int32_t base, AbutRng *random, int links, double loss)
{
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

static World limb_world(AbutRng *random)
{
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    put_floor(model, 0.8);
    int32_t base = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.05), 10.0, abut_zero(), 0.2);
    put_box(model, base, abut_zero(), abut_vec3(0.2, 0.2, 0.05), 0.8);
    put_limb(model, base, random, 4 + (int)abut_rng_below(random, 4), abut_rng_between(random, 0.1, 0.5));
    return world_of_model(model, &def);
}

/* Locks that break while a limit pushes against them: the step is solved again, in full and from where it began. */
static void test_limbs_fall_within_their_limits(void **state)
{
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
static void test_impulses_of_an_impact_are_forgotten(void **state)
{
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limbs_fall_within_their_limits),
        cmocka_unit_test(test_impulses_of_an_impact_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
