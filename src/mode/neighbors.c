/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The neighbors of a mode, without listing all modes. They come from two small systems whose modes are the faces of
 * the mode, or the modes around it:
 * - around: near an inner velocity of the mode only its zero rows can change sign, so they alone form the system;
 * - faces: inside the plane of its zero rows, every non-zero sign is a contact that may close.
 */
#include "mode/constraints.h"
#include "math/double_double.h"

#include <string.h>

/* A small system whose modes stand for neighbors, and the way back. */
typedef struct Around {
    const AbutModeSystem *system;
    AbutMode mode;
    int side;
    int dimension;
    AbutModeSystem local;
    int *contact;      /* local contact -> contact, or -1 - raw for a line that may become zero */
    AbutMode neighbor; /* being made */
    int (*visit)(AbutMode mode, void *user);
    void *user;
    uint64_t count;
    AbutStatus status; /* of what was done with the modes that were found */
    AbutError *error;
} Around;

/* Numbers, and what to add to them for more digits (NULL: nothing). */
typedef struct Numbers {
    double *hi, *low;
} Numbers;

static Numbers at_row(Numbers from, size_t row, size_t length) {
    return (Numbers){from.hi + row * length, from.low ? from.low + row * length : NULL};
}

/* Puts line `raw` of the neighbor: its local sign, or the sign it had. */
static void put_sign(Around *a, int raw, int sign) {
    if (sign) abut_mode_set_bit(sign > 0 ? a->neighbor.plus : a->neighbor.minus, raw);
}

/* One local mode back to a mode of the system. */
static int back(AbutMode found, void *user) {
    Around *a = user;
    const AbutModeSystem *s = a->system, *local = &a->local;
    size_t words = (size_t)abut_mode_words(s, 0);
    memset(a->neighbor.plus, 0, 8 * words);
    memset(a->neighbor.minus, 0, 8 * words);
    if (a->side == ABUT_MODE_COFACES) {
        memcpy(a->neighbor.plus, a->mode.plus, 8 * words);
        memcpy(a->neighbor.minus, a->mode.minus, 8 * words);
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
                a->neighbor.plus[at] &= ~one, a->neighbor.minus[at] &= ~one;
            else
                put_sign(a, raw, abut_mode_sign(found, local->contacts + i * local->lines + k));
        }
    }
    int dimension;
    a->status = abut_mode_dimension(s, a->neighbor, &dimension, a->error);
    if (a->status != ABUT_OK) return 1;
    if (dimension != a->dimension + (int)a->side) return 0;
    ++a->count;
    return a->visit ? a->visit(a->neighbor, a->user) : 0;
}

/* Row of the local system: raw row times sign, in the coordinates of `basis` (columns x dof), or as it is. */
static void local_row(const Around *a, int raw, int sign, Numbers basis, Numbers out) {
    const double *row = abut_mode_row(a->system, raw), *low = abut_mode_low_row(a->system, raw);
    for (int j = 0; j < a->local.dof; ++j) {
        double x = 0.0;
        for (int k = 0; basis.hi && k < a->system->dof; ++k) x += row[k] * basis.hi[j * a->system->dof + k];
        out.hi[j] = sign * (basis.hi ? x : row[j]);
    }
    for (int j = 0; out.low && j < a->local.dof; ++j) {
        AbutDD x = basis.hi ? abut_dd(0.0) : (AbutDD){row[j], low[j]};
        for (int k = 0; basis.hi && k < a->system->dof; ++k) {
            int at = j * a->system->dof + k;
            x = abut_dd_add(x, abut_dd_mul((AbutDD){row[k], low[k]}, (AbutDD){basis.hi[at], basis.low[at]}));
        }
        out.hi[j] = sign * x.hi, out.low[j] = sign * x.lo;
    }
}

/* Contacts that stay in the mode, with the lines that are zero in it. */
static void fill_around(Around *a, Numbers normal, Numbers tangent) {
    const AbutModeSystem *s = a->system;
    size_t d = (size_t)a->local.dof;
    int n = 0;
    for (int i = 0; i < s->contacts; ++i) {
        if (abut_mode_bit(a->mode.plus, i)) continue;
        local_row(a, i, 1, (Numbers){NULL, NULL}, at_row(normal, (size_t)n, d));
        for (int k = 0; k < s->lines; ++k) {
            int raw = s->contacts + i * s->lines + k;
            local_row(a, raw, abut_mode_sign(a->mode, raw) == 0, (Numbers){NULL, NULL},
                at_row(tangent, (size_t)(n * s->lines + k), d));
        }
        a->contact[n++] = i;
    }
    a->local.contacts = n;
}

/* Contacts that separate in the mode, and one pseudo-contact for every line that is not zero. */
static void fill_faces(Around *a, Numbers basis, Numbers normal, Numbers tangent) {
    const AbutModeSystem *s = a->system;
    size_t d = (size_t)a->local.dof;
    int n = 0;
    for (int raw = 0; raw < abut_mode_row_count(s); ++raw) {
        int sign = abut_mode_sign(a->mode, raw);
        if (sign == 0 || !abut_mode_counts(s, a->mode, raw)) continue;
        local_row(a, raw, sign, basis, at_row(normal, (size_t)n, d));
        for (int k = 0; k < s->lines; ++k)
            local_row(a, raw < s->contacts ? s->contacts + raw * s->lines + k : raw, raw < s->contacts, basis,
                at_row(tangent, (size_t)(n * s->lines + k), d));
        a->contact[n++] = raw < s->contacts ? raw : -1 - raw;
    }
    a->local.contacts = n;
}

/* The memory of a search: rows of the local system, a basis, a mode and the way back. */
typedef struct Room {
    double *memory;
    Numbers normal, tangent, basis;
    uint64_t *bits;
    int *contact;
} Room;

static AbutStatus make_room(const AbutModeSystem *s, size_t rows, int more, Room *out, AbutError *error) {
    size_t d = (size_t)s->dof, all = rows * d * (size_t)(1 + s->lines), words = (size_t)abut_mode_words(s, 0);
    size_t numbers = (more ? 2 : 1) * (all + d * d);
    *out = (Room){.memory = abut_alloc_array(numbers + 2 * words + rows + 64, sizeof(double))};
    if (!out->memory) return abut_fail_memory(error);
    double *low = more ? out->memory + all + d * d : NULL;
    out->normal = (Numbers){out->memory, low};
    out->tangent = at_row(out->normal, rows, d);
    out->basis = (Numbers){out->memory + all, low ? low + all : NULL};
    out->bits = (uint64_t *)(void *)(out->memory + numbers);
    out->contact = (int *)(void *)(out->bits + 2 * words);
    return ABUT_OK;
}

/* Fills the local system with the rows that the side asks for. */
static void fill_local(Around *a, AbutModeConstraints *constraints, const Room *room) {
    const AbutModeSystem *s = a->system;
    a->local = (AbutModeSystem){
        .dof = s->dof, .lines = s->lines, .normal_rows = room->normal.hi, .tangent_rows = room->tangent.hi};
    if (a->side == ABUT_MODE_COFACES) {
        fill_around(a, room->normal, room->tangent);
    } else {
        a->local.dof = abut_mode_constraints_null_basis(constraints, room->basis.hi, room->basis.low);
        fill_faces(a, room->basis, room->normal, room->tangent);
    }
    if (!room->normal.low) return;
    size_t d = (size_t)a->local.dof, n = (size_t)a->local.contacts; /* the rows of one kind behind those of the other */
    memmove(room->normal.low + n * d, room->tangent.low, n * (size_t)s->lines * d * sizeof(double));
    a->local.low_rows = room->normal.low;
}

AbutStatus abut_mode_neighbors(const AbutModeSystem *system, AbutMode mode, int side,
    int (*visit)(AbutMode mode, void *user), void *user, uint64_t *count, AbutError *error) {
    AbutModeConstraints constraints;
    Room room;
    ABUT_ASSERT(system && (side == ABUT_MODE_FACETS || side == ABUT_MODE_COFACES));
    if (count) *count = 0;
    AbutStatus status = abut_mode_constraints_make(system, mode, &constraints, error);
    if (status != ABUT_OK) return status;
    Around a = {.system = system, .mode = mode, .side = side, .visit = visit, .user = user, .error = error};
    status = abut_mode_dimension(system, mode, &a.dimension, error);
    if (status == ABUT_OK)
        status = make_room(
            system, (size_t)(constraints.signed_rows + system->contacts + 1), constraints.low != NULL, &room, error);
    if (status == ABUT_OK) {
        AbutModeOptions o = abut_mode_options_default();
        AbutModeResult r;
        a.neighbor = abut_mode_in(room.bits, (size_t)abut_mode_words(system, 0));
        a.contact = room.contact;
        fill_local(&a, &constraints, &room);
        o.visit = back, o.user = &a, o.tolerance = system->tolerance;
        status = abut_mode_enumerate(&a.local, &o, &r, error);
        status = a.status != ABUT_OK ? a.status : status;
        abut_free(room.memory);
    }
    if (count && status == ABUT_OK) *count = a.count;
    abut_mode_constraints_free(&constraints);
    return status;
}
