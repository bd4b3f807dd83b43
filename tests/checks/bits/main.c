/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs built-in scenes and a heap of every kind of shape, and prints the hash of each state, then asks for distances of
 * convex bodies and meshes, for clearances of motions, and what more.c asks, and prints the hash of the answers. Built
 * by check_bits with several compilers, levels of optimization and machines, whose output must be the same. With a file
 * name the random numbers of the questions go there as doubles, so that ask.py can ask the same through Python.
 */
#include "bits.h"
#include "mesh/kernels.h"

#include "abut/clearance.h"
#include "abut/dynamics.h"
#include "abut/literature.h"

#include <stdlib.h>
#include <string.h>

AbutError error;

static FILE *questions; /* NULL: not wanted */

void must(AbutStatus status) {
    if (status == ABUT_OK) return;
    fprintf(stderr, "%s\n", error.text);
    exit(2);
}

static void tell(const double *numbers, size_t count) {
    if (questions && fwrite(numbers, sizeof *numbers, count, questions) != count) exit(2);
}

/* Steps the scene and prints the hash of its state; the scene is freed. */
static void run(AbutScene *scene, const char *name, int model, double dt, int steps) {
    AbutSimulation *sim;
    AbutSimulationDef def = abut_simulation_default();
    def.model = model;
    must(abut_simulation_create(scene, &def, &sim, &error));
    for (int i = 0; i < steps; ++i) must(abut_simulation_step(sim, dt, NULL, &error));
    printf(
        "%-12s model %d, %4d steps: %016llx\n", name, (int)model, steps, (unsigned long long)abut_simulation_hash(sim));
    abut_simulation_free(sim);
    abut_scene_free(scene);
}

static void run_builtin(const char *spec, int model, double dt, int steps) {
    AbutScene *scene;
    must(abut_scene_create(&scene, &error));
    must(abut_scene_build(scene, spec, 7, &error));
    run(scene, spec, model, dt, steps);
}

/* A shape of each kind that has a volume, one above the other, turned and spinning over the ground. */
static AbutScene *heap(void) {
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CONE};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    AbutScene *scene;
    AbutBodyId id;
    must(abut_scene_create(&scene, &error));
    for (int i = -1; i < COUNT; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        body.kind = i < 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        if (i >= 0)
            body.pose =
                abut_pose(abut_vec3(0.01 * i, 0.0, 0.1 + 0.15 * i), abut_quat_exp(abut_vec3(0.3 * i, 0.5, 0.0)));
        shape.form.kind = i < 0 ? ABUT_SHAPE_HALF_SPACE : kinds[i];
        shape.form.size = abut_vec3(0.05, 0.04, 0.03);
        must(abut_scene_add_body(scene, &body, &id, &error));
        must(abut_scene_add_shape(scene, id, &shape, NULL, &error));
        if (i >= 0) must(abut_scene_set_velocity(scene, id, abut_zero(), abut_vec3(1.0, 2.0, 3.0 * i), &error));
    }
    return scene;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

uint64_t hash_vec3(AbutVec3 v, uint64_t hash) {
    double numbers[3] = {v.x, v.y, v.z};
    return abut_hash(numbers, sizeof numbers, hash);
}

double random_number(AbutRng *rng, double reach) {
    double x = abut_rng_between(rng, -reach, reach);
    tell(&x, 1);
    return x;
}

/* One number after the other: the order in which arguments are evaluated is the compiler's own. */
static AbutVec3 random_vec3(AbutRng *rng, double reach) {
    double x = abut_rng_between(rng, -reach, reach), y = abut_rng_between(rng, -reach, reach);
    double z = abut_rng_between(rng, -reach, reach);
    return abut_vec3(x, y, z);
}

/* As a pose is told, and then as whoever reads it makes its quaternion a unit. */
AbutPose random_pose(AbutRng *rng, double reach) {
    AbutVec3 p = random_vec3(rng, reach), turn = random_vec3(rng, 2.0);
    AbutQuat q = abut_quat_exp(turn);
    const double numbers[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
    tell(numbers, 7);
    double sum = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return abut_pose(p, sum == 1.0 ? q : abut_quat_normalize(q));
}

/* A body of the kinds that there are in turn. */
static AbutConvex body(int number, const AbutPolyhedron *hull) {
    switch (number % 6) {
    case 0:
        return abut_convex_box(abut_vec3(0.5, 0.3, 0.2), 0.0);
    case 1:
        return abut_convex_segment(abut_vec3(-0.5, 0, 0), abut_vec3(0.5, 0.1, 0), 0.2);
    case 2:
        return abut_convex_polyhedron(hull, 0.0);
    case 3:
        return abut_convex_cylinder(0.3, 0.4, 0.0);
    case 4:
        return abut_convex_cone(0.4, 0.3, 0.01);
    default:
        return abut_convex_ellipsoid(abut_vec3(0.5, 0.3, 0.4), 0.0);
    }
}

static void convex_queries(void) {
    enum { POINTS = 40, QUERIES = 600 };
    AbutRng rng = abut_rng(11, 0);
    AbutVec3 points[POINTS];
    AbutPolyhedron *hull;
    for (int i = 0; i < POINTS; ++i) {
        points[i] = random_vec3(&rng, 0.5);
        tell(&points[i].x, 3);
    }
    must(abut_polyhedron_from_points(points, POINTS, NULL, &hull, &error));
    uint64_t hash = 0;
    for (int i = 0; i < QUERIES; ++i) {
        AbutConvex a = body(i, hull), b = body(i / 6, hull);
        AbutGap d = abut_convex_distance(&a, &b, random_pose(&rng, 1.0), NULL, NULL);
        hash = abut_hash(&d.distance, sizeof d.distance, hash);
        hash = hash_vec3(d.point_b, hash_vec3(d.point_a, hash_vec3(d.normal, hash)));
    }
    printf("%d distances of convex bodies: %016llx\n", QUERIES, (unsigned long long)hash);
    abut_polyhedron_free(hull);
}

static AbutMeshTree *make_tree(const char *name) {
    AbutMesh mesh;
    AbutMeshTree *tree;
    must(abut_mesh_make(name, 800, NULL, &mesh, &error));
    must(abut_mesh_tree_create(&mesh, 1, &tree, &error));
    abut_mesh_free(&mesh);
    return tree;
}

static void mesh_queries(void) {
    enum { QUERIES = 60 };
    AbutRng rng = abut_rng(12, 0);
    AbutMeshTree *tree[2] = {make_tree("torus"), make_tree("knot")};
    const AbutMeshCore core[2] = {abut_mesh_core(tree[0]), abut_mesh_core(tree[1])};
    const AbutDepthDef def = {.core_a = &core[0], .core_b = &core[1]};
    uint64_t hash = 0;
    for (int i = 0; i < QUERIES; ++i) {
        AbutPose pose = random_pose(&rng, 0.8);
        AbutGap d = abut_mesh_distance(tree[0], tree[1], pose, NULL, NULL);
        AbutGap depth = abut_mesh_depth(tree[0], tree[1], pose, &def, NULL);
        hash = abut_hash(&d.distance, sizeof d.distance, hash);
        double deep = 0.0 - depth.distance; /* 0, not -0 */
        hash = abut_hash(&deep, sizeof deep, hash);
        hash = hash_vec3(d.point_b, hash_vec3(d.point_a, hash_vec3(d.normal, hash)));
    }
    printf("%d distances and depths of meshes: %016llx\n", QUERIES, (unsigned long long)hash);
    for (int i = 0; i < 2; ++i) abut_mesh_tree_free(tree[i]);
}

/* ---- clearance --------------------------------------------------------------------------------------------------- */

/* A motion through three poses, the last two of which are kept in `keys`. */
static AbutMotion random_motion(AbutRng *rng, AbutKeyframe keys[3]) {
    AbutMotion out;
    for (int i = 0; i < 3; ++i) keys[i] = (AbutKeyframe){0.5 * i, random_pose(rng, 1.0)};
    must(abut_motion_keyframes(3, keys, &out, &error));
    return out;
}

static uint64_t hash_clearance(const AbutClearance *x, uint64_t hash) {
    double numbers[3] = {x->ub, x->lb, x->t};
    hash = abut_hash(&x->node_pairs, sizeof x->node_pairs, hash);
    return hash_vec3(x->point_b, hash_vec3(x->point_a, abut_hash(numbers, sizeof numbers, hash)));
}

/* Two meshes, a union of pieces and a capsule, each past each. */
static void clearance_queries(void) {
    enum { BODIES = 4, MOTIONS = 4 };
    AbutRng rng = abut_rng(13, 0);
    AbutMeshTree *tree[2] = {make_tree("cup"), make_tree("torus")};
    AbutConvex pieces[3] = {body(0, NULL), body(3, NULL), body(5, NULL)}, capsule = body(1, NULL);
    AbutClearanceBody *bodies[BODIES];
    AbutClearanceSpace *space;
    uint64_t hash = 0;
    for (int i = 0; i < 2; ++i)
        must(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(tree[i])}, &bodies[i], &error));
    AbutSolid solids[3] = {abut_solid_convex(&pieces[0]), abut_solid_convex(&pieces[1]), abut_solid_convex(&pieces[2])};
    must(abut_clearance_body_create(3, solids, &bodies[2], &error));
    must(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &bodies[3], &error));
    must(abut_clearance_space_create(0, &space, &error));
    for (int i = 0; i < BODIES * BODIES * MOTIONS; ++i) {
        AbutKeyframe keys[2][3];
        AbutMover a = {abut_solid_prepared(bodies[i % BODIES]), random_motion(&rng, keys[0])};
        AbutMover b = {abut_solid_prepared(bodies[i / BODIES % BODIES]), random_motion(&rng, keys[1])};
        AbutClearanceDef def = {.from = 0.0, .to = 1.0};
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        hash = hash_clearance(&x, hash);
    }
    printf("%d clearances: %016llx\n", BODIES * BODIES * MOTIONS, (unsigned long long)hash);
    abut_clearance_space_free(space);
    for (int i = 0; i < BODIES; ++i) abut_clearance_body_free(bodies[i]);
    for (int i = 0; i < 2; ++i) abut_mesh_tree_free(tree[i]);
}

int main(int argc, char **argv) {
    abut_literature_register();
    questions = argc > 1 ? fopen(argv[1], "wb") : NULL;
    run_builtin("boxes:20", ABUT_CONTACT_MODEL_VOL, 1e-3, 800);
    run_builtin("hulls:10", ABUT_CONTACT_MODEL_VOL, 5e-3, 160);
    run_builtin("arch", ABUT_CONTACT_MODEL_VOL, 1e-3, 100);
    run_builtin("stack:5", ABUT_CONTACT_MODEL_CONVEX, 1e-3, 100);
    run_builtin("boxes:5", ABUT_CONTACT_MODEL_PAPER, 1e-3, 600);
    run(heap(), "shapes", ABUT_CONTACT_MODEL_VOL, 1e-3, 800);
    convex_queries();
    mesh_queries();
    clearance_queries();
    ask_more();
    return questions && fclose(questions) != 0 ? 2 : 0;
}
