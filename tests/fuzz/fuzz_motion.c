/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as a motion, CSV or JSON: refused with a message, or a motion that passes its own check, with unit
 * quaternions at every time. */
#include "abut/import.h"
#include "fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutMotion *parsed = NULL;
    AbutError error;
    double from, to;
    if (abut_motion_parse(data, size, "input", &parsed, NULL, &error) != ABUT_OK) {
        FUZZ_REQUIRE(!parsed && error.text[0]);
        return 0;
    }
    AbutMotion motion = *parsed;
    FUZZ_REQUIRE(abut_motion_check(&motion, &error) == ABUT_OK);
    abut_motion_span(&motion, &from, &to);
    FUZZ_REQUIRE(isfinite(from) && isfinite(to) && to >= from);
    AbutPose pose = abut_motion_pose(&motion, 0.5 * from + 0.5 * to);
    FUZZ_REQUIRE(fabs(abut_quat_dot(pose.q, pose.q) - 1.0) < 1e-9 || !isfinite(pose.q.w));
    FUZZ_REQUIRE(!(abut_motion_speed(&motion, from, to, NULL, abut_zero(), 1.0) < 0.0));
    abut_motion_free(parsed);
    return 0;
}
