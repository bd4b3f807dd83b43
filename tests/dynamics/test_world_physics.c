/* SPDX-License-Identifier: Apache-2.0 */
/* What mechanics says must hold: momentum, energy, friction, restitution, balance, motion that is prescribed. */
#include "dynamics/world_support.h"

static const double G = 9.80665;

static AbutSimulationDef weightless(void) {
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_zero();
    return def;
}

/* Bodies of several masses fly at each other and meet; nothing else acts. */
static void collisions_keep_momentum(void **state) {
    (void)state;
    int cases = check_cases(200), met = 0;
    for (int c = 0; c < cases; ++c) {
        AbutRng rng = abut_rng(7, (uint64_t)c);
        AbutSimulationDef def = weightless();
        AbutScene *scene = new_scene();
        for (int i = 0; i < 5; ++i) {
            AbutVec3 place = abut_scale(abut_random_direction(&rng), 0.3 + 0.05 * i);
            AbutShapeDef shape = box_def(
                0.05, 0.04, 0.03, exp(abut_rng_between(&rng, log(100.0), log(1e4))), abut_rng_between(&rng, 0.0, 1.0));
            AbutVec3 v = abut_add(abut_scale(place, -3.0), abut_scale(abut_random_direction(&rng), 0.3));
            throw_box(scene, abut_pose(place, abut_random_quat(&rng)), v, abut_scale(abut_random_direction(&rng), 5.0),
                &shape);
        }
        World world = world_of(scene, &def);
        AbutVec3 p0, l0, p1, l1;
        double before = abut_simulation_energy(world.sim, NULL, NULL), scale = 0.0, spin_scale = 0.0;
        total_momentum(&world, &p0, &l0);
        for (int i = 0; i < 5; ++i) {
            AbutBodyState b = body_of(&world, abut_scene_body_at(scene, i));
            scale += b.mass * abut_length(b.velocity);
            spin_scale += b.mass * abut_length(b.velocity) * abut_length(b.center);
        }
        for (int i = 0; i < 400; ++i) met += world_step(&world, 1e-3).contacts > 0;
        total_momentum(&world, &p1, &l1);
        CHECK_VEC_NEAR(p1, p0, 1e-12 * scale);
        CHECK_VEC_NEAR(l1, l0,
            2e-3 *
                spin_scale); /* the impulse acts at one point, and bodies move by a step after it: first order in dt */
        CHECK(abut_simulation_energy(world.sim, NULL, NULL) <= before * (1.0 + 1e-3));
        world_free(&world);
    }
    CHECK(met > 2 * cases);
}

/* One step of a collision keeps angular momentum exactly: both impulses act at the same point. */
static void an_impulse_keeps_angular_momentum(void **state) {
    (void)state;
    AbutSimulationDef def = weightless();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    throw_box(scene, at(0, 0, 0), abut_zero(), abut_zero(), &shape);
    throw_box(scene, at(0.12, 0.04, 0.049), abut_vec3(-0.5, 0.2, -1.0), abut_vec3(1.0, 2.0, 3.0), &shape);
    World world = world_of(scene, &def);
    AbutVec3 p0, l0, p1, l1;
    total_momentum(&world, &p0, &l0);
    AbutStepReport r = world_step(&world, 1e-6); /* no motion to speak of */
    assert_int_equal(r.contacts, 1);
    total_momentum(&world, &p1, &l1);
    AbutContact contact;
    CHECK(abut_simulation_get_contact(world.sim, 0, &contact) && abut_length(contact.force) > 0.0);
    CHECK_VEC_NEAR(p1, p0, 1e-13 * abut_length(p0));
    CHECK_VEC_NEAR(l1, l0, 1e-12 * abut_length(l0));
    world_free(&world);
}

/* A free body that tumbles keeps its angular momentum to rounding, and its energy too. */
static void free_rotation_is_exact(void **state) {
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 1e-2};
    AbutRng rng = abut_rng(11, 0);
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 10; ++c) {
            AbutSimulationDef def = weightless();
            AbutScene *scene = new_scene();
            AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
            throw_box(scene, abut_pose(abut_zero(), abut_random_quat(&rng)), abut_zero(),
                abut_scale(abut_random_direction(&rng), 10.0), &shape);
            World world = world_of(scene, &def);
            AbutVec3 p, l0, l1;
            double e0 = abut_simulation_energy(world.sim, NULL, NULL);
            total_momentum(&world, &p, &l0);
            world_run(&world, steps[k], 2000);
            total_momentum(&world, &p, &l1);
            CHECK_VEC_NEAR(l1, l0, 1e-11 * abut_length(l0));
            CHECK_NEAR(abut_simulation_energy(world.sim, NULL, NULL), e0, 1e-10 * e0);
            world_free(&world);
        }
}

/* So do slender and flat ones, and at any spin: what turns slowly may still be stiff, and a spin of many turns in a
 * step is not followed, but keeps both. */
static void free_rotation_of_slender_bodies_is_exact(void **state) {
    (void)state;
    static const double spins[] = {20.0, 100.0, 500.0, 3e3, 1e5}, steps[] = {1e-4, 1e-3, 1e-2};
    AbutRng rng = abut_rng(12, 0);
    for (int k = 0; k < 15; ++k)
        for (int c = 0; c < 8; ++c) {
            AbutSimulationDef def = weightless();
            AbutScene *scene = new_scene();
            double thin = pow(10.0, -abut_rng_between(&rng, 0.5, 3.0));
            AbutShapeDef shape = box_def(1.0, c & 1 ? 1.1 : thin, thin, 1000.0, 0.5);
            AbutVec3 across = abut_add_scaled(abut_random_direction(&rng), abut_axis(0), c & 2 ? -0.999 : 0.0);
            throw_box(scene, at(0, 0, 0), abut_zero(), abut_scale(abut_normalize(across), spins[k / 3]), &shape);
            World world = world_of(scene, &def);
            AbutVec3 p, l0, l1;
            double e0 = abut_simulation_energy(world.sim, NULL, NULL);
            total_momentum(&world, &p, &l0);
            world_run(&world, steps[k % 3], 100);
            total_momentum(&world, &p, &l1);
            CHECK_VEC_NEAR(l1, l0, 1e-9 * abut_length(l0)); /* rounding, times the ratio of inertias */
            CHECK_NEAR(abut_simulation_energy(world.sim, NULL, NULL), e0, 1e-9 * e0);
            world_free(&world);
        }
}

/* A rod that turns across its axis keeps its spin, and turns by the angle that it should. */
static void a_rod_turns_across_its_axis(void **state) {
    (void)state;
    AbutSimulationDef def = weightless();
    for (int k = 0; k < 6; ++k) {
        AbutScene *scene = new_scene();
        AbutShapeDef shape = box_def(0.6, 0.01, 0.01, 1000.0, 0.5);
        double speed = 10.0 * (1 << k), time = 0.1;
        AbutBodyId id = throw_box(scene, at(0, 0, 0), abut_zero(), abut_vec3(0, 0, speed), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 100);
        AbutBodyState b = body_of(&world, id);
        CHECK_VEC_NEAR(b.spin, abut_vec3(0, 0, speed), 1e-9 * speed);
        CHECK_VEC_NEAR(
            abut_quat_rotate(b.pose.q, abut_axis(0)), abut_vec3(cos(speed * time), sin(speed * time), 0.0), 1e-9);
        world_free(&world);
    }
}

/* Where the axis goes, against a fine integration of Euler's equations by another rule (Runge-Kutta in body axes). */
static void free_rotation_follows_euler(void **state) {
    (void)state;
    AbutSimulationDef def = weightless();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    AbutVec3 w = abut_vec3(0.3, 4.0, 0.2);
    AbutBodyId id = throw_box(scene, at(0, 0, 0), abut_zero(), w, &shape);
    World world = world_of(scene, &def);
    AbutMat3 inertia = body_of(&world, id).inertia;
    AbutVec3 moment = abut_vec3(inertia.x.x, inertia.y.y, inertia.z.z);
    double h = 1e-5;
    for (int i = 0; i < 300000; ++i) { /* 3 s: the intermediate axis tips over */
        AbutVec3 k[4], at_w = w;
        for (int s = 0; s < 4; ++s) {
            AbutVec3 torque = abut_cross(abut_mul(moment, at_w), at_w);
            k[s] = abut_vec3(torque.x / moment.x, torque.y / moment.y, torque.z / moment.z);
            at_w = abut_add_scaled(w, k[s], s < 2 ? 0.5 * h : h);
        }
        w = abut_add_scaled(w, abut_add(abut_add(k[0], k[3]), abut_scale(abut_add(k[1], k[2]), 2.0)), h / 6.0);
    }
    world_run(&world, 1e-3, 3000);
    AbutBodyState b = body_of(&world, id);
    CHECK_VEC_NEAR(abut_quat_rotate_inv(b.pose.q, b.spin), w, 2e-4);
    world_free(&world);
}

/* Pose of a box that tumbles freely for 2 s. */
static AbutQuat tumbled(double dt) {
    AbutSimulationDef def = weightless();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    AbutBodyId id = throw_box(scene, at(0, 0, 0), abut_zero(), abut_vec3(0.3, 4.0, 0.2), &shape);
    World world = world_of(scene, &def);
    world_run(&world, dt, (int)(2.0 / dt + 0.5));
    AbutQuat q = body_of(&world, id).pose.q;
    world_free(&world);
    return q;
}

static double angle_between(AbutQuat a, AbutQuat b) {
    return abut_length(abut_quat_log(abut_quat_mul(a, abut_quat_conj(b))));
}

static void free_rotation_has_second_order_phase(void **state) {
    (void)state;
    AbutQuat fine = tumbled(5e-5);
    double coarse = angle_between(tumbled(2e-3), fine), half = angle_between(tumbled(1e-3), fine),
           quarter = angle_between(tumbled(5e-4), fine);
    CHECK(coarse < 1e-4);
    CHECK_NEAR(coarse / half, 4.0, 0.1);
    CHECK_NEAR(half / quarter, 4.0, 0.1);
}

static void falling_is_semi_implicit(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    AbutBodyId id = throw_box(scene, at(0, 0, 10), abut_vec3(1, 2, 3), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 500);
    AbutBodyState b = body_of(&world, id);
    CHECK_VEC_NEAR(b.velocity, abut_vec3(1, 2, 3 - G * 0.5), 1e-12);
    CHECK_NEAR(b.center.z, 10 + 1.5 - 0.5 * G * 0.25 - 0.5 * G * 1e-3 * 0.5, 1e-10);
    CHECK_NEAR(abut_simulation_time(world.sim), 0.5, 1e-12);
    world_free(&world);
}

static void piles_never_gain_energy(void **state) {
    (void)state;
    static const char *const specs[] = {"boxes:12", "hulls:10", "drop", "bin:15", "domino:8", "stack:5"};
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; ++k) {
        AbutSimulationDef def = abut_simulation_default();
        World world = world_from(specs[k], 3, &def);
        double start = abut_simulation_energy(world.sim, NULL, NULL), most = 0.0;
        for (int i = 0; i < 1500; ++i) {
            AbutStepReport r = world_step(&world, 1e-3);
            most = abut_larger(most, r.kinetic + r.potential);
        }
        CHECK(most <= start * (1.0 + 1e-4));
        world_free(&world);
    }
}

/* A belt of speed 1 m/s takes a box along with mu g until it moves with the belt, and no faster. */
static AbutPose belt_pose(double time, const void *user) { return at(*(const double *)user * time, 0.0, -0.1); }

static void a_belt_drags_a_box(void **state) {
    (void)state;
    const double mu = 0.3, speed = 1.0;
    for (int prescribed = 0; prescribed < 2; ++prescribed) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutBodyDef belt = abut_body_default();
        AbutShapeDef belt_shape = box_def(5.0, 1.0, 0.1, 1000.0, mu), box = box_def(0.1, 0.1, 0.02, 1000.0, mu);
        AbutBodyId belt_id;
        AbutError error;
        belt.kind = ABUT_BODY_KINEMATIC;
        belt.pose = at(0.0, 0.0, -0.1);
        if (prescribed)
            belt.motion = belt_pose, belt.motion_user = &speed;
        else
            belt.velocity = abut_vec3(speed, 0.0, 0.0);
        good(abut_scene_add_body(scene, &belt, &belt_id, &error), &error);
        add_shape(scene, belt_id, &belt_shape);
        AbutBodyId id = throw_box(scene, at(0.0, 0.0, 0.02), abut_zero(), abut_zero(), &box);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 200);
        CHECK_NEAR(body_of(&world, id).velocity.x, mu * G * 0.2, 0.01 * mu * G * 0.2);
        AbutContact contact;
        CHECK(find_contact(&world, belt_id, id, &contact));
        double weight = body_of(&world, id).mass * G;
        CHECK_NEAR(fabs(contact.force.x), mu * weight, 0.01 * mu * weight);
        CHECK(contact.sliding);
        world_run(&world, 1e-3, 500);
        CHECK_NEAR(body_of(&world, id).velocity.x, speed, 1e-6);
        CHECK_NEAR(body_of(&world, belt_id).pose.p.x, 0.7 * speed, 1e-9);
        CHECK(find_contact(&world, belt_id, id, &contact) && !contact.sliding);
        world_free(&world);
    }
}

/* A turntable: the box goes round with it while w^2 r < mu g, and is thrown off beyond. */
static AbutPose table_pose(double time, const void *user) {
    return abut_pose(abut_vec3(0.0, 0.0, -0.1), abut_quat_axis_angle(abut_axis(2), *(const double *)user * time));
}

static void a_turntable_holds_a_box_by_friction(void **state) {
    (void)state;
    const double mu = 0.5, radius = 0.5, limit = sqrt(mu * G / radius);
    for (int k = 0; k < 2; ++k) {
        double spin = (k ? 1.1 : 0.9) * limit;
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutBodyDef table = abut_body_default();
        AbutShapeDef plate = box_def(2.0, 2.0, 0.1, 1000.0, mu), box = box_def(0.01, 0.01, 0.005, 1000.0, mu);
        AbutBodyId table_id;
        AbutError error;
        table.kind = ABUT_BODY_KINEMATIC;
        table.motion = table_pose;
        table.motion_user = &spin;
        table.pose = table_pose(0.0, &spin);
        good(abut_scene_add_body(scene, &table, &table_id, &error), &error);
        add_shape(scene, table_id, &plate);
        AbutBodyId id = throw_box(
            scene, at(radius, 0.0, 0.005), abut_vec3(0.0, spin * radius, 0.0), abut_vec3(0.0, 0.0, spin), &box);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 1000);
        AbutVec3 p = body_of(&world, id).center;
        double r = sqrt(p.x * p.x + p.y * p.y);
        if (k == 0)
            CHECK_NEAR(r, radius, 0.01);
        else
            CHECK(r > radius + 0.05);
        CHECK_NEAR(abut_quat_rotate(body_of(&world, table_id).pose.q, abut_axis(0)).x, cos(spin), 1e-9);
        world_free(&world);
    }
}

/* A ball of restitution e bounces to e^2 of its height; flat boxes do too. */
static void restitution_gives_its_height(void **state) {
    (void)state;
    static const double e[] = {0.0, 0.3, 0.5, 0.8, 1.0};
    for (int k = 0; k < 5; ++k)
        for (int ball = 0; ball < 2; ++ball) {
            AbutSimulationDef def = abut_simulation_default();
            AbutScene *scene = new_scene();
            AbutShapeDef shape = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
            shape.material.restitution = e[k];
            if (ball) {
                shape.form.kind = ABUT_SHAPE_SPHERE;
                shape.form.size = abut_vec3(0.05, 0.0, 0.0);
            }
            add_ground(scene, abut_quat_identity(), 0.5);
            AbutBodyId id = throw_box(scene, at(0.0, 0.0, 0.55), abut_zero(), abut_zero(), &shape);
            World world = world_of(scene, &def);
            double top = 0.0;
            int bounced = 0;
            for (int i = 0; i < 700; ++i) { /* the fall takes 0.32 s */
                world_step(&world, 1e-3);
                AbutBodyState b = body_of(&world, id);
                bounced |= b.velocity.z > 0.0;
                top = bounced ? abut_larger(top, b.center.z - 0.05) : 0.0;
            }
            CHECK_NEAR(top, e[k] * e[k] * 0.5, 0.02); /* a step is 3 mm at the impact */
            world_free(&world);
        }
}

/* Static and kinetic friction on slopes: sticks below mu_s; set in motion it keeps sliding above mu_k and stops below.
 */
static double slope_speed(double tangent, double mu_s, double mu_k, double v0, double time) {
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutQuat tilt = abut_quat_axis_angle(abut_axis(1), atan(tangent));
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, mu_s);
    shape.material.friction_kinetic = mu_k;
    add_ground(scene, tilt, 0.0);
    AbutVec3 down = abut_quat_rotate(tilt, abut_axis(0));
    AbutBodyId id = throw_box(scene, abut_pose(abut_quat_rotate(tilt, abut_vec3(0, 0, 0.025)), tilt),
        abut_scale(down, v0), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, (int)(time / 1e-3 + 0.5));
    double v = abut_dot(down, body_of(&world, id).velocity);
    world_free(&world);
    return v;
}

static void static_and_kinetic_friction_differ(void **state) {
    (void)state;
    const double mu_s = 0.6, mu_k = 0.4;
    CHECK_NEAR(slope_speed(0.5, mu_s, mu_k, 0.0, 0.5), 0.0, 1e-9); /* at rest it stays at rest */
    CHECK_NEAR(slope_speed(0.58, mu_s, mu_k, 0.0, 0.5), 0.0, 1e-9);
    double c = 1.0 / sqrt(1.0 + 0.5 * 0.5);
    CHECK_NEAR(
        slope_speed(0.5, mu_s, mu_k, 0.2, 0.5), 0.2 + G * c * (0.5 - mu_k) * 0.5, 0.02); /* in motion it goes on */
    c = 1.0 / sqrt(1.0 + 0.65 * 0.65);
    CHECK_NEAR(slope_speed(0.65, mu_s, mu_k, 0.0, 0.5), G * c * (0.65 - mu_k) * 0.5, 0.03);
    CHECK_NEAR(slope_speed(0.3, mu_s, mu_k, 0.2, 0.6), 0.0, 1e-9);                      /* below both it stops */
    CHECK_NEAR(slope_speed(0.5, 0.0, 0.0, 0.0, 0.5), G * 0.5 / sqrt(1.25) * 0.5, 1e-3); /* no friction at all */
}

/* Twisting friction: uniform pressure holds less than load at the corners, by the ratio of the mean distances. */
static double spin_stop_time(int uniform) {
    AbutSimulationDef def = abut_simulation_default();
    def.torsion_uniform = uniform;
    World world = world_from("spin", 0, &def);
    double t = 0.0;
    while (t < 1.0 && abut_length(body_named(&world, "box0").spin) > 1e-3) t = world_step(&world, 1e-3).time;
    world_free(&world);
    return t;
}

static void uniform_torsion_stops_a_spin_later(void **state) {
    (void)state;
    CHECK_NEAR(spin_stop_time(0), 0.07601, 3e-3);
    CHECK_NEAR(spin_stop_time(1), 0.14324, 3e-3);
}

enum { RINGS = 40, SECTORS = 48 };

/* When a disc stops that slides at v and spins at w, by the law of Coulomb over points: `rings` of radii that share out
 * the area, or one at the rim. */
static double disc_stop_time(int rings, double radius, double mu, double v, double w) {
    double t = 0.0, dt = 1e-4, inertia = 0.5 * radius * radius;
    for (; t < 1.0 && v > 1e-3; t += dt) {
        double push = 0.0, twist = 0.0;
        for (int i = 0; i < rings; ++i)
            for (int k = 0; k < SECTORS; ++k) {
                double r = rings == 1 ? radius : radius * sqrt((i + 0.5) / rings), a = 2.0 * ABUT_PI * k / SECTORS;
                double ux = v - w * r * sin(a), uy = w * r * cos(a), speed = hypot(ux, uy) + 1e-12;
                push += ux / speed;
                twist += r * (cos(a) * uy - sin(a) * ux) / speed;
            }
        v -= mu * G * dt * push / (rings * SECTORS);
        w -= mu * G * dt * twist / (rings * SECTORS) / inertia;
    }
    return t;
}

/* A step of the law of Coulomb over the corners of a contact, with the loads that it has now; arms shrink by `kappa`.
 */
static void coulomb_step(const AbutContact *contact, AbutVec3 center, double kappa, double mass, double inertia,
    double mu, double dt, AbutVec3 *velocity, double *spin) {
    AbutVec3 push = abut_zero();
    double twist = 0.0;
    for (int i = 0; i < contact->vertex_count; ++i) {
        AbutVec3 r = abut_scale(abut_sub(contact->vertex[i].point, center), kappa);
        double ux = velocity->x - *spin * r.y, uy = velocity->y + *spin * r.x;
        double f = mu * contact->vertex[i].force.z / (hypot(ux, uy) + 1e-12);
        push = abut_add(push, abut_vec3(f * ux, f * uy, 0.0));
        twist += f * (r.x * uy - r.y * ux);
    }
    *velocity = abut_sub(*velocity, abut_scale(push, dt / mass));
    *spin -= dt * twist / inertia;
}

/* A disc that slides and spins: to 1 % by the law of Coulomb over the eight corners with the loads that the solver
 * found. Statics leaves these loads open (they differ up to four times), so even load at the rim is 2 % away, and
 * uniform pressure 4 % away from shrunk arms. */
static void a_spinning_disc_stops_when_coulomb_says(void **state) {
    (void)state;
    enum { PARTS = 10 };
    const double radius = 0.1, mu = 0.2, v = 0.5, w = 10.0, dt = 5e-4;
    for (int uniform = 0; uniform < 2; ++uniform) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutShapeDef shape = box_def(radius, radius, 0.01, 1000.0, mu);
        shape.form.kind = ABUT_SHAPE_CYLINDER;
        def.torsion_uniform = uniform;
        add_ground(scene, abut_quat_identity(), mu);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.01), abut_vec3(v, 0, 0), abut_vec3(0, 0, w), &shape);
        World world = world_of(scene, &def);
        AbutVec3 velocity = abut_vec3(v, 0, 0);
        double t = 0.0, stop = 0.0, expected = 0.0, spin = w, mass = body_of(&world, id).mass;
        while (t < 1.0 && (stop == 0.0 || expected == 0.0)) {
            AbutContact contact;
            t = world_step(&world, dt).time;
            if (stop == 0.0 && abut_length(body_of(&world, id).velocity) <= 1e-3) stop = t;
            CHECK(abut_simulation_get_contact(world.sim, 0, &contact) && contact.vertex_count == 8);
            for (int part = 0; part < PARTS; ++part)
                coulomb_step(&contact, body_of(&world, id).center, uniform ? 2.0 / 3.0 : 1.0, mass,
                    0.5 * mass * radius * radius, mu, dt / PARTS, &velocity, &spin);
            if (expected == 0.0 && abut_length(velocity) <= 1e-3) expected = t;
        }
        world_free(&world);
        double rim = disc_stop_time(1, radius, mu, v, w), even = disc_stop_time(RINGS, radius, mu, v, w);
        CHECK_NEAR(stop, expected, 0.01 * expected);
        CHECK(even > 1.15 * rim);
        CHECK_NEAR(stop, uniform ? even : rim, uniform ? 0.04 * even : 0.02 * rim);
    }
}

/* An L of two boxes stands on its foot while the center of mass is above it. */
static void an_l_shape_balances_on_its_center_of_mass(void **state) {
    (void)state;
    static const double arm[] = {0.10, 0.17}; /* half lengths of the upper bar: center of mass at 0.0375 and 0.0853 */
    for (int k = 0; k < 2; ++k) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        add_ground(scene, abut_quat_identity(), 0.8);
        AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0));
        AbutShapeDef foot = box_def(0.05, 0.05, 0.1, 1000.0, 0.8), bar = box_def(arm[k], 0.05, 0.05, 1000.0, 0.8);
        foot.pose = at(0.0, 0.0, 0.1);
        bar.pose = at(arm[k] - 0.05, 0.0, 0.25);
        add_shape(scene, id, &foot);
        add_shape(scene, id, &bar);
        World world = world_of(scene, &def);
        double mf = 0.1 * 0.1 * 0.2, mb = 2 * arm[k] * 0.1 * 0.1, x = mb * (arm[k] - 0.05) / (mf + mb);
        CHECK_NEAR(body_of(&world, id).center.x, x, 1e-12);
        int stands = x < 0.05;
        CHECK(stands == (k == 0)); /* one of each */
        world_run(&world, 1e-3, 1500);
        double up = abut_quat_rotate(body_of(&world, id).pose.q, abut_axis(2)).z;
        if (stands) {
            CHECK(up > 1.0 - 1e-6);
            AbutContact contact;
            CHECK(abut_simulation_get_contact(world.sim, 0, &contact));
            CHECK_NEAR(contact.pressure_center.x, x, 1e-4); /* the ground bears it right below the center of mass */
        } else {
            CHECK(up < 0.9); /* down on the end of its bar */
        }
        world_free(&world);
    }
}

/* Rest in a valley of two tilted half-spaces: forces share the weight as statics says. */
static void two_slopes_share_the_weight(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    double angle = 40.0 * ABUT_PI / 180.0;
    for (int k = 0; k < 2; ++k) add_ground(scene, abut_quat_axis_angle(abut_axis(1), k ? -angle : angle), 0.0);
    AbutShapeDef shape = box_def(0.05, 0.05, 0.05, 1000.0, 0.0);
    shape.form.kind = ABUT_SHAPE_SPHERE;
    shape.form.resolution = 32;
    AbutBodyId id = throw_box(scene, at(0.0, 0.0, 0.07), abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 3000);
    AbutVec3 sum = abut_zero();
    double weight = body_of(&world, id).mass * G;
    assert_int_equal(abut_simulation_contact_count(world.sim), 2);
    for (int i = 0; i < 2; ++i) {
        AbutContact c;
        CHECK(abut_simulation_get_contact(world.sim, i, &c));
        sum = abut_add(sum, c.force);
        CHECK_NEAR(abut_length(c.force), 0.5 * weight / cos(angle), 0.02 * weight);
    }
    CHECK_VEC_NEAR(sum, abut_vec3(0, 0, weight), 1e-3 * weight);
    world_free(&world);
}

/* A block let go tilted on its small end rocks: the time until its last motion above 1 cm/s. */
static double rocking_time(double rolling) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape = box_def(0.025, 0.05, 0.1, 1000.0, 0.5);
    double tilt = 0.1, height = 0.1 * cos(tilt) + 0.025 * sin(tilt), last = 0.0;
    def.rolling = rolling;
    add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId body = throw_box(scene, abut_pose(abut_vec3(0, 0, height), abut_quat_axis_angle(abut_axis(1), tilt)),
        abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    for (int i = 0; i < 4000; ++i) {
        AbutStepReport r = world_step(&world, 1e-3);
        if (abut_length(body_of(&world, body).velocity) > 1e-2) last = r.time;
    }
    CHECK_NEAR(body_of(&world, body).center.z, 0.1, 1e-4); /* it did not fall over */
    world_free(&world);
    return last;
}

static void rocking_is_resisted(void **state) {
    (void)state;
    double free_time = rocking_time(0.0), slight = rocking_time(0.005), strong = rocking_time(0.05);
    CHECK(free_time > 0.3);
    CHECK(slight < 0.95 * free_time);
    CHECK(strong < 0.6 * free_time);
}

/* The setting has no hold on round shapes: the same bits with and without. */
static void round_shapes_roll_freely(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef shape = box_def(0.05, 0.0, 0.0, 1000.0, 0.5);
        shape.form.kind = ABUT_SHAPE_SPHERE;
        shape.form.resolution = 24;
        def.rolling = k ? 0.1 : 0.0;
        add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId ball = throw_box(scene, abut_pose(abut_vec3(0, 0, 0.05), abut_quat_identity()), abut_vec3(0.5, 0, 0),
            abut_vec3(0, 10, 0), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 300);
        CHECK(body_of(&world, ball).center.x > 0.02);
        hash[k] = abut_simulation_hash(world.sim);
        world_free(&world);
    }
    assert_int_equal(hash[0], hash[1]);
}

/* A ball on a slick floor that has priority slides under a gravity that leans; of equal priority it rolls. */
static void priority_lets_a_ball_slide(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef ground = abut_shape_default(), ball = box_def(0.1, 0.0, 0.0, 1000.0, 0.5);
        ground.form.kind = ABUT_SHAPE_HALF_SPACE;
        ground.material.friction = 1e-4;
        ground.priority = !k;
        ball.form.kind = ABUT_SHAPE_SPHERE;
        add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &ground);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &ball);
        def.gravity = abut_vec3(1.0, 0.0, -9.8);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 1000);
        CHECK_NEAR(body_of(&world, id).velocity.x, k ? 5.0 / 7.0 : 1.0 - 9.8e-4, 1e-3);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(an_impulse_keeps_angular_momentum),
        cmocka_unit_test(free_rotation_is_exact),
        cmocka_unit_test(free_rotation_of_slender_bodies_is_exact),
        cmocka_unit_test(a_rod_turns_across_its_axis),
        cmocka_unit_test(free_rotation_follows_euler),
        cmocka_unit_test(free_rotation_has_second_order_phase),
        cmocka_unit_test(falling_is_semi_implicit),
        cmocka_unit_test(piles_never_gain_energy),
        cmocka_unit_test(a_belt_drags_a_box),
        cmocka_unit_test(a_turntable_holds_a_box_by_friction),
        cmocka_unit_test(restitution_gives_its_height),
        cmocka_unit_test(static_and_kinetic_friction_differ),
        cmocka_unit_test(a_spinning_disc_stops_when_coulomb_says),
        cmocka_unit_test(uniform_torsion_stops_a_spin_later),
        cmocka_unit_test(an_l_shape_balances_on_its_center_of_mass),
        cmocka_unit_test(two_slopes_share_the_weight),
        cmocka_unit_test(rocking_is_resisted),
        cmocka_unit_test(round_shapes_roll_freely),
        cmocka_unit_test(priority_lets_a_ball_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
