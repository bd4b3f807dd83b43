/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of the contact models of the literature. */
#ifndef ABUT_LITERATURE_DYNAMICS_TOLERANCE_H
#define ABUT_LITERATURE_DYNAMICS_TOLERANCE_H

/* Generators that carry less than this part of the load carry none, in the measure of the law. */
#define ABUT_GENERATOR_LOAD 1e-9

/* Active set: slopes below these parts of the largest; of one contact, of an island. */
#define ABUT_CONE_SLOPE 1e-12
#define ABUT_CONE_JOINT_SLOPE 1e-11

/* Sliding terms of the generator models stand still below this change, part of a step of gravity. */
#define ABUT_SLIDING_STILL 1e-10

/* Joint problem: compliance where the rigid one has no answer; impulses so much larger than asked for are none. */
#define ABUT_PINCHED 0.01
#define ABUT_ENDLESS 1e6

/* Point contacts: inside to this part of the size; least cosine of a point's normal with that of the contact; edges
 * closer than this sine to parallel do not cross. */
#define ABUT_POINT_INSIDE 1e-9
#define ABUT_POINT_ALONG 0.3
#define ABUT_POINT_PARALLEL 1e-6

#endif
