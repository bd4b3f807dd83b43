/* SPDX-License-Identifier: Apache-2.0 */
/* A planned motion as a picture: the robot at several times at once, pale where it starts and dark where it ends, among
 * what stands. */
#include <string.h>

#include "abut/picture.h"

enum { TIMES = 7 };

typedef struct Picture {
    const AbutModel *robot, *obstacles;
    AbutRenderItem *items;
    AbutMesh *meshes; /* of every shape, the robot's first; empty for half-spaces */
    double *joints;
    AbutPose *poses;
    int item_count, mesh_count;
} Picture;

static AbutStatus add_meshes(Picture *p, const AbutModel *model, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; model && i < model->shape_count && status == ABUT_OK; ++i) {
        const AbutGeometry *geometry = model->shapes[i].geometry;
        AbutMesh *mesh = &p->meshes[p->mesh_count++];
        if (geometry->field)
            status = abut_height_field_mesh(geometry->field, mesh, error);
        else if (geometry->polyhedron)
            status = abut_polyhedron_to_mesh(geometry->polyhedron, mesh, error);
    }
    return status;
}

/* From pale to dark. */
static uint32_t shade(int time) {
    uint32_t pale[3] = {0xd4, 0xdf, 0xee}, dark[3] = {0x1f, 0x4e, 0x9c}, out = 0;
    for (int k = 0; k < 3; ++k)
        out = out << 8 | (pale[k] * (uint32_t)(TIMES - 1 - time) + dark[k] * (uint32_t)time) / (TIMES - 1);
    return out;
}

/* Shapes of a model whose meshes begin at `first`; those that stand are drawn once. */
static void add_items(Picture *p, const AbutModel *model, int first, const AbutPose *poses, int time) {
    for (int32_t i = 0; model && i < model->shape_count; ++i) {
        const AbutShapeDef *s = &model->shapes[i];
        int moves = model == p->robot && abut_model_is_movable(model, s->body);
        if (s->visual || (!moves && time > 0)) continue;
        AbutRenderItem *item = &p->items[p->item_count++];
        item->mesh = s->geometry->polyhedron ? &p->meshes[first + i] : NULL;
        item->pose = abut_pose_mul(poses[s->body], s->pose);
        item->color = moves ? shade(time) : model == p->robot ? 0xb8bcc4 : 0xe08a3c;
    }
}

static AbutStatus draw(Picture *p, const char *path, const AbutPagePlan *plan, AbutError *error) {
    const AbutTrajectory *t = plan->trajectory;
    AbutRenderDef def = abut_render_default();
    AbutImage image = {0, 0, NULL};
    AbutStatus status = add_meshes(p, p->robot, error);
    if (status == ABUT_OK) status = add_meshes(p, p->obstacles, error);
    for (int k = 0; k < TIMES && status == ABUT_OK; ++k) {
        double time = t->times[0] + (t->times[t->piece_count] - t->times[0]) * k / (TIMES - 1);
        abut_trajectory_value(t, time, 0, p->joints);
        status = abut_plan_link_poses(plan->problem, p->joints, p->poses, error);
        add_items(p, p->robot, 0, p->poses, k);
        add_items(p, p->obstacles, p->robot->shape_count, p->poses + p->robot->body_count, k);
    }
    AbutRenderList list = {.items = p->items, .item_count = p->item_count};
    abut_render_aim(&list, &def);
    if (status == ABUT_OK) status = abut_render(&list, &def, &image, error);
    if (status == ABUT_OK) status = abut_image_write_png(path, &image, error);
    abut_image_free(&image);
    return status;
}

AbutStatus abut_picture_plan(
    const char *path, const AbutPagePlan *plan, const AbutModel *robot, const AbutModel *obstacles, AbutError *error) {
    ABUT_ASSERT(path && plan && plan->problem && plan->trajectory && robot);
    size_t shapes = (size_t)robot->shape_count + (size_t)(obstacles ? obstacles->shape_count : 0);
    Picture p = {.robot = robot,
        .obstacles = obstacles,
        .items = abut_alloc_array(TIMES * shapes + 1, sizeof *p.items),
        .meshes = abut_alloc_array(shapes + 1, sizeof *p.meshes),
        .joints = abut_alloc_array((size_t)robot->joint_count + 1, sizeof *p.joints),
        .poses = abut_alloc_array((size_t)abut_plan_link_count(plan->problem) + 1, sizeof *p.poses)};
    AbutStatus status = p.items && p.meshes && p.joints && p.poses ? ABUT_OK : abut_fail_memory(error);
    if (status == ABUT_OK) {
        memset(p.meshes, 0, (shapes + 1) * sizeof *p.meshes);
        status = draw(&p, path, plan, error);
    }
    for (int i = 0; i < p.mesh_count; ++i) abut_mesh_free(&p.meshes[i]);
    abut_free(p.items);
    abut_free(p.meshes);
    abut_free(p.joints);
    abut_free(p.poses);
    return status;
}
