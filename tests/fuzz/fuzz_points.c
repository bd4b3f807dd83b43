/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as points, under the names of all formats: finite points or one clear refusal. */
#include "fuzz.h"

#include <math.h>

#include "abut/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"input.ply", "input.pcd", "input.npy", "input"};
    for (int k = 0; k < 4; ++k) {
        int64_t count = 0;
        AbutVec3 *points;
        AbutError error = {0};
        AbutStatus status = abut_points_read(names[k], data, size, &count, &points, &error);
        FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
        FUZZ_REQUIRE(!status == (points != NULL) && !status == (count > 0));
        for (int64_t i = 0; i < count; ++i) FUZZ_REQUIRE(abut_is_finite(points[i]));
        abut_free(points);
    }
    return 0;
}
