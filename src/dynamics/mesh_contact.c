/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of closed meshes by their features. In: two shapes, one of them a mesh, their poses and velocities. Out: the
 * patches where they touch, or may touch in this step, as contacts of the solver, with the impulses of the last step at
 * the nearest vertices.
 *
 * A touch counts from the way that the bodies can move against each other in the step; how deep it may be follows from
 * that and from how deep the pair was. Touches much deeper than that would be of the far side of a thin wall. Where
 * surfaces cross and no touch says so, as after a start that overlaps, the window of depths is widened until one does.
 */
#include "dynamics/mesh_contact.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void free_pair(AbutMeshPairMemory *m) {
    abut_touch_list_free(&m->list);
    if (m->ground && --m->ground->users == 0) abut_mesh_features_free(m->ground);
    abut_free(m->patch);
    abut_free(m->old);
    memset(m, 0, sizeof *m);
}

void abut_mesh_contacts_free(AbutSimulation *sim) {
    AbutMeshContacts *meshes = sim->meshes;
    if (!meshes) return;
    for (int32_t i = 0; i < meshes->memory_count; ++i) free_pair(&meshes->memory[i]);
    for (int32_t i = 0; i < meshes->workers; ++i) {
        abut_touch_room_free(&meshes->room[i].touch);
        abut_touch_scratch_free(&meshes->room[i].scratch);
    }
    abut_free(meshes->memory);
    abut_free(meshes->room);
    abut_feature_set_free(&meshes->features);
    abut_free(meshes);
    sim->meshes = NULL;
}

static AbutMeshContacts *make(int32_t workers) {
    AbutMeshContacts *meshes = abut_alloc(sizeof *meshes);
    AbutMeshRoom *room = abut_alloc_array((size_t)workers, sizeof *room);
    if (!meshes || !room) {
        abut_free(meshes);
        abut_free(room);
        return NULL;
    }
    memset(meshes, 0, sizeof *meshes);
    memset(room, 0, (size_t)workers * sizeof *room);
    meshes->room = room;
    meshes->workers = workers;
    return meshes;
}

/* Looked for again when shapes come or go. */
static int has_closed_mesh(AbutContacts *contacts, const AbutScene *scene) {
    if (contacts->meshless == scene->revision + 1) return 0;
    for (int32_t i = 0; i < scene->shape_places; ++i)
        if (scene->shape[i].alive && !scene->shape[i].def.visual && scene->shape[i].def.geometry->surface_closed)
            return 1;
    contacts->meshless = scene->revision + 1;
    return 0;
}

/* Memory of pairs in step with the pool: a place with a new serial begins anew, as all do with other shapes. */
static int follow_pairs(AbutMeshContacts *meshes, const AbutScene *scene, int renewed) {
    if (!abut_grow(
            (void **)&meshes->memory, &meshes->memory_capacity, (size_t)scene->pair_places + 1, sizeof *meshes->memory))
        return 0;
    for (; meshes->memory_count < scene->pair_places; ++meshes->memory_count)
        memset(&meshes->memory[meshes->memory_count], 0, sizeof *meshes->memory);
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutMeshPairMemory *m = &meshes->memory[i];
        if (m->serial != scene->pair[i].serial || !scene->pair[i].alive) free_pair(m);
        m->serial = scene->pair[i].serial;
        m->seen = m->limited = 0;
        if (renewed) m->list.reach = 0.0;
    }
    return 1;
}

/* The features of the piece of a height field that a pair is about, those of another pair where one has them. */
static AbutStatus take_ground(AbutSimulation *sim, int32_t number, AbutMeshPairMemory *m, AbutError *error) {
    const AbutScenePair *pair = &sim->scene->pair[number];
    const AbutHeightGrid *a = abut_shape_grid(&sim->scene->shape[pair->a]),
                         *grid = a ? a : abut_shape_grid(&sim->scene->shape[pair->b]);
    for (int32_t i = 0; i < sim->meshes->memory_count && !m->ground; ++i) {
        const AbutMeshPairMemory *other = &sim->meshes->memory[i];
        if (other->ground && other->grid == grid && sim->scene->pair[i].piece == pair->piece) m->ground = other->ground;
    }
    if (!m->ground) ABUT_TRY(abut_field_features_create(grid, pair->piece, &m->ground, error));
    m->grid = grid;
    ++m->ground->users;
    return ABUT_OK;
}

/* Makes what a pair needs and is not there yet. */
static AbutStatus need_features(AbutSimulation *sim, int32_t number, AbutError *error) {
    const AbutScenePair *pair = &sim->scene->pair[number];
    AbutMeshPairMemory *m = &sim->meshes->memory[number];
    if (pair->piece >= 0 && !m->ground) ABUT_TRY(take_ground(sim, number, m, error));
    return abut_feature_set_need(&sim->meshes->features, pair, sim->def.threads, error);
}

AbutStatus abut_mesh_contacts_begin(AbutSimulation *sim, AbutError *error) {
    int wanted = abut_meshes_touch(sim) && has_closed_mesh(&sim->contacts, sim->scene);
    if (!wanted || (sim->meshes && sim->meshes->workers < sim->solver.workers)) abut_mesh_contacts_free(sim);
    if (!wanted) return ABUT_OK;
    if (!sim->meshes) sim->meshes = make(sim->solver.workers);
    if (!sim->meshes) return abut_fail_memory(error);
    AbutMeshContacts *meshes = sim->meshes;
    const AbutScene *scene = sim->scene;
    int renewed = !meshes->features.current || meshes->features.revision != scene->revision;
    AbutStatus status = abut_feature_set_update(&meshes->features, scene, error);
    if (status == ABUT_OK && !follow_pairs(meshes, scene, renewed)) status = abut_fail_memory(error);
    for (int32_t k = 0; k < sim->awake.pair_count && status == ABUT_OK; ++k)
        if (abut_pair_is_mesh(sim, sim->awake.pair[k])) status = need_features(sim, sim->awake.pair[k], error);
    return status;
}

int abut_mesh_contacts_starved(AbutSimulation *sim) {
    int starved = 0;
    for (int32_t i = 0; sim->meshes && i < sim->meshes->workers; ++i) {
        starved |= sim->meshes->room[i].starved;
        sim->meshes->room[i].starved = 0;
    }
    return starved;
}

/* ---- how near is near -------------------------------------------------------------------------------------------- */

static double margins_of(const AbutSimulation *sim, AbutPairSides s, int32_t pair) {
    const AbutGrownBody *b = abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_b, pair);
    AbutGrownBody room;
    const AbutGrownBody *a =
        abut_grown_beside(abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_a, pair), b, &room);
    return a->margin + b->margin;
}

/* How fast points of both bodies can near each other. */
static double speed_of(const AbutSolverBody *a, const AbutSolverBody *b) {
    double spin_a = abut_length(a->w), spin_b = abut_length(b->w);
    return abut_point_distance(a->v, b->v) + (spin_a > 0.0 ? spin_a * a->reach : 0.0) +
           (spin_b > 0.0 ? spin_b * b->reach : 0.0);
}

static double radius_of(const AbutMeshFeatures *f) { return f ? f->radius : (double)INFINITY; }

/* Touches with gaps below this count: margins, and what the bodies can move in the step. Sensors have the first alone.
 */
static double reach_of(const AbutSimulation *sim, AbutPairSides s, double margins) {
    const AbutShape *a = &sim->scene->shape[s.shape_a], *b = &sim->scene->shape[s.shape_b];
    if (a->def.sensor || b->def.sensor) return margins;
    double speed = speed_of(&sim->mover[s.body_a], &sim->mover[s.body_b]) + sim->constants.gravity_dt;
    double most = ABUT_MESH_REACH * abut_smaller(a->bound_radius, b->bound_radius);
    return margins + abut_smaller(ABUT_MESH_AHEAD * sim->constants.dt * speed, most);
}

int abut_mesh_pair_is_near(const AbutSimulation *sim, AbutPairSides s, int32_t pair) {
    const AbutShape *a = &sim->scene->shape[s.shape_a], *b = &sim->scene->shape[s.shape_b];
    const AbutSolverBody *of_a = &sim->mover[s.body_a], *of_b = &sim->mover[s.body_b];
    AbutVec3 ca = abut_add(of_a->x, abut_mat3_apply(of_a->rotation, a->bound_center)),
             cb = abut_add(of_b->x, abut_mat3_apply(of_b->rotation, b->bound_center));
    double reach = a->bound_radius + b->bound_radius + reach_of(sim, s, margins_of(sim, s, pair));
    return !(abut_point_distance(ca, cb) > reach * (1.0 + ABUT_WAY_SLACK));
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* How deep a pair was, and the normal there, frame of the shape of A; zero: it was not in touch. */
typedef struct Deepest {
    double depth;
    AbutVec3 normal;
} Deepest;

/* Impulses of all vertices that the pair had, and where it was deepest. */
static int keep_old(const AbutSimulation *sim, int32_t pair, AbutMeshPairMemory *m, Deepest *deepest) {
    m->old_count = 0;
    *deepest = (Deepest){0};
    for (int32_t place = sim->contacts.memory[pair].contact; place >= 0; place = sim->contacts.touch[place].next - 1) {
        const AbutSolverContact *c = &sim->contacts.at[place];
        if (!abut_grow((void **)&m->old, &m->old_capacity, (size_t)(m->old_count + c->count) + 1, sizeof *m->old))
            return 0;
        m->old_count += abut_contact_old(c, &sim->mover[c->body_a], m->old + m->old_count);
        if (!(c->touch->depth > deepest->depth)) continue;
        const AbutShape *a = &sim->scene->shape[c->touch->shape_a];
        *deepest = (Deepest){c->touch->depth, abut_mat3_apply_t(a->local_rotation, c->touch->nu_a)};
    }
    return 1;
}

static int find_touches(AbutMeshPairMemory *m, AbutMeshRoom *room, const AbutTouchQuestion *q) {
    double slack = q->a ? ABUT_MESH_SKIN * (m->ground ? q->b->radius : abut_smaller(q->a->radius, q->b->radius)) : 0.0;
    if (q->a && !abut_touch_list_ready(&m->list, &room->touch, q, slack)) return 0;
    return abut_find_touches(&room->touch, q, &m->list);
}

static double least_gap(const AbutTouchRoom *room) {
    double least = INFINITY;
    for (int32_t i = 0; i < room->touch_count; ++i) least = abut_smaller(least, room->touch[i].gap);
    return least;
}

/* Touches of a pair; deeper ones where its surfaces cross and none says so; last, the way out: that of the last step,
 * unless it has become longer by more than a tenth. A pair that touched in the last step and was not deep cannot be so
 * in one step: it is asked now and then, as bodies may be put elsewhere. */
static int find_all(AbutMeshPairMemory *m, AbutMeshRoom *room, AbutTouchQuestion *q, double size,
    const Deepest *deepest, int64_t step) {
    if (!find_touches(m, room, q)) return 0;
    int known = m->old_count > 0 && deepest->depth <= q->within && step % ABUT_MESH_CROSSING_STEPS != 0;
    int unseen = q->a && !m->ground && !known && least_gap(&room->touch) > 0.0 &&
                 (room->touch.touch_count == 0 || q->within > 2.0 * q->margin);
    if (!unseen || !abut_features_cross(&room->touch, q, &m->list, ABUT_MESH_CROSSES * size)) return 1;
    while (least_gap(&room->touch) > 0.0 && q->depth < ABUT_MESH_DEEPEST * size) {
        q->depth *= 3.0;
        if (!find_touches(m, room, q)) return 0;
    }
    return least_gap(&room->touch) > 0.0
               ? abut_features_way_out(&room->touch, q, deepest->normal, 1.1 * deepest->depth + q->within)
               : 1;
}

/* How B moves against A in this step, in the frame of the shape of A: with the speeds of now, and this acceleration of
 * bodies that fall. */
static void set_way(const AbutSimulation *sim, AbutPairSides s, AbutVec3 fall, AbutTouchQuestion *q) {
    const AbutSolverBody *a = &sim->mover[s.body_a], *b = &sim->mover[s.body_b];
    AbutPose pose = abut_shape_pose(sim->scene, &sim->scene->shape[s.shape_a]);
    double h = sim->constants.dt, falls = (b->inv_mass > 0.0) - (a->inv_mass > 0.0);
    AbutVec3 v = abut_sub(abut_add(b->v, abut_cross(b->w, abut_sub(pose.p, b->x))),
        abut_add(a->v, abut_cross(a->w, abut_sub(pose.p, a->x))));
    v = abut_add_scaled(v, fall, falls * h);
    q->way = abut_quat_rotate_inv(pose.q, abut_scale(v, h));
    q->turn = abut_quat_rotate_inv(pose.q, abut_scale(abut_sub(b->w, a->w), h));
}

int abut_mesh_pair_goes_as_seen(const AbutSimulation *sim, const AbutMeshPairMemory *m, double most) {
    if (!m->seen) return 0;
    const AbutShape *a = &sim->scene->shape[m->sides.shape_a], *b = &sim->scene->shape[m->sides.shape_b];
    const AbutSolverBody *body = &sim->mover[m->sides.body_b];
    AbutTouchQuestion now = {0};
    set_way(sim, m->sides, abut_zero(), &now);
    AbutVec3 center = abut_add(body->x, abut_mat3_apply(body->rotation, b->bound_center)),
             turn = abut_sub(now.turn, m->turn), way = abut_sub(now.way, m->way);
    center = abut_pose_apply_inv(abut_shape_pose(sim->scene, a), center);
    double change = abut_length(abut_add(way, abut_cross(turn, center))) + abut_length(turn) * b->bound_radius;
    return change < most + ABUT_MESH_AHEAD * sim->constants.gravity_dt * sim->constants.dt;
}

/* A body as it turns on in this step: about its center, by the rotation r of `turn`; frame of the shape of A. */
typedef struct Turning {
    AbutVec3 center, turn;
    AbutMat3 r;
} Turning;

static Turning turning_of(const AbutSolverBody *body, AbutPose frame, double h) {
    AbutVec3 turn = abut_quat_rotate_inv(frame.q, abut_scale(body->w, h));
    double angle = abut_length(turn);
    if (angle > ABUT_MESH_TURN) turn = abut_scale(turn, ABUT_MESH_TURN / angle);
    return (Turning){abut_pose_apply_inv(frame, body->x), turn, abut_quat_to_mat3(abut_quat_exp(turn))};
}

static AbutVec3 turned(const Turning *t, AbutVec3 p) {
    return abut_add(t->center, abut_mat3_apply(t->r, abut_sub(p, t->center)));
}

/* A vertex over a face at the end of the step, the bodies turned on but not moved; the gap is that from which a motion
 * with the speeds of now, along the normal of then, leads to the gap of then. */
static void turn_touch(AbutFeatureTouch *t, const Turning *of_vertex, const Turning *of_face, double sign) {
    AbutVec3 n = abut_scale(t->normal, sign); /* out of the face */
    AbutVec3 p = turned(of_vertex, abut_add_scaled(t->place, n, 0.5 * t->gap)),
             foot = turned(of_face, abut_add_scaled(t->place, n, -0.5 * t->gap));
    n = abut_mat3_apply(of_face->r, n);
    AbutVec3 way = abut_sub(abut_cross(of_vertex->turn, abut_sub(p, of_vertex->center)),
        abut_cross(of_face->turn, abut_sub(p, of_face->center)));
    t->gap = abut_dot(n, abut_sub(abut_sub(p, foot), way));
    t->normal = abut_scale(n, sign);
    t->place = abut_add_scaled(p, n, -0.5 * t->gap);
}

/* Forces act as the faces stand at the end of the step. At its beginning those of a thread lean against the turn: each
 * vertex that comes towards the middle of a facet seems to climb it. */
static void look_ahead(const AbutSimulation *sim, AbutPairSides s, const AbutTouchQuestion *q, AbutTouchRoom *room) {
    const AbutSolverBody *a = &sim->mover[s.body_a], *b = &sim->mover[s.body_b];
    AbutPose frame = abut_shape_pose(sim->scene, &sim->scene->shape[s.shape_a]);
    Turning of_a = turning_of(a, frame, sim->constants.dt), of_b = turning_of(b, frame, sim->constants.dt);
    int turns = abut_length_sq(a->w) + abut_length_sq(b->w) > 0.0;
    for (int32_t i = 0; i < room->touch_count; ++i) {
        AbutFeatureTouch *t = &room->touch[i];
        if (turns && t->vertex == 1) turn_touch(t, &of_a, &of_b, -1.0);
        if (turns && t->vertex == 2) turn_touch(t, &of_b, &of_a, 1.0);
        t->soon = t->gap + abut_dot(t->normal, abut_add(q->way, abut_cross(q->turn, t->place)));
    }
}

static int measure(AbutSimulation *sim, AbutPairSides s, int32_t pair, AbutMeshRoom *room) {
    AbutMeshPairMemory *m = &sim->meshes->memory[pair];
    const AbutFeatureSet *set = &sim->meshes->features;
    AbutTouchQuestion q = {.a = abut_features_of(set, s.shape_a),
        .b = abut_features_of(set, s.shape_b),
        .b_in_a = abut_contact_shape_pose(sim->scene, s.shape_a, s.shape_b)};
    double size = abut_smaller(radius_of(q.a), radius_of(q.b));
    Deepest deepest;
    if (m->ground) q.a = m->ground;
    m->patch_count = 0;
    if (!keep_old(sim, pair, m, &deepest)) return 0;
    m->margins = q.margin = margins_of(sim, s, pair);
    q.within = reach_of(sim, s, q.margin);
    set_way(sim, s, sim->def.gravity, &q);
    m->sides = s;
    m->seen = 1;
    m->way = q.way;
    m->turn = q.turn;
    q.depth = abut_smaller(ABUT_MESH_DEPTH * size, 2.0 * deepest.depth + q.within);
    if (m->ground) q.depth = ABUT_MESH_DEEPEST * size; /* whether it crosses is a question for all pieces together */
    if (!find_all(m, room, &q, size, &deepest, sim->step) ||
        !abut_grow((void **)&m->patch, &m->patch_capacity, ABUT_TOUCH_PATCHES, sizeof *m->patch))
        return 0;
    look_ahead(sim, s, &q, &room->touch);
    AbutTouchPatchDef def = {q.margin, radius_of(q.b), 2.0 * q.within};
    m->patch_count = abut_touch_patches(&room->scratch, room->touch.touch, room->touch.touch_count, &def, m->patch);
    return m->patch_count >= 0;
}

void abut_mesh_pair_measure(AbutSimulation *sim, AbutPairSides s, int32_t pair, int worker) {
    AbutMeshRoom *room = &sim->meshes->room[worker];
    room->starved |= !measure(sim, s, pair, room);
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* The vertex of the pair whose place and normal are nearest to those of an old one; NULL: none is near. */
static AbutSolverVertex *heir_of(
    AbutSimulation *sim, int32_t first, const AbutOldVertex *old, double per_square, AbutSolverContact **of) {
    AbutSolverVertex *heir = NULL;
    double least = ABUT_MESH_HEIR;
    for (int32_t place = first; place >= 0; place = sim->contacts.touch[place].next - 1) {
        AbutSolverContact *c = &sim->contacts.at[place];
        const AbutTouch *t = c->touch;
        double turned = abut_length_sq(abut_sub(t->nu_a, old->normal));
        for (int i = 0; i < c->count && turned < least; ++i) {
            AbutVec3 at =
                abut_add(t->p_a, abut_add(abut_scale(t->e1_a, c->point[i].x), abut_scale(t->e2_a, c->point[i].y)));
            double d = turned + per_square * abut_length_sq(abut_sub(at, old->place));
            if (d < least) least = d, heir = &c->point[i], *of = c;
        }
    }
    return heir;
}

/* Every old vertex gives its impulse to the nearest new one. */
static void hand_over(AbutSimulation *sim, int32_t first, const AbutMeshPairMemory *m, double size) {
    double per_square = ABUT_MESH_HEIR_PLACE / (size * size);
    for (int32_t k = 0; k < m->old_count; ++k) {
        const AbutOldVertex *old = &m->old[k];
        AbutSolverContact *c = NULL;
        if (abut_length_sq(old->impulse) == 0.0 && old->last_n == 0.0) continue;
        AbutSolverVertex *v = heir_of(sim, first, old, per_square, &c);
        if (!v) continue;
        v->n += abut_dot(c->nu, old->impulse);
        v->t1 += abut_dot(c->e1, old->impulse);
        v->t2 += abut_dot(c->e2, old->impulse);
        c->touch->vertex[v - c->point].last_n += old->last_n;
    }
    for (int32_t place = first; place >= 0; place = sim->contacts.touch[place].next - 1)
        abut_contact_limit_impulses(&sim->contacts.at[place]);
}

void abut_mesh_pair_build(AbutSimulation *sim, int32_t pair, int worker) {
    AbutMeshPairMemory *m = &sim->meshes->memory[pair];
    const AbutFeatureSet *set = &sim->meshes->features;
    int32_t first = sim->contacts.memory[pair].contact, k = 0;
    for (int32_t place = first; place >= 0; place = sim->contacts.touch[place].next - 1) {
        AbutSolverContact *c = &sim->contacts.at[place];
        c->touch->mesh = 1;
        c->touch->rolling = 0.0; /* on a thread every patch would brake the spin */
        if (!abut_contact_place(sim, c, &m->patch[k++], m->margins, worker)) {
            sim->meshes->room[worker].starved = 1;
            return;
        }
    }
    const AbutTouch *t = &sim->contacts.touch[first];
    hand_over(sim, first, m,
        abut_smaller(radius_of(abut_features_of(set, t->shape_a)), radius_of(abut_features_of(set, t->shape_b))));
}
