// SPDX-License-Identifier: MIT
// The probes of a world: when they are read, what they read, and which particles they follow.
#pragma once

#include <phyxel/world/body.h>
#include <phyxel/world/probe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

template <int Dim>
using BodyList = std::span<const std::unique_ptr<Body<Dim>>>;

template <int Dim>
class ProbeSet {
public:
    explicit ProbeSet(std::vector<Probe<Dim>> probes);

    /// Of probes.csv without the time.
    const std::vector<std::string>& columns() const { return columns_; }

    /// Whether bodies have to know what they do to obstacles, and what is done to them.
    bool need_loads() const;

    /// When the next of those is due that are read at times of their own; infinite if there are none. [s]
    double next_time() const;

    /// Finds the particles that probes with a body follow.
    void follow_particles(BodyList<Dim> bodies, const Surroundings<Dim>& surroundings);

    /// After each step: a particle that leaves at one periodic side and comes back at the other has not
    /// jumped.
    void count_turns(BodyList<Dim> bodies, const Surroundings<Dim>& surroundings);

    /// Reads those that are due.
    void sample(double time, bool at_frame, BodyList<Dim> bodies, const Surroundings<Dim>& surroundings);

    /// What was read since the last call.
    std::vector<ProbeRow> take_rows();

    void save(CheckpointWriter& checkpoint) const;
    void load(const CheckpointReader& checkpoint, double time);

private:
    void read(std::size_t number, BodyList<Dim> bodies, const Surroundings<Dim>& surroundings,
              std::span<std::optional<double>> values) const;

    std::vector<Probe<Dim>> probes_;
    std::vector<std::string> columns_;
    std::vector<ProbeRow> rows_;

    // State.
    std::vector<std::uint64_t> samples_done_;            ///< of each probe
    std::vector<std::optional<std::uint64_t>> followed_; ///< the particle of each probe that follows one
    std::vector<Vec<Dim>> followed_from_;                ///< where that particle was at first
    std::vector<Vec<Dim>> followed_last_;                ///< and after the last step, if space is periodic
    std::vector<Vec<Dim>> followed_turns_;               ///< how often it has gone around periodic axes
};

extern template class ProbeSet<2>;
extern template class ProbeSet<3>;

} // namespace phyxel
