// SPDX-License-Identifier: MIT
// Checks texts that clients edit, in a thread of its own: filling shapes takes a while, and neither the
// simulation nor the network may wait for it.
#pragma once

#include "message.h"
#include "stream_frame.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace phyxel::studio {

/// Problems and warnings that are told of one text; nobody reads more of them.
inline constexpr std::size_t max_told_problems = 200;

/// The message `problems`: all that is wrong with a scene, and what is doubtful. Empty if it was stopped.
std::string problems_text(const ValidateMessage& message, const std::filesystem::path& folder,
                          const std::vector<std::filesystem::path>& roots, const std::stop_token& stop = {});

class Validator {
public:
    /// `tell` is called from the validator's thread.
    Validator(std::vector<std::filesystem::path> roots,
              std::function<void(ClientNumber, std::string text)> tell);
    ~Validator();
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// Of a client's texts only the newest is checked; clients take turns.
    void post(ClientNumber client, ValidateMessage message, std::filesystem::path folder);

    void ask_to_end();
    /// After it was asked to: whether what it was at is done with by then.
    bool has_ended_by(std::chrono::steady_clock::time_point deadline);

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
    ClientNumber present_ = 0; ///< whose text is checked, or was last
    std::stop_source stop_;    ///< ends the check of it
    bool is_ending_ = false, has_ended_ = false;
    std::thread thread_;
};

} // namespace phyxel::studio
