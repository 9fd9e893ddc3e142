// SPDX-License-Identifier: MIT
// What a sitting shows: a scene that runs, or a run that was recorded. It goes from frame to frame when it is
// told to, and knows nothing of clients, threads and clocks on the wall.
#pragma once

#include "message.h"
#include "stream_frame.h"

#include <phyxel/core/snapshot.h>
#include <phyxel/scene/node.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::studio {

/// What all clients together want to see.
struct Wishes {
    std::set<std::string> fields;
    bool surfaces = true;
    bool made_surfaces = false;

    bool operator==(const Wishes&) const = default;
};

/// Why a show cannot go on.
struct ShowFailure {
    std::string message; ///< all of it, in one line
    std::string body;
    double time = 0.0; ///< [s]
    std::string cause;
};

struct SavedFile {
    std::filesystem::path path;
    std::string text; ///< of a scene
};

/// A particle that somebody looks at.
struct PickedParticle {
    const Snapshot* body = nullptr; ///< that has it, at the present frame
    std::size_t index = 0;          ///< in the body's points
    std::uint64_t id = 0;
};

/// What cannot be done is an InputError, after which nothing has changed.
class Show {
public:
    virtual ~Show() = default;

    /// The members of the message `scene` that do not change but by `set` and `drop`.
    virtual Node description() = 0;

    virtual std::uint64_t frame() const = 0;
    virtual std::uint64_t last_frame() const = 0;
    virtual double time() const = 0;       ///< [s]
    virtual double frame_rate() const = 0; ///< [1/s]

    /// Goes to the next frame. False if `stop`, asked now and then, said so, or it failed; then the frame
    /// before is what is shown.
    virtual bool advance(const std::function<bool()>& stop) = 0;
    virtual std::optional<ShowFailure> failure() const = 0;

    /// The bodies at the present frame, in the order of the description.
    virtual std::vector<Snapshot> snapshots(const Wishes& wishes) = 0;

    /// The members of the message `state` that belong to the present frame.
    virtual Node state() = 0;

    /// World::state_hash of the present frame, of what lives.
    virtual std::optional<std::uint64_t> state_hash() { return std::nullopt; }

    /// What the message `picked` says of a particle of the present frame.
    virtual Node picked(const PickedParticle& particle) = 0;

    virtual void seek(std::uint64_t frame) = 0;

    /// Parameters that have another value than was told last, and those that were set since: paths and
    /// values.
    virtual std::vector<std::pair<std::string, Node>> take_changed_values() { return {}; }

    // Only what lives can be touched. Changes count from now on, or a step or two later.
    virtual void set(const std::string& path, const Node& value) = 0;
    virtual void move_hand(ClientNumber client, const HandMessage& hand) = 0;
    virtual void drop(const DropMessage& body) = 0;
    virtual void pour(ClientNumber client, const PourMessage& nozzle) = 0;
    /// A hand or a nozzle.
    virtual void release(const std::string& name) = 0;
    /// What a client had in its hands.
    virtual void release_all(ClientNumber client) = 0;
    virtual SavedFile save(const SaveMessage& message, const std::filesystem::path& folder) = 0;

    /// Where the files are that the scene names.
    virtual const std::filesystem::path& folder() const = 0;
};

} // namespace phyxel::studio
