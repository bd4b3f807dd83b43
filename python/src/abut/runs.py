# SPDX-License-Identifier: Apache-2.0
"""Runs: bodies over time, recorded or read from a file; columns of numbers as arrays."""
from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Model
from ._arrays import DTYPES, check_int, doubles, file_name, finite, frozen, numbers, read_file
from ._errors import Error
from .models import shape_fields, some_names

_COLUMNS = {name: i for i, (name, _, _) in enumerate(_abut.run_column_names())}


class Run:
    """Bodies over time: ``run["pose"]`` is an array (steps, bodies, 7), ``run["time"]`` (steps,), and so on.

    ``run.columns`` tells what there is; docs/reference/run_log.md explains it. Columns are read-only; those of a run that
    was read from a file are views of it. In a notebook a run shows itself.
    """

    def __init__(self, handle):
        self._handle = handle

    @staticmethod
    def read(path: str | os.PathLike) -> Run:
        """From a NumPy archive that ``write`` or ``abut simulate -o`` made."""
        return Run(_abut.run_parse(*read_file(path)))

    @staticmethod
    def of_poses(model: Model, times: ArrayLike, poses: ArrayLike) -> Run:
        """A run by hand: the bodies of a model at poses (steps, bodies, 7) and times (steps,)."""
        run, rows = Run(_abut.run_of_model(model)), doubles(poses, "poses")
        when = numbers(times, "times", (len(np.atleast_1d(times)),))
        if rows.shape != (len(when), len(model.bodies), 7):
            raise Error(f"poses: expected shape ({len(when)}, {len(model.bodies)}, 7), got shape {rows.shape}")
        for time, row in zip(when, rows):
            run.add_step(float(time), row)
        return run

    def add_step(self, time: float, poses: ArrayLike, velocities: ArrayLike | None = None) -> None:
        """One more step of a run by hand: poses (bodies, 7), velocities (bodies, 6) of the centers of mass and angular;
        a body whose pose is NaN is not there."""
        _abut.run_add_step(self._handle, time, poses, velocities)

    def add_body(self, name: str = "", kind: str = "dynamic", shapes: Sequence[dict] = (), **fields) -> int:
        """A body that joins a run by hand, not there so far; gives its place. shapes: dictionaries of the arguments of
        ``Model.add_shape``; fields as of ``Model.add_body``."""
        forms = [(shape_fields(shape.get("kind"), shape.get("size"), shape.get("convex"), shape.get("pose"),
                               {key: value for key, value in shape.items() if key not in ("kind", "size", "pose", "convex")}),
                  shape.get("convex")) for shape in shapes]
        return _abut.run_add_body(self._handle, {"name": name, "kind": kind, **fields}, forms)

    def add_contacts(self, contacts: NDArray) -> None:
        """Contacts of the last step of a run by hand: an array of Contact, bodies by their places in the run."""
        rows = np.ascontiguousarray(contacts)
        if rows.dtype != DTYPES["Contact"]:
            raise TypeError(f"contacts: expected an array of Contact, got dtype {rows.dtype}")
        _abut.run_add_contacts(self._handle, rows.view(np.uint8) if rows.size else np.empty(0, np.uint8))

    def set_partial(self) -> None:
        """Marks a run that ended before its time."""
        _abut.run_set_partial(self._handle)

    def has_body(self, step: int, body: str | int) -> bool:
        """Was a body, by name or place, there at a step?"""
        return _abut.run_has_body(self._handle, step, self.body(body) if isinstance(body, str) else body)

    def write(self, path: str | os.PathLike) -> None:
        """Writes a NumPy archive; the file appears whole or not at all."""
        _abut.run_write(self._handle, file_name(path))

    @property
    def columns(self) -> dict[str, str]:
        """Names of the columns that are kept, with their meaning and unit."""
        return {name: f"{text} [{unit}]" if unit else text for name, unit, text in _abut.run_column_names()
                if _abut.run_column(self._handle, _COLUMNS[name]) is not None}

    @property
    def model(self) -> Model:
        """A copy of the model of the bodies, in their order."""
        return _abut.run_model(self._handle)

    @property
    def info(self) -> dict:
        """steps, bodies, contacts, vertices, partial, keep, settings, names (of the bodies)."""
        return _abut.run_summary(self._handle)

    def __getitem__(self, column: str) -> NDArray:
        """The numbers of a column, one row per step, per body and step, per contact or per contact vertex."""
        if column not in _COLUMNS:
            raise KeyError(column)
        values = _abut.run_column(self._handle, _COLUMNS[column])
        if values is None:
            raise KeyError(f"{column}: not kept in this run")
        return frozen(values)

    def names_of(self, column: str) -> list[str]:
        """Names of the numbers that a column has per step: of stages, positions, velocities, actuators."""
        if column not in _COLUMNS:
            raise KeyError(column)
        return _abut.run_number_names(self._handle, _COLUMNS[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return self.info["steps"]

    def body(self, name: str) -> int:
        """Place of a body by its name."""
        names = self.info["names"]
        if name not in names:
            raise Error(f"body: the run has no '{name}'; it has: {some_names(names)}")
        return names.index(name)

    def step_at(self, time: float) -> int:
        """The recorded step nearest to a time, s."""
        return int(np.abs(self["time"] - finite(time, "time")).argmin())

    def contacts_of(self, step: int) -> slice:
        """Rows of the contact columns that belong to a step, as ``run["contact_force"][run.contacts_of(5)]``."""
        start = self["contact_start"]
        return slice(int(start[step]), int(start[step + 1]))

    def force(self, a: str | int, b: str | int) -> NDArray[np.float64]:
        """(steps, 3): the force, N, that body a exerts on body b at each step, by names or places; contacts summed up."""
        one, other = (self.body(x) if isinstance(x, str) else check_int(x, "body") for x in (a, b))
        bodies, forces, start = self["contact_body"], self["contact_force"], self["contact_start"]
        sign = np.where((bodies == (one, other)).all(1), 1.0, np.where((bodies == (other, one)).all(1), -1.0, 0.0))
        steps = np.repeat(np.arange(len(start) - 1), np.diff(start))
        out = np.zeros((len(start) - 1, 3))
        np.add.at(out, steps, sign[:, None] * forces)
        return out

    def _bytes(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.npz")
            self.write(path)
            with open(path, "rb") as file:
                return file.read()

    def __reduce__(self):
        return _from_bytes, (self._bytes(),)

    def __deepcopy__(self, memo) -> Run:
        return _from_bytes(self._bytes())

    __copy__ = lambda self: copy.deepcopy(self)

    def __repr__(self) -> str:
        info = self.info
        return f"<abut.Run: {info['steps']} steps, {info['bodies']} bodies, {info['contacts']} contacts>"


def _from_bytes(data: bytes) -> Run:
    return Run(_abut.run_parse(data, "run.npz"))
