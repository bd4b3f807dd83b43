/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XML into our own tree through the event interface of libxml2, the only file that knows that library. Nothing is
 * fetched, a document type is refused at its first byte (so there are no entities but the five of XML), and depth,
 * elements and attributes are limited. An element carries the line of its '<'.
 */
#include "file/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE = 330 };

const char *abut_xml_attribute(const AbutXmlElement *element, const char *name) {
    for (int32_t i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, name) == 0)
            return *element->attributes[i].value ? element->attributes[i].value : NULL;
    return NULL;
}

AbutStatus abut_xml_fail(AbutError *error, const AbutXmlElement *element, AbutStatus status, const char *format, ...) {
    char message[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return abut_fail(error, status, "%.100s:%d: <%.40s>: %s", element->file, (int)element->line, element->tag, message);
}

#ifdef ABUT_HAVE_XML

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

typedef struct Parse {
    AbutXml *xml;
    const char *file; /* in the pool */
    xmlParserCtxtPtr context;
    AbutXmlElement *root, *open; /* open: the innermost element that is not closed */
    int depth;
    AbutStatus status; /* of our own refusals */
    void *text;        /* of the open element so far */
    size_t text_size, text_capacity;
} Parse;

/* Line of the '<' of the start tag that was just read. */
static int32_t tag_line(const Parse *parse) {
    const xmlParserInput *input = parse->context->input;
    if (!input) return 0;
    int line = input->line;
    const xmlChar *end = input->cur;
    for (const xmlChar *p = end; p > input->base && *p != '<';) line -= *--p == '\n';
    return line > 0 ? line : 1;
}

static void stop(Parse *parse, AbutStatus status, int32_t line, const char *text) {
    if (!parse->status)
        parse->status = abut_fail(parse->xml->error, status, "%.100s:%d: %s", parse->file, (int)line, text);
    xmlStopParser(parse->context);
}

/* The parser leaves an ampersand as "&#38;". */
static char *copy_value(AbutPool *pool, const xmlChar *begin, const xmlChar *end) {
    char *text = abut_pool_text(pool, (const char *)begin, (size_t)(end - begin));
    if (text) {
        char *to = text;
        for (const char *from = text; *from; ++to) {
            *to = *from;
            from += strncmp(from, "&#38;", 5) == 0 ? 5 : 1;
        }
        *to = 0;
    }
    return text;
}

/* Five pointers per attribute: name, prefix, address, begin and end of the value. */
static int copy_attributes(Parse *parse, AbutXmlElement *element, int count, const xmlChar **from) {
    AbutPool *pool = &parse->xml->pool;
    element->attributes = abut_pool_take(pool, (size_t)count * sizeof(AbutAttribute));
    if (!element->attributes) return 0;
    for (int i = 0; i < count; ++i, from += 5) {
        const char *name = (const char *)from[0];
        AbutAttribute *attribute = &element->attributes[i];
        attribute->name = abut_pool_text(pool, name, strlen(name));
        attribute->value = copy_value(pool, from[3], from[4]);
        if (!attribute->name || !attribute->value) return 0;
        element->attribute_count = i + 1;
    }
    return 1;
}

static void append(AbutXmlElement *parent, AbutXmlElement *element) {
    element->parent = parent;
    if (parent->last_child)
        parent->last_child->next = element;
    else
        parent->child = element;
    parent->last_child = element;
}

static const char *tag_text(AbutXml *xml, const char *prefix, const char *name) {
    size_t n = strlen(name), m = prefix && xml->keep_prefix ? strlen(prefix) + 1 : 0;
    char *tag = abut_pool_take(&xml->pool, n + m + 1);
    if (!tag) return NULL;
    if (m) snprintf(tag, m + 1, "%s:", prefix);
    memcpy(tag + m, name, n + 1);
    return tag;
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes) {
    (void)uri, (void)namespace_count, (void)namespaces, (void)default_count;
    Parse *parse = user;
    AbutXml *xml = parse->xml;
    int32_t line = tag_line(parse);
    if (parse->status) return;
    if (++xml->elements > ABUT_XML_ELEMENTS) {
        stop(parse, ABUT_ERROR_LIMIT, line, "expected at most 1000000 elements, got more");
        return;
    }
    if (++parse->depth > ABUT_XML_DEPTH) {
        stop(parse, ABUT_ERROR_LIMIT, line, "expected elements at most 200 deep, got deeper ones");
        return;
    }
    if (attribute_count > ABUT_XML_ATTRIBUTES) {
        stop(parse, ABUT_ERROR_LIMIT, line, "expected at most 100 attributes of one element, got more");
        return;
    }
    AbutXmlElement *element = abut_pool_take(&xml->pool, sizeof *element);
    const char *tag = element ? tag_text(xml, (const char *)prefix, (const char *)name) : NULL;
    if (element) *element = (AbutXmlElement){.tag = tag, .file = parse->file, .line = line};
    if (!tag || !copy_attributes(parse, element, attribute_count, attributes)) {
        stop(parse, ABUT_ERROR_MEMORY, line, "out of memory");
        return;
    }
    if (parse->open)
        append(parse->open, element);
    else if (!parse->root)
        parse->root = element;
    parse->open = element;
    parse->text_size = 0;
}

static void on_text(void *user, const xmlChar *text, int count) {
    Parse *parse = user;
    if (parse->status || !parse->xml->keep_text || count <= 0) return;
    size_t size = parse->text_size + (size_t)count;
    if (!abut_grow(&parse->text, &parse->text_capacity, size, 1)) {
        stop(parse, ABUT_ERROR_MEMORY, tag_line(parse), "out of memory");
        return;
    }
    memcpy((char *)parse->text + parse->text_size, text, (size_t)count);
    parse->text_size = size;
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    Parse *parse = user;
    AbutXmlElement *element = parse->open;
    if (element && !element->child && parse->text_size > 0 && !parse->status) {
        element->text = abut_pool_text(&parse->xml->pool, parse->text, parse->text_size);
        element->text_size = parse->text_size;
        if (!element->text) stop(parse, ABUT_ERROR_MEMORY, element->line, "out of memory");
    }
    parse->text_size = 0;
    if (element) parse->open = element->parent;
    --parse->depth;
}

static void on_subset(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    Parse *parse = user;
    stop(parse, ABUT_ERROR_FORMAT, tag_line(parse), "expected no document type, got <!DOCTYPE");
}

/* The first message of the library becomes ours; warnings are dropped. */
static void on_error(void *user, xmlErrorPtr about) {
    Parse *parse = user;
    if (parse->status || !about || about->level < XML_ERR_ERROR) return;
    char text[200];
    size_t n = 0;
    for (const char *p = about->message ? about->message : "not well-formed"; *p && n + 1 < sizeof text; ++p)
        text[n++] = (unsigned char)*p < ' ' ? ' ' : *p;
    while (n > 0 && text[n - 1] == ' ') --n;
    text[n] = 0;
    AbutStatus status = about->code == XML_ERR_NO_MEMORY ? ABUT_ERROR_MEMORY : ABUT_ERROR_FORMAT;
    parse->status = abut_fail(parse->xml->error, status, "%.100s:%d: expected well-formed XML: %s", parse->file,
        about->line > 0 ? about->line : 1, text);
}

static xmlSAXHandler handlers(void) {
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = on_start;
    sax.endElementNs = on_end;
    sax.internalSubset = on_subset;
    sax.characters = on_text;
    sax.cdataBlock = on_text;
    sax.serror = (xmlStructuredErrorFunc)on_error;
    return sax;
}

/* Bytes of a declaration <?xml version="0.0" ...?>, which many robot files begin with and the library refuses; else 0.
 */
static size_t odd_declaration(const char *bytes, size_t count) {
    char head[200];
    size_t n = count < sizeof head ? count : sizeof head - 1;
    memcpy(head, bytes, n);
    head[n] = 0;
    const char *end = strstr(head, "?>"), *version = strstr(head, "version=");
    if (strncmp(head, "<?xml ", 6) != 0 || !end || !version || version > end || strncmp(version + 9, "0.0", 3) != 0)
        return 0;
    return memchr(head, '\n', (size_t)(end - head)) ? 0 : (size_t)(end - head) + 2;
}

AbutStatus abut_xml_parse_one(AbutXml *xml, const void *bytes, size_t count, const char *name, AbutXmlElement **root) {
    *root = NULL;
    xml->bytes += count;
    if (count > ABUT_XML_BYTES || xml->bytes > ABUT_XML_BYTES)
        return abut_fail(
            xml->error, ABUT_ERROR_LIMIT, "%.300s: expected at most %d bytes of XML, got more", name, ABUT_XML_BYTES);
    if (count == 0) return abut_fail(xml->error, ABUT_ERROR_FORMAT, "%.300s: expected XML, got 0 bytes", name);
    Parse parse = {.xml = xml, .file = abut_pool_text(&xml->pool, name, strlen(name))};
    xmlInitParser();
    size_t skip = odd_declaration(bytes, count);
    bytes = (const char *)bytes + skip, count -= skip;
    parse.context = parse.file ? xmlCreateMemoryParserCtxt(bytes, (int)count) : NULL;
    if (!parse.context) return abut_fail_memory(xml->error);
    xmlCtxtUseOptions(
        parse.context, XML_PARSE_NONET | (xml->keep_text ? XML_PARSE_HUGE : 0)); /* size is limited here */
    *parse.context->sax = handlers();
    parse.context->userData = &parse;
    xmlParseDocument(parse.context);
    if (!parse.status && (!parse.context->wellFormed || !parse.root || parse.open))
        parse.status = abut_fail(xml->error, ABUT_ERROR_FORMAT, "%.300s: expected well-formed XML", name);
    xmlFreeDoc(parse.context->myDoc); /* none without the tree handlers; the library accepts NULL */
    parse.context->myDoc = NULL;
    xmlFreeParserCtxt(parse.context);
    abut_free(parse.text);
    *root = parse.root;
    return parse.status;
}

#else

AbutStatus abut_xml_parse_one(AbutXml *xml, const void *bytes, size_t count, const char *name, AbutXmlElement **root) {
    (void)bytes, (void)count;
    *root = NULL;
    return abut_fail(
        xml->error, ABUT_ERROR_UNSUPPORTED, "%.300s: this build reads no XML (made without libxml2)", name);
}

#endif
