/* SPDX-License-Identifier: Apache-2.0 */
/* Every contact model in small piles of boxes and of random hulls: energy, saved states, points of contact. */
#include "dynamics/sim.h"
#include "abut/literature.h"
#include "dynamics/world.h"

static AbutSimulation *pile(const char *spec, uint64_t seed, int model, int fit, AbutScene **scene) {
    AbutError error;
    AbutSimulation *sim;
    AbutSimulationDef def = abut_simulation_default();
    def.model = model;
    def.fit = fit;
    world_ok(abut_scene_create(scene, &error), &error);
    world_ok(abut_scene_build(*scene, spec, seed, &error), &error);
    world_ok(abut_simulation_create(*scene, &def, &sim, &error), &error);
    return sim;
}

static AbutStepReport run(AbutSimulation *sim, int steps, double *most) {
    AbutStepReport report = {0};
    AbutError error;
    for (int i = 0; i < steps; ++i) {
        world_ok(abut_simulation_step(sim, 1e-3, &report, &error), &error);
        if (most) *most = abut_larger(*most, report.kinetic + report.potential);
    }
    return report;
}

/* Energy never rises above its start, whatever the model (but the printed one) and the fit. */
static void test_energy(void **state) {
    (void)state;
    static const char *const specs[2] = {"boxes:6", "hulls:6"};
    int contacts = 0;
    for (int i = 0; i < 4 * ABUT_CONTACT_MODEL_COUNT; ++i) {
        int model = (i / 4);
        if (model == ABUT_CONTACT_MODEL_PAPER) continue;
        for (int seed = 0; seed < check_cases(3); ++seed) {
            AbutScene *scene;
            AbutSimulation *sim =
                pile(specs[i % 2], (uint64_t)seed, model, i / 2 % 2 ? ABUT_FIT_MOMENTS : ABUT_FIT_THICKNESS, &scene);
            double start = abut_simulation_energy(sim, NULL, NULL), most = 0.0;
            AbutStepReport r = run(sim, 1500, &most);
            MEASURED("%s, %s, fit %d: energy %.6f, kinetic %.2g J, depth %.3g um, %d contacts, residual %.2g\n",
                abut_contact_model_name(model), specs[i % 2], i / 2 % 2, most / start, r.kinetic, 1e6 * r.max_depth,
                r.contacts, r.residual);
            CHECK(most <= 1.0001 * start);
            CHECK(r.kinetic < 0.1 * start);
            contacts += r.contacts;
            abut_simulation_free(sim);
            abut_scene_free(scene);
        }
    }
    CHECK(contacts > 100 * check_cases(3) / 3);
}

/* A restored state goes on bit for bit: impulses, generators and points are part of it. */
static void test_restore(void **state) {
    (void)state;
    for (int m = 0; m < ABUT_CONTACT_MODEL_COUNT; ++m) {
        AbutScene *scene;
        AbutError error;
        AbutSimulation *sim = pile("boxes:5", 3, m, ABUT_FIT_MOMENTS, &scene);
        run(sim, m == ABUT_CONTACT_MODEL_PAPER ? 50 : 500, NULL);
        size_t bytes = abut_simulation_state_size(sim);
        void *saved = malloc(bytes);
        abut_simulation_save(sim, saved);
        run(sim, 100, NULL);
        uint64_t expected = abut_simulation_hash(sim);
        world_ok(abut_simulation_restore(sim, saved, bytes, &error), &error);
        run(sim, 100, NULL);
        CHECK(abut_simulation_hash(sim) == expected);
        free(saved);
        abut_simulation_free(sim);
        abut_scene_free(scene);
    }
}

/* Two boxes crossed flat on flat meet in four crossings of edges and nothing else; the point model must find them. */
static void test_crossing_points(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_POINT);
    w.def.iterations = 500;
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
    world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST + 0.05 - 1e-6), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI));
    world_start(&w);
    world_run(&w, 0.05);
    int crossed = 0;
    for (int i = 0; i < abut_simulation_contact_count(w.sim); ++i) {
        AbutContact r;
        CHECK(abut_simulation_get_contact(w.sim, i, &r));
        assert_int_equal(r.vertex_count, 4);
        CHECK_NEAR(fabs(r.force.z), WORLD_WEIGHT * (r.center.z < 0.01 ? 2.0 : 1.0), 1e-5 * WORLD_WEIGHT);
        for (int k = 0; k < 4 && r.center.z > 0.01; ++k, ++crossed) {
            CHECK_NEAR(fabs(r.vertex[k].point.x), 0.05, 1e-6);
            CHECK_NEAR(fabs(r.vertex[k].point.y), 0.05, 1e-6);
        }
    }
    assert_int_equal(crossed, 4);
    CHECK(abut_length(world_get(&w, 1).velocity) < 1e-9);
    world_end(&w);
}

/* An edge over an edge: one point, between them. */
static void test_edge_on_edge(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_POINT);
    double reach = 0.05 * sqrt(0.5) + 0.025 * sqrt(0.5);
    w.def.gravity = abut_zero();
    AbutQuat roll = abut_quat_axis_angle(abut_axis(0), 0.25 * ABUT_PI);
    world_box(&w, abut_zero(), roll);
    world_box(&w, abut_vec3(0.02, 0.0, 2.0 * reach - 1e-5),
        abut_quat_mul(abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI), roll));
    world_start(&w);
    world_step(&w);
    AbutContact r;
    CHECK(abut_simulation_get_contact(w.sim, 0, &r));
    assert_int_equal(r.vertex_count, 1);
    CHECK_NEAR(fabs(r.normal.z), 1.0, 1e-9);
    CHECK_NEAR(r.center.z, reach, 1e-5);
    CHECK(fabs(r.force.z) > 0.0);
    world_end(&w);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_crossing_points),
        cmocka_unit_test(test_edge_on_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
