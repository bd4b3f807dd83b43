/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making, checking and freeing the body of a soft direction. In: a closed mesh and settings. Out: one block. The mesh
 * is copied and welded first, so that seams with doubled vertices are closed.
 */
#include "direction/soft_body.h"
#include "direction/field.h"
#include "math/functions.h"

#include <string.h>

static const AbutSoftBodyDef usual = {0.0, 0.0, 0.0, 0, 0};

static uint64_t rounded(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

int abut_soft_lay_out(AbutSoftBody *b) {
    uint64_t grid = (uint64_t)b->grid_count[0] * (uint64_t)b->grid_count[1] * (uint64_t)b->grid_count[2];
    if (grid > 2ull * ABUT_SOFT_MAX_NODES) return 0;
    b->grid_at = rounded(sizeof *b);
    b->sample_at = b->grid_at + rounded((grid + ABUT_SOFT_GRID_PADDING) * sizeof(float));
    b->sample_node_at = b->sample_at + rounded((uint64_t)b->sample_count * sizeof(AbutSoftSample));
    b->point_at = b->sample_node_at + rounded((uint64_t)b->sample_node_count * sizeof(AbutBallNode));
    b->point_node_at = b->point_at + rounded((uint64_t)b->point_count * sizeof(AbutVec3));
    b->bytes = b->point_node_at + rounded((uint64_t)b->point_node_count * sizeof(AbutBallNode));
    return 1;
}

uint64_t abut_soft_content(const AbutSoftBody *b) {
    AbutSoftBody head = *b;
    head.content = 0;
    uint64_t hash = abut_hash(&head, sizeof head, ABUT_SOFT_BODY_VERSION);
    return abut_hash((const unsigned char *)b + sizeof *b, (size_t)(b->bytes - sizeof *b), hash);
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static AbutSphere ball_of(const AbutMesh *mesh) {
    AbutSphere none = {abut_zero(), 0.0};
    return mesh->vertex_count > 0 ? abut_bounding_sphere(mesh->vertices, mesh->vertex_count) : none;
}

static AbutSoftBodyDef settled(const AbutMesh *mesh, const AbutSoftBodyDef *def) {
    AbutSoftBodyDef d = def ? *def : usual;
    d.tau = d.tau == 0.0 ? ABUT_SOFT_TAU * 2.0 * ball_of(mesh).radius : d.tau;
    d.step = d.step == 0.0 ? ABUT_SOFT_STEP * d.tau : d.step;
    d.margin = d.margin == 0.0 ? ABUT_SOFT_MARGIN * d.tau : d.margin;
    d.threads = d.lazy = 0; /* change nothing about the body */
    return d;
}

uint64_t abut_soft_body_source(const AbutMesh *mesh, const AbutSoftBodyDef *def) {
    ABUT_ASSERT(mesh);
    AbutSoftBodyDef d = settled(mesh, def);
    uint64_t hash = abut_hash(&d, sizeof d, ABUT_SOFT_BODY_VERSION);
    hash = abut_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices, hash);
    return abut_hash(mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles, hash);
}

double abut_soft_tau(const AbutMesh *a, const AbutMesh *b) {
    ABUT_ASSERT(a && b);
    return ABUT_SOFT_TAU * 2.0 * abut_smaller(ball_of(a).radius, ball_of(b).radius);
}

static AbutStatus check_length(double value, double least, const char *name, AbutError *error) {
    if (!isfinite(value)) return abut_fail(error, ABUT_ERROR_NUMBER, "soft body: %s is not finite", name);
    if (!(value >= least && value <= ABUT_SOFT_LENGTH))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "soft body: %s is %g m, expected %g to %g m", name, value, least,
            ABUT_SOFT_LENGTH);
    return ABUT_OK;
}

static AbutStatus check_settings(const AbutSoftBodyDef *d, double radius, AbutError *error) {
    if (!(radius >= 1.0 / ABUT_SOFT_LENGTH && radius <= ABUT_SOFT_LENGTH))
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "soft body: a mesh of radius %g m, expected %g to %g m", radius,
            1.0 / ABUT_SOFT_LENGTH, ABUT_SOFT_LENGTH);
    AbutStatus status = check_length(d->tau, ABUT_SOFT_SMALLEST * radius, "tau", error);
    if (status == ABUT_OK) status = check_length(d->step, 1e-3 * ABUT_SOFT_SMALLEST * radius, "step", error);
    if (status == ABUT_OK) status = check_length(d->margin, 0.0, "margin", error);
    if (status == ABUT_OK && d->margin < 2.0 * d->step)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT,
            "soft body: step is %g m, expected at most half of the margin, which is %g m", d->step, d->margin);
    return status;
}

/* ---- mesh -------------------------------------------------------------------------------------------------------- */

static AbutStatus welded_copy(const AbutMesh *mesh, AbutMesh *out, AbutError *error) {
    AbutStatus status = abut_mesh_create(mesh->vertex_count, mesh->triangle_count, out, error);
    if (status != ABUT_OK) return status;
    memcpy(out->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(out->triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    status = abut_mesh_weld(out, error);
    if (status != ABUT_OK) abut_mesh_free(out);
    return status;
}

static AbutStatus check_mesh(const AbutMesh *mesh, const AbutMeshTree *tree, AbutError *error) {
    AbutMeshReport report;
    AbutStatus status = abut_mesh_report(mesh, &report, error);
    if (status != ABUT_OK) return status;
    if (tree->inside == ABUT_MESH_OPEN)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "soft body: the mesh is open; expected a closed surface");
    if (tree->inside != ABUT_MESH_WINDING)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "soft body: the triangles of the mesh do not run the same way");
    double r = tree->radius;
    if (!(report.mass.volume > ABUT_SOFT_SMALLEST * r * r * r))
        return abut_fail(
            error, ABUT_ERROR_DEGENERATE, "soft body: expected a volume above zero, got %g m^3", report.mass.volume);
    return ABUT_OK;
}

/* ---- block ------------------------------------------------------------------------------------------------------- */

/* A step or a margin that was asked for is taken at its word: a grid that would be too large for it is refused. */
static AbutStatus check_grid(AbutAabb box, const AbutSoftBodyDef *d, const AbutSoftBodyDef *asked, AbutError *error) {
    AbutVec3 side = abut_add_scaled(abut_sub(box.max, box.min), abut_vec3(1, 1, 1), 2.0 * d->margin);
    double nodes = (side.x / d->step + 3.0) * (side.y / d->step + 3.0) * (side.z / d->step + 3.0);
    if (nodes <= ABUT_SOFT_MAX_NODES || (asked->step == 0.0 && asked->margin == 0.0)) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_LIMIT,
        "soft body: a step of %g m and a margin of %g m need a grid of %.3g nodes, expected at most %.3g", d->step,
        d->margin, nodes, (double)ABUT_SOFT_MAX_NODES);
}

/* Origin, counts and step of the grid; coarser than tau asks for where it would have too many nodes. */
static void plan_grid(AbutSoftBody *b, AbutAabb box, double step, double margin) {
    AbutVec3 side = abut_add_scaled(abut_sub(box.max, box.min), abut_vec3(1, 1, 1), 2.0 * margin);
    double volume = side.x * side.y * side.z;
    b->step = abut_larger(step, abut_cbrt(volume / (0.9 * ABUT_SOFT_MAX_NODES)));
    b->margin = margin;
    b->grid_origin = abut_add_scaled(box.min, abut_vec3(1, 1, 1), -(margin + b->step));
    for (int k = 0; k < 3; ++k) b->grid_count[k] = (int32_t)ceil(abut_get(side, k) / b->step) + 3;
}

typedef struct Parts {
    AbutSoftSample *samples;
    AbutVec3 *points;
    AbutBallKey *order;
} Parts;

static void write_samples(AbutSoftBody *b, const Parts *parts) {
    unsigned char *block = (unsigned char *)b;
    AbutSoftSample *samples = (AbutSoftSample *)(void *)(block + b->sample_at);
    AbutVec3 *points = (AbutVec3 *)(void *)(block + b->point_at);
    abut_ball_tree(parts->samples, sizeof *parts->samples, b->sample_count, ABUT_SOFT_LEAF, parts->order,
        (AbutBallNode *)(void *)(block + b->sample_node_at));
    for (int32_t i = 0; i < b->sample_count; ++i) samples[i] = parts->samples[parts->order[i].item];
    abut_ball_tree(parts->points, sizeof *parts->points, b->point_count, ABUT_SOFT_LEAF, parts->order,
        (AbutBallNode *)(void *)(block + b->point_node_at));
    for (int32_t i = 0; i < b->point_count; ++i) points[i] = parts->points[parts->order[i].item];
}

/* The block, zeroed; of a lazy body behind the tree. */
static AbutSoftBody *take_block(const AbutSoftBody *head) {
    size_t before = head->lazy ? ABUT_SOFT_LAZY_BYTES : 0;
    unsigned char *memory = abut_alloc(before + (size_t)head->bytes);
    if (!memory) return NULL;
    memset(memory, 0, before + (size_t)head->bytes);
    AbutSoftBody *b = (AbutSoftBody *)(void *)(memory + before);
    *b = *head;
    return b;
}

/* *tree becomes the body's where that is lazy. */
static AbutStatus make_block(
    const AbutSoftBody *head, Parts *parts, AbutMeshTree **tree, int threads, AbutSoftBody **out, AbutError *error) {
    int32_t most = head->sample_count > head->point_count ? head->sample_count : head->point_count;
    AbutSoftBody *b = take_block(head);
    parts->order = abut_alloc_array((size_t)most, sizeof *parts->order);
    if (!b || !parts->order) {
        abut_soft_body_free(b);
        return abut_fail_memory(error);
    }
    float *grid = (float *)(void *)((unsigned char *)b + b->grid_at);
    write_samples(b, parts);
    if (b->lazy) {
        abut_soft_empty_grid(b, grid);
        memcpy((unsigned char *)b - ABUT_SOFT_LAZY_BYTES, tree, sizeof *tree);
        *tree = NULL;
    } else {
        abut_soft_fill_grid(b, *tree, threads, grid);
        b->content = abut_soft_content(b);
    }
    *out = b;
    return ABUT_OK;
}

static AbutStatus make_body(const AbutMesh *mesh, AbutMeshTree **tree, const AbutSoftBodyDef *d,
    const AbutSoftBodyDef *asked, uint64_t source, AbutSoftBody **out, AbutError *error) {
    AbutSoftBody head;
    Parts parts = {NULL, NULL, NULL};
    AbutSphere ball = ball_of(mesh);
    memset(&head, 0, sizeof head);
    head.magic = ABUT_SOFT_BODY_MAGIC, head.version = ABUT_SOFT_BODY_VERSION, head.source = source;
    head.tau = head.spacing = d->tau, head.lazy = asked->lazy != 0;
    head.center = ball.center, head.radius = ball.radius;
    plan_grid(&head, (*tree)->box, d->step, d->margin);
    AbutStatus status = abut_soft_sample_mesh(mesh, head.spacing, &head.sample_count, &parts.samples, error);
    if (status == ABUT_OK) status = abut_soft_point_mesh(mesh, head.spacing, &head.point_count, &parts.points, error);
    if (status == ABUT_OK) {
        head.sample_node_count = abut_ball_node_count(head.sample_count, ABUT_SOFT_LEAF);
        head.point_node_count = abut_ball_node_count(head.point_count, ABUT_SOFT_LEAF);
        status = abut_soft_lay_out(&head) ? make_block(&head, &parts, tree, asked->threads, out, error)
                                          : abut_fail(error, ABUT_ERROR_LIMIT, "soft body: the grid is too large");
    }
    abut_free(parts.samples);
    abut_free(parts.points);
    abut_free(parts.order);
    return status;
}

AbutStatus abut_soft_body_create(
    const AbutMesh *mesh, const AbutSoftBodyDef *def, AbutSoftBody **out, AbutError *error) {
    ABUT_ASSERT(mesh && out);
    AbutMesh copy = {0};
    AbutMeshTree *tree = NULL;
    def = def ? def : &usual;
    *out = NULL;
    if (mesh->triangle_count == 0) return abut_fail(error, ABUT_ERROR_EMPTY, "soft body: the mesh has no triangles");
    AbutStatus status = abut_mesh_tree_create(mesh, def->threads, &tree, error);
    if (status == ABUT_OK) status = welded_copy(mesh, &copy, error);
    AbutSoftBodyDef d = usual;
    if (status == ABUT_OK) {
        d = settled(mesh, def);
        status = check_settings(&d, ball_of(&copy).radius, error);
    }
    if (status == ABUT_OK) status = check_grid(tree->box, &d, def, error);
    if (status == ABUT_OK) status = check_mesh(&copy, tree, error);
    if (status == ABUT_OK) status = make_body(&copy, &tree, &d, def, abut_soft_body_source(mesh, def), out, error);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&copy);
    return status;
}

void abut_soft_body_free(AbutSoftBody *body) {
    if (!body || !body->lazy) {
        abut_free(body);
        return;
    }
    abut_mesh_tree_free(abut_soft_lazy_tree(body));
    abut_free((unsigned char *)body - ABUT_SOFT_LAZY_BYTES);
}
