/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signed convolution of two meshes as a mesh. In: two placed meshes, a ball. Out: the facets that may come into the
 * ball, cut into triangles, each as often as its multiplicity says and turned over where that is negative. Vertices are
 * pairs of vertices, so that neighboring facets share them; of all facets each edge is run along as often one way as
 * the other. Method: the facets are walked through three times, to count, to list the pairs, and to write.
 */
#include "literature/minkowski/convolution.h"

#include <stdlib.h>

typedef struct Chain {
    const AbutConvolution *c;
    int64_t triangles, corners; /* so far */
    int64_t *pair;              /* a times the vertices of B and b, in order once they are sorted; NULL: count alone */
    int64_t pairs;
    AbutTriangle *out;
} Chain;

static int64_t pair_of(const Chain *chain, const AbutFacetCorner *corner) {
    return (int64_t)corner->a * chain->c->b.vertex_count + corner->b;
}

static void count_facet(const AbutFacet *facet, void *user) {
    Chain *chain = user;
    int corners = facet->kind == ABUT_FACET_EDGES ? 4 : 3;
    chain->corners += corners;
    chain->triangles += (int64_t)abs(facet->sign) * (corners - 2);
}

static void list_pairs(const AbutFacet *facet, void *user) {
    Chain *chain = user;
    AbutFacetCorner corner[4];
    int count = abut_facet_corners(chain->c, facet, corner);
    for (int k = 0; k < count; ++k) chain->pair[chain->pairs++] = pair_of(chain, &corner[k]);
}

static int compare(const void *x, const void *y) {
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* In order, each once. */
static void sort_pairs(Chain *chain) {
    int64_t kept = 0;
    qsort(chain->pair, (size_t)chain->pairs, sizeof *chain->pair, compare);
    for (int64_t i = 0; i < chain->pairs; ++i)
        if (i == 0 || chain->pair[i] != chain->pair[i - 1]) chain->pair[kept++] = chain->pair[i];
    chain->pairs = kept;
}

static int32_t vertex_of(const Chain *chain, const AbutFacetCorner *corner) {
    int64_t key = pair_of(chain, corner);
    const int64_t *found = bsearch(&key, chain->pair, (size_t)chain->pairs, sizeof key, compare);
    ABUT_ASSERT(found);
    return (int32_t)(found - chain->pair);
}

static void write_facet(const AbutFacet *facet, void *user) {
    Chain *chain = user;
    AbutFacetCorner corner[4];
    int count = abut_facet_corners(chain->c, facet, corner), over = facet->sign < 0;
    for (int i = 0; i < abs(facet->sign); ++i)
        for (int k = 2; k < count; ++k) {
            AbutTriangle t = {{vertex_of(chain, &corner[0]), vertex_of(chain, &corner[over ? k : k - 1]),
                vertex_of(chain, &corner[over ? k - 1 : k])}};
            chain->out[chain->triangles++] = t;
        }
}

static void write_vertices(const Chain *chain, AbutVec3 *out) {
    int32_t of_b = chain->c->b.vertex_count;
    for (int64_t i = 0; i < chain->pairs; ++i)
        out[i] = abut_sub(chain->c->a.vertex[chain->pair[i] / of_b], chain->c->b_vertex[chain->pair[i] % of_b]);
}

static AbutStatus write_chain(Chain *chain, AbutVec3 center, double radius, AbutMesh *out, AbutError *error) {
    abut_convolution_facets(chain->c, center, radius, 1, list_pairs, chain);
    sort_pairs(chain);
    AbutStatus status = abut_mesh_create((int)chain->pairs, (int)chain->triangles, out, error);
    if (status != ABUT_OK) return status;
    write_vertices(chain, out->vertices);
    chain->triangles = 0;
    chain->out = out->triangles;
    abut_convolution_facets(chain->c, center, radius, 1, write_facet, chain);
    return ABUT_OK;
}

AbutStatus abut_convolution_mesh(
    const AbutConvolution *c, AbutVec3 center, double radius, AbutMesh *out, AbutError *error) {
    Chain chain = {.c = c};
    abut_convolution_facets(c, center, radius, 1, count_facet, &chain);
    if (chain.triangles == 0) return abut_fail(error, ABUT_ERROR_EMPTY, "convolution: no facet comes into the ball");
    if (chain.triangles > ABUT_MESH_TREE_MAX_TRIANGLES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "convolution: too many triangles");
    chain.pair = abut_alloc_array((size_t)chain.corners, sizeof *chain.pair);
    AbutStatus status = chain.pair ? write_chain(&chain, center, radius, out, error) : abut_fail_memory(error);
    abut_free(chain.pair);
    return status;
}
