// SPDX-License-Identifier: MIT
#include <phyxel/scene/scene.h>

#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene_options.h>

#include <array>
#include <optional>
#include <utility>

namespace phyxel {
namespace {

/// The dimension decides what all other parameters look like, so it is looked at first. A wrong one is
/// refused later.
int dimension_of(const Node& root)
{
    const Node* dimension = root.is_object() ? root.find("dimension") : nullptr;
    return dimension != nullptr && dimension->is_number() && dimension->number() == 2.0 ? 2 : 3;
}

/// The scene with every default, or nothing if there is something wrong with it.
std::optional<Node> try_resolve(const Node& root, const Kinds& kinds)
{
    try {
        if (dimension_of(root) == 2) return write_scene_options(read_scene_options<2>(root, kinds), root);
        return write_scene_options(read_scene_options<3>(root, kinds), root);
    } catch (const SceneError&) {
        return std::nullopt;
    }
}

/// What may be given instead of something else goes when the other is set.
void remove_alternative(Node& object, const Path::Step& step)
{
    using Pair = std::array<std::string_view, 2>;
    constexpr std::array<Pair, 4> alternatives = {
        {{"spacing", "count"}, {"count", "spacing"}, {"scale", "size"}, {"size", "scale"}}};
    const std::string* key = std::get_if<std::string>(&step);
    if (key == nullptr || !object.is_object()) return;
    for (const Pair& pair : alternatives)
        if (*key == pair[0])
            std::erase_if(object.members(),
                          [&](const Node::Member& member) { return member.key == pair[1]; });
}

/// Puts a value into a scene as it was written. Its path may lead through what only the resolved scene has,
/// such as a solver that was never mentioned; that is put in first.
void assign(Node& root, const Assignment& assignment, const Kinds& kinds)
{
    const std::vector<Path::Step>& steps = assignment.path.steps();
    const std::optional<Node> resolved = try_resolve(root, kinds);
    Path container;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        container.push(steps[k]);
        const Node* written = find_value(root, container);
        if (written != nullptr && (written->is_object() || written->is_list())) continue;
        const Path::Step material = std::string("material");
        if (written != nullptr && written->is_text() && steps[k] == material) {
            Node object = Node::object({{"from", *written, written->place()}});
            object.set_place(written->place());
            set_value_at(root, container, object);
            continue;
        }
        const Node* full = resolved ? find_value(*resolved, container) : nullptr;
        if (full == nullptr || !(full->is_object() || full->is_list())) continue;
        // Another type has other members than the one that nobody mentioned.
        const bool is_type = k + 2 == steps.size() && steps.back() == Path::Step(std::string("type"));
        set_value_at(root, container, is_type ? Node::object({}) : Node(*full));
    }
    Node* parent = container.steps().empty() ? &root : const_cast<Node*>(find_value(root, container));
    if (parent != nullptr) remove_alternative(*parent, steps.back());
    try {
        set_value_at(root, assignment.path, assignment.value);
    } catch (const InputError& error) {
        throw SceneError(assignment.value.place(), error.what());
    }
}

/// What is wrong with the events of a scene that cannot be used, as far as that can be told: its other parts
/// must be right, or right by default.
template <int Dim>
void check_events(const SceneOptions<Dim>& options, const Node& root, const Kinds& kinds,
                  std::vector<Problem>& problems)
{
    const Node resolved = write_scene_options(options, root);
    std::vector<Problem> others;
    const auto usable = read_scene_options<Dim>(resolved, kinds, others);
    if (usable && others.empty())
        static_cast<void>(plan_events(resolved, *usable, kinds, std::nullopt, problems));
}

template <int Dim>
void finish(Scene::Content& content, const Node& root, std::vector<Problem>& problems)
{
    const std::optional<SceneOptions<Dim>> options = read_scene_options<Dim>(root, content.kinds, problems);
    if (!problems.empty()) {
        if (options) check_events(*options, root, content.kinds, problems);
        return;
    }
    content.resolved = write_scene_options(*options, root);
    // Reading a scene opens none of the files that it names.
    static_cast<void>(plan_events(content.resolved, *options, content.kinds, std::nullopt, problems));
    content.options = *options;
}

/// The files of shapes that are not there. Who builds a scene finds them too, but only of one that can be
/// built.
void find_missing_files(const Node& node, const std::filesystem::path& folder, Path& path,
                        std::vector<Problem>& problems)
{
    const auto look_at = [&](const Path::Step& step, const Node& value) {
        path.push(step);
        std::error_code ignored;
        const Path::Step mesh = std::string("mesh");
        if (step == mesh && value.is_text() && !value.text().empty() &&
            !std::filesystem::exists(folder / value.text(), ignored))
            problems.push_back({value.place(),
                                path.text(),
                                (folder / value.text()).string() + ": cannot read: it does not exist",
                                {}});
        find_missing_files(value, folder, path, problems);
        path.pop();
    };
    if (node.is_list())
        for (std::size_t i = 0; i < node.items().size(); ++i) look_at(i, node.items()[i]);
    if (node.is_object())
        for (const Node::Member& member : node.members()) look_at(member.key, member.value);
}

} // namespace

Scene::Scene(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Scene Scene::make(Node root, const std::string& name, const std::filesystem::path& folder, const Kinds& kinds,
                  std::span<const std::string> assignments, std::vector<Problem> problems, bool is_file)
{
    for (const std::string& text : assignments) assign(root, parse_assignment(text), kinds);
    auto content = std::make_shared<Content>();
    content->kinds = kinds;
    content->name = name;
    content->folder = folder;
    if (dimension_of(root) == 2)
        finish<2>(*content, root, problems);
    else
        finish<3>(*content, root, problems);
    // A text may come from a stranger, who is not told what files there are.
    Path path;
    if (!problems.empty() && is_file) find_missing_files(root, folder, path, problems);
    if (!problems.empty()) throw SceneError(std::move(problems));
    return Scene(std::move(content));
}

Scene Scene::read(const std::filesystem::path& file, const Kinds& kinds,
                  std::span<const std::string> assignments)
{
    std::vector<Problem> problems;
    Node root = parse_document(read_document_text(file), file.string(), problems);
    return make(std::move(root), file.string(), file.parent_path(), kinds, assignments, std::move(problems),
                true);
}

Scene Scene::parse(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                   const Kinds& kinds, std::span<const std::string> assignments)
{
    std::vector<Problem> problems;
    Node root = parse_document(text, name, problems);
    return make(std::move(root), name, folder, kinds, assignments, std::move(problems), false);
}

int Scene::dimension() const { return std::holds_alternative<SceneOptions<2>>(content_->options) ? 2 : 3; }

const Kinds& Scene::kinds() const { return content_->kinds; }

const Node& Scene::resolved() const { return content_->resolved; }

const RenderSettings& Scene::render() const
{
    return std::visit([](const auto& options) -> const RenderSettings& { return options.render; },
                      content_->options);
}

} // namespace phyxel
