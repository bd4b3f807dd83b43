/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another number of dividing lines for a system with two. The two tangent rows of a contact are the velocities along x
 * and y of its tangent plane; the velocity along any direction between them is their combination.
 */
#include "mode/rows.h"

#include <string.h>

AbutStatus abut_mode_system_set_lines(const AbutModeSystem *from, int lines, AbutModeSystem *out, AbutError *error)
{
    memset(out, 0, sizeof *out);
    if (from->lines != 2 || lines < 0 || lines > ABUT_MODE_SIZE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%d lines cannot be made from %d: there must be 2, and 0 to %d asked for", lines, from->lines,
            ABUT_MODE_SIZE);
    size_t n = (size_t)from->contacts, d = (size_t)from->dof, k_count = (size_t)lines;
    double *memory = abut_alloc_array(n * (1 + k_count) * d + 1, sizeof(double));
    if (!memory)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu rows", n * (1 + k_count));
    if (n * d > 0)
        memcpy(memory, from->normal_rows, n * d * sizeof(double));
    for (size_t i = 0; i < n * k_count; ++i) {
        size_t k = i % k_count;
        double angle = ABUT_PI * (double)k / lines, c = 2 * k == k_count ? 0.0 : cos(angle), s = sin(angle);
        const double *x = from->tangent_rows + 2 * (i / k_count) * d, *y = x + d;
        for (size_t j = 0; j < d; ++j)
            memory[(n + i) * d + j] = c * x[j] + s * y[j];
    }
    *out = (AbutModeSystem){from->contacts, from->dof, lines, memory, memory + n * d, memory, NULL, NULL};
    if (!from->parts)
        return ABUT_OK;
    out->parts = abut_mode_parts_copy(from->parts);
    if (!out->parts) {
        abut_mode_system_free(out);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu contacts", n);
    }
    return ABUT_OK;
}
