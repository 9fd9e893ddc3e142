// SPDX-License-Identifier: MIT
// How scenes say how fine something is: by a spacing or by a count.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/scene/options.h>

#include <limits>

namespace phyxel {

/// Numbers of particles that an Index can have.
inline constexpr double max_particle_count = std::numeric_limits<Index>::max();

template <class Options>
void check_resolution(Reader& in, const Node& node, const Options& o)
{
    if (!o.spacing || !o.count) return;
    const Reader::Scope scope = in.enter("count");
    in.add_problem(*node.find("count"), "spacing and count are both given", "use one of them");
}

} // namespace phyxel
