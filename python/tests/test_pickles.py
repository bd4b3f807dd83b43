# SPDX-License-Identifier: Apache-2.0
"""An object of every public class, pickled, copied and deep-copied."""
import copy
import inspect
import pickle

import numpy as np
import pytest

import abut

BOX, TORUS = abut.box((0.5, 0.5, 0.5)), abut.Mesh.make("torus", 200)


@pytest.fixture(scope="module")
def objects():
    """One of every class, by name."""
    soft, robot, simulation, modes = abut.SoftBody(TORUS), abut.Robot("arm6"), abut.Simulation("stack:2"), abut.ModeSystem.named("box:1")
    problem, asked = abut.PlanProblem(robot), []
    plan = problem.solve(np.zeros(6), np.full(6, 0.1), attempts=1)
    cube = abut.Convolution(BOX.to_mesh(), BOX.to_mesh())
    simulation.set_contact_rule(lambda contact, *rest: asked.append(contact))
    report = simulation.step(5)
    simulation.set_contact_rule(None)
    away, come = (3, 0, 0), abut.Motion.translation((-3, 0, 0), (5, 0, 0))
    made = [
        BOX, TORUS, TORUS.decompose(0.5), abut.BodySet([BOX, (TORUS, away)]), abut.distance(BOX, BOX, away), abut.distance(TORUS, BOX, away),
        abut.depth(TORUS, TORUS, (0.1, 0, 0)), abut.collide(TORUS, BOX), *abut.derivative(BOX, BOX, None, away), abut.intersect(BOX, BOX),
        abut.overlap(BOX, BOX), abut.cast_ray(BOX, (-3, 0, 0), (5, 0, 0)), abut.nearest_point(BOX, away), TORUS.report(),
        come, abut.Curve.spline(3, np.arange(10.0), np.arange(6.0)), abut.RobotMotion.through(robot.model, [0, 1], np.zeros((2, 6))),
        abut.time_of_impact(BOX, BOX, None, come), abut.clearance(BOX, BOX, None, away), abut.contact_time(BOX, BOX, None, away),
        modes, modes.count(), modes.forces("0" * 12, np.zeros(6))[0], abut.mode_view(modes, limit=3), robot.model, simulation.scene, simulation,
        report, asked[-1], simulation.run(0.01), robot, robot.ik("tool", (0.3, 0.2, 0.5)), problem, problem.options, plan, plan.trajectory, plan.certificate,
        plan.effort, abut.Controls([0], [[0.0, 1.0], [1.0, 2.0]]), soft, abut.soft_direction(soft, soft, away),
        abut.pressure_force(soft, soft, (0.1, 0, 0), pressure=1e3, reach=0.1)[0], cube, cube.measure(), cube.kernel_direction(0.1, 0.1, (1.2, 0, 0)),
        abut.Phong(TORUS, TORUS), abut.Phong(TORUS, TORUS).distance(away), abut.pair(BOX, TORUS, away), abut.Error("a.obj:3: bad", "format"),
        abut.Batch("stack:2", 3, watch=["box0"]), abut.Roadmap(problem, 50), simulation.jacobian(),
        abut.rollout_grad(simulation, np.zeros((1, 0)), lambda k, s: None),
        abut.ros.planning_scene({"world": {"collision_objects": [{"id": "ball", "primitives": [{"type": 2, "dimensions": [1.0]}]}]}}, robot.model),
    ]
    return {type(x).__name__: x for x in made}


#: Classes that name the rows of an array, and are met nowhere else.
ROWS = {"ClearanceMinimum", "ClearanceSample", "Event", "Facet", "MeshNearest", "PairCertificate", "PlanSample", "SceneDistance"}
CLASSES = sorted(name for name, x in vars(abut).items() if inspect.isclass(x) and not name.startswith("_"))


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in ROWS | {"Warning"}])
def test_objects_are_pickled_and_copied(objects, name):
    x = objects[name]
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert type(again) is type(x) and repr(again) == repr(x)


def test_every_class_is_there(objects):
    assert sorted({*objects, *ROWS, "Warning"}) == CLASSES
    assert ROWS <= set(abut.DTYPES)
