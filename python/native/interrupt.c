/* SPDX-License-Identifier: Apache-2.0 */
/* See interrupt.h. Only Python's main thread is told of signals, so that the work has to go to another one. */
#include "interrupt.h"

#include <pthread.h>
#include <time.h>

typedef struct Job {
    LongCall *call;
    void *user;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    int done;
} Job;

static void *work(void *user)
{
    Job *job = user;
    job->call(job->user);
    pthread_mutex_lock(&job->mutex);
    job->done = 1;
    pthread_cond_signal(&job->ended);
    pthread_mutex_unlock(&job->mutex);
    return NULL;
}

/* Waits for the end, at most 20 ms; 1: it came. */
static int wait_a_little(Job *job)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&job->mutex);
    if (!job->done)
        pthread_cond_timedwait(&job->ended, &job->mutex, &until);
    int done = job->done;
    pthread_mutex_unlock(&job->mutex);
    return done;
}

int run_interruptible(LongCall *call, void *user, volatile int *cancel)
{
    Job job = {call, user, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &job) != 0)
        return PyErr_SetString(PyExc_RuntimeError, "no thread could be started"), -1;
    int done = 0, status = 0;
    while (!done) {
        Py_BEGIN_ALLOW_THREADS;
        done = wait_a_little(&job);
        Py_END_ALLOW_THREADS;
        if (!done && status == 0 && PyErr_CheckSignals() != 0)
            status = -1, *cancel = 1;
    }
    pthread_join(thread, NULL);
    return status;
}
