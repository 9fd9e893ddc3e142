// SPDX-License-Identifier: MIT
#include "new_scene.h"

#include "console.h"
#include "schema.h"
#include "shipped.h"

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/scene/document.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include <unistd.h>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* schema_name = "phyxel-schema.json";

std::string file_text(const fs::path& file)
{
    const Buffer<std::byte> content = read_file(file, max_document_size);
    return {reinterpret_cast<const char*>(content.data()), content.size()};
}

/// The example without the comments above it, which speak of the example.
std::string body_of(const std::string& example)
{
    std::size_t begin = 0;
    while (example.compare(begin, 2, "//") == 0 || example.compare(begin, 1, "\n") == 0)
        begin = example.find('\n', begin) + 1;
    PHYXEL_ASSERT(example[begin] == '{');
    return example.substr(begin);
}

std::string scene_text(const std::string& name, const ShippedExample& example)
{
    const std::string body = body_of(file_text(example.path));
    std::string text =
        "// " + name + ", begun from the example " + example.name + ": " + example.summary +
        "\n// Run it:          phyxel run " + shell_word(name + ".json") +
        "\n// A quick preview: phyxel run " + shell_word(name + ".json") +
        " --set count=2000"
        "\n//\n// Editors that know JSON Schema complete and check what you type: the schema lies beside "
        "this file, in\n// " +
        schema_name + ". All keys are explained by: phyxel schema --table\n";
    text += "{\n    \"$schema\": \"" + std::string(schema_name) + "\"," + body.substr(1);
    return text;
}

/// Creates the file; one that is there already is left alone.
void write_new_file(const fs::path& path, const std::string& text)
{
    std::FILE* file = std::fopen(path.c_str(), "wx");
    if (file == nullptr) {
        if (errno == EEXIST) throw InputError(path.string() + ": exists already, choose another name");
        detail::throw_io_error(path, "write", errno);
    }
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                            std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
    const int code = errno;
    std::fclose(file);
    if (is_written) return;
    remove_file(path);
    detail::throw_io_error(path, "write", code);
}

/// Writes the schema beside the scene, in place of an older one, but of nobody else's file.
void write_schema(const fs::path& path)
{
    const std::string text = schema_text();
    if (fs::exists(path)) {
        const std::string present = file_text(path);
        if (present == text) return;
        bool is_ours = false;
        try {
            const Node document = parse_document(present, path.string());
            const Node* title = document.is_object() ? document.find("title") : nullptr;
            is_ours = title != nullptr && *title == *parse_document(text, {}).find("title");
        } catch (const InputError&) {
            // What cannot be read is not ours.
        }
        if (!is_ours) {
            warn(path.string() +
                 ": is no schema of ours and was left as it is, so the editor will not know the keys");
            return;
        }
    }
    write_file(path, text);
}

/// Calls visit(file) for every mesh that the scene names.
void for_each_mesh(const Node& node, const auto& visit)
{
    if (node.is_list())
        for (const Node& item : node.items()) for_each_mesh(item, visit);
    if (!node.is_object()) return;
    for (const Node::Member& member : node.members()) {
        if (member.key == "mesh" && member.value.is_text())
            visit(fs::path(member.value.text()));
        else
            for_each_mesh(member.value, visit);
    }
}

/// Puts the meshes of the example beside the scene; those that are there already stay.
void copy_meshes(const ShippedExample& example, const fs::path& folder)
{
    constexpr std::uint64_t largest = 100'000'000;
    const Node scene = parse_document(file_text(example.path), example.path.string());
    for_each_mesh(scene, [&](const fs::path& mesh) {
        if (fs::exists(folder / mesh)) return;
        const Buffer<std::byte> content = read_file(example.path.parent_path() / mesh, largest);
        write_file(folder / mesh, {reinterpret_cast<const char*>(content.data()), content.size()});
    });
}

} // namespace

void make_scene(const NewCommand& command)
{
    fs::path file = command.name;
    if (file.extension() != ".json") file += ".json";
    const std::string name = scene_name(file);
    if (name.empty() || name.starts_with('.'))
        throw InputError(command.name.string() + ": is no name for a scene");
    const ShippedExample example = shipped_example(command.from);
    write_new_file(file, scene_text(name, example));
    copy_meshes(example, file.parent_path());
    write_schema(file.parent_path() / schema_name);
    print(file.string() + ": written\nnext: phyxel run " + shell_word(file.string()) + "\n");
}

} // namespace phyxel::command
