/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes grown by the contact margin, kept in step with the scene, and the memory that the geometry of a pair needs. */
#include "dynamics/sim.h"

/* Room for every worker. */
static int reserve_workspace(AbutSimulation *sim)
{
    size_t bytes = sim->grown.workspace_bytes;
    if (bytes <= sim->workspace_bytes)
        return 1;
    abut_free(sim->workspace);
    sim->workspace_bytes = 0;
    sim->workspace = abut_alloc_array((size_t)sim->worker_count, bytes);
    if (sim->workspace)
        sim->workspace_bytes = bytes;
    return sim->workspace != NULL;
}

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error)
{
    AbutScene *scene = sim->scene;
    AbutMarginRule rule = sim->constants.margins;
    if (sim->grown_current && sim->scene_revision == scene->revision && abut_margin_rule_same(sim->grown.rule, rule))
        return ABUT_OK;
    sim->grown_current = 0;
    AbutStatus status = abut_scene_check(scene, error);
    if (status == ABUT_OK)
        status = abut_grown_set_update(&sim->grown, scene, rule, error);
    if (status == ABUT_OK && !reserve_workspace(sim))
        status = abut_fail_memory(error);
    if (status != ABUT_OK)
        return status;
    sim->scene_revision = scene->revision;
    sim->grown_current = 1;
    return ABUT_OK;
}
