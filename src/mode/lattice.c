/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How modes touch. Mode a is a face of mode b when its signs are those of b with some set to zero; a contact that
 * separates in b may come into contact in a, and its lines are then free. Neighbours come from two small systems whose
 * modes are the faces of a mode, or the modes around it:
 * - around: near an inner velocity of the mode only its zero rows can change sign, so they alone form the system;
 * - faces: inside the plane of its zero rows, every non-zero sign is a contact that may close.
 */
#include "mode/cell.h"

#include <string.h>

int abut_mode_dimension(const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus)
{
    AbutModeCell cell;
    if (abut_mode_cell_make(system, plus, minus, &cell, NULL) != ABUT_OK)
        return -1;
    int rank = abut_mode_rank(cell.rows, cell.zeros, cell.dof, 1e-9, NULL);
    abut_mode_cell_free(&cell);
    return system->dof - rank;
}

int abut_mode_is_face(const AbutModeSystem *s, const uint64_t *a_plus, const uint64_t *a_minus, const uint64_t *b_plus,
    const uint64_t *b_minus)
{
    for (int i = 0; i < s->contacts * (1 + s->lines); ++i) {
        int a = abut_mode_sign(a_plus, a_minus, i), b = abut_mode_sign(b_plus, b_minus, i);
        if (abut_mode_counts(s, b_plus, i) && a != 0 && a != b)
            return 0;
    }
    return 1;
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

/* A small system whose modes stand for neighbours, and the way back. */
typedef struct Around {
    const AbutModeSystem *system;
    const uint64_t *plus, *minus;
    int side, dimension;
    AbutModeSystem local;
    int *contact;   /* local contact -> contact, or -1 - raw for a line that may become zero */
    uint64_t *mode; /* words of plus, words of minus */
    AbutModeVisitor *visit;
    void *user;
    uint64_t count;
} Around;

/* Puts line `raw` of the neighbour: its local sign, or the sign it had. */
static void put_sign(Around *a, int raw, int sign)
{
    size_t words = (size_t)abut_mode_words(a->system, 0);
    if (sign)
        a->mode[(sign > 0 ? 0 : words) + (size_t)(raw >> 6)] |= (uint64_t)1 << (raw & 63);
}

/* One local mode back to a mode of the system. */
static int back(const uint64_t *plus, const uint64_t *minus, void *user)
{
    Around *a = user;
    const AbutModeSystem *s = a->system, *local = &a->local;
    size_t words = (size_t)abut_mode_words(s, 0);
    memset(a->mode, 0, 16 * words);
    if (a->side > 0)
        memcpy(a->mode, a->plus, 8 * words), memcpy(a->mode + words, a->minus, 8 * words);
    for (int i = 0; i < local->contacts; ++i) {
        int c = a->contact[i], apart = abut_mode_bit(plus, i);
        if (c < 0) {
            put_sign(a, -1 - c, apart ? abut_mode_sign(a->plus, a->minus, -1 - c) : 0);
            continue;
        }
        put_sign(a, c, apart);
        for (int k = 0; k < s->lines; ++k) {
            int raw = s->contacts + c * s->lines + k;
            size_t at = (size_t)(raw >> 6);
            uint64_t one = (uint64_t)1 << (raw & 63);
            if (apart)
                a->mode[at] &= ~one, a->mode[words + at] &= ~one;
            else
                put_sign(a, raw, abut_mode_sign(plus, minus, local->contacts + i * local->lines + k));
        }
    }
    if (abut_mode_dimension(s, a->mode, a->mode + words) != a->dimension + a->side)
        return 0;
    ++a->count;
    return a->visit ? a->visit(a->mode, a->mode + words, a->user) : 0;
}

/* Row of the local system: raw row times sign, in the coordinates of `basis` (columns x dof), or as it is. */
static void local_row(const Around *a, int raw, int sign, const double *basis, double *out)
{
    const double *row = abut_mode_raw_row(a->system, raw);
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
        if (abut_mode_bit(a->plus, i))
            continue;
        local_row(a, i, 1, NULL, normal + (size_t)n * d);
        for (int k = 0; k < s->lines; ++k) {
            int raw = s->contacts + i * s->lines + k;
            local_row(
                a, raw, abut_mode_sign(a->plus, a->minus, raw) == 0, NULL, tangent + (size_t)(n * s->lines + k) * d);
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
    for (int raw = 0; raw < s->contacts * (1 + s->lines); ++raw) {
        int sign = abut_mode_sign(a->plus, a->minus, raw);
        if (sign == 0 || !abut_mode_counts(s, a->plus, raw))
            continue;
        local_row(a, raw, sign, basis, normal + (size_t)n * d);
        for (int k = 0; k < s->lines; ++k)
            local_row(a, raw < s->contacts ? s->contacts + raw * s->lines + k : raw, raw < s->contacts, basis,
                tangent + (size_t)(n * s->lines + k) * d);
        a->contact[n++] = raw < s->contacts ? raw : -1 - raw;
    }
    a->local.contacts = n;
}

/* Basis of the velocities on which the zero rows vanish, in the columns of the cell; gives its size. */
static int null_basis(AbutModeCell *cell, double *basis, int *pivots)
{
    int d = cell->dof, rank = abut_mode_rank(cell->rows, cell->zeros, d, 1e-9, pivots), n = 0;
    for (int j = 0; j < d; ++j) {
        int is_pivot = 0;
        for (int i = 0; i < rank; ++i)
            is_pivot |= pivots[i] == j;
        if (is_pivot)
            continue;
        memset(basis + n * d, 0, sizeof(double) * (size_t)d);
        basis[n * d + j] = cell->column[j];
        for (int i = 0; i < rank; ++i)
            basis[n * d + pivots[i]] = -cell->rows[i * d + j] * cell->column[pivots[i]];
        ++n;
    }
    return n;
}

AbutStatus abut_mode_neighbours(const AbutModeSystem *system, const uint64_t *plus, const uint64_t *minus, int side,
    AbutModeVisitor *visit, void *user, uint64_t *count, AbutError *error)
{
    AbutModeCell cell;
    if (count)
        *count = 0;
    if (side != -1 && side != 1)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "side %d: -1 asks for facets, 1 for cofaces", side);
    AbutStatus status = abut_mode_cell_make(system, plus, minus, &cell, error);
    if (status != ABUT_OK)
        return status;
    size_t d = (size_t)system->dof, rows = (size_t)(cell.signed_rows + system->contacts + 1);
    size_t words = (size_t)abut_mode_words(system, 0);
    double *room =
        abut_alloc((rows * d * (size_t)(1 + system->lines) + d * d + rows + d + 2 * words + 64) * sizeof(double));
    if (!room) {
        abut_mode_cell_free(&cell);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu rows", rows);
    }
    double *normal = room, *tangent = normal + rows * d, *basis = tangent + rows * d * (size_t)system->lines;
    Around a = {.system = system, .plus = plus, .minus = minus, .side = side, .visit = visit, .user = user};
    a.mode = (uint64_t *)(void *)(basis + d * d);
    a.contact = (int *)(a.mode + 2 * words);
    a.local = (AbutModeSystem){0, system->dof, system->lines, normal, tangent, NULL, NULL, NULL};
    a.dimension = abut_mode_dimension(system, plus, minus);
    if (side > 0) {
        fill_around(&a, normal, tangent);
    } else {
        a.local.dof = null_basis(&cell, basis, a.contact + rows);
        fill_faces(&a, basis, normal, tangent);
    }
    AbutModeOptions o = abut_default_mode_options();
    AbutModeResult r;
    o.visit = back, o.user = &a;
    status = abut_mode_enumerate(&a.local, &o, &r, error);
    if (count)
        *count = a.count;
    abut_free(room);
    abut_mode_cell_free(&cell);
    return status;
}

/* ---- the whole diagram ------------------------------------------------------------------------------------------- */

AbutStatus abut_mode_hasse(
    const AbutModeSystem *system, const AbutModeList *list, AbutModeEdge **edges, size_t *count, AbutError *error)
{
    enum { MOST = 20000 };
    size_t words = (size_t)abut_mode_words(system, 0), capacity = 0;
    *edges = NULL, *count = 0;
    if (list->count > MOST || (size_t)list->words != words)
        return abut_fail(error, ABUT_ERROR_LIMIT, "a diagram of %zu modes; at most %d", list->count, MOST);
    int *dimension = abut_alloc_array(list->count + 1, sizeof(int));
    if (!dimension)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu modes", list->count);
    for (size_t i = 0; i < list->count; ++i)
        dimension[i] = abut_mode_dimension(system, list->bits + 2 * words * i, list->bits + (2 * i + 1) * words);
    for (size_t i = 0; i < list->count; ++i)
        for (size_t j = 0; j < list->count; ++j) {
            const uint64_t *a = list->bits + 2 * words * i, *b = list->bits + 2 * words * j;
            if (dimension[i] + 1 != dimension[j] || !abut_mode_is_face(system, a, a + words, b, b + words))
                continue;
            if (!abut_grow((void **)edges, &capacity, *count + 1, sizeof(AbutModeEdge))) {
                abut_free(dimension);
                return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for more than %zu edges", *count);
            }
            (*edges)[(*count)++] = (AbutModeEdge){(uint32_t)i, (uint32_t)j};
        }
    abut_free(dimension);
    return ABUT_OK;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

/* Separating contacts, then sticking contacts, as bits. */
static void merge_key(const AbutModeSystem *s, const uint64_t *plus, const uint64_t *minus, uint64_t *key)
{
    memset(key, 0, 8 * (size_t)(2 * s->contacts / 64 + 1));
    for (int i = 0; i < s->contacts; ++i) {
        int slides = 0, stick = s->contacts + i;
        for (int k = 0; k < s->lines; ++k)
            slides |= abut_mode_sign(plus, minus, s->contacts + i * s->lines + k) != 0;
        if (abut_mode_bit(plus, i))
            key[i >> 6] |= (uint64_t)1 << (i & 63);
        else if (!slides)
            key[stick >> 6] |= (uint64_t)1 << (stick & 63);
    }
}

AbutStatus abut_mode_merge(const AbutModeSystem *system, AbutModeList *list, AbutError *error)
{
    enum { MOST = 100000 };
    size_t words = (size_t)abut_mode_words(system, 0), key = (size_t)(2 * system->contacts / 64 + 1), kept = 0;
    if (list->count > MOST || (size_t)list->words != words)
        return abut_fail(error, ABUT_ERROR_LIMIT, "merging %zu modes; at most %d", list->count, MOST);
    uint64_t *keys = abut_alloc_array(list->count + 1, 8 * key);
    uint8_t *drop = abut_alloc(list->count + 1);
    if (!keys || !drop) {
        abut_free(keys);
        abut_free(drop);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory to merge %zu modes", list->count);
    }
    for (size_t i = 0; i < list->count; ++i)
        merge_key(system, list->bits + 2 * words * i, list->bits + (2 * i + 1) * words, keys + key * i);
    for (size_t i = 0; i < list->count; ++i) {
        const uint64_t *a = list->bits + 2 * words * i;
        drop[i] = 0;
        for (size_t j = 0; j < list->count && !drop[i]; ++j) {
            const uint64_t *b = list->bits + 2 * words * j;
            drop[i] = i != j && memcmp(keys + key * i, keys + key * j, 8 * key) == 0 && memcmp(a, b, 16 * words) != 0 &&
                      abut_mode_is_face(system, a, a + words, b, b + words);
        }
    }
    for (size_t i = 0; i < list->count; ++i)
        if (!drop[i])
            memmove(list->bits + 2 * words * kept++, list->bits + 2 * words * i, 16 * words);
    list->count = kept;
    abut_free(keys);
    abut_free(drop);
    return ABUT_OK;
}
