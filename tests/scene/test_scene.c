/* SPDX-License-Identifier: Apache-2.0 */
/* scene: ids and generations, names, mass properties against closed forms, frames, round shapes, bad input. */
#include "scene/internal.h"
#include "scene/scene_support.h"

#include <string.h>

static void ids_outlive_their_bodies(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutBodyState body;
    AbutBodyId null = {0, 0}, id[5];
    for (int i = 0; i < 5; ++i) id[i] = add_box(scene, ABUT_BODY_DYNAMIC, at(i, 0, 0), abut_vec3(0.1, 0.1, 0.1));
    AbutShapeId shape = abut_scene_shape_at(scene, id[1], 0), other = abut_scene_shape_at(scene, id[1], 1);
    AbutShapeDef kept;
    AbutBodyId owner;
    CHECK(abut_scene_get_shape(scene, shape, &kept, &owner) && other.index1 == 0);
    CHECK(owner.index1 == id[1].index1 && kept.geometry->polyhedron->vertex_count == 8);
    assert_int_equal(abut_scene_remove_body(scene, id[1], NULL), ABUT_OK);
    assert_int_equal(abut_scene_remove_body(scene, id[1], NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_remove_body(scene, null, NULL), ABUT_ERROR_ARGUMENT);
    CHECK(!abut_scene_get_body(scene, id[1], &body) && !abut_scene_get_body(scene, null, &body));
    CHECK(!abut_scene_get_shape(scene, shape, &kept, &owner));
    assert_int_equal(abut_scene_body_count(scene), 4);
    CHECK(abut_scene_body_at(scene, 1).index1 == id[2].index1); /* no gap */
    CHECK(abut_scene_body_at(scene, 4).index1 == 0 && abut_scene_body_at(scene, -1).index1 == 0);

    AbutBodyId again = add_box(scene, ABUT_BODY_DYNAMIC, at(9, 0, 0), abut_vec3(0.1, 0.1, 0.1));
    CHECK(again.index1 == id[1].index1 &&
          again.generation != id[1].generation); /* the place is reused, the old id refused */
    CHECK(!abut_scene_get_body(scene, id[1], &body) && abut_scene_get_body(scene, again, &body));
    CHECK_VEC_NEAR(body.pose.p, abut_vec3(9, 0, 0), 0.0);
    CHECK(abut_scene_body_at(scene, 1).index1 == again.index1);
    CHECK(!abut_scene_get_shape(scene, shape, &kept, &owner));
    abut_scene_free(scene);
    abut_scene_free(NULL);
}

static void names_are_copied_and_found(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    char name[] = "crate";
    AbutBodyDef def = abut_body_default();
    AbutBodyId id, nameless;
    AbutBodyState body;
    def.name = name;
    assert_int_equal(abut_scene_add_body(scene, &def, &id, NULL), ABUT_OK);
    def.name = NULL;
    assert_int_equal(abut_scene_add_body(scene, &def, &nameless, NULL), ABUT_OK);
    memset(name, 'x', 5);
    CHECK(abut_scene_find_body(scene, "crate").index1 == id.index1);
    CHECK(abut_scene_find_body(scene, "xxxxx").index1 == 0 && abut_scene_find_body(scene, "").index1 == 0);
    CHECK(abut_scene_get_body(scene, nameless, &body));
    assert_string_equal(body.name, "");
    assert_int_equal(abut_scene_remove_body(scene, id, NULL), ABUT_OK);
    CHECK(abut_scene_find_body(scene, "crate").index1 == 0);
    abut_scene_free(scene);
}

/* Two boxes side by side, turned and shifted, weigh and turn like the one box they make. */
static void mass_of_parts_is_that_of_the_whole(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1, 0);
    int cases = check_cases(200);
    for (int c = 0; c < cases; ++c) {
        AbutScene *scene = new_scene();
        AbutVec3 half =
            abut_vec3(abut_rng_between(&rng, 0.1, 2), abut_rng_between(&rng, 0.1, 2), abut_rng_between(&rng, 0.1, 2));
        double cut = abut_rng_between(&rng, -0.9, 0.9) * half.x, density = abut_rng_between(&rng, 1, 8000);
        AbutPose whole = abut_pose(abut_random_direction(&rng), abut_random_quat(&rng));
        AbutPose world = abut_pose(abut_random_direction(&rng), abut_random_quat(&rng));
        AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, world);
        AbutBodyState body;
        CHECK(abut_scene_get_body(scene, id, &body) && body.mass == 0.0);
        assert_int_equal(abut_scene_check(scene, NULL), ABUT_ERROR_ARGUMENT);
        for (int part = 0; part < 2; ++part) {
            AbutShapeDef def = abut_shape_default();
            double low = part ? cut : -half.x, high = part ? half.x : cut;
            def.form.size = abut_vec3(0.5 * (high - low), half.y, half.z);
            def.pose = abut_pose_mul(whole, at(0.5 * (low + high), 0, 0));
            def.density = density;
            add_shape(scene, id, &def);
            CHECK(abut_scene_get_body(scene, id, &body));
            CHECK_VEC_NEAR(body.pose.p, world.p, 1e-14); /* the body frame stays where it was put */
        }
        double m = 8.0 * half.x * half.y * half.z * density;
        double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
        AbutMat3 r = abut_quat_to_mat3(whole.q),
                 d = abut_mat3_diagonal(m * (yy + zz) / 3, m * (xx + zz) / 3, m * (xx + yy) / 3);
        AbutMat3 want = abut_mat3_mul(r, abut_mat3_mul(d, abut_mat3_transpose(r)));
        double size = abut_mat3_trace(want);
        CHECK_NEAR(body.mass, m, 1e-12 * m);
        CHECK_VEC_NEAR(body.local_center, whole.p, 1e-12);
        CHECK_VEC_NEAR(body.center, abut_pose_apply(world, whole.p), 1e-12);
        CHECK_VEC_NEAR(body.inertia.x, want.x, 1e-12 * size);
        CHECK_VEC_NEAR(body.inertia.y, want.y, 1e-12 * size);
        CHECK_VEC_NEAR(body.inertia.z, want.z, 1e-12 * size);
        const AbutBody *inside = &scene->body[0];
        AbutMat3 product = abut_mat3_mul(inside->inv_inertia, want);
        CHECK_VEC_NEAR(product.x, abut_axis(0), 1e-9);
        CHECK_VEC_NEAR(product.z, abut_axis(2), 1e-9);
        AbutPose shape = abut_shape_pose(scene, &scene->shape[0]),
                 there = abut_pose_mul(world, scene->shape[0].def.pose);
        CHECK_VEC_NEAR(shape.p, there.p, 1e-12);
        CHECK_NEAR(fabs(abut_quat_dot(shape.q, there.q)), 1.0, 1e-12);
        assert_int_equal(abut_scene_check(scene, NULL), ABUT_OK);
        abut_scene_free(scene);
    }
}

static void given_mass_is_kept(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutBodyDef def = abut_body_default();
    AbutBodyId id, fixed;
    AbutBodyState body;
    AbutError error;
    def.pose = at(1, 2, 3);
    def.mass = 2.0;
    def.center = abut_vec3(0, 0, 0.5);
    def.inertia = abut_mat3_diagonal(1, 2, 2.5);
    good(abut_scene_add_body(scene, &def, &id, &error), &error);
    AbutShapeDef shape = abut_shape_default();
    add_shape(scene, id, &shape);
    CHECK(abut_scene_get_body(scene, id, &body));
    CHECK(body.mass == 2.0 && body.inertia.z.z == 2.5 && body.shape_count == 1);
    CHECK_VEC_NEAR(body.center, abut_vec3(1, 2, 3.5), 1e-15);
    CHECK_VEC_NEAR(body.pose.p, abut_vec3(1, 2, 3), 1e-15);
    CHECK_VEC_NEAR(scene->shape[0].local_p, abut_vec3(0, 0, -0.5), 0.0);

    def.kind = ABUT_BODY_STATIC;
    good(abut_scene_add_body(scene, &def, &fixed, &error), &error);
    add_shape(scene, fixed, &shape);
    CHECK(abut_scene_get_body(scene, fixed, &body) && body.mass == 0.0);
    CHECK(scene->body[1].inv_mass == 0.0);
    CHECK_VEC_NEAR(body.center, def.pose.p, 0.0);

    AbutPose pose = abut_pose(abut_vec3(5, 5, 5), abut_quat_axis_angle(abut_axis(0), ABUT_PI));
    assert_int_equal(abut_scene_set_pose(scene, id, pose, NULL), ABUT_OK);
    CHECK(abut_scene_get_body(scene, id, &body));
    CHECK_VEC_NEAR(body.center, abut_vec3(5, 5, 4.5), 1e-15);
    CHECK_VEC_NEAR(body.pose.p, pose.p, 1e-15);
    assert_int_equal(abut_scene_set_velocity(scene, id, abut_axis(0), abut_axis(1), NULL), ABUT_OK);
    CHECK(abut_scene_get_body(scene, id, &body) && body.velocity.x == 1.0 && body.spin.y == 1.0);
    assert_int_equal(abut_scene_set_velocity(scene, fixed, abut_axis(0), abut_zero(), NULL), ABUT_ERROR_ARGUMENT);
    abut_scene_free(scene);
}

/* Vertices lie on the true surface; volume goes to the exact one with the square of the resolution. */
static void round_shapes_are_inscribed(void **state) {
    (void)state;
    const AbutShapeKind kinds[] = {
        ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE, ABUT_SHAPE_ELLIPSOID};
    AbutVec3 size = abut_vec3(0.3, 0.5, 0.7);
    for (int k = 0; k < 5; ++k) {
        double ball = 4.0 / 3.0 * ABUT_PI * size.x * size.x * size.x, pillar = 2.0 * ABUT_PI * size.x * size.x * size.z;
        double exact = k == 0   ? ball
                       : k == 1 ? ball + pillar
                       : k == 2 ? pillar
                       : k == 3 ? pillar / 3.0
                                : 4.0 / 3.0 * ABUT_PI * size.x * size.y * size.z;
        double last = 1.0;
        for (int resolution = 8; resolution <= 64; resolution *= 2) {
            AbutScene *scene = new_scene();
            AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0));
            AbutShapeDef def = abut_shape_default();
            def.form.kind = kinds[k];
            def.form.size = size;
            def.form.resolution = resolution;
            add_shape(scene, id, &def);
            const AbutPolyhedron *p = scene->shape[0].polyhedron;
            for (int32_t i = 0; i < p->vertex_count; ++i) {
                AbutVec3 v = abut_polyhedron_vertices(p)[i];
                double up = k == 1 ? abut_larger(fabs(v.z) - size.z, 0.0) : v.z;
                double level = k == 2 || (k == 3 && v.z < 0.0) ? (v.x * v.x + v.y * v.y) / (size.x * size.x)
                               : k == 3                        ? v.z / size.z
                               : k == 4                        ? v.x * v.x / 0.09 + v.y * v.y / 0.25 + v.z * v.z / 0.49
                                                               : (v.x * v.x + v.y * v.y + up * up) / (size.x * size.x);
                CHECK_NEAR(level, 1.0, 1e-12);
            }
            double missing = 1.0 - p->mass.volume / exact;
            CHECK(missing > 0.0 && missing < 0.3 * last);
            CHECK_VEC_NEAR(p->mass.centroid, abut_vec3(0, 0, k == 3 ? -0.5 * size.z : 0), 1e-12);
            last = missing;
            abut_scene_free(scene);
        }
        CHECK(last < 0.006);
    }
}

/* The box of a turned round shape is that of its farthest points along the axes, to the little that it has to spare. */
static void boxes_of_round_shapes_are_tight(void **state) {
    (void)state;
    const AbutShapeKind kinds[] = {
        ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE, ABUT_SHAPE_ELLIPSOID};
    AbutRng rng = abut_rng(71, 0);
    for (int i = 0; i < check_cases(2000); ++i) {
        AbutScene *scene = new_scene();
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 3.0), abut_random_quat(&rng));
        AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, i % 7 ? pose : abut_pose(pose.p, abut_quat_identity()));
        AbutShapeDef def = abut_shape_default();
        def.form.kind = kinds[i % 5];
        def.form.size = abut_vec3(
            abut_rng_between(&rng, 0.1, 1.0), abut_rng_between(&rng, 0.1, 1.0), abut_rng_between(&rng, 0.1, 1.0));
        add_shape(scene, id, &def);
        AbutAabb box = abut_shape_box(scene, &scene->shape[0]);
        AbutConvex body = abut_geometry_convex(scene->shape[0].def.geometry);
        AbutBodyState state_of_body;
        CHECK(abut_scene_get_body(scene, id, &state_of_body));
        for (int k = 0; k < 6; ++k) {
            AbutVec3 way = abut_scale(abut_axis(k % 3), k < 3 ? 1.0 : -1.0),
                     own = abut_quat_rotate_inv(state_of_body.pose.q, way), far = abut_convex_farthest(&body, own);
            double reach = abut_dot(way, abut_pose_apply(state_of_body.pose, far)) + body.radius,
                   side = abut_dot(way, k < 3 ? box.max : box.min);
            if (!(side >= reach - 1e-15 && side < reach + 1e-9))
                fail_msg("%s, axis %d: box ends %.3g beyond the body", abut_word(abut_shape_kind_names, def.form.kind),
                    k, side - reach);
        }
        abut_scene_free(scene);
    }
}

#define REFUSED(call, status) refused((call), (status), &error, __LINE__)

static int refusals;

static void refused(AbutStatus got, AbutStatus want, const AbutError *error, int line) {
    if (got != want || strlen(error->text) < 10)
        fail_msg("line %d: %s, not %s (%s)", line, abut_status_text(got), abut_status_text(want), error->text);
    ++refusals;
}

static void bad_bodies_are_refused(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutBodyId id;
    AbutBodyDef good_def = abut_body_default(), def;
#define BODY(change, status) (def = good_def, change, REFUSED(abut_scene_add_body(scene, &def, &id, &error), status))
    BODY(def.pose.p.x = NAN, ABUT_ERROR_NUMBER);
    BODY(def.pose.q.w = INFINITY, ABUT_ERROR_NUMBER);
    BODY(def.pose.q.w = 1.0001, ABUT_ERROR_ARGUMENT);
    BODY(def.pose.q.w = 0.0, ABUT_ERROR_ARGUMENT);
    BODY(def.velocity.y = NAN, ABUT_ERROR_NUMBER);
    BODY(def.spin.y = INFINITY, ABUT_ERROR_NUMBER);
    BODY(def.mass = -1, ABUT_ERROR_ARGUMENT);
    BODY(def.mass = NAN, ABUT_ERROR_ARGUMENT);
    BODY(def.mass = 1, ABUT_ERROR_ARGUMENT); /* no inertia */
    BODY((def.mass = 1, def.inertia = abut_mat3_diagonal(1, 1, 3)), ABUT_ERROR_ARGUMENT);
    BODY((def.mass = 1, def.inertia = abut_mat3_diagonal(1, 1, NAN)), ABUT_ERROR_NUMBER);
    BODY((def.mass = 1, def.inertia = abut_mat3_diagonal(1, 1, 1), def.inertia.x.y = 0.5), ABUT_ERROR_ARGUMENT);
    BODY((def.mass = 1, def.inertia = abut_mat3_diagonal(1, 1, 1), def.center.x = NAN), ABUT_ERROR_NUMBER);
    BODY((def.kind = ABUT_BODY_STATIC, def.velocity.x = 1), ABUT_ERROR_ARGUMENT);
    BODY(def.kind = (AbutBodyKind)7, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_body_count(scene), 0);
    def = good_def;
    def.pose.q.w = 1.0 + 5e-7; /* near enough: normalized */
    good(abut_scene_add_body(scene, &def, &id, &error), &error);
    CHECK_NEAR(scene->body[0].q.w, 1.0, 1e-15);
    REFUSED(abut_scene_set_pose(scene, id, abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), &error),
        ABUT_ERROR_NUMBER);
    REFUSED(abut_scene_set_velocity(scene, id, abut_vec3(NAN, 0, 0), abut_zero(), &error), ABUT_ERROR_NUMBER);
    assert_int_equal(refusals, 17);
    abut_scene_free(scene);
}

static void bad_shapes_are_refused(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0)), stale = {1, 77};
    AbutShapeId shape;
    AbutShapeDef good_def = abut_shape_default(), def;
    AbutVec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    AbutPolyhedron *flat;
    refusals = 0;
    good(abut_polyhedron_from_points(corner, 3, NULL, &flat, &error), &error);
#define SHAPE(change, status)                                                                                          \
    (def = good_def, change, REFUSED(abut_scene_add_shape(scene, id, &def, &shape, &error), status))
    SHAPE(def.pose.p.x = NAN, ABUT_ERROR_NUMBER);
    SHAPE(def.pose.q.x = 1.0, ABUT_ERROR_ARGUMENT);
    SHAPE(def.density = -1, ABUT_ERROR_ARGUMENT);
    SHAPE(def.density = INFINITY, ABUT_ERROR_ARGUMENT);
    SHAPE((def.density = 1e308, def.form.size.x = 50), ABUT_ERROR_NUMBER); /* the inertia overflows */
    SHAPE(def.material.friction = -0.1, ABUT_ERROR_ARGUMENT);
    SHAPE(def.material.friction = NAN, ABUT_ERROR_ARGUMENT);
    SHAPE(def.material.friction_kinetic = 0.6, ABUT_ERROR_ARGUMENT);
    SHAPE(def.material.restitution = 1.5, ABUT_ERROR_ARGUMENT);
    SHAPE(def.form.size.y = 0, ABUT_ERROR_ARGUMENT);
    SHAPE(def.form.size.z = NAN, ABUT_ERROR_ARGUMENT);
    SHAPE((def.form.kind = ABUT_SHAPE_SPHERE, def.form.resolution = 2), ABUT_ERROR_ARGUMENT);
    SHAPE((def.form.kind = ABUT_SHAPE_SPHERE, def.form.resolution = 100000), ABUT_ERROR_ARGUMENT);
    SHAPE((def.form.kind = ABUT_SHAPE_SPHERE, def.form.size.x = -1), ABUT_ERROR_ARGUMENT);
    SHAPE((def.form.kind = ABUT_SHAPE_CAPSULE, def.form.size.z = -1), ABUT_ERROR_ARGUMENT);
    SHAPE(def.form.kind = ABUT_SHAPE_POLYHEDRON, ABUT_ERROR_ARGUMENT);
    SHAPE((def.form.kind = ABUT_SHAPE_POLYHEDRON, def.form.polyhedron = flat), ABUT_ERROR_DEGENERATE);
    SHAPE(def.form.kind = ABUT_SHAPE_HALF_SPACE, ABUT_ERROR_ARGUMENT);
    SHAPE(def.form.kind = (AbutShapeKind)77, ABUT_ERROR_ARGUMENT);
    REFUSED(abut_scene_add_shape(scene, stale, &good_def, &shape, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(refusals, 20);
    assert_int_equal(abut_scene_shape_count(scene, id), 0);
    add_shape(scene, id, &good_def); /* and the scene still works */
    AbutBodyId fixed = add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0));
    def = good_def;
    def.form.kind = ABUT_SHAPE_POLYHEDRON;
    def.form.polyhedron = flat;
    add_shape(scene, fixed, &def); /* a plate that never moves may be flat */
    abut_polyhedron_free(flat);
    update(scene, 0, 0.01, 1e-3);
    assert_int_equal(live_pairs(scene), 1);
    assert_int_equal(abut_scene_check(scene, &error), ABUT_ERROR_DEGENERATE); /* but no simulation takes it */
    assert_non_null(strstr(error.text, "without volume"));
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_outlive_their_bodies),
        cmocka_unit_test(names_are_copied_and_found),
        cmocka_unit_test(mass_of_parts_is_that_of_the_whole),
        cmocka_unit_test(given_mass_is_kept),
        cmocka_unit_test(round_shapes_are_inscribed),
        cmocka_unit_test(boxes_of_round_shapes_are_tight),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
