/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance checks 17 to 20: momentum, energy, and answers that do not depend on the axes of the world or the order of
 * the bodies. */
#include "dynamics/world.h"

static const double degree = ABUT_PI / 180.0;

static AbutQuat turn_of_world(void) { return abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 2.0, 3.0)), 0.8); }

static AbutQuat drop_pose(void) {
    return abut_quat_mul(
        abut_quat_axis_angle(abut_axis(2), 60 * degree), abut_quat_mul(abut_quat_axis_angle(abut_axis(1), 45 * degree),
                                                             abut_quat_axis_angle(abut_axis(2), 30 * degree)));
}

/* The box falls on a block; with `swapped` the block comes after the box, so that the sides of the pair change. */
static World drop(int turned, int swapped) {
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    AbutPose floor = abut_pose(abut_vec3(0.0, 0.0, -0.5), abut_quat_identity());
    w.turn = turned ? turn_of_world() : abut_quat_identity();
    if (!swapped) w.ground = world_add(&w, ABUT_BODY_STATIC, abut_vec3(2.0, 2.0, 0.5), floor);
    world_box(&w, abut_vec3(0.0, 0.0, 1.0), drop_pose());
    if (swapped) w.ground = world_add(&w, ABUT_BODY_STATIC, abut_vec3(2.0, 2.0, 0.5), floor);
    world_start(&w);
    return w;
}

/* Two boxes fly into each other, no gravity. */
static World collision(int turned, int swapped) {
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    w.def.gravity = abut_zero();
    w.def.iterations = 200000; /* a patch of 0.3 mm is hit: vertex by vertex that converges slowly */
    w.def.tolerance = 1e-10;
    w.turn = turned ? turn_of_world() : abut_quat_identity();
    AbutVec3 place[2] = {{-0.15, 0.0, 0.0}, {0.15, 0.02, 0.01}}, speed[2] = {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}},
             spin[2] = {{0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}};
    AbutQuat pose[2] = {abut_quat_identity(), abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 1.0, 0.3)), 0.7)};
    for (int i = 0; i < 2; ++i) {
        int k = swapped ? 1 - i : i;
        world_box(&w, place[k], pose[k]);
        world_velocity(&w, i, speed[k], spin[k]);
    }
    world_start(&w);
    return w;
}

static AbutVec3 momentum(const World *w) {
    return abut_scale(abut_add(world_get(w, 0).velocity, world_get(w, 1).velocity), 1e-3);
}

static AbutVec3 angular_momentum(const World *w) {
    AbutVec3 sum = abut_zero();
    for (int i = 0; i < 2; ++i) {
        const AbutBody *b = &w->scene->body[i];
        AbutVec3 own = abut_mat3_apply(b->rotation, abut_mat3_apply(b->inertia, abut_mat3_apply_t(b->rotation, b->w)));
        sum = abut_add(sum, abut_add(own, abut_cross(b->x, abut_scale(b->v, b->mass))));
    }
    return sum;
}

static void test_17_collision(void **state) {
    (void)state;
    World w = collision(0, 0);
    AbutVec3 p = momentum(&w), l = angular_momentum(&w);
    double before = abut_simulation_energy(w.sim, NULL, NULL), last = before, rise = 0.0;
    int contacts = 0;
    for (int i = 0; i < 2000; ++i) {
        world_step(&w);
        contacts += w.report.contacts;
        rise = abut_larger(rise, w.report.kinetic - last);
        last = w.report.kinetic;
    }
    double dp = abut_point_distance(momentum(&w), p), dl = abut_point_distance(angular_momentum(&w), l);
    MEASURED("17: |dP| %.2g (each 1e-3), |dL| %.2g (L %.2g), energy %.3g -> %.3g, largest rise %.2g, steps with "
             "contact %d\n",
        dp, dl, abut_length(l), before, last, rise, contacts);
    CHECK(contacts > 0);
    CHECK(dp < 1e-16);
    CHECK(dl < 1e-14);
    CHECK(last < 0.99 * before);
    CHECK(rise < 1e-4 * before);
    world_end(&w);
}

/* Runs both worlds until the box of the first touches, and one step on. */
static void run_to_impact(World *w) {
    for (int i = 0; i < 10000; ++i) {
        world_step(w);
        if (w->report.contacts > 0) return;
    }
    fail_msg("no impact");
}

static void compare_drop(const char *name, World *a, World *b, double impact, double rest) {
    run_to_impact(a);
    run_to_impact(b);
    AbutBodyState s = world_get(a, 0), t = world_get(b, 0);
    double dv = abut_point_distance(s.velocity, t.velocity), dw = abut_point_distance(s.spin, t.spin);
    CHECK(dv < impact);
    CHECK(dw < 10.0 * impact);
    world_run(a, 1.0);
    world_run(b, 1.0);
    s = world_get(a, 0), t = world_get(b, 0);
    double dx = abut_point_distance(s.center, t.center);
    MEASURED("%s: first impact dv %.2g dw %.2g; resting place differs by %.2g m\n", name, dv, dw, dx);
    CHECK(abut_length(s.velocity) < 1e-9 && abut_length(t.velocity) < 1e-9);
    CHECK(dx < rest);
}

static void compare_collision(const char *name, World *a, World *b, int swapped) {
    world_run(a, 0.2);
    world_run(b, 0.2);
    double worst = 0.0;
    for (int i = 0; i < 2; ++i) {
        AbutBodyState s = world_get(a, i), t = world_get(b, swapped ? 1 - i : i);
        worst = abut_larger(worst, abut_point_distance(s.velocity, t.velocity));
        worst = abut_larger(worst, abut_point_distance(s.center, t.center));
    }
    MEASURED("%s: collision end state differs by %.2g\n", name, worst);
    CHECK(worst < 1e-8);
}

static void test_18_turned_world(void **state) {
    (void)state;
    World a = drop(0, 0), b = drop(1, 0);
    compare_drop("18", &a, &b, 1e-9, 1e-4);
    world_end(&a);
    world_end(&b);

    a = collision(0, 0), b = collision(1, 0);
    compare_collision("18", &a, &b, 0);
    world_end(&a);
    world_end(&b);

    AbutVec3 place[2];
    for (int i = 0; i < 2; ++i) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL);
        w.turn = i ? turn_of_world() : abut_quat_identity();
        world_ground(&w);
        world_box(&w, abut_vec3(0.0, 0.0, WORLD_REST), abut_quat_identity());
        world_velocity(&w, 0, abut_vec3(1.0, 0.0, 0.0), abut_zero());
        world_start(&w);
        world_run(&w, 0.3);
        place[i] = world_get(&w, 0).center;
        world_end(&w);
    }
    MEASURED("18: slide places differ by %.2g m\n", abut_point_distance(place[0], place[1]));
    CHECK(abut_point_distance(place[0], place[1]) < 1e-12);
}

static void test_19_swapped_bodies(void **state) {
    (void)state;
    World a = drop(0, 0), b = drop(0, 1);
    compare_drop("19", &a, &b, 1e-8, 1e-4);
    world_end(&a);
    world_end(&b);
    a = collision(0, 0), b = collision(0, 1);
    compare_collision("19", &a, &b, 1);
    world_end(&a);
    world_end(&b);
}

static void test_20_drop(void **state) {
    (void)state;
    World w = world_begin(ABUT_CONTACT_MODEL_VOL);
    world_ground(&w);
    world_box(&w, abut_vec3(0.0, 0.0, 1.0), drop_pose());
    world_start(&w);
    double start = abut_simulation_energy(w.sim, NULL, NULL), last = start, most = 0.0, rise = 0.0, up = -1.0,
           speed = 0.0;
    int changes = 0, was = 0, touched = 0;
    for (int i = 0; i < 10000; ++i) {
        world_step(&w);
        double energy = w.report.kinetic + w.report.potential;
        int now = w.report.contacts;
        AbutBodyState s = world_get(&w, 0);
        rise = abut_larger(rise, energy - last);
        most = abut_larger(most, energy);
        last = energy;
        changes += (now > 0) != (was > 0);
        touched |= now > 0;
        was = now;
        up = touched ? abut_larger(up, s.velocity.z) : up;
        if (i == 7500) speed = abut_length(s.velocity);
    }
    double force = world_support(&w, 0).z / WORLD_WEIGHT;
    MEASURED("20: energy %.6f E0, rise %.2g E0 per step, upward %.4f m/s, |v|(.75 s) %.2g, F/mg - 1 %.2g, changes %d\n",
        most / start, rise / start, up, speed, force - 1.0, changes);
    CHECK(most <= 1.0001 * start);
    CHECK(rise <= 1e-6 * start);
    CHECK(up < 0.1);
    CHECK(speed < 1e-9);
    CHECK_NEAR(force, 1.0, 1e-6);
    CHECK(changes < 30);
    world_end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_17_collision),
        cmocka_unit_test(test_18_turned_world),
        cmocka_unit_test(test_19_swapped_bodies),
        cmocka_unit_test(test_20_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
