/* SPDX-License-Identifier: Apache-2.0 */
/* abut modes --grasp: the grasp matrix of a body, the Jacobian of what holds it, rank and force closure. */
#include "modes.h"

#include <string.h>

static void put_matrix(AbutJson *json, const char *key, const double *numbers, int rows, int columns)
{
    abut_json_key(json, key);
    abut_json_begin_array(json);
    for (int i = 0; i < rows; ++i)
        abut_json_numbers(json, numbers + (size_t)i * (size_t)columns, columns);
    abut_json_end_array(json);
}

static AbutStatus print_json(const char *body, const AbutGrasp *g, AbutError *error)
{
    AbutJson json = abut_json_to_file(stdout, 1);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "body", body);
    abut_json_put_integer(&json, "contacts", g->contacts);
    abut_json_put_integer(&json, "velocities", g->velocities);
    abut_json_put_integer(&json, "rank", g->rank);
    abut_json_put_number(&json, "least_singular", g->least_singular);
    abut_json_put_bool(&json, "closure", g->closure);
    abut_json_key(&json, "friction");
    abut_json_numbers(&json, g->friction, g->contacts);
    put_matrix(&json, "matrix", g->matrix, 6, 3 * g->contacts);
    put_matrix(&json, "jacobian", g->jacobian, 3 * g->contacts, g->velocities);
    abut_json_end_object(&json);
    AbutStatus status = abut_json_finish(&json, error);
    abut_json_free(&json);
    return status;
}

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

int modes_print_grasp(const CliCommand *command, const ModesArgs *args, const ModesSystem *s)
{
    AbutContactList contacts = {NULL, 0};
    AbutGrasp grasp = {0};
    AbutError error;
    if (!s->scene)
        return cli_error(
            command, "--grasp: %s has no bodies with names; only those of a model can be held", args->source);
    AbutBodyId body = find_body(s->scene, args->grasp);
    if (body.index1 == 0)
        return cli_error(command, "--grasp: %s has no body '%s'", args->source, args->grasp);
    AbutStatus status =
        abut_scene_find_contacts(s->scene, isnan(args->margin) ? MODES_SCENE_MARGIN : args->margin, &contacts, &error);
    if (status == ABUT_OK)
        status = abut_scene_grasp(s->scene, &contacts, body, &grasp, &error);
    if (status == ABUT_OK && args->json)
        status = print_json(args->grasp, &grasp, &error);
    else if (status == ABUT_OK)
        print_text(args->grasp, &grasp);
    abut_grasp_free(&grasp);
    abut_contact_list_free(&contacts);
    return status == ABUT_OK ? CLI_OK : cli_error(command, "%s", error.text);
}
