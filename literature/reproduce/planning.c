/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The planning of Lee's thesis (2017), Chapter VI, on a humanoid of our own: the pairs of Table 6.1, the sizes of Table
 * 6.2, the time of one least distance by each method (Table 6.3), and plans with continuous constraints, with samples
 * alone, and by IPOPT where it is built in (Figs. 6.5, 6.6, 6.11). Out: mcd.csv, plans.csv and summary.md in the
 * folder.
 */
#include "plan_scenario.h"
#include "abut/literature.h"
#include "progress.h"
#include "reproduce.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { PLANS = 6, METHODS = 7, MCDS = ABUT_PLAN_MCD_COUNT, COUNT = 5 };

static const char *const plans[PLANS] = {"cross", "twist", "pick", "twistmesh", "statues", "cup"};

static const struct {
    const char *label, *method, *mcd;
} methods[METHODS] = {{"certified", "certified", NULL}, {"10 samples", "sampled:10", NULL},
    {"50 samples", "sampled:50", NULL}, {"thesis, gss", "thesis", "gss"}, {"thesis, ca", "thesis", "ca"},
    {"thesis, hybrid", "thesis", "hybrid"}, {"thesis, as", "thesis", "as"}};

/* Milliseconds of Table 6.3: golden section, hybrid and adaptive subdivision. */
static const struct {
    const char *scenario;
    double gss, hybrid, as;
} published[2] = {{"twist", 0.74, 0.78, 1.19}, {"twistmesh", 125.39, 25.71, 33.31}};

typedef struct Mcd {
    int64_t queries, evaluations, missed; /* missed: above the least of all methods by more than 2 mm */
    double seconds;
} Mcd;

typedef struct Results {
    PlanMeasure plan[PLANS][METHODS];
    int ran[PLANS][METHODS];
    Mcd mcd[2][MCDS];
} Results;

/* ---- least distances --------------------------------------------------------------------------------------------- */

/* Every pair over every span of a plan, by every method. */
static void measure_mcd(const PlanSetup *setup, const AbutTrajectory *t, void *user) {
    Mcd *out = user;
    for (int32_t pair = 0; pair < abut_plan_pair_count(setup->problem); ++pair)
        for (int32_t piece = 0; piece < t->piece_count; ++piece) {
            double least = INFINITY, found[MCDS];
            for (int k = 0; k < MCDS; ++k) {
                AbutPlanLeast x;
                clock_t began = clock();
                cli_need(abut_plan_mcd(setup->problem, t, (AbutPlanMcd)k, pair, piece, &x, &cli_why));
                out[k].seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
                out[k].evaluations += x.evaluations;
                ++out[k].queries;
                found[k] = x.distance;
                least = fmin(least, x.distance);
            }
            for (int k = 0; k < MCDS; ++k) out[k].missed += found[k] > least + 2e-3;
        }
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static void run_plans(const ReproduceArgs *args, Results *r) {
    for (int i = 0; i < (args->quick ? 4 : PLANS); ++i)
        for (int k = 0; k < METHODS; ++k) {
            PlanTrial trial = {.name = plans[i],
                .method = methods[k].method,
                .mcd = methods[k].mcd,
                .count = args->quick ? 1 : COUNT,
                .budget = 60.0};
            if (methods[k].mcd && (!abut_plan_has_thesis() || args->quick)) continue;
            for (int p = 0; p < 2; ++p)
                if (k == 0 && strcmp(published[p].scenario, plans[i]) == 0) {
                    trial.look = measure_mcd;
                    trial.user = r->mcd[p];
                }
            plan_measure(&trial, &r->plan[i][k]);
            r->ran[i][k] = 1;
        }
}

/* ---- what is written --------------------------------------------------------------------------------------------- */

static void put_tables(FILE *to) {
    fprintf(to,
        "## Table 6.1: pairs\n\n"
        "The thesis looks at 19 pairs: right hand with left hand, waist, chest, head; left hand with waist, chest, "
        "head; "
        "each elbow with waist, chest,\n"
        "head; right hip with left hip and both hands; left hip with both hands; right knee with left knee. Here all "
        "pairs "
        "count but neighbors\n"
        "(`abut plan scenario talos-cross` has the 19): a plan that is clear on the 19 may still run a hand through a "
        "forearm.\n\n"
        "## Table 6.2: sizes\n\n"
        "| link | triangles, HRP-2 | `humanoid-mesh`, about |\n|---|---|---|\n"
        "| head | 893 | 893 |\n| chest | 332 | 332 |\n| waist | 1849 | 1849 |\n| forearm | 783 | 783 |\n"
        "| elbow | 294 | 294 |\n| hand | 3482 | 3482 |\n| hip | 894 | 894 |\n| knee | 448 | 448 |\n\n"
        "The geometry of HRP-2, its joints and the motions are not in the thesis; the links here are generated hulls "
        "of these "
        "sizes. The statue has 100,000\n"
        "triangles there and is eleven hulls here, the cup 1,000 and seventeen hulls.\n\n");
}

static void put_mcd(FILE *to, const Results *r) {
    fprintf(to,
        "## Table 6.3: time of one least distance, ms\n\n"
        "Over one of nine spans of the plan, a pair of links. The thesis measured meshes by triangles, on other "
        "hardware.\n\n"
        "| links | method | thesis | here | distances | missed the least |\n|---|---|---|---|---|---|\n");
    for (int p = 0; p < 2; ++p)
        for (int k = 0; k < MCDS; ++k) {
            const Mcd *m = &r->mcd[p][k];
            const double known[MCDS] = {published[p].gss, NAN, published[p].hybrid, published[p].as};
            char text[20] = "not given";
            if (isfinite(known[k])) snprintf(text, sizeof text, "%.2f", known[k]);
            if (m->queries)
                fprintf(to, "| %s | %s | %s | %.4f | %.1f | %lld of %lld |\n", p ? "hulls" : "capsules",
                    abut_word(abut_plan_mcd_names, k), text, 1e3 * m->seconds / (double)m->queries,
                    (double)m->evaluations / (double)m->queries, (long long)m->missed, (long long)m->queries);
        }
    fprintf(to, "\n");
}

static void put_plans(FILE *to, const Results *r) {
    fprintf(to,
        "## Figs. 6.5, 6.6, 6.11: plans\n\n"
        "The figures are bar charts without numbers in the text, so that times cannot be compared. In \"pass\" the "
        "robot of "
        "the thesis walks between two\n"
        "statues; here its arms go between them. Overlapping plans are clear where the method looked and run through "
        "something between.\n\n"
        "| plan | method | certified | median s | longest s | cost | overlapping | deepest mm "
        "|\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < PLANS; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const PlanMeasure *m = &r->plan[i][k];
            if (r->ran[i][k])
                fprintf(to, "| %s | %s | %d of %d | %.3f | %.3f | %.4g | %d | %.1f |\n", plans[i], methods[k].label,
                    m->certified, m->count, m->median, m->longest, m->cost, m->overlapping, 1e3 * m->deepest);
        }
    if (!abut_plan_has_thesis())
        fprintf(
            to, "\nThis build has no IPOPT (`-DABUT_WITH_IPOPT=ON`): rows of the thesis' own method are missing.\n");
}

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    fprintf(to,
        "# Motion planning with continuous constraints\n\nY. Lee, Continuous optimization and collision detection for "
        "robots, thesis 2017, Chapter VI. abut %s, one thread, seconds of the processor%s.\n\n",
        abut_version(), args->quick ? " (--quick: one problem each)" : "");
    put_tables(to);
    put_mcd(to, results);
    put_plans(to, results);
}

static AbutStatus write_csv(const ReproduceArgs *args, const Results *r, AbutError *error) {
    char path[4096];
    AbutCsv *csv;
    snprintf(path, sizeof path, "%.4000s/plans.csv", args->folder);
    AbutStatus status =
        abut_csv_open(path, "plan,method,count,certified,median,longest,cost,overlapping,deepest", &csv, error);
    if (status) return status;
    for (int i = 0; i < PLANS; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const PlanMeasure *m = &r->plan[i][k];
            if (!r->ran[i][k]) continue;
            abut_csv_text(csv, plans[i]);
            abut_csv_text(csv, methods[k].label);
            abut_csv_integer(csv, m->count);
            abut_csv_integer(csv, m->certified);
            abut_csv_number(csv, m->median);
            abut_csv_number(csv, m->longest);
            abut_csv_number(csv, m->cost);
            abut_csv_integer(csv, m->overlapping);
            abut_csv_number(csv, m->deepest);
            abut_csv_end_row(csv);
        }
    return abut_csv_commit(csv, error);
}

int reproduce_planning(const ReproduceArgs *args) {
    static Results results;
    memset(&results, 0, sizeof results);
    run_plans(args, &results);
    cli_need(write_csv(args, &results, &cli_why));
    cli_need(reproduce_write_summary(args, put_summary, &results, &cli_why));
    printf("plans and least distances: %s/summary.md\n", args->folder);
    return CLI_OK;
}
