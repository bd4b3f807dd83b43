# SPDX-License-Identifier: Apache-2.0
"""A plan of MoveIt, proved: a trajectory and a planning scene as `ros2 topic echo` prints them, and a bag of plans."""
import pathlib
import tempfile

import abut

SCENE = """
robot_state:
  joint_state:
    header: {frame_id: world}
    name: [shoulder, upper, fore]
    position: [0.0, 0.3, 0.6]
world:
  collision_objects:
  - header: {frame_id: world}
    id: post
    primitives:
    - type: 3                       # a cylinder: height, radius
      dimensions: [2.0, 0.03]
    primitive_poses:
    - position: {x: 0.3, y: 0.4, z: 0.0}
"""
PLAN = """
joint_names: [shoulder]
points:
- positions: [0.0]
  time_from_start: {sec: 0, nanosec: 0}
- positions: [1.5]
  time_from_start: {sec: 1, nanosec: 500000000}
"""

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder)
    (path / "scene.yaml").write_text(SCENE)
    (path / "plan.yaml").write_text(PLAN)
    model = abut.Model.build("arm6")
    scene = abut.PlanningScene.read(path / "scene.yaml", model)
    problem = abut.PlanProblem(scene.robot, scene)
    certificate, _ = problem.certify(abut.Trajectory.read(path / "plan.yaml", scene.robot))
    print(f"{scene}: {certificate.status}, {problem.pairs[certificate.pair]} come to {certificate.ub:.3f} m at {certificate.t:.2f} s")

    try:  # the same message in a bag
        from mcap.writer import Writer
    except ImportError:
        print("no package mcap: no bag")
    else:
        with open(path / "drive.mcap", "wb") as file:
            bag = Writer(file)
            bag.start()
            schema = bag.register_schema("trajectory_msgs/JointTrajectory", "jsonschema", b"{}")
            channel = bag.register_channel("/plan", "json", schema)
            bag.add_message(channel, 0, b'{"joint_names": ["shoulder"], "points": [{"positions": [0]}, {"positions": [0.2], '
                                        b'"time_from_start": {"sec": 1}}]}', 0)
            bag.finish()
        for found in abut.ros.read_trajectories(path / "drive.mcap", scene.robot):
            print(found.topic, found.time, problem.certify(found.trajectory)[0].status)
