/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies in words: "cylinder:0.1,0.3" is an exact cylinder; one table has the names and how many numbers each takes. A
 * name that is none of these is left to be a file. And the pages of two operands.
 */
#include "operands.h"

#include <string.h>
#include <math.h>

static const double FLATTEST = 1e-6; /* ellipsoid that the queries take */

static const struct Primitive {
    const char *name;
    AbutConvexKind kind;
    int count; /* of numbers */
    const char *numbers;
} primitives[] = {
    {"sphere", ABUT_CONVEX_POINT, 1, "RADIUS"},
    {"capsule", ABUT_CONVEX_SEGMENT, 2, "RADIUS,HALF_LENGTH"},
    {"cylinder", ABUT_CONVEX_CYLINDER, 2, "RADIUS,HALF_HEIGHT"},
    {"cone", ABUT_CONVEX_CONE, 2, "RADIUS,HALF_HEIGHT"},
    {"box", ABUT_CONVEX_BOX, 3, "X,Y,Z"},
    {"ellipsoid", ABUT_CONVEX_ELLIPSOID, 3, "X,Y,Z"},
    {"half-space", ABUT_CONVEX_HALF_SPACE, 4, "NX,NY,NZ,OFFSET"},
    {"plane", ABUT_CONVEX_PLANE, 4, "NX,NY,NZ,OFFSET"},
};

static AbutConvex make(AbutConvexKind kind, const double *v)
{
    AbutVec3 size = abut_vec3(v[0], v[1], v[2]);
    double length = abut_length(size); /* a normal may have any; the offset goes with it */
    AbutPlane plane = {abut_scale(size, 1.0 / length), v[3] / length};
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(abut_zero(), v[0]);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(abut_vec3(0, 0, -v[1]), abut_vec3(0, 0, v[1]), v[0]);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(v[0], v[1], 0.0);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(v[0], v[1], 0.0);
    case ABUT_CONVEX_ELLIPSOID:
        return abut_convex_ellipsoid(size, 0.0);
    case ABUT_CONVEX_HALF_SPACE:
        return abut_convex_half_space(plane, 0.0);
    case ABUT_CONVEX_PLANE:
        return abut_convex_plane(plane, 0.0);
    default:
        return abut_convex_box(size, 0.0);
    }
}

/* Positive sizes, or a normal of some length; not too flat. */
static AbutStatus read_numbers(
    const char *text, const char *numbers, const struct Primitive *p, AbutConvex *out, AbutError *error)
{
    CliReals r = {{0}, 0};
    int fits = cli_read_reals(numbers, &r) && r.count == p->count;
    double least = INFINITY, most = 0.0;
    for (int i = 0; fits && i < (p->count == 4 ? 3 : p->count); ++i)
        least = fmin(least, r.value[i]), most = fmax(most, fabs(r.value[i]));
    if (!fits || !(p->count == 4 ? most > 0.0 : least > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': expected %s:%s, %s", text, p->name, p->numbers,
            p->count == 4 ? "with a normal that is not zero" : "all positive");
    if (p->kind == ABUT_CONVEX_ELLIPSOID && !(least >= FLATTEST * most))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': the shortest semi-axis must be at least %g of the longest",
            text, FLATTEST);
    *out = make(p->kind, r.value);
    return ABUT_OK;
}

AbutStatus primitive_parse(const char *text, AbutConvex *out, int *found, AbutError *error)
{
    char name[32];
    size_t length = strcspn(text, ":");
    *found = 0;
    if (!text[length] || length >= sizeof name)
        return ABUT_OK;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (int i = 0; i < CLI_ROWS(primitives); ++i)
        if (strcmp(name, primitives[i].name) == 0)
            return *found = 1, read_numbers(text, text + length + 1, &primitives[i], out, error);
    const char *near = abut_suggest(name, CLI_ROWS(primitives), &primitives[0].name, sizeof primitives[0]);
    return near ? abut_fail(
                      error, ABUT_ERROR_ARGUMENT, "'%s': no body is called '%s'; did you mean '%s'?", text, name, near)
                : ABUT_OK;
}

int primitive_read(const char *text, AbutConvex *out)
{
    int found;
    cli_need(primitive_parse(text, out, &found, &cli_why));
    return found;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

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
