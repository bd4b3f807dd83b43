/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes under the name of a TRI file. */
#include "mesh_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_mesh(data, size, "input.tri");
    return 0;
}
