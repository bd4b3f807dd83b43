/* SPDX-License-Identifier: Apache-2.0 */
/* Robot models and cases that do not belong to the project: tests use them when they lie beside the checkout. */
#ifndef ABUT_TESTS_OPTIONAL_DATA_H
#define ABUT_TESTS_OPTIONAL_DATA_H

/* Folder `relative` (as "robots") beside the checkout, or NULL: the test then skips. */
const char *optional_data(const char *relative);

#endif
