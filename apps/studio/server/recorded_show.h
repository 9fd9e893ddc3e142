// SPDX-License-Identifier: MIT
// A run that was recorded: played, wound and looked at, but not touched.
#pragma once

#include "recorded_run.h"
#include "show.h"

#include <phyxel/scene/scene.h>

#include <map>

namespace phyxel::studio {

class RecordedShow final : public Show {
public:
    /// What the manifest does not tell, or cannot because a file is gone, is shown without: the frames are
    /// what counts. Files that it names are read from below `roots` only. Throws InputError if there are no
    /// frames.
    RecordedShow(std::filesystem::path run, const std::vector<std::filesystem::path>& roots);

    Node description() override { return description_; }
    std::uint64_t frame() const override { return frames_.numbers()[position_]; }
    std::uint64_t last_frame() const override { return frames_.numbers().back(); }
    double time() const override { return static_cast<double>(frame()) / frame_rate_; }
    double frame_rate() const override { return frame_rate_; }
    bool advance(const std::function<bool()>& stop) override;
    std::optional<ShowFailure> failure() const override { return std::nullopt; }
    std::vector<Snapshot> snapshots(const Wishes& wishes) override;
    Node state() override;
    Node picked(const PickedParticle& particle) override;
    void seek(std::uint64_t frame) override;
    void set(const std::string&, const Node&) override { refuse(); }
    void move_hand(ClientNumber, const HandMessage&) override { refuse(); }
    void drop(const DropMessage&) override { refuse(); }
    void pour(ClientNumber, const PourMessage&) override { refuse(); }
    void release(const std::string&) override { refuse(); }
    void release_all(ClientNumber) override {}
    SavedFile save(const SaveMessage&, const std::filesystem::path&) override { refuse(); }
    const std::filesystem::path& folder() const override { return run_; }

    /// The scene that the run was made from, as text; empty if it is not known.
    const std::string& scene_text() const { return scene_text_; }

private:
    [[noreturn]] static void refuse();
    void read_manifest(const std::vector<std::filesystem::path>& roots);
    void read_statistics();
    void describe();
    void add_neighbors(const PickedParticle& particle, Node& node);

    /// What a row of stats.csv tells of a frame.
    struct Statistics {
        double steps = 0.0;                                    ///< since time 0
        double kinetic = 0.0, potential = 0.0, internal = 0.0; ///< energies of all bodies [J]
        double compression = 0.0;                              ///< mean
    };

    std::filesystem::path run_;
    RecordedFrames frames_;
    std::optional<BuiltScene> built_;
    Node description_;
    std::string scene_text_;
    FieldUnits units_;
    bool can_go_on_ = false; ///< there is a state to go on from
    std::vector<std::string> warnings_;
    std::map<std::uint64_t, Statistics> statistics_; ///< by frame
    double frame_rate_ = 30.0;
    std::size_t position_ = 0;
    bool has_surfaces_ = true;  ///< what is read of the present frame
    std::size_t particles_ = 0; ///< of the frame that was shown last
    FramesAhead ahead_;
};

} // namespace phyxel::studio
