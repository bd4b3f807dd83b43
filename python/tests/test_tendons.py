# SPDX-License-Identifier: Apache-2.0
"""Tendons along paths beside MuJoCo: lengths, speeds and forces on equal states, motions; muscles that move a skeleton; refusals."""
import pathlib
import pickle

import numpy as np
import pytest

import abut

ARM = """<mujoco><compiler angle="radian"/><option timestep="0.0005" integrator="RK4"/><worldbody>
<site name="anchor" pos="0.1 0.05 1.3"/><geom name="post" type="cylinder" size="0.05 0.3" pos="0.15 0 1.1" euler="1.5 0.1 0" contype="0" conaffinity="0" group="3"/>
<body name="upper" pos="0 0 1"><joint name="a" axis="0 1 0" range="-2 2"/><joint name="b" axis="1 0 0" range="-1 1"/>
<inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><site name="u0" pos="0.1 0 0.06"/><site name="u1" pos="0.35 0.01 0.05"/>
<geom name="ball" type="sphere" size="0.04" pos="0.4 0 0" contype="0" conaffinity="0"/><site name="inner" pos="0.4 0 0.02"/><site name="outer" pos="0.4 0 0.3"/>
<geom name="roll" type="cylinder" size="0.03 0.1" pos="0.4 0 0" euler="1.5707963 0 0" contype="0" conaffinity="0"/>
<body name="lower" pos="0.4 0 0"><joint name="c" axis="0 1 0" range="-2 2" damping="0.1"/><inertial pos="0.2 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
<site name="l0" pos="0.1 0.02 0.03"/><site name="l1" pos="0.2 -0.02 -0.05"/></body></body>
<body name="load" pos="0.5 0.3 1.4"><freejoint/><inertial pos="0 0 0.01" mass="0.4" diaginertia="0.002 0.001 0.001"/><site name="hook" pos="0 0.02 0.03"/></body>
</worldbody><tendon>
<spatial name="straight"><site site="anchor"/><site site="u0"/><site site="l0"/></spatial>
<spatial name="sphere"><site site="u0"/><geom geom="ball"/><site site="l0"/></spatial>
<spatial name="sided"><site site="u1"/><geom geom="ball" sidesite="outer"/><site site="l1"/></spatial>
<spatial name="roll"><site site="u0"/><geom geom="roll"/><site site="l1"/></spatial>
<spatial name="roll_sided"><site site="u1"/><geom geom="roll" sidesite="outer"/><site site="l0"/></spatial>
<spatial name="post"><site site="anchor"/><geom geom="post"/><site site="u1"/><geom geom="ball"/><site site="l1"/></spatial>
<spatial name="inside"><site site="u1"/><geom geom="ball" sidesite="inner"/><site site="l1"/></spatial>
<spatial name="pulleys"><site site="anchor"/><site site="u0"/><pulley divisor="2"/><site site="u0"/><geom geom="roll"/><site site="l0"/>
<pulley divisor="3"/><site site="u0"/><site site="l1"/></spatial>
<spatial name="load"><site site="l1"/><site site="hook"/></spatial>
</tendon>ACTUATORSENSOR</mujoco>"""
NAMES = ["straight", "sphere", "sided", "roll", "roll_sided", "post", "inside", "pulleys", "load"]
SENSORS = "<sensor>" + "".join(f"<tendonpos tendon='{n}'/><tendonvel tendon='{n}'/>" for n in NAMES) + "</sensor>"
MOTORS = "<actuator>" + "".join(f"<motor tendon='{n}' gear='{k + 1}'/>" for k, n in enumerate(NAMES)) + "</actuator>"
JOINTS = "".join(f"<jointactuatorfrc joint='{j}'/>" for j in "abc") + "</sensor>"


def text(actuator=MOTORS, sensor=SENSORS):
    return ARM.replace("ACTUATOR", actuator).replace("SENSOR", sensor)


def read(source, folder, warns=True):
    (folder / "model.xml").write_text(source)
    if not warns:
        return abut.Model.read(folder / "model.xml")
    with pytest.warns(abut.Warning):  # the integrator
        return abut.Model.read(folder / "model.xml")


def simulation_of(model):
    scene = abut.Scene()
    scene.add_model(model)
    return abut.Simulation(scene, gravity=model.gravity)


def states(rng, m, count):
    for _ in range(count):
        q = np.concatenate([rng.uniform(-1.2, 1.2, 3), [0.5, 0.3, 1.4] + rng.normal(size=3) * 0.2, rng.normal(size=4)])
        q[6:] /= np.linalg.norm(q[6:])
        yield q, rng.normal(size=m.nv)


def test_lengths_speeds_and_forces(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    source = text(sensor=SENSORS.replace("</sensor>", JOINTS))
    m = mujoco.MjModel.from_xml_string(source)
    d, rng = mujoco.MjData(m), np.random.default_rng(4)
    simulation = simulation_of(read(source, tmp_path))
    wrapped = np.zeros(len(NAMES), int)
    inside = NAMES.index("inside")  # MuJoCo stops its search there at 1e-6
    for q, v in states(rng, m, 600):
        d.qpos[:], d.qvel[:], d.ctrl[:] = q, v, rng.normal(size=m.nu)
        mujoco.mj_forward(m, d)
        wrapped += d.ten_wrapnum > [3, 2, 2, 2, 2, 3, 2, 6, 2]
        simulation.scene.set_joints(q, v)
        simulation.set_controls(d.ctrl)
        mine = simulation.sensor_values()
        gap = np.abs(mine - d.sensordata)
        gap[2 * inside:2 * inside + 2] *= 1e-5  # of a point that MuJoCo finds to 1e-6
        gap[-3:] = np.maximum(gap[-3:] - 1e-5 * np.abs(d.ctrl[inside]) * (inside + 1), 0.0)
        assert gap.max() < 1e-9, (q, gap)
    assert (wrapped[1:8] > 40).all(), wrapped


@pytest.mark.parametrize("name", NAMES)
def test_motion_converges_to_mujoco(name, tmp_path):
    """A spring, a damper and a pull along each path: a quarter of a second beside MuJoCo's Runge-Kutta method at a fine step."""
    mujoco = pytest.importorskip("mujoco")
    source = text(f"<actuator><motor tendon='{name}'/></actuator>", "").replace(
        f'<spatial name="{name}"', f'<spatial name="{name}" stiffness="20" damping="0.5" springlength="0.1 0.15"')
    source = source.replace('range="-2 2"', "").replace('range="-1 1"', "")
    m = mujoco.MjModel.from_xml_string(source.replace("0.0005", "0.0001"))
    d = mujoco.MjData(m)
    d.ctrl[:] = -1.0
    start_q = np.concatenate([[0.5, 0.2, -0.9], d.qpos[3:]])
    d.qpos[:] = start_q
    mujoco.mj_step(m, d, 2500)
    gaps = []
    for dt in (2e-3, 1e-3, 5e-4):
        simulation = simulation_of(read(source, tmp_path))
        simulation.scene.set_joints(start_q, np.zeros(m.nv))
        simulation.set_controls([-1.0])
        simulation.step(round(0.25 / dt), dt)
        gaps.append(np.abs(simulation.scene.joints()[0] - d.qpos).max())
    assert gaps[0] < 2e-2 and gaps[2] < 0.4 * gaps[0], gaps
