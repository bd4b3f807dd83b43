/* SPDX-License-Identifier: Apache-2.0 */
/* The depth of two meshes that overlap. In: trees, a method or a direction. Out: the depth, in the frame of A. */
#include "operands.h"
#include "abut/literature.h"

#include <math.h>
#include <string.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

void depth_check(const DepthArgs *args)
{
    static const char *const methods[] = {"sweep", "classic", "decomposition", "none"};
    int known = args->method == NULL;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i)
        known = known || strcmp(args->method, methods[i]) == 0;
    if (!known)
        cli_error("--depth: expected sweep, classic, decomposition or none, got '%s'", args->method);
    if ((args->folder[0] || args->folder[1]) && !depth_needs_pieces(args))
        cli_error("--pieces-a and --pieces-b go with --depth decomposition");
    if (args->along.count == 0)
        return;
    const double *v = args->along.value;
    if (args->along.count != 3 || !(abut_max_abs(abut_vec3(v[0], v[1], v[2])) > 0.0))
        cli_error("--along: expected a direction x,y,z other than 0,0,0");
    if (args->method && strcmp(args->method, "sweep") != 0)
        cli_error("--along goes with --depth sweep");
}

int depth_is_asked(const DepthArgs *args)
{
    return args->along.count > 0 || (args->method && strcmp(args->method, "none") != 0);
}

int depth_is_wanted(const DepthArgs *args, const Operands *operands)
{
    return operands->of[0].body.tree && operands->of[1].body.tree &&
           !(args->method && strcmp(args->method, "none") == 0);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

int depth_needs_pieces(const DepthArgs *args)
{
    return args->method && strcmp(args->method, "decomposition") == 0;
}

void depth_warn_pieces(const char *file, const AbutPieces *p)
{
    if (!p->closed)
        cli_warning("%s is open: its %d convex pieces cover the surface alone", file, p->count);
    else if (!isfinite(p->excess))
        cli_warning("%s: parts overlap or run different ways: by how much its %d convex pieces are too large "
                    "is not known",
            file, p->count);
    else if (!p->target_met)
        cli_warning("%s: %d convex pieces have %.3g of its volume too much", file, p->count, p->excess);
}

void depth_decompose(const Operand *o, AbutPieces *p)
{
    cli_need_of(o->file, abut_mesh_decompose(&o->mesh, NULL, p, &cli_why));
    depth_warn_pieces(o->file, p);
}

void depth_prepare(const Operands *operands, DepthArgs *args)
{
    for (int k = 0; k < 2 && depth_needs_pieces(args); ++k)
        if (args->folder[k])
            pieces_folder_read(args->folder[k], &operands->of[k], &args->pieces[k]);
        else
            depth_decompose(&operands->of[k], &args->pieces[k]);
}

void depth_free(DepthArgs *args)
{
    abut_pieces_free(&args->pieces[0]);
    abut_pieces_free(&args->pieces[1]);
}

/* The deepest pair of pieces. */
static AbutGap measure_pieces(const DepthArgs *args, AbutPose b_in_a, AbutWork *work)
{
    AbutGapDef def = {.work = work};
    AbutGap out = abut_pieces_distance(&args->pieces[0], &args->pieces[1], b_in_a, &def);
    out.distance = out.distance < 0.0 ? out.distance : 0.0;
    return out;
}

int depth_is_certified(const DepthArgs *args, const AbutGap *gap)
{
    return gap->kind == ABUT_GAP_PIECES ? args->pieces[0].closed && args->pieces[1].closed
                                        : gap->outcome == ABUT_SEPARATED;
}

AbutGap depth_measure(
    const DepthArgs *args, const Operands *operands, AbutPose b_in_a, DepthState *state, AbutWork *work)
{
    const AbutMeshTree *a = operands->of[0].body.tree, *b = operands->of[1].body.tree;
    if (depth_needs_pieces(args))
        return measure_pieces(args, b_in_a, work);
    for (int k = 0; k < 2 && !state->ready; ++k)
        state->core[k] = abut_mesh_core(operands->of[k].body.tree);
    state->ready = 1;
    AbutDepthDef def = {.core_a = &state->core[0], .core_b = &state->core[1], .work = work};
    if (args->method && strcmp(args->method, "classic") == 0)
        def.method = abut_depth_classic;
    if (args->along.count == 0)
        return abut_mesh_depth(a, b, b_in_a, &def, &state->cache);
    const double *v = args->along.value;
    AbutVec3 world = abut_normalize(abut_vec3(v[0], v[1], v[2]));
    return abut_mesh_depth_along(a, b, b_in_a, abut_quat_rotate_inv(operands->of[0].pose.q, world), &def);
}

/* ---- pieces of a folder --------------------------------------------------------------------------------------------- */

enum { MOST_PIECES = 100000 };

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* One file as a piece. */
static void read_piece(const char *path, AbutPolyhedron **out)
{
    AbutMesh mesh = {0};
    AbutConvexity convexity;
    AbutStatus status = abut_mesh_read(path, NULL, 0, &mesh, NULL, &cli_why);
    if (status == ABUT_OK)
        status = abut_mesh_hull(&mesh, out, &cli_why);
    if (status == ABUT_OK)
        status = abut_mesh_convexity(&mesh, *out, &convexity, NULL, &cli_why);
    if (status == ABUT_OK && convexity != ABUT_CONVEXITY_CONVEX)
        cli_warning("%s is not convex (%s): its hull is taken", path, abut_word(abut_convexity_names, convexity));
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
        out->volume += out->piece[i]->mass.volume;
        ++out->count;
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
    double farthest;
    int32_t uncovered = abut_pieces_cover(out, &operand->mesh, NULL, &farthest);
    if (uncovered > 0)
        cli_warning("%d vertices of %s stand out of the pieces of %s, by up to %.3g m: the answer is one of the pieces",
            uncovered, operand->file, folder, farthest);
}
