/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of Ren, Hong and Meng: do two regions of so many half-spaces meet, by their recursion, by the linear
 * program and by GJK, on the same instances (rows tangent to random ellipsoids at random distances, about half of them
 * meeting). GJK on rows has to make the polyhedra first; "gjk, bodies" asks about polyhedra made before. The truth
 * comes from the long double reference.
 */
#include "bench/bench.h"
#include "abut/literature.h"
#include "oracle/convex_oracle.h"

#include <stdlib.h>

enum { MAX_INSTANCES = 30, METHODS = 4 };

static const char *const method_name[METHODS] = {"ren", "lp", "gjk", "gjk, bodies"};
static const AbutIntersectMethod method_of[METHODS] = {
    ABUT_INTERSECT_REN, ABUT_INTERSECT_LP, ABUT_INTERSECT_GJK, ABUT_INTERSECT_GJK};

typedef struct Side {
    AbutRegion region;
    double *normal, *offset;
    AbutPolyhedron *body;
} Side;

typedef struct Instance {
    Side a, b;
    int meets;
    size_t workspace_size;
    void *workspace;
} Instance;

typedef struct Question {
    const Instance *instance;
    int method;
    AbutIntersection answer;
} Question;

static AbutVec3 random_unit(AbutRng *rng) {
    AbutVec3 v = abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
    return abut_normalize_or(v, abut_axis(0));
}

static Side make_side(AbutRng *rng, int rows, AbutVec3 center) {
    Side side;
    AbutPlane *planes = bench_memory((size_t)rows, sizeof *planes);
    AbutVec3 axes = abut_vec3(1.0, abut_rng_between(rng, 0.5, 1.0), abut_rng_between(rng, 0.5, 1.0));
    side.normal = bench_memory((size_t)(3 * rows), sizeof *side.normal);
    side.offset = bench_memory((size_t)rows, sizeof *side.offset);
    for (int i = 0; i < rows; ++i) {
        AbutVec3 n = random_unit(rng);
        planes[i].normal = n;
        planes[i].offset = abut_length(abut_mul(n, axes)) + abut_dot(n, center);
        for (int k = 0; k < 3; ++k) side.normal[3 * i + k] = abut_get(n, k);
        side.offset[i] = planes[i].offset;
    }
    AbutRegion region = {rows, side.normal, side.offset};
    side.region = region;
    AbutError error;
    bench_require(abut_polyhedron_from_planes(planes, rows, &side.body, &error), &error);
    free(planes);
    return side;
}

static void free_side(Side *side) {
    free(side->normal);
    free(side->offset);
    abut_polyhedron_free(side->body);
}

static int bodies_meet(const AbutPolyhedron *a, const AbutPolyhedron *b) {
    AbutConvex shape_a = abut_convex_polyhedron(a, 0.0), shape_b = abut_convex_polyhedron(b, 0.0);
    OracleBody oa = oracle_body(&shape_a, abut_pose_identity()), ob = oracle_body(&shape_b, abut_pose_identity());
    long double distance = oracle_distance(&oa, &ob, 0).distance;
    oracle_body_free(&oa);
    oracle_body_free(&ob);
    return distance <= 0;
}

static Instance make_instance(AbutRng *rng, int rows_a, int rows_b) {
    Instance in;
    in.a = make_side(rng, rows_a, abut_zero());
    in.b = make_side(rng, rows_b, abut_scale(random_unit(rng), abut_rng_between(rng, 0.8, 2.8)));
    in.meets = bodies_meet(in.a.body, in.b.body);
    size_t rows = abut_intersect_workspace_size(3, rows_a + rows_b);
    size_t bodies = abut_intersect_polyhedra_workspace_size(in.a.body, in.b.body);
    in.workspace_size = rows > bodies ? rows : bodies;
    in.workspace = bench_memory(in.workspace_size, 1);
    return in;
}

static void ask(void *user) {
    Question *q = user;
    const Instance *in = q->instance;
    AbutIntersectDef def = {.method = method_of[q->method], .search = abut_intersect_ren};
    if (q->method == METHODS - 1)
        q->answer = abut_intersect_polyhedra(
            in->a.body, in->b.body, abut_pose_identity(), &def, in->workspace, in->workspace_size);
    else
        q->answer = abut_intersect_regions(3, &in->a.region, &in->b.region, &def, in->workspace, in->workspace_size);
}

/* Mean over the instances with the counts, then the fastest and the slowest instance. */
static void report(BenchRun *run, const Question *questions, const BenchProbe *probes, int count) {
    static const char *const suffix[3] = {"", " min", " max"};
    double ns[3] = {0.0, HUGE_VAL, 0.0};
    BenchRow row = {NULL, 0.0, count, 0, 0, 0, 1};
    for (int i = 0; i < count; ++i) {
        AbutIntersectOutcome outcome = questions[i].answer.outcome;
        int decided = outcome == ABUT_INTERSECT_MEET || outcome == ABUT_INTERSECT_APART;
        int wrong = decided && (outcome == ABUT_INTERSECT_MEET) != questions[i].instance->meets;
        row.failed += !decided;
        row.wrong_6 += wrong;
        row.wrong_3 += wrong;
        ns[0] += probes[i].ns / count;
        ns[1] = fmin(ns[1], probes[i].ns);
        ns[2] = fmax(ns[2], probes[i].ns);
    }
    for (int k = 0; k < 3; ++k) {
        char name[40];
        snprintf(name, sizeof name, "%s%s", method_name[questions[0].method], suffix[k]);
        row.engine = name;
        row.ns = ns[k];
        if (k > 0) row.wrong_6 = row.wrong_3 = row.failed = -1;
        bench_row(run, &row);
    }
}

static void run_ren(BenchRun *run, int parameter) {
    int rows_a = parameter & 1023, rows_b = parameter >> 10 & 1023, count = parameter >> 20;
    static Instance instances[MAX_INSTANCES];
    static Question questions[METHODS * MAX_INSTANCES];
    static BenchProbe probes[METHODS * MAX_INSTANCES];
    AbutRng rng = abut_rng(3, (uint64_t)parameter);
    for (int i = 0; i < count; ++i) instances[i] = make_instance(&rng, rows_a, rows_b);
    for (int k = 0; k < METHODS * count; ++k) {
        questions[k].instance = &instances[k % count];
        questions[k].method = k / count;
        BenchProbe probe = {ask, &questions[k], 1, 0.0};
        probes[k] = probe;
    }
    bench_time(run, probes, METHODS * count);
    for (int m = 0; m < METHODS; ++m) report(run, questions + m * count, probes + m * count, count);
    for (int i = 0; i < count; ++i) {
        free_side(&instances[i].a);
        free_side(&instances[i].b);
        free(instances[i].workspace);
    }
}

#define ROWS(a, b, instances) ((a) | (b) << 10 | (instances) << 20)

static const BenchCase cases[] = {
    {"ren/60+60", run_ren, ROWS(60, 60, 30)},
    {"ren/80+60", run_ren, ROWS(80, 60, 30)},
    {"ren/80+80", run_ren, ROWS(80, 80, 20)},
    {"ren/100+100", run_ren, ROWS(100, 100, 20)},
    {"ren/250+250", run_ren, ROWS(250, 250, 20)},
};

const BenchList bench_intersect_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
