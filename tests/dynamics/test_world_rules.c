/* SPDX-License-Identifier: Apache-2.0 */
/* What callers decide while a simulation runs: which pairs meet, which contacts push and with what friction; shapes,
 * margins and settings that change. */
#include "dynamics/world_support.h"
#include "abut/literature.h"

#include <string.h>

#define G 9.80665

static AbutShapeId shape_of(const World *world, AbutBodyId id) { return abut_scene_shape_at(world->scene, id, 0); }

/* A static slab with its top at z = 0, and a box above it. */
static World box_over_slab(double height, AbutVec3 velocity, AbutBodyId *slab, AbutBodyId *box) {
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyDef body = abut_body_default();
    AbutShapeDef flat = box_def(2.0, 2.0, 0.02, 1000.0, 0.5), cube = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    body.kind = ABUT_BODY_STATIC;
    body.pose.p.z = -0.02;
    good(abut_scene_add_body(scene, &body, slab, &error), &error);
    good(abut_scene_add_shape(scene, *slab, &flat, NULL, &error), &error);
    *box = throw_box(scene, at(0, 0, height), velocity, abut_zero(), &cube);
    def.sleeping = 1;
    return world_of(scene, &def);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

typedef struct Forbidden {
    AbutShapeId shape;
    int calls;
} Forbidden;

static int forbid(const AbutScene *scene, AbutShapeId a, AbutShapeId b, void *user) {
    Forbidden *f = user;
    CHECK(abut_scene_get_shape(scene, a, NULL, NULL) && abut_scene_get_shape(scene, b, NULL, NULL));
    ++f->calls;
    return memcmp(&a, &f->shape, sizeof a) != 0 && memcmp(&b, &f->shape, sizeof b) != 0;
}

static void a_filter_forbids_pairs(void **state) {
    (void)state;
    AbutBodyId slab, box, second;
    AbutError error;
    World world = box_over_slab(0.1, abut_zero(), &slab, &box);
    AbutShapeDef cube = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    second = throw_box(world.scene, at(1, 0, 0.1), abut_zero(), abut_zero(), &cube);
    world_run(&world, 1e-3, 500);
    CHECK_NEAR(body_of(&world, box).center.z, 0.1, 1e-4);
    Forbidden f = {shape_of(&world, box), 0};
    abut_scene_set_pair_filter(world.scene, forbid, &f);
    world_run(&world, 1e-3, 300);
    CHECK(f.calls > 0 && f.calls < 20); /* once for each pair that comes near, not in each step */
    CHECK(body_of(&world, box).center.z < -0.2);
    CHECK_NEAR(body_of(&world, second).center.z, 0.1, 1e-4);
    AbutSceneDistance near;
    assert_int_equal(abut_scene_distances(world.scene, NULL, INFINITY, 1, &near), 1); /* queries follow it too */
    good(abut_scene_set_pose(world.scene, box, at(0, 0, 0.1), &error), &error);
    good(abut_scene_set_velocity(world.scene, box, abut_zero(), abut_zero(), &error), &error);
    abut_scene_set_pair_filter(world.scene, NULL, NULL);
    world_run(&world, 1e-3, 300);
    CHECK_NEAR(body_of(&world, box).center.z, 0.1, 1e-4);
    world_free(&world);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Open to what comes from below: pushes only what does not rise. */
static int one_way(const AbutSimulation *sim, const AbutContact *contact, AbutContactLaw *law, void *user) {
    (void)law;
    AbutBodyState b;
    ++*(int *)user;
    CHECK(abut_scene_get_body(abut_simulation_scene(sim), contact->body_b, &b));
    return contact->normal.z > 0.5 && b.velocity.z < 0.05;
}

static void a_platform_is_open_from_below(void **state) {
    (void)state;
    AbutBodyId slab, box;
    int calls = 0;
    double top = 0.0;
    World world = box_over_slab(-0.5, abut_vec3(0, 0, 4.5), &slab, &box);
    abut_simulation_set_contact_rule(world.sim, one_way, &calls);
    for (int i = 0; i < 2000; ++i) {
        world_step(&world, 1e-3);
        top = fmax(top, body_of(&world, box).center.z);
    }
    CHECK(calls > 100);
    CHECK_NEAR(top, -0.5 + 4.5 * 4.5 / (2.0 * G), 0.02);  /* as if nothing were there */
    CHECK_NEAR(body_of(&world, box).center.z, 0.1, 1e-4); /* and it landed on top */
    CHECK(abut_length(body_of(&world, box).velocity) < 1e-4);
    abut_simulation_set_contact_rule(world.sim, NULL, NULL);
    world_run(&world, 1e-3, 10);
    CHECK_NEAR(body_of(&world, box).center.z, 0.1, 1e-4);
    world_free(&world);
}

/* A fast one is stopped where it would touch, asked about, and let through. */
static void a_fast_body_passes_an_open_platform(void **state) {
    (void)state;
    AbutBodyId slab, box;
    int calls = 0;
    World world = box_over_slab(-2.0, abut_vec3(0, 0, 400.0), &slab, &box);
    abut_simulation_set_contact_rule(world.sim, one_way, &calls);
    world_run(&world, 5e-3, 8);
    CHECK(body_of(&world, box).velocity.z > 399.0);
    CHECK(body_of(&world, box).center.z > 10.0);
    world_free(&world);
}

static int set_law(const AbutSimulation *sim, const AbutContact *contact, AbutContactLaw *law, void *user) {
    (void)sim;
    CHECK(contact->vertex_count > 0 && law->friction == 0.5);
    *law = *(AbutContactLaw *)user;
    return 1;
}

static void a_rule_changes_friction_and_bounce(void **state) {
    (void)state;
    AbutBodyId slab, box;
    AbutError error;
    World world = box_over_slab(0.1, abut_vec3(1.0, 0, 0), &slab, &box);
    AbutContactLaw law = {0.0, 0.0, 0.0};
    abut_simulation_set_contact_rule(world.sim, set_law, &law);
    world_run(&world, 1e-3, 300);
    CHECK_NEAR(body_of(&world, box).velocity.x, 1.0, 1e-9); /* ice */
    law.friction = law.friction_kinetic = 0.2;
    world_run(&world, 1e-3, 100);
    CHECK_NEAR(body_of(&world, box).velocity.x, 1.0 - 0.2 * G * 0.1, 5e-3);
    law.restitution = 1.0;
    good(abut_scene_set_velocity(world.scene, box, abut_vec3(0, 0, -1.0), abut_zero(), &error), &error);
    world_run(&world, 1e-3, 3);
    CHECK(body_of(&world, box).velocity.z > 0.9);
    const AbutContactLaw bad[] = {
        {0.2, 0.3, 0.0}, {0.2, -0.1, 0.0}, {0.2, 0.2, 1.5}, {NAN, 0.2, 0.0}, {INFINITY, 0.2, 0.0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        good(abut_scene_set_pose(world.scene, box, at(0, 0, 0.1), &error), &error);
        law = bad[i];
        CHECK(abut_simulation_step(world.sim, 1e-3, NULL, &error) == ABUT_ERROR_NUMBER);
        CHECK(strstr(error.text, "rule of contacts"));
    }
    world_free(&world);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void shapes_change_while_bodies_touch(void **state) {
    (void)state;
    AbutBodyId slab, box;
    AbutError error;
    AbutShapeId extra, first;
    World world = box_over_slab(0.1, abut_zero(), &slab, &box);
    AbutShapeDef above = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    above.pose.p = abut_vec3(0.0, 0.0, 0.15);
    world_run(&world, 1e-3, 300);
    double mass = body_of(&world, box).mass;
    good(abut_scene_add_shape(world.scene, box, &above, &extra, &error), &error);
    CHECK_NEAR(body_of(&world, box).mass, mass * 1.125, 1e-9);
    world_run(&world, 1e-3, 100);
    first = shape_of(&world, box);
    AbutGeometryDef flat = above.form;
    flat.size = abut_vec3(0.1, 0.1, 0.05);
    good(abut_scene_set_form(world.scene, first, &flat, at(0, 0, 0.05), &error), &error); /* its lower half goes */
    CHECK_NEAR(body_of(&world, box).mass, mass * 0.625, 1e-9);
    CHECK_NEAR(body_of(&world, box).center.z, 0.1 + (0.5 * 0.05 + 0.125 * 0.15) / 0.625, 1e-4);
    world_run(&world, 1e-3, 1000);
    CHECK_NEAR(body_of(&world, box).pose.p.z, 0.0, 1e-4); /* it fell by what went */
    good(abut_scene_remove_shape(world.scene, first, &error), &error);
    CHECK(abut_scene_shape_count(world.scene, box) == 1);
    CHECK(abut_scene_remove_shape(world.scene, first, &error) == ABUT_ERROR_ARGUMENT); /* its id is gone */
    world_run(&world, 1e-3, 1000);
    CHECK_NEAR(body_of(&world, box).pose.p.z, -0.1, 1e-4); /* on what is left */
    CHECK_NEAR(body_of(&world, box).mass, mass * 0.125, 1e-9);
    good(abut_scene_remove_shape(world.scene, extra, &error), &error);
    CHECK(abut_simulation_step(world.sim, 1e-3, NULL, &error) == ABUT_ERROR_ARGUMENT); /* no mass */
    good(abut_scene_add_shape(world.scene, box, &above, NULL, &error), &error);
    world_run(&world, 1e-3, 10);
    world_free(&world);
}

static void forms_that_are_refused_change_nothing(void **state) {
    (void)state;
    AbutBodyId slab, box;
    AbutError error;
    World world = box_over_slab(0.1, abut_zero(), &slab, &box);
    AbutShapeId shape = shape_of(&world, box), of_slab = shape_of(&world, slab), none = {0, 0};
    AbutGeometryDef bad = box_def(0.1, 0.1, 0.1, 1.0, 0.5).form, half_space = bad, good_form = bad;
    bad.size.x = -1.0;
    half_space.kind = ABUT_SHAPE_HALF_SPACE;
    world_run(&world, 1e-3, 200);
    uint64_t hash = abut_simulation_hash(world.sim);
    CHECK(abut_scene_set_form(world.scene, shape, &bad, at(0, 0, 0), &error) != ABUT_OK);
    CHECK(abut_scene_set_form(world.scene, shape, &half_space, at(0, 0, 0), &error) != ABUT_OK);
    CHECK(abut_scene_set_form(world.scene, of_slab, &half_space, at(0, 0, 0), &error) != ABUT_OK);
    CHECK(abut_scene_set_form(world.scene, shape, &good_form, at(NAN, 0, 0), &error) != ABUT_OK);
    CHECK(abut_scene_set_form(world.scene, none, &good_form, at(0, 0, 0), &error) != ABUT_OK);
    CHECK(abut_scene_remove_shape(world.scene, none, &error) != ABUT_OK);
    CHECK(abut_simulation_hash(world.sim) == hash);
    world_run(&world, 1e-3, 100);
    CHECK_NEAR(body_of(&world, box).center.z, 0.1, 1e-4);
    world_free(&world);
}

/* A shape with a margin of its own is felt from afar; what shares its geometry is not. */
static void a_shape_has_its_own_margin(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutShapeDef cube = box_def(0.1, 0.1, 0.1, 1000.0, 0.5), wide = cube, bad = cube;
    add_ground(scene, abut_quat_identity(), 0.5);
    wide.margin = 2e-3;
    AbutBodyId plain = throw_box(scene, at(0, 0, 0.101), abut_zero(), abut_zero(), &cube);
    AbutBodyId felt = throw_box(scene, at(1, 0, 0.101), abut_zero(), abut_zero(), &wide);
    bad.margin = -1.0;
    CHECK(abut_scene_add_shape(scene, plain, &bad, NULL, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "margin"));
    def.gravity = abut_zero();
    World world = world_of(scene, &def);
    world_step(&world, 1e-3);
    CHECK(abut_simulation_body_contacts(world.sim, plain, 0, NULL) == 0);
    CHECK(abut_simulation_body_contacts(world.sim, felt, 0, NULL) == 1);
    good(abut_simulation_set_gravity(world.sim, abut_vec3(0, 0, -G), &error), &error);
    world_run(&world, 1e-3, 500);
    CHECK_NEAR(body_of(&world, plain).center.z, 0.1, 1e-4);
    CHECK_NEAR(body_of(&world, felt).center.z, 0.1, 1e-4); /* bodies touch where their faces are */
    world_free(&world);
}

/* Three cubes a millimeter over the ground, the first with a margin of 2 mm against it. */
static World cubes_over_ground(int threads, AbutBodyId cube[3], AbutBodyId *ground) {
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    AbutPairDef law = abut_pair_default();
    *ground = add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < 3; ++i) /* the second and the third are half a millimeter apart */
        cube[i] = throw_box(scene, at(i == 2 ? 1.2005 : i, 0, 0.101), abut_zero(), abut_zero(), &shape);
    def.threads = threads;
    law.margin = 2e-3;
    World world = world_of(scene, &def);
    good(abut_scene_set_pair(scene, shape_of(&world, cube[0]), shape_of(&world, *ground), &law, &error), &error);
    return world;
}

/* A pair with a margin of its own is felt from afar, others are not; bodies touch where their faces are. */
static void a_pair_has_its_own_margin(void **state) {
    (void)state;
    AbutError error;
    AbutBodyId cube[3], ground;
    AbutPairDef none = abut_pair_default();
    World world = cubes_over_ground(1, cube, &ground);
    good(abut_simulation_set_gravity(world.sim, abut_zero(), &error), &error);
    world_step(&world, 1e-3);
    CHECK(abut_simulation_body_contacts(world.sim, cube[0], 0, NULL) == 1);
    CHECK(abut_simulation_contact_count(world.sim) == 1);
    good(abut_scene_set_pair(world.scene, shape_of(&world, cube[0]), shape_of(&world, ground), &none, &error), &error);
    world_step(&world, 1e-3);
    CHECK(abut_simulation_contact_count(world.sim) == 0); /* while it runs, too */
    world_free(&world);
    world = cubes_over_ground(1, cube, &ground);
    AbutContact c;
    double from = 0.0;
    for (int i = 0; i < 500; ++i) {
        AbutVec3 center = body_of(&world, cube[0]).center;
        world_step(&world, 1e-3);
        if (from == 0.0 && abut_simulation_body_contacts(world.sim, cube[0], 1, &c)) from = center.z - 0.1;
    }
    CHECK_NEAR(from, 1e-3, 1e-12);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(body_of(&world, cube[i]).center.z, 0.1, 1e-5);
    CHECK(abut_simulation_body_contacts(world.sim, cube[0], 1, &c) == 1);
    CHECK_NEAR(c.volume, 4e-3 * 0.204 * 0.204, 1e-2 * c.volume); /* grown by the margin on all sides */
    CHECK(abut_simulation_body_contacts(world.sim, cube[1], 1, &c) == 1 && c.volume < 1e-2 * 4e-3 * 0.04);
    world_free(&world);
}

/* What falls into a wide margin is slowed within it: it may close the gap by a part of it in each step. */
static void a_margin_of_a_pair_softens_the_landing(void **state) {
    (void)state;
    AbutBodyId cube[3], ground;
    World world = cubes_over_ground(1, cube, &ground);
    double fastest[2] = {0.0, 0.0};
    for (int i = 0; i < 100; ++i) {
        world_step(&world, 1e-3);
        for (int k = 0; k < 2; ++k) fastest[k] = fmax(fastest[k], -body_of(&world, cube[k]).velocity.z);
    }
    CHECK(fastest[1] > 0.12 && fastest[1] < 0.15); /* a fall of a millimeter gives 0.14 m/s */
    CHECK(fastest[0] < fastest[1]);
    world_free(&world);
}

/* Continuous collision stops a shot where the margin of its pair begins. */
static void a_shot_stops_at_the_margin_of_its_pair(void **state) {
    (void)state;
    for (int with = 0; with < 2; ++with) {
        AbutBodyId slab, box;
        AbutError error;
        AbutPairDef law = abut_pair_default();
        World world = box_over_slab(0.35, abut_vec3(0, 0, -200.0), &slab, &box);
        law.margin = 5e-3;
        if (with)
            good(abut_scene_set_pair(world.scene, shape_of(&world, slab), shape_of(&world, box), &law, &error), &error);
        AbutStepReport r = {0};
        while (r.continuous_hits == 0) r = world_step(&world, 2e-3);
        double gap = body_of(&world, box).center.z - 0.1;
        CHECK(gap > 0.0 && with == (gap > 1e-3) && gap < 1.6 * law.margin);
        world_run(&world, 2e-3, 50);
        CHECK(body_of(&world, box).center.z > 0.099);
        world_free(&world);
    }
}

/* The same bits with two threads, and from a saved state; what a pair states stays as it is when a state comes back. */
static void margins_of_pairs_keep_the_bits(void **state) {
    (void)state;
    AbutBodyId cube[3], ground;
    AbutError error;
    AbutPairDef law = abut_pair_default();
    World world = cubes_over_ground(1, cube, &ground), twin = cubes_over_ground(2, cube, &ground);
    world_run(&world, 1e-3, 40);
    world_run(&twin, 1e-3, 40);
    CHECK(abut_simulation_hash(world.sim) == abut_simulation_hash(twin.sim));
    size_t size = abut_simulation_state_size(world.sim);
    void *bytes = malloc(size);
    abut_simulation_save(world.sim, bytes);
    world_run(&world, 1e-3, 100);
    uint64_t after = abut_simulation_hash(world.sim);
    good(abut_simulation_restore(world.sim, bytes, size, &error), &error);
    world_run(&world, 1e-3, 100);
    CHECK(abut_simulation_hash(world.sim) == after);
    for (int wide = 0; wide < 2; ++wide) {
        law.margin = wide ? 4e-3 : 0.0;
        law.friction = 0.25;
        good(abut_scene_set_pair(twin.scene, shape_of(&twin, cube[0]), shape_of(&twin, ground), &law, &error), &error);
        good(abut_simulation_restore(twin.sim, bytes, size, &error), &error);
        world_step(&twin, 1e-3);
        AbutContact c;
        int touching = abut_simulation_body_contacts(twin.sim, cube[0], 1, &c);
        CHECK(touching == 0 ? !wide : wide ? c.volume > 1.5 * 4e-3 * 0.04 : c.volume < 4e-3 * 0.04);
        world_run(&twin, 1e-3, 300);
        CHECK_NEAR(body_of(&twin, cube[0]).center.z, 0.1, 1e-5);
    }
    free(bytes);
    world_free(&world);
    world_free(&twin);
}

/* Once a pair was near, steps with margins of pairs take no memory. */
static void margins_of_pairs_take_no_memory(void **state) {
    (void)state;
    FailingMemory memory = {1 << 30, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    AbutBodyId cube[3], ground;
    abut_set_allocator(&allocator);
    World world = cubes_over_ground(1, cube, &ground);
    world_run(&world, 1e-3, 50);
    memory.left = 0;
    world_run(&world, 1e-3, 200);
    memory.left = 1 << 30;
    world_free(&world);
    abut_set_allocator(NULL);
    assert_int_equal(memory.live, 0);
}

/* Compliant models look as far as their reach, whatever margins shapes and pairs state. */
static void margins_do_not_shorten_the_reach(void **state) {
    (void)state;
    for (int stated = 0; stated < 3; ++stated) {
        AbutScene *scene = new_scene();
        AbutError error;
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
        AbutPairDef law = abut_pair_default();
        def.model = ABUT_CONTACT_MODEL_PRESSURE;
        shape.margin = stated == 1 ? 1e-7 : 0.0;
        law.margin = 1e-7;
        AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId cube = throw_box(scene, at(0, 0, 0.104), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        if (stated == 2)
            good(abut_scene_set_pair(scene, shape_of(&world, cube), shape_of(&world, ground), &law, &error), &error);
        world_step(&world, 1e-3);
        CHECK(abut_simulation_body_contacts(world.sim, cube, 0, NULL) == 1);
        world_free(&world);
    }
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Every model in turn, with one thread and two: the stack stands. */
static void settings_change_while_it_runs(void **state) {
    (void)state;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("stack:3", 1, &def);
    world_run(&world, 1e-3, 200);
    for (int model = 0; model <= ABUT_CONTACT_MODEL_POINT; ++model) { /* those after it give way */
        def = abut_simulation_settings(world.sim);
        def.model = model;
        def.threads = 1 + model % 2;
        if (model == ABUT_CONTACT_MODEL_PAPER) continue; /* unstable by itself */
        good(abut_simulation_set_settings(world.sim, &def, &error), &error);
        world_run(&world, 1e-3, 60);
    }
    CHECK(abut_simulation_settings(world.sim).model == ABUT_CONTACT_MODEL_POINT);
    for (int i = 0; i < 3; ++i)
        CHECK(abut_length(body_of(&world, abut_scene_body_at(world.scene, 1 + i)).velocity) < 2e-2);
    def = abut_simulation_settings(world.sim);
    def.generators = 2;
    CHECK(abut_simulation_set_settings(world.sim, &def, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_simulation_settings(world.sim).generators == abut_simulation_default().generators);
    world_free(&world);
}

/* Another number of threads from now on: the same bits. */
static void threads_change_and_the_bits_stay(void **state) {
    (void)state;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("boxes:8", 3, &def), twin = world_from("boxes:8", 3, &def);
    world_run(&world, 1e-3, 600);
    world_run(&twin, 1e-3, 600);
    def.threads = 2;
    good(abut_simulation_set_settings(twin.sim, &def, &error), &error);
    world_run(&world, 1e-3, 50);
    world_run(&twin, 1e-3, 50);
    CHECK(abut_simulation_contact_count(world.sim) > 4);
    CHECK(abut_simulation_hash(world.sim) == abut_simulation_hash(twin.sim));
    world_free(&world);
    world_free(&twin);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_forbids_pairs),
        cmocka_unit_test(a_platform_is_open_from_below),
        cmocka_unit_test(a_fast_body_passes_an_open_platform),
        cmocka_unit_test(a_rule_changes_friction_and_bounce),
        cmocka_unit_test(shapes_change_while_bodies_touch),
        cmocka_unit_test(forms_that_are_refused_change_nothing),
        cmocka_unit_test(a_shape_has_its_own_margin),
        cmocka_unit_test(a_pair_has_its_own_margin),
        cmocka_unit_test(a_margin_of_a_pair_softens_the_landing),
        cmocka_unit_test(a_shot_stops_at_the_margin_of_its_pair),
        cmocka_unit_test(margins_of_pairs_keep_the_bits),
        cmocka_unit_test(margins_of_pairs_take_no_memory),
        cmocka_unit_test(margins_do_not_shorten_the_reach),
        cmocka_unit_test(settings_change_while_it_runs),
        cmocka_unit_test(threads_change_and_the_bits_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
