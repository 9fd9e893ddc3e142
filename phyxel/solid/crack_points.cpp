// SPDX-License-Identifier: MIT
#include <phyxel/solid/crack_points.h>

#include <Eigen/Geometry>

#include <array>
#include <cstddef>
#include <utility>

namespace phyxel {
namespace {

Vec<2> area_of(const std::array<Vec<2>, 2>& line)
{
    const Vec<2> along = line[1] - line[0];
    return Vec<2>(along[1], -along[0]);
}

Vec<3> area_of(const std::array<Vec<3>, 3>& triangle)
{
    return 0.5 * Vec<3>(triangle[1] - triangle[0]).cross(Vec<3>(triangle[2] - triangle[0]));
}

/// Halves its longest edge until none is too long.
template <int Dim>
void add_pieces(const std::array<Vec<Dim>, Dim>& whole, double width, std::vector<CrackPoint<Dim>>& points)
{
    std::vector<std::array<Vec<Dim>, Dim>> waiting = {whole};
    while (!waiting.empty()) {
        const std::array<Vec<Dim>, Dim> piece = waiting.back();
        waiting.pop_back();
        std::size_t longest = 0;
        const auto length = [&](std::size_t k) { return (piece[(k + 1) % Dim] - piece[k]).squaredNorm(); };
        for (std::size_t k = 1; k < Dim; ++k)
            if (length(k) > length(longest)) longest = k;
        if (length(longest) > width * width) {
            const std::size_t next = (longest + 1) % Dim;
            std::array<Vec<Dim>, Dim> first = piece, second = piece;
            first[next] = second[longest] = 0.5 * (piece[longest] + piece[next]);
            waiting.push_back(second);
            waiting.push_back(first);
            continue;
        }
        Vec<Dim> middle = Vec<Dim>::Zero();
        for (const Vec<Dim>& corner : piece) middle += corner / static_cast<double>(Dim);
        const Vec<Dim> area = area_of(piece);
        if (area.squaredNorm() > 0.0) points.push_back({middle, area});
    }
}

} // namespace

template <int Dim>
std::vector<CrackPoint<Dim>> crack_points(const CrackSheets<Dim>& cracks, double width)
{
    const CrackData<Dim>& data = cracks.data();
    std::vector<CrackPoint<Dim>> points;
    for (const auto& face : data.faces) {
        // What is left of the face within the body: a line, a triangle, or what two of these make.
        std::vector<Vec<Dim>> polygon;
        constexpr std::size_t sides = Dim == 2 ? 1 : Dim;
        const auto is_in = [&](Index node) { return data.distance[node] <= 0.0; };
        for (std::size_t k = 0; k < sides; ++k) {
            const Index a = face[k], b = face[(k + 1) % Dim];
            if (is_in(a)) polygon.push_back(data.nodes[a]);
            if (is_in(a) != is_in(b)) {
                const double share = data.distance[a] / (data.distance[a] - data.distance[b]);
                polygon.push_back((1.0 - share) * data.nodes[a] + share * data.nodes[b]);
            }
            if (Dim == 2 && is_in(b)) polygon.push_back(data.nodes[b]);
        }
        for (std::size_t k = Dim - 1; k < polygon.size(); ++k) {
            std::array<Vec<Dim>, Dim> piece;
            piece[0] = polygon[0];
            for (std::size_t m = 1; m < Dim; ++m) piece[m] = polygon[k + m + 1 - Dim];
            add_pieces<Dim>(piece, width, points);
        }
    }
    return points;
}

template std::vector<CrackPoint<2>> crack_points(const CrackSheets<2>&, double);
template std::vector<CrackPoint<3>> crack_points(const CrackSheets<3>&, double);

} // namespace phyxel
