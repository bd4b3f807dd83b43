# SPDX-License-Identifier: Apache-2.0
"""Questions of meshes and robots asked of libraries that are called from Python, abut's own package among them.

Usage: ask.py FILE.csv     (PYTHONPATH holds abut; other libraries are left out where they are not installed)
A library gets all questions in one call where it offers that. Truth: all triangles, one by one, in numpy; closed forms for impacts. Wrong counts answers
off by more than 1e-6 and 1e-3 of the size of the mesh; Embree computes in single precision. Times are processor time of the best of some rounds and hold the calls.
"""
import csv
import importlib
import math
import sys
import tempfile
import time

import numpy as np

ROUNDS, RAYS, POINTS, POSES, IMPACTS, CUBES = 5, 1000, 1000, 50, 50, 200
BUDGET = 1.0  # seconds for the rounds after the first


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"ask.py: {name} is not installed, left out", file=sys.stderr)
        return None


abut, trimesh, fcl = module("abut"), module("trimesh"), module("fcl")


# ---- truth -------------------------------------------------------------------------------------------------------------


def ray_truth(triangles, origin, way):
    """The first t of origin + t way on any triangle; inf: none."""
    a, e, f = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    out = np.full(len(origin), np.inf)
    for i, (o, d) in enumerate(zip(origin, way)):
        p = np.cross(d, f)
        det = np.einsum("ij,ij->i", e, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = o - a
            u = np.einsum("ij,ij->i", s, p) / det
            q = np.cross(s, e)
            v = q @ d / det
            t = np.einsum("ij,ij->i", f, q) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)
        out[i] = t[hit].min() if hit.any() else np.inf
    return out


def segment_distance(p, a, b):
    ab = b - a
    t = np.clip(np.einsum("ij,ij->i", p - a, ab) / np.einsum("ij,ij->i", ab, ab), 0, 1)
    return np.linalg.norm(p - a - t[:, None] * ab, axis=1)


def nearest_truth(triangles, points):
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    n = np.cross(b - a, c - a)
    length = np.linalg.norm(n, axis=1)
    n /= length[:, None]
    out = []
    for p in points:
        height = np.einsum("ij,ij->i", p - a, n)
        foot = p - height[:, None] * n
        inside = np.ones(len(a), bool)
        for x, y in ((a, b), (b, c), (c, a)):
            inside &= np.einsum("ij,ij->i", np.cross(y - x, foot - x), n) >= 0
        edges = np.minimum.reduce([segment_distance(p, x, y) for x, y in ((a, b), (b, c), (c, a))])
        out.append(np.where(inside, np.abs(height), edges).min())
    return np.array(out)


# ---- rows --------------------------------------------------------------------------------------------------------------


def timed(ask, count):
    """The answer, and ns a question."""
    answer, best = ask(), math.inf
    end = time.process_time() + BUDGET
    for _ in range(ROUNDS):
        start = time.process_time()
        ask()
        best = min(best, time.process_time() - start)
        if time.process_time() > end:
            break
    return np.asarray(answer, float), 1e9 * best / count


def row(rows, case, engine, truth, size, ask):
    try:
        answer, ns = timed(ask, len(truth))
    except Exception as error:  # a library that raises has answered nothing
        print(f"ask.py: {engine} on {case}: {error}", file=sys.stderr)
        rows.append([case, engine, "0.001", len(truth), 0, 0, len(truth)])
        return
    with np.errstate(invalid="ignore"):  # no hit is infinite
        same = (answer == truth) | (np.abs(answer - truth) <= 1e-6 * size)
        near = (answer == truth) | (np.abs(answer - truth) <= 1e-3 * size)
    rows.append([case, engine, f"{ns:.1f}", len(truth), int((~same).sum()), int((~near).sum()), int(np.isnan(answer).sum())])


def trimesh_rays(mesh, origin, way):
    """t of the first hit of each ray, which trimesh gives as places."""
    def ask():
        places, ray, _ = mesh.ray.intersects_location(origin, way, multiple_hits=False)
        t = np.full(len(origin), np.inf)
        if len(ray):
            along = np.einsum("ij,ij->i", places - origin[ray], way[ray]) / np.einsum("ij,ij->i", way[ray], way[ray])
            np.minimum.at(t, ray, np.where(along <= 1.0, along, np.inf))
        return t
    return ask


def ask_rays(rows, name, mesh):
    rng = np.random.default_rng(3)
    triangles = np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]
    size = np.ptp(triangles.reshape(-1, 3), axis=0).max()
    middle = triangles.reshape(-1, 3).mean(axis=0)
    direction = rng.normal(size=(RAYS, 3))
    origin = middle + 2.0 * size * direction / np.linalg.norm(direction, axis=1)[:, None]
    way = 2.0 * (middle + rng.normal(scale=0.3 * size, size=(RAYS, 3)) - origin)
    truth = ray_truth(triangles, origin, way)
    case = f"python/{name} rays"

    def own():
        hits = abut.cast_ray(mesh, origin, way)
        return np.where(hits["body"] < 0, np.inf, hits["t"])
    row(rows, case, "abut", truth, 1.0, own)
    if trimesh:
        from trimesh.ray import ray_triangle
        plain = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
        plain.ray = ray_triangle.RayMeshIntersector(plain)
        row(rows, case, "trimesh", truth, 1.0, trimesh_rays(plain, origin, way))
        if module("embreex"):
            from trimesh.ray import ray_pyembree
            fast = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
            fast.ray = ray_pyembree.RayMeshIntersector(fast)
            row(rows, case, "Embree by trimesh", truth, 1.0, trimesh_rays(fast, origin, way))


def ask_nearest(rows, name, mesh):
    rng = np.random.default_rng(4)
    triangles = np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]
    flat = triangles.reshape(-1, 3)
    low, wide = flat.min(axis=0), np.ptp(flat, axis=0)
    points = low + wide * rng.uniform(-0.3, 1.3, size=(POINTS, 3))
    truth, case = nearest_truth(triangles, points), f"python/{name} nearest points"
    row(rows, case, "abut", truth, wide.max(), lambda: np.linalg.norm(mesh.nearest(points)["point"] - points, axis=1))
    if trimesh:
        plain = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
        row(rows, case, "trimesh", truth, wide.max(), lambda: trimesh.proximity.closest_point(plain, points)[1])


def fcl_model(mesh):
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.triangles))
    model.addSubModel(np.asarray(mesh.vertices), np.asarray(mesh.triangles))
    model.endModel()
    return model


def ask_pairs(rows):
    """Distance of two meshes; the truth is the least of what the libraries answer, since a distance that is too large is the error of such searches."""
    a, b = abut.Mesh.make("torus", 2000), abut.Mesh.make("knot", 2000)
    rng = np.random.default_rng(5)
    way = rng.normal(size=(POSES, 3))
    turn = rng.normal(size=(POSES, 4))
    size = float(np.ptp(np.asarray(a.vertices), axis=0).max() + np.ptp(np.asarray(b.vertices), axis=0).max())
    poses = np.hstack([size * way / np.linalg.norm(way, axis=1)[:, None], turn / np.linalg.norm(turn, axis=1)[:, None]])
    case, asks = "python/torus and knot distance", {"abut": lambda: abut.distance(a, b, poses)["distance"]}
    if fcl:
        one, two = fcl_model(a), fcl_model(b)

        def ask():
            out = []
            for p in poses:
                first, second = fcl.CollisionObject(one), fcl.CollisionObject(two, fcl.Transform(p[3:], p[:3]))
                out.append(fcl.distance(first, second, fcl.DistanceRequest(), fcl.DistanceResult()))
            return out
        asks["python-fcl"] = ask
    truth = np.minimum.reduce([np.asarray(x(), float) for x in asks.values()])
    for name, x in asks.items():
        row(rows, case, name, truth, size, x)


CUBE_FACES = [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]


def ask_impacts(rows):
    """Cubes of side 2 with parallel axes, as meshes, of which one moves on a line: faces meet at a time with a closed form. python-fcl looks at
    1000 places on the way: its conservative advancement finds no contact of these meshes."""
    corners = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float)
    cube = abut.Mesh(corners, CUBE_FACES)
    rng = np.random.default_rng(6)
    start = np.column_stack([rng.uniform(3, 5, IMPACTS), rng.uniform(-1.5, 1.5, IMPACTS), rng.uniform(-1.5, 1.5, IMPACTS)])
    end = start.copy()
    end[:, 0] = rng.uniform(-1, 1.5, IMPACTS)
    truth = (start[:, 0] - 2.0) / (start[:, 0] - end[:, 0])
    motions = [abut.Motion.translation(tuple(a), tuple(b - a)) for a, b in zip(start, end)]
    row(rows, "python/impact of two cubes", "abut", truth, 1.0, lambda: [abut.time_of_impact(cube, cube, None, m).t for m in motions])
    if fcl:
        model = fcl_model(cube)

        def ask():
            out = []
            for a, b in zip(start, end):
                request = fcl.ContinuousCollisionRequest(num_max_iterations=1000, ccd_solver_type=fcl.CCDSolverType.CCDC_NAIVE)
                result = fcl.ContinuousCollisionResult()
                fcl.continuousCollide(fcl.CollisionObject(model), fcl.Transform(), fcl.CollisionObject(model, fcl.Transform(a)), fcl.Transform(b), request, result)
                out.append(result.time_of_contact)
            return out
        row(rows, "python/impact of two cubes", "python-fcl, sampled", truth, 1.0, ask)


def ask_managers(rows):
    """The collision managers of trimesh: cubes with parallel axes at random places, and one cube at many. The truth is the gap of the boxes."""
    if not trimesh:
        return
    from abut.trimesh import CollisionManager
    rng = np.random.default_rng(8)
    cube, centers, places = trimesh.creation.box((1.0, 1.0, 1.0)), rng.uniform(-6, 6, (CUBES, 3)), rng.uniform(-6, 6, (POSES, 3))
    gaps = np.maximum(np.abs(places[:, None] - centers[None]) - 1.0, 0.0)
    meets, far = (gaps == 0.0).all(axis=2).sum(axis=1), 9.0 + places * [1.0, 0.0, 0.0]
    apart = np.linalg.norm(np.maximum(np.abs(far[:, None] - centers[None]) - 1.0, 0.0), axis=2).min(axis=1)

    def at(p):
        matrix = np.eye(4)
        matrix[:3, 3] = p
        return matrix
    for engine, make in (("abut", CollisionManager), ("trimesh with python-fcl", trimesh.collision.CollisionManager)):
        if make is not CollisionManager and not fcl:
            continue
        manager = make()
        for k, center in enumerate(centers):
            manager.add_object(f"cube {k}", cube, at(center))
        row(rows, f"python/manager of {CUBES} cubes, names in collision", engine, meets.astype(float), 1.0,
            lambda m=manager: [len(m.in_collision_single(cube, at(p), return_names=True)[1]) for p in places])
        row(rows, f"python/manager of {CUBES} cubes, least distance", engine, apart, 1.0,
            lambda m=manager: [m.min_distance_single(cube, at(p)) for p in far])
    knot = trimesh.Trimesh(*(lambda m: (np.array(m.vertices), np.array(m.triangles)))(abut.Mesh.make("knot", 2000)))
    asks = {}
    for engine, make in (("abut", CollisionManager), ("trimesh with python-fcl", trimesh.collision.CollisionManager)):
        if make is CollisionManager or fcl:
            manager = make()
            for k, center in enumerate(centers[:20]):
                manager.add_object(f"knot {k}", knot, at(4.0 * center))
            asks[engine] = lambda m=manager: [m.min_distance_single(knot, at(p)) for p in far]
    truth = np.minimum.reduce([np.asarray(ask(), float) for ask in asks.values()])
    for engine, ask in asks.items():
        row(rows, "python/manager of 20 knots, least distance", engine, truth, 1.0, ask)


# ---- robots ------------------------------------------------------------------------------------------------------------


class DrakeRobot:
    """The bodies and hinges of a model with a fixed base, as a plant of Drake."""

    def __init__(self, model):
        from pydrake.multibody import plant as plants
        from pydrake.multibody import tree
        from pydrake.math import RigidTransform
        from pydrake.common.eigen_geometry import Quaternion
        self.forces_of, self.plant = tree.MultibodyForces, plants.MultibodyPlant(0.0)
        plant, self.links = self.plant, []
        plant.mutable_gravity_field().set_gravity_vector(model.gravity)
        joints = {j["body"]: j for j in model.joints}
        for i, body in enumerate(model.bodies):
            at = RigidTransform(Quaternion(body["pose"][3:]), body["pose"][:3])
            moment = body["inertia"]
            about_center = tree.RotationalInertia(moment[0, 0], moment[1, 1], moment[2, 2], moment[0, 1], moment[0, 2], moment[1, 2])
            link = plant.AddRigidBody(f"b{i}", tree.SpatialInertia.MakeFromCentralInertia(max(body["mass"], 1e-9), body["center"], about_center))
            parent = self.links[body["parent"]] if body["parent"] >= 0 else plant.world_body()
            self.links.append(link)
            if i not in joints:
                plant.WeldFrames(parent.body_frame(), link.body_frame(), at)
                continue
            joint, there = joints[i], RigidTransform(joints[i]["position"])
            on_parent = plant.AddFrame(tree.FixedOffsetFrame(f"p{i}", parent.body_frame(), at @ there))
            on_link = plant.AddFrame(tree.FixedOffsetFrame(f"c{i}", link.body_frame(), there))
            kind = tree.PrismaticJoint if joint["kind"] == "slide" else tree.RevoluteJoint
            motor = plant.AddJointActuator(f"m{i}", plant.AddJoint(kind(f"j{i}", on_parent, on_link, joint["axis"])))
            motor.set_default_rotor_inertia(joint["armature"])
            motor.set_default_gear_ratio(1.0)
        plant.Finalize()
        self.context, self.zero = plant.CreateDefaultContext(), np.zeros(plant.num_velocities())

    def set(self, q, v):
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, v)

    @property
    def bias(self):
        forces = self.forces_of(self.plant)
        self.plant.CalcForceElementsContribution(self.context, forces)
        return self.plant.CalcInverseDynamics(self.context, self.zero, forces)

    def solve(self, x):
        return np.linalg.solve(self.plant.CalcMassMatrix(self.context), x)

    def body_poses(self):
        return np.array([self.plant.EvalBodyPoseInWorld(self.context, link).translation() for link in self.links])


def ask_robot(rows, name):
    """The truth is abut's answer, which the cases of robots hold to MuJoCo and Pinocchio; the sum of the numbers of a state is compared."""
    model = abut.Model.build(name)
    robot = abut.Robot(model)
    rng = np.random.default_rng(7)
    states = [(rng.uniform(-0.5, 0.5, robot.nv), rng.uniform(-1, 1, robot.nv)) for _ in range(POSES)]
    ones = np.ones(robot.nv)
    questions = {"poses": lambda r: r.body_poses()[:, :3], "inverse dynamics": lambda r: r.bias, "mass matrix solved": lambda r: r.solve(ones)}

    def answers(who, question):
        def ask():
            out = []
            for q, v in states:
                who.set(q, v)
                out.append(question(who).sum())
            return out
        return ask
    peers = {"abut": robot}
    if module("pydrake"):
        peers["Drake"] = DrakeRobot(model)
    for words, question in questions.items():
        truth = np.asarray(answers(robot, question)(), float)
        for engine, who in peers.items():
            row(rows, f"python/{name} {words}", engine, truth, np.abs(truth).max(), answers(who, question))


SPLINE_ARM = '<robot name="arm"><link name="base"/>' + "".join(
    f'<link name="{child}"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial><collision>'
    f'<origin xyz="0.15 0 0"/><geometry><box size="0.24 0.06 0.06"/></geometry></collision></link><joint name="{child}_joint" type="revolute">'
    f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{x} 0 0"/><axis xyz="{axis}"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>'
    for child, parent, x, axis in (("a", "base", 0.0, "0 0 1"), ("b", "a", 0.3, "0 1 0"), ("c", "b", 0.3, "0 0 1"))) + "</robot>"


def ask_splines(rows):
    """The least distance of an arm to a box over B-splines of Drake: bracketed at all times to 1e-4 m through abut.drake, or the least of 100
    and 1000 samples of Drake. The truth is the least of 10,000 samples of abut."""
    if not module("pydrake"):
        return
    from pydrake.geometry import Box
    from pydrake.math import BsplineBasis, RigidTransform
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.trajectories import BsplineTrajectory
    import abut.drake
    builder, rng = DiagramBuilder(), np.random.default_rng(8)
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0)
    Parser(plant).AddModelsFromString(SPLINE_ARM, "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform([0.6, 0.6, 0.1]), Box(0.2, 0.2, 0.4), "box", CoulombFriction(1.0, 1.0))
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    own = plant.GetMyMutableContextFromRoot(context)
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
        file.write(SPLINE_ARM)
        file.flush()
        model = abut.Model.read(file.name)
    around = abut.Model()
    around.add_shape(around.add_body("box", kind="static"), "box", size=[0.1, 0.1, 0.2], pose=[0.6, 0.6, 0.1, 1, 0, 0, 0])
    problem = abut.PlanProblem(abut.Robot(model), around, only=[(name, "box") for name in "abc"])
    splines, truth = [], []
    while len(splines) < 20:  # those that keep clear
        spline = BsplineTrajectory(BsplineBasis(4, 8), [rng.uniform(-0.6, 0.6, (3, 1)) for _ in range(8)])
        made = abut.drake.trajectory(plant, spline, problem.robot)
        least = min(problem.nearest(q)["distance"] for q in made.at(np.linspace(0.0, 1.0, 10001)))
        if least > 1e-3:
            splines.append(spline)
            truth.append(least)
    bodies = [plant.GetCollisionGeometriesForBody(plant.GetBodyByName(name))[0] for name in "abc"]
    (box,) = plant.GetCollisionGeometriesForBody(plant.world_body())

    def sampled(count):
        def one(spline):
            least = math.inf
            for t in np.linspace(spline.start_time(), spline.end_time(), count):
                plant.SetPositions(own, spline.value(t).ravel())
                query = plant.get_geometry_query_input_port().Eval(own)
                least = min(least, *(query.ComputeSignedDistancePairClosestPoints(box, body).distance for body in bodies))
            return least
        return lambda: [one(spline) for spline in splines]

    truth = np.array(truth)
    row(rows, "python/splines of Drake", "abut", truth, 1.0, lambda: [abut.drake.clearance(plant, spline, problem, tolerance=1e-4)[1] for spline in splines])
    row(rows, "python/splines of Drake", "Drake, 100 samples", truth, 1.0, sampled(100))
    row(rows, "python/splines of Drake", "Drake, 1000 samples", truth, 1.0, sampled(1000))


def main():
    if len(sys.argv) != 2 or not abut:
        sys.exit(__doc__)
    rows = []
    for name, triangles in (("knot", 2000), ("statue", 20000)):
        mesh = abut.Mesh.make(name, triangles)
        ask_rays(rows, name, mesh)
        ask_nearest(rows, name, mesh)
    ask_pairs(rows)
    ask_impacts(rows)
    ask_managers(rows)
    ask_splines(rows)
    for name in ("arm6", "hand16"):
        ask_robot(rows, name)
    with open(sys.argv[1], "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "engine", "ns", "asked", "wrong_1e-6", "wrong_1e-3", "failed"])
        writer.writerows(rows)
    for r in rows:
        print(*r)


if __name__ == "__main__":
    main()
