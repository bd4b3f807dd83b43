/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulators that live in another program (Python, Node): the scene goes there as one line of JSON, then "s DT" makes a
 * step and "r" reads the bodies; the program answers "ready" or "no WHY", then the processor seconds of the step
 * and the pairs in contact, then 14 numbers for each body: position, quaternion with its real part first, velocity,
 * spin, force of the ground ("nan" where it cannot tell). A variable of the environment holds the command that starts
 * the program; without it, or where it answers otherwise, the simulator is not here.
 */
#include "bench/sim_engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct State {
    pid_t child;
    FILE *to, *from;
    int count, pairs;
    double seconds;
} State;

/* ---- the scene as JSON ------------------------------------------------------------------------------------------- */

static void put_numbers(FILE *to, const char *name, const double *numbers, int count) {
    fprintf(to, "\"%s\":[", name);
    for (int i = 0; i < count; ++i) fprintf(to, "%s%.17g", i ? "," : "", numbers[i]);
    fputc(']', to);
}

static void put_vector(FILE *to, const char *name, AbutVec3 v) {
    double numbers[] = {v.x, v.y, v.z};
    put_numbers(to, name, numbers, 3);
}

static void put_pose(FILE *to, AbutPose x) {
    double numbers[] = {x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z};
    put_numbers(to, "pose", numbers, 7);
}

/* Points about the center of mass, for hulls. */
static void put_points(FILE *to, const SimScene *scene, int i) {
    const AbutPolyhedron *p = sim_shape(scene, i)->geometry->polyhedron;
    fputs("\"points\":[", to);
    for (int k = 0; k < p->vertex_count; ++k) {
        AbutVec3 v = abut_sub(abut_polyhedron_vertices(p)[k], sim_body(scene, i)->center);
        fprintf(to, "%s%.17g,%.17g,%.17g", k ? "," : "", v.x, v.y, v.z);
    }
    fputs("],", to);
}

static void put_body(FILE *to, const SimScene *scene, int i) {
    AbutShapeKind kind = sim_shape(scene, i)->form.kind;
    const char *word = kind == ABUT_SHAPE_BOX        ? "box"
                       : kind == ABUT_SHAPE_SPHERE   ? "ball"
                       : kind == ABUT_SHAPE_CAPSULE  ? "capsule"
                       : kind == ABUT_SHAPE_CYLINDER ? "cylinder"
                                                     : "hull";
    fprintf(to, "%s{\"kind\":\"%s\",\"mass\":%.17g,", i ? "," : "", word, sim_body(scene, i)->mass);
    if (strcmp(word, "hull") == 0) put_points(to, scene, i);
    put_vector(to, "size", sim_shape(scene, i)->form.size);
    fputc(',', to);
    put_pose(to, sim_start(scene, i));
    fputc('}', to);
}

static void put_scene(FILE *to, const SimScene *scene, double dt) {
    fprintf(to, "{\"dt\":%.17g,\"friction\":%.17g,\"offset\":%.17g,\"unit\":%.17g,", dt, scene->friction,
        scene->ground.offset, 2.0 * sim_shape(scene, 0)->geometry->bound.radius);
    put_vector(to, "gravity", scene->gravity);
    fputc(',', to);
    put_vector(to, "normal", scene->ground.normal);
    fputs(",\"bodies\":[", to);
    for (int i = 0; i < scene->count; ++i) put_body(to, scene, i);
    fputs("],\"walls\":[", to);
    for (int i = 0; i < scene->wall_count; ++i) {
        fputs(i ? ",{" : "{", to);
        put_vector(to, "size", scene->wall[i].half);
        fputc(',', to);
        put_pose(to, scene->wall[i].pose);
        fputc('}', to);
    }
    fputs("]}\n", to);
    fflush(to);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static void close_state(void *user) {
    State *s = user;
    fclose(s->to);
    fclose(s->from);
    waitpid(s->child, NULL, 0);
    free(s);
}

/* NULL: it could not be started. */
static State *start(const char *command) {
    int down[2], up[2];
    if (pipe(down) || pipe(up)) return NULL;
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(down[0]), close(up[1]);
    State *s = bench_memory(1, sizeof *s);
    s->child = child;
    s->to = fdopen(down[1], "w");
    s->from = fdopen(up[0], "r");
    return s;
}

static void *open_state(const char *variable, const SimScene *scene, double dt, int threads) {
    char line[200] = "";
    const char *command = getenv(variable);
    State *s = command && *command && threads == 1 ? start(command) : NULL;
    if (!s) return NULL;
    s->count = scene->count;
    put_scene(s->to, scene, dt);
    if (fgets(line, sizeof line, s->from) && strncmp(line, "ready", 5) == 0) return s;
    if (strncmp(line, "no ", 3) != 0) fprintf(stderr, "abut-bench: %s: no answer\n", variable);
    close_state(s);
    return NULL;
}

static int step(void *user, double dt) {
    State *s = user;
    fprintf(s->to, "s %.17g\n", dt);
    fflush(s->to);
    return fscanf(s->from, "%lf %d", &s->seconds, &s->pairs) == 2;
}

static void info(void *user, SimStep *out) {
    const State *s = user;
    out->seconds = s->seconds;
    out->pairs = s->pairs;
}

static double number(State *s) {
    double x = NAN;
    return fscanf(s->from, "%lf", &x) == 1 ? x : NAN;
}

static AbutVec3 vector(State *s) {
    AbutVec3 v;
    v.x = number(s), v.y = number(s), v.z = number(s);
    return v;
}

static void read_bodies(void *user, SimBody *body) {
    State *s = user;
    fputs("r\n", s->to);
    fflush(s->to);
    for (int i = 0; i < s->count; ++i) {
        body[i].pose.p = vector(s);
        body[i].pose.q.w = number(s);
        AbutVec3 v = vector(s);
        body[i].pose.q.x = v.x, body[i].pose.q.y = v.y, body[i].pose.q.z = v.z;
        body[i].velocity = vector(s);
        body[i].spin = vector(s);
        body[i].ground_force = number(s);
    }
}

#define PIPED(name, title, variable)                                                                                   \
    static void *open_##name(const SimScene *scene, double dt, int threads) {                                          \
        return open_state(variable, scene, dt, threads);                                                               \
    }                                                                                                                  \
    const SimEngine sim_##name = {title, 0, 0, open_##name, step, info, read_bodies, close_state}

PIPED(drake, "Drake", "ABUT_SIM_DRAKE");
PIPED(jolt, "Jolt, wasm", "ABUT_SIM_JOLT");
PIPED(havok, "Havok, wasm", "ABUT_SIM_HAVOK");
