/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A query takes at most 64 kB of stack. Every query runs on a thread whose stack was painted before; what
 * is painted over is what it took. Sanitizers make frames larger: under them the queries run but are not measured.
 */
#include "abut/literature.h"
#include "support/depth_along.h"
#include "mesh/kernels.h"
#include "abut/clearance.h"
#include "abut/solid.h"
#include "abut/contact.h"
#include "abut/literature.h"
#include "abut/mesh.h"
#include "abut/query.h"
#include "support/casts.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/prepared.h"
#include "support/random_bodies.h"
#include "contact/grown.h"
#include "mesh/kernels.h"

#include <pthread.h>
#include <string.h>

enum { STACK = 1 << 21, PAINT = 0xA5, LIMIT = 64 * 1024 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MEASURED = 0 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { MEASURED = 0 };
#else
enum { MEASURED = 1 };
#endif
#else
enum { MEASURED = 1 };
#endif

static _Alignas(4096) unsigned char stack[STACK];

/* Runs a function on the painted stack; gives the bytes it took, those of the thread itself included. */
static size_t run_on_stack(void *(*function)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, PAINT, sizeof stack);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, function, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t clean = 0;
    while (clean < sizeof stack && stack[clean] == PAINT) ++clean;
    return sizeof stack - clean;
}

static void *do_nothing(void *argument) { return argument; }

static size_t most; /* bytes taken by any query so far */

static void check_stack(const char *name, void *(*function)(void *), void *argument) {
    run_on_stack(function, argument); /* once unmeasured: symbols are bound on first use */
    size_t idle = run_on_stack(do_nothing, NULL), took = run_on_stack(function, argument) - idle;
    most = took > most ? took : most;
    if (MEASURED && took > LIMIT) print_error("%s takes %zu bytes of stack\n", name, took);
    CHECK(!MEASURED || took <= LIMIT);
}

/* ---- convex bodies ----------------------------------------------------------------------------------------------- */

typedef struct Pair {
    const AbutConvex *a, *b;
    AbutPose pose;
    void *workspace;
    size_t bytes;
} Pair;

static AbutVec3 ball(AbutVec3 d, const void *radius) { return abut_scale(d, *(const double *)radius / abut_length(d)); }

static void *ask_convex(void *argument) {
    const Pair *p = argument;
    AbutConvexCache cache = {0};
    AbutGapDef def = {.tolerance = 1e-12, .within = 10.0};
    AbutGap d = abut_convex_distance(p->a, p->b, p->pose, NULL, &cache);
    abut_convex_distance(p->a, p->b, p->pose, &def, &cache);
    abut_distance(abut_solid_convex(p->a), abut_solid_convex(p->b), p->pose, &def, NULL);
    abut_convex_meet(p->a, p->b, p->pose, NULL);
    abut_collide(abut_solid_convex(p->a), abut_solid_convex(p->b), p->pose, NULL);
    abut_distance_derivative(p->a, p->b, abut_pose_identity(), p->pose, &d);
    AbutMover a = {abut_solid_convex(p->a), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_convex(p->b), abut_motion_translation(p->pose, abut_vec3(-1.0, -1.0, 0.0))};
    AbutImpactDef impact = {.to = 1.0};
    abut_time_of_impact(&a, &b, &impact);
    return NULL;
}

/* Needles, plates, round bodies, hulls that outgrow the polytope, support functions that never converge. */
static void convex_queries(void **state) {
    (void)state;
    enum { BODIES = 12 };
    AbutRng rng = abut_rng(830, 0);
    double radius = 0.8;
    AbutPolyhedron *small = random_hull(&rng, 40, abut_vec3(1.0, 0.8, 0.6));
    AbutPolyhedron *large = random_hull(&rng, 3000, abut_vec3(1.0, 1.0, 1.0));
    AbutPolyhedron *flat = random_hull(&rng, 20, abut_vec3(1.0, 1.0, 0.0));
    const AbutConvex body[BODIES] = {abut_convex_point(abut_zero(), 0.5),
        abut_convex_segment(abut_vec3(-1.0, 0.0, 0.1), abut_vec3(1.0, 0.2, 0.0), 0.1),
        abut_convex_triangle(abut_axis(0), abut_axis(1), abut_axis(2), 0.0),
        abut_convex_box(abut_vec3(1.0, 0.5, 0.7), 0.0), abut_convex_box(abut_vec3(1e6, 0.5, 0.7), 0.0),
        abut_convex_polyhedron(small, 0.0), abut_convex_polyhedron(large, 0.0), abut_convex_polyhedron(flat, 0.0),
        abut_convex_support(ball, &radius, 0.0), abut_convex_cylinder(0.5, 0.8, 0.0),
        abut_convex_ellipsoid(abut_vec3(1.0, 0.4, 0.6), 0.0),
        abut_convex_half_space((AbutPlane){abut_axis(2), 0.0}, 0.0)};
    for (int i = 0; i < BODIES; ++i)
        for (int j = 0; j < BODIES; ++j)
            for (int k = 0; k < 4; ++k) {
                Pair pair = {&body[i], &body[j], random_pose(&rng, k), NULL, 0};
                if (k == 0) pair.pose = abut_pose_identity();
                if (k == 3) /* nearly one axis */
                    pair.pose = abut_pose(abut_vec3(1e-5, 2e-5, 0.0), abut_quat_exp(abut_vec3(1e-5, 0.0, 0.0)));
                check_stack("a convex query", ask_convex, &pair);
            }
    abut_polyhedron_free(small);
    abut_polyhedron_free(large);
    abut_polyhedron_free(flat);
}

/* ---- regions, overlaps, contacts --------------------------------------------------------------------------------- */

static void *ask_overlap(void *argument) {
    const Pair *p = argument;
    AbutOverlapCache cache = {0};
    abut_overlap(p->a, p->b, p->pose, &cache, p->workspace, p->bytes);
    return NULL;
}

static void *ask_intersection(void *argument) {
    const Pair *p = argument;
    for (int method = 0; method < ABUT_INTERSECT_METHOD_COUNT; ++method) {
        AbutIntersectDef def = {
            .method = (AbutIntersectMethod)method, .max_reductions = 10000, .search = abut_intersect_ren};
        abut_intersect_polyhedra(p->a->polyhedron, p->b->polyhedron, p->pose, &def, p->workspace, p->bytes);
    }
    return NULL;
}

static void *ask_duality(void *argument) {
    const Pair *p = argument;
    abut_overlap_by_duality(p->a, p->b, p->pose, p->workspace, p->bytes);
    return NULL;
}

/* Two regions of any dimension as plain rows. */
typedef struct Rows {
    int dimension;
    AbutRegion a, b;
    void *workspace;
    size_t bytes;
} Rows;

static void *ask_regions(void *argument) {
    const Rows *r = argument;
    for (int method = 0; method < ABUT_INTERSECT_METHOD_COUNT; ++method) {
        AbutIntersectDef def = {
            .method = (AbutIntersectMethod)method, .max_reductions = 10000, .search = abut_intersect_ren};
        abut_intersect_regions(r->dimension, &r->a, &r->b, &def, r->workspace, r->bytes);
    }
    return NULL;
}

static void *ask_contact(void *argument) {
    const Pair *p = argument;
    AbutGrownBody a, b;
    AbutContact contact;
    if (abut_grown_body_create(p->a, 0.01, &a, NULL) == ABUT_OK) {
        if (abut_grown_body_create(p->b, 0.01, &b, NULL) == ABUT_OK) {
            AbutGrownPair pair = {&a, &b, abut_pose_identity(), p->pose};
            size_t bytes = abut_contact_workspace_size(&a, &b);
            void *workspace = malloc(bytes);
            abut_contact_find(&pair, workspace, bytes, &contact);
            free(workspace);
            abut_grown_body_free(&b);
        }
        abut_grown_body_free(&a);
    }
    return NULL;
}

static void overlaps_and_contacts(void **state) {
    (void)state;
    AbutRng rng = abut_rng(831, 0);
    for (int k = 0; k < 12; ++k) {
        AbutPolyhedron *pa = random_hull(&rng, 10 + 60 * (k % 4), abut_vec3(1.0, 0.8, 0.6));
        AbutPolyhedron *pb = random_hull(&rng, 200, abut_vec3(1.0, 1.0, 0.3));
        AbutConvex a = abut_convex_polyhedron(pa, 0.0), b = abut_convex_polyhedron(pb, 0.0);
        Pair pair = {&a, &b, random_pose(&rng, 0.2 * (k % 8)), NULL, 0};
        pair.bytes = abut_overlap_workspace_size(&a, &b);
        pair.workspace = malloc(pair.bytes);
        check_stack("abut_overlap", ask_overlap, &pair);
        check_stack("abut_overlap_by_duality", ask_duality, &pair);
        free(pair.workspace);
        pair.bytes = abut_intersect_polyhedra_workspace_size(pa, pb);
        pair.workspace = malloc(pair.bytes);
        check_stack("abut_intersect_polyhedra", ask_intersection, &pair);
        free(pair.workspace);
        check_stack("abut_contact_find", ask_contact, &pair);
        abut_polyhedron_free(pa);
        abut_polyhedron_free(pb);
    }
}

/* Balls of rows about the origin and beside it, in every dimension; many rows in three. */
static void regions(void **state) {
    (void)state;
    enum { MOST = 400 };
    static double normal[2][ABUT_INTERSECT_MAX_DIMENSION * MOST], offset[2][MOST];
    AbutRng rng = abut_rng(833, 0);
    for (int k = 0; k < 24; ++k) {
        int dimension = 1 + k % ABUT_INTERSECT_MAX_DIMENSION, count = dimension == 3 ? MOST : 4 * dimension;
        double apart = 0.5 * (k / ABUT_INTERSECT_MAX_DIMENSION);
        for (int body = 0; body < 2; ++body)
            for (int i = 0; i < count; ++i) {
                double *n = &normal[body][dimension * i], square = 0.0;
                for (int j = 0; j < dimension; ++j) {
                    n[j] = abut_rng_normal(&rng);
                    square += n[j] * n[j];
                }
                offset[body][i] = sqrt(square) + (body ? apart * n[0] : 0.0);
            }
        Rows rows = {dimension, {count, normal[0], offset[0]}, {count, normal[1], offset[1]}, NULL, 0};
        rows.bytes = abut_intersect_workspace_size(dimension, 2 * count);
        rows.workspace = malloc(rows.bytes);
        check_stack("abut_intersect_regions", ask_regions, &rows);
        free(rows.workspace);
    }
}

/* ---- casts and clearances ---------------------------------------------------------------------------------------- */

typedef struct Movers {
    AbutMover mover[3]; /* a mesh, a hull, pieces */
    AbutBodySet set;
    AbutPlaced moved;
    AbutClearanceSpace *space;
} Movers;

static int keep_going(const AbutClearanceSample *sample, void *user) {
    (void)user;
    return sample->to < sample->from;
}

static void *ask_clearance(void *argument) {
    const Movers *m = argument;
    AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 0.05, .budget = 20000};
    AbutCapsulePath path = {.radius = 0.1};
    AbutClearanceMinimum minima[4];
    int32_t count;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const AbutMover *a = &m->mover[i], *b = &m->mover[j];
            for (int method = 0; method < ABUT_CLEARANCE_METHOD_COUNT; ++method)
                abut_clearance_by((AbutClearanceMethod)method, a, b, &def, m->space);
            abut_clearance_curve(a, b, &def, 0.1, keep_going, NULL, m->space);
            abut_clearance_minima(a, b, &def, 0.1, 4, minima, &count, m->space);
            abut_clearance_contact_time(a, b, &def, 0.0, 0.0, i % 2, m->space);
        }
    abut_clearance_capsules(&path, &path, 0.0, 1.0, 1e-3);
    return NULL;
}

static void *ask_casts(void *argument) {
    const Movers *m = argument;
    AbutCastHit hits[8];
    AbutRay ray = {{-5.0, 0.1, 0.2}, {10.0, 0.0, 0.0}};
    first_ray(&m->set, ray);
    all_rays(&m->set, ray, 8, hits);
    first_cast(&m->set, &m->moved, ray.way, 0.0);
    all_casts(&m->set, &m->moved, ray.way, 0.0, 8, hits);
    nearest_of_set(&m->set, ray.origin);
    return NULL;
}

static void casts_and_clearances(void **state) {
    (void)state;
    AbutRng rng = abut_rng(834, 0);
    AbutError error;
    AbutMesh wavy = wavy_torus(16, 8, 3, 2);
    AbutMeshTree *mesh = tree_of(&wavy);
    AbutPolyhedron *hull = random_hull(&rng, 300, abut_vec3(1.0, 0.8, 0.6));
    AbutConvex piece[3] = {abut_convex_polyhedron(hull, 0.0), abut_convex_box(abut_vec3(0.5, 0.4, 0.3), 0.1),
        abut_convex_ellipsoid(abut_vec3(1.0, 0.4, 0.6), 0.0)};
    AbutPlaced placed[4] = {{abut_solid_mesh(mesh), random_pose(&rng, 1)}};
    AbutClearanceBody *body[3];
    AbutBodyTree *tree;
    Movers m = {.set = {4, placed, NULL, NULL, NULL}, .moved = {abut_solid_convex(&piece[2]), random_pose(&rng, 2)}};
    good(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(mesh)}, &body[0], &error), &error);
    good(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(piece)}, &body[1], &error), &error);
    good(prepare_union(2, piece, &body[2], &error), &error);
    good(abut_clearance_space_create(0, &m.space, &error), &error);
    for (int i = 0; i < 3; ++i) {
        AbutVec3 axis = abut_random_direction(&rng);
        placed[i + 1] = (AbutPlaced){abut_solid_convex(&piece[i]), random_pose(&rng, i)};
        m.mover[i] = (AbutMover){abut_solid_prepared(body[i]),
            abut_motion_screw(random_pose(&rng, 3), abut_zero(), axis, 1.0, abut_rng_between(&rng, 0.0, 2.0))};
    }
    good(abut_body_tree_create(4, placed, &tree, &error), &error);
    m.set.tree = tree;
    check_stack("a cast", ask_casts, &m);
    check_stack("a clearance", ask_clearance, &m);
    for (int i = 0; i < 3; ++i) abut_clearance_body_free(body[i]);
    abut_clearance_space_free(m.space);
    abut_body_tree_free(tree);
    abut_polyhedron_free(hull);
    abut_mesh_tree_free(mesh);
    abut_mesh_free(&wavy);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

typedef struct Meshes {
    const AbutMeshTree *a, *b;
    AbutPose pose;
} Meshes;

static void *ask_meshes(void *argument) {
    const Meshes *m = argument;
    static AbutPair pairs[1000];
    AbutConvex box = abut_convex_box(abut_vec3(0.3, 0.4, 0.5), 0.0);
    abut_mesh_distance(m->a, m->b, m->pose, NULL, NULL);
    abut_mesh_convex_distance(m->a, &box, m->pose, NULL, NULL);
    abut_mesh_nearest(m->a, m->pose.p, 0.0);
    abut_mesh_inside(m->a, m->pose.p);
    abut_mesh_collide(m->a, m->b, m->pose, NULL);
    abut_mesh_collide_all(m->a, m->b, m->pose, 1000, pairs);
    abut_mesh_ray(m->a, abut_vec3(5.0, 0.1, 0.2), abut_vec3(-1.0, 0.0, 0.0), 10.0, 0.0);
    return NULL;
}

static void *ask_mesh_depth(void *argument) {
    const Meshes *m = argument;
    abut_mesh_depth(m->a, m->b, m->pose, NULL, NULL);
    abut_mesh_depth_along(m->a, m->b, m->pose, abut_axis(0), NULL);
    abut_mesh_cast(m->a, m->b, m->pose, abut_axis(1), 10.0);
    abut_mesh_core(m->a);
    return NULL;
}

static void *ask_mesh_impact(void *argument) {
    const Meshes *m = argument;
    AbutMover a = {abut_solid_mesh(m->a), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_mesh(m->b), abut_motion_translation(m->pose, abut_vec3(-1.0, -1.0, 0.0))};
    AbutImpactDef impact = {.to = 1.0};
    abut_time_of_impact(&a, &b, &impact);
    return NULL;
}

/* Equal meshes at the same place too: there every sign is decided by exact arithmetic. */
static void mesh_queries(void **state) {
    (void)state;
    AbutRng rng = abut_rng(832, 0);
    AbutMesh wavy = wavy_torus(24, 12, 3, 2), box = box_mesh(abut_zero(), abut_vec3(1.0, 1.0, 1.0), 0);
    AbutMeshTree *tree[2] = {tree_of(&wavy), tree_of(&box)};
    for (int k = 0; k < 12; ++k) {
        Meshes m = {tree[k % 2], tree[k / 2 % 2], k < 4 ? abut_pose_identity() : random_pose(&rng, k % 4)};
        check_stack("a mesh query", ask_meshes, &m);
        check_stack("the depth of meshes", ask_mesh_depth, &m);
        check_stack("the time of impact of meshes", ask_mesh_impact, &m);
    }
    for (int i = 0; i < 2; ++i) abut_mesh_tree_free(tree[i]);
    abut_mesh_free(&wavy);
    abut_mesh_free(&box);
    print_message("at most %zu bytes\n", most);
    CHECK(!MEASURED || most > LIMIT / 4); /* that it measures anything */
}

int main(void) {
#ifdef _WIN32
    printf("Windows gives threads no stack of the caller\n");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_queries),
        cmocka_unit_test(overlaps_and_contacts),
        cmocka_unit_test(regions),
        cmocka_unit_test(casts_and_clearances),
        cmocka_unit_test(mesh_queries),
    };
    return cmocka_run_group_tests_name("queries on a small stack", tests, NULL, NULL);
}
