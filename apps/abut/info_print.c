/* SPDX-License-Identifier: Apache-2.0 */
/* How `abut info` prints: friendly text with six digits, or JSON with all digits (keys: docs/conventions.md). */
#include "info.h"

#include <string.h>

static const char *yes_no(int yes)
{
    return yes ? "yes" : "no";
}

static double box_size(AbutAabb box)
{
    return fmax(abut_max_abs(box.min), abut_max_abs(box.max));
}

static void print_vec(const char *name, AbutVec3 v)
{
    printf("  %-12s %.6g %.6g %.6g\n", name, v.x, v.y, v.z);
}

static void print_mass(const AbutMass *m, AbutAabb box)
{
    double turn = abut_mat3_trace(m->inertia);
    printf("  %-12s %.6g m^3\n  %-12s %.6g m^2\n", "volume", m->volume, "area", m->area);
    print_vec("centroid", cli_calm_vec(m->centroid, box_size(box)));
    printf("  %-12s xx %.6g  yy %.6g  zz %.6g  xy %.6g  xz %.6g  yz %.6g\n", "inertia", m->inertia.x.x, m->inertia.y.y,
        m->inertia.z.z, cli_calm(m->inertia.y.x, turn), cli_calm(m->inertia.z.x, turn), cli_calm(m->inertia.z.y, turn));
    print_vec("min", cli_calm_vec(box.min, box_size(box)));
    print_vec("max", cli_calm_vec(box.max, box_size(box)));
}

void info_print_list(const InfoItem *item)
{
    const AbutMeshReport *r = &item->report;
    printf("%s\n", item->file);
    printf("  %-12s %s\n", "format", item->source.format);
    printf("  %-12s %d\n  %-12s %d\n", "vertices", item->vertices, "triangles", item->triangles);
    printf("  %-12s %s\n  %-12s %s\n", "closed", yes_no(r->closed), "oriented", yes_no(r->oriented));
    printf("  %-12s %d\n  %-12s %d\n", "components", r->components, "degenerate", r->degenerate);
    print_mass(&r->mass, r->box);
    if (item->has_hull) {
        printf("convex hull\n  %-12s %d\n  %-12s %d\n", "vertices", item->hull_vertices, "faces", item->hull_faces);
        print_mass(&item->hull_mass, item->hull_box);
    }
    if (item->has_capsule) {
        printf("capsule\n");
        print_vec("a", item->capsule.a);
        print_vec("b", item->capsule.b);
        printf("  %-12s %.6g\n  %-12s %.6g m^3\n", "radius", item->capsule.radius, "volume", item->capsule_volume);
    }
}

static void print_row(const InfoItem *item, const InfoWanted *wanted, int width)
{
    const AbutMeshReport *r = &item->report;
    AbutVec3 s = abut_sub(r->box.max, r->box.min);
    printf("%-*s %8d %9d %6s %8s %10d %11.5g %11.5g", width, item->file, item->vertices, item->triangles,
        yes_no(r->closed), yes_no(r->oriented), r->degenerate, r->mass.volume, r->mass.area);
    if (wanted->hull)
        printf(" %11.5g", item->hull_mass.volume);
    if (wanted->capsule)
        printf(" %14.5g", item->capsule_volume);
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

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_mass(AbutJson *json, const AbutMass *m, AbutAabb box)
{
    const double inertia[6] = {
        m->inertia.x.x, m->inertia.y.y, m->inertia.z.z, m->inertia.y.x, m->inertia.z.x, m->inertia.z.y};
    abut_json_put_number(json, "volume", m->volume);
    abut_json_put_number(json, "area", m->area);
    abut_json_put_vec3(json, "centroid", m->centroid);
    abut_json_key(json, "inertia");
    abut_json_numbers(json, inertia, 6);
    abut_json_put_vec3(json, "min", box.min);
    abut_json_put_vec3(json, "max", box.max);
}

static void json_hull(AbutJson *json, const InfoItem *item)
{
    abut_json_key(json, "hull");
    if (!item->has_hull) {
        abut_json_null(json);
        return;
    }
    abut_json_begin_object(json);
    abut_json_put_integer(json, "vertices", item->hull_vertices);
    abut_json_put_integer(json, "faces", item->hull_faces);
    json_mass(json, &item->hull_mass, item->hull_box);
    abut_json_end_object(json);
}

static void json_capsule(AbutJson *json, const InfoItem *item)
{
    abut_json_key(json, "capsule");
    if (!item->has_capsule) {
        abut_json_null(json);
        return;
    }
    abut_json_begin_object(json);
    abut_json_put_vec3(json, "a", item->capsule.a);
    abut_json_put_vec3(json, "b", item->capsule.b);
    abut_json_put_number(json, "radius", item->capsule.radius);
    abut_json_put_number(json, "volume", item->capsule_volume);
    abut_json_end_object(json);
}

static void json_mesh(AbutJson *json, const InfoItem *item, const InfoWanted *wanted)
{
    const AbutMeshReport *r = &item->report;
    abut_json_put_string(json, "format", item->source.format);
    abut_json_put_integer(json, "vertices", item->vertices);
    abut_json_put_integer(json, "triangles", item->triangles);
    abut_json_put_bool(json, "closed", r->closed);
    abut_json_put_bool(json, "oriented", r->oriented);
    abut_json_put_integer(json, "components", r->components);
    abut_json_put_integer(json, "degenerate", r->degenerate);
    json_mass(json, &r->mass, r->box);
    if (wanted->hull)
        json_hull(json, item);
    if (wanted->capsule)
        json_capsule(json, item);
    abut_json_key(json, "warnings");
    abut_json_begin_array(json);
    for (int w = 0; w < item->warnings; ++w)
        abut_json_string(json, item->warning[w]);
    abut_json_end_array(json);
}

int info_print_json(const CliCommand *command, const InfoItem *items, int count, const InfoWanted *wanted)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    if (count > 1)
        abut_json_begin_array(&json);
    for (int i = 0; i < count; ++i) {
        abut_json_begin_object(&json);
        abut_json_put_string(&json, "file", items[i].file);
        if (items[i].status == ABUT_OK)
            json_mesh(&json, &items[i], wanted);
        else
            abut_json_put_string(&json, "error", items[i].error.text);
        abut_json_end_object(&json);
    }
    if (count > 1)
        abut_json_end_array(&json);
    return cli_json_end(command, &json, CLI_OK);
}
