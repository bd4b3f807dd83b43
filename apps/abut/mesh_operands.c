/* SPDX-License-Identifier: Apache-2.0 */
/* Reading meshes as trees, and files of poses. */
#include "mesh_operands.h"

#include <string.h>

static int read_tree(const CliCommand *command, const Operands *operands, const char *file, AbutMeshTree **out)
{
    AbutMesh mesh = {0};
    AbutError error;
    if (operands_load_mesh(command, operands, file, &mesh) != CLI_GO)
        return CLI_BAD;
    AbutStatus status = abut_mesh_tree_create(&mesh, 0, out, &error);
    abut_mesh_free(&mesh);
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s: %s", file, error.text);
}

int mesh_operands_poses(
    const CliCommand *command, Operands *operands, const char *file, int32_t *count, AbutKeyframe **out)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutPose identity = abut_pose_identity();
    AbutError error;
    char *bytes;
    size_t size;
    if (memcmp(&operands->of[1].pose, &identity, sizeof identity) != 0)
        return cli_error(command, "--pose-b and --path both place the body; give one");
    if (abut_file_load(file, "a pose t,x,y,z,qw,qx,qy,qz", MOST_BYTES, &bytes, &size, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int animation = abut_keyframes_are_animation(bytes, size);
    AbutStatus status = animation ? abut_keyframes_parse_animation(bytes, size, file, count, out, &error)
                                  : abut_keyframes_parse(bytes, size, file, count, out, &error);
    abut_free(bytes);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    if (animation)
        operands_center(command, operands, file);
    return CLI_GO;
}

int mesh_operands_read(const CliCommand *command, Operands *operands, const char *path, MeshOperands *out)
{
    MeshOperands none = {.tree = {NULL, NULL}};
    int status = CLI_GO;
    *out = none;
    if (path)
        status = mesh_operands_poses(command, operands, path, &out->path_count, &out->path);
    for (int k = 0; k < 2 && status == CLI_GO; ++k) {
        int named = primitive_parse(command, operands->of[k].file, &out->convex[k]);
        status = named == CLI_OK ? CLI_GO : named;
        if (named == CLI_GO)
            status = read_tree(command, operands, operands->of[k].file, &out->tree[k]);
    }
    if (status == CLI_GO && !out->tree[0] && !out->tree[1])
        status = cli_error(command, "at least one mesh file expected, found '%s' and '%s'; abut distance takes both",
            operands->of[0].file, operands->of[1].file);
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        if (!out->tree[k])
            status = operands_refuse_plane(command, operands, &out->convex[k], k);
    if (status != CLI_GO)
        mesh_operands_free(out);
    return status;
}

void mesh_operands_free(MeshOperands *meshes)
{
    abut_mesh_tree_free(meshes->tree[0]);
    abut_mesh_tree_free(meshes->tree[1]);
    abut_free(meshes->path);
    meshes->tree[0] = meshes->tree[1] = NULL;
    meshes->path = NULL;
}

CliOption mesh_operands_path(const char **path)
{
    return (CliOption){"--path", NULL, CLI_TEXT, path, "FILE",
        "poses of B, t,x,y,z,qw,qx,qy,qz to a line, or an animation (.ani): a row of CSV for each"};
}
