/* SPDX-License-Identifier: Apache-2.0 */
/* Mode systems of a scene in the velocities that keep its equalities: rows, forces f and masses M become A basis,
 * basis^T f and basis^T M basis. */
#include <string.h>

#include "abut/grasp.h"

static int is_unit_row(const double *row, size_t count, size_t place) {
    int unit = row[place] == 1.0;
    for (size_t i = 0; i < count && unit; ++i) unit = i == place || row[i] == 0.0;
    return unit;
}

/* out (columns of a x columns of b) = a^T b, both of n rows. */
static void multiply(const double *a, size_t columns_a, const double *b, size_t columns_b, size_t n, double *out) {
    for (size_t i = 0; i < columns_a; ++i)
        for (size_t j = 0; j < columns_b; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k) sum += a[k * columns_a + i] * b[k * columns_b + j];
            out[i * columns_b + j] = sum;
        }
}

/* M is symmetric: M basis is M^T basis. A velocity of the rows is one of the scene. */
static void restrict_forces(const AbutSceneForces *f, const double *basis, size_t n, size_t c, double *half) {
    multiply(f->mass, n, basis, c, n, half);
    multiply(basis, c, half, c, n, f->mass);
    multiply(basis, c, f->force, 1, n, half);
    memcpy(f->force, half, c * sizeof *half);
    for (size_t j = 0; j < c; ++j)
        for (size_t k = 0; k < n; ++k)
            if (is_unit_row(basis + k * c, c, j)) {
                f->velocity[j] = f->velocity[k];
                break;
            }
}

AbutStatus abut_scene_mode_restrict(
    const AbutScene *scene, AbutModeSystem *system, const AbutSceneForces *forces, double **basis, AbutError *error) {
    ABUT_ASSERT(scene && system && forces && forces->force && forces->velocity && forces->mass && basis);
    AbutModeSystem all = *system;
    size_t n = (size_t)all.dof;
    int count;
    AbutStatus status = abut_scene_mode_basis(scene, basis, &count, error);
    if (status != ABUT_OK || !*basis) return status;
    double *half = abut_alloc_array(n * (size_t)count + 1, sizeof *half);
    status = half ? abut_mode_system_restrict(&all, *basis, count, system, error) : abut_fail_memory(error);
    if (status == ABUT_OK) {
        abut_mode_system_free(&all);
        restrict_forces(forces, *basis, n, (size_t)count, half);
    }
    abut_free(half);
    return status;
}
