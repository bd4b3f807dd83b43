/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds of the volumetric paper: built-in scenes whose shapes get its kinetic friction, each simulated in one of
 * several ways. */
#include "volumetric.h"

static const double KINETIC = 0.45;

static AbutStatus copy_shapes(
    const AbutScene *from, AbutBodyId body, AbutScene *to, AbutBodyId copy, AbutError *error) {
    AbutStatus status = ABUT_OK;
    int count = abut_scene_shape_count(from, body);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutShapeDef shape;
        if (!abut_scene_get_shape(from, abut_scene_shape_at(from, body, i), &shape, NULL)) continue;
        shape.material.friction_kinetic = KINETIC;
        status = abut_scene_add_shape(to, copy, &shape, NULL, error);
    }
    return status;
}

/* Bodies keep their order, poses and velocities. */
static AbutStatus copy_bodies(const AbutScene *from, AbutScene *to, AbutError *error) {
    AbutStatus status = ABUT_OK;
    int count = abut_scene_body_count(from);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutBodyId id = abut_scene_body_at(from, i), copy;
        AbutBodyDef def = abut_body_default();
        AbutBodyState state;
        if (!abut_scene_get_body(from, id, &state)) continue;
        def.kind = state.kind;
        def.name = state.name;
        def.pose = state.pose;
        def.velocity = state.velocity;
        def.spin = state.spin;
        def.mass = state.mass;
        def.center = state.local_center;
        def.inertia = state.inertia;
        status = abut_scene_add_body(to, &def, &copy, error);
        if (status == ABUT_OK) status = copy_shapes(from, id, to, copy, error);
    }
    return status;
}

static AbutSimulationDef def_of(const PaperCase *how) {
    AbutSimulationDef def = abut_simulation_default();
    def.model = how->model;
    def.iterations = how->iterations;
    def.beta = how->beta;
    if (how->bare) {
        def.margin = def.slop = def.compliance = 0.0;
        def.tolerance = how->iterations ? 0.0 : def.tolerance;
        def.fit = how->model == ABUT_CONTACT_MODEL_VOL ? ABUT_FIT_THICKNESS : ABUT_FIT_MOMENTS;
    }
    return def;
}

static AbutStatus open_from(PaperWorld *world, const AbutScene *from, const PaperCase *how, AbutError *error) {
    AbutSimulationDef def = def_of(how);
    *world = (PaperWorld){NULL, NULL};
    AbutStatus status = abut_scene_create(&world->scene, error);
    if (status == ABUT_OK) status = copy_bodies(from, world->scene, error);
    if (status == ABUT_OK) status = abut_simulation_create(world->scene, &def, &world->simulation, error);
    if (status != ABUT_OK) paper_world_close(world);
    return status;
}

AbutStatus paper_world_open(
    PaperWorld *world, const char *scene, uint64_t seed, const PaperCase *how, AbutError *error) {
    AbutScene *built = NULL;
    *world = (PaperWorld){NULL, NULL};
    AbutStatus status = abut_scene_create(&built, error);
    if (status == ABUT_OK) status = abut_scene_build(built, scene, seed, error);
    if (status == ABUT_OK) status = open_from(world, built, how, error);
    abut_scene_free(built);
    return status;
}

AbutStatus paper_world_copy(PaperWorld *world, const PaperWorld *from, const PaperCase *how, AbutError *error) {
    return open_from(world, from->scene, how, error);
}

void paper_world_close(PaperWorld *world) {
    abut_simulation_free(world->simulation);
    abut_scene_free(world->scene);
    *world = (PaperWorld){NULL, NULL};
}

const char *paper_path(const ReproduceArgs *args, const char *name) {
    static char path[4200];
    snprintf(path, sizeof path, "%.4096s/%.90s", args->folder, name);
    return path;
}
