# SPDX-License-Identifier: Apache-2.0
"""Whatever is put in the place of any argument: it is taken, or refused by a TypeError or an abut.Error that names it."""
import re

import numpy as np
import pytest

import abut

A, B, TORUS, AWAY, Q = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.2), abut.Mesh.make("torus", 100), (3, 0, 0), np.zeros(6)
CUBE, SOFT, ARM, MODES, STILL = A.to_mesh(), abut.SoftBody(TORUS), abut.Robot("arm6"), abut.ModeSystem.named("box:1"), "0" * 12
PROBLEM, WAY = abut.PlanProblem(ARM), abut.Trajectory.through([0, 1], [Q, Q + 0.5])
SIDE, RUN = abut.soft_direction(SOFT, SOFT, AWAY), abut.Simulation("stack:1").run(0.003)
FOLDED, PHONG = abut.Convolution(CUBE, CUBE), abut.Phong(CUBE, CUBE)


def run(time, dt, every, keep, settings):
    return abut.Simulation("stack:1").run(time, dt, every=every, keep=keep, settings=settings)


def set_force(body, force, torque):
    return abut.Simulation("stack:1").set_force(body, force, torque)


#: Functions with arguments that they take.
CALLS = [
    (abut.sphere, dict(radius=1.0, center=(0, 0, 0))), (abut.capsule, dict(radius=1.0, half_length=1.0)), (abut.box, dict(half_size=(1, 1, 1))),
    (abut.cylinder, dict(radius=1.0, half_height=1.0, rounding=0.0)), (abut.half_space, dict(normal=(0, 0, 1), offset=0.0)),
    (abut.hull, dict(points=np.eye(4, 3), radius=0.0, solid=False, max_vertices=0)),
    (abut.distance, dict(a=A, b=B, pose=AWAY, within=0.0, tolerance=0.0, max_supports=0, absolute_error=0.0, relative_error=0.0, threads=1)),
    (abut.closer_than, dict(a=A, b=B, d=1.0, pose=AWAY, threads=1)), (abut.meet, dict(a=A, b=B, pose=AWAY, threads=1)),
    (abut.depth, dict(a=A, b=A, pose=AWAY, method="sweep", directions=0, threads=1)),
    (abut.collide, dict(a=TORUS, b=A, pose=AWAY, all=False, limit=10, threads=1)), (abut.derivative, dict(a=A, b=A, pose_a=None, pose_b=AWAY)),
    (abut.intersect, dict(a=A, b=A, pose=AWAY, method="lp", tolerance=0.0, threads=1)),
    (abut.overlap, dict(a=A, b=A, pose=None, by_duality=False, threads=1)), (abut.overlap_volume, dict(a=A, b=B, pose=None, directions=0)),
    (abut.contact, dict(a=A, b=A, pose=AWAY, margin=1e-5, threads=1)), (abut.nearest_point, dict(points=AWAY, bodies=A, threads=1)),
    (abut.cast_ray, dict(bodies=A, origin=(0, 0, 0), way=(1, 0, 0), all=False, threads=1)),
    (abut.cast, dict(bodies=A, moved=B, way=(1, 0, 0), tolerance=0.0, all=False, threads=1)),
    (abut.time_of_impact, dict(a=A, b=B, motion_a=None, motion_b=AWAY, start=0.0, end=1.0, tolerance=0.0, rounds=0)),
    (abut.clearance, dict(a=A, b=B, motion_a=None, motion_b=AWAY, start=0.0, end=1.0, eps=1e-3, relative=0.0, care=0.0, budget=0, seconds=0.0,
                          method="front")),
    (abut.clearance_curve, dict(a=A, b=B, motion_b=AWAY, band=1.0)), (abut.clearance_minima, dict(a=A, b=B, motion_b=AWAY, band=1.0, limit=3)),
    (abut.contact_time, dict(a=A, b=B, motion_b=AWAY, last=False, level=0.0, tolerance=0.0)),
    (abut.clearance_pairs, dict(bodies=[A, B], motions=[None, AWAY], pairs=None, worst=False, threads=1)),
    (abut.clearance_capsules, dict(a=np.zeros((2, 6, 3)), radius_a=0.1, b=np.ones((2, 6, 3)), radius_b=0.1, start=0.0, end=1.0, eps=1e-3)),
    (abut.soft_direction, dict(a=SOFT, b=SOFT, pose=AWAY, tau=0.0, adaptive=False, threads=1)), (abut.soft_tau, dict(a=TORUS, b=TORUS)),
    (abut.SoftBody, dict(mesh=TORUS, tau=0.0, step=0.0, threads=1)), (abut.soft_turn_bound, dict(b=SOFT, soft=SIDE, start=AWAY, end=AWAY)),
    (abut.soft_potential, dict(soft=SIDE, stiffness=1.0, reach=1.0)),
    (abut.pressure_force, dict(a=SOFT, b=B, pose=AWAY, pressure=1.0, reach=0.1, power=4, derivative=False)),
    (abut.minkowski_sum, dict(a=CUBE, b=CUBE, pose=None, grid=0, convolution=False, center=(0, 0, 0), radius=0.0, threads=1)),
    (FOLDED.facets, dict(pose=None, center=(0, 0, 0), radius=1.0, whole=False)), (FOLDED.kernel_direction, dict(distance=0.1, width=0.1, pose=AWAY)),
    (PHONG.distance, dict(pose=AWAY, mode="track", literal=False)), (abut.Mesh.make, dict(name="torus", triangles=100, sizes=None)),
    (TORUS.moved, dict(pose=AWAY)), (TORUS.inside, dict(points=[AWAY], threads=1)), (TORUS.nearest, dict(points=[AWAY], within=0.0, threads=1)),
    (TORUS.decompose, dict(excess=0.5, max_pieces=3, threads=1)), (abut.pose, dict(position=(0, 0, 0), axis=(0, 0, 1), angle=1.0)),
    (abut.pose_apply, dict(a=AWAY, points=AWAY)), (abut.pose_multiply, dict(a=AWAY, b=AWAY)), (abut.pose_inverse, dict(a=AWAY)),
    (MODES.count, dict(cs=False)), (MODES.forces, dict(mode=STILL, force=Q, friction=0.5)), (MODES.neighbors, dict(mode=STILL)),
    (abut.ModeSystem.contacts_at, dict(points=[(0, 0, 0)], normals=[(0, 0, 1)], lines=2)), (abut.Model.build, dict(seed=1, spec="stack:1")),
    (run, dict(time=0.01, dt=None, every=1, keep="all", settings="")), (set_force, dict(body="box0", force=(0, 0, 0), torque=(0, 0, 0))),
    (ARM.jacobian, dict(body=1, point=None)), (ARM.ik, dict(frame="tool", target=(0.3, 0.2, 0.5), seed=0)),
    (PROBLEM.certify, dict(joints=[Q, Q], times=[0, 1], interpolation="cubic", level=0.0, budget=0)), (WAY.at, dict(t=0.0, order=0)),
    (PROBLEM.curve, dict(pair=0, times=WAY, cells=3)), (PROBLEM.least, dict(pair=0, piece=0, times=WAY, method="as")),
    (PROBLEM.solve, dict(start=Q, goal=Q, via=(), seed=1)), (PROBLEM.nearest, dict(joints=Q)),
    (PROBLEM.reach, dict(start=Q, tasks=[ARM.task("tool", (0.3, 0.2, 0.5))], tries=2, seed=1, limit=3)),
    (abut.PlanProblem, dict(robot=ARM, obstacles=None, margin=0.01, neighbors=1, allow=(), only=(), balance=False, capsules=False, add=(), windows=())),
    (abut.render, dict(x=RUN, step=-1, time=None, size=(16, 16), forces=False, eye=(1, 1, 1), target=(0, 0, 0), whole=False, background=0)),
    (abut.write_png, dict(path="a.png", image=np.zeros((4, 4, 3), np.uint8))),
    (abut.write_gif, dict(path="a.gif", frames=[np.zeros((4, 4, 3), np.uint8)], delay=0.04)),
    (abut.write_plot, dict(path="a.svg", series={"a": ([0, 1], [0, 1])}, markers=False, title="t", log_x=False)), (abut.pair, dict(a=A, b=B, pose=AWAY)),
    (abut.sweep, dict(call=print, jobs=1)), (abut.bounding_sphere, dict(points=np.eye(3))), (abut.regular, dict(faces=8, radius=1.0)),
]


class Odd:
    def __repr__(self):
        return "<odd>"


@pytest.mark.parametrize("call, arguments", CALLS, ids=[call.__qualname__ for call, _ in CALLS])
def test_a_refusal_names_its_argument(call, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if call is abut.sweep:
        arguments = dict(arguments, cases=[])
    call(**arguments)
    for name in arguments:
        for odd in ("x", "\ud800", b"x", Odd(), None, {}, 1j, np.nan, np.ma.masked_array([1.0, 2.0, 3.0])):
            try:
                call(**{**arguments, name: odd})
            except (TypeError, abut.Error) as problem:
                named = re.search(rf"\b{name}\b", str(problem)) or (name, odd) == ("spec", "x")
                assert named, f"{name}={odd!r}: {type(problem).__name__}: {problem}"
