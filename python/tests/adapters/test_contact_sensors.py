# SPDX-License-Identifier: Apache-2.0
"""Sensors of contacts beside MuJoCo at rest: sides, orders, sums, sites, rows; files and models keep them; refusals."""
import numpy as np
import pytest

import abut

MODEL = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="2 2 .1"/><site name="place" type="box" size=".2 .06 .3" pos="0 .1 .1"/>
<body name="low" pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".1 .1 .1" density="500"/></body>
<body name="high" pos="0 0 .25"><freejoint/><geom name="high" type="box" size=".05 .05 .05" density="1000"/>
<body name="ball" pos="0 0 .1"><joint type="slide" axis="0 0 1" range="0 1"/><geom name="ball" type="sphere" size=".05" density="1000"/></body></body>
<body name="alone" pos="1 0 .05"><freejoint/><geom name="alone" type="sphere" size=".05"/></body></worldbody>
<sensor>SENSORS</sensor></mujoco>"""
ALL = 'data="found force torque dist pos normal tangent"'
SENSORS = [f'geom1="low" geom2="floor" num="6" {ALL}', 'body1="low" reduce="netforce" data="found force torque pos"', 'body2="low" reduce="netforce" data="force"',
           'subtree1="high" body2="low" reduce="netforce" data="found force pos normal tangent"', 'body1="high"', 'subtree1="world"', 'body1="world" subtree2="high"',
           'geom1="alone" num="2" data="found force dist pos normal"', 'site="place" num="6" data="found pos"', 'body1="low" num="12" reduce="maxforce" data="force"',
           'body1="low" body2="world" num="4" reduce="mindist" data="dist"', 'body1="world" body2="alone" data="normal"', 'body1="alone" reduce="netforce" data="force" cutoff="0.5"']


def text(sensors=SENSORS):
    return MODEL.replace("SENSORS", "".join(f"<contact {s}/>" for s in sensors))


def read(source, folder):
    (folder / "model.xml").write_text(source)
    return abut.Model.read(folder / "model.xml")


def settled(model):
    scene = abut.Scene()
    scene.add_model(model)
    simulation = abut.Simulation(scene, gravity=model.gravity)
    assert all(np.isnan(v).all() for v in simulation.sensors().values())
    simulation.step(1000, 0.002)
    return simulation


def check(got, where, g=9.81):
    weights = {"low": 4.0 * g, "high": 1.0 * g, "ball": 1000 * 4 / 3 * np.pi * 0.05**3 * g, "alone": 1000 * 4 / 3 * np.pi * 0.05**3 * g}
    total = weights["low"] + weights["high"] + weights["ball"]
    rows = got[0].reshape(6, 17)
    assert (rows[:4, 0] == 4).all() and not rows[4:].any(), where
    assert rows[:4, 1].sum() == pytest.approx(total, rel=2e-3) and np.abs(rows[:4, 7]).max() < 2e-3 and np.abs(np.abs(rows[:4, 8:10]) - 0.1).max() < 1e-3
    np.testing.assert_allclose(rows[:4, 11:14], np.tile([0.0, 0.0, -1.0], (4, 1)), atol=1e-6)
    assert np.abs(np.sum(rows[:4, 11:14] * rows[:4, 14:17], axis=1)).max() < 1e-9
    found, force, place = got[1][0], got[1][1:4], got[1][7:10]
    low = np.array([0.0, 0.0, weights["high"] + weights["ball"] - total])  # what it exerts on the others
    np.testing.assert_allclose(force, low, atol=2e-3 * total)
    assert found == 8 and np.abs(place[:2]).max() < 1e-3
    np.testing.assert_allclose(got[2], -force, atol=1e-9)
    assert got[3][0] == 4 and got[3][3] == pytest.approx(-(weights["high"] + weights["ball"]), rel=2e-3) and list(got[3][7:]) == [1, 0, 0, 0, 1, 0]
    assert got[4][0] == 4 and got[5][0] == 9 and got[6][0] == 0
    assert got[7][0] == 1 and got[7][1] == pytest.approx(weights["alone"], rel=2e-3) and got[7][10] == pytest.approx(-1.0) and not got[7][11:].any()
    inside = got[8].reshape(6, 4)
    assert inside[0, 0] == 4 and (inside[:4, 2] > 0.049).all() and not inside[4:].any()
    strength = np.linalg.norm(got[9].reshape(12, 3), axis=1)
    assert (np.diff(strength[:8]) <= 1e-9).all() and strength[7] > 0.0 and not strength[8:].any()
    assert (np.diff(got[10]) >= -1e-12).all() and list(np.round(got[11], 6)) == [0, 0, 1]
    assert np.abs(got[12]).max() == 0.5


def test_at_rest_beside_mujoco(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    model = read(text(), tmp_path)
    check(list(settled(model).sensors().values()), "abut")
    m = mujoco.MjModel.from_xml_string(text())
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 1000)
    theirs = [d.sensordata[m.sensor_adr[i]:m.sensor_adr[i] + m.sensor_dim[i]] for i in range(m.nsensor)]
    assert [len(x) for x in theirs] == [s["width"] for s in model.sensors]
    mine = list(settled(model).sensors().values())
    for i in (1, 2, 3):  # sums of forces do not depend on how contacts are split
        np.testing.assert_allclose(mine[i][1:4] if i != 2 else mine[i], theirs[i][1:4] if i != 2 else theirs[i], atol=0.2)
    for i in (4, 5, 6, 7, 8):
        assert mine[i][0] == theirs[i][0]
    for one in (abut.Model.from_mujoco(m), read(model.to_mjcf(), tmp_path)):
        again = list(settled(one).sensors().values())
        for a, b in zip(again, mine):
            np.testing.assert_allclose(np.abs(a), np.abs(b), atol=1e-6)


def test_of_a_configuration_they_are_unknown(tmp_path):
    robot = abut.Robot(read(text(), tmp_path))
    assert all(np.isnan(v).all() for v in robot.sensors().values())


@pytest.mark.parametrize("sensor, message", [
    ('geom1="low" body1="low"', "expected one geom, body or subtree on a side, got two"),
    ('site="place" body1="low"', "expected one of site, geom1, body1 and subtree1, got two"),
    ('geom1="none"', "expected name of a geom, got 'none'"),
    ('body1="low" data="pos found"', "expected words in the order found"),
    ('body1="low" data="weight"', "expected words in the order found"),
    ('body1="low" num="0"', "attribute num"),
    ('body1="low" reduce="most"', "attribute reduce"),
])
def test_refused(sensor, message, tmp_path):
    with pytest.raises(abut.Error, match=message):
        read(text([sensor]), tmp_path)


def test_velocities_are_reported(tmp_path):
    with pytest.warns(abut.Warning, match="is not simulated"):
        model = read(text(['body1="low" data="linvel"']), tmp_path)
    assert not model.sensors and len(model.elements) == 1


def test_refused_by_models():
    model = abut.Model.build("arm6")
    for fields in ({"first_kind": "body", "first": 99}, {"data": 128}, {"data": -1}, {"rows": -2}, {"rows": 10**6}, {"second_kind": "shape", "second": -1}, {"body": 77}):
        with pytest.raises(abut.Error, match="sensor"):
            model.add_sensor("contact", **fields)
