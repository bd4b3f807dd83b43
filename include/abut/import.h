/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import: descriptions of robots and scenes in other formats into models.
 *
 * Readers never trust the file, open no other file but the meshes and includes of the model, inside its folder, and
 * report what they skip. A failure names the file and the line, and what was expected; nothing is left allocated.
 */
#ifndef ABUT_IMPORT_H
#define ABUT_IMPORT_H

#include "abut/file.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
