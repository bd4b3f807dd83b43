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
static void read_piece(const char *path, AbutPolyhedron **out)
{
    AbutMesh mesh = {0};
    AbutMeshConvexity convexity;
    AbutStatus status = abut_mesh_read(path, &mesh, NULL, &cli_why);
    if (status == ABUT_OK)
        status = abut_mesh_hull(&mesh, out, &cli_why);
    if (status == ABUT_OK)
        status = abut_mesh_convexity(&mesh, *out, &convexity, &cli_why);
    if (status == ABUT_OK && convexity.outcome != ABUT_CONVEXITY_CONVEX)
        cli_warning("%s is not convex (%s): its hull is taken", path, abut_convexity_name(convexity.outcome));
    abut_mesh_free(&mesh);
    cli_need(status);
}

static void read_all(const char *folder, int count, struct dirent **names, AbutPieces *out)
{
    char path[4200];
    out->piece = abut_alloc_array((size_t)count, sizeof *out->piece);
    if (!out->piece)
        cli_error("%s: no memory for %d pieces", folder, count);
    for (int i = 0; i < count; ++i) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (n < 0 || (size_t)n >= sizeof path)
            cli_error("%s: the name is too long", folder);
        read_piece(path, &out->piece[i]);
        {
            out->volume += out->piece[i]->mass.volume;
            ++out->count;
        }
    }
}

void pieces_folder_read(const char *folder, const Operand *operand, AbutPieces *out)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_shown, alphasort);
    if (count < 0)
        cli_error("%s: the folder cannot be read: %s", folder, strerror(errno));
    memset(out, 0, sizeof *out);
    out->mesh_volume = out->excess = NAN; /* pieces from outside may overlap: nothing follows from their volumes */
    if (count == 0)
        cli_error("%s: no pieces in this folder", folder);
    else if (count > MOST_PIECES)
        cli_error("%s: more than %d files", folder, MOST_PIECES);
    else
        read_all(folder, count, names, out);
    for (int i = 0; i < count; ++i)
        free(names[i]);
    free(names);
    AbutPiecesCover cover = abut_pieces_cover(out, &operand->mesh);
    if (cover.uncovered > 0)
        cli_warning("%d vertices of %s stand out of the pieces of %s, by up to %.3g m: the answer is one of the pieces",
            cover.uncovered, operand->file, folder, cover.farthest);
}
