/* SPDX-License-Identifier: Apache-2.0 */
/* What a step and its contacts report: signs, wrenches, center of pressure, depth, counts. */
#include "dynamics/world_support.h"
#include "abut/literature.h"

#include <string.h>

static const double G = 9.80665;

/* Everything a report says about itself must fit together. */
static void require_consistent(const World *world, const AbutContact *c) {
    AbutVec3 force = abut_zero(), torque = abut_zero();
    double normal_force = abut_dot(c->force, c->normal), size = 0.0, pressure = 0.0;
    CHECK_NEAR(abut_length(c->normal), 1.0, 1e-12);
    CHECK(c->area > 0.0 && c->volume > 0.0 && c->depth >= 0.0 && c->vertex_count >= 1 &&
          c->vertex_count <= ABUT_CONTACT_VERTICES);
    for (int i = 0; i < c->vertex_count; ++i) {
        const struct AbutContactVertex *v = &c->vertex[i];
        AbutVec3 arm = abut_sub(v->point, c->center);
        force = abut_add(force, v->force);
        torque = abut_add(torque, abut_cross(arm, v->force));
        size = abut_larger(size, abut_length(arm));
        pressure += v->pressure;
        CHECK_NEAR(abut_dot(arm, c->normal), 0.0, 1e-9); /* all on one plane */
        CHECK(abut_dot(v->force, c->normal) >= -1e-12 && v->pressure >= 0.0);
    }
    double scale = abut_length(force) + 1e-12;
    CHECK_VEC_NEAR(c->force, force, 1e-9 * scale);
    CHECK_VEC_NEAR(c->torque, torque, 1e-9 * scale * (size + 1e-6));
    CHECK_NEAR(pressure * c->area / c->vertex_count, normal_force, 1e-9 * scale);
    /* the normal points from A to B, and B is pushed that way */
    CHECK(normal_force >= -1e-12);
    AbutBodyState a, b;
    CHECK(abut_scene_get_body(world->scene, c->body_a, &a) && abut_scene_get_body(world->scene, c->body_b, &b));
    AbutBodyId owner;
    CHECK(abut_scene_get_shape(world->scene, c->shape_a, NULL, &owner) && owner.index1 == c->body_a.index1);
    CHECK(abut_scene_get_shape(world->scene, c->shape_b, NULL, &owner) && owner.index1 == c->body_b.index1);
    if (normal_force <= 1e-9) return;
    /* center of pressure: inside the polygon, and about it the normal forces have no tilting torque */
    AbutVec3 tilt = abut_zero();
    for (int i = 0; i < c->vertex_count; ++i) {
        AbutVec3 arm = abut_sub(c->vertex[i].point, c->pressure_center),
                 along = abut_scale(c->normal, abut_dot(c->vertex[i].force, c->normal));
        tilt = abut_add(tilt, abut_cross(arm, along));
    }
    CHECK_VEC_NEAR(tilt, abut_zero(), 1e-9 * normal_force * (size + 1e-6));
    for (int i = 0; i < c->vertex_count && c->vertex_count >= 3; ++i) {
        AbutVec3 p = c->vertex[i].point, q = c->vertex[(i + 1) % c->vertex_count].point;
        double side = abut_dot(c->normal, abut_cross(abut_sub(q, p), abut_sub(c->pressure_center, p)));
        CHECK(side >= -1e-9 * size * size);
    }
}

static void reports_fit_together(void **state) {
    (void)state;
    static const char *const specs[] = {"boxes:10", "hulls:10", "incline:0.6", "stack:5", "bridge", "arch:9", "spin"};
    long seen = 0, loaded = 0, sliding = 0;
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; ++k) {
        AbutSimulationDef def = abut_simulation_default();
        World world = world_from(specs[k], 2, &def);
        for (int i = 0; i < 1000; ++i) {
            AbutStepReport r =
                world_step(&world, i < 900 ? 1e-3 : 1e-2); /* a step of several parts reports the same way */
            int count = abut_simulation_contact_count(world.sim), vertices = 0;
            double deepest = 0.0;
            assert_int_equal(count, r.contacts);
            CHECK(r.rebuilt <= r.contacts && r.contacts <= r.candidates &&
                  r.bodies_awake <= abut_scene_body_count(world.scene));
            for (int c = 0; c < count; ++c) {
                AbutContact report;
                CHECK(abut_simulation_get_contact(world.sim, c, &report));
                vertices += report.vertex_count;
                deepest = abut_larger(deepest, report.depth);
                if (i % 20 == 0) {
                    require_consistent(&world, &report);
                    ++seen;
                    loaded += abut_length(report.force) > 0.0;
                    sliding += report.sliding;
                }
            }
            assert_int_equal(vertices, r.vertices);
            CHECK_NEAR(r.max_depth, deepest, 0.0);
            double kinetic, potential, energy = abut_simulation_energy(world.sim, &kinetic, &potential);
            CHECK(energy == kinetic + potential && r.kinetic == kinetic && r.potential == potential);
        }
        AbutContact none;
        CHECK(!abut_simulation_get_contact(world.sim, -1, &none));
        CHECK(!abut_simulation_get_contact(world.sim, abut_simulation_contact_count(world.sim), &none));
        world_free(&world);
    }
    CHECK(seen > 1000 && loaded > 500 && sliding > 20);
}

/* One box on the ground: everything is known. */
static void a_box_at_rest_is_known(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId box = throw_box(scene, at(0.3, 0.2, 0.025), abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    AbutStepReport r = {0};
    for (int i = 0; i < 500; ++i) r = world_step(&world, 1e-3);
    AbutContact c;
    double weight = body_of(&world, box).mass * G;
    assert_int_equal(r.contacts, 1);
    assert_int_equal(r.capped_islands, 0);
    CHECK(find_contact(&world, ground, box, &c));
    CHECK(c.body_a.index1 == ground.index1 && c.body_b.index1 == box.index1);
    CHECK_VEC_NEAR(c.normal, abut_axis(2), 1e-9);
    CHECK_VEC_NEAR(c.force, abut_vec3(0, 0, weight), 1e-4 * weight);
    CHECK_VEC_NEAR(c.torque, abut_zero(), 1e-5 * weight);
    CHECK_NEAR(c.area, 0.2 * 0.1, 1e-3 * 0.02); /* with the margins */
    CHECK_VEC_NEAR(c.pressure_center, abut_vec3(0.3, 0.2, 0.0), 1e-4);
    assert_int_equal(c.vertex_count, 4);
    assert_int_equal(c.sliding, 0);
    CHECK(c.depth < 1e-6 && c.volume > 0.0); /* only the margins meet */
    for (int i = 0; i < 4; ++i)              /* four legs: the split is not determined, the sum is */
        CHECK_NEAR(c.vertex[i].pressure, weight / 0.02, 0.5 * weight / 0.02);
    world_free(&world);
}

/* Depth is the true overlap: a box that starts sunk into the floor says how deep. */
static void depth_is_the_true_overlap(void **state) {
    (void)state;
    static const double sunk[] = {0.0, 1e-4, 1e-3, 1e-2};
    for (int k = 0; k < 4; ++k) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
        def.gravity = abut_zero();
        def.beta = 1e-6; /* left where it is */
        add_ground(scene, abut_quat_identity(), 0.5);
        throw_box(scene, at(0, 0, 0.025 - sunk[k]), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        AbutStepReport r = world_step(&world, 1e-3);
        CHECK_NEAR(r.max_depth, sunk[k], 1e-6 * sunk[k] + 1e-12);
        assert_int_equal(r.contacts, 1);
        world_free(&world);
    }
}

/* A push that leaves the friction cone slides, and the friction opposes the sliding with mu n. */
static void friction_opposes_sliding(void **state) {
    (void)state;
    for (int k = 0; k < 8; ++k) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
        AbutVec3 v = abut_vec3(2.0 * cos(0.7 * k), 2.0 * sin(0.7 * k), 0.0);
        AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId box = throw_box(scene, at(0, 0, 0.025), v, abut_zero(), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 100);
        AbutContact c;
        double weight = body_of(&world, box).mass * G;
        CHECK(find_contact(&world, ground, box, &c) && c.sliding);
        CHECK_VEC_NEAR(c.force, abut_add(abut_vec3(0, 0, weight), abut_scale(v, -0.5 * weight / 2.0)), 0.01 * weight);
        world_free(&world);
    }
}

/* Discs of any number of sides lie on all of their area, and stay upright under every model that has a polygon. */
static void discs_of_many_sides(void **state) {
    (void)state;
    static const int sides[] = {300, 400, 600, 1000};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i) {
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = abut_shape_default();
        AbutScene *scene;
        AbutPolyhedron *prism;
        AbutContact c;
        assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
        assert_int_equal(abut_polyhedron_prism(sides[i], 0.1, 0.1, 0.05, &prism, NULL), ABUT_OK);
        shape.form.kind = ABUT_SHAPE_POLYHEDRON;
        shape.form.polyhedron = prism;
        AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId id =
            throw_box(scene, abut_pose(abut_vec3(0, 0, 0.025), abut_quat_identity()), abut_zero(), abut_zero(), &shape);
        abut_polyhedron_free(prism);
        def.model = i % 2 ? ABUT_CONTACT_MODEL_POINT : ABUT_CONTACT_MODEL_VOL;
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 200);
        CHECK(find_contact(&world, ground, id, &c));
        double area = 0.5 * sides[i] * 0.01 * sin(2.0 * ABUT_PI / sides[i]), weight = G * body_of(&world, id).mass;
        CHECK_NEAR(c.area, area, 2e-4 * area); /* the margin makes it a little larger */
        CHECK_NEAR(abut_dot(c.force, c.normal), weight, 1e-3 * weight);
        CHECK_VEC_NEAR(c.pressure_center, abut_vec3(0.0, 0.0, c.pressure_center.z), 1e-4);
        CHECK_NEAR(abut_length(abut_quat_log(body_of(&world, id).pose.q)), 0.0, 1e-4);
        world_free(&world);
    }
}

static void the_names_are_there(void **state) {
    (void)state;
    static const char *const stages[] = {"bounds", "pairs", "contacts", "islands", "solve", "advance"};
    for (int s = 0; s < ABUT_STAGE_COUNT; ++s) assert_string_equal(abut_word(abut_stage_names, s), stages[s]);
    assert_string_equal(abut_word(abut_stage_names, 99), "unknown");
    assert_string_equal(abut_contact_model_name(ABUT_CONTACT_MODEL_VOL), "vol");
    assert_string_equal(abut_contact_model_name(99), "unknown");
    assert_int_equal(abut_contact_model_find("vol"), ABUT_CONTACT_MODEL_VOL);
    assert_int_equal(abut_contact_model_find("no such model"), -1);
    assert_int_equal(abut_contact_model_find(""), -1);
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("boxes:5", 0, &def);
    AbutStepReport r = world_step(&world, 1e-3);
    for (int s = 0; s < ABUT_STAGE_COUNT; ++s) CHECK(r.seconds[s] >= 0.0 && r.seconds[s] < 60.0);
    CHECK_NEAR(r.time, 1e-3, 0.0);
    world_free(&world);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_fit_together),
        cmocka_unit_test(a_box_at_rest_is_known),
        cmocka_unit_test(depth_is_the_true_overlap),
        cmocka_unit_test(friction_opposes_sliding),
        cmocka_unit_test(discs_of_many_sides),
        cmocka_unit_test(the_names_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
