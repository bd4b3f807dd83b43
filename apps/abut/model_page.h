/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a model: its bodies at the reference and in its keyframes. */
#ifndef ABUT_CLI_MODEL_PAGE_H
#define ABUT_CLI_MODEL_PAGE_H

#include "cli.h"

/* Frame 0 is the reference, then one frame a second for each keyframe; with a keyframe or a state (of the order of
 * abut/robot.h) that alone. */
typedef struct ModelPage {
    const char *path, *title;
    const AbutModel *model;
    int32_t key;         /* -1: all */
    const double *state; /* positions; NULL: none */
} ModelPage;

/* Says on standard error what the page leaves out. */
void model_page_write(const ModelPage *page);

#endif
