/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields as shapes, held against the same ground as convex polyhedra, one for each of its pieces: rays, moved
 * shapes, nearest points, distances, contacts and whole runs. Pairs and pieces come and go with the bodies; states are
 * saved and restored; large fields cost what is near; what is refused.
 */
#include "abut/dynamics.h"
#include "abut/literature.h"
#include "scene/grown_set.h"
#include "scene/scene_support.h"

#include <string.h>

enum { MOST = 24 };

typedef struct Ground {
    double heights[MOST * MOST];
    AbutHeightField field;
    AbutPose pose;
} Ground;

static void make_ground(AbutRng *rng, Ground *out) {
    int columns = 2 + (int)abut_rng_below(rng, 12), rows = 2 + (int)abut_rng_below(rng, 12);
    int kind = (int)abut_rng_below(rng, 3); /* rough, with flat steps, a ramp */
    for (int i = 0; i < columns * rows; ++i)
        out->heights[i] = kind == 0   ? abut_rng_between(rng, -0.3, 0.3)
                          : kind == 1 ? 0.25 * abut_rng_below(rng, 2)
                                      : 0.05 * (i % columns);
    out->field = (AbutHeightField){
        columns, rows, abut_rng_between(rng, 0.5, 2), abut_rng_between(rng, 0.5, 2), -0.6, out->heights};
    AbutVec3 axis = abut_normalize_or(
        abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1)),
        abut_axis(0));
    out->pose = abut_pose(abut_vec3(0.3, -0.2, 0.1), abut_quat_axis_angle(axis, abut_rng_between(rng, 0, 1)));
}

static void add_field(AbutScene *scene, AbutBodyId body, const AbutHeightField *field) {
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    def.form.field = field;
    add_shape(scene, body, &def);
}

typedef struct Adding {
    AbutScene *scene;
    AbutBodyId body;
} Adding;

static AbutStatus add_piece(const AbutPolyhedron *piece, void *user, AbutError *error) {
    const Adding *to = user;
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_POLYHEDRON;
    def.form.polyhedron = piece;
    return abut_scene_add_shape(to->scene, to->body, &def, NULL, error);
}

/* The ground as a height field, and as its pieces. */
static void make_scenes(const Ground *ground, AbutScene *scene[2]) {
    AbutError error;
    for (int k = 0; k < 2; ++k) {
        scene[k] = new_scene();
        Adding to = {scene[k], add_body(scene[k], ABUT_BODY_STATIC, ground->pose)};
        if (k == 0)
            add_field(scene[k], to.body, &ground->field);
        else
            good(abut_height_field_pieces(&ground->field, add_piece, &to, &error), &error);
    }
}

static void free_scenes(AbutScene *scene[2]) {
    abut_scene_free(scene[0]);
    abut_scene_free(scene[1]);
}

static AbutVec3 point_near(AbutRng *rng, double far) {
    return abut_vec3(
        abut_rng_between(rng, -far, far), abut_rng_between(rng, -far, far), abut_rng_between(rng, -far, far));
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static void check_cast(AbutCast cast, AbutScene *scene[2], double tolerance) {
    AbutSceneHit hit[2];
    for (int k = 0; k < 2; ++k) {
        hit[k] = abut_scene_cast(scene[k], &cast, NULL, NULL);
    }
    if (hit[0].hit.outcome == ABUT_IMPACT_GRAZING || hit[1].hit.outcome == ABUT_IMPACT_GRAZING)
        return; /* pieces tell a touch where the ground is entered at a joint */
    assert_int_equal(hit[0].hit.outcome, hit[1].hit.outcome);
    CHECK_NEAR(hit[0].hit.t, hit[1].hit.t, tolerance);
    if (hit[0].hit.outcome == ABUT_IMPACT_HIT) CHECK_VEC_NEAR(hit[0].hit.point, hit[1].hit.point, 10 * tolerance);
}

static void casts_are_those_of_the_pieces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(41, 1);
    for (int i = 0; i < check_cases(2000); ++i) {
        Ground ground;
        AbutScene *scene[2];
        make_ground(&rng, &ground);
        make_scenes(&ground, scene);
        AbutConvex ball = abut_convex_point(abut_zero(), 0.1), box = abut_convex_box(abut_vec3(0.1, 0.2, 0.05), 0.0);
        for (int k = 0; k < 20; ++k) {
            AbutVec3 from = point_near(&rng, 2), to = point_near(&rng, 2);
            AbutCast cast = {.ray = {from, abut_sub(to, from)}};
            check_cast(cast, scene, 1e-11);
            AbutPlaced moved = {abut_solid_convex(k % 2 ? &ball : &box), abut_pose(from, abut_quat_identity())};
            cast.moved = &moved;
            if (k < 6) check_cast(cast, scene, 1e-5);
        }
        free_scenes(scene);
    }
}

/* Rays straight down on points and edges of the grid: nothing slips between the pieces. */
static void rays_meet_joints(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 1);
    for (int i = 0; i < check_cases(2000); ++i) {
        Ground ground;
        AbutScene *scene[2];
        make_ground(&rng, &ground);
        ground.pose = abut_pose_identity();
        make_scenes(&ground, scene);
        const AbutHeightField *f = &ground.field;
        for (int k = 0; k < 20; ++k) {
            int c = (int)abut_rng_below(&rng, (uint32_t)f->columns), r = (int)abut_rng_below(&rng, (uint32_t)f->rows);
            double x = f->half_x * (2.0 * c / (f->columns - 1) - 1.0), y = f->half_y * (2.0 * r / (f->rows - 1) - 1.0);
            AbutCast cast = {.ray = {abut_vec3(x, y, 1), abut_vec3(0, 0, -2)}};
            AbutSceneHit hit = abut_scene_cast(scene[0], &cast, NULL, NULL);
            assert_int_equal(hit.hit.outcome, ABUT_IMPACT_HIT);
            CHECK_NEAR(hit.hit.point.z, f->heights[r * f->columns + c], 1e-14);
            assert_true(hit.hit.normal.z > 0);
            for (int way = -1; way <= 1; way += 2) { /* from the surface, up and down: begins in contact */
                cast.ray = (AbutRay){hit.hit.point, abut_vec3(0.3 * way, 0, way)};
                AbutCastHit start = abut_scene_cast(scene[0], &cast, NULL, NULL).hit;
                assert_true(start.outcome == ABUT_IMPACT_AT_START && start.t == 0 && start.t_hi == 0);
            }
        }
        free_scenes(scene);
    }
}

/* What is flat follows from the heights, however wide the field is. */
static void wide_fields_keep_their_heights(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 2);
    for (int i = 0; i < check_cases(200); ++i) {
        Ground ground;
        make_ground(&rng, &ground);
        AbutHeightField *f = &ground.field;
        f->half_x = f->half_y = pow(10, abut_rng_between(&rng, 6, 14));
        for (int k = 0; k < f->columns * f->rows; ++k) ground.heights[k] *= 0.01;
        AbutScene *scene = new_scene();
        add_field(scene, add_body(scene, ABUT_BODY_STATIC, abut_pose_identity()), f);
        for (int r = 0; r < f->rows; ++r)
            for (int c = 0; c < f->columns; ++c) {
                double x = f->half_x * (2.0 * c / (f->columns - 1) - 1), y = f->half_y * (2.0 * r / (f->rows - 1) - 1);
                AbutCast cast = {.ray = {abut_vec3(x, y, 100), abut_vec3(0, 0, -200)}};
                AbutCastHit hit = abut_scene_cast(scene, &cast, NULL, NULL).hit;
                assert_int_equal(hit.outcome, ABUT_IMPACT_HIT);
                CHECK_NEAR(hit.point.z, ground.heights[r * f->columns + c], 1e-12);
            }
        abut_scene_free(scene);
    }
}

static AbutMeshTree *surface_of(const Ground *ground) {
    AbutMesh mesh;
    AbutMeshTree *tree;
    AbutError error;
    good(abut_height_field_mesh(&ground->field, &mesh, &error), &error);
    good(abut_mesh_tree_create(&mesh, 1, &tree, &error), &error);
    abut_mesh_free(&mesh);
    return tree;
}

/* Walls between pieces are no surface: within the field the nearest point is that of its mesh. */
static void check_from_within(
    const AbutMeshTree *surface, AbutPose pose, AbutVec3 outer, const AbutNearestPoint *found) {
    AbutVec3 p = abut_pose_apply_inv(pose, outer), point = abut_pose_apply_inv(pose, found->point);
    AbutMeshNearest truth = abut_mesh_nearest(surface, p, 0);
    CHECK_NEAR(found->distance, -truth.distance, 1e-9);
    CHECK_NEAR(abut_point_distance(point, p), truth.distance, 1e-9);
    CHECK_NEAR(abut_mesh_nearest(surface, point, 0).distance, 0, 1e-9);
    CHECK_VEC_NEAR(abut_add_scaled(found->point, found->normal, found->distance), outer, 1e-9);
}

static void nearest_points_and_distances(void **state) {
    (void)state;
    AbutRng rng = abut_rng(43, 1);
    for (int i = 0; i < check_cases(1000); ++i) {
        Ground ground;
        AbutScene *scene[2];
        AbutSceneDistance distance[2];
        make_ground(&rng, &ground);
        make_scenes(&ground, scene);
        AbutVec3 place = point_near(&rng, 2);
        for (int k = 0; k < 2; ++k) {
            AbutShapeDef def = abut_shape_default();
            def.form.kind = i % 2 ? ABUT_SHAPE_SPHERE : ABUT_SHAPE_BOX;
            def.form.size = abut_vec3(0.1, 0.2, 0.3);
            add_shape(scene[k], add_body(scene[k], ABUT_BODY_DYNAMIC, at(place.x, place.y, place.z)), &def);
            assert_int_equal(abut_scene_distances(scene[k], NULL, INFINITY, 1, &distance[k]), 1);
        }
        CHECK_NEAR(distance[0].gap.distance, distance[1].gap.distance, 1e-8);
        AbutScene *bare[2];
        AbutMeshTree *surface = surface_of(&ground);
        make_scenes(&ground, bare);
        for (int k = 0; k < 20; ++k) {
            AbutVec3 point = point_near(&rng, 2);
            AbutNearestPoint ours = abut_scene_nearest_point(bare[0], point, NULL, NULL, NULL);
            AbutNearestPoint pieces = abut_scene_nearest_point(bare[1], point, NULL, NULL, NULL);
            if (pieces.distance > 0)
                CHECK_NEAR(ours.distance, pieces.distance, 1e-9);
            else
                check_from_within(surface, ground.pose, point, &ours);
        }
        abut_mesh_tree_free(surface);
        free_scenes(bare);
        free_scenes(scene);
    }
}

static void contacts_are_those_of_the_pieces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(44, 1);
    int touching = 0;
    for (int i = 0; i < check_cases(2000); ++i) {
        Ground ground;
        AbutScene *scene[2];
        AbutContactList list[2];
        AbutError error;
        make_ground(&rng, &ground);
        make_scenes(&ground, scene);
        AbutVec3 place = point_near(&rng, 0.8);
        double volume[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
            AbutShapeDef def = abut_shape_default();
            def.form.kind = ABUT_SHAPE_BOX;
            def.form.size = abut_vec3(0.2, 0.3, 0.1);
            add_shape(scene[k], add_body(scene[k], ABUT_BODY_DYNAMIC, at(place.x, place.y, place.z)), &def);
            good(abut_scene_find_contacts(scene[k], 1e-4, 0, &list[k], &error), &error);
            for (int32_t c = 0; c < list[k].count; ++c) volume[k] += list[k].contacts[c].volume;
        }
        assert_int_equal(list[0].count, list[1].count);
        CHECK_NEAR(volume[0], volume[1], 1e-12);
        touching += list[0].count > 0;
        for (int k = 0; k < 2; ++k) abut_contact_list_free(&list[k]);
        free_scenes(scene);
    }
    assert_true(touching > check_cases(2000) / 10);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct Run {
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutBodyId ground, body[3];
} Run;

/* A box, a ball and a cylinder over rough ground. */
static Run start(const Ground *ground, int pieces, AbutSimulationDef def) {
    AbutError error;
    Run run = {.scene = new_scene()};
    Adding to = {run.scene, add_body(run.scene, ABUT_BODY_STATIC, abut_pose_identity())};
    run.ground = to.body;
    if (pieces)
        good(abut_height_field_pieces(&ground->field, add_piece, &to, &error), &error);
    else
        add_field(run.scene, to.body, &ground->field);
    static const AbutShapeKind kind[3] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER};
    for (int k = 0; k < 3; ++k) {
        AbutShapeDef shape = abut_shape_default();
        shape.form.kind = kind[k];
        shape.form.size = abut_vec3(0.1, 0.15, 0.08);
        run.body[k] = add_body(run.scene, ABUT_BODY_DYNAMIC, at(-0.6 + 0.5 * k, 0.05 * k, 0.3));
        add_shape(run.scene, run.body[k], &shape);
        good(abut_scene_set_velocity(run.scene, run.body[k], abut_vec3(0.5, 0.1, 0), abut_zero(), &error), &error);
    }
    good(abut_simulation_create(run.scene, &def, &run.simulation, &error), &error);
    return run;
}

static void step(Run *run, int count) {
    AbutError error;
    for (int i = 0; i < count; ++i) good(abut_simulation_step(run->simulation, 1e-3, NULL, &error), &error);
}

static void end(Run *run) {
    abut_simulation_free(run->simulation);
    abut_scene_free(run->scene);
}

static void rough_ground(uint64_t seed, Ground *g) {
    AbutRng rng = abut_rng(seed, 2);
    for (int i = 0; i < MOST * MOST; ++i) g->heights[i] = abut_rng_between(&rng, 0, 0.02);
    g->field = (AbutHeightField){MOST, MOST, 1.5, 1.5, -0.2, g->heights};
    g->pose = abut_pose_identity();
}

/* The field and its pieces are the same ground: bodies end where they end on the other, nearly. Pressure on a thousand
 * pieces takes long, and is only looked at on the field. */
static void runs_are_as_on_pieces(void **state) {
    (void)state;
    static Ground ground;
    rough_ground(3, &ground);
    static const int model[3] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_PENALTY, ABUT_CONTACT_MODEL_PRESSURE};
    for (int m = 0; m < 3; ++m) {
        AbutSimulationDef def = abut_simulation_default();
        def.model = model[m];
        Run run[2] = {start(&ground, 0, def), start(&ground, m < 2, def)};
        for (int k = 0; k < 2; ++k) step(&run[k], m == 0 ? 1500 : 300);
        for (int b = 0; b < 3; ++b) {
            AbutBodyState x[2];
            for (int k = 0; k < 2; ++k) assert_true(abut_scene_get_body(run[k].scene, run[k].body[b], &x[k]));
            if (abut_point_distance(x[0].pose.p, x[1].pose.p) > 0.05 || x[0].pose.p.z < 0.05 || x[0].pose.p.z > 0.2)
                fail_msg("model %d, body %d: %g %g %g and %g %g %g", m, b, x[0].pose.p.x, x[0].pose.p.y, x[0].pose.p.z,
                    x[1].pose.p.x, x[1].pose.p.y, x[1].pose.p.z);
        }
        end(&run[0]);
        end(&run[1]);
    }
}

/* A restored run goes on with the same bits, in the same scene and in another one; so does one on more threads. */
static void states_are_restored(void **state) {
    (void)state;
    static Ground ground;
    rough_ground(4, &ground);
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    Run run = start(&ground, 0, def), other = start(&ground, 0, def);
    def.threads = 3;
    Run wide = start(&ground, 0, def);
    step(&run, 300);
    size_t bytes = abut_simulation_state_size(run.simulation);
    void *saved = malloc(bytes);
    assert_non_null(saved);
    abut_simulation_save(run.simulation, saved);
    step(&run, 300);
    step(&wide, 600);
    uint64_t hash = abut_simulation_hash(run.simulation);
    assert_true(hash == abut_simulation_hash(wide.simulation));
    Run *again[2] = {&run, &other};
    for (int k = 0; k < 2; ++k) {
        good(abut_simulation_restore(again[k]->simulation, saved, bytes, &error), &error);
        step(again[k], 300);
        assert_true(abut_simulation_hash(again[k]->simulation) == hash);
    }
    ground.heights[0] += 0.001;
    Run strange = start(&ground, 0, abut_simulation_default());
    assert_int_equal(abut_simulation_restore(strange.simulation, saved, bytes, &error), ABUT_ERROR_ARGUMENT);
    free(saved);
    end(&run);
    end(&other);
    end(&wide);
    end(&strange);
}

/* Fast bodies do not pass through ground of thin cells. */
static void fast_bodies_stop(void **state) {
    (void)state;
    static Ground ground;
    rough_ground(5, &ground);
    AbutError error;
    for (int i = 0; i < 8; ++i) {
        Run run = start(&ground, 0, abut_simulation_default());
        for (int b = 0; b < 3; ++b)
            good(abut_scene_set_velocity(
                     run.scene, run.body[b], abut_vec3(10.0 - i, 3, -100.0 - 80.0 * i), abut_zero(), &error),
                &error);
        step(&run, 50);
        for (int b = 0; b < 3; ++b) {
            AbutBodyState x;
            assert_true(abut_scene_get_body(run.scene, run.body[b], &x));
            assert_true(x.pose.p.z > 0.0);
        }
        end(&run);
    }
}

static int pairs_with_pieces(const AbutScene *scene) {
    int count = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) count += scene->pair[i].alive && scene->pair[i].piece >= 0;
    return count;
}

/* A million points, and bodies in one corner: pairs and pieces are those near the bodies; they go when the bodies do.
 */
static void large_fields_cost_what_is_near(void **state) {
    (void)state;
    enum { SIDE = 1000 };
    double *heights = malloc(sizeof *heights * SIDE * SIDE);
    AbutRng rng = abut_rng(6, 6);
    assert_non_null(heights);
    for (int i = 0; i < SIDE * SIDE; ++i) heights[i] = abut_rng_between(&rng, 0, 0.01);
    Ground ground = {.field = {SIDE, SIDE, 50, 50, -0.2, heights}};
    Run run = start(&ground, 0, abut_simulation_default());
    free(heights);
    step(&run, 400);
    int near = pairs_with_pieces(run.scene);
    assert_true(near > 10 && near < 400);
    AbutCast cast = {.ray = {abut_vec3(-60, -55, 5), abut_vec3(115, 110, -10)}};
    assert_int_equal(abut_scene_cast(run.scene, &cast, NULL, NULL).hit.outcome, ABUT_IMPACT_HIT);
    AbutNearestPoint below = abut_scene_nearest_point(run.scene, abut_vec3(20, 30, 4), NULL, NULL, NULL);
    CHECK_NEAR(below.distance, 4 - 0.005, 0.006);
    AbutError error;
    for (int b = 0; b < 3; ++b) good(abut_scene_remove_body(run.scene, run.body[b], &error), &error);
    step(&run, 1);
    assert_int_equal(pairs_with_pieces(run.scene), 0);
    end(&run);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void misuse_is_refused(void **state) {
    (void)state;
    static Ground ground;
    rough_ground(7, &ground);
    AbutScene *scene = new_scene();
    AbutError error;
    AbutShapeId id;
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    AbutBodyId box = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 1)),
               floor = add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0));
    assert_int_equal(abut_scene_add_shape(scene, floor, &def, &id, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "without heights"));
    def.form.field = &ground.field;
    assert_int_equal(abut_scene_add_shape(scene, box, &def, &id, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "cannot be part of a dynamic body"));
    good(abut_scene_add_shape(scene, floor, &def, &id, &error), &error);
    AbutGeometryDef form = {.kind = ABUT_SHAPE_BOX, .size = {1, 1, 1}};
    assert_int_equal(abut_scene_set_form(scene, id, &form, abut_pose_identity(), &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_kind(scene, floor, ABUT_BODY_DYNAMIC, &error), ABUT_ERROR_ARGUMENT);
    ground.field.columns = 1;
    assert_int_equal(abut_scene_add_shape(scene, floor, &def, &id, &error), ABUT_ERROR_ARGUMENT);
    ground.field.columns = 60000;
    ground.field.rows = 60000;
    assert_int_equal(abut_scene_add_shape(scene, floor, &def, &id, &error), ABUT_ERROR_ARGUMENT);
    ground.field.columns = ground.field.rows = MOST;
    ground.heights[5] = NAN;
    assert_int_equal(abut_scene_add_shape(scene, floor, &def, &id, &error), ABUT_ERROR_NUMBER);
    abut_scene_free(scene);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_are_those_of_the_pieces),
        cmocka_unit_test(rays_meet_joints),
        cmocka_unit_test(wide_fields_keep_their_heights),
        cmocka_unit_test(nearest_points_and_distances),
        cmocka_unit_test(contacts_are_those_of_the_pieces),
        cmocka_unit_test(runs_are_as_on_pieces),
        cmocka_unit_test(states_are_restored),
        cmocka_unit_test(fast_bodies_stop),
        cmocka_unit_test(large_fields_cost_what_is_near),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
