/* SPDX-License-Identifier: Apache-2.0 */
/* abut make: writes a procedural mesh. In: the name of a shape and its sizes. Out: a mesh file, and its counts. */
#include "cli.h"

#include <string.h>

typedef struct MakeArgs {
    int list, json, triangles;
    CliReals size;
    const char *file;
} MakeArgs;

static const AbutMeshMaker *find_maker(const char *name)
{
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(makers[i].name, name) == 0)
            return &makers[i];
    return NULL;
}

static int unknown_shape(const CliCommand *command, const char *name)
{
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    const char *near = cli_nearest(name, &makers[0].name, count, sizeof makers[0]);
    if (near)
        return cli_error(command, "unknown shape '%s'; did you mean '%s'?", name, near);
    return cli_error(command, "unknown shape '%s'; 'abut make --list' names the shapes", name);
}
