# SPDX-License-Identifier: Apache-2.0
"""Robots: kinematics against differences, dynamics against itself, inverse kinematics, and what the tool prints."""
import copy
import json
import pickle

import numpy as np
import pytest
from conftest import ROOT

import abut

TIMES = np.array([0.0, 0.5, 2.0])
NAMES = ["arm6", "planar-arm:4", "hand16", "biped"]


def random_state(robot, seed):
    rng = np.random.default_rng(seed)
    q = robot.integrate(robot.q, rng.uniform(-0.5, 0.5, robot.nv))
    return q, rng.normal(size=robot.nv)


@pytest.mark.parametrize("name", NAMES)
def test_jacobians_agree_with_differences(name):
    robot = abut.Robot(name)
    q, v = random_state(robot, 1)
    body = len(robot.model.bodies) - 1
    jacobian = robot.set(q, v).jacobian(body)
    h = 1e-6
    forward, back = robot.body_pose(body, [robot.integrate(q, v, h), robot.integrate(q, v, -h)])
    assert np.allclose(jacobian[:3] @ v, (forward[:3] - back[:3]) / (2 * h), atol=1e-6)
    assert np.allclose(robot.set(q, v).center_jacobian @ v, robot.center_velocity)
    assert np.allclose(robot.momentum_matrix @ v, robot.momentum)
    assert np.allclose(robot.momentum[:3], robot.mass * robot.center_velocity)


@pytest.mark.parametrize("name", NAMES)
def test_dynamics_agree_with_themselves(name):
    robot = abut.Robot(name)
    q, v = random_state(robot, 2)
    robot.set(q, v)
    torques = np.random.default_rng(3).normal(size=robot.nv)
    a = robot.forward_dynamics(torques)
    scale = 1.0 + np.abs(a).max()
    assert np.allclose(robot.mass_matrix @ a + robot.bias, torques, atol=1e-8 * scale)
    assert np.allclose(robot.inverse_dynamics(a), torques, atol=1e-8 * scale)
    assert np.allclose(robot.forward_dynamics(torques, method="articulated"), a, atol=1e-8 * scale)
    assert np.allclose(robot.solve(robot.mass_matrix @ a), a, atol=1e-8 * scale)
    assert np.isclose(robot.energy[0], 0.5 * v @ robot.mass_matrix @ v)
    qs, vs = np.array([q, q]), np.array([v, 0 * v])
    both = robot.inverse_dynamics(np.zeros((2, robot.nv)), qs, vs)
    assert np.allclose(both[1], robot.set(q).bias) and np.allclose(both[0], robot.set(q, v).bias)
    _, by_velocity = robot.inverse_derivatives(a)
    h = 1e-6
    column = (robot.set(q, v + h * np.eye(robot.nv)[0]).inverse_dynamics(a) - robot.set(q, v - h * np.eye(robot.nv)[0]).inverse_dynamics(a)) / (2 * h)
    assert np.allclose(by_velocity[:, 0], column, atol=1e-4 * scale)


def test_states_are_kept_and_copied():
    robot = abut.Robot("arm6")
    robot.set(np.linspace(0, 0.5, 6), np.ones(6))
    for other in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
        assert np.array_equal(other.q, robot.q) and np.array_equal(other.v, robot.v)
        other.q = np.zeros(6)
        assert robot.q[5] == 0.5 and not other.v.any()
    assert np.allclose(robot.difference(np.zeros(6), np.ones(6)), 1.0)
    assert robot.joint_place("wrist") == (3, 3) and not robot.reset().q.any()
    poses = robot.body_poses()
    assert poses.shape == (8, 7) and np.array_equal(robot.body_pose("flange"), poses[7])


def test_inverse_kinematics():
    robot = abut.Robot("arm6")
    found = robot.ik("tool", (0.3, 0.2, 0.5))
    assert found.reached and np.allclose(robot.frame_pose("tool")[:3], (0.3, 0.2, 0.5), atol=1e-6)
    target = robot.frame_pose("tool")
    assert robot.reset().ik("tool", target).reached and np.allclose(robot.frame_pose("tool")[:3], target[:3], atol=1e-6)
    assert not robot.ik("tool", (9, 9, 9), restarts=0).reached
    robot.reset()
    tasks = [robot.task("tool", (0.4, 0.1, 0.5)), robot.task("tool", kind="upright", axis=(0, 0, 1), direction=(0, 0, 1), weight=0.1)]
    assert robot.ik(tasks=tasks).error_position < 1.0


@pytest.mark.parametrize("call, error, text", [
    (lambda r: r.set(np.zeros(5)), abut.Error, r"q: expected shape \(6,\), got shape \(5,\)"),
    (lambda r: r.set(np.full(6, np.nan)), abut.Error, ""),
    (lambda r: r.inverse_dynamics(np.zeros((2, 6)), np.zeros((3, 6))), abut.Error, r"q: expected shape \(2, 6\)"),
    (lambda r: r.body_pose("nobody"), abut.Error, "body: the model has no 'nobody'"),
    (lambda r: r.body_pose(99), abut.Error, "body: the model has no number 99"),
    (lambda r: r.frame_jacobian(-5), abut.Error, "frame"),
    (lambda r: r.ik(), abut.Error, "tasks"),
    (lambda r: r.ik("tool", (1, 2, 3), retries=5), TypeError, "ik: there is no 'retries'"),
    (lambda r: r.ik("tool", (np.nan, 2, 3)), abut.Error, ""),
    (lambda r: r.model.add_body("late"), abut.Error, "a robot stands on it"),
    (lambda r: abut.Robot(7), TypeError, ""),
])
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call(abut.Robot("arm6"))


def test_the_tool_says_the_same(tool):
    told, robot = tool("robot", "arm6", "--dynamics", "--json"), abut.Robot("arm6")
    assert (told["nq"], told["nv"]) == (robot.nq, robot.nv)
    assert np.allclose([b["position"] for b in told["bodies"]], robot.body_poses()[:, :3], atol=0)
    assert np.array_equal(np.array(told["mass_matrix"]).reshape(6, 6), robot.mass_matrix) and told["moving_mass"] == robot.mass
    told, found = tool("ik", "arm6", "--frame", "tool", "--target", "0.3,0.2,0.5", "--json"), robot.ik("tool", (0.3, 0.2, 0.5))
    assert told["qpos"] == robot.q.tolist() and told["error_position"] == found.error_position


def test_robots_of_files():
    folder = ROOT.parent / "shared/robots"
    files = sorted(folder.glob("trossen_wx250s/wx250s.xml")) if folder.is_dir() else []
    if not files:
        pytest.skip("no files of robots here")
    with pytest.warns(abut.Warning):
        robot = abut.Robot(abut.Model.read(files[0]))
    q, v = random_state(robot, 4)
    a = robot.set(q, v).forward_dynamics(np.zeros(robot.nv))
    assert np.allclose(robot.inverse_dynamics(a), 0.0, atol=1e-8 * (1 + np.abs(a).max()))
    assert json.dumps(robot.model.name) and pickle.loads(pickle.dumps(robot)).nq == robot.nq


# ---- models that move

@pytest.mark.parametrize("name", NAMES)
def test_bodies_of_a_robot_that_moves_are_where_its_states_are(name):
    robot = abut.Robot(name)
    rows = np.array([random_state(robot, seed)[0] for seed in (4, 5, 6)])
    motion = abut.RobotMotion.through(name, TIMES, rows)
    for i, t in ((0, -1.0), (0, 0.0), (0, 0.2), (1, 0.9), (1, 2.0), (1, 3.0)):
        part = np.clip((t - TIMES[i]) / (TIMES[i + 1] - TIMES[i]), 0.0, 1.0)
        q = robot.integrate(rows[i], robot.difference(rows[i], rows[i + 1]), part)
        for body in range(len(robot.model.bodies)):
            pose, want = motion.body(body).pose_at(t), robot.set(q).body_pose(body)
            assert np.allclose(pose[:3], want[:3], atol=1e-9) and abs(pose[3:] @ want[3:]) > 1 - 1e-9
    link = motion.body(len(robot.model.bodies) - 1)
    assert link.span == (0.0, 2.0) and motion.body(robot.model.bodies[-1]["name"]).pose_at(0.7).tolist() == link.pose_at(0.7).tolist()
    for other in (pickle.loads(pickle.dumps(link)), copy.deepcopy(link), pickle.loads(pickle.dumps(motion)).body(len(robot.model.bodies) - 1)):
        assert other.pose_at(0.7).tobytes() == link.pose_at(0.7).tobytes()


def test_clearance_of_a_robot_that_moves():
    robot = abut.Robot("arm6")
    rows, ball, tip = np.array([np.zeros(6), np.linspace(0.5, 1.0, 6), np.full(6, -0.4)]), abut.sphere(0.05), abut.sphere(0.03)
    motion = abut.RobotMotion.through(robot.model, TIMES, rows)
    last = motion.body(len(robot.model.bodies) - 1)
    del motion  # the motion of a body keeps its chain
    place = (0.3, 0.3, 0.3)
    found, minima = abut.clearance_minima(tip, ball, last, place, eps=1e-5)
    sampled = np.linalg.norm(last.pose_at(np.linspace(0, 2, 4001))[:, :3] - place, axis=1).min() - 0.08
    assert found.certified and found.lb - 1e-9 <= sampled <= found.ub + 1e-3
    motion = abut.RobotMotion.curves("arm6", [abut.Curve.bernstein(0, 1, [0.0, a]) for a in (0.4, 0.3, 0.2, 0.1, 0.2, 0.3)])
    link = motion.body(len(robot.model.bodies) - 1)
    gradient, h, direction = link.gradient(0.5, link.pose_at(0.5)[:3], (0, 0, 1)), 1e-6, np.array([0, 0, 1.0])
    assert sorted(motion.joint(i) for i in range(6)) == [motion.joint(joint["name"]) for joint in robot.model.joints]
    middle = 0.5 * np.array([0.4, 0.3, 0.2, 0.1, 0.2, 0.3])
    for i in range(6):
        ends = [robot.set(middle + s * h * np.eye(6)[i]).body_pose(len(robot.model.bodies) - 1)[:3] @ direction for s in (1, -1)]
        assert gradient[motion.joint(i), 0] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-7)


@pytest.mark.parametrize("call, error, text", [
    (lambda: abut.RobotMotion.through("arm6", [0, 1], np.zeros((3, 6))), abut.Error, r"positions: expected shape \(2, 6\), got shape \(3, 6\)"),
    (lambda: abut.RobotMotion.through("arm6", [1, 0], np.zeros((2, 6))), abut.Error, "times: number 1 does not grow"),
    (lambda: abut.RobotMotion.through("arm6", [0, 1], np.full((2, 6), np.nan)), abut.Error, "positions"),
    (lambda: abut.RobotMotion.through("arm6", [], np.zeros((0, 6))), abut.Error, "at least one row"),
    (lambda: abut.RobotMotion.through(3, [0], np.zeros((1, 6))), TypeError, "model: expected an abut.Model, a file or the name of a built-in one, got 3"),
    (lambda: abut.RobotMotion.curves("arm6", [None]), abut.Error, "curves: expected 6, got 1"),
    (lambda: abut.RobotMotion.curves("arm6", [3] * 6), TypeError, "curves: expected an abut.Curve or None, got 3"),
    (lambda: abut.RobotMotion.curves("arm6", [None] * 6).body(99), abut.Error, "99"),
    (lambda: abut.RobotMotion.curves("arm6", [None] * 6).joint("no"), abut.Error, "no"),
    (lambda: abut.RobotMotion(), TypeError, ""),
])
def test_motions_of_robots_that_are_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_keyframe_sets_controls(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text('<mujoco><worldbody><body><joint name="j" type="hinge" axis="0 1 0"/><geom size="0.1" pos="0 0 1"/></body></worldbody>'
                    '<actuator><motor joint="j"/></actuator><keyframe><key name="up" qpos="0.5" ctrl="2.5"/></keyframe></mujoco>')
    simulation = abut.Simulation(abut.Model.read(str(path)))
    simulation.set_keyframe("up")
    assert simulation.controls().tolist() == [2.5] and simulation.timestep == 0.002
    assert simulation.scene.joints()[0].tolist() == [0.5]


def test_meshes_are_taken_as_the_tool_takes_them(tmp_path):
    """A mesh that is not convex stays one shape; in pieces, or as its hull alone, where that is asked for."""
    (tmp_path / "l.obj").write_text("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                    "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n" + "".join(f"f {i} {i % 6 + 1} {i % 6 + 7} {i + 6}\n" for i in range(1, 7)))
    path = tmp_path / "l.xml"
    path.write_text('<mujoco><asset><mesh name="l" file="l.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="l"/></body></worldbody></mujoco>')
    with pytest.warns(abut.Warning, match="convex pieces"):
        assert len(abut.Model.read(str(path), convex_pieces=True).shapes) > 1
    whole, hull = abut.Model.read(str(path)), abut.Model.read(str(path), hulls=True)
    assert len(whole.shapes) == len(hull.shapes) == 1
    assert pickle.dumps(whole) != pickle.dumps(hull)
    assert pickle.dumps(pickle.loads(pickle.dumps(whole))) == pickle.dumps(whole)
