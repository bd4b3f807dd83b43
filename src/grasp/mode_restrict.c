/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and masses of a scene in the velocities that keep its equalities: forces f and masses M become basis^T f and
 * basis^T M basis. */
#include "grasp/modes.h"

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
static void restrict_forces(
    const AbutSceneForces *all, const double *basis, size_t n, size_t c, double *half, const AbutSceneForces *out) {
    if (out->mass) {
        multiply(all->mass, n, basis, c, n, half);
        multiply(basis, c, half, c, n, out->mass);
    }
    if (out->force) multiply(basis, c, all->force, 1, n, out->force);
    for (size_t j = 0; out->velocity && j < c; ++j)
        for (size_t k = 0; k < n; ++k)
            if (is_unit_row(basis + k * c, c, j)) {
                out->velocity[j] = all->velocity[k];
                break;
            }
}

AbutStatus abut_scene_mode_forces(const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity,
    const AbutSceneForces *out, AbutError *error) {
    ABUT_ASSERT(scene && out && (contacts || !out->friction));
    double *basis;
    int count;
    AbutStatus status = abut_scene_mode_basis(scene, &basis, &count, error);
    if (status != ABUT_OK) return status;
    if (!basis) {
        abut_scene_all_forces(scene, contacts, gravity, out);
        return ABUT_OK;
    }
    size_t n = (size_t)abut_scene_mode_dof(scene), c = (size_t)count;
    double *room = abut_alloc_array(n * (2 + n + c) + 1, sizeof *room);
    if (room) {
        AbutSceneForces all = {room, room + n, room + 2 * n, out->friction};
        abut_scene_all_forces(scene, contacts, gravity, &all);
        restrict_forces(&all, basis, n, c, room + 2 * n + n * n, out);
    }
    abut_free(basis);
    abut_free(room);
    return room ? ABUT_OK : abut_fail_memory(error);
}
