# SPDX-License-Identifier: Apache-2.0
"""Prints the type stub of the extension, src/abut/_abut.pyi, from the classes as they are once the package is imported.

Usage: PYTHONPATH=src python3 make_stub.py >src/abut/_abut.pyi      (a test compares)
"""
import inspect
import re

import abut
from abut import _abut

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by make_stub.py: the classes of the extension with what the package adds to them. Its functions are private.
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Body = Any
Moving = Any
'''


TYPES = {"f8": "float", "i4": "int", "i8": "int", "u8": "int", "flag": "bool", "word": "str"}
ARRAYS = {"f8": "NDArray[np.float64]", "i8": "NDArray[np.int64]"}


def record(name: str) -> list[str]:
    """The fields of a record, from the table that the extension has of it."""
    lines = []
    for field, kind, rows, _columns, _offset, unit, sentence in _abut.record_fields()[name][0]:
        kind = ARRAYS.get(kind, "NDArray[np.int32]") if rows else TYPES[kind]
        lines.append(f"    {field}: {kind}" + (f"  # {unit + ': ' if unit else ''}{sentence}" if sentence else ""))
    return lines + ["    def as_dict(self) -> dict[str, Any]: ..."]


def member(name: str, value) -> list[str]:
    if isinstance(value, staticmethod):
        return ["    @staticmethod", f"    def {name}{inspect.signature(value.__func__)}: ..."]
    if inspect.isfunction(value):
        return [f"    def {name}{inspect.signature(value)}: ..."]
    if isinstance(value, property) or inspect.isgetsetdescriptor(value):
        return ["    @property", f"    def {name}(self) -> Any: ..."]
    return [f"    def {name}(self, *arguments: Any) -> Any: ..."]


def plain(cls) -> list[str]:
    lines = []
    if inspect.isfunction(cls.__new__) and cls.__new__.__name__ != "<lambda>":
        signature = inspect.signature(cls.__new__)
        signature = signature.replace(return_annotation=inspect.Signature.empty)
        lines.append(f"    def __new__{signature} -> {cls.__name__}: ...")
    for name, value in sorted(vars(cls).items()):
        if not name.startswith("_"):
            lines += member(name, value)
    for name in ("__iter__", "__len__", "__getitem__"):
        if name in vars(cls):
            lines.append(f"    def {name}(self, *arguments: Any) -> Any: ...")
    return lines or ["    ..."]


def main() -> None:
    print(HEAD)
    for name, value in sorted(vars(_abut).items()):
        if inspect.isclass(value):
            lines = record(name) if name in abut.DTYPES else plain(value)
            print(re.sub(r"(: |-> )'([^']*)'", r"\1\2", "\n".join([f"class {name}:", *lines, ""])))
    for name, value in sorted(vars(_abut).items()):
        if callable(value) and not inspect.isclass(value):
            print(f"def {name}(*arguments: Any) -> Any: ...")


if __name__ == "__main__":
    main()
