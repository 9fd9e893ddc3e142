// SPDX-License-Identifier: MIT
// Fuzz target for quantities: what is accepted is finite, is accepted for exactly one kind of unit, and
// changes its sign with the number.

#include <phyxel/core/error.h>
#include <phyxel/scene/quantity.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace phyxel {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

/// Calls `attempt` and says whether it went through.
template <class Attempt>
bool is_accepted(Attempt&& attempt)
{
    try {
        attempt();
        return true;
    } catch (const InputError& error) {
        require(std::string_view(error.what()).size() > 10);
        return false;
    }
}

void check(std::string_view text)
{
    Unit unit;
    if (is_accepted([&] { unit = parse_unit(text); })) {
        require(unit.offset == 0.0 || unit.dimension == Dimension{.temperature = 1});
        require(!dimension_name(unit.dimension).empty());
    }

    Quantity quantity;
    if (!is_accepted([&] { quantity = parse_quantity(text); })) return;
    require(std::isfinite(quantity.value));

    // Ways to write units that differ in their dimension.
    constexpr std::array<std::string_view, 12> units = {"1",     "m",     "kg",   "s",     "K",        "rad",
                                                        "rad/s", "m/s^2", "Pa s", "m^2/s", "J/(kg K)", "N m"};
    for (const std::string_view expected : units) {
        double value = 0.0;
        const bool fits = is_accepted([&] {
            value = parse_quantity_in(text, expected, {"m^2/s", "a hint"});
        });
        require(fits == (parse_unit(expected).dimension == quantity.dimension));
        if (!fits) continue;
        require(value == quantity.value);
        const Quantity again = parse_quantity(format_quantity(value, expected));
        require(again.dimension == quantity.dimension);
        require(std::abs(again.value - value) <= 1e-5 * std::abs(value) + 1e-320);
    }

    const std::size_t begin = text.find_first_not_of(" \t\n\r");
    if (text[begin] == '-' || text[begin] == '+' || text.size() >= 200 ||
        text.find("°C") != std::string_view::npos || text.find("\u2212") != std::string_view::npos)
        return;
    require(parse_quantity('-' + std::string(text.substr(begin))).value == -quantity.value);
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check({reinterpret_cast<const char*>(data), size});
    return 0;
}
