/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: neighbors and report against brute force, broken meshes, mass in closed form, welding, failed memory. */
#include "shape/mesh_support.h"

#include <string.h>

/* ---- brute force on small random meshes -------------------------------------------------------------------------- */

static int repeats(AbutTriangle t) { return t.v[0] == t.v[1] || t.v[0] == t.v[2] || t.v[1] == t.v[2]; }

/* Do side i of s and side j of t lie along the same edge? 1: opposite ways, 2: the same way. */
static int common_edge(AbutTriangle s, int i, AbutTriangle t, int j) {
    int a = s.v[i], b = s.v[(i + 1) % 3], c = t.v[j], d = t.v[(j + 1) % 3];
    return a == d && b == c ? 1 : (a == c && b == d ? 2 : 0);
}

typedef struct Around {
    int others, neighbor, same_way;
} Around;

/* What lies along side i of triangle t. */
static Around look_across(const AbutMesh *mesh, int t, int i) {
    Around around = {0, -1, 0};
    for (int s = 0; s < mesh->triangle_count; ++s)
        for (int j = 0; j < 3 && s != t && !repeats(mesh->triangles[s]); ++j) {
            int way = common_edge(mesh->triangles[t], i, mesh->triangles[s], j);
            if (way) {
                ++around.others;
                around.neighbor = s;
                around.same_way = way == 2;
            }
        }
    return around;
}

/* Marks everything that hangs together with t over common edges. */
static void spread_mark(const AbutMesh *mesh, int t, int *mark) {
    if (mark[t]) return;
    mark[t] = 1;
    for (int s = 0; s < mesh->triangle_count; ++s)
        for (int k = 0; k < 9 && !repeats(mesh->triangles[s]); ++k)
            if (common_edge(mesh->triangles[t], k / 3, mesh->triangles[s], k % 3)) spread_mark(mesh, s, mark);
}

static AbutMesh random_soup(AbutRng *rng, int vertices, int triangles) {
    AbutMesh mesh;
    assert_int_equal(abut_mesh_create(vertices, triangles, &mesh, NULL), ABUT_OK);
    for (int v = 0; v < vertices; ++v)
        mesh.vertices[v] = abut_vec3(abut_rng_unit(rng), abut_rng_unit(rng), abut_rng_unit(rng));
    for (int t = 0; t < triangles; ++t)
        for (int i = 0; i < 3; ++i) mesh.triangles[t].v[i] = (int32_t)abut_rng_below(rng, (uint32_t)vertices);
    return mesh;
}

static void check_against_brute_force(const AbutMesh *mesh, int *crowded_cases) {
    AbutTriangle *adjacency;
    AbutMeshReport report = reported(mesh);
    assert_int_equal(abut_mesh_adjacency(mesh, &adjacency, NULL), ABUT_OK);
    double boundary = 0, crowded = 0;
    int oriented = 1, components = 0, repeated = 0, mark[64] = {0};
    for (int t = 0; t < mesh->triangle_count; ++t) {
        if (repeats(mesh->triangles[t])) {
            ++repeated;
            assert_true(adjacency[t].v[0] == -1 && adjacency[t].v[1] == -1 && adjacency[t].v[2] == -1);
            continue;
        }
        components += !mark[t];
        spread_mark(mesh, t, mark);
        for (int i = 0; i < 3; ++i) {
            Around around = look_across(mesh, t, i);
            assert_int_equal(adjacency[t].v[i], around.others > 1 ? -2 : around.neighbor);
            boundary += around.others == 0;
            crowded += around.others > 1 ? 1.0 / (around.others + 1) : 0.0;
            if (around.others == 1 && around.same_way) oriented = 0;
        }
    }
    assert_int_equal(report.boundary_edges, (int)boundary);
    assert_int_equal(report.crowded_edges, (int)(crowded + 0.5));
    assert_int_equal(report.oriented, oriented);
    assert_int_equal(report.components, components);
    assert_int_equal(report.degenerate, repeated);
    assert_int_equal(report.closed, boundary + crowded == 0 && repeated < mesh->triangle_count);
    *crowded_cases += crowded > 0;
    abut_free(adjacency);
}

static void random_meshes_agree_with_brute_force(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1, 1);
    int cases = check_cases(3000), crowded = 0;
    for (int k = 0; k < cases; ++k) {
        AbutMesh mesh = random_soup(&rng, 3 + (int)abut_rng_below(&rng, 20), (int)abut_rng_below(&rng, 60));
        check_against_brute_force(&mesh, &crowded);
        abut_mesh_free(&mesh);
    }
    CHECK(crowded >= cases / 5 && crowded < cases);
}

static void neighbors_of_a_solid_are_mutual(void **state) {
    (void)state;
    AbutMesh mesh = made("bumpy-torus", 20000, NULL);
    AbutTriangle *adjacency;
    assert_int_equal(abut_mesh_adjacency(&mesh, &adjacency, NULL), ABUT_OK);
    for (int t = 0; t < mesh.triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int s = adjacency[t].v[i], back = 0;
            assert_in_range(s, 0, mesh.triangle_count - 1);
            for (int j = 0; j < 3; ++j)
                if (common_edge(mesh.triangles[t], i, mesh.triangles[s], j) == 1) back += adjacency[s].v[j] == t;
            assert_int_equal(back, 1);
        }
    abut_free(adjacency);
    abut_mesh_free(&mesh);
}

/* ---- broken meshes ----------------------------------------------------------------------------------------------- */

/* A box of 12 triangles with room for more. */
static AbutMesh roomy_box(int more_vertices, int more_triangles) {
    AbutMesh box = made("box", 12, NULL), out;
    assert_int_equal(abut_mesh_create(8 + more_vertices, 12 + more_triangles, &out, NULL), ABUT_OK);
    memcpy(out.vertices, box.vertices, 8 * sizeof *box.vertices);
    memcpy(out.triangles, box.triangles, 12 * sizeof *box.triangles);
    abut_mesh_free(&box);
    return out;
}

static void hole_is_seen(void **state) {
    (void)state;
    AbutMesh mesh = roomy_box(0, 0);
    --mesh.triangle_count;
    AbutMeshReport r = reported(&mesh);
    assert_true(!r.closed && r.oriented && !r.outward);
    assert_int_equal(r.boundary_edges, 3);
    assert_int_equal(r.components, 1);
    abut_mesh_free(&mesh);
}

static void flipped_triangle_is_seen(void **state) {
    (void)state;
    AbutMesh mesh = roomy_box(0, 0);
    AbutTriangle t = mesh.triangles[5];
    mesh.triangles[5] = (AbutTriangle){{t.v[0], t.v[2], t.v[1]}};
    AbutMeshReport r = reported(&mesh);
    assert_true(r.closed && !r.oriented && !r.outward);
    for (int k = 0; k < 12; ++k) { /* all turned: oriented again, inward */
        t = mesh.triangles[k];
        if (k != 5) mesh.triangles[k] = (AbutTriangle){{t.v[0], t.v[2], t.v[1]}};
    }
    r = reported(&mesh);
    assert_true(r.closed && r.oriented && !r.outward);
    CHECK_NEAR(r.mass.volume, -0.4 * 0.3 * 0.2, 1e-15);
    CHECK_VEC_NEAR(r.mass.centroid, abut_zero(), 1e-15);
    abut_mesh_free(&mesh);
}

static void degenerate_triangles_are_seen(void **state) {
    (void)state;
    AbutMesh mesh = roomy_box(1, 2);
    AbutVec3 a = mesh.vertices[0], b = mesh.vertices[1];
    mesh.vertices[8] = abut_add(abut_lerp(a, b, 0.5), abut_vec3(0, 0, 1e-14));
    mesh.triangles[12] = (AbutTriangle){{0, 0, 1}};
    mesh.triangles[13] = (AbutTriangle){{0, 1, 8}};
    AbutMeshReport r = reported(&mesh);
    assert_int_equal(r.degenerate, 2);
    assert_int_equal(r.components, 1); /* the sliver hangs on an edge of the box; the other one has no sides */
    mesh.triangle_count = 13;
    r = reported(&mesh);
    assert_int_equal(r.degenerate, 1);
    assert_true(r.closed && r.outward);
    assert_int_equal(r.unused_vertices, 1);
    mesh.triangle_count = 14;
    mesh.vertices[8].z += 1e-9; /* thin, and above the limit */
    assert_int_equal(reported(&mesh).degenerate, 1);
    abut_mesh_free(&mesh);
}

static void crowded_edge_is_seen(void **state) {
    (void)state;
    AbutMesh mesh = roomy_box(1, 1);
    mesh.vertices[8] = abut_vec3(3, 3, 3);
    mesh.triangles[12] = (AbutTriangle){{mesh.triangles[0].v[0], mesh.triangles[0].v[1], 8}};
    AbutMeshReport r = reported(&mesh);
    assert_int_equal(r.crowded_edges, 1);
    assert_int_equal(r.boundary_edges, 2);
    assert_true(!r.closed && r.oriented);
    AbutTriangle *adjacency;
    assert_int_equal(abut_mesh_adjacency(&mesh, &adjacency, NULL), ABUT_OK);
    assert_int_equal(adjacency[12].v[0], -2);
    assert_int_equal(adjacency[12].v[1], -1);
    assert_int_equal(adjacency[0].v[0], -2);
    abut_free(adjacency);
    abut_mesh_free(&mesh);
}

static void components_are_counted(void **state) {
    (void)state;
    AbutMesh mesh = roomy_box(8, 12);
    for (int v = 0; v < 8; ++v) mesh.vertices[8 + v] = abut_add(mesh.vertices[v], abut_vec3(2, 0, 0));
    for (int t = 0; t < 12; ++t)
        for (int i = 0; i < 3; ++i) mesh.triangles[12 + t].v[i] = mesh.triangles[t].v[i] + 8;
    AbutMeshReport r = reported(&mesh);
    assert_int_equal(r.components, 2);
    assert_true(r.closed && r.outward);
    CHECK_NEAR(r.mass.volume, 2 * 0.024, 1e-15);
    CHECK_VEC_NEAR(r.mass.centroid, abut_vec3(1, 0, 0), 1e-14);
    /* two boxes that meet in one vertex stay two */
    for (int t = 12; t < 24; ++t)
        for (int i = 0; i < 3; ++i)
            if (mesh.triangles[t].v[i] == 8) mesh.triangles[t].v[i] = 0;
    assert_int_equal(reported(&mesh).components, 2);
    assert_int_equal(reported(&mesh).unused_vertices, 1);
    abut_mesh_free(&mesh);
}

static void empty_and_bad_meshes_have_an_outcome(void **state) {
    (void)state;
    AbutMesh mesh;
    assert_int_equal(abut_mesh_create(0, 0, &mesh, NULL), ABUT_OK);
    AbutMeshReport r = reported(&mesh);
    assert_true(!r.closed && !r.outward && r.components == 0 && r.mass.volume == 0.0);
    assert_int_equal(abut_mesh_weld(&mesh, NULL), ABUT_OK);
    abut_mesh_free(&mesh);
    AbutMesh none = {0, 0, NULL, NULL};
    r = reported(&none);
    assert_int_equal(r.degenerate, 0);
    AbutError error;
    AbutTriangle *adjacency;
    mesh = roomy_box(0, 0);
    mesh.triangles[3].v[1] = 8;
    assert_int_equal(abut_mesh_report(&mesh, &r, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "mesh: triangle 3 names vertex 8 of 8");
    mesh.triangles[3].v[1] = -1;
    assert_int_equal(abut_mesh_adjacency(&mesh, &adjacency, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_weld(&mesh, NULL), ABUT_ERROR_ARGUMENT);
    mesh.triangles[3].v[1] = 0;
    mesh.vertices[2].y = NAN;
    assert_int_equal(abut_mesh_report(&mesh, &r, &error), ABUT_ERROR_NUMBER);
    mesh.vertices[2].y = 0.1;
    for (int v = 0; v < 8; ++v) mesh.vertices[v] = abut_scale(mesh.vertices[v], 1e200);
    assert_int_equal(abut_mesh_report(&mesh, &r, &error), ABUT_ERROR_NUMBER);
    for (int v = 0; v < 8; ++v) mesh.vertices[v] = abut_vec3(1, 2, 3);
    r = reported(&mesh);
    assert_int_equal(r.degenerate, 12);
    CHECK_VEC_NEAR(r.mass.centroid, abut_vec3(1, 2, 3), 0.0);
    abut_mesh_free(&mesh);
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

static AbutMass box_mass(AbutVec3 size, AbutPose pose) {
    AbutMass m = {size.x * size.y * size.z, 2 * (size.x * size.y + size.y * size.z + size.z * size.x), pose.p,
        abut_mat3_identity()};
    AbutVec3 s = abut_scale(abut_mul(size, size), m.volume / 12.0);
    AbutMat3 q = abut_quat_to_mat3(pose.q);
    AbutMat3 own = abut_mat3_diagonal(s.y + s.z, s.x + s.z, s.x + s.y);
    m.inertia = abut_mat3_mul(abut_mat3_mul(q, own), abut_mat3_transpose(q));
    return m;
}

static void box_mass_is_exact_in_any_pose(void **state) {
    (void)state;
    AbutRng rng = abut_rng(2, 1);
    for (int k = 0; k < 200; ++k) {
        double scale = pow(10.0, abut_rng_between(&rng, -6, 6));
        double sizes[3];
        for (int i = 0; i < 3; ++i) sizes[i] = scale * abut_rng_between(&rng, 0.1, 1.0);
        AbutPose pose = {abut_scale(abut_random_direction(&rng), 3.0 * scale), abut_random_quat(&rng)};
        AbutMesh mesh = made("box", 12 + (int)abut_rng_below(&rng, 500), sizes);
        for (int v = 0; v < mesh.vertex_count; ++v) mesh.vertices[v] = abut_pose_apply(pose, mesh.vertices[v]);
        check_mass(reported(&mesh).mass, box_mass(abut_vec3(sizes[0], sizes[1], sizes[2]), pose), scale, 1e-12);
        abut_mesh_free(&mesh);
    }
}

/* Coordinates that are exact far from the origin must lose nothing there. */
static void far_mesh_keeps_its_digits(void **state) {
    (void)state;
    double sizes[3] = {0.5, 0.25, 1.0};
    AbutVec3 far = abut_vec3(1048576, -2097152, 4194304);
    AbutMesh mesh = made("box", 12, sizes);
    for (int v = 0; v < mesh.vertex_count; ++v) mesh.vertices[v] = abut_add(mesh.vertices[v], far);
    check_mass(
        reported(&mesh).mass, box_mass(abut_vec3(0.5, 0.25, 1.0), abut_pose(far, abut_quat_identity())), 1.0, 1e-14);
    abut_mesh_free(&mesh);
}

/* A solid cut into signed tetrahedra from some apex must add up to the whole. */
static void mass_of_parts_adds_up(void **state) {
    (void)state;
    AbutMesh whole = made("statue", 3000, NULL), fan;
    double volume = 0;
    AbutVec3 moment = abut_zero(), apex = abut_vec3(0.3, -0.2, 0.1);
    assert_int_equal(abut_mesh_create(4, 4, &fan, NULL), ABUT_OK);
    AbutTriangle faces[4] = {{{1, 2, 3}}, {{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}};
    memcpy(fan.triangles, faces, sizeof faces);
    for (int t = 0; t < whole.triangle_count; ++t) {
        fan.vertices[0] = apex;
        for (int i = 0; i < 3; ++i) fan.vertices[i + 1] = whole.vertices[whole.triangles[t].v[i]];
        AbutMass m = reported(&fan).mass;
        volume += m.volume;
        moment = abut_add_scaled(moment, m.centroid, m.volume);
    }
    AbutMass all = reported(&whole).mass;
    CHECK_NEAR(volume, all.volume, 1e-12);
    CHECK_VEC_NEAR(abut_scale(moment, 1.0 / volume), all.centroid, 1e-12);
    abut_mesh_free(&fan);
    abut_mesh_free(&whole);
}

/* ---- welding ----------------------------------------------------------------------------------------------------- */

static AbutMesh exploded(const AbutMesh *mesh) {
    AbutMesh soup;
    assert_int_equal(abut_mesh_create(3 * mesh->triangle_count, mesh->triangle_count, &soup, NULL), ABUT_OK);
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            soup.vertices[3 * t + i] = mesh->vertices[mesh->triangles[t].v[i]];
            soup.triangles[t].v[i] = 3 * t + i;
        }
    return soup;
}

static void weld_joins_a_soup(void **state) {
    (void)state;
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int k = 0; k < count; ++k) {
        AbutMesh mesh = made(makers[k].name, 2000, NULL), soup = exploded(&mesh);
        assert_int_equal(reported(&soup).components, mesh.triangle_count);
        assert_int_equal(abut_mesh_weld(&soup, NULL), ABUT_OK);
        assert_int_equal(soup.vertex_count, mesh.vertex_count);
        assert_true(reported(&soup).outward);
        for (int t = 0; t < mesh.triangle_count; ++t)
            for (int i = 0; i < 3; ++i)
                CHECK_VEC_NEAR(soup.vertices[soup.triangles[t].v[i]], mesh.vertices[mesh.triangles[t].v[i]], 0.0);
        abut_mesh_free(&soup);
        abut_mesh_free(&mesh);
    }
}

static void weld_is_exact(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutVec3 vertices[7] = {{9, 9, 9}, {0.0, 1, 2}, {-0.0, 1, 2}, {1, 0, 0}, {1, 0, 1e-300}, {5, 5, 5}, {1, 0, -0.0}};
    AbutTriangle triangles[2] = {{{1, 3, 5}}, {{2, 4, 6}}};
    assert_int_equal(abut_mesh_create(7, 2, &mesh, NULL), ABUT_OK);
    memcpy(mesh.vertices, vertices, sizeof vertices);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    assert_int_equal(abut_mesh_weld(&mesh, NULL), ABUT_OK);
    assert_int_equal(mesh.vertex_count, 4); /* vertex 0 is unused, 1 = 2, 3 = 6 */
    AbutTriangle want[2] = {{{0, 1, 2}}, {{0, 3, 1}}};
    assert_memory_equal(mesh.triangles, want, sizeof want);
    assert_true(mesh.vertices[3].z == 1e-300);
    abut_mesh_free(&mesh);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

typedef AbutStatus Work(AbutMesh *mesh, AbutError *error);

static AbutStatus do_report(AbutMesh *mesh, AbutError *error) {
    AbutMeshReport report;
    return abut_mesh_report(mesh, &report, error);
}

static AbutStatus do_adjacency(AbutMesh *mesh, AbutError *error) {
    AbutTriangle *adjacency;
    AbutStatus status = abut_mesh_adjacency(mesh, &adjacency, error);
    abut_free(adjacency);
    return status;
}

static AbutStatus do_capsule(AbutMesh *mesh, AbutError *error) {
    AbutCapsule capsule;
    return abut_capsule_around(mesh->vertices, mesh->vertex_count, &capsule, error);
}

static void failed_memory_leaks_nothing(void **state) {
    (void)state;
    Work *work[4] = {do_report, do_adjacency, abut_mesh_weld, do_capsule};
    int failures = 0;
    for (int k = 0; k < 4; ++k)
        for (int allowed = 0;; ++allowed) {
            FailingMemory memory = {1000, 0};
            AbutAllocator allocator = {failing_alloc, failing_release, &memory};
            abut_set_allocator(&allocator);
            AbutMesh mesh = made("box", 100, NULL);
            AbutError error = {0};
            int before = mesh.vertex_count, live = memory.live;
            memory.left = allowed;
            AbutStatus status = work[k](&mesh, &error);
            assert_int_equal(memory.live, live);
            assert_int_equal(mesh.vertex_count, before);
            abut_mesh_free(&mesh);
            abut_set_allocator(NULL);
            assert_int_equal(memory.live, 0);
            if (status == ABUT_OK) break;
            assert_int_equal(status, ABUT_ERROR_MEMORY);
            CHECK(strlen(error.text) > 5);
            ++failures;
        }
    CHECK(failures >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_agree_with_brute_force),
        cmocka_unit_test(neighbors_of_a_solid_are_mutual),
        cmocka_unit_test(hole_is_seen),
        cmocka_unit_test(flipped_triangle_is_seen),
        cmocka_unit_test(degenerate_triangles_are_seen),
        cmocka_unit_test(crowded_edge_is_seen),
        cmocka_unit_test(components_are_counted),
        cmocka_unit_test(empty_and_bad_meshes_have_an_outcome),
        cmocka_unit_test(box_mass_is_exact_in_any_pose),
        cmocka_unit_test(far_mesh_keeps_its_digits),
        cmocka_unit_test(mass_of_parts_adds_up),
        cmocka_unit_test(weld_joins_a_soup),
        cmocka_unit_test(weld_is_exact),
        cmocka_unit_test(failed_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
