/* SPDX-License-Identifier: Apache-2.0 */
/* The section <asset> of an MJCF file: meshes (by file or by vertices), height fields and the colors of materials. */
#include "import/mjcf_read.h"

#include <string.h>

/* Name of a file without folder and ending. */
static const char *base_name(AbutPool *pool, const char *file) {
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
    return abut_pool_text(pool, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

AbutStatus abut_mjcf_asset_path(const AbutMjcfView *view, const char *file, const char **out) {
    AbutMjcfReader *reader = view->reader;
    const char *slash = strrchr(file, '/');
    if (reader->now.strip_path && slash) file = slash + 1;
    *out = abut_mjcf_join(reader, *file == '/' ? "" : reader->now.mesh_folder, file);
    return *out ? ABUT_OK : abut_fail_memory(reader->error);
}

static AbutStatus mesh_vertices(const AbutMjcfView *view, AbutDraftMesh *mesh) {
    double *numbers;
    size_t count;
    ABUT_TRY(abut_mjcf_number_list(view, "vertex", &numbers, &count));
    if (count % 3 != 0 || count < 12)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute vertex: expected three numbers for each of four vertices or more, got %zu numbers", count);
    AbutVec3 *vertices = abut_pool_take(&view->reader->xml.pool, count / 3 * sizeof *vertices);
    if (!vertices) return abut_fail_memory(view->reader->error);
    for (size_t i = 0; i < count / 3; ++i)
        vertices[i] = abut_vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    mesh->vertices = vertices;
    mesh->vertex_count = (int32_t)(count / 3);
    return ABUT_OK;
}

/* Triangles of a mesh whose vertices stand in the file. */
static AbutStatus mesh_faces(const AbutMjcfView *view, AbutDraftMesh *mesh) {
    double *numbers;
    size_t count;
    AbutStatus status = abut_mjcf_number_list(view, "face", &numbers, &count);
    if (status || !count) return status;
    for (size_t i = 0; i < count && !status; ++i)
        if (count % 3 != 0 || !(numbers[i] >= 0.0 && numbers[i] < mesh->vertex_count) ||
            numbers[i] != floor(numbers[i]))
            status = abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute face: expected three numbers of vertices below %d for each triangle",
                (int)mesh->vertex_count);
    mesh->faces = numbers;
    mesh->face_count = (int32_t)(count / 3);
    return status;
}

static AbutStatus mesh_frame(const AbutMjcfView *view, AbutDraftMesh *mesh) {
    static const char *const rules[] = {"convex", "legacy", "exact", "shell", NULL};
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    mesh->scale = abut_vec3(1.0, 1.0, 1.0);
    mesh->inertia = view->reader->now.inertia;
    ABUT_TRY(abut_mjcf_vec3(view, "scale", &mesh->scale));
    ABUT_TRY(abut_mjcf_word(view, "inertia", rules, &mesh->inertia));
    ABUT_TRY(abut_mjcf_vec3(view, "refpos", &mesh->ref_pos));
    ABUT_TRY(abut_mjcf_numbers(view, "refquat", 4, 4, q, NULL));
    mesh->ref_quat = abut_quat_normalize(abut_quat(q[0], q[1], q[2], q[3]));
    if (mesh->scale.x * mesh->scale.y * mesh->scale.z == 0.0)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute scale: expected three numbers other than zero");
    return ABUT_OK;
}

static AbutStatus read_mesh(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftMesh mesh = {.path = ""};
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_MESH, draft->mesh_count, &mesh.name, &mesh.source));
    ABUT_TRY(mesh_frame(&view, &mesh));
    const char *file = abut_xml_attribute(element, "file");
    AbutStatus status = ABUT_OK;
    if (file)
        status = abut_mjcf_asset_path(&view, file, &mesh.path);
    else if (abut_xml_attribute(element, "vertex"))
        status = mesh_vertices(&view, &mesh);
    else if (abut_xml_attribute(element, "builtin"))
        status = abut_xml_fail(reader->error, element, ABUT_ERROR_UNSUPPORTED, "attribute builtin is not supported");
    else
        status =
            abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "expected attribute file or vertex, got neither");
    if (!status && !file) status = mesh_faces(&view, &mesh);
    if (!status && !*mesh.name) {
        int32_t old = -1;
        const char *base = file ? base_name(&reader->xml.pool, file) : "";
        mesh.name = base ? abut_mjcf_full_name(reader, base) : NULL;
        if (!mesh.name || (*mesh.name && !abut_mjcf_names_add(
                                             &reader->names, ABUT_MJCF_KIND_MESH, mesh.name, draft->mesh_count, &old)))
            return abut_fail_memory(reader->error);
        if (old >= 0)
            return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
                "attribute name: expected a new name, got '%.100s' again", mesh.name);
    }
    if (!status) status = ABUT_MJCF_ADD(reader, draft, meshes, mesh, mesh);
    abut_mjcf_ignore_others(reader, element, "asset/mesh");
    return status;
}

static AbutStatus read_material(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfView view;
    const char *name;
    AbutSource source;
    AbutMjcfMaterial material = {{1.0, 1.0, 1.0, 1.0}};
    AbutStatus status = abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view);
    if (!status)
        status = abut_mjcf_place(reader, element, ABUT_MJCF_KIND_MATERIAL, reader->material_count, &name, &source);
    if (!status) status = abut_mjcf_numbers(&view, "rgba", 4, 4, material.rgba, NULL);
    if (!status) status = ABUT_MJCF_ADD(reader, reader, materials, material, material);
    return status;
}

AbutStatus abut_mjcf_asset(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (strcmp(e->tag, "mesh") == 0)
            status = read_mesh(reader, e);
        else if (strcmp(e->tag, "hfield") == 0)
            status = abut_mjcf_hfield(reader, e);
        else if (strcmp(e->tag, "material") == 0)
            status = read_material(reader, e);
        else if (strcmp(e->tag, "model") == 0)
            continue; /* read where it is attached */
        else
            abut_mjcf_warn_ignored(reader, e);
    }
    return status;
}
