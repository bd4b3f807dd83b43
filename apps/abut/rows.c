/* SPDX-License-Identifier: Apache-2.0 */
/* Options that several commands take, each described once. */
#include "cli.h"

#include <string.h>

static const CliOption rows[] = {
    {"--json", NULL, CLI_FLAG, NULL, NULL, "print the result as JSON"},
    {"--pose-a", NULL, CLI_POSE, NULL, "POSE",
        "place of A: x,y,z, x,y,z,qw,qx,qy,qz, rpy:x,y,z,roll,pitch,yaw or axis:x,y,z,ax,ay,az,angle (radians)"},
    {"--pose-b", NULL, CLI_POSE, NULL, "POSE", "place of B"},
    {"--convex", NULL, CLI_FLAG, NULL, NULL, "take both meshes as their convex hulls"},
    {"--path", NULL, CLI_TEXT, NULL, "FILE",
        "poses of B, t,x,y,z,qw,qx,qy,qz to a line, or an animation (.ani): a row of CSV for each"},
    {"--motion-a", NULL, CLI_TEXT, NULL, "FILE",
        "motion of A: CSV t,x,y,z,qw,qx,qy,qz, JSON with joints (docs/motions.md), or an animation (.ani)"},
    {"--motion-b", NULL, CLI_TEXT, NULL, "FILE", "motion of B"},
    {"--from", NULL, CLI_REAL, NULL, "T", "start of the interval (default: the first time of the files)"},
    {"--pieces-a", NULL, CLI_TEXT, NULL, "DIR", "convex pieces of A, one mesh file each, from this folder"},
    {"--pieces-b", NULL, CLI_TEXT, NULL, "DIR", "the same for B"},
    {"--state", NULL, CLI_TEXT, NULL, "FILE",
        "state as JSON: {\"qpos\": [...], \"qvel\": [...]}, in the order of the file"},
    {"--keyframe", NULL, CLI_TEXT, NULL, "NAME", "state of this keyframe of the model, by name or number"},
    {"--allow-outside", NULL, CLI_FLAG, NULL, NULL, "let a model name meshes and includes outside its folder"},
    {"--warnings", NULL, CLI_TEXT, NULL, "W",
        "warnings about the model: grouped, one line per kind, or all (default: grouped)"},
    {"--no-cache", NULL, CLI_FLAG, NULL, NULL,
        "neither read nor keep hulls and convex pieces of meshes ($ABUT_CACHE, or abut in $XDG_CACHE_HOME or "
        "~/.cache)"},
    {"--obstacles", NULL, CLI_TEXT, NULL, "FILE",
        "what stands around: MJCF, URDF, a built-in scene, or a mesh; proofs take triangles as they are"},
    {"--allow", NULL, CLI_TEXT, NULL, "A:B,..",
        "pairs of links that may meet, always near ones among them; A:B@0.9:1: in this part of the time; or a file"},
    {"--pairs", NULL, CLI_TEXT, NULL, "A:B,..",
        "these pairs and no others, or a file with one on each line (default: all)"},
    {"--add", NULL, CLI_TEXT, NULL, "A:B,..", "additional pairs, even of neighbours or always near; or a file"},
    {"--shapes", NULL, CLI_TEXT, NULL, "KIND",
        "of the robot: hull, the bodies as they are, or capsule, one around each (default: hull)"},
    {"--neighbours", NULL, CLI_COUNT, NULL, "N", "links with at most so many joints between them may touch"},
    {"--support", NULL, CLI_TEXT, NULL, "FOOT",
        "what stands still of a robot with a free base: a body, left, right, both or A,B (both feet); fixed or free: "
        "the base stays (default: fixed)"},
    {"--html", NULL, CLI_TEXT, NULL, "FILE", "write a page with the motion, its distances and joints"},
    {"--picture", NULL, CLI_TEXT, NULL, "FILE", "write a picture (.png) of the motion at seven times at once"},
};

CliOption cli_row(const char *name, void *to)
{
    int i = 0;
    while (strcmp(rows[i].name, name) != 0)
        ++i;
    CliOption row = rows[i];
    row.to = to;
    return row;
}
