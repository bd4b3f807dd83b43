# SPDX-License-Identifier: Apache-2.0
"""Messages of ROS: random trajectories as PyYAML writes them in any style, as JSON, as objects and in MCAP bags, against
their numbers; planning scenes in Python against the same problem made by hand; hostile texts."""
import json
import random
import types

import numpy as np
import pytest

yaml = pytest.importorskip("yaml")

import abut

ROBOT = abut.Robot("arm6")
NAMES = [joint["name"] for joint in ROBOT.model.joints]


def random_message(rng, order=0):
    """A JointTrajectory of some joints in some order, and its times and numbers."""
    names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
    count, time, points, times = rng.randint(2, 5), 0, [], []
    value = lambda: rng.choice([rng.uniform(-3, 3), round(rng.uniform(-3, 3), 2), rng.randint(-3, 3), rng.uniform(-1e-8, 1e-8), -0.0])
    for _ in range(count):
        rows = [[value() for _ in names] for _ in range(order + 1)] + [[] for _ in range(2 - order)]
        points.append({"positions": rows[0], "velocities": rows[1], "accelerations": rows[2], "effort": [],
                       "time_from_start": {"sec": time // 10**9, "nanosec": time % 10**9}})
        times.append(time // 10**9 + 1e-9 * (time % 10**9))
        time += rng.randint(1, 3 * 10**9)
    text = rng.choice(["", "world", "a: b", "it's", 'q"x', "# no", "two\nlines", "\u00e9\U0001f600", "-", "0x1", "null", "x" * 100, "a " * 60])
    return {"header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": text}, "joint_names": names, "points": points}, times


def check(trajectory, message, times):
    assert np.array_equal(trajectory.times, times)
    numbers = [NAMES.index(name) for name in message["joint_names"]]
    assert sorted(np.flatnonzero(trajectory.given)) == sorted(numbers)
    for time, point in zip(times, message["points"]):
        for order, key in enumerate(("positions", "velocities", "accelerations")):
            if point[key]:
                assert np.allclose(trajectory.at(time, order)[numbers], point[key], rtol=1e-9, atol=(1e-12, 1e-9, 1e-6)[order])


def test_yaml_of_any_style(tmp_path):
    rng, path = random.Random(5), tmp_path / "t.yaml"
    for case in range(400):
        message, times = random_message(rng, case % 3)
        style = rng.choice([False, None, True])
        text = yaml.dump(message, default_flow_style=style, indent=rng.choice([None, 2, 4, 7]), width=rng.choice([30, 80, 10**6]),
                         allow_unicode=rng.random() < 0.5,
                         explicit_start=rng.random() < 0.3, explicit_end=rng.random() < 0.2, sort_keys=rng.random() < 0.5)
        path.write_text(text, encoding="utf-8")
        assert yaml.safe_load(text) == message
        try:
            check(abut.Trajectory.read(path, ROBOT), message, times)
        except abut.Error as error:
            raise AssertionError(f"{error}\n{text}") from None


def test_messages_and_json(tmp_path):
    rng = random.Random(6)

    def made(value):
        if isinstance(value, dict):
            return types.SimpleNamespace(**{key: made(part) for key, part in value.items()})
        return np.array(value) if isinstance(value, list) and value and isinstance(value[0], float) else [made(x) for x in value] \
            if isinstance(value, list) else value

    for case in range(60):
        message, times = random_message(rng, case % 3)
        check(abut.ros.trajectory(message, ROBOT), message, times)
        check(abut.ros.trajectory(made(message), ROBOT), message, times)
        path = tmp_path / "m.json"
        path.write_text(json.dumps({"op": "publish", "topic": "/x", "msg": {"trajectory": message}}, indent=rng.choice([None, 1])))
        check(abut.Trajectory.read(path, ROBOT), message, times)
    with pytest.raises(abut.Error, match="no joint_names"):
        abut.ros.trajectory({}, ROBOT)
    with pytest.raises(TypeError, match="expected a message"):
        abut.ros.trajectory("t.yaml", ROBOT)
    with pytest.raises(abut.Error, match="positions"):
        abut.ros.trajectory({"joint_names": NAMES[:1], "points": [{"positions": [float("nan")]}] * 2}, ROBOT)


MESSAGE = """std_msgs/Header header
string[] joint_names
trajectory_msgs/JointTrajectoryPoint[] points
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: builtin_interfaces/Duration
int32 sec
uint32 nanosec
================================================================================
MSG: trajectory_msgs/JointTrajectoryPoint
float64[] positions
float64[] velocities
float64[] accelerations
float64[] effort
builtin_interfaces/Duration time_from_start
"""


def test_bags(tmp_path):
    pytest.importorskip("mcap")
    writer = pytest.importorskip("mcap_ros2.writer")
    from mcap.writer import Writer
    rng, path, rows = random.Random(7), tmp_path / "b.mcap", []
    with open(path, "wb") as file:
        bag = writer.Writer(file)
        kind = bag.register_msgdef("trajectory_msgs/msg/JointTrajectory", MESSAGE)
        other = bag.register_msgdef("std_msgs/msg/String", "string data")
        for case in range(30):
            message, times = random_message(rng, case % 3)
            rows.append((message, times, f"/topic{case % 2}"))
            bag.write_message(f"/topic{case % 2}", kind, message, log_time=10**9 * case + 1, publish_time=0)
            bag.write_message("/talk", other, {"data": "x"}, log_time=10**9 * case + 2, publish_time=0)
        bag.write_message("/topic0", kind, {"header": message["header"], "joint_names": NAMES, "points": []}, log_time=10**12)
        bag.finish()
    found = abut.ros.read_trajectories(path, ROBOT)
    assert len(found) == 30
    for case, (one, (message, times, topic)) in enumerate(zip(found, rows)):
        assert one.topic == topic and abs(one.time - case) < 1e-6
        check(one.trajectory, message, times)
    assert len(abut.ros.read_trajectories(path, ROBOT, "/topic1")) == 15
    assert {message.kind for message in abut.ros.read_messages(path)} == {"trajectory_msgs/msg/JointTrajectory", "std_msgs/msg/String"}
    with open(path, "wb") as file:  # rosbridge and Foxglove log JSON
        bag = Writer(file)
        bag.start()
        schema = bag.register_schema("trajectory_msgs/JointTrajectory", "jsonschema", b"{}")
        channel = bag.register_channel("/j", "json", schema)
        bag.add_message(channel, 5, json.dumps(rows[0][0]).encode(), 5)
        bag.finish()
    check(abut.ros.read_trajectories(path, ROBOT)[0].trajectory, *rows[0][:2])
    whole = path.read_bytes()
    with pytest.raises(abut.Error, match="which abut.ros"):
        abut.Trajectory.read(path, ROBOT)
    for end in (0, 7, 40, len(whole) // 2, len(whole) - 9):
        path.write_bytes(whole[:end])
        with pytest.raises(abut.Error, match="whole MCAP bag"):
            abut.ros.read_trajectories(path, ROBOT)
    with pytest.raises(abut.Error, match="cannot be opened"):
        abut.ros.read_trajectories(tmp_path / "gone.mcap", ROBOT)


def pose(x=0.0, y=0.0, z=0.0):
    return {"position": {"x": x, "y": y, "z": z}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}


def test_planning_scenes(tmp_path):
    link = ROBOT.model.bodies[-1]["name"]
    message = {"robot_state": {"joint_state": {"header": {"frame_id": "world"}, "name": NAMES[:2], "position": [0.3, -0.4]},
                               "attached_collision_objects": [{"link_name": link, "touch_links": [], "object": {
                                   "header": {"frame_id": link}, "id": "stick", "primitives": [{"type": 3, "dimensions": [0.2, 0.01]}],
                                   "primitive_poses": [pose(z=0.15)]}}]},
               "world": {"collision_objects": [{"header": {"frame_id": "world"}, "id": "post", "pose": pose(0.3, 0.3),
                                                "primitives": [{"type": 1, "dimensions": [0.04, 0.06, 2.0]}]}]}}
    path = tmp_path / "scene.yaml"
    path.write_text(yaml.dump(message))
    for scene in (abut.PlanningScene.read(path, ROBOT.model), abut.ros.planning_scene(message, ROBOT.model)):
        assert len(ROBOT.model.bodies) + 1 == len(scene.robot.model.bodies) and "1 objects" in repr(scene)
        assert np.array_equal(scene.robot.q[:2], [0.3, -0.4])
        model, robot = abut.Model(), ROBOT.model.copy()
        model.add_shape(model.add_body("post", kind="static"), "box", size=[0.02, 0.03, 1.0], pose=[0.3, 0.3, 0, 1, 0, 0, 0])
        robot.add_shape(robot.add_body("stick", kind="link", parent=robot.find("body", link)), "cylinder", size=[0.01, 0.01, 0.1], pose=[0, 0, 0.15, 1, 0, 0, 0])
        hand = abut.PlanProblem(abut.Robot(robot).set(scene.robot.q), model, add=[("stick", b["name"]) for b in ROBOT.model.bodies[:-1]
                                                                                  if robot.shapes_of(b["name"])])
        problem = abut.PlanProblem(scene.robot, scene)
        assert set(problem.pairs) == set(hand.pairs)
        rng = np.random.default_rng(8)
        for q in rng.uniform(-1, 1, (50, len(NAMES))):
            assert abs(problem.nearest(q)["distance"] - hand.nearest(q)["distance"]) < 1e-12
        with_points = abut.PlanProblem(scene.robot, scene, points=[[9.0, 0, 0]], point_radius=0.1)
        assert "points" in with_points.links and "points" not in abut.PlanProblem(scene.robot, scene).links
    with pytest.raises(abut.Error, match="robot of the planning scene"):
        abut.PlanProblem(ROBOT, scene)


def test_hostile_yaml(tmp_path):
    """Mutations of a message: read, or refused by name."""
    rng, path = random.Random(9), tmp_path / "h.yaml"
    read = 0
    for case in range(1500):
        text = list(yaml.dump(random_message(rng, case % 3)[0], default_flow_style=rng.choice([False, None])))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            rng.choice([lambda: text.__setitem__(at, rng.choice(" \t\n:-[]{},'\"#&*!|>%@?0e.\0\xff")), lambda: text.pop(at),
                        lambda: text.insert(at, rng.choice([" ", "\n", "- ", ": ", "  ", "---\n", "["]))])()
        path.write_text("".join(text), encoding="latin-1", errors="replace")
        try:
            trajectory = abut.Trajectory.read(path, ROBOT)
            assert np.isfinite(trajectory.coefficients).all()
            read += 1
        except abut.Error as error:
            assert "h.yaml" in str(error)
    assert 100 < read < 1400
