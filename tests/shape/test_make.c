/* SPDX-License-Identifier: Apache-2.0 */
/* Procedural meshes: sound solids at every count, right genus, and convergence to closed forms. */
#include "shape/mesh_support.h"
#include "shape/round_mass.h"

#include <string.h>

static int genus_of(const char *name) { return strstr(name, "torus") || !strcmp(name, "knot") ? 1 : 0; }

static void check_solid(const AbutMeshMaker *maker, int wish) {
    AbutMesh mesh = made(maker->name, wish, NULL);
    AbutMeshReport r = reported(&mesh);
    if (!r.outward || r.degenerate || r.components != 1)
        print_error("%s with %d triangles: closed %d, oriented %d, degenerate %d, components %d\n", maker->name, wish,
            r.closed, r.oriented, (int)r.degenerate, (int)r.components);
    CHECK(r.closed && r.oriented && r.outward);
    assert_int_equal(r.degenerate, 0);
    assert_int_equal(r.components, 1);
    assert_int_equal(r.unused_vertices, 0);
    assert_int_equal(mesh.vertex_count - mesh.triangle_count / 2, 2 - 2 * genus_of(maker->name));
    int coarse_cross = !strcmp(maker->name, "cross") && wish < 500;
    if (wish >= 100) CHECK_NEAR(mesh.triangle_count, wish, (coarse_cross ? 0.25 : 0.10) * wish);
    double span = abut_point_distance(r.box.min, r.box.max), off = abut_length(abut_lerp(r.box.min, r.box.max, 0.5));
    CHECK(span > 0.2 && span < 1.5);
    CHECK(off <= (wish >= 10000 ? 0.1 : 0.3) * span);
    abut_mesh_free(&mesh);
}

static void every_maker_gives_a_solid(void **state) {
    (void)state;
    int count, wishes[] = {1, 7, 50, 100, 137, 250, 500, 1000, 3333, 12345, 100000, 1000000}, reached = 0;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    assert_int_equal(count, 13);
    for (int k = 0; k < count; ++k)
        for (int c = 0; c < 12; ++c) {
            if (wishes[c] == 1000000 && check_cases(10) < 10) continue;
            check_solid(&makers[k], wishes[c]);
            ++reached;
        }
    CHECK(reached >= 13 * 11);
}

static void defaults_are_what_the_table_says(void **state) {
    (void)state;
    int count;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int k = 0; k < count; ++k) {
        AbutMesh mesh = made(makers[k].name, 0, NULL),
                 same = made(makers[k].name, makers[k].triangles_default, makers[k].size_default);
        CHECK_NEAR(mesh.triangle_count, makers[k].triangles_default, 0.1 * makers[k].triangles_default);
        assert_int_equal(mesh.vertex_count, same.vertex_count);
        assert_memory_equal(mesh.vertices, same.vertices, (size_t)mesh.vertex_count * sizeof *mesh.vertices);
        assert_memory_equal(mesh.triangles, same.triangles, (size_t)mesh.triangle_count * sizeof *mesh.triangles);
        /* the text names as many sizes as there are */
        int named = 0;
        for (const char *p = makers[k].sizes; *p; ++p) named += *p == '=';
        assert_int_equal(named, makers[k].size_count);
        char value[40];
        snprintf(value, sizeof value, "=%g", makers[k].size_default[makers[k].size_count - 1]);
        assert_non_null(strstr(makers[k].sizes, value));
        abut_mesh_free(&mesh);
        abut_mesh_free(&same);
    }
    AbutMesh statue = made("statue", 0, NULL);
    CHECK_NEAR(statue.triangle_count, 100000, 1000);
    abut_mesh_free(&statue);
}

/* How often the surface winds around p: the solid angles of all triangles over the full sphere. */
static double winding(const AbutMesh *mesh, AbutVec3 p) {
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        AbutVec3 d[3];
        double l[3];
        for (int i = 0; i < 3; ++i) {
            d[i] = abut_sub(mesh->vertices[mesh->triangles[t].v[i]], p);
            l[i] = abut_length(d[i]);
        }
        double bottom = l[0] * l[1] * l[2] + abut_dot(d[0], d[1]) * l[2] + abut_dot(d[1], d[2]) * l[0] +
                        abut_dot(d[2], d[0]) * l[1];
        sum += 2.0 * atan2(abut_triple(d[0], d[1], d[2]), bottom);
    }
    return sum / (4.0 * ABUT_PI);
}

/* A surface that does not cut itself winds once around points inside and not at all around points outside. */
static void no_maker_cuts_itself(void **state) {
    (void)state;
    int count, cases = check_cases(300);
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int k = 0; k < count; ++k) {
        AbutMesh mesh = made(makers[k].name, 3000, NULL);
        AbutMeshReport r = reported(&mesh);
        AbutRng rng = abut_rng(3, (uint64_t)k);
        int inside = 0;
        for (int i = 0; i < cases; ++i) {
            AbutVec3 u = {abut_rng_unit(&rng), abut_rng_unit(&rng), abut_rng_unit(&rng)};
            double w = winding(&mesh, abut_add(r.box.min, abut_mul(u, abut_sub(r.box.max, r.box.min))));
            CHECK(fabs(w) < 1e-6 || fabs(w - 1.0) < 1e-6);
            inside += w > 0.5;
        }
        AbutVec3 size = abut_sub(r.box.max, r.box.min);
        double share = r.mass.volume / (size.x * size.y * size.z);
        CHECK_NEAR((double)inside / cases, share, 5.0 * sqrt(share * (1.0 - share) / cases) + 1e-9);
        abut_mesh_free(&mesh);
    }
}

typedef struct Closed {
    const char *name;
    AbutMass mass;
} Closed;

static AbutMass mass_of(double volume, double area, double z, double across, double along) {
    AbutMass m = {
        volume, area, abut_vec3(0, 0, z), abut_mat3_diagonal(volume * across, volume * across, volume * along)};
    return m;
}

static double mass_error(AbutMass got, AbutMass want, int part) {
    if (part == 0) return fabs(got.volume / want.volume - 1.0);
    if (part == 1) return fabs(got.area / want.area - 1.0);
    return abut_point_distance(
               abut_mat3_apply(got.inertia, abut_vec3(1, 1, 1)), abut_mat3_apply(want.inertia, abut_vec3(1, 1, 1))) /
           abut_mat3_trace(want.inertia);
}

/* Errors must fall like the square of the side of a triangle: like one over their number. */
static void meshes_converge_to_closed_forms(void **state) {
    (void)state;
    double r = 0.15, h = 0.4, ring = 0.3, tube = 0.1, cone = 0.2, pi = ABUT_PI;
    Closed closed[5] = {
        {"sphere", abut_sphere_mass((AbutSphere){abut_zero(), 0.25})},
        {"cylinder", mass_of(pi * r * r * h, 2 * pi * r * (r + h), 0, r * r / 4 + h * h / 12, r * r / 2)},
        {"cone", mass_of(pi * cone * cone * h / 3, pi * cone * (cone + hypot(cone, h)), -h / 4,
                     0.15 * cone * cone + 0.0375 * h * h, 0.3 * cone * cone)},
        {"torus", mass_of(2 * pi * pi * ring * tube * tube, 4 * pi * pi * ring * tube, 0,
                      ring * ring / 2 + 0.625 * tube * tube, ring * ring + 0.75 * tube * tube)},
        {"capsule", abut_capsule_mass((AbutCapsule){{0, 0, -0.15}, {0, 0, 0.15}, 0.1})},
    };
    for (int k = 0; k < 5; ++k) {
        AbutMesh coarse = made(closed[k].name, 2000, NULL), fine = made(closed[k].name, 128000, NULL);
        AbutMass a = reported(&coarse).mass, b = reported(&fine).mass;
        for (int part = 0; part < 3; ++part) {
            double order = log(mass_error(a, closed[k].mass, part) / mass_error(b, closed[k].mass, part)) / log(64.0);
            CHECK_NEAR(order, 1.0, 0.15);
            CHECK(mass_error(b, closed[k].mass, part) < 1e-3);
        }
        CHECK_VEC_NEAR(b.centroid, closed[k].mass.centroid, 1e-4);
        abut_mesh_free(&coarse);
        abut_mesh_free(&fine);
    }
}

/* By the theorem of Pappus a tube around a curve has the volume of its cross-section times the length of the curve. */
static void knot_has_the_volume_of_its_tube(void **state) {
    (void)state;
    double length = 0.0;
    AbutVec3 last = abut_vec3(0.3, 0, 0);
    for (int i = 1; i <= 100000; ++i) {
        double s = 2 * ABUT_PI * i / 100000, far = 0.2 + 0.1 * cos(3 * s);
        AbutVec3 p = abut_vec3(far * cos(2 * s), far * sin(2 * s), 0.1 * sin(3 * s));
        length += abut_point_distance(last, p);
        last = p;
    }
    AbutMesh mesh = made("knot", 400000, NULL);
    CHECK_NEAR(reported(&mesh).mass.volume / (ABUT_PI * 0.035 * 0.035 * length), 1.0, 1e-3);
    abut_mesh_free(&mesh);
}

static void blocks_are_exact(void **state) {
    (void)state;
    double box[3] = {0.3, 0.7, 1.1}, cross[2] = {0.8, 0.1};
    for (int wish = 12; wish < 20000; wish *= 3) {
        AbutMesh mesh = made("box", wish, box);
        AbutMass want = {0.3 * 0.7 * 1.1, 2 * (0.3 * 0.7 + 0.7 * 1.1 + 1.1 * 0.3), abut_zero(),
            abut_mat3_diagonal(0.49 + 1.21, 0.09 + 1.21, 0.09 + 0.49)};
        want.inertia = abut_mat3_scale(want.inertia, want.volume / 12.0);
        check_mass(reported(&mesh).mass, want, 1.0, 1e-12);
        abut_mesh_free(&mesh);
        mesh = made("cross", wish, cross);
        CHECK_NEAR(reported(&mesh).mass.volume, 3 * 0.8 * 0.01 - 2 * 0.001, 1e-14);
        CHECK_NEAR(reported(&mesh).mass.area, 6 * 0.01 + 24 * 0.1 * 0.35, 1e-13);
        abut_mesh_free(&mesh);
    }
    AbutMesh smallest = made("box", 1, NULL);
    assert_int_equal(smallest.triangle_count, 12);
    assert_int_equal(smallest.vertex_count, 8);
    abut_mesh_free(&smallest);
}

/* A cup is concave: the middle of its mouth is outside, its wall and bottom are inside. */
static void cup_is_hollow(void **state) {
    (void)state;
    AbutMesh mesh = made("cup", 5000, NULL);
    CHECK_NEAR(winding(&mesh, abut_vec3(0, 0, 0.1)), 0.0, 1e-9);
    CHECK_NEAR(winding(&mesh, abut_vec3(0.01, 0, -0.14)), 1.0, 1e-9);
    CHECK_NEAR(winding(&mesh, abut_vec3(0, 0.14, 0.1)), 1.0, 1e-9);
    double want = ABUT_PI * (0.15 * 0.15 * 0.3 - 0.13 * 0.13 * 0.28);
    CHECK_NEAR(reported(&mesh).mass.volume / want, 1.0, 0.01);
    abut_mesh_free(&mesh);
}

/* Random sizes give a sound solid or a clear refusal. */
static void any_sizes_give_a_solid_or_an_error(void **state) {
    (void)state;
    AbutRng rng = abut_rng(21, 1);
    int count, cases = check_cases(2000), solids = 0, refused = 0;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int k = 0; k < cases; ++k) {
        const AbutMeshMaker *maker = &makers[k % count];
        double sizes[4], scale = pow(10.0, abut_rng_between(&rng, -6, 6));
        for (int i = 0; i < 4; ++i) sizes[i] = scale * pow(10.0, abut_rng_between(&rng, -2, 2));
        AbutMesh mesh;
        AbutError error;
        AbutStatus status = abut_mesh_make(maker->name, 50 + (int)abut_rng_below(&rng, 3000), sizes, &mesh, &error);
        if (status != ABUT_OK) {
            assert_int_equal(status, ABUT_ERROR_ARGUMENT);
            CHECK(strncmp(error.text, "make", 4) == 0);
            ++refused;
            continue;
        }
        AbutMeshReport r = reported(&mesh);
        CHECK(r.outward && r.degenerate == 0);
        CHECK(mesh.triangle_count < 10000);
        abut_mesh_free(&mesh);
        ++solids;
    }
    CHECK(solids >= cases / 3 && refused >= cases / 20);
}

static void bad_requests_are_refused(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutError error;
    double zero[3] = {0.3, 0, 0.1}, nan[3] = {0.3, NAN, 0.1}, fat[3] = {0.1, 0.2, 0.3}, thin[3] = {1.0, 1e-5, 1.0};
    assert_int_equal(abut_mesh_make("teapot", 100, NULL, &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "teapot"));
    assert_int_equal(abut_mesh_make("torus", -5, NULL, &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_make("torus", ABUT_MAKE_MAX_TRIANGLES + 1, NULL, &mesh, &error), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_mesh_make("torus", 100, zero, &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_make("torus", 100, nan, &mesh, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(abut_mesh_make("torus", 100, fat, &mesh, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_make("box", 100, thin, &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_true(mesh.vertex_count == 0 && !mesh.vertices && !mesh.triangles);
}

static void failed_memory_leaks_nothing(void **state) {
    (void)state;
    int count, failures = 0;
    const AbutMeshMaker *makers = abut_mesh_makers(&count);
    for (int k = 0; k < count; ++k)
        for (int allowed = 0;; ++allowed) {
            FailingMemory memory = {allowed, 0};
            AbutAllocator allocator = {failing_alloc, failing_release, &memory};
            AbutMesh mesh;
            abut_set_allocator(&allocator);
            AbutStatus status = abut_mesh_make(makers[k].name, 200, NULL, &mesh, NULL);
            if (status == ABUT_OK) abut_mesh_free(&mesh);
            abut_set_allocator(NULL);
            assert_int_equal(memory.live, 0);
            if (status == ABUT_OK) break;
            assert_int_equal(status, ABUT_ERROR_MEMORY);
            assert_true(!mesh.vertices && !mesh.triangles);
            ++failures;
        }
    CHECK(failures >= 2 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_maker_gives_a_solid),
        cmocka_unit_test(defaults_are_what_the_table_says),
        cmocka_unit_test(no_maker_cuts_itself),
        cmocka_unit_test(meshes_converge_to_closed_forms),
        cmocka_unit_test(knot_has_the_volume_of_its_tube),
        cmocka_unit_test(blocks_are_exact),
        cmocka_unit_test(cup_is_hollow),
        cmocka_unit_test(any_sizes_give_a_solid_or_an_error),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(failed_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
