/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as CSV of poses or as an animation: refused with a message, or finite keyframes with unit quaternions; as a
 * motion they have a pose and a bound of speed at every time. */
#include "abut/import.h"
#include "fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutKeyframe *key = NULL;
    AbutMotion motion;
    AbutError error;
    int32_t count = 0;
    AbutStatus status = abut_keyframes_parse(data, size, "input", &count, &key, NULL, &error);
    if (status != ABUT_OK) {
        FUZZ_REQUIRE(!key && count == 0 && error.text[0]);
        return 0;
    }
    for (int32_t i = 0; i < count; ++i)
        FUZZ_REQUIRE(isfinite(key[i].t) && abut_pose_is_finite(key[i].pose) &&
                     fabs(abut_quat_dot(key[i].pose.q, key[i].pose.q) - 1.0) < 1e-9);
    if (abut_motion_keyframes(count, key, &motion, &error) == ABUT_OK) {
        double middle = 0.5 * key[0].t + 0.5 * key[count - 1].t;
        double speed = abut_motion_speed(&motion, key[0].t, key[count - 1].t, NULL, abut_zero(), 1.0);
        FUZZ_REQUIRE(fabs(abut_quat_dot(abut_motion_pose(&motion, middle).q, abut_motion_pose(&motion, middle).q) -
                          1.0) < 1e-9 ||
                     !isfinite(speed));
        FUZZ_REQUIRE(speed >= 0.0);
    }
    abut_free(key);
    return 0;
}
