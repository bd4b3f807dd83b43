/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COLLADA (.dae), geometry only, through libxml2. The nodes of the scene that the file shows are walked with their
 * transforms, and the faces of their geometry are added where they stand, in meters. Materials, lights, cameras and
 * animations are skipped; lines, holes, splines and skins are counted as ignored. The axis that is up stays as in
 * the file. Vertices with equal coordinates are joined. Other files are never opened.
 */
#include "file/mesh_dae.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 256, MOST_NODES = 1000000 };

static const int64_t MOST_WORK = 400000000; /* bytes of numbers, copies included */

/* ---- transforms -------------------------------------------------------------------------------------------------- */

static AbutMeshPlace turn_about(const double v[4]) {
    AbutVec3 axis = abut_normalize_or(abut_vec3(v[0], v[1], v[2]), abut_axis(2));
    return abut_mesh_place(abut_quat_to_mat3(abut_quat_axis_angle(axis, v[3] * ABUT_PI / 180.0)), abut_zero());
}

/* Transform elements of a node in their order; *unknown is set to one that is not known. */
static AbutStatus read_place(
    AbutDae *dae, const AbutXmlElement *node, AbutMeshPlace *place, const AbutXmlElement **unknown) {
    for (const AbutXmlElement *e = node->child; e; e = e->next) {
        double v[16];
        AbutMeshPlace own = abut_mesh_place(abut_mat3_identity(), abut_zero());
        if (strcmp(e->tag, "matrix") == 0) { /* row by row */
            ABUT_TRY(abut_dae_numbers(dae, e, 16, v));
            own = abut_mesh_place(
                abut_mat3(abut_vec3(v[0], v[4], v[8]), abut_vec3(v[1], v[5], v[9]), abut_vec3(v[2], v[6], v[10])),
                abut_vec3(v[3], v[7], v[11]));
        } else if (strcmp(e->tag, "translate") == 0) {
            ABUT_TRY(abut_dae_numbers(dae, e, 3, v));
            own.t = abut_vec3(v[0], v[1], v[2]);
        } else if (strcmp(e->tag, "scale") == 0) {
            ABUT_TRY(abut_dae_numbers(dae, e, 3, v));
            own.m = abut_mat3_diagonal(v[0], v[1], v[2]);
        } else if (strcmp(e->tag, "rotate") == 0) {
            ABUT_TRY(abut_dae_numbers(dae, e, 4, v));
            own = turn_about(v);
        } else if (strcmp(e->tag, "lookat") == 0 || strcmp(e->tag, "skew") == 0) {
            *unknown = e;
        }
        *place = abut_mesh_place_mul(place, &own);
    }
    return ABUT_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

typedef struct Walk {
    AbutDae *dae;
    int depth, nodes;
} Walk;

static AbutStatus visit_node(
    Walk *walk, const AbutXmlElement *node, const AbutMeshPlace *parent, const AbutXmlElement *unknown);

static AbutStatus add_instance(
    Walk *walk, const AbutXmlElement *instance, const AbutMeshPlace *place, const AbutXmlElement *unknown) {
    const AbutXmlElement *geometry;
    if (unknown)
        return abut_xml_fail(walk->dae->text->error, unknown, ABUT_ERROR_UNSUPPORTED,
            "expected a transform as matrix, translate, rotate or scale above geometry");
    AbutStatus status = abut_dae_follow(walk->dae, instance, "url", &geometry);
    return status ? status : abut_dae_add_geometry(walk->dae, geometry, place);
}

/* Contents of a node or a scene: nodes, instances of nodes and of geometry. */
static AbutStatus visit_children(
    Walk *walk, const AbutXmlElement *node, const AbutMeshPlace *place, const AbutXmlElement *unknown) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = node->child; e && status == ABUT_OK; e = e->next) {
        const AbutXmlElement *other = e;
        if (strcmp(e->tag, "instance_geometry") == 0)
            status = add_instance(walk, e, place, unknown);
        else if (strcmp(e->tag, "instance_controller") == 0)
            abut_mesh_builder_ignore(walk->dae->builder, 1);
        else if (strcmp(e->tag, "instance_node") == 0)
            status = abut_dae_follow(walk->dae, e, "url", &other);
        if (status == ABUT_OK && strcmp(other->tag, "node") == 0) status = visit_node(walk, other, place, unknown);
    }
    return status;
}

static AbutStatus visit_node(
    Walk *walk, const AbutXmlElement *node, const AbutMeshPlace *parent, const AbutXmlElement *unknown) {
    AbutMeshPlace place = *parent;
    if (walk->depth >= MOST_DEPTH || walk->nodes >= MOST_NODES)
        return abut_xml_fail(walk->dae->text->error, node, ABUT_ERROR_LIMIT,
            "expected nodes at most %d deep and at most %d of them, copies included", MOST_DEPTH, MOST_NODES);
    ++walk->depth, ++walk->nodes;
    AbutStatus status = read_place(walk->dae, node, &place, &unknown);
    if (status == ABUT_OK) status = visit_children(walk, node, &place, unknown);
    --walk->depth;
    return status;
}

/* Meters to a unit of the file. */
static AbutStatus read_unit(AbutDae *dae, double *out) {
    const AbutXmlElement *unit = abut_dae_child(abut_dae_child(dae->root, "asset"), "unit");
    const char *value = unit ? abut_xml_attribute(unit, "meter") : NULL;
    *out = 1.0;
    if (!value) return ABUT_OK;
    AbutXmlElement copy = *unit;
    copy.text = value;
    copy.text_size = strlen(value);
    ABUT_TRY(abut_dae_numbers(dae, &copy, 1, out));
    if (!(*out > 1e-12 && *out < 1e12))
        return abut_xml_fail(dae->text->error, unit, ABUT_ERROR_NUMBER,
            "attribute meter: expected a positive number, got '%.40s'", value);
    return ABUT_OK;
}

static AbutStatus add_all(AbutDae *dae) {
    const AbutXmlElement *shown = abut_dae_child(abut_dae_child(dae->root, "scene"), "instance_visual_scene");
    const AbutXmlElement *scene = abut_dae_child(abut_dae_child(dae->root, "library_visual_scenes"), "visual_scene");
    double unit;
    Walk walk = {dae, 0, 0};
    ABUT_TRY(read_unit(dae, &unit));
    if (shown) ABUT_TRY(abut_dae_follow(dae, shown, "url", &scene));
    AbutMeshPlace place = abut_mesh_place(abut_mat3_diagonal(unit, unit, unit), abut_zero());
    if (scene) return visit_children(&walk, scene, &place, NULL);
    const AbutXmlElement *e = abut_dae_child(abut_dae_child(dae->root, "library_geometries"), "geometry");
    for (; e; e = abut_dae_same(e, "geometry")) ABUT_TRY(abut_dae_add_geometry(dae, e, &place));
    return ABUT_OK;
}

/* ---- ids --------------------------------------------------------------------------------------------------------- */

/* The element behind e in the order of the file. */
static const AbutXmlElement *following(const AbutXmlElement *e) {
    if (e->child) return e->child;
    while (e && !e->next) e = e->parent;
    return e ? e->next : NULL;
}

/* Equal ids keep the order of the file. */
static int compare_ids(const void *p, const void *q) {
    const AbutDaeId *a = p, *b = q;
    int order = strcmp(a->id, b->id);
    return order ? order : (a->element->line > b->element->line) - (a->element->line < b->element->line);
}

static AbutStatus list_ids(AbutDae *dae) {
    size_t count = 0;
    for (const AbutXmlElement *e = dae->root; e; e = following(e)) count += abut_xml_attribute(e, "id") != NULL;
    dae->ids = abut_alloc_array(count, sizeof *dae->ids);
    if (!dae->ids) return abut_fail_memory(dae->text->error);
    for (const AbutXmlElement *e = dae->root; e; e = following(e)) {
        const char *id = abut_xml_attribute(e, "id");
        if (id) dae->ids[dae->id_count++] = (AbutDaeId){id, e};
    }
    qsort(dae->ids, dae->id_count, sizeof *dae->ids, compare_ids);
    return ABUT_OK;
}

/* ---- format ------------------------------------------------------------------------------------------------------ */

static int sniff_dae(const AbutText *text) {
    static const char MARK[] = "<COLLADA";
    size_t length = sizeof MARK - 1;
    const char *end = text->end - text->begin > 4096 ? text->begin + 4096 : text->end;
    for (const char *p = text->begin; (size_t)(end - p) >= length; ++p)
        if (*p == '<' && memcmp(p, MARK, length) == 0) return ABUT_SNIFF_MARK;
    return abut_mesh_has_ending(text->name, ".dae") ? ABUT_SNIFF_NAME : 0;
}

static AbutStatus read_file(AbutDae *dae) {
    AbutText *text = dae->text;
    ABUT_TRY(abut_xml_parse_one(&dae->xml, text->begin, (size_t)(text->end - text->begin), text->name, &dae->root));
    if (strcmp(dae->root->tag, "COLLADA") != 0)
        return abut_xml_fail(text->error, dae->root, ABUT_ERROR_FORMAT, "expected <COLLADA>");
    ABUT_TRY(list_ids(dae));
    return add_all(dae);
}

static AbutStatus read_dae(AbutText *text, AbutMeshBuilder *builder) {
    AbutDae dae = {.text = text, .xml = {.error = text->error, .keep_text = 1}, .builder = builder, .work = MOST_WORK};
    AbutStatus status = read_file(&dae);
    abut_free(dae.ids);
    abut_pool_free(&dae.xml.pool);
    return status;
}

const AbutMeshFormat abut_mesh_dae = {"dae", ".dae", 0.0, sniff_dae, 1, read_dae, NULL};
