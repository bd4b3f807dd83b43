# SPDX-License-Identifier: Apache-2.0
"""Pages and pictures: written, framed, and shown in a notebook."""
import numpy as np
import pytest

import abut
from abut import _abut


def needs_pages():
    if not _abut.page_available():
        pytest.skip("this build has no pages")


def test_pictures_show_something(tmp_path):
    run = abut.Simulation("stack:3").run(0.02)
    things = [run, abut.Simulation("stack:2"), abut.Scene("stack:2"), abut.Model.build("arm6"), abut.Robot("arm6"), abut.Mesh.make("knot", 500),
              abut.regular(20, 1.0), abut.Mesh.make("torus", 300).decompose(0.2), [abut.sphere(0.1), (abut.box((0.1, 0.1, 0.1)), (1, 0, 0))]]
    for x in things:
        image = abut.render(x, size=(80, 60))
        assert image.shape == (60, 80, 3) and image.dtype == np.uint8 and image.std() > 1.0, x
    assert not np.array_equal(abut.render(run, size=(80, 60), forces=True), abut.render(run, size=(80, 60)))
    assert abut.render(run, time=0.005, size=(80, 60), eye=(1, 1, 1)).std() > 1.0
    abut.write_png(tmp_path / "x.png", image)
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(abut.Error, match="image"):
        abut.write_png(tmp_path / "y.png", np.zeros((4, 4)))
    with pytest.raises(abut.Error, match="step"):
        abut.render(run, step=99)
    with pytest.raises(TypeError):
        abut.render(3)


def test_pages(tmp_path, monkeypatch):
    needs_pages()
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    path = abut.show(abut.Simulation("stack:3").run(0.02), tmp_path / "run.html", title="a stack")
    assert opened == [path.as_uri()] and "a stack" in path.read_text(encoding="utf-8")
    for x in (abut.Robot("arm6"), abut.Scene("stack:2"), abut.pair(abut.Mesh.make("cup", 200), abut.sphere(0.1), (0, 0, 1)),
              abut.pair(abut.sphere(0.1), abut.Mesh.make("torus", 200), abut.Motion.keyframes([0, 1], [(0, 0, 1), (0, 0, 2)]))):
        assert abut.show(x, tmp_path / "x.html", open=False).stat().st_size > 10000
    with pytest.raises(TypeError):
        abut.show(3, tmp_path / "no.html")
    with pytest.raises(abut.Error):
        abut.show(abut.Scene("stack:1"), tmp_path / "no" / "such" / "folder.html", open=False)


def test_notebooks_show_runs():
    needs_pages()
    for x in (abut.Simulation("stack:1").run(0.01), abut.Robot("arm6"), abut.pair(abut.sphere(1.0), abut.sphere(1.0), (3, 0, 0))):
        page = x._repr_html_()
        assert page.startswith("<iframe srcdoc=") and "<script" not in page


def test_a_pair_is_rendered_at_its_pose():
    a, b = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25)
    pose = abut.pose((0, 0, 1), axis=(0, 0, 1), angle=0.3)
    want = abut.render([a, (b, pose)], size=(64, 48))
    for form in (pose, abut.pose_matrix(pose)):
        assert np.array_equal(abut.render(abut.pair(a, b, form), size=(64, 48)), want)
