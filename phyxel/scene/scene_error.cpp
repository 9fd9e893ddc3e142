// SPDX-License-Identifier: MIT
#include <phyxel/scene/scene_error.h>

#include <phyxel/core/assert.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace phyxel {
namespace {

std::string_view source_name(const Place& place)
{
    return place.source ? std::string_view(*place.source) : std::string_view();
}

std::vector<Problem> sorted(std::vector<Problem> problems)
{
    std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
        return std::make_tuple(source_name(a.place), a.place.line, a.place.column) <
               std::make_tuple(source_name(b.place), b.place.line, b.place.column);
    });
    return problems;
}

std::string lines_of(const std::vector<Problem>& problems)
{
    PHYXEL_ASSERT(!problems.empty());
    constexpr std::size_t max_lines = 100;
    std::string lines;
    for (std::size_t i = 0; i < std::min(problems.size(), max_lines); ++i) {
        if (i > 0) lines += '\n';
        lines += to_text(problems[i]);
    }
    if (problems.size() > max_lines)
        lines += "\nand " + std::to_string(problems.size() - max_lines) + " more problems";
    return lines;
}

} // namespace

std::string to_text(const Problem& problem)
{
    std::string text(source_name(problem.place));
    if (problem.place.line > 0)
        text += ':' + std::to_string(problem.place.line) + ':' + std::to_string(problem.place.column);
    if (!text.empty()) text += ": ";
    if (!problem.path.empty()) text += problem.path + ": ";
    text += problem.what;
    if (!problem.allowed.empty()) text += ", " + problem.allowed;
    return text;
}

SceneError::SceneError(std::vector<Problem> problems)
    : InputError(lines_of(sorted(problems))),
      problems_(sorted(std::move(problems)))
{
}

SceneError::SceneError(const Place& place, std::string what, std::string allowed)
    : SceneError(std::vector<Problem>{{place, {}, std::move(what), std::move(allowed)}})
{
}

} // namespace phyxel
