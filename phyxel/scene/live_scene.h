// SPDX-License-Identifier: MIT
// A scene whose world runs while somebody changes it.
#pragma once

#include <phyxel/scene/scene.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

/// A number that events may change, as it is now.
struct ChangeableParameter {
    std::string path;
    std::string unit; ///< "1" for plain numbers
    std::string doc;
    double value = 0.0;
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool min_excluded = false;
    bool max_excluded = false;
    bool is_whole = false; ///< only whole numbers are allowed
};

/// Whatever is done becomes an event at the time of a frame, so that a sitting can be written down as a scene
/// and run again to the same bits.
class LiveScene {
public:
    /// Throws SceneError.
    explicit LiveScene(Scene scene, const Machine& machine = this_machine());
    LiveScene(LiveScene&&) noexcept;
    LiveScene& operator=(LiveScene&&) noexcept;
    ~LiveScene();

    const Scene& scene() const;
    BuiltScene& built();
    const BuiltScene& built() const;

    /// Sets paths of the scene from now on, as an event would. The world must be at a frame. Throws a
    /// SceneError with every problem; then nothing has changed.
    void set(std::vector<std::pair<std::string, Node>> assignments);

    std::vector<ChangeableParameter> parameters() const;

    /// What `hands` is now.
    Node hands() const;

    /// The scene with all that was done as events, lasting until now at least. Files that it names are found
    /// from `folder`.
    Node recorded(const std::filesystem::path& folder) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace phyxel
