/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tree of boxes over the shapes. Leaves hold the fat box of a shape, inner nodes the box around their two children.
 *
 * Insertion descends where the surface of the boxes grows least (the chance of a query to visit a node goes with its
 * surface). On the way up two kinds of rotation mend the tree: one keeps the heights of two children close, so that no
 * order of insertion gives a deep tree, the other makes boxes smaller. Visiting follows parent links and needs no
 * stack.
 */
#include "scene/parts.h"

enum { MAX_LEAN = 3 }; /* largest difference between the heights of two children */

int abut_tree_reserve(AbutScene *scene, int32_t leaves)
{
    size_t need = (size_t)scene->node_places + 2 * (size_t)leaves;
    return abut_grow((void **)&scene->node, &scene->node_capacity, need, sizeof *scene->node);
}

static AbutAabb around(AbutAabb a, AbutAabb b)
{
    AbutAabb box = {abut_min(a.min, b.min), abut_max(a.max, b.max)};
    return box;
}

/* Half the surface. */
static double surface(AbutAabb box)
{
    AbutVec3 d = abut_sub(box.max, box.min);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static int32_t take_node(AbutScene *scene)
{
    int32_t n = scene->node_free;
    if (n >= 0)
        scene->node_free = scene->node[n].parent;
    else
        n = scene->node_places++;
    return n;
}

static void give_node(AbutScene *scene, int32_t n)
{
    scene->node[n].parent = scene->node_free;
    scene->node_free = n;
}

static void refresh(AbutTreeNode *node, int32_t n)
{
    const AbutTreeNode *a = &node[node[n].child[0]], *b = &node[node[n].child[1]];
    node[n].box = around(a->box, b->box);
    node[n].height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Puts `other` where `n` hangs. */
static void replace(AbutScene *scene, int32_t n, int32_t other)
{
    int32_t parent = scene->node[n].parent;
    if (parent < 0)
        scene->root = other;
    else
        scene->node[parent].child[scene->node[parent].child[1] == n] = other;
    scene->node[other].parent = parent;
}

/* How much higher child 1 of n is. */
static int lean_of(const AbutTreeNode *node, int32_t n)
{
    return node[node[n].child[1]].height - node[node[n].child[0]].height;
}

/* Where a child of n is too high, it takes the place of n, and n takes its lower child. Gives the node that is on top
 * now. */
static int32_t balance(AbutScene *scene, int32_t n)
{
    AbutTreeNode *node = scene->node;
    int lean = lean_of(node, n);
    if (lean >= -MAX_LEAN && lean <= MAX_LEAN)
        return n;
    int side = lean > 0;
    int32_t up = node[n].child[side];
    int low = lean_of(node, up) < 0; /* which child of `up` is the lower one */
    int32_t moving = node[up].child[low];
    replace(scene, n, up);
    node[up].child[low] = n;
    node[n].parent = up;
    node[n].child[side] = moving;
    node[moving].parent = n;
    refresh(node, n);
    refresh(node, up);
    return up;
}

static int level(const AbutTreeNode *node, int32_t a, int32_t b)
{
    int lean = node[a].height - node[b].height;
    return lean >= -MAX_LEAN && lean <= MAX_LEAN;
}

/* Swaps a child of n with a child of its other child where that makes the other child smaller and keeps the heights
 * level. */
static void tighten(AbutTreeNode *node, int32_t n)
{
    double best = 0.0;
    int best_side = -1, best_inner = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t stay = node[n].child[side], other = node[n].child[!side];
        if (node[other].shape >= 0)
            continue;
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
    if (best_side < 0)
        return;
    int32_t stay = node[n].child[best_side], other = node[n].child[!best_side], out = node[other].child[best_inner];
    node[n].child[best_side] = out;
    node[out].parent = n;
    node[other].child[best_inner] = stay;
    node[stay].parent = other;
    refresh(node, other);
    refresh(node, n);
}

static void climb(AbutScene *scene, int32_t n)
{
    while (n >= 0) {
        refresh(scene->node, n);
        n = balance(scene, n);
        tighten(scene->node, n);
        n = scene->node[n].parent;
    }
}

/* The node beside which a leaf with this box costs least. */
static int32_t best_sibling(const AbutScene *scene, AbutAabb box)
{
    const AbutTreeNode *node = scene->node;
    int32_t n = scene->root;
    while (node[n].shape < 0) {
        double here = surface(node[n].box), grown = surface(around(node[n].box, box));
        double inherited = 2.0 * (grown - here), cost[2];
        for (int i = 0; i < 2; ++i) {
            const AbutTreeNode *child = &node[node[n].child[i]];
            double with = surface(around(child->box, box));
            cost[i] = inherited + (child->shape >= 0 ? with : with - surface(child->box));
        }
        if (2.0 * grown < cost[0] && 2.0 * grown < cost[1])
            break;
        n = node[n].child[cost[1] < cost[0]];
    }
    return n;
}

void abut_tree_insert(AbutScene *scene, int32_t shape)
{
    int32_t leaf = take_node(scene);
    AbutTreeNode fresh = {scene->shape[shape].fat, -1, {-1, -1}, 0, shape};
    scene->node[leaf] = fresh;
    scene->shape[shape].node = leaf;
    if (scene->root < 0) {
        scene->root = leaf;
        return;
    }
    int32_t sibling = best_sibling(scene, fresh.box), parent = take_node(scene);
    AbutTreeNode inner = {fresh.box, -1, {sibling, leaf}, 1, -1};
    scene->node[parent] = inner;
    replace(scene, sibling, parent);
    scene->node[sibling].parent = scene->node[leaf].parent = parent;
    climb(scene, parent);
}

void abut_tree_remove(AbutScene *scene, int32_t shape)
{
    int32_t leaf = scene->shape[shape].node, parent = scene->node[leaf].parent;
    scene->shape[shape].node = -1;
    give_node(scene, leaf);
    if (parent < 0) {
        scene->root = -1;
        return;
    }
    int32_t sibling = scene->node[parent].child[scene->node[parent].child[0] == leaf];
    replace(scene, parent, sibling);
    give_node(scene, parent);
    climb(scene, scene->node[sibling].parent);
}

/* The next node in order when nothing below n is of interest; -1 at the end. */
static int32_t skip(const AbutTreeNode *node, int32_t n)
{
    int32_t parent = node[n].parent;
    while (parent >= 0 && node[parent].child[1] == n) {
        n = parent;
        parent = node[n].parent;
    }
    return parent < 0 ? -1 : node[parent].child[1];
}

void abut_scene_visit(const AbutScene *scene, AbutAabb box, AbutSceneVisitor *visit, void *user)
{
    const AbutTreeNode *node = scene->node;
    int32_t n = scene->root;
    while (n >= 0) {
        if (!abut_aabb_overlap(node[n].box, box)) {
            n = skip(node, n);
        } else if (node[n].shape >= 0) {
            if (!visit(node[n].shape, user))
                return;
            n = skip(node, n);
        } else {
            n = node[n].child[0];
        }
    }
    for (int32_t i = 0; i < scene->plane_count; ++i)
        if (abut_shape_reaches(scene, &scene->shape[scene->plane[i]], box) && !visit(scene->plane[i], user))
            return;
}
