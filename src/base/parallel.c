/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel loop over blocks that do not depend on the number of threads; serial when built without OpenMP. */
#include "abut/base.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int abut_thread_count(int threads) {
#ifdef _OPENMP
    return threads > 0 ? threads : omp_get_num_procs();
#else
    (void)threads;
    return 1;
#endif
}

void abut_parallel_for(
    int count, int grain, int threads, void (*task)(int begin, int end, int worker, void *user), void *user) {
    ABUT_ASSERT(task);
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    int blocks = (count - 1) / grain + 1;
    int wanted = abut_thread_count(threads);
    if (wanted > blocks) wanted = blocks;
#ifdef _OPENMP
    if (wanted > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wanted)
        for (int block = 0; block < blocks; ++block) {
            int begin = block * grain, end = count - begin > grain ? begin + grain : count;
            task(begin, end, omp_get_thread_num(), user);
        }
        return;
    }
#endif
    for (int block = 0; block < blocks; ++block) {
        int begin = block * grain, end = count - begin > grain ? begin + grain : count;
        task(begin, end, 0, user);
    }
}
