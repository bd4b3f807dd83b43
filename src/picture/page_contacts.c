/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of a run for a page. Within a frame they are sorted by their two bodies; each is told from the contact of
 * the same bodies in the kept frame before, each vertex from the vertex of the same number there, or from its
 * neighbor.
 */
#include "base/pool.h"
#include "picture/page.h"

#include <stdlib.h>

/* Forces and measures keep 12 bits behind the leading one; normals 14 bits. */
enum { SHIFT = 11 };
#define NORMAL_STEP 0x1p-14
#define NOISE 1e-7 /* of the largest: smaller forces and torques are left out */

typedef struct Key {
    int32_t a, b;
    int64_t index; /* in the run */
} Key;

typedef struct Vertex {
    int64_t index;
    int64_t contact; /* both in the run */
} Vertex;

typedef struct Contacts {
    const AbutRun *run;
    int32_t frames; /* kept */
    int64_t count, vertex_count;
    int64_t *first;   /* [frames + 1] */
    Key *key;         /* [count], sorted within each frame */
    int32_t *before;  /* [count] */
    Vertex *vertex;   /* [vertex_count] */
    int64_t *corners; /* [count + 1]: where the vertices begin */
    int32_t *corner_before;
    AbutPool pool; /* of all these */
} Contacts;

/* The numbers of a column. */
static const double *f8(const Contacts *c, AbutRunColumn column) { return abut_run_f8(c->run, column); }

static const int32_t *i4(const Contacts *c, AbutRunColumn column) { return abut_run_i4(c->run, column); }

static const int64_t *i8(const Contacts *c, AbutRunColumn column) { return abut_run_i8(c->run, column); }

static int compare(const void *left, const void *right) {
    const Key *p = left, *q = right;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static void collect(Contacts *c, const int32_t *frame, int32_t stride) {
    for (int32_t f = 0; f < c->frames; ++f) {
        int64_t begin = i8(c, ABUT_RUN_CONTACT_START)[frame[f * stride]],
                end = i8(c, ABUT_RUN_CONTACT_START)[frame[f * stride] + 1];
        Key *key = c->key + c->first[f];
        for (int64_t i = begin; i < end; ++i)
            key[i - begin] = (Key){i4(c, ABUT_RUN_CONTACT_BODY)[2 * i], i4(c, ABUT_RUN_CONTACT_BODY)[2 * i + 1], i};
        qsort(key, (size_t)(end - begin), sizeof *key, compare);
    }
}

/* Both frames are sorted: walk them side by side. */
static void match_contacts(Contacts *c) {
    for (int64_t i = 0; i < c->count; ++i) c->before[i] = -1;
    for (int32_t f = 1; f < c->frames; ++f) {
        int64_t p = c->first[f - 1], i = c->first[f];
        while (p < c->first[f] && i < c->first[f + 1]) {
            Key a = c->key[p], b = c->key[i];
            a.index = b.index = 0;
            int order = compare(&a, &b);
            if (order == 0) c->before[i] = (int32_t)p;
            p += order <= 0;
            i += order >= 0;
        }
    }
}

static void match_vertices(Contacts *c) {
    for (int64_t i = 0; i < c->count; ++i) {
        int64_t p = c->before[i], source = i8(c, ABUT_RUN_VERTEX_START)[c->key[i].index];
        for (int64_t v = c->corners[i]; v < c->corners[i + 1]; ++v) {
            int64_t number = v - c->corners[i], match = number > 0 ? v - 1 : -1;
            if (p >= 0 && number < c->corners[p + 1] - c->corners[p]) match = c->corners[p] + number;
            c->vertex[v] = (Vertex){source + number, c->key[i].index};
            c->corner_before[v] = (int32_t)match;
        }
    }
}

static int64_t corners_of(const Contacts *c, int64_t i) {
    int64_t at = c->key[i].index;
    return i8(c, ABUT_RUN_VERTEX_START)[at + 1] - i8(c, ABUT_RUN_VERTEX_START)[at];
}

static int gather(Contacts *c, const int32_t *frame, int32_t stride) {
    int good = 1;
    c->first = abut_pool_take_array(&c->pool, (size_t)c->frames, sizeof *c->first, &good);
    if (!good) return 0;
    for (int32_t f = 0; f < c->frames; ++f) {
        const int64_t *start = i8(c, ABUT_RUN_CONTACT_START) + frame[f * stride];
        c->first[f + 1] = c->first[f] + start[1] - start[0];
    }
    c->count = c->first[c->frames];
    c->key = abut_pool_take_array(&c->pool, (size_t)c->count, sizeof *c->key, &good);
    c->before = abut_pool_take_array(&c->pool, (size_t)c->count, sizeof *c->before, &good);
    c->corners = abut_pool_take_array(&c->pool, (size_t)c->count, sizeof *c->corners, &good);
    if (!good) return 0;
    collect(c, frame, stride);
    match_contacts(c);
    for (int64_t i = 0; i < c->count; ++i) c->corners[i + 1] = c->corners[i] + corners_of(c, i);
    c->vertex_count = c->corners[c->count];
    c->vertex = abut_pool_take_array(&c->pool, (size_t)c->vertex_count, sizeof *c->vertex, &good);
    c->corner_before = abut_pool_take_array(&c->pool, (size_t)c->vertex_count, sizeof *c->corner_before, &good);
    if (good) match_vertices(c);
    return good;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double get_count(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    (void)column;
    return (double)(c->first[row + 1] - c->first[row]);
}

static double get_bodies(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    const Key *key = &c->key[row];
    return column == 0 ? key->a : column == 1 ? key->b : i4(c, ABUT_RUN_CONTACT_SLIDING)[key->index] != 0;
}

/* A column of the run, by contacts or by vertices. */
typedef struct Column {
    const Contacts *contacts;
    AbutRunColumn column;
    int32_t width;
} Column;

static double get_of_contact(const void *source, int64_t row, int32_t column) {
    const Column *c = source;
    return f8(c->contacts, c->column)[c->width * c->contacts->key[row].index + column];
}

static double get_of_vertex(const void *source, int64_t row, int32_t column) {
    const Column *c = source;
    return f8(c->contacts, c->column)[c->width * c->contacts->vertex[row].index + column];
}

static double get_wrench(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    int64_t at = 3 * c->key[row].index;
    return column < 3 ? f8(c, ABUT_RUN_CONTACT_FORCE)[at + column] : f8(c, ABUT_RUN_CONTACT_TORQUE)[at + column - 3];
}

/* Mean of the vertices by their normal forces; the center where nothing presses. */
static double get_pressure_center(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    int64_t at = c->key[row].index;
    double sum = 0.0, moment = 0.0;
    for (int64_t v = i8(c, ABUT_RUN_VERTEX_START)[at]; v < i8(c, ABUT_RUN_VERTEX_START)[at + 1]; ++v) {
        double press = 0.0;
        for (int k = 0; k < 3; ++k)
            press += f8(c, ABUT_RUN_VERTEX_FORCE)[3 * v + k] * f8(c, ABUT_RUN_CONTACT_NORMAL)[3 * at + k];
        press = press > 0.0 ? press : 0.0;
        sum += press;
        moment += press * f8(c, ABUT_RUN_VERTEX_POINT)[3 * v + column];
    }
    return sum > 0.0 && isfinite(moment / sum) ? moment / sum : f8(c, ABUT_RUN_CONTACT_CENTER)[3 * at + column];
}

static double get_measure(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    int64_t at = c->key[row].index;
    return column == 0   ? f8(c, ABUT_RUN_CONTACT_AREA)[at]
           : column == 1 ? f8(c, ABUT_RUN_CONTACT_VOLUME)[at]
                         : f8(c, ABUT_RUN_CONTACT_DEPTH)[at];
}

static double get_corners(const void *source, int64_t row, int32_t column) {
    (void)column;
    return (double)corners_of(source, row);
}

static double get_sliding(const void *source, int64_t row, int32_t column) {
    const Contacts *c = source;
    (void)column;
    return i4(c, ABUT_RUN_CONTACT_SLIDING)[c->vertex[row].contact] != 0;
}

static double largest(const double *values, int64_t count) {
    double most = 0.0;
    for (int64_t i = 0; i < count; ++i)
        if (isfinite(values[i])) most = abut_larger(fabs(values[i]), most);
    return most;
}

/* The step of places: fine beside their range, and not finer than 2^-18 of the farthest. Vertices count beside centers,
 * which may all lie at the origin. */
static double place_step(const Contacts *c) {
    const double *center = f8(c, ABUT_RUN_CONTACT_CENTER), *point = f8(c, ABUT_RUN_VERTEX_POINT);
    int64_t all = c->run->contacts, vertices = c->run->vertices;
    double step = abut_larger(abut_page_step(center, all, 3, 3), abut_page_step(point, vertices, 3, 3));
    double farthest = abut_larger(largest(center, 3 * all), largest(point, 3 * vertices));
    return abut_larger(step, farthest * 0x1p-18);
}

static void put_tables(AbutPage *page, const Contacts *c) {
    int64_t all = c->run->contacts, vertices = c->run->vertices;
    double place = place_step(c);
    double noise = NOISE * largest(f8(c, ABUT_RUN_CONTACT_FORCE), 3 * all);
    double press = NOISE * largest(f8(c, ABUT_RUN_VERTEX_PRESSURE), vertices);
    Column normal = {c, ABUT_RUN_CONTACT_NORMAL, 3}, center = {c, ABUT_RUN_CONTACT_CENTER, 3},
           point = {c, ABUT_RUN_VERTEX_POINT, 3}, pressure = {c, ABUT_RUN_VERTEX_PRESSURE, 1};
    const struct {
        const char *key;
        AbutPageTable table;
    } tables[] = {
        {"counts", {get_count, c, c->frames, 1, 1.0, 0, 0.0, NULL}},
        {"bodies", {get_bodies, c, c->count, 3, 1.0, 0, 0.0, NULL}},
        {"normals", {get_of_contact, &normal, c->count, 3, NORMAL_STEP, 0, 0.0, c->before}},
        {"centers", {get_of_contact, &center, c->count, 3, place, 0, 0.0, c->before}},
        {"wrenches", {get_wrench, c, c->count, 6, 0.0, SHIFT, noise, c->before}},
        {"pressureCenters", {get_pressure_center, c, c->count, 3, place, 0, 0.0, c->before}},
        {"measures", {get_measure, c, c->count, 3, 0.0, SHIFT, 0.0, c->before}},
        {"vertexCounts", {get_corners, c, c->count, 1, 1.0, 0, 0.0, c->before}},
        {"vertexPoints", {get_of_vertex, &point, c->vertex_count, 3, place, 0, 0.0, c->corner_before}},
        {"vertexPressures", {get_of_vertex, &pressure, c->vertex_count, 1, 0.0, SHIFT + 3, press, c->corner_before}},
        {"vertexSliding", {get_sliding, c, c->vertex_count, 1, 1.0, 0, 0.0, c->corner_before}},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) abut_page_table(page, tables[i].key, &tables[i].table);
}

void abut_page_contacts(AbutPage *page, const AbutRun *run, const int32_t *frame, int32_t count, int32_t stride) {
    Contacts c = {.run = run, .frames = (count + stride - 1) / stride};
    if (gather(&c, frame, stride)) {
        abut_json_begin_object(abut_json_key(&page->json, "contacts"));
        abut_json_put_integer(&page->json, "stride", stride);
        put_tables(page, &c);
        abut_json_end_object(&page->json);
    } else
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
    abut_pool_free(&c.pool);
}
