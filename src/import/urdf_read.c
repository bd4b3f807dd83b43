/* SPDX-License-Identifier: Apache-2.0 */
/*
 * URDF into a model. Links and joints are read, joined to a tree that has one root, and made into bodies from the root
 * on, the joints of a link in the order of the file. The frame of a joint is that of its child link.
 */
#include "import/parse.h"
#include "import/urdf_read.h"
#include "import/xacro.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

/* ---- elements ---------------------------------------------------------------------------------------------------- */

void abut_urdf_warn(AbutUrdfReader *reader, const AbutXmlElement *element, const char *format, ...) {
    va_list args;
    va_start(args, format);
    abut_import_warn(&reader->warnings, &reader->options, element, format, args);
    va_end(args);
}

void abut_urdf_ignore_children(AbutUrdfReader *reader, const AbutXmlElement *element, const char *const *known) {
    for (const AbutXmlElement *e = element->child; e; e = e->next) {
        int found = 0;
        for (int i = 0; known[i] && !found; ++i) found = strcmp(known[i], e->tag) == 0;
        if (!found) abut_urdf_warn(reader, e, "is ignored");
    }
}

const AbutXmlElement *abut_urdf_child(const AbutXmlElement *element, const char *tag) {
    const AbutXmlElement *e = element->child;
    while (e && strcmp(e->tag, tag) != 0) e = e->next;
    return e;
}

AbutStatus abut_urdf_numbers(
    AbutUrdfReader *reader, const AbutXmlElement *element, const char *name, int count, double *out) {
    const char *p = abut_xml_attribute(element, name);
    double numbers[7];
    if (!p) return ABUT_OK;
    const char *end = p + strlen(p), *value = p;
    int n = 0;
    for (; n <= count; ++n) {
        while (abut_is_space(*p)) ++p;
        if (!*p || n == count) break;
        if (abut_parse_double(&p, end, &numbers[n]) != ABUT_NUMBER_OK || (*p && !abut_is_space(*p))) n = count + 1;
    }
    if (n != count || *p)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute %.40s: expected %d finite number%s, got '%.60s'", name, count, count > 1 ? "s" : "", value);
    for (n = 0; n < count && count == 3; ++n)
        if (fabs(numbers[n]) > ABUT_IMPORT_LARGEST)
            return abut_xml_fail(reader->error, element, ABUT_ERROR_NUMBER,
                "attribute %.40s: expected numbers of at most %g, got '%.60s'", name, ABUT_IMPORT_LARGEST, value);
    memcpy(out, numbers, (size_t)count * sizeof *out);
    return ABUT_OK;
}

AbutStatus abut_urdf_origin(AbutUrdfReader *reader, const AbutXmlElement *element, AbutPose *out) {
    const AbutXmlElement *origin = abut_urdf_child(element, "origin");
    double p[3] = {0}, rpy[3] = {0};
    AbutStatus status = origin ? abut_urdf_numbers(reader, origin, "xyz", 3, p) : ABUT_OK;
    if (!status && origin) status = abut_urdf_numbers(reader, origin, "rpy", 3, rpy);
    AbutQuat q = abut_quat_identity();
    for (int i = 2; i >= 0; --i) q = abut_quat_mul(q, abut_quat_axis_angle(abut_axis(i), rpy[i]));
    *out = abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat_normalize(q));
    return status;
}

static AbutStatus new_name(AbutUrdfReader *reader, const AbutXmlElement *element, AbutMjcfKind kind, int32_t number) {
    const char *name = abut_xml_attribute(element, "name");
    int32_t old;
    if (!name)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "attribute name: expected a name, got nothing");
    if (!abut_mjcf_names_add(&reader->names, kind, name, number, &old)) return abut_fail_memory(reader->error);
    if (old >= 0)
        return abut_xml_fail(
            reader->error, element, ABUT_ERROR_FORMAT, "attribute name: expected a new name, got '%.100s' again", name);
    return ABUT_OK;
}

/* ---- links and joints -------------------------------------------------------------------------------------------- */

static AbutStatus read_link(AbutUrdfReader *reader, const AbutXmlElement *element) {
    ABUT_TRY(new_name(reader, element, ABUT_MJCF_KIND_BODY, reader->link_count));
    if (!abut_grow(
            (void **)&reader->links, &reader->link_capacity, (size_t)reader->link_count + 1, sizeof *reader->links))
        return abut_fail_memory(reader->error);
    reader->links[reader->link_count++] =
        (AbutUrdfLink){element, abut_xml_attribute(element, "name"), -1, -1, -1, -1, -1, 0};
    return ABUT_OK;
}

/* The link that <parent link> or <child link> names. */
static AbutStatus find_link(AbutUrdfReader *reader, const AbutXmlElement *joint, const char *tag, int32_t *out) {
    const AbutXmlElement *element = abut_urdf_child(joint, tag);
    const char *name = element ? abut_xml_attribute(element, "link") : NULL;
    *out = name ? abut_mjcf_names_find(&reader->names, ABUT_MJCF_KIND_BODY, name) : -1;
    if (*out >= 0) return ABUT_OK;
    return abut_xml_fail(reader->error, element ? element : joint, ABUT_ERROR_FORMAT,
        "expected <%s link> that names a link, got '%.100s'", tag, name ? name : "nothing");
}

static AbutStatus read_type(AbutUrdfReader *reader, const AbutXmlElement *element, AbutUrdfType *out) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed", "floating"};
    const char *type = abut_xml_attribute(element, "type");
    for (int i = 0; type && i < 5; ++i)
        if (strcmp(types[i], type) == 0) {
            *out = (AbutUrdfType)i;
            return ABUT_OK;
        }
    return abut_xml_fail(reader->error, element,
        type && strcmp(type, "planar") == 0 ? ABUT_ERROR_UNSUPPORTED : ABUT_ERROR_FORMAT,
        "attribute type: expected one of revolute, continuous, prismatic, fixed, floating, got '%.60s'",
        type ? type : "nothing");
}

/* Hangs the child on the parent; a second parent is refused. */
static AbutStatus hang(AbutUrdfReader *reader, int32_t number) {
    AbutUrdfJoint *joint = &reader->joints[number];
    AbutUrdfLink *child = &reader->links[joint->child], *parent = &reader->links[joint->parent];
    if (child->joint >= 0)
        return abut_xml_fail(reader->error, joint->element, ABUT_ERROR_FORMAT,
            "link '%.80s' has two parents: joint '%.80s' leads to it already", child->name,
            reader->joints[child->joint].name);
    child->joint = number;
    if (parent->last_joint >= 0)
        reader->joints[parent->last_joint].next = number;
    else
        parent->first_joint = number;
    parent->last_joint = number;
    return ABUT_OK;
}

static AbutStatus read_joint(AbutUrdfReader *reader, const AbutXmlElement *element) {
    static const char *const known[] = {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", NULL};
    AbutUrdfJoint joint = {.element = element, .name = abut_xml_attribute(element, "name"), .next = -1, .number = -1};
    ABUT_TRY(new_name(reader, element, ABUT_MJCF_KIND_JOINT, reader->joint_count));
    ABUT_TRY(read_type(reader, element, &joint.type));
    ABUT_TRY(find_link(reader, element, "parent", &joint.parent));
    ABUT_TRY(find_link(reader, element, "child", &joint.child));
    ABUT_TRY(abut_urdf_origin(reader, element, &joint.pose));
    if (!abut_grow(
            (void **)&reader->joints, &reader->joint_capacity, (size_t)reader->joint_count + 1, sizeof *reader->joints))
        return abut_fail_memory(reader->error);
    reader->joints[reader->joint_count++] = joint;
    abut_urdf_ignore_children(reader, element, known);
    return hang(reader, reader->joint_count - 1);
}

static AbutStatus read_elements(AbutUrdfReader *reader) {
    static const char *const known[] = {"link", "joint", "material", NULL};
    const AbutXmlElement *root = reader->xml.root;
    AbutStatus status = ABUT_OK;
    if (strcmp(root->tag, "robot") != 0)
        return abut_xml_fail(reader->error, root, ABUT_ERROR_FORMAT, "expected root element <robot>");
    for (const AbutXmlElement *e = root->child; e && !status; e = e->next)
        if (strcmp(e->tag, "link") == 0) status = read_link(reader, e);
    for (const AbutXmlElement *e = root->child; e && !status; e = e->next)
        if (strcmp(e->tag, "joint") == 0) status = read_joint(reader, e);
    abut_urdf_ignore_children(reader, root, known);
    if (!status && reader->link_count == 0)
        status = abut_xml_fail(reader->error, root, ABUT_ERROR_FORMAT, "expected a <link>, got none");
    return status;
}

/* ---- joints of the model ----------------------------------------------------------------------------------------- */

static AbutStatus read_limit(AbutUrdfReader *reader, const AbutUrdfJoint *joint, AbutJointDef *def) {
    const AbutXmlElement *limit = abut_urdf_child(joint->element, "limit");
    double effort = 0.0;
    if (!limit && joint->type != ABUT_URDF_CONTINUOUS)
        return abut_xml_fail(reader->error, joint->element, ABUT_ERROR_FORMAT,
            "expected <limit> in joint '%.80s', got none: its type has one; 'continuous' turns without", joint->name);
    if (!limit) return ABUT_OK;
    ABUT_TRY(abut_urdf_numbers(reader, limit, "lower", 1, &def->range[0]));
    ABUT_TRY(abut_urdf_numbers(reader, limit, "upper", 1, &def->range[1]));
    ABUT_TRY(abut_urdf_numbers(reader, limit, "effort", 1, &effort));
    def->limited = joint->type != ABUT_URDF_CONTINUOUS;
    if (def->limited && !(def->range[0] <= def->range[1]))
        return abut_xml_fail(reader->error, limit, ABUT_ERROR_FORMAT, "expected lower at most upper, got %g and %g",
            def->range[0], def->range[1]);
    if (effort < 0.0) abut_urdf_warn(reader, limit, "effort %g is taken as no limit", effort);
    def->force_limited = effort > 0.0;
    def->force_range[0] = -effort;
    def->force_range[1] = effort;
    return ABUT_OK;
}

static AbutStatus read_axis(AbutUrdfReader *reader, const AbutUrdfJoint *joint, AbutJointDef *def) {
    const AbutXmlElement *axis = abut_urdf_child(joint->element, "axis");
    double v[3] = {1.0, 0.0, 0.0};
    ABUT_TRY(axis ? abut_urdf_numbers(reader, axis, "xyz", 3, v) : ABUT_OK);
    def->axis = abut_normalize(abut_vec3(v[0], v[1], v[2]));
    if (!(abut_length(def->axis) > 0.5))
        return abut_xml_fail(reader->error, axis, ABUT_ERROR_FORMAT, "attribute xyz: expected a direction, got zero");
    return ABUT_OK;
}

static AbutStatus add_joint(AbutUrdfReader *reader, AbutUrdfJoint *joint, int32_t body) {
    const AbutXmlElement *dynamics = abut_urdf_child(joint->element, "dynamics");
    AbutJointDef def = abut_joint_default();
    AbutError inner;
    def.kind = joint->type == ABUT_URDF_PRISMATIC ? ABUT_JOINT_SLIDE : ABUT_JOINT_HINGE;
    def.name = joint->name;
    def.body = body;
    def.source = (AbutSource){joint->element->file, joint->element->line};
    ABUT_TRY(read_axis(reader, joint, &def));
    ABUT_TRY(read_limit(reader, joint, &def));
    if (dynamics) ABUT_TRY(abut_urdf_numbers(reader, dynamics, "damping", 1, &def.damping));
    if (dynamics) ABUT_TRY(abut_urdf_numbers(reader, dynamics, "friction", 1, &def.friction_loss));
    AbutStatus status = abut_model_add_joint(reader->model, &def, &joint->number, &inner);
    return status ? abut_xml_fail(reader->error, joint->element, status, "%.300s", inner.text) : ABUT_OK;
}

static AbutStatus add_mimic(AbutUrdfReader *reader, const AbutUrdfJoint *joint) {
    const AbutXmlElement *mimic = abut_urdf_child(joint->element, "mimic");
    AbutEqualityDef def = abut_equality_default();
    AbutError inner;
    if (!mimic || joint->number < 0) return ABUT_OK;
    const char *name = abut_xml_attribute(mimic, "joint");
    int32_t other = name ? abut_mjcf_names_find(&reader->names, ABUT_MJCF_KIND_JOINT, name) : -1;
    if (other < 0 || reader->joints[other].number < 0)
        return abut_xml_fail(reader->error, mimic, ABUT_ERROR_FORMAT,
            "attribute joint: expected a joint that moves, got '%.100s'", name ? name : "nothing");
    def.a = joint->number;
    def.b = reader->joints[other].number;
    def.source = (AbutSource){mimic->file, mimic->line};
    ABUT_TRY(abut_urdf_numbers(reader, mimic, "offset", 1, &def.polynomial[0]));
    ABUT_TRY(abut_urdf_numbers(reader, mimic, "multiplier", 1, &def.polynomial[1]));
    AbutStatus status = abut_model_add_equality(reader->model, &def, NULL, &inner);
    return status ? abut_xml_fail(reader->error, mimic, status, "%.300s", inner.text) : ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Does a link stand, as the root or fixed to it? Then its pose in the world. */
static int stands(const AbutUrdfReader *reader, const AbutUrdfLink *link, AbutPose *pose) {
    *pose = abut_pose_identity();
    for (; link->joint >= 0; link = &reader->links[reader->joints[link->joint].parent]) {
        if (reader->joints[link->joint].type != ABUT_URDF_FIXED) return 0;
        *pose = abut_pose_mul(reader->joints[link->joint].pose, *pose);
    }
    return !reader->options.free_root;
}

/* Kind of the body of a link: the root stands or is free; a floating joint leaves what stands. */
static AbutStatus describe(AbutUrdfReader *reader, const AbutUrdfLink *link, AbutBodyDef *body) {
    const AbutUrdfJoint *joint = link->joint >= 0 ? &reader->joints[link->joint] : NULL;
    body->kind = joint ? ABUT_BODY_LINK : reader->options.free_root ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    if (!joint) return ABUT_OK;
    const AbutUrdfLink *parent = &reader->links[joint->parent];
    body->parent = parent->body;
    body->pose = joint->pose;
    if (joint->type != ABUT_URDF_FLOATING) return ABUT_OK;
    AbutPose outer;
    if (!stands(reader, parent, &outer))
        return abut_xml_fail(reader->error, joint->element, ABUT_ERROR_UNSUPPORTED,
            "a floating joint leads away from a link that is fixed to the world");
    body->pose = abut_pose_mul(outer, joint->pose);
    body->kind = ABUT_BODY_DYNAMIC;
    body->parent = -1;
    body->joint_name = joint->name;
    return ABUT_OK;
}

/* Marks the links from each one with an <inertial> up to the one that it moves with. */
static void mark_masses(AbutUrdfReader *reader) {
    for (int32_t i = 0; i < reader->link_count; ++i) {
        AbutUrdfLink *link = &reader->links[i];
        if (!abut_urdf_child(link->element, "inertial")) continue;
        while (!link->has_mass) {
            link->has_mass = 1;
            if (link->joint < 0 || reader->joints[link->joint].type != ABUT_URDF_FIXED) break;
            link = &reader->links[reader->joints[link->joint].parent];
        }
    }
}

static AbutStatus add_link(AbutUrdfReader *reader, AbutUrdfLink *link) {
    AbutBodyDef body = abut_body_default();
    AbutError inner;
    const AbutUrdfJoint *joint = link->joint >= 0 ? &reader->joints[link->joint] : NULL;
    int fixed = joint && joint->type == ABUT_URDF_FIXED;
    link->weld = fixed ? reader->links[joint->parent].weld : (int32_t)(link - reader->links);
    body.name = link->name;
    body.source = (AbutSource){link->element->file, link->element->line};
    ABUT_TRY(describe(reader, link, &body));
    ABUT_TRY(abut_urdf_inertial(reader, link, &body));
    AbutStatus status = abut_model_add_body(reader->model, &body, &link->body, &inner);
    if (status) return abut_xml_fail(reader->error, link->element, status, "%.300s", inner.text);
    if (link->joint >= 0 && reader->joints[link->joint].type < ABUT_URDF_FIXED)
        status = add_joint(reader, &reader->joints[link->joint], link->body);
    return status ? status : abut_urdf_shapes(reader, link);
}

/* All links from the root on, without recursion; what is not reached is part of a cycle, or of a second tree. */
static AbutStatus add_links(AbutUrdfReader *reader) {
    int32_t root = 0;
    while (root < reader->link_count && reader->links[root].joint >= 0) ++root;
    if (root == reader->link_count)
        return abut_xml_fail(reader->error, reader->links[0].element, ABUT_ERROR_FORMAT,
            "expected a link without parent: the joints form a cycle");
    AbutStatus status = ABUT_OK;
    int32_t made = 0, at = root;
    mark_masses(reader);
    while (!status && at >= 0) {
        if (reader->links[at].body < 0) {
            status = add_link(reader, &reader->links[at]);
            ++made;
        }
        int32_t down = reader->links[at].first_joint;
        while (down >= 0 && reader->links[reader->joints[down].child].body >= 0) down = reader->joints[down].next;
        at = down >= 0                      ? reader->joints[down].child
             : reader->links[at].joint >= 0 ? reader->joints[reader->links[at].joint].parent
                                            : -1;
    }
    for (int32_t i = 0; i < reader->link_count && !status && made < reader->link_count; ++i)
        if (reader->links[i].body < 0)
            status = abut_xml_fail(reader->error, reader->links[i].element, ABUT_ERROR_FORMAT,
                "link '%.80s' is not connected to the root link '%.80s': expected one tree without cycles",
                reader->links[i].name, reader->links[root].name);
    return status;
}

static AbutStatus make_model(AbutUrdfReader *reader) {
    const char *name = abut_xml_attribute(reader->xml.root, "name");
    const AbutTree *tree;
    AbutConfiguration *c = NULL;
    ABUT_TRY(read_elements(reader));
    ABUT_TRY(abut_model_set_name(reader->model, name, reader->error));
    ABUT_TRY(add_links(reader));
    for (int32_t i = 0; i < reader->joint_count; ++i) ABUT_TRY(add_mimic(reader, &reader->joints[i]));
    AbutStatus status = abut_tree_create(reader->model, &tree, reader->error);
    if (!status) status = abut_configuration_create(tree, &c, reader->error); /* masses of what moves */
    abut_configuration_free(c);
    abut_tree_release(tree);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Behind the next `word`, or the end. */
static const char *behind(const char *p, const char *end, const char *word) {
    size_t length = strlen(word);
    while ((size_t)(end - p) >= length && memcmp(p, word, length) != 0) ++p;
    return (size_t)(end - p) >= length ? p + length : end;
}

static int starts(const char *p, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - p) >= length && memcmp(p, word, length) == 0;
}

/* Name of the next element that begins at p or later, which is not part of a comment or the like; the end: none. */
static const char *next_element(const char *p, const char *end) {
    static const char *const skipped[][2] = {
        {"!--", "-->"}, {"![CDATA[", "]]>"}, {"?", "?>"}, {"!", ">"}, {"/", ">"}, {"", ""}};
    while ((p = behind(p, end, "<")) < end) {
        int i = 0;
        while (!starts(p, end, skipped[i][0])) ++i;
        if (!*skipped[i][0]) break;
        p = behind(p + strlen(skipped[i][0]), end, skipped[i][1]);
    }
    return p;
}

static int has_root(const char *bytes, size_t count, const char *name) {
    const char *end = bytes + count, *root = next_element(bytes, end);
    if (!starts(root, end, name)) return 0;
    root += strlen(name);
    return root < end && (abut_is_space(*root) || *root == '>' || *root == '/');
}

/* Is a text xacro: by the ending of its name, or by an element of it? */
static int has_macros(const char *bytes, size_t count, const char *name) {
    const char *end = bytes + count, *p = next_element(bytes, end);
    size_t length = strlen(name);
    if (length > 6 && strcmp(name + length - 6, ".xacro") == 0) return 1;
    while (p < end && !starts(p, end, "xacro:")) p = next_element(p, end);
    return p < end;
}

static AbutStatus refuse_arguments(
    const AbutModelReadOptions *options, const char *name, const char *kind, AbutError *error) {
    if (options->argument_count == 0) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected a xacro file for %s:=%s, got %s", name,
        options->arguments[0].name, options->arguments[0].value, kind);
}

static AbutStatus expand_macros(AbutUrdfReader *reader) {
    AbutXacro xacro = {.xml = &reader->xml, .reader = reader, .error = reader->error};
    if (reader->options.folder) reader->folders[reader->folder_count++] = reader->options.folder;
    return abut_xacro_expand(&xacro, reader->xml.root, &reader->xml.root);
}

AbutStatus abut_model_parse_urdf(const void *bytes, size_t count, const char *name, const AbutModelReadOptions *options,
    AbutModel **out, AbutError *error) {
    ABUT_ASSERT((bytes || count == 0) && out);
    AbutUrdfReader reader = {.error = error, .xml = {.error = error}};
    *out = NULL;
    name = name && *name ? name : "robot";
    if (options) reader.options = *options;
    reader.xml.keep_prefix = count && has_macros(bytes, count, name);
    if (!reader.xml.keep_prefix) ABUT_TRY(refuse_arguments(&reader.options, name, "URDF", error));
    AbutStatus status = abut_xml_parse_one(&reader.xml, bytes, count, name, &reader.xml.root);
    if (!status && reader.xml.keep_prefix) status = expand_macros(&reader);
    if (!status) status = abut_model_create(&reader.model, error);
    if (!status) status = make_model(&reader);
    abut_import_warn_end(&reader.warnings, &reader.options);
    abut_free(reader.links);
    abut_free(reader.joints);
    abut_mjcf_names_free(&reader.names);
    abut_pool_free(&reader.xml.pool);
    if (status)
        abut_model_free(reader.model);
    else
        *out = reader.model;
    return status;
}

AbutStatus abut_model_read(const char *path, const AbutModelReadOptions *options, AbutModel **out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutModelReadOptions own = {0};
    char *bytes, *folder;
    size_t count;
    *out = NULL;
    if (options) own = *options;
    ABUT_TRY(abut_import_load(path, "MJCF or URDF", &bytes, &count, &folder, error));
    if (!own.folder) own.folder = folder;
    int robot = has_root(bytes, count, "robot");
    AbutStatus status = robot ? ABUT_OK : refuse_arguments(&own, path, "MJCF", error);
    if (!status)
        status = robot ? abut_model_parse_urdf(bytes, count, path, &own, out, error)
                       : abut_model_parse_mjcf(bytes, count, path, &own, out, error);
    abut_free(bytes);
    abut_free(folder);
    return status;
}
