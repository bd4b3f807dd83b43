/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of two operands. */
#include "operands.h"

/* Operand k where it stands: its hull, its box, or a plate of what has no end; others have a hull by now. */
static void add_operand(AbutModel *model, const Operands *operands, int k)
{
    const Operand *of = operands->of;
    AbutPolyhedron *plate = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    AbutPageMeshes pair = {
        .convex = {&of[0].body.convex, &of[1].body.convex}, .pose_a = of[0].pose, .count = 1, .pose_b = &of[1].pose};
    if (is_endless(&of[k].body.convex))
        cli_need(abut_picture_plate(&pair, k, &plate, &cli_why));
    form.polyhedron = plate ? plate : of[k].body.hull;
    form.kind = form.polyhedron ? ABUT_SHAPE_POLYHEDRON : ABUT_SHAPE_BOX;
    form.size = of[k].body.convex.p[0];
    operands_add_body(
        model, cli_base_name(of[k].file), ABUT_BODY_DYNAMIC, of[k].pose, &form, 1); /* flat hulls are welcome */
}

AbutModel *operands_make_model(const Operands *operands)
{
    AbutModel *model = NULL;
    cli_need(abut_model_create(&model, &cli_why));
    for (int k = 0; k < 2; ++k)
        add_operand(model, operands, k);
    return model;
}

const char *endless_note(const Operands *operands, const char *note, char text[256])
{
    int k = is_endless(&operands->of[0].body.convex) ? 0 : is_endless(&operands->of[1].body.convex) ? 1 : -1;
    if (k < 0)
        return note;
    snprintf(text, 256, "%.120s; %.80s has no end, a plate of it is shown", note, operands->of[k].file);
    return text;
}

const char *operands_title(const Operands *operands, char title[300])
{
    const Operand *of = operands->of;
    snprintf(title, 300, "%.140s and %.140s", cli_base_name(of[0].file), cli_base_name(of[1].file));
    return title;
}

void operands_write_page(const Operands *operands, const char *path, AbutPageHead *head, AbutPageMeshes *page)
{
    char title[300];
    for (int k = 0; k < 2; ++k) {
        const Operand *o = &operands->of[k];
        page->mesh[k] = o->mesh.vertex_count > 0 ? &o->mesh : NULL;
        page->convex[k] = &o->body.convex;
        page->name[k] = cli_base_name(o->file);
    }
    head->title = operands_title(operands, title);
    page->pose_a = operands->of[0].pose;
    cli_need(abut_page_write_meshes(path, head, page, &cli_why));
}
