/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of xacro: ${expression}, $(arg NAME), $(find PACKAGE), $(dirname) in them; names and their values in nested
 * tables. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "import/xacro.h"

typedef AbutXacroValue Value;

AbutStatus abut_xacro_charge(AbutXacro *x) {
    if (++x->work <= ABUT_XACRO_WORK) return ABUT_OK;
    return abut_xml_fail(x->error, x->at, ABUT_ERROR_LIMIT,
        "expected macros and expressions of at most %d parts, got more", ABUT_XACRO_WORK);
}

char *abut_xacro_take(AbutXacro *x, size_t bytes) {
    char *out = NULL;
    x->bytes += bytes;
    if (bytes > ABUT_XACRO_TEXT_SIZE || x->bytes > ABUT_XML_BYTES)
        x->failed = abut_xml_fail(x->error, x->at, ABUT_ERROR_LIMIT,
            "expected shorter texts: at most %d bytes of one, %d of all", ABUT_XACRO_TEXT_SIZE, ABUT_XML_BYTES);
    else if (!(out = abut_pool_take(&x->xml->pool, bytes)))
        x->failed = abut_fail_memory(x->error);
    return out;
}

static AbutStatus copy(AbutXacro *x, const char *from, size_t count, const char **out) {
    char *text = abut_xacro_take(x, count + 1);
    if (!text) return x->failed;
    memcpy(text, from, count);
    text[count] = 0;
    *out = text;
    return ABUT_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

AbutXacroValue abut_xacro_literal(const char *text) {
    size_t n = strlen(text);
    const char *at = text, *end = text + n;
    Value out = {.kind = ABUT_XACRO_TEXT, .text = text};
    while (abut_is_space(*at)) ++at;
    int sign = *at == '-' || *at == '+', whole = strcspn(at, ".eE") == strlen(at);
    if ((at[sign] >= '0' && at[sign] <= '9') || at[sign] == '.') {
        if (abut_parse_double(&at, end, &out.number) != ABUT_NUMBER_OK) return out;
        while (abut_is_space(*at)) ++at;
        if (!*at) out.kind = whole && out.number > -9e15 && out.number < 9e15 ? ABUT_XACRO_WHOLE : ABUT_XACRO_REAL;
    } else if (strcmp(text, "true") == 0 || strcmp(text, "True") == 0 || strcmp(text, "false") == 0 ||
               strcmp(text, "False") == 0) {
        out = (Value){.kind = ABUT_XACRO_BOOL, .number = text[0] == 't' || text[0] == 'T'};
    }
    return out;
}

AbutStatus abut_xacro_print(AbutXacro *x, const AbutXacroValue *value, const char **out) {
    char text[ABUT_DOUBLE_TEXT + 2] = "";
    switch (value->kind) {
    case ABUT_XACRO_TEXT:
        *out = value->text;
        return ABUT_OK;
    case ABUT_XACRO_BOOL:
        *out = value->number != 0.0 ? "True" : "False";
        return ABUT_OK;
    case ABUT_XACRO_WHOLE:
        snprintf(text, sizeof text, "%lld", (long long)value->number);
        break;
    case ABUT_XACRO_REAL:
        abut_format_double(text, ABUT_DOUBLE_TEXT, value->number);
        if (strcspn(text, ".en") == strlen(text)) strcat(text, ".0");
        break;
    case ABUT_XACRO_BLOCK:
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected a text or a number, got a block");
    }
    return copy(x, text, strlen(text), out);
}

AbutStatus abut_xacro_truth(AbutXacro *x, const AbutXacroValue *value, int *out) {
    Value v = value->kind == ABUT_XACRO_TEXT ? abut_xacro_literal(value->text) : *value;
    if (v.kind > ABUT_XACRO_BOOL || (value->kind == ABUT_XACRO_TEXT && v.kind == ABUT_XACRO_REAL))
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected true, false or a number, got '%.60s'",
            v.text ? v.text : "a block");
    *out = v.number != 0.0;
    return ABUT_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static AbutXacroSymbol *symbol_of(AbutXacro *x, AbutXacroTable *table, const char *name) {
    AbutXacroSymbol *s = table->symbols;
    for (; s && strcmp(s->name, name) != 0; s = s->next) ++x->work;
    return s;
}

AbutStatus abut_xacro_define(
    AbutXacro *x, AbutXacroTable *table, const char *name, AbutXacroValue value, int unevaluated) {
    AbutXacroSymbol *symbol = symbol_of(x, table, name), *next = symbol ? symbol->next : table->symbols;
    ABUT_TRY(abut_xacro_charge(x));
    if (value.kind == ABUT_XACRO_TEXT) {
        size_t n = strlen(value.text);
        Value literal = abut_xacro_literal(value.text);
        if (literal.kind != ABUT_XACRO_TEXT)
            value = literal;
        else if (n >= 2 && value.text[0] == '\'' && value.text[n - 1] == '\'')
            ABUT_TRY(copy(x, value.text + 1, n - 2, &value.text));
    }
    if (!symbol) {
        symbol = (AbutXacroSymbol *)(void *)abut_xacro_take(x, sizeof *symbol);
        if (!symbol) return x->failed;
        table->symbols = symbol;
    }
    *symbol = (AbutXacroSymbol){
        .next = next, .name = name, .value = value, .unevaluated = unevaluated && value.kind == ABUT_XACRO_TEXT};
    return ABUT_OK;
}

/* The value of a property at its first use, in the table where it was defined. */
static AbutStatus resolve(AbutXacro *x, AbutXacroTable *table, AbutXacroSymbol *symbol) {
    if (symbol->evaluating || x->depth >= ABUT_XACRO_DEPTH)
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT,
            "expected a property that does not use itself, got '%.100s'", symbol->name);
    symbol->evaluating = 1;
    ++x->depth;
    Value value;
    AbutStatus status = abut_xacro_text(x, table, symbol->value.text, &value);
    --x->depth;
    symbol->evaluating = 0;
    return status ? status : abut_xacro_define(x, table, symbol->name, value, 0);
}

AbutStatus abut_xacro_find(AbutXacro *x, AbutXacroTable *table, const char *name, AbutXacroValue *out, int *found) {
    ABUT_TRY(abut_xacro_charge(x));
    *found = 0;
    for (; table; table = table->parent) {
        AbutXacroSymbol *symbol = symbol_of(x, table, name);
        if (!symbol) continue;
        if (symbol->unevaluated) ABUT_TRY(resolve(x, table, symbol));
        *out = symbol->value;
        *found = 1;
        return ABUT_OK;
    }
    return ABUT_OK;
}

/* ---- $(...) ------------------------------------------------------------------------------------------------------ */

static AbutStatus find_package(AbutXacro *x, const char *name, Value *out) {
    char folder[2048];
    if (!abut_urdf_package(&x->reader->options, name, folder, sizeof folder))
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_FILE,
            "expected a package that is found, got '%.80s': not in the table, beside a "
            "folder above the file, in the package path, AMENT_PREFIX_PATH or ROS_PACKAGE_PATH",
            name);
    out->kind = ABUT_XACRO_TEXT;
    ABUT_TRY(copy(x, folder, strlen(folder), &out->text));
    for (int i = 0; i < x->reader->folder_count; ++i)
        if (strcmp(x->reader->folders[i], out->text) == 0) return ABUT_OK;
    if (x->reader->folder_count == ABUT_URDF_FOLDERS)
        return abut_xml_fail(
            x->error, x->at, ABUT_ERROR_LIMIT, "expected at most %d packages, got more", ABUT_URDF_FOLDERS);
    x->reader->folders[x->reader->folder_count++] = out->text;
    return ABUT_OK;
}

static AbutStatus extension(AbutXacro *x, const char *text, Value *out) {
    char word[20], name[200], more[2];
    int found = 0, parts = sscanf(text, " %19s %199s %1s", word, name, more);
    if (parts == 1 && strcmp(word, "dirname") == 0) {
        out->kind = ABUT_XACRO_TEXT;
        const char *slash = strrchr(x->at->file, '/');
        return slash ? copy(x, x->at->file, (size_t)(slash - x->at->file), &out->text) : copy(x, ".", 1, &out->text);
    }
    if (parts == 2 && strcmp(word, "find") == 0) return find_package(x, name, out);
    if (parts != 2 || strcmp(word, "arg") != 0)
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_UNSUPPORTED,
            "expected $(arg NAME), $(find PACKAGE) or $(dirname), got '$(%.80s)'", text);
    ABUT_TRY(abut_xacro_find(x, x->arguments, name, out, &found));
    return found
               ? ABUT_OK
               : abut_xml_fail(x->error, x->at, ABUT_ERROR_FORMAT, "expected a declared argument, got '%.100s'", name);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* The inside of ${...} or $(...), which may hold texts of its own. */
static AbutStatus inside(AbutXacro *x, AbutXacroTable *table, char kind, const char *from, size_t count, Value *out) {
    const char *text = from;
    Value inner;
    ABUT_TRY(copy(x, from, count, &text));
    if (strstr(text, "$(") || strstr(text, "${")) {
        if (x->depth >= ABUT_XACRO_DEPTH)
            return abut_xml_fail(x->error, x->at, ABUT_ERROR_LIMIT, "expected texts less deep in each other");
        ++x->depth;
        AbutStatus status = abut_xacro_text(x, table, text, &inner);
        --x->depth;
        if (!status) status = abut_xacro_print(x, &inner, &text);
        if (status) return status;
    }
    return kind == '{' ? abut_xacro_evaluate(x, table, text, out) : extension(x, text, out);
}

AbutStatus abut_xacro_text(AbutXacro *x, AbutXacroTable *table, const char *text, AbutXacroValue *out) {
    void *made = NULL;
    size_t size = 0, capacity = 0;
    x->work += (int)(strlen(text) / 8);
    AbutStatus status = abut_xacro_charge(x);
    *out = (Value){.kind = ABUT_XACRO_TEXT, .text = text};
    if (status || !strchr(text, '$')) return status;
    for (const char *p = text; *p && !status;) {
        size_t n = 1;
        const char *part = p;
        if (p[0] == '$' && (p[1] == '{' || p[1] == '(')) {
            const char *end = strchr(p, p[1] == '{' ? '}' : ')');
            if (!end) {
                status = abut_xml_fail(
                    x->error, x->at, ABUT_ERROR_FORMAT, "expected '%c' after '%.60s'", p[1] == '{' ? '}' : ')', p);
                break;
            }
            status = inside(x, table, p[1], p + 2, (size_t)(end - p - 2), out);
            if (status || (p == text && !end[1])) break; /* the whole text: it keeps its kind */
            status = abut_xacro_print(x, out, &part);
            n = status ? 0 : strlen(part);
            p = end + 1;
        } else {
            if (p[0] == '$' && p[1] == '$' && (p[2] == '{' || p[2] == '(')) ++part, ++p, n = 2; /* escaped */
            p += n;
        }
        if (!status && (size + n > ABUT_XACRO_TEXT_SIZE || !abut_grow(&made, &capacity, size + n, 1)))
            status = abut_xml_fail(x->error, x->at, ABUT_ERROR_LIMIT, "expected a text of at most %d bytes, got more",
                ABUT_XACRO_TEXT_SIZE);
        if (!status) memcpy((char *)made + size, part, n);
        size += n;
        if (!*p && !status) {
            *out = (Value){.kind = ABUT_XACRO_TEXT};
            status = copy(x, made, size, &out->text);
        }
    }
    abut_free(made);
    return status;
}
