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


@pytest.mark.parametrize("settings, error, text", [
    (dict(time=np.nan), abut.Error, "time: expected a finite number, got nan"),
    (dict(time=np.inf), abut.Error, "time: expected a finite number, got inf"),
    (dict(time="x"), TypeError, "time: .* got 'x'"),
    (dict(eye=(1, 2, 3), target=(1, 2, 3)), abut.Error, r"eye: expected a place other than the target, got \[1.0, 2.0, 3.0\]"),
    (dict(eye=(0, 0, 0)), abut.Error, "eye: expected a place other than the target"),
    (dict(eye=(np.nan, 0, 0)), abut.Error, "eye: expected finite numbers, got"),
    (dict(eye=(1, 0, 0), target=(np.inf, 0, 0)), abut.Error, "target: expected finite numbers, got"),
    (dict(eye=(1, 0)), abut.Error, r"eye: expected shape \(3,\), got shape \(2,\)"),
    (dict(size=(0, 5)), abut.Error, "0"),
    (dict(size="ab"), TypeError, "size: .* got 'ab'"),
    (dict(size=(80.5, 60)), TypeError, "size: expected a whole number, got 80.5"),
    (dict(size=(80,)), abut.Error, r"size: expected shape \(2,\)"),
    (dict(forces="x"), TypeError, "forces: expected True or False, got 'x'"),
    (dict(background="x"), TypeError, "background: expected a whole number .* got 'x'"),
])
def test_refused_pictures(settings, error, text):
    with pytest.raises(error, match=text):
        abut.render(abut.Simulation("stack:1").run(0.002), **{"size": (16, 12), **settings})


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
    assert abut.ModeSystem.named("box:1")._repr_html_().startswith("<iframe srcdoc=")
    assert abut.ModeSystem.rows([[1.0, 0.0, 0.0]])._repr_html_().startswith("&lt;abut.ModeSystem")


def test_a_pair_is_rendered_at_its_pose():
    a, b = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25)
    pose = abut.pose((0, 0, 1), axis=(0, 0, 1), angle=0.3)
    want = abut.render([a, (b, pose)], size=(64, 48))
    for form in (pose, abut.pose_matrix(pose)):
        assert np.array_equal(abut.render(abut.pair(a, b, form), size=(64, 48)), want)


def test_pages_of_plans_overlaps_and_modes(tmp_path):
    needs_pages()
    robot = abut.Robot("arm6")
    table = abut.Model()
    table.add_shape(table.add_body("block", "static", pose=(0.6, 0, 0.2)), "box", (0.1, 0.1, 0.1))
    plan = abut.PlanProblem(robot, table).solve(np.zeros(6), [0.3, -0.2, 0.2, 0, 0, 0], attempts=1)
    page = abut.show(plan, tmp_path / "plan.html", open=False).read_text(encoding="utf-8")
    assert plan.status in page and "block" in page
    a = abut.box((0.1, 0.1, 0.1))
    for b in (abut.regular(8, 0.2), abut.half_space((0, 1, 1), 0.02)):
        assert abut.show(abut.overlap(a, b, (0.05, 0, 0)), tmp_path / "overlap.html", open=False).stat().st_size > 10000
    system = abut.ModeSystem.contacts_at([(0, 0, 0), (1, 0, 0)], [(0, 0, 1), (0, 0, 1)], lines=2)
    assert abut.show(system, tmp_path / "modes.html", open=False).stat().st_size > 10000
    bodies = abut.Model()
    bodies.add_shape(bodies.add_body("bar", "static"), "box", (0.5, 0.1, 0.1))
    view = abut.mode_view(system, bodies, wrench=(0, 0, -10, 0, 5, 0))
    assert abut.show(view, tmp_path / "view.html", open=False).stat().st_size > 10000
    assert view._repr_html_().startswith("<iframe")
    with pytest.raises(abut.Error, match="model: expected 1 bodies"):
        abut.mode_view(system, abut.Model())
    with pytest.raises(abut.Error, match="made of rows"):
        abut.show(abut.ModeSystem.rows(np.eye(3)), tmp_path / "no.html", open=False)


def test_films_and_plots(tmp_path):
    run = abut.Simulation("stack:2").run(0.1)
    abut.write_gif(tmp_path / "run.gif", run, size=(80, 60))
    assert (tmp_path / "run.gif").read_bytes().startswith(b"GIF89a")
    frames = [abut.render(run, step=i, size=(40, 30), whole=True) for i in (0, 50)]
    abut.write_gif(tmp_path / "two.gif", frames, delay=0.1)
    with pytest.raises(abut.Error, match="frames: expected at least one"):
        abut.write_gif(tmp_path / "none.gif", [])
    with pytest.raises(abut.Error, match="another size"):
        abut.write_gif(tmp_path / "none.gif", [frames[0], frames[0][:10]])
    assert not (tmp_path / "none.gif").exists()
    x = np.linspace(0, 1, 20)
    abut.write_plot(tmp_path / "p.svg", {"square": (x, x * x), "root": (x, np.sqrt(x))}, title="two lines", markers=True)
    text = (tmp_path / "p.svg").read_text()
    assert text.startswith("<svg") or "<svg" in text and "two lines" in text and "square" in text
    abut.write_plot(tmp_path / "p.svg", {"square": (x, x * x)}, title=None, x_label=None, y_label=None)
    assert "None" not in (tmp_path / "p.svg").read_text()
    with pytest.raises(abut.Error, match="square: expected x and y of one shape"):
        abut.write_plot(tmp_path / "q.svg", {"square": (x, x[:3])})
    with pytest.raises(TypeError, match="there is no 'titel'; did you mean 'title'"):
        abut.write_plot(tmp_path / "q.svg", {"square": (x, x)}, titel="x")


def test_the_page_of_a_plan_is_that_of_the_tool(tool, tmp_path):
    needs_pages()
    tool("plan", "arm6", "--goal", "shoulder=1", "--html", "tool.html")
    robot = abut.Robot("arm6")
    goal = np.zeros(6)
    goal[robot.model.find("joint", "shoulder")] = 1.0
    plan = abut.PlanProblem(robot).solve(np.zeros(6), goal)
    own = abut.show(plan, tmp_path / "own.html", title="arm6", open=False)
    assert own.read_bytes() == (tmp_path / "tool.html").read_bytes()


def test_times_of_stages_are_charted_on_request(tmp_path):
    needs_pages()
    run = abut.Simulation("stack:1").run(0.01)
    for stages in (False, True):
        page = abut.show(run, tmp_path / "run.html", open=False, stages=stages).read_text(encoding="utf-8")
        assert ("Time per stage" in page) == stages
