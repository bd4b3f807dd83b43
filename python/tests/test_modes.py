# SPDX-License-Identifier: Apache-2.0
"""Contact modes: known counts, signs against velocities, forces, and what the tool prints."""
import copy
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import abut
from conftest import ROOT


def test_counts_that_are_known():
    count = abut.ModeSystem.named("box:2").count()
    assert (count.cs_modes, count.modes, count.complete, count.exact) == (46, 228, True, True)
    assert abut.ModeSystem.named("box:2").count(cs=True).modes == 46


def test_modes_signs_and_iteration_agree():
    system = abut.ModeSystem.named("box:2")
    texts, signs = system.modes(), system.signs()
    assert len(texts) == len(set(texts)) == len(signs) == 228 and sorted(texts) == sorted(system)
    assert signs.dtype == np.int8 and signs.shape[1] == system.contacts * (1 + system.lines)
    seen = []
    system.visit(lambda text: seen.append(text) or len(seen) == 10)
    assert seen == texts[:10] and system.modes(limit=5) == texts[:5]
    with pytest.raises(ZeroDivisionError):
        system.visit(lambda text: 1 / 0)


def test_velocities_of_modes():
    system = abut.ModeSystem.named("box:1")
    for text in system.modes():
        velocity = system.velocity(text)
        assert system.of_velocity(velocity) == text and system.of_velocity(system.velocity(text, seed=3)) == text
        near, far = system.project(text, velocity)
        assert np.allclose(near, velocity) and far < 1e-9
        for facet in system.neighbors(text):
            assert system.is_face(facet, text) and system.dimension(facet) == system.dimension(text) - 1
            assert text in system.neighbors(facet, above=True)
    down = np.zeros(6)
    down[2] = -1.0
    assert system.of_velocity(down) is None


def test_systems_of_rows_and_contacts():
    corners = [(x, y, 0) for x in (-1, 1) for y in (-1, 1)]
    system = abut.ModeSystem.contacts_at(corners, [(0, 0, 1)] * 4, bodies=[("free", (0, 0, 1))], lines=2)
    assert system.normal_rows.shape == (4, 6) and system.tangent_rows.shape == (8, 6)
    again = abut.ModeSystem.rows(system.normal_rows, system.tangent_rows, 2)
    assert again.modes() == system.modes() == abut.ModeSystem.named("box:1").modes() or again.count().modes == system.count().modes
    assert pickle.loads(pickle.dumps(system)).modes() == system.modes() and copy.deepcopy(system) is system
    assert system.with_lines(3).lines == 3
    planar = abut.ModeSystem.contacts_at([(-1, 0, 0), (1, 0, 0)], [(0, 1, 0)] * 2, bodies=[("planar", (0, 0, 0))], planar=True)
    assert planar.dof == 3 and planar.lines == 1
    with pytest.raises(abut.Error, match="bodies"):
        abut.ModeSystem.contacts_at([(0, 0, 0)], [(0, 0, 1)], bodies=[("bent", (0, 0, 0))])
    with pytest.raises(abut.Error, match="tangent_rows"):
        abut.ModeSystem.rows(np.zeros((2, 6)), np.zeros((3, 6)), 2)
    with pytest.raises(abut.Error):
        abut.ModeSystem.rows(np.full((1, 3), np.nan)).count()
    with pytest.raises(abut.Error):
        system.velocity("nonsense")


def test_forces_of_modes():
    system = abut.ModeSystem.named("box:1")
    weight = np.array([0, 0, -10.0, 0, 0, 0])
    rest = "0" * (system.contacts * (1 + system.lines))
    result, velocity, forces = system.forces(rest, weight, friction=0.5)
    assert result.feasible and np.isclose(forces[:, 0].sum(), 10.0) and velocity.shape == (6,)
    assert system.consistent(weight, friction=0.5) == [rest]
    pushed = np.array([20.0, 0, -10.0, 0, 0, 0])
    assert not system.forces(rest, pushed, friction=0.5)[0].feasible
    falling = system.forces(rest, weight, mass=np.eye(6), velocity=np.zeros(6), step=0.01)
    assert falling[0].feasible
    assert len(system.hasse(system.modes())) > 0 and len(system.merge(system.modes())) < len(system.modes())


def test_margins_bounds_and_driven_fingers():
    feet, rest = abut.ModeSystem.contacts_at([[-1, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 1, 0]], bodies=[("planar", (0, 1, 0))], planar=True), "0000"
    weight = np.array([0, -1.0, 0])
    assert feet.margin(rest, weight, friction=0.8) == pytest.approx(0.8)
    assert feet.margin(rest, weight, friction=0.8, scale=[4, 1, 1]) == pytest.approx(0.2)
    assert feet.margin(rest, weight, friction=3, least=[0.3, 0.3]) == pytest.approx(0.4)
    assert feet.margin(rest, weight, friction=3, most=[0.6, 0.6]) == pytest.approx(0.2)
    assert feet.margin(rest, -weight) == 0
    assert not feet.forces(rest, weight, most=[0.4, 0.4])[0].feasible
    with pytest.raises(abut.Error, match="driven: expected a velocity from 0 to 2, got 3"):
        feet.consistent(weight, driven=3)
    # the finger is the fourth velocity, and pushes at height h without friction of its own
    for h, slides in ((1.0, True), (1.5, False)):
        normals, tangents = np.zeros((3, 4)), np.zeros((3, 4))
        normals[0], normals[1], normals[2] = (0, 1, -1, 0), (0, 1, 1, 0), (1, 0, 1 - h, -1)
        tangents[0], tangents[1], tangents[2] = (1, 0, 1, 0), (1, 0, 1, 0), (0, 1, -1, 0)
        push = abut.ModeSystem.rows(normals, tangents, 1)
        futures = push.consistent([0, -1, 0, 0], friction=[0.8, 0.8, 0], driven=3)
        assert any(mode.startswith("000") for mode in futures) == slides and futures


def test_projection_onto_nonlinear_modes():
    system = abut.ModeSystem.named("box:1")
    wish = np.array([0.3, 0.2, -1, 0.1, 0.2, 0.3])
    for mode in system.modes(nonlinear=True):
        velocity, distance = system.project(mode, wish, nonlinear=True)
        assert (system.normal_rows @ velocity > -1e-9).all()
        sticks = [mode[i] == "0" and mode[system.contacts + i] == "0" for i in range(system.contacts)]
        along = system.tangent_rows.reshape(system.contacts, -1, 6) @ velocity
        assert (abs(along[sticks]) < 1e-9).all() and distance == pytest.approx(np.linalg.norm(velocity - wish))


def test_ctrl_c_ends_counting():
    code = """
import os, signal, threading, time, abut
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    abut.ModeSystem.named("hand-ball").modes()
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin < 60)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.stdout.strip() == "interrupted True", done.stderr


def test_the_tool_says_the_same(tool):
    told = tool("modes", "box:2", "--json")
    count = abut.ModeSystem.named("box:2").count()
    assert told["ss"] == count.modes and told["cs"] == count.cs_modes
    assert tool("modes", "box:2").split() == abut.ModeSystem.named("box:2").modes()


def test_pickles_keep_all_digits():
    for name in ("hand-ball", "box:3"):
        system = abut.ModeSystem.named(name)
        other = pickle.loads(pickle.dumps(system))
        assert np.array_equal(other.low_rows, system.low_rows) and np.array_equal(other.normal_rows, system.normal_rows)
    literal = abut.ModeSystem.contacts_at([(0.1, 0.2, 0), (1, 0, 0.3), (0.7, 1, 0)], np.eye(3), literal=True)
    assert len(literal.low_rows) == 9
    assert pickle.loads(pickle.dumps(literal)).count() == literal.count()


TEN_SCENES = {
    "on a plane": '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>',
    "ball finger": '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                   '<body pos=".15 .02 .12"><geom type="sphere" size=".05"/></body>',
    "against a wall": '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                      '<body pos=".2 0 .2"><geom type="box" size=".1 .3 .2"/></body>',
    "on an edge": '<body pos="0 0 .14142135623730951" euler="45 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>',
    "two boxes": '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                 '<body pos=".03 .02 .25" euler="0 0 30"><freejoint/><geom type="box" size=".07 .05 .05"/></body>',
    "crossed edges": '<body pos="0 0 .2"><geom type="box" size=".1 .1 .1" euler="45 0 0"/></body>'
                     '<body pos="0 0 .48284271247461903" euler="45 0 90"><freejoint/><geom type="box" size=".1 .1 .1"/></body>',
    "cylinder": '<body pos="0 0 .1"><freejoint/><geom type="cylinder" size=".05 .1"/></body>',
    "lying capsule": '<body pos="0 0 .05" euler="90 0 20"><freejoint/><geom type="capsule" size=".05 .1"/></body>',
    "a little apart": '<body pos="0 0 .100001"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                      '<body pos=".15000001 .02 .12"><geom type="sphere" size=".05"/></body>',
    "a little deep": '<body pos="0 0 .099999" euler="0 0 17"><freejoint/><geom type="box" size=".1 .1 .1"/></body>',
}


def write_scene(folder, name):
    path = folder / "scene.xml"
    path.write_text(f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{TEN_SCENES[name]}</worldbody></mujoco>')
    return str(path)


@pytest.mark.parametrize("name", TEN_SCENES)
def test_tool_and_scene_count_the_same_modes(tool, tmp_path, name):
    path = write_scene(tmp_path, name)
    system = abut.Scene(abut.Model.read(path)).mode_system()
    told, count = tool("modes", path, "--count", "--json"), system.count()
    assert (told["ss"], told["cs"], told["contacts"]) == (count.modes, count.cs_modes, system.contacts)
    assert told["tolerance"] == count.tolerance and not count.depends_on_tolerance
    texts = system.modes()
    known = set(texts)
    for mode in texts[::1 + len(texts) // 200]:
        velocity = system.velocity(mode)
        assert np.abs(velocity).max() < 1e3 and system.of_velocity(velocity) == mode
        assert system.dimension(mode) >= 0 and known.issuperset(system.neighbors(mode))


ANGLE = """v 0 0 0\nv .2 0 0\nv .2 0 .04\nv .04 0 .04\nv .04 0 .2\nv 0 0 .2
v 0 .1 0\nv .2 .1 0\nv .2 .1 .04\nv .04 .1 .04\nv .04 .1 .2\nv 0 .1 .2
f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 6\nf 7 9 8\nf 7 10 9\nf 7 11 10\nf 7 12 11
f 1 7 8\nf 1 8 2\nf 2 8 9\nf 2 9 3\nf 3 9 10\nf 3 10 4\nf 4 10 11\nf 4 11 5\nf 5 11 12\nf 5 12 6\nf 6 12 7\nf 6 7 1
"""  # an angle iron; a ball lies in it, inside of its hull


def test_tool_and_scene_take_meshes_and_equalities_alike(tool, tmp_path):
    """Pieces of meshes and velocities that follow from others: two slides move as one, a ball lies in an angle."""
    (tmp_path / "angle.obj").write_text(ANGLE)
    path = tmp_path / "angle.xml"
    path.write_text("""<mujoco><asset><mesh name="angle" file="angle.obj"/></asset><worldbody>
      <body><joint name="a" type="slide" axis="1 0 0"/><joint name="b" type="slide" axis="0 0 1"/>
        <geom type="mesh" mesh="angle"/></body>
      <body pos=".07 .05 .07"><freejoint/><geom type="sphere" size=".03"/></body>
      </worldbody><equality><joint joint1="a" joint2="b" polycoef="0 1 0 0 0"/></equality></mujoco>""")
    scene = abut.Scene(path)
    system, told = scene.mode_system(), tool("modes", str(path), "--count", "--json")
    count = system.count()
    assert (told["ss"], told["cs"], told["contacts"], told["dof"]) == (count.modes, count.cs_modes, system.contacts, system.dof)
    assert (system.contacts, system.dof) == (2, 7)  # the ball touches both legs; one slide follows from the other
    basis, forces = scene.mode_basis(), scene.mode_forces()
    assert basis.shape == (8, 7) and forces["mass"].shape == (7, 7) and forces["force"].shape == (7,)
    for mode in system.modes():
        velocity = system.velocity(mode)
        assert system.of_velocity(velocity) == mode and np.abs(velocity).max() < 100
        assert (basis @ velocity)[0] == pytest.approx((basis @ velocity)[1], abs=1e-12)


ROBOTS = ROOT.parent / "shared/robots"


@pytest.mark.parametrize("name", ["trossen_wx250s/scene.xml", "wonik_allegro/scene_left.xml", "pal_talos/scene_motor.xml"])
def test_tool_and_scene_agree_on_robots(tool, name):
    """Fingers that overlap at zero, hundreds of pieces: one path for both."""
    if not (ROBOTS / name).exists():
        pytest.skip(f"no file {name} here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = abut.Scene(ROBOTS / name).mode_system()
    count = system.count(budget=1e8)  # TALOS in overlap has more modes than anyone can list
    told = tool("modes", str(ROBOTS / name), "--count", "--json", "--budget", "1e8", status=3 if count.out_of_budget else 0)
    assert (told["ss"], told["cs"], told["contacts"], told["dof"]) == (count.modes, count.cs_modes, system.contacts, system.dof)
    assert told["partial"] == told["out_of_budget"] == count.out_of_budget == (not count.complete)


def test_a_budget_ends_enumeration():
    system = abut.ModeSystem.named("box-box:2")
    all_modes = system.modes()
    for threads in (1, 2):
        for budget in (1, 1000, 100000):
            count, seen = system.count(budget=budget, threads=threads), []
            assert system.visit(seen.append, budget=budget, threads=threads).out_of_budget and count.out_of_budget
            assert not count.complete and count.modes < len(all_modes) and seen == all_modes[:len(seen)]
            assert count == system.count(budget=budget, threads=threads)
            with pytest.raises(abut.Error, match="the budget ended the enumeration after"):
                system.modes(budget=budget, threads=threads)
    assert len(system.modes(limit=5, budget=1000)) == 5
    assert system.count(budget=1e12).modes == len(all_modes)


def test_points_lie_on_the_true_bodies(tmp_path):
    """The same contacts by hand: points of the box, nothing grown."""
    by_hand = abut.ModeSystem.contacts_at(
        [(-.1, -.1, 0), (-.1, .1, 0), (.1, .1, 0), (.1, -.1, 0), (.1, .02, .12)], [(0, 0, 1)] * 4 + [(-1, 0, 0)],
        bodies=(("free", (0, 0, .1)),))
    path = write_scene(tmp_path, "ball finger")
    scene = abut.Scene(abut.Model.read(path))
    assert scene.mode_system().count().modes == by_hand.count().modes == 320
    points = scene.contacts(features=True)["vertex_point"][0, :4]
    assert sorted(map(tuple, np.round(points, 15))) == [(-.1, -.1, 0), (-.1, .1, 0), (.1, -.1, 0), (.1, .1, 0)]


def test_settle():
    floor, box = abut.box((1, 1, 0.1)), abut.box((0.05, 0.04, 0.03))
    wall = (abut.box((0.1, 1, 1)), (-0.15, 0, 0, 1, 0, 0, 0))
    tilted = (5e-5, 0, 0.13 + 3e-5, 1, 2e-4, 0, 0)
    pose = abut.settle([floor, wall], box, tilted)
    assert np.allclose(pose[[0, 2, 4, 5, 6]], [0, 0.13, 0, 0, 0], atol=1e-8)
    assert abut.settle(floor, box, (0, 0, 0.2, 1, 0, 0, 0)) is None
    with pytest.raises(abut.Error, match="no motion closes the gaps"):
        abut.settle([floor, (floor, (0, 0, 0.26 + 2e-4, 1, 0, 0, 0))], box, (0, 0, 0.13 + 1e-4, 1, 0, 0, 0), margin=2e-4)


def test_contact_features():
    box, ball = abut.box((1, 1, 1)), abut.sphere(1)
    f = abut.contact_features(box, box, (0.5, 0, 2, 1, 0, 0, 0))
    assert f["feature_a"] == f["feature_b"] == "polygon" and f["normal"].tolist() == [0, 0, 1]
    assert sorted(map(tuple, f["points"])) == [(-.5, -1, 1), (-.5, 1, 1), (1, -1, 1), (1, 1, 1)] and not f["gaps"].any()
    f = abut.contact_features(ball, box, (0, 0, 2 - 1e-3, 1, 0, 0, 0))
    assert f["feature_a"] == "point" and f["gaps"] == pytest.approx([-1e-3]) and f["points"][0, 2] == pytest.approx(1 - 5e-4)
    assert abut.contact_features(ball, box, (0, 0, 2.1, 1, 0, 0, 0)) is None
    with pytest.raises(abut.Error, match="pose: expected one pose"):
        abut.contact_features(ball, box, np.tile((0, 0, 2, 1, 0, 0, 0), (2, 1)))


def test_modes_along_a_motion():
    def motion(t):
        return [[0.0, 1.0]], [[1.0, 0.0]], [t - 0.3, 0.0 if t < 0.7 else 1.0]

    events = abut.track_modes(motion, 1, 2, 1)
    assert [mode for _, mode in events] == ["0-", "00", "0+", "+."] or [mode for _, mode in events] == ["0-", "0+", "+."]
    assert events[0][0] == 0.0 and events[-1][0] == pytest.approx(0.7, abs=1e-6)
    with pytest.raises(abut.Error, match="velocity: expected 2 numbers, got 1"):
        abut.track_modes(lambda t: ([[0, 1]], [[1, 0]], [0]), 1, 2, 1)
    with pytest.raises(TypeError, match="expected \\(normal_rows"):
        abut.track_modes(lambda t: 3, 1, 2, 1)
    with pytest.raises(ZeroDivisionError):
        abut.track_modes(lambda t: 1 / 0, 1, 2, 1)
