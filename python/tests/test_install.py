# SPDX-License-Identifier: Apache-2.0
"""The two lines of installation of the README work, and the extension asks for nothing unusual."""
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import abut

EXTENSION = pathlib.Path(abut.__file__).parent / "_abut.abi3.so"


def test_pip_installs_it(tmp_path):
    """In a virtual environment, without network; the library comes from the build folder of the tests."""
    if "ABUT_BUILD_DIR" not in os.environ:
        pytest.skip("ABUT_BUILD_DIR names no build folder")
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True, env=environment)
    subprocess.run([venv / "bin/pip", "install", "--no-build-isolation", "--no-index", "--no-deps", ROOT],
                   check=True, env=environment, capture_output=True)
    code = "import abut; print(abut.__file__, abut.__version__, abut.meet(abut.sphere(1), abut.sphere(1)))"
    done = subprocess.run([venv / "bin/python", "-c", code], check=True, env=environment, capture_output=True, text=True, cwd=tmp_path)
    where, version, met = done.stdout.split()
    assert str(venv) in where and version == abut.__version__ and met == "True"
    wheel = next(venv.glob("lib*/python*/site-packages/abut-*.dist-info/WHEEL")).read_text()
    assert re.search(r"^Tag: cp311-abi3-linux_", wheel, re.M)
    assert list(venv.glob("lib*/python*/site-packages/abut/py.typed"))
    for command in ([venv / "bin/abut"], [venv / "bin/python", "-m", "abut"]):
        done = subprocess.run([*command, "--version"], check=True, env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert done.stdout.startswith(f"abut {abut.__version__}\n")


def test_the_extension_needs_nothing_unusual():
    usual = {"libc", "libm", "libpthread", "libgomp", "libxml2", "libz", "ld-linux-x86-64", "ld-linux-aarch64"}
    dynamic = subprocess.run(["readelf", "-d", EXTENSION], check=True, capture_output=True, text=True).stdout
    needed = {name.split(".so")[0] for name in re.findall(r"NEEDED.*\[(.*?)\]", dynamic)}
    assert needed <= usual and "RPATH" not in dynamic and "RUNPATH" not in dynamic
    symbols = subprocess.run(["nm", "-D", "--defined-only", EXTENSION], check=True, capture_output=True, text=True).stdout
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__abut"]


def test_the_readme_prints_what_it_shows(tmp_path):
    text = (ROOT / "README.md").read_text()
    code, shown = re.search(r"```python\n(.*?)```\n+```text\n(.*?)```", text, re.S).groups()
    assert len(code.splitlines()) <= 10
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          env=dict(os.environ, PYTHONPATH=str(EXTENSION.parent.parent)))
    assert done.stdout == shown, done.stderr
