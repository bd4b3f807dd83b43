/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least distance of two moving bodies over an interval of time: entry and answer.
 *
 * In: bodies, motions, tolerance. Out: a bracket with witness points. Method: an upper bound (start.c), then the proof
 * (prove.c). With a budget the proof climbs a ladder of tolerances from coarse to fine, so that what has been proved
 * when the budget ends is worth something. Where surfaces never meet, one test at one time tells whether a body is
 * inside the other, because that cannot change without contact.
 */
#include "clearance/search.h"
#include "motion/chain.h"
#include "shape/mesh_tree.h"

#include <string.h>

enum { ITEMS = 65536 };

static const double EPS = 1e-3, EPS_SPARE = 0.999;
static const int64_t BUDGET = 5000000;

const char *const abut_clearance_status_names[ABUT_CLEARANCE_STATUS_COUNT + 1] = {
    "clear", "contact", "contained", "undecided", "empty", "invalid", NULL};

/* ---- space ------------------------------------------------------------------------------------------------------- */

AbutStatus abut_clearance_space_create(int32_t items, AbutClearanceSpace **out, AbutError *error) {
    *out = NULL;
    if (items < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "clearance space: %d items", items);
    AbutClearanceSpace *space = abut_alloc(sizeof *space);
    int32_t capacity = items > 0 ? items : ITEMS;
    AbutFrontItem *memory = abut_alloc_array((size_t)capacity, sizeof *memory);
    if (!space || !memory) {
        abut_free(space);
        abut_free(memory);
        return abut_fail_memory(error);
    }
    memset(space, 0, sizeof *space);
    space->items = memory;
    space->capacity = capacity;
    *out = space;
    return ABUT_OK;
}

void abut_clearance_space_free(AbutClearanceSpace *space) {
    if (space) {
        abut_free(space->keeper);
        abut_free(space->items);
    }
    abut_free(space);
}

/* ---- question ---------------------------------------------------------------------------------------------------- */

int abut_search_is_good_def(const AbutClearanceDef *d) {
    return abut_motion_fits(d->from) && abut_motion_fits(d->to) && d->to >= d->from && d->eps >= 0.0 &&
           isfinite(d->eps) && d->relative >= 0.0 && d->relative < 1.0 && d->care >= 0.0 && isfinite(d->care) &&
           d->budget >= 0 && d->seconds >= 0.0;
}

int abut_search_open(
    AbutSearch *s, const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, AbutClearanceSpace *space) {
    memset(s, 0, sizeof *s);
    ABUT_ASSERT(a && b && def && space);
    const AbutClearanceBody *body_a = abut_clearance_body_of(a), *body_b = abut_clearance_body_of(b);
    if (!body_a || !body_b || !abut_search_is_good_def(def)) return 0;
    if (!space->keeper && /* else all motions were looked at before */
        (abut_motion_check(&a->motion, NULL) != ABUT_OK || abut_motion_check(&b->motion, NULL) != ABUT_OK))
        return 0;
    if (body_a->sides && body_b->sides) /* neither has bounds */
        return 0;
    s->swapped = body_a->sides || (!body_b->sides && body_a->reach > body_b->reach); /* the smaller body moves */
    s->a = s->swapped ? body_b : body_a;
    s->b = s->swapped ? body_a : body_b;
    s->motion_a = s->swapped ? &b->motion : &a->motion;
    s->motion_b = s->swapped ? &a->motion : &b->motion;
    s->solid = body_a->solid && body_b->solid;
    s->from = def->from, s->to = def->to;
    s->eps = EPS_SPARE * (def->eps > 0.0 ? def->eps : EPS);
    s->relative = EPS_SPARE * def->relative;
    s->ub = def->care > 0.0 ? def->care + s->eps : INFINITY;
    s->t = def->from;
    s->lb = INFINITY;
    s->witness.leaf_a = s->witness.leaf_b = -1;
    s->space = space;
    s->budget = def->budget > 0 ? def->budget : BUDGET;
    s->deadline = abut_search_deadline(def->seconds);
    for (int k = 0; k < ABUT_MOVING; ++k) space->moving[k].span = -1;
    return 1;
}

/* ---- proof ------------------------------------------------------------------------------------------------------- */

static void prove_all(AbutSearch *s) {
    s->lb = INFINITY;
    abut_search_front(s, s->from, s->to);
    s->lb = abut_smaller(s->lb, s->ub);
}

/* Coarse tolerances first; the best lower bound of all rungs stands. */
static void climb_ladder(AbutSearch *s) {
    double eps = s->eps, best = -INFINITY;
    for (double rung = 0.5 * fabs(s->ub);; rung *= 0.25) {
        s->eps = abut_larger(rung, eps);
        prove_all(s);
        best = abut_larger(best, s->lb);
        if (s->eps <= eps || s->spent || (!s->solid && s->ub <= 0.0)) break;
    }
    s->eps = eps;
    s->lb = abut_smaller(best, s->ub);
}

/* ---- containment ------------------------------------------------------------------------------------------------- */

static int in_box(AbutAabb box, AbutVec3 p) {
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
           p.z <= box.max.z;
}

/* Is p inside a mesh: 1, 0, or -1 where nobody knows? */
static int inside(const AbutClearanceBody *body, AbutVec3 p) {
    return in_box(body->mesh->box, p) ? abut_mesh_inside(body->mesh, p) : 0;
}

/* Is a part of `inner` inside `outer`? The pose is that of inner in outer. */
static int has_inside(const AbutClearanceBody *outer, const AbutClearanceBody *inner, AbutPose pose, int *known) {
    if (!outer->mesh || inner->sides)
        return 0; /* solid pieces: a part inside one has no distance to it, and was contact */
    int32_t count = inner->mesh ? inner->mesh->component_count : inner->leaf_count;
    for (int32_t k = 0; k < count; ++k) {
        AbutVec3 p = inner->mesh ? abut_tree_vertices(inner->mesh)[3 * (size_t)abut_tree_components(inner->mesh)[k]]
                                 : abut_add(abut_clearance_leaf_farthest(inner, k, abut_axis(0)), inner->center);
        int answer = inside(outer, abut_pose_apply(pose, p));
        if (answer > 0) return 1;
        if (answer < 0) *known = 0;
    }
    return 0;
}

static int is_contained(const AbutSearch *s, int *known) {
    AbutPose a = abut_motion_pose(s->motion_a, s->from), b = abut_motion_pose(s->motion_b, s->from);
    *known = 1;
    return has_inside(s->b, s->a, abut_pose_between(b, a), known) ||
           has_inside(s->a, s->b, abut_pose_between(a, b), known);
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

AbutClearance abut_clearance_nothing(AbutClearanceStatus status, double value) {
    AbutClearance out;
    memset(&out, 0, sizeof out);
    out.status = status;
    out.ub = out.lb = value;
    out.part_a = out.part_b = -1;
    return out;
}

/* Neither when nor where is known. */
static AbutClearance unknown(AbutClearanceStatus status, double value) {
    AbutClearance out = abut_clearance_nothing(status, value);
    out.t = NAN;
    out.point_a = out.point_b = out.normal = abut_vec3(NAN, NAN, NAN);
    return out;
}

AbutClearance abut_clearance_invalid(void) { return unknown(ABUT_CLEARANCE_INVALID, NAN); }

AbutClearance abut_clearance_empty(void) { return unknown(ABUT_CLEARANCE_EMPTY, INFINITY); }

AbutSeen abut_search_see(AbutSearch *s, double t, AbutWitness w) {
    AbutPlace place = abut_search_place(s, t);
    AbutPose frame = abut_motion_pose(s->motion_b, t);
    AbutLeafGap gap = abut_leaf_gap_fine(s, &place, w.leaf_a, w.leaf_b);
    AbutVec3 a = abut_pose_apply(frame, abut_add(gap.a, s->b->center));
    AbutVec3 b = abut_pose_apply(frame, abut_add(gap.b, s->b->center)), n = abut_quat_rotate(frame.q, gap.n);
    int32_t part_a = s->a->source[w.leaf_a], part_b = s->b->source[w.leaf_b];
    n = abut_add(s->swapped ? n : abut_neg(n), abut_zero()); /* no -0 */
    AbutSeen out = {gap.d, s->swapped ? b : a, s->swapped ? a : b, n, s->swapped ? part_b : part_a,
        s->swapped ? part_a : part_b, gap.saturated};
    return out;
}

/* Witness points and normal at time t, measured anew at the true pose. Where the bracket stayed wide, other leaves may
 * be nearer at t than those that the search met. */
static void witnesses(AbutSearch *s, AbutClearance *out) {
    if (s->witness.leaf_a < 0) return;
    if (s->ub - s->lb > abut_search_tolerance(s)) {
        AbutPlace place = abut_search_place(s, s->t);
        (void)abut_search_nearest(s, &place, INFINITY, 0.0, &s->witness);
    }
    AbutSeen seen = abut_search_see(s, s->t, s->witness);
    out->ub = seen.d;
    out->saturated = seen.saturated;
    out->point_a = seen.point_a, out->point_b = seen.point_b;
    out->normal = seen.normal;
    out->part_a = seen.part_a, out->part_b = seen.part_b;
}

AbutClearance abut_search_answer(AbutSearch *s, const AbutClearanceDef *def) {
    AbutClearance out = abut_clearance_nothing(ABUT_CLEARANCE_UNDECIDED, INFINITY);
    out.t = s->t;
    witnesses(s, &out);
    out.lb = abut_smaller(s->lb, out.ub);
    if (!s->solid) /* surfaces have no depth */
        out.lb = out.ub <= 0.0 ? 0.0 : abut_larger(out.lb, 0.0);
    out.containment_known = 1;
    double eps = def->eps > 0.0 ? def->eps : EPS;
    if (s->witness.leaf_a < 0) { /* nothing nearer than `care` */
        out.ub = INFINITY;
        out.certified = s->lb >= def->care && !s->spent;
    } else {
        out.certified = out.ub - out.lb <= abut_larger(eps, def->relative * out.ub);
    }
    if (out.ub <= 0.0)
        out.status = ABUT_CLEARANCE_CONTACT;
    else if (out.lb > 0.0)
        out.status = ABUT_CLEARANCE_CLEAR;
    if (out.status == ABUT_CLEARANCE_CLEAR && is_contained(s, &out.containment_known)) {
        out.status = ABUT_CLEARANCE_CONTAINED;
        out.ub = out.lb = 0.0;
    }
    out.reason = abut_search_reason(out.certified, s->late, s->spent);
    out.evaluations = s->evaluations;
    out.node_pairs = s->node_pairs;
    out.intervals = (int32_t)s->span_count;
    return out;
}

/* Upper bound and proof. */
static void bracket(AbutSearch *s, const AbutClearanceDef *def, int guessed) {
    if (abut_search_is_capsules(s)) {
        abut_search_capsules(s);
        return;
    }
    if (!guessed) abut_search_start(s);
    if (!s->solid && s->ub <= 0.0) return;
    if ((def->budget > 0 || def->seconds > 0.0) && s->witness.leaf_a >= 0)
        climb_ladder(s);
    else
        prove_all(s);
}

AbutClearance abut_search_run(AbutSearch *s, const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def,
    int guessed, AbutClearanceSpace *space) {
    if (!abut_search_open(s, a, b, def, space)) return abut_clearance_invalid();
    if (s->a->leaf_count == 0 || s->b->leaf_count == 0) return abut_clearance_empty();
    bracket(s, def, guessed);
    return s->broken ? abut_clearance_invalid() : abut_search_answer(s, def);
}

AbutClearance abut_clearance(
    const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, AbutClearanceSpace *space) {
    AbutSearch s;
    return abut_search_run(&s, a, b, def, 0, space);
}
