/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut-mpi: `abut sweep` over the ranks of an MPI job. Rank 0 plans, hands out and keeps the journal; every other rank
 * runs one case at a time, in a process of its own. With one rank, and for the other commands, it is `abut`. Nobody
 * spins while it waits.
 */
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "progress.h"
#include "sweep.h"

enum { TAG_WORK = 1, TAG_ANSWER, TAG_STOP };

/* An answer on its way: this, then the bytes of standard output, then those of standard error. */
typedef struct Envelope {
    int64_t index;
    int32_t exit, out, err;
} Envelope;

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Waits for a message without burning the processor; 0: the sweep was interrupted. */
static int wait_message(int from, MPI_Status *status, const volatile int *cancel) {
    const struct timespec pause = {0, 300000};
    for (int there = 0;;) {
        MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, status);
        if (there) return 1;
        if (cancel && *cancel) return 0;
        nanosleep(&pause, NULL);
    }
}

/* The bytes of the message that was probed, zero behind them. */
static char *receive(const MPI_Status *status, int *count) {
    MPI_Get_count(status, MPI_BYTE, count);
    char *bytes = cli_room((size_t)*count, 1);
    MPI_Recv(bytes, *count, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bytes[*count] = 0;
    return bytes;
}

static void send(int to, int tag, const SweepText *text) {
    MPI_Send(text->text ? text->text : "", (int)text->count, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* ---- rank 0 ------------------------------------------------------------------------------------------------------ */

/* The next case to a rank: index, time limit, then its words, a zero behind each. 0: no case is left. */
static int hand_out(Sweep *s, int rank) {
    int64_t index = sweep_take(s);
    if (index < 0) return 0;
    SweepText text = {0};
    SweepWords words = sweep_plan_words(&s->plan, index);
    sweep_text_add(&text, (const char *)&index, sizeof index);
    sweep_text_add(&text, (const char *)&s->seconds, sizeof s->seconds);
    for (int i = 0; i < words.count; ++i) sweep_text_add(&text, words.word[i], strlen(words.word[i]) + 1);
    send(rank, TAG_WORK, &text);
    sweep_words_free(&words);
    sweep_text_free(&text);
    return 1;
}

static void take_answer(Sweep *s, const MPI_Status *status) {
    int count;
    char *bytes = receive(status, &count);
    Envelope e;
    memcpy(&e, bytes, sizeof e);
    SweepAnswer answer = {.exit = e.exit};
    sweep_text_add(&answer.out, bytes + sizeof e, (size_t)e.out);
    sweep_text_add(&answer.err, bytes + sizeof e + e.out, (size_t)e.err);
    abut_free(bytes);
    sweep_give(s, e.index, &answer);
}

static void run_on_ranks(Sweep *s) {
    int ranks, busy = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) {
        s->jobs = 1;
        sweep_run_here(s);
        return;
    }
    for (int rank = 1; rank < ranks; ++rank) busy += hand_out(s, rank);
    MPI_Status status;
    while (busy > 0 && wait_message(MPI_ANY_SOURCE, &status, s->cancel)) {
        take_answer(s, &status);
        busy += hand_out(s, status.MPI_SOURCE) - 1;
    }
}

/* ---- other ranks ------------------------------------------------------------------------------------------------- */

static void work_once(char *bytes, int count) {
    static const volatile int never;
    Envelope e = {0};
    double seconds;
    SweepWords words = {0};
    memcpy(&e.index, bytes, sizeof e.index);
    memcpy(&seconds, bytes + sizeof e.index, sizeof seconds);
    for (const char *w = bytes + sizeof e.index + sizeof seconds; w < bytes + count; w += strlen(w) + 1)
        sweep_words_add(&words, w, strlen(w));
    SweepAnswer answer = sweep_case_run(words.word, seconds, &never);
    sweep_words_free(&words);
    e.exit = answer.exit;
    e.out = (int32_t)answer.out.count;
    e.err = (int32_t)answer.err.count;
    SweepText text = {0};
    sweep_text_add(&text, (const char *)&e, sizeof e);
    sweep_text_add(&text, answer.out.count ? answer.out.text : "", answer.out.count);
    sweep_text_add(&text, answer.err.count ? answer.err.text : "", answer.err.count);
    send(0, TAG_ANSWER, &text);
    sweep_text_free(&text);
    sweep_answer_free(&answer);
}

static void work(void) {
    interrupt_install();
    for (MPI_Status status;;) {
        int count;
        wait_message(0, &status, NULL);
        char *bytes = receive(&status, &count);
        if (status.MPI_TAG == TAG_WORK) work_once(bytes, count);
        abut_free(bytes);
        if (status.MPI_TAG == TAG_STOP) return;
    }
}

/* Also when an error ends rank 0. */
static void stop_others(void) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int rank = 1; rank < ranks; ++rank) MPI_Send("", 0, MPI_BYTE, rank, TAG_STOP, MPI_COMM_WORLD);
    MPI_Finalize();
}

int main(int argc, char **argv) {
    int rank, level, status = CLI_OK;
    if (argc < 2 || strcmp(argv[1], "sweep") != 0) return cli_finish(cli_main(argc, argv));
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sweep_runner = run_on_ranks;
        cli_at_end = stop_others;
        status = cli_finish(cli_main(argc, argv));
        if (*interrupt_flag()) MPI_Abort(MPI_COMM_WORLD, status); /* the others may be in the middle of a case */
        stop_others();
    } else {
        work();
        MPI_Finalize();
    }
    return status;
}
