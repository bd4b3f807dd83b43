/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading a URDF file: links and joints as the file has them, before the tree is known. */
#ifndef ABUT_SRC_IMPORT_URDF_READ_H
#define ABUT_SRC_IMPORT_URDF_READ_H

#include "import/mjcf_read.h"

typedef enum AbutUrdfType {
    ABUT_URDF_REVOLUTE = 0,
    ABUT_URDF_CONTINUOUS,
    ABUT_URDF_PRISMATIC,
    ABUT_URDF_FIXED,
    ABUT_URDF_FLOATING
} AbutUrdfType;

typedef struct AbutUrdfLink {
    const AbutXmlElement *element;
    const char *name;
    int32_t joint;       /* that leads to it; -1: none */
    int32_t first_joint; /* that leaves it, the others follow by `next`; -1: none */
    int32_t last_joint;
    int32_t body; /* in the model; -1: not made yet */
    int32_t weld; /* the link that this one moves as one with; itself when its joint moves; known once it is made */
    int has_mass; /* 1: itself, or a link that it moves as one with, has an <inertial> */
} AbutUrdfLink;

typedef struct AbutUrdfJoint {
    const AbutXmlElement *element;
    const char *name;
    AbutUrdfType type;
    int32_t parent, child; /* links */
    int32_t next;          /* that leaves the same link */
    int32_t number;        /* in the model; -1: it is no joint there */
    AbutPose pose;         /* of the child in the parent */
} AbutUrdfJoint;

enum { ABUT_URDF_FOLDERS = 64 };

typedef struct AbutUrdfReader {
    AbutXml xml;
    AbutModelReadOptions options;
    AbutError *error;
    AbutWarnings warnings;
    AbutMjcfNames names; /* links as bodies, joints as joints */
    AbutModel *model;
    AbutUrdfLink *links;
    AbutUrdfJoint *joints;
    int32_t link_count, joint_count;
    size_t link_capacity, joint_capacity;
    const char
        *folders[ABUT_URDF_FOLDERS]; /* that meshes may lie in: the file's, then those of packages that xacro found */
    int folder_count;
    int32_t drawn; /* triangles that are kept for pictures */
} AbutUrdfReader;

void abut_urdf_warn(AbutUrdfReader *reader, const AbutXmlElement *element, const char *format, ...) ABUT_PRINTF(3, 4);
/* Warns about children whose tag is not in the list, which ends with NULL. */
void abut_urdf_ignore_children(AbutUrdfReader *reader, const AbutXmlElement *element, const char *const *known);

/* The first child of this tag; NULL: none. */
const AbutXmlElement *abut_urdf_child(const AbutXmlElement *element, const char *tag);
/* Exactly `count` finite numbers of an attribute; out keeps its values when the element or attribute is not there. */
AbutStatus abut_urdf_numbers(
    AbutUrdfReader *reader, const AbutXmlElement *element, const char *name, int count, double *out);
/* <origin xyz rpy> of an element, the identity when there is none. */
AbutStatus abut_urdf_origin(AbutUrdfReader *reader, const AbutXmlElement *element, AbutPose *out);

/* urdf_link.c: mass of a link, and its shapes when it is a body of the model. */
AbutStatus abut_urdf_inertial(AbutUrdfReader *reader, const AbutUrdfLink *link, AbutBodyDef *body);
AbutStatus abut_urdf_shapes(AbutUrdfReader *reader, const AbutUrdfLink *link);

/* urdf_path.c: the folder of a package, 0: not found; the file that a name of a mesh means. */
int abut_urdf_package(const AbutModelReadOptions *options, const char *name, char *out, size_t size);
AbutStatus abut_urdf_path(
    AbutUrdfReader *reader, const AbutXmlElement *element, const char *name, char *out, size_t size, AbutError *error);

#endif
