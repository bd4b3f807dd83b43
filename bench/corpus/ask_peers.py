# SPDX-License-Identifier: Apache-2.0
"""Asks other libraries the cases of tests/corpus and prints who is right.

Usage: ask_peers.py ABUT [--csv FILE] [NAME...]
ABUT is the command-line tool; NAMEs choose cases. Peers: coal, python-fcl, MuJoCo (distances, rays, worlds) and trimesh (rays, meshes); one that is not
installed is left out, and the first line says so. A peer is right where every condition holds that its answer speaks of, wrong where one does not or where it
crashes, raises or gives no answer, and has no mark where it does not offer the question. Distances may be off by 1e-5 m or a thousandth, places in a world by
2 mm; depths of soft contacts do not count.
"""
import csv
import importlib
import json
import math
import multiprocessing
import os
import shlex
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 20  # seconds for an answer
CORPUS = os.path.join(HERE, "..", "..", "tests", "corpus")


class NotOffered(Exception):
    """The peer does not offer this question."""


# ---- the cases ---------------------------------------------------------------------------------------------------------


def read_cases(names):
    with open(os.path.join(CORPUS, "cases.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [row for row in rows if not names or row[0] in names]


def rotation(axis, angle):
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def pose(text):
    """Rotation matrix and position of a pose in words."""
    if text is None:
        return np.eye(3), np.zeros(3)
    kind, _, numbers = text.rpartition(":")
    values = [float(x) for x in numbers.split(",")]
    turn = rotation(values[3:6], values[6]) if kind == "axis" else np.eye(3)
    return turn, np.array(values[:3])


def read_obj(name):
    vertices, faces = [], []
    with open(os.path.join(CORPUS, name), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "v":
                vertices.append([float(x) for x in words[1:4]])
            elif words and words[0] == "f":
                faces.append([int(x) - 1 for x in words[1:4]])
    return np.array(vertices), np.array(faces)


def is_convex(name):
    return name in ("octahedron.obj", "cube.obj", "corner.obj", "roof.obj")


class Question:
    """A command of the tool taken apart: verb, bodies in words, options."""

    def __init__(self, command):
        words = shlex.split(command)
        self.verb, self.bodies, self.option = words[0], [], {}
        flags = {"--json", "--final", "--convex"}
        i = 1
        while i < len(words):
            if words[i] in flags or not words[i].startswith("--"):
                if words[i] not in flags:
                    self.bodies.append(words[i])
                i += 1
            else:
                self.option[words[i]] = words[i + 1]
                i += 2

    def pose(self, which):
        return pose(self.option.get("--pose-" + which))

    def numbers(self, option):
        return np.array([float(x) for x in self.option[option].split(",")])


def value_at(answer, path):
    """Value at a path such as normal.0; None where the answer does not speak of it."""
    for key in path.split("."):
        if isinstance(answer, dict) and key in answer:
            answer = answer[key]
        elif isinstance(answer, (list, tuple, np.ndarray)) and key.isdigit():
            answer = answer[int(key)]
        elif isinstance(answer, list):
            answer = next((x for x in answer if x.get("name") == key), None)
        else:
            return None
    return answer


def holds(condition, answer, slack):
    """1, 0, or None where the answer does not speak of it. `slack`: other libraries are not blamed for digits."""
    words = condition.split()
    if words[0] == "status":
        return None
    value = value_at(answer, words[0])
    if value is None:
        return None
    if words[1] == "is":
        if words[2] == "unit":
            return int(abs(np.linalg.norm(value) - 1) < 1e-6)
        return int(str(value).lower() == words[2])
    wanted = float(words[2])
    if words[1] == "=":
        return int(abs(value - wanted) <= max(float(words[4]), slack, 1e-3 * abs(wanted)))
    return int(value < wanted if words[1] == "<" else value > wanted)


# ---- peers -------------------------------------------------------------------------------------------------------------


def gap(distance, normal=None, point_a=None, point_b=None):
    answer = {"distance": distance, "outcome": "separated" if distance > 0 else "penetrating"}
    for key, value in (("normal", normal), ("point_a", point_a), ("point_b", point_b)):
        if value is not None:
            answer[key] = [float(x) for x in value]
    return answer


class Coal:
    name = "coal"

    def __init__(self):
        self.coal = importlib.import_module("coal")

    def shape(self, word):
        c = self.coal
        if word.endswith(".obj"):
            vertices, faces = read_obj(word)
            if is_convex(word):
                points = c.StdVec_Vec3s()
                for v in vertices:
                    points.append(v)
                return c.Convex.convexHull(points, True, None)
            model = c.BVHModelOBBRSS()
            model.beginModel(len(faces), len(vertices))
            model.addVertices(vertices)
            triangles = c.StdVec_Triangle()
            for f in faces:
                triangles.append(c.Triangle(int(f[0]), int(f[1]), int(f[2])))
            model.addTriangles(np.array(faces, dtype=np.int64))
            model.endModel()
            return model
        kind, _, rest = word.partition(":")
        n = [float(x) for x in rest.split(",")]
        makers = {"sphere": lambda: c.Sphere(n[0]), "capsule": lambda: c.Capsule(n[0], 2 * n[1]), "cylinder": lambda: c.Cylinder(n[0], 2 * n[1]),
                  "cone": lambda: c.Cone(n[0], 2 * n[1]), "box": lambda: c.Box(2 * n[0], 2 * n[1], 2 * n[2]),
                  "ellipsoid": lambda: c.Ellipsoid(*n), "half-space": lambda: c.Halfspace(np.array(n[:3]), n[3])}
        return makers[kind]()

    def answer(self, q):
        c = self.coal
        if q.verb not in ("distance", "collide"):
            raise NotOffered
        a, b = (self.shape(w) for w in q.bodies)
        ta, tb = (c.Transform3s(*q.pose(w)) for w in "ab")
        if q.verb == "collide":
            return {"collide": c.collide(a, ta, b, tb, c.CollisionRequest(), c.CollisionResult()) > 0}
        result = c.DistanceResult()
        distance = c.distance(a, ta, b, tb, c.DistanceRequest(True, True), result)
        return gap(distance, result.normal, result.getNearestPoint1(), result.getNearestPoint2())


class Fcl:
    name = "python-fcl"

    def __init__(self):
        self.fcl = importlib.import_module("fcl")

    def shape(self, word):
        f = self.fcl
        if word.endswith(".obj"):
            vertices, faces = read_obj(word)
            if is_convex(word):
                flat = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1).flatten()
                return f.Convex(vertices, len(faces), flat)
            model = f.BVHModel()
            model.beginModel(len(vertices), len(faces))
            model.addSubModel(vertices, faces)
            model.endModel()
            return model
        kind, _, rest = word.partition(":")
        n = [float(x) for x in rest.split(",")]
        makers = {"sphere": lambda: f.Sphere(n[0]), "capsule": lambda: f.Capsule(n[0], 2 * n[1]), "cylinder": lambda: f.Cylinder(n[0], 2 * n[1]),
                  "cone": lambda: f.Cone(n[0], 2 * n[1]), "box": lambda: f.Box(2 * n[0], 2 * n[1], 2 * n[2]),
                  "ellipsoid": lambda: f.Ellipsoid(*n), "half-space": lambda: f.Halfspace(np.array(n[:3]), n[3])}
        return makers[kind]()

    def answer(self, q):
        f = self.fcl
        if q.verb not in ("distance", "collide"):
            raise NotOffered
        a, b = (f.CollisionObject(self.shape(word), f.Transform(*q.pose(w))) for word, w in zip(q.bodies, "ab"))
        if q.verb == "collide":
            return {"collide": f.collide(a, b, f.CollisionRequest(), f.CollisionResult()) > 0}
        result = f.DistanceResult()
        distance = f.distance(a, b, f.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True), result)
        return gap(distance, None, *result.nearest_points)


class MuJoCo:
    name = "MuJoCo"

    def __init__(self):
        self.mujoco = importlib.import_module("mujoco")

    def geom(self, word, turn, place, assets):
        kind, _, rest = word.partition(":")
        quat = np.zeros(4)
        self.mujoco.mju_mat2Quat(quat, turn.flatten())
        where = 'pos="%s" quat="%s"' % (" ".join("%.17g" % x for x in place), " ".join("%.17g" % x for x in quat))
        if word.endswith(".obj"):
            if not is_convex(word):
                raise NotOffered  # a mesh is its hull here
            name = word.removesuffix(".obj")
            if name not in assets:
                vertices, _ = read_obj(word)
                assets[name] = '<mesh name="%s" inertia="shell" vertex="%s"/>' % (name, " ".join("%.17g" % x for x in vertices.flatten()))
            return '<geom type="mesh" mesh="%s" %s/>' % (name, where)
        n = [float(x) for x in rest.split(",")]
        if kind == "half-space" and n == [0, 0, 1, 0]:
            return '<geom type="plane" size="5 5 1"/>'
        if kind not in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
            raise NotOffered
        return '<geom type="%s" size="%s" %s/>' % (kind, " ".join("%.17g" % x for x in n), where)

    def load(self, words, poses):
        assets = {}
        geoms = [self.geom(w, *p, assets) for w, p in zip(words, poses)]
        xml = "<mujoco><asset>%s</asset><worldbody><body>%s</body><body><freejoint/><geom size='1e-3' mass='1' pos='1e3 0 0'/>%s</body></worldbody></mujoco>"
        model = self.mujoco.MjModel.from_xml_string(xml % ("".join(assets.values()), geoms[0], "".join(geoms[1:])))
        data = self.mujoco.MjData(model)
        self.mujoco.mj_forward(model, data)
        return model, data

    def distance(self, q):
        model, data = self.load(q.bodies, [q.pose("a"), q.pose("b")])
        ends = np.zeros(6)
        distance = self.mujoco.mj_geomDistance(model, data, 0, 2, 1e3, ends)
        along = (ends[3:] - ends[:3]) * (1 if distance > 0 else -1)
        length = np.linalg.norm(along)
        return gap(distance, along / length if length > 0 else None, ends[:3], ends[3:])

    def ray(self, q):
        if len(q.bodies) != 1:
            raise NotOffered
        model, data = self.load(q.bodies, [q.pose("a")])
        ray, hit = q.numbers("--ray"), np.zeros(1, np.int32)
        length = np.linalg.norm(ray[3:])
        at = self.mujoco.mj_ray(model, data, ray[:3], ray[3:] / length, None, 1, -1, hit)
        return {"outcome": "hit" if 0 <= at <= length else "none", "t": at / length}

    def world(self, q):
        mj = self.mujoco
        model = mj.MjModel.from_xml_path(os.path.join(CORPUS, q.bodies[0]))
        data = mj.MjData(model)
        key = q.option.get("--keyframe")
        if key:
            mj.mj_resetDataKeyframe(model, data, mj.mj_name2id(model, mj.mjtObj.mjOBJ_KEY, key))
        while data.time < float(q.option["--time"]) - 1e-9:
            mj.mj_step(model, data)
        mj.mj_forward(model, data)
        final = []
        for i in range(model.nbody):
            velocity = np.zeros(6)
            mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_BODY, i, velocity, 0)
            final.append({"name": model.body(i).name, "position": list(data.xpos[i]), "orientation": list(data.xquat[i]),
                          "velocity": list(velocity[3:]), "spin": list(velocity[:3])})
        return {"final": final}  # contacts are soft by design: depth is not asked for

    def answer(self, q):
        kinds = {"distance": self.distance, "cast": self.ray, "simulate": self.world}
        if q.verb not in kinds or (q.verb == "cast" and "--ray" not in q.option):
            raise NotOffered
        return kinds[q.verb](q)


class Trimesh:
    name = "trimesh"

    def __init__(self):
        self.trimesh = importlib.import_module("trimesh")

    def answer(self, q):
        if q.verb != "cast" or "--ray" not in q.option or not q.bodies[0].endswith(".obj"):
            raise NotOffered
        mesh, ray = self.trimesh.Trimesh(*read_obj(q.bodies[0]), process=False), q.numbers("--ray")
        places, _, faces = mesh.ray.intersects_location([ray[:3]], [ray[3:]])
        t = [np.dot(p - ray[:3], ray[3:]) / np.dot(ray[3:], ray[3:]) for p in places]
        k = int(np.argmin(t)) if t else -1
        if k < 0 or t[k] > 1:
            return {"outcome": "none", "t": 1.0}
        return {"outcome": "hit", "t": t[k], "normal": list(mesh.face_normals[faces[k]]), "point": list(places[k])}


class Abut:
    name = "abut"

    def __init__(self, program):
        self.program = os.path.abspath(program)

    def answer_of(self, command):
        run = subprocess.run([self.program] + shlex.split(command), cwd=CORPUS, capture_output=True, text=True, check=False)
        return json.loads(run.stdout)


# ---- verdicts ----------------------------------------------------------------------------------------------------------


def judge(peer, case):
    """'right', 'wrong', or '' where the peer does not offer the question; and why."""
    if not isinstance(peer, Abut) and ("is grazing" in case[3] or "is at_start" in case[3]):
        return "", ""  # others have their own rules for rays that only touch
    try:
        answer = peer.answer_of(case[2]) if isinstance(peer, Abut) else peer.answer(Question(case[2]))
    except NotOffered:
        return "", ""
    except Exception as error:  # a peer that raises on a plain question has not answered it
        return "wrong", "%s: %s" % (type(error).__name__, str(error).split("\n")[0][:80])
    slack = 0.0 if isinstance(peer, Abut) else 2e-3 if "final" in answer else 1e-5
    results = [(c, holds(c, answer, slack)) for c in case[3].split("; ")]
    failed = [c for c, ok in results if ok == 0]
    if failed:
        return "wrong", "; ".join("%s, got %s" % (c, value_at(answer, c.split()[0])) for c in failed)
    return ("right" if any(ok for _, ok in results) else ""), ""


def verdict(peer, case):
    """The judgment, made in a process of its own: a peer may crash, or not end."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=lambda: theirs.send(judge(peer, case)))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(LIMIT) else ("wrong", "no answer in %d s" % LIMIT)
    except EOFError:
        return "wrong", "crashed"
    finally:
        process.kill()
        process.join()


def find_peers(program):
    peers, missing = [Abut(program)], []
    for kind in (Coal, Fcl, MuJoCo, Trimesh):
        try:
            peers.append(kind())
        except ImportError:
            missing.append(kind.name)
    return peers, missing


def main():
    words = sys.argv[1:]
    if not words:
        sys.exit(__doc__)
    table = None
    if "--csv" in words:
        at = words.index("--csv")
        table = words[at + 1]
        del words[at : at + 2]
    peers, missing = find_peers(words[0])
    if missing:
        print("not installed, left out: " + ", ".join(missing))
    names = [p.name for p in peers]
    rows, count = [], {n: {"right": 0, "wrong": 0, "": 0} for n in names}
    print("%-26s %-48s %s" % ("case", "reported as", "  ".join("%-10s" % n for n in names)))
    for case in read_cases(set(words[1:])):
        marks = [verdict(p, case) for p in peers]
        for n, (mark, _) in zip(names, marks):
            count[n][mark] += 1
        print("%-26s %-48s %s" % (case[0], case[1], "  ".join("%-10s" % (m or "-") for m, _ in marks)))
        rows.append([case[0], case[1]] + [x for pair in marks for x in pair])
    for n in names:
        print("%-11s right %3d, wrong %3d, not offered %3d" % (n, count[n]["right"], count[n]["wrong"], count[n][""]))
    if table:
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["case", "report"] + [x for n in names for x in (n, n + " why")])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
