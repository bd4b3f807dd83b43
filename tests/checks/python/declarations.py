# SPDX-License-Identifier: Apache-2.0
"""The public headers as plain declarations, as cffi and other readers of C take them.

In: the folders of the headers and a C compiler. Out: types and prototypes without attributes, function bodies and
anything of the system's own headers. The preprocessor runs over empty stand-ins of the system headers, so that what is
left is ours alone; the bodies of inline functions become semicolons, since each is a symbol of the library too.
"""
import pathlib
import re
import subprocess
import tempfile


def system_headers(folders):
    """Names that the public headers include with angle brackets."""
    text = "".join(path.read_text() for folder in folders for path in pathlib.Path(folder).glob("abut/*.h"))
    return sorted(set(re.findall(r"^#include <([^>]+)>", text, re.MULTILINE)))


def preprocess(compiler, folders):
    with tempfile.TemporaryDirectory() as stubs:
        for name in system_headers(folders):
            path = pathlib.Path(stubs, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        # Without __GNUC__ the headers use no attributes.
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-DABUT_INLINE=", "-I", stubs]
        for folder in folders:
            command += ["-I", str(folder)]
        command += ["-x", "c", "-"]
        source = '#include "abut/abut.h"\n'
        return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def without_bodies(text):
    """Replaces every block that follows a closing parenthesis by a semicolon."""
    out, depth = [], 0
    for piece in re.split(r"(\)\s*\{|[{}])", text):
        opens = piece.endswith("{")
        if depth == 0 and not (opens and piece.startswith(")")):
            out.append(piece)
            continue
        if depth == 0:
            out.append(");")
        depth += opens - (piece == "}")
    return "".join(out)


def declarations(compiler, folders):
    return without_bodies(preprocess(compiler, folders))
