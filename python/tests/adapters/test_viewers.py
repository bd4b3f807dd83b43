# SPDX-License-Identifier: Apache-2.0
"""Runs and plans in Rerun, Viser and Meshcat: what was logged is read back and compared with the run."""
import numpy as np
import pytest

import abut


@pytest.fixture(scope="module")
def run():
    return abut.Simulation(abut.Scene("boxes:3")).run(0.4)


def test_rerun(run, tmp_path):
    pytest.importorskip("rerun")
    path = tmp_path / "run.rrd"
    abut.to_rerun(run, path, every=5)
    assert path.stat().st_size > 10000


def test_rerun_of_memory(run):
    rerun = pytest.importorskip("rerun")
    seen = {}
    real = rerun.log

    def log(path, what, *, static=False, recording=None):
        seen.setdefault(path, []).append(what)
        real(path, what, static=static, recording=recording)

    rerun.log = log
    try:
        stream = rerun.RecordingStream("test")
        memory = stream.memory_recording()
        assert abut.to_rerun(run, stream, every=10) is stream
    finally:
        rerun.log = real
    steps = range(0, len(run), 10)
    for name in run.info["names"]:
        assert len(seen[f"bodies/{name}"]) == len(steps)
    body = run.body("box1")
    for step, transform in zip(steps, seen["bodies/box1"]):
        assert np.allclose(transform.translation.as_arrow_array().to_pylist()[0], run["pose"][step, body, :3], atol=1e-6)
    assert len(seen["plots/clearance"]) == len(steps) and len(seen["plots/kinetic"]) == len(steps)
    arrows = sum(len(arrow.vectors.as_arrow_array()) for arrow in seen["contacts"])
    assert arrows == sum(len(run["contact_center"][run.contacts_of(step)]) for step in steps)
    assert memory.num_msgs() > 0


def test_plans(tmp_path):
    pytest.importorskip("rerun")
    around = abut.Model()
    around.add_shape(around.add_body("post", kind="static"), "cylinder", size=[0.03, 0.03, 1.0], pose=[0.4, 0.3, 0, 1, 0, 0, 0])
    problem = abut.PlanProblem(abut.Robot("arm6"), around)
    plan = problem.solve(np.zeros(6), [1.0, 0, 0, 0, 0, 0], quality="fast")
    abut.to_rerun(plan, tmp_path / "plan.rrd", every=10)
    assert (tmp_path / "plan.rrd").stat().st_size > 10000


def test_as_they_stand(tmp_path):
    pytest.importorskip("rerun")
    for i, thing in enumerate((abut.Scene("boxes:2"), abut.Model.build("gripper"), abut.Robot("arm6"))):
        abut.to_rerun(thing, tmp_path / f"{i}.rrd")
        assert (tmp_path / f"{i}.rrd").stat().st_size > 1000
    with pytest.raises(TypeError):
        abut.to_rerun(3, tmp_path / "x.rrd")


def test_viser(run):
    viser = pytest.importorskip("viser")
    server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    try:
        frames = abut.to_viser(run, server, every=10)
        assert len(frames) == run.info["bodies"]
        assert any(np.allclose(frame.position, run["pose"][0, run.body("box1"), :3]) for frame in frames)
    finally:
        server.stop()


def test_meshcat(run):
    meshcat = pytest.importorskip("meshcat")

    class Node:
        """A visualizer without a browser: what is set on which path."""

        def __init__(self, path=meshcat.path.Path(("meshcat",)), made=None):
            self.path, self.made = path, {} if made is None else made

        def __getitem__(self, path):
            return Node(self.path.append(path), self.made)

        def set_object(self, *what):
            self.made.setdefault(self.path.lower(), []).append(what)

        set_transform = set_animation = set_object

    tree = Node()
    animation = abut.to_meshcat(run, tree, every=10)
    for number, shape in enumerate(run.model.shapes):
        assert len(tree.made[f"/meshcat/{run.info['names'][shape['body']]}/{number}"]) == 1
    assert np.allclose(tree.made["/meshcat/box1"][0][0][:3, 3], run["pose"][0, run.body("box1"), :3])
    clip = animation.clips[meshcat.path.Path(("meshcat", "box1"))]
    places = clip.tracks["position"].values
    assert np.allclose(places[-1], run["pose"][(len(run) - 1) // 10 * 10, run.body("box1"), :3])
