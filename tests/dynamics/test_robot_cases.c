/* SPDX-License-Identifier: Apache-2.0 */
/* Small models that broke the simulation once, where they lie beside the checkout: energy, loops, and a cube that heavy
 * fingers hold. */
#include "dynamics/robot_world.h"

#include "abut/import.h"
#include "support/optional_data.h"

static World case_file(const char *file) {
    const char *found = optional_data("cases/physics");
    AbutSimulationDef def = abut_simulation_default();
    char path[5000];
    AbutModel *model;
    AbutError error;
    if (!found) skip();
    snprintf(path, sizeof path, "%s/%s", found, file);
    good(abut_model_read(path, NULL, &model, &error), &error);
    def.gravity = model->gravity;
    return world_of_model(model, &def);
}

typedef struct Run {
    double gain, above, start, fastest; /* J a step beyond work, J above the start; rad/s or m/s of a joint */
} Run;

static Run run(const char *file, double dt, double time) {
    World world = case_file(file);
    Run r = {.start = abut_simulation_energy(world.sim, NULL, NULL)};
    double last = r.start, v[256];
    int32_t count = abut_model_number_count(abut_scene_robot_model(world.scene, 0), ABUT_NUMBERS_VELOCITIES);
    for (int i = 0; i < (int)(time / dt + 0.5); ++i) {
        AbutStepReport s = world_step(&world, dt);
        double now = s.kinetic + s.potential;
        r.gain = fmax(r.gain, now - last - s.work);
        r.above = fmax(r.above, now - r.start);
        last = now;
        abut_scene_get_joints(world.scene, 0, NULL, v);
        for (int32_t k = 0; k < count; ++k) r.fastest = fmax(r.fastest, fabs(v[k]));
    }
    world_free(&world);
    return r;
}

static void limits_with_friction_loss(void **state) {
    (void)state;
    static const double steps[] = {5e-4, 1e-3, 2e-3};
    for (int i = 0; i < 3; ++i) CHECK(run("lim_min.xml", steps[i], 4.0).gain < 1e-6);
}

static void two_connects_on_one_mechanism(void **state) {
    (void)state;
    Run r = run("neck_min.xml", 2e-3, 1.0);
    CHECK(r.gain < 3e-3 && r.fastest < 4.2);
}

static void ropes_on_the_floor(void **state) {
    (void)state;
    Run r = run("rope30.xml", 2e-3, 2.0);
    CHECK(r.above < 0.01 * r.start);
    r = run("ch100.xml", 4e-3, 1.6);
    CHECK(r.above < 0.01 * r.start);
}

/* Fingers of 10 kg press with 50 N each on a cube of 1 g. */
static void a_light_cube_between_heavy_fingers(void **state) {
    (void)state;
    World world = case_file("sq.xml");
    const AbutModel *model = abut_scene_robot_model(world.scene, 0);
    double q[64] = {0}, control[2] = {50.0, 50.0};
    int32_t cube = -1;
    abut_scene_get_joints(world.scene, 0, q, NULL);
    int32_t at = 0;
    for (int32_t b = 0; b < model->body_count; ++b) {
        int free = model->bodies[b].kind == ABUT_BODY_DYNAMIC;
        cube = free ? b : cube;
        at += free ? 7 : 0;
        for (int32_t j = -1; (j = abut_model_next_joint(model, b, j)) >= 0;) q[at++] = 0.0299;
    }
    set_joints(&world, q, NULL);
    set_control(&world, control);
    AbutBodyId id = abut_scene_robot_body(world.scene, 0, cube);
    double height = body_of(&world, id).center.z;
    world_run(&world, 2e-3, 1000);
    CHECK_NEAR(body_of(&world, id).center.z, height, 1e-3);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_with_friction_loss),
        cmocka_unit_test(two_connects_on_one_mechanism),
        cmocka_unit_test(ropes_on_the_floor),
        cmocka_unit_test(a_light_cube_between_heavy_fingers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
