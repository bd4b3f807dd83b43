# SPDX-License-Identifier: Apache-2.0
"""What calling from Python costs over C: one distance, a batch, steps of a simulation; processor time, least of seven rounds.

Usage: bench.py REFERENCE, the program python_reference; make bench-python runs it, and peers.py after it.
"""
import subprocess
import sys
import time

import numpy as np

import abut

COUNT, STEPS = 100000, 1000
BOX, BALL, SOLID = abut.box((0.5, 0.5, 0.5)), abut.sphere(0.25), abut.regular(20, 0.5)
POSE = np.array([0.1, 0.2, 2.0, 1.0, 0.0, 0.0, 0.0])
POSES = np.zeros((COUNT, 7))
POSES[:, 0], POSES[:, 1], POSES[:, 2], POSES[:, 3] = 0.5 + np.arange(COUNT) / COUNT, 0.1, 0.2, 1.0


def single(a, b):
    def run():
        distance = abut.distance
        begin = time.process_time()
        for _ in range(COUNT):
            distance(a, b, POSE)
        return (time.process_time() - begin) / COUNT
    return run


def batch():
    begin = time.process_time()
    abut.distance(SOLID, SOLID, POSES)
    return (time.process_time() - begin) / COUNT


def step():
    simulation = abut.Simulation("boxes:50")
    begin = time.process_time()
    for _ in range(STEPS):
        simulation.step()
    return (time.process_time() - begin) / STEPS


CASES = {"ball": single(BOX, BALL), "boxes": single(BOX, BOX), "solids": single(SOLID, SOLID), "batch": batch, "step": step}
TEXTS = {"ball": "one distance, box and ball", "boxes": "one distance, two boxes", "solids": "one distance, two icosahedra",
         "batch": "one of 100,000 in a batch, icosahedra", "step": "a step of boxes:50"}


def main():
    print(f"{'':40} {'C, us':>9} {'Python, us':>11} {'more, us':>9} {'ratio':>6}")
    for name, run in CASES.items():
        best = [np.inf, np.inf]
        for _ in range(7):
            told = subprocess.run([sys.argv[1], name], check=True, capture_output=True, text=True).stdout
            best = [min(best[0], float(told)), min(best[1], run())]
        c, python = (1e6 * x for x in best)
        print(f"{TEXTS[name]:40} {c:9.3f} {python:11.3f} {python - c:9.3f} {python / c:6.2f}")


if __name__ == "__main__":
    main()
