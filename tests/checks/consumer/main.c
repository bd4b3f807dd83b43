/* SPDX-License-Identifier: Apache-2.0 */
/* Calls into several rooms of an installed abut and checks that header and library are of one version. */

#include <stdio.h>
#include <string.h>

#include <abut/abut.h>

static void count(int begin, int end, int worker, void *user) {
    (void)worker;
    for (int i = begin; i < end; ++i) ((int *)user)[i] = i;
}

int main(void) {
    int items[64] = {0};
    abut_parallel_for(64, 8, 2, count, items);
    AbutMesh mesh;
    AbutMeshReport report;
    AbutError error;
    if (abut_mesh_make("torus", 1000, NULL, &mesh, &error) != ABUT_OK ||
        abut_mesh_report(&mesh, &report, &error) != ABUT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    abut_mesh_free(&mesh);
    AbutModel *model; /* reaches for libxml2, where the library has it */
    FILE *file = fopen("consumer.xml", "w");
    if (!file || fputs("<mujoco/>", file) < 0 || fclose(file) != 0) return 1;
    AbutStatus read = abut_model_read("consumer.xml", NULL, &model, &error);
    abut_model_free(model);
    if (remove("consumer.xml") != 0 || (read != ABUT_OK && read != ABUT_ERROR_UNSUPPORTED)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("abut %s, torus of volume %g\n", abut_version(), report.mass.volume);
    return strcmp(abut_version(), ABUT_VERSION) == 0 && items[63] == 63 && report.closed ? 0 : 1;
}
