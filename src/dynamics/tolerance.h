/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tolerances of the simulation. "Size" is the cube root of the volume of the smaller body. Where there is a unit, the
 * number is that of bodies of the reference size under standard gravity, and goes with both (sim.h).
 */
#ifndef ABUT_DYNAMICS_TOLERANCE_H
#define ABUT_DYNAMICS_TOLERANCE_H

/* The size for which numbers with a unit are given, m. */
#define ABUT_REFERENCE_SIZE 0.1

/* Relative motion below this part of the size keeps the geometry of a contact. */
#define ABUT_COHERENCE 2e-7

/* Faces that lie on each other keep the outline of their contact while they move against each other by less than this
 * part of its length. */
#define ABUT_OUTLINE 1e-4

/* A pair that is apart is asked about again when its bodies have moved by its gap less this part of their ways: what
 * rounding takes from their sums. */
#define ABUT_WAY_SLACK 1e-9

/* Bodies that just touch keep their last polygon: up to this gap and this motion since it was made, parts of the size.
 */
#define ABUT_KEPT_GAP 1e-14
#define ABUT_KEPT_SHIFT 1e-3

/* Round bodies: contacts with an edge are dropped beside those of a face whose normal has this cosine to theirs. The
 * bend of surfaces counts where bodies move by more than the first and less than the second part of the size in a step,
 * and where it is more than the first and the normal keeps this cosine. */
#define ABUT_SEAM_ALONG 0.5
/* Contacts at the joints of pieces that stand still are dropped where their normal has less than this cosine to that of
 * a larger one, their middle is this many margins from its plane at most, and the piece rises no higher over that plane
 * than this part of the size. */
#define ABUT_JOINT_TURNED 0.999
#define ABUT_JOINT_RISE 0.05
#define ABUT_JOINT_NEAR 2.0
/* The point where a rim touches is looked for by this part of a step ahead: with less a whirling coin gains energy,
 * with more it loses much (measured). */
#define ABUT_RIM_AHEAD 0.06
#define ABUT_TOUCH_BACK 1.5 /* steps: a meeting of round bodies is looked for no earlier */
#define ABUT_BEND_LEAST 1e-9
#define ABUT_BEND_MOST 0.25
#define ABUT_BEND_TURNED 0.5

/* Chosen by the step size h where a setting is left open: margin (beside the least of scene/tolerance.h), m per
 * second of h; beta for short steps and for long ones, and where the two meet, s; sweeps; speed below which friction is
 * static, m/s. */
#define ABUT_MARGIN_SPEED 0.005
#define ABUT_STICK_SPEED 1e-3
#define ABUT_BETA_SHORT 0.02
#define ABUT_BETA_LONG 0.05
#define ABUT_BETA_STEP 2e-4
#define ABUT_SWEEPS 10

/* Steps longer than this are cut into equal parts, s; into so many at most. Parts are so many times as long where all
 * moving bodies that touch are spheres: those have no sides to rock on, and stand in no towers. */
#define ABUT_LONGEST_PART 2.5e-3
#define ABUT_BALL_PACE 3.0
#define ABUT_MOST_PARTS 1000.0

/* Compliant contact. Reach, of the smallest moving shape; spacing of samples, of the reach; pressure, in weights of the
 * body that is heaviest for its size on a square of its size. Forces whose sum is below this part of them are in
 * balance; normals of one patch have at least this cosine; below this restitution nothing bounces; a part of a step
 * turns the fastest oscillation by this angle, rad, and moves no body by more than this part of the reach. */
#define ABUT_PRESSURE_REACH 0.04
#define ABUT_PRESSURE_SPACING 0.6
#define ABUT_PRESSURE_WEIGHTS 2.0
#define ABUT_PRESSURE_BALANCE 1e-6
#define ABUT_PRESSURE_DEAD 0.01
#define ABUT_PRESSURE_TURN 0.25
#define ABUT_PRESSURE_PART 0.25

/* A prescribed pose has a quaternion whose squared length is 1 to this. */
#define ABUT_MOTION_UNIT 2e-6

/* Slower than this part of a step of gravity, plus what the solver leaves, nothing slides. */
#define ABUT_SLIP_SPEED 1e-7

/* Resistance to rocking takes at most this part of the tilting in a step; tilting below this speed (rad/s) is not
 * resisted, twice as fast is in full. */
#define ABUT_ROLLING_PART 0.1
#define ABUT_ROLLING_FROM 0.02

/* A warm start may grow by so much from step to step: times the last one, plus so many steps of gravity. */
#define ABUT_WARM_GROWTH 2.0
#define ABUT_WARM_ALLOWANCE 4.0

/* Sweeps that did not converge ran away where an impulse is so many times the momentum of the island; sweeps that
 * follow then. */
#define ABUT_CALM_MOMENTUM 100.0
#define ABUT_CALM_SWEEPS 100

/* Pushing out may bring this part of the energy, and of weight times size, into an island of free bodies, and errors of
 * its sweeps the same. Islands with robots may have from both this part of their energy, and their mass at this many
 * steps of gravity; what pushes against forces and adds no speed, this part of the energy that the forces would give in
 * a step. Solved by the law that takes energy, rows of robots give way by this part of their response. The shove of an
 * island is cut so many times until it lifts the weight of each tree by this speed at most, m/s. */
#define ABUT_GAIN_PART 0.05
#define ABUT_GAIN_ERROR 2e-3
#define ABUT_GAIN_STEPS 1.0
#define ABUT_GAIN_AGAINST 0.1
#define ABUT_SHOVE_ROUNDS 4
#define ABUT_SHOVE_LIFT 0.05
#define ABUT_CALM_SOFT 0.1

/* Newton steps: sweeps before the first and after each, and how many; the residual may grow by this factor (squared) in
 * one. Weights of rows in islands without cycles and with them; friction this near to its limit slides. Work of the
 * factor, in products of blocks: for each contact, and in addition. */
#define ABUT_NEWTON_SWEEPS 2
#define ABUT_NEWTON_STEPS 2
#define ABUT_NEWTON_WORSE 4.0
#define ABUT_NEWTON_FOREST 1e3
#define ABUT_NEWTON_CYCLES 30.0
#define ABUT_NEWTON_STICKS 1e-9
#define ABUT_NEWTON_BUDGET 30.0
#define ABUT_NEWTON_BUDGET_LEAST 200.0

/* Islands beyond that take Newton steps by conjugate gradients if they are not swept in a compact copy, or where a body
 * is so many times as heavy as one below it; rounds of them at most, and the velocity that they may leave, part of what
 * they give. */
#define ABUT_NEWTON_RATIO 100.0
#define ABUT_NEWTON_ROUNDS 400
#define ABUT_NEWTON_LEFT 0.01

/* Newton steps of islands with robots: unknowns at most; weights of normal rows of contacts, of friction in parts of
 * those, of limits, losses and tendons, of couplings and joins; sweeps before the first, so many
 * more where those will do, steps. After them sweeps go on
 * in groups of so many while one takes half of the change, or there is more of it than this part of a step of gravity.
 * Impulses so many times the momentum of the island are no solution. */
#define ABUT_WHOLE_UNKNOWNS 400
#define ABUT_WHOLE_CONTACT 1e3
#define ABUT_WHOLE_TANGENT 0.03
#define ABUT_WHOLE_ROW 300.0
#define ABUT_WHOLE_JOIN 1e6
#define ABUT_WHOLE_SWEEPS 4
#define ABUT_WHOLE_PATIENCE 16
#define ABUT_WHOLE_STEPS 4
#define ABUT_STALL_SWEEPS 8
#define ABUT_STALL_PART 0.01
#define ABUT_WILD_MOMENTUM 1e3

/* Pairs of meshes. Touches count up to so much of the way that the bodies can move in a step, and so many radii of the
 * smaller; they are looked for down to this part of its radius, where surfaces cross unseen, by more than the third,
 * down to the second, which pairs that touched and were not deep are asked every so many steps. Features are listed
 * farther than asked by this part of it. An old vertex gives its impulse to a new one whose normal, squared, and place,
 * squared times the factor in radii, differ by less than this. Sweeps of their islands. */
#define ABUT_MESH_AHEAD 1.2
#define ABUT_MESH_REACH 3.0
#define ABUT_MESH_DEPTH 0.02
#define ABUT_MESH_DEEPEST 0.05
#define ABUT_MESH_CROSSES 1e-9
#define ABUT_MESH_CROSSING_STEPS 16
#define ABUT_MESH_SKIN 0.03
#define ABUT_MESH_HEIR 0.5
#define ABUT_MESH_HEIR_PLACE 4.0
#define ABUT_MESH_SWEEPS 50
/* Those that move by more of the smaller radius in a step are followed in time, and turn no farther where they are
 * near, rad; slower ones no farther than the third: touches are planes, and what turns below them stays within the
 * depth that is looked for. */
#define ABUT_MESH_FAST 0.5
#define ABUT_MESH_TURN 0.05
#define ABUT_MESH_SPIN 0.2
/* Those that move by more of the radius than the first in a step are not left deeper in each other than by the second;
 * this part of the step remains at least, and the next one where touches know that they overlap: else what touches have
 * no answer to would hang there. That is not asked up to the last speed where touches were looked for with a motion
 * that differs from that of the step by less than half of the second. */
#define ABUT_MESH_SLOW 0.005
#define ABUT_MESH_SUNK 1e-3
#define ABUT_MESH_LEAST_PART 0.01
#define ABUT_MESH_TOUCHED_PART 0.3
#define ABUT_MESH_STEADY 0.02

/* Islands that did not converge in more than so many steps in succession, while nothing in them changed or wanted to
 * change by more than this part of a step of gravity, ask for nothing (rest.c). */
#define ABUT_REST_SPEED 0.03
#define ABUT_REST_WAIT 50

/* Islands of more contacts than that are fetched ahead; others are in the cache. */
#define ABUT_FETCH_LEAST 64

/* Islands of so many contacts and more are swept in a compact copy. */
#define ABUT_PACKED_LEAST 320

/* Overlap is pushed out no faster than this, m/s. */
#define ABUT_PUSH_SPEED 0.3

/* Approaches slower than so many steps of gravity do not bounce. */
#define ABUT_BOUNCE_STEPS 2.0

/* Compliance: none up to a load of so many weights of the lighter body, full from so many. */
#define ABUT_LOAD_FROM 2.0
#define ABUT_LOAD_FULL 4.0

/* A body slower than this (m/s, its spin counted at its size) for so long (s) may sleep. */
#define ABUT_SLEEP_SPEED 2e-3
#define ABUT_SLEEP_TIME 0.5

/* Robots. Numbers with a unit are those of a robot that reaches this far (m) under standard gravity, and go with both:
 * a size for which parts of steps are as of bodies of the reference size. Sweeps of islands with robots, and their
 * tolerance in parts of the one that is set; what a turning joint counts as, m. Part of an error of limits and
 * couplings, and of joins, that a step takes back, and its largest speed (rad/s or m/s). A limit is looked at when the
 * joint could be there in a step, with this speed (rad/s) added, and begins a step with the impulse of so many steps of
 * gravity at most. A friction loss is a lock when its joint is slower
 * than this (rad/s or m/s) and took less than this part of it in the last step; a lock lets the joint creep at its
 * force over this number, and so many times a step is solved again because locks were too weak. Responses below this
 * part of those of free links are none; joins give way by this part of their trace. */
#define ABUT_TREE_SIZE 1.0
#define ABUT_TREE_SWEEPS 60
#define ABUT_TREE_TOLERANCE 0.02
#define ABUT_TREE_LEVER 0.1
#define ABUT_ROW_BETA 0.2
#define ABUT_JOIN_BETA 0.5
#define ABUT_ROW_SPEED 2.0
#define ABUT_LIMIT_SPEED 30.0
#define ABUT_ROW_WARM 20.0
#define ABUT_LOCK_SPEED 1e-4
#define ABUT_LOCK_PART 0.9
#define ABUT_LOCK_STIFF 1e9
#define ABUT_LOCK_ROUNDS 2
#define ABUT_STIFF_PART 1e-8
#define ABUT_JOIN_SOFT 1e-4
#define ABUT_JOIN_LEAST 1e-3 /* of what the bodies would give way alone */

/* A change of z beyond this part of it, plus so many steps of gravity, is an impact: there is no mean velocity. */
#define ABUT_IMPACT_CHANGE 0.25
#define ABUT_IMPACT_STEPS 10.0

/* Joints that turn by more than the second in a step, rad: moving on may not add energy. Below it the errors of steps
 * cancel, and a limit on one side would only take energy: from the first on moving may add this part of it. */
#define ABUT_WATCHED_TURN 0.01
#define ABUT_TURN_GAIN 0.2
#define ABUT_FAST_TURN 0.05
/* Velocity products there change the energy by this part at most: more is beyond what a step resolves. */
#define ABUT_BIAS_CHANGE 0.25

/* Continuous motion, parts of the inner radius of the thinner body: a pair that touches may sink in by so much in a
 * step, found to within the slack; an overlap that ends shallower needs no help. */
#define ABUT_IMPACT_SINK 0.25
#define ABUT_IMPACT_SLACK 0.05
#define ABUT_IMPACT_SHALLOW 0.5

#endif
