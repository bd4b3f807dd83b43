/* SPDX-License-Identifier: Apache-2.0 */
/* The modes of a system as a page, and as the picture of a lattice; and the grasp of a body: its matrix, the Jacobian
 * of what holds it, rank and force closure. */
#include "modes.h"

#include <string.h>

enum { MOST_MODES = 2000 };

/* All modes, or a failure where there are too many, which begins with `who`. */
static int collect(
    const ModesArgs *args, const ModesSystem *system, const int8_t *cs, const char *who, AbutModeList *list) {
    AbutModeResult result;
    AbutModeOptions options = modes_options(args, cs);
    if (options.limit == 0 || options.limit > MOST_MODES) options.limit = MOST_MODES + 1;
    cli_need(abut_mode_collect(&system->rows, &options, list, &result, &cli_why));
    if (list->count > MOST_MODES)
        cli_error("%s shows at most %d modes, and there are more: choose with --of or --cs, or stop with --limit", who,
            MOST_MODES);
    return result.complete;
}

void modes_write_page(const ModesArgs *a, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces) {
    char title[200], subtitle[200], note[200];
    int lines = a->cs ? 0 : system->rows.lines;
    AbutModeList list = {0};
    AbutModeForces weights = {.force = system->force, .friction = system->friction};
    if (!system->rows.def) cli_error("--html: the page shows contacts, but %s has rows alone", a->source);
    if (!forces && system->force && lines > 0) forces = &weights;
    int complete = collect(a, system, cs, "--html: a page", &list);
    snprintf(title, sizeof title, "Contact modes of %.150s", cli_base_name(a->source));
    int length =
        snprintf(subtitle, sizeof subtitle, "%d contacts, %d velocities, ", system->rows.contacts, system->rows.dof);
    if (lines > 0)
        snprintf(subtitle + length, sizeof subtitle - (size_t)length, "%d dividing lines each%s%.80s", lines,
            a->of ? ", modes of " : "", a->of ? a->of : "");
    else
        snprintf(subtitle + length, sizeof subtitle - (size_t)length, "contacting or separating");
    snprintf(note, sizeof note, "%s%s", complete ? "" : "Not all modes: stopped early. ",
        !forces                                          ? ""
        : a->wrench && strcmp(a->wrench, "gravity") != 0 ? "Green: contact forces can balance the force that acts."
                                                         : "Green: contact forces can balance the weights.");
    AbutPageHead head = {.title = title, .subtitle = subtitle, .note = note};
    AbutPageModeList page = {
        &system->rows, &list, a->cs, system->scene, &system->contacts, a->source, a->cs ? NULL : forces};
    cli_need(abut_page_write_mode_list(a->page, &head, &page, &cli_why));
}

void modes_write_lattice(const ModesArgs *a, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces,
    AbutModeLayers *out) {
    AbutModeList list = {0};
    int complete = collect(a, system, cs, "--lattice: a picture", &list);
    AbutPageModeList modes = {.rows = &system->rows, .list = &list, .contacts_only = a->cs, .forces = forces};
    cli_need(abut_picture_mode_lattice(a->lattice, &modes, complete, out, &cli_why));
}

/* ---- grasp ------------------------------------------------------------------------------------------------------- */

typedef struct Answer {
    const char *body;
    AbutGrasp g;
    int32_t six, three_contacts; /* sizes of the matrices */
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, body, TEXT, "", "Body that is held.")},
    {ABUT_FIELD_AS("contacts", Answer, g.contacts, INT, "", "Vertices that touch it.")},
    {ABUT_FIELD_AS("velocities", Answer, g.velocities, INT, "", "Velocities of the scene.")},
    {ABUT_FIELD_AS("rank", Answer, g.rank, INT, "", "Rank of the grasp matrix.")},
    {ABUT_FIELD_AS("least_singular", Answer, g.least_singular, REAL, "", "Least singular value of the grasp matrix.")},
    {ABUT_FIELD_AS("closure", Answer, g.closure, FLAG, "", "Contact forces resist every wrench.")},
    {ABUT_FIELD_AS("friction", Answer, g.friction, REAL, "", "Coefficient of friction per contact."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, g.contacts)},
    {ABUT_FIELD_AS("matrix", Answer, g.matrix, REAL, "", "Grasp matrix: wrench of unit forces at the contacts."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, six), .width_at = offsetof(Answer, three_contacts)},
    {ABUT_FIELD_AS("jacobian", Answer, g.jacobian, REAL, "", "Velocities of the contacts from those of the scene."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, three_contacts),
        .width_at = offsetof(Answer, g.velocities)},
};
const AbutRecord cli_grasp_answer = ABUT_RECORD("modes --grasp", "", Answer, answer_fields);

static void print_text(const Answer *a) {
    abut_record_print(stdout, &cli_grasp_answer,
        "grasp of {body}\n"
        "contacts   {contacts}\n"
        "velocities {velocities}\n"
        "rank       {rank} of 6, least singular value {least_singular:.6g}\n"
        "closure    {closure}\n",
        a);
    printf("matrix     %d columns: normal and two tangents per contact\n", a->three_contacts);
    for (int i = 0; i < 6 * a->three_contacts; ++i)
        printf("%9.5f%s", a->g.matrix[i], (i + 1) % a->three_contacts ? " " : "\n");
}

int modes_print_grasp(const ModesArgs *args, const ModesSystem *s) {
    AbutGrasp grasp = {0};
    if (!s->scene) cli_error("--grasp: %s has no bodies with names; only those of a model can be held", args->source);
    AbutBodyId body = abut_scene_find_body(s->scene, args->grasp);
    if (body.index1 == 0) cli_error("--grasp: %s has no body '%s'", args->source, args->grasp);
    cli_need(abut_scene_grasp(s->scene, &s->contacts, body, &grasp, &cli_why));
    Answer answer = {args->grasp, grasp, 6, 3 * grasp.contacts};
    if (args->json) return cli_answer(1, &cli_grasp_answer, NULL, &answer, CLI_OK);
    print_text(&answer);
    return CLI_OK;
}
