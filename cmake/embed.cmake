# SPDX-License-Identifier: Apache-2.0
# Writes the bytes of INPUT as the C array NAME_bytes, and their number as NAME_count, into OUTPUT.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUTPUT} "/* Made from ${INPUT}; do not edit. */
#include <stddef.h>
extern const unsigned char ${NAME}_bytes[];
extern const size_t ${NAME}_count;
const unsigned char ${NAME}_bytes[] = {
${hex}
};
const size_t ${NAME}_count = sizeof ${NAME}_bytes;
")
