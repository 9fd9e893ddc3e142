// SPDX-License-Identifier: MIT
#include "color_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace phyxel::studio {
namespace {

constexpr double least = 1e-6;   ///< part of a quantity's scale that is rounding or cannot be seen
constexpr double most = 1e30;    ///< as for frames: what has burst
constexpr double slowly = 0.985; ///< part of what was shown that stays, from one frame to the next

/// Zero is far away from the values of these; the colours of all others that cannot be negative begin there.
bool is_far_from_zero(const std::string& field)
{
    return field == "density" || field == "temperature" || field == "height";
}

std::optional<std::pair<double, double>> extent(const FrameContent& content, const std::string& name)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const StreamBody& body : content.bodies)
        if (const Field* field = body.snapshot.find(name))
            for (const double value : magnitudes(*field)) {
                if (!(std::abs(value) < most)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
    if (!(low <= high)) return std::nullopt;
    return std::pair(low, high);
}

} // namespace

/// Motion of a millionth of a spacing from frame to frame, and what belongs to such motion in something as
/// dense as water.
double ColorRanges::negligible(const std::string& field) const
{
    constexpr double density = 1000.0; // [kg/m³]
    const double speed = spacing_ * frame_rate_;
    const std::string unit = units_.of(field);
    if (unit == "m/s") return least * speed;
    if (unit == "Pa" || unit == "J/m³") return least * density * speed * speed;
    if (unit == "m") return least * spacing_;
    return 1e-9; // such as strains
}

void ColorRanges::follow(const FrameContent& content, const std::set<std::string>& fields)
{
    const double kept = std::exchange(frame_, content.frame) == content.frame ? 1.0 : slowly;
    std::erase_if(ranges_, [&](const auto& range) { return !fields.contains(range.first); });
    for (const std::string& field : fields) {
        const auto found = extent(content, field);
        if (!found) continue;
        auto [low, high] = *found;
        const double size = std::max(std::abs(low), std::abs(high));
        if (size <= negligible(field)) low = high = 0.0;
        if ((low > 0.0 && !is_far_from_zero(field)) || (low < 0.0 && -low < least * high)) low = 0.0;
        if (high - low <= least * size) low = high = 0.5 * (low + high);
        const auto [range, is_new] = ranges_.try_emplace(field, low, high);
        auto& [shown_low, shown_high] = range->second;
        if (is_new || shown_low == shown_high) {
            range->second = {low, high};
            continue;
        }
        shown_low = std::min(low, kept * shown_low + (1.0 - kept) * low);
        shown_high = std::max(high, kept * shown_high + (1.0 - kept) * high);
        if (std::max(std::abs(shown_low), std::abs(shown_high)) <= negligible(field))
            shown_low = shown_high = 0.0;
    }
}

Node ColorRanges::node() const
{
    Node node = Node::object();
    for (const auto& [field, range] : ranges_) node.set(field, Node::list({range.first, range.second}));
    return node;
}

} // namespace phyxel::studio
