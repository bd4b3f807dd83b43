/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a simulation: their defaults, the range of each, and how constants go with the size of bodies. */
#include "dynamics/sim.h"
#include "dynamics/tolerance.h"

#include <stddef.h>
#include <string.h>

AbutSimulationDef abut_simulation_default(void) {
    AbutSimulationDef def;
    memset(&def, 0, sizeof def);
    def.gravity = abut_vec3(0.0, 0.0, -ABUT_GRAVITY);
    def.tolerance = 5e-4;
    def.margin = def.compliance = def.stick_speed = -1.0;
    def.rolling = 0.005;
    def.generators = 8;
    def.threads = 1;
    def.continuous = 1;
    def.features = 1;
    return def;
}

double abut_scale_gravity(const AbutSimulationDef *def) {
    double g = abut_length(def->gravity);
    return g > 0.0 ? g / ABUT_GRAVITY : 1.0;
}

double abut_scale_speed(const AbutSimulationDef *def, double scale) { return sqrt(scale * abut_scale_gravity(def)); }

double abut_scale_time(const AbutSimulationDef *def, double scale) { return sqrt(scale / abut_scale_gravity(def)); }

double abut_slip_speed(const AbutSimulation *sim) {
    return ABUT_SLIP_SPEED * sim->constants.gravity_dt + sim->constants.tolerance;
}

/* A field with its range. */
typedef struct Range {
    const char *name;
    size_t at;
    double low, high;
    const char *expected;
} Range;

static const Range numbers[] = {
    {"tolerance", offsetof(AbutSimulationDef, tolerance), 0.0, 1e300, "a number of 0 or above"},
    {"beta", offsetof(AbutSimulationDef, beta), 0.0, 2.0, "a number from 0 to 2"},
    {"margin", offsetof(AbutSimulationDef, margin), -1e300, 1e300, "a finite length, negative for the chosen one,"},
    {"slop", offsetof(AbutSimulationDef, slop), 0.0, 1e300, "a length of 0 or above"},
    {"compliance", offsetof(AbutSimulationDef, compliance), -1e300, 1e300,
        "a finite number, negative for the chosen one,"},
    {"stick_speed", offsetof(AbutSimulationDef, stick_speed), -1e300, 1e300,
        "a finite speed, negative for the chosen one,"},
    {"rolling", offsetof(AbutSimulationDef, rolling), 0.0, 1e300, "a number of 0 or above"},
    {"pressure", offsetof(AbutSimulationDef, pressure), 0.0, 1e30, "a pressure of 0 or above"},
    {"reach", offsetof(AbutSimulationDef, reach), 0.0, 1e30, "a length of 0 or above"},
    {"spacing", offsetof(AbutSimulationDef, spacing), 0.0, 1e30, "a length of 0 or above"},
};

static const Range counts[] = {
    {"fit", offsetof(AbutSimulationDef, fit), 0, ABUT_FIT_MOMENTS, "ABUT_FIT_THICKNESS or ABUT_FIT_MOMENTS"},
    {"iterations", offsetof(AbutSimulationDef, iterations), 0, 1000000, "0 to 1000000"},
    {"torsion_uniform", offsetof(AbutSimulationDef, torsion_uniform), 0, 1, "0 or 1"},
    {"generators", offsetof(AbutSimulationDef, generators), 3, 64, "3 to 64"},
    {"threads", offsetof(AbutSimulationDef, threads), 0, 65536, "0 to 65536"},
    {"sleeping", offsetof(AbutSimulationDef, sleeping), 0, 1, "0 or 1"},
    {"features", offsetof(AbutSimulationDef, features), 0, 1, "0 or 1"},
    {"continuous", offsetof(AbutSimulationDef, continuous), 0, 1, "0 or 1"},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0], COUNTS = sizeof counts / sizeof counts[0] };

AbutStatus abut_simulation_check(const AbutSimulationDef *def, AbutError *error) {
    const char *base = (const char *)def;
    if (!abut_is_finite(def->gravity))
        return abut_fail(error, ABUT_ERROR_NUMBER, "gravity %g %g %g: expected finite numbers", def->gravity.x,
            def->gravity.y, def->gravity.z);
    if (!abut_contact_model(def->model))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "model %d: expected the number of a contact model", def->model);
    for (int i = 0; i < NUMBERS; ++i) {
        double value;
        memcpy(&value, base + numbers[i].at, sizeof value);
        if (!(value >= numbers[i].low && value <= numbers[i].high))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "%s %g: expected %s", numbers[i].name, value, numbers[i].expected);
    }
    for (int i = 0; i < COUNTS; ++i) {
        int value;
        memcpy(&value, base + counts[i].at, sizeof value);
        if (value < counts[i].low || value > counts[i].high)
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "%s %d: expected %s", counts[i].name, value, counts[i].expected);
    }
    return ABUT_OK;
}
