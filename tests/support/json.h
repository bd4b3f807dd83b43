/* SPDX-License-Identifier: Apache-2.0 */
/* A strict JSON checker for tests of the command-line tool; it shares nothing with the writer it checks. */
#ifndef ABUT_TESTS_JSON_H
#define ABUT_TESTS_JSON_H

/* Is `text` one JSON value with nothing but white space around it, and no key twice in an object? */
int json_valid(const char *text);

/* Start of the value at `path`, as "hull.inertia.3" or "1.file" (members by name, elements by number), or NULL. */
const char *json_at(const char *text, const char *path);

/* The number, truth value or number of elements or members at `path`; NaN (-1 for the count) when it is not there. */
double json_number(const char *text, const char *path);
int json_is(const char *text, const char *path, const char *literal); /* true, false, null, or a quoted string */
int json_count(const char *text, const char *path);

#endif
