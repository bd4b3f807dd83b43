/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut.hpp: the queries and the simulation for C++17, in one header over the C interface.
 *
 * Objects free themselves. Nothing throws and nothing is virtual: a function that can fail returns a Result, which
 * holds a value or an Error, and queries return the plain structs of C. Units, frames and signs are those of the C
 * headers. The C functions take what `get` returns. docs/howto/adapters/cpp.md introduces it.
 */
#ifndef ABUT_ABUT_HPP
#define ABUT_ABUT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "abut/abut.h"

namespace abut {

/* ---- values ------------------------------------------------------------------------------------------------------ */

using Vec3 = AbutVec3;
using Quat = AbutQuat;
using Pose = AbutPose;
using Gap = AbutGap;
using Error = AbutError;

/* A view of `size` items that lie one after the other; made from an array, a vector or anything with data and size. */
template <class T> class Span {
  public:
    constexpr Span() = default;
    constexpr Span(T *data, std::size_t size) : data_(data), size_(size) {}
    template <std::size_t N> constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr Span(C &&items) : data_(items.data()), size_(items.size()) {}
    constexpr T *data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const { return data_[i]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* A value, or the error for which there is none. Reading the value of a failure ends the program. */
template <class T> class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}
    Result(const Error &error) : error_(error) {}
    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    const Error &error() const { return error_; }
    T &value() & { return held(), *value_; }
    const T &value() const & { return held(), *value_; }
    T &&value() && { return held(), std::move(*value_); }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }
    T value_or(T other) const & { return has_value() ? *value_ : std::move(other); }

  private:
    void held() const {
        if (!value_) std::abort();
    }
    std::optional<T> value_;
    Error error_{};
};

template <> class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(const Error &error) : error_(error), failed_(true) {}
    bool has_value() const { return !failed_; }
    explicit operator bool() const { return !failed_; }
    const Error &error() const { return error_; }

  private:
    Error error_{};
    bool failed_ = false;
};

namespace detail {

template <auto F> struct Free {
    template <class T> void operator()(T *p) const { F(p); }
};
template <class T, auto F> using Owned = std::unique_ptr<T, Free<F>>;

/* A call that fills *out; its failure becomes the error of the result. */
template <class T, class Call> Result<T> made(Call call) {
    T out{};
    Error error{};
    if (call(&out, &error) != ABUT_OK) return error;
    return out;
}

template <class Call> Result<void> done(Call call) {
    Error error{};
    if (call(&error) != ABUT_OK) return error;
    return {};
}

} // namespace detail

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* A body of any kind with the geometry it needs. Copies share that geometry, which does not change. */
class Solid {
  public:
    static Solid sphere(double radius) { return Solid(abut_convex_point(abut_zero(), radius)); }
    static Solid capsule(double radius, double half_length) {
        return capsule(abut_vec3(0, 0, -half_length), abut_vec3(0, 0, half_length), radius);
    }
    static Solid capsule(Vec3 a, Vec3 b, double radius) { return Solid(abut_convex_segment(a, b, radius)); }
    static Solid box(Vec3 half_size, double radius = 0) { return Solid(abut_convex_box(half_size, radius)); }
    static Solid cylinder(double radius, double half_height) {
        return Solid(abut_convex_cylinder(radius, half_height, 0));
    }
    static Solid cone(double radius, double half_height) { return Solid(abut_convex_cone(radius, half_height, 0)); }
    static Solid ellipsoid(Vec3 semi_axes) { return Solid(abut_convex_ellipsoid(semi_axes, 0)); }
    static Solid half_space(Vec3 normal, double offset) {
        return Solid(abut_convex_half_space(AbutPlane{normal, offset}, 0));
    }

    static Result<Solid> hull(Span<const Vec3> points, double radius = 0) {
        auto body = std::make_shared<Body>();
        Error error{};
        if (abut_polyhedron_from_points(
                points.data(), static_cast<int>(points.size()), nullptr, &body->solid.hull, &error) != ABUT_OK)
            return error;
        body->solid.kind = ABUT_SOLID_CONVEX;
        body->solid.convex = abut_convex_polyhedron(body->solid.hull, radius);
        return Solid(std::move(body));
    }

    /* Triangles run counter-clockwise seen from outside. */
    static Result<Solid> mesh(Span<const Vec3> vertices, Span<const AbutTriangle> triangles,
        AbutSolidChoice choice = ABUT_SOLID_AS_IS, const AbutDecomposeDef *pieces = nullptr) {
        AbutMesh mesh{};
        Error error{};
        if (abut_mesh_create(static_cast<int>(vertices.size()), static_cast<int>(triangles.size()), &mesh, &error) !=
            ABUT_OK)
            return error;
        for (std::size_t i = 0; i < vertices.size(); ++i) mesh.vertices[i] = vertices[i];
        for (std::size_t i = 0; i < triangles.size(); ++i) mesh.triangles[i] = triangles[i];
        return of(mesh, choice, pieces);
    }

    /* A mesh file: OBJ, STL, PLY, TRI, GLB or DAE. */
    static Result<Solid> read(
        const char *path, AbutSolidChoice choice = ABUT_SOLID_AS_IS, const AbutDecomposeDef *pieces = nullptr) {
        char *bytes = nullptr;
        std::size_t count = 0;
        AbutMesh mesh{};
        Error error{};
        if (abut_file_load(path, "mesh", std::size_t{1} << 31, &bytes, &count, &error) != ABUT_OK) return error;
        detail::Owned<char, abut_free> held(bytes);
        if (abut_mesh_read(path, bytes, count, &mesh, nullptr, &error) != ABUT_OK) return error;
        return of(mesh, choice, pieces);
    }

    AbutSolid get() const { return abut_solid_of(&body_->solid); }
    bool is_convex() const { return get().kind == ABUT_SOLID_CONVEX; }

  private:
    struct Body {
        AbutSolidBody solid{};
        Body() = default;
        Body(const Body &) = delete;
        Body &operator=(const Body &) = delete;
        ~Body() { abut_solid_body_free(&solid); }
    };

    explicit Solid(const AbutConvex &convex) {
        auto body = std::make_shared<Body>();
        body->solid.kind = ABUT_SOLID_CONVEX;
        body->solid.convex = convex;
        body_ = std::move(body);
    }
    explicit Solid(std::shared_ptr<Body> body) : body_(std::move(body)) {}

    /* Takes the mesh over. */
    static Result<Solid> of(AbutMesh mesh, AbutSolidChoice choice, const AbutDecomposeDef *pieces) {
        auto body = std::make_shared<Body>();
        Error error{};
        AbutStatus status = abut_solid_from_mesh(&mesh, choice, pieces, &body->solid, &error);
        abut_mesh_free(&mesh);
        if (status != ABUT_OK) return error;
        return Solid(std::move(body));
    }

    std::shared_ptr<const Body> body_;
};

/* ---- questions about two bodies, B at a pose in A ------------------------------------------------------------------ */

inline Gap distance(const Solid &a, const Solid &b, const Pose &b_in_a, const AbutGapDef *def = nullptr,
    AbutGapCache *cache = nullptr) {
    return abut_distance(a.get(), b.get(), b_in_a, def, cache);
}

inline Gap depth(const Solid &a, const Solid &b, const Pose &b_in_a, const AbutDepthDef *def = nullptr,
    AbutGapCache *cache = nullptr) {
    return abut_depth(a.get(), b.get(), b_in_a, def, cache);
}

inline AbutCollision collide(const Solid &a, const Solid &b, const Pose &b_in_a, AbutGapCache *cache = nullptr) {
    return abut_collide(a.get(), b.get(), b_in_a, cache);
}

/* The pairs of triangles that meet, at most as many as the span holds; `pair_count` of the answer counts all. */
inline AbutCollision collide_all(const Solid &a, const Solid &b, const Pose &b_in_a, Span<AbutPair> pairs) {
    return abut_collide_all(a.get(), b.get(), b_in_a, static_cast<std::int32_t>(pairs.size()), pairs.data());
}

inline Result<AbutVolume> overlap_volume(const Solid &a, const Solid &b, const Pose &b_in_a, int directions = 0) {
    return detail::made<AbutVolume>([&](AbutVolume *out, Error *error) {
        return abut_overlap_volume(a.get(), b.get(), b_in_a, directions, out, error);
    });
}

/* Many questions; `out` holds as many answers. */
inline void distance_batch(
    Span<const AbutSolidPair> pairs, Span<Gap> out, int threads = 1, const AbutGapDef *def = nullptr) {
    const std::size_t count = pairs.size() < out.size() ? pairs.size() : out.size();
    abut_distance_batch(static_cast<int>(count), pairs.data(), def, out.data(), threads);
}

/* ---- rays and moved bodies ------------------------------------------------------------------------------------------ */

/* A body at a pose. */
inline AbutPlaced placed(const Solid &solid, const Pose &pose) { return AbutPlaced{solid.get(), pose}; }
AbutPlaced placed(Solid &&solid, const Pose &pose) = delete; /* it would not outlive the call */

/* The ray origin + t way, 0 <= t <= 1. */
inline AbutCastHit cast(const AbutPlaced &body, Vec3 origin, Vec3 way) {
    const AbutCast cast{{origin, way}, nullptr, 0};
    return abut_cast(&body, &cast);
}

/* A body moved by `way` without turning. */
inline AbutCastHit cast(const AbutPlaced &body, const AbutPlaced &moved, Vec3 way, double tolerance = 0) {
    const AbutCast cast{{abut_zero(), way}, &moved, tolerance};
    return abut_cast(&body, &cast);
}

/* Bodies where they stand, with a tree over them. Copies of the solids are kept. */
class BodySet {
  public:
    static Result<BodySet> create(Span<const std::pair<Solid, Pose>> bodies) {
        BodySet set;
        for (const auto &body : bodies) {
            set.solids_.push_back(body.first);
            set.placed_.push_back(placed(body.first, body.second));
        }
        AbutBodyTree *tree = nullptr;
        Error error{};
        const auto count = static_cast<std::int32_t>(set.placed_.size());
        if (abut_body_tree_create(count, set.placed_.data(), &tree, &error) != ABUT_OK) return error;
        set.tree_.reset(tree);
        return set;
    }
    AbutBodySet get() const {
        return {static_cast<std::int32_t>(placed_.size()), placed_.data(), nullptr, nullptr, tree_.get()};
    }
    AbutCastHit cast(Vec3 origin, Vec3 way) const { return first({{origin, way}, nullptr, 0}); }
    AbutCastHit cast(const AbutPlaced &moved, Vec3 way, double tolerance = 0) const {
        return first({{abut_zero(), way}, &moved, tolerance});
    }
    void cast(Span<const AbutCast> casts, Span<AbutCastHit> out, int threads = 1) const {
        const AbutBodySet set = get();
        const std::size_t count = casts.size() < out.size() ? casts.size() : out.size();
        abut_cast_batch(&set, static_cast<int>(count), casts.data(), out.data(), threads);
    }
    std::vector<AbutCastHit> cast_all(Vec3 origin, Vec3 way) const {
        const AbutBodySet set = get();
        const AbutCast cast{{origin, way}, nullptr, 0};
        std::vector<AbutCastHit> hits(placed_.size());
        const std::int32_t count = abut_cast_all(&set, &cast, set.count, hits.data());
        hits.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return hits;
    }
    AbutNearestPoint nearest_point(Vec3 point) const {
        const AbutBodySet set = get();
        AbutNearestPoint out{};
        abut_nearest_point_batch(&set, 1, &point, &out, 1);
        return out;
    }

  private:
    AbutCastHit first(const AbutCast &cast) const {
        const AbutBodySet set = get();
        AbutCastHit out{};
        abut_cast_batch(&set, 1, &cast, &out, 1);
        return out;
    }
    std::vector<Solid> solids_;
    std::vector<AbutPlaced> placed_;
    detail::Owned<AbutBodyTree, abut_body_tree_free> tree_;
};

/* ---- motions ------------------------------------------------------------------------------------------------------- */

inline AbutMover mover(const Solid &solid, const AbutMotion &motion) { return AbutMover{solid.get(), motion}; }
AbutMover mover(Solid &&solid, const AbutMotion &motion) = delete;

/* The first contact between `from` and `to`, never late. */
inline AbutImpact time_of_impact(const AbutMover &a, const AbutMover &b, double from, double to, double tolerance = 0) {
    AbutImpactDef def{};
    def.from = from, def.to = to, def.tolerance = tolerance;
    return abut_time_of_impact(&a, &b, &def);
}

/* The least distance from `def.from` to `def.to`, with a proved bracket. */
inline Result<AbutClearance> clearance(const AbutMover &a, const AbutMover &b, const AbutClearanceDef &def) {
    AbutClearanceBody *bodies[2] = {nullptr, nullptr};
    AbutClearanceSpace *space = nullptr;
    Error error{};
    AbutStatus status = abut_clearance_body_create(1, &a.solid, &bodies[0], &error);
    const detail::Owned<AbutClearanceBody, abut_clearance_body_free> first(bodies[0]);
    if (status == ABUT_OK) status = abut_clearance_body_create(1, &b.solid, &bodies[1], &error);
    const detail::Owned<AbutClearanceBody, abut_clearance_body_free> second(bodies[1]);
    if (status == ABUT_OK) status = abut_clearance_space_create(0, &space, &error);
    const detail::Owned<AbutClearanceSpace, abut_clearance_space_free> held(space);
    if (status != ABUT_OK) return error;
    const AbutMover movers[2] = {
        {abut_solid_prepared(bodies[0]), a.motion}, {abut_solid_prepared(bodies[1]), b.motion}};
    return abut_clearance(&movers[0], &movers[1], &def, space);
}

/* ---- simulation ---------------------------------------------------------------------------------------------------- */

class Model {
  public:
    static Result<Model> create() { return from(abut_model_create); }
    /* MJCF, URDF or xacro. */
    static Result<Model> read(const char *path, const AbutModelReadOptions *options = nullptr) {
        return from([&](AbutModel **out, Error *error) { return abut_model_read(path, options, out, error); });
    }
    /* A built-in one, as "boxes:50". */
    static Result<Model> build(const char *spec, std::uint64_t seed = 1) {
        return from([&](AbutModel **out, Error *error) { return abut_model_build(spec, seed, out, error); });
    }
    AbutModel *get() const { return model_.get(); }

  private:
    template <class Call> static Result<Model> from(Call call) {
        AbutModel *out = nullptr;
        Error error{};
        if (call(&out, &error) != ABUT_OK) return error;
        Model model;
        model.model_.reset(out);
        return model;
    }
    detail::Owned<AbutModel, abut_model_free> model_;
};

class Scene {
  public:
    static Result<Scene> create() {
        AbutScene *out = nullptr;
        Error error{};
        if (abut_scene_create(&out, &error) != ABUT_OK) return error;
        Scene scene;
        scene.scene_.reset(out);
        return scene;
    }
    Result<void> add(const Model &model, const Pose &pose = abut_pose_identity()) {
        return detail::done(
            [&](Error *error) { return abut_scene_add_model(get(), model.get(), pose, nullptr, error); });
    }
    Result<AbutBodyId> add_body(const AbutBodyDef &def = abut_body_default()) {
        return detail::made<AbutBodyId>(
            [&](AbutBodyId *out, Error *error) { return abut_scene_add_body(get(), &def, out, error); });
    }
    Result<AbutShapeId> add_shape(AbutBodyId body, const AbutShapeDef &def) {
        return detail::made<AbutShapeId>(
            [&](AbutShapeId *out, Error *error) { return abut_scene_add_shape(get(), body, &def, out, error); });
    }
    Result<void> set_pose(AbutBodyId body, const Pose &pose) {
        return detail::done([&](Error *error) { return abut_scene_set_pose(get(), body, pose, error); });
    }
    Result<void> set_velocity(AbutBodyId body, Vec3 linear, Vec3 angular) {
        return detail::done([&](Error *error) { return abut_scene_set_velocity(get(), body, linear, angular, error); });
    }
    int size() const { return abut_scene_body_count(get()); }
    AbutBodyId body(int index) const { return abut_scene_body_at(get(), index); }
    std::optional<AbutBodyState> state(AbutBodyId body) const {
        AbutBodyState out{};
        if (!abut_scene_get_body(get(), body, &out)) return std::nullopt;
        return out;
    }
    std::optional<AbutBodyState> state(const char *name) const { return state(abut_scene_find_body(get(), name)); }
    AbutSceneHit cast(Vec3 origin, Vec3 way) const {
        const AbutCast cast{{origin, way}, nullptr, 0};
        return abut_scene_cast(get(), &cast, nullptr, nullptr);
    }
    AbutScene *get() const { return scene_.get(); }

  private:
    detail::Owned<AbutScene, abut_scene_free> scene_;
};

/* Holds its scene. */
class Simulation {
  public:
    static Result<Simulation> create(Scene scene, const AbutSimulationDef &def = abut_simulation_default()) {
        AbutSimulation *out = nullptr;
        Error error{};
        if (abut_simulation_create(scene.get(), &def, &out, &error) != ABUT_OK) return error;
        return Simulation(std::move(scene), out);
    }
    Simulation(Simulation &&) = default;
    Simulation &operator=(Simulation &&other) noexcept {
        std::swap(scene_, other.scene_); /* a simulation goes before its scene, here at the end of `other` */
        std::swap(simulation_, other.simulation_);
        return *this;
    }
    Result<AbutStepReport> step(double dt) {
        return detail::made<AbutStepReport>(
            [&](AbutStepReport *out, Error *error) { return abut_simulation_step(get(), dt, out, error); });
    }
    double time() const { return abut_simulation_time(get()); }
    Scene &scene() { return scene_; }
    const Scene &scene() const { return scene_; }
    std::vector<AbutContact> contacts() const {
        std::vector<AbutContact> out(static_cast<std::size_t>(abut_simulation_contact_count(get())));
        for (std::size_t i = 0; i < out.size(); ++i) abut_simulation_get_contact(get(), static_cast<int>(i), &out[i]);
        return out;
    }
    Result<void> set_force(AbutBodyId body, Vec3 force, Vec3 torque = abut_zero()) {
        return detail::done([&](Error *error) { return abut_simulation_set_force(get(), body, force, torque, error); });
    }
    std::vector<unsigned char> save() const {
        std::vector<unsigned char> state(abut_simulation_state_size(get()));
        abut_simulation_save(get(), state.data());
        return state;
    }
    Result<void> restore(Span<const unsigned char> state) {
        return detail::done(
            [&](Error *error) { return abut_simulation_restore(get(), state.data(), state.size(), error); });
    }
    std::uint64_t hash() const { return abut_simulation_hash(get()); }
    AbutSimulation *get() const { return simulation_.get(); }

  private:
    Simulation(Scene scene, AbutSimulation *simulation) : scene_(std::move(scene)), simulation_(simulation) {}
    Scene scene_; /* first, so that it is freed last */
    detail::Owned<AbutSimulation, abut_simulation_free> simulation_;
};

} // namespace abut

#endif
