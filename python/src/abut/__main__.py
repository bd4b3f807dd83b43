# SPDX-License-Identifier: Apache-2.0
"""`python -m abut` and the command `abut`: the command-line tool that the package holds."""
import os
import pathlib
import sys


def main():
    """Becomes the tool; does not return."""
    tool = pathlib.Path(__file__).parent / "bin/abut"
    if not tool.exists():
        sys.exit(f"abut: expected the tool at {tool}, got none; install the package abut, or use build/abut of a build in place")
    os.execv(tool, ["abut", *sys.argv[1:]])


if __name__ == "__main__":
    main()
