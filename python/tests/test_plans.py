# SPDX-License-Identifier: Apache-2.0
"""Soft directions, plans, contacts of pairs, points and meshes."""
import copy
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
    assert problem.pair_triangles == [0] * len(problem.pairs)  # all shapes are convex
    far = problem.check_limits([0, 1], [np.zeros(6), np.full(6, 20.0)])
    assert [x["joint"] for x in far] == list(range(6)) and {x["kind"] for x in far} == {"position"} and far[0]["value"] == 20.0
    assert problem.check_limits([0, 1], np.zeros((2, 6))) == []
    slow = abut.Trajectory.through([0, 50], [np.zeros(6), np.full(6, 0.3)])
    fast = problem.retime(slow)
    assert fast.times[-1] < 10.0 and np.allclose(fast.at(fast.times[-1]), 0.3, atol=1e-6) and problem.check_limits(fast) == []
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


def test_pairs_that_are_always_near_are_exceptions():
    robot = abut.Robot("biped")
    problem = abut.PlanProblem(robot, margin=0.05)
    assert ("trunk", "left_hip") in problem.exceptions and ("trunk", "left_hip") not in problem.pairs
    assert any("trunk and left_hip are left out: always near" in note for note in problem.notes)
    postures = np.stack([problem.robot.q[7:]] * 2)
    feet = {"only": [("left_foot", "right_foot")]}
    assert abut.PlanProblem(robot, margin=0.05, **feet).certify([0, 1], postures)[0].status == "clear"
    certificate = abut.PlanProblem(robot, margin=0.05, allow=[("ground", "left_foot"), ("ground", "right_foot")]).certify([0, 1], postures)[0]
    assert certificate.status == "clear_except" and not abut.is_proof(certificate)
    allowed = abut.PlanProblem(robot, margin=0.05, allow=[*problem.exceptions, ("ground", "left_foot"), ("ground", "right_foot")])
    assert allowed.exceptions == [] and allowed.certify([0, 1], postures)[0].status == "clear"


def test_a_motion_is_planned():
    arm = abut.Robot("arm6")
    start = arm.q
    assert arm.ik("tool", (0.3, 0.2, 0.5)).reached
    goal = arm.q
    problem = abut.PlanProblem(arm.reset())
    late = problem.solve(start, goal, budget=1e-6)
    assert late.out_of_time and late.attempt_limit == 17 and (late.status == "budget") == ("budget: time ran out" in late.reason)
    one, two = (problem.solve(start, goal, attempts=2) for _ in range(2))
    assert not one.out_of_time and one.attempt_limit == len(one.attempts) == 2 and (one.coefficients == two.coefficients).all()
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


def test_postures_and_edges_are_proved_free(rng=np.random.default_rng(5)):
    arm = abut.Robot("arm6")
    post = abut.Model()
    post.add_shape(post.add_body("post", "static", pose=(0.4, 0, 0.4)), "box", (0.05, 0.05, 0.4))
    problem = abut.PlanProblem(arm, post)
    postures = rng.uniform(-1.5, 1.5, (300, 6))
    free = problem.free(postures, level=0.002)
    assert free.dtype == bool and 20 < free.sum() < 280
    for joints, one in zip(postures[:60], free):
        distance = problem.nearest(joints)["distance"]
        assert distance > 0.002 if one else distance < 0.0021
    to = postures + rng.uniform(-0.2, 0.2, postures.shape)
    edges = problem.free(postures, to, level=0.002, threads=2)
    assert (edges <= free).all() and 0 < edges.sum() < free.sum()
    for a, b in zip(postures[edges][:20], to[edges]):
        certificate = problem.certify([0, 1], [a, b], interpolation="linear", level=0.002)[0]
        assert certificate.status == "clear"
    assert problem.free(np.empty((0, 6))).shape == (0,)
    with pytest.raises(abut.Error, match=r"to: expected shape \(300, 6\)"):
        problem.free(postures, to[:3])
    with pytest.raises(abut.Error, match="level: expected a number of 0 or more"):
        problem.free(postures, level=-1.0)


def test_many_plans_are_those_made_one_by_one(problem, rng=np.random.default_rng(8)):
    starts = np.zeros((5, 6))
    goals = rng.uniform(-0.3, 0.3, (5, 6))
    alone = [problem.solve(a, b, attempts=2) for a, b in zip(starts, goals)]
    for threads in (0, 1, 3):
        plans = abut.plan_many(problem, starts, goals, threads=threads, attempts=2)
        assert [p.status for p in plans] == [p.status for p in alone]
        assert all(np.array_equal(p.coefficients, q.coefficients) for p, q in zip(plans, alone))
    assert {p.status for p in plans} == {"certified"}
    mixed = abut.plan_many([problem, abut.PlanProblem(abut.Robot("arm6"))], starts[:2], goals[:2], quality="fast")
    assert [p.attempts[-1]["kind"] for p in mixed] == ["fast", "fast"]
    assert abut.plan_many(problem, np.empty((0, 6)), np.empty((0, 6))) == []
    with pytest.raises(abut.Error, match=r"goals: expected shape \(5, 6\)"):
        abut.plan_many(problem, starts, goals[:3])
    with pytest.raises(abut.Error, match="problems: expected one, or 5"):
        abut.plan_many([problem], starts, goals)
    with pytest.raises(abut.Error, match="threads: expected 0 or more"):
        abut.plan_many(problem, starts, goals, threads=-1)
    with pytest.raises(TypeError, match="did you mean 'quality'"):
        abut.plan_many(problem, starts, goals, qualty="fast")


def test_roadmaps_are_searched_among_other_obstacles(problem, tmp_path):
    alone = abut.PlanProblem(abut.Robot("arm6"))
    roadmap = abut.Roadmap(alone, 300, threads=2)
    postures, edges = roadmap.postures, roadmap.edges
    assert postures.shape == (300, 6) and edges.shape[1] == 2 and (edges[:, 0] < edges[:, 1]).all()
    assert np.array_equal(edges, abut.Roadmap(alone, 300, threads=1).edges)
    assert alone.free(postures[edges[:, 0]], postures[edges[:, 1]], level=0.001).all()
    roadmap.write(tmp_path / "map.npz")
    again = abut.Roadmap.read(tmp_path / "map.npz")
    assert np.array_equal(again.postures, postures) and np.array_equal(again.edges, edges)
    assert repr(again) == f"<abut.Roadmap: 300 postures, {len(edges)} edges>"
    start, goal = np.array([-0.6, 0.9, 0.6, 0, 0, 0]), np.array([1.9, 0.9, 0.6, 0, 0, 0])
    plans = [problem.solve(start, goal, quality="fast", attempts=2, roadmap=r) for r in (None, roadmap, again)]
    assert {p.status for p in plans} == {"certified"} and np.array_equal(plans[1].coefficients, plans[2].coefficients)
    assert abut.plan_many(problem, [start], [goal], quality="fast", attempts=2, roadmap=roadmap)[0].cost == plans[1].cost
    copied = pickle.loads(pickle.dumps(roadmap))
    assert np.array_equal(copied.postures, postures) and np.array_equal(copied.edges, edges)
    with pytest.raises(TypeError, match="roadmap: expected"):
        problem.solve(start, goal, roadmap=3)
    with pytest.raises(abut.Error, match="roadmap: expected no postures on the way"):
        problem.solve(start, goal, torque=True, roadmap=roadmap)
    with pytest.raises(abut.Error, match="count: expected 1 to 100000"):
        abut.Roadmap(alone, 0)
    (tmp_path / "bad.npz").write_bytes((tmp_path / "map.npz").read_bytes()[:-9])
    with pytest.raises(abut.Error, match="bad.npz"):
        abut.Roadmap.read(tmp_path / "bad.npz")


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


@pytest.fixture(scope="module")
def problem():
    table = abut.Model()
    table.add_shape(table.add_body("block", "static", pose=(0.6, 0, 0.2)), "box", (0.1, 0.1, 0.1))
    return abut.PlanProblem(abut.Robot("arm6"), table, margin=0.01)


def test_problems_tell_what_they_plan(problem):
    assert "obstacles/block" in problem.links or "block" in problem.links
    assert [name for name, low, high in problem.coordinates] and all(low < high for _, low, high in problem.coordinates)
    u = problem.coordinates_of(np.full(6, 0.1))
    assert problem.joints_of(u) == pytest.approx(np.full(6, 0.1))
    poses = problem.link_poses(np.zeros(6))
    assert poses.shape == (len(problem.links), 7)
    assert poses[:len(problem.robot.model.bodies)] == pytest.approx(abut.Robot("arm6").set(np.zeros(6)).body_poses())
    held = abut.PlanProblem(abut.Robot("arm6"), held=[0, 5])
    assert held.joints == [1, 2, 3, 4]
    names = problem.pairs[0]
    assert names not in abut.PlanProblem(problem.robot, problem.obstacles, allow=[names]).pairs
    assert abut.PlanProblem(problem.robot, problem.obstacles, only=[names]).pairs == [names]
    with pytest.raises(abut.Error, match="there is no link 'nothing'"):
        abut.PlanProblem(problem.robot, allow=[("nothing", "block")])
    links = [body["name"] for body in problem.robot.model.bodies]
    near = (links[1], links[2])
    assert near not in problem.pairs
    added = abut.PlanProblem(problem.robot, problem.obstacles, add=[near])
    assert set(added.pairs) == {*problem.pairs, near}
    touching = abut.PlanProblem(problem.robot, problem.obstacles, windows=[(*names, 0.9, 1.0)])
    assert touching.pairs == problem.pairs and any(names[1] in note and names[0] in note for note in touching.notes)
    with pytest.raises(abut.Error, match="windows: expected"):
        abut.PlanProblem(problem.robot, problem.obstacles, windows=[names])
    with pytest.raises(abut.Error):
        abut.PlanProblem(problem.robot, problem.obstacles, windows=[(*names, 0.9, 0.1)])
    coupled = abut.PlanProblem(problem.robot, problem.obstacles, coupling=np.ones((6, 1)) * 0.5, limits=[[-1.0], [1.0]])
    assert len(coupled.coordinates) == 1 and coupled.joints_of([0.2]) == pytest.approx(np.full(6, 0.1))


def test_copies_of_problems_and_plans(problem):
    goal = [0.3, -0.2, 0.2, 0, 0, 0]
    plan = problem.solve(np.zeros(6), goal, attempts=1)
    for other in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert other.pairs == problem.pairs and other.solve(np.zeros(6), goal, attempts=1).cost == plan.cost
    again = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(again.coefficients, plan.coefficients) and again.certificate == plan.certificate
    assert plan.attempts[0]["kind"] == "fast" and plan.trajectory.at(0.0) == pytest.approx(np.zeros(6))
    assert problem.certify(plan)[0].status == plan.certificate.status
    curve = problem.curve(0, plan, cells=4)
    assert len(curve) == 4 * len(plan.coefficients) and (curve["lb"] <= curve["distance"] + 1e-12).all()
    with pytest.raises(abut.Error, match="pair: expected 0 to"):
        problem.curve(10**6, plan)


def test_plans_pass_through_postures(problem):
    middle = np.array([0.1, -0.3, 0.3, 0, 0, 0])
    plan = problem.solve(np.zeros(6), [0.3, -0.2, 0.2, 0, 0, 0], via=[(0.5, middle)], attempts=2)
    assert np.abs(plan.joints_at([0.5 * plan.times[-1]])[0] - middle).max() < 1e-2
    with pytest.raises(abut.Error, match=r"goal: expected shape \(6,\), got shape \(5,\)"):
        problem.solve(np.zeros(6), np.zeros(5))


def test_postures_that_reach_a_target(problem):
    robot = problem.robot
    frame = robot.model.frames[0]["name"] if robot.model.frames else None
    if frame is None:
        pytest.skip("the arm has no frame")
    target = abut.Robot("arm6").set([0.3, -0.2, 0.2, 0, 0, 0]).frame_pose(frame)
    postures = problem.reach(np.zeros(6), [robot.task(frame, target)], tries=10)
    assert postures.shape[1] == 6 and len(postures) > 0
    assert abut.Robot("arm6").set(postures[0]).frame_pose(frame)[:3] == pytest.approx(target[:3], abs=1e-3)


def test_trajectories_in_files(tmp_path):
    robot = abut.Robot("arm6")
    trajectory = abut.Trajectory.through([0, 1, 2], np.array([np.zeros(6), np.full(6, 0.2), np.full(6, 0.1)]))
    for name in ("a.npz", "a.csv"):
        trajectory.write(tmp_path / name, robot.model, rate=50)
        read = abut.Trajectory.read(tmp_path / name, robot)
        assert read.given.all() and read.at(np.linspace(0, 2, 9)) == pytest.approx(trajectory.at(np.linspace(0, 2, 9)), abs=1e-3)
    assert np.array_equal(pickle.loads(pickle.dumps(trajectory)).coefficients, trajectory.coefficients)
    assert trajectory.at(0.5, order=1).shape == (6,)
    (tmp_path / "bad.csv").write_text("t,nobody\n0,1\n1,2\n")
    with pytest.raises(abut.Error, match="nobody") as caught:
        abut.Trajectory.read(tmp_path / "bad.csv", robot)
    assert caught.value.file.endswith("bad.csv")
    with pytest.raises(abut.Error, match="coefficients: expected shape"):
        abut.Trajectory([0, 1, 2], np.zeros((1, 6, 6)))
    with pytest.raises(abut.Error, match="joints: expected those of the model"):
        abut.Trajectory([0, 1], np.zeros((1, 2, 6))).write(tmp_path / "c.npz", robot.model)


def test_controls_and_states_from_files(tmp_path):
    model = abut.Model()
    model.add_joint(model.add_body("a", "link", mass=1.0, inertia=np.eye(3)), "hinge", name="j")
    for name in ("m", "n"):
        model.add_actuator(0, name=name)
    (tmp_path / "c.csv").write_text("t,n\n0,1\n1,2\n")
    controls = abut.Controls.read(tmp_path / "c.csv", model)
    assert controls.actuators == [1] and controls.at(0.5, [7, 7]).tolist() == [7, 1] and controls.at(9, [7, 7]).tolist() == [7, 2]
    assert pickle.loads(pickle.dumps(controls)).at(0.5, [0, 0]).tolist() == [0, 1]
    with pytest.raises(abut.Error, match="actuators: expected 0 to 0"):
        controls.at(0.0, [7])
    (tmp_path / "s.json").write_text('{"qpos": [0.25]}')
    assert abut.Robot(model).read_state(tmp_path / "s.json").q == pytest.approx([0.25])
    (tmp_path / "t.json").write_text('{"qpos": [0.25, 3]}')
    with pytest.raises(abut.Error, match="t.json"):
        abut.Robot(model).read_state(tmp_path / "t.json")
    assert any(row[0] == "mjcf" and "geom" in row[1] for row in abut.import_table())


def test_places_of_free_bodies():
    robot = abut.Robot("boxes:2")
    assert robot.body_place("ground") == (-1, -1) and robot.body_place("box1") == (7, 6)


def test_nearest_by_poses_and_least_over_a_piece(problem):
    joints = np.full(6, 0.1)
    poses = abut.Robot("arm6").set(joints).body_poses()
    assert problem.nearest(poses=poses)["distance"] == pytest.approx(problem.nearest(joints)["distance"], abs=1e-9)
    motion = abut.Trajectory.through([0, 1], [np.zeros(6), joints])
    distance, x, evaluations = problem.least(0, 0, motion)
    curve = problem.curve(0, motion, cells=200)
    assert abs(distance - curve["distance"].min()) < 2e-3 and 0.0 <= x <= 1.0 and evaluations > 0
    with pytest.raises(abut.Error, match="nearest: expected joints, or poses"):
        problem.nearest()
    with pytest.raises(abut.Error, match="pair, piece"):
        problem.least(0, 99, motion)


def test_feet_balance_and_limits(problem, tmp_path):
    assert abut.find_feet(problem.robot) == [] and len(problem.polygon) == 0
    assert problem.balance(np.zeros(6))["inside"] == np.inf
    assert problem.joint_limits.shape == (6, 5)
    (tmp_path / "l.csv").write_text("joint,speed\n*,2\n")
    limits = abut.read_limits(tmp_path / "l.csv", problem.robot.model)
    assert limits.shape == (6, 5) and (limits[:, 2] == 2.0).all() and np.isnan(limits[:, 0]).all()
    limited = abut.PlanProblem(problem.robot, problem.obstacles, joint_limits=limits)
    assert (limited.joint_limits[:, 2] == 2.0).all()
    effort, torques = problem.effort([0, 1], [np.zeros(6), np.full(6, 0.1)])
    assert effort.samples == len(torques) == 400 and torques.shape[1] == 6
    assert abut.is_proof(problem.certify([0, 1], [np.zeros(6), np.full(6, 0.05)])[0]) in (True, False)


def test_points_are_obstacles(tmp_path):
    rng = np.random.default_rng(5)
    robot, points = abut.Robot("arm6"), rng.uniform((0.3, -0.3, 0.05), (0.7, 0.3, 0.5), (200, 3))
    postures = rng.uniform(-1, 1, (300, 6))
    np.save(tmp_path / "p.npy", points)
    assert np.array_equal(abut.read_points(tmp_path / "p.npy"), points)
    balls, boxes = abut.Model(), abut.Model()
    for i, point in enumerate(points):  # the same bodies one by one
        balls.add_shape(balls.add_body(f"b{i}", "static", pose=point), "sphere", 0.02)
        boxes.add_shape(boxes.add_body(f"b{i}", "static", pose=point), "box", (0.02, 0.02, 0.02))
    for model, sizes in ((balls, {"point_radius": 0.02}), (boxes, {"voxel": 0.04})):
        one, many = abut.PlanProblem(robot, points=points, **sizes), abut.PlanProblem(robot, model)
        assert one.links[-1] == "points" and len(one.pairs) < len(many.pairs)
        free = one.free(postures)
        assert 20 < free.sum() < 280 and (free == many.free(postures)).mean() > 0.99
        for posture in postures[:20]:
            assert one.nearest(posture)["distance"] == pytest.approx(max(many.nearest(posture)["distance"], -1), abs=1e-8) or \
                many.nearest(posture)["distance"] < 0
        again = pickle.loads(pickle.dumps(one))
        assert np.array_equal(again.free(postures), free)
    both = abut.PlanProblem(robot, balls, points=points + (0, 0, 9), point_radius=0.1)
    assert "points" in both.links and "b0" in both.links
    with pytest.raises(abut.Error, match="point 1: expected"):
        abut.PlanProblem(robot, points=[[0, 0, 1], [np.nan, 0, 0]])
    with pytest.raises(abut.Error, match=r"points: expected"):
        abut.PlanProblem(robot, points=np.zeros((0, 3)))
    with pytest.raises(abut.Error, match="point_radius"):
        abut.PlanProblem(robot, points=points, point_radius=-1)
    with pytest.raises(abut.Error, match="points: expected"):
        abut.PlanProblem(robot, voxel=1)


def test_meshes_are_obstacles(tmp_path):
    robot, ring = abut.Robot("arm6"), abut.Mesh.make("torus", 400)
    ring = abut.Mesh(ring.vertices * 0.2 + (0.6, 0.0, 0.2), ring.triangles)
    problem = abut.PlanProblem(robot, ring, abut.PlanOptions(margin=0.002), neighbors=1)
    assert "mesh" in problem.links and max(problem.pair_triangles) == len(ring.triangles)
    assert problem.options.margin == 0.002 and problem.options.neighbors == 1
    again = pickle.loads(pickle.dumps(problem))
    assert again.pairs == problem.pairs and again.pair_triangles == problem.pair_triangles
    near = problem.nearest(np.zeros(6))
    assert near["distance"] == again.nearest(np.zeros(6))["distance"]
    hull = abut.PlanProblem(robot, abut.Mesh.make("box", 12))
    assert max(hull.pair_triangles) == 0
    with pytest.raises(abut.Error, match="surfaces"):
        abut.PlanProblem(robot, ring, surfaces=abut.Model())
    with pytest.raises(TypeError, match="obstacles"):
        abut.PlanProblem(robot, "ring")
