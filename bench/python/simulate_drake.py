# SPDX-License-Identifier: Apache-2.0
"""Drake behind the pipe of bench/sim_pipe.c: a discrete MultibodyPlant with its own contact approximation; boxes and balls are compliant hydroelastic
bodies (modulus 1e7 Pa) on a rigid half-space. Scenes of many bodies at steps below 2e-3 s, and hulls, are refused: the first take too long."""
import json
import sys
import time

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddCompliantHydroelasticProperties, AddContactMaterial, AddRigidHydroelasticProperties, Box, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

MANY, SHORT = 10, 2e-3


def transform(pose):
    q = np.array(pose[3:]) / np.linalg.norm(pose[3:])
    return RigidTransform(Quaternion(q), pose[:3])


def properties(friction, unit=None):
    """Rigid without a unit of length."""
    props = ProximityProperties()
    AddContactMaterial(dissipation=10.0, friction=CoulombFriction(friction, friction), properties=props)
    if unit is None:
        AddRigidHydroelasticProperties(1.0, props)
    else:
        AddCompliantHydroelasticProperties(unit / 2, 1e7, props)
    return props


def shape_of(body):
    size = body["size"]
    if body["kind"] == "box":
        return Box(*(2 * x for x in size)), UnitInertia.SolidBox(*(2 * x for x in size))
    if body["kind"] == "ball":
        return Sphere(size[0]), UnitInertia.SolidSphere(size[0])
    raise ValueError("hulls are not asked")


class World:
    def __init__(self, scene):
        if len(scene["bodies"]) > MANY and scene["dt"] < SHORT:
            raise ValueError("too many bodies at this step")
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, scene["dt"])
        plant.mutable_gravity_field().set_gravity_vector(scene["gravity"])
        self.normal, friction = np.array(scene["normal"]), scene["friction"]
        turn = RotationMatrix.MakeFromOneVector(self.normal, 2)
        ground = RigidTransform(turn, self.normal * scene["offset"])
        self.ground = plant.RegisterCollisionGeometry(plant.world_body(), ground, HalfSpace(), "ground", properties(friction))
        for i, wall in enumerate(scene["walls"]):
            plant.RegisterCollisionGeometry(plant.world_body(), transform(wall["pose"]), Box(*(2 * x for x in wall["size"])), f"wall{i}", properties(friction))
        self.bodies, self.of_geometry = [], {}
        for i, body in enumerate(scene["bodies"]):
            shape, inertia = shape_of(body)
            link = plant.AddRigidBody(f"b{i}", SpatialInertia(body["mass"], [0, 0, 0], inertia))
            geometry = plant.RegisterCollisionGeometry(link, RigidTransform(), shape, f"g{i}", properties(friction, scene["unit"]))
            self.bodies.append(link)
            self.of_geometry[geometry] = i
        plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.plant, self.context = plant, plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for link, body in zip(self.bodies, scene["bodies"]):
            plant.SetFreeBodyPose(self.context, link, transform(body["pose"]))
        self.simulator.Initialize()
        self.steps, self.dt = 0, scene["dt"]

    def step(self, dt):
        self.steps += 1
        start = time.process_time()
        self.simulator.AdvanceTo(self.steps * dt)
        return time.process_time() - start

    def forces(self):
        out = np.zeros(len(self.bodies))
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        for i in range(results.num_hydroelastic_contacts()):
            info = results.hydroelastic_contact_info(i)
            surface = info.contact_surface()
            pair = (surface.id_M(), surface.id_N())
            if self.ground in pair:
                other = pair[0] if pair[1] == self.ground else pair[1]
                out[self.of_geometry[other]] += abs(info.F_Ac_W().translational() @ self.normal)
        return out

    def read(self):
        rows = []
        for link, force in zip(self.bodies, self.forces()):
            pose, speed = self.plant.EvalBodyPoseInWorld(self.context, link), self.plant.EvalBodySpatialVelocityInWorld(self.context, link)
            rows.append([*pose.translation(), *pose.rotation().ToQuaternion().wxyz(), *speed.translational(), *speed.rotational(), force])
        return rows


def main():
    world = None
    for line in sys.stdin:
        try:
            if world is None:
                world = World(json.loads(line))
                print("ready", flush=True)
            elif line.startswith("s"):
                print(world.step(float(line[2:])), 0, flush=True)
            else:
                print(" ".join("%.17g" % x for row in world.read() for x in row), flush=True)
        except Exception as error:  # any failure of the library ends this run, not the benchmark
            print("no", str(error).split("\n", maxsplit=1)[0], flush=True)
            return


if __name__ == "__main__":
    main()
