# SPDX-License-Identifier: Apache-2.0
"""Poses: seven numbers x, y, z, qw, qx, qy, qz, metres and a unit quaternion.

Wherever a pose is expected, three numbers (no rotation), seven, a 4 x 4 matrix or None (the identity) will do; where a
batch is possible, so will n of them. A pose maps local coordinates to the outer frame: p_outer = rotate(q, p) + p0.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import doubles
from ._errors import Error


def pose(position: ArrayLike = (0.0, 0.0, 0.0), quaternion: ArrayLike | None = None, *, axis: ArrayLike | None = None,
         angle: float | None = None) -> NDArray[np.float64]:
    """A pose from a position (3,) in metres and a rotation.

    The rotation is a quaternion (4,), w first, of any length but zero; or ``axis`` (3,) and ``angle`` in radians;
    or none. Returns an array (7,).
    """
    p = _numbers(position, "position", 3)
    if quaternion is not None and axis is not None:
        raise Error("quaternion and axis: expected one of them")
    if angle is not None and axis is None:
        raise Error("angle: expected an axis with it")
    q = np.array([1.0, 0.0, 0.0, 0.0])
    if quaternion is not None:
        q = _numbers(quaternion, "quaternion", 4)
    elif axis is not None:
        a = _unit(_numbers(axis, "axis", 3), "axis")
        half = 0.5 * (angle or 0.0)
        q = np.concatenate([[math.cos(half)], math.sin(half) * a])
    return np.concatenate([p, _unit(q, "quaternion")])


def pose_matrix(value: ArrayLike) -> NDArray[np.float64]:
    """The 4 x 4 matrix of a pose (7,) or (3,)."""
    x = _seven(value)
    w, i, j, k = x[3:]
    out = np.eye(4)
    out[:3, :3] = [[1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
                   [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
                   [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)]]
    out[:3, 3] = x[:3]
    return out


def pose_multiply(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The pose (7,) of b's frame when b is given in the frame of a."""
    x, y = _seven(a), _seven(b)
    p, q = x[3:], y[3:]
    product = np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])
    return np.concatenate([pose_apply(x, y[:3]), product])


def pose_inverse(a: ArrayLike) -> NDArray[np.float64]:
    """The pose (7,) that undoes a."""
    x = _seven(a)
    back = np.concatenate([[0.0, 0.0, 0.0], x[3:] * [1.0, -1.0, -1.0, -1.0]])
    back[:3] = -pose_apply(back, x[:3])
    return back


def pose_apply(a: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """Points (3,) or (n, 3) moved by a pose."""
    x = _seven(a)
    v = doubles(points, "points")
    w, u = x[3], x[4:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t) + x[:3]


def _seven(value: ArrayLike) -> NDArray[np.float64]:
    x = doubles(value, "pose").reshape(-1)
    if x.size == 3:
        return np.concatenate([x, [1.0, 0.0, 0.0, 0.0]])
    if x.size != 7:
        raise Error(f"pose: expected 3 or 7 numbers, got {x.size}")
    return np.concatenate([x[:3], _unit(x[3:], "pose: quaternion")])


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
