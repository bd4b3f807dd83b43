/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions to start from, and the names of kinds as they stand in files. */
#include "abut/model.h"

#include <string.h>

AbutBodyDef abut_body_default(void)
{
    AbutBodyDef def = {0};
    def.parent = -1;
    def.pose = abut_pose_identity();
    return def;
}

AbutShapeDef abut_shape_default(void)
{
    AbutShapeDef def = {0};
    def.pose = abut_pose_identity();
    def.form.size = abut_vec3(0.5, 0.5, 0.5);
    def.density = ABUT_DEFAULT_DENSITY;
    def.material.friction = ABUT_DEFAULT_FRICTION;
    def.material.friction_kinetic = -1.0;
    def.category = 1;
    def.mask = UINT32_MAX;
    return def;
}

AbutJointDef abut_joint_default(void)
{
    AbutJointDef def = {0};
    def.body = -1;
    def.axis = abut_axis(2);
    return def;
}

const char *abut_body_kind_name(AbutBodyKind kind)
{
    static const char *const names[ABUT_BODY_KIND_COUNT] = {"dynamic", "static", "kinematic", "link"};
    ABUT_ASSERT((int)kind >= 0 && kind < ABUT_BODY_KIND_COUNT);
    return (int)kind >= 0 && kind < ABUT_BODY_KIND_COUNT ? names[kind] : "";
}

int abut_body_kind_find(const char *name)
{
    ABUT_ASSERT(name);
    for (int kind = 0; kind < ABUT_BODY_KIND_COUNT; ++kind)
        if (strcmp(abut_body_kind_name((AbutBodyKind)kind), name) == 0)
            return kind;
    return -1;
}

const char *abut_joint_kind_name(AbutJointKind kind)
{
    static const char *const names[ABUT_JOINT_KIND_COUNT] = {"hinge", "slide", "ball"};
    ABUT_ASSERT((int)kind >= 0 && kind < ABUT_JOINT_KIND_COUNT);
    return (int)kind >= 0 && kind < ABUT_JOINT_KIND_COUNT ? names[kind] : "";
}
