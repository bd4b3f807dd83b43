/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of closed meshes by their features: a nut that locks where the closed form says, a peg, gears, a chain;
 * meshes beside the convex bodies they are; the same bits for threads and from restored states; events, settings,
 * memory.
 */
#include "dynamics/world_support.h"
#include "model/builtin_parts.h"
#include "model/geometry.h"

#include <string.h>

static const double DT = 1e-3, GRAVITY = 9.80665;

static AbutSimulationDef awake(void) {
    AbutSimulationDef def = abut_simulation_default();
    def.sleeping = 0;
    def.threads = 1;
    return def;
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* The thread bears at its outermost radius: it locks where mu > P / (2 pi r) cos 30 = 0.03446. */
static void nut_locks_where_friction_holds_it(void **state) {
    AbutSimulationDef def = awake();
    World turns = world_from("nut:0.034", 1, &def), locks = world_from("nut:0.035", 1, &def);
    int steps = 300;
    double deepest = 0.0;
    (void)state;
    double turned = 0.0, from = 0.0;
    for (int i = 0; i < steps; ++i) {
        world_step(&turns, DT);
        deepest = abut_larger(deepest, world_step(&locks, DT).max_depth);
        if (i >= 100) turned += DT * body_named(&turns, "nut").spin.z;
        if (i == 99) from = body_named(&turns, "nut").pose.p.z;
    }
    double lead = 2.5e-3 / (2.0 * ABUT_PI);
    AbutBodyState a = body_named(&turns, "nut"), b = body_named(&locks, "nut");
    if (!(a.spin.z < -0.03 && fabs(b.spin.z) < 3e-3))
        fail_msg("mu 0.034: %g rad/s, 0.035: %g rad/s", a.spin.z, b.spin.z);
    CHECK_NEAR(a.pose.p.z - from, turned * lead, 0.01 * fabs(turned) * lead + 2e-7);
    CHECK(deepest < 2e-6);
    world_free(&turns);
    world_free(&locks);
}

/* Well above that friction it does not creep. */
static void tight_nut_stands_still(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("nut:0.1", 1, &def);
    (void)state;
    world_run(&world, DT, 50);
    AbutBodyState first = body_named(&world, "nut");
    world_run(&world, DT, 400);
    AbutBodyState last = body_named(&world, "nut");
    CHECK_NEAR(last.pose.p.z, first.pose.p.z, 1e-7);
    AbutQuat turn = abut_quat_mul(last.pose.q, abut_quat_conj(first.pose.q));
    CHECK_NEAR(abut_length(abut_quat_log(turn)), 0.0, 1e-4);
    world_free(&world);
}

/* It runs down as the closed form of a screw says, without a drag of facets that pass. */
static void nut_runs_down_its_thread(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("nut:0.01", 1, &def);
    double turned = 0.0;
    AbutBodyState nut = body_named(&world, "nut");
    int begin = 20, more = check_cases(100), steps = 200 + (more < 700 ? more : 700);
    double lead = 2.5e-3 / (2.0 * ABUT_PI), r = 10e-3, square = nut.inertia.z.z / nut.mass;
    double angle = atan(lead / r) - atan(0.01 / cos(ABUT_PI / 6.0));
    double gains = GRAVITY / (1.0 + square / (lead * r * tan(angle)));
    (void)state;
    world_run(&world, DT, begin);
    AbutBodyState first = body_named(&world, "nut");
    for (int i = begin; i < steps; ++i) {
        world_step(&world, DT);
        turned -= DT * body_named(&world, "nut").spin.z;
    }
    AbutBodyState last = body_named(&world, "nut");
    CHECK_NEAR(first.pose.p.z - last.pose.p.z, turned * lead, 1e-3 * turned * lead);
    double t = DT * (steps - begin), way = -first.spin.z * lead * t + 0.5 * gains * t * t;
    CHECK_NEAR(first.pose.p.z - last.pose.p.z, way, t > 0.5 ? 0.02 * way : 0.01 * way);
    CHECK_NEAR((first.spin.z - last.spin.z) * lead, gains * t, 0.03 * gains * t);
    world_free(&world);
}

/* Tilted by 1.1 degrees and 0.3 mm beside the middle of a hole that is 0.1 mm wider. */
static void peg_goes_into_its_hole(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("peg", 1, &def);
    double deepest = 0.0;
    (void)state;
    for (int i = 0; i < 300; ++i) deepest = abut_larger(deepest, world_step(&world, DT).max_depth);
    AbutBodyState peg = body_named(&world, "peg");
    CHECK_NEAR(peg.pose.p.z, 30e-3, 2e-6); /* on the ground */
    CHECK(deepest < 20e-6);
    world_free(&world);
}

static void gears_keep_their_ratio(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("gears", 1, &def);
    double turned = 0.0, pitch = ABUT_PI / 10.0 / (2.0 * DT);
    int steps = (int)(pitch * (check_cases(10) + 1) + 0.5);
    (void)state;
    for (int i = 0; i < 200 + steps; ++i) {
        world_step(&world, DT);
        turned += i >= 200 ? DT * body_named(&world, "driven").spin.z : 0.0;
    }
    CHECK_NEAR(turned, -2.0 * DT * steps, 1e-4 * 2.0 * DT * steps + 1e-5); /* by whole teeth */
    world_free(&world);
}

/* Each link carries those below it. */
static void chain_carries_its_weight(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("chain:4", 1, &def);
    double mean[4] = {0};
    enum { SETTLE = 500, STEPS = 200 };
    (void)state;
    for (int i = 0; i < SETTLE + STEPS; ++i) {
        world_step(&world, DT);
        for (int k = 0; k < abut_simulation_contact_count(world.sim) && i >= SETTLE; ++k) {
            AbutContact c;
            AbutBodyState of;
            CHECK(abut_simulation_get_contact(world.sim, k, &c));
            CHECK(abut_scene_get_body(world.scene, c.body_b, &of));
            int link = of.name[4] - '0', other = 0;
            CHECK(abut_scene_get_body(world.scene, c.body_a, &of));
            other = of.name[4] - '0';
            int lower = link > other ? link : other;
            mean[lower] += (lower == link ? 1.0 : -1.0) * c.force.z / STEPS;
        }
    }
    double weight = body_named(&world, "link1").mass * GRAVITY;
    for (int k = 1; k < 4; ++k) CHECK_NEAR(mean[k], (4 - k) * weight, 1e-5 * weight);
    world_free(&world);
}

/* A body of steel with a mesh, which is freed. */
static AbutBodyId add_part(AbutScene *scene, AbutBodyKind kind, AbutPose pose, double friction, AbutMesh *mesh) {
    AbutBodyId id = add_body(scene, kind, pose);
    AbutShapeDef def = abut_shape_default();
    AbutPolyhedron *hull;
    AbutError error;
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &hull, &error), &error);
    def.form = (AbutGeometryDef){.kind = ABUT_SHAPE_POLYHEDRON, .polyhedron = hull, .surface = mesh};
    def.density = 7850.0;
    def.material.friction = friction;
    add_shape(scene, id, &def);
    abut_polyhedron_free(hull);
    abut_mesh_free(mesh);
    return id;
}

/* A peg of diameter d, in a hole of diameter D by the length L, leans under a torque until L sin + d cos = D. */
static void peg_leans_as_far_as_its_hole_lets_it(void **state) {
    enum { SIDES = 256, STEPS = 300 };
    const double radius = 10e-3, inside = 28.9e-3, wide = radius + 0.05e-3, hole = wide / cos(ABUT_PI / SIDES);
    const AbutTurnedPoint ring[] = {{hole, 0.0}, {20e-3, 0.0}, {20e-3, 40e-3}, {hole, 40e-3}},
                          rod[] = {{0.0, 0.0}, {radius, 0.0}, {radius, 60e-3}, {0.0, 60e-3}};
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutMesh mesh;
    AbutError error;
    (void)state;
    def.gravity = abut_zero();
    good(abut_part_turned(ring, 4, SIDES, 0.5, &mesh, &error), &error);
    add_part(scene, ABUT_BODY_STATIC, at(0.0, 0.0, 0.0), 0.1, &mesh);
    good(abut_part_turned(rod, 4, SIDES, 0.0, &mesh, &error), &error);
    AbutBodyId peg = add_part(scene, ABUT_BODY_DYNAMIC, at(0.0, 0.0, 40e-3 - inside), 0.1, &mesh);
    World world = world_of(scene, &def);
    double deepest = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        good(abut_scene_add_torque(scene, peg, abut_vec3(0.0, 0.02, 0.0), &error), &error);
        double depth = world_step(&world, DT).max_depth;
        deepest = i < STEPS - 50 ? 0.0 : abut_larger(deepest, depth);
    }
    AbutBodyState s = body_of(&world, peg);
    double lean = acos(abut_quat_rotate(s.pose.q, abut_axis(2)).z), out = abut_quat_rotate(s.pose.q, abut_axis(2)).x;
    double length = 40e-3 - s.pose.p.z, low = 0.0, high = 0.1;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high), reach = length * sin(middle) + 2.0 * radius * cos(middle);
        *(reach < 2.0 * wide ? &low : &high) = middle;
    }
    CHECK_NEAR(lean, low, 0.015 * low);
    if (!(out > 0.0 && deepest < 2e-6 && fabs(s.spin.y) < 1e-2)) fail_msg("%g m deep, %g rad/s", deepest, s.spin.y);
    world_free(&world);
}

/* The play of two gears whose teeth are thinner at the pitch circle: what was taken off both, over its radius. */
static void gears_have_their_backlash(void **state) {
    AbutGear gear = {20, 25, 2e-3, 10e-3, 0.05e-3};
    double angle[2], pitch = 0.5 * gear.module * gear.teeth;
    (void)state;
    for (int k = 0; k < 2; ++k) {
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutMesh mesh;
        AbutError error;
        AbutPose pose = abut_pose(
            abut_vec3(2.0 * pitch, 0.0, 0.0), abut_quat_axis_angle(abut_axis(2), ABUT_PI + ABUT_PI / gear.teeth));
        def.gravity = abut_zero();
        good(abut_part_gear(&gear, &mesh, &error), &error);
        add_part(scene, ABUT_BODY_STATIC, abut_pose_identity(), 0.1, &mesh);
        good(abut_part_gear(&gear, &mesh, &error), &error);
        AbutBodyId free = add_part(scene, ABUT_BODY_DYNAMIC, pose, 0.1, &mesh);
        good(abut_scene_lock_axes(scene, free, ABUT_LOCK_TURN_Z - 1, &error), &error); /* all others */
        World world = world_of(scene, &def);
        for (int i = 0; i < 200; ++i) {
            good(abut_scene_add_torque(scene, free, abut_vec3(0.0, 0.0, k ? 0.01 : -0.01), &error), &error);
            world_step(&world, DT);
        }
        AbutBodyState s = body_of(&world, free);
        AbutVec3 x = abut_quat_rotate_inv(pose.q, abut_quat_rotate(s.pose.q, abut_axis(0)));
        angle[k] = atan2(x.y, x.x);
        if (!(abut_length(s.spin) < 1e-4)) fail_msg("%g rad/s", abut_length(s.spin));
        world_free(&world);
    }
    double play = 2.0 * gear.thin / pitch;
    CHECK_NEAR(angle[1] - angle[0], play, 0.03 * play);
}

/* ---- meshes beside what they are --------------------------------------------------------------------------------- */

/* A body with a box as a mesh of so many triangles. */
static AbutBodyId add_mesh_box(
    AbutScene *scene, AbutBodyKind kind, AbutPose pose, AbutVec3 size, int triangles, double friction) {
    const double sizes[3] = {size.x, size.y, size.z};
    AbutBodyId id = add_body(scene, kind, pose);
    AbutShapeDef def = abut_shape_default();
    AbutPolyhedron *hull;
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make("box", triangles, sizes, &mesh, &error), &error);
    good(abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &hull, &error), &error);
    def.form = (AbutGeometryDef){.kind = ABUT_SHAPE_POLYHEDRON, .polyhedron = hull, .surface = &mesh};
    def.material.friction = friction;
    add_shape(scene, id, &def);
    abut_polyhedron_free(hull);
    abut_mesh_free(&mesh);
    return id;
}

enum { SIDE = 31 };

/* Ground of a grid over 2 m: level, or hilly and noisy, 0.2 m deep at least. */
static void add_field(AbutScene *scene, double hills) {
    static double heights[SIDE * SIDE];
    AbutRng rng = abut_rng(61, 0);
    for (int i = 0; i < SIDE * SIDE; ++i)
        heights[i] = hills * (0.5 * sin(0.5 * (i % SIDE)) * cos(0.4 * (i / SIDE)) + 0.1 * abut_rng_unit(&rng));
    AbutHeightField field = {SIDE, SIDE, 1.0, 1.0, -0.2 - hills, heights};
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    def.form.field = &field;
    def.material.friction = 0.3;
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, abut_pose_identity()), &def);
}

typedef enum Table { TABLE_PLANE = 0, TABLE_MESH, TABLE_FIELD } Table;

/* How far a box at 1 m/s slides on a table of triangles, its edges turned against theirs. */
static double slide(Table table, double turn, double *rest) {
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutPose pose = abut_pose(abut_vec3(-0.2, 0.03, 0.05), abut_quat_axis_angle(abut_axis(2), turn));
    AbutError error;
    if (table == TABLE_MESH)
        add_mesh_box(scene, ABUT_BODY_STATIC, at(0.0, 0.0, -0.05), abut_vec3(2.0, 2.0, 0.1), 400, 0.3);
    else if (table == TABLE_FIELD)
        add_field(scene, 0.0);
    else
        add_ground(scene, abut_quat_identity(), 0.3);
    AbutBodyId box = add_mesh_box(scene, ABUT_BODY_DYNAMIC, pose, abut_vec3(0.1, 0.1, 0.1), 12, 0.3);
    good(abut_scene_set_velocity(scene, box, abut_axis(0), abut_zero(), &error), &error);
    World world = world_of(scene, &def);
    world_run(&world, DT, 450);
    AbutBodyState s = body_of(&world, box);
    *rest = abut_length(s.velocity) + abut_length(s.spin);
    world_free(&world);
    return s.pose.p.x + 0.2;
}

static void inner_edges_do_not_brake(void **state) {
    static const double turns[] = {0.0, 0.2967, 0.7854};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        double rest_a, rest_b, rest_c, way = slide(TABLE_MESH, turns[k], &rest_a),
                                       plane = slide(TABLE_PLANE, turns[k], &rest_b);
        CHECK_NEAR(way, plane, 1e-8);
        CHECK_NEAR(slide(TABLE_FIELD, turns[k], &rest_c), plane, 1e-8);
        CHECK_NEAR(plane, 1.0 / (2.0 * 0.3 * GRAVITY), 1e-3);
        CHECK(rest_a < 1e-6 && rest_b < 1e-6 && rest_c < 1e-6);
    }
}

/* Over a table whose vertices are off by a micrometer a box without friction keeps its speed. */
static void small_noise_takes_no_speed(void **state) {
    const double sizes[3] = {2.0, 2.0, 0.1};
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutMesh mesh;
    AbutError error;
    AbutRng rng = abut_rng(77, 0);
    (void)state;
    good(abut_mesh_make("box", 3200, sizes, &mesh, &error), &error);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        mesh.vertices[i].z += 1e-6 * (2.0 * abut_rng_unit(&rng) - 1.0);
        mesh.vertices[i].x -= 0.5, mesh.vertices[i].z -= 0.05;
    }
    add_part(scene, ABUT_BODY_STATIC, abut_pose_identity(), 0.0, &mesh);
    AbutPose pose = abut_pose(abut_vec3(-1.2, 0.03, 0.05), abut_quat_axis_angle(abut_axis(2), 0.2));
    AbutBodyId box = add_mesh_box(scene, ABUT_BODY_DYNAMIC, pose, abut_vec3(0.1, 0.1, 0.1), 12, 0.0);
    good(abut_scene_set_velocity(scene, box, abut_vec3(2.0, 0.0, 0.0), abut_zero(), &error), &error);
    World world = world_of(scene, &def);
    double deepest = 0.0;
    for (int i = 0; i < 700; ++i) deepest = abut_larger(deepest, world_step(&world, DT).max_depth);
    AbutBodyState s = body_of(&world, box);
    CHECK_NEAR(s.velocity.x, 2.0, 2e-6);
    CHECK_NEAR(s.pose.p.z, 0.05, 3e-6);
    CHECK(deepest < 2e-6);
    world_free(&world);
}

/* A round body thrown along a table of triangles or over a half-space, lying on its side or upright: where it is after
 * a second. */
static AbutBodyState roll(int table_of_triangles, AbutShapeKind kind, int upright) {
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    shape.form.kind = kind;
    shape.form.size = abut_vec3(0.05, 0.05, kind == ABUT_SHAPE_SPHERE ? 0.0 : upright ? 0.03 : 0.1);
    shape.material.friction = 0.3;
    if (table_of_triangles)
        add_mesh_box(scene, ABUT_BODY_STATIC, at(0.5, 0.0, -0.05), abut_vec3(3.0, 2.0, 0.1), 400, 0.3);
    else
        add_ground(scene, abut_quat_identity(), 0.3);
    AbutQuat turn = upright ? abut_quat_identity() : abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
    AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, abut_pose(abut_vec3(-0.2, 0.03, upright ? 0.03 : 0.05), turn));
    add_shape(scene, id, &shape);
    good(abut_scene_set_velocity(scene, id, abut_axis(0), abut_zero(), &error), &error);
    World world = world_of(scene, &def);
    world_run(&world, DT, 1000);
    AbutBodyState s = body_of(&world, id);
    world_free(&world);
    return s;
}

static void round_bodies_roll_over_triangles(void **state) {
    static const AbutShapeKind kinds[] = {
        ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_ELLIPSOID};
    (void)state;
    for (int k = 0; k < 4; ++k) {
        AbutBodyState mesh = roll(1, kinds[k], 0), plane = roll(0, kinds[k], 0);
        CHECK_NEAR(mesh.spin.y * 0.05, mesh.velocity.x, 1e-4);
        CHECK_NEAR(mesh.velocity.x, k == 0 ? 5.0 / 7.0 : plane.velocity.x, 1e-4);
        CHECK_NEAR(mesh.pose.p.z, 0.05, 1e-6);
        CHECK_NEAR(mesh.pose.p.x, plane.pose.p.x, 1e-5);
        CHECK_NEAR(mesh.pose.p.y, plane.pose.p.y, 1e-6);
    }
    for (int k = 0; k < 2; ++k) { /* on an end they slide */
        AbutShapeKind kind = k ? ABUT_SHAPE_CONE : ABUT_SHAPE_CYLINDER;
        AbutBodyState mesh = roll(1, kind, 1), plane = roll(0, kind, 1);
        CHECK_NEAR(mesh.pose.p.x + 0.2, 1.0 / (2.0 * 0.3 * GRAVITY), 1e-3);
        CHECK_NEAR(mesh.pose.p.x, plane.pose.p.x, 1e-5);
        CHECK(abut_length(mesh.velocity) + abut_length(mesh.spin) < 1e-6);
    }
}

enum { FLOORS = 5 };

/* A tower of boxes, each turned against the one below, 0.6 s later; as meshes, or as what they are. */
static World tower(double turn, int meshes, AbutBodyId box[FLOORS]) {
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    add_ground(scene, abut_quat_identity(), 0.5);
    for (int i = 0; i < FLOORS; ++i) {
        AbutPose pose = abut_pose(abut_vec3(0.0, 0.0, 0.05 + 0.1 * i), abut_quat_axis_angle(abut_axis(2), turn * i));
        box[i] = meshes ? add_mesh_box(scene, ABUT_BODY_DYNAMIC, pose, abut_vec3(0.1, 0.1, 0.1), 12, 0.5)
                        : add_box(scene, ABUT_BODY_DYNAMIC, pose, abut_vec3(0.05, 0.05, 0.05));
    }
    World world = world_of(scene, &def);
    world_run(&world, DT, 600);
    return world;
}

/* Flush faces have the corners of their common part, and a tower of meshes stands as one of boxes. */
static void towers_stand_on_flush_faces(void **state) {
    static const double turns[] = {0.0, 1e-7, 0.3, 1.5707963};
    (void)state;
    for (int k = 0; k < 4; ++k) {
        AbutBodyId box[FLOORS], other[FLOORS];
        World world = tower(turns[k], 1, box), boxes = tower(k == 2 ? turns[k] : 0.0, 0, other);
        CHECK(abut_simulation_contact_count(world.sim) == FLOORS);
        for (int i = 1; i < FLOORS; ++i) {
            AbutContact c;
            CHECK(find_contact(&world, box[i - 1], box[i], &c));
            CHECK(c.vertex_count == 4 || c.vertex_count == 8);
            CHECK_NEAR(body_of(&world, box[i]).pose.p.z, body_of(&boxes, other[i]).pose.p.z, k == 0 ? 1e-7 : 1e-6);
            CHECK_NEAR(body_of(&world, box[i]).pose.p.z, 0.05 + 0.1 * i, 2e-5);
        }
        world_free(&world);
        world_free(&boxes);
    }
}

/* ---- fast bodies ------------------------------------------------------------------------------------------------- */

/* The shape of a mesh of about so many triangles, moved to fit a ball of this radius about the origin. */
static AbutShapeDef mesh_shape(const char *kind, int triangles, double radius, AbutPolyhedron **hull, AbutMesh *mesh) {
    AbutError error;
    double largest = 0.0;
    good(abut_mesh_make(kind, triangles, NULL, mesh, &error), &error);
    for (int i = 0; i < mesh->vertex_count; ++i) largest = abut_larger(largest, abut_length(mesh->vertices[i]));
    for (int i = 0; i < mesh->vertex_count; ++i) mesh->vertices[i] = abut_scale(mesh->vertices[i], radius / largest);
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, hull, &error), &error);
    AbutShapeDef shape = abut_shape_default();
    shape.form = (AbutGeometryDef){.kind = ABUT_SHAPE_POLYHEDRON, .polyhedron = *hull, .surface = mesh};
    return shape;
}

/* Bodies of 20 mm shot at a sheet of 2 mm, which they could jump over in one step; gives how many are behind it. */
static int shots_through(const char *kind, double speed, int shots) {
    int through = 0;
    for (int i = 0; i < shots; ++i) {
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutPolyhedron *hull;
        AbutMesh mesh;
        add_mesh_box(scene, ABUT_BODY_STATIC, at(0.0, 0.0, -1e-3), abut_vec3(0.4, 0.4, 2e-3), 200, 0.5);
        AbutShapeDef shape = mesh_shape(kind, 600, 0.01, &hull, &mesh);
        AbutPose pose = abut_pose(abut_vec3(0.01 * (i % 5), 0.0, 0.05 + 0.003 * i),
            abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, i, 2.0)), 0.7 * i));
        AbutBodyId id =
            throw_box(scene, pose, abut_vec3(0.2 * speed, 0.0, -speed), abut_vec3(20.0, 30.0, 10.0), &shape);
        World world = world_of(scene, &def);
        world_run(&world, DT, (int)((0.06 + 0.003 * i) / (speed * DT)) + 20);
        through += body_of(&world, id).center.z < 0.0;
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
        world_free(&world);
    }
    return through;
}

static void fast_bodies_do_not_pass_a_sheet(void **state) {
    (void)state;
    CHECK(shots_through("statue", 10.0, 4 + check_cases(10)) == 0);
    CHECK(shots_through("statue", 30.0, 4 + check_cases(10)) == 0);
    CHECK(shots_through("statue", 100.0, 10 + check_cases(40)) == 0);
    CHECK(shots_through("torus", 100.0, 5 + check_cases(20)) == 0); /* turns by some radians in a step */
    CHECK(shots_through("cross", 100.0, 5 + check_cases(20)) == 0); /* as a corner hits it spins up */
}

/* Bodies that rain on hills stay above them, whatever their forms, and come to rest. */
static void meshes_land_on_hills(void **state) {
    static const char *const kinds[] = {"statue", "torus", "cross", "cup"};
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutBodyId id[8];
    double deepest = 0.0, late = 0.0;
    int count = 4 + check_cases(4) / 2;
    (void)state;
    count = count > 8 ? 8 : count;
    add_field(scene, 0.1);
    for (int i = 0; i < count; ++i) {
        AbutPolyhedron *hull;
        AbutMesh mesh;
        AbutShapeDef shape = mesh_shape(kinds[i % 4], 400, 0.06, &hull, &mesh);
        AbutPose pose = abut_pose(abut_vec3(0.25 * (i % 4) - 0.4, 0.3 * (i / 4) - 0.2, 0.2 + 0.02 * i),
            abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, i, 2.0)), 0.7 * i));
        id[i] = throw_box(scene, pose, abut_vec3(0.3, 0.1, -1.0), abut_vec3(3.0, 2.0, 1.0), &shape);
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
    }
    World world = world_of(scene, &def);
    for (int n = 0; n < 1200; ++n) {
        double depth = world_step(&world, DT).max_depth;
        deepest = abut_larger(deepest, depth);
        late = n > 1000 ? abut_larger(late, depth) : 0.0;
    }
    for (int i = 0; i < count; ++i) {
        AbutBodyState s = body_of(&world, id[i]);
        if (!(s.center.z > -0.08 && s.center.z < 0.15 && abut_length(s.velocity) < 1.0))
            fail_msg("body %d is at %g with %g m/s", i, s.center.z, abut_length(s.velocity));
    }
    if (!(deepest < 1e-3 && late < 1e-4)) fail_msg("%g m deep, %g m after a second", deepest, late);
    world_free(&world);
}

/* Any orientation over a square of this size. */
static AbutPose dropped(AbutRng *rng, double wide, double height) {
    AbutQuat q = abut_random_quat(rng);
    double y = wide * abut_rng_unit(rng), x = wide * abut_rng_unit(rng);
    return abut_pose(abut_vec3(x, y, height), q);
}

/* Statues that fall on each other: nothing goes deep, and energy is never above that of the start, nor lost without
 * friction and with full restitution. */
static void heaps_stay_shallow_and_gain_nothing(void **state) {
    int heaps = 1 + check_cases(4) / 4;
    (void)state;
    for (int n = 0; n < 2 * heaps; ++n) {
        int bouncing = n & 1, count = bouncing ? 4 : 6, steps = bouncing ? 800 : 600;
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutRng rng = abut_rng(71, (uint64_t)n);
        AbutPolyhedron *hull;
        AbutMesh mesh;
        AbutShapeDef shape = mesh_shape("statue", 1000, 0.06, &hull, &mesh);
        double start = 0.0, most = -INFINITY, deepest = 0.0, end = 0.0;
        shape.material.friction = bouncing ? 0.0 : 0.5;
        shape.material.restitution = bouncing;
        add_ground(scene, abut_quat_identity(), bouncing ? 0.0 : 0.5);
        for (int i = 0; i < count; ++i) {
            throw_box(scene, dropped(&rng, 0.05, 0.08 + 0.13 * i), abut_zero(), abut_zero(), &shape);
        }
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
        World world = world_of(scene, &def);
        for (int i = 0; i < steps; ++i) {
            AbutStepReport report = world_step(&world, DT);
            end = report.kinetic + report.potential;
            if (i == 0) start = end;
            most = abut_larger(most, end);
            deepest = abut_larger(deepest, report.max_depth);
        }
        if (!(deepest < 5e-4)) fail_msg("heap %d: %g m deep", n, deepest);
        if (!(most <= start * (bouncing ? 1.002 : 1.0 + 1e-12)))
            fail_msg("heap %d: %g J at the start, %g J later", n, start, most);
        if (bouncing && !(end > 0.998 * start)) fail_msg("heap %d: %g J at the start, %g J at the end", n, start, end);
        world_free(&world);
    }
}

/* The force of all contacts on the ground, which is the first body. */
static double ground_force(const World *world) {
    double sum = 0.0;
    for (int k = 0; k < abut_simulation_contact_count(world->sim); ++k) {
        AbutContact c;
        CHECK(abut_simulation_get_contact(world->sim, k, &c));
        sum += c.body_a.index1 == 1 ? c.force.z : c.body_b.index1 == 1 ? -c.force.z : 0.0;
    }
    return sum;
}

/* Piles without restitution: their energy never rises above that of the start; one of them is watched until it rests,
 * with a steady force and hardly any overlap. */
static void piles_gain_nothing_and_rest(void **state) {
    enum { COUNT = 5, FALLS = 500, RESTS = 3000, LAST = 300 };
    int piles = 2 + check_cases(20);
    (void)state;
    for (int n = 0; n < piles; ++n) {
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutRng rng = abut_rng(72, (uint64_t)n);
        AbutPolyhedron *hull;
        AbutMesh mesh;
        AbutShapeDef shape = mesh_shape(n % 2 ? "statue" : "cross", 300, 0.05, &hull, &mesh);
        double start = 0.0, deepest = 0.0, force = 0.0, square = 0.0, weight = 0.0;
        shape.material.friction = 0.5;
        add_ground(scene, abut_quat_identity(), 0.5);
        for (int i = 0; i < COUNT; ++i) {
            throw_box(scene, dropped(&rng, 0.05, 0.07 + 0.11 * i), abut_zero(), abut_zero(), &shape);
        }
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
        World world = world_of(scene, &def);
        for (int i = 0; i < (n > 1 ? FALLS : RESTS); ++i) {
            AbutStepReport report = world_step(&world, DT);
            if (i == 0) start = report.kinetic + report.potential;
            if (!(report.kinetic + report.potential <= start * (1.0 + 1e-12)))
                fail_msg(
                    "pile %d: %g J at the start, %g J more later", n, start, report.kinetic + report.potential - start);
            if (i < RESTS - LAST) continue;
            deepest = abut_larger(deepest, report.max_depth);
            force += ground_force(&world) / LAST, square += ground_force(&world) * ground_force(&world) / LAST;
        }
        for (int i = 0; i < COUNT; ++i) weight += body_of(&world, abut_scene_body_at(scene, 1 + i)).mass * GRAVITY;
        if (n < 2) {
            double spread = sqrt(abut_larger(0.0, square - force * force)) / force;
            if (!(deepest < 1e-5 && spread < 1e-3))
                fail_msg("pile %d: %g m deep, force varies by %g", n, deepest, spread);
            CHECK_NEAR(force, weight, 1e-3 * weight);
        }
        world_free(&world);
    }
}

/* Bodies that fall from a meter spin fast when they meet: none hangs where it was stopped and sinks from there. */
static void fast_spins_end_shallow(void **state) {
    int heaps = 1 + check_cases(5);
    (void)state;
    for (int n = 0; n < heaps; ++n) {
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutRng rng = abut_rng(73, (uint64_t)n);
        AbutPolyhedron *hull;
        AbutMesh mesh;
        AbutShapeDef shape = mesh_shape("statue", 2000, 0.05, &hull, &mesh);
        double deepest = 0.0;
        shape.material.friction = 0.5;
        add_ground(scene, abut_quat_identity(), 0.5);
        for (int i = 0; i < 10; ++i) {
            throw_box(scene, dropped(&rng, 0.04, 0.07 + 0.11 * i), abut_zero(), abut_zero(), &shape);
        }
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
        World world = world_of(scene, &def);
        for (int i = 0; i < 500; ++i) deepest = abut_larger(deepest, world_step(&world, DT).max_depth);
        if (!(deepest < 5e-4)) fail_msg("heap %d: %g m deep", n, deepest);
        world_free(&world);
    }
}

/* ---- deep starts ------------------------------------------------------------------------------------------------- */

/* Two bodies that begin in each other, free of gravity: they part slowly, whatever their forms. */
static void deep_starts_part_without_a_blow(void **state) {
    static const char *const kinds[] = {"statue", "torus", "cross", "box"};
    int cases = 4 + check_cases(8), deep = 0;
    (void)state;
    for (int i = 0; i < cases; ++i) {
        AbutSimulationDef def = awake();
        AbutScene *scene = new_scene();
        AbutBodyId id[2];
        def.gravity = abut_zero();
        for (int k = 0; k < 2; ++k) {
            AbutPolyhedron *hull;
            AbutMesh mesh;
            AbutShapeDef shape = mesh_shape(kinds[(i + k * (1 + i / 4)) % 4], 300, 0.05, &hull, &mesh);
            AbutPose pose = abut_pose(abut_vec3(0.03 * k * sin(i), 0.03 * k * cos(i), 0.01 * k),
                abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, i, 2.0 * k)), 0.7 * i + k));
            id[k] = throw_box(scene, pose, abut_zero(), abut_zero(), &shape);
            abut_polyhedron_free(hull);
            abut_mesh_free(&mesh);
        }
        World world = world_of(scene, &def);
        AbutStepReport report = world_step(&world, DT);
        deep += report.max_depth > 0.05 * 0.05;
        for (int n = 0; n < 1000; ++n) {
            report = world_step(&world, DT);
            for (int k = 0; k < 2; ++k) CHECK(abut_length(body_of(&world, id[k]).velocity) < 0.5);
        }
        if (!(report.max_depth < 1e-5)) fail_msg("case %d is %g deep after a second", i, report.max_depth);
        world_free(&world);
    }
    CHECK(deep >= cases / 2);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static void bits_do_not_depend_on_threads_or_restoring(void **state) {
    static const char *const scenes[] = {"rings:3", "chain:4", "mugs:3", "peg"};
    (void)state;
    for (int s = 0; s < 4; ++s) {
        AbutSimulationDef def = awake();
        World one = world_from(scenes[s], 1, &def);
        def.threads = 3;
        World three = world_from(scenes[s], 1, &def), restored = world_from(scenes[s], 1, &def);
        world_run(&one, DT, 250);
        world_run(&three, DT, 250);
        CHECK(abut_simulation_hash(one.sim) == abut_simulation_hash(three.sim));
        CHECK(abut_simulation_contact_count(one.sim) > 0);
        size_t bytes = abut_simulation_state_size(one.sim);
        void *saved = malloc(bytes);
        AbutError error;
        abut_simulation_save(one.sim, saved);
        world_run(&restored, DT, 30);
        good(abut_simulation_restore(restored.sim, saved, bytes, &error), &error);
        world_run(&one, DT, 60);
        world_run(&restored, DT, 60);
        CHECK(abut_simulation_hash(one.sim) == abut_simulation_hash(restored.sim));
        free(saved);
        world_free(&one);
        world_free(&three);
        world_free(&restored);
    }
}

/* ---- events, settings, memory ------------------------------------------------------------------------------------ */

static int count_events(const World *world, AbutEventKind kind) {
    int count, found = 0;
    const AbutEvent *event = abut_simulation_events(world->sim, &count);
    for (int i = 0; i < count; ++i) found += event[i].kind == kind;
    return found;
}

/* A pair has several contacts, begins when the first of them touches and ends with the last. */
static void pairs_begin_and_end_once(void **state) {
    AbutSimulationDef def = awake();
    AbutScene *scene = new_scene();
    AbutError error;
    add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId box = add_mesh_box(scene, ABUT_BODY_DYNAMIC, at(0.0, 0.0, 0.0501), abut_vec3(0.1, 0.1, 0.1), 12, 0.5);
    World world = world_of(scene, &def);
    int begun = 0, ended = 0;
    for (int i = 0; i < 100; ++i) {
        world_step(&world, DT);
        begun += count_events(&world, ABUT_EVENT_BEGIN);
        ended += count_events(&world, ABUT_EVENT_END);
        if (i == 50) good(abut_scene_set_velocity(scene, box, abut_axis(2), abut_zero(), &error), &error);
    }
    (void)state;
    CHECK(begun == 1 && ended == 1);
    world_free(&world);
    world = world_from("peg", 1, &def);
    begun = 0;
    int most = 0;
    for (int i = 0; i < 200; ++i) {
        world_step(&world, DT);
        begun += count_events(&world, ABUT_EVENT_BEGIN);
        begun -= count_events(&world, ABUT_EVENT_END);
        int count = abut_simulation_contact_count(world.sim);
        most = count > most ? count : most;
        CHECK(begun >= 0 && begun <= 2); /* two pairs */
    }
    CHECK(most > 2);
    world_free(&world);
}

/* Without features the same shapes touch as their hulls; both ways in one run. */
static void features_can_be_switched(void **state) {
    AbutSimulationDef def = awake();
    World world = world_from("peg", 1, &def);
    AbutError error;
    (void)state;
    world_run(&world, DT, 20);
    for (int i = 0; i < 6; ++i) {
        def.features = i & 1;
        good(abut_simulation_set_settings(world.sim, &def, &error), &error);
        world_run(&world, DT, 10);
        CHECK(abut_simulation_contact_count(world.sim) >= 0);
    }
    world_free(&world);
    def.features = 0;
    world = world_from("peg", 1, &def);
    world_run(&world, DT, 300);
    CHECK(body_named(&world, "peg").pose.p.z > 60e-3); /* on the hull of the hole */
    def.features = 2;
    CHECK(abut_simulation_set_settings(world.sim, &def, &error) != ABUT_OK && strstr(error.text, "features"));
    world_free(&world);
}

static AbutStatus few_steps(void) {
    AbutSimulationDef def = awake();
    AbutScene *scene = NULL;
    AbutSimulation *sim = NULL;
    AbutStatus status = abut_scene_create(&scene, NULL);
    if (status == ABUT_OK) status = abut_scene_build(scene, "chain:2", 1, NULL);
    if (status == ABUT_OK) status = abut_simulation_create(scene, &def, &sim, NULL);
    for (int i = 0; i < 3 && status == ABUT_OK; ++i) status = abut_simulation_step(sim, DT, NULL, NULL);
    abut_simulation_free(sim);
    abut_scene_free(scene);
    return status;
}

static void failures_of_memory_are_reported(void **state) {
    (void)state;
    CHECK(check_memory_failures("steps with meshes", few_steps) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nut_locks_where_friction_holds_it),
        cmocka_unit_test(tight_nut_stands_still),
        cmocka_unit_test(nut_runs_down_its_thread),
        cmocka_unit_test(peg_goes_into_its_hole),
        cmocka_unit_test(gears_keep_their_ratio),
        cmocka_unit_test(peg_leans_as_far_as_its_hole_lets_it),
        cmocka_unit_test(gears_have_their_backlash),
        cmocka_unit_test(chain_carries_its_weight),
        cmocka_unit_test(inner_edges_do_not_brake),
        cmocka_unit_test(small_noise_takes_no_speed),
        cmocka_unit_test(round_bodies_roll_over_triangles),
        cmocka_unit_test(towers_stand_on_flush_faces),
        cmocka_unit_test(fast_bodies_do_not_pass_a_sheet),
        cmocka_unit_test(meshes_land_on_hills),
        cmocka_unit_test(heaps_stay_shallow_and_gain_nothing),
        cmocka_unit_test(piles_gain_nothing_and_rest),
        cmocka_unit_test(fast_spins_end_shallow),
        cmocka_unit_test(deep_starts_part_without_a_blow),
        cmocka_unit_test(bits_do_not_depend_on_threads_or_restoring),
        cmocka_unit_test(pairs_begin_and_end_once),
        cmocka_unit_test(features_can_be_switched),
        cmocka_unit_test(failures_of_memory_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
