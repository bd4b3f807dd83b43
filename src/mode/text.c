/* SPDX-License-Identifier: Apache-2.0 */
/* One mode as numbers and as text, and back. */
#include "mode/plan.h"

#include <string.h>

static int bit(const uint64_t *words, int i)
{
    return (int)(words[i >> 6] >> (i & 63)) & 1;
}

void abut_mode_signs(
    const AbutModeSystem *system, int nonlinear, const uint64_t *plus, const uint64_t *minus, int8_t *signs)
{
    int rows = system->contacts * (1 + (nonlinear ? 1 : system->lines));
    for (int i = 0; i < rows; ++i)
        signs[i] = (int8_t)(bit(plus, i) - bit(minus, i));
}

size_t abut_mode_text(
    const AbutModeSystem *system, int nonlinear, const uint64_t *plus, const uint64_t *minus, char *text, size_t size)
{
    int lines = nonlinear ? 1 : system->lines, n = system->contacts, rows = n * (1 + lines);
    for (int i = 0; i < rows && (size_t)i + 1 < size; ++i) {
        int apart = i >= n && bit(plus, (i - n) / lines);
        text[i] = apart ? '.' : bit(plus, i) ? '+' : bit(minus, i) ? '-' : '0';
    }
    if (size > 0)
        text[(size_t)rows < size ? (size_t)rows : size - 1] = 0;
    return (size_t)rows;
}

/* `lines` signs per contact behind those of the contacts; `signs`: they may be negative. */
static AbutStatus parse(const AbutModeSystem *system, int lines, const char *text, int signs, uint64_t *plus,
    uint64_t *minus, AbutError *error)
{
    int n = system->contacts, rows = n * (1 + lines);
    size_t length = text ? strlen(text) : 0;
    if (length != (size_t)n && length != (size_t)rows)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "a mode of this system has %d or %d signs, not %zu", n, rows, length);
    for (int i = 0; i < (int)length; ++i) {
        int apart = i >= n && bit(plus, (i - n) / lines), both = signs && i >= n;
        int fits = apart ? text[i] == '.' : text[i] == '0' || text[i] == '+' || (both && text[i] == '-');
        if (!fits)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "sign %d of the mode is '%c', expected one of %s", i, text[i],
                apart  ? "."
                : both ? "- 0 +"
                       : "0 +");
        if (text[i] == '+')
            plus[i >> 6] |= (uint64_t)1 << (i & 63);
        if (text[i] == '-')
            minus[i >> 6] |= (uint64_t)1 << (i & 63);
    }
    return ABUT_OK;
}

AbutStatus abut_mode_parse(
    const AbutModeSystem *system, const char *text, uint64_t *plus, uint64_t *minus, AbutError *error)
{
    size_t words = (size_t)abut_mode_words(system, 0);
    memset(plus, 0, 8 * words);
    memset(minus, 0, 8 * words);
    return parse(system, system->lines, text, 1, plus, minus, error);
}

AbutStatus abut_mode_parse_nonlinear(
    const AbutModeSystem *system, const char *text, uint64_t *plus, uint64_t *minus, AbutError *error)
{
    size_t words = (size_t)abut_mode_words(system, 1);
    memset(plus, 0, 8 * words);
    memset(minus, 0, 8 * words);
    return parse(system, 1, text, 0, plus, minus, error);
}
