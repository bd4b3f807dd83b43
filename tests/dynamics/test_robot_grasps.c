/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grasps at mass ratios up to 10^4: two fingers on slides press on a cube. Coulomb's law says whether it is held: two
 * faces carry 2 mu F. And a peg that two fingers press on a table.
 */
#include "dynamics/robot_world.h"

typedef struct Grasp {
    double finger, force, cube, mu, dt;
} Grasp;

static int32_t put_finger(AbutModel *model, int32_t parent, double side, const Grasp *g) {
    int32_t body =
        add_mass(model, ABUT_BODY_LINK, parent, abut_vec3(side * (0.03 + 1e-5), 0, 0), g->finger, abut_zero(), 0.03);
    AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, body, abut_vec3(-side, 0, 0));
    AbutActuatorDef motor = abut_actuator_default();
    AbutError error;
    motor.number = put_joint(model, &slide);
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    put_box(model, body, abut_zero(), abut_vec3(0.01, 0.03, 0.03), g->mu);
    return body;
}

/* A cube of 4 cm between two fingers. */
static World grasp_world(const Grasp *g) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyDef cube = abut_body_default();
    AbutError error;
    int32_t number;
    put_finger(model, -1, -1.0, g);
    put_finger(model, -1, 1.0, g);
    cube.kind = ABUT_BODY_DYNAMIC;
    cube.name = "cube";
    cube.mass = g->cube;
    double i = g->cube * 0.04 * 0.04 / 6.0;
    cube.inertia = abut_mat3_diagonal(i, i, i);
    good(abut_model_add_body(model, &cube, &number, &error), &error);
    put_box(model, number, abut_zero(), abut_vec3(0.02, 0.02, 0.02), g->mu);
    World world = world_of_model(model, &def);
    double force[2] = {g->force, g->force};
    set_control(&world, force);
    return world;
}

/* Fall in the first second, and the speed at which it slips in the next one. */
static void hold(const Grasp *g, double *fall, double *slip) {
    World world = grasp_world(g);
    double start = body_named(&world, "cube").pose.p.z;
    world_run(&world, g->dt, (int)(0.5 / g->dt));
    double middle = body_named(&world, "cube").pose.p.z;
    world_run(&world, g->dt, (int)(0.5 / g->dt));
    *fall = start - middle;
    *slip = (middle - body_named(&world, "cube").pose.p.z) / 0.5;
    world_free(&world);
}

static void test_grasps_hold_where_coulomb_says_so(void **state) {
    (void)state;
    const double finger[3] = {0.1, 1.0, 10.0}, force[2] = {5.0, 50.0}, mu[3] = {0.3, 0.6, 1.0},
                 cube[5] = {1e-3, 1e-2, 0.1, 1.0, 10.0};
    for (int i = 0; i < 90; ++i) {
        Grasp g = {finger[i % 3], force[i / 3 % 2], cube[i / 6 % 5], mu[i / 30], i % 2 ? 2e-3 : 1e-3};
        double fall, slip, most = 2.0 * g.mu * g.force, weight = g.cube * ABUT_GRAVITY;
        if (fabs(most - weight) < 0.1 * weight) continue;
        hold(&g, &fall, &slip);
        if ((most > weight ? fabs(slip) > 1e-4 || fabs(fall) > 2e-3 : !(slip > 1e-2)))
            print_message("finger %g kg, %g N, cube %g kg, mu %g, dt %g: falls %g m, slips %g m/s\n", g.finger, g.force,
                g.cube, g.mu, g.dt, fall, slip);
        if (most > weight) {
            CHECK(fabs(slip) < 1e-4);
            CHECK(fabs(fall) < 2e-3); /* while the fingers close */
        } else {
            CHECK(slip > 1e-2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grasps_hold_where_coulomb_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
