/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two bodies with faces by clipping: the body with more faces is loaded, in the frame of the other and about
 * an origin between them, and cut by the face planes of the other. The plane that the center of the loaded body lies
 * farthest outside of comes first, since it takes off most or shows that the bodies lie apart. A plane that the box of
 * what is left does not reach is skipped. Every face of the result is a piece of one face of one body.
 */
#include "math/matrix.h"
#include "query/contract.h"
#include "query/overlap_again.h"
#include "query/overlap_clip.h"
#include "query/overlap_trace.h"
#include "query/tolerance.h"

#include <float.h>
#include <math.h>

/* Fewer faces than this, both bodies together, are clipped in any case. */
enum { TRACE_FROM = 48 };

/* So few planes, and so many vertices left, that most planes cut. */
enum { FEW_PLANES = 12, MANY_LEFT = 8 };

/* The two roles in the clip: `base` is cut by the planes of `tool`. */
typedef struct Roles {
    const AbutFaceted *tool;
    AbutClipBase base;
    AbutVec3 origin; /* of the clip, in the frame of the tool */
    AbutVec3 center; /* of the bounding sphere of the base, in the frame of the tool */
    int first;       /* the plane of the tool to begin with: that of the last time, or the deepest */
    int deepest;  /* the plane that `center` lies farthest outside of, or least inside, or one where that is enough */
    double reach; /* how far; negative: inside all planes */
} Roles;

typedef struct Progress {
    AbutClip clip;
    AbutCutResult last;
    int32_t cuts, first_plane, last_plane;
    int32_t slack; /* cuts until the box is drawn anew; below 0: it is due */
} Progress;

static double reach_of(const Roles *r, int face) {
    return abut_dot(r->tool->face[face].plane.normal, r->center) - r->tool->face[face].plane.offset;
}

/* The plane of the last time, where there is one; -1: none. */
static int last_plane(const Roles *r, const AbutOverlapCache *cache) {
    if (cache && cache->apart > 0 && cache->apart <= r->tool->face_count) return cache->apart - 1;
    if (cache && cache->count > 0 && cache->plane[0] >= 0 && cache->plane[0] < r->tool->face_count)
        return cache->plane[0];
    return -1;
}

/* Bodies of many faces that are deep in each other are traced and not clipped: where the last plane shows that they are
 * not, nothing else is asked. */
static void find_first_plane(Roles *r, const AbutOverlapCache *cache) {
    r->deepest = r->first = last_plane(r, cache);
    r->reach = r->first >= 0 ? reach_of(r, r->first) : -INFINITY;
    if (r->first >= 0 && r->reach > ABUT_OVERLAP_DEEP * r->base.body->bound.radius) return;
    r->reach = -INFINITY;
    for (int f = 0; f < r->tool->face_count; ++f) {
        double reach = reach_of(r, f);
        if (reach > r->reach) {
            r->reach = reach;
            r->deepest = f;
        }
    }
    r->first = r->first >= 0 ? r->first : r->deepest;
}

static Roles choose_roles(AbutOverlapBodies *bodies, const AbutOverlapCache *cache) {
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int b_is_base = b->vertex_count > 0 && (a->vertex_count == 0 || b->face_count > a->face_count);
    const AbutFaceted *base = b_is_base ? b : a, *tool = b_is_base ? a : b;
    Roles r;
    r.tool = tool;
    r.base.body = base;
    r.base.owner = b_is_base;
    r.base.turn = b_is_base ? b->turn : abut_mat3_transpose(b->turn); /* one of the two stands in the frame of A */
    r.base.shift = b_is_base ? b->shift : abut_neg(abut_mat3_apply_t(b->turn, b->shift));
    r.center = abut_add(abut_mat3_apply(r.base.turn, base->bound.center), r.base.shift);
    r.origin = tool->vertex_count > 0 ? tool->bound.center : r.center;
    r.base.shift = abut_sub(r.base.shift, r.origin);
    bodies->origin = b_is_base ? r.origin : abut_add(abut_mat3_apply(b->turn, r.origin), b->shift);
    find_first_plane(&r, cache);
    return r;
}

/* A face plane of the tool about the origin of the clip. */
static AbutPlane tool_plane(const Roles *r, int face) {
    AbutPlane plane = r->tool->face[face].plane;
    plane.offset -= abut_dot(plane.normal, r->origin);
    return plane;
}

/* Takes note of a cut; false when there is nothing left to do. */
static int note(Progress *p, AbutCutResult result, int face) {
    p->last = result;
    p->last_plane = face;
    if (result == ABUT_CUT_PART) {
        ++p->cuts;
        --p->slack;
    }
    return result == ABUT_CUT_NOTHING || result == ABUT_CUT_PART;
}

/* Does a plane reach the box of what is left? For few planes, of which most cut, no box is drawn. */
static int reaches(Progress *p, const Roles *r, AbutPlane plane) {
    if (r->tool->face_count <= FEW_PLANES && p->clip.live_vertices >= MANY_LEFT) return 1;
    if (p->slack < 0) {
        abut_clip_tighten(&p->clip);
        p->slack = p->clip.live_vertices / 8; /* what drawing costs is a part of what the cuts since did */
    }
    return abut_dot(plane.normal, p->clip.center) - plane.offset + abut_dot(abut_abs(plane.normal), p->clip.half) > 0.0;
}

/* Cuts by one face plane of the tool when it reaches what is left; false when there is nothing left to do. */
static int cut_by(Progress *p, const Roles *r, int face) {
    AbutPlane plane = tool_plane(r, face);
    if (!reaches(p, r, plane)) return 1;
    return note(p, abut_clip_cut(&p->clip, plane, 2 * face + !r->base.owner), face);
}

/* The next face from f on whose plane may reach the box of what is left, by the ball around it; rounding is on the
 * safe side. Only where the box is up to date: `reaches` draws it. */
static int next_near(const Progress *p, const Roles *r, int f) {
    const AbutFace *face = r->tool->face;
    int faces = r->tool->face_count;
    if (faces <= FEW_PLANES || p->slack < 0) return f;
    AbutVec3 at = abut_add(p->clip.center, r->origin);
    double rounding = abut_length(at) + abut_length(r->origin) + r->tool->bound.radius,
           reach = -abut_length(p->clip.half) * (1.0 + ABUT_OVERLAP_NEAR) - ABUT_OVERLAP_NEAR * rounding;
    while (f < faces && abut_dot(face[f].plane.normal, at) - face[f].plane.offset < reach) ++f;
    return f;
}

/* The most promising plane, cached ones, then all. Planes asked twice cost a measurement and change nothing. */
static void cut_by_all(Progress *p, const Roles *r, const AbutOverlapCache *cache) {
    int faces = r->tool->face_count, cached = cache ? cache->count : 0;
    p->first_plane = r->first;
    p->cuts = 0;
    p->slack = -1;
    AbutPlane plane = tool_plane(r, p->first_plane);
    AbutCutResult result = abut_clip_start(&p->clip, &r->base, plane, 2 * p->first_plane + !r->base.owner);
    if (!note(p, result, p->first_plane)) return;
    for (int i = 1; i < cached && i < 24; ++i)
        if (cache->plane[i] >= 0 && cache->plane[i] < faces && !cut_by(p, r, cache->plane[i])) return;
    for (int f = next_near(p, r, 0); f < faces; f = next_near(p, r, f + 1))
        if (f != p->first_plane && !cut_by(p, r, f)) return;
}

/* Copies the live part of the clip into the result arrays, turned to the frame of A. */
static void collect(
    AbutClip *c, const Roles *r, const AbutOverlapBodies *bodies, AbutOverlapArrays to, AbutOverlap *out) {
    int32_t *number = c->number;
    for (int32_t v = 0; v < c->vertex.count; ++v) { /* a free slot is written over by the next vertex */
        AbutVec3 p = abut_vec3(c->vertex.x[v], c->vertex.y[v], c->vertex.z[v]);
        number[v] = out->vertex_count;
        to.vertex[out->vertex_count] = r->base.owner ? p : abut_mat3_apply(bodies->body[1].turn, p);
        out->vertex_count += p.x == p.x;
    }
    for (int32_t f = 0; f < c->face_slots; ++f) {
        if (c->face[f].first < 0) continue;
        AbutOverlapFace *face = &to.face[out->face_count++];
        face->owner = c->face[f].label & 1;
        face->source = c->face[f].label >> 1;
        face->plane = abut_overlap_plane(bodies, face->owner, face->source);
        face->first = out->corner_count;
        int32_t h = c->face[f].first;
        do {
            to.corner[out->corner_count++] = number[c->edge[h].origin];
            h = c->edge[h].next;
        } while (h != c->face[f].first);
        face->count = out->corner_count - face->first;
    }
}

/* The planes of the tool that bound the result, the first one of this time in front. */
static void remember(AbutOverlapCache *cache, const Roles *r, const Progress *p, const AbutOverlap *out) {
    cache->count = 0;
    cache->apart = out->outcome == ABUT_OVERLAP_DISJOINT && p->last == ABUT_CUT_ALL ? p->last_plane + 1 : 0;
    for (int32_t f = 0; f < out->face_count && cache->count < 24; ++f) {
        if (out->face[f].owner == r->base.owner) continue;
        int32_t at = cache->count++;
        if (out->face[f].source == p->first_plane) {
            cache->plane[at] = cache->plane[0];
            at = 0;
        }
        cache->plane[at] = out->face[f].source;
    }
}

static AbutOverlap finish(
    Progress *p, const Roles *r, const AbutOverlapBodies *bodies, AbutOverlapCache *cache, void *memory) {
    AbutOverlap out = {0};
    int faces = bodies->body[0].face_count + bodies->body[1].face_count;
    if (p->last == ABUT_CUT_BROKEN) {
        out.outcome = ABUT_OVERLAP_FAILED;
    } else if (p->last == ABUT_CUT_ALL) {
        out.outcome =
            p->clip.least > ABUT_OVERLAP_APART * bodies->scale ? ABUT_OVERLAP_DISJOINT : abut_overlap_touch(bodies);
    } else {
        AbutOverlapArrays arrays = abut_overlap_arrays(memory, faces);
        out.vertex = arrays.vertex, out.face = arrays.face, out.corner = arrays.corner;
        collect(&p->clip, r, bodies, arrays, &out);
        abut_overlap_measure(bodies, arrays, &out);
    }
    out.cuts = p->cuts;
    if (cache) remember(cache, r, p, &out);
    return out;
}

/*
 * Faces of the bodies that nearly coincide can leave vertices in and out by rounding in an order that no plane gives;
 * the cut then does not close. A coarser snap puts those vertices on the plane.
 */
static void clip_pair(
    Progress *p, const AbutOverlapBodies *bodies, const Roles *roles, const AbutOverlapCache *cache, void *workspace) {
    int faces = bodies->body[0].face_count + bodies->body[1].face_count;
    double snap = ABUT_OVERLAP_SNAP * DBL_EPSILON * bodies->scale;
    for (int attempt = 0; attempt < 5; ++attempt, snap *= 16.0) {
        abut_clip_create(&p->clip, faces, (char *)workspace + abut_overlap_result_size(faces));
        p->clip.snap = snap;
        cut_by_all(p, roles, cache);
        if (p->last != ABUT_CUT_BROKEN) return;
    }
}

/* Bodies deep in each other: 1 when the curves in which they cross gave the result. */
static int trace_pair(Progress *p, const AbutOverlapBodies *bodies, const Roles *r, void *workspace, AbutOverlap *out) {
    int faces = bodies->body[0].face_count + bodies->body[1].face_count;
    AbutOverlapArrays arrays = abut_overlap_arrays(workspace, faces);
    AbutOverlap traced = {.vertex = arrays.vertex, .face = arrays.face, .corner = arrays.corner};
    if (faces < TRACE_FROM || r->reach > ABUT_OVERLAP_DEEP * r->base.body->bound.radius || r->tool->vertex_count == 0 ||
        !abut_overlap_trace(bodies, (char *)workspace + abut_overlap_result_size(faces), arrays, &traced))
        return 0;
    abut_overlap_measure(bodies, arrays, &traced);
    p->last = ABUT_CUT_PART;
    p->last_plane = p->first_plane = r->deepest;
    for (int32_t f = 0; f < traced.face_count; ++f) traced.cuts += traced.face[f].owner != r->base.owner;
    *out = traced;
    return 1;
}

size_t abut_overlap_workspace_size(const AbutConvex *a, const AbutConvex *b) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b));
    int faces_a = abut_overlap_face_count(a), faces_b = abut_overlap_face_count(b);
    if (faces_a < 0 || faces_b < 0) return 0;
    size_t clip = abut_clip_size(faces_a + faces_b), trace = abut_overlap_trace_size(faces_a + faces_b);
    return abut_overlap_result_size(faces_a + faces_b) + (clip > trace ? clip : trace);
}

AbutOverlap abut_overlap(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutOverlapCache *cache,
    void *workspace, size_t workspace_size) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b));
    AbutOverlap out = {0};
    AbutOverlapBodies bodies;
    Progress progress;
    int has_room = workspace && workspace_size >= abut_overlap_workspace_size(a, b);
    if (cache && has_room && abut_overlap_again(a, b, b_in_a, &cache->shape, workspace, &out)) return out;
    out = (AbutOverlap){0};
    out.outcome = abut_overlap_view(&bodies, a, b, b_in_a);
    if (out.outcome != ABUT_OVERLAP_VOLUME) return out;
    out.outcome = ABUT_OVERLAP_CAPACITY;
    if (!has_room) return out;
    Roles roles = choose_roles(&bodies, cache);
    if (trace_pair(&progress, &bodies, &roles, workspace, &out)) {
        if (cache) remember(cache, &roles, &progress, &out);
        return out;
    }
    clip_pair(&progress, &bodies, &roles, cache, workspace);
    out = finish(&progress, &roles, &bodies, cache, workspace);
    if (cache && !cache->shape.off) abut_overlap_learn(a, b, &out, &cache->shape);
    return out;
}
