/* SPDX-License-Identifier: Apache-2.0 */
/* Clouds as obstacles: distances of the grid against all points, proofs of edges and trajectories against the bodies
 * one by one at many places, plans around them, scales, threads, bad input. */
#include "plan_support.h"

#include "proof/cloud.h"
#include "proof/problem.h"

enum { SIZES = 7 };

/* Points of a cloud: in a box, on a plane, a line, at one place, in two far groups, tiny, or huge and far away. */
static AbutVec3 *draw_points(AbutRng *rng, int kind, int32_t count) {
    AbutVec3 *p = abut_alloc_array((size_t)count, sizeof *p);
    double scale = kind == 5 ? 1e-5 : kind == 6 ? 1e5 : 1.0;
    AbutVec3 normal = abut_random_direction(rng);
    assert_non_null(p);
    for (int32_t i = 0; i < count; ++i) {
        p[i] =
            abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -0.7, 0.7), abut_rng_between(rng, -0.1, 1));
        if (kind == 1) p[i] = abut_add_scaled(p[i], normal, -abut_dot(normal, p[i]));
        if (kind == 2) p[i] = abut_scale(normal, p[i].x);
        if (kind == 3) p[i] = abut_vec3(0.3, -0.2, 0.7);
        if (kind == 4) p[i] = abut_add_scaled(abut_scale(p[i], 0.02), abut_axis(i % 3), i % 2 ? 2.0 : 0.0);
        p[i] = abut_scale(p[i], scale);
        if (kind == 6) p[i].x += 3e5;
    }
    return p;
}

/* The distance of a point to a body around another one, without the radius. */
static double to_body(AbutVec3 p, AbutVec3 point, double half) {
    AbutVec3 d = abut_sub(p, point);
    return abut_length(
        abut_vec3(fmax(fabs(d.x) - half, 0.0), fmax(fabs(d.y) - half, 0.0), fmax(fabs(d.z) - half, 0.0)));
}

static void grid_agrees_with_all_points(void **state) {
    (void)state;
    AbutRng rng = abut_rng(171, 0);
    int near = 0, asked = 0, trials = 20 + check_cases(400);
    for (int kind = 0; kind < SIZES; ++kind)
        for (int voxels = 0; voxels < 2; ++voxels) {
            int32_t count = 1 + (int32_t)abut_rng_below(&rng, 3000);
            AbutVec3 *points = draw_points(&rng, kind, count);
            const struct AbutCloud *cloud;
            AbutError error;
            double scale = kind == 5 ? 1e-5 : kind == 6 ? 1e5 : 1.0, half = voxels ? 0.03 * scale : 0.0;
            good(abut_cloud_make(count, points, 0.01, half, &cloud, &error), &error);
            double loss = 4e-7 * (cloud->ball.radius);
            for (int i = 0; i < trials; ++i) {
                AbutVec3 at = abut_add_scaled(points[abut_rng_below(&rng, (uint32_t)count)],
                    abut_random_direction(&rng), scale * abut_rng_between(&rng, 0.0, i % 8 ? 0.3 : 4.0));
                AbutVec3 d = abut_sub(at, cloud->middle);
                float p[3] = {(float)d.x, (float)d.y, (float)d.z},
                      most = (float)(scale * abut_rng_between(&rng, 0.0, 0.4));
                float enough = i % 3 ? 0.0f : most * (float)abut_rng_unit(&rng);
                double truth = INFINITY, found = sqrt((double)abut_cloud_square(cloud, p, most, enough));
                for (int32_t k = 0; k < count; ++k) truth = fmin(truth, to_body(at, points[k], half));
                ++asked;
                near += truth < (double)most;
                if (truth < (double)most && found > (double)enough) CHECK(fabs(found - truth) <= loss + 1e-6 * truth);
                if (truth > (double)most)
                    CHECK(found >= (double)most * (1.0 - 1e-6) && found <= truth * (1.0 + 1e-6) + loss);
                if (found < (double)enough) CHECK(truth <= (double)enough * (1.0 + 1e-6) + loss);
            }
            CHECK(isnan(abut_cloud_square(cloud, (const float[3]){NAN, 0, 0}, 1.0f, 0.0f)));
            CHECK(isnan(abut_cloud_square(cloud, (const float[3]){0, INFINITY, 0}, 1.0f, 0.0f)));
            abut_cloud_free(cloud);
            abut_free(points);
        }
    CHECK(5 * near > asked && 5 * (asked - near) > asked);
}

/* ---- robots among points ----------------------------------------------------------------------------------------- */

typedef struct Cloudy {
    World w;
    AbutPlanObstacles obstacles;
    AbutVec3 *points;
    int32_t count;
    double radius, half;
} Cloudy;

static Cloudy make_cloudy(AbutRng *rng, const char *robot, int kind, int32_t count, double radius, double half) {
    Cloudy x = {.count = count, .radius = radius, .half = half, .points = draw_points(rng, kind, count)};
    AbutPlanDef def = abut_plan_def_default();
    AbutError error;
    good(abut_plan_obstacles_add_points(&x.obstacles, "scan", count, x.points, radius, half, &error), &error);
    def.mesh_count = x.obstacles.mesh_count;
    def.meshes = x.obstacles.meshes;
    x.w = robot ? make_world(robot, x.obstacles.model, &def) : world_of(balls_on_arms(), x.obstacles.model, &def);
    x.w.obstacles = NULL; /* freed with the others */
    assert_string_equal(abut_plan_link_name(x.w.problem, abut_plan_link_count(x.w.problem) - 1), "scan");
    return x;
}

static void free_cloudy(Cloudy *x) {
    free_world(&x->w);
    abut_plan_obstacles_free(&x->obstacles);
    abut_free(x->points);
}

/* The least distance of a link and all bodies, one by one, where room robot puts the link. */
static double scan_distance(const Cloudy *x, int32_t link) {
    AbutVec3 h = abut_vec3(x->half, x->half, x->half);
    AbutConvex one = x->half > 0.0 ? abut_convex_box(h, x->radius) : abut_convex_point(abut_zero(), x->radius);
    double least = INFINITY;
    for (int32_t i = abut_model_next_shape(x->w.robot, link, -1); i >= 0;
         i = abut_model_next_shape(x->w.robot, link, i)) {
        const AbutShapeDef *shape = &x->w.robot->shapes[i];
        AbutConvex body = abut_plan_exact_convex(shape->geometry);
        AbutPose at = abut_pose_mul(abut_configuration_body_pose(x->w.c, link), shape->pose);
        for (int32_t k = 0; k < x->count && !shape->visual; ++k) {
            AbutPose place = abut_pose(x->points[k], abut_quat_identity());
            least = fmin(least, abut_convex_distance(&body, &one, abut_pose_between(at, place), NULL, NULL).distance);
        }
    }
    return least;
}

/* The least distance of all pairs with the cloud at joints. */
static double least_of_pairs(const Cloudy *x, const double *joints) {
    double least = INFINITY;
    set_joints(&x->w, joints);
    for (int32_t k = 0; k < abut_plan_pair_count(x->w.problem); ++k) {
        AbutPair pair = abut_plan_pair(x->w.problem, k);
        if (pair.b >= x->w.robot->body_count) least = fmin(least, scan_distance(x, pair.a));
    }
    return least;
}

static void draw_posture(AbutRng *rng, const AbutPlanProblem *problem, double *u) {
    for (int32_t c = 0; c < abut_plan_coordinate_count(problem); ++c) {
        double limits[2];
        abut_plan_coordinate_limits(problem, c, limits);
        u[c] = abut_rng_between(rng, fmax(limits[0], -3.0), fmin(limits[1], 3.0));
    }
}

static const char *const ROBOTS[] = {"arm6", NULL, "gripper"}; /* NULL: balls on arms */

static void no_free_edge_is_refuted(void **state) {
    (void)state;
    AbutRng rng = abut_rng(172, 0);
    int free = 0, asked = 0, blocked = 0, trials = 4 + check_cases(20);
    for (int r = 0; r < 9; ++r) {
        int32_t count = r % 3 == 0 ? 600 : r % 3 == 1 ? 200 : 60;
        Cloudy x = make_cloudy(&rng, ROBOTS[r % 3], r % 2 ? 1 : 0, count, r % 4 ? 0.02 : 0.0, r % 4 > 1 ? 0.015 : 0.0);
        AbutPlanProver *prover;
        AbutError error;
        good(abut_plan_prover_create(x.w.problem, 0.003, &prover, &error), &error);
        for (int i = 0; i < trials; ++i) {
            double from[PLAN_JOINTS], to[PLAN_JOINTS], u[PLAN_JOINTS], joints[PLAN_JOINTS], least = INFINITY;
            draw_posture(&rng, x.w.problem, from);
            for (int32_t c = 0; c < abut_plan_coordinate_count(x.w.problem); ++c)
                to[c] = from[c] + abut_rng_between(&rng, -0.3, 0.3) * (ROBOTS[r % 3] ? 1 : 3);
            int is_free = abut_plan_edge_free(prover, from, to), places = is_free ? 80 : 8;
            for (int k = 0; k < places; ++k) {
                for (int32_t c = 0; c < abut_plan_coordinate_count(x.w.problem); ++c)
                    u[c] = from[c] + (to[c] - from[c]) * k / (places - 1);
                abut_plan_joints_of(x.w.problem, u, joints);
                least = fmin(least, least_of_pairs(&x, joints));
            }
            if (is_free) CHECK(least > 0.003 - 1e-9);
            free += is_free;
            blocked += !is_free && least <= 0.003;
            ++asked;
        }
        abut_plan_prover_free(prover);
        free_cloudy(&x);
    }
    CHECK(5 * free > asked && 20 * (free + blocked) > 14 * asked); /* the rest meets itself, mostly */
}

static void certificates_agree_with_samples(void **state) {
    (void)state;
    enum { PLACES = 60 };
    AbutRng rng = abut_rng(173, 0);
    int clear = 0, contact = 0, trials = 4 + check_cases(16);
    for (int r = 0; r < 4; ++r) {
        Cloudy x = make_cloudy(&rng, ROBOTS[r % 2], r, 300, 0.01, r == 2 ? 0.02 : 0.0);
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = random_trajectory(&rng, &x.w, (AbutInterpolation)(trial % 3), 2);
            AbutCertifyDef def = {trial % 2 ? 0.0 : 0.01, 0, 0};
            AbutPairCertificate pairs[100];
            AbutCertificate answer;
            AbutError error;
            good(abut_plan_certify(x.w.problem, &t, &def, &answer, pairs, &error), &error);
            for (int32_t k = 0; k < abut_plan_pair_count(x.w.problem); ++k) {
                AbutPair pair = abut_plan_pair(x.w.problem, k);
                double joints[PLAN_JOINTS], least = INFINITY;
                if (pair.b < x.w.robot->body_count) continue;
                for (int i = 0; i <= PLACES; ++i) {
                    abut_trajectory_value(&t, t.times[0] + (t.times[1] - t.times[0]) * i / PLACES, 0, joints);
                    set_joints(&x.w, joints);
                    least = fmin(least, scan_distance(&x, pair.a));
                }
                abut_trajectory_value(&t, pairs[k].t, 0, joints);
                set_joints(&x.w, joints);
                double there = scan_distance(&x, pair.a);
                CHECK(pairs[k].status != ABUT_CERTIFICATE_UNDECIDED);
                if (pairs[k].status == ABUT_CERTIFICATE_CLEAR)
                    CHECK(least > def.level && pairs[k].lb > def.level && pairs[k].lb <= least + 1e-9 &&
                          there <= pairs[k].ub + 1e-8);
                else
                    CHECK(there <= def.level + 1e-8);
                clear += pairs[k].status == ABUT_CERTIFICATE_CLEAR;
                contact += pairs[k].status == ABUT_CERTIFICATE_CONTACT;
            }
            abut_trajectory_free(&t);
        }
        free_cloudy(&x);
    }
    CHECK(clear > 4 * trials && contact > trials);
}

/* Tiny and huge clouds, far ones, and one that moves; the nearest pair is that of all points. */
static void scales_and_moves_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(174, 0);
    for (int kind = 4; kind < SIZES; ++kind) {
        Cloudy x = make_cloudy(&rng, "arm6", kind, 200, kind == 6 ? 1e3 : 1e-3, 0.0);
        for (int trial = 0; trial < 4 + check_cases(20); ++trial) {
            double u[PLAN_JOINTS], joints[PLAN_JOINTS], distance[200], least = INFINITY;
            AbutPlanNear near;
            AbutError error;
            AbutPose by =
                abut_pose(abut_scale(abut_random_direction(&rng), kind == 6 ? 1e5 : 0.5), abut_random_quat(&rng));
            if (trial % 2) {
                abut_plan_move_obstacle(x.w.problem, abut_plan_link_count(x.w.problem) - 1, by);
            } else {
                by = abut_pose_identity();
                abut_plan_move_obstacle(x.w.problem, abut_plan_link_count(x.w.problem) - 1, by);
            }
            draw_posture(&rng, x.w.problem, u);
            abut_plan_joints_of(x.w.problem, u, joints);
            set_joints(&x.w, joints);
            good(abut_plan_nearest(x.w.problem, joints, &near, distance, &error), &error);
            for (int32_t k = 0; k < abut_plan_pair_count(x.w.problem); ++k) {
                AbutPair pair = abut_plan_pair(x.w.problem, k);
                if (pair.b < x.w.robot->body_count) continue;
                Cloudy moved = x;
                moved.points = abut_alloc_array((size_t)x.count, sizeof *moved.points);
                for (int32_t i = 0; i < x.count; ++i) moved.points[i] = abut_pose_apply(by, x.points[i]);
                double truth = fmax(scan_distance(&moved, pair.a), 0.0);
                CHECK(fabs(distance[k] - truth) <= 1e-9 * (kind == 6 ? 1e6 : 1.0) + 1e-9);
                abut_free(moved.points);
                least = fmin(least, truth);
            }
            uint8_t free;
            good(abut_plan_free_batch(x.w.problem, 0.0, 1, u, NULL, 1, &free, &error), &error);
            if (free) CHECK(least > 0.0);
        }
        free_cloudy(&x);
    }
}

/* A wall of points with a hole: the arm goes around it, proved, and the straight way is refuted. */
static void plans_go_around_points(void **state) {
    (void)state;
    AbutRng rng = abut_rng(175, 0);
    double start[6] = {0.9, 0.7, 0.9, 0.0, 0.0, 0.0}, goal[6] = {-0.9, 0.7, 0.9, 0.0, 0.0, 0.0}, joints[6];
    for (int voxels = 0; voxels < 2; ++voxels) {
        Cloudy x = make_cloudy(&rng, "arm6", 4, 4000, 0.004, voxels ? 0.01 : 0.0);
        AbutPlanObstacles wall = {0};
        AbutPlanDef def = abut_plan_def_default();
        AbutPlanSettings settings = abut_plan_settings_default();
        AbutPlanProblem *problem;
        AbutPlan plan;
        AbutError error;
        AbutCertificate answer;
        for (int32_t i = 0; i < x.count; ++i) /* a post before the arm, up to its elbow */
            x.points[i] =
                abut_vec3(0.45 + 0.02 * abut_rng_unit(&rng), 0.02 * abut_rng_unit(&rng), 0.5 * abut_rng_unit(&rng));
        good(abut_plan_obstacles_add_points(&wall, "post", x.count, x.points, x.radius, x.half, &error), &error);
        def.mesh_count = wall.mesh_count;
        def.meshes = wall.meshes;
        good(abut_plan_problem_create(x.w.c, wall.model, &def, &problem, &error), &error);
        AbutPlanQuery query = {.start = start, .goal = goal};
        for (settings.quality = 0; settings.quality < ABUT_PLAN_QUALITY_COUNT; ++settings.quality) {
            good(abut_plan_solve(problem, &query, &settings, &plan, &error), &error);
            assert_int_equal(plan.status, ABUT_PLAN_CERTIFIED);
            for (int i = 0; i <= 100; ++i) {
                abut_trajectory_value(
                    &plan.trajectory, plan.trajectory.times[plan.trajectory.piece_count] * i / 100.0, 0, joints);
                CHECK(least_of_pairs(&x, joints) > settings.level);
            }
            abut_plan_free(&plan);
        }
        AbutTrajectory t = straight(&x.w, start, goal, 1.0);
        AbutCertifyDef level = {settings.level, 0, 0};
        good(abut_plan_certify(problem, &t, &level, &answer, NULL, &error), &error);
        CHECK(answer.status == ABUT_CERTIFICATE_CONTACT);
        abut_trajectory_value(&t, answer.t, 0, joints);
        CHECK(least_of_pairs(&x, joints) <= settings.level + 1e-8);
        abut_trajectory_free(&t);
        abut_plan_problem_free(problem);
        abut_plan_obstacles_free(&wall);
        free_cloudy(&x);
    }
}

static void threads_give_the_same_answers(void **state) {
    (void)state;
    enum { COUNT = 40000 };
    AbutRng rng = abut_rng(176, 0);
    Cloudy x = make_cloudy(&rng, "arm6", 0, 2000, 0.01, 0.0);
    static double u[COUNT * 6];
    static uint8_t one[COUNT], many[COUNT];
    AbutError error;
    for (int i = 0; i < COUNT; ++i) draw_posture(&rng, x.w.problem, u + 6 * i);
    good(abut_plan_free_batch(x.w.problem, 0.0, COUNT, u, NULL, 1, one, &error), &error);
    good(abut_plan_free_batch(x.w.problem, 0.0, COUNT, u, NULL, 3, many, &error), &error);
    assert_memory_equal(one, many, COUNT);
    free_cloudy(&x);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutPlanObstacles made = {0};
    AbutError error;
    AbutVec3 points[3] = {{0, 0, 1}, {1, 0, 1}, {NAN, 0, 0}};
    CHECK(abut_plan_obstacles_add_points(&made, "x", 0, points, 0.01, 0, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_plan_obstacles_add_points(&made, "x", 2, points, -1, 0, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "radius: expected 0 or more, got -1"));
    CHECK(abut_plan_obstacles_add_points(&made, "x", 2, points, 0, NAN, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_plan_obstacles_add_points(&made, "x", 3, points, 0, 0, &error) == ABUT_ERROR_NUMBER);
    CHECK(strstr(error.text, "point 2"));
    CHECK(made.mesh_count == 0);
    good(abut_plan_obstacles_add_points(&made, "a", 2, points, 0, 0, &error), &error);
    good(abut_plan_obstacles_add_points(&made, "b", 1, points, 0.1, 0.1, &error), &error);
    CHECK(made.mesh_count == 2 && made.model->body_count == 2 && made.meshes[1].body == 1);
    abut_plan_obstacles_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_agrees_with_all_points),
        cmocka_unit_test(no_free_edge_is_refuted),
        cmocka_unit_test(certificates_agree_with_samples),
        cmocka_unit_test(scales_and_moves_hold),
        cmocka_unit_test(plans_go_around_points),
        cmocka_unit_test(threads_give_the_same_answers),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
