# SPDX-License-Identifier: Apache-2.0
"""Every example runs, prints what docs/gallery.md shows, and draws its picture."""
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))
GALLERY = (ROOT / "docs/gallery.md").read_text()


@pytest.mark.parametrize("path", EXAMPLES, ids=[p.stem for p in EXAMPLES])
def test_example(path, tmp_path):
    done = subprocess.run([sys.executable, path, tmp_path / "picture.png"], capture_output=True, text=True, cwd=tmp_path,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "picture.png").stat().st_size > 500
    shown = re.search(rf"\]\(\.\./examples/python/{path.name}\).*?```text\n(.*?)```", GALLERY, re.S)
    assert shown and shown.group(1) == done.stdout
    assert (ROOT / f"docs/gallery/{path.stem}.png").exists()
