/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories of ROS. In: a trajectory_msgs/JointTrajectory as YAML, or as the JSON of rosbridge; alone, or inside a
 * RobotTrajectory, a DisplayTrajectory, a goal of an action, an answer of a planning service or an operation of
 * rosbridge. Out: a row of the table for each point. Where a start state is there, joints that the trajectory does not
 * name stand as it says.
 */
#include "json/ros_message.h"
#include "base/text.h"
#include "file/trajectory_file.h"
#include "json/yaml.h"

#include <string.h>

/* Members that lead to the trajectory. */
static const char inside[] =
    "msg request response goal result motion_plan_response planned_trajectory solution trajectory joint_trajectory";

typedef struct Reader {
    const AbutJsonText *json;
    AbutTrajectoryTable *table;
    AbutError *error;
    int32_t count, *joints; /* of the model */
    double *numbers;
    uint8_t *stands; /* per joint of the model: in the start state alone */
} Reader;

static AbutStatus wrong(const Reader *r, const AbutJsonNode *node, const char *expected) {
    return abut_json_fail(
        r->json, node, r->error, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, abut_json_kind_name(node->kind));
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_names(Reader *r, const AbutJsonNode *names) {
    if (names->kind != ABUT_JSON_ARRAY || names->count == 0) return wrong(r, names, "an array of names");
    r->joints = abut_alloc_array((size_t)names->count, sizeof *r->joints);
    r->numbers = abut_alloc_array((size_t)names->count, sizeof *r->numbers);
    r->stands = abut_alloc((size_t)r->table->model->joint_count + 1);
    if (!r->joints || !r->numbers || !r->stands) return abut_fail_memory(r->error);
    memset(r->stands, 0, (size_t)r->table->model->joint_count + 1);
    for (const AbutJsonNode *n = abut_json_first(names); n; n = abut_json_next(r->json, n)) {
        AbutError why;
        if (n->kind != ABUT_JSON_STRING) return wrong(r, n, "a name");
        int32_t joint = abut_trajectory_joint(r->table->model, "joint", n->string, strlen(n->string), &why);
        if (joint < 0) return abut_json_fail(r->json, n, r->error, ABUT_ERROR_FORMAT, "%s", why.text);
        if (r->table->given[0][joint])
            return abut_json_fail(
                r->json, n, r->error, ABUT_ERROR_FORMAT, "expected each joint once, got '%s' twice", n->string);
        r->table->given[0][joint] = 1;
        r->joints[r->count++] = joint;
    }
    return ABUT_OK;
}

/* Joints that follow another one are where that one puts them. */
static int follows(const AbutModel *model, int32_t joint) {
    for (int32_t i = 0; i < model->equality_count; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        if (e->kind == ABUT_EQUALITY_JOINT && !e->inactive && e->a == joint) return 1;
    }
    return 0;
}

/* Joints of the start state that the trajectory does not move stand there; names that the model lacks are other
 * robots'. */
static AbutStatus take_start(Reader *r, const AbutJsonNode *state) {
    const AbutJsonNode *joints = abut_ros_member(r->json, state, "joint_state"),
                       *names = abut_ros_member(r->json, joints, "name"),
                       *values = abut_ros_member(r->json, joints, "position");
    if (abut_ros_count(r->json, names, r->error) < 0) return ABUT_ERROR_FORMAT;
    if (!names || names->count == 0) return ABUT_OK;
    if (!values) return wrong(r, joints, "a position for each name");
    double *numbers = abut_alloc_array((size_t)names->count, sizeof *numbers);
    if (!numbers) return abut_fail_memory(r->error);
    AbutStatus status = abut_ros_numbers(r->json, values, names->count, numbers, r->error);
    const double *number = numbers;
    for (const AbutJsonNode *n = abut_json_first(names); n && !status; n = abut_json_next(r->json, n), ++number) {
        int32_t joint =
            n->kind == ABUT_JSON_STRING ? abut_model_find(r->table->model, ABUT_MODEL_JOINT, n->string) : -1;
        if (n->kind != ABUT_JSON_STRING) status = wrong(r, n, "a name");
        if (joint < 0 || r->table->given[0][joint] || r->table->model->joints[joint].kind == ABUT_JOINT_BALL ||
            follows(r->table->model, joint))
            continue;
        r->table->rest[joint] = *number;
        r->stands[joint] = 1;
    }
    abut_free(numbers);
    return status;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Numbers of a point that the table takes, in the order of the names. */
static AbutStatus take_order(Reader *r, const AbutJsonNode *list, int order) {
    size_t row = (size_t)(r->table->count - 1) * (size_t)r->table->model->joint_count;
    ABUT_TRY(abut_ros_numbers(r->json, list, r->count, r->numbers, r->error));
    for (int32_t i = 0; i < r->count; ++i) r->table->order[order][row + (size_t)r->joints[i]] = r->numbers[i];
    return ABUT_OK;
}

/* Speeds and accelerations, which all points have or none. */
static AbutStatus take_rates(Reader *r, const AbutJsonNode *point) {
    static const char *const words[] = {"positions", "velocities", "accelerations"};
    for (int order = 1; order < 3; ++order) {
        const AbutJsonNode *list = abut_ros_member(r->json, point, words[order]);
        int32_t count = abut_ros_count(r->json, list, r->error);
        uint8_t *given = &r->table->given[order][r->joints[0]];
        if (count < 0) return ABUT_ERROR_FORMAT;
        if (r->table->count > 1 && *given != (count > 0))
            return abut_json_fail(r->json, list ? list : point, r->error, ABUT_ERROR_FORMAT,
                "expected %s at all points or at none", words[order]);
        if (count > 0) ABUT_TRY(take_order(r, list, order));
        for (int32_t i = 0; i < r->count; ++i) r->table->given[order][r->joints[i]] = count > 0;
    }
    return ABUT_OK;
}

static AbutStatus read_point(Reader *r, const AbutJsonNode *point) {
    double time = 0.0;
    const AbutJsonNode *at = abut_ros_member(r->json, point, "time_from_start"),
                       *positions = abut_ros_member(r->json, point, "positions");
    if (point->kind != ABUT_JSON_OBJECT) return wrong(r, point, "a point");
    if (!positions) return abut_json_fail(r->json, point, r->error, ABUT_ERROR_FORMAT, "expected positions, got none");
    ABUT_TRY(abut_ros_seconds(r->json, at, &time, r->error));
    const AbutTrajectoryTable *t = r->table;
    if (t->count > 0 && !(time > t->times[t->count - 1]))
        return abut_json_fail(r->json, at ? at : point, r->error, ABUT_ERROR_FORMAT,
            "expected a time_from_start after %g s, got %g s%s", t->times[t->count - 1], time,
            t->count == 1 && time == 0.0 ? ": this path has no times yet" : "");
    if (!abut_trajectory_add_row(r->table, time)) return abut_fail_memory(r->error);
    ABUT_TRY(take_order(r, positions, 0));
    return take_rates(r, point);
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus check_bases(const Reader *r, const AbutJsonNode *around) {
    const AbutJsonNode *bases = abut_ros_member(r->json, around, "multi_dof_joint_trajectory"),
                       *points = abut_ros_member(r->json, bases, "points");
    return !points || points->count == 0
               ? ABUT_OK
               : abut_json_fail(r->json, points, r->error, ABUT_ERROR_UNSUPPORTED,
                     "expected no points: bases and joints of several degrees of freedom stand still here");
}

static AbutStatus read_message(Reader *r) {
    const AbutJsonNode *whole = r->json->nodes, *several = abut_ros_find(r->json, whole, inside, "trajectory_start"),
                       *message = abut_ros_find(r->json, whole, inside, "joint_names"), *points;
    if (!message && several && abut_ros_member(r->json, several, "trajectory"))
        return abut_json_fail(r->json, abut_ros_member(r->json, several, "trajectory"), r->error, ABUT_ERROR_FORMAT,
            "expected one trajectory, got %d", (int)abut_ros_member(r->json, several, "trajectory")->count);
    if (!message)
        return abut_json_fail(r->json, whole, r->error, ABUT_ERROR_FORMAT,
            "expected a trajectory_msgs/JointTrajectory, got no joint_names");
    if (message != whole) ABUT_TRY(check_bases(r, &r->json->nodes[message->parent]));
    ABUT_TRY(read_names(r, abut_json_member(r->json, message, "joint_names")));
    if (several) ABUT_TRY(take_start(r, abut_json_member(r->json, several, "trajectory_start")));
    points = abut_json_member(r->json, message, "points");
    if (abut_ros_count(r->json, points, r->error) < 0) return ABUT_ERROR_FORMAT;
    if (!points || points->count < 2)
        return abut_json_fail(r->json, points ? points : message, r->error, ABUT_ERROR_FORMAT,
            "expected two points or more, got %d", points ? (int)points->count : 0);
    for (const AbutJsonNode *p = abut_json_first(points); p; p = abut_json_next(r->json, p)) ABUT_TRY(read_point(r, p));
    for (int order = 0; order < 3; ++order) /* with speeds of 0 where the others have some */
        for (int32_t i = 0; i < r->table->model->joint_count; ++i)
            if (r->stands[i]) r->table->given[order][i] = r->table->given[order][r->joints[0]];
    return ABUT_OK;
}

int abut_trajectory_is_ros(const void *bytes, size_t count, const char *name) {
    const char *p = abut_text_begin(bytes, count), *end = (const char *)bytes + count;
    size_t length = strlen(name);
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    for (int i = 0; i < 3; ++i)
        if (length > strlen(endings[i]) && strcmp(name + length - strlen(endings[i]), endings[i]) == 0) return 1;
    for (int comment = 0; p < end && (comment || abut_is_space(*p) || *p == '#'); ++p)
        comment = *p == '\n' || *p == '\r' ? 0 : comment || *p == '#';
    if (p < end && *p == '{') return 1;
    int colon = 0; /* a line with a key, and not the names of columns */
    for (; p < end && *p != '\n' && *p != '\r' && *p != ','; ++p) colon |= *p == ':';
    return colon && (p == end || *p != ',');
}

AbutStatus abut_trajectory_parse_ros(
    const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out, AbutError *error) {
    AbutJsonText json;
    ABUT_TRY(abut_yaml_parse(bytes, count, name, &json, error));
    Reader r = {.json = &json, .table = out, .error = error};
    AbutStatus status = read_message(&r);
    abut_free(r.joints);
    abut_free(r.stands);
    abut_free(r.numbers);
    abut_json_text_free(&json);
    return status;
}
