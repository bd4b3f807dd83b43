/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heights from files: pictures of every kind that PNG has for gray, made by another program with a known formula, all
 * five filters in each; the binary format; damaged and hostile files.
 */
#include "abut/file.h"
#include "support/check.h"

#include <string.h>

enum { COLUMNS = 4, ROWS = 6 };

/* Sample of row r from above and column c is (7 r + 11 c^2 + 3 r c + 1) mod 2^depth, times 257 before it for 16 bits.
 */
static const unsigned char gray1[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 1, 0, 0, 0, 0, 204, 66, 2, 216, 0, 0, 0, 20, 73, 68, 65, 84, 120, 218, 99, 88, 192, 200, 192, 180, 128, 121, 3,
    203, 2, 6, 6, 0, 16, 216, 2, 155, 48, 251, 251, 86, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char gray2[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 2, 0, 0, 0, 0, 139, 226, 120, 8, 0, 0, 0, 20, 73, 68, 65, 84, 120, 218, 99, 112, 97, 212, 96, 90, 194, 108, 197,
    178, 132, 65, 3, 0, 12, 78, 2, 33, 160, 149, 185, 34, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char gray4[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 4, 0, 0, 0, 0, 4, 162, 141, 168, 0, 0, 0, 26, 73, 68, 65, 84, 120, 218, 99, 144, 185, 194, 216, 38, 199, 148,
    117, 129, 249, 211, 85, 150, 44, 7, 6, 191, 39, 0, 55, 5, 6, 124, 26, 254, 160, 130, 0, 0, 0, 0, 73, 69, 78, 68,
    174, 66, 96, 130};
static const unsigned char gray8[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 8, 0, 0, 0, 0, 193, 82, 96, 169, 0, 0, 0, 3, 116, 69, 88, 116, 97, 0, 98, 220, 73, 162, 59, 0, 0, 0, 7, 73, 68,
    65, 84, 120, 218, 99, 96, 228, 209, 77, 254, 101, 49, 176, 0, 0, 0, 0, 73, 68, 65, 84, 53, 175, 6, 30, 0, 0, 0, 29,
    73, 68, 65, 84, 97, 228, 224, 83, 177, 98, 98, 231, 226, 21, 96, 230, 231, 151, 209, 96, 1, 177, 24, 84, 236, 242,
    182, 0, 0, 38, 187, 3, 95, 119, 5, 41, 207, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char gray16[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0,
    0, 6, 16, 0, 0, 0, 0, 145, 194, 188, 234, 0, 0, 0, 54, 73, 68, 65, 84, 120, 218, 99, 96, 100, 228, 225, 209, 213,
    77, 73, 97, 228, 224, 224, 227, 83, 81, 177, 178, 98, 98, 103, 231, 226, 226, 229, 21, 16, 96, 230, 7, 2, 25, 25,
    13, 13, 22, 152, 8, 131, 138, 138, 157, 93, 94, 222, 150, 45, 0, 137, 72, 6, 179, 70, 45, 145, 173, 0, 0, 0, 0, 73,
    69, 78, 68, 174, 66, 96, 130};
static const unsigned char alpha8[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0,
    0, 6, 8, 4, 0, 0, 0, 78, 48, 247, 254, 0, 0, 0, 56, 73, 68, 65, 84, 120, 218, 99, 96, 76, 230, 73, 214, 77, 78, 73,
    102, 228, 72, 230, 99, 80, 97, 176, 98, 96, 98, 103, 224, 98, 224, 101, 16, 96, 96, 230, 55, 226, 103, 144, 97, 208,
    96, 96, 129, 137, 48, 168, 36, 219, 37, 231, 37, 111, 73, 6, 0, 174, 111, 7, 12, 147, 38, 91, 226, 0, 0, 0, 0, 73,
    69, 78, 68, 174, 66, 96, 130};
static const unsigned char rgb16[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 16, 2, 0, 0, 0, 59, 203, 116, 97, 0, 0, 0, 63, 73, 68, 65, 84, 120, 218, 99, 96, 4, 3, 30, 48, 208, 5, 131, 20,
    48, 96, 228, 0, 3, 62, 48, 80, 1, 3, 43, 48, 96, 98, 7, 3, 46, 48, 224, 5, 3, 1, 48, 96, 230, 71, 2, 50, 96, 160, 1,
    6, 44, 184, 116, 48, 64, 204, 181, 3, 131, 60, 48, 216, 2, 6, 0, 107, 84, 20, 3, 193, 109, 152, 79, 0, 0, 0, 0, 73,
    69, 78, 68, 174, 66, 96, 130};
static const unsigned char rgba8[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0,
    6, 8, 6, 0, 0, 0, 228, 57, 63, 117, 0, 0, 0, 90, 73, 68, 65, 84, 120, 218, 45, 203, 185, 13, 192, 32, 20, 4, 209,
    93, 240, 23, 8, 113, 21, 64, 72, 64, 66, 3, 4, 84, 67, 76, 117, 20, 104, 44, 57, 152, 236, 13, 72, 194, 123, 143,
    222, 59, 214, 90, 160, 181, 150, 49, 70, 212, 90, 49, 198, 128, 50, 198, 208, 57, 199, 16, 2, 115, 206, 212, 41, 37,
    117, 99, 41, 133, 173, 53, 62, 191, 192, 21, 184, 2, 223, 43, 115, 78, 217, 123, 203, 57, 71, 94, 138, 15, 10, 38,
    28, 69, 201, 250, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};

static void pictures_of_every_kind(void **state) {
    (void)state;
#ifndef ABUT_TEST_ZLIB
    skip();
#endif
    const struct {
        const char *name;
        const unsigned char *bytes;
        size_t count;
        int depth;
    } all[] = {{"gray1", gray1, sizeof gray1, 1}, {"gray2", gray2, sizeof gray2, 2}, {"gray4", gray4, sizeof gray4, 4},
        {"gray8", gray8, sizeof gray8, 8}, {"gray16", gray16, sizeof gray16, 16}, {"alpha8", alpha8, sizeof alpha8, 8},
        {"rgb16", rgb16, sizeof rgb16, 16}, {"rgba8", rgba8, sizeof rgba8, 8}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        int32_t columns, rows;
        double *h;
        AbutError error;
        good(abut_heights_read(all[i].name, all[i].bytes, all[i].count, &columns, &rows, &h, &error), &error);
        assert_true(columns == COLUMNS && rows == ROWS);
        unsigned white = (1U << all[i].depth) - 1;
        for (unsigned r = 0; r < ROWS; ++r)
            for (unsigned c = 0; c < COLUMNS; ++c) {
                unsigned value = (7 * r + 11 * c * c + 3 * r * c + 1) * (all[i].depth == 16 ? 257 : 1) & white;
                if (h[(ROWS - 1 - r) * COLUMNS + c] != (double)value / white)
                    fail_msg("%s: row %u column %u: %g", all[i].name, r, c, h[(ROWS - 1 - r) * COLUMNS + c]);
            }
        abut_free(h);
    }
}

/* Every file that is cut short, and every one with a byte changed, is refused by its name. */
static void damaged_pictures_are_refused(void **state) {
    (void)state;
    unsigned char bytes[sizeof gray8];
    for (size_t i = 0; i < sizeof gray8; ++i) {
        int32_t columns, rows;
        double *h;
        AbutError error;
        memcpy(bytes, gray8, sizeof bytes);
        assert_int_not_equal(abut_heights_read("x.png", bytes, i, &columns, &rows, &h, &error), ABUT_OK);
        assert_true(!h && strncmp(error.text, "x.png: ", 7) == 0);
        bytes[i] ^= 0x10;
        assert_int_not_equal(abut_heights_read("x.png", bytes, sizeof bytes, &columns, &rows, &h, &error), ABUT_OK);
        assert_true(!h && strncmp(error.text, "x.png: ", 7) == 0);
    }
}

static void binary_files_and_scales(void **state) {
    (void)state;
    static const float values[6] = {3, 1, 2, 5, 4, 1};
    unsigned char bytes[8 + sizeof values] = {2, 0, 0, 0, 3, 0, 0, 0};
    int32_t columns, rows;
    double *h;
    AbutError error;
    memcpy(bytes + 8, values, sizeof values);
    good(abut_heights_read("a.bin", bytes, sizeof bytes, &columns, &rows, &h, &error), &error);
    assert_true(rows == 2 && columns == 3);
    for (int i = 0; i < 6; ++i) CHECK_NEAR(h[i], values[i], 0);
    abut_heights_scale(6, h, 2);
    for (int i = 0; i < 6; ++i) CHECK_NEAR(h[i], (values[i] - 1) / 2, 1e-15);
    abut_free(h);
    bytes[8 + 3] = 0x7f, bytes[8 + 2] = 0xc0; /* the first is not a number */
    assert_int_equal(abut_heights_read("a.bin", bytes, sizeof bytes, &columns, &rows, &h, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(
        abut_heights_read("a.bin", bytes, sizeof bytes - 1, &columns, &rows, &h, &error), ABUT_ERROR_FORMAT);
    assert_true(strstr(error.text, "a.bin: expected a PNG picture, or rows and columns from 2 to 10000"));
    assert_int_equal(abut_heights_read("a.bin", "", 0, &columns, &rows, &h, &error), ABUT_ERROR_FORMAT);
    bytes[0] = 1;
    assert_int_equal(abut_heights_read("a.bin", bytes, sizeof bytes, &columns, &rows, &h, &error), ABUT_ERROR_FORMAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_every_kind),
        cmocka_unit_test(damaged_pictures_are_refused),
        cmocka_unit_test(binary_files_and_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
