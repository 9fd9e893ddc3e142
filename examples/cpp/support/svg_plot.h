// SPDX-License-Identifier: MIT
// Line charts and coloured grids as SVG, just enough for the pictures of the examples.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Curves over a common x axis, with ticks, labels and a legend.
class LineChart {
public:
    LineChart(std::string title, std::string x_label) : title_(std::move(title)), x_label_(std::move(x_label))
    {
    }

    void add(std::string name, std::vector<double> x, std::vector<double> y)
    {
        curves_.push_back({std::move(name), std::move(x), std::move(y)});
    }

    void write(const std::string& path) const
    {
        double x_min = 1e300, x_max = -1e300, y_min = 0, y_max = -1e300;
        for (const Curve& c : curves_) {
            for (double x : c.x) x_min = std::min(x_min, x), x_max = std::max(x_max, x);
            for (double y : c.y) y_min = std::min(y_min, y), y_max = std::max(y_max, y);
        }
        const double pad = 0.05 * (y_max - y_min);
        y_max += pad;
        if (y_min < 0) y_min -= pad;
        const auto px = [&](double x) { return left + (x - x_min) / (x_max - x_min) * (right - left); };
        const auto py = [&](double y) { return bottom - (y - y_min) / (y_max - y_min) * (bottom - top); };

        std::ostringstream svg;
        svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 400' font-family='sans-serif' "
               "font-size='13'>\n<rect width='640' height='400' fill='white'/>\n<text x='"
            << (left + right) / 2 << "' y='24' text-anchor='middle' font-size='16'>" << title_ << "</text>\n";
        for (double x : ticks(x_min, x_max))
            svg << "<path d='M" << px(x) << " " << top << "V" << bottom << "' stroke='#ddd'/><text x='"
                << px(x) << "' y='" << bottom + 18 << "' text-anchor='middle'>" << number(x) << "</text>\n";
        for (double y : ticks(y_min, y_max))
            svg << "<path d='M" << left << " " << py(y) << "H" << right << "' stroke='#ddd'/><text x='"
                << left - 8 << "' y='" << py(y) + 4 << "' text-anchor='end'>" << number(y) << "</text>\n";
        svg << "<text x='" << (left + right) / 2 << "' y='390' text-anchor='middle'>" << x_label_
            << "</text>\n";
        for (std::size_t k = 0; k < curves_.size(); ++k) {
            const char* const color = colors[k % colors.size()];
            svg << "<polyline fill='none' stroke='" << color << "' stroke-width='2' points='";
            for (std::size_t i = 0; i < curves_[k].x.size(); ++i)
                svg << number(px(curves_[k].x[i])) << "," << number(py(curves_[k].y[i])) << " ";
            const double y = top + 14 + 18 * static_cast<double>(k);
            svg << "'/>\n<path d='M" << right - 130 << " " << y << "h24' stroke='" << color
                << "' stroke-width='3'/><text x='" << right - 100 << "' y='" << y + 4 << "'>"
                << curves_[k].name << "</text>\n";
        }
        svg << "<path d='M" << left << " " << top << "V" << bottom << "H" << right
            << "' fill='none' stroke='black'/>\n</svg>\n";
        save(path, svg.str());
    }

    static std::string number(double v)
    {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.4g", std::abs(v) < 1e-12 ? 0.0 : v);
        return text.data();
    }

    static void save(const std::string& path, const std::string& text)
    {
        std::ofstream file(path);
        file << text;
        if (!file.flush()) throw std::runtime_error("cannot write " + path);
    }

private:
    struct Curve {
        std::string name;
        std::vector<double> x, y;
    };
    static constexpr double left = 60, right = 620, top = 40, bottom = 350;
    // Okabe and Ito: told apart by colour-blind readers too.
    static constexpr std::array colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000"};

    static std::vector<double> ticks(double low, double high)
    {
        const double rough = (high - low) / 6;
        const double power = std::pow(10.0, std::floor(std::log10(rough)));
        double step = 10 * power;
        for (double factor : {5.0, 2.0, 1.0})
            if (factor * power >= rough) step = factor * power;
        std::vector<double> result;
        for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step) result.push_back(v);
        return result;
    }

    std::string title_, x_label_;
    std::vector<Curve> curves_;
};

/// A field on the unit square as coloured cells, blue below zero and red above, with points on top.
template <class Point>
void write_field(const std::string& path, const std::string& title, int cells,
                 const std::vector<double>& values, const std::vector<Point>& points)
{
    double largest = 0;
    for (double v : values) largest = std::max(largest, std::abs(v));
    const double size = 400.0 / cells;
    std::ostringstream svg;
    svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 420 450' font-family='sans-serif' "
           "font-size='13'>\n<rect width='420' height='450' fill='white'/>\n<text x='210' y='20' "
           "text-anchor='middle' font-size='16'>"
        << title << "</text>\n";
    for (int y = 0; y < cells; ++y) {
        for (int x = 0; x < cells; ++x) {
            const double v = values[static_cast<std::size_t>(y) * static_cast<std::size_t>(cells) +
                                    static_cast<std::size_t>(x)] /
                             largest;
            if (v == 0) continue; // white, as the paper is
            const int fade = static_cast<int>(std::lround(255 * (1 - std::sqrt(std::abs(v)))));
            svg << "<rect x='" << LineChart::number(10 + x * size) << "' y='"
                << LineChart::number(430 - (y + 1) * size) << "' width='" << LineChart::number(size + 0.3)
                << "' height='" << LineChart::number(size + 0.3) << "' fill='rgb(" << (v < 0 ? fade : 255)
                << "," << fade << "," << (v < 0 ? 255 : fade) << ")'/>\n";
        }
    }
    for (const auto& p : points)
        svg << "<circle cx='" << LineChart::number(10 + 400 * p[0]) << "' cy='"
            << LineChart::number(430 - 400 * p[1]) << "' r='1.8' fill='#333'/>\n";
    svg << "<text x='210' y='445' text-anchor='middle'>white 0, red up to " << LineChart::number(largest)
        << "</text>\n</svg>\n";
    LineChart::save(path, svg.str());
}
