/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convex decomposition of a mesh into pieces that cover it.
 *
 * In: a mesh, how much larger than it the pieces may be together, how many there may be. Out: convex polyhedra. Method:
 * cells (decompose_cell.c) that fill the box of the mesh; the one whose best cut takes off most is cut, until the
 * excess is small enough. A piece is the hull of the solid within its cell: pieces cover the solid and do not overlap,
 * so that the excess is the sum of their volumes less that of the mesh, exactly.
 */
#include "mesh/decompose_cell.h"
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"

#include <string.h>

typedef struct Work {
    AbutMeshTree *tree;
    AbutCell *cell;
    int32_t count, room, threads;
    double solid;  /* volume of the mesh; 0: not known */
    double sum;    /* of the pieces */
    double excess; /* that is asked for */
} Work;

static void close_work(Work *w) {
    for (int32_t i = 0; i < w->count; ++i) abut_cell_free(&w->cell[i]);
    abut_free(w->cell);
    abut_mesh_tree_free(w->tree);
}

static AbutStatus check_def(const AbutMesh *mesh, const AbutDecomposeDef *def, AbutError *error) {
    if (!(def->excess >= 0.0) || !isfinite(def->excess))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "excess: expected a number from 0 on, got %g", def->excess);
    if (def->max_pieces < 0 || def->max_pieces > ABUT_PIECES_MAX)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "max_pieces: expected 0 to %d, got %d", ABUT_PIECES_MAX, def->max_pieces);
    if (mesh->triangle_count == 0) return abut_fail(error, ABUT_ERROR_EMPTY, "a mesh without triangles has no pieces");
    return ABUT_OK;
}

static AbutStatus open_work(Work *w, const AbutMesh *mesh, const AbutDecomposeDef *def, AbutError *error) {
    w->excess = def->excess > 0.0 ? def->excess : 0.02;
    w->room = def->max_pieces > 0 ? def->max_pieces : 64;
    w->threads = def->threads;
    AbutStatus status = abut_mesh_tree_create(mesh, def->threads, &w->tree, error);
    if (status) return status;
    for (int32_t i = 0; i < mesh->triangle_count && w->tree->inside == ABUT_MESH_WINDING; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 o = w->tree->center;
        w->solid += abut_triple(abut_sub(mesh->vertices[v[0]], o), abut_sub(mesh->vertices[v[1]], o),
                        abut_sub(mesh->vertices[v[2]], o)) /
                    6.0;
    }
    w->solid = w->solid != 0.0 && abut_mesh_counts_once(w->tree, mesh) ? fabs(w->solid) : 0.0;
    w->cell = abut_alloc_array((size_t)w->room + 1, sizeof *w->cell);
    if (!w->cell) return abut_fail_memory(error);
    status = abut_cell_begin(mesh, w->tree, &w->cell[0], error);
    w->count = status == ABUT_OK;
    return status;
}

/* Best cuts of the cells that are new. They take nearly all the time, and the last cells need none. */
static AbutStatus find_cuts(Work *w, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < w->count && !status; ++i) {
        if (!w->cell[i].searched) status = abut_cell_find_cut(&w->cell[i], w->tree, w->threads, error);
        w->cell[i].searched = 1;
    }
    return status;
}

/* Small enough? Without a volume to compare with: no cut takes off more than that part. */
static int is_met(const Work *w) {
    if (w->solid > 0.0) return w->sum <= w->solid * (1.0 + w->excess);
    double most = 0.0;
    for (int32_t i = 0; i < w->count; ++i) most = abut_larger(most, w->cell[i].gain);
    return most <= w->excess * w->sum;
}

/* NaN without a volume to compare with. */
static double excess_of(const Work *w) { return w->solid > 0.0 ? w->sum / w->solid - 1.0 : NAN; }

/* Is all done before any cut is looked for? */
static int is_met_already(const Work *w) { return w->count >= w->room || (w->solid > 0.0 && is_met(w)); }

/* Cuts the cell with the largest gain; *done when there is none. */
static AbutStatus cut_once(Work *w, int *done, AbutError *error) {
    int32_t best = 0;
    AbutCell low, high;
    for (int32_t i = 1; i < w->count; ++i) best = w->cell[i].gain > w->cell[best].gain ? i : best;
    *done = !(w->cell[best].gain > 1e-9 * w->sum);
    if (*done) return ABUT_OK;
    AbutStatus status = abut_cell_split(&w->cell[best], w->tree, &low, &high, error);
    if (status) return status;
    w->sum -= w->cell[best].volume;
    abut_cell_free(&w->cell[best]);
    w->cell[best] = low;
    w->cell[w->count++] = high;
    status = abut_cell_make_hull(&w->cell[best], error);
    if (!status) status = abut_cell_make_hull(&w->cell[w->count - 1], error);
    w->sum += w->cell[best].volume + w->cell[w->count - 1].volume;
    return status;
}

/* Takes the hulls of all cells that hold some solid. */
static AbutStatus make_pieces(Work *w, AbutPieces *out, AbutError *error) {
    out->piece = abut_alloc_array((size_t)w->count, sizeof *out->piece);
    if (!out->piece) return abut_fail_memory(error);
    for (int32_t i = 0; i < w->count; ++i)
        if (w->cell[i].hull) {
            out->volume += w->cell[i].volume;
            out->piece[out->count++] = w->cell[i].hull;
            w->cell[i].hull = NULL;
        }
    if (out->count == 0) return abut_fail(error, ABUT_ERROR_DEGENERATE, "the mesh has no volume, nor has its hull");
    out->closed = w->tree->inside != ABUT_MESH_OPEN;
    out->mesh_volume = w->solid > 0.0 ? w->solid : NAN;
    out->excess = out->volume / out->mesh_volume - 1.0;
    out->target_met = is_met(w);
    return ABUT_OK;
}

AbutStatus abut_mesh_decompose(const AbutMesh *mesh, const AbutDecomposeDef *def, AbutPieces *out, AbutError *error) {
    static const AbutDecomposeDef usual = {.excess = 0.0};
    ABUT_ASSERT(mesh && out);
    Work w = {0};
    AbutPieces pieces = {0};
    int done = 0;
    def = def ? def : &usual;
    memset(out, 0, sizeof *out);
    AbutStatus status = check_def(mesh, def, error);
    if (!status) status = open_work(&w, mesh, def, error);
    if (!status) status = abut_cell_make_hull(&w.cell[0], error);
    w.sum = !status ? w.cell[0].volume : 0.0;
    while (!status && !done && !is_met_already(&w)) {
        status = find_cuts(&w, error);
        if (status || is_met(&w)) break;
        status = cut_once(&w, &done, error);
        if (!status && def->progress && def->progress(w.count, excess_of(&w), def->user))
            status = abut_fail(error, ABUT_ERROR_CANCELED, "the decomposition was stopped at %d pieces", w.count);
    }
    if (!status && !(w.solid > 0.0)) status = find_cuts(&w, error); /* they tell whether the target is met */
    if (!status) status = make_pieces(&w, &pieces, error);
    close_work(&w);
    if (status)
        abut_pieces_free(&pieces);
    else
        *out = pieces;
    return status;
}
