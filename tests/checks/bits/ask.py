# SPDX-License-Identifier: Apache-2.0
"""Asks through Python what main.c asks in C, with the numbers that it wrote, and prints the same lines."""
import struct
import sys

import numpy as np

import abut
from abut import _abut


class Questions:
    """The numbers of the file, one after the other."""

    def __init__(self, path):
        self.numbers, self.at = np.fromfile(path, np.float64), 0

    def take(self, *shape):
        count = int(np.prod(shape))
        self.at += count
        return self.numbers[self.at - count:self.at].reshape(shape)


def chain(value, *parts):
    for part in parts:
        value = _abut.hash(part if isinstance(part, bytes) else struct.pack("d", part) if np.isscalar(part) else np.ascontiguousarray(part).tobytes(), value)
    return value


def run(scene, name, number, model, dt, steps):
    simulation = abut.Simulation(scene, model=model)
    simulation.step(steps, dt)
    print(f"{name:<12} model {number}, {steps:4d} steps: {simulation.hash:016x}")


def heap():
    scene = abut.Scene()
    scene.add_shape(scene.add_body("", "static"), "half_space", (0.05, 0.04, 0.03))
    for i, kind in enumerate(("box", "sphere", "capsule", "cylinder", "ellipsoid", "cone")):
        turn = np.array([0.3 * i, 0.5, 0.0])
        body = scene.add_body(pose=_abut.pose_exp((0.01 * i, 0.0, 0.1 + 0.15 * i), turn))
        scene.add_shape(body, kind, (0.05, 0.04, 0.03))
        scene.set_velocity(body, (0, 0, 0), (1.0, 2.0, 3.0 * i))
    return scene


def bodies(hull):
    return [abut.box((0.5, 0.3, 0.2)), abut.capsule(0.2, a=(-0.5, 0, 0), b=(0.5, 0.1, 0)), hull, abut.cylinder(0.3, 0.4),
            abut.cone(0.4, 0.3, 0.01), abut.ellipsoid((0.5, 0.3, 0.4))]


def convex_queries(questions):
    of = bodies(abut.hull(questions.take(40, 3)))
    value = 0
    for i in range(600):
        d = abut.distance(of[i % 6], of[i // 6 % 6], questions.take(7))
        value = chain(value, d.distance, d.normal, d.point_a, d.point_b)
    print(f"600 distances of convex bodies: {value:016x}")


def mesh_queries(questions):
    a, b, value = abut.Mesh.make("torus", 800), abut.Mesh.make("knot", 800), 0
    for _ in range(60):
        pose = questions.take(7)
        d, depth = abut.distance(a, b, pose), abut.depth(a, b, pose)
        value = chain(value, d.distance, -depth.distance + 0.0, d.normal, d.point_a, d.point_b)
    print(f"60 distances and depths of meshes: {value:016x}")


def clearances(questions):
    of = bodies(None)
    solids = [abut.Mesh.make("cup", 800), abut.Mesh.make("torus", 800), [of[0], of[3], of[5]], of[1]]
    value = 0
    for i in range(64):
        motions = [abut.Motion.keyframes([0.0, 0.5, 1.0], questions.take(3, 7)) for _ in range(2)]
        x = abut.clearance(solids[i % 4], solids[i // 4 % 4], *motions, start=0.0, end=1.0)
        value = chain(value, struct.pack("q", x.node_pairs), np.array([x.ub, x.lb, x.t]), x.point_a, x.point_b)
    print(f"64 clearances: {value:016x}")


def directions(questions):
    a, b = (abut.SoftBody(abut.Mesh.make(name, 200), 0.1) for name in ("torus", "cup"))
    value = 0
    for _ in range(20):
        x = abut.soft_direction(a, b, questions.take(7))
        value = chain(value, x.direction, x.distance)
    print(f"20 soft directions: {value:016x}")


def modes(name):
    system, value = abut.ModeSystem.named(name), 0
    texts = system.modes()
    for text in texts:
        value = chain(value, text.encode(), system.velocity(text))
    print(f"{len(texts)} modes of {name}: {value:016x}")


def torques(questions):
    robot, value = abut.Robot("arm6"), 0
    for _ in range(50):
        q, v, a = questions.take(3, 6)
        value = chain(value, robot.set(q, v).inverse_dynamics(a))
    print(f"50 torques of an arm: {value:016x}")


def plan():
    block = abut.Model()
    block.add_shape(block.add_body("block", "static", pose=(0.6, 0, 0.2)), "box", (0.1, 0.1, 0.1))
    found = abut.PlanProblem(abut.Robot("arm6"), block).solve(np.zeros(6), [0.3, -0.2, 0.2, 0, 0, 0], attempts=2, budget=1e6)
    print(f"a plan, {found.status}: {chain(0, found.coefficients, found.certificate.lb):016x}")


def main():
    questions = Questions(sys.argv[1])
    for spec, number, model, dt, steps in (("boxes:20", 0, "vol", 1e-3, 800), ("hulls:10", 0, "vol", 5e-3, 160), ("arch", 0, "vol", 1e-3, 100),
                                           ("stack:5", 2, "convex", 1e-3, 100), ("boxes:5", 4, "paper", 1e-3, 600)):
        run(abut.Scene(abut.Model.build(spec, 7)), spec, number, model, dt, steps)
    run(heap(), "shapes", 0, "vol", 1e-3, 800)
    convex_queries(questions)
    mesh_queries(questions)
    clearances(questions)
    directions(questions)
    modes("box:3")
    modes("peg:4")
    torques(questions)
    plan()


main()
