/* SPDX-License-Identifier: Apache-2.0 */
#include "import/warn.h"

#include <stdio.h>
#include <string.h>

void abut_import_warn(AbutWarnings *warnings, const AbutModelReadOptions *options, const AbutXmlElement *element,
    const char *format, va_list args)
{
    char message[300], text[500];
    int n = snprintf(message, sizeof message, "<%.40s>: ", element->tag);
    vsnprintf(message + n, sizeof message - (size_t)n, format, args);
    if (!options->warn || warnings->count == ABUT_IMPORT_WARNINGS)
        return;
    uint64_t hash = abut_hash(message, strlen(message), 0);
    for (int32_t i = 0; i < warnings->count; ++i)
        if (warnings->warned[i] == hash)
            return;
    warnings->warned[warnings->count++] = hash;
    snprintf(text, sizeof text, "%.180s:%d: %s", element->file, (int)element->line, message);
    options->warn(text, options->user);
    if (warnings->count == ABUT_IMPORT_WARNINGS)
        options->warn("further warnings are left out", options->user);
}
