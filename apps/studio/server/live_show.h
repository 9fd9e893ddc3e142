// SPDX-License-Identifier: MIT
// A scene that runs while clients watch and touch it.
#pragma once

#include "hand_table.h"
#include "nozzle_table.h"
#include "show.h"

#include <phyxel/scene/live_scene.h>

#include <deque>
#include <map>
#include <string>

namespace phyxel::studio {

class LiveShow final : public Show {
public:
    /// Files that the scene names are in `folder`. Throws SceneError.
    LiveShow(const Scene& scene, std::filesystem::path folder, const WorkBudget& work = {});

    /// Goes on where a checkpoint was written. Throws InputError; then this cannot be shown.
    void load(const CheckpointReader& checkpoint);

    /// With how many particles it would keep pace with a clock that runs at a quarter of the speed, if it is
    /// expected to be slower than that.
    std::optional<std::uint64_t> livelier_count() const;
    /// At the end, with what emitters make.
    std::size_t particle_count() const;
    /// Says this instead of what is worth a warning about the scene.
    void replace_warnings(const std::string& line);

    Node description() override;
    std::uint64_t frame() const override { return frame_; }
    std::uint64_t last_frame() const override { return last_frame_; }
    double time() const override { return time_; }
    double frame_rate() const override { return frame_rate_; }
    bool advance(const std::function<bool()>& stop) override;
    std::optional<ShowFailure> failure() const override { return failure_; }
    std::vector<Snapshot> snapshots(const Wishes& wishes) override;
    Node state() override;
    std::optional<std::uint64_t> state_hash() override;
    Node picked(const PickedParticle& particle) override;
    void seek(std::uint64_t frame) override;
    std::vector<std::pair<std::string, Node>> take_changed_values() override;
    void set(const std::string& path, const Node& value) override;
    void move_hand(ClientNumber client, const HandMessage& hand) override;
    void drop(const DropMessage& body) override;
    void pour(ClientNumber client, const PourMessage& nozzle) override;
    void release(const std::string& name) override;
    void release_all(ClientNumber client) override;
    SavedFile save(const SaveMessage& message, const std::filesystem::path& folder) override;
    const std::filesystem::path& folder() const override { return folder_; }

    LiveScene& scene() { return live_; }

private:
    void change_hands(HandTable hands);
    void change_nozzles(NozzleTable nozzles);
    Node hands_node() const;
    HandTable present_hands() const;
    NozzleTable present_nozzles() const;
    void note_events();
    void keep_hold();
    std::vector<double> rest_place(const HandMessage& hand);
    void require_going() const;
    std::string recorded_text(const std::filesystem::path& folder) const;

    LiveScene live_;
    std::filesystem::path folder_;
    Node description_;                                ///< what of it never changes
    std::vector<std::string> names_;                  ///< of the bodies, in the order of the description
    std::size_t dropped_ = 0;                         ///< bodies
    bool sets_hands_ = false, sets_emitters_ = false; ///< whether events of the scene do
    std::map<std::string, Node> told_values_;         ///< of the parameters, by path
    std::deque<double> changes_to_come_; ///< times of the scene's own events that set something [s]
    bool is_changed_ = false;            ///< maybe, what was told of the parameters
    HandTable hands_;
    NozzleTable nozzles_;
    std::uint64_t frame_ = 0;
    std::uint64_t last_frame_ = 0;
    double time_ = 0.0;
    double frame_rate_ = 30.0;
    std::optional<ShowFailure> failure_;
};

} // namespace phyxel::studio
