/* SPDX-License-Identifier: Apache-2.0 */
/* A robot in a simulation: the built-in gripper comes down, closes and lifts a box. */
#include <stdio.h>

#include "abut/abut.h"

/* Servos hold these targets for so many steps of 1 ms. */
static int drive(AbutSimulation *simulation, double palm, double finger, int steps) {
    double controls[2] = {palm, finger};
    if (abut_simulation_set_control(simulation, 0, 2, controls, NULL)) return 1;
    for (int i = 0; i < steps; ++i)
        if (abut_simulation_step(simulation, 1e-3, NULL, NULL)) return 1;
    return 0;
}

int main(void) {
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    if (abut_scene_create(&scene, NULL) || abut_scene_build(scene, "gripper", 1, NULL) ||
        abut_simulation_create(scene, &def, &simulation, NULL))
        return 1;
    if (drive(simulation, -0.13, 0.02, 1000) || drive(simulation, -0.13, -0.04, 500) ||
        drive(simulation, 0.1, -0.04, 1500))
        return 1;
    AbutBodyState box;
    double force[2];
    AbutRobotForces forces = {.actuator = force};
    abut_scene_get_body(scene, abut_scene_find_body(scene, "box"), &box);
    abut_simulation_get_robot_forces(simulation, 0, &forces);
    printf("the box is at a height of %.3f m; the finger pushes with %.1f N\n", box.center.z, -force[1]);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    return 0;
}
