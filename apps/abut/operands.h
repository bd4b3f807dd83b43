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

/* cli_parse for two operands; `kind` is "files" or "mesh files", for the message. */
void operands_parse(const CliOption *options, int option_count, int argc, char **argv, const char *kind, Operands *out);

/* The outputs of the command, NULL where there is none, are not the operands. */
void operands_check_outputs(const Operands *operands, const char *file, const char *page);

/* Which files are taken, and how. */
typedef enum OperandKind {
    OPERAND_HULL,        /* convex meshes, or with --convex the hulls of any; or bodies in words */
    OPERAND_AS_IS,       /* meshes as they are, convex or not, unless --convex was given; or bodies in words */
    OPERAND_HALF_SPACES, /* as OPERAND_HULL, or text files of half-spaces */
    OPERAND_TRIANGLES    /* meshes by their triangles, convex or not; or bodies in words */
} OperandKind;

/* Reads both files, those that have a name. */
void operands_read(OperandKind kind, Operands *operands);

/* The same with OPERAND_TRIANGLES, of which at least one is a mesh. */
void operands_read_triangles(Operands *operands);

/* An operand as a solid: its triangles where it has a tree, else its convex body. */
AbutSolid operands_solid(const Operands *operands, int which);

/* A file of poses, t,x,y,z,qw,qx,qy,qz to a line, or an animation, whose meshes are then read centred; free *out with
 * abut_free. */
void operands_poses(Operands *operands, const char *file, int32_t *count, AbutKeyframe **out);

/* Has the meshes moved to the centroid of their volume, as the animation `file` asks for; says so once. */
void operands_center(Operands *operands, const char *file);

/* The mesh of a file, centred where the operands say so; to be freed. */
void operands_load_mesh(const Operands *operands, const char *file, AbutMesh *out);

/* The body that `text` names, as "sphere:0.5"; *found 0: it names none, and is a file. _read gives `found`. */
AbutStatus primitive_parse(const char *text, AbutConvex *out, int *found, AbutError *error);
int primitive_read(const char *text, AbutConvex *out);

/* Half-spaces and planes have no end. */
static inline int is_endless(const AbutConvex *c)
{
    return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE;
}

/* The same body as a shape for a picture; refuses what has no end. */
void primitive_shape(const AbutConvex *convex, AbutGeometryDef *out);

/* Refuses a plane as operand `which` beside a mesh of triangles. */
void operands_refuse_plane(const Operands *operands, const AbutConvex *body, int which);

/* The word for how meshes meet: "apart", "crossing", or that of the outcome. */
const char *operands_how(AbutGapOutcome outcome);

/* The pose of B in the frame of A. */
AbutPose operands_relative_pose(const Operands *operands);

/* The two hulls where they stand as a model, for a page; free with abut_model_free. */
AbutModel *operands_make_model(const Operands *operands);

/* A body of one shape in a model that is shown; `visual`: only drawn. */
void operands_add_body(
    AbutModel *model, const char *name, AbutBodyKind kind, AbutPose pose, const AbutGeometryDef *form, int visual);

/* What becomes of meshes that are not convex: hulls, convex pieces, or hulls that keep the mesh as their surface. */
typedef enum OperandMeshes { OPERAND_HULLS = 0, OPERAND_PIECES, OPERAND_SURFACES } OperandMeshes;

/* --allow-outside, for commands that read models; and was it given? */
extern int operands_outside;
extern const char *operands_warnings; /* of --warnings; NULL: not given */
int operands_all_warnings(void);      /* what it said */
extern int operands_no_cache;         /* --no-cache */
extern const char *operands_faster;   /* what to do about loading that takes long, for its progress; NULL: nothing */

/* Are shapes that are only drawn loaded with their meshes, for a page, or with hulls? */
void operands_draw_meshes(int on);

/* Reads a file of a model with these options, the cache, and a line of progress when it takes more than a second. */
AbutStatus operands_read_model(const char *file, AbutModelReadOptions *options, AbutModel **out);

/* The model of an MJCF file (ending in .xml, or with a folder in its name) or a built-in scene. Warnings are printed.
 */
AbutModel *operands_load_model(const char *source, uint64_t seed, OperandMeshes meshes);

/* A scene with the model in it. */
AbutScene *operands_scene(const AbutModel *model);

/* Where both bodies stand on the pages of a movement; `a` may be NULL: A stays where its operand says. */
typedef struct EndlessPoses {
    int32_t count;
    const AbutPose *a, *b;
} EndlessPoses;

/* A plate of an endless operand, in its own frame, below and around the other one in all poses: a half-space as a slab
 * under its plane, a plane as a thin sheet. To be freed. */
void endless_plate(const Operands *operands, int which, EndlessPoses poses, AbutPolyhedron **out);

/* "A and B", the names of both; `title` is room for it. */
const char *operands_title(const Operands *operands, char title[300]);

/* Writes the page of both operands over the poses of `page`: their meshes, or plates. Fills in title, bodies, names. */
void operands_write_page(const Operands *operands, const char *path, AbutPageHead *head, AbutPageMeshes *page);

/* The note of a page, with a word on the plates where there are some; `text` is room for it. */
const char *endless_note(const Operands *operands, const char *note, char text[256]);

typedef struct MotionOperands {
    const char *name[2]; /* of --motion-a and --motion-b; NULL: not given */
    AbutMotionFile *file[2];
    AbutMotion motion[2];
    double from, to; /* NaN: not given; then what the files say */
} MotionOperands;

MotionOperands motion_operands_make(void);

/* Reads the files. Free in both cases. */
void motion_operands_read(Operands *operands, MotionOperands *motions);
void motion_operands_free(MotionOperands *motions);

/*
 * The files of a folder in the order of their names, one convex piece each, for the mesh that an operand kept; to be
 * freed. Warns of pieces that are not convex, whose hulls are taken, and of vertices that no piece covers.
 */
void pieces_folder_read(const char *folder, const Operand *operand, AbutPieces *out);

typedef struct DepthArgs {
    const char *method;    /* NULL: not given */
    CliReals along;        /* count 0: not given */
    AbutPieces pieces[2];  /* of --depth decomposition, made by depth_prepare */
    const char *folder[2]; /* of these, NULL: none, they are computed */
} DepthArgs;

/* What is made once and carried from pose to pose. */
typedef struct DepthState {
    int ready;
    AbutMeshCore core[2];
    AbutGapCache cache;
} DepthState;

/* Are the words and numbers good? */
void depth_check(const DepthArgs *args);

/* Were options given that ask for the depth of meshes, convex or not? */
int depth_is_asked(const DepthArgs *args);

/* Is there a depth to be had of these operands: two meshes, and not --depth none? */
int depth_is_wanted(const DepthArgs *args, const Operands *operands);

/* Warns where the mesh of convex pieces is open, or they are coarse. */
void depth_warn_pieces(const char *file, const AbutPieces *pieces);

/* The convex pieces of the mesh that an operand kept, to be freed; warns where it is open or they are coarse. CLI_GO,
 * or CLI_BAD after one line. */
void depth_decompose(const Operand *operand, AbutPieces *out);

/* Makes the convex pieces where the method needs them. */
void depth_prepare(const Operands *operands, DepthArgs *args);
int depth_needs_pieces(const DepthArgs *args);
void depth_free(DepthArgs *args);

/* The depth in the frame of A; the work is added to *work unless it is NULL. */
AbutGap depth_measure(
    const DepthArgs *args, const Operands *operands, AbutPose b_in_a, DepthState *state, AbutWork *work);

/* Is a depth proved, within its kind? */
int depth_is_certified(const DepthArgs *args, const AbutGap *gap);

#endif
