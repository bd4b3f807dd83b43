/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of planning scenes. In: a moveit_msgs/CollisionObject. Out: a body with its boxes, spheres, cylinders, cones
 * and meshes; a mesh of an obstacle that is not convex keeps its triangles, one that a link holds becomes its hull, as
 * meshes of links do.
 */
#include "file/planning_scene.h"

#include <math.h>
#include <string.h>

#include "abut/solid.h"

/* A body that is being filled. */
typedef struct Object {
    AbutSceneReader *r;
    AbutModel *model; /* of the obstacles or the robot */
    int32_t body;
    int held; /* by a link */
    AbutPose pose;
} Object;

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static AbutStatus add_shape(const Object *o, const AbutJsonNode *node, const AbutGeometryDef *form, AbutPose pose) {
    AbutShapeDef shape = abut_shape_default();
    AbutError why;
    shape.body = o->body;
    shape.pose = abut_pose_mul(o->pose, pose);
    shape.form = *form;
    AbutStatus status = abut_model_add_shape(o->model, &shape, NULL, &why);
    return status ? abut_json_fail(o->r->json, node, o->r->error, status, "%s", why.text) : ABUT_OK;
}

/* A shape_msgs/SolidPrimitive. */
static AbutStatus add_primitive(const Object *o, const AbutJsonNode *node, AbutPose pose) {
    static const struct {
        const char *name;
        int count;
        AbutShapeKind kind;
    } kinds[] = {{"box", 3, ABUT_SHAPE_BOX}, {"sphere", 1, ABUT_SHAPE_SPHERE}, {"cylinder", 2, ABUT_SHAPE_CYLINDER},
        {"cone", 2, ABUT_SHAPE_CONE}};
    const AbutJsonNode *type = abut_ros_member(o->r->json, node, "type"),
                       *size = abut_ros_member(o->r->json, node, "dimensions");
    double d[3] = {0.0, 0.0, 0.0};
    int k = type && type->kind == ABUT_JSON_NUMBER && type->number >= 1.0 && type->number <= 4.0 ? (int)type->number - 1
                                                                                                 : -1;
    if (k < 0 || type->number != k + 1)
        return abut_scene_fail(o->r, type ? type : node, "type 1, 2, 3 or 4: box, sphere, cylinder or cone", "another");
    if (!size) return abut_scene_fail(o->r, node, "dimensions", "none");
    ABUT_TRY(abut_ros_numbers(o->r->json, size, kinds[k].count, d, o->r->error));
    for (int i = 0; i < kinds[k].count; ++i)
        if (!(d[i] > 0.0 && d[i] < 1e6))
            return abut_scene_fail(o->r, size, "lengths above 0 and below 1e6 m", "others");
    AbutGeometryDef form = {.kind = kinds[k].kind};
    form.size = kinds[k].count == 2   ? abut_vec3(d[1], d[1], 0.5 * d[0]) /* height, radius */
                : kinds[k].count == 1 ? abut_vec3(d[0], d[0], d[0])
                                      : abut_vec3(0.5 * d[0], 0.5 * d[1], 0.5 * d[2]);
    return add_shape(o, node, &form, pose);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_vertex(const Object *o, const AbutJsonNode *node, AbutVec3 *out) {
    static const char *const axes[] = {"x", "y", "z"};
    double v[3];
    for (int i = 0; i < 3; ++i) {
        const AbutJsonNode *x = abut_json_member(o->r->json, node, axes[i]);
        if (!x || x->kind != ABUT_JSON_NUMBER)
            return abut_scene_fail(o->r, x ? x : node, "numbers x, y and z", "others");
        v[i] = x->number;
    }
    *out = abut_vec3(v[0], v[1], v[2]);
    return ABUT_OK;
}

static AbutStatus read_triangle(const Object *o, const AbutJsonNode *node, int32_t vertices, AbutTriangle *out) {
    const AbutJsonNode *list = abut_ros_member(o->r->json, node, "vertex_indices");
    double v[3];
    if (!list) return abut_scene_fail(o->r, node, "vertex_indices", "none");
    ABUT_TRY(abut_ros_numbers(o->r->json, list, 3, v, o->r->error));
    for (int i = 0; i < 3; ++i) {
        if (!(v[i] >= 0.0 && v[i] < vertices) || v[i] != floor(v[i]))
            return abut_scene_fail(o->r, list, "numbers of vertices", "others");
        out->v[i] = (int32_t)v[i];
    }
    return ABUT_OK;
}

/* A shape_msgs/Mesh. */
static AbutStatus read_mesh(const Object *o, const AbutJsonNode *node, AbutMesh *out) {
    const AbutJsonText *json = o->r->json;
    const AbutJsonNode *corners = abut_ros_member(json, node, "vertices"),
                       *faces = abut_ros_member(json, node, "triangles");
    int32_t i = 0, vertices = abut_ros_count(json, corners, o->r->error),
            triangles = abut_ros_count(json, faces, o->r->error);
    AbutStatus status = ABUT_OK;
    if (vertices < 0 || triangles < 0) return ABUT_ERROR_FORMAT;
    if (vertices < 3 || triangles < 1) return abut_scene_fail(o->r, node, "vertices and triangles", "too few");
    ABUT_TRY(abut_mesh_create(vertices, triangles, out, o->r->error));
    for (const AbutJsonNode *n = abut_json_first(corners); n && !status; n = abut_json_next(json, n))
        status = read_vertex(o, n, &out->vertices[i++]);
    i = 0;
    for (const AbutJsonNode *n = abut_json_first(faces); n && !status; n = abut_json_next(json, n))
        status = read_triangle(o, n, vertices, &out->triangles[i++]);
    if (status) abut_mesh_free(out);
    return status;
}

static AbutStatus add_hull(const Object *o, const AbutJsonNode *node, const AbutMesh *mesh, AbutPose pose) {
    AbutPolyhedron *hull;
    AbutError why;
    AbutStatus status = abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &hull, &why);
    if (status) return abut_json_fail(o->r->json, node, o->r->error, status, "%s", why.text);
    AbutGeometryDef form = {.kind = ABUT_SHAPE_POLYHEDRON, .polyhedron = hull};
    status = add_shape(o, node, &form, pose);
    abut_polyhedron_free(hull);
    return status;
}

/* The mesh as an obstacle alone becomes part of the others: its shapes, and its triangles where it is not convex. */
static AbutStatus add_surface(const Object *o, const AbutJsonNode *node, const AbutMesh *mesh, AbutPose pose) {
    AbutPlanObstacles alone, *all = &o->r->out->obstacles;
    AbutError why;
    size_t count = (size_t)all->mesh_count;
    int32_t first = o->model->shape_count;
    AbutStatus status = abut_plan_obstacles_from_mesh(mesh, "mesh", o->r->search, &alone, &why);
    if (status) return abut_json_fail(o->r->json, node, o->r->error, status, "%s", why.text);
    for (int32_t i = 0; i < alone.model->shape_count && !status; ++i)
        status = add_shape(o, node, &alone.model->shapes[i].form, pose);
    if (!status && alone.mesh_count &&
        !abut_grow((void **)&all->meshes, &all->mesh_capacity, count + 1, sizeof *all->meshes))
        status = abut_fail_memory(o->r->error);
    if (!status && alone.mesh_count) { /* the tree changes hands */
        AbutPlanMesh *to = &all->meshes[all->mesh_count++];
        *to = alone.meshes[0];
        to->body = o->body, to->pose = abut_pose_mul(o->pose, pose);
        to->shape = first;
        alone.mesh_count = 0;
        all->open |= alone.open;
        all->thick = fmax(all->thick, alone.thick);
    }
    abut_plan_obstacles_free(&alone);
    return status;
}

static AbutStatus add_mesh(const Object *o, const AbutJsonNode *node, AbutPose pose) {
    AbutMesh mesh;
    ABUT_TRY(read_mesh(o, node, &mesh));
    AbutStatus status = o->held ? add_hull(o, node, &mesh, pose) : add_surface(o, node, &mesh, pose);
    abut_mesh_free(&mesh);
    return status;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* All shapes of one kind, each at its pose; without poses at that of the object. */
static AbutStatus add_list(const Object *o, const AbutJsonNode *object, const char *shapes, const char *poses,
    AbutStatus (*add)(const Object *, const AbutJsonNode *, AbutPose)) {
    const AbutJsonText *json = o->r->json;
    const AbutJsonNode *list = abut_json_member(json, object, shapes), *at = abut_json_member(json, object, poses);
    int32_t count = abut_ros_count(json, list, o->r->error), placed = abut_ros_count(json, at, o->r->error);
    if (count < 0 || placed < 0) return ABUT_ERROR_FORMAT;
    if (placed != count && placed > 0) return abut_scene_fail(o->r, at, "a pose for each shape", "another number");
    const AbutJsonNode *p = placed ? abut_json_first(at) : NULL;
    for (const AbutJsonNode *n = count ? abut_json_first(list) : NULL; n; n = abut_json_next(json, n)) {
        AbutPose pose;
        ABUT_TRY(abut_ros_pose(json, p, &pose, o->r->error));
        ABUT_TRY(add(o, n, pose));
        p = p ? abut_json_next(json, p) : NULL;
    }
    return ABUT_OK;
}

/* Things that stay in the way unseen would make a proof wrong. */
static AbutStatus refuse_rest(const AbutSceneReader *r, const AbutJsonNode *object) {
    const AbutJsonNode *planes = abut_json_member(r->json, object, "planes");
    return planes && planes->count > 0 ? abut_scene_fail(r, planes, "a box in place of a plane", "a plane") : ABUT_OK;
}

AbutStatus abut_scene_object(AbutSceneReader *r, const AbutJsonNode *object, int32_t link) {
    AbutModel *model = link < 0 ? r->out->obstacles.model : r->robot;
    AbutBodyDef body = abut_body_default();
    AbutPose frame, pose;
    const char *id;
    ABUT_TRY(abut_ros_text(r->json, object, "id", &id, r->error));
    if (!*id) return abut_scene_fail(r, object, "an id", "none");
    if (abut_model_find(model, ABUT_MODEL_BODY, id) >= 0)
        return abut_scene_fail(r, abut_json_member(r->json, object, "id"), "a name of its own", id);
    ABUT_TRY(abut_scene_frame(r, object, &frame));
    ABUT_TRY(abut_ros_pose(r->json, abut_json_member(r->json, object, "pose"), &pose, r->error));
    body.name = id;
    body.kind = link < 0 ? ABUT_BODY_STATIC : ABUT_BODY_LINK;
    body.parent = link;
    if (link >= 0) frame = abut_pose_between(abut_configuration_body_pose(r->out->robot, link), frame);
    Object o = {r, model, 0, link >= 0, abut_pose_mul(frame, pose)};
    ABUT_TRY(abut_model_add_body(model, &body, &o.body, r->error));
    ABUT_TRY(refuse_rest(r, object));
    ABUT_TRY(add_list(&o, object, "primitives", "primitive_poses", add_primitive));
    return add_list(&o, object, "meshes", "mesh_poses", add_mesh);
}
