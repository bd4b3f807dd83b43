/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark pairs as soft bodies, made once for a test program, and random poses of them. */
#ifndef ABUT_TESTS_SOFT_PAIRS_H
#define ABUT_TESTS_SOFT_PAIRS_H

#include "abut/direction.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/meshes.h"

enum { PAIRS = 9, PLATE = 8, SPOON = 1, TORI = 3 };

typedef struct SoftPair {
    AbutSoftBody *a, *b;
    AbutMeshTree *tree_a, *tree_b;
    void *workspace;
    double size; /* sum of the radii */
} SoftPair;

static SoftPair soft_pairs[PAIRS];

static inline AbutSoftBody *made_body(const AbutMesh *mesh, double tau, int lazy) {
    AbutSoftBodyDef def = {.tau = tau, .lazy = lazy};
    AbutSoftBody *body;
    AbutError error;
    good(abut_soft_body_create(mesh, &def, &body, &error), &error);
    return body;
}

static inline AbutSoftBody *soft_body(const AbutMesh *mesh, double tau) { return made_body(mesh, tau, 0); }

static inline SoftPair made_pair(const AbutMesh *a, const AbutMesh *b, double tau, int lazy) {
    SoftPair p = {made_body(a, tau, lazy), made_body(b, tau, lazy), tree_of(a), tree_of(b), NULL, 0.0};
    p.workspace = malloc(abut_soft_size(p.a, p.b));
    p.size = p.a->radius + p.b->radius;
    assert_non_null(p.workspace);
    return p;
}

/* To be released with close_pair. */
static inline SoftPair open_pair(const AbutMesh *a, const AbutMesh *b, double tau) { return made_pair(a, b, tau, 0); }

static inline void close_pair(SoftPair *p) {
    abut_soft_body_free(p->a);
    abut_soft_body_free(p->b);
    abut_mesh_tree_free(p->tree_a);
    abut_mesh_tree_free(p->tree_b);
    free(p->workspace);
    p->a = NULL;
}

/* A benchmark pair, to be released with close_pair. */
static inline SoftPair case_pair(int number, double tau, int lazy) {
    AbutMesh a, b;
    AbutError error;
    good(abut_direction_case_meshes(number, &a, &b, &error), &error);
    SoftPair p = made_pair(&a, &b, tau, lazy);
    abut_mesh_free(&a);
    abut_mesh_free(&b);
    return p;
}

static inline double case_tau(int number) {
    int count;
    double tau = abut_direction_cases(&count)[number].tau;
    assert_int_equal(count, PAIRS);
    return tau;
}

/* The same, released with all others by close_pairs. */
static inline SoftPair *soft_pair(int number) {
    SoftPair *p = &soft_pairs[number];
    if (!p->a) *p = case_pair(number, case_tau(number), 0);
    return p;
}

/* All pairs of bodies, or the first of them where a run has few cases: making their fields takes most of the time. */
static inline int pairs(void) { return check_cases(100) < 50 ? 2 : PAIRS; }

static inline double degrees(double angle) { return angle * 180.0 / ABUT_PI; }

static inline int close_pairs(void **state) {
    (void)state;
    for (int i = 0; i < PAIRS; ++i)
        if (soft_pairs[i].a) close_pair(&soft_pairs[i]);
    return 0;
}

static inline AbutSoft ask(const SoftPair *p, AbutPose pose) {
    return abut_soft_direction(p->a, p->b, pose, NULL, p->workspace);
}

/* A pose at which the bodies overlap or are near. */
static inline AbutPose near_pose(AbutRng *rng, const SoftPair *p) {
    AbutVec3 at = abut_scale(abut_random_direction(rng), p->size * abut_rng_between(rng, 0.1, 0.7));
    return abut_pose(at, abut_random_quat(rng));
}

/* Moved by `move` in some direction and turned by `turn` about some axis through the origin of B. */
static inline AbutPose stepped(AbutRng *rng, AbutPose pose, double move, double turn) {
    AbutQuat q = abut_quat_axis_angle(abut_random_direction(rng), turn);
    return abut_pose(
        abut_add_scaled(pose.p, abut_random_direction(rng), move), abut_quat_normalize(abut_quat_mul(q, pose.q)));
}

#endif
