/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of this work in C, for bench/python/bench.py: one distance, a batch of distances, steps of a simulation.
 * Usage: python_reference CASE, prints seconds; "single NAME", "batch", "step". Poses are those of the Python side.
 */
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 100000, STEPS = 1000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Along x from 0.5 m to 1.5 m. */
static AbutPose pose_at(int i) { return abut_pose(abut_vec3(0.5 + (double)i / COUNT, 0.1, 0.2), abut_quat_identity()); }

static double single(const AbutConvex *a, const AbutConvex *b) {
    double sum = 0.0, begin = now();
    AbutPose pose = abut_pose(abut_vec3(0.1, 0.2, 2.0), abut_quat_identity());
    for (int i = 0; i < COUNT; ++i) sum += abut_convex_distance(a, b, pose, NULL, NULL).distance;
    double took = now() - begin;
    return sum > 0.0 ? took / COUNT : -1.0;
}

static double batch(const AbutConvex *a) {
    AbutSolidPair *pairs = abut_alloc_array(COUNT, sizeof *pairs);
    AbutGap *out = abut_alloc_array(COUNT, sizeof *out);
    if (!pairs || !out) return -1.0;
    memset(out, 0, COUNT * sizeof *out); /* pages are there, as they are for an array that is used again */
    for (int i = 0; i < COUNT; ++i)
        pairs[i] = (AbutSolidPair){abut_solid_convex(a), abut_solid_convex(a), pose_at(i), NULL};
    double begin = now();
    abut_distance_batch(COUNT, pairs, NULL, out, 1);
    double took = now() - begin;
    abut_free(pairs);
    abut_free(out);
    return took / COUNT;
}

static double steps(void) {
    AbutError error;
    AbutScene *scene = NULL;
    AbutSimulation *simulation = NULL;
    AbutSimulationDef def = abut_simulation_default();
    AbutStepReport report;
    if (abut_scene_create(&scene, &error) || abut_scene_build(scene, "boxes:50", 1, &error) ||
        abut_simulation_create(scene, &def, &simulation, &error))
        return -1.0;
    double begin = now();
    for (int i = 0; i < STEPS; ++i)
        if (abut_simulation_step(simulation, 1e-3, &report, &error)) return -1.0;
    double took = now() - begin;
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    return took / STEPS;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    AbutConvex box = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0.0), ball = abut_convex_point(abut_zero(), 0.25);
    AbutPolyhedron *solid = NULL;
    AbutError error;
    if (abut_polyhedron_regular(20, 0.5, &solid, &error) != ABUT_OK) return 2;
    AbutConvex polyhedron = abut_convex_polyhedron(solid, 0.0);
    double seconds = strcmp(name, "ball") == 0     ? single(&box, &ball)
                     : strcmp(name, "boxes") == 0  ? single(&box, &box)
                     : strcmp(name, "solids") == 0 ? single(&polyhedron, &polyhedron)
                     : strcmp(name, "batch") == 0  ? batch(&polyhedron)
                     : strcmp(name, "step") == 0   ? steps()
                                                   : -1.0;
    abut_polyhedron_free(solid);
    printf("%.9e\n", seconds);
    return seconds >= 0.0 ? 0 : 2;
}
