/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles of the scenarios: posts, a shelf, rings, cups, bars, statues, a table. */
#include "plan_scenario.h"

#include <string.h>

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static AbutStatus add_body(AbutModel *model, const char *name, int32_t *out, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    return abut_model_add_body(model, &body, out, error);
}

static AbutStatus add_shape(
    AbutModel *model, int32_t body, AbutShapeKind kind, AbutVec3 at, AbutVec3 size, AbutError *error) {
    AbutShapeDef shape = abut_shape_default();
    shape.body = body;
    shape.form.kind = kind;
    shape.form.size = size;
    shape.pose.p = at;
    return abut_model_add_shape(model, &shape, NULL, error);
}

static AbutStatus add_hull(AbutModel *model, int32_t body, int count, const AbutVec3 *points, AbutError *error) {
    AbutPolyhedron *hull;
    AbutShapeDef shape = abut_shape_default();
    AbutStatus status = abut_polyhedron_from_points(points, count, NULL, &hull, error);
    if (status) return status;
    shape.body = body;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    status = abut_model_add_shape(model, &shape, NULL, error);
    abut_polyhedron_free(hull);
    return status;
}

/* A ring about the x axis: prisms of six sides. */
static AbutStatus add_ring(AbutModel *model, AbutVec3 center, double radius, double thick, AbutError *error) {
    enum { PARTS = 20, SIDES = 6 };
    int32_t body;
    AbutStatus status = add_body(model, "ring", &body, error);
    for (int i = 0; i < PARTS && !status; ++i) {
        AbutVec3 points[2 * SIDES];
        for (int k = 0; k < 2 * SIDES; ++k) {
            double a = 2.0 * ABUT_PI * (i + k / SIDES) / PARTS, b = 2.0 * ABUT_PI * (k % SIDES) / SIDES;
            double r = radius + thick * abut_cos(b);
            points[k] = abut_add(center, abut_vec3(thick * abut_sin(b), r * abut_cos(a), r * abut_sin(a)));
        }
        status = add_hull(model, body, 2 * SIDES, points, error);
    }
    return status;
}

/* A cup that is open at its top: wall pieces and a floor. */
static AbutStatus add_cup(AbutModel *model, AbutVec3 floor, double radius, double height, AbutError *error) {
    enum { PARTS = 16 };
    const double thick = 0.006;
    AbutVec3 bottom[2 * PARTS];
    int32_t body;
    AbutStatus status = add_body(model, "cup", &body, error);
    for (int i = 0; i < PARTS && !status; ++i) {
        AbutVec3 points[8];
        for (int k = 0; k < 8; ++k) {
            double a = 2.0 * ABUT_PI * (i + (k & 1)) / PARTS, r = radius + (k & 2 ? thick : 0.0);
            points[k] = abut_add(floor, abut_vec3(r * abut_cos(a), r * abut_sin(a), k & 4 ? height : 0.0));
        }
        status = add_hull(model, body, 8, points, error);
        double a = 2.0 * ABUT_PI * i / PARTS;
        AbutVec3 rim = abut_vec3((radius + thick) * abut_cos(a), (radius + thick) * abut_sin(a), 0.0);
        bottom[2 * i] = abut_add(floor, rim);
        bottom[2 * i + 1] = abut_add(bottom[2 * i], abut_vec3(0, 0, -0.01));
    }
    return status ? status : add_hull(model, body, 2 * PARTS, bottom, error);
}

/* The hull of points of an ellipsoid: seven circles of twelve, the poles once. */
static AbutStatus add_blob(AbutModel *model, int32_t body, AbutVec3 center, AbutVec3 half, AbutError *error) {
    enum { RINGS = 6, AROUND = 12 };
    AbutVec3 points[(RINGS + 1) * AROUND];
    int n = 0;
    for (int i = 0; i <= RINGS; ++i)
        for (int k = 0; k < (i % RINGS ? AROUND : 1); ++k) {
            double a = ABUT_PI * i / RINGS, b = 2.0 * ABUT_PI * k / AROUND;
            points[n++] = abut_add(
                center, abut_mul(half, abut_vec3(abut_sin(a) * abut_cos(b), abut_sin(a) * abut_sin(b), abut_cos(a))));
        }
    return add_hull(model, body, n, points, error);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

AbutStatus plan_make_posts(AbutModel *model, AbutError *error) {
    static const AbutVec3 at[2] = {{0.45, 0.1, 0.4}, {0.25, 0.45, 0.4}};
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        int32_t body;
        status = add_body(model, i ? "post2" : "post1", &body, error);
        if (!status) status = add_shape(model, body, ABUT_SHAPE_CAPSULE, at[i], abut_vec3(0.006, 0.006, 0.4), error);
    }
    return status;
}

/* Three boards between two sides and a back. */
AbutStatus plan_make_shelf(AbutModel *model, AbutError *error) {
    static const double parts[6][6] = {{0.6, 0, 0.25, 0.15, 0.3, 0.01}, {0.6, 0, 0.6, 0.15, 0.3, 0.01},
        {0.6, 0, 0.95, 0.15, 0.3, 0.01}, {0.6, 0.3, 0.5, 0.15, 0.01, 0.5}, {0.6, -0.3, 0.5, 0.15, 0.01, 0.5},
        {0.76, 0, 0.5, 0.01, 0.3, 0.5}};
    int32_t body;
    AbutStatus status = add_body(model, "shelf", &body, error);
    for (int i = 0; i < 6 && !status; ++i) {
        const double *p = parts[i];
        status =
            add_shape(model, body, ABUT_SHAPE_BOX, abut_vec3(p[0], p[1], p[2]), abut_vec3(p[3], p[4], p[5]), error);
    }
    return status;
}

AbutStatus plan_make_ring(AbutModel *model, AbutError *error) {
    return add_ring(model, abut_vec3(0.4, -0.3, 1.3), 0.11, 0.008, error);
}

/* A ring of triangles, and prisms around it for the search. */
static const AbutVec3 mesh_ring_at = {0.55, 0.0, 0.55};
static const double mesh_ring_radius = 0.17, mesh_ring_thick = 0.01;

AbutStatus plan_make_mesh_ring(AbutModel *model, AbutError *error) {
    return add_ring(model, mesh_ring_at, mesh_ring_radius, 1.2 * mesh_ring_thick, error);
}

AbutStatus plan_make_ring_triangles(AbutMesh *mesh, AbutError *error) {
    const double sizes[2] = {mesh_ring_radius, mesh_ring_thick};
    AbutPose pose = abut_pose(mesh_ring_at, abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI));
    AbutStatus status = abut_mesh_make("torus", 100000, sizes, mesh, error);
    for (int32_t i = 0; !status && i < mesh->vertex_count; ++i)
        mesh->vertices[i] = abut_pose_apply(pose, mesh->vertices[i]);
    return status;
}

AbutStatus plan_make_cup(AbutModel *model, AbutError *error) {
    return add_cup(model, abut_vec3(0.35, -0.25, 0.85), 0.12, 0.2, error);
}

/* A thin rod along y. */
static AbutStatus add_rod(AbutModel *model, AbutVec3 at, double radius, double half, AbutError *error) {
    AbutShapeDef shape = abut_shape_default();
    AbutStatus status = add_body(model, "bar", &shape.body, error);
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(radius, radius, half);
    shape.pose = abut_pose(at, abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI));
    return status ? status : abut_model_add_shape(model, &shape, NULL, error);
}

AbutStatus plan_make_bar(AbutModel *model, AbutError *error) {
    return add_rod(model, abut_vec3(0.24, 0.0, 0.2), 0.008, 1.0, error);
}

static AbutStatus add_box(AbutModel *model, const char *name, AbutVec3 at, AbutVec3 half, AbutError *error) {
    int32_t body;
    AbutStatus status = add_body(model, name, &body, error);
    return status ? status : add_shape(model, body, ABUT_SHAPE_BOX, at, half, error);
}

AbutStatus plan_make_table(AbutModel *model, AbutError *error) {
    return add_box(model, "table", abut_vec3(0.62, 0.0, 0.83), abut_vec3(0.3, 0.6, 0.015), error);
}

static AbutStatus make_talos_bar(AbutModel *model, double height, AbutError *error) {
    AbutStatus status = add_rod(model, abut_vec3(0.24, 0.0, height), 0.008, 1.0, error);
    return status ? status : add_box(model, "ground", abut_vec3(0.0, -0.6, -0.05), abut_vec3(1.5, 0.54, 0.05), error);
}

AbutStatus plan_make_talos_bar(AbutModel *model, AbutError *error) { return make_talos_bar(model, 0.22, error); }

AbutStatus plan_make_talos_bar_high(AbutModel *model, AbutError *error) { return make_talos_bar(model, 0.37, error); }

AbutStatus plan_make_talos_ring_tight(AbutModel *model, AbutError *error) {
    return add_ring(model, abut_vec3(0.55, -0.25, 1.15), 0.118, 0.008, error);
}

AbutStatus plan_make_talos_ring(AbutModel *model, AbutError *error) {
    return add_ring(model, abut_vec3(0.55, -0.25, 1.15), 0.17, 0.008, error);
}

AbutStatus plan_make_talos_cup(AbutModel *model, AbutError *error) {
    return add_cup(model, abut_vec3(0.48, -0.18, 0.82), 0.13, 0.22, error);
}

/* Two seated figures: a plinth and ten rounded hulls each. */
static AbutStatus add_statues(AbutModel *model, AbutVec3 at, double apart, AbutError *error) {
    static const double parts[10][6] = {{0, 0, 0.07, 0.2, 0.24, 0.09}, {-0.02, 0, 0.25, 0.14, 0.15, 0.15},
        {0, 0, 0.45, 0.12, 0.15, 0.14}, {0, 0, 0.53, 0.08, 0.2, 0.07}, {0, -0.19, 0.4, 0.05, 0.05, 0.15},
        {0, 0.19, 0.4, 0.05, 0.05, 0.15}, {-0.09, -0.13, 0.25, 0.12, 0.06, 0.05}, {-0.09, 0.13, 0.25, 0.12, 0.06, 0.05},
        {0, 0, 0.73, 0.09, 0.085, 0.12}, {0, 0, 0.86, 0.035, 0.035, 0.05}};
    AbutStatus status = ABUT_OK;
    for (int side = 0; side < 2 && !status; ++side) {
        AbutVec3 base = abut_add(at, abut_vec3(0.0, side ? -apart : apart, 0.0));
        int32_t body;
        status = add_body(model, side ? "statue2" : "statue1", &body, error);
        if (!status)
            status = add_shape(model, body, ABUT_SHAPE_BOX, abut_vec3(base.x, base.y, 0.5 * base.z),
                abut_vec3(0.16, 0.16, 0.5 * base.z), error);
        for (int i = 0; i < 10 && !status; ++i) {
            const double *p = parts[i];
            status =
                add_blob(model, body, abut_add(base, abut_vec3(p[0], p[1], p[2])), abut_vec3(p[3], p[4], p[5]), error);
        }
    }
    return status;
}

AbutStatus plan_make_talos_statues(AbutModel *model, AbutError *error) {
    return add_statues(model, abut_vec3(0.62, 0.0, 0.55), 0.4, error);
}

AbutStatus plan_make_statues(AbutModel *model, AbutError *error) {
    return add_statues(model, abut_vec3(0.5, 0.0, 0.7), 0.36, error);
}
