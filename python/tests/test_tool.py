# SPDX-License-Identifier: Apache-2.0
"""The command-line tool and the package give the same answers, bit for bit."""
import numpy as np
import pytest

import abut

#: Words of the tool for how meshes meet.
POSES = ["0.1,0,2", "0.3,0.2,0.6,0.9,0.1,0.3,0.2", "0,0,0.4,1,0,0,0"]


def numbers(pose):
    return [float(x) for x in pose.split(",")]


@pytest.mark.parametrize("pose", POSES)
def test_convex_distance(tool, pose):
    told = tool("distance", "cylinder:0.2,0.3", "box:0.5,0.4,0.3", "--pose-b", pose, "--json")
    x = abut.distance(abut.cylinder(0.2, 0.3), abut.box((0.5, 0.4, 0.3)), numbers(pose))
    assert told["outcome"] == x.outcome and told["distance"] == x.distance and told["gap"] == x.error
    for key in ("normal", "point_a", "point_b"):
        assert np.array_equal(told[key], getattr(x, key))


@pytest.mark.parametrize("pose", POSES)
def test_meshes(tool, tmp_path, pose):
    cup, torus = abut.Mesh.make("cup"), abut.Mesh.make("torus")
    for name, mesh in (("cup", cup), ("torus", torus)):
        mesh.write(str(tmp_path / f"{name}.obj"))
    told = tool("distance", "cup.obj", "torus.obj", "--pose-b", pose, "--json")
    x, d = abut.distance(cup, torus, numbers(pose)), abut.depth(cup, torus, numbers(pose))
    assert told["outcome"] == x.outcome and told["surface_distance"] == x.surface
    assert told["distance"] == (x.distance if x.outcome == "separated" else d.distance)
    met = tool("collide", "cup.obj", "torus.obj", "--all", "--pose-b", pose, "--json", status=0 if abut.meet(cup, torus, numbers(pose)) else 1)
    found, pairs = abut.collide(cup, torus, numbers(pose), all=True)
    assert met["outcome"] == found.outcome and np.array_equal(np.array(met["pairs"]).reshape(-1, 2), pairs)


def test_info_and_volume(tool, tmp_path):
    for name in ("box", "cup"):
        abut.Mesh.make(name).write(str(tmp_path / f"{name}.obj"))
    told, info = tool("info", "cup.obj", "--json"), abut.file_info(tmp_path / "cup.obj")
    for key in ("format", "vertices", "triangles", "closed", "oriented", "components", "degenerate", "volume", "area"):
        assert told[key] == info[key]
    box = abut.Mesh.make("box").hull()
    told = tool("volume", "box.obj", "box.obj", "--pose-b", "0.1,0.05,0", "--json")
    x = abut.overlap(box, box, (0.1, 0.05, 0))
    assert told["volume"] == x.volume and np.array_equal(told["centroid"], x.centroid)
    told = tool("intersect", "box.obj", "box.obj", "--pose-b", "0.1,0.05,0", "--json")
    assert told["meets"] == (abut.intersect(box, box, (0.1, 0.05, 0)).outcome == "meet")
    abut.Mesh.make("torus", 300).write(str(tmp_path / "torus.obj"))
    told = tool("decompose", "torus.obj", "--excess", "0.2", "--json")
    pieces = abut.Mesh.read(tmp_path / "torus.obj").decompose(0.2)
    assert told["pieces"] == len(pieces) and told["excess"] == pieces.excess and told["volume"] == pieces.volume


def test_cast(tool, tmp_path):
    abut.Mesh.make("torus").write(str(tmp_path / "torus.obj"))
    torus = abut.Mesh.read(tmp_path / "torus.obj")
    told = tool("cast", "torus.obj", "--ray", "0.3,0.01,5,0,0,-9", "--json")
    x = abut.cast_ray(torus, (0.3, 0.01, 5), (0, 0, -9))
    assert told["outcome"] == x.outcome and told["t"] == x.t and told["feature"] == x.feature
    told = tool("cast", "torus.obj", "sphere:0.1", "--pose-b", "0,0,3", "--way", "0.3,0,-6", "--json")
    x = abut.cast(torus, (abut.sphere(0.1), (0, 0, 3)), (0.3, 0, -6))
    assert told["outcome"] == x.outcome and told["t"] == x.t and np.array_equal(told["normal"], x.normal)
