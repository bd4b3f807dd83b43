/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compliant contact: bodies of any form rest, slide and hang by pressure; energy stays where nothing takes it; and the
 * ball that strikes the edge of a bar, where a spring along the shortest way out throws it about (Lee 2017, Fig. 1.4).
 */
#include "abut/direction.h"
#include "abut/literature.h"
#include "support/meshes.h"
#include "world_support.h"

#include <string.h>

#define VERBOSE(...)                                                                                                   \
    do {                                                                                                               \
        if (getenv("ABUT_TEST_VERBOSE")) print_message(__VA_ARGS__);                                                   \
    } while (0)

static AbutSimulationDef settings(int model) {
    AbutSimulationDef def = abut_simulation_default();
    def.model = model;
    return def;
}

/* ---- the ball and the bar ---------------------------------------------------------------------------------------- */

typedef struct Strike {
    double angle;  /* between up and the way it leaves, degrees */
    double energy; /* after, of that before */
    double turn;   /* largest turn of the force in a step, degrees */
    double change; /* largest change of the force in a step, of the largest force */
} Strike;

/* 2 cm of overlap on the flat top give 40 N, for both. */
static AbutSimulationDef strike_settings(int model) {
    AbutSimulationDef def = settings(model);
    def.gravity = abut_zero();
    def.reach = 0.01;
    def.pressure = model == ABUT_CONTACT_MODEL_PENALTY ? 2000.0 / cbrt(4.0 / 3.0 * ABUT_PI * 1e-3) : 72.773;
    return def;
}

static AbutVec3 force_on(const World *world, AbutBodyId body) {
    AbutContact c;
    AbutVec3 sum = abut_zero();
    for (int i = 0; abut_simulation_get_contact(world->sim, i, &c); ++i)
        sum = abut_add(sum, abut_scale(c.force, c.body_b.index1 == body.index1 ? 1.0 : -1.0));
    return sum;
}

static Strike strike(int model, double y, double speed, double dt) {
    char spec[40];
    AbutError error;
    AbutSimulationDef def = strike_settings(model);
    snprintf(spec, sizeof spec, "edge:%.6f", y);
    World world = world_from(spec, 1, &def);
    AbutBodyId ball = abut_scene_find_body(world.scene, "ball");
    good(abut_scene_set_velocity(world.scene, ball, abut_vec3(0, 0, -speed), abut_zero(), &error), &error);
    double before = abut_simulation_energy(world.sim, NULL, NULL), most = 0.0, change = 0.0;
    Strike out = {0.0, 0.0, 0.0, 0.0};
    AbutVec3 last = abut_zero();
    for (int i = 0; i < (int)(0.15 / dt); ++i) {
        world_step(&world, dt);
        AbutVec3 f = force_on(&world, ball);
        change = fmax(change, abut_point_distance(f, last));
        most = fmax(most, abut_length(f));
        if (abut_length(f) > 5.0 && abut_length(last) > 5.0)
            out.turn = fmax(out.turn, abut_angle_between(f, last) * 180.0 / ABUT_PI);
        last = f;
    }
    assert_int_equal(abut_simulation_contact_count(world.sim), 0);
    AbutVec3 v = body_of(&world, ball).velocity;
    out.angle = atan2(hypot(v.x, v.y), v.z) * 180.0 / ABUT_PI;
    out.energy = abut_simulation_energy(world.sim, NULL, NULL) / before;
    out.change = change / most;
    world_free(&world);
    VERBOSE("%s, y %.4f, %g m/s, dt %g: %.1f degrees, energy %.4f, turn %.2f, change %.3f\n",
        abut_contact_model_name(model), y, speed, dt, out.angle, out.energy, out.turn, out.change);
    return out;
}

/* The spring along the shortest way out: the outcome jumps with the place, and the force turns at once at any step. */
static void a_jumping_direction_throws_the_ball_about(void **state) {
    (void)state;
    Strike inner = strike(ABUT_CONTACT_MODEL_PENALTY, 0.06, 6.0, 5e-4),
           outer = strike(ABUT_CONTACT_MODEL_PENALTY, 0.075, 6.0, 5e-4);
    CHECK(fabs(outer.angle - inner.angle) > 60.0);
    for (double dt = 2e-3; dt > 4e-4; dt *= 0.5) CHECK(strike(ABUT_CONTACT_MODEL_PENALTY, 0.075, 6.0, dt).turn > 60.0);
}

/* Pressure: outcomes differ by less the nearer the places are, the force changes by half in half the step, and energy
 * stays. */
static void pressure_throws_it_continuously(void **state) {
    (void)state;
    double gap[2];
    for (int k = 0; k < 2; ++k) {
        double width = k ? 0.0075 : 0.015;
        Strike a = strike(ABUT_CONTACT_MODEL_PRESSURE, 0.06, 6.0, 1e-3),
               b = strike(ABUT_CONTACT_MODEL_PRESSURE, 0.06 + width, 6.0, 1e-3);
        gap[k] = fabs(b.angle - a.angle);
        CHECK_NEAR(a.energy, 1.0, 0.01);
        CHECK_NEAR(b.energy, 1.0, 0.01);
    }
    CHECK(gap[0] < 40.0 && gap[1] < 0.65 * gap[0]);
    /* what an independent program found */
    const double angles[3] = {16.0, 27.0, 45.0};
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(strike(ABUT_CONTACT_MODEL_PRESSURE, 0.06 + 0.015 * k, 5.0, 1e-3).angle, angles[k], 2.0);
    Strike coarse = strike(ABUT_CONTACT_MODEL_PRESSURE, 0.075, 6.0, 1e-3),
           fine = strike(ABUT_CONTACT_MODEL_PRESSURE, 0.075, 6.0, 5e-4);
    CHECK(fine.turn < 0.65 * coarse.turn && fine.change < 0.65 * coarse.change && fine.turn < 10.0);
}

/* ---- rest and friction ------------------------------------------------------------------------------------------- */

static void bodies_rest_within_the_reach(void **state) {
    (void)state;
    const char *specs[] = {"drop", "coin", "stack:2"};
    for (int i = 0; i < 3; ++i) {
        AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PRESSURE);
        World world = world_from(specs[i], 1, &def);
        AbutBodyId body = abut_scene_body_at(world.scene, 1);
        double weight = 0.0;
        for (int k = 1; k < abut_scene_body_count(world.scene); ++k)
            weight += ABUT_GRAVITY * body_of(&world, abut_scene_body_at(world.scene, k)).mass;
        world_run(&world, 1e-3, i == 1 ? 3000 : 1500);
        AbutContact c;
        double lift = 0.0;
        for (int k = 0; abut_simulation_get_contact(world.sim, k, &c); ++k)
            if (body_of(&world, c.body_a).mass == 0.0) lift += c.force.z;
        CHECK_NEAR(lift / weight, 1.0, 0.02);
        CHECK(abut_length(body_of(&world, body).velocity) < 0.01);
        world_free(&world);
    }
}

/* Springs of the chosen stiffness carry a body at a fiftieth of its size, and more below one another. */
static void springs_carry_boxes(void **state) {
    (void)state;
    for (int boxes = 1; boxes <= 3; boxes += 2) {
        AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PENALTY);
        World world = world_from(boxes == 1 ? "stack:1" : "stack:3", 1, &def);
        double size = cbrt(8.0 * 0.1 * 0.05 * 0.025), height = 0.0;
        for (int i = 0; i < 1000; ++i) {
            world_step(&world, 1e-3);
            if (i >= 500) height += body_of(&world, abut_scene_body_at(world.scene, 1)).center.z / 500.0;
        }
        CHECK_NEAR(height, 0.025 - boxes * size / 50.0, 0.005 * boxes * size);
        world_free(&world);
    }
}

/* A slope below the friction holds, one above it lets go at g (sin - mu cos). */
static void friction_holds_and_lets_go(void **state) {
    (void)state;
    for (int steep = 0; steep < 2; ++steep) {
        AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PRESSURE);
        World world = world_from(steep ? "incline:0.7" : "incline:0.4", 1, &def);
        world_run(&world, 1e-3, 300);
        AbutVec3 v = body_named(&world, "box0").velocity;
        world_run(&world, 1e-3, 200);
        AbutVec3 w = body_named(&world, "box0").velocity;
        double angle = atan(steep ? 0.7 : 0.4), slide = ABUT_GRAVITY * (sin(angle) - 0.5 * cos(angle));
        if (steep)
            CHECK_NEAR((abut_length(w) - abut_length(v)) / 0.2, slide, 0.02 * slide);
        else
            CHECK(abut_length(w) < 1e-5);
        world_free(&world);
    }
}

/* A ball that falls on the floor comes back with about its restitution: that of a linear oscillator. */
static void restitution_is_about_right(void **state) {
    (void)state;
    for (double e = 0.25; e < 1.01; e += 0.25) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PRESSURE);
        AbutShapeDef ball = abut_shape_default();
        ball.form.kind = ABUT_SHAPE_SPHERE;
        ball.form.size = abut_vec3(0.1, 0, 0);
        ball.material.restitution = e;
        add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId id = throw_box(
            scene, abut_pose(abut_vec3(0, 0, 0.2), abut_quat_identity()), abut_vec3(0, 0, -3), abut_zero(), &ball);
        def.gravity = abut_zero();
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 400);
        double out = body_of(&world, id).velocity.z / 3.0;
        VERBOSE("restitution %g: %.4f\n", e, out);
        CHECK_NEAR(out, e, e == 1.0 ? 0.005 : 0.12);
        world_free(&world);
    }
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

/* A shape that is its hull to all but pressure, and a mesh to that. */
static AbutShapeDef surface_def(const AbutMesh *mesh, AbutPolyhedron **hull) {
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, hull, &error), &error);
    def.form.kind = ABUT_SHAPE_POLYHEDRON;
    def.form.polyhedron = *hull;
    def.form.surface = mesh;
    return def;
}

/* A ring hangs in another one, through its hole, and stays there. */
static void rings_hang_in_each_other(void **state) {
    (void)state;
    const double sizes[2] = {0.1, 0.02};
    AbutMesh torus;
    AbutPolyhedron *hull;
    AbutError error;
    good(abut_mesh_make("torus", 800, sizes, &torus, &error), &error);
    AbutScene *scene = new_scene();
    AbutShapeDef ring = surface_def(&torus, &hull);
    AbutQuat up = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI),
             across = abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI);
    AbutBodyId top = add_body(scene, ABUT_BODY_STATIC, abut_pose(abut_zero(), up));
    AbutBodyId low = add_body(scene, ABUT_BODY_DYNAMIC, abut_pose(abut_vec3(0, 0, -0.1), across));
    add_shape(scene, top, &ring);
    add_shape(scene, low, &ring);
    AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PRESSURE);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1000);
    AbutBodyState s = body_of(&world, low);
    AbutContact c;
    VERBOSE("ring: z %.5f, speed %.2g\n", s.pose.p.z, abut_length(s.velocity));
    AbutMeshReport report;
    good(abut_mesh_report(&torus, &report, &error), &error);
    CHECK_NEAR(s.mass, 1000.0 * report.mass.volume, 1e-9); /* of the mesh, not of the hull */
    CHECK_NEAR(s.pose.p.z, -0.16, 0.006);                  /* tube on tube */
    CHECK(abut_length(s.velocity) < 0.05);
    assert_int_equal(abut_simulation_get_contact(world.sim, 0, &c), 1);
    CHECK_NEAR(fabs(c.force.z) / (ABUT_GRAVITY * s.mass), 1.0, 0.05);
    world_free(&world);
    abut_polyhedron_free(hull);
    abut_mesh_free(&torus);
}

static void bad_surfaces_are_refused(void **state) {
    (void)state;
    AbutMesh torus;
    AbutPolyhedron *hull, *small;
    AbutError error;
    const AbutGeometry *geometry;
    good(abut_mesh_make("torus", 100, NULL, &torus, &error), &error);
    AbutShapeDef def = surface_def(&torus, &hull);
    good(abut_polyhedron_box(abut_vec3(0.1, 0.1, 0.1), &small, &error), &error);
    def.form.polyhedron = small;
    assert_int_equal(abut_geometry_create(&def.form, &geometry, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "reaches out"));
    def.form.polyhedron = hull;
    --torus.triangle_count;
    AbutScene *scene = new_scene();
    AbutBodyId body = add_body(scene, ABUT_BODY_STATIC, abut_pose_identity());
    assert_int_equal(abut_scene_add_shape(scene, body, &def, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "not closed"));
    def.visual = 1; /* drawn, and nothing else */
    good(abut_scene_add_shape(scene, body, &def, NULL, &error), &error);
    abut_scene_free(scene);
    ++torus.triangle_count;
    def.form.kind = ABUT_SHAPE_SPHERE; /* not looked at */
    def.form.size.x = 0.1;
    good(abut_geometry_create(&def.form, &geometry, &error), &error);
    CHECK(geometry->surface == NULL);
    abut_geometry_release(geometry);
    abut_polyhedron_free(hull);
    abut_polyhedron_free(small);
    abut_mesh_free(&torus);
}

static void settings_are_checked(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulation *sim;
    AbutError error;
    double *fields[3];
    AbutSimulationDef def = settings(ABUT_CONTACT_MODEL_PRESSURE);
    fields[0] = &def.pressure, fields[1] = &def.reach, fields[2] = &def.spacing;
    for (int i = 0; i < 6; ++i) {
        *fields[i / 2] = i % 2 ? NAN : -1.0;
        assert_int_equal(abut_simulation_create(scene, &def, &sim, &error), ABUT_ERROR_ARGUMENT);
        *fields[i / 2] = 0.0;
    }
    good(abut_simulation_create(scene, &def, &sim, &error), &error); /* nothing moves: a law all the same */
    good(abut_simulation_step(sim, 1e-3, NULL, &error), &error);
    abut_simulation_free(sim);
    abut_scene_free(scene);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jumping_direction_throws_the_ball_about),
        cmocka_unit_test(pressure_throws_it_continuously),
        cmocka_unit_test(bodies_rest_within_the_reach),
        cmocka_unit_test(springs_carry_boxes),
        cmocka_unit_test(friction_holds_and_lets_go),
        cmocka_unit_test(restitution_is_about_right),
        cmocka_unit_test(rings_hang_in_each_other),
        cmocka_unit_test(bad_surfaces_are_refused),
        cmocka_unit_test(settings_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
