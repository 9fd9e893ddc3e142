// SPDX-License-Identifier: MIT
#include <phyxel/solid/crowding.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// A shape is forgotten once two neighbours a spacing apart have come nearer, or apart, by so many spacings.
constexpr double outdated_way = 0.25;

/// Two that come nearer than this many spacings have met.
constexpr double meeting_distance = 1.1;

/// Where two are nearer than so many spacings, a spring holds them apart even if nobody else is there.
constexpr double nearest_distance = 0.6;

/// (1 − q)³ and its slope.
struct CrowdingBell {
    double value, slope;

    explicit CrowdingBell(double q)
        : value((1.0 - q) * (1.0 - q) * (1.0 - q)),
          slope(-3.0 * (1.0 - q) * (1.0 - q))
    {
    }
};

/// Σ of a lattice, with itself.
template <int Dim>
double lattice_crowd()
{
    double sum = 0.0;
    const int last = Dim == 3 ? 1 : 0;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -last; z <= last; ++z)
                sum += CrowdingBell(0.5 * std::sqrt(static_cast<double>(x * x + y * y + z * z))).value;
    return sum;
}

double bulk_modulus(const ElasticModuli& moduli)
{
    return moduli.lambda + 2.0 / 3.0 * moduli.mu + moduli.volume_stiffness;
}

template <int Dim>
double power(double length)
{
    return Dim == 3 ? length * length * length : length * length;
}

} // namespace

/// Calls visit(other, x_i − x_j, r², h, its place) with all that the kernel of a member sees.
template <int Dim>
template <class Visit>
void Crowding<Dim>::for_each_near(const Member& member, std::size_t place, const Visit& visit) const
{
    const std::size_t parts = first_crowd_.size();
    const bool is_periodic = (periodic_.length.array() > 0.0).any();
    for (const Index n : search_->lists().of(place)) {
        const Member& other = members_[n];
        if (couple_[member.part * parts + other.part] == 0) continue;
        const Vec<Dim> apart =
            is_periodic ? periodic_.difference(member.x, other.x) : Vec<Dim>(member.x - other.x);
        const double h = member.spacing + other.spacing;
        const double r2 = apart.squaredNorm();
        if (r2 < h * h) visit(other, apart, r2, h, n);
    }
}

/// What j counts for i: (v_j/v_i) (2 a_i/h)^Dim, which is 1 for two of one size in a part that is filled
/// evenly.
template <int Dim>
double Crowding<Dim>::share(const Member& i, const Member& j, double h) const
{
    if (i.part == j.part && i.spacing == j.spacing) return 1.0;
    return j.volume / i.volume * power<Dim>(2.0 * i.spacing / h);
}

/// How stiffly two that are too near are held apart [N/m].
template <int Dim>
double Crowding<Dim>::spring(const Member& i, const Member& j, double h) const
{
    if (!i.flows && !j.flows) return 0.0;
    return 0.5 * (i.modulus + j.modulus) * (Dim == 3 ? 0.5 * h : 1.0);
}

template <int Dim>
Crowding<Dim>::Crowding(const SolidModel<Dim>& model)
{
    update_model(model);
}

template <int Dim>
void Crowding<Dim>::update_model(const SolidModel<Dim>& model)
{
    const std::size_t parts = model.materials.size();
    std::vector<std::uint8_t> is_wanted(parts, 0);
    couple_.assign(parts * parts, 0);
    for (std::uint32_t a = 0; a < parts; ++a) {
        for (std::uint32_t b = 0; b < parts; ++b) couple_[a * parts + b] = model.may_couple(a, b);
        if (!model.may_flow(a)) continue;
        is_wanted[a] = 1;
        for (const std::uint32_t b : model.merges_with[a]) is_wanted[b] = 1;
    }
    phyxels_.clear();
    reach_ = 0.0;
    for (std::uint32_t part = 0; part < parts; ++part) {
        if (is_wanted[part] == 0) continue;
        reach_ = std::max(reach_, 2.0 * model.spacing_of_part[part]);
        for (Index k = 0; k < model.whole_count(part); ++k) phyxels_.push_back(model.first_of_part[part] + k);
    }
    // Of points at random, whose sums are larger than those of a lattice.
    const PeriodicBox<Dim> periodic = periodic_;
    periodic_ = {};
    search_.emplace();
    first_crowd_.assign(parts, lattice_crowd<Dim>());
    members_.clear();
    if (!phyxels_.empty()) {
        search(model, model.origin);
        for (Member& member : members_) {
            member.spacing = model.spacing_of_part[member.part];
            if (!model.halved.times.empty())
                member.volume = std::ldexp(member.volume, model.halved.times[member.phyxel]);
        }
        std::vector<double> sums(members_.size());
        parallel_for(members_.size(), [&](Index k) {
            double sum = 1.0;
            for_each_near(members_[k], k,
                          [&](const Member& other, const Vec<Dim>&, double r2, double h, Index) {
                              sum += share(members_[k], other, h) * CrowdingBell(std::sqrt(r2) / h).value;
                          });
            sums[k] = sum;
        });
        for (std::size_t k = 0; k < members_.size(); ++k) {
            double& first = first_crowd_[members_[k].part];
            first = std::max(first, sums[k]);
        }
    }
    phyxels_.clear();
    for (Index i = 0; i < model.size(); ++i)
        if (is_wanted[model.part[i]] != 0) phyxels_.push_back(i);
    members_.clear();
    periodic_ = periodic;
    search_.emplace(periodic_);
}

/// In the order of places in space, which follows from these alone: as quick as it gets, and the same bits.
template <int Dim>
void Crowding<Dim>::search(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions)
{
    points_.resize(phyxels_.size());
    parallel_for(phyxels_.size(), [&](Index m) { points_[m] = positions[phyxels_[m]]; });
    double reach = reach_;
    for (int k = 0; k < Dim; ++k)
        if (periodic_.is_periodic(k)) reach = std::min(reach, 0.499 * periodic_.length[k]);
    search_->update(points_, reach);
    const std::span<const Index> order = search_->order();
    members_.resize(phyxels_.size());
    parallel_for(members_.size(), [&](Index k) {
        const Index i = phyxels_[order[k]];
        const std::uint32_t part = model.part[i];
        members_[k] = {.x = positions[i],
                       .spacing = model.spacing_of(i),
                       .volume = model.rest.volume[i],
                       .phyxel = i,
                       .part = part,
                       .flows = model.material_of(i).flows,
                       .modulus = bulk_modulus(model.moduli_of(i))};
    });
}

template <int Dim>
void Crowding<Dim>::find(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                         const PeriodicBox<Dim>& periodic)
{
    members_.clear();
    if (periodic.length != periodic_.length || periodic.min != periodic_.min) {
        periodic_ = periodic;
        search_.emplace(periodic_);
    }
    const auto is_number = [&](Index i) { return positions[i].allFinite(); };
    // Without, the step is lost anyway.
    if (phyxels_.empty() || !std::all_of(phyxels_.begin(), phyxels_.end(), is_number)) return;
    search(model, positions);
    // A wave of all phyxels is as stiff as some share of what a phyxel feels when all around it come nearer.
    constexpr double share_of_waves = 0.25;
    parallel_for(members_.size(), [&](Index k) {
        Member& member = members_[k];
        double sum = 1.0, slopes = 0.0, springs = 0.0;
        for_each_near(member, k, [&](const Member& other, const Vec<Dim>&, double r2, double h, Index) {
            const double near = 0.5 * nearest_distance * h;
            if (r2 < near * near) springs += spring(member, other, h);
            if (!member.flows) return;
            const CrowdingBell w(std::sqrt(r2) / h);
            const double counts = share(member, other, h);
            sum += counts * w.value;
            slopes -= counts * w.slope / h;
        });
        const double mass = model.mass[member.phyxel];
        member.rate = 2.0 * springs / mass;
        const double first =
            first_crowd_[member.part] * (allowed_.size() > member.phyxel ? allowed_[member.phyxel] : 1.0);
        member.crowd = sum;
        member.first = first;
        if (!member.flows || !(sum > first)) return;
        member.squeeze = sum / first - 1.0;
        member.stiffness = member.volume * member.modulus / (first * first);
        member.push = member.stiffness * first * member.squeeze;
        member.rate += share_of_waves * member.stiffness / mass * slopes * slopes;
    });
}

template <int Dim>
std::vector<double> Crowding<Dim>::crowds(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions)
{
    find(model, positions, periodic_);
    std::vector<double> all(model.size(), 0.0);
    for (const Member& member : members_)
        if (member.flows) all[member.phyxel] = member.crowd / first_crowd_[member.part];
    return all;
}

template <int Dim>
void Crowding<Dim>::add_forces(const SolidModel<Dim>& model, std::span<Vec<Dim>> forces) const
{
    if (model.fault == Fault::NoCrowding) return;
    const bool one_sided = model.fault == Fault::OneSidedContacts;
    parallel_for(members_.size(), [&](Index k) {
        const Member& member = members_[k];
        Vec<Dim> force = Vec<Dim>::Zero();
        for_each_near(member, k,
                      [&](const Member& other, const Vec<Dim>& apart, double r2, double h, Index n) {
                          const double near = 0.5 * nearest_distance * h;
                          const bool is_too_near = r2 < near * near;
                          if (!(member.push + other.push > 0.0) && !is_too_near) return;
                          if (!(r2 > 0.0) || (one_sided && n < k)) return;
                          const double r = std::sqrt(r2);
                          const double sum =
                              member.push * share(member, other, h) + other.push * share(other, member, h);
                          force -= sum * CrowdingBell(r / h).slope / (h * r) * apart;
                          if (is_too_near) force += spring(member, other, h) * (near / r - 1.0) * apart;
                      });
        forces[member.phyxel] += force;
    });
}

template <int Dim>
void Crowding<Dim>::add_stiffness(std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product)
{
    // What s n₀ changes by, times v K / n₀².
    changes_.assign(members_.size(), 0.0);
    parallel_for(members_.size(), [&](Index k) {
        const Member& member = members_[k];
        if (!(member.squeeze > 0.0)) return;
        double sum = 0.0;
        for_each_near(member, k, [&](const Member& other, const Vec<Dim>& apart, double r2, double h, Index) {
            if (!(r2 > 0.0)) return;
            const double r = std::sqrt(r2);
            sum += share(member, other, h) * CrowdingBell(r / h).slope / (h * r) *
                   apart.dot(change[member.phyxel] - change[other.phyxel]);
        });
        changes_[k] = member.stiffness * sum;
    });
    parallel_for(members_.size(), [&](Index k) {
        const Member& member = members_[k];
        Vec<Dim> force = Vec<Dim>::Zero();
        for_each_near(member, k,
                      [&](const Member& other, const Vec<Dim>& apart, double r2, double h, Index n) {
                          if (!(r2 > 0.0)) return;
                          const double r = std::sqrt(r2), near = 0.5 * nearest_distance * h;
                          const double sum =
                              changes_[k] * share(member, other, h) + changes_[n] * share(other, member, h);
                          if (sum != 0.0) force += sum * CrowdingBell(r / h).slope / (h * r) * apart;
                          if (r < near)
                              force += spring(member, other, h) / r2 *
                                       apart.dot(change[member.phyxel] - change[other.phyxel]) * apart;
                      });
        product[member.phyxel] += force;
    });
}

template <int Dim>
void Crowding<Dim>::add_energies(std::span<double> energies) const
{
    parallel_for(members_.size(), [&](Index k) {
        const Member& member = members_[k];
        double sum = member.push * member.squeeze * member.first;
        for_each_near(member, k, [&](const Member& other, const Vec<Dim>&, double r2, double h, Index) {
            const double depth = 0.5 * nearest_distance * h - std::sqrt(r2);
            if (depth > 0.0) sum += 0.5 * spring(member, other, h) * depth * depth; // half is the other's
        });
        energies[member.phyxel] += 0.5 * sum;
    });
}

template <int Dim>
double Crowding<Dim>::frequency() const
{
    double largest = 0.0;
    for (const Member& member : members_) largest = std::max(largest, member.rate);
    return std::sqrt(largest);
}

template <int Dim>
std::vector<std::uint8_t> Crowding<Dim>::outdated(const SolidModel<Dim>& model,
                                                  std::span<const Vec<Dim>> positions) const
{
    std::vector<std::uint8_t> is_outdated(members_.size(), 0);
    parallel_for(members_.size(), [&](Index k) {
        const Member& member = members_[k];
        if (!member.flows) return;
        std::size_t met = 0, coupled = 0;
        for_each_near(member, k, [&](const Member& other, const Vec<Dim>&, double r2, double h, Index) {
            const double near = 0.5 * meeting_distance * h;
            // Nobody has neighbours across a periodic side.
            if (r2 < near * near && (member.x - other.x).squaredNorm() < near * near) ++met;
        });
        // (r − R)(r + R), with r + R about two spacings.
        const double a = member.spacing, limit = 2.0 * outdated_way * a * a;
        const Index i = member.phyxel;
        std::size_t entry = model.rest.neighbors.offsets()[i];
        for (const Index j : model.rest.neighbors.of(i)) {
            const double r2 = (positions[i] - positions[j]).squaredNorm();
            const double R2 = (model.rest.position[i] - model.rest.position[j]).squaredNorm();
            const double near = 0.5 * meeting_distance * (a + model.spacing_of(j));
            if (r2 < near * near) ++coupled;
            if (model.rest.pairs[entry++].w > 0.0 && std::abs(r2 - R2) > limit) is_outdated[k] = 1;
        }
        if (met > coupled) is_outdated[k] = 1;
    });
    std::vector<std::uint8_t> of_parts(model.materials.size(), 0);
    for (std::size_t k = 0; k < members_.size(); ++k)
        if (is_outdated[k] != 0) of_parts[members_[k].part] = 1;
    return of_parts;
}

template class Crowding<2>;
template class Crowding<3>;

} // namespace phyxel
