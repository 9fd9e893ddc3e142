// SPDX-License-Identifier: MIT
#include <phyxel/world/particle_view.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/world/body.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace phyxel {
namespace {

template <int Dim>
const FieldInfo* find_field(const Body<Dim>& body, std::string_view name)
{
    const std::span<const FieldInfo> fields = body.fields();
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldInfo& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

/// The members of every part, in the order of their ids, so that a particle stays where it is in a file for
/// as long as none is removed.
template <int Dim>
std::vector<std::vector<Index>> members_of_parts(const ParticleView<Dim>& particles, std::size_t part_count)
{
    std::vector<Index> order(particles.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return particles.ids[a] < particles.ids[b]; });
    std::vector<std::vector<Index>> members(part_count);
    for (const Index i : order) members[particles.parts[i]].push_back(i);
    return members;
}

template <class T>
std::vector<T> gather(std::span<const T> values, const std::vector<Index>& members)
{
    std::vector<T> gathered;
    gathered.reserve(members.size());
    for (const Index i : members) gathered.push_back(values[i]);
    return gathered;
}

template <int Dim>
std::optional<std::size_t> index_of(const ParticleView<Dim>& particles, std::uint64_t id)
{
    const auto found = std::find(particles.ids.begin(), particles.ids.end(), id);
    if (found == particles.ids.end()) return {};
    return static_cast<std::size_t>(found - particles.ids.begin());
}

/// A kernel for every part.
template <int Dim, int Space>
std::vector<CubicSpline<Dim>> kernels_of(const ParticleView<Space>& particles)
{
    std::vector<CubicSpline<Dim>> kernels;
    for (const double reach : particles.reach) kernels.emplace_back(reach);
    return kernels;
}

} // namespace

template <int Dim>
std::vector<Snapshot> snapshots_of(Body<Dim>& body, std::span<const std::string> fields,
                                   const Surroundings<Dim>& surroundings)
{
    std::vector<BodyField> chosen;
    for (const std::string& name : fields)
        if (const FieldInfo* info = find_field(body, name))
            chosen.push_back({name, info->components, body.field(name, surroundings)});

    const ParticleView<Dim> particles = body.particles();
    const std::vector<std::string> names = body.parts(); // those that are expected have no members
    const std::vector<std::vector<Index>> members = members_of_parts(particles, names.size());
    std::vector<Snapshot> snapshots;
    for (std::size_t part = 0; part < names.size(); ++part) {
        Snapshot& snapshot = snapshots.emplace_back();
        snapshot.body = names[part];
        snapshot.points = points_in_space<Dim>(gather(particles.positions, members[part]));
        snapshot.fields.push_back(scalar_field<std::uint64_t>("id", gather(particles.ids, members[part])));
        snapshot.fields.push_back(
            vector_field<Dim, double>("velocity", gather(particles.velocities, members[part])));
        for (const BodyField& field : chosen) {
            const auto components = static_cast<std::size_t>(field.components);
            std::vector<double> values;
            values.reserve(components * members[part].size());
            for (const Index i : members[part])
                for (std::size_t k = 0; k < components; ++k)
                    values.push_back(field.values[components * i + k]);
            snapshot.fields.push_back({field.name, field.components, std::move(values)});
        }
        snapshot.surface = body.surface(part, chosen, surroundings);
    }
    return snapshots;
}

template <int Dim>
std::vector<BodyTotals<Dim>> totals_of(Body<Dim>& body, const Surroundings<Dim>& surroundings)
{
    const ParticleAmounts amounts = body.amounts(surroundings);
    const ParticleView<Dim> particles = body.particles();
    std::vector<BodyTotals<Dim>> totals;
    for (const std::string& name : body.parts()) totals.emplace_back().name = name;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec<Dim>& x = particles.positions[i];
        const Vec<Dim>& v = particles.velocities[i];
        const double m = amounts.mass[i];
        BodyTotals<Dim>& total = totals[particles.parts[i]];
        ++total.particles;
        total.mass += m;
        total.volume += amounts.volume[i];
        total.center += m * x;
        total.momentum += m * v;
        total.bounds.extend(x);
        total.kinetic_energy += 0.5 * m * v.squaredNorm();
        if (!surroundings.gravity_field) total.potential_energy -= m * surroundings.gravity.dot(x);
        if (!amounts.internal_energy.empty()) total.internal_energy += amounts.internal_energy[i];
        if (!amounts.stabilization_energy.empty())
            total.stabilization_energy += amounts.stabilization_energy[i];
        total.max_speed = std::max(total.max_speed, v.norm());
    }
    for (BodyTotals<Dim>& total : totals)
        if (total.particles > 0) total.center /= total.mass;
    return totals;
}

template <int Dim>
std::vector<double> sample(Body<Dim>& body, std::string_view field, std::span<const Vec<Dim>> places,
                           const Surroundings<Dim>& surroundings)
{
    const bool is_velocity = field == "velocity";
    const FieldInfo* info = find_field(body, field);
    if (!is_velocity && info == nullptr) return {};
    const auto components = static_cast<std::size_t>(is_velocity ? Dim : info->components);
    const std::vector<double> at_particles =
        is_velocity ? std::vector<double>() : body.field(field, surroundings);
    const ParticleAmounts amounts = body.amounts(surroundings);
    const ParticleView<Dim> particles = body.particles();
    const std::vector<CubicSpline<Dim>> kernels = kernels_of<Dim>(particles);
    const PeriodicBox<Dim> box = surroundings.domain.periodic_box();
    std::vector<double> values(components * places.size());
    const auto sample_one = [&](Index n) {
        const std::span<double> sum = std::span(values).subspan(components * n, components);
        double weight_sum = 0.0;
        for (std::size_t i = 0; i < particles.size(); ++i) {
            const CubicSpline<Dim>& kernel = kernels[particles.parts[i]];
            const double r2 = box.difference(places[n], particles.positions[i]).squaredNorm();
            if (r2 >= kernel.support_radius() * kernel.support_radius()) continue;
            const double weight = amounts.weight[i] * kernel.value(std::sqrt(r2));
            weight_sum += weight;
            for (std::size_t k = 0; k < components; ++k)
                sum[k] += weight * (is_velocity ? particles.velocities[i][static_cast<Eigen::Index>(k)]
                                                : at_particles[components * i + k]);
        }
        for (double& value : sum) value = weight_sum > 0.0 ? value / weight_sum : 0.0;
    };
    parallel_for(places.size(), sample_one, 1);
    return values;
}

template <int Dim>
double flow_through(Body<Dim>& body, const Vec<Dim>& point, const Vec<Dim>& normal,
                    const Surroundings<Dim>& surroundings)
{
    // ∫ v·n dA ≈ Σ V v·n ω₁(distance from the plane), with a kernel along the normal only.
    const ParticleAmounts amounts = body.amounts(surroundings);
    const ParticleView<Dim> particles = body.particles();
    const std::vector<CubicSpline<1>> kernels = kernels_of<1>(particles);
    const PeriodicBox<Dim> box = surroundings.domain.periodic_box();
    double sum = 0.0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const CubicSpline<1>& kernel = kernels[particles.parts[i]];
        const double distance = std::abs(box.difference(particles.positions[i], point).dot(normal));
        if (distance < kernel.support_radius())
            sum += amounts.rest_volume[i] * particles.velocities[i].dot(normal) * kernel.value(distance);
    }
    return sum;
}

template <int Dim>
std::optional<std::uint64_t> nearest_particle(const Body<Dim>& body, std::string_view part,
                                              const Vec<Dim>& place)
{
    const std::vector<std::string> names = body.parts();
    const auto number = std::find(names.begin(), names.end(), part) - names.begin();
    const ParticleView<Dim> particles = body.particles();
    std::optional<std::uint64_t> best;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles.parts[i] != number) continue;
        const double d = (particles.positions[i] - place).squaredNorm();
        // Of several at the same distance the one with the smallest id, whatever their order.
        if (d > smallest || (d == smallest && particles.ids[i] > *best)) continue;
        smallest = d;
        best = particles.ids[i];
    }
    return best;
}

template <int Dim>
std::optional<std::vector<double>> value_of(Body<Dim>& body, std::string_view field, std::uint64_t particle,
                                            const Surroundings<Dim>& surroundings)
{
    const std::optional<std::size_t> i = index_of(body.particles(), particle);
    if (!i) return {};
    if (field == "position" || field == "velocity") {
        const ParticleView<Dim> particles = body.particles();
        const Vec<Dim>& v = field == "position" ? particles.positions[*i] : particles.velocities[*i];
        return std::vector<double>(v.begin(), v.end());
    }
    const FieldInfo* info = find_field(body, field);
    if (info == nullptr) return {};
    const std::vector<double> values = body.field(field, surroundings);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(*i) * info->components;
    return std::vector<double>(first, first + info->components);
}

template <int Dim>
std::optional<ParticleCloseUp<Dim>> close_up_of(const Body<Dim>& body, std::uint64_t particle,
                                                const Surroundings<Dim>& surroundings)
{
    const ParticleView<Dim> particles = body.particles();
    const std::optional<std::size_t> i = index_of(particles, particle);
    if (!i) return {};
    const auto reach_of = [&](std::size_t j) { return particles.reach[particles.parts[j]]; };
    ParticleCloseUp<Dim> result;
    result.position = particles.positions[*i];
    if (!particles.rest_positions.empty()) result.rest_position = particles.rest_positions[*i];
    result.support_radius = particles.support_radii.empty() ? reach_of(*i) : particles.support_radii[*i];
    if (particles.neighbors != nullptr) {
        for (const Index j : particles.neighbors->of(static_cast<Index>(*i)))
            result.neighbors.push_back(particles.ids[j]);
    } else {
        const PeriodicBox<Dim> box = surroundings.domain.periodic_box();
        for (std::size_t j = 0; j < particles.size(); ++j) {
            // Particles of two sizes see each other as far as the larger one does.
            const double reach = std::max(result.support_radius, reach_of(j));
            if (j != *i && box.difference(result.position, particles.positions[j]).norm() < reach)
                result.neighbors.push_back(particles.ids[j]);
        }
    }
    std::sort(result.neighbors.begin(), result.neighbors.end());
    return result;
}

template <int Dim>
std::size_t part_of_largest_rate(const ParticleView<Dim>& particles, std::span<const double> rates)
{
    std::size_t found = 0;
    double largest = -1.0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::size_t part = particles.parts[i];
        const double rate = std::max(particles.velocities[i].norm() / particles.reach[part], rates[part]);
        const double counted = std::isfinite(rate) ? rate : std::numeric_limits<double>::infinity();
        if (counted <= largest) continue;
        largest = counted;
        found = part;
    }
    return found;
}

template std::size_t part_of_largest_rate(const ParticleView<2>&, std::span<const double>);
template std::size_t part_of_largest_rate(const ParticleView<3>&, std::span<const double>);
template std::vector<Snapshot> snapshots_of(Body<2>&, std::span<const std::string>, const Surroundings<2>&);
template std::vector<BodyTotals<2>> totals_of(Body<2>&, const Surroundings<2>&);
template std::vector<double> sample(Body<2>&, std::string_view, std::span<const Vec<2>>,
                                    const Surroundings<2>&);
template double flow_through(Body<2>&, const Vec<2>&, const Vec<2>&, const Surroundings<2>&);
template std::optional<std::uint64_t> nearest_particle(const Body<2>&, std::string_view, const Vec<2>&);
template std::optional<std::vector<double>> value_of(Body<2>&, std::string_view, std::uint64_t,
                                                     const Surroundings<2>&);
template std::optional<ParticleCloseUp<2>> close_up_of(const Body<2>&, std::uint64_t, const Surroundings<2>&);

template std::vector<Snapshot> snapshots_of(Body<3>&, std::span<const std::string>, const Surroundings<3>&);
template std::vector<BodyTotals<3>> totals_of(Body<3>&, const Surroundings<3>&);
template std::vector<double> sample(Body<3>&, std::string_view, std::span<const Vec<3>>,
                                    const Surroundings<3>&);
template double flow_through(Body<3>&, const Vec<3>&, const Vec<3>&, const Surroundings<3>&);
template std::optional<std::uint64_t> nearest_particle(const Body<3>&, std::string_view, const Vec<3>&);
template std::optional<std::vector<double>> value_of(Body<3>&, std::string_view, std::uint64_t,
                                                     const Surroundings<3>&);
template std::optional<ParticleCloseUp<3>> close_up_of(const Body<3>&, std::uint64_t, const Surroundings<3>&);

} // namespace phyxel
