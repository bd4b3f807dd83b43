/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of single results: two boxes apart, two boxes that overlap, a box on four contacts. */
#include "web/pages.h"

#include <stdlib.h>
#include <string.h>

/* Unit cube A at the origin; B, half as large, turned about z and moved. */
static AbutPagePair make_pair(const char *title, AbutPageShape shapes[2], AbutMesh meshes[2], AbutPose pose_b)
{
    AbutPagePair pair;
    memset(&pair, 0, sizeof pair);
    pair.title = title;
    pair.subtitle = "two boxes";
    pair.note = "by make_pages";
    meshes[0] = box_mesh(abut_vec3(0.5, 0.5, 0.5));
    meshes[1] = box_mesh(abut_vec3(0.25, 0.25, 0.25));
    for (int i = 0; i < 2; ++i) {
        shapes[i] = (AbutPageShape){&meshes[i], abut_pose_identity(), 0};
        pair.bodies[i] = (AbutPageBody){i ? "B" : "A", ABUT_BODY_DYNAMIC, 0.0, &shapes[i], 1};
    }
    pair.poses[0] = abut_pose_identity();
    pair.poses[1] = pose_b;
    return pair;
}

void write_distance(const char *path)
{
    AbutError error;
    AbutMesh meshes[2];
    AbutPageShape shapes[2];
    AbutPose pose = abut_pose(abut_vec3(1.25, 0.0, 0.0), abut_quat_identity());
    AbutPagePair pair = make_pair("Distance of two boxes", shapes, meshes, pose);
    AbutVec3 a = abut_vec3(0.5, 0.1, 0.2), b = abut_vec3(1.0, 0.1, 0.2), normal = abut_vec3(1.0, 0.0, 0.0);
    must(abut_page_write_distance(path, &pair, 0.5, a, b, normal, &error), &error, path);
    abut_mesh_free(&meshes[0]);
    abut_mesh_free(&meshes[1]);
}

void write_overlap(const char *path)
{
    AbutError error;
    AbutMesh meshes[2], common;
    AbutPageShape shapes[2];
    AbutConvex a = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0.0),
               b = abut_convex_box(abut_vec3(0.25, 0.25, 0.25), 0.0);
    AbutPose pose = abut_pose(abut_vec3(0.6, 0.1, 0.2), abut_quat_axis_angle(abut_vec3(0.2, 0.3, 1.0), 0.6));
    AbutPagePair pair = make_pair("Overlap of two boxes", shapes, meshes, pose);
    size_t size = abut_overlap_workspace_size(&a, &b);
    void *workspace = malloc(size);
    AbutOverlap overlap = abut_overlap(&a, &b, pose, NULL, workspace, size);
    must(abut_overlap_to_mesh(&overlap, abut_pose_identity(), &common, &error), &error, "overlap");
    AbutPageOverlap shown = {&common, overlap.volume, overlap.area, overlap.centroid, overlap.normal};
    must(abut_page_write_overlap(path, &pair, &shown, &error), &error, path);
    free(workspace);
    abut_mesh_free(&common);
    abut_mesh_free(&meshes[0]);
    abut_mesh_free(&meshes[1]);
}

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

enum { DOF = 6, UNKNOWNS = 7, CONTACTS = 4, LINES = 2, MODE_ROWS = CONTACTS * (1 + LINES) };

typedef struct Modes {
    const AbutModeSystem *system;
    int8_t *signs;
    double row[MODE_ROWS][DOF];
} Modes;

static void add_row(double *a, double *b, int *count, const double *row, double sign, double slack, double limit)
{
    for (int k = 0; k < DOF; ++k)
        a[*count * UNKNOWNS + k] = sign * row[k];
    a[*count * UNKNOWNS + DOF] = slack;
    b[(*count)++] = limit;
}

/* A velocity of the mode, as far inside as its signs allow: rows s_i r_i x >= t, 0 = r_i x, |x_k| <= 1, largest t. */
static void find_velocity(const Modes *modes, double *velocity)
{
    double a[(2 * MODE_ROWS + 2 * UNKNOWNS) * UNKNOWNS], b[2 * MODE_ROWS + 2 * UNKNOWNS], c[UNKNOWNS] = {0}, unit[DOF];
    int count = 0;
    for (int i = 0; i < MODE_ROWS; ++i) {
        if (i >= CONTACTS && modes->signs[(i - CONTACTS) / LINES] != 0)
            continue; /* the contact separates: its lines are free */
        if (modes->signs[i] != 0)
            add_row(a, b, &count, modes->row[i], -modes->signs[i], 1.0, 0.0);
        else {
            add_row(a, b, &count, modes->row[i], 1.0, 0.0, 0.0);
            add_row(a, b, &count, modes->row[i], -1.0, 0.0, 0.0);
        }
    }
    for (int k = 0; k < DOF; ++k)
        for (int sign = -1; sign <= 1; sign += 2) {
            memset(unit, 0, sizeof unit);
            unit[k] = 1.0;
            add_row(a, b, &count, unit, sign, 0.0, 1.0);
        }
    memset(unit, 0, sizeof unit);
    add_row(a, b, &count, unit, 1.0, 1.0, 1.0);
    c[DOF] = 1.0;
    AbutLp lp = {UNKNOWNS, count, a, b, c, 1, 0.0};
    size_t size = abut_lp_workspace_size(UNKNOWNS, count);
    void *workspace = malloc(size);
    AbutLpResult result = abut_lp_solve(&lp, workspace, size);
    for (int k = 0; k < DOF; ++k)
        velocity[k] = fabs(result.x[k]) < 1e-9 ? 0.0 : result.x[k];
    free(workspace);
}

/* Dimension of the cone of a mode: 6 less the rank of the rows that are zero in it. */
static int find_rank(const Modes *modes)
{
    double m[MODE_ROWS][DOF];
    int rows = 0, rank = 0;
    for (int i = 0; i < MODE_ROWS; ++i)
        if (modes->signs[i] == 0 && (i < CONTACTS || modes->signs[(i - CONTACTS) / LINES] == 0))
            memcpy(m[rows++], modes->row[i], sizeof m[0]);
    for (int column = 0; column < DOF && rank < rows; ++column) {
        int best = rank;
        for (int i = rank; i < rows; ++i)
            best = fabs(m[i][column]) > fabs(m[best][column]) ? i : best;
        if (fabs(m[best][column]) < 1e-9)
            continue;
        double swap[DOF];
        memcpy(swap, m[best], sizeof swap);
        memcpy(m[best], m[rank], sizeof swap);
        memcpy(m[rank], swap, sizeof swap);
        for (int i = rank + 1; i < rows; ++i)
            for (int k = DOF - 1; k >= column; --k)
                m[i][k] -= m[i][column] / m[rank][column] * m[rank][k];
        ++rank;
    }
    return DOF - rank;
}

static void write_list(const char *path, AbutModeSystem *system, const AbutModeList *list, AbutPageModes *page)
{
    Modes modes = {system, malloc(MODE_ROWS), {{0}}};
    memcpy(modes.row, system->normal_rows, sizeof(double) * CONTACTS * DOF);
    memcpy(modes.row[CONTACTS], system->tangent_rows, sizeof(double) * CONTACTS * LINES * DOF);
    char(*texts)[64] = calloc(list->count, sizeof *texts);
    const char **names = calloc(list->count, sizeof *names);
    int32_t *ranks = calloc(list->count, sizeof *ranks);
    int8_t *feasible = calloc(list->count, sizeof *feasible);
    double *twists = calloc(list->count * DOF * 2, sizeof *twists);
    for (size_t i = 0; i < list->count; ++i) {
        const uint64_t *plus = list->bits + 2 * (size_t)list->words * i, *minus = plus + list->words;
        abut_mode_signs(system, 0, plus, minus, modes.signs);
        abut_mode_text(system, 0, plus, minus, texts[i], sizeof *texts);
        names[i] = texts[i];
        ranks[i] = find_rank(&modes);
        find_velocity(&modes, twists + 2 * DOF * i + DOF);
        feasible[i] = strncmp(texts[i], "0000", 4) == 0; /* weight keeps all corners on the ground */
    }
    page->texts = names;
    page->ranks = ranks;
    page->feasible = feasible;
    page->twists = twists;
    page->mode_count = (int32_t)list->count;
    AbutError error;
    must(abut_page_write_modes(path, page, &error), &error, path);
    free(modes.signs);
    free(texts);
    free(names);
    free(ranks);
    free(feasible);
    free(twists);
}

/* A flat box on the ground: contacts at the four lower corners. */
void write_modes(const char *path)
{
    AbutError error;
    AbutMesh mesh = box_mesh(abut_vec3(0.5, 0.4, 0.25));
    AbutPageShape shapes[2] = {{NULL, abut_pose_identity(), 0}, {&mesh, abut_pose_identity(), 0}};
    AbutPageBody bodies[2] = {
        {"ground", ABUT_BODY_STATIC, 0.0, &shapes[0], 1}, {"box", ABUT_BODY_DYNAMIC, 1.0, &shapes[1], 1}};
    AbutPose poses[2] = {abut_pose_identity(), abut_pose(abut_vec3(0.0, 0.0, 0.25), abut_quat_identity())};
    AbutModeBody moving[2];
    AbutPointContact contacts[CONTACTS];
    memset(moving, 0, sizeof moving);
    memset(contacts, 0, sizeof contacts);
    moving[1].kind = ABUT_MODE_BODY_FREE;
    moving[1].position = poses[1].p;
    for (int i = 0; i < CONTACTS; ++i) {
        contacts[i].point = abut_vec3(i == 0 || i == 3 ? -0.5 : 0.5, i < 2 ? -0.4 : 0.4, 0.0);
        contacts[i].normal = abut_vec3(0.0, 0.0, 1.0);
        contacts[i].body_a = 0;
        contacts[i].body_b = 1;
    }
    AbutModeSystem system;
    AbutModeList list = {0};
    AbutModeResult result;
    AbutModeOptions options = abut_default_mode_options();
    must(abut_mode_system_build(contacts, CONTACTS, moving, 2, DOF, LINES, 0, &system, &error), &error, "modes");
    must(abut_mode_collect(&system, &options, &list, &result, &error), &error, "modes");
    AbutPageModes page;
    memset(&page, 0, sizeof page);
    page.title = "Contact modes of a box";
    page.subtitle = "four corners on the ground, two dividing lines each";
    page.note = "Green: the box keeps all four corners down.";
    page.bodies = bodies;
    page.poses = poses;
    page.body_count = 2;
    page.contacts = contacts;
    page.contact_count = CONTACTS;
    page.lines = LINES;
    write_list(path, &system, &list, &page);
    abut_mode_list_free(&list);
    abut_mode_system_free(&system);
    abut_mesh_free(&mesh);
}
