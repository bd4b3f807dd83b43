# SPDX-License-Identifier: Apache-2.0
"""Two bodies: answers against closed forms, against each other, and the same one by one and in a batch."""
import numpy as np
import pytest
from conftest import cases, random_poses

import abut

BODIES = {
    "sphere": abut.sphere(0.4),
    "capsule": abut.capsule(0.2, 0.5),
    "box": abut.box((0.3, 0.4, 0.5)),
    "cylinder": abut.cylinder(0.3, 0.4),
    "cone": abut.cone(0.3, 0.5),
    "ellipsoid": abut.ellipsoid((0.2, 0.3, 0.5)),
    "polyhedron": abut.regular(20, 0.5),
    "half_space": abut.half_space((0.0, 0.0, 1.0), -0.5),
    "torus": abut.Mesh.make("torus", 300),
    "cup": abut.Mesh.make("cup", 300),
}


def test_spheres_have_their_closed_form():
    poses = random_poses(1000, 1, 2.0)
    answers = abut.distance(abut.sphere(0.3), abut.sphere(0.5), poses)
    assert np.allclose(answers["distance"], np.linalg.norm(poses[:, :3], axis=1) - 0.8, atol=1e-14)


@pytest.mark.parametrize("b", BODIES)
@pytest.mark.parametrize("a", BODIES)
def test_witness_points_and_batches(a, b):
    poses = random_poses(12, 2, 1.5)
    batch = abut.distance(BODIES[a], BODIES[b], poses)
    for pose, row in zip(poses, batch):
        one = abut.distance(BODIES[a], BODIES[b], pose)
        for field in batch.dtype.names:
            if batch[field].dtype.kind == "f":
                assert np.array_equal(getattr(one, field), row[field], equal_nan=True)
        measured = one.surface
        if np.isfinite(measured):
            assert np.allclose(one.point_b - one.point_a, measured * one.normal, atol=1e-9)
        assert abut.meet(BODIES[a], BODIES[b], pose) == (one.distance <= 0.0)
        assert abut.closer_than(BODIES[a], BODIES[b], 0.5, pose) == (one.distance <= 0.5)


def test_a_mesh_and_a_convex_body_either_way_round():
    sphere, torus = BODIES["sphere"], BODIES["torus"]
    for pose in random_poses(50, 3):
        x = abut.distance(torus, sphere, pose)
        y = abut.distance(sphere, torus, abut.pose_inverse(pose))
        assert np.isclose(x.distance, y.distance, atol=1e-12)
        if x.distance > 0.0:
            assert np.allclose(x.point_a, abut.pose_apply(pose, y.point_b), atol=1e-9)


def test_threads_give_the_same_bits():
    poses = random_poses(500, 4)
    for a, b in (("polyhedron", "cylinder"), ("torus", "cup"), ("box", "torus")):
        one = abut.distance(BODIES[a], BODIES[b], poses, threads=1)
        assert one.tobytes() == abut.distance(BODIES[a], BODIES[b], poses, threads=2).tobytes()


def test_depth_parts_the_bodies():
    a, b = BODIES["torus"], BODIES["cup"]
    for pose in random_poses(10, 5, 0.3):
        found = abut.depth(a, b, pose)
        away = np.array(pose)
        away[:3] += -found.normal * found.distance * (1.0 + 1e-5)
        if found.distance < 0.0:
            assert not abut.meet(a, b, away)
        along = abut.depth(a, b, pose, along=found.normal)
        assert found.distance == 0.0 or np.isclose(along.distance, found.distance, rtol=1e-6)


def test_depth_of_convex_bodies_is_their_distance():
    x = abut.depth(abut.box((1, 1, 1)), abut.box((1, 1, 1)), (1.5, 0.2, 0.1))
    assert np.isclose(x.distance, -0.5) and x.kind == "exact" and x.outcome == "penetrating" and x.error < 1e-12
    assert abut.depth(abut.box((1, 1, 1)), abut.sphere(0.1), (2, 0, 0)).distance == pytest.approx(0.9)


def test_depth_of_a_mesh_and_a_convex_body():
    cube, ball = abut.box((1, 1, 1)).to_mesh(), abut.sphere(0.1)
    for body, first in ((abut.depth(cube, ball, (0.5, 0.2, 0.1)), 0), (abut.depth(ball, cube, (-0.5, -0.2, -0.1)), 1)):
        assert body.distance == pytest.approx(-0.6, abs=1e-6) and body.verified
        assert np.allclose(body.normal, (-1 if first else 1, 0, 0), atol=1e-6)
    assert abut.depth(cube, ball, (0.5, 0.2, 0.1), along=(0, 0, 1)).distance == pytest.approx(-1.0, abs=1e-6)
    assert abut.depth(cube, ball, (5, 0, 0)).distance == 0.0
    box = abut.box((0.3, 0.2, 0.1))
    for pose in random_poses(6, 6, 0.3):
        found, meshes = abut.depth(BODIES["cup"], box, pose), abut.depth(BODIES["cup"], box.to_mesh(), pose)
        assert found.distance == pytest.approx(meshes.distance, rel=0.05, abs=1e-6)
    with pytest.raises(abut.Error, match="'classic' is for two meshes"):
        abut.depth(cube, ball, (0.5, 0.2, 0.1), method="classic")


def test_derivative_agrees_with_differences():
    a, b = BODIES["ellipsoid"], BODIES["sphere"]
    pose_a, pose_b = abut.pose((0.1, 0.2, 0.3), axis=(1, 2, 3), angle=0.5), abut.pose((1.0, 1.5, 0.2))
    found, change = abut.derivative(a, b, pose_a, pose_b)
    assert change.valid and change.point_a.shape == (3, 12)
    for i in range(3):
        step = np.zeros(3)
        step[i] = 1e-6
        moved = [abut.distance(a, b, abut.pose_multiply(abut.pose_inverse(pose_a), pose_b + np.r_[s * step, 0, 0, 0, 0])).distance
                 for s in (1, -1)]
        assert np.isclose(change.distance[6 + i], (moved[0] - moved[1]) / 2e-6, atol=1e-6)


def test_collide_lists_triangles():
    a, b = BODIES["torus"], BODIES["cup"]
    found, pairs = abut.collide(a, b, (0.1, 0, 0.2), all=True)
    assert found.outcome == "penetrating" and found.count == len(pairs) > 0 and not found.more
    few, first = abut.collide(a, b, (0.1, 0, 0.2), all=True, limit=2)
    assert few.more and len(first) == 2
    found, pairs = abut.collide(abut.sphere(0.31), a, all=True)
    assert found.count == len(pairs) > 0 and (pairs[:, 0] == -1).all()
    batch = abut.collide(a, b, [(0.1, 0, 0.2), (5, 0, 0)])
    assert abut.words(batch, "outcome").tolist() == ["penetrating", "separated"]


def test_overlap_of_boxes():
    a = abut.box((0.5, 0.5, 0.5))
    x = abut.overlap(a, a, (0.5, 0.25, 0))
    assert x.outcome == "volume" and np.isclose(x.volume, 0.375) and np.allclose(x.centroid, (0.25, 0.125, 0))
    assert len(x.faces) == 6 and x.vertices.shape == (8, 3) and np.isclose(x.to_mesh().volume, 0.375)
    assert {face["owner"] for face in x.faces} == {"a", "b"}
    batch = abut.overlap(a, a, [(0.5, 0.25, 0), (3, 0, 0)])
    assert np.allclose(batch["volume"], (0.375, 0.0)) and abut.OVERLAP_OUTCOMES[batch["outcome"][1]] == "disjoint"
    low, high = abut.overlap_volume(abut.sphere(1.0), abut.sphere(1.0), (1, 0, 0))
    assert low < 5 * np.pi / 12 < high < 1.1 * low
    assert np.isclose(abut.overlap(a, a, (0.5, 0.25, 0), by_duality=True).volume, 0.375)


def test_intersections_carry_their_proof():
    a, b = abut.regular(6, 1.0), abut.regular(12, 1.0)
    for pose in random_poses(50, 6, 2.0):
        for method in ("ren", "lp", "gjk"):
            x = abut.intersect(a, b, pose, method=method)
            assert (x.outcome == "meet") == abut.meet(a, b, pose)
            if x.outcome == "meet":
                assert (a.planes[:, :3] @ x.witness <= a.planes[:, 3] + 1e-9).all()
            else:
                assert (a.vertices @ x.plane <= x.plane_offset + 1e-9).all()
    x = abut.intersect_regions(([[1, 0, 0, 0]], [0]), ([[-1, 0, 0, 0]], [-1]))
    assert x.outcome == "apart" and x.plane.shape == (4,) and np.isclose(x.gap, 1.0)
    assert set(abut.words(abut.intersect(a, b, random_poses(20, 7, 2.0)), "outcome")) <= {"meet", "apart"}


def test_rays_from_a_surface_begin_in_contact():
    """Points of faces, edges and vertices, of a mesh, its hull and a shape of a scene: t = 0 for any direction."""
    rng = np.random.default_rng(3)
    mesh = abut.Mesh.make("torus", 200)
    ends = rng.normal(size=(4, 3))
    ends -= ends[:3].mean(axis=0)  # a face at the origin
    hull = abut.hull(ends)
    scene = abut.Scene()
    scene.add_shape(scene.add_body("hull", "static"), convex=hull)
    for body, vertices, triangles in ((mesh, mesh.vertices, mesh.triangles), (hull, ends, np.array([(0, 1, 2), (1, 2, 3), (3, 0, 1)]))):
        corners = vertices[triangles[rng.integers(0, len(triangles), 60)]]
        for count in (1, 2, 3):
            points, ways = corners[:, :count].mean(axis=1), rng.normal(size=(60, 3))
            hits = abut.cast_ray(body, points, ways)
            assert (hits["t"] == 0.0).all() and (hits["body"] == 0).all() and abut.cast_ray(body, points[0], ways[0]).outcome == "at_start"
            if body is hull:
                assert (scene.cast_ray(points, ways)["t"] == 0.0).all()


def test_casts_and_nearest_points():
    hit = abut.cast_ray(abut.sphere(1.0), (3, 0, 0), (-4, 0, 0))
    assert hit.outcome == "hit" and np.isclose(hit.t, 0.5) and np.allclose(hit.normal, (1, 0, 0))
    hits = abut.cast_ray([(abut.box((1, 1, 1)), (0, 0, 5)), abut.sphere(1.0)], [(0, 0, -9), (5, 5, -9)], (0, 0, 20))
    assert hits["body"].tolist() == [1, -1]
    both = abut.cast_ray([(abut.box((1, 1, 1)), (0, 0, 5)), abut.sphere(1.0)], (0, 0, -9), (0, 0, 20), all=True)
    assert both["body"].tolist() == [1, 0]
    move = abut.cast(abut.box((1, 1, 1)), (abut.sphere(0.5), (4, 0, 0)), (-5, 0, 0))
    assert move.outcome == "hit" and np.isclose(move.t, 0.5, atol=1e-5) and move.t_lo <= move.t_hi
    near = abut.nearest_point(BODIES["torus"], [(0, 0, 0), (0.3, 0, 0)])
    assert near["distance"][0] > 0.0 > near["distance"][1]
    pieces = abut.Pieces([abut.hull([(x, y, z) for x in side for y in (-1, 1) for z in (-1, 1)]) for side in ((-3, -1), (-1, 1))])
    hit = abut.cast_ray(pieces, (0, 0, 5), (0, 0, -8))
    assert hit.outcome == "hit" and np.isclose(hit.t, 0.5) and hit.feature == 1
    move = abut.cast(pieces, (abut.sphere(0.5), (-6, 0, 0)), (5, 0, 0))
    assert move.outcome == "hit" and np.isclose(move.t, 0.5, atol=1e-5) and move.feature == 0
    assert np.isclose(abut.nearest_point(pieces, (-5, 0, 0)).distance, 2.0)
    impact = abut.time_of_impact(pieces, abut.sphere(0.5), None, abut.Motion.translation((-6, 0, 0), (5, 0, 0)))
    assert impact.outcome == "hit" and np.isclose(impact.t, 0.5, atol=1e-5) and (impact.part_a, impact.part_b) == (0, -1)


def test_bodies_in_words_and_masses():
    assert np.isclose(abut.body("sphere:0.5").volume, 4 / 3 * np.pi / 8)
    assert np.isclose(abut.body("box:1,2,3").volume, 48.0)
    assert abut.body("half-space:0,0,2,1").numbers[3] == 0.5
    volume, area, centroid, inertia = abut.regular(6, np.sqrt(0.75)).mass_properties()
    assert np.isclose(volume, 1.0) and np.isclose(area, 6.0) and np.allclose(inertia, np.eye(3) / 6)
    with pytest.raises(abut.Error, match="expected 3 numbers"):
        abut.body("box:1,2")
    inside, around = abut.sphere(1.0).polyhedra(0)
    assert inside.volume < 4 / 3 * np.pi < around.volume


def test_meshes(tmp_path):
    mesh = abut.Mesh.make("cup")
    report = mesh.report()
    assert report.closed and report.outward and report.components == 1 and np.isclose(mesh.volume, report.volume)
    again = abut.Mesh(mesh.vertices.astype("f4"), mesh.triangles.astype("i8"))
    assert np.allclose(again.vertices, mesh.vertices, atol=1e-7) and np.array_equal(again.triangles, mesh.triangles)
    mesh.write(str(tmp_path / "cup.obj"))
    back = abut.Mesh.read(tmp_path / "cup.obj")
    assert np.array_equal(back.vertices, mesh.vertices)
    assert abut.Mesh.parse((tmp_path / "cup.obj").read_bytes(), "cup.obj").report().volume == report.volume
    assert abut.file_info(tmp_path / "cup.obj")["format"] == "obj"
    assert mesh.hull().volume > mesh.volume and mesh.why_not_convex() is not None
    assert abut.Mesh.make("box").why_not_convex() is None and "torus" in abut.mesh_names()
    assert abut.Mesh.height_field(np.zeros((4, 5)), 1, 1, -1).report().closed
    assert np.allclose(mesh.moved((1, 0, 0)).vertices, mesh.vertices + (1, 0, 0))
    mesh = BODIES["torus"]
    pieces = mesh.decompose(0.2)
    assert pieces.closed and pieces.excess < 0.2 and abut.pieces_cover(pieces, mesh)[0] == 0
    assert abut.pieces_distance(pieces, pieces, (1, 0, 0)).distance > 0.0
    low, high, _ = abut.pieces_volume(pieces, pieces)
    assert low <= mesh.volume <= high * (1 + 1e-9)
    assert np.isclose(sum(p.volume for p in pieces), pieces.volume)


def test_many_random_pairs_keep_their_promises():
    names = ["sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "polyhedron"]
    count = cases(1000000) // len(names) ** 2
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            poses = random_poses(count, 100 + 10 * i + j, 1.5)
            x = abut.distance(BODIES[a], BODIES[b], poses)
            y = abut.distance(BODIES[b], BODIES[a], np.array([abut.pose_inverse(p) for p in poses[:20]]))
            assert np.allclose(np.linalg.norm(x["normal"], axis=1), 1.0)
            assert (np.abs(x["distance"][:20] - y["distance"]) <= x["error"][:20] + y["error"] + 1e-12).all()


def test_meshes_know_their_neighbors_and_deform():
    mesh = abut.Mesh.make("torus", 400)
    neighbors = mesh.neighbors()
    assert neighbors.shape == mesh.triangles.shape and (neighbors >= 0).all()
    assert (abut.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).neighbors() == -1).all()
    grown = mesh.deformed(1.2 * mesh.vertices)
    fresh = abut.Mesh(1.2 * mesh.vertices, mesh.triangles)
    ball, poses = abut.sphere(0.1), random_poses(30, 5, 2.0)
    assert abut.distance(grown, ball, poses)["distance"] == pytest.approx(abut.distance(fresh, ball, poses)["distance"], abs=1e-12)
    with pytest.raises(abut.Error, match="vertices: expected shape"):
        mesh.deformed(mesh.vertices[:5])
    with pytest.raises(abut.Error):
        mesh.deformed(np.full_like(mesh.vertices, np.nan))


def test_ground_as_pieces():
    heights = np.array([[0.0, 0.1, 0.0], [0.2, 0.3, 0.1]])
    pieces = abut.height_field_pieces(heights, 1.0, 0.5, -1.0)
    assert pieces.volume == pytest.approx(abut.Mesh.height_field(heights, 1.0, 0.5, -1.0).volume) and len(pieces) > 1
    with pytest.raises(abut.Error):
        abut.height_field_pieces(heights, -1.0, 0.5, -1.0)
