// SPDX-License-Identifier: MIT
#include "recorded_run.h"

#include <phyxel/core/error.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace phyxel::studio {
namespace {

/// Frames that are kept beside the one that is shown.
constexpr std::size_t frames_ahead = 4;

constexpr std::string_view surface_suffix = "_surface";

SurfaceMesh surface_of(Snapshot snapshot)
{
    SurfaceMesh surface;
    surface.vertices = std::move(snapshot.points);
    surface.fields = std::move(snapshot.fields);
    if (snapshot.triangles) surface.triangles = std::move(*snapshot.triangles);
    return surface;
}

} // namespace

RecordedFrames::RecordedFrames(const std::filesystem::path& run)
{
    const std::vector<FrameFile> found = find_frames(run);
    if (found.empty()) throw InputError(run.string() + ": there are no frames in it");
    std::set<std::string> names;
    std::set<std::uint64_t> numbers;
    for (const FrameFile& file : found) {
        names.insert(file.body);
        numbers.insert(file.number);
    }
    const auto covered = [&](const std::string& name) -> std::optional<std::string> {
        if (!name.ends_with(surface_suffix)) return std::nullopt;
        const std::string body = name.substr(0, name.size() - surface_suffix.size());
        return names.contains(body) ? std::optional(body) : std::nullopt;
    };
    for (const std::string& name : names)
        if (!covered(name)) bodies_.push_back(name);
    numbers_.assign(numbers.begin(), numbers.end());
    files_.resize(bodies_.size());
    for (const FrameFile& file : found) {
        const std::optional<std::string> body = covered(file.body);
        const auto place = std::find(bodies_.begin(), bodies_.end(), body.value_or(file.body));
        Files& files = files_[static_cast<std::size_t>(place - bodies_.begin())];
        (body ? files.surfaces : files.points)[file.number] = file.path;
    }
}

std::vector<Snapshot> RecordedFrames::read(std::uint64_t number, bool with_surfaces) const
{
    std::vector<Snapshot> snapshots(bodies_.size());
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        if (const auto file = files_[k].points.find(number); file != files_[k].points.end())
            snapshots[k] = read_snapshot(file->second).snapshot;
        snapshots[k].body = bodies_[k];
        if (!with_surfaces) continue;
        if (const auto file = files_[k].surfaces.find(number); file != files_[k].surfaces.end())
            snapshots[k].surface = surface_of(read_snapshot(file->second).snapshot);
    }
    return snapshots;
}

FramesAhead::FramesAhead(const RecordedFrames& frames) : frames_(frames), thread_([this] { read_on(); }) {}

FramesAhead::~FramesAhead()
{
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

std::optional<std::size_t> FramesAhead::next_missing() const
{
    for (std::size_t k = position_; k <= position_ + frames_ahead && k < frames_.numbers().size(); ++k)
        if (!slots_.contains(k)) return k;
    return std::nullopt;
}

void FramesAhead::read_on()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_ending_ || next_missing(); });
        if (is_ending_) return;
        const std::size_t position = *next_missing();
        const bool with_surfaces = with_surfaces_;
        lock.unlock();
        Slot slot;
        try {
            slot.snapshots = std::make_shared<const std::vector<Snapshot>>(
                frames_.read(frames_.numbers()[position], with_surfaces));
        } catch (const std::exception& error) {
            slot.error = error.what();
        }
        lock.lock();
        if (with_surfaces == with_surfaces_) slots_[position] = std::move(slot);
        changed_.notify_all();
    }
}

std::shared_ptr<const std::vector<Snapshot>> FramesAhead::get(std::size_t position, bool with_surfaces)
{
    std::unique_lock lock(mutex_);
    if (with_surfaces != with_surfaces_) slots_.clear();
    with_surfaces_ = with_surfaces;
    position_ = position;
    std::erase_if(slots_, [&](const auto& slot) {
        return slot.first < position || slot.first > position + frames_ahead;
    });
    changed_.notify_all();
    changed_.wait(lock, [&] { return slots_.contains(position); });
    const Slot& slot = slots_.at(position);
    if (slot.snapshots) return slot.snapshots;
    const std::string error = slot.error;
    slots_.erase(position); // it may be there the next time
    throw InputError(error);
}

} // namespace phyxel::studio
