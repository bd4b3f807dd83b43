/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/mujoco_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void grow(MujocoText *text, size_t needed) {
    char *memory = bench_memory(2 * needed + 4096, 1);
    if (text->memory) memcpy(memory, text->memory, text->used);
    free(text->memory);
    text->memory = memory;
    text->size = 2 * needed + 4096;
}

void mujoco_put(MujocoText *text, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    size_t needed = text->used + (size_t)(length > 0 ? length : 0) + 1;
    if (needed > text->size) grow(text, needed);
    vsnprintf(text->memory + text->used, text->size - text->used, format, again);
    text->used = needed - 1;
    va_end(again);
    va_end(list);
}

static int add_file(mjVFS *files, const char *text, size_t length) {
#if BENCH_MUJOCO_3
    return mj_addBufferVFS(files, "bench.xml", text, (int)length);
#else
    int failed = mj_makeEmptyFileVFS(files, "bench.xml", (int)length);
    if (!failed) memcpy(files->filedata[0], text, length);
    return failed;
#endif
}

mjModel *mujoco_load(const char *text, size_t length) {
    static mjVFS files; /* megabytes in MuJoCo 2: too large for the stack */
    char error[1000] = "out of memory";
    mj_defaultVFS(&files);
    mjModel *model = add_file(&files, text, length) ? NULL : mj_loadXML("bench.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) fprintf(stderr, "abut-bench: MuJoCo: %s\n", error);
    return model;
}

const char *mujoco_name(void) {
    static char name[40];
    snprintf(name, sizeof name, "MuJoCo %s", mj_versionString());
    return name;
}
