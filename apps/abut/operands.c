/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading operands: of a command on pairs hulls of meshes, convex meshes, pieces, half-spaces of text files, and their
 * motions; of others a scene. And what pages show of them.
 */
#include "operands.h"
#include "progress.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST_PIECES = 100000 };
static const size_t MOST_BYTES = (size_t)1 << 30;

Operands operands_make(void) {
    Operands operands = {.from = NAN, .to = NAN};
    operands.of[0].pose = operands.of[1].pose = abut_pose_identity();
    return operands;
}

void operands_parse(
    const CliOption *options, int option_count, int argc, char **argv, const char *kind, Operands *out) {
    int count = cli_parse(options, option_count, argc, argv);
    if (count != 2) cli_error("expected two %s A and B, got %d", kind, count);
    out->of[0].file = argv[0];
    out->of[1].file = argv[1];
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void center(Operands *operands, const char *file) {
    if (!operands->centered)
        cli_warning("%s is an animation: both meshes are moved so that the centroid of their volume is at the "
                    "origin before they are posed",
            file);
    operands->centered = 1;
}

/* Takes a mesh as the command wants it: the library decides whether it is convex. A hull is kept as its mesh. */
static void take_mesh(const Operands *operands, AbutSolidChoice choice, Operand *operand) {
    int solid = 1;
    if (operands->centered) cli_need_of(operand->file, abut_mesh_center(&operand->mesh, &solid, &cli_why));
    if (!solid)
        cli_warning(
            "%s: no closed surface, so that it has no volume: the centroid of its surface is taken", operand->file);
    choice = operands->convex ? ABUT_SOLID_HULL : choice;
    AbutStatus status = abut_solid_from_mesh(&operand->mesh, choice, NULL, &operand->body, &cli_why);
    if (status != ABUT_OK)
        cli_error("%s: %s%s", operand->file, cli_why.text,
            status == ABUT_ERROR_UNSUPPORTED ? "; --convex takes the hulls" : "");
    operand->body.is_convex &= choice != ABUT_SOLID_HULL;
    if (!operand->body.tree)
        cli_need_of(operand->file, abut_polyhedron_to_mesh(operand->body.hull, &operand->mesh, &cli_why));
}

/* Half-spaces, or a mesh: told apart by the content, since standard input and pipes have no ending. 1: a mesh. */
static int read_either(Operand *operand) {
    char *bytes;
    size_t count;
    cli_need(abut_file_load(operand->file, "a half-space 'a b c d'", MOST_BYTES, &bytes, &count, &cli_why));
    AbutStatus planes =
        abut_half_spaces_parse(bytes, count, operand->file, &operand->plane_count, &operand->planes, &cli_why);
    if (planes != ABUT_OK && abut_mesh_read(operand->file, bytes, count, &operand->mesh, NULL, NULL) == ABUT_OK)
        return 1;
    cli_need(planes);
    return 0;
}

void operands_read(AbutSolidChoice choice, Operands *operands) {
    if (operands_by_pieces(operands) && operands->convex)
        cli_error("--pieces, --pieces-a and --pieces-b exclude --convex");
    for (int k = 0; k < 2; ++k) {
        Operand *o = &operands->of[k];
        int words = 0;
        if (o->file) cli_need(abut_convex_parse(o->file, &o->body.convex, &words, &cli_why));
        if (words) o->body.is_convex = 1;
        if (words && o->folder) cli_error("--pieces-%c wants a mesh file for %c", "ab"[k], "AB"[k]);
        if (words || !o->file) continue;
        if (operands->half_spaces && !abut_mesh_name_fits(o->file)) {
            if (read_either(o)) take_mesh(operands, choice, o);
            continue;
        }
        cli_need(abut_mesh_read(o->file, NULL, 0, &o->mesh, NULL, &cli_why));
        take_mesh(operands, operands_by_pieces(operands) ? ABUT_SOLID_AS_IS : choice, o);
        if (operands->pieces || o->folder) operands_take_pieces(o);
    }
}

AbutSolid operands_solid(const Operands *operands, int which) {
    const AbutSolidBody *body = &operands->of[which].body;
    return body->pieces.count > 0 ? abut_solid_pieces(&body->pieces)
           : body->tree           ? abut_solid_mesh(body->tree)
                                  : abut_solid_convex(&body->convex);
}

void operands_need_meshes(const Operands *operands, const char *why) {
    for (int k = 0; k < 2; ++k)
        if (!operands->of[k].body.tree && !operands->of[k].body.hull)
            cli_error("%s: expected two mesh files, got '%s'", why, operands->of[k].file);
}

void operands_refuse_planes(const Operands *operands) {
    for (int k = 0; k < 2; ++k)
        if (operands->of[k].body.convex.kind == ABUT_CONVEX_PLANE && !operands->of[k].body.tree &&
            operands_solid(operands, !k).kind == ABUT_SOLID_MESH)
            cli_error(
                "%s: a plane goes with convex bodies alone, and %s is taken as a mesh of triangles; take half-space:",
                operands->of[k].file, operands->of[!k].file);
}

int operands_impact_status(AbutImpactOutcome outcome) {
    if (outcome == ABUT_IMPACT_HIT || outcome == ABUT_IMPACT_AT_START) return CLI_OK;
    return outcome == ABUT_IMPACT_NONE ? CLI_NO : CLI_UNDECIDED;
}

AbutPose operands_relative_pose(const Operands *operands) {
    return abut_pose_between(operands->of[0].pose, operands->of[1].pose);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

int operands_by_pieces(const Operands *operands) {
    return operands->pieces || operands->of[0].folder || operands->of[1].folder;
}

void operands_warn_pieces(const char *file, const AbutPieces *p) {
    if (!p->closed)
        cli_warning("%s is open: its %d convex pieces cover the surface alone", file, p->count);
    else if (!isfinite(p->excess))
        cli_warning("%s: parts overlap or run different ways: by how much its %d convex pieces are too large "
                    "is not known",
            file, p->count);
    else if (!p->target_met)
        cli_warning("%s: %d convex pieces have %.3g of its volume too much", file, p->count, p->excess);
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* One file as a piece. */
static AbutPolyhedron *read_piece(const char *path) {
    AbutMesh mesh = {0};
    AbutConvexity convexity;
    AbutPolyhedron *hull = NULL;
    cli_need(abut_mesh_read(path, NULL, 0, &mesh, NULL, &cli_why));
    cli_need(abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &hull, &cli_why));
    cli_need(abut_mesh_convexity(&mesh, hull, &convexity, NULL, &cli_why));
    if (convexity != ABUT_CONVEXITY_CONVEX)
        cli_warning("%s is not convex (%s): its hull is taken", path, abut_word(abut_convexity_names, convexity));
    abut_mesh_free(&mesh);
    return hull;
}

/* The files of a folder in the order of their names, one convex piece each. */
static void read_folder(const char *folder, AbutPieces *out) {
    struct dirent **names = NULL;
    char path[4200];
    int count = scandir(folder, &names, is_shown, alphasort);
    if (count < 0) cli_error("%s: the folder cannot be read: %s", folder, strerror(errno));
    if (count == 0) cli_error("%s: no pieces in this folder", folder);
    if (count > MOST_PIECES) cli_error("%s: more than %d files", folder, MOST_PIECES);
    *out = (AbutPieces){.piece = cli_room((size_t)count, sizeof *out->piece)};
    out->mesh_volume = out->excess = NAN; /* pieces from outside may overlap: nothing follows from their volumes */
    for (; out->count < count; ++out->count) {
        if (snprintf(path, sizeof path, "%s/%s", folder, names[out->count]->d_name) >= (int)sizeof path)
            cli_error("%s: the name is too long", folder);
        out->piece[out->count] = read_piece(path);
        out->volume += out->piece[out->count]->mass.volume;
    }
}

void operands_take_pieces(Operand *o) {
    double farthest;
    if (!o->folder) {
        cli_need_of(o->file, abut_mesh_decompose(&o->mesh, NULL, &o->body.pieces, &cli_why));
        operands_warn_pieces(o->file, &o->body.pieces);
        return;
    }
    read_folder(o->folder, &o->body.pieces);
    int32_t uncovered = abut_pieces_cover(&o->body.pieces, &o->mesh, NULL, &farthest);
    if (uncovered > 0)
        cli_warning("%d vertices of %s stand out of the pieces of %s, by up to %.3g m: the answer is one of the pieces",
            uncovered, o->file, o->folder, farthest);
}

/* ---- poses and motions ------------------------------------------------------------------------------------------- */

/* A file and a pose would both say where the body is. */
static void check_pose(const Operand *operand, const char *option, int which) {
    AbutPose identity = abut_pose_identity();
    if (memcmp(&operand->pose, &identity, sizeof identity) != 0)
        cli_error("--pose-%c and %s both place the body; give one", 'a' + which, option);
}

void operands_poses(Operands *operands, const char *file, int32_t *count, AbutKeyframe **out) {
    char *bytes;
    size_t size;
    int animation;
    check_pose(&operands->of[1], "--path", 1);
    cli_need(abut_file_load(file, "a pose t,x,y,z,qw,qx,qy,qz", MOST_BYTES, &bytes, &size, &cli_why));
    cli_need(abut_keyframes_parse(bytes, size, file, count, out, &animation, &cli_why));
    if (animation) center(operands, file);
}

static void read_motion(Operands *operands, Operand *o) {
    char *bytes;
    size_t size;
    AbutMotion *motion;
    int animation;
    double first, last;
    cli_need(abut_file_load(o->motion_file, "a motion", MOST_BYTES, &bytes, &size, &cli_why));
    cli_need(abut_motion_parse(bytes, size, o->motion_file, &motion, &animation, &cli_why));
    if (animation) center(operands, o->motion_file);
    o->motion = *motion;
    abut_motion_span(&o->motion, &first, &last);
    operands->from = fmin(operands->from, first), operands->to = fmax(operands->to, last);
}

void operands_read_motions(Operands *operands) {
    double from = operands->from, to = operands->to;
    if (!operands->of[0].motion_file && !operands->of[1].motion_file)
        cli_error("nothing moves: --motion-a or --motion-b takes a file");
    operands->from = INFINITY, operands->to = -INFINITY;
    for (int k = 0; k < 2; ++k) {
        Operand *o = &operands->of[k];
        o->motion = abut_motion_static(o->pose);
        if (!o->motion_file) continue;
        check_pose(o, k ? "--motion-b" : "--motion-a", k);
        read_motion(operands, o);
    }
    operands->from = isnan(from) ? operands->from : from;
    operands->to = isnan(to) ? operands->to : to;
    cli_check_range("--from", operands->from, -1e60, 1e60);
    cli_check_range("--to", operands->to, -1e60, 1e60);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void warn(const char *text, void *user) {
    (void)user;
    cli_warning("%s", text);
}

AbutModelReadOptions operands_model_options = {.warn = warn};
const char *operands_xacro_args;
int operands_warnings, operands_no_cache;
const char *operands_faster;

static void show_loading(Progress *progress, void *user) {
    double spent = cli_clock() - progress->started;
    if (spent > 1.0)
        progress_line(progress, "%s: hulls and convex pieces of meshes, %.0f s%s%s", cli_base_name(user), spent,
            operands_faster ? "; " : "", operands_faster ? operands_faster : "");
}

/* With the cache, and a line of progress when it takes more than a second. */
static AbutStatus read_file(const char *file, AbutModelReadOptions *options, AbutModel **out) {
    char folder[4096], name[300];
    Progress progress;
    snprintf(name, sizeof name, "%s", file);
    options->cache = !operands_no_cache && abut_cache_folder(folder, sizeof folder) ? folder : NULL;
    progress_begin(&progress);
    progress_watch(&progress, show_loading, name);
    AbutStatus status = abut_model_read(file, options, out, &cli_why);
    progress_end(&progress);
    return status;
}

/* The arguments of --args, NAME:=VALUE with blanks between, into the options; they point into `text`. */
static void read_args(char *text, AbutModelReadOptions *options) {
    static AbutAttribute args[100];
    int32_t count = 0;
    for (char *word = strtok(text, " \t\n"); word; word = strtok(NULL, " \t\n")) {
        char *sign = strstr(word, ":=");
        if (!sign || sign == word || count == 100)
            cli_error("--args: expected at most 100 of NAME:=VALUE, got '%.100s'", word);
        *sign = 0;
        args[count++] = (AbutAttribute){word, sign + 2};
    }
    options->argument_count = count;
    options->arguments = args;
}

AbutModel *operands_read_model(const char *source, uint64_t seed, AbutModelReadOptions options) {
    AbutModel *out = NULL;
    options.allow_outside = operands_model_options.allow_outside;
    options.all_warnings = operands_warnings;
    options.package_path = operands_model_options.package_path;
    char args[4000];
    if (operands_xacro_args) {
        if ((size_t)snprintf(args, sizeof args, "%s", operands_xacro_args) >= sizeof args)
            cli_error("--args: expected at most %d bytes, got more", (int)sizeof args - 1);
        read_args(args, &options);
    }
    int is_file = cli_is_file(source) || cli_has_ending(source, ".xml") || cli_has_ending(source, ".urdf") ||
                  cli_has_ending(source, ".xacro");
    if (!is_file && options.argument_count)
        cli_error("--args: expected a xacro file, got the built-in model %s", source);
    cli_need(is_file ? read_file(source, &options, &out) : abut_model_build(source, seed, &out, &cli_why));
    return out;
}

AbutModel *operands_load_model(const char *source, uint64_t seed, OperandMeshes meshes) {
    AbutModelReadOptions options = operands_model_options;
    options.convex_pieces = meshes == OPERAND_PIECES;
    options.hulls = meshes == OPERAND_HULLS;
    return operands_read_model(source, seed, options);
}

AbutScene *operands_scene(const AbutModel *model) {
    AbutScene *scene = NULL;
    cli_need(abut_scene_create(&scene, &cli_why));
    cli_need(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &cli_why));
    return scene;
}

void operands_add_body(
    AbutModel *model, const char *name, AbutBodyKind kind, AbutPose pose, const AbutGeometryDef *form, int visual) {
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

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* Operand k where it stands: its hull, its box, or a plate of what has no end; others have a hull by now. */
static void add_operand(AbutModel *model, const Operands *operands, int k) {
    const Operand *of = operands->of;
    AbutPolyhedron *plate = NULL;
    AbutGeometryDef form = abut_shape_default().form;
    AbutPageMeshes pair = {
        .convex = {&of[0].body.convex, &of[1].body.convex}, .pose_a = of[0].pose, .count = 1, .pose_b = &of[1].pose};
    if (is_endless(&of[k].body.convex)) cli_need(abut_picture_plate(&pair, k, &plate, &cli_why));
    form.polyhedron = plate ? plate : of[k].body.hull;
    form.kind = form.polyhedron ? ABUT_SHAPE_POLYHEDRON : ABUT_SHAPE_BOX;
    form.size = of[k].body.convex.p[0];
    operands_add_body(
        model, cli_base_name(of[k].file), ABUT_BODY_DYNAMIC, of[k].pose, &form, 1); /* flat hulls are welcome */
}

AbutModel *operands_make_model(const Operands *operands) {
    AbutModel *model = NULL;
    cli_need(abut_model_create(&model, &cli_why));
    for (int k = 0; k < 2; ++k) add_operand(model, operands, k);
    return model;
}

const char *endless_note(const Operands *operands, const char *note, char text[256]) {
    int k = is_endless(&operands->of[0].body.convex) ? 0 : is_endless(&operands->of[1].body.convex) ? 1 : -1;
    if (k < 0) return note;
    snprintf(text, 256, "%.120s; %.80s has no end, a plate of it is shown", note, operands->of[k].file);
    return text;
}

const char *operands_title(const Operands *operands, char title[300]) {
    const Operand *of = operands->of;
    snprintf(title, 300, "%.140s and %.140s", cli_base_name(of[0].file), cli_base_name(of[1].file));
    return title;
}

void operands_show(const Operands *operands, AbutPageMeshes *page) {
    for (int k = 0; k < 2; ++k) {
        const Operand *o = &operands->of[k];
        page->mesh[k] = o->mesh.vertex_count > 0 ? &o->mesh : NULL;
        page->convex[k] = &o->body.convex;
        page->name[k] = cli_base_name(o->file);
    }
    page->pose_a = operands->of[0].pose;
}
