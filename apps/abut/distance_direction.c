/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directions of parting. In: meshes, the name of a method, a smoothing length. Out: direction and vector in the world
 * frame, and along a path how far the direction turns from pose to pose, with the proved bound of the soft one.
 */
#include "distance_direction.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const direction_methods[] = {"(none)", "euclid", "soft", "phong", "phong-track", "kernel", NULL};

static int is_phong(const DirectionArgs *args) {
    return args->method == DIRECTION_PHONG || args->method == DIRECTION_PHONG_TRACK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* The body in a file, or NULL when it is not there or not what it should be, which is said. */
static AbutSoftBody *load_body(const char *name, uint64_t source) {
    static const size_t MOST_BYTES = (size_t)1 << 30;
    char *bytes;
    size_t count;
    if (!cli_is_file(name) || abut_file_load(name, "a soft body", MOST_BYTES, &bytes, &count, NULL) != ABUT_OK)
        return NULL;
    AbutStatus status = abut_soft_body_check(bytes, count, &cli_why);
    AbutSoftBody *body = (AbutSoftBody *)(void *)bytes;
    if (status == ABUT_OK && body->source == source) return body;
    cli_warning("%s is made anew: %s", name, status ? cli_why.text : "it is of another mesh");
    return NULL;
}

static void make_body(const Operand *operand, const AbutSoftBodyDef *def, AbutSoftBody **out) {
    cli_need_of(operand->file, abut_soft_body_create(&operand->mesh, def, out, &cli_why));
    if ((*out)->step > 0.701 * def->tau)
        cli_warning("%s: its distance grid has a step of %.3g m, coarser than the smoothing length asks for",
            operand->file, (*out)->step);
}

static void get_body(const Operand *operand, const AbutSoftBodyDef *def, int cache, AbutSoftBody **out) {
    uint64_t source = cache ? abut_soft_body_source(&operand->mesh, def) : 0;
    size_t room = strlen(operand->file) + 24;
    char *name = cli_room(room, 1);
    snprintf(name, room, "%s.%016" PRIx64 ".soft", operand->file, source);
    *out = cache ? load_body(name, source) : NULL;
    if (*out) return;
    make_body(operand, def, out);
    if (cache && abut_file_write(name, *out, (size_t)(*out)->bytes, &cli_why) != ABUT_OK)
        cli_error("--cache: %s", cli_why.text);
}

/* The kernel is for convex meshes; others get the soft direction, which is said. */
static void prepare_kernel(const Operands *operands, DirectionArgs *args) {
    const Operand *of = operands->of;
    if (!operands->convex && !(of[0].body.is_convex && of[1].body.is_convex)) {
        cli_warning("--direction kernel is for convex meshes: soft is taken");
        args->method = DIRECTION_SOFT;
        return;
    }
    if (isnan(args->tau)) args->tau = abut_soft_tau(&of[0].mesh, &of[1].mesh);
    cli_need_of("--direction kernel", abut_convolution_create(&of[0].mesh, &of[1].mesh, &args->convolution, &cli_why));
}

static void prepare_soft(const Operands *operands, DirectionArgs *args) {
    AbutSoftBodyDef def = {.tau = args->tau, .lazy = args->once && !args->cache};
    if (isnan(def.tau)) def.tau = abut_soft_tau(&operands->of[0].mesh, &operands->of[1].mesh);
    for (int k = 0; k < 2; ++k) get_body(&operands->of[k], &def, args->cache, &args->body[k]);
    args->workspace = cli_room(abut_soft_size(args->body[0], args->body[1]), 1);
}

void direction_prepare(const Operands *operands, DirectionArgs *args) {
    const Operand *of = operands->of;
    char option[40];
    if (args->method < DIRECTION_SOFT) return;
    snprintf(option, sizeof option, "--direction %s", direction_methods[args->method]);
    operands_need_meshes(operands, option);
    if (args->cache && (strcmp(of[0].file, "-") == 0 || strcmp(of[1].file, "-") == 0))
        cli_error("--cache: expected files with a name, got '-'");
    if (is_phong(args)) cli_need_of(option, abut_phong_create(&of[0].mesh, &of[1].mesh, &args->phong, &cli_why));
    if (args->method == DIRECTION_KERNEL) prepare_kernel(operands, args);
    if (args->method == DIRECTION_SOFT) prepare_soft(operands, args);
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

int direction_measure(
    const DirectionArgs *args, const Operands *operands, AbutPose pose_b, const AbutGap *euclid, DirectionAnswer *out) {
    DirectionAnswer x = {.direction = euclid->normal,
        .vector = euclid->normal,
        .distance = euclid->distance,
        .method = args->method,
        .tau = args->tau,
        .is_phong = is_phong(args),
        .is_kernel = args->method == DIRECTION_KERNEL,
        .is_soft = args->method == DIRECTION_SOFT};
    x.size = abut_larger(abut_max_abs(euclid->point_a), abut_max_abs(euclid->point_b));
    AbutPose pose_a = operands->of[0].pose;
    if (args->method == DIRECTION_SOFT) {
        AbutSoftDef def = {.adaptive = args->adaptive};
        x.soft =
            abut_soft_direction(args->body[0], args->body[1], abut_pose_between(pose_a, pose_b), &def, args->workspace);
        x.direction = abut_quat_rotate(pose_a.q, x.soft.direction);
        x.vector = abut_quat_rotate(pose_a.q, x.soft.vector);
        x.distance = euclid->distance > 0.0 ? euclid->distance : abut_smaller(0.0, x.soft.nearest);
    }
    if (is_phong(args)) {
        AbutPhongMode mode = args->method == DIRECTION_PHONG ? ABUT_PHONG_LEAST : ABUT_PHONG_TRACK;
        AbutPhongDef def = {mode, args->literal};
        x.phong = abut_phong_distance(args->phong, abut_pose_between(pose_a, pose_b), &def);
        x.direction = x.vector =
            x.phong.found ? abut_quat_rotate(pose_a.q, x.phong.direction) : abut_zero(); /* nothing is made up */
        x.distance = x.phong.distance;
    }
    if (args->method == DIRECTION_KERNEL) {
        (void)abut_convolution_place(args->convolution, abut_pose_between(pose_a, pose_b));
        x.kernel = abut_kernel_direction(args->convolution, euclid->distance, args->tau);
        x.direction = abut_quat_rotate(pose_a.q, x.kernel.direction);
        x.vector = abut_quat_rotate(pose_a.q, x.kernel.vector);
    }
    *out = x;
    return x.soft.outcome != ABUT_SOFT_INVALID;
}

static const AbutField phong_fields[] = {
    {ABUT_FIELD(AbutPhongDistance, found, FLAG, "", "Phong: a foot point was found.")},
    {ABUT_FIELD(AbutPhongDistance, free, FLAG, "", "Phong: B is free after the move.")},
    {ABUT_FIELD(AbutPhongDistance, premise_ok, FLAG, "", "Phong: the premise of the theorem holds here.")},
    {ABUT_FIELD(AbutPhongDistance, solutions, INT, "", "Phong: foot points that were seen.")},
    {ABUT_FIELD(AbutPhongDistance, premise, REAL, "rad", "Phong: largest angle between corner normals.")},
    {ABUT_FIELD(AbutPhongDistance, residual, REAL, "m", "Phong: residual of the root.")},
    {ABUT_FIELD(AbutPhongDistance, lost, FLAG, "", "Phong: not found beside the last one.")},
};
static const AbutRecord phong_record = ABUT_RECORD("phong", "", AbutPhongDistance, phong_fields);

static const AbutField soft_fields[] = {
    {ABUT_FIELD_AS("status", AbutSoft, outcome, WORD, "", "Soft: whether the direction means something here."),
        .words = abut_soft_outcome_names},
    {ABUT_FIELD_AS("soft", AbutSoft, distance, REAL, "m", "Soft: the smooth distance.")},
    {ABUT_FIELD(AbutSoft, nearest, REAL, "m", "Soft: signed distance of the nearest sample.")},
    {ABUT_FIELD(AbutSoft, confidence, REAL, "", "Soft: 0 to 1, how much the direction is worth.")},
    {ABUT_FIELD(AbutSoft, coherence, REAL, "", "Soft: length of `vector`.")},
    {ABUT_FIELD(AbutSoft, rate_move, REAL, "rad/m", "Soft: how fast the direction turns at most as B moves.")},
    {ABUT_FIELD(AbutSoft, rate_turn, REAL, "rad/rad", "Soft: how fast it turns at most as B turns.")},
    {ABUT_FIELD(AbutSoft, tau, REAL, "m", "Soft: width of the smoothing.")},
};
static const AbutRecord soft_record = ABUT_RECORD("soft", "", AbutSoft, soft_fields);

static const AbutField direction_fields[] = {
    {ABUT_FIELD(DirectionAnswer, method, WORD, "", "`soft`, `euclid`, `phong`, `phong-track` or `kernel`."),
        .words = direction_methods},
    {ABUT_FIELD_VEC3(DirectionAnswer, direction, "", "Unit vector along which moving B parts the bodies.")},
    {ABUT_FIELD_VEC3(DirectionAnswer, vector, "", "The same before its length is made 1.")},
    {ABUT_FIELD_AS("signed", DirectionAnswer, distance, REAL, "m", "Distance with sign.")},
    {ABUT_FIELD_OF(DirectionAnswer, phong, phong_record, NULL), .shown_at = offsetof(DirectionAnswer, is_phong)},
    {ABUT_FIELD_AS("coherence", DirectionAnswer, kernel.coherence, REAL, "", "Kernel: length of `vector`."),
        .shown_at = offsetof(DirectionAnswer, is_kernel)},
    {ABUT_FIELD(DirectionAnswer, tau, REAL, "m", "Kernel: width of the kernel."),
        .shown_at = offsetof(DirectionAnswer, is_kernel)},
    {ABUT_FIELD_OF(DirectionAnswer, soft, soft_record, NULL), .shown_at = offsetof(DirectionAnswer, is_soft)},
};
const AbutRecord direction_record = ABUT_RECORD("distance --direction", "", DirectionAnswer, direction_fields);

void direction_print_text(const DirectionArgs *args, const DirectionAnswer *x) {
    AbutVec3 d = cli_calm_vec(x->direction, 1.0);
    printf("  %-12s %.9g %.9g %.9g (%s)\n", "direction", d.x, d.y, d.z, direction_methods[args->method]);
    if (is_phong(args) && x->phong.found)
        printf("  %-12s %.9g m, %s, %d foot points, corner normals within %.3g degrees\n", "phong",
            cli_calm(x->distance, x->size), x->phong.free ? "on the boundary" : "not on the boundary",
            x->phong.solutions, x->phong.premise * 180.0 / ABUT_PI);
    else if (args->method == DIRECTION_KERNEL)
        printf("  %-12s %.4g\n", "coherence", x->kernel.coherence);
    else if (is_phong(args))
        printf("  %-12s no foot point was found\n", "phong");
    if (args->method != DIRECTION_SOFT) return;
    const AbutSoft *s = &x->soft;
    cli_print_vec("vector", x->vector, 0.0, "");
    printf("  %-12s %.9g m\n  %-12s %.9g m\n", "signed", cli_calm(x->distance, x->size), "soft", s->distance);
    printf("  %-12s %.4g, %s\n", "confidence", s->confidence, abut_word(abut_soft_outcome_names, s->outcome));
    printf("  %-12s %.4g\n", "coherence", s->coherence);
    printf(
        "  %-12s at most %.4g degrees per mm, %.4g per degree\n", "turns", s->rate_move * 0.18 / ABUT_PI, s->rate_turn);
    printf("  %-12s %.4g m\n", "tau", s->tau);
}

/* ---- path -------------------------------------------------------------------------------------------------------- */

void direction_follow(const DirectionArgs *args, const Operands *operands, double t, AbutPose pose_b,
    const DirectionAnswer *x, DirectionTurn *turn) {
    AbutPose pose = abut_pose_between(operands->of[0].pose, pose_b);
    turn->lost += is_phong(args) && x->phong.lost;
    if (is_phong(args) && !x->phong.found) {
        ++turn->without;
        return;
    }
    if (turn->count++ > 0) {
        double angle = abut_angle_between(turn->last.direction, x->direction);
        if (angle >= turn->largest) turn->largest = angle, turn->at = t;
        if (args->method == DIRECTION_SOFT)
            turn->certified = fmax(
                turn->certified, abut_soft_turn_bound(args->body[1], &turn->last.soft, turn->pose, &x->soft, pose));
    }
    turn->pose = pose;
    turn->last = *x;
}

void direction_print_turn(const DirectionArgs *args, const DirectionTurn *turn) {
    double degrees = 180.0 / ABUT_PI;
    printf("# largest turn %.6g degrees, before t = %.9g", turn->largest * degrees, turn->at);
    if (args->method == DIRECTION_SOFT && turn->certified < ABUT_PI)
        printf("; proved: at most %.6g degrees on the way from any pose to the next", turn->certified * degrees);
    else if (args->method == DIRECTION_SOFT)
        printf("; no bound is proved: poses are too far from each other");
    if (is_phong(args)) printf("; lost at %d poses, no foot point at %d", turn->lost, turn->without);
    putchar('\n');
}
