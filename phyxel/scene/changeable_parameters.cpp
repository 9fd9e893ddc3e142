// SPDX-License-Identifier: MIT
// What events may change, from the descriptions of the parameters.
#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/fluid_description.h>
#include <phyxel/scene/detail/hand_description.h>
#include <phyxel/scene/detail/solid_description.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <type_traits>

namespace phyxel {
namespace {

/// Visitor that lists those numbers of a struct whose keys are wanted.
class NumberList {
public:
    NumberList(std::vector<ChangeableParameter>& all, std::string path,
               std::span<const std::string_view> keys)
        : all_(all),
          path_(std::move(path)),
          keys_(keys)
    {
    }

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        if (std::find(keys_.begin(), keys_.end(), name) == keys_.end()) return;
        if constexpr (std::is_arithmetic_v<T>)
            add(name, static_cast<double>(member), std::integral<T>, parameter);
        else if constexpr (std::is_same_v<T, std::optional<double>>)
            if (member) add(name, *member, false, parameter);
    }

private:
    void add(std::string_view name, double value, bool is_whole, const Parameter& parameter)
    {
        const bool min_excluded = parameter.above >= parameter.min && std::isfinite(parameter.above);
        const bool max_excluded = parameter.below <= parameter.max && std::isfinite(parameter.below);
        all_.push_back({.path = path_ + std::string(name),
                        .unit = std::string(parameter.unit),
                        .doc = std::string(parameter.doc),
                        .value = value,
                        .min = min_excluded ? parameter.above : parameter.min,
                        .max = max_excluded ? parameter.below : parameter.max,
                        .min_excluded = min_excluded,
                        .max_excluded = max_excluded,
                        .is_whole = is_whole});
    }

    std::vector<ChangeableParameter>& all_;
    std::string path_;
    std::span<const std::string_view> keys_;
};

std::span<const std::string_view> material_keys(const FluidMaterial&)
{
    return changeable_material_keys_of_fluids;
}

std::span<const std::string_view> material_keys(const SolidMaterialOptions& material)
{
    const std::span<const std::string_view> keys = changeable_material_keys_of_solids;
    // A stiffness in all directions stands instead of the first two.
    return material.properties.stiffness ? keys.subspan(2) : keys;
}

std::span<const std::string_view> solver_keys(const FluidMaterial&)
{
    return changeable_solver_keys_of_fluids;
}

std::span<const std::string_view> solver_keys(const SolidMaterialOptions&)
{
    return changeable_solver_keys_of_solids;
}

} // namespace

/// Materials first, in the order of the bodies, then gravity, then the solvers.
template <int Dim>
std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<Dim>& given)
{
    SceneOptions<Dim> options = given; // descriptions show members that can be changed
    std::vector<ChangeableParameter> all;
    for (BodyOptions<Dim>& body : options.bodies)
        std::visit(
            [&](auto& b) {
                NumberList list(all, path_of({"bodies", b.name, "material"}).text() + '.',
                                material_keys(b.material));
                describe(list, b.material);
            },
            body);
    for (int k = 0; k < Dim; ++k) {
        const Formula& g = options.gravity[static_cast<std::size_t>(k)];
        if (g.is_number())
            all.push_back({.path = "gravity[" + std::to_string(k) + ']',
                           .unit = "m/s^2",
                           .doc = "acceleration",
                           .value = g.evaluate(0, 0, 0, 0)});
    }
    bool has_fluid = false;
    bool has_solid = false;
    for (BodyOptions<Dim>& body : options.bodies)
        std::visit(
            [&]<class B>(B& b) {
                // All bodies of a kind have one solver.
                constexpr bool is_solid = std::is_same_v<B, SolidBodyOptions<Dim>>;
                if (std::exchange(is_solid ? has_solid : has_fluid, true) || !b.solver) return;
                NumberList list(all, path_of({"bodies", b.name, "solver"}).text() + '.',
                                solver_keys(b.material));
                std::visit([&](auto& solver) { describe(list, solver); }, *b.solver);
            },
            body);
    return all;
}

template <int Dim>
Node write_hands(const SceneOptions<Dim>& options)
{
    return ValueFormat<std::vector<HandOptions<Dim>>>::write(options.hands);
}

template std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<2>&);
template std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<3>&);
template Node write_hands(const SceneOptions<2>&);
template Node write_hands(const SceneOptions<3>&);

} // namespace phyxel
