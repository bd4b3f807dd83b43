/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Numbers are relative to the size of what they are compared with.
 */
#ifndef ABUT_SOLVE_TOLERANCE_H
#define ABUT_SOLVE_TOLERANCE_H

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

/* For the scaled 6x6 matrix. Rounding in a pivot is at most that of a double divided by the smaller pivots before it,
 * so pivots above the first are real; below, the eigenvalues decide, which are known to rounding of the largest. */
#define ABUT_SOLVE_PIVOT6 1e-7         /* see above */
#define ABUT_SOLVE_EIGENVALUE6 1e-12   /* eigenvalues below this part of the largest are zero */
#define ABUT_SOLVE_LU_PIVOT 1e-14      /* pivots below this part of their row are zero */
#define ABUT_SOLVE_JACOBI_DONE 1e-17   /* entries off the diagonal below this part of it are zero */
#define ABUT_SOLVE_JACOBI_LEAST 1e-200 /* the same, absolute */

/* ---- least squares and quadratic programs ------------------------------------------------------------------------ */

#define ABUT_NNLS_DEPENDENT 1e-13 /* part of a column outside the span of the others below which it depends on them */
#define ABUT_NNLS_NOISE 2e-15     /* rounding of the gradient, of its terms */
#define ABUT_QP_PIVOT 1e-14       /* pivots of H above this are positive */
#define ABUT_QP_PIVOT_SINGULAR 1e-10        /* below this H counts as singular and is regularized */
#define ABUT_QP_SHIFT 1e-6                  /* regularization, of the largest entry of H */
#define ABUT_QP_SHIFT_LINEAR 1e-3           /* regularization where only g has a size */
#define ABUT_QP_RAY 1e-9                    /* descent along a direction of no curvature, of its length */
#define ABUT_QP_DONE 1e-13                  /* part of the gradient that the regularization may leave */
#define ABUT_QP_ACCEPTED 1e-8               /* the same where the rounds are used up */
#define ABUT_LEAST_DISTANCE_DEPENDENT 1e-10 /* part of a unit row outside the span of the active ones */
#define ABUT_LEAST_DISTANCE_RAY 1e-11       /* multipliers that fall slower than this part do not block */
#define ABUT_LEAST_DISTANCE_VIOLATED 1e-12  /* rows passed by less than this part of their size hold */
#define ABUT_LEAST_DISTANCE_EQUATION 1e-9   /* equations missed by less than this part hold */

/* ---- linear programs --------------------------------------------------------------------------------------------- */

#define ABUT_LP_TOLERANCE 1e-12       /* default: rows may be passed by this much of their size */
#define ABUT_LP_SQUARE_LEAST 1e-250   /* squared lengths of rows between these need no care, absolute */
#define ABUT_LP_SQUARE_MOST 1e250     /* see above */
#define ABUT_LP_OFFSET_MOST 1e300     /* offsets beyond this, absolute, go the careful way */
#define ABUT_LP_PARALLEL 1e-11        /* sine below which two rows count as parallel */
#define ABUT_LP_FLAT_OBJECTIVE 1e-14  /* entries of the objective below this part are zero */
#define ABUT_LP_FLAT_STEP 1e-13       /* coordinates of a step below this are zero */
#define ABUT_LP_FARKAS 1e-9           /* residual of a proof of infeasibility */
#define ABUT_LP_FARKAS_PART 1e-3      /* the same, of the gap */
#define ABUT_LP_FARKAS_ROUNDING 1e-12 /* the same, of the size */
#define ABUT_LP_RAY_OUT 1e-11         /* a ray that leaves a row by more than this is none */
#define ABUT_LP_RAY_RISE 1e-10        /* rise of the objective along a ray */
#define ABUT_LP_EXCESS 1e-8           /* rows that a feasible point may pass by, in units of their tolerance's size */
#define ABUT_LP_TIGHTER 1e-2          /* factors on the tolerance where rounding wins */
#define ABUT_LP_LOOSER 1e2            /* see above */

/* ---- turning ----------------------------------------------------------------------------------------------------- */

/* Turning of a free body: pieces of at most this angle, rad, and so short that each round leaves at most this part of
 * an error; the turn is found when it changes by less than this angle. */
#define ABUT_TURN_PIECE 0.25
#define ABUT_TURN_CONTRACTS 0.25
#define ABUT_TURN_FOUND 1e-15

/* Newton steps of bounded rows: factors at most, and where so few unknowns make more of them cheap (forces far above
 * the weights cross many bounds on their way); tries along a line, and the part of its first slope that may be left;
 * the part that is left where a step was exact; slopes below this part of the steepest are none. */
#define ABUT_ROW_FACTORS 8
#define ABUT_ROW_FACTORS_FEW 30
#define ABUT_ROW_FEW 24
#define ABUT_ROW_TRIES 8
#define ABUT_ROW_LINE_LEFT 0.1
#define ABUT_ROW_EXACT 1e-6
#define ABUT_ROW_SLIGHT 1e-12

#endif
