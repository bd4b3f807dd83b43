# SPDX-License-Identifier: Apache-2.0
"""Actuators with activations, dampers, cylinders, muscles, adhesion and gravity compensation beside MuJoCo, without contacts
where motions are compared; needs the package mujoco, else skipped."""
import numpy as np
import pytest

import abut

mujoco = pytest.importorskip("mujoco")

ARM = """<worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0' range='-2 2'/><inertial pos='0.2 0 0' mass='1' diaginertia='0.01 0.02 0.02'/>
<body name='b' pos='0.4 0 0'><joint name='b' axis='0 1 0' range='-2 2' damping='0.1'/><inertial pos='0.2 0 0' mass='0.5' diaginertia='0.01 0.01 0.01'/>
<site name='s' pos='0.1 0 0'/><body name='c' pos='0.4 0 0'><joint name='c' type='slide' axis='1 0 0' range='-0.5 0.5' damping='1'/>
<inertial pos='0 0 0' mass='0.3' diaginertia='0.001 0.001 0.001'/></body></body></body></worldbody>
<tendon><fixed name='t'><joint joint='a' coef='0.3'/><joint joint='b' coef='-0.2'/></fixed></tendon>"""
FREE_ARM = ARM.replace(" range='-2 2'", "").replace(" range='-0.5 0.5'", "")
ACTUATORS = """<actuator>
<general name='integrator' joint='a' dyntype='integrator' gainprm='2' biastype='affine' biasprm='0.1 -2 -0.1' actlimited='true' actrange='-0.05 0.06'/>
<general name='filter' joint='b' dyntype='filter' dynprm='0.07' gainprm='1.5'/>
<general name='exact' joint='c' dyntype='filterexact' dynprm='0.03' gainprm='3' actearly='true' ctrlrange='-0.4 0.4'/>
<position name='lagged' joint='b' kp='3' kv='0.2' timeconst='0.05'/><intvelocity name='iv' joint='a' kp='4' kv='0.3' actrange='-0.5 0.5'/>
<damper name='damper' joint='c' kv='5' ctrlrange='0 1'/><cylinder name='cylinder' joint='b' timeconst='0.2' diameter='0.5' bias='0.1 -0.2 -0.3'/>
<damper name='soft' tendon='t' kv='2' ctrlrange='0 1'/><general name='affine' joint='a' gaintype='affine' gainprm='0.5 0.4 -0.3'/>
<muscle name='muscle' joint='b' lengthrange='-2 2' ctrlrange='0 1' force='30'/>
<muscle name='smooth' tendon='t' lengthrange='-0.9 1.1' tausmooth='0.3' timeconst='0.02 0.06' range='0.8 1.1' lmin='0.6' vmax='2' fpmax='1' fvmax='1.4' scale='20'/>
<velocity name='v' joint='c' kv='2'/></actuator>"""
SENSORS = "<sensor>" + "".join(f"<actuatorfrc actuator='{name}'/>" for name in (
    "integrator", "filter", "exact", "lagged", "iv", "damper", "cylinder", "soft", "affine", "muscle", "smooth", "v")) + "</sensor>"


def text(actuators=ACTUATORS, sensors=SENSORS, dt=1e-3, more="", arm=ARM):
    return (f"<mujoco><compiler angle='radian'/><option timestep='{dt}' integrator='RK4'/><default>{more}</default>"
            f"{arm}{actuators}{sensors}</mujoco>")


def model_of(source, folder):
    (folder / "model.xml").write_text(source)
    with pytest.warns(abut.Warning):  # the integrator
        return abut.Model.read(str(folder / "model.xml"))


def simulation_of(model):
    scene = abut.Scene()
    scene.add_model(model)
    return abut.Simulation(scene, gravity=model.gravity)


def test_forces_on_equal_states(tmp_path):
    m = mujoco.MjModel.from_xml_string(text())
    d, rng = mujoco.MjData(m), np.random.default_rng(3)
    simulation = simulation_of(model_of(text(), tmp_path))
    for _ in range(300):
        q, v = rng.uniform(-0.4, 0.4, m.nq), rng.normal(size=m.nv)
        act, u = rng.uniform(-0.05, 1.05, m.na), rng.uniform(-0.2, 1.2, m.nu)
        d.qpos[:], d.qvel[:], d.act[:], d.ctrl[:] = q, v, act, u
        mujoco.mj_forward(m, d)
        simulation.scene.set_joints(q, v)
        simulation.set_activations(act)
        simulation.set_controls(u)
        np.testing.assert_array_equal(simulation.activations(), act)
        mine = np.array([simulation.sensors()[f"actuatorfrc{i}"][0] for i in range(m.nu)])
        early = [i for i in range(m.nu) if m.actuator_actearly[i]]
        keep = [i for i in range(m.nu) if i not in early]  # the time of a step is known in a step alone
        np.testing.assert_allclose(mine[keep], d.actuator_force[keep], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("only", ["filter", "exact", "lagged", "iv", "damper", "cylinder", "soft", "muscle", "smooth", "integrator"])
def test_motion_converges_to_mujoco(only, tmp_path):
    """Half a second beside MuJoCo's Runge-Kutta method at a fine step: the difference goes with the step."""
    lines = [line for line in ACTUATORS.replace("/><", "/>\n<").splitlines() if f"name='{only}'" in line]
    source = text("<actuator>" + "".join(lines) + "</actuator>", "", 1e-4, arm=FREE_ARM)
    m = mujoco.MjModel.from_xml_string(source)
    d = mujoco.MjData(m)
    d.ctrl[:] = 0.7
    d.qvel[:] = 0.5, -0.3, 0.2
    mujoco.mj_step(m, d, 5000)
    gaps = []
    for dt in (2e-3, 1e-3, 5e-4):
        simulation = simulation_of(model_of(source, tmp_path))
        simulation.scene.set_joints(np.zeros(3), [0.5, -0.3, 0.2])
        simulation.set_controls([0.7])
        simulation.step(round(0.5 / dt), dt)
        gaps.append(np.abs(simulation.scene.joints()[0] - d.qpos).max())
    assert gaps[0] < 2e-2 and gaps[2] < 0.35 * gaps[0], gaps


def test_activations_step_as_mujoco(tmp_path):
    m = mujoco.MjModel.from_xml_string(text().replace("RK4", "Euler"))
    d, rng = mujoco.MjData(m), np.random.default_rng(5)
    simulation = simulation_of(model_of(text(), tmp_path))
    for _ in range(400):
        u = rng.uniform(-0.5, 1.5, m.nu)
        d.ctrl[:] = u
        simulation.set_controls(u)
        d.qpos[:], d.qvel[:] = 0.0, 0.0
        mujoco.mj_step(m, d)
        simulation.step(1, 1e-3)
        np.testing.assert_allclose(simulation.activations(), d.act, rtol=0, atol=1e-12)


def test_states_hold_activations(tmp_path):
    simulation = simulation_of(model_of(text(), tmp_path))
    simulation.set_controls(np.full(12, 0.5))
    simulation.step(50, 1e-3)
    saved, before, mark = simulation.save(), simulation.activations(), simulation.hash
    simulation.step(20, 1e-3)
    after = simulation.activations(), simulation.hash
    assert not np.array_equal(after[0], before)
    simulation.restore(saved)
    assert np.array_equal(simulation.activations(), before) and simulation.hash == mark
    simulation.step(20, 1e-3)
    assert np.array_equal(simulation.activations(), after[0]) and simulation.hash == after[1]
    simulation.restore(saved)
    simulation.set_activations(before * 0.5)
    assert simulation.hash != mark
    with pytest.raises(abut.Error, match="activations: expected"):
        simulation.set_activations([1.0])
    with pytest.raises(abut.Error):
        simulation.set_activations(np.full(len(before), np.nan))


def test_keyframe_and_log(tmp_path):
    source = text().replace("</mujoco>", "<keyframe><key name='k' act='0.01 0.2 0.3 0.4 0.5 0.6 0.7 0.8'/></keyframe></mujoco>")
    simulation = simulation_of(model_of(source, tmp_path))
    simulation.set_keyframe("k")
    np.testing.assert_array_equal(simulation.activations(), mujoco.MjModel.from_xml_string(source).key_act[0])
    run = simulation.run(0.02, 1e-3)
    run.write(str(tmp_path / "run.npz"))
    log = np.load(tmp_path / "run.npz")
    assert log["activation"].shape == (21, 8) and log["sensor"].shape == (21, 12)
    assert bytes(log["activation_names"]).decode().split()[0] == "integrator.act"
    np.testing.assert_array_equal(log["activation"][-1], simulation.activations())
    np.testing.assert_array_equal(log["sensor"][-1], simulation.sensor_values())
    bad = source.replace("act='0.01 ", "act='")
    with pytest.raises(abut.Error, match="expected 8 activations, got 7"):
        model_of(bad, tmp_path)


def test_length_range_and_peak_force(tmp_path):
    """Found without a range of its own: MuJoCo finds it by pulling, and ends a little beyond the limits."""
    muscles = "<actuator><muscle name='j' joint='b' ctrlrange='0 1'/><muscle name='t' tendon='t' ctrlrange='0 1'/></actuator>"
    m = mujoco.MjModel.from_xml_string(text(muscles, ""))
    model = model_of(text(muscles, ""), tmp_path)
    for i, actuator in enumerate(model.actuators):
        np.testing.assert_allclose(actuator["length_range"], m.actuator_lengthrange[i], atol=0.06)
        np.testing.assert_allclose(actuator["response"], m.actuator_acc0[i], rtol=1e-10)
    np.testing.assert_allclose(model.actuators[0]["length_range"], [-2, 2], atol=1e-9)
    np.testing.assert_allclose(model.actuators[1]["length_range"], [-1, 1], atol=1e-9)
    with pytest.raises(abut.Error, match="expected a length range, or limits of joint 'b'"):
        model_of(text(muscles, "").replace("name='b' axis='0 1 0' range='-2 2'", "name='b' axis='0 1 0'"), tmp_path)


def test_gravity_compensation_by_actuators(tmp_path):
    arm = ARM.replace("<body name='b'", "<body name='b' gravcomp='1'").replace("name='b' axis='0 1 0' range='-2 2'", "name='b' axis='0 1 0' actuatorgravcomp='true' actuatorfrcrange='-0.5 0.5'")
    motor = "<actuator><motor joint='c'/></actuator>"  # without any, MuJoCo leaves this compensation out
    source = text(motor, "<sensor><jointactuatorfrc joint='b'/></sensor>", arm=arm)
    m = mujoco.MjModel.from_xml_string(source.replace("RK4", "Euler"))
    d = mujoco.MjData(m)
    simulation = simulation_of(model_of(source, tmp_path))
    mujoco.mj_forward(m, d)
    simulation.step(1, 1e-6)
    _, v = simulation.scene.joints()
    np.testing.assert_allclose(v / 1e-6, d.qacc, rtol=1e-4, atol=1e-6)
    assert simulation.sensors()["jointactuatorfrc0"][0] == pytest.approx(d.sensordata[0], abs=1e-6)  # limited


def test_adhesion(tmp_path):
    """A box under a ceiling: it stays if it is pulled with more than its weight, and presses on a floor with both."""
    def fall(control, z, plane):
        source = (f"<mujoco><worldbody><geom type='box' size='1 1 0.1' pos='0 0 {plane}'/><body name='box' pos='0 0 {z}'><freejoint/>"
                  "<geom type='box' size='0.1 0.1 0.1' mass='2'/><site name='all' type='sphere' size='1'/></body></worldbody>"
                  "<actuator><adhesion name='a' body='box' gain='10' ctrlrange='0 5'/></actuator>"
                  "<sensor><touch site='all'/><actuatorfrc actuator='a'/></sensor></mujoco>")
        (tmp_path / "box.xml").write_text(source)
        simulation = simulation_of(abut.Model.read(str(tmp_path / "box.xml")))
        simulation.set_controls([control])
        simulation.step(500, 2e-3)
        return simulation.scene["box"]["pose"][2], simulation.sensors()["touch0"][0]
    weight = 2 * 9.81
    height, load = fall(2.5, 0.2, 0.0)
    assert abs(height - 0.2) < 1e-3 and load == pytest.approx(weight + 25, rel=1e-3)
    height, load = fall(2.5, 1.0, 1.2)
    assert abs(height - 1.0) < 1e-3 and load == pytest.approx(25 - weight, rel=1e-2)
    assert fall(1.5, 1.0, 1.2)[0] < -1.0
