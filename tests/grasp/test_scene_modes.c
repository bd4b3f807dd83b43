/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modes of small scenes against brute force in whole numbers: a box on the ground with ball fingers and a wall, at
 * whole numbers and moved apart or into each other within the margin; velocities of all modes are of order one, also in
 * built-in scenes, and the mode of each is the one it came from. Meshes touch as they are: a nut on its thread by the
 * flanks, where hulls would touch elsewhere.
 */
#include "abut/grasp.h"
#include "oracle/mode_oracle.h"
#include "scene/scene_support.h"
#include "support/mode_dimension.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 6000, FINGERS = 2 };

static const double FARTHEST = 4e-6; /* of the gaps, in units of the box */

static AbutBodyId add_ball(AbutScene *scene, AbutVec3 p, double radius) {
    AbutShapeDef def = abut_shape_default();
    AbutBodyId id = add_body(scene, ABUT_BODY_STATIC, at(p.x, p.y, p.z));
    def.form.kind = ABUT_SHAPE_SPHERE;
    def.form.size = abut_vec3(radius, radius, radius);
    add_shape(scene, id, &def);
    return id;
}

static int whole(AbutRng *rng, int low, int high) { return low + (int)abut_rng_below(rng, (uint32_t)(high - low + 1)); }

/* The scene of a seed; `noise` moves every body along its contact normal. */
static AbutScene *make_scene(uint64_t seed, double noise) {
    AbutRng rng = abut_rng(41, seed), shake = abut_rng(42, seed);
    AbutScene *scene = new_scene();
    AbutShapeDef plane = abut_shape_default();
    int x = whole(&rng, 1, 3), y = whole(&rng, 1, 3), z = whole(&rng, 1, 3), fingers = whole(&rng, 0, FINGERS);
    plane.form.kind = ABUT_SHAPE_HALF_SPACE;
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &plane);
    double lift = noise * abut_rng_between(&shake, -1.0, 1.0);
    add_box(scene, ABUT_BODY_DYNAMIC, at(0, 0, z + lift), abut_vec3(x, y, z));
    for (int i = 0; i < fingers; ++i) {
        double gap = noise * abut_rng_between(&shake, -1.0, 1.0), r = whole(&rng, 1, 2), u = whole(&rng, 1 - x, x - 1),
               v = whole(&rng, 1 - y, y - 1), w = whole(&rng, 1, 2 * z - 1);
        int side = whole(&rng, 0, 2);
        add_ball(scene,
            side == 0   ? abut_vec3((i ? -1.0 : 1.0) * (x + r + gap), v, w)
            : side == 1 ? abut_vec3(u, (i ? -1.0 : 1.0) * (y + r + gap), w)
                        : abut_vec3(u, v, 2.0 * z + r + gap + lift),
            r);
    }
    return scene;
}

static AbutModeSystem system_of(const AbutScene *scene) {
    AbutContactList contacts;
    AbutModeSystem s;
    AbutError error;
    good(abut_scene_find_contacts(scene, -1.0, 1, &contacts, &error), &error);
    good(abut_scene_mode_system(scene, &contacts, 2, &s, &error), &error);
    abut_contact_list_free(&contacts);
    return s;
}

static void fill_oracle(const AbutModeSystem *s, ModeOracle *o) {
    memset(o->rows, 0, sizeof o->rows);
    o->contacts = s->contacts, o->lines = s->lines, o->dof = s->dof;
    for (int i = 0; i < s->contacts * (1 + s->lines); ++i)
        for (int j = 0; j < s->dof; ++j) {
            double x =
                i < s->contacts ? s->normal_rows[i * s->dof + j] : s->tangent_rows[(i - s->contacts) * s->dof + j];
            o->rows[i][j] = (int)lround(x);
            CHECK_NEAR(x, o->rows[i][j], 1e-13); /* points lie on the true bodies */
        }
}

static void check_velocities(const AbutModeSystem *s) {
    AbutModeList list = {0};
    AbutModeResult result;
    AbutError error;
    good(abut_mode_collect(s, NULL, &list, &result, &error), &error);
    for (size_t i = 0; i < list.count; i += 7) {
        AbutMode mode = abut_mode_list_get(&list, i);
        uint64_t bits[2];
        double v[6];
        good(abut_mode_velocity(s, mode, v, &error), &error);
        for (int j = 0; j < 6; ++j) CHECK(fabs(v[j]) < 50.0);
        good(abut_mode_of_velocity(s, v, 0.0, (AbutMode){bits, bits + 1}, &error), &error);
        CHECK(bits[0] == *mode.plus && bits[1] == *mode.minus);
        CHECK(mode_dimension(s, mode) >= 0);
    }
    abut_mode_list_free(&list);
}

static void counts_equal_brute_force(void **state) {
    (void)state;
    static uint64_t plus[LIMIT], minus[LIMIT];
    static ModeOracle oracle = {.limit = LIMIT, .plus = plus, .minus = minus};
    int cases = check_cases(25), compared = 0;
    for (int k = 0; k < cases; ++k) {
        AbutScene *scene = make_scene((uint64_t)k, 0.0);
        AbutModeSystem exact = system_of(scene);
        fill_oracle(&exact, &oracle);
        if (!mode_oracle_run(&oracle)) oracle.found = 0;
        for (int shaken = 0; shaken < 3; ++shaken) {
            AbutScene *moved = make_scene((uint64_t)k, shaken * 0.5 * FARTHEST);
            AbutModeSystem s = system_of(moved);
            AbutModeResult result;
            AbutError error;
            assert_int_equal(s.contacts, exact.contacts);
            good(abut_mode_enumerate(&s, NULL, &result, &error), &error);
            CHECK(oracle.found == 0 || result.modes == oracle.found);
            CHECK(!result.depends_on_tolerance);
            compared += oracle.found > 0;
            check_velocities(&s);
            abut_mode_system_free(&s);
            abut_scene_free(moved);
        }
        abut_mode_system_free(&exact);
        abut_scene_free(scene);
    }
    CHECK(compared >= cases);
}

/* ---- built-in scenes --------------------------------------------------------------------------------------------- */

static AbutScene *built(const char *name) {
    AbutModel *model;
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_model_build(name, 1, &model, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    return scene;
}

/* Every mode, or every `step`-th: its velocity is at most `most`, m/s or rad/s, and is given back. */
static void check_scene(const char *name, size_t contacts, size_t modes, size_t step, double most) {
    AbutScene *scene = built(name);
    AbutModeSystem s = system_of(scene);
    AbutModeList list = {0};
    AbutModeResult result;
    AbutError error;
    double v[64];
    good(abut_mode_collect(&s, NULL, &list, &result, &error), &error);
    assert_int_equal(s.contacts, contacts);
    assert_int_equal(list.count, modes);
    uint64_t *bits = calloc(2 * (size_t)list.words, sizeof *bits);
    for (size_t i = 0; i < list.count; i += step) {
        AbutMode mode = abut_mode_list_get(&list, i);
        good(abut_mode_velocity(&s, mode, v, &error), &error);
        for (int j = 0; j < s.dof; ++j) CHECK(fabs(v[j]) < most);
        good(abut_mode_of_velocity(&s, v, 0.0, (AbutMode){bits, bits + list.words}, &error), &error);
        CHECK(memcmp(bits, mode.plus, sizeof *bits * (size_t)list.words) == 0);
        CHECK(memcmp(bits + list.words, mode.minus, sizeof *bits * (size_t)list.words) == 0);
    }
    free(bits);
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
    abut_scene_free(scene);
}

static void velocities_of_built_in_scenes(void **state) {
    (void)state;
    check_scene("coin", 1, 10, 1, 20.0);     /* stands on one point: a spin about it moves nothing */
    check_scene("chain", 4, 10000, 7, 60.0); /* links that overlap at one point each */
    check_scene("slide", 4, 196, 1, 40.0);
    check_scene("domino:2", 6, 9016, 11, 100.0);
    check_scene("gripper", 4, 196, 1, 60.0);
    check_scene("nut", 0, 1, 1, 1.0); /* it hangs over its thread, inside the hull of it */
}

/* A nut that has come down touches its thread, of 60 degrees, with flanks alone: no normal is level, as that of hulls
 * is, and each is where the flank of the pitch is. */
static void a_nut_touches_by_its_flanks(void **state) {
    (void)state;
    AbutScene *scene = built("nut");
    AbutBodyId nut = {0, 0};
    AbutContactList contacts = {0};
    AbutError error;
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyState body;
        if (abut_scene_get_body(scene, abut_scene_body_at(scene, i), &body) && body.kind == ABUT_BODY_DYNAMIC)
            nut = abut_scene_body_at(scene, i);
    }
    AbutBodyState body;
    CHECK(abut_scene_get_body(scene, nut, &body));
    AbutPose pose = body.pose;
    double apart = pose.p.z,
           meet = apart - 1e-3; /* between these it comes to touch: halved to a quarter of a micrometer */
    while (apart - meet > 2.5e-7) {
        pose.p.z = 0.5 * (apart + meet);
        abut_contact_list_free(&contacts);
        good(abut_scene_set_pose(scene, nut, pose, &error), &error);
        good(abut_scene_find_contacts(scene, -1.0, 1, &contacts, &error), &error);
        *(contacts.count > 0 ? &meet : &apart) = pose.p.z;
    }
    abut_contact_list_free(&contacts);
    pose.p.z = meet;
    good(abut_scene_set_pose(scene, nut, pose, &error), &error);
    good(abut_scene_find_contacts(scene, -1.0, 1, &contacts, &error), &error);
    CHECK(contacts.count > 0);
    for (int32_t i = 0; i < contacts.count; ++i) {
        CHECK(contacts.contacts[i].normal.z > 0.85 && contacts.contacts[i].normal.z < 0.88);
        CHECK(contacts.contacts[i].depth < 1e-6);
    }
    CHECK(contacts.noise < 1e-3);
    abut_contact_list_free(&contacts);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_equal_brute_force),
        cmocka_unit_test(velocities_of_built_in_scenes), cmocka_unit_test(a_nut_touches_by_its_flanks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
