/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of sensors, kind by kind, as MuJoCo defines them; docs/reference/sensors.md lists them. The table of kinds
 * is src/model/sensor_kind.h. Velocities of the last step's bodies and forces come from whoever fills AbutSensed.
 */
#include "math/numbers.h"
#include "model/sensor_kind.h"
#include "robot/sensors.h"
#include "robot/wrap.h"

typedef AbutSensed Sensed;
typedef AbutSensorDef Def;

static double known(const double *numbers, int32_t at) { return numbers ? numbers[at] : NAN; }

/* ---- joints and tendons ------------------------------------------------------------------------------------------ */

static void joint_position(const Sensed *s, const Def *d, double *out) { *out = s->q[s->joint_q[d->number]]; }
static void joint_velocity(const Sensed *s, const Def *d, double *out) { *out = s->v[s->joint_v[d->number]]; }
static void joint_actuator_force(const Sensed *s, const Def *d, double *out) { *out = known(s->joint_sum, d->number); }
static void joint_limit_force(const Sensed *s, const Def *d, double *out) { *out = known(s->joint_limit, d->number); }

static void ball_quaternion(const Sensed *s, const Def *d, double *out) {
    abut_quat_put(abut_quat_normalize(abut_quat_at(s->q + s->joint_q[d->number])), out);
}

static void ball_velocity(const Sensed *s, const Def *d, double *out) {
    abut_vec3_put(abut_vec3_at(s->v + s->joint_v[d->number]), out);
}

/* How far x is beyond its range, below 0, and the speed at which the gap grows; 0 where it is inside. */
static double beyond(const double range[2], double x, double speed, double *rate) {
    double low = x - range[0], high = range[1] - x;
    *rate = low < 0.0 || high < 0.0 ? (low < high ? speed : -speed) : 0.0;
    return abut_smaller(0.0, abut_smaller(low, high));
}

static double joint_beyond(const Sensed *s, int32_t joint, double *rate) {
    const AbutJointDef *def = &s->model->joints[joint];
    const double *q = s->q + s->joint_q[joint], *v = s->v + s->joint_v[joint];
    *rate = 0.0;
    if (!def->limited) return 0.0;
    if (def->kind != ABUT_JOINT_BALL) return beyond(def->range, *q, *v, rate);
    AbutVec3 turn = abut_quat_log(abut_quat_at(q));
    double angle = abut_length(turn), range[2] = {-INFINITY, abut_larger(def->range[0], def->range[1])};
    return beyond(range, angle, angle > 0.0 ? abut_dot(turn, abut_vec3_at(v)) / angle : 0.0, rate);
}

static void joint_limit_position(const Sensed *s, const Def *d, double *out) {
    double rate;
    *out = joint_beyond(s, d->number, &rate);
}

static void joint_limit_velocity(const Sensed *s, const Def *d, double *out) { (void)joint_beyond(s, d->number, out); }

static AbutVec3 velocity_at(const Sensed *s, int32_t body, AbutVec3 point);

typedef struct Along {
    const Sensed *s;
    double speed;
} Along;

static void add_speed(void *user, const AbutPathPull *pull) {
    Along *along = user;
    along->speed += abut_dot(pull->pull, velocity_at(along->s, pull->body, pull->point));
}

static AbutPose path_pose(const void *user, int32_t body) {
    return abut_sensed_frame(user, body, abut_pose_identity());
}

double abut_sensed_tendon(const AbutSensed *s, int32_t tendon, double *speed) {
    return abut_sensed_length(s, &s->model->tendons[tendon], speed);
}

double abut_sensed_length(const AbutSensed *s, const AbutTendonDef *def, double *speed) {
    Along along = {s, 0.0};
    double length = abut_path_length(def, path_pose, s, add_speed, &along);
    *speed = along.speed;
    for (int32_t i = 0; i < def->count; ++i) {
        length += def->coefficients[i] * s->q[s->joint_q[def->joints[i]]];
        *speed += def->coefficients[i] * s->v[s->joint_v[def->joints[i]]];
    }
    return length;
}

static void tendon_position(const Sensed *s, const Def *d, double *out) {
    double speed;
    *out = abut_sensed_tendon(s, d->number, &speed);
}

static void tendon_velocity(const Sensed *s, const Def *d, double *out) { (void)abut_sensed_tendon(s, d->number, out); }

static double tendon_beyond(const Sensed *s, int32_t tendon, double *rate) {
    const AbutTendonDef *def = &s->model->tendons[tendon];
    double speed, length = abut_sensed_tendon(s, tendon, &speed);
    *rate = 0.0;
    return def->limited ? beyond(def->range, length, speed, rate) : 0.0;
}

static void tendon_limit_position(const Sensed *s, const Def *d, double *out) {
    double rate;
    *out = tendon_beyond(s, d->number, &rate);
}

static void tendon_limit_velocity(const Sensed *s, const Def *d, double *out) {
    (void)tendon_beyond(s, d->number, out);
}

static void tendon_limit_force(const Sensed *s, const Def *d, double *out) { *out = known(s->tendon_limit, d->number); }

static void tendon_actuator_force(const Sensed *s, const Def *d, double *out) {
    *out = 0.0;
    for (int32_t a = 0; a < s->model->actuator_count; ++a) {
        const AbutActuatorDef *actuator = &s->model->actuators[a];
        if (actuator->target == ABUT_TARGET_TENDON && actuator->number == d->number)
            *out += known(s->actuator_force, a) * actuator->gear[0];
    }
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

AbutPose abut_sensed_frame(const AbutSensed *s, int32_t body, AbutPose pose) {
    return body < 0 ? pose : abut_pose_mul(s->body[body].pose, pose);
}

/* For a point that moves with a body. */
static AbutVec3 velocity_at(const Sensed *s, int32_t body, AbutVec3 point) {
    const AbutBodyMotion *b = body >= 0 ? &s->body[body] : NULL;
    return b ? abut_add(b->v, abut_cross(b->w, abut_sub(point, b->pose.p))) : abut_zero();
}

static AbutVec3 turning(const Sensed *s, int32_t body) { return body >= 0 ? s->body[body].w : abut_zero(); }

/* Speed along a gear: of a frame in its axes, of a free body along world axes and about its own. */
static double geared_speed(const Sensed *s, int32_t body, AbutPose frame, int free, const double gear[6]) {
    AbutVec3 v = velocity_at(s, body, frame.p), w = abut_quat_rotate(abut_quat_conj(frame.q), turning(s, body));
    if (!free) v = abut_quat_rotate(abut_quat_conj(frame.q), v);
    return abut_dot(abut_vec3_at(gear), v) + abut_dot(abut_vec3_at(gear + 3), w);
}

static double joint_target(const Sensed *s, const AbutActuatorDef *def, double *speed) {
    const double *q = s->q + s->joint_q[def->number], *v = s->v + s->joint_v[def->number];
    *speed = def->gear[0] * *v;
    if (s->model->joints[def->number].kind != ABUT_JOINT_BALL) return def->gear[0] * *q;
    *speed = abut_dot(abut_vec3_at(def->gear), abut_vec3_at(v));
    return abut_dot(abut_vec3_at(def->gear), abut_quat_log(abut_quat_at(q)));
}

double abut_sensed_target(const AbutSensed *s, const AbutActuatorDef *def, double *speed) {
    if (def->target == ABUT_TARGET_JOINT) return joint_target(s, def, speed);
    if (def->target == ABUT_TARGET_TENDON) {
        double length = def->gear[0] * abut_sensed_tendon(s, def->number, speed);
        *speed *= def->gear[0];
        return length;
    }
    *speed = 0.0;
    if (def->target == ABUT_TARGET_CONTACTS) return 0.0;
    int free = def->target == ABUT_TARGET_BODY;
    const AbutFrameDef *frame = free ? NULL : &s->model->frames[def->number];
    int32_t body = free ? def->number : frame->body;
    AbutPose pose = abut_sensed_frame(s, body, free ? abut_pose_identity() : frame->pose);
    *speed = geared_speed(s, body, pose, free, def->gear);
    return 0.0;
}

static void actuator_position(const Sensed *s, const Def *d, double *out) {
    double speed;
    *out = abut_sensed_target(s, &s->model->actuators[d->number], &speed);
}

static void actuator_velocity(const Sensed *s, const Def *d, double *out) {
    (void)abut_sensed_target(s, &s->model->actuators[d->number], out);
}

static void actuator_force(const Sensed *s, const Def *d, double *out) { *out = known(s->actuator_force, d->number); }

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static AbutPose frame_of(const Sensed *s, const Def *d) { return abut_sensed_frame(s, d->body, d->pose); }

static AbutPose reference_of(const Sensed *s, const Def *d) {
    return abut_sensed_frame(s, d->reference_body, d->reference_pose);
}

static AbutVec3 along(AbutQuat axes, AbutVec3 v) { return abut_quat_rotate(abut_quat_conj(axes), v); }

static void frame_position(const Sensed *s, const Def *d, double *out) {
    AbutVec3 p = frame_of(s, d).p;
    abut_vec3_put(d->has_reference ? abut_pose_apply_inv(reference_of(s, d), p) : p, out);
}

static void frame_quaternion(const Sensed *s, const Def *d, double *out) {
    AbutQuat q = frame_of(s, d).q;
    if (d->has_reference) q = abut_quat_mul(abut_quat_conj(reference_of(s, d).q), q);
    abut_quat_put(abut_quat_normalize(q), out);
}

static void frame_axis(const Sensed *s, const Def *d, int axis, double *out) {
    AbutVec3 v = abut_quat_rotate(frame_of(s, d).q, abut_axis(axis));
    abut_vec3_put(d->has_reference ? along(reference_of(s, d).q, v) : v, out);
}

static void frame_x_axis(const Sensed *s, const Def *d, double *out) { frame_axis(s, d, 0, out); }
static void frame_y_axis(const Sensed *s, const Def *d, double *out) { frame_axis(s, d, 1, out); }
static void frame_z_axis(const Sensed *s, const Def *d, double *out) { frame_axis(s, d, 2, out); }

static void frame_linear_velocity(const Sensed *s, const Def *d, double *out) {
    AbutVec3 p = frame_of(s, d).p, v = velocity_at(s, d->body, p);
    if (d->has_reference) /* as the reference sees it, which turns */
        v = along(reference_of(s, d).q, abut_sub(v, velocity_at(s, d->reference_body, p)));
    abut_vec3_put(v, out);
}

static void frame_angular_velocity(const Sensed *s, const Def *d, double *out) {
    AbutVec3 w = turning(s, d->body);
    if (d->has_reference) w = along(reference_of(s, d).q, abut_sub(w, turning(s, d->reference_body)));
    abut_vec3_put(w, out);
}

/* As an accelerometer at that point feels it; NaN where nobody knows. */
static AbutVec3 acceleration_at(const Sensed *s, int32_t body, AbutVec3 point) {
    if (!s->accelerated) return abut_vec3(NAN, NAN, NAN);
    if (body < 0) return abut_neg(s->gravity);
    const AbutBodyMotion *b = &s->body[body];
    AbutVec3 r = abut_sub(point, b->pose.p);
    return abut_add(abut_add(b->a, abut_cross(b->spin, r)), abut_cross(b->w, abut_cross(b->w, r)));
}

static void frame_linear_acceleration(const Sensed *s, const Def *d, double *out) {
    abut_vec3_put(acceleration_at(s, d->body, frame_of(s, d).p), out);
}

static void frame_angular_acceleration(const Sensed *s, const Def *d, double *out) {
    abut_vec3_put(!s->accelerated ? abut_vec3(NAN, NAN, NAN) : d->body < 0 ? abut_zero() : s->body[d->body].spin, out);
}

/* ---- sites ------------------------------------------------------------------------------------------------------- */

static void accelerometer(const Sensed *s, const Def *d, double *out) {
    AbutPose site = frame_of(s, d);
    abut_vec3_put(along(site.q, acceleration_at(s, d->body, site.p)), out);
}

static void gyro(const Sensed *s, const Def *d, double *out) {
    abut_vec3_put(along(frame_of(s, d).q, turning(s, d->body)), out);
}

static void velocimeter(const Sensed *s, const Def *d, double *out) {
    AbutPose site = frame_of(s, d);
    abut_vec3_put(along(site.q, velocity_at(s, d->body, site.p)), out);
}

static void magnetometer(const Sensed *s, const Def *d, double *out) {
    abut_vec3_put(along(frame_of(s, d).q, s->model->magnetic), out);
}

static AbutVec3 center_of(const AbutBodyMotion *b) { return abut_pose_apply(b->pose, b->rigid.center); }

static AbutMat3 inertia_of(const AbutBodyMotion *b) {
    AbutMat3 axes = abut_quat_to_mat3(b->pose.q);
    return abut_mat3_mul(abut_mat3_mul(axes, b->rigid.inertia), abut_mat3_transpose(axes));
}

/* Is `body` the body `root` or below it? */
static int hangs_on(const AbutModel *model, int32_t body, int32_t root) {
    while (body > root) body = model->bodies[body].parent;
    return body == root || root < 0;
}

/* The wrench between a body, with all below it, and its parent: the change of their momentum, less what else acts on
 * them. The torque is about the origin of the world. */
static void held(const Sensed *s, int32_t root, AbutVec3 *force, AbutVec3 *torque) {
    *force = *torque = abut_zero();
    for (int32_t i = root; root >= 0 && i < s->model->body_count; ++i) {
        const AbutBodyMotion *b = &s->body[i];
        if (!hangs_on(s->model, i, root)) continue;
        AbutVec3 center = center_of(b), f = abut_scale(acceleration_at(s, i, center), b->rigid.mass);
        AbutMat3 inertia = inertia_of(b);
        AbutVec3 turn = abut_add(abut_mat3_apply(inertia, b->spin), abut_cross(b->w, abut_mat3_apply(inertia, b->w)));
        *force = abut_add(*force, abut_sub(f, b->force));
        *torque = abut_add(*torque, abut_sub(abut_add(turn, abut_cross(center, f)), b->torque));
    }
}

static void force(const Sensed *s, const Def *d, double *out) {
    AbutVec3 f, t;
    held(s, d->body, &f, &t);
    abut_vec3_put(s->accelerated ? along(frame_of(s, d).q, f) : abut_vec3(NAN, NAN, NAN), out);
}

static void torque(const Sensed *s, const Def *d, double *out) {
    AbutVec3 f, t;
    AbutPose site = frame_of(s, d);
    held(s, d->body, &f, &t);
    t = abut_sub(t, abut_cross(site.p, f));
    abut_vec3_put(s->accelerated ? along(site.q, t) : abut_vec3(NAN, NAN, NAN), out);
}

static void touch(const Sensed *s, const Def *d, double *out) { *out = s->touch ? s->touch(s, d) : NAN; }
static void range_finder(const Sensed *s, const Def *d, double *out) { *out = s->range ? s->range(s, d) : NAN; }

static void contacts(const Sensed *s, const Def *d, double *out) {
    for (int32_t k = 0; k < d->width; ++k) out[k] = s->contacts ? 0.0 : NAN;
    if (s->contacts) s->contacts(s, d, out);
}

/* ---- subtrees and the whole -------------------------------------------------------------------------------------- */

/* Mass, center and velocity of a body and all below it. */
static double subtree(const Sensed *s, int32_t root, AbutVec3 *center, AbutVec3 *velocity) {
    double mass = 0.0;
    AbutVec3 x = abut_zero(), v = abut_zero();
    for (int32_t i = root < 0 ? 0 : root; i < s->model->body_count; ++i) {
        const AbutBodyMotion *b = &s->body[i];
        if (!hangs_on(s->model, i, root)) continue;
        AbutVec3 at = center_of(b);
        mass += b->rigid.mass;
        x = abut_add_scaled(x, at, b->rigid.mass);
        v = abut_add_scaled(v, velocity_at(s, i, at), b->rigid.mass);
    }
    *center = mass > 0.0 ? abut_scale(x, 1.0 / mass) : root >= 0 ? center_of(&s->body[root]) : abut_zero();
    *velocity = mass > 0.0 ? abut_scale(v, 1.0 / mass) : abut_zero();
    return mass;
}

static void subtree_center(const Sensed *s, const Def *d, double *out) {
    AbutVec3 center, velocity;
    (void)subtree(s, d->number, &center, &velocity);
    abut_vec3_put(center, out);
}

static void subtree_velocity(const Sensed *s, const Def *d, double *out) {
    AbutVec3 center, velocity;
    (void)subtree(s, d->number, &center, &velocity);
    abut_vec3_put(velocity, out);
}

static void subtree_momentum(const Sensed *s, const Def *d, double *out) {
    AbutVec3 center, velocity, sum = abut_zero();
    (void)subtree(s, d->number, &center, &velocity);
    for (int32_t i = d->number < 0 ? 0 : d->number; i < s->model->body_count; ++i) {
        const AbutBodyMotion *b = &s->body[i];
        if (!hangs_on(s->model, i, d->number)) continue;
        AbutVec3 at = center_of(b), p = abut_scale(abut_sub(velocity_at(s, i, at), velocity), b->rigid.mass);
        sum = abut_add(sum, abut_mat3_apply(inertia_of(b), b->w));
        sum = abut_add(sum, abut_cross(abut_sub(at, center), p));
    }
    abut_vec3_put(sum, out);
}

static void clock_time(const Sensed *s, const Def *d, double *out) {
    (void)d;
    *out = s->time;
}

static double spring(const Sensed *s, int32_t joint) {
    const AbutJointDef *def = &s->model->joints[joint];
    const double *q = s->q + s->joint_q[joint];
    double x = def->kind == ABUT_JOINT_BALL ? abut_length(abut_quat_log(abut_quat_at(q))) : *q - def->spring_reference;
    return 0.5 * def->stiffness * x * x;
}

static double tendon_spring(const Sensed *s, int32_t tendon) {
    const AbutTendonDef *def = &s->model->tendons[tendon];
    double speed, length = abut_sensed_tendon(s, tendon, &speed),
                  x = length - abut_larger(def->rest[0], abut_smaller(def->rest[1], length));
    return 0.5 * def->stiffness * x * x;
}

static void potential_energy(const Sensed *s, const Def *d, double *out) {
    (void)d;
    *out = 0.0;
    for (int32_t i = 0; i < s->model->body_count; ++i)
        *out -= s->body[i].rigid.mass * abut_dot(s->gravity, center_of(&s->body[i]));
    for (int32_t i = 0; i < s->model->joint_count; ++i) *out += spring(s, i);
    for (int32_t i = 0; i < s->model->tendon_count; ++i) *out += tendon_spring(s, i);
}

static double armature_energy(const Sensed *s) {
    double sum = 0.0;
    for (int32_t j = 0; j < s->model->joint_count; ++j)
        for (int32_t k = 0; k < (s->model->joints[j].kind == ABUT_JOINT_BALL ? 3 : 1); ++k)
            sum += s->model->joints[j].armature * s->v[s->joint_v[j] + k] * s->v[s->joint_v[j] + k];
    return 0.5 * sum;
}

static void kinetic_energy(const Sensed *s, const Def *d, double *out) {
    (void)d;
    *out = armature_energy(s);
    for (int32_t i = 0; i < s->model->body_count; ++i) {
        const AbutBodyMotion *b = &s->body[i];
        AbutVec3 v = velocity_at(s, i, center_of(b));
        *out += 0.5 * (b->rigid.mass * abut_length_sq(v) + abut_dot(b->w, abut_mat3_apply(inertia_of(b), b->w)));
        double armature = s->model->bodies[i].kind == ABUT_BODY_DYNAMIC ? s->model->bodies[i].armature : 0.0;
        *out += 0.5 * armature * (abut_length_sq(b->v) + abut_length_sq(b->w));
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

#define READ(tag, width, object, data, read) read,
static void (*const readers[])(const Sensed *, const Def *, double *) = {ABUT_SENSOR_KINDS(READ)};

void abut_sensors_read(const AbutSensed *s, double *out) {
    for (int32_t i = 0; i < s->model->sensor_count; ++i) {
        const AbutSensorDef *d = &s->model->sensors[i];
        AbutSensorData data = abut_sensor_rows[d->row].data;
        double *at = out + d->place;
        readers[d->row](s, d, at);
        for (int32_t k = 0; d->cutoff > 0.0 && data != ABUT_SENSOR_UNIT && k < d->width; ++k) {
            at[k] = at[k] > d->cutoff ? d->cutoff : at[k];
            if (data == ABUT_SENSOR_REAL) at[k] = at[k] < -d->cutoff ? -d->cutoff : at[k];
        }
    }
}
