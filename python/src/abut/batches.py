# SPDX-License-Identifier: Apache-2.0
"""Batches: many worlds of one model, stepped together, with their state in arrays."""
from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Contact, Model
from ._arrays import check_int, doubles, finite
from ._errors import Error
from .models import model_of


def _array(value, name: str) -> np.ndarray:
    """Numbers of any array library: by DLPack without a copy where possible, else as numpy takes them."""
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        if hasattr(value, "detach"):
            value = value.detach()
        try:
            value = np.from_dlpack(value)
        except (RuntimeError, BufferError, TypeError, ValueError) as problem:
            raise TypeError(f"{name}: expected an array in the memory of the processor: {problem}") from None
    array = np.asarray(value) if not isinstance(value, np.ma.MaskedArray) else value
    if isinstance(array, np.ndarray) and array.dtype in (np.float64, np.float32):
        return array
    return doubles(value, name)


def _field(name: str, text: str):
    def get(self) -> NDArray:
        return self._array(name)

    def put(self, value: ArrayLike) -> None:
        array, given = self._array(name), _array(value, name)
        if given.shape != array.shape and given.shape not in ((), array.shape[1:]):
            raise Error(f"{name}: expected shape {array.shape} or {array.shape[1:]}, got shape {given.shape}")
        array[...] = given

    return property(get, None if name in ("status", "contact", "sensordata") else put, doc=text)


class Batch:
    """n worlds of one model, in the memory of one.

    ``Batch("humanoid", 1024)``, of a file (MJCF or URDF), a Model or the name of a built-in one. threads: 0 takes all processors; the
    bits are those of single simulations, whatever it is. watch: bodies, or pairs of bodies, whose contact forces ``contact``
    holds. Settings are those of ``Simulation.settings()``.

    The attributes are arrays over the memory of the batch, with a row per world: what is written to them acts in the next step, and steps
    write to them. They speak DLPack: ``torch.from_dlpack(batch.qpos)`` shares the memory, and ``batch.ctrl = tensor``
    copies from it. A world that fails (``status`` is not 0) stands still until it is reset, and the others go on.
    """

    def __init__(self, model: Model | str | os.PathLike, n: int, threads: int = 0, *, seed: int = 1,
                 watch: Iterable[str | int | tuple[str | int, str | int]] = (), **settings):
        model = model_of(model, "model", seed)
        settings.setdefault("gravity", model.gravity)
        #: Step size, s: that of the model, or 1 ms.
        self.timestep = model.timestep if model.timestep > 0.0 else 1e-3
        pairs = [self._watched(model, one) for one in watch]
        self._settings = {**settings, "threads": check_int(threads, "threads")}
        self._handle = _abut.batch_new(model, check_int(n, "n"), pairs, self._settings)
        #: The model, as it was.
        self.model = _abut.batch_model(self._handle)
        self._keep: dict[str, NDArray] = {}
        self._n, self._watch = len(self.time), pairs

    @staticmethod
    def _watched(model: Model, one) -> tuple[int, int]:
        names = one if isinstance(one, tuple) else (one,)
        if not 1 <= len(names) <= 2:
            raise Error(f"watch: expected a body or two, got {one!r}")
        numbers = [model.find("body", name) if isinstance(name, str) else check_int(name, "watch") for name in names]
        return numbers[0], numbers[1] if len(numbers) == 2 else -1

    def __len__(self) -> int:
        return self._n

    def __repr__(self) -> str:
        return f"<abut.Batch of {self._n} worlds>"

    def _open(self):
        if self._handle is None:
            raise Error("batch: expected an open batch, got a closed one")
        return self._handle

    def _array(self, name: str) -> NDArray:
        handle = self._open()
        if name not in self._keep:
            self._keep[name] = _abut.batch_array(handle, name)
        return self._keep[name]

    qpos = _field("qpos", "(n, nq) positions in the order of Robot; free bodies have x, y, z and a quaternion.")
    qvel = _field("qvel", "(n, nv) velocities.")
    ctrl = _field("ctrl", "(n, nu) one control per actuator.")
    torque = _field("torque", "(n, nv) forces along the velocities, in addition to actuators; (n, 0) without joints.")
    act = _field("act", "(n, na) activations of the actuators that have dynamics.")
    time = _field("time", "(n,) seconds.")
    status = _field("status", "(n,) 0 for worlds that move; read-only.")
    contact = _field("contact", "(n, watches, 6) force on the first body, N, and torque about its center of mass, in the last step.")
    sensordata = _field("sensordata", "(n, values) of all sensors after the last step, in the order of the model; computed from the first use on.")
    gravity = _field("gravity", "(n, 3) of each world.")
    friction = _field("friction", "(n, shapes) static friction; the kinetic one keeps its ratio.")
    mass = _field("mass", "(n, bodies) kg; inertia changes in proportion. A change begins the world anew where it is.")
    gain = _field("gain", "(n, nu, 4) gain and three biases of each actuator. A change begins the world anew where it is.")

    def step(self, substeps: int = 1, dt: float | None = None) -> None:
        """Makes ``substeps`` steps of ``dt`` seconds (``timestep``) in each world, under the same controls."""
        _abut.batch_step(self._open(), self.timestep if dt is None else finite(dt, "dt"), check_int(substeps, "substeps"))

    def reset(self, mask: ArrayLike | None = None, keyframe: str | int | None = None) -> None:
        """Puts the worlds of a mask (n,) of booleans, None: all, at a keyframe, None: at the reference, as new ones.

        Parameters stay. For other states, write ``qpos`` and ``qvel`` afterward.
        """
        number = -1
        if keyframe is not None:
            number = self.model.find("keyframe", keyframe) if isinstance(keyframe, str) else check_int(keyframe, "keyframe")
        _abut.batch_reset(self._open(), None if mask is None else self._mask(mask).tobytes(), number)

    def _mask(self, value: ArrayLike) -> np.ndarray:
        try:
            mask = np.asarray(value.detach() if hasattr(value, "detach") else value)
        except RuntimeError:  # a torch that was built for another numpy
            mask = np.asarray(value.tolist())
        if mask.dtype != np.bool_:
            raise TypeError(f"mask: expected an array of booleans, got dtype {mask.dtype}")
        if mask.shape != (self._n,):
            raise Error(f"mask: expected shape ({self._n},), got shape {mask.shape}")
        return mask

    def reason(self, world: int) -> str:
        """Why a world does not move; '' if it does."""
        return _abut.batch_reason(self._open(), self._world(world))

    def contacts(self, world: int) -> NDArray[Contact]:
        """Contacts of a world in the last step, as of ``Simulation.contacts``."""
        return _abut.batch_contacts(self._open(), self._world(world))

    def hash(self, world: int) -> int:
        """Hash of the state of a world: that of a single simulation, ``Simulation.hash``."""
        return _abut.batch_hash(self._open(), self._world(world))

    def _world(self, world: int) -> int:
        number = check_int(world, "world")
        if not 0 <= number < self._n:
            raise Error(f"world: expected the number of a world below {self._n}, got {number}")
        return number

    def save(self) -> bytes:
        """The state of all worlds, their arrays and parameters."""
        return _abut.batch_save(self._open())

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state, of a batch of the same model, worlds and watches."""
        _abut.batch_restore(self._open(), state)

    def __reduce__(self):
        return _again, (self.model, self._n, self._watch, self._settings, self.save())

    def close(self) -> None:
        """Ends the use of the batch; its memory goes with the last array over it."""
        self._handle = None
        self._keep = {}


def _again(model: Model, n: int, watch: list[tuple[int, int]], settings: dict, state: bytes) -> Batch:
    batch = Batch(model, n, watch=watch, **settings)
    batch.restore(state)
    return batch


def _repeat(array: np.ndarray, shape: tuple[int, ...], name: str) -> np.ndarray:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise Error(f"{name}: expected shape {shape}, got shape {array.shape}") from None


def rollout(model: Batch | Model | str | os.PathLike, states: ArrayLike, controls: ArrayLike, *, dt: float | None = None, threads: int = 0,
            sensors: bool = False, **settings) -> NDArray[np.float64] | tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(worlds, steps, 1 + nq + nv + na): time, positions, velocities and activations after each step, from many states under many controls.

    states: (worlds, 1 + nq + nv + na), or one row for all. controls: (worlds, steps, nu), or (steps, nu) for all. Shapes of length 1
    stand for all worlds. sensors: gives the values of sensors (worlds, steps, values) too. A Batch in place of the model is
    used, and left in the last state. Rows of a world that failed are NaN.
    """
    states, controls = doubles(states, "states"), doubles(controls, "controls")
    if not 1 <= states.ndim <= 2:
        raise Error(f"states: expected 1 or 2 dimensions, got {states.ndim}")
    if not 2 <= controls.ndim <= 3:
        raise Error(f"controls: expected 2 or 3 dimensions, got {controls.ndim}")
    states, controls = np.atleast_2d(states), controls if controls.ndim == 3 else controls[None]
    count, steps = max(len(states), len(controls)), controls.shape[1]
    batch = model if isinstance(model, Batch) else Batch(model, count, threads, **settings)
    if len(batch) != count:
        raise Error(f"model: expected a batch of {count} worlds, got {len(batch)}")
    nq, nv = batch.qpos.shape[1], batch.qvel.shape[1]
    width = 1 + nq + nv + batch.act.shape[1]
    states, controls = _repeat(states, (count, width), "states"), _repeat(controls, (count, steps, batch.ctrl.shape[1]), "controls")
    batch.reset()
    batch.time[:], batch.qpos[:], batch.qvel[:], batch.act[:] = states[:, 0], states[:, 1:1 + nq], states[:, 1 + nq:1 + nq + nv], states[:, 1 + nq + nv:]
    out = np.full((count, steps, width), np.nan)
    values = np.full((count, steps, batch.sensordata.shape[1]), np.nan) if sensors else None
    _abut.batch_rollout(batch._open(), np.ascontiguousarray(controls), out, values, batch.timestep if dt is None else finite(dt, "dt"))
    return out if values is None else (out, values)
