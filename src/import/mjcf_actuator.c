/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <actuator> of an MJCF file. All kinds of actuators are forms of one, and their default classes are too:
 * an actuator is made by applying the settings of its classes, the outermost first, and then its own, each by the rules
 * of its tag. What is left must be a fixed gain with no bias or an affine one; others are kept as elements.
 */
#include "import/mjcf_read.h"

#include <string.h>

typedef struct Actuator {
    AbutDraftActuator out;
    int dynamics, gain, bias; /* as in the lists of words below; 0 is what can be read (bias 1 as well) */
    double inherit;           /* part of the range of the joint that the control has; 0: not said */
    double lag;
    int limited[2]; /* control, force: 0 false, 1 true, 2 as the range says */
    int given[2];
} Actuator;

enum { OTHER = 9 };

static const char *const tags[] = {"general", "motor", "position", "velocity"};
static const char *const others[] = {"intvelocity", "damper", "cylinder", "muscle", "adhesion", "plugin", "dcmotor"};

static int tag_number(const char *tag) {
    for (int i = 0; i < 4; ++i)
        if (strcmp(tags[i], tag) == 0) return i;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (strcmp(others[i], tag) == 0) return OTHER;
    return -1;
}

static AbutStatus apply_limits(const AbutMjcfView *view, Actuator *a) {
    static const char *const words[] = {"false", "true", "auto", NULL};
    static const char *const flags[] = {"ctrllimited", "forcelimited"}, *const ranges[] = {"ctrlrange", "forcerange"};
    double *to[] = {a->out.def.control_range, a->out.def.force_range};
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        int given;
        status = abut_mjcf_word(view, flags[i], words, &a->limited[i]);
        if (!status) status = abut_mjcf_numbers(view, ranges[i], 2, 2, to[i], &given);
        a->given[i] |= !status && given;
    }
    return status;
}

static AbutStatus apply_general(const AbutMjcfView *view, Actuator *a) {
    static const char *const dynamics[] = {
        "none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor", NULL};
    static const char *const gains[] = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
    static const char *const biases[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
    double gain[10] = {a->out.def.gain}, bias[10] = {a->out.def.bias[0], a->out.def.bias[1], a->out.def.bias[2]};
    AbutStatus status = abut_mjcf_word(view, "dyntype", dynamics, &a->dynamics);
    if (!status) status = abut_mjcf_word(view, "gaintype", gains, &a->gain);
    if (!status) status = abut_mjcf_word(view, "biastype", biases, &a->bias);
    if (!status) status = abut_mjcf_numbers(view, "gainprm", 1, 10, gain, NULL);
    if (!status) status = abut_mjcf_numbers(view, "biasprm", 1, 10, bias, NULL);
    a->out.def.gain = gain[0];
    memcpy(a->out.def.bias, bias, sizeof a->out.def.bias);
    return status;
}

static AbutStatus apply_position(const AbutMjcfView *view, Actuator *a) {
    AbutActuatorDef *def = &a->out.def;
    double kp = def->gain, kv = 0.0, ratio = 0.0;
    int damped, by_ratio;
    ABUT_TRY(abut_mjcf_number(view, "kp", 0.0, &kp));
    ABUT_TRY(abut_mjcf_numbers(view, "kv", 1, 1, &kv, &damped));
    ABUT_TRY(abut_mjcf_numbers(view, "dampratio", 1, 1, &ratio, &by_ratio));
    ABUT_TRY(abut_mjcf_number(view, "inheritrange", 0.0, &a->inherit));
    ABUT_TRY(abut_mjcf_number(view, "timeconst", 0.0, &a->lag));
    a->gain = 0;
    a->bias = 1;
    def->gain = kp;
    def->bias[1] = -kp;
    if (damped || by_ratio) def->bias[2] = by_ratio ? ratio : -kv;
    return ABUT_OK;
}

static AbutStatus apply_velocity(const AbutMjcfView *view, Actuator *a) {
    double kv = a->out.def.gain;
    AbutStatus status = abut_mjcf_number(view, "kv", 0.0, &kv);
    a->dynamics = a->gain = 0;
    a->bias = 1;
    a->lag = 0.0;
    a->out.def.gain = kv;
    a->out.def.bias[0] = a->out.def.bias[1] = 0.0;
    a->out.def.bias[2] = -kv;
    return status;
}

/* The settings of one element, by the rules of its tag. */
static AbutStatus apply(AbutMjcfReader *reader, const AbutXmlElement *element, Actuator *a) {
    AbutMjcfView view = {reader, element, NULL, NULL};
    int tag = tag_number(element->tag);
    ABUT_TRY(apply_limits(&view, a));
    ABUT_TRY(abut_mjcf_numbers(&view, "gear", 1, 6, a->out.def.gear, NULL));
    if (tag == 0) return apply_general(&view, a);
    if (tag == 2) return apply_position(&view, a);
    if (tag == 3) return apply_velocity(&view, a);
    a->gain = tag == OTHER ? OTHER : 0;
    if (tag == 1) {
        a->dynamics = a->bias = 0;
        a->lag = 0.0;
        a->out.def.gain = 1.0;
    }
    return ABUT_OK;
}

static AbutStatus apply_class(AbutMjcfReader *reader, const AbutMjcfClass *class, Actuator *a) {
    if (!class) return ABUT_OK;
    AbutStatus status = apply_class(reader, class->parent, a);
    for (int32_t i = 0; i < class->setting_count && !status; ++i)
        if (tag_number(class->settings[i]->tag) >= 0) status = apply(reader, class->settings[i], a);
    return status;
}

/* ---- target ------------------------------------------------------------------------------------------------------ */

/* Which thing is driven; 0 in out.kept: none that can be. */
static AbutStatus find_target(const AbutMjcfView *view, Actuator *a) {
    static const struct {
        const char *attribute;
        AbutMjcfKind kind;
        int32_t target;
    } ways[] = {{"joint", ABUT_MJCF_KIND_JOINT, ABUT_TARGET_JOINT},
        {"jointinparent", ABUT_MJCF_KIND_JOINT, ABUT_TARGET_JOINT},
        {"tendon", ABUT_MJCF_KIND_TENDON, ABUT_TARGET_TENDON}, {"site", ABUT_MJCF_KIND_SITE, ABUT_TARGET_FRAME}};
    AbutActuatorDef *def = &a->out.def;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        if (!abut_mjcf_value(view, ways[i].attribute, NULL)) continue;
        const char *name = abut_mjcf_value(view, ways[i].attribute, NULL);
        int spatial = ways[i].kind == ABUT_MJCF_KIND_TENDON && abut_mjcf_find(view->reader, ways[i].kind, name) < 0;
        if (spatial || (i == 3 && abut_mjcf_value(view, "refsite", NULL))) return ABUT_OK; /* through sites: kept */
        def->target = ways[i].target;
        a->out.kept = 1;
        AbutStatus status = abut_mjcf_reference(view, ways[i].attribute, ways[i].kind, &def->number);
        if (!status && def->target == ABUT_TARGET_JOINT) {
            const AbutDraftJoint *joint = &view->reader->draft.joints[def->number];
            a->out.of_free = joint->free;
            a->out.kept = i == 0 || (!joint->free && joint->def.kind != ABUT_JOINT_BALL);
        }
        return status;
    }
    return ABUT_OK;
}

/* A servo, in whatever words: its gain is what pulls it back. As in MuJoCo, a positive damping of one is a damping
 * ratio, and only such a one takes over the range of its joint. */
static int is_servo(const Actuator *a) { return a->bias == 1 && a->out.def.gain == -a->out.def.bias[1]; }

static void settle_damping(Actuator *a) {
    double *bias = a->out.def.bias;
    if (is_servo(a) && bias[2] > 0.0) {
        a->out.damping_ratio = bias[2];
        bias[2] = 0.0;
    }
    if (a->bias == 0) memset(bias, 0, sizeof a->out.def.bias);
}

/* Ranges that hold, and the range of the joint where it is taken over. */
static AbutStatus settle(const AbutMjcfView *view, Actuator *a) {
    AbutActuatorDef *def = &a->out.def;
    int32_t *limited[] = {&def->control_limited, &def->force_limited};
    const double *ranges[] = {def->control_range, def->force_range};
    for (int i = 0; i < 2; ++i)
        *limited[i] = a->limited[i] == 2 ? a->given[i] && ranges[i][0] != ranges[i][1] : a->limited[i];
    if (a->inherit > 0.0 && is_servo(a) && def->target == ABUT_TARGET_JOINT && a->out.kept && !a->out.of_free) {
        const double *range = view->reader->draft.joints[def->number].def.range;
        double middle = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]) * a->inherit;
        def->control_range[0] = middle - half;
        def->control_range[1] = middle + half;
        def->control_limited = half > 0.0;
    }
    for (int i = 0; i < 2; ++i)
        if (*limited[i] && !(ranges[i][0] < ranges[i][1]))
            return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute %s: expected two ascending numbers, got %g and %g", i ? "forcerange" : "ctrlrange",
                ranges[i][0], ranges[i][1]);
    settle_damping(a);
    if (a->lag > 0.0)
        abut_mjcf_warn(view->reader, view->element, "attribute timeconst is ignored: the servo acts at once");
    a->out.kept &= a->dynamics == 0 && a->gain == 0 && a->bias <= 1;
    return ABUT_OK;
}

static AbutStatus read_actuator(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    Actuator a = {.out = {.def = abut_actuator_default()}, .limited = {2, 2}};
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    ABUT_TRY(abut_mjcf_place(
        reader, element, ABUT_MJCF_KIND_ACTUATOR, draft->actuator_count, &a.out.def.name, &a.out.def.source));
    ABUT_TRY(apply_class(reader, view.class, &a));
    ABUT_TRY(apply(reader, element, &a));
    ABUT_TRY(find_target(&view, &a));
    ABUT_TRY(settle(&view, &a));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, actuators, actuator, a.out));
    char row[40];
    snprintf(row, sizeof row, "actuator/%.20s", element->tag);
    if (a.out.kept) {
        abut_mjcf_ignore_others(reader, element, row);
        return ABUT_OK;
    }
    abut_mjcf_warn(reader, element, "is kept and drives nothing: its kind is not supported");
    return abut_mjcf_keep_element(reader, element, "actuator");
}

AbutStatus abut_mjcf_actuator(AbutMjcfReader *reader, const AbutXmlElement *element) {
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (abut_mjcf_names_are_here(reader, e)) ABUT_TRY(read_actuator(reader, e));
    return ABUT_OK;
}
