/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometries of a model, each once. A model shares equal geometry that it made itself, so that pointers tell nearly
 * always; geometry that came from elsewhere is compared by its content. A hash table finds what is there already.
 */
#include "file/geometry_list.h"

#include <string.h>

static int same(const AbutGeometry *a, const AbutGeometry *b) {
    if (a == b) return 1;
    if (a->hash != b->hash || a->kind != b->kind || a->resolution != b->resolution ||
        abut_max_abs(abut_sub(a->size, b->size)) != 0.0 || !a->polyhedron != !b->polyhedron ||
        a->surface != b->surface || a->field != b->field)
        return 0;
    return !a->polyhedron || (a->polyhedron->bytes == b->polyhedron->bytes &&
                                 memcmp(a->polyhedron, b->polyhedron, a->polyhedron->bytes) == 0);
}

/* Numbers of items in a table of a power of two of places, -1 where it is empty. */
static int32_t *make_table(int32_t shapes, size_t *size) {
    *size = 16;
    while (*size < 2 * (size_t)shapes) *size *= 2;
    int32_t *table = abut_alloc_array(*size, sizeof *table);
    for (size_t i = 0; table && i < *size; ++i) table[i] = -1;
    return table;
}

/* The number of a geometry, which joins the list when it is new. */
static int32_t number_of(AbutGeometryList *list, const AbutGeometry *geometry, int32_t *table, size_t size) {
    size_t at = (size_t)geometry->hash & (size - 1);
    while (table[at] >= 0 && !same(list->item[table[at]], geometry)) at = (at + 1) & (size - 1);
    if (table[at] < 0) {
        list->item[list->count] = geometry;
        table[at] = list->count++;
    }
    return table[at];
}

AbutStatus abut_geometry_list_make(const AbutModel *model, AbutGeometryList *out, AbutError *error) {
    size_t size;
    int32_t *table = make_table(model->shape_count, &size);
    out->count = 0;
    out->item = abut_alloc_array((size_t)model->shape_count, sizeof *out->item);
    out->of_shape = abut_alloc_array((size_t)model->shape_count, sizeof *out->of_shape);
    if (!table || !out->item || !out->of_shape) {
        abut_free(table);
        abut_geometry_list_free(out);
        return abut_fail_memory(error);
    }
    for (int32_t i = 0; i < model->shape_count; ++i)
        out->of_shape[i] = number_of(out, model->shapes[i].geometry, table, size);
    abut_free(table);
    return ABUT_OK;
}

void abut_geometry_list_free(AbutGeometryList *list) {
    abut_free((void *)list->item);
    abut_free(list->of_shape);
    memset(list, 0, sizeof *list);
}
