/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading operands: of a command on pairs hulls of meshes, convex meshes, half-spaces of text files; of others a scene.
 */
#include "endless.h"

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

/* ---- options ----------------------------------------------------------------------------------------------------- */

CliOption operands_pose(Operands *operands, int which)
{
    static const char *const names[2] = {"--pose-a", "--pose-b"};
    static const char *const help[2] = {
        "place of A: x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians)",
        "place of B"};
    return (CliOption){names[which], NULL, CLI_POSE, &operands->of[which].pose, "POSE", help[which]};
}

CliOption operands_convex(Operands *operands)
{
    return (CliOption){"--convex", NULL, CLI_FLAG, &operands->convex, NULL, "take both meshes as their convex hulls"};
}

int operands_parse(const CliCommand *command, const CliOption *options, int option_count, int argc, char **argv,
    const char *kind, Operands *out)
{
    int count;
    int status = cli_parse(command, options, option_count, argc, argv, &count);
    if (status != CLI_GO)
        return status;
    if (count != 2)
        return cli_error(command, "expected two %s A and B, got %d", kind, count);
    out->of[0].file = argv[0];
    out->of[1].file = argv[1];
    if (strcmp(argv[0], "-") == 0 && strcmp(argv[1], "-") == 0)
        return cli_error(command, "A and B are both '-': standard input can be read only once");
    return CLI_GO;
}

int operands_check_outputs(const CliCommand *command, const Operands *operands, const char *file, const char *page)
{
    const char *inputs[] = {operands->of[0].file, operands->of[1].file}, *outputs[] = {file, page};
    return cli_check_files(command, 2, inputs, 2, outputs);
}

CliOption operands_path(const char **path)
{
    return (CliOption){"--path", NULL, CLI_TEXT, path, "FILE",
        "poses of B, t,x,y,z,qw,qx,qy,qz to a line, or an animation (.ani): a row of CSV for each"};
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
static int center_mesh(const CliCommand *command, const char *file, AbutMesh *mesh)
{
    AbutMeshReport report;
    AbutError error;
    if (abut_mesh_report(mesh, &report, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", file, error.text);
    int solid = report.closed && report.oriented && fabs(report.mass.volume) > 0.0;
    AbutVec3 centroid = solid ? report.mass.centroid : surface_centroid(mesh);
    if (!abut_is_finite(centroid))
        return cli_error(command, "%s: a mesh with an area expected, which an animation centres", file);
    if (!solid)
        cli_warning(
            command, "%s: no closed surface, so that it has no volume: the centroid of its surface is taken", file);
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        mesh->vertices[i] = abut_sub(mesh->vertices[i], centroid);
    return CLI_GO;
}

void operands_center(const CliCommand *command, Operands *operands, const char *file)
{
    if (!operands->centered)
        cli_warning(command,
            "%s is an animation: both meshes are moved so that the centroid of their volume is at the "
            "origin before they are posed",
            file);
    operands->centered = 1;
}

int operands_load_mesh(const CliCommand *command, const Operands *operands, const char *file, AbutMesh *out)
{
    AbutError error;
    if (abut_mesh_read(file, out, NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = operands->centered ? center_mesh(command, file, out) : CLI_GO;
    if (status != CLI_GO)
        abut_mesh_free(out);
    return status;
}

/* Takes a mesh as the command wants it: the library decides whether it is convex. */
static int take_mesh(const CliCommand *command, const AbutMesh *mesh, AbutSolidChoice choice, Operand *operand)
{
    AbutError error;
    AbutStatus status = abut_solid_from_mesh(mesh, choice, NULL, &operand->body, &error);
    if (status != ABUT_OK)
        return cli_error(command, "%s: %s%s", operand->file, error.text,
            status == ABUT_ERROR_UNSUPPORTED ? "; --convex takes the hulls" : "");
    operand->body.is_convex &= choice != ABUT_SOLID_HULL;
    return CLI_GO;
}

static AbutSolidChoice choice_of(OperandKind kind, int convex)
{
    if (kind == OPERAND_TRIANGLES)
        return ABUT_SOLID_TRIANGLES;
    return convex ? ABUT_SOLID_HULL : kind == OPERAND_AS_IS ? ABUT_SOLID_AS_IS : ABUT_SOLID_ONLY_CONVEX;
}

/* The mesh of a page: as it was read, or the hull that is taken for it. */
static int keep_mesh(const CliCommand *command, const AbutMesh *mesh, int convex, Operand *operand)
{
    AbutError error;
    AbutStatus status = convex ? abut_polyhedron_to_mesh(operand->body.hull, &operand->mesh, &error)
                               : abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &operand->mesh, &error);
    if (status != ABUT_OK)
        return cli_error(command, "%s: %s", operand->file, error.text);
    if (!convex) {
        memcpy(operand->mesh.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
        memcpy(operand->mesh.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    }
    return CLI_GO;
}

static int read_mesh(const CliCommand *command, OperandKind kind, const Operands *operands, Operand *operand)
{
    AbutMesh mesh = {0};
    int status = operands_load_mesh(command, operands, operand->file, &mesh);
    if (status == CLI_GO)
        status = take_mesh(command, &mesh, choice_of(kind, operands->convex), operand);
    if (status == CLI_GO && operands->keep_meshes)
        status = keep_mesh(command, &mesh, operand->body.tree == NULL, operand);
    abut_mesh_free(&mesh);
    return status;
}

/* Half-spaces, or a mesh: told apart by the content, since standard input and pipes have no ending. */
static int read_either(const CliCommand *command, int convex, Operand *operand)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutError error;
    AbutMesh mesh = {0};
    char *bytes;
    size_t count;
    if (abut_file_load(operand->file, "a half-space 'a b c d'", MOST_BYTES, &bytes, &count, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = CLI_GO;
    if (abut_half_spaces_parse(bytes, count, operand->file, &operand->plane_count, &operand->planes, &error) != ABUT_OK)
        status = abut_mesh_parse(bytes, count, operand->file, &mesh, NULL, NULL) == ABUT_OK
                     ? take_mesh(command, &mesh, choice_of(OPERAND_HALF_SPACES, convex), operand)
                     : cli_error(command, "%s", error.text);
    abut_mesh_free(&mesh);
    abut_free(bytes);
    return status;
}

/* The mesh of a page of a body in words. */
static int keep_words(const CliCommand *command, Operand *operand)
{
    AbutError error;
    const AbutGeometry *geometry = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    int status = primitive_shape(command, &operand->body.convex, &form);
    if (status != CLI_GO)
        return status;
    AbutStatus got = abut_geometry_create(&form, &geometry, &error);
    if (got == ABUT_OK)
        got = abut_polyhedron_to_mesh(geometry->polyhedron, &operand->mesh, &error);
    abut_geometry_release(geometry);
    return got == ABUT_OK ? CLI_GO : cli_error(command, "%s: %s", operand->file, error.text);
}

int operands_read(const CliCommand *command, OperandKind kind, Operands *operands)
{
    int status = CLI_GO;
    for (int k = 0; k < 2 && status == CLI_GO; ++k) {
        Operand *operand = &operands->of[k];
        if (!operand->file)
            continue;
        int named = primitive_parse(command, operand->file, &operand->body.convex);
        if (named != CLI_GO) {
            operand->body.is_convex = 1;
            status = named == CLI_OK ? CLI_GO : named;
            if (status == CLI_GO && operands->keep_meshes && !(operands->plates && is_endless(&operand->body.convex)))
                status = keep_words(command, operand);
            continue;
        }
        if (kind == OPERAND_HALF_SPACES && !abut_mesh_name_fits(operand->file))
            status = read_either(command, operands->convex, operand);
        else
            status = read_mesh(command, kind, operands, operand);
    }
    return status;
}

int operands_poses(const CliCommand *command, Operands *operands, const char *file, int32_t *count, AbutKeyframe **out)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutPose identity = abut_pose_identity();
    AbutError error;
    char *bytes;
    size_t size;
    if (memcmp(&operands->of[1].pose, &identity, sizeof identity) != 0)
        return cli_error(command, "--pose-b and --path both place the body; give one");
    if (abut_file_load(file, "a pose t,x,y,z,qw,qx,qy,qz", MOST_BYTES, &bytes, &size, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int animation = abut_keyframes_are_animation(bytes, size);
    AbutStatus status = animation ? abut_keyframes_parse_animation(bytes, size, file, count, out, &error)
                                  : abut_keyframes_parse(bytes, size, file, count, out, &error);
    abut_free(bytes);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    if (animation)
        operands_center(command, operands, file);
    return CLI_GO;
}

int operands_read_triangles(const CliCommand *command, Operands *operands)
{
    const Operand *of = operands->of;
    int status = operands_read(command, OPERAND_TRIANGLES, operands);
    if (status == CLI_GO && !of[0].body.tree && !of[1].body.tree)
        status = cli_error(command, "at least one mesh file expected, found '%s' and '%s'; abut distance takes both",
            of[0].file, of[1].file);
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        if (!of[k].body.tree)
            status = operands_refuse_plane(command, operands, &of[k].body.convex, k);
    return status;
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
                                         : abut_gap_outcome_name(outcome);
}

AbutPose operands_relative_pose(const Operands *operands)
{
    return abut_pose_between(operands->of[0].pose, operands->of[1].pose);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static int outside;

CliOption operands_outside_option(void)
{
    return (CliOption){
        "--allow-outside", NULL, CLI_FLAG, &outside, NULL, "let a model name meshes and includes outside its folder"};
}

static const char *warnings; /* NULL: grouped */

CliOption operands_warnings_option(void)
{
    return (CliOption){"--warnings", NULL, CLI_TEXT, &warnings, "W",
        "warnings about the model: grouped, one line per kind, or all (default: grouped)"};
}

AbutStatus operands_all_warnings(int *all, AbutError *error)
{
    *all = warnings && strcmp(warnings, "all") == 0;
    if (!warnings || *all || strcmp(warnings, "grouped") == 0)
        return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "--warnings: expected grouped or all, got '%.60s'", warnings);
}

int operands_outside(void)
{
    return outside;
}

static void warn(const char *text, void *user)
{
    cli_warning(user, "%s", text);
}

static int drawn;

void operands_draw_meshes(int on)
{
    drawn = on;
}

AbutStatus operands_load_model(const CliCommand *command, const char *source, uint64_t seed, OperandMeshes meshes,
    AbutModel **out, AbutError *error)
{
    CliCommand told = *command; /* for the warnings */
    AbutModelReadOptions options = {.warn = warn,
        .user = &told,
        .convex_pieces = meshes == OPERAND_PIECES,
        .surfaces = meshes == OPERAND_SURFACES,
        .drawn_meshes = drawn,
        .allow_outside = outside};
    AbutStatus status = operands_all_warnings(&options.all_warnings, error);
    if (status != ABUT_OK)
        return status;
    int is_file = cli_is_file(source) || cli_has_ending(source, ".xml") || cli_has_ending(source, ".urdf");
    return is_file ? abut_model_read(source, &options, out, error) : abut_model_build(source, seed, out, error);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

static AbutStatus add_body(AbutModel *model, const Operand *operand, const AbutGeometryDef *form, AbutError *error)
{
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.name = cli_base_name(operand->file);
    body.pose = operand->pose;
    shape.form = *form;
    shape.visual = 1; /* flat hulls are welcome */
    AbutStatus status = abut_model_add_body(model, &body, &shape.body, error);
    return status == ABUT_OK ? abut_model_add_shape(model, &shape, NULL, error) : status;
}

/* The shape of operand k: its hull, what its words say, or a plate of what has no end. CLI_GO, or CLI_BAD after one
 * line. */
static int shape_of(
    const CliCommand *command, const Operands *operands, int k, AbutGeometryDef *form, AbutPolyhedron **made)
{
    AbutError error;
    const Operand *operand = &operands->of[k];
    EndlessPoses here = {.count = 1, .b = &operands->of[1].pose};
    if (!operand->body.hull && !is_endless(&operand->body.convex))
        return primitive_shape(command, &operand->body.convex, form);
    if (!operand->body.hull && endless_plate(operands, k, here, made, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    form->kind = ABUT_SHAPE_POLYHEDRON;
    form->polyhedron = operand->body.hull ? operand->body.hull : *made;
    return CLI_GO;
}

/* Adds operand k; CLI_GO, or CLI_BAD after one line. */
static int add_operand(const CliCommand *command, AbutModel *model, const Operands *operands, int k)
{
    AbutError error;
    AbutPolyhedron *made = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    const Operand *operand = &operands->of[k];
    int status = shape_of(command, operands, k, &form, &made);
    if (status == CLI_GO && add_body(model, operand, &form, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_polyhedron_free(made);
    return status;
}

int operands_make_model(const CliCommand *command, const Operands *operands, AbutModel **out)
{
    AbutError error;
    if (abut_model_create(out, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = CLI_GO;
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        status = add_operand(command, *out, operands, k);
    if (status != CLI_GO)
        abut_model_free(*out);
    return status;
}

int operands_refuse_plane(const CliCommand *command, const Operands *operands, const AbutConvex *body, int which)
{
    if (body->kind != ABUT_CONVEX_PLANE)
        return CLI_GO;
    return cli_error(command,
        "%s: a plane goes with convex bodies alone, and %s is taken as a mesh of triangles; take half-space:",
        operands->of[which].file, operands->of[!which].file);
}
