/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The playground: one scene that a page runs, pushes and reads. Built as WebAssembly, called by web/src/play/core.ts;
 * built natively, by its test. There is one playground per program. Bodies are named by slots: those of the scene in
 * its order, then PLAY_BALLS balls that can be thrown, of which the oldest gives way.
 *
 * Functions that can fail give 0 and leave a sentence in play_text; numbers from outside are checked by the library.
 */
#ifndef ABUT_PLAYGROUND_PLAY_H
#define ABUT_PLAYGROUND_PLAY_H

#include "abut/dynamics.h"
#include "abut/json.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#define PLAY_API EMSCRIPTEN_KEEPALIVE
#else
#define PLAY_API
#endif

enum { PLAY_BALLS = 8, PLAY_TEXT = 4096, PLAY_STATE = 14 };

/* Shared by the files of the playground. */
typedef struct Play {
    AbutModel *model; /* as it was built */
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def;
    double step;     /* s */
    double friction; /* of all shapes; negative: as each says */
    int steps;       /* since the scene was loaded */
    AbutStepReport report;
    int bodies; /* of the scene; the slots of the balls come behind */
    AbutBodyId ball[PLAY_BALLS];
    int thrown;
    int dragged;              /* slot; -1: none */
    AbutVec3 hold, to;        /* where it is held, in its frame; where that point shall go, world */
    double *numbers;          /* what play_state and play_contacts hand out */
    int64_t number_room;      /* doubles */
    char text[PLAY_TEXT + 1]; /* names in, sentences out */
    AbutJson json;            /* what play_describe and play_names hand out */
} Play;

extern Play play;

/* 1, or 0 with the sentence of the error in play.text. */
int play_result(AbutStatus status, const AbutError *error);

/* Room for so many doubles at play.numbers; NULL: no memory. */
double *play_room(int64_t count);

/* The body of a slot; null: nothing is there. */
AbutBodyId play_body(int slot);
int play_slot(AbutBodyId body); /* -1: none */

/* ---- what the page calls ----------------------------------------------------------------------------------------- */

/* PLAY_TEXT bytes: where the caller puts the name of a scene, and finds what went wrong. */
PLAY_API char *play_text(void);

/* Scenes, robots and contact models as JSON; NULL: no memory. */
PLAY_API const char *play_names(void);

/* Builds the scene named in play_text, with its own gravity and step and the settings of `abut simulate`. A failure
 * leaves the scene before. */
PLAY_API int play_load(unsigned seed);
PLAY_API void play_unload(void);

/* Bodies and meshes as JSON, as pages have them, and what the scene says of itself; NULL: no memory. */
PLAY_API const char *play_describe(void);

/* Advances by `count` steps; gives how many were done. */
PLAY_API int play_step(int count);

/* Settings, from the next step on. Friction is that of all shapes. */
PLAY_API int play_set_model(int model);
PLAY_API int play_set_step(double seconds);
PLAY_API int play_set_gravity(double x, double y, double z);
PLAY_API int play_set_friction(double friction);

/* Draws a point of a body (in its frame) towards a point of the world, as a damped spring does, until it is let go. */
PLAY_API int play_drag(int slot, double x, double y, double z, double to_x, double to_y, double to_z);
PLAY_API void play_let_go(void);

/* A blow (N s) at a point of the world. */
PLAY_API int play_push(int slot, double x, double y, double z, double jx, double jy, double jz);

/* A ball of that mass and velocity; gives its slot, -1 after a failure. */
PLAY_API int play_throw(double radius, double mass, double x, double y, double z, double vx, double vy, double vz);

/* PLAY_STATE numbers a slot: position, rotation w first, velocity of the center, spin, 1 where a body is there. NULL:
 * no memory. */
PLAY_API int play_slots(void);
PLAY_API const double *play_state(void);

/* Contacts of the last step, their number first; for each 22 numbers (slots a and b, sliding, normal, center, force and
 * torque on b, center of pressure, area, volume, depth, number of vertices), and five for each of its vertices (point,
 * pressure, sliding). NULL: no memory. */
PLAY_API const double *play_contacts(void);

/* Values of the last step: 0 steps, 1 time, 2 kinetic and 3 potential energy, 4 deepest overlap, 5 sweeps, 6 residual.
 */
PLAY_API double play_number(int which);

/* Half of the hash of the state: 0 the lower 32 bits, 1 the upper ones. */
PLAY_API unsigned play_hash(int half);

/* Contact modes of one body with all others held: in play_text "now cs all", where `now` is the mode it is in (- when
 * its contacts drive into each other), `cs` and `all` are numbers of modes, without and with sliding; these take some
 * time and are -1 where `count` is 0 or there are too many contacts. 0: no such body, or it touches nothing. */
PLAY_API int play_modes(int slot, int count);

#endif
