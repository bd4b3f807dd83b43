/* SPDX-License-Identifier: Apache-2.0 */
/* Clearance over a motion: brackets against samples for meshes, pieces and capsules, one or both moving; contact,
 * containment, invariance, hard and bad cases, budgets. */
#include "clearance_support.h"
#include "mesh/kernels.h"
#include "shape/mesh_tree.h"

/* Times at which an answer is checked, the last 3 of 8 near its own; the full number where the counts are full. */
static int sample_count(void) { return check_cases(10) > 10 ? 400 : 64; }

static double time_of_sample(int k, double t) { return sample_time(k, sample_count() * 5 / 8, sample_count(), t); }

typedef struct Pair {
    AbutMeshTree *tree[2];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Pair;

static Pair mesh_pair(const char *a, int triangles_a, const char *b, int triangles_b) {
    Pair p = {{made_tree(a, triangles_a), made_tree(b, triangles_b)}, {NULL, NULL}, new_space()};
    p.body[0] = body_of_mesh(p.tree[0]);
    p.body[1] = body_of_mesh(p.tree[1]);
    return p;
}

static void free_pair(Pair *p) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(p->body[k]);
        abut_mesh_tree_free(p->tree[k]);
    }
    abut_clearance_space_free(p->space);
}

/* Nothing nearer than lb at any sampled time; really ub apart at t; narrow enough. */
static void check_meshes(const Pair *p, const AbutMover *a, const AbutMover *b, double eps, const AbutClearance *x) {
    assert_true(x->certified && x->ub - x->lb <= eps);
    AbutGap at = abut_mesh_distance(p->tree[0], p->tree[1], pose_of_b_in_a(a, b, x->t), NULL, NULL);
    if (x->status == ABUT_CLEARANCE_CONTAINED) {
        assert_true(at.outcome == ABUT_A_IN_B || at.outcome == ABUT_B_IN_A);
        return;
    }
    assert_true(at.surface <= x->ub + 1e-12);
    AbutPose pa = abut_motion_pose(&a->motion, x->t), pb = abut_motion_pose(&b->motion, x->t);
    CHECK_NEAR(abut_point_distance(x->point_a, x->point_b), x->ub, 1e-12);
    CHECK_VEC_NEAR(abut_sub(x->point_b, x->point_a), abut_scale(x->normal, x->ub), 1e-12);
    CHECK_NEAR(abut_mesh_nearest(p->tree[0], abut_pose_apply_inv(pa, x->point_a), 0).distance, 0, 1e-12);
    CHECK_NEAR(abut_mesh_nearest(p->tree[1], abut_pose_apply_inv(pb, x->point_b), 0).distance, 0, 1e-12);
    for (int k = 0; k < sample_count() && x->lb > 1e-9; ++k) {
        AbutGapDef below = {.within = x->lb - 1e-12};
        double t = time_of_sample(k, x->t);
        AbutGap d = abut_mesh_distance(p->tree[0], p->tree[1], pose_of_b_in_a(a, b, t), &below, NULL);
        assert_int_equal(d.outcome, ABUT_FARTHER);
    }
}

static double spread(AbutRng *rng, double low, double high) /* evenly over the powers of ten */
{
    return pow(10, abut_rng_between(rng, low, high));
}

static void meshes_are_bracketed(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int triangles_a, triangles_b;
    } set[4] = {
        {"knot", "torus", 400, 300}, {"knot", "cup", 300, 200}, {"box", "cup", 12, 400}, {"torus", "box", 900, 12}};
    AbutRng rng = abut_rng(401, 1);
    for (int k = 0; k < 4; ++k) {
        Pair p = mesh_pair(set[k].a, set[k].triangles_a, set[k].b, set[k].triangles_b);
        double size = p.tree[0]->radius + p.tree[1]->radius;
        for (int i = 0; i < check_cases(250); ++i) {
            FreeMotion m, n;
            double eps = size * spread(&rng, -5, -2), way = size * spread(&rng, -2, 0.2), turn = spread(&rng, -2, 0.6);
            AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, size, way, turn, &m)};
            AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
            if (i % 3 == 0) /* both move */
                b.motion = random_free_motion(&rng, 0.2 * size, 0.3 * way, turn, &n);
            AbutClearanceDef def = over_unit(eps);
            AbutClearance x = abut_clearance(&a, &b, &def, p.space);
            check_meshes(&p, &a, &b, eps, &x);
        }
        free_pair(&p);
    }
}

/* ---- convex pieces ----------------------------------------------------------------------------------------------- */

enum { PIECES = 8 };

typedef struct Union {
    AbutPolyhedron *hull[PIECES];
    AbutConvex piece[PIECES];
    int32_t count;
    AbutClearanceBody *body;
} Union;

/* A body that is known by its support function alone: an ellipsoid off the origin. */
static AbutVec3 egg(AbutVec3 d, const void *user) {
    AbutVec3 half = abut_vec3(0.1, 0.05, 0.03), s = abut_mul(half, d);
    (void)user;
    return abut_add(abut_vec3(0.02, 0, 0), abut_mul(half, abut_normalize(s)));
}

/* Hulls on a ring, some of them rounded; one alone: a capsule, a sphere, a box or a hull. */
static void make_union(AbutRng *rng, Union *u, int32_t count) {
    u->count = count;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 points[10];
        double angle = 2 * ABUT_PI * i / count;
        AbutVec3 at = count > 1 ? abut_vec3(0.25 * cos(angle), 0.25 * sin(angle), 0.05 * sin(2 * angle)) : abut_zero();
        for (int k = 0; k < 10; ++k)
            points[k] = abut_add(at, abut_mul(abut_random_direction(rng), abut_vec3(0.05, 0.08, 0.05)));
        u->hull[i] = hull_of(points, 10);
        double radius = abut_rng_below(rng, 2) ? abut_rng_between(rng, 0.005, 0.03) : 0;
        int kind = count > 1 ? 4 : (int)abut_rng_below(rng, 6);
        u->piece[i] = kind == 0   ? abut_convex_segment(points[0], points[1], 0.04)
                      : kind == 1 ? abut_convex_point(points[0], 0.1)
                      : kind == 2 ? abut_convex_box(abut_vec3(0.1, 0.05, 0.02), radius)
                      : kind == 5 ? abut_convex_support(egg, NULL, radius)
                      : kind == 3 ? abut_convex_triangle(points[0], points[1], points[2], radius)
                                  : abut_convex_polyhedron(u->hull[i], radius);
    }
    u->body = body_of_pieces(count, u->piece);
}

static void free_union(Union *u) {
    abut_clearance_body_free(u->body);
    for (int32_t i = 0; i < u->count; ++i) abut_polyhedron_free(u->hull[i]);
}

/* Least distance of all pairs at a time, to the tolerance of one distance. */
static double least_distance(const Union *u, const Union *v, AbutPose v_in_u, double tolerance) {
    double least = INFINITY;
    AbutGapDef def = {.tolerance = tolerance};
    for (int32_t i = 0; i < u->count; ++i)
        for (int32_t j = 0; j < v->count; ++j)
            least = abut_smaller(least, abut_convex_distance(&u->piece[i], &v->piece[j], v_in_u, &def, NULL).distance);
    return least;
}

static double brute_force(const Union *u, const Union *v, AbutPose v_in_u) { return least_distance(u, v, v_in_u, 0); }

/* Are they nearer than `limit`? The depth of bodies that are known by a support function is good to 1e-7 of their size
 * as a rule, too deep or not deep enough; where that says yes it is asked for to 1e-12. */
static int is_nearer(const Union *u, const Union *v, AbutPose v_in_u, double limit) {
    return least_distance(u, v, v_in_u, 0) < limit && least_distance(u, v, v_in_u, 1e-12) < limit;
}

static void pieces_are_bracketed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(402, 1);
    AbutClearanceSpace *space = new_space();
    int deep = 0;
    for (int i = 0; i < check_cases(1000); ++i) {
        Union u, v;
        FreeMotion m, n;
        int32_t count = i % 4 ? 1 : PIECES;
        double eps = spread(&rng, -5, -2), way = spread(&rng, -2, 0), turn = spread(&rng, -2, 0.5);
        make_union(&rng, &u, count);
        make_union(&rng, &v, count);
        AbutMover a = {
            abut_solid_prepared(u.body), random_free_motion(&rng, abut_rng_between(&rng, 0, 0.6), way, turn, &m)};
        AbutMover b = {abut_solid_prepared(v.body), random_free_motion(&rng, 0.1, 0.1, turn, &n)};
        AbutClearanceDef def = over_unit(eps);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        assert_true(x.certified && x.ub - x.lb <= eps);
        assert_true(brute_force(&u, &v, pose_of_b_in_a(&a, &b, x.t)) <= x.ub + 1e-8);
        CHECK_NEAR(abut_dot(abut_sub(x.point_b, x.point_a), x.normal), x.ub, 1e-11);
        for (int k = 0; k<sample_count(); k += count> 1 ? 3 : 1) {
            double t = time_of_sample(k, x.t);
            assert_false(is_nearer(&u, &v, pose_of_b_in_a(&a, &b, t), x.lb - 1e-9));
        }
        deep += x.ub < 0;
        assert_int_equal(x.status,
            x.ub <= 0 ? ABUT_CLEARANCE_CONTACT : (x.lb > 0 ? ABUT_CLEARANCE_CLEAR : ABUT_CLEARANCE_UNDECIDED));
        free_union(&u);
        free_union(&v);
    }
    assert_true(deep > check_cases(1000) / 10);
    abut_clearance_space_free(space);
}

/* Round pieces deep in each other: the points of an answer are as far apart as it says, and no nearer to rounding. */
static void round_pieces_in_contact(void **state) {
    (void)state;
    AbutRng rng = abut_rng(414, 1);
    AbutClearanceSpace *space = new_space();
    AbutConvex piece[4] = {abut_convex_cylinder(0.05, 0.1, 0), abut_convex_cone(0.06, 0.1, 0.01),
        abut_convex_ellipsoid(abut_vec3(0.1, 0.05, 0.03), 0), abut_convex_support(egg, NULL, 0)};
    AbutClearanceBody *body[4];
    for (int k = 0; k < 4; ++k) body[k] = body_of_pieces(1, &piece[k]);
    for (int i = 0; i < check_cases(400); ++i) {
        FreeMotion m;
        int k = i % 4, j = i / 4 % 4;
        AbutMover a = {abut_solid_prepared(body[k]), random_free_motion(&rng, 0.1, 0.1, 1, &m)};
        AbutMover b = {abut_solid_prepared(body[j]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        AbutClearanceMinimum least;
        int32_t count;
        assert_true(x.certified);
        CHECK_NEAR(abut_dot(abut_sub(x.point_b, x.point_a), x.normal), x.ub, 1e-11);
        (void)abut_clearance_minima(&a, &b, &def, 0, 1, &least, &count, space);
        CHECK_NEAR(abut_dot(abut_sub(least.point_b, least.point_a), least.normal), least.d, 1e-11);
    }
    for (int k = 0; k < 4; ++k) abut_clearance_body_free(body[k]);
    abut_clearance_space_free(space);
}

/* A mesh against a solid piece: 0 in contact, the mesh's distance else. */
static void mesh_against_piece(void **state) {
    (void)state;
    AbutRng rng = abut_rng(403, 1);
    Pair p = mesh_pair("torus", 300, "box", 12);
    for (int i = 0; i < check_cases(1000); ++i) {
        FreeMotion m;
        AbutConvex capsule = abut_convex_segment(abut_vec3(-0.1, 0, 0), abut_vec3(0.1, 0, 0), 0.05);
        AbutClearanceBody *body = body_of_pieces(1, &capsule);
        AbutMover a = {abut_solid_prepared(body), random_free_motion(&rng, 0.5, 0.3, 1, &m)};
        AbutMover b = {abut_solid_prepared(p.body[0]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutClearance x = abut_clearance(&a, &b, &def, p.space);
        assert_true(x.certified && x.ub >= 0);
        for (int k = 0; k < sample_count() && x.lb > 0; ++k) {
            AbutPose pose = abut_pose_inv(pose_of_b_in_a(&a, &b, time_of_sample(k, x.t)));
            assert_true(abut_mesh_convex_distance(p.tree[0], &capsule, pose, NULL, NULL).distance >= x.lb - 1e-9);
        }
        abut_clearance_body_free(body);
    }
    free_pair(&p);
}

/* ---- half-spaces and planes -------------------------------------------------------------------------------------- */

/* A half-space or a plane that moves and turns, against any body that does, too. */
static void sheets_are_bracketed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(412, 1);
    AbutClearanceSpace *space = new_space();
    int deep = 0;
    for (int i = 0; i < check_cases(1000); ++i) {
        Union u, v = {.count = 1, .hull = {NULL}};
        FreeMotion m, n;
        double eps = spread(&rng, -5, -2), radius = i % 3 ? 0 : 0.02, turn = spread(&rng, -2, 0.5);
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -2, 2)};
        make_union(&rng, &u, i % 4 ? 1 : PIECES);
        v.piece[0] = abut_convex_half_space(plane, radius);
        v.piece[0].kind = i % 2 ? ABUT_CONVEX_PLANE : ABUT_CONVEX_HALF_SPACE;
        v.body = body_of_pieces(1, v.piece);
        AbutVec3 above = abut_scale(plane.normal, plane.offset + abut_rng_between(&rng, 0, 0.8));
        AbutMover a = {abut_solid_prepared(u.body), random_free_motion(&rng, 0, spread(&rng, -2, 0), turn, &m)};
        AbutMover b = {abut_solid_prepared(v.body), random_free_motion(&rng, 0.1, 0.1, turn * 0.3, &n)};
        m.joint[0].fixed.p = above;
        AbutClearanceDef def = over_unit(eps);
        AbutClearance x = abut_clearance(&a, &b, &def, space), y = abut_clearance(&b, &a, &def, space);
        assert_true(x.certified && x.ub - x.lb <= eps);
        assert_true(x.ub == y.ub && x.lb == y.lb && x.t == y.t);
        double at = brute_force(&u, &v, pose_of_b_in_a(&a, &b, x.t));
        assert_true(at <= x.ub + 1e-9 && at >= x.lb - 1e-9);
        for (int k = 0; k < sample_count(); ++k)
            assert_true(brute_force(&u, &v, pose_of_b_in_a(&a, &b, time_of_sample(k, x.t))) >= x.lb - 1e-9);
        deep += x.ub < 0;
        assert_int_equal(abut_clearance(&b, &b, &def, space).status, ABUT_CLEARANCE_INVALID);
        free_union(&u);
        abut_clearance_body_free(v.body);
    }
    assert_true(deep > check_cases(1000) / 10 && deep < check_cases(1000) * 9 / 10 + 1);
    abut_clearance_space_free(space);
}

/* A mesh above a floor that tilts: the least height of its vertices. */
static void meshes_above_a_floor(void **state) {
    (void)state;
    AbutRng rng = abut_rng(413, 1);
    AbutClearanceSpace *space = new_space();
    AbutMeshTree *tree = made_tree("knot", 300);
    AbutClearanceBody *body = body_of_mesh(tree);
    AbutConvex floor_piece = abut_convex_half_space((AbutPlane){abut_axis(2), 0}, 0);
    AbutClearanceBody *ground = body_of_pieces(1, &floor_piece);
    const AbutVec3 *v = abut_tree_vertices(tree);
    for (int i = 0; i < check_cases(300); ++i) {
        FreeMotion m, n;
        AbutMover a = {abut_solid_prepared(body), random_free_motion(&rng, 0, 0.5, 2, &m)};
        AbutMover b = {abut_solid_prepared(ground), random_free_motion(&rng, 0, 0.1, 0.2, &n)};
        n.joint[1].fixed = abut_pose_identity();
        m.joint[0].fixed.p = abut_vec3(0, 0, abut_rng_between(&rng, 0.5, 2));
        AbutClearanceDef def = over_unit(1e-4);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        assert_true(x.certified && x.ub >= 0 && x.ub - x.lb <= 1e-4);
        for (int k = 0; k < sample_count(); ++k) {
            AbutPose pose = abut_pose_inv(pose_of_b_in_a(&a, &b, time_of_sample(k, x.t)));
            double least = INFINITY;
            for (int32_t q = 0; q < 3 * tree->triangle_count; ++q)
                least = abut_smaller(least, abut_pose_apply(pose, v[q]).z);
            assert_true(least >= x.lb - 1e-12 || (x.status == ABUT_CLEARANCE_CONTACT && x.lb == 0));
        }
    }
    abut_clearance_body_free(body);
    abut_clearance_body_free(ground);
    abut_mesh_tree_free(tree);
    abut_clearance_space_free(space);
}

/* ---- many pieces of motion --------------------------------------------------------------------------------------- */

/* Keyframes, and splines with jumps of speed: the least distance may be at any break. */
static void motions_of_many_pieces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(404, 1);
    Pair p = mesh_pair("knot", 200, "torus", 200);
    for (int i = 0; i < check_cases(1000); ++i) {
        enum { KEYS = 7, CONTROL = 9 };
        AbutKeyframe keys[KEYS];
        AbutCurvePiece piece[4][CONTROL];
        double knots[CONTROL + 3], control[CONTROL];
        AbutChainJoint joint[2] = {{.parent = -1, .kind = ABUT_CHAIN_PLACE, .fixed = abut_pose_identity()},
            {.parent = 0, .kind = ABUT_CHAIN_HINGE, .fixed = abut_pose_identity(), .axis = abut_axis(1)}};
        AbutChain chain = {2, joint};
        AbutError error;
        AbutMover a = {abut_solid_prepared(p.body[0]), abut_motion_static(abut_pose_identity())};
        AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
        for (int k = 0; k < KEYS; ++k) keys[k] = (AbutKeyframe){k / (KEYS - 1.0), random_pose(&rng, 1.5)};
        good(abut_motion_keyframes(KEYS, keys, &a.motion, &error), &error);
        for (int k = 0; k < CONTROL + 3; ++k)
            knots[k] = k < 3 ? 0 : (k >= CONTROL ? 1 : (k - 2 - (k > 5)) / 7.0); /* one double knot inside */
        for (int q = 0; q < 4; ++q) {
            for (int k = 0; k < CONTROL; ++k) control[k] = abut_rng_between(&rng, -0.5, 0.5);
            AbutCurve *curve = q < 3 ? &joint[0].curve[q] : &joint[1].curve[0];
            good(abut_curve_spline(2, CONTROL, knots, control, piece[q], curve, &error), &error);
        }
        good(abut_motion_chain(&chain, 1, &b.motion, &error), &error);
        AbutClearanceDef def = over_unit(1e-3);
        AbutClearance x = abut_clearance(&a, &b, &def, p.space);
        check_meshes(&p, &a, &b, 1e-3, &x);
    }
    free_pair(&p);
}

/* ---- contact and containment ------------------------------------------------------------------------------------- */

static AbutMotion line(AbutVec3 from, AbutVec3 to) {
    return abut_motion_translation(abut_pose(from, abut_quat_identity()), abut_sub(to, from));
}

static void containment_counts_as_contact(void **state) {
    (void)state;
    AbutMesh outer = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0),
             inner = box_mesh(abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0);
    AbutMeshTree *tree[2] = {tree_of(&outer), tree_of(&inner)};
    AbutClearanceBody *body[2] = {body_of_mesh(tree[0]), body_of_mesh(tree[1])};
    AbutClearanceSpace *space = new_space();
    AbutMover a = {abut_solid_prepared(body[0]), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_prepared(body[1]), line(abut_vec3(-0.5, 0, 0), abut_vec3(0.5, 0, 0))};
    AbutClearanceDef def = over_unit(1e-3);
    AbutClearance x = abut_clearance(&a, &b, &def, space);
    assert_true(x.status == ABUT_CLEARANCE_CONTAINED && x.ub == 0 && x.lb == 0 && x.certified);
    assert_int_equal(abut_clearance(&b, &a, &def, space).status, ABUT_CLEARANCE_CONTAINED);
    AbutClearanceMinimum minimum[4]; /* of the surfaces: at both ends of the way */
    int32_t count;
    x = abut_clearance_minima(&a, &b, &def, 0.01, 4, minimum, &count, space);
    assert_true(x.status == ABUT_CLEARANCE_CONTAINED && x.ub == 0 && count == 2);
    for (int k = 0; k < 2; ++k) CHECK_NEAR(minimum[k].d, 0.4, 1e-9);
    CHECK_NEAR(abut_point_distance(x.point_a, x.point_b), 0.4, 1e-9);
    b.motion = line(abut_vec3(-0.5, 0, 0), abut_vec3(2, 0, 0));
    assert_int_equal(abut_clearance(&a, &b, &def, space).status, ABUT_CLEARANCE_CONTACT);
    b.motion = line(abut_vec3(-2, 2, 0), abut_vec3(2, 2, 0));
    x = abut_clearance(&a, &b, &def, space);
    assert_true(x.status == ABUT_CLEARANCE_CLEAR && fabs(x.ub - 0.9) < 1e-9 && x.containment_known);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    AbutClearanceBody *piece = body_of_pieces(1, &ball);
    AbutMover c = {abut_solid_prepared(piece), line(abut_vec3(-0.5, 0, 0), abut_vec3(0.5, 0, 0))};
    assert_int_equal(abut_clearance(&a, &c, &def, space).status, ABUT_CLEARANCE_CONTAINED);
    abut_mesh_free(&outer);
    outer = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0);
    outer.triangle_count -= 1; /* open */
    AbutMeshTree *open = tree_of(&outer);
    AbutClearanceBody *shell = body_of_mesh(open);
    AbutMover d = {abut_solid_prepared(shell), abut_motion_static(abut_pose_identity())};
    x = abut_clearance(&d, &c, &def, space);
    assert_true(x.status == ABUT_CLEARANCE_CLEAR && !x.containment_known);
    abut_clearance_body_free(shell);
    abut_mesh_tree_free(open);
    abut_clearance_body_free(piece);
    abut_mesh_free(&outer);
    abut_mesh_free(&inner);
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(body[k]);
        abut_mesh_tree_free(tree[k]);
    }
    abut_clearance_space_free(space);
}

/* ---- invariance -------------------------------------------------------------------------------------------------- */

static void time_frames_and_places_do_not_matter(void **state) {
    (void)state;
    AbutRng rng = abut_rng(405, 1);
    Pair p = mesh_pair("knot", 300, "torus", 200);
    const double eps = 1e-4;
    for (int i = 0; i < check_cases(100); ++i) {
        FreeMotion m, back;
        AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, 0.8, 0.3, 1, &m)};
        AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(eps);
        AbutClearance x = abut_clearance(&a, &b, &def, p.space), y = abut_clearance(&b, &a, &def, p.space);
        assert_true(x.ub == y.ub && x.lb == y.lb && x.t == y.t && x.part_a == y.part_b);
        CHECK_VEC_NEAR(x.normal, abut_neg(y.normal), 0);
        back = m; /* time runs backward */
        back.chain.joints = back.joint;
        for (int k = 0; k < 5; ++k) {
            double value[6], c[6];
            AbutCurve forward = {1, &m.piece[k], 1};
            memcpy(c, m.piece[k].c, sizeof c);
            for (int q = 0; q < 6; ++q) { /* Bernstein coefficients of the power form, in reverse order */
                double sum = 0, choose[6][6] = {{1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {1, 2, 1, 0, 0, 0},
                                    {1, 3, 3, 1, 0, 0}, {1, 4, 6, 4, 1, 0}, {1, 5, 10, 10, 5, 1}};
                for (int j = 0; j <= q; ++j) sum += choose[q][j] / choose[5][j] * c[j];
                value[5 - q] = sum;
            }
            CHECK_NEAR(value[0], abut_curve_value(&forward, 1), 1e-12);
            back.piece[k] = abut_curve_bernstein(0, 1, 5, value);
            back.joint[k < 3 ? 0 : k - 2].curve[k < 3 ? k : 0].pieces = &back.piece[k];
        }
        AbutMover r = {abut_solid_prepared(p.body[0]), a.motion};
        r.motion.chain = &back.chain;
        y = abut_clearance(&r, &b, &def, p.space);
        assert_true(x.lb <= y.ub && y.lb <= x.ub && fabs(x.ub - y.ub) <= eps);
        AbutPose far = abut_pose(abut_vec3(1000, -2000, 500), abut_quat_identity()); /* everything far away */
        FreeMotion away = m;
        away.joint[0].fixed = abut_pose_mul(far, m.joint[0].fixed);
        away.chain.joints = away.joint;
        AbutMover s = a, t = {abut_solid_prepared(p.body[1]), abut_motion_static(far)};
        s.motion.chain = &away.chain;
        y = abut_clearance(&s, &t, &def, p.space);
        assert_true(y.certified && fabs(x.ub - y.ub) <= eps && x.lb <= y.ub && y.lb <= x.ub);
        def.from = def.to = 0.25; /* no time passes */
        x = abut_clearance(&a, &b, &def, p.space);
        AbutGap d = abut_mesh_distance(p.tree[0], p.tree[1], pose_of_b_in_a(&a, &b, 0.25), NULL, NULL);
        assert_true(x.certified && x.t == 0.25 && d.surface >= x.lb && d.surface <= x.ub + 1e-12);
    }
    free_pair(&p);
}

/* ---- hard and bad cases ------------------------------------------------------------------------------------------ */

static void triangles_without_area(void **state) {
    (void)state;
    AbutRng rng = abut_rng(406, 1);
    AbutClearanceSpace *space = new_space();
    for (int i = 0; i < check_cases(400); ++i) {
        AbutVec3 v[3], w[3];
        AbutTriangle t = {{0, 1, 2}};
        for (int k = 0; k < 3; ++k) v[k] = abut_random_direction(&rng), w[k] = abut_random_direction(&rng);
        if (i % 3 == 1) v[2] = abut_lerp(v[0], v[1], 0.3); /* a line */
        if (i % 3 == 2) v[1] = v[2] = v[0];                /* a point */
        AbutMesh one = {.vertices = v, .vertex_count = 3, .triangles = &t, .triangle_count = 1}, two = one;
        two.vertices = w;
        Pair p = {{tree_of(&one), tree_of(&two)}, {NULL, NULL}, space};
        p.body[0] = body_of_mesh(p.tree[0]), p.body[1] = body_of_mesh(p.tree[1]);
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, 1.5, 1, 2, &m)};
        AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        check_meshes(&p, &a, &b, 1e-3, &x);
        p.space = NULL;
        free_pair(&p);
    }
    abut_clearance_space_free(space);
}

/* A ball in a socket: far too much for a small budget; what is told is true all the same. */
static void budgets_are_honest(void **state) {
    (void)state;
    AbutMesh ball, socket;
    AbutError error;
    double small[1] = {0.25}, large[1] = {0.26};
    good(abut_mesh_make("sphere", 1200, small, &ball, &error), &error);
    good(abut_mesh_make("sphere", 1200, large, &socket, &error), &error);
    Pair p = {{tree_of(&ball), tree_of(&socket)}, {NULL, NULL}, new_space()};
    p.body[0] = body_of_mesh(p.tree[0]), p.body[1] = body_of_mesh(p.tree[1]);
    AbutRng rng = abut_rng(407, 1);
    for (int i = 0; i < check_cases(20); ++i) {
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, 0, 0.002, 0.5, &m)};
        AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-4);
        double truth = INFINITY, before = -INFINITY;
        for (int k = 0; k < 40; ++k)
            truth = abut_smaller(
                truth, abut_mesh_distance(p.tree[0], p.tree[1], pose_of_b_in_a(&a, &b, k / 39.0), NULL, NULL).surface);
        for (def.budget = 100; def.budget <= 100000; def.budget *= 10) {
            AbutClearance x = abut_clearance(&a, &b, &def, p.space);
            if (x.status == ABUT_CLEARANCE_CONTAINED || x.status == ABUT_CLEARANCE_CONTACT) break;
            assert_true(x.lb <= truth && x.ub >= x.lb && (x.certified || x.ub - x.lb > 1e-4));
            assert_true(x.node_pairs <= def.budget + 1);
            assert_true(x.lb >= before - 1e-9);
            before = x.lb;
        }
    }
    AbutClearanceSpace *tiny;
    good(abut_clearance_space_create(4, &tiny, &error), &error);
    FreeMotion m;
    AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, 0.9, 0.3, 0.5, &m)};
    AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
    AbutClearanceDef def = over_unit(1e-6);
    AbutClearance full = abut_clearance(&a, &b, &def, p.space), x = abut_clearance(&a, &b, &def, tiny);
    assert_true(full.certified && x.lb <= full.ub && x.ub >= full.lb);
    assert_true(full.reason == ABUT_CLEARANCE_BY_TOLERANCE && x.reason == ABUT_CLEARANCE_BY_BUDGET);
    def.seconds = 1e-9;
    x = abut_clearance(&a, &b, &def, p.space);
    assert_true(x.lb <= full.ub && x.ub >= full.lb && !x.certified && x.reason == ABUT_CLEARANCE_BY_TIME);
    abut_clearance_space_free(tiny);
    abut_mesh_free(&ball);
    abut_mesh_free(&socket);
    free_pair(&p);
}

static void care_and_relative_tolerance(void **state) {
    (void)state;
    AbutRng rng = abut_rng(408, 1);
    Pair p = mesh_pair("knot", 300, "torus", 200);
    for (int i = 0; i < check_cases(100); ++i) {
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(p.body[0]), random_free_motion(&rng, 1.2, 0.3, 1, &m)};
        AbutMover b = {abut_solid_prepared(p.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-4), care = def, part = def;
        AbutClearance x = abut_clearance(&a, &b, &def, p.space);
        care.care = 0.2;
        AbutClearance y = abut_clearance(&a, &b, &care, p.space);
        if (y.ub == INFINITY)
            assert_true(y.status == ABUT_CLEARANCE_CLEAR && y.lb >= 0.2 && x.ub >= 0.2 && y.certified);
        else
            assert_true(fabs(x.ub - y.ub) <= 1e-4 || x.ub > 0.19);
        care.relative = 0.1; /* of a distance, not of the limit */
        y = abut_clearance(&a, &b, &care, p.space);
        if (y.ub == INFINITY) assert_true(y.status == ABUT_CLEARANCE_CLEAR && y.lb >= 0.2 && y.certified);
        part.relative = 0.1;
        y = abut_clearance(&a, &b, &part, p.space);
        assert_true(y.certified && y.lb <= x.ub && y.ub >= x.lb && y.ub - y.lb <= 1e-4 + 0.1 * y.ub);
    }
    free_pair(&p);
}

static void bad_input_has_an_outcome(void **state) {
    (void)state;
    AbutMesh none = {0};
    AbutMeshTree *empty = tree_of(&none);
    AbutClearanceBody *nothing = body_of_mesh(empty), *no_pieces = body_of_pieces(0, NULL), *refused;
    Pair p = mesh_pair("box", 12, "box", 12);
    AbutError error;
    AbutMover a = {abut_solid_prepared(nothing), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_prepared(p.body[0]), abut_motion_static(abut_pose_identity())},
              c = {abut_solid_prepared(no_pieces), a.motion}, d = b;
    AbutClearanceDef def = over_unit(1e-3), bad = def;
    AbutClearance x = abut_clearance(&a, &b, &def, p.space);
    assert_true(x.status == ABUT_CLEARANCE_EMPTY && x.ub == INFINITY && x.lb == INFINITY);
    assert_true(isnan(x.t) && isnan(x.point_a.x) && isnan(x.point_b.y) && isnan(x.normal.z));
    assert_int_equal(abut_clearance(&b, &c, &def, p.space).status, ABUT_CLEARANCE_EMPTY);
    d.motion.path[1].y = NAN;
    assert_int_equal(abut_clearance(&b, &d, &def, p.space).status, ABUT_CLEARANCE_INVALID);
    d = b, d.solid = abut_solid_mesh(p.tree[0]); /* not prepared */
    assert_int_equal(abut_clearance(&b, &d, &def, p.space).status, ABUT_CLEARANCE_INVALID);
    bad.to = -1;
    x = abut_clearance(&b, &b, &bad, p.space);
    assert_true(x.status == ABUT_CLEARANCE_INVALID && isnan(x.ub) && isnan(x.lb) && isnan(x.t) && isnan(x.point_a.x));
    bad = def, bad.eps = NAN;
    assert_int_equal(abut_clearance(&b, &b, &bad, p.space).status, ABUT_CLEARANCE_INVALID);
    AbutConvex piece[2] = {abut_convex_point(abut_zero(), 1), abut_convex_point(abut_vec3(NAN, 0, 0), 1)};
    assert_int_equal(prepare_union(2, piece, &refused, &error), ABUT_ERROR_NUMBER);
    assert_null(refused);
    assert_int_equal(abut_clearance_body_create(
                         2, (AbutSolid[]){abut_solid_mesh(p.tree[0]), abut_solid_convex(piece)}, &refused, &error),
        ABUT_ERROR_UNSUPPORTED);
    assert_null(refused);
    piece[1] = abut_convex_half_space((AbutPlane){abut_axis(2), 0}, 0);
    assert_int_equal(prepare_union(2, piece, &refused, &error), ABUT_ERROR_UNSUPPORTED);
    piece[0] = abut_convex_half_space((AbutPlane){abut_vec3(0, 0, 2), 0}, 0);
    assert_int_equal(
        abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(piece)}, &refused, &error), ABUT_ERROR_NUMBER);
    AbutClearanceSpace *space;
    assert_int_equal(abut_clearance_space_create(-1, &space, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(abut_word(abut_clearance_status_names, ABUT_CLEARANCE_CLEAR), "clear");
    assert_string_equal(abut_word(abut_clearance_status_names, ABUT_CLEARANCE_STATUS_COUNT), "unknown");
    abut_clearance_body_free(nothing);
    abut_clearance_body_free(no_pieces);
    abut_mesh_tree_free(empty);
    free_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_bracketed),
        cmocka_unit_test(pieces_are_bracketed),
        cmocka_unit_test(round_pieces_in_contact),
        cmocka_unit_test(mesh_against_piece),
        cmocka_unit_test(sheets_are_bracketed),
        cmocka_unit_test(meshes_above_a_floor),
        cmocka_unit_test(motions_of_many_pieces),
        cmocka_unit_test(containment_counts_as_contact),
        cmocka_unit_test(time_frames_and_places_do_not_matter),
        cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(budgets_are_honest),
        cmocka_unit_test(care_and_relative_tolerance),
        cmocka_unit_test(bad_input_has_an_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
