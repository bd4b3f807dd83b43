# SPDX-License-Identifier: Apache-2.0
"""Arrays between Python and the extension: conversion of arguments, dtypes of batches."""
from __future__ import annotations

import math
import operator
import os

import numpy as np

from . import _abut
from ._errors import Error, warn


def doubles(value, name: str) -> np.ndarray:
    """A contiguous array of float64, from any array or nested sequence of real numbers."""
    array = _plain(value, name)
    if array.size == 0 and array.dtype.kind in "fiub":
        array = array.astype(np.float64)
    if array.dtype.kind not in "fiu" or array.dtype.names:
        raise TypeError(f"{name}: expected an array of numbers, got {_describe(value, array)}")
    return np.array(array, dtype=np.float64, order="C")


def _plain(value, name: str) -> np.ndarray:
    """Any array or nested sequence as an array; what a mask hides is no number, and a masked array is refused."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask, got a masked array; its filled() has none")
    try:
        return np.asarray(value)
    except ValueError as problem:
        raise Error(f"{name}: expected an array of numbers: {problem}") from None


def numbers(value, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The same with a check of the shape."""
    array = doubles(value, name)
    if array.shape != shape:
        raise Error(f"{name}: expected shape {shape}, got shape {array.shape}" if shape else f"{name}: expected a number, got shape {array.shape}")
    return array


def flag(value, name: str) -> bool:
    """Yes or no: True, False, or the numbers that are equal to them."""
    if not isinstance(value, (bool, np.bool_, int)) or value not in (0, 1):
        raise TypeError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def instance(value, kind: type, name: str):
    """An object of a class of the package."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected an abut.{kind.__name__}, got {value!r}")
    return value


def check_int(value, name: str) -> int:
    """A whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}") from None


def check_count(value, name: str) -> int:
    """A whole number of 0 or above, checked where nothing else would look at it."""
    number = check_int(value, name)
    if number < 0:
        raise Error(f"{name}: expected 0 or above, got {number}")
    return number


def real(value, name: str) -> float:
    """A number, NaN and infinity included."""
    try:
        if isinstance(value, (int, float, np.number, np.ndarray)) and not isinstance(value, np.ma.MaskedArray):
            return float(value)
    except (TypeError, OverflowError):
        pass
    raise TypeError(f"{name}: expected a number, got {value!r}")


def listed(value, name: str) -> list:
    """The items of a list or a tuple."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name}: expected a list, got {value!r}")
    return list(value)


def finite(value, name: str) -> float:
    """A number that is neither infinite nor NaN."""
    number = real(value, name)
    if not math.isfinite(number):
        raise Error(f"{name}: expected a finite number, got {number}")
    return number


def function(value, name: str):
    """What can be called, checked where it is given."""
    if not callable(value):
        raise TypeError(f"{name}: expected a function, got {value!r}")
    return value


def file_name(path: str | bytes | os.PathLike) -> bytes:
    """A file name as the library takes it: bytes, whatever characters are in it."""
    try:
        return os.fsencode(path)
    except TypeError:
        raise TypeError(f"path: expected a file name, got {path!r}") from None
    except UnicodeEncodeError:
        raise Error(f"path: expected a file name, got {path!r}, which cannot be written as bytes") from None


def read_file(path: str | bytes | os.PathLike) -> tuple[bytes, bytes]:
    """What is in a file, and its name as the library takes it. A number is no name: ``open`` would close what it stands for."""
    name = file_name(path)
    try:
        with open(name, "rb") as file:
            return file.read(), name
    except IsADirectoryError:
        raise Error(f"{os.fsdecode(name)}: expected file or pipe, got a folder", "file error") from None
    except OSError as problem:
        raise Error(f"{os.fsdecode(name)}: cannot be opened: {problem.strerror}", "file error") from None


def frozen(array: np.ndarray) -> np.ndarray:
    """The same array, read-only from now on."""
    array.flags.writeable = False
    return array


def _describe(value, array: np.ndarray) -> str:
    return f"dtype {array.dtype}" if isinstance(value, np.ndarray) else repr(value)


def whole(value, name: str) -> np.ndarray:
    """An array of int32 of any shape, as numbers of bodies and joints are."""
    array = _plain(value, name)
    if array.size == 0:
        return np.empty(array.shape, np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected an array of whole numbers, got {_describe(value, array)}")
    if array.max() > np.iinfo(np.int32).max or array.min() < np.iinfo(np.int32).min:
        raise Error(f"{name}: a number does not fit 32 bits")
    return array.astype(np.int32, copy=False)


def integers(value, name: str, columns: int) -> np.ndarray:
    """A contiguous (n, columns) array of int32."""
    array = whole(value, name)
    if array.size == 0:
        return np.empty((0, columns), np.int32)
    if array.ndim != 2 or array.shape[1] != columns:
        raise Error(f"{name}: expected shape (n, {columns}), got shape {array.shape}")
    return np.ascontiguousarray(array)


def _make_dtype(fields, size: int) -> np.dtype:
    shapes = [(rows, columns) if columns else (rows,) if rows else () for _, _, rows, columns, *_ in fields]
    kinds = [{"flag": "i4", "word": "i4"}.get(field[1], field[1]) for field in fields]
    return np.dtype({
        "names": [field[0] for field in fields],
        "formats": [(kind, shape) if shape else kind for kind, shape in zip(kinds, shapes)],
        "offsets": [field[4] for field in fields],
        "itemsize": size,
    })


#: dtype of the structured array that a batch gives, by the name of the class that a single question gives.
DTYPES = {name: _make_dtype(fields, size) for name, (fields, size) in _abut.record_fields().items()}

#: Words behind the numbers of a field in such an array: ``WORDS["Gap.outcome"][array["outcome"][0]]``.
WORDS = _abut.record_words()

_abut.set_helpers(doubles, np.asarray, np.empty, np.ndarray, Error, warn)
_abut.set_dtypes(DTYPES)


def write_text(path: str | os.PathLike, text: str) -> None:
    """A file that appears whole or not at all."""
    name = os.fsdecode(file_name(path))
    part = f"{name}.{os.getpid()}.part"
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, name)
    except OSError as why:
        if os.path.exists(part):
            os.unlink(part)
        raise Error(f"{name}: {why.strerror}") from None


def give_methods(owner: type, **methods) -> None:
    """Adds methods, static ones included, to a class of the extension under their public names."""
    for name, method in methods.items():
        function = getattr(method, "__func__", method)
        function.__name__, function.__qualname__ = name, f"{owner.__name__}.{name}"
        setattr(owner, name, method)


def words(array: np.ndarray, field: str) -> np.ndarray:
    """Words of a field of a batch, as ``abut.words(batch, "outcome")`` gives an array of 'separated', ..."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"array: expected an array of a batch, got {array!r}")
    for name, dtype in DTYPES.items():
        if dtype == array.dtype and f"{name}.{field}" in WORDS:
            return np.array(WORDS[f"{name}.{field}"])[array[field]]
    raise Error(f"field: no words are known for '{field}' of this array")
