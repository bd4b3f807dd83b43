/* SPDX-License-Identifier: Apache-2.0 */
/* How `abut info` prints: friendly text with six digits, or JSON with all digits (keys: docs/conventions.md). */
#include "info.h"

#include <string.h>

static const char *format_name(AbutMeshFormat format)
{
    switch (format) {
    case ABUT_MESH_FORMAT_OBJ:
        return "obj";
    case ABUT_MESH_FORMAT_STL_ASCII:
        return "stl-ascii";
    case ABUT_MESH_FORMAT_STL_BINARY:
        return "stl-binary";
    case ABUT_MESH_FORMAT_PLY:
        return "ply";
    case ABUT_MESH_FORMAT_UNKNOWN:
        break;
    }
    return "unknown";
}

static const char *yes_no(int yes)
{
    return yes ? "yes" : "no";
}

static void print_vec(const char *name, AbutVec3 v)
{
    printf("  %-12s %.6g %.6g %.6g\n", name, v.x, v.y, v.z);
}

static void print_mass(const AbutMass *m)
{
    printf("  %-12s %.6g m^3\n  %-12s %.6g m^2\n", "volume", m->volume, "area", m->area);
    print_vec("centroid", m->centroid);
    printf("  %-12s xx %.6g  yy %.6g  zz %.6g  xy %.6g  xz %.6g  yz %.6g\n", "inertia", m->inertia.x.x, m->inertia.y.y,
        m->inertia.z.z, m->inertia.y.x, m->inertia.z.x, m->inertia.z.y);
}

void info_print_list(const InfoItem *item)
{
    const AbutMeshReport *r = &item->report;
    printf("%s\n", item->file);
    printf("  %-12s %s\n", "format", format_name(item->source.format));
    printf("  %-12s %d\n  %-12s %d\n", "vertices", item->vertices, "triangles", item->triangles);
    printf("  %-12s %s\n  %-12s %s\n", "closed", yes_no(r->closed), "oriented", yes_no(r->oriented));
    printf("  %-12s %d\n  %-12s %d\n", "components", r->components, "degenerate", r->degenerate);
    print_mass(&r->mass);
    print_vec("min", r->box.min);
    print_vec("max", r->box.max);
    if (item->has_hull) {
        printf("convex hull\n  %-12s %d\n  %-12s %d\n", "vertices", item->hull_vertices, "faces", item->hull_faces);
        print_mass(&item->hull_mass);
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
    char centroid[64], size[64];
    AbutVec3 c = r->mass.centroid, s = abut_sub(r->box.max, r->box.min);
    snprintf(centroid, sizeof centroid, "%.3g %.3g %.3g", c.x, c.y, c.z);
    snprintf(size, sizeof size, "%.3g x %.3g x %.3g", s.x, s.y, s.z);
    printf("%-*s %8d %9d %6s %8s %10d %12.6g %12.6g", width, item->file, item->vertices, item->triangles, yes_no(r->closed),
        yes_no(r->oriented), r->degenerate, r->mass.volume, r->mass.area);
    if (wanted->hull)
        printf(" %12.6g", item->hull_mass.volume);
    if (wanted->capsule)
        printf(" %12.6g", item->capsule_volume);
    printf("  %-28s  %s\n", size, centroid);
}

void info_print_table(const InfoItem *items, int count, const InfoWanted *wanted)
{
    int width = 4;
    for (int i = 0; i < count; ++i) {
        int length = (int)strlen(items[i].file);
        width = items[i].status == ABUT_OK && length > width ? length : width;
    }
    printf("%-*s %8s %9s %6s %8s %10s %12s %12s", width, "file", "vertices", "triangles", "closed", "oriented", "degenerate",
        "volume", "area");
    if (wanted->hull)
        printf(" %12s", "hull volume");
    if (wanted->capsule)
        printf(" %12s", "capsule vol.");
    printf("  %-28s  %s\n", "size", "centroid");
    for (int i = 0; i < count; ++i)
        if (items[i].status == ABUT_OK)
            print_row(&items[i], wanted, width);
}
