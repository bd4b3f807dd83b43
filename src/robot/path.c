/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lengths of tendons that go through points of bodies. In: where the bodies are. Out: the length, and how it changes
 * with the points where its straight parts begin and end. Where a tendon lies on a sphere or cylinder, the points move
 * with that body: the way is the shortest one, so that their sliding along it changes nothing.
 */
#include "robot/wrap.h"

typedef struct Path {
    AbutPathPose *pose;
    const void *bodies;
    AbutPathVisit *visit;
    void *user;
    double divisor;
} Path;

static AbutVec3 point_of(const Path *p, int32_t body, AbutVec3 point) {
    return abut_pose_apply(p->pose(p->bodies, body), point);
}

/* A straight part: its length, its two pulls. */
static double straight(const Path *p, int32_t body_a, AbutVec3 a, int32_t body_b, AbutVec3 b) {
    AbutVec3 way = abut_sub(b, a), pull = abut_scale(abut_normalize(way), 1.0 / p->divisor);
    if (p->visit && body_a != body_b) {
        p->visit(p->user, &(AbutPathPull){body_a, a, abut_neg(pull)});
        p->visit(p->user, &(AbutPathPull){body_b, b, pull});
    }
    return abut_length(way) / p->divisor;
}

/* From a site around what comes after it to the site behind that. */
static double around(const Path *p, const AbutPathPoint *at) {
    const AbutPathPoint *round = at + 1, *end = at + 2;
    AbutVec3 a = point_of(p, at->body, at->pose.p), b = point_of(p, end->body, end->pose.p), on[2],
             side = round->sided ? point_of(p, round->side_body, round->side) : abut_zero();
    AbutPose place = abut_pose_mul(p->pose(p->bodies, round->body), round->pose);
    double arc;
    if (!abut_wrap(round->kind, place, round->radius, a, b, round->sided ? &side : NULL, on, &arc))
        return straight(p, at->body, a, end->body, b);
    return straight(p, at->body, a, round->body, on[0]) + arc / p->divisor +
           straight(p, round->body, on[1], end->body, b);
}

double abut_path_length(
    const AbutTendonDef *def, AbutPathPose *pose, const void *bodies, AbutPathVisit *visit, void *user) {
    Path p = {pose, bodies, visit, user, 1.0};
    double length = 0.0;
    for (int32_t i = 0; i + 1 < def->path_count; ++i) {
        const AbutPathPoint *at = &def->path[i];
        if (at->kind == ABUT_PATH_PULLEY) p.divisor = at->divisor;
        if (at->kind != ABUT_PATH_SITE || at[1].kind == ABUT_PATH_PULLEY) continue;
        length += at[1].kind == ABUT_PATH_SITE ? straight(&p, at->body, point_of(&p, at->body, at->pose.p), at[1].body,
                                                     point_of(&p, at[1].body, at[1].pose.p))
                                               : around(&p, at);
    }
    return length;
}
