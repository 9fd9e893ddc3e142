// SPDX-License-Identifier: MIT
#include <phyxel/world/body.h>

#include <phyxel/core/number_text.h>

#include <cmath>

namespace phyxel {

std::string to_text(const Failure& failure)
{
    std::string text = failure.body;
    if (failure.particle) text += ": particle " + std::to_string(*failure.particle);
    text += " at " + number_text(failure.time, 6) + " s: " + failure.what;
    if (!failure.cause.empty()) text += "; " + failure.cause;
    return text;
}

std::string too_fast_text(double speed, std::string_view limit)
{
    if (!std::isfinite(speed)) return "its speed is no longer a finite number";
    return "it moves at " + number_text(speed, 3) + " m/s, faster than " + std::string(limit);
}

} // namespace phyxel
