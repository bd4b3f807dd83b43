/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies as Python objects: convex ones, meshes with their tree, convex pieces. They do not change once made. */
#ifndef ABUT_PYTHON_BODIES_H
#define ABUT_PYTHON_BODIES_H

#include "convert.h"

typedef struct ConvexObject {
    PyObject_HEAD AbutConvex convex;
    AbutPolyhedron *polyhedron; /* owned; NULL of the other kinds */
} ConvexObject;

typedef struct MeshObject {
    PyObject_HEAD AbutMesh mesh;
    AbutMeshTree *tree; /* made by the first query that needs it */
    AbutMeshCore *core; /* likewise, for depths */
} MeshObject;

typedef struct PiecesObject {
    PyObject_HEAD AbutPieces pieces;
} PiecesObject;

extern PyTypeObject *convex_type, *mesh_type, *pieces_type;

/* A new object that takes over the polyhedron, also on failure; the mesh, which is left empty. */
PyObject *convex_of_polyhedron(AbutPolyhedron *polyhedron, double radius);
PyObject *mesh_take(AbutMesh *mesh);

/* A copy with all that it points to. */
PyObject *convex_copy(const AbutConvex *convex);

/* The object behind an argument; NULL with an exception. Borrowed. */
const AbutConvex *read_convex(PyObject *value, const char *name);
MeshObject *read_mesh(PyObject *value, const char *name);

/* The tree and the core of a mesh, made now if need be; NULL with an exception. */
const AbutMeshTree *mesh_tree(MeshObject *mesh);
const AbutMeshCore *mesh_core(MeshObject *mesh);

/* A convex body or a mesh; the other is NULL. */
typedef struct Body {
    const AbutConvex *convex;
    const AbutMeshTree *tree;
    MeshObject *mesh;
} Body;

int read_body(PyObject *value, const char *name, Body *out);

/* A convex body, a mesh or pieces. */
int read_solid(PyObject *value, const char *name, AbutSolid *out);

/* (heights (rows, columns), half_x, half_y, bottom); 0, or -1 with an exception. The heights are to be released. */
int read_height_field(PyObject *const *args, AbutHeightField *field, Doubles *heights);

int add_convex_type(PyObject *module);
int add_mesh_type(PyObject *module);
int add_pieces_type(PyObject *module);
int add_body_set_type(PyObject *module);

extern PyMethodDef convex_functions[], mesh_functions[], pieces_functions[], query_functions[], cast_functions[];

#endif
