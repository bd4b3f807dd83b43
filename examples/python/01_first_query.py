# SPDX-License-Identifier: Apache-2.0
"""How far apart are two bodies, where, and in which direction? Pictures of both."""
import sys

import abut

cup, torus = abut.Mesh.make("cup"), abut.Mesh.make("torus")
pose = abut.pose((0.0, 0.0, 0.5), axis=(1, 2, 0), angle=0.6)  # of the torus, in the frame of the cup

near = abut.distance(cup, torus, pose)
print(f"{near.distance:.6f} m from {near.point_a.round(4)} to {near.point_b.round(4)}")
assert abut.closer_than(cup, torus, near.distance + 1e-6, pose) and not abut.meet(cup, torus, pose)

if len(sys.argv) > 1:
    abut.write_png(sys.argv[1], abut.render([cup, (torus, pose)], size=(480, 360)))
