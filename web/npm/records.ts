// Written by scripts/npm from the tables of the library.

/** How two bodies lie to each other, in the frame of A: their distance or depth. */
export interface Gap {
  /** How the bodies lie to each other. */
  outcome: "separated" | "touching" | "penetrating" | "a_in_b" | "b_in_a" | "farther" | "not converged" | "empty" | "invalid";
  /** What a depth is. */
  kind: "exact" | "sweep" | "classic" | "decomposition" | "surface";
  /** Negative: the depth. 0 where meshes meet and no depth was requested. Unit: m */
  distance: number;
  /** Bound on the error of the distance. Unit: m */
  error: number;
  /** Unit vector from A to B; moving B along it parts the bodies. */
  normal: [number, number, number];
  /** Witness point of A. Unit: m */
  point_a: [number, number, number];
  /** Witness point of B. Unit: m */
  point_b: [number, number, number];
  /** What holds the point of A. */
  part_kind_a: "none" | "vertex" | "edge" | "face" | "triangle" | "piece";
  /** Vertices of a feature of A, or the number of its triangle or piece; -1 for none. */
  part_a: [number, number, number];
  /** What holds the point of B. */
  part_kind_b: "none" | "vertex" | "edge" | "face" | "triangle" | "piece";
  /** The same of B. */
  part_b: [number, number, number];
  /** Meshes: distance of the surfaces alone. Unit: m */
  surface: number;
  /** Depths of meshes: normal in which they touch after the move. */
  plane: [number, number, number];
  /** False where a mesh is open. */
  containment_known: boolean;
  /** Depths of meshes: B moved by a little more is apart. */
  verified: boolean;
}

/** Do two bodies meet, and with which triangles? */
export interface Collision {
  /** How the bodies lie to each other. */
  outcome: "separated" | "touching" | "penetrating" | "a_in_b" | "b_in_a" | "farther" | "not converged" | "empty" | "invalid";
  /** False where a mesh is open. */
  containment_known: boolean;
  /** Triangle of A that meets `first_b`; -1 for none. */
  first_a: number;
  /** Triangle of B; -1 for none. */
  first_b: number;
  /** Pairs of triangles that are listed. */
  count: number;
  /** There are more pairs than the limit. */
  more: boolean;
}

/** Bounds of a volume. */
export interface Volume {
  /** At least this much. Unit: m^3 */
  low: number;
  /** At most this much. Unit: m^3 */
  high: number;
}

/** Where a ray, or a body moved along a straight way, first meets a body. */
export interface CastHit {
  /** The result. */
  outcome: "none" | "hit" | "at_start" | "grazing" | "undecided" | "invalid";
  /** Part of the way at the hit, 0 to 1; 1 for none. */
  t: number;
  /** Free until this part of the way. */
  t_lo: number;
  /** In contact at this part of the way. */
  t_hi: number;
  /** Point on the body that was hit. Unit: m */
  point: [number, number, number];
  /** Unit normal out of the body. */
  normal: [number, number, number];
  /** Number of the body; -1 for none. */
  body: number;
  /** Triangle of a mesh, or face; -1 for none. */
  feature: number;
}

/** First contact of two moving bodies, never late. */
export interface Impact {
  /** The result. */
  outcome: "none" | "hit" | "at_start" | "grazing" | "undecided" | "invalid";
  /** Time of the first contact; the end of the interval for none. Unit: s */
  t: number;
  /** No contact until this time. Unit: s */
  t_lo: number;
  /** Contact at this time. Unit: s */
  t_hi: number;
  /** Distance at `t`. Unit: m */
  distance: number;
  /** Unit normal from A to B at `t`. */
  normal: [number, number, number];
  /** Point of A at `t`. Unit: m */
  point_a: [number, number, number];
  /** Point of B at `t`. Unit: m */
  point_b: [number, number, number];
  /** Triangle or piece of A; -1 for a convex body. */
  part_a: number;
  /** Triangle or piece of B; -1 for a convex body. */
  part_b: number;
  /** Steps of the search. */
  rounds: number;
}

/** What a step of a simulation did. */
export interface StepReport {
  /** Time after the step. Unit: s */
  time: number;
  /** Wall time of the stages bounds, pairs, contacts, islands, solve, advance. Unit: s */
  seconds: number[];
  /** Bodies that are awake. */
  bodies_awake: number;
  /** Pairs whose boxes overlap. */
  candidates: number;
  /** Pairs in contact. */
  contacts: number;
  /** Vertices of all contact polygons. */
  vertices: number;
  /** Groups of bodies connected by contacts. */
  islands: number;
  /** Contacts whose geometry was computed anew. */
  rebuilt: number;
  /** Most solver sweeps of any island. */
  sweeps: number;
  /** Mean number of sweeps, weighted by contacts. */
  sweeps_mean: number;
  /** Last change of velocity in a sweep, largest of any island. Unit: m/s */
  residual: number;
  /** Islands that stopped at the iteration limit. */
  capped_islands: number;
  /** Islands that gained energy and were solved anew. */
  guarded_islands: number;
  /** Bodies stopped at a time of impact. */
  continuous_hits: number;
  /** Deepest overlap. Unit: m */
  max_depth: number;
  /** Kinetic energy. Unit: J */
  kinetic: number;
  /** Potential energy, of springs too. Unit: J */
  potential: number;
  /** Work of actuators, torques, forces from outside, kinematic bodies, belts and limits. Unit: J */
  work: number;
}

/** A vertex of a contact. */
export interface ContactVertex {
  /** On the contact plane. Unit: m */
  point: [number, number, number];
  /** On B. Unit: N */
  force: [number, number, number];
  /** Normal force over its share of the area. Unit: Pa */
  pressure: number;
  /** It slides. */
  sliding: boolean;
}

/** Two bodies in contact, world axes. */
export interface Contact {
  /** Number of body A. */
  body_a: number;
  /** Number of body B. */
  body_b: number;
  /** Unit normal from A to B. */
  normal: [number, number, number];
  /** Centroid of the overlap. Unit: m */
  center: [number, number, number];
  /** What A exerts on B. Unit: N */
  force: [number, number, number];
  /** The same about `center`. Unit: N m */
  torque: [number, number, number];
  /** Of the contact polygon. Unit: m^2 */
  area: number;
  /** Of the overlap with margins. Unit: m^3 */
  volume: number;
  /** Extent of the overlap along the normal. Unit: m */
  depth: number;
  /** False where it sticks everywhere. */
  sliding: boolean;
  /** Of the contact polygon. */
  vertices: ContactVertex[];
}

/** A scene or robot that the library builds. */
export interface BuiltinScene {
  /** Name of the scene or robot. */
  name: string;
  /** What may follow it after a colon; empty for nothing. */
  argument: string;
  /** A summary in one line. */
  summary: string;
}

