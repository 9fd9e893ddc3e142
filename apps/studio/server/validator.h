// SPDX-License-Identifier: MIT
// Checks texts that clients edit, in a thread of its own: filling shapes takes a while, and neither the
// simulation nor the network may wait for it.
#pragma once

#include "message.h"
#include "stream_frame.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace phyxel::studio {

/// The message `problems`: all that is wrong with a scene, and what is doubtful.
std::string problems_text(const ValidateMessage& message, const std::filesystem::path& folder,
                          const std::vector<std::filesystem::path>& roots);

class Validator {
public:
    /// `tell` is called from the validator's thread.
    Validator(std::vector<std::filesystem::path> roots,
              std::function<void(ClientNumber, std::string text)> tell);
    ~Validator();
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// Of a client's texts that wait only the newest is checked.
    void post(ClientNumber client, ValidateMessage message, std::filesystem::path folder);

private:
    struct Job {
        ValidateMessage message;
        std::filesystem::path folder;
    };
    void work();

    std::vector<std::filesystem::path> roots_;
    std::function<void(ClientNumber, std::string)> tell_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<ClientNumber, Job> jobs_;
    bool is_ending_ = false;
    std::thread thread_;
};

} // namespace phyxel::studio
