/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy archives: what is written reads back, NumPy agrees where it is installed, and damage is refused. */
#include "support/check.h"

#include <string.h>

#include "abut/file.h"
#include "file/npz_file.h"
#include "support/tool.h"

static const size_t bytes_each[] = {8, 4, 4, 8, 1};

static char *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_true(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void check_same(const AbutArray *a, const AbutArray *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->dimensions, b->dimensions);
    for (int i = 0; i < a->dimensions; ++i) assert_int_equal(a->shape[i], b->shape[i]);
    size_t size = (size_t)abut_array_count(a) * bytes_each[a->type];
    if (size) assert_memory_equal(a->data, b->data, size);
}

/* Random types, shapes and bytes, some of them compressible; written twice for the same bytes. */
static void test_round_trip(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 5);
    Tool tool = tool_open();
    char path[300], again[300];
    snprintf(path, sizeof path, "%s/a.npz", tool.folder);
    snprintf(again, sizeof again, "%s/b.npz", tool.folder);
    static unsigned char data[200000];
    int empty = 0;
    for (int c = 0; c < check_cases(60); ++c) {
        AbutArray arrays[8];
        int count = (int)abut_rng_below(&rng, 9);
        unsigned range = abut_rng_below(&rng, 2) ? 256 : 3;
        for (size_t i = 0; i < sizeof data; ++i) data[i] = (unsigned char)abut_rng_below(&rng, range);
        for (int i = 0; i < count; ++i) {
            memset(&arrays[i], 0, sizeof arrays[i]);
            snprintf(arrays[i].name, sizeof arrays[i].name, "array_%d", i);
            arrays[i].type = (AbutArrayType)abut_rng_below(&rng, 5);
            arrays[i].dimensions = (int32_t)abut_rng_below(&rng, 5);
            for (int k = 0; k < arrays[i].dimensions; ++k) arrays[i].shape[k] = abut_rng_below(&rng, 12);
            arrays[i].data = data + 8 * abut_rng_below(&rng, 64);
            empty += abut_array_count(&arrays[i]) == 0;
        }
        AbutError error = {0};
        AbutArchive archive;
        good(abut_npz_write(path, arrays, count, &error) != ABUT_OK || npz_read(path, &archive, &error), &error);
        assert_int_equal(archive.count, count);
        for (int i = 0; i < count; ++i) check_same(&archive.arrays[i], &arrays[i]);
        abut_npz_free(&archive);
        size_t size_a, size_b;
        assert_int_equal(abut_npz_write(again, arrays, count, &error), ABUT_OK);
        char *a = load(path, &size_a), *b = load(again, &size_b);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(a, b, size_a);
        free(a);
        free(b);
    }
    assert_true(empty >= 1);
    tool_close(&tool);
}

static AbutArray sample(const void *data, int rows) {
    AbutArray array = {.name = "x", .type = ABUT_ARRAY_F8, .dimensions = 2, .shape = {rows, 3}, .data = data};
    return array;
}

/* Every cut, and every changed byte that matters, is refused; none crashes or hangs. */
static void test_damage(void **state) {
    (void)state;
    double numbers[60];
    for (int i = 0; i < 60; ++i) numbers[i] = i * 0.1;
    AbutArray arrays[2] = {sample(numbers, 20), sample(numbers, 7)};
    strcpy(arrays[1].name, "y");
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/a.npz", tool.folder);
    assert_int_equal(abut_npz_write(path, arrays, 2, NULL), ABUT_OK);
    size_t size;
    char *bytes = load(path, &size);
    AbutArchive archive;
    AbutError error;
    for (size_t cut = 0; cut < size; ++cut) {
        assert_int_not_equal(abut_npz_parse(bytes, cut, "cut", &archive, &error), ABUT_OK);
        assert_null(archive.arrays);
    }
    int refused = 0;
    for (size_t i = 0; i < size; ++i)
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            if (abut_npz_parse(bytes, size, "bit", &archive, &error) != ABUT_OK) {
                ++refused;
            } else { /* dates and versions may change; data may not */
                for (int k = 0; k < archive.count; ++k)
                    assert_memory_equal(archive.arrays[k].data, numbers, (size_t)(k ? 21 : 60) * 8);
                abut_npz_free(&archive);
            }
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    assert_true(refused > (int)size);
    free(bytes);
    tool_close(&tool);
}

/* A small file may not ask for much memory. */
static void test_bomb(void **state) {
    (void)state;
    enum { SIZE = 1000000 };
    unsigned char *zeros = calloc(SIZE, 1);
    AbutArray array = {.name = "z", .type = ABUT_ARRAY_U1, .dimensions = 1, .shape = {SIZE}, .data = zeros};
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/z.npz", tool.folder);
    assert_int_equal(abut_npz_write(path, &array, 1, NULL), ABUT_OK);
    size_t size;
    char *bytes = load(path, &size);
    AbutArchive archive;
    AbutError error;
    assert_int_equal(abut_npz_parse(bytes, size, "z", &archive, &error), ABUT_OK);
    abut_npz_free(&archive);
    /* the size in the directory: 24 bytes behind the mark of its only record */
    for (size_t i = 0; i + 30 < size; ++i)
        if (memcmp(bytes + i, "PK\1\2", 4) == 0) memcpy(bytes + i + 24, "\0\0\0\xf0", 4);
    assert_int_not_equal(abut_npz_parse(bytes, size, "z", &archive, &error), ABUT_OK);
    free(bytes);
    free(zeros);
    tool_close(&tool);
}

static void test_arguments(void **state) {
    (void)state;
    double numbers[3] = {0};
    AbutError error;
    AbutArray twice[2] = {sample(numbers, 1), sample(numbers, 1)}, bad = sample(numbers, 1);
    assert_int_equal(abut_npz_write("/nowhere/x.npz", &bad, 1, &error), ABUT_ERROR_FILE);
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/a.npz", tool.folder);
    assert_int_equal(abut_npz_write(path, twice, 2, &error), ABUT_ERROR_ARGUMENT);
    strcpy(bad.name, "a/b");
    assert_int_equal(abut_npz_write(path, &bad, 1, &error), ABUT_ERROR_ARGUMENT);
    bad = sample(NULL, 1);
    assert_int_equal(abut_npz_write(path, &bad, 1, &error), ABUT_ERROR_ARGUMENT);
    bad = sample(numbers, -1);
    assert_int_equal(abut_npz_write(path, &bad, 1, &error), ABUT_ERROR_LIMIT);
    assert_null(fopen(path, "rb")); /* nothing was left */
    tool_run(&tool, "/bin/ls", "-A | grep part");
    assert_int_equal(tool.status, 1);
    AbutArchive archive;
    assert_int_equal(npz_read(path, &archive, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_npz_parse("hello", 5, "hello", &archive, &error), ABUT_ERROR_FORMAT);
    tool_close(&tool);
}

/* The sum agrees with the check value of the standard. */
static void test_sum(void **state) {
    (void)state;
    assert_int_equal(abut_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(abut_crc32(abut_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
}

/* Python's own zip reader tests every archive; NumPy reads and writes one where it is installed. */
static void test_python(void **state) {
    (void)state;
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/a.npz", tool.folder);
    static const double x[6] = {1, 2.5, -3, 1e300, 0.1, 6};
    static const int64_t y[4] = {1, -2, INT64_C(1) << 40, 4};
    AbutArray arrays[3] = {
        {"x", ABUT_ARRAY_F8, 2, {2, 3}, x}, {"y", ABUT_ARRAY_I8, 1, {4}, y}, {"s", ABUT_ARRAY_F8, 0, {0}, x}};
    assert_int_equal(abut_npz_write(path, arrays, 3, NULL), ABUT_OK);
    if (tool_run(&tool, "/usr/bin/env", "python3 -c 'import zipfile'") != 0) {
        tool_close(&tool);
        skip();
    }
    if (tool_run(&tool, "/usr/bin/env",
            "python3 -c 'import zipfile; z = zipfile.ZipFile(\"a.npz\"); assert z.testzip() is None; "
            "print(z.namelist())'"))
        fail_msg("%s", tool.err);
    assert_string_equal(tool.out, "['x.npy', 'y.npy', 's.npy']\n");
    /* the layout of NumPy's format, by a reader that knows only its description */
    tool_file(&tool, "layout.py",
        "import ast, struct, zipfile\nz = zipfile.ZipFile('a.npz')\n"
        "for name, shape, kind in (('x', (2, 3), 'd'), ('y', (4,), 'q'), ('s', (), 'd')):\n"
        "    b = z.read(name + '.npy')\n    n, = struct.unpack('<H', b[8:10])\n"
        "    assert b[:8] == bytes([0x93]) + b'NUMPY' + bytes([1, 0]) and (10 + n) % 64 == 0 and b[9 + n:10 + n] == "
        "b'\\n'\n"
        "    h = ast.literal_eval(b[10:10 + n].decode('latin1'))\n"
        "    assert h == {'descr': '<f8' if kind == 'd' else '<i8', 'fortran_order': False, 'shape': shape}, h\n"
        "    print(struct.unpack('<%d%s' % ((len(b) - 10 - n) // 8, kind), b[10 + n:]))\n");
    if (tool_run(&tool, "/usr/bin/env", "python3 layout.py") != 0) fail_msg("%s", tool.err);
    assert_string_equal(tool.out, "(1.0, 2.5, -3.0, 1e+300, 0.1, 6.0)\n(1, -2, 1099511627776, 4)\n(1.0,)\n");
    if (tool_run(&tool, "/usr/bin/env", "python3 -c 'import numpy'") != 0) {
        printf("NumPy is not here: its reading is not tested\n");
        tool_close(&tool);
        return;
    }
    const char *script =
        "import numpy as np\nz = np.load('a.npz')\nassert z['x'].tolist() == [[1, 2.5, -3], [1e300, 0.1, 6]]\n"
        "assert z['y'].tolist() == [1, -2, 2**40, 4] and z['s'].shape == () and z['s'] == 1\n"
        "np.savez('b.npz', x=z['x'], y=z['y'])\nnp.savez_compressed('c.npz', x=z['x'], y=z['y'])\n";
    tool_file(&tool, "check.py", script);
    if (tool_run(&tool, "/usr/bin/env", "python3 check.py") != 0) fail_msg("%s", tool.err);
    for (const char *name = "bc"; *name; ++name) {
        AbutArchive archive;
        AbutError error = {0};
        snprintf(path, sizeof path, "%s/%c.npz", tool.folder, *name);
#ifndef ABUT_TEST_ZLIB
        if (*name == 'c') break;
#endif
        good(npz_read(path, &archive, &error), &error);
        check_same(abut_npz_find(&archive, "x"), &arrays[0]);
        check_same(abut_npz_find(&archive, "y"), &arrays[1]);
        abut_npz_free(&archive);
    }
    tool_close(&tool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_bomb), cmocka_unit_test(test_arguments), cmocka_unit_test(test_sum),
        cmocka_unit_test(test_python)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
