/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of the links of a robot by the triangles of their meshes, against all pairs of triangles: a generated robot
 * with rings and cups for links, in random states, and the robots that lie beside the checkout. What is told of the
 * pair holds; the same bits with warm starts and without; nothing is allocated.
 */
#include "abut/import.h"
#include "oracle/triangle_oracle.h"
#include "scene/scene_support.h"
#include "support/meshes.h"
#include "support/optional_data.h"
#include "support/tree_of.h"

#include <string.h>

enum { MOST_PAIRS = 2000 };

/* ---- all pairs of triangles -------------------------------------------------------------------------------------- */

/* A shape as triangles in the world: those of its mesh, or of its polyhedron. To be freed. */
static AbutMesh placed_mesh(const AbutScene *scene, AbutShapeId id) {
    AbutShapeDef shape;
    AbutBodyId owner;
    AbutBodyState body;
    AbutMesh mesh;
    AbutError error;
    assert_true(abut_scene_get_shape(scene, id, &shape, &owner));
    assert_true(abut_scene_get_body(scene, owner, &body));
    good(abut_geometry_to_mesh(shape.geometry, 16, &mesh, &error), &error);
    AbutPose pose = abut_pose_mul(body.pose, shape.pose);
    for (int i = 0; i < mesh.vertex_count; ++i) mesh.vertices[i] = abut_pose_apply(pose, mesh.vertices[i]);
    return mesh;
}

static AbutSphere ball_of(const AbutVec3 t[3]) {
    AbutVec3 middle = abut_scale(abut_add(abut_add(t[0], t[1]), t[2]), 1.0 / 3.0);
    double radius = fmax(
        abut_point_distance(middle, t[0]), fmax(abut_point_distance(middle, t[1]), abut_point_distance(middle, t[2])));
    return (AbutSphere){middle, radius};
}

static double brute_force(const AbutMesh *a, const AbutMesh *b) {
    double least = INFINITY;
    AbutSphere *balls = malloc((size_t)b->triangle_count * sizeof *balls);
    AbutVec3 s[3], t[3];
    assert_non_null(balls);
    for (int k = 0; k < b->triangle_count; ++k) {
        corners_of(b, k, t);
        balls[k] = ball_of(t);
    }
    for (int i = 0; i < a->triangle_count; ++i) {
        corners_of(a, i, s);
        AbutSphere ball = ball_of(s);
        for (int k = 0; k < b->triangle_count; ++k) {
            double reach = least + ball.radius + balls[k].radius;
            if (abut_point_distance(ball.center, balls[k].center) > reach) continue;
            corners_of(b, k, t);
            least = fmin(least, (double)oracle_triangles(s, t));
        }
    }
    free(balls);
    return least;
}

/* ---- what is told of a pair -------------------------------------------------------------------------------------- */

static void check_pair(const AbutScene *scene, const AbutSceneDistance *d) {
    AbutMesh a = placed_mesh(scene, d->shape_a), b = placed_mesh(scene, d->shape_b);
    AbutMeshTree *tree_a = tree_of(&a), *tree_b = tree_of(&b);
    double truth = brute_force(&a, &b), off = 1e-9;
    if (d->gap.distance > 0.0) {
        CHECK_NEAR(d->gap.distance, truth, off);
        CHECK_NEAR(abut_point_distance(d->gap.point_a, d->gap.point_b), d->gap.distance, off);
        CHECK(abut_mesh_nearest(tree_a, d->gap.point_a, 0.0).distance < off);
        CHECK(abut_mesh_nearest(tree_b, d->gap.point_b, 0.0).distance < off);
        CHECK_VEC_NEAR(abut_add_scaled(d->gap.point_a, d->gap.normal, d->gap.distance), d->gap.point_b, off);
    } else
        CHECK(truth <= off || abut_mesh_inside(tree_a, b.vertices[0]) == 1 ||
              abut_mesh_inside(tree_b, a.vertices[0]) == 1);
    abut_mesh_tree_free(tree_a);
    abut_mesh_tree_free(tree_b);
    abut_mesh_free(&a);
    abut_mesh_free(&b);
}

static int is_polyhedral(const AbutScene *scene, AbutShapeId id) {
    AbutShapeDef shape;
    return abut_scene_get_shape(scene, id, &shape, NULL) &&
           (shape.geometry->kind == ABUT_SHAPE_POLYHEDRON || shape.geometry->kind == ABUT_SHAPE_BOX);
}

/* Pairs of which one is a mesh; at most `most` of them, against all triangles. */
static int check_scene(const AbutScene *scene, AbutSceneSurfaces *warm, int most) {
    static AbutSceneDistance d[MOST_PAIRS], cold[MOST_PAIRS];
    AbutSceneSurfaces *fresh;
    AbutError error;
    int checked = 0;
    good(abut_scene_surfaces_create(scene, 1, &fresh, &error), &error);
    int32_t count = abut_scene_distances(scene, warm, INFINITY, MOST_PAIRS, d);
    assert_int_equal(abut_scene_distances(scene, fresh, INFINITY, MOST_PAIRS, cold), count);
    assert_true(count <= MOST_PAIRS);
    assert_memory_equal(d, cold, (size_t)count * sizeof *d);
    for (int32_t i = 0; i < count && checked < most; ++i)
        if ((d[i].mesh_a || d[i].mesh_b) && is_polyhedral(scene, d[i].shape_a) && is_polyhedral(scene, d[i].shape_b)) {
            check_pair(scene, &d[i]);
            ++checked;
        }
    abut_scene_surfaces_free(fresh);
    return checked;
}

/* ---- a robot with meshes for links ------------------------------------------------------------------------------- */

static void add_link(AbutModel *model, int i, const AbutMesh *mesh, const AbutPolyhedron *hull) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutJointDef joint = abut_joint_default();
    AbutError error;
    int32_t number;
    char name[20];
    snprintf(name, sizeof name, "link%d", i);
    body.name = name, body.kind = ABUT_BODY_LINK, body.parent = i - 1;
    body.pose = i ? at(0.35, 0.02, 0.03) : at(0, 0, 0);
    good(abut_model_add_body(model, &body, &number, &error), &error);
    shape.form.kind = ABUT_SHAPE_POLYHEDRON, shape.form.polyhedron = hull, shape.form.surface = mesh;
    shape.body = number;
    good(abut_model_add_shape(model, &shape, NULL, &error), &error);
    joint.body = number, joint.axis = abut_axis((i + 1) % 3);
    good(abut_model_add_joint(model, &joint, NULL, &error), &error);
}

enum { LINKS = 6 };

static AbutScene *ring_robot(void) {
    static const char *const kinds[] = {"torus", "cup", "knot"};
    AbutScene *scene = new_scene();
    AbutModel *model;
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    for (int i = 0; i < LINKS; ++i) {
        AbutMesh mesh;
        AbutPolyhedron *hull;
        good(abut_mesh_make(kinds[i % 3], 300, NULL, &mesh, &error), &error);
        good(abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &hull, &error), &error);
        add_link(model, i, &mesh, hull);
        abut_polyhedron_free(hull);
        abut_mesh_free(&mesh);
    }
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    add_box(scene, ABUT_BODY_STATIC, at(0.9, 0.5, 0.4), abut_vec3(0.1, 0.2, 0.3));
    return scene;
}

static void *no_memory(size_t bytes, void *user) {
    (void)bytes;
    ++*(int *)user;
    return NULL;
}

static void no_release(void *memory, void *user) { (void)memory, (void)user; }

static void links_are_measured_by_their_triangles(void **state) {
    (void)state;
    AbutScene *scene = ring_robot();
    AbutSceneSurfaces *surfaces;
    AbutSceneDistance d[64], hulls[64];
    AbutError error;
    AbutRng rng = abut_rng(801, 1);
    int farther = 0, checked = 0;
    good(abut_scene_surfaces_create(scene, 1, &surfaces, &error), &error);
    for (int i = 0; i < check_cases(12); ++i) {
        double q[LINKS];
        for (int k = 0; k < LINKS; ++k) q[k] = abut_rng_between(&rng, -1.0, 1.0);
        good(abut_scene_set_joints(scene, 0, LINKS, q, 0, NULL, &error), &error);
        checked += check_scene(scene, surfaces, 64);
        int32_t count = abut_scene_distances(scene, surfaces, INFINITY, 64, d);
        assert_int_equal(abut_scene_distances(scene, NULL, INFINITY, 64, hulls), count);
        for (int32_t k = 0; k < count; ++k) {
            CHECK(d[k].gap.distance >= hulls[k].gap.distance - 1e-12 && !hulls[k].mesh_a && !hulls[k].mesh_b);
            farther += d[k].gap.distance > hulls[k].gap.distance + 1e-6;
        }
        int32_t near = abut_scene_distances(scene, surfaces, 0.2, 64, hulls), expected = 0;
        for (int32_t k = 0; k < count; ++k)
            if (d[k].gap.distance <= 0.2) assert_memory_equal(&d[k], &hulls[expected++], sizeof d[k]);
        assert_int_equal(near, expected);
    }
    CHECK(farther > check_cases(12) && checked >= 10 * check_cases(12));
    int requests = 0;
    AbutAllocator none = {no_memory, no_release, &requests};
    abut_set_allocator(&none);
    (void)abut_scene_distances(scene, surfaces, INFINITY, 64, d);
    abut_set_allocator(NULL);
    assert_int_equal(requests, 0);
    abut_scene_surfaces_free(surfaces);
    abut_scene_free(scene);
}

/* Shapes that come later, or change, count as convex. */
static void later_shapes_are_convex(void **state) {
    (void)state;
    AbutScene *scene = ring_robot();
    AbutSceneSurfaces *surfaces;
    AbutSceneDistance d[64];
    AbutShapeDef ring;
    AbutError error;
    assert_true(abut_scene_get_shape(scene, abut_scene_shape_at(scene, abut_scene_body_at(scene, 0), 0), &ring, NULL));
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_POLYHEDRON;
    def.form.polyhedron = ring.geometry->polyhedron, def.form.surface = ring.geometry->surface;
    AbutBodyId first = add_body(scene, ABUT_BODY_STATIC, at(0, 0, 3)), later;
    AbutShapeId shape = add_shape(scene, first, &def);
    good(abut_scene_surfaces_create(scene, 0, &surfaces, &error), &error);
    int32_t count = abut_scene_distances(scene, surfaces, INFINITY, 64, d);
    for (int32_t i = 0; i < count; ++i) CHECK(d[i].body_b.index1 != first.index1 || (d[i].mesh_a && d[i].mesh_b));
    later = add_body(scene, ABUT_BODY_STATIC, at(0, 0, -3));
    add_shape(scene, later, &def);
    AbutGeometryDef ball = {.kind = ABUT_SHAPE_SPHERE, .size = {0.05, 0, 0}};
    good(abut_scene_set_form(scene, shape, &ball, abut_pose_identity(), &error), &error);
    int32_t more = abut_scene_distances(scene, surfaces, INFINITY, 64, d);
    assert_int_equal(more, count + LINKS);
    for (int32_t i = 0; i < more; ++i)
        CHECK((d[i].body_b.index1 != first.index1 && d[i].body_b.index1 != later.index1) || !d[i].mesh_b);
    abut_scene_surfaces_free(surfaces);
    abut_scene_surfaces_free(NULL);
    abut_scene_free(scene);
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

/* An angle of two legs, each 1 thick, 3 and 2 long: closed, not convex. To be freed. */
static AbutMesh angle_mesh(void) {
    static const double corner[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    AbutMesh mesh;
    good(abut_mesh_create(12, 20, &mesh, NULL), NULL);
    for (int i = 0; i < 12; ++i) mesh.vertices[i] = abut_vec3(corner[i % 6][0], corner[i % 6][1], i / 6);
    for (int32_t i = 0; i < 4; ++i) {
        mesh.triangles[i] = (AbutTriangle){{cap[i][2], cap[i][1], cap[i][0]}};
        mesh.triangles[4 + i] = (AbutTriangle){{6 + cap[i][0], 6 + cap[i][1], 6 + cap[i][2]}};
    }
    for (int32_t i = 0; i < 6; ++i) {
        int32_t next = (i + 1) % 6;
        mesh.triangles[8 + 2 * i] = (AbutTriangle){{i, next, next + 6}};
        mesh.triangles[9 + 2 * i] = (AbutTriangle){{i, next + 6, i + 6}};
    }
    return mesh;
}

static AbutShapeDef angle_shape(const AbutMesh *mesh, AbutPolyhedron **hull) {
    AbutShapeDef def = abut_shape_default();
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, hull, NULL), NULL);
    def.form.kind = ABUT_SHAPE_POLYHEDRON;
    def.form.polyhedron = *hull, def.form.surface = mesh;
    return def;
}

/* A box that sticks 0.125 into the end of the long leg, and one in the notch, which is apart though the hulls meet. */
static void meshes_that_meet_have_a_depth(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutMesh mesh = angle_mesh();
    AbutPolyhedron *hull;
    AbutShapeDef angle = angle_shape(&mesh, &hull), box = abut_shape_default();
    AbutSceneSurfaces *surfaces;
    AbutSceneDistance d[8];
    AbutGap depth;
    AbutError error;
    box.form = (AbutGeometryDef){.kind = ABUT_SHAPE_BOX, .size = {0.25, 0.25, 0.25}};
    add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 5)), &angle);
    add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(3.125, 0.5, 5.5)), &box);
    add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(1.5, 1.5, 5.5)), &box);
    good(abut_scene_surfaces_create(scene, 0, &surfaces, &error), &error);
    assert_int_equal(abut_scene_distances(scene, surfaces, INFINITY, 8, d), 3);
    CHECK_NEAR(d[0].gap.distance, 0.0, 0.0);
    good(abut_scene_surface_depth(surfaces, &d[0], &depth, &error), &error);
    CHECK_NEAR(-depth.distance, 0.125, 1e-12);
    CHECK_VEC_NEAR(depth.normal, abut_axis(0), 1e-9);
    assert_true(depth.verified);
    CHECK_NEAR(d[1].gap.distance, 0.25, 1e-12);
    good(abut_scene_surface_depth(surfaces, &d[1], &depth, &error), &error);
    CHECK_NEAR(-depth.distance, 0.0, 0.0);
    assert_int_equal(abut_scene_surface_depth(surfaces, &d[2], &depth, &error), ABUT_ERROR_UNSUPPORTED);
    abut_scene_surfaces_free(surfaces);
    abut_scene_free(scene);
    abut_polyhedron_free(hull);
    abut_mesh_free(&mesh);
}

/* A mesh with a hole may be drawn and not touched. */
static void open_meshes_are_for_pictures(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutMesh mesh = angle_mesh();
    AbutPolyhedron *hull;
    AbutError error;
    mesh.triangle_count -= 2;
    AbutShapeDef angle = angle_shape(&mesh, &hull);
    AbutBodyId body = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 5));
    AbutShapeId shape;
    assert_int_equal(abut_scene_add_shape(scene, body, &angle, &shape, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "its surface is not closed"));
    angle.visual = 1;
    good(abut_scene_add_shape(scene, body, &angle, &shape, &error), &error);
    AbutShapeDef got;
    assert_true(abut_scene_get_shape(scene, shape, &got, NULL));
    assert_int_equal(got.geometry->surface->triangle_count, 18);
    assert_int_equal(got.geometry->surface_closed, 0);
    mesh.triangle_count += 2;
    abut_scene_free(scene);
    abut_polyhedron_free(hull);
    abut_mesh_free(&mesh);
}

static AbutScene *kept;

static AbutStatus make_and_free(void) {
    AbutSceneSurfaces *surfaces = NULL;
    AbutStatus status = abut_scene_surfaces_create(kept, 1, &surfaces, NULL);
    abut_scene_surfaces_free(surfaces);
    return status;
}

static void memory_may_fail(void **state) {
    (void)state;
    kept = ring_robot();
    CHECK(check_memory_failures("surfaces", make_and_free) > 5);
    abut_scene_free(kept);
}

/* ---- robots from files ------------------------------------------------------------------------------------------- */

static void check_file(const char *folder, const char *name) {
    AbutModelReadOptions options = {.without_visuals = 1};
    AbutScene *scene = new_scene();
    AbutSceneSurfaces *surfaces;
    AbutModel *model;
    AbutError error;
    AbutRng rng = abut_rng(802, 1);
    char path[4400];
    int checked = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    good(abut_model_read(path, &options, &model, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_scene_surfaces_create(scene, 0, &surfaces, &error), &error);
    for (int i = 0; i < check_cases(2); ++i) {
        checked += check_scene(scene, surfaces, check_cases(10));
        AbutConfiguration *c;
        good(configuration_of(model, &c, &error), &error);
        double v[100], *q = malloc((size_t)abut_configuration_position_count(c) * sizeof *q);
        for (int k = 0; k < 100; ++k) v[k] = abut_rng_between(&rng, -0.5, 0.5);
        abut_configuration_integrate(c, abut_configuration_positions(c), v, 1.0, q);
        good(abut_scene_set_joints(scene, 0, abut_configuration_position_count(c), q, 0, NULL, &error), &error);
        abut_configuration_free(c);
        free(q);
    }
    CHECK(checked > 0);
    abut_scene_surfaces_free(surfaces);
    abut_scene_free(scene);
    abut_model_free(model);
}

static void robots_beside_the_checkout(void **state) {
    (void)state;
    const char *folder = optional_data("robots");
#ifndef ABUT_TEST_XML
    skip();
#endif
    if (!folder) skip();
    check_file(folder, "trossen_wx250s/wx250s.xml");
    check_file(folder, "pal_talos/talos.xml");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_measured_by_their_triangles),
        cmocka_unit_test(later_shapes_are_convex),
        cmocka_unit_test(meshes_that_meet_have_a_depth),
        cmocka_unit_test(open_meshes_are_for_pictures),
        cmocka_unit_test(robots_beside_the_checkout),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
