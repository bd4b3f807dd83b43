/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The neighbours of a mode, without listing all modes. They come from two small systems whose modes are the faces of
 * the mode, or the modes around it:
 * - around: near an inner velocity of the mode only its zero rows can change sign, so they alone form the system;
 * - faces: inside the plane of its zero rows, every non-zero sign is a contact that may close.
 */
#include "mode/constraints.h"
#include "mode/tolerance.h"

#include <string.h>

/* A small system whose modes stand for neighbours, and the way back. */
typedef struct Around {
    const AbutModeSystem *system;
    AbutMode mode;
    AbutModeSide side;
    int dimension;
    AbutModeSystem local;
    int *contact;       /* local contact -> contact, or -1 - raw for a line that may become zero */
    AbutMode neighbour; /* being made */
    AbutModeVisitor *visit;
    void *user;
    uint64_t count;
} Around;

/* Puts line `raw` of the neighbour: its local sign, or the sign it had. */
static void put_sign(Around *a, int raw, int sign)
{
    if (sign)
        abut_mode_set_bit(sign > 0 ? a->neighbour.plus : a->neighbour.minus, raw);
}

/* One local mode back to a mode of the system. */
static int back(AbutMode found, void *user)
{
    Around *a = user;
    const AbutModeSystem *s = a->system, *local = &a->local;
    size_t words = (size_t)abut_mode_words(s, 0);
    memset(a->neighbour.plus, 0, 8 * words);
    memset(a->neighbour.minus, 0, 8 * words);
    if (a->side == ABUT_MODE_COFACES) {
        memcpy(a->neighbour.plus, a->mode.plus, 8 * words);
        memcpy(a->neighbour.minus, a->mode.minus, 8 * words);
    }
    for (int i = 0; i < local->contacts; ++i) {
        int c = a->contact[i], apart = abut_mode_bit(found.plus, i);
        if (c < 0) {
            put_sign(a, -1 - c, apart ? abut_mode_sign(a->mode, -1 - c) : 0);
            continue;
        }
        put_sign(a, c, apart);
        for (int k = 0; k < s->lines; ++k) {
            int raw = s->contacts + c * s->lines + k;
            size_t at = (size_t)(raw >> 6);
            uint64_t one = (uint64_t)1 << (raw & 63);
            if (apart)
                a->neighbour.plus[at] &= ~one, a->neighbour.minus[at] &= ~one;
            else
                put_sign(a, raw, abut_mode_sign(found, local->contacts + i * local->lines + k));
        }
    }
    if (abut_mode_dimension(s, a->neighbour) != a->dimension + (int)a->side)
        return 0;
    ++a->count;
    return a->visit ? a->visit(a->neighbour, a->user) : 0;
}

/* Row of the local system: raw row times sign, in the coordinates of `basis` (columns x dof), or as it is. */
static void local_row(const Around *a, int raw, int sign, const double *basis, double *out)
{
    const double *row = abut_mode_row(a->system, raw);
    for (int j = 0; j < a->local.dof; ++j) {
        double x = 0.0;
        for (int k = 0; basis && k < a->system->dof; ++k)
            x += row[k] * basis[j * a->system->dof + k];
        out[j] = sign * (basis ? x : row[j]);
    }
}

/* Contacts that stay in the mode, with the lines that are zero in it. */
static void fill_around(Around *a, double *normal, double *tangent)
{
    const AbutModeSystem *s = a->system;
    size_t d = (size_t)a->local.dof;
    int n = 0;
    for (int i = 0; i < s->contacts; ++i) {
        if (abut_mode_bit(a->mode.plus, i))
            continue;
        local_row(a, i, 1, NULL, normal + (size_t)n * d);
        for (int k = 0; k < s->lines; ++k) {
            int raw = s->contacts + i * s->lines + k;
            local_row(a, raw, abut_mode_sign(a->mode, raw) == 0, NULL, tangent + (size_t)(n * s->lines + k) * d);
        }
        a->contact[n++] = i;
    }
    a->local.contacts = n;
}

/* Contacts that separate in the mode, and one pseudo-contact for every line that is not zero. */
static void fill_faces(Around *a, const double *basis, double *normal, double *tangent)
{
    const AbutModeSystem *s = a->system;
    size_t d = (size_t)a->local.dof;
    int n = 0;
    for (int raw = 0; raw < abut_mode_row_count(s); ++raw) {
        int sign = abut_mode_sign(a->mode, raw);
        if (sign == 0 || !abut_mode_counts(s, a->mode, raw))
            continue;
        local_row(a, raw, sign, basis, normal + (size_t)n * d);
        for (int k = 0; k < s->lines; ++k)
            local_row(a, raw < s->contacts ? s->contacts + raw * s->lines + k : raw, raw < s->contacts, basis,
                tangent + (size_t)(n * s->lines + k) * d);
        a->contact[n++] = raw < s->contacts ? raw : -1 - raw;
    }
    a->local.contacts = n;
}

/* Basis of the velocities on which the zero rows vanish, in the columns of the constraints; gives its size. */
static int null_basis(AbutModeConstraints *constraints, double *basis, int *pivots)
{
    int d = constraints->dof, rank = abut_mode_rank(constraints->rows, constraints->zeros, d, ABUT_MODE_RANK, pivots),
        n = 0;
    for (int j = 0; j < d; ++j) {
        int is_pivot = 0;
        for (int i = 0; i < rank; ++i)
            is_pivot |= pivots[i] == j;
        if (is_pivot)
            continue;
        memset(basis + n * d, 0, sizeof(double) * (size_t)d);
        basis[n * d + j] = constraints->column[j];
        for (int i = 0; i < rank; ++i)
            basis[n * d + pivots[i]] = -constraints->rows[i * d + j] * constraints->column[pivots[i]];
        ++n;
    }
    return n;
}

AbutStatus abut_mode_neighbours(const AbutModeSystem *system, AbutMode mode, AbutModeSide side, AbutModeVisitor *visit,
    void *user, uint64_t *count, AbutError *error)
{
    AbutModeConstraints constraints;
    ABUT_ASSERT(system && (side == ABUT_MODE_FACETS || side == ABUT_MODE_COFACES));
    if (count)
        *count = 0;
    AbutStatus status = abut_mode_constraints_make(system, mode, &constraints, error);
    if (status != ABUT_OK)
        return status;
    size_t d = (size_t)system->dof, rows = (size_t)(constraints.signed_rows + system->contacts + 1);
    size_t words = (size_t)abut_mode_words(system, 0);
    double *room =
        abut_alloc((rows * d * (size_t)(1 + system->lines) + d * d + rows + d + 2 * words + 64) * sizeof(double));
    if (!room) {
        abut_mode_constraints_free(&constraints);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu rows", rows);
    }
    double *normal = room, *tangent = normal + rows * d, *basis = tangent + rows * d * (size_t)system->lines;
    Around a = {.system = system, .mode = mode, .side = side, .visit = visit, .user = user};
    a.neighbour = abut_mode_in((uint64_t *)(void *)(basis + d * d), words);
    a.contact = (int *)(a.neighbour.minus + words);
    a.local = (AbutModeSystem){0, system->dof, system->lines, normal, tangent, NULL, NULL, NULL};
    a.dimension = abut_mode_dimension(system, mode);
    if (side == ABUT_MODE_COFACES) {
        fill_around(&a, normal, tangent);
    } else {
        a.local.dof = null_basis(&constraints, basis, a.contact + rows);
        fill_faces(&a, basis, normal, tangent);
    }
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult r;
    o.visit = back, o.user = &a;
    status = abut_mode_enumerate(&a.local, &o, &r, error);
    if (count)
        *count = a.count;
    abut_free(room);
    abut_mode_constraints_free(&constraints);
    return status;
}
