/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of states that grows from the start towards samples and towards the goal in turn. From the nearest state a
 * few contact modes are drawn by how far they lead, each with a few choices of fingers; the motion that comes nearest
 * to the target becomes a state. A tree that does not find the goal soon gives way to another.
 */
#include "manipulation/search.h"

#include "base/system.h"
#include "math/functions.h"
#include "math/numbers.h"

#include <string.h>

enum { ATTEMPTS = 20000, SHORTCUTS = 200, CHOICES = 6, HOLDS = 3, PATH = 400, GIVE_UP = 40, RESTART = 200 };

#define MOTION_LENGTH 0.25 /* m */
#define MOTION_ANGLE 2.0

/* ---- states ------------------------------------------------------------------------------------------------------ */

int abut_manip_is_goal(const AbutManip *m, AbutPose x) {
    double distance, angle;
    abut_manip_far(m, x, m->goal, &distance, &angle);
    return distance < m->task->goal_distance && angle < m->task->goal_angle;
}

int32_t abut_manip_add_node(AbutManipSearch *s, const AbutManipNode *node, const AbutManipPath *path) {
    int good = abut_grow((void **)&s->node, &s->capacity, (size_t)s->count + 1, sizeof *s->node);
    if (!good) return s->out_of_memory = 1, -1;
    AbutManipNode *n = &s->node[s->count];
    *n = *node;
    n->sight = NULL;
    if (path) {
        n->path = abut_pool_take_array(&s->pool, (size_t)path->count, sizeof *n->path, &good);
        n->step_count = path->count;
        if (good) memcpy(n->path, path->pose, (size_t)path->count * sizeof *n->path);
    }
    if (!good) return s->out_of_memory = 1, -1;
    n->left = abut_manip_far(&s->m, n->x, s->m.goal, NULL, NULL);
    s->left = abut_smaller(s->left, n->left);
    return s->count++;
}

void abut_manip_name_mode(AbutManipNode *node, const AbutManipStance *stance, const AbutManipPattern *pattern) {
    static const char letters[] = "0s+";
    node->touch_count = stance->count;
    memset(node->mode, 0, sizeof node->mode);
    for (int32_t i = 0; i < stance->count; ++i) node->mode[i] = letters[pattern->state[i]];
}

/* ---- growing ----------------------------------------------------------------------------------------------------- */

/* Draws a candidate by the square of its score, and takes it from the list. */
static AbutManipCandidate *draw(AbutManip *m, AbutManipCandidate *list, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; ++k) sum += list[k].score * list[k].score;
    if (!(sum > 0.0)) return NULL;
    double r = abut_rng_unit(&m->rng) * sum;
    int32_t k = 0;
    for (; k < count - 1 && (r -= list[k].score * list[k].score) >= 0.0;) ++k;
    list[k].score = 0.0;
    return &list[k];
}

/* The best motion of one candidate over a few holds. */
typedef struct Best {
    AbutManipNode node;
    AbutManipPath path;
    double far; /* from the target; infinite: none yet */
} Best;

static int keeps_hold(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const AbutManipHold *h) {
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, m->force_least, 1, NULL};
    return h->finger[0] >= 0 && abut_manip_determined(m, s, pattern, h) &&
           abut_manip_balance(m, s, pattern, h, demand, NULL) <= ABUT_MANIP_BALANCED;
}

static void try_candidate(AbutManipSearch *s, const AbutManipNode *from, AbutManipSight *sight,
    const AbutManipCandidate *candidate, AbutPose target, const AbutPose *ahead, Best *best) {
    AbutManip *m = &s->m;
    const AbutManipStance *stance = &sight->stance;
    AbutManipAim aim = {target, 1e-6, MOTION_LENGTH, MOTION_ANGLE};
    AbutManipPath path;
    double start = abut_manip_far(m, stance->x, target, NULL, NULL);
    abut_manip_set_out(m, stance, &candidate->pattern, &aim, s->course);
    int kept = keeps_hold(m, stance, &candidate->pattern, &from->hold);
    for (int k = 0; k < HOLDS; ++k) {
        AbutManipNode node = {.hold = from->hold};
        if (k || !kept) {
            if (!abut_manip_choose(m, stance, &candidate->pattern, abut_manip_room(s, sight), &from->hold, s->course,
                    ahead, &node.hold))
                return;
            node.relocation_count = abut_manip_relocate(m, stance, &from->hold, &node.hold, node.relocation);
            if (node.relocation_count < 0) continue;
        }
        if (!abut_manip_advance(s->course, &node.hold, &path)) continue;
        node.x = path.pose[path.count - 1];
        double far = abut_manip_far(m, node.x, target, NULL, NULL);
        if (far < best->far - 1e-9) {
            best->node = node, best->path = path, best->far = far;
            abut_manip_name_mode(&best->node, stance, &candidate->pattern);
        }
        if (best->far < 1e-5 || (kept && !k && far < 0.5 * start)) return;
    }
}

int abut_manip_has_ways(const AbutManipSearch *s, const AbutManipNode *from, const AbutManipNode *node) {
    AbutManipWay way[ABUT_MANIP_FINGERS];
    return abut_manip_find_ways(
        &s->m, from->x, &from->hold, &node->hold, node->relocation, node->relocation_count, way);
}

static int32_t add_reached(AbutManipSearch *s, const AbutManipNode *node, const AbutManipPath *path) {
    int32_t id = abut_manip_add_node(s, node, path);
    if (id >= 0 && abut_manip_is_goal(&s->m, node->x)) s->goal = id;
    return id;
}

/* One more step of the last motion, then nothing holds the object: does it fall to another place? */
static void let_fall(AbutManipSearch *s, int32_t number) {
    AbutManipNode from = s->node[number], node = {.hold = from.hold, .parent = number, .falls = 1};
    AbutManipPath path, fall;
    if (from.step_count < 2) return;
    AbutPose before = from.path[from.step_count - 2];
    double far = abut_manip_far(&s->m, before, from.x, NULL, NULL), nudge = 0.05 * s->m.length;
    if (!(far > 1e-6)) return;
    path.pose[0] = abut_manip_between(before, from.x, 1.0 + nudge / far);
    if (!abut_manip_fall(&s->m, path.pose[0], &fall) || fall.count + 1 > ABUT_MANIP_STEPS) return;
    memcpy(path.pose + 1, fall.pose, (size_t)fall.count * sizeof *fall.pose);
    path.count = fall.count + 1;
    node.x = path.pose[path.count - 1];
    if (abut_manip_far(&s->m, node.x, from.x, NULL, NULL) < 0.2 * s->m.length) return;
    for (int32_t i = 0; i < node.hold.count; ++i) node.hold.finger[i] = -1;
    add_reached(s, &node, &path);
}

static void extend(AbutManipSearch *s, int32_t near, AbutPose target, const AbutPose *ahead) {
    AbutManipCandidate list[ABUT_MANIP_CANDIDATES];
    AbutManipSight *sight = abut_manip_look(s, &s->node[near]);
    int made = 0;
    if (!sight) {
        s->out_of_memory = 1;
        return;
    }
    int32_t count = abut_manip_candidates(s, sight, target, list);
    if (!sight->stance.count) memset(&list[0].pattern, 0, sizeof list[0].pattern);
    for (int32_t k = 0; k < CHOICES && k < count && s->goal < 0 && !s->out_of_memory; ++k) {
        const AbutManipCandidate *candidate = draw(&s->m, list, count);
        Best best = {.far = INFINITY};
        if (!candidate) break;
        try_candidate(s, &s->node[near], sight, candidate, target, ahead, &best);
        if (best.far == INFINITY) continue;
        best.node.parent = near;
        if (!abut_manip_has_ways(s, &s->node[near], &best.node)) continue;
        int32_t id = add_reached(s, &best.node, &best.path);
        made = 1;
        if (id >= 0 && s->goal < 0 && s->m.task->falls) let_fall(s, id);
    }
    if (!made) s->node[near].fails++;
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

static AbutPose sample(AbutManip *m) {
    const AbutManipTask *t = m->task;
    AbutRng *g = &m->rng;
    if (abut_rng_unit(g) < 0.4) { /* between start and goal */
        double s = abut_rng_unit(g), r = abut_rng_unit(g), wide = 0.3 * m->length;
        AbutPose x = abut_manip_between(m->start, m->goal, r);
        double dx = abut_rng_normal(g), dy = abut_rng_normal(g), dz = fabs(abut_rng_normal(g));
        x.p = abut_add(abut_lerp(m->start.p, m->goal.p, s), abut_scale(abut_vec3(dx, dy, dz), wide));
        return x;
    }
    double x = abut_rng_between(g, t->low.x, t->high.x), y = abut_rng_between(g, t->low.y, t->high.y);
    AbutVec3 p = abut_vec3(x, y, abut_rng_between(g, t->low.z, t->high.z));
    if (abut_length(t->axis) > 0.0) {
        double angle = abut_rng_between(g, t->angle_low, t->angle_high);
        return abut_pose(p, abut_quat_mul(abut_quat_axis_angle(abut_normalize(t->axis), angle), m->start.q));
    }
    return abut_pose(p, abut_random_quat(g));
}

/* A distance that sorts; cheaper than that of the answer. */
static double nearly(const AbutManip *m, AbutPose a, AbutPose b) {
    double c = fabs(abut_quat_dot(a.q, b.q)), chord = abut_larger(0.0, 8.0 * (1.0 - c)); /* near to the angle squared */
    return sqrt(abut_length_sq(abut_sub(a.p, b.p)) + m->length * m->length * chord);
}

static int32_t nearest(AbutManipSearch *s, AbutPose target, int to_goal) {
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipNode *n = &s->node[i];
        double luck = to_goal ? abut_rng_between(&s->m.rng, 1.0, 1.5) : 1.0;
        if (to_goal && n->fails > GIVE_UP) continue;
        double far = nearly(&s->m, n->x, target) * (1.0 + 0.5 * n->fails) * luck;
        if (far < least) least = far, best = i;
    }
    return best;
}

static int is_over(const AbutManipSearch *s, double deadline, AbutManipPlan *out) {
    const AbutManipOptions *o = s->options;
    if (s->goal >= 0 || s->out_of_memory || out->attempts >= (o->attempts ? o->attempts : ATTEMPTS)) return 1;
    out->out_of_time = (o->cancel && *o->cancel) || abut_clock() > deadline;
    return out->out_of_time;
}

/* Trees that are unlucky early stay so: another begins at the start, and may take a little longer each time. */
static void restart(AbutManipSearch *s, AbutManipPlan *out) {
    out->states += s->count - 1;
    s->count = 1;
    s->node[0].fails = 0;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static int32_t path_to(const AbutManipSearch *s, int32_t node, int32_t *path) {
    int32_t count = 0;
    for (int32_t i = node; i >= 0; i = s->node[i].parent) ++count;
    if (count > PATH) return 0;
    for (int32_t i = node, k = count; i >= 0; i = s->node[i].parent) path[--k] = i;
    return count;
}

static void write_ways(const AbutManipSearch *s, const AbutManipNode *from, const AbutManipNode *n,
    struct AbutManipMotion *motion, AbutManipPlan *out) {
    AbutManipWay way[ABUT_MANIP_FINGERS];
    abut_manip_find_ways(&s->m, from->x, &from->hold, &n->hold, n->relocation, n->relocation_count, way);
    for (int32_t k = 0; k < n->relocation_count; ++k) {
        motion->first_corner[k] = out->corner_count, motion->corner_count[k] = way[k].count;
        memcpy(out->corners + out->corner_count, way[k].corner, (size_t)way[k].count * sizeof *way[k].corner);
        out->corner_count += way[k].count;
    }
}

static void write_motion(
    const AbutManipSearch *s, const AbutManipNode *n, struct AbutManipMotion *motion, AbutManipPlan *out) {
    *motion = (struct AbutManipMotion){.first_step = out->step_count,
        .step_count = n->step_count,
        .relocation_count = n->relocation_count,
        .touch_count = n->touch_count,
        .falls = n->falls};
    memcpy(motion->relocation, n->relocation, sizeof motion->relocation);
    memcpy(motion->mode, n->mode, sizeof motion->mode);
    for (int32_t i = 0; i < ABUT_MANIP_FINGERS; ++i) motion->finger[i] = i < n->hold.count ? n->hold.finger[i] : -1;
    for (int32_t k = 0; k < n->step_count; ++k)
        out->poses[out->step_count++] = abut_manip_frame_pose(&s->m, n->path[k]);
}

static AbutStatus write_plan(const AbutManipSearch *s, const int32_t *path, int32_t count, AbutManipPlan *out) {
    size_t steps = 0, motions = (size_t)count - 1, points = (size_t)s->m.point_count;
    for (int32_t k = 1; k < count; ++k) steps += (size_t)s->node[path[k]].step_count;
    size_t corners = motions * ABUT_MANIP_FINGERS * ABUT_MANIP_WAY;
    char *memory = abut_alloc(motions * sizeof *out->motions + steps * sizeof *out->poses +
                              points * sizeof *out->points + corners * sizeof *out->corners + 64);
    if (!memory) return abut_fail_memory(s->error);
    out->memory = memory;
    out->poses = (AbutPose *)(void *)memory;
    out->points = (struct AbutManipPoint *)(void *)(out->poses + steps);
    out->corners = (AbutVec3 *)(void *)(out->points + points);
    out->motions = (struct AbutManipMotion *)(void *)(out->corners + corners);
    out->motion_count = (int32_t)motions;
    out->point_count = (int32_t)points;
    for (size_t i = 0; i < points; ++i)
        out->points[i] = (struct AbutManipPoint){abut_add(s->m.point[i].point, s->m.center), s->m.point[i].normal};
    for (int32_t k = 1; k < count; ++k) {
        write_motion(s, &s->node[path[k]], &out->motions[k - 1], out);
        write_ways(s, &s->node[path[k - 1]], &s->node[path[k]], &out->motions[k - 1], out);
    }
    out->found = 1;
    return ABUT_OK;
}

AbutStatus abut_manip_search(AbutManipSearch *s, AbutManipPlan *out) {
    const AbutManipOptions *o = s->options;
    AbutManipNode root = {.x = s->m.start, .hold = {s->m.task->fingers, {-1, -1, -1}}, .parent = -1};
    double deadline = o->seconds > 0.0 ? abut_clock() + o->seconds : INFINITY;
    int32_t path[PATH];
    s->left = INFINITY;
    s->goal = -1;
    if (abut_manip_add_node(s, &root, NULL) == 0 && abut_manip_is_goal(&s->m, root.x)) s->goal = 0;
    int32_t tree_ends = RESTART, length = RESTART;
    for (; !is_over(s, deadline, out); ++out->attempts) {
        if (out->attempts == tree_ends) {
            restart(s, out);
            length += length / 2;
            tree_ends += length;
        }
        int to_goal = abut_rng_unit(&s->m.rng) < 0.5;
        AbutPose target = to_goal ? s->m.goal : sample(&s->m);
        int32_t near = nearest(s, target, to_goal);
        if (to_goal) s->node[near].fails++;
        extend(s, near, target, to_goal && abut_rng_unit(&s->m.rng) < 0.5 ? &s->m.goal : NULL);
        if (o->progress) o->progress(out->attempts, s->left, o->user);
    }
    if (s->out_of_memory) return s->error && s->error->text[0] ? ABUT_ERROR_MEMORY : abut_fail_memory(s->error);
    int32_t count = s->goal >= 0 ? path_to(s, s->goal, path) : 0;
    if (count && o->shortcuts >= 0) count = abut_manip_shorten(s, path, count, o->shortcuts ? o->shortcuts : SHORTCUTS);
    out->states += s->count;
    out->modes = (int32_t)s->modes;
    out->left = s->left;
    return count ? write_plan(s, path, count, out) : ABUT_OK;
}

AbutStatus abut_manip_plan(
    const AbutManipTask *task, const AbutManipOptions *options, AbutManipPlan *out, AbutError *error) {
    ABUT_ASSERT(task && out);
    static const AbutManipOptions usual = {0};
    AbutError own;
    AbutManipSearch s = {.options = options ? options : &usual, .error = error ? error : &own};
    memset(out, 0, sizeof *out);
    s.error->text[0] = '\0';
    ABUT_TRY(abut_manip_setup(task, s.options->seed, &s.m, error));
    if (s.options->jam_test) s.m.jam = 0.0;
    s.course = abut_pool_take(&s.pool, sizeof *s.course);
    AbutStatus status = s.course ? abut_manip_search(&s, out) : abut_fail_memory(error);
    abut_free(s.node);
    abut_pool_free(&s.pool);
    abut_manip_free(&s.m);
    return status;
}

void abut_manip_plan_free(AbutManipPlan *plan) {
    ABUT_ASSERT(plan);
    abut_free(plan->memory);
    memset(plan, 0, sizeof *plan);
}
