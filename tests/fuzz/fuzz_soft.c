/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw bytes as two tetrahedra and a pose: soft bodies are made or refused, pass their own check, and the soft direction
 * has an outcome and numbers. With another first byte, changes to the block of a body: it is refused, or a query of it
 * ends.
 */
#include "abut/direction.h"
#include "fuzz.h"
#include "input.h"

#include <math.h>

enum { WHOLE = 1, UNIT_POSE = 2, ADAPTIVE = 4, BLOCK = 8 };

static AbutSoftBody *next_body(Input *in) {
    static const AbutTriangle sides[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
    AbutVec3 vertex[4];
    AbutTriangle triangle[4];
    AbutSoftBody *body = NULL;
    for (int i = 0; i < 4; ++i) vertex[i] = next_vec3(in), triangle[i] = sides[i];
    AbutMesh mesh = {4, 4, vertex, triangle};
    double tau = 5.0 * abut_soft_tau(&mesh, &mesh);
    AbutSoftBodyDef def = {.tau = tau, .step = tau, .margin = 2.5 * tau, .threads = 1};
    if (abut_soft_body_create(&mesh, &def, &body, NULL) != ABUT_OK) return NULL;
    FUZZ_REQUIRE(abut_soft_body_check(body, (size_t)body->bytes, NULL) == ABUT_OK);
    return body;
}

static AbutSoft query(const AbutSoftBody *a, const AbutSoftBody *b, AbutPose pose, int adaptive) {
    double least = fmax(a->spacing, b->spacing);
    AbutSoftDef def = {.tau = least, .adaptive = adaptive};
    void *workspace = malloc(abut_soft_size(a, b));
    FUZZ_REQUIRE(workspace != NULL);
    AbutSoft s = abut_soft_direction(a, b, pose, &def, workspace);
    free(workspace);
    FUZZ_REQUIRE((unsigned)s.outcome < ABUT_SOFT_OUTCOME_COUNT);
    return s;
}

static void require_numbers(const AbutSoftBody *b, const AbutSoft *s, AbutPose pose) {
    if (s->outcome == ABUT_SOFT_INVALID) return;
    FUZZ_REQUIRE(isfinite(s->distance) && isfinite(s->nearest) && s->coherence >= 0.0 && s->coherence <= 1.0 + 1e-9);
    FUZZ_REQUIRE(abut_is_finite(s->direction) && abut_is_finite(s->gradient_move) && abut_is_finite(s->gradient_turn));
    double bound = abut_soft_turn_bound(b, s, pose, NULL, pose);
    FUZZ_REQUIRE(bound >= 0.0 && bound <= ABUT_PI);
}

/* A few bytes of a block changed, and the hash set right again. */
static void change_block(Input *in, const AbutSoftBody *body) {
    size_t bytes = (size_t)body->bytes;
    unsigned char *copy = abut_alloc(bytes);
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, body, bytes);
    for (int k = next_byte(in) % 4; k >= 0; --k) {
        size_t at = (size_t)next_byte(in) * 256 + (size_t)next_byte(in);
        copy[at % bytes] ^= (unsigned char)next_byte(in);
    }
    AbutSoftBody *changed = (AbutSoftBody *)(void *)copy;
    changed->content = abut_hash(copy + sizeof *changed, bytes - sizeof *changed, ABUT_SOFT_BODY_VERSION);
    if (abut_soft_body_check(copy, bytes, NULL) == ABUT_OK) (void)query(changed, body, abut_pose_identity(), 0);
    abut_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    int flags = next_byte(&in);
    in.tame = flags & WHOLE ? 0.125 : 0.0;
    AbutSoftBody *a = next_body(&in), *b = a ? next_body(&in) : NULL;
    if (a && flags & BLOCK) change_block(&in, a);
    if (b) {
        AbutPose pose = abut_pose(next_vec3(&in), abut_quat_identity());
        AbutVec3 axis = next_vec3(&in);
        pose.q = flags & UNIT_POSE ? abut_quat_normalize(abut_quat(1, axis.x, axis.y, axis.z))
                                   : abut_quat(next_number(&in), axis.x, axis.y, axis.z);
        AbutSoft s = query(a, b, pose, (flags & ADAPTIVE) != 0);
        require_numbers(b, &s, pose);
    }
    abut_soft_body_free(a);
    abut_soft_body_free(b);
    return 0;
}
