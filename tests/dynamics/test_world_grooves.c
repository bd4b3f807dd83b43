/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies that fall into grooves. Where friction holds more than the walls are steep a body is jammed, no impulse pushes
 * it out, and the sweeps used to answer with ever larger ones: a ball of 1 kg left with 1e6 J and more. Energy never
 * rises above that of the start, and what lies in a groove stays there.
 */
#include "dynamics/world_support.h"
#include "abut/literature.h"

typedef struct Fall {
    double left, right; /* slopes of the walls, degrees */
    double friction, dt, scale;
    AbutShapeKind kind;
    int as_boxes, iterations;
    int model;
    double press; /* gravity, in that of the earth */
} Fall;

/* A wall that rises to the side of `sign` from the bottom of the groove along y. */
static void add_wall(AbutScene *scene, const Fall *fall, double slope, double sign) {
    double angle = -sign * slope * (ABUT_PI / 180.0);
    AbutQuat turn = abut_quat_axis_angle(abut_axis(1), angle);
    AbutShapeDef def = box_def(3 * fall->scale, 3 * fall->scale, 0.5 * fall->scale, 1000.0, fall->friction);
    AbutVec3 center = abut_zero();
    if (fall->as_boxes)
        center = abut_quat_rotate(turn, abut_vec3(0, 0, -0.5 * fall->scale));
    else
        def.form.kind = ABUT_SHAPE_HALF_SPACE;
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, abut_pose(center, turn)), &def);
}

static World groove(const Fall *fall, AbutBodyId *body) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    double r = 0.1 * fall->scale;
    AbutShapeDef shape = box_def(r, r, r, 250.0, fall->friction);
    def.iterations = fall->iterations;
    def.model = fall->model;
    def.gravity.z *= fall->press;
    shape.form.kind = fall->kind;
    add_wall(scene, fall, fall->left, -1.0);
    add_wall(scene, fall, fall->right, 1.0);
    double steeper = abut_larger(fall->left, fall->right) * (ABUT_PI / 180.0);
    AbutPose pose = abut_pose(abut_vec3(-0.05 * fall->scale, 0, (0.4 + 0.3 / cos(steeper)) * fall->scale),
        abut_quat_axis_angle(abut_normalize(abut_vec3(1, 2, 3)), 0.3));
    *body = throw_box(scene, pose, abut_zero(), abut_zero(), &shape);
    return world_of(scene, &def);
}

/* Gives the largest gain of energy over the start, of that at the start. */
static double run(const Fall *fall) {
    AbutBodyId id;
    World world = groove(fall, &id);
    double kinetic, potential, most = 0.0, start = abut_simulation_energy(world.sim, &kinetic, &potential);
    for (int i = 0; i * fall->dt < 1.5 * sqrt(fall->scale); ++i) {
        world_step(&world, fall->dt);
        most = abut_larger(most, abut_simulation_energy(world.sim, &kinetic, &potential) - start);
    }
    AbutBodyState b = body_of(&world, id);
    CHECK(abut_max_abs(abut_vec3(b.center.x, 0, b.center.z)) < 3.0 * fall->scale);
    CHECK(b.center.z > 0.0 && kinetic < 0.5 * start);
    world_free(&world);
    return most / start;
}

static const double slopes[][2] = {{60, 60}, {50, 50}, {60, 70}, {40, 55}, {70, 70}, {45, 45}, {30, 60}, {38, 62},
    {20, 70}, {35, 50}, {80, 80}, {52, 33}};
static const AbutShapeKind kinds[] = {
    ABUT_SHAPE_SPHERE, ABUT_SHAPE_BOX, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_ELLIPSOID};

static void bodies_in_grooves_gain_no_energy(void **state) {
    (void)state;
    static const double friction[] = {1.0, 0.8, 2.0};
    for (int s = 0; s < 12; ++s)
        for (int k = 0; k < 5; ++k)
            for (int boxes = 0; boxes < 2; ++boxes) {
                Fall fall = {slopes[s][0], slopes[s][1], friction[(s + k + boxes) % 3], 1e-3, 1.0, kinds[k], boxes, 0,
                    ABUT_CONTACT_MODEL_VOL, 1.0};
                double gain = run(&fall);
                if (!(gain < 1e-3))
                    fail_msg("slopes %g %g, friction %g, kind %d, boxes %d: gains %g of its energy", fall.left,
                        fall.right, fall.friction, (int)fall.kind, boxes, gain);
            }
}

static void steps_scales_and_sweeps_do_not_matter(void **state) {
    (void)state;
    static const double dt[] = {1e-4, 5e-3, 1.0 / 60.0}, scale[] = {0.01, 1.0, 100.0};
    static const int iterations[] = {0, 3, 200};
    for (int i = 0; i < 27; ++i)
        for (int k = 0; k < 2; ++k) {
            Fall fall = {60, 60, 1.0, dt[i % 3] * sqrt(scale[i / 3 % 3]), scale[i / 3 % 3], kinds[k], k,
                iterations[i / 9], ABUT_CONTACT_MODEL_VOL, 1.0};
            double gain = run(&fall);
            if (!(gain < 1e-3))
                fail_msg("step %g, scale %g, sweeps %d, kind %d: gains %g of its energy", fall.dt, fall.scale,
                    fall.iterations, (int)fall.kind, gain);
        }
}

/* All models but the printed algorithm, which explodes anywhere; as they fall, and pressed by fifty times their weight.
 * Few sweeps and many: model emin used to leave with 200,000 times its energy. */
static void no_model_gains_energy(void **state) {
    (void)state;
    static const double friction[] = {1.0, 0.8, 2.0}, dt[] = {1e-3, 5e-3, 1.0 / 60.0};
    static const int iterations[] = {0, 3, 200};
    int cases = check_cases(8);
    for (int m = 0; m < ABUT_CONTACT_MODEL_COUNT; ++m)
        for (int i = 0; i < cases && m != ABUT_CONTACT_MODEL_PAPER; ++i) {
            int c = (11 * i + 33) % 40; /* the worst of emin is the first */
            Fall fall = {slopes[c % 12][0], slopes[c % 12][1], friction[c % 3], dt[c / 2 % 3], 1.0, kinds[c * 7 % 5],
                c * 3 / 4 % 2, iterations[c / 4 % 3], m, c % 3 == 1 ? 50.0 : 1.0};
            double gain = run(&fall);
            if (!(gain < 1e-3))
                fail_msg("model %s, case %d: gains %g of its energy", abut_contact_model_name(fall.model), c, gain);
        }
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_grooves_gain_no_energy),
        cmocka_unit_test(steps_scales_and_sweeps_do_not_matter),
        cmocka_unit_test(no_model_gains_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
