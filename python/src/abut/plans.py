# SPDX-License-Identifier: Apache-2.0
"""Plans: motions of a robot that keep clear of the robot itself and of what stands around it, with proof."""
from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Certificate, Mesh, Model, PlanEffort
from ._arrays import doubles, file_name, flag, frozen, instance, integers, listed, read_file, real
from ._errors import Error
from .robots import Robot


class Trajectory:
    """Values of all joints of a model over time, as polynomials: Trajectory(times, coefficients).

    times (pieces + 1,), s; coefficients (pieces, joints, 6): in piece k, x from 0 to 1, joint j is the sum of
    coefficients[k, j, i] x^i. given (joints,): which of them a file moves; all unless it was read. model: whose joints they
    are, for ``write``; None: not known. Immutable.
    """

    def __init__(self, times: ArrayLike, coefficients: ArrayLike, given: ArrayLike | None = None,
                 model: Model | None = None):
        self.model = model
        made = _abut.trajectory_make(times, coefficients, None)
        self.times, self.coefficients = frozen(made[0]), frozen(made[1])
        count = self.coefficients.shape[1]
        self.given = frozen(np.ones(count, bool) if given is None else np.array(given, bool))

    @staticmethod
    def through(times: ArrayLike, joints: ArrayLike, interpolation: str = "cubic") -> Trajectory:
        """Through joints (n, joints) at times (n,): 'linear', 'cubic' (smooth, at rest at its ends) or 'quintic'."""
        return Trajectory(*_abut.trajectory_make(times, joints, interpolation))

    @staticmethod
    def read(path: str | os.PathLike, robot: Robot, interpolation: str | None = None) -> Trajectory:
        """From a CSV file or a NumPy archive (docs/howto/plan.md), or a JointTrajectory of ROS as YAML or JSON
        (docs/howto/adapters/ros.md); joints that it does not name stay as in the robot.

        interpolation: None: quintic where the file has accelerations, cubic where it has speeds, else linear.
        """
        made, given = _abut.trajectory_parse(*read_file(path), instance(robot, Robot, "robot")._handle, interpolation)
        return Trajectory(*made, np.frombuffer(given, np.uint8), robot.model)

    def write(self, path: str | os.PathLike, model: Model | None = None, rate: float = 100.0) -> None:
        """Writes the joints that are given: .csv with so many rows a second, else a NumPy archive with the polynomials.

        model: names the joints; None: that of the trajectory, which plans and files give it.
        """
        model = self.model if model is None else model
        if model is None:
            raise Error("model: expected an abut.Model: this trajectory is made of numbers, and its joints have no names")
        _abut.trajectory_write(self.times, self.coefficients, None, file_name(path), model,
                               self.given.astype(np.uint8).tobytes(), rate)

    def at(self, t: ArrayLike, order: int = 0) -> NDArray[np.float64]:
        """Joints (joints,) at a time, s, or (n, joints) at times (n,), or their derivatives; at rest before and after."""
        rows = _abut.trajectory_values(self.times, self.coefficients, None, np.atleast_1d(doubles(t, "t")), order)
        return rows if np.ndim(t) else rows[0]

    def __repr__(self) -> str:
        return f"<abut.Trajectory: {self.coefficients.shape[1]} joints, {self.times[0]:g} to {self.times[-1]:g} s>"


class Plan:
    """A motion that a search found, with its certificate.

    status: 'certified' (proved clear at all times), 'certified_except' (the same but for ``problem.exceptions``),
    'clear_uncertified', 'blocked', 'budget' (time ran out before) or 'infeasible_input'; reason: why not certified. cost: jerk. times, coefficients: of the ``trajectory``, empty where there is none. certificate: a
    Certificate; pairs: an array of PairCertificate. attempts: dictionaries of kind, status, cost, violation (m),
    iterations, seconds; attempt_limit: how many there would have been at most; out_of_time: the budget was over. effort: a PlanEffort, where balance or torques count. problem: that it solves.
    """

    def __init__(self, problem: PlanProblem, status: str, reason: str, cost: float, seconds: float, motion: tuple,
                 certificate: Certificate, pairs: NDArray, attempts: list[dict], effort: PlanEffort, attempt_limit: int,
                 out_of_time: bool):
        self.problem, self.status, self.reason, self.cost, self.seconds = problem, status, reason, cost, seconds
        self.times, self.coefficients = frozen(motion[0]), frozen(motion[1])
        self.certificate, self.pairs, self.attempts, self.effort = certificate, pairs, attempts, effort
        self.attempt_limit, self.out_of_time = attempt_limit, bool(out_of_time)

    @property
    def trajectory(self) -> Trajectory:
        """The motion."""
        if len(self.times) == 0:
            raise Error(f"this plan has no motion: {self.reason}")
        given = np.isin(np.arange(self.coefficients.shape[1]), self.problem.joints)
        return Trajectory(self.times, self.coefficients, given, self.problem.robot.model)

    def joints_at(self, t: ArrayLike) -> NDArray[np.float64]:
        """Values of all joints of the model at times (n,), s: (n, joints); at rest before and after."""
        return self.trajectory.at(np.atleast_1d(doubles(t, "t")))

    def __repr__(self) -> str:
        return f"<abut.Plan: {self.status}, {self.times[-1] if len(self.times) else 0.0:g} s>"


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanOptions:
    """What a PlanProblem asks for; all of it is optional.

    margin: distance that a plan keeps, m. neighbors: links with at most so many joints between them may touch; None:
    1. held: joints that do not move. support: body that stands still, as a foot does. allow: pairs of links that may meet; only:
    these pairs and no others; add: additional pairs, even of neighbors; windows: (link, link, from, to), pairs that may
    meet in this part of the whole time, 0 to 1, where nothing is proved. Names of links, those of obstacles also as
    'obstacles/NAME'. coupling (joints, k), offset (joints,): joints are coupling u + offset of k coordinates, with
    limits (2, k) of u.

    other_foot: the other foot that stands still. balance: the center of mass stays over the hull of where the feet touch, or
    of corners (n, 3), balance_margin (m) inside. joint_limits (joints, 5): lower, upper, speed, acceleration, torque; NaN:
    as the model says; ``read_limits`` reads them. capsules: links count as capsules, of radii (bodies,) or as they fit.
    surfaces: the model of the obstacles, with meshes as they are: proofs take their triangles. The search takes hulls of meshes, so
    obstacles that are not convex are best read with convex_pieces=True; a warning reports the others. points (n, 3): an
    additional obstacle, whose link is called 'points': balls of radius point_radius (m) around them, or with voxel cubes of
    that edge along the axes, rounded by the radius; ``read_points`` reads files of them.
    """

    margin: float | None = None
    neighbors: int | None = None
    held: Sequence[str | int] = ()
    support: str | int | None = None
    allow: Sequence[tuple[str, str]] = ()
    only: Sequence[tuple[str, str]] = ()
    coupling: ArrayLike | None = None
    offset: ArrayLike | None = None
    limits: ArrayLike | None = None
    other_foot: str | int | None = None
    balance: bool = False
    balance_margin: float | None = None
    corners: ArrayLike | None = None
    joint_limits: ArrayLike | None = None
    capsules: bool = False
    radii: ArrayLike | None = None
    add: Sequence[tuple[str, str]] = ()
    windows: Sequence[tuple[str, str, float, float]] = ()
    surfaces: Model | None = None
    points: ArrayLike | None = None
    point_radius: float = 0.0
    voxel: float = 0.0


class PlanningScene:
    """A moveit_msgs/PlanningScene: PlanningScene.read(path, model), then PlanProblem(scene.robot, scene).

    robot: a Robot in the state of the scene; objects that it holds are links of its model. obstacles: a Model with a body
    for each object of the world. allowed, added: pairs of links, (n, 2), that may meet, and of held objects that must not.
    """

    def __init__(self, content: bytes, name: bytes, model: Model):
        self._content = content, name, model
        held = model.copy()
        q, self.obstacles, self._meshes, self.allowed, self.added = _abut.planning_scene(content, name, held)
        self.robot = Robot(held).set(q)

    @staticmethod
    def read(path: str | os.PathLike, model: Model) -> PlanningScene:
        """From a file of YAML or JSON (docs/howto/adapters/ros.md), for the robot of a model, which is copied."""
        return PlanningScene(*read_file(path), instance(model, Model, "model"))

    def __reduce__(self):
        return PlanningScene, self._content

    def __repr__(self) -> str:
        return f"<abut.PlanningScene: {len(self.obstacles.bodies)} objects, {len(self.robot.model.bodies)} links>"


class PlanProblem:
    """A robot in a posture, obstacles, and the pairs of links that must not meet.

    robot: a copy of it is kept; free bodies and balls stay as they are in it. obstacles: a Model that stands where it
    says; a Mesh, whose link is called 'mesh': proofs take its triangles as they are, the search convex pieces, or
    thin sheets where it is open; or a PlanningScene, whose pairs count too. options: PlanOptions; its fields are taken as keywords too: PlanProblem(robot, margin=0.01).
    """

    def __init__(self, robot: Robot, obstacles: Model | Mesh | PlanningScene | None = None,
                 options: PlanOptions | None = None, **changes):
        instance(robot, Robot, "robot")
        if not isinstance(obstacles, Model | Mesh | PlanningScene | None):
            raise TypeError(f"obstacles: expected an abut.Model, an abut.Mesh, an abut.PlanningScene or None, got {obstacles!r}")
        scene = obstacles if isinstance(obstacles, PlanningScene) else None
        if scene is not None and len(scene.robot.model.bodies) != len(robot.model.bodies):
            raise Error("robot: expected the robot of the planning scene, with what it holds")
        if not isinstance(options, PlanOptions | None):
            raise TypeError(f"options: expected an abut.PlanOptions or None, got {options!r}")
        o = replace(options or PlanOptions(), **changes)
        o = replace(o, **{name: tuple(listed(getattr(o, name), name)) for name in ("held", "allow", "only", "add", "windows")})
        self.robot, self.options, self._given = robot.__copy__(), o, obstacles
        self.obstacles, meshes = self._stand(obstacles, o)
        settings = {"margin": o.margin, "neighbors": o.neighbors,
                    "support": None if o.support is None else self.robot.model.find("body", o.support),
                    "other_foot": None if o.other_foot is None else self.robot.model.find("body", o.other_foot),
                    "balance": flag(o.balance, "balance"), "balance_margin": o.balance_margin,
                    "capsules": flag(o.capsules, "capsules")}
        still = np.zeros(len(self.robot.model.joints), np.uint8)
        still[[self.robot.model.find("joint", joint) for joint in o.held]] = 1
        offset = np.zeros(len(still)) if o.coupling is not None and o.offset is None else o.offset
        self._handle = _abut.problem_new(
            self.robot._handle, self.obstacles, {key: value for key, value in settings.items() if value is not None}, still,
            self._links(o.allow, scene and scene.allowed), self._links(o.only), o.coupling, offset, o.limits, o.corners,
            o.joint_limits, o.radii, self._links(o.add, scene and scene.added), self._windows(o.windows), meshes)

    @staticmethod
    def _stand(obstacles: Model | Mesh | PlanningScene | None, o: PlanOptions) -> tuple:
        """The model of the obstacles, and their triangles and points."""
        if o.surfaces is not None and not isinstance(obstacles, Model):
            raise Error("surfaces: expected obstacles that are a Model")
        if o.points is None and (o.point_radius or o.voxel):
            raise Error("points: expected an array with point_radius or voxel, got None")
        if isinstance(obstacles, Mesh):
            model, meshes = _abut.plan_mesh_obstacle(obstacles)
        elif isinstance(obstacles, PlanningScene):
            fresh = obstacles if o.points is None else PlanningScene(*obstacles._content)  # points join the list of meshes
            model, meshes = obstacles.obstacles.copy(), fresh._meshes
        else:
            model = None if obstacles is None else obstacles.__copy__()
            meshes = None if o.surfaces is None else _abut.plan_surface_obstacles(model, o.surfaces)
        if o.points is None:
            return model, meshes
        return _abut.plan_point_obstacle(Model() if model is None else model, meshes, o.points, o.point_radius, o.voxel)

    def _windows(self, windows: Sequence[tuple[str, str, float, float]]) -> NDArray:
        for row in windows:
            if not isinstance(row, Sequence) or len(row) != 4:
                raise Error(f"windows: expected (link, link, from, to), got {row!r}")
        rows = [(self._link(a), self._link(b), float(start), float(end)) for a, b, start, end in windows]
        return np.array(rows, np.dtype([("a", "i4"), ("b", "i4"), ("from", "f8"), ("to", "f8")]))

    def _links(self, pairs: Sequence[tuple[str, str]], more: NDArray | None = None) -> NDArray[np.int32]:
        """Numbers of the links of pairs, and additional ones as numbers."""
        made = integers([[self._link(name) for name in pair] for pair in pairs], "pairs", 2)
        return made if more is None else np.concatenate([made, more])

    def _link(self, name: str) -> int:
        names = [body["name"] for body in self.robot.model.bodies]
        around = [] if self.obstacles is None else [body["name"] for body in self.obstacles.bodies]
        if name in names:
            return names.index(name)
        plain = name.removeprefix("obstacles/")
        if plain not in around:
            raise Error(f"pairs: there is no link '{name}'")
        return len(names) + around.index(plain)

    @property
    def joints(self) -> list[int]:
        """Numbers of the joints that move."""
        return _abut.problem_tell(self._handle, "joints")

    @property
    def links(self) -> list[str]:
        """Names of all links: bodies of the robot, then those of the obstacles."""
        return _abut.problem_tell(self._handle, "links")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names of the links of each pair that must not meet."""
        return _abut.problem_tell(self._handle, "pairs")

    @property
    def exceptions(self) -> list[tuple[str, str]]:
        """Pairs that were left out as always near: nothing is proved of them. ``allow`` accepts them, ``add`` makes them count."""
        return _abut.problem_tell(self._handle, "exceptions")

    @property
    def pair_triangles(self) -> list[int]:
        """Of each pair, how many triangles proofs take as they are; 0: its bodies are convex shapes."""
        return _abut.problem_tell(self._handle, "triangles")

    @property
    def coordinates(self) -> list[tuple[str, float, float]]:
        """(name, lower, upper) of each coordinate that is planned."""
        return _abut.problem_tell(self._handle, "coordinates")

    @property
    def notes(self) -> list[str]:
        """What was left out and why."""
        return _abut.problem_tell(self._handle, "notes")

    def joints_of(self, u: ArrayLike) -> NDArray[np.float64]:
        """Joints (joints of the model,) from coordinates u (k,)."""
        return _abut.problem_convert(self._handle, u, 1)

    def coordinates_of(self, joints: ArrayLike) -> NDArray[np.float64]:
        """The coordinates (k,) nearest to joints (joints of the model,)."""
        return _abut.problem_convert(self._handle, joints, 0)

    def link_poses(self, joints: ArrayLike) -> NDArray[np.float64]:
        """Where all links are at values of all joints of the model: (links, 7)."""
        return _abut.problem_link_poses(self._handle, joints)

    @property
    def joint_limits(self) -> NDArray[np.float64]:
        """(joints that move, 5): lower, upper, speed, acceleration, torque after all that applies; infinity: none."""
        return np.array(_abut.problem_tell(self._handle, "limits")).reshape(-1, 5)

    @property
    def polygon(self) -> NDArray[np.float64]:
        """Corners (n, 3) of the support polygon, counter-clockwise seen from above; none without balance."""
        return _abut.problem_polygon(self._handle)

    def balance(self, joints: ArrayLike) -> dict:
        """The center of mass (3,) at values of all joints: center; inside: how far it is in the support polygon, m; edge."""
        return dict(zip(("center", "inside", "edge"), _abut.problem_balance(self._handle, joints)))

    def effort(self, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *,
               interpolation: str = "cubic") -> tuple[PlanEffort, NDArray[np.float64]]:
        """What a motion, as of ``certify``, takes: (PlanEffort, torques (400, joints that move) at even times)."""
        return _abut.problem_effort(*self._motion(times, joints, interpolation), self._handle)

    def nearest(self, joints: ArrayLike | None = None, *, poses: ArrayLike | None = None) -> dict:
        """The nearest pair at values of all joints of the model, or where its bodies are at poses (bodies, 7): pair (-1:
        none), distance (m), point_a, point_b, normal (3,), and distances (pairs,) of all."""
        if (joints is None) == (poses is None):
            raise Error("nearest: expected joints, or poses")
        names = ("pair", "distance", "point_a", "point_b", "normal", "distances")
        return dict(zip(names, _abut.problem_nearest(self._handle, joints, poses)))

    def least(self, pair: int, piece: int, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *,
              interpolation: str = "cubic", method: str = "as") -> tuple[float, float, int]:
        """The least distance of a pair over one piece of a motion, as of ``certify``: (distance, where in it, 0 to 1,
        evaluations). method: 'gss', 'ca', 'hybrid' or 'as', which alone is to within 1 mm; the others without proof."""
        return _abut.problem_least(*self._motion(times, joints, interpolation), self._handle, method, pair, piece)

    @staticmethod
    def _motion(times, joints, interpolation: str) -> tuple:
        if isinstance(times, Plan):
            times = times.trajectory
        if isinstance(times, Trajectory):
            return times.times, times.coefficients, None
        if joints is None:
            raise Error("joints: expected values at the times, or a Trajectory or a Plan instead of them")
        if interpolation is None:
            raise TypeError("interpolation: expected 'linear', 'cubic' or 'quintic', got None")
        return times, joints, interpolation

    def certify(self, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *, interpolation: str = "cubic",
                level: float = 0.0, budget: int = 0) -> tuple[Certificate, NDArray]:
        """Does a motion keep every pair farther apart than ``level`` meters at all times? (Certificate, array of
        PairCertificate).

        times: a Trajectory or a Plan; or times (n,) with joints (n, joints of the model), and interpolation 'linear',
        'cubic' (smooth, at rest at its ends) or 'quintic'. budget: bounds; 0: 5 million.
        """
        return _abut.problem_certify(*self._motion(times, joints, interpolation), self._handle, level, budget)

    def free(self, postures: ArrayLike, to: ArrayLike | None = None, *, level: float = 0.0, threads: int = 0) -> NDArray[np.bool_]:
        """Are postures (n, joints of the model) proved to keep every pair farther apart than ``level`` meters? An array of
        n truths. With ``to``, postures too, the straight edges from one to the other are meant, all places of them.

        False: not proved. Limits of joints are not looked at, windows are ignored, and nothing is said of pairs that are
        exceptions. threads: 0: all processors.
        """
        return _abut.problem_free(self._handle, postures, to, level, threads)

    def check_limits(self, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *,
                     interpolation: str = "cubic") -> list[dict]:
        """Limits that a motion breaks at any time, between samples too: dictionaries of joint (a number of the model), kind
        ('position', 'speed' or 'acceleration'), the value farthest beyond, limit, and t, s. The motion as of ``certify``."""
        rows = _abut.problem_check_limits(*self._motion(times, joints, interpolation), self._handle)
        return [dict(zip(("joint", "kind", "value", "limit", "t"), row)) for row in rows]

    def curve(self, pair: int, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *,
              interpolation: str = "cubic", cells: int = 10) -> NDArray:
        """The distance of a pair over a whole motion with what is proved of it: an array of PlanSample, ``cells`` of them
        for each piece. The motion as of ``certify``."""
        return _abut.problem_curve(*self._motion(times, joints, interpolation), self._handle, pair, cells)

    def solve(self, start: ArrayLike, goal: ArrayLike, *, via: Sequence[tuple[float, ArrayLike]] = (), seed: int = 1,
              roadmap: Roadmap | None = None, **settings) -> Plan:
        """A motion from rest at joints ``start`` to rest at ``goal``, (joints of the model,), that keeps the margin: a Plan.

        via: (part of the time, joints) of postures on the way. roadmap: searched for the fast attempt. Settings: level (what the certificate must show, m),
        quality ('fast': the first certified plan, 'good': of that and a smooth one the better, 'best': of six attempts), points,
        attempts, budget (seconds of wall time; 5, or none where attempts are given, which alone give the
        same plan in every run), speed, acceleration, duration (s; 0: as they allow), torque (they
        keep their limits), samples, thesis (as in the thesis, where ``plan_has_thesis()``, with mcd 'gss', 'ca', 'hybrid'
        or 'as'), threads. Ctrl-C ends the search.
        """
        between = [self._stop(stop) for stop in listed(via, "via")]
        postures = [self._posture(x, name) for x, name in ((start, "start"), (goal, "goal"), *((x, "via") for _, x in between))]
        usual = {"threads": 1, **({"budget": np.inf} if "attempts" in settings else {})}
        found = _abut.problem_solve(self._handle, np.array(postures), [t for t, _ in between], {**usual, **settings}, seed,
                                    None if roadmap is None else instance(roadmap, Roadmap, "roadmap")._handle)
        return Plan(self, *found)

    def retime(self, times: ArrayLike | Trajectory | Plan, joints: ArrayLike | None = None, *, interpolation: str = "cubic",
               **settings) -> Trajectory:
        """The path of a motion, as of ``certify``, in the least time that limits allow; settings: speed, acceleration,
        torque, as of ``solve``. Proofs of the motion do not hold for the result: prove it again."""
        made = _abut.problem_retime(*self._motion(times, joints, interpolation), self._handle, settings)
        return Trajectory(*made, model=self.robot.model)

    @staticmethod
    def _stop(stop: tuple) -> tuple[float, ArrayLike]:
        if not isinstance(stop, (list, tuple)) or len(stop) != 2:
            raise TypeError(f"via: expected pairs of a part of the time and joints, got {stop!r}")
        return real(stop[0], "via"), stop[1]

    def _posture(self, joints: ArrayLike, name: str) -> NDArray[np.float64]:
        array, count = doubles(joints, name), len(self.robot.model.joints)
        if array.shape != (count,):
            raise Error(f"{name}: expected shape ({count},), got shape {array.shape}")
        return array

    def reach(self, start: ArrayLike, tasks: Sequence[dict], *, tries: int = 20, seed: int = 1, limit: int = 10) -> NDArray[np.float64]:
        """Postures (n, joints of the model) that meet tasks of inverse kinematics (``Robot.task``) and keep the margin,
        nearest to ``start`` first, at most ``limit``."""
        return _abut.problem_reach(self._handle, start, listed(tasks, "tasks"), tries, seed, limit)

    def __reduce__(self):
        return PlanProblem, (self.robot, self._given, self.options)

    def __repr__(self) -> str:
        return f"<abut.PlanProblem: {len(self.joints)} joints, {len(self.pairs)} pairs>"


def plan_many(problems: PlanProblem | Sequence[PlanProblem], starts: ArrayLike, goals: ArrayLike, *, threads: int = 0,
              seed: int = 1, **settings) -> list[Plan]:
    """Plans for many pairs of postures over threads, a Plan for each row of ``starts`` and ``goals`` (n, joints).

    problems: one for all rows, or a sequence of n, as for obstacles that differ. threads: 0: all processors. seed and
    settings as of ``PlanProblem.solve``; without a budget that ends a search, the plans are the same for any number of
    threads. Ctrl-C drops the rows that have not begun.
    """
    rows = [np.atleast_2d(doubles(x, name)) for x, name in ((starts, "starts"), (goals, "goals"))]
    count = len(rows[0])
    if rows[0].shape != rows[1].shape:
        raise Error(f"goals: expected shape {rows[0].shape} as of starts, got shape {rows[1].shape}")
    each = [problems] * count if isinstance(problems, PlanProblem) else listed(problems, "problems")
    if len(each) != count:
        raise Error(f"problems: expected one, or {count} as there are starts, got {len(each)}")
    if threads < 0:
        raise Error(f"threads: expected 0 or more, got {threads}")
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        made = [pool.submit(one.solve, start, goal, seed=seed, **settings) for one, start, goal in zip(each, *rows)]
        return [one.result() for one in made]
    finally:
        pool.shutdown(cancel_futures=True)


class Roadmap:
    """Free postures of a robot and proved edges between near ones: Roadmap(problem, 2000).

    ``PlanProblem.solve`` and ``plan_many`` take it as ``roadmap``, also of problems with other obstacles: edges are proved
    again where they are used. level: as of ``solve``. threads: 0: all processors; the map is
    the same for any number. Immutable.
    """

    def __init__(self, problem: PlanProblem, count: int = 2000, *, level: float = 0.001, threads: int = 0, seed: int = 1):
        self._handle = _abut.roadmap_new(instance(problem, PlanProblem, "problem")._handle, count, level, threads, seed)

    @property
    def postures(self) -> NDArray[np.float64]:
        """(n, coordinates), as of ``PlanProblem.coordinates``."""
        return _abut.roadmap_tell(self._handle)[0]

    @property
    def edges(self) -> NDArray[np.int32]:
        """(m, 2): numbers of postures, each edge once."""
        return _abut.roadmap_tell(self._handle)[1]

    def write(self, path: str | os.PathLike) -> None:
        """A file .npz with arrays postures, start and to."""
        _abut.roadmap_write(self._handle, file_name(path))

    @staticmethod
    def read(path: str | os.PathLike) -> Roadmap:
        """From a file of ``write``, or of ``abut plan roadmap``."""
        made = object.__new__(Roadmap)
        made._handle = _abut.roadmap_parse(*read_file(path))
        return made

    @staticmethod
    def _of(*parts: NDArray) -> Roadmap:
        made = object.__new__(Roadmap)
        made._handle = _abut.roadmap_of(*parts)
        return made

    def __reduce__(self):
        return Roadmap._of, _abut.roadmap_tell(self._handle)

    def __repr__(self) -> str:
        return f"<abut.Roadmap: {len(self.postures)} postures, {len(self.edges)} edges>"


def read_points(path: str | os.PathLike) -> NDArray[np.float64]:
    """Points (n, 3) from a PLY, PCD or .npy file."""
    return _abut.points_parse(*read_file(path))


def trajectory_values(times: ArrayLike, joints: ArrayLike, at: ArrayLike, *, interpolation: str = "cubic",
                      order: int = 0) -> NDArray[np.float64]:
    """Joints (m, joints), or their derivatives of an order up to 5, at times ``at`` (m,) of the trajectory through joints
    (n, joints) at times (n,)."""
    return _abut.trajectory_values(times, joints, interpolation, at, order)


class Controls:
    """Controls of some actuators of a model over time: Controls.read(path, model).

    actuators: their numbers. rows (n, 1 + actuators): a time, s, then a control of each, held until the next row.
    """

    def __init__(self, actuators: Sequence[int], rows: ArrayLike):
        self.actuators, self.rows = list(actuators), frozen(np.atleast_2d(doubles(rows, "rows")))

    @staticmethod
    def read(path: str | os.PathLike, model: Model) -> Controls:
        """From a CSV file: a line ``t,NAME,...``, then lines of numbers with growing times."""
        return Controls(*_abut.controls_parse(*read_file(path), model))

    def at(self, time: float, controls: ArrayLike) -> NDArray[np.float64]:
        """``controls`` (actuators of the model,) with those of the last row that is not after a time put in."""
        return _abut.controls_at(self.actuators, self.rows, time, controls)

    def __repr__(self) -> str:
        return f"<abut.Controls: {len(self.actuators)} actuators, {len(self.rows)} rows>"


def find_feet(robot: Robot) -> list[int]:
    """Bodies that are the feet of a robot with a free base: the lowest two in its posture, left first; else fewer."""
    return _abut.plan_find_feet(instance(robot, Robot, "robot")._handle)


def plan_has_thesis() -> bool:
    """Was the library built with IPOPT, so that plans can be made as in the thesis?"""
    return _abut.plan_has_thesis()


def is_proof(certificate: Certificate) -> bool:
    """Is every pair proved clear, is there one, and is balance proved where the problem asks for it?"""
    return _abut.certificate_is_proof(certificate)


def read_limits(path: str | os.PathLike, model: Model) -> NDArray[np.float64]:
    """Limits of joints from CSV, (joints, 5): lower, upper, speed, acceleration, torque; NaN where none is told."""
    return _abut.limits_parse(*read_file(path), model)


def import_table() -> list[tuple[str, str, str, str]]:
    """(format, element, attributes, note) of every element of MJCF and URDF that is read."""
    return _abut.import_table()
