/* SPDX-License-Identifier: Apache-2.0 */
/* One mode as text, and back. */
#include "mode/mode_bits.h"

#include <string.h>

size_t abut_mode_text(const AbutModeSystem *system, int nonlinear, AbutMode mode, char *text, size_t size) {
    ABUT_ASSERT(system && mode.plus && mode.minus && (text || size == 0));
    int lines = nonlinear ? 1 : system->lines, n = system->contacts, rows = n * (1 + lines);
    for (int i = 0; i < rows && (size_t)i + 1 < size; ++i) {
        int apart = i >= n && abut_mode_bit(mode.plus, (i - n) / lines);
        text[i] = apart ? '.' : abut_mode_bit(mode.plus, i) ? '+' : abut_mode_bit(mode.minus, i) ? '-' : '0';
    }
    if (size > 0) text[(size_t)rows < size ? (size_t)rows : size - 1] = 0;
    return (size_t)rows;
}

/* Signs allowed at place i of the text: `apart`, the contact separates; `both`, the sign may be negative. */
static const char *allowed(int apart, int both) { return apart ? "." : both ? "- 0 +" : "0 +"; }

AbutStatus abut_mode_parse(
    const AbutModeSystem *system, int nonlinear, const char *text, AbutMode out, AbutError *error) {
    ABUT_ASSERT(system && text && out.plus && out.minus);
    int lines = nonlinear ? 1 : system->lines, n = system->contacts, rows = n * (1 + lines);
    size_t words = (size_t)abut_mode_words(system, nonlinear), length = strlen(text);
    memset(out.plus, 0, 8 * words);
    memset(out.minus, 0, 8 * words);
    if (length != (size_t)n && length != (size_t)rows)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "a mode of this system has %d or %d signs, not %zu", n, rows, length);
    for (int i = 0; i < (int)length; ++i) {
        int apart = i >= n && abut_mode_bit(out.plus, (i - n) / lines), both = !nonlinear && i >= n;
        if (text[i] == ' ' || !strchr(allowed(apart, both), text[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "sign %d of the mode is '%c', expected one of %s", i, text[i],
                allowed(apart, both));
        if (text[i] == '+') abut_mode_set_bit(out.plus, i);
        if (text[i] == '-') abut_mode_set_bit(out.minus, i);
    }
    return ABUT_OK;
}
