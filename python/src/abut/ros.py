# SPDX-License-Identifier: Apache-2.0
"""Messages of ROS without ROS: trajectories and planning scenes of MoveIt from bags and from message objects.

    for found in abut.ros.read_trajectories("drive.mcap", robot):
        certificate, _ = problem.certify(found.trajectory)

Files of YAML and JSON need nothing of this module: ``Trajectory.read`` and ``PlanningScene.read`` take them. Bags are
MCAP; reading them needs the package ``mcap``, with ``mcap-ros2-support`` (or ``mcap-ros1-support``) for messages of ROS.
"""
from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from . import _abut
from ._abut import Model
from ._arrays import file_name, instance
from ._errors import Error
from .plans import PlanningScene, Trajectory
from .robots import Robot

#: Messages that hold a trajectory, by the last part of their type.
TRAJECTORIES = ("JointTrajectory", "RobotTrajectory", "DisplayTrajectory")


def _plain(value):
    """A message, or a part of one, as dictionaries, lists, numbers and texts."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return list(value) if len(value) != 1 else value[0]
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.generic):
        return _plain(value.item())
    if hasattr(value, "get_fields_and_field_types"):  # of rclpy
        return {name: _plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    names = getattr(type(value), "__slots__", None) or list(getattr(value, "__dict__", ()))
    if names:  # of rospy, and of decoders of bags
        return {name: _plain(getattr(value, name)) for name in names if not name.startswith("_")}
    try:
        return [_plain(part) for part in value]
    except TypeError:
        raise TypeError(f"message: expected a message of ROS, got {value!r}") from None


def _text(message, name: str) -> bytes:
    if isinstance(message, (str, bytes, os.PathLike)):
        raise TypeError(f"message: expected a message of ROS, got {message!r}; {name}.read takes files")
    return json.dumps(_plain(message)).encode()


def trajectory(message, robot: Robot, interpolation: str | None = None) -> Trajectory:
    """From a trajectory_msgs/JointTrajectory, or a message that holds one: an object of rclpy or rospy, or a dictionary.

    interpolation, and joints that it does not name: as of ``Trajectory.read``.
    """
    made, given = _abut.trajectory_parse(_text(message, "Trajectory"), b"message.json", instance(robot, Robot, "robot")._handle,
                                         interpolation)
    return Trajectory(*made, np.frombuffer(given, np.uint8), robot.model)


def planning_scene(message, model: Model) -> PlanningScene:
    """From a moveit_msgs/PlanningScene: an object of rclpy or rospy, or a dictionary."""
    return PlanningScene(_text(message, "PlanningScene"), b"message.json", instance(model, Model, "model"))


@dataclass(frozen=True)
class Message:
    """A message of a bag. time: when it was logged, s; kind: its type, such as 'trajectory_msgs/msg/JointTrajectory';
    content: the decoded message."""

    topic: str
    time: float
    kind: str
    content: object


class _Json:
    """Messages of bags that are JSON."""

    @staticmethod
    def decoder_for(encoding: str, schema):
        return json.loads if encoding == "json" else None


def _decoders() -> list:
    found = [_Json]
    for name in ("mcap_ros2", "mcap_ros1"):
        try:
            found.append(__import__(f"{name}.decoder", fromlist=["DecoderFactory"]).DecoderFactory())
        except ImportError:
            continue
    return found


def _decode(factories: list, encoding: str, schema, data: bytes):
    for factory in factories:
        decoder = factory.decoder_for(encoding, schema)
        if decoder:
            return decoder(data)
    raise Error(f"expected messages that mcap-ros2-support decodes, got {encoding} of {schema.name if schema else 'no type'}")


def read_messages(path: str | os.PathLike, topic: str | None = None, kinds: Sequence[str] = ()) -> Iterator[Message]:
    """The messages of an MCAP bag in the order of their times: of one topic or of all, and of kinds, the last parts of
    their types, or of all."""
    try:
        from mcap.exceptions import McapError
        from mcap.reader import make_reader
    except ImportError:
        raise Error("mcap: expected the Python packages mcap and mcap-ros2-support, got none") from None
    name, factories = os.fsdecode(file_name(path)), _decoders()
    try:
        with open(name, "rb") as file:
            for schema, channel, raw in make_reader(file).iter_messages(topics=None if topic is None else [topic]):
                kind = schema.name if schema else ""
                if kinds and kind.rpartition("/")[2] not in kinds:
                    continue
                content = _decode(factories, channel.message_encoding, schema, raw.data)
                yield Message(channel.topic, 1e-9 * raw.log_time, kind, content)
    except OSError as problem:
        raise Error(f"{name}: cannot be opened: {problem.strerror}", "file error") from None
    except Error as problem:
        raise Error(f"{name}: {problem}") from None
    except (McapError, ValueError, EOFError, struct.error) as problem:
        raise Error(f"{name}: expected a whole MCAP bag: {problem or type(problem).__name__}", "bad format") from None


@dataclass(frozen=True)
class BagTrajectory:
    """A trajectory of a bag: the topic and the time, s, of its message."""

    topic: str
    time: float
    trajectory: Trajectory


def read_trajectories(path: str | os.PathLike, robot: Robot, topic: str | None = None,
                      interpolation: str | None = None) -> list[BagTrajectory]:
    """Every trajectory of an MCAP bag, of one topic or of all, in the order of their times. Messages without points, which
    stop a controller, are left out."""
    made = []
    for message in read_messages(path, topic, TRAJECTORIES):
        content = _plain(message.content)
        if content.get("joint_names") is not None and not content.get("points"):
            continue
        made.append(BagTrajectory(message.topic, message.time, trajectory(content, robot, interpolation)))
    return made
