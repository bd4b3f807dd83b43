/* SPDX-License-Identifier: Apache-2.0 */
/* Handing out the cases: whoever is free takes the next one, so that a slow case holds nobody else up. */
#include "sweep.h"

static SweepRunner *chosen = sweep_run_here;

void sweep_use_runner(SweepRunner *runner)
{
    chosen = runner;
}

SweepRunner *sweep_runner(void)
{
    return chosen;
}

/* Is a case of this shard, and not done? */
static int is_left(const Sweep *s, int64_t index)
{
    return index % s->journal.shards == s->journal.shard - 1 && s->journal.entry[index].at < 0;
}

int64_t sweep_take(Sweep *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->next < s->plan.case_count && !is_left(s, s->next))
        ++s->next;
    int64_t index = s->next < s->plan.case_count && !*s->cancel && !s->broken ? s->next++ : -1;
    pthread_mutex_unlock(&s->lock);
    return index;
}

void sweep_give(Sweep *s, int64_t index, SweepAnswer *answer)
{
    int failed = 0;
    pthread_mutex_lock(&s->lock);
    if (!answer->cancelled && !s->broken) {
        s->broken = sweep_journal_add(&s->journal, &s->plan, index, answer, &failed) != CLI_OK;
        ++s->given;
        s->failed += failed;
        progress_bar(&s->progress, (double)s->given / (double)s->todo, "%lld of %lld cases, %lld failed",
            (long long)s->given, (long long)s->todo, (long long)s->failed);
    }
    pthread_mutex_unlock(&s->lock);
    sweep_answer_free(answer);
}

static void *work(void *user)
{
    Sweep *s = user;
    for (int64_t index; (index = sweep_take(s)) >= 0;) {
        SweepWords words = sweep_plan_words(&s->plan, index);
        SweepAnswer answer = sweep_case_run(words.word, s->seconds, s->cancel);
        sweep_words_free(&words);
        sweep_give(s, index, &answer);
    }
    return NULL;
}

void sweep_run_here(Sweep *s)
{
    enum { MOST = 1024 };
    pthread_t thread[MOST];
    int count = 0, want = s->jobs < MOST ? s->jobs : MOST;
    while (count < want - 1 && pthread_create(&thread[count], NULL, work, s) == 0)
        ++count;
    work(s);
    while (count > 0)
        pthread_join(thread[--count], NULL);
}
