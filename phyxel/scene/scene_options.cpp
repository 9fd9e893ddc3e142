// SPDX-License-Identifier: MIT
// Reading and writing of scenes: the one file beside scene_schema.cpp that sees the description.
#include <phyxel/scene/detail/scene_description.h>

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Frames beyond this are no animation but a mistake in the units of duration or frame rate.
constexpr double max_frame_count = 1e8;

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string item_text(std::string_view list, std::size_t number)
{
    return std::string(list) + '[' + std::to_string(number) + ']';
}

/// Calls visit(item, node, number) for those items of a list that were read from an object, within the scope
/// of their path.
template <class Item>
void for_each_item(Reader& in, const Node& root, std::string_view list, const std::vector<Item>& items,
                   auto&& visit)
{
    const Node* nodes = root.find(list);
    if (nodes == nullptr || !nodes->is_list() || nodes->items().size() != items.size()) return;
    const Reader::Scope scope = in.enter(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!nodes->items()[i].is_object()) continue;
        const Reader::Scope item = in.enter(i);
        visit(items[i], nodes->items()[i], i);
    }
}

/// The body itself, whatever its type.
template <int Dim>
const FluidBodyOptions<Dim>& fluid_of(const BodyOptions<Dim>& body)
{
    return std::get<FluidBodyOptions<Dim>>(body);
}

template <int Dim>
std::string_view name_of(const BodyOptions<Dim>& body)
{
    return std::visit([](const auto& b) -> std::string_view { return b.name; }, body);
}
template <class Item>
std::string_view name_of(const Item& item)
{
    return item.name;
}

template <class Item>
std::vector<std::string_view> names_of(const std::vector<Item>& items)
{
    std::vector<std::string_view> names;
    for (const Item& item : items) names.push_back(name_of(item));
    return names;
}

/// Names become parts of files and paths; each is used once.
template <class Item>
void check_names(Reader& in, const Node& root, std::string_view list, const std::vector<Item>& items)
{
    const std::vector<std::string_view> names = names_of(items);
    for_each_item(in, root, list, items, [&](const Item&, const Node& node, std::size_t i) {
        const Node* name = node.find("name");
        if (name == nullptr || !name->is_text()) return;
        const Reader::Scope scope = in.enter("name");
        if (!is_body_name(name->text())) {
            in.add_problem(
                *name, short_text(*name) + " is no name",
                "allowed: 1 to 100 bytes without slashes and control characters, no dot in front, no "
                "blank at either end");
            return;
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (names[j] != name->text()) continue;
            in.add_problem(
                *name, "the name " + in_quotes(names[j]) + " is used by " + item_text(list, j) + " already",
                "names must differ");
            return;
        }
    });
}

/// The surface of `a` is written as `a_surface`.
template <int Dim>
void check_surface_names(Reader& in, const Node& root, const std::vector<BodyOptions<Dim>>& bodies)
{
    constexpr std::string_view ending = "_surface";
    const std::vector<std::string_view> names = names_of(bodies);
    for_each_item(in, root, "bodies", bodies, [&](const auto&, const Node& node, std::size_t i) {
        if (!names[i].ends_with(ending)) return;
        const std::string_view owner = names[i].substr(0, names[i].size() - ending.size());
        const auto found = std::find(names.begin(), names.end(), owner);
        if (found == names.end()) return;
        const Reader::Scope scope = in.enter("name");
        in.add_problem(*node.find("name"),
                       "the name " + in_quotes(names[i]) + " is that of the surface of " +
                           item_text("bodies", static_cast<std::size_t>(found - names.begin())),
                       "choose another one");
    });
}

/// All fluids are one body to the solver.
template <int Dim>
void check_fluids(Reader& in, const Node& root, const std::vector<BodyOptions<Dim>>& bodies)
{
    const FluidBodyOptions<Dim>* first = nullptr;
    std::size_t first_number = 0;
    const FluidBodyOptions<Dim>* first_solved = nullptr;
    std::size_t solved_number = 0;
    for_each_item(
        in, root, "bodies", bodies, [&](const BodyOptions<Dim>& body, const Node& node, std::size_t i) {
            const FluidBodyOptions<Dim>& fluid = fluid_of(body);
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
            if (!fluid.solver) return;
            if (first_solved == nullptr) {
                first_solved = &fluid;
                solved_number = i;
                return;
            }
            const Node here = write_options(*fluid.solver);
            const Node there = write_options(*first_solved->solver);
            for (const Node::Member& member : here.members()) {
                const Node* other = there.find(member.key);
                if (other != nullptr && *other == member.value) continue;
                const Reader::Scope scope = in.enter("solver");
                in.add_problem(*node.find("solver"),
                               member.key + " is " + short_text(member.value) + " here and " +
                                   (other != nullptr ? short_text(*other) : "not given") + " in " +
                                   item_text("bodies", solved_number),
                               "all fluids have one solver; give it in one of them only");
                return;
            }
        });
}

/// Of probes.csv; none for a probe that could not be read.
template <int Dim>
std::vector<std::string> columns_of(const ProbeOptions<Dim>& options)
{
    Probe<Dim> probe;
    probe.name = options.name;
    probe.field = options.field;
    if (options.line) probe.what = *options.line;
    return options.name.empty() || options.field.empty() ? std::vector<std::string>() : probe_columns(probe);
}

template <int Dim>
void check_probes(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const auto check_target = [&](const Node& node, std::string_view key,
                                  const std::optional<std::string>& target,
                                  const std::vector<std::string_view>& names) {
        if (!target || std::find(names.begin(), names.end(), *target) != names.end()) return;
        const Reader::Scope scope = in.enter(key);
        in.add_problem(*node.find(key),
                       "there is no " + std::string(key) + " named " + short_text(*node.find(key)),
                       suggestion(*target, names) + "known: " + (names.empty() ? "none" : word_list(names)));
    };
    std::set<std::string> taken = {"time"};
    for_each_item(
        in, root, "probes", scene.probes,
        [&](const ProbeOptions<Dim>& probe, const Node& node, std::size_t number) {
            check_target(node, "body", probe.body, names_of(scene.bodies));
            check_target(node, "obstacle", probe.obstacle, names_of(scene.obstacles));
            // Equal names are refused already.
            const bool is_repeated =
                std::any_of(scene.probes.begin(), scene.probes.begin() + static_cast<std::ptrdiff_t>(number),
                            [&](const ProbeOptions<Dim>& other) { return other.name == probe.name; });
            if (is_repeated) return;
            const std::vector<std::string> columns = columns_of(probe);
            const auto clash = std::find_if(columns.begin(), columns.end(), [&](const std::string& column) {
                return taken.contains(column);
            });
            if (clash != columns.end()) {
                const Reader::Scope scope = in.enter("name");
                in.add_problem(*node.find("name"), "the column " + in_quotes(*clash) + " is there already",
                               "choose another name");
            }
            taken.insert(columns.begin(), columns.end());
        });
}

/// Emitters feed bodies.
template <int Dim>
void check_emitters(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const std::vector<std::string_view> names = names_of(scene.bodies);
    for_each_item(in, root, "emitters", scene.emitters,
                  [&](const EmitterSettings<Dim>& emitter, const Node& node, std::size_t) {
                      const Node* body = node.find("body");
                      if (body == nullptr || !body->is_text() ||
                          std::find(names.begin(), names.end(), emitter.body) != names.end())
                          return;
                      const Reader::Scope scope = in.enter("body");
                      in.add_problem(*body, "there is no body named " + short_text(*body),
                                     suggestion(emitter.body, names) + "known: " + word_list(names));
                  });
    constexpr std::size_t most = 1000;
    if (scene.emitters.size() <= most) return;
    const Reader::Scope scope = in.enter("emitters");
    in.add_problem(*root.find("emitters"), std::to_string(scene.emitters.size()) + " emitters are too many",
                   "at most " + std::to_string(most));
}

/// Pictures can show what frames have.
template <int Dim>
void check_render(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const Node* render = root.find("render");
    const Node* color = render != nullptr && render->is_object() ? render->find("color") : nullptr;
    const Node* field = color != nullptr && color->is_object() ? color->find("field") : nullptr;
    if (field == nullptr || !field->is_text()) return;
    std::vector<std::string_view> known = {"body", "id", "velocity"};
    for (const OutputField written : scene.output.fields)
        for (const auto& word : words(OutputField{}))
            if (word.value == written && std::find(known.begin(), known.end(), word.word) == known.end())
                known.push_back(word.word);
    if (std::find(known.begin(), known.end(), field->text()) != known.end()) return;
    const Reader::Scope outer = in.enter("render");
    const Reader::Scope inner = in.enter("color");
    const Reader::Scope scope = in.enter("field");
    in.add_problem(*field, "frames have no field " + short_text(*field),
                   suggestion(field->text(), known) + "allowed: " + word_list(known) +
                       ", and what output.fields adds");
}

/// What no part of a scene can tell alone. Parts that could not be read are left out.
template <int Dim>
void check_scene(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    if (!root.is_object()) return;
    check_resolution(in, root, scene);
    if (!(scene.duration * scene.frame_rate <= max_frame_count)) {
        const bool is_rate = root.find("duration") == nullptr;
        const std::string_view key = is_rate ? "frame_rate" : "duration";
        const Reader::Scope scope = in.enter(key);
        in.add_problem(*root.find(key),
                       number_text(scene.duration * scene.frame_rate, 3) + " frames are too many",
                       "duration times frame_rate must be at most " + number_text(max_frame_count));
    }
    if (const Node* bodies = root.find("bodies");
        bodies != nullptr && bodies->is_list() && bodies->items().empty()) {
        const Reader::Scope scope = in.enter("bodies");
        in.add_problem(*bodies, "there is nothing to simulate", "expected at least one body");
    }
    check_names(in, root, "bodies", scene.bodies);
    check_surface_names(in, root, scene.bodies);
    check_names(in, root, "obstacles", scene.obstacles);
    check_names(in, root, "emitters", scene.emitters);
    check_names(in, root, "outflows", scene.outflows);
    check_names(in, root, "probes", scene.probes);
    check_fluids(in, root, scene.bodies);
    check_emitters(in, root, scene);
    check_probes(in, root, scene);
    check_render(in, root, scene);
}

/// What is chosen from other parameters.
template <int Dim>
void fill_in(SceneOptions<Dim>& scene)
{
    if (!scene.spacing && !scene.count) scene.count = default_particle_count;
    SolverSettings solver;
    const auto solved = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                     [](const auto& body) { return fluid_of<Dim>(body).solver.has_value(); });
    if (solved != scene.bodies.end()) solver = *fluid_of<Dim>(*solved).solver;
    for (BodyOptions<Dim>& body : scene.bodies) std::visit([&](auto& b) { b.solver = solver; }, body);
}

void set_places(Node& node, const Place& place)
{
    node.set_place(place);
    if (node.is_list())
        for (Node& item : node.items()) set_places(item, place);
    if (node.is_object())
        for (Node::Member& member : node.members()) {
            member.key_place = place;
            set_places(member.value, place);
        }
}

/// Gives every value the place where it was written, or where what encloses it was.
void copy_places(Node& node, const Node& written)
{
    node.set_place(written.place());
    if (node.is_list()) {
        const bool is_alike = written.is_list() && written.items().size() == node.items().size();
        for (std::size_t i = 0; i < node.items().size(); ++i) {
            if (is_alike)
                copy_places(node.items()[i], written.items()[i]);
            else
                set_places(node.items()[i], written.place());
        }
    }
    if (node.is_object()) {
        for (Node::Member& member : node.members()) {
            const Node* source = written.is_object() ? written.find(member.key) : nullptr;
            if (source != nullptr)
                copy_places(member.value, *source);
            else
                set_places(member.value, written.place());
            member.key_place = member.value.place();
        }
    }
}

} // namespace

FluidMaterial::FluidMaterial()
{
    const MaterialPreset& water = material_presets().front();
    from = water.name;
    density = water.density;
    viscosity = water.viscosity;
}

template <int Dim>
SceneOptions<Dim> read_scene_options(const Node& root)
{
    SceneOptions<Dim> scene;
    Reader reader;
    ValueFormat<SceneOptions<Dim>>::read(reader, root, {}, scene);
    check_scene(reader, root, scene);
    reader.finish();
    fill_in(scene);
    return scene;
}

template <int Dim>
Node write_scene_options(const SceneOptions<Dim>& options, const Node& root)
{
    SceneOptions<Dim> scene = options;
    scene.schema.reset();
    Node node = write_options(scene);
    copy_places(node, root);
    return node;
}

template SceneOptions<2> read_scene_options(const Node&);
template SceneOptions<3> read_scene_options(const Node&);
template Node write_scene_options(const SceneOptions<2>&, const Node&);
template Node write_scene_options(const SceneOptions<3>&, const Node&);

} // namespace phyxel
