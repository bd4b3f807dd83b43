/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of MuJoCo by abut. In: geoms of a model and their poses. Out: contact points with gaps, normals from the
 * first geom to the second, world axes.
 *
 * Method: every geom becomes a list of convex bodies when the model is attached: itself, the hull of a mesh, or its
 * convex pieces. A pair of geoms asks abut_contact_features for each pair of bodies whose spheres meet; the deepest
 * points of all remain. The functions of MuJoCo that are replaced are kept, and answer for other models.
 */
#include "abut_mujoco.h"

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MOST = 256, PIECES = 32 };
static const double TOLERANCE = 1e-3; /* of the smaller body: faces that tilt so much are flat on each other */

/* Functions for contacts have data that is not const since 3.7. Since 3.9 they have a type of points of their own, and
 * room for so many as mj_maxContact says. */
#define NEW_POINTS (mjVERSION_HEADER >= 3009000)
#if NEW_POINTS
typedef mjPreContact Point;
#else
typedef mjContact Point;
#endif
#if mjVERSION_HEADER >= 3007000
typedef mjData Data;
#else
typedef const mjData Data;
#endif

/* A convex body in the frame of its geom, and a sphere around it. */
typedef struct Body {
    AbutConvex convex;
    AbutVec3 center;
    double radius;
} Body;

typedef struct Attached {
    struct Attached *next;
    const mjModel *model;
    int points;
    int *first; /* [ngeom + 1], into bodies; a geom that MuJoCo answers for has none */
    Body *bodies;
    AbutSolidBody *meshes; /* [nmesh] */
    int mesh_count;
} Attached;

static Attached *attached;
static mjfCollision kept[mjNGEOMTYPES][mjNGEOMTYPES];

/* ---- geoms to bodies --------------------------------------------------------------------------------------------- */

static AbutStatus read_mesh(const mjModel *m, int mesh, AbutMesh *out, AbutError *error) {
    const float *v = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
    const int *f = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh];
    AbutStatus status = abut_mesh_create(m->mesh_vertnum[mesh], m->mesh_facenum[mesh], out, error);
    if (status) return status;
    for (int i = 0; i < out->vertex_count; ++i) out->vertices[i] = abut_vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    for (int i = 0; i < out->triangle_count; ++i) memcpy(out->triangles[i].v, f + 3 * i, sizeof out->triangles[i].v);
    return ABUT_OK;
}

/* Convex as it is, its hull, or pieces; an open mesh has no inside, and counts as its hull. */
static AbutStatus take_mesh(
    const mjModel *m, int mesh, const AbutMujocoDef *def, AbutSolidBody *out, AbutError *error) {
    AbutDecomposeDef pieces = {.max_pieces = def->pieces ? def->pieces : PIECES, .excess = def->excess};
    AbutMeshReport report;
    AbutMesh shape;
    AbutStatus status = read_mesh(m, mesh, &shape, error);
    if (status) return status;
    int closed = abut_mesh_report(&shape, &report, NULL) == ABUT_OK && report.closed;
    status = abut_solid_from_mesh(
        &shape, def->hulls || !closed ? ABUT_SOLID_HULL : ABUT_SOLID_ONLY_CONVEX, NULL, out, error);
    if (status == ABUT_ERROR_UNSUPPORTED)
        status = abut_solid_from_mesh(&shape, ABUT_SOLID_IN_PIECES, &pieces, out, error);
    abut_mesh_free(&shape);
    return status;
}

static int add_body(Attached *a, int count, AbutConvex convex, AbutVec3 center, double radius) {
    a->bodies[count] = (Body){convex, center, radius};
    return count + 1;
}

static int add_polyhedron(Attached *a, int count, const AbutPolyhedron *p) {
    return add_body(a, count, abut_convex_polyhedron(p, 0.0), p->bound.center, p->bound.radius);
}

static int add_mesh(Attached *a, int count, const AbutSolidBody *mesh) {
    if (mesh->hull && !mesh->pieces.count) return add_polyhedron(a, count, mesh->hull);
    for (int i = 0; i < mesh->pieces.count; ++i) count = add_polyhedron(a, count, mesh->pieces.piece[i]);
    return count;
}

static int add_geom(Attached *a, int count, const mjModel *m, int g) {
    const mjtNum *size = m->geom_size + 3 * (size_t)g;
    AbutVec3 s = abut_vec3(size[0], size[1], size[2]), half = abut_vec3(0.0, 0.0, s.y);
    AbutConvex convex;
    switch (m->geom_type[g]) {
    case mjGEOM_PLANE:
        convex = abut_convex_half_space((AbutPlane){abut_vec3(0.0, 0.0, 1.0), 0.0}, 0.0);
        break;
    case mjGEOM_SPHERE:
        convex = abut_convex_point(abut_zero(), s.x);
        break;
    case mjGEOM_CAPSULE:
        convex = abut_convex_segment(abut_neg(half), half, s.x);
        break;
    case mjGEOM_ELLIPSOID:
        convex = abut_convex_ellipsoid(s, 0.0);
        break;
    case mjGEOM_CYLINDER:
        convex = abut_convex_cylinder(s.x, s.y, 0.0);
        break;
    case mjGEOM_BOX:
        convex = abut_convex_box(s, 0.0);
        break;
    case mjGEOM_MESH:
        return m->geom_dataid[g] < 0 ? count : add_mesh(a, count, &a->meshes[m->geom_dataid[g]]);
    default:
        return count;
    }
    double radius = m->geom_type[g] == mjGEOM_PLANE ? INFINITY : m->geom_rbound[g];
    return add_body(a, count, convex, abut_zero(), radius);
}

static void free_attached(Attached *a) {
    for (int i = 0; a && a->meshes && i < a->mesh_count; ++i) abut_solid_body_free(&a->meshes[i]);
    if (a) free(a->meshes), free(a->bodies), free(a->first);
    free(a);
}

/* Has a geom this mesh that is not only drawn? */
static int touches(const mjModel *m, int mesh) {
    for (int g = 0; g < m->ngeom; ++g) {
        if (m->geom_type[g] != mjGEOM_MESH || m->geom_dataid[g] != mesh) continue;
        if (m->geom_contype[g] || m->geom_conaffinity[g]) return 1;
        for (int i = 0; i < m->npair; ++i)
            if (m->pair_geom1[i] == g || m->pair_geom2[i] == g) return 1;
    }
    return 0;
}

static AbutStatus fill(Attached *a, const mjModel *m, const AbutMujocoDef *def, AbutError *error) {
    int count = 0;
    size_t most = 1;
    a->model = m;
    a->points = def->points ? def->points : ABUT_CONTACT_VERTICES;
    a->meshes = calloc((size_t)m->nmesh + 1, sizeof *a->meshes);
    a->first = calloc((size_t)m->ngeom + 1, sizeof *a->first);
    if (!a->meshes || !a->first) return snprintf(error->text, sizeof error->text, "out of memory"), ABUT_ERROR_MEMORY;
    for (; a->mesh_count < m->nmesh; ++a->mesh_count) {
        if (!touches(m, a->mesh_count)) continue;
        AbutStatus status = take_mesh(m, a->mesh_count, def, &a->meshes[a->mesh_count], error);
        if (status) return status;
    }
    for (int g = 0; g < m->ngeom; ++g)
        most += m->geom_type[g] == mjGEOM_MESH && m->geom_dataid[g] >= 0
                    ? (size_t)a->meshes[m->geom_dataid[g]].pieces.count + 1
                    : 1;
    a->bodies = calloc(most, sizeof *a->bodies);
    if (!a->bodies) return snprintf(error->text, sizeof error->text, "out of memory"), ABUT_ERROR_MEMORY;
    for (int g = 0; g < m->ngeom; ++g) {
        a->first[g] = count;
        count = add_geom(a, count, m, g);
    }
    a->first[m->ngeom] = count;
    return ABUT_OK;
}

/* ---- contact points ---------------------------------------------------------------------------------------------- */

enum { POOL = 512 };

typedef struct Found {
    AbutVec3 point, normal;
    double gap;
} Found;

/* The points of all pairs of bodies of two geoms. */
typedef struct Pool {
    int count;
    Found found[POOL];
} Pool;

/* Points that are farther from those that were taken come first, and normals that differ count as far. */
static double apart(const Found *a, const Found *b, double scale) {
    return abut_length_sq(abut_sub(a->point, b->point)) +
           scale * scale * abut_length_sq(abut_sub(a->normal, b->normal));
}

static double width(const Found *found, int count) {
    double most = 0.0;
    for (int i = 1; i < count; ++i) most = fmax(most, abut_length_sq(abut_sub(found[i].point, found[0].point)));
    return sqrt(most);
}

/* The deepest point first, then those farthest from all that were taken; returns how many are left. */
static int order_points(Found *found, int count, int wanted) {
    double scale = width(found, count);
    for (int k = 0; k < count && k < wanted && count > wanted; ++k) {
        int best = k;
        double most = -INFINITY;
        for (int i = k; i < count; ++i) {
            double least = k ? INFINITY : -found[i].gap;
            for (int j = 0; j < k; ++j) least = fmin(least, apart(&found[i], &found[j], scale));
            if (least > most) most = least, best = i;
        }
        Found first = found[k];
        found[k] = found[best];
        found[best] = first;
    }
    return count < wanted ? count : wanted;
}

static void put_pair(Pool *pool, int wanted, const Body *a, const Body *b, const AbutPose pose[2], double margin) {
    AbutVec3 way = abut_sub(abut_pose_apply(pose[1], b->center), abut_pose_apply(pose[0], a->center));
    double reach = a->radius + b->radius + margin, size = fmin(a->radius, b->radius);
    if (abut_length_sq(way) > reach * reach) return;
    AbutConvexContact query = {&a->convex, &b->convex, pose[0], pose[1], 0.5 * fmax(margin, TOLERANCE * size)};
    AbutContactFeatures f;
    if (abut_contact_features(&query, &f) != 1 || f.distance > margin) return;
    if (pool->count + ABUT_CONTACT_VERTICES > POOL) pool->count = order_points(pool->found, pool->count, POOL / 2);
    int first = pool->count;
    for (int i = 0; i < f.count; ++i)
        if (f.gap[i] <= margin) pool->found[pool->count++] = (Found){f.point[i], f.normal, f.gap[i]};
    pool->count = first + order_points(pool->found + first, pool->count - first, wanted);
}

static void write_point(const Found *found, Point *out) {
    AbutVec3 at = found->point, normal = found->normal;
    memset(out, 0, sizeof *out);
    out->dist = found->gap;
    out->pos[0] = at.x, out->pos[1] = at.y, out->pos[2] = at.z;
#if NEW_POINTS
    out->normal[0] = normal.x, out->normal[1] = normal.y, out->normal[2] = normal.z;
#else
    out->frame[0] = normal.x, out->frame[1] = normal.y, out->frame[2] = normal.z;
#endif
}

/* Points that MuJoCo has room for. */
static int room(const mjModel *m, int g1, int g2, double margin) {
#if NEW_POINTS
    return mj_maxContact(m, g1, g2, margin > 0.0);
#else
    (void)m, (void)g1, (void)g2, (void)margin;
    return mjMAXCONPAIR;
#endif
}

static AbutPose pose_of(const mjData *d, int g) {
    const mjtNum *p = d->geom_xpos + 3 * (size_t)g, *r = d->geom_xmat + 9 * (size_t)g;
    AbutMat3 turn = {abut_vec3(r[0], r[3], r[6]), abut_vec3(r[1], r[4], r[7]), abut_vec3(r[2], r[5], r[8])};
    return abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat_from_mat3(turn));
}

static int collide(const mjModel *m, Data *d, Point *out, int g1, int g2, mjtNum margin) {
    const Attached *a = attached;
    while (a && a->model != m) a = a->next;
    if (!a) return kept[m->geom_type[g1]][m->geom_type[g2]](m, d, out, g1, g2, margin);
    Pool pool;
    AbutPose pose[2] = {pose_of(d, g1), pose_of(d, g2)};
    pool.count = 0;
    for (int i = a->first[g1]; i < a->first[g1 + 1]; ++i)
        for (int k = a->first[g2]; k < a->first[g2 + 1]; ++k)
            put_pair(&pool, a->points, &a->bodies[i], &a->bodies[k], pose, margin);
    int count = order_points(pool.found, pool.count, room(m, g1, g2, margin));
    for (int i = 0; i < count; ++i) write_point(&pool.found[i], &out[i]);
    return count;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Round bodies with each other, and planes with all but meshes, are exact in MuJoCo. */
static int is_ours(int a, int b) {
    if (a == mjGEOM_PLANE) return b == mjGEOM_MESH;
    return a != mjGEOM_HFIELD && b >= mjGEOM_ELLIPSOID && b <= mjGEOM_MESH;
}

static void set_table(int ours) {
    for (int a = 0; a < mjNGEOMTYPES; ++a)
        for (int b = a; b < mjNGEOMTYPES; ++b) {
            if (!is_ours(a, b)) continue;
            if (ours) kept[a][b] = mjCOLLISIONFUNC[a][b];
            mjCOLLISIONFUNC[a][b] = ours ? collide : kept[a][b];
        }
}

static int fail(char *error, int size, const char *text) {
    if (error && size > 0) snprintf(error, (size_t)size, "%s", text);
    return 0;
}

int abut_mujoco_version(void) { return mjVERSION_HEADER; }

int abut_mujoco_attach(const mjModel *model, const AbutMujocoDef *def, char *error, int error_size) {
    AbutMujocoDef usual = {0};
    AbutError why;
    if (!model) return fail(error, error_size, "model: expected a model, got NULL");
    if (!def) def = &usual;
    char text[100] = "";
    if (def->points < 0 || def->points > ABUT_CONTACT_VERTICES)
        snprintf(text, sizeof text, "points: expected 0 to %d, got %d", ABUT_CONTACT_VERTICES, def->points);
    if (def->pieces < 0 || def->pieces > BODIES_MOST)
        snprintf(text, sizeof text, "pieces: expected 0 to %d, got %d", BODIES_MOST, def->pieces);
    if (!(def->excess >= 0.0 && def->excess <= 1e6))
        snprintf(text, sizeof text, "excess: expected 0 to 1e6, got %g", def->excess);
    if (*text) return fail(error, error_size, text);
    Attached *made = calloc(1, sizeof *made);
    if (!made || fill(made, model, def, &why)) {
        fail(error, error_size, made ? why.text : "out of memory");
        free_attached(made);
        return 0;
    }
    abut_mujoco_detach(model);
    if (!attached) set_table(1);
    made->next = attached;
    attached = made;
    return 1;
}

void abut_mujoco_detach(const mjModel *model) {
    for (Attached **at = &attached; *at; at = &(*at)->next) {
        Attached *gone = *at;
        if (gone->model != model) continue;
        *at = gone->next;
        free_attached(gone);
        if (!attached) set_table(0);
        return;
    }
}
