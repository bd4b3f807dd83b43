/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts. Rays against every convex kind: the entry point lies on the body and nothing before it does, by distances and
 * by samples of the ray; known answers, grazing, starts inside, meshes, sets with filters, batches, moved shapes that
 * are never late.
 */
#include "abut/solid.h"
#include "solid/cast.h"
#include "support/casts.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/random_bodies.h"

#include <string.h>

enum { KINDS = 10 };

static AbutConvex body_of(AbutRng *rng, int kind, const AbutPolyhedron *hull, double radius) {
    AbutVec3 p[3],
        s = abut_vec3(abut_rng_between(rng, 0.2, 1), abut_rng_between(rng, 0.2, 1), abut_rng_between(rng, 0.2, 1));
    for (int i = 0; i < 3; ++i) p[i] = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.2, 1));
    AbutPlane plane = {abut_random_direction(rng), abut_rng_between(rng, -1, 1)};
    switch (kind) {
    case 0:
        return abut_convex_point(p[0], radius + 0.2);
    case 1:
        return abut_convex_segment(p[0], p[1], radius + 0.2);
    case 2:
        return abut_convex_triangle(p[0], p[1], p[2], radius + 0.05);
    case 3:
        return abut_convex_box(s, radius);
    case 4:
        return abut_convex_polyhedron(hull, radius);
    case 5:
        return abut_convex_cylinder(s.x, s.y, radius);
    case 6:
        return abut_convex_cone(s.x, s.y, radius);
    case 7:
        return abut_convex_ellipsoid(s, radius);
    case 8:
        return abut_convex_half_space(plane, radius);
    default:
        return abut_convex_plane(plane, radius + 0.1);
    }
}

static double distance_at(const AbutPlaced *body, AbutVec3 p) {
    AbutConvex dot = abut_convex_point(p, 0);
    return abut_gap_in(body->pose,
        abut_convex_distance(body->solid.convex, &dot, abut_pose_between(body->pose, abut_pose_identity()), NULL, NULL))
        .distance;
}

/* Samples of the ray up to `end` stay outside. */
static void stays_outside(const AbutPlaced *body, AbutRay ray, double end) {
    for (int i = 0; i < 20; ++i) CHECK(distance_at(body, abut_add_scaled(ray.origin, ray.way, end * i / 20.0)) > -1e-9);
}

static void check_ray(const AbutPlaced *body, AbutRay ray, int count[2]) {
    AbutCastHit h = abut_ray(body, ray);
    assert_true(h.outcome != ABUT_IMPACT_INVALID && h.outcome != ABUT_IMPACT_UNDECIDED);
    CHECK(0 <= h.t_lo && h.t_lo <= h.t && h.t <= h.t_hi && h.t_hi <= 1);
    if (h.outcome == ABUT_IMPACT_AT_START) {
        CHECK(distance_at(body, ray.origin) <= 1e-9);
        return;
    }
    if (h.outcome == ABUT_IMPACT_NONE) {
        stays_outside(body, ray, 1);
        ++count[0];
        return;
    }
    ++count[1];
    CHECK_VEC_NEAR(h.point, abut_add_scaled(ray.origin, ray.way, h.t), 1e-12);
    CHECK_NEAR(distance_at(body, h.point), 0, 1e-9);
    CHECK_NEAR(abut_length(h.normal), 1, 1e-12);
    CHECK(abut_dot(h.normal, ray.way) <= 1e-9);
    CHECK_NEAR(distance_at(body, abut_add_scaled(h.point, h.normal, 1e-3)), 1e-3, 1e-6); /* outward, at right angles */
    stays_outside(body, ray, h.t_lo);
    CHECK(h.outcome == ABUT_IMPACT_GRAZING || distance_at(body, abut_add_scaled(ray.origin, ray.way, h.t_hi)) < 1e-9);
}

static void rays_against_every_kind(void **state) {
    (void)state;
    AbutRng rng = abut_rng(81, 1);
    AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
    int count[2] = {0}, cases = check_cases(20000);
    for (int i = 0; i < cases; ++i) {
        AbutConvex convex = body_of(&rng, i % KINDS, hull, i / KINDS % 4 == 0 ? abut_rng_between(&rng, 0.05, 0.3) : 0);
        AbutPlaced body = {abut_solid_convex(&convex), random_pose(&rng, 2)};
        AbutVec3 from = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 6));
        AbutVec3 to = abut_add_scaled(body.pose.p, abut_random_direction(&rng), abut_rng_between(&rng, 0, 1.2));
        AbutRay ray = {from, abut_scale(abut_sub(to, from), abut_rng_between(&rng, 0.3, 2))};
        check_ray(&body, ray, count);
    }
    CHECK(count[0] > cases / 10 && count[1] > cases / 4);
    abut_polyhedron_free(hull);
}

static void known_answers(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(1, 2, 3), 0), ball = abut_convex_point(abut_zero(), 1),
               cone = abut_convex_cone(1, 1, 0), sheet = abut_convex_plane((AbutPlane){{0, 0, 1}, 2}, 0);
    AbutPlaced b = {abut_solid_convex(&box), abut_pose(abut_vec3(5, 0, 0), abut_quat_identity())};
    AbutCastHit h = abut_ray(&b, (AbutRay){{0, 0, 0}, {8, 0, 0}});
    assert_int_equal(h.outcome, ABUT_IMPACT_HIT);
    CHECK_NEAR(h.t, 0.5, 1e-15);
    assert_int_equal(h.feature, 0); /* -x */
    CHECK_VEC_NEAR(h.normal, abut_vec3(-1, 0, 0), 0);
    assert_int_equal(abut_ray(&b, (AbutRay){{0, 0, 0}, {3.9, 0, 0}}).outcome, ABUT_IMPACT_NONE);
    assert_int_equal(abut_ray(&b, (AbutRay){{5, 1, 2}, {0, 0, 9}}).outcome, ABUT_IMPACT_AT_START);
    assert_int_equal(abut_ray(&b, (AbutRay){{5, 1, 2}, {0, 0, 0}}).outcome, ABUT_IMPACT_AT_START);
    assert_int_equal(abut_ray(&b, (AbutRay){{0, 2, 0}, {9, 0, 0}}).outcome, ABUT_IMPACT_GRAZING);
    b = (AbutPlaced){abut_solid_convex(&ball), abut_pose_identity()};
    assert_int_equal(abut_ray(&b, (AbutRay){{-3, 1, 0}, {6, 0, 0}}).outcome, ABUT_IMPACT_GRAZING);
    assert_int_equal(abut_ray(&b, (AbutRay){{-3, 1.001, 0}, {6, 0, 0}}).outcome, ABUT_IMPACT_NONE);
    h = abut_ray(&b, (AbutRay){{-1e6, 0.6, 0}, {2e6, 0, 0}});
    CHECK_NEAR(h.point.x, -0.8, 1e-9);
    b.solid = abut_solid_convex(
        &cone); /* through the base, down onto the apex, and past the apex through the mirror image only */
    h = abut_ray(&b, (AbutRay){{0.2, 0, -3}, {0, 0, 4}});
    CHECK_NEAR(h.t, 0.5, 1e-15);
    CHECK_VEC_NEAR(h.normal, abut_vec3(0, 0, -1), 0);
    CHECK_NEAR(abut_ray(&b, (AbutRay){{0, 0, 3}, {0, 0, -4}}).t, 0.5, 1e-12);
    assert_int_equal(abut_ray(&b, (AbutRay){{-3, 0, 1.5}, {6, 0, 0}}).outcome, ABUT_IMPACT_NONE);
    b.solid = abut_solid_convex(&sheet); /* from both sides */
    h = abut_ray(&b, (AbutRay){{0, 0, 0}, {0, 0, 4}});
    assert_true(h.outcome == ABUT_IMPACT_HIT && h.t == 0.5 && h.normal.z == -1);
    h = abut_ray(&b, (AbutRay){{0, 0, 4}, {0, 0, -4}});
    assert_true(h.outcome == ABUT_IMPACT_HIT && h.t == 0.5 && h.normal.z == 1);
}

/* Above zero outside the cone of radius and half height 1, in long double. */
static long double outside_cone(AbutRay r, double t) {
    long double x = r.origin.x + (long double)t * r.way.x, y = r.origin.y + (long double)t * r.way.y,
                z = r.origin.z + (long double)t * r.way.z;
    return fmaxl(fmaxl(z - 1.0L, -z - 1.0L), sqrtl(x * x + y * y) - 0.5L * (1.0L - z));
}

/* A ray from as far as 1e9 hits a cone within the rounding of its coordinates. */
static void cone_from_far_away(void **state) {
    (void)state;
    AbutConvex cone = abut_convex_cone(1, 1, 0);
    AbutPlaced b = {abut_solid_convex(&cone), abut_pose_identity()};
    AbutRng rng = abut_rng(83, 1);
    for (int i = 0; i < check_cases(20000); ++i) {
        double far = pow(10.0, abut_rng_between(&rng, 0.5, 9));
        AbutVec3 inside = abut_vec3(
            abut_rng_between(&rng, -0.2, 0.2), abut_rng_between(&rng, -0.2, 0.2), abut_rng_between(&rng, -0.8, 0.2));
        AbutVec3 way = abut_scale(abut_random_direction(&rng), far);
        AbutRay ray = {abut_sub(inside, way), abut_scale(way, 2.0)};
        AbutCastHit h = abut_ray(&b, ray);
        assert_int_equal(h.outcome, ABUT_IMPACT_HIT);
        CHECK_NEAR((double)outside_cone(ray, h.t), 0, 1e-15 * far + 1e-14);
        CHECK(outside_cone(ray, h.t_lo) > 0.0L && outside_cone(ray, h.t_hi) < 0.0L);
    }
}

/* Bodies without thickness pass through a sheet between two instants: that is a hit all the same. */
static void through_a_sheet(void **state) {
    (void)state;
    AbutConvex sheet = abut_convex_plane((AbutPlane){{0, 0, 1}, 0}, 0), dot = abut_convex_point(abut_zero(), 0),
               above = abut_convex_plane((AbutPlane){{0, 0, 1}, 5}, 0),
               turned = abut_convex_plane((AbutPlane){{0, 0, -1}, -5}, 0);
    const AbutConvex *moved[3] = {&above, &turned, &dot};
    AbutPlaced a = {abut_solid_convex(&sheet), abut_pose_identity()};
    for (int k = 0; k < 3; ++k) {
        AbutPlaced b = {abut_solid_convex(moved[k]), abut_pose(abut_vec3(0, 0, k == 2 ? 5 : 0), abut_quat_identity())};
        AbutCastHit h = abut_cast_moved(&a, &b, abut_vec3(0.3, 0, -10), 0);
        assert_int_equal(h.outcome, ABUT_IMPACT_HIT);
        CHECK(h.t_lo <= 0.5 && h.t_hi >= 0.5 && h.t_hi - h.t_lo < 1e-6);
        h = abut_cast_moved(&b, &a, abut_vec3(0.3, 0, 10), 0);
        assert_int_equal(h.outcome, ABUT_IMPACT_HIT);
        assert_int_equal(abut_cast_moved(&a, &b, abut_vec3(0.3, 0, -4.9), 0).outcome, ABUT_IMPACT_NONE);
    }
}

static void bad_numbers(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(1, 2, 3), 0), bad = abut_convex_cylinder(-1, 1, 0);
    AbutPlaced b = {abut_solid_convex(&box), abut_pose_identity()},
               worse = {abut_solid_convex(&bad), abut_pose_identity()};
    AbutCastHit hit = abut_ray(&b, (AbutRay){{NAN, 0, 0}, {8, 0, 0}});
    assert_true(hit.outcome == ABUT_IMPACT_INVALID && isnan(hit.t) && isnan(hit.t_hi) && isnan(hit.point.y));
    assert_int_equal(abut_ray(&b, (AbutRay){{0, 0, 0}, {INFINITY, 0, 0}}).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_ray(&worse, (AbutRay){{0, 0, 5}, {0, 0, -9}}).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_nearest_point(&worse, abut_zero()).body, -1);
    AbutNearestPoint near = abut_nearest_point(&b, abut_vec3(NAN, 0, 0));
    assert_true(near.body == -1 && isnan(near.distance) && isnan(near.point.x));
    AbutPlaced both[2] = {b, worse};
    AbutBodySet set = {2, both, NULL, NULL, NULL};
    assert_int_equal(first_ray(&set, (AbutRay){{0, 0, 5}, {0, 0, -9}}).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(all_rays(&set, (AbutRay){{0, 0, 5}, {0, 0, -9}}, 0, NULL), -1);
}

static AbutMeshTree *box_mesh(void) {
    AbutPolyhedron *hull;
    AbutMesh mesh;
    AbutMeshTree *tree;
    AbutError error;
    good(abut_polyhedron_box(abut_vec3(1, 1, 1), &hull, &error), &error);
    good(abut_polyhedron_to_mesh(hull, &mesh, &error), &error);
    good(abut_mesh_tree_create(&mesh, 0, &tree, &error), &error);
    abut_mesh_free(&mesh);
    abut_polyhedron_free(hull);
    return tree;
}

/* A ray from a point of the surface begins in contact, whichever way it goes: no normal, nothing beyond. */
static void begins_on_surface(AbutRng *rng, const AbutPlaced *body, AbutVec3 point) {
    for (int i = 0; i < 4; ++i) {
        AbutVec3 way = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.1, 10));
        AbutCastHit h = abut_ray(body, (AbutRay){point, i < 3 ? way : abut_zero()});
        assert_int_equal(h.outcome, ABUT_IMPACT_AT_START);
        assert_true(h.t == 0 && h.t_lo == 0 && h.t_hi == 0 && h.body == 0);
        CHECK_VEC_NEAR(h.normal, abut_zero(), 0);
        CHECK_VEC_NEAR(h.point, point, 0);
    }
}

static void surfaces_are_starts(void **state) {
    (void)state;
    AbutRng rng = abut_rng(83, 1);
    AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
    AbutMeshTree *mesh = box_mesh();
    int found = 0, cases = check_cases(20000);
    for (int i = 0; i < cases; ++i) {
        int kind = i % (KINDS + 1);
        AbutConvex convex = body_of(&rng, kind, hull, 0);
        AbutPlaced body = {abut_solid_convex(&convex), random_pose(&rng, 2)};
        if (kind == KINDS) body.solid = abut_solid_mesh(mesh);
        AbutVec3 from = abut_scale(abut_random_direction(&rng), 6);
        AbutVec3 to = abut_add_scaled(body.pose.p, abut_random_direction(&rng), abut_rng_between(&rng, 0, 0.2));
        AbutCastHit h = abut_ray(&body, (AbutRay){from, abut_sub(to, from)});
        if (h.outcome != ABUT_IMPACT_HIT || kind == 2) /* a triangle with a radius is met to its tolerance alone */
            continue;
        ++found;
        begins_on_surface(&rng, &body, h.point);
    }
    CHECK(found > cases / 2);
    abut_mesh_tree_free(mesh);
    abut_polyhedron_free(hull);
}

/* Points of faces, edges and vertices as rounding leaves them, of a hull, a mesh and pieces. Around a corner, an edge
 * or a face at the frame's origin points have small coordinates, and are no better than those of the corners all the
 * same.
 */
static void rounded_points_are_on_surfaces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(84, 1);
    for (int i = 0; i < check_cases(150); ++i) {
        AbutPolyhedron *hull = random_hull(&rng, 12, abut_vec3(1, 1, 1)), *moved;
        AbutVec3 corner[12], middle = abut_zero();
        AbutMesh mesh;
        AbutMeshTree *tree;
        AbutError error;
        double size = pow(10, abut_rng_between(&rng, -3, 3));
        good(abut_polyhedron_to_mesh(hull, &mesh, &error), &error);
        for (int k = 0; k <= i % 3; ++k)
            middle = abut_add_scaled(middle, mesh.vertices[mesh.triangles[0].v[k]], 1.0 / (1 + i % 3));
        for (int k = 0; k < mesh.vertex_count; ++k)
            corner[k] = abut_scale(abut_sub(mesh.vertices[k], i % 4 ? middle : abut_zero()), size);
        abut_mesh_free(&mesh);
        good(abut_polyhedron_from_points(corner, hull->vertex_count, NULL, &moved, &error), &error);
        good(abut_polyhedron_to_mesh(moved, &mesh, &error), &error);
        good(abut_mesh_tree_create(&mesh, 0, &tree, &error), &error);
        AbutConvex convex = abut_convex_polyhedron(moved, 0);
        AbutPieces pieces = {.count = 1, .piece = &moved};
        AbutPose pose = random_pose(&rng, i % 5 ? 0 : size);
        AbutPlaced body[3] = {
            {abut_solid_convex(&convex), pose}, {abut_solid_mesh(tree), pose}, {abut_solid_pieces(&pieces), pose}};
        for (int t = 0; t < mesh.triangle_count; ++t)
            for (int k = 1; k <= 3; ++k) {
                AbutVec3 p = abut_zero();
                for (int c = 0; c < k; ++c) p = abut_add_scaled(p, mesh.vertices[mesh.triangles[t].v[c]], 1.0 / k);
                for (int b = 0; b < 3; ++b) begins_on_surface(&rng, &body[b], abut_pose_apply(pose, p));
            }
        abut_mesh_tree_free(tree);
        abut_mesh_free(&mesh);
        abut_polyhedron_free(moved);
        abut_polyhedron_free(hull);
    }
}

static int odd_only(int32_t body, void *user) {
    ++*(int *)user;
    return body % 2;
}

/* A row of boxes, every other a mesh: first hit, all hits, filter, batch. */
static void sets_and_batches(void **state) {
    (void)state;
    enum { COUNT = 6, RAYS = 40 };
    AbutMeshTree *mesh = box_mesh();
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0);
    AbutPlaced row[COUNT];
    int asked = 0;
    for (int i = 0; i < COUNT; ++i)
        row[i] = (AbutPlaced){i % 2 ? abut_solid_mesh(mesh) : abut_solid_convex(&box),
            abut_pose(abut_vec3(20 - 3.0 * i, 0, 0), abut_quat_identity())};
    AbutBodySet set = {COUNT, row, NULL, NULL, NULL}, odd = {COUNT, row, odd_only, &asked, NULL};
    AbutRay ray = {{0, 0.25, 0.125}, {30, 0, 0}};
    AbutCastHit h = first_ray(&set, ray), all[COUNT];
    assert_int_equal(h.body, 5);
    CHECK_NEAR(h.point.x, 4, 1e-12);
    assert_int_equal(all_rays(&set, ray, COUNT, all), COUNT);
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(all[i].body, COUNT - 1 - i);
        CHECK_NEAR(all[i].point.x, 4 + 3 * i, 1e-12);
    }
    memset(all, 0, sizeof all);
    assert_int_equal(all_rays(&set, ray, 2, all), COUNT);
    assert_true(all[0].body == 5 && all[1].body == 4);
    assert_int_equal(all_rays(&odd, ray, COUNT, all), 3);
    assert_int_equal(asked, COUNT);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.5);
    AbutPlaced moved = {abut_solid_convex(&ball), abut_pose(ray.origin, abut_quat_identity())};
    memset(all, 0, sizeof all);
    assert_int_equal(all_casts(&set, &moved, ray.way, 1e-6, COUNT, all), COUNT);
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(all[i].body, COUNT - 1 - i);
        CHECK_NEAR(30 * all[i].t, 3.5 + 3 * i, 1e-5);
    }
    assert_int_equal(first_cast(&set, &moved, ray.way, 1e-6).body, all[0].body);
    AbutNearestPoint near = nearest_of_set(&set, abut_vec3(3.5, 0, 0));
    assert_true(near.body == 5 && near.feature >= 0);
    CHECK_NEAR(near.distance, 0.5, 1e-12);
    near = nearest_of_set(&set, abut_vec3(5, 0, 0.25));
    CHECK_NEAR(near.distance, -0.75, 1e-12);
    CHECK_VEC_NEAR(near.normal, abut_axis(2), 1e-12);
    AbutCast query[RAYS];
    AbutVec3 origin[RAYS];
    AbutCastHit one[RAYS], two[RAYS];
    AbutRng rng = abut_rng(82, 1);
    for (int i = 0; i < RAYS; ++i)
        query[i] = (AbutCast){{abut_zero(), abut_add(ray.way, abut_random_direction(&rng))}, i % 4 ? NULL : &row[0], 0};
    for (int i = 0; i < RAYS; ++i) {
        origin[i] = query[i].ray.origin;
        if (query[i].moved) query[i].ray.way = abut_vec3(0, 0, -3);
    }
    abut_cast_batch(&set, RAYS, query, one, 1);
    abut_cast_batch(&set, RAYS, query, two, 3);
    for (int i = 0; i < RAYS; ++i)
        assert_true(one[i].t == two[i].t && one[i].body == two[i].body && one[i].outcome == two[i].outcome);
    AbutNearestPoint points[RAYS];
    abut_nearest_point_batch(&set, RAYS, origin, points, 2);
    CHECK_NEAR(points[3].distance, 4, 1e-12);
    abut_mesh_tree_free(mesh);
}

/* Moved shapes: free until t_lo, in contact at t_hi, for convex pairs and meshes. */
static void shapes_are_never_late(void **state) {
    (void)state;
    AbutRng rng = abut_rng(83, 1);
    AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
    AbutMeshTree *mesh = box_mesh();
    int hits = 0, cases = check_cases(500);
    for (int i = 0; i < cases; ++i) {
        AbutConvex a = body_of(&rng, i % 9, hull, 0), b = body_of(&rng, i / 9 % 8, hull, 0);
        AbutPlaced body = {abut_solid_convex(&a), random_pose(&rng, 1)},
                   moved = {abut_solid_convex(&b), random_pose(&rng, 4)};
        if (i % 10 == 9) body.solid = abut_solid_mesh(mesh);
        AbutVec3 way = abut_scale(abut_sub(body.pose.p, moved.pose.p), 1.5);
        AbutCastHit h = abut_cast_moved(&body, &moved, way, 1e-7);
        assert_true(h.outcome != ABUT_IMPACT_INVALID);
        if (h.outcome != ABUT_IMPACT_HIT || body.solid.kind == ABUT_SOLID_MESH) continue;
        ++hits;
        for (int k = 0; k <= 10; ++k) {
            AbutPose at = abut_pose(abut_add_scaled(moved.pose.p, way, h.t_lo * k / 10.0), moved.pose.q);
            AbutGap d =
                abut_gap_in(body.pose, abut_convex_distance(&a, &b, abut_pose_between(body.pose, at), NULL, NULL));
            CHECK(d.distance > 0);
        }
        AbutPose at = abut_pose(abut_add_scaled(moved.pose.p, way, h.t_hi), moved.pose.q);
        CHECK(abut_convex_meet(&a, &b, abut_pose_between(body.pose, at), NULL) == 1);
        CHECK(h.t_hi - h.t_lo < 1e-3 && abut_dot(h.normal, way) < 0);
    }
    CHECK(hits > cases / 3);
    AbutPlaced fixed = {abut_solid_mesh(mesh), abut_pose_identity()},
               other = {abut_solid_mesh(mesh), abut_pose(abut_vec3(4, 0.5, 0.5), abut_quat_identity())};
    AbutCastHit h = abut_cast_moved(&fixed, &other, abut_vec3(-4, 0, 0), 1e-9);
    assert_int_equal(h.outcome, ABUT_IMPACT_HIT);
    CHECK_NEAR(h.t, 0.5, 1e-6);
    abut_mesh_tree_free(mesh);
    abut_polyhedron_free(hull);
}

enum { MANY = 300 };

/* Bodies of all kinds and some meshes, scattered; few half-spaces, or nothing else would be met. */
typedef struct Crowd {
    AbutPolyhedron *hull;
    AbutMeshTree *mesh;
    AbutConvex convex[MANY];
    AbutPlaced body[MANY];
} Crowd;

static void scatter(AbutRng *rng, Crowd *c) {
    c->hull = random_hull(rng, 20, abut_vec3(0.4, 0.6, 0.8));
    c->mesh = box_mesh();
    for (int i = 0; i < MANY; ++i) {
        int kind = i % 10 < 8 || i > MANY / 2 + 5 || i < MANY / 2 ? i % 8 : i % 10;
        c->convex[i] = body_of(rng, kind, c->hull, i % 3 ? 0 : 0.1);
        c->body[i] = (AbutPlaced){abut_solid_convex(&c->convex[i]), random_pose(rng, 12)};
        if (kind >= 8) /* far below everything but some */
            c->body[i].pose.p = abut_vec3(0, 0, -14);
        if (i % 11 == 0) c->body[i] = (AbutPlaced){abut_solid_mesh(c->mesh), c->body[i].pose};
        if (i % 23 == 22) /* two at one place */
            c->body[i] = c->body[i - 1];
    }
}

static void same_hit(AbutCastHit a, AbutCastHit b) {
    assert_true(a.outcome == b.outcome && a.body == b.body && a.feature == b.feature);
    assert_true(a.t == b.t && a.t_lo == b.t_lo && a.t_hi == b.t_hi);
    CHECK_VEC_NEAR(a.point, b.point, 0);
    CHECK_VEC_NEAR(a.normal, b.normal, 0);
}

static void same_answers(const AbutBodySet *plain, const AbutBodySet *with_tree, AbutRay ray, const AbutPlaced *moved) {
    static AbutCastHit one[MANY], two[MANY];
    same_hit(first_ray(plain, ray), first_ray(with_tree, ray));
    same_hit(first_cast(plain, moved, ray.way, 0), first_cast(with_tree, moved, ray.way, 0));
    int32_t count = all_rays(plain, ray, MANY, one);
    assert_int_equal(all_rays(with_tree, ray, MANY, two), count);
    for (int32_t i = 0; i < count; ++i) same_hit(one[i], two[i]);
    count = all_casts(plain, moved, ray.way, 1e-3, MANY, one);
    assert_int_equal(all_casts(with_tree, moved, ray.way, 1e-3, MANY, two), count);
    for (int32_t i = 0; i < count; ++i) same_hit(one[i], two[i]);
    AbutNearestPoint a = nearest_of_set(plain, ray.origin), b = nearest_of_set(with_tree, ray.origin);
    assert_true(a.body == b.body && a.distance == b.distance && a.feature == b.feature);
}

/* A tree changes no answer, only how many bodies are asked. */
static void trees_change_no_answer(void **state) {
    (void)state;
    static Crowd c;
    AbutRng rng = abut_rng(88, 1);
    AbutError error;
    AbutBodyTree *tree;
    int asked = 0, rays = 0;
    scatter(&rng, &c);
    good(abut_body_tree_create(MANY, c.body, &tree, &error), &error);
    AbutBodySet plain = {MANY, c.body, NULL, NULL, NULL}, with_tree = {MANY, c.body, NULL, NULL, tree};
    AbutBodySet counting = {MANY, c.body, odd_only, &asked, tree};
    for (int i = 0; i < check_cases(500); ++i) {
        AbutVec3 from = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 14));
        AbutRay ray = {from, abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 25))};
        AbutPlaced moved = {abut_solid_convex(&c.convex[i % 8]), abut_pose(from, abut_random_quat(&rng))};
        same_answers(&plain, &with_tree, ray, &moved);
        first_ray(&counting, ray);
        ++rays;
    }
    CHECK(asked < rays * MANY / 4);
    AbutRay bad = {{0, 0, 0}, {NAN, 0, 0}};
    assert_int_equal(first_ray(&with_tree, bad).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(nearest_of_set(&with_tree, abut_vec3(NAN, 0, 0)).body, -1);
    abut_body_tree_free(tree);
    c.convex[7] = abut_convex_cylinder(-1, 1, 0);
    c.body[7] = (AbutPlaced){abut_solid_convex(&c.convex[7]), abut_pose_identity()};
    assert_int_equal(abut_body_tree_create(MANY, c.body, &tree, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "body 7"));
    assert_null(tree);
    good(abut_body_tree_create(0, NULL, &tree, &error), &error);
    AbutBodySet empty = {0, NULL, NULL, NULL, tree};
    assert_int_equal(first_ray(&empty, (AbutRay){{0, 0, 0}, {1, 0, 0}}).outcome, ABUT_IMPACT_NONE);
    abut_body_tree_free(tree);
    abut_polyhedron_free(c.hull);
    abut_mesh_tree_free(c.mesh);
}

/* Makes a tree and asks it everything: where memory runs out it says so. */
static AbutStatus make_and_ask(void) {
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0),
               floor = abut_convex_half_space((AbutPlane){{0, 0, 1}, -5}, 0);
    AbutPlaced body[40], ball = {abut_solid_convex(&box), abut_pose_identity()};
    AbutBodyTree *tree;
    AbutCastHit hits[40];
    AbutRay ray = {{-9, 0, 0}, {99, 0, 0}};
    for (int i = 0; i < 40; ++i)
        body[i] = (AbutPlaced){
            abut_solid_convex(i ? &box : &floor), abut_pose(abut_vec3(3.0 * i, 0, 0), abut_quat_identity())};
    AbutStatus status = abut_body_tree_create(40, body, &tree, NULL);
    if (status != ABUT_OK) return status;
    AbutBodySet set = {40, body, NULL, NULL, tree};
    first_ray(&set, ray);
    all_rays(&set, ray, 40, hits);
    first_cast(&set, &ball, ray.way, 0);
    all_casts(&set, &ball, ray.way, 0, 40, hits);
    nearest_of_set(&set, ray.origin);
    abut_body_tree_free(tree);
    return ABUT_OK;
}

static void memory_may_fail(void **state) {
    (void)state;
    CHECK(check_memory_failures("a tree of bodies", make_and_ask) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(cone_from_far_away),
        cmocka_unit_test(through_a_sheet),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(rays_against_every_kind),
        cmocka_unit_test(surfaces_are_starts),
        cmocka_unit_test(rounded_points_are_on_surfaces),
        cmocka_unit_test(sets_and_batches),
        cmocka_unit_test(trees_change_no_answer),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(shapes_are_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
