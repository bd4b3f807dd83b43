/* SPDX-License-Identifier: Apache-2.0 */
/* Trees over meshes: every size, same bits for any number of threads, refit, flags, blocks from outside, bad input. */
#include "support/mesh_tree_check.h"
#include "mesh/kernels.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"

#include <string.h>

static void trees_of_every_size_are_sound(void **state) {
    (void)state;
    AbutRng rng = abut_rng(91, 1);
    static const int sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 72, 73, 511, 512, 513, 520, 600, 4097};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        AbutMesh mesh = random_soup(&rng, sizes[i], (int)i % 6);
        AbutMeshTree *one = NULL, *three = NULL;
        AbutError error;
        good(abut_mesh_tree_create(&mesh, 1, &one, &error), &error);
        good(abut_mesh_tree_create(&mesh, 3, &three, &error), &error);
        good(abut_mesh_tree_check(one, one->bytes, &error), &error);
        assert_true(one->bytes == three->bytes && memcmp(one, three, one->bytes) == 0);
        assert_int_equal(one->triangle_count, sizes[i]);
        abut_mesh_tree_free(one);
        abut_mesh_tree_free(three);
        abut_mesh_free(&mesh);
    }
}

static void flags_tell_the_surface(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(1, 2, 3), 0),
             far = box_mesh(abut_vec3(9, 0, 0), abut_vec3(1, 1, 1), 0);
    AbutMesh two = both_meshes(&box, &far), split = random_soup(&(AbutRng){0}, 12, 0);
    AbutMeshTree *closed = tree_of(&box), *pair = tree_of(&two);
    for (int t = 0; t < 12; ++t) /* every triangle with vertices of its own */
        corners_of(&box, t, &split.vertices[3 * t]);
    AbutMeshTree *seams = tree_of(&split);
    assert_int_equal(closed->inside, ABUT_MESH_WINDING);
    assert_int_equal(closed->component_count, 1);
    assert_int_equal(pair->component_count, 2);
    assert_int_equal(seams->inside, ABUT_MESH_WINDING);
    assert_int_equal(seams->component_count, 1);
    CHECK_NEAR(closed->radius, sqrt(14), 1e-14);
    AbutMeshTree *trees[] = {closed, pair, seams};
    AbutMesh *meshes[] = {&box, &far, &two, &split};
    for (int i = 0; i < 3; ++i) abut_mesh_tree_free(trees[i]);
    for (int i = 0; i < 4; ++i) abut_mesh_free(meshes[i]);
}

static void refit_is_as_good_as_new(void **state) {
    (void)state;
    AbutMesh mesh = wavy_torus(30, 20, 5, 3), other = wavy_torus(12, 10, 2, 3);
    AbutMeshTree *tree = tree_of(&mesh), *partner = tree_of(&other);
    AbutError error;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        AbutVec3 *v = &mesh.vertices[i];
        v->z += 0.3 * v->x * v->x;
        v->x *= 1.5;
    }
    good(abut_mesh_tree_refit(tree, &mesh, 2, &error), &error);
    good(abut_mesh_tree_check(tree, tree->bytes, &error), &error);
    AbutMeshTree *fresh = tree_of(&mesh);
    AbutRng rng = abut_rng(92, 1);
    for (int i = 0; i < 50; ++i) {
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 3), abut_random_quat(&rng));
        AbutGap a = abut_mesh_distance(tree, partner, pose, NULL, NULL);
        AbutGap b = abut_mesh_distance(fresh, partner, pose, NULL, NULL);
        assert_true(a.distance == b.distance && a.outcome == b.outcome);
        assert_true(
            a.distance == 0 || (a.part_a.index[0] == b.part_a.index[0] && a.part_b.index[0] == b.part_b.index[0]));
    }
    AbutMesh fewer = mesh;
    fewer.triangle_count -= 1;
    assert_int_equal(abut_mesh_tree_refit(tree, &fewer, 1, &error), ABUT_ERROR_ARGUMENT);
    mesh.vertices[5].y = NAN;
    assert_int_equal(abut_mesh_tree_refit(tree, &mesh, 1, &error), ABUT_ERROR_NUMBER);
    good(abut_mesh_tree_check(tree, tree->bytes, &error), &error); /* as it was */
    abut_mesh_tree_free(tree);
    abut_mesh_tree_free(fresh);
    abut_mesh_tree_free(partner);
    abut_mesh_free(&mesh);
    abut_mesh_free(&other);
}

static void bad_meshes_are_refused(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0);
    AbutMeshTree *tree = NULL;
    AbutError error;
    mesh.vertices[3].x = INFINITY;
    assert_int_equal(abut_mesh_tree_create(&mesh, 1, &tree, &error), ABUT_ERROR_NUMBER);
    mesh.vertices[3].x = 1e51;
    assert_int_equal(abut_mesh_tree_create(&mesh, 1, &tree, &error), ABUT_ERROR_NUMBER);
    mesh.vertices[3].x = 1;
    mesh.triangles[2].v[1] = 8;
    assert_true(abut_mesh_tree_create(&mesh, 1, &tree, &error) != ABUT_OK);
    mesh.triangles[2].v[1] = -1;
    assert_true(abut_mesh_tree_create(&mesh, 1, &tree, &error) != ABUT_OK);
    assert_null(tree);
    abut_mesh_free(&mesh);
}

/* No flip of a bit in links, boxes or vertices passes as a tree, unless it leaves a sound one. */
static void damaged_blocks_are_refused(void **state) {
    (void)state;
    AbutMesh mesh = wavy_torus(12, 9, 3, 2);
    AbutMeshTree *tree = tree_of(&mesh), *copy = abut_alloc(tree->bytes);
    AbutMeshTree *partner = tree_of(&mesh);
    AbutRng rng = abut_rng(93, 1);
    AbutError error;
    int refused = 0, cases = check_cases(300);
    assert_non_null(copy);
    for (int i = 0; i < cases; ++i) {
        memcpy(copy, tree, tree->bytes);
        size_t byte = abut_rng_below(&rng, (uint32_t)tree->bytes);
        ((unsigned char *)copy)[byte] ^= (unsigned char)(1U << abut_rng_below(&rng, 8));
        if (abut_mesh_tree_check(copy, tree->bytes, &error) != ABUT_OK) {
            ++refused;
            continue;
        }
        AbutGap d = abut_mesh_distance(copy, partner, abut_pose_identity(), NULL, NULL);
        assert_true(d.distance >= 0);
    }
    assert_true(refused > cases / 2);
    assert_true(abut_mesh_tree_check(tree, tree->bytes - 64, &error) != ABUT_OK);
    assert_true(abut_mesh_tree_check(tree, 10, &error) != ABUT_OK);
    abut_free(copy);
    abut_mesh_tree_free(tree);
    abut_mesh_tree_free(partner);
    abut_mesh_free(&mesh);
}

static void memory_may_run_out(void **state) {
    (void)state;
    for (int left = 0; left < 40; ++left) {
        AbutMesh mesh = random_soup(&(AbutRng){0}, 20, 0);
        FailingMemory memory = {left, 0};
        AbutAllocator allocator = {failing_alloc, failing_release, &memory};
        AbutMeshTree *tree = NULL;
        AbutError error;
        abut_set_allocator(&allocator);
        AbutStatus status = abut_mesh_tree_create(&mesh, 1, &tree, &error);
        if (status == ABUT_OK) abut_mesh_tree_free(tree);
        abut_set_allocator(NULL);
        assert_true(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
        assert_int_equal(memory.live, 0);
        abut_mesh_free(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_every_size_are_sound),
        cmocka_unit_test(flags_tell_the_surface),
        cmocka_unit_test(refit_is_as_good_as_new),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(damaged_blocks_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
