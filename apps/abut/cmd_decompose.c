/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut decompose: convex pieces that cover a mesh. In: a mesh file. Out: a folder with a mesh for each piece, the
 * excess of their volume, and on request a page that shows them moving apart. Exit 1 when --max came before --excess.
 */
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

static const char *piece_name(const Args *args, int i) {
    char *name = cli_room(NAME_SIZE, 1);
    size_t length = strlen(args->folder);
    const char *between = length > 0 && args->folder[length - 1] == '/' ? "" : "/";
    int n = snprintf(name, NAME_SIZE, "%s%spiece_%03d.obj", args->folder, between, i);
    if (!(n > 0 && n < NAME_SIZE)) cli_error("%s: the name is too long", args->folder);
    return name;
}

/* Pieces of an earlier run would be taken for some of this one. */
static void check_folder(const char *folder) {
    int found = 0;
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e && !found; e = readdir(dir)) {
        size_t n = strlen(e->d_name);
        found = n > 10 && strncmp(e->d_name, "piece_", 6) == 0 && strcmp(e->d_name + n - 4, ".obj") == 0;
    }
    if (dir) closedir(dir);
    if (found) cli_error("%s: expected an empty folder, got pieces (piece_*.obj)", folder);
}

static const char **write_pieces(const Args *args, const AbutPieces *pieces) {
    const char **names = cli_room((size_t)pieces->count, sizeof *names);
    for (int i = 0; i < pieces->count; ++i) {
        AbutMesh mesh = {0};
        names[i] = piece_name(args, i);
        cli_need(abut_polyhedron_to_mesh(pieces->piece[i], &mesh, &cli_why));
        cli_need(abut_mesh_write(names[i], &mesh, &cli_why));
        abut_mesh_free(&mesh);
    }
    return names;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

typedef struct Answer {
    const char *file, **files;
    int32_t file_count;
    const AbutPieces *pieces;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, file, TEXT, "", "Mesh that was cut.")},
    {ABUT_FIELD_OF(Answer, pieces, abut_pieces_record, NULL), .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD(Answer, files, TEXT, "", "Files of the pieces; empty without `-o`."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, file_count)},
};
const AbutRecord cli_decompose_answer = ABUT_RECORD("decompose", "", Answer, answer_fields);

static void print_text(const Args *args, const AbutPieces *p) {
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

/* Progress while cuts are made. */
typedef struct Watch {
    Progress progress;
    int most;
} Watch;

static int show_cut(int32_t pieces, double excess, void *user) {
    Watch *w = user;
    if (isfinite(excess))
        progress_bar(&w->progress, (double)pieces / w->most, "%d pieces, excess %.4f", pieces, excess);
    else
        progress_bar(&w->progress, (double)pieces / w->most, "%d pieces", pieces);
    return 0;
}

static int decompose(const Args *args) {
    Watch watch = {.most = args->most};
    AbutMesh mesh = {0};
    AbutPieces pieces = {0};
    AbutDecomposeDef def = {.excess = args->excess, .max_pieces = args->most, .progress = show_cut, .user = &watch};
    cli_need(abut_mesh_read(args->file, NULL, 0, &mesh, NULL, &cli_why));
    progress_begin(&watch.progress);
    AbutStatus made = abut_mesh_decompose(&mesh, &def, &pieces, &cli_why);
    progress_end(&watch.progress);
    cli_need_of(args->file, made);
    if (args->folder) cli_make_folder(args->folder);
    if (args->page) cli_need(abut_page_write_pieces(args->page, cli_base_name(args->file), &pieces, &cli_why));
    Answer a = {.file = args->file, .pieces = &pieces, .file_count = args->folder ? pieces.count : 0};
    if (args->folder) /* last: the folder of a run that failed has no pieces */
        a.files = write_pieces(args, &pieces);
    int status = pieces.target_met ? CLI_OK : CLI_NO;
    if (args->json) return cli_answer(2, &cli_decompose_answer, NULL, &a, status);
    print_text(args, &pieces);
    return status;
}

int cli_decompose(int argc, char **argv) {
    Args args = {.excess = 0.02, .most = 64};
    const CliOption options[] = {
        OPTION("--output", CLI_TEXT, &args.folder, "DIR",
            "folder for the pieces, piece_000.obj and so on, made when missing; "
            "one that holds pieces is refused (default: none is written)",
            .brief = "-o"),
        OPTION("--excess", CLI_REAL, &args.excess, "E",
            "volume that the pieces may have too much, as part of the mesh's", 1e-9, 1e9),
        OPTION("--max", CLI_COUNT, &args.most, "N", "most pieces", 1, ABUT_PIECES_MAX),
        OPTION("--html", CLI_OUTPUT, &args.page, "FILE", "write a page that shows the pieces moving apart"),
        cli_row("--json", &args.json),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (count != 1) cli_error("expected one mesh file, got %d", count);
    args.file = argv[0];
    check_folder(args.folder);
    return decompose(&args);
}
