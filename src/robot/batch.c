/* SPDX-License-Identifier: Apache-2.0 */
/* Many configurations at once: each question has its own object, so that threads share nothing. */
#include "robot/configuration.h"

typedef struct Batch {
    const AbutDynamicsQuery *inputs;
    AbutStatus *outputs;
    int forward;
} Batch;

static AbutStatus answer(const AbutDynamicsQuery *in, int forward)
{
    AbutConfiguration *c = in->configuration;
    AbutStatus status = ABUT_OK;
    if (in->positions)
        status = abut_configuration_set(
            c, c->tree->nq, in->positions, in->velocities ? c->tree->nv : 0, in->velocities, NULL);
    if (status)
        return status;
    if (forward)
        abut_configuration_forward_dynamics(c, ABUT_FORWARD_AUTOMATIC, in->given, in->answer);
    else
        abut_configuration_inverse_dynamics(c, in->given, in->answer);
    return ABUT_OK;
}

static void dynamics_task(int begin, int end, int worker, void *user)
{
    (void)worker;
    const Batch *batch = user;
    for (int i = begin; i < end; ++i)
        batch->outputs[i] = answer(&batch->inputs[i], batch->forward);
}

void abut_inverse_dynamics_batch(int32_t count, const AbutDynamicsQuery *inputs, AbutStatus *outputs, int threads)
{
    ABUT_ASSERT(count == 0 || (inputs && outputs));
    Batch batch = {inputs, outputs, 0};
    abut_parallel_for(count, 8, threads, dynamics_task, &batch);
}

void abut_forward_dynamics_batch(int32_t count, const AbutDynamicsQuery *inputs, AbutStatus *outputs, int threads)
{
    ABUT_ASSERT(count == 0 || (inputs && outputs));
    Batch batch = {inputs, outputs, 1};
    abut_parallel_for(count, 8, threads, dynamics_task, &batch);
}

typedef struct IkBatch {
    const AbutIkQuery *inputs;
    AbutStatus *outputs;
} IkBatch;

static void ik_task(int begin, int end, int worker, void *user)
{
    (void)worker;
    const IkBatch *batch = user;
    for (int i = begin; i < end; ++i) {
        const AbutIkQuery *in = &batch->inputs[i];
        batch->outputs[i] =
            abut_configuration_ik(in->configuration, in->task_count, in->tasks, in->settings, in->answer, NULL);
    }
}

void abut_ik_batch(int32_t count, const AbutIkQuery *inputs, AbutStatus *outputs, int threads)
{
    ABUT_ASSERT(count == 0 || (inputs && outputs));
    IkBatch batch = {inputs, outputs};
    abut_parallel_for(count, 1, threads, ik_task, &batch);
}
