// SPDX-License-Identifier: MIT
#include <phyxel/solid/rest_places.h>

#include <phyxel/approx/least_squares_gradient.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// In spacings: within which phyxels have a say, at least.
constexpr double usual_radius = 1.5;

/// What is pressed more than this has no inverse that is worth anything.
constexpr double least_rest_volume = 0.05;

constexpr int corrections = 3;

double weight(double distance, double radius)
{
    const double s = std::max(0.0, 1.0 - distance * distance / (radius * radius));
    return s * s * s;
}

template <int Dim>
Mat<Dim> gradient_at(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, Index i)
{
    const RestShape<Dim>& rest = model.rest;
    Mat<Dim> moment = Mat<Dim>::Zero();
    std::size_t entry = rest.neighbors.offsets()[i];
    for (const Index j : rest.neighbors.of(i))
        moment += rest.pairs[entry++].w * (positions[j] - positions[i]) *
                  (rest.position[j] - rest.position[i]).transpose();
    return moment * rest.gradients[i].inverse_moment;
}

} // namespace

template <int Dim>
RestPlaces<Dim>::RestPlaces(const SolidModel<Dim>& model, std::size_t part,
                            std::span<const Vec<Dim>> positions, const Box<Dim>& box, double reach)
    : spacing_(model.spacing_of_part[part]),
      reach_(std::max(reach, usual_radius * spacing_)),
      grid_(spacing_)
{
    const double reach2 = reach_ * reach_;
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i) {
        if (!(box.squared_distance(positions[i]) <= reach2) || model.rest.spans_space[i] == 0) continue;
        const Mat<Dim> F = gradient_at(model, positions, i);
        if (!(F.determinant() > least_rest_volume)) continue;
        grid_.insert(static_cast<Index>(phyxels_.size()), positions[i]);
        phyxels_.push_back({model.rest.position[i], positions[i], F, F.inverse()});
    }
}

template <int Dim>
std::optional<RestPlace<Dim>> RestPlaces<Dim>::find(const Vec<Dim>& x) const
{
    std::vector<Index> near;
    double radius = usual_radius * spacing_;
    grid_.radius(x, radius, near);
    if (near.size() < Dim + 1 && radius < reach_) {
        // Beyond the surface: the nearest ones.
        grid_.radius(x, reach_, near);
        double nearest = reach_;
        for (const Index k : near) nearest = std::min(nearest, (phyxels_[k].now - x).norm());
        radius = std::max(radius, nearest + spacing_);
        std::erase_if(near, [&](Index k) { return (phyxels_[k].now - x).norm() >= radius; });
    }
    RestPlace<Dim> found{Vec<Dim>::Zero(), Mat<Dim>::Zero()};
    double sum = 0.0;
    for (const Index k : near) {
        const Phyxel& phyxel = phyxels_[k];
        const double w = weight((phyxel.now - x).norm(), radius);
        found.place += w * (phyxel.rest + phyxel.inverse * (x - phyxel.now));
        found.gradient += w * phyxel.F;
        sum += w;
    }
    if (!(sum > 0.0)) return {};
    found.place /= sum;
    found.gradient /= sum;
    if (!(found.gradient.determinant() > least_rest_volume)) return {};
    const Mat<Dim> inverse = found.gradient.inverse();
    const Vec<Dim> first = found.place;
    for (int n = 0; n < corrections; ++n) {
        Vec<Dim> there = Vec<Dim>::Zero();
        double total = 0.0;
        for (const Index k : near) {
            const Phyxel& phyxel = phyxels_[k];
            const double w = weight((phyxel.rest - found.place).norm(), 2.0 * radius);
            there += w * (phyxel.now + phyxel.F * (found.place - phyxel.rest));
            total += w;
        }
        if (!(total > 0.0)) break;
        found.place += inverse * (x - there / total);
    }
    // Where it is folded the corrections lead nowhere.
    if (!((found.place - first).norm() < spacing_)) found.place = first;
    return found;
}

template class RestPlaces<2>;
template class RestPlaces<3>;

} // namespace phyxel
