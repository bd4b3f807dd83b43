# SPDX-License-Identifier: Apache-2.0
"""Sensors beside MuJoCo on the same states, without contacts; needs the package mujoco, else skipped."""
import contextlib

import numpy as np
import pytest

import abut

mujoco = pytest.importorskip("mujoco")

FRAMES = "".join(f"<{kind} {what}/><{kind} {what} {seen}/>"
                 for kind in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")
                 for what in ("objtype='site' objname='tip'", "objtype='body' objname='hand'", "objtype='xbody' objname='hand'",
                              "objtype='geom' objname='ball'")
                 for seen in ("reftype='site' refname='base'", "reftype='body' refname='drone'"))
FORCES = "".join(f"<{kind} objtype='{kind_of}' objname='{name}'/>" for kind in ("framelinacc", "frameangacc")
                 for kind_of, name in (("site", "tip"), ("body", "hand"), ("xbody", "drone"), ("site", "fixed")))
ON_SITES = "".join(f"<{kind} site='{site}'/>" for kind in ("accelerometer", "gyro", "velocimeter", "magnetometer", "force", "torque")
                   for site in ("tip", "base", "onboard", "welded"))
MODEL = f"""<mujoco><compiler angle='radian'/><option gravity='0.3 -0.2 -9.81' magnetic='0.1 0.2 0.3'>
<flag contact='disable' energy='enable'/></option><worldbody><site name='fixed' pos='1 2 3' euler='0.1 0.2 0.3'/>
<body name='arm' pos='0 0 1' euler='0.3 0 0.2'><joint name='shoulder' axis='0 1 0.2' armature='0.1' stiffness='3' springref='0.1'/>
<inertial pos='0.2 0 0' mass='1' fullinertia='0.021 0.025 0.03 0.001 0.002 -0.003'/><site name='base' pos='0.1 0 0' euler='1 0 0'/>
<body name='elbow' pos='0.4 0 0'><joint name='b' type='ball' stiffness='2'/><inertial pos='0.1 0.05 0' mass='0.5' diaginertia='0.004 0.005 0.003'/>
<body name='plate' pos='0 0.1 0' euler='0 0.4 0'><inertial pos='0.02 0 0' mass='0.2' diaginertia='0.001 0.001 0.001'/>
<site name='welded' pos='0.01 0.02 0.03' euler='0.2 0 0.7'/></body>
<body name='hand' pos='0.2 0 0'><joint name='out' type='slide' axis='1 0 0' range='-0.05 0.05'/><joint name='turn' axis='0 0 1' pos='0.01 0 0'/>
<inertial pos='0.05 0 0.02' mass='0.3' fullinertia='0.002 0.0015 0.002 0.0002 0 0.0001'/><site name='tip' pos='0.1 0 0' euler='0 1 0'/>
<geom name='ball' type='box' size='0.1 0.05 0.02' mass='0' pos='0.03 0 0' euler='0.2 0.1 0'/></body></body></body>
<body name='drone' pos='2 0 1'><freejoint name='free'/><inertial pos='0.01 0 0' mass='1.5' diaginertia='0.02 0.03 0.01'/>
<site name='onboard' pos='0 0.1 0' euler='0 0.5 0'/><body pos='0.1 0 0'><joint name='tail' axis='1 1 0'/>
<inertial pos='0.1 0 0' mass='0.2' diaginertia='0.001 0.001 0.002'/></body></body></worldbody>
<tendon><fixed name='sum' stiffness='20' springlength='0.01 0.02' range='-0.1 0.1'><joint joint='out' coef='1'/>
<joint joint='turn' coef='0.1'/></fixed></tendon><actuator><motor name='m' joint='turn' gear='0.5'/>
<position name='p' joint='shoulder' kp='10' kv='2' gear='3'/><motor name='wrench' site='tip' gear='1 2 3 0.1 0.2 0.3'/>
<motor name='balls' joint='b' gear='1 2 3'/><motor name='cable' tendon='sum' gear='2'/></actuator><sensor>
<jointpos joint='shoulder'/><jointvel joint='out'/><ballquat joint='b'/><ballangvel joint='b'/><tendonpos tendon='sum'/><tendonvel tendon='sum'/>
<actuatorpos actuator='p'/><actuatorvel actuator='p'/><actuatorpos actuator='wrench'/><actuatorvel actuator='wrench'/>
<actuatorpos actuator='balls'/><actuatorvel actuator='balls'/><actuatorpos actuator='cable'/><actuatorvel actuator='cable'/>
<jointlimitpos joint='out'/><jointlimitvel joint='out'/><tendonlimitpos tendon='sum'/><tendonlimitvel tendon='sum'/>
{FRAMES}{FORCES}{ON_SITES}<subtreecom body='arm'/><subtreecom body='world'/><subtreelinvel body='elbow'/><subtreeangmom body='elbow'/>
<subtreeangmom body='drone'/><clock/><e_potential/><e_kinetic/><gyro name='cut' site='tip' cutoff='0.5'/></sensor></mujoco>"""


def states(m, count):
    rng = np.random.default_rng(7)
    for _ in range(count):
        q, v = np.array(m.qpos0), rng.normal(size=m.nv)
        mujoco.mj_integratePos(m, q, rng.normal(size=m.nv) * 0.7, 1.0)
        q[5] = rng.uniform(-0.049, 0.049) if rng.random() < 0.5 else rng.uniform(0.051, 0.1)
        yield q, v


def model_of(text, folder):
    (folder / "model.xml").write_text(text)
    with pytest.warns(abut.Warning) if "<flag" in text else contextlib.nullcontext():
        return abut.Model.read(str(folder / "model.xml"))


def test_all_kinds_against_mujoco(tmp_path):
    m = mujoco.MjModel.from_xml_string(MODEL)
    d = mujoco.MjData(m)
    robot = abut.Robot(model_of(MODEL, tmp_path))
    assert len(robot.model.sensors) == m.nsensor and sum(s["width"] for s in robot.model.sensors) == m.nsensordata
    checked, worst = 0, {}
    for q, v in states(m, 200):
        d.qpos[:], d.qvel[:] = q, v
        mujoco.mj_forward(m, d)
        mujoco.mj_forward(m, d)  # its e_kinetic is that of the call before
        robot.set(q, v)
        got = np.concatenate(list(robot.sensors(d.qacc).values()))
        for i, sensor in enumerate(robot.model.sensors):
            at = slice(sensor["place"], sensor["place"] + sensor["width"])
            want, mine = d.sensordata[at], got[at]
            if sensor["kind"].endswith("quat") and np.dot(want, mine) < 0.0:
                mine = -mine
            if sensor["kind"] == "clock":
                continue
            gap = np.abs(mine - want).max() / max(1.0, np.abs(want).max())
            worst[sensor["kind"], i] = max(worst.get((sensor["kind"], i), 0.0), gap)
            checked += 1
    assert {kind: gap for kind, gap in worst.items() if not gap < 1e-10} == {}
    assert checked > 20000
