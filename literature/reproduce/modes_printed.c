/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes of "Efficient Contact Mode Enumeration in 3D" counted with the faults of the program behind its Table 1.
 * In: the rows of a system. Out: the number of patterns and of modes that such a program reports.
 *
 * For a pattern of separating contacts, the rows that remain (separating normals, tangents of the others) on the
 * velocities where the contacting normals vanish span a zonotope. As published, only its vertices with a plus for every
 * separating contact are kept, and the faces of *their* hull are counted; a hull of one or two points counts as itself
 * and as its own facet. Where only one direction of motion is left, the signs of the first contacts of the list are
 * looked at instead of those that separate. Faces of a hull are counted as patterns of its polar cone: one row (v, 1)
 * per vertex v.
 */
#include "modes_printed.h"
#include "abut/literature.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 96, DOF_MOST = 32, VERTICES_MOST = 4096 };
static const double SAME = 1e-6; /* distance of rows that the program takes for one */

/* Patterns in the order of the search, one entry per contact each. */
typedef struct Patterns {
    const AbutModeSystem *system;
    int8_t *separates;
    size_t count, capacity;
    int failed;
} Patterns;

static int keep_pattern(AbutMode mode, void *user) {
    Patterns *p = user;
    size_t contacts = (size_t)p->system->contacts;
    int8_t signs[3 * ROWS_MOST];
    if (!abut_grow((void **)&p->separates, &p->capacity, (p->count + 1) * contacts, 1)) return p->failed = 1;
    abut_mode_signs(p->system, 0, mode, signs);
    memcpy(p->separates + p->count++ * contacts, signs, contacts);
    return 0;
}

/* ---- the rows where the contacting normals vanish ---------------------------------------------------------------- */

/* Orthonormal vectors on which the contacting normals vanish, by Gram and Schmidt: first the normals, then the axes. */
static int free_directions(const AbutModeSystem *s, const int8_t *separates, double basis[][DOF_MOST]) {
    double all[DOF_MOST][DOF_MOST];
    int taken = 0, normals = 0, d = s->dof;
    for (int i = 0; i < s->contacts + d && taken < d; ++i) {
        double v[DOF_MOST] = {0.0}, size = 0.0;
        if (i < s->contacts && separates[i]) continue;
        if (i < s->contacts)
            memcpy(v, s->normal_rows + (size_t)i * (size_t)d, sizeof(double) * (size_t)d);
        else
            v[i - s->contacts] = 1.0;
        for (int twice = 0; twice < 2; ++twice)
            for (int k = 0; k < taken; ++k) {
                double along = 0.0;
                for (int j = 0; j < d; ++j) along += v[j] * all[k][j];
                for (int j = 0; j < d; ++j) v[j] -= along * all[k][j];
            }
        for (int j = 0; j < d; ++j) size += v[j] * v[j];
        if (size < SAME * SAME) continue;
        for (int j = 0; j < d; ++j) all[taken][j] = v[j] / sqrt(size);
        normals += i < s->contacts;
        ++taken;
    }
    for (int k = normals; k < taken; ++k) memcpy(basis[k - normals], all[k], sizeof all[k]);
    return taken - normals;
}

/* The rows of a pattern in those directions, each once, and which entry of the signs tells each. */
typedef struct Generators {
    int count, dim;
    double row[ROWS_MOST][DOF_MOST];
    int sign_at[ROWS_MOST];
} Generators;

static void add_generator(Generators *g, const double *row, int d, double basis[][DOF_MOST], int sign_at) {
    double *to = g->row[g->count];
    for (int k = 0; k < g->dim; ++k) {
        to[k] = 0.0;
        for (int j = 0; j < d; ++j) to[k] += row[j] * basis[k][j];
    }
    for (int i = 0; i < g->count; ++i) {
        double apart = 0.0;
        for (int k = 0; k < g->dim; ++k) apart += (to[k] - g->row[i][k]) * (to[k] - g->row[i][k]);
        if (apart < SAME * SAME) return;
    }
    g->sign_at[g->count++] = sign_at;
}

static void make_generators(const AbutModeSystem *s, const int8_t *separates, double basis[][DOF_MOST], Generators *g) {
    size_t d = (size_t)s->dof;
    for (int i = 0; i < s->contacts; ++i)
        if (separates[i]) add_generator(g, s->normal_rows + (size_t)i * d, s->dof, basis, i);
    for (int i = 0; i < s->contacts * s->lines; ++i)
        if (!separates[i / s->lines]) add_generator(g, s->tangent_rows + (size_t)i * d, s->dof, basis, s->contacts + i);
}

/* ---- the hull of the kept vertices ------------------------------------------------------------------------------- */

typedef struct Vertices {
    const AbutModeSystem *system;
    const Generators *generators;
    double *rows; /* count x (dim + 1), the last entry 1 */
    int count, most_signs, failed;
} Vertices;

/* Modes in the inside of a cell of the arrangement are the vertices: no more signs can be had. */
static int keep_vertex(AbutMode mode, void *user) {
    Vertices *v = user;
    const Generators *g = v->generators;
    int8_t signs[3 * ROWS_MOST];
    int given = 0;
    abut_mode_signs(v->system, 0, mode, signs);
    for (int i = 0; i < g->count; ++i) given += signs[g->sign_at[i]] != 0;
    if (given < v->most_signs) return 0;
    if (given > v->most_signs) v->count = 0, v->most_signs = given;
    if (v->count == VERTICES_MOST) return v->failed = 1;
    double *to = v->rows + (size_t)v->count++ * (size_t)(g->dim + 1);
    memset(to, 0, sizeof(double) * (size_t)g->dim);
    to[g->dim] = 1.0;
    for (int i = 0; i < g->count; ++i)
        for (int k = 0; k < g->dim; ++k) to[k] += signs[g->sign_at[i]] * g->row[i][k];
    return 0;
}

/* 1 and the number of faces, the hull itself too; 0 when the search does not take so many vertices. */
static int count_faces(const Vertices *v, int dim, uint64_t *faces) {
    AbutModeSystem polar = {.contacts = v->count, .dof = dim + 1, .normal_rows = v->rows};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    *faces = 2; /* the hull, and as its facet the hull again */
    if (v->count <= 2) return 1;
    options.kind = ABUT_MODES_CS;
    if (abut_mode_enumerate(&polar, &options, &result, NULL) != ABUT_OK) return 0;
    *faces = result.cs_modes - 1; /* without the empty face */
    return 1;
}

static int modes_of_hull(const AbutModeSystem *s, const int8_t *separates, const Generators *g, uint64_t *modes) {
    Vertices v = {.system = s, .generators = g};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    v.rows = malloc(sizeof(double) * VERTICES_MOST * (size_t)(g->dim + 1));
    options.kind = ABUT_MODES_OF_CS;
    options.cs = separates;
    options.visit = keep_vertex;
    options.user = &v;
    int counted = v.rows && abut_mode_enumerate(s, &options, &result, NULL) == ABUT_OK && !v.failed &&
                  count_faces(&v, g->dim, modes);
    free(v.rows);
    return counted;
}

/* ---- a pattern, and all of them ---------------------------------------------------------------------------------- */

/* One direction of motion, both ways along it and rest: those with a plus at the first `separating` contacts. */
static uint64_t modes_of_line(const AbutModeSystem *s, const double *direction, int separating) {
    uint64_t modes = separating == 0; /* rest */
    for (int way = -1; way <= 1; way += 2) {
        int plus = 1;
        for (int i = 0; i < separating; ++i) {
            double speed = 0.0;
            for (int j = 0; j < s->dof; ++j)
                speed += way * direction[j] * s->normal_rows[(size_t)i * (size_t)s->dof + (size_t)j];
            plus &= speed > SAME;
        }
        modes += (uint64_t)plus;
    }
    return modes;
}

static int separating_in(const AbutModeSystem *s, const int8_t *separates) {
    int count = 0;
    for (int i = 0; i < s->contacts; ++i) count += separates[i] != 0;
    return count;
}

static int modes_of_pattern(const AbutModeSystem *s, const int8_t *separates, uint64_t *modes) {
    double basis[DOF_MOST][DOF_MOST];
    int separating = separating_in(s, separates);
    Generators g = {.count = 0, .dim = free_directions(s, separates, basis)};
    *modes = 1;
    if (separating == s->contacts || g.dim == 0) return 1;
    if (g.dim == 1) {
        *modes = modes_of_line(s, basis[0], separating);
        return 1;
    }
    make_generators(s, separates, basis, &g);
    return modes_of_hull(s, separates, &g, modes);
}

static void count_patterns(const AbutModeSystem *s, const Patterns *patterns, int drop_lifted, ModesPrinted *out) {
    int lifted = 0;
    out->ran = 1;
    out->cs = patterns->count;
    for (size_t i = 0; i < patterns->count; ++i) {
        int separating = separating_in(s, patterns->separates + i * (size_t)s->contacts);
        lifted = separating > lifted ? separating : lifted;
    }
    for (size_t i = 0; i < patterns->count && out->ran; ++i) {
        const int8_t *separates = patterns->separates + i * (size_t)s->contacts;
        uint64_t modes = 0;
        if (drop_lifted && separating_in(s, separates) == lifted) continue;
        out->ran = modes_of_pattern(s, separates, &modes);
        out->modes += modes;
    }
}

AbutStatus modes_printed(const AbutModeSystem *system, int drop_lifted, ModesPrinted *out, AbutError *error) {
    Patterns patterns = {.system = system};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    *out = (ModesPrinted){0, 0, 0};
    if (system->contacts * (1 + system->lines) > ROWS_MOST || system->dof > DOF_MOST) return ABUT_OK;
    options.kind = ABUT_MODES_CS;
    options.visit = keep_pattern;
    options.user = &patterns;
    AbutStatus status = abut_mode_enumerate(system, &options, &result, error);
    if (status == ABUT_OK && patterns.failed) status = abut_fail_memory(error);
    if (status == ABUT_OK) count_patterns(system, &patterns, drop_lifted, out);
    abut_free(patterns.separates);
    return status;
}
