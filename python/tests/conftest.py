# SPDX-License-Identifier: Apache-2.0
"""What the tests share: numbers of cases, the tool, random poses."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cases(full: int) -> int:
    """One percent of `full` in a normal run; ABUT_TEST_SCALE multiplies it, 100 is all."""
    return max(100, int(0.01 * full * float(os.environ.get("ABUT_TEST_SCALE", "1"))))


def random_poses(count: int, seed: int, spread: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    poses = np.concatenate([rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))], axis=1)
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    return poses


@pytest.fixture
def tool(tmp_path):
    """Runs the command-line tool in a folder of its own and gives its JSON."""
    path = os.environ.get("ABUT_CLI", str(ROOT / "build/abut"))
    if not os.path.exists(path):
        pytest.skip("the tool abut is not built")

    def run(*arguments, status=0):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run
