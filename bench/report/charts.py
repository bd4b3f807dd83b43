# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG text: times per case and library, and accuracy against cost per library and step. A ring in place of a dot has wrong answers."""
import math
from html import escape

COLORS = ["#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#0b5345", "#7d6608"]
FONT = "font-family='sans-serif'"


def colors_of(engines):
    """abut is red; every other library keeps its color within a chart."""
    return {name: COLORS[i % len(COLORS)] for i, name in enumerate(engines)}


def text(x, y, words, size=12, anchor="start", color="#222", more=""):
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{color}' {FONT} {more}>{escape(words)}</text>"


def mark(x, y, color, good, title, radius=5):
    fill = color if good else "#fff"
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{fill}' stroke='{color}' stroke-width='2'><title>{escape(title)}</title></circle>"


def line(x1, y1, x2, y2, color="#ddd", width=1):
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{color}' stroke-width='{width}'/>"


def document(width, height, parts, title):
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height:.0f}' width='{width}' height='{height:.0f}' role='img'>"
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<rect width='{width}' height='{height:.0f}' fill='#fff'/>", *parts, "</svg>"]) + "\n"


def duration(ns):
    for unit, size in (("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)):
        if ns < 999.5 * size or unit == "s":
            return f"{ns / size:.3g} {unit}"
    return ""


def legend(engines, color, width, top, note):
    parts, x, y = [], 16, top
    for name in engines:
        step = 30 + 7.2 * len(name)
        if x + step > width:
            x, y = 16, y + 20
        parts += [mark(x, y - 4, color[name], True, name), text(x + 10, y, name)]
        x += step
    parts.append(text(16, y + 20, note, 11, color="#555"))
    return parts, y + 32


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def dots(title, rows):
    """rows: [(case, [(engine, ns, wrong, asked)])]; a line per case, times on a logarithmic axis."""
    engines = list(dict.fromkeys(e for _, row in rows for e, *_ in row))
    color = colors_of(engines)
    times = [ns for _, row in rows for _, ns, *_ in row]
    marks = list(decades(min(times), max(times)))
    width, left, right, pitch = 760, 230, 730, 24
    parts, top = legend(engines, color, width, 46, "left is faster; a filled dot has no wrong answer, a ring has some")
    parts.insert(0, text(16, 22, title, 15, more="font-weight='bold'"))
    bottom = top + pitch * len(rows) + 8

    def place(ns):
        return left + (right - left) * (math.log10(ns) - marks[0]) / max(1, marks[-1] - marks[0])
    for k in marks:
        parts += [line(place(10.0**k), top, place(10.0**k), bottom), text(place(10.0**k), bottom + 14, duration(10.0**k), 11, "middle", "#555")]
    for i, (case, row) in enumerate(rows):
        y = top + pitch * (i + 0.5)
        parts += [line(left, y, right, y, "#f0f0f0"), text(left - 8, y + 4, case, 12, "end")]
        for engine, ns, wrong, asked in reversed(row):
            parts.append(mark(place(ns), y, color[engine], wrong == 0, f"{engine}: {duration(ns)}, {wrong} of {asked} wrong"))
    return document(width, bottom + 24, parts, title)


def panels(title, scenes, x_label, y_label):
    """scenes: [(name, [(engine, [(cost, off, wrong, asked, step)])])]; one small chart each, a line per library over its steps."""
    engines = list(dict.fromkeys(e for _, rows in scenes for e, _ in rows))
    color = colors_of(engines)
    width, columns, wide, tall, gap = 1020, 3, 310, 250, 24
    parts, top = legend(engines, color, width, 46, "down is more accurate, left is cheaper; a ring fails a check; small to large steps from right to left for most libraries")
    parts.insert(0, text(16, 22, title, 15, more="font-weight='bold'"))
    for n, (name, rows) in enumerate(scenes):
        x0, y0 = 16 + (n % columns) * (wide + gap), top + (n // columns) * (tall + 52)
        parts += panel(name, rows, color, x0 + 34, y0 + 22, wide - 34, tall - 22, (x_label, y_label))
    bottom = top + math.ceil(len(scenes) / columns) * (tall + 52)
    return document(width, bottom, parts, title)


def panel(name, rows, color, x0, y0, wide, tall, labels):
    costs = [c for _, points in rows for c, *_ in points]
    offs = [max(o, 1e-9) for _, points in rows for _, o, *_ in points]
    xs, ys = list(decades(min(costs), max(costs))), list(decades(min(offs), max(offs)))

    def at(cost, off):
        x = x0 + wide * (math.log10(cost) - xs[0]) / max(1, xs[-1] - xs[0])
        return x, y0 + tall - tall * (math.log10(max(off, 1e-9)) - ys[0]) / max(1, ys[-1] - ys[0])
    parts = [text(x0, y0 - 8, name, 13, more="font-weight='bold'")]
    for k in xs:
        x, _ = at(10.0**k, 1.0)
        parts += [line(x, y0, x, y0 + tall), text(x, y0 + tall + 13, f"{10.0**k:g}", 10, "middle", "#555")]
    for k in ys:
        _, y = at(10.0 ** xs[0], 10.0**k)
        parts += [line(x0, y, x0 + wide, y), text(x0 - 4, y + 4, f"1e{k}", 10, "end", "#555")]
    parts += [text(x0 + wide / 2, y0 + tall + 27, labels[0], 10, "middle", "#555"), text(x0 + 4, y0 + 11, labels[1], 10, color="#555")]
    for engine, points in rows:
        spots = [at(c, o) for c, o, *_ in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f"<polyline points='{path}' fill='none' stroke='{color[engine]}' stroke-width='1.2' opacity='0.6'/>")
        for (x, y), (c, o, wrong, asked, step) in zip(spots, points):
            parts.append(mark(x, y, color[engine], wrong == 0, f"{engine}, step {step}: {c:.3g}, {o:.2g}, {wrong} of {asked} checks fail", 4))
    return parts


def bars(title, rows):
    """rows: [(name, right, wrong, not offered)], stacked."""
    width, left, right, pitch = 760, 150, 730, 28
    most = max(sum(counts) for _, *counts in rows)
    parts, top = [text(16, 22, title, 15, more="font-weight='bold'")], 60
    for k, (word, shade) in enumerate((("right", "#2ca02c"), ("wrong", "#d62728"), ("not offered", "#ddd"))):
        parts += [f"<rect x='{16 + 110 * k}' y='34' width='12' height='12' fill='{shade}'/>", text(33 + 110 * k, 45, word)]
    for i, (name, *counts) in enumerate(rows):
        x, y = left, top + pitch * i
        parts.append(text(left - 8, y + 15, name, 12, "end"))
        for count, shade in zip(counts, ("#2ca02c", "#d62728", "#ddd")):
            wide = (right - left) * count / most
            parts.append(f"<rect x='{x:.1f}' y='{y}' width='{wide:.1f}' height='20' fill='{shade}'/>")
            if count:
                parts.append(text(x + wide / 2, y + 15, str(count), 11, "middle", "#fff" if shade != "#ddd" else "#444"))
            x += wide
    return document(width, top + pitch * len(rows) + 8, parts, title)
