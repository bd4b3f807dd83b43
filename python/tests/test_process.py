# SPDX-License-Identifier: Apache-2.0
"""Threads, signals, memory, subinterpreters: what a process does with the package."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import random_poses

import abut


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


@pytest.mark.parametrize("call", [
    "abut.depth(mesh, mesh, np.full((100000, 3), 0.05))",
    "abut.minkowski_difference(mesh, mesh, grid=100)",
    "abut.clearance(mesh, mesh, spin, method='sampling', **fine)",
    "abut.clearance_curve(mesh, mesh, spin, **fine)",
    "abut.clearance_minima(mesh, mesh, spin, **fine)",
    "abut.clearance_pairs([mesh, mesh], [spin, None], np.tile([0, 1], (9999, 1)), **fine)",
    "abut.clearance_soft(soft, soft, spin, **fine)",
])
def test_ctrl_c_ends_a_long_call(call):
    code = f"""
import os, signal, threading, time, numpy as np, abut
mesh, soft = abut.Mesh.make("torus", 5000), abut.SoftBody(abut.Mesh.make("torus", 500))
rows = np.random.default_rng(1).normal(size=(200, 7))
spin = abut.Motion.keyframes(np.linspace(0, 1, 200), rows * [.1, .1, .1, 1, 1, 1, 1] + [1.5, 0, 0, 0, 0, 0, 0])
fine = dict(eps=1e-9, budget=10**9)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    {call}
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
except Exception as problem:  # Python 3.12 refuses by itself, in its own words
    print("interpreter" in str(problem))
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
