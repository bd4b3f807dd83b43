# SPDX-License-Identifier: Apache-2.0
"""The signed distance of a small ball to a body over a plane, in one call; the map as a picture."""
import sys

import numpy as np

import abut

side = 160
x = np.linspace(-0.6, 0.6, side)
poses = np.zeros((side * side, 3))
poses[:, 0], poses[:, 2] = np.tile(x, side), np.repeat(x[::-1], side)

die = abut.regular(8, 0.4)
answers = abut.distance(die, abut.sphere(0.01), poses)
distance = answers["distance"].reshape(side, side)
inside = (abut.words(answers, "outcome") == "penetrating").reshape(side, side)
print(f"{inside.mean():.1%} of the plane is inside; distances from {distance.min():.4f} to {distance.max():.4f} m")
assert (distance[inside] < 0).all()

if len(sys.argv) > 1:
    bands = (np.abs(distance) * 40 % 1 < 0.12)[..., None]
    shade = np.clip(220 - 300 * np.abs(distance), 60, 220)[..., None]
    color = np.where(inside[..., None], [1.0, 0.75, 0.6], [0.6, 0.8, 1.0]) * shade
    image = np.where(bands, 0.55 * color, color).astype(np.uint8)
    abut.write_png(sys.argv[1], np.repeat(np.repeat(image, 2, axis=0), 2, axis=1))
