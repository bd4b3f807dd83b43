/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least distance over a motion by all methods, after the experiments of Lee's thesis (2017): capsules, boxes and
 * meshes of the sizes of its Table 6.2 on generated motions, and a ball in a socket 1 cm wider, the hard case. Out:
 * mcd.csv, golden.svg (a motion on which golden section ends in the wrong valley, as Fig. 3.4), methods.svg and
 * approximated.svg (parts of a motion, as Figs. 6.5 and 6.10) and summary.md in the folder.
 */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"
#include "reproduce.h"
#include "mcd.h"

#include "abut/literature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = ABUT_CLEARANCE_METHOD_COUNT, PIECES = 5, QUICK_TRIANGLES = 300 };

typedef struct Set {
    const char *name;
    const char *mesh[2]; /* NULL: capsules or boxes */
    int triangles[2];
    int motions, quick_motions;
    int slow;  /* only the front search and subdivision finish in reasonable time */
    int orbit; /* A circles around B, the thesis' weak case */
    double eps;
    double radius[2]; /* of a ball and its socket, an open sphere; 0: bodies as they are made */
} Set;

static const Set sets[] = {
    {"capsules", {NULL, NULL}, {0, 0}, 400, 20, 0, 0, 1e-3, {0.0, 0.0}},
    {"capsules, one orbits the other", {NULL, NULL}, {0, 0}, 20, 4, 0, 1, 1e-3, {0.0, 0.0}},
    {"hand / hip", {"knot", "torus"}, {3482, 894}, 20, 2, 0, 0, 1e-3, {0.0, 0.0}},
    {"hand / cup", {"knot", "cup"}, {3482, 1000}, 20, 2, 0, 0, 1e-3, {0.0, 0.0}},
    {"statue / hand", {"statue", "knot"}, {100000, 3482}, 10, 0, 1, 0, 1e-3, {0.0, 0.0}},
    {"ball in its socket", {"sphere", "sphere"}, {3480, 3480}, 5, 1, 1, 0, 1e-3, {0.25, 0.26}},
};
enum { SETS = sizeof sets / sizeof sets[0] };

typedef struct Total {
    int motions, wrong, certified;
    double worst, evaluations, seconds;
} Total;

/* A body that follows five polynomials. */
typedef struct Motion {
    AbutCurvePiece piece[PIECES];
    AbutChainJoint joint[3];
    AbutChain chain;
    AbutMotion motion;
} Motion;

typedef struct Results {
    Total total[SETS][METHODS];
    double capsule_error[SETS]; /* (6.2), sum over the motions without contact */
    int apart[SETS];
    double golden_error; /* the largest of golden section */
    uint64_t golden_motion;
    McdIntervals intervals;
} Results;

/* ---- motions and bodies ------------------------------------------------------------------------------------------ */

static AbutCurve random_curve(AbutRng *rng, double about, double most, AbutCurvePiece *piece) {
    double b[6];
    for (int k = 0; k < 6; ++k) b[k] = about + abut_rng_between(rng, -most, most);
    *piece = abut_curve_bernstein(0.0, 1.0, 5, b);
    return (AbutCurve){1, piece, 1.0};
}

static void random_motion(uint64_t seed, double away, double way, Motion *m) {
    AbutRng rng = abut_rng(2017, seed);
    AbutVec3 place = abut_scale(abut_random_direction(&rng), away);
    memset(m, 0, sizeof *m);
    for (int j = 0; j < 3; ++j) {
        m->joint[j].parent = j - 1;
        m->joint[j].kind = j == 0 ? ABUT_CHAIN_PLACE : ABUT_CHAIN_HINGE;
        m->joint[j].fixed = abut_pose(abut_zero(), j == 1 ? abut_random_quat(&rng) : abut_quat_identity());
        m->joint[j].axis = abut_random_direction(&rng);
    }
    for (int k = 0; k < PIECES; ++k)
        m->joint[k < 3 ? 0 : k - 2].curve[k < 3 ? k : 0] =
            random_curve(&rng, k < 3 ? abut_get(place, k) : 0.0, k < 3 ? way : 0.5, &m->piece[k]);
    m->chain = (AbutChain){3, m->joint};
    m->motion = abut_motion_static(abut_pose_identity());
    m->motion.chain = &m->chain;
    m->motion.link = 2;
}

/* Once around at a nearly constant distance: every moment is nearly the closest. */
static void orbit_motion(uint64_t seed, Motion *m) {
    AbutRng rng = abut_rng(2018, seed);
    memset(m, 0, sizeof *m);
    AbutVec3 start = abut_vec3(abut_rng_between(&rng, 0.5, 0.7), 0.0, abut_rng_between(&rng, -0.1, 0.1));
    m->motion = abut_motion_screw(abut_pose(start, abut_random_quat(&rng)), abut_zero(),
        abut_normalize(abut_vec3(abut_rng_between(&rng, -0.1, 0.1), 0.0, 1.0)), 2.0 * ABUT_PI, 0.02);
}

typedef struct Bodies {
    AbutMesh mesh[2];
    AbutMeshTree *tree[2];
    AbutClearanceBody *body[2], *capsule[2];
    AbutClearanceSpace *space;
    double size;
} Bodies;

/* Takes the cap above 0.6 of the radius off a sphere. */
static void open_socket(AbutMesh *m, double radius) {
    int32_t kept = 0;
    for (int32_t i = 0; i < m->triangle_count; ++i) {
        const int32_t *v = m->triangles[i].v;
        double z = m->vertices[v[0]].z + m->vertices[v[1]].z + m->vertices[v[2]].z;
        if (z < 3.0 * 0.6 * radius) m->triangles[kept++] = m->triangles[i];
    }
    m->triangle_count = kept;
}

static AbutStatus make_body(const Set *set, int quick, int k, Bodies *b, AbutError *error) {
    AbutCapsule around = {{-0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}, 0.08};
    AbutStatus status = ABUT_OK;
    if (set->mesh[k]) {
        const double *size = set->radius[k] > 0.0 ? &set->radius[k] : NULL;
        status = abut_mesh_make(set->mesh[k], quick ? QUICK_TRIANGLES : set->triangles[k], size, &b->mesh[k], error);
        if (status == ABUT_OK && size && k == 1) open_socket(&b->mesh[k], *size);
        if (status == ABUT_OK) status = abut_mesh_tree_create(&b->mesh[k], 0, &b->tree[k], error);
        if (status == ABUT_OK)
            status = abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(b->tree[k])}, &b->body[k], error);
        if (status == ABUT_OK)
            status = abut_capsule_around(b->mesh[k].vertices, b->mesh[k].vertex_count, &around, error);
        b->size += status == ABUT_OK ? b->tree[k]->radius : 0.0;
    }
    AbutConvex capsule = abut_convex_segment(around.a, around.b, around.radius);
    if (status == ABUT_OK)
        status = abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &b->capsule[k], error);
    return status;
}

static AbutStatus make_bodies(const Set *set, int quick, Bodies *b, AbutError *error) {
    memset(b, 0, sizeof *b);
    AbutStatus status = abut_clearance_space_create(1 << 20, &b->space, error);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) status = make_body(set, quick, k, b, error);
    return status;
}

static void free_bodies(Bodies *b) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(b->body[k]);
        abut_clearance_body_free(b->capsule[k]);
        abut_mesh_tree_free(b->tree[k]);
        abut_mesh_free(&b->mesh[k]);
    }
    abut_clearance_space_free(b->space);
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static void motion_of(const Set *set, const Bodies *b, int i, Motion *m) {
    if (set->orbit)
        orbit_motion((uint64_t)i, m);
    else if (set->radius[0] > 0.0)
        random_motion((uint64_t)i, 0.0, 0.004, m);
    else
        random_motion((uint64_t)i, set->mesh[0] ? b->size : 0.0, set->mesh[0] ? 0.35 * b->size : 0.6, m);
}

static void put_row(AbutCsv *csv, const char *set, int motion, AbutClearanceMethod method, const AbutClearance *a,
    double off, double seconds) {
    abut_csv_text(csv, set);
    abut_csv_integer(csv, motion);
    abut_csv_text(csv, abut_word(abut_clearance_method_names, method));
    abut_csv_number(csv, a->ub);
    abut_csv_number(csv, off);
    abut_csv_integer(csv, a->certified);
    abut_csv_integer(csv, a->evaluations);
    abut_csv_number(csv, seconds);
    abut_csv_end_row(csv);
}

static void measure_motion(const Set *set, const Bodies *b, int i, AbutCsv *csv, int which, Results *out) {
    Motion m;
    motion_of(set, b, i, &m);
    AbutMover x = {abut_solid_prepared(set->mesh[0] ? b->body[0] : b->capsule[0]), m.motion};
    AbutMover y = {
        abut_solid_prepared(set->mesh[1] ? b->body[1] : b->capsule[1]), abut_motion_static(abut_pose_identity())};
    AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = set->eps}, fine = {.from = 0.0, .to = 1.0, .eps = 1e-6};
    AbutClearance truth = abut_clearance(&x, &y, &fine, b->space);
    for (int k = 0; k < METHODS; ++k) {
        if (set->slow && k != ABUT_CLEARANCE_FRONT && k != ABUT_CLEARANCE_SUBDIVIDE && k != ABUT_CLEARANCE_GOLDEN)
            continue;
        double began = cli_processor_clock();
        AbutClearance a = abut_clearance_by((AbutClearanceMethod)k, &x, &y, &def, b->space);
        double seconds = cli_processor_clock() - began, error_here = fmax(0.0, a.ub - truth.ub);
        Total *t = &out->total[which][k];
        ++t->motions;
        t->wrong += error_here > set->eps;
        t->certified += a.certified;
        t->worst = fmax(t->worst, error_here);
        t->evaluations += (double)a.evaluations;
        t->seconds += seconds;
        if (which == 0 && k == ABUT_CLEARANCE_GOLDEN && error_here > out->golden_error)
            out->golden_error = error_here, out->golden_motion = (uint64_t)i;
        put_row(csv, set->name, i, (AbutClearanceMethod)k, &a, error_here, seconds);
    }
    if (set->mesh[0] && !(set->radius[0] > 0.0) && truth.ub > 0.0) { /* (6.2): what capsules around the bodies lose */
        AbutMover p = {abut_solid_prepared(b->capsule[0]), x.motion},
                  q = {abut_solid_prepared(b->capsule[1]), y.motion};
        double loss = truth.ub - abut_clearance(&p, &q, &fine, b->space).ub;
        double apart =
            abut_point_distance(abut_motion_pose(&x.motion, truth.t).p, abut_motion_pose(&y.motion, truth.t).p);
        out->capsule_error[which] += loss / (2.0 * apart);
        ++out->apart[which];
    }
}

static AbutStatus measure_set(
    const ReproduceArgs *args, int which, AbutCsv *csv, Progress *progress, Results *out, AbutError *error) {
    const Set *set = &sets[which];
    int motions = args->quick ? set->quick_motions : set->motions;
    Bodies b;
    if (motions == 0) return ABUT_OK;
    AbutStatus status = make_bodies(set, args->quick, &b, error);
    for (int i = 0; i < motions && status == ABUT_OK; ++i) {
        progress_bar(progress, (which + i / (double)motions) / SETS, "%s", set->name);
        measure_motion(set, &b, i, csv, which, out);
    }
    free_bodies(&b);
    return status;
}

/* ---- figure ------------------------------------------------------------------------------------------------------ */

/* The curve on which golden section is most wrong, with its certified band and both answers. */
static AbutStatus draw_golden(const ReproduceArgs *args, const Results *r, AbutError *error) {
    Bodies b;
    Motion m;
    McdCurve c = {0};
    char path[4096];
    AbutStatus status = make_bodies(&sets[0], args->quick, &b, error);
    if (status == ABUT_OK) {
        random_motion(r->golden_motion, 0.0, 0.6, &m);
        AbutMover x = {abut_solid_prepared(b.capsule[0]), m.motion},
                  y = {abut_solid_prepared(b.capsule[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 5e-3};
        AbutClearance truth = abut_clearance_curve(&x, &y, &def, INFINITY, mcd_keep_sample, &c, b.space);
        AbutClearance golden = abut_clearance_by(ABUT_CLEARANCE_GOLDEN, &x, &y, &def, b.space);
        AbutPlotSeries series[4] = {{"distance", c.t, c.d, (int)c.count, 0, 0},
            {"proved not below", c.t, c.lower, (int)c.count, 0, 0}, {"golden section", &golden.t, &golden.ub, 1, 1, 0},
            {"certified", &truth.t, &truth.ub, 1, 1, 0}};
        AbutPlot plot = abut_plot_default();
        plot.title = "Golden section ends in the wrong valley";
        plot.x_label = "time, s", plot.y_label = "distance, m";
        plot.series = series, plot.series_count = 4;
        snprintf(path, sizeof path, "%s/golden.svg", args->folder);
        status = abut_plot_write_svg(path, &plot, error);
    }
    free_bodies(&b);
    mcd_curve_free(&c);
    return status;
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

/* (6.3): subdivision beside as many samples as prove the same. */
static void put_equal_error(FILE *to, const Results *r) {
    fprintf(to, "Subdivision (`as`) against sampling that proves the same, (6.3) (published: 6.2 times faster):\n\n");
    for (int i = 0; i < SETS; ++i) {
        const Total *as = &r->total[i][ABUT_CLEARANCE_SUBDIVIDE], *samples = &r->total[i][ABUT_CLEARANCE_SAMPLING];
        if (samples->motions > 0)
            fprintf(to, "- %s: %.0f times fewer distances, %.0f times faster\n", sets[i].name,
                samples->evaluations / as->evaluations, samples->seconds / as->seconds);
    }
    fprintf(to, "\n");
}

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    const Results *r = results;
    (void)args;
    fprintf(to,
        "# The least distance over a motion: published and measured\n\n"
        "Lee, *Continuous distance computation* (PhD thesis, Ewha, 2017). Its robot, motions and meshes are not to be "
        "had; generated bodies\nof the sizes of its Table 6.2 on quintic motions stand in. Published, i7 at 2.67 GHz, "
        "not certified: capsules 0.74 to 1.19 ms, meshes\n125, 26 and 33 ms per answer; subdivision 6.2 times faster "
        "than sampling of equal error. Formulas 3.3 and 4.9 and Algorithm 3.1 are wrong\nas printed; here they are "
        "corrected, and (4.9) is kept as `as-thesis`, which proves nothing. abut %s; times are processor "
        "time of one thread of this machine.\n\n"
        "| bodies | method | motions | certified | wrong by more than eps | worst error, m | distances | ms |\n"
        "|---|---|---|---|---|---|---|---|\n",
        abut_version());
    for (int i = 0; i < SETS; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const Total *t = &r->total[i][k];
            if (t->motions > 0)
                fprintf(to, "| %s | %s | %d | %d | %d | %.2g | %.1f | %.3g |\n", sets[i].name,
                    abut_word(abut_clearance_method_names, k), t->motions, t->certified, t->wrong, t->worst,
                    t->evaluations / t->motions, 1e3 * t->seconds / t->motions);
        }
    fprintf(to,
        "\n`distances` counts distances of whole bodies, for the front search those of two triangles or pieces. "
        "`hybrid-classic` is certified only where its\none round of advancement happens to leave a bracket of eps, "
        "other methods "
        "that prove nothing where meshes meet: no distance of surfaces is below 0.\n\n"
        "![a motion on which golden section fails](golden.svg)\n\n"
        "Its largest error on these capsules: %.3g m (Fig. 3.4 of the thesis).\n\n",
        r->golden_error);
    put_equal_error(to, r);
    fprintf(to,
        "Capsules around the meshes instead of the meshes themselves, (6.2), mean of the relative loss of clearance "
        "(published: 0.148):\n\n");
    for (int i = 0; i < SETS; ++i)
        if (r->apart[i] > 0) fprintf(to, "- %s: %.3f\n", sets[i].name, r->capsule_error[i] / r->apart[i]);
    mcd_put_intervals(to, &r->intervals);
}

int reproduce_mcd(const ReproduceArgs *args) {
    Results results;
    Progress progress;
    AbutCsv *csv = NULL;
    char path[4096];
    memset(&results, 0, sizeof results);
    snprintf(path, sizeof path, "%s/mcd.csv", args->folder);
    AbutStatus status = abut_csv_open(path, "set,motion,method,ub,error,certified,distances,seconds", &csv, &cli_why);
    progress_begin(&progress);
    for (int i = 0; i < SETS && status == ABUT_OK; ++i)
        status = measure_set(args, i, csv, &progress, &results, &cli_why);
    progress_end(&progress);
    if (csv && status == ABUT_OK)
        status = abut_csv_commit(csv, &cli_why);
    else if (csv)
        abut_csv_cancel(csv);
    if (status == ABUT_OK) status = draw_golden(args, &results, &cli_why);
    if (status == ABUT_OK) status = mcd_intervals(args->folder, &results.intervals, &cli_why);
    if (status == ABUT_OK) status = reproduce_write_summary(args, put_summary, &results, &cli_why);
    cli_need(status);
    printf("%s/summary.md, mcd.csv, golden.svg, methods.svg and approximated.svg written\n", args->folder);
    return CLI_OK;
}
