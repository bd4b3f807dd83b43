/* SPDX-License-Identifier: Apache-2.0 */
/* In which direction do two meshes part? The part of `abut distance` behind --direction. */
#ifndef ABUT_CLI_DISTANCE_DIRECTION_H
#define ABUT_CLI_DISTANCE_DIRECTION_H

#include "operands.h"
#include "abut/literature.h"

typedef enum DirectionMethod {
    DIRECTION_NOT_ASKED = 0,
    DIRECTION_EUCLID,
    DIRECTION_SOFT,
    DIRECTION_PHONG,       /* the foot point nearest to the origin */
    DIRECTION_PHONG_TRACK, /* nearest to the last one */
    DIRECTION_KERNEL,      /* of two convex meshes; soft for others */
    DIRECTION_METHOD_COUNT
} DirectionMethod;

typedef struct DirectionArgs {
    const char *name; /* of the method; NULL: not given */
    double tau;       /* NaN: not given */
    int adaptive, cache, literal;
    int once; /* one pose: of the distance grids only what it asks for is made */
    DirectionMethod method;
    AbutSoftBody *body[2]; /* of soft */
    void *workspace;
    AbutPhong *phong;             /* of phong and phong-track */
    AbutConvolution *convolution; /* of kernel */
} DirectionArgs;

/* The direction at one pose, world frame. */
typedef struct DirectionAnswer {
    AbutVec3 direction, vector;
    double distance; /* signed: exact apart; in overlap minus the depth, or what the samples find */
    double size;     /* of the coordinates, for what is rounding beside them */
    AbutSoft soft;   /* of soft; its vectors are in the frame of A */
    AbutKernelDirection kernel;
    AbutPhongDistance phong; /* of phong and phong-track; likewise */
} DirectionAnswer;

/* How far the direction turns along a path. */
typedef struct DirectionTurn {
    int count;
    int without, lost; /* of phong: poses without a foot point, and those where it was not found beside the last */
    AbutPose pose;     /* of B in A, and the answer there */
    DirectionAnswer last;
    double largest, at, certified; /* radians, time of the largest, radians */
} DirectionTurn;

/* Nothing given yet. */
DirectionArgs direction_args(void);

/* Option rows: --direction, --tau, --adaptive, --cache, --thesis-literal. */
enum { DIRECTION_OPTIONS = 5 };
void direction_options(DirectionArgs *args, CliOption *out);

/* Are the words and numbers good? */
void direction_check(DirectionArgs *args);

/* Makes what the method needs of the meshes that the operands kept. */
int direction_needs_meshes(const DirectionArgs *args); /* that they keep */
void direction_prepare(const Operands *operands, DirectionArgs *args);
void direction_free(DirectionArgs *args);

/* The direction at a pose of B, where `euclid` is the distance in the world frame. 0: the numbers are too large. */
int direction_measure(
    const DirectionArgs *args, const Operands *operands, AbutPose pose_b, const AbutGap *euclid, DirectionAnswer *out);

/* The answer as JSON has it. */
typedef struct DirectionPrinted {
    const char *method;
    DirectionAnswer x;
    double tau;
    int is_phong, is_kernel, is_soft;
} DirectionPrinted;
DirectionPrinted direction_printed(const DirectionArgs *args, const DirectionAnswer *x);
extern const AbutRecord direction_record;

void direction_print_text(const DirectionArgs *args, const DirectionAnswer *x);

/* One more pose of a path, and what is told at its end. */
void direction_follow(const DirectionArgs *args, const Operands *operands, double t, AbutPose pose_b,
    const DirectionAnswer *x, DirectionTurn *turn);
void direction_print_turn(const DirectionArgs *args, const DirectionTurn *turn);

#endif
