/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about Minkowski differences and the Phong distance. */
#include "records.h"
#include "abut/literature.h"
#include "values.h"

WORDS(facet_kind, "face_vertex", "vertex_face", "edges")

static const AbutField facet_fields[] = {
    WORD(FacetRow, kind, facet_kind),
    COUNT(FacetRow, a),
    COUNT(FacetRow, b),
    COUNT(FacetRow, sign),
    COUNT(FacetRow, corner_count),
    VECTOR(FacetRow, normal),
    {ABUT_FIELD_AS("corners", FacetRow, corners, REAL, "", ""), .rows = 4, .columns = 3},
    {ABUT_FIELD_AS("vertex_a", FacetRow, vertex_a, INT, "", ""), .rows = 4},
    {ABUT_FIELD_AS("vertex_b", FacetRow, vertex_b, INT, "", ""), .rows = 4},
};

Record record_facet = RECORD("Facet",
    "A flat facet of the convolution of two meshes.\n\n"
    "kind: 'face_vertex' (face a of A with vertex b of B), 'vertex_face' or 'edges' (a parallelogram of two edges).\n"
    "sign: multiplicity, 1 on the boundary. normal (3,): unit, outward. The first corner_count of corners (4, 3), m,\n"
    "are its corners, counter-clockwise, each a vertex vertex_a of A less a vertex vertex_b of B.",
    FacetRow, facet_fields);

static const AbutField measure_fields[] = {
    BIG_COUNT(AbutConvolutionMeasure, facets),
    REAL(AbutConvolutionMeasure, area),
    REAL(AbutConvolutionMeasure, open),
    REAL(AbutConvolutionMeasure, winding),
    REAL(AbutConvolutionMeasure, volume),
};

Record record_measure = RECORD("ConvolutionMeasure",
    "Measures of the closed chain of facets.\n\n"
    "area: of all facets, m^2. open: 0 but for rounding. winding: about the origin, the Euler characteristic of what\n"
    "the bodies have in common. volume: its integral over all translations, m^3; of convex bodies that of the\n"
    "difference.",
    AbutConvolutionMeasure, measure_fields);

static const AbutField kernel_fields[] = {
    VECTOR(AbutKernelDirection, direction),
    VECTOR(AbutKernelDirection, vector),
    REAL(AbutKernelDirection, coherence),
};

Record record_kernel = RECORD("KernelDirection",
    "Mean normal of the boundary of the difference near the origin.\n\n"
    "direction (3,): unit, from A to B, zero for none. vector (3,): before it is made a unit; coherence: its length.",
    AbutKernelDirection, kernel_fields);

static const AbutField phong_fields[] = {
    FLAG(AbutPhongDistance, found),
    FLAG(AbutPhongDistance, free),
    FLAG(AbutPhongDistance, premise_ok),
    COUNT(AbutPhongDistance, solutions),
    FLAG(AbutPhongDistance, lost),
    FLAG(AbutPhongDistance, overlap),
    FLAG(AbutPhongDistance, full),
    COUNT(AbutPhongDistance, tried),
    REAL(AbutPhongDistance, distance),
    VECTOR(AbutPhongDistance, direction),
    VECTOR(AbutPhongDistance, foot),
    REAL(AbutPhongDistance, residual),
    REAL(AbutPhongDistance, premise),
};

Record record_phong = RECORD("PhongDistance",
    "The Phong distance of two meshes, in the frame of A.\n\n"
    "found: False: no foot point; direction and foot are where it comes nearest to one. free: B moved by foot is\n"
    "apart. distance: length of the foot, m, negative in overlap, NaN where none was found. direction (3,): unit, "
    "from\n"
    "A to B. foot (3,): B moved by it touches A. lost: not found beside the last one. solutions: foot points seen.\n"
    "premise: largest angle between corner normals, rad; premise_ok: within that of the thesis. residual: of the root.",
    AbutPhongDistance, phong_fields);

static const AbutField pressure_fields[] = {
    FLAG(AbutPressure, valid),
    COUNT(AbutPressure, samples),
    VECTOR(AbutPressure, force),
    VECTOR(AbutPressure, torque),
    {ABUT_FIELD_AS("derivative", AbutPressure, derivative, REAL, "", ""), .rows = 6, .columns = 6},
    VECTOR(AbutPressure, center),
    REAL(AbutPressure, load),
    REAL(AbutPressure, area),
    REAL(AbutPressure, nearest),
};

Record record_pressure = RECORD("Pressure",
    "The force of two bodies that press on each other, in the axes of A.\n\n"
    "valid: False: bad numbers, or bodies without samples or field. samples: that are pressed. force (N), torque (N "
    "m,\n"
    "about the origin of B): on B. derivative (6, 6): of force and torque as B moves and turns. center (3,): where "
    "the\n"
    "pressure acts in the mean, m. load: N. area: m^2. nearest: least distance of a sample, m.",
    AbutPressure, pressure_fields);
