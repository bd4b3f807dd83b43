# SPDX-License-Identifier: Apache-2.0
"""Prints the type stub of the extension, src/abut/_abut.pyi, from the classes as they are once the package is imported.

Usage: PYTHONPATH=src python3 make_stub.py >src/abut/_abut.pyi      (a test compares)
"""
import inspect
import re

import numpy as np

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


def field_type(dtype: np.dtype, name: str, words: set) -> str:
    field = dtype[name]
    if field.shape:
        return "NDArray[np.float64]" if field.base.kind == "f" else "NDArray[np.int64]" if field.base.itemsize == 8 else "NDArray[np.int32]"
    return "str" if name in words else "float" if field.kind == "f" else "int"


def record(name: str) -> list[str]:
    dtype = abut.DTYPES[name]
    words = {key.split(".")[1] for key in abut.WORDS if key.split(".")[0] == name}
    lines = [f"    {field}: {field_type(dtype, field, words)}" for field in dtype.names]
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
