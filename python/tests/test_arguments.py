# SPDX-License-Identifier: Apache-2.0
"""Bad and odd arguments: dtypes, orders, shapes, NaN, empty, files; every refusal names what it refuses."""
import copy
import os
import pathlib
import pickle

import numpy as np
import pytest

import abut

A, B = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25)
GROUND, TORUS = abut.half_space(), abut.Mesh.make("torus", 100)
POSE = np.array([0.1, 0.2, 2.0, 1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f8", "i4", "u1", "i8"])
def test_any_real_dtype(dtype):
    pose = np.array([1, 0, 2, 1, 0, 0, 0], dtype)
    assert abut.distance(A, B, pose).distance == abut.distance(A, B, (1, 0, 2)).distance


def test_any_order_and_stride():
    poses = np.tile(POSE, (6, 1)) + np.arange(6)[:, None] * np.eye(7)[2]
    want = abut.distance(A, B, poses)["distance"]
    assert np.array_equal(abut.distance(A, B, np.asfortranarray(poses))["distance"], want)
    assert np.array_equal(abut.distance(A, B, np.repeat(poses, 2, axis=0)[::2])["distance"], want)
    assert np.array_equal(abut.distance(A, B, poses[::-1])["distance"], want[::-1])
    assert np.array_equal(abut.distance(A, B, poses.tolist())["distance"], want)
    assert np.array_equal(abut.distance(A, B, [abut.pose_matrix(p) for p in poses])["distance"], want)
    assert np.array_equal(abut.distance(A, B, memoryview(poses))["distance"], want)


def test_poses_of_every_form():
    turned = abut.pose((0.3, 0, 2), axis=(0, 0, 2), angle=0.7)
    box = abut.box((0.5, 0.2, 0.1))
    want = abut.distance(A, box, turned).distance
    assert np.isclose(abut.distance(A, box, abut.pose_matrix(turned)).distance, want)
    assert np.isclose(abut.distance(A, box, turned * [1, 1, 1, 3, 3, 3, 3]).distance, want)
    assert np.allclose(abut.pose_multiply(turned, abut.pose_inverse(turned)), [0, 0, 0, 1, 0, 0, 0])


@pytest.mark.parametrize("value, error, text", [
    (np.zeros(5), abut.Error, r"pose: expected a pose .* got shape \(5,\)"),
    (np.zeros((2, 2, 7)), abut.Error, r"pose: .* got shape \(2, 2, 7\)"),
    (np.zeros((2, 3, 4, 4)), TypeError, "pose: "),
    (np.zeros(7, complex), TypeError, "pose: .* complex128"),
    (np.zeros(7, "U3"), TypeError, "pose: "),
    (np.zeros(7, object), TypeError, "pose: .* object"),
    ("above", TypeError, "pose: .* 'above'"),
    (7.0, abut.Error, r"pose: .* got shape \(\)"),
    ([[1, 2, 3], [1, 2]], abut.Error, "pose: "),
    ({"x": 1}, TypeError, "pose: "),
])
def test_wrong_poses(value, error, text):
    with pytest.raises(error, match=text):
        abut.distance(A, B, value)


def test_numbers_that_mean_nothing_are_invalid():
    poses = np.tile(POSE, (5, 1))
    poses[0, 0], poses[1, 2], poses[2, 4], poses[3, 3:] = np.nan, np.inf, np.nan, 0.0
    for a, b in ((A, B), (abut.Mesh.make("torus", 100), B), (A, abut.Mesh.make("cup", 100))):
        answers = abut.distance(a, b, poses)
        assert abut.words(answers, "outcome")[:4].tolist() == ["invalid"] * 4
        assert abut.words(answers, "outcome")[4] == "separated"
        assert abut.distance(a, b, poses[0]).outcome == "invalid"
        with pytest.raises(abut.Error, match="pose"):
            abut.meet(a, b, poses)
    assert abut.cast_ray(A, (np.nan, 0, 0), (1, 0, 0)).outcome == "invalid"
    assert abut.overlap(A, A, (np.nan, 0, 0)).outcome == "invalid"
    for diagonal in ([1.0, 2.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, np.nan]):
        assert abut.distance(A, B, np.diag(diagonal)).outcome == "invalid"
    sheared = np.eye(4) + np.eye(4)[3][:, None] * [0.5, 0, 0, 0]
    assert abut.distance(A, B, sheared).outcome == "invalid"


def numbers_of(answer):
    """All floating-point numbers of an answer."""
    values = [getattr(answer, name) for name in dir(answer) if not name.startswith("_")]
    return np.concatenate([np.ravel(x) for x in values if np.asarray(x).dtype.kind == "f"])


def test_what_is_not_known_is_nan():
    bad = POSE * [np.nan, 1, 1, 1, 1, 1, 1]
    cup, soft, moved = abut.Mesh.make("cup", 100), abut.SoftBody(TORUS), abut.Motion.translation(None, (1e59, 0, 0))
    answers = [abut.distance(A, B, bad), abut.distance(TORUS, cup, bad), abut.distance(TORUS, B, bad), abut.distance(B, TORUS, bad),
               abut.distance(TORUS, TORUS, np.tile([np.nan, 0, 0], (2, 1)))["distance"], abut.depth(TORUS, cup, bad),
               *abut.derivative(A, B, None, bad), abut.time_of_impact(A, B, None, bad), abut.time_of_impact(TORUS, B, bad, POSE),
               abut.cast_ray(A, bad[:3], (1, 0, 0)), abut.nearest_point(A, bad[:3]), abut.soft_direction(soft, soft, bad),
               abut.intersect(A, A, bad), abut.clearance(GROUND, GROUND), abut.clearance_soft(soft, soft, None, moved)]
    for answer in answers:
        known = numbers_of(answer) if not isinstance(answer, np.ndarray) else answer
        assert known.size and np.isnan(known).all(), answer
    apart, meet = abut.intersect(A, A, POSE), abut.intersect(A, A)
    assert np.isnan(apart.witness).all() and np.isfinite(apart.plane).all() and apart.gap > 0.0
    assert np.isnan(meet.plane).all() and np.isfinite(meet.witness).all() and np.isnan(meet.gap)


def test_what_is_empty_is_nowhere():
    """No distance, and no place where it would be."""
    empty = abut.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    for answer in (abut.clearance(empty, A), abut.clearance(A, empty, method="sampling")):
        assert answer.status == "empty" and answer.ub == answer.lb == np.inf
        assert np.isnan([answer.t, *answer.point_a, *answer.point_b, *answer.normal]).all()


def test_overlaps_by_duality_in_a_batch():
    poses = [(0.5, 0, 0), (0.1, 0.2, 0.3), (3, 0, 0)]
    one = [abut.overlap(A, A, pose, by_duality=True).volume for pose in poses]
    assert np.array_equal(abut.overlap(A, A, poses, by_duality=True)["volume"], one)


def test_numbers_of_numpy_are_seeds():
    assert abut.Simulation("boxes:5", seed=np.int64(7)).hash == abut.Simulation("boxes:5", seed=7).hash


def test_empty_batches():
    for query in (abut.distance, abut.depth, abut.collide, abut.overlap, abut.meet, abut.intersect):
        assert len(query(A, A, np.empty((0, 7)))) == 0 and len(query(A, A, [])) == 0
    assert len(abut.closer_than(A, A, 1.0, [])) == 0 and abut.pose_matrix([]).shape == (0, 4, 4)
    assert len(abut.cast_ray(A, np.empty((0, 3)), (1, 0, 0))) == 0
    empty = abut.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert abut.distance(empty, A).outcome == "empty"
    assert abut.cast_ray([], (0, 0, 0), (1, 0, 0)).outcome == "none"


@pytest.mark.parametrize("call, error, text", [
    (lambda: abut.distance(A, 3), TypeError, "b: expected an abut.Convex or an abut.Mesh, got 3"),
    (lambda: abut.sphere(-1.0), abut.Error, "^radius: expected a length from 0 to 1e60, got -1.0$"),
    (lambda: abut.capsule(1.0, np.nan), abut.Error, "^half_length: expected a length .* got nan$"),
    (lambda: abut.box((-1, 1, 1)), abut.Error, r"^half_size: expected lengths .* got \[-1.0, 1.0, 1.0\]$"),
    (lambda: abut.cylinder(1, 1, -1), abut.Error, "^rounding: expected a length"),
    (lambda: abut.segment((0, 0, np.inf), (0, 0, 0)), abut.Error, "^a: expected finite numbers .* got .*inf"),
    (lambda: abut.half_space((0, 0, 0)), abut.Error, r"^normal: .* got \[0.0, 0.0, 0.0\]$"),
    (lambda: abut.sphere(1.0, (0, 0)), abut.Error, r"^center: expected shape \(3,\), got shape \(2,\)"),
    (lambda: abut.body("spher:1"), abut.Error, "did you mean 'sphere:'"),
    (lambda: abut.body("half_space:0,0,1,0"), abut.Error, "did you mean 'half-space:'"),
    (lambda: abut.body(3), TypeError, "text: expected a text, got 3"),
    (lambda: abut.PlanProblem("arm6"), TypeError, "robot: expected an abut.Robot, got 'arm6'"),
    (lambda: abut.PlanProblem(abut.Model.build("arm6")), TypeError, "robot: expected an abut.Robot, got <abut.Model"),
    (lambda: abut.PlanProblem(abut.Robot("arm6"), "boxes:2"), TypeError, "obstacles: expected an abut.Model, an abut.Mesh, an abut.PlanningScene or None, got 'boxes:2'"),
    (lambda: abut.closer_than(A, B, (0, 0, 1), 0.5), TypeError, r"d: .*closer_than\(a, b, d, pose\)"),
    (lambda: abut.meet(A, B, [POSE, POSE * np.nan]), abut.Error, "pose: row 1: NaN"),
    (lambda: abut.closer_than(A, B, 1.0, [POSE, POSE, POSE * np.nan]), abut.Error, "pose: row 2: NaN"),
    (lambda: abut.contact(A, A, [POSE, POSE * np.nan]), abut.Error, "pose: row 1: not finite"),
    (lambda: abut.Model.build("boxes:2", -1), abut.Error, "seed: "),
    (lambda: abut.Model.build("boxes:2", 2**64), abut.Error, "seed: "),
    (lambda: abut.pose_multiply(np.ones((2, 7)), np.ones((3, 7))), abut.Error, "got 2 and 3"),
    (lambda: abut.pose_apply(np.ones((2, 7)), np.ones((3, 3))), abut.Error, r"points: .*got shape \(3, 3\)"),
    (lambda: abut.pose_matrix(np.zeros(7)), abut.Error, "value: expected a quaternion"),
    (lambda: abut.as_run(abut.pair(A, B)), TypeError, "expected a Run, Simulation, Scene, Model or Robot, got"),
    (lambda: abut.sphere(np.nan), abut.Error, "radius: .* got nan"),
    (lambda: abut.box((1, 2)), abut.Error, r"half_size: expected shape \(3,\), got shape \(2,\)"),
    (lambda: abut.half_space((0, 0, 0)), abut.Error, "normal: expected"),
    (lambda: abut.hull(np.zeros((0, 3))), abut.Error, ""),
    (lambda: abut.hull([[0, 0, np.nan]]), abut.Error, ""),
    (lambda: abut.hull(np.zeros((5, 2))), abut.Error, r"points: expected shape \(n, 3\), got shape \(5, 2\)"),
    (lambda: abut.Mesh([[0, 0, 0]], [[0, 1, 2]]), abut.Error, "triangle 0 names vertex 1 of 1"),
    (lambda: abut.Mesh(np.zeros((3, 3)), [[0.5, 1, 2]]), TypeError, "triangles: .* whole numbers"),
    (lambda: abut.Mesh(np.zeros((3, 3)), [[0, 1]]), abut.Error, r"triangles: .*\(1, 2\)"),
    (lambda: abut.Mesh([[0, 0, np.inf]] * 3, [[0, 1, 2]]), abut.Error, "finite"),
    (lambda: abut.Mesh.make("tors"), abut.Error, "name: expected one of sphere, .*torus.*, got 'tors'"),
    (lambda: abut.collide(TORUS, TORUS, all=True, limit=-1), abut.Error, "limit: expected at least 1, got -1"),
    (lambda: abut.clearance(A, B, None, POSE, start=2, end=1), abut.Error, "end: expected a number from 2 to .*, got 1"),
    (lambda: abut.clearance(A, B, None, POSE, eps=-1), abut.Error, "eps: expected a number from 0 to .*, got -1"),
    (lambda: abut.clearance(A, B, None, POSE, start=np.nan), abut.Error, "start: .* got nan"),
    (lambda: abut.clearance(A, B, None, POSE, relative=1), abut.Error, "relative: expected .* below 1, got 1"),
    (lambda: abut.clearance_curve(A, B, None, POSE, budget=-1), abut.Error, "budget: .* got -1"),
    (lambda: abut.clearance_pairs([A, B], [None, POSE], care=-1), abut.Error, "care: .* got -1"),
    (lambda: abut.clearance_pairs([A, None], [None, None]), TypeError, "bodies: expected .* got None"),
    (lambda: abut.clearance_pairs([A, B], [None, "x"]), TypeError, "motions: .* got 'x'"),
    (lambda: abut.Motion.screw(None, (0, 0, 0), (np.inf, 0, 0), 1.0), abut.Error, "axis: expected a finite length above 0, got inf"),
    (lambda: abut.Motion.screw(None, (0, 0, 0), (1e200, 0, 0), 1.0), abut.Error, "axis: .* got inf"),
    (lambda: abut.Motion.screw(None, (0, 0, 0), (0, np.nan, 0), 1.0), abut.Error, "axis: .* got nan"),
    (lambda: abut.Motion.screw(None, (0, 0, 0), (0, 0, 0), 1.0), abut.Error, "axis: .* got 0"),
    (lambda: abut.ModeSystem.contacts_at([(0, 0, 0)], [(0, 0, 1)], body_b=0.7), TypeError, "body_b: .* whole numbers, got 0.7"),
    (lambda: abut.ModeSystem.contacts_at([(0, 0, 0)], [(0, 0, 1)], body_a=[np.nan]), TypeError, "body_a: .* whole numbers"),
    (lambda: abut.ModeSystem.contacts_at([(0, 0, 0)], [(0, 0, 1)], body_a=2**40), abut.Error, "body_a: .* 32 bits"),
    (lambda: abut.Model.build("arm6").add_tendon([0.2, 1.7], [1, 1]), TypeError, "joints: .* whole numbers"),
    (lambda: abut.ModeSystem.rows("x"), TypeError, "normal_rows: expected an array of numbers, got 'x'"),
    (lambda: abut.ModeSystem.rows([1.0]), abut.Error, r"normal_rows: expected shape \(contacts, dof\), got shape \(1,\)"),
    (lambda: abut.ModeSystem.named("box:1").visit(5), TypeError, "call: expected a function, got 5"),
    (lambda: abut.Simulation("boxes:2").restore(None), TypeError, "state: expected bytes, got None"),
    (lambda: abut.Simulation("boxes:2").run(1e300), abut.Error, "time: expected at most .* steps of .*, got 1e.300"),
    (lambda: abut.Simulation("boxes:2").set_controller(5), TypeError, "call: expected a function, got 5"),
    (lambda: abut.Model().add_shape(0), abut.Error, "kind: expected the form of the shape"),
    (lambda: abut.sweep(5, []), TypeError, "call: expected a function, got 5"),
    (lambda: abut.sweep(print, [], jobs=-1), abut.Error, "jobs: expected 0 or above, got -1"),
    (lambda: abut.Mesh.make("torus", sizes=(1, 2, 3)), abut.Error, "sizes: expected 2 numbers"),
    (lambda: abut.Mesh.read(3), TypeError, ""),
    (lambda: abut.distance(A, B, threads="many"), TypeError, "threads: expected a whole number, got 'many'"),
    (lambda: abut.distance(A, B, within="near"), TypeError, "within: expected a number"),
    (lambda: abut.depth(A, A, method="guess"), abut.Error, "method: expected one of sweep, classic, got 'guess'"),
    (lambda: abut.closer_than(A, B, -1.0), abut.Error, "d: "),
    (lambda: abut.cast_ray(A, np.zeros((2, 3)), np.zeros((3, 3))), abut.Error, "way: expected 2 rows, as many as of origin, got 3"),
    (lambda: abut.intersect(B, A), abut.Error, "a: expected a polyhedron"),
    (lambda: abut.intersect_regions((np.zeros((2, 9)), [0, 0]), (np.zeros((2, 9)), [0, 0])), abut.Error, "dimensions"),
    (lambda: abut.overlap(A, B).to_mesh(), abut.Error, "'unsupported': .*overlap_volume"),
    (lambda: abut.overlap(A, A, (np.nan, 0, 0)).to_mesh(), abut.Error, "'invalid': the pose is not finite"),
    (lambda: abut.overlap(GROUND, GROUND).to_mesh(), abut.Error, "'unbounded': it has no bounds"),
    (lambda: abut.overlap(A, A, (9, 0, 0)).to_mesh(), abut.Error, "no volume in common"),
    (lambda: TORUS.inside([[0, 0, 0], [np.nan, 0, 0]]), abut.Error, "points: .*not finite"),
    (lambda: TORUS.inside([[0, np.inf, 0]]), abut.Error, "points: .*not finite"),
    (lambda: abut.bounding_sphere([[0, 0, 0], [0, np.nan, 0]]), abut.Error, "points: row 1 is not finite"),
    (lambda: abut.distance(A, B, threads=-1), abut.Error, "threads: expected 0 or above, got -1"),
    (lambda: abut.meet(A, B, threads=-1), abut.Error, "threads: "),
    (lambda: abut.overlap(A, A, np.zeros((2, 3)), threads=-1), abut.Error, "threads: "),
    (lambda: abut.cast_ray(A, (0, 0, 0), (1, 0, 0), threads=-1), abut.Error, "threads: "),
    (lambda: TORUS.inside([[0, 0, 0]], threads=-1), abut.Error, "threads: "),
    (lambda: abut.distance(A, B, within=-1.0), abut.Error, "within: expected 0 or above, got -1"),
    (lambda: abut.distance(A, B, within=np.nan), abut.Error, "within: expected 0 or above, got nan"),
    (lambda: abut.distance(A, B, tolerance=-1.0), abut.Error, "tolerance: "),
    (lambda: abut.distance(A, B, tolerance=np.nan), abut.Error, "tolerance: "),
    (lambda: abut.distance(A, B, max_supports=-1), abut.Error, "max_supports: expected 0 or above, got -1"),
    (lambda: abut.distance(A, B, absolute_error=-1.0), abut.Error, "absolute_error: "),
    (lambda: abut.distance(A, B, relative_error=np.nan), abut.Error, "relative_error: "),
    (lambda: abut.depth(A, A, directions=-1), abut.Error, "directions: "),
    (lambda: abut.cast(A, B, (1, 0, 0), tolerance=-1.0), abut.Error, "tolerance: "),
    (lambda: abut.cast(A, B, (1, 0, 0), tolerance=np.nan, all=True), abut.Error, "tolerance: "),
    (lambda: abut.intersect(abut.regular(6, 1), abut.regular(6, 1), tolerance=-1.0), abut.Error, "tolerance: "),
    (lambda: TORUS.nearest([[0, 0, 0]], within=np.nan), abut.Error, "within: "),
    (lambda: abut.pose((0, 0, 1), angle=0.5), abut.Error, "angle: expected an axis"),
    (lambda: abut.write_png("empty.png", np.zeros((0, 4, 3), np.uint8)), abut.Error, r"image: .*\(0, 4, 3\)"),
    (lambda: abut.Mesh.make("torus\0x"), abut.Error, "name: .*NUL"),
    (lambda: abut.Model.build("boxes:2\0x"), abut.Error, "spec: .*NUL"),
    (lambda: abut.Mesh.read("a\0b"), ValueError, "(?i)nul"),
    (lambda: abut.depth(A, A, method="sweep\0"), abut.Error, "method: .*NUL"),
    (lambda: abut.distance(A, B, np.ma.masked_array(POSE, POSE > 1)), TypeError, "pose: .* without a mask"),
    (lambda: abut.distance(A, B, np.ma.masked_array([POSE])), TypeError, "pose: .* without a mask"),
    (lambda: abut.Mesh(np.zeros((3, 3)), np.ma.masked_array([[0, 1, 2]])), TypeError, "triangles: .* without a mask"),
    (lambda: abut.hull(np.ma.masked_array(np.eye(3))), TypeError, "points: .* without a mask"),
    (lambda: abut.pose((0, 0, 1), axis=(0, 0, 1)), abut.Error, "axis: expected an angle"),
    (lambda: abut.pose((0, 0, 1), axis=(0, 0, 1), angle=np.nan), abut.Error, "angle: expected a finite number, got nan"),
    (lambda: abut.pose_matrix(np.diag([1.0, 1.0, 1.0, 2.0])), abut.Error, "value: .* a matrix that is a rotation"),
    (lambda: abut.overlap(A, A, threads="x"), TypeError, "threads: expected a whole number, got 'x'"),
    (lambda: abut.overlap(A, A, threads=-1), abut.Error, "threads: expected 0 or above, got -1"),
    (lambda: abut.overlap(A, A, by_duality="x"), TypeError, "by_duality: expected True or False, got 'x'"),
    (lambda: abut.overlap(A, A, [POSE], by_duality=None), TypeError, "by_duality: expected True or False, got None"),
    (lambda: abut.collide(A, B, limit="x"), TypeError, "limit: expected a whole number, got 'x'"),
    (lambda: abut.collide(A, TORUS, all=True, threads="x"), TypeError, "threads: expected a whole number, got 'x'"),
    (lambda: abut.collide(A, B, limit=0), abut.Error, "limit: expected at least 1, got 0"),
    (lambda: abut.collide(A, B, all="x"), TypeError, "all: expected True or False, got 'x'"),
    (lambda: abut.cast_ray(A, (0, 0, 0), (1, 0, 0), all=2), TypeError, "all: expected True or False, got 2"),
    (lambda: abut.cast_ray(A, (0, 0, 0), (1, 0, 0), all=True, threads="x"), TypeError, "threads: "),
    (lambda: abut.cast(A, B, (1, 0, 0), all=True, threads=-1), abut.Error, "threads: "),
    (lambda: abut.hull(np.eye(3), solid="x"), TypeError, "solid: expected True or False, got 'x'"),
    (lambda: abut.contact_time(A, B, last="x"), TypeError, "last: expected True or False, got 'x'"),
    (lambda: abut.clearance_pairs([A, B], [None, None], worst="x"), TypeError, "worst: expected True or False"),
    (lambda: abut.soft_direction(abut.SoftBody(TORUS), abut.SoftBody(TORUS), adaptive=[]), TypeError, "adaptive: expected True or False"),
    (lambda: abut.ModeSystem.named("box:1").count(cs="x"), TypeError, "cs: expected True or False, got 'x'"),
    (lambda: abut.PlanProblem(abut.Robot("arm6"), balance="x"), TypeError, "balance: expected True or False, got 'x'"),
    (lambda: abut.Model.build("boxes:2", "x"), TypeError, "seed: expected a whole number .* got 'x'"),
    (lambda: abut.Model.build("boxes:2", -1), abut.Error, "seed: .* got -1"),
    (lambda: abut.Robot("arm6").ik("tool", (0.3, 0.2, 0.5), seed=1.5), TypeError, "seed: expected a whole number .* got 1.5"),
    (lambda: abut.Model.build("\ud800"), abut.Error, "spec: expected a text that can be written as UTF-8"),
    (lambda: abut.ModeSystem.named("box:1").forces("0" * 12, np.zeros(6), friction="x"), TypeError, "friction: .* got 'x'"),
    (lambda: abut.Gap(), TypeError, ""),
    (lambda: abut.Convex(), TypeError, ""),
])
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_errors_tell_file_and_line(tmp_path):
    with pytest.raises(abut.Error) as failed:
        abut.Mesh.read(tmp_path / "nothing.obj")
    assert failed.value.file == str(tmp_path / "nothing.obj") and failed.value.line is None
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 nonsense\nf 1 2 3\n")
    with pytest.raises(abut.Error) as failed:
        abut.Mesh.read(tmp_path / "bad.obj")
    assert failed.value.line == 3 and failed.value.file.endswith("bad.obj")
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


def test_answers_are_read_only_and_outlive_their_bodies():
    def vertices():
        return abut.Mesh.make("torus", 100).vertices, abut.regular(8, 1.0).vertices, abut.distance(A, B, POSE).normal

    for array in vertices():
        before = array.copy()
        junk = [abut.Mesh.make("torus", 100) for _ in range(20)]
        assert np.array_equal(array, before) and junk
        with pytest.raises(ValueError):
            array[0] = 1.0
    overlap = abut.overlap(A, A, (0.5, 0, 0))
    corners = overlap.vertices
    del overlap
    assert np.isclose(corners[:, 0].max(), 0.5)


def test_pickles_and_copies():
    for x in (A, B, abut.regular(12, 1.0), abut.Mesh.make("cup", 100), abut.distance(A, B, POSE), abut.Mesh.make("torus", 100).decompose(0.5),
              abut.collide(A, B), abut.overlap(A, A, (0.5, 0, 0)).to_mesh(), abut.overlap(A, B)):
        for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            assert type(y) is type(x) and repr(y) == repr(x)


def test_what_an_overlap_does_not_know_is_no_number():
    for x in (abut.overlap(A, B), abut.overlap(A, A, (np.nan, 0, 0))):
        assert np.isnan([x.volume, x.area, *x.centroid, *x.normal, *x.area_vector]).all()
    unbounded = abut.overlap(GROUND, GROUND)
    assert unbounded.outcome == "unbounded" and unbounded.volume == np.inf
    assert abut.overlap(A, A, (9, 0, 0)).volume == 0.0
    for b, pose in ((B, POSE), (A, POSE * np.nan), (GROUND, POSE), (A, POSE)):
        one, row = abut.overlap(A, b, pose), abut.overlap(A, b, pose[None])[0]
        assert np.array_equal(one.volume, row["volume"], equal_nan=True)


def test_a_pickled_overlap_has_the_same_bits():
    rng = np.random.default_rng(8)
    for _ in range(50):
        pose = np.r_[rng.uniform(-0.3, 0.3, 3), rng.normal(size=4)]
        for by_duality in (False, True):
            x = abut.overlap(A, abut.regular(12, 0.6), pose, by_duality=by_duality)
            y = pickle.loads(pickle.dumps(x))
            assert y.volume == x.volume > 0.0 and np.array_equal(y.vertices, x.vertices)


def test_equal_answers_are_equal():
    x, y = abut.distance(A, B, POSE), abut.distance(A, B, POSE)
    assert x == y and hash(x) == hash(y) and x == pickle.loads(pickle.dumps(x)) and not x != y
    assert x != abut.distance(A, B, 2 * POSE) and x != abut.collide(A, B) and x != 3
    nothing = [abut.distance(A, B, POSE * np.nan) for _ in range(2)]
    assert nothing[0] == nothing[1] and len({*nothing, x, y}) == 2
    with pytest.raises(TypeError):
        x < y


def test_many_poses_are_reckoned_like_one():
    rng = np.random.default_rng(9)
    a, b, points = rng.normal(size=(20, 7)), rng.normal(size=(20, 7)), rng.normal(size=(20, 3))
    assert np.allclose(abut.pose_matrix(a), [abut.pose_matrix(x) for x in a])
    assert np.allclose(abut.pose_inverse(a), [abut.pose_inverse(x) for x in a])
    assert np.allclose(abut.pose_multiply(a, b), [abut.pose_multiply(x, y) for x, y in zip(a, b)])
    assert np.allclose(abut.pose_multiply(a[0], b), [abut.pose_multiply(a[0], y) for y in b])
    assert np.allclose(abut.pose_apply(a, points), [abut.pose_apply(x, p) for x, p in zip(a, points)])
    product = abut.pose_matrix(abut.pose_multiply(a, b))
    assert np.allclose(product, abut.pose_matrix(a) @ abut.pose_matrix(b))
    for form in (abut.pose_matrix(a), a[:, :3], None):
        assert abut.pose_matrix(form).shape[-2:] == (4, 4)
    assert np.allclose(abut.pose_matrix(abut.pose_matrix(a)), abut.pose_matrix(a))


def test_file_names_of_any_bytes(tmp_path):
    for name in (b"plain.obj", b"odd-\xff\xfe.obj", "\u00fcber.obj".encode()):
        path = os.path.join(os.fsencode(tmp_path), name)
        TORUS.write(path)
        for form in (path, os.fsdecode(path), pathlib.Path(os.fsdecode(path))):
            assert len(abut.Mesh.read(form).triangles) == len(TORUS.triangles)
        assert abut.file_info(path)["file"] == os.fsdecode(path)
        with pytest.raises(abut.Error) as failed:
            abut.Mesh.read(path + b".missing")
        assert failed.value.file == os.fsdecode(path + b".missing")
    with pytest.raises(ValueError, match="(?i)nul"):
        abut.Mesh.read(b"a\0b")


READERS = [
    abut.Mesh.read, abut.Model.read, abut.file_info, abut.Motion.read, abut.Run.read, abut.ModeSystem.read, abut.read_heights,
    abut.read_half_spaces, abut.read_points, abut.Robot("arm6").read_state, lambda path: abut.read_limits(path, abut.Model.build("arm6")),
    lambda path: abut.Trajectory.read(path, abut.Robot("arm6")), lambda path: abut.Controls.read(path, abut.Model.build("arm6")),
]


@pytest.mark.parametrize("read", READERS)
def test_files_that_cannot_be_read(read, tmp_path):
    path = tmp_path / "missing.txt"
    with pytest.raises(abut.Error, match="missing.txt: cannot be opened: No such file") as failed:
        read(path)
    assert (failed.value.status, failed.value.file) == ("file error", str(path))
    with pytest.raises(abut.Error, match="expected file or pipe, got a folder"):
        read(tmp_path)


@pytest.mark.parametrize("read", READERS)
def test_a_number_is_no_file_name(read, tmp_path):
    with open(tmp_path / "open.txt", "w+") as file:
        with pytest.raises(TypeError):
            read(file.fileno())
        assert os.fstat(file.fileno()).st_size == 0


def test_boxes_intersect_with_their_proof():
    x = abut.intersect(A, A, (0.9, 0, 0))
    assert x.outcome == "meet" and (np.abs(x.witness) <= 0.5 + 1e-9).all()
    assert abut.intersect(A, abut.regular(6, 0.5), (3, 0, 0)).outcome == "apart"
