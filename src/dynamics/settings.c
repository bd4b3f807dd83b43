/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a simulation: their defaults, and the range of each. */
#include "dynamics/sim.h"

#include <stddef.h>
#include <string.h>

AbutSimulationDef abut_simulation_default(void)
{
    AbutSimulationDef def;
    memset(&def, 0, sizeof def);
    def.gravity = abut_vec3(0.0, 0.0, -ABUT_GRAVITY);
    def.tolerance = 5e-4;
    def.margin = def.compliance = -1.0;
    def.stick_speed = 1e-3;
    def.rolling = 0.005;
    def.generators = 8;
    def.threads = 1;
    def.continuous = 1;
    return def;
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
    {"stick_speed", offsetof(AbutSimulationDef, stick_speed), 0.0, 1e300, "a speed of 0 or above"},
    {"rolling", offsetof(AbutSimulationDef, rolling), 0.0, 1e300, "a number of 0 or above"},
};

static const Range counts[] = {
    {"model", offsetof(AbutSimulationDef, model), 0, ABUT_CONTACT_MODEL_COUNT - 1, "one of AbutContactModelKind"},
    {"fit", offsetof(AbutSimulationDef, fit), 0, ABUT_FIT_MOMENTS, "one of AbutTargetFit"},
    {"iterations", offsetof(AbutSimulationDef, iterations), 0, 1000000, "0 to 1000000"},
    {"torsion_uniform", offsetof(AbutSimulationDef, torsion_uniform), 0, 1, "0 or 1"},
    {"generators", offsetof(AbutSimulationDef, generators), 3, 64, "3 to 64"},
    {"threads", offsetof(AbutSimulationDef, threads), 0, 65536, "0 to 65536"},
    {"sleeping", offsetof(AbutSimulationDef, sleeping), 0, 1, "0 or 1"},
    {"continuous", offsetof(AbutSimulationDef, continuous), 0, 1, "0 or 1"},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0], COUNTS = sizeof counts / sizeof counts[0] };

AbutStatus abut_simulation_check(const AbutSimulationDef *def, AbutError *error)
{
    const char *base = (const char *)def;
    if (!abut_is_finite(def->gravity))
        return abut_fail(error, ABUT_ERROR_NUMBER, "gravity %g %g %g: finite numbers were expected", def->gravity.x,
            def->gravity.y, def->gravity.z);
    for (int i = 0; i < NUMBERS; ++i) {
        double value;
        memcpy(&value, base + numbers[i].at, sizeof value);
        if (!(value >= numbers[i].low && value <= numbers[i].high))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "%s %g: %s was expected", numbers[i].name, value, numbers[i].expected);
    }
    for (int i = 0; i < COUNTS; ++i) {
        int value;
        memcpy(&value, base + counts[i].at, sizeof value);
        if (value < counts[i].low || value > counts[i].high)
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "%s %d: %s was expected", counts[i].name, value, counts[i].expected);
    }
    return ABUT_OK;
}
