# SPDX-License-Identifier: Apache-2.0
"""Models as MJCF, with their meshes and height fields inside: ``Model.to_mjcf()``."""
from __future__ import annotations

import os
import warnings
from typing import Any
from xml.etree import ElementTree

import numpy as np

from . import _abut
from ._abut import Mesh, Model
from ._arrays import give_methods, write_text
from ._errors import Error, Warning
from .poses import pose_apply

_TYPES = {"half_space": "plane", "sphere": "sphere", "capsule": "capsule", "ellipsoid": "ellipsoid", "cylinder": "cylinder", "box": "box",
          "polyhedron": "mesh", "cone": "mesh", "height_field": "hfield"}
_SIZES = {"sphere": (0,), "capsule": (0, 2), "cylinder": (0, 2), "ellipsoid": (0, 1, 2), "box": (0, 1, 2)}
_ONE = {"bodies": "body", "shapes": "shape", "joints": "joint", "frames": "frame", "tendons": "tendon", "actuators": "actuator"}
_CLASSES = 31  # MuJoCo's sets of bits have a sign


# Attributes that MJCF has by itself.
_USUAL = {"body": {"pos": "0 0 0", "quat": "1 0 0 0"}, "site": {"pos": "0 0 0", "quat": "1 0 0 0"},
          "joint": {"pos": "0 0 0", "limited": "false", "range": "0 0", "stiffness": "0", "damping": "0", "armature": "0", "frictionloss": "0",
                    "actuatorfrclimited": "false", "actuatorfrcrange": "0 0", "actuatorgravcomp": "false", "ref": "0", "springref": "0"},
          "geom": {"pos": "0 0 0", "quat": "1 0 0 0", "density": "1000", "priority": "0", "contype": "1", "conaffinity": "1", "condim": "3", "group": "0"},
          "fixed": {"limited": "false", "range": "0 0", "stiffness": "0", "damping": "0", "frictionloss": "0"},
          "general": {"ctrllimited": "false", "ctrlrange": "0 0", "forcelimited": "false", "forcerange": "0 0", "actlimited": "false",
                      "actrange": "0 0", "actearly": "false", "gear": "1 0 0 0 0 0", "gaintype": "fixed", "gainprm": "1 0 0", "biastype": "none", "biasprm": "0 0 0"},
          "connect": {"active": "true"}, "weld": {"active": "true"}, "key": {"time": "0"}}


_LIMITS = (("limited", "range"), ("actuatorfrclimited", "actuatorfrcrange"), ("ctrllimited", "ctrlrange"), ("forcelimited", "forcerange"),
           ("actlimited", "actrange"))


def _number(value: float) -> str:
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return " ".join(_number(x) for x in np.ravel(value))


class _Writer:
    """The elements of one model. Names that MJCF needs and the model has not are made up."""

    def __init__(self, model: Model):
        self.model, self.left_out = model, {}
        self.root = ElementTree.Element("mujoco", model=model.name or "model")
        options = model.options
        self.add(self.root, "compiler", angle="radian", autolimits=False, alignfree=False)
        self.add(self.root, "option", gravity=options["gravity"], magnetic=options["magnetic"],
                 **({"timestep": options["timestep"]} if options["timestep"] > 0.0 else {}))
        self.assets, self.world = self.add(self.root, "asset"), self.add(self.root, "worldbody")
        self.names = {kind: self.all_names(kind, getattr(model, kind)) for kind in _ONE}
        self.free = self.all_names("free", [{"name": b["joint_name"]} for b in model.bodies], set(self.names["joints"]))
        self.filters()
        self.elements: dict[int, ElementTree.Element] = {}
        for i in range(len(model.bodies)):
            self.body(i)
        for shape in range(len(model.shapes)):
            self.shape(shape)
        for i, frame in enumerate(model.frames):
            self.add(self.elements.get(frame["body"], self.world), "site", name=self.names["frames"][i], **self.place(frame["pose"]))
        self.sections()
        for what, count in self.left_out.items():
            warnings.warn(f"{what} are not written ({count})", Warning, stacklevel=4)

    def add(self, parent: ElementTree.Element, tag: str, **attributes: Any) -> ElementTree.Element:
        for limited, range_ in _LIMITS:
            if attributes.get(limited) is False:
                attributes.pop(range_, None)
        texts, usual = {key: _text(value) for key, value in attributes.items()}, _USUAL.get(tag, {})
        return ElementTree.SubElement(parent, tag, {key: text for key, text in texts.items() if usual.get(key) != text})

    def leave_out(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1

    @staticmethod
    def all_names(kind: str, things: list[dict], taken: set[str] | None = None) -> list[str]:
        given = [thing["name"] for thing in things]
        taken, out = set(taken or ()) | set(given), []
        for i, name in enumerate(given):
            made = name or f"{_ONE.get(kind, kind)}{i}"
            while (not name and made in taken) or made in out:
                made += "_"
            out.append(made)
        return out

    @staticmethod
    def place(pose: Any) -> dict:
        return {"pos": pose[:3], "quat": pose[3:]}

    # ---- bodies

    def filters(self) -> None:
        """MJCF asks either shape, a model both: shapes that meet the same others share a bit."""
        kinds = [(s["category"], s["mask"]) for s in self.model.shapes]
        classes = sorted(set(kinds))
        if len(classes) == 1 and classes[0][0] & classes[0][1]:
            self.filter = {classes[0]: (1, 1)}
            return
        if len(classes) > _CLASSES:
            raise Error(f"shapes: expected at most {_CLASSES} different pairs of category and mask, got {len(classes)}")
        self.filter = {a: (1 << i, sum(1 << k for k, b in enumerate(classes) if a[0] & b[1] and b[0] & a[1])) for i, a in enumerate(classes)}

    def body(self, i: int) -> None:
        body = self.model.bodies[i]
        if body["kind"] == "static" and body["name"] == "world" and not np.any(body["pose"] - (0, 0, 0, 1, 0, 0, 0)):
            self.elements[i] = self.world
            return
        parent = self.elements[body["parent"]] if body["parent"] >= 0 else self.world
        name = self.names["bodies"][i] if self.names["bodies"][i] != "world" else "world_"
        e = self.elements[i] = self.add(parent, "body", name=name, **self.place(body["pose"]))
        if body["gravity_compensation"]:
            e.set("gravcomp", _text(body["gravity_compensation"]))
        if body["kind"] == "kinematic":
            e.set("mocap", "true")
        if body["mass"] > 0.0 and body["kind"] in ("dynamic", "link"):
            moment = np.asarray(body["inertia"])
            self.add(e, "inertial", pos=body["center"], mass=body["mass"],
                     fullinertia=[moment[0, 0], moment[1, 1], moment[2, 2], moment[0, 1], moment[0, 2], moment[1, 2]])
        if body["kind"] == "dynamic":
            self.add(e, "joint", name=self.free[i], type="free", damping=body["damping"], armature=body["armature"],
                     frictionloss=body["friction_loss"], limited=False)
        for j in self.model.joints_of(i):
            self.joint(e, j)

    def joint(self, parent: ElementTree.Element, j: int) -> None:
        joint = self.model.joints[j]
        place = {} if joint["kind"] == "ball" else {"axis": joint["axis"], "ref": joint["reference"], "springref": joint["spring_reference"]}
        self.add(parent, "joint", name=self.names["joints"][j], type=joint["kind"], pos=joint["position"], limited=bool(joint["limited"]),
                 range=joint["range"], stiffness=joint["stiffness"], damping=joint["damping"], armature=joint["armature"],
                 frictionloss=joint["friction_loss"], actuatorfrclimited=bool(joint["force_limited"]), actuatorfrcrange=joint["force_range"],
                 actuatorgravcomp=bool(joint["lifted"]), **place)

    # ---- shapes

    def shape(self, i: int) -> None:
        shape = self.model.shapes[i]
        if shape["sensor"]:
            self.leave_out("sensor shapes")
            return
        name, kind = self.names["shapes"][i], shape["kind"]
        condim = 6 if shape["friction_rolling"] else 4 if shape["friction_spinning"] else 3 if shape["friction"] else 1
        contype, conaffinity = (0, 0) if shape["visual"] else self.filter[shape["category"], shape["mask"]]
        color = [shape["color"] >> shift & 255 for shift in (16, 8, 0)] if shape["color"] else (128, 128, 128)
        pose = np.array(shape["pose"])
        if kind == "capsule" and shape["size"][2] == 0.0:
            kind = "sphere"
        form: dict = {"size": [shape["size"][k] for k in _SIZES[kind]]} if kind in _SIZES else {}
        if kind == "half_space":
            form = {"size": (0.0, 0.0, 1.0)}
        elif kind == "height_field":
            pose[:3] = pose_apply(pose, (0.0, 0.0, self.field(i, name)))
            form = {"hfield": name}
        elif kind in ("polyhedron", "cone"):
            form = {"mesh": self.mesh(i, name)}
        for field, what in (("restitution", "restitutions"), ("margin", "margins")):
            if shape[field]:
                self.leave_out(what)
        if np.any(shape["surface_velocity"]):
            self.leave_out("velocities of surfaces")
        self.add(self.elements[shape["body"]], "geom", name=name, type=_TYPES[kind], **form, **self.place(pose), density=0.0 if shape["visual"] else shape["density"],
                 friction=(shape["friction"], shape["friction_spinning"], shape["friction_rolling"]), condim=condim, priority=shape["priority"],
                 contype=contype, conaffinity=conaffinity, rgba=[*(c / 255 for c in color), 1.0], group=2 if shape["visual"] else 0)

    def mesh(self, i: int, name: str) -> str:
        mesh = _abut.model_shape_mesh(self.model, i)
        mesh = self.model.shape_body(i).to_mesh() if mesh is None else mesh
        self.add(self.assets, "mesh", name=name, vertex=_text_of_places(mesh), face=_text_of_integers(mesh), inertia="exact" if mesh.report().closed else "convex")
        return name

    def field(self, i: int, name: str) -> float:
        """Adds a height field, whose lowest place is 0 in MJCF; returns how high that is."""
        heights, x, y, bottom = self.model.shape_field(i)
        low, high = float(heights.min()), float(heights.max())
        self.add(self.assets, "hfield", name=name, nrow=heights.shape[0], ncol=heights.shape[1], elevation=heights[::-1] - low,
                 size=(x, y, max(high - low, 1e-9), low - bottom))
        return low

    # ---- the rest

    def sections(self) -> None:
        model = self.model
        contact, equality, tendon, actuator, sensor, keyframe = (ElementTree.Element(x) for x in (
            "contact", "equality", "tendon", "actuator", "sensor", "keyframe"))
        for pair in model.pairs:
            self.pair(contact, pair)
        for item in model.equalities:
            self.equality(equality, item)
        for i, item in enumerate(model.tendons):
            e = self.add(tendon, "spatial" if item["path"] else "fixed", name=self.names["tendons"][i], limited=bool(item["limited"]), range=item["range"], stiffness=item["stiffness"],
                         damping=item["damping"], frictionloss=item["friction_loss"], springlength=item["rest"])
            for joint, coefficient in zip(item["joints"], item["coefficients"]):
                self.add(e, "joint", joint=self.names["joints"][joint], coef=coefficient)
            for k, point in enumerate(item["path"]):
                self.path_point(e, f"{self.names['tendons'][i]}_{k}", point)
        for i in range(len(model.actuators)):
            self.actuator(actuator, i)
        for item in model.sensors:
            self.sensor(sensor, item)
        for item in model.keyframes:
            lists = {"qpos": item["positions"], "qvel": item["velocities"], "ctrl": item["controls"], "act": item["activations"]}
            self.add(keyframe, "key", time=item["time"], **({"name": item["name"]} if item["name"] else {}),
                     **{key: value for key, value in lists.items() if len(value)})
        for _ in model.elements:
            self.leave_out("elements that were kept from a file")
        self.root.extend(section for section in (contact, equality, tendon, actuator, sensor, keyframe) if len(section))

    def path_point(self, parent: ElementTree.Element, name: str, point: dict) -> None:
        if point["kind"] == "pulley":
            self.add(parent, "pulley", divisor=point["divisor"])
            return
        if point["kind"] == "site":
            self.add(parent, "site", site=self.site(point["body"], name, **self.place(point["pose"])))
            return
        while name in self.names["shapes"]:
            name += "_"
        self.add(self.elements.get(point["body"], self.world), "geom", name=name, type=point["kind"], size=(point["radius"], 0.01),
                 contype=0, conaffinity=0, mass=0, group=4, **self.place(point["pose"]))
        side = {"sidesite": self.site(point["side_body"], name + "_side", pos=point["side"])} if point["sided"] else {}
        self.add(parent, "geom", geom=name, **side)

    def site(self, body: int, name: str, **place) -> str:
        """A site with a name of its own."""
        while name in self.names["frames"]:
            name += "_"
        self.add(self.elements.get(body, self.world), "site", name=name, **place)
        return name

    def pair(self, parent: ElementTree.Element, pair: dict) -> None:
        if pair["exclude"]:
            if self.world not in (self.elements[pair["a"]], self.elements[pair["b"]]):
                self.add(parent, "exclude", body1=self.elements[pair["a"]].get("name"), body2=self.elements[pair["b"]].get("name"))
            return
        names = [self.names["shapes"][pair[x]] for x in "ab"]
        law = {}
        if pair["friction"] >= 0.0:
            spin, roll = max(pair["friction_spinning"], 0.0), max(pair["friction_rolling"], 0.0)
            law = {"friction": (pair["friction"], pair["friction"], spin, roll, roll), "condim": 6 if roll else 4 if spin else 3 if pair["friction"] else 1}
        self.add(parent, "pair", geom1=names[0], geom2=names[1], **law)

    def equality(self, parent: ElementTree.Element, item: dict) -> None:
        given = {"active": not item["inactive"], **({"name": item["name"]} if item["name"] else {})}
        if item["kind"] == "joint":
            joints = self.names["joints"]
            self.add(parent, "joint", joint1=joints[item["a"]], polycoef=item["polynomial"], **given,
                     **({"joint2": joints[item["b"]]} if item["b"] >= 0 else {}))
            return
        sites = []
        for body, pose in ((item["a"], item["pose_a"]), (item["b"], item["pose_b"])):
            sites.append(self.site(body, f"equality{len(parent)}_{'ab'[len(sites)]}", **self.place(pose)))
        self.add(parent, item["kind"], site1=sites[0], site2=sites[1], **given)

    def actuator(self, parent: ElementTree.Element, i: int) -> None:
        a = self.model.actuators[i]
        kind, number = a["target"], a["number"]
        where = {"joint": lambda: {"joint": self.names["joints"][number]}, "body": lambda: {"joint": self.free[number]},
                 "tendon": lambda: {"tendon": self.names["tendons"][number]}, "frame": lambda: {"site": self.names["frames"][number]},
                 "contacts": lambda: {"body": self.elements[number].get("name")}}[kind]()
        law = {"gaintype": "muscle", "biastype": "muscle", "gainprm": a["muscle_numbers"], "biasprm": a["muscle_numbers"],
               "lengthrange": a["length_range"]} if a["muscle"] else {
                   "gaintype": "affine" if np.any(a["gain_by"]) else "fixed", "biastype": "affine" if np.any(a["bias"]) else "none",
                   "gainprm": (a["gain"], *a["gain_by"]), "biasprm": a["bias"]}
        if a["dynamics"] != "none":
            law |= {"dyntype": a["dynamics"], "dynprm": a["time"], "actlimited": bool(a["activation_limited"]), "actrange": a["activation_range"],
                    "actearly": bool(a["activation_early"])}
        self.add(parent, "general", name=self.names["actuators"][i], **where, gear=a["gear"], ctrllimited=bool(a["control_limited"]),
                 ctrlrange=a["control_range"], forcelimited=bool(a["force_limited"]), forcerange=a["force_range"], **law)

    def sensor(self, parent: ElementTree.Element, s: dict) -> None:
        kind, number, given = s["kind"], s["number"], {"cutoff": s["cutoff"], **({"name": s["name"]} if s["name"] else {})}
        if kind.startswith(("joint", "ball")):
            given["joint"] = self.names["joints"][number]
        elif kind.startswith("tendon"):
            given["tendon"] = self.names["tendons"][number]
        elif kind.startswith("actuator"):
            given["actuator"] = self.names["actuators"][number]
        elif kind.startswith("subtree"):
            given["body"] = self.elements[number].get("name") if number >= 0 and self.elements[number] is not self.world else "world"
        elif kind == "contact":
            given |= self.contact_sides(s)
        elif kind not in ("clock", "e_potential", "e_kinetic"):
            site = self.sensor_site(s["body"], s["pose"], s if kind == "touch" else None)
            given |= {"objtype": "site", "objname": site} if kind.startswith("frame") else {"site": site}
            if s["has_reference"]:
                given |= {"reftype": "site", "refname": self.sensor_site(s["reference_body"], s["reference_pose"], None)}
        self.add(parent, kind, **given)

    def contact_sides(self, s: dict) -> dict:
        words = [word for bit, word in enumerate(("found", "force", "torque", "dist", "pos", "normal", "tangent")) if s["data"] >> bit & 1]
        out = {"data": " ".join(words), "reduce": s["reduce"], "num": s["rows"]}
        for side, digit in (("first", "1"), ("second", "2")):
            kind, number = s[side + "_kind"], s[side]
            if kind == "shape":
                out["geom" + digit] = self.names["shapes"][number]
            elif kind != "any":
                out[kind + digit] = self.elements[number].get("name") if number >= 0 and self.elements[number] is not self.world else "world"
        if s["zone_size"][0] > 0.0:
            out["site"] = self.sensor_site(s["body"], s["pose"], s)
        return out

    def sensor_site(self, body: int, pose: Any, zone: dict | None) -> str:
        parent = self.elements.get(body, self.world)
        name = f"sensor{sum(1 for _ in self.root.iter('site'))}"
        while name in self.names["frames"]:
            name += "_"
        form = {} if zone is None else {"type": zone["zone"], "size": [zone["zone_size"][k] for k in _SIZES[zone["zone"]]]}
        self.add(parent, "site", name=name, **self.place(pose), **form)
        return name


def _text_of_places(mesh: Mesh) -> str:
    """Few digits where single precision is enough, as MuJoCo keeps no more."""
    vertices = np.asarray(mesh.vertices).ravel()
    single = vertices.astype(np.float32)
    return " ".join(map(str, single)) if (single == vertices).all() else _text(vertices)


def _text_of_integers(mesh: Mesh) -> str:
    return " ".join(map(str, np.asarray(mesh.triangles).ravel().tolist()))


def to_mjcf(self: Model, path: str | os.PathLike | None = None) -> str:
    """The model as the text of an MJCF file that needs no other file; written to ``path`` too, if given.

    What MJCF has no words for, as restitution and velocities of surfaces, raises an ``abut.Warning``.
    """
    root = _Writer(self).root
    if not len(root.find("asset")):
        root.remove(root.find("asset"))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode") + "\n"
    if path is not None:
        write_text(path, text)
    return text


give_methods(Model, to_mjcf=to_mjcf)
