// SPDX-License-Identifier: MIT
#include <phyxel/fluid/emitter.h>

#include <phyxel/core/error.h>
#include <phyxel/geometry/corners.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// Lines along each axis that find out what a shape covers: 0.1 % for a disc.
template <int Dim>
constexpr std::int64_t fine_lines = Dim == 2 ? 4096 : 128;
/// A line is looked at this often in a spacing.
constexpr double looks_per_spacing = 16.0;
/// In units of that of a single column.
constexpr double least_cross_section = 0.5;
/// Columns along an axis, sites along a column, and columns all together; more is a mistake.
constexpr double most_columns_along = 10000.0;
constexpr double most_columns = 4e6;
/// Steps of Simpson's rule that find how far the lattice has moved where the velocity changes [s], and how
/// many of them are found once and for all.
constexpr double way_step = 1e-3;
constexpr std::size_t known_way_steps = 30000;
/// In spacings. Beyond that neighbours could not be told apart.
constexpr double farthest = 1e9;

/// Along v, and across it: along the other axes of space where v is along one of them.
template <int Dim>
Mat<Dim> axes_along(const Vec<Dim>& v)
{
    Mat<Dim> axes;
    axes.col(0) = v.normalized();
    if constexpr (Dim == 2) {
        axes.col(1) = Vec<2>(-axes(1, 0), axes(0, 0));
    } else {
        int longest = 0;
        axes.col(0).cwiseAbs().maxCoeff(&longest);
        const Vec<3> other = Vec<3>::Unit((longest + 1) % 3);
        axes.col(1) = (other - other.dot(axes.col(0)) * axes.col(0)).normalized();
        axes.col(2) = Vec<3>(axes.col(0)).cross(Vec<3>(axes.col(1)));
    }
    return axes;
}

/// Calls visit(numbers) for all numbers below the counts, the last one running fastest.
template <int Rank, class Visit>
void for_each_number(const Eigen::Matrix<std::int64_t, Rank, 1>& counts, const Visit& visit)
{
    Eigen::Matrix<std::int64_t, Rank, 1> n = Eigen::Matrix<std::int64_t, Rank, 1>::Zero();
    for (n[0] = 0; n[0] < counts[0]; ++n[0]) {
        if constexpr (Rank == 1)
            visit(n);
        else
            for (n[1] = 0; n[1] < counts[1]; ++n[1]) visit(n);
    }
}

} // namespace

template <int Dim>
Emitter<Dim>::Emitter(const EmitterOptions<Dim>& options, double particle_spacing, double particle_volume,
                      const WorkBudget& work)
    : options_(options),
      look_work_(options.shape.query_work()),
      speed_(options.velocity.norm()),
      spacing_(particle_spacing)
{
    if (!(speed_ > 0.0) || !std::isfinite(speed_)) throw InputError("the velocity has no direction");
    if (options.shape.is_sheet()) throw InputError("a sheet has no inside that could be filled");
    axes_ = axes_along<Dim>(options.velocity);
    Box<Dim> bounds;
    for (const Vec<Dim>& corner : corners(options.shape.bounds())) bounds.extend(axes_.transpose() * corner);
    lower_ = bounds.min;
    upper_ = bounds.max;
    const Vec<Dim - 1> width = (upper_ - lower_).template tail<Dim - 1>() / particle_spacing;
    if (!(width.maxCoeff() <= most_columns_along))
        throw InputError("the shape is more than 10000 spacings wide");
    if (!((upper_[0] - lower_[0]) / particle_spacing <= most_columns_along))
        throw InputError("the shape is more than 10000 spacings long");
    if (!(width.prod() <= most_columns))
        throw InputError("the shape has room for more than 4 million columns");
    if (!(lower_.cwiseAbs().cwiseMax(upper_.cwiseAbs()).maxCoeff() <= farthest * particle_spacing))
        throw InputError("the shape is more than 1e9 spacings away");
    measure_cross_section(work);
    place_columns(particle_spacing, work);
    if (columns_.empty() || cross_section_ < least_cross_section * std::pow(particle_spacing, Dim - 1))
        throw InputError("the shape is narrower than a spacing");
    spread_columns();
    spacing_along_ = static_cast<double>(columns_.size()) * particle_volume / cross_section_;
    first_ = columns_.front().leave;
    for (const Column& column : columns_) first_ = std::max(first_, column.leave);
    first_ -= 0.5 * spacing_along_;
    if (!options.share) return;
    const double known = std::min(options.stop - options.start, way_step * known_way_steps);
    full_times_ = {0.0};
    for (std::size_t n = 1; way_step * static_cast<double>(n) <= known; ++n)
        full_times_.push_back(time_at_full_speed(way_step * static_cast<double>(n)));
}

/// ∫ share dt from the start on, for so long [s].
template <int Dim>
double Emitter<Dim>::time_at_full_speed(double open) const
{
    std::size_t n = std::min(full_times_.size() - 1, static_cast<std::size_t>(open / way_step));
    double sum = full_times_[n];
    for (; way_step * static_cast<double>(n) < open; ++n) {
        const double from = options_.start + way_step * static_cast<double>(n);
        const double length = std::min(way_step, options_.start + open - from);
        sum += length / 6.0 *
               (options_.share(from) + 4.0 * options_.share(from + 0.5 * length) +
                options_.share(from + length));
    }
    return sum;
}

template <int Dim>
Vec<Dim> Emitter<Dim>::foot_at(const Vec<Dim - 1>& across) const
{
    return axes_.template rightCols<Dim - 1>() * across;
}

/// Goes along the line through `foot` from one end towards the other until it is inside.
template <int Dim>
std::optional<typename Emitter<Dim>::Crossing>
Emitter<Dim>::first_inside(const Vec<Dim>& foot, double begin, double end, const WorkBudget& work) const
{
    const Shape<Dim>& shape = options_.shape;
    const double shortest = std::min(spacing_, upper_[0] - lower_[0]) / looks_per_spacing;
    const double margin = 0.25 * shortest; // the surface itself may be at the bounds
    const double direction = end > begin ? 1.0 : -1.0;
    double s = begin - direction * margin;
    double outside = s;
    while ((end - s) * direction >= 0.0) {
        work.spend(look_work_);
        const double distance = shape.signed_distance(foot + s * axes_.col(0));
        if (distance < 0.0) return Crossing{outside, s};
        outside = s;
        s += direction * (shape.has_distance_bound() ? std::max(distance, shortest) : shortest);
    }
    return std::nullopt;
}

/// Where the line comes in.
template <int Dim>
double Emitter<Dim>::boundary(const Vec<Dim>& foot, Crossing crossing, const WorkBudget& work) const
{
    constexpr int halvings = 40;
    work.spend(halvings * look_work_);
    for (int halving = 0; halving < halvings; ++halving) {
        const double middle = 0.5 * (crossing.outside + crossing.inside);
        (options_.shape.inside(foot + middle * axes_.col(0)) ? crossing.inside : crossing.outside) = middle;
    }
    return crossing.inside;
}

/// Where the line through `foot` enters the shape first and leaves it last; what lies between counts as
/// filled. Nothing if it misses the shape.
template <int Dim>
std::optional<typename Emitter<Dim>::Column> Emitter<Dim>::find_column(const Vec<Dim>& foot,
                                                                       const WorkBudget& work) const
{
    const auto front = first_inside(foot, lower_[0], upper_[0], work);
    const auto back = front ? first_inside(foot, upper_[0], lower_[0], work) : std::nullopt;
    if (!back) return std::nullopt;
    const Column column{foot, boundary(foot, *front, work), boundary(foot, *back, work)};
    return column.leave > column.enter ? std::optional(column) : std::nullopt;
}

/// Whether there is a column; mostly known long before its ends are.
template <int Dim>
bool Emitter<Dim>::hits(const Vec<Dim>& foot, const WorkBudget& work) const
{
    const auto front = first_inside(foot, lower_[0], upper_[0], work);
    const auto back = front ? first_inside(foot, upper_[0], lower_[0], work) : std::nullopt;
    return back && (back->inside > front->inside || find_column(foot, work));
}

template <int Dim>
void Emitter<Dim>::measure_cross_section(const WorkBudget& work)
{
    using Across = Vec<Dim - 1>;
    const Across lower = lower_.template tail<Dim - 1>();
    const Across cell = (upper_.template tail<Dim - 1>() - lower) / static_cast<double>(fine_lines<Dim>);
    std::int64_t count = 0;
    for_each_number<Dim - 1>(
        Eigen::Matrix<std::int64_t, Dim - 1, 1>::Constant(fine_lines<Dim>), [&](const auto& n) {
            const Across place =
                lower + cell.cwiseProduct((n.template cast<double>().array() + 0.5).matrix());
            if (hits(foot_at(place), work)) ++count;
        });
    cross_section_ = static_cast<double>(count) * cell.prod();
    if (count == 0) throw InputError("the shape is empty");
}

/// On a square lattice around the middle of the shape, which is on a column or between columns, whatever
/// covers the cross-section best.
template <int Dim>
void Emitter<Dim>::place_columns(double spacing, const WorkBudget& work)
{
    using Across = Vec<Dim - 1>;
    const Across lower = lower_.template tail<Dim - 1>();
    const Across size = upper_.template tail<Dim - 1>() - lower;
    double best = std::numeric_limits<double>::infinity();
    for (unsigned bits = 0; bits < (1U << (Dim - 1)); ++bits) {
        Eigen::Matrix<std::int64_t, Dim - 1, 1> counts;
        Across origin;
        for (int k = 0; k < Dim - 1; ++k) {
            // As many as fit, an odd or an even number of them.
            const auto fitting = static_cast<std::int64_t>(std::floor(size[k] / spacing + 1.0 + 1e-9));
            const std::int64_t parity = (bits >> k) % 2;
            counts[k] = fitting - (fitting % 2 == parity ? 0 : 1);
            origin[k] = lower[k] + 0.5 * size[k] - 0.5 * static_cast<double>(counts[k] - 1) * spacing;
        }
        std::vector<Column> columns;
        std::vector<std::int32_t> column_at;
        for_each_number<Dim - 1>(counts, [&](const auto& n) {
            const Across place = origin + spacing * n.template cast<double>();
            // What touches the edge of the shape is outside, however the numbers round.
            const bool is_within = ((place - lower).array() > 1e-6 * spacing).all() &&
                                   ((lower + size - place).array() > 1e-6 * spacing).all();
            const std::optional<Column> column = is_within ? find_column(foot_at(place), work) : std::nullopt;
            column_at.push_back(column ? static_cast<std::int32_t>(columns.size()) : -1);
            if (column) columns.push_back(*column);
        });
        const double covered = static_cast<double>(columns.size()) * std::pow(spacing, Dim - 1);
        const double misfit = std::abs(covered / cross_section_ - 1.0);
        if (columns.empty() || misfit >= best - 1e-9) continue;
        best = misfit;
        counts_ = counts;
        origin_ = origin;
        columns_ = std::move(columns);
        column_at_ = std::move(column_at);
    }
}

/// Moves the columns apart or together until they cover the cross-section, so that the lattice has the rest
/// density.
template <int Dim>
void Emitter<Dim>::spread_columns()
{
    const double covered = static_cast<double>(columns_.size()) * std::pow(spacing_, Dim - 1);
    const double factor = std::pow(cross_section_ / covered, 1.0 / (Dim - 1));
    const Vec<Dim - 1> middle = 0.5 * (lower_ + upper_).template tail<Dim - 1>();
    const auto spread = [&](const Vec<Dim - 1>& across) -> Vec<Dim - 1> {
        return middle + factor * (across - middle);
    };
    for (Column& column : columns_)
        column.foot = foot_at(spread(axes_.template rightCols<Dim - 1>().transpose() * column.foot));
    origin_ = spread(origin_);
    spacing_ *= factor;
}

template <int Dim>
double Emitter<Dim>::way(double time) const
{
    if (time < options_.start) return nothing;
    const double open = std::min(time, options_.stop) - options_.start;
    return speed_ * (options_.share ? time_at_full_speed(open) : open);
}

template <int Dim>
Vec<Dim> Emitter<Dim>::velocity(double time) const
{
    return options_.share ? Vec<Dim>(options_.share(time) * options_.velocity) : options_.velocity;
}

/// Sites 0, 1, 2, … of a column are at first_ − n spacing_along_ + way.
template <int Dim>
std::uint64_t Emitter<Dim>::sites_until(const Column& column, double way) const
{
    if (way < 0.0) return 0;
    const double count = std::floor((first_ - column.enter + way) / spacing_along_) + 1.0;
    return static_cast<std::uint64_t>(std::clamp(count, 0.0, 1e18));
}

template <int Dim>
void Emitter<Dim>::append_places(double from, double to, std::vector<Vec<Dim>>& places) const
{
    for_each_place(from, to, [&](const Vec<Dim>& x) { places.push_back(x); });
}

template <int Dim>
bool Emitter<Dim>::holds(const Vec<Dim>& x) const
{
    const Vec<Dim> local = axes_.transpose() * x;
    std::int64_t place = 0;
    for (int k = 0; k < Dim - 1; ++k) {
        const auto n = static_cast<std::int64_t>(std::floor((local[k + 1] - origin_[k]) / spacing_ + 0.5));
        if (n < 0 || n >= counts_[k]) return false;
        place = place * counts_[k] + n;
    }
    const std::int32_t column = column_at_[static_cast<std::size_t>(place)];
    return column >= 0 && local[0] < columns_[static_cast<std::size_t>(column)].leave;
}

template <int Dim>
double Emitter<Dim>::particle_count(double time) const
{
    const double moved = way(time);
    double count = 0.0;
    for (const Column& column : columns_) count += static_cast<double>(sites_until(column, moved));
    return count;
}

template class Emitter<2>;
template class Emitter<3>;

} // namespace phyxel
