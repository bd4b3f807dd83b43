/* SPDX-License-Identifier: Apache-2.0 */
/* The scene of a run as JSON, complete enough to draw it: bodies, and their shapes as polyhedra. */
#include "file/run_log.h"

static void put_pose(AbutJson *json, AbutPose pose)
{
    double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    abut_json_key(json, "pose");
    abut_json_numbers(json, numbers, 7);
}

static void put_polyhedron(AbutJson *json, const AbutPolyhedron *p)
{
    const AbutVec3 *vertices = abut_polyhedron_vertices(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    const AbutHalfEdge *edges = abut_polyhedron_half_edges(p);
    abut_json_key(json, "vertices");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < p->vertex_count; ++i)
        abut_json_vec3(json, vertices[i]);
    abut_json_end_array(json);
    abut_json_key(json, "faces");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < p->face_count; ++i) {
        abut_json_begin_array(json);
        for (int32_t k = 0; k < faces[i].count; ++k)
            abut_json_integer(json, edges[faces[i].first + k].origin);
        abut_json_end_array(json);
    }
    abut_json_end_array(json);
}

static void put_shape(AbutJson *json, const AbutShapeState *shape)
{
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", shape->def.name ? shape->def.name : "");
    abut_json_put_string(json, "kind", abut_shape_kind_name(shape->def.form.kind));
    put_pose(json, shape->def.pose);
    abut_json_put_vec3(json, "size", shape->def.form.size);
    abut_json_put_number(json, "friction", shape->def.material.friction);
    abut_json_put_number(json, "friction_kinetic", shape->def.material.friction_kinetic);
    abut_json_put_integer(json, "color", shape->def.color);
    if (shape->def.geometry->polyhedron)
        put_polyhedron(json, shape->def.geometry->polyhedron);
    abut_json_end_object(json);
}

static void put_body(AbutJson *json, const AbutScene *scene, AbutBodyId id)
{
    AbutBodyState state;
    if (!abut_scene_get_body(scene, id, &state))
        return;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", state.name);
    abut_json_put_string(json, "kind", abut_body_kind_name(state.kind));
    abut_json_put_number(json, "mass", state.mass);
    abut_json_put_vec3(json, "center", state.local_center);
    put_pose(json, state.pose);
    abut_json_key(json, "shapes");
    abut_json_begin_array(json);
    int count = abut_scene_shape_count(scene, id);
    for (int i = 0; i < count; ++i) {
        AbutShapeState shape;
        if (abut_scene_get_shape(scene, abut_scene_shape_at(scene, id, i), &shape))
            put_shape(json, &shape);
    }
    abut_json_end_array(json);
    abut_json_end_object(json);
}

AbutStatus abut_run_log_scene_json(
    const AbutScene *scene, const AbutModel *info, const char *settings, AbutJson *out, AbutError *error)
{
    AbutJson *json = out;
    *json = abut_json_to_memory(0);
    abut_json_begin_object(json);
    abut_json_put_string(json, "format", "abut run");
    abut_json_put_integer(json, "version", 1);
    if (info) {
        abut_json_put_vec3(json, "gravity", info->gravity);
        abut_json_put_number(json, "timestep", info->timestep);
    }
    abut_json_put_string(json, "settings", settings);
    abut_json_key(json, "bodies");
    abut_json_begin_array(json);
    int count = abut_scene_body_count(scene);
    for (int i = 0; i < count; ++i)
        put_body(json, scene, abut_scene_body_at(scene, i));
    abut_json_end_array(json);
    abut_json_end_object(json);
    return abut_json_finish(json, error);
}
