/* SPDX-License-Identifier: Apache-2.0 */
/* abut-bench: lists, filters and runs the cases; a table to the standard output, CSV to a file. */
#include "bench/engine.h"
#include "abut/literature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const BenchList *const lists[] = {&bench_convex_list, &bench_large_list, &bench_intersect_list,
    &bench_overlap_list, &bench_sim_cases_list, &bench_sim_long_list, &bench_sim_scale_list, &bench_sim_stats_list,
    &bench_modes_list, &bench_mesh_list, &bench_parts_list, &bench_mesh_motion_list, &bench_depth_list,
    &bench_robot_list, &bench_stand_list, &bench_copies_list, &bench_act_list, &bench_plan_list, &bench_families_list,
    &bench_clearance_list, &bench_direction_list, &bench_sim_round_list, &bench_sim_asleep_list, &bench_sim_hull_list,
    &bench_sim_meshes_list, &bench_manip_list};

enum { LISTS = sizeof lists / sizeof lists[0] };

static const char usage[] =
    "usage: abut-bench [--list] [--filter TEXT] [--repeat N] [--seeds N] [--first-seed N] [--csv FILE]\n"
    "                  [--pairs FILE]\n"
    "  --list         names of the cases and engines\n"
    "  --filter TEXT  only the cases whose name holds TEXT; may be given more than once.\n"
    "                 The cases \"sim/...\" take minutes and run only when a filter names them\n"
    "  --repeat N     timed rounds per case (default 60)\n"
    "  --seeds N      random scenes per simulation case (default 1; sim/stats: 1 to 60)\n"
    "  --first-seed N seed of the first of them (default 1001)\n"
    "  --csv FILE     also write the rows there; each family of cases begins with its own heading\n"
    "  --pairs FILE   also write the pairs of boxes and hulls of the cases that run there, as CSV, for "
    "scripts/bench-wasm\n"
    "exit: 0; 1 when abut gave a wrong or no answer; 2 on bad arguments\n";

enum { FILTERS = 16 };

typedef struct Options {
    int list, repeat, seeds, first_seed, filter_count;
    const char *filters[FILTERS], *csv, *pairs;
} Options;

void *bench_memory(size_t count, size_t bytes_each) {
    void *memory = calloc(count ? count : 1, bytes_each);
    if (!memory) {
        fputs("abut-bench: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

void bench_require(AbutStatus status, const AbutError *error) {
    if (status == ABUT_OK) return;
    fprintf(stderr, "abut-bench: %s\n", error->text);
    exit(2);
}

static void print_count(int count) {
    if (count < 0)
        printf("%8s", "-");
    else
        printf("%8d", count);
}

void bench_row(BenchRun *run, const BenchRow *row) {
    printf("%-26s %-20s %12.1f %7d", run->name, row->engine, row->ns, row->asked);
    print_count(row->wrong_6);
    print_count(row->wrong_3);
    print_count(row->failed);
    putchar('\n');
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",\"%s\",%.3f,%d,%d,%d,%d\n", run->name, row->engine, row->ns, row->asked, row->wrong_6,
            row->wrong_3, row->failed);
    if (row->own) {
        run->wrong += row->wrong_6 > 0 ? row->wrong_6 : 0;
        run->failed += row->failed > 0 ? row->failed : 0;
    }
}

static int read_number(const char *text, int least, int *out) {
    char *end;
    long n = strtol(text, &end, 10);
    *out = (int)n;
    return *text && !*end && n >= least && n <= 1000000;
}

/* 0: an argument is wrong. */
static int read_options(int argc, char **argv, Options *o) {
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            o->list = 1;
            continue;
        }
        if (!value) return 0;
        if (strcmp(argv[i], "--filter") == 0 && o->filter_count < FILTERS) {
            o->filters[o->filter_count++] = value;
        } else if (strcmp(argv[i], "--csv") == 0) {
            o->csv = value;
        } else if (strcmp(argv[i], "--pairs") == 0) {
            o->pairs = value;
        } else if (strcmp(argv[i], "--repeat") == 0) {
            if (!read_number(value, 1, &o->repeat)) return 0;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            if (!read_number(value, 1, &o->seeds)) return 0;
        } else if (strcmp(argv[i], "--first-seed") == 0) {
            if (!read_number(value, 0, &o->first_seed)) return 0;
        } else {
            return 0;
        }
        ++i;
    }
    return 1;
}

static int wanted(const Options *o, const BenchList *list, const char *name) {
    for (int i = 0; i < o->filter_count; ++i)
        if (strstr(name, o->filters[i])) return 1;
    return o->filter_count == 0 && (o->list || !list->on_request);
}

static void list_all(const Options *o) {
    for (int i = 0; i < LISTS; ++i)
        for (int k = 0; k < lists[i]->count; ++k)
            if (wanted(o, lists[i], lists[i]->cases[k].name)) puts(lists[i]->cases[k].name);
    printf("engines of the convex cases:");
    for (int i = 0; bench_engine(i); ++i) printf("%s %s", i ? ";" : "", bench_engine(i)->name);
    putchar('\n');
}

static void print_heading(const BenchRun *run, const BenchList *list) {
    if (list->heading)
        puts(list->heading);
    else
        printf("%-26s %-20s %12s %7s%8s%8s%8s\n", "case", "engine", "ns/question", "asked", ">1e-6", ">1e-3", "failed");
    if (run->csv)
        fprintf(run->csv, "%s\n",
            list->csv_heading ? list->csv_heading : "case,engine,ns,asked,wrong_1e-6,wrong_1e-3,failed");
}

static int run_all(const Options *o, BenchRun *run) {
    int ran = 0;
    const char *heading = "";
    for (int i = 0; i < LISTS; ++i) {
        for (int k = 0; k < lists[i]->count; ++k) {
            const BenchCase *c = &lists[i]->cases[k];
            if (!wanted(o, lists[i], c->name)) continue;
            if (lists[i]->heading != heading) print_heading(run, lists[i]);
            heading = lists[i]->heading;
            run->name = c->name;
            c->run(run, c->parameter);
            ++ran;
        }
    }
    return ran;
}

/* A file to write to, NULL when none was asked for; ends the program when it cannot be. */
static FILE *open_output(const char *path) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && !file) {
        fprintf(stderr, "abut-bench: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    return file;
}

static void close_output(FILE *file, const char *path) {
    if (file && fclose(file) != 0) {
        fprintf(stderr, "abut-bench: %s: %s\n", path, strerror(errno));
        exit(2);
    }
}

int main(int argc, char **argv) {
    Options o = {0, 60, 0, 1001, 0, {NULL}, NULL, NULL};
    abut_literature_register();
    if (!read_options(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.list) {
        list_all(&o);
        return 0;
    }
    BenchRun run = {o.repeat, 0.25, o.seeds, (uint64_t)o.first_seed, NULL, NULL, NULL, 0, 0};
    run.csv = open_output(o.csv);
    run.pairs = open_output(o.pairs);
    if (run.pairs) fputs("case,a,b,x,y,z,qw,qx,qy,qz,truth,size\n", run.pairs);
    int ran = run_all(&o, &run);
    close_output(run.csv, o.csv);
    close_output(run.pairs, o.pairs);
    if (!ran) fputs("abut-bench: no case has such a name; try --list\n", stderr);
    return ran == 0 ? 2 : (run.wrong || run.failed ? 1 : 0);
}
