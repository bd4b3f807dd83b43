# SPDX-License-Identifier: Apache-2.0
"""Runs and plans in other viewers: Rerun, Viser and Meshcat, where their packages are installed.

    abut.to_rerun(run, "drop.rrd")          # or a stream of rerun; rerun.init(..., spawn=True) before shows it at once
    abut.to_viser(run, viser.ViserServer())
    abut.to_meshcat(run, meshcat.Visualizer())
"""
from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from . import _abut
from ._abut import Mesh, Model
from ._arrays import check_count
from ._errors import Error
from .pictures import _COLORS, as_run
from .plans import Plan
from .poses import pose_apply, pose_matrix
from .runs import Run
from .scenes import Scene

_GROUND = 5.0  # half the side of the square that is drawn for a half-space, m


def _mesh(model: Model, number: int) -> Mesh:
    """What a shape looks like, in the body frame."""
    shape = model.shapes[number]
    if shape["kind"] == "half_space":
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) * _GROUND
        mesh = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32))
    elif shape["kind"] == "height_field":
        mesh = Mesh.height_field(*model.shape_field(number))
    else:
        mesh = _abut.model_shape_mesh(model, number) or model.shape_body(number).to_mesh()
    return Mesh(pose_apply(shape["pose"], mesh.vertices), mesh.triangles)


def _color(model: Model, number: int) -> tuple[int, int, int]:
    shape = model.shapes[number]
    color = shape["color"] or _COLORS[shape["body"] % len(_COLORS)]
    return color >> 16 & 255, color >> 8 & 255, color & 255


def _parts(model: Model) -> Iterator[tuple[int, str, Mesh, tuple[int, int, int]]]:
    """(body, name, mesh, color) of every shape; names are those of the bodies, numbered where they repeat."""
    names = [body["name"].replace("/", "_") or "body" for body in model.bodies]
    names = [name if names.count(name) == 1 else f"{name}_{i}" for i, name in enumerate(names)]
    for number, shape in enumerate(model.shapes):
        yield shape["body"], f"{names[shape['body']]}/{number}", _mesh(model, number), _color(model, number)


def _take(x) -> tuple[Run, Plan | None]:
    """The run of what is shown; a plan at 50 steps a second."""
    if not isinstance(x, Plan):
        return as_run(x), None
    motion, problem = x.trajectory, x.problem
    times = np.linspace(motion.times[0], motion.times[-1], max(2, int(np.ceil(50 * (motion.times[-1] - motion.times[0]))) + 1))
    model = Model()
    for source in (problem.robot.model, problem.obstacles):
        first = len(model.bodies)
        for body in [] if source is None else source.bodies:
            model.add_body(body["name"], kind="kinematic")
        for number, shape in enumerate([] if source is None else source.shapes):
            field = shape["kind"] == "height_field"
            model.add_shape(first + shape["body"], None if field or shape["kind"] == "polyhedron" else shape["kind"], shape["size"],
                            convex=source.shape_body(number) if shape["kind"] == "polyhedron" else None,
                            field=source.shape_field(number) if field else None, pose=shape["pose"], color=shape["color"])
    return Run.of_poses(model, times, np.array([problem.link_poses(q) for q in motion.at(times)])), x


def _least(run: Run, model: Model, steps: range) -> NDArray[np.float64] | None:
    """The least distance of two bodies at each step, infinity without a pair; None: links of robots are among them."""
    kinds = {body["kind"] for body in model.bodies}
    if "link" in kinds or not kinds - {"static"}:
        return None
    scene, poses, least = Scene(model), run["pose"], []
    moving = [i for i, body in enumerate(model.bodies) if body["kind"] != "static"]
    for step in steps:
        there = [i for i in moving if run.has_body(step, i)]
        if len(there) < len(moving):
            return None
        for i in there:
            scene.set_pose(scene.bodies[i], poses[step, i])
        rows = scene.distances()
        least.append(float(rows["distance"].min()) if len(rows) else np.inf)
    return np.array(least)


def to_rerun(x, to: str | os.PathLike | object | None = None, *, every: int = 1, clearances: bool = True) -> object:
    """Logs a Run, a Plan, or a Simulation, Scene, Model or Robot as it stands, to Rerun: the stream of ``rerun`` it went to.

    to: a file .rrd; a ``rerun.RecordingStream``; None: the stream that ``rerun.init`` made. Logged are: bodies/NAME, poses
    with the meshes of their shapes; contacts, forces as arrows of 1 m for the largest; plots of the energies, of the
    largest depth, and with clearances of the least distance of all pairs, of plans also the nearest points. every: so many
    steps are one.
    """
    try:
        import rerun
    except ImportError:
        raise Error("to_rerun: expected the Python package rerun-sdk, got none") from None
    check_count(every, "every")
    run, plan = _take(x)
    stream = rerun.RecordingStream("abut") if isinstance(to, (str, os.PathLike)) else to
    if isinstance(to, (str, os.PathLike)):
        stream.save(os.fspath(to))
    model, steps = run.model, range(0, len(run), every)
    rerun.log("/", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True, recording=stream)
    for _, name, mesh, color in _parts(model):
        rerun.log(f"bodies/{name}", rerun.Mesh3D(vertex_positions=mesh.vertices, triangle_indices=mesh.triangles,
                                                 vertex_colors=np.tile(np.uint8(color), (len(mesh.vertices), 1))), static=True, recording=stream)
    owner = {body: name.rpartition("/")[0] for body, name, _, _ in _parts(model)}
    least = _least(run, model, steps) if clearances and plan is None else None
    names = [name for name in ("kinetic", "potential", "max_depth") if name in run.columns]
    forces = run["contact_force"] if "contact_force" in run.columns else np.empty((0, 3))
    scale = np.linalg.norm(forces, axis=1).max() if len(forces) else 0.0
    for place, step in enumerate(steps):
        rerun.set_time("time", duration=float(run["time"][step]), recording=stream)
        for body, name in owner.items():
            if run.has_body(step, body):
                pose = run["pose"][step, body]
                rerun.log(f"bodies/{name}", rerun.Transform3D(translation=pose[:3], quaternion=pose[[4, 5, 6, 3]]), recording=stream)
        if scale > 0.0:
            rows = run.contacts_of(step)
            rerun.log("contacts", rerun.Arrows3D(origins=run["contact_center"][rows], vectors=forces[rows] / scale), recording=stream)
        for name in names:
            rerun.log(f"plots/{name}", rerun.Scalars(float(run[name][step])), recording=stream)
        if least is not None and np.isfinite(least[place]):
            rerun.log("plots/clearance", rerun.Scalars(least[place]), recording=stream)
        if plan is not None and clearances and plan.problem.pairs:
            near = plan.problem.nearest(plan.trajectory.at(float(run["time"][step])))
            rerun.log("plots/clearance", rerun.Scalars(near["distance"]), recording=stream)
            rerun.log("nearest", rerun.LineStrips3D([[near["point_a"], near["point_b"]]]), recording=stream)
    if isinstance(to, (str, os.PathLike)):
        stream.flush()
        stream.disconnect()
    return stream


def to_viser(x, server, *, every: int = 1) -> list:
    """Shows a Run, a Plan, or a thing as it stands, on a ``viser.ViserServer``: a slider moves through the steps. The frames
    of the bodies."""
    run, _ = _take(x)
    model, frames, steps = run.model, {}, range(0, len(run), check_count(every, "every"))
    server.scene.set_up_direction("+z")
    for body, name, mesh, color in _parts(model):
        if body not in frames:
            frames[body] = server.scene.add_frame(f"/{name.rpartition('/')[0]}", show_axes=False)
        server.scene.add_mesh_simple(f"/{name}", np.asarray(mesh.vertices, np.float32), np.asarray(mesh.triangles, np.uint32), color=color)

    def show(place: int) -> None:
        for body, frame in frames.items():
            frame.visible = run.has_body(steps[place], body)
            if frame.visible:
                frame.position, frame.wxyz = run["pose"][steps[place], body][:3], run["pose"][steps[place], body][3:]

    show(0)
    if len(steps) > 1:
        slider = server.gui.add_slider("step", min=0, max=len(steps) - 1, step=1, initial_value=0)
        slider.on_update(lambda _: show(int(slider.value)))
    return list(frames.values())


def to_meshcat(x, visualizer, *, every: int = 1) -> object:
    """Shows a Run, a Plan, or a thing as it stands, in a ``meshcat.Visualizer``, as an animation of Meshcat, which is
    returned."""
    try:
        import meshcat
    except ImportError:
        raise Error("to_meshcat: expected the Python package meshcat, got none") from None
    run, _ = _take(x)
    model, steps, paths = run.model, range(0, len(run), check_count(every, "every")), {}
    for body, name, mesh, color in _parts(model):
        paths[body] = name.rpartition("/")[0]
        visualizer[name].set_object(meshcat.geometry.TriangularMeshGeometry(np.asarray(mesh.vertices, float), np.asarray(mesh.triangles)),
                                    meshcat.geometry.MeshLambertMaterial(color=color[0] << 16 | color[1] << 8 | color[2]))
    span = run["time"][steps[-1]] - run["time"][0]
    animation = meshcat.animation.Animation(default_framerate=max(1.0, round((len(steps) - 1) / span)) if span > 0.0 else 30.0)
    for place, step in enumerate(steps):
        with animation.at_frame(visualizer, place) as frame:
            for body, path in paths.items():
                if run.has_body(step, body):
                    matrix = pose_matrix(run["pose"][step, body])
                    frame[path].set_transform(matrix)
                    if place == 0:
                        visualizer[path].set_transform(matrix)
    if len(steps) > 1:
        visualizer.set_animation(animation)
    return animation

