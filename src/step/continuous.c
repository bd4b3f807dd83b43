/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast bodies do not pass through others. A pair that moves by more than the inner radius of the thinner body in one
 * step is followed in time (abut_time_of_impact), down to a level of its signed distance. Where the step would end
 * beyond the other body, or so deep in it that the overlap could push the wrong way, the body moves only until its
 * margin meets the other, and what touches it little farther; the contact of the next step takes over from there. A
 * pair that touches already, and still turns or slides through the other (a corner hit leaves a fast spin), may sink in
 * by a quarter of the thinner body in one step: some motion is always left, so that nothing freezes. All other pairs
 * are left to the overlap itself, which pushes them apart. Closed meshes are followed as meshes, where they are not
 * near each other yet.
 */
#include "dynamics/mesh_contact.h"
#include "dynamics/tolerance.h"
#include "step/turn.h"

enum { MAX_ROUNDS = 64, MAX_HALVES = 8 };

/* Two shapes, of which one moves, and the bodies that stand for them; of a height field a piece. */
typedef struct Two {
    int32_t a, b, piece; /* -1: the other is no height field */
    AbutConvex of_a, of_b;
} Two;

typedef struct Search {
    AbutSimulation *sim;
    int32_t shape;
    double h, part;
} Search;

/* Distance and normal (world, from a to b) of two shapes, moved on by t. */
static double gap_after(const AbutSimulation *sim, const Two *two, double t, AbutVec3 *normal) {
    const AbutShape *a = &sim->scene->shape[two->a], *b = &sim->scene->shape[two->b];
    AbutPose pa = abut_shape_pose_after(&sim->mover[a->body], a, t),
             pb = abut_shape_pose_after(&sim->mover[b->body], b, t);
    AbutGap d = abut_convex_distance(&two->of_a, &two->of_b, abut_pose_between(pa, pb), NULL, NULL);
    *normal = abut_quat_rotate(pa.q, d.normal);
    return d.outcome == ABUT_INVALID ? INFINITY : d.distance;
}

static double gap_now(const AbutSimulation *sim, const Two *two) {
    AbutPose b_in_a = abut_contact_shape_pose(sim->scene, two->a, two->b);
    AbutGap d = abut_convex_distance(&two->of_a, &two->of_b, b_in_a, NULL, NULL);
    return d.outcome == ABUT_INVALID ? INFINITY : d.distance;
}

/* A shape that moves on as its body does: the center of mass straight on, turning about it. A half-space is only moved:
 * as far as it turns, its touch is left to the overlap. */
static AbutMotion motion_of(const AbutSolverBody *body, const AbutShape *shape) {
    AbutMotion m = abut_motion_translation(abut_shape_pose_after(body, shape, 0.0), body->v);
    m.center = abut_pose_apply_inv(abut_pose(shape->local_p, shape->local_q), abut_zero());
    m.spin = shape->polyhedron ? body->w : abut_zero();
    return m;
}

/* A shape that is taken by its features is the mesh itself. */
static AbutSolid solid_of(const AbutSimulation *sim, int32_t shape, const AbutConvex *convex) {
    const AbutMeshFeatures *f = sim->meshes && sim->scene->shape[shape].def.geometry->surface_closed
                                    ? abut_features_of(&sim->meshes->features, shape)
                                    : NULL;
    return f ? abut_solid_mesh(f->tree) : abut_solid_convex(convex);
}

/* Time at which the gap has shrunk to `stop` (to within `slack` above it), or h when it does not within it, or the
 * bodies part. */
static double time_of_impact(const AbutSimulation *sim, const Two *two, double h, double stop, double slack) {
    const AbutShape *a = &sim->scene->shape[two->a], *b = &sim->scene->shape[two->b];
    AbutMover ma = {solid_of(sim, two->a, &two->of_a), motion_of(&sim->mover[a->body], a)};
    AbutMover mb = {solid_of(sim, two->b, &two->of_b), motion_of(&sim->mover[b->body], b)};
    AbutImpactDef def = {.to = h, .tolerance = slack, .round_limit = MAX_ROUNDS, .no_bracket = 1, .level = stop};
    AbutImpact x = abut_time_of_impact(&ma, &mb, &def);
    int free = x.outcome == ABUT_IMPACT_NONE || x.outcome == ABUT_IMPACT_INVALID || !(x.approach > 0.0);
    return free ? h : x.t;
}

/* Does the pair end in a shallow overlap that still points the way it came? */
static int is_harmless(const AbutSimulation *sim, const Two *two, double h, double t, double thin) {
    AbutVec3 first, last;
    gap_after(sim, two, t, &first);
    double depth = -gap_after(sim, two, h, &last);
    return depth > 0.0 && depth < ABUT_IMPACT_SHALLOW * thin && abut_dot(first, last) > 0.0;
}

/* -1: nobody asked for its contact. */
static int32_t pair_of(const AbutSimulation *sim, const Two *two) {
    int32_t low = two->a < two->b ? two->a : two->b, high = two->a < two->b ? two->b : two->a;
    int32_t pair = abut_scene_find_pair(sim->scene, low, high, two->piece);
    return pair < sim->contacts.memory_count ? pair : -1;
}

/* NULL: they do not touch. */
static const AbutSolverContact *contact_of(const AbutSimulation *sim, const Two *two) {
    int32_t pair = pair_of(sim, two), contact = pair >= 0 ? sim->contacts.memory[pair].contact : -1;
    return contact >= 0 ? &sim->contacts.at[contact] : NULL;
}

/* How far points of a shape move by its spin in time h, at most. */
static double spin_way(const AbutSolverBody *body, const AbutShape *shape, double h) {
    return shape->polyhedron ? abut_length(body->w) * abut_shape_reach(shape) * h : 0.0;
}

/* Where a shape is at t: the spin of a body that turns freely changes its direction, which a motion leaves out. */
static AbutPose pose_turned(const AbutSimulation *sim, int32_t shape, double t) {
    const AbutShape *s = &sim->scene->shape[shape];
    const AbutSolverBody *m = &sim->mover[s->body];
    const AbutBody *body = &sim->scene->body[s->body];
    if (!(m->inv_mass > 0.0) || m->locked || m->tree >= 0) return abut_shape_pose_after(m, s, t);
    AbutVec3 own = abut_mat3_apply(body->inertia, abut_mat3_apply_t(m->rotation, m->w));
    AbutPose at = {abut_add_scaled(m->x, m->v, t),
        abut_quat_normalize(abut_quat_mul(m->q, abut_free_turn(&body->inv_inertia, own, abut_zero(), t)))};
    return abut_pose_mul(at, abut_pose(s->local_p, s->local_q));
}

static int meets_turned(const AbutSimulation *sim, const Two *two, double t) {
    AbutPose pose = abut_pose_between(pose_turned(sim, two->a, t), pose_turned(sim, two->b, t));
    return !(
        abut_distance(solid_of(sim, two->a, &two->of_a), solid_of(sim, two->b, &two->of_b), pose, NULL, NULL).distance >
        0.0);
}

/* How deep two meshes are in each other: 0 if it is little, INFINITY where no touch shows it. */
static double depth_of_meshes(const AbutSimulation *sim, AbutTouchQuestion *q, double little, double most) {
    AbutTouchRoom *room = &sim->meshes->room[0].touch;
    AbutTouchList list = {0};
    double least = 0.0;
    if (!abut_triangles_cross(room, q, little)) return 0.0;
    q->depth = most;
    int done = abut_touch_list_ready(&list, room, q, 0.0) && abut_find_touches(room, q, &list);
    for (int32_t i = 0; done && i < room->touch_count; ++i) least = abut_smaller(least, room->touch[i].gap);
    abut_touch_list_free(&list);
    return least < 0.0 ? -least : (double)INFINITY;
}

/* Likewise for two shapes at t; a ball or capsule is as deep as its core is near. */
static double depth_after(const AbutSimulation *sim, const Two *two, double t, double little, double most) {
    const AbutFeatureSet *set = &sim->meshes->features;
    const AbutMeshFeatures *a = abut_features_of(set, two->a), *b = abut_features_of(set, two->b);
    AbutPose pose = abut_pose_between(pose_turned(sim, two->a, t), pose_turned(sim, two->b, t));
    if (a->kind == ABUT_FEATURES_MESH && b->kind == ABUT_FEATURES_MESH) {
        AbutTouchQuestion q = {.a = a, .b = b, .b_in_a = pose, .margin = 0.01 * little};
        return depth_of_meshes(sim, &q, little, most);
    }
    AbutConvex core = a->kind == ABUT_FEATURES_CORE ? a->body : b->body;
    double round = core.radius;
    core.radius = 0.0;
    AbutSolid of_a = a->kind == ABUT_FEATURES_CORE ? abut_solid_convex(&core) : abut_solid_mesh(a->tree),
              of_b = b->kind == ABUT_FEATURES_CORE ? abut_solid_convex(&core) : abut_solid_mesh(b->tree);
    AbutGapDef near = {.within = round};
    double apart = abut_distance(of_a, of_b, pose, &near, NULL).distance;
    return apart > 0.0 ? abut_larger(0.0, round - apart) : (double)INFINITY;
}

/* The part of a step h after which the pair is little deeper than at its start, or than touches let it. Features that
 * pass by at the start of a step may meet others in it, and impulses of this step give speeds that nobody looked ahead
 * for. Those that begin in each other are left to their contacts. */
static double time_before_deep(const AbutSimulation *sim, const Two *two, double h) {
    const AbutFeatureSet *set = &sim->meshes->features;
    const AbutMeshFeatures *a = abut_features_of(set, two->a), *b = abut_features_of(set, two->b);
    if (!a || !b || a->kind == ABUT_FEATURES_SMOOTH || b->kind == ABUT_FEATURES_SMOOTH) return h;
    double size = abut_smaller(a->radius, b->radius), little = ABUT_MESH_SUNK * size, most = ABUT_MESH_DEEPEST * size;
    double last = depth_after(sim, two, h, little, most), free = 0.0, deep = h;
    if (last <= little) return h;
    double first = depth_after(sim, two, 0.0, little, most), limit = abut_larger(little, 1.05 * first);
    if (last <= limit) return h;
    for (int k = 0; k < MAX_HALVES; ++k) {
        double middle = 0.5 * (free + deep);
        *(depth_after(sim, two, middle, little, most) > limit ? &deep : &free) = middle;
    }
    int is_known = first > 0.0 && first < (double)INFINITY;
    return abut_larger(free, h * (is_known ? ABUT_MESH_TOUCHED_PART : ABUT_MESH_LEAST_PART));
}

/* The part of a step that a pair may take before it is deep: both of its bodies ask. One that slides and goes on as its
 * touches were looked for takes all. */
static double part_before_deep(const AbutSimulation *sim, const Two *two, double way, double size, double h) {
    int32_t pair = pair_of(sim, two);
    AbutMeshPairMemory *m = pair >= 0 && pair < sim->meshes->memory_count ? &sim->meshes->memory[pair] : NULL;
    if (!m) return time_before_deep(sim, two, h) / h;
    if (!m->limited) {
        int steady = way < ABUT_MESH_STEADY * size && abut_mesh_pair_goes_as_seen(sim, m, 0.5 * ABUT_MESH_SUNK * size);
        m->part = steady ? 1.0 : time_before_deep(sim, two, h) / h;
        m->limited = 1;
    }
    return m->part;
}

/* Closed meshes as they are. Slower ones are left to their touches, which are looked for ahead, and so are those that
 * are near each other already: they slide. But a hit leaves a spin that would take them through in a step: it is cut.
 */
static int try_mesh(Search *s, int32_t other, int32_t piece, const AbutConvex *convex, double way) {
    AbutSimulation *sim = s->sim;
    const AbutShape *a = &sim->scene->shape[s->shape], *b = &sim->scene->shape[other];
    double margins = abut_grown_margins(&sim->shapes.grown, sim->scene, s->shape, other);
    double turn = (abut_length(sim->mover[a->body].w) + abut_length(sim->mover[b->body].w)) * s->h;
    double size = abut_smaller(a->bound_radius, b->bound_radius);
    int fast = way > ABUT_MESH_FAST * size;
    if (!(way > ABUT_MESH_SLOW * size) || a->def.sensor || b->def.sensor ||
        !abut_scene_may_push(sim->scene, s->shape, other))
        return 1;
    Two two = {s->shape, other, piece, abut_geometry_convex(a->def.geometry), *convex};
    if (!fast && !(turn > ABUT_MESH_SPIN)) {
        s->part = abut_smaller(s->part, part_before_deep(sim, &two, way, size, s->h));
        return 1;
    }
    AbutGapDef near = {.within = 4.0 * margins};
    AbutGap now = abut_distance(solid_of(sim, s->shape, &two.of_a), solid_of(sim, other, &two.of_b),
        abut_contact_shape_pose(sim->scene, s->shape, other), &near, NULL);
    double most = fast ? ABUT_MESH_TURN : ABUT_MESH_SPIN;
    if (!(now.distance > 2.0 * margins)) {
        double t = turn > most ? s->h * most / turn : s->h;
        s->part = abut_smaller(s->part, time_before_deep(sim, &two, t) / s->h);
        return 1;
    }
    double t = time_of_impact(sim, &two, s->h, margins, 0.5 * margins);
    for (int k = 0; turn > ABUT_MESH_SPIN && k < MAX_HALVES && meets_turned(sim, &two, t); ++k) t *= 0.5;
    s->part = abut_smaller(s->part, t / s->h);
    return 1;
}

static int try_body(int32_t other, int32_t piece, const AbutConvex *convex, void *user) {
    Search *s = user;
    AbutSimulation *sim = s->sim;
    const AbutShape *a = &sim->scene->shape[s->shape], *b = &sim->scene->shape[other];
    const AbutSolverBody *ba = &sim->mover[a->body], *bb = &sim->mover[b->body];
    double thin = abut_smaller(abut_shape_inner_radius(a), abut_shape_inner_radius(b));
    double way = abut_point_distance(ba->v, bb->v) * s->h + spin_way(ba, a, s->h) + spin_way(bb, b, s->h);
    if (sim->meshes && (a->def.geometry->surface_closed || b->def.geometry->surface_closed))
        return try_mesh(s, other, piece, convex, way);
    if (!(way > thin) || !abut_scene_may_push(sim->scene, s->shape, other)) return 1;
    Two two = {s->shape, other, piece, abut_geometry_convex(a->def.geometry), *convex};
    const AbutSolverContact *touching = contact_of(sim, &two);
    if (touching && touching->touch->sensor) return 1;
    double margin = 0.5 * abut_grown_margins(&sim->shapes.grown, sim->scene, s->shape, other);
    double stop = touching ? abut_smaller(0.0, gap_now(sim, &two)) - ABUT_IMPACT_SINK * thin : margin;
    double t = time_of_impact(sim, &two, s->h, stop, touching ? ABUT_IMPACT_SLACK * thin : 0.5 * margin);
    if (t < s->h && (touching || !is_harmless(sim, &two, s->h, t, thin))) s->part = abut_smaller(s->part, t / s->h);
    return 1;
}

/* Box around the way of a shape. */
static AbutAabb swept_box(const AbutSolverBody *body, const AbutShape *shape, double h) {
    AbutVec3 c = abut_add(body->x, abut_mat3_apply(body->rotation, shape->bound_center)), d = abut_scale(body->v, h);
    double grow = shape->bound_radius + abut_length(body->w) * h * abut_shape_reach(shape);
    AbutVec3 r = abut_vec3(grow, grow, grow);
    AbutAabb box = {abut_sub(abut_min(c, abut_add(c, d)), r), abut_add(abut_max(c, abut_add(c, d)), r)};
    return box;
}

/* Thinnest shape of the scene: slower bodies need not be looked at. Looked for again when shapes come or go. */
static double thinnest(AbutContinuous *known, const AbutScene *scene) {
    if (known->revision == scene->revision + 1) return known->thinnest;
    known->thinnest = INFINITY;
    known->revision = scene->revision + 1;
    for (int32_t s = 0; s < scene->shape_places; ++s) {
        const AbutShape *shape = &scene->shape[s];
        if (!shape->alive || !shape->polyhedron) continue;
        double slow = ABUT_MESH_SLOW / ABUT_IMPACT_SHALLOW * shape->bound_radius;
        known->thinnest =
            abut_smaller(known->thinnest, shape->def.geometry->surface_closed ? slow : abut_shape_inner_radius(shape));
    }
    return known->thinnest;
}

static int has_robots(const AbutIsland *island) { return island->tree_count + island->join_count > 0; }

/* Links of robots move on together: the least part of their island holds for all of it. */
static void share_in_robots(AbutSimulation *sim) {
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) sim->islands.at[i].part = 1.0;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        const AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        if (m->alive && m->island >= 0)
            sim->islands.at[m->island].part = abut_smaller(sim->islands.at[m->island].part, m->motion_part);
    }
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        if (m->alive && m->island >= 0 && has_robots(&sim->islands.at[m->island]))
            m->motion_part = sim->islands.at[m->island].part;
    }
}

/* A body goes on after one that it touches has stopped by a quarter of the thinner of the two at most. 1: it is held
 * back by that. */
static int hold_back(AbutSolverBody *body, const AbutSolverBody *stopped, double thin, double h) {
    double way = abut_length(body->v) * h + abut_length(body->w) * body->reach * h;
    double part = stopped->motion_part + ABUT_IMPACT_SINK * thin / way;
    if (!(part < body->motion_part)) return 0;
    body->motion_part = part;
    return 1;
}

/* Bodies held back by one that is stopped, and by those in turn, in an island; the result does not depend on the order.
 */
static void share_by_touch(AbutSimulation *sim, const AbutIsland *island, double h) {
    int held = !has_robots(island);
    for (int round = 0; held; ++round) {
        held = 0;
        for (int32_t k = 0; k < island->count; ++k) {
            int32_t at = round & 1 ? island->count - 1 - k : k;
            const AbutSolverContact *c = abut_island_contact(sim, island, at);
            AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
            if (!(a->inv_mass > 0.0) || !(b->inv_mass > 0.0) || a->motion_part == b->motion_part) continue;
            const AbutShape *of_a = &sim->scene->shape[c->touch->shape_a],
                            *of_b = &sim->scene->shape[c->touch->shape_b];
            double thin = abut_smaller(abut_shape_inner_radius(of_a), abut_shape_inner_radius(of_b));
            if (c->touch->mesh)
                thin = ABUT_MESH_SUNK / ABUT_IMPACT_SINK * abut_smaller(of_a->bound_radius, of_b->bound_radius);
            held |= hold_back(a, b, thin, h) | hold_back(b, a, thin, h);
        }
    }
}

static void share(AbutSimulation *sim, double h) {
    if (sim->trees) share_in_robots(sim);
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        if (!sim->islands.at[i].asleep) share_by_touch(sim, &sim->islands.at[i], h);
}

void abut_limit_motion(AbutSimulation *sim, double h) {
    const AbutScene *scene = sim->scene;
    double thin = thinnest(&sim->continuous, scene);
    int hits = 0;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        AbutSolverBody *m = &sim->mover[i];
        if (!m->alive || m->inv_mass == 0.0 || m->asleep) continue;
        if (!(abut_length(m->v) * h + abut_length(m->w) * m->reach * h > ABUT_IMPACT_SHALLOW * thin))
            continue; /* none of its shapes is fast */
        for (int32_t s = scene->body[i].first_shape; s >= 0; s = scene->shape[s].next) {
            const AbutShape *shape = &scene->shape[s];
            if (!(abut_length(m->v) * h + spin_way(m, shape, h) > ABUT_IMPACT_SHALLOW * thin))
                continue; /* too slow even against another as fast */
            Search search = {sim, s, h, 1.0};
            abut_scene_visit_bodies(scene, swept_box(m, shape, h), try_body, &search);
            m->motion_part = abut_smaller(m->motion_part, search.part);
        }
        hits += m->motion_part < 1.0;
    }
    if (hits > 0) share(sim, h);
    sim->report.continuous_hits += hits;
}
