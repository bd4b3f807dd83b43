/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading an MJCF model from its elements: descriptions of the model room, and what decides about them. */
#ifndef ABUT_SRC_IMPORT_MJCF_READ_H
#define ABUT_SRC_IMPORT_MJCF_READ_H

#include "abut/import.h"
#include "abut/mesh.h"
#include "file/xml.h"
#include "import/cache.h"
#include "import/warn.h"
#include "model/mass.h"

/*
 * Parses one file and replaces each <include file="..."> by the children of that file's root. `folder` is where the
 * included files lie, NULL when there is none. On failure the pool is still to be freed.
 */
AbutStatus abut_xml_parse(AbutXml *xml, const void *bytes, size_t count, const char *name, const char *folder);

enum { ABUT_MJCF_CLASS_SETTINGS = 40 };

/* A default class: settings per tag, looked up from a class to its parents. */
#define ABUT_MJCF_STEP 2e-3 /* s: the default of the format */

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
    ABUT_MJCF_KIND_SITE,
    ABUT_MJCF_KIND_TENDON,
    ABUT_MJCF_KIND_ACTUATOR,
    ABUT_MJCF_KIND_EQUALITY,
    ABUT_MJCF_KIND_KEY,
    ABUT_MJCF_KIND_MODEL,
    ABUT_MJCF_KIND_SENSOR
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

/* How the bodies of a file get their mass. */
typedef struct AbutMjcfMassRules {
    int from_geom; /* 0: never from geoms, 1: always, 2: where <inertial> is missing */
    int balance;   /* 1: moments that no solid has become their mean */
    int align;     /* 1: frames of free bodies are moved to their inertia, unless their joint says otherwise */
    double bound_mass, bound_inertia;
    int64_t groups[2]; /* of geoms whose mass counts */
} AbutMjcfMassRules;

/* Mass with its principal moments, and where their axes lie. */
typedef struct AbutMjcfInertial {
    double mass;
    AbutPose place;
    double moment[3];
    AbutMat3 inertia; /* the same about the center, in the axes that `place` is given in */
} AbutMjcfInertial;

typedef struct AbutDraftBody {
    AbutBodyDef def;  /* what the tree says; the mass is settled when all is read */
    AbutPose written; /* pos and orientation of the element itself, without frames around it */
    int32_t parent;   /* -1 for the world, which is body 0 */
    int32_t first_geom, geom_count, first_joint, joint_count;
    int32_t mocap, has_inertial;
    AbutMjcfInertial inertial; /* as <inertial> says */
    AbutSource inertial_source;
    AbutMjcfMassRules rules;
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
    int32_t condim, group;
    double friction[3]; /* as written, whatever the condim makes of it */
    double fit;         /* above 0: its size is that of the mesh, times this */
    int fit_vertices;   /* 1: of the box around its vertices, 0: of its inertia */
    int shell;          /* 1: the mass is that of its surface */
    int32_t touches;    /* 1: some filter or pair lets it meet something */
    double mass;        /* negative: from the density */
} AbutDraftGeom;

/* Two geoms that meet, or bodies that do not. */
typedef struct AbutDraftPair {
    AbutPairDef def;
    int32_t condim, count; /* 0: not said; of the numbers of friction that are said */
    double friction[5];    /* along the surface, twice; spinning; rolling, twice */
} AbutDraftPair;

typedef struct AbutDraftJoint {
    AbutJointDef def;
    int32_t free; /* 1: it is no joint of the model, its body is dynamic */
    int align;    /* of the frame of a free body: 0 false, 1 as the compiler says, 2 true */
} AbutDraftJoint;

/* How the mass of a mesh is found. */
typedef enum AbutMjcfInertia {
    ABUT_MJCF_INERTIA_CONVEX = 0, /* its hull */
    ABUT_MJCF_INERTIA_LEGACY,     /* pyramids over all triangles, each counted as positive */
    ABUT_MJCF_INERTIA_EXACT,      /* the solid inside */
    ABUT_MJCF_INERTIA_SHELL       /* the surface */
} AbutMjcfInertia;

typedef struct AbutDraftMesh {
    const char *name, *path; /* path "" when the vertices are in the file */
    AbutSource source;
    AbutVec3 scale, ref_pos;
    AbutQuat ref_quat;
    const AbutVec3 *vertices;
    const double *faces; /* three numbers each, as read */
    int32_t vertex_count, face_count;
    int inertia; /* AbutMjcfInertia */
} AbutDraftMesh;

/* An actuator, equality or tendon whose numbers of joints, bodies and tendons are those of the draft. */
typedef struct AbutDraftActuator {
    AbutActuatorDef def;
    double damping_ratio; /* above 0: the damping follows from the mass */
    int32_t of_free;      /* 1: the target is a free joint */
    int32_t kept;         /* 0: there is no structure for it; it is kept as an element */
    int32_t has_activation;
} AbutDraftActuator;

typedef struct AbutDraftEquality {
    AbutEqualityDef def;
    int32_t has_pose; /* weld: relpose was given; connect: both points were */
    AbutVec3 anchor;
} AbutDraftEquality;

/* A site: a frame, and the volume that touch sensors on it feel. */
typedef struct AbutDraftSite {
    AbutFrameDef def;
    AbutShapeKind zone;
    AbutVec3 size;
} AbutDraftSite;

/* Names of the frames of a sensor. */
typedef enum AbutMjcfObject {
    ABUT_MJCF_OBJECT_NONE = 0,
    ABUT_MJCF_OBJECT_BODY, /* the axes of its inertia */
    ABUT_MJCF_OBJECT_XBODY,
    ABUT_MJCF_OBJECT_GEOM,
    ABUT_MJCF_OBJECT_SITE
} AbutMjcfObject;

/* A sensor whose numbers are those of the draft: `body` and `reference_body` count objects of the two kinds. */
typedef struct AbutDraftSensor {
    AbutSensorDef def;
    AbutMjcfObject object, reference;
} AbutDraftSensor;

typedef struct AbutDraftField {
    const char *name, *path; /* path "" when the elevations are in the file, or there are none */
    AbutSource source;
    double size[4];        /* half sizes along x and y, elevation, depth below */
    int32_t rows, columns; /* of the file where there is one */
    double *elevation;     /* as written; NULL: flat, or in a file */
} AbutDraftField;

/* Contents of an MJCF file; names and texts lie in the pool of the XML. */
typedef struct AbutMjcfDraft {
    const char *name;
    AbutVec3 gravity;
    int has_gravity, has_contacts; /* 0: a flag switches them off, wherever it stands */
    double timestep;               /* 0: not stated, then ABUT_MJCF_STEP */
    double total_mass;             /* negative: as it is */
    int32_t body_count, geom_count, joint_count, mesh_count, pair_count, element_count;
    int32_t site_count, tendon_count, actuator_count, equality_count, key_count, sensor_count;
    AbutDraftBody *bodies; /* parents before children */
    AbutDraftGeom *geoms;
    AbutDraftJoint *joints;
    AbutDraftMesh *meshes;
    AbutDraftField *fields;
    int32_t field_count;
    AbutDraftPair *pairs;
    AbutElement *elements;
    AbutDraftSite *sites;
    AbutTendonDef *tendons;
    AbutDraftActuator *actuators;
    AbutDraftEquality *equalities;
    AbutKeyframeDef *keys;
    AbutDraftSensor *sensors;
    AbutVec3 magnetic;
} AbutMjcfDraft;

/* Settings of a file for its reading; an attached file has its own. */
typedef struct AbutMjcfContext {
    const AbutXmlElement *root;
    const char *prefix, *suffix; /* of all names */
    double angle;                /* radians per unit of the file */
    char euler[4];
    const char *folder, *mesh_folder; /* of the file, "" for the outermost; of its meshes */
    int strip_path, auto_limits, fit_vertices;
    int inertia; /* AbutMjcfInertia of meshes that do not say it */
    AbutMjcfMassRules mass;
    int32_t root_class; /* -1: none */
    int depth;          /* 0: of the outermost file */
} AbutMjcfContext;

/* A file that <attach> names, and where it is attached. */
typedef struct AbutMjcfAttached {
    const AbutXmlElement *element;
    AbutMjcfContext context;
} AbutMjcfAttached;

typedef struct AbutMjcfReader {
    AbutXml xml;
    AbutMjcfDraft draft;
    AbutModelReadOptions options;
    AbutError *error;
    AbutMjcfContext now;
    AbutPose frame; /* of the <frame> that is being read, in its body */
    AbutMjcfClass **classes;
    AbutMjcfMaterial *materials;
    AbutMjcfAttached *attached;
    AbutMjcfNames names;
    int32_t class_count, material_count, attached_count;
    size_t class_capacity, material_capacity, body_capacity, geom_capacity, joint_capacity, mesh_capacity,
        attached_capacity;
    size_t pair_capacity, element_capacity, site_capacity, tendon_capacity, actuator_capacity, equality_capacity;
    size_t key_capacity, field_capacity, sensor_capacity;
    int64_t work;            /* left for looking up attributes in default classes */
    int64_t attributes_left; /* of actuators and the like */
    int32_t drawn;           /* triangles that are kept for pictures */
    AbutWarnings warnings;
} AbutMjcfReader;

/* An element as it is looked at: with the default class that holds for it. */
typedef struct AbutMjcfView {
    AbutMjcfReader *reader;
    const AbutXmlElement *element;
    const AbutMjcfClass *class;
    const char *tag; /* under which classes know it; NULL: the element's own */
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
/* Stiffness or damping: up to three numbers, of which the first counts and is not negative; *more is set where others
 * are not 0. */
AbutStatus abut_mjcf_coefficient(const AbutMjcfView *view, const char *name, double *out, int *more);
AbutStatus abut_mjcf_integer(const AbutMjcfView *view, const char *name, int64_t least, int64_t most, int64_t *out);
/* One of the words, as its place; `words` ends with NULL. */
AbutStatus abut_mjcf_word(const AbutMjcfView *view, const char *name, const char *const *words, int *out);
/* quat, axisangle, euler, xyaxes or zaxis of the nearest level that has one. */
AbutQuat abut_mjcf_euler(const AbutMjcfReader *reader, const double *angle); /* in the sequence of the compiler */

/* The shortest turn that brings z to a unit vector; to -z the one about x, as in MuJoCo. */
AbutQuat abut_mjcf_turn_z(AbutVec3 axis);
AbutStatus abut_mjcf_orientation(const AbutMjcfView *view, AbutQuat *out);
AbutStatus abut_mjcf_pose(const AbutMjcfView *view, AbutPose *out); /* pos and orientation */

/* A range and the word that switches it on; without the word a range that is given holds (compiler autolimits). */
AbutStatus abut_mjcf_limits(
    const AbutMjcfView *view, const char *word, const char *name, int32_t *limited, double range[2]);

/* Numbers of a text, counted first: *out lies in the pool. */
AbutStatus abut_mjcf_number_list(const AbutMjcfView *view, const char *name, double **out, size_t *count);

/* Warns about attributes that the row of the table (mjcf_table.c) does not have. */
void abut_mjcf_ignore_others(AbutMjcfReader *reader, const AbutXmlElement *element, const char *row);

/* ---- reader: mjcf_read.c ----------------------------------------------------------------------------------------- */

void abut_mjcf_warn(AbutMjcfReader *reader, const AbutXmlElement *element, const char *format, ...) ABUT_PRINTF(3, 4);
void abut_mjcf_warn_ignored(AbutMjcfReader *reader, const AbutXmlElement *element); /* the element itself */

/* Loads a file and finds its folder, both to be freed; on failure both are NULL. */
AbutStatus abut_import_load(
    const char *path, const char *what, char **bytes, size_t *count, char **folder, AbutError *error);
/* The folder of a path, to be freed; "." when it has none; NULL: no memory. */
char *abut_import_folder(const char *path);

/* Puts an item at the end of an array of the draft or the reader (`of`). */
#define ABUT_MJCF_ADD(reader, of, array, thing, item)                                                                  \
    abut_mjcf_add(reader, &(of)->array, &(of)->thing##_count, &(reader)->thing##_capacity, &(item), sizeof(item))
AbutStatus abut_mjcf_add(
    AbutMjcfReader *reader, void *array, int32_t *count, size_t *capacity, const void *item, size_t bytes_each);

/* Name ("" for none) and place of an element; a name of this kind must be new and then stands for `index`. */
AbutStatus abut_mjcf_place(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfKind kind, int32_t index,
    const char **name, AbutSource *source);
/* The number of a thing by its name in the file of the present context; -1: none. */
int32_t abut_mjcf_find(AbutMjcfReader *reader, AbutMjcfKind kind, const char *name);
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

/* The attribute condim: 1, 3, 4 or 6; *out is left alone where it is not there. */
AbutStatus abut_mjcf_condim(const AbutMjcfView *view, int64_t *out);

/* Friction of a pair of geoms, when all are read. */
void abut_mjcf_pair_law(const AbutMjcfDraft *draft, const AbutDraftPair *pair, AbutPairDef *out);
AbutStatus abut_mjcf_sensors(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_keep_element(AbutMjcfReader *reader, const AbutXmlElement *element, const char *section);
AbutStatus abut_mjcf_site(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body);
AbutStatus abut_mjcf_equality(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_tendon(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_actuator(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_keyframe(AbutMjcfReader *reader, const AbutXmlElement *element);

/* ---- parts that stand for others: mjcf_replicate.c, mjcf_attach.c ------------------------------------------------ */

/* Writes each <replicate> out, as <frame> elements. */
AbutStatus abut_mjcf_replicate(AbutMjcfReader *reader, AbutXmlElement *root);

/* Reads the world of the file that <attach> names: its geoms (bodies 0) or its bodies, at the present frame. */
AbutStatus abut_mjcf_attach(AbutMjcfReader *reader, const AbutXmlElement *element, int32_t body, int bodies);
/* Does everything that an element of an attached file names stand in this model? */
int abut_mjcf_names_are_here(AbutMjcfReader *reader, const AbutXmlElement *element);
/* Geoms, joints, sites and frames of a body, or the bodies below it. */
AbutStatus abut_mjcf_parts(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t index);
AbutStatus abut_mjcf_bodies(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t parent);
AbutStatus abut_mjcf_body(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t parent);
/* A context before its compiler and default sections are read. */
AbutMjcfContext abut_mjcf_context(const AbutXmlElement *root);
/* All sections of one of these tags in the file of the present context. */
AbutStatus abut_mjcf_sections(AbutMjcfReader *reader, const char *tag);
/* Two parts of a path in the pool, with a slash between where both are there; NULL: no memory. */
const char *abut_mjcf_join(AbutMjcfReader *reader, const char *folder, const char *file);
/* Three texts in one, in the pool; NULL: no memory. */
const char *abut_mjcf_glue(AbutMjcfReader *reader, const char *first, const char *middle, const char *last);

/* A name with the prefix and suffix of the present context, in the pool; NULL: no memory. */
const char *abut_mjcf_full_name(AbutMjcfReader *reader, const char *name);

/* The outermost default class; NULL: none. */
const AbutMjcfClass *abut_mjcf_root_class(const AbutMjcfReader *reader);

/* ---- inertia: mjcf_inertia.c ------------------------------------------------------------------------------------- */

/* Principal moments, the largest first, and their axes; products below `part` of the largest moment are dropped, and
 * moments that close are equal. */
#define ABUT_MJCF_MESH_PART 1e-7
#define ABUT_MJCF_EXACT_PART 1e-15
AbutMjcfInertial abut_mjcf_principal(double mass, AbutVec3 center, AbutMat3 inertia, double part);
/* The inertia that its moments and axes make. */
AbutMat3 abut_mjcf_turned(const AbutMjcfInertial *x);
/* Axes, and with them the center, within 1e-6 of the frame of the body are that frame. */
int abut_mjcf_drop_small_place(AbutMjcfInertial *x); /* was there something to drop? */

/* ---- model: mjcf_mass.c, mjcf_fit.c, mjcf_filter.c, mjcf_mesh.c, mjcf_model.c ------------------------------------ */

/* Mass of a mesh of density 1 by one of the rules; false when it has none. */
int abut_mjcf_mesh_mass(const AbutMesh *mesh, const AbutPolyhedron *hull, AbutMjcfInertia rule, AbutMass *out);

/* For a geom in its body's frame; `mesh` is the solid of a mesh geom, of density 1. */
AbutMjcfInertial abut_mjcf_geom_mass(const AbutDraftGeom *geom, const AbutMjcfInertial *mesh);

/* Category and mask of all geoms, and whether they touch anything. */
AbutStatus abut_mjcf_filters(AbutMjcfDraft *draft, AbutError *error);

/* A mesh of the file as geometry: loaded at its first use. */
typedef struct AbutMjcfSolid {
    int touches;          /* a geom that uses it may touch something */
    AbutPolyhedron *hull; /* NULL: not loaded, or flat */
    AbutPieces pieces;    /* count 0: the hull stands for it */
    AbutMesh surface;     /* to be kept with the hull; no triangles: none */
    AbutMesh drawn;       /* of shapes that are only drawn, the same */
    int seen;             /* a geom that is only drawn uses it */
    int weighs;           /* the mass of a body depends on it */
    int wanted;           /* some geom needs it */
    int loaded;
    int fresh, taken;  /* what was made of it is not in the cache yet; abut_mjcf_take_solid has seen it */
    AbutStatus status; /* of that, with `why` */
    AbutError why;
    AbutMesh mesh; /* as the file has it, in the frame of the model, until it is taken */
    AbutCacheKey key;
    double volume;             /* by the rule of the mesh */
    AbutMjcfInertial inertial; /* by the rule of the mesh, of density 1 */
    AbutAabb extent;           /* of its vertices, in the axes of that */
} AbutMjcfSolid;

void abut_mjcf_measure(const AbutMesh *mesh, const AbutMjcfInertial *solid, AbutAabb *out);
/* Gives a fitted geom its size and place. */
void abut_mjcf_fit(const AbutMjcfSolid *mesh, AbutDraftGeom *geom);

/* A relative path that does not leave its folder. */
int abut_mjcf_stays_inside(const char *path);

/* Does a path lead out of the folder by symbolic links? What is not there does not. */
int abut_mjcf_leads_out(const char *folder, const char *path);

/* Cuts what a failure quotes of a file: one that is named as a mesh may be anything. */
void abut_mjcf_hide_content(AbutError *error);

/* Where a file lies that is named from `folder`; 0 when there is no room for the path. */
int abut_mjcf_locate(const char *folder, const char *file, char *out, size_t room);

/* Has a mesh to be kept beside its hull: 1, turned outside out where a mirrored scale has turned it; 0: it fills the
 * hull; -1: it is not closed. */
int abut_mjcf_surface(AbutMesh *mesh, const AbutPolyhedron *hull);

/* Copies a mesh that is to be drawn as it is, turned outside out where its scale has mirrored it; false: there would be
 * too many triangles in all, or there is no memory. */
int abut_import_keep_drawn(const AbutMesh *mesh, AbutVec3 scale, int32_t *total, AbutMesh *out);

/* Hull of a mesh and, with `wants`, its pieces, from the cache or made; *fresh: these are worth to be put there. */
AbutStatus abut_import_solid(const AbutMesh *mesh, const char *cache, int wants_pieces, AbutCached *out,
    AbutCacheKey *key, int *fresh, AbutError *error);

/* Reads the file of a mesh and makes its hull and pieces; several at a time. Then takes them, one after the other. */
void abut_mjcf_prepare_solid(const AbutMjcfReader *reader, const AbutDraftMesh *mesh, AbutMjcfSolid *out);
AbutStatus abut_mjcf_take_solid(
    AbutMjcfReader *reader, const AbutDraftMesh *mesh, AbutMjcfSolid *out, AbutError *error);
void abut_mjcf_free_solid(AbutMjcfSolid *solid);

/* Path of an asset with the folder of meshes in front, in the pool; and where it lies, inside the folder of the scene.
 */
AbutStatus abut_mjcf_asset_path(const AbutMjcfView *view, const char *file, const char **out);
AbutStatus abut_mjcf_file_path(
    const AbutMjcfReader *reader, const AbutXmlElement *at, const char *file, char *out, size_t room, AbutError *error);

/* A <hfield>; and the shape of a geom that is one, `def` but for the form, with its number (mjcf_hfield.c). */
AbutStatus abut_mjcf_hfield(AbutMjcfReader *reader, const AbutXmlElement *element);
AbutStatus abut_mjcf_add_field(
    AbutMjcfReader *reader, AbutModel *model, int32_t number, const AbutShapeDef *def, int32_t *out);

/* Messages about a thing of the file: "file:line: <tag>: ...". */
AbutXmlElement abut_mjcf_at(AbutSource source, const char *tag);

/* The model of all that was read. */
AbutStatus abut_mjcf_make_model(AbutMjcfReader *reader, AbutModel *model);

#endif
