# SPDX-License-Identifier: Apache-2.0
"""Motions, time of impact, clearance: closed forms, sampling as an oracle, and what the tool prints."""
import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import abut

TIMES = [0.0, 1.0, 2.0]
POSES = [[-1, 0, 0.25, 1, 0, 0, 0], [0, 0.1, 0.4, 0.9, 0.1, 0, 0.2], [1, 0, 0.2, 1, 0, 0, 0]]


def pass_by():
    return abut.Motion.keyframes(TIMES, POSES)


def test_poses_of_motions():
    motion = pass_by()
    assert motion.span == (0.0, 2.0) and motion.pose_at(0.0).tolist() == POSES[0]
    assert np.allclose(motion.pose_at([0.5, 9.0])[:, 0], (-0.5, 1.0))
    turned = abut.Motion.screw((1, 0, 0), (0, 0, 0), (0, 0, 2), np.pi, 0.5).pose_at(1.0)
    assert np.allclose(turned[:3], (-1, 0, 0.5))
    moved = abut.Motion.path((0, 0, 0), [(1, 0, 0), (0, 1, 0), (0, 0, 1)]).pose_at(2.0)
    assert np.allclose(moved[:3], (2, 4, 8))
    assert abut.Motion.translation(None, (1, 2, 3)).speed(0, 1, (0, 0, 0), 0) >= np.sqrt(14)
    assert np.allclose(abut.Motion.static((1, 2, 3)).pose_at(5.0)[:3], (1, 2, 3))


def test_motions_are_pickled_and_read(tmp_path):
    (tmp_path / "m.csv").write_text("".join(f"{t},{','.join(map(str, p))}\n" for t, p in zip(TIMES, POSES)))
    for motion in (pass_by(), abut.Motion.read(tmp_path / "m.csv"), abut.Motion.screw(None, (0, 0, 0), (0, 0, 1), 1.0)):
        again = pickle.loads(pickle.dumps(motion))
        assert np.array_equal(again.pose_at(TIMES), motion.pose_at(TIMES)) and copy.deepcopy(motion) is motion
    with pytest.raises(abut.Error, match="times"):
        abut.Motion.keyframes([0, 1], POSES)
    with pytest.raises(abut.Error) as failed:
        abut.Motion.parse("0,1,2,3,1,0,0,0\nnonsense\n", "x.csv")
    assert failed.value.file == "x.csv" and failed.value.line == 2
    for bad in ([0, 0, 1], [0, np.nan, 1]):
        with pytest.raises(abut.Error):
            abut.Motion.keyframes(bad, POSES)


def test_time_of_impact_of_spheres():
    hit = abut.time_of_impact(abut.sphere(1.0), abut.sphere(1.0), None, abut.Motion.translation((5, 0, 0), (-2, 0, 0)), end=3.0)
    assert hit.outcome == "hit" and np.isclose(hit.t, 1.5, atol=1e-5) and hit.t_lo <= 1.5 <= hit.t_hi + 1e-9
    away = abut.time_of_impact(abut.sphere(1.0), abut.Mesh.make("torus", 200), (0, 0, 9), abut.Motion.translation(None, (1, 0, 0)))
    assert away.outcome == "none" and abut.time_of_impact(abut.sphere(1.0), abut.sphere(1.0)).outcome == "at_start"


def test_clearance_encloses_what_samples_find():
    cup, torus = abut.Mesh.make("cup", 400), abut.Mesh.make("torus", 400)
    motion = pass_by()
    found = abut.clearance(cup, torus, None, motion)
    sampled = min(abut.distance(cup, torus, p).distance for p in motion.pose_at(np.linspace(0, 2, 400)))
    assert found.certified and found.lb <= sampled + 1e-12 and found.ub <= sampled + 1e-3
    assert np.isclose(abut.distance(cup, torus, motion.pose_at(found.t)).distance, found.ub, atol=1e-9)
    same, curve = abut.clearance_curve(cup, torus, None, motion)
    assert (curve["lb"] <= curve["d"] + 1e-12).all() and np.isclose(curve["start"][0], 0) and np.isclose(curve["end"][-1], 2)
    assert abs(same.ub - found.ub) < 2e-3
    _, minima = abut.clearance_minima(cup, torus, None, motion)
    assert len(minima) >= 1 and minima["d"][0] == minima["d"].min()
    by = abut.clearance(cup, torus, None, motion, method="gss")
    assert by.ub >= found.lb and not by.certified


def test_clearance_of_pieces_and_pairs():
    solid = abut.Pieces([abut.regular(6, 0.3), abut.regular(8, 0.2)])
    motion = abut.Motion.translation((-2, 0, 0), (4, 0, 0))
    touch = abut.clearance(solid, abut.sphere(0.1), None, motion, eps=1e-4)
    assert touch.status == "contact" and touch.ub < 0.0
    first = abut.contact_time(solid, abut.sphere(0.1), None, motion)
    last = abut.contact_time(solid, abut.sphere(0.1), None, motion, last=True)
    assert first.found and first.free <= first.touching < last.touching <= last.free
    bodies, motions = [abut.sphere(0.1)] * 3, [(0, 0, 0), (1, 0, 0), abut.Motion.translation((5, 0, 0), (-1, 0, 0))]
    rows = abut.clearance_pairs(bodies, motions, eps=1e-6)
    assert np.allclose(rows["ub"], (0.8, 3.8, 2.8), atol=1e-5)
    pair, certified, lb, worst = abut.clearance_pairs(bodies, motions, worst=True, eps=1e-6)
    assert pair == 0 and certified and lb <= worst.ub <= 0.8 + 1e-5
    with pytest.raises(abut.Error, match="pairs: row 0"):
        abut.clearance_pairs(bodies, motions, [(0, 7)])


def test_the_tool_says_the_same(tool, tmp_path):
    for name in ("cup", "torus"):
        abut.Mesh.make(name, 400).write(str(tmp_path / f"{name}.obj"))
    (tmp_path / "m.csv").write_text("".join(f"{t},{','.join(map(str, p))}\n" for t, p in zip(TIMES, POSES)))
    cup, torus, motion = (abut.Mesh.read(tmp_path / "cup.obj"), abut.Mesh.read(tmp_path / "torus.obj"), abut.Motion.read(tmp_path / "m.csv"))
    told = tool("clearance", "cup.obj", "torus.obj", "--motion-b", "m.csv", "--json")
    found = abut.clearance(cup, torus, None, motion)
    assert (told["status"], told["ub"], told["lb"], told["t"]) == (found.status, found.ub, found.lb, found.t)
    told = tool("toi", "cup.obj", "torus.obj", "--motion-b", "m.csv", "--json", status=1)
    assert told["outcome"] == abut.time_of_impact(cup, torus, None, motion).outcome


def test_ctrl_c_leaves_a_long_search_behind():
    code = """
import os, signal, threading, time, numpy as np, abut
mesh = abut.Mesh.make("knot", 20000)
motion = abut.Motion.screw((0.05, 0, 0), (0, 0, 0), (0, 0, 1), 3.0)
for call in (lambda: mesh.decompose(1e-6, 4000), lambda: abut.clearance(mesh, mesh, None, motion, eps=1e-12, budget=10**12)):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    try:
        call()
        time.sleep(1)
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - begin < 30)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-u", "-c", code], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.stdout.split() == ["interrupted", "True"] * 2, done.stderr


def chain():
    return abut.Motion.parse("""{ "format": "abut-motion", "version": 1, "joints": [
        { "kind": "place", "x": { "degree": 5, "from": 0, "to": 2, "control": [3, 3, 2.5, 1, 0.5, 0.5, 0.2] }, "y": 0.5, "z": 0 },
        { "kind": "hinge", "axis": [0, 0, 1], "curve": { "times": [0, 1, 2], "polynomials": [[0, 0.5], [0.5, 0.5, -0.1]] } } ] }""")


def test_chains_tell_how_joints_move_points():
    motion = chain()
    place, arm = motion.pose_at(0.3)[:3], np.array([0.4, 0.0, 0.0])
    gradient = motion.gradient(0.3, place + arm, (0, 1, 0))
    assert gradient.shape == (2, 3) and gradient[0] == pytest.approx([0, 1, 0]) and gradient[1, 0] == pytest.approx(0.4)
    with pytest.raises(abut.Error, match="expected one of a chain"):
        abut.Motion.static().gradient(0.0, (0, 0, 0), (1, 0, 0))


def test_breaks_and_speeds_along_a_direction():
    motion = abut.Motion.keyframes([0, 1, 3], [(0, 0, 0), (1, 0, 0), (1, 2, 0)])
    assert motion.next_break(0.5) == 1.0 and motion.next_break(1.0) == 3.0 and motion.next_break(3.0) == np.inf
    assert motion.speed_along(0.1, 0.9, (1, 0, 0)) == pytest.approx(1.0)
    assert motion.speed_along(0.1, 0.9, (-1, 0, 0)) == pytest.approx(-1.0)


def test_curves():
    line = abut.Curve.bernstein(1.0, 3.0, [2.0, 6.0])
    assert line.value(2.0) == pytest.approx(4.0) and line.value([0.0, 9.0]) == pytest.approx([2.0, 6.0])
    spline = pickle.loads(pickle.dumps(abut.Curve.spline(2, [0, 0, 0, 1, 2, 2, 2], [0, 1, 1, 0])))
    assert spline.end == 2.0 and spline.value(1.0) == pytest.approx(1.0) and len(spline.pieces) == 2
    with pytest.raises(abut.Error, match="degree: expected 1 to 5"):
        abut.Curve.spline(6, [0] * 14, [0] * 7)
    with pytest.raises(abut.Error, match=r"knots: expected shape \(7,\)"):
        abut.Curve.spline(2, [0, 1], [0, 1, 1, 0])
    with pytest.raises(abut.Error):
        abut.Curve([[0, np.nan, 0, 0, 0, 0, 0]], 1.0)
    with pytest.raises(ValueError):
        line.pieces[0, 0] = 1.0


def test_clearance_of_capsules_on_polynomials():
    still = np.zeros((2, 6, 3))
    still[1, :, 2] = 1.0
    moving = still.copy()
    moving[:, :, 0] = np.linspace(2.0, 0.5, 6)
    found = abut.clearance_capsules(still, 0.1, moving, 0.1, eps=1e-4)
    assert found.status == "clear" and found.lb <= 0.3 <= found.ub + 1e-4
    with pytest.raises(abut.Error, match=r"a: expected shape \(2, 6, 3\)"):
        abut.clearance_capsules(still[0], 0.1, moving, 0.1)


def test_gradients_of_minima():
    motion = chain()
    far = abut.point((0.4, 0.7, 0.3))
    _, minima = abut.clearance_minima(abut.sphere(0.05), far, motion, eps=1e-5)
    by_a, by_b = abut.clearance_gradient(minima[0], motion)
    assert by_a.shape == motion.gradient(0.0, (0, 0, 0), (1, 0, 0)).shape and by_b.shape == (0, 3)
    with pytest.raises(TypeError, match="minimum: expected a row"):
        abut.clearance_gradient(np.zeros(3), motion)


def test_sets_of_bodies_answer_as_lists_do():
    generator = np.random.default_rng(3)
    bodies = [(abut.sphere(0.1), generator.uniform(-2, 2, 3)) for _ in range(60)] + [abut.Mesh.make("torus", 100)]
    tree = pickle.loads(pickle.dumps(abut.BodySet(bodies)))
    origins, ways = generator.uniform(-3, 3, (200, 3)), generator.uniform(-4, 4, (200, 3))
    assert abut.cast_ray(tree, origins, ways).tobytes() == abut.cast_ray(bodies, origins, ways).tobytes()
    assert abut.nearest_point(tree, origins).tobytes() == abut.nearest_point(bodies, origins).tobytes()
    ball = (abut.sphere(0.05), (0, 0, 3))
    assert abut.cast(tree, ball, ways[:20]).tobytes() == abut.cast(bodies, ball, ways[:20]).tobytes()
    assert len(abut.cast_ray(tree, (0, 0, 3), (0, 0, -6), all=True)) == len(abut.cast_ray(bodies, (0, 0, 3), (0, 0, -6), all=True))
    assert len(tree) == 61 and len(abut.BodySet(abut.sphere(1.0))) == 1 and len(abut.BodySet((abut.sphere(1.0), (0, 0, 1)))) == 1
    with pytest.raises(TypeError, match="bodies: expected an abut.Convex or an abut.Mesh"):
        abut.BodySet([3])
    with pytest.raises(abut.Error):
        abut.BodySet([(abut.sphere(1.0), (np.nan, 0, 0))])


def test_clearance_of_the_soft_distance():
    a, b = abut.Mesh.make("torus", 300), abut.sphere(0.2).to_mesh(64)
    tau = abut.soft_tau(a, b)
    soft_a, soft_b = abut.SoftBody(a, tau), abut.SoftBody(b, tau)
    motion = abut.Motion.keyframes([0.0, 1.0], [(2.0, 0.0, 0.6), (-2.0, 0.0, 0.6)])
    found = abut.clearance_soft(soft_a, soft_b, None, motion, eps=0.01)
    path = [(2.0 - 4.0 * t, 0.0, 0.6) for t in np.linspace(0.0, 1.0, 81)]
    least = min(abut.soft_direction(soft_a, soft_b, pose).distance for pose in path)
    assert found.certified and found.ub - found.lb <= 0.01 + 1e-12
    assert found.lb <= least + 1e-12 and found.ub <= least + 0.01
    with pytest.raises(TypeError, match="a: expected"):
        abut.clearance_soft(a, soft_b, None, motion)
