// SPDX-License-Identifier: MIT
// What clients say: one JSON object each, read strictly into a struct. Nothing of it is believed beyond its
// form.
#pragma once

#include <phyxel/scene/node.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phyxel::studio {

/// Longer ones end the connection.
inline constexpr std::size_t max_message_size = std::size_t(8) << 20; ///< in bytes
/// More of them end the connection.
inline constexpr int max_messages_a_second = 200;

enum class OpenedThing { Example, File, Run, Checkpoint, Text };

struct OpenMessage {
    OpenedThing thing = OpenedThing::Example;
    std::string what;                     ///< name, path or text
    std::string name;                     ///< what a text is called
    std::vector<std::string> assignments; ///< as of --set
};
struct ValidateMessage {
    double id = 0.0; ///< comes back with the answer
    std::string text;
};
struct PlayMessage {};
struct PauseMessage {};
struct StepMessage {};
struct RestartMessage {
    bool as_opened = false; ///< else parameters keep what they were set to
};
/// From the last state of the run that is shown, as a scene that runs.
struct GoOnMessage {};
struct CloseMessage {};
struct SeekMessage {
    std::uint64_t frame = 0;
};
struct ViewMessage {
    std::string color;         ///< a field, or `body`
    bool surface = true;       ///< where there are any
    bool made_surface = false; ///< of bodies that carry none
};
struct PickMessage {
    std::string body;
    std::optional<std::uint32_t> id; ///< lower half of the particle's id; none: no longer
};
struct SetMessage {
    std::string path;
    Node value;
};
struct HandMessage {
    std::string name;
    std::string kind;                ///< pull, hold, push or warm
    std::string body;                ///< of what pulls and holds
    std::vector<double> at;          ///< at rest [m]; empty if `id` says where
    std::optional<std::uint32_t> id; ///< lower half of the id of a particle that is where `at` is, at rest
    std::vector<double> to;          ///< where it goes [m]
    double radius = 0.0;             ///< [m]
    std::optional<double> stiffness; ///< [N/m]
    std::optional<double> strength;  ///< [m/s²]
    std::optional<double> power;     ///< of what warms [W]

    /// Whether it takes hold of a body; else it acts on whatever is where it is.
    bool takes_hold() const { return kind == "pull" || kind == "hold"; }
};
struct ReleaseMessage {
    std::string name;
};
/// A new body, made of what another one is made of.
struct DropMessage {
    std::string name;
    std::string like;             ///< a body of the scene
    Node shape;                   ///< as scenes write it
    std::vector<double> velocity; ///< [m/s]; none if it is let fall
};
/// A round nozzle that feeds a body, made or moved.
struct PourMessage {
    std::string name;
    std::string body;
    std::vector<double> at;       ///< [m]
    std::vector<double> velocity; ///< [m/s]
    double radius = 0.0;          ///< [m]
};
enum class SavedThing { Scene, Checkpoint, Text };
struct SaveMessage {
    SavedThing what = SavedThing::Scene;
    std::string name;
    bool write = true; ///< else a scene is only told
    std::string text;  ///< that is saved as a scene
};
struct AckMessage {
    std::uint32_t serial = 0;
};

using Message =
    std::variant<OpenMessage, ValidateMessage, PlayMessage, PauseMessage, StepMessage, RestartMessage,
                 GoOnMessage, CloseMessage, SeekMessage, ViewMessage, PickMessage, SetMessage, HandMessage,
                 ReleaseMessage, DropMessage, PourMessage, SaveMessage, AckMessage>;

/// Throws InputError with one line for what is no message: wrong types, missing or unknown members, numbers
/// out of range, texts that are too long.
Message parse_message(std::string_view text);

} // namespace phyxel::studio
