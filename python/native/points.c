/* SPDX-License-Identifier: Apache-2.0 */
/* Points and a mesh: which are inside, which point of the surface is nearest; the ball around points; files of
 * half-spaces. */
#include <limits.h>
#include <string.h>

#include "bodies.h"
#include "records.h"
#include "rooms.h"

typedef struct Points {
    const AbutMeshTree *tree;
    const AbutVec3 *point;
    double within;
    AbutMeshNearest *nearest; /* NULL: inside alone is asked */
    signed char *inside;
} Points;

static void ask_point(Py_ssize_t i, void *user) {
    Points *x = user;
    if (x->nearest)
        x->nearest[i] = abut_mesh_nearest(x->tree, x->point[i], x->within);
    else
        x->inside[i] = (signed char)(abut_is_finite(x->point[i]) ? abut_mesh_inside(x->tree, x->point[i]) : -1);
}

/* (mesh, points (n, 3), within, threads, nearest: 0 or 1) -> array of MeshNearest, or int8: 1, 0, -1 */
static PyObject *mesh_points(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    Points x = {0};
    Doubles d;
    NewArray out;
    MeshObject *mesh;
    int threads, nearest;
    if (expect_count("mesh_points", count, 5) != 0 || !(mesh = read_mesh(args[0], "mesh")) ||
        read_length(args[2], "within", &x.within) != 0 || read_count(args[3], "threads", &threads) != 0 ||
        read_int(args[4], "nearest", &nearest) != 0 || !(x.tree = mesh_tree(mesh)) ||
        read_matrix(args[1], "points", -1, 3, &d) != 0)
        return NULL;
    int status =
        nearest ? begin_records(&record_mesh_nearest, d.shape[0], &out) : begin_array_of("i1", 1, d.shape, &out);
    if (status == 0) {
        memset(out.data, 0, (size_t)out.view.len);
        x.point = (const AbutVec3 *)d.data;
        x.nearest = nearest ? out.data : NULL, x.inside = out.data;
        status = ask_all(d.shape[0], threads, ask_point, &x);
        if (status != 0) cancel_array(&out);
    }
    release_doubles(&d);
    return status == 0 ? end_array(&out) : NULL;
}

/* (points (n, 3)) -> (center, radius) */
static PyObject *bounding_sphere(PyObject *module, PyObject *points) {
    (void)module;
    Doubles d;
    if (read_matrix(points, "points", -1, 3, &d) != 0) return NULL;
    if (d.shape[0] < 1 || d.shape[0] > INT_MAX)
        return release_doubles(&d), raise_text(ABUT_ERROR_ARGUMENT, "points: expected at least one");
    for (Py_ssize_t i = 0; i < d.count; ++i)
        if (!isfinite(d.data[i]))
            return release_doubles(&d), raise_text(ABUT_ERROR_NUMBER, "points: row %zd is not finite", i / 3);
    AbutSphere ball;
    UNLOCKED(ball = abut_bounding_sphere((const AbutVec3 *)d.data, (int)d.shape[0]));
    release_doubles(&d);
    return Py_BuildValue("(Nd)", array_of_vec3(ball.center), ball.radius);
}

/* (bytes, name) -> planes (n, 4) */
static PyObject *half_spaces_parse(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    AbutPlane *planes = NULL;
    AbutError error;
    int32_t n = 0;
    FileBytes in;
    if (expect_count("half_spaces_parse", count, 2) != 0 || read_file_bytes(args[0], args[1], &in) != 0) return NULL;
    AbutStatus status;
    UNLOCKED(status = abut_half_spaces_parse(in.data, in.size, in.name, &n, &planes, &error));
    if (status != ABUT_OK) return raise_error(&error);
    const Py_ssize_t shape[2] = {n, 4};
    PyObject *out = array_of_doubles((const double *)planes, 2, shape);
    abut_free(planes);
    return out;
}

PyMethodDef points_functions[] = {
    FAST("mesh_points", mesh_points),
    {"bounding_sphere", bounding_sphere, METH_O, NULL},
    FAST("half_spaces_parse", half_spaces_parse),
    {NULL, NULL, 0, NULL},
};
