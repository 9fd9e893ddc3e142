// SPDX-License-Identifier: MIT
// Reading and writing of scenes: the one file beside scene_schema.cpp that sees the description.
#include <phyxel/scene/detail/scene_description.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/kind_checks.h>

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Frames beyond this are no animation but a mistake in the units of duration or frame rate.
constexpr double max_frame_count = 1e8;

/// The kinds that a scene has bodies of; all where that cannot be told, so that nobody hears of what follows
/// from another mistake.
template <int Dim>
std::vector<const KindOf<Dim>*> kinds_of_bodies(const Reader& in, const SceneOptions<Dim>& scene,
                                                std::optional<std::string_view> name = {})
{
    std::vector<const KindOf<Dim>*> all;
    for (const auto& kind : in.kinds()->template of<Dim>()) all.push_back(kind.get());
    std::vector<const KindOf<Dim>*> found;
    for (const BodyOptions<Dim>& body : scene.bodies) {
        if (body.kind == nullptr) return all;
        if ((!name || body.name() == *name) &&
            std::find(found.begin(), found.end(), body.kind) == found.end())
            found.push_back(body.kind);
    }
    if (found.empty()) return all;
    std::erase_if(
        all, [&](const auto* kind) { return std::find(found.begin(), found.end(), kind) == found.end(); });
    return all;
}

/// Beside velocity, those that points of these bodies have.
template <int Dim>
std::vector<std::string_view> fields_of(const std::vector<const KindOf<Dim>*>& kinds)
{
    std::vector<std::string_view> fields;
    for (const KindOf<Dim>* kind : kinds)
        for (const FieldInfo& field : kind->fields) fields.push_back(field.name);
    return fields;
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

/// Whoever is ignored is there, and somebody else.
template <int Dim>
void check_ignored(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const std::vector<std::string_view> bodies = names_of(scene.bodies);
    std::vector<std::string_view> all = bodies;
    for (const ObstacleOptions<Dim>& obstacle : scene.obstacles) all.push_back(obstacle.name);
    const auto check = [&](const Node& node, std::string_view own, const auto& ignores,
                           const std::vector<std::string_view>& known, std::string_view what) {
        const Node* names = node.find("ignores");
        if (!ignores || names == nullptr || !names->is_list()) return;
        const Reader::Scope scope = in.enter("ignores");
        for (std::size_t k = 0; k < names->items().size(); ++k) {
            const Node& name = names->items()[k];
            if (!name.is_text()) continue;
            const Reader::Scope item = in.enter(k);
            if (name.text() == own)
                in.add_problem(name, "nothing ignores itself", "leave it out");
            else if (std::find(known.begin(), known.end(), name.text()) == known.end())
                in.add_problem(name, "there is no " + std::string(what) + " named " + short_text(name),
                               suggestion(name.text(), known) + "known: " + word_list(known));
        }
    };
    for_each_item(in, root, "bodies", scene.bodies,
                  [&](const BodyOptions<Dim>& body, const Node& node, std::size_t) {
                      if (body.kind != nullptr)
                          check(node, body.name(), body.basics().ignores, all, "body or obstacle");
                  });
    for_each_item(in, root, "obstacles", scene.obstacles,
                  [&](const ObstacleOptions<Dim>& obstacle, const Node& node, std::size_t) {
                      check(node, obstacle.name, obstacle.ignores, bodies, "body");
                  });
}

/// Bodies that come later are numbered after those of their kind that are there. Something must be.
template <int Dim>
void check_starts(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    for (const auto& kind : in.kinds()->template of<Dim>()) {
        bool is_first = true;
        std::optional<std::size_t> late;
        for_each_item(in, root, "bodies", scene.bodies,
                      [&](const BodyOptions<Dim>& body, const Node& node, std::size_t i) {
                          if (body.kind != kind.get()) return;
                          const std::optional<double>& start = body.basics().start;
                          if (is_first && start) {
                              const Reader::Scope scope = in.enter("start");
                              in.add_problem(*node.find("start"),
                                             "the first " + kind->name + " must be there from the beginning",
                                             "leave it out");
                          } else if (late && !start) {
                              in.add_problem(
                                  node,
                                  "it is there from the beginning, and " + item_text("bodies", *late) +
                                      " comes later",
                                  "bodies that have a start must stand after those that have none");
                          }
                          is_first = false;
                          if (start && !late) late = i;
                      });
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
    for (const std::string_view field : fields_of(kinds_of_bodies(in, scene))) known.push_back(field);
    const std::vector<std::string_view> all = field_words(in.kinds());
    const Reader::Scope outer = in.enter("output");
    const Reader::Scope list = in.enter("fields");
    for (std::size_t i = 0; i < fields->items().size(); ++i) {
        const Node& field = fields->items()[i];
        const bool is_word = field.is_text() && std::find(all.begin(), all.end(), field.text()) != all.end();
        if (!is_word || std::find(known.begin(), known.end(), field.text()) != known.end()) continue;
        const Reader::Scope item = in.enter(i);
        in.add_problem(field, "no body of the scene has the field " + short_text(field),
                       "allowed: " + word_list(known));
    }
}

/// Of probes.csv; none for a probe that could not be read.
template <int Dim>
std::vector<std::string> columns_of(const Reader& in, const ProbeOptions<Dim>& options)
{
    Probe<Dim> probe;
    probe.name = options.name;
    probe.field = options.field;
    probe.components = probe_components<Dim>(*in.kinds(), options);
    if (options.line) probe.what = *options.line;
    if (options.obstacle) probe.what = ObstacleProbe();
    if (options.joint) probe.what = JointProbe();
    return options.name.empty() || options.field.empty() ? std::vector<std::string>() : probe_columns(probe);
}

/// Of all kinds.
template <int Dim>
std::vector<JointInfo> joints_of(const Reader& in, const SceneOptions<Dim>& scene)
{
    std::vector<JointInfo> all;
    for (const auto& kind : in.kinds()->template of<Dim>())
        if (kind->joints)
            for (JointInfo& joint : kind->joints(scene)) all.push_back(std::move(joint));
    return all;
}

/// What is measured has the field.
template <int Dim>
void check_field(Reader& in, const SceneOptions<Dim>& scene, const Node& node, const ProbeOptions<Dim>& probe)
{
    const Node* field = node.find("field");
    const std::vector<std::string_view> kinds = probe_kinds(probe);
    if (field == nullptr || !field->is_text() || kinds.size() != 1) return;
    std::vector<std::string_view> fields;
    if (probe.point || probe.line) {
        if (probe.body) fields = {"position", "displacement"};
        fields.push_back("velocity");
        for (const std::string_view name : fields_of(kinds_of_bodies(in, scene, probe.body)))
            fields.push_back(name);
    }
    if (probe.plane) fields = {"flow"};
    if (probe.body && !probe.point) {
        fields = {"bounds", "center", "volume", "momentum", "energy", "max_speed"};
        for (const KindOf<Dim>* kind : kinds_of_bodies(in, scene, probe.body))
            for (const FieldInfo& info : kind->part_fields) fields.push_back(info.name);
    }
    if (probe.obstacle) fields = {"force", "torque"};
    if (probe.joint)
        for (const JointInfo& joint : joints_of(in, scene))
            if (joint.name == *probe.joint) fields = joint.fields;
    if (probe.joint && fields.empty()) return; // there is no such joint
    if (std::find(fields.begin(), fields.end(), field->text()) != fields.end()) return;
    const Reader::Scope scope = in.enter("field");
    const std::string owner = probe.point && probe.body ? "point of a body"
                              : probe.joint             ? "joint of this type"
                                                        : std::string(kinds.front());
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
    const std::vector<JointInfo> joints = joints_of(in, scene);
    std::vector<std::string_view> joint_names;
    for (const JointInfo& joint : joints) joint_names.push_back(joint.name);
    std::set<std::string> taken = {"time"};
    for_each_item(
        in, root, "probes", scene.probes,
        [&](const ProbeOptions<Dim>& probe, const Node& node, std::size_t number) {
            check_field(in, scene, node, probe);
            check_target(node, "body", probe.body, body_names(root, scene));
            check_target(node, "obstacle", probe.obstacle, names_of(scene.obstacles));
            check_target(node, "joint", probe.joint, joint_names);
            // Equal names are refused already.
            const bool is_repeated =
                std::any_of(scene.probes.begin(), scene.probes.begin() + static_cast<std::ptrdiff_t>(number),
                            [&](const ProbeOptions<Dim>& other) { return other.name == probe.name; });
            if (is_repeated) return;
            const std::vector<std::string> columns = columns_of(in, probe);
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

/// Hands take hold of what can be held.
template <int Dim>
void check_hands(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    std::string fitting;
    for (const auto& kind : in.kinds()->template of<Dim>())
        if (kind->can.be_held) fitting += (fitting.empty() ? "" : " and ") + kind->name;
    for_each_item(
        in, root, "hands", scene.hands, [&](const HandOptions<Dim>& hand, const Node& node, std::size_t) {
            if (hand.kind == HandKind::Pull || hand.kind == HandKind::Hold)
                check_body_of(
                    in, scene, node, hand.body, [](const KindOf<Dim>& kind) { return kind.can.be_held; },
                    "hands take hold of " + (fitting.empty() ? "nothing" : fitting + " bodies"));
        });
    check_length(in, root, "hands", scene.hands.size());
}

/// What frames have if nothing is said.
template <int Dim>
std::vector<FieldName> usual_fields(const std::vector<const KindOf<Dim>*>& kinds)
{
    std::vector<FieldName> fields = {{"velocity"}};
    for (const KindOf<Dim>* kind : kinds)
        for (const std::string& field : kind->usual_fields) fields.push_back({field});
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
    const std::vector<FieldName> written =
        scene.output.fields.value_or(usual_fields(kinds_of_bodies(in, scene)));
    for (const FieldName& field_name : written)
        if (std::find(known.begin(), known.end(), field_name.name) == known.end())
            known.push_back(field_name.name);
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
    check_names(in, root, "probes", scene.probes);
    check_names(in, root, "hands", scene.hands);
    for (const auto& kind : in.kinds()->template of<Dim>())
        if (kind->check) kind->check(in, root, scene);
    check_starts(in, root, scene);
    check_ignored(in, root, scene);
    check_output(in, root, scene);
    check_hands(in, root, scene);
    check_probes(in, root, scene);
    check_render(in, root, scene);
}

/// What a scene had where parts of it are read again.
template <int Dim>
struct PartsBefore {
    std::size_t body_count = 0;
    std::vector<std::pair<std::size_t, BodyOptions<Dim>>> bodies = {};
    std::vector<std::pair<std::size_t, ObstacleOptions<Dim>>> obstacles = {};
    std::vector<std::pair<std::size_t, std::any>> sections = {};
    std::optional<std::array<Formula, Dim>> gravity = {};
    std::optional<std::vector<HandOptions<Dim>>> hands = {};

    void restore(SceneOptions<Dim>& options)
    {
        for (auto& [number, body] : bodies) std::swap(options.bodies[number], body);
        options.bodies.resize(body_count); // the last may have been added
        for (auto& [number, obstacle] : obstacles) std::swap(options.obstacles[number], obstacle);
        for (auto& [number, section] : sections) std::swap(options.sections[number].options, section);
        if (gravity) options.gravity = *gravity;
        if (hands) options.hands = *hands;
    }
};

template <int Dim>
void read_item(Reader& in, const Node& root, const std::string& list, std::size_t number,
               SceneOptions<Dim>& options, PartsBefore<Dim>& before, std::set<const KindOf<Dim>*>& touched)
{
    const Node& node = root.find(list)->items()[number];
    const Reader::Scope outer = in.enter(list);
    const Reader::Scope item = in.enter(number);
    if (list == "obstacles") {
        ObstacleOptions<Dim> obstacle;
        ValueFormat<ObstacleOptions<Dim>>::read(in, node, {}, obstacle);
        obstacle.removed = options.obstacles[number].removed;
        std::swap(options.obstacles[number], obstacle);
        before.obstacles.emplace_back(number, std::move(obstacle));
        return;
    }
    BodyOptions<Dim> body;
    ValueFormat<BodyOptions<Dim>>::read(in, node, {}, body);
    in.finish();                         // only a body that could be read is one
    if (number == options.bodies.size()) // one more than there were
        options.bodies.push_back(body);
    else
        body.basics().removed = options.bodies[number].basics().removed;
    std::swap(options.bodies[number], body);
    before.bodies.emplace_back(number, std::move(body));
    touched.insert(options.bodies[number].kind);
}

/// Visitor that reads one member only.
struct OneKeyReader {
    MemberReader& visit;
    std::string_view key;

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        if (name == key) visit(name, member, parameter);
    }
};
template <int Dim>
void describe_sections(OneKeyReader&, SceneOptions<Dim>&)
{
}

template <int Dim>
void read_key(Reader& in, const Node& root, const std::string& key, SceneOptions<Dim>& options,
              PartsBefore<Dim>& before, std::set<const KindOf<Dim>*>& touched)
{
    MemberReader visit(in, root);
    for (std::size_t k = 0; k < options.sections.size(); ++k) {
        KindSection<Dim>& section = options.sections[k];
        const std::array<Path::Step, 1> steps = {key};
        ChangeFinder finder(steps);
        section.kind->section->find_changeable(finder, section.options);
        // Of joints only motors can be changed, not the list.
        const bool is_of_joints = section.kind->joints && key == "joints";
        if (!finder.found().is_changeable && !is_of_joints) continue;
        before.sections.emplace_back(k, std::exchange(section.options, section.kind->section->make()));
        section.kind->section->read(visit, section.options);
        touched.insert(section.kind);
        return;
    }
    SceneOptions<Dim> fresh;
    OneKeyReader one_key{visit, key};
    describe(one_key, fresh);
    if (key == "gravity") {
        before.gravity = std::exchange(options.gravity, fresh.gravity);
    } else {
        PHYXEL_ASSERT(key == "hands");
        before.hands = std::exchange(options.hands, std::move(fresh.hands));
    }
}

/// What is chosen from other parameters.
template <int Dim>
void fill_in(const Reader& in, SceneOptions<Dim>& scene)
{
    if (!scene.spacing && !scene.count) scene.count = default_particle_count;
    for (const auto& kind : in.kinds()->template of<Dim>())
        if (kind->fill_in) kind->fill_in(scene);
    if (!scene.output.fields) scene.output.fields = usual_fields(kinds_of_bodies(in, scene));
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

template <int Dim>
int components_of(const Kinds& kinds, std::string_view field)
{
    for (const auto& kind : kinds.of<Dim>())
        for (const FieldInfo& info : kind->fields)
            if (info.name == field) return info.components;
    return 1;
}

template <int Dim>
int probe_components(const Kinds& kinds, const ProbeOptions<Dim>& probe)
{
    if (probe.point || probe.line) return components_of<Dim>(kinds, probe.field);
    if (!probe.body && !probe.joint) return 1;
    for (const auto& kind : kinds.of<Dim>())
        for (const FieldInfo& info : probe.body ? kind->part_fields : kind->joint_fields)
            if (info.name == probe.field) return info.components;
    return 1;
}

template <int Dim>
std::optional<SceneOptions<Dim>> read_scene_options(const Node& root, const Kinds& kinds,
                                                    std::vector<Problem>& problems)
{
    SceneOptions<Dim> scene;
    for (const auto& kind : kinds.of<Dim>())
        if (kind->section) scene.sections.push_back({kind.get(), kind->section->make()});
    Reader reader(&kinds);
    ValueFormat<SceneOptions<Dim>>::read(reader, root, {}, scene);
    check_scene(reader, root, scene);
    problems.insert(problems.end(), reader.problems().begin(), reader.problems().end());
    if (!reader.has_all_parts()) return std::nullopt;
    fill_in(reader, scene);
    return scene;
}

template <int Dim>
SceneOptions<Dim> read_scene_options(const Node& root, const Kinds& kinds)
{
    std::vector<Problem> problems;
    std::optional<SceneOptions<Dim>> scene = read_scene_options<Dim>(root, kinds, problems);
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

template <int Dim>
void read_scene_parts(const Node& root, const Kinds& kinds, std::span<const Path> parts,
                      SceneOptions<Dim>& options)
{
    Reader reader(&kinds);
    PartsBefore<Dim> before{.body_count = options.bodies.size()};
    try {
        std::set<const KindOf<Dim>*> touched;
        for (const Path& part : parts) {
            const auto& key = std::get<std::string>(part.steps().front());
            if (part.steps().size() == 2)
                read_item(reader, root, key, std::get<std::size_t>(part.steps().back()), options, before,
                          touched);
            else
                read_key(reader, root, key, options, before, touched);
        }
        for (const KindOf<Dim>* kind : touched)
            if (kind->check) kind->check(reader, root, options);
        if (before.hands) {
            check_names(reader, root, "hands", options.hands);
            check_hands(reader, root, options);
        }
        reader.finish();
    } catch (const SceneError&) {
        before.restore(options);
        throw;
    }
}

template <int Dim>
Changeability changeability(SceneOptions<Dim>& options, const Path& path)
{
    ChangeFinder finder(path.steps());
    describe(finder, options);
    return finder.found();
}

template <int Dim>
Node write_hands(const SceneOptions<Dim>& options)
{
    return ValueFormat<std::vector<HandOptions<Dim>>>::write(options.hands);
}

template int components_of<2>(const Kinds&, std::string_view);
template int components_of<3>(const Kinds&, std::string_view);
template int probe_components(const Kinds&, const ProbeOptions<2>&);
template int probe_components(const Kinds&, const ProbeOptions<3>&);
template SceneOptions<2> read_scene_options(const Node&, const Kinds&);
template SceneOptions<3> read_scene_options(const Node&, const Kinds&);
template std::optional<SceneOptions<2>> read_scene_options(const Node&, const Kinds&, std::vector<Problem>&);
template std::optional<SceneOptions<3>> read_scene_options(const Node&, const Kinds&, std::vector<Problem>&);
template Node write_scene_options(const SceneOptions<2>&, const Node&);
template Node write_scene_options(const SceneOptions<3>&, const Node&);
template void read_scene_parts(const Node&, const Kinds&, std::span<const Path>, SceneOptions<2>&);
template void read_scene_parts(const Node&, const Kinds&, std::span<const Path>, SceneOptions<3>&);
template Changeability changeability(SceneOptions<2>&, const Path&);
template Changeability changeability(SceneOptions<3>&, const Path&);
template Node write_hands(const SceneOptions<2>&);
template Node write_hands(const SceneOptions<3>&);

} // namespace phyxel
