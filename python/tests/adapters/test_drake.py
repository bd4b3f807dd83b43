# SPDX-License-Identifier: Apache-2.0
"""Trajectories of Drake: the same positions as in the plant, and clearances that Drake's own distances confirm at samples."""
import numpy as np
import pytest

pytest.importorskip("pydrake")
from pydrake.geometry import Box as DrakeBox
from pydrake.math import BsplineBasis, RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, MultibodyPlant
from pydrake.systems.framework import DiagramBuilder
from pydrake.trajectories import BezierCurve, BsplineTrajectory, CompositeTrajectory, PathParameterizedTrajectory, PiecewisePolynomial

import abut
import abut.drake

LINK = ('<link name="{n}"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial><collision>'
        '<origin xyz="{h} 0 0"/><geometry><box size="{l} 0.06 0.06"/></geometry></collision></link>')
JOINT = ('<joint name="{c}_joint" type="{t}"><parent link="{p}"/><child link="{c}"/><origin xyz="{x} 0 0" rpy="0.1 0 0"/><axis xyz="{a}"/>'
         '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>')
URDF = '<robot name="arm"><link name="base"/>' + "".join(
    LINK.format(n=n, h=0.15, l=0.24) + JOINT.format(c=n, p=p, x=x, a=a, t=t) for n, p, x, a, t in
    (("c", "base", 0.0, "0 0 1", "revolute"), ("a", "c", 0.3, "0 1 0", "revolute"), ("b", "a", 0.3, "1 0 0", "prismatic"))) + "</robot>"


@pytest.fixture
def arm(tmp_path):
    """A plant, its diagram, a problem of the same URDF, with a box in both."""
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlantSceneGraph(builder, 0.0)
    Parser(plant).AddModels(str(path))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform([0.5, 0.3, 0.1]), DrakeBox(0.2, 0.2, 0.4), "box", CoulombFriction(1.0, 1.0))
    plant.Finalize()
    diagram = builder.Build()
    around = abut.Model()
    around.add_shape(around.add_body("box", kind="static"), "box", size=[0.1, 0.1, 0.2], pose=[0.5, 0.3, 0.1, 1, 0, 0, 0])
    problem = abut.PlanProblem(abut.Robot(abut.Model.read(path)), around, only=[(n, "box") for n in "cab"])
    return plant, graph, diagram, problem


def motions(rng):
    """Trajectories of every kind, of three positions."""
    points = rng.uniform(-0.5, 0.5, (3, 5))
    yield PiecewisePolynomial.FirstOrderHold(np.arange(5.0), points)
    yield PiecewisePolynomial.CubicShapePreserving(np.arange(5.0), points, True)
    yield PiecewisePolynomial.CubicHermite(np.arange(5.0), points, rng.uniform(-0.5, 0.5, (3, 5)))
    for order in (2, 3, 4, 6):
        yield BsplineTrajectory(BsplineBasis(order, 8), [rng.uniform(-0.5, 0.5, (3, 1)) for _ in range(8)])
    curve = BezierCurve(0.5, 2.0, rng.uniform(-0.5, 0.5, (3, 5)))
    yield curve
    yield CompositeTrajectory([curve, PiecewisePolynomial.FirstOrderHold([2.0, 3.0], np.hstack([curve.value(2.0), points[:, :1]]))])


def test_positions_and_distances(arm):
    plant, graph, diagram, problem = arm
    rng, context = np.random.default_rng(3), diagram.CreateDefaultContext()
    own = plant.GetMyMutableContextFromRoot(context)
    kinds = {"clear": 0, "contact": 0}
    for _ in range(5):
        for motion in motions(rng):
            made = abut.drake.trajectory(plant, motion, problem.robot)
            names = [joint["name"] for joint in problem.robot.model.joints]
            rows = [plant.GetJointByName(name).position_start() for name in names]
            times = np.linspace(motion.start_time(), motion.end_time(), 101)
            values = np.array([motion.value(t).ravel() for t in times])
            assert np.allclose(made.at(times), values[:, rows], rtol=0, atol=1e-12)
            low, high, best = abut.drake.clearance(plant, motion, problem, tolerance=1e-4)
            seen = np.inf
            for value in values:
                plant.SetPositions(own, value)
                query = plant.get_geometry_query_input_port().Eval(own)
                box = plant.GetCollisionGeometriesForBody(plant.world_body())[0]
                for name in "cab":
                    (shape,) = plant.GetCollisionGeometriesForBody(plant.GetBodyByName(name))
                    seen = min(seen, query.ComputeSignedDistancePairClosestPoints(box, shape).distance)
            kinds[best.status] += 1
            if best.status == "clear":
                assert high - low <= 1e-4 and low <= seen + 1e-6 and seen < high + 0.02
                assert abut.drake.certify(plant, motion, problem, level=low)[0].status == "clear"
                assert abut.drake.certify(plant, motion, problem, level=high)[0].status == "contact"
            else:
                assert seen < 0.02 and high <= 0.0
    assert min(kinds.values()) > 2, kinds


def test_refused(arm, tmp_path):
    plant, _, _, problem = arm
    rng = np.random.default_rng(4)
    line = PiecewisePolynomial.FirstOrderHold([0.0, 1.0], rng.uniform(-1, 1, (3, 2)))
    with pytest.raises(abut.Error, match="expected 3 rows"):
        abut.drake.certify(plant, PiecewisePolynomial.FirstOrderHold([0.0, 1.0], np.zeros((2, 2))), problem)
    with pytest.raises(abut.Error, match="degree 5 at most, got degree 7"):
        abut.drake.certify(plant, BezierCurve(0, 1, np.zeros((3, 8))), problem)
    with pytest.raises(TypeError, match="expected a PiecewisePolynomial"):
        abut.drake.certify(plant, PathParameterizedTrajectory(line, PiecewisePolynomial.FirstOrderHold([0.0, 1.0], [[0.0, 1.0]])), problem)
    with pytest.raises(abut.Error, match="expected one column, got 3"):
        abut.drake.certify(plant, PiecewisePolynomial(np.zeros((3, 3))), problem)

    def other(text, weld=None):
        path = tmp_path / "other.urdf"
        path.write_text(text)
        made = MultibodyPlant(0.0)
        Parser(made).AddModels(str(path))
        made.WeldFrames(made.world_frame(), made.GetFrameByName("base"), weld or RigidTransform())
        made.Finalize()
        return made

    with pytest.raises(abut.Error, match="expected the same place in the plant and in abut, got 0.2 m apart"):
        abut.drake.certify(other(URDF, RigidTransform([0.0, 0.2, 0.0])), line, problem)
    with pytest.raises(abut.Error, match="link 'b': expected the same place"):
        abut.drake.certify(other(URDF.replace('child link="b"/><origin xyz="0.3', 'child link="b"/><origin xyz="0.31')), line, problem)
    with pytest.raises(abut.Error, match="got .arm_b2_joint_x."):
        abut.drake.certify(other(URDF.replace('"b_joint"', '"b2_joint"')), line, problem)
    assert abut.drake.certify(other(URDF.replace('"b_joint"', '"b2_joint"')),
                              PiecewisePolynomial.FirstOrderHold([0.0, 1.0], [[0.0, -0.3], [0.0, 0.1], [0.0, 0.0]]), problem)[0].status == "clear"
    with pytest.raises(abut.Error, match="got none with its names"):
        abut.drake.certify(other(URDF.replace("_joint", "_j")), line, problem)


def test_model_instances(arm, tmp_path):
    """Two arms in one plant: a name is found once with its instance, and its rows may be those of the instance alone."""
    _, _, _, problem = arm
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    parser.SetAutoRenaming(True)
    instances = [parser.AddModels(str(tmp_path / "arm.urdf"))[0] for _ in range(2)]
    for i, one in enumerate(instances):
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base", one), RigidTransform([0, -2.0 * i, 0]))
    plant.Finalize()
    line = PiecewisePolynomial.FirstOrderHold([0.0, 1.0], np.array([[0.0, 0.2]] * 3))
    both = PiecewisePolynomial.FirstOrderHold([0.0, 1.0], np.array([[0.0, 0.2]] * 6))
    alone = abut.drake.certify(plant, line, problem, model_instance=instances[0])[0]
    assert alone.status == "clear"
    with pytest.raises(abut.Error, match="got two: name a model_instance"):
        abut.drake.certify(plant, both, problem)
    with pytest.raises(abut.Error, match="expected the same place"):
        abut.drake.certify(plant, line, problem, model_instance=instances[1])
