# SPDX-License-Identifier: Apache-2.0
"""abut.mujoco and Model.to_mjcf against MuJoCo: motions, masses, distances, contacts, and what is refused."""
import gc
import os
import pathlib
import warnings

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")

import abut  # noqa: E402
import abut.mujoco  # noqa: E402

PACKAGES = pathlib.Path(mujoco.__file__).parents[1]
FILES = sorted(p for pattern in ("gymnasium/envs/mujoco/assets/*.xml", "dm_control/suite/*.xml", "mujoco/testdata/*.xml")
               for p in PACKAGES.glob(pattern))
needs_library = pytest.mark.skipif(not os.path.isfile(os.environ.get("ABUT_MUJOCO_LIBRARY", "")),
                                   reason="libabut_mujoco.so is not built: no headers of MuJoCo when abut was configured")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", abut.Warning)
        yield


def loaded(path):
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        pytest.skip("MuJoCo does not load it")


def moved(m, seed):
    """A random state: positions, velocities and controls."""
    rng, d = np.random.default_rng(seed), mujoco.MjData(m)
    q = np.array(m.qpos0)
    mujoco.mj_integratePos(m, q, 0.3 * rng.normal(size=m.nv), 1.0)
    d.qpos[:], d.qvel[:], d.ctrl[:] = q, rng.normal(size=m.nv), rng.normal(size=m.nu)
    return d


def accelerations(m, seed):
    """Without contacts, limits and the medium, which a model does not hold or solves otherwise."""
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    m.opt.density = m.opt.viscosity = 0.0
    d = moved(m, seed)
    mujoco.mj_forward(m, d)
    return np.array(d.qacc)


def kinetic(m, d):
    out = np.zeros((m.nv, m.nv))
    try:
        mujoco.mj_fullM(m, d, out)
    except TypeError:
        mujoco.mj_fullM(m, out, d.qM)
    return 0.5 * d.qvel @ out @ d.qvel


# ---- models

@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_models_move_as_in_mujoco(path):
    m = loaded(path)
    model = abut.Model.from_mujoco(m)
    robot, d = abut.Robot(model), moved(m, 1)
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_crb(m, d)
    robot.set(d.qpos)
    assert (robot.nq, robot.nv) == (m.nq, m.nv)
    bodies = [i for i in range(m.nbody) if i or m.body_geomnum[0]]
    assert np.abs(robot.body_poses()[:, :3] - d.xpos[bodies]).max(initial=0.0) < 1e-9
    assert robot.mass == pytest.approx(sum(m.body_mass[i] for i in bodies if m.body_weldid[i]), rel=1e-12)
    if m.nv and set(m.jnt_type) <= {2, 3}:  # velocities of free bodies have other axes
        robot.set(d.qpos, d.qvel)
        assert robot.energy[0] == pytest.approx(kinetic(m, d), rel=1e-9)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_files_that_are_written_accelerate_alike(path, tmp_path):
    m = loaded(path)
    model = abut.Model.from_mujoco(m)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", abut.Warning)
        abut.Model.from_mujoco(m)
    text = model.to_mjcf(tmp_path / "out.xml")
    other = mujoco.MjModel.from_xml_string(text)
    assert (tmp_path / "out.xml").read_text() == text
    if any("disables" in str(w.message) or "tendons" in str(w.message) or "actuators" in str(w.message) for w in told):
        return
    assert (other.nq, other.nv, other.nu) == (m.nq, m.nv, m.nu)
    assert np.abs(other.qpos0 - m.qpos0).max(initial=0.0) < 1e-12
    if m.nv:
        one, two = accelerations(m, 2), accelerations(other, 2)
        assert np.abs(one - two).max() <= 1e-6 * max(1.0, np.abs(one).max())
    if len(text) > 9e6:  # abut reads no attributes of more than 10 MB
        return
    again = abut.Model.read(tmp_path / "out.xml")
    assert [b["name"] for b in again.bodies if b["name"] != "world"] == [b["name"] for b in model.bodies if b["name"] != "world"]
    assert [len(x) for x in (again.joints, again.frames, again.tendons)] == [len(model.joints), other.nsite, len(model.tendons)]


@pytest.mark.parametrize("name", ["arm6", "humanoid", "arm-gripper", "two-arms", "boxes:5", "mugs:2", "rings:2", "rope:6", "delta"])
def test_built_in_models_are_written(name):
    model = abut.Model.build(name)
    m = mujoco.MjModel.from_xml_string(model.to_mjcf())
    robot, d = abut.Robot(model), moved(m, 3)
    assert (robot.nq, robot.nv) == (m.nq, m.nv)
    mujoco.mj_kinematics(m, d)
    robot.set(d.qpos)
    names = [b["name"] for b in model.bodies]
    for i, pose in enumerate(robot.body_poses()):
        body = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, names[i])
        if body >= 0 and names[i]:
            assert np.abs(pose[:3] - d.xpos[body]).max() < 1e-9, names[i]
            if model.is_movable(i):
                assert m.body_mass[body] > 0.0


def test_shapes_survive():
    rng = np.random.default_rng(4)
    model = abut.Model()
    ground = model.add_body(kind="static", name="ground")
    heights = 0.2 + rng.uniform(0, 0.1, (4, 5))
    model.add_shape(ground, field=(heights, 2.0, 1.0, -0.3), pose=(0, 0, 0.5))
    body = model.add_body(name="parts")
    model.add_shape(body, "cone", (0.1, 0.1, 0.2), pose=(1, 0, 0))
    model.add_shape(body, convex=abut.hull(rng.normal(size=(12, 3))), friction_spinning=0.01, friction_rolling=0.02)
    model.add_shape(body, "capsule", (0.1, 0.1, 0.3), visual=True)
    m = mujoco.MjModel.from_xml_string(model.to_mjcf())
    back = abut.Model.from_mujoco(m)
    found, x, y, bottom = back.shape_field(0)
    assert np.allclose(found + back.shapes[0]["pose"][2] - 0.5, heights, atol=1e-7) and (x, y) == (2.0, 1.0)
    assert bottom + back.shapes[0]["pose"][2] - 0.5 == pytest.approx(-0.3)
    for i in (1, 2):
        assert back.shape_body(i).volume == pytest.approx(model.shape_body(i).to_mesh().volume, rel=1e-5)
    assert (back.shapes[2]["friction_spinning"], back.shapes[2]["friction_rolling"]) == (0.01, 0.02)
    assert back.shapes[3]["visual"] and not back.shapes[2]["visual"]


def test_filters_survive():
    model = abut.Model()
    pairs = [(1, 2), (2, 1), (4, 7), (3, 3), (0, 5)]
    for i, (category, mask) in enumerate(pairs):
        model.add_shape(model.add_body(pose=(i, 0, 0)), "sphere", 0.1, category=category, mask=mask)
    m = mujoco.MjModel.from_xml_string(model.to_mjcf())
    back = abut.Model.from_mujoco(m)
    for i in range(5):
        for k in range(5):
            meet = bool(pairs[i][0] & pairs[k][1]) and bool(pairs[k][0] & pairs[i][1])
            assert bool(m.geom_contype[i] & m.geom_conaffinity[k] or m.geom_contype[k] & m.geom_conaffinity[i]) == meet
            shapes = back.shapes
            assert (bool(shapes[i]["category"] & shapes[k]["mask"]) and bool(shapes[k]["category"] & shapes[i]["mask"])) == meet


def test_what_is_lost_is_told():
    model = abut.Model()
    model.add_shape(model.add_body(), "box", (1, 1, 1), restitution=0.5)
    with pytest.warns(abut.Warning, match="restitutions are not written"):
        model.to_mjcf()
    m = mujoco.MjModel.from_xml_string('<mujoco><option density="1000"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    with pytest.warns(abut.Warning, match="forces of the medium are ignored"):
        abut.Model.from_mujoco(m)


def test_files_appear_whole_or_not_at_all(tmp_path):
    with pytest.raises(abut.Error, match="No such file or directory"):
        abut.Model.build("arm6").to_mjcf(tmp_path / "no" / "out.xml")
    assert list(tmp_path.iterdir()) == []


# ---- distances

FORMS = {"sphere": ".1", "capsule": ".05 .1", "ellipsoid": ".1 .06 .08", "cylinder": ".06 .1", "box": ".1 .05 .08"}


def pair_of(first, second):
    points = " ".join(map(str, np.random.default_rng(8).uniform(-0.1, 0.1, 30)))
    def geom(kind):
        return f'<geom type="mesh" mesh="hull"/>' if kind == "mesh" else f'<geom type="{kind}" size="{FORMS[kind]}"/>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="hull" vertex="{points}"/></asset><worldbody>'
        f'<body><freejoint/>{geom(first)}</body><body><freejoint/>{geom(second)}</body></worldbody></mujoco>')


@pytest.mark.parametrize("first", [*FORMS, "mesh"])
@pytest.mark.parametrize("second", [*FORMS, "mesh"])
def test_distances_are_those_of_mujoco(first, second):
    m, rng = pair_of(first, second), np.random.default_rng(7)
    d, apart = mujoco.MjData(m), 0
    for _ in range(20):
        d.qpos[:] = rng.normal(size=14) * (([0.3] * 3 + [1] * 4) * 2)
        mujoco.mj_normalizeQuat(m, d.qpos)
        mujoco.mj_forward(m, d)
        ends, theirs = np.zeros(6), np.zeros(6)
        own, other = abut.geom_distance(m, d, 0, 1, 1.0, ends), mujoco.mj_geomDistance(m, d, 0, 1, 1.0, theirs)
        if other > 1e-3:
            apart += 1
            assert own == pytest.approx(other, abs=2e-5)
        if own < 1.0:
            assert np.linalg.norm(ends[3:] - ends[:3]) == pytest.approx(abs(own), abs=1e-9)
        half = 0.5 * own
        if own > 0:
            assert abut.geom_distance(m, d, 0, 1, half, ends) == half and not ends.any()
    assert apart > 5


def test_distances_of_meshes_are_those_of_the_mesh():
    cup = abut.Mesh.make("cup")
    model = abut.Model()
    body = model.add_body(name="cup")
    abut._abut.model_add_shape(model, {"body": body, "kind": "polyhedron"}, (abut.hull(cup.vertices), cup))
    model.add_shape(model.add_body(name="ball", pose=(0, 0, 0.05)), "sphere", 0.02)
    m = mujoco.MjModel.from_xml_string(model.to_mjcf())
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    assert 0.05 < abut.geom_distance(m, d, 0, 1, 1.0) == pytest.approx(abut.distance(cup, abut.sphere(0.02), (0, 0, 0.05)).distance, abs=1e-6)
    assert mujoco.mj_geomDistance(m, d, 0, 1, 1.0, None) < 0.0  # of the hull
    m.geom_size[1, 0] = 0.03
    assert abut.geom_distance(m, d, 0, 1, 1.0) == pytest.approx(abut.distance(cup, abut.sphere(0.03), (0, 0, 0.05)).distance, abs=1e-6)
    with pytest.raises(abut.Error, match="geom2: expected a number from 0 to 1, got 2"):
        abut.geom_distance(m, d, 0, 2, 1.0)


# ---- contacts

def contacts(m, d):
    mujoco.mj_forward(m, d)
    return [(c.dist, *np.array(c.frame[:3]), *np.array(c.pos)) for c in d.contact]


@needs_library
@pytest.mark.parametrize("first", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"])
@pytest.mark.parametrize("second", ["ellipsoid", "cylinder", "box", "mesh"])
def test_contacts_have_the_depth_and_the_normal_of_the_pair(first, second):
    m, rng, met = pair_of(first, second), np.random.default_rng(9), 0
    abut.mujoco.attach(m)
    d = mujoco.MjData(m)
    for _ in range(60):
        d.qpos[:] = rng.normal(size=14) * (([0.06] * 3 + [1] * 4) * 2)
        mujoco.mj_normalizeQuat(m, d.qpos)
        found = contacts(m, d)
        a, b = (0, 1) if m.geom_type[0] <= m.geom_type[1] else (1, 0)
        own = abut.geom_distance(m, d, a, b, 1.0)
        assert bool(found) == (own < 0.0) or abs(own) < 1e-6
        if own > -1e-6:
            continue
        met += 1
        normal = np.array(found[0][1:4])
        solids = [abut.mujoco._kept_solid(m, g) for g in (a, b)]
        poses = [abut.pose(d.geom_xpos[g], quaternion(d.geom_xmat[g])) for g in (a, b)]
        away = abut.pose_multiply(abut.pose(normal * -own * 1.001), poses[1])  # out of the way, and no less will do
        assert abut.distance(*solids, abut.pose_multiply(abut.pose_inverse(poses[0]), away)).distance > -2e-4
        for dist, *rest in found:
            assert own - 2e-4 <= dist <= 0.0 and np.allclose(rest[:3], normal)
        assert len(found) <= mujoco.mj_maxContact(m, a, b, 0)
    assert met > 15


def quaternion(matrix):
    out = np.zeros(4)
    mujoco.mju_mat2Quat(out, np.ravel(matrix))
    return out


@needs_library
def test_other_models_and_detached_ones_have_the_contacts_of_mujoco():
    m, other = pair_of("cylinder", "cylinder"), pair_of("cylinder", "cylinder")
    d, rest = mujoco.MjData(m), mujoco.MjData(other)
    for x in (d, rest):
        x.qpos[7:10] = (0.03, 0, 0.15)
    own = contacts(other, rest)
    abut.mujoco.attach(m, points=3)
    ours = contacts(m, d)
    assert contacts(other, rest) == own and len(ours) == 3 and ours != own
    abut.mujoco.attach(m)
    assert len(contacts(m, d)) == 4
    abut.mujoco.detach(other)
    abut.mujoco.detach(m)
    abut.mujoco.detach(m)
    assert contacts(m, d) == own


@needs_library
def test_models_may_go_while_they_are_attached():
    for _ in range(20):
        m = pair_of("box", "mesh")
        abut.mujoco.attach(m)
        d = mujoco.MjData(m)
        d.qpos[7] = 0.1
        assert contacts(m, d)
        del m, d
        gc.collect()
    assert abut.mujoco._attached == {}


@needs_library
def test_threads_step_alike():
    from concurrent.futures import ThreadPoolExecutor

    m = pair_of("mesh", "box")
    abut.mujoco.attach(m)

    def run(_):
        d = mujoco.MjData(m)
        d.qpos[7] = 0.1
        mujoco.mj_step(m, d, 100)
        return d.qpos.tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(run, range(16)))) == 1


@needs_library
def test_refusals(tmp_path, monkeypatch):
    m = pair_of("box", "box")
    with pytest.raises(abut.Error, match="points: expected 0 to 8, got 9"):
        abut.mujoco.attach(m, points=9)
    with pytest.raises(abut.Error, match="excess: expected 0 to 1e6, got nan"):
        abut.mujoco.attach(m, excess=float("nan"))
    with pytest.raises(abut.Error, match="pieces: expected 0 to 256, got -1"):
        abut.mujoco.attach(m, pieces=-1)
    (tmp_path / "no.so").write_text("no library")
    with pytest.raises(abut.Error, match="expected libabut_mujoco.so, got"):
        abut.mujoco.attach(m, library=tmp_path / "no.so")
    monkeypatch.delenv("ABUT_MUJOCO_LIBRARY")
    with pytest.raises(abut.Error, match="expected the path of libabut_mujoco.so"):
        abut.mujoco.attach(m)
