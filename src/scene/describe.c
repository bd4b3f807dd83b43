/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as it stands, as a model: bodies in the order of the scene, with their shapes, velocities and rules. */
#include "scene/internal.h"

static AbutStatus add_body(AbutModel *model, const AbutBody *body, int32_t *out, AbutError *error) {
    AbutBodyDef def = abut_body_default();
    def.kind = body->kind;
    def.name = body->name;
    def.pose = abut_body_pose(body);
    def.velocity = body->tree < 0 ? body->v : abut_zero(); /* a link has none of its own */
    def.spin = body->tree < 0 ? body->w : abut_zero();
    def.mass = body->mass;
    def.center = body->local_center;
    def.inertia = body->inertia;
    def.motion = body->motion;
    def.motion_user = body->motion_user;
    def.never_sleeps = body->never_sleeps;
    def.gravity_compensation = 1.0 - body->gravity_scale;
    def.user = body->user;
    return abut_model_add_body(model, &def, out, error);
}

/* All shapes of a body, which has this number in the model; their numbers go to `shape_of`, where not NULL. */
static AbutStatus add_shapes(AbutModel *model, const AbutScene *scene, const AbutBody *body, int32_t number,
    int32_t *shape_of, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int visual = 0; visual < 2; ++visual)
        for (int32_t s = visual ? body->first_visual : body->first_shape; s >= 0 && status == ABUT_OK;
             s = scene->shape[s].next) {
            AbutShapeDef def = scene->shape[s].def;
            def.body = number;
            status = abut_model_add_shape(model, &def, shape_of ? &shape_of[s] : NULL, error);
        }
    return status;
}

/* The number of a live body. */
static int32_t number_of(const AbutScene *scene, int32_t place) {
    int32_t low = 0, high = scene->live_count;
    while (low + 1 < high) {
        int32_t middle = low + (high - low) / 2;
        if (scene->live[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static AbutStatus add_rules(AbutModel *model, const AbutScene *scene, const int32_t *shape_of, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < scene->excluded_count && status == ABUT_OK; ++i) {
        AbutPairDef def = {.exclude = 1};
        def.a = number_of(scene, (int32_t)(scene->excluded[i] >> 32));
        def.b = number_of(scene, (int32_t)(scene->excluded[i] & UINT32_MAX));
        status = abut_model_add_pair(model, &def, NULL, error);
    }
    for (int32_t i = 0; i < scene->pair_rule_count && status == ABUT_OK; ++i) {
        const AbutPairRule *rule = &scene->pair_rule[i];
        AbutPairDef def = rule->says;
        def.exclude = 0;
        def.a = shape_of[rule->a];
        def.b = shape_of[rule->b];
        if (rule->forced || abut_scene_filters_agree(scene, rule->a, rule->b))
            status = abut_model_add_pair(model, &def, NULL, error);
    }
    return status;
}

AbutStatus abut_scene_model(const AbutScene *scene, AbutModel **out, AbutError *error) {
    ABUT_ASSERT(scene && out);
    *out = NULL;
    AbutModel *model = NULL;
    int32_t *shape_of = abut_alloc_array((size_t)scene->shape_places, sizeof *shape_of);
    AbutStatus status = abut_model_create(&model, error);
    if (status == ABUT_OK && !shape_of) status = abut_fail_memory(error);
    for (int32_t i = 0; i < scene->live_count && status == ABUT_OK; ++i) {
        const AbutBody *body = &scene->body[scene->live[i]];
        status = add_body(model, body, NULL, error);
        if (status == ABUT_OK) status = add_shapes(model, scene, body, i, shape_of, error);
    }
    if (status == ABUT_OK) status = add_rules(model, scene, shape_of, error);
    abut_free(shape_of);
    if (status == ABUT_OK)
        *out = model;
    else
        abut_model_free(model);
    return status;
}

AbutStatus abut_scene_describe_body(
    const AbutScene *scene, AbutBodyId body, AbutModel *model, int32_t *out, AbutError *error) {
    ABUT_ASSERT(scene && model);
    int32_t place = abut_scene_body_place(scene, body), number;
    if (place < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "there is no such body in the scene");
    AbutStatus status = add_body(model, &scene->body[place], &number, error);
    if (status == ABUT_OK) status = add_shapes(model, scene, &scene->body[place], number, NULL, error);
    if (status == ABUT_OK && out) *out = number;
    return status;
}
