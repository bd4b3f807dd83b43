# SPDX-License-Identifier: Apache-2.0
"""Poses: seven numbers x, y, z, qw, qx, qy, qz, meters and a unit quaternion.

Wherever a pose is expected, three numbers (no rotation), seven, a 4 x 4 matrix or None (the identity) will do; where a
batch is possible, so will n of them. A pose maps local coordinates to the outer frame: p_outer = rotate(q, p) + p0.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._arrays import doubles, finite
from ._errors import Error


def pose(position: ArrayLike = (0.0, 0.0, 0.0), quaternion: ArrayLike | None = None, *, axis: ArrayLike | None = None,
         angle: float | None = None) -> NDArray[np.float64]:
    """A pose from a position (3,) in meters and a rotation.

    The rotation is a quaternion (4,), w first, of any length but zero; or ``axis`` (3,) and ``angle`` in radians;
    or none. Returns an array (7,).
    """
    p = _numbers(position, "position", 3)
    if quaternion is not None and axis is not None:
        raise Error("quaternion and axis: expected one of them")
    if (angle is None) != (axis is None):
        raise Error("angle: expected an axis with it" if axis is None else "axis: expected an angle with it")
    q = np.array([1.0, 0.0, 0.0, 0.0])
    if quaternion is not None:
        q = _numbers(quaternion, "quaternion", 4)
    elif axis is not None:
        a = _unit(_numbers(axis, "axis", 3), "axis")
        half = 0.5 * finite(angle, "angle")
        q = np.concatenate([[math.cos(half)], math.sin(half) * a])
    return np.concatenate([p, _unit(q, "quaternion")])


def pose_matrix(value: ArrayLike) -> NDArray[np.float64]:
    """The 4 x 4 matrix of a pose, or (n, 4, 4) of n poses."""
    x = _seven(value, "value")
    w, i, j, k = np.moveaxis(x[..., 3:], -1, 0)
    out = np.zeros((*x.shape[:-1], 4, 4))
    rows = [[1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
            [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
            [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)]]
    out[..., :3, :3] = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    out[..., :3, 3], out[..., 3, 3] = x[..., :3], 1.0
    return out


def pose_multiply(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The pose (7,) of b's frame when b is given in the frame of a; (n, 7) where one of them or both are n poses."""
    x, y = _seven(a, "a"), _seven(b, "b")
    if x.ndim == y.ndim == 2 and len(x) != len(y):
        raise Error(f"a, b: expected as many poses of each, got {len(x)} and {len(y)}")
    p, q = x[..., 3:], y[..., 3:]
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], -1, keepdims=True)
    v = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([_moved(x, y[..., :3]), w, v], -1)


def pose_inverse(a: ArrayLike) -> NDArray[np.float64]:
    """The pose (7,) that undoes a, or (n, 7) those of n poses."""
    x = _seven(a, "a")
    back = np.concatenate([np.zeros_like(x[..., :3]), x[..., 3:] * [1.0, -1.0, -1.0, -1.0]], -1)
    back[..., :3] = -_moved(back, x[..., :3])
    return back


def pose_apply(a: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """Points (3,) or (n, 3) moved by a pose; with n poses the point, or each of n points, by its own: (n, 3)."""
    x, v = _seven(a, "a"), doubles(points, "points")
    if v.ndim == 0 or v.shape[-1] != 3:
        raise Error(f"points: expected shape (3,) or (n, 3), got shape {v.shape}")
    if x.ndim == 2 and v.ndim > 1 and v.shape != (len(x), 3):
        raise Error(f"points: expected shape (3,) or ({len(x)}, 3), one for each pose, got shape {v.shape}")
    return _moved(x, v)


def moved(pose: ArrayLike, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) moved by one pose."""
    return _moved(_seven(pose, "pose"), points)


def _moved(x: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    w, u = x[..., 3:4], x[..., 4:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t) + x[..., :3]


def _seven(value: ArrayLike, name: str) -> NDArray[np.float64]:
    x = _abut.pose_numbers(value, name)
    if np.isnan(x[..., 3:]).any():
        raise Error(f"{name}: expected a quaternion of a finite length above 0, or a matrix that is a rotation")
    return x


def _numbers(value: ArrayLike, name: str, count: int) -> NDArray[np.float64]:
    x = doubles(value, name)
    if x.shape != (count,):
        raise Error(f"{name}: expected shape ({count},), got shape {x.shape}")
    return x


def _unit(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    length = float(np.sqrt(x @ x))
    if not (0.0 < length < math.inf):
        raise Error(f"{name}: expected a finite length above 0, got {length}")
    return x / length
