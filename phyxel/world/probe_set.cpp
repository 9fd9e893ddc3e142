// SPDX-License-Identifier: MIT
#include <phyxel/world/probe_set.h>

#include <phyxel/core/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phyxel {
namespace {

constexpr std::uint64_t nobody = ~std::uint64_t(0);

using Values = std::span<std::optional<double>>;

/// Whether a probe has been sampled as often as it should until a time: its next sample is due after that,
/// and soon.
template <int Dim>
bool is_sampled_until(const Probe<Dim>& probe, std::uint64_t samples_done, double time)
{
    if (probe.every != ProbeTimes::Interval) return true;
    const double left = static_cast<double>(samples_done) * probe.interval - time;
    constexpr double rounding = 1e-6;
    return left >= -rounding * probe.interval && left <= (1.0 + rounding) * probe.interval;
}

template <class Vector>
void put(const Vector& vector, Values values)
{
    for (Eigen::Index k = 0; k < vector.size(); ++k) values[static_cast<std::size_t>(k)] = vector[k];
}

template <int Dim>
void read_places(std::string_view field, std::span<const Vec<Dim>> places, BodyList<Dim> bodies,
                 const Surroundings<Dim>& surroundings, Values values)
{
    for (auto& value : values) value = 0.0;
    for (const auto& body : bodies) {
        const std::vector<double> sampled = phyxel::sample<Dim>(*body, field, places, surroundings);
        for (std::size_t k = 0; k < sampled.size(); ++k) *values[k] += sampled[k];
    }
}

template <int Dim>
std::vector<Vec<Dim>> places_of(const LineProbe<Dim>& line)
{
    std::vector<Vec<Dim>> places;
    for (int n = 0; n < line.count; ++n) {
        const double s = line.count > 1 ? static_cast<double>(n) / (line.count - 1) : 0.0;
        places.push_back((1.0 - s) * line.from + s * line.to);
    }
    return places;
}

template <int Dim>
void read_totals(std::string_view field, const BodyTotals<Dim>& total, Values values)
{
    if (field == "bounds") {
        put(total.bounds.min, values);
        put(total.bounds.max, values.subspan(Dim));
    } else if (field == "center") {
        put(total.center, values);
    } else if (field == "momentum") {
        put(total.momentum, values);
    } else if (field == "volume") {
        values[0] = total.volume;
    } else if (field == "energy") {
        values[0] = total.energy();
    } else if (field == "max_speed") {
        values[0] = total.max_speed;
    }
}

/// Of all bodies on the obstacles of that name.
template <int Dim>
ObstacleLoad<Dim> load_on(std::string_view obstacle, BodyList<Dim> bodies,
                          const Surroundings<Dim>& surroundings)
{
    ObstacleLoad<Dim> sum;
    for (const auto& body : bodies) {
        const auto loads = body->loads();
        for (std::size_t k = 0; k < std::min(loads.size(), surroundings.obstacles.size()); ++k) {
            if (surroundings.obstacles[k].name != obstacle) continue;
            sum.force += loads[k].force;
            sum.torque += loads[k].torque;
        }
    }
    return sum;
}

} // namespace

template <int Dim>
ProbeSet<Dim>::ProbeSet(std::vector<Probe<Dim>> probes)
    : probes_(std::move(probes)),
      samples_done_(probes_.size(), 0)
{
    for (const Probe<Dim>& probe : probes_) {
        const std::vector<std::string> columns = probe_columns(probe);
        columns_.insert(columns_.end(), columns.begin(), columns.end());
    }
}

template <int Dim>
bool ProbeSet<Dim>::need_loads() const
{
    return std::any_of(probes_.begin(), probes_.end(), [](const Probe<Dim>& probe) {
        return probe.field == "force" || probe.field == "torque";
    });
}

template <int Dim>
double ProbeSet<Dim>::next_time() const
{
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < probes_.size(); ++k)
        if (probes_[k].every == ProbeTimes::Interval)
            next = std::min(next, static_cast<double>(samples_done_[k]) * probes_[k].interval);
    return next;
}

template <int Dim>
void ProbeSet<Dim>::follow_particles(BodyList<Dim> bodies, const Surroundings<Dim>& surroundings)
{
    followed_.assign(probes_.size(), std::nullopt);
    followed_from_.assign(probes_.size(), Vec<Dim>::Zero());
    followed_turns_ = followed_from_;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
        const auto* point = std::get_if<PointProbe<Dim>>(&probes_[k].what);
        if (point == nullptr || !point->body) continue;
        for (const auto& body : bodies) {
            if (followed_[k]) break;
            followed_[k] = nearest_particle<Dim>(*body, *point->body, point->point);
            if (!followed_[k]) continue;
            const auto x = value_of<Dim>(*body, "position", *followed_[k], surroundings);
            for (int axis = 0; x && axis < Dim; ++axis) followed_from_[k][axis] = (*x)[axis];
        }
    }
    followed_last_ = followed_from_;
}

template <int Dim>
void ProbeSet<Dim>::count_turns(BodyList<Dim> bodies, const Surroundings<Dim>& surroundings)
{
    const PeriodicBox<Dim> box = surroundings.domain.periodic_box();
    if (box.length.isZero(0.0)) return;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
        if (!followed_[k] || probes_[k].field != "displacement") continue;
        for (const auto& body : bodies) {
            const auto x = value_of<Dim>(*body, "position", *followed_[k], surroundings);
            if (!x) continue;
            for (int axis = 0; axis < Dim; ++axis) {
                if (box.is_periodic(axis))
                    followed_turns_[k][axis] -=
                        std::nearbyint(((*x)[axis] - followed_last_[k][axis]) / box.length[axis]);
                followed_last_[k][axis] = (*x)[axis];
            }
        }
    }
}

template <int Dim>
void ProbeSet<Dim>::sample(double time, bool at_frame, BodyList<Dim> bodies,
                           const Surroundings<Dim>& surroundings)
{
    ProbeRow row;
    row.time = time;
    row.values.resize(columns_.size());
    bool is_sampled = false;
    std::size_t column = 0;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
        const Probe<Dim>& probe = probes_[k];
        const std::size_t width = probe_columns(probe).size();
        const bool is_due = probe.every == ProbeTimes::Step ||
                            (probe.every == ProbeTimes::Frame && at_frame) ||
                            (probe.every == ProbeTimes::Interval &&
                             time >= static_cast<double>(samples_done_[k]) * probe.interval);
        if (is_due) {
            read(k, bodies, surroundings, Values(row.values).subspan(column, width));
            ++samples_done_[k];
            is_sampled = true;
        }
        column += width;
    }
    if (is_sampled) rows_.push_back(std::move(row));
}

template <int Dim>
void ProbeSet<Dim>::read(std::size_t number, BodyList<Dim> bodies, const Surroundings<Dim>& surroundings,
                         Values values) const
{
    const Probe<Dim>& probe = probes_[number];
    if (const auto* point = std::get_if<PointProbe<Dim>>(&probe.what)) {
        if (!point->body) {
            read_places<Dim>(probe.field, std::span(&point->point, 1), bodies, surroundings, values);
            return;
        }
        if (!followed_[number]) return;
        const bool is_displacement = probe.field == "displacement";
        const Vec<Dim> origin = followed_from_[number] - followed_turns_[number].cwiseProduct(
                                                             surroundings.domain.periodic_box().length);
        for (const auto& body : bodies) {
            const auto value = value_of<Dim>(*body, is_displacement ? "position" : probe.field,
                                             *followed_[number], surroundings);
            if (!value) continue;
            for (std::size_t k = 0; k < value->size(); ++k)
                values[k] = (*value)[k] - (is_displacement ? origin[static_cast<Eigen::Index>(k)] : 0.0);
        }
    } else if (const auto* line = std::get_if<LineProbe<Dim>>(&probe.what)) {
        read_places<Dim>(probe.field, places_of(*line), bodies, surroundings, values);
    } else if (const auto* plane = std::get_if<PlaneProbe<Dim>>(&probe.what)) {
        double flow = 0.0;
        for (const auto& body : bodies)
            flow += flow_through<Dim>(*body, plane->point, plane->normal, surroundings);
        values[0] = flow;
    } else if (const auto* part = std::get_if<BodyProbe>(&probe.what)) {
        for (const auto& body : bodies) {
            if (const auto value = body->part_value(part->body, probe.field, surroundings); !value.empty()) {
                std::copy(value.begin(), value.end(), values.begin());
                return;
            }
            for (const BodyTotals<Dim>& total : totals_of<Dim>(*body, surroundings))
                if (total.name == part->body && total.particles > 0) read_totals(probe.field, total, values);
        }
    } else if (const auto* joint = std::get_if<JointProbe>(&probe.what)) {
        for (const auto& body : bodies) {
            const auto value = body->joint_value(joint->joint, probe.field, surroundings);
            std::copy(value.begin(), value.end(), values.begin());
        }
    } else if (const auto* obstacle = std::get_if<ObstacleProbe>(&probe.what)) {
        const auto is_that = [&](const Obstacle<Dim>& other) {
            return other.name == obstacle->obstacle && other.is_there;
        };
        if (std::none_of(surroundings.obstacles.begin(), surroundings.obstacles.end(), is_that)) return;
        const ObstacleLoad<Dim> load = load_on(obstacle->obstacle, bodies, surroundings);
        if (probe.field == "force")
            put(load.force, values);
        else
            put(load.torque, values);
    }
}

template <int Dim>
std::vector<ProbeRow> ProbeSet<Dim>::take_rows()
{
    return std::exchange(rows_, {});
}

template <int Dim>
void ProbeSet<Dim>::save(CheckpointWriter& checkpoint) const
{
    checkpoint.add("world/samples_done", samples_done_);
    std::vector<std::uint64_t> followed;
    for (const auto& id : followed_) followed.push_back(id.value_or(nobody));
    checkpoint.add("world/followed", followed);
    checkpoint.add("world/followed_from", followed_from_);
    checkpoint.add("world/followed_last", followed_last_);
    checkpoint.add("world/followed_turns", followed_turns_);
}

template <int Dim>
void ProbeSet<Dim>::load(const CheckpointReader& checkpoint, double time)
{
    checkpoint.read_into("world/samples_done", std::span(samples_done_));
    for (std::size_t k = 0; k < probes_.size(); ++k)
        if (!is_sampled_until(probes_[k], samples_done_[k], time))
            throw InputError("the checkpoint is damaged: the probe \"" + probes_[k].name +
                             "\" was sampled at other times");
    std::vector<std::uint64_t> followed(probes_.size());
    checkpoint.read_into("world/followed", std::span(followed));
    for (std::size_t k = 0; k < followed.size(); ++k)
        followed_[k] = followed[k] == nobody ? std::nullopt : std::optional(followed[k]);
    checkpoint.read_into("world/followed_from", std::span(followed_from_));
    checkpoint.read_into("world/followed_last", std::span(followed_last_));
    checkpoint.read_into("world/followed_turns", std::span(followed_turns_));
    rows_.clear();
}

template class ProbeSet<2>;
template class ProbeSet<3>;

} // namespace phyxel
