/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of actuators in MJCF: every tag is a way to write the numbers of a general one. In: the settings of an element,
 * and what classes have set before. Out: words and numbers of the general form.
 */
#include "import/mjcf_actuator.h"

#include <string.h>

typedef AbutMjcfActuator Actuator;

AbutMjcfActuator abut_mjcf_actuator_default(void) {
    return (Actuator){
        .out = {.def = abut_actuator_default()}, .gain_numbers = {1.0}, .time = {1.0}, .limited = {2, 2, 2}};
}

static AbutStatus apply_limits(const AbutMjcfView *view, Actuator *a) {
    static const char *const words[] = {"false", "true", "auto", NULL}, *const truth[] = {"false", "true", NULL};
    static const char *const flags[] = {"ctrllimited", "forcelimited", "actlimited"};
    static const char *const ranges[] = {"ctrlrange", "forcerange", "actrange"};
    AbutActuatorDef *def = &a->out.def;
    double *to[] = {def->control_range, def->force_range, def->activation_range};
    AbutStatus status = ABUT_OK;
    int early = def->activation_early;
    for (int i = 0; i < 3 && !status; ++i) {
        int given;
        status = abut_mjcf_word(view, flags[i], words, &a->limited[i]);
        if (!status) status = abut_mjcf_numbers(view, ranges[i], 2, 2, to[i], &given);
        a->given[i] |= !status && given;
    }
    if (!status) status = abut_mjcf_word(view, "actearly", truth, &early);
    if (!status) status = abut_mjcf_numbers(view, "lengthrange", 2, 2, def->length_range, NULL);
    def->activation_early = early;
    return status;
}

static void set_form(Actuator *a, int dynamics, int gain, int bias) {
    a->dynamics = dynamics;
    a->gain = gain;
    a->bias = bias;
}

static AbutStatus apply_general(const AbutMjcfView *view, Actuator *a) {
    static const char *const dynamics[] = {
        "none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor", NULL};
    static const char *const gains[] = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
    static const char *const biases[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
    ABUT_TRY(abut_mjcf_word(view, "dyntype", dynamics, &a->dynamics));
    ABUT_TRY(abut_mjcf_word(view, "gaintype", gains, &a->gain));
    ABUT_TRY(abut_mjcf_word(view, "biastype", biases, &a->bias));
    ABUT_TRY(abut_mjcf_numbers(view, "dynprm", 1, 10, a->time, NULL));
    ABUT_TRY(abut_mjcf_numbers(view, "gainprm", 1, 10, a->gain_numbers, NULL));
    return abut_mjcf_numbers(view, "biasprm", 1, 10, a->bias_numbers, NULL);
}

static AbutStatus apply_motor(const AbutMjcfView *view, Actuator *a) {
    (void)view;
    set_form(a, ABUT_ACTIVATION_NONE, ABUT_MJCF_FIXED, 0);
    memset(a->gain_numbers, 0, sizeof a->gain_numbers);
    a->gain_numbers[0] = 1.0;
    return ABUT_OK;
}

/* A servo for the position; as `intvelocity` for the integral of the control. */
static AbutStatus apply_servo(const AbutMjcfView *view, Actuator *a, int integrates) {
    double kp = a->gain_numbers[0], kv = 0.0, ratio = 0.0, lag = a->time[0];
    int damped, by_ratio, lags;
    ABUT_TRY(abut_mjcf_number(view, "kp", 0.0, &kp));
    ABUT_TRY(abut_mjcf_numbers(view, "kv", 1, 1, &kv, &damped));
    ABUT_TRY(abut_mjcf_numbers(view, "dampratio", 1, 1, &ratio, &by_ratio));
    ABUT_TRY(abut_mjcf_number(view, "inheritrange", 0.0, &a->inherit));
    ABUT_TRY(abut_mjcf_numbers(view, "timeconst", 1, 1, &lag, &lags));
    if (!integrates) ABUT_TRY(abut_mjcf_number(view, "timeconst", 0.0, &lag));
    a->gain = ABUT_MJCF_FIXED;
    a->bias = ABUT_MJCF_AFFINE;
    a->gain_numbers[0] = kp;
    a->bias_numbers[1] = -kp;
    if (damped || by_ratio) a->bias_numbers[2] = by_ratio ? ratio : -kv;
    if (integrates) {
        a->dynamics = ABUT_ACTIVATION_INTEGRATOR;
        a->limited[2] = 1;
    } else if (lags) {
        a->dynamics = lag > 0.0 ? ABUT_ACTIVATION_FILTER_EXACT : ABUT_ACTIVATION_NONE;
        a->time[0] = lag;
    }
    return ABUT_OK;
}

static AbutStatus apply_position(const AbutMjcfView *view, Actuator *a) { return apply_servo(view, a, 0); }
static AbutStatus apply_integral(const AbutMjcfView *view, Actuator *a) { return apply_servo(view, a, 1); }

static AbutStatus apply_velocity(const AbutMjcfView *view, Actuator *a) {
    double kv = a->gain_numbers[0];
    ABUT_TRY(abut_mjcf_number(view, "kv", 0.0, &kv));
    set_form(a, ABUT_ACTIVATION_NONE, ABUT_MJCF_FIXED, ABUT_MJCF_AFFINE);
    memset(a->bias_numbers, 0, sizeof a->bias_numbers);
    a->gain_numbers[0] = kv;
    a->bias_numbers[2] = -kv;
    return ABUT_OK;
}

/* Its control is the damping. */
static AbutStatus apply_damper(const AbutMjcfView *view, Actuator *a) {
    double kv = 0.0;
    int given;
    ABUT_TRY(abut_mjcf_numbers(view, "kv", 1, 1, &kv, &given));
    ABUT_TRY(abut_mjcf_number(view, "kv", 0.0, &kv));
    set_form(a, ABUT_ACTIVATION_NONE, ABUT_MJCF_AFFINE, 0);
    a->gain_numbers[0] = a->gain_numbers[1] = 0.0;
    if (given) a->gain_numbers[2] = -kv;
    a->limited[0] = 1;
    if (a->given[0] && a->out.def.control_range[0] < 0.0)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute ctrlrange: expected dampings of at least 0, got %g", a->out.def.control_range[0]);
    return ABUT_OK;
}

static AbutStatus apply_cylinder(const AbutMjcfView *view, Actuator *a) {
    double diameter = 0.0;
    int given;
    ABUT_TRY(abut_mjcf_number(view, "timeconst", 0.0, &a->time[0]));
    ABUT_TRY(abut_mjcf_numbers(view, "bias", 3, 3, a->bias_numbers, NULL));
    ABUT_TRY(abut_mjcf_number(view, "area", 0.0, &a->gain_numbers[0]));
    ABUT_TRY(abut_mjcf_numbers(view, "diameter", 1, 1, &diameter, &given));
    ABUT_TRY(abut_mjcf_number(view, "diameter", 0.0, &diameter));
    if (given) a->gain_numbers[0] = 0.25 * ABUT_PI * diameter * diameter;
    set_form(a, ABUT_ACTIVATION_FILTER, ABUT_MJCF_FIXED, ABUT_MJCF_AFFINE);
    return ABUT_OK;
}

/* Numbers that are still those of a general actuator become those of muscles. */
static void muscle_defaults(Actuator *a) {
    static const double general[] = {1, 0, 0, 0, 0, 0, 0, 0, 0}, own[] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
                        times[] = {0.01, 0.04};
    for (int i = 0; i < 9; ++i)
        if (a->gain_numbers[i] == general[i]) a->gain_numbers[i] = own[i];
    for (int i = 0; i < 2; ++i)
        if (a->time[i] == general[i]) a->time[i] = times[i];
}

static AbutStatus apply_muscle(const AbutMjcfView *view, Actuator *a) {
    static const char *const names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    muscle_defaults(a);
    ABUT_TRY(abut_mjcf_numbers(view, "timeconst", 1, 2, a->time, NULL));
    ABUT_TRY(abut_mjcf_numbers(view, "tausmooth", 1, 1, &a->time[2], NULL));
    ABUT_TRY(abut_mjcf_numbers(view, "range", 2, 2, a->gain_numbers, NULL));
    for (int i = 0; i < 7; ++i) ABUT_TRY(abut_mjcf_numbers(view, names[i], 1, 1, &a->gain_numbers[2 + i], NULL));
    memcpy(a->bias_numbers, a->gain_numbers, sizeof a->bias_numbers);
    set_form(a, ABUT_ACTIVATION_MUSCLE, ABUT_MJCF_MUSCLE, ABUT_MJCF_MUSCLE);
    return ABUT_OK;
}

static AbutStatus apply_adhesion(const AbutMjcfView *view, Actuator *a) {
    ABUT_TRY(abut_mjcf_number(view, "gain", 0.0, &a->gain_numbers[0]));
    set_form(a, ABUT_ACTIVATION_NONE, ABUT_MJCF_FIXED, 0);
    a->limited[0] = 1;
    return ABUT_OK;
}

static AbutStatus apply_other(const AbutMjcfView *view, Actuator *a) {
    (void)view;
    a->gain = ABUT_MJCF_OTHER;
    return ABUT_OK;
}

static const struct {
    const char *tag;
    AbutStatus (*apply)(const AbutMjcfView *view, Actuator *a);
} forms[] = {{"general", apply_general}, {"motor", apply_motor}, {"position", apply_position},
    {"velocity", apply_velocity}, {"intvelocity", apply_integral}, {"damper", apply_damper},
    {"cylinder", apply_cylinder}, {"muscle", apply_muscle}, {"adhesion", apply_adhesion}, {"plugin", apply_other},
    {"dcmotor", apply_other}};

int abut_mjcf_actuator_tag(const char *tag) {
    for (int i = 0; i < (int)(sizeof forms / sizeof forms[0]); ++i)
        if (strcmp(forms[i].tag, tag) == 0) return i;
    return -1;
}

AbutStatus abut_mjcf_actuator_apply(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfActuator *a) {
    AbutMjcfView view = {reader, element, NULL, NULL};
    int tag = abut_mjcf_actuator_tag(element->tag);
    ABUT_TRY(apply_limits(&view, a));
    ABUT_TRY(abut_mjcf_numbers(&view, "gear", 1, 6, a->out.def.gear, NULL));
    return forms[tag < 0 ? (int)(sizeof forms / sizeof forms[0]) - 1 : tag].apply(&view, a);
}
