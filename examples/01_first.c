/* SPDX-License-Identifier: Apache-2.0 */
#include <abut/abut.h>
#include <stdio.h>

int main(void)
{
    AbutMesh torus;
    AbutMeshReport report;
    AbutError error;
    if (abut_mesh_make("torus", 20000, NULL, &torus, &error) || abut_mesh_report(&torus, &report, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    printf("%d triangles, volume %.6f m^3\n", torus.triangle_count, report.mass.volume);
    abut_mesh_free(&torus);
    return 0;
}
