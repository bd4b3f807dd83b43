/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of a reader. In: one at a time. Out: one per kind, the first of it with the number of others, at the end. */
#include "import/warn.h"

#include <stdio.h>
#include <string.h>

/* Place of a hash among the first `count`; count: it is new. */
static int32_t find(const uint64_t *list, int32_t count, uint64_t hash) {
    int32_t i = 0;
    while (i < count && list[i] != hash) ++i;
    return i;
}

/* Hash of a message without names in quotes and without digits: those of a kind differ in them alone. */
static uint64_t kind_of(const char *message) {
    uint64_t hash = 0;
    for (int quoted = 0; *message; ++message) {
        quoted ^= *message == '\'';
        if (!quoted && (*message < '0' || *message > '9')) hash = abut_hash(message, 1, hash);
    }
    return hash;
}

/* The part that a message calls ignored, "<tag>" or "<tag> attribute"; its kind, 0: another message. */
static uint64_t ignored_kind(const AbutXmlElement *element, const char *message, char *what, size_t room) {
    char name[64], end[16];
    const char *text = strchr(message, '>');
    text = text ? text + 1 : message;
    if (strcmp(text, ": is ignored") == 0) {
        snprintf(what, room, "<%.40s>, ", element->tag);
        return 1;
    }
    if (sscanf(text, ": attribute %63s is %15s", name, end) != 2 || strcmp(end, "ignored") != 0 ||
        strcmp(text + strlen(text) - 8, " ignored") != 0)
        return 0;
    snprintf(what, room, "<%.40s> %s, ", element->tag, name);
    return 2;
}

/* Adds to the list of what is ignored, where it is new and there is room. */
static void list_ignored(char *list, const char *what) {
    size_t used = strlen(list);
    if (!strstr(list, what) && used + strlen(what) < ABUT_IMPORT_IGNORED)
        strcpy(list + used, what);
    else if (!strstr(list, what) && used + 6 < ABUT_IMPORT_IGNORED && !strstr(list, "..., "))
        strcpy(list + used, "..., ");
}

void abut_import_warn(AbutWarnings *w, const AbutModelReadOptions *options, const AbutXmlElement *element,
    const char *format, va_list args) {
    char message[300], text[500], what[120];
    int n = snprintf(message, sizeof message, "<%.40s>: ", element->tag);
    vsnprintf(message + n, sizeof message - (size_t)n, format, args);
    if (!options->warn) return;
    uint64_t kind = options->all_warnings ? 0 : ignored_kind(element, message, what, sizeof what);
    if (kind)
        list_ignored(w->ignored[kind - 1], what);
    else
        kind = options->all_warnings ? abut_hash(message, strlen(message), 0) : kind_of(message);
    int32_t i = find(w->kind, w->count, kind);
    if (i < w->count) {
        ++w->more[i];
        return;
    }
    if (w->count == ABUT_IMPORT_WARNINGS) {
        w->left_out = 1;
        return;
    }
    n = snprintf(text, sizeof text, "%.180s:%d: %s", element->file, (int)element->line, message);
    char *kept = abut_alloc((size_t)n + 1);
    if (!kept) { /* out of memory: at once, without the number */
        options->warn(text, options->user);
        return;
    }
    memcpy(kept, text, (size_t)n + 1);
    w->text[w->count] = kept;
    w->kind[w->count++] = kind;
}

void abut_import_warn_end(AbutWarnings *w, const AbutModelReadOptions *options) {
    for (int32_t i = 0; i < w->count; ++i) {
        char text[560 + ABUT_IMPORT_IGNORED];
        const char *others = w->kind[i] == 1 || w->kind[i] == 2 ? w->ignored[w->kind[i] - 1] : ", ";
        others = strstr(others, ", ") + 2;
        int length = *others ? (int)strlen(others) - 2 : 0;
        snprintf(text, sizeof text, options->all_warnings || !w->more[i] ? "%s" : "%s (and %d more like it%s%.*s)",
            w->text[i], (int)w->more[i], length ? ": " : "", length, others);
        options->warn(text, options->user);
        abut_free(w->text[i]);
    }
    if (w->left_out) options->warn("further warnings are left out", options->user);
    memset(w, 0, sizeof *w);
}
