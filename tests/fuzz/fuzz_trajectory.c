/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as a trajectory of a small arm: refused with a message, or one that passes its check and is certified to an
 * answer. */
#include "abut/file.h"
#include "fuzz.h"

#include <math.h>
#include "support/tree_of.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AbutModel *model;
    static AbutConfiguration *posture;
    static AbutPlanProblem *problem;
    AbutError error;
    uint8_t given[3];
    double joints[3];
    AbutTrajectory t;
    if (!problem) {
        FUZZ_REQUIRE(abut_model_build("planar-arm:3", 1, &model, &error) == ABUT_OK);
        FUZZ_REQUIRE(configuration_of(model, &posture, &error) == ABUT_OK);
        FUZZ_REQUIRE(abut_plan_problem_create(posture, NULL, NULL, &problem, &error) == ABUT_OK);
    }
    error.text[0] = 0;
    if (abut_trajectory_read("input", data, size, posture, (int)(size % 4) - 1, &t, given, &error) != ABUT_OK) {
        FUZZ_REQUIRE(!t.times && error.text[0]);
        return 0;
    }
    FUZZ_REQUIRE(abut_trajectory_check(&t, &error) == ABUT_OK && t.joint_count == 3);
    abut_trajectory_value(&t, 0.5 * (t.times[0] + t.times[t.piece_count]), 0, joints);
    AbutCertifyDef def = {0.001, 2000, 0};
    AbutCertificate x;
    FUZZ_REQUIRE(abut_plan_certify(problem, &t, &def, &x, NULL, &error) == ABUT_OK);
    FUZZ_REQUIRE(x.status != ABUT_CERTIFICATE_CLEAR || x.lb > def.level);
    FUZZ_REQUIRE(x.status != ABUT_CERTIFICATE_CONTACT || x.ub <= def.level);
    abut_trajectory_free(&t);
    return 0;
}
