/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One case in a process of its own. In: the words of its command line. Out: exit status and what it wrote. A crash or
 * an endless loop of a case is its own affair: the sweep goes on.
 */
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUT_LIMIT = 1 << 26, LOOK_MS = 50, TRIES = 3 };
static const double GRACE_SECONDS = 2.0; /* between asking a process to end and ending it */

typedef struct Child {
    pid_t pid;
    int from[2]; /* standard output, standard error; -1 when at its end */
} Child;

static int open_pipes(int out[2], int err[2]) {
    if (pipe(out) != 0) return 0;
    if (pipe(err) != 0) {
        close(out[0]);
        close(out[1]);
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        fcntl(out[i], F_SETFD, FD_CLOEXEC);
        fcntl(err[i], F_SETFD, FD_CLOEXEC);
    }
    return 1;
}

/* In a process group of its own, so that Ctrl-C reaches the sweep alone; without standard input. */
static int spawn(char *const *words, int out, int err, pid_t *pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawn(pid, "/proc/self/exe", &files, &how, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return !failed;
}

static int start(char *const *words, Child *child) {
    int out[2], err[2];
    if (!open_pipes(out, err)) return 0;
    int started = spawn(words, out[1], err[1], &child->pid);
    close(out[1]);
    close(err[1]);
    child->from[0] = out[0];
    child->from[1] = err[0];
    if (!started) {
        close(out[0]);
        close(err[0]);
    }
    return started;
}

/* Reads the bytes that are ready; closes at the end. Bytes beyond the limit are dropped, which makes the JSON invalid.
 */
static void read_some(int *file, SweepText *to) {
    char bytes[1 << 14];
    ssize_t count = read(*file, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
        close(*file);
        *file = -1;
    } else if (to->count < OUT_LIMIT)
        sweep_text_add(to, bytes, (size_t)count);
}

static void listen_to(Child *child, SweepAnswer *answer) {
    struct pollfd files[2] = {{child->from[0], POLLIN, 0}, {child->from[1], POLLIN, 0}};
    if (poll(files, 2, LOOK_MS) <= 0) return;
    for (int i = 0; i < 2; ++i)
        if (child->from[i] >= 0 && files[i].revents) read_some(&child->from[i], i ? &answer->err : &answer->out);
}

/* Reads to the end of both; asks the process to end when its time is over or the sweep is. */
static void attend(Child *child, double seconds, const volatile int *cancel, SweepAnswer *answer, int *timed_out) {
    double began = cli_clock(), asked = 0.0;
    while (child->from[0] >= 0 || child->from[1] >= 0) {
        double now = cli_clock();
        listen_to(child, answer);
        if (asked > 0.0 && now - asked > GRACE_SECONDS) kill(-child->pid, SIGKILL);
        *timed_out |= seconds > 0.0 && now - began > seconds;
        if (asked == 0.0 && (*timed_out || *cancel)) {
            kill(-child->pid, SIGTERM);
            asked = now;
        }
    }
}

static SweepAnswer run_once(char *const *words, double seconds, const volatile int *cancel) {
    SweepAnswer answer = {.exit = SWEEP_NOT_STARTED};
    Child child;
    int how = 0, timed_out = 0;
    if (!start(words, &child)) return answer;
    attend(&child, seconds, cancel, &answer, &timed_out);
    while (waitpid(child.pid, &how, 0) < 0 && errno == EINTR) {
    }
    answer.exit = WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
    if (timed_out) answer.exit = SWEEP_TIMED_OUT;
    answer.canceled = *cancel != 0;
    return answer;
}

SweepAnswer sweep_case_run(char *const *words, double seconds, const volatile int *cancel) {
    SweepWords line = {0};
    sweep_words_add(&line, "abut", 4);
    for (int i = 0; words[i]; ++i) sweep_words_add(&line, words[i], strlen(words[i]));
    SweepAnswer answer = {.exit = SWEEP_NOT_STARTED};
    for (int k = 0; k < TRIES; ++k) {
        sweep_answer_free(&answer);
        answer = run_once(line.word, seconds, cancel);
        if (answer.exit != -SIGKILL || answer.canceled) break;
    }
    sweep_words_free(&line);
    return answer;
}

void sweep_answer_free(SweepAnswer *answer) {
    sweep_text_free(&answer->out);
    sweep_text_free(&answer->err);
}

/* ---- handing out the cases ------------------------------------------------------------------------------------------ */

SweepRunner *sweep_runner = sweep_run_here;

/* Is a case of this shard, and not done? */
static int is_left(const Sweep *s, int64_t index) {
    return index % s->journal.shards == s->journal.shard - 1 && s->journal.entry[index].at < 0;
}

int64_t sweep_take(Sweep *s) {
    pthread_mutex_lock(&s->lock);
    while (s->next < s->plan.case_count && !is_left(s, s->next)) ++s->next;
    int64_t index = s->next < s->plan.case_count && !*s->cancel && !s->broken ? s->next++ : -1;
    pthread_mutex_unlock(&s->lock);
    return index;
}

void sweep_give(Sweep *s, int64_t index, SweepAnswer *answer) {
    int failed = 0;
    pthread_mutex_lock(&s->lock);
    if (!answer->canceled && !s->broken) {
        s->broken = sweep_journal_add(&s->journal, &s->plan, index, answer, &failed) != CLI_OK;
        ++s->given;
        s->failed += failed;
        progress_bar(&s->progress, (double)s->given / (double)s->todo, "%lld of %lld cases, %lld failed",
            (long long)s->given, (long long)s->todo, (long long)s->failed);
    }
    pthread_mutex_unlock(&s->lock);
    sweep_answer_free(answer);
}

static void *work(void *user) {
    Sweep *s = user;
    for (int64_t index; (index = sweep_take(s)) >= 0;) {
        SweepWords words = sweep_plan_words(&s->plan, index);
        SweepAnswer answer = sweep_case_run(words.word, s->seconds, s->cancel);
        sweep_words_free(&words);
        sweep_give(s, index, &answer);
    }
    return NULL;
}

void sweep_run_here(Sweep *s) {
    enum { MOST = 1024 };
    pthread_t thread[MOST];
    int count = 0, want = s->jobs < MOST ? s->jobs : MOST;
    while (count < want - 1 && pthread_create(&thread[count], NULL, work, s) == 0) ++count;
    work(s);
    while (count > 0) pthread_join(thread[--count], NULL);
}
