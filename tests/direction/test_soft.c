/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The soft direction: it halves with the step, its certificate is never exceeded, its gradient is that of D, it is
 * what all samples say, and it is the direction of the features where there is but one.
 */
#include "direction/soft_body.h"
#include "mesh/kernels.h"
#include "abut/literature.h"
#include "direction/soft_pairs.h"
#include "math/matrix.h"

#include <string.h>

/* ---- continuity -------------------------------------------------------------------------------------------------- */

typedef struct Largest {
    double turn, change; /* of the direction, of the vector */
    double least_coherence;
    int undecided;
} Largest;

typedef AbutPose PathFunction(const void *path, double t);

static Largest follow(const SoftPair *p, PathFunction *path, const void *user, int steps) {
    Largest out = {0.0, 0.0, 1.0, 0};
    AbutSoft last = {0};
    for (int i = 0; i <= steps; ++i) {
        AbutSoft s = ask(p, path(user, (double)i / steps));
        if (i > 0) {
            out.turn = fmax(out.turn, abut_angle_between(last.direction, s.direction));
            out.change = fmax(out.change, abut_point_distance(last.vector, s.vector));
        }
        out.least_coherence = fmin(out.least_coherence, s.coherence);
        out.undecided += s.outcome != ABUT_SOFT_CLEAR;
        CHECK(s.outcome != ABUT_SOFT_INVALID && abut_length(s.vector) <= 1.0 + 1e-12);
        last = s;
    }
    return out;
}

static AbutPose case_path(const void *user, double t) { return abut_direction_case_pose(*(const int *)user, t); }

/* Twice as many steps, half the change; where it must turn round, at least the vector does so. */
static void halves_on_all_benchmarks(void **state) {
    (void)state;
    for (int k = 0; k < pairs(); ++k) {
        const SoftPair *p = soft_pair(k);
        Largest coarse = follow(p, case_path, &k, 100), middle = follow(p, case_path, &k, 200),
                fine = follow(p, case_path, &k, 400);
        CHECK_NEAR(middle.change / coarse.change, 0.525, 0.075);
        CHECK_NEAR(fine.change / middle.change, 0.525, 0.075);
        if (k == PLATE) {
            CHECK(degrees(fine.turn) > 60.0 && fine.undecided > 0);
            continue;
        }
        CHECK_NEAR(middle.turn / coarse.turn, 0.525, 0.075);
        CHECK_NEAR(fine.turn / middle.turn, 0.525, 0.075);
    }
}

typedef struct RandomPath {
    AbutVec3 from, to, turn;
    AbutQuat start;
} RandomPath;

static AbutPose random_path(const void *user, double t) {
    const RandomPath *path = user;
    return abut_pose(
        abut_lerp(path->from, path->to, t), abut_quat_mul(abut_quat_exp(abut_scale(path->turn, t)), path->start));
}

static void halves_on_random_paths(void **state) {
    (void)state;
    AbutRng rng = abut_rng(501, 1);
    int clear = 0, count = check_cases(1);
    for (int i = 0; i < 8 * count; ++i) {
        const SoftPair *p = soft_pair(i % (pairs() < 8 ? pairs() : 8));
        double size = 0.5 * p->size;
        RandomPath path = {abut_scale(abut_random_direction(&rng), size * abut_rng_between(&rng, 0.4, 1.0)),
            abut_scale(abut_random_direction(&rng), size * abut_rng_between(&rng, 0.4, 1.0)),
            abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.0, 1.5)), abut_random_quat(&rng)};
        Largest coarse = follow(p, random_path, &path, 400), fine = follow(p, random_path, &path, 800);
        CHECK_NEAR(fine.change / coarse.change, 0.525, 0.075);
        if (fine.least_coherence >= 0.03) {
            CHECK_NEAR(fine.turn / coarse.turn, 0.525, 0.075);
            ++clear;
        }
    }
    CHECK(clear >= 4 * count);
}

/* ---- certificate ------------------------------------------------------------------------------------------------- */

static void the_certificate_is_never_exceeded(void **state) {
    (void)state;
    AbutRng rng = abut_rng(502, 1);
    int proved = 0, count = check_cases(1000);
    for (int i = 0; i < count; ++i) {
        const SoftPair *p = soft_pair(i % pairs());
        AbutSoftDef def = {.adaptive = i % 5 == 4};
        double move = 0.02 * exp(abut_rng_between(&rng, -9.0, 0.7)), turn = exp(abut_rng_between(&rng, -9.0, -0.7));
        AbutPose from = near_pose(&rng, p);
        from.p = abut_scale(from.p, def.adaptive ? 3.0 : 1.0); /* where tau grows */
        AbutPose to = stepped(&rng, from, i % 3 ? move : 0.0, i % 3 != 1 ? turn : 0.0);
        AbutSoft a = abut_soft_direction(p->a, p->b, from, &def, p->workspace);
        AbutSoft b = abut_soft_direction(p->a, p->b, to, &def, p->workspace);
        double angle = abut_angle_between(a.direction, b.direction);
        double there = abut_soft_turn_bound(p->b, &a, from, NULL, to),
               back = abut_soft_turn_bound(p->b, &b, to, NULL, from);
        double between = abut_soft_turn_bound(p->b, &a, from, &b, to);
        CHECK(angle <= there && angle <= back && angle <= between && between <= fmin(there, back));
        proved += between < ABUT_PI;
    }
    CHECK(proved >= count / 4);
}

/* D and the nearest value change by no more than the bodies move. */
static void distances_follow_the_motion(void **state) {
    (void)state;
    AbutRng rng = abut_rng(503, 1);
    for (int i = 0; i < check_cases(400); ++i) {
        const SoftPair *p = soft_pair(i % pairs());
        AbutPose from = near_pose(&rng, p), to = stepped(&rng, from, 1e-4, i % 2 ? 1e-4 : 0.0);
        AbutSoft a = ask(p, from), b = ask(p, to);
        double lever = i % 2 ? 1e-4 * a.certificate.lever : 0.0;
        double most = 1.05 * (1e-4 + lever + 1e-4 * abut_length(p->b->center));
        CHECK(fabs(a.distance - b.distance) <= most && fabs(a.nearest - b.nearest) <= most);
        CHECK(a.distance <= a.nearest + 2.7 * a.tau && a.distance >= a.nearest - 4.0 * a.tau);
    }
}

/* ---- gradient ---------------------------------------------------------------------------------------------------- */

static AbutPose shifted(AbutPose pose, int k, double by) {
    if (k < 3) return abut_pose(abut_add_scaled(pose.p, abut_axis(k), by), pose.q);
    return abut_pose(pose.p, abut_quat_normalize(abut_quat_mul(abut_quat_axis_angle(abut_axis(k - 3), by), pose.q)));
}

/* The second derivative of D jumps where a sample goes from one cell of the grid to the next: the steps are small. */
static void the_gradient_is_that_of_the_distance(void **state) {
    (void)state;
    AbutRng rng = abut_rng(504, 1);
    int looked = 0;
    for (int i = 0; i < check_cases(60); ++i) {
        const SoftPair *p = soft_pair(i % pairs());
        AbutPose pose = near_pose(&rng, p);
        AbutSoft s = ask(p, pose);
        double most = fmax(abut_length(s.gradient_move), abut_length(s.gradient_turn)), step = 1e-7;
        if (s.confidence < 0.01) continue;
        for (int k = 0; k < 6; ++k) {
            double difference =
                (ask(p, shifted(pose, k, step)).distance - ask(p, shifted(pose, k, -step)).distance) / (2.0 * step);
            CHECK_NEAR(abut_get(k < 3 ? s.gradient_move : s.gradient_turn, k % 3), difference, 1e-6 * most);
        }
        CHECK_NEAR(s.confidence, abut_length(s.gradient_move), 1e-15);
        ++looked;
    }
    CHECK(looked > check_cases(60) / 2);
}

/* ---- oracle: all samples, in long double ------------------------------------------------------------------------- */

typedef struct Oracle {
    double phi[20000];
    AbutVec3 normal[20000];
    double area[20000];
    int count;
    double nearest;
} Oracle;

static void look_at(
    Oracle *o, const AbutSoftBody *body, const AbutSoftBody *other, AbutPose to_other, double sign, AbutQuat to_a) {
    for (int i = 0; i < body->point_count; ++i)
        o->nearest =
            fmin(o->nearest, abut_soft_field(other, abut_pose_apply(to_other, abut_soft_points(body)[i]), NULL));
    for (int i = 0; i < body->sample_count; ++i, ++o->count) {
        const AbutSoftSample *s = &abut_soft_samples(body)[i];
        o->phi[o->count] = abut_soft_field(other, abut_pose_apply(to_other, s->p), NULL);
        o->normal[o->count] = abut_scale(abut_quat_rotate(to_a, s->area_vector), sign);
        o->area[o->count] = s->area;
        o->nearest = fmin(o->nearest, o->phi[o->count]);
    }
}

/* sum a t^6 - tau^2, and the weighted area vectors. */
static long double excess(const Oracle *o, double d, double tau, AbutVec3 *force) {
    long double sum = 0.0L, x = 0.0L, y = 0.0L, z = 0.0L;
    for (int i = 0; i < o->count; ++i) {
        long double t = 1.0L - ((long double)o->phi[i] - d) / (6.0L * tau);
        if (t <= 0.0L) continue;
        long double t5 = t * t * t * t * t;
        sum += o->area[i] * t5 * t;
        x += o->normal[i].x * t5, y += o->normal[i].y * t5, z += o->normal[i].z * t5;
    }
    *force = abut_vec3((double)x, (double)y, (double)z);
    return sum - (long double)tau * tau;
}

static void all_samples_say_the_same(void **state) {
    (void)state;
    static Oracle o;
    AbutRng rng = abut_rng(505, 1);
    for (int i = 0; i < check_cases(30); ++i) {
        const SoftPair *p = soft_pair(i % pairs());
        AbutPose pose = near_pose(&rng, p);
        AbutSoft s = ask(p, pose);
        AbutVec3 force;
        o.count = 0, o.nearest = INFINITY;
        look_at(&o, p->a, p->b, abut_pose_inv(pose), 1.0, abut_quat_identity());
        look_at(&o, p->b, p->a, pose, -1.0, pose.q);
        CHECK_NEAR(s.nearest, o.nearest, 1e-13);
        double low = s.nearest - 20 * s.tau, high = s.nearest + 20 * s.tau;
        for (int k = 0; k < 80; ++k) {
            double middle = 0.5 * (low + high);
            *(excess(&o, middle, s.tau, &force) < 0.0L ? &low : &high) = middle;
        }
        CHECK_NEAR(s.distance, 0.5 * (low + high), 1e-13);
        (void)excess(&o, s.distance, s.tau, &force);
        CHECK_VEC_NEAR(s.direction, abut_normalize(force), 1e-9);
    }
}

/* ---- symmetry ---------------------------------------------------------------------------------------------------- */

static void exchanged_bodies_give_the_opposite(void **state) {
    (void)state;
    AbutRng rng = abut_rng(506, 1);
    for (int i = 0; i < check_cases(60); ++i) {
        const SoftPair *p = soft_pair(i % pairs());
        AbutPose pose = near_pose(&rng, p);
        AbutSoft s = ask(p, pose), t = abut_soft_direction(p->b, p->a, abut_pose_inv(pose), NULL, p->workspace);
        CHECK_NEAR(s.distance, t.distance, 1e-13);
        if (s.coherence > 1e-2) CHECK_VEC_NEAR(s.direction, abut_neg(abut_quat_rotate(pose.q, t.direction)), 1e-12);
    }
}

/* ---- features ---------------------------------------------------------------------------------------------------- */

static AbutSoftBody *fine_box(AbutVec3 half, double tau) {
    AbutMesh mesh = box_mesh(abut_zero(), half, 0);
    AbutSoftBody *body = soft_body(&mesh, 0.5 * tau);
    abut_mesh_free(&mesh);
    return body;
}

/* Never 6 tau below the nearest sample, however large the faces are, and near that for large ones. */
static void large_faces_stay_above_the_bound(void **state) {
    (void)state;
    static const double halves[4] = {0.05, 0.1, 0.2, 0.5};
    double last = 0.0, tau = 0.02;
    for (int i = 0; i < 4; ++i) {
        AbutSoftBody *plate = fine_box(abut_vec3(halves[i], halves[i], 0.05), 2.0 * tau);
        void *room = abut_alloc(abut_soft_size(plate, plate));
        AbutSoftDef def = {.tau = tau};
        AbutPose pose = abut_pose(abut_vec3(0, 0, 0.12), abut_quat_identity());
        AbutSoft s = abut_soft_direction(plate, plate, pose, &def, room);
        double below = (s.nearest - s.distance) / s.tau;
        CHECK(below < 6.0 && below > last);
        last = below;
        abut_free(room);
        abut_soft_body_free(plate);
    }
    CHECK_NEAR(last, 4.5, 0.1);
}

static double lowest(AbutVec3 half, AbutQuat q, AbutVec3 *corner) {
    double low = INFINITY;
    for (int i = 0; i < 8; ++i) {
        AbutVec3 v = abut_quat_rotate(
            q, abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
        if (v.z < low - 1e-12) low = v.z, *corner = v;
    }
    return low;
}

static AbutQuat turned(double x, double y, double z) { return abut_quat_exp(abut_vec3(x, y, z)); }

/* A corner over a face, apart and in overlap: the normal of the face. */
static void corner_over_face(void **state) {
    (void)state;
    double tau = 0.02;
    AbutVec3 small = abut_vec3(0.15, 0.15, 0.15), corner, down = abut_normalize(abut_vec3(-1, -1, -1));
    AbutSoftBody *a = fine_box(abut_vec3(0.2, 0.2, 0.1), tau), *b = fine_box(small, tau);
    void *workspace = malloc(abut_soft_size(a, b));
    AbutSoftDef def = {.tau = tau};
    AbutQuat q = abut_quat_mul(
        turned(0, 0, 0.3), abut_quat_mul(turned(0.15, -0.1, 0), abut_quat_between(down, abut_vec3(0, 0, -1))));
    double low = lowest(small, q, &corner);
    for (int k = 0; k < 5; ++k) {
        AbutPose pose = abut_pose(abut_vec3(0.013 - corner.x, 0.021 - corner.y, 0.11 - 0.004 * k - low), q);
        AbutSoft s = abut_soft_direction(a, b, pose, &def, workspace);
        CHECK(degrees(abut_angle_between(s.direction, abut_axis(2))) <= 0.5);
        CHECK_NEAR(s.nearest, 0.01 - 0.004 * k, 0.002);
    }
    free(workspace);
    abut_soft_body_free(a);
    abut_soft_body_free(b);
}

/* Two edges across each other, their wedges tilted unequally: at right angles to both. */
static void edge_over_edge(void **state) {
    (void)state;
    double tau = 0.02;
    AbutVec3 half_a = abut_vec3(0.2, 0.12, 0.1), half_b = abut_vec3(0.2, 0.1, 0.1), top, bottom;
    AbutSoftBody *a = fine_box(half_a, tau), *b = fine_box(half_b, tau);
    void *workspace = malloc(abut_soft_size(a, b));
    AbutSoftDef def = {.tau = tau};
    AbutQuat qa = turned(0.25 * ABUT_PI + 0.15, 0, 0),
             qb = abut_quat_mul(turned(0, 0, 1.2), turned(0.25 * ABUT_PI - 0.2, 0, 0));
    double za = -lowest(half_a, abut_quat_mul(turned(ABUT_PI, 0, 0), qa), &top), zb = lowest(half_b, qb, &bottom);
    top = abut_vec3(top.x, -top.y, -top.z); /* turned back */
    AbutVec3 along = abut_vec3(cos(1.2), sin(1.2), 0),
             middle = abut_add_scaled(bottom, along, -abut_dot(bottom, along));
    for (int k = 0; k < 5; ++k) {
        AbutPose pose_a = abut_pose(abut_zero(), qa);
        AbutPose pose_b = abut_pose(abut_vec3(0.02 - middle.x, top.y - middle.y, za + 0.01 - 0.004 * k - zb), qb);
        AbutSoft s = abut_soft_direction(a, b, abut_pose_between(pose_a, pose_b), &def, workspace);
        CHECK(degrees(abut_angle_between(abut_quat_rotate(qa, s.direction), abut_axis(2))) <= 0.5);
    }
    free(workspace);
    abut_soft_body_free(a);
    abut_soft_body_free(b);
}

/* ---- a slot that closes ------------------------------------------------------------------------------------------ */

static void add_quad(AbutMesh *m, AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d) {
    const AbutVec3 v[4] = {a, b, c, d};
    AbutTriangle t[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) t[k].v[i] += m->vertex_count;
        m->triangles[m->triangle_count++] = t[k];
    }
    for (int i = 0; i < 4; ++i) m->vertices[m->vertex_count++] = v[i];
}

/* A block with a slot open at the top, along y. */
static AbutMesh slot_mesh(double half_slot, double depth, double wall, double half_y) {
    const double x[4] = {-half_slot - wall, -half_slot, half_slot, half_slot + wall}, z[3] = {-wall, 0.0, depth};
    AbutMesh m;
    AbutError error;
    good(abut_mesh_create(200, 100, &m, &error), &error);
    m.vertex_count = m.triangle_count = 0;
#define FILLED(i, j) ((i) >= 0 && (i) < 3 && (j) >= 0 && (j) < 2 && !((i) == 1 && (j) == 1))
#define P(i, s, j) abut_vec3(x[i], (s)*half_y, z[j])
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j) {
            if (!FILLED(i, j)) continue;
            add_quad(&m, P(i, -1, j), P(i + 1, -1, j), P(i + 1, -1, j + 1), P(i, -1, j + 1));
            add_quad(&m, P(i, 1, j), P(i, 1, j + 1), P(i + 1, 1, j + 1), P(i + 1, 1, j));
            if (!FILLED(i - 1, j)) add_quad(&m, P(i, -1, j), P(i, -1, j + 1), P(i, 1, j + 1), P(i, 1, j));
            if (!FILLED(i + 1, j))
                add_quad(&m, P(i + 1, -1, j), P(i + 1, 1, j), P(i + 1, 1, j + 1), P(i + 1, -1, j + 1));
            if (!FILLED(i, j - 1)) add_quad(&m, P(i, -1, j), P(i, 1, j), P(i + 1, 1, j), P(i + 1, -1, j));
            if (!FILLED(i, j + 1))
                add_quad(&m, P(i, -1, j + 1), P(i + 1, -1, j + 1), P(i + 1, 1, j + 1), P(i, 1, j + 1));
        }
#undef P
#undef FILLED
    good(abut_mesh_weld(&m, &error), &error);
    return m;
}

/* A peg that turns in a tight slot: the depth jumps, the soft distance does not. */
static void a_slot_may_close(void **state) {
    (void)state;
    enum { STEPS = 50 };
    AbutMesh slot = slot_mesh(0.051, 0.3, 0.1, 0.2), peg = box_mesh(abut_zero(), abut_vec3(0.05, 0.05, 0.14), 0);
    SoftPair p = open_pair(&slot, &peg, 0.01);
    double turn = 0.05 / STEPS, move = turn * p.b->radius, jump = 0.0, before = 0.0;
    AbutSoft last = {0};
    for (int i = 0; i <= STEPS; ++i) {
        AbutPose pose = abut_pose(abut_vec3(0, 0, 0.16), turned(0, turn * i, 0));
        AbutSoft s = ask(&p, pose);
        double depth = -abut_mesh_depth(p.tree_a, p.tree_b, pose, NULL, NULL).distance;
        if (i > 0) {
            CHECK(fabs(s.distance - last.distance) <= move && fabs(s.nearest - last.nearest) <= move);
            jump = fmax(jump, fabs(depth - before));
        }
        last = s, before = depth;
    }
    CHECK(jump > 20.0 * move);
    close_pair(&p);
    abut_mesh_free(&slot);
    abut_mesh_free(&peg);
}

/* ---- odd input --------------------------------------------------------------------------------------------------- */

static void *no_memory(size_t bytes, void *user) {
    (void)bytes;
    ++*(int *)user;
    return NULL;
}

static void no_release(void *memory, void *user) { (void)memory, (void)user; }

static void a_query_takes_no_memory(void **state) {
    (void)state;
    int requests = 0;
    AbutRng rng = abut_rng(510, 1);
    const SoftPair *p = soft_pair(6);
    AbutAllocator none = {no_memory, no_release, &requests};
    abut_set_allocator(&none);
    for (int i = 0; i < 20; ++i) (void)ask(p, near_pose(&rng, p));
    abut_set_allocator(NULL);
    assert_int_equal(requests, 0);
}

static void odd_questions_have_an_answer(void **state) {
    (void)state;
    const SoftPair *p = soft_pair(6);
    AbutPose pose = abut_pose_identity();
    AbutSoftDef small = {.tau = 0.5 * p->a->spacing}, bad = {.tau = NAN};
    pose.p.x = NAN;
    AbutSoft unknown = ask(p, pose);
    CHECK(unknown.outcome == ABUT_SOFT_INVALID && isnan(unknown.distance) && isnan(unknown.direction.x));
    CHECK(isnan(unknown.vector.y) && isnan(unknown.nearest) && isnan(unknown.gradient_turn.z));
    pose.p.x = 1e9;
    assert_int_equal(ask(p, pose).outcome, ABUT_SOFT_INVALID);
    pose.p.x = 1e7;
    AbutSoft far = ask(p, pose);
    CHECK(far.outcome == ABUT_SOFT_CLEAR && degrees(abut_angle_between(far.direction, abut_axis(0))) < 2.0);
    AbutSoftDef adaptive = {.adaptive = 1};
    AbutSoft wide = abut_soft_direction(p->a, p->b, pose, &adaptive, p->workspace);
    CHECK(wide.outcome == ABUT_SOFT_CLEAR && wide.tau <= 0.51 * p->b->radius && wide.direction.x > 0.999);
    pose.p.x = 0.3, pose.q.w = 2.0;
    assert_int_equal(ask(p, pose).outcome, ABUT_SOFT_INVALID);
    pose.q.w = 1.0;
    assert_int_equal(abut_soft_direction(p->a, p->b, pose, &small, p->workspace).outcome, ABUT_SOFT_INVALID);
    assert_int_equal(abut_soft_direction(p->a, p->b, pose, &bad, p->workspace).outcome, ABUT_SOFT_INVALID);
    AbutSoft s = ask(p, pose), none = ask(p, abut_pose(abut_vec3(NAN, 0, 0), pose.q));
    AbutPose far_turned = abut_pose(pose.p, turned(0, 0, 1.0)), nan = abut_pose(abut_vec3(NAN, 0, 0), pose.q);
    CHECK(abut_soft_turn_bound(p->b, &s, pose, NULL, far_turned) == ABUT_PI);
    CHECK(abut_soft_turn_bound(p->b, &s, pose, NULL, nan) == ABUT_PI);
    CHECK(abut_soft_turn_bound(p->b, &none, pose, NULL, pose) == ABUT_PI);
    CHECK(abut_soft_turn_bound(p->b, &s, pose, NULL, pose) <= 1e-11);
    CHECK(abut_angle_between(abut_zero(), abut_axis(0)) == 0.0);
    /* the middle of a box in the middle of another: nothing to choose */
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0);
    SoftPair same = open_pair(&box, &box, 0.01);
    AbutSoft middle = ask(&same, abut_pose_identity());
    CHECK(middle.outcome != ABUT_SOFT_CLEAR && middle.confidence < 0.1);
    close_pair(&same);
    abut_mesh_free(&box);
    for (int i = 0; i < ABUT_SOFT_OUTCOME_COUNT; ++i) assert_non_null(abut_word(abut_soft_outcome_names, i));
}

/* A above or below B: the direction is from A to B. */
static void directions_point_from_a_to_b(void **state) {
    (void)state;
    const SoftPair *p = soft_pair(5);
    for (int sign = -1; sign <= 1; sign += 2)
        for (double z = 0.1; z < 0.4; z += 0.1) {
            AbutSoft s = ask(p, abut_pose(abut_vec3(0.0, 0.0, sign * z), abut_quat_identity()));
            CHECK(s.direction.z * sign > 0.99 && s.gradient_move.z * sign > 0.5);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_on_all_benchmarks),
        cmocka_unit_test(halves_on_random_paths),
        cmocka_unit_test(the_certificate_is_never_exceeded),
        cmocka_unit_test(distances_follow_the_motion),
        cmocka_unit_test(large_faces_stay_above_the_bound),
        cmocka_unit_test(the_gradient_is_that_of_the_distance),
        cmocka_unit_test(all_samples_say_the_same),
        cmocka_unit_test(exchanged_bodies_give_the_opposite),
        cmocka_unit_test(corner_over_face),
        cmocka_unit_test(edge_over_edge),
        cmocka_unit_test(a_slot_may_close),
        cmocka_unit_test(a_query_takes_no_memory),
        cmocka_unit_test(odd_questions_have_an_answer),
        cmocka_unit_test(directions_point_from_a_to_b),
    };
    return cmocka_run_group_tests(tests, NULL, close_pairs);
}
