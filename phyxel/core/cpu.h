// SPDX-License-Identifier: MIT
// What the processor can do. The library is compiled for x86-64-v3; programs check this before anything
// else, because the first wider instruction on an older machine would end them without a word.
#pragma once

namespace phyxel {

/// AVX2, FMA and BMI2, which every file of the library is compiled for.
bool cpu_supports_baseline();

/// AVX-512 with the byte, word and vector-length extensions, for which list building has a path of its own.
bool cpu_supports_avx512();

} // namespace phyxel
