/* SPDX-License-Identifier: Apache-2.0 */
/* Status names, and the one way to report a failure. */
#include "abut/base.h"
#include "abut/version.h"

#include <stdarg.h>
#include <stdio.h>

const char *abut_version(void) { return ABUT_VERSION; }

const char *abut_status_text(AbutStatus status) {
    switch (status) {
    case ABUT_OK:
        return "ok";
    case ABUT_ERROR_ARGUMENT:
        return "bad argument";
    case ABUT_ERROR_MEMORY:
        return "out of memory";
    case ABUT_ERROR_FILE:
        return "file error";
    case ABUT_ERROR_FORMAT:
        return "bad format";
    case ABUT_ERROR_LIMIT:
        return "limit passed";
    case ABUT_ERROR_NUMBER:
        return "not a finite number";
    case ABUT_ERROR_DEGENERATE:
        return "degenerate geometry";
    case ABUT_ERROR_EMPTY:
        return "empty set";
    case ABUT_ERROR_CANCELED:
        return "canceled";
    case ABUT_ERROR_UNSUPPORTED:
        return "not supported by this build";
    }
    return "unknown status";
}

AbutStatus abut_fail(AbutError *error, AbutStatus status, const char *format, ...) {
    ABUT_ASSERT(format);
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        error->field = NULL;
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

AbutStatus abut_fail_memory(AbutError *error) { return abut_fail(error, ABUT_ERROR_MEMORY, "out of memory"); }

AbutStatus abut_fail_field(AbutError *error, AbutStatus status, const char *field, const char *format, ...) {
    ABUT_ASSERT(field && format);
    if (error) {
        va_list args;
        va_start(args, format);
        int length = snprintf(error->text, sizeof error->text, "%s", field);
        vsnprintf(error->text + length, sizeof error->text - (size_t)length, format, args);
        va_end(args);
        error->status = status;
        error->field = field;
    }
    return status;
}
