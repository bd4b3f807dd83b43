# SPDX-License-Identifier: Apache-2.0
"""Nothing leaks: calls that reach every function of the extension, each many times, leave no objects and no memory behind.

The full count is 100,000 calls of each, or a minute; a normal run makes one percent of that. ABUT_TEST_SCALE=100 is full.
"""
import copy
import ctypes
import gc
import inspect
import os
import pathlib
import pickle
import sys
import time

import numpy as np
import pytest
from conftest import cases

import abut
from abut import _abut, manipulation

SCALE = float(os.environ.get("ABUT_TEST_SCALE", "1"))
MOTION = """{ "format": "abut-motion", "version": 1, "joints": [ { "kind": "hinge", "curve": 0.5 } ] }"""


class Things:
    """What the calls ask about; made once."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.box, self.ball, self.solid = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25), abut.regular(8, 0.5)
        self.mesh, self.cup = abut.Mesh.make("torus", 100), abut.Mesh.make("cup", 100)
        self.cube = self.box.to_mesh()
        self.pose, self.poses = np.array([0.1, 0.2, 1.5, 1, 0, 0, 0]), np.tile([0.1, 0.2, 1.5, 1, 0, 0, 0], (4, 1))
        self.pieces = self.mesh.decompose(0.3)
        self.motion, self.chain = abut.Motion.translation(self.pose, (0, 0, -1)), abut.Motion.parse(MOTION)
        self.minimum = abut.clearance_minima(self.ball, self.box, self.motion)[1][0]
        self.soft = abut.SoftBody(self.cube, 0.3, step=0.2, margin=0.6)
        self.direction = abut.soft_direction(self.soft, self.soft, self.pose)
        self.convolution, self.phong = abut.Convolution(self.cube, self.cube), abut.Phong(self.cube, self.cube)
        self.system = abut.ModeSystem.contacts_at([(0, 0, 0), (1, 0, 0)], [(0, 0, 1), (0, 0, 1)])
        self.mode = self.system.modes(limit=1)[0]
        self.robot, self.arm = abut.Robot("arm6"), abut.Scene("arm6")
        self.problem = abut.PlanProblem(self.robot, only=[("base", "forearm")] if "forearm" in [b["name"] for b in self.robot.model.bodies] else ())
        self.trajectory = abut.Trajectory.through([0, 1], [np.zeros(6), np.full(6, 0.1)])
        self.plan = self.problem.solve(np.zeros(6), np.full(6, 0.05), attempts=1)
        self.simulation = abut.Simulation("stack:2", sleeping=True)
        self.simulation.step(50)
        self.scene, self.shape = self.simulation.scene, self.simulation.scene.shapes("box0")[0]
        self.driven = abut.Simulation(abut.Scene("arm6"))
        self.run = abut.Simulation("stack:1").run(0.005)
        self.model = abut.Model.build("stack:1")
        self.contact = abut.contact(self.ball, self.ball, (0, 0, 0.4))[0]
        self.map = abut.Roadmap(self.problem, 50, threads=1)
        self.task = manipulation.Task.build("push")
        self.push = self.task.plan()
        self.image = np.zeros((8, 8, 3), np.uint8)
        self.mesh.write(folder / "m.obj")
        self.run.write(folder / "r.npz")
        self.trajectory.write(folder / "t.npz", self.robot.model)
        (folder / "m.xml").write_text('<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>')
        (folder / "h.txt").write_text("1 0 0 1\n-1 0 0 1\n0 1 0 1\n0 -1 0 1\n0 0 1 1\n0 0 -1 1\n")
        (folder / "c.csv").write_text("t\n")
        (folder / "s.json").write_text('{"qpos": [0, 0, 0, 0, 0, 0]}')
        (folder / "l.csv").write_text("joint,speed\n*,1\n")
        (folder / "g.srdf").write_text(f"<robot name='{self.robot.model.name}'/>")
        (folder / "s.yaml").write_text("world:\n  collision_objects:\n  - {id: ball, primitives: [{type: 2, dimensions: [1.0]}]}\n")
        np.save(folder / "p.npy", np.ones((2, 3)))
        (folder / "h.bin").write_bytes(np.array([2, 2], np.int32).tobytes() + np.zeros(4, np.float32).tobytes())
        (folder / "modes.json").write_text('{"contacts": []}')


def refused(call, *arguments, **options):
    with pytest.raises((abut.Error, TypeError)):
        call(*arguments, **options)


def batched(x):
    batch = abut.Batch("arm6", 2, watch=["fore"])
    batch.ctrl = np.zeros(6)
    batch.step(2), batch.reset([True, False])
    abut.rollout(batch, np.zeros(1 + batch.qpos.shape[1] + batch.qvel.shape[1]), np.zeros((2, 3, 6)), sensors=True)
    return batch.qpos, batch.contacts(0), batch.reason(0), batch.hash(0), pickle.loads(pickle.dumps(batch))


def built(x):
    """A model of everything, its scene, copies."""
    model = abut.Model()
    a, b = model.add_body("a", "link"), model.add_body("b", "link", parent=0)
    for body in (a, b):
        model.add_shape(body, "box", (0.1, 0.1, 0.1))
        model.add_joint(body, "hinge", name=f"j{body}")
    model.add_frame("f", a)
    model.add_tendon([0, 1], [1.0, 1.0])
    model.add_actuator(0)
    model.add_pair(a, b, exclude=True)
    model.add_equality("joint", 0, 1)
    model.add_keyframe("k", [0.1, 0.2])
    model.add_element("s", "t", "n", key="value")
    model.set(timestep=0.01)
    model.name = "all"
    lists = model.bodies, model.tendons, model.keyframes, model.elements, model.number_names(), model.shapes_of(0), model.shape_body(0)
    scene = abut.Scene(pickle.loads(pickle.dumps(model)))
    scene.set_keyframe("k")
    scene.set_joints([0.0, 0.0])
    return lists, copy.deepcopy(scene), scene.robot_model(), scene.robot_body("a"), scene.joints()


def scene_of_bodies(x):
    scene = abut.Scene()
    body = scene.add_body("a", pose=(0, 0, 1))
    shape, other = scene.add_shape(body, "box", (0.1, 0.1, 0.1)), scene.add_shape(body, convex=x.solid)
    ground = scene.add_shape(scene.add_body("g", "static"), "half_space")
    scene.set_material(shape, friction=0.1), scene.set_filter(shape, mask=3), scene.set_pair_friction(shape, ground, 0.1)
    scene.set_pair(shape, ground, margin=1e-3)
    scene.set_form(shape, "sphere", 0.1), scene.remove_shape(other), scene.exclude("a", "g"), scene.set_pair_filter(lambda a, b: True)
    scene.set_pose("a", x.pose), scene.set_velocity("a"), scene.add_force("a", (0, 0, 1)), scene.set_kind("a", "static")
    scene.describe_body("a", abut.Model()), scene.model(), scene.contacts(), scene.remove_body("a")


def stepped(x):
    x.simulation.set_controller(lambda s, t: None), x.simulation.set_contact_rule(lambda *law: None)
    x.simulation.step(2), x.simulation.set_controller(None), x.simulation.set_contact_rule(None)
    x.simulation.set_force("box0"), x.simulation.set_gravity((0, 0, -9.8)), x.simulation.change_settings(iterations=0)
    return (x.simulation.contacts(), x.simulation.contacts("box0"), x.simulation.events(), x.simulation.asleep, x.simulation.hash, x.simulation.time, x.simulation.energy,
            x.simulation.current_settings, x.simulation.mode_system(), x.simulation.mode(), x.simulation.restore(x.simulation.save()))


CALLS = {
    "distance": lambda x: (abut.distance(x.box, x.ball, x.pose), abut.distance(x.box, x.ball, x.poses), abut.distance(x.mesh, x.ball, x.pose).normal),
    "yes or no": lambda x: (abut.meet(x.box, x.ball, x.poses), abut.closer_than(x.box, x.ball, 0.1, x.pose)),
    "depth": lambda x: (abut.depth(x.box, x.ball, x.poses), abut.depth(x.cube, x.cube, (0.9, 0, 0), along=(1, 0, 0))),
    "collide": lambda x: (abut.collide(x.mesh, x.box, x.poses), abut.collide(x.mesh, x.box, all=True)),
    "derivative": lambda x: abut.derivative(x.box, x.ball, None, x.pose),
    "intersect": lambda x: (abut.intersect(x.box, x.solid, x.pose), abut.intersect_regions((np.eye(2), [1, 1]), (-np.eye(2), [0, 0]))),
    "overlap": lambda x: (abut.overlap(x.box, x.solid).to_mesh(), abut.overlap(x.box, x.solid, x.poses), abut.overlap_volume(x.box, x.solid)),
    "contact": lambda x: (abut.contact(x.box, x.solid, x.poses), abut.contact_features(x.box, x.box, (0, 0, 0))),
    "casts": lambda x: (abut.cast_ray([x.box, x.mesh], (0, 0, 5), (0, 0, -9)), abut.cast_ray([x.box], (0, 0, 5), (0, 0, -9), all=True),
                        abut.cast(abut.BodySet([x.box, (x.ball, x.pose)]), x.ball, (0, 0, 1)), abut.nearest_point(x.box, x.poses[:, :3])),
    "bodies": lambda x: (abut.hull(np.eye(3)), abut.polyhedron(abut.read_half_spaces(x.folder / "h.txt")), abut.prism(5, 1.0, 1.0),
                         pickle.loads(pickle.dumps(x.solid)), x.ball.to_mesh(20), repr(x.box), abut.pose(x.pose[:3])),
    "meshes": lambda x: (abut.Mesh(x.mesh.vertices, x.mesh.triangles).report(), abut.Mesh.read(x.folder / "m.obj"), abut.Mesh.parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "x.obj"),
                         abut.Mesh.make("torus", 50).welded(), x.mesh.neighbors(), x.mesh.deformed(x.mesh.vertices), x.mesh.hull(), x.mesh.why_not_convex(),
                         x.mesh.capsule_around(), x.mesh.inside(np.zeros((1, 3))), x.mesh.nearest(np.zeros((1, 3))), abut.mesh_names(), abut.bounding_sphere(x.mesh.vertices)),
    "ground": lambda x: (abut.Mesh.height_field(abut.read_heights(x.folder / "h.bin"), 1, 1, -1), abut.height_field_pieces(np.zeros((2, 2)), 1, 1, -1)),
    "pieces": lambda x: (abut.pieces_distance(x.pieces, x.pieces, x.pose), abut.pieces_volume(x.pieces, x.pieces), abut.pieces_cover(x.pieces, x.mesh), x.pieces[0],
                         pickle.loads(pickle.dumps(x.pieces))),
    "decompose": lambda x: x.cube.decompose(),
    "motions": lambda x: (abut.Motion.keyframes([0, 1], x.poses[:2]).pose_at([0.1, 0.2]), abut.Motion.parse(MOTION), abut.Motion.screw(None, (0, 0, 0), (0, 0, 1), 1.0), abut.Motion.static(x.pose),
                          x.motion.next_break(0), x.motion.speed_along(0, 1, (0, 0, 1)), x.chain.gradient(0, (1, 0, 0), (0, 1, 0)), pickle.loads(pickle.dumps(x.chain))),
    "curves": lambda x: (abut.Curve.bernstein(0, 1, [1, 2]).value([0.5]), abut.Curve.spline(1, [0, 0, 1, 1], [0, 1]).value(0.5)),
    "impact": lambda x: abut.time_of_impact(x.ball, x.box, x.motion),
    "clearance": lambda x: abut.clearance(x.ball, [x.box, x.solid], x.motion, eps=0.1),
    "clearances": lambda x: (abut.clearance_curve(x.ball, x.box, x.motion, eps=0.1), abut.clearance_minima(x.ball, x.box, x.motion, eps=0.1), abut.contact_time(x.ball, x.box, x.motion),
                             abut.clearance_pairs([x.ball, x.box], [x.motion, None]), abut.clearance_pairs([x.ball, x.box], [x.motion, None], worst=True),
                             abut.clearance_gradient(x.minimum, x.chain), abut.clearance_capsules(np.zeros((2, 6, 3)), 0.1, np.ones((2, 6, 3)), 0.1),
                             abut.clearance_soft(x.soft, x.soft, None, x.pose, budget=1)),
    "soft directions": lambda x: (abut.soft_direction(x.soft, x.soft, x.poses[:2]), abut.soft_tau(x.cube, x.cube), abut.soft_source(x.cube), x.soft.field((0, 0, 0)),
                                  abut.soft_turn_bound(x.soft, x.direction, x.pose, x.pose), abut.soft_turn_between(x.soft, x.direction, x.pose, x.direction, x.pose),
                                  abut.angle_between((1, 0, 0), (0, 1, 0)), abut.soft_potential(x.direction, 1.0, 2.0),
                                  abut.pressure_force(x.soft, x.ball, x.pose, pressure=1.0, reach=0.5)),
    "soft bodies": lambda x: pickle.loads(pickle.dumps(abut.SoftBody(x.cube, 0.5, step=0.4, margin=1.0))),
    "minkowski": lambda x: (abut.minkowski_sum(x.cube, x.cube), x.convolution.facets(), x.convolution.measure(), x.convolution.kernel_direction(0.5, 0.1, x.pose), abut.Convolution(x.cube, x.cube)),
    "phong": lambda x: (x.phong.distance(x.poses[:2]), x.phong.restart(), abut.Phong(x.cube, x.cube)),
    "cases": lambda x: (abut.direction_cases(), abut.direction_case_pose("cone/axis" if "cone/axis" in abut.direction_cases() else next(iter(abut.direction_cases())), [0.5])),
    "case": lambda x: abut.direction_case(next(iter(abut.direction_cases()))),
    "modes": lambda x: (x.system.modes(limit=3), x.system.signs(limit=3), x.system.visit(lambda mode: True), x.system.consistent(np.zeros(6), limit=2), x.system.neighbors(x.mode),
                        x.system.velocity(x.mode), x.system.velocity(x.mode, 1), x.system.project(x.mode, np.zeros(6)), x.system.forces(x.mode, np.zeros(6)), x.system.hasse([x.mode]),
                        x.system.merge([x.mode]), x.system.dimension(x.mode), x.system.is_face(x.mode, x.mode), x.system.of_velocity(np.zeros(6)), x.system.restricted(np.eye(6)), x.system.with_lines(1),
                        pickle.loads(pickle.dumps(x.system)), abut.ModeSystem.named("box:1"), abut.ModeSystem.contacts_at([(0, 0, 0)], [(0, 0, 1)]), abut.ModeSystem.read(x.folder / "modes.json")),
    "track": lambda x: abut.track_modes(lambda t: ([[0.0, 1.0]], [[1.0, 0.0]], [t - 0.3, 0.0]), 1, 2, 1, samples=3),
    "batches": batched,
    "adapters": lambda x: _abut.pose_between(_abut.pose_numbers(np.eye(4), "a"), _abut.pose_numbers(x.pose, "b")),
    "manipulation": lambda x: (manipulation.task_names(), x.push.check(), x.push.execute(), x.task.plan(attempts=1)),
    "planning scenes": lambda x: (abut.PlanningScene.read(x.folder / "s.yaml", x.robot.model), refused(abut.ros.planning_scene, {}, x.robot.model), x.run.model),
    "settling": lambda x: (abut.settle(x.box, x.box, (0, 0, 1.00005)), x.system.margin(x.mode, np.zeros(6))),
    "roadmaps": lambda x: (x.map.postures, x.map.edges, x.map.write(x.folder / "m.npz"), abut.Roadmap.read(x.folder / "m.npz"), pickle.loads(pickle.dumps(x.map)),
                           abut.Roadmap(x.problem, 20, threads=1)),
    "scenes of plans": lambda x: abut.ros.planning_scene({"world": {}}, x.robot.model),
    "robot files": lambda x: (x.run.model, x.robot.model.read_srdf(x.folder / "g.srdf"), x.robot.sensors(), x.driven.sensors(), x.driven.set_activations(x.driven.activations())),
    "tasks": lambda x: (manipulation.Task.build("push"), manipulation.Task(x.task.model, x.task.goal)),
    "model": built,
    "built models": lambda x: (abut.Model.build("stack:1"), pickle.loads(pickle.dumps(abut.Model.build("mugs:1"))), abut.Model.read(x.folder / "m.xml"), abut.model_names(), abut.import_table()),
    "scene": scene_of_bodies,
    "scenes": lambda x: (x.scene.cast_ray((0, 0, 5), (0, 0, -9)), x.scene.cast_ray((0, 0, 5), (0, 0, -9), all=True), x.scene.nearest_point((0, 0, 5)), x.scene.distances(), x.scene.mode_system(),
                         x.scene.mode(), x.scene.mode_forces(), x.scene.mode_basis(), x.scene.grasp("box0"), x.scene["box0"], x.scene.shape(x.shape), x.scene.poses, x.scene.names, x.scene.shapes("box0"), x.arm.joints()),
    "simulation": stepped,
    "new simulation": lambda x: copy.deepcopy(abut.Simulation("stack:1")),
    "sleep": lambda x: x.simulation.sleep("box0"),
    "derivatives": lambda x: (x.simulation.jacobian(forces=True), abut.rollout_grad(x.driven, np.zeros((2, 6)), lambda k, s: None, parameters=[("damping", 0)])),
    "drive": lambda x: (x.driven.set_controls(x.driven.controls()), x.driven.set_torques(np.zeros(6)), x.driven.robot_forces(), x.driven.step()),
    "robot": lambda x: (x.robot.set(np.zeros(6)).mass_matrix, x.robot.frame_pose("tool"), x.robot.jacobian("flange"), x.robot.inverse_dynamics(np.zeros(6)), x.robot.inverse_derivatives(np.zeros(6)),
                        x.robot.integrate(np.zeros(6), np.zeros(6)), x.robot.difference(np.zeros(6), np.zeros(6)), x.robot.joint_place(0), x.robot.body_place(0), x.robot.energy, x.robot.reset(),
                        x.robot.read_state(x.folder / "s.json"), copy.copy(x.robot)),
    "robots that move": lambda x: (abut.RobotMotion.through(x.robot.model, [0, 1], np.zeros((2, 6))).body(1), abut.RobotMotion.curves("arm6", [abut.Curve.bernstein(0, 1, [0, 1])] + 5 * [None]).joint(0),
                                   pickle.loads(pickle.dumps(abut.RobotMotion.through("arm6", [0], np.zeros((1, 6))).body(2))),
                                   refused(abut.RobotMotion.curves, "arm6", 6 * [3]), refused(abut.RobotMotion.through, "arm6", [0], [0])),
    "ik": lambda x: x.robot.ik("tool", (0.4, 0.1, 0.5), iterations=3, restarts=0),
    "runs": lambda x: (x.run["pose"], x.run.columns, x.run.names_of("stage_seconds"), x.run.has_body(0, 0), abut.Run.read(x.folder / "r.npz")["time"], x.run.write(x.folder / "w.npz"),
                       abut.Simulation(x.model).run(0.001)),
    "runs by hand": lambda x: [(run.add_body("b", shapes=[{"kind": "sphere", "size": 0.1}]), run.add_step(1.0, np.tile(x.pose, (3, 1))), run.add_contacts(x.contact), run.set_partial())
                               for run in [abut.Run.of_poses(x.model, [0.0], np.tile(x.pose, (1, 2, 1)))]],
    "plans": lambda x: (x.problem.pairs, x.problem.coordinates, x.problem.joint_limits, x.problem.polygon, x.problem.joints_of(x.problem.coordinates_of(np.zeros(6))), x.problem.link_poses(np.zeros(6)),
                        x.problem.nearest(np.zeros(6)), x.problem.balance(np.zeros(6)), x.problem.certify(x.trajectory), x.problem.check_limits(x.trajectory), x.problem.retime(x.trajectory), abut.is_proof(x.plan.certificate), abut.find_feet(x.robot), abut.plan_has_thesis(), x.problem.free(np.zeros((2, 6)), np.full((2, 6), 0.01)), x.problem.nearest(poses=x.robot.body_poses())),
    "obstacles of plans": lambda x: (abut.PlanProblem(x.robot, x.cup), abut.PlanProblem(x.robot, x.model, surfaces=x.model), abut.PlanProblem(x.robot, x.cup, points=np.ones((2, 3)), voxel=0.1),
                                     refused(abut.PlanProblem, x.robot, points=[[np.nan, 0, 0]]), abut.read_points(x.folder / "p.npy")),
    "long plans": lambda x: ((x.problem.curve(0, x.trajectory, cells=1), x.problem.least(0, 0, x.trajectory)), x.problem.effort(x.trajectory), copy.deepcopy(x.problem)),
    "solve": lambda x: x.problem.solve(np.zeros(6), np.full(6, 0.05), attempts=1),
    "reach": lambda x: x.problem.reach(np.zeros(6), [x.robot.task("tool", (0.4, 0.1, 0.5))], tries=1),
    "trajectories": lambda x: (abut.Trajectory.read(x.folder / "t.npz", x.robot).at(0.5), x.trajectory.write(x.folder / "u.npz", x.robot.model), refused(abut.Controls.read, x.folder / "c.csv", x.robot.model),
                               abut.Controls([], np.zeros((1, 1))).at(0.0, [1.0]), abut.read_limits(x.folder / "l.csv", x.robot.model)),
    "pictures": lambda x: (abut.render(x.box, size=(8, 8)), abut.render(x.run, size=(8, 8)), abut.write_png(x.folder / "p.png", x.image), abut.write_gif(x.folder / "g.gif", [x.image]),
                           abut.write_plot(x.folder / "p.svg", {"a": ([0, 1], [0, 1])})),
    "refusals": lambda x: (refused(abut.distance, x.box, x.ball, np.zeros(5)), refused(abut.distance, x.box, "b"), refused(abut.Mesh, x.mesh.vertices[:3], x.mesh.triangles),
                           refused(x.model.add_body, "x", nonsense=1), refused(abut.Model.build, "nothing"), refused(x.scene.shape, 3), refused(abut.Mesh.read, "/no/such/file.obj")),
    "records": lambda x: (repr(x.direction), pickle.loads(pickle.dumps(x.direction)), x.direction.as_dict(), hash(x.direction), x.direction == x.direction),
}
PAGES = {
    "pages": lambda x: [abut.show(thing, x.folder / "page.html", open=False) for thing in
                        (x.run, abut.pair(x.box, x.ball, x.pose), abut.overlap(x.box, x.solid), x.system, x.plan)],
}
# Called when the package is imported, or by tests of bits.
ONCE = {"page_available", "set_helpers", "set_dtypes", "record_fields", "record_words", "run_column_names", "hash", "pose_exp", "version"}
if _abut.page_available():
    CALLS |= PAGES
else:
    ONCE |= {"page_run", "page_meshes", "page_overlap", "page_modes", "page_plan", "mode_geometry", "mode_twists"}


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    return Things(tmp_path_factory.mktemp("leaks"))


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def memory_in_use() -> tuple[int, int]:
    """Blocks of Python, and bytes of malloc where the C library tells them."""
    tell = getattr(ctypes.CDLL(None), "mallinfo2", None)
    gc.collect()
    if tell is None:
        return sys.getallocatedblocks(), 0
    tell.restype = Mallinfo
    info = tell()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


def growth(call, things, seconds: float) -> tuple[int, int, int]:
    """(calls, blocks, bytes) that a round of calls adds."""
    before, count, end = memory_in_use(), 0, time.process_time() + seconds
    while count < max(3, cases(100000) // 3) and (count < 3 or time.process_time() < end):
        call(things)
        count += 1
    blocks, size = (now - then for now, then in zip(memory_in_use(), before))
    return count, blocks, size


@pytest.mark.parametrize("name", CALLS)
def test_nothing_leaks(name, things):
    """A leak grows in every round, and with their length; what caches and free lists take, and the measuring, does not."""
    rounds = []
    for k in range(12):
        count, blocks, size = growth(CALLS[name], things, 0.03 * SCALE * min(2**k, 64))
        rounds.append((count, blocks, size))
        if blocks < 12 + 0.3 * count and size < 2000 + 8 * count:
            return
    raise AssertionError(f"{name} leaks: (calls, blocks of Python, bytes) of each round are {rounds}")


def test_every_function_is_called(things):
    """The calls above reach every function of the extension."""
    called = {"distance"}  # bound early, for its speed

    def note(frame, event, function):
        if event == "c_call" and getattr(function, "__self__", None) is _abut:
            called.add(function.__name__)

    sys.setprofile(note)
    try:
        for call in CALLS.values():
            call(things)
    finally:
        sys.setprofile(None)
    functions = {name for name, value in vars(_abut).items() if inspect.isbuiltin(value)}
    by_pickle = {"from_block", "record_from_bytes", "soft_from_block", "pieces_from", "mode_rows", "convex_from_numbers"}
    assert sorted(functions - called - ONCE - by_pickle) == []
