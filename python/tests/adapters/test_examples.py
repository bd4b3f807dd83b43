# SPDX-License-Identifier: Apache-2.0
"""Every example of an adapter runs where its package is: the first word of its name."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples/adapters").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[p.stem for p in EXAMPLES])
def test_example(path, tmp_path):
    pytest.importorskip(path.stem.split("_")[0])
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ), check=False)
    assert done.returncode == 0 and done.stdout, done.stderr
