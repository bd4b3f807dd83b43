/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A capsule of nearly the least volume around points.
 *
 * In: points. Out: a capsule that contains every one of them, rounding included.
 * Method:
 *   1. Points are shifted and scaled to about unit size; of many points only the extreme ones along evenly spread
 *      directions are used (the active set).
 *   2. A capsule is given by a line and a slack e: with rho the distance of a point from the line, the radius is
 *      sqrt(max rho^2 + e^2), and the segment is as short as the round ends allow. The slack matters: a little more
 *      radius can shorten the segment a lot where the extreme points lie at the rim.
 *   3. Several directions are tried, each with the middle of the smallest circle around the projected points; the best
 *      few are improved by the downhill simplex method over line and slack, restarted until nothing is gained.
 *   4. All points are checked; while some stick out, the worst joins the active set and the capsule is improved again.
 *   5. The radius becomes the largest distance measured in the caller's coordinates, plus the rounding.
 * Equal input gives equal bits: nothing is random.
 */
#include "abut/shape.h"
#include "math/matrix.h"
#include "shape/tolerance.h"

#include <float.h>

enum {
    DIRECTIONS = 128, /* sampled for extreme points; each gives two */
    ROUNDS = 24,      /* of adding points that stick out */
    ACTIVE = 2 * DIRECTIONS + ROUNDS,
    STARTS = 12, /* tried directions that are improved */
    TRIES = 52,  /* directions tried */
    DIMENSIONS = 5
};

/* A line through `origin`, two unit vectors across it, and the slack e. */
typedef struct Line {
    AbutVec3 origin, along, across[2];
    double slack;
} Line;

/* Points as the caller gave them, and how to bring them to unit size. */
typedef struct Cloud {
    const AbutVec3 *points;
    int count;
    AbutVec3 middle;
    double unit;
} Cloud;

typedef struct Fit {
    AbutVec3 point[ACTIVE];
    double place[ACTIVE], rho_sq[ACTIVE]; /* of each active point: along the line, and squared distance from it */
    int count;
} Fit;

static AbutVec3 unit_point(const Cloud *cloud, int i) {
    AbutVec3 d = abut_sub(cloud->points[i], cloud->middle);
    return abut_vec3(d.x / cloud->unit, d.y / cloud->unit, d.z / cloud->unit);
}

/* Direction k of n spread evenly over half the sphere. */
static AbutVec3 spread_direction(int k, int n) {
    double z = (k + 0.5) / n, r = sqrt(1.0 - z * z), angle = k * ABUT_PI * (3.0 - sqrt(5.0));
    return abut_vec3(r * abut_cos(angle), r * abut_sin(angle), z);
}

static Line line_along(AbutVec3 origin, AbutVec3 along, double slack) {
    AbutVec3 side = abut_perpendicular(along);
    Line line = {origin, along, {side, abut_cross(along, side)}, slack};
    return line;
}

static double capsule_volume(AbutCapsule c) {
    return ABUT_PI * c.radius * c.radius * (abut_point_distance(c.a, c.b) + 4.0 / 3.0 * c.radius);
}

/* The least capsule around the active points for this line and slack. */
static AbutCapsule capsule_on_line(Fit *fit, const Line *line) {
    double most = 0.0;
    for (int i = 0; i < fit->count; ++i) {
        AbutVec3 d = abut_sub(fit->point[i], line->origin);
        fit->place[i] = abut_dot(d, line->along);
        fit->rho_sq[i] = abut_length_sq(abut_add_scaled(d, line->along, -fit->place[i]));
        most = fmax(most, fit->rho_sq[i]);
    }
    double radius_sq = most + line->slack * line->slack, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < fit->count; ++i) {
        double reach = sqrt(radius_sq - fit->rho_sq[i]), end = fit->place[i] + reach, start = fit->place[i] - reach;
        low = end < low ? end : low;
        high = start > high ? start : high;
    }
    if (high < low) /* a ball is enough */
        low = high = 0.5 * (low + high);
    AbutCapsule c = {abut_add_scaled(line->origin, line->along, low), abut_add_scaled(line->origin, line->along, high),
        sqrt(radius_sq)};
    return c;
}

/* ---- improvement ------------------------------------------------------------------------------------------------- */

/* The line at parameters x from `base`: two turn it, two shift it, one changes the slack. */
static Line line_at(const Line *base, const double *x) {
    AbutVec3 turn = abut_add_scaled(abut_scale(base->across[0], x[0]), base->across[1], x[1]);
    AbutVec3 shift = abut_add_scaled(abut_scale(base->across[0], x[2]), base->across[1], x[3]);
    return line_along(
        abut_add(base->origin, shift), abut_normalize(abut_add(base->along, turn)), fabs(base->slack + x[4]));
}

static double volume_at(Fit *fit, const Line *base, const double *x) {
    Line line = line_at(base, x);
    return capsule_volume(capsule_on_line(fit, &line));
}

typedef struct Simplex {
    double x[DIMENSIONS + 1][DIMENSIONS], value[DIMENSIONS + 1];
} Simplex;

static void sort_simplex(Simplex *s) {
    for (int i = 1; i <= DIMENSIONS; ++i)
        for (int j = i; j > 0 && s->value[j] < s->value[j - 1]; --j) {
            double value = s->value[j];
            s->value[j] = s->value[j - 1], s->value[j - 1] = value;
            for (int k = 0; k < DIMENSIONS; ++k) {
                double t = s->x[j][k];
                s->x[j][k] = s->x[j - 1][k], s->x[j - 1][k] = t;
            }
        }
}

/* Tries the point at `factor` times the way from the worst corner through the middle of the others. */
static double try_corner(Fit *fit, const Line *base, const Simplex *s, double factor, double *x) {
    for (int k = 0; k < DIMENSIONS; ++k) {
        double middle = 0.0;
        for (int i = 0; i < DIMENSIONS; ++i) middle += s->x[i][k] / DIMENSIONS;
        x[k] = middle + factor * (s->x[DIMENSIONS][k] - middle);
    }
    return volume_at(fit, base, x);
}

static void replace_worst(Simplex *s, const double *x, double value) {
    for (int k = 0; k < DIMENSIONS; ++k) s->x[DIMENSIONS][k] = x[k];
    s->value[DIMENSIONS] = value;
}

static void shrink(Fit *fit, const Line *base, Simplex *s) {
    for (int i = 1; i <= DIMENSIONS; ++i) {
        for (int k = 0; k < DIMENSIONS; ++k) s->x[i][k] = 0.5 * (s->x[i][k] + s->x[0][k]);
        s->value[i] = volume_at(fit, base, s->x[i]);
    }
}

/* One step of the downhill simplex method. */
static void step_simplex(Fit *fit, const Line *base, Simplex *s) {
    double x[DIMENSIONS], y[DIMENSIONS], worst = s->value[DIMENSIONS];
    double mirrored = try_corner(fit, base, s, -1.0, x);
    if (mirrored < s->value[0]) {
        double further = try_corner(fit, base, s, -2.0, y);
        if (further < mirrored)
            replace_worst(s, y, further);
        else
            replace_worst(s, x, mirrored);
    } else if (mirrored < s->value[DIMENSIONS - 1]) {
        replace_worst(s, x, mirrored);
    } else {
        double nearer = try_corner(fit, base, s, mirrored < worst ? -0.5 : 0.5, y);
        if (nearer < fmin(worst, mirrored))
            replace_worst(s, y, nearer);
        else
            shrink(fit, base, s);
    }
    sort_simplex(s);
}

/* Improves the line with a simplex of the given size; gives the volume back. */
static double improve_once(Fit *fit, Line *line, double size) {
    Simplex s;
    for (int i = 0; i <= DIMENSIONS; ++i) {
        for (int k = 0; k < DIMENSIONS; ++k) s.x[i][k] = i == k + 1 ? size : 0.0;
        s.value[i] = volume_at(fit, line, s.x[i]);
    }
    sort_simplex(&s);
    for (int step = 0; step < 300 && s.value[DIMENSIONS] > s.value[0] * ABUT_CAPSULE_DONE; ++step)
        step_simplex(fit, line, &s);
    *line = line_at(line, s.x[0]);
    return s.value[0];
}

/* Restarts with simplices from wide to narrow, until a restart gains next to nothing. */
static double improve(Fit *fit, Line *line, double size) {
    double volume = improve_once(fit, line, size);
    for (int restart = 0, idle = 0; restart < 10 && idle < 2; ++restart) {
        double next = improve_once(fit, line, restart % 2 ? size : -0.3 * size);
        idle = next < 0.999 * volume ? 0 : idle + 1;
        volume = next;
    }
    return volume;
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* Near the middle of the smallest circle around the points projected along the direction: steps to the farthest. */
static AbutVec3 projected_middle(const Fit *fit, AbutVec3 along) {
    AbutVec3 middle = abut_zero();
    for (int step = 0; step < 40; ++step) {
        AbutVec3 farthest = abut_zero();
        double most = -1.0;
        for (int i = 0; i < fit->count; ++i) {
            AbutVec3 d = abut_sub(fit->point[i], middle);
            d = abut_add_scaled(d, along, -abut_dot(d, along));
            if (abut_length_sq(d) > most) {
                most = abut_length_sq(d);
                farthest = d;
            }
        }
        middle = abut_add_scaled(middle, farthest, 1.0 / (step + 2.0));
    }
    return middle;
}

/* The line along a direction with the best of a few slacks. */
static double start_along(Fit *fit, AbutVec3 along, Line *best) {
    Line line = line_along(projected_middle(fit, along), along, 0.0);
    double radius = capsule_on_line(fit, &line).radius, best_volume = INFINITY;
    for (int k = 0; k < 6; ++k) {
        line.slack = 0.2 * k * radius;
        double volume = capsule_volume(capsule_on_line(fit, &line));
        if (volume < best_volume) {
            best_volume = volume;
            *best = line;
        }
    }
    return best_volume;
}

static AbutMat3 principal_axes(const Fit *fit) {
    AbutVec3 mean = abut_zero();
    AbutMat3 spread = abut_mat3_diagonal(0.0, 0.0, 0.0);
    for (int i = 0; i < fit->count; ++i) mean = abut_add_scaled(mean, fit->point[i], 1.0 / fit->count);
    for (int i = 0; i < fit->count; ++i) {
        AbutVec3 d = abut_sub(fit->point[i], mean);
        spread = abut_mat3_add(spread, abut_mat3_outer(d, d));
    }
    return abut_mat3_eigen_symmetric(spread, NULL);
}

static AbutVec3 longest_pair(const Fit *fit) {
    AbutVec3 longest = abut_axis(0);
    double most = 0.0;
    for (int i = 0; i < fit->count; ++i)
        for (int j = 0; j < i; ++j) {
            AbutVec3 d = abut_sub(fit->point[i], fit->point[j]);
            if (abut_length_sq(d) > most) {
                most = abut_length_sq(d);
                longest = d;
            }
        }
    return abut_normalize(longest);
}

/* The best lines so far, the best first. */
typedef struct Starts {
    Line line[STARTS];
    double volume[STARTS];
    int count;
} Starts;

static void keep_start(Starts *starts, Line line, double volume) {
    if (starts->count == STARTS && !(volume < starts->volume[STARTS - 1])) return;
    int at = starts->count < STARTS ? starts->count++ : STARTS - 1;
    for (; at > 0 && volume < starts->volume[at - 1]; --at) {
        starts->line[at] = starts->line[at - 1];
        starts->volume[at] = starts->volume[at - 1];
    }
    starts->line[at] = line;
    starts->volume[at] = volume;
}

/* Tries all start directions and improves the best ones. */
static Line best_line(Fit *fit) {
    AbutMat3 axes = principal_axes(fit);
    AbutVec3 special[4] = {axes.z, axes.y, axes.x, longest_pair(fit)};
    Starts starts = {.count = 0};
    for (int k = 0; k < TRIES; ++k) {
        Line line = {0};
        double volume = start_along(fit, k < 4 ? special[k] : spread_direction(k - 4, TRIES - 4), &line);
        keep_start(&starts, line, volume);
    }
    int best = 0;
    for (int k = 0; k < starts.count; ++k) {
        starts.volume[k] = improve(fit, &starts.line[k], 0.2);
        if (starts.volume[k] < starts.volume[best]) best = k;
    }
    return starts.line[best];
}

/* ---- all points -------------------------------------------------------------------------------------------------- */

/* Distance from the segment 0 b. */
static double segment_distance(AbutVec3 p, AbutVec3 b) {
    double length_sq = abut_length_sq(b);
    double t = length_sq > 0.0 ? fmin(fmax(abut_dot(p, b) / length_sq, 0.0), 1.0) : 0.0;
    return abut_length(abut_add_scaled(p, b, -t));
}

/* The point farthest from the segment of a capsule in unit coordinates; *distance is how far. */
static int farthest_point(const Cloud *cloud, AbutVec3 a, AbutVec3 b, double *distance) {
    int worst = 0;
    *distance = -1.0;
    for (int i = 0; i < cloud->count; ++i) {
        double d = segment_distance(abut_sub(unit_point(cloud, i), a), abut_sub(b, a));
        if (d > *distance) {
            *distance = d;
            worst = i;
        }
    }
    return worst;
}

static void choose_active(const Cloud *cloud, Fit *fit) {
    fit->count = 0;
    if (cloud->count <= 2 * DIRECTIONS) {
        for (; fit->count < cloud->count; ++fit->count) fit->point[fit->count] = unit_point(cloud, fit->count);
        return;
    }
    for (int k = 0; k < DIRECTIONS; ++k) {
        AbutVec3 direction = spread_direction(k, DIRECTIONS);
        int low = 0, high = 0;
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < cloud->count; ++i) {
            double t = abut_dot(abut_sub(cloud->points[i], cloud->middle), direction);
            if (t < least) least = t, low = i;
            if (t > most) most = t, high = i;
        }
        fit->point[fit->count++] = unit_point(cloud, low);
        fit->point[fit->count++] = unit_point(cloud, high);
    }
}

/* The fit in unit coordinates: improved until no point sticks out by much. */
static AbutCapsule fit_all(const Cloud *cloud, Fit *fit) {
    choose_active(cloud, fit);
    Line line = best_line(fit);
    AbutCapsule capsule = capsule_on_line(fit, &line);
    for (int round = 0; round < ROUNDS; ++round) {
        double distance;
        int worst = farthest_point(cloud, capsule.a, capsule.b, &distance);
        if (distance <= capsule.radius * ABUT_CAPSULE_INSIDE + ABUT_CAPSULE_INSIDE_LEAST) break;
        fit->point[fit->count++] = unit_point(cloud, worst);
        improve(fit, &line, 0.02);
        capsule = capsule_on_line(fit, &line);
    }
    return capsule;
}

/* Takes the capsule to the caller's coordinates and gives it the radius that contains every point there. */
static AbutCapsule finish(const Cloud *cloud, AbutCapsule fitted) {
    AbutCapsule out = {abut_add_scaled(cloud->middle, fitted.a, cloud->unit),
        abut_add_scaled(cloud->middle, fitted.b, cloud->unit), 0.0};
    Cloud from_a = {cloud->points, cloud->count, out.a, cloud->unit};
    AbutVec3 b = abut_sub(out.b, out.a);
    double distance, largest = abut_max_abs(out.a);
    farthest_point(&from_a, abut_zero(), abut_vec3(b.x / cloud->unit, b.y / cloud->unit, b.z / cloud->unit), &distance);
    for (int i = 0; i < cloud->count; ++i) largest = fmax(largest, abut_max_abs(cloud->points[i]));
    out.radius = distance * cloud->unit * (1.0 + ABUT_CAPSULE_ROUNDING * DBL_EPSILON) +
                 ABUT_CAPSULE_ROUNDING * DBL_EPSILON * largest;
    return out;
}

AbutStatus abut_capsule_around(const AbutVec3 *points, int count, AbutCapsule *out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutCapsule none = {abut_zero(), abut_zero(), 0.0};
    *out = none;
    if (count < 1) return abut_fail(error, ABUT_ERROR_ARGUMENT, "capsule: no points");
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < count; ++i) {
        if (!(abut_max_abs(points[i]) <= ABUT_CAPSULE_MAX_COORDINATE) || !abut_is_finite(points[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "capsule: point %d is not a number below 1e150", i);
        box = abut_aabb_add(box, points[i]);
    }
    AbutVec3 half = abut_scale(abut_sub(box.max, box.min), 0.5);
    Cloud cloud = {points, count, abut_add(box.min, half), abut_max_abs(half)};
    if (abut_max_abs(abut_sub(box.max, box.min)) == 0.0) {
        out->a = out->b = points[0];
        return ABUT_OK;
    }
    cloud.unit = fmax(cloud.unit, DBL_MIN);
    Fit *fit = abut_alloc(sizeof *fit);
    if (!fit) return abut_fail_memory(error);
    *out = finish(&cloud, fit_all(&cloud, fit));
    abut_free(fit);
    return ABUT_OK;
}
