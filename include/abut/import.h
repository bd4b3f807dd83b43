/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import: robots and scenes of other formats into models; motions, states and controls from text.
 *
 * Readers never trust the file, open no other file but the meshes and includes of the model, inside its folder, and
 * report what they skip. A failure names the file and the line, and what was expected; nothing is left allocated.
 */
#ifndef ABUT_IMPORT_H
#define ABUT_IMPORT_H

#include "abut/file.h"
#include "abut/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a reader of models goes about it; zeroed: as said here. */
typedef struct AbutModelReadOptions {
    const char *folder; /* of meshes and includes; NULL: that of the file, none for a text in memory */
    /* Called at the end, once per kind of thing that a reader passes over, with the first place and the number of
     * others: "scene.xml:12: <geom>: attribute solref is ignored (and 2 more like it)". NULL: warnings are dropped */
    void (*warn)(const char *text, void *user);
    void *user;          /* of warn */
    int all_warnings;    /* 1: `warn` gets every one, not one per kind */
    int without_meshes;  /* 1: no mesh is read, shapes that need one are left out and masses may be missing */
    int convex_pieces;   /* 1: a closed mesh that is not convex and may touch something becomes convex pieces, and
                            `warn` gets their number; 0: it stays one shape, its hull, which keeps the mesh for
                            contact (models `vol` and `pressure`) and distances by triangles. Other meshes become
                            their hulls, open ones with a warning */
    int hulls;           /* 1: such a mesh becomes its hull alone; goes before convex_pieces */
    int without_visuals; /* 1: meshes that are only drawn, and whose mass does not count, are not read */
    int drawn_meshes;    /* 1: shapes that are only drawn keep their mesh, open or not, for pictures; 0: its hull. Up to
                            500,000 triangles in all; the meshes after that are drawn as hulls, and `warn` gets a line */
    const char *cache; /* folder that keeps hulls and convex pieces of meshes by their content, made when missing; NULL:
                          none. Its contents change no result. abut_cache_folder names the usual one */
    int allow_outside; /* 1: meshes and includes may lie outside the folder; 0: such paths are refused */
    int32_t argument_count;         /* xacro: of arguments, as $(arg NAME) gives them */
    const AbutAttribute *arguments; /* their names and values */
    const char *package_path;       /* URDF and xacro: folders that hold packages, separated by ':' ; NULL: none */
    int free_root;                  /* URDF: 1: the root link is free to move; 0: it is fixed to the world */
    int32_t package_count; /* URDF and xacro: of packages that package:// and $(find) may name. Others are looked for in
                              package_path, in folders above the file, and in those of the environment variables
                              AMENT_PREFIX_PATH and ROS_PACKAGE_PATH: as FOLDER/NAME or FOLDER/share/NAME */
    const AbutAttribute *packages; /* its name, and the folder where it lies */
} AbutModelReadOptions;

/*
 * Makes a model from an MJCF, a URDF or a xacro file, as the first element says: <robot> is URDF, with macros of xacro
 * if it has any. docs/reference/mjcf.md and
 * docs/howto/robots.md say which part of the formats is read. `options` may be NULL. Free with abut_model_free; on
 * failure *out is NULL. UNSUPPORTED when the library was built without libxml2.
 *
 * MJCF: bodies with a free joint are dynamic, mocap bodies kinematic, bodies of the world without a joint static, all
 * others links; the geoms of the world are on a static body "world". Closed meshes stay as they are, beside their
 * hulls.
 *
 * URDF: bodies stand in the order of the tree, the joints of the file in order. Masses are those of <inertial> alone;
 * meshes become hulls.
 */
ABUT_API AbutStatus abut_model_read(
    const char *path, const AbutModelReadOptions *options, AbutModel **out, AbutError *error);

/*
 * The folder of the cache for the whole user: $ABUT_CACHE, else abut in $XDG_CACHE_HOME or in ~/.cache. 0 where there
 * is none: ABUT_CACHE is empty, or the path does not fit. It may be removed at any time; 512 MiB stay, the last used.
 */
ABUT_API int abut_cache_folder(char *out, size_t room);

/* An SRDF file of MoveIt about a robot, as texts that the functions below read. Free with abut_srdf_free. */
typedef struct AbutSrdf {
    int32_t state_count, group_count;
    AbutAttribute *states; /* "GROUP/NAME", and the posture "joint=value,..." */
    AbutAttribute *groups; /* name, and its joints that move, "joint,joint,..." */
    char *pairs;           /* links that need not be checked, "A:B,C:D" */
} AbutSrdf;

/* Reads an SRDF file of the robot of this model: groups (joints, links, chains, groups), states and disabled pairs;
 * other elements do not matter here. A name that the model lacks is refused; fixed joints are left out of groups. */
ABUT_API AbutStatus abut_srdf_read(const char *path, const AbutModel *model, AbutSrdf *out, AbutError *error);
ABUT_API void abut_srdf_free(AbutSrdf *srdf); /* leaves an empty one */

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/*
 * Keyframes from CSV text: lines `t,x,y,z,qw,qx,qy,qz`, quaternions of any length; a first line of these words, empty
 * lines and lines that begin with # are skipped. Or from an animation of the PolyDepth release (.ani), by its first
 * word:
 * `<frames>f`, then for each frame `<k>f` and twelve numbers, a rotation column by column and a translation; k, which
 * grows, is the time. Its models stand with their volume centroid at the origin before they are posed: *animation,
 * which may be NULL, becomes 1. `name` is used in messages. Release *out with abut_free.
 */
ABUT_API AbutStatus abut_keyframes_parse(const void *bytes, size_t count, const char *name, int32_t *keyframe_count,
    AbutKeyframe **out, int *animation, AbutError *error);

/*
 * A motion from text, with all that it points to: CSV of poses, an animation, or a chain as JSON
 * (docs/reference/motions.md), distinguished by the content. *animation is as of abut_keyframes_parse. Messages name
 * the line. Release with abut_motion_free; copies of *out must not outlive it.
 */
ABUT_API AbutStatus abut_motion_parse(
    const void *bytes, size_t count, const char *name, AbutMotion **out, int *animation, AbutError *error);
ABUT_API void abut_motion_free(AbutMotion *motion); /* of abut_motion_parse alone; accepts NULL */

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* Sets a configuration from JSON: {"qpos": [...], "qvel": [...]}, qvel may be missing. Wrong lengths are refused, and
   nothing changes then. */
ABUT_API AbutStatus abut_state_read(
    const char *name, const void *bytes, size_t count, AbutConfiguration *configuration, AbutError *error);

/* Sets a configuration from the name of a keyframe, from "joint=value,...", where joints that are not named stay and
 * those that follow a named one follow it, or from all positions as "0.1,0.2,...". */
ABUT_API AbutStatus abut_posture_set(AbutConfiguration *configuration, const char *text, AbutError *error);

/* Holds the joints that "a,b,c" does not name, but for those that follow one of these: one flag per joint. */
ABUT_API AbutStatus abut_posture_held(
    const AbutConfiguration *configuration, const char *text, uint8_t *held, AbutError *error);

/* ---- controls ---------------------------------------------------------------------------------------------------- */

/* Controls of some actuators of a model over time. A zeroed one is empty. */
typedef struct AbutControls {
    int32_t actuator_count, row_count;
    int32_t *actuators; /* their numbers */
    double *numbers;    /* row by row: the time, then a control of each */
} AbutControls;

/* From CSV: a line `t,NAME,...`, then lines of numbers with growing times. To be freed; empty on failure. */
ABUT_API AbutStatus abut_controls_read(
    const char *name, const void *bytes, size_t count, const AbutModel *model, AbutControls *out, AbutError *error);
ABUT_API void abut_controls_free(AbutControls *controls); /* leaves an empty one */

/* Puts the controls of the last row that is not after the time to their actuators in `out`, which has one number for
 * each actuator of the model; those of others, and of all before the first row, stay. */
ABUT_API void abut_controls_at(const AbutControls *controls, double time, double *out);

/* ---- what is read ------------------------------------------------------------------------------------------------ */

/* One element of a format: the attributes that are read (with blanks between) and what there is to say. */
typedef struct AbutImportRow {
    const char *format, *element, *attributes, *note; /* "mjcf", "equality/weld", ... */
} AbutImportRow;

/* All elements that are read, format by format; others are ignored with a warning, or refused. */
ABUT_API const AbutImportRow *abut_import_table(int *count);

#ifdef __cplusplus
}
#endif

#endif
