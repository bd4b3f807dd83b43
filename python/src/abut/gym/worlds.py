# SPDX-License-Identifier: Apache-2.0
"""The environments of Gymnasium: one world, and many worlds of one batch."""
from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ..pictures import render
from ..robots import Robot
from .tasks import TASKS, Task

_METADATA = {"render_modes": ["rgb_array"], "render_fps": 50}


def _make(task: str, n: int, threads: int, render_mode: str | None) -> Task:
    if task not in TASKS:
        raise ValueError(f"task: expected one of {', '.join(TASKS)}, got {task!r}")
    if render_mode not in (None, "rgb_array"):
        raise ValueError(f"render_mode: expected None or 'rgb_array', got {render_mode!r}")
    return TASKS[task](n, threads)


def _spaces(task: Task) -> tuple[spaces.Box, spaces.Box]:
    size, actions = task.look().shape[1], len(task.center)
    return spaces.Box(-np.inf, np.inf, (size,), np.float64), spaces.Box(-1.0, 1.0, (actions,), np.float32)


def _actions(actions, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asarray(actions, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"actions: expected shape {shape}, got shape {array.shape}")
    return array


def _judge(task: Task, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rewards and ends; a world that failed has come to an end and earns nothing."""
    rewards, ends = task.judge(actions)
    failed = task.batch.status != 0
    return np.where(failed, 0.0, rewards), ends | failed


def _picture(task: Task, world: int) -> np.ndarray:
    robot = Robot(task.batch.model)
    robot.set(task.batch.qpos[world])
    return render(robot, size=(320, 240))


class World(gymnasium.Env):
    """One world with a task: ``gymnasium.make("abut/Hopper-v0")``."""

    metadata = _METADATA

    def __init__(self, task: str, render_mode: str | None = None):
        self.task = _make(task, 1, 1, render_mode)
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(self.task)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins an episode near the start."""
        super().reset(seed=seed)
        self.task.begin(np.ones(1, bool), [self.np_random])
        return self.task.look()[0], {}

    def step(self, action):
        """Goes on by one step of the task; TimeLimit ends episodes."""
        actions = _actions(action, self.action_space.shape)[None]
        self.task.act(actions)
        rewards, ends = _judge(self.task, actions)
        return self.task.look()[0], float(rewards[0]), bool(ends[0]), False, {"time": float(self.task.batch.time[0])}

    def render(self):
        """A picture of the world."""
        return _picture(self.task, 0) if self.render_mode else None

    def close(self):
        """Ends the use of the world."""
        self.task.batch.close()


class Worlds(gymnasium.vector.VectorEnv):
    """Many worlds of one batch: ``gymnasium.make_vec("abut/Hopper-v0", num_envs=1024)``.

    A world that has come to an end begins again in the next step, whose action it does not see. With seed s, world i is
    the single environment with seed s + i, to the bit. threads: 0 takes all processors.
    """

    metadata = _METADATA | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int, task: str, max_episode_steps: int | None = None, threads: int = 0,
                 render_mode: str | None = None):
        self.num_envs, self.render_mode = num_envs, render_mode
        self.task = _make(task, num_envs, threads, render_mode)
        self.steps = self.task.steps if max_episode_steps is None else max_episode_steps
        self.single_observation_space, self.single_action_space = _spaces(self.task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.ended, self.elapsed = np.zeros(num_envs, bool), np.zeros(num_envs, int)
        self.generators: list[np.random.Generator] = []
        self._seed(None)

    def _seed(self, seed: int | list[int | None] | None, mask: np.ndarray | None = None) -> None:
        """Generators as single environments have them; None keeps them."""
        if not self.generators:
            self.generators = [gymnasium.utils.seeding.np_random(None)[0] for _ in range(self.num_envs)]
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if seed is None or isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected {self.num_envs} seeds, got {len(seeds)}")
        for i, one in enumerate(seeds):
            if one is not None and (mask is None or mask[i]):
                self.generators[i] = gymnasium.utils.seeding.np_random(int(one))[0]

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None):
        """Begins new episodes; ``options={"reset_mask": booleans}`` in some worlds only."""
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask: expected {self.num_envs} booleans, got shape {mask.shape} of {mask.dtype}")
        self._seed(seed, mask)
        self.task.begin(mask, self.generators)
        self.ended[mask], self.elapsed[mask] = False, 0
        return self.task.look(), {}

    def step(self, actions):
        """Goes on by one step in all worlds; those that had come to an end begin again."""
        actions, again = _actions(actions, self.action_space.shape), self.ended.copy()
        self.task.act(actions)
        rewards, ends = _judge(self.task, actions)
        self.elapsed += 1
        cut = self.elapsed >= self.steps
        if again.any():
            self.task.begin(again, self.generators)
            rewards[again], ends[again], cut[again], self.elapsed[again] = 0.0, False, False, 0
        self.ended = ends | cut
        return self.task.look(), rewards, ends, cut, {"time": self.task.batch.time.copy()}

    def render(self):
        """Pictures of all worlds."""
        return tuple(_picture(self.task, i) for i in range(self.num_envs)) if self.render_mode else None

    def close_extras(self, **kwargs):
        """Ends the use of the batch."""
        self.task.batch.close()
