# SPDX-License-Identifier: Apache-2.0
"""Derivatives of steps and rollouts against differences, and what is refused."""
import numpy as np
import pytest

import abut

EXACT = {"tolerance": 1e-14, "iterations": 5000, "rolling": 0.0, "sleeping": False}


def arm(seed=1):
    simulation = abut.Simulation("arm6", **EXACT)
    simulation.set_controls(0.1 * np.arange(6))
    simulation.step(5)
    return simulation


def test_controls_against_differences():
    simulation = arm()
    start, u = simulation.save(), simulation.controls()
    j = simulation.jacobian()
    assert j.n == 6 and j.by_state.shape == (12, 12) and j.by_input.shape == (12, 6) and j.by_parameter.shape == (12, 0)
    assert j.smooth and j.why == "none" and j.controls == 6 and j.contact == -1 and j.unique
    for k in range(6):
        ends = []
        for by in (-1e-3, 1e-3):
            simulation.restore(start)
            simulation.set_controls(u + by * np.eye(6)[k])
            simulation.step()
            ends.append(np.concatenate(simulation.scene.joints()))
        assert np.allclose((ends[1] - ends[0]) / 2e-3, j.by_input[:, k], atol=1e-8 * np.abs(j.by_input).max())


def test_a_step_with_derivative_is_a_step():
    a, b = (abut.Simulation("gripper") for _ in range(2))
    for _ in range(20):
        a.step()
        b.jacobian(forces=True, parameters=[("gravity", 2)])
    assert a.hash == b.hash


def test_parameters_of_a_robot():
    simulation = arm()
    start = simulation.save()
    j = simulation.jacobian(parameters=[("gravity", 2), ("gravity", 0)])
    ends = []
    for by in (-1e-3, 1e-3):
        simulation.restore(start)
        simulation.set_gravity((0, 0, -9.80665 + by))
        simulation.step()
        ends.append(np.concatenate(simulation.scene.joints()))
    assert np.allclose((ends[1] - ends[0]) / 2e-3, j.by_parameter[:, 0], atol=1e-8)


@pytest.mark.parametrize("every", [None, 1, 3, 100])
def test_rollout(every):
    goal = np.array([0.3, -0.2, 0.1, 0, 0.2, 0])

    def cost(k, simulation):
        if k < 9:
            return None
        miss = simulation.scene.joints()[0] - goal
        return 0.5 * miss @ miss, np.concatenate([miss, np.zeros(6)])

    simulation = arm()
    start, controls = simulation.save(), 0.1 * np.sin(np.arange(60.0)).reshape(10, 6)
    out = abut.rollout_grad(simulation, controls, cost, every=every)
    end = simulation.hash
    assert out.inputs.shape == (10, 6) and out.start.shape == (12,) and out.smooth == 10
    for k, i in ((0, 0), (4, 3), (9, 5), (7, 1)):
        costs = []
        for by in (-1e-2, 1e-2):
            simulation.restore(start)
            other = controls.copy()
            other[k, i] += by
            costs.append(abut.rollout_grad(simulation, other, cost).cost)
        assert (costs[1] - costs[0]) / 2e-2 == pytest.approx(out.inputs[k, i], rel=1e-5, abs=1e-9 * np.abs(out.inputs).max())
    simulation.restore(start)
    for row in controls:
        simulation.set_controls(row)
        simulation.step()
    assert simulation.hash == end


def pushed(friction, mass, push, steps=40):
    """A ball on a floor, pushed sideways below its center: it slides."""
    model = abut.Model()
    floor = model.add_body("floor", "static")
    model.add_shape(floor, "half_space", friction=friction)
    ball = model.add_body("ball", pose=(0, 0, 0.1), mass=mass, inertia=np.diag([0.004, 0.004, 0.004]) * mass, velocity=(1.0, 0, 0))
    model.add_shape(ball, "sphere", 0.1, friction=friction)
    return abut.Simulation(model, **EXACT), np.tile([push, 0, 0, 0, 0, 0], (steps, 1))


def test_friction_and_mass_from_a_trajectory():
    """Gauss-Newton by the derivatives finds friction and mass of a pushed ball."""
    def trajectory(friction, mass, gradient=False):
        simulation, rows = pushed(friction, mass, 2.0)
        places, slopes, total = [], [], np.zeros((12, 2))
        for row in rows:
            simulation.set_force("ball", row[:3], row[3:])
            if gradient:
                j = simulation.jacobian(forces=True, parameters=[("friction", "ball"), ("mass", "ball")])
                total = j.by_state @ total + j.by_parameter
                slopes.append(total[[6, 10]])
            else:
                simulation.step()
            places.append(simulation.velocities[1][[0, 4]])
        return np.concatenate(places), np.concatenate(slopes) if gradient else None

    wanted, guess = trajectory(0.3, 2.0)[0], np.array([0.45, 1.4])
    for _ in range(8):
        now, slope = trajectory(*guess, gradient=True)
        guess = guess - np.linalg.lstsq(slope, now - wanted, rcond=None)[0]
    assert np.allclose(guess, (0.3, 2.0), rtol=1e-2)


def test_smoothing_sees_a_contact_before_it_is_there():
    model = abut.Model()
    floor = model.add_body("floor", "static")
    model.add_shape(floor, "half_space")
    ball = model.add_body("ball", pose=(0, 0, 0.1 + 1e-5))
    model.add_shape(ball, "sphere", 0.1)
    slopes = []
    for smoothing in (0.0, 1e-2):
        simulation = abut.Simulation(model, **EXACT)
        simulation.step()
        slopes.append(simulation.jacobian(smoothing=smoothing).by_state[8, 8])
    assert slopes[0] == pytest.approx(1.0) or slopes[0] == pytest.approx(0.0, abs=1e-5)
    assert 0.0 < slopes[1] < 1.0


@pytest.mark.parametrize("parameters, text", [
    (["color"], "parameters: expected one of gravity, mass"),
    ([("mass",)], "expected ('mass', body"),
    ([("mass", "floor")], "expected a free dynamic body, got body 'floor'"),
    ([("center", "ball", 3)], "axis below 3"),
    ([("gain", 0)], "robot"),
])
def test_bad_parameters(parameters, text):
    simulation, _ = pushed(0.3, 2.0, 1.0)
    with pytest.raises(abut.Error, match=text.replace("(", "\\(")):
        simulation.jacobian(parameters=parameters)


def test_bad_rollouts():
    simulation = arm()
    with pytest.raises(abut.Error, match="inputs"):
        abut.rollout_grad(simulation, np.zeros((3, 5)), lambda k, s: None)
    with pytest.raises(abut.Error, match="every"):
        abut.rollout_grad(simulation, np.zeros((3, 6)), lambda k, s: None, every=0)
    with pytest.raises(abut.Error, match="cost"):
        abut.rollout_grad(simulation, np.zeros((3, 6)), lambda k, s: (0.0, np.zeros(3)))
    with pytest.raises(abut.Error, match="smoothing"):
        simulation.jacobian(smoothing=-1.0)
