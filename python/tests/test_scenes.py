# SPDX-License-Identifier: Apache-2.0
"""Scenes: shapes, forces, filters, casts, distances; events, controllers and rules of simulations; copies of all that."""
import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import abut


def box_on_ground(height=0.05, **fields):
    scene = abut.Scene()
    ground = scene.add_body("ground", "static")
    scene.add_shape(ground, "half_space")
    box = scene.add_body("box", pose=(0, 0, height))
    shape = scene.add_shape(box, "box", (0.05, 0.05, 0.05), **fields)
    return scene, box, shape


# ---- shapes

def test_shapes_have_numbers_and_fields():
    scene, box, shape = box_on_ground(friction=0.3, name="cube")
    assert scene.shapes("box") == [shape]
    fields = scene.shape(shape)
    assert fields["kind"] == "box" and fields["name"] == "cube" and fields["friction"] == 0.3 and fields["body"] == box
    scene.set_material(shape, friction=0.7, surface_velocity=(1, 0, 0))
    assert scene.shape(shape)["friction"] == 0.7 and scene.shape(shape)["surface_velocity"].tolist() == [1, 0, 0]
    scene.set_filter(shape, mask=0)
    assert len(scene.contacts()) == 0 and scene.shape(shape)["mask"] == 0
    with pytest.raises(abut.Error, match="no such shape"):
        scene.shape(12345)
    with pytest.raises(TypeError, match="did you mean 'friction'"):
        scene.set_material(shape, fricton=1.0)


def test_shapes_change_their_form_and_go():
    scene, box, shape = box_on_ground()
    mass = scene["box"]["mass"]
    for call in (scene.set_form, scene.add_shape):
        with pytest.raises(abut.Error, match="kind: expected the form of the shape, .* got neither"):
            call(shape if call == scene.set_form else box)
    assert len(scene.shapes("box")) == 1 and scene["box"]["mass"] == mass
    scene.set_form(shape, "box", (0.1, 0.05, 0.05))
    assert scene["box"]["mass"] == pytest.approx(2 * mass)
    scene.set_form(shape, convex=abut.regular(8, 0.1))
    assert scene.shape(shape)["kind"] == "polyhedron"
    other = scene.add_shape(box, "sphere", 0.02)
    scene.remove_shape(shape)
    assert scene.shapes("box") == [other]


def test_friction_of_a_pair_and_a_filter_of_pairs():
    scene, box, shape = box_on_ground()
    ground = scene.shapes("ground")[0]
    scene.set_pair_friction(shape, ground, 0.9)
    asked = []
    scene.set_pair_filter(lambda a, b: asked.append({a, b}) or False)
    assert len(scene.contacts()) == 0 and asked[0] == {shape, ground}
    scene.set_pair_filter(None)
    assert len(scene.contacts()) == 1
    with pytest.raises(TypeError, match="expected a function"):
        scene.set_pair_filter(3)


def test_margin_of_a_pair():
    scene, box, shape = box_on_ground()
    ground = scene.shapes("ground")[0]
    scene.set_pose(box, (*scene["box"]["pose"][:2], scene["box"]["pose"][2] + 0.002))
    assert len(scene.contacts()) == 0
    scene.set_pair(shape, ground, margin=0.002, restitution=0.5)
    assert len(scene.contacts()) == 1
    scene.set_pair(shape, ground)
    assert len(scene.contacts()) == 0
    with pytest.raises(abut.Error, match="margin -1"):
        scene.set_pair(shape, ground, margin=-1)
    with pytest.raises((TypeError, ValueError), match="reach"):
        scene.set_pair(shape, ground, reach=1)
    model = abut.Model()
    a, b = (model.add_shape(model.add_body(name), "box", (0.1, 0.1, 0.1)) for name in "ab")
    model.add_pair(a, b, margin=1e-3, friction_rolling=1e-4)


ASKING = {
    "contacts": lambda s: s.scene.contacts(), "distances": lambda s: s.scene.distances(),
    "mode_system": lambda s: s.scene.mode_system(), "mode": lambda s: s.scene.mode(),
    "mode_forces": lambda s: s.scene.mode_forces(), "grasp": lambda s: s.scene.grasp("box"),
    "step": lambda s: s.step(5), "run": lambda s: s.run(0.005),
    "set_filter": lambda s: s.scene.set_filter(s.scene.shapes("box")[0], mask=0xffff),
    "exclude": lambda s: s.scene.exclude("ground", s.scene.add_body("other")),
    "add_model": lambda s: s.scene.add_model(abut.Model.build("arm6"), (9, 0, 0)),
    "set_pair_filter": lambda s: s.scene.set_pair_filter(lambda a, b: {}["no"]),
}


@pytest.mark.parametrize("problem", [KeyError, KeyboardInterrupt])
@pytest.mark.parametrize("name", ASKING)
def test_an_exception_of_a_filter_is_raised_by_the_call_that_asked(name, problem):
    scene, _, _ = box_on_ground()
    simulation, asked, armed = abut.Simulation(scene), [], []
    simulation.step()  # the pair is there

    def judge(a, b):
        asked.append((a, b))
        if armed:
            raise problem("no")
        return True

    scene.set_pair_filter(judge)
    asked.clear(), armed.append(1)
    if problem is KeyError or name != "set_pair_filter":
        with pytest.raises(problem, match="no"):
            ASKING[name](simulation)
    assert len(asked) == (name != "set_pair_filter"), "nothing else is asked"
    scene.set_pair_filter(None)
    assert len(scene.contacts()) >= 1


def test_a_filter_must_not_use_its_scene():
    scene, box, _ = box_on_ground()
    scene.set_pair_filter(lambda a, b: scene.remove_body("box") or True)
    for call in (scene.contacts, scene.mode_system, abut.Simulation(scene).step):
        with pytest.raises(abut.Error, match="in use by .* the call that asks this function"):
            call()
    assert scene.names == ["ground", "box"]


# ---- acting

def test_forces_torques_and_blows():
    scene, box, _ = box_on_ground(height=5.0)
    simulation = abut.Simulation(scene, gravity=(0, 0, 0))
    mass = scene["box"]["mass"]
    scene.add_force("box", (mass, 0, 0))
    simulation.step(dt=0.1)
    assert scene["box"]["velocity"] == pytest.approx([0.1, 0, 0])
    simulation.step(dt=0.1)
    assert scene["box"]["velocity"] == pytest.approx([0.1, 0, 0])  # for one step only
    scene.add_impulse("box", (0, mass, 0))
    assert scene["box"]["velocity"] == pytest.approx([0.1, 1.0, 0])
    scene.add_torque("box", (0, 0, 1e-3))
    simulation.step(dt=0.1)
    assert scene["box"]["spin"][2] > 0.0
    with pytest.raises(abut.Error, match=r"force: expected shape \(3,\), got shape \(2,\)"):
        scene.add_force("box", (1, 2))
    with pytest.raises(abut.Error):
        scene.add_force("box", (np.nan, 0, 0))
    with pytest.raises(TypeError, match="torque: expected an array of numbers"):
        scene.add_torque("box", "up")


def test_weight_drag_and_locks():
    scene, box, _ = box_on_ground(height=5.0)
    simulation = abut.Simulation(scene, gravity=(0, 0, -10))
    scene.set_gravity_scale("box", 0.0)
    scene.set_velocity("box", (1, 1, 0))
    scene.lock_axes("box", ["y", "turn_x"])
    scene.set_damping("box", 0.5)
    simulation.step(10, dt=0.01)
    state = scene["box"]
    assert state["velocity"][2] == 0.0 and state["velocity"][1] == 0.0 and 0.9 < state["velocity"][0] < 1.0
    assert state["locked"] == 2 + 8 and state["damping"] == 0.5
    with pytest.raises(abut.Error, match="axes: expected of x, y"):
        scene.lock_axes("box", ["w"])


def test_mass_and_kind():
    scene, box, _ = box_on_ground(height=5.0)
    scene.set_mass("box", 3.0, (0.01, 0, 0), np.diag([0.1, 0.2, 0.2]))
    assert scene["box"]["mass"] == 3.0 and scene["box"]["inertia"][1, 1] == 0.2
    scene.set_kind("box", "static")
    assert scene["box"]["kind"] == "static"
    with pytest.raises(abut.Error, match="expected one of dynamic"):
        scene.set_kind("box", "heavy")
    with pytest.raises(abut.Error, match=r"inertia: expected shape \(3, 3\)"):
        scene.set_mass("box", 1.0, inertia=np.ones(3))


# ---- questions

def test_casts_of_scenes():
    scene, box, _ = box_on_ground()
    hits = scene.cast_ray((0, 0, 1), (0, 0, -2), all=True)
    assert hits["body"].tolist() == [1, 0] and hits["t"][0] == pytest.approx(0.45)
    assert scene.cast_ray((0, 0, 1), (0, 0, -2), skip=["box"]).body == 0
    many = scene.cast_ray([(0, 0, 1), (1, 0, 1)], (0, 0, -2), threads=2)
    assert many["body"].tolist() == [1, 0]
    hit = scene.cast((abut.sphere(0.1), (0, 0, 1)), (0, 0, -2))
    assert hit.body == 1 and hit.t == pytest.approx(0.4, abs=1e-6)
    assert len(scene.cast((abut.sphere(0.1), (0, 0, 1)), (0, 0, -2), all=True)) == 2
    near = scene.nearest_point([(0, 0, 1), (1, 0, 0.5)], threads=2)
    assert near["body"].tolist() == [1, 0] and near["distance"] == pytest.approx([0.9, 0.5])
    with pytest.raises(abut.Error, match="expected one ray"):
        scene.cast_ray(np.zeros((2, 3)), (0, 0, 1), all=True)


def test_distances_of_all_pairs():
    scene, box, shape = box_on_ground(height=0.25)
    rows = scene.distances()
    assert len(rows) == 1 and rows["distance"][0] == pytest.approx(0.2)
    assert {int(rows["shape_a"][0]), int(rows["shape_b"][0])} == {shape, scene.shapes("ground")[0]}
    assert len(scene.distances(within=0.1)) == 0
    with pytest.raises(abut.Error, match="within: expected 0 or above"):
        scene.distances(-1.0)
    assert scene.distances(triangles=True)["distance"][0] == rows["distance"][0]


def test_distances_by_triangles(tmp_path):
    abut.Mesh.make("torus", 400).write(str(tmp_path / "ring.obj"))
    (tmp_path / "rings.xml").write_text(
        '<mujoco><asset><mesh name="r" file="ring.obj"/></asset><worldbody><body pos="0 0 1"><freejoint/>'
        '<geom type="mesh" mesh="r"/></body><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')
    with pytest.warns(abut.Warning):
        scene = abut.Scene(abut.Model.read(str(tmp_path / "rings.xml")))
    assert scene.distances()["distance"][0] < -0.1 and scene.distances(triangles=True)["distance"][0] > 0.09


def test_the_mode_that_bodies_are_in():
    scene, box, _ = box_on_ground()
    scene.set_velocity("box", (1, 0, 0))
    mode = scene.mode(lines=2)
    assert mode[:4] == "0000" and mode in scene.mode_system(2).modes()
    scene.set_velocity("box", (0, 0, 1))
    assert scene.mode(lines=2)[:4] == "++++"


def test_bodies_go_to_models():
    scene, box, _ = box_on_ground()
    model = abut.Model()
    assert scene.describe_body("box", model) == 0
    assert model.bodies[0]["name"] == "box" and len(model.shapes) == 1


# ---- simulations

def test_events_begin_and_end():
    scene, box, shape = box_on_ground(height=0.06)
    simulation = abut.Simulation(scene)
    simulation.step(200)
    events = simulation.events()
    words = abut.words(events, "kind")
    assert words[0] == "begin" and events["speed"][0] > 0.3 and 0.0 < events["time"][0] < 0.2
    assert {int(events["shape_a"][0]), int(events["shape_b"][0])} == {shape, scene.shapes("ground")[0]}
    assert events["time"].tolist() == sorted(events["time"])
    simulation.step()
    assert len(simulation.events()) == 0
    scene.set_pose("box", (0, 0, 3))
    simulation.step(2)
    assert "end" in abut.words(simulation.events(), "kind")


def test_sensors_tell_without_force():
    scene = abut.Scene()
    gate = scene.add_body("gate", "static")
    scene.add_shape(gate, "box", (0.5, 0.5, 0.05), sensor=True)
    ball = scene.add_body("ball", pose=(0, 0, 0.3))
    scene.add_shape(ball, "sphere", 0.05)
    simulation = abut.Simulation(scene)
    simulation.step(500)
    assert abut.words(simulation.events(), "kind").tolist() == ["begin", "end"]
    assert scene["ball"]["pose"][2] < -0.5


def test_contacts_of_one_body_sleep_and_gravity():
    simulation = abut.Simulation("stack:3", sleeping=True)
    simulation.step(100)
    top = simulation.contacts("box2")
    assert len(top) == 1 and len(simulation.contacts("box1")) == 2
    simulation.sleep("box0")
    simulation.step()
    assert simulation.asleep[1:].all()
    simulation.set_gravity((0, 0, 9.8))
    simulation.step(100)
    assert not simulation.asleep[1:].any() and (simulation.velocities[1:, 2] > 0.5).all()


def test_settings_change():
    simulation = abut.Simulation("boxes:2")
    simulation.change_settings(iterations=7, threads=2)
    assert simulation.current_settings["iterations"] == 7 and simulation.current_settings["threads"] == 2
    assert copy.deepcopy(simulation).current_settings["iterations"] == 7
    with pytest.raises(abut.Error):
        simulation.change_settings(tolerance=np.nan)


def test_a_controller_is_asked_and_may_push():
    scene, box, _ = box_on_ground(height=2.0)
    simulation = abut.Simulation(scene)
    times = []

    def hover(simulation, time):
        times.append(time)
        simulation.scene.add_force("box", (0, 0, 9.80665 * simulation.scene["box"]["mass"]))

    simulation.set_controller(hover)
    simulation.step(50, dt=0.001)
    assert len(times) >= 50 and times[0] == 0.0
    assert abs(scene["box"]["velocity"][2]) < 0.02
    simulation.set_controller(lambda s, t: s.step())
    with pytest.raises(abut.Error, match="in the middle of a step"):
        simulation.step()
    simulation.set_controller(lambda s, t: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        simulation.step()
    simulation.set_controller(None)
    simulation.step()


def test_a_rule_about_contacts():
    scene, box, _ = box_on_ground()
    simulation = abut.Simulation(scene)
    seen = []

    def rule(contact, friction, kinetic, restitution):
        seen.append((contact.body_a, contact.body_b, friction))
        return False

    simulation.set_contact_rule(rule)
    simulation.step(100)
    assert seen[0][:2] in ((0, 1), (1, 0)) and scene["box"]["pose"][2] < 0.03  # it falls through
    simulation.set_contact_rule(lambda contact, *law: (0.0, 0.0, 0.0))
    simulation.step()
    simulation.set_contact_rule(lambda contact, *law: [][1])
    scene.set_pose("box", (0, 0, 0.05))
    with pytest.raises(IndexError):
        simulation.step(5)


@pytest.mark.parametrize("setter", ["set_contact_rule", "set_controller"])
def test_a_step_that_was_ended_can_be_taken_back(setter):
    want, simulation = abut.Simulation("boxes:5"), abut.Simulation("boxes:5")
    for s in want, simulation:
        s.step(600)
    state, hash = simulation.save(), simulation.hash
    getattr(simulation, setter)(lambda *arguments: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        simulation.step()
    simulation.restore(state)
    getattr(simulation, setter)(None)
    assert simulation.hash == hash
    getattr(want, setter)(None)  # wakes all, as it did above
    assert all_the_same(want, simulation)


def test_functions_that_hold_their_simulation_are_collected():
    scene, _, _ = box_on_ground()
    simulation = abut.Simulation(scene)
    simulation.set_controller(lambda s, t, own=simulation: None)
    scene.set_pair_filter(lambda a, b, own=scene: True)
    gone = weakref.ref(simulation), weakref.ref(scene)
    del simulation, scene
    gc.collect()
    assert gone[0]() is None and gone[1]() is None


def test_robots_in_scenes_by_their_bodies():
    scene = abut.Scene("arm6")
    model = scene.robot_model()
    assert [body["name"] for body in model.bodies] == [body["name"] for body in abut.Model.build("arm6").bodies]
    last = model.bodies[-1]["name"]
    assert scene[scene.robot_body(last)]["kind"] == "link"
    with pytest.raises(abut.Error, match="the model has no 'nobody'"):
        scene.robot_body("nobody")
    with pytest.raises(abut.Error, match="the scene has 1 robots, got 7"):
        scene.robot_model(7)


def test_keyframes_of_robots():
    model = abut.Model()
    link = model.add_body("link", "link")
    model.add_shape(link, "box", (0.1, 0.1, 0.1))
    model.add_joint(link, "hinge", name="j", axis=(0, 0, 1))
    model.add_keyframe("turned", [0.5], time=1.0)
    assert model.keyframes[0]["positions"].tolist() == [0.5]
    scene = abut.Scene(model)
    scene.set_keyframe("turned")
    assert scene.joints()[0] == pytest.approx([0.5])
    assert abut.Robot(model).reset("turned").q == pytest.approx([0.5])


# ---- copies

def all_the_same(a, b, steps=50):
    a.step(steps), b.step(steps)
    return a.hash == b.hash


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_of_scenes_and_simulations(how):
    scene, box, shape = box_on_ground(height=0.2)
    scene.set_material(shape, friction=0.1)
    scene.set_material(shape, restitution=0.4)
    scene.set_damping("box", 0.3)
    scene.set_pose("ground", (0, 0, -0.1))
    for i in range(100):
        scene.set_pose("box", (0, 0, 0.2 + 1e-3 * i))
    assert len(scene._recipe) < 10, "state is no part of what a scene is made of"
    simulation = abut.Simulation(scene)
    simulation.step(20)
    other = how(simulation)
    assert other.scene is not scene and other.hash == simulation.hash
    fields = other.scene.shape(shape)
    assert fields["friction"] == 0.1 and fields["restitution"] == 0.4
    assert other.scene["ground"]["pose"][2] == -0.1
    assert all_the_same(simulation, other)


def test_what_a_scene_was_given_may_change_afterwards():
    scene = abut.Scene()
    place = np.array([0.0, 0, 1])
    scene.add_shape(scene.add_body("a", pose=place), "sphere", 0.1)
    place[2] = 7.0
    assert copy.deepcopy(scene)["a"]["pose"][2] == 1.0


@pytest.mark.parametrize("spec", ["boxes:5", "arm6", "hand", "arch", "hulls:3"])
def test_models_pickle_what_they_hold(spec):
    names = [name.partition(":")[0] for name in abut.model_names()]
    if spec.partition(":")[0] not in names:
        pytest.skip(f"there is no {spec}")
    model = abut.Model.build(spec)
    other = pickle.loads(pickle.dumps(model))
    for part in ("bodies", "shapes", "joints", "frames", "actuators", "pairs", "equalities", "tendons", "keyframes"):
        assert repr(getattr(other, part)) == repr(getattr(model, part)), part
    assert other.name == model.name and other.timestep == model.timestep
    a, b = abut.Simulation(model), abut.Simulation(other)
    assert a.hash == b.hash and all_the_same(a, b, 20)


def test_models_of_scenes_and_read_models_pickle(tmp_path):
    scene, _, _ = box_on_ground()
    assert len(pickle.loads(pickle.dumps(scene.model())).bodies) == 2
    file = tmp_path / "m.xml"
    file.write_text('<mujoco model="x"><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>')
    data = pickle.dumps(abut.Model.read(file))
    file.unlink()
    model = pickle.loads(data)
    assert model.name == "x" and model.shapes[0]["kind"] == "box"


def test_models_hold_tendons_and_elements():
    model = abut.Model()
    for name in "ab":
        link = model.add_body(name, "link", mass=1.0, inertia=np.eye(3))
        model.add_joint(link, "hinge", name=name + "j")
    assert model.add_tendon([0, 1], [1.0, -2.0], name="t", limited=True, range=(-1, 1)) == 0
    model.add_element("sensor", "force", "s", site="tip")
    other = pickle.loads(pickle.dumps(model))
    assert other.tendons[0]["joints"] == [0, 1] and other.tendons[0]["coefficients"].tolist() == [1, -2]
    assert other.elements[0]["attributes"] == {"site": "tip"} and other.elements[0]["section"] == "sensor"
    assert model.joints_of("b") == [1] and model.shapes_of("b") == [] and model.is_movable("b")
    with pytest.raises(abut.Error):
        model.add_tendon([0, 9], [1.0, 1.0])
    with pytest.raises(abut.Error, match=r"coefficients: expected shape \(2,\)"):
        model.add_tendon([0, 1], [1.0])
    model.name = "two links"
    assert repr(model).startswith("<abut.Model 'two links'")


def test_shapes_of_models_are_bodies_of_queries():
    model = abut.Model()
    body = model.add_body("b")
    model.add_shape(body, "capsule", (0.1, 0, 0.2))
    convex = model.shape_body(0)
    assert abut.distance(convex, abut.point((0, 0, 1))).distance == pytest.approx(0.7)
    with pytest.raises(abut.Error, match="expected a number from 0 to 0"):
        model.shape_body(3)
    model.add_shape(body, "cone", (0.1, 0, 0.2))
    assert abut.distance(model.shape_body(1), abut.point((0, 0, 1))).distance == pytest.approx(0.8)


def test_height_fields_are_shapes():
    heights = 0.01 * np.random.default_rng(3).random((20, 30))
    model = abut.Model()
    model.add_shape(model.add_body("ground", "static"), field=(heights, 1.5, 1.0, -0.2))
    model.add_shape(model.add_body("ball", pose=(0.2, 0.1, 0.3)), "sphere", 0.1)
    kept, half_x, half_y, bottom = pickle.loads(pickle.dumps(model)).shape_field(0)
    assert np.array_equal(kept, heights) and (half_x, half_y, bottom) == (1.5, 1.0, -0.2)
    assert model.shape_field(1) is None and model.shapes[0]["kind"] == "height_field"
    scene = abut.Scene()
    scene.add_model(model)
    abut.Simulation(scene).step(500, 1e-3)
    assert 0.1 < scene.poses[1][2] < 0.112
    with pytest.raises(abut.Error, match="dynamic"):
        model.add_shape(1, field=(heights, 1.5, 1.0, -0.2))
    with pytest.raises(abut.Error, match="height 0: expected above the bottom"):
        model.add_shape(0, field=(np.zeros((3, 3)), 1.0, 1.0, 0.5))


def test_how_a_body_is_held():
    scene, box, _ = box_on_ground()
    grasp = scene.grasp("box")
    contacts = len(grasp["friction"])
    assert grasp["matrix"].shape == (6, 3 * contacts) and grasp["jacobian"].shape == (3 * contacts, 6) and grasp["rank"] == 6
    assert not grasp["closure"]
    assert scene.mode_basis() == pytest.approx(np.eye(6))
    system = scene.mode_system(0)
    assert system.restricted(np.eye(6)[:, :3]).dof == 3
    with pytest.raises(abut.Error, match=r"basis: expected shape \(6, n\)"):
        system.restricted(np.eye(3))
