/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON file read whole and parsed. */
#ifndef ABUT_SRC_FILE_JSON_FILE_H
#define ABUT_SRC_FILE_JSON_FILE_H

#include "json/read.h"

/* On failure *out is empty. Free with abut_json_text_free. */
AbutStatus abut_json_read(const char *path, AbutJsonText *out, AbutError *error);

#endif
