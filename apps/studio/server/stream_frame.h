// SPDX-License-Identifier: MIT
// A frame as it goes from the sitting to all clients: made once, never changed, shared until the last one has
// it.
#pragma once

#include <phyxel/core/snapshot.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace phyxel::studio {

using ClientNumber = std::uint32_t;

/// A body with numbers that change when its particles, or the triangles of its surface, are others.
struct StreamBody {
    Snapshot snapshot;
    std::uint64_t ids_version = 0;
    std::uint64_t topology_version = 0;
    bool is_surface_made = false; ///< and wished for apart from those that are carried along
};

struct FrameContent {
    std::uint64_t frame = 0;
    double time = 0.0;              ///< [s]
    std::vector<StreamBody> bodies; ///< in the order of the message `scene`
};

struct StreamFrame {
    std::uint32_t sitting = 0;     ///< which one it belongs to
    std::uint64_t publication = 0; ///< counts up
    std::shared_ptr<const FrameContent> content;
    std::string state;                          ///< the message that goes with it
    std::map<ClientNumber, std::string> picked; ///< messages for those who picked a particle
};

/// Numbers for the versions of the bodies of a frame, from ids and triangles as they are.
FrameContent make_content(std::uint64_t frame, double time, std::vector<Snapshot> snapshots);

} // namespace phyxel::studio
