/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of xacro: the part of Python that robot files use. Numbers, texts, True and False, names of properties, +
 * - * / // % **, comparisons, not, and, or, A if B else C, functions of numbers. Evaluated while they are read; what
 * Python would not evaluate is read with `dead` set, and does nothing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "import/xacro.h"
#include "math/functions.h"

typedef AbutXacroValue Value;

typedef struct Reader {
    AbutXacro *x;
    AbutXacroTable *table;
    const char *at, *text;
    int dead, depth;
} Reader;

enum { NESTING = 60, ARGUMENTS = 8 };

static AbutStatus choice(Reader *r, Value *out);

static Value number(double value, int whole) {
    int keeps = whole && fabs(value) < 9007199254740992.0;
    return (Value){.kind = keeps ? ABUT_XACRO_WHOLE : ABUT_XACRO_REAL, .number = value};
}

static Value truth(int yes) { return (Value){.kind = ABUT_XACRO_BOOL, .number = yes != 0}; }

static int is_number(const Value *v) { return v->kind <= ABUT_XACRO_BOOL; }

/* As Python has it: texts are true unless they are empty. */
static int is_true(const Value *v) {
    return v->kind == ABUT_XACRO_TEXT ? *v->text != 0 : v->kind == ABUT_XACRO_BLOCK || v->number != 0.0;
}

static AbutStatus refuse(Reader *r, const char *expected) {
    return abut_xml_fail(r->x->error, r->x->at, ABUT_ERROR_FORMAT, "expected %s at '%.40s' of the expression '%.100s'",
        expected, *r->at ? r->at : "the end", r->text);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static void skip_space(Reader *r) {
    while (abut_is_space(*r->at)) ++r->at;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes a symbol or a word if it comes next; a word must end there. */
static int take(Reader *r, const char *token) {
    size_t n = strlen(token);
    skip_space(r);
    if (strncmp(r->at, token, n) != 0) return 0;
    if (is_letter(*token) && (is_letter(r->at[n]) || is_digit(r->at[n]))) return 0;
    r->at += n;
    return 1;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static AbutStatus operate_text(Reader *r, char sign, const Value *a, const Value *b, Value *out) {
    if (sign == '+' && a->kind == ABUT_XACRO_TEXT && b->kind == ABUT_XACRO_TEXT) {
        size_t n = strlen(a->text), m = strlen(b->text);
        char *text = abut_xacro_take(r->x, n + m + 1);
        if (!text) return r->x->failed;
        memcpy(text, a->text, n);
        memcpy(text + n, b->text, m + 1);
        *out = (Value){.kind = ABUT_XACRO_TEXT, .text = text};
        return ABUT_OK;
    }
    return refuse(r, "numbers, or two texts to join,");
}

static double power(double base, double exponent) {
    double result = 1.0;
    if (exponent != floor(exponent) || fabs(exponent) > 1024.0)
        return exponent == 0.5 ? sqrt(base) : base == 0.0 ? 0.0 : abut_exp(exponent * abut_ln(base));
    for (double n = fabs(exponent); n > 0.0; n -= 1.0) result *= base;
    return exponent < 0.0 ? 1.0 / result : result;
}

/* sign: + - * / % ^ (power) or | (//) */
static AbutStatus operate(Reader *r, char sign, const Value *a, const Value *b, Value *out) {
    if (r->dead) return ABUT_OK;
    if (!is_number(a) || !is_number(b)) return operate_text(r, sign, a, b, out);
    double x = a->number, y = b->number, result = 0.0;
    int whole = a->kind != ABUT_XACRO_REAL && b->kind != ABUT_XACRO_REAL;
    if (strchr("/%|", sign) && y == 0.0) return refuse(r, "a divisor other than 0");
    switch (sign) {
    case '+':
        result = x + y;
        break;
    case '-':
        result = x - y;
        break;
    case '*':
        result = x * y;
        break;
    case '/':
        result = x / y, whole = 0;
        break;
    case '%':
        result = fmod(x, y), result += result != 0.0 && (result < 0.0) != (y < 0.0) ? y : 0.0;
        break;
    case '|':
        result = floor(x / y);
        break;
    default:
        result = power(x, y), whole = whole && y >= 0.0;
    }
    if (!isfinite(result)) return refuse(r, "a finite result");
    *out = number(result, whole);
    return ABUT_OK;
}

static AbutStatus compare(Reader *r, const char *sign, const Value *a, const Value *b, Value *out) {
    int numbers = is_number(a) && is_number(b), texts = a->kind == ABUT_XACRO_TEXT && b->kind == ABUT_XACRO_TEXT;
    if (r->dead) return ABUT_OK;
    double order = numbers ? a->number - b->number : texts ? (double)strcmp(a->text, b->text) : (double)NAN;
    if (isnan(order) && strcmp(sign, "==") != 0 && strcmp(sign, "!=") != 0)
        return refuse(r, "two numbers or two texts to compare");
    int less = sign[0] == '<' && order < 0.0, more = sign[0] == '>' && order > 0.0;
    int equal = sign[1] == '=' && sign[0] != '!' && order == 0.0, other = sign[0] == '!' && !(order == 0.0);
    *out = truth(less || more || equal || other);
    return ABUT_OK;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static double round_even(double x) {
    double below = floor(x), part = x - below;
    return part > 0.5 || (part == 0.5 && fmod(below, 2.0) != 0.0) ? below + 1.0 : below;
}

static double of_one(const char *name, double x, int *whole, int *known) {
    *whole = 0;
    if (strcmp(name, "sin") == 0) return abut_sin(x);
    if (strcmp(name, "cos") == 0) return abut_cos(x);
    if (strcmp(name, "tan") == 0) return abut_sin(x) / abut_cos(x);
    if (strcmp(name, "asin") == 0) return abut_atan2(x, sqrt((1.0 - x) * (1.0 + x)));
    if (strcmp(name, "acos") == 0) return abut_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
    if (strcmp(name, "atan") == 0) return abut_atan2(x, 1.0);
    if (strcmp(name, "sqrt") == 0) return sqrt(x);
    if (strcmp(name, "exp") == 0) return abut_exp(x);
    if (strcmp(name, "log") == 0) return abut_ln(x);
    if (strcmp(name, "radians") == 0) return x * (ABUT_PI / 180.0);
    if (strcmp(name, "degrees") == 0) return x * (180.0 / ABUT_PI);
    if (strcmp(name, "fabs") == 0) return fabs(x);
    *whole = 1;
    if (strcmp(name, "floor") == 0) return floor(x);
    if (strcmp(name, "ceil") == 0) return ceil(x);
    if (strcmp(name, "round") == 0) return round_even(x);
    if (strcmp(name, "int") == 0) return trunc(x);
    *known = 0;
    return 0.0;
}

static AbutStatus call_numbers(Reader *r, const char *name, int count, const Value *args, Value *out) {
    int whole = 1, known = 1;
    double x = args[0].number, y = count > 1 ? args[1].number : 0.0, result;
    for (int i = 0; i < count; ++i)
        if (!is_number(&args[i])) return refuse(r, "numbers as arguments");
    if (strcmp(name, "abs") == 0 && count == 1) {
        result = fabs(x), whole = args[0].kind != ABUT_XACRO_REAL;
    } else if ((strcmp(name, "min") == 0 || strcmp(name, "max") == 0) && count > 1) {
        int best = 0;
        for (int i = 1; i < count; ++i)
            if (name[1] == 'i' ? args[i].number < args[best].number : args[i].number > args[best].number) best = i;
        *out = args[best];
        return ABUT_OK;
    } else if (count == 2) {
        whole = 0;
        known = strcmp(name, "atan2") == 0 || strcmp(name, "hypot") == 0 || strcmp(name, "pow") == 0;
        result = name[0] == 'a' ? abut_atan2(x, y) : name[0] == 'h' ? abut_hypot(x, y) : power(x, y);
        if (strcmp(name, "round") == 0 && y >= 0.0 && y <= 15.0 && args[1].kind == ABUT_XACRO_WHOLE)
            known = 1, result = round_even(x * power(10.0, y)) / power(10.0, y);
    } else {
        result = of_one(name, x, &whole, &known);
        if (count != 1) known = 0;
    }
    if (!known) return refuse(r, "a function of numbers that is known, with as many arguments as it takes,");
    if (!isfinite(result)) return refuse(r, "a finite result");
    *out = number(result, whole);
    return ABUT_OK;
}

static AbutStatus call(Reader *r, const char *name, int count, const Value *args, Value *out) {
    if (r->dead) return ABUT_OK;
    if (count == 0) return refuse(r, "an argument");
    if (strcmp(name, "arg") == 0 && count == 1 && args[0].kind == ABUT_XACRO_TEXT) {
        int found;
        ABUT_TRY(abut_xacro_find(r->x, r->x->arguments, args[0].text, out, &found));
        return found ? ABUT_OK : refuse(r, "an argument that is declared");
    }
    if (strcmp(name, "str") == 0 && count == 1) {
        *out = (Value){.kind = ABUT_XACRO_TEXT};
        return abut_xacro_print(r->x, &args[0], &out->text);
    }
    if (strcmp(name, "bool") == 0 && count == 1) {
        *out = truth(is_true(&args[0]));
        return ABUT_OK;
    }
    if (strcmp(name, "len") == 0 && count == 1 && args[0].kind == ABUT_XACRO_TEXT) {
        *out = number((double)strlen(args[0].text), 1);
        return ABUT_OK;
    }
    if ((strcmp(name, "float") == 0 || strcmp(name, "int") == 0) && count == 1) {
        Value v = args[0].kind == ABUT_XACRO_TEXT ? abut_xacro_literal(args[0].text) : args[0];
        if (!is_number(&v)) return refuse(r, "a number in the text");
        *out = name[0] == 'f' ? number(v.number, 0) : number(trunc(v.number), 1);
        return ABUT_OK;
    }
    return call_numbers(r, name, count, args, out);
}

static AbutStatus arguments(Reader *r, const char *name, Value *out) {
    Value args[ARGUMENTS] = {{0}};
    int count = 0;
    while (!take(r, ")")) {
        if (count == ARGUMENTS || (count > 0 && !take(r, ","))) return refuse(r, "',' or ')'");
        ABUT_TRY(choice(r, &args[count++]));
    }
    return call(r, name, count, args, out);
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

static AbutStatus read_name(Reader *r, Value *out) {
    static const struct {
        const char *name;
        Value value;
    } constants[] = {{"pi", {.kind = ABUT_XACRO_REAL, .number = ABUT_PI}},
        {"tau", {.kind = ABUT_XACRO_REAL, .number = 2.0 * ABUT_PI}},
        {"e", {.kind = ABUT_XACRO_REAL, .number = 2.718281828459045}},
        {"True", {.kind = ABUT_XACRO_BOOL, .number = 1.0}}, {"False", {.kind = ABUT_XACRO_BOOL}}};
    char name[120];
    size_t n = 0;
    int found = 0;
    static const char *const spaces[] = {"math.", "python.", "xacro."};
    for (int i = 0; i < 3; ++i) /* namespaces of functions */
        if (strncmp(r->at, spaces[i], strlen(spaces[i])) == 0) r->at += strlen(spaces[i]);
    while (is_letter(*r->at) || is_digit(*r->at)) {
        if (n + 1 == sizeof name) return refuse(r, "a shorter name");
        name[n++] = *r->at++;
    }
    name[n] = 0;
    if (take(r, "(")) return arguments(r, name, out);
    if (*r->at == '.' || *r->at == '[') return refuse(r, "a number or a text (lists and tables are not read)");
    if (r->dead) return ABUT_OK;
    ABUT_TRY(abut_xacro_find(r->x, r->table, name, out, &found));
    if (found) return ABUT_OK;
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; ++i)
        if (strcmp(name, constants[i].name) == 0) {
            *out = constants[i].value;
            return ABUT_OK;
        }
    return abut_xml_fail(
        r->x->error, r->x->at, ABUT_ERROR_FORMAT, "expected a property that is defined, got '%.100s'", name);
}

static AbutStatus read_text(Reader *r, Value *out) {
    char quote = *r->at++;
    const char *end = strchr(r->at, quote);
    if (!end) return refuse(r, "a text that ends");
    char *text = abut_xacro_take(r->x, (size_t)(end - r->at) + 1);
    if (!text) return r->x->failed;
    memcpy(text, r->at, (size_t)(end - r->at));
    text[end - r->at] = 0;
    r->at = end + 1;
    *out = (Value){.kind = ABUT_XACRO_TEXT, .text = text};
    return ABUT_OK;
}

static AbutStatus atom(Reader *r, Value *out) {
    *out = number(0.0, 1);
    skip_space(r);
    ABUT_TRY(abut_xacro_charge(r->x));
    if (*r->at == '(') {
        ++r->at;
        ABUT_TRY(choice(r, out));
        return take(r, ")") ? ABUT_OK : refuse(r, "')'");
    }
    if (*r->at == '\'' || *r->at == '"') return read_text(r, out);
    if (is_letter(*r->at)) return read_name(r, out);
    const char *begin = r->at;
    if ((!is_digit(*begin) && *begin != '.') ||
        abut_parse_double(&r->at, r->at + strlen(r->at), &out->number) != ABUT_NUMBER_OK)
        return refuse(r, "a number, a name, a text or '('");
    if (is_letter(*r->at)) return refuse(r, "the end of the number");
    *out = number(out->number, strcspn(begin, ".eE") >= (size_t)(r->at - begin));
    return ABUT_OK;
}

/* ---- precedence, from the strongest ------------------------------------------------------------------------------ */

static AbutStatus unary(Reader *r, Value *out);

static AbutStatus powers(Reader *r, Value *out) {
    ABUT_TRY(atom(r, out));
    if (!take(r, "**")) return ABUT_OK;
    Value exponent, base = *out;
    ABUT_TRY(unary(r, &exponent));
    return operate(r, '^', &base, &exponent, out);
}

static AbutStatus unary(Reader *r, Value *out) {
    if (r->depth >= NESTING) return refuse(r, "fewer parts in each other");
    int minus = take(r, "-");
    if (!minus && !take(r, "+")) return powers(r, out);
    Value zero = number(0.0, 1), value;
    ++r->depth;
    AbutStatus status = unary(r, &value);
    --r->depth;
    if (status) return status;
    if (!r->dead && is_number(&value) && minus) { /* keeps the sign of zero */
        *out = number(-value.number, value.kind != ABUT_XACRO_REAL);
        return ABUT_OK;
    }
    return operate(r, '+', &zero, &value, out);
}

/* Operators of one level that stand between parts, from left to right. */
static AbutStatus level(
    Reader *r, const char *const *signs, const char *codes, AbutStatus (*part)(Reader *, Value *), Value *out) {
    ABUT_TRY(part(r, out));
    for (;;) {
        int i = 0;
        skip_space(r);
        while (signs[i] && !(strncmp(r->at, signs[i], strlen(signs[i])) == 0)) ++i;
        if (!signs[i]) return ABUT_OK;
        r->at += strlen(signs[i]);
        Value a = *out, b;
        ABUT_TRY(part(r, &b));
        ABUT_TRY(operate(r, codes[i], &a, &b, out));
    }
}

static AbutStatus product(Reader *r, Value *out) {
    static const char *const signs[] = {"//", "*", "/", "%", NULL};
    return level(r, signs, "|*/%", unary, out);
}

static AbutStatus sum(Reader *r, Value *out) {
    static const char *const signs[] = {"+", "-", NULL};
    return level(r, signs, "+-", product, out);
}

static AbutStatus comparison(Reader *r, Value *out) {
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    if (take(r, "not")) {
        Value value;
        if (++r->depth > NESTING) return refuse(r, "fewer parts in each other");
        AbutStatus status = comparison(r, &value);
        --r->depth;
        if (!status) *out = truth(!is_true(&value));
        return status;
    }
    ABUT_TRY(sum(r, out));
    for (int i = 0; i < 6; ++i)
        if (take(r, signs[i])) {
            Value a = *out, b;
            ABUT_TRY(sum(r, &b));
            return compare(r, signs[i], &a, &b, out);
        }
    return ABUT_OK;
}

/* a and b, a or b: the second is evaluated only where it decides. */
static AbutStatus junction(Reader *r, const char *word, int stops, AbutStatus (*part)(Reader *, Value *), Value *out) {
    ABUT_TRY(part(r, out));
    while (take(r, word)) {
        int skip = r->dead || is_true(out) == stops;
        Value next;
        r->dead += skip;
        AbutStatus status = part(r, &next);
        r->dead -= skip;
        if (status) return status;
        if (!skip) *out = next;
    }
    return ABUT_OK;
}

static AbutStatus all_of(Reader *r, Value *out) { return junction(r, "and", 0, comparison, out); }

static AbutStatus one_of(Reader *r, Value *out) { return junction(r, "or", 1, all_of, out); }

/* A if B else C: A is read first without effect, and again when B says so. */
static AbutStatus conditional(Reader *r, Value *out) {
    const char *begin = r->at;
    ++r->dead;
    AbutStatus status = one_of(r, out);
    --r->dead;
    if (status) return status;
    int yes = 0, has = take(r, "if");
    Value value;
    if (has) {
        ABUT_TRY(one_of(r, &value));
        yes = is_true(&value);
        if (!take(r, "else")) return refuse(r, "'else'");
        r->dead += yes;
        status = choice(r, out);
        r->dead -= yes;
        if (status || !yes) return status;
    }
    if (r->dead) return ABUT_OK;
    const char *end = r->at;
    r->at = begin;
    status = one_of(r, out);
    if (has) r->at = end;
    return status;
}

static AbutStatus choice(Reader *r, Value *out) {
    if (++r->depth > NESTING) return refuse(r, "fewer parts in each other");
    AbutStatus status = conditional(r, out);
    --r->depth;
    return status;
}

AbutStatus abut_xacro_evaluate(AbutXacro *x, AbutXacroTable *table, const char *text, AbutXacroValue *out) {
    Reader reader = {.x = x, .table = table, .at = text, .text = text};
    if (strlen(text) > ABUT_XACRO_EXPRESSION)
        return abut_xml_fail(x->error, x->at, ABUT_ERROR_LIMIT, "expected an expression of at most %d bytes, got more",
            ABUT_XACRO_EXPRESSION);
    ABUT_TRY(choice(&reader, out));
    skip_space(&reader);
    return *reader.at ? refuse(&reader, "an operator or the end") : ABUT_OK;
}
