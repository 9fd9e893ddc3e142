// SPDX-License-Identifier: MIT
#include "client_queue.h"

#include <utility>

namespace phyxel::studio {

bool ClientQueue::add_text(std::string text)
{
    if (texts_.size() >= max_waiting_texts || text_bytes_ + text.size() > max_waiting_bytes) return false;
    text_bytes_ += text.size();
    texts_.push_back(std::move(text));
    return true;
}

void ClientQueue::offer(std::shared_ptr<const StreamFrame> frame) { waiting_ = std::move(frame); }

std::optional<std::variant<std::string, DueFrame>> ClientQueue::next()
{
    if (!texts_.empty()) {
        std::string text = std::move(texts_.front());
        texts_.pop_front();
        text_bytes_ -= text.size();
        return text;
    }
    if (!waiting_ || frames_in_flight() >= max_frames_in_flight) return std::nullopt;
    return DueFrame{std::exchange(waiting_, nullptr), ++sent_};
}

bool ClientQueue::acknowledge(std::uint32_t serial)
{
    // Serial numbers wrap around; what counts is how far they lie apart.
    if (serial - acknowledged_ > sent_ - acknowledged_) return false;
    acknowledged_ = serial;
    return true;
}

} // namespace phyxel::studio
