/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut.hpp: its answers are those of the C functions, bit for bit, on random bodies; ownership through copies and
 * moves; failures. Seeded; the oracle is a call of C with geometry made by hand.
 */
#include "abut/abut.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace abut;

static int failures, asked;

static void check(bool good, const char *what, int line) {
    ++asked;
    if (good) return;
    ++failures;
    std::fprintf(stderr, "test_cpp.cpp:%d: %s\n", line, what);
}
#define CHECK(x) check((x), #x, __LINE__)

static bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
static bool same(Vec3 a, Vec3 b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }
static bool same(const Gap &a, const Gap &b) {
    return a.outcome == b.outcome && same(a.distance, b.distance) && same(a.normal, b.normal) &&
           same(a.point_a, b.point_a) && same(a.point_b, b.point_b);
}

static Pose random_pose(AbutRng *rng, double spread) {
    const Vec3 p = abut_scale(abut_random_direction(rng), spread);
    return abut_pose(p, abut_random_quat(rng));
}

struct Polyhedra {
    std::vector<Vec3> points;
    AbutPolyhedron *c = nullptr;
    explicit Polyhedra(AbutRng *rng) {
        for (int i = 0; i < 20; ++i) points.push_back(abut_random_direction(rng));
        if (abut_polyhedron_from_points(points.data(), 20, nullptr, &c, nullptr) != ABUT_OK) std::abort();
    }
    ~Polyhedra() { abut_polyhedron_free(c); }
    Polyhedra(const Polyhedra &) = delete;
    Polyhedra &operator=(const Polyhedra &) = delete;
};

static void convex_answers_are_those_of_c() {
    AbutRng rng = abut_rng(11, 0);
    int deep = 0;
    for (int i = 0; i < 300; ++i) {
        const Polyhedra one(&rng);
        const auto a = Solid::hull(one.points, 0.01).value();
        const Solid b = i % 2 ? Solid::box({0.3, 0.4, 0.5}) : Solid::cylinder(0.3, 0.6);
        const AbutConvex ca = abut_convex_polyhedron(one.c, 0.01),
                         cb = i % 2 ? abut_convex_box({0.3, 0.4, 0.5}, 0) : abut_convex_cylinder(0.3, 0.6, 0);
        const Pose pose = random_pose(&rng, 0.5 + 0.01 * i);
        const AbutSolid sa = abut_solid_convex(&ca), sb = abut_solid_convex(&cb);
        const Gap gap = distance(a, b, pose);
        CHECK(same(gap, abut_distance(sa, sb, pose, nullptr, nullptr)));
        CHECK(same(depth(a, b, pose), abut_depth(sa, sb, pose, nullptr, nullptr)));
        CHECK(collide(a, b, pose).outcome == abut_collide(sa, sb, pose, nullptr).outcome);
        const auto volume = overlap_volume(a, b, pose, 64);
        AbutVolume truth;
        CHECK(volume && abut_overlap_volume(sa, sb, pose, 64, &truth, nullptr) == ABUT_OK);
        CHECK(same(volume->low, truth.low) && same(volume->high, truth.high));
        deep += gap.distance < 0;
    }
    CHECK(deep > 20 && deep < 280);
}

static Solid torus(AbutSolidChoice choice = ABUT_SOLID_AS_IS) {
    AbutMesh mesh;
    if (abut_mesh_make("torus", 500, nullptr, &mesh, nullptr) != ABUT_OK) std::abort();
    const auto count = [](std::int32_t n) { return static_cast<std::size_t>(n); };
    auto solid =
        Solid::mesh({mesh.vertices, count(mesh.vertex_count)}, {mesh.triangles, count(mesh.triangle_count)}, choice);
    abut_mesh_free(&mesh);
    return solid.value();
}

static void meshes_and_motions() {
    const Solid ring = torus(), ball = Solid::sphere(0.1), hull = torus(ABUT_SOLID_HULL);
    CHECK(!ring.is_convex() && hull.is_convex());
    CHECK(distance(ring, ball, abut_pose_identity()).outcome == ABUT_SEPARATED);
    CHECK(distance(hull, ball, abut_pose_identity()).outcome == ABUT_PENETRATING);
    AbutPair pairs[1000];
    const Pose shifted = abut_pose({0.2, 0, 0}, abut_quat_axis_angle({1, 0, 0}, 0.3));
    const AbutCollision all = collide_all(ring, ring, shifted, pairs);
    CHECK(all.outcome == ABUT_PENETRATING && all.count > 10);
    AbutPair truth[1000];
    CHECK(abut_collide_all(ring.get(), ring.get(), shifted, 1000, truth).count == all.count);
    CHECK(std::memcmp(pairs, truth, sizeof(AbutPair) * static_cast<std::size_t>(all.count)) == 0);
    const AbutMover moves =
        mover(ball, abut_motion_translation(abut_pose({0, 0, 5}, abut_quat_identity()), {0, 0, -1}));
    const Solid ground = Solid::half_space({0, 0, 1}, 0);
    const AbutMover stands = mover(ground, abut_motion_static(abut_pose_identity()));
    CHECK(std::abs(time_of_impact(stands, moves, 0, 10).t - 4.9) < 1e-5);
    AbutClearanceDef def{};
    def.to = 3, def.eps = 1e-6;
    const auto near = clearance(moves, stands, def);
    CHECK(near && near->lb <= 1.9 && near->lb > 1.9 - 1e-5);
    const AbutSolidPair asked_pairs[2] = {
        {ring.get(), ball.get(), abut_pose_identity(), nullptr}, {ring.get(), ball.get(), shifted, nullptr}};
    Gap out[2];
    distance_batch(asked_pairs, out, 2);
    CHECK(same(out[0], distance(ring, ball, abut_pose_identity())) && same(out[1], distance(ring, ball, shifted)));
}

static void sets_of_bodies() {
    std::vector<std::pair<Solid, Pose>> row;
    for (int i = 1; i <= 5; ++i)
        row.emplace_back(Solid::sphere(0.25), abut_pose({double(i), 0, 0}, abut_quat_identity()));
    auto made = BodySet::create(row);
    CHECK(bool(made));
    row.clear(); /* the set keeps the bodies */
    const BodySet set = std::move(*made);
    CHECK(
        set.cast({0, 0, 0}, {10, 0, 0}).body == 0 && std::abs(set.cast({0, 0, 0}, {10, 0, 0}).point.x - 0.75) < 1e-12);
    CHECK(set.cast_all({0, 0, 0}, {3.5, 0, 0}).size() == 3);
    CHECK(set.nearest_point({4.6, 0, 1}).body == 4);
    const Solid ball = Solid::sphere(0.25);
    CHECK(std::abs(set.cast(placed(ball, abut_pose_identity()), {10, 0, 0}).t - 0.05) < 1e-6);
}

static void failures_are_told() {
    const Vec3 nothing[] = {{0, 0, 0}};
    const auto no = Solid::hull(Span<const Vec3>(nothing, 0));
    CHECK(!no && no.error().status != ABUT_OK && no.error().text[0]);
    const auto missing = Solid::read("no_such_file.obj");
    CHECK(!missing && std::strstr(missing.error().text, "no_such_file.obj"));
    CHECK(!Model::build("no_such_scene"));
    CHECK(!Model::read("no_such_file.xml"));
    auto scene = Scene::create().value();
    CHECK(!scene.add_shape(AbutBodyId{}, abut_shape_default()));
    const Vec3 triangle[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const AbutTriangle outside[] = {{{0, 1, 7}}};
    CHECK(!Solid::mesh(triangle, outside));
    CHECK(Result<int>(3).value_or(4) == 3 && Result<int>(Error{}).value_or(4) == 4);
}

static Simulation stack() {
    auto scene = Scene::create().value();
    if (!scene.add(Model::build("boxes:5", 3).value())) std::abort();
    return Simulation::create(std::move(scene)).value();
}

static void simulations() {
    Simulation one = stack(), two = stack();
    for (int i = 0; i < 50; ++i) CHECK(one.step(1e-3) && two.step(1e-3));
    CHECK(one.hash() == two.hash() && std::abs(one.time() - 0.05) < 1e-12);
    const auto state = one.save();
    CHECK(bool(one.step(1e-3)));
    const auto later = one.hash();
    CHECK(later != two.hash() && one.restore(state) && one.hash() == two.hash());
    CHECK(!one.restore(Span<const unsigned char>(state.data(), 3)));
    two = std::move(one); /* frees the old simulation before its scene */
    CHECK(two.step(1e-3) && two.hash() == later && two.scene().size() > 5);
    CHECK(!two.step(-1.0));
    for (const AbutContact &contact : two.contacts()) CHECK(std::abs(abut_length(contact.normal) - 1) < 1e-9);
    CHECK(!two.scene().state("nobody"));
    CHECK(two.scene().cast({0, 0, 9}, {0, 0, -20}).hit.outcome == ABUT_IMPACT_HIT);
}

int main() {
    convex_answers_are_those_of_c();
    meshes_and_motions();
    sets_of_bodies();
    failures_are_told();
    simulations();
    std::printf("%d checks, %d failures\n", asked, failures);
    return failures != 0;
}
