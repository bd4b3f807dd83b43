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
    DIRECTION_KERNEL       /* of two convex meshes; soft for others */
} DirectionMethod;

typedef struct DirectionArgs {
    int method; /* a DirectionMethod */
    double tau; /* NaN: not given */
    int adaptive, cache, literal;
    int once;              /* one pose: of the distance grids only what it asks for is made */
    AbutSoftBody *body[2]; /* of soft */
    void *workspace;
    AbutPhong *phong;             /* of phong and phong-track */
    AbutConvolution *convolution; /* of kernel */
} DirectionArgs;

extern const char *const direction_methods[];

#define DIRECTION_OPTIONS(args)                                                                                        \
    OPTION("--direction", CLI_WORD, &(args)->method, "METHOD",                                                         \
        "in which direction B parts from A: euclid, soft, phong, phong-track or kernel (default: none)",               \
        .words = direction_methods),                                                                                   \
        OPTION("--tau", CLI_REAL, &(args)->tau, "T",                                                                   \
            "with --direction soft or kernel: smoothing length, m (default: 0.04 of the smaller body's diameter)",     \
            1e-30, 1e30),                                                                                              \
        OPTION("--adaptive", CLI_FLAG, &(args)->adaptive, NULL,                                                        \
            "with --direction soft: let the smoothing length grow to a quarter of the distance"),                      \
        OPTION("--cache", CLI_FLAG, &(args)->cache, NULL,                                                              \
            "with --direction soft: keep what it makes of a mesh beside its file, as FILE.HASH.soft"),                 \
        OPTION("--thesis-literal", CLI_FLAG, &(args)->literal, NULL,                                                   \
            "with --direction phong or phong-track: let it take foot points that are not on the boundary, as the "     \
            "thesis does")

/* The direction at one pose, world frame. */
typedef struct DirectionAnswer {
    AbutVec3 direction, vector;
    double distance; /* signed: exact apart; in overlap minus the depth, or what the samples find */
    double size;     /* of the coordinates, for what is rounding beside them */
    AbutSoft soft;   /* of soft; its vectors are in the frame of A */
    AbutKernelDirection kernel;
    AbutPhongDistance phong; /* of phong and phong-track; likewise */
    int32_t method;
    double tau;
    int is_phong, is_kernel, is_soft;
} DirectionAnswer;
extern const AbutRecord direction_record;

/* How far the direction turns along a path. */
typedef struct DirectionTurn {
    int count;
    int without, lost; /* of phong: poses without a foot point, and those where it was not found beside the last */
    AbutPose pose;     /* of B in A, and the answer there */
    DirectionAnswer last;
    double largest, at, certified; /* radians, time of the largest, radians */
} DirectionTurn;

/* Makes what the method needs of the meshes of the operands. */
void direction_prepare(const Operands *operands, DirectionArgs *args);

/* The direction at a pose of B, where `euclid` is the distance in the world frame. 0: the numbers are too large. */
int direction_measure(
    const DirectionArgs *args, const Operands *operands, AbutPose pose_b, const AbutGap *euclid, DirectionAnswer *out);

void direction_print_text(const DirectionArgs *args, const DirectionAnswer *x);

/* One more pose of a path, and what is told at its end. */
void direction_follow(const DirectionArgs *args, const Operands *operands, double t, AbutPose pose_b,
    const DirectionAnswer *x, DirectionTurn *turn);
void direction_print_turn(const DirectionArgs *args, const DirectionTurn *turn);

#endif
