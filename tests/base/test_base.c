/* SPDX-License-Identifier: Apache-2.0 */
/* base: status texts, hooks, allocator, random numbers, hash, parallel loop. */
#include "support/check.h"

#include <string.h>

static void status_has_text(void **state) {
    (void)state;
    for (int s = ABUT_OK; s <= ABUT_ERROR_UNSUPPORTED; ++s)
        assert_string_not_equal(abut_status_text((AbutStatus)s), "unknown status");
    assert_string_equal(abut_status_text((AbutStatus)999), "unknown status");
    AbutError error;
    assert_int_equal(abut_fail(&error, ABUT_ERROR_FILE, "%s: %d", "a.stl", 7), ABUT_ERROR_FILE);
    assert_string_equal(error.text, "a.stl: 7");
    assert_int_equal(error.status, ABUT_ERROR_FILE);
    assert_null(error.field);
    assert_int_equal(abut_fail_field(&error, ABUT_ERROR_ARGUMENT, "level", ": got %d", 7), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "level: got 7");
    assert_string_equal(error.field, "level");
    assert_int_equal(error.status, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_fail_field(NULL, ABUT_ERROR_ARGUMENT, "level", ": x"), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_fail(NULL, ABUT_ERROR_MEMORY, "x"), ABUT_ERROR_MEMORY);
    assert_int_equal(abut_fail_memory(&error), ABUT_ERROR_MEMORY);
    assert_string_equal(error.text, "out of memory");
    char long_text[2000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    abut_fail(&error, ABUT_ERROR_FILE, "%s", long_text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

static int assert_calls;

static void count_assert(const char *expression, const char *file, int line, void *user) {
    (void)file;
    assert_int_equal(line, 12);
    assert_string_equal(expression, "x > 0");
    assert_ptr_equal(user, &assert_calls);
    ++assert_calls;
}

static void hooks_are_called(void **state) {
    (void)state;
    abut_set_assert_handler(count_assert, &assert_calls);
    abut_assert_failed("x > 0", "file.c", 12);
    abut_set_assert_handler(NULL, NULL);
    assert_int_equal(assert_calls, 1);
}

static void *refuse(size_t bytes, void *user) {
    (void)bytes;
    ++*(int *)user;
    return NULL;
}

static void take_back(void *memory, void *user) { (void)memory, (void)user; }

static void allocator_can_be_replaced(void **state) {
    (void)state;
    int calls = 0;
    AbutAllocator none = {refuse, take_back, &calls};
    abut_set_allocator(&none);
    assert_null(abut_alloc(10));
    abut_set_allocator(NULL);
    assert_int_equal(calls, 1);
    assert_null(abut_alloc(SIZE_MAX));
    assert_null(abut_alloc_array(SIZE_MAX / 4, 16));
    void *memory = abut_alloc(0);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    abut_free(memory);
    abut_free(NULL);
}

static void grow_keeps_content(void **state) {
    (void)state;
    void *memory = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; ++i) {
        assert_true(abut_grow(&memory, &capacity, (size_t)i + 1, sizeof(int)));
        ((int *)memory)[i] = i;
    }
    for (int i = 0; i < 1000; ++i) assert_int_equal(((int *)memory)[i], i);
    assert_false(abut_grow(&memory, &capacity, SIZE_MAX / 2, sizeof(int)));
    assert_true(capacity >= 1000);
    abut_free(memory);
}

static void random_numbers_are_uniform(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 1);
    double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
    int bins[10] = {0}, n = 200000;
    for (int i = 0; i < n; ++i) {
        double u = abut_rng_unit(&rng);
        assert_true(u >= 0.0 && u < 1.0);
        mean += u / n, square += u * u / n;
        ++bins[abut_rng_below(&rng, 10)];
        double g = abut_rng_normal(&rng);
        normal_mean += g / n, normal_square += g * g / n;
    }
    CHECK_NEAR(mean, 0.5, 3e-3);
    CHECK_NEAR(square, 1.0 / 3.0, 3e-3);
    CHECK_NEAR(normal_mean, 0.0, 1e-2);
    CHECK_NEAR(normal_square, 1.0, 2e-2);
    for (int b = 0; b < 10; ++b) CHECK_NEAR(bins[b], n / 10.0, 5 * sqrt(n / 10.0));
    assert_int_equal(abut_rng_below(&rng, 0), 0);
    assert_int_equal(abut_rng_below(&rng, 1), 0);
}

/* Number `index` of a stream, without those before it. */
static uint64_t number_at(uint64_t seed, uint64_t stream, uint64_t index) {
    AbutRng rng = abut_rng(seed, stream);
    rng.counter = index;
    return abut_rng_u64(&rng);
}

static void random_numbers_replay_by_index(void **state) {
    (void)state;
    AbutRng rng = abut_rng(9, 4);
    for (uint64_t i = 0; i < 100; ++i) assert_int_equal(abut_rng_u64(&rng), number_at(9, 4, i));
    assert_int_not_equal(number_at(9, 4, 0), number_at(9, 5, 0));
    assert_int_not_equal(number_at(9, 4, 0), number_at(10, 4, 0));
    /* each bit of the output flips with probability one half when the index changes */
    int flips = 0;
    for (uint64_t i = 0; i < 1000; ++i)
        for (uint64_t d = number_at(1, 1, i) ^ number_at(1, 1, i + 1); d; d &= d - 1) ++flips;
    CHECK_NEAR(flips, 32000, 700);
}

static void hash_sees_every_byte(void **state) {
    (void)state;
    unsigned char bytes[67];
    for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * 7);
    uint64_t whole = abut_hash(bytes, sizeof bytes, 0);
    assert_int_equal(whole, abut_hash(bytes, sizeof bytes, 0));
    assert_int_not_equal(whole, abut_hash(bytes, sizeof bytes, 1));
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] ^= 1;
        assert_int_not_equal(abut_hash(bytes, sizeof bytes, 0), whole);
        bytes[i] ^= 1;
        assert_int_not_equal(abut_hash(bytes, i, 0), whole);
    }
}

static void square_items(int begin, int end, int worker, void *user) {
    (void)worker;
    for (int i = begin; i < end; ++i) ((double *)user)[i] = sqrt((double)i);
}

static void parallel_loop_gives_the_same_bits(void **state) {
    (void)state;
    static double one[1001], many[1001];
    abut_parallel_for(1001, 7, 1, square_items, one);
    for (int threads = 0; threads <= 8; ++threads) {
        memset(many, 0, sizeof many);
        abut_parallel_for(1001, 7, threads, square_items, many);
        assert_memory_equal(one, many, sizeof one);
    }
    abut_parallel_for(0, 7, 2, square_items, NULL);
    abut_parallel_for(3, 0, 2, square_items, many);
    assert_true(abut_thread_count(0) >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_has_text),
        cmocka_unit_test(hooks_are_called),
        cmocka_unit_test(allocator_can_be_replaced),
        cmocka_unit_test(grow_keeps_content),
        cmocka_unit_test(random_numbers_are_uniform),
        cmocka_unit_test(random_numbers_replay_by_index),
        cmocka_unit_test(hash_sees_every_byte),
        cmocka_unit_test(parallel_loop_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
