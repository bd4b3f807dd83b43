/* SPDX-License-Identifier: Apache-2.0 */
/* abut modes --grasp: the grasp matrix of a body, the Jacobian of what holds it, rank and force closure. */
#include "modes.h"

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

static void print_text(const Answer *a)
{
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

int modes_print_grasp(const ModesArgs *args, const ModesSystem *s)
{
    AbutGrasp grasp = {0};
    if (!s->scene)
        cli_error("--grasp: %s has no bodies with names; only those of a model can be held", args->source);
    AbutBodyId body = abut_scene_find_body(s->scene, args->grasp);
    if (body.index1 == 0)
        cli_error("--grasp: %s has no body '%s'", args->source, args->grasp);
    cli_need(abut_scene_grasp(s->scene, &s->contacts, body, &grasp, &cli_why));
    Answer answer = {args->grasp, grasp, 6, 3 * grasp.contacts};
    if (args->json)
        return cli_answer(1, &cli_grasp_answer, NULL, &answer, CLI_OK);
    print_text(&answer);
    return CLI_OK;
}
