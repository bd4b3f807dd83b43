/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of actuators: linear ones, muscles, and how activations follow controls. */
#include "robot/actuator.h"

#include "math/functions.h"

static const double TINY = 1e-15; /* what MuJoCo divides by at least */

static double clamped(double x, double low, double high) { return abut_larger(low, abut_smaller(high, x)); }

static double at_least_tiny(double x) { return abut_larger(TINY, x); }

/* ---- muscles ----------------------------------------------------------------------------------------------------- */

enum { RANGE_0 = 0, RANGE_1, FORCE, SCALE, L_MIN, L_MAX, V_MAX, FP_MAX, FV_MAX };

typedef struct Muscle {
    double peak, length, unit; /* length: in resting lengths of `unit` meters */
} Muscle;

static Muscle muscle_at(const AbutActuatorDef *def, double length) {
    const double *n = def->muscle_numbers, *range = def->length_range;
    double unit = (range[1] - range[0]) / at_least_tiny(n[RANGE_1] - n[RANGE_0]);
    double peak = n[FORCE] < 0.0 ? n[SCALE] / at_least_tiny(def->response) : n[FORCE];
    return (Muscle){peak, n[RANGE_0] + (length - range[0]) / at_least_tiny(unit), unit};
}

/* Four parabolas from 0 at lmin over 1 at the resting length to 0 at lmax. */
static double pull_by_length(const double *n, double l) {
    double low = 0.5 * (n[L_MIN] + 1.0), high = 0.5 * (1.0 + n[L_MAX]);
    if (l < n[L_MIN] || l > n[L_MAX]) return 0.0;
    double x = l <= low    ? (l - n[L_MIN]) / at_least_tiny(low - n[L_MIN])
               : l <= 1.0  ? (1.0 - l) / at_least_tiny(1.0 - low)
               : l <= high ? (l - 1.0) / at_least_tiny(high - 1.0)
                           : (n[L_MAX] - l) / at_least_tiny(n[L_MAX] - high);
    return l <= low || l > high ? 0.5 * x * x : 1.0 - 0.5 * x * x;
}

/* From 0 where it shortens fastest over 1 at rest to fvmax where it lengthens; *slope is its derivative. */
static double pull_by_speed(const double *n, double v, double *slope) {
    double most = n[FV_MAX] - 1.0, left = abut_larger(0.0, most - v), scale = at_least_tiny(most);
    if (v <= 0.0) {
        double x = abut_larger(0.0, v + 1.0);
        *slope = 2.0 * x;
        return x * x;
    }
    *slope = 2.0 * left / scale;
    return n[FV_MAX] - left * left / scale;
}

/* The passive pull: none up to the resting length, then a parabola, then straight. */
static double passive_pull(const double *n, double l) {
    double b = 0.5 * (1.0 + n[L_MAX]), width = at_least_tiny(b - 1.0);
    if (l <= 1.0) return 0.0;
    double x = (l <= b ? l - 1.0 : l - b) / width;
    return n[FP_MAX] * (l <= b ? 0.5 * x * x : 0.5 + x);
}

static AbutActuatorLaw muscle_law(const AbutActuatorDef *def, double activation, double length, double speed) {
    const double *n = def->muscle_numbers;
    Muscle m = muscle_at(def, length);
    double slope, fastest = at_least_tiny(m.unit * n[V_MAX]), by_speed = pull_by_speed(n, speed / fastest, &slope),
                  active = m.peak * activation * pull_by_length(n, m.length);
    double force = -active * by_speed - m.peak * passive_pull(n, m.length), damping = active * slope / fastest;
    return (AbutActuatorLaw){force + damping * speed, 0.0, -damping};
}

static double muscle_rate(const double time[3], double u, double w) {
    double lag = 0.5 + 1.5 * clamped(w, 0.0, 1.0), rise = time[0] * lag, fall = time[1] / lag;
    double missing = clamped(u, 0.0, 1.0) - w, part = missing > 0.0;
    if (time[2] >= TINY) { /* from one to the other smoothly */
        double x = clamped(missing / time[2] + 0.5, 0.0, 1.0);
        part = x * x * x * (10.0 - x * (15.0 - 6.0 * x));
    }
    return missing / at_least_tiny(fall + (rise - fall) * part);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

double abut_actuator_control(const AbutActuatorDef *def, double control) {
    return def->control_limited ? clamped(control, def->control_range[0], def->control_range[1]) : control;
}

int abut_actuator_is_servo(const AbutActuatorDef *def) {
    return def->muscle || def->bias[1] < 0.0 || def->bias[2] < 0.0 || def->gain_by[0] != 0.0 || def->gain_by[1] != 0.0;
}

AbutActuatorLaw abut_actuator_law(const AbutActuatorDef *def, double input, double length, double speed) {
    if (def->muscle) return muscle_law(def, input, length, speed);
    return (AbutActuatorLaw){def->gain * input + def->bias[0], def->bias[1] + def->gain_by[0] * input,
        def->bias[2] + def->gain_by[1] * input};
}

double abut_activation_next(const AbutActuatorDef *def, double control, double w, double h) {
    double u = abut_actuator_control(def, control), time = at_least_tiny(def->time[0]), next = w;
    switch (def->dynamics) {
    case ABUT_ACTIVATION_INTEGRATOR:
        next = w + h * u;
        break;
    case ABUT_ACTIVATION_FILTER:
        next = w + h * ((u - w) / time);
        break;
    case ABUT_ACTIVATION_FILTER_EXACT:
        next = w + (u - w) * (1.0 - abut_exp(-h / time));
        break;
    case ABUT_ACTIVATION_MUSCLE:
        next = w + h * muscle_rate(def->time, u, w);
        break;
    default:
        return u;
    }
    return def->activation_limited ? clamped(next, def->activation_range[0], def->activation_range[1]) : next;
}
