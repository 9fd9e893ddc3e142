// SPDX-License-Identifier: MIT
#include <phyxel/world/heat_exchange.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/search/hash_grid.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// A step takes so much of the difference to its neighbours away from a node, at most: half of it lets
/// nothing swing.
constexpr double longest_share = 0.5;

/// Surfaces touch that face each other within 60 degrees and are nearer than this share of a spacing.
constexpr double facing = -0.5;
constexpr double touching = 0.5;

template <int Dim>
bool face_each_other(const Vec<Dim>& area, const Vec<Dim>& other)
{
    return area.dot(other) < facing * area.norm() * other.norm();
}

double resistance_of(const ThermalMaterial& material)
{
    return material.contact_conductance ? 1.0 / *material.contact_conductance : 0.0;
}

} // namespace

template <int Dim>
void HeatExchange<Dim>::list_nodes(std::span<const HeatView<Dim>> bodies)
{
    first_node_ = {0};
    for (const HeatView<Dim>& body : bodies)
        first_node_.push_back(first_node_.back() + static_cast<Index>(body.enthalpy.size()));
    const std::size_t count = first_node_.back();
    temperature_.resize(count);
    conductivity_.resize(count);
    power_.resize(count);
    given_.assign(count, 0.0);
    is_held_.assign(count, 0);
}

template <int Dim>
void HeatExchange<Dim>::list_pieces(std::span<const HeatView<Dim>> bodies)
{
    pieces_.clear();
    places_.clear();
    Index first_part = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const HeatView<Dim>& body = bodies[b];
        for (std::size_t n = 0; body.surface != nullptr && n < body.surface->size(); ++n) {
            const std::uint32_t part = body.surface->part[n];
            pieces_.push_back({.surface = body.surface,
                               .number = n,
                               .first_node = first_node_[b],
                               .part = &body.parts[part],
                               .part_number = first_part + part,
                               .body = b});
            places_.push_back(body.surface->position[n]);
        }
        first_part += static_cast<Index>(body.parts.size());
    }
}

/// Each piece of the finer of two surfaces looks for the piece of the other one that it lies on.
template <int Dim>
void HeatExchange<Dim>::find_contacts(const Surroundings<Dim>& surroundings)
{
    double gap = 0.0, width = 0.0;
    bool are_several = false;
    for (const Piece& piece : pieces_) {
        gap = std::max(gap, touching * piece.part->spacing);
        width = std::max(width, piece.part->width);
        are_several = are_several || piece.part_number != pieces_.front().part_number;
    }
    if (!are_several) return;
    const double reach = std::hypot(gap, width);
    const HashGrid<Dim> grid(reach, places_);
    const auto is_finer = [](const Piece& a, const Piece& b) {
        return std::pair(a.part->width, a.part_number) < std::pair(b.part->width, b.part_number);
    };
    constexpr std::size_t block_size = 64;
    parallel_for_blocks(pieces_.size(), block_size, [&](const Block& block) {
        std::vector<Index> near;
        for (std::size_t p = block.begin; p < block.end; ++p) {
            Piece& piece = pieces_[p];
            grid.radius(piece.position(), reach, near);
            double nearest = reach * reach * (1.0 + 1e-9);
            for (const Index q : near) {
                const Piece& other = pieces_[q];
                if (other.part_number == piece.part_number || !is_finer(piece, other)) continue;
                if (!face_each_other<Dim>(piece.area(), other.area())) continue;
                const Vec<Dim> way = other.position() - piece.position();
                const double apart = way.dot(other.area().normalized());
                const double along = way.squaredNorm() - apart * apart;
                const double near_enough = 0.5 * touching * (piece.part->spacing + other.part->spacing);
                if (std::abs(apart) > near_enough || along > other.part->width * other.part->width) continue;
                if (way.squaredNorm() >= nearest ||
                    surroundings.ignored.contains(piece.part->name, other.part->name))
                    continue;
                nearest = way.squaredNorm();
                piece.touched = q;
            }
        }
    });
}

/// The nearest wall that a piece touches.
template <int Dim>
void HeatExchange<Dim>::find_walls(const Surroundings<Dim>& surroundings)
{
    constexpr std::size_t block_size = 64;
    parallel_for(
        pieces_.size(),
        [&](Index p) {
            Piece& piece = pieces_[p];
            double nearest = touching * piece.part->spacing;
            for_each_wall(surroundings, piece.position(), nearest, [&](const NearWall<Dim>& wall) {
                if (wall.distance >= nearest || !face_each_other<Dim>(piece.area(), wall.normal)) return;
                if (wall.obstacle >= 0 &&
                    surroundings.ignored.contains(
                        piece.part->name,
                        surroundings.obstacles[static_cast<std::size_t>(wall.obstacle)].name))
                    return;
                nearest = wall.distance;
                piece.wall = wall.obstacle;
            });
        },
        block_size);
}

/// What is outside and acts on so much of a piece.
template <int Dim>
void HeatExchange<Dim>::pass(const Piece& piece, const SurfaceHeat& heat, double area, double resistance)
{
    for (const auto& share : piece.surface->shares_of(piece.number)) {
        const Index node = piece.first_node + share.node;
        if (heat.flux) given_[node] += *heat.flux * area * share.share;
        if (!heat.temperature && !heat.air) continue;
        if (heat.air && !(heat.air->exchange > 0.0)) continue;
        links_.push_back({.a = node,
                          .area = area * share.share,
                          .depth_a = share.depth,
                          .resistance = heat.air ? 1.0 / heat.air->exchange : resistance,
                          .temperature = heat.air ? heat.air->temperature : *heat.temperature});
    }
}

template <int Dim>
void HeatExchange<Dim>::link_pieces(std::span<const HeatView<Dim>> bodies,
                                    const Surroundings<Dim>& surroundings)
{
    links_.clear();
    for (Piece& piece : pieces_) {
        if (piece.touched == none) continue;
        Piece& other = pieces_[piece.touched];
        const double area = piece.area().norm();
        const double resistance = resistance_of(piece.part->material) + resistance_of(other.part->material);
        piece.covered = area;
        other.covered += area;
        for (const auto& share : piece.surface->shares_of(piece.number))
            for (const auto& theirs : other.surface->shares_of(other.number))
                links_.push_back({.a = piece.first_node + share.node,
                                  .b = other.first_node + theirs.node,
                                  .area = area * share.share * theirs.share,
                                  .depth_a = share.depth,
                                  .depth_b = theirs.depth,
                                  .resistance = resistance});
    }
    for (Piece& piece : pieces_) {
        const double area = piece.area().norm();
        double left = std::max(0.0, area - piece.covered);
        if (piece.wall != no_wall) {
            const SurfaceHeat& heat = piece.wall < 0
                                          ? surroundings.domain.heat
                                          : surroundings.obstacles[static_cast<std::size_t>(piece.wall)].heat;
            pass(piece, heat, left, resistance_of(piece.part->material));
            left = 0.0;
        }
        // What regions say of their surface comes before what is said of the body.
        const auto shares = piece.surface->shares_of(piece.number);
        if (shares.empty()) continue;
        const Index main = std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) {
                               return a.share < b.share;
                           })->node;
        std::optional<Air> air = piece.part->air;
        for (const HeatRegion& region : bodies[piece.body].regions) {
            if (!std::binary_search(region.nodes.begin(), region.nodes.end(), main)) continue;
            if (region.heat.flux) pass(piece, {.flux = region.heat.flux}, area, 0.0);
            if (region.heat.air) air = region.heat.air;
        }
        if (air && left > 0.0) pass(piece, {.air = air}, left, 0.0);
    }
}

/// Hands share their power among what is near them.
template <int Dim>
void HeatExchange<Dim>::warm(std::span<const HeatView<Dim>> bodies, const Surroundings<Dim>& surroundings,
                             std::span<const Hand<Dim>> hands)
{
    for (const Hand<Dim>& hand : hands) {
        if (hand.kind != HandKind::Warm) continue;
        const Vec<Dim> at = hand.place(surroundings.time);
        double sum = 0.0;
        // Bodies as a whole are where their surface is.
        const auto for_each_near = [&](const auto& visit) {
            const auto look = [&](const Vec<Dim>& x, Index node) {
                const double share = 1.0 - (x - at).squaredNorm() / (hand.radius * hand.radius);
                if (share > 0.0) visit(node, share);
            };
            for (std::size_t b = 0; b < bodies.size(); ++b) {
                const HeatView<Dim>& body = bodies[b];
                if (body.neighbors != nullptr) {
                    for (std::size_t i = 0; i < body.position.size(); ++i)
                        look(body.position[i], first_node_[b] + static_cast<Index>(i));
                    continue;
                }
                for (std::size_t n = 0; body.surface != nullptr && n < body.surface->size(); ++n)
                    look(body.surface->position[n], first_node_[b] + body.surface->part[n]);
            }
        };
        for_each_near([&](Index, double share) { sum += share; });
        if (!(sum > 0.0)) continue;
        for_each_near([&](Index node, double share) { given_[node] += hand.power * share / sum; });
    }
}

template <int Dim>
double HeatExchange<Dim>::count_steps(std::span<const HeatView<Dim>> bodies, double dt)
{
    // As if everything were in the phase that conducts better and stores less.
    rate_.assign(temperature_.size(), 0.0);
    for (std::size_t b = 0; b < bodies.size(); ++b)
        parallel_for(bodies[b].enthalpy.size(), [&](Index i) {
            const ThermalMaterial& material = bodies[b].parts[bodies[b].part[i]].material;
            conductivity_[first_node_[b] + i] =
                std::max(material.conductivity, material.conductivity_of_melt());
        });
    const auto within = [&](std::size_t b, std::vector<double>& all) {
        return std::span(all).subspan(first_node_[b], bodies[b].enthalpy.size());
    };
    for (std::size_t b = 0; b < bodies.size(); ++b)
        if (bodies[b].neighbors != nullptr)
            add_conductances(*bodies[b].neighbors, bodies[b].factors, within(b, conductivity_),
                             within(b, rate_));
    add_conductances(links_, conductivity_, rate_);
    double fastest = 0.0;
    for (std::size_t b = 0; b < bodies.size(); ++b)
        for (std::size_t i = 0; i < bodies[b].enthalpy.size(); ++i) {
            const ThermalMaterial& material = bodies[b].parts[bodies[b].part[i]].material;
            const double capacity =
                bodies[b].mass[i] * std::min(material.heat_capacity, material.heat_capacity_of_melt());
            fastest = std::max(fastest, rate_[first_node_[b] + i] / capacity);
        }
    return std::max(1.0, std::ceil(dt * fastest / longest_share));
}

template <int Dim>
void HeatExchange<Dim>::make_step(std::span<const HeatView<Dim>> bodies, double dt, Fault fault)
{
    const auto within = [&](std::size_t b, std::vector<double>& all) {
        return std::span(all).subspan(first_node_[b], bodies[b].enthalpy.size());
    };
    const double conducted = fault == Fault::HalvedConduction ? 0.5 : 1.0;
    std::copy(given_.begin(), given_.end(), power_.begin());
    for (std::size_t b = 0; b < bodies.size(); ++b)
        parallel_for(bodies[b].enthalpy.size(), [&](Index i) {
            const ThermalMaterial& material = bodies[b].parts[bodies[b].part[i]].material;
            const double h = bodies[b].enthalpy[i];
            temperature_[first_node_[b] + i] = temperature_of(material, h);
            conductivity_[first_node_[b] + i] =
                conducted * conductivity_of(material, liquid_fraction(material, h));
        });
    for (std::size_t b = 0; b < bodies.size(); ++b)
        if (bodies[b].neighbors != nullptr)
            add_conducted(*bodies[b].neighbors, bodies[b].factors, within(b, conductivity_),
                          within(b, temperature_), within(b, power_));
    add_exchanged(links_, conductivity_, temperature_, power_);
    if (fault == Fault::OneWayHeat)
        for (const HeatLink& link : links_)
            if (link.b != HeatLink::outside)
                power_[link.b] +=
                    link.conductance(conductivity_) * (temperature_[link.b] - temperature_[link.a]);
    for (std::size_t b = 0; b < bodies.size(); ++b)
        parallel_for(bodies[b].enthalpy.size(), [&](Index i) {
            const Index node = first_node_[b] + i;
            if (is_held_[node] == 0) bodies[b].enthalpy[i] += dt * power_[node] / bodies[b].mass[i];
        });
}

template <int Dim>
double HeatExchange<Dim>::advance(std::span<HeatView<Dim>> bodies, const Surroundings<Dim>& surroundings,
                                  std::span<const Hand<Dim>> hands, double dt, Fault fault)
{
    if (fault == Fault::NoLatentHeat)
        for (HeatView<Dim>& body : bodies)
            for (HeatPart& part : body.parts) part.material.latent_heat = 0.0;
    list_nodes(bodies);
    list_pieces(bodies);
    find_contacts(surroundings);
    find_walls(surroundings);
    link_pieces(bodies, surroundings);
    warm(bodies, surroundings, hands);
    for (std::size_t b = 0; b < bodies.size(); ++b)
        for (const HeatRegion& region : bodies[b].regions) {
            if (!region.heat.temperature) continue;
            for (const Index i : region.nodes) {
                is_held_[first_node_[b] + i] = 1;
                bodies[b].enthalpy[i] =
                    enthalpy_of(bodies[b].parts[bodies[b].part[i]].material, *region.heat.temperature);
            }
        }
    const double steps = count_steps(bodies, dt);
    if (!(steps <= most_steps)) return steps;
    for (double n = 0.0; n < steps; ++n) make_step(bodies, dt / steps, fault);
    return steps;
}

template class HeatExchange<2>;
template class HeatExchange<3>;

} // namespace phyxel
