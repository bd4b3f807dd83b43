/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <actuator> of an MJCF file. All kinds of actuators are forms of one (mjcf_actuator_form.c), and their
 * default classes are too: an actuator is made by applying the settings of its classes, the outermost first, and then
 * its own, each by the rules of its tag. A kind without a law in the model is kept as an element.
 */
#include "import/mjcf_actuator.h"

#include <stdio.h>
#include <string.h>

typedef AbutMjcfActuator Actuator;

static AbutStatus apply_class(AbutMjcfReader *reader, const AbutMjcfClass *class, Actuator *a) {
    if (!class) return ABUT_OK;
    AbutStatus status = apply_class(reader, class->parent, a);
    for (int32_t i = 0; i < class->setting_count && !status; ++i)
        if (abut_mjcf_actuator_tag(class->settings[i]->tag) >= 0)
            status = abut_mjcf_actuator_apply(reader, class->settings[i], a);
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
        {"tendon", ABUT_MJCF_KIND_TENDON, ABUT_TARGET_TENDON}, {"site", ABUT_MJCF_KIND_SITE, ABUT_TARGET_FRAME},
        {"body", ABUT_MJCF_KIND_BODY, ABUT_TARGET_CONTACTS}};
    AbutActuatorDef *def = &a->out.def;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        if (!abut_mjcf_value(view, ways[i].attribute, NULL)) continue;
        if (i == 3 && abut_mjcf_value(view, "refsite", NULL)) return ABUT_OK; /* kept */
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
static int is_servo(const Actuator *a) {
    return a->gain == ABUT_MJCF_FIXED && a->bias == ABUT_MJCF_AFFINE && a->gain_numbers[0] == -a->bias_numbers[1];
}

/* The numbers of the form become those of the law; 0: there is no such law. */
static int settle_law(Actuator *a) {
    AbutActuatorDef *def = &a->out.def;
    const double *gain = a->gain_numbers, *bias = a->bias_numbers;
    int muscle = a->gain == ABUT_MJCF_MUSCLE && (a->bias == 0 || a->bias == ABUT_MJCF_MUSCLE);
    int linear = a->gain <= ABUT_MJCF_AFFINE && a->bias <= ABUT_MJCF_AFFINE;
    if (a->dynamics >= ABUT_ACTIVATION_COUNT || !(muscle || linear)) return 0;
    if (muscle && a->bias && memcmp(gain, bias, ABUT_MUSCLE_NUMBERS * sizeof *gain) != 0) return 0;
    def->dynamics = a->dynamics;
    if (def->dynamics) memcpy(def->time, a->time, sizeof def->time);
    def->gain = gain[0];
    for (int i = 0; a->gain == ABUT_MJCF_AFFINE && i < 2; ++i) def->gain_by[i] = gain[1 + i];
    for (int i = 0; a->bias == ABUT_MJCF_AFFINE && i < 3; ++i) def->bias[i] = bias[i];
    if (is_servo(a) && bias[2] > 0.0) {
        a->out.damping_ratio = bias[2];
        def->bias[2] = 0.0;
    }
    def->muscle = muscle;
    if (!muscle) return 1;
    memcpy(def->muscle_numbers, gain, sizeof def->muscle_numbers);
    if (a->bias == 0) def->muscle_numbers[7] = 0.0; /* no passive force */
    def->gain = 1.0;
    return 1;
}

/* The range of the joint where it is taken over: for the control, or for its integral. */
static void inherit_range(const AbutMjcfView *view, Actuator *a) {
    AbutActuatorDef *def = &a->out.def;
    if (!(a->inherit > 0.0) || !is_servo(a) || def->target != ABUT_TARGET_JOINT || !a->out.kept || a->out.of_free)
        return;
    int integrates = a->dynamics == ABUT_ACTIVATION_INTEGRATOR;
    const double *range = view->reader->draft.joints[def->number].def.range;
    double middle = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]) * a->inherit;
    double *to = integrates ? def->activation_range : def->control_range;
    to[0] = middle - half;
    to[1] = middle + half;
    *(integrates ? &def->activation_limited : &def->control_limited) = half > 0.0;
}

/* Ranges that hold, and the law. */
static AbutStatus settle(const AbutMjcfView *view, Actuator *a) {
    static const char *const names[] = {"ctrlrange", "forcerange", "actrange"};
    AbutActuatorDef *def = &a->out.def;
    int32_t *limited[] = {&def->control_limited, &def->force_limited, &def->activation_limited};
    const double *ranges[] = {def->control_range, def->force_range, def->activation_range};
    for (int i = 0; i < 3; ++i)
        *limited[i] = a->limited[i] == 2 ? a->given[i] && ranges[i][0] != ranges[i][1] : a->limited[i];
    inherit_range(view, a);
    for (int i = 0; i < 3; ++i)
        if (*limited[i] && !(ranges[i][0] < ranges[i][1]))
            return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute %s: expected two ascending numbers, got %g and %g", names[i], ranges[i][0], ranges[i][1]);
    a->out.has_activation = a->dynamics != ABUT_ACTIVATION_NONE;
    a->out.kept = a->out.kept && settle_law(a);
    return ABUT_OK;
}

static AbutStatus read_actuator(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    Actuator a = abut_mjcf_actuator_default();
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    ABUT_TRY(abut_mjcf_place(
        reader, element, ABUT_MJCF_KIND_ACTUATOR, draft->actuator_count, &a.out.def.name, &a.out.def.source));
    ABUT_TRY(apply_class(reader, view.class, &a));
    ABUT_TRY(abut_mjcf_actuator_apply(reader, element, &a));
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
