/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut decompose: convex pieces that cover a mesh. In: a mesh file. Out: a folder with a mesh for each piece, the
 * excess of their volume, and on request a page that shows them moving apart. Exit 1 when --max came before --excess.
 */
#include "operands.h"
#include "progress.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

typedef struct Args {
    const char *file, *folder, *page; /* folder, page: NULL: not given */
    double excess;
    int most, json;
} Args;

/* ---- files ------------------------------------------------------------------------------------------------------- */

enum { NAME_SIZE = 4200 };

static void piece_name(const Args *args, int i, char name[NAME_SIZE])
{
    size_t length = strlen(args->folder);
    const char *between = length > 0 && args->folder[length - 1] == '/' ? "" : "/";
    int n = snprintf(name, NAME_SIZE, "%s%spiece_%03d.obj", args->folder, between, i);
    if (!(n > 0 && n < NAME_SIZE))
        cli_error("%s: the name is too long", args->folder);
}

/* Pieces of an earlier run would be taken for some of this one. */
static void check_folder(const char *folder)
{
    int found = 0;
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e && !found; e = readdir(dir)) {
        size_t n = strlen(e->d_name);
        found = n > 10 && strncmp(e->d_name, "piece_", 6) == 0 && strcmp(e->d_name + n - 4, ".obj") == 0;
    }
    if (dir)
        closedir(dir);
    if (found)
        cli_error("%s: an empty folder expected, found pieces (piece_*.obj)", folder);
}

static void write_pieces(const Args *args, const AbutPieces *pieces)
{
    char name[NAME_SIZE];
    for (int i = 0; i < pieces->count; ++i) {
        AbutMesh mesh = {0};
        piece_name(args, i, name);
        if ((abut_polyhedron_to_mesh(pieces->piece[i], &mesh, &cli_why) != ABUT_OK ||
                abut_mesh_write(name, &mesh, &cli_why) != ABUT_OK))
            cli_error("%s", cli_why.text);
        abut_mesh_free(&mesh);
    }
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

enum { FRAMES = 21 };

/* The pieces at `part` (0 to 1) of the way apart: each along the line from the common centre to its own. */
static void move_apart(const AbutPieces *pieces, double part, AbutRunBody *body)
{
    AbutVec3 middle = abut_zero();
    double all = 0.0;
    for (int i = 0; i < pieces->count; ++i) {
        double v = pieces->piece[i]->mass.volume;
        middle = abut_add_scaled(middle, pieces->piece[i]->mass.centroid, v);
        all += v;
    }
    middle = abut_scale(middle, 1.0 / all);
    for (int i = 0; i < pieces->count; ++i) {
        AbutVec3 way = abut_sub(pieces->piece[i]->mass.centroid, middle);
        memset(&body[i], 0, sizeof body[i]);
        body[i].pose = abut_pose(abut_scale(way, 0.8 * part), abut_quat_identity());
        body[i].island = -1;
    }
}

static void fill_run(AbutRun *run, const AbutPieces *pieces)
{
    AbutRunBody *body = cli_room((size_t)pieces->count, sizeof *body);
    for (int k = 0; k < FRAMES; ++k) {
        AbutStepReport report = {.time = 0.05 * k};
        move_apart(pieces, (double)k / (FRAMES - 1), body);
        cli_need(abut_run_add_step(run, &report, body, &cli_why));
    }
    abut_free(body);
}

static void write_page(const Args *args, const AbutPieces *pieces)
{
    AbutModel *model = NULL;
    AbutRun *run = NULL;
    char note[120];
    int length = snprintf(note, sizeof note, "%d convex pieces moving apart", pieces->count);
    if (isfinite(pieces->excess))
        snprintf(note + length, sizeof note - (size_t)length, ", excess %.3g", pieces->excess);
    AbutPageHead head = {.title = cli_base_name(args->file), .subtitle = note, .without_charts = 1, .names = 1};
    cli_need(abut_model_create(&model, &cli_why));
    for (int i = 0; i < pieces->count; ++i) {
        char name[32];
        AbutGeometryDef form = abut_shape_default().form;
        snprintf(name, sizeof name, "piece %d", i);
        form.kind = ABUT_SHAPE_POLYHEDRON;
        form.polyhedron = pieces->piece[i];
        operands_add_body(model, name, ABUT_BODY_DYNAMIC, abut_pose_identity(), &form, 0);
    }
    cli_need(abut_run_create(model, NULL, &run, &cli_why));
    fill_run(run, pieces);
    cli_need(abut_page_write_run(args->page, &head, run, NULL, &cli_why));
    abut_run_free(run);
    abut_model_free(model);
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

typedef struct Answer {
    const char *file;
    const Args *args;
    const AbutPieces *pieces;
} Answer;

/* The member is the arguments, the pieces follow it. */
static void put_files(AbutJson *json, const void *member)
{
    const Answer *a = (const void *)((const char *)member - offsetof(Answer, args));
    char name[NAME_SIZE];
    abut_json_begin_array(json);
    for (int i = 0; a->args->folder && i < a->pieces->count; ++i) {
        piece_name(a->args, i, name);
        abut_json_put_string(json, NULL, name);
    }
    abut_json_end_array(json);
}

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, file, TEXT, "", "Mesh that was cut.")},
    {ABUT_FIELD_OF(Answer, pieces, abut_pieces_record, NULL), .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD_AS("files", Answer, args, PUT, "", "Files of the pieces; empty without `-o`."), .put = put_files},
};
const AbutRecord cli_decompose_answer = ABUT_RECORD("decompose", "", Answer, answer_fields);

static void print_text(const Args *args, const AbutPieces *p)
{
    printf("  %-12s %d%s%s\n", "pieces", p->count, args->folder ? " in " : "", args->folder ? args->folder : "");
    if (isfinite(p->excess))
        printf("  %-12s %.4g of the volume of the mesh%s\n", "excess", p->excess,
            p->target_met ? "" : ": --max came first");
    printf("  %-12s %.9g m^3\n", "volume", p->volume);
    if (!p->closed)
        printf("  %-12s the mesh is open: the pieces cover its surface, what lies inside is not known\n", "note");
    else if (!isfinite(p->excess))
        printf("  %-12s parts of the mesh overlap or run different ways: its volume, and the excess, are not known\n",
            "note");
}

/* What is shown while cuts are made. */
typedef struct Watch {
    Progress progress;
    int most;
} Watch;

static int show_cut(int32_t pieces, double excess, void *user)
{
    Watch *w = user;
    if (isfinite(excess))
        progress_bar(&w->progress, (double)pieces / w->most, "%d pieces, excess %.4f", pieces, excess);
    else
        progress_bar(&w->progress, (double)pieces / w->most, "%d pieces", pieces);
    return 0;
}

static int decompose(const Args *args)
{
    Watch watch = {.most = args->most};
    AbutMesh mesh = {0};
    AbutPieces pieces = {0};
    AbutDecomposeDef def = {.excess = args->excess, .max_pieces = args->most, .progress = show_cut, .user = &watch};
    cli_need(abut_mesh_read(args->file, NULL, 0, &mesh, NULL, &cli_why));
    progress_begin(&watch.progress);
    AbutStatus made = abut_mesh_decompose(&mesh, &def, &pieces, &cli_why);
    progress_end(&watch.progress);
    abut_mesh_free(&mesh);
    cli_need_of(args->file, made);
    if (args->folder)
        cli_make_folder(args->folder);
    if (args->page)
        write_page(args, &pieces);
    if (args->folder) /* last: the folder of a run that failed has no pieces */
        write_pieces(args, &pieces);
    int status = pieces.target_met ? CLI_OK : CLI_NO;
    if (args->json)
        status = cli_answer(2, &cli_decompose_answer, NULL, &(Answer){args->file, args, &pieces}, status);
    else
        print_text(args, &pieces);
    abut_pieces_free(&pieces);
    return status;
}

int cli_decompose(int argc, char **argv)
{
    Args args = {.excess = 0.02, .most = 64};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.folder, "DIR",
            "folder for the pieces, piece_000.obj and so on, made when missing; "
            "one that holds pieces is refused (default: none is written)"},
        {"--excess", NULL, CLI_REAL, &args.excess, "E",
            "volume that the pieces may have too much, as part of the mesh's"},
        {"--max", NULL, CLI_WITHIN, &(CliWithin){&args.most, 1, ABUT_PIECES_MAX}, "N", "most pieces"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write a page that shows the pieces moving apart"},
        cli_row("--json", &args.json),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (count != 1)
        cli_error("expected one mesh file, got %d", count);
    args.file = argv[0];
    const char *inputs[] = {args.file};
    cli_check_files(1, inputs, 1, &args.page);
    cli_check_range("--excess", args.excess, 1e-9, 1e9);
    check_folder(args.folder);
    return decompose(&args);
}
