/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes grown by the contact margin, kept in step with the scene, and the memory that the geometry of a pair needs. */
#include "dynamics/mesh_contact.h"

/* Room for every worker. */
static int reserve_workspace(AbutGrownShapes *shapes, int32_t workers) {
    size_t bytes = shapes->grown.workspace_bytes;
    if (bytes <= shapes->workspace_bytes) return 1;
    abut_free(shapes->workspace);
    shapes->workspace_bytes = 0;
    shapes->workspace = abut_alloc_array((size_t)workers, bytes);
    if (shapes->workspace) shapes->workspace_bytes = bytes;
    return shapes->workspace != NULL;
}

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error) {
    AbutScene *scene = sim->scene;
    AbutMarginRule rule = sim->constants.margins;
    if (sim->shapes.current && sim->shapes.revision == scene->revision &&
        abut_margin_rule_same(sim->shapes.grown.rule, rule))
        return ABUT_OK;
    sim->shapes.current = 0;
    AbutStatus status = abut_scene_check(scene, error);
    if (status == ABUT_OK) status = abut_grown_set_update(&sim->shapes.grown, scene, rule, error);
    if (status != ABUT_OK) return status;
    sim->shapes.revision = scene->revision;
    sim->shapes.current = 1;
    return ABUT_OK;
}

AbutStatus abut_stage_pair_shapes(AbutSimulation *sim, AbutError *error) {
    AbutGrowWhich which = abut_meshes_touch(sim) ? ABUT_GROW_CONVEX_PAIRS : ABUT_GROW_PAIRS;
    AbutStatus status = abut_grown_set_finish(&sim->shapes.grown, sim->scene, which, sim->solver.workers, error);
    if (status != ABUT_OK)
        sim->shapes.current = 0;
    else if (!reserve_workspace(&sim->shapes, sim->solver.workers))
        status = abut_fail_memory(error);
    return status;
}
