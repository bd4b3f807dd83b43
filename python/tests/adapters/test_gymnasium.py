# SPDX-License-Identifier: Apache-2.0
"""The environments of Gymnasium: its own checkers, many worlds against single ones, episodes, refusals."""
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="gymnasium is not installed")

import abut.gym  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

NAMES = sorted(abut.gym.TASKS)


def test_all_are_registered():
    assert NAMES == sorted(["Humanoid", "Ant", "Hopper", "HalfCheetah", "Walker2d", "Quadruped", "Reach", "Push", "InHand"])


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_accepts_it(name):
    env = gymnasium.make(f"abut/{name}-v0", disable_env_checker=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*(Box observation space m|WARN.*infinity).*")
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_many_worlds_are_single_worlds(name):
    n, rng = 3, np.random.default_rng(5)
    many = gymnasium.make_vec(f"abut/{name}-v0", num_envs=n, max_episode_steps=20, threads=2)
    single = [gymnasium.make(f"abut/{name}-v0", max_episode_steps=20, disable_env_checker=True) for _ in range(n)]
    assert many.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    seen, infos = many.reset(seed=7)
    assert seen.shape == many.observation_space.shape and infos == {} and many.observation_space.contains(seen)
    for i in range(n):
        assert seen[i].tobytes() == single[i].reset(seed=7 + i)[0].tobytes()
    ended = np.zeros(n, bool)
    for _ in range(50):
        actions = rng.uniform(-1.0, 1.0, many.action_space.shape).astype(np.float32)
        seen, rewards, ends, cuts, _ = many.step(actions)
        for i in range(n):
            if ended[i]:
                want, reward, end, cut = *single[i].reset()[:1], 0.0, False, False
            else:
                want, reward, end, cut, _ = single[i].step(actions[i])
            assert seen[i].tobytes() == want.tobytes() and (rewards[i], ends[i], cuts[i]) == (reward, end, cut)
        ended = ends | cuts
    many.close()


def test_some_worlds_begin_anew():
    many = gymnasium.make_vec("abut/Hopper-v0", num_envs=4, threads=1)
    first, _ = many.reset(seed=3)
    seen = many.step(np.ones(many.action_space.shape, np.float32))[0]
    mask = np.array([True, False, True, False])
    again, _ = many.reset(seed=3, options={"reset_mask": mask})
    assert (again[mask] == first[mask]).all() and (again[~mask] == seen[~mask]).all()
    many.close()


def test_the_tip_of_the_arm():
    task = abut.gym.TASKS["Reach"](1, 1)
    robot = abut.Robot(task.batch.model)
    for q in np.random.default_rng(1).uniform(-1.0, 1.0, (20, 4)):
        task.batch.qpos[0] = q
        robot.set(q)
        assert task.tip()[0] == pytest.approx(robot.frame_pose("tip")[:3], abs=1e-12)


@pytest.mark.parametrize("call, text", [
    (lambda: abut.gym.World("Swim"), "task: expected one of Humanoid"),
    (lambda: abut.gym.World("Hopper", render_mode="human"), "render_mode: expected None or 'rgb_array', got 'human'"),
    (lambda: abut.gym.Worlds(0, "Hopper"), "worlds: expected 1 or more, got 0"),
    (lambda: abut.gym.Worlds(2, "Hopper").reset(seed=[1]), "seed: expected 2 seeds, got 1"),
    (lambda: abut.gym.Worlds(2, "Hopper").reset(options={"reset_mask": np.ones(3, bool)}), "reset_mask: expected 2 booleans"),
    (lambda: abut.gym.Worlds(2, "Hopper").step(np.zeros((2, 2))), r"actions: expected shape \(2, 3\), got shape \(2, 2\)"),
])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_an_action_that_is_no_number_ends_the_episode():
    env = gymnasium.make("abut/Ant-v0", disable_env_checker=True).unwrapped
    env.reset(seed=1)
    seen, reward, end, _, _ = env.step(np.full(8, np.nan))
    assert end and reward == 0.0 and np.isfinite(seen).all()
    assert not env.reset(seed=1)[1] and env.step(np.zeros(8))[2] is False
