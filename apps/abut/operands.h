/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two operands of a command on pairs, with what belongs to them: files, poses, hulls or half-spaces, the options
 * that name them, and the page that shows them.
 */
#ifndef ABUT_CLI_OPERANDS_H
#define ABUT_CLI_OPERANDS_H

#include "cli.h"

typedef struct Operand {
    const char *file;   /* or a body in words: "cylinder:0.1,0.3" */
    AbutPose pose;      /* in the world */
    AbutSolidBody body; /* of a mesh; of a body in words, `convex` alone, and `is_convex` */
    AbutMesh mesh;      /* as it is shown; empty unless asked for */
    AbutPlane *planes;  /* of a text file, normals of any length; NULL for meshes */
    int32_t plane_count;
} Operand;

typedef struct Operands {
    Operand of[2];
    int convex;      /* --convex was given */
    int centered;    /* meshes are moved so that the centroid of their volume is at the origin */
    int keep_meshes; /* for a page */
    int plates;      /* the page shows plates of bodies without end (endless.h): those need no mesh */
} Operands;

/* Both at the origin; nothing read yet. */
Operands operands_make(void);
void operands_free(Operands *operands);

/* Rows of an option table: --pose-a (which 0), --pose-b (which 1), --convex, --path. */
CliOption operands_pose(Operands *operands, int which);
CliOption operands_convex(Operands *operands);
CliOption operands_path(const char **path);

/* cli_parse for two operands; `kind` is "files" or "mesh files", for the message. */
int operands_parse(const CliCommand *command, const CliOption *options, int option_count, int argc, char **argv,
    const char *kind, Operands *out);

/* The outputs of the command, NULL where there is none, are not the operands. CLI_GO, or CLI_BAD after one line. */
int operands_check_outputs(const CliCommand *command, const Operands *operands, const char *file, const char *page);

/* Which files are taken, and how. */
typedef enum OperandKind {
    OPERAND_HULL,        /* convex meshes, or with --convex the hulls of any; or bodies in words */
    OPERAND_AS_IS,       /* meshes as they are, convex or not, unless --convex was given; or bodies in words */
    OPERAND_HALF_SPACES, /* as OPERAND_HULL, or text files of half-spaces */
    OPERAND_TRIANGLES    /* meshes by their triangles, convex or not; or bodies in words */
} OperandKind;

/* Reads both files, those that have a name. Gives CLI_GO, or CLI_BAD after one line on standard error. */
int operands_read(const CliCommand *command, OperandKind kind, Operands *operands);

/* The same with OPERAND_TRIANGLES, of which at least one is a mesh. */
int operands_read_triangles(const CliCommand *command, Operands *operands);

/* An operand as a solid: its triangles where it has a tree, else its convex body. */
AbutSolid operands_solid(const Operands *operands, int which);

/* A file of poses, t,x,y,z,qw,qx,qy,qz to a line, or an animation, whose meshes are then read centred; free *out with
 * abut_free. CLI_GO, or CLI_BAD after one line. */
int operands_poses(const CliCommand *command, Operands *operands, const char *file, int32_t *count, AbutKeyframe **out);

/* Has the meshes moved to the centroid of their volume, as the animation `file` asks for; says so once. */
void operands_center(const CliCommand *command, Operands *operands, const char *file);

/* The mesh of a file, centred where the operands say so; to be freed. CLI_GO, or CLI_BAD after one line. */
int operands_load_mesh(const CliCommand *command, const Operands *operands, const char *file, AbutMesh *out);

/* The body that `text` names, as "sphere:0.5". Gives CLI_OK, CLI_GO when it names none (then it is a file), or CLI_BAD
 * after one line. */
int primitive_parse(const CliCommand *command, const char *text, AbutConvex *out);

/* The same body as a shape for a picture. CLI_GO, or CLI_BAD after one line: half-spaces and planes have no end. */
int primitive_shape(const CliCommand *command, const AbutConvex *convex, AbutGeometryDef *out);

/* Refuses a plane as operand `which` beside a mesh of triangles. CLI_GO, or CLI_BAD after one line. */
int operands_refuse_plane(const CliCommand *command, const Operands *operands, const AbutConvex *body, int which);

/* The word for how meshes meet: "apart", "crossing", or that of the outcome. */
const char *operands_how(AbutGapOutcome outcome);

/* The pose of B in the frame of A. */
AbutPose operands_relative_pose(const Operands *operands);

/* The two hulls where they stand as a model, for a page; free with abut_model_free. CLI_GO, or CLI_BAD after one line.
 */
int operands_make_model(const CliCommand *command, const Operands *operands, AbutModel **out);

/* What becomes of meshes that are not convex: hulls, convex pieces, or hulls that keep the mesh as their surface. */
typedef enum OperandMeshes { OPERAND_HULLS = 0, OPERAND_PIECES, OPERAND_SURFACES } OperandMeshes;

/* --allow-outside, for commands that read models; and was it given? */
CliOption operands_outside_option(void);
CliOption operands_warnings_option(void);
AbutStatus operands_all_warnings(int *all, AbutError *error); /* what --warnings said */
int operands_outside(void);

/* Are shapes that are only drawn loaded with their meshes, for a page, or with hulls? */
void operands_draw_meshes(int on);

/* The model of an MJCF file (ending in .xml, or with a folder in its name) or a built-in scene. Warnings are printed.
 */
AbutStatus operands_load_model(const CliCommand *command, const char *source, uint64_t seed, OperandMeshes meshes,
    AbutModel **out, AbutError *error);

#endif
