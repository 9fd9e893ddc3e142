// SPDX-License-Identifier: MIT
// The one thing that all clients see: a scene that runs or a run that was recorded, in a thread of its own.
// It never waits for a client: commands are put into a queue, frames are handed over to whoever wants them,
// and if nobody has room for one none is made.
#pragma once

#include "color_ranges.h"
#include "frame_encoder.h"
#include "opening.h"
#include "show.h"
#include "sitting_command.h"
#include "stream_frame.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::studio {

/// Commands that may wait for the sitting.
inline constexpr std::size_t max_waiting_commands = 256;

/// A message to one client, or to all.
struct TextNews {
    std::optional<ClientNumber> client;
    std::string text;
};

/// The message `scene` or `gallery`, after which frames of that sitting make sense to a client.
struct SceneNews {
    std::optional<ClientNumber> client;
    std::uint32_t sitting = 0; ///< 0: nothing is open
    std::string text;
};

using News = std::variant<TextNews, SceneNews, std::shared_ptr<const StreamFrame>>;

struct SittingOptions {
    std::vector<std::filesystem::path> roots; ///< files that scenes name must lie below one of them
    std::filesystem::path save_folder;
};

class Sitting {
public:
    /// `tell` is called from the sitting's thread and must not wait.
    Sitting(SittingOptions options, std::function<void(News)> tell);
    ~Sitting();
    Sitting(const Sitting&) = delete;
    Sitting& operator=(const Sitting&) = delete;

    /// False if too many commands wait; those of the server itself are always taken.
    bool post(ClientNumber client, Command command);

    /// Somebody has room for a frame: the next one that is new will be told, once.
    void request_frame();

    /// Where the files of the present scene are; empty if there is none.
    std::filesystem::path folder() const;

    void ask_to_end();
    /// After it was asked to: whether it has ended by then. While a file is being written it waits longer.
    bool has_ended_by(std::chrono::steady_clock::time_point deadline);

private:
    using Clock = std::chrono::steady_clock;
    struct Posted {
        ClientNumber client;
        Command command;
    };

    void work();
    void say_what_fails(const std::function<void()>& action);
    void meanwhile_serve(const std::function<void()>& work);
    std::vector<Posted> wait_for_commands();
    void handle(const Posted& posted);
    void handle_all(std::vector<Posted> commands);
    void put_back(std::span<const Posted* const> posted);

    void on(ClientNumber client, const OpenRequest& request);
    void on(ClientNumber client, const PlayMessage&);
    void on(ClientNumber client, const PauseMessage&);
    void on(ClientNumber client, const StepMessage&);
    void on(ClientNumber client, const RestartMessage& message);
    void on(ClientNumber client, const GoOnMessage&);
    void on(ClientNumber client, const CloseMessage&);
    void on(ClientNumber client, const SeekMessage& message);
    void on(ClientNumber client, const PickMessage& message);
    void on(ClientNumber client, const SetMessage& message);
    void on(ClientNumber client, const HandMessage& message);
    void on(ClientNumber client, const ReleaseMessage& message);
    void on(ClientNumber client, const DropMessage& message);
    void on(ClientNumber client, const PourMessage& message);
    void on(ClientNumber client, const SaveMessage& message);
    void on(ClientNumber client, const ClientCame&);
    void on(ClientNumber client, const ClientGone&);
    void on(ClientNumber client, const WishesChanged& change);

    using Values = std::vector<std::pair<std::string, Node>>;
    void begin(OpenRequest request, const Values& values = {});
    void set_again(const Values& values);
    void finish_frame();
    void go_on();
    void note_failure();
    void stop_playing();
    void tell_changed_values(Values answers = {});
    void note_change();
    void note_touch();
    bool may_go_on() const;
    Clock::time_point next_begin() const;
    void keep_pace(Clock::time_point now);
    void publish();
    FrameContent present_content();
    void tell_frame(std::shared_ptr<const FrameContent> content);
    std::string state_text();
    std::string picked_text(const PickMessage& pick, const FrameContent& content);
    SavedFile save_text(const SaveMessage& message);
    void tell_scene(std::optional<ClientNumber> client);
    void tell_failure(std::optional<ClientNumber> client);
    void tell_error(std::optional<ClientNumber> client, const std::string& what);
    Show& show();
    double speed() const;

    SittingOptions options_;
    std::function<void(News)> tell_;

    // Shared between the threads.
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Posted> commands_;
    std::filesystem::path folder_;
    bool is_frame_wanted_ = false;
    bool is_ending_ = false, has_ended_ = false, is_saving_ = false;
    std::stop_source opening_;             ///< stops it
    std::atomic<bool> is_urgent_ = false;  ///< what waits makes the present frame pointless
    std::atomic<bool> is_touched_ = false; ///< what waits changes the simulation

    // Of the sitting's own thread.
    std::unique_ptr<Show> show_;
    OpenRequest opened_;
    std::string opening_name_; ///< of what is being opened; empty if nothing is
    std::vector<ClientNumber> came_meanwhile_;
    bool is_unsaved_ = false; ///< something was done that is in no file
    Values values_;           ///< that somebody has set, in the order in which they were
    std::uint32_t serial_ = 0;
    std::uint64_t publication_ = 0;
    std::shared_ptr<const FrameContent> content_;      ///< of the present frame, once somebody wanted it
    std::shared_ptr<const FrameContent> last_content_; ///< that was told
    bool is_news_ = false;                             ///< something changed since the last publication
    bool is_playing_ = false;
    bool is_step_ = false; ///< stop after the next frame
    bool is_between_frames_ = false;
    Clock::time_point interrupted_ = {}; ///< when a frame was, the last time
    std::size_t clients_ = 0;
    Wishes wishes_;
    std::map<std::string, double> made_surfaces_; ///< spacings of the bodies that can have them [m]
    ColorRanges ranges_;
    std::map<ClientNumber, PickMessage> picks_;
    Clock::time_point pace_wall_ = {}; ///< when `pace_time_` was shown, or would have been
    double pace_time_ = 0.0;
    double frame_cost_ = 0.0;                                ///< wall-clock that a frame takes [s]
    double spent_ = 0.0;                                     ///< on the present frame so far [s]
    std::deque<std::pair<Clock::time_point, double>> shown_; ///< when which time was reached, of late

    std::thread thread_;
};

} // namespace phyxel::studio
