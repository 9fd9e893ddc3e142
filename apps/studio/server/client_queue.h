// SPDX-License-Identifier: MIT
// What waits for one client. Frames are never queued: at most two are on their way, and the newest replaces
// what waits. So a client that reads slowly sees fewer frames, and one that reads nothing costs no memory.
#pragma once

#include "stream_frame.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace phyxel::studio {

/// On their way to a client, until it acknowledges them.
inline constexpr std::uint32_t max_frames_in_flight = 2;
/// Texts that may wait; a client that has more does not read.
inline constexpr std::size_t max_waiting_texts = 256;
inline constexpr std::size_t max_waiting_bytes = std::size_t(32) << 20;

/// A frame that is to be encoded and sent under this serial number.
struct DueFrame {
    std::shared_ptr<const StreamFrame> frame;
    std::uint32_t serial = 0;
};

class ClientQueue {
public:
    /// False if too much waits already.
    [[nodiscard]] bool add_text(std::string text);

    /// Replaces a frame that waits.
    void offer(std::shared_ptr<const StreamFrame> frame);

    /// Forgets the frame that waits, as when another sitting begins.
    void drop_frame() { waiting_.reset(); }

    /// What is to be sent next: texts in their order, then the frame, if there is room for it.
    std::optional<std::variant<std::string, DueFrame>> next();

    /// The client has this frame and all before it. False if it was never sent.
    [[nodiscard]] bool acknowledge(std::uint32_t serial);

    std::uint32_t frames_in_flight() const { return sent_ - acknowledged_; }

    /// Whether another frame could be sent now.
    bool has_room() const { return frames_in_flight() < max_frames_in_flight && !waiting_; }

private:
    std::deque<std::string> texts_;
    std::size_t text_bytes_ = 0;
    std::shared_ptr<const StreamFrame> waiting_;
    std::uint32_t sent_ = 0;         ///< serial of the last one
    std::uint32_t acknowledged_ = 0; ///< serial of the last one
};

} // namespace phyxel::studio
