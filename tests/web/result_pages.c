/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of single results: two boxes apart, two boxes that overlap, a box on four contacts. */
#include "abut/literature.h"
#include "solve/solve.h"
#include "web/pages.h"

#include <stdlib.h>
#include <string.h>

static void add_box(AbutModel *model, const char *name, AbutVec3 half_size, AbutPose pose) {
    AbutError error;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.name = name;
    body.pose = pose;
    shape.form.size = half_size;
    must(abut_model_add_body(model, &body, &shape.body, &error), &error, name);
    must(abut_model_add_shape(model, &shape, NULL, &error), &error, name);
}

/* Unit cube A at the origin; B, half as large, where `pose_b` says. */
static AbutModel *make_pair(AbutPose pose_b) {
    AbutError error;
    AbutModel *model;
    must(abut_model_create(&model, &error), &error, "model");
    add_box(model, "A", abut_vec3(0.5, 0.5, 0.5), abut_pose_identity());
    add_box(model, "B", abut_vec3(0.25, 0.25, 0.25), pose_b);
    return model;
}

void write_distance(const char *path) {
    AbutError error;
    AbutPageHead head = {.title = "Distance of two boxes", .subtitle = "two boxes", .note = "by make_pages"};
    AbutModel *model = make_pair(abut_pose(abut_vec3(1.25, 0.0, 0.0), abut_quat_identity()));
    AbutGap distance;
    memset(&distance, 0, sizeof distance);
    distance.distance = 0.5;
    distance.point_a = abut_vec3(0.5, 0.1, 0.2);
    distance.point_b = abut_vec3(1.0, 0.1, 0.2);
    distance.normal = abut_vec3(1.0, 0.0, 0.0);
    must(abut_page_write_distance(path, &head, model, &distance, &error), &error, path);
    abut_model_free(model);
}

void write_overlap(const char *path) {
    AbutError error;
    AbutPageHead head = {.title = "Overlap of two boxes", .subtitle = "two boxes", .note = "by make_pages"};
    AbutVec3 axis = abut_normalize(abut_vec3(0.2, 0.3, 1.0));
    AbutPose pose = abut_pose(abut_vec3(0.6, 0.1, 0.2), abut_quat_axis_angle(axis, 0.6));
    AbutModel *model = make_pair(pose);
    AbutConvex a = abut_geometry_convex(model->shapes[0].geometry), b = abut_geometry_convex(model->shapes[1].geometry);
    size_t size = abut_overlap_workspace_size(&a, &b);
    void *workspace = malloc(size);
    AbutOverlap overlap = abut_overlap(&a, &b, pose, NULL, workspace, size);
    must(abut_page_write_overlap(path, &head, model, &overlap, abut_pose_identity(), &error), &error, path);
    free(workspace);
    abut_model_free(model);
}

/* B passes A along y at x = 1.5 in two seconds; its direction turns with it. */
void write_sweep(const char *path) {
    enum { COUNT = 9 };
    AbutError error;
    AbutMesh box;
    AbutPose pose_b[COUNT];
    AbutGap distance[COUNT];
    AbutVec3 direction[COUNT];
    double times[COUNT], lower[COUNT];
    AbutClearanceMinimum minimum = {.t = 1.0, .d = 0.5, .lb = 0.499};
    AbutPageHead head = {.title = "Past a box", .note = "by make_pages"};
    must(abut_mesh_make("box", 12, NULL, &box, &error), &error, "box");
    memset(distance, 0, sizeof distance);
    for (int i = 0; i < COUNT; ++i) {
        times[i] = 0.25 * i;
        pose_b[i] = abut_pose(abut_vec3(1.5, times[i] - 1.0, 0.0), abut_quat_identity());
        distance[i].distance = 0.5 + fabs(times[i] - 1.0);
        lower[i] = distance[i].distance - 0.001;
        direction[i] = abut_normalize(pose_b[i].p);
    }
    AbutPageMeshes meshes = {.mesh = {&box, &box},
        .name = {"A", "B"},
        .pose_a = abut_pose_identity(),
        .count = COUNT,
        .times = times,
        .pose_b = pose_b,
        .distance = distance,
        .lower = lower,
        .minima = &minimum,
        .minimum_count = 1,
        .direction = direction};
    must(abut_page_write_meshes(path, &head, &meshes, &error), &error, path);
    abut_mesh_free(&box);
}

void write_visual(const char *path) {
    AbutError error;
    AbutPageHead head = {.title = "Drawn only"};
    AbutModel *model = make_pair(abut_pose(abut_vec3(1.25, 0.0, 0.0), abut_quat_identity()));
    AbutGap distance;
    AbutShapeDef ball = abut_shape_default();
    memset(&distance, 0, sizeof distance);
    distance.distance = 0.5;
    distance.normal = abut_vec3(1.0, 0.0, 0.0);
    ball.form.kind = ABUT_SHAPE_SPHERE;
    ball.form.size = abut_vec3(0.3, 0.0, 0.0);
    ball.pose.p = abut_vec3(0.0, 0.0, 1.2);
    ball.color = 0xd01020;
    ball.visual = 1;
    must(abut_model_add_shape(model, &ball, NULL, &error), &error, "ball");
    must(abut_page_write_distance(path, &head, model, &distance, &error), &error, path);
    abut_model_free(model);
}

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

enum { DOF = 6, UNKNOWNS = 7, CONTACTS = 4, LINES = 2, MODE_ROWS = CONTACTS * (1 + LINES) };

typedef struct Modes {
    const AbutModeSystem *system;
    int8_t *signs;
    double row[MODE_ROWS][DOF];
} Modes;

static void add_row(double *a, double *b, int *count, const double *row, double sign, double slack, double limit) {
    for (int k = 0; k < DOF; ++k) a[*count * UNKNOWNS + k] = sign * row[k];
    a[*count * UNKNOWNS + DOF] = slack;
    b[(*count)++] = limit;
}

/* A velocity of the mode, as far inside as its signs allow: rows s_i r_i x >= t, 0 = r_i x, |x_k| <= 1, largest t. */
static void find_velocity(const Modes *modes, double *velocity) {
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
    for (int k = 0; k < DOF; ++k) velocity[k] = fabs(result.x[k]) < 1e-9 ? 0.0 : result.x[k];
    free(workspace);
}

/* Dimension of the cone of a mode: 6 less the rank of the rows that are zero in it. */
static int find_rank(const Modes *modes) {
    double m[MODE_ROWS][DOF];
    int rows = 0, rank = 0;
    for (int i = 0; i < MODE_ROWS; ++i)
        if (modes->signs[i] == 0 && (i < CONTACTS || modes->signs[(i - CONTACTS) / LINES] == 0))
            memcpy(m[rows++], modes->row[i], sizeof m[0]);
    for (int column = 0; column < DOF && rank < rows; ++column) {
        int best = rank;
        for (int i = rank; i < rows; ++i) best = fabs(m[i][column]) > fabs(m[best][column]) ? i : best;
        if (fabs(m[best][column]) < 1e-9) continue;
        double swap[DOF];
        memcpy(swap, m[best], sizeof swap);
        memcpy(m[best], m[rank], sizeof swap);
        memcpy(m[rank], swap, sizeof swap);
        for (int i = rank + 1; i < rows; ++i)
            for (int k = DOF - 1; k >= column; --k) m[i][k] -= m[i][column] / m[rank][column] * m[rank][k];
        ++rank;
    }
    return DOF - rank;
}

static void write_list(const char *path, AbutModeSystem *system, const AbutModeList *list, AbutPageModes *page) {
    Modes modes = {system, malloc(MODE_ROWS), {{0}}};
    memcpy(modes.row, system->normal_rows, sizeof(double) * CONTACTS * DOF);
    memcpy(modes.row[CONTACTS], system->tangent_rows, sizeof(double) * CONTACTS * LINES * DOF);
    char(*texts)[64] = calloc(list->count, sizeof *texts);
    const char **names = calloc(list->count, sizeof *names);
    int32_t *ranks = calloc(list->count, sizeof *ranks);
    int8_t *feasible = calloc(list->count, sizeof *feasible);
    double *twists = calloc(list->count * DOF * 2, sizeof *twists);
    for (size_t i = 0; i < list->count; ++i) {
        AbutMode mode = abut_mode_list_get(list, i);
        abut_mode_signs(system, 0, mode, modes.signs);
        abut_mode_text(system, 0, mode, texts[i], sizeof *texts);
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
    AbutPageHead head = {.title = "Contact modes of a box",
        .subtitle = "four corners on the ground, two dividing lines each",
        .note = "Green: the box keeps all four corners down."};
    must(abut_page_write_modes(path, &head, page, &error), &error, path);
    free(modes.signs);
    free(texts);
    free(names);
    free(ranks);
    free(feasible);
    free(twists);
}

static AbutModel *make_ground(void) {
    AbutError error;
    AbutModel *model;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.name = "ground";
    body.kind = ABUT_BODY_STATIC;
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    must(abut_model_create(&model, &error), &error, "model");
    must(abut_model_add_body(model, &body, &shape.body, &error), &error, "ground");
    must(abut_model_add_shape(model, &shape, NULL, &error), &error, "ground");
    return model;
}

/* A flat box on the ground: contacts at the four lower corners. */
void write_modes(const char *path) {
    AbutError error;
    AbutModel *model = make_ground();
    add_box(model, "box", abut_vec3(0.5, 0.4, 0.25), abut_pose(abut_vec3(0.0, 0.0, 0.25), abut_quat_identity()));
    AbutModeBody moving[2];
    AbutPointContact contacts[CONTACTS];
    memset(moving, 0, sizeof moving);
    memset(contacts, 0, sizeof contacts);
    moving[1].kind = ABUT_MODE_BODY_FREE;
    moving[1].position = model->bodies[1].pose.p;
    for (int i = 0; i < CONTACTS; ++i) {
        contacts[i].point = abut_vec3(i == 0 || i == 3 ? -0.5 : 0.5, i < 2 ? -0.4 : 0.4, 0.0);
        contacts[i].normal = abut_vec3(0.0, 0.0, 1.0);
        contacts[i].body_a = 0;
        contacts[i].body_b = 1;
    }
    AbutModeSystem system;
    AbutModeList list = {0};
    AbutModeResult result;
    AbutModeOptions options = abut_mode_options_default();
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = CONTACTS, .bodies = moving, .body_count = 2, .dof = DOF, .lines = LINES};
    must(abut_mode_system_build(&def, &system, &error), &error, "modes");
    must(abut_mode_collect(&system, &options, &list, &result, &error), &error, "modes");
    AbutPageModes page = {.model = model};
    page.contacts = contacts;
    page.contact_count = CONTACTS;
    page.lines = LINES;
    write_list(path, &system, &list, &page);
    abut_mode_list_free(&list);
    abut_mode_system_free(&system);
    abut_model_free(model);
}
