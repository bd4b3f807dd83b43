/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The force of two bodies that press on each other.
 *
 * In: samples of the surfaces, fields, the pose of B in A, a law P(phi). Out: force and torque on B about its origin,
 * their derivative, and a few points that stand for the pressed surfaces. Frame: A.
 *
 * U = integral of P(phi_B) over A + integral of P(phi_A) over B. By the divergence theorem its gradient as B moves is a
 * sum over the surfaces: a sample of A with area vector n presses B with P(phi_B) n, one of B is pressed with
 * -P(phi_A) n. Nodes of the trees whose field is nowhere below the reach are passed over. The points are gathered on
 * the way: each leaf is one at first, and of more than there is room for the two become one that differ least (Ward).
 */
#include "contact/solid_field.h"
#include "contact/tolerance.h"
#include "math/matrix.h"
#include "mesh/mesh_pair.h"

#include <string.h>

/* One body as the other sees it. */
typedef struct Side {
    const AbutSoftBody *body; /* NULL: its samples do not count */
    AbutSolidField other;     /* field that its samples are looked up in */
    AbutMat3 to_other;
    AbutVec3 offset;
    double weight; /* 2: for those of the other body, too */
    int of_b;
} Side;

typedef struct Press {
    AbutMat3 r; /* B to A */
    AbutVec3 p;
    AbutPressureDef law;
    double lever; /* what a turn of the normal counts beside a length, in points */
    AbutPressure *out;
    int point_count;
    struct AbutPressurePoint point[ABUT_PRESSURE_POINTS + 1];
    AbutVec3 along[ABUT_PRESSURE_POINTS + 1];                        /* their normals, of unit length */
    double cost[ABUT_PRESSURE_POINTS + 1][ABUT_PRESSURE_POINTS + 1]; /* of taking two as one; the lower number first */
} Press;

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void join_points(struct AbutPressurePoint *to, const struct AbutPressurePoint *from) {
    double load = to->load + from->load;
    to->place = abut_scale(
        abut_add(abut_scale(to->place, to->load), abut_scale(from->place, from->load)), load > 0.0 ? 1.0 / load : 0.0);
    to->force = abut_add(to->force, from->force);
    to->normal = abut_add(to->normal, from->normal); /* times the load, until the end */
    to->stiffness += from->stiffness;
    to->load = load;
}

/* Cost of merging two points. */
static double difference(const Press *q, int i, int k) {
    const struct AbutPressurePoint *a = &q->point[i], *b = &q->point[k];
    double square = abut_length_sq(abut_sub(a->place, b->place)) +
                    q->lever * q->lever * abut_length_sq(abut_sub(q->along[i], q->along[k]));
    return a->load * b->load / (a->load + b->load) * square;
}

/* The point i has changed: what it costs to take it together with others. */
static void compare_point(Press *q, int i) {
    q->along[i] = abut_normalize(q->point[i].normal);
    for (int k = 0; k < q->point_count; ++k)
        q->cost[i < k ? i : k][i < k ? k : i] = i == k ? INFINITY : difference(q, i, k);
}

/* The two that differ least become one, and the last takes the place of the second. */
static void join_nearest(Press *q) {
    int first = 0, second = 1, last = q->point_count - 1;
    for (int i = 0; i < q->point_count; ++i)
        for (int k = i + 1; k < q->point_count; ++k)
            if (q->cost[i][k] < q->cost[first][second]) first = i, second = k;
    join_points(&q->point[first], &q->point[second]);
    --q->point_count;
    if (second != last) {
        q->point[second] = q->point[last];
        compare_point(q, second);
    }
    compare_point(q, first);
}

static void add_point(Press *q, const struct AbutPressurePoint *point) {
    q->point[q->point_count++] = *point;
    compare_point(q, q->point_count - 1);
    if (q->point_count > ABUT_PRESSURE_POINTS) join_nearest(q);
}

/*
 * Points whose normals are within 60 degrees of each other lie on one patch, and get that of all of it. Those of a ball
 * that is pressed into a floor lean outward; if each kept its own, a ball that goes straight down would slide on them.
 */
static void share_normals(AbutPressure *p) {
    AbutVec3 sum[ABUT_PRESSURE_POINTS];
    int patches = 0, patch[ABUT_PRESSURE_POINTS];
    for (int i = 0; i < p->point_count; ++i) {
        AbutVec3 own = p->point[i].normal, along = abut_normalize(own);
        int k = 0;
        while (k < patches && !(abut_dot(abut_normalize(sum[k]), along) > ABUT_PRESSURE_PATCH)) ++k;
        patch[i] = k;
        sum[k] = k < patches ? abut_add(sum[k], own) : own;
        patches += k == patches;
    }
    for (int i = 0; i < p->point_count; ++i) p->point[i].normal = abut_normalize(sum[patch[i]]);
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Pressure, and how fast it falls with the distance. */
static double pressure_at(const AbutPressureDef *law, double phi, double *fall) {
    double x = (law->reach - phi) / law->reach, power = law->pressure;
    for (int k = 1; k < law->power; ++k) power *= x;
    *fall = power * law->power / law->reach;
    return power * x;
}

static void add_columns(double m[6][6], int rows, int columns, AbutMat3 block) {
    const AbutVec3 column[3] = {block.x, block.y, block.z};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) m[rows + i][columns + j] += abut_get(column[j], i);
}

/*
 * A sample at `arm` from B's origin with force f = P n presses B; g is the gradient of phi as B moves, and `fall` minus
 * that of P. Where the sample is B's own it turns with it; where it is A's, B's origin moves away from it.
 */
static void add_derivative(AbutPressure *out, AbutVec3 arm, AbutVec3 n, AbutVec3 f, AbutVec3 g, double fall, int of_b) {
    AbutVec3 change = abut_scale(n, -fall), moment = abut_cross(arm, change), turn = abut_cross(arm, g);
    add_columns(out->derivative, 0, 0, abut_mat3_outer(change, g));
    add_columns(out->derivative, 0, 3, abut_mat3_outer(change, turn));
    add_columns(out->derivative, 3, 0, abut_mat3_outer(moment, g));
    add_columns(out->derivative, 3, 3, abut_mat3_outer(moment, turn));
    if (of_b) {
        add_columns(out->derivative, 0, 3, abut_mat3_skew(abut_neg(f)));
        add_columns(out->derivative, 3, 3, abut_mat3_skew(abut_neg(abut_cross(arm, f))));
    } else {
        add_columns(out->derivative, 3, 0, abut_mat3_skew(f));
    }
}

static void press_sample(Press *q, const Side *s, const AbutSoftSample *sample, struct AbutPressurePoint *point) {
    AbutPressure *out = q->out;
    AbutVec3 there = abut_add(abut_mat3_apply(s->to_other, sample->p), s->offset), g;
    double phi = abut_solid_field(&s->other, there, NULL), fall;
    out->nearest = abut_smaller(phi, out->nearest);
    if (!(phi < q->law.reach)) return;
    double pressure = s->weight * pressure_at(&q->law, phi, &fall);
    AbutVec3 place = s->of_b ? there : sample->p, arm = abut_sub(place, q->p);
    AbutVec3 n = s->of_b ? abut_neg(abut_mat3_apply(q->r, sample->area_vector)) : sample->area_vector;
    AbutVec3 f = abut_scale(n, pressure);
    (void)abut_solid_field(&s->other, there, &g);
    g = s->of_b ? g : abut_neg(abut_mat3_apply(q->r, g)); /* as B moves */
    AbutVec3 normal = abut_scale(abut_normalize(g), pressure * sample->area);
    struct AbutPressurePoint one = {place, f, normal, pressure * sample->area, s->weight * fall * sample->area};
    out->force = abut_add(out->force, f);
    out->torque = abut_add(out->torque, abut_cross(arm, f));
    out->area += sample->area;
    ++out->samples;
    join_points(point, &one);
    if (q->law.derivative) add_derivative(out, arm, n, f, g, s->weight * fall, s->of_b);
}

static void press_leaf(Press *q, const Side *s, const AbutBallNode *leaf) {
    const AbutSoftSample *samples = abut_soft_samples(s->body);
    struct AbutPressurePoint point = {abut_zero(), abut_zero(), abut_zero(), 0.0, 0.0};
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) press_sample(q, s, &samples[i], &point);
    q->out->center = abut_add_scaled(q->out->center, point.place, point.load);
    q->out->load += point.load;
    if (point.load > 0.0) add_point(q, &point);
}

static int is_near(const Press *q, const Side *s, const AbutBallNode *node) {
    double most = abut_smaller(s->other.lipschitz * node->radius, node->radius + s->other.slack);
    AbutVec3 there = abut_add(abut_mat3_apply(s->to_other, node->center), s->offset);
    return abut_solid_field(&s->other, there, NULL) - most < q->law.reach;
}

static void press_side(Press *q, const Side *s) {
    const AbutBallNode *nodes = abut_soft_sample_nodes(s->body);
    int32_t stack[ABUT_SOFT_DEPTH], count = 1;
    stack[0] = 0;
    while (count > 0) {
        int32_t id = stack[--count];
        if (!is_near(q, s, &nodes[id])) continue;
        if (nodes[id].right < 0) {
            press_leaf(q, s, &nodes[id]);
        } else {
            stack[count++] = nodes[id].right;
            stack[count++] = id + 1;
        }
    }
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static int law_is_good(const AbutPressureDef *law) {
    return law->pressure > 0.0 && law->pressure <= ABUT_SOFT_LENGTH && law->reach > 0.0 &&
           law->reach <= ABUT_SOFT_LENGTH && law->power >= 2 && law->power <= 8;
}

/* Whose samples count, and how much; 0: nobody's. */
static int share(Side side[2]) {
    const AbutSoftBody *a = side[0].body, *b = side[1].body;
    side[0].weight = side[1].weight = 1.0;
    if (a && b && a->spacing <= 2.0 * b->spacing && b->spacing <= 2.0 * a->spacing) return 1;
    int keep_a = a && (!b || a->spacing < b->spacing);
    side[keep_a].body = NULL;
    side[!keep_a].weight = 2.0;
    return a || b;
}

AbutPressure abut_pressure_force(AbutPressureBody a, AbutPressureBody b, AbutPose b_in_a, const AbutPressureDef *def) {
    AbutPressure out;
    ABUT_ASSERT(def);
    memset(&out, 0, sizeof out);
    Press q;
    q.p = b_in_a.p, q.law = *def, q.out = &out, q.point_count = 0;
    Side side[2] = {{.body = a.surface, .of_b = 0}, {.body = b.surface, .of_b = 1}};
    q.law.power = def->power == 0 ? 4 : def->power;
    if (!abut_mesh_pose_is_good(b_in_a) || abut_max_abs(b_in_a.p) > ABUT_QUERY_LARGEST || !law_is_good(&q.law) ||
        !abut_solid_field_open(b, &side[0].other) || !abut_solid_field_open(a, &side[1].other) || !share(side))
        return out;
    q.r = abut_quat_to_mat3(b_in_a.q);
    side[0].to_other = abut_mat3_transpose(q.r), side[0].offset = abut_neg(abut_mat3_apply_t(q.r, q.p));
    side[1].to_other = q.r, side[1].offset = q.p;
    q.lever = abut_smaller(a.surface ? a.surface->radius : INFINITY, b.surface ? b.surface->radius : INFINITY);
    out.valid = 1;
    out.nearest = q.law.reach;
    for (int k = 0; k < 2; ++k)
        if (side[k].body) press_side(&q, &side[k]);
    if (out.load > 0.0) out.center = abut_scale(out.center, 1.0 / out.load);
    out.point_count = q.point_count;
    memcpy(out.point, q.point, (size_t)q.point_count * sizeof *q.point);
    share_normals(&out);
    return out;
}
