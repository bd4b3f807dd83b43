/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grasps at mass ratios up to 10^4: two fingers on slides press on a cube. Coulomb's law says whether it is held: two
 * faces carry 2 mu F. And an arm that presses a peg on a table: it stays where these carry its weight and its push.
 */
#include "dynamics/robot_world.h"

typedef struct Grasp {
    double finger, force, cube, mu, dt;
    double gap; /* between each finger and the cube at the start */
} Grasp;

static int32_t put_finger(AbutModel *model, int32_t parent, double side, const Grasp *g) {
    int32_t body =
        add_mass(model, ABUT_BODY_LINK, parent, abut_vec3(side * (0.03 + g->gap), 0, 0), g->finger, abut_zero(), 0.03);
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
        Grasp g = {finger[i % 3], force[i / 3 % 2], cube[i / 6 % 5], mu[i / 30], i % 2 ? 2e-3 : 1e-3, 1e-5};
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

/* The same, after fingers of 10^4 times its weight have struck it. */
static void test_grasps_hold_after_a_stroke(void **state) {
    (void)state;
    const double finger[3] = {0.1, 1.0, 10.0}, mu[3] = {0.3, 0.6, 1.0}, cube[3] = {1e-3, 1e-2, 0.1},
                 step[3] = {5e-4, 1e-3, 5e-3}, gap[2] = {1e-4, 3e-4};
    for (int i = 0; i < 162; ++i) {
        Grasp g = {finger[i % 3], 50.0, cube[i / 3 % 3], mu[i / 9 % 3], step[i / 27 % 3], gap[i / 81]};
        double fall, slip;
        hold(&g, &fall, &slip);
        if (!(fabs(slip) < 1e-4 && fabs(fall) < 2e-3))
            print_message("finger %g kg, cube %g kg, mu %g, dt %g, gap %g: falls %g m, slips %g m/s\n", g.finger,
                g.cube, g.mu, g.dt, g.gap, fall, slip);
        CHECK(fabs(slip) < 1e-4 && fabs(fall) < 2e-3);
    }
}

/* ---- a peg pressed on a table ------------------------------------------------------------------------------------ */

/* An arm of 1 kg on a vertical slide, with two fingers of 0.2 kg that grip the peg above the table. */
static World peg_world(const Grasp *g, double push) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyDef peg = abut_body_default();
    AbutActuatorDef motor = abut_actuator_default();
    AbutError error;
    int32_t number, arm = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, 0.07), 1.0, abut_zero(), 0.03);
    AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, arm, abut_vec3(0, 0, -1));
    motor.number = put_joint(model, &slide);
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    put_finger(model, arm, -1.0, g);
    put_finger(model, arm, 1.0, g);
    put_floor(model, g->mu);
    peg.kind = ABUT_BODY_DYNAMIC;
    peg.name = "peg";
    peg.pose.p = abut_vec3(0, 0, 0.05);
    peg.mass = g->cube;
    peg.inertia = abut_mat3_scale(abut_mat3_diagonal(29e-4, 29e-4, 8e-4), g->cube / 3.0);
    good(abut_model_add_body(model, &peg, &number, &error), &error);
    put_box(model, number, abut_zero(), abut_vec3(0.02, 0.02, 0.05), g->mu);
    World world = world_of_model(model, &def);
    double force[3] = {push, g->force, g->force};
    set_control(&world, force);
    return world;
}

static void test_a_peg_pressed_on_a_table_stays_in_the_grasp(void **state) {
    (void)state;
    const double mass[3] = {0.01, 0.1, 1.0}, mu[2] = {0.4, 0.8}, step[4] = {5e-4, 1e-3, 2e-3, 5e-3},
                 part[4] = {0.5, 0.9, 1.1, 1.5};
    for (int i = 0; i < 96; ++i) {
        Grasp g = {0.2, 50.0, mass[i % 3], mu[i / 3 % 2], step[i / 6 % 4], 1e-5};
        double carried = 2.0 * g.mu * g.force, push = part[i / 24] * carried - 1.4 * ABUT_GRAVITY;
        World world = peg_world(&g, push);
        world_run(&world, g.dt, (int)(0.3 / g.dt));
        double middle = joint_at(&world, 0);
        world_run(&world, g.dt, (int)(0.5 / g.dt));
        double slip = (joint_at(&world, 0) - middle) / 0.5, height = body_named(&world, "peg").pose.p.z;
        if (part[i / 24] < 1.0 ? !(fabs(slip) < 1e-4 && fabs(middle) < 1e-3) : !(middle > 5e-3))
            print_message("peg %g kg, mu %g, dt %g, push %g of 1: %g m, slips %g m/s\n", g.cube, g.mu, g.dt,
                part[i / 24], middle, slip);
        if (part[i / 24] < 1.0)
            CHECK(fabs(slip) < 1e-4 && fabs(middle) < 1e-3 && fabs(height - 0.05) < 1e-4);
        else
            CHECK(middle > 5e-3);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grasps_hold_where_coulomb_says_so),
        cmocka_unit_test(test_grasps_hold_after_a_stroke),
        cmocka_unit_test(test_a_peg_pressed_on_a_table_stays_in_the_grasp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
