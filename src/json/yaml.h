/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML in, as the nodes of JSON: the part that messages of ROS are printed in. One document of mappings and sequences,
 * by columns or in brackets, plain and quoted scalars. Anchors, aliases, tags, texts with | and >, and tabs in the
 * indentation are refused. JSON is understood too.
 */
#ifndef ABUT_SRC_JSON_YAML_H
#define ABUT_SRC_JSON_YAML_H

#include "json/read.h"

/* As abut_json_parse, whose limits hold; failures name the line of the YAML. */
AbutStatus abut_yaml_parse(const void *bytes, size_t count, const char *name, AbutJsonText *out, AbutError *error);

#endif
