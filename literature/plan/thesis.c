/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of Lee's thesis (2017), Chapter VI: one nonlinear program over the control points by IPOPT. The cost is the
 * integral of jerk; for every pair of pieces that is near on the first motion and every span of the spline the least
 * distance over the span is above the margin, and with balance the distance inside each edge; the gradient is that at
 * the time of the least distance (envelope theorem). Limits are bounds of control points, postures on the way
 * equations. No seeds and no escapes: thin obstacles trap it. IPOPT is taken where it was there at build
 * (ABUT_WITH_IPOPT).
 */
#include "literature/plan/methods.h"

int abut_plan_has_thesis(void) {
#ifdef ABUT_HAVE_IPOPT
    return 1;
#else
    return 0;
#endif
}

#ifdef ABUT_HAVE_IPOPT

#include <IpStdCInterface.h>

#include <string.h>

static const double NEAR =
    0.25; /* m: pairs of pieces farther apart than this over the whole first motion are no rows */
static const double INFINITE = 2e19;

/* A row: the least of an item over a span (item < item count), the least inside an edge, or an equation. */
typedef struct Row {
    int32_t item, span, via, coordinate;
    double s; /* where the least was */
} Row;

typedef struct Program {
    AbutPlanWork *work;
    AbutPlanMoment moment;
    AbutTrajectory trajectory;
    int32_t row_count, entry_count, width, free;
    Row *rows;
    double *gradient;
    int64_t evaluations;
    int failed;
} Program;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int set_motion(Program *p, const double *x) {
    AbutPlanWork *w = p->work;
    memcpy(w->control + ABUT_SPLINE_ENDS * w->width, x, (size_t)(p->free * p->width) * sizeof *x);
    abut_trajectory_free(&p->trajectory);
    return abut_plan_spline_trajectory(w->problem, w->spline->points, w->control, 1.0, &p->trajectory, NULL) == ABUT_OK;
}

static double span_time(const Program *p, const Row *row, double x) { return (row->span + x) / p->work->spline->spans; }

static void place(Program *p, double s) {
    AbutPlanWork *w = p->work;
    abut_plan_spline_at(w->spline, w->width, w->control, s, w->coordinates);
    abut_plan_place(w, w->coordinates, &w->postures[0]);
}

static double edge_least(Program *p, Row *row) {
    enum { STEPS = 16 };
    const AbutPlanProblem *problem = p->work->problem;
    double least = INFINITY;
    for (int i = 0; i <= STEPS; ++i) {
        double s = span_time(p, row, (double)i / STEPS);
        place(p, s);
        double d = abut_plan_edge_inside(
            &problem->edges[row->item - problem->item_count], abut_plan_center(problem, &p->work->postures[0]));
        if (d < least) {
            least = d;
            row->s = s;
        }
    }
    return least;
}

static double row_value(Program *p, Row *row) {
    AbutPlanWork *w = p->work;
    if (row->item < 0) {
        abut_plan_spline_at(w->spline, w->width, w->control, row->s, w->coordinates);
        return w->coordinates[row->coordinate];
    }
    if (row->item >= w->problem->item_count) return edge_least(p, row);
    AbutPlanLeast least = abut_plan_item_mcd(w->problem, &p->trajectory, (AbutPlanMcd)w->settings->method.value,
        row->item, row->span, &p->moment, &w->caches[row->item]);
    row->s = span_time(p, row, least.x);
    p->evaluations += least.evaluations;
    return least.distance;
}

static void row_gradient(Program *p, const Row *row) {
    AbutPlanWork *w = p->work;
    const AbutPlanProblem *problem = w->problem;
    if (row->item < 0) {
        memset(p->gradient, 0, (size_t)p->width * sizeof *p->gradient);
        p->gradient[row->coordinate] = 1.0;
        return;
    }
    place(p, row->s);
    if (row->item >= problem->item_count) {
        abut_plan_edge_gradient(
            problem, &problem->edges[row->item - problem->item_count], &w->postures[0], w->joint_row, p->gradient);
        return;
    }
    AbutPlanDistance d =
        abut_plan_item_distance(problem, &problem->items[row->item], &w->postures[0], &w->caches[row->item]);
    abut_plan_item_gradient(problem, &problem->items[row->item], &w->postures[0], &d, p->gradient);
}

/* Free control points of a span: the first, and how many. */
static int32_t span_points(const Program *p, int32_t span, int32_t *first) {
    int32_t low = span - ABUT_SPLINE_ENDS, high = low + 6;
    *first = low > 0 ? low : 0;
    high = high < p->free ? high : p->free;
    return high > *first ? high - *first : 0;
}

static int is_near(AbutPlanWork *w, int32_t k) {
    const AbutPlanItem *item = &w->problem->items[k];
    for (int32_t i = 0; i < w->grid; ++i)
        if (abut_plan_grid_apart(w, item, i) < NEAR &&
            !(abut_plan_item_distance(w->problem, item, &w->postures[i], &w->caches[k]).distance >= NEAR))
            return 1;
    return 0;
}

/* Counts, or with rows writes, those that are needed. */
static void list_rows(Program *p) {
    AbutPlanWork *w = p->work;
    const AbutPlanProblem *problem = w->problem;
    int32_t spans = w->spline->spans, first;
    p->row_count = p->entry_count = 0;
    for (int32_t k = 0; k < problem->item_count + problem->edge_count; ++k) {
        int near = k >= problem->item_count || is_near(w, k);
        for (int32_t span = 0; span < spans && near; ++span, ++p->row_count) {
            if (p->rows) p->rows[p->row_count] = (Row){k, span, -1, 0, (double)span / spans};
            p->entry_count += p->width * span_points(p, span, &first);
        }
    }
    for (int32_t v = 0; v < w->task->via_count; ++v)
        for (int32_t c = 0; c < p->width; ++c, ++p->row_count) {
            int32_t span = (int32_t)(w->task->via_s[v] * spans);
            if (p->rows) p->rows[p->row_count] = (Row){-1, span, v, c, w->task->via_s[v]};
            p->entry_count += p->width * span_points(p, span, &first);
        }
}

/* ---- what IPOPT asks --------------------------------------------------------------------------------------------- */

static Bool cost(Index n, Number *x, Bool fresh, Number *out, UserDataPtr user) {
    Program *p = user;
    (void)n, (void)fresh;
    if (!set_motion(p, x)) return FALSE;
    *out = abut_plan_spline_cost(p->work->spline, p->width, p->work->control);
    return TRUE;
}

static Bool cost_gradient(Index n, Number *x, Bool fresh, Number *out, UserDataPtr user) {
    Program *p = user;
    const AbutPlanWork *w = p->work;
    (void)n, (void)fresh;
    if (!set_motion(p, x)) return FALSE;
    for (int32_t a = 0; a < p->free; ++a)
        for (int32_t c = 0; c < p->width; ++c) {
            double sum = 0.0;
            for (int32_t b = 0; b < w->spline->points; ++b)
                sum += w->spline->jerk[a + ABUT_SPLINE_ENDS][b] * w->control[b * p->width + c];
            out[a * p->width + c] = sum;
        }
    return TRUE;
}

static Bool constraints(Index n, Number *x, Bool fresh, Index m, Number *out, UserDataPtr user) {
    Program *p = user;
    (void)n, (void)fresh;
    if (!set_motion(p, x)) return FALSE;
    for (Index i = 0; i < m; ++i) out[i] = row_value(p, &p->rows[i]);
    return TRUE;
}

static Bool jacobian(Index n, Number *x, Bool fresh, Index m, Index entries, Index *row_of, Index *column_of,
    Number *values, UserDataPtr user) {
    Program *p = user;
    Index at = 0;
    (void)n, (void)entries;
    if (values && fresh && !set_motion(p, x)) return FALSE;
    for (Index i = 0; i < m; ++i) {
        double basis[6];
        int32_t first, count = span_points(p, p->rows[i].span, &first), begin = 0;
        if (values) {
            if (fresh) row_value(p, &p->rows[i]);
            begin = abut_plan_spline_basis(p->work->spline, fmin(p->rows[i].s, 1.0), basis) - ABUT_SPLINE_ENDS;
            row_gradient(p, &p->rows[i]);
        }
        for (int32_t k = first; k < first + count; ++k)
            for (int32_t c = 0; c < p->width; ++c, ++at) {
                if (values) {
                    values[at] = k >= begin && k < begin + 6 ? basis[k - begin] * p->gradient[c] : 0.0;
                } else {
                    row_of[at] = i;
                    column_of[at] = k * p->width + c;
                }
            }
    }
    return TRUE;
}

static Bool no_hessian(Index n, Number *x, Bool fresh, Number factor, Index m, Number *lambda, Bool fresh_lambda,
    Index entries, Index *row_of, Index *column_of, Number *values, UserDataPtr user) {
    (void)n, (void)x, (void)fresh, (void)factor, (void)m, (void)lambda, (void)fresh_lambda, (void)entries, (void)row_of;
    (void)column_of, (void)values, (void)user;
    return FALSE;
}

static Bool watch(Index mode, Index iteration, Number value, Number infeasible, Number dual_infeasible, Number mu,
    Number step, Number size, Number dual, Number primal, Index tries, UserDataPtr user) {
    Program *p = user;
    (void)mode, (void)iteration, (void)value, (void)infeasible, (void)dual_infeasible, (void)mu, (void)step, (void)size,
        (void)dual;
    (void)primal, (void)tries;
    ++p->work->iterations;
    return abut_plan_is_over(p->work) ? FALSE : TRUE;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static void set_bounds(const Program *p, double *x_low, double *x_high, double *g_low, double *g_high) {
    const AbutPlanWork *w = p->work;
    for (int32_t i = 0; i < p->free * p->width; ++i) {
        x_low[i] = w->problem->lower[i % p->width];
        x_high[i] = w->problem->upper[i % p->width];
    }
    for (int32_t i = 0; i < p->row_count; ++i) {
        const Row *row = &p->rows[i];
        int equation = row->item < 0;
        g_low[i] = equation ? w->task->via[row->via][row->coordinate] : abut_plan_wanted(w, row->item);
        g_high[i] = equation ? g_low[i] : INFINITE;
    }
}

static void set_options(IpoptProblem nlp) {
    char text[][2][40] = {{"hessian_approximation", "limited-memory"}, {"sb", "yes"}};
    char whole[][40] = {"print_level", "max_iter", "acceptable_iter"}, real[][40] = {"tol", "acceptable_tol"};
    const int numbers[3] = {0, 120, 4};
    const double reals[2] = {1e-4, 1e-2};
    for (int i = 0; i < 2; ++i) AddIpoptStrOption(nlp, text[i][0], text[i][1]);
    for (int i = 0; i < 3; ++i) AddIpoptIntOption(nlp, whole[i], numbers[i]);
    for (int i = 0; i < 2; ++i) AddIpoptNumOption(nlp, real[i], reals[i]);
}

static void run_ipopt(Program *p, double *numbers) {
    int32_t n = p->free * p->width;
    double *x = numbers, *x_low = x + n, *x_high = x_low + n, *g_low = x_high + n, *g_high = g_low + p->row_count;
    double value;
    set_bounds(p, x_low, x_high, g_low, g_high);
    memcpy(x, p->work->control + ABUT_SPLINE_ENDS * p->width, (size_t)n * sizeof *x);
    IpoptProblem nlp = CreateIpoptProblem(n, x_low, x_high, p->row_count, g_low, g_high, p->entry_count, 0, 0, cost,
        constraints, cost_gradient, jacobian, no_hessian);
    p->failed = !nlp;
    if (!nlp) return;
    set_options(nlp);
    SetIntermediateCallback(nlp, watch);
    IpoptSolve(nlp, x, NULL, &value, NULL, NULL, NULL, p);
    FreeIpoptProblem(nlp);
    p->failed = !set_motion(p, x);
}

AbutPlanSqp abut_plan_solve_thesis(AbutPlanWork *work) {
    Program p = {.work = work, .width = work->width, .free = work->spline->free};
    AbutPlanSqp out = {0, INFINITY, INFINITY};
    abut_plan_place_grid(work, work->control);
    list_rows(&p);
    size_t moment = abut_plan_moment_size(&work->problem->tree), n = (size_t)(p.free * p.width);
    void *memory = abut_alloc(moment);
    p.rows = abut_alloc_array((size_t)p.row_count + 1, sizeof *p.rows);
    double *numbers = abut_alloc_array(3 * n + 2 * (size_t)p.row_count + (size_t)p.width + 1, sizeof *numbers);
    if (memory && p.rows && numbers) {
        p.moment = abut_plan_moment_in(&work->problem->tree, memory);
        p.gradient = numbers + 3 * n + 2 * (size_t)p.row_count;
        list_rows(&p);
        run_ipopt(&p, numbers);
    }
    abut_trajectory_free(&p.trajectory);
    abut_free(memory);
    abut_free(p.rows);
    abut_free(numbers);
    if (p.failed) return out;
    abut_plan_collect(work, work->control, 1, &work->now);
    out.cost = abut_plan_spline_cost(work->spline, work->width, work->control);
    out.violation = work->now.largest;
    out.feasible = out.violation < 4e-4;
    return out;
}

#else

AbutPlanSqp abut_plan_solve_thesis(AbutPlanWork *work) {
    (void)work;
    return (AbutPlanSqp){0, INFINITY, INFINITY};
}

#endif
