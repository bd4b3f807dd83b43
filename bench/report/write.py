#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of docs/bench, their charts, and the facts of README.md from the CSV that measure.py left. The same CSV gives the same bytes.

Usage: write.py DATA_DIR SOURCE_DIR [--to DIR]     (--to: another folder than SOURCE_DIR/docs/bench; README.md goes there too)
"""
import csv
import fnmatch
import re
import shutil
import sys
from collections import namedtuple
from pathlib import Path

import charts

HERE = Path(__file__).resolve().parent
DONE = "<!-- Written by scripts/bench-report; changes by hand are lost. -->"
BEGIN, END = "<!-- facts: written by scripts/bench-report -->", "<!-- end of the facts -->"
PEERS = ("FCL", "coal", "parry", "Bullet", "ODE", "MuJoCo", "libccd", "Rapier", "Pinocchio", "Drake", "Jolt", "Havok", "trimesh", "Embree", "python-fcl")
# Words behind a comma in the name of an engine that say what was asked, not how it was set up.
QUESTIONS = ("collide", "poses", "inverse", "solve", "forward", "warm", "nearest", "rays", "distance")

Row = namedtuple("Row", "case engine name question ns asked wrong failed")
Page = namedtuple("Page", "part title question words")

PAGES = [
    Page("queries", "Queries of convex bodies", "distance, depth and yes or no of hulls, boxes and capsules",
         "Wrong answers differ by more than 1e-6 of the size of the bodies from the exhaustive reference in long double, or were not given."),
    Page("meshes", "Triangle meshes", "distance, collision, depth and time of impact of meshes",
         "Wrong answers of a distance differ by more than 1e-6 m; of a collision, yes for no. Depths are wrong where they are not verified."),
    Page("python", "Called from Python", "rays, nearest points, distance and time of impact of meshes, kinematics and dynamics of arms and hands, beside trimesh, Embree, python-fcl and Drake",
         "A library gets all questions in one call where it offers that; times hold the calls. Wrong: off by more than 1e-6 of the size of the mesh from a search of all triangles, or from a closed form. Embree computes in single precision. Robots are asked state by state; wrong are sums that differ by more than 1e-6 from abut's."),
    Page("worlds", "Thousands of worlds", "steps per second of a humanoid, an ant, a quadruped and an arm with a cube, in batches of 1 to 4096, beside MuJoCo's rollout",
         "Both have the same MJCF, step, controls and numbers of worlds. Times are of the processor; the rows of two threads have the speed over that of one by the clock, over two. "
         "Depth and energy are of worlds whose controls have stood still for 1.5 s: the deepest contact, mean over the worlds, and what still moves, both as MuJoCo computes them from the states of either."),
    Page("motions", "Whole motions", "least distance and first contact over motions, soft directions", "Wrong: not certified, or contradicted by a search at a finer tolerance."),
    Page("robots", "Robots", "kinematics and dynamics; robots that stand, grasp, push and fall",
         "Wrong: off by more than 1e-6 of the largest number of the answer; for robots that act, the box was dropped or not pushed, or the robot fell or did not."),
    Page("modes", "Contact modes", "enumeration of contact modes", "Wrong: another number of modes than the reference."),
    Page("manipulation", "Manipulation through contact", "plans of fingers for ten tasks, abut alone: found, in which time, and whether a simulation arrives",
         "Each task has 50 seeds that no choice of constants has seen. Times are processor time of one thread, and count plans that were not found. A plan arrives when the simulated object ends within twice the tolerances of the goal; of three: the first that arrives of up to three plans. off: the end from that of the plan, of those that arrive. friction, mass: the same plans where the surroundings or the object differ by that factor. unbalanced: places of the independent check of balance."),
    Page("scenes", "Simulators", "piles, stacks, walls, an arch, mass ratios, slopes, with every simulator, at three steps",
         "Wrong counts failed checks: numbers stay finite, nothing sinks by more than 1 % of a body, energy does not rise, piles come to rest, structures stay and do not creep, the floor carries the weight without chatter."),
    Page("fits", "Bodies that fit into each other", "a nut on its bolt, a peg in its hole, a chain, as meshes and in other ways",
         "Way down of one body and the way that a closed form gives; wrong: farther from it than `within`. Rows beside abut take the same meshes as convex pieces, by pressure, or as their hulls; depth is the deepest contact of the run."),
    Page("long", "Simulators, what takes minutes", "small steps and large structures", "The columns are those of the simulators."),
    Page("corpus", "Cases from public reports", "which library of today is right where users reported failures", ""),
    Page("browser", "Beside WebAssembly", "boxes and hulls in Node", "Times hold the call from JavaScript. Wrong as for convex bodies; these libraries compute in single precision except MuJoCo and abut."),
    Page("large", "Large inputs", "meshes of two million triangles, convex pieces, overlaps of many facets", "Wrong: off by more than 1e-6."),
    Page("plans", "Plans", "scenes with posts", "Wrong: not certified."),
    Page("families", "Families of planning problems", "bookshelves, an open box, a cage, a table and what is under it, for arms, two arms and a humanoid",
         "Solved by abut means proved. Times are of one thread, from the problem to the plan; length is that of the path in rad, duration at 2 rad/s and 8 rad/s^2. Certificates of the whole path find the plans that touch; OMPL looks at samples."),
    Page("piles", "Piles over many seeds", "abut alone: how piles come to rest", ""),
    Page("bodies", "Many bodies", "thousands of boxes and hulls", ""),
]


def load(folder, part):
    path = folder / f"{part}.csv"
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_peer(engine):
    return engine.startswith(PEERS)


def rows_of(table):
    """Rows of the common table; those whose answers nothing counts are dropped and named."""
    rows, dropped = [], []
    for r in table:
        counts = [int(r[k]) for k in ("wrong_1e-6", "failed")]
        if max(counts) < 0:
            dropped.append(f"{r['case']} ({r['engine']})")
            continue
        name, _, question = r["engine"].rpartition(", ")
        if question not in QUESTIONS:
            name, question = r["engine"], ""
        if question == "warm" or name.endswith(", cold"):
            name, question = r["engine"].removesuffix(", cold"), ""
        rows.append(Row(r["case"], r["engine"], name, question, float(r["ns"]), int(r["asked"]), sum(max(0, c) for c in counts), max(0, counts[1])))
    return rows, dropped


def table(head, lines):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(x) + " |" for x in lines), ""]


def grouped(rows, key):
    groups = {}
    for r in rows:
        groups.setdefault(key(r), []).append(r)
    return groups


def family(case):
    """Cases of one chart: all but the last part of the name."""
    return case.rsplit("/", 1)[0] if "/" in case else case


def cell(row, best):
    shown = charts.duration(row.ns) + (f" ({row.wrong})" if row.wrong else "")
    return f"**{shown}**" if row is best else shown


def timing_tables(rows):
    """One table: lines are cases and questions, columns libraries; bold is the fastest without a wrong answer."""
    engines = list(dict.fromkeys(r.name for r in rows))
    lines = []
    for (case, question), group in grouped(rows, lambda r: (r.case, r.question)).items():
        right = [r for r in group if r.wrong == 0]
        best = min(right, key=lambda r: r.ns) if right else None
        by = {r.name: r for r in group}
        lines.append([f"{case}{', ' + question if question else ''}", str(group[0].asked)] + [cell(by[e], best) if e in by else "-" for e in engines])
    return table(["case", "asked", *engines], lines)


def slower_rows(rows):
    """Where a library answers as exactly as abut in less time: (case, engine, ratio)."""
    found = []
    for (case, question), group in grouped(rows, lambda r: (r.case, r.question)).items():
        own = [r for r in group if r.name == "abut" or (case.startswith(("warm/", "box/warm/")) and r.name == "abut, warm")]
        if not own:
            continue
        own = min(own, key=lambda r: (r.wrong, r.ns))
        found += [(f"{case}{', ' + question if question else ''}", r.name, r.ns / own.ns) for r in group
                  if is_peer(r.engine) and r.wrong <= own.wrong and r.asked == own.asked and r.ns < own.ns]
    return found


def reasons():
    with open(HERE / "reasons.csv", newline="", encoding="utf-8") as file:
        return [(r["case"], r["library"], r["reason"]) for r in csv.DictReader(file)]


def reason_of(case, engine):
    for pattern, library, why in reasons():
        if fnmatch.fnmatchcase(case, pattern) and fnmatch.fnmatchcase(engine, library):
            return why
    return "not examined"


def slower_lines(found):
    if not found:
        return ["No library is faster at equal correctness here.", ""]
    return table(["case", "library", "part of our time", "reason"],
                 [[c, e, f"{ratio:.2f}", reason_of(c, e)] for c, e, ratio in sorted(found, key=lambda x: x[2])])


# ---- pages ---------------------------------------------------------------------------------------------------------------


def timing_page(page, data, write):
    rows, dropped = rows_of(data)
    lines = []
    for name, group in grouped(rows, lambda r: family(r.case).split("/")[0]).items():
        file = f"{page.part}_{re.sub('[^a-z0-9]+', '_', name.lower())}.svg"
        shown = [(f"{c.removeprefix(name + '/')}{', ' + q if q else ''}", [(r.name, r.ns, r.wrong, r.asked) for r in g])
                 for (c, q), g in grouped(group, lambda r: (r.case, r.question)).items()]
        write(file, charts.dots(f"{page.title}: {name}", shown))
        lines += [f"## {name}", "", f"![times of {name} per library]({file})", "", *timing_tables(group)]
    found = slower_rows(rows)
    lines += ["## Where a library is faster at equal correctness", "", *slower_lines(found)]
    if dropped:
        lines += ["Left out, because nothing counts their wrong answers: " + ", ".join(dropped) + ".", ""]
    return lines, found


def number(text):
    x = float(text)
    return f"{x:.3g}"


def scene_page(page, data, write):
    scenes = grouped(data, lambda r: r["case"].split("/")[1])
    shown = []
    for name, rows in scenes.items():
        by = grouped([r for r in rows if r["failed"] == "0"], lambda r: r["engine"])
        shown.append((name, [(e, [(float(r["cpu_ms_per_s"]), float(r["off_by_size"]), int(r["wrong"]), int(r["asked"]), r["case"].split("/")[2]) for r in g])
                             for e, g in by.items()]))
    write(f"{page.part}.svg", charts.panels(f"{page.title}: accuracy against cost", shown, "processor ms per simulated second", "farthest place that is off, of a body"))
    lines = [f"![accuracy against cost per simulator and step]({page.part}.svg)", ""]
    engines = list(dict.fromkeys(r["engine"] for r in data))
    lines += ["## Failed checks", ""]
    counts = [[e, str(sum(int(r["wrong"]) for r in data if r["engine"] == e)), str(sum(int(r["asked"]) for r in data if r["engine"] == e)),
               str(sum(r["engine"] == e for r in data))] for e in engines]
    lines += table(["simulator", "checks failed", "of", "runs"], counts)
    found = []
    for name, rows in scenes.items():
        lines += [f"## {name}", ""]
        head = ["step", "simulator", "checks failed", "us/step", "at rest", "ms per s", "settled s", "depth um", "floor um", "moved mm", "tremble m/s", "creep mm/s",
                "cv", "chatter", "carried", "energy rise"]
        body = []
        for r in rows:
            first = [r["case"].split("/")[2], r["engine"], f"{r['wrong']} of {r['asked']}"]
            if r["failed"] != "0":
                body.append(first + ["failed"] + [""] * (len(head) - 4))
                continue
            body.append(first + [number(r[k]) for k in ("us_step", "us_rest", "cpu_ms_per_s", "settle_s", "depth_um", "floor_um", "moved_mm", "tremble_m_s", "creep_mm_s", "cv")]
                        + [f"{r['chattering']} of {r['floor_boxes']}", f"{float(r['carried']):.4f}", number(r["energy_rise"])])
        lines += table(head, body)
        for case, group in grouped(rows, lambda r: r["case"]).items():
            own = next((r for r in group if r["engine"].startswith("abut")), None)
            if own:
                found += [(case, r["engine"], float(r["us_step"]) / float(own["us_step"])) for r in group
                          if is_peer(r["engine"]) and int(r["wrong"]) <= int(own["wrong"]) and float(r["us_step"]) < float(own["us_step"])]
    lines += ["## Where a simulator is faster at equal checks", "", *slower_lines(found)]
    return lines, found


def corpus_counts(data):
    names = [k for k in (data[0] if data else {}) if k not in ("case", "report") and not k.endswith(" why")]
    return [(n, *(sum(r[n] == w for r in data) for w in ("right", "wrong", ""))) for n in names]


def corpus_page(page, data, write):
    counts = corpus_counts(data)
    write("corpus.svg", charts.bars("Cases from public reports: right and wrong", counts))
    lines = ["[How the cases are made](../reference/benchmark.md#cases-from-public-reports).", "", "![right and wrong per library](corpus.svg)", ""]
    lines += table(["library", "right", "wrong", "not offered"], [[n, str(a), str(b), str(c)] for n, a, b, c in counts])
    names = [n for n, *_ in counts]
    lines += table(["case", "reported as", *names], [[r["case"], r["report"], *(r[n] or "-" for n in names)] for r in data])
    wrong = [[r["case"], n, r[n + " why"].replace("|", "/")] for r in data for n in names if r[n] == "wrong"]
    lines += ["## What was wrong", "", *table(["case", "library", "what"], wrong)]
    return lines, []


def plain_page(page, data, write):
    head = list(data[0])
    return table(head, [[r[k] or "-" for k in head] for r in data]), []


def worlds_page(page, data, write):
    lines, _ = plain_page(page, data, write)
    found = [(r["case"], r["engine"], float(r["us_per_step"]) / float(own["us_per_step"])) for own in data if own["engine"] == "abut"
             for r in data if is_peer(r["engine"]) and r["case"] == own["case"] and r["threads"] == own["threads"] == "1"
             and float(r["us_per_step"]) < float(own["us_per_step"])]
    return lines + ["## Where a simulator is faster", "", *slower_lines(found)], found


def page_of(page, data, write):
    if "steps_per_s_core" in data[0]:
        return worlds_page(page, data, write)
    if page.part == "corpus":
        return corpus_page(page, data, write)
    if "cpu_ms_per_s" in data[0]:
        return scene_page(page, data, write)
    if "ns" in data[0]:
        return timing_page(page, data, write)
    return plain_page(page, data, write)


# ---- facts ----------------------------------------------------------------------------------------------------------------


def count_wrong(rows, names):
    return sum(r.wrong for r in rows if r.name == names), sum(r.asked for r in rows if r.name == names)


def hard_pairs(data):
    rows = [r for r in rows_of(data.get("queries", []))[0] if r.case.startswith(("depth/deep", "box/depth/aligned", "box/depth/concentric"))]
    peers = [n for n in dict.fromkeys(r.name for r in rows) if n != "abut"]
    if not peers:
        return None
    own = count_wrong(rows, "abut")
    parts = [f"{n} {count_wrong(rows, n)[0]}" for n in peers]
    return f"- **Right on hard pairs.** Of {own[1]} depths of deep hulls and aligned boxes abut gets {own[0]} wrong; {', '.join(parts)}: [queries](docs/bench/queries.md)."


def mesh_fact(data):
    rows = [r for r in rows_of(data.get("meshes", []))[0] if r.case.startswith(("mesh/tori", "mesh/statue")) and not r.question]
    parts = []
    for name in ("FCL", "coal"):
        ratios = [r.ns / o.ns for r in rows for o in rows if r.name == name and o.name == "abut" and o.case == r.case]
        if ratios:
            parts.append(f"{min(ratios):.1f} to {max(ratios):.1f} times as fast as with {name}")
    return f"- **Meshes.** The distance of two triangle meshes is {' and '.join(parts)}: [meshes](docs/bench/meshes.md)." if parts else None


def scene_fact(data):
    rows = data.get("scenes", [])
    if not rows:
        return None
    sums = {}
    for r in rows:
        a, b = sums.get(r["engine"], (0, 0))
        sums[r["engine"]] = (a + int(r["wrong"]), b + int(r["asked"]))
    own = next((v for k, v in sums.items() if k.startswith("abut")), None)
    if own is None:
        return None
    others = [f"{k} {a} of {b}" for k, (a, b) in sums.items() if not k.startswith("abut")]
    return f"- **Piles, towers and mass ratios stand.** abut fails {own[0]} of {own[1]} checks of simulations that should rest; {', '.join(others)}: [simulators](docs/bench/scenes.md)."


def motion_fact(data):
    rows = [r for r in rows_of(data.get("motions", []))[0] if r.case == "clearance/straight lines"]
    own = [r for r in rows if r.name.startswith("abut")]
    others = [f"{r.engine} {r.wrong}" for r in rows if not r.name.startswith("abut")]
    if not own or not others:
        return None
    return (f"- **Proof between samples.** Asked whether bodies meet on {own[0].asked} straight motions abut proves its answer and gets {own[0].wrong} wrong; "
            f"{', '.join(others)}: [motions](docs/bench/motions.md).")


def corpus_fact(data):
    counts = corpus_counts(data.get("corpus", []))
    if not counts:
        return None
    parts = [f"{n} {b} of {a + b}" for n, a, b, _ in counts[1:]]
    return f"- **Reported failures stay away.** Of {counts[0][1] + counts[0][2]} failures that users of other libraries reported abut gets {counts[0][2]} wrong; {', '.join(parts)} that they offer: [corpus](docs/bench/corpus.md)."


def facts(data):
    lines = [f(data) for f in (hard_pairs, mesh_fact, scene_fact, motion_fact, corpus_fact)]
    lines.append("- **Equal bits.** Compilers, vector units and thread counts give the same state hash: [docs/bits.md](docs/bits.md).")
    return [x for x in lines if x]


def write_readme(source, target, data):
    text = (source / "README.md").read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or END not in text.split(BEGIN)[1]:
        sys.exit(f"README.md: expected the lines '{BEGIN}' and '{END}' once each")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    (target / "README.md").write_text(before + BEGIN + "\n" + "\n".join(facts(data)) + "\n" + END + after, encoding="utf-8")


# ---- all ------------------------------------------------------------------------------------------------------------------


def summary(run):
    got = {r["key"]: r["value"] for r in run}
    return f"Commit {got.get('commit', 'unknown')}, {got.get('date', '')}, {got.get('processor', '')}, {got.get('cores', '?')} cores; [more on the run](index.md#the-run)."


def index_page(data, run, pages, found):
    lines = ["# Benchmarks", "", "*For people who compare libraries.*", "", DONE, "", summary(run), "",
             "`make bench-report` writes these pages, their charts, the CSV beside them and the facts of the README. [How they are measured](../reference/benchmark.md).", ""]
    lines += table(["question", "page", "data"], [[p.question, f"[{p.title}]({p.part}.md)", f"[{p.part}.csv]({p.part}.csv)"] for p in pages])
    lines += ["## The run", "", *table(["what", "value"], [[r["key"], r["value"].replace("|", "/")] for r in run])]
    lines += ["## Where a library is faster at equal correctness", "", "This list is our list of work. The number is the time of the library over ours.", ""]
    for page in pages:
        if found.get(page.part):
            lines += [f"### {page.title}", "", *slower_lines(found[page.part])]
    return lines


def main():
    words = sys.argv[1:]
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "--to"):
        sys.exit(__doc__)
    source, whole = Path(words[0]), Path(words[1])
    target = Path(words[3]) if len(words) == 4 else whole / "docs/bench"
    target.mkdir(parents=True, exist_ok=True)
    run = load(source, "run")
    data = {p.part: load(source, p.part) for p in PAGES}
    pages, found, written = [p for p in PAGES if data[p.part]], {}, set()

    def write(name, text):
        written.add(name)
        (target / name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    for page in pages:
        lines, found[page.part] = page_of(page, data[page.part], write)
        head = [f"# {page.title}", "", f"*For people who compare libraries: {page.question}.*", "", DONE, "", summary(run)]
        head += ([page.words] if page.words else []) + [f"Numbers: [{page.part}.csv]({page.part}.csv). In brackets: wrong answers.", ""]
        write(f"{page.part}.md", "\n".join(head + lines))
    write("index.md", "\n".join(index_page(data, run, pages, found)))
    for part in ["run", *(p.part for p in pages)]:
        written.add(f"{part}.csv")
        if (source / f"{part}.csv").resolve() != (target / f"{part}.csv").resolve():
            shutil.copy(source / f"{part}.csv", target / f"{part}.csv")
    for old in target.iterdir():
        if old.suffix in (".md", ".svg", ".csv") and old.name not in written and old.name != "README.md":
            old.unlink()
    write_readme(whole, target if len(words) == 4 else whole, data)


if __name__ == "__main__":
    main()
