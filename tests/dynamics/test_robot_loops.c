/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mechanisms with several loops: parallel necks, cranks that hold a coupler more often than it needs. Their places stay
 * together over a minute, and nothing feeds them energy.
 */
#include "dynamics/robot_world.h"

typedef struct Outcome {
    double start, rise, above, gap, last_gap, fastest; /* energies; gaps: largest in the last half, at the end */
    int finite;
} Outcome;

static double join_gap(const World *world, const AbutEqualityDef *e)
{
    AbutPose pose[2] = {abut_pose_identity(), abut_pose_identity()};
    int32_t body[2] = {e->a, e->b};
    for (int i = 0; i < 2; ++i)
        if (body[i] >= 0)
            pose[i] = body_of(world, abut_scene_robot_body(world->scene, 0, body[i])).pose;
    return abut_point_distance(abut_pose_apply(pose[0], e->pose_a.p), abut_pose_apply(pose[1], e->pose_b.p));
}

static double largest_gap(const World *world)
{
    const AbutModel *model = abut_scene_robot_model(world->scene, 0);
    double gap = 0.0;
    for (int32_t e = 0; e < model->equality_count; ++e)
        gap = fmax(gap, join_gap(world, &model->equalities[e]));
    return gap;
}

static Outcome run(World *world, double dt, double time)
{
    double kinetic, potential;
    abut_simulation_energy(world->sim, &kinetic, &potential);
    double before = kinetic + potential;
    Outcome o = {before, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < (int)(time / dt + 0.5); ++i) {
        AbutStepReport r = world_step(world, dt);
        double now = r.kinetic + r.potential;
        o.rise = fmax(o.rise, now - before);
        o.above = fmax(o.above, now - o.start);
        o.last_gap = largest_gap(world);
        o.gap = i * dt > 0.5 * time ? fmax(o.gap, o.last_gap) : 0.0;
        o.fastest = fmax(o.fastest, r.kinetic);
        o.finite &= isfinite(now) && isfinite(r.residual);
        before = now;
    }
    world_free(world);
    return o;
}

/* ---- a neck ------------------------------------------------------------------------------------------------------ */

static int32_t put_turning(AbutModel *model, int32_t parent, AbutVec3 at, double mass, AbutVec3 center, double loss)
{
    int32_t body = add_mass(model, ABUT_BODY_LINK, parent, at, mass, center, 0.02);
    AbutJointDef def = joint_def(ABUT_JOINT_HINGE, body, abut_axis(1));
    def.friction_loss = loss;
    def.damping = loss;
    put_joint(model, &def);
    return body;
}

/* A head that two light rods turn: two connections on one mechanism, whose parallelograms are nearly the same; one rod
 * is too long by the error. */
static World neck(double loss, double error)
{
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutVec3 rod = abut_vec3(0.03, 0, -0.035), pivot = abut_vec3(0, 0, 0.02);
    int32_t head = put_turning(model, -1, pivot, 0.16, abut_vec3(-0.012, 0, 0.05), loss),
            plate = put_turning(model, head, abut_neg(rod), 0.002, abut_zero(), loss);
    for (int i = 0; i < 2; ++i) {
        AbutVec3 off = abut_scale(abut_vec3(0.008, 0, 0.0021), i ? -1.0 : 1.0),
                 wrong = abut_vec3(0, 0, i ? error : 0.0);
        int32_t link = put_turning(model, plate, off, 0.003, abut_scale(rod, 0.5), loss);
        put_connect(model, ABUT_EQUALITY_CONNECT, link, abut_add(rod, wrong), -1, abut_add(pivot, off));
    }
    return world_of_model(model, &def);
}

static void test_necks_stay_calm(void **state)
{
    (void)state;
    const double dt[3] = {0.5e-3, 1e-3, 2e-3}, error[3] = {0.0, 1e-6, 3e-5};
    for (int i = 0; i < 18; ++i) {
        World world = neck(i / 9 ? 0.0 : 0.01, error[i / 3 % 3]);
        Outcome o = run(&world, dt[i % 3], 2.0);
        CHECK(o.finite);
        CHECK(o.rise < 0.01);
        CHECK(o.above < 0.02 * o.start); /* it swings from one side to the other */
        CHECK(o.gap < 20.0 * error[i / 3 % 3] + 1e-7);
    }
}

/* ---- more cranks than a coupler needs ---------------------------------------------------------------------------- */

static void test_three_cranks_for_a_minute(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        AbutModel *model = new_model();
        AbutSimulationDef def = abut_simulation_default();
        int32_t crank[3];
        for (int k = 0; k < 3; ++k) {
            crank[k] = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0.3 * k, 0, 0), 0.5, abut_vec3(0, 0, -0.1), 0.05);
            put_hinge(model, crank[k], abut_axis(1));
        }
        int32_t coupler =
            add_mass(model, ABUT_BODY_LINK, crank[0], abut_vec3(0, 0, -0.2), 1.0, abut_vec3(0.3, 0, 0), 0.2);
        put_hinge(model, coupler, abut_axis(1));
        for (int k = 1; k < 3; ++k) /* the last one may be too long */
            put_connect(model, ABUT_EQUALITY_CONNECT, coupler, abut_vec3(0.3 * k, 0, 0), crank[k],
                abut_vec3(0, 0, i && k == 2 ? -0.200002 : -0.2));
        World world = world_of_model(model, &def);
        double start[4] = {0.5, 0.5, 0.5, -0.5};
        set_joints(&world, start, NULL);
        Outcome o = run(&world, 2e-3, 60.0);
        CHECK(o.finite);
        CHECK(o.gap < 1e-5);
        CHECK(o.rise < 1e-3 * o.fastest);
        CHECK(o.above < 1e-2 * o.fastest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_necks_stay_calm),
        cmocka_unit_test(test_three_cranks_for_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
