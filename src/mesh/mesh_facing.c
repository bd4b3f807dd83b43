/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cones of the directions in which triangles can touch. In: the features of a mesh. Out: a cone for each triangle and
 * each node of the tree.
 *
 * An edge touches along normals between those of its faces. A vertex touches along normals for which no neighbor lies
 * higher by more than a small sine: a region of the sphere in whose corners two neighbors are as high as that. Regions
 * without corners are all directions, and so are cones that are too wide.
 */
#include "math/functions.h"
#include "mesh/mesh_features.h"
#include "mesh/tolerance.h"
#include "shape/mesh_tree.h"

#include <string.h>

enum { MOST_NEIGHBORS = 32, MOST_CORNERS = 96 };

static const float ALL = 2.0F;

typedef struct Cone {
    AbutVec3 axis; /* unit */
    double angle;  /* ALL and more: all directions */
} Cone;

static double angle_of(double cosine) {
    double c = abut_larger(-1.0, abut_smaller(1.0, cosine));
    return abut_atan2(sqrt(1.0 - c * c), c);
}

static Cone all_directions(void) { return (Cone){abut_axis(2), (double)ALL}; }

/* A cone about the middle of the axes of others that holds them. */
static Cone cone_around(const Cone *of, int count) {
    Cone out = {abut_zero(), 0.0};
    for (int k = 0; k < count; ++k) out.axis = abut_add(out.axis, of[k].axis);
    out.axis = abut_normalize_or(out.axis, abut_axis(2));
    for (int k = 0; k < count; ++k)
        out.angle = abut_larger(out.angle, of[k].angle + angle_of(abut_dot(out.axis, of[k].axis)));
    return out;
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

typedef struct Star {
    AbutVec3 d[MOST_NEIGHBORS]; /* unit, to the neighbors */
    int count;
} Star;

/* 0: too many neighbors. */
static int star_of(const AbutMeshFeatures *f, int32_t v, Star *out) {
    int32_t first = f->star_first[v];
    out->count = f->star_first[v + 1] - first;
    for (int k = 0; k < out->count && out->count <= MOST_NEIGHBORS; ++k)
        out->d[k] = abut_normalize(abut_sub(f->mesh.vertices[f->star[first + k]], f->mesh.vertices[v]));
    return out->count <= MOST_NEIGHBORS;
}

/* Is no neighbor but two higher along n than `high`? */
static int is_corner(const Star *s, int i, int j, AbutVec3 n, double high) {
    for (int k = 0; k < s->count; ++k)
        if (k != i && k != j && abut_dot(n, s->d[k]) > high) return 0;
    return 1;
}

/* The corners of the region where no neighbor is higher; gives their number. */
static int corners_of(const Star *s, Cone corner[MOST_CORNERS + 2]) {
    const double high = ABUT_FEATURE_CONE_FACE;
    int found = 0;
    for (int i = 0; i < s->count; ++i)
        for (int j = 0; j < i && found <= MOST_CORNERS; ++j) {
            double between = 1.0 + abut_dot(s->d[i], s->d[j]), rest = 1.0 - 2.0 * high * high / between;
            AbutVec3 across = abut_cross(s->d[i], s->d[j]);
            AbutVec3 middle = abut_scale(abut_add(s->d[i], s->d[j]), high / between);
            double length = abut_length(across);
            rest = rest > -ABUT_FACING_SPARE ? abut_larger(0.0, rest) : rest; /* circles that only touch */
            if (!(rest >= 0.0) || !(length > 0.0)) continue;
            for (int side = -1; side < 2; side += 2) {
                AbutVec3 n = abut_add_scaled(middle, across, side * sqrt(rest) / length);
                if (is_corner(s, i, j, n, high + ABUT_FACING_SPARE)) corner[found++] = (Cone){n, 0.0};
            }
        }
    return found;
}

/* A cone around that region. */
static Cone region_of(const Star *s) {
    Cone corner[MOST_CORNERS + 2];
    int found = corners_of(s, corner);
    if (found < 3 || found > MOST_CORNERS) return all_directions();
    Cone out = cone_around(corner, found);
    return out.angle < 0.5 * ABUT_PI ? out : all_directions(); /* beyond it the region may be outside of its corners */
}

/* Is that region empty? One without corners holds the whole circle of directions in which a neighbor is as high. */
static int is_never_highest(const Star *s) {
    const double high = ABUT_FEATURE_CONE_FACE;
    Cone corner[MOST_CORNERS + 2];
    if (s->count == 0 || corners_of(s, corner) > 0) return 0;
    for (int i = 0; i < s->count; ++i) {
        AbutVec3 across = abut_scale(abut_perpendicular(s->d[i]), sqrt(1.0 - high * high));
        if (is_corner(s, i, i, abut_add_scaled(across, s->d[i], high), high + ABUT_FACING_SPARE)) return 0;
    }
    return 1;
}

int abut_mesh_can_reach_out(const AbutMeshFeatures *f, int32_t v) {
    Star s;
    return !star_of(f, v, &s) || !is_never_highest(&s);
}

/* In a star that is nearly a plane and goes all around, a direction less than a right angle from the outward one has a
 * higher neighbor if it leans more than this. */
static double leaning(const Star *s, AbutVec3 outward) {
    double height = 0.0, least = 1.0;
    for (int i = 0; i < s->count; ++i) {
        double next = 4.0, cosine = -1.0, on_i = abut_dot(outward, s->d[i]);
        height = abut_larger(height, fabs(on_i));
        for (int j = 0; j < s->count; ++j) {
            double across = abut_dot(outward, abut_cross(s->d[i], s->d[j]));
            double along = abut_dot(s->d[i], s->d[j]) - on_i * abut_dot(outward, s->d[j]);
            double length = fabs(across) + fabs(along), at = length > 0.0 ? along / length : 1.0;
            double turn = across < 0.0 ? 3.0 + at : 1.0 - at; /* grows with the angle, 0 to 4 */
            if (j != i && turn < next) next = turn, cosine = along / abut_hypot(along, across);
        }
        least = next < 2.0 ? abut_smaller(least, cosine) : -1.0; /* of the widest angle between neighbors */
    }
    double hold = sqrt(0.5 * (1.0 + abut_larger(-1.0, least)) * (1.0 - height * height)),
           high = ABUT_FEATURE_CONE_FACE + ABUT_FACING_SPARE;
    if (!(height <= ABUT_FACING_FLAT) || !(hold > high)) return (double)ALL;
    /* sin x hold - cos x height = high */
    double sine = high / sqrt(hold * hold + height * height);
    return abut_atan2(sine, sqrt(1.0 - sine * sine)) + abut_atan2(height, hold);
}

static Cone cone_of_vertex(const AbutMeshFeatures *f, int32_t v) {
    Star s;
    if (!star_of(f, v, &s)) return all_directions();
    if (!(abut_length_sq(f->flat[v]) > 0.0)) return region_of(&s);
    return (Cone){f->flat[v], leaning(&s, f->flat[v])};
}

void abut_mesh_facing_flat(AbutMeshFeatures *f) {
    memset(f->flat, 0, (size_t)f->mesh.vertex_count * sizeof *f->flat);
    for (int32_t t = 0; t < f->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = f->mesh.triangles[t].v[k];
            f->flat[v] = abut_add(f->flat[v], f->normal[t]);
        }
    for (int32_t v = 0; v < f->mesh.vertex_count; ++v) {
        Star s;
        f->flat[v] = abut_normalize_or(f->flat[v], abut_zero());
        if (!star_of(f, v, &s) || !(leaning(&s, f->flat[v]) < (double)ALL)) f->flat[v] = abut_zero();
    }
}

/* ---- triangles and nodes ----------------------------------------------------------------------------------------- */

static Cone cone_of_edge(const AbutMeshFeatures *f, const AbutFeatureEdge *e) {
    if (e->t[0] < 0 || e->t[1] < 0) return all_directions();
    Cone side[2] = {{f->normal[e->t[0]], ABUT_FEATURE_CONE_EDGE}, {f->normal[e->t[1]], ABUT_FEATURE_CONE_EDGE}};
    return cone_around(side, 2);
}

static Cone cone_of_triangle(const AbutMeshFeatures *f, int32_t t) {
    Cone of[7];
    int count = 0;
    if (abut_length_sq(f->normal[t]) > 0.0) of[count++] = (Cone){f->normal[t], 0.0};
    for (int k = 0; k < 3; ++k) {
        if (f->own[t] & (ABUT_OWNS_VERTEX << k)) of[count++] = cone_of_vertex(f, f->mesh.triangles[t].v[k]);
        if (f->own[t] & (ABUT_OWNS_EDGE << k)) of[count++] = cone_of_edge(f, &f->edge[f->side[t].v[k]]);
    }
    return count > 0 ? cone_around(of, count) : all_directions();
}

static void put(AbutFacing *out, int lane, Cone cone, int owns) {
    double angle = cone.angle + 2.0 * ABUT_FACING_SPARE;
    out->axis[0][lane] = (float)cone.axis.x;
    out->axis[1][lane] = (float)cone.axis.y;
    out->axis[2][lane] = (float)cone.axis.z;
    out->angle[lane] = angle < 0.95 * (double)ALL ? (float)angle : ALL;
    out->owns |= (owns ? 1U : 0U) << lane;
}

/* A cone around those of some lanes. */
static void face_children(AbutFacing *out, int lane, const AbutFacing *in, int count) {
    Cone of[8];
    for (int l = 0; l < count; ++l)
        of[l] = (Cone){abut_vec3(in->axis[0][l], in->axis[1][l], in->axis[2][l]), in->angle[l]};
    put(out, lane, cone_around(of, count), in->owns != 0);
}

int abut_mesh_facing_make(AbutMeshFeatures *f) {
    const AbutMeshTree *t = f->tree;
    const AbutTreeInner *inner = abut_tree_inner(t);
    size_t count = (size_t)t->inner_count + (size_t)t->leaf_count;
    abut_free(f->facing);
    f->facing = abut_alloc_array(count + 1, sizeof *f->facing);
    if (!f->facing) return 0;
    memset(f->facing, 0, (count + 1) * sizeof *f->facing);
    AbutFacing *leaf = f->facing + t->inner_count;
    for (int32_t i = 0; i < t->leaf_count; ++i)
        for (int l = 0; l < abut_tree_leaves(t)[i].count; ++l) {
            int32_t number = abut_tree_source(t)[8 * i + l];
            put(&leaf[i], l, cone_of_triangle(f, number), f->own[number] != 0);
        }
    for (int32_t i = t->inner_count - 1; i >= 0; --i) /* children stand behind their node */
        for (int l = 0; l < inner[i].count; ++l) {
            int32_t child = inner[i].child[l];
            face_children(&f->facing[i], l, child >= 0 ? &f->facing[child] : &leaf[~child],
                child >= 0 ? inner[child].count : abut_tree_leaves(t)[~child].count);
        }
    return 1;
}
