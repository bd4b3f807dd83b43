# SPDX-License-Identifier: Apache-2.0
"""An arm reaches for a point past a post; the motion is planned, and proved to keep clear."""
import sys

import numpy as np

import abut

arm = abut.Robot("arm6")
start = arm.q
reached = arm.ik("tool", (0.3, 0.2, 0.5))
goal = arm.q
print(f"reached: {reached.reached}, to a nanometer: {reached.error_position < 1e-9}")

table = abut.Model()
post = table.add_body("post", "static", pose=(0.55, 0.45, 0.3))
table.add_shape(post, "cylinder", (0.05, 0.05, 0.3))
problem = abut.PlanProblem(arm, table)
plan = problem.solve(start, goal)
print(f"plan: {plan.status}; {plan.certificate.status} at all times, as proved for every pair of links")
assert plan.status == "certified" and plan.certificate.lb > 0.0

times = np.linspace(0.0, plan.times[-1], 41)
run = abut.Run.of_poses(arm.model, times, arm.body_poses(plan.joints_at(times)))
if len(sys.argv) > 1:
    abut.write_png(sys.argv[1], abut.render(run, time=times[-1], size=(480, 360), eye=(1.7, -1.3, 1.1), target=(0.15, 0.05, 0.4)))
