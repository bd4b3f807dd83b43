# SPDX-License-Identifier: Apache-2.0
"""Builds the extension by CMake, which knows the library, and puts it into the package.

ABUT_BUILD_DIR names a build folder to take the library from; without it one is made in build-python.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version():
    """The version, which lives in CMakeLists.txt and nowhere else."""
    return re.search(r"project\(abut VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class Build(build_ext):
    def get_ext_filename(self, name):
        return os.path.join(*name.split(".")) + ".abi3.so"

    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("ABUT_BUILD_DIR") or ROOT / "build-python").resolve()
        staging = pathlib.Path(self.build_temp).resolve()
        if not os.environ.get("ABUT_BUILD_DIR"):
            subprocess.check_call(
                ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DABUT_BUILD_PYTHON=ON"]
                + [f"-DABUT_BUILD_{part}=OFF" for part in ("CLI", "TESTS", "EXAMPLES", "BENCH")]
                + [f"-DABUT_PYTHON={sys.executable}", f"-DABUT_PYTHON_OUTPUT={staging}",
                   f"-DABUT_WEB_DIR={ROOT / 'build/web'}"])
            made = staging / "_abut.abi3.so"
        else:
            made = ROOT / "python/src/abut/_abut.abi3.so"
        subprocess.check_call(["cmake", "--build", build, "--target", "abut_python", "-j", str(os.cpu_count())])
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.resolve() != made:
            shutil.copyfile(made, target)


setup(version=version(), ext_modules=[Extension("abut._abut", [], py_limited_api=True)],
      cmdclass={"build_ext": Build}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
