# SPDX-License-Identifier: Apache-2.0
"""Boxes fall in a heap; the forces on the ground carry their weight."""
import sys

import numpy as np

import abut

simulation = abut.Simulation("boxes:20")
run = simulation.run(3.0, every=20)

contacts = simulation.contacts()
ground = contacts[contacts["body_a"] == simulation.scene.names.index("ground")]
weight = 9.80665 * sum(simulation.scene[body]["mass"] for body in simulation.scene.bodies)
print(f"the ground pushes with {ground['force'][:, 2].sum():.3f} N against a weight of {weight:.3f} N")
assert np.isclose(ground["force"][:, 2].sum(), weight, rtol=0.02)

if len(sys.argv) > 1:
    abut.write_png(sys.argv[1], abut.render(run, size=(480, 360), forces=True))
