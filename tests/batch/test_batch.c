/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches against single simulations, bit by bit: random controls and states, resets at different times, parameters of
 * each world, one thread and several; save and restore; worlds that fail; bad input.
 */
#include "dynamics/robot_world.h"

#include "abut/batch.h"
#include "math/numbers.h"

#include <math.h>
#include <string.h>

enum { WORLDS = 7, ROUNDS = 60, SUBSTEPS = 3, MOST = 64 };
static const double DT = 0.002;

static AbutModel *robot(const char *spec) {
    AbutModel *model;
    AbutError error;
    good(abut_model_build(spec, 1, &model, &error), &error);
    return model;
}

static AbutBatch *batch_of(const AbutModel *model, int32_t worlds, int threads) {
    AbutSimulationDef def = abut_simulation_default();
    AbutBatch *batch;
    AbutError error;
    def.gravity = model->gravity;
    def.threads = threads;
    good(abut_batch_create(model, worlds, &def, 0, NULL, &batch, &error), &error);
    return batch;
}

static double *array(AbutBatch *batch, int field) {
    int32_t shape[3];
    double *out = abut_batch_array(batch, field, shape);
    assert_non_null(out);
    return out;
}

/* ---- one simulation, as a user makes it -------------------------------------------------------------------------- */

typedef struct Single {
    AbutScene *scene;
    AbutSimulation *sim;
} Single;

static Single single_of(const AbutModel *model) {
    Single s;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = model->gravity;
    good(abut_scene_create(&s.scene, &error), &error);
    good(abut_scene_add_model(s.scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_simulation_create(s.scene, &def, &s.sim, &error), &error);
    return s;
}

static void single_free(Single *s) {
    abut_simulation_free(s->sim);
    abut_scene_free(s->scene);
}

static void single_run(Single *s, int32_t nu, const double *controls) {
    AbutError error;
    if (nu) good(abut_simulation_set_control(s->sim, 0, nu, controls, &error), &error);
    for (int k = 0; k < SUBSTEPS; ++k) good(abut_simulation_step(s->sim, DT, NULL, &error), &error);
}

/* A scene of free bodies alone is no robot. */
static void same_bodies(const AbutScene *a, const AbutScene *b) {
    AbutBodyState x, y;
    assert_int_equal(abut_scene_body_count(a), abut_scene_body_count(b));
    for (int i = 0; i < abut_scene_body_count(a); ++i) {
        assert_true(abut_scene_get_body(a, abut_scene_body_at(a, i), &x));
        assert_true(abut_scene_get_body(b, abut_scene_body_at(b, i), &y));
        assert_memory_equal(&x.pose, &y.pose, sizeof x.pose);
        assert_memory_equal(&x.velocity, &y.velocity, sizeof x.velocity);
        assert_memory_equal(&x.spin, &y.spin, sizeof x.spin);
    }
}

/* The world has exactly the bits of the single simulation: positions, velocities, time, and all that is hashed. */
static void same(AbutBatch *batch, int32_t world, const Single *s) {
    const AbutModel *model = abut_batch_model(batch);
    int32_t nq = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS),
            nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    double q[MOST], v[MOST];
    assert_string_equal(abut_batch_reason(batch, world), "");
    if (abut_scene_robot_count(s->scene) == 0) {
        same_bodies(abut_simulation_scene(abut_batch_simulation(batch, world)), s->scene);
        return;
    }
    assert_true(abut_scene_get_joints(s->scene, 0, q, v));
    assert_memory_equal(q, array(batch, ABUT_BATCH_POSITIONS) + world * nq, (size_t)nq * sizeof *q);
    assert_memory_equal(v, array(batch, ABUT_BATCH_VELOCITIES) + world * nv, (size_t)nv * sizeof *v);
    assert_true(array(batch, ABUT_BATCH_TIME)[world] == abut_simulation_time(s->sim));
    assert_true(abut_simulation_hash(abut_batch_simulation(batch, world)) == abut_simulation_hash(s->sim));
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

/* A state near the reference: joints turned a little, the base lifted. */
static void random_state(AbutRng *rng, int32_t nq, int32_t nv, const double *reference, double *q, double *v) {
    for (int32_t i = 0; i < nq; ++i) q[i] = reference[i] + abut_rng_between(rng, -0.05, 0.05);
    for (int32_t i = 0; i < nv; ++i) v[i] = abut_rng_between(rng, -0.5, 0.5);
}

static void random_controls(AbutRng *rng, int32_t nu, double *u) {
    for (int32_t i = 0; i < nu; ++i) u[i] = abut_rng_between(rng, -1.0, 1.0);
}

/* Worlds run with random controls and are reset at random times, to the reference, a keyframe or a random state. */
static void compare(const char *spec, int threads) {
    AbutModel *model = robot(spec);
    AbutBatch *batch = batch_of(model, WORLDS, threads);
    AbutRng rng = abut_rng(33, 1);
    AbutError error;
    Single single[WORLDS];
    int32_t nq = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS),
            nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), nu = model->actuator_count;
    double *q = array(batch, ABUT_BATCH_POSITIONS), *v = array(batch, ABUT_BATCH_VELOCITIES),
           *u = array(batch, ABUT_BATCH_CONTROLS), reference[MOST];
    int resets = 0;
    assert_true(nq <= MOST && nv <= MOST);
    for (int i = 0; i < WORLDS; ++i) single[i] = single_of(model);
    memcpy(reference, q, (size_t)nq * sizeof *q);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < WORLDS; ++i) {
            uint8_t mask[WORLDS] = {0};
            if (abut_rng_below(&rng, 12) > 0) continue;
            ++resets;
            mask[i] = 1;
            single_free(&single[i]);
            single[i] = single_of(model);
            int32_t key = (int32_t)abut_rng_below(&rng, (uint32_t)model->keyframe_count + 1) - 1;
            good(abut_batch_reset(batch, mask, key, &error), &error);
            if (abut_rng_below(&rng, 2) && abut_scene_robot_count(single[i].scene)) {
                random_state(&rng, nq, nv, reference, q + i * nq, v + i * nv);
                good(abut_scene_set_joints(single[i].scene, 0, nq, q + i * nq, nv, v + i * nv, &error), &error);
            } else if (key >= 0) {
                good(abut_scene_set_keyframe(single[i].scene, 0, key, &error), &error);
            }
        }
        for (int i = 0; i < WORLDS; ++i) random_controls(&rng, nu, u + i * nu);
        good(abut_batch_step(batch, DT, SUBSTEPS, &error), &error);
        for (int i = 0; i < WORLDS; ++i) {
            single_run(&single[i], nu, u + i * nu);
            same(batch, i, &single[i]);
        }
    }
    assert_true(resets > 10);
    for (int i = 0; i < WORLDS; ++i) single_free(&single[i]);
    abut_batch_free(batch);
    abut_model_free(model);
}

static void test_worlds_have_the_bits_of_single_runs(void **state) {
    (void)state;
    compare("biped", 1);
    compare("biped", 2);
    compare("humanoid", 3);
    compare("boxes:6", 2); /* free bodies without joints */
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

/* The model with the masses, gains, friction and gravity that a world has. */
static AbutModel *tuned(const AbutModel *model, double mass, double gain, double friction, AbutVec3 gravity) {
    AbutModel *out;
    AbutError error;
    good(abut_model_copy(model, &out, &error), &error);
    out->gravity = gravity;
    for (int32_t i = 0; i < out->body_count; ++i) {
        AbutBodyDef *body = (AbutBodyDef *)(uintptr_t)&out->bodies[i];
        if (!(body->mass > 0.0)) continue;
        double wanted = body->mass * mass;
        body->inertia = abut_mat3_scale(body->inertia, wanted / body->mass);
        body->mass = wanted;
    }
    for (int32_t i = 0; i < out->actuator_count; ++i) {
        AbutActuatorDef *a = (AbutActuatorDef *)(uintptr_t)&out->actuators[i];
        a->gain *= gain;
        for (int k = 0; k < 3; ++k) a->bias[k] *= gain;
    }
    for (int32_t i = 0; i < out->shape_count; ++i)
        ((AbutShapeDef *)(uintptr_t)&out->shapes[i])->material.friction = friction;
    return out;
}

/* A jointed arm of stated masses above a floor, with a servo and a motor. */
static AbutModel *arm(void) {
    AbutModel *model = new_model();
    AbutError error;
    put_floor(model, 0.7);
    int32_t upper = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.3), 2.0, abut_vec3(0.02, 0, 0), 0.2),
            lower = add_mass(model, ABUT_BODY_LINK, upper, abut_vec3(0.25, 0, 0), 0.5, abut_vec3(0.1, 0, 0), 0.1);
    put_box(model, upper, abut_zero(), abut_vec3(0.2, 0.1, 0.05), 0.7);
    put_box(model, lower, abut_vec3(0.1, 0, 0), abut_vec3(0.1, 0.04, 0.04), 0.7);
    put_hinge(model, lower, abut_vec3(0, 1, 0));
    AbutActuatorDef servo = abut_actuator_default();
    servo.number = 0;
    AbutActuatorDef motor = servo;
    servo.gain = 30.0, servo.bias[1] = -30.0, servo.bias[2] = -1.0;
    good(abut_model_add_actuator(model, &servo, NULL, &error), &error);
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    return model;
}

static void test_parameters_of_each_world(void **state) {
    (void)state;
    AbutModel *model = arm();
    AbutBatch *batch = batch_of(model, WORLDS, 2);
    AbutRng rng = abut_rng(33, 2);
    AbutError error;
    Single single[WORLDS];
    AbutModel *model_of[WORLDS];
    double *mass = array(batch, ABUT_BATCH_MASS), *gain = array(batch, ABUT_BATCH_GAIN),
           *friction = array(batch, ABUT_BATCH_FRICTION), *gravity = array(batch, ABUT_BATCH_GRAVITY),
           *u = array(batch, ABUT_BATCH_CONTROLS);
    int32_t nb = model->body_count, nu = model->actuator_count, ns = model->shape_count;
    for (int i = 0; i < WORLDS; ++i) {
        double by = i == 0 ? 1.0 : abut_rng_between(&rng, 0.5, 2.0), strength = i < 2 ? 1.0 : 1.25,
               mu = abut_rng_between(&rng, 0.1, 1.2);
        AbutVec3 g = abut_vec3(0.0, 0.1 * i, -8.0 - 0.3 * i);
        model_of[i] = tuned(model, by, strength, mu, g);
        single[i] = single_of(model_of[i]);
        for (int32_t k = 0; k < nb; ++k) mass[i * nb + k] *= by;
        for (int32_t k = 0; k < 4 * nu; ++k) gain[i * 4 * nu + k] *= strength;
        for (int32_t k = 0; k < ns; ++k) friction[i * ns + k] = mu;
        abut_vec3_put(g, gravity + 3 * i);
    }
    for (int round = 0; round < 2 * ROUNDS; ++round) {
        if (round == ROUNDS) { /* a reset keeps the parameters */
            good(abut_batch_reset(batch, NULL, -1, &error), &error);
            for (int i = 0; i < WORLDS; ++i) single_free(&single[i]), single[i] = single_of(model_of[i]);
        }
        for (int32_t k = 0; k < WORLDS * nu; ++k) u[k] = abut_rng_between(&rng, -1.0, 1.0);
        good(abut_batch_step(batch, DT, SUBSTEPS, &error), &error);
        for (int i = 0; i < WORLDS; ++i) {
            single_run(&single[i], nu, u + i * nu);
            same(batch, i, &single[i]);
        }
    }
    for (int i = 0; i < WORLDS; ++i) single_free(&single[i]), abut_model_free(model_of[i]);
    abut_batch_free(batch);
    abut_model_free(model);
}

/* ---- contact forces ---------------------------------------------------------------------------------------------- */

static void test_watched_contacts(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutBatch *batch;
    AbutError error;
    int32_t shape[3];
    put_floor(model, 0.7);
    int32_t low = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.1), 2.0, abut_zero(), 0.1),
            high = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.3), 3.0, abut_zero(), 0.1);
    put_box(model, low, abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0.7);
    put_box(model, high, abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0.7);
    AbutPair watches[] = {{low, -1}, {low, 0}, {high, low}, {high, 0}};
    good(abut_batch_create(model, 2, NULL, 4, watches, &batch, &error), &error);
    good(abut_batch_step(batch, DT, 400, &error), &error);
    const double *f = abut_batch_array(batch, ABUT_BATCH_CONTACT, shape);
    assert_true(shape[0] == 2 && shape[1] == 4 && shape[2] == 6);
    double g = ABUT_GRAVITY;
    for (int w = 0; w < 2; ++w, f += 24) { /* at rest: weights, as far as the solver goes */
        assert_true(fabs(f[2] - 2.0 * g) < 1e-4 * g);
        assert_true(fabs(f[6 + 2] - 5.0 * g) < 1e-4 * g);
        assert_true(fabs(f[12 + 2] - 3.0 * g) < 1e-4 * g);
        for (int k = 0; k < 6; ++k) assert_true(f[18 + k] == 0.0 && (k == 2 || fabs(f[6 + k]) < 1e-4 * g));
    }
    abut_batch_free(batch);
    abut_model_free(model);
}

/* ---- save and restore -------------------------------------------------------------------------------------------- */

static void run_on(AbutBatch *batch, AbutRng *rng, int rounds) {
    AbutError error;
    int32_t shape[3];
    double *u = abut_batch_array(batch, ABUT_BATCH_CONTROLS, shape);
    for (int r = 0; r < rounds; ++r) {
        for (int32_t k = 0; k < shape[0] * shape[1]; ++k) u[k] = abut_rng_between(rng, -1.0, 1.0);
        good(abut_batch_step(batch, DT, 2, &error), &error);
    }
}

static void test_save_and_restore(void **state) {
    (void)state;
    AbutModel *model = arm();
    AbutBatch *a = batch_of(model, WORLDS, 2), *b = batch_of(model, WORLDS, 1);
    AbutRng rng = abut_rng(33, 3), again;
    AbutError error;
    array(a, ABUT_BATCH_MASS)[1] *= 1.5;
    array(a, ABUT_BATCH_FRICTION)[0] = 0.2;
    run_on(a, &rng, 40);
    array(a, ABUT_BATCH_MASS)[model->body_count + 1] *= 1.25; /* not taken over yet */
    array(a, ABUT_BATCH_GRAVITY)[2] = -3.0;
    array(a, ABUT_BATCH_CONTROLS)[5 * model->actuator_count] = NAN;
    good(abut_batch_step(a, DT, 1, &error), &error); /* marks world 5 */
    array(a, ABUT_BATCH_GRAVITY)[5] = -2.0;
    size_t bytes = abut_batch_state_size(a);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    abut_batch_save(a, saved);
    good(abut_batch_restore(b, saved, bytes, &error), &error);
    again = rng;
    run_on(a, &rng, 40);
    run_on(b, &again, 40);
    for (int32_t i = 0; i < WORLDS; ++i) {
        assert_string_equal(abut_batch_reason(a, i), abut_batch_reason(b, i));
        assert_true((abut_batch_reason(a, i)[0] != 0) == (i == 5));
        assert_true(
            abut_simulation_hash(abut_batch_simulation(a, i)) == abut_simulation_hash(abut_batch_simulation(b, i)));
    }
    for (int f = 0; f < ABUT_BATCH_FIELD_COUNT; ++f) {
        int32_t shape[3];
        const void *x = abut_batch_array(a, f, shape), *y = abut_batch_array(b, f, shape);
        size_t each = f == ABUT_BATCH_STATUS ? sizeof(int32_t) : sizeof(double);
        int single = f == ABUT_BATCH_TIME || f == ABUT_BATCH_STATUS;
        size_t count = (size_t)shape[0] * (size_t)(single ? 1 : shape[1]) * (size_t)shape[2];
        assert_memory_equal(x, y, count * each);
    }
    /* refused, and nothing changes */
    uint64_t before = abut_simulation_hash(abut_batch_simulation(b, 0));
    AbutBatch *fewer = batch_of(model, WORLDS - 1, 1);
    assert_int_equal(abut_batch_restore(fewer, saved, bytes, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_batch_restore(b, saved, bytes - 8, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_batch_restore(b, saved, 4, &error), ABUT_ERROR_FORMAT);
    saved[bytes / 2] ^= 1;
    assert_int_equal(abut_batch_restore(b, saved, bytes, &error), ABUT_ERROR_FORMAT);
    assert_true(before == abut_simulation_hash(abut_batch_simulation(b, 0)));
    AbutModel *other = robot("biped");
    AbutBatch *of_other = batch_of(other, WORLDS, 1);
    saved[bytes / 2] ^= 1;
    assert_int_equal(abut_batch_restore(of_other, saved, bytes, &error), ABUT_ERROR_ARGUMENT);
    free(saved);
    abut_batch_free(a), abut_batch_free(b), abut_batch_free(fewer), abut_batch_free(of_other);
    abut_model_free(model), abut_model_free(other);
}

/* Contacts of links in a saved state end in the first step of a new batch. */
static void test_restore_into_a_new_batch(void **state) {
    (void)state;
    AbutModel *model = robot("biped");
    AbutBatch *a = batch_of(model, WORLDS, 2), *b = batch_of(model, WORLDS, 1);
    AbutRng rng = abut_rng(33, 4), again;
    AbutError error;
    run_on(a, &rng, 30);
    size_t bytes = abut_batch_state_size(a);
    void *saved = malloc(bytes);
    assert_non_null(saved);
    abut_batch_save(a, saved);
    good(abut_batch_restore(b, saved, bytes, &error), &error);
    again = rng;
    run_on(a, &rng, 30);
    run_on(b, &again, 30);
    for (int32_t i = 0; i < WORLDS; ++i)
        assert_true(
            abut_simulation_hash(abut_batch_simulation(a, i)) == abut_simulation_hash(abut_batch_simulation(b, i)));
    free(saved);
    abut_batch_free(a), abut_batch_free(b);
    abut_model_free(model);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static void test_a_failing_world_stops_alone(void **state) {
    (void)state;
    AbutModel *model = arm();
    AbutBatch *batch = batch_of(model, 6, 2);
    AbutError error;
    Single s = single_of(model);
    int32_t shape[3], nu = model->actuator_count, nb = model->body_count;
    double zero[2] = {0.0, 0.0};
    array(batch, ABUT_BATCH_CONTROLS)[1 * nu + 1] = NAN;
    array(batch, ABUT_BATCH_VELOCITIES)[2 * 7 + 3] = INFINITY;
    array(batch, ABUT_BATCH_MASS)[3 * nb + 1] = -1.0;
    array(batch, ABUT_BATCH_FRICTION)[4 * model->shape_count] = -0.5;
    array(batch, ABUT_BATCH_VELOCITIES)[5 * 7] = 1e200; /* fails in the step */
    for (int k = 0; k < 5; ++k) {
        good(abut_batch_step(batch, DT, SUBSTEPS, &error), &error);
        single_run(&s, nu, zero);
        same(batch, 0, &s);
    }
    static const char *const expected[] = {"", "ctrl[1, 1]: expected a finite number, got nan",
        "qvel[2, 3]: expected a finite number, got inf", "mass[1]: expected a number above 0, got -1",
        "friction[0]: expected a number of 0 or above, got -0.5", NULL};
    const int32_t *status = abut_batch_array(batch, ABUT_BATCH_STATUS, shape);
    assert_true(shape[0] == 6 && shape[1] == 0);
    for (int i = 0; i < 6; ++i) {
        if (expected[i]) assert_string_equal(abut_batch_reason(batch, i), expected[i]);
        assert_true((status[i] != 0) == (i > 0));
        assert_true(i == 0 || array(batch, ABUT_BATCH_TIME)[i] == 0.0);
    }
    /* a reset mends those whose parameters are in range */
    array(batch, ABUT_BATCH_FRICTION)[4 * model->shape_count] = 0.7;
    good(abut_batch_reset(batch, NULL, -1, &error), &error);
    single_free(&s);
    s = single_of(model);
    for (int k = 0; k < 20; ++k) {
        good(abut_batch_step(batch, DT, SUBSTEPS, &error), &error);
        single_run(&s, nu, zero);
        for (int i = 0; i < 6; ++i)
            if (i != 3) same(batch, i, &s);
    }
    assert_true(status[3] != 0);
    single_free(&s);
    abut_batch_free(batch);
    abut_model_free(model);
}

static void test_bad_input(void **state) {
    (void)state;
    AbutModel *model = arm();
    AbutBatch *batch;
    AbutError error;
    AbutPair wrong = {model->body_count, -1};
    AbutSimulationDef def = abut_simulation_default();
    int32_t shape[3];
    assert_int_equal(abut_batch_create(model, 0, NULL, 0, NULL, &batch, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "worlds: expected 1 or more, got 0");
    assert_null(batch);
    assert_int_equal(abut_batch_create(model, 1, NULL, 1, &wrong, &batch, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "watches[0]: expected numbers of bodies below 3, got 3 and -1");
    def.threads = -1;
    assert_int_equal(abut_batch_create(model, 1, &def, 0, NULL, &batch, &error), ABUT_ERROR_ARGUMENT);
    def.threads = 1, def.beta = -1.0;
    assert_int_equal(abut_batch_create(model, 1, &def, 0, NULL, &batch, &error), ABUT_ERROR_ARGUMENT);
    batch = batch_of(model, 2, 1);
    assert_int_equal(abut_batch_step(batch, 0.0, 1, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "dt: expected a number above 0 and up to 1 second, got 0");
    assert_int_equal(abut_batch_step(batch, NAN, 1, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_batch_step(batch, DT, 0, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_batch_reset(batch, NULL, 0, &error), ABUT_ERROR_ARGUMENT);
    assert_null(abut_batch_array(batch, ABUT_BATCH_FIELD_COUNT, shape));
    assert_null(abut_batch_array(batch, -1, shape));
    assert_null(abut_batch_simulation(batch, 2));
    assert_null(abut_batch_reason(batch, -1));
    abut_batch_free(batch);
    abut_batch_free(NULL);
    abut_model_free(model);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static size_t live;

static void *counted_alloc(size_t bytes, void *user) {
    (void)user;
    size_t *memory = aligned_alloc(64, (bytes + 127) / 64 * 64 + 64);
    if (!memory) return NULL;
    *memory = bytes;
    live += bytes;
    return memory + 8;
}

static void counted_release(void *memory, void *user) {
    (void)user;
    if (!memory) return;
    live -= ((size_t *)memory)[-8];
    free((size_t *)memory - 8);
}

/* A world of the biped of twelve joints, which has run, takes less than 100 kB. */
static void test_memory_of_a_world(void **state) {
    (void)state;
    AbutAllocator allocator = {counted_alloc, counted_release, NULL};
    size_t bytes[2];
    abut_set_allocator(&allocator);
    AbutModel *model = robot("biped");
    for (int k = 0; k < 2; ++k) {
        AbutBatch *batch = batch_of(model, k ? 40 : 8, 1);
        AbutError error;
        good(abut_batch_step(batch, DT, 60, &error), &error);
        bytes[k] = live;
        abut_batch_free(batch);
    }
    abut_model_free(model);
    assert_true(live == 0);
    abut_set_allocator(NULL);
    size_t each = (bytes[1] - bytes[0]) / 32;
    print_message("bytes per world: %zu\n", each);
    assert_true(each < 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds_have_the_bits_of_single_runs),
        cmocka_unit_test(test_parameters_of_each_world),
        cmocka_unit_test(test_watched_contacts),
        cmocka_unit_test(test_save_and_restore),
        cmocka_unit_test(test_restore_into_a_new_batch),
        cmocka_unit_test(test_a_failing_world_stops_alone),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_memory_of_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
