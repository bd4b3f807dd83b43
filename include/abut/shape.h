/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape: bodies as geometry. Convex polyhedra as one relocatable block, spheres, capsules, triangle meshes, their mass
 * properties, conversions between them, and procedural meshes for tests and demonstrations.
 *
 * Lengths in meters; a plane is normal . x <= offset inside, with a unit outward normal; faces and triangles run
 * counter-clockwise seen from outside.
 */
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include "abut/field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- small shapes ------------------------------------------------------------------------------------------------ */

typedef struct AbutPlane {
    AbutVec3 normal;
    double offset;
} AbutPlane;

typedef struct AbutSphere {
    AbutVec3 center;
    double radius;
} AbutSphere;

/* All points within `radius` of the segment a b. */
typedef struct AbutCapsule {
    AbutVec3 a, b;
    double radius;
} AbutCapsule;

/* A solid of density 1: the inertia is about the centroid, in the axes of the shape. */
typedef struct AbutMass {
    double volume, area;
    AbutVec3 centroid;
    AbutMat3 inertia;
} AbutMass;

ABUT_API AbutMass abut_capsule_mass(AbutCapsule capsule);

/* A small sphere that contains all points; its radius is within 5 % of the smallest. */
ABUT_API AbutSphere abut_bounding_sphere(const AbutVec3 *points, int count);

/* ---- convex polyhedron ------------------------------------------------------------------------------------------- */

/* One side of an edge. The half-edges of a face are adjacent, in counter-clockwise order. */
typedef struct AbutHalfEdge {
    int32_t origin; /* vertex it starts from */
    int32_t twin;   /* the half-edge that runs the other way along the same edge */
    int32_t face;
} AbutHalfEdge;

typedef struct AbutFace {
    AbutPlane plane;
    int32_t first, count; /* its half-edges are first .. first + count - 1 */
} AbutFace;

/*
 * A convex polyhedron in one block of memory without pointers: it can be copied, saved, hashed and shared.
 * The functions below return its arrays. Flat sets are legal (dimension 2: two opposite faces over one convex
 * polygon; 1: a segment; 0: a point; those have volume 0, and dimensions 0 and 1 have no faces or half-edges).
 */
typedef struct AbutPolyhedron {
    uint32_t magic, version;
    uint64_t bytes; /* size of the whole block, this header included */
    uint64_t hash;  /* of everything after the header, and of the counts */
    int32_t dimension;
    int32_t vertex_count, half_edge_count, face_count;
    int32_t padded_count; /* vertex_count rounded up to a multiple of 8: length of each coordinate row */
    uint32_t vertex_at, row_at, half_edge_at, face_at, edge_at, neighbor_start_at, neighbor_at; /* byte offsets */
    AbutMass mass;
    AbutAabb box;
    AbutSphere bound;    /* contains all vertices */
    double inner_radius; /* smallest distance of the centroid to a face plane; 0 when flat */
} AbutPolyhedron;

#define ABUT_POLYHEDRON_MAGIC 0x48545541u /* "AUTH" in memory */
#define ABUT_POLYHEDRON_VERSION 1u

ABUT_INLINE const AbutVec3 *abut_polyhedron_vertices(const AbutPolyhedron *p) {
    return (const AbutVec3 *)(const void *)((const unsigned char *)p + p->vertex_at);
}

ABUT_INLINE const AbutHalfEdge *abut_polyhedron_half_edges(const AbutPolyhedron *p) {
    return (const AbutHalfEdge *)(const void *)((const unsigned char *)p + p->half_edge_at);
}

ABUT_INLINE const AbutFace *abut_polyhedron_faces(const AbutPolyhedron *p) {
    return (const AbutFace *)(const void *)((const unsigned char *)p + p->face_at);
}

/* Settings of a hull; valid when zeroed. */
typedef struct AbutHullDef {
    double tolerance; /* of the size of the set: points closer than this to a face plane lie on it; 0: 1e-11 */
    int solid_only;   /* sets without volume: return a polyhedron of lower dimension (0) or fail (1) */
    int max_vertices; /* fail beyond this many hull vertices; 0: no limit */
} AbutHullDef;

/*
 * Convex hull of points. Robust to coplanar, collinear, duplicate and nearly duplicate points; coplanar triangles are
 * merged into faces. `def` and `error` may be NULL. On success free *out with abut_polyhedron_free.
 * Fails on no points, NaN or infinity, and on memory.
 */
ABUT_API AbutStatus abut_polyhedron_from_points(
    const AbutVec3 *points, int count, const AbutHullDef *def, AbutPolyhedron **out, AbutError *error);

/* Intersection of half-spaces (rows need not be normalized). Empty, flat and unbounded sets fail, each with its own
 * status (EMPTY, DEGENERATE, ARGUMENT). */
ABUT_API AbutStatus abut_polyhedron_from_planes(
    const AbutPlane *planes, int count, AbutPolyhedron **out, AbutError *error);

ABUT_API AbutStatus abut_polyhedron_box(AbutVec3 half_size, AbutPolyhedron **out, AbutError *error);
/* `top` is the radius at the upper end: `radius` for a prism, 0 for a pyramid. */
ABUT_API AbutStatus abut_polyhedron_prism(
    int sides, double radius, double top, double height, AbutPolyhedron **out, AbutError *error);
/* faces = 4, 6, 8, 12 or 20; circumscribed radius. */
ABUT_API AbutStatus abut_polyhedron_regular(int faces, double radius, AbutPolyhedron **out, AbutError *error);

ABUT_API void abut_polyhedron_free(AbutPolyhedron *polyhedron);

/* Is this block of memory of `bytes` bytes a valid polyhedron for queries (for example, read from a file)? */
ABUT_API AbutStatus abut_polyhedron_check(const void *block, size_t bytes, AbutError *error);

/* ---- triangle mesh ----------------------------------------------------------------------------------------------- */

typedef struct AbutTriangle {
    int32_t v[3];
} AbutTriangle;

typedef struct AbutMesh {
    int32_t vertex_count, triangle_count;
    AbutVec3 *vertices;
    AbutTriangle *triangles;
} AbutMesh;

/* Memory for a mesh, to be filled by the caller. */
ABUT_API AbutStatus abut_mesh_create(int vertex_count, int triangle_count, AbutMesh *out, AbutError *error);
ABUT_API void abut_mesh_free(AbutMesh *mesh); /* leaves an empty mesh */

/* Neighbors of each triangle: v[i] is the one across side i (from v[i] to v[i+1]), or -1 (boundary) or -2 (more than
 * two triangles). A triangle with a repeated vertex has no sides and no neighbors. Free *out with
 * abut_free. */
ABUT_API AbutStatus abut_mesh_adjacency(const AbutMesh *mesh, AbutTriangle **out, AbutError *error);

typedef struct AbutMeshReport {
    int closed;             /* every edge has exactly two triangles, and there is an edge */
    int oriented;           /* no two neighbors run the same way along their common edge */
    int outward;            /* oriented, closed, and of positive volume */
    int32_t degenerate;     /* triangles with a repeated vertex, or with height below 1e-12 of the mesh size */
    int32_t boundary_edges; /* with one triangle */
    int32_t crowded_edges;  /* with more than two */
    int32_t unused_vertices;
    int32_t components; /* sets of triangles connected by common edges */
    AbutMass mass;      /* signed volume by the divergence theorem: meaningful when closed and oriented */
    AbutAabb box;       /* of all vertices; zero for none */
} AbutMeshReport;

/* Edges and components ignore triangles with a repeated vertex. Fails on indices out of range, on vertices that are not
 * finite or too large for a finite mass, and out of memory. */
ABUT_API AbutStatus abut_mesh_report(const AbutMesh *mesh, AbutMeshReport *out, AbutError *error);

/* Moves a mesh so that its centroid is at the origin: that of its volume, or of its surface if it is not closed
 * (*solid 0). Fails on a mesh without area. */
ABUT_API AbutStatus abut_mesh_center(AbutMesh *mesh, int *solid, AbutError *error);
ABUT_API extern const AbutRecord abut_mesh_report_record, abut_mass_record;

/* Merges vertices with equal coordinates (exactly, -0 = +0) and drops unused ones. Triangles keep their order, vertices
 * are in the order of their first use. On failure the mesh is unchanged. */
ABUT_API AbutStatus abut_mesh_weld(AbutMesh *mesh, AbutError *error);

/* ---- tree over the triangles of a mesh --------------------------------------------------------------------------- */

/* How to decide whether a point is inside. */
enum {
    ABUT_MESH_OPEN = 0, /* some edge has an odd number of triangles: the surface has no inside */
    ABUT_MESH_PARITY,   /* every edge has an even number, but not in opposite directions: crossings of a ray are counted
                         */
    ABUT_MESH_WINDING   /* along every edge as many triangles run one way as the other: inside if the winding number is
                           not 0 */
};

/*
 * Input of the mesh queries: the triangles in boxes in boxes, eight to a node, as one block of memory without
 * pointers. It holds its own copy of the vertices, bit for bit. The number of nodes and their structure
 * depend only on the number of triangles. An empty mesh has a tree without nodes.
 */
typedef struct AbutMeshTree {
    uint32_t magic, version;
    uint64_t bytes; /* size of the whole block, this header included */
    int32_t triangle_count, inner_count, leaf_count;
    int32_t component_count; /* sets of triangles connected by common vertices */
    int32_t inside;          /* ABUT_MESH_OPEN, ...; vertices with equal coordinates count as one */
    int32_t padding;
    uint64_t inner_at, leaf_at, vertex_at, source_at, component_at; /* byte offsets */
    AbutVec3 center;                                                /* of the box */
    double unit;      /* power of two; the nodes hold (x - center) / unit as float, within 1 */
    double radius;    /* of a ball about the center that contains all vertices */
    double mean_side; /* mean length of the sides of the triangles */
    AbutAabb box;
    AbutVec3 oriented_center, oriented_axis[3]; /* oriented box: center and half axes */
} AbutMeshTree;

#define ABUT_MESH_TREE_MAGIC 0x54545541u /* "AUTT" in memory */
#define ABUT_MESH_TREE_VERSION 1u
#define ABUT_MESH_TREE_MAX_TRIANGLES (1 << 28)

/* Builds the tree, with the same bits for any number of threads (0: all processors). Refuses numbers that are not
 * finite or beyond 1e50, indices out of range, and more than ABUT_MESH_TREE_MAX_TRIANGLES triangles. */
ABUT_API AbutStatus abut_mesh_tree_create(const AbutMesh *mesh, int threads, AbutMeshTree **out, AbutError *error);
ABUT_API void abut_mesh_tree_free(AbutMeshTree *tree);

/* New positions of the vertices, with the triangles that the tree was made from: their grouping stays, all else is
 * recomputed. Also fails if vertices of equal position have separated and there are more components. On failure the
 * tree is unchanged. */
ABUT_API AbutStatus abut_mesh_tree_refit(AbutMeshTree *tree, const AbutMesh *mesh, int threads, AbutError *error);

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* The faces of a polyhedron cut into triangles. */
ABUT_API AbutStatus abut_polyhedron_to_mesh(const AbutPolyhedron *polyhedron, AbutMesh *out, AbutError *error);

/* Is a mesh the surface of its hull, and if not, the first reason why not. */
typedef enum AbutConvexity {
    ABUT_CONVEXITY_CONVEX = 0,
    ABUT_CONVEXITY_OPEN,         /* the surface is not closed */
    ABUT_CONVEXITY_UNORIENTED,   /* its triangles do not run the same way */
    ABUT_CONVEXITY_FLAT,         /* it has no volume */
    ABUT_CONVEXITY_INSIDE_OUT,   /* its volume is negative */
    ABUT_CONVEXITY_HOLLOW,       /* the hull has another volume, by more than 1e-9 of it */
    ABUT_CONVEXITY_INNER_VERTEX, /* a vertex lies inside the hull, farther from each face than 1e-9 of the size */
    ABUT_CONVEXITY_COUNT
} AbutConvexity;

/* `hull` is that of the vertices. *vertex, which may be NULL, receives the first vertex of INNER_VERTEX, else -1. Fails
 * if abut_mesh_report does. */
ABUT_API AbutStatus abut_mesh_convexity(
    const AbutMesh *mesh, const AbutPolyhedron *hull, AbutConvexity *out, int32_t *vertex, AbutError *error);
ABUT_API extern const char *const abut_convexity_names[]; /* such as "its surface is not closed" */

/* A capsule of nearly the least volume that contains every point. Fails on no points and on NaN. */
ABUT_API AbutStatus abut_capsule_around(const AbutVec3 *points, int count, AbutCapsule *out, AbutError *error);

/* ---- height fields ----------------------------------------------------------------------------------------------- */

/*
 * Ground as heights over a grid of points, solid down to a flat bottom. Each cell is two triangles, cut from (column,
 * row) to (column + 1, row + 1). Results of the functions below do not refer to it; a shape of a model keeps the field
 * itself.
 */
typedef struct AbutHeightField {
    int32_t columns, rows; /* points along x and along y, 2 or more; at most 50 million in all */
    double half_x, half_y; /* the points range from -half_x to half_x and from -half_y to half_y */
    double bottom;         /* below all heights */
    const double *heights; /* z of the points, row by row, along x first */
} AbutHeightField;

/* The solid as a closed, outward mesh, for a tree and all queries of meshes. */
ABUT_API AbutStatus abut_height_field_mesh(const AbutHeightField *field, AbutMesh *out, AbutError *error);

/* The solid as convex pieces that do not overlap; flat parts are merged to rectangles. `take` receives one after the
 * other, each valid until it returns; if it fails, the work ends. */
ABUT_API AbutStatus abut_height_field_pieces(const AbutHeightField *field,
    AbutStatus (*take)(const AbutPolyhedron *piece, void *user, AbutError *error), void *user, AbutError *error);

/* ---- procedural meshes ------------------------------------------------------------------------------------------- */

/* The shapes of `abut make`. Every mesh is closed, oriented outward, free of degenerate triangles and centered at the
 * origin. Sizes are meters. */
typedef struct AbutMeshMaker {
    const char *name;    /* "torus" */
    const char *summary; /* one line for the help */
    const char *sizes;   /* meaning of the size numbers and their defaults, e.g. "R=0.3,r=0.1" */
    int size_count;
    double size_default[4];
    int triangles_default;
    AbutStatus (*make)(
        int triangles, const double *sizes, AbutMesh *out, AbutError *error); /* after abut_mesh_make's checks */
} AbutMeshMaker;

#define ABUT_MAKE_MAX_TRIANGLES 100000000

/* The table of makers; *count is its length. */
ABUT_API const AbutMeshMaker *abut_mesh_makers(int *count);
ABUT_API extern const AbutRecord abut_mesh_maker_record;

/*
 * Makes `name` with nearly `triangles` triangles, as its grid allows (0: a default; fewer than the shape needs: its
 * smallest mesh), and `sizes` (NULL: defaults; else the maker's size_count numbers, from 1e-9 to 1e9 and at most a
 * factor of 1e4 apart). Fails on unknown names, impossible sizes, negative counts and counts above
 * ABUT_MAKE_MAX_TRIANGLES.
 */
ABUT_API AbutStatus abut_mesh_make(
    const char *name, int triangles, const double *sizes, AbutMesh *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
