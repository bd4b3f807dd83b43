/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut toi: when do two moving bodies first touch? In: mesh files or bodies in words, and their motions. Out: time,
 * bracket, place and normal in the world frame. Exit 0 hit, 1 no hit, 3 grazing or not decided.
 */
#include "operands.h"

typedef struct Answer {
    AbutImpact x;
    int32_t feature[2];
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, x, abut_impact_record, "outcome t t_lo t_hi distance point=point_a normal")},
    {ABUT_FIELD(Answer, feature, INT, "", "Triangles of A and B, or their pieces; -1 for a convex body."), .rows = 2},
    {ABUT_FIELD_OF(Answer, x, abut_impact_record, "rounds")},
};
const AbutRecord cli_toi_answer = ABUT_RECORD("toi", "", Answer, answer_fields);

static const char answer_text[] = "  outcome      {outcome}\n"
                                  "  t            {t:.9g} s\n"
                                  "  bracket      {t_lo:.9g} to {t_hi:.9g} s\n"
                                  "  distance     {distance:.9g} m\n"
                                  "  point        {point~point:.9g} m\n"
                                  "  normal       {normal~:.9g}\n"
                                  "  triangles    {feature}\n";

int cli_toi(int argc, char **argv) {
    Operands o = operands_make();
    int json = 0;
    double tolerance = 0.0;
    const CliOption options[] = {
        OPERAND_OPTIONS(&o),
        OPERAND_MOTIONS(&o),
        OPTION("--to", CLI_REAL, &o.to, "T",
            "its end, before the start for a search backward (default: the last time of the files)"),
        OPTION("--tol", CLI_REAL, &tolerance, "D",
            "distance that counts as touching (default, and 0: 1e-6 of the smaller mesh's radius)", 0.0, 1e60),
        cli_row("--json", &json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &o);
    operands_read_motions(&o); /* first: an animation says how the meshes are read */
    operands_read(ABUT_SOLID_TRIANGLES, &o);
    operands_refuse_planes(&o);
    AbutMover a = {operands_solid(&o, 0), o.of[0].motion}, b = {operands_solid(&o, 1), o.of[1].motion};
    AbutImpact x = abut_time_of_impact(&a, &b, &(AbutImpactDef){.from = o.from, .to = o.to, .tolerance = tolerance});
    if (x.outcome == ABUT_IMPACT_INVALID)
        cli_error("the numbers are too large, a mesh is empty, or a half-space turns");
    return cli_answer(json ? 2 : CLI_AS_TEXT, &cli_toi_answer, answer_text, &(Answer){x, {x.part_a, x.part_b}},
        operands_impact_status(x.outcome));
}
