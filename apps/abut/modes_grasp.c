/* SPDX-License-Identifier: Apache-2.0 */
/* abut modes --grasp: the grasp matrix of a body, the Jacobian of what holds it, rank and force closure. */
#include "modes.h"

#include <string.h>

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

static void print_text(const char *body, const AbutGrasp *g)
{
    printf("grasp of %s\ncontacts   %d\nvelocities %d\nrank       %d of 6, least singular value %.6g\n", body,
        g->contacts, g->velocities, g->rank, g->least_singular);
    printf("closure    %s\n", g->closure ? "yes" : "no");
    printf("matrix     %d columns: normal and two tangents per contact\n", 3 * g->contacts);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 3 * g->contacts; ++j)
            printf("%9.5f%s", g->matrix[(size_t)i * (size_t)(3 * g->contacts) + (size_t)j],
                j + 1 < 3 * g->contacts ? " " : "\n");
}

static AbutBodyId find_body(const AbutScene *scene, const char *name)
{
    AbutBodyState state;
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyId id = abut_scene_body_at(scene, i);
        if (abut_scene_get_body(scene, id, &state) && strcmp(state.name, name) == 0)
            return id;
    }
    return (AbutBodyId){0};
}

int modes_print_grasp(const ModesArgs *args, const ModesSystem *s)
{
    AbutGrasp grasp = {0};
    if (!s->scene)
        cli_error("--grasp: %s has no bodies with names; only those of a model can be held", args->source);
    AbutBodyId body = find_body(s->scene, args->grasp);
    if (body.index1 == 0)
        cli_error("--grasp: %s has no body '%s'", args->source, args->grasp);
    cli_need(abut_scene_grasp(s->scene, &s->contacts, body, &grasp, &cli_why));
    Answer answer = {args->grasp, grasp, 6, 3 * grasp.contacts};
    if (args->json)
        cli_answer(1, &cli_grasp_answer, NULL, &answer, CLI_OK);
    else
        print_text(args->grasp, &grasp);
    abut_free(grasp.memory);
    return CLI_OK;
}
