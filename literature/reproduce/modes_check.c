/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A velocity for every mode. In: the rows of a system. Out: how many modes were looked at, and for how many a velocity
 * was found whose products with the rows have just the signs of the mode. The products are taken here, without the code
 * that found the velocity.
 */
#include <string.h>

#include "modes_check.h"
#include "abut/literature.h"

enum { SIGNS_MOST = 4096, DOF_MOST = 64 };
static const double ZERO = 1e-9; /* of the largest number of the row times that of the velocity */

typedef struct Visit {
    const AbutModeSystem *system;
    ModesChecked *out;
    uint64_t seen, stride;
} Visit;

static int sign_of(const AbutModeSystem *s, int row, const double *v) {
    int normals = s->contacts;
    const double *r = row < normals ? s->normal_rows + (size_t)row * (size_t)s->dof
                                    : s->tangent_rows + (size_t)(row - normals) * (size_t)s->dof;
    double sum = 0.0, row_size = 0.0, size = 0.0;
    for (int k = 0; k < s->dof; ++k) {
        sum += r[k] * v[k];
        row_size = fmax(row_size, fabs(r[k]));
        size = fmax(size, fabs(v[k]));
    }
    return fabs(sum) <= ZERO * row_size * size ? 0 : sum > 0.0 ? 1 : -1;
}

/* Lines of a contact that separates have no sign. */
static int has_signs(const AbutModeSystem *s, const int8_t *signs, const double *v) {
    for (int i = 0; i < s->contacts; ++i) {
        if (sign_of(s, i, v) != signs[i]) return 0;
        for (int k = 0; k < s->lines && signs[i] == 0; ++k) {
            int at = s->contacts + i * s->lines + k;
            if (sign_of(s, at, v) != signs[at]) return 0;
        }
    }
    return 1;
}

static int check_mode(AbutMode mode, void *user) {
    Visit *visit = user;
    const AbutModeSystem *s = visit->system;
    int8_t signs[SIGNS_MOST];
    double v[DOF_MOST];
    if (visit->seen++ % visit->stride != 0) return 0;
    ++visit->out->checked;
    abut_mode_signs(s, 0, mode, signs);
    if (abut_mode_velocity(s, mode, v, NULL) == ABUT_OK && has_signs(s, signs, v)) ++visit->out->proved;
    return 0;
}

AbutStatus modes_check(const AbutModeSystem *system, uint64_t modes, int most, ModesChecked *out, AbutError *error) {
    *out = (ModesChecked){0, 0};
    if (system->contacts * (1 + system->lines) > SIGNS_MOST || system->dof > DOF_MOST) return ABUT_OK;
    Visit visit = {system, out, 0, modes / (uint64_t)most + 1};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    options.visit = check_mode;
    options.user = &visit;
    return abut_mode_enumerate(system, &options, &result, error);
}
