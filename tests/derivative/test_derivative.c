/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derivatives of a step against central differences of the step itself, from a saved state: free bodies that fall,
 * stick, slide, roll and lie in piles; arms, grippers and a walking robot. Contacts are built in every step, and solved
 * as far as doubles go, so that differences see the law alone.
 */
#include "dynamics/robot_world.h"

#include "abut/derivative.h"
#include "dynamics/solver_tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    World world;
    AbutDerivative *d;
    AbutDerivativeResult r;
    char *saved;
    size_t bytes;
    double dt;
} Case;

static AbutSimulationDef exact_def(void) {
    AbutSimulationDef def = abut_simulation_default();
    def.tolerance = 1e-15;
    def.iterations = 20000;
    def.sleeping = 0;
    def.rolling = 0.0;
    return def;
}

/* ---- states, by numbers of abut/derivative.h ---------------------------------------------------------------------- */

typedef struct State {
    int32_t n;
    AbutPose pose[64];
    double q[256], v[512];
} State;

static State state_of(const AbutSimulation *sim) {
    static State s;
    const AbutScene *scene = sim->scene;
    int32_t bodies = 0, q = 0, v = 0;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        const AbutBody *b = &scene->body[i];
        if (!b->alive || !(b->inv_mass > 0.0) || b->tree >= 0) continue;
        s.pose[bodies++] = abut_pose(abut_sub(b->x, abut_mat3_apply(b->rotation, b->local_center)), b->q);
        double vel[6] = {b->v.x, b->v.y, b->v.z, b->w.x, b->w.y, b->w.z};
        memcpy(s.v + v, vel, sizeof vel);
        v += 6;
    }
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) {
        const AbutConfiguration *c = scene->robot_tree[t].configuration;
        memcpy(s.q + q, c->q, (size_t)c->tree->nq * sizeof(double));
        memcpy(s.v + v, c->v, (size_t)c->tree->nv * sizeof(double));
        q += c->tree->nq, v += c->tree->nv;
    }
    s.n = v;
    return s;
}

/* The state moved along number k by so much. */
static void nudge(AbutSimulation *sim, int32_t k, double by) {
    AbutScene *scene = sim->scene;
    int32_t n = state_of(sim).n, first = 0, velocity = k >= n;
    k %= n;
    AbutVec3 step = abut_scale(abut_axis(k % 3), by);
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *b = &scene->body[i];
        if (!b->alive || !(b->inv_mass > 0.0) || b->tree >= 0) continue;
        if (k >= first && k < first + 6) {
            if (velocity && k < first + 3) b->v = abut_add(b->v, step);
            if (velocity && k >= first + 3) b->w = abut_add(b->w, step);
            if (!velocity && k < first + 3) b->x = abut_add(b->x, step);
            if (!velocity && k >= first + 3) {
                AbutVec3 at = abut_sub(b->x, abut_mat3_apply(b->rotation, b->local_center));
                b->q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(step), b->q));
                abut_body_moved(b);
                b->x = abut_add(at, abut_mat3_apply(b->rotation, b->local_center));
            }
        }
        first += 6;
    }
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) {
        AbutConfiguration *c = scene->robot_tree[t].configuration;
        double unit[128] = {0};
        if (k >= first && k < first + c->tree->nv) {
            unit[k - first] = 1.0;
            if (velocity)
                c->v[k - first] += by;
            else
                abut_configuration_integrate(c, c->q, unit, by, c->q);
            abut_robot_update(c);
            abut_robot_velocities(c);
            abut_scene_place_links(scene, &scene->robot_tree[t]);
        }
        first += c->tree->nv;
    }
}

/* high less low, as 2 n numbers. */
static void difference(const AbutSimulation *sim, const State *low, const State *high, double *out) {
    const AbutScene *scene = sim->scene;
    int32_t n = low->n, at = 0, body = 0, q = 0;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        const AbutBody *b = &scene->body[i];
        if (!b->alive || !(b->inv_mass > 0.0) || b->tree >= 0) continue;
        AbutVec3 p = abut_sub(high->pose[body].p, low->pose[body].p),
                 r = abut_quat_log(abut_quat_mul(high->pose[body].q, abut_quat_conj(low->pose[body].q)));
        double x[6] = {p.x, p.y, p.z, r.x, r.y, r.z};
        memcpy(out + at, x, sizeof x);
        at += 6, ++body;
    }
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) {
        const AbutConfiguration *c = scene->robot_tree[t].configuration;
        abut_configuration_difference(c, low->q + q, high->q + q, out + at);
        at += c->tree->nv, q += c->tree->nq;
    }
    for (int32_t k = 0; k < n; ++k) out[n + k] = high->v[k] - low->v[k];
}

/* ---- cases ---------------------------------------------------------------------------------------------------------- */

static Case begin(World world, double dt, int settle, const AbutDerivativeDef *def) {
    Case c = {.world = world, .dt = dt};
    AbutError error;
    c.world.sim->contacts.coherence = 0.0;
    for (int i = 0; i < settle; ++i) world_step(&c.world, dt);
    good(abut_derivative_create(c.world.sim, def, &c.d, &error), &error);
    c.bytes = abut_simulation_state_size(c.world.sim);
    c.saved = malloc(c.bytes);
    assert_non_null(c.saved);
    abut_simulation_save(c.world.sim, c.saved);
    return c;
}

static void back(Case *c) {
    AbutError error;
    good(abut_simulation_restore(c->world.sim, c->saved, c->bytes, &error), &error);
}

static void take(Case *c) {
    AbutError error;
    good(abut_derivative_step(c->d, c->dt, NULL, &error), &error);
    c->r = abut_derivative_result(c->d);
}

static void end(Case *c) {
    abut_derivative_free(c->d);
    free(c->saved);
    world_free(&c->world);
}

/* Central differences of the step along number k, by two widths, so that what is of third order cancels. */
static void column_of(Case *c, int32_t k, double by, double *out) {
    static double wide[1024];
    int32_t n = c->r.n;
    for (int pass = 0; pass < 2; ++pass, by *= 0.5) {
        State s[2];
        for (int side = 0; side < 2; ++side) {
            back(c);
            nudge(c->world.sim, k, side ? by : -by);
            world_step(&c->world, c->dt);
            s[side] = state_of(c->world.sim);
        }
        difference(c->world.sim, &s[0], &s[1], pass ? out : wide);
        for (int32_t i = 0; i < 2 * n; ++i) (pass ? out : wide)[i] /= 2.0 * by;
    }
    for (int32_t i = 0; i < 2 * n; ++i) out[i] = (4.0 * out[i] - wide[i]) / 3.0;
}

/* Largest difference between the derivative and that, as a part of the largest entry: of what places change, and of
 * what velocities change; places count as what they are in a step. */
static double worst_of(Case *c, double by) {
    static double column[1024];
    int32_t n = c->r.n;
    double worst[2] = {0, 0}, size[2] = {0, 0};
    for (int32_t k = 0; k < 2 * n; ++k) {
        column_of(c, k, by, column);
        for (int32_t i = 0; i < 2 * n; ++i) {
            double own = c->r.by_state[(size_t)i * 2 * (size_t)n + (size_t)k], miss = fabs(own - column[i]);
            worst[k >= n] = fmax(worst[k >= n], miss);
            size[k >= n] = fmax(size[k >= n], fabs(own));
        }
    }
    return fmax(worst[0] / size[0], worst[1] / size[1]);
}

/* ---- states ---------------------------------------------------------------------------------------------------------- */

typedef struct Kind {
    const char *spec;
    double dt, kick, most;
    int settle, states, wanted; /* steps before; states to try, and how many of them must count */
} Kind;

static double random_unit(uint64_t *rng) {
    *rng = *rng * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*rng >> 40) / (1 << 23) - 1.0;
}

static World state_from(const Kind *kind, int number) {
    AbutSimulationDef def = exact_def();
    World w = world_from(kind->spec, 1 + (uint64_t)number, &def);
    uint64_t rng = 77 + (uint64_t)number;
    w.sim->contacts.coherence = 0.0;
    world_run(&w, kind->dt, kind->settle + 7 * number);
    int32_t n = state_of(w.sim).n;
    for (int32_t k = n; k < 2 * n; ++k) nudge(w.sim, k, kind->kick * random_unit(&rng));
    for (int32_t a = 0; w.sim->trees && a < w.sim->trees->control_count; ++a)
        w.sim->trees->control[a] += 0.1 * random_unit(&rng);
    return w;
}

/* Away from switches, and solved: 1 and the difference. */
static int state_counts(Case *c, double *worst) {
    take(c);
    if (!c->r.smooth || !c->r.unique || c->r.residual > 1e-12) return 0;
    *worst = fmin(worst_of(c, 1e-7), worst_of(c, 1e-8)); /* a wide one may cross a switch, a narrow one has roundings */
    return 1;
}

static void check_kind(const Kind *kind) {
    int counted = 0, states = check_cases(kind->states);
    double most = 0.0;
    for (int i = 0; i < states; ++i) {
        Case c = begin(state_from(kind, i), kind->dt, 1, NULL);
        double worst = 0.0;
        if (state_counts(&c, &worst)) ++counted;
        most = fmax(most, worst);
        end(&c);
    }
    printf("%-14s %d of %d states, off by %.2g at most\n", kind->spec, counted, states, most);
    fflush(stdout);
    assert_true(counted >= kind->wanted * states / kind->states);
    assert_true(most <= kind->most);
}

static void test_states(void **state) {
    static const Kind kinds[] = {{"boxes:1", 1e-3, 1.0, 5e-6, 0, 20, 15}, {"boxes:3", 1e-3, 0.02, 1e-6, 300, 20, 2},
        {"balls:3", 1e-3, 0.05, 1e-6, 300, 20, 10}, {"arm6", 1e-3, 0.5, 1e-6, 10, 20, 15},
        {"gripper", 1e-3, 0.05, 1e-6, 100, 20, 5}, {"hand16", 1e-3, 0.2, 1e-6, 100, 6, 4},
        {"delta", 1e-3, 0.05, 1e-5, 100, 6, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) check_kind(&kinds[i]);
}

/* ---- inputs and parameters ------------------------------------------------------------------------------------------ */

/* A ball that slides and spins: what its corners carry is determined. */
static World ball_on_floor(double mass, double friction, double spin) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = exact_def();
    AbutError error;
    add_ground(scene, abut_quat(1, 0, 0, 0), friction);
    AbutBodyDef body = abut_body_default();
    AbutBodyId id;
    body.pose.p = abut_vec3(0, 0, 0.1);
    body.velocity = abut_vec3(1, 0.3, 0);
    body.spin = abut_vec3(0, spin, 1);
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    AbutShapeDef shape = abut_shape_default();
    AbutShapeId shape_id;
    shape.form.kind = ABUT_SHAPE_SPHERE;
    shape.form.size = abut_vec3(0.1, 0, 0);
    shape.material.friction = friction;
    good(abut_scene_add_shape(scene, id, &shape, &shape_id, &error), &error);
    good(abut_scene_set_mass(scene, id, mass, abut_zero(), abut_mat3_diagonal(0.004, 0.005, 0.006), &error), &error);
    return world_of(scene, &def);
}

static void test_parameters(void **state) {
    (void)state;
    World w = ball_on_floor(2.0, 0.4, 3.0);
    AbutBodyId ball = abut_scene_body_at(w.scene, 1);
    AbutDerivativeParameter parameters[] = {{ABUT_PARAMETER_MASS, 0, ball, 0, 0},
        {ABUT_PARAMETER_FRICTION, 0, ball, 0, 0}, {ABUT_PARAMETER_INERTIA, 1, ball, 0, 0},
        {ABUT_PARAMETER_GRAVITY, 0, {0}, 0, 0}, {ABUT_PARAMETER_BODY_DAMPING, 0, ball, 0, 0},
        {ABUT_PARAMETER_BODY_DAMPING, 1, ball, 0, 0}};
    enum { COUNT = sizeof parameters / sizeof parameters[0] };
    AbutDerivativeDef def = {.forces = 1, .parameter_count = COUNT, .parameters = parameters};
    Case c = begin(w, 1e-3, 3, &def);
    take(&c);
    assert_true(c.r.smooth && c.r.unique);
    assert_int_equal(c.r.force_count, 6);
    double column[12], by = 1e-5, worst = 0.0;
    for (int p = 0; p < 2; ++p) {
        double mass[2] = {2.0, 2.0}, mu[2] = {0.4, 0.4};
        (p ? mu : mass)[0] -= by, (p ? mu : mass)[1] += by;
        /* the first steps have the number as it was */
        Case side[2];
        State s[2];
        for (int k = 0; k < 2; ++k) {
            AbutError error;
            side[k] = begin(ball_on_floor(2.0, 0.4, 3.0), 1e-3, 3, NULL);
            AbutBodyId id = abut_scene_body_at(side[k].world.scene, 1);
            AbutMat3 inertia = abut_mat3_scale(abut_mat3_diagonal(0.004, 0.005, 0.006), mass[k] / 2.0);
            AbutShapeDef shape;
            if (p == 0)
                good(abut_scene_set_mass(side[k].world.scene, id, mass[k], abut_zero(), inertia, &error), &error);
            for (int b = 0; b < 2 && p == 1; ++b) {
                AbutShapeId at =
                    abut_scene_shape_at(side[k].world.scene, abut_scene_body_at(side[k].world.scene, b), 0);
                abut_scene_get_shape(side[k].world.scene, at, &shape, NULL);
                shape.material.friction = mu[k], shape.material.friction_kinetic = -1.0;
                good(abut_scene_set_material(side[k].world.scene, at, &shape.material, &error), &error);
            }
            world_step(&side[k].world, 1e-3);
            s[k] = state_of(side[k].world.sim);
        }
        difference(side[0].world.sim, &s[0], &s[1], column);
        for (int i = 0; i < 12; ++i)
            worst = fmax(worst, fabs(column[i] / (2.0 * by) - c.r.by_parameter[i * COUNT + p]));
        end(&side[0]);
        end(&side[1]);
    }
    printf("mass and friction: off by %.2g\n", worst);
    assert_true(worst < 1e-7);
    /* an external force for a step is an impulse on the ball that its floor answers to: as a change of velocity */
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(c.r.by_input[i * 6 + k] * 2.0 / 1e-3 - c.r.by_state[i * 12 + 6 + k]) < 1e-9);
    end(&c);
}

static void test_refusals(void **state) {
    (void)state;
    World w = ball_on_floor(1.0, 0.4, 0.0);
    AbutBodyId ball = abut_scene_body_at(w.scene, 1), ground = abut_scene_body_at(w.scene, 0), none = {0};
    AbutDerivative *d;
    AbutError error;
    const struct {
        AbutDerivativeParameter p;
        const char *text;
    } bad[] = {{{ABUT_PARAMETER_KIND_COUNT, 0, ball, 0, 0}, "kind"}, {{-1, 0, ball, 0, 0}, "kind"},
        {{ABUT_PARAMETER_CENTER, 3, ball, 0, 0}, "axis below 3"},
        {{ABUT_PARAMETER_MASS, 0, none, 0, 0}, "body of the scene"},
        {{ABUT_PARAMETER_MASS, 0, ground, 0, 0}, "free dynamic body"}, {{ABUT_PARAMETER_GAIN, 0, ball, 0, 0}, "robot"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutDerivativeDef def = {.parameter_count = 1, .parameters = &bad[i].p};
        assert_int_equal(abut_derivative_create(w.sim, &def, &d, &error), ABUT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, bad[i].text));
        assert_null(d);
    }
    AbutDerivativeDef def = {.smoothing = -1.0};
    assert_int_equal(abut_derivative_create(w.sim, &def, &d, &error), ABUT_ERROR_ARGUMENT);
    good(abut_derivative_create(w.sim, NULL, &d, &error), &error);
    assert_null(abut_derivative_result(d).by_state); /* before the first step */
    assert_int_equal(abut_derivative_step(d, -1.0, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_null(abut_derivative_result(d).by_state); /* a failed one */
    good(abut_derivative_step(d, 1e-3, NULL, &error), &error);
    assert_int_equal(abut_derivative_result(d).n, 6);
    good(abut_scene_remove_body(w.scene, ball, &error), &error);
    assert_int_equal(abut_derivative_step(d, 1e-3, NULL, &error), ABUT_ERROR_ARGUMENT);
    abut_derivative_free(d);
    world_free(&w);
}

/* With and without derivative, on one thread and on two: equal bits of the simulation, and of the matrices. */
static void test_bits(void **state) {
    (void)state;
    uint64_t hash[3];
    double sum[2] = {0.0, 0.0};
    for (int run = 0; run < 3; ++run) {
        AbutSimulationDef def = abut_simulation_default();
        AbutError error;
        def.threads = run == 1 ? 2 : 1;
        World w = world_from("gripper", 1, &def);
        AbutDerivative *d;
        good(abut_derivative_create(w.sim, NULL, &d, &error), &error);
        for (int i = 0; i < 100; ++i) {
            if (run == 2) {
                world_step(&w, 1e-3);
                continue;
            }
            good(abut_derivative_step(d, 1e-3, NULL, &error), &error);
            AbutDerivativeResult r = abut_derivative_result(d);
            for (int k = 0; k < 4 * r.n * r.n; ++k) sum[run] += (k % 7 + 1) * r.by_state[k];
        }
        hash[run] = abut_simulation_hash(w.sim);
        abut_derivative_free(d);
        world_free(&w);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
    assert_memory_equal(&sum[0], &sum[1], sizeof sum[0]);
}

/* Parts of a step: the chain through them is that of steps of their length. */
static void test_chain(void **state) {
    (void)state;
    static double product[36 * 36], first[36 * 36];
    AbutSimulationDef def = exact_def();
    AbutError error;
    World a = world_from("gripper", 1, &def), b = world_from("gripper", 1, &def);
    AbutDerivative *da, *db;
    good(abut_derivative_create(a.sim, NULL, &da, &error), &error);
    good(abut_derivative_create(b.sim, NULL, &db, &error), &error);
    good(abut_derivative_step(da, 4e-3, NULL, &error), &error);
    AbutDerivativeResult r = abut_derivative_result(da), s;
    int32_t n = 2 * r.n;
    int parts = 0;
    for (double t = 0.0; t < 3.9e-3; t += 2e-3, ++parts) {
        good(abut_derivative_step(db, 2e-3, NULL, &error), &error);
        s = abut_derivative_result(db);
        if (parts == 0) memcpy(first, s.by_state, (size_t)(n * n) * sizeof *first);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            product[i * n + k] = 0.0;
            for (int q = 0; q < n; ++q) product[i * n + k] += s.by_state[i * n + q] * first[q * n + k];
            assert_true(fabs(product[i * n + k] - r.by_state[i * n + k]) < 1e-9 * (1.0 + fabs(product[i * n + k])));
        }
    abut_derivative_free(da);
    abut_derivative_free(db);
    world_free(&a);
    world_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_bits), cmocka_unit_test(test_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
