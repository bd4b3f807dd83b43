# SPDX-License-Identifier: Apache-2.0
"""Many worlds of one robot in abut.rollout and in MuJoCo's rollout: the same MJCF, step, controls and numbers of worlds.

Usage: worlds.py CSV [WORLDS...] [--seconds S]     (WORLDS: 1 64 1024 4096; S: processor time for each run, 0.5)

Both begin at random states near the start and act for half a second of random controls, which hold for ten steps, before they are timed. Then time is
that of the processor, the least of three rounds in turn; the last two columns of a robot are of 64 worlds whose controls
have stood still for 1.5 s: the deepest contact of a world, mean over the worlds, and the energy with which they still move, both computed by MuJoCo
from the states of either. The rows of two threads have the speed over that of one thread by the wall clock, half of it: 1 is perfect.
"""
import csv
import sys
import time
from pathlib import Path

import mujoco
import mujoco.rollout
import numpy as np

import abut

HERE = Path(__file__).resolve().parent
ROBOTS = HERE.parents[1] / "python/src/abut/gym/robots"
FILES = {"humanoid": ROBOTS / "humanoid.xml", "ant": ROBOTS / "ant.xml", "quadruped": ROBOTS / "quadruped.xml", "arm with cube": HERE / "arm_cube.xml"}
HEAD = ["case", "engine", "threads", "steps", "us_per_step", "steps_per_s_core", "two_threads", "depth_mm", "moving_mj", "failed"]
STILL = 64


class Robot:
    """A model in both libraries, with states to begin at and random controls."""

    def __init__(self, name, file):
        self.name, self.mj, self.model = name, mujoco.MjModel.from_xml_path(str(file)), abut.Model.read(file)
        data = mujoco.MjData(self.mj)
        if self.mj.nkey:
            mujoco.mj_resetDataKeyframe(self.mj, data, 0)
        self.start, self.hold, self.h = np.concatenate([[0.0], data.qpos, data.qvel]), data.ctrl.copy(), self.mj.opt.timestep
        limited = self.mj.actuator_ctrllimited.astype(bool)
        self.span = np.full(self.mj.nu, 0.2) if self.mj.nkey else np.where(limited, 0.5 * self.mj.actuator_ctrlrange[:, 1], 0.5)
        if name == "arm with cube":
            self.span[7:] = 0.0  # the fingers hold the cube

    def states(self, rng, worlds):
        out = np.tile(self.start, (worlds, 1))
        out[:, 1 + self.mj.nq:] += rng.uniform(-0.1, 0.1, (worlds, self.mj.nv))
        return out

    def controls(self, rng, worlds, steps):
        blocks = self.hold + self.span * rng.uniform(-1.0, 1.0, (worlds, (steps + 9) // 10, self.mj.nu))
        return np.repeat(blocks, 10, axis=1)[:, :steps]


class Abut:
    """abut.rollout, with batches that are made before the time runs."""

    name = "abut"

    def __init__(self, robot, worlds, threads):
        self.batch = abut.Batch(robot.model, worlds, threads)

    def run(self, states, controls):
        """Last states."""
        return abut.rollout(self.batch, states, controls)[:, -1]


class MuJoCo:
    """mujoco.rollout, with a pool of threads that stays."""

    name = f"MuJoCo {mujoco.__version__}"

    def __init__(self, robot, worlds, threads):
        del worlds
        self.mj, self.data, self.pool = robot.mj, [mujoco.MjData(robot.mj) for _ in range(threads)], mujoco.rollout.Rollout(nthread=threads if threads > 1 else 0)

    def run(self, states, controls):
        """Last states."""
        return self.pool.rollout([self.mj] * len(states), self.data, initial_state=states, control=controls)[0][:, -1]


def begun(robot, engine, rng):
    """States of some worlds that have acted for half a second."""
    count = 32
    return engine(robot, count, 1).run(robot.states(rng, count), robot.controls(rng, count, round(0.5 / robot.h)))


def clocked(engine, states, controls, clock=time.process_time):
    begin = clock()
    last = engine.run(states, controls)
    return clock() - begin, int((~np.isfinite(last).all(axis=1)).sum())


def quality(robot, engine, count):
    """(deepest contact in mm, mean over worlds; energy of motion in mJ, mean) after standing still."""
    rng = np.random.default_rng(7)
    runner, data = engine(robot, count, 1), mujoco.MjData(robot.mj)
    states = runner.run(robot.states(rng, count), robot.controls(rng, count, round(0.5 / robot.h)))
    rest = runner.run(states, np.broadcast_to(robot.hold, (count, round(1.5 / robot.h), robot.mj.nu)).copy())
    depths, energies = [], []
    for state in rest[np.isfinite(rest).all(axis=1)]:
        data.qpos[:], data.qvel[:] = state[1:1 + robot.mj.nq], state[1 + robot.mj.nq:]
        mujoco.mj_forward(robot.mj, data)
        mujoco.mj_energyVel(robot.mj, data)
        depths.append(max([0.0] + [-c.dist for c in data.contact]))
        energies.append(data.energy[1])
    return 1e3 * float(np.mean(depths)), 1e3 * float(np.mean(energies))


def measure(robot, worlds, seconds):
    """Rows of both engines with so many worlds, in one thread, and in two where there are worlds for them."""
    engines, rows = (Abut, MuJoCo), []
    begin = {e: begun(robot, e, np.random.default_rng(3)) for e in engines}
    each, one = {}, {}
    for e in engines:  # steps that take the time wanted
        engine, states = e(robot, worlds, 1), np.resize(begin[e], (worlds, len(robot.start)))
        taken, _ = clocked(engine, states, robot.controls(np.random.default_rng(4), worlds, 10))
        each[e] = engine, states, taken
    steps = int(np.clip(10 * seconds / max(1e-9, max(t for *_, t in each.values())), 5, 2000))
    controls = robot.controls(np.random.default_rng(5), worlds, steps)
    best = {e: [np.inf, np.inf, 0] for e in engines}
    for _ in range(3):
        for e in engines:
            taken, failed = clocked(*each[e][:2], controls)
            best[e] = [min(best[e][0], taken), np.inf, failed]
    for e in engines:
        us = 1e6 * best[e][0] / (worlds * steps)
        rows.append([f"worlds/{robot.name}/{worlds}", e.name, 1, worlds * steps, f"{us:.3f}", f"{1e6 / us:.0f}", "", "", "", best[e][2]])
        one[e] = us
    if worlds < 1000:
        return rows
    for e in engines:
        pair, walls = e(robot, worlds, 2), {1: np.inf, 2: np.inf}
        for _ in range(3):
            for threads, engine in ((1, each[e][0]), (2, pair)):
                walls[threads] = min(walls[threads], clocked(engine, each[e][1], controls, time.perf_counter)[0])
        us = 1e6 * walls[2] * 2 / (worlds * steps)
        rows.append([f"worlds/{robot.name}/{worlds}", e.name, 2, worlds * steps, f"{us:.3f}", f"{1e6 / us:.0f}", f"{walls[1] / walls[2] / 2:.3f}", "", "", 0])
    return rows


def main():
    words = sys.argv[1:]
    seconds = float(words[words.index("--seconds") + 1]) if "--seconds" in words else 0.5
    if "--seconds" in words:
        del words[words.index("--seconds"):words.index("--seconds") + 2]
    path, counts = words[0], [int(w) for w in words[1:]] or [1, 64, 1024, 4096]
    rows = []
    for name, file in FILES.items():
        robot = Robot(name, file)
        own = [row for count in counts for row in measure(robot, count, seconds if count < 4096 else 1.5 * seconds)]
        for engine in (Abut, MuJoCo):
            depth, moving = quality(robot, engine, min(STILL, max(counts)))
            for row in own:
                if row[1] == engine.name:
                    row[7:9] = f"{depth:.4f}", f"{moving:.3g}"
        rows += own
        print(*(" ".join(map(str, row)) for row in own), sep="\n", flush=True)
    with open(path, "w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows([HEAD, *rows])


if __name__ == "__main__":
    main()
