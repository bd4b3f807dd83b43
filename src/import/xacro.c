/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xacro: properties, macros with defaults and blocks, includes, arguments and conditions of a parsed file, expanded
 * into a tree of plain elements. The file may be hostile: elements, depth, work and texts are limited, and only files
 * inside known folders are included. Features of xacro that this lacks (YAML, namespaces of includes) are refused by
 * name.
 */
#include "import/xacro.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef AbutXacroValue Value;

static AbutStatus expand_children(AbutXacro *x, AbutXacroTable *table, const AbutXmlElement *from, AbutXmlElement *to);

static AbutStatus refuse(AbutXacro *x, const char *expected, const char *got) {
    return abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected %s, got '%.100s'", expected, got);
}

/* A text of an attribute as a string; *out keeps its value where there is none. */
static AbutStatus attribute_text(AbutXacro *x, AbutXacroTable *table, const char *name, const char **out) {
    const char *text = abut_xml_attribute(x->at, name);
    Value value;
    if (!text) return ABUT_OK;
    ABUT_TRY(abut_xacro_text(x, table, text, &value));
    return abut_xacro_print(x, &value, out);
}

static AbutStatus need(AbutXacro *x, AbutXacroTable *table, const char *name, const char **out) {
    *out = NULL;
    ABUT_TRY(attribute_text(x, table, name, out));
    return *out ? ABUT_OK : abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected attribute %s", name);
}

/* All attributes are among the names. */
static AbutStatus only(AbutXacro *x, const char *const *names) {
    for (int32_t i = 0; i < x->at->attribute_count; ++i) {
        int known = 0;
        for (int k = 0; names[k] && !known; ++k) known = strcmp(names[k], x->at->attributes[i].name) == 0;
        if (!known)
            return abut_xml_fail(
                x->error, x->at, ABUT_ERROR_UNSUPPORTED, "attribute %.60s is not supported", x->at->attributes[i].name);
    }
    return ABUT_OK;
}

static AbutStatus joined(AbutXacro *x, const char *mark, const char *name, const char **out) {
    size_t n = strlen(mark), m = strlen(name);
    char *text = abut_xacro_take(x, n + m + 1);
    if (!text) return x->failed;
    memcpy(text, mark, n);
    memcpy(text + n, name, m + 1);
    *out = text;
    return ABUT_OK;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static AbutStatus add_attributes(AbutXacro *x, AbutXacroTable *table, const AbutXmlElement *from, AbutXmlElement *to) {
    size_t room = (size_t)from->attribute_count + 8; /* and those of xacro:attribute */
    to->attributes = (AbutAttribute *)(void *)abut_xacro_take(x, room * sizeof *to->attributes);
    if (!to->attributes) return x->failed;
    for (int32_t i = 0; i < from->attribute_count; ++i) {
        AbutAttribute *out = &to->attributes[to->attribute_count++];
        out->name = from->attributes[i].name;
        ABUT_TRY(attribute_text(x, table, out->name, &out->value));
    }
    return ABUT_OK;
}

static AbutStatus expand_element(
    AbutXacro *x, AbutXacroTable *table, const AbutXmlElement *from, const char *tag, AbutXmlElement *to) {
    AbutXmlElement *made = (AbutXmlElement *)(void *)abut_xacro_take(x, sizeof *made);
    if (!made) return x->failed;
    if (++x->xml->elements > ABUT_XML_ELEMENTS)
        return abut_xml_fail(
            x->error, from, ABUT_ERROR_LIMIT, "expected at most %d elements, got more", ABUT_XML_ELEMENTS);
    *made = (AbutXmlElement){.tag = tag,
        .file = from->file,
        .line = from->line,
        .text = from->text,
        .text_size = from->text_size,
        .parent = to};
    ABUT_TRY(add_attributes(x, table, from, made));
    if (to->last_child)
        to->last_child->next = made;
    else
        to->child = made;
    to->last_child = made;
    return expand_children(x, table, from, made);
}

static AbutStatus set_attribute(AbutXacro *x, AbutXacroTable *table, AbutXmlElement *to) {
    const char *name, *value;
    ABUT_TRY(need(x, table, "name", &name));
    ABUT_TRY(need(x, table, "value", &value));
    int32_t i = 0;
    while (i < to->attribute_count && strcmp(to->attributes[i].name, name) != 0) ++i;
    if (i == to->attribute_count && i % 8 == 0) { /* the room may be full: one that is larger by 8 */
        AbutAttribute *larger = (AbutAttribute *)(void *)abut_xacro_take(x, (size_t)(i + 8) * sizeof *larger);
        if (!larger) return x->failed;
        if (i) memcpy(larger, to->attributes, (size_t)i * sizeof *larger);
        to->attributes = larger;
    }
    to->attribute_count += i == to->attribute_count;
    to->attributes[i] = (AbutAttribute){name, value};
    return ABUT_OK;
}

/* ---- properties and arguments ------------------------------------------------------------------------------------ */

static AbutStatus define_property(AbutXacro *x, AbutXacroTable *table) {
    static const char *const known[] = {"name", "value", "default", "scope", "lazy_eval", NULL};
    const char *name, *value = abut_xml_attribute(x->at, "value"), *other = abut_xml_attribute(x->at, "default");
    const char *scope = abut_xml_attribute(x->at, "scope"), *lazy = abut_xml_attribute(x->at, "lazy_eval");
    AbutXacroTable *home = table;
    Value old;
    int found = 0;
    ABUT_TRY(only(x, known));
    ABUT_TRY(need(x, table, "name", &name));
    if (other && !value) {
        ABUT_TRY(abut_xacro_find(x, table, name, &old, &found));
        if (found) return ABUT_OK;
        value = other;
    }
    if (scope && strcmp(scope, "parent") == 0 && table->parent) home = table->parent;
    while (scope && strcmp(scope, "global") == 0 && home->parent) home = home->parent;
    if (!value) {
        ABUT_TRY(joined(x, "**", name, &name));
        return abut_xacro_define(x, home, name, (Value){.kind = ABUT_XACRO_BLOCK, .block = x->at}, 0);
    }
    Value text = {.kind = ABUT_XACRO_TEXT, .text = value};
    int now = home != table || (lazy && strcmp(lazy, "false") == 0);
    if (now) ABUT_TRY(abut_xacro_text(x, table, value, &text));
    return abut_xacro_define(x, home, name, text, !now);
}

static AbutStatus declare_argument(AbutXacro *x, AbutXacroTable *table) {
    const char *name, *value;
    Value old;
    int found;
    ABUT_TRY(need(x, table, "name", &name));
    ABUT_TRY(abut_xacro_find(x, x->arguments, name, &old, &found));
    for (int32_t i = 0; i < x->reader->options.argument_count; ++i)
        if (strcmp(x->reader->options.arguments[i].name, name) == 0) x->given[i] = 1;
    if (found || !abut_xml_attribute(x->at, "default")) return ABUT_OK;
    ABUT_TRY(need(x, table, "default", &value));
    return abut_xacro_define(x, x->arguments, name, (Value){.kind = ABUT_XACRO_TEXT, .text = value}, 0);
}

static AbutStatus condition(
    AbutXacro *x, AbutXacroTable *table, int wanted, const AbutXmlElement *from, AbutXmlElement *to) {
    const char *text = abut_xml_attribute(from, "value");
    Value value;
    int yes;
    if (!text) return abut_xml_fail(x->error, from, ABUT_ERROR_FORMAT, "expected attribute value");
    ABUT_TRY(abut_xacro_text(x, table, text, &value));
    ABUT_TRY(abut_xacro_truth(x, &value, &yes));
    return yes == wanted ? expand_children(x, table, from, to) : ABUT_OK;
}

static AbutStatus insert_block(AbutXacro *x, AbutXacroTable *table, AbutXmlElement *to) {
    const char *name, *marked = NULL;
    Value block;
    int found = 0;
    ABUT_TRY(need(x, table, "name", &name));
    for (int stars = 2; stars >= 1 && !found; --stars) {
        ABUT_TRY(joined(x, stars == 2 ? "**" : "*", name, &marked));
        ABUT_TRY(abut_xacro_find(x, table, marked, &block, &found));
        if (found && stars == 1) return expand_element(x, table, (x->at = block.block), block.block->tag, to);
    }
    return found ? expand_children(x, table, block.block, to) : refuse(x, "a block that is defined", name);
}

/* ---- includes ---------------------------------------------------------------------------------------------------- */

static int is_known_place(const AbutXacro *x, const char *path) {
    for (int i = 0; i < x->reader->folder_count; ++i)
        if (!abut_mjcf_leads_out(x->reader->folders[i], path)) return 1;
    return x->reader->options.allow_outside;
}

/* Apart from the next, so that its memory is not held by includes in each other. */
static AbutStatus load(AbutXacro *x, AbutXacroTable *table, AbutXmlElement **root) {
    static const char *const known[] = {"filename", NULL};
    const char *name, *slash = strrchr(x->at->file, '/');
    char path[4096], *bytes;
    size_t count;
    AbutError inner;
    ABUT_TRY(only(x, known));
    ABUT_TRY(need(x, table, "filename", &name));
    const char *folder = slash && *name != '/' ? x->at->file : "";
    int n = snprintf(path, sizeof path, "%.*s%s", *folder ? (int)(slash - folder) + 1 : 0, folder, name);
    if (n < 0 || (size_t)n >= sizeof path) return refuse(x, "a shorter path", name);
    if (!is_known_place(x, path))
        return refuse(x,
            "attribute filename in the folder of the file or in a package (allow-outside lets it lie elsewhere)", name);
    AbutStatus status = abut_file_load(path, "xacro", ABUT_XML_BYTES, &bytes, &count, &inner);
    if (status) return abut_xml_fail(x->error, x->at, status, "%.300s", inner.text);
    status = abut_xml_parse_one(x->xml, bytes, count, path, root);
    abut_free(bytes);
    return status;
}

static AbutStatus include(AbutXacro *x, AbutXacroTable *table, AbutXmlElement *to) {
    AbutXmlElement *root;
    ABUT_TRY(load(x, table, &root));
    return expand_children(x, table, root, to);
}

/* ---- macros ------------------------------------------------------------------------------------------------------ */

static AbutStatus define_macro(AbutXacro *x, AbutXacroTable *table) {
    const char *name = abut_xml_attribute(x->at, "name"), *params = abut_xml_attribute(x->at, "params");
    AbutXacroMacro *macro = (AbutXacroMacro *)(void *)abut_xacro_take(x, sizeof *macro);
    if (!macro) return x->failed;
    if (!name || !*name) return abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected attribute name");
    if (strncmp(name, "xacro:", 6) == 0) name += 6;
    *macro = (AbutXacroMacro){table->macros, name, params ? params : "", x->at};
    table->macros = macro;
    return abut_xacro_charge(x);
}

/* One parameter: NAME, NAME:=DEFAULT, NAME:=^, NAME:=^|DEFAULT, *BLOCK or **BLOCK. */
typedef struct Param {
    const char *name, *value; /* value NULL: no default */
    int forward;              /* takes the property of that name of the caller */
} Param;

static const char *end_of_default(const char *p) {
    char quote = 0, open = 0;
    for (; *p && (quote || open || !abut_is_space(*p)); ++p) {
        if (quote)
            quote = (char)(*p == quote ? 0 : quote);
        else if (*p == '\'' || *p == '"')
            quote = *p;
        else if (*p == '$' && p[1] == '{')
            open = 1;
        else if (*p == '}')
            open = 0;
    }
    return p;
}

/* The next parameter of the list at *at; *found is 0 at its end. */
static AbutStatus next_param(AbutXacro *x, const char **at, Param *out, int *found) {
    const char *p = *at;
    while (abut_is_space(*p)) ++p;
    *found = *p != 0;
    *out = (Param){0};
    if (!*p) return ABUT_OK;
    size_t n = strcspn(p, " \t\r\n:=");
    char *name = abut_xacro_take(x, n + 1);
    if (!name) return x->failed;
    memcpy(name, p, n);
    name[n] = 0;
    out->name = name;
    const char *q = p += n;
    while (abut_is_space(*q)) ++q;
    if (*q == ':' || *q == '=') {
        q += *q == ':';
        if (*q != '=' || n == 0) return refuse(x, "parameters NAME:=DEFAULT", *at);
        do ++q;
        while (abut_is_space(*q));
        out->forward = *q == '^';
        q += out->forward;
        int has = !out->forward || *q == '|';
        q += out->forward && has;
        p = end_of_default(q);
        size_t m = (size_t)(p - q), quoted = m >= 2 && (*q == '\'' || *q == '"') && p[-1] == *q;
        char *value = abut_xacro_take(x, m + 1);
        if (!value) return x->failed;
        memcpy(value, q + quoted, m - 2 * quoted);
        value[m - 2 * quoted] = 0;
        if (has) out->value = value;
    }
    *at = p;
    return ABUT_OK;
}

static AbutStatus bind_param(
    AbutXacro *x, AbutXacroTable *caller, AbutXacroTable *scope, const Param *param, const AbutXmlElement **block) {
    Value value = {0};
    int found = 0;
    if (*param->name == '*') {
        if (!*block) return refuse(x, "a child element for the block", param->name);
        value = (Value){.kind = ABUT_XACRO_BLOCK, .block = *block};
        *block = (*block)->next;
        return abut_xacro_define(x, scope, param->name, value, 0);
    }
    const char *text = abut_xml_attribute(x->at, param->name);
    if (!text && param->forward) ABUT_TRY(abut_xacro_find(x, caller, param->name, &value, &found));
    if (!text && !found) text = param->value;
    if (!text && !found) return refuse(x, "a value for the parameter", param->name);
    if (!found) ABUT_TRY(abut_xacro_text(x, caller, text, &value));
    return abut_xacro_define(x, scope, param->name, value, 0);
}

static int has_param(const char *params, const char *name) {
    size_t n = strlen(name);
    for (const char *p = params; (p = strstr(p, name)); p += n)
        if ((p == params || abut_is_space(p[-1])) && (!p[n] || strchr(" \t\r\n:=", p[n]))) return 1;
    return 0;
}

static AbutStatus call_macro(AbutXacro *x, AbutXacroTable *table, const AbutXacroMacro *macro, AbutXmlElement *to) {
    const AbutXmlElement *at = x->at;
    AbutXacroTable scope = {.parent = table};
    AbutXmlElement inner = {.tag = at->tag, .file = at->file, .line = at->line};
    const char *params = macro->params;
    Param param;
    int found = 1;
    for (int32_t i = 0; i < at->attribute_count; ++i)
        if (strcmp(at->attributes[i].name, "macro") != 0 && !has_param(params, at->attributes[i].name))
            return refuse(x, "a parameter of the macro", at->attributes[i].name);
    ABUT_TRY(expand_children(x, table, at, &inner)); /* blocks, with the names of the caller */
    const AbutXmlElement *block = inner.child;
    for (;;) {
        x->at = at;
        ABUT_TRY(next_param(x, &params, &param, &found));
        if (!found) break;
        ABUT_TRY(bind_param(x, table, &scope, &param, &block));
    }
    if (block) return refuse(x, "a block parameter for each child element", block->tag);
    return expand_children(x, &scope, macro->body, to);
}

static AbutStatus call(AbutXacro *x, AbutXacroTable *table, const char *name, AbutXmlElement *to) {
    if (strcmp(name, "call") == 0) ABUT_TRY(need(x, table, "macro", &name));
    if (strncmp(name, "xacro:", 6) == 0) name += 6;
    for (AbutXacroTable *t = table; t; t = t->parent)
        for (AbutXacroMacro *m = t->macros; m; m = m->next) {
            ABUT_TRY(abut_xacro_charge(x));
            if (strcmp(m->name, name) == 0) return call_macro(x, table, m, to);
        }
    return refuse(x, "a macro that is defined", name);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static AbutStatus expand_one(AbutXacro *x, AbutXacroTable *table, const AbutXmlElement *e, AbutXmlElement *to) {
    const char *name = strncmp(e->tag, "xacro:", 6) == 0 ? e->tag + 6 : NULL, *tag;
    x->at = e;
    ABUT_TRY(abut_xacro_charge(x));
    if (!name) return expand_element(x, table, e, e->tag, to);
    if (strcmp(name, "property") == 0) return define_property(x, table);
    if (strcmp(name, "macro") == 0) return define_macro(x, table);
    if (strcmp(name, "include") == 0) return include(x, table, to);
    if (strcmp(name, "arg") == 0) return declare_argument(x, table);
    if (strcmp(name, "if") == 0 || strcmp(name, "unless") == 0) return condition(x, table, name[0] == 'i', e, to);
    if (strcmp(name, "insert_block") == 0) return insert_block(x, table, to);
    if (strcmp(name, "attribute") == 0) return set_attribute(x, table, to);
    if (strcmp(name, "element") != 0) return call(x, table, name, to);
    ABUT_TRY(need(x, table, "name", &tag));
    return expand_element(x, table, e, tag, to);
}

static AbutStatus expand_children(AbutXacro *x, AbutXacroTable *table, const AbutXmlElement *from, AbutXmlElement *to) {
    AbutStatus status = ABUT_OK;
    if (++x->depth > ABUT_XACRO_DEPTH)
        return abut_xml_fail(x->error, from, ABUT_ERROR_LIMIT, "expected macros and elements at most %d deep, got more",
            ABUT_XACRO_DEPTH);
    for (const AbutXmlElement *e = from->child; e && !status; e = e->next) status = expand_one(x, table, e, to);
    --x->depth;
    return status;
}

AbutStatus abut_xacro_expand(AbutXacro *x, const AbutXmlElement *file, AbutXmlElement **root) {
    AbutXacroTable global = {0}, arguments = {0};
    AbutXmlElement outer = {.tag = "", .file = file->file};
    x->at = file;
    x->arguments = &arguments;
    x->given = abut_xacro_take(x, (size_t)x->reader->options.argument_count + 1);
    if (!x->given) return x->failed;
    memset(x->given, 0, (size_t)x->reader->options.argument_count + 1);
    for (int32_t i = 0; i < x->reader->options.argument_count; ++i) {
        Value value = {.kind = ABUT_XACRO_TEXT, .text = x->reader->options.arguments[i].value};
        ABUT_TRY(abut_xacro_define(x, &arguments, x->reader->options.arguments[i].name, value, 0));
    }
    ABUT_TRY(expand_element(x, &global, file, file->tag, &outer));
    for (int32_t i = 0; i < x->reader->options.argument_count; ++i)
        if (!x->given[i])
            abut_urdf_warn(
                x->reader, file, "argument %s is not declared, ignored", x->reader->options.arguments[i].name);
    *root = outer.child;
    (*root)->parent = NULL;
    return ABUT_OK;
}
