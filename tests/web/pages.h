/* SPDX-License-Identifier: Apache-2.0 */
/* Pages for the browser tests, with content that the tests know. Each writer stops the program when it fails. */
#ifndef ABUT_TESTS_WEB_PAGES_H
#define ABUT_TESTS_WEB_PAGES_H

#include "abut/abut.h"

/* Prints the failure and exits when status is not ABUT_OK. */
void must(AbutStatus status, const AbutError *error, const char *what);

/* Pages of single results. */
void write_distance(const char *path);
void write_overlap(const char *path);
void write_modes(const char *path);
void write_sweep(const char *path);  /* a body that moves past another, with minima and directions */
void write_visual(const char *path); /* a box with a sphere that is only drawn */

#endif
