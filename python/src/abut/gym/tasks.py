# SPDX-License-Identifier: Apache-2.0
"""What the environments ask of their robots: observations, rewards and ends of all worlds of a batch at once."""
from __future__ import annotations

import pathlib

import numpy as np

from ..batches import Batch

_FOLDER = pathlib.Path(__file__).parent / "robots"


class Task:
    """A robot and what it shall do. Actions from -1 to 1 go over the range of each control, or ``span`` around the keyframe."""

    file = ""
    steps = 1000  # of an episode
    substeps = 5  # of a step
    keyframe: str | None = None
    span = 0.0
    noise = 0.01  # of positions and velocities at the start
    watch: tuple = ()
    goal_size = 0
    still = 0  # first positions that have no noise, after those of a free base

    def __init__(self, n: int, threads: int):
        self.batch = Batch(_FOLDER / self.file, n, threads, watch=self.watch)
        self.dt = self.substeps * self.batch.timestep
        self.batch.reset(keyframe=self.keyframe)
        self.start = self.batch.qpos[0].copy()
        self.goal = np.zeros((n, self.goal_size))
        actuators = self.batch.model.actuators
        low, high = (np.array([a["control_range"][k] for a in actuators]) for k in (0, 1))
        self.center, self.half = 0.5 * (low + high), 0.5 * (high - low)
        if self.span > 0.0:
            self.center, self.half = self.batch.ctrl[0].copy(), np.full(len(actuators), self.span)

    def begin(self, mask: np.ndarray, generators: list[np.random.Generator]) -> None:
        """Puts the worlds of the mask near the start."""
        self.batch.reset(mask, self.keyframe)
        for i in np.flatnonzero(mask):
            draw = generators[i].uniform(-self.noise, self.noise, self.batch.qpos.shape[1] + self.batch.qvel.shape[1])
            self.batch.qpos[i] += draw[:self.batch.qpos.shape[1]]
            self.batch.qvel[i] += draw[self.batch.qpos.shape[1]:]
            self.vary(i, generators[i])

    def vary(self, world: int, generator: np.random.Generator) -> None:
        """More that differs from episode to episode."""

    def act(self, actions: np.ndarray) -> None:
        """Steps all worlds."""
        self.batch.ctrl = self.center + self.half * np.clip(actions, -1.0, 1.0)
        self.batch.step(self.substeps)

    def look(self) -> np.ndarray:
        """(n, size) observations."""
        raise NotImplementedError

    def judge(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards of the last step, and which worlds have come to an end."""
        raise NotImplementedError


class Run(Task):
    """Forward along x as fast as it goes, without falling, with little effort."""

    height = (0.0, np.inf)  # of the base
    tilt = np.inf
    alive, effort, pace, fastest = 1.0, 1e-3, 1.0, np.inf
    free = False  # 1: the base is a free body

    def act(self, actions):
        self.before = self.batch.qpos[:, 0].copy()
        super().act(actions)

    def look(self):
        skip = 2 if self.free else 1
        return np.concatenate([self.batch.qpos[:, skip:], np.clip(self.batch.qvel, -10.0, 10.0)], axis=1)

    def upright(self):
        """Is the base neither too low nor too far from upright?"""
        q = self.batch.qpos
        height = q[:, 2] if self.free else q[:, 1]
        lean = 2.0 * np.arcsin(np.minimum(np.hypot(q[:, 4], q[:, 5]), 1.0)) if self.free else np.abs(q[:, 2])
        return (height > self.height[0]) & (height < self.height[1]) & (lean < self.tilt)

    def judge(self, actions):
        good = self.upright()
        speed = (self.batch.qpos[:, 0] - self.before) / self.dt
        reward = self.pace * np.minimum(speed, self.fastest) + self.alive * good - self.effort * (actions**2).sum(axis=1)
        return reward, ~good


class Hopper(Run):
    file, substeps = "hopper.xml", 2
    height, tilt = (-0.35, np.inf), 0.35


class Walker2d(Run):
    file, substeps = "walker2d.xml", 2
    height, tilt = (-0.4, np.inf), 1.0


class HalfCheetah(Run):
    file, alive, effort = "half_cheetah.xml", 0.0, 0.1
    height = (-np.inf, np.inf)


class Ant(Run):
    file, free, effort = "ant.xml", True, 0.3
    height, tilt = (0.2, 1.2), 1.6


class Humanoid(Run):
    file, free, alive, effort, substeps = "humanoid.xml", True, 4.0, 0.1, 4
    height, tilt, pace = (0.8, 1.8), 1.0, 1.25


class Quadruped(Run):
    """A walk of up to 1.5 m/s."""

    file, free, keyframe, span, substeps = "quadruped.xml", True, "stand", 0.5, 5
    height, tilt, effort, alive, fastest = (0.16, 0.6), 0.8, 0.02, 0.2, 1.5


class Reach(Task):
    """The tip to a place that changes from episode to episode."""

    file, keyframe, span, steps, goal_size = "reach.xml", "home", 1.0, 150, 3

    def __init__(self, n, threads):
        super().__init__(n, threads)
        self.links = np.array([0.32, 0.28, 0.1])

    def tip(self):
        """(n, 3) place of the tip: of a chain that turns about z, then bends in a plane."""
        q = self.batch.qpos
        angle = np.cumsum(q[:, 1:4], axis=1)
        out, up = (np.sin(angle) * self.links).sum(axis=-1), (np.cos(angle) * self.links).sum(axis=-1)
        return np.stack([out * np.cos(q[:, 0]), out * np.sin(q[:, 0]), 0.45 + up], axis=1)

    def vary(self, world, generator):
        turn, lift, bend = generator.uniform([-1.0, 0.2, 0.6], [1.0, 1.2, 1.8])
        angle = np.cumsum([lift, bend, 0.4])
        out, up = (np.sin(angle) * self.links).sum(axis=-1), (np.cos(angle) * self.links).sum(axis=-1)
        self.goal[world] = out * np.cos(turn), out * np.sin(turn), 0.45 + up

    def look(self):
        tip = self.tip()
        return np.concatenate([self.batch.qpos, np.clip(self.batch.qvel, -10.0, 10.0), self.goal, self.goal - tip], axis=1)

    def judge(self, actions):
        away = np.linalg.norm(self.goal - self.tip(), axis=1)
        return -away + (away < 0.03) - 0.01 * (actions**2).sum(axis=1), np.zeros(len(away), bool)


class Push(Task):
    """The puck to a place on the table."""

    file, steps, goal_size, noise = "push.xml", 200, 2, 0.0

    def vary(self, world, generator):
        self.batch.qpos[world, 2:4] = generator.uniform([0.12, -0.15], [0.25, 0.15])
        self.goal[world] = generator.uniform([0.3, -0.25], [0.45, 0.25])

    def look(self):
        q = self.batch.qpos
        return np.concatenate([q, np.clip(self.batch.qvel, -10.0, 10.0), self.goal - q[:, 2:4], q[:, 2:4] - q[:, :2]], axis=1)

    def judge(self, actions):
        q = self.batch.qpos
        puck, finger = np.linalg.norm(self.goal - q[:, 2:4], axis=1), np.linalg.norm(q[:, 2:4] - q[:, :2], axis=1)
        return -puck - 0.2 * finger + (puck < 0.03), np.abs(q[:, 2:4]).max(axis=1) > 0.9


class InHand(Task):
    """The cube turned about the vertical to an angle, without dropping it."""

    file, steps, goal_size, noise, substeps = "in_hand.xml", 250, 1, 0.005, 5

    def vary(self, world, generator):
        self.goal[world] = generator.uniform(-0.7, 0.7)

    def angle(self):
        """(n,) turn of the cube about z."""
        w, x, y, z = self.batch.qpos[:, 11:15].T
        return np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def look(self):
        left = self.goal[:, 0] - self.angle()
        turn = np.stack([np.cos(left), np.sin(left)], axis=1)
        return np.concatenate([self.batch.qpos, np.clip(self.batch.qvel, -20.0, 20.0), turn], axis=1)

    def judge(self, actions):
        left = np.abs(np.angle(np.exp(1j * (self.goal[:, 0] - self.angle()))))
        lost = self.batch.qpos[:, 10] < 0.19
        return -left + (left < 0.1) - 5.0 * lost - 0.01 * (actions**2).sum(axis=1), lost


#: The tasks by the names of their environments.
TASKS = {task.__name__: task for task in (Humanoid, Ant, Hopper, HalfCheetah, Walker2d, Quadruped, Reach, Push, InHand)}
