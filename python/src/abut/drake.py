# SPDX-License-Identifier: Apache-2.0
"""Trajectories of Drake proved clear at all times; needs the package ``drake``.

    problem = abut.PlanProblem(abut.Robot("arm.urdf"), obstacles)
    certificate, pairs = abut.drake.certify(plant, trajectory, problem, level=0.005)

The plant and the robot of the problem are read from the same URDF; joints are found by their names, and the poses of
all links are compared once, so that a base that is welded elsewhere, or another robot, is an error. Trajectories are
taken as they are, polynomial by polynomial: PiecewisePolynomial, BsplineTrajectory, BezierCurve and CompositeTrajectory of
degree 5 at most.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from pydrake import trajectories
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import ModelInstanceIndex

from ._abut import Certificate
from ._arrays import instance
from ._errors import Error
from .plans import PlanProblem, Trajectory
from .poses import pose_inverse, pose_multiply
from .robots import Robot

_DEGREE = 5


def _pieces(trajectory) -> list[tuple[float, float, int]]:
    """(begin, end, degree) of each polynomial of a trajectory."""
    if isinstance(trajectory, trajectories.CompositeTrajectory):
        made = [_pieces(trajectory.segment(i)) for i in range(trajectory.get_number_of_segments())]
        return [piece for part in made for piece in part]
    if isinstance(trajectory, trajectories.PiecewisePolynomial):
        times, count = trajectory.get_segment_times(), trajectory.get_number_of_segments()
        degrees = [max(trajectory.getSegmentPolynomialDegree(k, row) for row in range(trajectory.rows())) for k in range(count)]
        return list(zip(times[:-1], times[1:], degrees))
    if isinstance(trajectory, trajectories.BsplineTrajectory):
        knots = [t for t in sorted(set(trajectory.basis().knots())) if trajectory.start_time() <= t <= trajectory.end_time()]
        return [(a, b, trajectory.basis().degree()) for a, b in zip(knots[:-1], knots[1:])]
    if isinstance(trajectory, trajectories.BezierCurve):
        return [(trajectory.start_time(), trajectory.end_time(), trajectory.order())]
    raise TypeError("trajectory: expected a PiecewisePolynomial, BsplineTrajectory, BezierCurve or CompositeTrajectory, "
                    f"got {trajectory!r}")


def _coefficients(trajectory, begin: float, end: float, degree: int) -> NDArray[np.float64]:
    """Of one polynomial, (rows, 6), in x from 0 to 1: by its derivatives in the middle, where every piece is smooth."""
    if degree > _DEGREE:
        raise Error(f"trajectory: expected polynomials of degree {_DEGREE} at most, got degree {degree} from {begin:g} s on")
    size, middle = end - begin, 0.5 * (begin + end)
    made = np.zeros((trajectory.rows(), _DEGREE + 1))
    for order in range(degree + 1):
        part = trajectory.EvalDerivative(middle, order) if order else trajectory.value(middle)
        term = np.ravel(part) * size**order / math.factorial(order)  # times (x - 1/2)^order
        for power in range(order + 1):
            made[:, power] += term * math.comb(order, power) * (-0.5) ** (order - power)
    return made


def _places(plant: MultibodyPlant, model_instance: ModelInstanceIndex | None, rows: int) -> NDArray[np.int64]:
    """The row of a trajectory that each position of the plant has, -1: none."""
    count = plant.num_positions()
    if rows == count:
        return np.arange(count)
    if model_instance is None or rows != plant.num_positions(model_instance):
        expected = count if model_instance is None else f"{count} or {plant.num_positions(model_instance)}"
        raise Error(f"trajectory: expected {expected} rows, the positions of the plant, got {rows}")
    own = plant.GetPositionsFromArray(model_instance, np.arange(count, dtype=float)).astype(int)
    places = np.full(count, -1)
    places[own] = np.arange(rows)
    return places


def _joints(plant: MultibodyPlant, robot: Robot, model_instance: ModelInstanceIndex | None, places) -> list[tuple[int, int]]:
    """(joint of the model, row) of every joint that the trajectory moves; each name once."""
    found, names = {}, {joint["name"]: number for number, joint in enumerate(robot.model.joints)}
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        own = model_instance is None or joint.model_instance() == model_instance
        if not own or joint.num_positions() != 1 or joint.name() not in names:
            continue
        number, row = names[joint.name()], places[joint.position_start()]
        if number in found:
            raise Error(f"plant: expected one joint '{joint.name()}', got two: name a model_instance")
        if row >= 0:
            found[number] = int(row)
    return sorted(found.items())


def _same_places(plant: MultibodyPlant, q, robot: Robot, joints, model_instance) -> None:
    """Are the links where the plant has them? In the world, at the positions q of the plant."""
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    numbers = np.array(robot.q)
    for number, value in joints:
        numbers[robot.joint_place(number)[0]] = value
    poses = robot.__copy__().set(numbers).body_poses()
    for body, ours in zip(robot.model.bodies, poses):
        if not (plant.HasBodyNamed(body["name"]) if model_instance is None else plant.HasBodyNamed(body["name"], model_instance)):
            continue
        named = plant.GetBodyByName(*(body["name"],) if model_instance is None else (body["name"], model_instance))
        at = plant.EvalBodyPoseInWorld(context, named)
        turn = at.rotation().ToQuaternion().wxyz()
        off = pose_multiply(pose_inverse(ours), np.concatenate([at.translation(), turn]))
        if np.linalg.norm(off[:3]) > 1e-6 or abs(off[3]) < 1.0 - 1e-9:
            raise Error(f"link '{body['name']}': expected the same place in the plant and in abut, got {np.linalg.norm(off[:3]):.3g} m "
                        "apart: read both from one URDF, with one base pose")


def trajectory(plant: MultibodyPlant, motion, robot: Robot, model_instance: ModelInstanceIndex | None = None) -> Trajectory:
    """A trajectory of positions of a plant as one of abut, the same polynomials.

    Its rows are the positions of the plant, or of a model instance; joints of the robot that the plant lacks stand as they
    do in the robot. Floating bases must stand still.
    """
    pieces = _pieces(motion)
    robot, rows = instance(robot, Robot, "robot"), motion.rows()
    if motion.cols() != 1:
        raise Error(f"trajectory: expected one column, got {motion.cols()}")
    places = _places(plant, model_instance, rows)
    joints = _joints(plant, robot, model_instance, places)
    if not joints:
        raise Error("trajectory: expected joints of the robot, got none with its names")
    parts = np.array([_coefficients(motion, *piece) for piece in pieces])
    moved = {row for _, row in joints}
    still = [row for row in range(rows) if row not in moved and np.abs(parts[:, row, 1:]).max() > 1e-9]
    if still:
        names = plant.GetPositionNames() if model_instance is None or rows == plant.num_positions() else \
            plant.GetPositionNames(model_instance)
        raise Error(f"trajectory: expected positions of joints of the robot to move, got '{names[still[0]]}'")
    start = motion.value(pieces[0][0]).ravel()
    q = plant.GetPositions(plant.CreateDefaultContext())
    q[places >= 0] = start[places[places >= 0]]
    _same_places(plant, q, robot, [(number, start[row]) for number, row in joints], model_instance)
    coefficients = np.zeros((len(pieces), len(robot.model.joints), _DEGREE + 1))
    for number, joint in enumerate(robot.model.joints):
        coefficients[:, number, 0] = robot.q[robot.joint_place(number)[0]] if joint["kind"] != "ball" else 0.0
    for number, row in joints:
        coefficients[:, number] = parts[:, row]
    given = np.isin(np.arange(len(robot.model.joints)), [number for number, _ in joints])
    return Trajectory([pieces[0][0], *(end for _, end, _ in pieces)], coefficients, given, robot.model)


def certify(plant: MultibodyPlant, motion, problem: PlanProblem, *, level: float = 0.0, budget: int = 0,
            model_instance: ModelInstanceIndex | None = None) -> tuple[Certificate, NDArray]:
    """Does a trajectory of a plant keep every pair of a problem farther apart than ``level`` meters at all times? As
    ``PlanProblem.certify``."""
    problem = instance(problem, PlanProblem, "problem")
    return problem.certify(trajectory(plant, motion, problem.robot, model_instance), level=level, budget=budget)


def clearance(plant: MultibodyPlant, motion, problem: PlanProblem, *, tolerance: float = 1e-3,
              model_instance: ModelInstanceIndex | None = None) -> tuple[float, float, Certificate]:
    """The least distance of all pairs over a whole trajectory, m: (proved, evaluated, the certificate of the last level).

    It lies between the two, which are at most ``tolerance`` apart unless the bodies meet: then nothing is proved, and the
    first is minus infinity.
    """
    problem = instance(problem, PlanProblem, "problem")
    if not tolerance > 0.0:
        raise Error(f"tolerance: expected a number above 0, got {tolerance}")
    made = trajectory(plant, motion, problem.robot, model_instance)
    best, _ = problem.certify(made)
    low, high = best.lb, best.ub
    while best.status == "clear" and high - low > tolerance:
        level = 0.5 * (low + high)
        found, _ = problem.certify(made, level=level)
        high = min(high, found.ub)
        if found.status == "undecided":
            break
        if found.status == "clear":
            low, best = max(low, found.lb, level), found
    return low, high, best
