# SPDX-License-Identifier: Apache-2.0
"""MuJoCo and abut: contacts of abut in MuJoCo, distances of geoms, and an ``mjModel`` as a ``Model``.

Models and data are those of the package mujoco, 3 or 4; it is imported where its own functions are needed.
"""
from __future__ import annotations

import os
import warnings
import weakref
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Mesh, Model
from ._arrays import give_methods
from ._errors import Error, Warning
from .bodies import box, capsule, cylinder, ellipsoid, half_space, hull, sphere
from .poses import pose_matrix
from .queries import signed_distance

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
_FORMS = {PLANE: "half_space", SPHERE: "sphere", CAPSULE: "capsule", ELLIPSOID: "ellipsoid", CYLINDER: "cylinder", BOX: "box",
          MESH: "polyhedron"}
_CLASSES = 32


# ---- contacts of abut in MuJoCo ------------------------------------------------------------------------------------

_attached: dict[int, tuple] = {}


def _library(path: str | os.PathLike | None):
    """The built adapter, with the type of its settings."""
    import ctypes

    class Def(ctypes.Structure):
        _fields_ = [("points", ctypes.c_int), ("hulls", ctypes.c_int), ("pieces", ctypes.c_int), ("excess", ctypes.c_double)]

    where = path or os.environ.get("ABUT_MUJOCO_LIBRARY")
    if not where:
        raise Error("library: expected the path of libabut_mujoco.so, or ABUT_MUJOCO_LIBRARY in the environment, got neither; "
                    "docs/howto/adapters/mujoco.md has the line that builds it")
    import mujoco  # loads MuJoCo's own library, whose functions the adapter calls

    for name in os.listdir(os.path.dirname(mujoco.__file__)):
        if name.startswith("libmujoco."):
            ctypes.CDLL(os.path.join(os.path.dirname(mujoco.__file__), name), ctypes.RTLD_GLOBAL)
    try:
        library = ctypes.CDLL(os.fspath(where))
        library.abut_mujoco_attach.argtypes = [ctypes.c_void_p, ctypes.POINTER(Def), ctypes.c_char_p, ctypes.c_int]
        library.abut_mujoco_detach.argtypes = [ctypes.c_void_p]
        library.abut_mujoco_detach.restype = None
        library.abut_mujoco_version.restype = ctypes.c_int
    except (OSError, AttributeError) as why:
        raise Error(f"library: expected libabut_mujoco.so, got {os.fspath(where)!r}: {why}") from None
    if library.abut_mujoco_version() != mujoco.mj_version():
        raise Error(f"library: expected one built with the headers of MuJoCo {mujoco.mj_version()}, got one of "
                    f"{library.abut_mujoco_version()}")
    return library, Def


def attach(model: Any, points: int = 0, *, hulls: bool = False, pieces: int = 0, excess: float = 0.0,
           library: str | os.PathLike | None = None) -> None:
    """From now on the contacts of an ``mjModel`` are those of abut, until ``detach`` or the model is gone.

    points: of a pair of convex bodies, 1 .. 8 (0: 8). hulls: meshes count as their hulls, as in MuJoCo. pieces: most
    convex pieces of a mesh (0: 32). excess: volume that they may have too much, as a part (0: 0.02). library: the built
    adapter; ABUT_MUJOCO_LIBRARY by default. Not while a thread steps.
    """
    import ctypes

    found, settings = _library(library)
    error, address = ctypes.create_string_buffer(300), model._address
    if not found.abut_mujoco_attach(address, settings(points, hulls, pieces, excess), error, len(error)):
        raise Error(error.value.decode())
    _drop(address)
    _attached[address] = (found, weakref.finalize(model, _drop, address))


def _drop(address: int) -> None:
    found = _attached.pop(address, None)
    if found:
        found[1].detach()
        found[0].abut_mujoco_detach(address)


def detach(model: Any) -> None:
    """An ``mjModel`` has MuJoCo's contacts again; one that is not attached is left alone."""
    _drop(model._address)


# ---- geoms ---------------------------------------------------------------------------------------------------------

def _name(model: Any, kind: str, number: int) -> str:
    start = int(getattr(model, f"name_{kind}adr")[number])
    return bytes(model.names[start:model.names.index(b"\0", start)]).decode(errors="replace")


def _pose(position: ArrayLike, quaternion: ArrayLike) -> NDArray[np.float64]:
    q = np.asarray(quaternion, float)
    return np.concatenate([position, q / np.linalg.norm(q)])


def _mesh(model: Any, number: int) -> Mesh:
    first, face = int(model.mesh_vertadr[number]), int(model.mesh_faceadr[number])
    return Mesh(np.array(model.mesh_vert[first:first + model.mesh_vertnum[number]], float),
                np.array(model.mesh_face[face:face + model.mesh_facenum[number]]))


def _field(model: Any, number: int) -> tuple[NDArray, float, float, float]:
    """(heights (rows, columns), half_x, half_y, bottom)."""
    start, rows, columns = (int(getattr(model, f"hfield_{x}")[number]) for x in ("adr", "nrow", "ncol"))
    x, y, z, base = model.hfield_size[number]
    return model.hfield_data[start:start + rows * columns].reshape(rows, columns) * float(z), float(x), float(y), -float(base)


def _solid(model: Any, geom: int) -> Convex | Mesh:
    """A geom in its own frame."""
    kind, size, data = int(model.geom_type[geom]), model.geom_size[geom], int(model.geom_dataid[geom])
    if kind == MESH:
        mesh = _mesh(model, data)
        report, around = mesh.report(), hull(mesh.vertices)
        return mesh if report.closed and report.volume < (1.0 - 1e-5) * around.volume else around  # vertices are single precision
    if kind == HFIELD:
        return Mesh.height_field(*_field(model, data))
    make = {PLANE: half_space, SPHERE: lambda: sphere(size[0]), CAPSULE: lambda: capsule(size[0], size[1]),
            ELLIPSOID: lambda: ellipsoid(size), CYLINDER: lambda: cylinder(size[0], size[1]), BOX: lambda: box(size)}.get(kind)
    if make is None:
        raise Error(f"geom: expected a primitive, a mesh or a height field, got number {geom}, of type {kind}")
    return make()


_solids: dict[int, tuple[weakref.ref, dict]] = {}


def _kept_solid(model: Any, geom: int) -> Convex | Mesh:
    """Made once for each geom of a model, and again after its size changes."""
    key = id(model)
    if key not in _solids:
        _solids[key] = (weakref.ref(model, lambda _: _solids.pop(key, None)), {})
    made, size = _solids[key][1], (int(model.geom_type[geom]), int(model.geom_dataid[geom]), *model.geom_size[geom].tolist())
    if made.get(geom, (None,))[0] != size:
        made[geom] = size, _solid(model, geom)
    return made[geom][1]


def geom_distance(model: Any, data: Any, geom1: int, geom2: int, distmax: float, fromto: NDArray | None = None) -> float:
    """What ``mj_geomDistance`` answers: the signed distance of two geoms, m, at most distmax.

    Negative is the depth. fromto (6,) is filled with the points on geom1 and geom2, world axes; zeros where they are
    farther apart than distmax. Closed meshes are taken as they are, not as their hulls.
    """
    for name, geom in (("geom1", geom1), ("geom2", geom2)):
        if not 0 <= geom < model.ngeom:
            raise Error(f"{name}: expected a number from 0 to {model.ngeom - 1}, got {geom}")
    matrices = np.zeros((2, 4, 4))
    for matrix, geom in zip(matrices, (geom1, geom2)):
        matrix[:3, :3], matrix[:3, 3], matrix[3, 3] = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom], 1.0
    poses = [_abut.pose_numbers(matrix, "geom") for matrix in matrices]
    gap = signed_distance(_kept_solid(model, geom1), _kept_solid(model, geom2), _abut.pose_between(*poses), distmax)
    far = gap is None or gap.distance > distmax
    if fromto is not None:
        fromto[:] = 0.0 if far else (matrices[0][:3, :3] @ np.stack([gap.point_a, gap.point_b]).T + matrices[0][:3, 3:]).T.ravel()
    return distmax if far else float(gap.distance)


# ---- an mjModel as a Model -----------------------------------------------------------------------------------------

_MATTER = {"constraint", "equality", "frictionloss", "limit", "passive", "spring", "damper", "clampctrl", "actuation", "filterparent"}


def _disabled(flags: int) -> set[str]:
    import mujoco
    return {name.removeprefix("mjDSBL_").lower() for name, bit in mujoco.mjtDisableBit.__members__.items() if name != "mjNDISABLE" and flags & int(bit)}


class _Reader:
    """Makes a Model of the arrays of an mjModel; ``body`` and so on are the numbers that things have in it, -1: none."""

    def __init__(self, source: Any):
        self.m, self.model = source, Model()
        self.ignored: dict[str, int] = {}
        self.model.name = bytes(source.names[:source.names.index(b"\0")]).decode(errors="replace")
        self.off = _disabled(source.opt.disableflags)
        for flag in sorted(self.off & _MATTER):
            self.ignore(f"the flag that disables '{flag}'")
        self.model.set(gravity=np.zeros(3) if "gravity" in self.off else source.opt.gravity, magnetic=source.opt.magnetic, timestep=source.opt.timestep)
        self.meshes = {}
        self.bodies()
        self.geoms()
        self.pairs()
        self.frames()
        self.tendons()
        self.actuators()
        self.equalities()
        self.sensors()
        self.keyframes()
        for what, count in self.ignored.items():
            warnings.warn(f"{what} are ignored ({count})", Warning, stacklevel=4)

    def ignore(self, what: str, count: int = 1) -> None:
        if count:
            self.ignored[what] = self.ignored.get(what, 0) + int(count)

    def bodies(self) -> None:
        m = self.m
        self.ignore("flexes", m.nflex)
        self.ignore("forces of the medium", m.opt.density > 0.0 or m.opt.viscosity > 0.0)
        self.body, self.joint, self.free = np.full(m.nbody, -1), np.full(m.njnt, -1), {}
        for i in range(m.nbody):
            joints = range(int(m.body_jntadr[i]), int(m.body_jntadr[i] + m.body_jntnum[i])) if m.body_jntnum[i] else ()
            free, top = any(m.jnt_type[j] == 0 for j in joints), m.body_parentid[i] == 0
            if i == 0 and not m.body_geomnum[0]:
                continue
            kind = "static" if i == 0 else "link" if not top or (joints and not free) else "dynamic" if free else \
                "kinematic" if m.body_mocapid[i] >= 0 else "static"
            fields = {"mass": m.body_mass[i], "center": m.body_ipos[i], "inertia": self.inertia(i),
                      "gravity_compensation": m.body_gravcomp[i]}
            if free:
                dof = int(m.jnt_dofadr[joints[0]])
                fields |= {"joint_name": _name(m, "jnt", joints[0]), "damping": m.dof_damping[dof], "armature": m.dof_armature[dof],
                           "friction_loss": m.dof_frictionloss[dof]}
            parent = {"parent": int(self.body[m.body_parentid[i]]) if not top else -1} if kind == "link" else {}
            self.body[i] = self.model.add_body(_name(m, "body", i) or f"body{i}", kind, pose=_pose(m.body_pos[i], m.body_quat[i]),
                                               **parent, **fields)
            for j in joints:
                if free:
                    self.free[j] = int(self.body[i])
                else:
                    self.joint[j] = self.add_joint(i, j)

    def inertia(self, body: int) -> NDArray[np.float64]:
        turn = pose_matrix(_pose(np.zeros(3), self.m.body_iquat[body]))[:3, :3]
        return turn @ np.diag(self.m.body_inertia[body]) @ turn.T

    def add_joint(self, body: int, j: int) -> int:
        m, q, v = self.m, int(self.m.jnt_qposadr[j]), int(self.m.jnt_dofadr[j])
        kind = {1: "ball", 2: "slide", 3: "hinge"}[int(m.jnt_type[j])]
        for name in ("jnt_stiffnesspoly", "dof_dampingpoly"):
            rows = np.atleast_2d(getattr(m, name, np.zeros((1, 1))))
            self.ignore("polynomials of stiffness and damping", np.any(rows[min(j if "jnt" in name else v, len(rows) - 1)]))
        place = {} if kind == "ball" else {"reference": m.qpos0[q], "spring_reference": m.qpos_spring[q]}
        return self.model.add_joint(
            int(self.body[body]), kind, name=_name(m, "jnt", j), position=m.jnt_pos[j], axis=m.jnt_axis[j], limited=bool(m.jnt_limited[j]),
            range=m.jnt_range[j], stiffness=m.jnt_stiffness[j], damping=m.dof_damping[v], armature=m.dof_armature[v],
            friction_loss=m.dof_frictionloss[v], force_limited=bool(m.jnt_actfrclimited[j]), force_range=m.jnt_actfrcrange[j],
            lifted=bool(m.jnt_actgravcomp[j]), **place)

    def geoms(self) -> None:
        """Geoms that meet the same others share a category."""
        m = self.m
        on = "contact" not in self.off
        kinds = [(int(t), int(a)) if on else (0, 0) for t, a in zip(m.geom_contype, m.geom_conaffinity)]
        classes = sorted({kind for kind in kinds if any(kind)})
        if len(classes) > _CLASSES:
            raise Error(f"geoms: expected at most {_CLASSES} different sets by contype and conaffinity, got {len(classes)}")
        mask = {a: sum(1 << i for i, b in enumerate(classes) if a[0] & b[1] or b[0] & a[1]) for a in classes}
        in_pair = set(m.pair_geom1.tolist()) | set(m.pair_geom2.tolist()) if on else set()
        self.geom = np.full(m.ngeom, -1)
        for g in range(m.ngeom):
            kind, touches = kinds[g], any(kinds[g]) or g in in_pair
            fields = {"category": 1 << classes.index(kind), "mask": mask[kind]} if any(kind) else {"category": 0, "mask": 0}
            self.geom[g] = self.add_geom(g, touches, fields)

    def add_geom(self, g: int, touches: bool, fields: dict) -> int:
        m, kind, dim = self.m, int(self.m.geom_type[g]), int(self.m.geom_condim[g])
        size, slide = m.geom_size[g], m.geom_friction[g]
        body, moves = int(self.body[m.geom_bodyid[g]]), m.body_weldid[m.geom_bodyid[g]] != 0
        if kind == SDF or kind not in (*_FORMS, HFIELD):
            self.ignore("geoms of type sdf and others without a form")
            return -1
        if kind == PLANE and (moves or not touches):
            self.ignore("planes that move or are only drawn")
            return -1
        color = m.mat_rgba[m.geom_matid[g]] if m.geom_matid[g] >= 0 and (m.geom_rgba[g] == (0.5, 0.5, 0.5, 1.0)).all() else m.geom_rgba[g]
        fields |= {"friction": slide[0] if dim > 1 else 0.0, "friction_spinning": slide[1] if dim > 3 else 0.0,
                   "friction_rolling": slide[2] if dim > 4 else 0.0, "priority": int(m.geom_priority[g]), "visual": not touches,
                   "color": _color(color), "name": _name(m, "geom", g), "pose": _pose(m.geom_pos[g], m.geom_quat[g])}
        if moves and not m.body_mass[m.geom_bodyid[g]] > 0.0:
            fields["density"] = 0.0
        form: Any = None
        if kind == MESH:
            form = self.mesh(int(m.geom_dataid[g]), touches)
            if form is None:
                return -1
        elif kind == HFIELD:
            form = _field(m, int(m.geom_dataid[g]))
        elif kind in (CAPSULE, CYLINDER):
            fields["size"] = (size[0], size[0], size[1])
        elif kind != PLANE:
            fields["size"] = size
        fields["kind"] = "height_field" if kind == HFIELD else _FORMS[kind]
        return _abut.model_add_shape(self.model, {"body": body, **fields}, form)

    def mesh(self, number: int, touches: bool) -> tuple | Convex | None:
        """The hull of a mesh, and the mesh where it is closed or only drawn."""
        if number not in self.meshes:
            self.meshes[number] = _mesh(self.m, number)
        mesh = self.meshes[number]
        try:
            around = hull(mesh.vertices, solid=True)
        except Error:
            self.ignore("flat meshes")
            return None
        report = mesh.report()
        return (around, mesh) if report.closed or not touches else around

    def pairs(self) -> None:
        m = self.m
        for signature in m.exclude_signature.tolist():
            a, b = (int(self.body[x]) for x in (signature >> 16, signature & 0xffff))
            if a >= 0 and b >= 0:
                self.model.add_pair(a, b, exclude=True)
        for i in range(m.npair):
            a, b = int(self.geom[m.pair_geom1[i]]), int(self.geom[m.pair_geom2[i]])
            slide, _, spin, roll, _ = m.pair_friction[i]
            dim = int(m.pair_dim[i])
            if a >= 0 and b >= 0 and "contact" not in self.off:
                self.model.add_pair(a, b, friction=slide if dim > 1 else 0.0, friction_kinetic=slide if dim > 1 else 0.0,
                                    friction_spinning=spin if dim > 3 else 0.0, friction_rolling=roll if dim > 4 else 0.0)

    def frames(self) -> None:
        m = self.m
        self.site = [self.model.add_frame(_name(m, "site", i), int(self.body[m.site_bodyid[i]]) if m.site_bodyid[i] else -1,
                                          _pose(m.site_pos[i], m.site_quat[i])) for i in range(m.nsite)]

    def tendons(self) -> None:
        m = self.m
        self.tendon = np.full(m.ntendon, -1)
        for i in range(m.ntendon):
            rows = slice(int(m.tendon_adr[i]), int(m.tendon_adr[i] + m.tendon_num[i]))
            fixed = (m.wrap_type[rows] == 1).all()
            along = ({"joints": self.joint[m.wrap_objid[rows]], "coefficients": m.wrap_prm[rows]} if fixed else
                     {"path": [self.path_point(*row) for row in zip(m.wrap_type[rows], m.wrap_objid[rows], m.wrap_prm[rows])]})
            self.tendon[i] = self.model.add_tendon(
                **along, name=_name(m, "tendon", i), limited=bool(m.tendon_limited[i]), range=m.tendon_range[i], stiffness=m.tendon_stiffness[i],
                damping=m.tendon_damping[i], friction_loss=m.tendon_frictionloss[i], rest=m.tendon_lengthspring[i])

    def path_point(self, kind: int, number: int, value: float) -> dict:
        """A part of a path: 2 is a pulley, 3 a site, 4 a sphere, 5 a cylinder, whose value is a site beside them."""
        m = self.m
        if kind == 2:
            return {"kind": "pulley", "divisor": float(value)}
        if kind == 3:
            body, pos, quat = m.site_bodyid[number], m.site_pos[number], m.site_quat[number]
            return {"body": int(self.body[body]) if body else -1, "pose": _pose(pos, quat)}
        body, site = m.geom_bodyid[number], round(value)
        point = {"kind": "sphere" if kind == 4 else "cylinder", "body": int(self.body[body]) if body else -1,
                 "pose": _pose(m.geom_pos[number], m.geom_quat[number]), "radius": float(m.geom_size[number, 0])}
        if site >= 0:
            beside = m.site_bodyid[site]
            point |= {"sided": True, "side_body": int(self.body[beside]) if beside else -1, "side": m.site_pos[site]}
        return point

    def target(self, i: int) -> tuple[int, str]:
        """Number and kind of what an actuator drives; a number below 0: nothing that a model has."""
        m = self.m
        kind, (first, second) = int(m.actuator_trntype[i]), m.actuator_trnid[i].tolist()
        if kind in (0, 1) and first in self.free:
            return (self.free[first], "body") if kind == 0 else (-1, "joint")
        if kind == 1 and m.jnt_type[first] == 1:
            return -1, "joint"
        return {0: lambda: (int(self.joint[first]), "joint"), 1: lambda: (int(self.joint[first]), "joint"),
                3: lambda: (int(self.tendon[first]), "tendon"), 4: lambda: (self.site[first] if second < 0 else -1, "frame"),
                5: lambda: (int(self.body[first]), "contacts")}.get(kind, lambda: (-1, "joint"))()

    def actuators(self) -> None:
        m = self.m
        self.actuator = np.full(m.nu, -1)
        for i in range(m.nu):
            number, target = self.target(i)
            dyn, gain, bias = (int(x[i]) for x in (m.actuator_dyntype, m.actuator_gaintype, m.actuator_biastype))
            muscle = gain == 2 and bias in (0, 2)
            if number < 0 or dyn > 4 or not (muscle or (gain < 2 and bias < 2)) or m.nout != m.nu:
                self.ignore("actuators of a kind that is not supported")
                continue
            fields = {"gear": m.actuator_gear[i], "gain": 1.0 if muscle else m.actuator_gainprm[i, 0]}
            fields |= {"bias": m.actuator_biasprm[i, :3]} if bias == 1 else {}
            fields |= {"gain_by": m.actuator_gainprm[i, 1:3]} if gain == 1 else {}
            if dyn:
                fields |= {"dynamics": ("none", "integrator", "filter", "filterexact", "muscle")[dyn], "time": m.actuator_dynprm[i, :3],
                           "activation_limited": bool(m.actuator_actlimited[i]), "activation_range": m.actuator_actrange[i],
                           "activation_early": bool(m.actuator_actearly[i])}
            if muscle:
                numbers = np.array(m.actuator_gainprm[i, :9])
                numbers[7] = numbers[7] if bias else 0.0
                fields |= {"muscle": True, "muscle_numbers": numbers, "length_range": m.actuator_lengthrange[i], "response": m.actuator_acc0[i]}
            self.actuator[i] = self.model.add_actuator(
                number, target, name=_name(m, "actuator", i), control_limited=bool(m.actuator_ctrllimited[i]), control_range=m.actuator_ctrlrange[i],
                force_limited=bool(m.actuator_forcelimited[i]), force_range=m.actuator_forcerange[i], **fields)

    def equalities(self) -> None:
        m = self.m
        for i in range(m.neq):
            kind, data = int(m.eq_type[i]), m.eq_data[i]
            a, b = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
            given = {"name": _name(m, "eq", i), "inactive": not m.eq_active0[i]}
            if kind == 2:
                self.model.add_equality("joint", int(self.joint[a]), int(self.joint[b]) if b >= 0 else -1, polynomial=data[:5], **given)
            elif kind < 2:
                sites = int(m.eq_objtype[i]) == 6
                poses = [_pose(m.site_pos[x], m.site_quat[x]) if sites else np.array([0, 0, 0, 1.0, 0, 0, 0]) for x in (a, b)]
                one, other = (int(m.site_bodyid[x]) if sites else x for x in (a, b))
                if not sites and kind == 0:
                    poses[0][:3], poses[1][:3] = data[:3], data[3:6]
                elif not sites:
                    poses = [_pose(data[3:6], data[6:10]), _pose(data[:3], (1.0, 0, 0, 0))]
                self.model.add_equality(("connect", "weld")[kind], *(int(self.body[x]) if x else -1 for x in (one, other)),
                                        pose_a=poses[0], pose_b=poses[1], **given)
            else:
                self.ignore("equalities of other kinds than joint, connect and weld")

    def place(self, kind: int, number: int) -> tuple[int, NDArray]:
        """Body and pose of the frame of an object of a sensor: mjOBJ_BODY, XBODY, GEOM, SITE."""
        m, none = self.m, np.array([0, 0, 0, 1.0, 0, 0, 0])
        owner = {1: number, 2: number, 5: m.geom_bodyid[number % max(m.ngeom, 1)], 6: m.site_bodyid[number % max(m.nsite, 1)]}[kind]
        pose = {1: lambda: _pose(m.body_ipos[number], m.body_iquat[number]), 2: lambda: none,
                5: lambda: _pose(m.geom_pos[number], m.geom_quat[number]), 6: lambda: _pose(m.site_pos[number], m.site_quat[number])}[kind]()
        return (int(self.body[owner]) if owner else -1), pose

    def sensors(self) -> None:
        m = self.m
        for i in range(m.nsensor):
            word = _sensor_word(m.sensor_type[i])
            kind, number = int(m.sensor_objtype[i]), int(m.sensor_objid[i])
            fields: dict = {"name": _name(m, "sensor", i), "cutoff": m.sensor_cutoff[i]}
            try:
                if word == "contact":
                    fields |= self.contact_sides(i)
                elif word.startswith("subtree"):
                    fields["number"] = int(self.body[number]) if number else -1
                elif kind in (3, 18, 19):
                    fields["number"] = int({3: self.joint, 18: self.tendon, 19: self.actuator}[kind][number])
                elif kind in (1, 2, 5, 6):
                    fields["body"], fields["pose"] = self.place(kind, number)
                if word != "contact" and int(m.sensor_reftype[i]) in (1, 2, 5, 6) and int(m.sensor_refid[i]) >= 0:
                    body, pose = self.place(int(m.sensor_reftype[i]), int(m.sensor_refid[i]))
                    fields |= {"has_reference": True, "reference_body": body, "reference_pose": pose}
                if word == "touch" or (word == "contact" and kind == 6):
                    size = m.site_size[number]
                    zone = int(m.site_type[number])
                    fields |= {"zone": _FORMS[zone], "zone_size": (size[0], size[0], size[1]) if zone in (CAPSULE, CYLINDER) else size}
                self.model.add_sensor(word, **fields)
            except (Error, KeyError, TypeError, OverflowError):
                self.ignore("sensors of a kind that is not supported")

    def contact_sides(self, i: int) -> dict:
        """Sides, data, order and rows of a sensor of contacts."""
        m, out = self.m, {}
        for side, kind, number in (("first", m.sensor_objtype[i], m.sensor_objid[i]), ("second", m.sensor_reftype[i], m.sensor_refid[i])):
            if kind == 6:
                out["body"], out["pose"] = self.place(6, int(number))
            elif kind in (1, 2, 5):
                if kind == 5 and self.geom[number] < 0:
                    raise KeyError("a geom without a shape")
                out |= {side + "_kind": {1: "body", 2: "subtree", 5: "shape"}[int(kind)],
                        side: int(self.geom[number]) if kind == 5 else int(self.body[number]) if number else -1}
        data, reduce, rows = (int(x) for x in m.sensor_intprm[i][:3])
        if data > 127:
            raise KeyError("velocities of contacts")
        return out | {"data": data, "reduce": ("none", "mindist", "maxforce", "netforce")[reduce], "rows": rows}

    def keyframes(self) -> None:
        m = self.m
        kept = [i for i in range(m.nu) if self.actuator[i] >= 0]
        active = [i for i in range(m.nu) if m.actuator_actnum[i]] if m.na else []
        acts = [k for k, i in enumerate(active) if self.actuator[i] >= 0]
        for i in range(m.nkey):
            act = m.key_act[i][acts] if m.na and len(active) == m.na else ()
            self.model.add_keyframe(_name(m, "key", i), m.key_qpos[i], m.key_qvel[i], m.key_ctrl[i][kept] if kept else (), act, time=float(m.key_time[i]))


def _color(rgba: ArrayLike) -> int:
    red, green, blue = (int(255 * min(max(float(c), 0.0), 1.0) + 0.5) for c in rgba[:3])
    return (red << 16 | green << 8 | blue) or 0x010101


def _sensor_word(kind: int) -> str:
    import mujoco
    word = mujoco.mjtSensor(int(kind)).name.removeprefix("mjSENS_").lower()
    return {"jointactfrc": "jointactuatorfrc", "tendonactfrc": "tendonactuatorfrc"}.get(word, word)


def from_mujoco(model: Any) -> Model:
    """The Model of an ``mjModel``, with what was changed in it since it was compiled. Bodies, joints, meshes, actuators,
    sensors, keyframes and so on keep their names and order. Parts without a structure in Model raise an ``abut.Warning``."""
    return _Reader(model).model


give_methods(Model, from_mujoco=staticmethod(from_mujoco))
