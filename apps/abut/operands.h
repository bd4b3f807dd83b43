/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two operands of a command on pairs, with what belongs to them: files, poses, motions, how a mesh is taken, the
 * options that say so, and the page that shows them. Every command on pairs takes the same.
 */
#ifndef ABUT_CLI_OPERANDS_H
#define ABUT_CLI_OPERANDS_H

#include "cli.h"

typedef struct Operand {
    const char *file;   /* or a body in words: "cylinder:0.1,0.3" */
    const char *folder; /* of --pieces-a or --pieces-b; NULL: none */
    const char *motion_file;
    AbutPose pose;      /* in the world */
    AbutSolidBody body; /* of a mesh; of a body in words, `convex` alone, and `is_convex` */
    AbutMesh mesh;      /* as it was read; of a hull, that one; of words, empty */
    AbutPlane *planes;  /* of a text file, normals of any length; NULL for meshes */
    int32_t plane_count;
    AbutMotion motion;
} Operand;

typedef struct Operands {
    Operand of[2];
    int convex, pieces; /* --convex, --pieces */
    int half_spaces;    /* text files of these are taken as well */
    int centered;       /* meshes are moved so that the centroid of their volume is at the origin */
    double from, to;    /* of the motions; NaN: not given; then what the files say */
} Operands;

/* Both at the origin; nothing read yet. */
Operands operands_make(void);

/* Rows of options: what every command on pairs takes; and those of the ones with motions. */
#define OPERAND_POSES(o) cli_row("--pose-a", &(o)->of[0].pose), cli_row("--pose-b", &(o)->of[1].pose)
#define OPERAND_OPTIONS(o)                                                                                             \
    OPERAND_POSES(o), cli_row("--convex", &(o)->convex), cli_row("--pieces", &(o)->pieces),                            \
        cli_row("--pieces-a", &(o)->of[0].folder), cli_row("--pieces-b", &(o)->of[1].folder)
#define OPERAND_MOTIONS(o)                                                                                             \
    cli_row("--motion-a", &(o)->of[0].motion_file), cli_row("--motion-b", &(o)->of[1].motion_file),                    \
        cli_row("--from", &(o)->from)

/* cli_parse for two operands; `kind` is "bodies" or "mesh files", for the message. */
void operands_parse(const CliOption *options, int option_count, int argc, char **argv, const char *kind, Operands *out);

/* Were --pieces, --pieces-a or --pieces-b given? */
int operands_by_pieces(const Operands *operands);

/* Reads both files, those that have a name: meshes by `choice` unless --convex or --pieces says otherwise. */
void operands_read(AbutSolidChoice choice, Operands *operands);

/* The convex pieces of an operand, from its folder or made here; warns where they are coarse or do not cover it. */
void operands_take_pieces(Operand *operand);
void operands_warn_pieces(const char *file, const AbutPieces *pieces);

/* An operand as a solid: its pieces, else its triangles where it has a tree, else its convex body. */
AbutSolid operands_solid(const Operands *operands, int which);

/* Refuses an operand that is no mesh; `why` is as "--direction soft". */
void operands_need_meshes(const Operands *operands, const char *why);

/* Refuses planes beside what is taken by its triangles. */
void operands_refuse_planes(const Operands *operands);

/* A file of poses, t,x,y,z,qw,qx,qy,qz to a line, or an animation, whose meshes are then read centered. */
void operands_poses(Operands *operands, const char *file, int32_t *count, AbutKeyframe **out);

/* Reads the motions, of which there is one at least; an operand without one stands. */
void operands_read_motions(Operands *operands);

/* Half-spaces and planes have no end. */
static inline int is_endless(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE;
}

/* The exit status that says whether bodies meet on their way. */
int operands_impact_status(AbutImpactOutcome outcome);

/* The pose of B in the frame of A. */
AbutPose operands_relative_pose(const Operands *operands);

/* The two hulls where they stand as a model, for a page. */
AbutModel *operands_make_model(const Operands *operands);

/* A body of one shape in a model that is shown; `visual`: only drawn. */
void operands_add_body(
    AbutModel *model, const char *name, AbutBodyKind kind, AbutPose pose, const AbutGeometryDef *form, int visual);

/* How meshes that are not convex are taken: hulls, convex pieces, or hulls that keep the mesh as their surface. */
typedef enum OperandMeshes { OPERAND_HULLS = 0, OPERAND_PIECES, OPERAND_SURFACES } OperandMeshes;

/* For commands that read models: rows of --allow-outside, --package-path, --args, --warnings and --no-cache. */
extern AbutModelReadOptions operands_model_options;
extern const char *operands_xacro_args;
extern int operands_warnings; /* 0: grouped */
extern int operands_no_cache;
extern const char *operands_faster; /* what to do about slow loading, for its progress; NULL: nothing */
#define OPERAND_MODELS                                                                                                 \
    cli_row("--allow-outside", &operands_model_options.allow_outside),                                                 \
        cli_row("--package-path", &operands_model_options.package_path), cli_row("--args", &operands_xacro_args),      \
        cli_row("--warnings", &operands_warnings), cli_row("--no-cache", &operands_no_cache)

/* The model of a file (ending in .xml or .urdf, or with a folder in its name) or a built-in one. `options` as
 * abut_model_read takes them; _load_model prints warnings. */
AbutModel *operands_read_model(const char *source, uint64_t seed, AbutModelReadOptions options);
AbutModel *operands_load_model(const char *source, uint64_t seed, OperandMeshes meshes);

/* A scene with the model in it. */
AbutScene *operands_scene(const AbutModel *model);

/* "A and B", the names of both; `title` is room for it. */
const char *operands_title(const Operands *operands, char title[300]);

/* Puts what a page shows of both operands into it: their meshes, or plates of those without end; and names. */
void operands_show(const Operands *operands, AbutPageMeshes *page);

/* The note of a page, with a word on the plates where there are some; `text` is room for it. */
const char *endless_note(const Operands *operands, const char *note, char text[256]);

#endif
