/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the overlap of two grown bodies to what a contact needs: normal, contact polygon and the thickness of the
 * overlap over it. Volume, centroid and areas are those of the overlap.
 *
 * Method: the normal is the direction of the area vector of A's faces. The contact polygon is the shadow of the overlap
 * along it: the one face that looks up, or the one that looks down, or else the hull of the corners of the faces that
 * look up. Area and moments are those of the whole shadow; only then are its corners reduced to ABUT_CONTACT_VERTICES:
 * those that nearly coincide are joined, then the corner that costs the least area goes. The thickness is a plane over
 * the polygon with the volume and the first moments of the overlap; its slope is damped over short patches, so that
 * slivers do not turn it, and it is raised until the deepest vertex has the depth of the overlap.
 *
 * An overlap with one face up and one down is a slab. Its normal is the mean of those two, whatever its sides: the
 * sides of flush faces are a margin high and would tilt the normal to and fro. Its thickness is the distance of the two
 * planes.
 */
#include "contact/grown.h"
#include "contact/patch.h"
#include "contact/polygon2.h"
#include "contact/tolerance.h"

/* ---- workspace --------------------------------------------------------------------------------------------------- */

static size_t face_count(const AbutGrownBody *body) {
    return body->polyhedron ? (size_t)body->polyhedron->face_count : 1;
}

/* Most corners of an overlap: twice its edges, and a convex polyhedron of n faces has less than 3 n. */
static size_t most_corners(const AbutGrownBody *a, const AbutGrownBody *b) {
    return 6 * (face_count(a) + face_count(b) + 2);
}

static size_t shadow_size(const AbutGrownBody *a, const AbutGrownBody *b) {
    size_t corners = most_corners(a, b);
    return ((corners * sizeof(AbutPoint2) + abut_polygon_room(corners)) + 63) & ~(size_t)63;
}

size_t abut_contact_workspace_size(const AbutGrownBody *a, const AbutGrownBody *b) {
    ABUT_ASSERT(a && b);
    return shadow_size(a, b) + abut_overlap_workspace_size(&a->convex, &b->convex);
}

/* ---- shadow ------------------------------------------------------------------------------------------------------ */

/* Faces that look up and down along the normal: how many, and one of them. */
typedef struct Sides {
    int up, down, up_face, down_face;
} Sides;

static Sides look(const AbutOverlap *overlap, AbutVec3 normal) {
    Sides s = {0, 0, -1, -1};
    for (int f = 0; f < overlap->face_count; ++f) {
        double d = abut_dot(overlap->face[f].plane.normal, normal);
        if (!(overlap->face[f].area > 0.0)) continue;
        if (d > ABUT_CONTACT_SIDE)
            ++s.up, s.up_face = f;
        else if (d < -ABUT_CONTACT_SIDE)
            ++s.down, s.down_face = f;
    }
    return s;
}

static int is_half_space(const AbutGrownBody *body) { return body->convex.kind == ABUT_CONVEX_HALF_SPACE; }

/* Is it a slab? The normal of a half-space is that of its plane: there it is none. */
static int is_slab(const AbutPatchPair *pair, Sides s) {
    return s.up == 1 && s.down == 1 && !is_half_space(pair->a) && !is_half_space(pair->b);
}

static AbutPoint2 project(const AbutPatch *patch, AbutVec3 p) {
    AbutVec3 r = abut_sub(p, patch->centroid);
    AbutPoint2 out = {abut_dot(r, patch->e1), abut_dot(r, patch->e2)};
    return out;
}

/* Corners of one face, `out` in counter-clockwise order seen against the normal. */
static int face_shadow(const AbutOverlap *overlap, const AbutPatch *patch, int f, int backward, AbutPoint2 *out) {
    const AbutOverlapFace *face = &overlap->face[f];
    const int32_t *corner = overlap->corner + face->first;
    for (int i = 0; i < face->count; ++i)
        out[i] = project(patch, overlap->vertex[corner[backward ? face->count - 1 - i : i]]);
    return face->count;
}

/* Corners of the shadow about the centroid. */
static int shadow(const AbutOverlap *overlap, const AbutPatch *patch, Sides s, AbutPoint2 *out, void *room) {
    int count = 0;
    if (s.up == 1) return face_shadow(overlap, patch, s.up_face, 0, out);
    if (s.down == 1) return face_shadow(overlap, patch, s.down_face, 1, out);
    for (int f = 0; f < overlap->face_count; ++f)
        if (abut_dot(overlap->face[f].plane.normal, patch->normal) > ABUT_CONTACT_SIDE)
            count += face_shadow(overlap, patch, f, 0, out + count);
    return abut_polygon_hull(out, count, room);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void choose_normal(const AbutPatchPair *pair, const AbutOverlap *overlap, AbutPatch *patch) {
    patch->normal = overlap->normal;
    if (abut_length(overlap->area_vector) < ABUT_CONTACT_NORMAL * overlap->area) {
        if (abut_length_sq(pair->last_normal) > 0.0)
            patch->normal = pair->last_normal;
        else if (!overlap->normal_from_depth) {
            AbutGap d = abut_convex_distance(&pair->a->convex, &pair->b->convex, pair->b_in_a, NULL, NULL);
            patch->normal = d.outcome == ABUT_INVALID ? overlap->normal : d.normal;
        }
    }
}

/* The normal of a slab, where the overlap is one, and axes across it; gives its faces. */
static Sides orient(const AbutPatchPair *pair, const AbutOverlap *overlap, AbutPatch *patch) {
    Sides s = look(overlap, patch->normal);
    if (is_slab(pair, s))
        patch->normal =
            abut_normalize(abut_sub(overlap->face[s.up_face].plane.normal, overlap->face[s.down_face].plane.normal));
    patch->e1 = abut_perpendicular(patch->normal);
    patch->e2 = abut_cross(patch->normal, patch->e1);
    return s;
}

static void measure_extent(const AbutOverlap *overlap, AbutPatch *patch) {
    double up = 0.0, down = 0.0;
    for (int f = 0; f < overlap->face_count; ++f) {
        double d = abut_dot(overlap->face[f].plane.normal, patch->normal) * overlap->face[f].area;
        *(d > 0.0 ? &up : &down) += fabs(d);
    }
    patch->area = abut_larger(up, down);
    patch->low = INFINITY;
    patch->high = -INFINITY;
    for (int i = 0; i < overlap->vertex_count; ++i) {
        double s = abut_dot(patch->normal, abut_sub(overlap->vertex[i], patch->centroid));
        patch->low = abut_smaller(patch->low, s);
        patch->high = abut_larger(patch->high, s);
    }
}

/* A plane over the polygon with the volume and first moments of the overlap, raised to the true depth. */
static void fit_thickness(AbutPatch *patch, AbutPolygonMoments m, double damp) {
    double mean = patch->area > 0.0 ? patch->volume / patch->area : patch->high - patch->low;
    double xx = m.xx + damp * damp, yy = m.yy + damp * damp, det = xx * yy - m.xy * m.xy;
    double gx = -mean * (yy * m.cx - m.xy * m.cy) / det, gy = -mean * (xx * m.cy - m.xy * m.cx) / det, most = -INFINITY;
    for (int i = 0; i < patch->vertex_count; ++i) {
        patch->thickness[i] = mean + gx * (patch->x[i] - m.cx) + gy * (patch->y[i] - m.cy);
        most = abut_larger(most, patch->thickness[i]);
    }
    double lift = abut_larger(0.0, patch->high - patch->low - most);
    for (int i = 0; i < patch->vertex_count; ++i) patch->thickness[i] += lift;
    patch->plane[0] = mean + lift - gx * m.cx - gy * m.cy;
    patch->plane[1] = gx;
    patch->plane[2] = gy;
}

/* The plane of a face as a height over the contact plane: at the centroid, slopes along e1, e2. */
static void face_height(const AbutOverlap *overlap, const AbutPatch *patch, int f, double height[3]) {
    AbutPlane plane = overlap->face[f].plane;
    double along = abut_dot(plane.normal, patch->normal);
    height[0] = (plane.offset - abut_dot(plane.normal, patch->centroid)) / along;
    height[1] = -abut_dot(plane.normal, patch->e1) / along;
    height[2] = -abut_dot(plane.normal, patch->e2) / along;
}

/* Thickness of a slab: the distance of its two planes along the normal. */
static void slab_thickness(const AbutOverlap *overlap, Sides s, AbutPatch *patch) {
    double up[3], down[3];
    face_height(overlap, patch, s.up_face, up);
    face_height(overlap, patch, s.down_face, down);
    for (int k = 0; k < 3; ++k) patch->plane[k] = up[k] - down[k];
    for (int i = 0; i < patch->vertex_count; ++i)
        patch->thickness[i] = patch->plane[0] + patch->plane[1] * patch->x[i] + patch->plane[2] * patch->y[i];
}

/* Polygon, its integrals and its corners. */
static int measure_polygon(
    const AbutPatchPair *pair, const AbutOverlap *overlap, Sides s, double size, void *workspace, AbutPatch *patch) {
    AbutPoint2 *p = workspace;
    void *room = p + most_corners(pair->a, pair->b);
    int n = shadow(overlap, patch, s, p, room);
    if (n == 0) return 0;
    AbutPolygonMoments m = abut_polygon_moments(p, n);
    double least = ABUT_CONTACT_LENGTH * size;
    patch->polygon_area = m.area;
    patch->length = sqrt(abut_larger(m.xx + m.yy + m.cx * m.cx + m.cy * m.cy, least * least));
    patch->torsion = pair->uniform_torsion ? abut_polygon_spread(p, n, m) : 1.0;
    n = abut_polygon_merge(p, n, ABUT_CONTACT_MERGE * size + ABUT_CONTACT_MERGE_PATCH * patch->length, room);
    n = abut_polygon_thin(p, n, ABUT_CONTACT_VERTICES, room);
    patch->vertex_count = n;
    for (int i = 0; i < n; ++i) {
        patch->x[i] = p[i].x;
        patch->y[i] = p[i].y;
    }
    if (is_slab(pair, s))
        slab_thickness(overlap, s, patch);
    else
        fit_thickness(patch, m, ABUT_CONTACT_DAMP * size);
    return 1;
}

int abut_patch_find(const AbutPatchPair *pair, AbutOverlapCache *cache, void *workspace, size_t workspace_size,
    AbutOverlap *overlap, AbutPatch *patch) {
    size_t used = shadow_size(pair->a, pair->b);
    double size = abut_smaller(pair->a->size, pair->b->size);
    if (abut_patch_is_round(pair)) {
        overlap->outcome = ABUT_OVERLAP_DISJOINT;
        return abut_round_patch(pair, patch);
    }
    if (workspace_size < used) return -1;
    *overlap = abut_overlap(
        &pair->a->convex, &pair->b->convex, pair->b_in_a, cache, (char *)workspace + used, workspace_size - used);
    if (overlap->outcome == ABUT_OVERLAP_DISJOINT || overlap->outcome == ABUT_OVERLAP_TOUCHING) return 0;
    if (overlap->outcome != ABUT_OVERLAP_VOLUME) return -1;
    if (!(overlap->volume > ABUT_CONTACT_VOLUME * size * size * size)) return 0;
    patch->round = patch->seat_of_b = 0;
    patch->seat = ABUT_SEAT_NONE;
    patch->volume = overlap->volume;
    patch->centroid = overlap->centroid;
    choose_normal(pair, overlap, patch);
    Sides sides = orient(pair, overlap, patch);
    patch->flat = sides.up == 1 && sides.down == 1;
    measure_extent(overlap, patch);
    return measure_polygon(pair, overlap, sides, size, workspace, patch);
}
