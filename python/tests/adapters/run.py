# SPDX-License-Identifier: Apache-2.0
"""Runs a test of an adapter with the Python of scripts/deps adapters, which has what the adapter adapts to.

Usage: run.py test_NAME.py     exit status 77, with a word, where that Python or the package is not installed
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PYTHON = pathlib.Path(os.environ.get("ABUT_BUILD_DIR", ROOT / "build")) / "adapters/bin/python"


def main() -> int:
    if not PYTHON.exists():
        print("skipped: no packages to adapt to; scripts/deps adapters fetches them")
        return 77
    name = pathlib.Path(__file__).with_name(sys.argv[1])
    os.environ.setdefault("ABUT_MUJOCO_LIBRARY", str(PYTHON.parents[1] / "libabut_mujoco.so"))
    done = subprocess.run([PYTHON, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", name], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="\n")
    return 77 if done.returncode in (0, 5) and " passed" not in done.stdout else done.returncode


if __name__ == "__main__":
    sys.exit(main())
