/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance checks 14, 15, 16 and 21: stacks, bridges and piles. */
#include "dynamics/world.h"
#include "abut/literature.h"

/* Boxes on each other, every contact 1 um deep; each one shifted by `offset` against the one below. */
static World stack(int model, int n, double offset) {
    World w = world_begin(model);
    world_ground(&w);
    for (int i = 0; i < n; ++i)
        world_box(&w, abut_vec3(offset * i, 0.0, WORLD_REST + i * (0.05 - 1e-6)), abut_quat_identity());
    return w;
}

static void test_14_stack_of_three(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        World w = stack(ABUT_CONTACT_MODEL_VOL, 3, i ? 0.03 : 0.0);
        world_start(&w);
        world_run(&w, 0.2);
        double worst = 0.0;
        for (int k = 0; k < 500; ++k) {
            world_step(&w);
            worst = abut_larger(worst, fabs(world_support(&w, 0).z / (3.0 * WORLD_WEIGHT) - 1.0));
        }
        MEASURED("14: offset %.2f m: ground force / 3mg - 1: %.2g at most\n", i ? 0.03 : 0.0, worst);
        CHECK(worst < 1e-6);
        world_end(&w);
    }
}

/* Sweeps until the velocities change by less than 1e-9 m/s. The counts are of models that solve a contact at once. */
static void test_15_sweeps(void **state) {
    (void)state;
    static const int sizes[4] = {2, 3, 5, 10}, expected[4] = {21, 49, 136, 520};
    static const int models[3] = {ABUT_CONTACT_MODEL_CONVEX, ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_EMIN};
    for (int m = 0; m < 3; ++m)
        for (int i = 0; i < 4; ++i) {
            World w = stack(models[m], sizes[i], 0.0);
            w.def.iterations = 10000;
            world_start(&w);
            w.sim->solver.one_way =
                1; /* as counted; back and forth needs about twice as many here and is quieter in piles */
            world_step(&w);
            int cold = w.report.sweeps;
            double warm = 0.0;
            for (int k = 0; k < 1000; ++k) {
                world_step(&w);
                warm += w.report.sweeps / 1000.0;
            }
            MEASURED("15: %s n %d: cold %d sweeps (%d), warm %.2f\n", abut_contact_model_name(models[m]), sizes[i],
                cold, expected[i], warm);
            CHECK(cold <= 1.1 * expected[i]);
            CHECK(cold >= sizes[i]);
            CHECK(warm <= 3.0);
            world_end(&w);
        }
}

static void test_16_bridge(void **state) {
    (void)state;
    static const double steps[3] = {0.0, 1e-6, 1e-5};
    for (int i = 0; i < 3; ++i) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL);
        for (int k = 0; k < 2; ++k) {
            double half = 0.025 - 0.5 * k * steps[i];
            world_add(&w, ABUT_BODY_STATIC, abut_vec3(0.02, 0.05, half),
                abut_pose(abut_vec3(k ? 0.08 : -0.08, 0.0, half), abut_quat_identity()));
        }
        world_box(&w, abut_vec3(0.0, 0.0, 0.05 + WORLD_REST), abut_quat_identity());
        world_start(&w);
        world_run(&w, 0.2);
        AbutBodyState s = world_get(&w, 0);
        double force = world_support(&w, 0).z / WORLD_WEIGHT, lateral = hypot(s.velocity.x, s.velocity.y);
        MEASURED("16: dh %g: F/mg - 1 %.2g, lateral %.2g m/s\n", steps[i], force - 1.0, lateral);
        CHECK_NEAR(force, 1.0, 1e-6);
        CHECK(lateral < 1e-10);
        world_end(&w);
    }
}

/* A pile in mid-fall: two equal worlds, one more step by sweeps in one and by the joint problem in the other. */
static double compare_joint(int n, double time, uint64_t seed, int *contacts, int *sweeps) {
    AbutScene *scene[2];
    AbutSimulation *sim[2];
    AbutError error;
    AbutStepReport report;
    char spec[32];
    snprintf(spec, sizeof spec, "boxes:%d", n);
    for (int i = 0; i < 2; ++i) {
        AbutSimulationDef def = abut_simulation_default();
        def.fit = ABUT_FIT_MOMENTS;
        def.margin = 0.0;
        def.slop = 1e-5;
        def.compliance = 0.0;
        world_ok(abut_scene_create(&scene[i], &error), &error);
        world_ok(abut_scene_build(scene[i], spec, seed, &error), &error);
        world_ok(abut_simulation_create(scene[i], &def, &sim[i], &error), &error);
        for (int k = 0; k < (int)(time / 1e-3); ++k)
            world_ok(abut_simulation_step(sim[i], 1e-3, &report, &error), &error);
    }
    sim[0]->model = abut_contact_model(ABUT_CONTACT_MODEL_CONVEX);
    sim[0]->def.iterations = 1000000; /* one of these piles takes 2e5 to 4e5 of them, by its last bits */
    sim[0]->def.tolerance = 1e-9 / (WORLD_GRAVITY * 1e-3);
    sim[1]->model = &abut_contact_model_joint_convex;
    for (int i = 0; i < 2; ++i) {
        assert_true(abut_contacts_ready(&sim[i]->contacts, sim[i]->solver.workers, 1));
        abut_contacts_forget_models(&sim[i]->contacts);
        world_ok(abut_simulation_step(sim[i], 1e-3, &report, &error), &error);
        *contacts = report.contacts;
        *sweeps = i == 0 ? report.sweeps : *sweeps;
        assert_int_equal(report.capped_islands, 0);
    }
    double worst = 0.0;
    for (int32_t b = 0; b < scene[0]->body_places; ++b)
        worst = abut_larger(worst, abut_point_distance(scene[0]->body[b].v, scene[1]->body[b].v));
    for (int i = 0; i < 2; ++i) {
        abut_simulation_free(sim[i]);
        abut_scene_free(scene[i]);
    }
    return worst;
}

static void test_21_joint(void **state) {
    (void)state;
    static const int sizes[4] = {4, 8, 16, 24};
    int most = 0;
    for (int i = 0; i < 8; ++i) {
        int contacts = 0, sweeps = 0;
        double worst = compare_joint(sizes[i % 4], 0.6 + 0.5 * (i / 4), (uint64_t)i, &contacts, &sweeps);
        MEASURED("21: %d boxes, %d contacts: max |dv| %.2g m/s (%d sweeps)\n", sizes[i % 4], contacts, worst, sweeps);
        CHECK(worst < 1e-7);
        most = contacts > most ? contacts : most;
    }
    CHECK(most >= 20);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_14_stack_of_three),
        cmocka_unit_test(test_15_sweeps),
        cmocka_unit_test(test_16_bridge),
        cmocka_unit_test(test_21_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
