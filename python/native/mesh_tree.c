/* SPDX-License-Identifier: Apache-2.0 */
/* Needed by queries beside the triangles of a mesh: the tree over them, and for depths a core. Each is made by the
 * first question that needs it; two threads may come at once, and the first to be done wins. */
#include <string.h>

#include "bodies.h"
#include "interrupt.h"

/* A tree that is being made, which may outlive the call of Python. */
typedef struct Growing {
    MeshObject *mesh;
    AbutMeshTree *tree;
    AbutMeshCore *core;
    AbutStatus status;
    AbutError error;
} Growing;

static void free_growing(void *user) {
    Growing *x = user;
    abut_mesh_tree_free(x->tree);
    abut_free(x->core);
    Py_DECREF((PyObject *)x->mesh);
    abut_free(x);
}

static Growing *open_growing(MeshObject *mesh) {
    Growing *x = abut_alloc(sizeof *x);
    if (!x) return (Growing *)PyErr_NoMemory();
    memset(x, 0, sizeof *x);
    x->mesh = (MeshObject *)Py_NewRef((PyObject *)mesh);
    return x;
}

static void grow_tree(void *user) {
    Growing *x = user;
    x->status = abut_mesh_tree_create(&x->mesh->mesh, 1, &x->tree, &x->error);
}

const AbutMeshTree *mesh_tree(MeshObject *self) {
    if (self->tree) return self->tree;
    Growing *x = open_growing(self);
    if (!x || run_or_leave(grow_tree, free_growing, x, NULL) != 0) return NULL;
    if (x->status != ABUT_OK)
        raise_error(&x->error);
    else if (!self->tree)
        self->tree = x->tree, x->tree = NULL;
    free_growing(x);
    return self->tree;
}

static void grow_core(void *user) {
    Growing *x = user;
    *x->core = abut_mesh_core(x->mesh->tree);
}

const AbutMeshCore *mesh_core(MeshObject *self) {
    if (!mesh_tree(self) || self->core) return self->core;
    Growing *x = open_growing(self);
    if (!x) return NULL;
    x->core = abut_alloc(sizeof *x->core);
    if (!x->core) return free_growing(x), PyErr_NoMemory(), NULL;
    if (run_or_leave(grow_core, free_growing, x, NULL) != 0) return NULL;
    if (!self->core) self->core = x->core, x->core = NULL;
    free_growing(x);
    return self->core;
}
