/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two files of the YAML reader: the place of reading, and the JSON that is written. */
#ifndef ABUT_SRC_JSON_YAML_TEXT_H
#define ABUT_SRC_JSON_YAML_TEXT_H

#include "base/text.h"
#include "json/yaml.h"

/* The JSON has its line breaks where the YAML has them, so that its reader names the right lines. */
typedef struct AbutYaml {
    AbutText text;
    const char *line, *first; /* where the line begins; what on it is no space */
    int row, put_row;         /* lines that were read, and written */
    int depth;                /* of nodes that are open */
    int no_memory;
    char *out;
    size_t count, capacity;
} AbutYaml;

AbutStatus abut_yaml_fail(const AbutYaml *y, const char *what);

void abut_yaml_put(AbutYaml *y, char c);
/* A word of JSON, on the line of the YAML that is being read. */
void abut_yaml_put_word(AbutYaml *y, const char *word);

static inline int abut_yaml_is_end(char c) { return c == '\n' || c == '\r'; }

/* The character at the place of reading, or some behind it; 0: the end. */
static inline char abut_yaml_look(const AbutYaml *y, ptrdiff_t behind) {
    return behind < y->text.end - y->text.at ? y->text.at[behind] : 0;
}

/* Is that a space, an end of a line, or the end? */
static inline int abut_yaml_is_gap(const AbutYaml *y, ptrdiff_t behind) {
    char c = abut_yaml_look(y, behind);
    return y->text.end - y->text.at <= behind || c == ' ' || c == '\t' || abut_yaml_is_end(c);
}

/* Over the end of a line. */
void abut_yaml_next_line(AbutYaml *y);

/* To the next thing that is no space, comment or empty line. */
AbutStatus abut_yaml_skip(AbutYaml *y);

/* At the end, or at a line "---" or "..." */
int abut_yaml_at_end(const AbutYaml *y);

/* A scalar in quotes, as a string of JSON. */
AbutStatus abut_yaml_quoted(AbutYaml *y);

/* Where a plain scalar ends on its line, and whether ':' is behind it, which makes it a key. */
const char *abut_yaml_plain_end(const AbutYaml *y, int flow, int *key);

/* A plain scalar up to `end`, as what it is; as a key always a string. In column `least` or farther right its text goes
 * on in the lines below; -1: nowhere. */
AbutStatus abut_yaml_plain(AbutYaml *y, const char *end, int key, ptrdiff_t least);

#endif
