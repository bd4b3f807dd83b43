/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of numbers in the pool of a page. Each number becomes an integer: multiples of a step, or the upper bits of a
 * float with its sign. Integers are kept column by column as differences from the row before (order 1) or from the line
 * through the two rows before (order 2, when that is shorter), zigzag coded, seven bits per byte, low bits first.
 */
#include "picture/page.h"

#include <string.h>

static void put_byte(AbutPage *page, unsigned char byte) {
    if (page->count == page->capacity) {
        void *memory = page->pool;
        int grown = abut_grow(&memory, &page->capacity, page->count + 1, 1);
        page->pool = memory;
        if (!grown) {
            abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
            return;
        }
    }
    page->pool[page->count++] = byte;
}

static uint64_t zigzag(int64_t value) { return value < 0 ? 2 * (uint64_t) - (value + 1) + 1 : 2 * (uint64_t)value; }

static void put_integer(AbutPage *page, int64_t value) {
    uint64_t bits = zigzag(value);
    while (bits >= 128 && page->status == ABUT_OK) {
        put_byte(page, (unsigned char)(128 | (bits & 127)));
        bits >>= 7;
    }
    put_byte(page, (unsigned char)bits);
}

static int integer_bytes(int64_t value) {
    int bytes = 1;
    for (uint64_t bits = zigzag(value); bits >= 128; bits >>= 7) ++bytes;
    return bytes;
}

/* The float nearest to x, cut to its upper bits with rounding, as an integer that grows with x. */
static int64_t float_integer(double x, int shift, double smallest) {
    if (fabs(x) < smallest) return 0;
    float f = (float)fabs(x);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (isfinite(f) && shift > 0) bits += (uint32_t)1 << (shift - 1);
    bits >>= shift;
    return x < 0.0 ? -(int64_t)bits : (int64_t)bits;
}

static int64_t table_integer(AbutPage *page, const AbutPageTable *table, int64_t row, int32_t column) {
    double x = table->get(table->source, row, column);
    if (!(table->step > 0.0)) return float_integer(x, table->shift, table->floor);
    x /= table->step;
    if (!(fabs(x) < 0x1p50)) {
        abut_page_fail(
            page, ABUT_ERROR_NUMBER, "page: a position or number is not finite, or too large for the others");
        return 0;
    }
    return llrint(x);
}

static int64_t difference(const int64_t *column, int64_t row, const int32_t *before, int order) {
    int64_t p = before ? before[row] : row - 1, d = column[row];
    if (p < 0) return d;
    d -= column[p];
    return order == 2 && p > 0 ? d - (column[p] - column[p - 1]) : d;
}

static int better_order(const int64_t *integers, const AbutPageTable *table) {
    int64_t bytes[2] = {0, 0};
    for (int32_t c = 0; c < table->columns; ++c)
        for (int64_t r = 0; r < table->rows; ++r)
            for (int order = 1; order <= 2; ++order)
                bytes[order - 1] += integer_bytes(difference(integers + c * table->rows, r, NULL, order));
    return bytes[1] < bytes[0] ? 2 : 1;
}

static void put_reference(AbutPage *page, const char *key, const AbutPageTable *table, int order) {
    AbutJson *json = &page->json;
    abut_json_begin_object(abut_json_key(json, key));
    abut_json_put_integer(json, "at", (int64_t)page->count);
    abut_json_put_integer(json, "rows", table->rows);
    abut_json_put_integer(json, "columns", table->columns);
    if (order == 2) abut_json_put_integer(json, "order", 2);
    if (table->step > 0.0)
        abut_json_put_number(json, "step", table->step);
    else
        abut_json_put_integer(json, "shift", table->shift);
    abut_json_end_object(json);
}

void abut_page_table(AbutPage *page, const char *key, const AbutPageTable *table) {
    int64_t *integers = abut_alloc_array((size_t)table->rows, sizeof *integers * (size_t)table->columns);
    if (!integers) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int32_t c = 0; c < table->columns; ++c)
        for (int64_t r = 0; r < table->rows; ++r) integers[c * table->rows + r] = table_integer(page, table, r, c);
    int order = table->before ? 1 : better_order(integers, table);
    put_reference(page, key, table, order);
    for (int32_t c = 0; c < table->columns; ++c)
        for (int64_t r = 0; r < table->rows && page->status == ABUT_OK; ++r)
            put_integer(page, difference(integers + c * table->rows, r, table->before, order));
    abut_free(integers);
}

double abut_page_plain(const void *source, int64_t row, int32_t column) {
    const AbutPlainNumbers *plain = source;
    return plain->values[row * plain->columns + column];
}

void abut_page_numbers(
    AbutPage *page, const char *key, const double *values, int64_t rows, int32_t columns, double step, int shift) {
    AbutPlainNumbers plain = {values, columns};
    AbutPageTable table = {abut_page_plain, &plain, rows, columns, step, shift, 0.0, NULL};
    abut_page_table(page, key, &table);
}

void abut_page_line(AbutPage *page, const char *group, const char *name, const char *unit, const AbutPageTable *table) {
    abut_json_begin_object(&page->json);
    abut_json_put_string(&page->json, "group", group);
    abut_json_put_string(&page->json, "name", name);
    abut_json_put_string(&page->json, "unit", unit);
    abut_page_table(page, "values", table);
    abut_json_end_object(&page->json);
}
