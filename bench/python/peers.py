# SPDX-License-Identifier: Apache-2.0
"""The same questions through other Python bindings: of Debian's packages those that answer them are DART (python3-dartpy,
with FCL behind its distances) and ODE (python3-pyode). Missing packages are reported.

Usage: peers.py; make bench-python runs it. Processor time of one thread, least of five rounds.
"""
import importlib.util
import time

import numpy as np

import abut

PLACE, HALF, BOXES, DT, SETTLE = (0.1, 0.2, 2.0), 0.05, 50, 1e-3, 500


def least(run, count):
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        run(count)
        best = min(best, (time.process_time() - begin) / count)
    return 1e6 * best


def repeat(call):
    def run(count):
        for _ in range(count):
            call()
    return run


def places():
    """Boxes in a loose heap above the ground, the same for all."""
    generator = np.random.default_rng(1)
    return [(*generator.uniform(-0.2, 0.2, 2), HALF + 0.11 * i) for i in range(BOXES)]


# ---- abut

def abut_distance():
    box, ball, pose = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25), np.array(PLACE)
    return least(repeat(lambda: abut.distance(box, ball, pose).distance), 20000)


def abut_steps():
    model = abut.Model()
    model.add_shape(model.add_body("ground", "static"), "half_space")
    for place in places():
        model.add_shape(model.add_body(pose=place), "box", (HALF, HALF, HALF))
    simulation = abut.Simulation(model, sleeping=False)
    simulation.step(SETTLE, dt=DT)
    return least(repeat(lambda: simulation.step(dt=DT)), 100)


# ---- DART

def dart_distance():
    import dartpy as dart
    detector = dart.collision.FCLCollisionDetector()
    detector.setPrimitiveShapeType(dart.collision.FCLCollisionDetector.PRIMITIVE)
    group, frames = detector.createCollisionGroup(), [dart.dynamics.SimpleFrame(), dart.dynamics.SimpleFrame()]
    frames[0].setShape(dart.dynamics.BoxShape([1.0, 1.0, 1.0]))
    frames[1].setShape(dart.dynamics.SphereShape(0.25))
    frames[1].setTranslation(PLACE)
    for frame in frames:
        group.addShapeFrame(frame)
    option, result = dart.collision.DistanceOption(), dart.collision.DistanceResult()
    assert abs(group.distance(option, result) - 1.25) < 1e-5
    return least(repeat(lambda: group.distance(option, result)), 2000)


def dart_box(dart, world, name, place, size, joint):
    skeleton = dart.dynamics.Skeleton(name)
    kind = skeleton.createFreeJointAndBodyNodePair if joint else skeleton.createWeldJointAndBodyNodePair
    pair, body = kind()
    node = body.createShapeNode(dart.dynamics.BoxShape(size))
    node.createCollisionAspect()
    node.createDynamicsAspect()
    transform = dart.math.Isometry3()
    transform.set_translation(place)
    if joint:
        skeleton.setPositions([0, 0, 0, *place])
    else:
        pair.setTransformFromParentBodyNode(transform)
    world.addSkeleton(skeleton)


def dart_steps():
    import dartpy as dart
    world = dart.simulation.World()
    world.setTimeStep(DT)
    dart_box(dart, world, "ground", (0, 0, -0.5), [10.0, 10.0, 1.0], False)
    for i, place in enumerate(places()):
        dart_box(dart, world, f"box{i}", place, [2 * HALF] * 3, True)
    repeat(world.step)(SETTLE)
    return least(repeat(world.step), 20)


# ---- ODE

def ode_steps():
    import ode
    world, space, joints = ode.World(), ode.HashSpace(), ode.JointGroup()
    world.setGravity((0, 0, -9.81))
    keep = [ode.GeomPlane(space, (0, 0, 1), 0)]
    for place in places():
        body, mass = ode.Body(world), ode.Mass()
        mass.setBox(1000, 2 * HALF, 2 * HALF, 2 * HALF)
        body.setMass(mass)
        geom = ode.GeomBox(space, (2 * HALF,) * 3)
        geom.setBody(body)
        body.setPosition(place)
        keep += [body, geom]

    def near(_, a, b):
        for contact in ode.collide(a, b):
            contact.setMu(0.5)
            ode.ContactJoint(world, joints, contact).attach(a.getBody(), b.getBody())

    def step():
        space.collide(None, near)
        world.step(DT)
        joints.empty()

    repeat(step)(SETTLE)
    return least(repeat(step), 60)


ROWS = (("one distance, box and ball", "abut", None, abut_distance), ("", "DART (FCL)", "dartpy", dart_distance),
        ("a step of 50 boxes in a heap", "abut", None, abut_steps), ("", "DART", "dartpy", dart_steps), ("", "ODE", "ode", ode_steps))


def main():
    for text, name, module, run in ROWS:
        told = f"{run():11.1f} us" if module is None or importlib.util.find_spec(module) else "not installed"
        print(f"{text:28} {name:12} {told}")
    for peer in ("fcl", "coal", "hppfcl", "mujoco", "pybullet", "pinocchio"):
        if importlib.util.find_spec(peer) is None:
            print(f"{peer}: not installed")


if __name__ == "__main__":
    main()
