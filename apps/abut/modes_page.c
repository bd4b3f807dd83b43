/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes of a system as a page: bodies, contacts, and for each mode its signs, its rank, a velocity inside it and
 * whether forces go with it. Twists are of the origin of the body frame as the page has it, world axes; the fastest
 * point of a mode has the speed 1.
 */
#include "modes_page.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MODES = 2000 };

typedef struct ModesPage {
    const ModesArgs *args;
    const ModesSystem *system;
    AbutModeSystem rows;          /* without lines when only contacts are told apart; shares the memory of `system` */
    const AbutModeForces *forces; /* NULL: not known */
    ModesBodies bodies;
    AbutModeList list;
    char *text; /* all sign strings */
    const char **texts;
    int32_t *ranks;
    int8_t *feasible;
    double *twists, *velocity;
    AbutPointContact *contacts;
} ModesPage;

static void free_page(ModesPage *p)
{
    abut_mode_list_free(&p->list);
    modes_bodies_free(&p->bodies);
    free(p->text);
    free((void *)p->texts);
    free(p->ranks);
    free(p->feasible);
    free(p->twists);
    free(p->velocity);
    free(p->contacts);
}

static AbutStatus make_room(ModesPage *p, AbutError *error)
{
    size_t count = p->list.count + 1, n = (size_t)p->rows.contacts;
    p->text = malloc(count * (n * (1 + (size_t)p->rows.lines) + 1));
    p->texts = calloc(count, sizeof *p->texts);
    p->ranks = calloc(count, sizeof *p->ranks);
    p->feasible = calloc(count, sizeof *p->feasible);
    p->twists = calloc(count * (size_t)p->bodies.model->body_count * 6, sizeof *p->twists);
    p->velocity = calloc((size_t)p->rows.dof + 1, sizeof *p->velocity);
    p->contacts = calloc(n + 1, sizeof *p->contacts);
    if (!p->text || !p->texts || !p->ranks || !p->feasible || !p->twists || !p->velocity || !p->contacts)
        return abut_fail_memory(error);
    return ABUT_OK;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* Velocity of the frame of a body of the rows and its angular velocity, world axes. */
static void body_velocity(const AbutModeBody *body, const double *x, int dof, AbutVec3 *v, AbutVec3 *w)
{
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
            for (int j = 0; j < dof; ++j)
                twist[k] += body->jacobian[(size_t)k * (size_t)dof + (size_t)j] * x[j];
        *v = abut_mat3_apply(body->rotation, abut_vec3(twist[0], twist[1], twist[2]));
        *w = abut_mat3_apply(body->rotation, abut_vec3(twist[3], twist[4], twist[5]));
    }
}

static double point_speed(const ModesPage *p, const double *twists, int body, AbutVec3 point)
{
    if (body < 0)
        return 0.0;
    const double *t = twists + 6 * body;
    AbutVec3 arm = abut_sub(point, p->bodies.model->bodies[body].pose.p);
    return abut_length(abut_add(abut_vec3(t[0], t[1], t[2]), abut_cross(abut_vec3(t[3], t[4], t[5]), arm)));
}

/* Fastest origin or contact point: speed 1. What is next to nothing beside it is nothing. */
static void scale_twists(const ModesPage *p, double *twists)
{
    static const double NOTHING = 1e-9;
    double fastest = 0.0;
    for (int b = 0; b < p->bodies.model->body_count; ++b)
        fastest = fmax(fastest, point_speed(p, twists, b, p->bodies.model->bodies[b].pose.p));
    for (int i = 0; i < p->rows.contacts; ++i) {
        fastest = fmax(fastest, point_speed(p, twists, p->contacts[i].body_a, p->contacts[i].point));
        fastest = fmax(fastest, point_speed(p, twists, p->contacts[i].body_b, p->contacts[i].point));
    }
    for (int k = 0; k < 6 * p->bodies.model->body_count; ++k) {
        twists[k] = fastest > 0.0 ? twists[k] / fastest : 0.0;
        twists[k] = fabs(twists[k]) < NOTHING ? 0.0 : twists[k];
    }
}

static void put_twists(const ModesPage *p, double *twists)
{
    const AbutModeSystemDef *def = p->rows.def;
    for (int b = 0; b < def->body_count; ++b) {
        AbutVec3 v, w;
        int place = p->bodies.place[b];
        body_velocity(&def->bodies[b], p->velocity, def->dof, &v, &w);
        v = abut_add(v, abut_cross(w, abut_sub(p->bodies.model->bodies[place].pose.p, def->bodies[b].position)));
        for (int k = 0; k < 3; ++k) {
            twists[6 * place + k] = abut_get(v, k);
            twists[6 * place + 3 + k] = abut_get(w, k);
        }
    }
    scale_twists(p, twists);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static AbutStatus put_mode(ModesPage *p, size_t i, AbutError *error)
{
    AbutMode mode = abut_mode_list_get(&p->list, i);
    size_t width = (size_t)p->rows.contacts * (1 + (size_t)p->rows.lines) + 1;
    char *text = p->text + i * width;
    abut_mode_text(&p->rows, 0, mode, text, width);
    p->texts[i] = text;
    AbutStatus status = abut_mode_velocity(&p->rows, mode, p->velocity, error);
    p->ranks[i] = abut_mode_dimension(&p->rows, mode);
    if (status != ABUT_OK)
        return status;
    put_twists(p, p->twists + i * (size_t)p->bodies.model->body_count * 6);
    if (p->forces) {
        AbutModeForceResult result;
        status = abut_mode_force_feasible(&p->rows, mode, p->forces, &result, NULL, NULL, error);
        p->feasible[i] = status == ABUT_OK && result.feasible;
    }
    return status;
}

AbutStatus modes_collect(const ModesArgs *args, const ModesSystem *system, const int8_t *cs, int most, const char *who,
    AbutModeList *list, int *complete, AbutError *error)
{
    AbutModeResult result;
    AbutModeOptions options = modes_options(args, cs);
    if (options.limit == 0 || options.limit > (uint64_t)most)
        options.limit = (uint64_t)most + 1;
    AbutStatus status = abut_mode_collect(&system->rows, &options, list, &result, error);
    *complete = result.complete;
    if (status == ABUT_OK && list->count > (size_t)most)
        status = abut_fail(error, ABUT_ERROR_LIMIT,
            "%s shows at most %d modes, and there are more: choose with --of or --cs, or stop with --limit", who, most);
    return status;
}

/* Place of a body of the scene on the page, which shows all of them in their order. */
static int place_of(const AbutScene *scene, AbutBodyId id)
{
    int place = abut_scene_body_count(scene) - 1;
    while (place >= 0 && abut_scene_body_at(scene, place).index1 != id.index1)
        --place;
    return place;
}

/* Contacts of a scene name bodies that stand still, too: these are on the page. */
static void name_bodies(ModesPage *p)
{
    const ModesSystem *s = p->system;
    int n = 0;
    for (int k = 0; k < s->contacts.count; ++k) {
        const AbutContact *c = &s->contacts.contacts[k];
        for (int i = 0; i < c->vertex_count; ++i, ++n) {
            p->contacts[n].body_a = place_of(s->scene, c->body_a);
            p->contacts[n].body_b = place_of(s->scene, c->body_b);
        }
    }
}

static void put_contacts(ModesPage *p)
{
    for (int i = 0; i < p->rows.contacts; ++i) {
        AbutPointContact c = p->rows.def->contacts[i];
        c.normal = abut_normalize(c.normal);
        c.body_a = c.body_a < 0 ? -1 : p->bodies.place[c.body_a];
        c.body_b = c.body_b < 0 ? -1 : p->bodies.place[c.body_b];
        p->contacts[i] = c;
    }
    name_bodies(p);
}

static AbutStatus write_page(const ModesPage *p, int complete, AbutError *error)
{
    char title[200], subtitle[200], note[200];
    const ModesArgs *a = p->args;
    snprintf(title, sizeof title, "Contact modes of %.150s", cli_base_name(a->source));
    if (p->rows.lines > 0)
        snprintf(subtitle, sizeof subtitle, "%d contacts, %d velocities, %d dividing lines each%s%.80s",
            p->rows.contacts, p->rows.dof, p->rows.lines, a->of ? ", modes of " : "", a->of ? a->of : "");
    else
        snprintf(subtitle, sizeof subtitle, "%d contacts, %d velocities, contacting or separating", p->rows.contacts,
            p->rows.dof);
    snprintf(note, sizeof note, "%s%s", complete ? "" : "Not all modes: stopped early. ",
        !p->forces                                       ? ""
        : a->wrench && strcmp(a->wrench, "gravity") != 0 ? "Green: contact forces can balance the force that acts."
                                                         : "Green: contact forces can balance the weights.");
    AbutPageHead head = {.title = title, .subtitle = subtitle, .note = note};
    AbutPageModes page = {.model = p->bodies.model};
    page.contacts = p->contacts;
    page.contact_count = p->rows.contacts;
    page.lines = p->rows.lines;
    page.mode_count = (int32_t)p->list.count;
    page.texts = p->texts;
    page.ranks = p->ranks;
    page.feasible = p->forces ? p->feasible : NULL;
    page.twists = p->twists;
    return abut_page_write_modes(a->page, &head, &page, error);
}

int modes_write_page(const CliCommand *command, const ModesArgs *args, const ModesSystem *system, const int8_t *cs,
    const AbutModeForces *forces)
{
    AbutError error;
    int complete = 0;
    ModesPage p = {.args = args, .system = system, .rows = system->rows, .forces = forces};
    AbutModeForces weights = {.force = system->force, .friction = system->friction};
    if (!system->rows.def)
        return cli_error(command, "--html: the page shows contacts, but %s has rows alone", args->source);
    if (args->cs)
        p.rows.lines = 0;
    else if (!forces && system->force && p.rows.lines > 0)
        p.forces = &weights;
    AbutStatus status = modes_collect(args, system, cs, MOST_MODES, "--html: a page", &p.list, &complete, &error);
    if (status == ABUT_OK)
        status = modes_bodies_make(args->source, system, &p.bodies, &error);
    if (status == ABUT_OK)
        status = make_room(&p, &error);
    if (status == ABUT_OK)
        put_contacts(&p);
    for (size_t i = 0; i < p.list.count && status == ABUT_OK; ++i)
        status = put_mode(&p, i, &error);
    if (status == ABUT_OK)
        status = write_page(&p, complete, &error);
    free_page(&p);
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}
