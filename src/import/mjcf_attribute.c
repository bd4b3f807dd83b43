/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes of an MJCF element: looked for in the element, then in its default class and that class's parents; numbers
 * and words are checked, and a failure names the place where the value stands.
 */
#include "import/mjcf_read.h"

#include <string.h>

#include "base/number.h"
#include "base/text.h"

static const char *tag_of(const AbutMjcfView *view) { return view->tag ? view->tag : view->element->tag; }

static const AbutXmlElement *setting(const AbutMjcfClass *class, const char *tag) {
    for (int32_t i = 0; i < class->setting_count; ++i)
        if (strcmp(class->settings[i]->tag, tag) == 0) return class->settings[i];
    return NULL;
}

/* Looking up attributes costs this much per element; a file with many of both would hold the reader for minutes. */
static AbutStatus spend(const AbutMjcfView *view) {
    for (const AbutMjcfClass *class = view->class; class; class = class->parent) {
        const AbutXmlElement *at = setting(class, tag_of(view));
        view->reader->work -= class->setting_count + (at ? at->attribute_count : 0);
    }
    if (view->reader->work >= 0) return ABUT_OK;
    return abut_xml_fail(
        view->reader->error, view->element, ABUT_ERROR_LIMIT, "the default classes are too large for so many elements");
}

AbutStatus abut_mjcf_view(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, AbutMjcfView *out) {
    const char *name = abut_xml_attribute(element, "class");
    *out = (AbutMjcfView){reader, element, inherited, NULL};
    if (!name) return spend(out);
    int32_t found = abut_mjcf_find(reader, ABUT_MJCF_KIND_CLASS, name);
    if (found < 0)
        return abut_xml_fail(
            reader->error, element, ABUT_ERROR_FORMAT, "attribute class: expected a default class, got '%.100s'", name);
    out->class = reader->classes[found];
    return spend(out);
}

const char *abut_mjcf_value(const AbutMjcfView *view, const char *name, const AbutXmlElement **holder) {
    const AbutXmlElement *at = view->element;
    const AbutMjcfClass *class = view->class;
    const char *value = abut_xml_attribute(at, name);
    for (; !value && class; class = class->parent)
        if ((at = setting(class, tag_of(view)))) value = abut_xml_attribute(at, name);
    if (value && holder) *holder = at;
    return value;
}

static const char *skip_space(const char *p) {
    while (abut_is_space(*p)) ++p;
    return p;
}

/* Next number of a text at *at, which is moved on; false at the end. */
static AbutStatus next_number(AbutMjcfReader *reader, const AbutXmlElement *holder, const char *name, const char **at,
    const char *end, double *out, int *more) {
    const char *p = skip_space(*at);
    *more = *p != 0;
    if (!*more) return ABUT_OK;
    const char *start = p;
    AbutNumber kind = abut_parse_double(&p, end, out);
    if (kind == ABUT_NUMBER_OK && (*p == 0 || abut_is_space(*p))) {
        *at = p;
        return ABUT_OK;
    }
    AbutText text = {NULL, start, start, end, NULL};
    AbutFound found = abut_text_found(&text, start);
    return abut_xml_fail(reader->error, holder, kind == ABUT_NUMBER_NOT_FINITE ? ABUT_ERROR_NUMBER : ABUT_ERROR_FORMAT,
        "attribute %.40s: expected finite numbers, got %s", name, found.text);
}

static AbutStatus parse_numbers(AbutMjcfReader *reader, const AbutXmlElement *holder, const char *name,
    const char *value, int least, int most, double *out, int *count) {
    double numbers[16];
    const char *at = value, *end = value + strlen(value);
    int n = 0, more = 1;
    for (double number;; ++n) {
        ABUT_TRY(next_number(reader, holder, name, &at, end, &number, &more));
        if (!more || n == most) break;
        numbers[n] = number;
    }
    if (n < least || more) {
        char wanted[40] = "1 number";
        if (most > 1 || least > 1)
            snprintf(wanted, sizeof wanted, least == most ? "%d numbers" : "%d to %d numbers", least, most);
        return abut_xml_fail(reader->error, holder, ABUT_ERROR_FORMAT, "attribute %.40s: expected %s, got %s%d", name,
            wanted, more ? "more than " : "", n);
    }
    memcpy(out, numbers, (size_t)n * sizeof *out);
    *count = n;
    return ABUT_OK;
}

/* From the farthest class to the element itself, each over the one before. */
static AbutStatus overlay(AbutMjcfReader *reader, const AbutMjcfClass *class, const char *tag, const char *name,
    int least, int most, double *out, int *count) {
    if (!class) return ABUT_OK;
    AbutStatus status = overlay(reader, class->parent, tag, name, least, most, out, count);
    const AbutXmlElement *holder = setting(class, tag);
    const char *value = holder && !status ? abut_xml_attribute(holder, name) : NULL;
    return value ? parse_numbers(reader, holder, name, value, least, most, out, count) : status;
}

AbutStatus abut_mjcf_numbers(const AbutMjcfView *view, const char *name, int least, int most, double *out, int *count) {
    int n = 0;
    AbutStatus status = ABUT_OK;
    const AbutXmlElement *holder = NULL;
    const char *value = abut_mjcf_value(view, name, &holder);
    if (value && least < most) status = overlay(view->reader, view->class, tag_of(view), name, least, most, out, &n);
    if (value && !status) status = parse_numbers(view->reader, holder, name, value, least, most, out, &n);
    if (count) *count = n;
    return status;
}

AbutStatus abut_mjcf_vec3(const AbutMjcfView *view, const char *name, AbutVec3 *out) {
    double v[3] = {out->x, out->y, out->z};
    AbutStatus status = abut_mjcf_numbers(view, name, 3, 3, v, NULL);
    const AbutXmlElement *holder = view->element;
    for (int i = 0; i < 3 && !status; ++i)
        if (fabs(v[i]) > ABUT_IMPORT_LARGEST) {
            abut_mjcf_value(view, name, &holder);
            status = abut_xml_fail(view->reader->error, holder, ABUT_ERROR_NUMBER,
                "attribute %.40s: expected numbers of at most %g, got %g", name, ABUT_IMPORT_LARGEST, v[i]);
        }
    *out = abut_vec3(v[0], v[1], v[2]);
    return status;
}

/* The first number of an attribute must not be below `least`. */
static AbutStatus check_least(const AbutMjcfView *view, const char *name, double least, double found) {
    const AbutXmlElement *holder = view->element;
    if (found >= least) return ABUT_OK;
    abut_mjcf_value(view, name, &holder);
    return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
        "attribute %.40s: expected a number of at least %g, got %g", name, least, found);
}

AbutStatus abut_mjcf_number(const AbutMjcfView *view, const char *name, double least, double *out) {
    int count;
    AbutStatus status = abut_mjcf_numbers(view, name, 1, 1, out, &count);
    return !status && count ? check_least(view, name, least, *out) : status;
}

AbutStatus abut_mjcf_coefficient(const AbutMjcfView *view, const char *name, double *out, int *more) {
    double numbers[3] = {0};
    AbutStatus status = abut_mjcf_numbers(view, name, 1, 3, numbers, NULL);
    *out = numbers[0];
    *more |= numbers[1] != 0.0 || numbers[2] != 0.0;
    return status ? status : check_least(view, name, 0.0, numbers[0]);
}

AbutStatus abut_mjcf_integer(const AbutMjcfView *view, const char *name, int64_t least, int64_t most, int64_t *out) {
    const AbutXmlElement *holder = NULL;
    const char *value = abut_mjcf_value(view, name, &holder);
    if (!value) return ABUT_OK;
    const char *p = skip_space(value);
    int64_t number = 0;
    int found = abut_parse_integer(&p, value + strlen(value), &number) == ABUT_NUMBER_OK && *skip_space(p) == 0;
    if (!found || number < least || number > most)
        return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
            "attribute %.40s: expected an integer from %lld to %lld, got '%.60s'", name, (long long)least,
            (long long)most, value);
    *out = number;
    return ABUT_OK;
}

AbutStatus abut_mjcf_word(const AbutMjcfView *view, const char *name, const char *const *words, int *out) {
    const AbutXmlElement *holder = NULL;
    const char *value = abut_mjcf_value(view, name, &holder);
    char list[160] = "";
    size_t used = 0;
    if (!value) return ABUT_OK;
    for (int i = 0; words[i]; ++i) {
        if (strcmp(words[i], value) == 0) {
            *out = i;
            return ABUT_OK;
        }
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
        if (n > 0 && used + (size_t)n < sizeof list) used += (size_t)n;
    }
    return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
        "attribute %.40s: expected one of %s, got '%.60s'", name, list, value);
}

AbutStatus abut_mjcf_limits(
    const AbutMjcfView *view, const char *word, const char *name, int32_t *limited, double range[2]) {
    static const char *const words[] = {"false", "true", "auto", NULL};
    int said = 2;
    const AbutXmlElement *holder = view->element;
    ABUT_TRY(abut_mjcf_numbers(view, name, 2, 2, range, NULL));
    ABUT_TRY(abut_mjcf_word(view, word, words, &said));
    int given = abut_mjcf_value(view, name, &holder) && (range[0] != 0.0 || range[1] != 0.0);
    *limited = said == 2 ? given && view->reader->now.auto_limits : said;
    if (*limited && !(range[0] < range[1]))
        return abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
            "attribute %.40s: expected two ascending numbers, got %g and %g", name, range[0], range[1]);
    return ABUT_OK;
}

AbutStatus abut_mjcf_number_list(const AbutMjcfView *view, const char *name, double **out, size_t *count) {
    AbutMjcfReader *reader = view->reader;
    const AbutXmlElement *holder = NULL;
    const char *value = abut_mjcf_value(view, name, &holder);
    *count = 0;
    *out = NULL;
    if (!value) return ABUT_OK;
    size_t words = 0;
    for (const char *p = value; *p; ++p) words += !abut_is_space(*p) && (p == value || abut_is_space(p[-1]));
    *out = abut_pool_take(&reader->xml.pool, words * sizeof **out + 1);
    if (!*out) return abut_fail_memory(reader->error);
    const char *at = value, *end = value + strlen(value);
    for (int more = 1; *count <= words;) {
        double number;
        AbutStatus status = next_number(reader, holder, name, &at, end, &number, &more);
        if (status || !more) return status;
        (*out)[(*count)++] = number;
    }
    return ABUT_OK;
}
