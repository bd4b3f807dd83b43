# SPDX-License-Identifier: Apache-2.0
"""MuJoCo with its own contacts and with those of abut: stacks, mugs, and cases that users of MuJoCo reported.

Prints a table, or CSV with --csv. The adapter's library is found by ABUT_MUJOCO_LIBRARY.
"""
import sys
import time
import warnings

import mujoco
import numpy as np

import abut
import abut.mujoco

warnings.simplefilter("ignore", abut.Warning)


def model(world: str, assets: str = "", option: str = "") -> str:
    return f'<mujoco><option {option}/><asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>'


def body(geom: str, place: str, name: str = "", turn: str = "") -> str:
    return f'<body name="{name}" pos="{place}" {turn}><freejoint/><geom {geom}/></body>'


def mesh(name: str, of: abut.Mesh) -> str:
    def numbers(x):
        return " ".join(map(repr, np.ravel(x).tolist()))
    return f'<mesh name="{name}" vertex="{numbers(of.vertices)}" face="{numbers(of.triangles)}" inertia="exact"/>'


FLOOR = '<geom type="box" size="1 1 .1" pos="0 0 -.1"/>'
BOX = abut.box((0.05, 0.05, 0.05)).to_mesh()
CUP = abut.Mesh.make("cup", 2000)  # 0.15 m wide, 0.3 m high, its floor 0.02 m thick
RING = abut.Mesh.make("torus", 2000)  # 0.3 m, about z, a tube of 0.1 m


def stack(geom: str, half: float, assets: str = "") -> str:
    return model(FLOOR + "".join(body(geom, f"0 0 {half * (2 * i + 1)}", f"b{i}") for i in range(10)), assets)


def fingers(geom: str, assets: str = "") -> str:
    """Two fingers press with 5 N each on a box of 0.1 kg."""
    def finger(x, way):
        return f'<body pos="{x} 0 .3"><joint type="slide" axis="{way} 0 0" damping="5" name="f{way}"/><geom {geom} mass=".2"/></body>'
    push = '<actuator><motor joint="f1" gear="5"/><motor joint="f-1" gear="5"/></actuator>'
    world = model(finger(-0.11, 1) + finger(0.11, -1) + body('type="box" size=".05 .03 .03" mass=".1"', "0 0 .3", "b0"), assets)
    return world.replace("</mujoco>", push + "</mujoco>")


def run(xml: str, ours: bool, seconds: float, measure, start=None) -> tuple[float, float]:
    """(what `measure` says, seconds of processor time for a second of simulation)."""
    m = mujoco.MjModel.from_xml_string(xml)
    if ours:
        abut.mujoco.attach(m)
    d = mujoco.MjData(m)
    d.ctrl[:] = 1.0
    if start:
        start(m, d)
    mujoco.mj_forward(m, d)
    seen, before = [], time.process_time()
    for _ in range(round(seconds / m.opt.timestep)):
        mujoco.mj_step(m, d)
        seen.append((d.ncon, np.array(d.qpos), np.abs(d.qvel).max() if m.nv else 0.0))
    cost = (time.process_time() - before) / max(seconds, m.opt.timestep)
    abut.mujoco.detach(m)
    return float(measure(m, d, seen)), cost


def slid(m, d, seen):
    """Millimeters that the last body has moved sideways."""
    return 1e3 * np.hypot(*(seen[-1][1][-7:-5] - m.qpos0[-7:-5]))


def height(m, d, seen):
    return 1e3 * seen[-1][1][-5]


def unrest(m, d, seen):
    """The largest speed in the second half, mm/s and mrad/s."""
    return 1e3 * max(x[2] for x in seen[len(seen) // 2:])


def changes(m, d, seen):
    """Steps of the second half after which another number of contacts is there, percent."""
    counts = np.array([x[0] for x in seen[len(seen) // 2:]])
    return 100.0 * np.mean(counts[1:] != counts[:-1])


def deepest(m, d, seen):
    """Millimeters."""
    return 1e3 * min([contact.dist for contact in d.contact], default=0.0)


def tilted(m, d):
    d.ctrl[:] = 1e-4


TILTED = """<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody>
<body quat="1 0 1e-6 0"><geom type="box" size=".007 .007 .01" pos="0 0 .05"/></body>
<body pos="0 .01405 0"><joint name="h" axis="1 0 0" damping="1e-6"/><geom type="box" size=".007 .007 .01" pos="0 0 .06" margin=".0005" mass=".01"/></body>
</worldbody><actuator><motor joint="h"/></actuator></mujoco>"""

# name, model, seconds, measure, what it means, between these two it is right
CASES = [
    ("stack of 10 boxes", stack('type="box" size=".05 .05 .05"', 0.05), 5.0, slid, "mm the top slid", (0, 1)),
    ("stack of 10 boxes as meshes", stack('type="mesh" mesh="box"', 0.05, mesh("box", BOX)), 5.0, slid, "mm the top slid", (0, 1)),
    ("stack of 10 cylinders", stack('type="cylinder" size=".05 .05"', 0.05), 5.0, slid, "mm the top slid", (0, 1)),
    ("stack of 10 six-sided prisms as meshes", stack('type="mesh" mesh="prism"', 0.05, mesh("prism", abut.prism(6, 0.05, 0.1).to_mesh())), 5.0, slid,
     "mm the top slid", (0, 1)),
    ("ball in a mug", model(FLOOR + body('type="mesh" mesh="cup"', "0 0 .15", "mug") + body('type="sphere" size=".05"', "0 0 .5", "ball"), mesh("cup", CUP)),
     2.0, height, "mm the ball is high", (68, 72)),
    ("ring on a peg", model('<geom type="capsule" size=".03 .5" euler="90 0 0" pos="0 0 1"/>' + body('type="mesh" mesh="ring"', "0 0 .83", "ring", 'euler="90 0 0"'),
                            mesh("ring", RING)), 3.0, height, "mm the ring is high", (810, 840)),
    ("capsule through a box (#2816)", model('<geom type="box" size=".1 .1 .1"/>' + body('type="capsule" size=".05 .2" euler="0 90 0"', "0 0 0")), 0.0, deepest,
     "mm of depth", (-151, -149)),
    ("cylinder dropped on a box (#420)", model(FLOOR + body('type="cylinder" size=".06 .06"', "0 .2 .3", "b")), 3.0, slid, "mm it slid", (0, 1)),
    ("box as a mesh at rest (#1665)", model(FLOOR + body('type="mesh" mesh="box"', "0 0 .05", "b"), mesh("box", BOX)), 3.0, unrest, "mm/s of unrest", (0, 1)),
    ("box between meshes as fingers (#2110)", fingers('type="mesh" mesh="box"', mesh("box", BOX)), 3.0, unrest, "mm/s of unrest", (0, 5)),
    ("box over a smaller box (#2356)", model('<geom type="box" size=".025 .025 .025" pos="0 0 .025"/>' + body('type="box" size=".048 .01 .01" mass=".05"', "0 0 .06", "b")),
     3.0, unrest, "mm/s of unrest", (0, 1)),
    ("boxes with a margin, tilted 1e-6 (#2471)", TILTED, 1.0, changes, "% of steps change contacts", (0, 0)),
]


def main() -> int:
    csv, wrong = "--csv" in sys.argv, []
    print("case,measure,mujoco,abut,mujoco_right,abut_right,mujoco_s_per_s,abut_s_per_s" if csv else
          f"{'case':42} {'':28} {'MuJoCo':>9} {'with abut':>9}")
    for name, xml, seconds, measure, meaning, (low, high) in CASES:
        start = tilted if xml is TILTED else None
        (own, own_cost), (ours, our_cost) = (run(xml, with_abut, seconds, measure, start) for with_abut in (False, True))
        right = [low <= x <= high for x in (own, ours)]
        wrong += [] if right[1] else [name]
        if csv:
            print(f'"{name}","{meaning}",{own:.6g},{ours:.6g},{right[0]:d},{right[1]:d},{own_cost:.6g},{our_cost:.6g}')
        else:
            print(f"{name:42} {meaning:28} {own:9.2f} {ours:9.2f}  {'' if right[0] else 'MuJoCo is wrong'}{'' if right[1] else ' abut is wrong'}  {own_cost:.3f} {our_cost:.3f}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
