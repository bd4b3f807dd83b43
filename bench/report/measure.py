#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark and writes what it measured as CSV, one file per part; needs the programs built, no compiler and no network.

Usage: measure.py --from DIR --to DIR [PART...]
--from is the folder that `scripts/bench-report build` filled (build-bench), or what `scripts/bench-report pack` packed, unpacked. Without PARTs the quick ones run.
Peers that are not there are left out; --to/run.csv says which, beside machine, date, commit and versions.
"""
import csv
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# part -> (quick, cases of abut-bench that belong to it, further options)
PARTS = {
    "queries": (True, ["distance/", "depth/", "meet/", "large/", "overlap/"], ["--repeat", "20"]),
    "meshes": (True, ["mesh/tori", "mesh/statue", "mesh/parts", "mesh/impact", "mesh/depth", "mesh/build"], ["--repeat", "10"]),
    "motions": (True, ["clearance/", "direction/"], ["--repeat", "10"]),
    "robots": (True, ["robot/arm6", "robot/hand16", "robot/biped", "robot/stand/", "robot/grasp/", "robot/push/", "robot/fall/"], ["--repeat", "20"]),
    "modes": (True, ["modes/"], ["--repeat", "10"]),
    "scenes": (True, ["scene/"], []),
    "fits": (True, ["fit/"], []),
    "manipulation": (True, ["manip/"], []),
    "large": (False, ["mesh/two million", "mesh/decompose", "ren/"], ["--repeat", "5"]),
    "plans": (False, ["plan/"], ["--repeat", "5"]),
    "families": (False, ["families/"], ["--repeat", "3"]),
    "long": (False, ["scenelong/"], []),
    "piles": (False, ["sim/stats/10/1e-3", "sim/stats/20/1e-3", "sim/stats/50/1e-3", "sim/stats/50/5e-3", "sim/stats/50/60Hz"], ["--seeds", "20"]),
    "bodies": (False, ["sim/scale/pyramid100", "sim/scale/hulls1000", "sim/scale/bin30", "sim/scale/bin300"], []),
}
# part -> quick; a program of its own writes the file
OTHERS = {"python": True, "worlds": True, "corpus": True, "browser": True}


class Place:
    """Where the programs are: a build folder, or one that was packed for another machine."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.packed = (self.folder / "lib").is_dir() and not (self.folder / "CMakeCache.txt").exists()
        self.bench = self.folder / "bench" / "abut-bench"
        self.python = self.folder / "peers" / "bin" / "python"
        self.tool = self.folder / "abut"

    def environment(self):
        env = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="1")
        if self.packed:
            env["LD_LIBRARY_PATH"] = str(self.folder / "lib")
        return self.add_simulators(env)

    def add_simulators(self, env):
        """Commands of the simulators that live in other programs (bench/sim_pipe.c)."""
        if next(self.folder.glob("peers/lib/python3*/site-packages/pydrake"), None):
            env["ABUT_SIM_DRAKE"] = f"{shlex.quote(str(self.python))} {shlex.quote(str(ROOT / 'bench/python/simulate_drake.py'))}"
        node = next(self.folder.glob("wasm/node/node_modules/*/bin/node"), shutil.which("node"))
        for name, package in (("jolt", "jolt-physics"), ("havok", "@babylonjs/havok")):
            if node and (self.folder / "wasm/node_modules" / package).is_dir():
                env[f"ABUT_SIM_{name.upper()}"] = f"{shlex.quote(str(node))} {shlex.quote(str(self.folder / 'wasm/simulate.mjs'))} {name}"
        return env


def left_out(notes, part, why):
    notes.append((part, why))
    print(f"bench-report: {part} left out: {why}", file=sys.stderr)


def run_bench(place, part, target, notes):
    _, cases, options = PARTS[part]
    if not place.bench.exists():
        return left_out(notes, part, f"{place.bench.name} is not built")
    filters = [word for name in cases for word in ("--filter", name)]
    print(f"== {part}", flush=True)
    done = subprocess.run([place.bench, *filters, *options, "--csv", target / f"{part}.csv"], env=place.environment(), check=False)
    if done.returncode not in (0, 1):
        (target / f"{part}.csv").unlink(missing_ok=True)  # it may have been written in part
        return left_out(notes, part, f"abut-bench ended with {done.returncode}")
    if done.returncode == 1:
        notes.append((part, "abut itself gave a wrong answer or none: see the rows"))
    return None


def run_corpus(place, target, notes):
    if not place.tool.exists() or not place.python.exists():
        return left_out(notes, "corpus", "needs the tool and the environment of scripts/deps peers")
    print("== corpus", flush=True)
    command = [place.python, ROOT / "bench/corpus/ask_peers.py", place.tool, "--csv", target / "corpus.csv"]
    if subprocess.run(command, env=place.environment(), stdout=subprocess.DEVNULL, check=False).returncode:
        left_out(notes, "corpus", "ask_peers.py failed")
    return None


def run_python(place, target, notes, part="python", program="ask.py"):
    env = dict(place.environment(), PYTHONPATH=str(ROOT / "python/src"))
    if not place.python.exists() or subprocess.run([place.python, "-c", "import abut"], env=env, stderr=subprocess.DEVNULL, check=False).returncode:
        return left_out(notes, part, "needs the environment of scripts/deps peers and the package of make python")
    print(f"== {part}", flush=True)
    if subprocess.run([place.python, ROOT / "bench/python" / program, target / f"{part}.csv"], env=env, check=False).returncode:
        left_out(notes, part, f"bench/python/{program} failed")
    return None


def run_worlds(place, target, notes):
    return run_python(place, target, notes, "worlds", "worlds.py")


def run_browser(place, target, notes):
    if not place.bench.exists():
        return left_out(notes, "browser", "abut-bench is not built")
    print("== browser", flush=True)
    done = subprocess.run([ROOT / "scripts/bench-wasm", place.folder, "--offline", "--csv", target / "browser.csv"], env=place.environment(), check=False)
    if done.returncode or not (target / "browser.csv").exists():
        left_out(notes, "browser", "needs Node.js and the packages of scripts/bench-wasm")
    return None


def machine():
    model, flags = platform.machine(), ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    model = value.strip()
                if key.strip() == "flags":
                    flags = value.split()
    except OSError:
        pass
    wide = [name for name in ("avx2", "fma", "avx512f") if name in flags]
    return [("processor", model), ("cores", os.cpu_count()), ("vector units", " ".join(wide) or "-"), ("system", f"{platform.system()} {platform.release()}")]


def load():
    return " ".join(f"{x:.1f}" for x in os.getloadavg())


def built(place):
    """What `scripts/bench-report build` wrote: commit, compilers, versions of peers."""
    path = place.folder / "build.csv"
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def write_run(place, target, rows, notes):
    """After every part, so that a run that is stopped has its lines."""
    with open(target / "run.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "value"])
        writer.writerow(("date", time.strftime("%Y-%m-%d", time.gmtime())))
        writer.writerows(machine() + built(place) + sorted(rows) + [(f"left out: {part}", why) for part, why in notes])


def kept(target, parts):
    """Lines on parts that were measured before and are not measured now."""
    path = target / "run.csv"
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        rows = [tuple(r) for r in csv.reader(file) if r and r[0].startswith("part ")]
    return [r for r in rows if r[0][5:] not in parts and (target / f"{r[0][5:]}.csv").exists()]


def main():
    words, options = sys.argv[1:], {}
    while words and words[0] in ("--from", "--to") and len(words) > 1:
        options[words[0]] = words[1]
        words = words[2:]
    unknown = [w for w in words if w not in PARTS and w not in OTHERS]
    if len(options) != 2 or unknown:
        sys.exit(f"{__doc__}\nparts: {', '.join([*PARTS, *OTHERS])}" + (f"\nunknown: {' '.join(unknown)}" if unknown else ""))
    quick = [p for p, row in PARTS.items() if row[0]] + [p for p, q in OTHERS.items() if q]
    parts, place, target, notes = words or quick, Place(options["--from"]), Path(options["--to"]), []
    target.mkdir(parents=True, exist_ok=True)
    rows = kept(target, parts)
    for part in parts:
        path, start, before = target / f"{part}.csv", time.time(), load()
        path.unlink(missing_ok=True)
        if part in PARTS:
            run_bench(place, part, target, notes)
        else:
            {"python": run_python, "worlds": run_worlds, "corpus": run_corpus, "browser": run_browser}[part](place, target, notes)
        if path.exists():
            commit = dict(built(place)).get("commit", "unknown")
            rows.append((f"part {part}", f"{time.strftime('%Y-%m-%d', time.gmtime(start))}, commit {commit}, {round(time.time() - start)} s, load {before} before and {load()} after"))
        write_run(place, target, rows, notes)
    print(f"bench-report: {target} written")


if __name__ == "__main__":
    main()
