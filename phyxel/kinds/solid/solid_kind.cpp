// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/solid_kind.h>

#include <phyxel/core/error.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/kinds/solid/detail/region_action.h>
#include <phyxel/kinds/solid/detail/solid_builder.h>
#include <phyxel/kinds/solid/detail/solid_description.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/kind_checks.h>
#include <phyxel/scene/kind_format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace phyxel {

SolidMaterialOptions::SolidMaterialOptions()
{
    const SolidPreset& jelly = solid_presets().front();
    from = jelly.name;
    properties = material_of(jelly);
}

namespace {

template <int Dim, class Item>
void check_polygons(Reader& in, const Node& root, std::string_view list, const std::vector<Item>& items)
{
    for_each_item(in, root, list, items, [&](const Item& item, const Node& node, std::size_t) {
        const Node* polygon = node.find("polygon");
        // What could not be read was complained of.
        if (polygon == nullptr || !polygon->is_list() || polygon->items().size() != item.polygon.size())
            return;
        const Reader::Scope scope = in.enter("polygon");
        try {
            static_cast<void>(faces_of<Dim>(item.polygon));
        } catch (const InputError& error) {
            in.add_problem(*polygon, error.what(),
                           Dim == 2 ? "expected a list of at least 2 points"
                                    : "expected a list of at least 3 points");
        }
    });
}

/// Blades cut solids that are there.
template <int Dim>
void check_blades(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const auto& blades = scene.template section<BladeSection<Dim>>()->blades;
    check_names(in, root, "blades", blades);
    check_polygons<Dim>(in, root, "blades", blades);
    std::vector<std::string_view> names, flowing;
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        names.push_back(solid.name);
        if (solid.material.properties.may_flow()) flowing.push_back(solid.name);
    });
    for_each_item(
        in, root, "blades", blades, [&](const BladeOptions<Dim>& blade, const Node& node, std::size_t) {
            const Node* list = node.find("bodies");
            if (!blade.bodies || list == nullptr || !list->is_list() ||
                list->items().size() != blade.bodies->size())
                return;
            const Reader::Scope scope = in.enter("bodies");
            for (std::size_t k = 0; k < blade.bodies->size(); ++k) {
                const std::string& name = (*blade.bodies)[k];
                const Reader::Scope item = in.enter(k);
                if (std::find(flowing.begin(), flowing.end(), name) != flowing.end())
                    in.add_problem(list->items()[k], "what flows or melts cannot be cut",
                                   "leave it out or choose another material");
                if (std::find(names.begin(), names.end(), name) != names.end()) continue;
                in.add_problem(list->items()[k], "there is no solid named " + short_text(list->items()[k]),
                               suggestion(name, names) +
                                   "known: " + (names.empty() ? "none" : word_list(names)));
            }
        });
}

/// Names of regions, and what solids in equilibrium need.
template <int Dim>
void check_solids(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    bool is_quasi_static = false;
    std::vector<std::string_view> names;
    for_each_body<SolidBodyOptions<Dim>>(
        in, root, scene, [&](const SolidBodyOptions<Dim>& solid, const Node& node, std::size_t) {
            if (solid.solver && std::holds_alternative<QuasiStaticOptions>(*solid.solver))
                is_quasi_static = true;
            check_names(in, node, "regions", solid.regions);
            check_names(in, node, "cracks", solid.cracks);
            check_polygons<Dim>(in, node, "cracks", solid.cracks);
            if (!solid.cracks.empty() && solid.material.properties.may_flow()) {
                const Reader::Scope scope = in.enter("cracks");
                in.add_problem(*node.find("cracks"), "what flows or melts cannot have cracks",
                               "leave them out or choose another material");
            }
            if (!solid.cracks.empty() && !solid.merges_with.empty()) {
                const Reader::Scope scope = in.enter("cracks");
                in.add_problem(*node.find("cracks"), "what becomes one with others cannot have cracks",
                               "leave them out, or \"merges_with\"");
            }
            // A preset gives three, also for the plane.
            const std::size_t grain = solid.material.properties.breaking.grain.size();
            if (grain != 0 && (grain < Dim || grain > 3)) {
                const Reader::Scope material = in.enter("material");
                const Reader::Scope scope = in.enter("grain");
                in.add_problem(*node.find("material"), "it has " + std::to_string(grain) + " numbers",
                               "expected " + std::to_string(Dim));
            }
            if (!solid.merges_with.empty() && solid.material.properties.law != ElasticLaw::NeoHookean) {
                const Reader::Scope scope = in.enter("merges_with");
                in.add_problem(*node.find("merges_with"),
                               "the law of the body forgets its stress where it fuses",
                               "leave it out, or use the law neo_hookean");
            }
            if (solid.solver && std::holds_alternative<QuasiStaticOptions>(*solid.solver) &&
                solid.material.properties.may_flow())
                in.add_problem(node, "what flows or melts has no equilibrium",
                               "use the solver implicit or leapfrog, or another material");
            names.push_back(solid.name);
        });
    for_each_body<SolidBodyOptions<Dim>>(
        in, root, scene, [&](const SolidBodyOptions<Dim>& solid, const Node& node, std::size_t) {
            const Node* partners = node.find("merges_with");
            if (partners == nullptr || !partners->is_list()) return;
            const Reader::Scope scope = in.enter("merges_with");
            for (std::size_t k = 0; k < partners->items().size(); ++k) {
                const Node& partner = partners->items()[k];
                if (!partner.is_text()) continue;
                const Reader::Scope item = in.enter(k);
                if (partner.text() == solid.name)
                    in.add_problem(partner, "a body is one with itself", "leave it out");
                else if (std::find(names.begin(), names.end(), partner.text()) == names.end())
                    in.add_problem(partner, "there is no solid \"" + partner.text() + '"',
                                   names.size() > 1 ? "allowed: " + word_list(names) : "leave it out");
            }
        });
    for_each_body<SolidBodyOptions<Dim>>(
        in, root, scene, [&](const SolidBodyOptions<Dim>& solid, const Node& node, std::size_t) {
            const bool is_held =
                std::any_of(solid.regions.begin(), solid.regions.end(),
                            [](const auto& region) { return region.motion && !region.motion->is_free; });
            if (is_quasi_static && solid.start) {
                const Reader::Scope scope = in.enter("start");
                in.add_problem(*node.find("start"), "an equilibrium has no beginning",
                               "leave it out, or choose another solver");
            }
            if (is_quasi_static && !is_held)
                in.add_problem(node, "nothing holds the body, so it has no equilibrium",
                               "expected a region with \"motion\": \"fixed\", or another solver");
        });
}

template <int Dim>
std::any parameters_of(const SceneOptions<Dim>& scene, std::span<const std::size_t> bodies, const std::any&)
{
    SolidParameters<Dim> parameters;
    for (const std::size_t number : bodies) {
        const auto& solid = *scene.bodies[number].template get<SolidBodyOptions<Dim>>();
        parameters.materials.emplace_back(solid.name, solid.material.properties);
        parameters.airs.emplace_back(solid.name, air_of(solid.heat.air));
        parameters.merges.emplace_back(solid.name, solid.merges_with);
        parameters.options = *solid.solver;
        for (const RegionOptions<Dim>& region : solid.regions)
            parameters.regions.push_back({solid.name, region.name, source_of(region),
                                          [options = region](const Box<Dim>& bounds) mutable {
                                              return region_action(options, bounds, true);
                                          },
                                          heat_of(region.heat)});
    }
    return parameters;
}

} // namespace

template <int Dim>
std::string source_of(const RegionOptions<Dim>& options)
{
    return to_line(write_options(options));
}

template <int Dim>
KindOf<Dim> solid_kind()
{
    KindOf<Dim> kind;
    kind.name = "solid";
    kind.particle = "phyxel";
    kind.options = options_format<Dim, SolidBodyOptions<Dim>>();
    kind.section = section_format<BladeSection<Dim>>();
    kind.fields.assign(solid_fields.begin(), solid_fields.end());
    kind.usual_fields = {"stress"};
    for (const SolidPreset& preset : solid_presets())
        kind.materials.push_back({.name = preset.name,
                                  .quantities = {{"density", "kg/m³", preset.density},
                                                 {"viscosity", "Pa s", preset.viscosity},
                                                 {"Young's modulus", "Pa", preset.youngs_modulus},
                                                 {"Poisson's ratio", "", preset.poisson_ratio}},
                                  .source = preset.source});
    kind.can = {.be_held = true,
                .be_pushed = true,
                .be_warmed = true,
                .be_dropped = true,
                .carry_skin = true,
                .join_whole = true,
                .be_removed = true,
                .be_felt = true,
                .meet_forms = true};
    kind.shares_solver = true;
    kind.places = {"regions", "cracks"};
    kind.check = [](Reader& in, const Node& root, const SceneOptions<Dim>& scene) {
        check_solids(in, root, scene);
        check_blades(in, root, scene);
        check_solvers<SolidBodyOptions<Dim>>(in, root, scene);
    };
    kind.fill_in = [](SceneOptions<Dim>& scene) {
        const bool is_given = share_solver<SolidBodyOptions<Dim>>(scene);
        for_each_of<SolidBodyOptions<Dim>>(
            scene, [&](SolidBodyOptions<Dim>& solid, std::size_t) { solid.is_solver_chosen = !is_given; });
    };
    kind.make_builder = [](BuildContext<Dim>& context) -> std::unique_ptr<KindBuilder<Dim>> {
        return std::make_unique<SolidBuilder<Dim>>(context);
    };
    kind.parameters = parameters_of<Dim>;
    return kind;
}

template std::string source_of(const RegionOptions<2>&);
template std::string source_of(const RegionOptions<3>&);
template KindOf<2> solid_kind();
template KindOf<3> solid_kind();

} // namespace phyxel
