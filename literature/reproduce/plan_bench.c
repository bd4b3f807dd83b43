/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan bench: how many plans a second, scenario by scenario, certified, with constraints at samples alone, and by
 * the thesis where IPOPT is built in. Out: a row for each scenario and method. Times are seconds of the processor.
 */
#include "plan_scenario.h"
#include "abut/literature.h"

#include <string.h>

typedef struct Args {
    const char *model, *method; /* method: this one alone; NULL: all */
    int count, json;
    double budget;
} Args;

static const char *const methods[] = {"certified", "sampled:20", "thesis"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void print_row(const Args *args, AbutJson *json, const char *name, const char *method, const PlanMeasure *m) {
    double rate = m->seconds > 0.0 ? m->certified / m->seconds : 0.0;
    if (!args->json) {
        printf("%-16s %-11s %3d of %-3d  %9.2f  %8.3f  %8.3f  %8.2f  %9.4g  %3d  %6.1f\n", name, method, m->certified,
            m->count, rate, m->median, m->longest, 1e3 * m->proof, m->cost, m->overlapping, 1e3 * m->deepest);
        fflush(stdout);
        return;
    }
    abut_json_begin_object(json);
    abut_json_put_string(json, "scenario", name);
    abut_json_put_string(json, "method", method);
    abut_json_put_integer(json, "count", m->count);
    abut_json_put_integer(json, "certified", m->certified);
    abut_json_put_number(json, "plans_per_second", rate);
    abut_json_put_number(json, "median_time", m->median);
    abut_json_put_number(json, "longest_time", m->longest);
    abut_json_put_number(json, "proof_time", m->proof);
    abut_json_put_number(json, "cost", m->cost);
    abut_json_put_integer(json, "overlapping", m->overlapping);
    abut_json_put_number(json, "deepest", m->deepest);
    abut_json_end_object(json);
}

static int is_asked(const char *name, int count, char **names) {
    for (int i = 0; i < count; ++i)
        if (strcmp(names[i], name) == 0) return 1;
    return count == 0;
}

static void run_scenario(const Args *args, const Scenario *scenario, AbutJson *json) {
    for (int i = 0; i < METHODS; ++i) {
        PlanTrial trial = {.name = scenario->name,
            .model = scenario->robot ? NULL : args->model,
            .method = methods[i],
            .count = args->count,
            .budget = args->budget};
        PlanMeasure measure;
        if (args->method ? strcmp(methods[i], args->method) != 0
                         : strcmp(methods[i], "thesis") == 0 && !abut_plan_has_thesis())
            continue;
        plan_measure(&trial, &measure);
        print_row(args, json, scenario->name, methods[i], &measure);
    }
}

static void check_names(int names, char **argv) {
    int count;
    const Scenario *all = plan_scenarios(&count);
    for (int i = 0; i < names; ++i) {
        int known = 0;
        for (int k = 0; k < count; ++k) known |= strcmp(all[k].name, argv[i]) == 0;
        if (!known) cli_error("no scenario '%s'; 'abut plan scenario --list' names them", argv[i]);
    }
}

static void check_method(const char *method) {
    for (int i = 0; i < METHODS; ++i)
        if (strcmp(methods[i], method) == 0) return;
    cli_error("--method: expected certified, sampled:20 or thesis, got '%s'", method);
}

int cli_plan_bench(int argc, char **argv) {
    Args args = {.count = 5, .budget = 30.0};
    const CliOption options[] = {
        OPTION("--model", CLI_TEXT, &args.model, "FILE", "the robot of scenarios that bring none"),
        cli_row("--allow-outside", &operands_model_options.allow_outside),
        OPTION("--count", CLI_COUNT, &args.count, "N", "problems of each scenario"),
        OPTION("--method", CLI_TEXT, &args.method, "M", "certified, sampled:20 or thesis alone (default: all)"),
        OPTION("--budget", CLI_REAL, &args.budget, "S", "seconds for each problem at most"),
        cli_row("--json", &args.json),
    };
    int count;
    const Scenario *all = plan_scenarios(&count);
    int names = cli_parse(options, CLI_ROWS(options), argc, argv);
    check_names(names, argv);
    if (args.method) check_method(args.method);
    AbutJson json = abut_json_to_file(stdout, 2);
    if (args.json)
        abut_json_begin_array(&json);
    else
        printf("%-16s %-11s %10s  %9s  %8s  %8s  %8s  %9s  %s\n", "scenario", "method", "certified", "plans/s",
            "median s", "longest", "proof ms", "cost", "overlapping, mm");
    for (int i = 0; i < count; ++i)
        if (is_asked(all[i].name, names, argv) && (all[i].robot || args.model)) run_scenario(&args, &all[i], &json);
    if (!args.json) return CLI_OK;
    abut_json_end_array(&json);
    return cli_json_end(&json, CLI_OK);
}
