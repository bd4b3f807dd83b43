# SPDX-License-Identifier: Apache-2.0
"""The same question for many cases, over processes: from which friction on does a box stay on a slope? The bars
grow with friction to where it stays."""
import sys

import numpy as np

import abut


def slides(friction):
    """How far a box slides down a slope of 20 degrees in half a second, m."""
    model = abut.Model()
    slope = model.add_body("slope", "static", pose=abut.pose((0, 0, 0), axis=(0, 1, 0), angle=np.radians(20)))
    model.add_shape(slope, "half_space", friction=friction)
    box = model.add_body("box", pose=abut.pose((0.05 * np.sin(np.radians(20)), 0, 0.05 * np.cos(np.radians(20))), axis=(0, 1, 0), angle=np.radians(20)))
    model.add_shape(box, "box", (0.1, 0.1, 0.05), friction=friction)
    simulation = abut.Simulation(model)
    begin = simulation.poses[1, :3].copy()
    simulation.step(500)
    return float(np.linalg.norm(simulation.poses[1, :3] - begin))


if __name__ == "__main__":
    frictions = np.linspace(0.1, 0.6, 11)
    rows = abut.sweep(slides, abut.cases(friction=frictions), jobs=2)
    assert not any(row["error"] for row in rows)
    way = [row["answer"] for row in rows]
    stays = frictions[np.array(way) < 1e-3]
    print(f"stays from friction {stays.min():.2f} on; tan 20 degrees is {np.tan(np.radians(20)):.3f}")
    assert abs(stays.min() - 0.4) < 1e-9
    if len(sys.argv) > 1:
        height = np.clip(1 - np.array(way) / max(way), 0.02, 1.0)
        image = np.full((180, 440, 3), 255, np.uint8)
        for i, h in enumerate(height):
            image[int(170 - 150 * h):170, 10 + 38 * i:40 + 38 * i] = (76, 120, 168)
        abut.write_png(sys.argv[1], image)
