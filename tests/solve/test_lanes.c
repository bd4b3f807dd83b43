/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts in lanes against visits one after the other, in the order given: the same bits from every vector unit and
 * any number of threads, in both directions, with bodies that forces do not move, contacts of 0 to 8 vertices and
 * groups that are not full.
 */
#include "solve/lanes.h"
#include "support/check.h"

#include <string.h>

enum { VERTICES = 8 };

/* One contact, as the oracle has it. */
typedef struct Plain {
    int32_t a, b, count;
    AbutVec3 e[3], ra, rb;
    double alpha, ell, torsion, phi[6][6];
    double x[VERTICES], y[VERTICES], target[VERTICES], n[VERTICES], t1[VERTICES], t2[VERTICES];
    double inv_kn[VERTICES], inv_kt[VERTICES], it11[VERTICES], it12[VERTICES], it22[VERTICES], mu[VERTICES];
    int slides[VERTICES];
} Plain;

static AbutVec3 random_vec(AbutRng *rng) {
    AbutVec3 v;
    v.x = abut_rng_between(rng, -1.0, 1.0);
    v.y = abut_rng_between(rng, -1.0, 1.0);
    v.z = abut_rng_between(rng, -1.0, 1.0);
    return v;
}

static void random_contact(AbutRng *rng, int32_t bodies, Plain *c) {
    memset(c, 0, sizeof *c);
    c->a = (int32_t)abut_rng_below(rng, (uint32_t)bodies);
    c->b = (c->a + 1 + (int32_t)abut_rng_below(rng, (uint32_t)bodies - 1)) % bodies;
    c->count = (int32_t)abut_rng_below(rng, VERTICES + 1);
    c->e[2] = abut_random_direction(rng);
    c->e[0] = abut_perpendicular(c->e[2]);
    c->e[1] = abut_cross(c->e[2], c->e[0]);
    c->ra = random_vec(rng), c->rb = random_vec(rng);
    c->alpha = abut_rng_below(rng, 2) ? 0.1 * abut_rng_unit(rng) : 0.0;
    c->ell = abut_rng_unit(rng), c->torsion = abut_rng_between(rng, 0.5, 1.0);
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j)
            c->phi[i][j] = c->phi[j][i] = (i == j ? 2.0 : 0.0) + abut_rng_between(rng, -0.2, 0.2);
    for (int i = 0; i < c->count; ++i) {
        c->x[i] = abut_rng_between(rng, -0.3, 0.3), c->y[i] = abut_rng_between(rng, -0.3, 0.3);
        c->target[i] = abut_rng_between(rng, -0.1, 0.5);
        c->n[i] = abut_rng_unit(rng), c->mu[i] = abut_rng_unit(rng);
        c->t1[i] = 0.2 * abut_rng_unit(rng), c->t2[i] = -0.2 * abut_rng_unit(rng);
        c->inv_kn[i] = 0.4, c->inv_kt[i] = 0.3, c->it11[i] = 0.45, c->it12[i] = 0.02, c->it22[i] = 0.4;
    }
}

static void random_body(AbutRng *rng, int fixed, AbutLaneBody *body) {
    memset(body, 0, sizeof *body);
    for (int i = 0; i < 6; ++i) body->s[i] = abut_rng_between(rng, -1.0, 1.0);
    for (int i = 6; i < 13 && !fixed; ++i)
        body->s[i] = i < 10 ? abut_rng_between(rng, 0.5, 1.0) : abut_rng_between(rng, -0.1, 0.1);
}

/* ---- oracle ------------------------------------------------------------------------------------------------------ */

static AbutVec3 at(const double *s) { return abut_vec3(s[0], s[1], s[2]); }

static void push(double *s, AbutVec3 force, AbutVec3 torque, double sign) {
    const double *i = s + 7;
    s[0] += sign * s[6] * force.x;
    s[1] += sign * s[6] * force.y;
    s[2] += sign * s[6] * force.z;
    s[3] += sign * (i[0] * torque.x + i[3] * torque.y + i[4] * torque.z);
    s[4] += sign * (i[3] * torque.x + i[1] * torque.y + i[5] * torque.z);
    s[5] += sign * (i[4] * torque.x + i[5] * torque.y + i[2] * torque.z);
}

static void add_columns(const Plain *c, double u[6], int i, double x, int j, double y, int k, double z) {
    for (int m = 0; m < 6; ++m) u[m] += c->phi[i][m] * x + c->phi[j][m] * y + c->phi[k][m] * z;
}

static void solve_vertex(Plain *c, int i, double u[6], double w[6]) {
    double n =
        c->n[i] + ((c->target[i] - (u[2] + u[3] * c->y[i] - u[4] * c->x[i])) * c->inv_kn[i] - c->alpha * c->n[i]) *
                      (1.0 / (1.0 + c->alpha));
    n = n > 0.0 ? n : 0.0;
    double dn = n - c->n[i], tip_1 = dn * c->y[i], tip_2 = -dn * c->x[i];
    c->n[i] = n;
    add_columns(c, u, 2, dn, 3, tip_1, 4, tip_2);
    double xt = c->torsion * c->x[i], yt = c->torsion * c->y[i], u1 = u[0] - u[5] * yt, u2 = u[1] + u[5] * xt;
    double s1 = c->t1[i] - (c->it11[i] * u1 + c->it12[i] * u2), s2 = c->t2[i] - (c->it12[i] * u1 + c->it22[i] * u2),
           most = c->mu[i] * n;
    c->slides[i] = s1 * s1 + s2 * s2 > most * most;
    if (c->slides[i]) {
        s1 = c->t1[i] - c->inv_kt[i] * u1;
        s2 = c->t2[i] - c->inv_kt[i] * u2;
        double length = sqrt(s1 * s1 + s2 * s2), part = most / length;
        if (length > most) s1 *= part, s2 *= part;
    }
    double d1 = s1 - c->t1[i], d2 = s2 - c->t2[i], twist = d2 * xt - d1 * yt,
           add[6] = {d1, d2, dn, tip_1, tip_2, twist};
    c->t1[i] = s1, c->t2[i] = s2;
    add_columns(c, u, 0, d1, 1, d2, 5, twist);
    for (int k = 0; k < 6; ++k) w[k] += add[k];
}

static double visit(Plain *c, AbutLaneBody *body, int backward) {
    double *a = body[c->a].s, *b = body[c->b].s, u[6], u0[6], w[6] = {0}, linear = 0.0, angular = 0.0;
    AbutVec3 v = abut_sub(abut_add(at(b), abut_cross(at(b + 3), c->rb)), abut_add(at(a), abut_cross(at(a + 3), c->ra)));
    for (int k = 0; k < 3; ++k) {
        u[k] = u0[k] = abut_dot(c->e[k], v);
        u[3 + k] = u0[3 + k] = abut_dot(c->e[k], abut_sub(at(b + 3), at(a + 3)));
    }
    for (int i = 0; i < c->count; ++i) solve_vertex(c, backward ? c->count - 1 - i : i, u, w);
    AbutVec3 sum[2];
    for (int k = 0; k < 2; ++k)
        sum[k] = abut_add(abut_add(abut_scale(c->e[0], w[3 * k]), abut_scale(c->e[1], w[3 * k + 1])),
            abut_scale(c->e[2], w[3 * k + 2]));
    push(b, sum[0], abut_add(sum[1], abut_cross(c->rb, sum[0])), 1.0);
    push(a, sum[0], abut_add(sum[1], abut_cross(c->ra, sum[0])), -1.0);
    for (int k = 0; k < 3; ++k) {
        linear += (u[k] - u0[k]) * (u[k] - u0[k]);
        angular += (u[3 + k] - u0[3 + k]) * (u[3 + k] - u0[3 + k]);
    }
    return linear + c->ell * c->ell * angular;
}

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

static void put3(double to[3][ABUT_LANES], int k, AbutVec3 v) { to[0][k] = v.x, to[1][k] = v.y, to[2][k] = v.z; }

static void fill(AbutLanes *l, const AbutLaneContact *place, const Plain *c) {
    AbutLaneGroup *g = &l->group[place->group];
    int k = place->lane;
    for (int i = 0; i < 3; ++i) put3(g->frame + 3 * i, k, c->e[i]);
    put3(g->ra, k, c->ra), put3(g->rb, k, c->rb);
    g->alpha[k] = c->alpha, g->ell[k] = c->ell, g->torsion[k] = c->torsion;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) g->phi[ABUT_LANE_PHI(i, j)][k] = c->phi[i][j];
    for (int i = 0; i < c->count; ++i) {
        AbutLaneVertex *v = &l->vertex[g->first + i];
        v->x[k] = c->x[i], v->y[k] = c->y[i], v->target[k] = c->target[i];
        v->n[k] = c->n[i], v->t1[k] = c->t1[i], v->t2[k] = c->t2[i], v->mu[k] = c->mu[i];
        v->inv_kn[k] = c->inv_kn[i], v->inv_kt[k] = c->inv_kt[i];
        v->it11[k] = c->it11[i], v->it12[k] = c->it12[i], v->it22[k] = c->it22[i];
    }
}

static void same(const AbutLanes *l, const Plain *contact, const AbutLaneBody *body, int way) {
    for (int32_t i = 0; i < l->body_count; ++i)
        for (int k = 0; k < 6; ++k)
            if (!(l->body[i].s[k] == body[i].s[k]))
                fail_msg("way %d, body %d: velocity %d is %.17g, not %.17g", way, i, k, l->body[i].s[k], body[i].s[k]);
    for (int32_t i = 0; i < l->contact_count; ++i)
        for (int k = 0; k < contact[i].count; ++k) {
            const AbutLaneContact *place = &l->contact[i];
            const AbutLaneVertex *v = &l->vertex[l->group[place->group].first + k];
            CHECK(v->n[place->lane] == contact[i].n[k] && v->t1[place->lane] == contact[i].t1[k] &&
                  v->t2[place->lane] == contact[i].t2[k] && (v->sliding[place->lane] != 0) == contact[i].slides[k]);
        }
}

/* Every vector unit, then the best one with 1, 2, 3 and 8 threads. */
enum { MOST_UNITS = 3, THREADS = 4 };

static int units(AbutLaneSweep **unit) {
    int count = 0;
    unit[count++] = abut_lanes_sweep_plain;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) unit[count++] = abut_lanes_sweep_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        unit[count++] = abut_lanes_sweep_avx512;
#endif
    return count;
}

static double sweep_by(AbutLanes *l, int way, int backward) {
    static const int threads[THREADS] = {1, 2, 3, 8};
    AbutLaneSweep *unit[MOST_UNITS];
    int count = units(unit);
    if (way < count) return unit[way](l, 0, l->group_count, backward);
    AbutLaneRun run = {1, 0.0, backward, 0, threads[way - count], 0};
    double worst = abut_lanes_run(l, &run);
    assert_int_equal(run.done, 1);
    return worst;
}

static void arrange(AbutLanes *l, const Plain *contact, int32_t count, const AbutLaneBody *body, int32_t bodies) {
    CHECK(abut_lanes_reserve(l, count));
    memcpy(l->body, body, (size_t)bodies * sizeof *body);
    l->body_count = bodies, l->contact_count = count;
    for (int32_t i = 0; i < count; ++i)
        l->contact[i] = (AbutLaneContact){contact[i].a, contact[i].b, contact[i].count, 0, 0, 0};
    CHECK(abut_lanes_arrange(l));
    for (int32_t i = 0; i < count; ++i) fill(l, &l->contact[i], &contact[i]);
}

static void sweeps_are_visits_in_order(void **state) {
    (void)state;
    enum { CONTACTS = 300, BODIES = 90, FIXED = 5 };
    static Plain given[CONTACTS], contact[CONTACTS];
    AbutLaneBody start[BODIES], body[BODIES];
    AbutLaneSweep *unit[MOST_UNITS];
    AbutLanes lanes = {0};
    int ways = units(unit) + THREADS;
    for (int round = 0; round < check_cases(20); ++round) {
        AbutRng rng = abut_rng(930 + (uint64_t)round, 0);
        int32_t count = 1 + (int32_t)abut_rng_below(&rng, CONTACTS),
                bodies = round % 4 ? BODIES : 6 + (int32_t)abut_rng_below(&rng, 10);
        for (int32_t i = 0; i < bodies; ++i) random_body(&rng, i < FIXED, &start[i]);
        for (int32_t i = 0; i < count; ++i) random_contact(&rng, bodies, &given[i]);
        for (int k = 0; k < ways; ++k) {
            memcpy(contact, given, sizeof contact);
            memcpy(body, start, sizeof body);
            arrange(&lanes, contact, count, body, bodies);
            for (int sweep = 0; sweep < 4; ++sweep) {
                double worst = 0.0;
                for (int32_t i = 0; i < count; ++i)
                    worst = fmax(worst, visit(&contact[sweep % 2 ? count - 1 - i : i], body, sweep % 2));
                CHECK(sweep_by(&lanes, k, sweep % 2) == worst);
                same(&lanes, contact, body, k);
            }
        }
    }
    abut_lanes_free(&lanes);
}

/* Several sweeps in one go are as many single ones, and end with the first that changes little enough. */
static void runs_end_where_they_should(void **state) {
    (void)state;
    enum { CONTACTS = 250, BODIES = 80, SWEEPS = 6 };
    static Plain contact[CONTACTS];
    AbutLaneBody body[BODIES];
    AbutLanes one = {0}, many = {0};
    AbutRng rng = abut_rng(77, 0);
    for (int i = 0; i < BODIES; ++i) random_body(&rng, i < 4, &body[i]);
    for (int i = 0; i < CONTACTS; ++i) random_contact(&rng, BODIES, &contact[i]);
    for (int way = 0; way < 12; ++way) {
        int stop = 1 + way % SWEEPS, one_way = way / SWEEPS;
        double change = 0.0, least = INFINITY;
        int32_t expected = 0;
        arrange(&one, contact, CONTACTS, body, BODIES);
        arrange(&many, contact, CONTACTS, body, BODIES);
        for (int i = 0; i < stop; ++i)
            least = fmin(least, abut_lanes_sweep_plain(&one, 0, one.group_count, one_way || i % 2 == 0));
        arrange(&one, contact, CONTACTS, body, BODIES);
        do {
            change = abut_lanes_sweep_plain(&one, 0, one.group_count, one_way || expected % 2 == 0);
        } while (++expected < stop && change > least);
        AbutLaneRun run = {stop, least, 1, one_way, 1 + way % 4, 0};
        CHECK(abut_lanes_run(&many, &run) == change);
        assert_int_equal(run.done, expected);
        assert_memory_equal(one.body, many.body, sizeof body);
    }
    AbutLaneRun none = {0, 0.0, 0, 0, 2, 0};
    CHECK(abut_lanes_run(&many, &none) == INFINITY && none.done == 0);
    abut_lanes_free(&one);
    abut_lanes_free(&many);
}

/* Who was visited by whom, with the last visit of each body: visits that share a moving one keep their order. */
typedef struct Visits {
    const Plain *contact;
    const AbutLaneBody *body;
    int32_t *last;
    int seen[400], wrong;
} Visits;

static void note_visit(int32_t contact, int32_t soon, int worker, void *user) {
    Visits *v = user;
    int32_t side[2] = {v->contact[contact].a, v->contact[contact].b};
    CHECK(soon >= 0 && worker >= 0 && worker < 8);
    ++v->seen[contact];
    for (int i = 0; i < 2; ++i)
        if (v->body[side[i]].s[6] > 0.0) {
            v->wrong |= v->last[side[i]] >= contact;
            v->last[side[i]] = contact;
        }
}

static void visits_keep_their_order(void **state) {
    (void)state;
    enum { CONTACTS = 400, BODIES = 120 };
    static Plain contact[CONTACTS];
    static Visits visits;
    AbutLaneBody body[BODIES];
    int32_t last[BODIES];
    AbutLanes lanes = {0};
    AbutRng rng = abut_rng(31, 0);
    for (int i = 0; i < BODIES; ++i) random_body(&rng, i < 9, &body[i]);
    for (int i = 0; i < CONTACTS; ++i) random_contact(&rng, BODIES, &contact[i]);
    arrange(&lanes, contact, CONTACTS, body, BODIES);
    for (int threads = 1; threads <= 8; threads *= 2) {
        memset(&visits, 0, sizeof visits);
        memset(last, 0xff, sizeof last);
        visits.contact = contact, visits.body = body, visits.last = last;
        abut_lanes_each(&lanes, threads, note_visit, &visits);
        CHECK(!visits.wrong);
        for (int i = 0; i < CONTACTS; ++i) assert_int_equal(visits.seen[i], 1);
    }
    abut_lanes_free(&lanes);
}

/* Contacts that share no body fill all lanes; a chain has one in each group. */
static void groups_are_full_where_they_can_be(void **state) {
    (void)state;
    enum { COUNT = 40 };
    Plain contact[COUNT];
    AbutLaneBody body[2 * COUNT];
    AbutLanes lanes = {0};
    for (int chain = 0; chain < 2; ++chain) {
        AbutRng rng = abut_rng(7, 0);
        for (int i = 0; i < 2 * COUNT; ++i) random_body(&rng, 0, &body[i]);
        for (int i = 0; i < COUNT; ++i) {
            random_contact(&rng, 2, &contact[i]);
            contact[i].a = chain ? i : 2 * i, contact[i].b = contact[i].a + 1;
        }
        arrange(&lanes, contact, COUNT, body, 2 * COUNT);
        assert_int_equal(lanes.group_count, chain ? COUNT : COUNT / ABUT_LANES);
    }
    abut_lanes_free(&lanes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_visits_in_order),
        cmocka_unit_test(runs_end_where_they_should),
        cmocka_unit_test(visits_keep_their_order),
        cmocka_unit_test(groups_are_full_where_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
