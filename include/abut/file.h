/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file: files in and out. Meshes as OBJ, STL (ascii and binary) and PLY in, OBJ and STL out, in double precision;
 * models as MJCF in; arrays and runs of a simulation as NumPy archives in and out; JSON and CSV out.
 *
 * Readers never trust the file: counts are checked against its size before memory is taken, indices and numbers are
 * checked, no other file is opened (but the meshes and includes of a scene, inside its folder), and what is skipped is
 * counted or reported. A failure names the file, the line or byte, and what was expected; nothing is left allocated.
 */
#ifndef ABUT_FILE_H
#define ABUT_FILE_H

#include <stdio.h>

#include "abut/dynamics.h"
#include "abut/mode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More triangles or vertices than this are refused. */
#define ABUT_MESH_LIMIT 100000000

typedef enum AbutMeshFormat {
    ABUT_MESH_FORMAT_UNKNOWN = 0,
    ABUT_MESH_FORMAT_OBJ,
    ABUT_MESH_FORMAT_STL_ASCII,
    ABUT_MESH_FORMAT_STL_BINARY,
    ABUT_MESH_FORMAT_PLY
} AbutMeshFormat;

/* What a reader has to say beside the mesh. */
typedef struct AbutMeshFileInfo {
    AbutMeshFormat format;
    int32_t polygons_split;   /* faces with more than three corners, cut into triangles */
    int32_t elements_ignored; /* lines, points, curves and other things that are not faces */
} AbutMeshFileInfo;

/*
 * Reads by content, with the name's ending as a hint. STL vertices with equal coordinates are joined. `info` may be
 * NULL. Polygons become a fan when convex, ears otherwise. On failure *out is empty.
 */
ABUT_API AbutStatus abut_mesh_read(const char *path, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/* The same from memory; `name` is used in messages and for its ending. */
ABUT_API AbutStatus abut_mesh_parse(
    const void *bytes, size_t count, const char *name, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/*
 * Writes by the ending: .obj, .stl (binary), or .stla (ascii STL). The file appears whole or not at all. The two texts
 * keep every bit of a coordinate; binary STL rounds to float and refuses what float cannot hold.
 */
ABUT_API AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error);

/* ---- half-spaces in ---------------------------------------------------------------------------------------------- */

/*
 * A text file of half-spaces: a line `a b c d` means ax + by + cz <= d, # starts a comment. The planes have the numbers
 * as they stand, normals of any length; release them with abut_free. A file without a half-space is an error.
 */
ABUT_API AbutStatus abut_half_spaces_read(const char *path, int32_t *plane_count, AbutPlane **out, AbutError *error);

/* The same from memory; `name` is used in messages. */
ABUT_API AbutStatus abut_half_spaces_parse(
    const void *bytes, size_t count, const char *name, int32_t *plane_count, AbutPlane **out, AbutError *error);

/* ---- JSON out ---------------------------------------------------------------------------------------------------- */

#define ABUT_JSON_DEPTH 64

/*
 * A writer of one JSON value, to a stream or to memory. Calls follow the structure: begin, key, value, end. Nothing
 * fails on the way: the first failure (memory, a full disk, a call that makes no JSON) is kept, later calls do nothing,
 * and abut_json_finish tells. NaN and infinity become null; bytes of a string that are not UTF-8 become U+FFFD.
 */
typedef struct AbutJson {
    FILE *file; /* NULL: to memory */
    int indent; /* spaces per level; 0: all on one line */
    char *text; /* what is not in the file yet, or the whole text, zero-terminated after abut_json_finish */
    size_t count, capacity;
    AbutStatus status;
    int depth, wants_value; /* wants_value: behind a key */
    unsigned char level[ABUT_JSON_DEPTH + 1];
} AbutJson;

ABUT_API AbutJson abut_json_to_memory(int indent);
ABUT_API AbutJson abut_json_to_file(FILE *file, int indent); /* the file stays the caller's */

ABUT_API void abut_json_begin_object(AbutJson *json);
ABUT_API void abut_json_end_object(AbutJson *json);
ABUT_API void abut_json_begin_array(AbutJson *json);
ABUT_API void abut_json_end_array(AbutJson *json);
ABUT_API void abut_json_key(AbutJson *json, const char *key);
ABUT_API void abut_json_number(AbutJson *json, double value);
ABUT_API void abut_json_integer(AbutJson *json, int64_t value);
ABUT_API void abut_json_bool(AbutJson *json, int value);
ABUT_API void abut_json_null(AbutJson *json);
ABUT_API void abut_json_string(AbutJson *json, const char *text); /* NULL becomes null */
/* Arrays of numbers stay on one line. */
ABUT_API void abut_json_numbers(AbutJson *json, const double *values, int count);
ABUT_API void abut_json_vec3(AbutJson *json, AbutVec3 value); /* [x, y, z] */

/* A key and its value at once. */
ABUT_API void abut_json_put_number(AbutJson *json, const char *key, double value);
ABUT_API void abut_json_put_integer(AbutJson *json, const char *key, int64_t value);
ABUT_API void abut_json_put_bool(AbutJson *json, const char *key, int value);
ABUT_API void abut_json_put_string(AbutJson *json, const char *key, const char *text);
ABUT_API void abut_json_put_vec3(AbutJson *json, const char *key, AbutVec3 value);

/* Ends the text with a line feed and writes what is left. Fails with the first failure of any call before. */
ABUT_API AbutStatus abut_json_finish(AbutJson *json, AbutError *error);
ABUT_API void abut_json_free(AbutJson *json); /* the text in memory; leaves an empty writer */

/* ---- contacts in ------------------------------------------------------------------------------------------------- */

/*
 * Reads a JSON file of contacts and bodies (docs/contacts.md) and makes its rows; rows that stand in the file win.
 * `lines` is the number of dividing lines per contact; negative: as the file says. Failures name the line and the key.
 */
ABUT_API AbutStatus abut_mode_system_read(const char *path, int lines, AbutModeSystem *out, AbutError *error);
ABUT_API AbutStatus abut_mode_system_parse(
    const void *bytes, size_t count, const char *name, int lines, AbutModeSystem *out, AbutError *error);

/* ---- MJCF in ----------------------------------------------------------------------------------------------------- */

/* More bytes of XML, includes added up, are refused. */
#define ABUT_MJCF_BYTES 67108864

/* Told once per kind of thing that a reader passes over: "scene.xml:12: <geom>: attribute solref is ignored". */
typedef void AbutWarningFunction(const char *text, void *user);

/* How a reader of models goes about it; zeroed: as said here. */
typedef struct AbutModelReadOptions {
    const char *folder;        /* of meshes and includes; NULL: that of the file, none for a text in memory */
    AbutWarningFunction *warn; /* NULL: nobody is told */
    void *user;                /* of warn */
    int without_meshes;        /* 1: no mesh is read, shapes that need one are left out and masses may be missing */
} AbutModelReadOptions;

/*
 * Makes a model from an MJCF file (docs/mjcf.md says which part of the format). Bodies with a free joint are dynamic,
 * mocap bodies kinematic, bodies of the world without a joint static, all others links; the geoms of the world are on a
 * static body "world". Meshes become hulls. `options` may be NULL. To be freed with abut_model_free; on failure *out is
 * NULL. UNSUPPORTED when the library was built without libxml2.
 */
ABUT_API AbutStatus abut_model_read_mjcf(
    const char *path, const AbutModelReadOptions *options, AbutModel **out, AbutError *error);

/* The same from memory: `name` stands for the file in messages. */
ABUT_API AbutStatus abut_model_parse_mjcf(const void *bytes, size_t count, const char *name,
    const AbutModelReadOptions *options, AbutModel **out, AbutError *error);

/* ---- arrays as NumPy archives ------------------------------------------------------------------------------------ */

/* More bytes of arrays in one archive are refused. */
#define ABUT_NPZ_BYTES 4000000000
#define ABUT_NPZ_ARRAYS 256

typedef enum AbutArrayType {
    ABUT_ARRAY_F8 = 0,
    ABUT_ARRAY_F4,
    ABUT_ARRAY_I4,
    ABUT_ARRAY_I8,
    ABUT_ARRAY_U1
} AbutArrayType;

enum { ABUT_ARRAY_DIMENSIONS = 4, ABUT_ARRAY_NAME = 64 };

/* Rows last index fastest. */
typedef struct AbutArray {
    char name[ABUT_ARRAY_NAME];
    AbutArrayType type;
    int32_t dimensions; /* 0: one number */
    int64_t shape[ABUT_ARRAY_DIMENSIONS];
    const void *data;
} AbutArray;

typedef struct AbutArchive {
    int32_t count;
    AbutArray *arrays;
} AbutArchive;

/* The file appears whole or not at all. The same arrays give the same bytes (for one version of zlib). */
ABUT_API AbutStatus abut_npz_write(const char *path, const AbutArray *arrays, int count, AbutError *error);

/* Reads what abut_npz_write or numpy.savez wrote, in these types. Sizes, checksums and bounds are checked. */
ABUT_API AbutStatus abut_npz_read(const char *path, AbutArchive *out, AbutError *error);
ABUT_API AbutStatus abut_npz_parse(
    const void *bytes, size_t count, const char *name, AbutArchive *out, AbutError *error);
ABUT_API void abut_npz_free(AbutArchive *archive); /* leaves an empty archive */

ABUT_API const AbutArray *abut_npz_find(const AbutArchive *archive, const char *name); /* NULL when it is not there */
ABUT_API int64_t abut_array_count(const AbutArray *array);                             /* product of the shape */

/* ---- log of a run ------------------------------------------------------------------------------------------------ */

/*
 * Records steps of a simulation in memory and writes them as one NumPy archive; docs/run_log.md tells the arrays. The
 * bodies of the scene at the start are logged: a body that is removed has NaN from then on, one that is added later is
 * body -1 in contacts.
 */
typedef struct AbutRunLog AbutRunLog;

/* `info` tells gravity and timestep; NULL: not said. `settings` is a text to keep with the scene, as the command line;
 * NULL: none. The scene must outlive the recording.
 */
ABUT_API AbutStatus abut_run_log_create(
    const AbutScene *scene, const AbutModel *info, const char *settings, AbutRunLog **out, AbutError *error);

/* One more row: the state of the scene and the contacts of the last step, `report` of that step. A failure leaves the
 * log as it was. */
ABUT_API AbutStatus abut_run_log_record(
    AbutRunLog *log, const AbutSimulation *simulation, const AbutStepReport *report, AbutError *error);

/* The run ended before its time: the array `partial` says 1 instead of 0. */
ABUT_API void abut_run_log_set_partial(AbutRunLog *log);

ABUT_API AbutStatus abut_run_log_write(const AbutRunLog *log, const char *path, AbutError *error);
ABUT_API void abut_run_log_free(AbutRunLog *log);

/* A log read back. The pointers lie in `archive`; names and shapes are those of docs/run_log.md. */
typedef struct AbutRunLogData {
    int32_t steps, bodies;
    int32_t partial; /* 1: the run ended before its time */
    int64_t contacts, vertices;
    const double *time, *residual, *kinetic, *potential, *max_depth; /* [steps] */
    const int32_t *sweeps;                                           /* [steps] */
    const double *stage_seconds;                                     /* [steps, ABUT_STAGE_COUNT] */
    const char *stage_names;                                         /* one per line, zero-terminated */
    const double *pose, *velocity;                                   /* [steps, bodies, 7], [steps, bodies, 6] */
    const double *speed;                                             /* [steps, bodies] */
    const int32_t *asleep, *island;                                  /* [steps, bodies] */
    const int64_t *contact_start;                                    /* [steps + 1] */
    const int32_t *contact_body, *contact_sliding;                   /* [contacts, 2], [contacts] */
    const double *contact_force, *contact_torque, *contact_center, *contact_normal; /* [contacts, 3] */
    const double *contact_area, *contact_volume, *contact_depth;                    /* [contacts] */
    const int64_t *vertex_start;                                                    /* [contacts + 1] */
    const double *vertex_point, *vertex_force, *vertex_pressure; /* [vertices, 3], [vertices, 3], [vertices] */
    const char *scene_json;                                      /* zero-terminated */
    AbutArchive archive;
} AbutRunLogData;

/* The rows of a recording so far; the pointers hold until the next record. Not to be freed. */
ABUT_API AbutRunLogData abut_run_log_peek(const AbutRunLog *log);

/* Checks that the arrays are there, agree in shape, and that indices are in range. */
ABUT_API AbutStatus abut_run_log_read(const char *path, AbutRunLogData *out, AbutError *error);
ABUT_API AbutStatus abut_run_log_parse(
    const void *bytes, size_t count, const char *name, AbutRunLogData *out, AbutError *error);
ABUT_API void abut_run_log_data_free(AbutRunLogData *data);

/* ---- text and tables out ----------------------------------------------------------------------------------------- */

/* Writes `count` bytes; the file appears whole or not at all. So do the files of the functions below. */
ABUT_API AbutStatus abut_file_write(const char *path, const void *bytes, size_t count, AbutError *error);

/*
 * A table as CSV, written row by row. Texts are quoted where CSV needs it, numbers keep every bit ("nan" and "inf"
 * where they are not finite). Nothing fails on the way: abut_csv_commit tells.
 */
typedef struct AbutCsv AbutCsv;

/* `header` is the first line, as "t,x,y". `path` must live until the end. */
ABUT_API AbutStatus abut_csv_open(const char *path, const char *header, AbutCsv **out, AbutError *error);
ABUT_API void abut_csv_text(AbutCsv *csv, const char *text);
ABUT_API void abut_csv_number(AbutCsv *csv, double value);
ABUT_API void abut_csv_integer(AbutCsv *csv, int64_t value);
ABUT_API void abut_csv_vec3(AbutCsv *csv, AbutVec3 value); /* three fields */
ABUT_API void abut_csv_end_row(AbutCsv *csv);
ABUT_API void abut_csv_comment(AbutCsv *csv, const char *text); /* a line "# text", between rows */

/* Both end the use of `csv`: the first gives the file its name, the second leaves nothing. */
ABUT_API AbutStatus abut_csv_commit(AbutCsv *csv, AbutError *error);
ABUT_API void abut_csv_cancel(AbutCsv *csv);

#ifdef __cplusplus
}
#endif

#endif
