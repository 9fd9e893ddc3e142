// SPDX-License-Identifier: MIT
#include <phyxel/verify/case.h>

#include <phyxel/core/error.h>
#include <phyxel/core/timer.h>
#include <phyxel/verify/detail/case_families.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>

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
    Outcome outcome{.info = c, .measurement = {}};
    const Stopwatch watch;
    const auto note = [&](const std::string& what) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        outcome.measurement = {nan, nan, nan};
        outcome.measurement.note = what;
    };
    try {
        outcome.measurement = measure();
    } catch (const Diverged& error) {
        note(std::string("diverged: ") + error.what());
        outcome.measurement.diverged = true;
    } catch (const InputError& error) {
        refused = true;
        note(std::string("refused: ") + error.what());
    }
    outcome.seconds = watch.seconds();
    outcome.verdict = verdict_of(c, outcome.measurement, outcome.trouble);
    return outcome;
}

} // namespace

KnownMiss known_to_diverge(std::string why)
{
    return {.measured = std::numeric_limits<double>::quiet_NaN(), .why = std::move(why), .diverges = true};
}

bool passes(const Measurement& measurement)
{
    for (const double number : {measurement.measured, measurement.reference, measurement.tolerance})
        if (!std::isfinite(number)) return false;
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

double distance_of(const Measurement& measurement)
{
    const double excess = measurement.measured - measurement.reference;
    switch (measurement.bound) {
    case Bound::Near:
        return std::abs(excess);
    case Bound::AtMost:
        return excess < 0.0 ? 0.0 : excess;
    case Bound::AtLeast:
        return excess > 0.0 ? 0.0 : -excess;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

Verdict verdict_of(const CaseInfo& info, const Measurement& measurement, std::string& trouble)
{
    const bool is_met = passes(measurement);
    if (!info.known_miss) return is_met ? Verdict::Pass : Verdict::Fail;
    if (info.known_miss->diverges) {
        if (measurement.diverged) return Verdict::KnownMiss;
        trouble = "known to diverge, and does not: record its number, and say so in the docs";
        return Verdict::Fail;
    }
    Measurement recorded = measurement;
    recorded.measured = info.known_miss->measured;
    const double before = distance_of(recorded);
    const double spread = info.known_miss->spread;
    const bool is_by_chance = spread > 0.0 && distance_of(measurement) >= before - spread;
    if (is_met && !is_by_chance) {
        trouble = "a known miss that is met: take its mark away, and say so in the docs";
        return Verdict::Fail;
    }
    if (spread == 0.0 && distance_of(measurement) < KnownMiss::stale * before) {
        trouble = "a known miss that is far nearer than recorded: record its number, and say so in the docs";
        return Verdict::Fail;
    }
    const double most = before + (spread > 0.0 ? spread : KnownMiss::growth * before);
    if (distance_of(measurement) <= most) return Verdict::KnownMiss;
    trouble = "a known miss that is farther off than recorded";
    return Verdict::Fail;
}

std::vector<Case> all_cases(const std::filesystem::path& scenes)
{
    std::vector<Case> cases;
    for (const auto family :
         {detail::kernel_cases, detail::mls_cases, detail::operator_cases, detail::convergence_cases,
          detail::crack_cases, detail::fracture_cases, detail::intensity_cases, detail::search_cases,
          detail::fluid_cases, detail::skin_cases, detail::surface_cases, detail::coat_cases,
          detail::order_cases, detail::solid_cases})
        std::ranges::move(family(), std::back_inserter(cases));
    std::ranges::move(detail::scene_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::flow_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::tank_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::wall_flow_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::tight_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::coupled_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::rigid_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::coupled_rigid_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::heat_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::touch_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::breaking_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::solid_scene_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::law_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::wave_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::contact_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::plastic_cases(scenes), std::back_inserter(cases));
    std::ranges::move(detail::melt_cases(scenes), std::back_inserter(cases));
    return cases;
}

std::vector<Case> select_cases(const std::vector<Case>& cases, std::span<const std::string> names, Tier tier)
{
    std::vector<bool> is_selected(cases.size(), false);
    const auto select = [&](auto&& is_wanted) {
        for (std::size_t i = 0; i < cases.size(); ++i)
            if (is_wanted(cases[i])) is_selected[i] = true;
    };

    if (names.empty()) select([&](const Case& c) { return c.tier <= tier; });
    for (const std::string& name : names) {
        const auto is_named = [&](const Case& c) { return is_in(c.name, name); };
        const auto is_wanted = [&](const Case& c) {
            return is_named(c) && (c.tier <= tier || c.name == name);
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
    outcome.noticed = outcome.verdict == Verdict::Fail && !refused;
    return outcome;
}

std::vector<Outcome> run_cases(std::span<const Case> cases, Ingredients ingredients, int at_a_time,
                               const std::function<void(const Outcome&)>& done)
{
    std::vector<std::optional<Outcome>> found(cases.size());
    std::mutex mutex; // of all of the following
    std::size_t next = 0, told = 0;
    std::exception_ptr trouble;
    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (next < cases.size() && !trouble) {
            const std::size_t mine = next++;
            lock.unlock();
            std::optional<Outcome> outcome;
            std::exception_ptr thrown;
            try {
                outcome =
                    ingredients == Ingredients::Honest ? run_case(cases[mine]) : run_sabotage(cases[mine]);
            } catch (...) {
                thrown = std::current_exception();
            }
            lock.lock();
            if (thrown) {
                trouble = thrown;
                return;
            }
            found[mine] = std::move(outcome);
            for (; told < found.size() && found[told]; ++told)
                if (done) done(*found[told]);
        }
    };
    std::vector<std::thread> others;
    for (int k = 1; k < at_a_time; ++k) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (trouble) std::rethrow_exception(trouble);
    std::vector<Outcome> outcomes;
    for (std::optional<Outcome>& outcome : found) outcomes.push_back(std::move(*outcome));
    return outcomes;
}

} // namespace phyxel
