/* SPDX-License-Identifier: Apache-2.0 */
/* Options that several commands take, each described once; tables of options put together. */
#include "cli.h"

#include <string.h>

static const char *const warning_words[] = {"grouped", "all", NULL};
static const char *const shape_words[] = {"hull", "capsule", NULL};

static const CliOption rows[] = {
    OPTION("--json", CLI_FLAG, NULL, NULL, "print the result as JSON"),
    OPTION("--pose-a", CLI_POSE, NULL, "POSE",
        "place of A: x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians)"),
    OPTION("--pose-b", CLI_POSE, NULL, "POSE", "place of B"),
    OPTION("--convex", CLI_FLAG, NULL, NULL, "take both meshes as their convex hulls"),
    OPTION(
        "--pieces", CLI_FLAG, NULL, NULL, "take meshes as convex pieces that cover them: solid, also where not convex"),
    OPTION("--path", CLI_INPUT, NULL, "FILE",
        "poses of B, t,x,y,z,qw,qx,qy,qz to a line, or an animation (.ani): a row of CSV for each"),
    OPTION("--motion-a", CLI_INPUT, NULL, "FILE",
        "motion of A: CSV t,x,y,z,qw,qx,qy,qz, JSON with joints (docs/reference/motions.md), or an animation (.ani)"),
    OPTION("--motion-b", CLI_INPUT, NULL, "FILE", "motion of B"),
    OPTION("--from", CLI_REAL, NULL, "T", "start of the interval (default: the first time of the files)"),
    OPTION("--pieces-a", CLI_TEXT, NULL, "DIR", "convex pieces of A, one mesh file each, from this folder"),
    OPTION("--pieces-b", CLI_TEXT, NULL, "DIR", "the same for B"),
    OPTION("--state", CLI_INPUT, NULL, "FILE",
        "state as JSON: {\"qpos\": [...], \"qvel\": [...]}, in the order of the file"),
    OPTION("--keyframe", CLI_TEXT, NULL, "NAME", "state of this keyframe of the model, by name or number"),
    OPTION("--allow-outside", CLI_FLAG, NULL, NULL, "let a model name meshes and includes outside its folder"),
    OPTION("--package-path", CLI_TEXT, NULL, "DIRS",
        "folders with ROS packages, separated by ':'; then those above the file, AMENT_PREFIX_PATH, ROS_PACKAGE_PATH"),
    OPTION("--args", CLI_TEXT, NULL, "LIST", "arguments of a xacro file: 'NAME:=VALUE NAME:=VALUE'"),
    OPTION("--warnings", CLI_WORD, NULL, "W",
        "warnings about the model: grouped, one line per kind, or all (default: grouped)", .words = warning_words),
    OPTION("--no-cache", CLI_FLAG, NULL, NULL,
        "neither read nor keep hulls and convex pieces of meshes ($ABUT_CACHE, or abut in $XDG_CACHE_HOME or "
        "~/.cache)"),
    OPTION("--obstacles", CLI_INPUT, NULL, "FILE",
        "obstacles: MJCF, URDF, a built-in scene, a planning scene of MoveIt (.yaml), a mesh, whose triangles count as "
        "they are, or with --radius or --voxel points (.ply, .pcd, .npy)"),
    OPTION("--radius", CLI_REAL, NULL, "R", "--obstacles has points: each is a ball of this radius, m", 0.0, 1e3),
    OPTION("--voxel", CLI_REAL, NULL, "S",
        "--obstacles has points: each is the middle of a cube with this edge, m, rounded by --radius", 1e-9, 1e3),
    OPTION("--srdf", CLI_INPUT, NULL, "FILE",
        "what MoveIt knows of the robot: its disabled pairs may meet, state:NAME is a posture, group:NAME a list of "
        "joints"),
    OPTION("--allow", CLI_INPUT, NULL, "A:B,..",
        "pairs of links that may meet, always near ones among them; A:B@0.9:1: in this part of the time; or a file"),
    OPTION("--pairs", CLI_INPUT, NULL, "A:B,..",
        "these pairs and no others, or a file with one on each line (default: all)"),
    OPTION("--add", CLI_INPUT, NULL, "A:B,..", "additional pairs, even of neighbors or always near; or a file"),
    OPTION("--shapes", CLI_WORD, NULL, "KIND",
        "of the robot: hull, the bodies as they are, or capsule, one around each (default: hull)",
        .words = shape_words),
    OPTION("--neighbors", CLI_COUNT, NULL, "N", "links with at most so many joints between them may touch"),
    OPTION("--support", CLI_TEXT, NULL, "FOOT",
        "what stands still of a robot with a free base: a body, left, right, both or A,B (both feet); fixed or free: "
        "the base stays (default: fixed)"),
    OPTION("--html", CLI_OUTPUT, NULL, "FILE", "write a page with the motion, its distances and joints"),
    OPTION("--picture", CLI_OUTPUT, NULL, "FILE", "write a picture (.png) of the motion at seven times at once"),
};

CliOption cli_row(const char *name, void *to) {
    int i = 0;
    while (strcmp(rows[i].name, name) != 0) ++i;
    CliOption row = rows[i];
    row.to = to;
    return row;
}

int cli_rows(CliOption *to, const CliOption *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
    return count;
}
