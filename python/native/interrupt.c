/* SPDX-License-Identifier: Apache-2.0 */
/* See interrupt.h. Only Python's main thread is told of signals, so that the work has to go to another one. */
#include "interrupt.h"

#include <pthread.h>
#include <time.h>

typedef struct Job {
    LongCall *call, *release; /* release NULL: the caller waits in any case */
    void *user;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    int done, left;
} Job;

/* For an abandoned job. */
static void clean_up(Job *job) {
    PyGILState_STATE state = PyGILState_Ensure();
    job->release(job->user);
    PyGILState_Release(state);
    abut_free(job);
}

static void *work(void *user) {
    Job *job = user;
    job->call(job->user);
    pthread_mutex_lock(&job->mutex);
    job->done = 1;
    int left = job->left;
    pthread_cond_signal(&job->ended);
    pthread_mutex_unlock(&job->mutex);
    if (left) clean_up(job);
    return NULL;
}

/* Waits for the end, at most 20 ms; 1: it came. */
static int wait_a_little(Job *job) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&job->mutex);
    if (!job->done) pthread_cond_timedwait(&job->ended, &job->mutex, &until);
    int done = job->done;
    pthread_mutex_unlock(&job->mutex);
    return done;
}

/* The caller goes; 0: it is too late for that, the job is done. */
static int leave(Job *job) {
    pthread_mutex_lock(&job->mutex);
    job->left = !job->done;
    int left = job->left;
    pthread_mutex_unlock(&job->mutex);
    return left;
}

static Job *start(LongCall *call, LongCall *release, void *user, pthread_t *thread) {
    Job *job = abut_alloc(sizeof *job);
    if (!job) return PyErr_NoMemory(), NULL;
    *job = (Job){call, release, user, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    if (pthread_create(thread, NULL, work, job) == 0) return job;
    abut_free(job);
    PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
    return NULL;
}

int run_interruptible(LongCall *call, void *user, volatile int *cancel) {
    pthread_t thread;
    Job *job = start(call, NULL, user, &thread);
    int done = 0, status = 0;
    if (!job) return -1;
    while (!done) {
        Py_BEGIN_ALLOW_THREADS;
        done = wait_a_little(job);
        Py_END_ALLOW_THREADS;
        if (!done && status == 0 && PyErr_CheckSignals() != 0) status = -1, *cancel = 1;
    }
    pthread_join(thread, NULL);
    abut_free(job);
    return status;
}

/* Did a signal come whose handler raises? */
static int is_interrupted(volatile int *cancel) {
    if (PyErr_CheckSignals() == 0) return 0;
    if (cancel) *cancel = 1;
    return 1;
}

int run_or_leave(LongCall *call, LongCall *release, void *user, volatile int *cancel) {
    pthread_t thread;
    Job *job = start(call, release, user, &thread);
    int done = 0, left = 0;
    if (!job) return release(user), -1;
    while (!done && !left) {
        Py_BEGIN_ALLOW_THREADS;
        done = wait_a_little(job);
        Py_END_ALLOW_THREADS;
        left = !done && is_interrupted(cancel) && leave(job);
    }
    if (left) {
        pthread_detach(thread);
        return -1;
    }
    pthread_join(thread, NULL);
    abut_free(job);
    if (!PyErr_Occurred()) return 0;
    release(user); /* the signal came with the end */
    return -1;
}
