/* SPDX-License-Identifier: Apache-2.0 */
/* How `abut simulate` prints: a summary for people, or JSON with all digits (keys: docs/simulate.md); and the list of
 * scenes and models. */
#include "simulate.h"
#include "abut/literature.h"

#include <string.h>

static double mean(double sum, int64_t count)
{
    return count > 0 ? sum / (double)count : 0.0;
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void print_stages(const SimulateTotals *t)
{
    double all = 0.0;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        all += t->stage[i];
    printf("  %-12s", "stages");
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        printf("%s%s %.2f us (%.0f %%)",
            i == 0   ? " "
            : i == 3 ? "\n               "
                     : ", ",
            abut_stage_name((AbutStage)i), 1e6 * mean(t->stage[i], t->steps),
            all > 0.0 ? 100.0 * t->stage[i] / all : 0.0);
    printf("\n");
}

static void print_text(const SimulateArgs *a, const SimulateTotals *t)
{
    printf("%s\n", a->scene);
    printf("  %-12s %s, dt %g s\n", "model", abut_contact_model_name(a->def.model), a->dt);
    printf("  %-12s %d, %d of them dynamic\n", "bodies", t->bodies, t->dynamic);
    printf("  %-12s %lld, %g s simulated%s\n", "steps", (long long)t->steps, t->time,
        t->partial ? " (interrupted: partial)" : "");
    printf("  %-12s %.3f s, %.1f us per step\n", "wall time", t->seconds, 1e6 * mean(t->seconds, t->steps));
    print_stages(t);
    printf("  %-12s %d at the end, %.1f on average, %d at most\n", "contacts", t->last.contacts,
        mean(t->contacts_sum, t->steps), t->contacts_max);
    printf("  %-12s %.3g m at the end, %.3g m at worst\n", "depth", t->depth, t->max_depth);
    printf("  %-12s kinetic %.3g J, potential %.4g J, at the start %.4g J\n", "energy", t->kinetic, t->potential,
        t->energy_start);
    printf("  %-12s %.3g J at most in one step, %.3g J at most above the start\n", "energy rise", t->rise_max,
        t->excess_max);
    printf("  %-12s %.2f on average, %d at most; %lld of %lld steps stopped at the limit (usual while bodies strike)\n",
        "iterations", mean(t->sweeps_sum, t->contact_steps), t->sweeps_max, (long long)t->capped_steps,
        (long long)t->steps);
    printf("  %-12s %.3g m/s at the end, %.3g on average, %.3g at worst\n", "residual", t->last.residual,
        mean(t->residual_sum, t->contact_steps), t->residual_max);
    if (t->continuous_hits)
        printf(
            "  %-12s %lld times a fast body was stopped at its impact\n", "continuous", (long long)t->continuous_hits);
    if (t->plan)
        simulate_plan_print(t->plan);
    printf("  %-12s %016llx\n", "state hash", (unsigned long long)t->hash);
    if (a->log)
        printf("  %-12s %s\n", "log", a->log);
    if (a->contacts)
        printf("  %-12s %s\n", "contacts in", a->contacts);
}

static void json_residual(AbutJson *json, const SimulateTotals *t)
{
    abut_json_key(json, "residual");
    abut_json_begin_object(json);
    abut_json_put_number(json, "last", t->last.residual);
    abut_json_put_number(json, "mean", mean(t->residual_sum, t->contact_steps));
    abut_json_put_number(json, "max", t->residual_max);
    abut_json_end_object(json);
}

static void json_stages(AbutJson *json, const SimulateTotals *t)
{
    abut_json_key(json, "stages");
    abut_json_begin_object(json);
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        abut_json_put_number(json, abut_stage_name((AbutStage)i), t->stage[i]);
    abut_json_end_object(json);
}

/* Where every body is at the end. */
static void json_final(AbutJson *json, const AbutScene *scene)
{
    int count = abut_scene_body_count(scene);
    abut_json_key(json, "final");
    abut_json_begin_array(json);
    for (int i = 0; i < count; ++i) {
        AbutBodyState b;
        if (!abut_scene_get_body(scene, abut_scene_body_at(scene, i), &b))
            continue;
        abut_json_begin_object(json);
        abut_json_put_string(json, "name", b.name);
        abut_json_put_vec3(json, "position", b.pose.p);
        abut_json_key(json, "orientation");
        abut_json_begin_array(json);
        abut_json_number(json, b.pose.q.w);
        abut_json_number(json, b.pose.q.x);
        abut_json_number(json, b.pose.q.y);
        abut_json_number(json, b.pose.q.z);
        abut_json_end_array(json);
        abut_json_put_vec3(json, "velocity", b.velocity);
        abut_json_put_vec3(json, "spin", b.spin);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static int print_json(
    const CliCommand *command, const SimulateArgs *a, const SimulateTotals *t, const AbutScene *scene, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    char hash[20], seed[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)t->hash);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)a->seed);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "scene", a->scene);
    abut_json_put_string(&json, "seed", seed);
    abut_json_put_string(&json, "model", abut_contact_model_name(a->def.model));
    abut_json_put_number(&json, "dt", a->dt);
    abut_json_put_integer(&json, "threads", a->def.threads);
    abut_json_put_integer(&json, "bodies", t->bodies);
    abut_json_put_integer(&json, "bodies_dynamic", t->dynamic);
    abut_json_put_integer(&json, "steps", t->steps);
    abut_json_put_number(&json, "time", t->time);
    abut_json_put_bool(&json, "partial", t->partial);
    abut_json_put_number(&json, "seconds_total", t->seconds);
    abut_json_put_number(&json, "us_per_step", 1e6 * mean(t->seconds, t->steps));
    abut_json_put_integer(&json, "contacts", t->last.contacts);
    abut_json_put_number(&json, "contacts_mean", mean(t->contacts_sum, t->steps));
    abut_json_put_integer(&json, "contacts_max", t->contacts_max);
    abut_json_put_number(&json, "max_depth", t->max_depth);
    abut_json_put_number(&json, "depth", t->depth);
    abut_json_put_number(&json, "kinetic_energy", t->kinetic);
    abut_json_put_number(&json, "potential_energy", t->potential);
    abut_json_put_number(&json, "energy_start", t->energy_start);
    abut_json_put_number(&json, "energy_rise_max", t->rise_max);
    abut_json_put_number(&json, "energy_excess_max", t->excess_max);
    abut_json_put_number(&json, "iterations_mean", mean(t->sweeps_sum, t->contact_steps));
    abut_json_put_integer(&json, "iterations_max", t->sweeps_max);
    if (t->plan)
        simulate_plan_put(&json, t->plan);
    abut_json_put_integer(&json, "capped_steps", t->capped_steps);
    json_residual(&json, t);
    abut_json_put_integer(&json, "continuous_hits", t->continuous_hits);
    json_stages(&json, t);
    abut_json_put_string(&json, "hash", hash);
    if (a->final)
        json_final(&json, scene);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

int simulate_print(const CliCommand *command, const SimulateArgs *args, const SimulateTotals *totals,
    const AbutScene *scene, int status)
{
    if (args->json)
        return print_json(command, args, totals, scene, status);
    print_text(args, totals);
    return status;
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

static const char *model_summary(int model)
{
    static const char *const summaries[ABUT_CONTACT_MODEL_COUNT] = {
        [ABUT_CONTACT_MODEL_VOL] = "exact Coulomb friction at the vertices of the contact polygon (default)",
        [ABUT_CONTACT_MODEL_VOL_GENERATOR] = "the same with friction pyramids by active set: reference",
        [ABUT_CONTACT_MODEL_CONVEX] = "convex relaxation; a sliding contact rises a little",
        [ABUT_CONTACT_MODEL_EMIN] = "least squares of the paper's velocity error per contact",
        [ABUT_CONTACT_MODEL_PAPER] = "the printed algorithm: unstable, for comparison only",
        [ABUT_CONTACT_MODEL_PAPER_GUARDED] = "the same with a step length that never gains energy",
        [ABUT_CONTACT_MODEL_DIRECT] = "all contacts of an island in one problem: slow reference",
        [ABUT_CONTACT_MODEL_POINT] = "point contacts, projected Gauss-Seidel",
        [ABUT_CONTACT_MODEL_PRESSURE] = "compliant: surfaces of any form press on each other where they are near",
        [ABUT_CONTACT_MODEL_PENALTY] = "compliant: a spring along the shortest way out, which jumps; for comparison",
    };
    return summaries[model];
}

static void list_json_entry(AbutJson *json, const char *name, const char *argument, const char *summary)
{
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", name);
    if (argument)
        abut_json_put_string(json, "argument", argument);
    abut_json_put_string(json, "summary", summary);
    abut_json_end_object(json);
}

static void list_json_scenes(AbutJson *json, const char *key, const AbutBuiltinScene *scenes, int count)
{
    abut_json_key(json, key);
    abut_json_begin_array(json);
    for (int i = 0; i < count; ++i)
        list_json_entry(json, scenes[i].name, scenes[i].argument, scenes[i].summary);
    abut_json_end_array(json);
}

static int list_json(const CliCommand *command)
{
    int scene_count, robot_count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(&scene_count), *robots = abut_builtin_robots(&robot_count);
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    list_json_scenes(&json, "scenes", scenes, scene_count);
    list_json_scenes(&json, "robots", robots, robot_count);
    abut_json_key(&json, "models");
    abut_json_begin_array(&json);
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        list_json_entry(&json, abut_contact_model_name(i), NULL, model_summary(i));
    abut_json_end_array(&json);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, CLI_OK);
}

static void list_scenes(const char *title, const AbutBuiltinScene *scenes, int count)
{
    printf("%s:\n", title);
    for (int i = 0; i < count; ++i) {
        char name[60];
        snprintf(name, sizeof name, "%s%s%s", scenes[i].name, scenes[i].argument[0] ? "[:" : "", scenes[i].argument);
        if (scenes[i].argument[0])
            strcat(name, "]");
        printf("  %-20s %s\n", name, scenes[i].summary);
    }
}

int simulate_print_list(const CliCommand *command, int json)
{
    int scene_count, robot_count;
    const AbutBuiltinScene *scenes = abut_builtin_scenes(&scene_count), *robots = abut_builtin_robots(&robot_count);
    if (json)
        return list_json(command);
    list_scenes("scenes", scenes, scene_count);
    list_scenes("robots", robots, robot_count);
    printf("models:\n");
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        printf("  %-20s %s\n", abut_contact_model_name(i), model_summary(i));
    return CLI_OK;
}
