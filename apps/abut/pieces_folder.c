/* SPDX-License-Identifier: Apache-2.0 */
/* Convex pieces from a folder. In: mesh files. Out: their hulls in the order of the names, with what they leave out. */
#include "pieces_folder.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 100000 };

CliOption pieces_folder_option(const char **folder, int which)
{
    return which == 0 ? (CliOption){"--pieces-a", NULL, CLI_TEXT, folder, "DIR",
                            "convex pieces of A, one mesh file each, from this folder"}
                      : (CliOption){"--pieces-b", NULL, CLI_TEXT, folder, "DIR", "the same for B"};
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* One file as a piece. */
static int read_piece(const CliCommand *command, const char *path, AbutPolyhedron **out)
{
    AbutMesh mesh = {0};
    AbutConvexity convexity;
    AbutError error;
    AbutStatus status = abut_mesh_read(path, &mesh, NULL, &error);
    if (status == ABUT_OK)
        status = abut_mesh_hull(&mesh, out, &error);
    if (status == ABUT_OK)
        status = abut_mesh_convexity(&mesh, *out, &convexity, NULL, &error);
    if (status == ABUT_OK && convexity != ABUT_CONVEXITY_CONVEX)
        cli_warning(
            command, "%s is not convex (%s): its hull is taken", path, abut_word(abut_convexity_names, convexity));
    abut_mesh_free(&mesh);
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}

static int read_all(const CliCommand *command, const char *folder, int count, struct dirent **names, AbutPieces *out)
{
    char path[4200];
    int status = CLI_GO;
    out->piece = abut_alloc_array((size_t)count, sizeof *out->piece);
    if (!out->piece)
        return cli_error(command, "%s: no memory for %d pieces", folder, count);
    for (int i = 0; i < count && status == CLI_GO; ++i) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (n < 0 || (size_t)n >= sizeof path)
            return cli_error(command, "%s: the name is too long", folder);
        status = read_piece(command, path, &out->piece[i]);
        if (status == CLI_GO) {
            out->volume += out->piece[i]->mass.volume;
            ++out->count;
        }
    }
    return status;
}

int pieces_folder_read(const CliCommand *command, const char *folder, const Operand *operand, AbutPieces *out)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_shown, alphasort);
    if (count < 0)
        return cli_error(command, "%s: the folder cannot be read: %s", folder, strerror(errno));
    memset(out, 0, sizeof *out);
    out->mesh_volume = out->excess = NAN; /* pieces from outside may overlap: nothing follows from their volumes */
    int status = count == 0            ? cli_error(command, "%s: no pieces in this folder", folder)
                 : count > MOST_PIECES ? cli_error(command, "%s: more than %d files", folder, MOST_PIECES)
                                       : read_all(command, folder, count, names, out);
    for (int i = 0; i < count; ++i)
        free(names[i]);
    free(names);
    if (status != CLI_GO)
        return status;
    double farthest;
    int32_t uncovered = abut_pieces_cover(out, &operand->mesh, NULL, &farthest);
    if (uncovered > 0)
        cli_warning(command,
            "%d vertices of %s stand out of the pieces of %s, by up to %.3g m: the answer is one of the pieces",
            uncovered, operand->file, folder, farthest);
    return CLI_GO;
}
