/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planning scenes of MoveIt. In: a moveit_msgs/PlanningScene as YAML or JSON, alone or in the answer of a service. Out:
 * its objects as obstacles, those that the robot holds as links of it, the state of its joints, and the pairs that its
 * matrix of collisions and its touch links allow to meet. Coordinates are those of the robot's model.
 */
#include "file/planning_scene.h"

#include <math.h>
#include <string.h>

#include "file/input.h"
#include "json/yaml.h"

AbutStatus abut_scene_fail(const AbutSceneReader *r, const AbutJsonNode *node, const char *expected, const char *got) {
    return abut_json_fail(r->json, node, r->error, ABUT_ERROR_FORMAT, "expected %s, got %.60s", expected, got);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* The name of the frame in the header of a message; "" where there is none. */
static AbutStatus frame_name(const AbutSceneReader *r, const AbutJsonNode *message, const char **out) {
    return abut_ros_text(r->json, abut_ros_member(r->json, message, "header"), "frame_id", out, r->error);
}

/* Is that the frame in which MoveIt plans? The state of the robot, and transforms that are fixed, name it. */
static int is_planning_frame(const AbutSceneReader *r, const char *name) {
    const AbutJsonNode *state = abut_ros_member(r->json, r->scene, "robot_state"),
                       *fixed = abut_ros_member(r->json, r->scene, "fixed_frame_transforms");
    const AbutJsonNode *places[3] = {abut_ros_member(r->json, state, "joint_state"),
        abut_ros_member(r->json, state, "multi_dof_joint_state"),
        fixed && fixed->kind == ABUT_JSON_ARRAY ? abut_json_first(fixed) : NULL};
    if (!*name || strcmp(name, "world") == 0) return 1;
    for (int i = 0; i < 3; ++i) {
        const AbutJsonNode *frame = abut_ros_member(r->json, abut_ros_member(r->json, places[i], "header"), "frame_id");
        if (frame && frame->kind == ABUT_JSON_STRING && strcmp(frame->string, name) == 0) return 1;
    }
    return 0;
}

AbutStatus abut_scene_frame(AbutSceneReader *r, const AbutJsonNode *message, AbutPose *out) {
    const char *name, *child;
    ABUT_TRY(frame_name(r, message, &name));
    name += *name == '/'; /* as ROS 1 had them */
    int32_t body = abut_model_find(r->robot, ABUT_MODEL_BODY, name);
    *out = abut_pose_between(r->base, abut_pose_identity());
    if (body >= 0) *out = abut_configuration_body_pose(r->out->robot, body);
    if (body >= 0 || is_planning_frame(r, name)) return ABUT_OK;
    const AbutJsonNode *fixed = abut_ros_member(r->json, r->scene, "fixed_frame_transforms");
    if (abut_ros_count(r->json, fixed, r->error) < 0) return ABUT_ERROR_FORMAT;
    for (const AbutJsonNode *n = fixed ? abut_json_first(fixed) : NULL; n; n = abut_json_next(r->json, n)) {
        AbutPose pose;
        ABUT_TRY(abut_ros_text(r->json, n, "child_frame_id", &child, r->error));
        if (strcmp(child, name) != 0) continue;
        ABUT_TRY(abut_ros_pose(r->json, abut_json_member(r->json, n, "transform"), &pose, r->error));
        *out = abut_pose_mul(*out, pose);
        return ABUT_OK;
    }
    return abut_scene_fail(r, abut_ros_member(r->json, message, "header"),
        "the frame 'world', of a link, or of fixed_frame_transforms", name);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

/* A robot whose base is fixed stands at the origin of its model; where the virtual joint of MoveIt puts it, the scene
 * moves the other way. */
static AbutStatus read_base(AbutSceneReader *r, const AbutJsonNode *state) {
    const AbutJsonNode *joints = abut_ros_member(r->json, state, "multi_dof_joint_state"),
                       *list = abut_ros_member(r->json, joints, "transforms");
    int32_t count = abut_ros_count(r->json, list, r->error);
    if (count > 1) return abut_scene_fail(r, list, "one joint that moves the base", "several");
    return count < 0   ? ABUT_ERROR_FORMAT
           : count > 0 ? abut_ros_pose(r->json, abut_json_first(list), &r->base, r->error)
                       : ABUT_OK;
}

static AbutStatus read_joints(AbutSceneReader *r, const AbutJsonNode *joints, double *q) {
    const AbutJsonNode *names = abut_ros_member(r->json, joints, "name"),
                       *values = abut_ros_member(r->json, joints, "position"), *value;
    int32_t count = abut_ros_count(r->json, names, r->error), given = abut_ros_count(r->json, values, r->error);
    if (count < 0 || given < 0) return ABUT_ERROR_FORMAT;
    if (count != given) return abut_scene_fail(r, joints, "a position for each name", "another number");
    value = given ? abut_json_first(values) : NULL;
    for (const AbutJsonNode *n = count ? abut_json_first(names) : NULL; n;
         n = abut_json_next(r->json, n), value = abut_json_next(r->json, value)) {
        if (n->kind != ABUT_JSON_STRING) return abut_scene_fail(r, n, "a name", abut_json_kind_name(n->kind));
        if (value->kind != ABUT_JSON_NUMBER)
            return abut_scene_fail(r, value, "a number", abut_json_kind_name(value->kind));
        int32_t joint = abut_model_find(r->robot, ABUT_MODEL_JOINT, n->string);
        if (joint >= 0 && r->robot->joints[joint].kind != ABUT_JOINT_BALL)
            q[abut_configuration_joint_place(r->out->robot, joint, ABUT_NUMBERS_POSITIONS)] = value->number;
    }
    return ABUT_OK;
}

/* A configuration of the model as it is now, in the state of the scene. */
static AbutStatus make_robot(AbutSceneReader *r) {
    const AbutJsonNode *state = abut_ros_member(r->json, r->scene, "robot_state");
    const AbutTree *tree;
    abut_configuration_free(r->out->robot);
    r->out->robot = NULL;
    ABUT_TRY(abut_tree_create(r->robot, &tree, r->error));
    AbutStatus status = abut_configuration_create(tree, &r->out->robot, r->error);
    abut_tree_release(tree);
    if (status) return status;
    int32_t n = abut_configuration_position_count(r->out->robot);
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    if (!q) return abut_fail_memory(r->error);
    memcpy(q, abut_configuration_positions(r->out->robot), (size_t)n * sizeof *q);
    status = read_joints(r, abut_ros_member(r->json, state, "joint_state"), q);
    if (!status) status = abut_configuration_set(r->out->robot, n, q, 0, NULL, r->error);
    abut_free(q);
    return status;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* Is an object there? A removed one is not; a byte of ROS is printed as a text of one character. */
static AbutStatus is_there(const AbutSceneReader *r, const AbutJsonNode *object, int *out) {
    const AbutJsonNode *node = abut_ros_member(r->json, object, "operation");
    double operation = !node                            ? 0.0
                       : node->kind == ABUT_JSON_NUMBER ? node->number
                       : node->kind == ABUT_JSON_STRING ? (double)(unsigned char)node->string[0]
                                                        : -1.0;
    *out = operation == 0.0 || operation == 2.0;
    return *out || operation == 1.0 ? ABUT_OK : abut_scene_fail(r, node, "operation add or remove", "another");
}

enum { MOST_OBJECTS = 10000 };

static AbutStatus read_obstacles(AbutSceneReader *r) {
    const AbutJsonNode *objects = abut_ros_member(r->json, r->world, "collision_objects"),
                       *map = abut_ros_member(r->json, abut_ros_member(r->json, r->world, "octomap"), "octomap"),
                       *cells = abut_ros_member(r->json, map, "data");
    int there;
    if (abut_ros_count(r->json, objects, r->error) < 0) return ABUT_ERROR_FORMAT;
    if (objects && objects->count > MOST_OBJECTS) return abut_scene_fail(r, objects, "at most 10000 objects", "more");
    if (cells && cells->count > 0)
        return abut_scene_fail(r, cells, "no octomap; 'abut plan --voxel' takes the centers of its cells", "one");
    for (const AbutJsonNode *n = objects && objects->count ? abut_json_first(objects) : NULL; n;
         n = abut_json_next(r->json, n)) {
        ABUT_TRY(is_there(r, n, &there));
        if (there) ABUT_TRY(abut_scene_object(r, n, -1));
    }
    return ABUT_OK;
}

static const AbutJsonNode *held_objects(const AbutSceneReader *r) {
    return abut_ros_member(r->json, abut_ros_member(r->json, r->scene, "robot_state"), "attached_collision_objects");
}

/* Objects that the robot holds become links of it. */
static AbutStatus read_held(AbutSceneReader *r) {
    const AbutJsonNode *objects = held_objects(r);
    int32_t count = abut_ros_count(r->json, objects, r->error);
    if (count < 0) return ABUT_ERROR_FORMAT;
    if (count > 100) return abut_scene_fail(r, objects, "at most 100 objects", "more");
    for (const AbutJsonNode *n = count ? abut_json_first(objects) : NULL; n; n = abut_json_next(r->json, n)) {
        const AbutJsonNode *object = abut_ros_member(r->json, n, "object");
        const char *name;
        int there;
        if (!object) return abut_scene_fail(r, n, "an object", "none");
        ABUT_TRY(is_there(r, object, &there));
        if (!there) continue;
        ABUT_TRY(abut_ros_text(r->json, n, "link_name", &name, r->error));
        int32_t link = abut_model_find(r->robot, ABUT_MODEL_BODY, name);
        if (link < 0) return abut_scene_fail(r, n, "link_name of a link of the robot", name);
        ABUT_TRY(abut_scene_object(r, object, link));
    }
    return count ? make_robot(r) : ABUT_OK;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static const char *link_name(const AbutSceneReader *r, int32_t link) {
    int32_t bodies = r->robot->body_count;
    return link < bodies ? r->robot->bodies[link].name : r->out->obstacles.model->bodies[link - bodies].name;
}

static AbutStatus add_pair(AbutSceneReader *r, AbutPair **list, int32_t *count, int32_t a, int32_t b) {
    size_t capacity = (size_t)*count;
    /* Lists grow in powers of two. */
    if ((capacity & (capacity - 1)) == 0 && !abut_grow((void **)list, &capacity, 2 * capacity + 1, sizeof **list))
        return abut_fail_memory(r->error);
    (*list)[(*count)++] = (AbutPair){a, b};
    return ABUT_OK;
}

static int is_listed(const AbutSceneReader *r, const AbutJsonNode *list, const char *name) {
    for (const AbutJsonNode *n = list && list->kind == ABUT_JSON_ARRAY ? abut_json_first(list) : NULL; n;
         n = abut_json_next(r->json, n))
        if (n->kind == ABUT_JSON_STRING && strcmp(n->string, name) == 0) return 1;
    return 0;
}

/* What a link holds may meet that link and the touch links; with the others it counts, neighbors or not. */
static AbutStatus pair_held(AbutSceneReader *r, const AbutJsonNode *held) {
    const char *id, *name;
    ABUT_TRY(abut_ros_text(r->json, abut_ros_member(r->json, held, "object"), "id", &id, r->error));
    ABUT_TRY(abut_ros_text(r->json, held, "link_name", &name, r->error));
    int32_t own = abut_model_find(r->robot, ABUT_MODEL_BODY, id);
    for (int32_t b = 0; b < r->robot->body_count && own >= 0; ++b) {
        const char *other = r->robot->bodies[b].name;
        if (b == own || abut_model_next_shape(r->robot, b, -1) < 0) continue;
        int touches = strcmp(other, name) == 0 || is_listed(r, abut_ros_member(r->json, held, "touch_links"), other);
        ABUT_TRY(touches ? add_pair(r, &r->out->allowed, &r->out->allowed_count, own, b)
                         : add_pair(r, &r->out->added, &r->out->added_count, own, b));
    }
    return ABUT_OK;
}

enum { MOST_NAMES = 20000 };

/* The matrix of collisions: the row of each link, -1 for none, and its default; rows of one link at a time. */
typedef struct Matrix {
    int32_t links, names;
    int32_t *row;
    const AbutJsonNode **enabled, **otherwise; /* of a row; of a link, NULL: none */
    uint8_t *may;                              /* the row at hand, 1: may meet, 2: has no entry */
} Matrix;

/* The rows, and the links that they are of. */
static void fill_rows(
    const AbutSceneReader *r, const AbutJsonNode *names, const AbutJsonNode *values, Matrix *m, int kind) {
    const AbutJsonNode *value = values->count ? abut_json_first(values) : NULL;
    int32_t row = 0;
    for (const AbutJsonNode *n = names->count ? abut_json_first(names) : NULL; n && value;
         n = abut_json_next(r->json, n), value = abut_json_next(r->json, value), ++row) {
        if (kind == 0) m->enabled[row] = abut_ros_member(r->json, value, "enabled");
        for (int32_t i = 0; i < m->links && n->kind == ABUT_JSON_STRING; ++i)
            if (strcmp(link_name(r, i), n->string) == 0) {
                if (kind == 0) m->row[i] = row;
                if (kind == 1) m->otherwise[i] = value;
            }
    }
}

static AbutStatus fill_matrix(const AbutSceneReader *r, Matrix *m) {
    static const char *const words[2][2] = {
        {"entry_names", "entry_values"}, {"default_entry_names", "default_entry_values"}};
    const AbutJsonNode *matrix = abut_ros_member(r->json, r->scene, "allowed_collision_matrix");
    for (int kind = 0; kind < 2; ++kind) {
        const AbutJsonNode *names = abut_ros_member(r->json, matrix, words[kind][0]),
                           *values = abut_ros_member(r->json, matrix, words[kind][1]);
        int32_t count = abut_ros_count(r->json, names, r->error), given = abut_ros_count(r->json, values, r->error);
        if (count < 0 || given < 0) return ABUT_ERROR_FORMAT;
        if (count != given) return abut_scene_fail(r, matrix, "a row for each name", "another number");
        if (count > MOST_NAMES) return abut_scene_fail(r, names, "at most 20000 names", "more");
        if (kind == 0) {
            m->names = count;
            m->enabled = abut_alloc_array((size_t)count + 1, sizeof *m->enabled);
            m->may = abut_alloc((size_t)count + 1);
            if (!m->enabled || !m->may) return abut_fail_memory(r->error);
        }
        if (count > 0) fill_rows(r, names, values, m, kind);
    }
    return ABUT_OK;
}

static int is_true(const AbutJsonNode *node) { return node && node->kind == ABUT_JSON_TRUE; }

static void take_row(const AbutSceneReader *r, Matrix *m, int32_t row) {
    const AbutJsonNode *list = row < 0 ? NULL : m->enabled[row];
    memset(m->may, 2, (size_t)m->names);
    list = list && list->kind == ABUT_JSON_ARRAY && list->count ? abut_json_first(list) : NULL;
    for (int32_t i = 0; list && i < m->names; ++i, list = abut_json_next(r->json, list))
        m->may[i] = (uint8_t)is_true(list);
}

/* An entry of the two goes before their defaults, of which both must allow where both have one. */
static int allows(const Matrix *m, int32_t a, int32_t b) {
    const AbutJsonNode *const *d = m->otherwise;
    if (m->row[b] >= 0 && m->may[m->row[b]] < 2) return m->may[m->row[b]];
    return (d[a] || d[b]) && (!d[a] || is_true(d[a])) && (!d[b] || is_true(d[b]));
}

static AbutStatus read_matrix(AbutSceneReader *r) {
    int32_t bodies = r->robot->body_count, links = bodies + r->out->obstacles.model->body_count;
    Matrix m = {.links = links,
        .row = abut_alloc_array((size_t)links + 1, sizeof *m.row),
        .otherwise = abut_alloc_array((size_t)links + 1, sizeof *m.otherwise)};
    AbutStatus status = m.row && m.otherwise ? ABUT_OK : abut_fail_memory(r->error);
    for (int32_t i = 0; i < links && !status; ++i) m.row[i] = -1, m.otherwise[i] = NULL;
    if (!status) status = fill_matrix(r, &m);
    for (int32_t a = 0; a < bodies && !status; ++a) {
        take_row(r, &m, m.row[a]);
        for (int32_t b = a + 1; b < links && !status; ++b)
            if (allows(&m, a, b)) status = add_pair(r, &r->out->allowed, &r->out->allowed_count, a, b);
    }
    abut_free(m.row);
    abut_free(m.otherwise);
    abut_free(m.enabled);
    abut_free(m.may);
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus find_parts(AbutSceneReader *r) {
    const AbutJsonNode *whole = r->json->nodes;
    r->scene = abut_ros_find(r->json, whole, "msg response result scene", "world");
    r->world = r->scene ? abut_ros_member(r->json, r->scene, "world")
                        : abut_ros_find(r->json, whole, "msg", "collision_objects");
    return r->world ? ABUT_OK
                    : abut_scene_fail(r, whole, "a moveit_msgs/PlanningScene", "neither world nor collision_objects");
}

static AbutStatus read_scene(AbutSceneReader *r) {
    ABUT_TRY(find_parts(r));
    ABUT_TRY(abut_model_create(&r->out->obstacles.model, r->error));
    ABUT_TRY(read_base(r, abut_ros_member(r->json, r->scene, "robot_state")));
    ABUT_TRY(make_robot(r));
    ABUT_TRY(read_obstacles(r));
    ABUT_TRY(read_held(r));
    const AbutJsonNode *held = held_objects(r);
    for (const AbutJsonNode *n = held && held->count ? abut_json_first(held) : NULL; n; n = abut_json_next(r->json, n))
        ABUT_TRY(pair_held(r, n));
    return read_matrix(r);
}

AbutStatus abut_planning_scene_read(const char *name, const void *bytes, size_t count, int search, AbutModel *robot,
    AbutPlanningScene *out, AbutError *error) {
    ABUT_ASSERT((name || bytes) && robot && out);
    AbutJsonText json;
    char *own;
    *out = (AbutPlanningScene){0};
    ABUT_TRY(abut_file_take(name, "a planning scene", ABUT_JSON_READ_BYTES, &bytes, &count, &own, error));
    AbutStatus status = abut_yaml_parse(bytes, count, name && *name ? name : "planning scene", &json, error);
    AbutSceneReader r = {.json = &json, .error = error, .search = search, .robot = robot, .out = out};
    r.base = abut_pose_identity();
    if (!status) {
        status = read_scene(&r);
        abut_json_text_free(&json);
    }
    abut_free(own);
    if (status) abut_planning_scene_free(out);
    return status;
}

void abut_planning_scene_free(AbutPlanningScene *scene) {
    ABUT_ASSERT(scene);
    abut_plan_obstacles_free(&scene->obstacles);
    abut_configuration_free(scene->robot);
    abut_free(scene->allowed);
    abut_free(scene->added);
    *scene = (AbutPlanningScene){0};
}
