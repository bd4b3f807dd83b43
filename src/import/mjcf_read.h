/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading an MJCF model from its elements: descriptions of the model room, and what decides about them. */
#ifndef ABUT_SRC_IMPORT_MJCF_READ_H
#define ABUT_SRC_IMPORT_MJCF_READ_H

#include "abut/import.h"
#include "file/xml.h"
#include "model/mass.h"

/*
 * Parses one file and replaces each <include file="..."> by the children of that file's root. `folder` is where the
 * included files lie, NULL when there is none. On failure the pool is still to be freed.
 */
AbutStatus abut_xml_parse(AbutXml *xml, const void *bytes, size_t count, const char *name, const char *folder);

enum { ABUT_MJCF_CLASS_SETTINGS = 40, ABUT_MJCF_WARNINGS = 200 };

/* A default class: settings per tag, looked up from a class to its parents. */
typedef struct AbutMjcfClass AbutMjcfClass;
struct AbutMjcfClass {
    const char *name;
    AbutMjcfClass *parent;
    const AbutXmlElement *settings[ABUT_MJCF_CLASS_SETTINGS];
    int32_t setting_count;
};

/* Kinds of things that have names of their own. */
typedef enum AbutMjcfKind {
    ABUT_MJCF_KIND_BODY = 0,
    ABUT_MJCF_KIND_GEOM,
    ABUT_MJCF_KIND_JOINT,
    ABUT_MJCF_KIND_MESH,
    ABUT_MJCF_KIND_HFIELD,
    ABUT_MJCF_KIND_MATERIAL,
    ABUT_MJCF_KIND_CLASS,
    ABUT_MJCF_KIND_PAIR,
    ABUT_MJCF_KIND_ELEMENT
} AbutMjcfKind;

/* Hash table from kind and name to a number. */
typedef struct AbutMjcfName {
    const char *name; /* NULL: free */
    AbutMjcfKind kind;
    int32_t index;
} AbutMjcfName;

typedef struct AbutMjcfNames {
    AbutMjcfName *slots;
    size_t size, count;
} AbutMjcfNames;

/* False when there is no memory; *old is the number of the same name, or -1. */
int abut_mjcf_names_add(AbutMjcfNames *names, AbutMjcfKind kind, const char *name, int32_t index, int32_t *old);
int32_t abut_mjcf_names_find(const AbutMjcfNames *names, AbutMjcfKind kind, const char *name); /* -1: none */
void abut_mjcf_names_free(AbutMjcfNames *names);

typedef struct AbutMjcfMaterial {
    double rgba[4];
} AbutMjcfMaterial;

typedef struct AbutDraftBody {
    AbutBodyDef def; /* mass, centre and inertia as <inertial> says; the rest is settled when all is read */
    int32_t parent;  /* -1 for the world, which is body 0 */
    int32_t first_geom, geom_count, first_joint, joint_count;
    int32_t mocap, has_inertial;
} AbutDraftBody;

typedef enum AbutMjcfGeomType {
    ABUT_MJCF_PLANE = 0,
    ABUT_MJCF_SPHERE,
    ABUT_MJCF_CAPSULE,
    ABUT_MJCF_ELLIPSOID,
    ABUT_MJCF_CYLINDER,
    ABUT_MJCF_BOX,
    ABUT_MJCF_MESH,
    ABUT_MJCF_HFIELD,
    ABUT_MJCF_SDF
} AbutMjcfGeomType;

typedef struct AbutDraftGeom {
    AbutShapeDef def; /* category and mask follow from the next two */
    uint32_t contype, conaffinity;
    AbutMjcfGeomType type;
    int32_t mesh;  /* -1 when none */
    int32_t field; /* -1 when none */
    int32_t condim;
    int32_t touches; /* 1: some filter or pair lets it meet something */
    double mass;     /* negative: from the density */
} AbutDraftGeom;

typedef struct AbutDraftJoint {
    AbutJointDef def;
    int32_t free; /* 1: it is no joint of the model, its body is dynamic */
} AbutDraftJoint;

typedef struct AbutDraftMesh {
    const char *name, *path; /* path "" when the vertices are in the file */
    AbutSource source;
    AbutVec3 scale, ref_pos;
    AbutQuat ref_quat;
    const AbutVec3 *vertices;
    int32_t vertex_count;
} AbutDraftMesh;

typedef struct AbutDraftField {
    const char *name, *path; /* path "" when the elevations are in the file, or there are none */
    AbutSource source;
    double size[4];        /* half sizes along x and y, elevation, depth below */
    int32_t rows, columns; /* of the file where there is one */
    double *elevation;     /* as written; NULL: flat, or in a file */
} AbutDraftField;

/* What an MJCF file says; names and texts lie in the pool of the XML. */
typedef struct AbutMjcfDraft {
    const char *name;
    AbutVec3 gravity;
    double timestep;           /* 0: not said */
    int32_t inertia_from_geom; /* 0: never, 1: always, 2: where <inertial> is missing */
    int32_t body_count, geom_count, joint_count, mesh_count, pair_count, element_count;
    AbutDraftBody *bodies; /* parents before children */
    AbutDraftGeom *geoms;
    AbutDraftJoint *joints;
    AbutDraftMesh *meshes;
    AbutDraftField *fields;
    int32_t field_count;
    AbutPairDef *pairs;
    AbutElement *elements;
} AbutMjcfDraft;

typedef struct AbutMjcfReader {
    AbutXml xml;
    AbutMjcfDraft draft;
    AbutModelReadOptions options;
    AbutError *error;
    double angle; /* radians per unit of the file */
    char euler[4];
    const char *mesh_folder;
    int strip_path, auto_limits, balance_inertia;
    double bound_mass, bound_inertia;
    AbutMjcfClass **classes; /* 0 is the root */
    AbutMjcfMaterial *materials;
    AbutMjcfNames names;
    int32_t class_count, material_count;
    size_t class_capacity, material_capacity, body_capacity, geom_capacity, joint_capacity, mesh_capacity;
    size_t pair_capacity, element_capacity, field_capacity;
    int64_t work;            /* left for looking up attributes in default classes */
    int64_t attributes_left; /* of actuators and the like */
    uint64_t warned[ABUT_MJCF_WARNINGS];
    int32_t warned_count;
} AbutMjcfReader;

/* An element as it is looked at: with the default class that holds for it. */
typedef struct AbutMjcfView {
    AbutMjcfReader *reader;
    const AbutXmlElement *element;
    const AbutMjcfClass *class;
} AbutMjcfView;

/* ---- attributes: mjcf_attribute.c -------------------------------------------------------------------------------- */

/* The class of the element's own class attribute, else `inherited`. Fails on unknown ones. */
AbutStatus abut_mjcf_view(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, AbutMjcfView *out);

/* Value of the element or of the nearest class that has it; NULL: none. *holder is where it stands. */
const char *abut_mjcf_value(const AbutMjcfView *view, const char *name, const AbutXmlElement **holder);

/*
 * `least` to `most` finite numbers; *count is 0 and out unchanged when there is no such attribute. Where fewer than
 * `most` are given, the others keep the values of farther classes, then those of out. count may be NULL.
 */
AbutStatus abut_mjcf_numbers(const AbutMjcfView *view, const char *name, int least, int most, double *out, int *count);
AbutStatus abut_mjcf_vec3(const AbutMjcfView *view, const char *name, AbutVec3 *out);
/* One number of at least `least`. */
AbutStatus abut_mjcf_number(const AbutMjcfView *view, const char *name, double least, double *out);
AbutStatus abut_mjcf_integer(const AbutMjcfView *view, const char *name, int64_t least, int64_t most, int64_t *out);
/* One of the words, as its place; `words` ends with NULL. */
AbutStatus abut_mjcf_word(const AbutMjcfView *view, const char *name, const char *const *words, int *out);
/* quat, axisangle, euler, xyaxes or zaxis of the nearest level that has one. */
AbutStatus abut_mjcf_orientation(const AbutMjcfView *view, AbutQuat *out);
AbutStatus abut_mjcf_pose(const AbutMjcfView *view, AbutPose *out); /* pos and orientation */

/* A range and the word that switches it on; without the word a range that is given holds (compiler autolimits). */
AbutStatus abut_mjcf_limits(
    const AbutMjcfView *view, const char *word, const char *name, int32_t *limited, double range[2]);

/* Numbers of a text, counted first: *out lies in the pool. */
AbutStatus abut_mjcf_number_list(const AbutMjcfView *view, const char *name, double **out, size_t *count);

/* Warns about attributes that are not in the list, which ends with NULL, and reads no others. */
void abut_mjcf_ignore_others(AbutMjcfReader *reader, const AbutXmlElement *element, const char *const *known);

/* ---- reader: mjcf_read.c ----------------------------------------------------------------------------------------- */

void abut_mjcf_warn(AbutMjcfReader *reader, const AbutXmlElement *element, const char *format, ...) ABUT_PRINTF(3, 4);
void abut_mjcf_warn_ignored(AbutMjcfReader *reader, const AbutXmlElement *element); /* the element itself */
AbutStatus abut_mjcf_no_memory(AbutMjcfReader *reader, const AbutXmlElement *element);

/* Room for one more at the end of an array of the model. */
AbutStatus abut_mjcf_room(AbutMjcfReader *reader, const AbutXmlElement *element, void *array, size_t *capacity,
    int32_t count, size_t bytes_each);

/* Name ("" for none) and place of an element; a name of this kind must be new and then stands for `index`. */
AbutStatus abut_mjcf_place(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfKind kind, int32_t index,
    const char **name, AbutSource *source);
/* The number of the thing named by an attribute, which must be there. */
AbutStatus abut_mjcf_reference(const AbutMjcfView *view, const char *attribute, AbutMjcfKind kind, int32_t *out);

/* ---- sections ---------------------------------------------------------------------------------------------------- */

AbutStatus abut_mjcf_compiler(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_option(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_default(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_asset(AbutMjcfReader *reader, const AbutXmlElement *element);
/* The geoms of the world first, of all such sections, then the bodies. */
AbutStatus abut_mjcf_world_geoms(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_world_bodies(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_geom(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body);
AbutStatus abut_mjcf_contact(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_elements(AbutMjcfReader *reader, const AbutXmlElement *element);

/* The outermost default class; NULL: none. */
const AbutMjcfClass *abut_mjcf_root_class(const AbutMjcfReader *reader);

/* ---- model: mjcf_mass.c, mjcf_filter.c, mjcf_mesh.c, mjcf_model.c ------------------------------------------------ */

/* Of a geom in its body's frame; `mesh` is the solid of a mesh geom, of density 1. */
AbutRigid abut_mjcf_geom_mass(const AbutDraftGeom *geom, const AbutMass *mesh);

/* Category and mask of all geoms, and whether they touch anything. */
AbutStatus abut_mjcf_filters(AbutMjcfDraft *draft, AbutError *error);

/* A mesh of the file as geometry: loaded at its first use. */
typedef struct AbutMjcfSolid {
    AbutPolyhedron *hull; /* NULL: not loaded */
    AbutMass mass;        /* of the mesh where it is closed, else of the hull */
} AbutMjcfSolid;

AbutStatus abut_mjcf_load_solid(
    AbutMjcfReader *reader, const AbutDraftMesh *mesh, AbutMjcfSolid *out, AbutError *error);

/* Path of an asset with the folder of meshes in front, in the pool; and where it lies, inside the folder of the scene.
 */
AbutStatus abut_mjcf_asset_path(const AbutMjcfView *view, const char *file, const char **out);
AbutStatus abut_mjcf_file_path(
    const AbutMjcfReader *reader, const AbutXmlElement *at, const char *file, char *out, size_t room, AbutError *error);

/* A <hfield>; and the convex pieces of one as shapes of a geom, `def` but for the form (mjcf_hfield.c). */
AbutStatus abut_mjcf_hfield(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_add_field(AbutMjcfReader *reader, AbutModel *model, int32_t number, const AbutShapeDef *def);

/* Messages about a thing of the file: "file:line: <tag>: ...". */
AbutXmlElement abut_mjcf_at(AbutSource source, const char *tag);

/* The model of all that was read. */
AbutStatus abut_mjcf_make_model(AbutMjcfReader *reader, AbutModel *model);

#endif
