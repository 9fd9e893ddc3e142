// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/step_failure.h>

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

namespace phyxel {
namespace {

/// Faster than this many times the speed of sound a solid has gone astray.
constexpr double speed_limit = 5.0;

} // namespace

template <int Dim>
std::optional<Failure> failure_of(const SolidStepReport& step, const BodyParts<Dim>& parts,
                                  const SolidOptions& options, double dt, double stable)
{
    double limit = 0.0;
    for (const SolidMaterial& material : parts.model.materials)
        limit = std::max(limit, speed_limit * pressure_wave_speed(material));
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(options);
    // Only an explicit step can be blown up by its length; others follow what they are told to.
    const bool is_too_fast = is_explicit && step.relative_speed > limit;
    const bool is_static = std::holds_alternative<QuasiStaticOptions>(options);
    const bool is_stuck = is_static ? !(step.residual <= largest_residual) : !step.solved;
    if (!step.lost && !is_too_fast && !is_stuck) return {};

    Failure failure;
    const Index phyxel = step.lost ? *step.lost : step.fastest.value_or(0);
    failure.body = parts.names[parts.model.part[phyxel]];
    if (!is_stuck || step.lost) failure.particle = parts.state.id[phyxel];
    // What helps depends on what is there already.
    std::string stiffer;
    if (step.inverted > 0) {
        stiffer = std::to_string(step.inverted) + (step.inverted == 1 ? " phyxel is" : " phyxels are") +
                  " turned inside out: use ";
        if (parts.model.materials[parts.model.part[phyxel]].law != ElasticLaw::NeoHookean)
            stiffer += "\"law\": \"neo_hookean\", ";
        stiffer += "a larger \"volume_stiffness\", ";
    }
    if (is_stuck && is_static) {
        failure.what =
            "no equilibrium was found; " +
            (std::isfinite(step.residual) ? number_text(step.residual, 3) + " of the forces is left"
                                          : "the forces are no longer numbers") +
            " after " + std::to_string(step.newton_iterations) + " iterations";
        failure.cause = "the loads may have none: make them smaller, let them grow slowly, raise "
                        "\"newton_iterations\" and \"linear_iterations\", or use the implicit solver";
    } else if (is_stuck) {
        failure.what = "an implicit step cannot be solved, not even in parts of " +
                       number_text(step.shortest_part, 3) + " s: " + number_text(step.residual, 3) +
                       " times the forces at its start are left";
        failure.cause = (stiffer.empty() ? "it is deformed too violently: use " : stiffer) +
                        "a shorter \"time_step\" of the solver, more \"newton_iterations\" and "
                        "\"linear_iterations\", or the solver leapfrog";
    } else {
        failure.what = step.lost ? "its position or velocity is no longer a number"
                                 : "it moves at " + number_text(step.relative_speed, 3) +
                                       " m/s compared with the rest of its body, faster than 5 times the "
                                       "speed of sound";
        if (is_explicit && dt > 1.01 * stable)
            failure.cause = "the step of " + number_text(dt, 3) + " s is too large, " +
                            number_text(stable, 3) +
                            " s would be stable: leave out \"time_step\" or make it smaller";
        else if (is_explicit)
            failure.cause =
                (stiffer.empty() ? "loads or motions are too violent for this material: use " : stiffer) +
                "a smaller \"courant_number\" or the implicit solver";
        else
            failure.cause = "loads or motions are too violent for this material: let them grow slowly";
    }
    return failure;
}

template std::optional<Failure> failure_of<2>(const SolidStepReport&, const BodyParts<2>&,
                                              const SolidOptions&, double, double);
template std::optional<Failure> failure_of<3>(const SolidStepReport&, const BodyParts<3>&,
                                              const SolidOptions&, double, double);

} // namespace phyxel
