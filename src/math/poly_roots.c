/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real roots of a polynomial in an interval.
 * In: power coefficients, the interval. Out: ascending roots.
 * Method: halve the interval while the Bernstein coefficients change sign more than once (Descartes' rule of signs); a
 * piece with one change between ends of opposite sign holds one root, found by bisection on the power form. A piece
 * whose coefficients all vanish within their error is a cluster: touching clusters are one root.
 */
#include "math/poly.h"
#include "math/tolerance.h"

typedef struct Roots {
    const AbutPoly *p;
    double *out;
    double last_hi, gap; /* where the last root's piece ended; pieces closer than gap are the same root */
    int count, capacity;
} Roots;

static void record(Roots *roots, double lo, double hi, double root) {
    int again = roots->count > 0 && lo <= roots->last_hi + roots->gap;
    if (!again && roots->count < roots->capacity) roots->out[roots->count++] = root;
    roots->last_hi = hi;
}

/* One root between ends of opposite sign; `rising` when p goes from negative to positive. */
static double bisect(const AbutPoly *p, double lo, double hi, int rising) {
    for (int i = 0; i < 200; ++i) {
        double middle = 0.5 * lo + 0.5 * hi;
        if (middle <= lo || middle >= hi) break;
        if ((abut_poly_eval(p, middle) < 0.0) == rising)
            lo = middle;
        else
            hi = middle;
    }
    return 0.5 * lo + 0.5 * hi;
}

/* Sign changes of the coefficients that are not zero within the error; -1 when all are zero. */
static int sign_changes(const AbutBernstein *p) {
    int changes = -1;
    double before = 0.0;
    for (int i = 0; i <= p->degree; ++i) {
        if (fabs(p->b[i]) <= p->error) continue;
        if (before == 0.0 || before * p->b[i] < 0.0) ++changes;
        before = p->b[i] > 0.0 ? 1.0 : -1.0;
    }
    return changes;
}

static void search(Roots *roots, const AbutBernstein *p, int levels) {
    int n = p->degree, changes = sign_changes(p);
    int left_zero = fabs(p->b[0]) <= p->error, right_zero = fabs(p->b[n]) <= p->error;
    double middle = 0.5 * p->lo + 0.5 * p->hi;
    if (changes < 0 || (levels == 0 && changes > 0)) {
        record(roots, p->lo, p->hi, middle);
    } else if (changes == 1 && !left_zero && !right_zero) {
        double root = bisect(roots->p, p->lo, p->hi, p->b[0] < 0.0);
        record(roots, root, root, root);
    } else if (changes == 0 || levels == 0) {
        if (left_zero) record(roots, p->lo, p->lo, p->lo);
        if (right_zero) record(roots, p->hi, p->hi, p->hi);
    } else {
        AbutBernstein left, right;
        abut_bernstein_split(p, 0.5, &left, &right);
        search(roots, &left, levels - 1);
        search(roots, &right, levels - 1);
    }
}

int abut_poly_roots(const AbutPoly *p, double lo, double hi, double *roots, int capacity) {
    ABUT_ASSERT(p && (roots || capacity <= 0));
    AbutBernstein form = abut_bernstein_from_poly(p, lo, hi);
    Roots found = {p, roots, 0.0, ABUT_POLY_SAME_ROOT * (hi - lo), 0, capacity};
    if (!(lo <= hi) || !isfinite(form.error) || sign_changes(&form) < 0) return 0;
    search(&found, &form, 40);
    return found.count;
}
