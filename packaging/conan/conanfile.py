# SPDX-License-Identifier: Apache-2.0
"""abut for Conan 2. `scripts/recipes` fills in the version, where the source archive is, and its checksum."""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.0"


class AbutConan(ConanFile):
    name = "abut"
    version = "@VERSION@"
    license = "Apache-2.0"
    description = "Contact between bodies: distance, depth, overlap, modes, forces"
    topics = ("collision-detection", "physics", "robotics", "simulation")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tool": [True, False], "openmp": [True, False], "xml": [True, False], "zlib": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tool": False, "openmp": False, "xml": True, "zlib": True}
    implements = ["auto_shared_fpic"]

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def requirements(self):
        if self.options.xml:
            self.requires("libxml2/[>=2.9 <3]")
        if self.options.zlib:
            self.requires("zlib/[>=1.2.11 <2]")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, "@URL@/abut-@VERSION@.tar.gz", sha256="@SHA256@", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "ABUT_BUILD_CLI": bool(self.options.tool), "ABUT_BUILD_TESTS": False, "ABUT_BUILD_EXAMPLES": False,
            "ABUT_OPENMP": bool(self.options.openmp), "ABUT_WITH_XML": "ON" if self.options.xml else "OFF",
            "ABUT_WITH_ZLIB": "ON" if self.options.zlib else "OFF", "ABUT_WITH_PLAYGROUND": "AUTO" if self.options.tool else "OFF"})
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share/doc"):
            rmdir(self, os.path.join(self.package_folder, folder))
        kept, other = (".a", ".so") if not self.options.shared else (".so", ".a")
        for name in os.listdir(os.path.join(self.package_folder, "lib")):
            if name.endswith(other) or (kept == ".a" and ".so" in name):
                os.remove(os.path.join(self.package_folder, "lib", name))

    def package_info(self):
        self.cpp_info.libs = ["abut"]
        self.cpp_info.set_property("cmake_target_name", "abut::abut")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"]
        if self.options.openmp:
            self.cpp_info.sharedlinkflags = self.cpp_info.exelinkflags = ["-fopenmp"]
