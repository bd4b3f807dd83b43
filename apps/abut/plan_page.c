/* SPDX-License-Identifier: Apache-2.0 */
/* A motion of a robot as a page; and as a picture: the robot at several times at once, pale where it starts and dark
 * where it ends, among what stands. */
#include "plan.h"

void plan_write_page(const char *path, const PlanSetup *setup, const PlanMotion *motion, const PlanMotion *beside)
{
    AbutPageHead head = {.title = beside ? motion->title : cli_base_name(setup->robot.source),
        .subtitle = beside ? NULL : motion->title};
    AbutPagePlan plan = {.problem = setup->problem,
        .trajectory = motion->trajectory,
        .pairs = motion->pairs,
        .beside = beside ? beside->trajectory : NULL,
        .beside_title = beside ? beside->title : NULL};
    cli_need(abut_page_write_plan(path, &head, &plan, &cli_why));
}

/* ---- picture -------------------------------------------------------------------------------------------------------- */

enum { TIMES = 7 };

typedef struct Picture {
    const PlanSetup *setup;
    AbutRenderItem *items;
    AbutMesh *meshes; /* of every shape, the robot's first; empty for half-spaces */
    int item_count, mesh_count;
} Picture;

static void add_meshes(Picture *p, const AbutModel *model)
{
    for (int32_t i = 0; model && i < model->shape_count; ++i) {
        AbutMesh *mesh = &p->meshes[p->mesh_count++];
        if (model->shapes[i].geometry->field)
            cli_need(abut_height_field_mesh(model->shapes[i].geometry->field, mesh, &cli_why));
        else if (model->shapes[i].geometry->polyhedron)
            cli_need(abut_polyhedron_to_mesh(model->shapes[i].geometry->polyhedron, mesh, &cli_why));
    }
}

/* From pale to dark. */
static uint32_t shade(int time)
{
    uint32_t pale[3] = {0xd4, 0xdf, 0xee}, dark[3] = {0x1f, 0x4e, 0x9c}, out = 0;
    for (int k = 0; k < 3; ++k)
        out = out << 8 | (pale[k] * (uint32_t)(TIMES - 1 - time) + dark[k] * (uint32_t)time) / (TIMES - 1);
    return out;
}

/* Shapes of a model whose meshes begin at `first`; those that stand are drawn once. */
static void add_items(Picture *p, const AbutModel *model, int first, const AbutPose *poses, int time)
{
    for (int32_t i = 0; model && i < model->shape_count; ++i) {
        const AbutShapeDef *s = &model->shapes[i];
        int moves = model == p->setup->robot.model && abut_model_is_movable(model, s->body);
        if (s->visual || (!moves && time > 0))
            continue;
        AbutRenderItem *item = &p->items[p->item_count++];
        item->mesh = s->geometry->polyhedron ? &p->meshes[first + i] : NULL;
        item->pose = abut_pose_mul(poses[s->body], s->pose);
        item->color = moves ? shade(time) : model == p->setup->robot.model ? 0xb8bcc4 : 0xe08a3c;
    }
}

static void place(Picture *p, const AbutTrajectory *t, double *joints, AbutPose *poses)
{
    const AbutModel *robot = p->setup->robot.model, *obstacles = p->setup->obstacles.model;
    for (int k = 0; k < TIMES; ++k) {
        abut_trajectory_value(t, t->times[0] + (t->times[t->piece_count] - t->times[0]) * k / (TIMES - 1), 0, joints);
        cli_need(abut_plan_link_poses(p->setup->problem, joints, poses, &cli_why));
        add_items(p, robot, 0, poses, k);
        add_items(p, obstacles, robot->shape_count, poses + robot->body_count, k);
    }
}

static void draw(const Picture *p, const char *path)
{
    AbutRenderDef def = abut_render_default();
    AbutRenderList list = {.items = p->items, .item_count = p->item_count};
    AbutImage image;
    abut_render_aim(&list, &def);
    cli_need(abut_render(&list, &def, &image, &cli_why));
    cli_need(abut_image_write_png(path, &image, &cli_why));
    abut_image_free(&image);
}

void plan_check_picture(const char *path)
{
    if (!path || cli_has_ending(path, ".png"))
        return;
    cli_error("--picture: a name that ends in .png expected, got '%s'", path);
}

void plan_write_picture(const char *path, const PlanSetup *setup, const AbutTrajectory *trajectory)
{
    const AbutModel *robot = setup->robot.model;
    size_t shapes =
        (size_t)robot->shape_count + (size_t)(setup->obstacles.model ? setup->obstacles.model->shape_count : 0);
    size_t links = (size_t)abut_plan_link_count(setup->problem);
    Picture p = {.setup = setup,
        .items = cli_room(TIMES * shapes, sizeof *p.items),
        .meshes = cli_room(shapes, sizeof *p.meshes)};
    double *joints = cli_room((size_t)robot->joint_count, sizeof *joints);
    AbutPose *poses = cli_room(links, sizeof *poses);
    add_meshes(&p, robot);
    add_meshes(&p, setup->obstacles.model);
    place(&p, trajectory, joints, poses);
    draw(&p, path);
    for (int i = 0; i < p.mesh_count; ++i)
        abut_mesh_free(&p.meshes[i]);
    abut_free(p.items);
    abut_free(p.meshes);
    abut_free(joints);
    abut_free(poses);
}
