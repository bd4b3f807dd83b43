/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base: the ground of every room. Status codes, hooks for assertions and memory, seeded counter-based random numbers,
 * a hash, and a parallel loop whose result does not depend on the number of threads.
 *
 * The library never prints, exits or jumps. Misuse asserts, numerical outcomes are enums in the result, files and
 * memory return AbutStatus with one line of text in the caller's AbutError.
 */
#ifndef ABUT_BASE_H
#define ABUT_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Windows: ABUT_BUILD is defined while the library is compiled; ABUT_DLL in programs that use it as a DLL. */
#if defined(_WIN32) && defined(ABUT_BUILD)
#define ABUT_API __declspec(dllexport)
#elif defined(_WIN32) && defined(ABUT_DLL)
#define ABUT_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#if defined(__GNUC__)
#if defined(__MINGW32__)
#define ABUT_PRINTF(format_index, first_index) __attribute__((format(gnu_printf, format_index, first_index)))
#else
#define ABUT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#endif
#define ABUT_LIKELY(x) __builtin_expect(!!(x), 1)
#define ABUT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define ABUT_PRINTF(format_index, first_index)
#define ABUT_LIKELY(x) (x)
#define ABUT_UNLIKELY(x) (x)
#endif

/*
 * Small functions defined in the headers: inline for C and C++, and symbols of the shared library as well, which other
 * languages can bind (src/symbols.c).
 */
#ifndef ABUT_INLINE
#define ABUT_INLINE static inline
#endif

/* Version of the library that is running, as "major.minor.patch". */
ABUT_API const char *abut_version(void);

/* ---- status ------------------------------------------------------------------------------------------------------ */

typedef enum AbutStatus {
    ABUT_OK = 0,
    ABUT_ERROR_ARGUMENT,   /* an argument is out of its range */
    ABUT_ERROR_MEMORY,     /* the allocator or the caller's buffer is exhausted */
    ABUT_ERROR_FILE,       /* a file cannot be opened, read or written */
    ABUT_ERROR_FORMAT,     /* the content of a file does not match its format */
    ABUT_ERROR_LIMIT,      /* a stated limit would be exceeded */
    ABUT_ERROR_NUMBER,     /* NaN or infinity where a finite number is needed */
    ABUT_ERROR_DEGENERATE, /* geometry without the required extent */
    ABUT_ERROR_EMPTY,      /* the requested set is empty */
    ABUT_ERROR_CANCELED,   /* the caller's callback asked to stop */
    ABUT_ERROR_UNSUPPORTED /* recognized, but not part of this build */
} AbutStatus;

/* One line of text for a failure, in the caller's memory. Functions that take an AbutError* accept NULL. */
typedef struct AbutError {
    AbutStatus status;
    const char *field; /* the refused argument or member, which begins the text; NULL: unknown */
    char text[500];
} AbutError;

/* Short name of a status ("out of memory"); never NULL. */
ABUT_API const char *abut_status_text(AbutStatus status);

/* Fills `error` (if not NULL) and returns `status`, for `return abut_fail(...)`. */
ABUT_API AbutStatus abut_fail(AbutError *error, AbutStatus status, const char *format, ...) ABUT_PRINTF(3, 4);

/* Records a failed allocation: ABUT_ERROR_MEMORY, "out of memory". */
ABUT_API AbutStatus abut_fail_memory(AbutError *error);
/* Records a refused argument: the text is its name, a constant, followed by the rest (": expected ..."). */
ABUT_API AbutStatus abut_fail_field(AbutError *error, AbutStatus status, const char *field, const char *format, ...)
    ABUT_PRINTF(4, 5);

/* Returns the status of a failing call: for callers that have nothing to restore or free at that point. */
#define ABUT_TRY(call)                                                                                                 \
    do {                                                                                                               \
        AbutStatus try_status = (call);                                                                                \
        if (try_status) return try_status;                                                                             \
    } while (0)

/*
 * The name nearest to an unknown word, for "did you mean": one that begins with it, or is one or two edits away; NULL
 * if none is near. The `count` names are `stride` bytes apart, as in an array of structs.
 */
ABUT_API const char *abut_suggest(const char *word, int count, const char *const *first_name, size_t stride);

/*
 * The words of an enumeration are an array that ends with NULL, in the order of the numbers, such as
 * abut_gap_outcome_names. The word of a number, or "unknown"; and the number of a word, or -1.
 */
ABUT_API const char *abut_word(const char *const *words, int number);
ABUT_API int abut_word_find(const char *const *words, const char *word); /* accepts NULL for the word */

/* Two things by their numbers: bodies, links, triangles, pieces, modes. */
typedef struct AbutPair {
    int32_t a, b;
} AbutPair;

/* ---- hooks ------------------------------------------------------------------------------------------------------- */

/* Called when an assertion fails. If it returns, the library continues. The default aborts. NULL restores the default.
 */
ABUT_API void abut_set_assert_handler(
    void (*handler)(const char *expression, const char *file, int line, void *user), void *user);
ABUT_API void abut_assert_failed(const char *expression, const char *file, int line);

/* ABUT_ASSERT guards the contract of a call; ABUT_CHECK guards costly invariants and exists only in checked builds. */
#ifndef ABUT_ASSERT_LEVEL
#define ABUT_ASSERT_LEVEL 0
#endif
#if ABUT_ASSERT_LEVEL >= 1
#define ABUT_ASSERT(expression) ((expression) ? (void)0 : abut_assert_failed(#expression, __FILE__, __LINE__))
#else
#define ABUT_ASSERT(expression) ((void)0)
#endif
#if ABUT_ASSERT_LEVEL >= 2
#define ABUT_CHECK(expression) ABUT_ASSERT(expression)
#else
#define ABUT_CHECK(expression) ((void)0)
#endif

/* All memory comes from this table: `alloc` returns memory aligned to 64 bytes, or NULL; `release` frees it. */
typedef struct AbutAllocator {
    void *(*alloc)(size_t bytes, void *user);
    void (*release)(void *memory, void *user);
    void *user;
} AbutAllocator;

/* Set before the first object is made and while none is alive. NULL restores the default. */
ABUT_API void abut_set_allocator(const AbutAllocator *allocator);

/* NULL if out of memory; a request of 0 bytes gives a valid pointer. abut_free accepts NULL. */
ABUT_API void *abut_alloc(size_t bytes);
ABUT_API void *abut_alloc_array(size_t count, size_t bytes_each); /* NULL when the product overflows */
ABUT_API void abut_free(void *memory);

/* Grows `*memory` from *capacity items to at least `need`, doubling; 0 if out of memory. */
ABUT_API int abut_grow(void **memory, size_t *capacity, size_t need, size_t bytes_each);

/* ---- random numbers: counter-based: number i of stream s needs no others ------------------- */

typedef struct AbutRng {
    uint64_t key, counter;
} AbutRng;

ABUT_API AbutRng abut_rng(uint64_t seed, uint64_t stream);
ABUT_API uint64_t abut_rng_u64(AbutRng *rng);
ABUT_API uint32_t abut_rng_below(AbutRng *rng, uint32_t limit); /* 0 .. limit-1, without bias; 0 for limit 0 */
ABUT_API double abut_rng_unit(AbutRng *rng);                    /* [0, 1) */
ABUT_API double abut_rng_between(AbutRng *rng, double low, double high);
ABUT_API double abut_rng_normal(AbutRng *rng); /* mean 0, variance 1 */

/* ---- hash -------------------------------------------------------------------------------------------------------- */

/* 64-bit hash of bytes; the same on every machine of the same byte order. Chain by passing a hash as `seed`. */
ABUT_API uint64_t abut_hash(const void *bytes, size_t count, uint64_t seed);

/* ---- numbers as text --------------------------------------------------------------------------------------------- */

/* Bytes that abut_format_double needs, including the final zero. */
#define ABUT_DOUBLE_TEXT 32

/*
 * The shortest decimal that reads back to the same double, whatever the locale: "0.1", "-0", "1e-07", "nan", "-inf".
 * Returns its length; a text longer than `size` bytes is truncated as by snprintf.
 */
ABUT_API int abut_format_double(char *buffer, size_t size, double value);

/* ---- parallel loop ----------------------------------------------------------------------------------------------- */

/* The number of threads for `threads`: itself if positive, else the number of processors. 1 without OpenMP. */
ABUT_API int abut_thread_count(int threads);

/*
 * Runs `task` over 0..count-1 cut into blocks of `grain` items. The blocks depend only on count and grain, never on the
 * number of threads: a task that writes only to places owned by its block gives the same bits for any thread count.
 * `task` handles the items begin..end-1; `worker` is below the number of threads.
 */
ABUT_API void abut_parallel_for(
    int count, int grain, int threads, void (*task)(int begin, int end, int worker, void *user), void *user);

#ifdef __cplusplus
}
#endif

#endif
