# SPDX-License-Identifier: Apache-2.0
"""A spline of Drake, proved: a B-spline over a plant, with the least distance to a post at all times."""
import pathlib
import tempfile

import numpy as np
import pydrake.trajectories
from pydrake.math import BsplineBasis
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

import abut
import abut.drake

LINK = ('<link name="{0}"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial><collision>'
        '<origin xyz="0.15 0 0"/><geometry><box size="0.26 0.06 0.06"/></geometry></collision></link>'
        '<joint name="{0}_joint" type="revolute"><parent link="{1}"/><child link="{0}"/><origin xyz="{2} 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>')
URDF = '<robot name="arm"><link name="base"/>' + LINK.format("upper", "base", 0.0) + LINK.format("lower", "upper", 0.3) + "</robot>"

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "arm.urdf"
    path.write_text(URDF)
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.Finalize()
    post = abut.Model()
    post.add_shape(post.add_body("post", kind="static"), "cylinder", size=[0.03, 0.03, 1.0], pose=[0.45, 0.25, 0, 1, 0, 0, 0])
    problem = abut.PlanProblem(abut.Robot(path), post)

for bend in (0.5, 2.8):
    points = [np.array([[angle], [bend * shape]]) for angle, shape in zip(np.linspace(-0.5, 1.2, 6), (0, 1, 1, 1, 1, 0))]
    spline = pydrake.trajectories.BsplineTrajectory(BsplineBasis(4, len(points)), points)
    low, high, certificate = abut.drake.clearance(plant, spline, problem)
    print(f"bend {bend}: {certificate.status}, least distance {low:.4f} to {high:.4f} m, at {certificate.t:.3f} s")
