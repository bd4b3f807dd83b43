/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modes of a scene against the simulator: a block on a table under slanted gravity, and pushed at several heights. The
 * modes whose forces are possible must be those that the simulation shows and that a hand calculation gives: rest,
 * slide or tip.
 */
#include "abut/dynamics.h"
#include "abut/literature.h"
#include "support/check.h"
#include "abut/grasp.h"

#include <string.h>

typedef enum Outcome { RESTS, SLIDES, TIPS, OTHER } Outcome;

static const char *const names[] = {"rests", "slides", "tips", "other"};
static const double G = 9.81, HALF = 0.1; /* half width of the block, m */

typedef struct Table {
    AbutScene *scene;
    AbutSimulation *sim;
    AbutBodyId block;
    AbutVec3 gravity;
} Table;

static void require(AbutStatus status, const AbutError *error) {
    if (status != ABUT_OK) fail_msg("%s", error->text);
}

static AbutBodyId add(
    AbutScene *scene, AbutBodyDef body, AbutShapeKind kind, AbutVec3 half, double mu, AbutShapeId *shape) {
    AbutError error;
    AbutBodyId id;
    AbutShapeDef def = abut_shape_default();
    def.form.kind = kind;
    def.form.size = half;
    def.density = 1000.0;
    def.material.friction = mu;
    require(abut_scene_add_body(scene, &body, &id, &error), &error);
    require(abut_scene_add_shape(scene, id, &def, shape, &error), &error);
    return id;
}

/* A block of half height h on the ground; a pusher of speed v at height z behind it unless z is 0. */
static Table begin(double h, double mu, AbutVec3 gravity, double z, double v) {
    Table t;
    AbutError error;
    AbutShapeId ground, block, pusher;
    AbutBodyDef def = abut_body_default();
    AbutSimulationDef how = abut_simulation_default();
    require(abut_scene_create(&t.scene, &error), &error);
    def.kind = ABUT_BODY_STATIC;
    add(t.scene, def, ABUT_SHAPE_HALF_SPACE, abut_zero(), mu, &ground);
    def = abut_body_default();
    def.pose.p = abut_vec3(0.0, 0.0, h);
    t.block = add(t.scene, def, ABUT_SHAPE_BOX, abut_vec3(HALF, HALF, h), mu, &block);
    if (z > 0.0) {
        def.kind = ABUT_BODY_KINEMATIC;
        def.pose.p = abut_vec3(-HALF - 0.02, 0.0, z);
        def.velocity = abut_vec3(v, 0.0, 0.0);
        add(t.scene, def, ABUT_SHAPE_BOX, abut_vec3(0.02, 0.05, 0.005), 0.0, &pusher);
        require(abut_scene_set_pair_friction(t.scene, block, pusher, 0.0, 0.0, &error), &error);
    }
    how.gravity = t.gravity = gravity;
    require(abut_simulation_create(t.scene, &how, &t.sim, &error), &error);
    return t;
}

static void end(Table *t) {
    abut_simulation_free(t->sim);
    abut_scene_free(t->scene);
}

static void run(Table *t, double time) {
    AbutError error;
    for (int i = 0; i < (int)lround(time / 1e-3); ++i)
        require(abut_simulation_step(t->sim, 1e-3, NULL, &error), &error);
}

static Outcome outcome_of(const Table *t) {
    AbutBodyState s;
    CHECK(abut_scene_get_body(t->scene, t->block, &s));
    double tilt = abut_length(abut_quat_log(s.pose.q));
    return tilt > 0.01 ? TIPS : fabs(s.center.x) > 1e-3 ? SLIDES : fabs(s.center.x) < 1e-4 ? RESTS : OTHER;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static Outcome kind_of(const AbutModeSystem *s, AbutMode mode) {
    int8_t sign[128];
    int apart = 0, sliding = 0;
    abut_mode_signs(s, 0, mode, sign);
    for (int i = 0; i < s->contacts; ++i) {
        apart += sign[i] != 0;
        int moves = 0;
        for (int k = 0; k < s->lines; ++k) moves |= sign[s->contacts + s->lines * i + k] != 0;
        sliding += sign[i] == 0 && moves;
    }
    return apart == 0 && sliding == 0             ? RESTS
           : apart == 0 && sliding == s->contacts ? SLIDES
           : apart > 0 && apart < s->contacts     ? TIPS
                                                  : OTHER;
}

typedef struct Seen {
    const AbutModeSystem *system;
    int count[4];
} Seen;

static int note(AbutMode mode, void *user) {
    Seen *seen = user;
    seen->count[kind_of(seen->system, mode)] += 1;
    return 0;
}

/*
 * The one kind of mode that masses, weights and friction allow from rest. Four lines: between two of them the pyramid
 * of friction gives way at 0.92 mu; with two lines it would at 0.71 mu, and a block that should rest may turn and
 * slide.
 */
static Outcome possible_outcome(Table *t) {
    AbutModeSystem s;
    AbutError error;
    AbutModeResult result;
    double force[6], mass[36], friction[64];
    AbutModeOptions options = abut_mode_options_default();
    AbutContactList list;
    require(abut_scene_find_contacts(t->scene, 1e-9, 1, &list, &error), &error);
    require(abut_scene_mode_system(t->scene, &list, 4, &s, &error), &error);
    assert_int_equal(s.contacts, 4);
    assert_int_equal(s.dof, 6);
    AbutSceneForces wanted = {.force = force, .mass = mass, .friction = friction};
    require(abut_scene_mode_forces(t->scene, &list, t->gravity, &wanted, &error), &error);
    abut_contact_list_free(&list);
    AbutModeForces forces = {.force = force, .mass = mass, .friction = friction, .step = 1e-3};
    Seen seen = {&s, {0}};
    options.tolerance = 1e-6;
    options.visit = note;
    options.user = &seen;
    require(abut_mode_consistent(&s, &forces, &options, &result, &error), &error);
    abut_mode_system_free(&s);
    CHECK(result.complete);
    Outcome found = OTHER;
    int kinds = 0;
    for (int k = 0; k < 4; ++k)
        if (seen.count[k]) {
            ++kinds;
            found = (Outcome)k;
        }
    return kinds == 1 ? found : OTHER;
}

static void slanted_gravity(void **state) {
    (void)state;
    static const double heights[] = {0.05, 0.15, 0.3}, slopes[] = {0.2, 0.4, 0.6, 0.8};
    const double mu = 0.5;
    int seen[4] = {0};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k) {
            double h = heights[i], slope = slopes[k], angle = atan(slope), tips_at = HALF / h;
            if (slope > mu && tips_at < mu) continue; /* slides and tips together */
            Outcome expected = slope > tips_at && tips_at < mu ? TIPS : slope > mu ? SLIDES : RESTS;
            Table t = begin(h, mu, abut_vec3(G * sin(angle), 0.0, -G * cos(angle)), 0.0, 0.0);
            Outcome possible = possible_outcome(&t);
            run(&t, 0.15);
            Outcome shown = outcome_of(&t);
            if (expected != possible || expected != shown)
                fail_msg("h %g, slope %g: %s by hand, %s by modes, %s in the simulation", h, slope, names[expected],
                    names[possible], names[shown]);
            ++seen[expected];
            end(&t);
        }
    CHECK(seen[RESTS] >= 3 && seen[SLIDES] >= 3 && seen[TIPS] >= 1);
}

/* Quasi-static: a force along x at height z that just moves the block. */
static int balances(Table *t, Outcome kind, double push, double z, double h) {
    AbutModeSystem s;
    AbutError error;
    AbutModeForceResult result;
    double force[6], friction[64], sample[6] = {0};
    uint64_t plus, minus;
    AbutMode mode = {&plus, &minus};
    AbutContactList list;
    require(abut_scene_find_contacts(t->scene, 1e-9, 1, &list, &error), &error);
    require(abut_scene_mode_system(t->scene, &list, 2, &s, &error), &error);
    AbutSceneForces wanted = {.force = force, .friction = friction};
    require(abut_scene_mode_forces(t->scene, &list, t->gravity, &wanted, &error), &error);
    abut_contact_list_free(&list);
    force[0] += push;
    force[4] += (z - h) * push;
    if (kind == SLIDES)
        sample[0] = 1.0;
    else /* about the front lower edge: x = HALF, z = 0, seen from the center (-HALF, h) away */
        sample[4] = 1.0, sample[0] = h, sample[2] = HALF;
    require(abut_mode_of_velocity(&s, sample, 1e-6, mode, &error), &error);
    assert_int_equal(kind_of(&s, mode), kind);
    AbutModeForces forces = {.force = force, .friction = friction};
    require(abut_mode_force_feasible(&s, mode, &forces, &result, NULL, NULL, &error), &error);
    abut_mode_system_free(&s);
    return result.feasible;
}

static void pushed_at_several_heights(void **state) {
    (void)state;
    static const double heights[] = {0.05, 0.1, 0.15, 0.18, 0.23, 0.3, 0.36};
    const double mu = 0.5, h = 0.2, weight = 1000.0 * 8.0 * HALF * HALF * h * G;
    int seen[4] = {0};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; ++i) {
        double z = heights[i];
        Outcome expected = mu * z < HALF ? SLIDES : TIPS;
        Table alone = begin(h, mu, abut_vec3(0.0, 0.0, -G), 0.0, 0.0);
        int slides = balances(&alone, SLIDES, mu * weight, z, h),
            tips = balances(&alone, TIPS, weight * HALF / z, z, h);
        end(&alone);
        Table t = begin(h, mu, abut_vec3(0.0, 0.0, -G), z, 0.05);
        run(&t, 0.3);
        Outcome shown = outcome_of(&t);
        if (slides != (expected == SLIDES) || tips != (expected == TIPS) || shown != expected)
            fail_msg("pushed at %g: %s by hand, %d %d by modes, %s in the simulation", z, names[expected], slides, tips,
                names[shown]);
        ++seen[expected];
        end(&t);
    }
    CHECK(seen[SLIDES] >= 3 && seen[TIPS] >= 3);
}

/* The mode that the simulation names: rest, then sliding along x, then separation; each is a mode of its system. */
static void simulation_names_its_mode(void **state) {
    (void)state;
    static const struct {
        double slope;
        AbutVec3 velocity;
        Outcome kind;
    } cases[] = {
        {0.2, {0, 0, 0}, RESTS}, {0.8, {0, 0, 0}, SLIDES}, {0.0, {0.3, 0.1, 0}, SLIDES}, {0.0, {-0.3, 0, 0}, SLIDES}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double angle = atan(cases[i].slope);
        AbutError error;
        AbutModeSystem s;
        uint64_t plus, minus;
        AbutMode mode = {&plus, &minus};
        double velocity[6], inside[6];
        Table t = begin(0.05, 0.5, abut_vec3(G * sin(angle), 0.0, -G * cos(angle)), 0.0, 0.0);
        require(abut_scene_set_velocity(t.scene, t.block, cases[i].velocity, abut_zero(), &error), &error);
        run(&t, 0.02);
        AbutContactList list;
        require(abut_simulation_get_contacts(t.sim, &list, &error), &error);
        require(abut_scene_mode_system(t.scene, &list, 2, &s, &error), &error);
        int vertices = 0;
        for (int32_t k = 0; k < list.count; ++k) vertices += list.contacts[k].vertex_count;
        assert_int_equal(s.contacts, vertices);
        assert_int_equal(s.dof, abut_scene_mode_dof(t.scene));
        require(abut_scene_mode(t.scene, &list, 2, 2e-3, mode, &error), &error);
        assert_int_equal(kind_of(&s, mode), cases[i].kind);
        require(abut_mode_velocity(&s, mode, inside, &error), &error);
        AbutSceneForces wanted = {.velocity = velocity};
        require(abut_scene_mode_forces(t.scene, NULL, t.gravity, &wanted, &error), &error);
        abut_contact_list_free(&list);
        AbutBodyState body;
        CHECK(abut_scene_get_body(t.scene, t.block, &body));
        CHECK(velocity[0] == body.velocity.x && velocity[5] == body.spin.z);
        for (int row = 0; row < 2 * s.contacts; ++row) { /* signs of the rows on the velocity, by the rows themselves */
            double value = 0.0;
            for (int j = 0; j < 6; ++j) value += s.tangent_rows[6 * row + j] * velocity[j];
            int bit = s.contacts + row;
            CHECK((value > 2e-3) == (int)(plus >> bit & 1) && (value < -2e-3) == (int)(minus >> bit & 1));
        }
        abut_mode_system_free(&s);
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slanted_gravity),
        cmocka_unit_test(pushed_at_several_heights),
        cmocka_unit_test(simulation_names_its_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
