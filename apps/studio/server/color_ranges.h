// SPDX-License-Identifier: MIT
// Which values the colours of a sitting stand for. Kept here and not in the pages, so that all of them show
// the same colours, also those that came later.
#pragma once

#include "stream_frame.h"

#include <phyxel/core/field_info.h>
#include <phyxel/scene/node.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace phyxel::studio {

class ColorRanges {
public:
    ColorRanges() = default;
    /// A spacing [m] and a frame rate [1/s] say what is too little to be seen; 0 if they are not known.
    ColorRanges(double spacing, double frame_rate, FieldUnits units)
        : spacing_(spacing),
          frame_rate_(frame_rate),
          units_(std::move(units))
    {
    }

    /// Ranges widen at once and narrow slowly from frame to frame, so that colours do not flicker. Those of
    /// fields that nobody wishes to see are forgotten.
    void follow(const FrameContent& content, const std::set<std::string>& fields);

    /// {field: [low, high]}. Both are the same where all values are, but for rounding.
    Node node() const;

private:
    double negligible(const std::string& field) const;

    double spacing_ = 0.0, frame_rate_ = 0.0;
    FieldUnits units_;
    std::uint64_t frame_ = 0; ///< that was followed last
    std::map<std::string, std::pair<double, double>> ranges_;
};

} // namespace phyxel::studio
