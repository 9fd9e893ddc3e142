// SPDX-License-Identifier: MIT
// A function of the plane as filled contours, or as a surface above it, with points and lines on top.
#pragma once

#include <phyxel/core/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// Values at the corners of a grid of equal cells, row by row from the bottom.
struct FieldGrid {
    Vec<2> min = Vec<2>::Zero();
    Vec<2> max = Vec<2>::Ones();
    int columns = 0; ///< of values, at least 2
    int rows = 0;    ///< of values, at least 2
    std::vector<double> values = {};

    std::size_t index(int column, int row) const
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>(column);
    }
    double at(int column, int row) const { return values[index(column, row)]; }
    Vec<2> position(int column, int row) const
    {
        return min +
               (max - min).cwiseProduct(Vec<2>(double(column) / (columns - 1), double(row) / (rows - 1)));
    }
};

/// A line on top of the field.
struct ChartLine {
    enum class Kind {
        Crack, ///< thick
        Sight, ///< thin and dashed
        Length ///< thin, with ends: something that is measured
    };
    Vec<2> from = Vec<2>::Zero();
    Vec<2> to = Vec<2>::Zero();
    Kind kind = Kind::Sight;
};

struct ChartCircle {
    Vec<2> center = Vec<2>::Zero();
    double radius = 0.0;
};

struct ChartNote {
    Vec<2> at = Vec<2>::Zero();
    std::string text = {};
};

/// White where the field is 0, darker blue above and darker orange, with dashed contours, below.
struct FieldChart {
    std::string title = {};
    FieldGrid field = {};
    std::vector<double> levels = {};     ///< ascending; round numbers if empty
    std::vector<Vec<2>> points = {};     ///< dots
    std::vector<Vec<2>> new_points = {}; ///< rings
    std::optional<Vec<2>> cross = {};
    std::vector<ChartLine> lines = {};
    std::vector<ChartCircle> circles = {}; ///< thin and dashed
    std::vector<ChartNote> notes = {};
};

/// The same field as a surface that is looked at from above and aside.
struct SurfaceChart {
    std::string title = {};
    FieldGrid field = {};
    std::string label = {};            ///< of the axis that points up
    std::vector<ChartLine> lines = {}; ///< on the ground
};

/// Levels of contours: multiples of a round number over the range of the field, and one near 0 on either
/// side, which shows where the field ends.
std::vector<double> contour_levels(const FieldGrid& field);

/// Closed curves around all places where the field is above the level, the inside to the left, or below it if
/// `below` is set. Curves run along the rim of the grid where they leave it. What is not a number counts as
/// 0.
std::vector<std::vector<Vec<2>>> contours(const FieldGrid& field, double level, bool below = false);

} // namespace phyxel
