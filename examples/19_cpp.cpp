/* SPDX-License-Identifier: Apache-2.0 */
/* C++: how far apart, how deep, when; what a ray hits; how near a moving body comes; and a box that falls. */
#include <abut/abut.hpp>
#include <cmath>
#include <cstdio>

using abut::Vec3;

static abut::Pose at(double x, double y, double z) { return abut_pose({x, y, z}, abut_quat_identity()); }

/* A box that falls onto the ground, for one second. */
static abut::Result<double> drop() {
    auto scene = abut::Scene::create();
    if (!scene) return scene.error();
    AbutBodyDef ground = abut_body_default(), box = abut_body_default();
    AbutShapeDef half_space = abut_shape_default(), cube = abut_shape_default();
    ground.kind = ABUT_BODY_STATIC, box.pose = at(0, 0, 0.3);
    half_space.form.kind = ABUT_SHAPE_HALF_SPACE, cube.form.kind = ABUT_SHAPE_BOX, cube.form.size = {0.1, 0.1, 0.1};
    const auto floor = scene->add_body(ground), body = scene->add_body(box);
    if (!floor || !body) return (floor ? body : floor).error();
    for (const auto &added : {scene->add_shape(*floor, half_space), scene->add_shape(*body, cube)})
        if (!added) return added.error();
    auto simulation = abut::Simulation::create(std::move(*scene));
    if (!simulation) return simulation.error();
    for (int i = 0; i < 1000; ++i)
        if (const auto report = simulation->step(1e-3); !report) return report.error();
    return simulation->scene().state(*body)->pose.p.z;
}

int main() {
    const auto die = abut::Solid::box({0.5, 0.5, 0.5});
    const auto bar = abut::Solid::capsule({-1, 0, 0}, {1, 0, 0}, 0.2);

    const abut::Gap apart = abut::distance(die, bar, at(0, 0, 1.5)), deep = abut::depth(die, bar, at(0, 0, 0.6));
    std::printf("apart %.3f m, deep %.3f m\n", apart.distance, -deep.distance);

    const AbutMover moves = abut::mover(bar, abut_motion_translation(at(0, 0, 1.5), {0, 0, -1}));
    const AbutMover stands = abut::mover(die, abut_motion_static(at(0, 0, 0)));
    const AbutImpact impact = abut::time_of_impact(stands, moves, 0, 2);
    AbutClearanceDef def{};
    def.to = 0.5, def.eps = 1e-4;
    const auto near = abut::clearance(stands, moves, def);
    if (!near) return std::fprintf(stderr, "%s\n", near.error().text), 1;
    std::printf("they touch at %.4f s; until 0.5 s never nearer than %.4f m\n", impact.t, near->lb);

    const AbutCastHit hit = abut::cast(abut::placed(die, at(3, 0, 0)), {0, 0, 0}, {5, 0, 0});
    std::printf("the ray meets the die at x = %.3f m\n", hit.point.x);

    const auto height = drop();
    if (!height) return std::fprintf(stderr, "%s\n", height.error().text), 1;
    std::printf("the box rests at %.3f m\n", *height);

    const bool right = std::abs(apart.distance - 0.8) < 1e-12 && std::abs(deep.distance + 0.1) < 1e-9 &&
                       std::abs(impact.t - 0.8) < 1e-5 && std::abs(near->lb - 0.3) < 2e-4 && hit.t == 0.5 &&
                       std::abs(*height - 0.1) < 1e-3;
    return right ? 0 : 1;
}
