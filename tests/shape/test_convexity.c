/* SPDX-License-Identifier: Apache-2.0 */
/* Is a mesh convex? Made shapes that are and are not, and meshes broken in one way each. */
#include "support/check.h"

#include "abut/shape.h"

static AbutMesh made(const char *name) {
    AbutMesh mesh;
    AbutError error = {0};
    good(abut_mesh_make(name, 300, NULL, &mesh, &error), &error);
    return mesh;
}

typedef struct Judgment {
    AbutConvexity outcome;
    int32_t vertex;
} Judgment;

static Judgment judge(const AbutMesh *mesh) {
    AbutPolyhedron *hull;
    Judgment found = {0};
    AbutError error = {0};
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &hull, &error) != ABUT_OK ||
             abut_mesh_convexity(mesh, hull, &found.outcome, &found.vertex, &error),
        &error);
    abut_polyhedron_free(hull);
    return found;
}

static void made_shapes_are_judged(void **state) {
    (void)state;
    static const struct {
        const char *name;
        AbutConvexity outcome;
    } cases[] = {{"box", ABUT_CONVEXITY_CONVEX}, {"sphere", ABUT_CONVEXITY_CONVEX}, {"torus", ABUT_CONVEXITY_HOLLOW},
        {"cup", ABUT_CONVEXITY_HOLLOW}, {"knot", ABUT_CONVEXITY_HOLLOW}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutMesh mesh = made(cases[i].name);
        Judgment found = judge(&mesh);
        assert_int_equal(found.outcome, cases[i].outcome);
        assert_int_equal(found.vertex, -1);
        abut_mesh_free(&mesh);
    }
}

/* A tetrahedron with one fault at a time; five vertices, of which the last is not used by the sound one. */
static void faults_are_named(void **state) {
    (void)state;
    AbutVec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0}};
    AbutTriangle sound[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}};
    AbutTriangle turned[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 2, 3}}};
    AbutTriangle inside_out[4] = {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{0, 2, 3}}};
    AbutTriangle both_sides[2] = {{{0, 1, 2}}, {{0, 2, 1}}};
    AbutMesh mesh = {.vertices = corners, .triangles = sound, .vertex_count = 5, .triangle_count = 4};
    assert_int_equal(judge(&mesh).outcome, ABUT_CONVEXITY_CONVEX); /* the last vertex lies on a face */
    mesh.triangle_count = 3;
    assert_int_equal(judge(&mesh).outcome, ABUT_CONVEXITY_OPEN);
    mesh.triangle_count = 4, mesh.triangles = turned;
    assert_int_equal(judge(&mesh).outcome, ABUT_CONVEXITY_UNORIENTED);
    mesh.triangles = inside_out;
    assert_int_equal(judge(&mesh).outcome, ABUT_CONVEXITY_INSIDE_OUT);
    mesh.triangles = sound, corners[4] = abut_vec3(0.1, 0.1, 0.1);
    Judgment found = judge(&mesh);
    assert_int_equal(found.outcome, ABUT_CONVEXITY_INNER_VERTEX);
    assert_int_equal(found.vertex, 4);
    mesh.vertex_count = 3, mesh.triangle_count = 2, mesh.triangles = both_sides;
    assert_int_equal(judge(&mesh).outcome, ABUT_CONVEXITY_FLAT);
}

static void every_outcome_has_a_name(void **state) {
    (void)state;
    for (int i = 0; i < ABUT_CONVEXITY_COUNT; ++i) assert_true(abut_word(abut_convexity_names, i)[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_shapes_are_judged),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_outcome_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
