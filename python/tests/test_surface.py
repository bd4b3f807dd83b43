# SPDX-License-Identifier: Apache-2.0
"""Every public function of C and every command of the tool has its form in Python: the table in docs/python_surface.md."""
import inspect
import re
import warnings

from conftest import ROOT

import abut

TABLE = (ROOT / "docs/python_surface.md").read_text()
ROOMS = re.findall(r"^## ([a-z]+)$", TABLE, re.M)
# Makers of settings and names, memory, checks that Python makes by itself.
PLUMBING = re.compile(r"_(free|release|retain|size|default|name|find|check|words|list_get|workspace|close|cancel|commit|open)$")
OWN = re.compile(r"^abut_(csv|npz|file|array|gif)_|^abut_(page_available|mesh_name_fits|clearance_space_create|angle_between)$")
ROW = re.compile(r"^\| (`abut[_ ][^|]*) \| `(abut\.[A-Za-z_.]+)` \|$", re.M)


def rows():
    return [(re.findall(r"`(abut[_ ][a-z0-9_ ]+)`", left), right) for left, right in ROW.findall(TABLE)]


def test_every_name_is_there():
    assert len(rows()) > 150
    for _, name in rows():
        thing = abut
        for part in name.split(".")[1:]:
            thing = getattr(thing, part)
        assert inspect.getdoc(thing), f"{name} has no docstring"


def test_every_c_function_has_a_row():
    told = {name for names, _ in rows() for name in names}
    public = set()
    for room in ROOMS:
        header = ROOT / f"include/abut/{room}.h"
        if header.exists():
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
            public |= set(re.findall(r"^ABUT_API [^;{(]*?\b(abut_[a-z0-9_]+) ?\(", text, re.M))
    assert told - public - {n for n in told if " " in n} == set(), "the table names functions that are not public"
    queries = {name for name in public if not PLUMBING.search(name) and not OWN.search(name)}
    without = sorted(queries - told)
    warnings.warn(f"{len(without)} public functions without a Python form: {', '.join(without)}")
    assert len(queries & told) > 200


def test_every_command_has_a_row(tool):
    told = {name.split()[1] for names, _ in rows() for name in names if name.startswith("abut ")}
    commands = set(re.findall(r"^  ([a-z]+) ", tool("help"), re.M)) - {"help", "reproduce", "sweep"}
    without = sorted(commands - told)
    warnings.warn(f"commands without a Python form: {', '.join(without) or 'none'}")
    assert len(told & commands) >= 15


def test_the_stub_is_what_the_classes_are(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import make_stub
    make_stub.main()
    stub = (ROOT / "python/src/abut/_abut.pyi").read_text()
    assert capsys.readouterr().out == stub, "run make_stub.py"
    compile(stub, "_abut.pyi", "exec")


def test_functions_explain_themselves():
    for name, thing in vars(abut).items():
        if name.startswith("_") or inspect.ismodule(thing) or not callable(thing):
            continue
        assert inspect.getdoc(thing), f"abut.{name} has no docstring"
        if inspect.isfunction(thing):
            hints = inspect.signature(thing)
            assert hints.return_annotation is not inspect.Signature.empty, f"abut.{name} has no type"
    text = inspect.getdoc(abut.distance)
    assert "metres" in text and "within" in text


def test_methods_bear_their_public_names():
    for owner in (abut.Convex, abut.Mesh, abut.Model, abut.ModeSystem, abut.Motion, abut.Overlap):
        for name, method in vars(owner).items():
            function = getattr(method, "__func__", method)
            if inspect.isfunction(function) and not name.startswith("_"):
                assert (function.__name__, function.__qualname__) == (name, f"{owner.__name__}.{name}") or name == "decompose"
