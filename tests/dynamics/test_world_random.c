/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random scenes: bodies of random hulls, masses over six orders of magnitude, random speeds, with and without gravity,
 * some of them static or kinematic. Whatever happens, the state stays finite, the sweeps stay below their limit, and
 * energy comes from nowhere.
 *
 * The bound: no body is driven (scenes with a moving kinematic body are held to the other demands only), so energy,
 * gravity included, may not rise above its start by more than RISE of its scale: the kinetic energy at the start, plus
 * the weight of all bodies times their size. Where bodies overlap at the start, pushing them apart gives energy: half
 * the mass times the square of the velocity that the model wants for an overlap of the size of a body is added to the
 * scale.
 */
#include "dynamics/world_support.h"

#include <stdlib.h>

enum { STEPS = 60, MOST_BODIES = 12 };
static const double RISE = 1e-3;

static AbutPolyhedron *random_hull(AbutRng *rng, double size) {
    AbutVec3 p[40];
    AbutPolyhedron *out = NULL;
    for (int tries = 0; !out && tries < 50; ++tries) {
        int n = 4 + (int)abut_rng_below(rng, 37);
        AbutVec3 stretch = abut_vec3(
            abut_rng_between(rng, 0.2, 1.0), abut_rng_between(rng, 0.2, 1.0), abut_rng_between(rng, 0.2, 1.0));
        for (int i = 0; i < n; ++i) p[i] = abut_scale(abut_mul(stretch, abut_random_direction(rng)), size);
        if (abut_polyhedron_from_points(p, n, NULL, &out, NULL) == ABUT_OK && out->inner_radius < 0.02 * size) {
            abut_polyhedron_free(out); /* four points can be nearly flat: another throw */
            out = NULL;
        }
    }
    CHECK(out != NULL);
    return out;
}

typedef struct Case {
    World world;
    double dt, scale; /* scale of energy */
    int driven;       /* has kinematic bodies */
} Case;

static void add_random_body(
    AbutScene *scene, AbutRng *rng, AbutVec3 place, double size, double speed, int kind, Case *c) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    AbutError error;
    AbutBodyState state;
    AbutPolyhedron *hull = random_hull(rng, size);
    body.kind = kind == 0 ? ABUT_BODY_STATIC : (kind == 1 ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC);
    body.pose = abut_pose(place, abut_random_quat(rng));
    if (body.kind != ABUT_BODY_STATIC) {
        body.velocity = abut_scale(abut_random_direction(rng), speed * abut_rng_unit(rng));
        body.spin = abut_scale(abut_random_direction(rng), speed / size * abut_rng_unit(rng));
    }
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    shape.density = exp(abut_rng_between(rng, log(1.0), log(1e6)));
    shape.material.friction = abut_rng_between(rng, 0.0, 1.2);
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    good(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    CHECK(abut_scene_get_body(scene, id, &state));
    abut_polyhedron_free(hull);
    c->scale += state.mass; /* for now the mass; the caller makes energy of it */
    c->driven |= body.kind == ABUT_BODY_KINEMATIC;
}

/* Bodies on a jittered grid, so that few overlap at the start (none when `apart`). */
static Case random_case(uint64_t number, int apart) {
    AbutRng rng = abut_rng(41, number);
    Case c;
    c.scale = 0.0, c.driven = 0;
    AbutScene *scene = new_scene();
    double size = exp(abut_rng_between(&rng, log(0.02), log(1.0))),
           speed = abut_rng_below(&rng, 3) ? abut_rng_between(&rng, 0.0, 20.0) : 0.0;
    double spacing = (apart ? 2.05 : 1.4) * size;
    int bodies = 2 + (int)abut_rng_below(&rng, MOST_BODIES - 1), ground = abut_rng_below(&rng, 2) == 0;
    for (int i = 0; i < bodies; ++i) {
        AbutVec3 cell = abut_vec3(i % 2, i / 2 % 2, i / 4);
        AbutVec3 jitter = abut_scale(abut_random_direction(&rng), apart ? 0.0 : 0.2 * size);
        AbutVec3 place = abut_add(abut_add(abut_scale(cell, spacing), jitter), abut_vec3(0.0, 0.0, 1.05 * size));
        add_random_body(scene, &rng, place, size, speed, i == 0 ? 2 : (int)abut_rng_below(&rng, 12), &c);
    }
    if (ground) add_ground(scene, abut_quat_identity(), abut_rng_between(&rng, 0.0, 1.0));
    AbutSimulationDef def = abut_simulation_default();
    if (abut_rng_below(&rng, 3) == 0) def.gravity = abut_zero();
    c.dt = exp(abut_rng_between(&rng, log(1e-4), log(1e-2)));
    c.world = world_of(scene, &def);
    double kinetic, mass = c.scale;
    abut_simulation_energy(c.world.sim, &kinetic, NULL);
    c.scale = kinetic + mass * abut_length(def.gravity) * size;
    double push = apart ? 0.0 : 0.5 * 0.1 / c.dt * size; /* half of beta / dt times the overlap; beta is at most 0.1 */
    c.scale += 0.5 * mass * push * push;
    return c;
}

static void require_finite(const World *world, uint64_t number, int step) {
    for (int i = 0; i < abut_scene_body_count(world->scene); ++i) {
        AbutBodyState b = body_of(world, abut_scene_body_at(world->scene, i));
        if (!abut_is_finite(b.center) || !abut_is_finite(b.velocity) || !abut_is_finite(b.spin) ||
            !abut_pose_is_finite(b.pose))
            fail_msg("scene %d, step %d: body %d is not finite", (int)number, step, i);
    }
}

/* Runs a case; gives the largest energy above the start, in units of its scale, and counts contacts. */
static double run_case(uint64_t number, int apart, long *contacts) {
    Case c = random_case(number, apart);
    double start = abut_simulation_energy(c.world.sim, NULL, NULL), most = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        AbutStepReport r = world_step(&c.world, c.dt);
        require_finite(&c.world, number, i);
        CHECK(isfinite(r.kinetic) && isfinite(r.potential) && isfinite(r.residual) && isfinite(r.max_depth));
        CHECK(r.sweeps >= 0 && r.sweeps <= 200); /* a hundred more where sweeps ran away */
        CHECK(r.islands <= MOST_BODIES && r.capped_islands <= 4 * MOST_BODIES);
        *contacts += r.contacts;
        most = abut_larger(most, (r.kinetic + r.potential - start) / abut_larger(c.scale, 1e-300));
    }
    int driven = c.driven;
    world_free(&c.world);
    return driven ? -1.0 : most;
}

static void scenes_that_start_apart_gain_no_energy(void **state) {
    (void)state;
    int cases = check_cases(1000), held = 0;
    long contacts = 0;
    double worst = 0.0;
    uint64_t first = getenv("ABUT_TEST_FIRST") ? strtoull(getenv("ABUT_TEST_FIRST"), NULL, 10) : 0;
    for (int i = 0; i < cases; ++i) {
        double rise = run_case(first + (uint64_t)i, 1, &contacts);
        if (rise > RISE) print_error("scene %d: energy rises by %.3g of its scale\n", (int)first + i, rise);
        worst = abut_larger(worst, rise);
        held += rise >= 0.0;
    }
    print_message("%d scenes, %d without drives, %ld contacts, largest rise %.3g\n", cases, held, contacts, worst);
    CHECK(worst <= RISE);
    CHECK(held > cases / 4 && contacts > 5L * cases);
}

static void scenes_that_start_overlapping_stay_bounded(void **state) {
    (void)state;
    int cases = check_cases(500);
    long contacts = 0;
    double worst = 0.0;
    for (int i = 0; i < cases; ++i) worst = abut_larger(worst, run_case(1000000u + (uint64_t)i, 0, &contacts));
    print_message("%d scenes, %ld contacts, largest rise %.3g\n", cases, contacts, worst);
    CHECK(worst <= 1.0);
    CHECK(contacts > 5L * cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_that_start_apart_gain_no_energy),
        cmocka_unit_test(scenes_that_start_overlapping_stay_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
