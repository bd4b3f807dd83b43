/* SPDX-License-Identifier: Apache-2.0 */
/* The state of expanding a xacro file: properties and macros in nested tables, values of expressions, and what is left
 * of the limits. */
#ifndef ABUT_SRC_IMPORT_XACRO_H
#define ABUT_SRC_IMPORT_XACRO_H

#include "import/urdf_read.h"

typedef enum AbutXacroKind {
    ABUT_XACRO_WHOLE = 0, /* a whole number; as large as a double keeps them apart */
    ABUT_XACRO_REAL,
    ABUT_XACRO_BOOL,
    ABUT_XACRO_TEXT,
    ABUT_XACRO_BLOCK /* an element, for insert_block */
} AbutXacroKind;

typedef struct AbutXacroValue {
    AbutXacroKind kind;
    double number;
    const char *text; /* in the pool */
    const AbutXmlElement *block;
} AbutXacroValue;

typedef struct AbutXacroSymbol AbutXacroSymbol;
struct AbutXacroSymbol {
    AbutXacroSymbol *next;
    const char *name;
    AbutXacroValue value; /* unevaluated: its text is to be evaluated at the first use */
    int unevaluated, evaluating;
};

typedef struct AbutXacroMacro AbutXacroMacro;
struct AbutXacroMacro {
    AbutXacroMacro *next;
    const char *name, *params;
    const AbutXmlElement *body;
};

/* Names of a file or of one call of a macro, which sees those of its caller. */
typedef struct AbutXacroTable AbutXacroTable;
struct AbutXacroTable {
    AbutXacroTable *parent;
    AbutXacroSymbol *symbols;
    AbutXacroMacro *macros;
};

enum {
    ABUT_XACRO_WORK = 10000000,   /* elements, names and operations that a file may take */
    ABUT_XACRO_TEXT_SIZE = 65536, /* bytes of one text */
    ABUT_XACRO_EXPRESSION = 2000, /* bytes of one expression */
    ABUT_XACRO_DEPTH = 150,       /* of macros and blocks in each other */
};

typedef struct AbutXacro {
    AbutXml *xml;
    AbutError *error;
    const AbutXmlElement *at;  /* the element that is expanded, for messages */
    AbutXacroTable *arguments; /* of $(arg NAME) */
    char *given;               /* per argument of the options: 1 once the file declares it */
    int work, depth;
    size_t bytes;           /* of texts and elements that were made */
    AbutStatus failed;      /* of abut_xacro_take */
    AbutUrdfReader *reader; /* its folders may be included from; those of packages that are found join them */
} AbutXacro;

/* Expands a file that was parsed with its prefixes into *root. Files in the folders of the reader may
 * be included. */
AbutStatus abut_xacro_expand(AbutXacro *x, const AbutXmlElement *file, AbutXmlElement **root);

/* xacro_text.c: texts with ${expressions} and $(extensions) in them; a text that is one expression keeps its kind. */
AbutStatus abut_xacro_text(AbutXacro *x, AbutXacroTable *table, const char *text, AbutXacroValue *out);
AbutStatus abut_xacro_print(AbutXacro *x, const AbutXacroValue *value, const char **out);
/* A text as it is written in a property: a number, a truth value, or text. */
AbutXacroValue abut_xacro_literal(const char *text);
/* The value of a name: *found is 0 where there is none. */
AbutStatus abut_xacro_find(AbutXacro *x, AbutXacroTable *table, const char *name, AbutXacroValue *out, int *found);
AbutStatus abut_xacro_define(
    AbutXacro *x, AbutXacroTable *table, const char *name, AbutXacroValue value, int unevaluated);
AbutStatus abut_xacro_truth(AbutXacro *x, const AbutXacroValue *value, int *out);
/* One more unit of work, or LIMIT. */
AbutStatus abut_xacro_charge(AbutXacro *x);
/* Memory of the pool, counted; NULL with the error set and its status in `failed`. */
char *abut_xacro_take(AbutXacro *x, size_t bytes);

/* xacro_expression.c: the inside of ${...}. */
AbutStatus abut_xacro_evaluate(AbutXacro *x, AbutXacroTable *table, const char *text, AbutXacroValue *out);

#endif
