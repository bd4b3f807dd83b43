/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamics: simulation of a scene with volumetric contact. Where two bodies overlap, the overlap polyhedron gives a
 * contact polygon; forces act at its vertices and sum to one wrench per pair.
 *
 * A step is a list of named stages, each timed: bounds, pairs, contacts, islands, solve, advance. Results do not depend
 * on the number of threads, and a saved state continues bit for bit.
 */
#ifndef ABUT_DYNAMICS_H
#define ABUT_DYNAMICS_H

#include "abut/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutSimulation AbutSimulation;

/* Contact models: how the force of a contact follows from its overlap; docs/theory/contact.md derives each. The other
 * numbers are models of the literature, which the tool and the Python package include. */
enum {
    ABUT_CONTACT_MODEL_VOL = 0,     /* exact Coulomb friction at the vertices of the contact polygon */
    ABUT_CONTACT_MODEL_PRESSURE = 8 /* compliant: near surfaces of any form press on each other */
};

/* "vol", "pressure", or the name of a registered model; "unknown" for any other number. */
ABUT_API const char *abut_contact_model_name(int number);
ABUT_API int abut_contact_model_find(const char *name); /* its number; -1: no such model */

/* How the target velocity follows from the overlap: fitted thickness, or the moments of the paper. */
enum { ABUT_FIT_THICKNESS = 0, ABUT_FIT_MOMENTS };

typedef struct AbutSimulationDef {
    AbutVec3 gravity;
    int model;          /* number of a contact model */
    int fit;            /* ABUT_FIT_THICKNESS or ABUT_FIT_MOMENTS */
    int iterations;     /* largest number of sweeps over the contacts of an island; 0: chosen by the step size */
    double tolerance;   /* stop when a sweep changes velocities by less than this times gravity * dt */
    double beta;        /* fraction of the overlap that a step removes; 0: chosen by the step size */
    double margin;      /* faces are moved out by this much for contact, m; negative: chosen by the size of a shape,
                         * gravity and the step size */
    double slop;        /* overlap beyond the margins that is not corrected, m */
    double compliance;  /* softness of contacts under load; negative: chosen; 0: rigid */
    double stick_speed; /* slower vertices have static friction, m/s; negative: chosen by the size of the bodies and
                         * gravity */
    double rolling; /* resistance of faceted bodies to rocking, as a fraction of the size (cube root of the volume) of
                     * the smaller one; round shapes roll freely; model vol */
    int torsion_uniform; /* 1: twisting friction for uniform pressure instead of load at the vertices */
    int generators;      /* sides of the friction pyramids of the generator models */
    int threads;         /* 0: all processors */
    int sleeping;        /* 1: bodies that rest long enough are skipped until touched */
    int features;    /* model vol: 1: shapes that keep a closed mesh touch as that mesh, in several contacts for each
                      * pair; 0: as its hull */
    int continuous;  /* 1: fast bodies do not pass through others; compliant models cut their steps instead */
    double pressure; /* compliant models: pressure in Pa of surfaces in contact; 0: chosen by masses and sizes */
    double reach; /* model pressure: distance at which surfaces begin to press, m; 0: 0.04 of the smallest moving shape,
                   * whose size is the cube root of its volume */
    double spacing; /* model pressure: spacing of the samples of surfaces, m; 0: 0.6 of the reach. A large
                     * shape has wider samples, at most 20000 */
} AbutSimulationDef;

ABUT_API AbutSimulationDef abut_simulation_default(void);

/* The scene must outlive the simulation. */
ABUT_API AbutStatus abut_simulation_create(
    AbutScene *scene, const AbutSimulationDef *def, AbutSimulation **out, AbutError *error);
ABUT_API void abut_simulation_free(AbutSimulation *simulation);
ABUT_API const AbutScene *abut_simulation_scene(const AbutSimulation *simulation);

enum {
    ABUT_STAGE_BOUNDS = 0,
    ABUT_STAGE_PAIRS,
    ABUT_STAGE_CONTACTS,
    ABUT_STAGE_ISLANDS,
    ABUT_STAGE_SOLVE,
    ABUT_STAGE_ADVANCE,
    ABUT_STAGE_COUNT
};

ABUT_API extern const char *const abut_stage_names[]; /* "bounds", "pairs", "contacts", "islands", "solve", "advance" */

typedef struct AbutStepReport {
    double time; /* after the step */
    double seconds[ABUT_STAGE_COUNT];
    int32_t bodies_awake, candidates, contacts, vertices, islands;
    int32_t rebuilt;           /* contacts whose geometry was recomputed */
    int32_t sweeps;            /* largest of all islands */
    double sweeps_mean;        /* over islands, by contacts */
    double residual;           /* last change of velocity in a sweep, m/s, largest of all islands */
    int32_t capped_islands;    /* islands that stopped at the iteration limit: normal while bodies strike and slide */
    int32_t guarded_islands;   /* islands that gained energy without cause and were solved again */
    int32_t continuous_hits;   /* bodies stopped at a time of impact */
    double max_depth;          /* deepest true overlap, m */
    double kinetic, potential; /* energy, J; springs and gravity compensation count as potential */
    double work;               /* of actuators, torques, external forces, kinematic bodies, belts, and of limits
                                * that return joints into their range, J */
} AbutStepReport;

ABUT_API extern const AbutRecord abut_step_report_record;

/* Advances by dt > 0. A step that is too long for the smallest touching body is cut into equal substeps (2.5 ms for
 * 0.1 m; at most 1000). If a step fails because numbers became non-finite, the state is that of the failure: restore a
 * saved one. */
ABUT_API AbutStatus abut_simulation_step(
    AbutSimulation *simulation, double dt, AbutStepReport *report, AbutError *error);

/* Sum of all steps so far, s. */
ABUT_API double abut_simulation_time(const AbutSimulation *simulation);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Properties of a body in a simulation, in addition to its state in the scene: whether it sleeps, and the number of its
 * island (bodies that touch, directly or through others) in the last step, -1: none. Either may be NULL. 0: no such
 * body. */
ABUT_API int abut_simulation_get_activity(
    const AbutSimulation *simulation, AbutBodyId body, int32_t *asleep, int32_t *island);

/* An external force (N) at the center of mass and a torque (N m) on a body or a link. They act in every step until they
 * are set again, in addition to those of abut_scene_add_force for one step; they do not move static and kinematic
 * bodies. */
ABUT_API AbutStatus abut_simulation_set_force(
    AbutSimulation *simulation, AbutBodyId body, AbutVec3 force, AbutVec3 torque, AbutError *error);

/*
 * Puts a body, and the bodies that touched it in the last step, to sleep, whatever their speed: they stop, even in the
 * air, until something wakes them. Kinematic bodies, robots and bodies that never sleep keep their contacts awake.
 * Refused for bodies that are not dynamic, and if `sleeping` is off.
 */
ABUT_API AbutStatus abut_simulation_sleep(AbutSimulation *simulation, AbutBodyId body, AbutError *error);

/* ---- robots of the scene ----------------------------------------------------------------------------------------- */

/* One number for each actuator of the robot's model, initially 0; they hold until they are set again. A wrong count,
 * non-finite numbers and an unknown robot are refused, and nothing changes. */
ABUT_API AbutStatus abut_simulation_set_control(
    AbutSimulation *simulation, int32_t robot, int32_t count, const double *controls, AbutError *error);
ABUT_API int abut_simulation_get_control(
    const AbutSimulation *simulation, int32_t robot, double *controls); /* 0: no such robot */

/* Forces along the velocities of the robot (abut/robot.h), added to those of its actuators, in the same way. */
ABUT_API AbutStatus abut_simulation_set_torque(
    AbutSimulation *simulation, int32_t robot, int32_t count, const double *torques, AbutError *error);

/* Activations of the actuators that have dynamics, in order, initially 0: part of the state. In the same way. */
ABUT_API AbutStatus abut_simulation_set_activation(
    AbutSimulation *simulation, int32_t robot, int32_t count, const double *activations, AbutError *error);

/* Called before each substep; sets controls, torques and forces. A nonzero return ends the step. */
ABUT_API void abut_simulation_set_controller(AbutSimulation *simulation,
    AbutStatus (*control)(AbutSimulation *simulation, double time, void *user, AbutError *error), void *user);

/* Forces in a robot in the last step; each array may be NULL. Newtons or newton meters. Returns 0 for an
 * unknown robot. */
typedef struct AbutRobotForces {
    double *actuator;   /* per actuator, before the gear */
    double *limit;      /* per velocity: of joint limits */
    double *friction;   /* per velocity: of friction loss */
    double *equality;   /* six per equality: joints use the first, connect three, along world axes on its b */
    double *tendon;     /* per tendon: pull of its spring, limits and friction along its length */
    double *activation; /* per actuator that has dynamics: no force, the state that makes it */
} AbutRobotForces;

ABUT_API int abut_simulation_get_robot_forces(
    const AbutSimulation *simulation, int32_t robot, const AbutRobotForces *out);

/* All values of the sensors of the robot's model (sensor_values of it, each sensor from its place). Positions and
 * velocities are those of now; forces and accelerations those of the last substep, and NaN before the first. */
ABUT_API AbutStatus abut_simulation_get_sensors(
    const AbutSimulation *simulation, int32_t robot, double *out, AbutError *error);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Contacts of the last step. */
ABUT_API int abut_simulation_contact_count(const AbutSimulation *simulation);
ABUT_API int abut_simulation_get_contact(const AbutSimulation *simulation, int index, AbutContact *out);

/* All contacts, for the modes of abut/grasp.h. Free with abut_contact_list_free. */
ABUT_API AbutStatus abut_simulation_get_contacts(
    const AbutSimulation *simulation, AbutContactList *out, AbutError *error);

/* Contacts of one body: returns the count and writes at most `capacity`. */
ABUT_API int abut_simulation_body_contacts(
    const AbutSimulation *simulation, AbutBodyId body, int capacity, AbutContact *out);

/* Parameters of a contact. */
typedef struct AbutContactLaw {
    double friction, friction_kinetic; /* 0 <= kinetic <= static */
    double restitution;                /* 0 .. 1 */
} AbutContactLaw;

/*
 * A rule about contacts, called for each contact of bodies that are not both at rest, before each substep is solved, in
 * the order of pairs. The contact has its present geometry and the forces of the last substep; the rule may change the
 * law for this substep. If it returns 0, the contact has no force in this substep, as if one of the shapes were a
 * sensor; a platform that is open from below is made this way. The rule must change nothing else, and a law out of
 * range ends the step with an error. A fast body that is stopped before it touches meets the rule in the next substep.
 * NULL: none. Saved states do not contain the rule.
 */
ABUT_API void abut_simulation_set_contact_rule(AbutSimulation *simulation,
    int (*rule)(const AbutSimulation *simulation, const AbutContact *contact, AbutContactLaw *law, void *user),
    void *user);

/* ---- events ------------------------------------------------------------------------------------------------------ */

typedef enum AbutEventKind {
    ABUT_EVENT_BEGIN = 0, /* two shapes began to touch, one of which may be a sensor; a hit if the speed is large */
    ABUT_EVENT_END,       /* they no longer touch; ids are null if one of them was removed */
    ABUT_EVENT_SLEEP,     /* body_a fell asleep */
    ABUT_EVENT_WAKE,      /* and woke */
    ABUT_EVENT_GUARDED,   /* the island of body_a gained energy from nowhere and was solved anew */
    ABUT_EVENT_KIND_COUNT
} AbutEventKind;

typedef struct AbutEvent {
    AbutEventKind kind;
    AbutBodyId body_a, body_b;
    AbutShapeId shape_a, shape_b;
    AbutVec3 point, normal; /* of contacts, as in AbutContact */
    double speed;           /* of approach along the normal when they began to touch, m/s; else 0 */
} AbutEvent;

/* Events of the last step, in a fixed order; valid until the next one. A touch that begins and ends within a
 * step has both events. */
ABUT_API const AbutEvent *abut_simulation_events(const AbutSimulation *simulation, int *count);

/* ---- settings and energy ----------------------------------------------------------------------------------------- */

/* Reads and changes all settings, from the next step on: model, gravity, threads and so on. Everything wakes. Numbers
 * out of range are refused, and nothing changes. */
ABUT_API AbutSimulationDef abut_simulation_settings(const AbutSimulation *simulation);
ABUT_API AbutStatus abut_simulation_set_settings(
    AbutSimulation *simulation, const AbutSimulationDef *def, AbutError *error);

/* Changes only gravity. */
ABUT_API AbutStatus abut_simulation_set_gravity(AbutSimulation *simulation, AbutVec3 gravity, AbutError *error);

/* Kinetic and potential energy of all dynamic bodies and links now; armature counts as kinetic energy, springs of
 * joints and tendons and gravity compensation as potential. */
ABUT_API double abut_simulation_energy(const AbutSimulation *simulation, double *kinetic, double *potential);

/* ---- state ------------------------------------------------------------------------------------------------------- */

/*
 * Size of the saved state in bytes; saving fills exactly that. Restoring needs the same bodies and shapes. The state
 * has everything that moves, gravity, and the inputs of bodies and robots: forces, weight and drag, locked axes,
 * controls, activations, torques. The bytes of equal states are equal. Materials (except velocities of surfaces),
 * filters and rules of pairs of the scene, and the other settings, are not part of it and stay unchanged.
 */
ABUT_API size_t abut_simulation_state_size(const AbutSimulation *simulation);
ABUT_API void abut_simulation_save(const AbutSimulation *simulation, void *state);
ABUT_API AbutStatus abut_simulation_restore(
    AbutSimulation *simulation, const void *state, size_t bytes, AbutError *error);

/* Hash of poses, velocities and impulses, and of gravity, forces, weight and drag, locked axes, controls, torques, rest
 * and sleep if they differ from those of a fresh simulation. After the same number of steps, simulations with equal
 * hashes continue equally, under the same settings, materials, filters and rules. */
ABUT_API uint64_t abut_simulation_hash(const AbutSimulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
