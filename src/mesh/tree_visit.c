/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through one tree, from the most promising child to the least: see AbutTreeVisit. */
#include "mesh/mesh_pair.h"

enum { STACK = 128 }; /* seven to a level of a tree, and one */

typedef struct Entry {
    int32_t node;
    float key;
} Entry;

void abut_tree_visit(AbutTreeVisit *v) {
    const AbutMeshWalk *walk = abut_mesh_walk();
    Entry stack[STACK];
    int top = 0;
    stack[top++] = (Entry){abut_tree_root(v->tree), 0.0F};
    while (top > 0 && !v->done) {
        Entry e = stack[--top];
        AbutMeshBoxes boxes;
        float key[8];
        if (!(e.key <= v->limit)) continue;
        int base = top, count = abut_mesh_node_count(v->tree, e.node);
        walk->boxes(v->tree, e.node, &v->frame, &boxes);
        ++v->nodes;
        for (unsigned lanes = v->rank(v, &boxes, count, key); lanes && !v->done; lanes &= lanes - 1) {
            int i = __builtin_ctz(lanes);
            if (!(key[i] <= v->limit)) continue;
            if (e.node < 0) {
                v->look(v, 8 * ~e.node + i);
                continue;
            }
            int k = top++;
            for (; k > base && stack[k - 1].key < key[i]; --k) stack[k] = stack[k - 1];
            stack[k] = (Entry){abut_tree_inner(v->tree)[e.node].child[i], key[i]};
        }
    }
}
