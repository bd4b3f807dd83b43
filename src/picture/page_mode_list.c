/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes of a system as a page: bodies, contacts, and for each mode its signs, its rank, a velocity inside it and
 * whether forces go with it. Twists are of the origin of the body frame as the page has it, world axes; the fastest
 * point of a mode has the speed 1.
 */
#include "base/pool.h"
#include "picture/mode_bodies.h"

#include <math.h>
#include <string.h>

typedef struct Page {
    AbutModeSystem rows; /* shares the memory of the system */
    const AbutModeForces *forces;
    const AbutModeList *list;
    AbutModel *model;
    int *place; /* body of the rows to body of the model */
    char *text; /* all sign strings */
    const char **texts;
    int32_t *ranks;
    int8_t *feasible;
    double *twists, *velocity;
    AbutPointContact *contacts;
    AbutPool pool; /* of all arrays */
} Page;

static AbutStatus make_room(Page *p, AbutError *error) {
    size_t count = p->list->count + 1, n = (size_t)p->rows.contacts;
    size_t numbers = count * (size_t)p->model->body_count * 6;
    int good = 1;
    p->text = abut_pool_take_array(&p->pool, count * (n * (1 + (size_t)p->rows.lines) + 1), 1, &good);
    p->texts = abut_pool_take_array(&p->pool, count, sizeof *p->texts, &good);
    p->ranks = abut_pool_take_array(&p->pool, count, sizeof *p->ranks, &good);
    p->feasible = abut_pool_take_array(&p->pool, count, sizeof *p->feasible, &good);
    p->twists = abut_pool_take_array(&p->pool, numbers, sizeof *p->twists, &good); /* 0 for bodies that stand */
    p->velocity = abut_pool_take_array(&p->pool, (size_t)p->rows.dof, sizeof *p->velocity, &good);
    p->contacts = abut_pool_take_array(&p->pool, n, sizeof *p->contacts, &good);
    return good ? ABUT_OK : abut_fail_memory(error);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* Velocity of the frame of a body of the rows and its angular velocity, world axes. */
static void body_velocity(const AbutModeBody *body, const double *x, int dof, AbutVec3 *v, AbutVec3 *w) {
    const double *own = x + body->first_dof;
    *v = *w = abut_zero();
    if (body->kind == ABUT_MODE_BODY_FREE) {
        *v = abut_vec3(own[0], own[1], own[2]);
        *w = abut_vec3(own[3], own[4], own[5]);
    } else if (body->kind == ABUT_MODE_BODY_PLANAR) {
        *v = abut_vec3(own[0], own[1], 0.0);
        *w = abut_vec3(0.0, 0.0, own[2]);
    } else if (body->kind == ABUT_MODE_BODY_JACOBIAN) {
        double twist[6] = {0};
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < dof; ++j) twist[k] += body->jacobian[(size_t)k * (size_t)dof + (size_t)j] * x[j];
        *v = abut_mat3_apply(body->rotation, abut_vec3(twist[0], twist[1], twist[2]));
        *w = abut_mat3_apply(body->rotation, abut_vec3(twist[3], twist[4], twist[5]));
    }
}

static double point_speed(const Page *p, const double *twists, int body, AbutVec3 point) {
    if (body < 0) return 0.0;
    const double *t = twists + 6 * body;
    AbutVec3 arm = abut_sub(point, p->model->bodies[body].pose.p);
    return abut_length(abut_add(abut_vec3(t[0], t[1], t[2]), abut_cross(abut_vec3(t[3], t[4], t[5]), arm)));
}

/* Fastest origin or contact point: speed 1. Speeds negligible beside it are zero. */
static void scale_twists(const Page *p, double *twists) {
    static const double NOTHING = 1e-9;
    double fastest = 0.0;
    for (int b = 0; b < p->model->body_count; ++b)
        fastest = fmax(fastest, point_speed(p, twists, b, p->model->bodies[b].pose.p));
    for (int i = 0; i < p->rows.contacts; ++i) {
        fastest = fmax(fastest, point_speed(p, twists, p->contacts[i].body_a, p->contacts[i].point));
        fastest = fmax(fastest, point_speed(p, twists, p->contacts[i].body_b, p->contacts[i].point));
    }
    for (int k = 0; k < 6 * p->model->body_count; ++k) {
        twists[k] = fastest > 0.0 ? twists[k] / fastest : 0.0;
        twists[k] = fabs(twists[k]) < NOTHING ? 0.0 : twists[k];
    }
}

static void put_twists(const Page *p, double *twists) {
    const AbutModeSystemDef *def = p->rows.def;
    for (int b = 0; b < def->body_count; ++b) {
        AbutVec3 v, w;
        int place = p->place[b];
        body_velocity(&def->bodies[b], p->velocity, def->dof, &v, &w);
        v = abut_add(v, abut_cross(w, abut_sub(p->model->bodies[place].pose.p, def->bodies[b].position)));
        for (int k = 0; k < 3; ++k) {
            twists[6 * place + k] = abut_get(v, k);
            twists[6 * place + 3 + k] = abut_get(w, k);
        }
    }
    scale_twists(p, twists);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static AbutStatus put_mode(Page *p, size_t i, AbutError *error) {
    AbutMode mode = abut_mode_list_get(p->list, i);
    size_t width = (size_t)p->rows.contacts * (1 + (size_t)p->rows.lines) + 1;
    char *text = p->text + i * width;
    abut_mode_text(&p->rows, 0, mode, text, width);
    p->texts[i] = text;
    AbutStatus status = abut_mode_velocity(&p->rows, mode, p->velocity, error);
    (void)abut_mode_dimension(&p->rows, mode, &p->ranks[i], NULL);
    if (status != ABUT_OK) return status;
    put_twists(p, p->twists + i * (size_t)p->model->body_count * 6);
    if (p->forces) {
        AbutModeForceResult result;
        status = abut_mode_force_feasible(&p->rows, mode, p->forces, &result, NULL, NULL, error);
        p->feasible[i] = status == ABUT_OK && result.feasible;
    }
    return status;
}

/* Place of a body of the scene on the page, which shows all of them in their order. */
static int place_of(const AbutScene *scene, AbutBodyId id) {
    int place = abut_scene_body_count(scene) - 1;
    while (place >= 0 && abut_scene_body_at(scene, place).index1 != id.index1) --place;
    return place;
}

/* Contacts of a scene name bodies that stand still, too: these are on the page. */
static void name_bodies(Page *p, const AbutScene *scene, const AbutContactList *list) {
    int n = 0;
    for (int k = 0; k < list->count; ++k)
        for (int i = 0; i < list->contacts[k].vertex_count; ++i, ++n) {
            p->contacts[n].body_a = place_of(scene, list->contacts[k].body_a);
            p->contacts[n].body_b = place_of(scene, list->contacts[k].body_b);
        }
}

static void put_contacts(Page *p) {
    for (int i = 0; i < p->rows.contacts; ++i) {
        AbutPointContact c = p->rows.def->contacts[i];
        c.normal = abut_normalize(c.normal);
        c.body_a = c.body_a < 0 ? -1 : p->place[c.body_a];
        c.body_b = c.body_b < 0 ? -1 : p->place[c.body_b];
        p->contacts[i] = c;
    }
}

AbutStatus abut_page_write_mode_list(
    const char *path, const AbutPageHead *head, const AbutPageModeList *modes, AbutError *error) {
    ABUT_ASSERT(path && head && modes && modes->rows && modes->rows->def && modes->list);
    const AbutModeSystemDef *def = modes->rows->def;
    Page p = {.rows = *modes->rows, .forces = modes->forces, .list = modes->list};
    if (modes->contacts_only) p.rows.lines = 0;
    int good = 1;
    p.place = abut_pool_take_array(&p.pool, (size_t)def->body_count, sizeof *p.place, &good);
    AbutStatus status =
        good ? abut_mode_bodies(modes->source, modes->scene, def, &p.model, p.place, error) : abut_fail_memory(error);
    if (status == ABUT_OK) status = make_room(&p, error);
    if (status == ABUT_OK) put_contacts(&p);
    if (status == ABUT_OK && modes->scene && modes->contacts) name_bodies(&p, modes->scene, modes->contacts);
    for (size_t i = 0; i < p.list->count && status == ABUT_OK; ++i) status = put_mode(&p, i, error);
    AbutPageModes page = {.model = p.model,
        .contacts = p.contacts,
        .contact_count = p.rows.contacts,
        .lines = p.rows.lines,
        .mode_count = (int32_t)p.list->count,
        .texts = p.texts,
        .ranks = p.ranks,
        .feasible = p.forces ? p.feasible : NULL,
        .twists = p.twists};
    if (status == ABUT_OK) status = abut_page_write_modes(path, head, &page, error);
    abut_model_free(p.model);
    abut_pool_free(&p.pool);
    return status;
}
