/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut as WebAssembly for peers.mjs: bodies are added by their numbers, pairs are asked by theirs. In: three numbers of
 * a box (half sizes) or the points of a hull, in memory of abut_wasm_numbers; pose of B in A. Out: signed distance, NaN
 * where there is none.
 */
#include "abut/query.h"

#include <emscripten/emscripten.h>

enum { NUMBERS = 3 * 1024, PAIRS = 1024 };

typedef struct Pair {
    AbutConvex a, b;
    AbutPose b_in_a;
} Pair;

static double numbers[NUMBERS];
static Pair pairs[PAIRS];
static int pair_count;

/* Where the caller puts its numbers. */
EMSCRIPTEN_KEEPALIVE double *abut_wasm_numbers(void) { return numbers; }

static AbutConvex body_of(int count) {
    AbutVec3 points[NUMBERS / 3];
    AbutPolyhedron *hull = NULL;
    for (int i = 0; i < count / 3; ++i) points[i] = abut_vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    if (count == 3) return abut_convex_box(points[0], 0.0);
    if (abut_polyhedron_from_points(points, count / 3, NULL, &hull, NULL) != ABUT_OK)
        return abut_convex_point(abut_vec3(NAN, NAN, NAN), 0.0);
    return abut_convex_polyhedron(hull, 0.0); /* kept until the end */
}

/* Forgets all pairs. */
EMSCRIPTEN_KEEPALIVE void abut_wasm_clear(void) {
    for (int i = 0; i < pair_count; ++i) {
        abut_polyhedron_free((AbutPolyhedron *)(uintptr_t)pairs[i].a.polyhedron);
        abut_polyhedron_free((AbutPolyhedron *)(uintptr_t)pairs[i].b.polyhedron);
    }
    pair_count = 0;
}

/* The numbers are body A of the next pair, or its body B. */
EMSCRIPTEN_KEEPALIVE void abut_wasm_body(int is_b, int count) {
    *(is_b ? &pairs[pair_count].b : &pairs[pair_count].a) = body_of(count);
}

/* The numbers are the pose of B: place, quaternion w first. Gives the number of the pair. */
EMSCRIPTEN_KEEPALIVE int abut_wasm_pose(void) {
    const double *n = numbers;
    pairs[pair_count].b_in_a =
        abut_pose(abut_vec3(n[0], n[1], n[2]), abut_quat_normalize(abut_quat(n[3], n[4], n[5], n[6])));
    return pair_count++;
}

EMSCRIPTEN_KEEPALIVE double abut_wasm_distance(int pair) {
    const Pair *p = &pairs[pair];
    AbutGap d = abut_convex_distance(&p->a, &p->b, p->b_in_a, NULL, NULL);
    return d.outcome == ABUT_NOT_CONVERGED || d.outcome == ABUT_INVALID ? NAN : d.distance;
}
