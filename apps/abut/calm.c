/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people: what is rounding noise beside the size of a thing reads as 0. JSON and CSV keep every digit. */
#include <math.h>

#include "cli.h"

static const double NOISE = 1e-13;

double cli_calm(double value, double scale)
{
    return fabs(value) <= NOISE * fabs(scale) ? 0.0 : value;
}

AbutVec3 cli_calm_vec(AbutVec3 v, double scale)
{
    double size = fmax(abut_max_abs(v), fabs(scale));
    return abut_vec3(cli_calm(v.x, size), cli_calm(v.y, size), cli_calm(v.z, size));
}

void cli_print_vec(const char *name, AbutVec3 v, double scale, const char *unit)
{
    AbutVec3 c = cli_calm_vec(v, scale);
    printf("  %-12s %.9g %.9g %.9g%s\n", name, c.x, c.y, c.z, unit);
}
