# SPDX-License-Identifier: Apache-2.0
"""abut.trimesh beside trimesh.collision: trimesh's own tests, random scenes against all triangles, what is refused."""
import pathlib
import subprocess
import sys

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

import abut
from abut.trimesh import CollisionManager, scene_to_collision, solid_of

SDIST = pathlib.Path(sys.prefix) / "trimesh"
# trimesh's test names one of the equal contact points of two cubes in one place; ours is another point of both faces.
EQUAL = "assert g.np.allclose(c.point, g.np.array([5.0, -0.5, 0.5]))"
POINT = "assert abs(c.point[0] - 5.0) < 1e-9 and abs(c.point[1:]).max() < 0.5 + 1e-9"
# The archive of trimesh holds its tests without their models and helpers: a cube, a scene of parts that interlock.
GENERIC = """
import logging, unittest
import numpy as np
import trimesh, trimesh.collision
import abut.trimesh
trimesh.collision.CollisionManager = abut.trimesh.CollisionManager
trimesh.collision.scene_to_collision = abut.trimesh.scene_to_collision
log, random = logging.getLogger("test"), np.random.default_rng(1).random

def get_mesh(name):
    if name == "unit_cube.STL":
        return trimesh.creation.box((1.0, 1.0, 1.0))
    parts = [trimesh.creation.annulus(0.3, 0.5, 0.2), trimesh.creation.torus(0.5, 0.1), trimesh.creation.box((0.9, 0.1, 0.1))]
    return trimesh.Scene(parts)
"""


def place(*values):
    matrix = np.eye(4)
    matrix[:3, 3] = values
    return matrix


def turned(rng, spread):
    matrix = trimesh.transformations.random_rotation_matrix(rng.random(3))
    matrix[:3, 3] = rng.uniform(-spread, spread, 3)
    return matrix


def test_trimesh_own_collision_tests_pass(tmp_path):
    pytest.importorskip("fcl")  # the tests of trimesh pass over themselves without it
    tests = SDIST / "tests"
    if not (tests / "test_collision.py").exists():
        pytest.skip("the tests of trimesh are not here; scripts/deps adapters fetches them")
    text = (tests / "test_collision.py").read_text()
    assert text.count(EQUAL) == 1
    (tmp_path / "generic.py").write_text(GENERIC)
    file = tmp_path / "test_collision.py"
    file.write_text(text.replace(EQUAL, POINT))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "5 passed" in done.stdout, done.stdout + done.stderr


def meshes():
    return [trimesh.creation.torus(0.5, 0.15, major_sections=12, minor_sections=8), trimesh.creation.box((0.4, 0.6, 0.8)),
            trimesh.creation.icosphere(subdivisions=1, radius=0.4), trimesh.creation.annulus(0.2, 0.5, 0.3, sections=8)]


def triangles_of(mesh, transform):
    return trimesh.transform_points(mesh.vertices, transform)[mesh.faces]


def surfaces_meet(a, b):
    """Do any two triangles meet: a side of one passes through the other; not in one plane, which random poses are not."""
    for first, second in ((a, b), (b, a)):
        p = first.reshape(-1, 1, 3)
        way = np.roll(first, -1, axis=1).reshape(-1, 1, 3) - p
        c, e, f = (second[None, :, 0], second[None, :, 1] - second[None, :, 0], second[None, :, 2] - second[None, :, 0])
        h = np.cross(way, f)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / (e * h).sum(-1)
            u = ((p - c) * h).sum(-1) * inverse
            q = np.cross(p - c, e)
            v, t = (way * q).sum(-1) * inverse, (f * q).sum(-1) * inverse
        if ((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)).any():
            return True
    return False


def holds(triangles, p):
    """Is a point inside a closed mesh: the solid angle of all triangles is that of a whole sphere."""
    a, b, c = np.moveaxis(triangles - p, 1, 0)
    x, y, z = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    above = np.einsum("ij,ij->i", a, np.cross(b, c))
    below = x * y * z + (a * b).sum(1) * z + (b * c).sum(1) * x + (c * a).sum(1) * y
    return abs(2.0 * np.arctan2(above, below).sum()) > 2.0 * np.pi


def test_names_of_random_scenes():
    """All pairs by all triangles; a closed mesh inside another meets it, so do they only where they are solid."""
    rng, met, apart = np.random.default_rng(3), 0, 0
    for _ in range(12):
        manager, placed = CollisionManager(), {}
        for k, mesh in enumerate(meshes() * 2):
            placed[f"m{k}"] = mesh, turned(rng, 0.9)
            manager.add_object(f"m{k}", mesh, placed[f"m{k}"][1])
        hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
        truth = set()
        for i, (first, (a, at)) in enumerate(placed.items()):
            for second, (b, bt) in list(placed.items())[i + 1:]:
                one, two = triangles_of(a, at), triangles_of(b, bt)
                if surfaces_meet(one, two) or holds(one, two[0, 0]) or holds(two, one[0, 0]):
                    truth.add((first, second))
        assert hit is bool(truth) and names == truth
        assert {tuple(sorted(c.names)) for c in contacts} == truth
        assert all(c.depth > 0 and abs(np.linalg.norm(c.normal) - 1) < 1e-9 for c in contacts)
        met, apart = met + len(truth), apart + 28 - len(truth)
    assert met > 30 and apart > 100


def test_contacts_lie_on_both_triangles_and_the_depth_parts_them():
    rng, seen = np.random.default_rng(5), 0
    torus, ring = meshes()[0], meshes()[3]
    for _ in range(40):
        transform = turned(rng, 0.4)
        manager = CollisionManager()
        manager.add_object("torus", torus)
        hit, contacts = manager.in_collision_single(ring, transform, return_data=True)
        assert hit == bool(contacts)
        for c in contacts[:10]:
            for mesh, at, name in ((torus, np.eye(4), "torus"), (ring, transform, "__external")):
                near = trimesh.triangles.closest_point(triangles_of(mesh, at)[[c.index(name)]], [c.point])
                assert np.linalg.norm(near[0] - c.point) < 1e-9
            seen += 1
        if contacts:
            out = transform.copy()
            out[:3, 3] += contacts[0].normal * contacts[0].depth * (1 + 1e-6)
            assert not surfaces_meet(triangles_of(torus, np.eye(4)), triangles_of(ring, out))
    assert seen > 50


def test_distances_are_the_least():
    rng = np.random.default_rng(7)
    for _ in range(10):
        first, second, every = CollisionManager(), CollisionManager(), {}
        for manager, tag, shift in ((first, "a", 0.0), (second, "b", 2.5)):
            for k, mesh in enumerate(meshes()):
                transform = turned(rng, 1.0)
                transform[0, 3] += shift * 1.5
                manager.add_object(f"{tag}{k}", mesh, transform)
                every[f"{tag}{k}"] = abut.Mesh.from_trimesh(mesh.copy().apply_transform(transform))
        distance, names, data = first.min_distance_other(second, return_names=True, return_data=True)
        truth = min((abut.distance(every[f"a{i}"], every[f"b{j}"]).distance, (f"a{i}", f"b{j}")) for i in range(4) for j in range(4))
        assert truth[0] > 0 and names == truth[1]
        assert distance == pytest.approx(truth[0], abs=1e-12)
        assert np.linalg.norm(data.point(names[0]) - data.point(names[1])) == pytest.approx(distance, abs=1e-9)
        one = first.min_distance_internal(name="a0", return_names=True)
        assert "a0" in one[1] and one[0] >= first.min_distance_internal() - 1e-12


def test_overlap_has_a_true_depth():
    manager = CollisionManager()
    manager.add_object("torus", trimesh.creation.torus(1.0, 0.3))
    inside = manager.min_distance_single(trimesh.creation.box((0.1, 0.1, 0.1)), place(1.0, 0, 0))
    assert -0.45 < inside < -0.3  # a small box in the tube: at least from the center line out
    manager.add_object("box", trimesh.creation.box((1, 1, 1)), place(0, 0, 5))
    manager.add_object("other", trimesh.creation.box((1, 1, 1)), place(0.75, 0, 5))
    deep = manager.depth("box", "other")
    assert deep.depth == pytest.approx(0.25) and np.allclose(deep.normal, [1, 0, 0])
    assert manager.depth("box", "torus").depth == 0.0


def test_time_of_impact():
    manager = CollisionManager()
    cube = trimesh.creation.box((1, 1, 1))
    manager.add_object("still", cube, place(3, 0, 0))
    manager.add_object("far", cube, place(6, 0, 0))
    manager.add_object("ball", cube)
    t, name, data = manager.toi("ball", place(10, 0, 0), return_names=True, return_data=True)
    assert name == "still" and 0.2 - 1e-5 < t <= 0.2 and data.t_hi >= 0.2 and data.outcome == "hit"
    assert manager.toi("ball", place(0, 10, 0)) == np.inf
    assert manager.toi("ball", place(0, 10, 0), return_names=True) == (np.inf, None)


def test_empty_managers_and_replacing():
    manager = CollisionManager()
    assert manager.in_collision_internal(True, True) == (False, set(), [])
    assert manager.min_distance_single(trimesh.creation.box(), return_name=True, return_data=True) == (np.inf, None, None)
    manager.add_object("a", trimesh.creation.box())
    manager.add_object("a", trimesh.creation.box(), place(9, 0, 0))
    assert manager.in_collision_single(trimesh.creation.box()) is False


def test_a_changed_mesh_is_taken_anew():
    manager, cube = CollisionManager(), trimesh.creation.box()
    assert manager.add_object("a", cube) is manager.add_object("b", cube)
    before = solid_of(cube).volume
    cube.apply_scale(2.0)
    assert solid_of(cube).volume == pytest.approx(8 * before)


def test_scaled_nodes_of_a_scene():
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box(), node_name="plain")
    wide = np.diag([4.0, 1.0, 1.0, 1.0])
    wide[0, 3] = 2.4
    scene.add_geometry(trimesh.creation.box(), node_name="wide", transform=wide)
    manager, bodies = scene_to_collision(scene)
    assert manager.in_collision_internal(return_names=True) == (True, {("plain", "wide")}) and len(bodies) == 2


def test_bad_input_is_refused():
    manager = CollisionManager()
    manager.add_object("a", trimesh.creation.box())
    with pytest.raises(ValueError, match="expected an object of the manager, got 'b'"):
        manager.set_transform("b", np.eye(4))
    with pytest.raises(ValueError, match="name: expected"):
        manager.remove_object("b")
    with pytest.raises(ValueError, match="transform"):
        manager.add_object("c", trimesh.creation.box(), np.diag([2.0, 2.0, 2.0, 1.0]))
    with pytest.raises(ValueError, match="transform"):
        manager.set_transform("a", np.full((4, 4), np.nan))
    with pytest.raises((ValueError, TypeError)):
        manager.add_object("d", trimesh.Trimesh())


def test_conversions_keep_every_number():
    mesh = trimesh.creation.torus(1.0, 0.3)
    own = abut.Mesh.from_trimesh(mesh)
    back = own.to_trimesh()
    assert np.array_equal(back.vertices, mesh.vertices) and np.array_equal(back.faces, mesh.faces)


def test_open3d():
    open3d = pytest.importorskip("open3d")
    mesh = open3d.geometry.TriangleMesh.create_torus()
    own = abut.Mesh.from_open3d(mesh)
    back = own.to_open3d()
    assert np.array_equal(np.asarray(back.vertices), np.asarray(mesh.vertices))
    assert np.array_equal(np.asarray(back.triangles), np.asarray(mesh.triangles))
