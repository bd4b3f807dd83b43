/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts from pairs: the geometry stage of a step.
 *
 * Every candidate pair is looked at once. A contact whose bodies have not moved against each other keeps its polygon
 * and its responses, which are constant in the frame of B, and only follows B through the world; the thickness at its
 * vertices follows the little that did change. Otherwise the overlap is computed anew, and the impulses of the old
 * vertices go to the nearest new ones.
 *
 * The stage runs in two parallel loops with a serial one between, so that contacts get their places in a fixed order:
 * sort the pairs into gone / kept / to build; give places; build.
 */
#include "dynamics/models.h"
#include "dynamics/tolerance.h"

#include <string.h>

enum { PAIR_APART = 0, PAIR_KEPT, PAIR_BUILD, PAIR_IDLE };

/* Shapes and bodies of a pair in the order of a contact: B is the immovable one. */
typedef struct Sides {
    int32_t shape_a, shape_b, body_a, body_b;
} Sides;

static Sides pair_sides(const AbutScene *scene, const AbutScenePair *pair)
{
    Sides s = {pair->a, pair->b, scene->shape[pair->a].body, scene->shape[pair->b].body};
    if (scene->body[s.body_a].inv_mass == 0.0) {
        Sides swapped = {s.shape_b, s.shape_a, s.body_b, s.body_a};
        return swapped;
    }
    return s;
}

/* Pose of A in B. */
static void relative_pose(const AbutBody *a, const AbutBody *b, AbutMat3 *rotation, AbutVec3 *position)
{
    *rotation = abut_mat3_mul_t(b->rotation, a->rotation);
    *position = abut_mat3_apply_t(b->rotation, abut_sub(a->x, b->x));
}

static int is_coherent(const AbutSimulation *sim, const AbutTouch *c, const AbutMat3 *r, AbutVec3 p)
{
    double size = abut_smaller(sim->grown.of_shape[c->shape_a]->size, sim->grown.of_shape[c->shape_b]->size),
           limit = sim->coherence * size;
    double shift = abut_max_abs(abut_sub(p, c->built_position));
    if (!(shift < limit))
        return 0;
    AbutMat3 d = abut_mat3_sub(*r, c->built_rotation);
    double turned = abut_larger(abut_max_abs(d.x), abut_larger(abut_max_abs(d.y), abut_max_abs(d.z)));
    return shift + turned * (fabs(c->ra.x) + fabs(c->ra.y) + fabs(c->ra.z)) < limit;
}

/* Shape A in shape B. */
static AbutPose shape_between(const AbutScene *scene, int32_t shape_a, int32_t shape_b)
{
    return abut_pose_between(
        abut_shape_pose(scene, &scene->shape[shape_b]), abut_shape_pose(scene, &scene->shape[shape_a]));
}

/* Do the grown shapes meet? */
static int may_overlap(const AbutSimulation *sim, Sides s, AbutPairMemory *memory)
{
    const AbutGrownBody *a = sim->grown.of_shape[s.shape_a], *b = sim->grown.of_shape[s.shape_b];
    return abut_convex_meet(&b->convex, &a->convex, shape_between(sim->scene, s.shape_a, s.shape_b), &memory->cache) >
           0;
}

/* ---- kept contacts ----------------------------------------------------------------------------------------------- */

static void place_frame(AbutTouch *c, const AbutBody *a, const AbutBody *b)
{
    c->nu = abut_mat3_apply(b->rotation, c->nu_b);
    c->e1 = abut_mat3_apply(b->rotation, c->e1_b);
    c->e2 = abut_mat3_apply(b->rotation, c->e2_b);
    c->rb = abut_mat3_apply(b->rotation, c->p_b);
    c->ra = abut_add(abut_sub(b->x, a->x), c->rb);
}

/* Overlap at the vertices after A moved against B since the last build. */
static void update_thickness(AbutTouch *c, const AbutMat3 *r, AbutVec3 p)
{
    for (int i = 0; i < c->count; ++i) {
        AbutContactPoint *v = &c->point[i];
        AbutVec3 q = abut_add(c->p_b, abut_add(abut_scale(c->e1_b, v->x), abut_scale(c->e2_b, v->y)));
        AbutVec3 on_a = abut_mat3_apply_t(c->built_rotation, abut_sub(q, c->built_position));
        AbutVec3 now = abut_add(abut_mat3_apply(*r, on_a), p);
        v->thickness = v->built_thickness - abut_dot(c->nu_b, abut_sub(now, q));
    }
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* Adds X M^-1 X^T of one body: response of the velocity at r (contact frame) to an impulse there. */
static void add_response(double phi[6][6], double inv_mass, AbutMat3 inv_inertia, AbutVec3 r)
{
    AbutMat3 s = abut_mat3_skew(r), is = abut_mat3_mul(inv_inertia, s), sis = abut_mat3_mul(s, is);
    AbutVec3 upper[3] = {sis.x, sis.y, sis.z}, cross[3] = {is.x, is.y, is.z},
             lower[3] = {inv_inertia.x, inv_inertia.y, inv_inertia.z};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            phi[i][j] += (i == j ? inv_mass : 0.0) - abut_get(upper[j], i);
            phi[3 + i][j] += abut_get(cross[j], i);
            phi[j][3 + i] += abut_get(cross[j], i);
            phi[3 + i][3 + j] += abut_get(lower[j], i);
        }
}

static void build_response(AbutTouch *c, const AbutBody *a, const AbutBody *b)
{
    AbutMat3 frame = abut_mat3(c->e1, c->e2, c->nu);
    memset(c->phi, 0, sizeof c->phi);
    add_response(c->phi, a->inv_mass, abut_mat3_mul_t(frame, abut_mat3_mul(a->inv_inertia_world, frame)),
        abut_mat3_apply_t(frame, c->ra));
    if (b->inv_mass > 0.0)
        add_response(c->phi, b->inv_mass, abut_mat3_mul_t(frame, abut_mat3_mul(b->inv_inertia_world, frame)),
            abut_mat3_apply_t(frame, c->rb));
}

/* Response of the contact velocity to impulses at one vertex. */
static void build_point(const AbutTouch *c, AbutContactPoint *v)
{
    for (int i = 0; i < 6; ++i) {
        v->cn[i] = c->phi[i][2] + v->y * c->phi[i][3] - v->x * c->phi[i][4];
        v->c1[i] = c->phi[i][0] - v->yt * c->phi[i][5];
        v->c2[i] = c->phi[i][1] + v->xt * c->phi[i][5];
    }
    double kn = v->cn[2] + v->y * v->cn[3] - v->x * v->cn[4];
    double k11 = v->c1[0] - v->yt * v->c1[5], k12 = v->c2[0] - v->yt * v->c2[5], k22 = v->c2[1] + v->xt * v->c2[5];
    double det = k11 * k22 - k12 * k12, half = 0.5 * (k11 + k22),
           root = sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12);
    v->inv_kn = 1.0 / kn;
    v->it11 = k22 / det;
    v->it12 = -k12 / det;
    v->it22 = k11 / det;
    v->inv_kt = 1.0 / (half + root);
}

/* Impulse of a vertex as a world vector, and its place. */
typedef struct OldVertex {
    AbutVec3 place, impulse;
    double last_n;
} OldVertex;

static int keep_old(const AbutTouch *c, const AbutBody *b, OldVertex *old)
{
    for (int i = 0; i < c->count; ++i) {
        const AbutContactPoint *v = &c->point[i];
        AbutVec3 e1 = abut_mat3_apply(b->rotation, c->e1_b), e2 = abut_mat3_apply(b->rotation, c->e2_b),
                 nu = abut_mat3_apply(b->rotation, c->nu_b);
        old[i].place = abut_add(c->p_b, abut_add(abut_scale(c->e1_b, v->x), abut_scale(c->e2_b, v->y)));
        old[i].impulse = abut_add(abut_add(abut_scale(e1, v->t1), abut_scale(e2, v->t2)), abut_scale(nu, v->n));
        old[i].last_n = v->last_n;
    }
    return c->count;
}

/* Every old vertex gives its impulse to the nearest new one. */
static void hand_over(AbutTouch *c, const OldVertex *old, int count)
{
    for (int k = 0; k < count; ++k) {
        AbutVec3 r = abut_sub(old[k].place, c->p_b);
        double x = abut_dot(r, c->e1_b), y = abut_dot(r, c->e2_b), least = INFINITY;
        AbutContactPoint *to = &c->point[0];
        for (int i = 0; i < c->count; ++i) {
            double dx = c->point[i].x - x, dy = c->point[i].y - y, d = dx * dx + dy * dy;
            if (d < least) {
                least = d;
                to = &c->point[i];
            }
        }
        to->n += abut_dot(c->nu, old[k].impulse);
        to->t1 += abut_dot(c->e1, old[k].impulse);
        to->t2 += abut_dot(c->e2, old[k].impulse);
        to->last_n += old[k].last_n;
    }
    for (int i = 0; i < c->count; ++i) {
        AbutContactPoint *v = &c->point[i];
        v->n = abut_larger(v->n, 0.0);
        double t = sqrt(v->t1 * v->t1 + v->t2 * v->t2), most = c->mu_static * v->n;
        if (t > most) {
            double s = t > 0.0 ? most / t : 0.0;
            v->t1 *= s;
            v->t2 *= s;
        }
    }
}

/* The patch lies in the frame of the shape of B. */
static void copy_patch(AbutTouch *c, const AbutPatch *patch, const AbutShape *shape, double margin)
{
    c->nu_b = abut_mat3_apply(shape->local_rotation, patch->normal);
    c->e1_b = abut_mat3_apply(shape->local_rotation, patch->e1);
    c->e2_b = abut_mat3_apply(shape->local_rotation, patch->e2);
    c->p_b = abut_add(shape->local_p, abut_mat3_apply(shape->local_rotation, patch->centroid));
    c->ell = patch->length;
    c->area = patch->polygon_area;
    c->volume = patch->volume;
    memcpy(c->plane, patch->plane, sizeof c->plane);
    c->built_depth = patch->high - patch->low - 2.0 * margin;
    c->count = patch->vertex_count;
    memset(c->point, 0, (size_t)c->count * sizeof *c->point);
    for (int i = 0; i < c->count; ++i) {
        c->point[i].x = patch->x[i];
        c->point[i].y = patch->y[i];
        c->point[i].xt = patch->torsion * patch->x[i];
        c->point[i].yt = patch->torsion * patch->y[i];
        c->point[i].built_thickness = c->point[i].thickness = patch->thickness[i];
    }
}

/* Overlap and patch of the shapes of a contact; 0 when they do not overlap after all. */
static int measure(
    AbutSimulation *sim, AbutTouch *c, int worker, AbutPatchPair *pair, AbutOverlap *overlap, AbutPatch *patch)
{
    const AbutShape *shape = &sim->scene->shape[c->shape_b];
    pair->a = sim->grown.of_shape[c->shape_b];
    pair->b = sim->grown.of_shape[c->shape_a];
    pair->b_in_a = shape_between(sim->scene, c->shape_a, c->shape_b);
    pair->last_normal = c->count ? abut_mat3_apply_t(shape->local_rotation, c->nu_b) : abut_zero();
    pair->uniform_torsion = sim->def.torsion_uniform;
    void *room = sim->workspace + (size_t)worker * sim->workspace_bytes;
    if (abut_patch_find(pair, &c->cache, room, sim->workspace_bytes, overlap, patch) <= 0)
        return 0;
    if (sim->def.fit == ABUT_FIT_MOMENTS) {
        AbutSurfaceMoments m = abut_surface_moments(overlap, patch, 1);
        abut_patch_fit_moments(&m, patch);
    }
    return 1;
}

/*
 * Bodies that touch, or overlap by less than has a shape, keep the polygon they had as long as its thickness has not
 * become a gap; 0 when there is none.
 */
static int keep_touching(AbutSimulation *sim, AbutTouch *c, AbutOverlapOutcome outcome)
{
    const AbutBody *a = &sim->scene->body[c->body_a], *b = &sim->scene->body[c->body_b];
    double size = abut_smaller(sim->grown.of_shape[c->shape_a]->size, sim->grown.of_shape[c->shape_b]->size);
    double most = -INFINITY;
    AbutMat3 r;
    AbutVec3 p;
    relative_pose(a, b, &r, &p);
    if (outcome == ABUT_OVERLAP_DISJOINT || !(abut_distance(p, c->built_position) < ABUT_KEPT_SHIFT * size))
        return 0;
    place_frame(c, a, b);
    update_thickness(c, &r, p);
    for (int i = 0; i < c->count; ++i)
        most = abut_larger(most, c->point[i].thickness);
    c->built = 0;
    return most >= -ABUT_KEPT_GAP * size;
}

/* Geometry and responses anew; 0 when the bodies do not overlap after all. */
static int build(AbutSimulation *sim, AbutTouch *c, int worker)
{
    const AbutBody *a = &sim->scene->body[c->body_a], *b = &sim->scene->body[c->body_b];
    AbutPatchPair pair;
    AbutOverlap overlap;
    AbutPatch patch;
    if (!measure(sim, c, worker, &pair, &overlap, &patch))
        return keep_touching(sim, c, overlap.outcome);
    OldVertex old[ABUT_CONTACT_VERTICES];
    int old_count = keep_old(c, b, old);
    copy_patch(c, &patch, &sim->scene->shape[c->shape_b], sim->constants.margin);
    relative_pose(a, b, &c->built_rotation, &c->built_position);
    place_frame(c, a, b);
    AbutBuilt built = {&pair, &overlap, &patch};
    if (sim->model->built)
        sim->model->built(sim, c, &built);
    hand_over(c, old, old_count);
    build_response(c, a, b);
    for (int i = 0; i < c->count; ++i)
        build_point(c, &c->point[i]);
    return 1;
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

static int is_awake(const AbutBody *body)
{
    return !body->asleep && body->kind != ABUT_BODY_STATIC;
}

static void sort_pairs(int begin, int end, int worker, void *user)
{
    AbutSimulation *sim = user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const AbutScenePair *pair = &sim->scene->pair[i];
        AbutPairMemory *memory = &sim->memory[i];
        if (!pair->alive) {
            memory->state = PAIR_APART;
            continue;
        }
        Sides s = pair_sides(sim->scene, pair);
        const AbutBody *a = &sim->scene->body[s.body_a], *b = &sim->scene->body[s.body_b];
        if (!is_awake(a) && !is_awake(b)) {
            memory->state = PAIR_IDLE;
            continue;
        }
        AbutMat3 r;
        AbutVec3 p;
        relative_pose(a, b, &r, &p);
        if (memory->contact >= 0 && is_coherent(sim, &sim->contact[memory->contact], &r, p)) {
            AbutTouch *c = &sim->contact[memory->contact];
            place_frame(c, a, b);
            update_thickness(c, &r, p);
            c->built = 0;
            memory->state = PAIR_KEPT;
            continue;
        }
        memory->state = may_overlap(sim, s, memory) ? PAIR_BUILD : PAIR_APART;
    }
}

static void build_contacts(int begin, int end, int worker, void *user)
{
    AbutSimulation *sim = user;
    for (int i = begin; i < end; ++i) {
        AbutPairMemory *memory = &sim->memory[i];
        if (memory->state != PAIR_BUILD)
            continue;
        AbutTouch *c = &sim->contact[memory->contact];
        c->built = 1;
        if (!build(sim, c, worker))
            memory->state = PAIR_APART;
    }
}

static void free_contact(AbutSimulation *sim, AbutPairMemory *memory)
{
    AbutTouch *c = &sim->contact[memory->contact];
    c->alive = 0;
    c->pair = sim->contact_free;
    sim->contact_free = memory->contact;
    memory->contact = -1;
}

/* Friction may be changed while bodies touch. */
static void set_material(AbutTouch *c, const AbutScenePair *pair)
{
    c->mu_static = pair->friction;
    c->mu_kinetic = pair->friction_kinetic;
    c->restitution = pair->restitution;
}

/* Lever of the resistance to rocking: a part of the smaller body; round shapes roll freely. */
static double rolling_length(const AbutSimulation *sim, Sides s)
{
    const AbutShape *shape = sim->scene->shape;
    if (abut_geometry_is_round(shape[s.shape_a].def.geometry) || abut_geometry_is_round(shape[s.shape_b].def.geometry))
        return 0.0;
    return sim->def.rolling * abut_smaller(sim->grown.of_shape[s.shape_a]->size, sim->grown.of_shape[s.shape_b]->size);
}

/* A place for the contact of pair i, zeroed. */
static int take_contact(AbutSimulation *sim, int i)
{
    int32_t place = sim->contact_free;
    if (place >= 0) {
        sim->contact_free = sim->contact[place].pair;
    } else {
        if (!abut_grow(
                (void **)&sim->contact, &sim->contact_capacity, (size_t)sim->contact_places + 1, sizeof *sim->contact))
            return 0;
        place = sim->contact_places++;
    }
    const AbutScenePair *pair = &sim->scene->pair[i];
    Sides s = pair_sides(sim->scene, pair);
    AbutTouch *c = &sim->contact[place];
    memset(c, 0, sizeof *c);
    c->pair = i;
    c->alive = 1;
    c->serial = pair->serial;
    c->shape_a = s.shape_a, c->shape_b = s.shape_b, c->body_a = s.body_a, c->body_b = s.body_b;
    c->rolling = rolling_length(sim, s);
    sim->memory[i].contact = place;
    return 1;
}

/* Memory of pairs in step with the pool: a place with a new serial begins anew. */
static int follow_pairs(AbutSimulation *sim)
{
    AbutScene *scene = sim->scene;
    if (!abut_grow((void **)&sim->memory, &sim->memory_capacity, (size_t)scene->pair_places, sizeof *sim->memory))
        return 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutPairMemory *memory = &sim->memory[i];
        int fresh = i >= sim->memory_count;
        if (!fresh && memory->serial == scene->pair[i].serial && scene->pair[i].alive)
            continue;
        if (!fresh && memory->contact >= 0)
            free_contact(sim, memory);
        memset(memory, 0, sizeof *memory);
        memory->serial = scene->pair[i].serial;
        memory->contact = -1;
    }
    sim->memory_count = scene->pair_places;
    return 1;
}

/* Other shapes, masses or margins than last time: what was built no longer holds. */
static void forget_geometry(AbutSimulation *sim)
{
    if (sim->contact_margin == sim->constants.margin && sim->contact_revision == sim->scene->revision)
        return;
    for (int32_t k = 0; k < sim->contact_places; ++k)
        sim->contact[k].built_position.x = INFINITY; /* never coherent */
    sim->contact_margin = sim->constants.margin;
    sim->contact_revision = sim->scene->revision;
}

AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error)
{
    enum { GRAIN = 64 };
    if (!follow_pairs(sim))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d pairs", sim->scene->pair_places);
    int count = sim->memory_count;
    forget_geometry(sim);
    abut_parallel_for(count, GRAIN, sim->def.threads, sort_pairs, sim);
    for (int i = 0; i < count; ++i)
        if (sim->memory[i].state == PAIR_BUILD && sim->memory[i].contact < 0 && !take_contact(sim, i))
            return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d contacts", sim->contact_places + 1);
    abut_parallel_for(count, GRAIN, sim->def.threads, build_contacts, sim);
    AbutStepReport *report = &sim->report;
    report->candidates = report->contacts = report->rebuilt = report->vertices = 0;
    for (int i = 0; i < count; ++i) {
        AbutPairMemory *memory = &sim->memory[i];
        report->candidates += sim->scene->pair[i].alive;
        report->rebuilt += memory->state == PAIR_BUILD;
        if (memory->state == PAIR_APART && memory->contact >= 0)
            free_contact(sim, memory);
        if (memory->contact >= 0) {
            ++report->contacts;
            report->vertices += sim->contact[memory->contact].count;
            set_material(&sim->contact[memory->contact], &sim->scene->pair[i]);
        }
    }
    return ABUT_OK;
}
