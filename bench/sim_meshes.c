/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of meshes that fit into each other: what they do, beside what they have to do. One row for every way to take
 * their meshes: as they are, as convex pieces, by pressure; by MuJoCo as hulls (its own way) and as the same pieces.
 */
#include "bench/sim_engine.h"

#include <math.h>
#include <stdlib.h>

#ifdef BENCH_HAVE_SIM_MUJOCO
#include "bench/mujoco_text.h"
#endif

/* The way down of a body after `from` seconds, and how far from that it may be; of a screw that runs down by its weight
 * the way follows from its friction and its speed then. */
typedef struct Fit {
    const char *spec, *body;
    double from, length, way, within; /* s, s, m, m */
    double friction;                  /* above 0: a screw, to 3 % */
    int whole;                        /* 1: not in pieces: a minute more for the bodies of another case */
} Fit;

static const Fit fits[] = {
    {"nut:0.01", "nut", 0.02, 0.3, 0.0, 0.0, 0.01, 0}, {"nut:0.1", "nut", 0.02, 0.3, 0.0, 1e-6, 0.0, 1},
    {"peg", "peg", 0.0, 0.6, 41e-3, 0.1e-3, 0.0, 0},
    {"chain:4", "link3", 0.0, 0.5, 0.0, 1e-3, 0.0, 0}, /* links begin a little in each other */
};

/* The acceleration of an M20 nut that bears at its outermost radius; 0: it is none. */
static double gains_of(const Fit *fit, const AbutModel *model) {
    const double lead = 2.5e-3 / (2.0 * ABUT_PI), radius = 10e-3;
    AbutScene *scene;
    AbutBodyState nut;
    AbutError error;
    if (!(fit->friction > 0.0)) return 0.0;
    bench_require(abut_scene_create(&scene, &error), &error);
    bench_require(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_scene_get_body(scene, abut_scene_find_body(scene, fit->body), &nut);
    abut_scene_free(scene);
    double angle = atan(lead / radius) - atan(fit->friction / cos(ABUT_PI / 6.0)), square = nut.inertia.z.z / nut.mass;
    return -model->gravity.z / (1.0 + square / (lead * radius * tan(angle)));
}

static const double step_size = 1e-3;
enum { PIECES = 32 };

typedef struct Found {
    double height, speed; /* at the begin, down */
    double way, depth, us;
    int failed;
} Found;

static int steps_of(double time) { return (int)(time / step_size + 0.5); }

static void print_row(BenchRun *run, const char *engine, const Fit *fit, double gains, const Found *f, int own) {
    double time = fit->length - fit->from, way = gains > 0.0 ? (f->speed + 0.5 * gains * time) * time : fit->way;
    double within = gains > 0.0 ? 0.03 * way : fit->within;
    int wrong = f->failed || !(fabs(f->way - way) <= within);
    printf("%-20s %-20s %10.1f %10.4f %10.4f %10.2f %6d\n", run->name, engine, f->us, 1e3 * f->way, 1e3 * way,
        1e6 * f->depth, wrong);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",\"%s\",%.1f,%.4f,%.4f,%.4f,%.2f,%d\n", run->name, engine, f->us, 1e3 * f->way,
            1e3 * way, 1e3 * within, 1e6 * f->depth, wrong);
    run->wrong += own && wrong;
}

/* ---- the model, as it is or in pieces ---------------------------------------------------------------------------- */

static AbutModel *model_of(const Fit *fit) {
    AbutModel *model;
    AbutError error;
    bench_require(abut_model_build(fit->spec, 1, &model, &error), &error);
    return model;
}

static void add_pieces(AbutModel *to, AbutShapeDef shape) {
    AbutDecomposeDef def = {.max_pieces = PIECES, .threads = 1};
    AbutPieces pieces;
    AbutError error;
    bench_require(abut_mesh_decompose(shape.form.surface, &def, &pieces, &error), &error);
    shape.form.surface = NULL;
    for (int32_t i = 0; i < pieces.count; ++i) {
        shape.form.polyhedron = pieces.piece[i];
        bench_require(abut_model_add_shape(to, &shape, NULL, &error), &error);
    }
    abut_pieces_free(&pieces);
}

static AbutModel *pieces_of(const AbutModel *whole) {
    AbutModel *model;
    AbutError error;
    bench_require(abut_model_create(&model, &error), &error);
    model->gravity = whole->gravity;
    for (int32_t b = 0; b < whole->body_count; ++b) {
        int32_t body;
        bench_require(abut_model_add_body(model, &whole->bodies[b], &body, &error), &error);
        for (int32_t i = -1; (i = abut_model_next_shape(whole, b, i)) >= 0;) {
            AbutShapeDef shape = whole->shapes[i];
            shape.body = body;
            if (shape.form.surface)
                add_pieces(model, shape);
            else
                bench_require(abut_model_add_shape(model, &shape, NULL, &error), &error);
        }
    }
    return model;
}

/* ---- abut -------------------------------------------------------------------------------------------------------- */

static Found run_abut(const AbutModel *model, const Fit *fit, int law) {
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene;
    AbutSimulation *sim;
    AbutError error;
    AbutBodyState body;
    Found found = {0};
    bench_require(abut_scene_create(&scene, &error), &error);
    bench_require(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    def.model = law;
    def.gravity = model->gravity;
    def.threads = 1;
    bench_require(abut_simulation_create(scene, &def, &sim, &error), &error);
    AbutBodyId id = abut_scene_find_body(scene, fit->body);
    double clock = bench_spent();
    for (int i = 0; i < steps_of(fit->length) && !found.failed; ++i) {
        AbutStepReport report;
        abut_scene_get_body(scene, id, &body);
        if (i == steps_of(fit->from)) found.height = body.pose.p.z, found.speed = -body.velocity.z;
        found.failed = abut_simulation_step(sim, step_size, &report, NULL) != ABUT_OK;
        found.depth = found.failed ? NAN : fmax(found.depth, report.max_depth);
    }
    found.us = 1e6 * (bench_spent() - clock) / steps_of(fit->length);
    abut_scene_get_body(scene, id, &body);
    found.way = found.height - body.pose.p.z;
    abut_simulation_free(sim);
    abut_scene_free(scene);
    return found;
}

/* ---- MuJoCo ------------------------------------------------------------------------------------------------------ */

#ifdef BENCH_HAVE_SIM_MUJOCO

static void put_mesh(MujocoText *text, const AbutShapeDef *shape, int32_t number) {
    const AbutMesh *mesh = shape->form.surface;
    const AbutPolyhedron *hull = shape->form.polyhedron;
    const AbutVec3 *v = mesh ? mesh->vertices : abut_polyhedron_vertices(hull);
    int32_t vertices = mesh ? mesh->vertex_count : hull->vertex_count;
    mujoco_put(text, "<mesh name='m%d' vertex='", (int)number);
    for (int32_t i = 0; i < vertices; ++i) mujoco_put(text, "%.9g %.9g %.9g ", v[i].x, v[i].y, v[i].z);
    mujoco_put(text, "'");
    if (mesh) mujoco_put(text, " face='");
    for (int32_t i = 0; mesh && i < mesh->triangle_count; ++i) {
        const int32_t *t = mesh->triangles[i].v;
        mujoco_put(text, "%d %d %d ", (int)t[0], (int)t[1], (int)t[2]);
    }
    mujoco_put(text, mesh ? "'/>\n" : "/>\n");
}

static void put_pose(MujocoText *text, AbutPose x) {
    mujoco_put(text, " pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'", x.p.x, x.p.y, x.p.z, x.q.w, x.q.x,
        x.q.y, x.q.z);
}

static MujocoText describe(const AbutModel *model) {
    MujocoText text = {NULL, 0, 0};
    AbutVec3 g = model->gravity;
    mujoco_put(&text, "<mujoco><size njmax='6000' nconmax='2000'%s/>", BENCH_MUJOCO_3 ? "" : " nstack='20000000'");
    mujoco_put(&text, "<option timestep='%g' gravity='%g %g %g'/><asset>\n", step_size, g.x, g.y, g.z);
    for (int32_t i = 0; i < model->shape_count; ++i)
        if (model->shapes[i].form.kind == ABUT_SHAPE_POLYHEDRON) put_mesh(&text, &model->shapes[i], i);
    mujoco_put(&text, "</asset><worldbody>\n");
    for (int32_t b = 0; b < model->body_count; ++b) {
        mujoco_put(&text, "<body name='%s'", model->bodies[b].name);
        put_pose(&text, model->bodies[b].pose);
        mujoco_put(&text, model->bodies[b].kind == ABUT_BODY_DYNAMIC ? "><freejoint/>" : ">");
        for (int32_t i = -1; (i = abut_model_next_shape(model, b, i)) >= 0;) {
            const AbutShapeDef *shape = &model->shapes[i];
            int is_plane = shape->form.kind == ABUT_SHAPE_HALF_SPACE;
            mujoco_put(
                &text, "<geom density='%g' friction='%g 0.005 0.0001'", shape->density, shape->material.friction);
            put_pose(&text, shape->pose);
            if (is_plane)
                mujoco_put(&text, " type='plane' size='1 1 1'/>\n");
            else
                mujoco_put(&text, " type='mesh' mesh='m%d'/>\n", (int)i);
        }
        mujoco_put(&text, "</body>\n");
    }
    mujoco_put(&text, "</worldbody></mujoco>\n");
    return text;
}

static void run_mujoco(BenchRun *run, const AbutModel *model, const Fit *fit, double gains, const char *name) {
    MujocoText text = describe(model);
    mjModel *m = mujoco_load(text.memory, text.used);
    free(text.memory);
    if (!m) return;
    mjData *d = mj_makeData(m);
    Found found = {0};
    int body = mj_name2id(m, mjOBJ_BODY, fit->body), begin = steps_of(fit->from), steps = steps_of(fit->length);
    mj_forward(m, d);
    double clock = bench_spent(), before = d->xpos[3 * body + 2];
    for (int i = 0; i < steps && !found.failed; ++i) {
        double height = d->xpos[3 * body + 2];
        if (i == begin) found.height = height, found.speed = (before - height) / step_size;
        before = height;
        mj_step(m, d);
        for (int k = 0; k < d->ncon; ++k) found.depth = fmax(found.depth, -d->contact[k].dist);
        for (int k = 0; k < mjNWARNING; ++k) found.failed |= d->warning[k].number > 0;
    }
    found.us = 1e6 * (bench_spent() - clock) / steps;
    found.way = found.height - d->xpos[3 * body + 2];
    print_row(run, name, fit, gains, &found, 0);
    mj_deleteData(d);
    mj_deleteModel(m);
}

#endif

static void run_fit(BenchRun *run, int index) {
    const Fit *fit = &fits[index];
    AbutModel *whole = model_of(fit), *pieces = fit->whole ? NULL : pieces_of(whole);
    double gains = gains_of(fit, whole);
    Found found = run_abut(whole, fit, ABUT_CONTACT_MODEL_VOL);
    print_row(run, "abut", fit, gains, &found, 1);
    if (pieces) {
        found = run_abut(pieces, fit, ABUT_CONTACT_MODEL_VOL);
        print_row(run, "abut, 32 pieces", fit, gains, &found, 0);
    }
    found = run_abut(whole, fit, ABUT_CONTACT_MODEL_PRESSURE);
    print_row(run, "abut, pressure", fit, gains, &found, 0);
#ifdef BENCH_HAVE_SIM_MUJOCO
    run_mujoco(run, whole, fit, gains, "MuJoCo, hulls");
    if (pieces) run_mujoco(run, pieces, fit, gains, "MuJoCo, 32 pieces");
#endif
    abut_model_free(whole);
    abut_model_free(pieces);
}

static const BenchCase cases[] = {
    {"fit/nut turns", run_fit, 0},
    {"fit/nut stands", run_fit, 1},
    {"fit/peg", run_fit, 2},
    {"fit/chain", run_fit, 3},
};

const BenchList bench_sim_meshes_list = {cases, sizeof cases / sizeof cases[0], 1,
    "case                 engine                  us/step     way mm  should mm   depth um  wrong",
    "case,engine,us_step,way_mm,should_mm,within_mm,depth_um,wrong"};
