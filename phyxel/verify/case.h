// SPDX-License-Identifier: MIT
// Verification cases: numbers that the library produces, compared with what a formula or a publication says
// they must be. Each case comes with a sabotage that it has to notice.
#pragma once

#include <phyxel/core/error.h>

#include <concepts>
#include <filesystem>
#include <functional>
#include <optional>
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

/// A line or points of a chart.
struct MeasuredLine {
    std::string name;
    std::vector<double> x, y;
    bool is_reference = false; ///< what the source says, else what was measured
    bool are_points = false;   ///< not joined by a line
};

/// More than a number: what was found along something, beside what the source says, for those who draw it.
struct MeasuredChart {
    std::string x_label, x_unit;
    std::string y_label, y_unit;
    std::vector<MeasuredLine> lines = {};
};

/// What a case found, and what it had to find.
struct Measurement {
    double measured;
    double reference; ///< from a formula or a cited source, never from an earlier run
    double tolerance;
    Bound bound = Bound::Near;
    std::string unit = "1";
    std::string note = {}; ///< what else is worth knowing, such as how many points were looked at
    std::optional<MeasuredChart> chart = {};
    bool diverged = false; ///< the run went astray, and there is no number
};

/// Whether the measured number keeps to its bound. One that is not finite never does.
bool passes(const Measurement& measurement);

/// How far the measured number is from the reference, on the side that the bound forbids; never below 0.
double distance_of(const Measurement& measurement);

/// Thrown by a check whose run went astray: a result, and not a good one. An InputError in its place would be
/// a mistake of the check.
class Diverged : public InputError {
public:
    using InputError::InputError;
};

/// Who can afford a case.
enum class Tier {
    Quick, ///< every test run
    Full,  ///< whoever asks for all: seconds to minutes
    Long   ///< whoever names it: many minutes
};

/// A case that does not reach its bound, and is known not to. It stays, and so does its bound: it is counted
/// apart, and fails when it gets worse, or when it is met or has come far nearer and nobody has changed this
/// mark. Where chance plays a part, it is met only when it is nearer than recorded by more than the spread.
struct KnownMiss {
    double measured;       ///< when the miss was recorded
    double spread = 0.0;   ///< that the measured number owes to chance, in its unit; none if it is 0
    std::string why = {};  ///< what is known of the reason, in a sentence
    bool diverges = false; ///< there is no number: the run goes astray. One that no longer does fails

    /// What the distance may grow by: the spread where chance plays a part, else a tenth of the distance.
    static constexpr double growth = 0.1;
    /// Without chance: from this share of the recorded distance on the record says too little to guard it.
    static constexpr double stale = 0.5;
};

/// A known miss without a number.
KnownMiss known_to_diverge(std::string why);

/// What there is to know about a case before it is run.
struct CaseInfo {
    std::string name;   ///< words joined by '/', such as "V-A8/value/order1/2d"; a beginning names a group
    std::string claim;  ///< what is shown, in a sentence
    std::string source; ///< where the reference comes from
    Tier tier = Tier::Quick;
    std::optional<KnownMiss> known_miss = {};
};

struct Case : CaseInfo {
    std::function<Measurement()> run;
    std::string sabotage; ///< what is wrong with the ingredient of the sabotaged run
    std::function<Measurement()> run_sabotaged;
};

/// A case is a check of one ingredient: a kernel, an operator, a search, a set of options. The sabotage is
/// the same check with a faulty ingredient. It cannot touch what the check measures or compares with, and the
/// library need not know of it. Ingredients are terms, signs, factors, supports and laws; a load, a geometry,
/// a start or a time is none.
///
/// A check that is about refusing input has to count refusals itself: an InputError that leaves the check
/// makes the case fail, and makes its sabotage count as unnoticed. A run that diverges is noticed.
template <class Ingredient, std::invocable<const Ingredient&> Check>
Case make_case(CaseInfo info, Check check, Ingredient honest, std::string sabotage,
               std::type_identity_t<Ingredient> sabotaged)
{
    return {std::move(info), [check, honest = std::move(honest)] { return check(honest); },
            std::move(sabotage), [check, sabotaged = std::move(sabotaged)] { return check(sabotaged); }};
}

enum class Verdict {
    Pass,
    KnownMiss, ///< missed as it is known to be
    Fail
};

/// What came of running a case or its sabotage.
struct [[nodiscard]] Outcome {
    CaseInfo info;
    Measurement measurement;
    Verdict verdict = Verdict::Fail;
    double seconds = 0.0;
    std::string trouble = {};  ///< with a known miss, why it failed all the same
    std::string sabotage = {}; ///< empty unless the sabotage was run
    bool noticed = false;      ///< whether it was noticed
};

/// What a measurement is to a case, and in `trouble` why if there is more to say.
Verdict verdict_of(const CaseInfo& info, const Measurement& measurement, std::string& trouble);

/// All cases, in the order in which they are listed and run. `scenes` is the folder examples/verification,
/// which is looked at only when a case of a scene is run.
std::vector<Case> all_cases(const std::filesystem::path& scenes);

/// Those of `cases` that `names` ask for, in their own order and each once. A name is that of a case, or a
/// group: the beginning of a name up to a '/' or to a number, such as V-A8/value, V-A8 and V-A. Without names
/// all are asked for.
///
/// Cases beyond `tier` are left out unless they are named in full. Throws InputError for a name that is not
/// known, with the nearest one that is, and for a group of which nothing is left.
std::vector<Case> select_cases(const std::vector<Case>& cases, std::span<const std::string> names, Tier tier);

Outcome run_case(const Case& c);

/// Runs the case with its sabotaged ingredient, which is noticed if the case fails: also one that is a known
/// miss, if it becomes worse or is met.
Outcome run_sabotage(const Case& c);

enum class Ingredients { Honest, Sabotaged };

/// Runs all cases, or their sabotages, so many at a time. `done` is called in their order, with one outcome
/// at a time, each as soon as all before it are known. What cases measure does not depend on the number.
std::vector<Outcome> run_cases(std::span<const Case> cases, Ingredients ingredients, int at_a_time,
                               const std::function<void(const Outcome&)>& done = {});

} // namespace phyxel
