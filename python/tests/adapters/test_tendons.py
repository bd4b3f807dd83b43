# SPDX-License-Identifier: Apache-2.0
"""Tendons along paths beside MuJoCo: lengths, speeds and forces on equal states, motions; muscles that move a skeleton; refusals."""
import contextlib
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


SKELETON = """<mujoco model="arm"><compiler angle="radian"/><option timestep="0.002"/><default><muscle ctrllimited="true" ctrlrange="0 1"/></default><worldbody>
<body name="upper" pos="0 0 1.4"><joint name="shoulder" axis="0 1 0" range="-1.6 1.6" damping="0.05"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02"/>
<site name="s0" pos="0.03 0 -0.12"/><site name="s1" pos="-0.03 0 -0.12"/><site name="s2" pos="0.03 0 -0.05"/><site name="s3" pos="-0.03 0 -0.05"/>
<geom name="elbow" type="cylinder" size="0.03 0.05" pos="0 0 -0.3" euler="1.5707963 0 0" contype="0" conaffinity="0"/>
<site name="behind" pos="-0.1 0 -0.3"/>
<body name="fore" pos="0 0 -0.3"><joint name="elbow" axis="0 -1 0" range="0.05 2.2" damping="0.05"/><geom type="capsule" fromto="0 0 0 0 0 -0.25" size="0.015"/>
<site name="f0" pos="0.02 0 -0.06"/><site name="f1" pos="-0.02 0 -0.06"/></body></body>
<geom name="shoulder" type="sphere" size="0.04" pos="0 0 1.4" contype="0" conaffinity="0"/><site name="chest" pos="0.12 0 1.45"/><site name="back" pos="-0.12 0 1.45"/>
</worldbody><tendon><spatial name="biceps"><site site="s0"/><site site="f0"/></spatial>
<spatial name="triceps"><site site="s1"/><geom geom="elbow" sidesite="behind"/><site site="f1"/></spatial>
<spatial name="deltoid"><site site="chest"/><geom geom="shoulder"/><site site="s2"/></spatial>
<spatial name="lat"><site site="back"/><geom geom="shoulder"/><site site="s3"/></spatial>
<spatial name="long"><site site="chest"/><site site="s2"/><pulley divisor="2"/><site site="s2"/><site site="f0"/></spatial></tendon>
<actuator><muscle name="biceps" tendon="biceps"LENGTHS0/><muscle name="triceps" tendon="triceps"LENGTHS1/><muscle name="deltoid" tendon="deltoid" force="120"LENGTHS2/>
<muscle name="lat" tendon="lat"LENGTHS3/><muscle name="long" tendon="long"LENGTHS4/></actuator></mujoco>"""


def skeleton(lengths=None):
    source = SKELETON
    for k in range(5):
        source = source.replace(f"LENGTHS{k}", "" if lengths is None or lengths[k] is None else f' lengthrange="{lengths[k][0]!r} {lengths[k][1]!r}"')
    return source


def test_muscles_move_a_skeleton_as_in_mujoco(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    mine = read(skeleton(), tmp_path, warns=False)
    ranges = [a["length_range"].tolist() for a in mine.actuators]
    m = mujoco.MjModel.from_xml_string(skeleton(ranges).replace('timestep="0.002"', 'timestep="0.0001" integrator="RK4"'))
    for k in (0, 2):  # MuJoCo finds them by simulation, beyond its soft limits
        found = mujoco.MjModel.from_xml_string(skeleton([r if i != k else None for i, r in enumerate(ranges)])).actuator_lengthrange[k]
        np.testing.assert_allclose(ranges[k], found, atol=0.1 * np.ptp(found))
    np.testing.assert_allclose([a["response"] for a in mine.actuators], m.actuator_acc0, rtol=1e-9)
    d = mujoco.MjData(m)
    pulls = np.array([0.6, 0.1, 0.5, 0.05, 0.2])
    d.ctrl[:], d.qpos[:] = pulls, (0.2, 0.6)
    mujoco.mj_step(m, d, 2000)
    gaps = []
    for dt in (2e-3, 1e-3, 5e-4):
        simulation = simulation_of(mine)
        simulation.scene.set_joints([0.2, 0.6], [0.0, 0.0])
        simulation.set_controls(pulls)
        simulation.step(round(0.2 / dt), dt)
        gaps.append(np.abs(simulation.scene.joints()[0] - d.qpos).max())
        assert abs(simulation.scene.joints()[0][1] - 0.6) > 0.1  # the biceps bends the arm
    assert gaps[1] < 3e-3 and gaps[2] < 0.6 * gaps[1], gaps


def test_a_batch_of_skeletons(tmp_path):
    model, rng = read(skeleton(), tmp_path, warns=False), np.random.default_rng(2)
    batch, single = abut.Batch(model, 4, 2), [simulation_of(model) for _ in range(4)]
    for _ in range(30):
        batch.ctrl = rng.uniform(0.0, 1.0, batch.ctrl.shape)
        batch.step(5)
        for world, one in enumerate(single):
            one.set_controls(batch.ctrl[world])
            one.step(5, batch.timestep)
            assert batch.hash(world) == one.hash and batch.act[world].tobytes() == one.activations().tobytes()
    assert (batch.status == 0).all() and np.ptp(batch.qpos, axis=0).max() > 0.01


def test_limits_friction_and_rest(tmp_path):
    """A weight on a rope: the rope holds it at its length; a spring at its stretch; friction holds what is lighter than it."""
    source = """<mujoco><worldbody><site name="top" pos="0 0 2"/><body name="weight" pos="0 0 1.2"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.01 0.01 0.01"/>
    <site name="eye" pos="0 0 0.1"/></body></worldbody><tendon><spatial KIND><site site="top"/><site site="eye"/></spatial></tendon></mujoco>"""
    g, ends = 9.81, {}
    for kind in ('range="0 0.9"', 'stiffness="200" damping="20"', 'frictionloss="30"', 'range="0.8 2"'):
        simulation = simulation_of(read(source.replace("KIND", kind), tmp_path, warns=False))
        simulation.step(3000, 1e-3)
        ends[kind[:6]] = simulation.scene.joints()[0][2]
        if kind == 'range="0 0.9"':
            assert ends["range="] == pytest.approx(1.0, abs=1e-3)
    assert ends["stiffn"] == pytest.approx(1.2 - 2.0 * g / 200.0, abs=1e-4)  # it rests at the length of the file
    assert ends["fricti"] == pytest.approx(1.2, abs=1e-6)
    assert ends["range="] == pytest.approx(-0.1, abs=1e-3)  # falls as far as the rope is long


@pytest.mark.parametrize("held", ['<tendon><spatial range="0 .751"><site site="hook"/><site site="eye"/></spatial></tendon>',
                                  '<equality><connect body1="hook" body2="box" anchor="0 0 -.75"/></equality>'])
def test_a_moving_hook_wakes_what_hangs_on_it(held, tmp_path):
    model = read(f"""<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body name="hook" mocap="true" pos="0 0 .8"><site name="hook"/></body>
    <body name="box" pos="0 0 .05"><freejoint/><geom type="box" size=".05 .05 .05"/><site name="eye"/></body></worldbody>{held}</mujoco>""", tmp_path, warns=False)
    scene = abut.Scene()
    bodies = scene.add_model(model)
    simulation = abut.Simulation(scene, gravity=model.gravity, sleeping=True)
    simulation.step(3000, 1e-3)
    box = model.find("body", "box")
    assert simulation.asleep[box]
    scene.set_velocity(bodies[model.find("body", "hook")], (0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    simulation.step(500, 1e-3)
    assert scene.joints()[0][2] > 0.25 and not simulation.asleep[box]


def test_models_keep_paths(tmp_path):
    model = read(text(sensor=""), tmp_path)
    again = pickle.loads(pickle.dumps(model))
    assert repr(again.tendons) == repr(model.tendons) and len(model.tendons[5]["path"]) == 5
    rng = np.random.default_rng(1)
    q = np.concatenate([rng.uniform(-1.0, 1.0, 3), [0.5, 0.3, 1.4, 0.5, 0.5, 0.5, 0.5]])
    written = read(model.to_mjcf(), tmp_path, warns=False)
    models = [model, again, written]
    with contextlib.suppress(ImportError):
        import mujoco
        models.append(abut.Model.from_mujoco(mujoco.MjModel.from_xml_string(text(sensor="").replace(' integrator="RK4"', ""))))
    lengths = []
    for one in models:
        one.add_sensor("tendonpos", number=7)
        one.add_sensor("tendonpos", number=2)
        robot = abut.Robot(one)
        robot.set(q)
        lengths.append(np.concatenate(list(robot.sensors().values()))[-2:])
    for length in lengths[1:]:
        assert length == pytest.approx(lengths[0], abs=1e-12)


SITE, BALL, PULLEY = {"body": -1}, {"kind": "sphere", "body": -1, "radius": 0.1}, {"kind": "pulley", "divisor": 2.0}


@pytest.mark.parametrize("path, message", [
    ([], "expected at least one joint, or a path"),
    ([SITE], r"path\[0\]: expected two sites or more in each branch"),
    ([SITE, SITE, PULLEY, SITE], r"path\[3\]: expected two sites or more in each branch"),
    ([SITE, SITE, PULLEY], r"path\[2\]: expected two sites or more in each branch"),
    ([BALL, SITE], r"path\[0\]: expected a sphere or cylinder between two sites"),
    ([SITE, BALL, BALL, SITE], r"path\[1\]: expected a sphere or cylinder between two sites"),
    ([SITE, {**BALL, "radius": 0.0}, SITE], r"path\[1\]: expected a radius above 0"),
    ([SITE, {**BALL, "radius": float("nan")}, SITE], r"path\[1\]: expected a radius above 0"),
    ([SITE, {**BALL, "sided": True, "side_body": 7}, SITE], r"path\[1\]: there is no body 7"),
    ([SITE, {"body": 9}], r"path\[1\]: there is no body 9"),
    ([SITE, SITE, {"kind": "pulley", "divisor": 0.0}, SITE, SITE], r"path\[2\]: expected a divisor above 0, got 0"),
])
def test_refused_paths(path, message):
    with pytest.raises(abut.Error, match=message):
        abut.Model().add_tendon(path=path, name="t")


def test_refused_files(tmp_path):
    for change, message in (('geom="ball" sidesite="outer"', "x"), ('<geom geom="roll"/>', '<geom geom="none"/>')):
        with pytest.raises(abut.Error, match=r"model.xml:\d+: "):
            read(text(sensor="").replace(change, message), tmp_path, warns=False)
    box = text(sensor="").replace('name="ball" type="sphere" size="0.04"', 'name="ball" type="box" size="0.04 0.04 0.04"')
    with pytest.raises(abut.Error, match="expected a sphere or cylinder for a tendon to go around"):
        read(box, tmp_path, warns=False)


def test_extreme_states(tmp_path):
    """Points inside what they go around, on its axis, on each other: lengths are finite, and MuJoCo's."""
    mujoco = pytest.importorskip("mujoco")
    for kind, size in (("sphere", "0.1"), ("cylinder", "0.1 0.1")):
        for side in ("", ' sidesite="side"'):
            source = f"""<mujoco><worldbody><geom name="g" type="{kind}" size="{size}" contype="0" conaffinity="0"/><site name="side" pos="0 0.3 0"/>
            <site name="a"/><body name="b"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
            <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="p"/></body><body name="c"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
            <joint type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="q"/></body></worldbody>
            <tendon><spatial name="t"><site site="p"/><geom geom="g"{side}/><site site="q"/></spatial></tendon><sensor><tendonpos tendon="t"/><tendonvel tendon="t"/></sensor></mujoco>"""
            m = mujoco.MjModel.from_xml_string(source)
            d = mujoco.MjData(m)
            robot = abut.Robot(read(source, tmp_path, warns=False))
            rng = np.random.default_rng(1)
            grid = np.array([-0.3, -0.1, -0.05, 0.0, 0.05, 0.1, 0.3])
            for _ in range(1500):
                q, v = rng.choice(grid, 6) if rng.random() < 0.5 else rng.normal(size=6) * 0.15, rng.normal(size=6)
                if rng.random() < 0.3:
                    q *= 10.0 ** rng.integers(-6, 6)
                d.qpos[:], d.qvel[:] = q, v
                mujoco.mj_forward(m, d)
                robot.set(q, v)
                mine, length = np.concatenate(list(robot.sensors().values())), d.sensordata[0]
                assert np.isfinite(mine).all()
                if robust(q, length, m, d, mujoco):
                    np.testing.assert_allclose(mine[0], length, rtol=1e-9, atol=1e-12, err_msg=str((kind, side, q)))


def robust(q, length, m, d, mujoco):
    """Does MuJoCo's own length stay within 1e-6 under a change of 1e-9: no choice between two ways hangs on rounding."""
    for sign in (-1.0, 1.0):
        d.qpos[:] = q * (1.0 + sign * 1e-9) + sign * 1e-10 * np.arange(1, 7)
        mujoco.mj_forward(m, d)
        if abs(d.sensordata[0] - length) > 1e-6 * max(1.0, abs(length)):
            return False
    return True
