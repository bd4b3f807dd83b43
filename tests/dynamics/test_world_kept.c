/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a simulation keeps from step to step instead of finding it again: gaps of pairs that are apart, outlines of
 * faces that lie on each other, orders of Newton steps; and which islands rest and ask for nothing. Oracle: a twin that
 * keeps nothing.
 */
#include "dynamics/mover.h"
#include "dynamics/newton.h"
#include "dynamics/world_support.h"
#include "support/check.h"

#include <string.h>

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

static AbutShapeDef random_shape(AbutRng *rng, int kind) {
    AbutShapeDef def = abut_shape_default();
    def.form.kind = (AbutShapeKind)kind;
    def.form.size = abut_vec3(
        abut_rng_between(rng, 0.05, 0.15), abut_rng_between(rng, 0.05, 0.15), abut_rng_between(rng, 0.05, 0.15));
    def.density = 1000.0;
    def.material.friction = abut_rng_between(rng, 0.1, 0.8);
    def.pose = abut_pose(abut_scale(abut_random_direction(rng), 0.05), abut_random_quat(rng));
    return def;
}

/* Bodies of one or two shapes of all kinds over a ground that can be tilted, and a paddle that turns. */
typedef struct Heap {
    World world;
    AbutBodyId body[24], ground, paddle;
} Heap;

static AbutPose turn_round(double time, const void *user) {
    (void)user;
    return abut_pose(abut_vec3(0.0, 0.0, 0.3), abut_quat_axis_angle(abut_vec3(0, 0, 1), 2.0 * time));
}

static Heap make_heap(uint64_t seed) {
    static const int kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CONE, ABUT_SHAPE_BOX, ABUT_SHAPE_POLYHEDRON};
    Heap h;
    AbutRng rng = abut_rng(seed, 0);
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyDef paddle = abut_body_default();
    AbutShapeDef blade = box_def(0.4, 0.02, 0.1, 1000.0, 0.3);
    AbutPolyhedron *gem;
    AbutVec3 corner[20];
    for (int i = 0; i < 20; ++i) corner[i] = abut_scale(abut_random_direction(&rng), 0.12);
    good(abut_polyhedron_from_points(corner, 20, NULL, &gem, &error), &error);
    h.ground = add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < 24; ++i) {
        AbutVec3 place = abut_vec3(0.35 * (i % 4) - 0.5, 0.35 * (i / 4 % 3) - 0.4, 0.6 + 0.4 * (double)(i / 12));
        h.body[i] = add_body(scene, ABUT_BODY_DYNAMIC, abut_pose(place, abut_random_quat(&rng)));
        for (int k = 0; k <= i % 5 / 4; ++k) {
            AbutShapeDef shape = random_shape(&rng, kinds[(i + k) % 8]);
            shape.form.polyhedron = gem;
            add_shape(scene, h.body[i], &shape);
        }
        good(abut_scene_set_velocity(
                 scene, h.body[i], abut_random_direction(&rng), abut_scale(abut_random_direction(&rng), 4.0), &error),
            &error);
    }
    abut_polyhedron_free(gem);
    paddle.kind = ABUT_BODY_KINEMATIC;
    paddle.motion = turn_round;
    paddle.pose = turn_round(0.0, NULL);
    good(abut_scene_add_body(scene, &paddle, &h.paddle, &error), &error);
    add_shape(scene, h.paddle, &blade);
    def.sleeping = 1;
    h.world = world_of(scene, &def);
    return h;
}

/* Something sudden, the same to all that are given. */
static void disturb(Heap *h, AbutRng *rng, int deed) {
    AbutError error;
    AbutBodyId id = h->body[abut_rng_below(rng, 24)];
    AbutPose pose = abut_pose(
        abut_vec3(abut_rng_between(rng, -0.6, 0.6), abut_rng_between(rng, -0.6, 0.6), abut_rng_between(rng, 0.1, 0.8)),
        abut_random_quat(rng));
    AbutQuat tilt = abut_quat_axis_angle(abut_vec3(1, 0, 0), abut_rng_between(rng, -0.1, 0.1));
    AbutShapeDef extra = random_shape(rng, ABUT_SHAPE_BOX);
    AbutScene *scene = h->world.scene;
    AbutStatus done = deed == 0   ? abut_scene_set_pose(scene, id, pose, &error)
                      : deed == 1 ? abut_scene_set_pose(scene, h->ground, abut_pose(abut_zero(), tilt), &error)
                      : deed == 2 ? abut_scene_set_pose(scene, h->ground, at(0, 0, 0.05), &error)
                      : deed == 3 ? abut_scene_add_shape(scene, id, &extra, NULL, &error)
                                  : abut_scene_set_velocity(scene, id, abut_vec3(0, 0, 5), abut_vec3(30, 0, 9), &error);
    good(done, &error);
}

static int kept_pairs(const AbutSimulation *sim) {
    int count = 0;
    for (int32_t i = 0; i < sim->contacts.memory_count; ++i)
        count += sim->contacts.memory[i].contact < 0 && sim->contacts.memory[i].until > 0.0;
    return count;
}

static void ask_about_all(AbutSimulation *sim) {
    for (int32_t i = 0; i < sim->contacts.memory_count; ++i) sim->contacts.memory[i].until = 0.0;
}

/* The state of one simulation in another. */
static void copy_state(const World *from, World *to) {
    AbutError error;
    size_t bytes = abut_simulation_state_size(from->sim);
    void *saved = malloc(bytes);
    abut_simulation_save(from->sim, saved);
    good(abut_simulation_restore(to->sim, saved, bytes, &error), &error);
    free(saved);
}

/* Whatever is done to bodies, no contact is missed: the twin asks about every pair in every step. */
static void kept_gaps_miss_nothing(void **state) {
    (void)state;
    int kept = 0, contacts = 0;
    for (int run = 0; run < check_cases(6); ++run) {
        Heap h = make_heap(100 + (uint64_t)run), twin = make_heap(100 + (uint64_t)run);
        for (int i = 0; i < 900; ++i) {
            AbutRng a = abut_rng(7 + (uint64_t)run, (uint64_t)i), b = a;
            if (i % 60 == 59) {
                disturb(&h, &a, i / 60 % 5);
                disturb(&twin, &b, i / 60 % 5);
            }
            AbutStepReport report = world_step(&h.world, 2e-3);
            ask_about_all(twin.world.sim);
            world_step(&twin.world, 2e-3);
            kept += kept_pairs(h.world.sim);
            contacts += report.contacts;
            if (abut_simulation_hash(h.world.sim) != abut_simulation_hash(twin.world.sim))
                fail_msg("run %d, step %d: a pair that met was not asked about", run, i);
        }
        world_free(&h.world);
        world_free(&twin.world);
    }
    CHECK(kept > 10000 && contacts > 10000);
}

static void restored_gaps_give_the_same_bits(void **state) {
    (void)state;
    Heap h = make_heap(3), other = make_heap(3);
    AbutRng a = abut_rng(5, 0), b = a;
    world_run(&h.world, 2e-3, 300);
    CHECK(kept_pairs(h.world.sim) > 0);
    copy_state(&h.world, &other.world);
    for (int i = 0; i < 300; ++i) {
        if (i % 100 == 50) {
            disturb(&h, &a, i / 100 % 2);
            disturb(&other, &b, i / 100 % 2);
        }
        world_step(&h.world, 2e-3);
        world_step(&other.world, 2e-3);
        CHECK(abut_simulation_hash(h.world.sim) == abut_simulation_hash(other.world.sim));
    }
    world_free(&h.world);
    world_free(&other.world);
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */

/* A small box that slides on a large one, which lies on the ground. */
static World make_slide(AbutBodyId *low, AbutBodyId *high) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef large = box_def(0.3, 0.3, 0.1, 1000.0, 0.5), small = box_def(0.05, 0.04, 0.03, 1000.0, 0.01);
    add_ground(scene, abut_quat_identity(), 0.5);
    *low = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &large);
    *high = throw_box(scene, at(0, 0, 0.23), abut_vec3(4e-3, 1e-3, 0), abut_vec3(0, 0, 5e-3), &small);
    return world_of(scene, &def);
}

/* The largest distance of a vertex of one contact from the nearest of the other. */
static double outline_distance(const AbutContact *a, const AbutContact *b) {
    double most = 0.0;
    for (int i = 0; i < a->vertex_count; ++i) {
        double least = INFINITY;
        for (int k = 0; k < b->vertex_count; ++k)
            least = fmin(least, abut_point_distance(a->vertex[i].point, b->vertex[k].point));
        most = fmax(most, least);
    }
    return most;
}

/* The twin starts every step from the same state and builds all contacts anew. */
static void kept_outlines_lag_by_little(void **state) {
    (void)state;
    AbutBodyId low, high;
    World w = make_slide(&low, &high), twin = make_slide(&low, &high);
    int built = 0, of_twin = 0;
    for (int i = 0; i < 2000; ++i) {
        AbutContact kept, fresh;
        copy_state(&w, &twin);
        twin.sim->contacts.coherence = 0.0;
        built += world_step(&w, 1e-3).rebuilt;
        of_twin += world_step(&twin, 1e-3).rebuilt;
        CHECK(find_contact(&w, low, high, &kept) && find_contact(&twin, low, high, &fresh));
        assert_int_equal(kept.vertex_count, fresh.vertex_count);
        CHECK(outline_distance(&kept, &fresh) < 1.5e-4 * 0.06);
        CHECK_NEAR(kept.depth, fresh.depth, 1e-11);
        CHECK_VEC_NEAR(kept.normal, fresh.normal, 1e-6);
        AbutBodyState a = body_of(&w, high), b = body_of(&twin, high);
        CHECK_VEC_NEAR(a.velocity, b.velocity, 2e-7);
    }
    CHECK(of_twin >= 2 * 1999 && built < of_twin / 3);
    world_free(&w);
    world_free(&twin);
}

/* An outline is not kept over an edge: a box that is pushed off a table falls where it should. */
static void outlines_end_with_the_faces(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef table = box_def(0.1, 0.1, 0.1, 1000.0, 0.0), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.0);
    AbutBodyId fixed = add_body(scene, ABUT_BODY_STATIC, at(0, 0, -0.1));
    add_shape(scene, fixed, &table);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.05), abut_vec3(0.05, 0, 0), abut_zero(), &box);
    World w = world_of(scene, &def);
    double x = 0.0;
    for (int i = 0; i < 4000 && body_of(&w, id).center.z > 0.04; ++i) {
        x = body_of(&w, id).center.x;
        world_step(&w, 1e-3);
        CHECK(x > 0.098 || fabs(body_of(&w, id).center.z - 0.05) < 1e-4);
    }
    CHECK(x > 0.1 && body_of(&w, id).center.z <= 0.04);
    world_free(&w);
}

/* ---- orders of Newton steps -------------------------------------------------------------------------------------- */

static int orders(const AbutSimulation *sim) {
    int count = 0;
    for (int i = 0; i < ABUT_NEWTON_ORDERS; ++i) count += sim->solver.newton[0].order[i].count > 0;
    return count;
}

static void orders_are_found_when_needed(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    add_ground(scene, abut_quat_identity(), 0.5);
    throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &box);
    World quiet = world_of(scene, &def), stack = world_from("stack:10", 1, &def);
    world_run(&quiet, 1e-3, 200);
    for (int i = 0; i < ABUT_NEWTON_ORDERS; ++i) quiet.sim->solver.newton[0].order[i].count = 0; /* none is there */
    world_run(&quiet, 1e-3, 50);
    world_run(&stack, 1e-3, 50);
    assert_int_equal(orders(quiet.sim), 0);
    CHECK(orders(stack.sim) > 0);
    world_free(&quiet);
    world_free(&stack);
}

/* ---- rest -------------------------------------------------------------------------------------------------------- */

static int resting(const AbutSimulation *sim) {
    int count = 0;
    for (int32_t k = 0; k < sim->islands.order_count; ++k) count += abut_contact_rests(abut_ordered_contact(sim, k));
    return count;
}

static void let_none_rest(AbutSimulation *sim) {
    for (int32_t i = 0; i < sim->contacts.places; ++i) sim->contacts.touch[i].restless = 0;
}

/* A bin of boxes that is wedged after three seconds. Which seeds are depends on the last bit: the first one of forty.
 */
static uint64_t wedged_seed(const AbutSimulationDef *def) {
    for (uint64_t seed = 75001; seed <= 75040; ++seed) {
        World w = world_from("bin:30", seed, def);
        world_run(&w, 1e-3, 3000);
        int found = resting(w.sim) > 20;
        world_free(&w);
        if (found) return seed;
    }
    fail_msg("no pile of forty is wedged");
    return 0;
}

/* A wedged pile whose sweeps never converge (the twin's, which may not rest) stands still when it asks for nothing: its
 * energy does not rise, it does not sink, and its sweeps converge. */
static void a_restless_pile_rests(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    uint64_t seed = wedged_seed(&def);
    World w = world_from("bin:30", seed, &def), twin = world_from("bin:30", seed, &def);
    world_run(&w, 1e-3, 3000);
    copy_state(&w, &twin);
    double sweeps = 0.0, of_twin = 0.0, energy = INFINITY;
    CHECK(resting(w.sim) > 20);
    for (int i = 0; i < 500; ++i) {
        AbutStepReport r = world_step(&w, 1e-3);
        let_none_rest(twin.sim);
        of_twin += world_step(&twin, 1e-3).sweeps_mean / 500.0;
        sweeps += r.sweeps_mean / 500.0;
        CHECK(r.kinetic + r.potential <= energy + 1e-9);
        CHECK(r.max_depth < 5e-5);
        energy = r.kinetic + r.potential;
    }
    CHECK(sweeps < 3.0 && of_twin > 1.5 * sweeps);
    world_free(&w);
    world_free(&twin);
}

static void a_push_ends_rest(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    uint64_t seed = wedged_seed(&def);
    World w = world_from("bin:30", seed, &def), other = world_from("bin:30", seed, &def);
    world_run(&w, 1e-3, 3000);
    CHECK(resting(w.sim) > 20);
    copy_state(&w, &other); /* rest is part of a state */
    for (int i = 0; i < 100; ++i) {
        for (int b = 0; i == 50 && b < abut_scene_body_count(w.scene); ++b) {
            AbutBodyId id = abut_scene_body_at(w.scene, b);
            if (body_of(&w, id).kind != ABUT_BODY_DYNAMIC) continue;
            good(abut_scene_set_velocity(w.scene, id, abut_vec3(0, 0, 1), abut_zero(), &error), &error);
            good(abut_scene_set_velocity(other.scene, id, abut_vec3(0, 0, 1), abut_zero(), &error), &error);
        }
        world_step(&w, 1e-3);
        world_step(&other, 1e-3);
        CHECK(abut_simulation_hash(w.sim) == abut_simulation_hash(other.sim));
        if (i == 51) CHECK(resting(w.sim) == 0);
    }
    world_free(&w);
    world_free(&other);
}

/* Lists of islands that are kept while contacts stay and keep their heights: the twin lists them in every step. Bodies
 * are disturbed, one of them changes a shape, and a rule comes and goes that lets some contacts not push. */
static int every_third_pushes(const AbutSimulation *sim, const AbutContact *contact, AbutContactLaw *law, void *user) {
    (void)sim, (void)law, (void)user;
    return contact->shape_a.index1 % 3 != 0;
}

static void kept_lists_are_those_found_anew(void **state) {
    (void)state;
    int kept = 0, steps = 0;
    for (int run = 0; run < check_cases(4); ++run) {
        Heap h = make_heap(300 + (uint64_t)run), twin = make_heap(300 + (uint64_t)run);
        AbutRng rng = abut_rng(9, (uint64_t)run), same = rng;
        for (int i = 0; i < 2600; ++i, ++steps) {
            if (i % 500 == 499) {
                disturb(&h, &rng, i / 500 % 5);
                disturb(&twin, &same, i / 500 % 5);
            }
            if (i == 2200 || i == 2400) {
                abut_simulation_set_contact_rule(h.world.sim, i == 2200 ? every_third_pushes : NULL, NULL);
                abut_simulation_set_contact_rule(twin.world.sim, i == 2200 ? every_third_pushes : NULL, NULL);
            }
            if (h.world.sim->islands.parent) h.world.sim->islands.parent[0] = -7; /* until they are listed */
            twin.world.sim->islands.listed = 0;
            world_step(&h.world, 2e-3);
            world_step(&twin.world, 2e-3);
            kept += h.world.sim->islands.parent[0] == -7;
            if (i % 50 == 0) assert_true(abut_simulation_hash(h.world.sim) == abut_simulation_hash(twin.world.sim));
        }
        assert_true(abut_simulation_hash(h.world.sim) == abut_simulation_hash(twin.world.sim));
        world_free(&h.world);
        world_free(&twin.world);
    }
    CHECK(10 * kept > steps && kept < steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_gaps_miss_nothing),
        cmocka_unit_test(restored_gaps_give_the_same_bits),
        cmocka_unit_test(kept_outlines_lag_by_little),
        cmocka_unit_test(outlines_end_with_the_faces),
        cmocka_unit_test(orders_are_found_when_needed),
        cmocka_unit_test(a_restless_pile_rests),
        cmocka_unit_test(a_push_ends_rest),
        cmocka_unit_test(kept_lists_are_those_found_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
