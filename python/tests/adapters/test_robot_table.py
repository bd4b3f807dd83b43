# SPDX-License-Identifier: Apache-2.0
"""The table of robot files of the Python registry is what the readers do with the packages that are here."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_table_is_true():
    done = subprocess.run([sys.executable, ROOT / "scripts/robot-table", "--check"], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
