/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drop a box, read the wrench: a scene of a floor and a box, one second of simulation, and the force and torque that
 * the floor exerts on the box in the end, with its center of pressure.
 */
#include <abut/abut.h>
#include <stdio.h>

static AbutStatus add_floor(AbutScene *scene, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    body.kind = ABUT_BODY_STATIC;
    body.name = "floor";
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    AbutStatus status = abut_scene_add_body(scene, &body, &id, error);
    return status ? status : abut_scene_add_shape(scene, id, &shape, NULL, error);
}

static AbutStatus add_box(AbutScene *scene, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    body.name = "box";
    body.pose = abut_pose(abut_vec3(0, 0, 0.3), abut_quat_axis_angle(abut_vec3(0.6, 0.8, 0), 0.5));
    shape.form.kind = ABUT_SHAPE_BOX;
    shape.form.size = abut_vec3(0.1, 0.05, 0.025); /* half sizes */
    shape.density = 1000;
    shape.material.friction = 0.5;
    AbutStatus status = abut_scene_add_body(scene, &body, &id, error);
    return status ? status : abut_scene_add_shape(scene, id, &shape, NULL, error);
}

static AbutStatus simulate(AbutScene *scene, AbutContact *contact, AbutError *error) {
    AbutSimulationDef def = abut_simulation_default();
    AbutSimulation *simulation;
    AbutStepReport report;
    AbutStatus status = abut_simulation_create(scene, &def, &simulation, error);
    if (status) return status;
    for (int i = 0; i < 1000 && !status; ++i) {
        status = abut_simulation_step(simulation, 1e-3, &report, error);
        if (!status && i % 100 == 99)
            printf("t = %.1f s: %d contacts, kinetic energy %.3g J\n", report.time, report.contacts, report.kinetic);
    }
    if (!status && !abut_simulation_get_contact(simulation, 0, contact))
        status = abut_fail(error, ABUT_ERROR_NUMBER, "the box does not touch the floor");
    abut_simulation_free(simulation);
    return status;
}

int main(void) {
    AbutScene *scene;
    AbutError error;
    AbutContact c;
    AbutBodyState box, first;
    if (abut_scene_create(&scene, &error) || add_floor(scene, &error) || add_box(scene, &error) ||
        simulate(scene, &c, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    abut_scene_get_body(scene, abut_scene_find_body(scene, "box"), &box);
    abut_scene_get_body(scene, c.body_a, &first);
    printf("%s pushes with %.6f %.6f %.6f N, torque %.2g %.2g %.2g N m about the centroid\n", first.name, c.force.x,
        c.force.y, c.force.z, c.torque.x, c.torque.y, c.torque.z);
    printf("center of pressure %.4f %.4f, area %.6f m^2, depth %.2g m, %s\n", c.pressure_center.x, c.pressure_center.y,
        c.area, c.depth, c.sliding ? "slip" : "stick");
    double weight = ABUT_GRAVITY * box.mass, normal = abut_dot(c.force, c.normal);
    printf("weight %.6f N\n", weight);
    abut_scene_free(scene);
    return fabs(normal - weight) < 1e-3 * weight ? 0 : 1;
}
