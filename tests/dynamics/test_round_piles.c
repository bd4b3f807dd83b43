/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Piles of 50 round bodies in a bin settle and stay: no chattering, shallow depth, the load on the floor steady. A
 * cylinder that falls from its end onto its side gains no energy, random scenes stay whole.
 */
#include "dynamics/world_support.h"

#include <string.h>

#define G 9.80665

static AbutShapeDef body_def(AbutShapeKind kind) {
    AbutShapeDef def = box_def(0.04, 0.04, 0.04, 1000.0, 0.5);
    def.form.kind = kind;
    if (kind == ABUT_SHAPE_CAPSULE || kind == ABUT_SHAPE_CYLINDER) def.form.size = abut_vec3(0.03, 0.03, 0.04);
    if (kind == ABUT_SHAPE_CONE) def.form.size = abut_vec3(0.04, 0.04, 0.05);
    if (kind == ABUT_SHAPE_ELLIPSOID) def.form.size = abut_vec3(0.05, 0.04, 0.03);
    return def;
}

static const AbutShapeKind kinds[] = {
    ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CONE, ABUT_SHAPE_BOX};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A bin of 40 x 40 cm; kind KINDS: all of them mixed. */
static World pile(int kind, int count, uint64_t seed, const AbutSimulationDef *def) {
    AbutScene *scene = new_scene();
    AbutRng rng = abut_rng(seed, 0);
    add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < 4; ++i) {
        double out = i % 2 ? 0.25 : -0.25;
        add_box(scene, ABUT_BODY_STATIC, i < 2 ? at(out, 0, 1.0) : at(0, out, 1.0),
            i < 2 ? abut_vec3(0.05, 0.3, 1.0) : abut_vec3(0.3, 0.05, 1.0));
    }
    for (int i = 0; i < count; ++i) {
        AbutShapeDef shape = body_def(kinds[kind < KINDS ? kind : i % KINDS]);
        double x = abut_rng_between(&rng, -0.01, 0.01), y = abut_rng_between(&rng, -0.01, 0.01);
        AbutPose pose = at(0.13 * (i % 3 - 1) + x, 0.13 * (i / 3 % 3 - 1) + y, 0.08 + 0.14 * (i / 9));
        pose.q = abut_random_quat(&rng);
        throw_box(scene, pose, abut_zero(), abut_zero(), &shape);
    }
    return world_of(scene, def);
}

typedef struct Rest {
    double rms, depth, load, cv; /* speed over all bodies and the last half second; weights on the floor */
} Rest;

static double floor_load(const World *world) {
    double sum = 0.0;
    for (int i = 0; i < abut_simulation_contact_count(world->sim); ++i) {
        AbutContact c;
        CHECK(abut_simulation_get_contact(world->sim, i, &c));
        if (c.body_a.index1 == 1) sum += c.force.z;
    }
    return sum;
}

static Rest settle(World *world, double seconds) {
    Rest rest = {0, 0, 0, 0};
    double squares = 0.0, loads = 0.0, load_squares = 0.0, weight = 0.0;
    int n = 0, window = 500, count = 0;
    world_run(world, 1e-3, (int)(1000.0 * seconds) - window);
    for (int i = 0; i < window; ++i) {
        AbutStepReport r = world_step(world, 1e-3);
        rest.depth = abut_larger(rest.depth, r.max_depth);
        double load = floor_load(world);
        loads += load, load_squares += load * load, ++count;
        weight = 0.0;
        for (uint32_t k = 6; k < 6 + 50; ++k) {
            AbutBodyId id = {k, 1};
            AbutBodyState b;
            if (!abut_scene_get_body(world->scene, id, &b)) continue;
            squares += abut_length_sq(b.velocity), ++n;
            weight += b.mass * G;
        }
    }
    rest.rms = sqrt(squares / n);
    rest.load = loads / count / weight;
    rest.cv = sqrt(abut_larger(0.0, load_squares / count - loads * loads / count / count)) / (loads / count);
    return rest;
}

static void piles_settle(void **state) {
    (void)state;
    static const char *names[] = {"spheres", "capsules", "cylinders", "ellipsoids", "cones", "boxes", "mixed"};
    for (int kind = 0; kind <= KINDS; ++kind)
        for (int seed = 0; seed < check_cases(1); ++seed) {
            AbutSimulationDef def = abut_simulation_default();
            def.sleeping = 0;
            World world = pile(kind, 50, 1000 + (uint64_t)seed, &def);
            Rest r = settle(&world, kind == KINDS ? 5.0 : 4.0); /* balls roll on for longer among other forms */
            print_message("%s, seed %d: rms speed %.2g m/s, depth %.2g um, load %.4f of the weight, cv %.2g\n",
                names[kind], seed, r.rms, 1e6 * r.depth, r.load, r.cv);
            CHECK(r.rms < 0.02 && r.cv < 0.01);
            CHECK(r.depth < 2e-4);
            world_free(&world);
        }
}

/* From its end over the rim onto its side: no step adds energy, and it lies still on two vertices. */
static void a_cylinder_falls_over(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = body_def(ABUT_SHAPE_CYLINDER);
        double tilt = 0.66, dt = k ? 1e-3 : 2.5e-4, last, rise = 0.0; /* tips beyond atan(3/4) = 0.6435 */
        AbutPose pose =
            abut_pose(abut_vec3(0, 0, 0.04 * cos(tilt) + 0.03 * sin(tilt)), abut_quat_axis_angle(abut_axis(1), tilt));
        add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId id = throw_box(scene, pose, abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        double start = last = abut_simulation_energy(world.sim, NULL, NULL);
        for (int i = 0; i < (int)(3.0 / dt); ++i) {
            AbutStepReport r = world_step(&world, dt);
            rise = abut_larger(rise, r.kinetic + r.potential - last);
            last = r.kinetic + r.potential;
        }
        AbutContact c;
        AbutBodyState b = body_of(&world, id);
        CHECK(abut_simulation_get_contact(world.sim, 0, &c));
        print_message("dt %g: a step adds %.2g of the energy at most; at the end %d vertices, %.2g m/s along its way\n",
            dt, rise / start, c.vertex_count, abut_length(b.velocity));
        CHECK(rise < 1e-3 * start);
        assert_int_equal(c.vertex_count, 2);
        CHECK_NEAR(b.center.z, 0.03, 1e-6);
        world_free(&world);
    }
}

/* Random scenes of eight bodies of all kinds and sizes, thrown together: numbers stay finite, nothing sinks through the
 * floor, and the energy never passes its start. */
static void random_scenes_hold(void **state) {
    (void)state;
    for (int scene_number = 0; scene_number < check_cases(25); ++scene_number) {
        AbutRng rng = abut_rng(6200 + (uint64_t)scene_number, 0);
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutBodyId id[8];
        add_ground(scene, abut_quat_identity(), abut_rng_unit(&rng));
        for (int i = 0; i < 8; ++i) {
            AbutShapeDef shape = body_def(kinds[(int)abut_rng_below(&rng, KINDS)]);
            AbutVec3 v = abut_scale(abut_random_direction(&rng), 2.0 * abut_rng_unit(&rng)),
                     w = abut_scale(abut_random_direction(&rng), 20.0 * abut_rng_unit(&rng));
            shape.form.size = abut_scale(shape.form.size, abut_rng_between(&rng, 0.5, 3.0));
            shape.material.restitution = abut_rng_unit(&rng) < 0.3 ? abut_rng_unit(&rng) : 0.0;
            shape.material.friction = abut_rng_unit(&rng);
            id[i] = throw_box(scene,
                abut_pose(abut_vec3(0.3 * (i % 2), 0.3 * (i / 2 % 2), 0.3 + 0.35 * (i / 4)), abut_random_quat(&rng)), v,
                w, &shape);
        }
        World world = world_of(scene, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL);
        for (int i = 0; i < 1500; ++i) {
            AbutStepReport r = world_step(&world, 1e-3);
            CHECK(r.kinetic + r.potential < start * (1.0 + 1e-3));
        }
        for (int i = 0; i < 8; ++i) CHECK(body_of(&world, id[i]).center.z > 0.0);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cylinder_falls_over),
        cmocka_unit_test(random_scenes_hold),
        cmocka_unit_test(piles_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
