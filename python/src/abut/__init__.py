# SPDX-License-Identifier: Apache-2.0
"""abut: contact between bodies.

Distance, depth and overlap of convex bodies and triangle meshes, time of impact and certified clearance of motions,
contact modes, rigid bodies with volumetric contact forces, kinematics and dynamics of robots.

SI units, radians, z up, quaternions w first. A pose is seven numbers x, y, z, qw, qx, qy, qz. Normals point from A to
B; distances are negative in penetration. Answers are read-only.
"""
from . import _abut
from ._errors import Error, Warning
from ._arrays import DTYPES, WORDS, words
from ._abut import (CastHit, Certificate, Clearance, ClearanceMinimum, ClearanceSample, Collision, Contact, ContactTime, ConvolutionMeasure, Convex,
                    DistanceDerivative, Event, Facet, ForceResult, Gap, IkResult, Impact, Intersection, KernelDirection, Mesh,
                    MeshNearest, MeshReport, Model, ModeCount, ModeSystem, Motion, NearestPoint, Overlap, PairCertificate, PhongDistance, PlanEffort, PlanSample, Pressure,
                    Pieces, RobotMotion, SceneDistance, SoftBody, SoftDirection, StepReport)
from .poses import pose, pose_apply, pose_inverse, pose_matrix, pose_multiply
from .bodies import (body, box, capsule, cone, cylinder, ellipsoid, half_space, hull, plane, point, polyhedron, prism,
                     pyramid, regular, segment, sphere, triangle)
from .meshes import (bounding_sphere, decompose, file_info, height_field_pieces, mesh_names, pieces_cover, pieces_distance, pieces_volume,
                     read_half_spaces, read_heights)
from .queries import (BodySet, OVERLAP_OUTCOMES, cast, cast_ray, closer_than, collide, contact, contact_features, depth, derivative, distance, intersect,
                      intersect_regions, meet, nearest_point, overlap, overlap_volume, settle)
from .motions import (Curve, clearance, clearance_capsules, clearance_curve, clearance_gradient, clearance_minima, clearance_pairs, clearance_soft, contact_time, time_of_impact)
from .modes import track_modes
from .models import model_names
from .runs import Run
from .scenes import Scene, read_scene
from .worlds import Simulation
from .batches import Batch, rollout
from .derivatives import Jacobian, RolloutGradient, rollout_grad
from .robots import Robot
from .directions import (Convolution, Phong, angle_between, direction_case, direction_case_pose, direction_cases,
                         minkowski_difference, minkowski_sum, pressure_force, soft_direction, soft_potential, soft_source, soft_tau, soft_turn_between,
                         soft_turn_bound)
from .plans import (Controls, Plan, PlanningScene, PlanOptions, PlanProblem, Roadmap, Trajectory, find_feet, import_table, is_proof, plan_has_thesis,
                    plan_many, read_limits, read_points, trajectory_values)
from .pictures import ModeView, Pair, as_run, mode_view, pair, render, show, write_gif, write_plot, write_png
from .sweeps import cases, sweep
from .mujoco import geom_distance
from .viewers import to_meshcat, to_rerun, to_viser
from . import manipulation, mjcf, ros

__version__ = _abut.version()
