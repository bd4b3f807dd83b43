/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut make: writes a procedural mesh, or the ground under a file of heights. In: the name of a shape and its sizes.
 * Out: a mesh file, and its counts.
 */
#include "cli.h"

#include <string.h>

typedef struct MakeArgs {
    int list, json, triangles;
    CliReals size;
    const char *file, *heights;
} MakeArgs;

static const char HEIGHT_FIELD[] = "height-field"; /* made from a file, so not among the makers */

static const AbutMeshMaker *find_maker(const char *name) {
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(makers[i].name, name) == 0) return &makers[i];
    const char *near = abut_suggest(name, count, &makers[0].name, sizeof makers[0]);
    if (near) cli_error("unknown shape '%s'; did you mean '%s'?", name, near);
    cli_error("unknown shape '%s'; 'abut make --list' names the shapes", name);
}

static int list_shapes(int as_json) {
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    if (as_json) return cli_answers(2, &abut_mesh_maker_record, makers, count);
    printf("%-12s %9s  %-36s %s\n", "shape", "triangles", "sizes", "what it is");
    for (int i = 0; i < count; ++i)
        printf(
            "%-12s %9d  %-36s %s\n", makers[i].name, makers[i].triangles_default, makers[i].sizes, makers[i].summary);
    return CLI_OK;
}

typedef struct Answer {
    const char *shape, *file;
    int32_t vertices, triangles;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, shape, TEXT, "", "Name of the shape.")},
    {ABUT_FIELD(Answer, file, TEXT, "", "File that was written.")},
    {ABUT_FIELD(Answer, vertices, INT, "", "Number of vertices.")},
    {ABUT_FIELD(Answer, triangles, INT, "", "Number of triangles.")},
};

const AbutRecord cli_make_answer = ABUT_RECORD("make", "", Answer, answer_fields);

static int write_mesh(const MakeArgs *args, const char *shape, AbutMesh *mesh) {
    Answer answer = {shape, args->file, mesh->vertex_count, mesh->triangle_count};
    cli_need(abut_mesh_write(args->file, mesh, &cli_why));
    return cli_answer(args->json ? 2 : CLI_AS_TEXT, &cli_make_answer,
        "{file}: {shape}, {vertices} vertices, {triangles} triangles\n", &answer, CLI_OK);
}

static int make_ground(const MakeArgs *args) {
    int32_t columns, rows;
    double *heights;
    AbutMesh mesh;
    const double *s = args->size.value;
    if (args->size.count != 4 || !(s[2] >= 0.0 && s[3] > 0.0))
        cli_error("--size: %s takes 4 numbers: half x, half y, height, depth below 0", HEIGHT_FIELD);
    cli_need(abut_heights_read(args->heights, NULL, 0, &columns, &rows, &heights, &cli_why));
    abut_heights_scale((int64_t)columns * rows, heights, s[2]);
    AbutHeightField field = {columns, rows, s[0], s[1], -s[3], heights};
    cli_need_of(args->heights, abut_height_field_mesh(&field, &mesh, &cli_why));
    return write_mesh(args, HEIGHT_FIELD, &mesh);
}

static int make_shape(const MakeArgs *args, const char *shape) {
    int ground = strcmp(shape, HEIGHT_FIELD) == 0;
    const AbutMeshMaker *maker = ground ? NULL : find_maker(shape);
    if (!args->file) cli_error("--output (-o) is missing: expected the name of the file to write");
    if (ground != (args->heights != NULL)) cli_error("--heights goes with the shape %s, which needs it", HEIGHT_FIELD);
    if (ground) cli_refuse("--triangles", "a height field has two per cell of its heights");
    if (ground) return make_ground(args);
    if (args->size.count && args->size.count != maker->size_count)
        cli_error("--size: %s takes %d number%s (%s), got %d", shape, maker->size_count,
            maker->size_count == 1 ? "" : "s", maker->sizes, args->size.count);
    AbutMesh mesh;
    cli_need(abut_mesh_make(shape, args->triangles, args->size.count ? args->size.value : NULL, &mesh, &cli_why));
    return write_mesh(args, shape, &mesh);
}

int cli_make(int argc, char **argv) {
    MakeArgs args = {0};
    const CliOption options[] = {
        OPTION("--output", CLI_OUTPUT, &args.file, "FILE", "file to write: .obj, .stl (binary) or .stla (ascii STL)",
            .brief = "-o"),
        OPTION("--triangles", CLI_COUNT, &args.triangles, "N", "desired number of triangles", .brief = "-t"),
        OPTION("--size", CLI_REALS, &args.size, "A,B,..", "sizes in meters, as 'abut make --list' names them",
            .brief = "-s"),
        OPTION("--heights", CLI_INPUT, &args.heights, "FILE",
            "of height-field: a gray PNG picture, or MuJoCo's binary heights; the lowest becomes 0"),
        OPTION("--list", CLI_FLAG, &args.list, NULL,
            "print the shapes, their triangles and their sizes with the defaults"),
        cli_row("--json", &args.json),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (args.list) return list_shapes(args.json);
    if (count == 0) cli_error("no SHAPE given: expected one of those that 'abut make --list' names");
    if (count > 1) cli_error("expected one SHAPE, got '%s' as well", argv[1]);
    return make_shape(&args, argv[0]);
}
