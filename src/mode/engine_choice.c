/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine runs prepared rows: by arithmetic, by the number of rows, and by what this processor offers. */
#include "mode/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
static int vector_level(void) {
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
    return avx512 ? 2 : avx2 ? 1 : 0;
}
#else
static int vector_level(void) { return 0; }
#endif

AbutModeEngine *abut_mode_choose_engine(const AbutModePrepared *prepared, int level) {
    int wide = prepared->unique > 64, most = vector_level();
    if (level < 0 || level > most) level = most;
    if (prepared->double_double && wide) return abut_mode_engine_double_double_256;
    if (prepared->double_double)
        return level == 2   ? abut_mode_engine_double_double_64_avx512
               : level == 1 ? abut_mode_engine_double_double_64_avx2
                            : abut_mode_engine_double_double_64;
    if (prepared->exact) return wide ? abut_mode_engine_exact_256 : abut_mode_engine_exact_64;
    if (wide) return level > 0 ? abut_mode_engine_double_256_avx2 : abut_mode_engine_double_256;
    return level == 2   ? abut_mode_engine_double_64_avx512
           : level == 1 ? abut_mode_engine_double_64_avx2
                        : abut_mode_engine_double_64;
}
