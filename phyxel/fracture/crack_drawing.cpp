// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_drawing.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace phyxel {
namespace {

constexpr std::size_t most_points = 1000;

/// In spacings: edges of faces are no longer, what is farther outside is left out, and a rim that is nearer
/// to another sheet ends in it.
constexpr double longest_edge = 0.5, margin = 1.0, end_distance = 0.1;

/// Of the corner b of a polygon that is seen from the side of its normal.
double turn(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& normal)
{
    return normal.dot(Vec<3>(b - a).cross(c - b));
}

bool is_in(const Vec<3>& x, const std::array<Vec<3>, 3>& triangle, const Vec<3>& normal)
{
    for (std::size_t k = 0; k < 3; ++k)
        if (turn(triangle[k], triangle[(k + 1) % 3], x, normal) < 0.0) return false;
    return true;
}

/// Cuts off ears, each time the one with the shortest cut.
std::vector<std::array<Vec<3>, 3>> triangles_of(std::vector<Vec<3>> points)
{
    Vec<3> normal = Vec<3>::Zero();
    for (std::size_t k = 0; k < points.size(); ++k)
        normal += (points[k] - points[0]).cross(points[(k + 1) % points.size()] - points[0]);
    const double size = normal.norm();
    if (!(size > 0.0) || !std::isfinite(size)) throw InputError("the polygon of a crack has no area");
    normal /= size;
    std::vector<std::array<Vec<3>, 3>> triangles;
    while (points.size() >= 3) {
        const std::size_t count = points.size();
        std::size_t best = 0;
        double shortest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < count; ++k) {
            const std::array<Vec<3>, 3> ear = {points[(k + count - 1) % count], points[k],
                                               points[(k + 1) % count]};
            const double length = (ear[2] - ear[0]).norm();
            if (length >= shortest || !(turn(ear[0], ear[1], ear[2], normal) > 0.0)) continue;
            bool is_empty = true;
            for (std::size_t other = 0; other < count && is_empty; ++other)
                is_empty = points[other] == ear[0] || points[other] == ear[1] || points[other] == ear[2] ||
                           !is_in(points[other], ear, normal);
            if (!is_empty) continue;
            shortest = length;
            best = k;
        }
        const std::array<Vec<3>, 3> ear = {points[(best + count - 1) % count], points[best],
                                           points[(best + 1) % count]};
        if (measure_of<3>(ear) > 0.0) triangles.push_back(ear);
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return triangles;
}

/// The longest edge of a face, by its first corner.
template <int Dim>
std::size_t longest_side(const std::array<Vec<Dim>, Dim>& face)
{
    if constexpr (Dim == 2) {
        return 0;
    } else {
        // Of two that are equally long always the same one, for both faces beside it.
        const auto key = [&](std::size_t k) {
            const Vec<3>&a = face[k], &b = face[(k + 1) % 3];
            const Vec<3> middle = 0.5 * (a + b);
            return std::tuple((b - a).squaredNorm(), middle[0], middle[1], middle[2]);
        };
        std::size_t longest = 0;
        for (std::size_t k = 1; k < 3; ++k)
            if (key(k) > key(longest)) longest = k;
        return longest;
    }
}

template <int Dim>
std::array<Vec<Dim>, Dim - 1> corners_of(const CrackData<Dim>& data,
                                         const typename CrackData<Dim>::Front& front)
{
    std::array<Vec<Dim>, Dim - 1> places;
    for (std::size_t k = 0; k + 1 < Dim; ++k) places[k] = data.nodes[front[k]];
    return places;
}

template <int Dim>
class CrackDrawer {
public:
    CrackDrawer(CrackSheets<Dim>& cracks, const DistanceFromSurface<Dim>& distance)
        : cracks_(cracks),
          distance_(distance),
          crack_(cracks.crack_count())
    {
    }

    /// Halves what is too long. Edges are cut in their middles, whichever face they are looked at from.
    void add(const std::array<Vec<Dim>, Dim>& whole)
    {
        std::vector<std::array<Vec<Dim>, Dim>> waiting = {whole};
        while (!waiting.empty()) {
            const std::array<Vec<Dim>, Dim> face = waiting.back();
            waiting.pop_back();
            Vec<Dim> middle = Vec<Dim>::Zero();
            for (const Vec<Dim>& x : face) middle += x / Dim;
            double radius = 0.0;
            for (const Vec<Dim>& x : face) radius = std::max(radius, (x - middle).norm());
            if (distance_(middle) > radius + margin * cracks_.spacing()) continue;
            const std::size_t side = longest_side<Dim>(face);
            const Vec<Dim>&a = face[side], &b = face[(side + 1) % Dim];
            if ((b - a).norm() <= longest_edge * cracks_.spacing()) {
                keep(face);
                continue;
            }
            const Vec<Dim> cut = 0.5 * a + 0.5 * b;
            if (cut == a || cut == b) continue; // so far from the origin that there is no place in between
            std::array<Vec<Dim>, Dim> first = face, second = face;
            first[(side + 1) % Dim] = cut;
            second[side] = cut;
            waiting.push_back(second);
            waiting.push_back(first);
        }
    }

    bool has_drawn() const { return !nodes_.empty(); }

private:
    struct IsBefore {
        bool operator()(const Vec<Dim>& x, const Vec<Dim>& y) const
        {
            return std::lexicographical_compare(x.data(), x.data() + Dim, y.data(), y.data() + Dim);
        }
    };

    void keep(const std::array<Vec<Dim>, Dim>& face)
    {
        if (!(measure_of<Dim>(face) > 0.0)) return;
        typename CrackData<Dim>::Face numbers;
        for (std::size_t k = 0; k < Dim; ++k) {
            const auto [place, is_new] = nodes_.try_emplace(face[k], Index(0));
            if (is_new) place->second = cracks_.add_node(face[k], distance_(face[k]));
            numbers[k] = place->second;
        }
        cracks_.add_face(numbers, crack_);
    }

    CrackSheets<Dim>& cracks_;
    const DistanceFromSurface<Dim>& distance_;
    std::uint32_t crack_;
    std::map<Vec<Dim>, Index, IsBefore> nodes_;
};

} // namespace

template <int Dim>
std::vector<std::array<Vec<Dim>, Dim>> faces_of(std::span<const Vec<Dim>> polygon)
{
    if (polygon.size() < Dim)
        throw InputError("a crack has " + std::to_string(polygon.size()) + " points, needs at least " +
                         std::to_string(Dim));
    if (polygon.size() > most_points)
        throw InputError("a crack has " + std::to_string(polygon.size()) + " points, may have " +
                         std::to_string(most_points));
    for (const Vec<Dim>& x : polygon)
        if (!x.allFinite()) throw InputError("a crack is not finite");
    if constexpr (Dim == 2) {
        std::vector<std::array<Vec<2>, 2>> pieces;
        for (std::size_t k = 1; k < polygon.size(); ++k)
            if (polygon[k] != polygon[k - 1]) pieces.push_back({polygon[k - 1], polygon[k]});
        if (pieces.empty()) throw InputError("a crack has no length");
        return pieces;
    } else {
        std::vector<Vec<3>> points;
        for (const Vec<3>& x : polygon)
            if (points.empty() || x != points.back()) points.push_back(x);
        if (points.size() > 1 && points.front() == points.back()) points.pop_back();
        return triangles_of(std::move(points));
    }
}

template <int Dim>
bool draw_crack(CrackSheets<Dim>& cracks, std::span<const Vec<Dim>> polygon,
                const DistanceFromSurface<Dim>& distance)
{
    CrackDrawer<Dim> drawer(cracks, distance);
    for (const std::array<Vec<Dim>, Dim>& face : faces_of<Dim>(polygon)) drawer.add(face);
    return drawer.has_drawn();
}

/// Whether a rim is a front.
template <int Dim>
bool is_front(const CrackSheets<Dim>& cracks, const CrackSide<Dim>& side, Index owner)
{
    const CrackData<Dim>& data = cracks.data();
    Vec<Dim> middle = Vec<Dim>::Zero();
    double distance = 0.0;
    for (const Index node : side.nodes) {
        middle += data.nodes[node] / (Dim - 1);
        distance += data.distance[node] / (Dim - 1);
    }
    if (!(distance < 0.0)) return false;
    // A front that has just begun another row is still near the row before.
    const double reach = end_distance * cracks.spacing();
    const auto& own = data.faces[owner];
    const bool is_narrow = std::all_of(own.begin(), own.end(), [&](Index node) {
        return distance_to<Dim>(corners_of<Dim>(data, side.nodes), data.nodes[node]) < reach;
    });
    const auto touches = [&](Index face) {
        return data.crack_of_face[face] == side.crack &&
               std::any_of(data.faces[face].begin(), data.faces[face].end(), [&](Index node) {
                   return std::find(side.nodes.begin(), side.nodes.end(), node) != side.nodes.end() ||
                          (is_narrow && std::find(own.begin(), own.end(), node) != own.end());
               });
    };
    const std::vector<Index> near = cracks.faces_near(middle, reach);
    return std::all_of(near.begin(), near.end(), touches);
}

template <int Dim>
void find_fronts(CrackSheets<Dim>& cracks)
{
    std::vector<Index> unsettled;
    if (!cracks.take_unsettled(end_distance * cracks.spacing(), unsettled)) return;
    const CrackData<Dim>& data = cracks.data();
    std::vector<CrackSide<Dim>> sides;
    // Those whose face is not among these are fronts still.
    for (std::size_t front = 0; front < data.fronts.size(); ++front) {
        const CrackSide<Dim> side{data.crack_of_front[front], data.fronts[front]};
        const std::optional<Index> face = cracks.rim_face(side);
        if (face && !std::binary_search(unsettled.begin(), unsettled.end(), *face)) sides.push_back(side);
    }
    const auto kept = static_cast<std::ptrdiff_t>(sides.size());
    std::vector<std::optional<CrackSide<Dim>>> found(Dim * unsettled.size());
    parallel_for(
        found.size(),
        [&](Index k) {
            const Index face = unsettled[k / Dim];
            const CrackSide<Dim> side = side_of<Dim>(data.faces[face], data.crack_of_face[face], k % Dim);
            if (cracks.rim_face(side) == face && is_front(cracks, side, face)) found[k] = side;
        },
        64);
    for (const std::optional<CrackSide<Dim>>& side : found)
        if (side) sides.push_back(*side);
    std::sort(sides.begin() + kept, sides.end());
    std::inplace_merge(sides.begin(), sides.begin() + kept, sides.end());
    std::vector<typename CrackData<Dim>::Front> fronts;
    std::vector<std::uint32_t> owners;
    for (const CrackSide<Dim>& side : sides) {
        fronts.push_back(side.nodes);
        owners.push_back(side.crack);
    }
    cracks.set_fronts(std::move(fronts), std::move(owners));
}

template std::vector<std::array<Vec<2>, 2>> faces_of<2>(std::span<const Vec<2>>);
template std::vector<std::array<Vec<3>, 3>> faces_of<3>(std::span<const Vec<3>>);
template bool draw_crack<2>(CrackSheets<2>&, std::span<const Vec<2>>, const DistanceFromSurface<2>&);
template bool draw_crack<3>(CrackSheets<3>&, std::span<const Vec<3>>, const DistanceFromSurface<3>&);
template void find_fronts(CrackSheets<2>&);
template void find_fronts(CrackSheets<3>&);

} // namespace phyxel
