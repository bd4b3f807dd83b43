# SPDX-License-Identifier: Apache-2.0
"""What people look at: pages for a browser or a notebook, and rendered images."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Mesh, Model, ModeSystem, Motion, Overlap, Pieces
from ._arrays import DTYPES, check_count, check_int, doubles, file_name, finite, flag, instance, numbers
from ._errors import Error
from .queries import distance
from .plans import Plan
from .robots import Robot
from .runs import Run
from .scenes import Scene
from .worlds import Simulation


def show(x, path: str | os.PathLike | None = None, *, title: str = "abut", open: bool = True,
         stages: bool = False) -> pathlib.Path:
    """Writes the page of x and opens it in a browser; gives the path of the file.

    x: a Run; a Simulation, Scene, Model or Robot as it stands; a Plan; an Overlap; a ModeSystem; or what ``pair`` or
    ``mode_view`` made. path: the file (None: a temporary one). open: False to write only. stages: with a Run, also
    chart the time that each stage of a step took.
    """
    if path is None:
        handle, name = tempfile.mkstemp(suffix=".html", prefix="abut-")
        os.close(handle)
        path = name
    target = pathlib.Path(os.fsdecode(file_name(path))).resolve()
    opened = flag(open, "open")
    _write(x, str(target), title, flag(stages, "stages"))
    if opened:
        webbrowser.open(target.as_uri())
    return target


def _write(x, path: str, title: str, stages: bool = False) -> None:
    if isinstance(x, ModeSystem):
        x = ModeView(x)
    if isinstance(x, (Pair, ModeView)):
        x.write(path, title)
    elif isinstance(x, Overlap):
        _write_overlap(x, path, title)
    elif isinstance(x, Plan):
        _write_plan(x, path, title)
    else:
        still = not isinstance(x, Run)
        _abut.page_run(file_name(path), {"title": title, "without_charts": still, "stages": stages}, as_run(x)._handle)


def as_run(x: Run | Simulation | Scene | Model | Robot) -> Run:
    """x as a run: a run as it is, anything else as one step of it, as it stands."""
    if isinstance(x, Run):
        return x
    if isinstance(x, Robot):
        return Run.of_poses(x.model, [0.0], x.body_poses()[None])
    if isinstance(x, Model):
        return as_run(Robot(x)) if x.joints else as_run(Scene(x))
    if isinstance(x, Simulation):
        return as_run(x.scene)
    if isinstance(x, Scene):
        return Run.of_poses(x.model(), [0.0], x.poses[None])
    raise TypeError(f"x: expected a Run, Simulation, Scene, Model or Robot, got {x!r}")


class Pair:
    """Two bodies with their distance, to be shown: at one pose of B in A, or at many times."""

    def __init__(self, a: Convex | Mesh, b: Convex | Mesh, pose: ArrayLike | Motion | None = None,
                 times: ArrayLike | None = None):
        """pose: of B in A, or a Motion, which ``times`` (n,) sample (None: 100 over its span)."""
        self.a, self.b = a, b
        if isinstance(pose, Motion):
            self.times = np.linspace(*pose.span, 100) if times is None else doubles(times, "times")
            self.poses = pose.pose_at(self.times)
        else:
            self.times, self.poses = np.zeros(1), _abut.pose_numbers(pose, "pose").reshape(-1, 7)
            if len(self.poses) != 1:
                raise Error(f"pose: expected one pose or a Motion, got {len(self.poses)} poses")
        self.answers = distance(a, b, self.poses)

    def write(self, path: str, title: str) -> None:
        meshes = [x if isinstance(x, Mesh) else x.to_mesh() for x in (self.a, self.b)]
        rows = np.zeros(len(self.times), DTYPES["Gap"])
        for field in ("distance", "normal", "point_a", "point_b"):
            rows[field] = self.answers[field]
        meshed = isinstance(self.a, Mesh) or isinstance(self.b, Mesh)
        head = {"title": title, "note": "triangles of the meshes" if meshed else "convex bodies"}
        if len(self.times) == 1:
            head["outcome"] = distance(self.a, self.b, self.poses[0]).outcome
        _abut.page_meshes(file_name(path), head, *meshes, self.times, self.poses, rows)

    def _repr_html_(self) -> str:
        return _inline(self)

    def __repr__(self) -> str:
        return f"<abut.Pair of {self.a!r} and {self.b!r} at {len(self.times)} times>"


def pair(a: Convex | Mesh, b: Convex | Mesh, pose: ArrayLike | Motion | None = None,
         times: ArrayLike | None = None) -> Pair:
    """Two bodies and their distance, for ``show``: at a pose of B in A, or along a Motion."""
    return Pair(a, b, pose, times)


def _write_overlap(x: Overlap, path: str, title: str) -> None:
    a, b, pose, _ = x.question()
    model = Model()
    for name, body, where in (("A", a, None), ("B", b, pose)):
        number = model.add_body(name, "static", pose=where)
        if body.kind == "half_space":
            model.add_shape(number, "half_space", pose=_plane_pose(body))
        else:
            model.add_shape(number, convex=body.polyhedra(0)[0])
    _abut.page_overlap(file_name(path), {"title": title, "outcome": x.outcome, "note": "clipping of convex bodies"}, model, x)


def _plane_pose(body: Convex) -> NDArray[np.float64]:
    """Pose of a frame in which z <= 0 is the half-space."""
    normal, offset = body.numbers[:3], body.numbers[3]
    axis, angle = np.cross((0.0, 0.0, 1.0), normal), float(np.arccos(np.clip(normal[2], -1.0, 1.0)))
    axis = axis / np.linalg.norm(axis) if np.linalg.norm(axis) > 0.0 else np.array([1.0, 0.0, 0.0])
    return np.concatenate([normal * offset, [np.cos(angle / 2)], np.sin(angle / 2) * axis])


def _write_plan(plan: Plan, path: str, title: str) -> None:
    motion = plan.trajectory
    _abut.page_plan(file_name(path), {"title": title, "subtitle": plan.status}, plan.problem._handle, motion.times,
                    motion.coefficients, None, plan.pairs)


class ModeView:
    """Contact modes to be shown: of a ModeSystem that knows where its contacts are.

    model: the bodies, in the order of the system's; None: a ball for each. wrench: (dof,) force that acts, N and N m:
    modes whose contact forces balance it are green. limit: modes at most.
    """

    def __init__(self, system: ModeSystem, model: Model | None = None, *, wrench: ArrayLike | None = None,
                 friction: ArrayLike = 0.5, limit: int = 2000):
        self.system, self.wrench, self.friction = instance(system, ModeSystem, "system"), wrench, friction
        self.contacts, self.positions = _abut.mode_geometry(system)
        self.model = _balls(self.contacts, self.positions) if model is None else instance(model, Model, "model")
        if len(self.model.bodies) != len(self.positions):
            raise Error(f"model: expected {len(self.positions)} bodies, those of the system, got {len(self.model.bodies)}")
        self.modes = system.modes(limit=limit)

    def write(self, path: str, title: str) -> None:
        twists = np.array([self._twists(mode) for mode in self.modes]).reshape(len(self.modes), len(self.positions), 6)
        feasible = [] if self.wrench is None else [
            self.system.forces(mode, self.wrench, friction=self.friction)[0].feasible for mode in self.modes]
        head = {"title": title, "subtitle": f"{self.system.contacts} contacts, {self.system.dof} velocities, {len(self.modes)} modes"}
        _abut.page_modes(file_name(path), head, self.model, self.modes, self.system.lines, self.contacts,
                         [float(self.system.dimension(mode)) for mode in self.modes], [float(x) for x in feasible], twists)

    def _twists(self, mode: str) -> NDArray[np.float64]:
        """Of the origins of the bodies as the page has them; the fastest contact point or origin has the speed 1."""
        twists = _abut.mode_twists(self.system, self.system.velocity(mode))
        origins = np.array([body["pose"][:3] for body in self.model.bodies]).reshape(-1, 3)
        twists[:, :3] += np.cross(twists[:, 3:], origins - self.positions)
        speeds = [np.linalg.norm(twists[:, :3], axis=1).max(initial=0.0)]
        for row in self.contacts:
            for body in row[6:8].astype(int):
                if body >= 0:
                    speeds.append(float(np.linalg.norm(twists[body, :3] + np.cross(twists[body, 3:], row[:3] - origins[body]))))
        scaled = twists / max(speeds) if max(speeds) > 0.0 else twists
        scaled[np.abs(scaled) < 1e-9] = 0.0
        return scaled

    def _repr_html_(self) -> str:
        return _inline(self)

    def __repr__(self) -> str:
        return f"<abut.ModeView of {self.system!r}: {len(self.modes)} modes>"


def _balls(contacts: NDArray, positions: NDArray) -> Model:
    model = Model()
    points = contacts[:, :3]
    size = 0.05 * max(1e-3, float(np.ptp(points, axis=0).max(initial=0.0)))
    for i, position in enumerate(positions):
        body = model.add_body(f"body{i}", "static", pose=position)
        model.add_shape(body, "sphere", size)
    return model


def mode_view(system: ModeSystem, model: Model | None = None, *, wrench: ArrayLike | None = None, friction: ArrayLike = 0.5,
              limit: int = 2000) -> ModeView:
    """Contact modes for ``show``: of a system with a model of its bodies; wrench (dof,): which modes forces go with."""
    return ModeView(system, model, wrench=wrench, friction=friction, limit=limit)


def _inline(x) -> str:
    if not _abut.page_available():
        return html.escape(repr(x))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        _write(x, path, "abut")
        with open(path, encoding="utf-8") as file:
            page = file.read()
    return f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="600" style="border:0"></iframe>'


def render(x, *, step: int = -1, time: float | None = None, size: tuple[int, int] = (640, 480), forces: bool = False,
           eye: ArrayLike | None = None, target: ArrayLike = (0.0, 0.0, 0.0), whole: bool = False,
           background: int | None = None) -> NDArray[np.uint8]:
    """A picture, uint8 (height, width, 3), drawn without a graphics card.

    x: a Run (``step``, or the step nearest to ``time``, s); a Simulation, Scene, Model or Robot as it stands; a Mesh,
    Convex, Pieces or Pair; or a list of (body, pose). eye, target: (3,) m; without eye all is shown, with
    whole: all that moves at any step of the run, as films need it. forces: arrows.
    """
    numbers(size, "size", (2,))
    settings = {"width": check_count(size[0], "size"), "height": check_count(size[1], "size")}
    if background is not None:
        settings["background"] = background
    if eye is not None:
        settings |= _camera(eye, target)
    if isinstance(x, Pair):
        x = [x.a, (x.b, x.poses[step if time is None else int(np.abs(x.times - finite(time, "time")).argmin())])]
    if isinstance(x, (Mesh, Convex, Pieces, list)):
        return _abut.render_meshes(*_items(x), settings)
    run, step = as_run(x), check_int(step, "step")
    number = run.step_at(time) if time is not None else step if step >= 0 else len(run) + step
    aim = 0 if eye is not None else 2 if flag(whole, "whole") else 1
    return _abut.render_run(run._handle, number, flag(forces, "forces"), aim, settings)


def _camera(eye: ArrayLike, target: ArrayLike) -> dict:
    places = {"eye": numbers(eye, "eye", (3,)), "target": numbers(target, "target", (3,))}
    for name, place in places.items():
        if not np.isfinite(place).all():
            raise Error(f"{name}: expected finite numbers, got {place.tolist()}")
    if np.array_equal(*places.values()):
        raise Error(f"eye: expected a place other than the target, got {places['eye'].tolist()}")
    return places


_COLORS = (0x4C78A8, 0xF58518, 0x54A24B, 0xE45756, 0x72B7B2, 0xB279A2, 0xEECA3B, 0x9D755D)


def _items(x) -> tuple[list[Mesh], list, list[int]]:
    placed = list(x) if isinstance(x, (list, Pieces)) else [x]
    pairs = [item if isinstance(item, tuple) else (item, None) for item in placed]
    meshes = [body if isinstance(body, Mesh) else body.to_mesh() for body, _ in pairs]
    return meshes, [pose for _, pose in pairs], [_COLORS[i % len(_COLORS)] for i in range(len(pairs))]


def write_png(path: str | os.PathLike, image: NDArray[np.uint8]) -> None:
    """Writes an image (height, width, 3) as PNG."""
    pixels = _pixels(image, "image")
    _abut.write_png(file_name(path), pixels, *pixels.shape[:2])


def _pixels(image: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    pixels = np.ascontiguousarray(image)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.size == 0:
        raise Error(f"{name}: expected uint8 of shape (height, width, 3), got {pixels.dtype} of shape {pixels.shape}")
    return pixels


def write_gif(path: str | os.PathLike, frames: Sequence[NDArray[np.uint8]] | Run, *, delay: float = 0.04,
              size: tuple[int, int] = (480, 360), forces: bool = False) -> None:
    """Writes an animated GIF of images (height, width, 3), or of a Run; delay: from one frame to the next, s."""
    if not finite(delay, "delay") > 0.0:
        raise Error(f"delay: expected a time above 0, got {delay}")
    if isinstance(frames, Run):
        run = frames
        stops = np.arange(run["time"][0], run["time"][-1] + 0.5 * delay, delay)
        frames = [render(run, time=t, size=size, forces=forces, whole=True) for t in stops]
    if not np.iterable(frames):
        raise TypeError(f"frames: expected images or a Run, got {frames!r}")
    images = [_pixels(image, "frames") for image in frames]
    if not images:
        raise Error("frames: expected at least one image")
    _abut.write_gif(file_name(path), images, *images[0].shape[:2], round(1000 * delay))


def write_plot(path: str | os.PathLike, series: Mapping[str, tuple[ArrayLike, ArrayLike]], *, markers: bool = False, **settings) -> None:
    """Writes lines, name to (x (n,), y (n,)), as SVG. Points that are not finite leave a gap.

    Settings: title, x_label, y_label, log_x, log_y, x_min, x_max, y_min, y_max, width, height (pixels).
    """
    if not isinstance(series, Mapping):
        raise TypeError(f"series: expected a dictionary of names and (x, y), got {series!r}")
    lines = []
    for name, (x, y) in series.items():
        a, b = doubles(x, name), doubles(y, name)
        if a.ndim != 1 or a.shape != b.shape:
            raise Error(f"{name}: expected x and y of one shape (n,), got {a.shape} and {b.shape}")
        lines.append((name, np.array([a, b]), flag(markers, "markers")))
    _abut.write_plot(file_name(path), settings, lines)


def _inline_modes(system: ModeSystem) -> str:
    """Of a system that does not know where its contacts are, words."""
    try:
        return _inline(ModeView(system))
    except Error:
        return html.escape(repr(system))


for _class in (Run, Simulation, Scene, Model, Robot, Plan, Overlap):
    _class._repr_html_ = _inline
ModeSystem._repr_html_ = _inline_modes
