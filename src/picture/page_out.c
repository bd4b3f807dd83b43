/* SPDX-License-Identifier: Apache-2.0 */
/* Heading and end of a page: the pool deflated (RFC 1950) and as base64, the JSON in its place in the template. */
#include "picture/page.h"

#include <string.h>

#ifdef ABUT_HAVE_ZLIB
#include <zlib.h>
#endif

#include "abut/file.h"

/* Where the data go in the template: behind this, up to the end of the element. */
static const char place[] = "<script type=\"application/json\" id=\"abut-data\">";

#ifdef ABUT_HAVE_WEB
extern const unsigned char abut_page_template_bytes[];
extern const size_t abut_page_template_count;

const unsigned char *abut_page_template(size_t *count) {
    *count = abut_page_template_count;
    return abut_page_template_bytes;
}
#else
const unsigned char *abut_page_template(size_t *count) {
    *count = 0;
    return NULL;
}
#endif

int abut_page_available(void) {
    size_t count;
    return abut_page_template(&count) != NULL;
}

void abut_page_fail(AbutPage *page, AbutStatus status, const char *text) {
    if (page->status == ABUT_OK) page->status = abut_fail(page->error, status, "%s", text);
}

void abut_page_keep(AbutPage *page, AbutStatus status) {
    if (page->status == ABUT_OK) page->status = status;
}

void abut_page_heading(AbutPage *page, const AbutPageHead *head, AbutVec3 gravity) {
    abut_json_put_string(&page->json, "title", head->title ? head->title : "");
    abut_json_put_string(&page->json, "subtitle", head->subtitle ? head->subtitle : "");
    abut_json_put_vec3(&page->json, "gravity", gravity);
}

AbutPage abut_page_begin(const AbutPageHead *head, AbutVec3 gravity, AbutError *error) {
    AbutPage page;
    memset(&page, 0, sizeof page);
    page.error = error;
    page.json = abut_json_to_file(NULL, 0);
    if (!abut_page_available())
        abut_page_fail(&page, ABUT_ERROR_UNSUPPORTED,
            "page: this build has no page template (it was made without Node.js, or with ABUT_WITH_WEB=OFF)");
    abut_json_begin_object(&page.json);
    abut_json_put_string(&page.json, "format", "abut-page");
    abut_json_put_integer(&page.json, "version", 2);
    abut_page_heading(&page, head, gravity);
    return page;
}

void abut_page_free(AbutPage *page) {
    abut_json_free(&page->json);
    abut_free(page->pool);
    page->pool = NULL;
    page->count = page->capacity = 0;
}

/* ---- deflate ----------------------------------------------------------------------------------------------------- */

#ifdef ABUT_HAVE_ZLIB
static unsigned char *deflated(const unsigned char *bytes, size_t count, size_t *out_count) {
    uLongf room = compressBound((uLong)count);
    unsigned char *out = abut_alloc(room);
    if (out && compress2(out, &room, bytes, (uLong)count, 9) != Z_OK) {
        abut_free(out);
        out = NULL;
    }
    *out_count = room;
    return out;
}
#else
/* Without zlib: the same container with blocks that are stored as they are. */
static unsigned char *deflated(const unsigned char *bytes, size_t count, size_t *out_count) {
    enum { BLOCK = 65535 };
    size_t blocks = count / BLOCK + 1, at = 2;
    unsigned char *out = abut_alloc(count + 5 * blocks + 6);
    uint32_t a = 1, b = 0;
    if (!out) return NULL;
    out[0] = 0x78;
    out[1] = 0x01;
    for (size_t i = 0; i < blocks; ++i) {
        size_t first = i * BLOCK, size = count - first < BLOCK ? count - first : BLOCK;
        unsigned char head[5] = {i + 1 == blocks, (unsigned char)size, (unsigned char)(size >> 8), (unsigned char)~size,
            (unsigned char)(~size >> 8)};
        memcpy(out + at, head, sizeof head);
        if (size > 0) memcpy(out + at + sizeof head, bytes + first, size);
        at += sizeof head + size;
    }
    for (size_t i = 0; i < count; ++i) { /* Adler-32 */
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    unsigned char sum[4] = {(unsigned char)(b >> 8), (unsigned char)b, (unsigned char)(a >> 8), (unsigned char)a};
    memcpy(out + at, sum, sizeof sum);
    *out_count = at + sizeof sum;
    return out;
}
#endif

static char *base64(const unsigned char *bytes, size_t count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = abut_alloc((count + 2) / 3 * 4 + 1), *at = out;
    for (size_t i = 0; out && i < count; i += 3) {
        uint32_t left = (uint32_t)(count - i), word = (uint32_t)bytes[i] << 16;
        word |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= left > 2 ? bytes[i + 2] : 0;
        *at++ = letters[word >> 18];
        *at++ = letters[word >> 12 & 63];
        *at++ = left > 1 ? letters[word >> 6 & 63] : '=';
        *at++ = left > 2 ? letters[word & 63] : '=';
    }
    if (out) *at = 0;
    return out;
}

static void put_pool(AbutPage *page) {
    static const unsigned char none = 0;
    size_t count = 0;
    unsigned char *packed = deflated(page->pool ? page->pool : &none, page->count, &count);
    char *text = packed ? base64(packed, count) : NULL;
    if (text)
        abut_json_put_string(&page->json, "pool", text);
    else
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
    abut_free(packed);
    abut_free(text);
}

/* ---- file -------------------------------------------------------------------------------------------------------- */

size_t abut_page_close(AbutPage *page) {
    size_t count;
    put_pool(page);
    abut_json_end_object(&page->json);
    if (page->status == ABUT_OK) page->status = abut_json_finish(&page->json, page->error);
    abut_page_template(&count);
    return page->status == ABUT_OK ? count + page->json.count : 0;
}

/* The JSON with every < escaped, so that no text in it can end the element. < stands in strings only. */
static void write_escaped(FILE *file, const char *text) {
    while (*text) {
        size_t run = strcspn(text, "<");
        fwrite(text, 1, run, file);
        text += run;
        if (*text == '<') {
            fputs("\\u003c", file);
            ++text;
        }
    }
}

static const unsigned char *find(const unsigned char *bytes, size_t count, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= count; ++i)
        if (bytes[i] == (unsigned char)text[0] && memcmp(bytes + i, text, length) == 0) return bytes + i;
    return NULL;
}

static AbutStatus write_page(const AbutPage *page, const char *path) {
    size_t count;
    const unsigned char *bytes = abut_page_template(&count), *from = bytes ? find(bytes, count, place) : NULL,
                        *to = NULL;
    if (from) {
        from += sizeof place - 1;
        to = find(from, count - (size_t)(from - bytes), "</script>");
    }
    if (!to) return abut_fail(page->error, ABUT_ERROR_FORMAT, "page: the template has no place for data");
    AbutFileOut out;
    ABUT_TRY(abut_file_out_open(&out, path, page->error));
    fwrite(bytes, 1, (size_t)(from - bytes), out.file);
    write_escaped(out.file, page->json.text);
    fwrite(to, 1, count - (size_t)(to - bytes), out.file);
    return abut_file_out_commit(&out, page->error);
}

AbutStatus abut_page_save(AbutPage *page, const char *path) {
    AbutStatus status = page->status;
    if (status == ABUT_OK && !*path) status = abut_fail(page->error, ABUT_ERROR_ARGUMENT, "page: no file name");
    if (status == ABUT_OK) status = write_page(page, path);
    abut_page_free(page);
    return status;
}
