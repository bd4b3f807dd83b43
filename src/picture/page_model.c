/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a model: a run without steps in time, with a frame a second for each state that is shown. */
#include "abut/picture.h"

typedef struct Showing {
    const AbutModel *model;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRun *run;
    double time;
} Showing;

static AbutStatus show(Showing *s, AbutError *error) {
    AbutStepReport report = {.time = s->time};
    s->time += 1.0;
    return abut_run_record(s->run, s->simulation, &report, error);
}

static AbutStatus show_key(Showing *s, int32_t key, AbutError *error) {
    AbutStatus status = abut_scene_set_keyframe(s->scene, 0, key, error);
    return status == ABUT_OK ? show(s, error) : status;
}

static AbutStatus show_states(Showing *s, int32_t key, const double *positions, AbutError *error) {
    AbutStatus status = ABUT_OK;
    if (key >= 0) return show_key(s, key, error);
    if (positions && abut_scene_robot_count(s->scene))
        status = abut_scene_set_joints(
            s->scene, 0, abut_model_number_count(s->model, ABUT_NUMBERS_POSITIONS), positions, 0, NULL, error);
    if (status == ABUT_OK) status = show(s, error);
    for (int32_t k = 0; k < s->model->keyframe_count && !positions && status == ABUT_OK; ++k)
        status = show_key(s, k, error);
    return status;
}

AbutStatus abut_page_write_model(const char *path, const char *title, const AbutModel *model, int32_t key,
    const double *positions, AbutError *error) {
    ABUT_ASSERT(path && title && model);
    Showing s = {.model = model};
    AbutSimulationDef def = abut_simulation_default();
    char about[200];
    snprintf(about, sizeof about, "bodies: %d, joints: %d, keyframes: %d", (int)model->body_count,
        (int)model->joint_count, (int)model->keyframe_count);
    AbutPageHead head = {.title = title, .subtitle = about, .robot = model, .without_charts = 1};
    AbutStatus status = abut_scene_create(&s.scene, error);
    if (status == ABUT_OK) status = abut_scene_add_model(s.scene, model, abut_pose_identity(), NULL, error);
    if (status == ABUT_OK) status = abut_simulation_create(s.scene, &def, &s.simulation, error);
    if (status == ABUT_OK) status = abut_run_create_of_scene(s.scene, model, NULL, &s.run, error);
    if (status == ABUT_OK) status = show_states(&s, key, positions, error);
    if (status == ABUT_OK) status = abut_page_write_run(path, &head, s.run, NULL, error);
    abut_run_free(s.run);
    abut_simulation_free(s.simulation);
    abut_scene_free(s.scene);
    return status;
}
