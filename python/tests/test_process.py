# SPDX-License-Identifier: Apache-2.0
"""Threads, signals, memory, subinterpreters: what a process does with the package."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import cases, random_poses

import abut


def resident_pages() -> int:
    return int(open("/proc/self/statm").read().split()[1])


SYSTEM, SIMULATION, ROBOT = abut.ModeSystem.named("box:1"), abut.Simulation("stack:1"), abut.Robot("arm6")
MODEL = abut.Model.build("stack:1")

QUESTIONS = {
    "distance": lambda a, b, m, p: abut.distance(a, b, p),
    "batch": lambda a, b, m, p: abut.distance(a, b, [p, p]),
    "normal": lambda a, b, m, p: abut.distance(a, b, p).normal,
    "repr": lambda a, b, m, p: repr(abut.distance(a, b, p)),
    "mesh": lambda a, b, m, p: abut.distance(m, a, p),
    "vertices": lambda a, b, m, p: m.vertices,
    "hull": lambda a, b, m, p: abut.hull(np.eye(3)),
    "overlap": lambda a, b, m, p: abut.overlap(a, a, p).vertices,
    "cast": lambda a, b, m, p: abut.cast_ray([a, b], (0, 0, 5), (0, 0, -9)),
    "new mesh": lambda a, b, m, p: abut.Mesh(m.vertices, m.triangles),
    "motion": lambda a, b, m, p: abut.time_of_impact(a, b, None, abut.Motion.keyframes([0, 1], [p, p])),
    "clearance": lambda a, b, m, p: abut.clearance(a, b, None, abut.Motion.translation(p, (1, 0, 0)), eps=0.1),
    "modes": lambda a, b, m, p: SYSTEM.modes(limit=3),
    "mode": lambda a, b, m, p: (SYSTEM.velocity("0" * 12), SYSTEM.neighbours("0" * 12), SYSTEM.forces("0" * 12, np.zeros(6))),
    "step": lambda a, b, m, p: (SIMULATION.step(), SIMULATION.contacts(), SIMULATION.poses),
    "state": lambda a, b, m, p: SIMULATION.restore(SIMULATION.save()),
    "model": lambda a, b, m, p: abut.Model.build("stack:1").bodies,
    "robot": lambda a, b, m, p: (ROBOT.set(np.zeros(6)), ROBOT.mass_matrix, ROBOT.frame_pose("tool"), ROBOT.jacobian("flange")),
    "run": lambda a, b, m, p: abut.Run.of_poses(MODEL, [0.0], np.tile(p, (1, 2, 1)))["pose"],
    "bad body": lambda a, b, m, p: pytest.raises(TypeError, MODEL.add_body, "x", nonsense=1),
    "refusal": lambda a, b, m, p: pytest.raises(abut.Error, abut.distance, a, b, np.zeros(5)),
    "wrong body": lambda a, b, m, p: pytest.raises(TypeError, abut.distance, a, "b", p),
    "bad mesh": lambda a, b, m, p: pytest.raises(abut.Error, abut.Mesh, m.vertices[:3], m.triangles),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_leaks(question):
    """Neither memory nor references grow with the number of calls."""
    a, b, mesh = abut.box((0.5, 0.5, 0.5)), abut.regular(8, 0.5), abut.Mesh.make("torus", 100)
    pose = np.array([0.1, 0.2, 0.3, 1, 0, 0, 0])
    ask = QUESTIONS[question]
    watched = (a, b, mesh, pose, None, abut.Distance, abut.Mesh, abut.Convex)

    def run(count):
        for _ in range(count):
            ask(a, b, mesh, pose)
        gc.collect()

    run(200)
    counts, pages = [sys.getrefcount(x) for x in watched], resident_pages()
    run(cases(100000))
    assert max(abs(sys.getrefcount(x) - c) for x, c in zip(watched, counts)) < 20
    assert resident_pages() - pages < 300  # 1.2 MB; a leak of 100 bytes a call would be 10 MB in the full count


def test_threads_ask_at_once():
    """Eight threads share bodies, the tree of a mesh included, and get what one gets."""
    mesh, other = abut.Mesh.make("torus", 3000), abut.Mesh.make("cup", 3000)
    poses = random_poses(40, 8)
    want = abut.distance(abut.Mesh.make("torus", 3000), abut.Mesh.make("cup", 3000), poses).tobytes()
    got = [None] * 8

    def work(i):
        got[i] = abut.distance(mesh, other, poses).tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert got == [want] * 8


def test_the_lock_is_released():
    """Python goes on while a batch runs."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    while len(ticks) < 3 or time.monotonic() - begin < 0.05:
        abut.depth(abut.Mesh.make("torus", 2000), abut.Mesh.make("cup", 2000), random_poses(3, 9, 0.2))
    end = time.monotonic()
    done.set()
    thread.join()
    assert sum(begin < t < end for t in ticks) >= 3


def run_python(code, **options):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120, **options)


def test_ctrl_c_ends_a_long_batch():
    code = """
import os, signal, threading, time, numpy as np, abut
mesh = abut.Mesh.make("torus", 5000)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    abut.depth(mesh, mesh, np.full((100000, 3), 0.05))
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin < 60)
"""
    assert run_python(code).stdout.strip() == "interrupted True"


def test_subinterpreters_are_refused():
    try:
        import _xxsubinterpreters  # noqa: F401
    except ImportError:
        pytest.skip("this Python has no _xxsubinterpreters")
    code = """
import _xxsubinterpreters as sub
import abut
i = sub.create()
try:
    sub.run_string(i, "import abut")
except Exception as problem:
    print("main interpreter only" in str(problem))
sub.destroy(i)
print(abut.meet(abut.sphere(1.0), abut.sphere(1.0)))
"""
    done = run_python(code)
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_forked_workers():
    import multiprocessing
    a, b = abut.Mesh.make("torus", 300), abut.sphere(0.1)
    poses = random_poses(64, 10)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.starmap(abut.distance, [(a, b, p) for p in np.split(poses, 4)])
    assert np.concatenate(parts).tobytes() == abut.distance(a, b, poses).tobytes()


def test_signals_are_left_alone():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_equal_answers_have_equal_bytes():
    poses = random_poses(500, 9, 2.0)
    a, ball, mesh = abut.box((0.3, 0.2, 0.1)), abut.sphere(0.2), abut.Mesh.make("torus", 100)
    for ask, b in ((abut.distance, ball), (abut.distance, mesh), (abut.depth, ball), (abut.collide, mesh)):
        assert ask(a, b, poses).tobytes() == ask(a, b, poses, threads=2).tobytes()
    assert abut.contact(a, a, poses)[0].tobytes() == abut.contact(a, a, poses, threads=2)[0].tobytes()
