# SPDX-License-Identifier: Apache-2.0
"""Options of the tool and keywords of the package name the same things: each option is a keyword, or stands in a list
that says why not."""
import dataclasses
import inspect
import json
import os
import re
import subprocess
import warnings

import numpy as np
import pytest

import abut

from conftest import ROOT

#: The Python form of each command, and settings that it takes beside its keywords.
FORMS = {
    "cast": ([abut.cast, abut.cast_ray], ()),
    "clearance": ([abut.clearance, abut.clearance_curve, abut.clearance_minima, abut.SoftBody.__new__], ()),
    "collide": ([abut.collide], ()),
    "decompose": ([abut.Mesh.decompose], ()),
    "distance": ([abut.distance, abut.depth, abut.soft_direction, abut.SoftBody.__new__], ()),
    "ik": ([abut.Robot.ik, abut.Robot.reset], ("iterations", "restarts")),
    "info": ([abut.file_info], ()),
    "intersect": ([abut.intersect], ()),
    "make": ([abut.Mesh.make], ()),
    "minkowski": ([abut.minkowski_sum], ()),
    "manipulate": ([abut.manipulation.Task.__init__, abut.manipulation.Task.plan, abut.manipulation.Plan.execute, abut.show],
                   ("fingers", "finger_radius", "force", "finger_friction", "goal_distance", "falls")),
    "modes": ([abut.ModeSystem.modes, abut.ModeView.__init__, abut.Scene.mode_system, abut.Model.read], ()),
    "plan": ([abut.PlanProblem.solve, abut.Trajectory.write, abut.Robot.reset, abut.Model.read],
             ("level", "quality", "points", "attempts", "budget", "speed", "acceleration", "duration", "torque", "threads", "mcd",
              *(field.name for field in dataclasses.fields(abut.PlanOptions)))),
    "render": ([abut.render], ()),
    "robot": ([abut.Robot.reset, abut.Model.read], ()),
    "simulate": ([abut.Simulation.__init__, abut.Simulation.run, abut.show, abut.Model.read], tuple(abut.Simulation.settings())),
    "sweep": ([abut.sweep], ()),
    "toi": ([abut.time_of_impact], ()),
    "view": ([abut.show, abut.Model.read], ()),
    "volume": ([abut.overlap_volume], ()),
}
#: Options of commands that write pages and files or print, which in Python are calls of their own.
EVERYWHERE = {
    "--help": "help()",
    "--json": "results are objects",
    "--html": "show",
    "--open": "show(open=True), also where the command opens it on request only",
    "--output": "the write function of the result",
    "--list": "model_names, mesh_names",
    "--pose-a": "one pose of B in A",
    "--pose-b": "one pose of B in A",
    "--pieces-a": "Pieces are bodies",
    "--pieces-b": "Pieces are bodies",
    "--convex": "hull(mesh.vertices) is another body",
    "--no-cache": "Model.read(cache=False)",
    "--warnings": "abut.Warning, which the module warnings filters",
}
#: The same thing under another name: option -> keyword.
RENAMED = {
    ("manipulate", "--goal-tol"): "goal_distance", ("manipulate", "--no-jam-test"): "jam_test", ("cast", "--tol"): "tolerance", ("cast", "--ray"): "origin", ("toi", "--tol"): "tolerance", ("toi", "--from"): "start",
    ("toi", "--to"): "end", ("clearance", "--from"): "start", ("clearance", "--to"): "end", ("clearance", "--minima"): "limit",
    ("decompose", "--max"): "max_pieces", ("distance", "--depth"): "method", ("distance", "--path"): "pose",
    ("collide", "--path"): "pose", ("make", "--size"): "sizes", ("modes", "--tol"): "tolerance", ("modes", "--mu"): "friction",
    ("modes", "--nt"): "lines", ("plan", "--pairs"): "only", ("plan", "--shapes"): "capsules", ("plan", "--limits"): "joint_limits",
    ("plan", "--time"): "duration", ("plan", "--joints"): "held", ("simulate", "--tol"): "tolerance",
    ("simulate", "--pieces"): "convex_pieces", ("simulate", "--no-continuous"): "continuous",
    ("simulate", "--uniform-torsion"): "torsion_uniform", ("render", "--follow"): "whole",
}
#: What Python says by other means than a keyword of that function.
ELSEWHERE = {
    ("cast", "--scene"): "Scene.cast", ("cast", "--allow-outside"): "Model.read", ("cast", "--args"): "Model.read",
    ("cast", "--package-path"): "Model.read", ("cast", "--pieces"): "Mesh.decompose makes the bodies",
    ("collide", "--pieces"): "Mesh.decompose makes the bodies", ("distance", "--pieces"): "Mesh.decompose makes the bodies",
    ("intersect", "--pieces"): "refused by the tool", ("toi", "--pieces"): "Mesh.decompose makes the bodies",
    ("clearance", "--contact-times"): "contact_time", ("clearance", "--curve"): "clearance_curve gives the rows",
    ("clearance", "--distance"): "clearance_soft",
    ("clearance", "--pieces"): "Mesh.decompose makes the bodies",
    ("distance", "--cache"): "a SoftBody is kept by its owner, and pickles", ("distance", "--direction"): "soft_direction, Phong, minkowski_difference",
    ("distance", "--thesis-literal"): "Phong.distance(literal=True)",
    ("ik", "--allow-outside"): "Model.read", ("ik", "--args"): "Model.read", ("ik", "--package-path"): "Model.read",
    ("ik", "--state"): "Robot.read_state", ("ik", "--tol"): "tolerance_position, tolerance_rotation",
    ("ik", "--fix-base"): "the model says whether its root is free",
    ("info", "--hull"): "hull", ("info", "--capsule"): "bounding_sphere and Convex; the capsule is of the tool alone",
    ("make", "--heights"): "read_heights, Mesh.height_field",
    ("minkowski", "--difference"): "minkowski_difference", ("minkowski", "--ball"): "center, radius",
    ("manipulate", "--task"): "the fields of a task are keywords of Task", ("manipulate", "--simulate"): "Plan.execute", ("manipulate", "--log"): "the run is of the tool alone",
    ("manipulate", "--page-size"): "pages of the package keep the usual limit",
    ("modes", "--at"): "Scene.set_joints", ("modes", "--keyframe"): "Scene.set_keyframe", ("modes", "--plan"): "track_modes",
    ("modes", "--consistent"): "ModeSystem.consistent", ("modes", "--count"): "ModeSystem.count", ("modes", "--grasp"): "Scene.grasp",
    ("modes", "--lattice"): "ModeSystem.hasse", ("modes", "--stable"): "ModeSystem.forces", ("modes", "--text"): "modes are texts",
    ("plan", "--cert"): "PlanProblem.certify", ("plan", "--csv"): "Trajectory.write", ("plan", "--goal-pose"): "PlanProblem.reach",
    ("plan", "--obstacles"): "PlanProblem(robot, obstacles)", ("plan", "--radius"): "PlanProblem(point_radius=...)", ("plan", "--method"): "thesis", ("plan", "--picture"): "render",
    ("plan", "--srdf"): "Model.read_srdf",
    ("plan", "--retime"): "PlanProblem.retime", ("plan", "--state"): "Robot.read_state",
    ("render", "--angle"): "the view is chosen by eye and target", ("render", "--rate"): "write_gif(delay=)",
    ("render", "--speed"): "write_gif(delay=)",
    ("robot", "--capsules"): "PlanOptions(capsules=True)", ("robot", "--distance"): "Scene.distances",
    ("robot", "--dynamics"): "Robot.mass_matrix, Robot.bias", ("robot", "--state"): "Robot.read_state",
    ("simulate", "--allow"): "PlanProblem", ("simulate", "--obstacles"): "PlanProblem", ("simulate", "--support"): "PlanProblem",
    ("simulate", "--plan"): "set_controller", ("simulate", "--contacts"): "run['contact_force']", ("simulate", "--joints"): "run['joint_position']",
    ("simulate", "--ctrl"): "Controls, set_controls", ("simulate", "--final"): "Simulation.poses", ("simulate", "--keyframe"): "Scene.set_keyframe",
    ("simulate", "--page-size"): "pages of the package keep the usual limit", ("simulate", "--push"): "set_force",
    ("sweep", "--dry-run"): "cases are a list", ("sweep", "--fresh"): "nothing is kept between calls", ("sweep", "--merge"): "rows are lists",
    ("sweep", "--shard"): "cases[i::n]", ("sweep", "--timeout"): "the function ends itself", ("sweep", "--times"): "the function measures itself",
    ("view", "--keyframe"): "Robot.reset", ("view", "--page-size"): "pages of the package keep the usual limit",
    ("volume", "--pieces"): "pieces_volume",
}
#: Commands without a Python form.
WITHOUT = {"help": "help()", "playground": "a page of its own", "reproduce": "experiments of papers"}


def ask(*words):
    path = os.environ.get("ABUT_CLI", str(ROOT / "build/abut"))
    if not os.path.exists(path):
        pytest.skip("the tool abut is not built")
    return subprocess.run([path, *words], capture_output=True, text=True, check=True).stdout


def commands():
    return sorted(set(re.findall(r"^  ([a-z]+) ", ask("help"), re.M)))


def options_of(command):
    text = ask("help", command)
    return set(re.findall(r"^  (?:-\w, )?(--[a-z][a-z-]*)", text[text.index("\noptions:"):], re.M))


def keywords_of(command):
    functions, settings = FORMS[command]
    names = set(settings)
    for function in functions:
        names |= set(inspect.signature(function).parameters)
    return names


def test_every_command_has_its_python_form():
    assert set(commands()) == set(FORMS) | set(WITHOUT)


@pytest.mark.parametrize("command", sorted(FORMS))
def test_options_are_keywords(command):
    options, keywords = options_of(command), keywords_of(command)
    unknown = []
    for option in sorted(options):
        plain = option[2:].replace("-", "_")
        renamed, told = RENAMED.get((command, option)), ELSEWHERE.get((command, option))
        if renamed is not None:
            assert renamed in keywords, f"{command} {option}: there is no keyword {renamed}"
        elif plain in keywords:
            assert told is None, f"{command} {option}: is a keyword, and needs no reason"
        elif told is None and option not in EVERYWHERE:
            unknown.append(option)
    assert unknown == [], f"abut {command}: neither keywords of {FORMS[command][0]} nor explained"


def test_no_reason_is_left_over():
    known = {command: options_of(command) for command in FORMS}
    for command, option in [*RENAMED, *ELSEWHERE]:
        assert option in known[command], f"{command} has no {option}"


# ---- files in place of models, bodies in place of frames

MJCF = """<mujoco model="lever"><worldbody>
<body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/><site name="top" pos="0 0 0.1"/></body>
<body name="arm" pos="1 0 1"><joint name="turn" axis="0 1 0"/><geom type="box" pos="0.2 0 0" size="0.2 0.02 0.02"/><site name="tip" pos="0.4 0 0"/></body>
<geom name="floor" type="plane" size="5 5 1"/></worldbody></mujoco>"""


@pytest.fixture
def lever(tmp_path):
    path = tmp_path / "lever.xml"
    path.write_text(MJCF)
    return path


def test_files_stand_for_models(lever):
    for source in (lever, str(lever)):
        assert abut.Robot(source).model.name == "lever"
        assert set(abut.Scene(source).names) >= {"box", "arm"}
        assert len(abut.Simulation(source).scene) == len(abut.Scene(source))
    for make in (abut.Robot, abut.Simulation, abut.Scene):
        with pytest.raises(abut.Error, match="none.xml"):
            make("none.xml")
        with pytest.raises(TypeError, match="expected an abut.Model, a file or the name of a built-in one, got 3"):
            make(3)


def test_cached_meshes_give_the_same_model(tmp_path, monkeypatch):
    """Read with an empty cache, from it, from a damaged one and without: the same run; cache=False leaves it alone."""
    abut.Mesh.make("cup", 800).write(tmp_path / "cup.obj")
    model = tmp_path / "cup.xml"
    model.write_text("<mujoco><asset><mesh name='m' file='cup.obj'/></asset><worldbody><geom type='plane' size='1 1 1'/>"
                     "<body pos='0 0 0.1'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>")
    cache = tmp_path / "cache"
    monkeypatch.setenv("ABUT_CACHE", str(cache))

    def state(**options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            simulation = abut.Simulation(abut.Scene(abut.Model.read(model, **options)))
        for _ in range(50):
            simulation.step()
        return simulation.hash

    plain = state(cache=False)
    assert not cache.exists()
    assert state() == plain
    kept = list(cache.iterdir())
    assert len(kept) == 1
    assert state() == plain
    kept[0].write_bytes(kept[0].read_bytes()[:-9] + b"damaged!!")
    assert state() == plain and list(cache.iterdir()) == kept


def test_bodies_stand_for_frames(lever):
    robot = abut.Robot(lever)
    assert list(robot.frame_pose("arm")) == list(robot.body_pose("arm"))
    assert (robot.frame_jacobian("arm") == robot.jacobian("arm")).all()
    target = (1 + 0.4 * 0.8, 0, 1 - 0.4 * 0.6)
    assert robot.ik("tip", target).reached
    assert abs(robot.frame_pose("tip")[:3] - target).max() < 1e-5
    assert robot.task("arm", (0, 0, 0))["body"] == robot.model.find("body", "arm")
    for call in (lambda: robot.task("no", (0, 0, 0)), lambda: robot.ik("no", (0, 0, 0)), lambda: robot.frame_pose("no")):
        with pytest.raises(abut.Error, match="frame: the model has no frame or body 'no'; frames: top, tip; bodies: .*box, arm"):
            call()
    with pytest.raises(abut.Error, match="joint: the model has no 'no'; it has: .*turn"):
        robot.joint_place("no")


def test_poses_of_sites_and_bodies_in_a_simulation(lever):
    simulation = abut.Simulation(lever)
    robot = abut.Robot(lever)
    simulation.step(50)
    robot.set(*simulation.scene.joints())
    for name in ("tip", "top", "arm", "box"):
        assert abs(simulation.frame_pose(name) - robot.frame_pose(name)).max() < 1e-9, name
    assert (simulation.body_pose("box") == simulation.scene["box"]["pose"]).all()
    with pytest.raises(abut.Error, match="there is no frame or body 'no'; frames: top, tip; bodies: "):
        simulation.frame_pose("no")


def test_forces_between_two_bodies(lever):
    run = abut.Simulation(lever).run(0.3)
    ground = next(name for name in run.info["names"] if name not in ("box", "arm"))
    up = run.force(ground, "box")
    assert up.shape == (len(run), 3) and abs(up[-1] - (0, 0, 2 * 9.81)).max() < 0.1
    assert (run.force("box", ground) == -up).all() and not run.force("arm", "box").any()
    with pytest.raises(abut.Error, match="the run has no 'no'; it has: "):
        run.force("no", "box")


def test_friction_of_a_whole_simulation(tool):
    told = tool("simulate", "incline:0.6", "--mu", "0.2", "--time", "0.1", "--json", "--final")
    simulation = abut.Simulation("incline:0.6", mu=0.2)
    simulation.run(0.1)
    assert int(told["hash"], 16) == simulation.hash != abut.Simulation("incline:0.6").hash
    with pytest.raises(abut.Error, match="mu: expected a finite number, got nan"):
        abut.Simulation("incline:0.6", mu=float("nan"))


def test_trajectories_know_their_model(tmp_path):
    robot = abut.Robot("arm6")
    plan = abut.PlanProblem(robot).solve([0.0] * 6, [0.2, 0, 0, 0, 0, 0], attempts=1)
    plan.trajectory.write(tmp_path / "a.csv")
    plan.trajectory.write(tmp_path / "b.csv", robot.model)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    abut.Trajectory.read(tmp_path / "a.csv", robot).write(tmp_path / "c.npz")
    with pytest.raises(abut.Error, match="model: expected an abut.Model: this trajectory is made of numbers"):
        abut.Trajectory.through([0, 1], [[0], [1]]).write(tmp_path / "d.csv")


def test_batches_of_plans_are_those_of_plan_many(tmp_path):
    rng = np.random.default_rng(11)
    goals, points = rng.uniform(-0.3, 0.3, (4, 6)), rng.uniform((0.5, -0.1, 0.0), (0.6, 0.1, 0.2), (50, 3))
    np.save(tmp_path / "p.npy", points)
    (tmp_path / "b.jsonl").write_text("".join(json.dumps({"goal": list(goal)}) + "\n" for goal in goals))
    problem = abut.PlanProblem(abut.Robot("arm6"), points=points, point_radius=0.01)
    plans = abut.plan_many(problem, np.zeros((4, 6)), goals, attempts=2)
    ask("plan", "batch", "arm6", str(tmp_path / "b.jsonl"), "--obstacles", str(tmp_path / "p.npy"), "--radius", "0.01",
        "--attempts", "2", "--threads", "2", "-o", str(tmp_path / "way-"))
    for i, plan in enumerate(plans):
        way = abut.Trajectory.read(tmp_path / f"way-{i + 1}.npz", problem.robot)
        assert np.array_equal(way.coefficients, plan.coefficients) and np.array_equal(way.times, plan.times)
