/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of a scene as it stands. In: poses and shapes, which nothing here changes. Out: a list of contacts.
 *
 * Method: a box around each shape, grown by the margin; a sweep along x over the boxes gives the pairs, half-spaces are
 * held against every box; then the contact of each pair, in the order of the shapes.
 */
#include "contact/grown.h"
#include "scene/grown_set.h"
#include "scene/internal.h"
#include "scene/mesh_contacts.h"
#include "scene/tolerance.h"

#include <stdlib.h>
#include <string.h>

typedef struct Box {
    AbutAabb box;
    int32_t shape, pad;
} Box;

typedef struct Search {
    const AbutScene *scene;
    double margin;
    double own;   /* margin that the pair at hand states; 0: none */
    int features; /* contact points on the true bodies are wanted */
    Box *box;     /* of the shapes that are no half-spaces */
    int32_t box_count;
    uint64_t *key; /* of the pairs */
    size_t key_capacity;
    int32_t key_count;
    AbutGrownSet grown;
    void *workspace;
    AbutContactList found;
    size_t found_capacity;
    AbutMeshSearch mesh;
} Search;

static void end_search(Search *s) {
    abut_free(s->box);
    abut_free(s->key);
    abut_free(s->workspace);
    abut_grown_set_free(&s->grown);
    abut_mesh_search_free(&s->mesh);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static int compare_boxes(const void *a, const void *b) {
    const Box *x = a, *y = b;
    if (x->box.min.x != y->box.min.x) return x->box.min.x < y->box.min.x ? -1 : 1;
    return x->shape < y->shape ? -1 : x->shape > y->shape;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int list_boxes(Search *s) {
    const AbutScene *scene = s->scene;
    AbutVec3 grow = abut_vec3(s->margin, s->margin, s->margin);
    s->box = abut_alloc_array((size_t)scene->shape_places + 1, sizeof *s->box);
    for (int32_t i = 0; s->box && i < scene->shape_places; ++i) {
        const AbutShape *shape = &scene->shape[i];
        if (!s->grown.of_shape[i] || !shape->polyhedron) continue;
        AbutAabb box = abut_shape_box(scene, shape);
        Box entry = {{abut_sub(box.min, grow), abut_add(box.max, grow)}, i, 0};
        s->box[s->box_count++] = entry;
    }
    if (s->box_count) qsort(s->box, (size_t)s->box_count, sizeof *s->box, compare_boxes);
    return s->box != NULL;
}

static int add_pair(Search *s, int32_t a, int32_t b) {
    if (!abut_scene_may_push(s->scene, a, b)) return 1;
    if (!abut_grow((void **)&s->key, &s->key_capacity, (size_t)s->key_count + 1, sizeof *s->key)) return 0;
    s->key[s->key_count++] = abut_pair_key(a, b);
    return 1;
}

static int sweep_boxes(Search *s) {
    for (int32_t i = 0; i < s->box_count; ++i)
        for (int32_t k = i + 1; k < s->box_count && s->box[k].box.min.x <= s->box[i].box.max.x; ++k)
            if (abut_aabb_overlap(s->box[i].box, s->box[k].box) && !add_pair(s, s->box[i].shape, s->box[k].shape))
                return 0;
    return 1;
}

static int sweep_half_spaces(Search *s) {
    const AbutScene *scene = s->scene;
    for (int32_t i = 0; i < scene->plane_count; ++i) {
        AbutPlane plane = abut_shape_plane(scene, &scene->shape[scene->plane[i]]);
        AbutVec3 n = plane.normal;
        for (int32_t k = 0; k < s->box_count; ++k) {
            AbutAabb box = s->box[k].box;
            AbutVec3 lowest = abut_vec3(n.x > 0.0 ? box.min.x : box.max.x, n.y > 0.0 ? box.min.y : box.max.y,
                n.z > 0.0 ? box.min.z : box.max.z);
            if (abut_dot(n, lowest) <= plane.offset + s->margin && !add_pair(s, scene->plane[i], s->box[k].shape))
                return 0;
        }
    }
    return 1;
}

static int list_pairs(Search *s) {
    if (!list_boxes(s) || !sweep_boxes(s) || !sweep_half_spaces(s)) return 0;
    if (s->key_count) qsort(s->key, (size_t)s->key_count, sizeof *s->key, compare_keys);
    return 1;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void name_sides(const AbutScene *scene, int32_t a, int32_t b, AbutContact *c) {
    c->shape_a = abut_scene_shape_id(scene, a);
    c->shape_b = abut_scene_shape_id(scene, b);
    c->body_a = abut_scene_body_id(scene, scene->shape[a].body);
    c->body_b = abut_scene_body_id(scene, scene->shape[b].body);
}

static void set_features(const AbutContactFeatures *f, AbutContact *out) {
    AbutVec3 first = f->point[0];
    memset(out, 0, sizeof *out);
    out->normal = f->normal;
    out->depth = abut_larger(0.0, -f->distance);
    out->vertex_count = f->count;
    for (int i = 0; i < f->count; ++i) {
        out->vertex[i].point = f->point[i];
        out->center = abut_add_scaled(out->center, f->point[i], 1.0 / f->count);
        if (i > 1)
            out->area += 0.5 * fabs(abut_dot(f->normal,
                                   abut_cross(abut_sub(f->point[i - 1], first), abut_sub(f->point[i], first))));
    }
    out->pressure_center = out->center;
}

static void note_gap(Search *s, double gap, double size) {
    s->found.noise = abut_larger(s->found.noise, fabs(gap) / size);
}

/* A patch of meshes, of shape a and in its frame. */
static void set_patch(Search *s, const AbutPatch *patch, AbutPose pose, double margins, AbutContact *out) {
    AbutContactFeatures f = {.normal = abut_quat_rotate(pose.q, patch->normal), .count = patch->vertex_count};
    f.distance = margins - patch->high;
    for (int i = 0; i < f.count; ++i) {
        f.point[i] = abut_pose_apply(pose, abut_patch_vertex(patch, i));
        note_gap(s, margins - patch->thickness[i], s->mesh.size);
    }
    set_features(&f, out);
}

/* The contacts of two shapes by their meshes join the list. */
static AbutStatus add_mesh_contacts(Search *s, int32_t a, int32_t b, AbutError *error) {
    double margins = abut_grown_margins(&s->grown, s->scene, a, b);
    AbutMeshSides sides = {a, b, margins};
    int32_t count;
    ABUT_TRY(abut_mesh_search(&s->mesh, s->scene, &sides, &count, error));
    if (!abut_grow((void **)&s->found.contacts, &s->found_capacity, (size_t)(s->found.count + count) + 1,
            sizeof *s->found.contacts))
        return abut_fail_memory(error);
    for (int32_t i = 0; i < count; ++i) {
        AbutContact *out = &s->found.contacts[s->found.count++];
        set_patch(s, &s->mesh.patch[i], abut_shape_pose(s->scene, &s->scene->shape[a]), margins, out);
        name_sides(s->scene, a, b, out);
    }
    return ABUT_OK;
}

/* Where the bodies before growing touch, within their margins. */
static int find_features(Search *s, const AbutGrownPair *pair, AbutContact *out) {
    double margin = 0.5 * (pair->a->margin + pair->b->margin), size = abut_smaller(pair->a->size, pair->b->size);
    AbutConvexContact query = {&pair->a->body, &pair->b->body, pair->pose_a, pair->pose_b, margin};
    AbutContactFeatures f;
    int found = abut_contact_features(&query, &f);
    if (found <= 0) return found;
    set_features(&f, out);
    for (int i = 0; i < f.count; ++i) note_gap(s, f.gap[i], size);
    return 1;
}

/* The contact of shapes a and b, of which a is `of_a`; 1, 0 or -1 as of abut_contact_find. */
static int find_contact(Search *s, int32_t a, const AbutGrownBody *of_a, int32_t b, AbutContact *out) {
    const AbutScene *scene = s->scene;
    AbutGrownBody room;
    const AbutGrownBody *of_b = abut_grown_with(&s->grown, scene, b, s->own);
    of_a = abut_grown_beside(of_a, of_b, &room);
    AbutGrownPair pair = {
        of_a, of_b, abut_shape_pose(scene, &scene->shape[a]), abut_shape_pose(scene, &scene->shape[b])};
    if (!s->features &&
        abut_convex_meet(&of_a->convex, &of_b->convex, abut_pose_between(pair.pose_a, pair.pose_b), NULL) == 0)
        return 0;
    int found = s->features ? find_features(s, &pair, out)
                            : abut_contact_find(&pair, s->workspace, s->grown.workspace_bytes, out);
    if (found > 0) name_sides(scene, a, b, out);
    return found;
}

/* The contact of two shapes joins the list. */
static AbutStatus add_contact(Search *s, int32_t a, const AbutGrownBody *of_a, int32_t b, AbutError *error) {
    AbutScenePair pair = {.a = a, .b = b, .piece = -1};
    if (s->features && abut_pair_has_features(s->scene, &pair)) return add_mesh_contacts(s, a, b, error);
    if (!abut_grow(
            (void **)&s->found.contacts, &s->found_capacity, (size_t)s->found.count + 1, sizeof *s->found.contacts))
        return abut_fail_memory(error);
    int found = find_contact(s, a, of_a, b, &s->found.contacts[s->found.count]);
    if (found < 0) return abut_fail(error, ABUT_ERROR_NUMBER, "shapes %d and %d: rounding leaves no contact", a, b);
    s->found.count += found;
    return ABUT_OK;
}

/* Contacts of a shape with the pieces of a height field. */
typedef struct OnField {
    Search *search;
    int32_t field, other;
    AbutStatus status;
    AbutError *error;
} OnField;

static int add_piece(int32_t number, void *user) {
    OnField *on = user;
    Search *s = on->search;
    AbutGrownPiece *piece;
    double margin = abut_grown_with(&s->grown, s->scene, on->field, s->own)->margin;
    on->status = abut_grown_piece_create(&s->scene->shape[on->field], number, margin, &piece, on->error);
    if (on->status == ABUT_OK) on->status = add_contact(s, on->field, &piece->body, on->other, on->error);
    abut_grown_piece_free(piece);
    return on->status == ABUT_OK;
}

static AbutStatus add_on_field(Search *s, int32_t field, int32_t other, AbutError *error) {
    const AbutShape *shape = &s->scene->shape[field];
    OnField on = {s, field, other, ABUT_OK, error};
    AbutAabb box =
        abut_shape_box_inside(s->scene, shape, abut_shape_box(s->scene, &s->scene->shape[other]), 2.0 * s->margin);
    abut_height_visit(abut_shape_grid(shape), box, add_piece, &on);
    return on.status;
}

static AbutStatus find_all(Search *s, AbutError *error) {
    for (int32_t k = 0; k < s->key_count; ++k) {
        int32_t low = (int32_t)(s->key[k] >> 32), high = (int32_t)(s->key[k] & UINT32_MAX);
        int low_is_fixed = s->scene->body[s->scene->shape[low].body].inv_mass == 0.0;
        int32_t a = low_is_fixed ? low : high, b = low_is_fixed ? high : low;
        s->own = abut_scene_pair_margin(s->scene, a, b);
        ABUT_TRY(abut_shape_grid(&s->scene->shape[a])
                     ? add_on_field(s, a, b, error)
                     : add_contact(s, a, abut_grown_with(&s->grown, s->scene, a, s->own), b, error));
    }
    return ABUT_OK;
}

AbutStatus abut_scene_find_contacts(
    const AbutScene *scene, double margin, int features, AbutContactList *out, AbutError *error) {
    ABUT_ASSERT(scene && out);
    Search s = {.scene = scene, .features = features};
    AbutMarginRule rule = {margin < 0.0 ? -1.0 : margin, ABUT_MARGIN_SIZE, 0.0, 0, 0};
    memset(out, 0, sizeof *out);
    if (!isfinite(margin))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "margin %g: expected a length, or a negative number for the chosen one", margin);
    AbutStatus status = abut_grown_set_update(&s.grown, scene, rule, error);
    if (status == ABUT_OK) status = abut_grown_set_finish(&s.grown, scene, ABUT_GROW_ALL, 1, error);
    if (status == ABUT_OK) {
        s.margin = s.grown.largest;
        s.workspace = abut_alloc(s.grown.workspace_bytes);
        status = s.workspace && list_pairs(&s) ? find_all(&s, error) : abut_fail_memory(error);
    }
    if (status == ABUT_OK)
        *out = s.found;
    else
        abut_contact_list_free(&s.found);
    end_search(&s);
    return status;
}
