/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of a run: the geometry of its bodies as meshes, placed by the poses of a step. Round shapes are made anew,
 * finer than the model has them; colors are those of the pages.
 */
#include "abut/picture.h"
#include "math/numbers.h"
#include "model/geometry.h"

#include <string.h>

#include "file/geometry_list.h"
#include "file/run.h"

struct AbutRunView {
    const AbutRun *run;
    AbutGeometryList list;
    AbutMesh *mesh; /* of each geometry; empty for a half-space */
};

enum { ROUND = 40 }; /* sides of round shapes */

/* As in web/src/view/colors.ts. */
static const uint32_t palette[] = {
    0x5b8db8, 0xd9925a, 0x7bab74, 0xb97a9e, 0x8c86c4, 0xc9b458, 0x6fb1ae, 0xc8756d, 0x93a1ad, 0xa98e6c};
static const uint32_t static_color = 0x9aa3ab, force_color = 0x2455c3;

void abut_run_view_free(AbutRunView *view) {
    if (!view) return;
    for (int32_t i = 0; view->mesh && i < view->list.count; ++i) abut_mesh_free(&view->mesh[i]);
    abut_free(view->mesh);
    abut_geometry_list_free(&view->list);
    abut_free(view);
}

static AbutStatus make_meshes(AbutRunView *view, AbutError *error) {
    ABUT_TRY(abut_geometry_list_make(view->run->model, &view->list, error));
    size_t count = (size_t)view->list.count;
    view->mesh = abut_alloc_array(count, sizeof *view->mesh);
    if (!view->mesh) return abut_fail_memory(error);
    memset(view->mesh, 0, count * sizeof *view->mesh);
    for (size_t i = 0; i < count; ++i)
        if (view->list.item[i]->polyhedron)
            ABUT_TRY(abut_geometry_to_mesh(view->list.item[i], ROUND, &view->mesh[i], error));
    return ABUT_OK;
}

AbutStatus abut_run_view_create(const AbutRun *run, AbutRunView **out, AbutError *error) {
    ABUT_ASSERT(run && out);
    *out = NULL;
    AbutRunView *view = abut_alloc(sizeof *view);
    if (!view) return abut_fail_memory(error);
    memset(view, 0, sizeof *view);
    view->run = run;
    AbutStatus status = make_meshes(view, error);
    if (status != ABUT_OK) {
        abut_run_view_free(view);
        return status;
    }
    *out = view;
    return ABUT_OK;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static uint32_t color_of(const AbutModel *model, const AbutShapeDef *shape) {
    if (shape->color) return shape->color;
    return model->bodies[shape->body].kind == ABUT_BODY_STATIC
               ? static_color
               : palette[(unsigned)shape->body % (sizeof palette / sizeof *palette)];
}

/* Items of a step into `items` (room for all shapes); with `moving` only those of bodies that move. Gives their number.
 */
static int place_items(const AbutRunView *view, int step, int moving, AbutRenderItem *items) {
    const AbutRun *run = view->run;
    int n = 0;
    for (int32_t i = 0; i < run->model->shape_count; ++i) {
        const AbutShapeDef *s = &run->model->shapes[i];
        const double *p = abut_run_f8(run, ABUT_RUN_POSE) + 7 * ((int64_t)step * run->bodies + s->body);
        int32_t geometry = view->list.of_shape[i];
        if (!abut_run_has_body(run, step, s->body) || (moving && run->model->bodies[s->body].kind == ABUT_BODY_STATIC))
            continue;
        AbutPose pose = abut_pose(abut_vec3_at(p), abut_quat_normalize(abut_quat_at(p + 3)));
        items[n].mesh = view->list.item[geometry]->polyhedron ? &view->mesh[geometry] : NULL;
        items[n].pose = abut_pose_mul(pose, s->pose);
        items[n++].color = color_of(run->model, s);
    }
    return n;
}

/* A camera for the moving bodies of `count` steps, evenly from `first` to `last`. */
static void aim_steps(const AbutRunView *view, int first, int last, int count, AbutRenderDef *def) {
    size_t shapes = (size_t)view->run->model->shape_count;
    AbutRenderItem *items = abut_alloc_array(shapes * (size_t)count + 1, sizeof *items);
    AbutRenderList list = {.items = items};
    if (items) {
        for (int i = 0; i < count; ++i) {
            int step = count > 1 ? first + (int)((int64_t)(last - first) * i / (count - 1)) : first;
            list.item_count += place_items(view, step, 1, items + list.item_count);
        }
        abut_render_aim(&list, def);
    }
    abut_free(items);
}

void abut_run_view_aim(const AbutRunView *view, int step, AbutRenderDef *def) {
    enum { MOST = 64 };
    int steps = view->run->steps;
    ABUT_ASSERT(def && steps > 0 && step >= -1 && step < steps);
    if (step < 0)
        aim_steps(view, 0, steps - 1, steps < MOST ? steps : MOST, def);
    else
        aim_steps(view, step, step, 1, def);
}

static AbutVec3 row_of(const AbutRun *run, AbutRunColumn column, int64_t row) {
    return abut_vec3_at(abut_run_f8(run, column) + 3 * row);
}

/* Arrows of the contact forces of a step, the largest a fifth of the distance to the target. */
static int place_arrows(const AbutRunView *view, int step, const AbutRenderDef *def, AbutRenderArrow *arrows) {
    const AbutRun *run = view->run;
    const int64_t *start = abut_run_i8(run, ABUT_RUN_CONTACT_START) + step;
    double largest = 0.0, length = 0.2 * abut_point_distance(def->eye, def->target);
    for (int64_t i = start[0]; i < start[1]; ++i)
        largest = abut_larger(largest, abut_length(row_of(run, ABUT_RUN_CONTACT_FORCE, i)));
    int n = 0;
    for (int64_t i = start[0]; i < start[1] && largest > 0.0; ++i) {
        AbutVec3 force = row_of(run, ABUT_RUN_CONTACT_FORCE, i);
        if (abut_length(force) < 0.01 * largest) continue;
        arrows[n].from = row_of(run, ABUT_RUN_CONTACT_CENTER, i);
        arrows[n].to = abut_add_scaled(arrows[n].from, force, length / largest);
        arrows[n++].color = force_color;
    }
    return n;
}

AbutStatus abut_run_view_draw(
    const AbutRunView *view, int step, int forces, const AbutRenderDef *def, AbutImage *out, AbutError *error) {
    ABUT_ASSERT(view && def && out);
    if (step < 0 || step >= view->run->steps)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "step %d of a run of %d logged steps", step, view->run->steps);
    const int64_t *start = abut_run_i8(view->run, ABUT_RUN_CONTACT_START) + step;
    AbutRenderItem *items = abut_alloc_array((size_t)view->run->model->shape_count + 1, sizeof *items);
    AbutRenderArrow *arrows = abut_alloc_array((size_t)(start[1] - start[0]) + 1, sizeof *arrows);
    AbutRenderList list = {.items = items, .arrows = arrows};
    AbutStatus status = ABUT_OK;
    if (items && arrows) {
        list.item_count = place_items(view, step, 0, items);
        list.arrow_count = forces ? place_arrows(view, step, def, arrows) : 0;
        status = abut_render(&list, def, out, error);
    } else
        status = abut_fail_memory(error);
    abut_free(items);
    abut_free(arrows);
    return status;
}
