/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <replicate> written out, before anything else is read: copies of its children in frames that move on by offset and
 * euler, each name with the number of the copy behind it. Elements of other sections that name one of them are copied
 * too, to the end of their section. Inner ones first. The copies count as elements of the file, which are limited.
 */
#include "import/mjcf_read.h"

#include <stdio.h>
#include <string.h>

enum { COPIES = 100000, NAMES = 20000 };

typedef struct Replicating {
    AbutMjcfReader *reader;
    AbutXmlElement *root;
    const char *names[NAMES]; /* of the present subtree, and of what refers to it */
    int name_count;
    int count, digits;
    const char *separator;
} Replicating;

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static const char *with_number(Replicating *r, const char *name, int number) {
    char text[400];
    int n = snprintf(text, sizeof text, "%.300s%.60s%0*d", name, r->separator, r->digits, number);
    return abut_pool_text(&r->reader->xml.pool, text, (size_t)n);
}

static int is_replicated(const Replicating *r, const char *name) {
    for (int i = 0; i < r->name_count; ++i)
        if (strcmp(r->names[i], name) == 0) return 1;
    return 0;
}

/* An attribute that is or may be the name of a replicated thing. */
static int is_reference(const char *attribute) {
    static const char *const names[] = {"name", "joint", "joint1", "joint2", "jointinparent", "body", "body1", "body2",
        "geom", "geom1", "geom2", "site", "site1", "site2", "sidesite", "refsite", "cranksite", "slidersite", "tendon",
        "actuator", "objname", "refname", "target", "subtree1", "subtree2", NULL};
    for (int i = 0; names[i]; ++i)
        if (strcmp(names[i], attribute) == 0) return 1;
    return 0;
}

/* A deep copy with the number behind every replicated name; NULL: no memory, or too many. */
static AbutXmlElement *copy(Replicating *r, const AbutXmlElement *from, AbutXmlElement *parent, int number) {
    AbutXml *xml = &r->reader->xml;
    AbutXmlElement *to = ++xml->elements <= ABUT_XML_ELEMENTS ? abut_pool_take(&xml->pool, sizeof *to) : NULL;
    if (!to) return NULL;
    *to = *from;
    to->parent = parent;
    to->child = to->last_child = to->next = NULL;
    if (strcmp(from->tag, "attach") == 0 && !(to->suffix = with_number(r, from->suffix ? from->suffix : "", number)))
        return NULL;
    to->attributes = abut_pool_take(&xml->pool, (size_t)from->attribute_count * sizeof *to->attributes);
    for (int32_t i = 0; to->attributes && i < from->attribute_count; ++i) {
        to->attributes[i] = from->attributes[i];
        if (is_reference(from->attributes[i].name) && is_replicated(r, from->attributes[i].value))
            to->attributes[i].value = with_number(r, from->attributes[i].value, number);
        if (!to->attributes[i].value) return NULL;
    }
    for (const AbutXmlElement *e = from->child; to->attributes && e; e = e->next) {
        AbutXmlElement *inner = copy(r, e, to, number);
        if (!inner) return NULL;
        *(to->last_child ? &to->last_child->next : &to->child) = inner;
        to->last_child = inner;
    }
    return to->attributes ? to : NULL;
}

/* Names inside a subtree; 0: too many. */
static int collect(Replicating *r, const AbutXmlElement *element) {
    const char *name = abut_xml_attribute(element, "name");
    if (name && *name) {
        if (r->name_count == NAMES) return 0;
        r->names[r->name_count++] = name;
    }
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (!collect(r, e)) return 0;
    return 1;
}

/* Why there are no more copies: a limit, or memory. */
static AbutStatus too_many(const Replicating *r, const AbutXmlElement *element) {
    if (r->reader->xml.elements <= ABUT_XML_ELEMENTS && r->name_count < NAMES)
        return abut_fail_memory(r->reader->error);
    return abut_xml_fail(r->reader->error, element, ABUT_ERROR_LIMIT,
        "expected at most %d copies, %d names and %d elements in all", COPIES, NAMES, ABUT_XML_ELEMENTS);
}

/* ---- elements that refer to the copies --------------------------------------------------------------------------- */

static int refers(const Replicating *r, const AbutXmlElement *element) {
    for (int32_t i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, "name") != 0 && is_reference(element->attributes[i].name) &&
            is_replicated(r, element->attributes[i].value))
            return 1;
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (refers(r, e)) return 1;
    return 0;
}

static void append(AbutXmlElement *parent, AbutXmlElement *element) {
    *(parent->last_child ? &parent->last_child->next : &parent->child) = element;
    parent->last_child = element;
}

/* Moves what refers to a replicated name out of the section, and its copies to the end. */
static AbutStatus copy_referring(Replicating *r, AbutXmlElement *section) {
    AbutXmlElement *e = section->child, *next, referring = {0};
    section->child = section->last_child = NULL;
    for (; e; e = next) {
        next = e->next;
        e->next = NULL;
        int copied = refers(r, e);
        append(copied ? &referring : section, e);
        if (copied && !collect(r, e)) return too_many(r, e);
    }
    for (int k = 0; k < r->count; ++k)
        for (e = referring.child; e; e = e->next) {
            AbutXmlElement *new = copy(r, e, section, k);
            if (!new) return too_many(r, e);
            append(section, new);
        }
    return ABUT_OK;
}

static AbutStatus copy_sections(Replicating *r) {
    static const char *const sections[] = {"contact", "tendon", "equality", "actuator", "sensor"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i)
        for (AbutXmlElement *e = r->root->child; e; e = e->next)
            if (strcmp(e->tag, sections[i]) == 0) ABUT_TRY(copy_referring(r, e));
    return ABUT_OK;
}

/* ---- writing out ------------------------------------------------------------------------------------------------- */

/* <frame pos=".." quat=".."> with the numbers of a pose. */
static AbutXmlElement *frame_of(Replicating *r, const AbutXmlElement *element, AbutXmlElement *parent, AbutPose pose) {
    AbutPool *pool = &r->reader->xml.pool;
    char p[100], q[140];
    int n = snprintf(p, sizeof p, "%.17g %.17g %.17g", pose.p.x, pose.p.y, pose.p.z);
    int m = snprintf(q, sizeof q, "%.17g %.17g %.17g %.17g", pose.q.w, pose.q.x, pose.q.y, pose.q.z);
    AbutXmlElement *frame = abut_pool_take(pool, sizeof *frame);
    AbutAttribute *attributes = abut_pool_take(pool, 2 * sizeof *attributes);
    if (!frame || !attributes) return NULL;
    *frame = (AbutXmlElement){
        .tag = "frame", .file = element->file, .line = element->line, .attribute_count = 2, .attributes = attributes};
    attributes[0] = (AbutAttribute){"pos", abut_pool_text(pool, p, (size_t)n)};
    attributes[1] = (AbutAttribute){"quat", abut_pool_text(pool, q, (size_t)m)};
    frame->parent = parent;
    return attributes[0].value && attributes[1].value ? frame : NULL;
}

/* From one copy to the next: a shift in the frame of the one, and angles. */
typedef struct Step {
    AbutVec3 offset;
    double euler[3];
} Step;

static AbutStatus read_step(Replicating *r, const AbutXmlElement *element, Step *step) {
    AbutMjcfView view = {r->reader, element, NULL, NULL};
    int64_t count = -1;
    memset(step, 0, sizeof *step);
    AbutStatus status = abut_mjcf_integer(&view, "count", 0, COPIES, &count);
    if (!status && count < 0)
        status = abut_xml_fail(r->reader->error, element, ABUT_ERROR_FORMAT, "expected attribute count");
    if (!status) status = abut_mjcf_vec3(&view, "offset", &step->offset);
    if (!status) status = abut_mjcf_numbers(&view, "euler", 3, 3, step->euler, NULL);
    const char *separator = abut_xml_attribute(element, "sep");
    r->count = (int)count;
    r->separator = separator ? separator : "";
    r->digits = snprintf(NULL, 0, "%d", r->count);
    abut_mjcf_ignore_others(r->reader, element, "replicate");
    return status;
}

/* Angles grow with the number of the copy, each for itself, as MuJoCo has it: not the power of one turn. */
static AbutPose next_pose(const Replicating *r, const Step *step, AbutPose pose, int number) {
    const double angle[3] = {number * step->euler[0], number * step->euler[1], number * step->euler[2]};
    pose.p = abut_add(pose.p, abut_quat_rotate(pose.q, step->offset));
    pose.q = abut_mjcf_euler(r->reader, angle);
    return pose;
}

/* Puts the copies where `element` stands, behind `before` (NULL: first). *last is the last of them. */
static AbutStatus write_out(Replicating *r, AbutXmlElement *element, AbutXmlElement **link, AbutXmlElement **last) {
    AbutPose pose = abut_pose_identity();
    Step step;
    AbutStatus status = read_step(r, element, &step);
    r->name_count = 0;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next)
        if (!collect(r, e)) status = too_many(r, element);
    for (int i = 0; i < r->count && !status; ++i) {
        AbutXmlElement *frame = frame_of(r, element, element->parent, pose);
        for (const AbutXmlElement *e = element->child; frame && e; e = e->next) {
            AbutXmlElement *inner = copy(r, e, frame, i);
            if (!inner) return too_many(r, element);
            append(frame, inner);
        }
        if (!frame) return too_many(r, element);
        *link = *last = frame;
        link = &frame->next;
        pose = next_pose(r, &step, pose, i + 1);
    }
    *link = element->next;
    return status ? status : copy_sections(r);
}

static AbutStatus expand(Replicating *r, AbutXmlElement *parent) {
    AbutXmlElement *before = NULL;
    for (AbutXmlElement *e = parent->child, *next; e; e = next) {
        next = e->next;
        AbutStatus status = e->child ? expand(r, e) : ABUT_OK;
        AbutXmlElement *last = before;
        if (!status && strcmp(e->tag, "replicate") == 0)
            status = write_out(r, e, before ? &before->next : &parent->child, &last);
        else
            last = e;
        if (status) return status;
        before = last;
    }
    parent->last_child = before;
    return ABUT_OK;
}

/* Is there any below? */
static int has_replicate(const AbutXmlElement *element) {
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        if (strcmp(e->tag, "replicate") == 0 || has_replicate(e)) return 1;
    return 0;
}

AbutStatus abut_mjcf_replicate(AbutMjcfReader *reader, AbutXmlElement *root) {
    if (!has_replicate(root)) return ABUT_OK;
    AbutMjcfContext own = reader->now;
    double total_mass = reader->draft.total_mass; /* of the outermost file, which this may not be */
    reader->now = abut_mjcf_context(root);
    Replicating *work = abut_pool_take(&reader->xml.pool, sizeof *work);
    if (!work) return abut_fail_memory(reader->error);
    memset(work, 0, sizeof *work);
    work->reader = reader;
    work->root = root;
    AbutStatus status = abut_mjcf_sections(reader, "compiler"); /* for the units of angles */
    for (AbutXmlElement *e = root->child; e && !status; e = e->next)
        if (strcmp(e->tag, "worldbody") == 0) status = expand(work, e);
    reader->now = own;
    reader->draft.total_mass = total_mass;
    return status;
}
