/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thin pieces for the search in the place of an open mesh, which has no inside. In: a mesh. Out: convex sheets that
 * cover its triangles. Method: the set of triangles whose hull is farthest from being a flat convex sheet is cut in two
 * across its longest side, until all are flat to 0.5 % of the size of the mesh, or there are 128.
 */
#include "proof/obstacles.h"

#include <math.h>
#include <string.h>

enum { MOST = 128 };
static const double FLAT = 5e-3, HALF_THICK = 1e-4, SPARE_AREA = 0.02; /* of the size; of the area */

typedef struct Set {
    int32_t first, count;
    double loss; /* m: how thick its hull is, or how wide the holes are that it covers */
} Set;

typedef struct Sheets {
    const AbutMesh *mesh;
    double size;
    int32_t *order; /* triangles, set by set */
    AbutVec3 *points;
    Set sets[MOST];
    int32_t count;
} Sheets;

static const AbutVec3 *corner(const Sheets *s, int32_t slot, int k) {
    return &s->mesh->vertices[s->mesh->triangles[s->order[slot]].v[k]];
}

static AbutVec3 doubled_normal(const Sheets *s, int32_t slot) {
    AbutVec3 a = *corner(s, slot, 0);
    return abut_cross(abut_sub(*corner(s, slot, 1), a), abut_sub(*corner(s, slot, 2), a));
}

/* The mean normal of a set, whichever way its triangles run; *area is theirs. */
static AbutVec3 normal_of(const Sheets *s, const Set *set, double *area) {
    AbutVec3 sum = abut_zero();
    *area = 0.0;
    for (int32_t i = set->first; i < set->first + set->count; ++i) {
        AbutVec3 n = doubled_normal(s, i);
        sum = abut_add_scaled(sum, n, abut_dot(sum, n) < 0.0 ? -1.0 : 1.0);
        *area += 0.5 * abut_length(n);
    }
    return abut_normalize_or(sum, abut_axis(2));
}

/* The hull of the triangles of a set, made a little thicker; NULL: it has none. */
static AbutPolyhedron *sheet_of(const Sheets *s, const Set *set, AbutVec3 n) {
    AbutPolyhedron *out;
    int count = 0;
    for (int32_t i = set->first; i < set->first + set->count; ++i)
        for (int k = 0; k < 6; ++k)
            s->points[count++] = abut_add_scaled(*corner(s, i, k % 3), n, (k < 3 ? HALF_THICK : -HALF_THICK) * s->size);
    return abut_polyhedron_from_points(s->points, count, NULL, &out, NULL) == ABUT_OK ? out : NULL;
}

static double loss_of(const Sheets *s, const Set *set) {
    double area, low = INFINITY, high = -INFINITY;
    AbutVec3 n = normal_of(s, set, &area);
    if (set->count < 2) return 0.0;
    for (int32_t i = set->first; i < set->first + set->count; ++i)
        for (int k = 0; k < 3; ++k) {
            low = fmin(low, abut_dot(n, *corner(s, i, k)));
            high = fmax(high, abut_dot(n, *corner(s, i, k)));
        }
    if (high - low > FLAT * s->size) return high - low;
    AbutPolyhedron *sheet = sheet_of(s, set, n);
    double covered = sheet ? 0.5 * sheet->mass.area : 0.0;
    abut_polyhedron_free(sheet);
    return covered - area > SPARE_AREA * covered ? sqrt(covered - area) : high - low;
}

/* Three times the middle of a triangle along an axis. */
static double middle(const Sheets *s, int32_t slot, int axis) {
    AbutVec3 sum = abut_add(abut_add(*corner(s, slot, 0), *corner(s, slot, 1)), *corner(s, slot, 2));
    return abut_dot(sum, abut_axis(axis));
}

/* Cuts a set in two where the middles of its triangles spread most; at least one triangle stays on either side. */
static void cut(Sheets *s, Set *set) {
    double widest = -1.0, at = 0.0;
    int32_t end = set->first + set->count, low = set->first;
    int axis = 0;
    for (int k = 0; k < 3; ++k) {
        double from = INFINITY, to = -INFINITY;
        for (int32_t i = set->first; i < end; ++i) {
            from = fmin(from, middle(s, i, k));
            to = fmax(to, middle(s, i, k));
        }
        if (to - from > widest) {
            widest = to - from;
            at = 0.5 * (from + to);
            axis = k;
        }
    }
    for (int32_t i = set->first; i < end; ++i)
        if (middle(s, i, axis) < at) {
            int32_t kept = s->order[i];
            s->order[i] = s->order[low];
            s->order[low++] = kept;
        }
    if (low == set->first || low == end) low = set->first + set->count / 2;
    Set *other = &s->sets[s->count++];
    *other = (Set){low, end - low, 0.0};
    set->count = low - set->first;
    set->loss = loss_of(s, set);
    other->loss = loss_of(s, other);
}

static Set *worst_of(Sheets *s) {
    Set *worst = &s->sets[0];
    for (int32_t i = 1; i < s->count; ++i) worst = s->sets[i].loss > worst->loss ? &s->sets[i] : worst;
    return worst;
}

/* Makes the sets, and adds their hulls to body 0 of a model. */
static AbutStatus add_sheets(Sheets *s, AbutModel *model, AbutError *error) {
    AbutStatus status = ABUT_OK;
    s->sets[0] = (Set){0, s->mesh->triangle_count, 0.0};
    s->sets[0].loss = loss_of(s, &s->sets[0]);
    for (s->count = 1; s->count < MOST && worst_of(s)->loss > FLAT * s->size;) cut(s, worst_of(s));
    for (int32_t i = 0; i < s->count && !status; ++i) {
        double area;
        AbutPolyhedron *sheet = sheet_of(s, &s->sets[i], normal_of(s, &s->sets[i], &area));
        if (sheet) /* a triangle without area has none, and is seen by the proof */
            status = abut_plan_add_piece(model, sheet, error);
        abut_polyhedron_free(sheet);
    }
    return status;
}

AbutStatus abut_plan_add_sheets(AbutModel *model, const AbutMesh *mesh, double *thick, AbutError *error) {
    size_t count = (size_t)mesh->triangle_count;
    Sheets *s = abut_alloc(sizeof *s);
    int32_t *order = abut_alloc_array(count + 1, sizeof *order);
    AbutVec3 *points = abut_alloc_array(6 * count + 1, sizeof *points);
    AbutStatus status = s && order && points ? ABUT_OK : abut_fail_memory(error);
    if (!status) {
        AbutAabb box = abut_aabb_empty();
        for (int32_t i = 0; i < mesh->vertex_count; ++i) box = abut_aabb_add(box, mesh->vertices[i]);
        *s = (Sheets){.mesh = mesh, .size = abut_point_distance(box.min, box.max), .order = order, .points = points};
        for (size_t i = 0; i < count; ++i) order[i] = (int32_t)i;
        status = add_sheets(s, model, error);
        *thick = worst_of(s)->loss > FLAT * s->size ? worst_of(s)->loss : 0.0;
    }
    abut_free(points);
    abut_free(order);
    abut_free(s);
    return status;
}
