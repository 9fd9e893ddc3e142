// SPDX-License-Identifier: MIT
#include "scene_files.h"

#include "served_files.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

/// Calls visit(text node) for each file that a shape anywhere in the scene is made from.
template <class Visit>
void for_each_file(const Node& node, const Visit& visit)
{
    if (node.is_list())
        for (const Node& item : node.items()) for_each_file(item, visit);
    if (!node.is_object()) return;
    for (const Node::Member& member : node.members()) {
        if (member.key == "mesh" && member.value.is_text())
            visit(member.value);
        else
            for_each_file(member.value, visit);
    }
}

/// Where a character of a text is; `line` and `column` count from 1, and columns are characters.
std::size_t offset_of(const std::string& text, int line, int column)
{
    std::size_t offset = 0;
    for (int k = 1; k < line && offset < text.size(); ++k)
        offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
    const auto is_inside = [&] { return (static_cast<unsigned char>(text[offset]) & 0xc0u) == 0x80u; };
    for (int k = 1; k < column && offset < text.size(); ++k)
        for (++offset; offset < text.size() && is_inside();) ++offset;
    return offset;
}

/// Behind the second of its quotation marks, for a text in quotation marks that begins there.
std::size_t end_of_quoted(const std::string& text, std::size_t begin)
{
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

} // namespace

std::vector<fs::path> files_of(const Scene& scene, const fs::path& folder)
{
    std::vector<fs::path> files;
    for_each_file(scene.resolved(), [&](const Node& file) { files.push_back(folder / file.text()); });
    return files;
}

void check_scene_files(const Scene& scene, const fs::path& folder, const std::vector<fs::path>& roots)
{
    std::vector<Problem> problems;
    for_each_file(scene.resolved(), [&](const Node& file) {
        const fs::path path = folder / file.text();
        if (std::any_of(roots.begin(), roots.end(),
                        [&](const fs::path& root) { return is_below(path, root); }))
            return;
        problems.push_back({file.place(), "mesh", "the studio may not read \"" + file.text() + "\"",
                            "files beside the scene, below the folder that was named when it was started, "
                            "or of an example"});
    });
    if (!problems.empty()) throw SceneError(std::move(problems));
}

fs::path new_file(const fs::path& folder, const std::string& name, const std::string& extension)
{
    if (!is_body_name(name) || !is_utf8(name))
        throw InputError("\"" + name.substr(0, 100) + "\" cannot be the name of a file");
    fs::path path = folder / (name + extension);
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error)))
        throw InputError(path.string() + ": is there already, choose another name");
    return path;
}

std::string with_files_from(std::string text, const fs::path& from, const fs::path& to)
{
    const Node document = parse_document(text, "scene");
    std::map<std::size_t, fs::path> files; // by where they stand in the text
    for_each_file(document, [&](const Node& file) {
        if (const fs::path path = file.text(); path.is_relative())
            files.emplace(offset_of(text, file.place().line, file.place().column), path);
    });
    for (auto file = files.rbegin(); file != files.rend(); ++file) {
        const fs::path moved = whole_path(from / file->second).lexically_relative(whole_path(to));
        text.replace(file->first, end_of_quoted(text, file->first) - file->first,
                     to_line(Node(moved.generic_string())));
    }
    return text;
}

} // namespace phyxel::studio
