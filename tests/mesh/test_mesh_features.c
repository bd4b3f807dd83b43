/* SPDX-License-Identifier: Apache-2.0 */
/* Touches of two meshes against all pairs of features without trees or owners, and against the exact distance; flat
 * places, slivers, sharp corners and bodies that pass by. */
#include "abut/solid.h"
#include "mesh/mesh_features.h"
#include "mesh/kernels.h"
#include "mesh/tolerance.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

#include <string.h>

static AbutMeshFeatures *features_of(const AbutMesh *mesh) {
    AbutMeshFeatures *f;
    AbutError error;
    good(abut_mesh_features_create(mesh, 1, &f, &error), &error);
    return f;
}

static AbutMeshFeatures *made(const char *name, int triangles) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make(name, triangles, NULL, &mesh, &error), &error);
    AbutMeshFeatures *f = features_of(&mesh);
    abut_mesh_free(&mesh);
    return f;
}

static int touches_of(AbutTouchRoom *room, const AbutTouchQuestion *q) {
    AbutTouchList list = {0};
    CHECK(abut_touch_list_ready(&list, room, q, 0.0));
    CHECK(abut_find_touches(room, q, &list));
    abut_touch_list_free(&list);
    return room->touch_count;
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

typedef struct Solid {
    const AbutMeshFeatures *f;
    AbutVec3 v[4000];
} Solid;

static void place(Solid *s, const AbutMeshFeatures *f, AbutPose pose) {
    s->f = f;
    CHECK(f->mesh.vertex_count <= 4000);
    for (int i = 0; i < f->mesh.vertex_count; ++i) s->v[i] = abut_pose_apply(pose, f->mesh.vertices[i]);
}

/* Does every edge of the vertex lead away from the other body, n pointing to it, and not along a flat place, with the
 * solid behind it? */
static int is_extreme(const Solid *s, int vertex, AbutVec3 n) {
    AbutVec3 outward = abut_zero();
    for (int t = 0; t < s->f->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t *v = s->f->mesh.triangles[t].v;
            AbutVec3 to = abut_sub(s->v[v[(k + 1) % 3]], s->v[v[k]]), on = abut_sub(s->v[v[(k + 2) % 3]], s->v[v[k]]);
            if (v[k] == vertex) outward = abut_add(outward, abut_normalize(abut_cross(to, on)));
            for (int j = 1; j < 3 && v[k] == vertex; ++j) {
                AbutVec3 d = abut_sub(s->v[v[(k + j) % 3]], s->v[vertex]);
                if (abut_dot(n, d) > -1e-3 * abut_length(d)) return 0;
            }
        }
    return abut_dot(n, outward) > 0.0;
}

/* The foot of p in a triangle by its weights; 0: outside. */
static int foot_in(const Solid *s, int t, AbutVec3 p, AbutVec3 *foot) {
    const int32_t *i = s->f->mesh.triangles[t].v;
    AbutVec3 a = s->v[i[0]], u = abut_sub(s->v[i[1]], a), v = abut_sub(s->v[i[2]], a), r = abut_sub(p, a);
    double uu = abut_dot(u, u), uv = abut_dot(u, v), vv = abut_dot(v, v), det = uu * vv - uv * uv;
    double x = (vv * abut_dot(u, r) - uv * abut_dot(v, r)) / det, y = (uu * abut_dot(v, r) - uv * abut_dot(u, r)) / det;
    *foot = abut_add(a, abut_add(abut_scale(u, x), abut_scale(v, y)));
    return x > 0.0 && y > 0.0 && x + y < 1.0;
}

/* Is there a touch of this gap at this place? */
static int is_found(const AbutTouchRoom *room, AbutVec3 at, double gap, double size) {
    for (int i = 0; i < room->touch_count; ++i)
        if (fabs(room->touch[i].gap - gap) < 1e-9 * size && abut_point_distance(room->touch[i].place, at) < 1e-6 * size)
            return 1;
    return 0;
}

/* Every vertex of one solid that is extreme over a face of the other; gives how many there are. */
static int faces_are_found(const Solid *s, const Solid *other, const AbutTouchRoom *room, double within, double size) {
    int count = 0;
    for (int v = 0; v < s->f->mesh.vertex_count; ++v)
        for (int t = 0; t < other->f->mesh.triangle_count; ++t) {
            const int32_t *i = other->f->mesh.triangles[t].v;
            AbutVec3 foot, a = other->v[i[0]],
                           n = abut_normalize(abut_cross(abut_sub(other->v[i[1]], a), abut_sub(other->v[i[2]], a)));
            double gap = abut_dot(n, abut_sub(s->v[v], a));
            if (!(gap > 0.0 && gap < within) || !foot_in(other, t, s->v[v], &foot) || !is_extreme(s, v, abut_neg(n)))
                continue;
            ++count;
            CHECK(is_found(room, abut_lerp(s->v[v], foot, 0.5), gap, size));
        }
    return count;
}

/* Does n lead out of the solid from p on the edge e, so that both triangles beside it fall away? */
static int leads_out(const Solid *s, const int32_t *e, AbutVec3 p, AbutVec3 n) {
    AbutVec3 outward = abut_zero();
    for (int t = 0; t < s->f->mesh.triangle_count; ++t)
        for (int c = 0; c < 3; ++c) {
            const int32_t *at = s->f->mesh.triangles[t].v;
            AbutVec3 from = s->v[at[c]], to = s->v[at[(c + 1) % 3]], third = s->v[at[(c + 2) % 3]];
            if (!(at[c] == e[0] && at[(c + 1) % 3] == e[1]) && !(at[c] == e[1] && at[(c + 1) % 3] == e[0])) continue;
            if (abut_dot(n, abut_sub(third, p)) >= 0.0) return 0;
            outward = abut_add(outward, abut_normalize(abut_cross(abut_sub(to, from), abut_sub(third, from))));
        }
    return abut_dot(n, outward) > 0.0;
}

/* Every pair of sides whose common normal leads out of all four triangles. */
static int crossings_are_found(const Solid *a, const Solid *b, const AbutTouchRoom *room, double within, double size) {
    int count = 0;
    for (int i = 0; i < a->f->edge_count; ++i)
        for (int k = 0; k < b->f->edge_count; ++k) {
            const int32_t *ea = a->f->edge[i].v, *eb = b->f->edge[k].v;
            AbutVec3 u = abut_sub(a->v[ea[1]], a->v[ea[0]]), v = abut_sub(b->v[eb[1]], b->v[eb[0]]),
                     r = abut_sub(b->v[eb[0]], a->v[ea[0]]);
            double uu = abut_dot(u, u), uv = abut_dot(u, v), vv = abut_dot(v, v), det = uu * vv - uv * uv;
            double x = (vv * abut_dot(u, r) - uv * abut_dot(v, r)) / det,
                   y = (uv * abut_dot(u, r) - uu * abut_dot(v, r)) / det;
            if (!(det > 1e-3 * uu * vv) || !(x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0)) continue;
            AbutVec3 p = abut_add_scaled(a->v[ea[0]], u, x), q = abut_add_scaled(b->v[eb[0]], v, y), n = abut_sub(q, p);
            double gap = abut_length(n);
            if (!(gap > 0.0 && gap < within) || !leads_out(a, ea, p, n) || !leads_out(b, eb, q, abut_neg(n))) continue;
            ++count;
            CHECK(is_found(room, abut_lerp(p, q, 0.5), gap, size));
        }
    return count;
}

/* B at a pose where it is `gap` away from A along a random direction; 0: it misses A. */
static int bring_near(const AbutMeshFeatures *a, const AbutMeshFeatures *b, AbutRng *rng, double gap, AbutPose *pose) {
    AbutVec3 d = abut_quat_rotate(random_turn(rng), abut_axis(0));
    *pose = random_pose(rng, 0.6 * a->tree->radius);
    pose->p = abut_add_scaled(pose->p, d, -3.0 * (a->tree->radius + b->tree->radius));
    AbutMeshCast hit = abut_mesh_cast(a->tree, b->tree, *pose, d, 100.0);
    if (hit.triangle_a < 0) return 0;
    pose->p = abut_add_scaled(pose->p, d, hit.t - gap);
    return 1;
}

static const char *const names[] = {"statue", "cross", "cup", "knot", "finger", "torus", "box"};
enum { NAMES = 7 };

static void touches_are_those_of_all_pairs(void **state) {
    AbutRng rng = abut_rng(41, 0);
    AbutTouchRoom room = {0};
    static Solid a, b;
    int faces = 0, crossings = 0;
    (void)state;
    for (int i = 0; i < 30 + check_cases(60); ++i) {
        AbutMeshFeatures *fa = made(names[i % NAMES], 200), *fb = made(names[(i / 2 + 3) % NAMES], 160);
        double size = abut_smaller(fa->tree->radius, fb->tree->radius);
        AbutTouchQuestion q = {.a = fa, .b = fb, .within = 0.15 * size, .margin = 1e-7 * size};
        if (bring_near(fa, fb, &rng, 0.02 * size, &q.b_in_a)) {
            touches_of(&room, &q);
            place(&a, fa, abut_pose_identity());
            place(&b, fb, q.b_in_a);
            faces += faces_are_found(&a, &b, &room, q.within, size) + faces_are_found(&b, &a, &room, q.within, size);
            crossings += crossings_are_found(&a, &b, &room, q.within, size);
        }
        abut_mesh_features_free(fa);
        abut_mesh_features_free(fb);
    }
    CHECK(faces > 10 && crossings > 10);
    abut_touch_room_free(&room);
}

/* The nearest touch is as far as the bodies are, and as deep; what lies in wait is asked for on the way to it. */
static void nearest_touch_is_the_distance(void **state) {
    static const double gaps[] = {1e-5, 1e-4, 1e-3, 1e-2, -1e-5, -1e-4, -1e-3};
    AbutRng rng = abut_rng(42, 0);
    AbutTouchRoom room = {0};
    int cases = 0, overlaps = 0, wrong = 0;
    (void)state;
    for (int i = 0; i < 70 + check_cases(210); ++i) {
        AbutMeshFeatures *fa = made(names[i % NAMES], 2000), *fb = made(names[(i / 3 + 1) % NAMES], 1500);
        double size = abut_smaller(fa->tree->radius, fb->tree->radius), least = INFINITY;
        AbutTouchQuestion q = {.a = fa, .b = fb, .margin = 1e-6 * size};
        if (bring_near(fa, fb, &rng, gaps[i % 7] * size, &q.b_in_a)) {
            AbutGap gap = abut_mesh_distance(fa->tree, fb->tree, q.b_in_a, NULL, NULL);
            int deep = gaps[i % 7] < 0.0;
            double exact = deep ? abut_mesh_depth(fa->tree, fb->tree, q.b_in_a, NULL, NULL).distance : gap.distance;
            q.within = 1.01 * fabs(exact) + 1e-9 * size;
            q.depth = deep ? 3.0 * q.within : 1e-7 * size;
            q.way = deep ? abut_zero() : abut_scale(gap.normal, -1.2 * exact);
            touches_of(&room, &q);
            for (int k = 0; k < room.touch_count; ++k) least = abut_smaller(least, room.touch[k].gap);
            ++cases;
            overlaps += deep;
            wrong += !(fabs(least - exact) < 0.01 * fabs(exact));
            if (!deep) CHECK_NEAR(least, exact, 1e-9 * size);
        }
        abut_mesh_features_free(fa);
        abut_mesh_features_free(fb);
    }
    CHECK(cases > 30 && wrong <= 1 + overlaps / 500); /* depths of little overlaps, to 1 % */
    abut_touch_room_free(&room);
}

/* What is listed at one pose and kept while the bodies move gives the touches of a new list, in their order. */
static void lists_hold_while_bodies_move(void **state) {
    AbutRng rng = abut_rng(43, 0);
    AbutTouchRoom room = {0}, fresh = {0};
    int touches = 0, kept = 0;
    (void)state;
    for (int i = 0; i < 60; ++i) {
        AbutMeshFeatures *fa = made(names[i % NAMES], 800), *fb = made(names[(i / 3 + 1) % NAMES], 600);
        double size = abut_smaller(fa->tree->radius, fb->tree->radius), slack = (i & 1 ? 0.03 : 0.01) * size;
        AbutTouchQuestion q = {.a = fa, .b = fb, .margin = 1e-4 * size};
        AbutTouchList list = {0};
        if (bring_near(fa, fb, &rng, (i % 3 - 1) * 1e-3 * size, &q.b_in_a))
            for (int step = 0; step < 20; ++step) {
                AbutVec3 turn = abut_scale(abut_random_direction(&rng), 2e-3 * size / fb->tree->radius);
                AbutVec3 center = abut_pose_apply(q.b_in_a, fb->tree->center);
                q.b_in_a.q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(turn), q.b_in_a.q));
                q.b_in_a.p = abut_add(center, abut_neg(abut_quat_rotate(q.b_in_a.q, fb->tree->center)));
                q.b_in_a.p = abut_add_scaled(q.b_in_a.p, abut_random_direction(&rng), 1e-3 * size);
                q.within = (step % 2 ? 2e-2 : 1.7e-2) * size;
                q.depth = 1e-2 * size;
                AbutPose made_at = list.pose;
                CHECK(abut_touch_list_ready(&list, &room, &q, slack));
                kept += memcmp(&made_at, &list.pose, sizeof made_at) == 0;
                CHECK(abut_find_touches(&room, &q, &list));
                touches_of(&fresh, &q);
                CHECK(room.touch_count == fresh.touch_count);
                for (int k = 0; k < room.touch_count; ++k)
                    CHECK(memcmp(&room.touch[k], &fresh.touch[k], sizeof room.touch[k]) == 0);
                touches += room.touch_count;
            }
        abut_touch_list_free(&list);
        abut_mesh_features_free(fa);
        abut_mesh_features_free(fb);
    }
    CHECK(touches > 1000 && kept > 100);
    abut_touch_room_free(&room);
    abut_touch_room_free(&fresh);
}

/* ---- round bodies ------------------------------------------------------------------------------------------------ */

static AbutConvex round_body(int kind, double radius, double half) {
    AbutVec3 p = abut_vec3(0.1, 0.2 - half, 0.3), q = abut_vec3(0.1, 0.2 + half, 0.3);
    switch (kind) {
    case 0:
        return abut_convex_point(p, radius);
    case 1:
        return abut_convex_segment(p, q, radius);
    case 2:
        return abut_convex_cylinder(radius, half, 0.0);
    case 3:
        return abut_convex_cone(radius, half, 0.0);
    default:
        return abut_convex_ellipsoid(abut_vec3(radius, 0.5 * radius + 0.5 * half, half), 0.0);
    }
}

/* A round body near a mesh, on either side: the nearest touch is as far, or as deep, as it is. */
static void round_bodies_are_exact(void **state) {
    AbutRng rng = abut_rng(44, 0);
    AbutTouchRoom room = {0};
    int cases = 0, overlaps = 0, points = 0;
    (void)state;
    for (int i = 0; i < 100 + check_cases(400); ++i) {
        AbutMeshFeatures *f = made(names[i % NAMES], 700), *round;
        AbutError error;
        int kind = i % 5;
        double size = f->radius, radius = (0.02 + 0.2 * (i / 5 % 5)) * size, half = (0.03 + 0.1 * (i % 7)) * size;
        AbutConvex body = round_body(kind, radius, half);
        good(abut_round_features_create(&body, &round, &error), &error);
        AbutVec3 u = abut_random_direction(&rng);
        AbutPose pose = abut_pose(abut_scale(u, 3.0 * size + radius + half), abut_random_quat(&rng));
        AbutGap gap = {0};
        for (int k = 0; k < 60; ++k) { /* to a small gap, then into the body along the shortest way by `deeper` */
            gap = abut_distance(abut_solid_mesh(f->tree), abut_solid_convex(&body), pose, NULL, NULL);
            if (fabs(gap.distance - 1e-4 * size) < 1e-7 * size) break;
            pose.p = abut_add_scaled(pose.p, gap.normal, 1e-4 * size - gap.distance);
        }
        CHECK(gap.distance > 0.0 && gap.distance < 1e-3 * size);
        double deeper = (i % 4) * 0.99e-4 * size, exact = gap.distance - deeper;
        pose.p = abut_add_scaled(pose.p, gap.normal, -deeper);
        int swapped = i % 3 == 0;
        AbutTouchQuestion ask = {.a = swapped ? round : f, .b = swapped ? f : round, .margin = 1e-7 * size};
        ask.b_in_a = swapped ? abut_pose_inv(pose) : pose;
        ask.within = ask.depth = 2e-3 * size;
        AbutVec3 nearer = abut_scale(gap.normal, -1.5 * abut_larger(0.0, exact)); /* rims that pass by are none */
        ask.way = swapped ? abut_neg(abut_quat_rotate_inv(pose.q, nearer)) : nearer;
        double least = INFINITY;
        touches_of(&room, &ask);
        for (int k = 0; k < room.touch_count; ++k) least = abut_smaller(least, room.touch[k].gap);
        int rim =
            exact < -1e-6 * size && (kind == 2 || kind == 3); /* a corner in it is nearer to a side than the rim */
        double most = rim ? 0.02 * exact : exact + 1e-7 * size;
        int missed = !(least > exact - 3e-4 * size && least < most); /* another place may be a little deeper */
        if (missed && (!rim || least < INFINITY))
            fail_msg("kind %d, case %d: %g, expected %g", kind, i, least / size, exact / size);
        if (i % 4 < 2) CHECK_NEAR(least, exact, 1e-7 * size);
        points += missed; /* of two corners that met and went on nothing faces the other */
        ++cases;
        overlaps += exact < 0.0;
        abut_mesh_features_free(round);
        abut_mesh_features_free(f);
    }
    CHECK(cases > 30 && overlaps > 15 && points * 50 <= cases);
    abut_touch_room_free(&room);
}

/* ---- height fields ----------------------------------------------------------------------------------------------- */

enum { COLUMNS = 13, ROWS = 11 };

/* Steps, slopes and flat parts of some cells, or noise. */
static void make_heights(AbutRng *rng, int kind, double heights[COLUMNS * ROWS]) {
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            heights[r * COLUMNS + c] = kind == 0   ? 0.05 * (c / 4) + 0.02 * (r / 5)
                                       : kind == 1 ? 0.03 * abut_rng_unit(rng)
                                                   : 0.05 * fabs(c - 6.0) + (r > 5 ? 0.02 * (r - 5) : 0.0);
}

typedef struct Pieces {
    const AbutHeightGrid *grid;
    AbutTouchQuestion q;
    AbutTouchRoom *room, *all;
} Pieces;

static int add_piece(int32_t piece, void *user) {
    Pieces *p = user;
    AbutMeshFeatures *f;
    AbutError error;
    good(abut_field_features_create(p->grid, piece, &f, &error), &error);
    p->q.a = f;
    touches_of(p->room, &p->q);
    for (int i = 0; i < p->room->touch_count; ++i) {
        AbutTouchRoom *all = p->all;
        CHECK(abut_grow((void **)&all->touch, &all->touch_capacity, (size_t)all->touch_count + 1, sizeof *all->touch));
        all->touch[all->touch_count++] = p->room->touch[i];
    }
    abut_mesh_features_free(f);
    return 1;
}

static int has_touch(const AbutTouchRoom *room, const AbutFeatureTouch *t) {
    for (int i = 0; i < room->touch_count; ++i)
        if (abut_point_distance(room->touch[i].place, t->place) < 1e-12 && fabs(room->touch[i].gap - t->gap) < 1e-12 &&
            abut_point_distance(room->touch[i].normal, t->normal) < 1e-9)
            return 1;
    return 0;
}

/* All pieces of a field together touch a mesh as the closed mesh of the field does. */
static void pieces_of_a_field_are_its_surface(void **state) {
    AbutRng rng = abut_rng(46, 0);
    AbutTouchRoom room = {0}, all = {0}, whole = {0};
    int touches = 0;
    (void)state;
    for (int i = 0; i < 30; ++i) {
        double heights[COLUMNS * ROWS];
        AbutHeightField field = {COLUMNS, ROWS, 0.6, 0.5, -1.0, heights};
        AbutHeightGrid *grid;
        AbutMesh mesh;
        AbutError error;
        make_heights(&rng, i % 3, heights);
        good(abut_height_grid_create(&field, &grid, &error), &error);
        good(abut_height_field_mesh(&field, &mesh, &error), &error);
        AbutMeshFeatures *f = features_of(&mesh), *b = made(names[i % NAMES], 400);
        Pieces pieces = {.grid = grid, .room = &room, .all = &all};
        double scale = 0.25 / b->radius, size = 0.25;
        for (int v = 0; v < b->mesh.vertex_count; ++v) b->mesh.vertices[v] = abut_scale(b->mesh.vertices[v], scale);
        AbutMeshFeatures *small = features_of(&b->mesh);
        AbutVec3 down = abut_vec3(0.0, 0.0, -1.0);
        pieces.q = (AbutTouchQuestion){.b = small, .within = 0.02 * size, .depth = 0.02 * size, .margin = 1e-5 * size};
        pieces.q.b_in_a = abut_pose(abut_vec3(0.1, 0.05, 1.0), abut_random_quat(&rng));
        AbutMeshCast hit = abut_mesh_cast(f->tree, small->tree, pieces.q.b_in_a, down, 3.0);
        CHECK(hit.triangle_a >= 0);
        pieces.q.b_in_a.p.z -= hit.t + (i % 2 ? 1e-3 : -1e-3) * size;
        pieces.q.way = abut_vec3(0.0, 0.0, -0.01 * size);
        all.touch_count = 0;
        abut_height_visit(grid, grid->box, add_piece, &pieces);
        pieces.q.a = f;
        touches_of(&whole, &pieces.q);
        for (int k = 0; k < whole.touch_count; ++k) CHECK(has_touch(&all, &whole.touch[k]));
        for (int k = 0; k < all.touch_count; ++k) CHECK(has_touch(&whole, &all.touch[k]));
        touches += whole.touch_count;
        abut_mesh_features_free(small);
        abut_mesh_features_free(b);
        abut_mesh_features_free(f);
        abut_mesh_free(&mesh);
        abut_height_grid_free(grid);
    }
    CHECK(touches > 20);
    abut_touch_room_free(&room);
    abut_touch_room_free(&all);
    abut_touch_room_free(&whole);
}

/* ---- what is no feature ------------------------------------------------------------------------------------------ */

static int owned(const AbutMeshFeatures *f, int bit) {
    int count = 0;
    for (int t = 0; t < f->mesh.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) count += f->own[t] >> k & bit ? 1 : 0;
    return count;
}

static void flat_places_have_none(void **state) {
    AbutMeshFeatures *box = made("box", 1200), *cross = made("cross", 1000);
    int concave = 0;
    (void)state;
    CHECK(box->mesh.vertex_count > 100 && box->tip_count == 8);
    CHECK(owned(box, ABUT_OWNS_VERTEX) == 8);
    for (int i = 0; i < cross->edge_count; ++i) concave += cross->edge[i].convex < 0;
    CHECK(concave > 0);
    for (int i = 0; i < cross->tip_count; ++i) CHECK(cross->tip[i] >= 0 && cross->tip[i] < cross->mesh.vertex_count);
    CHECK(cross->tip_count == 24); /* six ends of bars; the corners between them are highest in no direction */
    abut_mesh_features_free(box);
    abut_mesh_features_free(cross);
}

/* A box of which one edge is a crack filled with a sliver: that edge is as sharp as the others. */
static void slivers_hide_no_edge(void **state) {
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(1.0, 1.0, 1.0), 0), mesh;
    AbutError error;
    int split = -1, a = 0, b = 0;
    (void)state;
    good(abut_mesh_create(box.vertex_count + 1, box.triangle_count + 2, &mesh, &error), &error);
    memcpy(mesh.vertices, box.vertices, (size_t)box.vertex_count * sizeof *box.vertices);
    memcpy(mesh.triangles, box.triangles, (size_t)box.triangle_count * sizeof *box.triangles);
    for (int k = 0; k < 3 && split < 0; ++k) { /* a side of triangle 0 that is along an axis */
        a = box.triangles[0].v[k], b = box.triangles[0].v[(k + 1) % 3];
        split = abut_point_distance(box.vertices[a], box.vertices[b]) < 2.1 ? k : -1;
    }
    CHECK(split >= 0);
    int c = box.triangles[0].v[(split + 2) % 3], m = box.vertex_count, n = box.triangle_count;
    mesh.vertices[m] = abut_lerp(box.vertices[a], box.vertices[b], 0.5);
    mesh.triangles[0] = (AbutTriangle){{a, m, c}};
    mesh.triangles[n] = (AbutTriangle){{m, b, c}};
    mesh.triangles[n + 1] = (AbutTriangle){{a, b, m}}; /* has no area */
    AbutMeshFeatures *f = features_of(&mesh);
    int sharp = 0;
    for (int i = 0; i < f->edge_count; ++i) {
        AbutVec3 p = f->mesh.vertices[f->edge[i].v[0]], q = f->mesh.vertices[f->edge[i].v[1]];
        int on_edge =
            (fabs(p.x) == 1.0 && p.x == q.x) + (fabs(p.y) == 1.0 && p.y == q.y) + (fabs(p.z) == 1.0 && p.z == q.z);
        CHECK((f->edge[i].convex == 1) == (on_edge >= 2));
        sharp += f->edge[i].convex == 1;
    }
    CHECK(sharp == 14); /* the split one counts three times */
    abut_mesh_features_free(f);
    abut_mesh_free(&mesh);
    abut_mesh_free(&box);
}

/* ---- what does not touch ----------------------------------------------------------------------------------------- */

static AbutMesh scaled_box(AbutVec3 half) { return box_mesh(abut_zero(), half, 0); }

/* Beyond the tip of a long thin triangle both its sides are near, and it is far. */
static void vertex_beyond_a_sharp_corner_is_not_over_it(void **state) {
    AbutMesh tent, box = scaled_box(abut_vec3(0.01, 0.01, 0.01));
    AbutError error;
    (void)state;
    good(abut_mesh_create(6, 8, &tent, &error), &error);
    const AbutVec3 v[6] = {{0, 0, 0}, {1, 0.01, 0}, {1, -0.01, 0}, {0, 0, -1}, {1, 0.01, -1}, {1, -0.01, -1}};
    const AbutTriangle t[8] = {
        {{0, 2, 1}}, {{3, 4, 5}}, {{0, 1, 4}}, {{0, 4, 3}}, {{1, 2, 5}}, {{1, 5, 4}}, {{2, 0, 3}}, {{2, 3, 5}}};
    memcpy(tent.vertices, v, sizeof v);
    memcpy(tent.triangles, t, sizeof t);
    AbutMeshFeatures *fa = features_of(&tent), *fb = features_of(&box);
    AbutTouchRoom room = {0};
    /* 0.05 beyond the tip the lines of the sides are 5e-4 apart, within the margin */
    AbutTouchQuestion q = {.a = fa, .b = fb, .within = 0.02, .depth = 1e-3, .margin = 1e-3};
    q.b_in_a = abut_pose(abut_vec3(-0.06, 0.0, 0.015), abut_quat_identity());
    CHECK(touches_of(&room, &q) == 0);
    q.b_in_a.p.x = 0.5;
    CHECK(touches_of(&room, &q) > 0);
    abut_touch_room_free(&room);
    abut_mesh_features_free(fa);
    abut_mesh_features_free(fb);
    abut_mesh_free(&tent);
    abut_mesh_free(&box);
}

/* Two corners that are apart across the way of the bodies do not meet. */
static void corners_that_pass_by_are_none(void **state) {
    AbutMesh box = scaled_box(abut_vec3(1.0, 1.0, 1.0));
    AbutMeshFeatures *f = features_of(&box);
    AbutTouchRoom room = {0};
    AbutTouchQuestion q = {.a = f, .b = f, .within = 0.5, .depth = 0.01, .margin = 1e-3};
    (void)state;
    q.b_in_a = abut_pose(abut_vec3(2.1, 2.1, 2.2), abut_quat_identity());
    q.way = abut_vec3(0.0, 0.0, -0.4);
    CHECK(touches_of(&room, &q) == 0);
    q.way = abut_vec3(-0.15, -0.15, -0.3);
    CHECK(touches_of(&room, &q) == 1);
    CHECK(room.touch[0].kind == ABUT_TOUCH_BLUNT);
    CHECK_NEAR(room.touch[0].gap, sqrt(0.06), 1e-12);
    abut_touch_room_free(&room);
    abut_mesh_features_free(f);
    abut_mesh_free(&box);
}

static void crossing_surfaces_are_seen(void **state) {
    AbutMesh box = scaled_box(abut_vec3(1.0, 1.0, 1.0));
    AbutMeshFeatures *f = features_of(&box);
    AbutTouchRoom room = {0};
    AbutTouchQuestion q = {.a = f, .b = f, .within = 1e-3, .depth = 1e-3, .margin = 1e-3};
    (void)state;
    for (int crosses = 0; crosses < 2; ++crosses) {
        q.b_in_a = abut_pose(abut_vec3(crosses ? 1.5 : 2.0, 0.3, 0.2), abut_quat_identity());
        AbutTouchList list = {0};
        CHECK(abut_touch_list_ready(&list, &room, &q, 1e-3));
        CHECK(abut_find_touches(&room, &q, &list));
        CHECK(abut_triangles_cross(&room, &q, 1e-9) == crosses);
        abut_touch_list_free(&list);
    }
    abut_touch_room_free(&room);
    abut_mesh_features_free(f);
    abut_mesh_free(&box);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static AbutMesh *shared_box;

static AbutStatus make_of_shared(void) {
    AbutMeshFeatures *f = NULL;
    AbutStatus status = abut_mesh_features_create(shared_box, 1, &f, NULL);
    abut_mesh_features_free(f);
    return status;
}

static void failures_of_memory_are_reported(void **state) {
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(1.0, 1.0, 1.0), 0);
    (void)state;
    shared_box = &mesh;
    CHECK(check_memory_failures("features", make_of_shared) > 5);
    abut_mesh_free(&mesh);
}

static void poses_that_are_not_finite_are_refused(void **state) {
    AbutMesh box = scaled_box(abut_vec3(1.0, 1.0, 1.0));
    AbutMeshFeatures *f = features_of(&box);
    AbutTouchRoom room = {0};
    AbutPose pose = abut_pose(abut_vec3(NAN, 0.0, 0.0), abut_quat_identity());
    AbutTouchQuestion q = {.a = f, .b = f, .b_in_a = pose, .within = 0.1, .depth = 0.1};
    AbutTouchList list = {0};
    (void)state;
    CHECK(!abut_touch_list_ready(&list, &room, &q, 0.0));
    abut_touch_list_free(&list);
    box.vertices[0].x = INFINITY;
    AbutMeshFeatures *bad = NULL;
    AbutError error;
    CHECK(abut_mesh_features_create(&box, 1, &bad, &error) != ABUT_OK && !bad);
    abut_touch_room_free(&room);
    abut_mesh_features_free(f);
    abut_mesh_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_are_those_of_all_pairs),
        cmocka_unit_test(nearest_touch_is_the_distance),
        cmocka_unit_test(lists_hold_while_bodies_move),
        cmocka_unit_test(round_bodies_are_exact),
        cmocka_unit_test(pieces_of_a_field_are_its_surface),
        cmocka_unit_test(flat_places_have_none),
        cmocka_unit_test(slivers_hide_no_edge),
        cmocka_unit_test(vertex_beyond_a_sharp_corner_is_not_over_it),
        cmocka_unit_test(corners_that_pass_by_are_none),
        cmocka_unit_test(crossing_surfaces_are_seen),
        cmocka_unit_test(failures_of_memory_are_reported),
        cmocka_unit_test(poses_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
