// SPDX-License-Identifier: MIT
// Frames as bytes for one client. Positions are 16-bit numbers between the corners of a box, so that each is
// off by at most 1/131070 of the box's side along its axis. The layout is in docs/studio.md.
#pragma once

#include "stream_frame.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::studio {

inline constexpr std::uint32_t frame_magic = 0x31465850; ///< "PXF1"

/// What follows for a body.
enum BodyFlags : std::uint32_t { HasIds = 1, HasColor = 2, HasSurface = 4, HasTriangles = 8, HasAxes = 16 };

/// What a client wants to see.
struct ClientView {
    std::string color = "velocity"; ///< a field, or `body` for none
    bool surface = true;            ///< that a body carries
    bool made_surface = false;      ///< that is made of its particles

    bool shows_surface_of(const StreamBody& body) const
    {
        return body.snapshot.surface && (body.is_surface_made ? made_surface : surface);
    }
};

/// FNV-1a, 32 bits; what a frame calls a field.
std::uint32_t field_hash(std::string_view name);

/// Remembers what its client has, so that ids and triangles are sent when they are others than before.
class FrameEncoder {
public:
    std::vector<std::byte> encode(const StreamFrame& frame, const ClientView& view, std::uint32_t serial);

private:
    std::size_t size_of(const FrameContent& content, const ClientView& view, bool is_colored) const;

    struct Sent {
        std::uint64_t ids_version = 0;
        std::uint64_t topology_version = 0;
    };
    std::uint32_t sitting_ = 0;
    std::vector<Sent> sent_; ///< of each body
};

} // namespace phyxel::studio
