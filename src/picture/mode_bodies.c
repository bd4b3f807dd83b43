/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bodies that a page of contact modes shows. For a scene: its bodies with their shapes. For contacts alone: for
 * each body the convex hull of the points where it is touched, made thick where they are too few or flat; the box, the
 * peg and the ball of the named systems as they are. The normal of a contact points into body B, so a thickened body
 * lies on that side of its contacts.
 */
#include "picture/mode_bodies.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

enum { BALL_RINGS = 12, BALL_SIDES = 24, PEG_SIDES = 48 };

/* All bodies in the order of the scene; free bodies and links are those of the rows, in the same order. */
static AbutStatus of_scene(
    const AbutScene *scene, const AbutModeSystemDef *def, AbutModel **model, int *place, AbutError *error) {
    int moving = 0;
    AbutStatus status = abut_scene_model(scene, model, error);
    for (int32_t i = 0; status == ABUT_OK && i < (*model)->body_count; ++i) {
        AbutBodyKind kind = (*model)->bodies[i].kind;
        if ((kind == ABUT_BODY_DYNAMIC || kind == ABUT_BODY_LINK) && moving < def->body_count) place[moving++] = i;
    }
    return status;
}

/* ---- contacts alone ---------------------------------------------------------------------------------------------- */

/* Points of one body, with room for eight times as many, and what is known of their set. */
typedef struct Cloud {
    AbutVec3 *points;
    int count;
    AbutVec3 center, inward; /* mean point, mean normal into the body */
    double size;             /* largest extent along an axis */
} Cloud;

static double extent(const AbutVec3 *points, int count) {
    double size = 0.0;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < count; ++i) size = fmax(size, fabs(abut_get(points[i], k) - abut_get(points[0], k)));
    return size;
}

static void gather(const AbutModeSystemDef *def, int body, Cloud *cloud) {
    cloud->count = 0;
    cloud->center = cloud->inward = abut_zero();
    for (int i = 0; i < def->contact_count; ++i) {
        const AbutPointContact *c = &def->contacts[i];
        if (c->body_a != body && c->body_b != body) continue;
        cloud->points[cloud->count++] = c->point;
        cloud->inward = abut_add_scaled(cloud->inward, abut_normalize(c->normal), c->body_b == body ? 1.0 : -1.0);
    }
    if (cloud->count == 0) /* nothing touches it: it is shown where its frame is */
        cloud->points[cloud->count++] = def->bodies[body].position;
    for (int i = 0; i < cloud->count; ++i)
        cloud->center = abut_add_scaled(cloud->center, cloud->points[i], 1.0 / cloud->count);
    cloud->inward = abut_scale(cloud->inward, 1.0 / cloud->count);
    cloud->size = extent(cloud->points, cloud->count);
}

/* Spreads the points along every direction in which they have no extent. `least` is the size of a body of one point. */
static void thicken(Cloud *cloud, double least) {
    static const double FLAT = 1e-3;
    AbutMat3 scatter = {abut_zero(), abut_zero(), abut_zero()};
    double half = 0.5 * fmax(cloud->size, least);
    for (int i = 0; i < cloud->count; ++i) {
        AbutVec3 d = abut_scale(abut_sub(cloud->points[i], cloud->center), 1.0 / half);
        scatter.x = abut_add_scaled(scatter.x, d, d.x);
        scatter.y = abut_add_scaled(scatter.y, d, d.y);
        scatter.z = abut_add_scaled(scatter.z, d, d.z);
    }
    double value[3];
    AbutMat3 axes = abut_mat3_eigen_symmetric(scatter, value);
    AbutVec3 along[3] = {axes.x, axes.y, axes.z};
    for (int k = 0; k < 3; ++k) {
        if (value[k] > FLAT * FLAT * cloud->count) continue;
        double lean = abut_dot(cloud->inward, along[k]);
        for (int i = 0; i < cloud->count; ++i) {
            cloud->points[cloud->count + i] = abut_add_scaled(cloud->points[i], along[k], half * (lean - 1.0));
            cloud->points[i] = abut_add_scaled(cloud->points[i], along[k], half * (lean + 1.0));
        }
        cloud->count *= 2;
    }
}

/* Hull of the cloud around its own center, which becomes the origin of the body. */
static AbutStatus make_hull(Cloud *cloud, double least, AbutVec3 *origin, AbutPolyhedron **out, AbutError *error) {
    thicken(cloud, least);
    for (int i = 0; i < cloud->count; ++i) *origin = abut_add_scaled(*origin, cloud->points[i], 1.0 / cloud->count);
    for (int i = 0; i < cloud->count; ++i) cloud->points[i] = abut_sub(cloud->points[i], *origin);
    return abut_polyhedron_from_points(cloud->points, cloud->count, NULL, out, error);
}

static AbutStatus make_ball(double radius, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 points[BALL_RINGS * BALL_SIDES];
    for (int i = 0; i < BALL_RINGS * BALL_SIDES; ++i) {
        double up = ABUT_PI * ((i / BALL_SIDES + 0.5) / BALL_RINGS - 0.5),
               around = 2.0 * ABUT_PI * (i % BALL_SIDES) / BALL_SIDES;
        points[i] = abut_scale(abut_vec3(cos(up) * cos(around), cos(up) * sin(around), sin(up)), radius);
    }
    return abut_polyhedron_from_points(points, BALL_RINGS * BALL_SIDES, NULL, out, error);
}

/* Bodies of abut_mode_builtin whose form is known; where their contacts lie tells their size. */
static AbutStatus make_known(const char *source, AbutVec3 touched, AbutPolyhedron **out, AbutError *error) {
    double half = abut_max_abs(touched);
    *out = NULL;
    if (strncmp(source, "box:", 4) == 0) return abut_polyhedron_box(abut_vec3(half, half, half), out, error);
    if (strncmp(source, "grasp:", 6) == 0) return make_ball(abut_length(touched), out, error);
    if (strncmp(source, "peg:", 4) == 0)
        return abut_polyhedron_prism(
            PEG_SIDES, hypot(touched.x, touched.y), hypot(touched.x, touched.y), 2.0 * fabs(touched.z), out, error);
    return ABUT_OK;
}

static AbutStatus add_body(
    AbutModel *model, const char *source, Cloud *cloud, double least, AbutBodyKind kind, AbutError *error) {
    AbutPolyhedron *hull;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    char name[24];
    AbutStatus status = make_known(source, cloud->points[0], &hull, error);
    snprintf(name, sizeof name, "body %d", model->body_count + 1);
    body.kind = kind;
    body.name = name;
    if (status == ABUT_OK && !hull) status = make_hull(cloud, least, &body.pose.p, &hull, error);
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    shape.visual = 1;
    if (status == ABUT_OK) status = abut_model_add_body(model, &body, &shape.body, error);
    if (status == ABUT_OK) status = abut_model_add_shape(model, &shape, NULL, error);
    abut_polyhedron_free(hull);
    return status;
}

static AbutStatus of_contacts(
    const char *source, const AbutModeSystemDef *def, AbutModel **model, int *place, AbutError *error) {
    Cloud cloud = {0};
    AbutStatus status = abut_model_create(model, error);
    cloud.points = abut_alloc_array(8 * ((size_t)def->contact_count + 1), sizeof *cloud.points);
    if (status == ABUT_OK && !cloud.points) status = abut_fail_memory(error);
    for (int i = 0; i < def->contact_count && status == ABUT_OK; ++i) cloud.points[i] = def->contacts[i].point;
    double all = status == ABUT_OK && def->contact_count > 0 ? extent(cloud.points, def->contact_count) : 0.0;
    for (int i = 0; i < def->body_count && status == ABUT_OK; ++i) {
        AbutBodyKind kind = def->bodies[i].kind == ABUT_MODE_BODY_FIXED ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        gather(def, i, &cloud);
        status = add_body(*model, source, &cloud, all > 0.0 ? 0.2 * all : 1.0, kind, error);
        place[i] = i;
    }
    abut_free(cloud.points);
    return status;
}

AbutStatus abut_mode_bodies(const char *source, const AbutScene *scene, const AbutModeSystemDef *def, AbutModel **model,
    int *place, AbutError *error) {
    *model = NULL;
    AbutStatus status =
        scene ? of_scene(scene, def, model, place, error) : of_contacts(source, def, model, place, error);
    if (status == ABUT_OK && (*model)->body_count == 0)
        status = abut_fail(error, ABUT_ERROR_EMPTY, "%s: there is no body to show", source);
    if (status != ABUT_OK) {
        abut_model_free(*model);
        *model = NULL;
    }
    return status;
}
