/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mass of each body of an MJCF draft: from <inertial> or from its geoms, as the compiler section says; then its
 * bounds, the balance of its moments and the total, in MuJoCo's order.
 */
#include "import/mjcf_making.h"

typedef AbutMjcfMaking Making;

static int in_groups(const Making *m, const AbutDraftGeom *geom) {
    const int64_t *groups = m->draft->bodies[geom->def.body].rules.groups;
    return geom->group >= groups[0] && geom->group <= groups[1];
}

int abut_mjcf_weighs(const Making *m, const AbutDraftGeom *geom) {
    const AbutDraftBody *body = &m->draft->bodies[geom->def.body];
    int from_geoms = body->rules.from_geom == 1 || (body->rules.from_geom == 2 && !body->has_inertial);
    return geom->def.body > 0 && from_geoms && geom->mass != 0.0 && (geom->mass > 0.0 || geom->def.density > 0.0) &&
           in_groups(m, geom);
}

/* Geoms without mass, or outside the groups that count, leave an <inertial> in force, whatever the compiler says. */
static int has_counted_geom(const Making *m, const AbutDraftBody *body) {
    for (int32_t i = body->first_geom; i < body->first_geom + body->geom_count; ++i)
        if (abut_mjcf_weighs(m, &m->draft->geoms[i])) return 1;
    return 0;
}

/* A single geom keeps its axes; the sum of several gets new ones. */
static AbutMjcfInertial mass_of_geoms(const Making *m, const AbutDraftBody *body) {
    AbutMjcfInertial own = {.place = body->written}; /* where MuJoCo puts the least mass of a body that has none */
    AbutRigid sum = {0};
    int count = 0;
    for (int32_t i = body->first_geom; i < body->first_geom + body->geom_count; ++i) {
        const AbutDraftGeom *geom = &m->draft->geoms[i];
        if (!abut_mjcf_weighs(m, geom)) continue;
        own = abut_mjcf_geom_mass(geom, geom->mesh >= 0 ? &m->mesh[geom->mesh].inertial : NULL);
        sum = abut_rigid_add(sum, (AbutRigid){own.mass, own.place.p, own.inertia});
        ++count;
    }
    return count > 1 ? abut_mjcf_principal(sum.mass, sum.center, sum.inertia, ABUT_MJCF_EXACT_PART) : own;
}

static AbutMjcfInertial mass_of_body(const Making *m, const AbutDraftBody *body) {
    if (body->has_inertial && (body->rules.from_geom != 1 || !has_counted_geom(m, body))) return body->inertial;
    return mass_of_geoms(m, body);
}

/* Principal moments must be those of some solid: none negative, none larger than the sum of the others. */
static AbutStatus check_moments(const Making *m, const AbutDraftBody *body, AbutMjcfInertial *x, int *changed) {
    AbutXmlElement at = abut_mjcf_at(body->has_inertial ? body->inertial_source : body->def.source, "inertial");
    double sum = x->moment[0] + x->moment[1] + x->moment[2];
    double most = abut_larger(x->moment[0], abut_larger(x->moment[1], x->moment[2]));
    double least = abut_smaller(x->moment[0], abut_smaller(x->moment[1], x->moment[2]));
    if (!(least >= 0.0))
        return abut_xml_fail(
            m->reader->error, &at, ABUT_ERROR_FORMAT, "inertia: expected no negative moment, got %g", least);
    if (body->rules.balance && sum - most < most) {
        x->moment[0] = x->moment[1] = x->moment[2] = sum / 3.0;
        *changed = 1;
    } else if (sum - most < most * (1.0 - 1e-6))
        return abut_xml_fail(m->reader->error, &at, ABUT_ERROR_FORMAT,
            "inertia: expected moments of a solid, got %g, %g and %g (the largest passes the sum of the others)", least,
            sum - least - most, most);
    return ABUT_OK;
}

/* Is the frame of a body moved to its inertia? It has a free joint and no bodies below. */
static int is_aligned(const Making *m, int32_t i) {
    const AbutDraftBody *body = &m->draft->bodies[i];
    const AbutDraftJoint *joint = body->joint_count == 1 ? &m->draft->joints[body->first_joint] : NULL;
    if (!joint || !joint->free || joint->align + body->rules.align < 2) return 0;
    return i + 1 == m->draft->body_count || m->draft->bodies[i + 1].parent != i;
}

/* Moves the frame of a body there; its geoms and sites stay where they are. */
static void align(Making *m, int32_t i, AbutMjcfInertial *x) {
    AbutMjcfDraft *draft = &m->reader->draft;
    AbutDraftBody *body = &draft->bodies[i];
    AbutPose back = abut_pose_inv(x->place);
    body->def.pose = abut_pose_mul(body->def.pose, x->place);
    for (int32_t k = body->first_geom; k < body->first_geom + body->geom_count; ++k)
        draft->geoms[k].def.pose = abut_pose_mul(back, draft->geoms[k].def.pose);
    for (int32_t k = 0; k < draft->site_count; ++k)
        if (draft->sites[k].def.body == i) draft->sites[k].def.pose = abut_pose_mul(back, draft->sites[k].def.pose);
    x->place = abut_pose_identity();
    x->inertia = abut_mat3_diagonal(x->moment[0], x->moment[1], x->moment[2]);
}

static AbutStatus settle(Making *m, int32_t i) {
    const AbutDraftBody *body = &m->draft->bodies[i];
    AbutMjcfInertial x = mass_of_body(m, body);
    x.mass = abut_larger(x.mass, body->rules.bound_mass);
    int changed = 0;
    for (int k = 0; k < 3; ++k) {
        changed |= x.moment[k] < body->rules.bound_inertia;
        x.moment[k] = abut_larger(x.moment[k], body->rules.bound_inertia);
    }
    AbutStatus status = check_moments(m, body, &x, &changed);
    if (!status && is_aligned(m, i)) align(m, i, &x);
    changed |= abut_mjcf_drop_small_place(&x);
    m->inertial[i] = x.place;
    m->mass[i] = (AbutRigid){x.mass, x.place.p, changed ? abut_mjcf_turned(&x) : x.inertia};
    return status;
}

/* Masses so that all sum up to what the compiler says. */
static void scale_masses(Making *m) {
    double total = 0.0;
    for (int32_t i = 1; i < m->draft->body_count; ++i) total += m->mass[i].mass;
    for (int32_t i = 1; i < m->draft->body_count && total > 0.0 && m->draft->total_mass > 0.0; ++i) {
        m->mass[i].mass *= m->draft->total_mass / total;
        m->mass[i].inertia = abut_mat3_scale(m->mass[i].inertia, m->draft->total_mass / total);
    }
}

/* The pose of a body in the one that it is welded to in the end. */
static AbutPose pose_in_owner(const Making *m, int32_t i) {
    AbutPose pose = abut_pose_identity();
    for (int32_t k = i; k != m->owner[i]; k = m->draft->bodies[k].parent)
        pose = abut_pose_mul(m->draft->bodies[k].def.pose, pose);
    return pose;
}

/* Least moments of a body that has no mass go to one that is welded to it and has: first all to the outermost one,
 * and from there, where it has none itself, to the first below. */
static void pass_moments(Making *m) {
    for (int32_t i = 1; i < m->draft->body_count; ++i) {
        int32_t owner = m->owner[i];
        if (m->mass[i].mass > 0.0 || owner == i) continue;
        AbutMat3 moved = abut_rigid_move(m->mass[i], pose_in_owner(m, i)).inertia;
        m->mass[owner].inertia = abut_mat3_add(m->mass[owner].inertia, moved);
        m->mass[i] = (AbutRigid){0};
    }
    for (int32_t i = 1; i < m->draft->body_count; ++i) {
        AbutRigid *owner = &m->mass[m->owner[i]];
        if (!(m->mass[i].mass > 0.0) || owner->mass > 0.0) continue;
        AbutMat3 moved = abut_rigid_move(*owner, abut_pose_inv(pose_in_owner(m, i))).inertia;
        m->mass[i].inertia = abut_mat3_add(m->mass[i].inertia, moved);
        owner->inertia = abut_mat3_diagonal(0.0, 0.0, 0.0);
    }
}

AbutStatus abut_mjcf_find_masses(Making *m) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 1; i < m->draft->body_count && !status; ++i) status = settle(m, i);
    scale_masses(m);
    pass_moments(m);
    for (int32_t i = 1; i < m->draft->body_count; ++i) m->whole[m->owner[i]] += m->mass[i].mass;
    return status;
}
