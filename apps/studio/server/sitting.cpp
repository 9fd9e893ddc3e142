// SPDX-License-Identifier: MIT
#include "sitting.h"

#include "made_surfaces.h"
#include "run_scene.h"
#include "scene_files.h"

#include <phyxel/core/error.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/io/file.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/scene.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <set>
#include <tuple>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

using Seconds = std::chrono::duration<double>;

/// The speed that is shown is that of the last second.
constexpr Seconds speed_window(1.0);

/// Whoever touches a scene may have to wait for the rest of a frame that takes no longer than this. Longer
/// ones are interrupted, which costs a step or so.
constexpr Seconds patience(0.04);
/// Somebody who drags touches it many times a second: this much lies between two interruptions at least.
constexpr Seconds between_interruptions(0.06);

const char* name_of(SavedThing what)
{
    switch (what) {
    case SavedThing::Scene:
        return "scene";
    case SavedThing::Checkpoint:
        return "checkpoint";
    case SavedThing::Text:
        break;
    }
    return "text";
}

} // namespace

Sitting::Sitting(SittingOptions options, std::function<void(News)> tell)
    : options_(std::move(options)),
      tell_(std::move(tell)),
      thread_([this] { work(); })
{
}

Sitting::~Sitting()
{
    ask_to_end();
    thread_.join();
}

void Sitting::ask_to_end()
{
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        is_urgent_ = true;
        opening_.request_stop();
    }
    changed_.notify_all();
}

bool Sitting::has_ended_by(Clock::time_point deadline)
{
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, deadline, [&] { return has_ended_; });
    changed_.wait(lock, [&] { return has_ended_ || !is_saving_; });
    return has_ended_;
}

bool Sitting::post(ClientNumber client, Command command)
{
    {
        const std::lock_guard lock(mutex_);
        if (commands_.size() >= max_waiting_commands && !is_always_taken(command)) return false;
        if (is_urgent(command)) is_urgent_ = true;
        if (is_replacement(command)) opening_.request_stop();
        if (is_touch(command)) is_touched_ = true;
        commands_.push_back({client, std::move(command)});
    }
    changed_.notify_all();
    return true;
}

void Sitting::request_frame()
{
    {
        const std::lock_guard lock(mutex_);
        is_frame_wanted_ = true;
    }
    changed_.notify_all();
}

fs::path Sitting::folder() const
{
    const std::lock_guard lock(mutex_);
    return folder_;
}

void Sitting::work()
{
    while (true) {
        std::vector<Posted> commands = wait_for_commands();
        {
            const std::lock_guard lock(mutex_);
            if (is_ending_) break;
        }
        handle_all(std::move(commands));
        say_what_fails([&] {
            if (may_go_on() && Clock::now() >= next_begin()) go_on();
            publish();
        });
    }
    {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
    }
    changed_.notify_all();
}

void Sitting::say_what_fails(const std::function<void()>& action)
{
    try {
        action();
    } catch (const std::exception& error) {
        // A frame that cannot be read, or no memory: stop, say so, go on showing what there was, and wait for
        // another wish.
        stop_playing();
        is_between_frames_ = false;
        is_news_ = false;
        tell_error(std::nullopt, error.what());
        try {
            if (last_content_) tell_frame(last_content_);
        } catch (const std::exception&) { // then there is nothing more to say
        }
    }
}

/// Does what takes long and touches nothing of the present show. Whoever comes or looks on meanwhile sees
/// that show standing still; other commands wait. What the work throws is thrown here.
void Sitting::meanwhile_serve(const std::function<void()>& work)
{
    bool is_done = false; // shared, under the mutex
    std::exception_ptr failure;
    std::thread worker([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        is_done = true;
        changed_.notify_all();
    });
    const auto may_be_handled = [](const Posted& posted) { return is_always_taken(posted.command); };
    while (true) {
        std::vector<Posted> commands;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] {
                return is_done || std::any_of(commands_.begin(), commands_.end(), may_be_handled) ||
                       (!is_ending_ && show_ && is_frame_wanted_ && is_news_ && !is_between_frames_);
            });
            if (is_done) break;
            const auto handled = std::stable_partition(commands_.begin(), commands_.end(),
                                                       [&](const Posted& p) { return !may_be_handled(p); });
            commands.assign(std::make_move_iterator(handled), std::make_move_iterator(commands_.end()));
            commands_.erase(handled, commands_.end());
        }
        handle_all(std::move(commands));
        say_what_fails([&] { publish(); });
    }
    worker.join();
    if (failure) std::rethrow_exception(failure);
}

/// Sleeps until there is something to do.
std::vector<Sitting::Posted> Sitting::wait_for_commands()
{
    const bool goes_on = may_go_on();
    const Clock::time_point begin = goes_on ? next_begin() : Clock::time_point::max();
    std::unique_lock lock(mutex_);
    const auto is_something = [&] {
        return is_ending_ || !commands_.empty() || (is_frame_wanted_ && is_news_ && !is_between_frames_);
    };
    if (goes_on)
        changed_.wait_until(lock, begin, is_something);
    else
        changed_.wait(lock, is_something);
    std::vector<Posted> commands(std::make_move_iterator(commands_.begin()),
                                 std::make_move_iterator(commands_.end()));
    commands_.clear();
    if (!is_ending_) is_urgent_ = false;
    is_touched_ = false;
    return commands;
}

void Sitting::handle_all(std::vector<Posted> commands)
{
    // Of those of a client that replace each other the newest counts: each one waits for an answer to its
    // last.
    std::set<std::pair<ClientNumber, std::pair<std::size_t, std::string>>> seen;
    std::vector<const Posted*> kept;
    std::for_each(commands.rbegin(), commands.rend(), [&](const Posted& posted) {
        const auto key = key_of(posted.command);
        if (!key || seen.emplace(posted.client, *key).second) kept.push_back(&posted);
    });
    std::reverse(kept.begin(), kept.end());
    for (auto posted = kept.begin(); posted != kept.end(); ++posted) {
        // Whoever comes while something is opened is served meanwhile, if it is found in the queue.
        if (is_opening((*posted)->command)) {
            put_back({posted + 1, kept.end()});
            kept.erase(posted + 1, kept.end());
        }
        handle(**posted);
    }
}

/// In front of what has come since.
void Sitting::put_back(std::span<const Posted* const> posted)
{
    const std::lock_guard lock(mutex_);
    std::for_each(posted.rbegin(), posted.rend(), [&](const Posted* p) { commands_.push_front(*p); });
    is_urgent_ = is_urgent_ || std::any_of(posted.begin(), posted.end(),
                                           [](const Posted* p) { return is_urgent(p->command); });
}

void Sitting::handle(const Posted& posted)
{
    try {
        std::visit([&](const auto& command) { on(posted.client, command); }, posted.command);
    } catch (const InputError& error) {
        tell_error(posted.client, error.what());
    } catch (const std::bad_alloc&) {
        tell_error(posted.client, "there is not enough memory for this");
    } catch (const std::exception& error) {
        tell_error(posted.client, std::string("unexpected error: ") + error.what());
    }
}

Show& Sitting::show()
{
    if (!show_) throw InputError("nothing is open");
    return *show_;
}

void Sitting::on(ClientNumber, const OpenRequest& request)
{
    OpenRequest wish = request;
    if (wish.path.empty() && wish.folder.empty() && wish.checkpoint.empty()) wish.folder = folder();
    read_text(wish);
    begin(std::move(wish));
}

/// Replaces what is shown. If that fails the present show stays. Values are those of a sitting that is begun
/// again.
void Sitting::begin(OpenRequest request, const Values& values)
{
    std::stop_token stop;
    {
        const std::lock_guard lock(mutex_);
        opening_ = {};
        if (is_ending_ || std::any_of(commands_.begin(), commands_.end(),
                                      [](const Posted& p) { return is_replacement(p.command); }))
            opening_.request_stop();
        stop = opening_.get_token();
    }
    opening_name_ = request.name.empty() ? "scene" : request.name;
    std::unique_ptr<Show> show;
    std::exception_ptr failure;
    try {
        meanwhile_serve([&] { show = make_show(request, options_.roots, stop); });
    } catch (...) {
        failure = std::current_exception();
    }
    opening_name_.clear();
    const std::vector<ClientNumber> came = std::exchange(came_meanwhile_, {});
    if (!show) {
        // They were told that it would open.
        for (const ClientNumber client : came) tell_scene(client);
        if (stop.stop_requested()) throw InputError("it was not opened, as something else was asked for");
        std::rethrow_exception(failure);
    }
    show_ = std::move(show);
    opened_ = std::move(request);
    {
        const std::lock_guard lock(mutex_);
        folder_ = show_->folder();
    }
    ++serial_;
    content_.reset();
    last_content_.reset();
    picks_.clear();
    is_between_frames_ = false;
    is_step_ = false;
    is_playing_ = true;
    is_news_ = true;
    frame_cost_ = 0.0;
    spent_ = 0.0;
    shown_.clear();
    pace_wall_ = Clock::now();
    pace_time_ = show_->time();
    const Node description = show_->description();
    FieldUnits units;
    if (const Node* fields = description.find("fields"))
        for (const Node& field : fields->items())
            units.add(field.find("name")->text(), field.find("unit")->text());
    ranges_ = ColorRanges(description.find("spacing")->number(), show_->frame_rate(), std::move(units));
    set_again(values);
    is_unsaved_ = !values_.empty();
    tell_scene(std::nullopt);
    // What can be seen if it fails before its first frame.
    if (!opened_.is_run) last_content_ = content_ = std::make_shared<const FrameContent>(present_content());
}

/// What belonged to bodies that were dropped in is left out.
void Sitting::set_again(const Values& values)
{
    values_.clear();
    // What goes with another value only, as a way to flow does with its rate, may stand before it.
    Values left = values;
    for (std::size_t before = left.size() + 1; left.size() < before;) {
        before = left.size();
        for (const auto& [path, value] : std::exchange(left, {})) {
            try {
                show_->set(path, value);
                values_.emplace_back(path, value);
            } catch (const InputError&) { // its body is gone, or what it goes with is yet to come
                left.emplace_back(path, value);
            }
        }
    }
}

/// Computes what is left of a frame that was interrupted.
void Sitting::finish_frame()
{
    if (!std::exchange(is_between_frames_, false) || !show_) return;
    static_cast<void>(show_->advance({}));
    spent_ = 0.0;
    content_.reset();
    is_news_ = true;
    tell_changed_values();
    if (is_step_ || show_->frame() == show_->last_frame()) stop_playing();
    if (show_->failure()) note_failure();
}

void Sitting::on(ClientNumber, const PlayMessage&)
{
    Show& present = show();
    if (present.failure()) throw InputError("the simulation has failed; it can only be begun again");
    if (is_playing_) return;
    if (opened_.is_run && present.frame() >= present.last_frame()) {
        present.seek(0);
        content_.reset();
    }
    is_playing_ = true;
    is_step_ = false;
    is_news_ = true;
    shown_.clear();
    pace_wall_ = Clock::now();
    pace_time_ = present.time();
}

void Sitting::on(ClientNumber, const PauseMessage&)
{
    static_cast<void>(show());
    finish_frame();
    stop_playing();
}

void Sitting::stop_playing()
{
    is_playing_ = false;
    is_step_ = false;
    is_news_ = true;
    shown_.clear();
}

void Sitting::on(ClientNumber, const StepMessage&)
{
    if (show().failure()) throw InputError("the simulation has failed; it can only be begun again");
    is_playing_ = true;
    is_step_ = true;
    shown_.clear();
    pace_wall_ = {}; // now
    pace_time_ = show().time();
}

void Sitting::on(ClientNumber, const RestartMessage& message)
{
    static_cast<void>(show());
    if (opened_.is_run) {
        show_->seek(0);
        content_.reset();
        is_playing_ = false;
        on(0, PlayMessage{});
        return;
    }
    begin(opened_, message.as_opened ? Values{} : Values(values_));
}

void Sitting::on(ClientNumber, const GoOnMessage&)
{
    static_cast<void>(show());
    if (!opened_.is_run) throw InputError("only a recorded run can be gone on with; this scene runs already");
    const fs::path run = opened_.path;
    const RunScene scene = read_run_scene(run);
    const LoadedCheckpoint newest = load_newest(run / "checkpoints");
    if (!newest.reader) throw InputError(run.string() + ": has no checkpoint to go on from");
    begin({.name = opened_.name,
           .path = {},
           .text = scene.text,
           .folder = scene.folder,
           .is_run = false,
           .checkpoint = newest.path});
}

void Sitting::on(ClientNumber, const CloseMessage&)
{
    if (!show_) return;
    show_.reset();
    content_.reset();
    last_content_.reset();
    picks_.clear();
    is_playing_ = false;
    is_between_frames_ = false;
    is_news_ = false;
    ++serial_;
    {
        const std::lock_guard lock(mutex_);
        folder_.clear();
    }
    tell_scene(std::nullopt);
}

void Sitting::on(ClientNumber, const SeekMessage& message)
{
    show().seek(message.frame);
    content_.reset();
    is_news_ = true;
    shown_.clear();
    pace_wall_ = Clock::now();
    pace_time_ = show().time();
}

void Sitting::on(ClientNumber client, const PickMessage& message)
{
    static_cast<void>(show());
    if (message.id)
        picks_[client] = message;
    else
        picks_.erase(client);
    is_news_ = true;
}

/// While it plays, the next frame shows what was done; otherwise the present one is shown anew.
void Sitting::note_change()
{
    if (!is_playing_) is_news_ = true;
}

/// What somebody does to the simulation is lost when it is closed, unless it is saved.
void Sitting::note_touch()
{
    is_unsaved_ = true;
    note_change();
}

void Sitting::on(ClientNumber, const SetMessage& message)
{
    show().set(message.path, message.value);
    std::erase_if(values_, [&](const auto& value) { return value.first == message.path; });
    values_.emplace_back(message.path, message.value);
    note_touch();
    tell_changed_values({{message.path, message.value}});
}

/// To all. What was asked for is answered in any case, with what has become of it.
void Sitting::tell_changed_values(Values answers)
{
    for (auto& [path, value] : show_->take_changed_values()) {
        const auto answer = std::find_if(answers.begin(), answers.end(),
                                         [&, &path = path](const auto& a) { return a.first == path; });
        if (answer != answers.end())
            answer->second = std::move(value);
        else
            answers.emplace_back(path, std::move(value));
    }
    for (const auto& [path, value] : answers)
        tell_(TextNews{std::nullopt,
                       to_line(Node::object({{"type", "value"}, {"path", path}, {"value", value}}))});
}

void Sitting::on(ClientNumber client, const HandMessage& message)
{
    show().move_hand(client, message);
    note_touch();
}

void Sitting::on(ClientNumber, const ReleaseMessage& message)
{
    show().release(message.name);
    note_change();
}

/// The page learns of the body by a `scene` of the same serial.
void Sitting::on(ClientNumber, const DropMessage& message)
{
    show().drop(message);
    content_.reset(); // at a frame it is there at once
    note_touch();
    tell_scene(std::nullopt);
}

void Sitting::on(ClientNumber client, const PourMessage& message)
{
    show().pour(client, message);
    note_touch();
}

void Sitting::on(ClientNumber client, const SaveMessage& message)
{
    static_cast<void>(show());
    finish_frame();
    const auto note_saving = [&](bool is_saving) {
        const std::lock_guard lock(mutex_);
        is_saving_ = is_saving;
        changed_.notify_all();
    };
    note_saving(true);
    SavedFile saved;
    try {
        saved = message.what == SavedThing::Text ? save_text(message)
                                                 : show().save(message, options_.save_folder);
    } catch (...) {
        note_saving(false);
        throw;
    }
    note_saving(false);
    if (message.what != SavedThing::Text) {
        is_unsaved_ = false;
        note_change();
    }
    tell_(TextNews{client, to_line(Node::object({{"type", "saved"},
                                                 {"what", name_of(message.what)},
                                                 {"path", saved.path.string()},
                                                 {"text", saved.text}}))});
}

/// A text that somebody has edited, which need not be the one that runs. Only what could be run is written.
SavedFile Sitting::save_text(const SaveMessage& message)
{
    const fs::path path = new_file(options_.save_folder, message.name, ".json");
    const Scene scene = Scene::parse(message.text, message.name, folder(), standard_kinds());
    check_scene_files(scene, folder(), options_.roots);
    create_folder(options_.save_folder);
    SavedFile saved{path, with_files_from(message.text, folder(), options_.save_folder)};
    write_file(path, saved.text);
    return saved;
}

void Sitting::on(ClientNumber client, const ClientCame&)
{
    ++clients_;
    tell_scene(client);
    if (!opening_name_.empty() && !show_) came_meanwhile_.push_back(client);
    is_news_ = show_ != nullptr;
    // Nothing went on while nobody watched.
    pace_wall_ = Clock::now();
    if (show_) pace_time_ = show_->time();
}

void Sitting::on(ClientNumber client, const ClientGone&)
{
    --clients_;
    picks_.erase(client);
    {
        // What it would take into its hands it could never let go.
        const std::lock_guard lock(mutex_);
        std::erase_if(commands_, [&](const Posted& p) { return p.client == client && is_grip(p.command); });
    }
    if (!show_) return;
    show_->release_all(client);
    note_change(); // others see what it let go, also while nothing moves
}

void Sitting::on(ClientNumber, const WishesChanged& change)
{
    // Also where all wishes together are the same: one page may now see what another one saw already.
    is_news_ = show_ != nullptr;
    if (wishes_ == change.wishes) return;
    wishes_ = change.wishes;
    if (show_ && !show_->failure()) content_.reset(); // else what was seen last stays
}

bool Sitting::may_go_on() const
{
    return show_ && clients_ > 0 && (is_playing_ || is_between_frames_) && !show_->failure();
}

/// When the next frame must be begun to be there in time: simulated time never runs ahead of the clock.
Sitting::Clock::time_point Sitting::next_begin() const
{
    if (is_step_ || is_between_frames_) return Clock::now();
    const double next_time = show_->time() + 1.0 / show_->frame_rate();
    const double cost = std::min(frame_cost_, 1.0 / show_->frame_rate());
    return pace_wall_ + std::chrono::duration_cast<Clock::duration>(Seconds(next_time - pace_time_ - cost));
}

/// What is late by more than a frame is not caught up with.
void Sitting::keep_pace(Clock::time_point now)
{
    const auto due =
        pace_wall_ + std::chrono::duration_cast<Clock::duration>(Seconds(show_->time() - pace_time_));
    if (now - due <= Seconds(1.0 / show_->frame_rate())) return;
    pace_wall_ = now;
    pace_time_ = show_->time();
}

/// What was seen last stays: what has failed may have no places to be drawn at.
void Sitting::note_failure()
{
    is_between_frames_ = false;
    stop_playing();
    content_ = last_content_;
    tell_failure(std::nullopt);
}

void Sitting::go_on()
{
    const Clock::time_point begin = Clock::now();
    const bool takes_long = frame_cost_ > patience.count();
    const bool reached = show_->advance([this, takes_long] {
        return is_urgent_.load(std::memory_order_relaxed) ||
               (takes_long && is_touched_.load(std::memory_order_relaxed) &&
                Clock::now() - interrupted_ >= between_interruptions);
    });
    const Clock::time_point end = Clock::now();
    if (!reached) interrupted_ = end;
    spent_ += Seconds(end - begin).count();
    if (!reached) {
        if (show_->failure()) {
            note_failure();
        } else if (opened_.is_run) {
            stop_playing(); // the end
        } else {
            is_between_frames_ = true;
        }
        return;
    }
    is_between_frames_ = false;
    content_.reset();
    is_news_ = true;
    tell_changed_values();
    const double cost = std::exchange(spent_, 0.0);
    frame_cost_ = frame_cost_ > 0.0 ? 0.8 * frame_cost_ + 0.2 * cost : cost;
    keep_pace(end);
    shown_.emplace_back(end, show_->time());
    while (end - shown_.front().first > speed_window && shown_.size() > 2) shown_.pop_front();
    if (is_step_ || show_->frame() == show_->last_frame()) stop_playing();
}

double Sitting::speed() const
{
    if (shown_.size() < 2) return 0.0;
    const double wall = Seconds(shown_.back().first - shown_.front().first).count();
    return wall > 0.0 ? (shown_.back().second - shown_.front().second) / wall : 0.0;
}

FrameContent Sitting::present_content()
{
    std::vector<Snapshot> snapshots = show_->snapshots(wishes_);
    if (wishes_.made_surfaces) add_made_surfaces(snapshots, made_surfaces_);
    color_surfaces(snapshots, wishes_.fields);
    FrameContent content = make_content(show_->frame(), show_->time(), std::move(snapshots));
    for (StreamBody& body : content.bodies)
        body.is_surface_made = made_surfaces_.contains(body.snapshot.body);
    return content;
}

/// Hands the present frame over, if it is new and somebody wants one.
void Sitting::publish()
{
    if (!show_ || !is_news_ || is_between_frames_) return;
    {
        const std::lock_guard lock(mutex_);
        if (!is_frame_wanted_) return;
        is_frame_wanted_ = false;
    }
    if (!content_) content_ = std::make_shared<const FrameContent>(present_content());
    ranges_.follow(*content_, wishes_.fields);
    last_content_ = content_;
    is_news_ = false;
    tell_frame(content_);
}

void Sitting::tell_frame(std::shared_ptr<const FrameContent> content)
{
    auto frame = std::make_shared<StreamFrame>();
    frame->sitting = serial_;
    frame->publication = ++publication_;
    frame->state = state_text();
    for (const auto& [client, pick] : picks_) frame->picked[client] = picked_text(pick, *content);
    frame->content = std::move(content);
    tell_(std::shared_ptr<const StreamFrame>(std::move(frame)));
}

std::string Sitting::state_text()
{
    Node node = Node::object({{"type", "state"},
                              {"playing", is_playing_},
                              {"frame", show_->frame()},
                              {"time", show_->time()},
                              {"last_frame", show_->last_frame()},
                              {"speed", speed()},
                              {"unsaved", is_unsaved_},
                              {"ranges", ranges_.node()},
                              {"finished", show_->frame() >= show_->last_frame()}});
    Node of_show = show_->state();
    for (Node::Member& member : of_show.members()) node.set(member.key, std::move(member.value));
    // What a replay is compared by. Only while it stands still: it takes as long as a checkpoint.
    if (const auto hash = is_playing_ ? std::nullopt : show_->state_hash())
        node.set("hash", hash_text(*hash));
    return to_line(node);
}

std::string Sitting::picked_text(const PickMessage& pick, const FrameContent& content)
{
    Node node = Node::object({{"type", "picked"}, {"body", pick.body}, {"id", *pick.id}});
    for (const StreamBody& body : content.bodies) {
        const Field* ids = body.snapshot.body == pick.body ? body.snapshot.find("id") : nullptr;
        const auto* values = ids != nullptr ? std::get_if<std::vector<std::uint64_t>>(&ids->values) : nullptr;
        if (values == nullptr) continue;
        const auto found = std::find_if(values->begin(), values->end(), [&](std::uint64_t id) {
            return static_cast<std::uint32_t>(id) == *pick.id;
        });
        if (found == values->end()) continue;
        Node details =
            show_->picked({&body.snapshot, static_cast<std::size_t>(found - values->begin()), *found});
        for (Node::Member& member : details.members()) node.set(member.key, std::move(member.value));
        return to_line(node);
    }
    node.set("gone", true);
    return to_line(node);
}

void Sitting::tell_scene(std::optional<ClientNumber> client)
{
    if (!show_) {
        Node node = Node::object({{"type", "gallery"}});
        if (!opening_name_.empty()) node.set("opening", opening_name_);
        tell_(SceneNews{client, 0, to_line(node)});
        return;
    }
    Node node = Node::object({{"type", "scene"}, {"serial", serial_}, {"name", opened_.name}});
    Node description = show_->description();
    made_surfaces_ = spacings_of_made_surfaces(description);
    for (Node::Member& member : description.members()) node.set(member.key, std::move(member.value));
    // What could not be sent back is not sent.
    node.set("text", opened_.text.size() <= max_message_size / 2 ? opened_.text : std::string());
    tell_(SceneNews{client, serial_, to_line(node)});
    if (show_->failure()) tell_failure(client);
}

void Sitting::tell_failure(std::optional<ClientNumber> client)
{
    const ShowFailure failure = *show_->failure();
    tell_(TextNews{client, to_line(Node::object({{"type", "failed"},
                                                 {"message", failure.message},
                                                 {"body", failure.body},
                                                 {"time", failure.time},
                                                 {"cause", failure.cause},
                                                 {"is_changed", !values_.empty()}}))});
}

void Sitting::tell_error(std::optional<ClientNumber> client, const std::string& what)
{
    tell_(TextNews{client, to_line(Node::object({{"type", "error"}, {"message", what}}))});
}

} // namespace phyxel::studio
