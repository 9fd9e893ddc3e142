// SPDX-License-Identifier: MIT
// A scene whose world runs while somebody changes it.
#pragma once

#include <phyxel/io/checkpoint.h>
#include <phyxel/scene/scene.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// A number, a switch or a word that events may change, as it is now.
struct ChangeableParameter {
    enum class Kind { Number, Switch, Word };

    std::string path;
    Kind kind = Kind::Number;
    std::string unit; ///< "1" for what has none
    std::string doc;
    Node value;                ///< what events set it to; null if it is not set
    bool can_be_unset = false; ///< by null, which makes what the scene itself gives what it was there
    std::vector<std::string> words = {}; ///< that it may be
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool min_excluded = false;
    bool max_excluded = false;
    bool is_whole = false; ///< only whole numbers are allowed
};

/// Whatever is done becomes an event with a time, so that a sitting can be written down as a scene and run
/// again to the same bits.
class LiveScene {
public:
    /// Throws SceneError, and what build_scene throws when the work is stopped.
    explicit LiveScene(Scene scene, const Machine& machine = this_machine(), const WorkBudget& work = {});
    LiveScene(LiveScene&&) noexcept;
    LiveScene& operator=(LiveScene&&) noexcept;
    ~LiveScene();

    const Scene& scene() const;
    BuiltScene& built();
    const BuiltScene& built() const;

    /// When what is set now comes to pass: at once if the world is at a frame, else a step or two later [s].
    double next_change_time() const;

    /// Sets paths of the scene from `next_change_time` on, as an event would. Throws a SceneError with every
    /// problem; then nothing has changed.
    void set(std::vector<std::pair<std::string, Node>> assignments);

    /// Drops a body in at `next_change_time`; it is written as scenes do, without start and solver. Throws a
    /// SceneError, or an InputError if there is no room for it; then nothing has changed.
    void add_body(Node body);

    std::vector<ChangeableParameter> parameters() const;

    /// What hands and emitters are at `next_change_time`, unless they are set.
    Node hands() const;
    Node emitters() const;
    /// The key that emitters have in scenes; empty if no kind can be fed.
    std::string emitters_key() const;

    /// How a body would be written now. Throws InputError if there is none of this name.
    Node body(std::string_view name) const;

    /// The scene with all that was done as events, lasting until now at least. Files that it names are found
    /// from `folder`.
    Node recorded(const std::filesystem::path& folder) const;

    /// The state of the world together with `recorded`, from which `load` goes on.
    void save(CheckpointWriter& checkpoint, const std::filesystem::path& folder) const;

    /// Goes to a state of this scene: of a run, or of a sitting whose scene is `scene_of`. Throws InputError;
    /// then nothing can be done with it any more.
    void load(const CheckpointReader& checkpoint);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The text of the scene that LiveScene::save wrote. Throws InputError if there is none.
std::string scene_of(const CheckpointReader& checkpoint);

} // namespace phyxel
