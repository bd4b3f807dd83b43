/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of machines as meshes. In: their measures. Out: closed meshes, counter-clockwise seen from outside. Each is
 * written down point by point and square by square into a mesh of known size.
 */
#include "model/builtin_parts.h"
#include "math/functions.h"

#include <string.h>

/* A mesh that is being written. */
typedef struct Writer {
    AbutMesh *mesh;
    int vertices, triangles;
} Writer;

static int point(Writer *w, double x, double y, double z) {
    w->mesh->vertices[w->vertices] = abut_vec3(x, y, z);
    return w->vertices++;
}

static int point_at(Writer *w, double radius, double angle, double z) {
    return point(w, radius * abut_cos(angle), radius * abut_sin(angle), z);
}

static void triangle(Writer *w, int a, int b, int c) {
    if (a != b && b != c && c != a) w->mesh->triangles[w->triangles++] = (AbutTriangle){{a, b, c}};
}

static void square(Writer *w, int a, int b, int c, int d) {
    triangle(w, a, b, c);
    triangle(w, a, c, d);
}

/* Room for so many; the mesh keeps what was written. */
static AbutStatus begin(Writer *w, int vertices, int triangles, AbutMesh *out, AbutError *error) {
    *w = (Writer){out, 0, 0};
    return abut_mesh_create(vertices, triangles, out, error);
}

static void end(Writer *w) {
    w->mesh->vertex_count = w->vertices;
    w->mesh->triangle_count = w->triangles;
}

/* ---- turned parts ------------------------------------------------------------------------------------------------ */

AbutStatus abut_part_turned(
    const AbutTurnedPoint *outline, int count, int sides, double turned, AbutMesh *out, AbutError *error) {
    Writer w;
    ABUT_TRY(begin(&w, count * sides, 2 * count * sides, out, error));
    for (int i = 0; i < count; ++i) {
        if (outline[i].radius == 0.0) point(&w, 0.0, 0.0, outline[i].height);
        for (int j = 0; j < sides && outline[i].radius > 0.0; ++j)
            point_at(&w, outline[i].radius, 2.0 * ABUT_PI * (j + turned) / sides, outline[i].height);
    }
    for (int i = 0, here = 0; i < count; ++i) {
        int next = (i + 1) % count, many = outline[i].radius > 0.0, more = outline[next].radius > 0.0;
        int there = next ? here + (many ? sides : 1) : 0;
        for (int j = 0; j < sides && (many || more); ++j) {
            int k = (j + 1) % sides;
            square(&w, here + many * j, here + many * k, there + more * k, there + more * j);
        }
        here = there;
    }
    end(&w);
    return ABUT_OK;
}

AbutStatus abut_part_handle(double ring, double tube, int along, int around, AbutMesh *out, AbutError *error) {
    Writer w;
    ABUT_TRY(begin(&w, (along + 1) * around, 2 * along * around + 2 * around, out, error));
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < around; ++i) {
            double a = ABUT_PI * ((double)j / along - 0.5), b = 2.0 * ABUT_PI * i / around,
                   r = ring + tube * abut_cos(b);
            point(&w, r * abut_cos(a), tube * abut_sin(b), r * abut_sin(a));
        }
    for (int j = 0; j < along; ++j)
        for (int i = 0; i < around; ++i) {
            int k = (i + 1) % around;
            square(&w, j * around + i, j * around + k, (j + 1) * around + k, (j + 1) * around + i);
        }
    for (int i = 1; i + 1 < around; ++i) {
        triangle(&w, 0, i + 1, i);
        triangle(&w, along * around, along * around + i, along * around + i + 1);
    }
    end(&w);
    return ABUT_OK;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static const double WORKING_DEPTH = 0.61343; /* of the basic profile, in pitches */
static const double ROOT_GAP = 0.05e-3;      /* between the crests of a bolt and the roots of its nut */

/* Radius and height (in pitches) of the four points of the profile of one turn. */
static void thread_profile(const AbutThread *t, AbutTurnedPoint p[ABUT_THREAD_POINTS]) {
    double half = WORKING_DEPTH / sqrt(3.0), crest = 0.125, root = 1.0 - crest - 2.0 * half;
    double inner = 0.5 * t->diameter - WORKING_DEPTH * t->pitch, outer = 0.5 * t->diameter, low = inner, high = outer;
    if (t->outer > 0.0) {
        low = 0.5 * t->diameter - 0.625 * 0.5 * sqrt(3.0) * t->pitch;
        high = outer + ROOT_GAP;
    }
    double from = (low - inner) / (outer - inner), to = (high - inner) / (outer - inner);
    p[0] = (AbutTurnedPoint){low, half * (1.0 - from) - half};
    p[1] = (AbutTurnedPoint){low, root + half * from};
    p[2] = (AbutTurnedPoint){high, root + half * to};
    p[3] = (AbutTurnedPoint){high, root + half + crest + half * (1.0 - to)};
    for (int i = 0; i < ABUT_THREAD_POINTS; ++i) p[i].radius += t->clearance;
}

/* Number of the point i of the winding in plane j; the last plane is the first, one turn on. */
static int winding(const AbutThread *t, int j, int i) {
    int points = ABUT_THREAD_POINTS * t->turns, above = i + ABUT_THREAD_POINTS;
    if (j < t->sides) return j * (points + 1) + i;
    return above <= points ? above : t->sides * (points + 1) + above - points - 1;
}

/* Closes a winding at both ends: the axis of a bolt, the outer wall of a nut. */
static void close_thread(Writer *w, const AbutThread *t) {
    int points = ABUT_THREAD_POINTS * t->turns, n = t->sides, nut = t->outer > 0.0, low = w->vertices, high;
    for (int j = 0; j < (nut ? n : 1); ++j) point_at(w, t->outer, 2.0 * ABUT_PI * j / n, nut ? 0.5 * t->pitch : 0.0);
    high = w->vertices;
    for (int j = 0; j < (nut ? n : 1); ++j)
        point_at(w, t->outer, 2.0 * ABUT_PI * j / n, t->pitch * (t->turns + (nut ? 0.5 : 1.0)));
    for (int j = 0; j < n; ++j) {
        int here = nut * j, there = nut * ((j + 1) % n);
        if (nut) square(w, high + here, high + there, low + there, low + here);
        square(w, low + here, low + there, winding(t, j + 1, 0), winding(t, j, 0));
        square(w, winding(t, j, points), winding(t, j + 1, points), high + there, high + here);
    }
    for (int i = 0; i < ABUT_THREAD_POINTS; ++i) {
        triangle(w, low, winding(t, 0, i), winding(t, 0, i + 1));
        triangle(w, high, winding(t, n, points - ABUT_THREAD_POINTS + i + 1),
            winding(t, n, points - ABUT_THREAD_POINTS + i));
    }
}

AbutStatus abut_part_thread(const AbutThread *t, AbutMesh *out, AbutError *error) {
    Writer w;
    AbutTurnedPoint p[ABUT_THREAD_POINTS];
    int points = ABUT_THREAD_POINTS * t->turns;
    ABUT_TRY(begin(&w, (t->sides + 1) * (points + 1) + 2 * t->sides, 2 * (points + 4) * (t->sides + 1), out, error));
    thread_profile(t, p);
    for (int j = 0; j <= t->sides; ++j)
        for (int i = j < t->sides ? 0 : points - ABUT_THREAD_POINTS + 1; i <= points; ++i) {
            const AbutTurnedPoint *q = &p[i % ABUT_THREAD_POINTS];
            double turns = i / ABUT_THREAD_POINTS + (double)j / t->sides;
            point_at(&w, q->radius, 2.0 * ABUT_PI * (j % t->sides) / t->sides, t->pitch * (turns + q->height));
        }
    for (int j = 0; j < t->sides; ++j)
        for (int i = 0; i < points; ++i)
            square(&w, winding(t, j, i), winding(t, j + 1, i), winding(t, j + 1, i + 1), winding(t, j, i + 1));
    close_thread(&w, t);
    end(&w);
    for (int i = 0; i < w.triangles && t->outer > 0.0; ++i) { /* the thread of a nut looks inwards */
        AbutTriangle *of = &out->triangles[i];
        *of = (AbutTriangle){{of->v[0], of->v[2], of->v[1]}};
    }
    return ABUT_OK;
}

/* ---- gears ------------------------------------------------------------------------------------------------------- */

/* Half the angle of a tooth at a radius: that at the pitch circle, and the difference of the involutes. */
static double half_tooth(const AbutGear *g, double radius) {
    double pressed = ABUT_PI / 9.0, pitch = 0.5 * g->module * g->teeth, base = pitch * abut_cos(pressed);
    double tangent = radius > base ? sqrt(radius * radius - base * base) / base : 0.0;
    return 0.5 * ABUT_PI / g->teeth - 0.5 * g->thin / pitch + (abut_sin(pressed) / abut_cos(pressed) - pressed) -
           (tangent - abut_atan2(tangent, 1.0));
}

/* Points around the outline of a tooth: root, flank, flank, root. */
static int tooth(const AbutGear *g, double middle, AbutTurnedPoint *out) {
    double pitch = 0.5 * g->module * g->teeth, base = pitch * abut_cos(ABUT_PI / 9.0), root = pitch - 1.25 * g->module,
           tip = pitch + g->module, from = base > root ? base : root;
    int n = 0;
    for (int side = -1; side <= 1; side += 2) {
        if (side < 0 && root < from) out[n++] = (AbutTurnedPoint){root, middle - half_tooth(g, from)};
        for (int i = 0; i < g->points; ++i) {
            double part = (double)i / (g->points - 1), radius = from + (side < 0 ? part : 1.0 - part) * (tip - from);
            out[n++] = (AbutTurnedPoint){radius, middle + side * half_tooth(g, radius)};
        }
        if (side > 0 && root < from) out[n++] = (AbutTurnedPoint){root, middle + half_tooth(g, from)};
    }
    return n;
}

AbutStatus abut_part_gear(const AbutGear *g, AbutMesh *out, AbutError *error) {
    enum { MOST = 200 };
    AbutTurnedPoint outline[MOST];
    Writer w;
    int most = g->teeth * (2 * g->points + 2), of_tooth = 0;
    ABUT_ASSERT(2 * g->points + 2 <= MOST);
    ABUT_TRY(begin(&w, 2 * most + 2, 4 * most, out, error));
    int low = point(&w, 0.0, 0.0, -0.5 * g->width), high = point(&w, 0.0, 0.0, 0.5 * g->width), first = w.vertices;
    for (int t = 0; t < g->teeth; ++t) {
        of_tooth = tooth(g, 2.0 * ABUT_PI * t / g->teeth, outline);
        for (int i = 0; i < of_tooth; ++i) {
            point_at(&w, outline[i].radius, outline[i].height, -0.5 * g->width);
            point_at(&w, outline[i].radius, outline[i].height, 0.5 * g->width);
        }
    }
    for (int i = 0, n = g->teeth * of_tooth; i < n; ++i) {
        int a = first + 2 * i, b = first + 2 * ((i + 1) % n);
        square(&w, a, b, b + 1, a + 1);
        triangle(&w, low, b, a);
        triangle(&w, high, a + 1, b + 1);
    }
    end(&w);
    return ABUT_OK;
}
