/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to the same answer of a soft direction: plain C and vector units give the same bits; so do bodies whose grid is
 * filled where it is asked, for one thread and for many at once. And the limits: thin bodies, great distances.
 */
#include "abut/contact.h"
#include "mesh/kernels.h"
#include "direction/soft_pairs.h"
#include "direction/soft_query.h"

#include <pthread.h>
#include <string.h>

static AbutPose some_pose(AbutRng *rng, const SoftPair *p, int i) {
    AbutPose pose = near_pose(rng, p);
    pose.p = abut_scale(pose.p, i % 7 == 6 ? 40.0 : i % 5 == 4 ? 4.0 : 1.0); /* far outside the grids, too */
    return pose;
}

static int is_there(const AbutSoftUnit *unit) { return unit == abut_soft_unit() || unit == &abut_soft_unit_plain; }

static void all_units_give_the_same_bits(void **state) {
    (void)state;
    AbutRng rng = abut_rng(520, 1);
    if (!is_there(&abut_soft_unit_avx2)) skip();
    for (int i = 0; i < check_cases(400); ++i) {
        const SoftPair *p = soft_pair(i / 8 % pairs());
        AbutPose pose = some_pose(&rng, p, i);
        AbutSoftDef def = {.adaptive = i % 4 == 3};
        abut_soft_unit_force(&abut_soft_unit_plain);
        AbutSoft plain = abut_soft_direction(p->a, p->b, pose, &def, p->workspace);
        abut_soft_unit_force(&abut_soft_unit_avx2);
        AbutSoft fast = abut_soft_direction(p->a, p->b, pose, &def, p->workspace);
        abut_soft_unit_force(NULL);
        assert_memory_equal(&plain, &fast, sizeof plain);
        CHECK(plain.outcome != ABUT_SOFT_INVALID);
    }
}

/* ---- lazy bodies ------------------------------------------------------------------------------------------------- */

/* Nodes that were filled; they are those of the full grid. */
static size_t filled_nodes(const AbutSoftBody *lazy, const AbutSoftBody *full) {
    size_t count = (size_t)full->grid_count[0] * (size_t)full->grid_count[1] * (size_t)full->grid_count[2], filled = 0;
    for (size_t i = 0; i < count; ++i) {
        if (isnan(abut_soft_grid(lazy)[i])) continue;
        assert_memory_equal(&abut_soft_grid(lazy)[i], &abut_soft_grid(full)[i], sizeof(float));
        ++filled;
    }
    return filled;
}

static void ask_everywhere(const AbutSoftBody *lazy, const AbutSoftBody *full) {
    for (int z = 0; z <= full->grid_count[2]; ++z)
        for (int y = 0; y <= full->grid_count[1]; ++y) {
            AbutVec3 p = abut_add_scaled(full->grid_origin, abut_vec3(0.3 + y % 5, y, z), full->step);
            AbutVec3 u, v;
            assert_true(abut_soft_field(lazy, p, &u) == abut_soft_field(full, p, &v));
            assert_memory_equal(&u, &v, sizeof u);
        }
}

static void check_lazy_pair(int number, AbutRng *rng) {
    const SoftPair *p = soft_pair(number);
    SoftPair lazy = case_pair(number, case_tau(number), 1);
    const AbutSoftBody *a = lazy.a;
    AbutError error;
    size_t nodes = (size_t)a->grid_count[0] * (size_t)a->grid_count[1] * (size_t)a->grid_count[2];
    assert_int_equal(filled_nodes(a, p->a), 0);
    CHECK(a->lazy && a->content == 0 && a->source == p->a->source);
    for (int i = 0; i < 20; ++i) {
        AbutPose pose = some_pose(rng, p, i);
        AbutSoft s = ask(p, pose), t = ask(&lazy, pose);
        assert_memory_equal(&s, &t, sizeof s);
        if (i == 0) CHECK(filled_nodes(a, p->a) < nodes / 2 && filled_nodes(lazy.b, p->b) > 0);
    }
    ask_everywhere(a, p->a);
    assert_int_equal(filled_nodes(a, p->a), nodes);
    assert_int_equal(abut_soft_body_check(a, (size_t)a->bytes, &error), ABUT_ERROR_FORMAT);
    close_pair(&lazy);
}

static void lazy_bodies_answer_the_same(void **state) {
    (void)state;
    AbutRng rng = abut_rng(521, 1);
    check_lazy_pair(0, &rng);
    check_lazy_pair(SPOON, &rng);
}

typedef struct Asking {
    const SoftPair *pair;
    const AbutPose *poses;
    AbutSoft *out;
} Asking;

static void ask_some(int begin, int end, int worker, void *user) {
    const Asking *asking = user;
    const SoftPair *p = asking->pair;
    (void)worker;
    void *workspace = abut_alloc(abut_soft_size(p->a, p->b));
    for (int i = begin; i < end; ++i)
        asking->out[i] = abut_soft_direction(p->a, p->b, asking->poses[i], NULL, workspace);
    abut_free(workspace);
}

/* Threads that ask at the same time fill the same rows. */
static void threads_may_share_a_lazy_body(void **state) {
    (void)state;
    enum { QUERIES = 64 };
    static AbutPose poses[QUERIES];
    static AbutSoft out[QUERIES];
    AbutRng rng = abut_rng(522, 1);
    const SoftPair *p = soft_pair(0);
    SoftPair lazy = case_pair(0, case_tau(0), 1);
    AbutPose pose = near_pose(&rng, p);
    for (int i = 0; i < QUERIES; ++i) poses[i] = stepped(&rng, pose, 0.01, 0.02);
    Asking asking = {&lazy, poses, out};
    abut_parallel_for(QUERIES, 4, 8, ask_some, &asking);
    for (int i = 0; i < QUERIES; ++i) {
        AbutSoft s = ask(p, poses[i]);
        assert_memory_equal(&s, &out[i], sizeof s);
    }
    CHECK(filled_nodes(lazy.a, p->a) > 0);
    close_pair(&lazy);
}

/* The same with threads of the caller's own, whose reads and writes a race detector sees: all ask the field of one
 * body at the same places, each in an order of its own. */
enum { ASKERS = 4, PLACES = 2000 };

typedef struct Asker {
    const AbutSoftBody *body;
    const AbutVec3 *place;
    int first, stride; /* a stride without a common factor with PLACES */
    double answer[PLACES];
    AbutVec3 gradient[PLACES];
} Asker;

static void *ask_all(void *user) {
    Asker *x = user;
    for (int i = 0, k = x->first; i < PLACES; ++i, k = (k + x->stride) % PLACES)
        x->answer[k] = abut_soft_field(x->body, x->place[k], &x->gradient[k]);
    return NULL;
}

static void threads_of_the_caller_may_share_it_too(void **state) {
    (void)state;
    static AbutVec3 place[PLACES];
    static Asker asker[ASKERS];
    pthread_t thread[ASKERS];
    AbutRng rng = abut_rng(524, 1);
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(0.1, 0.05, 0.02), 0);
    AbutSoftBody *full = soft_body(&mesh, 0.01), *lazy = made_body(&mesh, 0.01, 1);
    for (int i = 0; i < PLACES; ++i) place[i] = abut_scale(abut_random_direction(&rng), 0.2 * abut_rng_unit(&rng));
    for (int i = 0; i < ASKERS; ++i) {
        asker[i].body = lazy, asker[i].place = place, asker[i].first = 0, asker[i].stride = i % 2 ? 3 : 1;
        assert_int_equal(pthread_create(&thread[i], NULL, ask_all, &asker[i]), 0);
    }
    for (int i = 0; i < ASKERS; ++i) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        for (int k = 0; k < PLACES; ++k) {
            AbutVec3 gradient;
            assert_true(abut_soft_field(full, place[k], &gradient) == asker[i].answer[k]);
            assert_memory_equal(&gradient, &asker[i].gradient[k], sizeof gradient);
        }
    }
    CHECK(filled_nodes(lazy, full) > 0);
    abut_soft_body_free(full);
    abut_soft_body_free(lazy);
    abut_mesh_free(&mesh);
}

/* Pressure takes lazy bodies as well. */
static void lazy_bodies_press_the_same(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0);
    AbutSoftBody *full = soft_body(&box, 0.02), *lazy = made_body(&box, 0.02, 1);
    AbutPressureDef def = {.pressure = 1e5, .reach = 0.02, .derivative = 1};
    AbutPose pose = abut_pose(abut_vec3(0.03, 0.02, 0.19), abut_quat_exp(abut_vec3(0.1, 0.2, 0.3)));
    AbutPressure want = abut_pressure_force((AbutPressureBody){full, NULL}, (AbutPressureBody){full, NULL}, pose, &def),
                 got = abut_pressure_force((AbutPressureBody){lazy, NULL}, (AbutPressureBody){lazy, NULL}, pose, &def);
    CHECK(want.samples > 10);
    assert_memory_equal(&want, &got, sizeof want);
    abut_soft_body_free(full);
    abut_soft_body_free(lazy);
    abut_mesh_free(&box);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* A thin blade through a wall: where the answer is clear it is the way back, and with the tip through it is not. */
static void a_blade_through_a_wall_says_so(void **state) {
    (void)state;
    AbutMesh wall = box_mesh(abut_zero(), abut_vec3(0.15, 0.15, 0.01), 0),
             blade = box_mesh(abut_zero(), abut_vec3(0.006, 0.05, 0.1), 0);
    AbutQuat q = abut_quat_exp(abut_vec3(0.1, 0.05, 0.0));
    int clear = 0;
    for (int k = 0; k < 2; ++k) {
        AbutSoftBodyDef def = {.tau = k ? 0.02 : 0.01, .step = k ? 0.006 : 0.003, .lazy = 1};
        AbutSoftBody *a, *b;
        AbutError error;
        good(abut_soft_body_create(&wall, &def, &a, &error), &error);
        good(abut_soft_body_create(&blade, &def, &b, &error), &error);
        void *workspace = malloc(abut_soft_size(a, b));
        for (int i = 0; i < 28; ++i) {
            double z = 0.115 - 0.005 * i; /* the tip is at z - 0.1 */
            AbutSoft s = abut_soft_direction(a, b, abut_pose(abut_vec3(0.01, 0.02, z), q), NULL, workspace);
            clear += s.outcome == ABUT_SOFT_CLEAR;
            CHECK(s.outcome != ABUT_SOFT_CLEAR || s.direction.z > 0.86);
            CHECK(z > 0.05 || s.outcome != ABUT_SOFT_CLEAR);
            CHECK(z < 0.1 || s.outcome == ABUT_SOFT_CLEAR);
        }
        free(workspace);
        abut_soft_body_free(a);
        abut_soft_body_free(b);
    }
    CHECK(clear >= 8);
    abut_mesh_free(&wall);
    abut_mesh_free(&blade);
}

/* Beyond the margin of the grids the nearest value is never above the distance. */
static void far_away_the_nearest_is_a_lower_bound(void **state) {
    (void)state;
    AbutRng rng = abut_rng(523, 1);
    const SoftPair *p = soft_pair(0);
    double unsure = 0.5 * p->a->spacing + fmax(p->a->step, p->b->step);
    for (int i = 0; i < check_cases(50); ++i) {
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), p->size * abut_rng_between(&rng, 1.5, 20.0)),
            abut_random_quat(&rng));
        double exact = abut_mesh_distance(p->tree_a, p->tree_b, pose, NULL, NULL).distance;
        AbutSoft s = ask(p, pose);
        CHECK(s.outcome == ABUT_SOFT_CLEAR && s.nearest <= exact + unsure && s.nearest > 0.3 * exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_units_give_the_same_bits),
        cmocka_unit_test(lazy_bodies_answer_the_same),
        cmocka_unit_test(threads_may_share_a_lazy_body),
        cmocka_unit_test(threads_of_the_caller_may_share_it_too),
        cmocka_unit_test(lazy_bodies_press_the_same),
        cmocka_unit_test(a_blade_through_a_wall_says_so),
        cmocka_unit_test(far_away_the_nearest_is_a_lower_bound),
    };
    return cmocka_run_group_tests(tests, NULL, close_pairs);
}
