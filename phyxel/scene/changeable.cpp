// SPDX-License-Identifier: MIT
#include <phyxel/scene/changeable.h>

#include <phyxel/scene/findings.h>
#include <phyxel/scene/scene_options.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace phyxel {

void ChangeableList::add(std::string_view name, ChangeableParameter found, const Parameter& parameter)
{
    const bool min_excluded = parameter.above >= parameter.min && std::isfinite(parameter.above);
    const bool max_excluded = parameter.below <= parameter.max && std::isfinite(parameter.below);
    found.path = path_ + std::string(name);
    found.unit = parameter.unit;
    found.doc = parameter.doc;
    found.min = min_excluded ? parameter.above : parameter.min;
    found.max = max_excluded ? parameter.below : parameter.max;
    found.min_excluded = min_excluded;
    found.max_excluded = max_excluded;
    all_.push_back(std::move(found));
}

/// Materials first, in the order of the bodies, then gravity, then the solvers.
template <int Dim>
std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<Dim>& given)
{
    SceneOptions<Dim> options = given; // descriptions show members that can be changed
    std::vector<ChangeableParameter> all;
    std::vector<ChangeableParameter> of_solvers;
    std::set<const KindOf<Dim>*> kinds;
    for (BodyOptions<Dim>& body : options.bodies) {
        if (body.basics().removed) continue;
        const std::string path = path_of({"bodies", std::string(body.name())}).text() + '.';
        std::vector<ChangeableParameter> of_body;
        ChangeableList list(of_body, path);
        body.kind->options.list_changeable(list, body.options);
        const bool is_first = kinds.insert(body.kind).second;
        for (ChangeableParameter& parameter : of_body) {
            if (!parameter.path.starts_with(path + "solver."))
                all.push_back(std::move(parameter));
            else if (is_first || !body.kind->shares_solver)
                of_solvers.push_back(std::move(parameter));
        }
    }
    for (int k = 0; k < Dim; ++k) {
        const Formula& g = options.gravity[static_cast<std::size_t>(k)];
        if (g.is_number())
            all.push_back({.path = "gravity[" + std::to_string(k) + ']',
                           .unit = "m/s^2",
                           .doc = "acceleration",
                           .value = g.evaluate(0, 0, 0, 0)});
    }
    std::move(of_solvers.begin(), of_solvers.end(), std::back_inserter(all));
    return all;
}

template std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<2>&);
template std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<3>&);

} // namespace phyxel
