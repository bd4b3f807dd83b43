/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target offers: the entry point that libFuzzer and the replay program call. */
#ifndef ABUT_TESTS_FUZZ_H
#define ABUT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold for every input; the process stops where it does not. */
#define FUZZ_REQUIRE(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) abort();                                                                                     \
    } while (0)

#endif
