// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_kind.h>

#include <phyxel/kinds/fluid/detail/flow_maker.h>
#include <phyxel/kinds/fluid/detail/fluid_builder.h>
#include <phyxel/kinds/fluid/detail/fluid_description.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/scene/kind_checks.h>
#include <phyxel/scene/kind_format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

FluidMaterial::FluidMaterial()
{
    const FluidPreset& water = fluid_presets().front();
    from = water.name;
    density = water.density;
    viscosity = water.viscosity;
}

namespace {

/// All fluids are one to the solver.
template <int Dim>
void check_fluids(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const FluidBodyOptions<Dim>* first = nullptr;
    std::size_t first_number = 0;
    for_each_body<FluidBodyOptions<Dim>>(
        in, root, scene, [&](const FluidBodyOptions<Dim>& fluid, const Node& node, std::size_t i) {
            if (first == nullptr) {
                first = &fluid;
                first_number = i;
            } else if (fluid.material.density != first->material.density) {
                const Node* material = node.find("material");
                const Reader::Scope scope = in.enter("material");
                in.add_problem(material != nullptr ? *material : node,
                               "density is " + format_quantity(fluid.material.density, "kg/m^3") +
                                   " here and " + format_quantity(first->material.density, "kg/m^3") +
                                   " in " + item_text("bodies", first_number),
                               "fluids of different densities are not supported yet");
            }
        });
}

/// Emitters feed fluids.
template <int Dim>
void check_flows(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const FlowOptions<Dim>& flows = *scene.template section<FlowOptions<Dim>>();
    check_names(in, root, "emitters", flows.emitters);
    check_names(in, root, "outflows", flows.outflows);
    for_each_item(in, root, "emitters", flows.emitters,
                  [&](const EmitterSettings<Dim>& emitter, const Node& node, std::size_t) {
                      check_body_of(
                          in, scene, node, emitter.body,
                          [](const KindOf<Dim>& kind) { return !kind.can.be_fed_by.empty(); },
                          "emitters feed fluids");
                      for (const BodyOptions<Dim>& body : scene.bodies) {
                          if (body.name() != emitter.body || !body.basics().start) continue;
                          const Reader::Scope scope = in.enter("body");
                          in.add_problem(*node.find("body"), short_text(*node.find("body")) + " comes later",
                                         "emitters feed fluids that are there from the beginning");
                      }
                  });
    check_length(in, root, "emitters", flows.emitters.size());
}

/// Emitters as events have left them. Copies share emitters that were already made, because events are
/// planned again with every touch of a scene and making an emitter takes a while.
template <int Dim>
struct EmitterMemory {
    using List = std::vector<Emitter<Dim>>;

    struct Made {
        static constexpr std::size_t most_columns = 1'000'000; // some 50 MB

        void add(const std::pair<std::string, double>& key, const Emitter<Dim>& emitter)
        {
            column_count += emitter.column_count();
            if (column_count > most_columns) {
                by_key.clear();
                column_count = emitter.column_count();
            }
            by_key.emplace(key, emitter);
        }

        std::map<std::pair<std::string, double>, Emitter<Dim>> by_key = {}; ///< by what from and since when
        std::size_t column_count = 0;                                       ///< of all of them
    };

    std::shared_ptr<const List> emitters = {};
    std::shared_ptr<Made> made = std::make_shared<Made>();
};

/// Emitters that the event does not change keep running. New ones open at the time of the event at the
/// earliest.
template <int Dim>
std::shared_ptr<const std::vector<Emitter<Dim>>>
make_emitters(const SceneOptions<Dim>& scene, const SectionChange<Dim>& change,
              std::span<const Emitter<Dim>> present, double time, typename EmitterMemory<Dim>::Made& made)
{
    auto emitters = std::make_shared<std::vector<Emitter<Dim>>>();
    Findings findings(change.node);
    try {
        ShapeMaker<Dim> shape_maker(change.folder, findings);
        FlowMaker<Dim> flow_maker(scene, findings);
        flow_maker.make_shapes(shape_maker);
        findings.finish();
        const std::vector<ParticleSize> sizes = particle_sizes(scene);
        std::vector<bool> is_removed; // of the fluids
        for_each_of<FluidBodyOptions<Dim>>(scene, [&](const FluidBodyOptions<Dim>& fluid, std::size_t) {
            is_removed.push_back(fluid.removed.has_value());
        });
        for (EmitterOptions<Dim> options : flow_maker.flows().emitters) {
            if (is_removed[options.part]) continue;
            const auto same = std::find_if(present.begin(), present.end(), [&](const Emitter<Dim>& emitter) {
                return emitter.options().source == options.source;
            });
            if (same != present.end()) {
                emitters->push_back(*same);
                continue;
            }
            options.start = std::max(options.start, time);
            const std::pair key(options.source, options.start);
            if (const auto known = made.by_key.find(key); known != made.by_key.end()) {
                emitters->push_back(known->second);
                continue;
            }
            const ParticleSize& size = sizes.at(options.part);
            try {
                emitters->emplace_back(options, size.spacing, size.volume);
                made.add(key, emitters->back());
            } catch (const InputError& error) {
                findings.add_problem(path_of({"emitters", emitters->size(), "shape"}), error.what(),
                                     "choose another shape");
                findings.finish();
            }
        }
    } catch (const SceneError& error) {
        constexpr std::string_view list = "emitters";
        for (const Problem& problem : error.problems())
            change.problems.push_back({problem.place, change.event_path + problem.path.substr(list.size()),
                                       problem.what, problem.allowed});
    }
    return emitters;
}

template <int Dim>
std::any change_emitters(const SectionChange<Dim>& change, const std::any& memory)
{
    EmitterMemory<Dim> now;
    if (const auto* before = std::any_cast<EmitterMemory<Dim>>(&memory)) now = *before;
    // While a scene is read it may not be known how fine it will be.
    bool is_known = true;
    for_each_of<FluidBodyOptions<Dim>>(change.present, [&](const FluidBodyOptions<Dim>& fluid, std::size_t) {
        is_known = is_known && (fluid.spacing || change.present.spacing);
    });
    if (!is_known) return now;
    if (!now.emitters) {
        SceneOptions<Dim> at_first = change.present;
        at_first.template section<FlowOptions<Dim>>()->emitters =
            change.first.template section<FlowOptions<Dim>>()->emitters;
        now.emitters = make_emitters<Dim>(at_first, change, {}, 0.0, *now.made);
    }
    now.emitters = make_emitters<Dim>(change.present, change, *now.emitters, change.time, *now.made);
    return now;
}

template <int Dim>
std::any parameters_of(const SceneOptions<Dim>& scene, std::span<const std::size_t> bodies,
                       const std::any& memory)
{
    FluidParameters<Dim> parameters;
    for (const std::size_t number : bodies) {
        const auto& fluid = *scene.bodies[number].template get<FluidBodyOptions<Dim>>();
        parameters.viscosities.emplace_back(fluid.name, fluid.material.viscosity);
        parameters.options = fluid_options_of(*fluid.solver);
    }
    if (const auto* now = std::any_cast<EmitterMemory<Dim>>(&memory)) parameters.emitters = now->emitters;
    return parameters;
}

} // namespace

template <int Dim>
KindOf<Dim> fluid_kind()
{
    KindOf<Dim> kind;
    kind.name = "fluid";
    kind.options = options_format<Dim, FluidBodyOptions<Dim>>();
    kind.section = section_format<FlowOptions<Dim>>();
    kind.fields.assign(fluid_fields.begin(), fluid_fields.end());
    kind.usual_fields = {"density"};
    for (const FluidPreset& preset : fluid_presets())
        kind.materials.push_back(
            {.name = preset.name,
             .quantities = {{"density", "kg/m³", preset.density}, {"viscosity", "Pa s", preset.viscosity}},
             .source = preset.source});
    kind.can = {.be_pushed = true,
                .be_dropped = true,
                .be_meshed = true,
                .be_removed = true,
                .feel = true,
                .be_fed_by = "emitters"};
    kind.shares_solver = true;
    kind.check = [](Reader& in, const Node& root, const SceneOptions<Dim>& scene) {
        check_fluids(in, root, scene);
        check_solvers<FluidBodyOptions<Dim>>(in, root, scene);
        check_flows(in, root, scene);
    };
    kind.fill_in = [](SceneOptions<Dim>& scene) { share_solver<FluidBodyOptions<Dim>>(scene); };
    kind.make_builder = [](BuildContext<Dim>& context) -> std::unique_ptr<KindBuilder<Dim>> {
        return std::make_unique<FluidBuilder<Dim>>(context);
    };
    kind.parameters = parameters_of<Dim>;
    kind.section_changed = change_emitters<Dim>;
    return kind;
}

template KindOf<2> fluid_kind();
template KindOf<3> fluid_kind();

} // namespace phyxel
