/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/qhull_oracle.h"

#ifdef ABUT_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>

#include <stdlib.h>
#include <string.h>

static void read_answer(qhT *qh, int count, QhullAnswer *answer, unsigned char *is_vertex) {
    vertexT *vertex;
    qh_getarea(qh, qh->facet_list);
    answer->volume = qh->totvol;
    answer->area = qh->totarea;
    answer->vertex_count = 0;
    if (is_vertex) memset(is_vertex, 0, (size_t)count);
    FORALLvertices {
        int at = qh_pointid(qh, vertex->point);
        ++answer->vertex_count;
        if (is_vertex && at >= 0 && at < count) is_vertex[at] = 1;
    }
}

int qhull_oracle(const AbutVec3 *points, int count, QhullAnswer *answer, unsigned char *is_vertex) {
    char options[] = "qhull Qt";
    qhT memory, *qh = &memory;
    FILE *quiet = fopen("/dev/null", "w");
    coordT *copy = malloc((size_t)count * 3 * sizeof *copy);
    int answered = 0, short_left, short_bytes;
    if (copy && quiet) {
        for (int i = 0; i < count; ++i) {
            copy[3 * i] = points[i].x;
            copy[3 * i + 1] = points[i].y;
            copy[3 * i + 2] = points[i].z;
        }
        qh_zero(qh, quiet);
        answered = qh_new_qhull(qh, 3, count, copy, 0, options, NULL, quiet) == 0;
        if (answered) read_answer(qh, count, answer, is_vertex);
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &short_left, &short_bytes);
    }
    free(copy);
    if (quiet) fclose(quiet);
    return answered;
}
#else
int qhull_oracle(const AbutVec3 *points, int count, QhullAnswer *answer, unsigned char *is_vertex) {
    (void)points, (void)count, (void)answer, (void)is_vertex;
    return -1;
}
#endif
