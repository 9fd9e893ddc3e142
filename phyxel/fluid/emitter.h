// SPDX-License-Identifier: MIT
// Where fluid comes from: a shape that is kept full of particles at a given velocity.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/shape.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

template <int Dim>
struct EmitterOptions {
    std::string name = {};
    std::uint32_t part = 0; ///< of the fluid that it feeds
    Shape<Dim> shape;
    Vec<Dim> velocity = Vec<Dim>::Zero();                  ///< the fastest [m/s]
    std::function<double(double time)> share = {};         ///< of the velocity at a time; always 1 if empty
    double start = 0.0;                                    ///< [s]
    double stop = std::numeric_limits<double>::infinity(); ///< [s]
    std::string source = {}; ///< what it was made from: emitters of the same source are the same
};

/// Particles on a lattice that moves with the velocity v, in columns along v. A site of the lattice becomes a
/// particle where its column enters the shape, and is let go where the column leaves it.
///
/// The N columns that fit do not cover the cross-section A exactly. So that the rate is A |v| all the same
/// and the density that of the fluid at rest, columns are moved apart or together a little, and the sites of
/// a column follow each other at N V / A, with V the volume of a particle.
template <int Dim>
class Emitter {
public:
    /// Throws InputError for a velocity of zero, and for a shape that no column fits in. The volume of a
    /// particle is its mass by the rest density [m^Dim]. `work` is spent with every look at the shape, of
    /// which there may be many where it is large or made of many parts.
    Emitter(const EmitterOptions<Dim>& options, double particle_spacing, double particle_volume,
            const WorkBudget& work = {});

    const EmitterOptions<Dim>& options() const { return options_; }

    /// What the shape covers, seen along the velocity [m²], [m] in 2D.
    double cross_section() const { return cross_section_; }
    /// What the fluid in it has at a time [m/s].
    Vec<Dim> velocity(double time) const;
    /// Of fluid, while it is open and as fast as it gets [m^Dim/s].
    double rate() const { return cross_section_ * speed_; }
    std::size_t column_count() const { return columns_.size(); }
    double spacing_along() const { return spacing_along_; } ///< of the sites of a column [m]

    bool is_open(double time) const { return time >= options_.start && time < options_.stop; }

    /// How far the lattice has moved by a time; below zero before the start [m].
    double way(double time) const;

    /// Before this way there are no particles.
    static constexpr double nothing = -1.0;

    /// Appends the places of the particles that came into being after the lattice had moved by `from` and
    /// until it has moved by `to`: all that the shape holds at first, then those that enter it. [m]
    void append_places(double from, double to, std::vector<Vec<Dim>>& places) const;

    /// Calls visit(place) for each of them.
    template <class Visit>
    void for_each_place(double from, double to, const Visit& visit) const
    {
        for (const Column& column : columns_)
            for (std::uint64_t n = sites_until(column, from); n < sites_until(column, to); ++n)
                visit(Vec<Dim>(column.foot +
                               (first_ - static_cast<double>(n) * spacing_along_ + to) * axes_.col(0)));
    }

    /// Whether a particle of this emitter is still held at x.
    bool holds(const Vec<Dim>& x) const;

    /// How many particles it makes until a time.
    double particle_count(double time) const;

private:
    /// A line of sites along the velocity, within the shape from `enter` to `leave`.
    struct Column {
        Vec<Dim> foot; ///< on the plane through the origin that is perpendicular to the velocity [m]
        double enter;  ///< along the velocity [m]
        double leave;  ///< [m]
    };

    /// Two places on a line along the velocity, between which it comes into the shape [m].
    struct Crossing {
        double outside;
        double inside;
    };

    void measure_cross_section(const WorkBudget& work);
    void place_columns(double spacing, const WorkBudget& work);
    void spread_columns();
    std::optional<Crossing> first_inside(const Vec<Dim>& foot, double begin, double end,
                                         const WorkBudget& work) const;
    double boundary(const Vec<Dim>& foot, Crossing crossing, const WorkBudget& work) const;
    std::optional<Column> find_column(const Vec<Dim>& foot, const WorkBudget& work) const;
    bool hits(const Vec<Dim>& foot, const WorkBudget& work) const;
    Vec<Dim> foot_at(const Vec<Dim - 1>& across) const;
    std::uint64_t sites_until(const Column& column, double way) const;
    double time_at_full_speed(double open) const;

    EmitterOptions<Dim> options_;
    double look_work_; ///< of a look at the shape, in units of WorkBudget
    double speed_;
    Mat<Dim> axes_;                                  ///< columns: along the velocity, then across it
    Vec<Dim> lower_, upper_;                         ///< bounds of the shape along these axes
    Vec<Dim - 1> origin_;                            ///< of the lattice of columns, across [m]
    Eigen::Matrix<std::int64_t, Dim - 1, 1> counts_; ///< of places for columns
    double spacing_;                                 ///< of the columns [m]
    double cross_section_ = 0.0;
    double spacing_along_ = 0.0;
    double first_ = 0.0; ///< where the first sites are when they have not moved yet, along the velocity [m]
    std::vector<Column> columns_;
    std::vector<std::int32_t> column_at_; ///< place by place, −1 for none
    std::vector<double> full_times_;      ///< ∫ share dt until every so many steps from the start [s]
};

extern template class Emitter<2>;
extern template class Emitter<3>;

} // namespace phyxel
