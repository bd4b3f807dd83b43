/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON file: in: a path; out: its text as nodes (json/read.h). */
#include "file/json_file.h"

#include <string.h>

#include "abut/file.h"

AbutStatus abut_json_read(const char *path, AbutJsonText *out, AbutError *error)
{
    char *text;
    size_t count;
    memset(out, 0, sizeof *out);
    AbutStatus status = abut_file_load(path, "JSON", ABUT_JSON_READ_BYTES, &text, &count, error);
    return status == ABUT_OK ? abut_json_parse_owned(text, count, path, out, error) : status;
}
