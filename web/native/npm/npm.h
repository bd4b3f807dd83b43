/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library for JavaScript: what web/npm/index.ts calls, built as WebAssembly. Bodies and worlds are pointers that
 * the caller frees. Arguments that are not plain numbers are put into js_text, js_numbers and js_integers before a
 * call. Answers are JSON by the tables of the records; NULL, 0 or a negative number is a failure, and js_error says
 * why.
 */
#ifndef ABUT_NPM_H
#define ABUT_NPM_H

#include "abut/dynamics.h"
#include "abut/json.h"
#include "abut/solid.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#define JS_API EMSCRIPTEN_KEEPALIVE
#else
#define JS_API
#endif

enum { JS_POSE = 7, JS_MOTION = 18, JS_STATE = 14 };

typedef struct World World;

/* Room for arguments, at least as much as asked for; valid until the next such call. NULL: out of memory. */
JS_API char *js_text(int bytes);
JS_API double *js_numbers(int count);
JS_API int32_t *js_integers(int count);
JS_API const char *js_error(void);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* From words in js_text; the hull of points in js_numbers; a mesh, its triangles in js_integers, taken as an
 * AbutSolidChoice says. */
JS_API AbutSolidBody *js_body_words(void);
JS_API AbutSolidBody *js_body_points(int count);
JS_API AbutSolidBody *js_body_mesh(int vertex_count, int triangle_count, int choice);
JS_API void js_body_free(AbutSolidBody *body);

/* ---- queries ----------------------------------------------------------------------------------------------------- */

/* The pose of B in A, position before rotation (w first), is in js_numbers; `within` of the distance behind it. */
JS_API const char *js_distance(const AbutSolidBody *a, const AbutSolidBody *b);
JS_API const char *js_depth(const AbutSolidBody *a, const AbutSolidBody *b);
JS_API const char *js_collide(const AbutSolidBody *a, const AbutSolidBody *b);
JS_API const char *js_overlap_volume(const AbutSolidBody *a, const AbutSolidBody *b);

/* Numbers: pose of the body, origin and way of the ray. */
JS_API const char *js_cast(const AbutSolidBody *body);

/* Numbers: JS_MOTION of A, JS_MOTION of B (pose, velocity, point, axis, rate, speed of a screw), begin, end, tolerance.
 * A motion without axis is a translation. */
JS_API const char *js_time_of_impact(const AbutSolidBody *a, const AbutSolidBody *b);

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

/* The built-in scene that js_text names, or an empty one. */
JS_API World *js_world(unsigned seed);
JS_API void js_world_free(World *world);
JS_API const char *js_scenes(void);

/* Numbers of a body: pose, velocity, spin; its name is in js_text. Returns its number. */
JS_API int js_world_add_body(World *world, int kind);
JS_API void js_world_remove_body(World *world, int body);
/* Numbers of a shape: size, pose, density, friction, restitution; `hull` is of kind polyhedron, else NULL. */
JS_API int js_world_add_shape(World *world, int body, int kind, const AbutSolidBody *hull);

/* A setting of the simulation by the name in js_text; the contact model by its name behind "model=". */
JS_API int js_world_set(World *world, double value);
JS_API int js_world_start(World *world); /* begins, or goes on with changed settings */

JS_API double js_world_time_step(const World *world); /* s, of the scene */
JS_API int js_world_step(World *world, int count, double dt);
JS_API const char *js_world_report(const World *world);
JS_API double js_world_time(const World *world);
JS_API unsigned js_world_hash(const World *world, int half); /* 0: the lower 32 bits, 1: the upper ones */

/* JS_STATE numbers a body: position, rotation w first, velocity of the center of mass, spin, 1 where it sleeps. */
JS_API int js_world_body_count(const World *world);
JS_API const double *js_world_state(const World *world);
JS_API const char *js_world_body_name(const World *world, int body);
JS_API const char *js_world_contacts(const World *world);

/* Numbers: position and rotation; velocity and spin; impulse (N s) and where it acts; force (N) and torque (N m). */
JS_API int js_world_set_pose(World *world, int body);
JS_API int js_world_set_velocity(World *world, int body);
JS_API int js_world_push(World *world, int body);
JS_API int js_world_set_force(World *world, int body);

/* The saved state in js_text; gives its bytes. */
JS_API int js_world_save(const World *world);
JS_API int js_world_restore(World *world, int bytes);

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* TypeScript interfaces of the answers. */
JS_API const char *js_types(void);

/* ---- shared by the files here ------------------------------------------------------------------------------------ */

int js_result(AbutStatus status, const AbutError *error); /* 1, or 0 with the sentence kept */
void js_fail(const char *text);
AbutPose js_pose(const double *numbers);
AbutVec3 js_vec3(const double *numbers);
AbutJson *js_begin(void); /* the answer, fresh */
const char *js_finish(void);
const char *js_answer(const AbutRecord *record, const void *data);
extern const AbutRecord js_contact_record, js_volume_record;

#endif
