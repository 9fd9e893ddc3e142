// SPDX-License-Identifier: MIT
#include <phyxel/core/cpu.h>

namespace phyxel {

bool cpu_supports_baseline()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

bool cpu_supports_avx512()
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

} // namespace phyxel
