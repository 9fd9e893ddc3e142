// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>

#include <cstdio>
#include <cstdlib>

namespace phyxel::detail {

void assertion_failed(const char* expression, const std::string& operands, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
    if (!operands.empty()) std::fprintf(stderr, "  with %s\n", operands.c_str());
    std::fflush(stderr);
    std::abort();
}

} // namespace phyxel::detail
