/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct sums. Rows as vectors form a matroid; rows in different connected components take their signs independently.
 * Components are read off the reduced matrix: a row that is not in the basis is connected with the basis rows in its
 * combination. All rows of one contact belong together, since its lines count only while it stays in contact.
 */
#include "mode/independent_groups.h"
#include "mode/constraints.h"
#include "mode/contact_rows.h"

#include <string.h>

static int root(const int *parent, int i) {
    while (parent[i] != i) i = parent[i];
    return i;
}

/* Joins unique rows that are connected: columns of the transposed, reduced matrix. */
static void join_rows(const AbutModePrepared *prepared, double *a, int *pivots, int *parent) {
    int n = prepared->unique, d = prepared->dof;
    for (int j = 0; j < d; ++j)
        for (int u = 0; u < n; ++u) a[j * n + u] = prepared->matrix[u * d + j];
    int rank = abut_mode_rank(a, d, n, prepared->tolerance, NULL, pivots);
    for (int i = 0; i < rank; ++i)
        for (int u = 0; u < n; ++u)
            if (fabs(a[i * n + u]) > prepared->tolerance) parent[root(parent, u)] = root(parent, pivots[i]);
}

int abut_mode_find_groups(const AbutModePrepared *prepared, int *group) {
    int n = prepared->unique, groups = 0, parent[ABUT_MODE_ROWS], name[ABUT_MODE_ROWS];
    double *a = abut_alloc_array((size_t)n * (size_t)prepared->dof + 1, sizeof(double));
    int *pivots = abut_alloc_array((size_t)n + (size_t)prepared->dof + 1, sizeof(int));
    for (int u = 0; u < n; ++u) parent[u] = u, name[u] = -1;
    if (a && pivots) join_rows(prepared, a, pivots, parent);
    for (int i = 0; i < prepared->contacts; ++i) {
        int first = prepared->index[i];
        for (int k = 0; k < prepared->lines; ++k) {
            int u = prepared->index[prepared->contacts + i * prepared->lines + k];
            if (u >= 0 && first >= 0) parent[root(parent, u)] = root(parent, first);
            first = first < 0 ? u : first;
        }
    }
    for (int i = 0; i < prepared->contacts; ++i) {
        int u = prepared->index[i];
        for (int k = 0; k < prepared->lines && u < 0; ++k)
            u = prepared->index[prepared->contacts + i * prepared->lines + k];
        if (u >= 0 && name[root(parent, u)] < 0) name[root(parent, u)] = groups++;
        group[i] = u >= 0 ? name[root(parent, u)] : 0;
    }
    int failed = !a || !pivots;
    abut_free(a);
    abut_free(pivots);
    return failed || groups < 1 ? 1 : groups;
}

AbutStatus abut_mode_group_system(
    const AbutModeSystem *system, const int *group, int which, AbutModeSystem *out, AbutError *error) {
    size_t d = (size_t)system->dof, lines = (size_t)system->lines;
    double *normal;
    int n = 0;
    for (int i = 0; i < system->contacts; ++i) n += group[i] == which;
    AbutStatus status = abut_mode_system_room(n, system->dof, system->lines, 0, out, &normal, error);
    if (status != ABUT_OK) return status;
    double *tangent = normal + (size_t)n * d;
    out->tolerance = system->tolerance;
    for (int i = 0; i < system->contacts; ++i) {
        if (group[i] != which) continue;
        memcpy(normal, system->normal_rows + (size_t)i * d, d * sizeof(double));
        if (lines) memcpy(tangent, system->tangent_rows + (size_t)i * lines * d, lines * d * sizeof(double));
        normal += d, tangent += lines * d;
    }
    return ABUT_OK;
}
