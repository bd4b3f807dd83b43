/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as limits of the joints of a small arm: refused with a message, or limits that are numbers or none. */
#include "abut/file.h"
#include "fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AbutModel *model;
    AbutPlanJointLimits x[3];
    AbutError error;
    if (!model) FUZZ_REQUIRE(abut_model_build("planar-arm:3", 1, &model, &error) == ABUT_OK);
    error.text[0] = 0;
    if (abut_limits_read("input", data, size, model, x, &error) != ABUT_OK) {
        FUZZ_REQUIRE(error.text[0]);
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        FUZZ_REQUIRE(!isinf(x[i].lower) && !isinf(x[i].upper));
        FUZZ_REQUIRE(!(x[i].speed <= 0.0) && !(x[i].acceleration <= 0.0) && !(x[i].torque <= 0.0));
    }
    return 0;
}
