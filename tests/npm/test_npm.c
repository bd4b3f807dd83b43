/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of the npm package (web/native/npm), built natively: answers are those of the library, worlds take the
 * steps of a plain simulation, refusals leave nothing behind, and web/npm/records.ts holds the types of the answers.
 */
#include "support/check.h"
#include "support/random_bodies.h"
#include "abut/file.h"

#include <stdlib.h>
#include <string.h>

#include "web/native/npm/npm.h"

static void say(const char *text) { strcpy(js_text((int)strlen(text) + 1), text); }

static void numbers(int count, const double *values) {
    memcpy(js_numbers(count), values, (size_t)count * sizeof *values);
}

static AbutSolidBody *words(const char *text) {
    say(text);
    AbutSolidBody *body = js_body_words();
    assert_non_null(body);
    return body;
}

/* What the library says, as the same JSON. */
static void assert_answer(const char *got, const AbutRecord *record, const void *expected) {
    assert_non_null(got);
    char *copy = strdup(got);
    assert_string_equal(copy, js_answer(record, expected));
    free(copy);
}

static void test_answers_are_those_of_the_library(void **state) {
    (void)state;
    AbutSolidBody *a = words("box:1,0.5,2"), *b = words("cone:0.5,0.7");
    AbutRng rng = abut_rng(7, 1);
    int meetings = 0;
    for (int i = 0; i < check_cases(200); ++i) {
        AbutPose pose = random_pose(&rng, 2.0);
        const double n[] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z, 0.0};
        AbutGap gap = abut_distance(abut_solid_of(a), abut_solid_of(b), pose, NULL, NULL);
        AbutCollision collision = abut_collide(abut_solid_of(a), abut_solid_of(b), pose, NULL);
        numbers(8, n);
        assert_answer(js_distance(a, b), &abut_gap_record, &gap);
        assert_answer(js_collide(a, b), &abut_collision_record, &collision);
        meetings += gap.distance < 0.0;
    }
    assert_true(meetings > 3);
    js_body_free(a);
    js_body_free(b);
}

static uint64_t plain_hash(const char *scene, int steps) {
    AbutScene *s = NULL;
    AbutModel *m = NULL;
    AbutSimulation *sim = NULL;
    AbutSimulationDef def = abut_simulation_default();
    assert_int_equal(abut_scene_create(&s, NULL), ABUT_OK);
    assert_int_equal(abut_model_build(scene, 1, &m, NULL), ABUT_OK);
    assert_int_equal(abut_scene_add_model(s, m, abut_pose_identity(), NULL, NULL), ABUT_OK);
    def.gravity = m->gravity;
    assert_int_equal(abut_simulation_create(s, &def, &sim, NULL), ABUT_OK);
    for (int i = 0; i < steps; ++i) assert_int_equal(abut_simulation_step(sim, 1e-3, NULL, NULL), ABUT_OK);
    uint64_t hash = abut_simulation_hash(sim);
    abut_simulation_free(sim);
    abut_scene_free(s);
    abut_model_free(m);
    return hash;
}

static World *world_of(const char *scene) {
    say(scene);
    World *world = js_world(1);
    assert_non_null(world);
    assert_int_equal(js_world_start(world), 1);
    return world;
}

static uint64_t hash_of(const World *world) {
    return (uint64_t)js_world_hash(world, 1) << 32 | js_world_hash(world, 0);
}

static void test_worlds_take_plain_steps(void **state) {
    (void)state;
    const char *scenes[] = {"stack:4", "boxes:5", "biped"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        World *world = world_of(scenes[i]);
        assert_int_equal(js_world_step(world, 150, 1e-3), 1);
        assert_true(hash_of(world) == plain_hash(scenes[i], 150));
        js_world_free(world);
    }
}

static void test_saved_states_go_on(void **state) {
    (void)state;
    World *world = world_of("boxes:5");
    assert_int_equal(js_world_step(world, 200, 1e-3), 1);
    int bytes = js_world_save(world);
    assert_true(bytes > 0);
    char *saved = malloc((size_t)bytes);
    memcpy(saved, js_text(0), (size_t)bytes);
    assert_int_equal(js_world_step(world, 50, 1e-3), 1);
    uint64_t hash = hash_of(world);
    memcpy(js_text(bytes), saved, (size_t)bytes);
    assert_int_equal(js_world_restore(world, bytes), 1);
    assert_int_equal(js_world_step(world, 50, 1e-3), 1);
    assert_true(hash_of(world) == hash);
    assert_int_equal(js_world_restore(world, bytes - 1), 0);
    free(saved);
    js_world_free(world);
}

static int add_body(World *world, const double *pose) {
    double n[13] = {0};
    memcpy(n, pose, JS_POSE * sizeof *n);
    numbers(13, n);
    say("cube");
    return js_world_add_body(world, ABUT_BODY_DYNAMIC);
}

static void test_a_scene_of_its_own(void **state) {
    (void)state;
    const double cube[13] = {0.5, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 1000, 0.5, 0}, place[JS_POSE] = {0, 0, 2, 1, 0, 0, 0};
    say("");
    World *world = js_world(1);
    assert_int_equal(add_body(world, place), 0);
    numbers(13, cube);
    assert_int_equal(js_world_add_shape(world, 0, ABUT_SHAPE_BOX, NULL), 1);
    assert_string_equal(js_world_body_name(world, 0), "cube");
    say("gravity_z");
    assert_int_equal(js_world_set(world, -2.0), 1);
    assert_int_equal(js_world_start(world), 1);
    assert_int_equal(js_world_step(world, 100, 1e-2), 1);
    const double *now = js_world_state(world);
    CHECK_NEAR(now[9], -2.0, 1e-9);
    CHECK_NEAR(now[2], 1.0, 0.011); /* the steps are of first order */
    const double impulse[6] = {0, 0, 4000, now[0], now[1], now[2]};
    numbers(6, impulse);
    assert_int_equal(js_world_push(world, 0), 1);
    CHECK_NEAR(js_world_state(world)[9], 2.0, 1e-9);
    assert_int_equal(js_world_body_count(world), 1);
    js_world_free(world);
}

static void refused(const void *answer, const char *why) {
    assert_null(answer);
    if (!strstr(js_error(), why)) fail_msg("expected '%s' in '%s'", why, js_error());
}

static void test_refusals(void **state) {
    (void)state;
    const double far[8] = {NAN, 0, 0, 1, 0, 0, 0, 0}, corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    AbutSolidBody *a = words("sphere:1");
    say("mug");
    refused(js_body_words(), "expected a body in words");
    say("no such scene");
    refused(js_world(1), "no built-in model");
    numbers(8, far);
    refused(js_distance(a, a), "expected finite numbers");
    refused(js_depth(a, a), "expected finite numbers");
    refused(js_collide(a, a), "expected finite numbers");
    numbers(12, corners);
    memcpy(js_integers(3), (int32_t[]){0, 1, 4}, 3 * sizeof(int32_t));
    refused(js_body_mesh(4, 1, ABUT_SOLID_TRIANGLES), "triangle 0: expected vertices 0 .. 3, got 4");
    World *world = world_of("stack:2");
    say("hurry");
    assert_int_equal(js_world_set(world, 1.0), 0);
    say("iterations");
    assert_int_equal(js_world_set(world, -1.0), 0);
    say("model=wax");
    assert_int_equal(js_world_set(world, 0.0), 0);
    assert_int_equal(js_world_step(world, 1, NAN), 0);
    assert_int_equal(js_world_step(world, 10, 1e-3), 1);
    js_world_free(world);
    js_body_free(a);
}

static void test_types_are_those_of_the_package(void **state) {
    (void)state;
    char *bytes;
    size_t count;
    assert_int_equal(
        abut_file_load(ABUT_SOURCE_DIR "/web/npm/records.ts", "types", 1 << 20, &bytes, &count, NULL), ABUT_OK);
    const char *types = js_types();
    assert_non_null(types);
    if (count != strlen(types) || memcmp(bytes, types, count) != 0)
        fail_msg("web/npm/records.ts differs from the tables of the library: scripts/npm writes it");
    abut_free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_those_of_the_library),
        cmocka_unit_test(test_worlds_take_plain_steps),
        cmocka_unit_test(test_saved_states_go_on),
        cmocka_unit_test(test_a_scene_of_its_own),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_types_are_those_of_the_package),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
