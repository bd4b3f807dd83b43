/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orientation of an MJCF element, in the five ways of the format: quat, axisangle, euler (in the sequence of the
 * compiler; lower case about the turned axes, upper case about the fixed ones), xyaxes and zaxis. One way per element;
 * the nearest of the element and its default classes rules, but any other way goes before quat, as in MuJoCo: a class
 * with euler rules over the quat of an element.
 */
#include "import/mjcf_read.h"
#include "math/matrix.h"

#include <string.h>

enum { QUAT = 0, WAYS = 5 };
static const char *const way_name[WAYS] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
static const int way_count[WAYS] = {4, 4, 3, 6, 3};

AbutQuat abut_mjcf_euler(const AbutMjcfReader *reader, const double *angle) {
    AbutQuat q = abut_quat_identity();
    for (int i = 0; i < 3; ++i) {
        char c = reader->now.euler[i];
        int fixed = c >= 'X' && c <= 'Z';
        AbutQuat turn = abut_quat_axis_angle(abut_axis(fixed ? c - 'X' : c - 'x'), angle[i] * reader->now.angle);
        q = fixed ? abut_quat_mul(turn, q) : abut_quat_mul(q, turn);
    }
    return abut_quat_normalize(q);
}

AbutQuat abut_mjcf_turn_z(AbutVec3 axis) {
    AbutVec3 about = abut_cross(abut_axis(2), axis);
    if (abut_length(about) < 1e-10) return axis.z < 0.0 ? abut_quat(0.0, 1.0, 0.0, 0.0) : abut_quat_identity();
    return abut_quat_between(abut_axis(2), axis);
}

/* The one of the two quaternions of a turn that MuJoCo takes. */
static AbutQuat with_sign(AbutMat3 m) {
    AbutQuat q = abut_quat_from_mat3(m);
    double part = q.z;
    if (abut_mat3_trace(m) > 0.0)
        part = q.w;
    else if (m.x.x > m.y.y && m.x.x > m.z.z)
        part = q.x;
    else if (m.y.y > m.z.z)
        part = q.y;
    return part < 0.0 ? abut_quat(-q.w, -q.x, -q.y, -q.z) : q;
}

/* Right-handed axes from x and the part of y at right angles to it; false when there is none. */
static int from_axes(const double *v, AbutQuat *out) {
    AbutVec3 x = abut_normalize(abut_vec3(v[0], v[1], v[2])), y = abut_normalize(abut_vec3(v[3], v[4], v[5]));
    y = abut_add_scaled(y, x, -abut_dot(x, y));
    if (!(abut_length(x) > 0.5) || !(abut_length(y) > 1e-9)) return 0;
    y = abut_normalize(y);
    *out = with_sign(abut_mat3(x, y, abut_cross(x, y)));
    return 1;
}

/* False when the numbers have no direction. */
static int convert(const AbutMjcfReader *reader, int way, const double *v, AbutQuat *out) {
    AbutVec3 axis = abut_normalize(abut_vec3(v[0], v[1], v[2]));
    int directed = abut_length(axis) > 0.5;
    switch (way) {
    case 0:
        *out = abut_quat_normalize(abut_quat(v[0], v[1], v[2], v[3]));
        return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0 || v[3] != 0.0;
    case 1:
        *out = abut_quat_axis_angle(axis, v[3] * reader->now.angle);
        return directed;
    case 2:
        *out = abut_mjcf_euler(reader, v);
        return 1;
    case 3:
        return from_axes(v, out);
    default:
        *out = abut_mjcf_turn_z(axis);
        return directed;
    }
}

/* The way of one level; -1: none. */
static AbutStatus way_of(const AbutMjcfReader *reader, const AbutXmlElement *at, int *way) {
    *way = -1;
    for (int i = 0; i < WAYS; ++i) {
        if (!abut_xml_attribute(at, way_name[i])) continue;
        if (*way >= 0)
            return abut_xml_fail(reader->error, at, ABUT_ERROR_FORMAT, "expected one orientation, got %s and %s",
                way_name[*way], way_name[i]);
        *way = i;
    }
    return ABUT_OK;
}

/* The level (element or class setting) that says an orientation: as a view without classes. */
static AbutStatus find_way(const AbutMjcfView *view, const AbutXmlElement **holder, int *way) {
    const AbutMjcfClass *class = view->class;
    const AbutXmlElement *at = view->element;
    *way = -1;
    for (;;) {
        int own;
        ABUT_TRY(at ? way_of(view->reader, at, &own) : ABUT_OK);
        if (at && own >= 0 && (*way < 0 || own > QUAT)) {
            *way = own;
            *holder = at;
        }
        if (*way > QUAT || !class) return ABUT_OK;
        at = NULL;
        for (int32_t i = 0; i < class->setting_count; ++i)
            if (strcmp(class->settings[i]->tag, view->tag ? view->tag : view->element->tag) == 0)
                at = class->settings[i];
        class = class->parent;
    }
}

AbutStatus abut_mjcf_orientation(const AbutMjcfView *view, AbutQuat *out) {
    const AbutXmlElement *holder = NULL;
    int way;
    AbutStatus status = find_way(view, &holder, &way);
    if (status || way < 0) return status;
    AbutMjcfView own = {view->reader, holder, NULL, NULL};
    double numbers[6] = {0};
    status = abut_mjcf_numbers(&own, way_name[way], way_count[way], way_count[way], numbers, NULL);
    if (!status && !convert(view->reader, way, numbers, out))
        status = abut_xml_fail(view->reader->error, holder, ABUT_ERROR_FORMAT,
            "attribute %s: expected a direction, got zero or parallel axes", way_name[way]);
    return status;
}

AbutStatus abut_mjcf_pose(const AbutMjcfView *view, AbutPose *out) {
    *out = abut_pose_identity();
    AbutStatus status = abut_mjcf_vec3(view, "pos", &out->p);
    return status ? status : abut_mjcf_orientation(view, &out->q);
}
