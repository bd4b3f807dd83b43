/* SPDX-License-Identifier: Apache-2.0 */
/* A motion of a robot as a page: one model of all bodies, with the nearest points and the centre of mass as markers;
 * frames, curves of all pairs, the nearest first, joints with their limits, balance. */
#include "plan.h"

#include <math.h>
#include <string.h>

enum { CELLS = 40, LEAST_FRAMES = 180, MINIMA = 6, NAME = 120 };

typedef struct Page {
    const PlanSetup *setup;
    const AbutTrajectory *trajectory;
    AbutModel *model;
    int32_t cells; /* of each piece */
    AbutPlanSample *samples;
    AbutPose *poses;
    double *numbers; /* times, distances, bounds, joints, their ranges, balance */
    int32_t markers; /* first body beside links: two nearest points, then the centre of mass where it counts */
    const char *joint_names[400];
    int32_t pairs;           /* 0: their curves are not wanted */
    int32_t *order;          /* of pairs */
    char (*names)[NAME];     /* in that order */
    const char **pair_names; /* the same */
    AbutClearanceMinimum minima[MINIMA];
    const char *minimum_names[MINIMA];
    AbutPagePlan plan;
} Page;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* All bodies of a model, drawn only. */
static void add_bodies(AbutModel *to, const AbutModel *from, int moves)
{
    int32_t first = to->body_count;
    for (int32_t i = 0; i < from->body_count; ++i) {
        AbutBodyDef body = abut_body_default();
        body.name = from->bodies[i].name;
        body.kind = moves && abut_model_is_movable(from, i) ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
        cli_need(abut_model_add_body(to, &body, NULL, &cli_why));
    }
    for (int32_t i = 0; i < from->shape_count; ++i) {
        AbutShapeDef shape = from->shapes[i];
        shape.body += first;
        if (!from->shapes[i].visual)
            cli_need(abut_model_add_shape(to, &shape, NULL, &cli_why));
    }
}

/* ---- markers ----------------------------------------------------------------------------------------------------- */

static void add_ball(AbutModel *model, const char *name, double radius)
{
    AbutGeometryDef form = abut_shape_default().form;
    form.kind = ABUT_SHAPE_SPHERE;
    form.size = abut_vec3(radius, radius, radius);
    operands_add_body(model, name, ABUT_BODY_KINEMATIC, abut_pose_identity(), &form, 0);
}

/* The support polygon as a thin plate. */
static void add_polygon(AbutModel *model, int32_t count, const AbutVec3 *corners)
{
    AbutVec3 points[2 * ABUT_PLAN_CORNERS];
    AbutGeometryDef form = abut_shape_default().form;
    AbutPolyhedron *plate;
    for (int32_t i = 0; i < 2 * count; ++i)
        points[i] = abut_add(corners[i % count], abut_vec3(0.0, 0.0, i < count ? 0.001 : 0.003));
    cli_need(abut_polyhedron_from_points(points, 2 * count, NULL, &plate, &cli_why));
    form.kind = ABUT_SHAPE_POLYHEDRON;
    form.polyhedron = plate;
    operands_add_body(model, "support polygon", ABUT_BODY_STATIC, abut_pose_identity(), &form, 0);
    abut_polyhedron_free(plate);
}

/* Bodies that show the nearest points and, over the support polygon, the centre of mass. */
static void add_markers(Page *p)
{
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    int32_t count = abut_plan_polygon(p->setup->problem, corners);
    p->markers = p->model->body_count;
    add_ball(p->model, "nearest point, one", 0.008);
    add_ball(p->model, "nearest point, other", 0.008);
    if (count) {
        add_ball(p->model, "centre of mass, on the ground", 0.015);
        add_polygon(p->model, count, corners);
    }
}

/* Where they are at joints; gives how far the centre of mass is inside. */
static void place_markers(const Page *p, const double *joints, AbutPose *row, double *inside)
{
    AbutPlanNear near;
    AbutPlanBalance balance;
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    cli_need(abut_plan_nearest(p->setup->problem, joints, &near, NULL, &cli_why));
    cli_need(abut_plan_balance(p->setup->problem, joints, &balance, &cli_why));
    for (int32_t b = p->markers; b < p->model->body_count; ++b)
        row[b] = abut_pose_identity();
    row[p->markers].p = near.point_a;
    row[p->markers + 1].p = near.point_b;
    *inside = balance.inside;
    if (abut_plan_polygon(p->setup->problem, corners))
        row[p->markers + 2].p = abut_vec3(balance.center.x, balance.center.y, corners[0].z);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* All pairs by the least distances that were evaluated. */
static void sort_pairs(Page *p, const AbutPairCertificate *pairs)
{
    for (int32_t i = 0; i < p->pairs; ++i) {
        int32_t at = i;
        for (; at > 0 && pairs[i].ub < pairs[p->order[at - 1]].ub; --at)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

/* The nearest points of all pairs when number k of the chosen ones is nearest, unless another pair is nearer then. */
static void add_minimum(Page *p, int32_t k, int32_t pair, const AbutPairCertificate *x, double *joints)
{
    AbutPlanNear near;
    if (!isfinite(x->t) || p->plan.minimum_count == MINIMA)
        return;
    abut_trajectory_value(p->trajectory, x->t, 0, joints);
    cli_need(abut_plan_nearest(p->setup->problem, joints, &near, NULL, &cli_why));
    if (near.pair != pair)
        return;
    p->minimum_names[p->plan.minimum_count] = p->names[k];
    p->minima[p->plan.minimum_count++] = (AbutClearanceMinimum){
        .t = x->t, .d = near.distance, .lb = x->lb, .point_a = near.point_a, .point_b = near.point_b};
}

static void fill_curves(Page *p, const AbutPairCertificate *pairs)
{
    size_t frames = (size_t)p->plan.count, all = (size_t)p->pairs * frames;
    double *distances = p->numbers + frames, *lower = distances + all;
    sort_pairs(p, pairs);
    for (int32_t k = 0; k < p->pairs; ++k) {
        int32_t pair = p->order[k];
        cli_need(abut_plan_curve(p->setup->problem, p->trajectory, pair, p->cells, p->samples, &cli_why));
        snprintf(p->names[k], NAME, "%s", plan_pair_text(p->setup->problem, pair));
        p->pair_names[k] = p->names[k];
        if (k < MINIMA)
            add_minimum(p, k, pair, &pairs[pair], lower + all);
        for (size_t i = 0; i < frames; ++i) {
            distances[(size_t)k * frames + i] = p->samples[i].distance;
            lower[(size_t)k * frames + i] = p->samples[i].lb;
        }
    }
    p->plan.minima = p->minima;
    p->plan.minimum_names = p->minimum_names;
    p->plan.distances = distances;
    p->plan.lower = lower;
    p->plan.pair_count = p->pairs;
    p->plan.pair_names = p->pair_names;
}

/* Times of the frames: the middle of each cell; and the curves, where they are wanted. */
static void fill_times(Page *p, const AbutPairCertificate *pairs)
{
    const double *times = p->trajectory->times;
    for (int32_t i = 0; i < p->plan.count; ++i) {
        int32_t piece = i / p->cells;
        double x = (i % p->cells + 0.5) / p->cells;
        p->numbers[i] = times[piece] + x * (times[piece + 1] - times[piece]);
    }
    p->plan.times = p->numbers;
    if (pairs)
        fill_curves(p, pairs);
}

static void fill_frames(Page *p)
{
    const AbutModel *robot = p->setup->robot.model;
    int32_t frames = p->plan.count, moving = abut_plan_joint_count(p->setup->problem);
    double *joints = p->numbers + (1 + 2 * (size_t)p->pairs) * (size_t)frames,
           *range = joints + (size_t)moving * (size_t)frames;
    double *balance = range + (size_t)moving * (size_t)frames, *now = balance + frames;
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    for (int32_t i = 0; i < frames; ++i) {
        AbutPose *row = p->poses + (size_t)i * (size_t)p->model->body_count;
        abut_trajectory_value(p->trajectory, p->plan.times[i], 0, now);
        cli_need(abut_plan_link_poses(p->setup->problem, now, row, &cli_why));
        place_markers(p, now, row, &balance[i]);
        for (int32_t j = 0; j < moving; ++j) {
            AbutPlanJointLimits limits = abut_plan_joint_limits(p->setup->problem, j);
            double q = now[abut_plan_joint(p->setup->problem, j)], wide = limits.upper - limits.lower;
            joints[(size_t)j * (size_t)frames + (size_t)i] = q;
            range[(size_t)j * (size_t)frames + (size_t)i] = isfinite(wide) ? (q - limits.lower) / wide : NAN;
        }
    }
    p->plan.range = range;
    p->plan.balance = abut_plan_polygon(p->setup->problem, corners) ? balance : NULL;
    for (int32_t j = 0; j < moving && j < 400; ++j)
        p->joint_names[j] = robot->joints[abut_plan_joint(p->setup->problem, j)].name;
    p->plan.joint_count = moving < 400 ? moving : 400;
    p->plan.joint_names = p->joint_names;
    p->plan.joints = joints;
    p->plan.poses = p->poses;
    p->plan.model = p->model;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void take_memory(Page *p)
{
    size_t frames = (size_t)p->plan.count, joints = (size_t)p->setup->robot.model->joint_count + 1;
    size_t pairs = (size_t)p->pairs;
    p->samples = cli_room(frames, sizeof *p->samples);
    p->poses = cli_room(frames * ((size_t)p->model->body_count + 1), sizeof *p->poses);
    p->numbers = cli_room(frames * (2 + 2 * pairs + 2 * joints) + joints, sizeof *p->numbers);
    p->order = cli_room(pairs, sizeof *p->order);
    p->names = cli_room(pairs, sizeof *p->names);
    p->pair_names = cli_room(pairs, sizeof *p->pair_names);
}

static void free_page(Page *page)
{
    abut_model_free(page->model);
    abut_free(page->samples);
    abut_free(page->poses);
    abut_free(page->numbers);
    abut_free(page->order);
    abut_free(page->names);
    abut_free(page->pair_names);
}

static void fill(Page *page, const PlanSetup *setup, const PlanMotion *motion)
{
    int32_t pieces = motion->trajectory->piece_count;
    *page = (Page){.setup = setup, .trajectory = motion->trajectory};
    page->cells = LEAST_FRAMES / pieces < CELLS ? LEAST_FRAMES / pieces + 1 : CELLS;
    page->plan.count = page->cells * pieces;
    page->pairs = motion->pairs ? abut_plan_pair_count(setup->problem) : 0;
    cli_need(abut_model_create(&page->model, &cli_why));
    add_bodies(page->model, setup->robot.model, 1);
    if (setup->obstacles.model)
        add_bodies(page->model, setup->obstacles.model, 0);
    add_markers(page);
    take_memory(page);
    fill_times(page, motion->pairs);
    fill_frames(page);
}

void plan_write_page(const char *path, const PlanSetup *setup, const PlanMotion *motion, const PlanMotion *beside)
{
    Page page = {0}, second = {0};
    AbutPageHead head = {.title = beside ? motion->title : setup->robot.source, .subtitle = motion->title};
    fill(&page, setup, motion);
    if (beside)
        fill(&second, setup, beside);
    page.plan.beside = beside ? &second.plan : NULL;
    page.plan.beside_title = beside ? beside->title : NULL;
    cli_need(abut_page_write_plan(path, &head, &page.plan, &cli_why));
    free_page(&page);
    free_page(&second);
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
