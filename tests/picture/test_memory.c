/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that runs out, over the public functions that take some: whichever request fails, the call says so, gives back
 * all it took, and the next call works. One small piece of work per family of functions.
 */
#include "support/memory.h"

#include "abut/abut.h"

#include <string.h>

static const char contacts[] = "{\"bodies\":[{\"name\":\"box\"}],\"contacts\":["
                               "{\"body_a\":\"box\",\"point\":[1,1,0],\"normal\":[0,0,1]},"
                               "{\"body_a\":\"box\",\"point\":[-1,1,0],\"normal\":[0,0,1]},"
                               "{\"body_a\":\"box\",\"point\":[0,-1,0],\"normal\":[0,0,1]}]}";

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static AbutStatus measure_mesh(void) {
    AbutMesh mesh = {0};
    AbutMeshReport report;
    AbutPolyhedron *hull = NULL;
    AbutConvexity convexity;
    AbutCapsule capsule;
    AbutStatus status = abut_mesh_make("torus", 60, NULL, &mesh, NULL);
    if (status == ABUT_OK) status = abut_mesh_report(&mesh, &report, NULL);
    if (status == ABUT_OK) status = abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &hull, NULL);
    if (status == ABUT_OK) status = abut_mesh_convexity(&mesh, hull, &convexity, NULL, NULL);
    if (status == ABUT_OK) status = abut_capsule_around(mesh.vertices, mesh.vertex_count, &capsule, NULL);
    if (status == ABUT_OK) status = abut_mesh_weld(&mesh, NULL);
    abut_polyhedron_free(hull);
    abut_mesh_free(&mesh);
    return status;
}

static AbutStatus make_polyhedra(void) {
    AbutPolyhedron *box = NULL, *regular = NULL;
    AbutMesh mesh = {0};
    AbutStatus status = abut_polyhedron_box(abut_vec3(1, 2, 3), &box, NULL);
    if (status == ABUT_OK) status = abut_polyhedron_regular(20, 1.0, &regular, NULL);
    if (status == ABUT_OK) status = abut_polyhedron_to_mesh(regular, &mesh, NULL);
    abut_mesh_free(&mesh);
    abut_polyhedron_free(box);
    abut_polyhedron_free(regular);
    return status;
}

static AbutStatus read_half_spaces(void) {
    static const char text[] = "1 0 0 1\n0 1 0 1\n0 0 1 1\n-1 0 0 1\n";
    AbutPlane *planes = NULL;
    int32_t count;
    AbutStatus status = abut_half_spaces_parse(text, strlen(text), "h", &count, &planes, NULL);
    abut_free(planes);
    return status;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static AbutModeSystem rows; /* of the work at hand; made and freed by it */

static AbutStatus with_rows(AbutStatus (*work)(const AbutModeList *list)) {
    AbutModeList list = {0};
    AbutModeResult result;
    AbutStatus status = abut_mode_system_read("c", contacts, strlen(contacts), -1, &rows, NULL);
    if (status != ABUT_OK) return status;
    status = abut_mode_collect(&rows, NULL, &list, &result, NULL);
    if (status == ABUT_OK) status = work(&list);
    abut_mode_list_free(&list);
    abut_mode_system_free(&rows);
    return status;
}

static AbutStatus find_hasse(const AbutModeList *list) {
    AbutPair *edges;
    size_t count;
    AbutStatus status = abut_mode_hasse(&rows, list, &count, &edges, NULL);
    if (status == ABUT_OK)
        assert_true(count > 0);
    else
        assert_true(!edges && count == 0);
    abut_free(edges);
    return status;
}

static AbutStatus find_neighbors(const AbutModeList *list) {
    AbutStatus status = ABUT_OK;
    for (int side = -1; side <= 1 && status == ABUT_OK; side += 2) {
        uint64_t count;
        status = abut_mode_neighbors(&rows, abut_mode_list_get(list, list->count / 2), side, NULL, NULL, &count, NULL);
        assert_true(status == ABUT_OK ? count > 0 : count == 0);
    }
    return status;
}

static AbutStatus ask_velocities(const AbutModeList *list) {
    double velocity[6], distance;
    const double desired[6] = {1, 2, 3, 4, 5, 6};
    AbutMode mode = abut_mode_list_get(list, list->count / 2);
    AbutRng rng = abut_rng(1, 2);
    AbutStatus status = abut_mode_velocity(&rows, mode, velocity, NULL);
    if (status == ABUT_OK) status = abut_mode_project(&rows, 0, mode, desired, NULL, velocity, &distance, NULL);
    if (status == ABUT_OK) status = abut_mode_sample(&rows, mode, &rng, velocity, NULL);
    return status;
}

static AbutStatus change_system(const AbutModeList *list) {
    AbutModeSystem other = {0}, noisy = rows;
    double velocity[6];
    AbutStatus status = abut_mode_system_set_lines(&rows, 3, &other, NULL);
    noisy.tolerance = 1e-9;
    if (status == ABUT_OK) status = abut_mode_velocity(&noisy, abut_mode_list_get(list, 0), velocity, NULL);
    abut_mode_system_free(&other);
    return status;
}

static AbutStatus ask_forces(const AbutModeList *list) {
    (void)list;
    const double force[6] = {0.1, 0, -1, 0, 0, 0};
    AbutModeForces forces = {.force = force, .default_friction = 0.5};
    AbutModeResult result;
    return abut_mode_consistent(&rows, &forces, NULL, &result, NULL);
}

static AbutStatus merge_modes(const AbutModeList *list) { return abut_mode_merge(&rows, (AbutModeList *)list, NULL); }

static AbutStatus hasse(void) { return with_rows(find_hasse); }

static AbutStatus neighbors(void) { return with_rows(find_neighbors); }

static AbutStatus velocities(void) { return with_rows(ask_velocities); }

static AbutStatus systems(void) { return with_rows(change_system); }

static AbutStatus forces(void) { return with_rows(ask_forces); }

static AbutStatus merge(void) { return with_rows(merge_modes); }

/* ---- scenes, simulations, runs ----------------------------------------------------------------------------------- */

/* A few steps of a small stack with its log, which goes to a device, and its contacts. */
static AbutStatus simulate(AbutScene *scene, const AbutModel *model) {
    AbutSimulation *simulation = NULL;
    AbutSimulationDef def = abut_simulation_default();
    AbutStepReport report;
    AbutRun *run = NULL;
    AbutContactList list = {0};
    AbutStatus status = abut_simulation_create(scene, &def, &simulation, NULL);
    if (status == ABUT_OK) status = abut_run_create_of_scene(scene, model, "x", &run, NULL);
    for (int i = 0; i < 3 && status == ABUT_OK; ++i) {
        status = abut_simulation_step(simulation, 1e-3, &report, NULL);
        if (status == ABUT_OK) status = abut_run_record(run, simulation, &report, NULL);
    }
    if (status == ABUT_OK) status = abut_run_write("/dev/null", run, NULL);
    if (status == ABUT_OK) status = abut_scene_find_contacts(scene, 1e-9, 0, &list, NULL);
    abut_contact_list_free(&list);
    abut_run_free(run);
    abut_simulation_free(simulation);
    return status;
}

static AbutStatus scenes(void) {
    AbutModel *model = NULL;
    AbutScene *scene = NULL;
    AbutStatus status = abut_model_build("stack:2", 1, &model, NULL);
    if (status == ABUT_OK) status = abut_scene_create(&scene, NULL);
    if (status == ABUT_OK) status = abut_scene_add_model(scene, model, abut_pose_identity(), NULL, NULL);
    if (status == ABUT_OK) status = simulate(scene, model);
    abut_scene_free(scene);
    abut_model_free(model);
    return status;
}

static AbutStatus check_paths(void) {
    const char *in[] = {"/tmp/a-file", "-"}, *out[] = {"/tmp/another-file", NULL, "/dev/null"};
    return abut_file_check_outputs(2, in, 3, out, NULL);
}

static void every_request_may_fail(void **state) {
    (void)state;
    static const struct {
        const char *name;
        AbutStatus (*work)(void);
    } works[] = {{"meshes", measure_mesh}, {"polyhedra", make_polyhedra}, {"half-spaces", read_half_spaces},
        {"hasse", hasse}, {"neighbors", neighbors}, {"velocities", velocities}, {"systems", systems},
        {"forces", forces}, {"merge", merge}, {"scenes", scenes}, {"paths", check_paths}};
    for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i) {
        int requests = check_memory_failures(works[i].name, works[i].work);
        print_message("%s: %d requests\n", works[i].name, requests);
        assert_true(requests > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
