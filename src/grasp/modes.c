/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of a scene as point contacts of the mode room, one per vertex of each contact polygon, and the mode that the
 * bodies are in. A link of a robot has a Jacobian: its twist from the velocities of the joints of its tree.
 */
#include "grasp/modes.h"

#include <string.h>

/* Relative error of the rows: that of normals and points, or some times the largest gap between the bodies, which moves
 * points of one body out of line with each other. */
static const double LEAST_TOLERANCE = 1e-6, MOST_TOLERANCE = 1e-3, GAP_FACTOR = 4.0;

typedef struct Numbering {
    const AbutScene *scene;
    AbutModeBody *bodies;
    AbutBodyId *ids;
    int *first;        /* per tree: its first velocity */
    double *jacobians; /* of the links, 6 x dof each */
    double *own;       /* of a link in the velocities of its tree alone */
    int count, dof;
} Numbering;

static void end_numbering(Numbering *n) {
    abut_free(n->bodies);
    abut_free(n->ids);
    abut_free(n->first);
    abut_free(n->jacobians);
    abut_free(n->own);
}

/* Room for all bodies; links need a Jacobian each. */
static AbutStatus make_room(Numbering *n, AbutError *error) {
    const AbutScene *scene = n->scene;
    size_t all = (size_t)scene->live_count + 1, links = 0, widest = 0;
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) {
        const AbutConfiguration *c = scene->robot_tree[t].configuration;
        links += (size_t)c->tree->link_count;
        widest = (size_t)c->tree->nv > widest ? (size_t)c->tree->nv : widest;
    }
    n->bodies = abut_alloc_array(all, sizeof *n->bodies);
    n->ids = abut_alloc_array(all, sizeof *n->ids);
    n->first = abut_alloc_array((size_t)scene->robot_tree_count + 1, sizeof *n->first);
    n->jacobians = abut_alloc_array(links * (size_t)n->dof + 1, 6 * sizeof *n->jacobians);
    n->own = abut_alloc_array(widest + 1, 6 * sizeof *n->own);
    if (n->bodies && n->ids && n->first && n->jacobians && n->own) return ABUT_OK;
    end_numbering(n);
    return abut_fail_memory(error);
}

/* The twist of the center of mass of a link along world axes, from all velocities. */
static void put_jacobian(const Numbering *n, const AbutBody *body, double *out) {
    const AbutConfiguration *c = n->scene->robot_tree[body->tree].configuration;
    size_t wide = (size_t)n->dof, own = (size_t)c->tree->nv;
    abut_configuration_jacobian(c, c->tree->links[body->link].body, body->x, n->own);
    memset(out, 0, 6 * wide * sizeof *out);
    for (size_t k = 0; k < 6; ++k)
        memcpy(out + k * wide + (size_t)n->first[body->tree], n->own + k * own, own * sizeof *out);
}

/* Numbers what moves: free bodies and links. */
static AbutStatus number_bodies(const AbutScene *scene, Numbering *n, AbutError *error) {
    int at = 0, links = 0;
    *n = (Numbering){.scene = scene, .dof = abut_scene_mode_dof(scene)};
    if (n->dof > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%d velocities are more than %d", n->dof, ABUT_MODE_SIZE);
    AbutStatus status = make_room(n, error);
    if (status != ABUT_OK) return status;
    for (int32_t i = 0; i < scene->live_count; ++i) {
        const AbutBody *body = &scene->body[scene->live[i]];
        if (body->tree >= 0 && body->link == 0)
            n->first[body->tree] = at;
        else if (body->tree < 0 && body->kind == ABUT_BODY_DYNAMIC)
            n->bodies[n->count] = (AbutModeBody){.kind = ABUT_MODE_BODY_FREE, .first_dof = at, .position = body->x};
        else if (body->tree < 0)
            continue;
        at += abut_scene_mode_width(scene, body);
        n->ids[n->count++] = abut_scene_body_id(scene, scene->live[i]);
    }
    for (int i = 0; i < n->count; ++i) {
        const AbutBody *body = &scene->body[abut_scene_body_place(scene, n->ids[i])];
        if (body->tree < 0) continue;
        double *jacobian = n->jacobians + 6 * (size_t)links++ * (size_t)n->dof;
        put_jacobian(n, body, jacobian);
        n->bodies[i] = (AbutModeBody){.kind = ABUT_MODE_BODY_JACOBIAN,
            .position = body->x,
            .rotation = abut_mat3_identity(),
            .jacobian = jacobian};
    }
    return ABUT_OK;
}

/* Ids lie in the order of their places: found by halving. -1: it does not move. */
static int number_of(const Numbering *n, AbutBodyId id) {
    int low = 0, high = n->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (n->ids[middle].index1 < id.index1)
            low = middle + 1;
        else
            high = middle;
    }
    return n->count > 0 && n->ids[low].index1 == id.index1 ? low : -1;
}

static int count_vertices(const AbutContactList *list) {
    int count = 0;
    for (int32_t k = 0; k < list->count; ++k) count += list->contacts[k].vertex_count;
    return count;
}

static AbutPointContact vertex_contact(const AbutContact *c, int i, int a, int b) {
    AbutPointContact out = {.point = c->vertex[i].point, .normal = c->normal, .body_a = a, .body_b = b};
    out.tangent_x = abut_perpendicular(c->normal);
    out.tangent_y = abut_cross(c->normal, out.tangent_x);
    return out;
}

AbutStatus abut_scene_mode_rows(
    const AbutScene *scene, const AbutContactList *list, int lines, AbutModeSystem *out, AbutError *error) {
    Numbering n;
    int count = count_vertices(list), at = 0;
    memset(out, 0, sizeof *out);
    if (count > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%d contact vertices are more than %d", count, ABUT_MODE_SIZE);
    AbutStatus status = number_bodies(scene, &n, error);
    if (status != ABUT_OK) return status;
    AbutPointContact *contacts = abut_alloc_array((size_t)count + 1, sizeof *contacts);
    for (int32_t k = 0; contacts && k < list->count; ++k) {
        const AbutContact *c = &list->contacts[k];
        for (int i = 0; i < c->vertex_count; ++i)
            contacts[at++] = vertex_contact(c, i, number_of(&n, c->body_a), number_of(&n, c->body_b));
    }
    AbutModeSystemDef def = {.contacts = contacts,
        .contact_count = at,
        .bodies = n.bodies,
        .body_count = n.count,
        .dof = n.dof,
        .lines = lines};
    status = contacts ? abut_mode_system_build(&def, out, error) : abut_fail_memory(error);
    out->tolerance = abut_larger(LEAST_TOLERANCE, abut_smaller(GAP_FACTOR * list->noise, MOST_TOLERANCE));
    abut_free(contacts);
    end_numbering(&n);
    return status;
}

AbutStatus abut_scene_mode_system(
    const AbutScene *scene, const AbutContactList *list, int lines, AbutModeSystem *out, AbutError *error) {
    ABUT_ASSERT(scene && list && out);
    double *basis = NULL;
    int count;
    AbutStatus status = abut_scene_mode_rows(scene, list, lines, out, error);
    if (status == ABUT_OK) status = abut_scene_mode_basis(scene, &basis, &count, error);
    AbutModeSystem all = *out;
    if (status == ABUT_OK && basis) status = abut_mode_system_restrict(&all, basis, count, out, error);
    if (status != ABUT_OK || basis) abut_mode_system_free(&all);
    if (status != ABUT_OK) memset(out, 0, sizeof *out);
    abut_free(basis);
    return status;
}

/* ---- the mode of the velocities ---------------------------------------------------------------------------------- */

static AbutVec3 velocity_at(const AbutBodyState *body, AbutVec3 point) {
    return abut_add(body->velocity, abut_cross(body->spin, abut_sub(point, body->center)));
}

static void set_bit(uint64_t *words, int bit) { words[bit >> 6] |= (uint64_t)1 << (bit & 63); }

/* Signs of one vertex: `v` is the velocity of B against A there. */
static void put_signs(
    const AbutPointContact *c, AbutVec3 v, double speed, int index, int count, int lines, AbutMode out) {
    if (abut_dot(c->normal, v) > speed) {
        set_bit(out.plus, index);
        return;
    }
    for (int k = 0; k < lines; ++k) {
        double angle = ABUT_PI * k / lines, cosine = 2 * k == lines ? 0.0 : abut_cos(angle);
        double along = cosine * abut_dot(c->tangent_x, v) + abut_sin(angle) * abut_dot(c->tangent_y, v);
        if (fabs(along) > speed) set_bit(along > 0.0 ? out.plus : out.minus, count + index * lines + k);
    }
}

AbutStatus abut_scene_mode(
    const AbutScene *scene, const AbutContactList *list, int lines, double speed, AbutMode out, AbutError *error) {
    ABUT_ASSERT(scene && list && out.plus && out.minus);
    int count = count_vertices(list), index = 0;
    AbutModeSystem sizes = {.contacts = count, .lines = lines};
    if (!(speed >= 0.0) || lines < 0 || lines > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "speed %g, %d lines: out of range", speed, lines);
    size_t bytes = sizeof(uint64_t) * (size_t)abut_mode_words(&sizes, 0);
    memset(out.plus, 0, bytes);
    memset(out.minus, 0, bytes);
    for (int32_t k = 0; k < list->count; ++k) {
        const AbutContact *contact = &list->contacts[k];
        AbutBodyState a, b;
        if (!abut_scene_get_body(scene, contact->body_a, &a) || !abut_scene_get_body(scene, contact->body_b, &b))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: one of its bodies was removed", k);
        for (int i = 0; i < contact->vertex_count; ++i) {
            AbutPointContact c = vertex_contact(contact, i, -1, -1);
            put_signs(
                &c, abut_sub(velocity_at(&b, c.point), velocity_at(&a, c.point)), speed, index++, count, lines, out);
        }
    }
    return ABUT_OK;
}
