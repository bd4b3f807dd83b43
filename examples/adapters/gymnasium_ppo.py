# SPDX-License-Identifier: Apache-2.0
"""Trains a robot to run by PPO on many worlds of one batch: gymnasium_ppo.py [TASK] [SECONDS] [RETURN]

Ends after so many seconds, or when the mean return of the last episodes reaches RETURN; prints a line every five
seconds. gymnasium_ppo.py Hopper 600 1500 trains for ten minutes at most. Needs gymnasium and torch (CPU).
"""
import sys
import time

import abut.gym  # registers the environments
import gymnasium
import numpy as np
import torch
from torch import nn

WORLDS, STEPS, EPOCHS, BATCH = 64, 64, 6, 1024
DISCOUNT, TRACE, CLIP, RATE = 0.99, 0.95, 0.2, 7e-4


class Agent(nn.Module):
    """A normal distribution of actions whose mean is a network of the observation, and the value of the observation."""

    def __init__(self, seen: int, actions: int):
        super().__init__()
        self.mean, self.value = self.network(seen, actions, 0.01), self.network(seen, 1, 1.0)
        self.spread = nn.Parameter(torch.full((actions,), -0.5))
        self.register_buffer("center", torch.zeros(seen))
        self.register_buffer("square", torch.ones(seen))
        self.register_buffer("count", torch.tensor(1e-2))

    @staticmethod
    def network(size: int, out: int, gain: float) -> nn.Sequential:
        layers = [nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out)]
        for layer in layers[::2]:
            nn.init.orthogonal_(layer.weight, gain if layer is layers[-1] else 2**0.5)
            nn.init.zeros_(layer.bias)
        return nn.Sequential(*layers)

    def watch(self, seen: torch.Tensor) -> None:
        """Takes observations into their mean and spread."""
        total = self.count + len(seen)
        away = seen.mean(0) - self.center
        self.square += (seen.var(0, unbiased=False) - self.square + away**2 * self.count / total) * len(seen) / total
        self.center += away * len(seen) / total
        self.count.copy_(total)

    def scaled(self, seen: torch.Tensor) -> torch.Tensor:
        return ((seen - self.center) / (self.square + 1e-6).sqrt()).clamp(-8.0, 8.0)

    def actions(self, seen: torch.Tensor) -> torch.distributions.Normal:
        return torch.distributions.Normal(self.mean(self.scaled(seen)), self.spread.clamp(-3.0, 0.5).exp())

    def worth(self, seen: torch.Tensor) -> torch.Tensor:
        return self.value(self.scaled(seen)).squeeze(-1)


def tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_dlpack(np.ascontiguousarray(array, dtype=np.float64)).float()


class Trainer:
    def __init__(self, task: str, seed: int = 1, threads: int = 1):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.worlds = gymnasium.make_vec(f"abut/{task}-v0", num_envs=WORLDS, threads=threads)
        self.agent = Agent(self.worlds.single_observation_space.shape[0], self.worlds.single_action_space.shape[0])
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=RATE, eps=1e-5)
        self.seen = tensor(self.worlds.reset(seed=seed)[0])
        self.begins = np.zeros(WORLDS, bool)  # worlds whose next step only begins an episode
        self.sums, self.returns, self.steps = np.zeros(WORLDS), [], 0

    @torch.no_grad()
    def collect(self) -> list[torch.Tensor]:
        """So many steps of all worlds: observations, actions, their log densities, advantages, values; flat."""
        rows, values, rewards, ends, done, valid = [], [], [], [], [], []
        for _ in range(STEPS):
            choice = self.agent.actions(self.seen)
            action = choice.sample()
            seen, reward, end, cut, _ = self.worlds.step(np.from_dlpack(action))
            rows.append((self.seen, action, choice.log_prob(action).sum(-1)))
            values.append(self.agent.worth(self.seen))
            rewards.append(tensor(reward)), ends.append(tensor(end)), done.append(tensor(end | cut)), valid.append(tensor(~self.begins))
            self.sums += reward
            self.returns += list(self.sums[end | cut])
            self.sums[end | cut] = 0.0
            self.begins, self.seen = end | cut, tensor(seen)
        self.steps += STEPS * WORLDS
        values.append(self.agent.worth(self.seen))
        trace, advantages = torch.zeros(WORLDS), []
        for t in reversed(range(STEPS)):
            error = 0.1 * rewards[t] + DISCOUNT * values[t + 1] * (1.0 - ends[t]) - values[t]
            trace = error + DISCOUNT * TRACE * (1.0 - done[t]) * trace
            advantages.insert(0, trace)
        seen, actions, density = (torch.stack(column).flatten(0, 1) for column in zip(*rows))
        good = torch.stack(valid).flatten() > 0.5
        advantage, value = torch.stack(advantages).flatten(), torch.stack(values[:-1]).flatten()
        return [column[good] for column in (seen, actions, density, advantage, advantage + value)]

    def learn(self) -> None:
        """One round of PPO."""
        data = self.collect()
        self.agent.watch(data[0])
        for _ in range(EPOCHS):
            for part in torch.randperm(len(data[0])).split(BATCH):
                seen, actions, density, advantage, target = (column[part] for column in data)
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                choice = self.agent.actions(seen)
                ratio = (choice.log_prob(actions).sum(-1) - density).exp()
                gain = torch.minimum(ratio * advantage, ratio.clamp(1.0 - CLIP, 1.0 + CLIP) * advantage).mean()
                loss = 0.5 * ((self.agent.worth(seen) - target)**2).mean() - gain
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.optimizer.step()

    def mean_return(self) -> float:
        """Of the last 50 episodes."""
        return float(np.mean(self.returns[-50:])) if self.returns else float("nan")


def main() -> None:
    task, seconds, goal = (sys.argv[1:] + ["Hopper", "20", "inf"][len(sys.argv) - 1:])[:3]
    trainer, start, shown = Trainer(task), time.monotonic(), 0.0
    while time.monotonic() - start < float(seconds) and not trainer.mean_return() >= float(goal):
        trainer.learn()
        now = time.monotonic() - start
        if now - shown >= 5.0:
            shown = now
            print(f"{now:5.0f} s  {trainer.steps:8d} steps  mean return {trainer.mean_return():8.1f}", flush=True)
    print(f"ended after {time.monotonic() - start:.0f} s with a mean return of {trainer.mean_return():.1f}")


if __name__ == "__main__":
    main()
