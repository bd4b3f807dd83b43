/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of the playground (web/native/playground), built natively: the steps of a plain simulation, hands that
 * act, settings that hold, numbers as laid out, and bad input.
 */
#include "support/check.h"
#include "abut/literature.h"

#include <stdlib.h>
#include <string.h>

#include "web/native/playground/play.h"

static void load(const char *scene) {
    snprintf(play_text(), PLAY_TEXT, "%s", scene);
    assert_int_equal(play_load(1), 1);
}

static uint64_t whole_hash(void) { return (uint64_t)play_hash(1) << 32 | play_hash(0); }

/* What `abut simulate` does, for so many steps. */
static uint64_t plain_hash(const char *scene, int model, double step, double gravity, int steps) {
    AbutScene *s = NULL;
    AbutModel *m = NULL;
    AbutSimulation *sim = NULL;
    AbutStepReport report;
    AbutSimulationDef def = abut_simulation_default();
    def.model = model;
    assert_int_equal(abut_scene_create(&s, NULL), ABUT_OK);
    assert_int_equal(abut_model_build(scene, 1, &m, NULL), ABUT_OK);
    assert_int_equal(abut_scene_add_model(s, m, abut_pose_identity(), NULL, NULL), ABUT_OK);
    def.gravity = gravity > 0.0 ? abut_vec3(0, 0, -gravity) : m->gravity;
    assert_int_equal(abut_simulation_create(s, &def, &sim, NULL), ABUT_OK);
    for (int i = 0; i < steps; ++i) assert_int_equal(abut_simulation_step(sim, step, &report, NULL), ABUT_OK);
    uint64_t hash = abut_simulation_hash(sim);
    abut_simulation_free(sim);
    abut_scene_free(s);
    abut_model_free(m);
    return hash;
}

static void test_steps_are_those_of_a_simulation(void **state) {
    (void)state;
    load("stack:4");
    assert_int_equal(play_step(150), 150);
    assert_true(whole_hash() == plain_hash("stack:4", ABUT_CONTACT_MODEL_VOL, 0.001, 0.0, 150));
    load("stack:4");
    assert_int_equal(play_set_model(ABUT_CONTACT_MODEL_POINT), 1);
    assert_int_equal(play_set_step(0.002), 1);
    assert_int_equal(play_set_gravity(0, 0, -3.5), 1);
    assert_int_equal(play_step(80), 80);
    assert_true(whole_hash() == plain_hash("stack:4", ABUT_CONTACT_MODEL_POINT, 0.002, 3.5, 80));
    play_unload();
}

static const double *slot_state(int slot) { return play_state() + PLAY_STATE * slot; }

static void test_hands(void **state) {
    (void)state;
    load("stack:2");
    play_step(50);
    double height = slot_state(2)[2];
    assert_int_equal(play_drag(2, 0, 0, 0, 0.0, 0.0, height + 0.4), 1);
    play_step(600);
    assert_true(fabs(slot_state(2)[2] - (height + 0.4)) < 0.05);
    play_let_go();
    play_step(600);
    assert_true(fabs(slot_state(2)[2] - height) < 0.02);
    double x = slot_state(1)[0];
    const double *at = slot_state(1);
    assert_int_equal(play_push(1, at[0], at[1], at[2], 5.0, 0.0, 0.0), 1);
    play_step(50);
    assert_true(slot_state(1)[0] > x + 0.01);
    assert_int_equal(play_drag(0, 0, 0, 0, 0, 0, 1), 0); /* the ground */
    assert_non_null(strstr(play_text(), "no body"));
    assert_int_equal(play_drag(1, 0, 0, 0, NAN, 0, 1), 0);
    assert_int_equal(play_push(99, 0, 0, 0, 1, 0, 0), 0);
    play_unload();
}

static void test_balls(void **state) {
    (void)state;
    load("stack:1");
    int first = play_throw(0.05, 0.1, 1.0, 0.0, 0.5, -4.0, 0.0, 0.0);
    assert_int_equal(first, 2);
    assert_true(slot_state(first)[13] == 1.0 && slot_state(first + 1)[13] == 0.0);
    play_step(100);
    assert_true(slot_state(first)[0] < 0.75);
    for (int i = 1; i < PLAY_BALLS + 3; ++i) {
        int slot = play_throw(0.05, 0.1, 1.0, 0.3 * i, 0.5, 0.0, 0.0, 0.0);
        assert_int_equal(slot, 2 + i % PLAY_BALLS);
        play_step(5);
    }
    assert_int_equal(play_step(300), 300);
    const double *contacts = play_contacts();
    int count = (int)contacts[0];
    assert_true(count > PLAY_BALLS);
    const double *c = contacts + 1;
    for (int i = 0; i < count; ++i, c += 22 + 5 * (int)c[21]) {
        assert_true(c[0] >= 0.0 && c[0] < play_slots() && c[1] >= 0.0 && c[1] < play_slots());
        assert_true(fabs(c[3] * c[3] + c[4] * c[4] + c[5] * c[5] - 1.0) < 1e-9 && c[21] >= 1.0);
    }
    assert_int_equal(play_throw(-1.0, 0.1, 0, 0, 1, 0, 0, 0), -1);
    assert_int_equal(play_throw(0.05, 0.1, 0, 0, NAN, 0, 0, 0), -1);
    play_unload();
}

static void test_settings_on_the_way(void **state) {
    (void)state;
    load("incline:0.4");
    play_step(200);
    double rest = slot_state(1)[0];
    play_step(100);
    assert_true(fabs(slot_state(1)[0] - rest) < 1e-4);
    assert_int_equal(play_set_friction(0.1), 1);
    play_step(300);
    assert_true(fabs(slot_state(1)[0] - rest) > 0.02); /* it slides now */
    for (int m = 0; m < ABUT_CONTACT_MODEL_COUNT; ++m) {
        assert_int_equal(play_set_model(m), 1);
        assert_int_equal(play_step(5), 5);
    }
    assert_int_equal(play_set_gravity(0, 0, 0), 1);
    assert_int_equal(play_set_model(99), 0);
    assert_int_equal(play_set_step(0.0), 0);
    assert_int_equal(play_set_friction(-1.0), 0);
    assert_int_equal(play_set_gravity(NAN, 0, 0), 0);
    play_unload();
}

static void test_modes(void **state) {
    (void)state;
    char mode[64];
    long long cs = 0, all = 0;
    load("stack:1");
    play_step(20);
    assert_int_equal(play_modes(1, 1), 1);
    assert_int_equal(sscanf(play_text(), "%63s %lld %lld", mode, &cs, &all), 3);
    assert_string_equal(mode, "000000000000"); /* four corners stick */
    assert_true(cs == 10 && all > cs);
    assert_int_equal(play_modes(1, 0), 1);
    assert_string_equal(play_text(), "000000000000 -1 -1");
    assert_int_equal(play_modes(5, 1), 0);
    load("drop");
    assert_int_equal(play_modes(1, 1), 0);
    assert_string_equal(play_text(), "it touches nothing");
    play_unload();
}

static void test_words(void **state) {
    (void)state;
    assert_non_null(strstr(play_names(), "\"models\":[\"vol\""));
    load("shapes:10");
    const char *text = play_describe();
    assert_non_null(text);
    assert_non_null(strstr(text, "\"round\":\"sphere\""));
    assert_non_null(strstr(text, "\"vertices\":["));
    snprintf(play_text(), PLAY_TEXT, "no-such-scene");
    assert_int_equal(play_load(1), 0);
    assert_non_null(strstr(play_text(), "no-such-scene"));
    assert_int_equal(play_step(3), 3); /* the scene before is still there */
    play_unload();
    assert_int_equal(play_step(1), 0);
    assert_int_equal(play_set_friction(0.5), 0);
    assert_int_equal(play_throw(0.1, 0.1, 0, 0, 0, 0, 0, 0), -1);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_those_of_a_simulation),
        cmocka_unit_test(test_hands),
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_settings_on_the_way),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
