/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that messages of ROS have in common, from nodes of JSON; every failure names the line and the path. */
#include "json/ros_message.h"

#include <math.h>
#include <string.h>

const AbutJsonNode *abut_ros_member(const AbutJsonText *json, const AbutJsonNode *message, const char *words) {
    const AbutJsonNode *found = NULL;
    for (const char *p = words; *p && !found; p += strspn(p, " ")) {
        char word[60];
        size_t n = strcspn(p, " ");
        memcpy(word, p, n);
        word[n] = 0;
        found = abut_json_member(json, message, word);
        p += n;
    }
    return found;
}

const AbutJsonNode *abut_ros_find(
    const AbutJsonText *json, const AbutJsonNode *message, const char *inside, const char *has) {
    for (int deep = 0; message && deep < 10; ++deep) {
        if (message->kind == ABUT_JSON_ARRAY && message->count == 1) message = abut_json_first(message);
        if (abut_json_member(json, message, has)) return message;
        message = abut_ros_member(json, message, inside);
    }
    return NULL;
}

int32_t abut_ros_count(const AbutJsonText *json, const AbutJsonNode *list, AbutError *error) {
    if (!list || list->kind == ABUT_JSON_NULL) return 0;
    if (list->kind == ABUT_JSON_ARRAY) return list->count;
    abut_json_fail(
        json, list, error, ABUT_ERROR_FORMAT, "expected an array, got %.60s", abut_json_kind_name(list->kind));
    return -1;
}

AbutStatus abut_ros_numbers(
    const AbutJsonText *json, const AbutJsonNode *list, int32_t count, double *out, AbutError *error) {
    for (const AbutJsonNode *n = list->kind == ABUT_JSON_ARRAY ? abut_json_first(list) : NULL; n;
         n = abut_json_next(json, n))
        if (n->kind == ABUT_JSON_STRING && strcmp(n->string, "...") == 0)
            return abut_json_fail(json, n, error, ABUT_ERROR_FORMAT,
                "expected all numbers, got '...': 'ros2 topic echo --full-length' prints them");
    return abut_json_read_numbers(json, list, count, out, error);
}

AbutStatus abut_ros_text(
    const AbutJsonText *json, const AbutJsonNode *message, const char *member, const char **out, AbutError *error) {
    const AbutJsonNode *node = abut_json_member(json, message, member);
    *out = "";
    if (!node || node->kind == ABUT_JSON_NULL) return ABUT_OK;
    if (node->kind != ABUT_JSON_STRING)
        return abut_json_fail(
            json, node, error, ABUT_ERROR_FORMAT, "expected a string, got %s", abut_json_kind_name(node->kind));
    *out = node->string;
    return ABUT_OK;
}

/* Some numbers of a message by their names; those that are missing keep their value. */
static AbutStatus read_members(const AbutJsonText *json, const AbutJsonNode *message, int count,
    const char *const *words, double *out, AbutError *error) {
    if (!message || message->kind == ABUT_JSON_NULL) return ABUT_OK;
    if (message->kind != ABUT_JSON_OBJECT)
        return abut_json_fail(
            json, message, error, ABUT_ERROR_FORMAT, "expected an object, got %s", abut_json_kind_name(message->kind));
    for (int i = 0; i < count; ++i) {
        const AbutJsonNode *node = abut_ros_member(json, message, words[i]);
        if (node && node->kind != ABUT_JSON_NUMBER)
            return abut_json_fail(
                json, node, error, ABUT_ERROR_FORMAT, "expected a number, got %s", abut_json_kind_name(node->kind));
        out[i] = node ? node->number : out[i];
    }
    return ABUT_OK;
}

AbutStatus abut_ros_seconds(const AbutJsonText *json, const AbutJsonNode *time, double *out, AbutError *error) {
    static const char *const words[] = {"sec secs", "nanosec nsecs"};
    double parts[2] = {0.0, 0.0};
    ABUT_TRY(read_members(json, time, 2, words, parts, error));
    if (parts[0] != floor(parts[0]) || !(fabs(parts[0]) < 1e10) || !(parts[1] >= 0.0 && parts[1] < 1e9))
        return abut_json_fail(json, time, error, ABUT_ERROR_FORMAT,
            "expected whole seconds and 0 to 999999999 nanoseconds, got %g and %g", parts[0], parts[1]);
    *out = parts[0] + 1e-9 * parts[1];
    return ABUT_OK;
}

AbutStatus abut_ros_pose(const AbutJsonText *json, const AbutJsonNode *pose, AbutPose *out, AbutError *error) {
    static const char *const axes[] = {"x", "y", "z", "w"};
    double p[3] = {0.0, 0.0, 0.0}, q[4] = {0.0, 0.0, 0.0, 0.0};
    *out = abut_pose_identity();
    ABUT_TRY(read_members(json, pose, 0, axes, p, error));
    if (!pose) return ABUT_OK;
    ABUT_TRY(read_members(json, abut_ros_member(json, pose, "position translation"), 3, axes, p, error));
    const AbutJsonNode *turn = abut_ros_member(json, pose, "orientation rotation");
    ABUT_TRY(read_members(json, turn, 4, axes, q, error));
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    out->p = abut_vec3(p[0], p[1], p[2]);
    if (!turn || size == 0.0) return ABUT_OK;
    if (!(fabs(size - 1.0) < 0.1)) /* MoveIt's own limit */
        return abut_json_fail(
            json, turn, error, ABUT_ERROR_NUMBER, "expected a quaternion of length 1, got one of length %g", size);
    out->q.w = q[3] / size, out->q.x = q[0] / size, out->q.y = q[1] / size, out->q.z = q[2] / size;
    return ABUT_OK;
}
