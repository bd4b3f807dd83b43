# SPDX-License-Identifier: Apache-2.0
"""Batches against single simulations, bit by bit; arrays, masks, parameters, failures; DLPack; rollouts."""
import gc
import importlib
import sys

import numpy as np
import pytest

import abut

MODEL, COUNT = "biped", 5


def random_controls(rng, batch):
    return rng.uniform(-1.0, 1.0, batch.ctrl.shape)


@pytest.mark.parametrize("threads", [1, 2])
def test_worlds_are_single_simulations(threads):
    rng = np.random.default_rng(33)
    batch = abut.Batch(MODEL, COUNT, threads)
    single = [abut.Simulation(MODEL) for _ in range(COUNT)]
    for turn in range(25):
        mask = rng.random(COUNT) < 0.15
        if turn == 0:
            mask[:] = False
        batch.reset(mask)
        for i in np.flatnonzero(mask):
            single[i] = abut.Simulation(MODEL)
            if rng.random() < 0.5:
                velocities = rng.uniform(-0.2, 0.2, batch.qvel.shape[1])
                batch.qvel[i] = velocities
                single[i].scene.set_joints(batch.qpos[i], velocities)
        batch.ctrl = controls = random_controls(rng, batch)
        batch.step(4)
        for i in range(COUNT):
            single[i].set_controls(controls[i])
            single[i].step(4)
            positions, velocities = single[i].scene.joints()
            assert positions.tobytes() == batch.qpos[i].tobytes() and velocities.tobytes() == batch.qvel[i].tobytes()
            assert batch.hash(i) == single[i].hash and batch.time[i] == single[i].time


def test_arrays_are_the_memory_of_the_batch():
    batch = abut.Batch(MODEL, COUNT, 1)
    before = batch.qpos.copy()
    assert batch.qpos is batch.qpos and batch.qpos.base is not None and len(batch) == COUNT
    batch.step(3)
    assert (batch.qpos != before).any()
    with pytest.raises(ValueError):
        batch.status[0] = 1
    with pytest.raises(AttributeError):
        batch.contact = 0.0
    positions = batch.qpos
    del batch
    gc.collect()
    assert np.isfinite(positions).all()  # an array keeps the memory


def test_parameters_stay_over_resets():
    batch = abut.Batch("stack:2", 3, 1, watch=["box0", ("box0", "ground"), ("box0", "box1")])
    g = -batch.gravity[0, 2]
    batch.gravity[1, 2] = -0.5 * g
    batch.mass[2] *= 2.0
    weight = batch.mass[0, batch.model.find("body", "box0")] * g
    for _ in range(2):
        batch.step(600, dt=0.002)
        assert (batch.status == 0).all()
        for world, times in enumerate((1.0, 0.5, 2.0)):
            force = batch.contact[world, :, 2] / (weight * times)
            assert force == pytest.approx([1.0, 2.0, -1.0], abs=2e-3)
            assert len(batch.contacts(world)) == 2
        batch.reset()
        assert batch.contact.max() == 0.0 and batch.time.max() == 0.0


def test_a_world_that_fails_stops_alone():
    batch = abut.Batch(MODEL, 3, 2)
    batch.ctrl[1, 2] = np.nan
    batch.step(2)
    assert list(batch.status != 0) == [False, True, False] and batch.time[1] == 0.0 < batch.time[0]
    assert batch.reason(1) == "ctrl[1, 2]: expected a finite number, got nan" and batch.reason(0) == ""
    batch.reset(batch.status != 0)
    batch.step()
    assert (batch.status == 0).all() and batch.time[1] == batch.timestep


def test_save_and_restore():
    rng = np.random.default_rng(3)
    batch = abut.Batch(MODEL, COUNT, 2)
    batch.ctrl = random_controls(rng, batch)
    batch.step(20)
    state, controls = batch.save(), random_controls(rng, batch)
    batch.ctrl = controls
    batch.step(20)
    after = [batch.hash(i) for i in range(COUNT)]
    other = abut.Batch(MODEL, COUNT, 1)
    other.restore(state)
    other.ctrl = controls
    other.step(20)
    assert after == [other.hash(i) for i in range(COUNT)]
    with pytest.raises(abut.Error, match="expected 4 worlds"):
        abut.Batch(MODEL, 4, 1).restore(state)


@pytest.mark.parametrize("call, kind, text", [
    (lambda b: abut.Batch(MODEL, 0), abut.Error, "worlds: expected 1 or more, got 0"),
    (lambda b: abut.Batch(MODEL, 1.5), TypeError, "n: expected a whole number"),
    (lambda b: abut.Batch(MODEL, 1, watch=["nobody"]), abut.Error, "nobody"),
    (lambda b: abut.Batch(MODEL, 1, beta=-1.0), abut.Error, "beta -1: expected"),
    (lambda b: b.reset(np.zeros(3, bool)), abut.Error, r"mask: expected shape \(5,\), got shape \(3,\)"),
    (lambda b: b.reset(np.zeros(5)), TypeError, "mask: expected an array of booleans, got dtype float64"),
    (lambda b: b.reset(keyframe=99), abut.Error, "keyframe: expected -1 or the number of a keyframe below"),
    (lambda b: b.step(0), abut.Error, "substeps: expected 1 or more, got 0"),
    (lambda b: b.step(dt=0.0), abut.Error, "dt: expected a number above 0 and up to 1 second, got 0"),
    (lambda b: setattr(b, "ctrl", np.zeros((2, 2))), abut.Error, "ctrl: expected shape"),
    (lambda b: setattr(b, "qpos", ["a"]), TypeError, "qpos: expected an array of numbers"),
    (lambda b: setattr(b, "ctrl", np.zeros(b.ctrl.shape, complex)), TypeError, "ctrl: expected an array of numbers, got dtype complex128"),
    (lambda b: b.reason(5), abut.Error, "world: expected the number of a world below 5, got 5"),
    (lambda b: b.restore(b"abc"), abut.Error, "saved batch: 3 bytes are too few"),
    (lambda b: abut.rollout(MODEL, np.zeros((2, 3)), np.zeros((2, 1, b.ctrl.shape[1]))), abut.Error, "states: expected shape"),
    (lambda b: abut.rollout(MODEL, np.zeros(3), np.zeros(4)), abut.Error, "controls: expected 2 or 3 dimensions, got 1"),
    (lambda b: abut.rollout(b, np.zeros(3), np.zeros((2, 1, 3))), abut.Error, "model: expected a batch of 2 worlds, got 5"),
])
def test_refusals(call, kind, text):
    batch = abut.Batch(MODEL, 5, 1)
    with pytest.raises(kind, match=text):
        call(batch)
    assert (batch.status == 0).all()


def test_a_closed_batch_is_refused():
    batch = abut.Batch(MODEL, 2, 1)
    positions = batch.qpos
    batch.close()
    with pytest.raises(abut.Error, match="expected an open batch, got a closed one"):
        batch.step()
    with pytest.raises(abut.Error, match="expected an open batch, got a closed one"):
        batch.qpos
    assert positions.shape[0] == 2


def test_rollout_has_the_bits_of_single_runs():
    rng = np.random.default_rng(8)
    batch = abut.Batch(MODEL, 3, 1)
    nq, nv, nu = batch.qpos.shape[1], batch.qvel.shape[1], batch.ctrl.shape[1]
    states = np.concatenate([np.full((3, 1), 0.5), batch.qpos, rng.uniform(-0.1, 0.1, (3, nv))], axis=1)
    controls = rng.uniform(-1.0, 1.0, (3, 12, nu))
    out = abut.rollout(MODEL, states, controls, threads=2)
    assert out.shape == (3, 12, 1 + nq + nv)
    for world in range(3):
        single = abut.Simulation(MODEL)
        single.scene.set_joints(states[world, 1:1 + nq], states[world, 1 + nq:])
        for k in range(12):
            single.set_controls(controls[world, k])
            single.step()
            assert np.concatenate(single.scene.joints()).tobytes() == out[world, k, 1:].tobytes()
    assert out[0, 0, 0] == 0.5 + batch.timestep
    assert (abut.rollout(batch, states, controls) == out).all()
    one = abut.rollout(MODEL, states[0], controls[:1])
    assert (one[0] == out[0]).all()
    wrong = controls.copy()
    wrong[1, 5, 0] = np.nan
    broken = abut.rollout(MODEL, states, wrong)
    assert np.isnan(broken[1, 5:]).all() and np.isfinite(broken[1, :5]).all() and (broken[0] == out[0]).all()


def test_rollout_has_activations_and_sensors(tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    model = abut.Model.read(tmp_path / "pendulum.xml")
    states = np.array([[0.0, 0.3, -0.5, 0.4], [1.0, -0.2, 0.0, 0.0]])
    controls = np.random.default_rng(1).uniform(-1.0, 1.0, (2, 15, 2))
    out, values = abut.rollout(model, states, controls, sensors=True)
    assert out.shape == (2, 15, 4) and values.shape == (2, 15, 6) and (abut.rollout(model, states, controls) == out).all()
    batch = abut.Batch(model, 2, 1)
    batch.time[:], batch.qpos[:], batch.qvel[:], batch.act[:] = states[:, 0], states[:, 1:2], states[:, 2:3], states[:, 3:]
    for k in range(15):
        batch.sensordata
        batch.ctrl = controls[:, k]
        batch.step()
        assert np.concatenate([batch.time[:, None], batch.qpos, batch.qvel, batch.act], axis=1).tobytes() == out[:, k].tobytes()
        assert batch.sensordata.tobytes() == np.ascontiguousarray(values[:, k]).tobytes()
    with pytest.raises(abut.Error, match=r"states: expected shape \(2, 4\), got shape \(2, 3\)"):
        abut.rollout(model, states[:, :3], controls)


def test_dlpack():
    batch = abut.Batch(MODEL, 4, 1)
    shared = np.from_dlpack(batch.qpos)
    batch.step()
    assert shared.tobytes() == batch.qpos.tobytes() and np.shares_memory(shared, batch.qpos)
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tensor = torch.from_dlpack(batch.ctrl)
    tensor[:] = 0.25
    assert (batch.ctrl == 0.25).all()
    batch.ctrl = torch.full(batch.ctrl.shape, 0.5, dtype=torch.float32)
    assert (batch.ctrl == 0.5).all()
    batch.reset(torch.tensor([True, False, False, True]))
    assert list(batch.time == 0.0) == [True, False, False, True]


def test_gymnasium_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "abut.gym", raising=False)
    with pytest.raises(ImportError, match="expected the package gymnasium"):
        importlib.import_module("abut.gym")


PENDULUM = """<mujoco><option timestep="0.002"/><worldbody><body pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/><site name="end" pos="0 0 -0.4"/></body></worldbody>
<actuator><general name="slow" joint="hinge" dyntype="filter" dynprm="0.05" gainprm="3"/><motor name="fast" joint="hinge"/></actuator>
<sensor><jointpos joint="hinge"/><gyro site="end"/><actuatorfrc actuator="slow"/><clock/></sensor>
<keyframe><key name="begun" qpos="0.3" qvel="-0.5" ctrl="0.2 0.1" act="0.4"/></keyframe></mujoco>"""


def test_activations_and_sensors(tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    model = abut.Model.read(tmp_path / "pendulum.xml")
    batch, single = abut.Batch(model, 3, 2), abut.Simulation(model)
    assert batch.act.shape == (3, 1) and batch.sensordata.shape == (3, 6) and not batch.sensordata.any()
    batch.reset(keyframe="begun")
    single.set_keyframe("begun")
    assert (batch.act == 0.4).all() and (batch.ctrl == [0.2, 0.1]).all()
    for k in range(40):
        if k == 20:
            batch.act[1] = -1.0
            state = batch.save()
        batch.step(2)
        single.step(2)
        for world in (0, 2):
            assert batch.act[world].tobytes() == single.activations().tobytes()
            assert batch.sensordata[world].tobytes() == single.sensor_values().tobytes() and batch.hash(world) == single.hash
    assert batch.act[1, 0] < 0.0 < batch.act[0, 0] and batch.sensordata[0, 5] == pytest.approx(batch.time[0])
    after = batch.sensordata.copy()
    batch.restore(state)
    for _ in range(20):
        batch.step(2)
    assert batch.sensordata.tobytes() == after.tobytes()
    batch.act[0] = np.inf
    batch.step()
    assert batch.reason(0) == "act[0, 0]: expected a finite number, got inf" and list(batch.status != 0) == [True, False, False]
