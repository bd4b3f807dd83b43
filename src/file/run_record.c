/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs that follow a scene. Bodies of the scene are known by their ids: one that is new joins the run with its shapes,
 * one that is gone has no pose from then on, and a place that was taken again is another body.
 */
#include "file/run.h"

#include <string.h>

/* Number of a body in the run; -1 when it is not in it. */
static int32_t number_of(const AbutRunInside *in, AbutBodyId id) {
    const AbutRunFollow *f = &in->follow;
    int32_t place = id.index1 < f->place_capacity ? f->place[id.index1] : -1;
    return place >= 0 && f->ids[place].generation == id.generation ? place : -1;
}

static int follow_room(AbutRunFollow *f, int32_t bodies, AbutBodyId id) {
    size_t before = f->place_capacity;
    if (!abut_grow((void **)&f->ids, &f->id_capacity, (size_t)bodies + 1, sizeof *f->ids) ||
        !abut_grow((void **)&f->rows, &f->row_capacity, (size_t)bodies + 1, sizeof *f->rows) ||
        !abut_grow((void **)&f->place, &f->place_capacity, (size_t)id.index1 + 1, sizeof *f->place))
        return 0;
    for (size_t i = before; i < f->place_capacity; ++i) f->place[i] = -1;
    return 1;
}

/* A body of the scene with its shapes becomes the next body of the run. */
static AbutStatus add_body(AbutRunInside *in, AbutBodyId id, AbutError *error) {
    int32_t number = in->run.bodies;
    if (!follow_room(&in->follow, number, id) || !abut_run_reserve_body(in)) return abut_fail_memory(error);
    AbutStatus status = abut_scene_describe_body(in->follow.scene, id, in->model, NULL, error);
    if (in->model->body_count == number) return status;
    abut_run_join_body(in);
    in->follow.ids[number] = id;
    in->follow.place[id.index1] = number;
    return status;
}

static AbutStatus add_new_bodies(AbutRunInside *in, AbutError *error) {
    const AbutScene *scene = in->follow.scene;
    int count = abut_scene_body_count(scene);
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutBodyId id = abut_scene_body_at(scene, i);
        if (number_of(in, id) < 0) status = add_body(in, id, error);
    }
    return status;
}

AbutStatus abut_run_create_of_scene(
    const AbutScene *scene, const AbutModel *about, const char *settings, AbutRun **out, AbutError *error) {
    ABUT_ASSERT(scene && out);
    AbutRun *run = NULL;
    AbutModel *none = NULL;
    *out = NULL;
    AbutStatus status = abut_model_create(&none, error);
    if (status == ABUT_OK) status = abut_run_create(none, settings, &run, error);
    abut_model_free(none);
    if (status != ABUT_OK) return status;
    AbutRunInside *in = abut_run_inside(run);
    in->follow.scene = scene;
    if (about) {
        in->model->gravity = about->gravity;
        in->model->timestep = about->timestep;
        in->model->time = about->time;
        status = abut_model_set_name(in->model, about->name, error);
    }
    if (status == ABUT_OK) status = abut_run_begin_robots(in, error);
    if (status == ABUT_OK) status = add_new_bodies(in, error);
    if (status != ABUT_OK) {
        abut_run_free(run);
        return status;
    }
    *out = run;
    return ABUT_OK;
}

/* The bodies of the scene now; those that are gone have no pose. */
static void fill_rows(AbutRunInside *in, const AbutSimulation *simulation) {
    for (int32_t i = 0; i < in->run.bodies; ++i) {
        AbutBodyState state;
        int32_t asleep, island;
        AbutRunBody *row = &in->follow.rows[i];
        if (abut_scene_get_body(in->follow.scene, in->follow.ids[i], &state) &&
            abut_simulation_get_activity(simulation, in->follow.ids[i], &asleep, &island))
            *row = (AbutRunBody){state.pose, state.velocity, state.spin, asleep, island};
        else
            *row = abut_run_absent();
    }
}

AbutStatus abut_run_record(
    AbutRun *run, const AbutSimulation *simulation, const AbutStepReport *report, AbutError *error) {
    ABUT_ASSERT(run && simulation && report);
    AbutRunInside *in = abut_run_inside(run);
    ABUT_ASSERT(in->follow.scene == abut_simulation_scene(simulation));
    AbutRun before = *run;
    AbutStatus status = add_new_bodies(in, error);
    before.bodies = run->bodies;
    if (status == ABUT_OK) {
        fill_rows(in, simulation);
        status = abut_run_add_step(run, report, in->follow.rows, error);
    }
    if (status == ABUT_OK) status = abut_run_put_robots(in, simulation, error);
    int contacts = run->keep == ABUT_RUN_KEEP_ALL ? abut_simulation_contact_count(simulation) : 0;
    for (int i = 0; i < contacts && status == ABUT_OK; ++i) {
        AbutContact c;
        if (abut_simulation_get_contact(simulation, i, &c))
            status = abut_run_add_contact(run, number_of(in, c.body_a), number_of(in, c.body_b), &c, error);
    }
    if (status != ABUT_OK) *run = before;
    return status;
}
