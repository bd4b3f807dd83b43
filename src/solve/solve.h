/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: small dense problems. Symmetric positive systems up to any small size, 6x6 with scaling and a pseudo-inverse
 * fall-back, non-negative least squares, quadratic programs by active set, linear programs in few dimensions.
 * Matrices are row-major arrays. Nothing here allocates: workspaces are the caller's or fixed in size. A workspace is
 * plain memory aligned for double (abut_alloc gives such memory); its content need not be set.
 */
#ifndef ABUT_SOLVE_SOLVE_H
#define ABUT_SOLVE_SOLVE_H

#include "abut/math.h"

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

/*
 * Cholesky factor of the symmetric n x n matrix S a S, where S is a diagonal of powers of two that brings the diagonal
 * of a near one. Reads the lower triangle of a and overwrites it; writes the diagonal of S to scale[n].
 * Gives -1 when every pivot of the scaled matrix is above `threshold` (1e-14 is usual), else the number of the first
 * pivot that is not (also for NaN and infinity); a is then half overwritten.
 */
int abut_cholesky_factor(int n, double *a, double *scale, double threshold);
void abut_cholesky_solve(
    int n, const double *factor, const double *scale, double *x); /* x: right side in, solution out */

/* Its two halves, in place: inv(L) S x and S inv(L') x. */
void abut_cholesky_forward(int n, const double *factor, const double *scale, double *x);
void abut_cholesky_backward(int n, const double *factor, const double *scale, double *x);

enum { ABUT_LU_MAX_SIZE = 32 };

/*
 * Factors P a = L U, n up to ABUT_LU_MAX_SIZE, by partial pivoting relative to the size of each row. Gives -1, or the
 * number of the first column without a usable pivot (below 1e-14 of the size of its row, or not finite).
 */
int abut_lu_factor(int n, double *a, int *order);
void abut_lu_solve(int n, const double *factor, const int *order, const double *b, double *x); /* x is not b */

/*
 * Eigenvalues of a symmetric n x n matrix in ascending order, by Jacobi rotations. a is overwritten; row k of vectors
 * is the unit eigenvector of value[k]. False (values 0, vectors the axes) when a is not finite.
 */
int abut_eigen_symmetric(int n, double *a, double *value, double *vectors);

typedef struct AbutMat6 {
    double m[6][6];
} AbutMat6;

typedef enum AbutSolvePath {
    ABUT_SOLVE_CHOLESKY = 0,   /* positive definite, every pivot of the scaled matrix above 1e-7 */
    ABUT_SOLVE_PSEUDO_INVERSE, /* near singular or indefinite: by eigenvalues; below rank 6 least squares, smallest
                                  scaled solution */
    ABUT_SOLVE_FAILED          /* NaN or infinity: solutions are zero */
} AbutSolvePath;

/* The answer does not depend on the units of the six coordinates: the matrix is scaled by its diagonal first. x may be
 * b; `rank` may be NULL. */
AbutSolvePath abut_mat6_solve(const AbutMat6 *m, const double b[6], double x[6], int *rank);

/* ---- non-negative least squares ---------------------------------------------------------------------------------- */

typedef enum AbutNnlsOutcome {
    ABUT_NNLS_OK = 0,
    ABUT_NNLS_ITERATION_CAP, /* x is feasible and the best so far */
    ABUT_NNLS_BAD_INPUT      /* NaN, infinity, a size below 1 or a workspace too small: x is zero where it can be */
} AbutNnlsOutcome;

typedef struct AbutNnlsResult {
    AbutNnlsOutcome outcome;
    int iterations;
    double residual; /* |A x - b| */
} AbutNnlsResult;

/* min |A x - b| over x >= 0, A with `rows` x `columns` entries. Lawson and Hanson's active set with QR at each step. */
size_t abut_nnls_workspace_size(int rows, int columns); /* bytes */
AbutNnlsResult abut_nnls(
    int rows, int columns, const double *a, const double *b, double *x, void *workspace, size_t workspace_size);
/* Another right side for the matrix of the last abut_nnls with this workspace; starts at its answer x. */
AbutNnlsResult abut_nnls_again(int rows, int columns, const double *b, double *x, void *workspace);

/* ---- convex quadratic programs ----------------------------------------------------------------------------------- */

typedef enum AbutQpOutcome {
    ABUT_QP_OK = 0,
    ABUT_QP_INFEASIBLE,    /* multipliers y >= 0 (any sign on equality rows) show it: y'A is 0 and y'b is negative */
    ABUT_QP_UNBOUNDED,     /* x is a direction along which the objective falls for ever */
    ABUT_QP_ITERATION_CAP, /* x is the last iterate, not an answer */
    ABUT_QP_BAD_INPUT      /* NaN, infinity, H not positive semidefinite, bad sizes or a workspace too small */
} AbutQpOutcome;

/* min 1/2 x'Hx + g'x subject to A x <= b, where the first `equalities` rows hold as equations. H symmetric, positive
 * semidefinite. */
typedef struct AbutQp {
    int variables, rows, equalities;
    const double *h; /* variables x variables */
    const double *g; /* variables */
    const double *a; /* rows x variables */
    const double *b; /* rows */
} AbutQp;

typedef struct AbutQpResult {
    AbutQpOutcome outcome;
    int iterations, active_count;
    double value;
} AbutQpResult;

/* Dual active set; x[variables] and multipliers[rows] (may be NULL) are written. The result is exact to rounding, not
 * to a tolerance on steps. */
size_t abut_qp_workspace_size(int variables, int rows); /* bytes */
AbutQpResult abut_qp_solve(const AbutQp *qp, double *x, double *multipliers, void *workspace, size_t workspace_size);

/* ---- linear programs in few dimensions --------------------------------------------------------------------------- */

enum { ABUT_LP_MAX_DIMENSION = 8 };

typedef enum AbutLpOutcome {
    ABUT_LP_OPTIMAL = 0,
    ABUT_LP_INFEASIBLE, /* by more than the tolerance; `conflict` names the rows that cannot hold together */
    ABUT_LP_UNBOUNDED,  /* x is feasible, and x + s ray for every s >= 0, and c.ray > 0 */
    ABUT_LP_UNDECIDED   /* `status` says why: bad input, or rounding won (ABUT_ERROR_DEGENERATE) */
} AbutLpOutcome;

/* max c.x subject to a_i.x <= b_i. b_i = +infinity is no constraint; other non-finite numbers are an error. */
typedef struct AbutLp {
    int dimension, rows;
    const double *a;  /* rows x dimension */
    const double *b;  /* rows */
    const double *c;  /* dimension, or NULL: any feasible point will do */
    uint64_t seed;    /* picks the objective when c is NULL or zero; the same seed gives the same bits */
    double tolerance; /* 0 means 1e-12: rows may be passed by this much of |b_i| / |a_i| + |x| */
} AbutLp;

typedef struct AbutLpResult {
    AbutLpOutcome outcome;
    AbutStatus status;
    double x[ABUT_LP_MAX_DIMENSION];   /* optimal, unbounded: a feasible point */
    double ray[ABUT_LP_MAX_DIMENSION]; /* unbounded */
    double value;                      /* c.x; +infinity when unbounded */
    int active_count;                  /* rows that fix x, at most `dimension`; fewer when x is not a vertex */
    int active[ABUT_LP_MAX_DIMENSION];
    int conflict_count; /* infeasible: at most dimension + 1 rows ... */
    int conflict[ABUT_LP_MAX_DIMENSION + 1];
    double multiplier[ABUT_LP_MAX_DIMENSION + 1]; /* ... and y >= 0 for them: y'A = 0, y'b < 0 (Farkas) */
    double gap;             /* infeasible: -y'b, when the multipliers are scaled to a sum of y_i |a_i| = 1 */
    double farkas_residual; /* infeasible: |y'A| in the same scale */
    int iterations;
} AbutLpResult;

size_t abut_lp_workspace_size(int dimension, int rows); /* bytes; 0 when a size is out of range */
AbutLpResult abut_lp_solve(const AbutLp *lp, void *workspace, size_t workspace_size);

#endif
