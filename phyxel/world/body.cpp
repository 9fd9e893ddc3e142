// SPDX-License-Identifier: MIT
#include <phyxel/world/body.h>

#include <phyxel/core/number_text.h>

namespace phyxel {

std::string to_text(const Failure& failure)
{
    std::string text = failure.body;
    if (failure.particle) text += ": particle " + std::to_string(*failure.particle);
    text += " at " + number_text(failure.time, 6) + " s: " + failure.what;
    if (!failure.cause.empty()) text += "; " + failure.cause;
    return text;
}

} // namespace phyxel
