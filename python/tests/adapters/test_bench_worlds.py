# SPDX-License-Identifier: Apache-2.0
"""The part of the benchmark for many worlds, small: both engines move every robot, rest as deep as they say, and the page is written."""
import csv
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mujoco", reason="mujoco is not installed")
ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_rows_and_page(tmp_path):
    (tmp_path / "run.csv").write_text("key,value\n")
    subprocess.run([sys.executable, ROOT / "bench/python/worlds.py", tmp_path / "worlds.csv", "1", "3", "--seconds", "0.01"], check=True, capture_output=True)
    with open(tmp_path / "worlds.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    robots = {row["case"].split("/")[1] for row in rows}
    assert robots == {"humanoid", "ant", "quadruped", "arm with cube"} and len(rows) == 16
    for row in rows:
        assert row["failed"] == "0" and float(row["us_per_step"]) > 0.0 and int(row["steps"]) >= 5
        assert 0.0 <= float(row["depth_mm"]) < (1.0 if row["engine"] == "abut" else 5.0), row
    subprocess.run([sys.executable, ROOT / "bench/report/write.py", tmp_path, ROOT, "--to", tmp_path / "pages"], check=True)
    page = (tmp_path / "pages/worlds.md").read_text(encoding="utf-8")
    assert "worlds/arm with cube/3" in page and "MuJoCo" in page
