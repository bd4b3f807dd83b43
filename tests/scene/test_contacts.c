/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of a scene without a simulation: found, ordered, named, and nothing changed by looking. */
#include "abut/dynamics.h"
#include "scene/grown_set.h"
#include "scene/scene_support.h"

#include <string.h>

static AbutContactList find(const AbutScene *scene, double margin) {
    AbutContactList list;
    AbutError error;
    good(abut_scene_find_contacts(scene, margin, 0, &list, &error), &error);
    return list;
}

static AbutShapeId put_box(AbutScene *scene, AbutBodyKind kind, AbutVec3 half, AbutPose pose) {
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_BOX;
    def.form.size = half;
    return add_shape(scene, add_body(scene, kind, pose), &def);
}

static AbutShapeId put_ground(AbutScene *scene) {
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_HALF_SPACE;
    return add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0.0, 0.0, 0.0)), &def);
}

/* A box on the ground, one on top of it, one in the air, and a wall that stands in the ground. */
static void contacts_of_a_small_scene(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutVec3 half = abut_vec3(0.1, 0.2, 0.3);
    AbutShapeId low = put_box(scene, ABUT_BODY_DYNAMIC, half, at(0.0, 0.0, 0.3 - 1e-4));
    AbutShapeId high = put_box(scene, ABUT_BODY_DYNAMIC, half, at(0.0, 0.0, 0.9 - 2e-4));
    put_box(scene, ABUT_BODY_DYNAMIC, half, at(0.0, 0.0, 2.0));
    AbutShapeId ground = put_ground(scene);
    put_box(scene, ABUT_BODY_STATIC, half, at(5.0, 0.0, 0.0));
    AbutContactList list = find(scene, 0.0);
    assert_int_equal(list.count, 2);
    const AbutContact *top = &list.contacts[0], *bottom = &list.contacts[1];
    CHECK(top->shape_a.index1 == high.index1 && top->shape_b.index1 == low.index1); /* added later: A */
    CHECK_VEC_NEAR(top->normal, abut_vec3(0.0, 0.0, -1.0), 1e-12);
    CHECK_NEAR(top->area, 0.2 * 0.4, 1e-12);
    CHECK_NEAR(top->depth, 1e-4, 1e-12);
    CHECK(bottom->shape_a.index1 == ground.index1 && bottom->shape_b.index1 == low.index1); /* immovable: A */
    CHECK_VEC_NEAR(bottom->normal, abut_axis(2), 1e-12);
    CHECK_NEAR(bottom->volume, 0.2 * 0.4 * 1e-4, 1e-12);
    CHECK_VEC_NEAR(bottom->center, abut_vec3(0.0, 0.0, -0.5e-4), 1e-12);
    CHECK(abut_length(bottom->force) == 0.0);
    assert_int_equal(top->vertex_count + bottom->vertex_count, 8);
    abut_contact_list_free(&list);
    abut_contact_list_free(&list);
    abut_scene_free(scene);
}

/* The margin decides what touches; filters and exclusions hold. */
static void margin_and_filters(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutContactList list;
    AbutVec3 half = abut_vec3(0.1, 0.1, 0.1);
    AbutBodyId a = add_body(scene, ABUT_BODY_DYNAMIC, at(0.0, 0.0, 0.0)),
               b = add_body(scene, ABUT_BODY_DYNAMIC, at(0.2001, 0.0, 0.0));
    AbutShapeDef def = abut_shape_default();
    def.form.kind = ABUT_SHAPE_BOX;
    def.form.size = half;
    add_shape(scene, a, &def);
    add_shape(scene, b, &def);
    static const struct {
        double margin;
        int count;
    } cases[] = {{0.0, 0}, {4e-5, 0}, {6e-5, 1}, {0.01, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        list = find(scene, cases[i].margin);
        assert_int_equal(list.count, cases[i].count);
        abut_contact_list_free(&list);
    }
    good(abut_scene_exclude(scene, a, b, &error), &error);
    list = find(scene, 0.01);
    assert_int_equal(list.count, 0);
    assert_int_equal(abut_scene_find_contacts(scene, NAN, 0, &list, &error), ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "margin"));
    assert_int_equal(abut_scene_find_contacts(scene, INFINITY, 0, &list, &error), ABUT_ERROR_ARGUMENT);
    CHECK(list.count == 0 && !list.contacts);
    abut_scene_free(scene);
}

/* Every byte of a saved state, and the hash, stay; a simulation that was looked at goes on as one that was not. */
static void looking_changes_nothing(void **state) {
    (void)state;
    static const char *const specs[] = {"boxes:12", "hulls:8", "pyramid:4"};
    for (int k = 0; k < 3; ++k) {
        AbutScene *scene = new_scene();
        AbutError error;
        AbutSimulation *sim;
        AbutSimulationDef def = abut_simulation_default();
        good(abut_scene_build(scene, specs[k], 5, &error), &error);
        good(abut_simulation_create(scene, &def, &sim, &error), &error);
        for (int i = 0; i < 150; ++i) good(abut_simulation_step(sim, 2e-3, NULL, &error), &error);
        uint64_t hash = abut_simulation_hash(sim);
        size_t bytes = abut_simulation_state_size(sim);
        char *before = malloc(bytes), *after = malloc(bytes);
        abut_simulation_save(sim, before);
        AbutContactList list = find(scene, 1e-3);
        CHECK(list.count > 0);
        abut_contact_list_free(&list);
        CHECK(abut_simulation_hash(sim) == hash);
        assert_int_equal(abut_simulation_state_size(sim), bytes);
        abut_simulation_save(sim, after);
        assert_memory_equal(before, after, bytes);
        free(before);
        free(after);
        abut_simulation_free(sim);
        abut_scene_free(scene);
    }
}

static const AbutContact *find_same(const AbutContactList *list, const AbutContact *c) {
    for (int i = 0; i < list->count; ++i)
        if (list->contacts[i].shape_a.index1 == c->shape_a.index1 &&
            list->contacts[i].shape_b.index1 == c->shape_b.index1)
            return &list->contacts[i];
    return NULL;
}

/* The first step of a simulation finds the same contacts. */
static void as_a_step_finds_them(void **state) {
    (void)state;
    static const char *const specs[] = {"wall:5", "pyramid:5", "bridge", "arch:9"};
    for (int k = 0; k < 4; ++k) {
        AbutScene *scene = new_scene();
        AbutError error;
        AbutSimulation *sim;
        AbutSimulationDef def = abut_simulation_default();
        def.margin = 1e-4;
        good(abut_scene_build(scene, specs[k], 1, &error), &error);
        AbutContactList looked = find(scene, def.margin), stepped;
        good(abut_simulation_create(scene, &def, &sim, &error), &error);
        good(abut_simulation_step(sim, 1e-4, NULL, &error), &error);
        good(abut_simulation_get_contacts(sim, &stepped, &error), &error);
        assert_int_equal(looked.count, stepped.count);
        CHECK(looked.count >= 2);
        for (int i = 0; i < stepped.count; ++i) {
            const AbutContact *a = &stepped.contacts[i], *b = find_same(&looked, a);
            CHECK(b != NULL);
            CHECK_NEAR(a->area, b->area, 1e-12 * b->area);
            CHECK_NEAR(a->volume, b->volume, 1e-12 * b->volume);
            CHECK_VEC_NEAR(a->normal, b->normal, 1e-5); /* A may have turned since */
            assert_int_equal(a->vertex_count, b->vertex_count);
        }
        abut_contact_list_free(&looked);
        abut_contact_list_free(&stepped);
        abut_simulation_free(sim);
        abut_scene_free(scene);
    }
}

/* Equal shapes share one grown body, and it stays when bodies come. */
static void equal_shapes_grow_once(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutGrownSet set;
    memset(&set, 0, sizeof set);
    good(abut_scene_build(scene, "boxes:50", 1, &error), &error);
    good(abut_grown_set_update(&set, scene, (AbutMarginRule){.fixed = 1e-4}, &error), &error);
    assert_int_equal(set.entry_count, 2); /* the box and the ground */
    const AbutPolyhedron *grown = set.of_shape[1]->polyhedron;
    put_box(scene, ABUT_BODY_DYNAMIC, abut_vec3(1, 2, 3), at(0, 0, 9));
    good(abut_grown_set_update(&set, scene, (AbutMarginRule){.fixed = 1e-4}, &error), &error);
    assert_int_equal(set.entry_count, 3);
    assert_ptr_equal(set.of_shape[1]->polyhedron, grown);
    assert_ptr_equal(set.of_shape[1], set.of_shape[50]);
    good(abut_scene_remove_body(scene, abut_scene_body_at(scene, 51), &error), &error);
    good(abut_grown_set_update(&set, scene, (AbutMarginRule){.fixed = 2e-4}, &error), &error);
    assert_int_equal(set.entry_count, 2);
    CHECK(set.of_shape[1]->margin == 2e-4);
    abut_grown_set_free(&set);
    abut_scene_free(scene);
}

/* Hulls are grown when a pair needs them, and by the same bits in any number of threads. */
static void hulls_grow_in_pairs(void **state) {
    (void)state;
    AbutGrownSet set[2];
    AbutError error;
    AbutScene *scene = new_scene();
    AbutMarginRule rule = {.fixed = 1e-4};
    good(abut_scene_build(scene, "hulls:60", 1, &error), &error);
    memset(set, 0, sizeof set);
    for (int k = 0; k < 2; ++k) good(abut_grown_set_update(&set[k], scene, rule, &error), &error);
    int32_t all = set[0].open_count;
    assert_int_equal(all, 60);
    good(abut_grown_set_finish(&set[0], scene, ABUT_GROW_PAIRS, 1, &error), &error);
    assert_int_equal(set[0].open_count, all); /* there are no pairs yet */
    good(abut_scene_update_bounds(scene, 1e-4, 0.0, 0.0, NULL), &error);
    good(abut_scene_update_pairs(scene), &error);
    good(abut_grown_set_finish(&set[0], scene, ABUT_GROW_PAIRS, 1, &error), &error);
    int32_t paired = 0;
    for (int32_t s = 0; s < scene->shape_places; ++s) {
        int in_pair = 0;
        for (int32_t i = 0; i < scene->pair_places; ++i)
            in_pair |= scene->pair[i].alive && (scene->pair[i].a == s || scene->pair[i].b == s);
        paired += in_pair && scene->shape[s].def.form.kind == ABUT_SHAPE_POLYHEDRON;
        assert_int_equal(set[0].of_shape[s]->open, !in_pair && set[0].of_shape[s]->body.kind == ABUT_CONVEX_POLYHEDRON);
    }
    assert_int_equal(set[0].open_count, all - paired);
    good(abut_grown_set_finish(&set[0], scene, ABUT_GROW_ALL, 1, &error), &error);
    good(abut_grown_set_finish(&set[1], scene, ABUT_GROW_ALL, 4, &error), &error);
    for (int32_t s = 0; s < scene->shape_places; ++s) {
        const AbutPolyhedron *p = set[0].of_shape[s]->polyhedron, *q = set[1].of_shape[s]->polyhedron;
        assert_true(!p == !q && (!p || p->hash == q->hash));
    }
    assert_int_equal(set[0].workspace_bytes, set[1].workspace_bytes);
    abut_grown_set_free(&set[0]);
    abut_grown_set_free(&set[1]);
    abut_scene_free(scene);
}

/* Out of memory at any request: an error, and nothing left behind. */
static void failing_memory(void **state) {
    (void)state;
    FailingMemory memory = {1 << 30, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&allocator);
    AbutScene *scene = new_scene();
    AbutError error;
    AbutContactList list;
    good(abut_scene_build(scene, "pyramid:3", 1, &error), &error);
    int live = memory.live, failed = 0;
    for (int left = 0;; ++left) {
        memory.left = left;
        AbutStatus status = abut_scene_find_contacts(scene, 1e-4, 0, &list, &error);
        if (status == ABUT_OK) break;
        assert_int_equal(status, ABUT_ERROR_MEMORY);
        assert_int_equal(memory.live, live);
        ++failed;
    }
    CHECK(failed > 5 && list.count == 9);
    memory.left = 1 << 30;
    abut_contact_list_free(&list);
    abut_scene_free(scene);
    assert_int_equal(memory.live, 0);
    abut_set_allocator(NULL);
}

/* A pair has the margin that it states, whatever the others have: boxes and balls over a plane, a slab and hilly
 * ground.
 */
static void pairs_have_margins_of_their_own(void **state) {
    (void)state;
    static const double heights[] = {0.0, 0.0, 0.0, 0.0};
    const AbutHeightField field = {2, 2, 5.0, 5.0, -1.0, heights};
    static const AbutShapeKind grounds[] = {ABUT_SHAPE_HALF_SPACE, ABUT_SHAPE_BOX, ABUT_SHAPE_HEIGHT_FIELD};
    for (int k = 0; k < 3; ++k)
        for (int ball = 0; ball < 2; ++ball) {
            AbutScene *scene = new_scene();
            AbutError error;
            AbutShapeDef below = abut_shape_default(), body = abut_shape_default();
            AbutPairDef law = abut_pair_default();
            below.form.kind = grounds[k];
            below.form.size = abut_vec3(5, 5, 1);
            below.form.field = &field;
            body.form.kind = ball ? ABUT_SHAPE_SPHERE : ABUT_SHAPE_BOX;
            body.form.size = abut_vec3(0.1, 0.1, 0.1);
            AbutShapeId on = add_shape(
                scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, grounds[k] == ABUT_SHAPE_BOX ? -1.0 : 0.0)), &below);
            for (int i = 0; i < 2; ++i)
                add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(1.0 - 2.0 * i, 0.5, 0.105)), &body);
            AbutShapeId second = abut_scene_shape_at(scene, abut_scene_body_at(scene, 2), 0);
            law.margin = 0.003;
            for (int with = 0; with < 3; ++with) {
                if (with == 2) /* too far: 5 mm are more than two of 2 mm */
                    law.margin = 0.002;
                if (with) good(abut_scene_set_pair(scene, second, on, &law, &error), &error);
                AbutContactList list = find(scene, 1e-4);
                assert_int_equal(list.count > 0, with == 1);
                for (int i = 0; i < list.count; ++i)
                    CHECK(memcmp(&list.contacts[i].shape_b, &second, sizeof second) == 0);
                abut_contact_list_free(&list);
            }
            abut_scene_free(scene);
        }
}

/* A margin that is left open goes with the size: a stack whose boxes are apart by a 25,000th of it touches at any size,
 * by a hundredth it does not. */
static void open_margins_go_with_the_size(void **state) {
    (void)state;
    static const double sizes[] = {1e-3, 0.1, 100.0};
    for (int k = 0; k < 3; ++k)
        for (int apart = 0; apart < 2; ++apart) {
            AbutScene *scene = new_scene();
            double size = sizes[k], gap = size * (apart ? 1e-2 : 4e-5), half = 0.5 * size;
            AbutShapeDef plane = abut_shape_default();
            plane.form.kind = ABUT_SHAPE_HALF_SPACE;
            add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &plane);
            add_box(scene, ABUT_BODY_DYNAMIC, at(0, 0, half + gap), abut_vec3(half, half, half));
            add_box(scene, ABUT_BODY_DYNAMIC, at(0, 0, 3.0 * half + 2.0 * gap), abut_vec3(half, half, half));
            AbutContactList list = find(scene, -1.0);
            assert_int_equal(list.count, apart ? 0 : 2);
            abut_contact_list_free(&list);
            abut_scene_free(scene);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_margins_go_with_the_size),
        cmocka_unit_test(pairs_have_margins_of_their_own),
        cmocka_unit_test(contacts_of_a_small_scene),
        cmocka_unit_test(margin_and_filters),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(as_a_step_finds_them),
        cmocka_unit_test(equal_shapes_grow_once),
        cmocka_unit_test(hulls_grow_in_pairs),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
