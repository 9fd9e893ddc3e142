// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_regions.h>

#include <phyxel/core/assert.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

template <int Dim>
Vec<Dim> mean(const SolidModel<Dim>& model, const std::vector<Index>& phyxels, double mass,
              std::span<const Vec<Dim>> values)
{
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const Index i : phyxels) sum += model.mass[i] * values[i];
    return sum / mass;
}

} // namespace

template <int Dim>
SolidRegions<Dim>::SolidRegions(const SolidModel<Dim>& model, const IdIndex& ids,
                                std::vector<SolidRegion<Dim>> regions)
    : regions_(std::move(regions)),
      is_prescribed_(model.size(), 0)
{
    for (const SolidRegion<Dim>& region : regions_) {
        double mass = 0.0;
        std::vector<Index>& phyxels = phyxels_.emplace_back();
        for (const std::uint64_t id : region.phyxels)
            if (const std::optional<Index> i = ids.find(id)) phyxels.push_back(*i);
        for (const Index i : phyxels) {
            PHYXEL_ASSERT(i < model.size());
            mass += model.mass[i];
            if (std::holds_alternative<PrescribedMotion<Dim>>(region.what) ||
                std::holds_alternative<CarriedAlong<Dim>>(region.what))
                is_prescribed_[i] = 1;
        }
        masses_.push_back(mass);
    }
}

template <int Dim>
bool SolidRegions<Dim>::has_prescribed(const SolidModel<Dim>& model, std::size_t part) const
{
    return std::any_of(is_prescribed_.begin() + model.first_of_part[part],
                       is_prescribed_.begin() + model.first_of_part[part + 1],
                       [](std::uint8_t is) { return is != 0; });
}

template <int Dim>
bool SolidRegions<Dim>::is_anchored(const SolidModel<Dim>& model, std::size_t part) const
{
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const RegionAction<Dim>& what = regions_[r].what;
        const bool is_in_space = std::holds_alternative<PrescribedMotion<Dim>>(what) ||
                                 std::holds_alternative<CarriedAlong<Dim>>(what) ||
                                 std::holds_alternative<RegionSpring<Dim>>(what);
        if (is_in_space && std::any_of(phyxels_[r].begin(), phyxels_[r].end(),
                                       [&](Index i) { return model.part[i] == part; }))
            return true;
    }
    return false;
}

template <int Dim>
double SolidRegions<Dim>::largest_frequency() const
{
    double square = 0.0;
    for (std::size_t r = 0; r < regions_.size(); ++r)
        if (const auto* spring = std::get_if<RegionSpring<Dim>>(&regions_[r].what))
            square = std::max(square, spring->stiffness / masses_[r]);
    return std::sqrt(square);
}

template <int Dim>
double SolidRegions<Dim>::largest_damping() const
{
    double rate = 0.0;
    for (std::size_t r = 0; r < regions_.size(); ++r)
        if (const auto* spring = std::get_if<RegionSpring<Dim>>(&regions_[r].what))
            rate = std::max(rate, spring->damping / masses_[r]);
    return rate;
}

template <int Dim>
void SolidRegions<Dim>::add_forces(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                   std::span<const Vec<Dim>> velocities, const ElasticWorkspace<Dim>& work,
                                   double time, std::span<Vec<Dim>> forces) const
{
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const std::vector<Index>& phyxels = phyxels_[r];
        const auto share_by_mass = [&](const Vec<Dim>& force) {
            for (const Index i : phyxels) forces[i] += model.mass[i] / masses_[r] * force;
        };
        if (const auto* pulled = std::get_if<RegionForce<Dim>>(&regions_[r].what)) {
            Vec<Dim> force;
            for (int k = 0; k < Dim; ++k)
                force[k] = pulled->force[static_cast<std::size_t>(k)].evaluate(0.0, 0.0, 0.0, time);
            share_by_mass(force);
        } else if (const auto* pressed = std::get_if<RegionPressure>(&regions_[r].what)) {
            // An area a at rest has become cof F a.
            const double p = pressed->pressure.evaluate(0.0, 0.0, 0.0, time);
            for (const Index i : phyxels)
                forces[i] -= p * (cofactor(work.responses[i].F) * model.rest.area[i]);
        } else if (const auto* spring = std::get_if<RegionSpring<Dim>>(&regions_[r].what)) {
            share_by_mass(spring->stiffness *
                              (spring->place(time) - mean<Dim>(model, phyxels, masses_[r], positions)) +
                          spring->damping *
                              (spring->velocity(time) - mean<Dim>(model, phyxels, masses_[r], velocities)));
        }
    }
}

template <int Dim>
void SolidRegions<Dim>::add_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> change,
                                      double damping, std::span<Vec<Dim>> product) const
{
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const auto* spring = std::get_if<RegionSpring<Dim>>(&regions_[r].what);
        if (spring == nullptr) continue;
        const std::vector<Index>& phyxels = phyxels_[r];
        const Vec<Dim> pull =
            (spring->stiffness + damping * spring->damping) * mean<Dim>(model, phyxels, masses_[r], change);
        for (const Index i : phyxels) product[i] += model.mass[i] / masses_[r] * pull;
    }
}

template class SolidRegions<2>;
template class SolidRegions<3>;

} // namespace phyxel
