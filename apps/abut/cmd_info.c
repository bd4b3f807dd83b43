/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut info: what a mesh is, or a body in words. In: mesh files, or words such as "cylinder:0.1,0.3". Out: for one file
 * a list of all numbers, for several a table with a row each, or JSON. What keeps the numbers from meaning what they
 * say is told as a warning per file.
 */
#include "endless.h"
#include "info.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void warn(InfoItem *item, const char *format, ...) ABUT_PRINTF(2, 3);

static void warn(InfoItem *item, const char *format, ...)
{
    if (item->warnings == INFO_WARNINGS)
        return;
    va_list args;
    va_start(args, format);
    item->warning[item->warnings] = item->warning_text[item->warnings];
    vsnprintf(item->warning_text[item->warnings++], sizeof item->warning_text[0], format, args);
    va_end(args);
}

/* Can a solid have this inertia: is each diagonal entry positive, and no larger than the other two together? */
static int is_possible(const AbutMass *m)
{
    double sign = m->volume < 0.0 ? -1.0 : 1.0, x = sign * m->inertia.x.x, y = sign * m->inertia.y.y,
           z = sign * m->inertia.z.z, slack = 1e-9 * (fabs(x) + fabs(y) + fabs(z));
    return x >= 0.0 && y >= 0.0 && z >= 0.0 && x <= y + z + slack && y <= z + x + slack && z <= x + y + slack;
}

static void find_warnings(InfoItem *item)
{
    const AbutMeshReport *r = &item->report;
    if (!r->closed)
        warn(item,
            "not closed: %d edges with one triangle, %d with more than two; volume, centroid "
            "and inertia are not those of a solid",
            r->boundary_edges, r->crowded_edges);
    if (!r->oriented)
        warn(item, "not oriented: neighbouring triangles face different ways; the volume is not to be trusted");
    if (r->closed && r->oriented && !r->outward)
        warn(item, "inside out: the volume is not positive");
    if (r->closed && r->oriented && r->components > 1 && !is_possible(&r->mass))
        warn(item, "no solid has this inertia: parts of the mesh are inside out; collide counts them as solid, too");
    if (r->degenerate > 0)
        warn(item, "%d of %d triangles are degenerate (no area)", r->degenerate, item->triangles);
    if (r->unused_vertices > 0)
        warn(item, "%d vertices belong to no triangle", r->unused_vertices);
    if (item->source.elements_ignored > 0)
        warn(item, "%d elements that are not faces were skipped", item->source.elements_ignored);
}

/* The hull and the capsule need not exist (points without extent, say); the rest of the answer stands without them. */
static void measure_hull(InfoItem *item, const AbutMesh *mesh)
{
    AbutPolyhedron *hull = NULL;
    AbutError error;
    if (abut_mesh_hull(mesh, &hull, &error) != ABUT_OK) {
        warn(item, "no convex hull: %s", error.text);
        return;
    }
    item->hull = (InfoHull){hull->vertex_count, hull->face_count, info_solid(&hull->mass, hull->box)};
    item->found_hull = &item->hull;
    abut_polyhedron_free(hull);
}

static void measure_capsule(InfoItem *item, const AbutMesh *mesh)
{
    AbutError error;
    if (abut_capsule_around(mesh->vertices, mesh->vertex_count, &item->capsule.body, &error) != ABUT_OK) {
        warn(item, "no capsule: %s", error.text);
        return;
    }
    item->capsule.volume = abut_capsule_mass(item->capsule.body).volume;
    item->found_capsule = &item->capsule;
}

/* A body in words, exactly: closed, outward, without triangles. */
static void measure_words(InfoItem *item, const AbutConvex *c, const InfoWanted *wanted)
{
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
    if (wanted->hull || wanted->capsule)
        warn(item, "--hull and --capsule are for meshes");
}

static void measure(const CliCommand *command, InfoItem *item, const char *file, const InfoWanted *wanted)
{
    AbutMesh mesh = {0};
    AbutConvex convex;
    int named = primitive_parse(command, file, &convex);
    if (named == CLI_OK) {
        measure_words(item, &convex, wanted);
        return;
    }
    if (named != CLI_GO) {
        item->told = 1;
        item->status = abut_fail(&item->error, ABUT_ERROR_ARGUMENT, "%s: not a body", file);
        return;
    }
    item->status = abut_mesh_read(file, &mesh, &item->source, &item->error);
    if (item->status != ABUT_OK)
        return;
    item->vertices = mesh.vertex_count;
    item->triangles = mesh.triangle_count;
    AbutError error;
    item->status = abut_mesh_report(&mesh, &item->report, &error);
    if (item->status != ABUT_OK) {
        abut_fail(&item->error, item->status, "%s: %s", file, error.text);
    } else {
        find_warnings(item);
        if (wanted->hull)
            measure_hull(item, &mesh);
        if (wanted->capsule)
            measure_capsule(item, &mesh);
    }
    abut_mesh_free(&mesh);
}

static void measure_item(const CliCommand *command, InfoItem *item, const char *file, const InfoWanted *wanted)
{
    memset(item, 0, sizeof *item);
    item->file = file;
    item->wanted = *wanted;
    measure(command, item, file, wanted);
    item->good = item->status == ABUT_OK;
    item->failure = item->error.text;
    item->solid = info_solid(&item->report.mass, item->report.box);
}

/* Says what is wrong with each file; CLI_BAD when one could not be measured. */
static int complain(const CliCommand *command, const InfoItem *items, int count)
{
    int status = CLI_OK;
    for (int i = 0; i < count; ++i) {
        if (items[i].status != ABUT_OK)
            status = items[i].told ? CLI_BAD : cli_error(command, "%s", items[i].error.text);
        for (int w = 0; w < items[i].warnings; ++w)
            cli_warning(command, "%s: %s", items[i].file, items[i].warning[w]);
    }
    return status;
}

int cli_info(const CliCommand *command, int argc, char **argv)
{
    InfoWanted wanted = {0};
    const CliOption options[] = {
        {"--hull", NULL, CLI_FLAG, &wanted.hull, NULL, "add the numbers of the convex hull"},
        {"--capsule", NULL, CLI_FLAG, &wanted.capsule, NULL, "add a capsule around all vertices"},
        {"--json", NULL, CLI_FLAG, &wanted.json, NULL,
            "print JSON: an object, or an array when there are several files"},
    };
    int count;
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &count);
    if (status != CLI_GO)
        return status;
    if (count < 1)
        return cli_error(command, "no FILE given: expected one or more mesh files");
    InfoItem *items = malloc((size_t)count * sizeof *items);
    if (!items)
        return cli_error(command, "out of memory");
    for (int i = 0; i < count; ++i)
        measure_item(command, &items[i], argv[i], &wanted);
    int printed = CLI_OK;
    if (wanted.json)
        printed = info_print_json(command, items, count);
    else if (count > 1)
        info_print_table(items, count, &wanted);
    else if (items[0].status == ABUT_OK)
        info_print_list(&items[0]);
    fflush(stdout);
    status = complain(command, items, count);
    free(items);
    return status == CLI_OK ? printed : status;
}
