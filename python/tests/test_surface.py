# SPDX-License-Identifier: Apache-2.0
"""Every public function of C and every command of the tool has its form in Python: the table in docs/reference/python_surface.md."""
import inspect
import re

from conftest import ROOT

import abut

TABLE = (ROOT / "docs/reference/python_surface.md").read_text()
ROW = re.compile(r"^\| (`abut[_ ][^|]*) \| `(abut\.[A-Za-z_.]+)` \|$", re.M)
FUNCTION = re.compile(r"^(?:ABUT_API|ABUT_INLINE) [^;{(]*?\b(abut_[a-z0-9_]+) ?\(", re.M)
# Public functions of C that have no form in Python, by the reason, without their prefix.
WITHOUT = {
    "followers come along by themselves: Trajectory.read, plan, PlanProblem":
        "plan_joints_at tree_coupling",
    "a mesh is an obstacle by itself: PlanProblem(robot, mesh)":
        "plan_obstacles_add",
    "abut.depth answers it for two meshes":
        "scene_surface_depth",
    "Python counts references: objects end by themselves":
        "batch_free body_tree_free clearance_body_free clearance_space_free configuration_free contact_list_free controls_free "
        "convolution_free csv_cancel derivative_free file_out_cancel geometry_release "
        "image_free mesh_free mesh_tree_free mode_list_free mode_system_free model_free "
         "manip_plan_free motion_free phong_free pieces_free plan_free plan_obstacles_free plan_problem_free plan_prover_free polyhedron_free roadmap_free robot_motion_free run_free "
        "run_view_free scene_free scene_surfaces_free simulation_free soft_body_free solid_body_free trajectory_free tree_release tree_retain",
    "Python owns the memory that queries need":
        "batch_state_size clearance_space_create intersect_polyhedra_workspace_size intersect_workspace_size overlap_workspace_size "
        "simulation_state_size soft_size",
    "keyword arguments have their defaults; Simulation.settings() tells those of a simulation":
        "actuator_default body_default equality_default frame_default ik_default ik_task_default joint_default "
        "mode_options_default pair_default plan_def_default plan_settings_default plot_default render_default shape_default "
        "simulation_default",
    "words are texts in Python":
        "contact_model_find contact_model_name word word_find",
    "checked where objects are made":
        "curve_check motion_check polyhedron_check trajectory_check",
    "modes are texts of signs in Python":
        "mode_list_get mode_words",
    "hooks and memory of C, set before Python starts":
        "alloc alloc_array assert_failed fail fail_field fail_memory free grow set_allocator set_assert_handler",
    "Python has its own: numpy.random, hash, repr, difflib, multiprocessing, __version__, Error.status":
        "format_double hash parallel_for rng rng_below rng_between rng_normal rng_u64 rng_unit status_text suggest "
        "thread_count version",
    "numpy, and the functions of poses":
        "aabb_add aabb_empty aabb_overlap add add_scaled axis cos cross dot get is_finite larger length length_sq lerp "
        "mat3 mat3_add mat3_apply mat3_apply_t mat3_diagonal mat3_identity mat3_mul "
        "mat3_mul_t mat3_scale mat3_sub mat3_trace mat3_transpose max max_abs min mul neg normalize normalize_or "
        "perpendicular point_distance pose_apply_inv pose_between pose_identity pose_is_finite quat quat_axis_angle "
        "quat_conj quat_dot quat_exp quat_from_mat3 quat_identity quat_log quat_mul quat_normalize quat_rotate "
        "quat_rotate_inv random_direction random_quat scale sin smaller sub triple vec3 zero",
    "the module json":
        "json_begin_array json_begin_object json_end_array json_end_object json_finish json_free "
        "json_key json_leaves json_numbers json_put_bool json_put_integer json_put_number "
        "json_put_string json_put_vec3 json_to_file "
        "record_print record_print_keys record_put record_put_object",
    "the module csv, numpy.savez, open":
        "csv_comment csv_commit csv_end_row csv_integer csv_number csv_open csv_record csv_text file_check_outputs "
        "file_load file_reserve_outputs file_out_commit file_out_discard file_out_open file_write mesh_name_fits",
    "blocks of C memory: Convex.vertices, Convex.planes and Convex.to_mesh show them":
        "polyhedron_faces polyhedron_half_edges polyhedron_vertices",
    "bodies, poses, postures, pairs and pushes are arguments in Python, not texts":
        "convex_parse numbers_parse pose_parse posture_held posture_set",
    "abut.show, abut.render, abut.write_gif":
        "page_write_clearance page_write_model page_write_pieces picture_plan picture_plate run_write_picture",
    "Simulation.set_controller follows a trajectory":
        "plan_follower_create plan_follower_drive plan_follower_drives plan_follower_measure",
    "a PlanProblem holds its robot and obstacles":
        "plan_move_obstacle plan_robot_create plan_robot_free plan_robot_problem",
    "numpy moves vertices; PlanOptions(capsules=True)":
        "mesh_center model_body_capsule model_draw_capsule",
    "the module calls it when it is loaded":
        "literature_register",
    "pages and lattices of modes: abut.mode_view, ModeSystem; Convex.distance says whether bodies meet":
        "intersect_convex page_write_mode_list picture_mode_lattice",
    "a function of C as a body":
        "convex_support",
    "an attribute, or part of another call":
        "gap_in gap_meets page_available simulation_scene "
        "solid_convex solid_from_field solid_from_mesh solid_mesh solid_of solid_pieces solid_prepared",
}
COMMANDS_WITHOUT = {"help": "help(abut)", "playground": "a page with the library in it, for browsers", "reproduce": "prints the experiments of papers; a program of its own"}


def rows():
    return [(re.findall(r"`(abut[_ ][a-z0-9_ ]+)`", left), right) for left, right in ROW.findall(TABLE)]


def test_every_name_is_there():
    assert len(rows()) > 150
    for _, name in rows():
        thing = abut
        for part in name.split(".")[1:]:
            thing = getattr(thing, part)
        assert inspect.getdoc(thing), f"{name} has no docstring"


def test_every_c_function_has_a_row():
    told = {name for names, _ in rows() for name in names if " " not in name}
    public = set()
    for header in (ROOT / "include/abut").glob("*.h"):
        public |= set(FUNCTION.findall(re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)))
    public |= set(re.findall(r"^[A-Za-z][^;{(]*?\b(abut_[a-z0-9_]+)\(", (ROOT / "literature/include/abut/literature.h").read_text(), re.M))
    listed = [f"abut_{name}" for names in WITHOUT.values() for name in names.split()]
    assert len(public) > 500
    assert sorted(told - public) == [], "docs/reference/python_surface.md names functions that are not public"
    assert sorted(public - told - set(listed)) == [], "functions without a Python form: a row of docs/reference/python_surface.md, or WITHOUT with a reason"
    assert sorted(name for name in listed if name not in public or name in told) == [], "WITHOUT has entries that are not needed"
    assert len(listed) == len(set(listed))


def test_every_command_has_a_row(tool):
    told = {name.split()[1] for names, _ in rows() for name in names if name.startswith("abut ")}
    commands = set(re.findall(r"^  ([a-z]+) ", tool("help"), re.M))
    assert len(commands) > 15
    assert sorted(told - commands) == [], "docs/reference/python_surface.md names commands that are not there"
    assert sorted(commands - told - set(COMMANDS_WITHOUT)) == [], "commands without a Python form"
    assert sorted(set(COMMANDS_WITHOUT) & told | set(COMMANDS_WITHOUT) - commands) == []


def test_the_stub_is_what_the_classes_are(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import make_stub
    make_stub.main()
    stub = (ROOT / "python/src/abut/_abut.pyi").read_text()
    assert capsys.readouterr().out == stub, "run make_stub.py"
    compile(stub, "_abut.pyi", "exec")


def test_functions_explain_themselves():
    for name, thing in vars(abut).items():
        if name.startswith("_") or inspect.ismodule(thing) or not callable(thing):
            continue
        assert inspect.getdoc(thing), f"abut.{name} has no docstring"
        if inspect.isfunction(thing):
            hints = inspect.signature(thing)
            assert hints.return_annotation is not inspect.Signature.empty, f"abut.{name} has no type"
    text = inspect.getdoc(abut.distance)
    assert "meters" in text and "within" in text


def test_methods_bear_their_public_names():
    for owner in (abut.Convex, abut.Mesh, abut.Model, abut.ModeSystem, abut.Motion, abut.Overlap):
        for name, method in vars(owner).items():
            function = getattr(method, "__func__", method)
            if inspect.isfunction(function) and not name.startswith("_"):
                assert (function.__name__, function.__qualname__) == (name, f"{owner.__name__}.{name}") or name == "decompose"
