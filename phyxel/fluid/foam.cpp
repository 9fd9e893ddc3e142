// SPDX-License-Identifier: MIT
#include <phyxel/fluid/foam.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace phyxel {
namespace {

/// Reach of neighbours, in spacings: some 33 of them inside a fluid.
constexpr double reach_ratio = 2.0;

/// Fewer neighbours than this are air, more than that are inside [IAAT12].
constexpr std::size_t air_neighbors = 6, inside_neighbors = 20;

/// Of trapped air: relative speed of the neighbours, as a share of a violent speed.
constexpr double least_trapped = 0.03, most_trapped = 0.3;
/// Of wave crests: how much the surface curves.
constexpr double least_crest = 0.1, most_crest = 0.6;
/// A crest breaks only where the fluid moves outwards.
constexpr double least_outward = 0.6;
/// Of kinetic energy, as a share of that of a violent speed.
constexpr double least_energy = 0.05, most_energy = 1.0;

/// [IAAT12]
double potential(double value, double least, double most)
{
    return (std::min(value, most) - std::min(value, least)) / (most - least);
}

/// Σ W of a lattice, with W = 1 − r/h.
double weight_of_lattice()
{
    double sum = 0.0;
    for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j)
            for (int k = -2; k <= 2; ++k) {
                const double r = std::sqrt(i * i + j * j + k * k);
                if (r > 0.0 && r < reach_ratio) sum += 1.0 - r / reach_ratio;
            }
    return sum;
}

/// A unit vector across a direction.
Vec<3> across(const Vec<3>& direction)
{
    int axis = 0;
    direction.cwiseAbs().minCoeff(&axis);
    const Vec<3> u = Vec<3>::Unit(axis);
    return (u - u.dot(direction) * direction).normalized();
}

Vec<3> cross(const Vec<3>& a, const Vec<3>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The fluid between two frames; what is gone in the second goes on straight.
FoamFluid between(const FoamFluid& from, const FoamFluid& to, double share, double dt)
{
    FoamFluid fluid = from;
    std::vector<std::size_t> partner(from.ids.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < from.ids.size(); ++i) {
        while (k < to.ids.size() && to.ids[k] < from.ids[i]) ++k;
        partner[i] = k < to.ids.size() && to.ids[k] == from.ids[i] ? k : to.ids.size();
    }
    parallel_for(from.ids.size(), [&](Index i) {
        if (partner[i] == to.ids.size()) {
            fluid.positions[i] += share * dt * from.velocities[i];
            return;
        }
        fluid.positions[i] = (1.0 - share) * from.positions[i] + share * to.positions[partner[i]];
        fluid.velocities[i] = (1.0 - share) * from.velocities[i] + share * to.velocities[partner[i]];
    });
    return fluid;
}

} // namespace

void check_options(const FoamOptions& options)
{
    const auto check = [](const char* name, double value, double least, double most) {
        if (!(value >= least && value <= most))
            throw InputError(std::string(name) + " " + number_text(value) + ": must be at least " +
                             number_text(least) + " and at most " + number_text(most));
    };
    check("amount", options.amount, 0.0, 1e6);
    check("lifetime", options.lifetime, 1e-3, 1e6);
    check("speed", options.speed, 0.0, 1e6);
    check("buoyancy", options.buoyancy, 0.0, 100.0);
    check("drag", options.drag, 0.0, 1.0);
    check("steps", options.steps, 1.0, 1000.0);
}

FoamMaker::FoamMaker(double spacing, const Vec<3>& gravity, const FoamOptions& options)
    : spacing_(spacing),
      reach_(reach_ratio * spacing),
      gravity_(gravity),
      options_(options),
      speed_(options.speed),
      grid_(reach_)
{
    check_options(options);
    if (!(spacing > 0.0)) throw InputError("the spacing must be positive");
}

void FoamMaker::advance(const FoamFluid& from, const FoamFluid& to, double time, double dt,
                        const FoamWalls& walls)
{
    if (speed_ <= 0.0 && !from.positions.empty()) {
        // Water that falls as far as it stands high.
        double low = std::numeric_limits<double>::infinity(), high = -low;
        const double g = gravity_.norm() > 0.0 ? gravity_.norm() : 9.81;
        const Vec<3> up = gravity_.norm() > 0.0 ? Vec<3>(-gravity_ / g) : Vec<3>(Vec<3>::UnitZ());
        for (const Vec<3>& x : from.positions) {
            low = std::min(low, up.dot(x));
            high = std::max(high, up.dot(x));
        }
        speed_ = std::sqrt(2.0 * g * std::max(high - low, spacing_));
    }
    grid_.assign(from.positions);
    be_born(from, dt);
    for (int n = 1; n <= options_.steps; ++n) {
        const double share = static_cast<double>(n) / options_.steps;
        const FoamFluid fluid = between(from, to, share, dt);
        grid_.assign(fluid.positions);
        move(fluid, time - (1.0 - share) * dt, dt / options_.steps, walls);
    }
    ++frame_;
}

/// Where air is trapped or a wave breaks, as many as the energy there allows [IAAT12].
void FoamMaker::be_born(const FoamFluid& fluid, double dt)
{
    const std::size_t count = fluid.positions.size();
    const double full = weight_of_lattice();
    std::vector<std::vector<Index>> neighbors(count);
    std::vector<Vec<3>> normals(count);
    parallel_for(count, [&](Index i) {
        grid_.radius(fluid.positions[i], reach_, CellRange::Three, neighbors[i]);
        Vec<3> sum = Vec<3>::Zero(); // points to where there is nothing
        for (const Index j : neighbors[i]) {
            const Vec<3> x_ij = fluid.positions[i] - fluid.positions[j];
            const double r = x_ij.norm();
            if (j != i && r > 0.0) sum += (1.0 - r / reach_) / r * x_ij;
        }
        const double length = sum.norm();
        normals[i] = length > 0.15 * full ? Vec<3>(sum / length) : Vec<3>(Vec<3>::Zero()); // zero inside
    });
    std::vector<std::uint32_t> wanted(count);
    parallel_for(count, [&](Index i) {
        const Vec<3>& v = fluid.velocities[i];
        double trapped = 0.0, crest = 0.0;
        for (const Index j : neighbors[i]) {
            if (j == i) continue;
            const Vec<3> x_ij = fluid.positions[i] - fluid.positions[j];
            const Vec<3> v_ij = v - fluid.velocities[j];
            const double r = x_ij.norm(), w = v_ij.norm();
            if (r <= 0.0) continue;
            const double W = 1.0 - r / reach_;
            if (w > 0.0) trapped += (w - v_ij.dot(x_ij) / r) * W;
            const bool is_convex = x_ij.dot(normals[i]) > 0.0;
            if (is_convex && !normals[j].isZero(0.0)) crest += (1.0 - normals[i].dot(normals[j])) * W;
        }
        const double speed = v.norm();
        if (speed <= 0.0 || v.dot(normals[i]) < least_outward * speed) crest = 0.0;
        const double share = potential(trapped / full / speed_, least_trapped, most_trapped) +
                             potential(crest / full, least_crest, most_crest);
        const double energy = potential(speed * speed / (speed_ * speed_), least_energy, most_energy);
        Rng rng(options_.seed, fluid.ids[i], 2 * frame_);
        wanted[i] =
            static_cast<std::uint32_t>(options_.amount * dt * energy * std::min(share, 1.0) + rng.uniform());
    });
    for (std::size_t i = 0; i < count; ++i) {
        if (wanted[i] == 0 || particles_.size() >= options_.most) continue;
        // In the cylinder that the particle sweeps [IAAT12].
        const Vec<3>& v = fluid.velocities[i];
        const double speed = v.norm();
        const Vec<3> along = speed > 0.0 ? Vec<3>(v / speed) : Vec<3>(Vec<3>::UnitZ());
        const Vec<3> u = across(along), w = cross(along, u);
        Rng rng(options_.seed, fluid.ids[i], 2 * frame_ + 1);
        for (std::uint32_t n = 0; n < wanted[i]; ++n) {
            const double r = 0.5 * spacing_ * std::sqrt(rng.uniform());
            const double angle = 2.0 * std::numbers::pi * rng.uniform();
            const Vec<3> aside = r * (std::cos(angle) * u + std::sin(angle) * w);
            const double ahead = rng.uniform() * speed * dt;
            const double life = options_.lifetime * rng.uniform(0.5, 1.5);
            particles_.push_back({.position = fluid.positions[i] + aside - ahead * along,
                                  .velocity = v + aside / spacing_ * 0.3 * speed,
                                  .id = next_id_++,
                                  .life = life});
        }
    }
}

/// [IAAT12]
void FoamMaker::move(const FoamFluid& fluid, double time, double dt, const FoamWalls& walls)
{
    std::vector<std::uint8_t> is_gone(particles_.size(), 0);
    parallel_for_blocks(particles_.size(), default_block_size, [&](const Block& block) {
        std::vector<Index> near;
        for (std::size_t k = block.begin; k < block.end; ++k) {
            FoamParticle& particle = particles_[k];
            grid_.radius(particle.position, reach_, CellRange::Three, near);
            Vec<3> flow = Vec<3>::Zero();
            double weight = 0.0;
            for (const Index j : near) {
                const double q2 = (particle.position - fluid.positions[j]).squaredNorm() / (reach_ * reach_);
                const double W = (1.0 - q2) * (1.0 - q2) * (1.0 - q2);
                flow += W * fluid.velocities[j];
                weight += W;
            }
            if (weight > 0.0) flow /= weight;
            particle.kind = near.size() < air_neighbors      ? FoamKind::Spray
                            : near.size() > inside_neighbors ? FoamKind::Bubble
                                                             : FoamKind::Foam;
            switch (particle.kind) {
            case FoamKind::Spray:
                particle.velocity += dt * gravity_;
                break;
            case FoamKind::Foam:
                particle.velocity = flow;
                break;
            case FoamKind::Bubble:
                particle.velocity +=
                    -dt * options_.buoyancy * gravity_ + options_.drag * (flow - particle.velocity);
                break;
            }
            particle.position += dt * particle.velocity;
            // Bubbles do not burst under water.
            if (particle.kind != FoamKind::Bubble) particle.life -= dt;
            const bool stays = !walls || walls(particle.position, particle.velocity, time);
            is_gone[k] = !stays || particle.life <= 0.0 || !particle.position.allFinite();
        }
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < particles_.size(); ++k)
        if (is_gone[k] == 0) particles_[kept++] = particles_[k];
    particles_.resize(kept);
}

} // namespace phyxel
