# SPDX-License-Identifier: Apache-2.0
"""Every example of an adapter runs where the packages are that it imports."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples/adapters").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[p.stem for p in EXAMPLES])
def test_example(path, tmp_path):
    for name in re.findall(r"^(?:import|from) (\w+)", path.read_text(), re.M):
        pytest.importorskip(name)
    if "abut.mujoco.attach" in path.read_text() and not os.path.isfile(os.environ.get("ABUT_MUJOCO_LIBRARY", "")):
        pytest.skip("libabut_mujoco.so is not built")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ), check=False)
    assert done.returncode == 0 and done.stdout, done.stderr
