/* SPDX-License-Identifier: Apache-2.0 */
/* Capsules around the bodies of a model, and capsules as shapes that are drawn. */
#include <math.h>

#include "abut/model.h"
#include "math/functions.h"

/* Vertices of the shapes of a body, in its frame: those that touch, or those that are only drawn. NULL: none. */
static AbutVec3 *points_of(const AbutModel *model, int32_t body, int visual, int *count) {
    size_t capacity = 0;
    AbutVec3 *points = NULL;
    *count = 0;
    for (int32_t s = abut_model_next_shape(model, body, -1); s >= 0; s = abut_model_next_shape(model, body, s)) {
        const AbutShapeDef *shape = &model->shapes[s];
        const AbutPolyhedron *p = shape->geometry->polyhedron;
        if (!p || (shape->visual != 0) != visual) continue;
        if (!abut_grow((void **)&points, &capacity, (size_t)(*count + p->vertex_count), sizeof *points)) break;
        for (int i = 0; i < p->vertex_count; ++i)
            points[(*count)++] = abut_pose_apply(shape->pose, abut_polyhedron_vertices(p)[i]);
    }
    return points;
}

int abut_model_body_capsule(const AbutModel *model, int32_t body, AbutCapsule *out) {
    ABUT_ASSERT(model && out);
    int found = 0;
    for (int visual = 0; visual < 2 && !found; ++visual) {
        int count;
        AbutVec3 *points = points_of(model, body, visual, &count);
        found = count > 0 && abut_capsule_around(points, count, out, NULL) == ABUT_OK && out->radius > 0.0;
        abut_free(points);
    }
    return found;
}

AbutStatus abut_model_draw_capsule(AbutModel *model, int32_t body, AbutCapsule c, uint32_t color, AbutError *error) {
    ABUT_ASSERT(model);
    AbutShapeDef shape = abut_shape_default();
    AbutVec3 along = abut_sub(c.b, c.a), z = abut_normalize_or(along, abut_axis(2));
    AbutVec3 turn = abut_cross(abut_axis(2), z);
    double s = abut_length(turn);
    shape.body = body;
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(c.radius, c.radius, 0.5 * abut_length(along) + 1e-6 * c.radius);
    shape.pose.p = abut_lerp(c.a, c.b, 0.5);
    if (s > 0.0) shape.pose.q = abut_quat_exp(abut_scale(turn, abut_atan2(s, z.z) / s));
    shape.visual = 1;
    shape.color = color;
    return abut_model_add_shape(model, &shape, NULL, error);
}
