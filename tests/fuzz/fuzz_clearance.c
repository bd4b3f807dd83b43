/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw bytes as two small meshes and their motions: bodies are made or refused; the clearance has an outcome, its
 * bracket is in order, and at some times the distance is not below it.
 */
#include "abut/clearance.h"
#include "mesh/kernels.h"
#include "fuzz.h"
#include "input.h"

#include <math.h>

enum { TRIANGLES = 6, WHOLE = 1, TURNS = 2 };

static AbutMotion next_motion(Input *in, int turns) {
    AbutMotion m = abut_motion_static(abut_pose(next_vec3(in), abut_quat_identity()));
    m.center = next_vec3(in);
    m.path[0] = next_vec3(in);
    m.path[1] = next_vec3(in);
    m.path[2] = next_vec3(in);
    m.spin = turns ? next_vec3(in) : abut_zero();
    return m;
}

static AbutMeshTree *next_tree(Input *in) {
    AbutVec3 vertex[3 * TRIANGLES];
    AbutTriangle triangle[TRIANGLES];
    AbutMeshTree *tree = NULL;
    int count = next_byte(in) % (TRIANGLES + 1);
    for (int i = 0; i < 3 * count; ++i) vertex[i] = next_vec3(in);
    for (int t = 0; t < count; ++t) triangle[t] = (AbutTriangle){{3 * t, 3 * t + 1, 3 * t + 2}};
    AbutMesh mesh = {3 * count, count, vertex, triangle};
    return abut_mesh_tree_create(&mesh, 1, &tree, NULL) == ABUT_OK ? tree : NULL;
}

static void require_bracket(const AbutClearance *x, const AbutMeshTree *const tree[2], const AbutMover m[2]) {
    FUZZ_REQUIRE((unsigned)x->status < ABUT_CLEARANCE_STATUS_COUNT);
    if (x->status == ABUT_CLEARANCE_INVALID || x->status == ABUT_CLEARANCE_EMPTY) return;
    FUZZ_REQUIRE(x->ub >= 0.0 && x->lb <= x->ub && x->t >= 0.0 && x->t <= 1.0);
    for (int k = 0; k < 5 && x->lb > 0.0; ++k) {
        AbutPose a = abut_motion_pose(&m[0].motion, 0.25 * k), b = abut_motion_pose(&m[1].motion, 0.25 * k);
        AbutGap d = abut_mesh_distance(tree[0], tree[1], abut_pose_between(a, b), NULL, NULL);
        double far = abut_length(a.p) + abut_length(b.p) + tree[0]->radius + tree[1]->radius +
                     abut_length(tree[0]->center) + abut_length(tree[1]->center);
        FUZZ_REQUIRE(d.outcome == ABUT_INVALID || d.surface >= x->lb - 1e-12 * far);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    int flags = next_byte(&in);
    in.tame = flags & WHOLE ? 0.125 : 0.0;
    AbutMeshTree *tree[2] = {next_tree(&in), next_tree(&in)};
    AbutClearanceBody *body[2] = {NULL, NULL};
    AbutClearanceSpace *space = NULL;
    int good = tree[0] && tree[1] && abut_clearance_space_create(4096, &space, NULL) == ABUT_OK;
    for (int k = 0; k < 2 && good; ++k)
        good = abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(tree[k])}, &body[k], NULL) == ABUT_OK;
    if (good) {
        AbutMover m[2] = {{abut_solid_prepared(body[0]), next_motion(&in, flags & TURNS)},
            {abut_solid_prepared(body[1]), next_motion(&in, flags & TURNS)}};
        AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 1e-3 * (1 + next_byte(&in)), .budget = 3000};
        AbutClearance x = abut_clearance(&m[0], &m[1], &def, space);
        const AbutMeshTree *const trees[2] = {tree[0], tree[1]};
        require_bracket(&x, trees, m);
    }
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(body[k]);
        abut_mesh_tree_free(tree[k]);
    }
    abut_clearance_space_free(space);
    return 0;
}
