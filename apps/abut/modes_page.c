/* SPDX-License-Identifier: Apache-2.0 */
/* The modes of a system as a page, and as the picture of a lattice. */
#include "modes.h"

#include <string.h>

enum { MOST_MODES = 2000 };

/* All modes, or a failure where there are too many, which begins with `who`. */
static int collect(
    const ModesArgs *args, const ModesSystem *system, const int8_t *cs, const char *who, AbutModeList *list)
{
    AbutModeResult result;
    AbutModeOptions options = modes_options(args, cs);
    if (options.limit == 0 || options.limit > MOST_MODES)
        options.limit = MOST_MODES + 1;
    cli_need(abut_mode_collect(&system->rows, &options, list, &result, &cli_why));
    if (list->count > MOST_MODES)
        cli_error("%s shows at most %d modes, and there are more: choose with --of or --cs, or stop with --limit", who,
            MOST_MODES);
    return result.complete;
}

void modes_write_page(const ModesArgs *a, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces)
{
    char title[200], subtitle[200], note[200];
    int lines = a->cs ? 0 : system->rows.lines;
    AbutModeList list = {0};
    AbutModeForces weights = {.force = system->force, .friction = system->friction};
    if (!system->rows.def)
        cli_error("--html: the page shows contacts, but %s has rows alone", a->source);
    if (!forces && system->force && lines > 0)
        forces = &weights;
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

void modes_write_lattice(
    const ModesArgs *a, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces, AbutModeLayers *out)
{
    AbutModeList list = {0};
    int complete = collect(a, system, cs, "--lattice: a picture", &list);
    AbutPageModeList modes = {.rows = &system->rows, .list = &list, .contacts_only = a->cs, .forces = forces};
    cli_need(abut_picture_mode_lattice(a->lattice, &modes, complete, out, &cli_why));
}
