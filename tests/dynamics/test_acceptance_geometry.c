/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance checks 1 to 4: overlap, normal, surface moments and responses against independent computations, on random
 * pairs of boxes. */
#include "contact/grown.h"
#include "dynamics/world.h"
#include "abut/literature.h"
#include "oracle/contact_oracle.h"
#include "solve/solve.h"

/* Two boxes without margin; everything is in the frame of A. */
typedef struct Pair {
    AbutGrownBody body[2];
    AbutPatchPair pair;
    AbutOverlap overlap;
    void *room;
    size_t bytes;
} Pair;

/* Two boxes of random size; `reach` of their radii apart at most. */
static void random_pair(AbutRng *rng, double reach, Pair *p) {
    AbutVec3 half[2];
    AbutError error;
    memset(p, 0, sizeof *p);
    for (int i = 0; i < 2; ++i) {
        half[i] = abut_vec3(
            abut_rng_between(rng, 0.02, 0.2), abut_rng_between(rng, 0.02, 0.2), abut_rng_between(rng, 0.02, 0.2));
        AbutConvex box = abut_convex_box(half[i], 0.0);
        world_ok(abut_grown_body_create(&box, 0.0, &p->body[i], &error), &error);
    }
    double apart = reach * (abut_length(half[0]) + abut_length(half[1]));
    AbutVec3 position = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.1, apart));
    p->pair =
        (AbutPatchPair){&p->body[0], &p->body[1], abut_pose(position, abut_random_quat(rng)), {0, 0, 0}, {0, 0, 0}, 0};
    p->bytes = abut_contact_workspace_size(&p->body[0], &p->body[1]);
    p->room = abut_alloc(p->bytes);
}

static int measure(Pair *p, AbutPatch *patch) {
    return abut_patch_find(&p->pair, NULL, p->room, p->bytes, &p->overlap, patch);
}

static void free_pair(Pair *p) {
    abut_grown_body_free(&p->body[0]);
    abut_grown_body_free(&p->body[1]);
    abut_free(p->room);
}

static void test_01_02_overlap(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4001, 0);
    int cases = check_cases(2000), overlapping = 0, apart = 0;
    double volume = 0.0, centroid = 0.0, normal = 0.0;
    for (int i = 0; i < cases; ++i) {
        Pair p;
        AbutPatch patch;
        random_pair(&rng, 0.8, &p);
        const AbutConvex *a = &p.body[0].convex, *b = &p.body[1].convex;
        size_t bytes = abut_overlap_workspace_size(a, b);
        void *room = malloc(bytes);
        AbutOverlap expected = abut_overlap_by_duality(a, b, p.pair.b_in_a, room, bytes);
        int found = measure(&p, &patch);
        if (expected.outcome == ABUT_OVERLAP_VOLUME) {
            CHECK(found > 0);
            double scale = abut_larger(expected.volume, 1e-9);
            volume = abut_larger(volume, fabs(patch.volume - expected.volume) / scale);
            if (expected.volume > 1e-9 && !expected.normal_from_depth) {
                centroid = abut_larger(centroid, abut_point_distance(patch.centroid, expected.centroid));
                double sure =
                    abut_length(expected.area_vector) / expected.area; /* it is the direction of a difference */
                normal = sure > 0.02 ? abut_larger(normal, abut_point_distance(patch.normal, expected.normal)) : normal;
            }
            ++overlapping;
        } else {
            CHECK(expected.outcome == ABUT_OVERLAP_DISJOINT || expected.outcome == ABUT_OVERLAP_TOUCHING);
            CHECK(found == 0 || patch.volume < 1e-15);
            ++apart;
        }
        free(room);
        free_pair(&p);
    }
    MEASURED("1: volume %.2g rel over %d pairs, %d apart; 2: centroid %.2g m, normal %.2g\n", volume, overlapping,
        apart, centroid, normal);
    CHECK(overlapping > cases / 4 && apart > cases / 50);
    CHECK(volume < 1e-11);
    CHECK(centroid < 1e-13);
    CHECK(normal < 1e-11);
}

static void quadrature(const Pair *p, const AbutPatch *patch, int projected, double q[6][6], double side[6]) {
    memset(q, 0, 36 * sizeof(double));
    memset(side, 0, 6 * sizeof(double));
    for (int f = 0; f < p->overlap.face_count; ++f) {
        const AbutOverlapFace *face = &p->overlap.face[f];
        for (int i = 2; i < face->count; ++i) {
            int corner[3] = {0, i - 1, i};
            AbutVec3 c[3];
            for (int k = 0; k < 3; ++k) {
                AbutVec3 r = abut_sub(p->overlap.vertex[p->overlap.corner[face->first + corner[k]]], patch->centroid);
                c[k] = abut_vec3(abut_dot(patch->e1, r), abut_dot(patch->e2, r), abut_dot(patch->normal, r));
            }
            oracle_surface(c, abut_axis(2), 60, projected,
                projected ? fabs(abut_dot(face->plane.normal, patch->normal)) : 1.0, q, side);
        }
    }
}

/* Largest entry of the difference; rows and columns in units of the area and the size of the patch. */
static double matrix_error(const AbutMat6 *m, double q[6][6]) {
    double worst = 0.0;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            worst = abut_larger(worst, fabs(m->m[i][k] - q[i][k]) / sqrt(m->m[i][i] * m->m[k][k]));
    return worst;
}

static void test_03_moments(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4003, 0);
    int cases = check_cases(60), done = 0;
    double q_worst = 0.0, side_worst = 0.0;
    while (done < cases) {
        Pair p;
        AbutPatch patch;
        random_pair(&rng, 0.6, &p);
        if (measure(&p, &patch) > 0 && patch.volume > 1e-7) {
            for (int projected = 0; projected < 2; ++projected) {
                double q[6][6], side[6], ours[6], scale = 0.0, off = 0.0;
                quadrature(&p, &patch, projected, q, side);
                AbutSurfaceMoments m = abut_surface_moments(&p.overlap, &patch, projected);
                AbutMat6 matrix = abut_moments_matrix(&m);
                abut_moments_right_side(&m, 0.0, ours);
                for (int k = 0; k < 6; ++k) {
                    double unit = k < 3 ? 1.0 : 1.0 / patch.length;
                    scale = abut_larger(scale, fabs(ours[k]) * unit);
                    off = abut_larger(off, fabs(ours[k] - side[k]) * unit);
                }
                q_worst = abut_larger(q_worst, matrix_error(&matrix, q));
                side_worst = abut_larger(side_worst, off / scale);
            }
            ++done;
        }
        free_pair(&p);
    }
    MEASURED("3: Q %.2g, C^T nu %.2g rel to quadrature\n", q_worst, side_worst);
    CHECK(q_worst < 1e-6);
    CHECK(side_worst < 2e-4);
}

/* A half-space against a large block in its place. */
static void test_03_half_space(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4004, 0);
    AbutPlane ground = {{0.0, 0.0, 1.0}, 0.0};
    AbutConvex convex[3] = {abut_convex_half_space(ground, 0.0), abut_convex_box(abut_vec3(1.0, 1.0, 0.5), 0.0),
        abut_convex_box(abut_vec3(0.1, 0.05, 0.025), 0.0)};
    AbutGrownBody body[3];
    AbutError error;
    for (int k = 0; k < 3; ++k) world_ok(abut_grown_body_create(&convex[k], 0.0, &body[k], &error), &error);
    size_t bytes = abut_contact_workspace_size(&body[1], &body[2]);
    void *room = abut_alloc(bytes);
    for (int i = 0; i < check_cases(200); ++i) {
        AbutQuat q = abut_random_quat(&rng);
        AbutSurfaceMoments m[2][2];
        AbutPatch patch[2];
        AbutMat3 r = abut_quat_to_mat3(q);
        double low = 0.1 * fabs(r.x.z) + 0.05 * fabs(r.y.z) + 0.025 * fabs(r.z.z);
        for (int k = 0; k < 2; ++k) {
            AbutVec3 p = abut_vec3(0.01, 0.02, low - 0.01 + (k ? 0.5 : 0.0)); /* from the center of the block */
            AbutPatchPair pair = {&body[k], &body[2], abut_pose(p, q), {0, 0, 0}, {0, 0, 0}, 0};
            AbutOverlap overlap;
            CHECK(abut_patch_find(&pair, NULL, room, bytes, &overlap, &patch[k]) == 1);
            for (int projected = 0; projected < 2; ++projected)
                m[k][projected] = abut_surface_moments(&overlap, &patch[k], projected);
        }
        CHECK_NEAR(patch[0].volume, patch[1].volume, 1e-12 * patch[1].volume + 1e-17);
        CHECK_VEC_NEAR(patch[0].normal, patch[1].normal, 1e-9);
        for (int projected = 0; projected < 2; ++projected) {
            CHECK_NEAR(m[0][projected].s, m[1][projected].s, 1e-9 * m[1][projected].s);
            CHECK_NEAR(m[0][projected].c0, m[1][projected].c0, 1e-8 * m[1][projected].c0);
            CHECK_NEAR(m[0][projected].m2.x.x, m[1][projected].m2.x.x, 1e-8 * abut_mat3_trace(m[1][projected].m2));
            CHECK_VEC_NEAR(m[0][projected].m1, m[1][projected].m1, 1e-9 * m[1][projected].s);
            CHECK_VEC_NEAR(m[0][projected].c1, m[1][projected].c1, 1e-8 * m[1][projected].c0);
        }
    }
    for (int k = 0; k < 3; ++k) abut_grown_body_free(&body[k]);
    abut_free(room);
}

/* A flat slab of depth d: v*_n = k (d - d0) / 2, no tilt. */
static void test_03_slab(void **state) {
    (void)state;
    for (int fit = 0; fit < 2; ++fit) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL_GENERATOR);
        w.def.fit = fit ? ABUT_FIT_MOMENTS : ABUT_FIT_THICKNESS;
        world_ground(&w);
        world_box(&w, abut_vec3(0.0, 0.0, 0.025 - 3e-6), abut_quat_identity());
        world_start(&w);
        world_step(&w);
        const AbutSolverContact *c = abut_ordered_contact(w.sim, 0);
        double expected = 0.1 / 1e-4 * (3e-6 - 1e-6) / 2.0;
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(
                c->room->number[ABUT_AT_TARGET + k], k == 2 ? expected : 0.0, 1e-9 * expected * (k < 3 ? 1.0 : 100.0));
        for (int i = 0; i < c->count; ++i) CHECK_NEAR(c->point[i].target, expected, 1e-9 * expected);
        world_end(&w);
    }
}

/* Inverse, about the center of mass. */
static AbutMat3 world_inertia(const AbutBody *body) {
    AbutMat3 r = abut_quat_to_mat3(body->q);
    return abut_mat3_mul(r, abut_mat3_mul(body->inv_inertia, abut_mat3_transpose(r)));
}

static void test_04_response(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4005, 0);
    double worst = 0.0;
    int found = 0;
    for (int i = 0; i < check_cases(300); ++i) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL);
        w.def.gravity = abut_zero();
        for (int k = 0; k < 2; ++k)
            world_box(&w, abut_scale(abut_random_direction(&rng), 0.06), abut_random_quat(&rng));
        world_start(&w);
        AbutBody before[2] = {w.scene->body[0], w.scene->body[1]};
        world_step(&w);
        if (w.report.contacts == 1) {
            const AbutSolverContact *c = abut_ordered_contact(w.sim, 0);
            const AbutBody *a = &before[c->body_a], *b = &before[c->body_b];
            double phi[6][6] = {{0}}, turned[6][6], largest[2] = {0, 0};
            AbutMat3 frame = abut_mat3(c->e1, c->e2, c->nu);
            AbutVec3 p = abut_add(a->x, c->ra);
            oracle_response(a->inv_mass, world_inertia(a), abut_sub(p, a->x), phi);
            oracle_response(b->inv_mass, world_inertia(b), abut_sub(p, b->x), phi);
            AbutVec3 axis[3] = {frame.x, frame.y, frame.z};
            for (int r = 0; r < 6; ++r)
                for (int s = 0; s < 6; ++s) {
                    turned[r][s] = 0.0;
                    for (int x = 0; x < 3; ++x)
                        for (int y = 0; y < 3; ++y)
                            turned[r][s] += abut_get(axis[r % 3], x) * phi[3 * (r / 3) + x][3 * (s / 3) + y] *
                                            abut_get(axis[s % 3], y);
                }
            for (int r = 0; r < 6; ++r) largest[r / 3] = abut_larger(largest[r / 3], turned[r][r]);
            for (int r = 0; r < 6; ++r)
                for (int s = 0; s < 6; ++s)
                    worst = abut_larger(
                        worst, fabs(turned[r][s] - c->touch->phi[r][s]) / sqrt(largest[r / 3] * largest[s / 3]));
            ++found;
        }
        world_end(&w);
    }
    MEASURED("4: Phi %.2g rel over %d contacts\n", worst, found);
    CHECK(found > check_cases(300) / 2);
    CHECK(worst < 1e-12);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_01_02_overlap),
        cmocka_unit_test(test_03_moments),
        cmocka_unit_test(test_03_half_space),
        cmocka_unit_test(test_03_slab),
        cmocka_unit_test(test_04_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
