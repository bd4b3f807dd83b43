/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut info: what a mesh is, or a body in words. In: mesh files, or words such as "cylinder:0.1,0.3". Out: for one file
 * a list of all numbers, for several a table with a row each, or JSON. Defects that keep the numbers from meaning what
 * they say is told as a warning per file.
 */
#include "operands.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { INFO_WARNINGS = 8 };

typedef struct InfoWanted {
    int hull, capsule, json;
} InfoWanted;

/* A solid of density 1; inertia: xx, yy, zz, xy, xz, yz. */
typedef struct InfoSolid {
    AbutMass mass;
    AbutAabb box;
    double inertia[6];
} InfoSolid;

typedef struct InfoHull {
    int32_t vertices, faces;
    InfoSolid solid;
} InfoHull;

typedef struct InfoCapsule {
    AbutCapsule body;
    double volume;
} InfoCapsule;

typedef struct InfoItem {
    const char *file;
    AbutStatus status; /* of reading and measuring; the rest is set when ABUT_OK */
    int good;          /* the same as a flag */
    AbutError error;
    const char *failure; /* its text */
    AbutMeshFileInfo source;
    int32_t vertices, triangles;
    AbutMeshReport report;
    InfoSolid solid;
    InfoWanted wanted;
    InfoHull hull;
    InfoCapsule capsule;
    const InfoHull *found_hull; /* NULL: there is none */
    const InfoCapsule *found_capsule;
    char warning_text[INFO_WARNINGS][600];
    const char *warning[INFO_WARNINGS];
    int warnings;
} InfoItem;

static const char *yes_no(int yes) { return yes ? "yes" : "no"; }

static InfoSolid info_solid(const AbutMass *m, AbutAabb box) {
    return (InfoSolid){
        *m, box, {m->inertia.x.x, m->inertia.y.y, m->inertia.z.z, m->inertia.y.x, m->inertia.z.x, m->inertia.z.y}};
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const AbutField solid_fields[] = {
    {ABUT_FIELD_OF(InfoSolid, mass, abut_mass_record, "volume area centroid")},
    {ABUT_FIELD(InfoSolid, inertia, REAL, "m^5", "xx, yy, zz, xy, xz, yz about the centroid, for density 1."),
        .rows = 6},
    {ABUT_FIELD_AS("min", InfoSolid, box.min, REAL, "m", "Least corner of the bounding box."), .rows = 3},
    {ABUT_FIELD_AS("max", InfoSolid, box.max, REAL, "m", "Greatest corner of the bounding box."), .rows = 3},
};
static const AbutRecord solid_record = ABUT_RECORD("solid", "", InfoSolid, solid_fields);

static const AbutField hull_fields[] = {
    {ABUT_FIELD(InfoHull, vertices, INT, "", "Vertices of the hull.")},
    {ABUT_FIELD(InfoHull, faces, INT, "", "Faces of the hull.")},
    {ABUT_FIELD_OF(InfoHull, solid, solid_record, NULL)},
};
static const AbutRecord hull_record = ABUT_RECORD("hull", "", InfoHull, hull_fields);

static const AbutField capsule_fields[] = {
    {ABUT_FIELD_AS("a", InfoCapsule, body.a, REAL, "m", "One end of the axis."), .rows = 3},
    {ABUT_FIELD_AS("b", InfoCapsule, body.b, REAL, "m", "The other end."), .rows = 3},
    {ABUT_FIELD_AS("radius", InfoCapsule, body.radius, REAL, "m", "Radius of the capsule.")},
    {ABUT_FIELD(InfoCapsule, volume, REAL, "m^3", "Volume of the capsule.")},
};
static const AbutRecord capsule_record = ABUT_RECORD("capsule", "", InfoCapsule, capsule_fields);

static const AbutField mesh_fields[] = {
    {ABUT_FIELD_AS("format", InfoItem, source.format, TEXT, "", "Format of the file; `exact` for a body in words.")},
    {ABUT_FIELD(InfoItem, vertices, INT, "", "Number of vertices.")},
    {ABUT_FIELD(InfoItem, triangles, INT, "", "Number of triangles.")},
    {ABUT_FIELD_OF(InfoItem, report, abut_mesh_report_record, "closed oriented components degenerate")},
    {ABUT_FIELD_OF(InfoItem, solid, solid_record, NULL)},
    {ABUT_FIELD_AS("hull", InfoItem, found_hull, RECORD, "", "With `--hull`: the convex hull; null: there is none."),
        .record = &hull_record, .rows = ABUT_FIELD_POINTER, .shown_at = offsetof(InfoItem, wanted.hull)},
    {ABUT_FIELD_AS("capsule", InfoItem, found_capsule, RECORD, "", "With `--capsule`: a capsule around all vertices."),
        .record = &capsule_record, .rows = ABUT_FIELD_POINTER, .shown_at = offsetof(InfoItem, wanted.capsule)},
    {ABUT_FIELD_AS("warnings", InfoItem, warning, TEXT, "", "What is wrong with the mesh."), .rows = INFO_WARNINGS,
        .count_at = offsetof(InfoItem, warnings)},
};
static const AbutRecord mesh_record = ABUT_RECORD("mesh", "", InfoItem, mesh_fields);

static const AbutField answer_fields[] = {
    {ABUT_FIELD(InfoItem, file, TEXT, "", "File that was read, or the body in words.")},
    {.kind = ABUT_FIELD_PICK, .record = &mesh_record, .shown_at = offsetof(InfoItem, good)},
    {ABUT_FIELD_AS("error", InfoItem, failure, TEXT, "", "Several files: why this one could not be read."),
        .hidden_at = offsetof(InfoItem, good)},
};
const AbutRecord cli_info_answer = ABUT_RECORD("info", "", InfoItem, answer_fields);

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_solid(const InfoSolid *s) {
    const double *i = s->inertia, turn = i[0] + i[1] + i[2];
    abut_record_print(stdout, &solid_record,
        "  volume       {volume:.6g} m^3\n"
        "  area         {area:.6g} m^2\n"
        "  centroid     {centroid~min max:.6g}\n",
        s);
    printf("  %-12s xx %.6g  yy %.6g  zz %.6g  xy %.6g  xz %.6g  yz %.6g\n", "inertia", i[0], i[1], i[2],
        cli_calm(i[3], turn), cli_calm(i[4], turn), cli_calm(i[5], turn));
    abut_record_print(stdout, &solid_record, "  min          {min~max:.6g}\n  max          {max~min:.6g}\n", s);
}

static void info_print_list(const InfoItem *item) {
    abut_record_print(stdout, &cli_info_answer,
        "{file}\n"
        "  format       {format}\n"
        "  vertices     {vertices}\n"
        "  triangles    {triangles}\n"
        "  closed       {closed}\n"
        "  oriented     {oriented}\n"
        "  components   {components}\n"
        "  degenerate   {degenerate}\n",
        item);
    print_solid(&item->solid);
    if (item->found_hull) {
        abut_record_print(stdout, &hull_record,
            "convex hull\n"
            "  vertices     {vertices}\n"
            "  faces        {faces}\n",
            item->found_hull);
        print_solid(&item->found_hull->solid);
    }
    if (item->found_capsule)
        abut_record_print(stdout, &capsule_record,
            "capsule\n"
            "  a            {a:.6g}\n"
            "  b            {b:.6g}\n"
            "  radius       {radius:.6g}\n"
            "  volume       {volume:.6g} m^3\n",
            item->found_capsule);
}

static void print_row(const InfoItem *item, const InfoWanted *wanted, int width) {
    const AbutMeshReport *r = &item->report;
    AbutVec3 s = abut_sub(r->box.max, r->box.min);
    printf("%-*s %8d %9d %6s %8s %10d %11.5g %11.5g", width, item->file, item->vertices, item->triangles,
        yes_no(r->closed), yes_no(r->oriented), r->degenerate, r->mass.volume, r->mass.area);
    if (wanted->hull) printf(" %11.5g", item->hull.solid.mass.volume);
    if (wanted->capsule) printf(" %14.5g", item->capsule.volume);
    printf("  %.3g x %.3g x %.3g\n", s.x, s.y, s.z);
}

static void info_print_table(const InfoItem *items, int count, const InfoWanted *wanted) {
    int width = 4;
    for (int i = 0; i < count; ++i) {
        int length = (int)strlen(items[i].file);
        width = items[i].status == ABUT_OK && length > width ? length : width;
    }
    printf("%-*s %8s %9s %6s %8s %10s %11s %11s", width, "file", "vertices", "triangles", "closed", "oriented",
        "degenerate", "volume", "area");
    if (wanted->hull) printf(" %11s", "hull volume");
    if (wanted->capsule) printf(" %14s", "capsule volume");
    printf("  size\n");
    for (int i = 0; i < count; ++i)
        if (items[i].status == ABUT_OK) print_row(&items[i], wanted, width);
}

/* ---- measuring ------------------------------------------------------------------------------------------------------ */

static void warn(InfoItem *item, const char *format, ...) ABUT_PRINTF(2, 3);

static void warn(InfoItem *item, const char *format, ...) {
    if (item->warnings == INFO_WARNINGS) return;
    va_list args;
    va_start(args, format);
    item->warning[item->warnings] = item->warning_text[item->warnings];
    vsnprintf(item->warning_text[item->warnings++], sizeof item->warning_text[0], format, args);
    va_end(args);
}

/* Can a solid have this inertia: is each diagonal entry positive, and no larger than the other two together? */
static int is_possible(const AbutMass *m) {
    double sign = m->volume < 0.0 ? -1.0 : 1.0, x = sign * m->inertia.x.x, y = sign * m->inertia.y.y,
           z = sign * m->inertia.z.z, slack = 1e-9 * (fabs(x) + fabs(y) + fabs(z));
    return x >= 0.0 && y >= 0.0 && z >= 0.0 && x <= y + z + slack && y <= z + x + slack && z <= x + y + slack;
}

static void find_warnings(InfoItem *item) {
    const AbutMeshReport *r = &item->report;
    if (!r->closed)
        warn(item,
            "not closed: %d edges with one triangle, %d with more than two; volume, centroid "
            "and inertia are not those of a solid",
            r->boundary_edges, r->crowded_edges);
    if (!r->oriented)
        warn(item, "not oriented: neighboring triangles face different ways; the volume is not to be trusted");
    if (r->closed && r->oriented && !r->outward) warn(item, "inside out: the volume is not positive");
    if (r->closed && r->oriented && r->components > 1 && !is_possible(&r->mass))
        warn(item, "no solid has this inertia: parts of the mesh are inside out; collide counts them as solid, too");
    if (r->degenerate > 0) warn(item, "%d of %d triangles are degenerate (no area)", r->degenerate, item->triangles);
    if (r->unused_vertices > 0) warn(item, "%d vertices belong to no triangle", r->unused_vertices);
    if (item->source.elements_ignored > 0)
        warn(item, "%d elements that are not faces were skipped", item->source.elements_ignored);
}

/* The hull and the capsule need not exist (points without extent, say); the rest of the answer stands without them. */
static void measure_hull(InfoItem *item, const AbutMesh *mesh) {
    AbutPolyhedron *hull = NULL;
    if (abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &hull, &cli_why) != ABUT_OK) {
        warn(item, "no convex hull: %s", cli_why.text);
        return;
    }
    item->hull = (InfoHull){hull->vertex_count, hull->face_count, info_solid(&hull->mass, hull->box)};
    item->found_hull = &item->hull;
    abut_polyhedron_free(hull);
}

static void measure_capsule(InfoItem *item, const AbutMesh *mesh) {
    if (abut_capsule_around(mesh->vertices, mesh->vertex_count, &item->capsule.body, &cli_why) != ABUT_OK) {
        warn(item, "no capsule: %s", cli_why.text);
        return;
    }
    item->capsule.volume = abut_capsule_mass(item->capsule.body).volume;
    item->found_capsule = &item->capsule;
}

/* A body in words, exactly: closed, outward, without triangles. */
static void measure_words(InfoItem *item, const AbutConvex *c, const InfoWanted *wanted) {
    AbutMeshReport *r = &item->report;
    if (is_endless(c)) {
        item->status = abut_fail(&item->error, ABUT_ERROR_ARGUMENT, "%s: has no end, and so no volume", item->file);
        return;
    }
    item->source.format = "exact";
    r->closed = r->oriented = r->outward = r->components = 1;
    r->box = abut_aabb_empty();
    for (int i = 0; i < 6; ++i) {
        AbutVec3 d = abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0);
        r->box = abut_aabb_add(r->box, abut_add_scaled(abut_convex_farthest(c, d), d, c->radius));
    }
    item->status = abut_convex_mass(c, &r->mass, &item->error);
    if (wanted->hull || wanted->capsule) warn(item, "--hull and --capsule are for meshes");
}

static void measure(InfoItem *item, const char *file, const InfoWanted *wanted) {
    AbutMesh mesh = {0};
    AbutConvex convex;
    int named;
    item->status = abut_convex_parse(file, &convex, &named, &item->error);
    if (item->status == ABUT_OK && named)
        measure_words(item, &convex, wanted);
    else if (item->status == ABUT_OK)
        item->status = abut_mesh_read(file, NULL, 0, &mesh, &item->source, &item->error);
    if (item->status != ABUT_OK || named) return;
    item->vertices = mesh.vertex_count;
    item->triangles = mesh.triangle_count;
    item->status = abut_mesh_report(&mesh, &item->report, &cli_why);
    if (item->status != ABUT_OK) {
        abut_fail(&item->error, item->status, "%s: %s", file, cli_why.text);
    } else {
        find_warnings(item);
        if (wanted->hull) measure_hull(item, &mesh);
        if (wanted->capsule) measure_capsule(item, &mesh);
    }
    abut_mesh_free(&mesh);
}

/* Reports what is wrong with each file; CLI_BAD when one could not be measured. */
static int complain(const InfoItem *items, int count) {
    int status = CLI_OK;
    for (int i = 0; i < count; ++i) {
        if (items[i].status != ABUT_OK) status = cli_complain("%s", items[i].error.text);
        for (int w = 0; w < items[i].warnings; ++w) cli_warning("%s: %s", items[i].file, items[i].warning[w]);
    }
    return status;
}

int cli_info(int argc, char **argv) {
    InfoWanted wanted = {0};
    const CliOption options[] = {
        OPTION("--hull", CLI_FLAG, &wanted.hull, NULL, "add the numbers of the convex hull"),
        OPTION("--capsule", CLI_FLAG, &wanted.capsule, NULL, "add a capsule around all vertices"),
        OPTION(
            "--json", CLI_FLAG, &wanted.json, NULL, "print JSON: an object, or an array when there are several files"),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (count < 1) cli_error("no FILE given: expected one or more mesh files");
    InfoItem *items = cli_room((size_t)count, sizeof *items);
    for (int i = 0; i < count; ++i) {
        InfoItem *item = &items[i];
        item->file = argv[i];
        item->wanted = wanted;
        measure(item, argv[i], &wanted);
        item->good = item->status == ABUT_OK;
        item->failure = item->error.text;
        item->solid = info_solid(&item->report.mass, item->report.box);
    }
    int printed = CLI_OK;
    if (wanted.json)
        printed = count > 1 ? cli_answers(2, &cli_info_answer, items, count)
                            : cli_answer(2, &cli_info_answer, NULL, items, CLI_OK);
    else if (count > 1)
        info_print_table(items, count, &wanted);
    else if (items[0].status == ABUT_OK)
        info_print_list(&items[0]);
    fflush(stdout);
    int status = complain(items, count);
    return status == CLI_OK ? printed : status;
}
