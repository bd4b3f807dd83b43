# SPDX-License-Identifier: Apache-2.0
"""Models, scenes, simulations and runs: state as arrays, saved and restored bit for bit, and the tool's own hash."""
import copy
import os
import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import abut


def test_a_model_put_together():
    model = abut.Model()
    ground = model.add_body("ground", "static")
    model.add_shape(ground, "half_space")
    ball = model.add_body("ball", pose=(0, 0, 0.5))
    model.add_shape(ball, "sphere", 0.1, density=500.0, friction=0.3)
    die = model.add_body("die", pose=(1, 0, 0.5), velocity=(0, 0, 1))
    model.add_shape(die, convex=abut.regular(6, 0.1))
    model.set(gravity=(0, 0, -1.0), timestep=2e-3)
    assert [b["name"] for b in model.bodies] == ["ground", "ball", "die"] and model.find("body", "die") == 2
    assert model.shapes[1]["density"] == 500.0 and model.shapes[2]["kind"] == "polyhedron"
    simulation = abut.Simulation(model)
    assert simulation.timestep == 2e-3
    simulation.step(10)
    assert np.allclose(simulation.velocities[1], (0, 0, -0.02, 0, 0, 0))
    again = pickle.loads(pickle.dumps(model))
    assert repr(again.bodies) == repr(model.bodies) and repr(copy.deepcopy(model).shapes) == repr(model.shapes)


@pytest.mark.parametrize("call, error, text", [
    (lambda m: m.add_body("x", "liquid"), abut.Error, "kind: expected one of dynamic, static, kinematic, link, got 'liquid'"),
    (lambda m: m.add_body("x", mas=1.0), TypeError, "did you mean 'mass'"),
    (lambda m: m.add_body("x", pose=(0, 0)), abut.Error, "pose"),
    (lambda m: m.add_body("x", pose=(np.nan, 0, 0)), abut.Error, ""),
    (lambda m: m.add_shape(7, "box", (1, 1, 1)), abut.Error, ""),
    (lambda m: m.add_shape(0, "box", (1, 1)), abut.Error, r"size: expected shape \(3,\)"),
    (lambda m: m.add_shape(0, convex=abut.sphere(1.0)), abut.Error, "convex: expected a polyhedron"),
    (lambda m: m.find("body", "nobody"), abut.Error, "body: the model has no 'nobody'"),
    (lambda m: abut.Model.build("boxs:3"), abut.Error, "boxs"),
    (lambda m: abut.Simulation(m, modell="vol"), TypeError, "did you mean 'model'"),
    (lambda m: abut.Simulation(m, model="vool"), abut.Error, "model: expected one of vol"),
    (lambda m: abut.Simulation(m).step(0), abut.Error, "at least 1"),
    (lambda m: abut.Simulation(m).step(dt=-1.0), abut.Error, ""),
    (lambda m: abut.Simulation(m).step(dt=np.nan), abut.Error, ""),
    (lambda m: abut.Simulation(m).restore(b"nonsense"), abut.Error, ""),
    (lambda m: abut.Simulation(3), TypeError, "scene"),
    (lambda m: abut.Scene(m)["nobody"], abut.Error, "nobody"),
    (lambda m: abut.Scene(m)[12345], abut.Error, "number 12345"),
    (lambda m: abut.Scene(m).set_velocity("box0", (np.inf, 0, 0)), abut.Error, ""),
])
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call(abut.Model.build("boxes:2"))


def test_scenes():
    scene = abut.Scene("stack:2")
    assert scene.names == ["ground", "box0", "box1"] and len(scene) == 3 and scene.poses.shape == (3, 7)
    contacts = scene.contacts()
    assert len(contacts) == 2 and np.allclose(np.abs(contacts["normal"][:, 2]), 1.0) and (contacts["area"] > 0).all()
    assert {(int(c["body_a"]), int(c["body_b"])) for c in contacts} <= {(0, 1), (1, 2), (2, 1)}
    system = scene.mode_system()
    assert system.dof == 12 and system.count(cs=True).modes > 1
    scene.set_pose("box1", (5, 0, 1))
    scene.set_velocity("box1", (1, 2, 3), (4, 5, 6))
    assert scene["box1"]["pose"][0] == 5.0 and scene.velocities[2].tolist() == [1, 2, 3, 4, 5, 6]
    for other in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene)):
        assert np.array_equal(other.poses, scene.poses) and np.array_equal(other.velocities, scene.velocities)
    number = scene.body("box1")
    scene.remove_body("box1")
    assert scene.names == ["ground", "box0"]
    with pytest.raises(abut.Error):
        scene.set_pose(number, (0, 0, 0))
    extra = scene.add_body("ball", pose=(0, 0, 2))
    scene.add_shape(extra, "sphere", 0.1)
    scene.exclude("ball", "box0")
    hit = scene.cast_ray((0, 0, 5), (0, 0, -9))
    assert scene.names[hit.body] == "ball" and scene.nearest_point((0, 0, 3)).distance < 1.0
    assert [b["name"] for b in scene.model().bodies] == scene.names


def test_the_state_goes_on_bit_for_bit():
    simulation = abut.Simulation("boxes:10")
    simulation.step(300)
    state, copies = simulation.save(), [pickle.loads(pickle.dumps(simulation)), copy.deepcopy(simulation)]
    simulation.step(100)
    for other in copies:
        other.step(100)
        assert other.hash == simulation.hash and np.array_equal(other.poses, simulation.poses) and other.time == simulation.time
    end = simulation.hash
    simulation.restore(state)
    simulation.step(100)
    assert simulation.hash == end
    threads = abut.Simulation("boxes:10", threads=2)
    threads.step(400)
    assert threads.hash == end


def test_robots_of_scenes():
    simulation = abut.Simulation("arm6")
    actuators = len(abut.Model.build("arm6").actuators)
    assert simulation.scene.robots == 1 and simulation.scene.joints()[0].shape == (6,)
    simulation.set_controls(np.full(actuators, 0.1))
    simulation.step(50)
    assert simulation.controls().tolist() == [0.1] * actuators and simulation.scene.joints()[0].all()
    assert simulation.robot_forces()["actuator"].shape == (actuators,)
    other = pickle.loads(pickle.dumps(simulation))
    assert np.array_equal(other.scene.joints()[0], simulation.scene.joints()[0]) and other.hash == simulation.hash
    simulation.scene.set_joints(np.zeros(6))
    simulation.set_torques(np.zeros(6))
    assert not simulation.scene.joints()[0].any()
    pushed = abut.Simulation("stack:1")
    pushed.set_force("box0", (1.0, 0, 0))
    pushed.step(10)
    assert pushed.velocities[1, 0] > 0.0
    for call in (lambda: simulation.set_controls([1.0]), lambda: simulation.set_controls(np.full(actuators, np.nan)),
                 lambda: simulation.scene.joints(3), lambda: simulation.scene.set_joints(np.zeros(5)), lambda: pushed.set_force("nobody")):
        with pytest.raises(abut.Error):
            call()


def test_contacts_carry_the_weight():
    simulation = abut.Simulation("stack:3")
    report = simulation.step(500)
    contacts = simulation.contacts()
    below = contacts[contacts["body_a"] == 0]
    weight = sum(simulation.scene[b]["mass"] for b in simulation.scene.bodies[1:]) * 9.80665
    assert np.isclose(below["force"][0, 2], weight, rtol=1e-3) and report.contacts == len(contacts) == 3
    n = below["vertex_count"][0]
    assert np.allclose(below["vertex_force"][0, :n].sum(axis=0), below["force"][0])
    assert simulation.energy[0] < 1e-6 and not simulation.asleep[0] and simulation.islands.shape == (4,)
    assert simulation.mode_system().contacts == contacts["vertex_count"].sum()


def test_meshes_touch_as_they_are():
    """A ring lies around its post; as its hull it stands on top."""
    heights = {}
    for features in (True, False):
        simulation = abut.Simulation("rings:1", features=features)
        assert simulation.current_settings["features"] == features
        state = simulation.save()
        simulation.step(500)
        heights[features] = simulation.poses[-1][2]
        first = simulation.hash
        simulation.restore(state)
        simulation.step(500)
        assert simulation.hash == first
    assert heights[True] < 0.02 and heights[False] > 0.15


def test_runs(tmp_path):
    simulation = abut.Simulation("stack:3")
    run = simulation.run(0.05, every=2)
    assert len(run) == 26 and run["pose"].shape == (26, 4, 7) and np.isclose(run["time"][-1], 0.05)
    assert run.info["names"] == ["ground", "box0", "box1", "box2"] and run.body("box1") == 2
    last = run["contact_force"][run.contacts_of(25)]
    assert np.allclose(np.sort(last[:, 2]), np.sort(simulation.contacts()["force"][:, 2]))
    run.write(tmp_path / "run.npz")
    back = abut.Run.read(tmp_path / "run.npz")
    assert set(back) == set(run) and all(np.array_equal(back[c], run[c]) for c in run)
    assert np.array_equal(np.load(tmp_path / "run.npz")["pose"], run["pose"])
    pose = back["pose"]
    del back
    assert not pose.flags.writeable and np.array_equal(pose, run["pose"])
    assert np.array_equal(pickle.loads(pickle.dumps(run))["pose"], run["pose"]) and run.step_at(0.011) == 5
    few = abut.Simulation("stack:3").run(0.01, keep="poses")
    assert few.info["contacts"] == 0 and few.info["keep"] == "poses"
    with pytest.raises(KeyError):
        few["nonsense"]
    with pytest.raises(abut.Error):
        abut.Run.read(__file__)


def test_a_run_begins_with_its_start_and_ends_with_its_end(tool, tmp_path):
    """As the tool has it: the state before the first step, every so many-th step, and the last."""
    simulation = abut.Simulation("stack:3")
    start, energy = simulation.poses.copy(), simulation.energy
    run = simulation.run(0.01, every=4)
    tool("simulate", "stack:3", "--time", "0.01", "--every", "4", "-o", "run.npz")
    told = abut.Run.read(tmp_path / "run.npz")
    assert np.allclose(run["time"], [0.0, 0.004, 0.008, 0.01]) and np.array_equal(run["pose"], told["pose"])
    assert np.array_equal(run["contact_start"], told["contact_start"]) and np.array_equal(run["kinetic"], told["kinetic"])
    assert np.array_equal(run["pose"][0], start) and (run["kinetic"][0], run["potential"][0]) == energy
    more = simulation.run(0.002)
    assert np.allclose(more["time"], [0.01, 0.011, 0.012]) and np.array_equal(more["pose"][0], run["pose"][-1])


def test_one_thread_at_a_time():
    simulation, problems = abut.Simulation("boxes:50"), []
    simulation.step(200)

    def work():
        for _ in range(20):
            try:
                simulation.step(20)
                simulation.poses
            except abut.Error as problem:
                problems.append(str(problem))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all("in use by another thread" in p for p in problems)
    simulation.step()


def test_ctrl_c_ends_a_row_of_steps():
    code = """
import os, signal, threading, abut
s = abut.Simulation("boxes:50")
threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    s.step(10000000)
except KeyboardInterrupt:
    s.step()
    print("interrupted", 0.0 < s.time < 1000.0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.stdout.strip() == "interrupted True", done.stderr


def test_files_of_scenes(tmp_path):
    (tmp_path / "s.xml").write_text("""<mujoco><option timestep="0.002"/><worldbody>
        <geom type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1" solimp="1"/></body>
        </worldbody></mujoco>""")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        scene = abut.read_scene(tmp_path / "s.xml")
    assert "b" in scene.names and abut.Scene(os.fsencode(tmp_path / "s.xml")).names == scene.names
    assert any(issubclass(w.category, abut.Warning) for w in told)
    (tmp_path / "bad.xml").write_text("<mujoco>\n<worldbody>\n<body pos='x'/></worldbody></mujoco>")
    with pytest.raises(abut.Error) as failed:
        abut.Model.read(tmp_path / "bad.xml")
    assert failed.value.line == 3 and failed.value.file.endswith("bad.xml")


def test_the_tool_has_the_same_hash(tool):
    told = tool("simulate", "boxes:20", "--time", "0.2", "--json")
    simulation = abut.Simulation("boxes:20")
    report = simulation.step(200)
    assert f"{simulation.hash:016x}" == told["hash"]
    assert report.contacts == told["contacts"] and report.kinetic == told["kinetic_energy"]


@pytest.mark.parametrize("call, text", [
    (lambda s: s.run(0.0), "time: expected a time above 0, got 0"),
    (lambda s: s.run(-1.0), "time: .*got -1"),
    (lambda s: s.run(np.nan), "time: .*got nan"),
    (lambda s: s.run(np.inf), "time: .*got inf"),
    (lambda s: s.run(0.1, every=0), "every: expected at least 1, got 0"),
    (lambda s: s.step(0), "count: expected at least 1, got 0"),
    (lambda s: s.set_force(s.scene.bodies[0], (1, 0, 0)), "body: .* is static"),
    (lambda s: s.set_force(1, (1, 0, 0)), r"body: .* number 1; .* scene.bodies\[0\]"),
])
def test_refusals_name_the_argument(call, text):
    simulation = abut.Simulation("boxes:2")
    before = simulation.hash
    with pytest.raises(abut.Error, match=text):
        call(simulation)
    assert simulation.hash == before


def test_states_are_read_only():
    simulation = abut.Simulation("boxes:2")
    run = simulation.run(0.01)
    for array in (simulation.poses, simulation.velocities, simulation.asleep, simulation.islands, run["pose"], run["time"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_pickled_model_is_found_from_another_folder(tmp_path, monkeypatch):
    (tmp_path / "ball.xml").write_text("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
    monkeypatch.chdir(tmp_path)
    data = pickle.dumps(abut.Model.read("ball.xml"))
    monkeypatch.chdir("/")
    assert len(pickle.loads(data).bodies) == len(abut.Model.read(tmp_path / "ball.xml").bodies)


def test_runs_by_hand(tmp_path):
    model = abut.Model()
    model.add_shape(model.add_body("a"), "sphere", 0.1)
    run = abut.Run.of_poses(model, [0.0, 1.0], np.tile([0, 0, 0, 1, 0, 0, 0.0], (2, 1, 1)))
    before = run["pose"]
    place = run.add_body("late", "kinematic", [{"kind": "box", "size": (0.1, 0.1, 0.1), "density": 10}, {"convex": abut.regular(4, 0.1)}])
    run.add_step(2.0, [[0, 0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0]], [[1, 2, 3, 4, 5, 6], np.zeros(6)])
    contact, touches = abut.contact(abut.sphere(0.1), abut.sphere(0.1), (0, 0, 0.19))
    run.add_contacts(contact)
    run.set_partial()
    run.write(tmp_path / "r.npz")
    read = abut.Run.read(tmp_path / "r.npz")
    assert place == 1 and before.shape == (2, 1, 7) and read.info["partial"] and read.info["contacts"] == 1
    assert not read.has_body(0, "late") and read.has_body(2, "late") and read["velocity"][2, 0].tolist() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(abut.Error, match="read from a file"):
        read.add_step(3.0, np.zeros((2, 7)))
    with pytest.raises(abut.Error, match="follows a simulation"):
        abut.Simulation("stack:1").run(0.01).add_step(1.0, np.zeros((2, 7)))
    with pytest.raises(abut.Error, match=r"poses: expected shape \(2, 7\)"):
        run.add_step(3.0, np.zeros((1, 7)))
    contact["body_a"] = 9
    with pytest.raises(abut.Error, match="row 0 names a body"):
        run.add_contacts(contact)
    with pytest.raises(abut.Error, match="the run has 3 steps of 2 bodies"):
        run.has_body(3, 0)


def test_sweeps_over_processes():
    rows = abut.sweep(lambda seed, mu: {"hash": abut.Simulation("boxes:2", seed=seed).step(3).contacts, "x": 1 / (mu - 0.5)},
                      abut.cases(mu=[0.2, 0.5], seed=range(3)), jobs=1)
    assert [(row["mu"], row["seed"]) for row in rows] == [(m, s) for m in (0.2, 0.5) for s in range(3)]
    assert [bool(row["error"]) for row in rows] == [False] * 3 + [True] * 3 and rows[3]["error"].startswith("ZeroDivisionError")
    assert abut.sweep(_square, abut.cases(x=range(7)), jobs=3) == abut.sweep(_square, abut.cases(x=range(7)), jobs=1)
    assert abut.sweep(_square, []) == []


def test_a_sweep_survives_its_workers():
    rows = abut.sweep(lambda x: os._exit(3) if x % 3 == 1 else {"x": x, "y": 2 * x}, abut.cases(x=range(8)), jobs=2)
    for x, row in enumerate(rows):
        if x % 3 == 1:
            assert row == {"x": x, "error": "the process ended with status 3"}
        else:
            assert row == {"x": x, "result.x": x, "y": 2 * x, "error": ""}
    lost = abut.sweep(lambda x: (lambda: x), abut.cases(x=[1, 2]), jobs=2)  # an answer that cannot be sent
    assert all("pickle" in row["error"] for row in lost)


def _square(x):
    return x * x
