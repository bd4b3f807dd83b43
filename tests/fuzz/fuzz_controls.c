/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as a table of controls: refused with a message, or rows of finite numbers with growing times. */
#include "abut/import.h"
#include "fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AbutModel *model;
    AbutControls controls;
    AbutError error;
    double u[2] = {0.0, 0.0};
    if (!model) FUZZ_REQUIRE(abut_model_build("gripper", 1, &model, &error) == ABUT_OK);
    if (abut_controls_read("input", data, size, model, &controls, &error) != ABUT_OK) {
        FUZZ_REQUIRE(!controls.numbers && controls.row_count == 0 && error.text[0]);
        return 0;
    }
    int32_t width = controls.actuator_count + 1;
    FUZZ_REQUIRE(controls.row_count > 0 && width <= 3);
    for (int32_t i = 0; i < controls.row_count * width; ++i) FUZZ_REQUIRE(isfinite(controls.numbers[i]));
    for (int32_t i = 1; i < controls.row_count; ++i)
        FUZZ_REQUIRE(controls.numbers[i * width] > controls.numbers[(i - 1) * width]);
    abut_controls_at(&controls, controls.numbers[0], u);
    for (int32_t i = 0; i < controls.actuator_count; ++i)
        FUZZ_REQUIRE(u[controls.actuators[i]] == controls.numbers[1 + i]);
    abut_controls_free(&controls);
    return 0;
}
