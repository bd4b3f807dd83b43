/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance checks 1 to 4: overlap, normal, surface moments and responses against independent computations, on random
 * pairs of boxes. */
#include "dynamics/world.h"
#include "oracle/contact_oracle.h"

typedef struct Pair {
    World world;
    AbutClipHull hull[2];
    AbutClipSpace space;
    AbutMat3 rotation; /* of A in B */
    AbutVec3 position;
    AbutPose pose;
} Pair;

/* Two boxes of random size; `reach` of their radii apart at most. */
static Pair random_pair(AbutRng *rng, double reach)
{
    Pair p;
    memset(&p, 0, sizeof p);
    p.world = world_begin(ABUT_CONTACT_MODEL_VOL);
    AbutVec3 half[2];
    for (int i = 0; i < 2; ++i) {
        half[i] = abut_vec3(
            abut_rng_between(rng, 0.02, 0.2), abut_rng_between(rng, 0.02, 0.2), abut_rng_between(rng, 0.02, 0.2));
        world_add(&p.world, ABUT_BODY_DYNAMIC, half[i], abut_pose_identity());
    }
    double apart = reach * (abut_length(half[0]) + abut_length(half[1]));
    p.position = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.1, apart));
    AbutQuat q = abut_random_quat(rng);
    p.rotation = abut_quat_to_mat3(q);
    p.pose = abut_pose(p.position, q);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(abut_clip_hull_build(&p.hull[i], &p.world.scene->shape[i], 0.0), ABUT_OK);
    CHECK(abut_clip_space_reserve(&p.space, 8, 6, 24));
    return p;
}

static int measure(Pair *p, AbutPatch *patch)
{
    return abut_clip_overlap(&p->space, &p->hull[0], &p->hull[1], &p->rotation, p->position) &&
           abut_patch_measure(&p->space, &p->hull[0], &p->hull[1], &p->rotation, p->position, abut_zero(), 0, patch);
}

static void free_pair(Pair *p)
{
    abut_clip_hull_free(&p->hull[0]);
    abut_clip_hull_free(&p->hull[1]);
    abut_clip_space_free(&p->space);
    abut_scene_free(p->world.scene);
}

static void test_01_02_overlap(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(4001, 0);
    int cases = check_cases(2000), overlapping = 0, apart = 0;
    double volume = 0.0, centroid = 0.0, normal = 0.0;
    for (int i = 0; i < cases; ++i) {
        Pair p = random_pair(&rng, 0.8);
        AbutPatch patch;
        AbutConvex a = abut_convex_polyhedron(p.world.scene->shape[0].polyhedron, 0.0);
        AbutConvex b = abut_convex_polyhedron(p.world.scene->shape[1].polyhedron, 0.0);
        size_t bytes = abut_overlap_workspace_size(&b, &a);
        void *room = malloc(bytes);
        AbutOverlap expected = abut_overlap_by_duality(&b, &a, p.pose, room, bytes); /* frame of the test's B */
        int found = measure(&p, &patch);
        if (expected.outcome == ABUT_OVERLAP_VOLUME) {
            CHECK(found);
            double scale = abut_larger(expected.volume, 1e-9);
            volume = abut_larger(volume, fabs(patch.volume - expected.volume) / scale);
            if (expected.volume > 1e-9 && !expected.normal_from_depth) {
                centroid = abut_larger(centroid, abut_distance(patch.centroid, expected.centroid));
                double sure =
                    abut_length(expected.area_vector) / expected.area; /* nu is the direction of a difference */
                normal = sure > 0.02 ? abut_larger(normal, abut_distance(patch.nu, expected.normal)) : normal;
            }
            ++overlapping;
        } else {
            CHECK(expected.outcome == ABUT_OVERLAP_DISJOINT || expected.outcome == ABUT_OVERLAP_TOUCHING);
            CHECK(!found || patch.volume < 1e-15);
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

static void quadrature(const Pair *p, const AbutPatch *patch, int projected, double q[6][6], double side[6])
{
    memset(q, 0, 36 * sizeof(double));
    memset(side, 0, 6 * sizeof(double));
    for (int f = 0; f < p->space.face_count; ++f) {
        const AbutClipFace *face = &p->space.face[f];
        for (int i = 2; i < face->count; ++i) {
            int corner[3] = {0, i - 1, i};
            AbutVec3 c[3];
            for (int k = 0; k < 3; ++k) {
                AbutVec3 r = abut_sub(p->space.point[face->first + corner[k]], patch->centroid);
                c[k] = abut_vec3(abut_dot(patch->e1, r), abut_dot(patch->e2, r), abut_dot(patch->nu, r));
            }
            oracle_surface(
                c, abut_axis(2), 60, projected, projected ? fabs(abut_dot(face->normal, patch->nu)) : 1.0, q, side);
        }
    }
}

/* Largest entry of the difference; rows and columns in units of the area and the size of the patch. */
static double matrix_error(const AbutMat6 *m, double q[6][6])
{
    double worst = 0.0;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            worst = abut_larger(worst, fabs(m->m[i][k] - q[i][k]) / sqrt(m->m[i][i] * m->m[k][k]));
    return worst;
}

static void test_03_moments(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(4003, 0);
    int cases = check_cases(60), done = 0;
    double q_worst = 0.0, side_worst = 0.0;
    while (done < cases) {
        Pair p = random_pair(&rng, 0.6);
        AbutPatch patch;
        if (measure(&p, &patch) && patch.volume > 1e-7) {
            for (int projected = 0; projected < 2; ++projected) {
                double q[6][6], side[6], ours[6], scale = 0.0, off = 0.0;
                quadrature(&p, &patch, projected, q, side);
                AbutSurfaceMoments m = abut_surface_moments(&p.space, &patch, NULL, projected);
                AbutMat6 matrix = abut_moments_matrix(&m);
                abut_moments_right_side(&m, 0.0, ours);
                for (int k = 0; k < 6; ++k) {
                    double unit = k < 3 ? 1.0 : 1.0 / patch.ell;
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

/* The face of a half-space is not in the list of faces: against a large static block in its place. */
static void test_03_half_space(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(4004, 0);
    for (int i = 0; i < check_cases(200); ++i) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL);
        AbutQuat q = abut_random_quat(&rng);
        world_add(&w, ABUT_BODY_STATIC, abut_zero(), abut_pose_identity());
        world_add(
            &w, ABUT_BODY_STATIC, abut_vec3(1.0, 1.0, 0.5), abut_pose(abut_vec3(0.0, 0.0, -0.5), abut_quat_identity()));
        world_add(&w, ABUT_BODY_DYNAMIC, abut_vec3(0.1, 0.05, 0.025), abut_pose_identity());
        AbutClipHull hull[3];
        AbutClipSpace space;
        AbutSurfaceMoments m[2][2];
        AbutPatch patch[2];
        memset(&space, 0, sizeof space);
        CHECK(abut_clip_space_reserve(&space, 8, 6, 24));
        for (int k = 0; k < 3; ++k)
            assert_int_equal(abut_clip_hull_build(&hull[k], &w.scene->shape[k], 0.0), ABUT_OK);
        AbutMat3 r = abut_quat_to_mat3(q);
        double low = 0.1 * fabs(r.x.z) + 0.05 * fabs(r.y.z) + 0.025 * fabs(r.z.z);
        for (int k = 0; k < 2; ++k) {
            AbutVec3 p = abut_vec3(0.01, 0.02, low - 0.01 + (k ? 0.5 : 0.0)); /* from the centre of mass of B */
            CHECK(abut_clip_overlap(&space, &hull[2], &hull[k], &r, p));
            CHECK(abut_patch_measure(&space, &hull[2], &hull[k], &r, p, abut_zero(), 0, &patch[k]));
            for (int projected = 0; projected < 2; ++projected)
                m[k][projected] = abut_surface_moments(&space, &patch[k], k == 0 ? hull[0].plane : NULL, projected);
        }
        CHECK_NEAR(patch[0].volume, patch[1].volume, 1e-12 * patch[1].volume + 1e-17);
        CHECK_VEC_NEAR(patch[0].nu, patch[1].nu, 1e-9);
        for (int projected = 0; projected < 2; ++projected) {
            CHECK_NEAR(m[0][projected].s, m[1][projected].s, 1e-9 * m[1][projected].s);
            CHECK_NEAR(m[0][projected].c0, m[1][projected].c0, 1e-8 * m[1][projected].c0);
            CHECK_NEAR(m[0][projected].m2.x.x, m[1][projected].m2.x.x, 1e-8 * abut_mat3_trace(m[1][projected].m2));
            CHECK_VEC_NEAR(m[0][projected].m1, m[1][projected].m1, 1e-9 * m[1][projected].s);
            CHECK_VEC_NEAR(m[0][projected].c1, m[1][projected].c1, 1e-8 * m[1][projected].c0);
        }
        for (int k = 0; k < 3; ++k)
            abut_clip_hull_free(&hull[k]);
        abut_clip_space_free(&space);
        abut_scene_free(w.scene);
    }
}

/* A flat slab of depth d: v*_n = k (d - d0) / 2, no tilt. */
static void test_03_slab(void **state)
{
    (void)state;
    for (int fit = 0; fit < 2; ++fit) {
        World w = world_begin(ABUT_CONTACT_MODEL_VOL_GENERATOR);
        w.def.fit = fit ? ABUT_FIT_MOMENTS : ABUT_FIT_THICKNESS;
        world_ground(&w);
        world_box(&w, abut_vec3(0.0, 0.0, 0.025 - 3e-6), abut_quat_identity());
        world_start(&w);
        world_step(&w);
        const AbutTouch *c = &w.sim->contact[w.sim->order[0]];
        double expected = 0.1 / 1e-4 * (3e-6 - 1e-6) / 2.0;
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(c->model[ABUT_AT_TARGET + k], k == 2 ? expected : 0.0, 1e-9 * expected * (k < 3 ? 1.0 : 100.0));
        for (int i = 0; i < c->count; ++i)
            CHECK_NEAR(c->point[i].target, expected, 1e-9 * expected);
        world_end(&w);
    }
}

static void test_04_response(void **state)
{
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
            const AbutTouch *c = &w.sim->contact[w.sim->order[0]];
            const AbutBody *a = &before[c->body_a], *b = &before[c->body_b];
            double phi[6][6] = {{0}}, turned[6][6], largest[2] = {0, 0};
            AbutMat3 frame = abut_mat3(c->e1, c->e2, c->nu);
            AbutVec3 p = abut_add(b->x, c->rb);
            oracle_response(a->inv_mass, a->inv_inertia_world, abut_sub(p, a->x), phi);
            oracle_response(b->inv_mass, b->inv_inertia_world, abut_sub(p, b->x), phi);
            AbutVec3 axis[3] = {frame.x, frame.y, frame.z};
            for (int r = 0; r < 6; ++r)
                for (int s = 0; s < 6; ++s) {
                    turned[r][s] = 0.0;
                    for (int x = 0; x < 3; ++x)
                        for (int y = 0; y < 3; ++y)
                            turned[r][s] += abut_get(axis[r % 3], x) * phi[3 * (r / 3) + x][3 * (s / 3) + y] *
                                            abut_get(axis[s % 3], y);
                }
            for (int r = 0; r < 6; ++r)
                largest[r / 3] = abut_larger(largest[r / 3], turned[r][r]);
            for (int r = 0; r < 6; ++r)
                for (int s = 0; s < 6; ++s)
                    worst =
                        abut_larger(worst, fabs(turned[r][s] - c->phi[r][s]) / sqrt(largest[r / 3] * largest[s / 3]));
            ++found;
        }
        world_end(&w);
    }
    MEASURED("4: Phi %.2g rel over %d contacts\n", worst, found);
    CHECK(found > check_cases(300) / 2);
    CHECK(worst < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_01_02_overlap),
        cmocka_unit_test(test_03_moments),
        cmocka_unit_test(test_03_half_space),
        cmocka_unit_test(test_03_slab),
        cmocka_unit_test(test_04_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
