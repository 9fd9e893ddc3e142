// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/crack_skin.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

using Triangle3 = std::array<Index, 3>;
using Edge = std::pair<Index, Index>; // the lower number first

/// In spacings: how far the sides of a crack are apart at rest, and how long edges of a skin may be.
constexpr double gap = 1e-3, longest_edge = 1.0;

class CrackedSkin {
public:
    CrackedSkin(const SolidSkin& skin, const CrackSheets<3>& cracks)
        : cracks_(cracks),
          gap_(gap * cracks.spacing())
    {
        made_.vertices = skin.vertices;
        made_.method = skin.method;
        for (const Triangle3& triangle : skin.triangles) refine(triangle);
        const std::vector<Triangle3> whole = std::exchange(made_.triangles, {});
        for (const Triangle3& triangle : whole) cut(triangle);
        made_.crack_sides.assign(made_.vertices.size(), 0);
        add_faces();
    }

    SolidSkin take() { return std::move(made_); }

private:
    Index add_vertex(const Vec<3>& x)
    {
        made_.vertices.push_back(x);
        return static_cast<Index>(made_.vertices.size() - 1);
    }

    /// The longest edges first, each in its middle, whichever triangle it is looked at from.
    void refine(const Triangle3& whole)
    {
        std::vector<Triangle3> waiting = {whole};
        while (!waiting.empty()) {
            const Triangle3 triangle = waiting.back();
            waiting.pop_back();
            const auto key = [&](std::size_t k) {
                const Index a = triangle[k], b = triangle[(k + 1) % 3];
                return std::pair((made_.vertices[a] - made_.vertices[b]).squaredNorm(),
                                 Edge(std::minmax(a, b)));
            };
            std::size_t side = 0;
            for (std::size_t k = 1; k < 3; ++k)
                if (key(k) > key(side)) side = k;
            const double longest = longest_edge * cracks_.spacing();
            if (!(key(side).first > longest * longest)) {
                made_.triangles.push_back(triangle);
                continue;
            }
            const Index a = triangle[side], b = triangle[(side + 1) % 3];
            const auto [middle, is_new] = middles_.try_emplace(std::minmax(a, b), Index(0));
            if (is_new) middle->second = add_vertex(0.5 * (made_.vertices[a] + made_.vertices[b]));
            Triangle3 first = triangle, second = triangle;
            first[(side + 1) % 3] = middle->second;
            second[side] = middle->second;
            waiting.push_back(second);
            waiting.push_back(first);
        }
    }

    /// Where a crack crosses an edge there are two vertices, the first on the side of its lower end. Where
    /// several do, the first counts.
    const std::optional<std::array<Index, 2>>& crossed(const Edge& edge)
    {
        const auto [place, is_new] = crossed_.try_emplace(edge, std::nullopt);
        if (is_new) {
            const Vec<3> a = made_.vertices[edge.first], b = made_.vertices[edge.second];
            std::optional<Vec<3>> met;
            cracks_.for_each_crossing(a, b, [&](Index, const Vec<3>& x) {
                if (!met) met = x;
            });
            if (met) {
                const Vec<3> along = std::min(gap_, 0.1 * (b - a).norm()) * (b - a).normalized();
                place->second = std::array<Index, 2>{add_vertex(*met - along), add_vertex(*met + along)};
            }
        }
        return place->second;
    }

    void add(Index a, Index b, Index c) { made_.triangles.push_back({a, b, c}); }

    void cut(const Triangle3& triangle)
    {
        // At the edge from corner k to the next: the vertices on their sides.
        std::array<std::array<Index, 2>, 3> at;
        std::array<bool, 3> is_crossed;
        int count = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangle[k], b = triangle[(k + 1) % 3];
            const auto& found = crossed(std::minmax(a, b));
            is_crossed[k] = found.has_value();
            if (!found) continue;
            ++count;
            at[k] = a < b ? *found : std::array<Index, 2>{(*found)[1], (*found)[0]};
        }
        if (count == 0) return add(triangle[0], triangle[1], triangle[2]);
        if (count == 1) {
            // The crack ends in the triangle.
            const std::size_t k = is_crossed[0] ? 0 : is_crossed[1] ? 1 : 2;
            const Index a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
            add(a, at[k][0], c);
            return add(at[k][1], b, c);
        }
        if (count == 2) {
            const std::size_t whole = !is_crossed[0] ? 0 : !is_crossed[1] ? 1 : 2;
            const std::size_t second = (whole + 1) % 3, third = (whole + 2) % 3;
            // Between the whole edge, from a to b, and the corner c.
            const Index a = triangle[whole], b = triangle[second], c = triangle[third];
            add(at[second][1], c, at[third][0]);
            add(a, b, at[second][0]);
            return add(a, at[second][0], at[third][1]);
        }
        for (std::size_t k = 0; k < 3; ++k) add(triangle[k], at[k][0], at[(k + 2) % 3][1]);
        add(at[0][0], at[1][0], at[2][0]);
    }

    void add_faces()
    {
        const CrackData<3>& data = cracks_.data();
        std::vector<Vec<3>> normals(data.nodes.size(), Vec<3>::Zero());
        for (std::size_t face = 0; face < data.faces.size(); ++face) {
            const auto [a, b, c] = cracks_.corners(face);
            for (const Index node : data.faces[face]) normals[node] += Vec<3>(b - a).cross(c - a);
        }
        for (Vec<3>& normal : normals)
            if (normal.norm() > 0.0) normal.normalize();
        std::vector<std::uint8_t> is_front(data.nodes.size(), 0);
        for (const auto& front : data.fronts)
            for (const Index node : front) is_front[node] = 1;

        // A corner of what is left of a face: a node, or where an edge comes out of the solid.
        std::map<std::pair<Edge, int>, Index> numbers;
        const auto vertex = [&](const Edge& edge, int side) {
            const auto [a, b] = edge;
            if (a == b && is_front[a] != 0) side = 0;
            const auto [place, is_new] = numbers.try_emplace({edge, side}, Index(0));
            if (is_new) {
                double share = 0.0;
                if (a != b) share = data.distance[a] / (data.distance[a] - data.distance[b]);
                const Vec<3> x = (1.0 - share) * data.nodes[a] + share * data.nodes[b];
                const Vec<3> normal = (1.0 - share) * normals[a] + share * normals[b];
                place->second = add_vertex(x + side * gap_ * normal);
                made_.crack_sides.push_back(static_cast<std::int8_t>(side != 0 ? side : 2));
            }
            return place->second;
        };
        for (const auto& face : data.faces) {
            std::vector<Edge> polygon;
            for (std::size_t k = 0; k < 3; ++k) {
                const Index a = face[k], b = face[(k + 1) % 3];
                const bool is_in = data.distance[a] <= 0.0;
                if (is_in) polygon.emplace_back(a, a);
                if (is_in != (data.distance[b] <= 0.0)) polygon.push_back(std::minmax(a, b));
            }
            for (std::size_t k = 2; k < polygon.size(); ++k)
                for (const int side : {1, -1}) {
                    const Index a = vertex(polygon[0], side), b = vertex(polygon[k - 1], side),
                                c = vertex(polygon[k], side);
                    if (side > 0)
                        add(a, c, b);
                    else
                        add(a, b, c);
                }
        }
    }

    const CrackSheets<3>& cracks_;
    double gap_;
    SolidSkin made_;
    std::map<Edge, Index> middles_;
    std::map<Edge, std::optional<std::array<Index, 2>>> crossed_;
};

} // namespace

SolidSkin cut_along_cracks(const SolidSkin& skin, const CrackSheets<3>& cracks)
{
    return CrackedSkin(skin, cracks).take();
}

} // namespace phyxel
