/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs built-in scenes and a heap of every kind of shape, and prints the hash of each state: one line a scene. Built by
 * check_bits with several compilers and levels of optimisation, whose output must be the same.
 */
#include "abut/dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AbutError error;

static void must(AbutStatus status)
{
    if (status == ABUT_OK)
        return;
    fprintf(stderr, "%s\n", error.text);
    exit(2);
}

/* Steps the scene and prints the hash of its state; the scene is freed. */
static void run(AbutScene *scene, const char *name, AbutContactModelKind model, double dt, int steps)
{
    AbutSimulation *sim;
    AbutSimulationDef def = abut_simulation_default();
    def.model = model;
    must(abut_simulation_create(scene, &def, &sim, &error));
    for (int i = 0; i < steps; ++i)
        must(abut_simulation_step(sim, dt, NULL, &error));
    printf(
        "%-12s model %d, %4d steps: %016llx\n", name, (int)model, steps, (unsigned long long)abut_simulation_hash(sim));
    abut_simulation_free(sim);
    abut_scene_free(scene);
}

static void run_builtin(const char *spec, AbutContactModelKind model, double dt, int steps)
{
    AbutScene *scene;
    must(abut_scene_create(&scene, &error));
    must(abut_scene_build(scene, spec, 7, &error));
    run(scene, spec, model, dt, steps);
}

/* A shape of each kind that has a volume, one above the other, turned and spinning over the ground. */
static AbutScene *heap(void)
{
    static const AbutShapeKind kinds[] = {
        ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_ELLIPSOID};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    AbutScene *scene;
    AbutBodyId id;
    must(abut_scene_create(&scene, &error));
    for (int i = -1; i < COUNT; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        body.kind = i < 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        if (i >= 0)
            body.pose =
                abut_pose(abut_vec3(0.01 * i, 0.0, 0.1 + 0.15 * i), abut_quat_exp(abut_vec3(0.3 * i, 0.5, 0.0)));
        shape.form.kind = i < 0 ? ABUT_SHAPE_HALF_SPACE : kinds[i];
        shape.form.size = abut_vec3(0.05, 0.04, 0.03);
        must(abut_scene_add_body(scene, &body, &id, &error));
        must(abut_scene_add_shape(scene, id, &shape, NULL, &error));
        if (i >= 0)
            must(abut_scene_set_velocity(scene, id, abut_zero(), abut_vec3(1.0, 2.0, 3.0 * i), &error));
    }
    return scene;
}

int main(void)
{
    run_builtin("boxes:20", ABUT_CONTACT_MODEL_VOL, 1e-3, 800);
    run_builtin("hulls:10", ABUT_CONTACT_MODEL_VOL, 5e-3, 160);
    run_builtin("arch", ABUT_CONTACT_MODEL_VOL, 1e-3, 100);
    run_builtin("stack:5", ABUT_CONTACT_MODEL_CONVEX, 1e-3, 100);
    run_builtin("boxes:5", ABUT_CONTACT_MODEL_PAPER, 1e-3, 600);
    run(heap(), "shapes", ABUT_CONTACT_MODEL_VOL, 1e-3, 800);
    return 0;
}
