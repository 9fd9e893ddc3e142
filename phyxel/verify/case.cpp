// SPDX-License-Identifier: MIT
#include <phyxel/verify/case.h>

#include <phyxel/core/error.h>
#include <phyxel/core/timer.h>
#include <phyxel/verify/detail/case_families.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

namespace phyxel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the first `end` letters of a case's name are a group: all of it, up to a '/', or up to a number,
/// so that "V-A" stands for V-A1, V-A2 and so on.
bool is_group(std::string_view name, std::size_t end)
{
    if (end == 0 || end > name.size()) return false;
    return end == name.size() || name[end] == '/' ||
           (is_digit(name[end]) && !is_digit(name[end - 1]) && name[end - 1] != '/');
}

/// Whether `name` is `group` itself or one of its members.
bool is_in(std::string_view name, std::string_view group)
{
    return name.starts_with(group) && is_group(name, group.size());
}

/// Levenshtein's distance: how many letters have to be changed, added or left out to get from one word to the
/// other.
std::size_t edit_distance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The case or group whose name is most like `name`.
std::string nearest_name(const std::vector<Case>& cases, std::string_view name)
{
    std::string nearest;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Case& c : cases)
        for (std::size_t end = 1; end <= c.name.size(); ++end) {
            if (!is_group(c.name, end)) continue;
            const std::string candidate = c.name.substr(0, end);
            const std::size_t distance = edit_distance(name, candidate);
            // Of names equally near the longest says most.
            if (distance < least || (distance == least && candidate.size() > nearest.size())) {
                least = distance;
                nearest = candidate;
            }
        }
    return nearest;
}

[[noreturn]] void reject_name(const std::vector<Case>& cases, const std::string& name)
{
    std::string message = "there is no case or group of cases \"" + name + "\"";
    if (!cases.empty()) message += "; did you mean \"" + nearest_name(cases, name) + "\"?";
    throw InputError(message);
}

Outcome run(const Case& c, const std::function<Measurement()>& measure, bool& refused)
{
    Outcome outcome{c.name, c.claim, c.source, {}};
    const Stopwatch watch;
    try {
        outcome.measurement = measure();
    } catch (const InputError& error) {
        refused = true;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        outcome.measurement = {nan, nan, nan};
        outcome.measurement.note = std::string("refused: ") + error.what();
    }
    outcome.seconds = watch.seconds();
    outcome.pass = passes(outcome.measurement);
    return outcome;
}

} // namespace

bool passes(const Measurement& measurement)
{
    const double excess = measurement.measured - measurement.reference;
    switch (measurement.bound) {
    case Bound::Near:
        return std::abs(excess) <= measurement.tolerance;
    case Bound::AtMost:
        return excess <= measurement.tolerance;
    case Bound::AtLeast:
        return excess >= -measurement.tolerance;
    }
    return false;
}

std::vector<Case> all_cases(const std::filesystem::path& scenes)
{
    std::vector<Case> cases;
    for (const auto family :
         {detail::kernel_cases, detail::mls_cases, detail::operator_cases, detail::convergence_cases,
          detail::crack_cases, detail::search_cases, detail::fluid_cases, detail::skin_cases,
          detail::surface_cases, detail::solid_cases})
        std::ranges::move(family(), std::back_inserter(cases));
    std::ranges::move(detail::scene_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::flow_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::tight_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::touch_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::solid_scene_cases(scenes), std::back_inserter(cases));
    return cases;
}

std::vector<Case> select_cases(const std::vector<Case>& cases, std::span<const std::string> names, bool full)
{
    std::vector<bool> is_selected(cases.size(), false);
    const auto select = [&](auto&& is_wanted) {
        for (std::size_t i = 0; i < cases.size(); ++i)
            if (is_wanted(cases[i])) is_selected[i] = true;
    };

    if (names.empty()) select([&](const Case& c) { return full || c.quick; });
    for (const std::string& name : names) {
        const auto is_named = [&](const Case& c) { return is_in(c.name, name); };
        const auto is_wanted = [&](const Case& c) {
            return is_named(c) && (full || c.quick || c.name == name);
        };
        if (std::ranges::none_of(cases, is_named)) reject_name(cases, name);
        if (std::ranges::none_of(cases, is_wanted))
            throw InputError("all cases of \"" + name +
                             "\" take long; ask for the long ones too, or name one in full");
        select(is_wanted);
    }

    std::vector<Case> selected;
    for (std::size_t i = 0; i < cases.size(); ++i)
        if (is_selected[i]) selected.push_back(cases[i]);
    return selected;
}

Outcome run_case(const Case& c)
{
    bool refused = false;
    return run(c, c.run, refused);
}

Outcome run_sabotage(const Case& c)
{
    bool refused = false;
    Outcome outcome = run(c, c.run_sabotaged, refused);
    outcome.sabotage = c.sabotage;
    outcome.noticed = !outcome.pass && !refused;
    return outcome;
}

} // namespace phyxel
