/* SPDX-License-Identifier: Apache-2.0 */
/* Private: models from texts in memory, one function for each format; `name` stands for the file in messages. */
#ifndef ABUT_IMPORT_PARSE_H
#define ABUT_IMPORT_PARSE_H

#include "abut/import.h"

AbutStatus abut_model_parse_mjcf(const void *bytes, size_t count, const char *name, const AbutModelReadOptions *options,
    AbutModel **out, AbutError *error);
AbutStatus abut_model_parse_urdf(const void *bytes, size_t count, const char *name, const AbutModelReadOptions *options,
    AbutModel **out, AbutError *error);

#endif
