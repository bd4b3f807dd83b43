/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometries of a model, each once. A model shares equal geometry that it made itself, so that pointers tell nearly
 * always; geometry that came from elsewhere is compared by its content.
 */
#include "file/geometry_list.h"

#include <string.h>

static int same(const AbutGeometry *a, const AbutGeometry *b)
{
    if (a == b)
        return 1;
    if (a->hash != b->hash || a->kind != b->kind || a->resolution != b->resolution ||
        abut_max_abs(abut_sub(a->size, b->size)) != 0.0 || !a->polyhedron != !b->polyhedron || a->surface != b->surface)
        return 0;
    return !a->polyhedron || (a->polyhedron->bytes == b->polyhedron->bytes &&
                                 memcmp(a->polyhedron, b->polyhedron, a->polyhedron->bytes) == 0);
}

AbutStatus abut_geometry_list_make(const AbutModel *model, AbutGeometryList *out, AbutError *error)
{
    out->count = 0;
    out->item = abut_alloc_array((size_t)model->shape_count, sizeof *out->item);
    out->of_shape = abut_alloc_array((size_t)model->shape_count, sizeof *out->of_shape);
    if (!out->item || !out->of_shape) {
        abut_geometry_list_free(out);
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the %d shapes of a model", (int)model->shape_count);
    }
    for (int32_t i = 0; i < model->shape_count; ++i) {
        int32_t k = out->count - 1; /* neighbours are often alike */
        while (k >= 0 && !same(out->item[k], model->shapes[i].geometry))
            --k;
        if (k < 0) {
            k = out->count++;
            out->item[k] = model->shapes[i].geometry;
        }
        out->of_shape[i] = k;
    }
    return ABUT_OK;
}

void abut_geometry_list_free(AbutGeometryList *list)
{
    abut_free((void *)list->item);
    abut_free(list->of_shape);
    memset(list, 0, sizeof *list);
}
