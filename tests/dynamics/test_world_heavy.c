/* SPDX-License-Identifier: Apache-2.0 */
/* Heavy bodies on islands whose Newton steps have no factor: they stand by conjugate gradients, where sweeps alone let
 * them sink; who takes those steps; threads, saved states, memory. */
#include "dynamics/newton.h"
#include "dynamics/world_support.h"

static AbutBodyId add_block_of(AbutScene *scene, AbutPose pose, AbutVec3 half, double mass) {
    AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, pose);
    AbutShapeDef def = abut_shape_default();
    def.form.size = half;
    def.density = mass / (8.0 * half.x * half.y * half.z);
    add_shape(scene, id, &def);
    return id;
}

static AbutScene *scene_with_ground(void) {
    AbutScene *scene = new_scene();
    AbutBodyId id = add_body(scene, ABUT_BODY_STATIC, abut_pose_identity());
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HALF_SPACE;
    add_shape(scene, id, &def);
    return scene;
}

/* Layers of n x n bricks of 1 kg, every other one shifted by half a brick, and a plate over or under all of them. */
static AbutScene *bricks_and_a_plate(int n, int layers, double mass, int under, AbutBodyId *plate) {
    AbutScene *scene = scene_with_ground();
    double foot = under ? 0.1 : 0.0;
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < n * n; ++i) {
            double shift = 0.05 * (l & 1);
            add_block_of(scene, at(0.101 * (i / n) + shift, 0.101 * (i % n) + shift, foot + 0.025 + 0.05 * l),
                abut_vec3(0.05, 0.05, 0.025), 1.0);
        }
    double middle = 0.0505 * (n - 1) + 0.025;
    *plate = add_block_of(
        scene, at(middle, middle, under ? 0.05 : 0.05 * layers + 0.05), abut_vec3(0.0505 * n, 0.0505 * n, 0.05), mass);
    return scene;
}

/* n x n cubes of 1 kg beside each other, and a plate on them or under them. */
static AbutScene *cubes_and_a_plate(int n, double mass, int under, AbutBodyId *plate) {
    AbutScene *scene = scene_with_ground();
    for (int i = 0; i < n * n; ++i)
        add_block_of(scene, at(0.15 * (i / n), 0.15 * (i % n), under ? 0.15 : 0.05), abut_vec3(0.05, 0.05, 0.05), 1.0);
    double middle = 0.075 * (n - 1);
    *plate = add_block_of(scene, at(middle, middle, under ? 0.05 : 0.15), abut_vec3(0.075 * n, 0.075 * n, 0.05), mass);
    return scene;
}

/* Does the largest island take its steps by gradients? */
static int goes_by_gradients(const World *world) {
    const AbutNewtonOrder *now = world->sim->solver.newton[0].now;
    return now && now->outcome == ABUT_BLOCKS_DEAR && now->plain;
}

static double sinks(AbutScene *scene, AbutBodyId body, double time, int gradients) {
    AbutSimulationDef def = abut_simulation_default();
    World world = world_of(scene, &def);
    AbutNewton *newton = world.sim->solver.newton;
    world.sim->solver.newton = gradients ? newton : NULL;
    double start = body_of(&world, body).center.z;
    world_run(&world, 1e-3, (int)lround(time / 1e-3));
    CHECK(!gradients || goes_by_gradients(&world));
    double sunk = start - body_of(&world, body).center.z;
    world.sim->solver.newton = newton;
    world_free(&world);
    return sunk;
}

/* Ten tonnes on 64 cubes of a kilogram: more neighbors than a column of the factor may have. */
static void a_plate_stands_on_cubes(void **state) {
    (void)state;
    AbutBodyId plate;
    AbutScene *scene = cubes_and_a_plate(8, 1e4, 0, &plate);
    CHECK_NEAR(sinks(scene, plate, 0.2, 1), 0.0, 3e-5);
    scene = cubes_and_a_plate(8, 1e4, 0, &plate);
    CHECK(sinks(scene, plate, 0.2, 0) > 3e-4);
}

/* Four tonnes on 324 bricks in four layers, swept in a compact copy. */
static void a_plate_stands_on_bricks(void **state) {
    (void)state;
    AbutBodyId plate;
    AbutScene *scene = bricks_and_a_plate(9, 4, 4e3, 0, &plate);
    CHECK_NEAR(sinks(scene, plate, 0.1, 1), 0.0, 4e-5);
    scene = bricks_and_a_plate(9, 4, 4e3, 0, &plate);
    CHECK(sinks(scene, plate, 0.1, 0) > 2e-4);
}

static int steps_by_gradients(AbutScene *scene, int packed) {
    AbutSimulationDef def = abut_simulation_default();
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 5);
    CHECK(world.sim->solver.newton[0].now->outcome == ABUT_BLOCKS_DEAR);
    CHECK(world.sim->islands.at[0].packed == packed);
    int by_gradients = goes_by_gradients(&world);
    world_free(&world);
    return by_gradients;
}

/* Large islands without a heavy body, or with one below the light ones, are swept, and nothing else is paid for; small
 * ones take their Newton steps whatever they carry. */
static void light_loads_are_swept_in_large_islands(void **state) {
    (void)state;
    AbutBodyId plate;
    CHECK(!steps_by_gradients(bricks_and_a_plate(9, 4, 50.0, 0, &plate), 1));
    CHECK(!steps_by_gradients(bricks_and_a_plate(9, 4, 1e4, 1, &plate), 1));
    CHECK(steps_by_gradients(bricks_and_a_plate(9, 4, 200.0, 0, &plate), 1));
    CHECK(steps_by_gradients(cubes_and_a_plate(8, 1.0, 0, &plate), 0));
    CHECK(steps_by_gradients(cubes_and_a_plate(8, 1e4, 1, &plate), 0));
}

static World heavy_world(int threads, AbutBodyId *plate) {
    AbutSimulationDef def = abut_simulation_default();
    def.threads = threads;
    return world_of(bricks_and_a_plate(9, 4, 4e3, 0, plate), &def);
}

static void threads_and_restoring_keep_the_bits(void **state) {
    (void)state;
    AbutError error;
    AbutBodyId plate;
    World one = heavy_world(1, &plate);
    world_run(&one, 1e-3, 8);
    size_t bytes = abut_simulation_state_size(one.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(one.sim, saved);
    uint64_t before = abut_simulation_hash(one.sim);
    world_run(&one, 1e-3, 8);
    uint64_t after = abut_simulation_hash(one.sim);
    CHECK(goes_by_gradients(&one) && one.sim->islands.at[0].packed);
    for (int threads = 2; threads <= 4; threads += 2) {
        World other = heavy_world(threads, &plate);
        world_run(&other, 1e-3, threads == 2 ? 8 : 2);
        CHECK(threads > 2 || abut_simulation_hash(other.sim) == before);
        good(abut_simulation_restore(other.sim, saved, bytes, &error), &error);
        world_run(&other, 1e-3, 8);
        CHECK(abut_simulation_hash(other.sim) == after);
        world_free(&other);
    }
    free(saved);
    world_free(&one);
}

/* The first steps with memory that fails at the first request, at the second, ...: each says so, and the next one goes
 * on. Once everything has been touched, a step asks for none. */
static void memory_may_fail(void **state) {
    (void)state;
    AbutBodyId plate;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    FailingMemory memory = {INT32_MAX, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    int failed = 1, requests = 0, bad = 0, warm = 0;
    abut_set_allocator(&allocator);
    for (; failed; ++requests) {
        World world = world_of(cubes_and_a_plate(7, 1e4, 0, &plate), &def);
        memory.left = requests;
        AbutStatus status = abut_simulation_step(world.sim, 1e-3, NULL, &error);
        failed = memory.left < 0;
        bad |= status != (failed ? ABUT_ERROR_MEMORY : ABUT_OK);
        memory.left = INT32_MAX;
        bad |= abut_simulation_step(world.sim, 1e-3, NULL, &error) != ABUT_OK;
        memory.left = 0;
        warm = abut_simulation_step(world.sim, 1e-3, NULL, &error) == ABUT_OK && goes_by_gradients(&world);
        memory.left = INT32_MAX;
        world_free(&world);
    }
    abut_set_allocator(NULL);
    CHECK(!bad && warm && memory.live == 0 && requests > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_stands_on_cubes),
        cmocka_unit_test(a_plate_stands_on_bricks),
        cmocka_unit_test(light_loads_are_swept_in_large_islands),
        cmocka_unit_test(threads_and_restoring_keep_the_bits),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
