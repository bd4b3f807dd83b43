# SPDX-License-Identifier: Apache-2.0
"""A scene of trimesh: what meets, how deep, how far apart, and when a moving part touches another."""
import numpy as np
import trimesh

from abut.trimesh import CollisionManager


def at(*place):
    matrix = np.eye(4)
    matrix[:3, 3] = place
    return matrix


manager = CollisionManager()  # in place of trimesh.collision.CollisionManager
manager.add_object("ring", trimesh.creation.torus(1.0, 0.2))
manager.add_object("rod", trimesh.creation.cylinder(0.1, 3.0), at(0.75, 0, 0))
manager.add_object("ball", trimesh.creation.icosphere(radius=0.2), at(0, 0, 2))

hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
print("in collision:", sorted(names), "with", len(contacts), "contacts")
print(f"depth {manager.depth('ring', 'rod').depth:.3f} m")

distance, nearest = manager.min_distance_internal(name="ball", return_names=True)
print(f"the ball is {distance:.3f} m from", *(name for name in nearest if name != "ball"))

t, name = manager.toi("ball", at(0.9, 0, 0), return_names=True)
print(f"on its way to the ring it meets the {name} at {t:.3f} of the way")
assert hit and name in ("ring", "rod") and 0.0 < t < 1.0
