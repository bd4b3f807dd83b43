/* SPDX-License-Identifier: Apache-2.0 */
/* From a scene back to a model: a body as it stands, with its shapes. Geometry is shared, functions stay behind. */
#include "abut/scene.h"

static AbutBodyDef body_of(const AbutBodyState *state)
{
    AbutBodyDef def = abut_body_default();
    def.kind = state->kind;
    def.name = state->name;
    def.pose = state->pose;
    if (state->mass > 0.0) {
        def.mass = state->mass;
        def.center = state->local_center;
        def.inertia = state->inertia;
    }
    return def;
}

AbutStatus abut_scene_describe_body(
    const AbutScene *scene, AbutBodyId body, AbutModel *model, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(scene && model);
    AbutBodyState state;
    int32_t number;
    if (!abut_scene_get_body(scene, body, &state))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "there is no such body in the scene");
    AbutBodyDef def = body_of(&state);
    AbutStatus status = abut_model_add_body(model, &def, &number, error);
    for (int i = 0; i < state.shape_count && status == ABUT_OK; ++i) {
        AbutShapeState shape;
        abut_scene_get_shape(scene, abut_scene_shape_at(scene, body, i), &shape);
        shape.def.body = number;
        shape.def.user = NULL;
        status = abut_model_add_shape(model, &shape.def, NULL, error);
    }
    if (status == ABUT_OK && out)
        *out = number;
    return status;
}
