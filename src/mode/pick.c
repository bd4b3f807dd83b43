/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine runs a plan: by arithmetic, by the number of rows, and by what this processor offers. */
#include "mode/plan.h"

#if defined(__x86_64__) && defined(__GNUC__)
static int vector_level(void)
{
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
    return avx512 ? 2 : avx2 ? 1 : 0;
}
#else
static int vector_level(void)
{
    return 0;
}
#endif

AbutModeEngine *abut_mode_engine_pick(const AbutModePlan *plan, int level)
{
    int wide = plan->unique > 64, most = vector_level();
    if (level < 0 || level > most)
        level = most;
    if (plan->pairs && wide)
        return abut_mode_engine_p4;
    if (plan->pairs)
        return level == 2 ? abut_mode_engine_p1_avx512 : level == 1 ? abut_mode_engine_p1_avx2 : abut_mode_engine_p1;
    if (plan->exact)
        return wide ? abut_mode_engine_x4 : abut_mode_engine_x1;
    if (wide)
        return level > 0 ? abut_mode_engine_d4_avx2 : abut_mode_engine_d4;
    return level == 2 ? abut_mode_engine_d1_avx512 : level == 1 ? abut_mode_engine_d1_avx2 : abut_mode_engine_d1;
}
