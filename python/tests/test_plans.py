# SPDX-License-Identifier: Apache-2.0
"""Soft directions, plans, contacts of pairs, points and meshes."""
import pickle

import numpy as np
import pytest
from conftest import random_poses

import abut


def test_soft_directions():
    mesh = abut.Mesh.make("torus", 400)
    body = abut.SoftBody(mesh, abut.soft_tau(mesh, mesh))
    poses = random_poses(20, 1, 0.5)
    batch = abut.soft_direction(body, body, poses)
    for pose, row in zip(poses, batch):
        one = abut.soft_direction(body, body, pose)
        assert np.array_equal(one.direction, row["direction"]) and one.distance == row["distance"]
    above = abut.soft_direction(body, body, (0, 0, 0.5))
    assert above.outcome == "clear" and above.direction[2] > 0.9
    assert 0.0 <= abut.soft_turn_bound(body, above, (0, 0, 0.5), (0, 0, 0.5001)) <= np.pi
    assert np.array_equal(abut.soft_direction(pickle.loads(pickle.dumps(body)), body, (0, 0, 0.5)).direction, above.direction)
    assert body.field((0.3, 0, 0))[0] < 0 and abut.soft_direction(body, body, (np.nan, 0, 0)).outcome == "invalid"
    with pytest.raises(abut.Error):
        abut.SoftBody(abut.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))


def test_a_motion_is_certified():
    robot = abut.Robot("arm6")
    table = abut.Model()
    block = table.add_body("block", "static", pose=(0.6, 0, 0.2))
    table.add_shape(block, "box", (0.1, 0.1, 0.1))
    problem = abut.PlanProblem(robot, table)
    assert len(problem.joints) == 6 and any("block" in pair for pair in problem.pairs)
    away = [[0, 0, 0, 0, 0, 0], [0.3, -0.2, 0.2, 0, 0, 0]]
    certificate, pairs = problem.certify([0, 1], away)
    near = problem.nearest(away[0])
    assert certificate.status == "clear" and certificate.lb <= near["distance"] + 1e-12 and len(pairs) == len(problem.pairs)
    assert len(near["distances"]) == len(problem.pairs) and near["distances"].min() == near["distance"]
    assert problem.certify([0, 1], away, level=10.0)[0].status == "contact"
    values = abut.trajectory_values([0, 1], away, [0, 0.5, 1])
    assert np.allclose(values[[0, 2]], away) and np.allclose(abut.trajectory_values([0, 1], away, [0.0], order=1), 0.0)
    with pytest.raises(abut.Error, match="joints"):
        problem.certify([0, 1], np.zeros((2, 3)))
    with pytest.raises(abut.Error):
        problem.certify([1, 0], away)


def test_a_motion_is_planned():
    arm = abut.Robot("arm6")
    start = arm.q
    assert arm.ik("tool", (0.3, 0.2, 0.5)).reached
    goal = arm.q
    problem = abut.PlanProblem(arm.reset())
    plan = problem.solve(start, goal)
    assert plan.status == "certified" and plan.certificate.status == "clear" and len(plan.pairs) == len(problem.pairs)
    ends = plan.joints_at([-1.0, plan.times[-1] + 1.0])
    assert np.allclose(ends, [start, goal], atol=1e-9)
    for joints in plan.joints_at(np.linspace(0, plan.times[-1], 30)):
        assert problem.nearest(joints)["distance"] >= plan.certificate.lb - 1e-9
    with pytest.raises(abut.Error, match="start"):
        problem.solve(start[:3], goal)
    with pytest.raises(TypeError, match="did you mean 'speed'"):
        problem.solve(start, goal, sped=1.0)


def test_contacts_of_pairs():
    box = abut.box((0.5, 0.5, 0.5))
    rows, touch = abut.contact(box, box, [(0, 0, 0.999), (0, 0, 3)])
    assert touch.tolist() == [True, False] and np.isclose(rows["area"][0], 1.0, rtol=1e-3) and rows["vertex_count"][0] == 4
    rows, touch = abut.contact(abut.sphere(1.0), box, (1.499, 0, 0))
    assert touch[0] and np.isclose(rows["depth"][0], 0.001, atol=1e-6)
    with pytest.raises(abut.Error):
        abut.contact(box, box, (np.nan, 0, 0))


def test_points_and_meshes(tmp_path):
    mesh = abut.Mesh.make("torus", 400)
    points = [(0.3, 0, 0), (0, 0, 0), (9, 9, 9)]
    assert mesh.inside(points).tolist() == [True, False, False]
    assert np.allclose(mesh.nearest(points)["distance"][:2], np.abs(abut.nearest_point(mesh, points[:2])["distance"]))
    assert mesh.nearest(points, within=1.0)["triangle"][2] == -1
    center, radius = abut.bounding_sphere(mesh.vertices)
    assert (np.linalg.norm(mesh.vertices - center, axis=1) <= radius * (1 + 1e-12)).all()
    (tmp_path / "h.txt").write_text("1 0 0 1\n-1 0 0 1\n0 1 0 1\n0 -1 0 1\n0 0 1 1\n0 0 -1 1\n")
    assert np.isclose(abut.polyhedron(abut.read_half_spaces(tmp_path / "h.txt")).volume, 8.0)
    with pytest.raises(abut.Error):
        abut.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).inside([(0, 0, 0)])


def test_modes_of_a_scene_with_its_forces():
    scene = abut.Scene("stack:1")
    system, acting = scene.mode_system(), scene.mode_forces()
    rest = "0" * (system.contacts * (1 + system.lines))
    assert system.forces(rest, acting["force"], friction=acting["friction"])[0].feasible
    assert system.forces(rest, acting["force"], friction=acting["friction"], mass=acting["mass"], velocity=acting["velocity"], step=1e-3)[0].feasible
