# SPDX-License-Identifier: Apache-2.0
"""Binds the shared library through cffi and calls it: plain, by value, with memory, with an error, and an inline.

Usage: bind.py SOURCE_DIR BINARY_DIR COMPILER
"""
import math
import pathlib
import re
import sys

import cffi

from declarations import declarations


def check_version(ffi, lib, binary):
    header = pathlib.Path(binary, "include/abut/version.h").read_text()
    expected = re.search(r'#define ABUT_VERSION "([^"]+)"', header).group(1)
    assert ffi.string(lib.abut_version()).decode() == expected


def check_inline(lib):
    a, b = lib.abut_vec3(1, 2, 3), lib.abut_vec3(-4, 5, 6)
    assert lib.abut_dot(a, b) == 24
    turned = lib.abut_quat_rotate(lib.abut_quat_axis_angle(lib.abut_axis(2), math.pi / 2), lib.abut_axis(0))
    assert abs(turned.x) < 1e-15 and abs(turned.y - 1) < 1e-15


def make_box(ffi, lib, half):
    out, error = ffi.new("AbutPolyhedron **"), ffi.new("AbutError *")
    assert lib.abut_polyhedron_box(lib.abut_vec3(half, half, half), out, error) == lib.ABUT_OK, ffi.string(error.text)
    return ffi.gc(out[0], lib.abut_polyhedron_free)


def check_distance(ffi, lib):
    """A box and a polyhedron one above the other: 1 m apart, then 0.1 m deep."""
    small = make_box(ffi, lib, 0.5)
    a, b = lib.abut_convex_box(lib.abut_vec3(1, 1, 1), 0.0), lib.abut_convex_polyhedron(small, 0.0)
    for height, expected in ((2.5, 1.0), (1.4, -0.1)):
        pose = lib.abut_pose(lib.abut_vec3(0.1, 0.2, height), lib.abut_quat_identity())
        answer = lib.abut_convex_distance(ffi.addressof(a), ffi.addressof(b), pose, ffi.NULL, ffi.NULL)
        assert abs(answer.distance - expected) < 1e-12, answer.distance
        assert abs(answer.normal.z - 1) < 1e-12


def check_mesh(ffi, lib):
    mesh, error = ffi.new("AbutMesh *"), ffi.new("AbutError *")
    assert lib.abut_mesh_make(b"torus", 1000, ffi.NULL, mesh, error) == lib.ABUT_OK
    assert 900 <= mesh.triangle_count <= 1100
    lib.abut_mesh_free(mesh)
    assert lib.abut_mesh_make(b"teapot", 1000, ffi.NULL, mesh, error) == lib.ABUT_ERROR_ARGUMENT
    assert b"teapot" in ffi.string(error.text), ffi.string(error.text)


def main():
    source, binary, compiler = sys.argv[1:]
    ffi = cffi.FFI()
    text = declarations(compiler, [f"{source}/include", f"{binary}/include"])
    ffi.cdef(text)
    lib = ffi.dlopen(f"{binary}/libabut.so")
    functions = sorted(set(re.findall(r"\b(abut_[a-z0-9_]+)\(", text)))
    for name in functions:
        getattr(lib, name)  # every prototype has its symbol
    check_version(ffi, lib, binary)
    check_inline(lib)
    check_distance(ffi, lib)
    check_mesh(ffi, lib)
    print(f"{len(functions)} functions bound")
    assert len(functions) >= 300


main()
