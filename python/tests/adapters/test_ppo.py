# SPDX-License-Identifier: Apache-2.0
"""The example of PPO learns: the return of the hopper rises to several times that of the first episodes."""
import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("gymnasium", minversion="1.1", reason="gymnasium is not installed")
pytest.importorskip("torch", reason="torch is not installed")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples/adapters"))
import gymnasium_ppo  # noqa: E402


def test_the_return_rises():
    trainer = gymnasium_ppo.Trainer("Hopper", seed=3)
    while trainer.steps < 100_000:
        trainer.learn()
    first, last = np.mean(trainer.returns[:50]), trainer.mean_return()
    assert first < 60.0 and last > first + 100.0, (first, last)
