/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of a scene as point contacts of the mode room, one per vertex of each contact polygon, and the mode that the
 * bodies are in.
 */
#include "scene/scene.h"

#include <string.h>

typedef struct Numbering {
    const AbutScene *scene;
    AbutModeBody *bodies;
    AbutBodyId *ids;
    int count;
} Numbering;

static void end_numbering(Numbering *n)
{
    abut_free(n->bodies);
    abut_free(n->ids);
}

/* Numbers the dynamic bodies. */
static AbutStatus number_bodies(const AbutScene *scene, Numbering *n, AbutError *error)
{
    int all = abut_scene_body_count(scene);
    *n = (Numbering){.scene = scene};
    if (scene->robot_tree_count > 0)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "modes are of bodies without joints; the scene has a robot");
    n->bodies = abut_alloc_array((size_t)all + 1, sizeof *n->bodies);
    n->ids = abut_alloc_array((size_t)all + 1, sizeof *n->ids);
    if (!n->bodies || !n->ids) {
        end_numbering(n);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d bodies", all);
    }
    for (int i = 0; i < all; ++i) {
        AbutBodyState state;
        AbutBodyId id = abut_scene_body_at(scene, i);
        if (!abut_scene_get_body(scene, id, &state) || state.kind != ABUT_BODY_DYNAMIC)
            continue;
        n->bodies[n->count] =
            (AbutModeBody){.kind = ABUT_MODE_BODY_FREE, .first_dof = 6 * n->count, .position = state.center};
        n->ids[n->count++] = id;
    }
    return ABUT_OK;
}

/* Ids lie in the order of their places: found by halving. -1: not a dynamic body. */
static int number_of(const Numbering *n, AbutBodyId id)
{
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

static AbutPointContact vertex_contact(const AbutContact *c, int i, int a, int b)
{
    AbutPointContact out = {.point = c->vertex[i].point, .normal = c->normal, .body_a = a, .body_b = b};
    out.tangent_x = abut_perpendicular(c->normal);
    out.tangent_y = abut_cross(c->normal, out.tangent_x);
    return out;
}

AbutStatus abut_scene_mode_system(
    const AbutScene *scene, const AbutContactList *list, int lines, AbutModeSystem *out, AbutError *error)
{
    ABUT_ASSERT(scene && list && out);
    Numbering n;
    int count = abut_contact_list_vertices(list), at = 0;
    memset(out, 0, sizeof *out);
    if (count > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%d contact vertices are more than %d", count, ABUT_MODE_SIZE);
    AbutStatus status = number_bodies(scene, &n, error);
    if (status != ABUT_OK)
        return status;
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
        .dof = 6 * n.count,
        .lines = lines};
    status = contacts ? abut_mode_system_build(&def, out, error)
                      : abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d contacts", count);
    abut_free(contacts);
    end_numbering(&n);
    return status;
}

/* ---- the mode of the velocities ---------------------------------------------------------------------------------- */

static AbutVec3 velocity_at(const AbutBodyState *body, AbutVec3 point)
{
    return abut_add(body->velocity, abut_cross(body->spin, abut_sub(point, body->center)));
}

static void set_bit(uint64_t *words, int bit)
{
    words[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

/* Signs of one vertex: `v` is the velocity of B against A there. */
static void put_signs(
    const AbutPointContact *c, AbutVec3 v, double speed, int index, int count, int lines, AbutMode out)
{
    if (abut_dot(c->normal, v) > speed) {
        set_bit(out.plus, index);
        return;
    }
    for (int k = 0; k < lines; ++k) {
        double angle = ABUT_PI * k / lines, cosine = 2 * k == lines ? 0.0 : abut_cos(angle);
        double along = cosine * abut_dot(c->tangent_x, v) + abut_sin(angle) * abut_dot(c->tangent_y, v);
        if (fabs(along) > speed)
            set_bit(along > 0.0 ? out.plus : out.minus, count + index * lines + k);
    }
}

AbutStatus abut_scene_mode(
    const AbutScene *scene, const AbutContactList *list, int lines, double speed, AbutMode out, AbutError *error)
{
    ABUT_ASSERT(scene && list && out.plus && out.minus);
    int count = abut_contact_list_vertices(list), index = 0;
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
