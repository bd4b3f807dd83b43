/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Motions from text. In: CSV of poses, an animation, or JSON with a chain of joints (docs/reference/motions.md). Out: a
 * motion with all that it points to in one object. Every value is checked where it stands, so that messages name its
 * line and its path.
 */
#include "import/motion_text.h"
#include "json/read.h"

#include <stdio.h>
#include <string.h>

enum { MOST_JOINTS = 1000, MOST_PIECES = 1000000, DEGREE = ABUT_CURVE_DEGREE };

/* Memory that belongs to a file: blocks in a list. */
typedef struct Block {
    struct Block *next;
} Block;

typedef struct MotionFile {
    AbutMotion motion; /* first: what the caller sees */
    int animation;
    AbutChain chain;
    AbutKeyframe *keyframes;
    Block *blocks;
} MotionFile;

typedef struct Reader {
    const AbutJsonText *json;
    MotionFile *file;
    AbutChainJoint *joints;
    int32_t joint_count;
    AbutError *error;
} Reader;

static void *take(MotionFile *file, size_t count, size_t bytes_each) {
    enum { HEAD = 64 }; /* keeps what follows aligned */
    if (count > (SIZE_MAX - HEAD) / bytes_each) return NULL;
    Block *block = abut_alloc(HEAD + count * bytes_each);
    if (!block) return NULL;
    block->next = file->blocks;
    file->blocks = block;
    return (unsigned char *)block + HEAD;
}

void abut_motion_free(AbutMotion *motion) {
    MotionFile *file = (MotionFile *)motion;
    if (!file) return;
    for (Block *block = file->blocks, *next; block; block = next) {
        next = block->next;
        abut_free(block);
    }
    abut_free(file->keyframes);
    abut_free(file);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static AbutStatus wrong(const Reader *r, const AbutJsonNode *node, const char *expected) {
    return abut_json_fail(r->json, node, r->error, ABUT_ERROR_FORMAT, "expected %s", expected);
}

/* All numbers of an array, in memory of the file. */
static AbutStatus read_array(const Reader *r, const AbutJsonNode *node, int32_t least, const char *what, double **out) {
    char expected[80];
    snprintf(expected, sizeof expected, "%s: an array of at least %d numbers", what, least);
    if (!node || node->kind != ABUT_JSON_ARRAY || node->count < least || node->count > MOST_PIECES)
        return wrong(r, node, expected);
    *out = take(r->file, (size_t)node->count, sizeof **out);
    if (!*out) return abut_fail_memory(r->error);
    return abut_json_read_numbers(r->json, node, node->count, *out, r->error);
}

/* `count` numbers of member `key`; *out is left alone when it is not there. */
static AbutStatus read_numbers(const Reader *r, const AbutJsonNode *object, const char *key, int count, double *out) {
    const AbutJsonNode *node = abut_json_member(r->json, object, key);
    return node ? abut_json_read_numbers(r->json, node, count, out, r->error) : ABUT_OK;
}

static AbutStatus read_number(const Reader *r, const AbutJsonNode *object, const char *key, double *out) {
    const AbutJsonNode *node = abut_json_member(r->json, object, key);
    if (!node) return ABUT_OK;
    if (node->kind != ABUT_JSON_NUMBER) return wrong(r, node, "a number");
    *out = node->number;
    return ABUT_OK;
}

/* Adds what is wrong with a value to the place where it stands. */
static AbutStatus blame(const Reader *r, const AbutJsonNode *node, AbutStatus status, const AbutError *why) {
    return status == ABUT_OK ? ABUT_OK : abut_json_fail(r->json, node, r->error, status, "%.300s", why->text);
}

static AbutStatus read_unit(const Reader *r, const AbutJsonNode *object, const char *key, int count, double *v) {
    AbutStatus status = read_numbers(r, object, key, count, v);
    if (status == ABUT_OK && !abut_motion_unit(count, v))
        return abut_json_fail(r->json, abut_json_member(r->json, object, key), r->error, ABUT_ERROR_NUMBER,
            "expected a vector with a direction");
    return status;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_constant(const Reader *r, const AbutJsonNode *node, AbutCurve *out) {
    AbutCurvePiece *piece = take(r->file, 1, sizeof *piece);
    if (!piece) return abut_fail_memory(r->error);
    *piece = (AbutCurvePiece){0.0, {node->number, 0.0, 0.0, 0.0, 0.0, 0.0}};
    *out = (AbutCurve){1, piece, 1.0};
    return ABUT_OK;
}

/* "times" with one number more than there are pieces; "polynomials" or "bernstein" with up to six numbers each. */
static AbutStatus read_pieces(
    const Reader *r, const AbutJsonNode *object, const AbutJsonNode *list, int bernstein, AbutCurve *out) {
    const AbutJsonNode *times_node = abut_json_member(r->json, object, "times");
    double *times, *c;
    if (!times_node) return wrong(r, object, "\"times\" beside the pieces");
    ABUT_TRY(read_array(r, times_node, 2, "times", &times));
    if (list->kind != ABUT_JSON_ARRAY || list->count != times_node->count - 1)
        return wrong(r, list, "one array of numbers for each piece, one less than times");
    AbutCurvePiece *pieces = take(r->file, (size_t)list->count, sizeof *pieces);
    if (!pieces) return abut_fail_memory(r->error);
    const AbutJsonNode *n = abut_json_first(list);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < list->count && status == ABUT_OK; ++i, n = abut_json_next(r->json, n)) {
        if (n->kind != ABUT_JSON_ARRAY || n->count < 1 || n->count > DEGREE + 1)
            return wrong(r, n, "an array of one to six numbers");
        status = read_array(r, n, 1, "a piece", &c);
        if (status == ABUT_OK && !(times[i + 1] > times[i]))
            return abut_json_fail(
                r->json, times_node, r->error, ABUT_ERROR_ARGUMENT, "times[%d] is not after the one before", i + 1);
        if (status == ABUT_OK && bernstein) {
            pieces[i] = abut_curve_bernstein(times[i], times[i + 1], n->count - 1, c);
        } else if (status == ABUT_OK) {
            pieces[i] = (AbutCurvePiece){times[i], {0}};
            memcpy(pieces[i].c, c, sizeof *c * (size_t)n->count);
        }
    }
    *out = (AbutCurve){list->count, pieces, times[times_node->count - 1]};
    return status;
}

/* Knots that begin and end `degree + 1` times at from and to, evenly between. */
static void clamped_knots(int degree, int32_t count, double from, double to, double *knots) {
    for (int32_t i = 0; i < count + degree + 1; ++i) {
        int32_t inner = i - degree, spans = count - degree;
        knots[i] = inner <= 0 ? from : (inner >= spans ? to : from + (to - from) * inner / spans);
    }
}

static AbutStatus read_spline(
    const Reader *r, const AbutJsonNode *object, const AbutJsonNode *control_node, AbutCurve *out) {
    double degree = 5.0, from = 0.0, to = 1.0, *control, *knots;
    AbutError why;
    const AbutJsonNode *knot_node = abut_json_member(r->json, object, "knots");
    ABUT_TRY(read_array(r, control_node, 2, "control", &control));
    ABUT_TRY(read_number(r, object, "degree", &degree));
    ABUT_TRY(read_number(r, object, "from", &from));
    ABUT_TRY(read_number(r, object, "to", &to));
    if (!(degree >= 1.0 && degree <= DEGREE && floor(degree) == degree))
        return wrong(r, abut_json_member(r->json, object, "degree"), "a degree from 1 to 5");
    int d = (int)degree;
    int32_t count = control_node->count, knot_count = count + d + 1;
    if (knot_node && (knot_node->kind != ABUT_JSON_ARRAY || knot_node->count != knot_count))
        return abut_json_fail(r->json, knot_node, r->error, ABUT_ERROR_FORMAT,
            "expected %d knots: one for each control value, the degree and one more", knot_count);
    if (count <= d || (!knot_node && !(to > from)))
        return wrong(r, object, "more control values than the degree, and \"to\" after \"from\"");
    AbutStatus status = ABUT_OK;
    if (knot_node)
        status = read_array(r, knot_node, knot_count, "knots", &knots);
    else if ((knots = take(r->file, (size_t)knot_count, sizeof *knots)) != NULL)
        clamped_knots(d, count, from, to, knots);
    AbutCurvePiece *pieces = take(r->file, (size_t)(count - d), sizeof *pieces);
    if (status != ABUT_OK || !knots || !pieces) return status != ABUT_OK ? status : abut_fail_memory(r->error);
    status = abut_curve_spline(d, count, knots, control, pieces, out, &why);
    return blame(r, object, status, &why);
}

static AbutStatus read_curve(const Reader *r, const AbutJsonNode *object, const char *key, AbutCurve *out) {
    static const char *const keys[] = {"times", "polynomials", "bernstein", "degree", "knots", "control", "from", "to"};
    const AbutJsonNode *node = abut_json_member(r->json, object, key), *list;
    AbutError why;
    if (!node) return wrong(r, object, "a curve: a number, polynomials, bernstein or control");
    if (node->kind == ABUT_JSON_NUMBER) return read_constant(r, node, out);
    if (node->kind != ABUT_JSON_OBJECT) return wrong(r, node, "a number or an object");
    ABUT_TRY(abut_json_check_keys(r->json, node, 8, keys, r->error));
    AbutStatus status = ABUT_OK;
    if ((list = abut_json_member(r->json, node, "polynomials")) != NULL)
        status = read_pieces(r, node, list, 0, out);
    else if ((list = abut_json_member(r->json, node, "bernstein")) != NULL)
        status = read_pieces(r, node, list, 1, out);
    else if ((list = abut_json_member(r->json, node, "control")) != NULL)
        status = read_spline(r, node, list, out);
    else
        return wrong(r, node, "\"polynomials\", \"bernstein\" or \"control\"");
    return status == ABUT_OK ? blame(r, node, abut_curve_check(out, &why), &why) : status;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_turns(const Reader *r, const AbutJsonNode *object, AbutChainJoint *j) {
    const AbutJsonNode *times_node = abut_json_member(r->json, object, "times");
    const AbutJsonNode *list = abut_json_member(r->json, object, "rotations");
    double *times, *q;
    ABUT_TRY(times_node ? read_array(r, times_node, 1, "times", &times) : wrong(r, object, "\"times\""));
    if (!list || list->kind != ABUT_JSON_ARRAY || list->count != times_node->count)
        return wrong(r, list ? list : object, "\"rotations\" with one quaternion [w, x, y, z] for each time");
    AbutKeyframe *turns = take(r->file, (size_t)list->count, sizeof *turns);
    if (!turns) return abut_fail_memory(r->error);
    const AbutJsonNode *n = abut_json_first(list);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < list->count; ++i, n = abut_json_next(r->json, n)) {
        if (n->kind != ABUT_JSON_ARRAY || n->count != 4) return wrong(r, n, "a quaternion [w, x, y, z]");
        status = read_array(r, n, 4, "a quaternion", &q);
        if (status != ABUT_OK) return status;
        if (!abut_motion_unit(4, q)) return wrong(r, n, "a quaternion with a direction");
        turns[i] = (AbutKeyframe){times[i], {abut_zero(), abut_quat(q[0], q[1], q[2], q[3])}};
    }
    j->turn_count = list->count;
    j->turns = turns;
    return ABUT_OK;
}

static AbutStatus linear_curve(const Reader *r, double from, double to, double rate, AbutCurve *out) {
    AbutCurvePiece *piece = take(r->file, 1, sizeof *piece);
    if (!piece) return abut_fail_memory(r->error);
    *piece = (AbutCurvePiece){from, {0.0, rate, 0.0, 0.0, 0.0, 0.0}};
    *out = (AbutCurve){1, piece, to};
    return ABUT_OK;
}

/* A screw becomes a hinge and a slide on one axis. */
static AbutStatus read_screw(Reader *r, const AbutJsonNode *object, AbutChainJoint *hinge) {
    double rate = 0.0, speed = 0.0, from = 0.0, to = 1.0;
    AbutChainJoint *slide = hinge + 1;
    ABUT_TRY(read_number(r, object, "rate", &rate));
    ABUT_TRY(read_number(r, object, "speed", &speed));
    ABUT_TRY(read_number(r, object, "from", &from));
    ABUT_TRY(read_number(r, object, "to", &to));
    if (!(to > from)) return wrong(r, object, "\"to\" after \"from\"");
    ABUT_TRY(linear_curve(r, from, to, rate, &hinge->curve[0]));
    hinge->kind = ABUT_CHAIN_HINGE;
    *slide = (AbutChainJoint){
        .kind = ABUT_CHAIN_SLIDE, .parent = r->joint_count, .fixed = abut_pose_identity(), .axis = hinge->axis};
    ++r->joint_count;
    return linear_curve(r, from, to, speed, &slide->curve[0]);
}

static AbutStatus read_moves(Reader *r, const AbutJsonNode *object, const AbutJsonNode *kind, AbutChainJoint *j) {
    static const char *const coordinate[3] = {"x", "y", "z"};
    AbutStatus status = ABUT_OK;
    if (strcmp(kind->string, "screw") == 0) return read_screw(r, object, j);
    while (j->kind < ABUT_CHAIN_KIND_COUNT && strcmp(kind->string, abut_chain_kind_name(j->kind)) != 0) ++j->kind;
    switch (j->kind) {
    case ABUT_CHAIN_HINGE:
    case ABUT_CHAIN_SLIDE:
        return read_curve(r, object, "curve", &j->curve[0]);
    case ABUT_CHAIN_PLACE:
        for (int k = 0; k < 3 && status == ABUT_OK; ++k) status = read_curve(r, object, coordinate[k], &j->curve[k]);
        return status;
    case ABUT_CHAIN_BALL:
        return read_turns(r, object, j);
    case ABUT_CHAIN_FIXED:
        return ABUT_OK;
    default:
        return wrong(r, kind, "fixed, hinge, slide, place, ball or screw");
    }
}

static AbutStatus read_joint(Reader *r, const AbutJsonNode *object) {
    static const char *const keys[] = {"kind", "position", "rotation", "axis", "curve", "x", "y", "z", "times",
        "rotations", "rate", "speed", "from", "to"};
    AbutChainJoint *j = &r->joints[r->joint_count];
    double p[3] = {0.0, 0.0, 0.0}, q[4] = {1.0, 0.0, 0.0, 0.0}, axis[3] = {0.0, 0.0, 1.0};
    AbutError why;
    if (object->kind != ABUT_JSON_OBJECT) return wrong(r, object, "an object");
    ABUT_TRY(abut_json_check_keys(r->json, object, (int)(sizeof keys / sizeof keys[0]), keys, r->error));
    const AbutJsonNode *kind = abut_json_member(r->json, object, "kind");
    if (!kind || kind->kind != ABUT_JSON_STRING) return wrong(r, kind ? kind : object, "\"kind\": a text");
    ABUT_TRY(read_numbers(r, object, "position", 3, p));
    ABUT_TRY(read_unit(r, object, "rotation", 4, q));
    ABUT_TRY(read_unit(r, object, "axis", 3, axis));
    memset(j, 0, sizeof *j);
    j->parent = r->joint_count - 1;
    j->fixed = abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat(q[0], q[1], q[2], q[3]));
    j->axis = abut_vec3(axis[0], axis[1], axis[2]);
    ABUT_TRY(read_moves(r, object, kind, j));
    ++r->joint_count;
    AbutChain so_far = {r->joint_count, r->joints};
    return blame(r, object, abut_chain_check(&so_far, &why), &why);
}

static AbutStatus read_chain(Reader *r) {
    static const char *const keys[] = {"format", "version", "joints"};
    const AbutJsonNode *root = r->json->nodes;
    if (root->kind != ABUT_JSON_OBJECT) return wrong(r, root, "an object");
    ABUT_TRY(abut_json_check_keys(r->json, root, 3, keys, r->error));
    const AbutJsonNode *format = abut_json_member(r->json, root, "format");
    const AbutJsonNode *version = abut_json_member(r->json, root, "version");
    const AbutJsonNode *joints = abut_json_member(r->json, root, "joints");
    if (!format || format->kind != ABUT_JSON_STRING || strcmp(format->string, "abut-motion") != 0)
        return wrong(r, format ? format : root, "\"format\": \"abut-motion\"");
    if (!version || version->kind != ABUT_JSON_NUMBER || version->number != 1.0)
        return wrong(r, version ? version : root, "\"version\": 1");
    if (!joints || joints->kind != ABUT_JSON_ARRAY || joints->count < 1 || joints->count > MOST_JOINTS)
        return wrong(r, joints ? joints : root, "\"joints\" with 1 to 1000 objects");
    r->joints = take(r->file, 2 * (size_t)joints->count, sizeof *r->joints); /* a screw is two */
    if (!r->joints) return abut_fail_memory(r->error);
    for (const AbutJsonNode *n = abut_json_first(joints); n; n = abut_json_next(r->json, n)) ABUT_TRY(read_joint(r, n));
    return ABUT_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static AbutStatus parse_json(const void *bytes, size_t count, const char *name, MotionFile *file, AbutError *error) {
    AbutJsonText json;
    ABUT_TRY(abut_json_parse(bytes, count, name, &json, error));
    Reader r = {&json, file, NULL, 0, error};
    AbutStatus status = read_chain(&r);
    abut_json_text_free(&json);
    if (status != ABUT_OK) return status;
    file->chain = (AbutChain){r.joint_count, r.joints};
    return abut_motion_chain(&file->chain, r.joint_count - 1, &file->motion, error);
}

static AbutStatus parse_keyframes(
    const void *bytes, size_t count, const char *name, MotionFile *file, AbutError *error) {
    int32_t keyframes;
    AbutError why;
    file->animation = abut_keyframes_are_animation(bytes, count);
    ABUT_TRY(file->animation ? abut_keyframes_parse_animation(bytes, count, name, &keyframes, &file->keyframes, error)
                             : abut_keyframes_parse_growing(bytes, count, name, &keyframes, &file->keyframes, error));
    AbutStatus status = abut_motion_keyframes(keyframes, file->keyframes, &file->motion, &why);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "%.100s: %.300s", name, why.text);
}

/* Does the text begin as a JSON object? */
static int looks_like_json(const char *text, size_t count) {
    static const char blank[] = " \t\r\n\xEF\xBB\xBF";
    size_t i = 0;
    while (i < count && text[i] && strchr(blank, text[i])) ++i;
    return i < count && text[i] == '{';
}

AbutStatus abut_motion_parse(
    const void *bytes, size_t count, const char *name, AbutMotion **out, int *animation, AbutError *error) {
    MotionFile *file = abut_alloc(sizeof *file);
    *out = NULL;
    if (!file) return abut_fail_memory(error);
    memset(file, 0, sizeof *file);
    AbutStatus status = looks_like_json(bytes, count) ? parse_json(bytes, count, name, file, error)
                                                      : parse_keyframes(bytes, count, name, file, error);
    if (animation) *animation = file->animation;
    if (status == ABUT_OK)
        *out = &file->motion;
    else
        abut_motion_free(&file->motion);
    return status;
}
