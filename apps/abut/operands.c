/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading operands: of a command on pairs hulls of meshes, convex meshes, half-spaces of text files; of others a scene.
 */
#include "operands.h"

#include <math.h>
#include <string.h>

Operands operands_make(void)
{
    Operands operands = {0};
    operands.of[0].pose = operands.of[1].pose = abut_pose_identity();
    return operands;
}

void operands_free(Operands *operands)
{
    for (int k = 0; k < 2; ++k) {
        abut_solid_body_free(&operands->of[k].body);
        abut_mesh_free(&operands->of[k].mesh);
        abut_free(operands->of[k].planes);
    }
}

void operands_parse(const CliOption *options, int option_count, int argc, char **argv, const char *kind, Operands *out)
{
    int count = cli_parse(options, option_count, argc, argv);
    if (count != 2)
        cli_error("expected two %s A and B, got %d", kind, count);
    out->of[0].file = argv[0];
    out->of[1].file = argv[1];
    if (strcmp(argv[0], "-") == 0 && strcmp(argv[1], "-") == 0)
        cli_error("A and B are both '-': standard input can be read only once");
}

void operands_check_outputs(const Operands *operands, const char *file, const char *page)
{
    const char *inputs[] = {operands->of[0].file, operands->of[1].file}, *outputs[] = {file, page};
    cli_check_files(2, inputs, 2, outputs);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Centroid of the triangles of a mesh by their area; not finite where they have none. */
static AbutVec3 surface_centroid(const AbutMesh *mesh)
{
    AbutVec3 origin = mesh->vertices[mesh->triangles[0].v[0]], sum = abut_zero();
    double all = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        AbutVec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = abut_sub(mesh->vertices[mesh->triangles[i].v[k]], origin);
        double area = abut_length(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        sum = abut_add_scaled(sum, abut_add(p[0], abut_add(p[1], p[2])), area / 3.0);
        all += area;
    }
    return abut_add_scaled(origin, sum, 1.0 / all);
}

/* Moves a mesh so that its centroid is at the origin: that of its volume, or where it is open of its surface. */
static void center_mesh(const char *file, AbutMesh *mesh)
{
    AbutMeshReport report;
    cli_need_of(file, abut_mesh_report(mesh, &report, &cli_why));
    int solid = report.closed && report.oriented && fabs(report.mass.volume) > 0.0;
    AbutVec3 centroid = solid ? report.mass.centroid : surface_centroid(mesh);
    if (!abut_is_finite(centroid))
        cli_error("%s: a mesh with an area expected, which an animation centres", file);
    if (!solid)
        cli_warning("%s: no closed surface, so that it has no volume: the centroid of its surface is taken", file);
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        mesh->vertices[i] = abut_sub(mesh->vertices[i], centroid);
}

void operands_center(Operands *operands, const char *file)
{
    if (!operands->centered)
        cli_warning("%s is an animation: both meshes are moved so that the centroid of their volume is at the "
                    "origin before they are posed",
            file);
    operands->centered = 1;
}

void operands_load_mesh(const Operands *operands, const char *file, AbutMesh *out)
{
    cli_need(abut_mesh_read(file, NULL, 0, out, NULL, &cli_why));
    if (operands->centered)
        center_mesh(file, out);
}

/* Takes a mesh as the command wants it: the library decides whether it is convex. */
static void take_mesh(const AbutMesh *mesh, AbutSolidChoice choice, Operand *operand)
{
    AbutStatus status = abut_solid_from_mesh(mesh, choice, NULL, &operand->body, &cli_why);
    if (status != ABUT_OK)
        cli_error("%s: %s%s", operand->file, cli_why.text,
            status == ABUT_ERROR_UNSUPPORTED ? "; --convex takes the hulls" : "");
    operand->body.is_convex &= choice != ABUT_SOLID_HULL;
}

static AbutSolidChoice choice_of(OperandKind kind, int convex)
{
    if (kind == OPERAND_TRIANGLES)
        return ABUT_SOLID_TRIANGLES;
    return convex ? ABUT_SOLID_HULL : kind == OPERAND_AS_IS ? ABUT_SOLID_AS_IS : ABUT_SOLID_ONLY_CONVEX;
}

/* The mesh of a page: as it was read, or the hull that is taken for it. */
static void keep_mesh(const AbutMesh *mesh, int convex, Operand *operand)
{
    cli_need_of(
        operand->file, convex ? abut_polyhedron_to_mesh(operand->body.hull, &operand->mesh, &cli_why)
                              : abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &operand->mesh, &cli_why));
    if (!convex) {
        memcpy(operand->mesh.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
        memcpy(operand->mesh.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    }
}

static void read_mesh(OperandKind kind, const Operands *operands, Operand *operand)
{
    AbutMesh mesh = {0};
    operands_load_mesh(operands, operand->file, &mesh);
    take_mesh(&mesh, choice_of(kind, operands->convex), operand);
    if (operands->keep_meshes)
        keep_mesh(&mesh, operand->body.tree == NULL, operand);
    abut_mesh_free(&mesh);
}

/* Half-spaces, or a mesh: told apart by the content, since standard input and pipes have no ending. */
static void read_either(int convex, Operand *operand)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutMesh mesh = {0};
    char *bytes;
    size_t count;
    cli_need(abut_file_load(operand->file, "a half-space 'a b c d'", MOST_BYTES, &bytes, &count, &cli_why));
    AbutStatus planes =
        abut_half_spaces_parse(bytes, count, operand->file, &operand->plane_count, &operand->planes, &cli_why);
    if (planes != ABUT_OK && abut_mesh_read(operand->file, bytes, count, &mesh, NULL, NULL) == ABUT_OK)
        take_mesh(&mesh, choice_of(OPERAND_HALF_SPACES, convex), operand);
    else
        cli_need(planes);
    abut_mesh_free(&mesh);
    abut_free(bytes);
}

/* The mesh of a page of a body in words. */
static void keep_words(Operand *operand)
{
    const AbutGeometry *geometry = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    primitive_shape(&operand->body.convex, &form);
    AbutStatus got = abut_geometry_create(&form, &geometry, &cli_why);
    if (got == ABUT_OK)
        got = abut_polyhedron_to_mesh(geometry->polyhedron, &operand->mesh, &cli_why);
    abut_geometry_release(geometry);
    cli_need_of(operand->file, got);
}

void operands_read(OperandKind kind, Operands *operands)
{
    for (int k = 0; k < 2; ++k) {
        Operand *operand = &operands->of[k];
        if (!operand->file)
            continue;
        if (primitive_read(operand->file, &operand->body.convex)) {
            operand->body.is_convex = 1;
            if (operands->keep_meshes && !(operands->plates && is_endless(&operand->body.convex)))
                keep_words(operand);
            continue;
        }
        if (kind == OPERAND_HALF_SPACES && !abut_mesh_name_fits(operand->file))
            read_either(operands->convex, operand);
        else
            read_mesh(kind, operands, operand);
    }
}

void operands_poses(Operands *operands, const char *file, int32_t *count, AbutKeyframe **out)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutPose identity = abut_pose_identity();
    char *bytes;
    size_t size;
    if (memcmp(&operands->of[1].pose, &identity, sizeof identity) != 0)
        cli_error("--pose-b and --path both place the body; give one");
    cli_need(abut_file_load(file, "a pose t,x,y,z,qw,qx,qy,qz", MOST_BYTES, &bytes, &size, &cli_why));
    int animation;
    AbutStatus status = abut_keyframes_parse(bytes, size, file, count, out, &animation, &cli_why);
    abut_free(bytes);
    cli_need(status);
    if (animation)
        operands_center(operands, file);
}

void operands_read_triangles(Operands *operands)
{
    const Operand *of = operands->of;
    operands_read(OPERAND_TRIANGLES, operands);
    if (!of[0].body.tree && !of[1].body.tree)
        cli_error(
            "at least one mesh file expected, found '%s' and '%s'; abut distance takes both", of[0].file, of[1].file);
    for (int k = 0; k < 2; ++k)
        if (!of[k].body.tree)
            operands_refuse_plane(operands, &of[k].body.convex, k);
}

AbutSolid operands_solid(const Operands *operands, int which)
{
    const Operand *o = &operands->of[which];
    return o->body.tree ? abut_solid_mesh(o->body.tree) : abut_solid_convex(&o->body.convex);
}

const char *operands_how(AbutGapOutcome outcome)
{
    return outcome == ABUT_SEPARATED     ? "apart"
           : outcome == ABUT_PENETRATING ? "crossing"
                                         : abut_word(abut_gap_outcome_names, outcome);
}

AbutPose operands_relative_pose(const Operands *operands)
{
    return abut_pose_between(operands->of[0].pose, operands->of[1].pose);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

int operands_outside;
const char *operands_warnings;

int operands_all_warnings(void)
{
    int all = operands_warnings && strcmp(operands_warnings, "all") == 0;
    if (operands_warnings && !all && strcmp(operands_warnings, "grouped") != 0)
        cli_error("--warnings: expected grouped or all, got '%.60s'", operands_warnings);
    return all;
}

static void warn(const char *text, void *user)
{
    (void)user;
    cli_warning("%s", text);
}

static int drawn;

void operands_draw_meshes(int on)
{
    drawn = on;
}

AbutModel *operands_load_model(const char *source, uint64_t seed, OperandMeshes meshes)
{
    AbutModel *out = NULL;
    AbutModelReadOptions options = {.warn = warn,
        .convex_pieces = meshes == OPERAND_PIECES,
        .surfaces = meshes == OPERAND_SURFACES,
        .drawn_meshes = drawn,
        .allow_outside = operands_outside,
        .all_warnings = operands_all_warnings()};
    int is_file = cli_is_file(source) || cli_has_ending(source, ".xml") || cli_has_ending(source, ".urdf");
    cli_need(
        is_file ? abut_model_read(source, &options, &out, &cli_why) : abut_model_build(source, seed, &out, &cli_why));
    return out;
}

AbutScene *operands_scene(const AbutModel *model)
{
    AbutScene *scene = NULL;
    cli_need(abut_scene_create(&scene, &cli_why));
    cli_need(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &cli_why));
    return scene;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

void operands_add_body(
    AbutModel *model, const char *name, AbutBodyKind kind, AbutPose pose, const AbutGeometryDef *form, int visual)
{
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.name = name;
    body.kind = kind;
    body.pose = pose;
    shape.form = *form;
    shape.visual = visual;
    cli_need(abut_model_add_body(model, &body, &shape.body, &cli_why));
    cli_need(abut_model_add_shape(model, &shape, NULL, &cli_why));
}

/* Operand k: its hull, what its words say, or a plate of what has no end. */
static void add_operand(AbutModel *model, const Operands *operands, int k)
{
    const Operand *operand = &operands->of[k];
    AbutPolyhedron *made = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    if (operand->body.hull || is_endless(&operand->body.convex)) {
        if (!operand->body.hull)
            endless_plate(operands, k, (EndlessPoses){.count = 1, .b = &operands->of[1].pose}, &made);
        form.kind = ABUT_SHAPE_POLYHEDRON;
        form.polyhedron = operand->body.hull ? operand->body.hull : made;
    } else {
        primitive_shape(&operand->body.convex, &form);
    }
    operands_add_body(
        model, cli_base_name(operand->file), ABUT_BODY_DYNAMIC, operand->pose, &form, 1); /* flat hulls are welcome */
    abut_polyhedron_free(made);
}

AbutModel *operands_make_model(const Operands *operands)
{
    AbutModel *model = NULL;
    cli_need(abut_model_create(&model, &cli_why));
    for (int k = 0; k < 2; ++k)
        add_operand(model, operands, k);
    return model;
}

void operands_refuse_plane(const Operands *operands, const AbutConvex *body, int which)
{
    if (body->kind != ABUT_CONVEX_PLANE)
        return;
    cli_error("%s: a plane goes with convex bodies alone, and %s is taken as a mesh of triangles; take half-space:",
        operands->of[which].file, operands->of[!which].file);
}
