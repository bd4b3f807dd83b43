/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least distance of each part of a motion, after Figs. 6.5 and 6.10 of Lee's thesis (2017): the hand of an arm of
 * seven hinges that follow quintic splines passes a hip; both are capsules. Fig. 6.5 has what several methods say of
 * each part. In Fig. 6.10 a least distance is too small in one part of 0.695 s, which the thesis blames on the
 * approximation of the trajectories of links: a quintic that has the places, velocities and accelerations of both ends
 * of the part. Out: both figures, and the numbers.
 */
#define _POSIX_C_SOURCE 200809L
#include "mcd.h"

#include "abut/literature.h"
#include "abut/picture.h"

#include <math.h>
#include <string.h>

enum { HINGES = 7, DEGREE = 5, SPANS = MCD_INTERVALS + 2, CONTROL = SPANS + DEGREE, KNOTS = CONTROL + DEGREE + 1 };

static const double LENGTH = 0.695; /* of a part, s */
static const double EPS = 1e-3, FINE = 1e-5;
static const uint64_t SEED = 405; /* a motion whose sixth part is as that of the thesis */

static const AbutClearanceMethod methods[MCD_METHODS] = {
    ABUT_CLEARANCE_GOLDEN, ABUT_CLEARANCE_ADVANCE, ABUT_CLEARANCE_HYBRID_CLASSIC};

typedef struct Arm {
    AbutCurvePiece piece[HINGES][SPANS]; /* one part more at either end */
    AbutChainJoint joint[HINGES];
    AbutChain chain;
    AbutCapsule hand, hip;
    AbutClearanceBody *body[2];
    AbutMover mover[2];
    AbutClearanceSpace *space;
} Arm;

/* ---- curves ------------------------------------------------------------------------------------------------------ */

int mcd_keep_sample(const AbutClearanceSample *x, void *curve) {
    McdCurve *c = curve;
    if (!abut_grow((void **)&c->t, &c->capacity[0], c->count + 1, sizeof *c->t) ||
        !abut_grow((void **)&c->d, &c->capacity[1], c->count + 1, sizeof *c->d) ||
        !abut_grow((void **)&c->lower, &c->capacity[2], c->count + 1, sizeof *c->lower))
        return 1;
    c->t[c->count] = x->t, c->d[c->count] = x->d, c->lower[c->count++] = x->lb;
    return 0;
}

void mcd_curve_free(McdCurve *c) {
    abut_free(c->t);
    abut_free(c->d);
    abut_free(c->lower);
}

/* ---- the arm ----------------------------------------------------------------------------------------------------- */

static AbutStatus make_joint(AbutRng *rng, const double knots[KNOTS], int j, Arm *arm, AbutError *error) {
    double control[CONTROL];
    AbutChainJoint *joint = &arm->joint[j];
    for (int k = 0; k < CONTROL; ++k) control[k] = abut_rng_between(rng, -2.0, 2.0);
    *joint = (AbutChainJoint){.parent = j - 1, .kind = ABUT_CHAIN_HINGE, .axis = abut_axis((j + 2) % 3)};
    joint->fixed = abut_pose(abut_vec3(0.0, 0.0, j > 0 ? -0.15 : 0.5), abut_quat_identity());
    return abut_curve_spline(DEGREE, CONTROL, knots, control, arm->piece[j], &joint->curve[0], error);
}

static AbutStatus make_arm(uint64_t seed, Arm *arm, AbutError *error) {
    AbutRng rng = abut_rng(2017, seed);
    double knots[KNOTS];
    AbutStatus status = abut_clearance_space_create(0, &arm->space, error);
    for (int k = 0; k < KNOTS; ++k) knots[k] = LENGTH * (abut_smaller(abut_larger(k - DEGREE, 0), SPANS) - 1.0);
    for (int j = 0; j < HINGES && status == ABUT_OK; ++j) status = make_joint(&rng, knots, j, arm, error);
    arm->chain = (AbutChain){HINGES, arm->joint};
    arm->hand = (AbutCapsule){{0.0, 0.0, -0.02}, {0.0, 0.0, -0.14}, 0.05};
    arm->hip = (AbutCapsule){{0.6, -0.15, 0.3}, {0.6, 0.15, 0.3}, 0.1};
    arm->mover[1].motion = abut_motion_static(abut_pose_identity());
    if (status == ABUT_OK) status = abut_motion_chain(&arm->chain, HINGES - 1, &arm->mover[0].motion, error);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        AbutCapsule c = k == 0 ? arm->hand : arm->hip;
        AbutConvex capsule = abut_convex_segment(c.a, c.b, c.radius);
        status = abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &arm->body[k], error);
        arm->mover[k].solid = abut_solid_prepared(arm->body[k]);
    }
    return status;
}

static void free_arm(Arm *arm) {
    abut_clearance_body_free(arm->body[0]);
    abut_clearance_body_free(arm->body[1]);
    abut_clearance_space_free(arm->space);
}

/* ---- approximated trajectories ----------------------------------------------------------------------------------- */

/* The quintic with place, velocity and acceleration of a point of the hand at both ends of from .. to. */
static void approximate(const AbutMotion *m, AbutVec3 point, double from, double to, AbutVec3 out[DEGREE + 1]) {
    const double h = 1e-4, length = to - from;
    for (int end = 0; end < 2; ++end) {
        double t = end ? to : from, ahead = end ? -length : length;
        AbutVec3 x[3];
        for (int k = 0; k < 3; ++k) x[k] = abut_pose_apply(abut_motion_pose(m, t + (k - 1) * h), point);
        AbutVec3 v = abut_scale(abut_sub(x[2], x[0]), 0.5 / h);
        AbutVec3 a = abut_scale(abut_sub(abut_add(x[0], x[2]), abut_scale(x[1], 2.0)), 1.0 / (h * h));
        out[end ? 5 : 0] = x[1];
        out[end ? 4 : 1] = abut_add_scaled(x[1], v, ahead / 5.0);
        out[end ? 3 : 2] = abut_add_scaled(abut_add_scaled(x[1], v, 2.0 * ahead / 5.0), a, length * length / 20.0);
    }
}

/* The least distance on approximated trajectories. */
static double least_approximated(const Arm *arm, double from, double to) {
    AbutCapsulePath hand = {.radius = arm->hand.radius}, hip = {.radius = arm->hip.radius};
    approximate(&arm->mover[0].motion, arm->hand.a, from, to, hand.a);
    approximate(&arm->mover[0].motion, arm->hand.b, from, to, hand.b);
    for (int k = 0; k <= DEGREE; ++k) hip.a[k] = arm->hip.a, hip.b[k] = arm->hip.b;
    return abut_clearance_capsules(&hand, &hip, from, to, FINE).ub;
}

static AbutClearanceDef part(int number, int parts, double eps) {
    double length = LENGTH * MCD_INTERVALS / parts;
    return (AbutClearanceDef){.from = number * length, .to = (number + 1) * length, .eps = eps};
}

static double largest_error(const Arm *arm, int parts) {
    double most = 0.0;
    for (int i = 0; i < parts; ++i) {
        AbutClearanceDef def = part(i, parts, FINE);
        double truth = abut_clearance(&arm->mover[0], &arm->mover[1], &def, arm->space).ub;
        most = abut_larger(most, fabs(least_approximated(arm, def.from, def.to) - truth));
    }
    return most;
}

static void measure(const Arm *arm, McdIntervals *out) {
    for (int i = 0; i < MCD_INTERVALS; ++i) {
        AbutClearanceDef def = part(i, MCD_INTERVALS, EPS);
        out->certified[i] = abut_clearance(&arm->mover[0], &arm->mover[1], &def, arm->space);
        out->approximated[i] = least_approximated(arm, def.from, def.to);
        for (int k = 0; k < MCD_METHODS; ++k)
            out->method[k][i] = abut_clearance_by(methods[k], &arm->mover[0], &arm->mover[1], &def, arm->space).ub;
    }
    out->off = largest_error(arm, MCD_INTERVALS);
    out->off_half = largest_error(arm, 2 * MCD_INTERVALS);
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* A level of each part, as a line with gaps between. */
typedef struct Levels {
    double t[3 * MCD_INTERVALS], d[3 * MCD_INTERVALS];
} Levels;

static AbutPlotSeries levels(const char *name, const double value[MCD_INTERVALS], Levels *l) {
    for (int i = 0; i < MCD_INTERVALS; ++i) {
        AbutClearanceDef def = part(i, MCD_INTERVALS, EPS);
        const double t[3] = {def.from, def.to, NAN}, d[3] = {value[i], value[i], NAN};
        memcpy(l->t + 3 * i, t, sizeof t);
        memcpy(l->d + 3 * i, d, sizeof d);
    }
    return (AbutPlotSeries){name, l->t, l->d, 3 * MCD_INTERVALS, 0, 0};
}

static AbutStatus write_plot(const char *folder, const char *file, const char *title, const AbutPlotSeries *series,
    int count, AbutError *error) {
    char path[4096];
    AbutPlot plot = abut_plot_default();
    plot.title = title;
    plot.x_label = "time, s", plot.y_label = "distance of hand and hip, m";
    plot.series = series, plot.series_count = count;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return abut_plot_write_svg(path, &plot, error);
}

static AbutStatus draw(const char *folder, const Arm *arm, const McdIntervals *r, AbutError *error) {
    McdCurve c = {0};
    Levels level[2 + MCD_METHODS];
    AbutPlotSeries series[2 + MCD_METHODS];
    AbutClearanceDef whole = part(0, 1, 5e-3);
    double certified[MCD_INTERVALS];
    (void)abut_clearance_curve(&arm->mover[0], &arm->mover[1], &whole, INFINITY, mcd_keep_sample, &c, arm->space);
    for (int i = 0; i < MCD_INTERVALS; ++i) certified[i] = r->certified[i].ub;
    series[0] = (AbutPlotSeries){"distance", c.t, c.d, (int)c.count, 0, 0};
    series[1] = levels("certified", certified, &level[0]);
    for (int k = 0; k < MCD_METHODS; ++k)
        series[2 + k] = levels(abut_word(abut_clearance_method_names, methods[k]), r->method[k], &level[1 + k]);
    AbutStatus status =
        write_plot(folder, "methods.svg", "The least distance of each part, by method", series, 2 + MCD_METHODS, error);
    series[2] = levels("on approximated trajectories", r->approximated, &level[1]);
    if (status == ABUT_OK)
        status = write_plot(folder, "approximated.svg", "Trajectories approximated over 0.695 s", series, 3, error);
    mcd_curve_free(&c);
    return status;
}

AbutStatus mcd_intervals(const char *folder, McdIntervals *out, AbutError *error) {
    Arm arm;
    memset(&arm, 0, sizeof arm);
    AbutStatus status = make_arm(SEED, &arm, error);
    if (status == ABUT_OK) {
        measure(&arm, out);
        status = draw(folder, &arm, out, error);
    }
    free_arm(&arm);
    return status;
}

void mcd_put_intervals(FILE *to, const McdIntervals *r) {
    fprintf(to,
        "\n## Parts of a motion\n\n"
        "Hand and hip as capsules on an arm of seven hinges, %d parts of %g s (Figs. 6.5 and 6.10 of the thesis).\n\n"
        "![the least distance of each part by several methods](methods.svg)\n\n"
        "![the same on approximated trajectories](approximated.svg)\n\n"
        "| part, s | certified, m |",
        MCD_INTERVALS, LENGTH);
    for (int k = 0; k < MCD_METHODS; ++k) fprintf(to, " %s |", abut_word(abut_clearance_method_names, methods[k]));
    fprintf(to, " on approximated trajectories |\n|---|---|");
    for (int k = 0; k <= MCD_METHODS; ++k) fprintf(to, "---|");
    for (int i = 0; i < MCD_INTERVALS; ++i) {
        fprintf(to, "\n| %.3f to %.3f | %.4f to %.4f |", i * LENGTH, (i + 1) * LENGTH, r->certified[i].lb,
            r->certified[i].ub);
        for (int k = 0; k < MCD_METHODS; ++k) fprintf(to, " %.4f |", r->method[k][i]);
        fprintf(to, " %.4f |", r->approximated[i]);
    }
    fprintf(to,
        "\n\nA quintic with the places, velocities and accelerations of both ends of a part misses the least distance "
        "by "
        "up to %.2g m, over parts half as long\nby up to %.2g m: the thesis' parts are too long for it. The certified "
        "search takes the joints themselves; what its polynomials leave out is\nbounded, and it halves its intervals "
        "until that is small.\n",
        r->off, r->off_half);
}
