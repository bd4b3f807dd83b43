/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The panel of joints: a robot as a chain of bodies, so that a page can pose it by hand. In: a run and the model of its
 * one robot. Out: per body of the model its place in the run, its parent, its pose there and its joints; equalities of
 * joints; the positions at the kept frames.
 */
#include "picture/page.h"

#include <string.h>

static void put_pose(AbutJson *json, AbutPose pose) {
    const double rotation[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    abut_json_put_vec3(json, "position", pose.p);
    abut_json_numbers(abut_json_key(json, "rotation"), rotation, 4);
}

/* Hinges and slides have a slider, over their range or, without one, a turn or two meters. */
static void put_joint(AbutJson *json, const AbutJointDef *joint, int32_t number, int32_t place) {
    static const char *const kinds[] = {
        [ABUT_JOINT_HINGE] = "hinge", [ABUT_JOINT_SLIDE] = "slide", [ABUT_JOINT_BALL] = "ball"};
    double half = joint->kind == ABUT_JOINT_SLIDE ? 1.0 : ABUT_PI;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", joint->name ? joint->name : "");
    abut_json_put_string(json, "kind", kinds[joint->kind]);
    abut_json_put_integer(json, "number", number);
    abut_json_put_integer(json, "place", place);
    abut_json_put_vec3(json, "at", joint->position);
    abut_json_put_vec3(json, "axis", joint->axis);
    abut_json_put_number(json, "reference", joint->reference);
    abut_json_put_number(json, "low", joint->limited ? joint->range[0] : joint->reference - half);
    abut_json_put_number(json, "high", joint->limited ? joint->range[1] : joint->reference + half);
    abut_json_end_object(json);
}

/* `*place` counts the positions of the model. */
static void put_link(AbutJson *json, const AbutRun *run, const AbutModel *robot, int32_t body, int32_t *place) {
    const AbutBodyDef *def = &robot->bodies[body];
    abut_json_begin_object(json);
    abut_json_put_integer(
        json, "body", def->name && *def->name ? abut_model_find(run->model, ABUT_MODEL_BODY, def->name) : (int32_t)-1);
    abut_json_put_integer(json, "parent", def->parent);
    abut_json_put_bool(json, "fixed", def->kind != ABUT_BODY_LINK); /* where the frame has it */
    put_pose(json, def->pose);
    *place += def->kind == ABUT_BODY_DYNAMIC ? 7 : 0;
    abut_json_begin_array(abut_json_key(json, "joints"));
    for (int32_t j = abut_model_next_joint(robot, body, -1); j >= 0; j = abut_model_next_joint(robot, body, j)) {
        put_joint(json, &robot->joints[j], j, *place);
        *place += robot->joints[j].kind == ABUT_JOINT_BALL ? 4 : 1;
    }
    abut_json_end_array(json);
    abut_json_end_object(json);
}

static void put_couplings(AbutJson *json, const AbutModel *robot) {
    abut_json_begin_array(abut_json_key(json, "couplings"));
    for (int32_t i = 0; i < robot->equality_count; ++i) {
        const AbutEqualityDef *e = &robot->equalities[i];
        if (e->kind != ABUT_EQUALITY_JOINT || e->inactive || e->a < 0) continue;
        abut_json_begin_object(json);
        abut_json_put_integer(json, "joint", e->a);
        abut_json_put_integer(json, "of", e->b);
        abut_json_numbers(abut_json_key(json, "polynomial"), e->polynomial, 5);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

typedef struct Values {
    const AbutRun *run;
    const int32_t *frame;
} Values;

static double get_value(const void *source, int64_t row, int32_t column) {
    const Values *values = source;
    const AbutRun *run = values->run;
    return abut_run_f8(run, ABUT_RUN_JOINT_POSITION)[(int64_t)values->frame[row] * run->positions + column];
}

void abut_page_joints(AbutPage *page, const AbutRun *run, const AbutModel *robot, const int32_t *frame, int32_t count) {
    AbutJson *json = &page->json;
    Values values = {run, frame};
    AbutPageTable table = {get_value, &values, count, run->positions, 0.0, 0, 0.0, NULL};
    int32_t place = 0;
    if (robot->joint_count == 0 || run->positions != abut_model_number_count(robot, ABUT_NUMBERS_POSITIONS)) return;
    abut_json_begin_object(json);
    abut_json_put_string(json, "type", "joints");
    abut_json_begin_array(abut_json_key(json, "links"));
    for (int32_t b = 0; b < robot->body_count; ++b) put_link(json, run, robot, b, &place);
    abut_json_end_array(json);
    put_couplings(json, robot);
    abut_page_table(page, "values", &table);
    abut_json_end_object(json);
}
