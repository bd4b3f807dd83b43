# SPDX-License-Identifier: Apache-2.0
"""Contact modes of a grasp: how can a ball move that three fingers hold, and which of these can the fingers balance?"""
import sys

import numpy as np

import abut

angles = 2 * np.pi * np.arange(3) / 3
outward = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
grasp = abut.ModeSystem.contacts_at(0.05 * outward, -outward, bodies=[("free", (0, 0, 0))], lines=2)

count = grasp.count()
print(f"{count.modes} modes in {count.cs_modes} patterns of contact")
weight = np.array([0, 0, -1.0, 0, 0, 0])
held = grasp.forces("0" * 9, weight, friction=0.8)
print(f"held by friction 0.8: {held[0].feasible}; without friction: {grasp.forces('0' * 9, weight, friction=0.0)[0].feasible}")
slide = grasp.of_velocity(weight)
print(f"falling is the mode {slide}, of dimension {grasp.dimension(slide)}, with {len(grasp.neighbors(slide))} facets")
assert slide in grasp.modes()

if len(sys.argv) > 1:
    ball = [(abut.sphere(0.05), None)] + [(abut.capsule(0.01, a=0.06 * n, b=0.15 * n), None) for n in outward]
    abut.write_png(sys.argv[1], abut.render(ball, size=(480, 360), eye=(0.25, -0.3, 0.25)))
