/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Summaries as one page. In: folders with a summary.md of ours: headings, paragraphs, tables, lists, `code`, *em*,
 * **strong**, ![picture](file). Out: one HTML file that needs no other: plots and pictures are inside. Every heading of
 * the first two levels is a part that folds, and a line of the table of contents; a link opens the part it leads into.
 */
#include <stdlib.h>
#include <string.h>

#include "reproduce.h"

enum { LINE = 4000, FILE_LIMIT = 1 << 26 };

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void put_char(FILE *to, char c) {
    if (c == '<')
        fputs("&lt;", to);
    else if (c == '&')
        fputs("&amp;", to);
    else
        fputc(c, to);
}

/* A file of the folder as it is, or in base 64. */
static AbutStatus load(
    const char *folder, const char *name, int length, char **bytes, size_t *count, AbutError *error) {
    char path[LINE];
    snprintf(path, sizeof path, "%.3000s/%.*s", folder, length, name);
    return abut_file_load(path, "a picture", FILE_LIMIT, bytes, count, error);
}

static void put_base64(FILE *to, const unsigned char *b, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned v = (unsigned)b[i] << 16 | (left > 1 ? (unsigned)b[i + 1] << 8 : 0) | (left > 2 ? b[i + 2] : 0U);
        fputc(digits[v >> 18], to);
        fputc(digits[v >> 12 & 63], to);
        fputc(left > 1 ? digits[v >> 6 & 63] : '=', to);
        fputc(left > 2 ? digits[v & 63] : '=', to);
    }
}

/* "![words](file)"; gives what follows it, NULL: it is no picture. */
static const char *put_picture(FILE *to, const char *folder, const char *at, AbutStatus *status, AbutError *error) {
    const char *middle = strstr(at, "]("), *end = middle ? strchr(middle, ')') : NULL;
    if (strncmp(at, "![", 2) != 0 || !end) return NULL;
    char *bytes;
    size_t count;
    *status = load(folder, middle + 2, (int)(end - middle - 2), &bytes, &count, error);
    if (*status != ABUT_OK) return end + 1;
    int svg = end - middle > 6 && strncmp(end - 4, ".svg", 4) == 0;
    fprintf(
        to, "<img alt=\"%.*s\" src=\"data:image/%s;base64,", (int)(middle - at - 2), at + 2, svg ? "svg+xml" : "png");
    put_base64(to, (const unsigned char *)bytes, count);
    fputs("\">", to);
    abut_free(bytes);
    return end + 1;
}

/* A mark that opens and closes a piece, as ** or `; gives what follows it, NULL: it is none. */
static const char *put_mark(FILE *to, const char *at, const char *mark, const char *tag, int *open) {
    size_t length = strlen(mark);
    if (strncmp(at, mark, length) != 0 || (!*open && !strstr(at + length, mark))) return NULL;
    fprintf(to, *open ? "</%s>" : "<%s>", tag);
    *open = !*open;
    return at + length;
}

/* The words of a line, up to `end`. */
static AbutStatus put_words(FILE *to, const char *folder, const char *at, const char *end, AbutError *error) {
    int strong = 0, em = 0, code = 0;
    AbutStatus status = ABUT_OK;
    while (at < end && status == ABUT_OK) {
        const char *next = code ? NULL : put_picture(to, folder, at, &status, error);
        next = next ? next : put_mark(to, at, "`", "code", &code);
        next = next || code ? next : put_mark(to, at, "**", "strong", &strong);
        next = next || code ? next : put_mark(to, at, "*", "em", &em);
        if (!next) put_char(to, *at);
        at = next ? next : at + 1;
    }
    return status;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

typedef enum Block { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_LIST, BLOCK_TABLE } Block;

static void change_block(FILE *to, Block *now, Block next) {
    static const char *const open[] = {"", "<p>", "<ul>\n", "<div class=\"table\"><table>\n"};
    static const char *const close[] = {"", "</p>\n", "</ul>\n", "</table></div>\n"};
    if (*now == next) return;
    fputs(close[*now], to);
    fputs(open[next], to);
    *now = next;
}

static AbutStatus put_row(FILE *to, const char *folder, const char *line, int head, AbutError *error) {
    AbutStatus status = ABUT_OK;
    fputs("<tr>", to);
    for (const char *at = line + 1; *at && status == ABUT_OK;) {
        const char *end = at + strcspn(at, "|"), *last = end;
        if (!*end) break;
        at += strspn(at, " ");
        while (last > at && last[-1] == ' ') --last;
        fputs(head ? "<th>" : "<td>", to);
        status = put_words(to, folder, at, last, error);
        fputs(head ? "</th>" : "</td>", to);
        at = end + 1;
    }
    fputs("</tr>\n", to);
    return status;
}

/* A summary on its way to the page, or to the table of contents. */
typedef struct Summary {
    const char *name, *folder;
    int contents; /* 1: its headings alone, as links */
    int open;     /* 1: nothing is folded at first */
    Block block;  /* that is open */
    int parts;    /* that are open: 0 .. PARTS */
    int heading;  /* number of the last */
} Summary;

enum { PARTS = 2 }; /* levels of headings that fold */

static void close_parts(FILE *to, Summary *s, int left) {
    static const char *const close[] = {"</ul></li>\n", "</details>\n"};
    change_block(to, &s->block, BLOCK_NONE);
    for (; s->parts > left; --s->parts) fputs(close[!s->contents], to);
}

/* A line of the table of contents; lines of the second level stand in a list of their own. */
static AbutStatus put_link(FILE *to, Summary *s, const char *words, int level, AbutError *error) {
    fprintf(to, "<li><a href=\"#%s-%d\">", s->name, s->heading);
    AbutStatus status = put_words(to, s->folder, words, words + strlen(words), error);
    fputs(level == 1 ? "</a><ul>\n" : "</a></li>\n", to);
    s->parts += level == 1;
    return status;
}

/* The anchor lies inside of what folds, since a browser opens what holds the target of a link. */
static AbutStatus put_heading(FILE *to, Summary *s, const char *line, int level, AbutError *error) {
    const char *words = line + level + strspn(line + level, " ");
    int folds = level <= PARTS;
    ++s->heading;
    close_parts(to, s, folds ? level - 1 : PARTS);
    if (s->contents) return folds ? put_link(to, s, words, level, error) : ABUT_OK;
    if (folds) fprintf(to, "<details%s><summary>", level > 1 || s->open ? " open" : "");
    fprintf(to, "<h%d>", level + 1);
    AbutStatus status = put_words(to, s->folder, words, words + strlen(words), error);
    fprintf(to, "</h%d>\n", level + 1);
    if (folds) fprintf(to, "</summary><a id=\"%s-%d\"></a>\n", s->name, s->heading);
    s->parts += folds;
    return status;
}

static AbutStatus put_line(FILE *to, Summary *s, const char *line, AbutError *error) {
    size_t marks = strspn(line, "#");
    const char *end = line + strlen(line), *folder = s->folder;
    if (marks) return put_heading(to, s, line, (int)marks, error);
    if (s->contents) return ABUT_OK;
    if (!*line) {
        change_block(to, &s->block, BLOCK_NONE);
        return ABUT_OK;
    }
    if (*line == '|') {
        int head = s->block != BLOCK_TABLE;
        change_block(to, &s->block, BLOCK_TABLE);
        return strncmp(line, "|---", 4) == 0 ? ABUT_OK : put_row(to, folder, line, head, error);
    }
    int item = strncmp(line, "- ", 2) == 0;
    change_block(to, &s->block, item || s->block == BLOCK_LIST ? BLOCK_LIST : BLOCK_PARAGRAPH);
    if (item) fputs("<li>", to);
    AbutStatus status = put_words(to, folder, line + (item ? 2 : 0), end, error);
    fputc('\n', to);
    return status;
}

static AbutStatus put_summary(FILE *to, Summary s, AbutError *error) {
    char *text = NULL;
    size_t count;
    AbutStatus status = load(s.folder, "summary.md", 10, &text, &count, error);
    if (status != ABUT_OK) return status;
    for (size_t at = 0; status == ABUT_OK && at < count;) {
        char line[LINE];
        size_t length = 0;
        while (at + length < count && text[at + length] != '\n') ++length;
        snprintf(line, sizeof line, "%.*s", (int)length, text + at);
        status = put_line(to, &s, line, error);
        at += length + 1;
    }
    close_parts(to, &s, 0);
    abut_free(text);
    return status;
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void put_head(FILE *to, const char *title) {
    fprintf(to, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n", title);
    fputs(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n"
        ":root { color-scheme: light dark; --ink: #1c2430; --paper: #fbfbf9; --line: #c8ccd2; --soft: #eef0ee; }\n"
        "@media (prefers-color-scheme: dark) { :root { --ink: #dfe4ea; --paper: #14181d; --line: #3a424c; --soft: "
        "#20262d; } }\n"
        "body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 72rem; font: 16px/1.5 system-ui, sans-serif; "
        "color: var(--ink); background: var(--paper); }\n"
        "h1, h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; } h2 { margin-top: 2.5rem; }\n"
        "p, li { max-width: 60rem; overflow-wrap: anywhere; } nav li { margin: .15rem 0; }\n"
        "summary { cursor: pointer; margin: 1.2rem 0 .5rem; } summary h2, summary h3 { display: inline; border: 0; }\n"
        ".table { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
        "th, td { padding: .2rem .6rem; border: 1px solid var(--line); text-align: left; white-space: nowrap; }\n"
        "th { background: var(--soft); } code { background: var(--soft); padding: 0 .2em; }\n"
        "img { max-width: 100%; height: auto; background: #fff; border-radius: 4px; }\n"
        ".legend { background: var(--soft); padding: .5rem .8rem; border-radius: 4px; }\n"
        "</style></head><body>\n",
        to);
    fprintf(to, "<h1>%s</h1>\n", title);
    fputs(
        "<p class=\"legend\"><strong>Published</strong>: as the paper prints it. <strong>True</strong>: proved by the "
        "tests of abut, by two methods that share no code. Every other number was computed by this run on this "
        "machine.</p>\n",
        to);
}

static AbutStatus put_sections(FILE *to, int count, const ReproduceSection *sections, AbutError *error) {
    AbutStatus status = ABUT_OK;
    fputs("<nav aria-label=\"Contents\"><ul>\n", to);
    for (int i = 0; i < count && status == ABUT_OK; ++i)
        if (sections[i].folder)
            status = put_summary(to, (Summary){sections[i].name, sections[i].folder, .contents = 1}, error);
        else
            fprintf(to, "<li><a href=\"#%s\">%s failed</a></li>\n", sections[i].name, sections[i].name);
    fputs("</ul></nav>\n", to);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        fprintf(to, "<section id=\"%s\">\n", sections[i].name);
        if (sections[i].folder)
            status = put_summary(to, (Summary){sections[i].name, sections[i].folder, .open = count == 1}, error);
        else
            fprintf(to, "<h2>%s</h2>\n<p><strong>This part failed</strong>; what it said stands in the terminal.</p>\n",
                sections[i].name);
        fputs("</section>\n", to);
    }
    fputs("</body></html>\n", to);
    return status;
}

AbutStatus reproduce_page(
    const char *path, const char *title, int count, const ReproduceSection *sections, AbutError *error) {
    AbutFileOut out;
    AbutStatus status = abut_file_out_open(&out, path, error);
    if (status != ABUT_OK) return status;
    put_head(out.file, title);
    status = put_sections(out.file, count, sections, error);
    if (status != ABUT_OK) {
        abut_file_out_cancel(&out);
        return status;
    }
    return abut_file_out_commit(&out, error);
}

AbutStatus reproduce_write_summary(
    const ReproduceArgs *args, ReproducePut *put, const void *results, AbutError *error) {
    char *text = NULL, path[4096];
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to) return abut_fail_memory(error);
    put(to, args, results);
    int bad = ferror(to);
    bad |= fclose(to) != 0;
    snprintf(path, sizeof path, "%s/summary.md", args->folder);
    AbutStatus status = bad ? abut_fail_memory(error) : abut_file_write(path, text, size, error);
    free(text);
    return status;
}
