# SPDX-License-Identifier: Apache-2.0
"""Minkowski differences, convolutions, Phong distance, turning certificates, cases."""
import pickle

import numpy as np
import pytest

import abut


@pytest.fixture(scope="module")
def boxes():
    return abut.box((0.1, 0.2, 0.3)).to_mesh(), abut.box((0.05, 0.05, 0.05)).to_mesh()


def test_minkowski_of_boxes_is_a_box(boxes):
    for make in (abut.minkowski_difference, abut.minkowski_sum):
        mesh, exact, step = make(*boxes)
        assert exact and step == 0.0 and mesh.volume == pytest.approx(8 * 0.15 * 0.25 * 0.35)


def test_the_difference_moves_against_b(boxes):
    difference, _, _ = abut.minkowski_difference(*boxes, pose=(1, 0, 0))
    total, _, _ = abut.minkowski_sum(*boxes, pose=(1, 0, 0))
    assert difference.report().centroid == pytest.approx([-1, 0, 0]) and total.report().centroid == pytest.approx([1, 0, 0])


def test_minkowski_of_what_is_not_convex_lies_on_a_grid():
    torus, ball = abut.Mesh.make("torus", 200), abut.sphere(0.05).to_mesh(64)
    mesh, exact, step = abut.minkowski_sum(torus, ball, grid=24, threads=2)
    again, _, _ = abut.minkowski_sum(torus, ball, grid=24)
    assert not exact and step > 0.0 and mesh.report().closed and mesh.volume > torus.volume
    assert np.array_equal(mesh.vertices, again.vertices)
    with pytest.raises(abut.Error, match="grid"):
        abut.minkowski_sum(torus, ball, grid=3)
    with pytest.raises(TypeError, match="a: expected an abut.Mesh"):
        abut.minkowski_sum(abut.sphere(1.0), ball)


def test_minkowski_by_convolution(boxes):
    """Of convex bodies the same solid; of others the closed chain whose volume the Convolution tells, facet for facet."""
    for make in (abut.minkowski_difference, abut.minkowski_sum):
        mesh, chain = make(*boxes, convolution=True)
        assert mesh.report().closed and mesh.volume == pytest.approx(8 * 0.15 * 0.25 * 0.35) == pytest.approx(chain.volume)
    torus, cube, pose = abut.Mesh.make("torus", 60), boxes[1], abut.pose((0.1, 0.2, 0.3), axis=(1, 1, 0), angle=0.7)
    mesh, chain = abut.minkowski_difference(torus, cube, pose, convolution=True)
    measure, facets = abut.Convolution(torus, cube).measure(pose), abut.Convolution(torus, cube).facets(pose, whole=True)
    assert mesh.report().closed and chain.facets == measure.facets == len(facets) and chain.open < 1e-12
    assert chain.volume == pytest.approx(measure.volume) and mesh.volume == pytest.approx(measure.volume)
    near, part = abut.minkowski_difference(torus, cube, pose, convolution=True, center=mesh.vertices[0], radius=0.05)
    assert 0 < part.facets < chain.facets and len(near.triangles) < len(mesh.triangles)
    for wrong, text in ((dict(convolution=True, grid=8), "grid: expected none with a convolution.*got 8"),
                        (dict(radius=1.0), "radius: expected none without a convolution, got 1.0"),
                        (dict(convolution=True, center=(9, 9, 9), radius=0.1), "")):
        with pytest.raises(abut.Error, match=text):
            abut.minkowski_sum(torus, cube, **wrong)
    with pytest.raises(TypeError, match="convolution: expected True or False, got 'x'"):
        abut.minkowski_sum(torus, cube, convolution="x")


def test_soft_bodies_are_refused_by_their_size():
    cup = abut.Mesh.make("cup", 200)
    for settings in (dict(step=1e-4), dict(margin=10.0), dict(margin=1e4), dict(step=1e-9)):
        with pytest.raises(abut.Error, match="soft body: (a step of .* m and a margin of .* m need a grid of .* nodes|step is)"):
            abut.SoftBody(cup, **settings)


def test_convolutions_measure_and_have_facets(boxes):
    convolution = pickle.loads(pickle.dumps(abut.Convolution(*boxes)))
    measure = convolution.measure((0.01, 0.02, 0.03))
    assert measure.volume == pytest.approx(8 * 0.15 * 0.25 * 0.35) and measure.winding == pytest.approx(1.0)
    facets = convolution.facets(whole=True)
    assert set(abut.words(facets, "kind")) <= {"face_vertex", "vertex_face", "edges"} and len(facets) >= 12
    first = facets[0]
    corners = first["corners"][:first["corner_count"]]
    a, b = boxes[0].vertices[first["vertex_a"][0]], boxes[1].vertices[first["vertex_b"][0]]
    assert corners[0] == pytest.approx(a - b)
    direction = convolution.kernel_direction(0.05, 0.05, (0.2, 0, 0))
    assert direction.direction == pytest.approx([1, 0, 0], abs=1e-6)
    with pytest.raises(abut.Error, match="pose: not finite"):
        convolution.measure((np.nan, 0, 0))
    with pytest.raises(abut.Error, match="width: expected a length above 0"):
        convolution.kernel_direction(0.1, 0.0)
    with pytest.raises(abut.Error):
        abut.Convolution(abut.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), boxes[1])


def test_phong_follows_a_path():
    a, b = abut.sphere(0.5).to_mesh(200), abut.sphere(0.5).to_mesh(200)
    phong = pickle.loads(pickle.dumps(abut.Phong(a, b)))
    path = np.array([(x, 0.0, 0.0) for x in np.linspace(1.2, 1.1, 5)])
    rows = phong.distance(path)
    assert rows["found"].all() and np.all(np.diff(rows["distance"]) < 0)
    assert rows["direction"][:, 0] == pytest.approx(1.0, abs=0.05)
    phong.restart()
    assert phong.distance(path[0]).distance == rows["distance"][0]
    assert phong.distance(path[0], mode="least").found
    with pytest.raises(abut.Error, match="mode: expected one of track, least"):
        phong.distance(mode="best")


def test_turning_certificates():
    a, b = abut.Mesh.make("torus", 300), abut.sphere(0.2).to_mesh(64)
    tau = abut.soft_tau(a, b)
    soft_a, soft_b = abut.SoftBody(a, tau), abut.SoftBody(b, tau)
    assert soft_a.source == abut.soft_source(a, tau) != abut.soft_source(a, 2 * tau)
    start, end = (0, 0, 0.5), (0.001, 0, 0.5)
    first, last = abut.soft_direction(soft_a, soft_b, start), abut.soft_direction(soft_a, soft_b, end)
    turned = abut.angle_between(first.direction, last.direction)
    assert turned <= abut.soft_turn_between(soft_b, first, start, last, end) <= np.pi
    assert turned <= abut.soft_turn_bound(soft_b, first, start, end)


def test_cases_to_compare_on():
    cases = abut.direction_cases()
    name = next(iter(cases))
    a, b = abut.direction_case(name)
    assert a.report().closed and b.report().closed and cases[name][1] > 0.0
    poses = abut.direction_case_pose(name, np.linspace(0, 1, 7))
    assert poses.shape == (7, 7) and abut.direction_case_pose(name, 0.0) == pytest.approx(poses[0])
    with pytest.raises(abut.Error, match="case: expected one of"):
        abut.direction_case("none such")
    with pytest.raises(abut.Error, match="t: expected a number from 0 to 1"):
        abut.direction_case_pose(name, 2.0)


def test_bodies_press_on_each_other():
    cube = abut.SoftBody(abut.box((0.5, 0.5, 0.5)).to_mesh(), 0.2)
    ball = abut.sphere(0.3)
    found, parts = abut.pressure_force(cube, ball, (0, 0, 0.85), pressure=1000.0, reach=0.2, derivative=True)
    assert found.valid and found.force[2] > 0.0 and found.load > 0.0 and found.derivative.shape == (6, 6)
    assert parts.shape[1] == 11 and parts[:, 3:6].sum(axis=0) == pytest.approx(found.force, rel=1e-6, abs=1e-9)
    far, none = abut.pressure_force(cube, ball, (0, 0, 5), pressure=1000.0, reach=0.2)
    assert far.valid and not far.force.any() and len(none) == 0
    soft = abut.soft_direction(cube, cube, (0, 0, 1.2))
    energy, force, torque = abut.soft_potential(soft, 100.0, soft.distance + 0.1)
    assert energy == pytest.approx(0.5) and force[2] > 0.0 and torque.shape == (3,)
    with pytest.raises(TypeError, match="a: expected an abut.SoftBody"):
        abut.pressure_force(3, ball, pressure=1.0, reach=0.1)
