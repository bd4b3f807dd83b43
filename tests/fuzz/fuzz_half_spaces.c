/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of half-spaces: finite planes, at least one of them, or an error that names the file. */
#include "abut/file.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutPlane *planes;
    int32_t count;
    AbutError error = {0};
    AbutStatus status = abut_half_spaces_parse(data, size, "input.txt", &count, &planes, &error);
    FUZZ_REQUIRE(status == error.status);
    if (status != ABUT_OK) {
        FUZZ_REQUIRE(!planes && count == 0 && strncmp(error.text, "input.txt:", 10) == 0);
        return 0;
    }
    FUZZ_REQUIRE(count > 0);
    for (int32_t i = 0; i < count; ++i) FUZZ_REQUIRE(abut_is_finite(planes[i].normal) && isfinite(planes[i].offset));
    abut_free(planes);
    return 0;
}
