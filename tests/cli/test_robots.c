/* SPDX-License-Identifier: Apache-2.0 */
/* abut info on real robot meshes, where they lie beside the checkout: sane numbers, or a precise warning. */
#include "support/optional_data.h"
#include "support/cli.h"

#include <dirent.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static int meshes;

static void check_mesh(const char *path) {
    static const char *const numbers[] = {"vertices", "triangles", "volume", "area", "centroid.0", "inertia.0",
        "inertia.5", "min.0", "max.2", "hull.volume", "capsule.volume"};
    ++meshes;
    if (tool_run(&tool, ABUT_CLI, "info --json --hull --capsule '%s'", path) != 0) fail_msg("%s: %s", path, tool.err);
    assert_true(json_valid(tool.out));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        if (!isfinite(json_number(tool.out, numbers[i])))
            fail_msg("%s: no number %s in %s", path, numbers[i], tool.out);
    int solid = json_is(tool.out, "closed", "true") && json_is(tool.out, "oriented", "true");
    if (!solid)
        assert_true(json_count(tool.out, "warnings") > 0 && strstr(tool.err, "warning"));
    else
        CHECK(json_number(tool.out, "volume") <= json_number(tool.out, "hull.volume") * (1 + 1e-9));
    CHECK(json_number(tool.out, "hull.volume") <= json_number(tool.out, "capsule.volume") * (1 + 1e-9));
}

static void walk(const char *folder, int depth) {
    DIR *entries = opendir(folder);
    if (!entries || depth > 8) return;
    for (struct dirent *e; (e = readdir(entries));) {
        char path[4096];
        struct stat about;
        if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path ||
            stat(path, &about) != 0)
            continue;
        size_t length = strlen(path);
        if (S_ISDIR(about.st_mode))
            walk(path, depth + 1);
        else if (length > 4 &&
                 (strcasecmp(path + length - 4, ".stl") == 0 || strcasecmp(path + length - 4, ".obj") == 0))
            check_mesh(path);
    }
    closedir(entries);
}

static void robots_are_measured(void **state) {
    (void)state;
    const char *folder = optional_data("robots");
    char root[4096];
    snprintf(root, sizeof root, "%s", folder);
    walk(root, 0);
    printf("%d robot meshes\n", meshes);
    assert_true(meshes > 0);
}

int main(void) {
    if (!optional_data("robots")) return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(robots_are_measured)};
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
