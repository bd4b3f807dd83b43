/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, references and numbers of a COLLADA file. */
#include "file/mesh_dae.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

const AbutXmlElement *abut_dae_same(const AbutXmlElement *element, const char *tag) {
    const AbutXmlElement *e = element ? element->next : NULL;
    while (e && strcmp(e->tag, tag) != 0) e = e->next;
    return e;
}

const AbutXmlElement *abut_dae_child(const AbutXmlElement *parent, const char *tag) {
    const AbutXmlElement *e = parent ? parent->child : NULL;
    return e && strcmp(e->tag, tag) != 0 ? abut_dae_same(e, tag) : e;
}

AbutStatus abut_dae_follow(AbutDae *dae, const AbutXmlElement *element, const char *name, const AbutXmlElement **out) {
    const char *url = abut_xml_attribute(element, name);
    size_t low = 0, high = dae->id_count;
    *out = NULL;
    if (!url || url[0] != '#')
        return abut_xml_fail(dae->text->error, element, url && url[0] ? ABUT_ERROR_UNSUPPORTED : ABUT_ERROR_FORMAT,
            "attribute %s: expected '#id' of this file, got '%.60s'", name, url ? url : "");
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(dae->ids[middle].id, url + 1) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == dae->id_count || strcmp(dae->ids[low].id, url + 1) != 0)
        return abut_xml_fail(
            dae->text->error, element, ABUT_ERROR_FORMAT, "attribute %s: there is no '%.60s'", name, url + 1);
    *out = dae->ids[low].element;
    return ABUT_OK;
}

AbutStatus abut_dae_integer(AbutDae *dae, const AbutXmlElement *element, const char *name, int64_t last, int64_t *out) {
    const char *value = abut_xml_attribute(element, name), *p = value;
    int64_t number = -1;
    if (!value) return ABUT_OK;
    const char *end = value + strlen(value);
    if (abut_parse_integer(&p, end, &number) != ABUT_NUMBER_OK || p != end || number < 0 || number > last)
        return abut_xml_fail(dae->text->error, element, ABUT_ERROR_FORMAT,
            "attribute %s: expected an integer from 0 to %lld, got '%.40s'", name, (long long)last, value);
    *out = number;
    return ABUT_OK;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

AbutStatus abut_dae_scan(AbutDae *dae, const AbutXmlElement *element, AbutDaeScan *out) {
    const char *text = element->text ? element->text : "";
    *out = (AbutDaeScan){element, text, text + element->text_size};
    dae->work -= (int64_t)element->text_size;
    return dae->work >= 0
               ? ABUT_OK
               : abut_xml_fail(dae->text->error, element, ABUT_ERROR_LIMIT, "expected less geometry, copies included");
}

int abut_dae_ended(AbutDaeScan *scan) {
    while (scan->at < scan->end && abut_is_space(*scan->at)) ++scan->at;
    return scan->at == scan->end;
}

static AbutStatus fail_at(AbutDae *dae, const AbutDaeScan *scan, AbutStatus status, const char *what) {
    AbutText text = {"", scan->at, scan->at, scan->end, NULL};
    AbutFound found = abut_text_found(&text, scan->at);
    return abut_xml_fail(dae->text->error, scan->element, status, "expected %s, got %s", what,
        scan->at == scan->end ? "the end of its text" : found.text);
}

AbutStatus abut_dae_number(AbutDae *dae, AbutDaeScan *scan, double *out) {
    int ended = abut_dae_ended(scan);
    const char *p = scan->at;
    AbutNumber kind = ended ? ABUT_NUMBER_NONE : abut_parse_double(&p, scan->end, out);
    if (kind == ABUT_NUMBER_NOT_FINITE) return fail_at(dae, scan, ABUT_ERROR_NUMBER, "a finite number");
    if (kind != ABUT_NUMBER_OK || (p < scan->end && !abut_is_space(*p)))
        return fail_at(dae, scan, ABUT_ERROR_FORMAT, "a number");
    scan->at = p;
    return ABUT_OK;
}

AbutStatus abut_dae_index(AbutDae *dae, AbutDaeScan *scan, int32_t *out) {
    int ended = abut_dae_ended(scan);
    const char *p = scan->at;
    int64_t value = -1;
    if (ended || abut_parse_integer(&p, scan->end, &value) != ABUT_NUMBER_OK || value < 0 || value > ABUT_MESH_LIMIT ||
        (p < scan->end && !abut_is_space(*p)))
        return fail_at(dae, scan, ABUT_ERROR_FORMAT, "an index");
    scan->at = p;
    *out = (int32_t)value;
    return ABUT_OK;
}

AbutStatus abut_dae_numbers(AbutDae *dae, const AbutXmlElement *element, int count, double *out) {
    AbutDaeScan scan;
    AbutStatus status = abut_dae_scan(dae, element, &scan);
    for (int i = 0; i < count && status == ABUT_OK; ++i) status = abut_dae_number(dae, &scan, &out[i]);
    if (status == ABUT_OK && !abut_dae_ended(&scan))
        status = fail_at(dae, &scan, ABUT_ERROR_FORMAT, "the end of its text");
    return status;
}
