/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tree of boxes: leaves hold the box of an item, inner nodes the box around their two children.
 *
 * Insertion descends where the surface of the boxes grows least (the chance of a query to visit a node goes with its
 * surface). On the way up two kinds of rotation mend the tree: one keeps the heights of two children close, so that no
 * order of insertion gives a deep tree, the other makes boxes smaller. Visiting follows parent links and needs no
 * stack. Trees that grow by the least surface go back to J. Goldsmith and J. Salmon, Automatic creation of object
 * hierarchies for ray tracing, 1987.
 */
#include "shape/box_tree.h"

enum { MAX_LEAN = 3 }; /* largest difference between the heights of two children */

AbutBoxTree abut_box_tree_make(void) {
    AbutBoxTree tree = {NULL, 0, 0, -1, -1};
    return tree;
}

void abut_box_tree_free(AbutBoxTree *tree) {
    abut_free(tree->node);
    *tree = abut_box_tree_make();
}

int abut_box_tree_reserve(AbutBoxTree *tree, int32_t leaves) {
    size_t need = (size_t)tree->places + 2 * (size_t)leaves;
    return abut_grow((void **)&tree->node, &tree->capacity, need, sizeof *tree->node);
}

static AbutAabb around(AbutAabb a, AbutAabb b) {
    AbutAabb box = {abut_min(a.min, b.min), abut_max(a.max, b.max)};
    return box;
}

/* Half the surface. */
static double surface(AbutAabb box) {
    AbutVec3 d = abut_sub(box.max, box.min);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static int32_t take_node(AbutBoxTree *tree) {
    int32_t n = tree->free;
    if (n >= 0)
        tree->free = tree->node[n].parent;
    else
        n = tree->places++;
    return n;
}

static void give_node(AbutBoxTree *tree, int32_t n) {
    tree->node[n].parent = tree->free;
    tree->free = n;
}

static void refresh(AbutBoxNode *node, int32_t n) {
    const AbutBoxNode *a = &node[node[n].child[0]], *b = &node[node[n].child[1]];
    node[n].box = around(a->box, b->box);
    node[n].height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Puts `other` where `n` hangs. */
static void replace(AbutBoxTree *tree, int32_t n, int32_t other) {
    int32_t parent = tree->node[n].parent;
    if (parent < 0)
        tree->root = other;
    else
        tree->node[parent].child[tree->node[parent].child[1] == n] = other;
    tree->node[other].parent = parent;
}

/* How much higher child 1 of n is. */
static int lean_of(const AbutBoxNode *node, int32_t n) {
    return node[node[n].child[1]].height - node[node[n].child[0]].height;
}

/* Where a child of n is too high, it takes the place of n, and n takes its lower child. Gives the node that is on top
 * now. */
static int32_t balance(AbutBoxTree *tree, int32_t n) {
    AbutBoxNode *node = tree->node;
    int lean = lean_of(node, n);
    if (lean >= -MAX_LEAN && lean <= MAX_LEAN) return n;
    int side = lean > 0;
    int32_t up = node[n].child[side];
    int low = lean_of(node, up) < 0; /* which child of `up` is the lower one */
    int32_t moving = node[up].child[low];
    replace(tree, n, up);
    node[up].child[low] = n;
    node[n].parent = up;
    node[n].child[side] = moving;
    node[moving].parent = n;
    refresh(node, n);
    refresh(node, up);
    return up;
}

static int level(const AbutBoxNode *node, int32_t a, int32_t b) {
    int lean = node[a].height - node[b].height;
    return lean >= -MAX_LEAN && lean <= MAX_LEAN;
}

/* Swaps a child of n with a child of its other child where that makes the other child smaller and keeps the heights
 * level. */
static void tighten(AbutBoxNode *node, int32_t n) {
    double best = 0.0;
    int best_side = -1, best_inner = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t stay = node[n].child[side], other = node[n].child[!side];
        if (node[other].item >= 0) continue;
        double now = surface(node[other].box);
        for (int inner = 0; inner < 2; ++inner) { /* `stay` changes places with child `inner` of `other` */
            int32_t out = node[other].child[inner], kept = node[other].child[!inner];
            int height = 1 + (node[stay].height > node[kept].height ? node[stay].height : node[kept].height);
            double gain = now - surface(around(node[stay].box, node[kept].box));
            int lean = height - node[out].height;
            if (gain > best && level(node, stay, kept) && lean >= -MAX_LEAN && lean <= MAX_LEAN) {
                best = gain;
                best_side = side;
                best_inner = inner;
            }
        }
    }
    if (best_side < 0) return;
    int32_t stay = node[n].child[best_side], other = node[n].child[!best_side], out = node[other].child[best_inner];
    node[n].child[best_side] = out;
    node[out].parent = n;
    node[other].child[best_inner] = stay;
    node[stay].parent = other;
    refresh(node, other);
    refresh(node, n);
}

static void climb(AbutBoxTree *tree, int32_t n) {
    while (n >= 0) {
        refresh(tree->node, n);
        n = balance(tree, n);
        tighten(tree->node, n);
        n = tree->node[n].parent;
    }
}

/* The node beside which a leaf with this box costs least. */
static int32_t best_sibling(const AbutBoxTree *tree, AbutAabb box) {
    const AbutBoxNode *node = tree->node;
    int32_t n = tree->root;
    while (node[n].item < 0) {
        double here = surface(node[n].box), grown = surface(around(node[n].box, box));
        double inherited = 2.0 * (grown - here), cost[2];
        for (int i = 0; i < 2; ++i) {
            const AbutBoxNode *child = &node[node[n].child[i]];
            double with = surface(around(child->box, box));
            cost[i] = inherited + (child->item >= 0 ? with : with - surface(child->box));
        }
        if (2.0 * grown < cost[0] && 2.0 * grown < cost[1]) break;
        n = node[n].child[cost[1] < cost[0]];
    }
    return n;
}

int32_t abut_box_tree_insert(AbutBoxTree *tree, AbutAabb box, int32_t item) {
    ABUT_ASSERT(item >= 0);
    int32_t leaf = take_node(tree);
    AbutBoxNode fresh = {box, -1, {-1, -1}, 0, item, 0};
    tree->node[leaf] = fresh;
    if (tree->root < 0) {
        tree->root = leaf;
        return leaf;
    }
    int32_t sibling = best_sibling(tree, box), parent = take_node(tree);
    AbutBoxNode inner = {box, -1, {sibling, leaf}, 1, -1, 0};
    tree->node[parent] = inner;
    replace(tree, sibling, parent);
    tree->node[sibling].parent = tree->node[leaf].parent = parent;
    climb(tree, parent);
    return leaf;
}

void abut_box_tree_remove(AbutBoxTree *tree, int32_t leaf) {
    ABUT_ASSERT(leaf >= 0 && leaf < tree->places && tree->node[leaf].item >= 0);
    int32_t parent = tree->node[leaf].parent;
    give_node(tree, leaf);
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    int32_t sibling = tree->node[parent].child[tree->node[parent].child[0] == leaf];
    replace(tree, parent, sibling);
    give_node(tree, parent);
    climb(tree, tree->node[sibling].parent);
}

/* The next node in order when nothing below n is of interest; -1 at the end. */
static int32_t skip(const AbutBoxNode *node, int32_t n) {
    int32_t parent = node[n].parent;
    while (parent >= 0 && node[parent].child[1] == n) {
        n = parent;
        parent = node[n].parent;
    }
    return parent < 0 ? -1 : node[parent].child[1];
}

/* Question of a visit to each box. */
typedef struct Question {
    AbutAabb box;
    AbutVec3 origin, way, grow;
    const double *limit;
} Question;

typedef int Test(const Question *q, AbutAabb box);

static int overlaps(const Question *q, AbutAabb box) { return abut_aabb_overlap(q->box, box); }

/* Slabs; a way of zero along an axis stays where it is. */
static int meets_ray(const Question *q, AbutAabb box) {
    double from = 0.0, to = *q->limit;
    for (int i = 0; i < 3; ++i) {
        double o = abut_get(q->origin, i), d = abut_get(q->way, i), grow = abut_get(q->grow, i);
        double low = abut_get(box.min, i) - grow - o, high = abut_get(box.max, i) + grow - o;
        if (d == 0.0) {
            if (low > 0.0 || high < 0.0) return 0;
            continue;
        }
        from = abut_larger(from, (d > 0.0 ? low : high) / d);
        to = abut_smaller(to, (d > 0.0 ? high : low) / d);
    }
    return from <= to;
}

static int is_near(const Question *q, AbutAabb box) {
    AbutVec3 out;
    out.x = abut_larger(0.0, abut_larger(box.min.x - q->origin.x, q->origin.x - box.max.x));
    out.y = abut_larger(0.0, abut_larger(box.min.y - q->origin.y, q->origin.y - box.max.y));
    out.z = abut_larger(0.0, abut_larger(box.min.z - q->origin.z, q->origin.z - box.max.z));
    return abut_length(out) <= *q->limit;
}

static int visit_if(const AbutBoxTree *tree, Test *test, const Question *q, AbutBoxVisitor *visit, void *user) {
    const AbutBoxNode *node = tree->node;
    int32_t n = tree->root;
    while (n >= 0) {
        if (!test(q, node[n].box)) {
            n = skip(node, n);
        } else if (node[n].item >= 0) {
            if (!visit(node[n].item, user)) return 0;
            n = skip(node, n);
        } else {
            n = node[n].child[0];
        }
    }
    return 1;
}

int abut_box_tree_visit(const AbutBoxTree *tree, AbutAabb box, AbutBoxVisitor *visit, void *user) {
    Question q = {.box = box};
    return visit_if(tree, overlaps, &q, visit, user);
}

int abut_box_tree_visit_ray(const AbutBoxTree *tree, AbutVec3 origin, AbutVec3 way, AbutVec3 grow, const double *limit,
    AbutBoxVisitor *visit, void *user) {
    Question q = {.origin = origin, .way = way, .grow = grow, .limit = limit};
    return visit_if(tree, meets_ray, &q, visit, user);
}

int abut_box_tree_visit_near(
    const AbutBoxTree *tree, AbutVec3 point, const double *limit, AbutBoxVisitor *visit, void *user) {
    Question q = {.origin = point, .limit = limit};
    return visit_if(tree, is_near, &q, visit, user);
}
