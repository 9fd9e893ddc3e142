// SPDX-License-Identifier: MIT
#include <phyxel/fracture/blade.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <string>

namespace phyxel {
namespace {

constexpr std::size_t most_rim_points = 10000;

/// Into which the way of a blade is divided at the most.
constexpr double most_steps = 100.0;

/// In spacings: between points of the rim; how far one goes until the sheet follows, and others that have
/// come at least so far with it; and what is nearer to a sheet than this is cut already.
constexpr double between = 0.5, stride = 0.25, least_stride = 0.15, cut_distance = 0.15;

/// Share of the way of a point in the plane of the blade that must lead outwards; beside those that cut are
/// others that go along the cut.
constexpr double least_outwards = 0.3;

/// Faces smaller than this share of the square of a spacing are left out.
constexpr double least_area = 1e-4;

std::size_t pieces_of(double length, double spacing)
{
    const double count = std::ceil(length / (between * spacing));
    if (!(count <= static_cast<double>(most_rim_points)))
        throw InputError("a blade is more than " + std::to_string(most_rim_points) + " half spacings long");
    return std::max<std::size_t>(1, static_cast<std::size_t>(count));
}

template <int Dim>
bool advance_once(const Blade<Dim>& blade, std::span<const std::optional<RimPlace<Dim>>> places,
                  const DistanceFromSurface<Dim>& distance, BladeTrack<Dim>& track, CrackSheets<Dim>& cracks)
{
    constexpr Index none = BladeTrack<Dim>::none;
    const std::size_t count = blade.rim().size();
    const double spacing = cracks.spacing();

    // Whether the sheet of another part of the way is there already.
    const auto is_cut = [&](std::size_t k) {
        const auto is_own = [&](Index node) {
            return std::any_of(blade.links().begin(), blade.links().end(), [&](const auto& link) {
                return std::find(link.begin(), link.end(), k) != link.end() &&
                       std::any_of(link.begin(), link.end(),
                                   [&](Index other) { return track.node[other] == node; });
            });
        };
        const std::vector<Index> near = cracks.faces_near(places[k]->place, cut_distance * spacing);
        return std::any_of(near.begin(), near.end(), [&](Index face) {
            const auto& nodes = cracks.data().faces[face];
            return cracks.data().crack_of_face[face] == track.crack &&
                   std::none_of(nodes.begin(), nodes.end(), is_own);
        });
    };
    std::vector<std::uint8_t> leads(count, 0), advances(count, 0);
    bool has_come = false;
    for (std::size_t k = 0; k < count; ++k) {
        if (!places[k] || track.is_there[k] == 0) {
            track.is_there[k] = places[k].has_value();
            track.node[k] = none;
            if (places[k]) track.place[k] = places[k]->place;
            continue;
        }
        const Vec<Dim> way = places[k]->place - track.place[k];
        const Vec<Dim> in_plane = way - places[k]->normal.dot(way) * places[k]->normal;
        const double outwards = way.dot(places[k]->outwards);
        leads[k] = outwards > 0.0 && outwards >= least_outwards * in_plane.norm();
        if (leads[k] == 0 || way.norm() < least_stride * spacing) continue;
        if (is_cut(k)) {
            track.place[k] = places[k]->place;
            track.node[k] = none;
            continue;
        }
        advances[k] = 1;
        has_come = has_come || way.norm() >= stride * spacing;
    }
    if (!has_come) return false;

    const std::uint32_t crack = track.crack == none ? cracks.crack_count() : track.crack;
    std::vector<Index> next(count, none);
    const auto make_nodes = [&](std::size_t k) {
        if (next[k] != none) return;
        if (track.node[k] == none) track.node[k] = cracks.add_node(track.place[k], distance(track.place[k]));
        next[k] = track.node[k];
        if (advances[k] != 0) next[k] = cracks.add_node(places[k]->place, distance(places[k]->place));
    };
    bool has_cut = false;
    const auto add_face = [&](const typename CrackData<Dim>::Face& face) {
        std::array<Vec<Dim>, Dim> corners;
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < Dim; ++k) {
            corners[k] = cracks.data().nodes[face[k]];
            nearest = std::min(nearest, cracks.data().distance[face[k]]);
        }
        if (nearest > spacing || measure_of<Dim>(corners) < least_area * std::pow(spacing, Dim - 1)) return;
        cracks.add_face(face, crack);
        has_cut = true;
    };
    for (const auto& link : blade.links()) {
        bool is_wanted = false;
        bool are_together = true;
        for (const Index k : link) {
            is_wanted = is_wanted || advances[k] != 0;
            are_together = are_together && places[k] && (leads[k] != 0 || track.node[k] != none);
        }
        if (!is_wanted || !are_together) continue;
        for (const Index k : link) make_nodes(k);
        if constexpr (Dim == 2) {
            add_face({track.node[link[0]], next[link[0]]});
        } else {
            const Index a = link[0], b = link[1];
            add_face({track.node[a], track.node[b], next[b]});
            add_face({track.node[a], next[b], next[a]});
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        if (next[k] == none) {
            // Nothing beside it goes along.
            if (advances[k] != 0) track.place[k] = places[k]->place;
            continue;
        }
        track.node[k] = next[k];
        track.place[k] = cracks.data().nodes[next[k]];
    }
    if (has_cut) track.crack = crack;
    return has_cut;
}

} // namespace

template <int Dim>
Blade<Dim>::Blade(std::span<const Vec<Dim>> polygon, double spacing)
{
    const std::vector<std::array<Vec<Dim>, Dim>> faces = faces_of<Dim>(polygon);
    if constexpr (Dim == 2) {
        for (const bool is_last : {false, true}) {
            const std::array<Vec<2>, 2>& piece = is_last ? faces.back() : faces.front();
            const Vec<2> along = (piece[1] - piece[0]).normalized();
            rim_.push_back(is_last ? piece[1] : piece[0]);
            outwards_.push_back(is_last ? along : Vec<2>(-along));
            normals_.emplace_back(-along[1], along[0]);
            links_.push_back({static_cast<Index>(is_last)});
        }
    } else {
        Vec<3> normal = Vec<3>::Zero();
        for (const auto& face : faces) normal += Vec<3>(face[1] - face[0]).cross(face[2] - face[0]);
        normal.normalize();
        std::vector<Vec<3>> points;
        for (const Vec<3>& x : polygon)
            if (points.empty() || x != points.back()) points.push_back(x);
        if (points.front() == points.back()) points.pop_back();
        std::vector<Vec<3>> across; // of the pieces of the rim, outwards
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Vec<3>&a = points[k], &b = points[(k + 1) % points.size()];
            const std::size_t count = pieces_of((b - a).norm(), spacing);
            for (std::size_t n = 0; n < count; ++n) {
                rim_.push_back(a + static_cast<double>(n) / static_cast<double>(count) * (b - a));
                across.push_back((b - a).cross(normal).normalized());
            }
        }
        if (rim_.size() > most_rim_points) pieces_of(std::numeric_limits<double>::infinity(), spacing);
        for (std::size_t k = 0; k < rim_.size(); ++k) {
            const Vec<3> sum = across[k] + across[(k + rim_.size() - 1) % rim_.size()];
            outwards_.push_back(sum.norm() > 1e-6 ? Vec<3>(sum.normalized()) : across[k]);
            normals_.push_back(normal);
            links_.push_back({static_cast<Index>(k), static_cast<Index>((k + 1) % rim_.size())});
        }
    }
}

template <int Dim>
bool advance_blade(const Blade<Dim>& blade, std::span<const std::optional<RimPlace<Dim>>> places,
                   const DistanceFromSurface<Dim>& distance, BladeTrack<Dim>& track, CrackSheets<Dim>& cracks)
{
    const std::size_t count = blade.rim().size();
    PHYXEL_ASSERT(places.size() == count);
    track.place.resize(count, Vec<Dim>::Zero());
    track.is_there.resize(count, 0);
    track.node.resize(count, BladeTrack<Dim>::none);
    double farthest = 0.0;
    for (std::size_t k = 0; k < count; ++k)
        if (places[k] && track.is_there[k] != 0)
            farthest = std::max(farthest, (places[k]->place - track.place[k]).norm());
    const double steps = std::clamp(std::ceil(farthest / (between * cracks.spacing())), 1.0, most_steps);
    const std::vector<Vec<Dim>> start = track.place;
    const std::vector<std::uint8_t> was_there = track.is_there;
    std::vector<std::optional<RimPlace<Dim>>> on_the_way(places.begin(), places.end());
    bool has_cut = false;
    for (double step = 1.0; step <= steps; step += 1.0) {
        for (std::size_t k = 0; k < count; ++k)
            if (places[k] && was_there[k] != 0)
                on_the_way[k]->place =
                    step == steps ? places[k]->place
                                  : Vec<Dim>(start[k] + step / steps * (places[k]->place - start[k]));
        has_cut = advance_once<Dim>(blade, on_the_way, distance, track, cracks) || has_cut;
    }
    return has_cut;
}

template class Blade<2>;
template class Blade<3>;
template bool advance_blade(const Blade<2>&, std::span<const std::optional<RimPlace<2>>>,
                            const DistanceFromSurface<2>&, BladeTrack<2>&, CrackSheets<2>&);
template bool advance_blade(const Blade<3>&, std::span<const std::optional<RimPlace<3>>>,
                            const DistanceFromSurface<3>&, BladeTrack<3>&, CrackSheets<3>&);

} // namespace phyxel
