/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modes of small scenes against brute force in whole numbers: a box on the ground with ball fingers and a wall, at
 * whole numbers and moved apart or into each other within the margin; velocities of all modes are of order one.
 */
#include "abut/grasp.h"
#include "oracle/mode_oracle.h"
#include "scene/scene_support.h"
#include "support/mode_dimension.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_equal_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
