/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round bodies roll as mechanics says: down a slope, on level ground, from sliding, in a groove, spinning, over the
 * joints of a floor. The oracle is the closed form of each.
 */
#include "dynamics/world_support.h"
#include "abut/literature.h"
#include "math/functions.h"

#define G 9.80665

typedef struct Floor {
    int box; /* 1: a box of 100 m, 0: a half-space */
    double dt;
} Floor;

static const Floor floors[] = {{0, 1e-3}, {0, 5e-3}, {1, 1e-3}, {1, 5e-3}};
enum { FLOORS = sizeof floors / sizeof floors[0] };

static void add_floor(AbutScene *scene, int box, double friction) {
    if (!box) {
        add_ground(scene, abut_quat_identity(), friction);
        return;
    }
    AbutShapeDef def = box_def(50.0, 50.0, 0.5, 1000.0, friction);
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(20.0, 0.0, -0.5)), &def);
}

/* A round shape that lies on the floor with its lowest point, axis across x. */
static AbutShapeDef round_def(AbutShapeKind kind, double radius, double half, double friction) {
    AbutShapeDef def = box_def(radius, radius, half, 1000.0, friction);
    def.form.kind = kind;
    def.form.size = abut_vec3(radius, radius, half);
    def.pose.q = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
    return def;
}

static AbutSimulationDef sloping(double angle) {
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_vec3(G * sin(angle), 0.0, -G * cos(angle));
    return def;
}

/* Moment about the axis over m r^2. */
static double moment_ratio(const AbutScene *scene, AbutBodyId id, double radius) {
    AbutBodyState b;
    CHECK(abut_scene_get_body(scene, id, &b));
    return b.inertia.y.y / (b.mass * radius * radius);
}

static void slope_case(AbutShapeDef shape, double radius, double ratio, Floor floor, double angle) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = sloping(angle);
    add_floor(scene, floor.box, 1.0);
    AbutBodyId id = throw_box(scene, at(0, 0, radius), abut_zero(), abut_zero(), &shape);
    CHECK_NEAR(moment_ratio(scene, id, radius), ratio, 1e-12);
    World world = world_of(scene, &def);
    int steps = (int)(1.0 / floor.dt + 0.5);
    world_run(&world, floor.dt, steps);
    double exact = G * sin(angle) / (1.0 + ratio) * steps * floor.dt, v = body_of(&world, id).velocity.x;
    if (!(fabs(v / exact - 1.0) < 1e-6))
        fail_msg("kind %d on floor %d, dt %g: speed off by %.3g", (int)shape.form.kind, floor.box, floor.dt,
            v / exact - 1.0);
    CHECK(abut_hypot(body_of(&world, id).velocity.y, body_of(&world, id).velocity.z) < 1e-6);
    world_free(&world);
}

static void down_a_slope(void **state) {
    (void)state;
    double r = 0.1, h = 0.15, tube = 2.0 * r * r * h, caps = 4.0 / 3.0 * r * r * r;
    double capsule = (0.5 * tube + 0.4 * caps) / (tube + caps);
    for (int k = 0; k < FLOORS; ++k) {
        slope_case(round_def(ABUT_SHAPE_SPHERE, r, r, 1.0), r, 0.4, floors[k], 0.1);
        slope_case(round_def(ABUT_SHAPE_CYLINDER, r, h, 1.0), r, 0.5, floors[k], 0.1);
        slope_case(round_def(ABUT_SHAPE_CAPSULE, r, h, 1.0), r, capsule, floors[k], 0.1);
        slope_case(round_def(ABUT_SHAPE_ELLIPSOID, r, h, 1.0), r, 0.4, floors[k], 0.1);
        slope_case(round_def(ABUT_SHAPE_SPHERE, r, r, 1.0), r, 0.4, floors[k], ABUT_PI / 6.0);
    }
}

/* On its edge, r 0.1 m, 1 cm thick: barely stable, it rolls as a cylinder does for two seconds. */
static void a_coin_on_its_edge(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    double angle = 3.0 * ABUT_PI / 180.0;
    AbutSimulationDef def = sloping(angle);
    AbutShapeDef coin = round_def(ABUT_SHAPE_CYLINDER, 0.1, 0.005, 1.0);
    add_floor(scene, 0, 1.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &coin);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 2000);
    AbutBodyState b = body_of(&world, id);
    double exact = 2.0 / 3.0 * G * sin(angle) * 2.0;
    print_message("coin: speed off by %.2g, aside %.2g m/s\n", b.velocity.x / exact - 1.0, b.velocity.y);
    CHECK_NEAR(b.velocity.x, exact, 1e-4 * exact);
    CHECK(fabs(b.velocity.y) < 5e-3);
    world_free(&world);
}

/* Three different axes, tumbling over level ground for 5 s: the energy drifts with the step, by no more than this. */
static void an_ellipsoid_tumbles(void **state) {
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3}, bound[] = {3e-4, 4e-3, 2e-2};
    for (int k = 0; k < 3; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_ELLIPSOID, 0.1, 0.1, 1.0);
        shape.form.size = abut_vec3(0.1, 0.15, 0.08);
        shape.pose.q = abut_quat_identity();
        add_floor(scene, 0, 1.0);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.08), abut_vec3(0.8, -0.08, 0), abut_vec3(1, 10, 0.5), &shape);
        World world = world_of(scene, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL);
        world_run(&world, steps[k], (int)(5.0 / steps[k]));
        double part = abut_simulation_energy(world.sim, NULL, NULL) / start - 1.0;
        print_message("ellipsoid, dt %g: energy changes by %.2g, now at %.2f m/s\n", steps[k], part,
            abut_length(body_of(&world, id).velocity));
        CHECK(fabs(part) < bound[k]);
        world_free(&world);
    }
}

/* Whatever the model, but for those of the paper and the compliant ones, a ball rolls exactly. */
static void with_any_model(void **state) {
    (void)state;
    static const int models[] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_VOL_GENERATOR, ABUT_CONTACT_MODEL_CONVEX,
        ABUT_CONTACT_MODEL_EMIN, ABUT_CONTACT_MODEL_DIRECT, ABUT_CONTACT_MODEL_POINT};
    for (int k = 0; k < 6; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = sloping(0.05);
        AbutShapeDef ball = round_def(ABUT_SHAPE_SPHERE, 0.1, 0.1, 1.0);
        def.model = models[k];
        add_floor(scene, 0, 1.0);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &ball);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 1000);
        double off = body_of(&world, id).velocity.x / (5.0 / 7.0 * G * sin(0.05)) - 1.0;
        print_message("%s: ball on a slope off by %.2g\n", abut_contact_model_name(models[k]), off);
        CHECK(fabs(off) < 1e-6);
        world_free(&world);
    }
}

/* Speed after 10 m at 1 m/s. */
static void on_level_ground(void **state) {
    (void)state;
    static const AbutShapeKind kinds[] = {
        ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_ELLIPSOID};
    for (int i = 0; i < 4 * FLOORS; ++i) {
        Floor floor = floors[i / 4];
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(kinds[i % 4], 0.1, 0.12, 0.5);
        add_floor(scene, floor.box, 0.5);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_vec3(1, 0, 0), abut_vec3(0, 10, 0), &shape);
        World world = world_of(scene, &def);
        world_run(&world, floor.dt, (int)(10.0 / floor.dt));
        AbutBodyState b = body_of(&world, id);
        print_message("%s, floor %d, dt %g: speed lost %.2g\n", abut_word(abut_shape_kind_names, kinds[i % 4]),
            floor.box, floor.dt, 1.0 - b.velocity.x);
        CHECK_NEAR(b.velocity.x, 1.0, 1e-6);
        CHECK_NEAR(b.spin.y, 10.0, 1e-5);
        CHECK_NEAR(b.center.x, 10.0, 1e-3);
        world_free(&world);
    }
}

/* A ball set sliding at v0 ends at 5/7 of it, when 2 v0 / (7 mu g) have passed. */
static void from_sliding(void **state) {
    (void)state;
    for (int k = 0; k < FLOORS; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, 0.1, 0.1, 0.3);
        double mu = 0.3, v0 = 2.0, done = 2.0 * v0 / (7.0 * mu * G), rolls = 0.0;
        add_floor(scene, floors[k].box, mu);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_vec3(v0, 0, 0), abut_zero(), &shape);
        World world = world_of(scene, &def);
        for (double t = 0.0; t < 1.0; t += floors[k].dt) {
            world_step(&world, floors[k].dt);
            AbutBodyState b = body_of(&world, id);
            if (rolls == 0.0 && fabs(b.velocity.x - 0.1 * b.spin.y) < 1e-6) rolls = t + floors[k].dt;
        }
        CHECK_NEAR(body_of(&world, id).velocity.x, 5.0 / 7.0 * v0, 1e-9);
        CHECK_NEAR(rolls, done, floors[k].dt);
        world_free(&world);
    }
}

/* In a groove of 90 degrees the lever is r / sqrt(2): 1 / (1 + 4/5) of g sin a. */
static void in_a_groove(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = sloping(0.0873);
    AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, 0.1, 0.1, 1.0);
    for (int k = 0; k < 2; ++k)
        add_ground(scene, abut_quat_axis_angle(abut_axis(0), k ? -0.25 * ABUT_PI : 0.25 * ABUT_PI), 1.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1 * sqrt(2.0)), abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1000);
    double exact = G * sin(0.0873) / 1.8;
    CHECK_NEAR(body_of(&world, id).velocity.x, exact, 1e-6 * exact);
    world_free(&world);
}

static void spinning_about_the_normal(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, 0.1, 0.1, 1.0);
    add_ground(scene, abut_quat_identity(), 1.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_vec3(0, 0, 10), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 5000);
    CHECK_NEAR(body_of(&world, id).spin.z, 10.0, 1e-11);
    CHECK(abut_length(body_of(&world, id).velocity) < 1e-12);
    world_free(&world);
}

/* Over the joints of a floor of boxes: no loss, no hop. A step of 1 mm turns a slow ball back. */
static void over_joints(void **state) {
    (void)state;
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CAPSULE};
    for (int k = 0; k < 6; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = round_def(kinds[k % 3], 0.02, 0.03, 0.5), tile = box_def(0.05, 0.5, 0.05, 1000.0, 0.5);
        double dt = k < 3 ? 1e-3 : 5e-3, highest = 0.0;
        for (int i = 0; i < 20; ++i) add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0.1 * i, 0, -0.05)), &tile);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.02), abut_vec3(1, 0, 0), abut_vec3(0, 50, 0), &shape);
        World world = world_of(scene, &def);
        for (int i = 0; i < (int)(1.8 / dt); ++i) {
            world_step(&world, dt);
            highest = abut_larger(highest, body_of(&world, id).center.z);
        }
        AbutBodyState b = body_of(&world, id);
        print_message("%s over 18 joints, dt %g: speed lost %.2g, hop %.2g m\n",
            abut_word(abut_shape_kind_names, kinds[k % 3]), dt, 1.0 - b.velocity.x, highest - 0.02);
        CHECK_NEAR(b.velocity.x, 1.0, 1e-6);
        CHECK(highest < 0.02 + 1e-7);
        world_free(&world);
    }
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef ball = round_def(ABUT_SHAPE_SPHERE, 0.02, 0.02, 0.5), tile = box_def(0.5, 0.5, 0.05, 1000.0, 0.5);
    for (int i = 0; i < 2; ++i)
        add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(1.0 * i, 0, -0.05 + 1e-3 * i)), &tile);
    AbutBodyId id = throw_box(scene, at(0.4, 0, 0.02), abut_vec3(0.1, 0, 0), abut_vec3(0, 5, 0), &ball);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1500);
    CHECK(body_of(&world, id).center.x < 0.5);
    world_free(&world);
}

/* A ball rolls off a fixed ball: it leaves where 17 cos th = 10 cos th0, at sqrt(g (R + r) cos th). */
static void off_a_ball(void **state) {
    (void)state;
    const double big = 0.5, r = 0.1, start = 0.3, exact = acos(10.0 / 17.0 * cos(start));
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef fixed = round_def(ABUT_SHAPE_SPHERE, big, big, 10.0), ball = round_def(ABUT_SHAPE_SPHERE, r, r, 10.0);
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &fixed);
    AbutBodyId id =
        throw_box(scene, at((big + r) * sin(start), 0, (big + r) * cos(start)), abut_zero(), abut_zero(), &ball);
    World world = world_of(scene, &def);
    double left = 0.0, speed = 0.0;
    for (int i = 0; i < 3000 && left == 0.0; ++i) {
        AbutBodyState b = body_of(&world, id);
        AbutContact c;
        world_step(&world, 1e-3);
        if (!abut_simulation_get_contact(world.sim, 0, &c) || !(abut_length(c.force) > 0.0)) {
            left = atan2(b.center.x, b.center.z);
            speed = abut_length(b.velocity);
        }
    }
    print_message(
        "leaves at %.4f rad (exact %.4f), %.4f m/s (%.4f)\n", left, exact, speed, sqrt(G * (big + r) * cos(exact)));
    CHECK_NEAR(left, exact, 5e-3);
    CHECK_NEAR(speed, sqrt(G * (big + r) * cos(exact)), 1e-2);
    world_free(&world);
}

/* ---- friction against spinning and rolling ------------------------------------------------------------------------- */

static World resisting(double spinning, double rolling, double slope, AbutVec3 v, AbutVec3 spin, AbutBodyId *id) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = sloping(slope);
    AbutShapeDef shape = round_def(ABUT_SHAPE_SPHERE, 0.1, 0.1, 1.0);
    shape.material.friction_spinning = spinning;
    shape.material.friction_rolling = rolling;
    def.sleeping = 0;
    add_ground(scene, abut_quat_identity(), 1.0);
    *id = throw_box(scene, at(0, 0, 0.1), v, spin, &shape);
    return world_of(scene, &def);
}

/* m v' = -F, 2/5 m r^2 v' / r = F r - L m g: slowed by 5/7 L g / r. */
static void rolling_is_resisted(void **state) {
    (void)state;
    AbutBodyId id;
    double length = 1e-3, v = 0.1, exact = v * v / (2.0 * 5.0 / 7.0 * length / 0.1 * G);
    World world = resisting(0.0, length, 0.0, abut_vec3(v, 0, 0), abut_vec3(0, v / 0.1, 0), &id);
    world_run(&world, 1e-3, 3000);
    CHECK_NEAR(body_of(&world, id).center.x, exact, 1e-3 * exact + v * 1e-3);
    CHECK(abut_length(body_of(&world, id).velocity) < 1e-9);
    world_free(&world);
}

/* Below the tangent L / r it stays, above it rolls with 5/7 of what is left. */
static void rolling_holds_on_a_slope(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        AbutBodyId id;
        double tangent = k ? 0.0105 : 0.0095, angle = atan(tangent),
               exact = k ? 5.0 / 7.0 * G * (sin(angle) - 0.01 * cos(angle)) : 0.0;
        World world = resisting(0.0, 1e-3, angle, abut_zero(), abut_zero(), &id);
        world_run(&world, 1e-3, 2000);
        CHECK_NEAR(body_of(&world, id).velocity.x, 2.0 * exact, 1e-3 * exact + 1e-9);
        world_free(&world);
    }
}

/* 2/5 m r^2 w' = -L m g. */
static void spinning_is_resisted(void **state) {
    (void)state;
    AbutBodyId id;
    double length = 5e-3, exact = 10.0 * 0.4 * 0.01 / (length * G), stopped = 0.0;
    World world = resisting(length, 0.0, 0.0, abut_zero(), abut_vec3(0, 0, 10), &id);
    for (int i = 0; i < 1000 && stopped == 0.0; ++i) {
        AbutStepReport r = world_step(&world, 1e-3);
        if (fabs(body_of(&world, id).spin.z) < 1e-9) stopped = r.time;
    }
    CHECK_NEAR(stopped, exact, 2e-3);
    world_free(&world);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(down_a_slope),
        cmocka_unit_test(a_coin_on_its_edge),
        cmocka_unit_test(an_ellipsoid_tumbles),
        cmocka_unit_test(with_any_model),
        cmocka_unit_test(on_level_ground),
        cmocka_unit_test(from_sliding),
        cmocka_unit_test(in_a_groove),
        cmocka_unit_test(spinning_about_the_normal),
        cmocka_unit_test(over_joints),
        cmocka_unit_test(off_a_ball),
        cmocka_unit_test(rolling_is_resisted),
        cmocka_unit_test(rolling_holds_on_a_slope),
        cmocka_unit_test(spinning_is_resisted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
