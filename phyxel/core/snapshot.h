// SPDX-License-Identifier: MIT
// A body at one moment, as named arrays: what the recorder writes, the renderer draws and the studio sends.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// Numbers of one kind at every point: `components` of them for each, one point after the other.
struct Field {
    using Values = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>,
                                std::vector<std::uint64_t>>;

    std::string name;
    /// 1 is a scalar, 3 a vector, 6 a symmetric tensor (xx, yy, zz, xy, yz, xz), 9 a tensor row by row.
    int components = 1;
    Values values;

    /// Number of points that have a value.
    std::size_t size() const
    {
        return std::visit([](const auto& v) { return v.size(); }, values) /
               static_cast<std::size_t>(components);
    }
};

/// A triangle mesh with vertices of its own, such as the surface of a fluid.
struct SurfaceMesh {
    std::vector<Vec<3>> vertices;                ///< [m]
    std::vector<Field> fields;                   ///< one value per vertex
    std::vector<std::array<Index, 3>> triangles; ///< of `vertices`, counterclockwise seen from outside
};

/// Quantities in SI units. In 2D z is 0. `id` (one uint64 each, never used twice) and `velocity` are fields
/// like any other.
struct Snapshot {
    std::string body;
    double time = 0.0;          ///< [s]
    std::vector<Vec<3>> points; ///< [m]
    std::vector<Field> fields;  ///< one value per point

    /// Triangles between the points themselves. A mesh without a triangle is still a mesh.
    std::optional<std::vector<std::array<Index, 3>>> triangles;
    std::optional<SurfaceMesh> surface;

    /// The first field of this name, or nullptr.
    const Field* find(std::string_view name) const
    {
        const auto found = std::find_if(fields.begin(), fields.end(),
                                        [&](const Field& field) { return field.name == name; });
        return found == fields.end() ? nullptr : &*found;
    }
};

/// Every field has a value for every point, and every triangle three points that exist.
inline bool is_consistent(const Snapshot& snapshot)
{
    auto fits = [](const std::vector<Field>& fields, std::size_t count) {
        return std::all_of(fields.begin(), fields.end(), [&](const Field& field) {
            const std::size_t values = std::visit([](const auto& v) { return v.size(); }, field.values);
            const bool is_known = field.components == 1 || field.components == 3 || field.components == 6 ||
                                  field.components == 9;
            return is_known && values == count * static_cast<std::size_t>(field.components);
        });
    };
    auto connects = [](const std::vector<std::array<Index, 3>>& triangles, std::size_t count) {
        return std::all_of(triangles.begin(), triangles.end(), [&](const std::array<Index, 3>& corners) {
            return corners[0] < count && corners[1] < count && corners[2] < count;
        });
    };
    const auto& surface = snapshot.surface;
    return fits(snapshot.fields, snapshot.points.size()) &&
           (!snapshot.triangles || connects(*snapshot.triangles, snapshot.points.size())) &&
           (!surface || (fits(surface->fields, surface->vertices.size()) &&
                         connects(surface->triangles, surface->vertices.size())));
}

/// The surface as a snapshot of its own, which is how it is written to a file: NAME_surface.
inline Snapshot surface_snapshot(const Snapshot& snapshot)
{
    Snapshot result;
    result.body = snapshot.body + "_surface";
    result.time = snapshot.time;
    result.triangles.emplace();
    if (snapshot.surface) {
        result.points = snapshot.surface->vertices;
        result.fields = snapshot.surface->fields;
        result.triangles = snapshot.surface->triangles;
    }
    return result;
}

template <class T>
Field scalar_field(std::string name, std::span<const T> values)
{
    return {std::move(name), 1, std::vector<T>(values.begin(), values.end())};
}

/// Vectors of any dimension; the missing components are 0.
template <int Dim, std::floating_point Real>
Field vector_field(std::string name, std::span<const Vec<Dim, Real>> vectors)
{
    std::vector<Real> values;
    values.reserve(3 * vectors.size());
    for (const Vec<Dim, Real>& v : vectors)
        for (int k = 0; k < 3; ++k) values.push_back(k < Dim ? v[k] : Real(0));
    return {std::move(name), 3, std::move(values)};
}

/// The values of a field with three components.
inline std::vector<Vec<3>> vectors_of(const Field& field)
{
    std::vector<Vec<3>> vectors(field.components == 3 ? field.size() : 0);
    std::visit(
        [&](const auto& values) {
            for (std::size_t i = 0; i < vectors.size(); ++i)
                for (std::size_t k = 0; k < 3; ++k)
                    vectors[i][static_cast<int>(k)] = static_cast<double>(values[3 * i + k]);
        },
        field.values);
    return vectors;
}

/// What points are coloured by: the number, the length of the vector, the norm of the tensor.
inline std::vector<double> magnitudes(const Field& field)
{
    const auto components = static_cast<std::size_t>(field.components);
    std::vector<double> result(field.size());
    std::visit(
        [&](const auto& values) {
            for (std::size_t i = 0; i < result.size(); ++i) {
                if (components == 1) {
                    result[i] = static_cast<double>(values[i]);
                    continue;
                }
                // Over the largest part, whose square might be too large or too small for a number.
                double largest = 0.0;
                for (std::size_t k = 0; k < components; ++k)
                    largest = std::max(largest, std::abs(static_cast<double>(values[components * i + k])));
                double sum = 0.0;
                for (std::size_t k = 0; k < components && largest > 0.0; ++k) {
                    const double part = static_cast<double>(values[components * i + k]) / largest;
                    // The shear of a symmetric tensor stands for two entries.
                    sum += part * part * (components == 6 && k >= 3 ? 2.0 : 1.0);
                }
                result[i] = largest * std::sqrt(sum);
            }
        },
        field.values);
    return result;
}

/// Positions of any dimension as points in space.
template <int Dim>
std::vector<Vec<3>> points_in_space(std::span<const Vec<Dim>> positions)
{
    std::vector<Vec<3>> points(positions.size(), Vec<3>::Zero());
    for (std::size_t i = 0; i < positions.size(); ++i) points[i].template head<Dim>() = positions[i];
    return points;
}

} // namespace phyxel
