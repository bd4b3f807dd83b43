/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file: files in and out. Meshes as OBJ, STL (ascii and binary), PLY, TRI, binary glTF and COLLADA in, OBJ and STL
 * out, in double precision; heights of ground from PNG pictures and MuJoCo's binary files; points of scans as PLY, PCD
 * and NumPy arrays in; contacts and half-spaces in;
 * runs of a simulation as NumPy archives in and out; CSV out.
 *
 * Readers never trust the file: counts are checked against its size before memory is taken, indices and numbers are
 * checked, no other file is opened, and what is skipped is counted or reported. A failure names the file, the line or
 * byte, and what was expected; nothing is left allocated.
 */
#ifndef ABUT_FILE_H
#define ABUT_FILE_H

#include <stdio.h>

#include "abut/dynamics.h"
#include "abut/json.h"
#include "abut/mode.h"
#include "abut/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files as such ----------------------------------------------------------------------------------------------- */

/*
 * Readers take `count` bytes in memory, which `name` stands for in messages; where `bytes` is NULL they read the file
 * of that name, which may be a pipe, or standard input as "-". Files that are written appear whole or not at all: they
 * are written beside their place and take their name at the end. Symbolic links stay links, existing files keep their
 * permissions, pipes and devices are written in place.
 */

/*
 * A whole file, pipe or standard input into memory, 1 to `limit` bytes; `what` is what an empty one lacks, for the
 * message. On success free *bytes with abut_free.
 */
ABUT_API AbutStatus abut_file_load(
    const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error);

/* A file that is being written. */
typedef struct AbutFileOut {
    FILE *file;
    const char *path;
    char *target;    /* what `path` leads to */
    char *temporary; /* NULL: written in place */
} AbutFileOut;

/* Opens the file to write to, `out->file`; `path` must live until the commit. */
ABUT_API AbutStatus abut_file_out_open(AbutFileOut *out, const char *path, AbutError *error);

/* Flushes, closes and gives the file its name, unless something could not be written. Ends the use of *out anyway. */
ABUT_API AbutStatus abut_file_out_commit(AbutFileOut *out, AbutError *error);

/* Gives up: closes and removes what was written. */
ABUT_API void abut_file_out_cancel(AbutFileOut *out);

/* Removes the unfinished files of all writers of the process; for a signal handler that is about to end it. */
ABUT_API void abut_file_out_discard(void);

/*
 * Before anything is read or written: no output is one of the inputs, nor the same file as another output, under
 * whatever names. NULL among the paths is skipped. A failure names the output.
 */
ABUT_API AbutStatus abut_file_check_outputs(
    int input_count, const char *const *inputs, int output_count, const char *const *outputs, AbutError *error);

/*
 * Readers of this process refuse those of these files that exist, from now on: for a program that
 * learns of some of its inputs only while it reads, as a model names its meshes, and is to write these in the end. Up
 * to 16 are held, and NULL is skipped; the next call replaces them. Not while another thread reads.
 */
ABUT_API void abut_file_reserve_outputs(int count, const char *const *outputs);

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* More triangles or vertices than this are refused. */
#define ABUT_MESH_LIMIT 100000000

/* Report of a reader, in addition to the mesh. */
typedef struct AbutMeshFileInfo {
    const char *format;       /* "obj", "stl-ascii", "stl-binary", "ply", "tri", "glb", "dae"; NULL: not found */
    int32_t polygons_split;   /* faces with more than three corners, cut into triangles */
    int32_t elements_ignored; /* lines, points, curves and other things that are not faces */
} AbutMeshFileInfo;

/*
 * Reads by content, with the name's ending as a hint. Vertices of STL, binary glTF and COLLADA with equal coordinates
 * are joined. `info` may be NULL. Polygons become a fan when convex, ears otherwise. From glTF and COLLADA the geometry
 * of the scene is read, each node with its transform, COLLADA in meters; which axis is up stays as in the file. COLLADA
 * needs libxml2. On failure *out is empty.
 */
ABUT_API AbutStatus abut_mesh_read(
    const char *name, const void *bytes, size_t count, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/*
 * Writes by the ending: .obj, .stl (binary), or .stla (ascii STL). The file appears whole or not at all. The two texts
 * keep every bit of a coordinate; binary STL rounds to float and refuses what float cannot hold.
 */
ABUT_API AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error);

/* 1 when the name ends as that of a mesh file (.obj, .stl, .stla, .ply, .tri, .glb, .dae), in any case. */
ABUT_API int abut_mesh_name_fits(const char *path);

/* ---- heights in -------------------------------------------------------------------------------------------------- */

/*
 * Heights over a grid, row by row from the least y on, as AbutHeightField takes them. Reads by content: a gray PNG
 * picture, 0 black to 1 white, its upper edge the far side (needs zlib); or MuJoCo's binary format, rows and columns as
 * 32-bit integers, then floats, the near side first. 2 to 10000 points along each side. On failure *out is NULL; else
 * free it with abut_free.
 */
ABUT_API AbutStatus abut_heights_read(
    const char *name, const void *bytes, size_t count, int32_t *columns, int32_t *rows, double **out, AbutError *error);

/* Brings the lowest to 0 and the highest to `height`; equal ones all to 0. */
ABUT_API void abut_heights_scale(int64_t count, double *heights, double height);

/* ---- points in --------------------------------------------------------------------------------------------------- */

/*
 * Points of a scan, 1 to ABUT_MESH_LIMIT. Reads by content: the vertices of a PLY file; a NumPy array of shape (n, 3),
 * f8 or f4; fields x, y and z of a file of the Point Cloud Library (PCD: ascii, binary, binary_compressed), whose
 * viewpoint is not applied. Coordinates must be finite. On failure *out is NULL; else free it with abut_free.
 */
ABUT_API AbutStatus abut_points_read(
    const char *name, const void *bytes, size_t count, int64_t *point_count, AbutVec3 **out, AbutError *error);

/* ---- planning scenes of MoveIt ----------------------------------------------------------------------------------- */

/* Good when zeroed. Pairs are of links: bodies of the robot, then those of the obstacles. */
typedef struct AbutPlanningScene {
    AbutPlanObstacles obstacles; /* a body for each object of the world */
    AbutConfiguration *robot;    /* in the state of the scene; of joints that it does not name at the reference */
    int32_t allowed_count, added_count; /* for AbutPlanDef.left_out and .added */
    AbutPair *allowed;                  /* may meet: by the matrix of collisions, or as touch links */
    AbutPair *added;                    /* objects that the robot holds, with its links */
} AbutPlanningScene;

/*
 * Reads a moveit_msgs/PlanningScene, as YAML or JSON, of the robot of a model; objects that it holds become links of
 * the model, which no configuration may have yet. `search`: as of abut_plan_obstacles_from_mesh. Padding and scale of
 * links do not count; planes and octomaps are refused. On failure the model may have links more. Free with
 * abut_planning_scene_free before the model.
 */
ABUT_API AbutStatus abut_planning_scene_read(const char *name, const void *bytes, size_t count, int search,
    AbutModel *robot, AbutPlanningScene *out, AbutError *error);
ABUT_API void abut_planning_scene_free(AbutPlanningScene *scene); /* leaves an empty one */

/* ---- half-spaces in ---------------------------------------------------------------------------------------------- */

/*
 * A text of half-spaces: a line `a b c d` means ax + by + cz <= d, # starts a comment. The planes have the numbers as
 * they stand, normals of any length; release them with abut_free. `name` is used in messages. A text without a
 * half-space is an error.
 */
ABUT_API AbutStatus abut_half_spaces_parse(
    const void *bytes, size_t count, const char *name, int32_t *plane_count, AbutPlane **out, AbutError *error);

/* More bytes of XML, included files added up, are refused. */
#define ABUT_XML_BYTES 67108864

/* ---- contacts in ------------------------------------------------------------------------------------------------- */

/*
 * Reads a JSON file of contacts and bodies (docs/reference/contacts.md) and makes its rows; rows that stand in the file
 * win. `lines` is the number of dividing lines per contact; negative: as the file says. Failures name the line and the
 * key.
 */
ABUT_API AbutStatus abut_mode_system_read(
    const char *name, const void *bytes, size_t count, int lines, AbutModeSystem *out, AbutError *error);

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

/*
 * Limits of joints: CSV with a first line `joint,...` of columns among lower, upper, speed, acceleration and torque,
 * and at most one row for each joint, and for * (all; rows of joints go before it). Empty fields are no limits. Lines
 * that begin with # are skipped. `out` has joint_count entries; those that the file does not name are NaN.
 */
ABUT_API AbutStatus abut_limits_read(const char *name, const void *bytes, size_t count, const AbutModel *model,
    AbutPlanJointLimits *out, AbutError *error);

/*
 * A trajectory of the joints of a model: CSV with a first line `t,JOINT,...` (and JOINT:v, JOINT:a for speeds and
 * accelerations); a NumPy archive with `time`, `q` (and `v`, `a`) or with `breaks` and `coefficients`, as
 * abut_trajectory_write makes it (docs/howto/plan.md); or a trajectory_msgs/JointTrajectory of ROS as YAML or JSON,
 * alone or in a message that holds one (docs/howto/adapters/ros.md). `interpolation` is an AbutInterpolation, or -1:
 * quintic where there are accelerations, cubic where there are speeds, else linear; of a file of polynomials -1 is
 * expected. Joints that the file does not name stay as in the posture, unless an equality of the model makes them
 * follow one that it does; on a curve that makes polynomials above degree 5 of the pieces that is refused. `given`, of
 * joint_count entries, receives 1 for each that the file moves. On failure *out is empty.
 */
ABUT_API AbutStatus abut_trajectory_read(const char *name, const void *bytes, size_t count,
    const AbutConfiguration *posture, int interpolation, AbutTrajectory *out, uint8_t *given, AbutError *error);

/*
 * Writes the joints that are `given`: .csv with `rate` rows a second and speeds and accelerations, else a NumPy archive
 * with the polynomials themselves (`breaks`, `coefficients`, `joints`) and rows of that rate (`time`, `q`). The file
 * appears whole or not at all.
 */
ABUT_API AbutStatus abut_trajectory_write(const char *path, const AbutModel *model, const AbutTrajectory *trajectory,
    const uint8_t *given, double rate, AbutError *error);

/*
 * Roadmaps as NumPy archives: `postures` (n, coordinates), `start` (n + 1) and `to`, as the struct has them. Reading
 * checks that edges lead to postures and that these are finite; where `bytes` is NULL it reads the file `name`. On
 * failure *out is empty.
 */
ABUT_API AbutStatus abut_roadmap_read(
    const char *name, const void *bytes, size_t count, AbutRoadmap *out, AbutError *error);
ABUT_API AbutStatus abut_roadmap_write(const char *path, const AbutRoadmap *map, AbutError *error);

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/*
 * Bodies over time: a description of the bodies, and columns of numbers with a row per step, per body and step, per
 * contact and per contact vertex. A run is recorded from a simulation, filled by hand or read from a file; logs, pages
 * and pictures are made of it. One table says what the columns are; docs/reference/run_log.md shows it.
 *
 * A body need not be there all the time. Where it is not, its pose and velocity are NaN.
 */

/* Meaning of a row of a column. */
enum {
    ABUT_RUN_PER_STEP = 0,
    ABUT_RUN_PER_BODY, /* a body at a step */
    ABUT_RUN_PER_CONTACT,
    ABUT_RUN_PER_VERTEX,        /* of the polygon of a contact */
    ABUT_RUN_PER_CONTACT_START, /* a step: where its contacts begin; one more at the end */
    ABUT_RUN_PER_VERTEX_START,  /* a contact: where its vertices begin; one more at the end */
    ABUT_RUN_PER_POSITION,      /* a number of the positions of robots at a step */
    ABUT_RUN_PER_VELOCITY,      /* of their velocities */
    ABUT_RUN_PER_ACTUATOR,      /* one of their actuators */
    ABUT_RUN_PER_SENSOR,        /* a value of one of their sensors */
    ABUT_RUN_PER_ACTIVATION     /* the activation of one of their actuators */
};

typedef enum AbutRunColumn {
    ABUT_RUN_TIME = 0,
    ABUT_RUN_KINETIC,
    ABUT_RUN_POTENTIAL,
    ABUT_RUN_MAX_DEPTH,
    ABUT_RUN_RESIDUAL,
    ABUT_RUN_SWEEPS,
    ABUT_RUN_STAGE_SECONDS,
    ABUT_RUN_POSE,
    ABUT_RUN_VELOCITY,
    ABUT_RUN_SPEED,
    ABUT_RUN_ASLEEP,
    ABUT_RUN_ISLAND,
    ABUT_RUN_CONTACT_START,
    ABUT_RUN_CONTACT_BODY,
    ABUT_RUN_CONTACT_FORCE,
    ABUT_RUN_CONTACT_TORQUE,
    ABUT_RUN_CONTACT_CENTER,
    ABUT_RUN_CONTACT_NORMAL,
    ABUT_RUN_CONTACT_AREA,
    ABUT_RUN_CONTACT_VOLUME,
    ABUT_RUN_CONTACT_DEPTH,
    ABUT_RUN_CONTACT_SLIDING,
    ABUT_RUN_VERTEX_START,
    ABUT_RUN_VERTEX_POINT,
    ABUT_RUN_VERTEX_FORCE,
    ABUT_RUN_VERTEX_PRESSURE,
    ABUT_RUN_JOINT_POSITION,
    ABUT_RUN_JOINT_VELOCITY,
    ABUT_RUN_ACTUATOR_FORCE,
    ABUT_RUN_SENSOR,
    ABUT_RUN_ACTIVATION,
    ABUT_RUN_COLUMN_COUNT
} AbutRunColumn;

/* More bytes of numbers in one file of a run are refused. */
#define ABUT_NPZ_BYTES 4000000000

/* Numbers of a column: double, float, 32 and 64 bits with a sign, bytes. */
typedef enum AbutArrayType {
    ABUT_ARRAY_F8 = 0,
    ABUT_ARRAY_F4,
    ABUT_ARRAY_I4,
    ABUT_ARRAY_I8,
    ABUT_ARRAY_U1
} AbutArrayType;

typedef struct AbutRunColumnInfo {
    const char *name; /* of the array in the file */
    AbutArrayType type;
    int row;          /* ABUT_RUN_PER_STEP, ... */
    int32_t width;    /* numbers per row; 0: one, without a dimension of its own */
    const char *unit; /* "" where there is none */
    const char *text; /* one line about it */
    /* How a page charts a column; columns of one title share a chart. */
    struct AbutRunChart {
        const char *title; /* NULL: not charted */
        const char *line;  /* name of the line; NULL: one per number of a step, named by abut_run_number_name */
        const char *unit;
        double scale; /* to that unit */
    } chart;
} AbutRunColumnInfo;

ABUT_API const AbutRunColumnInfo *abut_run_column_info(AbutRunColumn column);

/* Parts of a run that are kept. Contacts are most of it: 50 boxes have some 200 contacts of 4 to 8 vertices each. */
typedef enum AbutRunKeep {
    ABUT_RUN_KEEP_ALL = 0,
    ABUT_RUN_KEEP_MOTION, /* no contacts */
    ABUT_RUN_KEEP_POSES,  /* no contacts, and of the bodies poses only */
    ABUT_RUN_KEEP_COUNT
} AbutRunKeep;

/* "all", "motion", "poses". */
ABUT_API extern const char *const abut_run_keep_names[];

/* Read the fields, change them through the functions; `keep` may be written before the first step, and `partial`. */
typedef struct AbutRun {
    const AbutModel *model;  /* its bodies are those of the run, in their order */
    const char *settings;    /* a text kept with the run, as a command line; NULL: none */
    const char *stage_names; /* of ABUT_RUN_STAGE_SECONDS, one per line */
    int32_t steps, bodies;
    int32_t partial; /* 1: the run ended before its time */
    AbutRunKeep keep;
    int64_t contacts, vertices;
    /* For the robots of the scene when the run began: how many numbers, and their names, one per line, as
     * abut_model_number_name has them; behind the number of the robot (r0.NAME) where there are several. */
    int32_t positions, velocities, actuators, sensors, activations;
    const char *position_names, *velocity_names, *actuator_names, *sensor_names, *activation_names;
} AbutRun;

/* The numbers of a column, row by row; the pointer holds until the run is changed. The type must be the column's. NULL:
 * the run does not keep it. */
ABUT_API const double *abut_run_f8(const AbutRun *run, AbutRunColumn column);
ABUT_API const int32_t *abut_run_i4(const AbutRun *run, AbutRunColumn column);
ABUT_API const int64_t *abut_run_i8(const AbutRun *run, AbutRunColumn column);

/* Numbers that a column has per step, other than those per body, contact and vertex; and the name of one of them, cut
 * to the room: of a stage, a position, a velocity, an actuator or a sensor; "" where numbers have no names. */
ABUT_API int32_t abut_run_number_count(const AbutRun *run, AbutRunColumn column);
ABUT_API void abut_run_number_name(const AbutRun *run, AbutRunColumn column, int32_t number, size_t room, char *out);

/*
 * An empty run. The first takes the bodies of a model (copied; geometry is shared) and is filled by hand; the second
 * follows a scene, which must outlive the recording, and takes name, gravity and times from `about`. `about` and
 * `settings` may be NULL.
 */
ABUT_API AbutStatus abut_run_create(const AbutModel *model, const char *settings, AbutRun **out, AbutError *error);
ABUT_API AbutStatus abut_run_create_of_scene(
    const AbutScene *scene, const AbutModel *about, const char *settings, AbutRun **out, AbutError *error);
ABUT_API void abut_run_free(AbutRun *run); /* accepts NULL */

/* One more step of the scene that the run follows, with the contacts of that step. Bodies that are new in the scene
 * join the run: they are there from this step on. A failure adds no step. */
ABUT_API AbutStatus abut_run_record(
    AbutRun *run, const AbutSimulation *simulation, const AbutStepReport *report, AbutError *error);

/* ---- by hand ----------------------------------------------------------------------------------------------------- */

/* A body at a step. It is not there when its pose is not finite. */
typedef struct AbutRunBody {
    AbutPose pose;
    AbutVec3 velocity, spin; /* of the center of mass; angular */
    int32_t asleep, island;  /* island -1: none */
} AbutRunBody;

/* A body that was not there so far; the numbers of its shapes' bodies are not looked at. `out` may be NULL. */
ABUT_API AbutStatus abut_run_add_body(
    AbutRun *run, const AbutBodyDef *def, const AbutShapeDef *shapes, int shape_count, int32_t *out, AbutError *error);

/* `bodies` has one entry per body of the run. */
ABUT_API AbutStatus abut_run_add_step(
    AbutRun *run, const AbutStepReport *report, const AbutRunBody *bodies, AbutError *error);

/* A contact of the last step between two bodies of the run; -1: a body that is not in it. Does nothing in a run that
 * keeps no contacts. */
ABUT_API AbutStatus abut_run_add_contact(
    AbutRun *run, int32_t body_a, int32_t body_b, const AbutContact *contact, AbutError *error);

/* ---- files: NumPy archives --------------------------------------------------------------------------------------- */

/* The file appears whole or not at all. */
ABUT_API AbutStatus abut_run_write(const char *path, const AbutRun *run, AbutError *error);

/* Checks that the arrays are there, agree in shape, and that indices are in range. On failure *out is NULL. */
ABUT_API AbutStatus abut_run_read(const char *name, const void *bytes, size_t count, AbutRun **out, AbutError *error);

/* ---- text and tables out ----------------------------------------------------------------------------------------- */

/* Writes `count` bytes; the file appears whole or not at all. So do the files of the functions below. */
ABUT_API AbutStatus abut_file_write(const char *path, const void *bytes, size_t count, AbutError *error);

/*
 * A table as CSV, written row by row. Texts are quoted where CSV needs it, numbers keep every bit ("nan" and "inf"
 * where they are not finite). Nothing fails on the way: abut_csv_commit tells.
 */
typedef struct AbutCsv AbutCsv;

/* `header` is the first line, as "t,x,y"; "": the first row is the caller's, who writes it with abut_csv_text, in
 * quotes where names need them. `path` must live until the end; NULL: standard output, whose failures the caller sees.
 */
ABUT_API AbutStatus abut_csv_open(const char *path, const char *header, AbutCsv **out, AbutError *error);
ABUT_API void abut_csv_text(AbutCsv *csv, const char *text);
ABUT_API void abut_csv_number(AbutCsv *csv, double value);
ABUT_API void abut_csv_integer(AbutCsv *csv, int64_t value);
ABUT_API void abut_csv_end_row(AbutCsv *csv);

/* A row from a table: the values of the fields that `pick` lists, as in AbutField; of arrays one field each. */
ABUT_API void abut_csv_record(AbutCsv *csv, const AbutRecord *record, const char *pick, const void *data);
ABUT_API void abut_csv_comment(AbutCsv *csv, const char *text); /* a line "# text", between rows */

/* Both end the use of `csv`: the first gives the file its name, the second leaves nothing. */
ABUT_API AbutStatus abut_csv_commit(AbutCsv *csv, AbutError *error);
ABUT_API void abut_csv_cancel(AbutCsv *csv);

#ifdef __cplusplus
}
#endif

#endif
