/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points from files: the same numbers written in every format of PLY, PCD and NumPy arrays come back bit for bit; every
 * cut and many damaged bytes are refused; messages name the place.
 */
#include "abut/file.h"
#include "support/check.h"

#include <string.h>

enum { COUNT = 300, ROOM = 40000 };

typedef struct File {
    char bytes[ROOM];
    size_t count;
} File;

static void put(File *f, const void *bytes, size_t count) {
    assert_true(f->count + count <= ROOM);
    memcpy(f->bytes + f->count, bytes, count);
    f->count += count;
}

static void put_text(File *f, const char *text) { put(f, text, strlen(text)); }

/* A number in the order of its bytes, or the other one. */
static void put_number(File *f, double value, int size, int turned) {
    float single = (float)value;
    char bytes[8], out[8];
    memcpy(bytes, size == 8 ? (void *)&value : (void *)&single, (size_t)size);
    for (int i = 0; i < size; ++i) out[i] = bytes[turned ? size - 1 - i : i];
    put(f, out, (size_t)size);
}

/* Numbers that floats hold, so that all formats can. */
static void draw(AbutRng *rng, AbutVec3 *points) {
    for (int i = 0; i < COUNT; ++i) {
        points[i].x = (double)(float)abut_rng_between(rng, -3, 3);
        points[i].y = (double)(float)abut_rng_normal(rng);
        points[i].z = i % 5 ? 0.25 : (double)(float)abut_rng_unit(rng); /* repeats, for packed files */
    }
}

static double coordinate(AbutVec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* ---- writers ----------------------------------------------------------------------------------------------------- */

/* 0: text, 1: little-endian floats, 2: big-endian doubles; with faces and a color between. */
static void write_ply(File *f, const AbutVec3 *points, int kind) {
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char line[400];
    snprintf(line, sizeof line,
        "ply\nformat %s 1.0\nelement vertex %d\nproperty %s x\nproperty uchar red\nproperty %s y\nproperty %s z\n"
        "%send_header\n",
        formats[kind], COUNT, kind == 1 ? "float" : "double", kind == 1 ? "float" : "double",
        kind == 1 ? "float" : "double", kind ? "element face 1\nproperty list uchar int vertex_indices\n" : "");
    put_text(f, line);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(line, sizeof line, "%.17g 7 %.17g %.17g\n", points[i].x, points[i].y, points[i].z);
        if (kind == 0) put_text(f, line);
        for (int a = 0; a < 3 && kind; ++a) {
            put_number(f, coordinate(points[i], a), kind == 1 ? 4 : 8, kind == 2);
            if (a == 0) put(f, "\7", 1);
        }
    }
    if (kind == 1) put(f, "\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
    if (kind == 2) put(f, "\3\0\0\0\0\0\0\0\1\0\0\0\2", 13);
}

static void write_npy(File *f, const AbutVec3 *points, int size) {
    char line[128];
    int n = snprintf(line, sizeof line, "{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, 3), }", size, COUNT);
    put(f, "\x93NUMPY\1\0\x76\0", 10);
    memset(line + n, ' ', sizeof line - (size_t)n);
    line[117] = '\n';
    put(f, line, 118);
    for (int i = 0; i < COUNT; ++i)
        for (int a = 0; a < 3; ++a) put_number(f, coordinate(points[i], a), size, 0);
}

/* Copies of at least 3 bytes from before where there are some, else bytes as they are. */
static void pack(File *out, const char *in, size_t count) {
    size_t at = 0;
    while (at < count) {
        size_t best = 0, from = 0;
        for (size_t k = at > 8000 ? at - 8000 : 0; k < at; ++k) {
            size_t n = 0;
            while (at + n < count && n < 264 && in[k + n] == in[at + n]) ++n;
            if (n > best) best = n, from = k;
        }
        if (best < 3) {
            put(out, "\0", 1);
            put(out, in + at++, 1);
            continue;
        }
        size_t back = at - from - 1, length = best - 2;
        char head[3] = {(char)((length < 7 ? length : 7) << 5 | back >> 8), (char)(length - 7), (char)back};
        put(out, head, 1);
        if (length >= 7) put(out, head + 1, 1);
        put(out, head + 2, 1);
        at += best;
    }
}

/* 0: text, 1: rows of bytes, 2: packed; three normals and a label beside the coordinates. */
static void write_pcd(File *f, const AbutVec3 *points, int kind, int size) {
    static const char *const data[] = {"ascii", "binary", "binary_compressed"};
    static File plain, packed;
    char line[400];
    snprintf(line, sizeof line,
        "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x normal y label z\nSIZE %d 4 %d 2 %d\n"
        "TYPE F F F U F\nCOUNT 1 3 1 1 1\nWIDTH %d\nHEIGHT 3\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS %d\nDATA %s\n",
        size, size, size, COUNT / 3, COUNT, data[kind]);
    put_text(f, line);
    for (int i = 0; i < COUNT && kind == 0; ++i) {
        snprintf(line, sizeof line, "%.17g nan nan nan %.17g 3 %.17g\n", points[i].x, points[i].y, points[i].z);
        put_text(f, line);
    }
    for (int i = 0; i < COUNT && kind == 1; ++i)
        for (int a = 0; a < 3; ++a) {
            put_number(f, coordinate(points[i], a), size, 0);
            put(f, "normalnormal", a == 0 ? 12 : a == 1 ? 2 : 0);
        }
    if (kind < 2) return;
    plain.count = packed.count = 0;
    for (int a = 0; a < 3; ++a) {
        for (int i = 0; i < COUNT; ++i) put_number(&plain, coordinate(points[i], a), size, 0);
        for (int i = 0; i < COUNT; ++i) put(&plain, "normalnormal", a == 0 ? 12 : a == 1 ? 2 : 0);
    }
    pack(&packed, plain.bytes, plain.count);
    const uint32_t sizes[2] = {(uint32_t)packed.count, (uint32_t)plain.count};
    put(f, sizes, sizeof sizes);
    put(f, packed.bytes, packed.count);
}

enum { KINDS = 11 };

static const char *write_kind(File *f, const AbutVec3 *points, int kind) {
    f->count = 0;
    if (kind < 3) return write_ply(f, points, kind), "scan.ply";
    if (kind < 5) return write_npy(f, points, kind == 3 ? 4 : 8), "scan.npy";
    return write_pcd(f, points, (kind - 5) / 2, kind % 2 ? 4 : 8), "scan.pcd";
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void every_format_comes_back(void **state) {
    (void)state;
    static File f;
    AbutVec3 points[COUNT], *out;
    AbutRng rng = abut_rng(181, 0);
    AbutError error;
    int64_t count;
    draw(&rng, points);
    for (int kind = 0; kind < KINDS; ++kind) {
        const char *name = write_kind(&f, points, kind);
        good(abut_points_read(name, f.bytes, f.count, &count, &out, &error), &error);
        assert_int_equal(count, COUNT);
        assert_memory_equal(out, points, sizeof points);
        abut_free(out);
        good(abut_points_read("scan", f.bytes, f.count, &count, &out, &error), &error); /* by content alone */
        abut_free(out);
    }
}

/* No part of a file is a whole one; damaged bytes give finite points or a refusal with the name of the file. */
static void damage_is_refused(void **state) {
    (void)state;
    static File f;
    AbutVec3 points[COUNT], *out;
    AbutRng rng = abut_rng(182, 0);
    AbutError error;
    int64_t count;
    draw(&rng, points);
    for (int kind = 0; kind < KINDS; ++kind) {
        const char *name = write_kind(&f, points, kind);
        size_t step = 1 + f.count / 300;
        for (size_t n = 0; n + 2 < f.count; n += step) { /* the last line end, and a digit, may be missing */
            CHECK(abut_points_read(name, f.bytes, n, &count, &out, &error) != ABUT_OK && !out && count == 0);
            CHECK(strncmp(error.text, name, 8) == 0);
        }
        for (int i = 0; i < check_cases(2000); ++i) {
            size_t at = abut_rng_below(&rng, (uint32_t)(i % 2 && f.count > 400 ? 400 : f.count));
            char was = f.bytes[at];
            f.bytes[at] = (char)abut_rng_below(&rng, 256);
            AbutStatus status = abut_points_read(name, f.bytes, f.count, &count, &out, &error);
            CHECK(status == ABUT_OK || (!out && error.text[0]));
            for (int64_t k = 0; k < count; ++k) CHECK(abut_is_finite(out[k]));
            abut_free(out);
            f.bytes[at] = was;
        }
    }
}

static void messages_name_the_place(void **state) {
    (void)state;
    static const char head[] = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 1\nDATA ascii\n";
    static const struct {
        const char *name, *text, *expected;
    } cases[] = {
        {"a.pcd", "", "a.pcd: expected points as PLY, PCD or a NumPy array, got 0 bytes"},
        {"a.txt", "1 2 3\n", "expected points as PLY, PCD or a NumPy array, got something else"},
        {"a.pcd", "FIELDS x y\nSIZE 4 4\nTYPE F F\nWIDTH 1\nDATA ascii\n1 2\n",
            "a.pcd:5: expected FIELDS with x, y and z"},
        {"a.pcd", "FIELDS x y x\n", "a.pcd:1: expected each of x, y and z once"},
        {"a.pcd", "FIELDS x y z\nSIZE 4 4\n", "a.pcd:2: expected size 1, 2, 4 or 8 for each field, got end of line"},
        {"a.pcd", "FIELDS x y z\nSIZE 4 4 4\nTYPE I F F\nWIDTH 1\nDATA ascii\n1 2 3\n",
            "field x: expected one value F"},
        {"a.pcd", "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\nPOINTS 2\nDATA ascii\n1 2 3\n",
            "WIDTH x HEIGHT = POINTS, got 1 x 1, 2"},
        {"a.pcd", "FIELDS x y z\nWIDTH 0\n", "a.pcd:2: expected width of 1 or more, got '0'"},
        {"a.pcd", "FIELDS x y z\nCOLOR 0\n", "a.pcd:2: expected FIELDS, SIZE, TYPE"},
        {"a.pcd", "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\nDATA zip\n1 2 3\n",
            "expected DATA ascii, binary or binary_compressed, got 'zip'"},
        {"a.pcd", "1 2 3\n4 nan 6\n", "a.pcd:8: expected finite coordinate, got 'nan'"},
        {"a.pcd", "1.25 2.5 3.5\n4 5\n", "a.pcd:9: expected value of a field, got end of file"},
        {"a.pcd", "1 2 3\n4 5 6\n7\n", "a.pcd:9: expected end of file, got '7'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[400];
        int64_t count;
        AbutVec3 *out;
        AbutError error;
        snprintf(text, sizeof text, "%s%s",
            cases[i].text[0] >= '1' && cases[i].name[2] == 'p' && cases[i].text[0] <= '9' ? head : "", cases[i].text);
        CHECK(abut_points_read(cases[i].name, text, strlen(text), &count, &out, &error) != ABUT_OK && !out);
        if (!strstr(error.text, cases[i].expected))
            fail_msg("case %zu: '%s' lacks '%s'", i, error.text, cases[i].expected);
    }
}

static void numbers_must_be_finite(void **state) {
    (void)state;
    static File f;
    AbutVec3 points[COUNT], *out;
    AbutRng rng = abut_rng(183, 0);
    AbutError error;
    int64_t count;
    for (int kind = 1; kind < KINDS; ++kind)
        for (int infinite = 0; infinite < 2; ++infinite) {
            draw(&rng, points);
            points[COUNT / 2].y = infinite ? INFINITY : NAN;
            const char *name = write_kind(&f, points, kind);
            CHECK(abut_points_read(name, f.bytes, f.count, &count, &out, &error) == ABUT_ERROR_NUMBER ||
                  (kind == 5 || kind == 6)); /* text: no number */
            CHECK(!out && strstr(error.text, "coordinate"));
            if (kind != 5 && kind != 6)
                CHECK(strstr(error.text, infinite ? "got infinity" : "got nan") && strstr(error.text, "byte"));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_comes_back),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(messages_name_the_place),
        cmocka_unit_test(numbers_must_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
