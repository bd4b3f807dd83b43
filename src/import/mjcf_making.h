/* SPDX-License-Identifier: Apache-2.0 */
/* A model being made from a draft: which number each thing of the draft has in the model. */
#ifndef ABUT_SRC_IMPORT_MJCF_MAKING_H
#define ABUT_SRC_IMPORT_MJCF_MAKING_H

#include "import/mjcf_read.h"

typedef struct AbutMjcfMaking {
    AbutMjcfReader *reader;
    const AbutMjcfDraft *draft;
    AbutModel *model;
    int32_t *owner;      /* per body: the outermost body of those that are welded together */
    int32_t *body_of;    /* per body: its number in the model; -1: none */
    int32_t *joint_of;   /* per joint; -1: free */
    int32_t *shape_of;   /* per geom: the first of its shapes; -1: none */
    int32_t *shapes;     /* per geom: how many */
    AbutRigid *mass;     /* per body, of its own */
    AbutPose *inertial;  /* per body: where its mass and the axes of its inertia are */
    double *whole;       /* per owner: mass of all that is welded together */
    AbutMjcfSolid *mesh; /* per mesh */
} AbutMjcfMaking;

/* mjcf_weigh.c: does the mass of a geom count; and the mass of all bodies. */
int abut_mjcf_weighs(const AbutMjcfMaking *m, const AbutDraftGeom *geom);
AbutStatus abut_mjcf_find_masses(AbutMjcfMaking *m);

/* mjcf_sensor.c */
AbutStatus abut_mjcf_make_sensors(AbutMjcfMaking *m);

/* mjcf_parts.c */
AbutStatus abut_mjcf_make_parts(AbutMjcfMaking *m);

#endif
