/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grasp of a body. In: the contacts of a scene and one free body of it. Out: the grasp matrix G, which turns the
 * contact forces into the wrench on the body, and the Jacobian J of the points that touch it, in all velocities of the
 * scene: a contact keeps when G^T (twist of the body) = J x. Force closure is decided with friction
 * pyramids of eight sides: their edges span all wrenches, and some forces along all of them give none (R. Murray, Z.
 * Li, S. Sastry, A mathematical introduction to robotic manipulation, 1994, chapter 5).
 */
#include "grasp/modes.h"

#include <string.h>

enum { EDGES = 8 };

static const double RANK = 1e-9; /* of the largest eigenvalue of G G^T */
static const double CLOSED = 1e-9;

/* Column of a force along `direction` at a point: wrench about the center. */
static void put_column(AbutGrasp *g, int column, AbutVec3 arm, AbutVec3 direction) {
    AbutVec3 torque = abut_cross(arm, direction);
    for (int k = 0; k < 3; ++k) {
        g->matrix[(size_t)k * (size_t)(3 * g->contacts) + (size_t)column] = abut_get(direction, k);
        g->matrix[(size_t)(3 + k) * (size_t)(3 * g->contacts) + (size_t)column] = abut_get(torque, k);
    }
}

/* Row of the velocity of what touches, along the direction of the column: a row of the system is that of B against A
 * along the axis from A to B, so the part of the other body has the opposite sign on either side. */
static void put_row(AbutGrasp *g, int row, const double *relative, int at) {
    double *out = g->jacobian + (size_t)row * (size_t)g->velocities;
    for (int j = 0; j < g->velocities; ++j) out[j] = j >= at && j < at + 6 ? 0.0 : -relative[j];
}

static AbutStatus make_room(AbutGrasp *g, AbutError *error) {
    size_t n = 3 * (size_t)g->contacts, d = (size_t)g->velocities;
    double *memory = abut_alloc_array(6 * n + n * d + (size_t)g->contacts + 1, sizeof *memory);
    g->memory = g->matrix = memory;
    g->jacobian = memory ? memory + 6 * n : NULL;
    g->friction = memory ? g->jacobian + n * d : NULL;
    return memory ? ABUT_OK : abut_fail_memory(error);
}

/* ---- rank and closure -------------------------------------------------------------------------------------------- */

/* Rank of six rows of n numbers, and their least singular value: by the eigenvalues of the rows times themselves. */
static int rank_of(const double *rows, int n, double *least_singular) {
    double a[36], value[6], vectors[36], least = INFINITY, most = 0.0;
    int rank = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            a[6 * i + j] = 0.0;
            for (int k = 0; k < n; ++k) a[6 * i + j] += rows[i * n + k] * rows[j * n + k];
        }
    *least_singular = 0.0;
    if (!abut_eigen_symmetric(6, a, value, vectors)) return 0;
    for (int i = 0; i < 6; ++i) {
        most = abut_larger(most, value[i]);
        least = abut_smaller(least, value[i]);
    }
    for (int i = 0; i < 6; ++i) rank += value[i] > RANK * most;
    *least_singular = sqrt(abut_larger(least, 0.0));
    return rank;
}

/* Unit forces along the edges of the pyramids, torques in units of the reach, so that they compare with forces; without
 * `pyramids` along the three axes of each contact. */
static void put_wrenches(const AbutGrasp *g, double reach, int pyramids, double *w) {
    int per = pyramids ? EDGES : 3, n = per * g->contacts;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < n; ++k) {
            const double *column = g->matrix + (size_t)i * (size_t)(3 * g->contacts) + 3 * (size_t)(k / per);
            double angle = 2.0 * ABUT_PI * (k % per) / per, mu = g->friction[k / per];
            double x = pyramids ? column[0] + mu * (abut_cos(angle) * column[1] + abut_sin(angle) * column[2])
                                : column[k % per];
            w[i * n + k] = i < 3 ? x : x / reach;
        }
}

/* Forces p >= 0 with W p = -W 1: together with 1 they all press, and give no wrench. */
static int is_closed(double *w, int n, void *workspace, size_t room) {
    double b[6] = {0}, size = 0.0, least;
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < n; ++k) b[i] -= w[i * n + k];
        size = abut_larger(size, fabs(b[i]));
    }
    if (rank_of(w, n, &least) < 6) return 0;
    AbutNnlsResult r = abut_nnls(6, n, w, b, w + 6 * (size_t)n, workspace, room);
    return size == 0.0 || (r.outcome == ABUT_NNLS_OK && r.residual < CLOSED * n);
}

static AbutStatus judge(AbutGrasp *g, double reach, AbutError *error) {
    int n = EDGES * g->contacts;
    size_t room = abut_nnls_workspace_size(6, n);
    double *w = abut_alloc_array(7 * (size_t)n + 7, sizeof *w);
    void *workspace = abut_alloc(room);
    if (w && workspace) {
        put_wrenches(g, reach, 0, w);
        g->rank = rank_of(w, 3 * g->contacts, &g->least_singular);
        put_wrenches(g, reach, 1, w);
        g->closure = is_closed(w, n, workspace, room);
    }
    int failed = !w || !workspace;
    abut_free(w);
    abut_free(workspace);
    return failed ? abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the forces of %d contacts", g->contacts)
                  : ABUT_OK;
}

/* ---- the grasp --------------------------------------------------------------------------------------------------- */

/* First velocity of a free body in the order of the scene. */
static int first_velocity(const AbutScene *scene, int32_t place) {
    int at = 0;
    for (int32_t i = 0; i < scene->live_count && scene->live[i] != place; ++i)
        at += abut_scene_mode_width(scene, &scene->body[scene->live[i]]);
    return at;
}

static int touches(const AbutContact *c, AbutBodyId id) {
    return c->body_a.index1 == id.index1 || c->body_b.index1 == id.index1;
}

/* Fills the columns and rows of all vertices that touch the body; gives the farthest of them from its center. */
static double fill(AbutGrasp *g, const AbutModeSystem *rows, const AbutContactList *list, const AbutBody *body,
    AbutBodyId id, int at, const double *friction) {
    double reach = 0.0;
    int vertex = 0, n = 0;
    for (int32_t k = 0; k < list->count; ++k) {
        const AbutContact *c = &list->contacts[k];
        for (int i = 0; i < c->vertex_count; ++i, ++vertex) {
            if (!touches(c, id)) continue;
            double sign = c->body_b.index1 == id.index1 ? 1.0 : -1.0;
            AbutVec3 x = abut_perpendicular(c->normal), axes[3] = {c->normal, x, abut_cross(c->normal, x)};
            AbutVec3 arm = abut_sub(c->vertex[i].point, body->x);
            reach = abut_larger(reach, abut_length(arm));
            g->friction[n / 3] = friction[vertex];
            for (int line = -1; line < 2; ++line, ++n) {
                const double *row = line < 0 ? rows->normal_rows + (size_t)vertex * (size_t)rows->dof
                                             : rows->tangent_rows + (size_t)(2 * vertex + line) * (size_t)rows->dof;
                put_column(g, n, arm, abut_scale(axes[line + 1], sign));
                put_row(g, n, row, at);
            }
        }
    }
    return reach > 0.0 ? reach : 1.0;
}

AbutStatus abut_scene_grasp(
    const AbutScene *scene, const AbutContactList *contacts, AbutBodyId id, AbutGrasp *out, AbutError *error) {
    ABUT_ASSERT(scene && contacts && out);
    AbutModeSystem rows;
    int32_t place = abut_scene_body_place(scene, id);
    memset(out, 0, sizeof *out);
    if (place < 0 || scene->body[place].kind != ABUT_BODY_DYNAMIC || scene->body[place].tree >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "grasp: expected a free body");
    AbutStatus status = abut_scene_mode_rows(scene, contacts, 2, &rows, error);
    if (status != ABUT_OK) return status;
    for (int32_t k = 0; k < contacts->count; ++k)
        out->contacts += touches(&contacts->contacts[k], id) ? contacts->contacts[k].vertex_count : 0;
    out->velocities = rows.dof;
    double *friction = abut_alloc_array((size_t)rows.contacts + 1, sizeof *friction);
    status = friction ? make_room(out, error) : abut_fail_memory(error);
    if (status == ABUT_OK) {
        AbutSceneForces forces = {.friction = friction};
        abut_scene_all_forces(scene, contacts, abut_zero(), &forces);
        double reach = fill(out, &rows, contacts, &scene->body[place], id, first_velocity(scene, place), friction);
        status = judge(out, reach, error);
    }
    abut_free(friction);
    abut_mode_system_free(&rows);
    if (status != ABUT_OK) {
        abut_free(out->memory);
        memset(out, 0, sizeof *out);
    }
    return status;
}
