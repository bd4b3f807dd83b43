/* SPDX-License-Identifier: Apache-2.0 */
/* scene: the tree and the pairs against all pairs by brute force, under motion, removal and changes of rules; 10,000
 * bodies. */
#include "scene/internal.h"
#include "scene/scene_support.h"

#include <string.h>

/* Lowest point of the true shape over the plane, or signed distance of two shapes. */
static double true_distance(const AbutScene *scene, const AbutShape *a, const AbutShape *b) {
    if (!a->polyhedron || !b->polyhedron) {
        const AbutShape *ground = a->polyhedron ? b : a, *body = a->polyhedron ? a : b;
        AbutPlane plane = abut_shape_plane(scene, ground);
        AbutPose pose = abut_shape_pose(scene, body);
        double lowest = INFINITY;
        for (int32_t i = 0; i < body->polyhedron->vertex_count; ++i)
            lowest = abut_smaller(
                lowest, abut_dot(plane.normal, abut_pose_apply(pose, abut_polyhedron_vertices(body->polyhedron)[i])) -
                            plane.offset);
        return lowest;
    }
    AbutConvex ca = abut_convex_polyhedron(a->polyhedron, 0), cb = abut_convex_polyhedron(b->polyhedron, 0);
    AbutPose between = abut_pose_between(abut_shape_pose(scene, a), abut_shape_pose(scene, b));
    return abut_convex_distance(&ca, &cb, between, NULL, NULL).distance;
}

static int fat_meet(const AbutScene *scene, const AbutShape *a, const AbutShape *b) {
    if (a->polyhedron && b->polyhedron) return abut_aabb_overlap(a->fat, b->fat);
    if (!a->polyhedron && !b->polyhedron) return 0;
    return abut_shape_reaches(scene, a->polyhedron ? b : a, a->polyhedron ? a->fat : b->fat);
}

/* Links, heights and boxes of the tree; gives the number of leaves. */
static int check_tree(const AbutScene *scene, int32_t n, int32_t parent) {
    const AbutBoxNode *node = &scene->tree.node[n];
    CHECK(node->parent == parent);
    if (node->item >= 0) {
        CHECK(scene->shape[node->item].node == n && scene->shape[node->item].alive && node->height == 0);
        CHECK(memcmp(&node->box, &scene->shape[node->item].fat, sizeof node->box) == 0);
        return 1;
    }
    const AbutBoxNode *a = &scene->tree.node[node->child[0]], *b = &scene->tree.node[node->child[1]];
    CHECK(node->height == 1 + (a->height > b->height ? a->height : b->height));
    for (int i = 0; i < 3; ++i) {
        CHECK(abut_get(node->box.min, i) == abut_smaller(abut_get(a->box.min, i), abut_get(b->box.min, i)));
        CHECK(abut_get(node->box.max, i) == abut_larger(abut_get(a->box.max, i), abut_get(b->box.max, i)));
    }
    return check_tree(scene, node->child[0], n) + check_tree(scene, node->child[1], n);
}

typedef struct Tally {
    int meeting, near, steps;
} Tally;

/* The pool holds exactly the pairs whose fat boxes meet and which may, and every pair of shapes that truly meet. */
static void check_pairs(const AbutScene *scene, Tally *tally) {
    int expected = 0, leaves = 0;
    for (int32_t a = 0; a < scene->shape_places; ++a) {
        if (!scene->shape[a].alive) continue;
        leaves += scene->shape[a].polyhedron != NULL;
        for (int32_t b = a + 1; b < scene->shape_places; ++b) {
            const AbutShape *sa = &scene->shape[a], *sb = &scene->shape[b];
            if (!sb->alive || !abut_scene_may_meet(scene, a, b)) continue;
            int meet = fat_meet(scene, sa, sb), pair = abut_scene_find_pair(scene, a, b, -1);
            CHECK(meet == (pair >= 0));
            if (pair >= 0) CHECK(scene->pair[pair].alive && scene->pair[pair].a == a && scene->pair[pair].b == b);
            expected += meet;
            if (!meet || tally->steps % 8 == 0) {
                double distance = true_distance(scene, sa, sb);
                CHECK(meet || distance > 2.0 * scene->margin);
                tally->meeting += distance <= 0.0;
            }
        }
    }
    assert_int_equal(live_pairs(scene), expected);
    assert_int_equal(scene->tree.root < 0 ? 0 : check_tree(scene, scene->tree.root, -1), leaves);
    tally->near += expected;
    ++tally->steps;
}

static void random_body(AbutScene *scene, AbutRng *rng) {
    AbutShapeDef def = abut_shape_default();
    AbutVec3 p = abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1), abut_rng_between(rng, 0, 2));
    AbutBodyKind kind = abut_rng_below(rng, 8) ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    AbutBodyId id = add_body(scene, kind, abut_pose(p, abut_random_quat(rng)));
    int parts = 1 + (int)abut_rng_below(rng, 2);
    for (int i = 0; i < parts; ++i) {
        def.form.kind = (AbutShapeKind)abut_rng_below(rng, ABUT_SHAPE_POLYHEDRON);
        def.form.resolution = 8;
        def.form.size = abut_vec3(
            abut_rng_between(rng, 0.05, 0.2), abut_rng_between(rng, 0.05, 0.2), abut_rng_between(rng, 0.05, 0.2));
        def.pose = abut_pose(abut_scale(abut_random_direction(rng), 0.1), abut_random_quat(rng));
        def.category = 1u << abut_rng_below(rng, 3);
        def.mask = abut_rng_below(rng, 4) ? UINT32_MAX : 1u;
        add_shape(scene, id, &def);
    }
}

/* Bodies that the updates leave out, until the scene disturbs them: what a simulation calls asleep. */
typedef struct Sleepers {
    uint8_t still[256];
    uint32_t seen[256], generation[256];
} Sleepers;

static void wake_disturbed(Sleepers *s, const AbutScene *scene) {
    CHECK(scene->body_places <= 256);
    for (int32_t i = 0; i < scene->body_places; ++i) {
        const AbutBody *body = &scene->body[i];
        if (!body->alive || s->seen[i] != body->disturbed || s->generation[i] != body->generation) s->still[i] = 0;
        s->seen[i] = body->disturbed;
        s->generation[i] = body->generation;
    }
}

static void move_bodies(AbutScene *scene, AbutRng *rng, const uint8_t *still, double dt) {
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *body = &scene->body[i];
        if (!body->alive || body->kind == ABUT_BODY_STATIC || (still && still[i])) continue;
        body->x = abut_add_scaled(body->x, body->v, dt);
        body->q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(body->w, dt)), body->q));
        abut_body_moved(body);
        if (abut_max_abs(body->x) > 1.5 || abut_rng_below(rng, 10) == 0) {
            body->v = abut_sub(abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0, 5)), body->x);
            body->w = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0, 20));
        }
    }
}

static void random_change(AbutScene *scene, AbutRng *rng, Sleepers *sleepers) {
    int count = abut_scene_body_count(scene);
    AbutBodyId a = abut_scene_body_at(scene, (int)abut_rng_below(rng, (uint32_t)count));
    AbutBodyId b = abut_scene_body_at(scene, (int)abut_rng_below(rng, (uint32_t)count));
    AbutPose pose = abut_pose(abut_random_direction(rng), abut_random_quat(rng));
    switch (abut_rng_below(rng, 6)) {
    case 0:
        if (count > 20) assert_int_equal(abut_scene_remove_body(scene, a, NULL), ABUT_OK);
        break;
    case 1:
        random_body(scene, rng);
        break;
    case 2:
        assert_int_equal(abut_scene_exclude(scene, a, b, NULL), ABUT_OK);
        break;
    case 3:
        assert_int_equal(abut_scene_set_pose(scene, a, pose, NULL), ABUT_OK);
        break;
    case 4:
        sleepers->still[abut_scene_body_place(scene, a)] ^= 1;
        break;
    default:
        break;
    }
}

static void pairs_agree_with_brute_force(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 0);
    Tally tally = {0, 0, 0};
    int cases = check_cases(30);
    for (int c = 0; c < cases; ++c) {
        AbutScene *scene = new_scene();
        AbutShapeDef plane = abut_shape_default();
        AbutBodyId ground =
            add_body(scene, ABUT_BODY_STATIC, abut_pose(abut_zero(), abut_quat_axis_angle(abut_axis(1), 0.3)));
        AbutBodyId lift = add_body(scene, ABUT_BODY_KINEMATIC, at(0, 0, -0.5));
        plane.form.kind = ABUT_SHAPE_HALF_SPACE;
        add_shape(scene, ground, &plane);
        for (int i = 0; i < 30; ++i) random_body(scene, &rng);
        add_shape(scene, lift, &plane);
        Sleepers sleepers = {{0}, {0}, {0}};
        double margin = c % 3 ? 1e-3 : 0.0, fatten = c % 4 ? 0.02 : 0.0;
        for (int step = 0; step < 60; ++step) {
            wake_disturbed(&sleepers, scene);
            assert_int_equal(
                abut_scene_update_bounds(scene, step < 30 ? margin : 2e-3, fatten, 5e-3, sleepers.still), ABUT_OK);
            assert_int_equal(abut_scene_update_pairs(scene), ABUT_OK);
            check_pairs(scene, &tally);
            random_change(scene, &rng, &sleepers); /* who is put to sleep stays where the last update saw it */
            wake_disturbed(&sleepers, scene);
            move_bodies(scene, &rng, sleepers.still, 5e-3);
        }
        abut_scene_free(scene);
    }
    CHECK(tally.meeting > 50 * cases && tally.near > 1000 * cases);
}

/* Between two updates no two bodies meet that were not a pair: the fat boxes cover the way of the step. */
static void fast_bodies_are_seen_in_time(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutBodyId bullet = add_box(scene, ABUT_BODY_DYNAMIC, at(-10, 0, 0), abut_vec3(0.05, 0.05, 0.05));
    add_box(scene, ABUT_BODY_STATIC, at(0, 0, 0), abut_vec3(0.0005, 1, 1));
    AbutBody *body = &scene->body[abut_scene_body_place(scene, bullet)];
    int seen = 0, passed = 0;
    body->v = abut_vec3(300, 0, 0);
    for (int step = 0; step < 80; ++step) {
        update(scene, 0, 0.02, 1e-3);
        int before = body->x.x < 0;
        body->x.x += 0.3;
        if (before && body->x.x >= 0) {
            passed = 1;
            seen = live_pairs(scene) == 1;
        }
    }
    CHECK(passed && seen);
    assert_int_equal(live_pairs(scene), 0);
    body->v = abut_zero();
    update(scene, 0, 0.02, 1e-3);
    AbutVec3 size = abut_sub(scene->shape[0].fat.max, scene->shape[0].fat.min);
    CHECK(size.x < 0.2); /* the fat box of a body that has stopped is small again */
    abut_scene_free(scene);
}

static AbutShapeId box_with(AbutScene *scene, AbutBodyId body, double friction, double kinetic, double restitution) {
    AbutShapeDef def = abut_shape_default();
    def.material.friction = friction;
    def.material.friction_kinetic = kinetic;
    def.material.restitution = restitution;
    return add_shape(scene, body, &def);
}

static void materials_combine(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutBodyId a = add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0)),
               b = add_body(scene, ABUT_BODY_DYNAMIC, at(0.5, 0, 0));
    AbutShapeId sa = box_with(scene, a, 0.8, 0.3, 0.0), sb = box_with(scene, b, 0.5, -1, 0.4), stale = {1, 9};
    update(scene, 0, 0.01, 1e-3);
    const AbutScenePair *pair = &scene->pair[0];
    CHECK(pair->friction == 0.8 && pair->friction_kinetic == 0.3 && pair->restitution == 0.4);
    assert_int_equal(abut_scene_set_pair_friction(scene, sb, sa, 0.2, -1, NULL), ABUT_OK);
    CHECK(pair->friction == 0.2 && pair->friction_kinetic == 0.2 && pair->restitution == 0.4);
    assert_int_equal(abut_scene_set_pair_friction(scene, sa, sb, 0.25, 0.1, NULL), ABUT_OK);
    CHECK(scene->pair_rule_count == 1 && pair->friction == 0.25 && pair->friction_kinetic == 0.1);
    assert_int_equal(abut_scene_set_pair_friction(scene, sa, sb, -0.25, 0.1, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_pair_friction(scene, sa, sb, 0.25, 0.3, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_pair_friction(scene, sa, stale, 0.25, 0.2, NULL), ABUT_ERROR_ARGUMENT);

    AbutPairDef law = abut_pair_default();
    law.restitution = 0.1, law.friction_rolling = 2e-4, law.margin = 1e-3;
    uint32_t revision = scene->revision;
    assert_int_equal(abut_scene_set_pair(scene, sb, sa, &law, NULL), ABUT_OK); /* what it leaves open is the shapes' */
    CHECK(pair->friction == 0.8 && pair->friction_kinetic == 0.3 && pair->restitution == 0.1);
    CHECK(pair->friction_rolling == 2e-4 && pair->friction_spinning == 0.0 && pair->margin == 1e-3);
    CHECK(scene->revision != revision && abut_scene_pair_margin(scene, 1, 0) == 1e-3);
    assert_int_equal(abut_scene_set_pair_friction(scene, sa, sb, 0.25, 0.1, NULL), ABUT_OK); /* the rest stays */
    CHECK(pair->friction == 0.25 && pair->restitution == 0.1 && pair->margin == 1e-3);
    scene->pair[0].margin = 7.0, scene->pair[0].friction = 7.0;
    CHECK(abut_scene_renew_pairs(scene) == 1 && abut_scene_renew_pairs(scene) == 0);
    CHECK(pair->friction == 0.25 && pair->margin == 1e-3);
    const struct {
        double *field, value;
    } bad[] = {{&law.margin, -1e-3}, {&law.margin, (double)NAN}, {&law.margin, (double)INFINITY},
        {&law.restitution, 1.5}, {&law.restitution, (double)NAN}, {&law.friction, (double)NAN},
        {&law.friction_kinetic, 0.5}, {&law.friction_rolling, (double)INFINITY}, {&law.friction_spinning, (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        double was = *bad[i].field;
        AbutError error;
        *bad[i].field = bad[i].value;
        assert_int_equal(abut_scene_set_pair(scene, sa, sb, &law, &error), ABUT_ERROR_ARGUMENT);
        CHECK(strstr(error.text, "pair") && pair->margin == 1e-3 && pair->friction == 0.25);
        *bad[i].field = was;
    }
    assert_int_equal(abut_scene_set_pair(scene, sa, stale, &law, NULL), ABUT_ERROR_ARGUMENT);

    uint32_t serial = pair->serial; /* parted and met again: another serial, the same rule */
    assert_int_equal(abut_scene_set_pose(scene, b, at(5, 0, 0), NULL), ABUT_OK);
    update(scene, 0, 0.01, 1e-3);
    assert_int_equal(live_pairs(scene), 0);
    assert_int_equal(abut_scene_set_pose(scene, b, at(0.5, 0, 0), NULL), ABUT_OK);
    update(scene, 0, 0.01, 1e-3);
    CHECK(scene->pair[0].alive && scene->pair[0].serial != serial && scene->pair[0].friction == 0.25);

    uint32_t disturbed = scene->body[0].disturbed;
    assert_int_equal(abut_scene_remove_body(scene, b, NULL), ABUT_OK); /* what slept on it wakes, its rules go */
    CHECK(scene->body[0].disturbed != disturbed && live_pairs(scene) == 0 && scene->pair_rule_count == 0);
    abut_scene_free(scene);
}

/* Friction of all kinds is that of the shape with the higher priority, in either order; restitution is not. */
static void priority_decides_friction(void **state) {
    (void)state;
    for (int k = 0; k < 4; ++k) {
        AbutScene *scene = new_scene();
        AbutShapeDef def = abut_shape_default();
        AbutMaterial slick = {
            .friction = 0.1, .friction_kinetic = -1.0, .restitution = 0.3, .friction_spinning = 0.001};
        AbutMaterial rough = {.friction = 0.8, .friction_kinetic = 0.7, .restitution = 0.2, .friction_rolling = 0.002};
        for (int i = 0; i < 2; ++i) {
            int is_slick = i == k % 2;
            def.material = is_slick ? slick : rough;
            def.priority = k < 2 ? (is_slick ? -1 : -2) : 5;
            add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(0.5 * i, 0, 0)), &def);
        }
        update(scene, 0, 0.01, 1e-3);
        const AbutScenePair *pair = &scene->pair[0];
        CHECK(pair->friction == (k < 2 ? 0.1 : 0.8) && pair->friction_kinetic == (k < 2 ? 0.1 : 0.7));
        CHECK(pair->friction_spinning == 0.001 && pair->friction_rolling == (k < 2 ? 0.0 : 0.002));
        CHECK(pair->restitution == 0.3);
        abut_scene_free(scene);
    }
}

static void rules_decide_who_meets(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutVec3 half = abut_vec3(0.5, 0.5, 0.5);
    AbutBodyId a = add_box(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0), half),
               b = add_box(scene, ABUT_BODY_DYNAMIC, at(0.1, 0, 0), half);
    AbutBodyId s = add_box(scene, ABUT_BODY_STATIC, at(0.2, 0, 0), half),
               k = add_box(scene, ABUT_BODY_KINEMATIC, at(0.3, 0, 0), half);
    AbutBodyId null = {0, 0};
    update(scene, 0, 0.01, 1e-3);
    assert_int_equal(live_pairs(scene), 5); /* all but static with kinematic */
    uint32_t disturbed[2] = {scene->body[0].disturbed, scene->body[1].disturbed};
    assert_int_equal(abut_scene_exclude(scene, b, a, NULL), ABUT_OK);
    assert_int_equal(abut_scene_exclude(scene, a, b, NULL), ABUT_OK);
    assert_int_equal(abut_scene_exclude(scene, a, a, NULL), ABUT_OK);
    assert_int_equal(abut_scene_exclude(scene, a, null, NULL), ABUT_ERROR_ARGUMENT);
    CHECK(scene->body[0].disturbed != disturbed[0] && scene->body[1].disturbed != disturbed[1]);
    assert_int_equal(live_pairs(scene), 4);
    assert_int_equal(scene->excluded_count, 1);
    assert_int_equal(abut_scene_set_pose(scene, a, at(0, 0.1, 0), NULL), ABUT_OK);
    update(scene, 0, 0.01, 1e-3);
    assert_int_equal(live_pairs(scene), 4);
    assert_int_equal(abut_scene_remove_body(scene, a, NULL), ABUT_OK);
    assert_int_equal(scene->excluded_count, 0);
    add_box(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0), half); /* takes the place, not the exclusion */
    update(scene, 0, 0.01, 1e-3);
    assert_int_equal(live_pairs(scene), 5);
    (void)s;
    (void)k;
    abut_scene_free(scene);
}

/* The same history gives the same pool; ten thousand bodies at rest change nothing. */
static void many_bodies(void **state) {
    (void)state;
    uint64_t hash[2];
    int count = check_cases(10000);
    for (int run = 0; run < 2; ++run) {
        AbutScene *scene = new_scene();
        AbutRng rng = abut_rng(5, 0);
        double width = 0.12 * cbrt(count);
        for (int i = 0; i < count; ++i)
            add_box(scene, ABUT_BODY_DYNAMIC,
                abut_pose(abut_vec3(abut_rng_between(&rng, 0, width), abut_rng_between(&rng, 0, width),
                              abut_rng_between(&rng, 0, width)),
                    abut_random_quat(&rng)),
                abut_vec3(0.05, 0.04, 0.03));
        for (int step = 0; step < 20; ++step) {
            update(scene, 1e-4, 0.01, 1e-3);
            move_bodies(scene, &rng, NULL, 1e-3);
        }
        for (int32_t i = 0; i < scene->body_places; ++i) scene->body[i].v = scene->body[i].w = abut_zero();
        for (int step = 0; step < 5; ++step) /* the first shrinks what was fat for its speed */
            update(scene, 1e-4, 0.01, 1e-3);
        uint32_t serial = scene->pair_serial;
        assert_int_equal(abut_scene_update_bounds(scene, 1e-4, 0.01, 1e-3, NULL), ABUT_OK);
        assert_int_equal(scene->moved_count, 0);
        assert_int_equal(abut_scene_update_pairs(scene), ABUT_OK);
        CHECK(scene->pair_serial == serial && live_pairs(scene) > count / 2);
        assert_int_equal(check_tree(scene, scene->tree.root, -1), count);
        CHECK(scene->tree.node[scene->tree.root].height <= 2.0 * log2(count) + 2.0);
        hash[run] = 0;
        for (int32_t i = 0; i < scene->pair_places; ++i) {
            int32_t key[3] = {scene->pair[i].alive, scene->pair[i].a, scene->pair[i].b};
            hash[run] = abut_hash(key, sizeof key, hash[run]);
        }
        abut_scene_free(scene);
    }
    CHECK(hash[0] == hash[1]);
}

/* Boxes added along a line, the worst order for a tree, stay shallow; and a body with NaN does no harm. */
static void tree_stays_shallow(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    int count = check_cases(5000);
    for (int i = 0; i < count; ++i) add_box(scene, ABUT_BODY_DYNAMIC, at(i, 0, 0), abut_vec3(0.5, 0.5, 0.5));
    CHECK(scene->tree.node[scene->tree.root].height <= 2.0 * log2(count) + 2.0);
    scene->body[0].x = abut_vec3(NAN, NAN, NAN);
    update(scene, 0, 0.01, 1e-3);
    update(scene, 0, 0.01, 1e-3);
    CHECK(live_pairs(scene) >= count - 3);
    for (int i = 0; i < count; ++i)
        assert_int_equal(
            abut_scene_remove_body(scene, abut_scene_body_at(scene, (i * 7) % (count - i)), NULL), ABUT_OK);
    CHECK(scene->tree.root == -1 && live_pairs(scene) == 0 && scene->moved_count == 0);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_agree_with_brute_force),
        cmocka_unit_test(fast_bodies_are_seen_in_time),
        cmocka_unit_test(materials_combine),
        cmocka_unit_test(priority_decides_friction),
        cmocka_unit_test(rules_decide_who_meets),
        cmocka_unit_test(many_bodies),
        cmocka_unit_test(tree_stays_shallow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
