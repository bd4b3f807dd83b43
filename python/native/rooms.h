/* SPDX-License-Identifier: Apache-2.0 */
/* Types and tables of functions of the files that stand on the bodies, for module.c. */
#ifndef ABUT_PYTHON_ROOMS_H
#define ABUT_PYTHON_ROOMS_H

#include "native.h"

int add_overlap_type(PyObject *module);
int add_motion_type(PyObject *module);
int add_mode_type(PyObject *module);
int add_model_type(PyObject *module);
int add_scene_type(PyObject *module);
int add_simulation_type(PyObject *module);
int add_batch_type(PyObject *module);
int add_run_type(PyObject *module);
int add_robot_type(PyObject *module);
int add_soft_type(PyObject *module);
int add_problem_type(PyObject *module);
int add_convolution_type(PyObject *module);
int add_phong_type(PyObject *module);
int add_robot_motion_type(PyObject *module);
int add_manipulation_type(PyObject *module);
int add_roadmap_type(PyObject *module);

extern PyMethodDef overlap_functions[], intersect_functions[], motion_functions[], clearance_functions[];
extern PyMethodDef mode_functions[], mode_list_functions[], mode_one_functions[];
extern PyMethodDef model_functions[], scene_functions[], simulation_functions[], run_functions[], robot_functions[];
extern PyMethodDef scene_robot_functions[], plan_solve_functions[], model_list_functions[], scene_act_functions[];
extern PyMethodDef scene_ask_functions[], simulation_event_functions[], minkowski_functions[], curve_functions[],
    trajectory_functions[];
extern PyMethodDef robot_motion_functions[], plan_along_functions[], phong_functions[];
extern PyMethodDef page_functions[], run_hand_functions[], mode_more_functions[], plan_balance_functions[];
extern PyMethodDef picture_functions[], points_functions[], contact_functions[], direction_functions[],
    plan_functions[], plan_many_functions[], roadmap_functions[], batch_functions[], manipulation_functions[],
    derivative_functions[];

#define ROOM_TYPES                                                                                                     \
    add_overlap_type, add_motion_type, add_mode_type, add_model_type, add_scene_type, add_simulation_type,             \
        add_run_type, add_robot_type, add_soft_type, add_problem_type, add_convolution_type, add_phong_type,           \
        add_robot_motion_type, add_batch_type, add_manipulation_type, add_roadmap_type
#define ROOM_FUNCTIONS                                                                                                 \
    overlap_functions, intersect_functions, motion_functions, clearance_functions, mode_functions,                     \
        mode_list_functions, mode_one_functions, model_functions, scene_functions, simulation_functions,               \
        run_functions, robot_functions, picture_functions, points_functions, contact_functions, direction_functions,   \
        plan_functions, scene_robot_functions, plan_solve_functions, model_list_functions, scene_act_functions,        \
        scene_ask_functions, simulation_event_functions, minkowski_functions, curve_functions, trajectory_functions,   \
        page_functions, run_hand_functions, mode_more_functions, plan_balance_functions, robot_motion_functions,       \
        plan_along_functions, plan_many_functions, phong_functions, batch_functions, manipulation_functions,           \
        derivative_functions, roadmap_functions

#endif
