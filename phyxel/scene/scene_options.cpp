// SPDX-License-Identifier: MIT
// Reading and writing of scenes: the one file beside scene_schema.cpp that sees the description.
#include <phyxel/scene/detail/scene_description.h>

#include <phyxel/core/number_text.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/solid_body.h>

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

/// Calls visit(body, node, number) for those bodies of a kind that were read from an object that says so.
template <class Kind, int Dim>
void for_each_body(Reader& in, const Node& root, const SceneOptions<Dim>& scene, auto&& visit)
{
    for_each_item(
        in, root, "bodies", scene.bodies, [&](const BodyOptions<Dim>& body, const Node& node, std::size_t i) {
            const Node* type = node.find("type");
            if (type != nullptr && *type == Node(type_word(Kind{})) && std::holds_alternative<Kind>(body))
                visit(std::get<Kind>(body), node, i);
        });
}

/// Which kinds of bodies a scene has; both where that cannot be told, so that nobody hears of what follows
/// from another mistake.
struct BodyKinds {
    bool fluids = false;
    bool solids = false;
};

BodyKinds kinds_of_bodies(const Node& root)
{
    constexpr BodyKinds unknown = {true, true};
    const Node* bodies = root.find("bodies");
    if (bodies == nullptr || !bodies->is_list() || bodies->items().empty()) return unknown;
    BodyKinds kinds;
    for (const Node& body : bodies->items()) {
        const Node* type = body.is_object() ? body.find("type") : nullptr;
        if (type != nullptr && *type == Node("fluid"))
            kinds.fluids = true;
        else if (type != nullptr && *type == Node("solid"))
            kinds.solids = true;
        else
            return unknown;
    }
    return kinds;
}

/// Beside velocity, those that points of these bodies have.
std::vector<std::string_view> fields_of(const BodyKinds& kinds)
{
    std::vector<std::string_view> fields;
    if (kinds.fluids) fields.insert(fields.end(), fluid_fields.begin(), fluid_fields.end());
    if (kinds.solids) fields.insert(fields.end(), solid_fields.begin(), solid_fields.end());
    return fields;
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

/// Of all bodies, also of those whose type is not known.
template <int Dim>
std::vector<std::string_view> body_names(const Node& root, const SceneOptions<Dim>& scene)
{
    std::vector<std::string_view> names = names_of(scene.bodies);
    const Node* bodies = root.find("bodies");
    if (bodies == nullptr || !bodies->is_list()) return names;
    for (std::size_t i = 0; i < std::min(names.size(), bodies->items().size()); ++i) {
        const Node* name = bodies->items()[i].is_object() ? bodies->items()[i].find("name") : nullptr;
        if (names[i].empty() && name != nullptr && name->is_text()) names[i] = name->text();
    }
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

/// All bodies of a kind are one to their solver.
template <class Kind, int Dim>
void check_solvers(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const Kind* first = nullptr;
    std::size_t first_number = 0;
    for_each_body<Kind>(in, root, scene, [&](const Kind& body, const Node& node, std::size_t i) {
        if (!body.solver) return;
        if (first == nullptr) {
            first = &body;
            first_number = i;
            return;
        }
        const Node here = write_options(*body.solver);
        const Node there = write_options(*first->solver);
        for (const Node::Member& member : here.members()) {
            const Node* other = there.find(member.key);
            if (other != nullptr && *other == member.value) continue;
            const Reader::Scope scope = in.enter("solver");
            in.add_problem(*node.find("solver"),
                           member.key + " is " + short_text(member.value) + " here and " +
                               (other != nullptr ? short_text(*other) : "not given") + " in " +
                               item_text("bodies", first_number),
                           "all " + std::string(type_word(Kind{})) +
                               "s have one solver; give it in one of them only");
            return;
        }
    });
}

/// Bodies that come later are numbered after those that are there. Something must be.
template <class Kind, int Dim>
void check_starts(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    bool is_first = true;
    std::optional<std::size_t> late;
    for_each_body<Kind>(in, root, scene, [&](const Kind& body, const Node& node, std::size_t i) {
        if (is_first && body.start) {
            const Reader::Scope scope = in.enter("start");
            in.add_problem(*node.find("start"),
                           "the first " + std::string(type_word(Kind{})) +
                               " must be there from the beginning",
                           "leave it out");
        } else if (late && !body.start) {
            in.add_problem(
                node, "it is there from the beginning, and " + item_text("bodies", *late) + " comes later",
                "bodies that have a start must stand after those that have none");
        }
        is_first = false;
        if (body.start && !late) late = i;
    });
}

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

/// Names of regions, and what solids cannot do yet.
template <int Dim>
void check_solids(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    bool has_solids = false;
    bool is_quasi_static = false;
    for_each_body<SolidBodyOptions<Dim>>(
        in, root, scene, [&](const SolidBodyOptions<Dim>& solid, const Node& node, std::size_t) {
            has_solids = true;
            if (solid.solver && std::holds_alternative<QuasiStaticOptions>(*solid.solver))
                is_quasi_static = true;
            check_names(in, node, "regions", solid.regions);
        });
    for_each_body<SolidBodyOptions<Dim>>(
        in, root, scene, [&](const SolidBodyOptions<Dim>& solid, const Node& node, std::size_t) {
            const bool is_held = std::any_of(solid.regions.begin(), solid.regions.end(),
                                             [](const auto& region) { return region.motion.has_value(); });
            if (is_quasi_static && solid.start) {
                const Reader::Scope scope = in.enter("start");
                in.add_problem(*node.find("start"), "an equilibrium has no beginning",
                               "leave it out, or choose another solver");
            }
            if (is_quasi_static && !is_held)
                in.add_problem(node, "nothing holds the body, so it has no equilibrium",
                               "expected a region with \"motion\": \"fixed\", or another solver");
        });
    const Node* domain = root.find("domain");
    const Node* sides = domain != nullptr && domain->is_object() ? domain->find("sides") : nullptr;
    if (!has_solids || !scene.domain || sides == nullptr || !sides->is_object()) return;
    constexpr std::array<std::string_view, 3> axes = {"x", "y", "z"};
    const Reader::Scope outer = in.enter("domain");
    const Reader::Scope inner = in.enter("sides");
    for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
        const Node* axis = sides->find(axes[k]);
        if (axis == nullptr || scene.domain->sides.axes[k].lower != DomainSide::Periodic) continue;
        const Reader::Scope scope = in.enter(axes[k]);
        in.add_problem(*axis, "solids in a periodic domain are not possible yet", "allowed: wall, open");
    }
}

/// The chosen fields are those of bodies that are there.
template <int Dim>
void check_output(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const Node* output = root.find("output");
    const Node* fields = output != nullptr && output->is_object() ? output->find("fields") : nullptr;
    if (fields == nullptr || !fields->is_list() || !scene.output.fields ||
        scene.output.fields->size() != fields->items().size())
        return;
    std::vector<std::string_view> known = {"velocity", "id"};
    for (const std::string_view field : fields_of(kinds_of_bodies(root))) known.push_back(field);
    constexpr auto all = words(OutputField{});
    const Reader::Scope outer = in.enter("output");
    const Reader::Scope list = in.enter("fields");
    for (std::size_t i = 0; i < fields->items().size(); ++i) {
        const Node& field = fields->items()[i];
        const bool is_word = field.is_text() && std::any_of(all.begin(), all.end(), [&](const auto& word) {
                                 return word.word == field.text();
                             });
        if (!is_word || std::find(known.begin(), known.end(), field.text()) != known.end()) continue;
        const Reader::Scope item = in.enter(i);
        in.add_problem(field, "no body of the scene has the field " + short_text(field),
                       "allowed: " + word_list(known));
    }
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

/// The type that a body of this name has been given.
BodyKinds kinds_of_body(const Node& root, std::string_view name)
{
    const Node* bodies = root.find("bodies");
    if (bodies != nullptr && bodies->is_list())
        for (const Node& body : bodies->items()) {
            const Node* given = body.is_object() ? body.find("name") : nullptr;
            if (given != nullptr && *given == Node(name))
                return kinds_of_bodies(Node::object({{"bodies", Node::list({body})}}));
        }
    return {true, true};
}

/// What is measured has the field.
template <int Dim>
void check_field(Reader& in, const Node& root, const Node& node, const ProbeOptions<Dim>& probe)
{
    const Node* field = node.find("field");
    const std::vector<std::string_view> kinds = probe_kinds(probe);
    if (field == nullptr || !field->is_text() || kinds.size() != 1) return;
    std::vector<std::string_view> fields;
    if (probe.point || probe.line) {
        if (probe.body) fields = {"position", "displacement"};
        fields.push_back("velocity");
        const BodyKinds bodies = probe.body ? kinds_of_body(root, *probe.body) : kinds_of_bodies(root);
        for (const std::string_view name : fields_of(bodies)) fields.push_back(name);
    }
    if (probe.plane) fields = {"flow"};
    if (probe.body && !probe.point)
        fields = {"bounds", "center", "volume", "momentum", "energy", "max_speed"};
    if (probe.obstacle) fields = {"force", "torque"};
    if (std::find(fields.begin(), fields.end(), field->text()) != fields.end()) return;
    const Reader::Scope scope = in.enter("field");
    const std::string owner = probe.point && probe.body ? "point of a body" : std::string(kinds.front());
    const bool has_vowel = std::string_view("aeiou").find(owner.front()) != std::string_view::npos;
    in.add_problem(*field, (has_vowel ? "an " : "a ") + owner + " has no field " + short_text(*field),
                   suggestion(field->text(), fields) + "allowed: " + word_list(fields));
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
            check_field(in, root, node, probe);
            check_target(node, "body", probe.body, body_names(root, scene));
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

/// The body that an item names is there and of the right kind; `else_is` says what it is otherwise.
template <class Kind, int Dim>
void check_body_of(Reader& in, const Node& root, const SceneOptions<Dim>& scene, const Node& item,
                   const std::string& name, std::string_view else_is)
{
    const std::vector<std::string_view> all = body_names(root, scene);
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::holds_alternative<Kind>(scene.bodies[i])) names.push_back(all[i]);
    const Node* body = item.find("body");
    if (body == nullptr || !body->is_text() || std::find(names.begin(), names.end(), name) != names.end())
        return;
    const Reader::Scope scope = in.enter("body");
    const bool is_other = std::find(all.begin(), all.end(), name) != all.end();
    in.add_problem(*body,
                   is_other ? short_text(*body) + std::string(else_is)
                            : "there is no body named " + short_text(*body),
                   suggestion(name, names) + "known: " + (names.empty() ? "none" : word_list(names)));
}

/// Lists that somebody writes by hand are short.
void check_length(Reader& in, const Node& root, std::string_view list, std::size_t length)
{
    constexpr std::size_t most = 1000;
    if (length <= most) return;
    const Reader::Scope scope = in.enter(list);
    in.add_problem(*root.find(list), std::to_string(length) + ' ' + std::string(list) + " are too many",
                   "at most " + std::to_string(most));
}

/// Emitters feed fluids.
template <int Dim>
void check_emitters(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    for_each_item(in, root, "emitters", scene.emitters,
                  [&](const EmitterSettings<Dim>& emitter, const Node& node, std::size_t) {
                      check_body_of<FluidBodyOptions<Dim>>(in, root, scene, node, emitter.body,
                                                           " is a solid, and emitters feed fluids");
                      for (const BodyOptions<Dim>& body : scene.bodies)
                          if (const auto* fluid = std::get_if<FluidBodyOptions<Dim>>(&body);
                              fluid != nullptr && fluid->name == emitter.body && fluid->start) {
                              const Reader::Scope scope = in.enter("body");
                              in.add_problem(*node.find("body"),
                                             short_text(*node.find("body")) + " comes later",
                                             "emitters feed fluids that are there from the beginning");
                          }
                  });
    check_length(in, root, "emitters", scene.emitters.size());
}

/// Hands take hold of solids.
template <int Dim>
void check_hands(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    for_each_item(in, root, "hands", scene.hands,
                  [&](const HandOptions<Dim>& hand, const Node& node, std::size_t) {
                      if (hand.kind != HandKind::Push)
                          check_body_of<SolidBodyOptions<Dim>>(in, root, scene, node, hand.body,
                                                               " is a fluid, and hands take hold of solids");
                  });
    check_length(in, root, "hands", scene.hands.size());
}

/// What frames have if nothing is said.
std::vector<OutputField> usual_fields(const BodyKinds& kinds)
{
    std::vector<OutputField> fields = {OutputField::Velocity};
    if (kinds.fluids) fields.push_back(OutputField::Density);
    if (kinds.solids) fields.push_back(OutputField::Stress);
    return fields;
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
    for (const OutputField written : scene.output.fields.value_or(usual_fields(kinds_of_bodies(root))))
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
    check_names(in, root, "hands", scene.hands);
    check_fluids(in, root, scene);
    check_solids(in, root, scene);
    check_starts<FluidBodyOptions<Dim>>(in, root, scene);
    check_starts<SolidBodyOptions<Dim>>(in, root, scene);
    check_solvers<FluidBodyOptions<Dim>>(in, root, scene);
    check_solvers<SolidBodyOptions<Dim>>(in, root, scene);
    check_output(in, root, scene);
    check_emitters(in, root, scene);
    check_hands(in, root, scene);
    check_probes(in, root, scene);
    check_render(in, root, scene);
}

/// Gives all bodies of a kind the solver of the first that has one.
template <class Kind, int Dim>
void share_solver(SceneOptions<Dim>& scene)
{
    decltype(Kind::solver) solver;
    for (const BodyOptions<Dim>& body : scene.bodies)
        if (const Kind* b = std::get_if<Kind>(&body); b != nullptr && !solver) solver = b->solver;
    if (!solver) solver.emplace();
    for (BodyOptions<Dim>& body : scene.bodies)
        if (Kind* b = std::get_if<Kind>(&body)) b->solver = solver;
}

/// What is chosen from other parameters.
template <int Dim>
void fill_in(SceneOptions<Dim>& scene)
{
    if (!scene.spacing && !scene.count) scene.count = default_particle_count;
    scene.chooses_solid_solver =
        std::none_of(scene.bodies.begin(), scene.bodies.end(), [](const BodyOptions<Dim>& body) {
            const auto* solid = std::get_if<SolidBodyOptions<Dim>>(&body);
            return solid != nullptr && solid->solver;
        });
    share_solver<FluidBodyOptions<Dim>>(scene);
    share_solver<SolidBodyOptions<Dim>>(scene);
    BodyKinds kinds;
    for (const BodyOptions<Dim>& body : scene.bodies)
        (std::holds_alternative<SolidBodyOptions<Dim>>(body) ? kinds.solids : kinds.fluids) = true;
    if (!scene.output.fields) scene.output.fields = usual_fields(kinds);
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
    const FluidPreset& water = fluid_presets().front();
    from = water.name;
    density = water.density;
    viscosity = water.viscosity;
}

SolidMaterialOptions::SolidMaterialOptions()
{
    const SolidPreset& jelly = solid_presets().front();
    from = jelly.name;
    properties = material_of(jelly);
}

template <int Dim>
std::optional<SceneOptions<Dim>> read_scene_options(const Node& root, std::vector<Problem>& problems)
{
    SceneOptions<Dim> scene;
    Reader reader;
    ValueFormat<SceneOptions<Dim>>::read(reader, root, {}, scene);
    check_scene(reader, root, scene);
    problems.insert(problems.end(), reader.problems().begin(), reader.problems().end());
    if (!reader.has_all_parts()) return std::nullopt;
    fill_in(scene);
    return scene;
}

template <int Dim>
SceneOptions<Dim> read_scene_options(const Node& root)
{
    std::vector<Problem> problems;
    std::optional<SceneOptions<Dim>> scene = read_scene_options<Dim>(root, problems);
    if (!problems.empty()) throw SceneError(std::move(problems));
    return std::move(scene.value());
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

template std::optional<SceneOptions<2>> read_scene_options(const Node&, std::vector<Problem>&);
template std::optional<SceneOptions<3>> read_scene_options(const Node&, std::vector<Problem>&);
template SceneOptions<2> read_scene_options(const Node&);
template SceneOptions<3> read_scene_options(const Node&);
template Node write_scene_options(const SceneOptions<2>&, const Node&);
template Node write_scene_options(const SceneOptions<3>&, const Node&);

} // namespace phyxel
