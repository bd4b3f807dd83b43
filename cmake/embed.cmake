# SPDX-License-Identifier: Apache-2.0
# Writes the bytes of INPUT as a C array into OUTPUT.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUTPUT} "/* Made from the page template; do not edit. */
#include <stddef.h>
extern const unsigned char abut_page_template_bytes[];
extern const size_t abut_page_template_count;
const unsigned char abut_page_template_bytes[] = {
${hex}
};
const size_t abut_page_template_count = sizeof abut_page_template_bytes;
")
