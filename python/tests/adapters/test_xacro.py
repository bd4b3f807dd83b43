# SPDX-License-Identifier: Apache-2.0
"""xacro files read by abut and by the registry's xacro package: the same bodies, joints and numbers; hostile ones are refused."""
import pathlib
import random
import sys
import types

import numpy as np
import pytest

xacro = pytest.importorskip("xacro")

import abut

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
LINK = '<link name="{}"><inertial><mass value="{}"/><origin xyz="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'


def by_xacro(path, **args):
    text = xacro.process_file(str(path), mappings={k: str(v) for k, v in args.items()}).toxml()
    plain = path.with_suffix(".plain.urdf")
    plain.write_text(text)
    return abut.Model.read(plain, allow_outside=True)


def compare(ours, theirs):
    assert [b["name"] for b in ours.bodies] == [b["name"] for b in theirs.bodies]
    for a, b in zip(ours.bodies, theirs.bodies):
        for key in ("pose", "mass", "center", "inertia"):
            assert np.allclose(a[key], b[key], rtol=1e-12, atol=1e-12), (a["name"], key)
    assert [j["name"] for j in ours.joints] == [j["name"] for j in theirs.joints]
    for a, b in zip(ours.joints, theirs.joints):
        assert np.allclose(a["range"], b["range"], rtol=1e-12, atol=1e-12) and np.allclose(a["axis"], b["axis"])


def both(tmp_path, text, **args):
    path = tmp_path / "robot.xacro"
    path.write_text(text)
    ours = abut.Model.read(path, args=args)
    compare(ours, by_xacro(path, **args))
    return ours


def test_macros_blocks_and_scopes(tmp_path):
    (tmp_path / "part.xacro").write_text(HEAD + '''
      <xacro:property name="late" value="${early * 2}"/>
      <xacro:macro name="leg" params="name parent side:=1 length:=${late} *place **more mass:=^|0.5">
        <xacro:property name="half" value="${length / 2}"/>
        <link name="${name}"><inertial><mass value="${mass}"/><origin xyz="0 0 ${-half * side}"/><xacro:insert_block name="more"/></inertial></link>
        <joint name="${name}_joint" type="revolute"><parent link="${parent}"/><child link="${name}"/><xacro:insert_block name="place"/>
          <axis xyz="0 ${side} 0"/><limit lower="${-pi / 2}" upper="${radians(30 + 15 * side)}" effort="1" velocity="1"/></joint>
      </xacro:macro></robot>''')
    model = both(tmp_path, HEAD + '''
      <xacro:arg name="sides" default="2"/>
      <xacro:property name="early" value="0.25"/>
      <xacro:include filename="part.xacro"/>
      <xacro:property name="bars"><inertia ixx="${early}" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></xacro:property>
      <link name="base"/>
      <xacro:macro name="pair" params="i">
        <xacro:leg name="left_${i}" parent="base"><origin xyz="${i} 0.1 0" rpy="0 0 ${pi / (i + 2)}"/><b><xacro:insert_block name="bars"/></b></xacro:leg>
        <xacro:leg name="right_${i}" parent="base" side="-1" mass="${early ** 2}" length="${1 if i > 1 else 0.5}">
          <origin xyz="${i} -0.1 0"/><b><inertia ixx="2" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/></b></xacro:leg>
        <xacro:if value="${i + 1 &lt; $(arg sides)}"><xacro:pair i="${i + 1}"/></xacro:if>
      </xacro:macro>
      <xacro:pair i="0"/>
      <xacro:unless value="${$(arg sides) == 2 or early &gt; 0.2}"><link name="never"/></xacro:unless></robot>''', sides=3)
    assert len(model.joints) == 6


def expression(rng, depth):
    """A random expression of numbers; whole and other ones, no division by what may be 0."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["3", "0.5", "2.", "1e-3", "a", "b", "pi", "7", "True", ".25", "math.pi"])
    x, y, z = (expression(rng, depth - 1) for _ in range(3))
    return rng.choice([
        f"({x} + {y})", f"{x} - {y}", f"{x}*{y}", f"({x}) / (1 + fabs({y}))", f"-({x})", f"({x})//(2 + fabs({y}))", f"({x}) % (1.5 + fabs({y}))",
        f"sin({x})", f"math.cos({x})", f"atan2({x}, {y})", f"sqrt(fabs({x}))", f"max({x}, {y}, {z})", f"min({x}, {y})", f"radians({x})",
        f"({x} if {y} < {z} else {y})", f"(1 if {x} >= {y} and not {z} == 2 else 0)", f"int({x})", f"round({x})", f"python.abs({x})", f"float({x})",
        f"(({x}) ** 2)", f"(2 ** (({x}) % 3))", f"-2 ** 2 + {x}", f"({x} or {y})", f"({x} and {z})", f"len(str(int({x})))", f"({x} != {y})"])


def test_random_expressions(tmp_path):
    rng, lines, seen = random.Random(4), [], 0
    for _ in range(400):
        text = expression(rng, 4)
        try:
            value = eval(text, {k: getattr(xacro.math, k) for k in dir(xacro.math)} | {"math": xacro.math, "python": types.SimpleNamespace(abs=abs), "a": 4, "b": -0.75})
        except (OverflowError, ValueError):
            continue
        if abs(value) > 1e15:
            continue
        seen += 1
        lines.append(LINK.format(f"l{seen}", 1, f"${{1.0 * ({text.replace('<', '&lt;').replace('>', '&gt;')})}} 0 0")
                     + f'<joint name="j{seen}" type="fixed"><parent link="base"/><child link="l{seen}"/></joint>')
    assert seen > 300
    both(tmp_path, HEAD + '<xacro:property name="a" value="4"/><xacro:property name="b" value="-0.75"/><link name="base"/>' + "".join(lines) + "</robot>")


def test_texts(tmp_path):
    model = both(tmp_path, HEAD + '''<xacro:property name="side" value="left"/><xacro:property name="n" value="2.0"/>
      <xacro:property name="quoted" value="'3'"/><xacro:property name="sum" value="${1 + 2}${n}"/>
      <link name="${side + '_' + str(n)}_${quoted}_$${side}_${sum}_${n * 2}_${7 // 2}_${1e-7}_${True}"/></robot>''')
    assert model.bodies[0]["name"] == "left_2.0_3_${side}_32.0_4.0_3_1e-07_True"


def test_packages(tmp_path, monkeypatch):
    package = tmp_path / "install/share/parts_description"
    (package / "urdf").mkdir(parents=True)
    (package / "urdf/arm.xacro").write_text(HEAD + '<xacro:macro name="arm" params="n"><link name="${n}"/></xacro:macro></robot>')
    (tmp_path / "own").mkdir()
    path = tmp_path / "own/robot.urdf.xacro"
    path.write_text(HEAD + '<xacro:include filename="$(find parts_description)/urdf/arm.xacro"/><xacro:arm n="a"/></robot>')
    with pytest.raises(abut.Error, match="parts_description"):
        abut.Model.read(path)
    assert abut.Model.read(path, package_path=str(tmp_path / "install")).bodies[0]["name"] == "a"
    assert abut.Model.read(path, packages={"parts_description": str(package)}).bodies[0]["name"] == "a"
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path}/nothing:{tmp_path}/install")
    assert abut.Model.read(path).bodies[0]["name"] == "a"
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(package))
    assert abut.Model.read(path).bodies[0]["name"] == "a"


def test_the_robots_of_robosuite(tmp_path):
    found = []
    for folder in map(pathlib.Path, sys.path):
        found += (folder / "robosuite/models/assets").glob("**/*.urdf.xacro") if (folder / "robosuite").is_dir() else []
    if not found:
        pytest.skip("robosuite is not installed")
    read = 0
    for path in found:
        plain = tmp_path / "plain.urdf"
        plain.write_text(xacro.process_file(str(path)).toxml())
        try:
            theirs = abut.Model.read(plain, without_meshes=True)
        except abut.Error as problem:  # a part without what it hangs on
            with pytest.raises(abut.Error, match=str(problem).rpartition(": ")[2]):
                abut.Model.read(path, without_meshes=True)
            continue
        compare(abut.Model.read(path, without_meshes=True), theirs)
        read += 1
    assert read >= 2


def billion(body):
    return HEAD + body + '<link name="base"/></robot>'


@pytest.mark.parametrize("text, part", [
    (billion('<xacro:macro name="a"><xacro:a/></xacro:macro><xacro:a/>'), "deep"),
    (billion("".join(f'<xacro:macro name="m{i}"><xacro:m{i + 1}/><xacro:m{i + 1}/></xacro:macro>' for i in range(60))
             + '<xacro:macro name="m60"><link name="x"/></xacro:macro><xacro:m0/>'), "at most"),
    (billion("".join(f'<xacro:property name="p{i}" value="${{p{i + 1}}}${{p{i + 1}}}"/>' for i in range(40))
             + '<xacro:property name="p40" value="xx"/><link name="${p0}"/>'), "at most"),
    (billion('<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><link name="${a}"/>'), "use itself"),
    (billion('<link name="${' + "(" * 500 + "1" + ")" * 500 + '}"/>'), "fewer parts"),
    (billion('<link name="${' + "-" * 500 + '1}"/>'), "fewer parts"),
    (billion('<link name="${9 ** 9 ** 9}"/>'), "finite"),
    (billion('<link name="${1 / 0}"/>'), "divisor"),
    (billion('<link name="${[1, 2][0]}"/>'), "expected"),
    (billion('<link name="${__import__(1)}"/>'), "function"),
    (billion('<link name="${xacro.load_yaml(1)}"/>'), "function"),
    (billion('<link name="${nothing}"/>'), "defined, got 'nothing'"),
    (billion('<link name="${1"/>'), "expected '}'"),
    (billion('<link name="${1 +}"/>'), "expected a number"),
    (billion('<link name="$(env HOME)"/>'), r"\$\(arg NAME\)"),
    (billion('<link name="$(arg x)"/>'), "declared argument"),
    (billion('<xacro:include filename="../outside.xacro"/>'), "in the folder"),
    (billion('<xacro:include filename="/etc/passwd"/>'), "in the folder"),
    (billion('<xacro:include filename="missing.xacro"/>'), "missing.xacro"),
    (billion('<xacro:nothing/>'), "macro that is defined"),
    (billion('<xacro:macro name="a" params="x"><link name="${x}"/></xacro:macro><xacro:a/>'), "value for the parameter, got 'x'"),
    (billion('<xacro:macro name="a" params="x"><link name="${x}"/></xacro:macro><xacro:a x="1" y="2"/>'), "parameter of the macro, got 'y'"),
    (billion('<xacro:macro name="a" params="*b"/><xacro:a/>'), "child element"),
    (billion('<xacro:macro name="a"/><xacro:a><b/></xacro:a>'), "block parameter"),
    (billion('<xacro:insert_block name="x"/>'), "block that is defined"),
    (billion('<xacro:if value="maybe"/>'), "true, false or a number, got 'maybe'"),
    (billion('<xacro:if/>'), "attribute value"),
])
def test_what_is_refused(tmp_path, text, part):
    path = tmp_path / "robot.xacro"
    path.write_text(text)
    (tmp_path.parent / "outside.xacro").write_text("<robot/>")
    with pytest.raises(abut.Error, match=part) as problem:
        abut.Model.read(path)
    assert "robot.xacro" in str(problem.value)
