/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates against obstacles of triangles. The oracle measures every triangle at many times, without a tree. */
#include "abut/mesh.h"
#include "plan_support.h"
#include "mesh/kernels.h"

#include "proof/certify.h"

/* A torus of 2 around * tube triangles about z, in a body of obstacles without shapes. */
typedef struct Ring {
    AbutMesh mesh;
    AbutMeshTree *tree;
    AbutModel *model;
    AbutPlanMesh def;
} Ring;

static void make_mesh(AbutMesh *mesh, int around, int tube, double radius, double thick) {
    mesh->vertex_count = around * tube;
    mesh->triangle_count = 2 * around * tube;
    mesh->vertices = abut_alloc_array((size_t)mesh->vertex_count, sizeof *mesh->vertices);
    mesh->triangles = abut_alloc_array((size_t)mesh->triangle_count, sizeof *mesh->triangles);
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < tube; ++k) {
            double a = 2.0 * ABUT_PI * i / around, b = 2.0 * ABUT_PI * k / tube, r = radius + thick * abut_cos(b);
            int32_t p = i * tube + k, q = ((i + 1) % around) * tube + k;
            int32_t s = i * tube + (k + 1) % tube, t = ((i + 1) % around) * tube + (k + 1) % tube;
            mesh->vertices[p] = abut_vec3(r * abut_cos(a), r * abut_sin(a), thick * abut_sin(b));
            mesh->triangles[2 * p] = (AbutTriangle){{p, q, t}};
            mesh->triangles[2 * p + 1] = (AbutTriangle){{p, t, s}};
        }
}

static Ring make_ring(int around, int tube, double radius, double thick, AbutPose pose) {
    Ring ring = {.model = no_obstacles()};
    AbutBodyDef body = abut_body_default();
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    body.name = "ring";
    body.pose = abut_pose(abut_vec3(0.1, 0.0, 0.0), abut_quat_identity());
    make_mesh(&ring.mesh, around, tube, radius, thick);
    good(abut_mesh_tree_create(&ring.mesh, 1, &ring.tree, &error), &error);
    good(abut_model_add_body(ring.model, &body, NULL, &error), &error);
    ring.def = (AbutPlanMesh){.pose = abut_pose_mul(abut_pose_inv(body.pose), pose), .tree = ring.tree};
    return ring;
}

static World ring_world(const char *robot, Ring *ring) {
    AbutPlanDef def = abut_plan_def_default();
    def.mesh_count = 1;
    def.meshes = &ring->def;
    def.neighbors = 100; /* the ring alone */
    return make_world(robot, ring->model, &def);
}

static void free_ring(Ring *ring) {
    abut_mesh_tree_free(ring->tree);
    abut_mesh_free(&ring->mesh);
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* Least distance of a link and all triangles at joints, by the kinematics of room robot; 0 where they meet. */
static double triangle_distance(const World *w, const Ring *ring, const double *joints, int32_t link) {
    double q[400], least = INFINITY;
    AbutError error;
    int32_t n = abut_configuration_position_count(w->c);
    AbutPose pose = abut_pose_mul(ring->model->bodies[0].pose, ring->def.pose);
    memcpy(q, abut_configuration_positions(w->c), (size_t)n * sizeof *q);
    for (int32_t i = 0; i < w->robot->joint_count; ++i)
        q[abut_configuration_joint_place(w->c, i, ABUT_NUMBERS_POSITIONS)] = joints[i];
    good(abut_configuration_set(w->c, n, q, 0, NULL, &error), &error);
    for (int32_t i = abut_model_next_shape(w->robot, link, -1); i >= 0; i = abut_model_next_shape(w->robot, link, i)) {
        AbutConvex body = abut_plan_exact_convex(w->robot->shapes[i].geometry);
        AbutPose at = abut_pose_mul(abut_configuration_body_pose(w->c, link), w->robot->shapes[i].pose);
        for (int32_t k = 0; k < ring->mesh.triangle_count && !w->robot->shapes[i].visual; ++k) {
            const int32_t *v = ring->mesh.triangles[k].v;
            AbutConvex triangle = abut_convex_triangle(
                ring->mesh.vertices[v[0]], ring->mesh.vertices[v[1]], ring->mesh.vertices[v[2]], 0.0);
            least = fmin(
                least, abut_gap_in(at, abut_convex_distance(&body, &triangle, abut_pose_between(at, pose), NULL, NULL))
                           .distance);
        }
    }
    return fmax(least, 0.0);
}

static double least_over(const World *w, const Ring *ring, const AbutTrajectory *t, int32_t link, int samples) {
    double joints[PLAN_JOINTS], least = INFINITY;
    for (int i = 0; i <= samples; ++i) {
        double from = t->times[0], to = t->times[t->piece_count];
        abut_trajectory_value(t, from + (to - from) * i / samples, 0, joints);
        least = fmin(least, triangle_distance(w, ring, joints, link));
    }
    return least;
}

/* ---- against dense samples --------------------------------------------------------------------------------------- */

static void check_pair(
    const World *w, const Ring *ring, const AbutTrajectory *t, double level, int32_t i, const AbutPairCertificate *x) {
    double joints[PLAN_JOINTS];
    int32_t link = abut_plan_pair(w->problem, i).a;
    double least = least_over(w, ring, t, link, 60);
    assert_true(x->status != ABUT_CERTIFICATE_UNDECIDED);
    abut_trajectory_value(t, x->t, 0, joints);
    double there = triangle_distance(w, ring, joints, link);
    CHECK(there <= x->ub + 1e-9);
    if (x->status == ABUT_CERTIFICATE_CLEAR)
        CHECK(least > level && x->lb > level && x->lb <= least + 1e-9 && x->lb <= there + 1e-9);
    else
        CHECK(there <= level + 1e-9);
}

static void answers_agree_with_samples(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "planar-arm:3", "gripper"};
    AbutRng rng = abut_rng(151, 0);
    int clear = 0, contact = 0, trials = check_cases(12);
    for (int r = 0; r < 3; ++r) {
        AbutPose pose = abut_pose(abut_vec3(0.35, 0.1, 0.5), abut_random_quat(&rng));
        Ring ring = make_ring(24, 10, 0.3, 0.03, pose);
        World w = ring_world(robots[r], &ring);
        AbutPairCertificate pairs[100];
        AbutError error;
        assert_true(abut_plan_pair_count(w.problem) > 0);
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = random_trajectory(&rng, &w, (AbutInterpolation)(trial % 3), 2);
            AbutCertifyDef def = {trial % 2 ? 0.0 : 0.01, 0, 0};
            AbutCertificate x;
            good(abut_plan_certify(w.problem, &t, &def, &x, pairs, &error), &error);
            for (int32_t i = 0; i < abut_plan_pair_count(w.problem); ++i) {
                CHECK(abut_plan_pair_triangles(w.problem, i) == 480);
                check_pair(&w, &ring, &t, def.level, i, &pairs[i]);
                clear += pairs[i].status == ABUT_CERTIFICATE_CLEAR;
                contact += pairs[i].status == ABUT_CERTIFICATE_CONTACT;
            }
            abut_trajectory_free(&t);
        }
        free_world(&w);
        free_ring(&ring);
    }
    CHECK(trials < 10 || (clear > trials && contact > trials));
}

/* The bound over single intervals, coarse meshes and fine ones. */
static void bounds_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(152, 0);
    Ring ring = make_ring(30, 12, 0.3, 0.04, abut_pose(abut_vec3(0.4, 0.0, 0.6), abut_quat_identity()));
    World w = ring_world("arm6", &ring);
    void *memory = abut_alloc(abut_plan_moment_size(&w.problem->tree));
    AbutPlanMoment m = abut_plan_moment_in(&w.problem->tree, memory);
    int clear = 0, trials = check_cases(400);
    for (int trial = 0; trial < trials; ++trial) {
        AbutTrajectory t = random_trajectory(&rng, &w, (AbutInterpolation)(trial % 3), 2);
        const AbutPlanFacing *f = &w.problem->facings[abut_rng_below(&rng, (uint32_t)w.problem->facing_count)];
        double x = abut_rng_between(&rng, 0.05, 0.95), h = 0.05 * abut_rng_between(&rng, 0.01, 1.0), least = INFINITY;
        for (int i = 0; i < 9; ++i) {
            abut_plan_moment_set(w.problem, &t, 0, x + h * (i - 4) / 4.0, x + h * (i - 4) / 4.0, &m);
            least = fmin(least, abut_plan_facing_distance(w.problem, f, &m.at).distance);
        }
        abut_plan_moment_set(w.problem, &t, 0, x - h, x + h, &m);
        AbutPlanFaced y = abut_plan_facing_prove(w.problem, f, &m, 0.005);
        double d = abut_plan_facing_distance(w.problem, f, &m.at).distance;
        if (y.status == ABUT_CERTIFICATE_CLEAR) CHECK(y.lb > 0.005 && y.lb <= least + 1e-9);
        if (y.status == ABUT_CERTIFICATE_CONTACT) CHECK(d <= 0.005 + 1e-9);
        CHECK(abut_plan_facing_bound(w.problem, f, &m, d) <= least + 1e-9);
        clear += y.status == ABUT_CERTIFICATE_CLEAR;
        abut_trajectory_free(&t);
    }
    CHECK(clear > trials / 4);
    abut_free(memory);
    free_world(&w);
    free_ring(&ring);
}

/* ---- inside, open, bad ------------------------------------------------------------------------------------------- */

static AbutCertificate certify_still(const World *w, double level) {
    double times[2] = {0.0, 1.0}, q[2 * PLAN_JOINTS];
    AbutJointSamples samples = {w->robot->joint_count, 2, times, q, NULL, NULL};
    AbutCertifyDef def = {level, 0, 0};
    AbutTrajectory t;
    AbutCertificate x;
    AbutError error;
    joints_of(w->c, q);
    joints_of(w->c, q + w->robot->joint_count);
    q[w->robot->joint_count] += 0.01;
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
    good(abut_plan_certify(w->problem, &t, &def, &x, NULL, &error), &error);
    abut_trajectory_free(&t);
    return x;
}

/* A robot within a closed surface is in contact with it, within an open one it is not. */
static void inside_counts(void **state) {
    (void)state;
    for (int open = 0; open < 2; ++open) {
        Ring ring = make_ring(8, 6, 0.2, 0.03, abut_pose_identity());
        AbutConvex box = abut_convex_box(abut_vec3(5, 5, 5), 0.0);
        AbutVec3 corners[8];
        AbutPolyhedron *hull;
        AbutError error;
        free_ring(&ring);
        for (int i = 0; i < 8; ++i)
            corners[i] = abut_mul(box.p[0], abut_vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        good(abut_polyhedron_from_points(corners, 8, NULL, &hull, &error), &error);
        good(abut_polyhedron_to_mesh(hull, &ring.mesh, &error), &error);
        ring.mesh.triangle_count -= open;
        good(abut_mesh_tree_create(&ring.mesh, 1, &ring.tree, &error), &error);
        ring.def.tree = ring.tree;
        World w = ring_world("arm6", &ring);
        AbutCertificate x = certify_still(&w, 0.0);
        CHECK(x.status == (open ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_CONTACT));
        CHECK(open ? x.lb > 1.0 : x.ub == 0.0);
        abut_polyhedron_free(hull);
        free_world(&w);
        free_ring(&ring);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    Ring ring = make_ring(8, 6, 0.2, 0.03, abut_pose(abut_vec3(2, 0, 0.5), abut_quat_identity()));
    World w = ring_world("arm6", &ring);
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanMesh bad[5] = {ring.def, ring.def, ring.def, ring.def, ring.def};
    AbutPlanProblem *problem;
    AbutError error;
    bad[0].body = 1, bad[1].tree = NULL, bad[2].shape_count = 1, bad[3].shape = -1, bad[4].pose.p.x = NAN;
    def.mesh_count = 1;
    for (int i = 0; i < 5; ++i) {
        def.meshes = &bad[i];
        CHECK(abut_plan_problem_create(w.c, w.obstacles, &def, &problem, &error) == ABUT_ERROR_ARGUMENT && !problem);
        CHECK(strstr(error.text, "mesh 0"));
    }
    AbutCertifyDef level = {-0.001, 0, 0};
    AbutRng rng = abut_rng(153, 0);
    AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_LINEAR, 2);
    AbutCertificate x;
    CHECK(abut_plan_certify(w.problem, &t, &level, &x, NULL, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "triangles"));
    abut_trajectory_free(&t);
    free_world(&w);
    free_ring(&ring);
}

/* ---- a plan through a ring of 100,032 triangles ------------------------------------------------------------------ */

/* Pieces of the ring, for the search. */
static void add_pieces(Ring *ring, int around, int tube, int each) {
    AbutError error;
    ring->def.shape = ring->model->shape_count;
    for (int i = 0; i < around; i += each) {
        AbutVec3 points[4000];
        int count = 0;
        for (int k = i; k <= i + each; ++k)
            for (int j = 0; j < tube; j += 4) points[count++] = ring->mesh.vertices[(k % around) * tube + j];
        AbutShapeDef shape = abut_shape_default();
        AbutPolyhedron *hull;
        good(abut_polyhedron_from_points(points, count, NULL, &hull, &error), &error);
        shape.body = 0;
        shape.pose = ring->def.pose;
        shape.form.kind = ABUT_SHAPE_POLYHEDRON;
        shape.form.polyhedron = hull;
        good(abut_model_add_shape(ring->model, &shape, NULL, &error), &error);
        abut_polyhedron_free(hull);
    }
    ring->def.shape_count = ring->model->shape_count - ring->def.shape;
}

/* The arm goes from beside a ring into it: certified against the triangles, with few of them measured; the smoothest
 * motion goes through the ring and is refuted, with a time at which they meet. */
static void plan_against_fine_mesh(void **state) {
    (void)state;
    enum { AROUND = 521, TUBE = 96, SAMPLES = 1000 }; /* 100,032 triangles */
    AbutPose pose = abut_pose(abut_vec3(0.55, 0.0, 0.55), abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI));
    Ring ring = make_ring(AROUND, TUBE, 0.17, 0.01, pose);
    add_pieces(&ring, AROUND, TUBE, 521 / 20 + 1);
    World w = ring_world("arm6", &ring);
    double start[6] = {0.9, 0.7, 0.9, 0.0, 0.0, 0.0}, goal[6] = {0.0, 0.7, 0.9, 0.0, 0.0, 0.0}, joints[6];
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutCertifyDef def = {settings.level, 0, 0};
    AbutCertificate x;
    AbutPlan plan;
    AbutError error;
    settings.budget = 1e6;
    assert_true(ring.mesh.triangle_count == 100032);
    good(abut_plan_solve(w.problem, &query, &settings, &plan, &error), &error);
    assert_int_equal(plan.status, ABUT_PLAN_CERTIFIED);
    CHECK(plan.certificate.triangles > 0 && plan.certificate.triangles < 200 && plan.certificate.bounds < 10000);
    AbutGapDef near = {.within = 0.02};
    for (int i = 0; i <= SAMPLES; ++i) {
        AbutPose poses[20];
        abut_trajectory_value(
            &plan.trajectory, plan.trajectory.times[plan.trajectory.piece_count] * i / SAMPLES, 0, joints);
        good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
        for (int32_t k = 0; k < w.robot->shape_count; ++k) {
            AbutConvex body = abut_plan_exact_convex(w.robot->shapes[k].geometry);
            AbutPose at = abut_pose_mul(poses[w.robot->shapes[k].body], w.robot->shapes[k].pose);
            if (!w.robot->shapes[k].visual && body.kind != ABUT_CONVEX_HALF_SPACE)
                CHECK(abut_mesh_convex_distance(ring.tree, &body, abut_pose_between(pose, at), &near, NULL).distance >
                      settings.level);
        }
    }
    abut_plan_free(&plan);
    AbutTrajectory t = straight(&w, start, goal, 1.0);
    good(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), &error);
    CHECK(x.status == ABUT_CERTIFICATE_CONTACT);
    abut_trajectory_value(&t, x.t, 0, joints);
    CHECK(triangle_distance(&w, &ring, joints, abut_plan_pair(w.problem, x.pair).a) <= settings.level);
    abut_trajectory_free(&t);
    free_world(&w);
    free_ring(&ring);
}

/* A mesh is its hull where it is convex; else its triangles, with pieces or sheets for the search. */
static void meshes_become_obstacles(void **state) {
    (void)state;
    const double sizes[3] = {0.2, 0.05, 0.3};
    static const char *const makers[2] = {"box", "torus"};
    AbutError error;
    for (int kind = 0; kind < 3; ++kind)
        for (int search = 0; search < 2; ++search) {
            AbutMesh mesh = {0};
            AbutPlanObstacles made;
            good(abut_mesh_make(makers[kind > 0], kind ? 400 : 12, sizes, &mesh, &error), &error);
            mesh.triangle_count -= kind == 2 ? 40 : 0; /* open */
            good(abut_plan_obstacles_from_mesh(&mesh, "thing", search, &made, &error), &error);
            assert_string_equal(made.model->bodies[0].name, "thing");
            assert_int_equal(made.mesh_count, kind > 0);
            assert_int_equal(made.open, kind == 2);
            assert_true(
                made.model->shape_count == 1 ? kind == 0 : (made.model->shape_count > 1) == (kind > 0 && search));
            assert_true((made.pieces.count > 0) == (kind == 1 && search));
            for (int32_t i = 0; i < made.mesh_count; ++i) {
                assert_int_equal(made.meshes[i].shape_count, made.model->shape_count);
                assert_int_equal(made.meshes[i].tree->triangle_count, mesh.triangle_count);
            }
            abut_plan_obstacles_free(&made);
            assert_true(!made.model && made.mesh_count == 0);
            mesh.triangle_count += kind == 2 ? 40 : 0;
            abut_mesh_free(&mesh);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree_with_samples),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(inside_counts),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(plan_against_fine_mesh),
        cmocka_unit_test(meshes_become_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
