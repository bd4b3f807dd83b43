/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a surface. In: a closed mesh, a spacing s. Out: places with area vector and area; and points without area.
 *
 * Method: every triangle is cut evenly into n^2 with sides of at most 0.7 s; their centers are gathered in cubes of
 * side s, one sample to a cube: place by area, area vector and area as sums. The area vectors of all samples add up to
 * zero, as those of the surface do, and long thin triangles do not cost more samples than others. Points without area
 * take part in the nearest distance alone: vertices, and places at spacing s along edges that turn by more than 20
 * degrees.
 */
#include "direction/soft_body.h"
#include "direction/tolerance.h"

#include <stdlib.h>

typedef struct Bit {
    int64_t cell[3];
    int32_t number, padding;
    AbutSoftSample sample;
} Bit;

static double longest_side(const AbutVec3 v[3]) {
    return abut_larger(
        abut_point_distance(v[0], v[1]), abut_larger(abut_point_distance(v[1], v[2]), abut_point_distance(v[2], v[0])));
}

static void corners_of(const AbutMesh *mesh, int32_t t, AbutVec3 v[3]) {
    for (int k = 0; k < 3; ++k) v[k] = mesh->vertices[mesh->triangles[t].v[k]];
}

/* Into how many parts the sides of a triangle are cut. */
static double parts_of(const AbutMesh *mesh, int32_t t, double spacing) {
    AbutVec3 v[3];
    corners_of(mesh, t, v);
    return abut_larger(1.0, ceil(longest_side(v) / (ABUT_SOFT_FINE * spacing)));
}

static void add_bit(AbutVec3 p, AbutVec3 area_vector, double area, double spacing, Bit *bits, int32_t *count) {
    Bit *bit = &bits[*count];
    bit->cell[0] = (int64_t)floor(p.x / spacing);
    bit->cell[1] = (int64_t)floor(p.y / spacing);
    bit->cell[2] = (int64_t)floor(p.z / spacing);
    bit->number = (*count)++;
    bit->padding = 0;
    bit->sample = (AbutSoftSample){p, area_vector, area};
}

static void cut_triangle(const AbutMesh *mesh, int32_t t, double spacing, Bit *bits, int32_t *count) {
    AbutVec3 v[3];
    corners_of(mesh, t, v);
    int n = (int)parts_of(mesh, t, spacing);
    double share = 1.0 / ((double)n * n);
    AbutVec3 whole = abut_scale(abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])), 0.5 * share);
    AbutVec3 u = abut_scale(abut_sub(v[1], v[0]), 1.0 / n), w = abut_scale(abut_sub(v[2], v[0]), 1.0 / n);
    double area = abut_length(whole);
    for (int i = 0; i < n && area > 0.0; ++i)
        for (int j = 0; i + j < n; ++j)
            for (int upper = 0; upper < (i + j + 2 <= n ? 2 : 1); ++upper) {
                double third = upper ? 2.0 / 3.0 : 1.0 / 3.0;
                AbutVec3 p = abut_add_scaled(abut_add_scaled(v[0], u, i + third), w, j + third);
                add_bit(p, whole, area, spacing, bits, count);
            }
}

static int compare_cells(const Bit *a, const Bit *b) {
    for (int k = 0; k < 3; ++k)
        if (a->cell[k] != b->cell[k]) return a->cell[k] < b->cell[k] ? -1 : 1;
    return 0;
}

static int compare_bits(const void *x, const void *y) {
    const Bit *a = x, *b = y;
    int by_cell = compare_cells(a, b);
    return by_cell ? by_cell : (a->number > b->number) - (a->number < b->number);
}

/* One sample for each run of bits in the same cube. */
static int32_t gather(const Bit *bits, int32_t count, AbutSoftSample *out) {
    int32_t samples = 0;
    for (int32_t i = 0, next; i < count; i = next) {
        AbutSoftSample s = {abut_zero(), abut_zero(), 0.0};
        for (next = i; next < count && compare_cells(&bits[i], &bits[next]) == 0; ++next) {
            s.p = abut_add_scaled(s.p, bits[next].sample.p, bits[next].sample.area);
            s.area_vector = abut_add(s.area_vector, bits[next].sample.area_vector);
            s.area += bits[next].sample.area;
        }
        s.p = abut_scale(s.p, 1.0 / s.area);
        out[samples++] = s;
    }
    return samples;
}

AbutStatus abut_soft_sample_mesh(
    const AbutMesh *mesh, double spacing, int32_t *count, AbutSoftSample **out, AbutError *error) {
    double need = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double parts = parts_of(mesh, t, spacing);
        need += parts * parts;
    }
    if (!(need <= 8.0 * ABUT_SOFT_MAX_SAMPLES))
        return abut_fail(error, ABUT_ERROR_LIMIT,
            "soft body: a smoothing length of %g m needs more than %d samples of this mesh; take a larger one", spacing,
            ABUT_SOFT_MAX_SAMPLES);
    Bit *bits = abut_alloc_array((size_t)need, sizeof *bits);
    AbutSoftSample *samples = abut_alloc_array((size_t)need, sizeof *samples);
    int32_t bit_count = 0;
    AbutStatus status = bits && samples ? ABUT_OK : abut_fail_memory(error);
    for (int32_t t = 0; t < mesh->triangle_count && status == ABUT_OK; ++t)
        cut_triangle(mesh, t, spacing, bits, &bit_count);
    if (status == ABUT_OK) {
        qsort(bits, (size_t)bit_count, sizeof *bits, compare_bits);
        *count = gather(bits, bit_count, samples);
        if (*count > ABUT_SOFT_MAX_SAMPLES)
            status = abut_fail(error, ABUT_ERROR_LIMIT, "soft body: %d samples, more than %d; take a larger tau",
                *count, ABUT_SOFT_MAX_SAMPLES);
    }
    abut_free(bits);
    if (status != ABUT_OK)
        abut_free(samples);
    else
        *out = samples;
    return status;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static AbutVec3 normal_of(const AbutMesh *mesh, int32_t t) {
    AbutVec3 v[3];
    corners_of(mesh, t, v);
    return abut_normalize(abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])));
}

/* Points that side k of triangle t gets, of which the triangle with the lower number takes care. */
static int32_t edge_points(const AbutMesh *mesh, const AbutTriangle *adjacency, int32_t t, int k, double spacing) {
    int32_t other = adjacency[t].v[k];
    if (other <= t || abut_dot(normal_of(mesh, t), normal_of(mesh, other)) >= ABUT_SOFT_SHARP) return 0;
    AbutVec3 a = mesh->vertices[mesh->triangles[t].v[k]], b = mesh->vertices[mesh->triangles[t].v[(k + 1) % 3]];
    double parts = ceil(abut_point_distance(a, b) / spacing);
    return parts > 1.0 ? (int32_t)abut_smaller(parts, ABUT_SOFT_MAX_SAMPLES) : 0;
}

static void place_edge_points(const AbutMesh *mesh, int32_t t, int k, int32_t parts, AbutVec3 *out) {
    AbutVec3 a = mesh->vertices[mesh->triangles[t].v[k]], b = mesh->vertices[mesh->triangles[t].v[(k + 1) % 3]];
    for (int32_t i = 0; i < parts; ++i) out[i] = abut_lerp(a, b, (i + 0.5) / parts);
}

static AbutStatus place_points(const AbutMesh *mesh, const AbutTriangle *adjacency, double spacing, int32_t *count,
    AbutVec3 **out, AbutError *error) {
    int64_t need = mesh->vertex_count;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) need += edge_points(mesh, adjacency, t, k, spacing);
    if (need > 8 * (int64_t)ABUT_SOFT_MAX_SAMPLES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "soft body: too many vertices, or too fine a spacing of edges");
    AbutVec3 *points = abut_alloc_array((size_t)need, sizeof *points);
    if (!points) return abut_fail_memory(error);
    int32_t placed = 0;
    for (; placed < mesh->vertex_count; ++placed) points[placed] = mesh->vertices[placed];
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t parts = edge_points(mesh, adjacency, t, k, spacing);
            place_edge_points(mesh, t, k, parts, points + placed);
            placed += parts;
        }
    *count = placed;
    *out = points;
    return ABUT_OK;
}

AbutStatus abut_soft_point_mesh(
    const AbutMesh *mesh, double spacing, int32_t *count, AbutVec3 **out, AbutError *error) {
    AbutTriangle *adjacency;
    AbutStatus status = abut_mesh_adjacency(mesh, &adjacency, error);
    if (status != ABUT_OK) return status;
    status = place_points(mesh, adjacency, spacing, count, out, error);
    abut_free(adjacency);
    return status;
}
