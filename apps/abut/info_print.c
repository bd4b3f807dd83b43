/* SPDX-License-Identifier: Apache-2.0 */
/* How `abut info` prints: friendly text with six digits, or JSON with all digits (keys: docs/json.md). */
#include "info.h"

#include <string.h>

static const char *yes_no(int yes)
{
    return yes ? "yes" : "no";
}

InfoSolid info_solid(const AbutMass *m, AbutAabb box)
{
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

static void print_solid(const InfoSolid *s)
{
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

void info_print_list(const InfoItem *item)
{
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

static void print_row(const InfoItem *item, const InfoWanted *wanted, int width)
{
    const AbutMeshReport *r = &item->report;
    AbutVec3 s = abut_sub(r->box.max, r->box.min);
    printf("%-*s %8d %9d %6s %8s %10d %11.5g %11.5g", width, item->file, item->vertices, item->triangles,
        yes_no(r->closed), yes_no(r->oriented), r->degenerate, r->mass.volume, r->mass.area);
    if (wanted->hull)
        printf(" %11.5g", item->hull.solid.mass.volume);
    if (wanted->capsule)
        printf(" %14.5g", item->capsule.volume);
    printf("  %.3g x %.3g x %.3g\n", s.x, s.y, s.z);
}

void info_print_table(const InfoItem *items, int count, const InfoWanted *wanted)
{
    int width = 4;
    for (int i = 0; i < count; ++i) {
        int length = (int)strlen(items[i].file);
        width = items[i].status == ABUT_OK && length > width ? length : width;
    }
    printf("%-*s %8s %9s %6s %8s %10s %11s %11s", width, "file", "vertices", "triangles", "closed", "oriented",
        "degenerate", "volume", "area");
    if (wanted->hull)
        printf(" %11s", "hull volume");
    if (wanted->capsule)
        printf(" %14s", "capsule volume");
    printf("  size\n");
    for (int i = 0; i < count; ++i)
        if (items[i].status == ABUT_OK)
            print_row(&items[i], wanted, width);
}

int info_print_json(const InfoItem *items, int count)
{
    return count > 1 ? cli_answers(2, &cli_info_answer, items, count)
                     : cli_answer(2, &cli_info_answer, NULL, items, CLI_OK);
}
