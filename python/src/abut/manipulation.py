# SPDX-License-Identifier: Apache-2.0
"""Planning through contact: fingers push, pivot, tumble, slide and lift a body that touches its surroundings.

    task = abut.manipulation.Task.build("push")
    plan = task.plan(seed=1)
    plan.found, [motion.mode for motion in plan.motions], plan.execute()["arrives"]
"""
from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Model
from ._errors import Error
from .models import model_of


def task_names() -> list[str]:
    """Names of the built-in tasks, for ``Task.build``."""
    return _abut.manip_names()


class Motion:
    """A motion of a plan, in one contact mode, with the fingers sticking to the object.

    mode: what each contact with the surroundings does at its start: '0' sticks, 's' slides, '+' separates. poses (k, 7):
    of the object, after each step. fingers: rows of ``Plan.points`` that the fingers stick to. moved: the fingers that go
    to their points before the motion, in order. falls: after its first pose the fingers let go, and the object falls to rest.
    """

    def __init__(self, mode: str, poses: NDArray[np.float64], fingers: list[int], moved: list[int], falls: bool):
        self.mode, self.poses, self.fingers, self.moved, self.falls = mode, poses, fingers, moved, falls

    def __repr__(self) -> str:
        return f"<abut.manipulation.Motion: {self.mode or 'free'}, {len(self.poses)} steps>"


class Plan:
    """What ``Task.plan`` found.

    found: it reaches the goal. motions: of the plan, none unless found. points (n, 6): where fingers may touch the object, and the
    normal into it, frame of the object. attempts, states, modes: of the search. left: the nearest distance to the goal of
    any state, m, angles times the size of the object. out_of_time: ``seconds`` ended the search.
    """

    def __init__(self, handle):
        self._handle = handle
        (self.found, self.attempts, self.states, self.modes, self.left, self.out_of_time, motions, poses,
         self.points) = _abut.manip_content(handle)
        self.motions = [Motion(mode, poses[first:first + count], *rest) for mode, first, count, *rest in motions]

    def check(self) -> tuple[int, int]:
        """Places of the plan whose balance was tested, and those where no forces balance the weight: by contacts of grown bodies
        and sectors of friction without margins, another path than the search takes."""
        return _abut.manip_check(self._handle)

    def execute(self, *, friction: float = 1.0, mass: float = 1.0) -> dict:
        """Carries the plan out in a simulation with fingers on springs.

        friction of the surroundings and mass of the object are factors, to test how robust the plan is. The answer has
        arrives (within twice the tolerances of the goal), distance and angle from the goal at the end, off_distance and off_angle from
        the plan at the end, most_distance and most_angle from the plan at any time, motion (the first in which the object leaves its plan; -1: none) and time, s.
        """
        return _abut.manip_execute(self._handle, friction, mass)

    def __repr__(self) -> str:
        return f"<abut.manipulation.Plan: {f'{len(self.motions)} motions' if self.found else 'not found'}>"


class Task:
    """One body to be moved to a goal pose by a few fingers.

    ``Task(model, goal)``: a model, a file or the name of a built-in one, of static bodies and one dynamic body of convex shapes.
    object: its number or name; by default the only dynamic body. The fields are attributes: goal (7,), goal_distance,
    goal_angle, low, high (3,): places of the center of mass to try; axis (3,), angle_low, angle_high: turns to try; fingers (1 to
    3), finger_radius, force, force_least (0: a sixth of force), finger_friction, finger_low, finger_high: where centers of fingers may be; forbidden (n, 3): outward
    normals of faces that fingers must not touch; step: of a motion, m; falls: 1 to let the object be pushed over and fall to rest.
    """

    def __init__(self, model: Model | str | os.PathLike, goal: ArrayLike, *, object: int | str | None = None, **fields):
        self.model = model_of(model)
        names = [body["name"] for body in self.model.bodies]
        if object is None:
            moving = [i for i, body in enumerate(self.model.bodies) if body["kind"] == "dynamic"]
            if len(moving) != 1:
                raise Error(f"object: expected one dynamic body in the model, or its name, got {len(moving)}")
            object = moving[0]
        elif isinstance(object, str):
            if object not in names:
                raise Error(f"object: expected a body of the model, got '{object}'")
            object = names.index(object)
        self._take(_abut.manip_fields(self.model, object, goal))
        for name, value in fields.items():
            setattr(self, name, value)

    def _take(self, fields: dict) -> None:
        self.__dict__["_names"] = tuple(fields)
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value) -> None:
        if "_names" in self.__dict__ and name not in self._names:
            raise Error(f"{name}: expected a field of a task ({', '.join(self._names)})")
        self.__dict__[name] = value

    @staticmethod
    def build(name: str) -> Task:
        """A built-in task; ``task_names()`` lists them."""
        task = Task.__new__(Task)
        task.__dict__["model"], fields = _abut.manip_build(name)
        task._take(fields)
        return task

    def plan(self, *, seed: int = 1, attempts: int = 0, seconds: float = 0.0, shortcuts: int = 0, jam_test: bool = True) -> Plan:
        """Searches a plan. Equal tasks and seeds give equal plans, unless ``seconds`` ends the search.

        attempts: of the search at most; 0: 20000. shortcuts: attempts to join motions; 0: 200, negative: none.
        jam_test=False allows motions that the surroundings may hold up. Ctrl-C ends the search.
        """
        fields = {name: self.__dict__[name] for name in self._names}
        if len(fields["forbidden"]) == 0:
            del fields["forbidden"]
        return Plan(_abut.manip_plan(self.model, fields, seed, attempts, seconds, shortcuts, jam_test))

    def __repr__(self) -> str:
        return f"<abut.manipulation.Task: {self.fingers} fingers>"
