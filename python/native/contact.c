/* SPDX-License-Identifier: Apache-2.0 */
/* The contact of two convex bodies without a scene, at one pose of B in A or many. */
#include <string.h>

#include "bodies.h"
#include "rooms.h"
#include "worlds.h"

typedef struct Contacts {
    AbutConvexContact query;
    const Poses *poses;
    ContactRow *rows;
    signed char *found;
    int failed;
} Contacts;

ContactRow contact_row(const AbutContact *c, int32_t body_a, int32_t body_b) {
    ContactRow row;
    memset(&row, 0, sizeof row);
    row.body_a = body_a, row.body_b = body_b;
    row.normal = c->normal, row.center = c->center, row.force = c->force, row.torque = c->torque;
    row.pressure_center = c->pressure_center;
    row.area = c->area, row.volume = c->volume, row.depth = c->depth;
    row.sliding = c->sliding, row.vertex_count = c->vertex_count;
    for (int k = 0; k < c->vertex_count; ++k) {
        row.vertex_point[k] = c->vertex[k].point, row.vertex_force[k] = c->vertex[k].force;
        row.vertex_pressure[k] = c->vertex[k].pressure;
    }
    return row;
}

static void ask_contact(Py_ssize_t i, void *user) {
    Contacts *x = user;
    AbutConvexContact query = x->query;
    AbutContact contact;
    AbutError error;
    int found = -1;
    memset(&contact, 0, sizeof contact);
    query.pose_b = get_pose(x->poses, i);
    if (abut_contact_of_pair(&query, &contact, &found, &error) != ABUT_OK) x->failed = 1;
    x->found[i] = (signed char)found;
    x->rows[i] = contact_row(&contact, 0, 1);
}

/* (a, b, poses, margin, threads) -> (array of Contact, int8: 1, 0, -1) */
static PyObject *contact_batch(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Contacts x;
    Poses poses;
    NewArray rows, found;
    int threads, status = -1;
    memset(&x, 0, sizeof x);
    if (expect_count("contact_batch", count, 5) != 0 || !(x.query.a = read_convex(args[0], "a")) ||
        !(x.query.b = read_convex(args[1], "b")) || read_real(args[3], "margin", &x.query.margin) != 0 ||
        read_count(args[4], "threads", &threads) != 0)
        return NULL;
    if (!(x.query.margin >= 0.0)) return raise_text(ABUT_ERROR_ARGUMENT, "margin: expected 0 or above");
    if (read_poses(args[2], "pose", &poses) != 0) return NULL;
    x.query.pose_a = abut_pose_identity(), x.poses = &poses;
    if (begin_records(&record_contact, poses.count, &rows) == 0) {
        if (begin_array_of("i1", 1, &poses.count, &found) == 0) {
            x.rows = rows.data, x.found = found.data;
            status = ask_all(poses.count, threads, ask_contact, &x);
            if (status == 0 && x.failed)
                status = (raise_text(ABUT_ERROR_ARGUMENT, "a contact could not be found: bad bodies or no memory"), -1);
            if (status != 0) cancel_array(&found);
        }
        if (status != 0) cancel_array(&rows);
    }
    release_poses(&poses);
    return status == 0 ? Py_BuildValue("(NN)", end_array(&rows), end_array(&found)) : NULL;
}

/* (a, b, pose, margin) -> dictionary, or None where they do not touch */
static PyObject *contact_features(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    static const char *const kinds[] = {[ABUT_PART_VERTEX] = "point",
        [ABUT_PART_EDGE] = "line",
        [ABUT_PART_FACE] = "polygon",
        [ABUT_PART_PLANE] = "plane"};
    AbutConvexContact query = {.pose_a = abut_pose_identity()};
    AbutContactFeatures f;
    Poses poses;
    if (expect_count("contact_features", count, 4) != 0 || !(query.a = read_convex(args[0], "a")) ||
        !(query.b = read_convex(args[1], "b")) || read_length(args[3], "margin", &query.margin) != 0 ||
        read_poses(args[2], "pose", &poses) != 0)
        return NULL;
    int one = poses.count == 1;
    query.pose_b = one ? get_pose(&poses, 0) : query.pose_a;
    release_poses(&poses);
    if (!one) return raise_text(ABUT_ERROR_ARGUMENT, "pose: expected one pose");
    int found = abut_contact_features(&query, &f);
    if (found < 0) return raise_text(ABUT_ERROR_NUMBER, "contact: not finite, or a pair of half-spaces");
    if (found == 0) Py_RETURN_NONE;
    const Py_ssize_t points[2] = {f.count, 3};
    return Py_BuildValue("{sNsdsNsNssss}", "normal", array_of_doubles(&f.normal.x, 1, points + 1), "distance",
        f.distance, "points", array_of_doubles(&f.point[0].x, 2, points), "gaps", array_of_doubles(f.gap, 1, points),
        "feature_a", kinds[f.part_a], "feature_b", kinds[f.part_b]);
}

/* Pairs of the bodies of a list, where they stand, with b; -1: an exception. */
static int read_pairs(PyObject *list, const Poses *at, AbutConvexContact first, AbutConvexContact *out) {
    for (Py_ssize_t i = 0; i < at->count; ++i) {
        out[i] = first;
        out[i].pose_a = get_pose(at, i);
        if (!(out[i].a = read_convex(PyList_GetItem(list, i), "standing"))) return -1;
    }
    return 0;
}

/* (list of bodies that stand, their poses, b, pose of b, margin, length) -> pose, None where nothing is near */
static PyObject *contact_settle(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutConvexContact query = {.pose_a = abut_pose_identity()};
    AbutPose move;
    Poses at, pose;
    double length;
    int points = -1, good;
    if (expect_count("contact_settle", count, 6) != 0 || !(query.b = read_convex(args[2], "b")) ||
        read_length(args[4], "margin", &query.margin) != 0 || read_length(args[5], "length", &length) != 0 ||
        read_poses(args[3], "pose", &pose) != 0)
        return NULL;
    query.pose_b = get_pose(&pose, 0);
    release_poses(&pose);
    if (read_poses(args[1], "standing", &at) != 0) return NULL;
    AbutConvexContact *pairs = abut_alloc_array((size_t)at.count + 1, sizeof *pairs);
    good =
        pairs ? PyList_Size(args[0]) == at.count && read_pairs(args[0], &at, query, pairs) == 0 : (PyErr_NoMemory(), 0);
    if (good) points = abut_contact_settle(pairs, (int)at.count, length, &move);
    release_poses(&at);
    abut_free(pairs);
    if (!good) return PyErr_Occurred() ? NULL : raise_text(ABUT_ERROR_ARGUMENT, "standing: expected a pose per body");
    if (points < 0)
        return raise_text(ABUT_ERROR_EMPTY, "settle: no motion closes the gaps, or a number is not above 0");
    if (points == 0) Py_RETURN_NONE;
    AbutPose to = abut_pose_mul(move, query.pose_b);
    const double numbers[7] = {to.p.x, to.p.y, to.p.z, to.q.w, to.q.x, to.q.y, to.q.z};
    const Py_ssize_t seven = 7;
    return array_of_doubles(numbers, 1, &seven);
}

PyMethodDef contact_functions[] = {
    FAST("contact_settle", contact_settle),
    FAST("contact_features", contact_features),
    FAST("contact_batch", contact_batch),
    {NULL, NULL, 0, NULL},
};
