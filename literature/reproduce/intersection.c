/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Table 1 of Ren, Hong and Meng, "A fast algorithm to determine whether the intersection of two convex regions is
 * empty" (2000): instances of the printed sizes with their recursion (mended), the linear program and GJK side by side;
 * its two examples on polyhedra that have the printed points; and the flaw of its last step. Out: table.csv and
 * summary.md in the folder. The printed rows of the examples are lost; those here are chosen so that the text holds.
 */
#define _POSIX_C_SOURCE 200809L
#include "abut/literature.h"
#include "progress.h"
#include "reproduce.h"
#include "literal.h"

#include <stdlib.h>
#include <string.h>

typedef struct TableRow {
    int rows_a, rows_b, instances;
    double most, least, mean; /* published seconds, IBM 486 */
} TableRow;

static const TableRow rows[] = {
    {60, 60, 30, 0.03, 0.01, 0.01},
    {80, 60, 30, 0.04, 0.01, 0.01},
    {80, 80, 20, 0.06, 0.02, 0.03},
    {100, 100, 20, 0.14, 0.07, 0.09},
    {250, 250, 20, 1.93, 1.2, 1.52},
};
enum { ROWS = sizeof rows / sizeof rows[0], QUICK_ROWS = 3, QUICK_INSTANCES = 4, MOST_ROWS = 250, METHODS = 3 };

static const AbutIntersectMethod methods[METHODS] = {ABUT_INTERSECT_REN, ABUT_INTERSECT_LP, ABUT_INTERSECT_GJK};
static const char *const method_name[METHODS] = {"recursion", "linear program", "GJK"};

typedef struct Measure {
    double most, least, sum; /* seconds */
    int64_t tests, reductions;
} Measure;

typedef struct RowResult {
    int instances, meeting, disagreements;
    Measure by[METHODS];
} RowResult;

/* One region: planes that touch a ball around `center`, as rows and as a polyhedron. */
typedef struct Instance {
    AbutPlane plane[MOST_ROWS];
    double normal[3 * MOST_ROWS], offset[MOST_ROWS];
    AbutRegion region;
    AbutPolyhedron *body;
} Instance;

/* ---- table ------------------------------------------------------------------------------------------------------- */

static AbutStatus make_instance(AbutRng *rng, int count, AbutVec3 center, Instance *out, AbutError *error) {
    for (int i = 0; i < count; ++i) {
        AbutVec3 n = abut_random_direction(rng);
        out->offset[i] = abut_rng_between(rng, 0.8, 1.0) + abut_dot(n, center);
        out->plane[i] = (AbutPlane){n, out->offset[i]};
        for (int k = 0; k < 3; ++k) out->normal[3 * i + k] = abut_get(n, k);
    }
    out->region = (AbutRegion){count, out->normal, out->offset};
    return abut_polyhedron_from_planes(out->plane, count, &out->body, error);
}

static AbutIntersection ask(const Instance *a, const Instance *b, int method, void *workspace, size_t bytes) {
    AbutIntersectDef def = {.method = methods[method], .search = abut_intersect_ren};
    return methods[method] == ABUT_INTERSECT_GJK
               ? abut_intersect_polyhedra(a->body, b->body, abut_pose_identity(), &def, workspace, bytes)
               : abut_intersect_regions(3, &a->region, &b->region, &def, workspace, bytes);
}

/* The best of some runs, so that waking up is not measured. */
static AbutIntersection measure(
    const Instance *a, const Instance *b, int method, void *workspace, size_t bytes, Measure *m) {
    AbutIntersection answer;
    double best = INFINITY;
    for (int round = 0; round < 3; ++round) {
        double began = cli_clock();
        answer = ask(a, b, method, workspace, bytes);
        best = fmin(best, cli_clock() - began);
    }
    m->most = fmax(m->most, best);
    m->least = fmin(m->least, best);
    m->sum += best;
    m->tests += answer.tests;
    m->reductions += answer.reductions;
    return answer;
}

static AbutStatus run_instance(AbutRng *rng, const TableRow *row, RowResult *out, AbutError *error) {
    static Instance a, b;
    AbutVec3 aside = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 1.0, 2.6));
    a.body = b.body = NULL;
    AbutStatus status = make_instance(rng, row->rows_a, abut_zero(), &a, error);
    if (status == ABUT_OK) status = make_instance(rng, row->rows_b, aside, &b, error);
    size_t bytes = 0;
    void *workspace = NULL;
    if (status == ABUT_OK) {
        size_t of_rows = abut_intersect_workspace_size(3, row->rows_a + row->rows_b),
               of_bodies = abut_intersect_polyhedra_workspace_size(a.body, b.body);
        bytes = of_rows > of_bodies ? of_rows : of_bodies;
        workspace = abut_alloc(bytes);
        if (!workspace) status = abut_fail_memory(error);
    }
    for (int k = 0, meeting = 0; k < METHODS && status == ABUT_OK; ++k) {
        int meets = measure(&a, &b, k, workspace, bytes, &out->by[k]).outcome == ABUT_INTERSECT_MEET;
        if (k == 0) meeting = meets;
        out->meeting += k == 0 && meets;
        out->disagreements += meets != meeting;
    }
    out->instances += status == ABUT_OK;
    abut_free(workspace);
    abut_polyhedron_free(a.body);
    abut_polyhedron_free(b.body);
    return status;
}

static AbutStatus run_row(const TableRow *row, int quick, RowResult *out, AbutError *error) {
    AbutRng rng = abut_rng(2000, (uint64_t)(1000 * row->rows_a + row->rows_b));
    AbutStatus status = ABUT_OK;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < METHODS; ++k) out->by[k].least = INFINITY;
    for (int i = 0; i < (quick ? QUICK_INSTANCES : row->instances) && status == ABUT_OK; ++i)
        status = run_instance(&rng, row, out, error);
    return status;
}

/* ---- examples ---------------------------------------------------------------------------------------------------- */

typedef struct Example {
    const char *name;
    LiteralRegion a, b;
    double s[3], t[3]; /* the printed points of A and B */
} Example;

/* 1: corners of two boxes. 2: a pyramid that stands on its tip and a post, whose edges meet and no corner of one lies
 * in the other. */
static const Example examples[] = {
    {"1 (Fig. 1)", {3, 6, {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {-1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}}},
        {3, 6, {{1, 0, 0, -0.5}, {0, -1, 0, -0.5}, {0, 0, -1, -0.5}, {-1, 0, 0, 2}, {0, 1, 0, 2}, {0, 0, 1, 2}}},
        {0, 0, 0}, {-0.5, 0.5, 0.5}},
    {"2 (Fig. 2)",
        {3, 4,
            {{0, 1, -0.5, 1}, {-0.86602540378443865, -0.5, -0.5, 1}, {0.86602540378443865, -0.5, -0.5, 1},
                {0, 0, 1, 0}}},
        {3, 6, {{1, 0, 0, -0.25}, {0, -1, 0, -0.25}, {0, 0, 1, 1}, {-1, 0, 0, 1}, {0, 1, 0, 0.9}, {0, 0, -1, 3}}},
        {0, 0, -2}, {-0.5, 0.5, 0.5}},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* Two rods of six rows each that cross: they meet about the origin, and no corner of one lies in the other. */
static const LiteralRegion rod_x = {
    3, 6, {{1, 0, 0, 3}, {-1, 0, 0, 3}, {0, 1, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 1}, {0, 0, -1, 1}}};
static const LiteralRegion rod_y = {
    3, 6, {{1, 0, 0, 1}, {-1, 0, 0, 1}, {0, 1, 0, 3}, {0, -1, 0, 3}, {0, 0, 1, 1}, {0, 0, -1, 1}}};

/* The answer of the library's recursion; its witness where they meet. */
static AbutIntersection library_answer(const LiteralRegion *a, const LiteralRegion *b) {
    double normal[2][3 * LITERAL_ROWS], offset[2][LITERAL_ROWS], workspace[20000];
    const LiteralRegion *of[2] = {a, b};
    AbutRegion region[2];
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < of[k]->count; ++i) {
            memcpy(&normal[k][3 * i], of[k]->m[i], 3 * sizeof(double));
            offset[k][i] = of[k]->m[i][3];
        }
        region[k] = (AbutRegion){of[k]->count, normal[k], offset[k]};
    }
    AbutIntersectDef def = {.method = ABUT_INTERSECT_REN, .search = abut_intersect_ren};
    return abut_intersect_regions(3, &region[0], &region[1], &def, workspace, sizeof workspace);
}

/* Does the text of the paper hold on our polyhedron: points inside, answer yes? */
static int example_holds(const Example *e) {
    return literal_holds(&e->a, e->s) && literal_holds(&e->b, e->t) && literal_meet(&e->a, &e->b, 1) &&
           library_answer(&e->a, &e->b).outcome == ABUT_INTERSECT_MEET;
}

static int flaw_shows(void) {
    return !literal_meet(&rod_x, &rod_y, 0) && literal_meet(&rod_x, &rod_y, 1) &&
           library_answer(&rod_x, &rod_y).outcome == ABUT_INTERSECT_MEET;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_table(FILE *to, const RowResult *results, int count) {
    fputs(
        "# Do two convex regions meet? Table 1 again\n\n"
        "Ren, Hong, Meng: A fast algorithm to determine whether the intersection of two convex regions is empty, 2000. "
        "Rows are planes that touch balls of\n"
        "radius .8 to 1 in random directions, the balls 1 to 2.6 apart. Times in microseconds, one thread, best of "
        "three runs of each instance; GJK has\n"
        "the polyhedra made beforehand. Published: IBM 486, seconds. The recursion is the mended one; tests are "
        "regions searched, steps of the linear\n"
        "program and support points, reductions rows rewritten, all per instance.\n\n"
        "| rows of A, B | instances | meet | published most, least, mean (s) | method | most | least | mean (us) | "
        "tests | reductions |\n|---|---|---|---|---|---|---|---|---|---|\n",
        to);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const RowResult *r = &results[i];
            const Measure *m = &r->by[k];
            fprintf(to, "| %d, %d | %d | %d | %g, %g, %g | %s | %.3g | %.3g | %.3g | %.4g | %.4g |\n", rows[i].rows_a,
                rows[i].rows_b, r->instances, r->meeting, rows[i].most, rows[i].least, rows[i].mean, method_name[k],
                1e6 * m->most, 1e6 * m->least, 1e6 * m->sum / r->instances, (double)m->tests / r->instances,
                (double)m->reductions / r->instances);
        }
}

static void put_point(FILE *to, const double x[3]) { fprintf(to, "(%g, %g, %g)", x[0], x[1], x[2]); }

static void put_example(FILE *to, const Example *e) {
    double s[3] = {0}, t[3] = {0};
    literal_locate(&e->a, s);
    literal_locate(&e->b, t);
    fprintf(to, "- Example %s: A has %d rows, B %d. Printed points: ", e->name, e->a.count, e->b.count);
    put_point(to, e->s);
    fputs(" of A and ", to);
    put_point(to, e->t);
    fputs(" of B; found here: ", to);
    put_point(to, s);
    fputs(" and ", to);
    put_point(to, t);
    if (literal_holds(&e->a, e->t))
        fputs(". The point of B satisfies A: they meet.", to);
    else
        fprintf(to,
            ". Neither point lies in the other; for the printed ones %d row of A is turned into an equation, and they "
            "meet on it.",
            literal_choices(&e->a, &e->b, e->s, e->t));
    fprintf(to, " %s\n", example_holds(e) ? "As printed." : "**Not as printed.**");
}

static void put_flaw(FILE *to) {
    AbutIntersection x = library_answer(&rod_x, &rod_y);
    double s[3] = {0}, t[3] = {0};
    literal_locate(&rod_x, s);
    literal_locate(&rod_y, t);
    fputs("\n## The flaw\n\nStep 6 is for fewer rows in A, step 7 for fewer rows in B; equal numbers fall through to "
          "step "
          "8, \"no\". Two rods of six rows each cross at\n"
          "right angles. The points found are ",
        to);
    put_point(to, s);
    fputs(" and ", to);
    put_point(to, t);
    fprintf(to,
        ", neither in the other rod. As printed the answer is **%s**; with equal numbers taken as fewer in A it is %s, "
        "and the\n"
        "recursion of the library finds the common point ",
        literal_meet(&rod_x, &rod_y, 0) ? "yes" : "no", literal_meet(&rod_x, &rod_y, 1) ? "yes" : "no");
    put_point(to, x.witness);
    fputs(".\n", to);
}

typedef struct Results {
    const RowResult *row;
    int count;
} Results;

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    const Results *r = results;
    (void)args;
    put_table(to, r->row, r->count);
    fputs(
        "\n## The examples\n\nThe rows of the printed examples are lost; these polyhedra have the printed points.\n\n",
        to);
    for (int i = 0; i < EXAMPLES; ++i) put_example(to, &examples[i]);
    put_flaw(to);
}

static AbutStatus write_table(const ReproduceArgs *args, const RowResult *results, int count, AbutError *error) {
    AbutCsv *csv;
    char path[4096];
    snprintf(path, sizeof path, "%s/table.csv", args->folder);
    AbutStatus status = abut_csv_open(path,
        "rows_a,rows_b,instances,meeting,published_most,published_least,published_mean,method,most,least,mean,tests,"
        "reductions",
        &csv, error);
    if (status != ABUT_OK) return status;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const RowResult *r = &results[i];
            const Measure *m = &r->by[k];
            abut_csv_integer(csv, rows[i].rows_a);
            abut_csv_integer(csv, rows[i].rows_b);
            abut_csv_integer(csv, r->instances);
            abut_csv_integer(csv, r->meeting);
            abut_csv_number(csv, rows[i].most);
            abut_csv_number(csv, rows[i].least);
            abut_csv_number(csv, rows[i].mean);
            abut_csv_text(csv, method_name[k]);
            abut_csv_number(csv, m->most);
            abut_csv_number(csv, m->least);
            abut_csv_number(csv, m->sum / r->instances);
            abut_csv_number(csv, (double)m->tests / r->instances);
            abut_csv_number(csv, (double)m->reductions / r->instances);
            abut_csv_end_row(csv);
        }
    return abut_csv_commit(csv, error);
}

int reproduce_intersection(const ReproduceArgs *args) {
    RowResult results[ROWS];
    AbutStatus status = ABUT_OK;
    int count = 0, total = args->quick ? QUICK_ROWS : ROWS, wrong = !flaw_shows();
    for (; count < total && status == ABUT_OK; ++count) {
        status = run_row(&rows[count], args->quick, &results[count], &cli_why);
        wrong += status == ABUT_OK ? results[count].disagreements : 0;
    }
    for (int i = 0; i < EXAMPLES; ++i) wrong += !example_holds(&examples[i]);
    if (status == ABUT_OK) status = write_table(args, results, count, &cli_why);
    if (status == ABUT_OK) status = reproduce_write_summary(args, put_summary, &(Results){results, count}, &cli_why);
    cli_need(status);
    printf(
        "%d sizes, %d answers differ between methods or from the paper's text; %s/summary.md and table.csv written\n",
        count, wrong, args->folder);
    return wrong ? CLI_NO : CLI_OK;
}
