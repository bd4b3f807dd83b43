# SPDX-License-Identifier: Apache-2.0
"""A body moves past another: time of impact, certified clearance, its curve; and a page to look at."""
import sys

import numpy as np

import abut

cup, torus = abut.Mesh.make("cup"), abut.Mesh.make("torus")
motion = abut.Motion.keyframes([0, 1, 2], [(-1, 0, 0.25, 1, 0, 0, 0), (0, 0.1, 0.4, 0.9, 0.1, 0, 0.2), (1, 0, 0.2, 1, 0, 0, 0)])

hit = abut.time_of_impact(cup, torus, None, motion)
found, curve = abut.clearance_curve(cup, torus, None, motion, band=0.2)
print(f"impact: {hit.outcome}; {found.status} at all times, {found.ub:.2f} m at the nearest")
assert hit.outcome == "none" and (curve["lb"] <= curve["d"] + 1e-12).all()

if len(sys.argv) > 2:
    abut.show(abut.pair(cup, torus, motion), sys.argv[2], title="past a cup", open=False)
if len(sys.argv) > 1:
    shots = [(torus, motion.pose_at(t)) for t in np.linspace(0.2, 1.8, 5)]
    abut.write_png(sys.argv[1], abut.render([cup, *shots], size=(480, 360), eye=(0.3, -2.2, 1.2), target=(0, 0, 0.2)))
