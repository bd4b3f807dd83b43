/* SPDX-License-Identifier: Apache-2.0 */
/* How `abut simulate` prints: a summary for people, or JSON with all digits (keys: docs/reference/json.md); and the
 * list of scenes and models. */
#include "simulate.h"
#include "abut/literature.h"

#include <string.h>

static double mean(double sum, int64_t count) { return count > 0 ? sum / (double)count : 0.0; }

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct Residual {
    double last, mean, max;
} Residual;

static const AbutField residual_fields[] = {
    {ABUT_FIELD(Residual, last, REAL, "m/s", "At the last step.")},
    {ABUT_FIELD(Residual, mean, REAL, "m/s", "Mean over the steps with contacts.")},
    {ABUT_FIELD(Residual, max, REAL, "m/s", "Largest of any step.")},
};
static const AbutRecord residual_record = ABUT_RECORD("residual", "", Residual, residual_fields);

typedef struct Stages {
    double bounds, pairs, contacts, islands, solve, advance;
} Stages;

static const AbutField stage_fields[] = {
    {ABUT_FIELD(Stages, bounds, REAL, "s", "Bounding boxes.")},
    {ABUT_FIELD(Stages, pairs, REAL, "s", "Pairs of boxes that overlap.")},
    {ABUT_FIELD(Stages, contacts, REAL, "s", "Contact geometry.")},
    {ABUT_FIELD(Stages, islands, REAL, "s", "Islands of bodies in contact.")},
    {ABUT_FIELD(Stages, solve, REAL, "s", "Contact forces.")},
    {ABUT_FIELD(Stages, advance, REAL, "s", "New poses.")},
};
static const AbutRecord stages_record = ABUT_RECORD("stages", "", Stages, stage_fields);

static const AbutField body_fields[] = {
    {ABUT_FIELD(AbutBodyState, name, TEXT, "", "Name of the body.")},
    {ABUT_FIELD_AS("position", AbutBodyState, pose.p, REAL, "m", "Position of its frame."), .rows = 3},
    {ABUT_FIELD_AS("orientation", AbutBodyState, pose.q, PUT, "", "Quaternion w, x, y, z."), .put = cli_put_quat},
    {ABUT_FIELD_VEC3(AbutBodyState, velocity, "m/s", "Velocity of its center of mass.")},
    {ABUT_FIELD_VEC3(AbutBodyState, spin, "rad/s", "Angular velocity.")},
};
static const AbutRecord body_record = ABUT_RECORD("body", "", AbutBodyState, body_fields);

typedef struct Answer {
    const char *scene, *seed, *model, *hash, *guarded_bodies, *energy_gain_bodies;
    double dt, us_per_step, wall_us_per_step, contacts_mean, iterations_mean, energy_largest;
    int threads;
    SimulateTotals t;
    Residual residual;
    Stages stages;
    const SimulateFollowed *plan;
    const AbutBodyState *final;
    int32_t final_count;
    int with_plan, with_final;
} Answer;

/* Where every body is at the end. */
static const AbutBodyState *final_states(const AbutScene *scene, int32_t *count) {
    AbutBodyState *out = cli_room((size_t)abut_scene_body_count(scene), sizeof *out);
    *count = 0;
    for (int i = 0; i < abut_scene_body_count(scene); ++i)
        *count += abut_scene_get_body(scene, abut_scene_body_at(scene, i), &out[*count]);
    return out;
}

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, scene, TEXT, "", "Scene that ran.")},
    {ABUT_FIELD(Answer, seed, TEXT, "", "Seed of its random numbers.")},
    {ABUT_FIELD(Answer, model, TEXT, "", "Contact model.")},
    {ABUT_FIELD(Answer, dt, REAL, "s", "Time step.")},
    {ABUT_FIELD(Answer, threads, INT, "", "Threads; 0: all processors.")},
    {ABUT_FIELD_AS("bodies", Answer, t.bodies, INT, "", "Number of bodies.")},
    {ABUT_FIELD_AS("bodies_dynamic", Answer, t.dynamic, INT, "", "Number of dynamic bodies.")},
    {ABUT_FIELD_AS("steps", Answer, t.steps, LONG, "", "Steps that ran.")},
    {ABUT_FIELD_AS("time", Answer, t.time, REAL, "s", "Simulated time.")},
    {ABUT_FIELD_AS("partial", Answer, t.partial, FLAG, "", "The run was interrupted.")},
    {ABUT_FIELD_AS("seconds_total", Answer, t.seconds, REAL, "s", "Wall time of the steps.")},
    {ABUT_FIELD(Answer, us_per_step, REAL, "us", "Mean processor time of a step, all threads together.")},
    {ABUT_FIELD(Answer, wall_us_per_step, REAL, "us", "Mean wall time of a step.")},
    {ABUT_FIELD_AS("contacts", Answer, t.last.contacts, INT, "", "Contacts at the end.")},
    {ABUT_FIELD(Answer, contacts_mean, REAL, "", "Mean number of contacts.")},
    {ABUT_FIELD_AS("contacts_max", Answer, t.contacts_max, INT, "", "Largest number of contacts.")},
    {ABUT_FIELD_AS("max_depth", Answer, t.max_depth, REAL, "m", "Deepest overlap of the run.")},
    {ABUT_FIELD_AS("depth", Answer, t.depth, REAL, "m", "Deepest overlap at the end.")},
    {ABUT_FIELD_AS("kinetic_energy", Answer, t.kinetic, REAL, "J", "Kinetic energy at the end.")},
    {ABUT_FIELD_AS("potential_energy", Answer, t.potential, REAL, "J", "Potential energy at the end.")},
    {ABUT_FIELD_AS("energy_start", Answer, t.energy_start, REAL, "J", "Energy at the start.")},
    {ABUT_FIELD_AS("energy_rise_max", Answer, t.rise_max, REAL, "J", "Largest gain of energy in one step.")},
    {ABUT_FIELD_AS("work", Answer, t.work, REAL, "J",
        "Work of actuators, torques, forces from outside, kinematic bodies, belts and limits.")},
    {ABUT_FIELD_AS(
        "energy_gain_max", Answer, t.gain_max, REAL, "J", "Largest gain of energy in one step beyond that work.")},
    {ABUT_FIELD(Answer, energy_gain_bodies, TEXT, "", "Bodies that lay deepest in each other in that step.")},
    {ABUT_FIELD_AS("energy_gain_depth", Answer, t.gain_depth, REAL, "m", "How deep.")},
    {ABUT_FIELD_AS("energy_gain_time", Answer, t.gain_time, REAL, "s", "End of that step.")},
    {ABUT_FIELD_AS("energy_excess_max", Answer, t.excess_max, REAL, "J", "Largest energy above the start.")},
    {ABUT_FIELD(Answer, energy_largest, REAL, "J",
        "Largest kinetic energy, range of the potential energy, or work: the largest of the three.")},
    {ABUT_FIELD(Answer, iterations_mean, REAL, "", "Mean number of solver sweeps in steps with contacts.")},
    {ABUT_FIELD_AS("iterations_max", Answer, t.sweeps_max, INT, "", "Most solver sweeps of a step.")},
    {ABUT_FIELD_AT(Answer, plan, simulate_plan_record, "With `--plan`: how the plan was followed."),
        .shown_at = offsetof(Answer, with_plan)},
    {ABUT_FIELD_AS("capped_steps", Answer, t.capped_steps, LONG, "", "Steps that stopped at the iteration limit.")},
    {ABUT_FIELD_AS(
        "guarded_steps", Answer, t.guarded_steps, LONG, "", "Steps in which the energy guard solved an island anew.")},
    {ABUT_FIELD(Answer, guarded_bodies, TEXT, "", "Bodies of the last of them.")},
    {ABUT_FIELD(Answer, residual, RECORD, "m/s", "Change of velocity in the last solver sweep."),
        .record = &residual_record},
    {ABUT_FIELD_AS("continuous_hits", Answer, t.continuous_hits, LONG, "", "Fast bodies stopped at their impact.")},
    {ABUT_FIELD(Answer, stages, RECORD, "s", "Wall time by stage."), .record = &stages_record},
    {ABUT_FIELD(Answer, hash, TEXT, "", "Hash of the final state: equal states, equal hashes.")},
    {ABUT_FIELD_AT(Answer, final, body_record, "With `--final`: every body at the end."),
        .count_at = offsetof(Answer, final_count), .shown_at = offsetof(Answer, with_final)},
};
const AbutRecord cli_simulate_answer = ABUT_RECORD("simulate", "", Answer, answer_fields);

static const char text_above_stages[] =
    "{scene}\n"
    "  model        {model}, dt {dt:g} s\n"
    "  bodies       {bodies}, {bodies_dynamic} of them dynamic\n"
    "  steps        {steps}, {time:g} s simulated{partial? (interrupted: partial)}\n"
    "  time         {seconds_total:.3f} s wall time; per step {us_per_step:.1f} us processor time, "
    "{wall_us_per_step:.1f} us wall time\n";
static const char text_below_stages[] =
    "  contacts     {contacts} at the end, {contacts_mean:.1f} on average, {contacts_max} at most\n"
    "  depth        {depth:.3g} m at the end, {max_depth:.3g} m at worst\n"
    "  energy       kinetic {kinetic_energy:.3g} J, potential {potential_energy:.4g} J, at the start "
    "{energy_start:.4g} "
    "J\n"
    "  energy rise  {energy_rise_max:.3g} J at most in one step, {energy_excess_max:.3g} J at most above the start\n"
    "  iterations   {iterations_mean:.2f} on average, {iterations_max} at most; {capped_steps} of {steps} steps "
    "stopped "
    "at the limit (usual while bodies strike)\n"
    "  residual     {residual.last:.3g} m/s at the end, {residual.mean:.3g} on average, {residual.max:.3g} at worst\n";

static void print_stages(const SimulateTotals *t) {
    double all = 0.0;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i) all += t->stage[i];
    printf("  %-12s", "stages");
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        printf("%s%s %.2f us (%.0f %%)",
            i == 0   ? " "
            : i == 3 ? "\n               "
                     : ", ",
            abut_word(abut_stage_names, i), 1e6 * mean(t->stage[i], t->steps),
            all > 0.0 ? 100.0 * t->stage[i] / all : 0.0);
    printf("\n");
}

/* Part of the energy at the start that a step may gain without a word. */
#define NOTED_GAIN 1e-3

static void print_text(const SimulateArgs *args, const Answer *a) {
    abut_record_print(stdout, &cli_simulate_answer, text_above_stages, a);
    print_stages(&a->t);
    abut_record_print(stdout, &cli_simulate_answer, text_below_stages, a);
    if (a->t.work != 0.0)
        abut_record_print(stdout, &cli_simulate_answer,
            "  work         {work:.3g} J of actuators and forces; {energy_gain_max:.3g} J at most in one step beyond "
            "it\n",
            a);
    if (a->t.gain_max > NOTED_GAIN * fabs(a->t.energy_start) && a->t.gain_depth > 0.0)
        abut_record_print(stdout, &cli_simulate_answer,
            "  energy from  {energy_gain_bodies}, {energy_gain_depth:.3g} m in each other at {energy_gain_time:g} s: "
            "{energy_gain_max:.3g} J beyond the work of forces\n",
            a);
    if (a->t.continuous_hits)
        abut_record_print(stdout, &cli_simulate_answer,
            "  continuous   {continuous_hits} times a fast body was stopped at its impact\n", a);
    if (a->t.guarded_steps)
        abut_record_print(stdout, &cli_simulate_answer,
            "  energy guard {guarded_steps} steps solved anew, the last with {guarded_bodies}\n", a);
    if (a->t.plan) simulate_plan_print(a->t.plan);
    printf("  %-12s %s\n", "state hash", a->hash);
    if (args->log) printf("  %-12s %s\n", "log", args->log);
    if (args->contacts) printf("  %-12s %s\n", "contacts in", args->contacts);
}

int simulate_print(const SimulateArgs *args, const SimulateTotals *t, const AbutScene *scene, int status) {
    char hash[20], seed[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)t->hash);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)args->seed);
    Answer a = {.scene = args->scene,
        .seed = seed,
        .model = abut_contact_model_name(args->def.model),
        .hash = hash,
        .guarded_bodies = t->guarded_bodies,
        .energy_gain_bodies = t->gain_bodies,
        .dt = args->dt,
        .us_per_step = 1e6 * mean(t->processor, t->steps),
        .wall_us_per_step = 1e6 * mean(t->seconds, t->steps),
        .contacts_mean = mean(t->contacts_sum, t->steps),
        .iterations_mean = mean(t->sweeps_sum, t->contact_steps),
        .energy_largest = fmax(fmax(t->kinetic_max, t->potential_max - t->potential_min), fabs(t->work)),
        .threads = args->def.threads,
        .t = *t,
        .residual = {t->last.residual, mean(t->residual_sum, t->contact_steps), t->residual_max},
        .plan = t->plan ? simulate_plan_followed(t->plan) : NULL,
        .with_plan = t->plan != NULL,
        .with_final = args->final};
    a.final = final_states(scene, &a.final_count);
    memcpy(&a.stages, t->stage, sizeof a.stages);
    if (args->json) return cli_answer(2, &cli_simulate_answer, NULL, &a, status);
    print_text(args, &a);
    return status;
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

static const char *model_summary(int model) {
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

typedef struct ModelRow {
    const char *name, *summary;
} ModelRow;

static const AbutField model_fields[] = {
    {ABUT_FIELD(ModelRow, name, TEXT, "", "Name of the contact model.")},
    {ABUT_FIELD(ModelRow, summary, TEXT, "", "A summary in one line.")},
};
static const AbutRecord model_record = ABUT_RECORD("model", "", ModelRow, model_fields);

typedef struct List {
    const AbutBuiltinScene *scenes, *robots;
    int scene_count, robot_count;
    ModelRow models[ABUT_CONTACT_MODEL_COUNT];
} List;

static const AbutField list_fields[] = {
    {ABUT_FIELD_AT(List, scenes, abut_builtin_scene_record, "Built-in scenes."),
        .count_at = offsetof(List, scene_count)},
    {ABUT_FIELD_AT(List, robots, abut_builtin_scene_record, "Built-in robots."),
        .count_at = offsetof(List, robot_count)},
    {ABUT_FIELD(List, models, RECORD, "", "Contact models."), .record = &model_record,
        .rows = ABUT_CONTACT_MODEL_COUNT},
};
const AbutRecord cli_simulate_list = ABUT_RECORD("simulate --list", "", List, list_fields);

static void list_scenes(const char *title, const AbutBuiltinScene *scenes, int count) {
    printf("%s:\n", title);
    for (int i = 0; i < count; ++i) {
        char name[60];
        snprintf(name, sizeof name, "%s%s%s", scenes[i].name, scenes[i].argument[0] ? "[:" : "", scenes[i].argument);
        if (scenes[i].argument[0]) strcat(name, "]");
        printf("  %-20s %s\n", name, scenes[i].summary);
    }
}

int simulate_print_list(int json) {
    List list = {0};
    list.scenes = abut_builtin_scenes(0, &list.scene_count);
    list.robots = abut_builtin_scenes(1, &list.robot_count);
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        list.models[i] = (ModelRow){abut_contact_model_name(i), model_summary(i)};
    if (json) return cli_answer(2, &cli_simulate_list, NULL, &list, CLI_OK);
    list_scenes("scenes", list.scenes, list.scene_count);
    list_scenes("robots", list.robots, list.robot_count);
    printf("models:\n");
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        printf("  %-20s %s\n", list.models[i].name, list.models[i].summary);
    return CLI_OK;
}
