/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room, and the empty gap. */
#include "query/contract.h"

const char *const abut_gap_outcome_names[ABUT_GAP_OUTCOME_COUNT + 1] = {
    "separated", "touching", "penetrating", "a_in_b", "b_in_a", "farther", "not converged", "empty", "invalid", NULL};
const char *const abut_gap_kind_names[ABUT_GAP_KIND_COUNT + 1] = {
    "exact", "sweep", "classic", "decomposition", "surface", NULL};
static const char *const part_kinds[] = {"none", "vertex", "edge", "face", "triangle", "piece", NULL};

static const AbutField gap_fields[] = {
    {ABUT_FIELD_WORDS(AbutGap, outcome, abut_gap_outcome_names, "How the bodies lie to each other.")},
    {ABUT_FIELD_WORDS(AbutGap, kind, abut_gap_kind_names, "What a depth is.")},
    {ABUT_FIELD(AbutGap, distance, REAL, "m", "Negative: the depth. 0 where meshes meet and no depth was requested.")},
    {ABUT_FIELD(AbutGap, error, REAL, "m", "Bound on the error of the distance.")},
    {ABUT_FIELD_VEC3(AbutGap, normal, "", "Unit vector from A to B; moving B along it parts the bodies.")},
    {ABUT_FIELD_VEC3(AbutGap, point_a, "m", "Witness point of A.")},
    {ABUT_FIELD_VEC3(AbutGap, point_b, "m", "Witness point of B.")},
    {ABUT_FIELD_AS("part_kind_a", AbutGap, part_a.kind, WORD, "", "What holds the point of A."), .words = part_kinds},
    {ABUT_FIELD_AS("part_a", AbutGap, part_a.index, INT, "",
         "Vertices of a feature of A, or the number of its triangle or piece; -1 for none."),
        .rows = 3},
    {ABUT_FIELD_AS("part_kind_b", AbutGap, part_b.kind, WORD, "", "What holds the point of B."), .words = part_kinds},
    {ABUT_FIELD_AS("part_b", AbutGap, part_b.index, INT, "", "The same of B."), .rows = 3},
    {ABUT_FIELD(AbutGap, surface, REAL, "m", "Meshes: distance of the surfaces alone.")},
    {ABUT_FIELD_VEC3(AbutGap, plane, "", "Depths of meshes: normal in which they touch after the move.")},
    {ABUT_FIELD(AbutGap, containment_known, FLAG, "", "False where a mesh is open.")},
    {ABUT_FIELD(AbutGap, verified, FLAG, "", "Depths of meshes: B moved by a little more is apart.")},
};

const AbutRecord abut_gap_record = ABUT_RECORD(
    "Gap", "How two bodies lie to each other, in the frame of A: their distance or depth.", AbutGap, gap_fields);

AbutGap abut_gap_invalid(void) {
    const AbutVec3 unknown = abut_vec3(NAN, NAN, NAN);
    const AbutPart none = {ABUT_PART_NONE, {-1, -1, -1}};
    return (AbutGap){.outcome = ABUT_INVALID,
        .distance = NAN,
        .error = NAN,
        .normal = unknown,
        .point_a = unknown,
        .point_b = unknown,
        .part_a = none,
        .part_b = none,
        .surface = NAN,
        .plane = unknown};
}
