# SPDX-License-Identifier: Apache-2.0
"""A run of falling boxes for the viewer of Rerun: `rerun drop.rrd` shows it."""
import rerun

import abut

run = abut.Simulation(abut.Scene("boxes:5")).run(1.0)
abut.to_rerun(run, "drop.rrd", every=5)
print(f"drop.rrd for rerun {rerun.__version__}: {len(run)} steps of {run.info['bodies']} bodies")
