// SPDX-License-Identifier: MIT
// What is found wrong or worth a word while a scene is built, at the places where the user wrote it.
#pragma once

#include <phyxel/scene/node.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene_error.h>

#include <string>
#include <utility>
#include <vector>

namespace phyxel {

inline Path path_of(std::vector<Path::Step> steps)
{
    Path path;
    for (Path::Step& step : steps) path.push(std::move(step));
    return path;
}

/// The path with more steps behind it.
inline Path operator/(Path path, Path::Step step)
{
    path.push(std::move(step));
    return path;
}

class Findings {
public:
    /// `scene` is the resolved scene, which knows the places.
    explicit Findings(const Node& scene) : scene_(scene) {}

    void add_problem(const Path& path, std::string what, std::string allowed = {})
    {
        problems_.push_back(make(path, std::move(what), std::move(allowed)));
    }

    /// With what can be done about it.
    void warn(const Path& path, std::string what, std::string remedy)
    {
        warnings_.push_back(to_text(make(path, std::move(what), std::move(remedy))));
    }

    bool has_problems() const { return !problems_.empty(); }
    std::vector<std::string> take_warnings() { return std::move(warnings_); }

    /// Throws a SceneError if there are problems.
    void finish()
    {
        if (!problems_.empty()) throw SceneError(std::move(problems_));
    }

private:
    /// A value that is not there has the place of what would hold it.
    Problem make(const Path& path, std::string what, std::string allowed) const
    {
        Path holder = path;
        while (true) {
            try {
                return {value_at(scene_, holder).place(), path.text(), std::move(what), std::move(allowed)};
            } catch (const InputError&) {
                holder.pop();
            }
        }
    }

    const Node& scene_;
    std::vector<Problem> problems_;
    std::vector<std::string> warnings_;
};

} // namespace phyxel
