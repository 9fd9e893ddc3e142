// SPDX-License-Identifier: MIT
// Verification cases: numbers that the library produces, compared with what a formula or a publication says
// they must be. Each case comes with a sabotage that it has to notice.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace phyxel {

/// How the measured number has to lie with respect to the reference.
enum class Bound {
    Near,   ///< |measured − reference| ≤ tolerance
    AtMost, ///< measured ≤ reference + tolerance
    AtLeast ///< measured ≥ reference − tolerance
};

/// What a case found, and what it had to find.
struct Measurement {
    double measured;
    double reference; ///< from a formula or a cited source, never from an earlier run
    double tolerance;
    Bound bound = Bound::Near;
    std::string unit = "1";
    std::string note = {}; ///< what else is worth knowing, such as how many points were looked at
};

/// Whether the measured number keeps to its bound. One that is not a number never does.
bool passes(const Measurement& measurement);

/// What there is to know about a case before it is run.
struct CaseInfo {
    std::string name;   ///< words joined by '/', such as "V-A8/value/order1/2d"; a beginning names a group
    std::string claim;  ///< what is shown, in a sentence
    std::string source; ///< where the reference comes from
    bool quick = true;  ///< whether every test run can afford it
};

struct Case : CaseInfo {
    std::function<Measurement()> run;
    std::string sabotage; ///< what is wrong with the ingredient of the sabotaged run
    std::function<Measurement()> run_sabotaged;
};

/// A case is a check of one ingredient: a kernel, an operator, a search, a set of options. The sabotage is
/// the same check with a faulty ingredient. It cannot touch what the check measures or compares with, and the
/// library need not know of it.
///
/// A check that is about refusing input has to count refusals itself: an InputError that leaves the check
/// makes the case fail, and makes its sabotage count as unnoticed.
template <class Ingredient, std::invocable<const Ingredient&> Check>
Case make_case(CaseInfo info, Check check, Ingredient honest, std::string sabotage,
               std::type_identity_t<Ingredient> sabotaged)
{
    return {std::move(info), [check, honest = std::move(honest)] { return check(honest); },
            std::move(sabotage), [check, sabotaged = std::move(sabotaged)] { return check(sabotaged); }};
}

/// What came of running a case or its sabotage.
struct [[nodiscard]] Outcome {
    std::string name;
    std::string claim;
    std::string source;
    Measurement measurement;
    bool pass = false;
    double seconds = 0.0;
    std::string sabotage = {}; ///< empty unless the sabotage was run
    bool noticed = false;      ///< whether it was noticed
};

/// All cases, in the order in which they are listed and run. `scenes` is the folder examples/verification,
/// which is looked at only when a case of a scene is run.
std::vector<Case> all_cases(const std::filesystem::path& scenes);

/// Those of `cases` that `names` ask for, in their own order and each once. A name is that of a case, or a
/// group: the beginning of a name up to a '/' or to a number, such as V-A8/value, V-A8 and V-A. Without names
/// all are asked for.
///
/// Cases that are not quick are left out unless `full` is set or they are named in full. Throws InputError
/// for a name that is not known, with the nearest one that is, and for a group of which nothing is left.
std::vector<Case> select_cases(const std::vector<Case>& cases, std::span<const std::string> names, bool full);

Outcome run_case(const Case& c);

/// Runs the case with its sabotaged ingredient, which is noticed if the case fails.
Outcome run_sabotage(const Case& c);

} // namespace phyxel
