# SPDX-License-Identifier: Apache-2.0
"""Builds the extension and the command-line tool by CMake, which knows the library, and puts them into the package.

ABUT_BUILD_DIR names a build folder to take them from; without it one is made in build-python. CMAKE_ARGS holds further
arguments of cmake.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """The version, which lives in CMakeLists.txt and nowhere else."""
    return re.search(r"project\(abut VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def copy(made, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.resolve() != made.resolve():
        shutil.copy(made, target)


class Build(build_ext):
    def get_ext_filename(self, name):
        return os.path.join(*name.split(".")) + ".abi3.so"

    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("ABUT_BUILD_DIR") or ROOT / "build-python").resolve()
        staging = pathlib.Path(self.build_temp).resolve()
        if not os.environ.get("ABUT_BUILD_DIR"):
            subprocess.check_call(
                ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DABUT_BUILD_PYTHON=ON"]
                + [f"-DABUT_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES", "BENCH")]
                + [f"-DABUT_PYTHON={sys.executable}", f"-DABUT_PYTHON_OUTPUT={staging}"]
                + shlex.split(os.environ.get("CMAKE_ARGS", "")))
            made = staging / "_abut.abi3.so"
        else:
            made = ROOT / "python/src/abut/_abut.abi3.so"
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.check_call(["cmake", "--build", build, "--target", "abut_python", "abut", "-j", jobs])
        copy(made, pathlib.Path(self.get_ext_fullpath(extension.name)))
        self.add_tool(build, pathlib.Path(self.build_lib) / "abut")

    def add_tool(self, build, package):
        """The tool, and the page of `abut playground` where the build has it; not for an installation in place."""
        if self.inplace:
            return
        copy(build / "abut", package / "bin/abut")
        targets = subprocess.check_output(["cmake", "--build", build, "--target", "help"], text=True)
        if re.search(r"(?m)^(\.\.\. )?playground\b", targets):
            subprocess.check_call(["cmake", "--build", build, "--target", "playground"])
            copy(build / "playground.html", package / "share/abut/playground.html")


class Source(sdist):
    def run(self):
        raise SystemExit("setup.py: scripts/source-archive makes the source archive, with the built pages in it")


setup(version=version(), ext_modules=[Extension("abut._abut", [], py_limited_api=True)],
      cmdclass={"build_ext": Build, "sdist": Source}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
