/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two bodies with faces by clipping: the body with more faces is loaded, in the frame of A and about an
 * origin between the bodies, and cut by the face planes of the other. A plane that the bounding sphere of the loaded
 * body does not reach is skipped; the plane that its centre lies farthest outside of comes first, since it takes off
 * most or shows that the bodies lie apart. Every face of the result is a piece of one face of one body.
 */
#include "query/overlap_clip.h"
#include "query/tolerance.h"

#include <float.h>
#include <math.h>

/* The two roles in the clip: `base` is cut by the planes of `tool`. */
typedef struct Roles {
    const AbutFaceted *base, *tool;
    int base_owner;
    AbutVec3 center; /* of the bounding sphere of the base, about the origin of the clip */
    AbutVec3 shift;  /* place of the tool, about the origin of the clip */
} Roles;

static Roles choose_roles(const AbutOverlapBodies *bodies)
{
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int b_is_base = b->vertex_count > 0 && (a->vertex_count == 0 || b->face_count > a->face_count);
    Roles r = {b_is_base ? b : a, b_is_base ? a : b, b_is_base, {0, 0, 0}, {0, 0, 0}};
    r.center = abut_sub(abut_add(abut_mat3_apply(r.base->turn, r.base->bound.center), r.base->shift), bodies->origin);
    r.shift = abut_sub(r.tool->shift, bodies->origin);
    return r;
}

static AbutPlane tool_plane(const Roles *r, int face)
{
    AbutPlane plane = r->tool->face[face].plane;
    plane.normal = abut_mat3_apply(r->tool->turn, plane.normal);
    plane.offset += abut_dot(plane.normal, r->shift);
    return plane;
}

typedef struct Progress {
    AbutClip clip;
    AbutCutResult last;
    int32_t cuts, last_plane;
    double nearest; /* CUT_ALL: smallest distance of a vertex to the plane that emptied the clip */
} Progress;

/* Can the plane cut anything off? By the bounding sphere of the base, after the first cut by the box of what is left.
 */
static int reaches(const Progress *p, const Roles *r, AbutPlane plane)
{
    if (p->cuts == 0)
        return abut_dot(plane.normal, r->center) - plane.offset > -r->base->bound.radius;
    return abut_dot(plane.normal, p->clip.center) - plane.offset > -abut_dot(abut_abs(plane.normal), p->clip.half);
}

/* Cuts by one face plane of the tool; false when there is nothing left to do. */
static int cut_by(Progress *p, const Roles *r, int face)
{
    AbutPlane plane = tool_plane(r, face);
    if (!reaches(p, r, plane))
        return 1;
    p->last = abut_clip_cut(&p->clip, plane.normal, plane.offset, 2 * face + !r->base_owner);
    p->last_plane = face;
    if (p->last == ABUT_CUT_PART && p->cuts++ % 16 == 0)
        abut_clip_tighten(&p->clip);
    if (p->last == ABUT_CUT_ALL) {
        p->nearest = INFINITY;
        for (int i = 0; i < p->clip.vertex_slots; ++i)
            p->nearest = p->clip.d[i] < p->nearest ? p->clip.d[i] : p->nearest;
    }
    return p->last == ABUT_CUT_NOTHING || p->last == ABUT_CUT_PART;
}

/* The plane that the centre of the base lies farthest outside of (or least inside). */
static int first_plane(const Roles *r)
{
    AbutVec3 center = abut_mat3_apply_t(r->tool->turn, abut_sub(r->center, r->shift));
    const AbutFace *face = r->tool->face;
    double most = -INFINITY;
    int best = 0;
    for (int f = 0; f < r->tool->face_count; ++f) {
        double reach = abut_dot(face[f].plane.normal, center) - face[f].plane.offset;
        if (reach > most) {
            most = reach;
            best = f;
        }
    }
    return best;
}

/* Cached planes, then the most promising one, then all. Planes asked twice cost a measurement and change nothing. */
static void cut_by_all(Progress *p, const Roles *r, const AbutOverlapCache *cache)
{
    int faces = r->tool->face_count, cached = cache ? cache->count : 0;
    if (cache && cache->apart > 0 && cache->apart <= faces && !cut_by(p, r, cache->apart - 1))
        return;
    for (int i = 0; i < cached && i < 24; ++i)
        if (cache->plane[i] >= 0 && cache->plane[i] < faces && !cut_by(p, r, cache->plane[i]))
            return;
    int first = first_plane(r);
    if (!cut_by(p, r, first))
        return;
    for (int f = 0; f < faces; ++f)
        if (f != first && !cut_by(p, r, f))
            return;
}

/* Copies the live part of the clip into the result arrays. */
static void collect(AbutClip *c, const AbutOverlapBodies *bodies, AbutOverlapArrays to, AbutOverlap *out)
{
    int32_t *number = c->cap_from; /* -1 outside of cuts */
    for (int32_t f = 0; f < c->face_slots; ++f) {
        if (c->face[f].first < 0)
            continue;
        AbutOverlapFace *face = &to.face[out->face_count++];
        face->owner = c->face[f].label & 1;
        face->source = c->face[f].label >> 1;
        face->plane = abut_overlap_plane(bodies, face->owner, face->source);
        face->first = out->corner_count;
        int32_t h = c->face[f].first;
        do {
            int32_t v = c->edge[h].origin;
            if (number[v] < 0) {
                number[v] = out->vertex_count;
                to.vertex[out->vertex_count++] = abut_vec3(c->x[v], c->y[v], c->z[v]);
            }
            to.corner[out->corner_count++] = number[v];
            h = c->edge[h].next;
        } while (h != c->face[f].first);
        face->count = out->corner_count - face->first;
    }
}

static void remember(AbutOverlapCache *cache, const Roles *r, const Progress *p, const AbutOverlap *out)
{
    cache->count = 0;
    cache->apart = out->outcome == ABUT_OVERLAP_DISJOINT && p->last == ABUT_CUT_ALL ? p->last_plane + 1 : 0;
    for (int32_t f = 0; f < out->face_count && cache->count < 24; ++f)
        if (out->face[f].owner != r->base_owner)
            cache->plane[cache->count++] = out->face[f].source;
}

static AbutOverlap finish(
    Progress *p, const Roles *r, const AbutOverlapBodies *bodies, AbutOverlapCache *cache, void *memory)
{
    AbutOverlap out = {0};
    int faces = bodies->body[0].face_count + bodies->body[1].face_count;
    if (p->last == ABUT_CUT_BROKEN) {
        out.outcome = ABUT_OVERLAP_FAILED;
    } else if (p->last == ABUT_CUT_ALL) {
        out.outcome =
            p->nearest > ABUT_OVERLAP_APART * bodies->scale ? ABUT_OVERLAP_DISJOINT : abut_overlap_touch(bodies);
    } else {
        AbutOverlapArrays arrays = abut_overlap_arrays(memory, faces);
        out.vertex = arrays.vertex, out.face = arrays.face, out.corner = arrays.corner;
        collect(&p->clip, bodies, arrays, &out);
        abut_overlap_measure(bodies, arrays, &out);
    }
    out.cuts = p->cuts;
    if (cache)
        remember(cache, r, p, &out);
    return out;
}

/*
 * Faces of the bodies that nearly coincide can leave vertices in and out by rounding in an order that no plane gives;
 * the cut then does not close. A coarser snap puts those vertices on the plane.
 */
static Progress clip_pair(
    const AbutOverlapBodies *bodies, const Roles *roles, const AbutOverlapCache *cache, void *workspace, size_t size)
{
    int faces = bodies->body[0].face_count + bodies->body[1].face_count;
    size_t used = abut_overlap_result_size(faces);
    double snap = ABUT_OVERLAP_SNAP * DBL_EPSILON * bodies->scale;
    Progress p;
    for (int attempt = 0; attempt < 5; ++attempt, snap *= 16.0) {
        p.last = ABUT_CUT_BROKEN;
        p.cuts = p.last_plane = 0;
        p.nearest = 0.0;
        if (!abut_clip_create(&p.clip, faces, (char *)workspace + used, size - used))
            return p;
        p.last = ABUT_CUT_NOTHING;
        p.clip.snap = snap;
        abut_clip_load(&p.clip, roles->base, bodies->origin, roles->base_owner);
        cut_by_all(&p, roles, cache);
        if (p.last != ABUT_CUT_BROKEN)
            break;
    }
    return p;
}

size_t abut_overlap_workspace_size(const AbutConvex *a, const AbutConvex *b)
{
    int faces_a = abut_overlap_face_count(a), faces_b = abut_overlap_face_count(b);
    if (faces_a < 0 || faces_b < 0)
        return 0;
    return abut_overlap_result_size(faces_a + faces_b) + abut_clip_size(faces_a + faces_b) + 64;
}

AbutOverlap abut_overlap(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutOverlapCache *cache,
    void *workspace, size_t workspace_size)
{
    AbutOverlap out = {0};
    AbutOverlapBodies bodies;
    out.outcome = abut_overlap_view(&bodies, a, b, b_in_a);
    if (out.outcome != ABUT_OVERLAP_VOLUME)
        return out;
    out.outcome = ABUT_OVERLAP_CAPACITY;
    if (!workspace || workspace_size < abut_overlap_workspace_size(a, b))
        return out;
    Roles roles = choose_roles(&bodies);
    Progress progress = clip_pair(&bodies, &roles, cache, workspace, workspace_size);
    return finish(&progress, &roles, &bodies, cache, workspace);
}
