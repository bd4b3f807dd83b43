/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of each format that are read: the readers themselves ask these rows which attributes they know, and warn
 * about all others; docs/howto/robots.md holds the same rows.
 */
#include "import/table.h"

#include <string.h>

#define PLACE "pos quat axisangle euler xyaxes zaxis "

static const AbutImportRow rows[] = {
    {"mjcf", "compiler",
        "angle eulerseq meshdir assetdir texturedir strippath autolimits inertiafromgeom inertiagrouprange "
        "balanceinertia boundmass boundinertia settotalmass exactmeshinertia fitaabb coordinate alignfree",
        "coordinate is local"},
    {"mjcf", "option", "timestep gravity magnetic", ""},
    {"mjcf", "option/flag", "gravity contact", "without contact no geoms meet, pairs included"},
    {"mjcf", "asset/mesh",
        "file vertex face scale refpos refquat inertia normal texcoord smoothnormal material content_type",
        "files inside the folder of the file; closed meshes stay as they are, others become hulls "
        "([mjcf.md](../reference/mjcf.md)); the last "
        "five change nothing"},
    {"mjcf", "asset/hfield", "file size nrow ncol elevation", "one shape; PNG or MuJoCo's binary format"},
    {"mjcf", "asset/material", "rgba", ""},
    {"mjcf", "asset/model", "file", "attached by its name"},
    {"mjcf", "body", PLACE "childclass mocap gravcomp", ""},
    {"mjcf", "frame", PLACE "childclass", ""},
    {"mjcf", "replicate", "count offset euler sep", "with all that names its elements"},
    {"mjcf", "attach", "model body prefix",
        "with the contacts, equalities, tendons, actuators and sensors of its bodies"},
    {"mjcf", "inertial", PLACE "mass diaginertia fullinertia", ""},
    {"mjcf", "joint",
        "type pos axis range limited stiffness damping armature frictionloss ref springref actuatorfrclimited "
        "actuatorfrcrange actuatorgravcomp group",
        "hinge, slide, ball, free"},
    {"mjcf", "freejoint", "group align", ""},
    {"mjcf", "geom",
        PLACE
        "type size fromto mesh fitscale hfield density mass shellinertia friction contype conaffinity condim priority "
        "group rgba "
        "material",
        "plane, sphere, capsule, ellipsoid, cylinder, box, mesh, hfield; round shapes and boxes may be fitted to a "
        "mesh; the second number of friction with condim 4 or 6, the third with 6; shellinertia of all but meshes, "
        "which have their own"},
    {"mjcf", "site", PLACE "fromto size type group rgba material", "as a frame"},
    {"mjcf", "contact/exclude", "body1 body2", ""},
    {"mjcf", "contact/pair", "geom1 geom2 friction condim",
        "of friction the first number, the third with condim 4 or 6, the fourth with 6; margin, a distance at which "
        "MuJoCo's forces begin, is not the margin of contact here and is ignored, as gap is"},
    {"mjcf", "equality/joint", "joint1 joint2 polycoef active", ""},
    {"mjcf", "equality/connect", "body1 body2 anchor site1 site2 active", ""},
    {"mjcf", "equality/weld", "body1 body2 relpose anchor site1 site2 active", ""},
    {"mjcf", "tendon/fixed", "limited range stiffness damping frictionloss springlength group",
        "joint: joint, coef; without springlength it rests where its joints are at springref"},
    {"mjcf", "tendon/spatial", "limited range stiffness damping frictionloss springlength group width rgba material",
        "site: site; geom: geom, sidesite, of a sphere or cylinder; pulley: divisor"},
    {"mjcf", "actuator/general",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group dyntype dynprm gaintype biastype gainprm biasprm",
        "dyntype none, integrator, filter, filterexact, muscle; gaintype fixed, affine, muscle; biastype none, affine, "
        "or muscle "
        "with the numbers of the gain; others are kept and drive nothing"},
    {"mjcf", "actuator/motor",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group",
        ""},
    {"mjcf", "actuator/position",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group kp kv dampratio inheritrange timeconst",
        ""},
    {"mjcf", "actuator/velocity",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group kv",
        ""},
    {"mjcf", "actuator/intvelocity",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group kp kv dampratio inheritrange",
        ""},
    {"mjcf", "actuator/damper",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group kv",
        ""},
    {"mjcf", "actuator/cylinder",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group timeconst area diameter bias",
        ""},
    {"mjcf", "actuator/muscle",
        "joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange actlimited "
        "actrange actearly lengthrange group timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax",
        "a length range that is not given is found from the limits of the joints"},
    {"mjcf", "actuator/adhesion", "body ctrllimited ctrlrange forcelimited forcerange gain group",
        "shared by the contacts of the body"},
    {"mjcf", "keyframe/key", "time qpos qvel ctrl act", ""},
    {"mjcf", "sensor",
        "joint tendon actuator site objtype objname reftype refname body cutoff geom1 geom2 body1 body2 subtree1 "
        "subtree2 num "
        "data reduce",
        "the kinds of [sensors.md](../reference/sensors.md); others are kept and not simulated, and so are noise and "
        "delays"},
    {"urdf", "robot", "name", ""},
    {"urdf", "link", "name", ""},
    {"urdf", "link/inertial", "",
        "origin, mass value, inertia ixx ixy ixz iyy iyz izz; a link that moves without any has the mass of its shapes "
        "at 1000 kg/m^3"},
    {"urdf", "link/collision", "name", "origin and geometry"},
    {"urdf", "link/visual", "name", "origin and geometry, drawn only"},
    {"urdf", "geometry/box", "size", "full sizes"},
    {"urdf", "geometry/cylinder", "radius length", ""},
    {"urdf", "geometry/sphere", "radius", ""},
    {"urdf", "geometry/mesh", "filename scale", "package://, file:// or a path inside the folder; meshes as of mjcf"},
    {"urdf", "link/contact", "", "lateral_friction value"},
    {"urdf", "joint", "name type", "revolute, continuous, prismatic, fixed, floating"},
    {"urdf", "joint/origin", "xyz rpy", ""},
    {"urdf", "joint/axis", "xyz", ""},
    {"urdf", "joint/limit", "lower upper effort velocity",
        "effort limits the force of a joint where it is above 0; velocity is not used"},
    {"urdf", "joint/dynamics", "damping friction", ""},
    {"urdf", "joint/mimic", "joint multiplier offset", "as an equality of joints"},
};

const AbutImportRow *abut_import_table(int *count) {
    ABUT_ASSERT(count);
    *count = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

int abut_import_reads(const char *format, const char *element, const char *attribute) {
    size_t length = strlen(attribute);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].format, format) != 0 || strcmp(rows[i].element, element) != 0) continue;
        for (const char *p = rows[i].attributes; (p = strstr(p, attribute)); p += length)
            if ((p == rows[i].attributes || p[-1] == ' ') && (p[length] == ' ' || p[length] == 0)) return 1;
    }
    return 0;
}
