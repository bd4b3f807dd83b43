/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of boxes against all boxes by brute force, while items come, go and move; its form stays sound and shallow.
 */
#include "support/check.h"

#include "shape/box_tree.h"

enum { ITEMS = 300 };

static AbutAabb random_box(AbutRng *rng) {
    AbutVec3 p = abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1));
    AbutVec3 d = abut_vec3(abut_rng_between(rng, 0, 0.6), abut_rng_between(rng, 0, 0.6), abut_rng_between(rng, 0, 0.6));
    AbutAabb box = {p, abut_add(p, d)};
    return box;
}

/* Links, heights and boxes below n; gives the number of leaves. */
static int check_below(const AbutBoxTree *tree, int32_t n, int32_t parent) {
    const AbutBoxNode *node = &tree->node[n];
    CHECK(node->parent == parent);
    if (node->item >= 0) {
        CHECK(node->height == 0);
        return 1;
    }
    const AbutBoxNode *a = &tree->node[node->child[0]], *b = &tree->node[node->child[1]];
    CHECK(node->height == 1 + (a->height > b->height ? a->height : b->height));
    CHECK(abs(a->height - b->height) <= 4);
    CHECK_VEC_NEAR(node->box.min, abut_min(a->box.min, b->box.min), 0);
    CHECK_VEC_NEAR(node->box.max, abut_max(a->box.max, b->box.max), 0);
    return check_below(tree, node->child[0], n) + check_below(tree, node->child[1], n);
}

typedef struct Found {
    int seen[ITEMS], count, limit;
} Found;

static int note(int32_t item, void *user) {
    Found *found = user;
    ++found->seen[item];
    return ++found->count < found->limit;
}

static void tree_finds_what_brute_force_finds(void **state) {
    (void)state;
    AbutRng rng = abut_rng(17, 4);
    AbutBoxTree tree = abut_box_tree_make();
    static AbutAabb box[ITEMS];
    static int32_t leaf[ITEMS];
    int live = 0, hits = 0, rounds = check_cases(4000);
    assert_true(abut_box_tree_reserve(&tree, ITEMS));
    for (; live < ITEMS; ++live) {
        box[live] = random_box(&rng);
        leaf[live] = abut_box_tree_insert(&tree, box[live], live);
    }
    for (int round = 0; round < rounds; ++round) {
        int i = (int)abut_rng_below(&rng, ITEMS);
        if (leaf[i] >= 0) {
            abut_box_tree_remove(&tree, leaf[i]);
            leaf[i] = -1;
            --live;
        }
        if (abut_rng_below(&rng, 4) != 0) {
            box[i] = random_box(&rng);
            assert_true(abut_box_tree_reserve(&tree, 1));
            leaf[i] = abut_box_tree_insert(&tree, box[i], i);
            assert_int_equal(tree.node[leaf[i]].item, i);
            ++live;
        }
        assert_int_equal(tree.root < 0 ? 0 : check_below(&tree, tree.root, -1), live);
        Found found = {.limit = ITEMS + 1};
        AbutAabb ask = random_box(&rng);
        assert_int_equal(abut_box_tree_visit(&tree, ask, note, &found), 1);
        for (int k = 0; k < ITEMS; ++k) {
            int expected = leaf[k] >= 0 && abut_aabb_overlap(box[k], ask);
            assert_int_equal(found.seen[k], expected);
            hits += expected;
        }
    }
    assert_true(hits > rounds);
    CHECK(tree.places <= 2 * ITEMS);
    abut_box_tree_free(&tree);
}

static void visiting_stops_when_told(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 3);
    AbutBoxTree tree = abut_box_tree_make();
    AbutAabb all = {{-2, -2, -2}, {2, 2, 2}};
    Found found = {.limit = 5};
    assert_int_equal(abut_box_tree_visit(&tree, all, note, &found), 1); /* an empty tree */
    for (int i = 0; i < 20; ++i) {
        assert_true(abut_box_tree_reserve(&tree, 1));
        abut_box_tree_insert(&tree, random_box(&rng), i);
    }
    assert_int_equal(abut_box_tree_visit(&tree, all, note, &found), 0);
    assert_int_equal(found.count, 5);
    abut_box_tree_free(&tree);
    assert_int_equal(tree.root, -1);
}

/* Boxes added along a line, the worst order for a tree, stay shallow. */
static void tree_stays_shallow(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    AbutBoxTree tree = abut_box_tree_make();
    for (int i = 0; i < COUNT; ++i) {
        AbutAabb box = {{i, 0, 0}, {i + 0.5, 1, 1}};
        assert_true(abut_box_tree_reserve(&tree, 1));
        abut_box_tree_insert(&tree, box, i);
    }
    CHECK(tree.node[tree.root].height <= 2.0 * log2(COUNT) + 2.0);
    abut_box_tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_finds_what_brute_force_finds),
        cmocka_unit_test(visiting_stops_when_told),
        cmocka_unit_test(tree_stays_shallow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
