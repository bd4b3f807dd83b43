/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The playground in words: scenes and models there are, and the bodies of the scene with their meshes, as JSON. Round
 * shapes are told by kind and size, and the page draws them; a mesh is written once, however many shapes share it.
 */
#include "play.h"
#include "abut/literature.h"

#include <string.h>

static const char *finish(void) {
    AbutError error;
    return play_result(abut_json_finish(&play.json, &error), &error) ? play.json.text : NULL;
}

static void begin(void) {
    abut_json_free(&play.json);
    play.json = abut_json_to_file(NULL, 0);
    abut_json_begin_object(&play.json);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void put_scenes(const char *key, const AbutBuiltinScene *scenes, int count) {
    AbutJson *json = &play.json;
    abut_json_key(json, key);
    abut_json_begin_array(json);
    for (int i = 0; i < count; ++i) abut_record_put_object(json, &abut_builtin_scene_record, &scenes[i]);
    abut_json_end_array(json);
}

const char *play_names(void) {
    int count = 0;
    begin();
    const AbutBuiltinScene *scenes = abut_builtin_scenes(0, &count);
    put_scenes("scenes", scenes, count);
    scenes = abut_builtin_scenes(1, &count);
    put_scenes("robots", scenes, count);
    abut_literature_register();
    abut_json_key(&play.json, "models");
    abut_json_begin_array(&play.json);
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        abut_json_put_string(&play.json, NULL, abut_contact_model_name(i));
    abut_json_end_array(&play.json);
    abut_json_end_object(&play.json);
    return finish();
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static void put_mesh(const AbutGeometry *geometry) {
    AbutJson *json = &play.json;
    AbutMesh mesh;
    abut_json_begin_object(json);
    if (geometry->resolution > 0) {
        abut_json_put_string(json, "round", abut_word(abut_shape_kind_names, geometry->kind));
        abut_json_put_vec3(json, "size", geometry->size);
    } else if ((geometry->field ? abut_height_field_mesh(geometry->field, &mesh, NULL)
                                : abut_polyhedron_to_mesh(geometry->polyhedron, &mesh, NULL)) == ABUT_OK) {
        abut_json_key(json, "vertices");
        abut_json_numbers(json, &mesh.vertices[0].x, 3 * mesh.vertex_count);
        abut_json_key(json, "triangles");
        abut_json_begin_array(json);
        for (int32_t i = 0; i < 3 * mesh.triangle_count; ++i)
            abut_json_put_integer(json, NULL, mesh.triangles[i / 3].v[i % 3]);
        abut_json_end_array(json);
        abut_mesh_free(&mesh);
    } else
        json->status = ABUT_ERROR_MEMORY;
    abut_json_end_object(json);
}

/* Geometries that are drawn, each once. */
typedef struct Meshes {
    const AbutGeometry **item;
    int count;
    size_t room;
} Meshes;

/* The number of a geometry's mesh, new ones at the end; -1: a half-space, or no memory. */
static int mesh_of(Meshes *meshes, const AbutGeometry *geometry) {
    if (!geometry->polyhedron) return -1;
    for (int i = meshes->count; i-- > 0;)
        if (meshes->item[i] == geometry) return i;
    void *item = (void *)meshes->item;
    if (!abut_grow(&item, &meshes->room, (size_t)meshes->count + 1, sizeof *meshes->item)) return -1;
    meshes->item = item;
    meshes->item[meshes->count] = geometry;
    return meshes->count++;
}

static void put_body(const AbutBodyState *state, AbutBodyId id, Meshes *meshes) {
    AbutJson *json = &play.json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", state->name);
    abut_json_put_string(json, "kind", abut_word(abut_body_kind_names, state->kind));
    abut_json_put_number(json, "mass", state->mass);
    abut_json_key(json, "shapes");
    abut_json_begin_array(json);
    for (int i = 0; i < state->shape_count; ++i) {
        AbutShapeDef shape;
        if (!abut_scene_get_shape(play.scene, abut_scene_shape_at(play.scene, id, i), &shape, NULL)) continue;
        AbutPose pose = shape.pose;
        double rotation[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
        abut_json_begin_object(json);
        abut_json_put_integer(json, "mesh", mesh_of(meshes, shape.geometry));
        abut_json_put_vec3(json, "position", pose.p);
        abut_json_key(json, "rotation");
        abut_json_numbers(json, rotation, 4);
        abut_json_put_integer(json, "color", shape.color);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
    abut_json_end_object(json);
}

const char *play_describe(void) {
    Meshes meshes = {0};
    AbutJson *json = &play.json;
    begin();
    abut_json_put_vec3(json, "gravity", play.def.gravity);
    abut_json_put_number(json, "step", play.step);
    abut_json_put_integer(json, "balls", PLAY_BALLS);
    abut_json_key(json, "bodies");
    abut_json_begin_array(json);
    for (int i = 0; i < play.bodies; ++i) {
        AbutBodyState state;
        if (abut_scene_get_body(play.scene, play_body(i), &state)) put_body(&state, play_body(i), &meshes);
    }
    abut_json_end_array(json);
    abut_json_key(json, "meshes");
    abut_json_begin_array(json);
    for (int i = 0; i < meshes.count; ++i) put_mesh(meshes.item[i]);
    abut_json_end_array(json);
    abut_json_end_object(json);
    abut_free(meshes.item);
    return finish();
}
