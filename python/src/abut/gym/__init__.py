# SPDX-License-Identifier: Apache-2.0
"""Environments of Gymnasium, with robots of our own: ``import abut.gym``, then ``gymnasium.make("abut/Hopper-v0")``.

Humanoid, Ant, Hopper, HalfCheetah, Walker2d and Quadruped run, Reach, Push and InHand reach for goals.
``gymnasium.make_vec(name, num_envs=1024)`` has all worlds in one batch. The rewards and robots are not those of
Gymnasium's own environments of these names: returns do not compare.
"""
try:
    import gymnasium
except ImportError:
    raise ImportError("abut.gym: expected the package gymnasium (pip install gymnasium), which is not installed") from None

from .tasks import TASKS, Task
from .worlds import World, Worlds

for _name, _task in TASKS.items():
    if f"abut/{_name}-v0" not in gymnasium.registry:
        gymnasium.register(f"abut/{_name}-v0", entry_point="abut.gym:World", vector_entry_point="abut.gym:Worlds",
                           max_episode_steps=_task.steps, kwargs={"task": _name})
