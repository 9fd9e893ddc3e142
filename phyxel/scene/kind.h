// SPDX-License-Identifier: MIT
// Kinds of bodies, such as fluids and solids. A kind is a value: what a scene may say of its bodies, how they
// are checked, built, changed and shown. Scenes are read with a list of kinds and know of no others.
#pragma once

#include <phyxel/core/field_info.h>
#include <phyxel/core/formula.h>
#include <phyxel/scene/node.h>
#include <phyxel/scene/scene_error.h>
#include <phyxel/scene/shape_options.h>

#include <any>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace phyxel {

class ChangeFinder;
class ChangeableList;
class MemberReader;
class MemberSchema;
class MemberTable;
class MemberWriter;
class Reader;
template <int Dim>
struct BuildContext;
template <int Dim>
class KindBuilder;
template <int Dim>
struct SceneOptions;

/// What bodies of all kinds have. The options of a kind are derived from it.
template <int Dim>
struct BodyBasics {
    std::string name;
    std::optional<ShapeOptions<Dim>> shape;
    std::optional<double> spacing;      ///< [m]
    std::optional<std::uint64_t> count; ///< instead of spacing
    std::array<Formula, Dim> velocity = {};
    Angles<Dim> angular_velocity = Angles<Dim>::Zero(); ///< [rad/s]
    std::optional<std::vector<std::string>> ignores;    ///< bodies and obstacles that it does not feel
    std::optional<double> start;   ///< when it joins, if it is not there from the beginning [s]
    std::optional<double> removed; ///< when an event took it away; no scene file says so itself [s]
};

/// Options whose type only their kind knows. `options_format` in kind_format.h makes one from a description.
template <int Dim>
struct OptionsFormat {
    std::any (*make)() = nullptr;
    BodyBasics<Dim>& (*basics)(std::any&) = nullptr;
    void (*read)(Reader&, const Node&, MemberReader&, std::any&) = nullptr;
    void (*write)(MemberWriter&, std::any&) = nullptr;
    void (*add_schema)(MemberSchema&) = nullptr;
    void (*add_rows)(MemberTable&) = nullptr;
    void (*list_changeable)(ChangeableList&, std::any&) = nullptr;
    void (*find_changeable)(ChangeFinder&, std::any&) = nullptr;
};

/// Keys of the scene itself that a kind adds, such as emitters.
struct SectionFormat {
    std::any (*make)() = nullptr;
    void (*read)(MemberReader&, std::any&) = nullptr;
    void (*write)(MemberWriter&, std::any&) = nullptr;
    void (*add_schema)(MemberSchema&) = nullptr;
    void (*add_rows)(MemberTable&) = nullptr;
    void (*find_changeable)(ChangeFinder&, std::any&) = nullptr;
};

/// A number of a material, such as its density, for people.
struct MaterialQuantity {
    std::string_view name;
    std::string_view unit; ///< empty for plain numbers
    double value = 0.0;
};

/// A material that scenes can name, for those who list them.
struct MaterialInfo {
    std::string_view name;
    std::vector<MaterialQuantity> quantities;
    std::string_view source; ///< of the numbers
};

/// What can be done with bodies of a kind.
struct Capabilities {
    bool be_held = false;    ///< hands can take hold of parts of them
    bool be_pushed = false;  ///< hands can push them
    bool be_warmed = false;  ///< hands can warm them; see Body::heat
    bool be_dropped = false; ///< more of them can join while a scene runs
    bool be_meshed = false;  ///< a surface can be made of their particles alone
    bool carry_skin = false; ///< they have a surface of their own
    bool join_whole = false; ///< one that is dropped in must fit in as a whole
    bool be_removed = false; ///< events can take them away; see Body::leave
    bool feel = false;       ///< they push against the boundaries of other bodies; see Body::boundary_spacing
    bool be_felt = false;    ///< they have such a boundary; see Body::show_boundary
    bool meet_forms = false; ///< they keep out of rigid shapes; see Body::meets_forms
    bool have_form = false;  ///< they are such shapes; see Body::forms
    /// Key of the list of emitters in the section of the kind, which can make more of them; empty if none
    /// can.
    std::string_view be_fed_by = {};
};

/// Whether bodies of two kinds push each other.
inline bool feel_each_other(const Capabilities& a, const Capabilities& b)
{
    return (a.feel && b.be_felt) || (b.feel && a.be_felt) || (a.meet_forms && b.have_form) ||
           (b.meet_forms && a.have_form);
}

/// Something that holds bodies together, or one to the world.
struct JointInfo {
    std::string name;
    std::vector<std::string> bodies;
    std::vector<std::string_view> fields; ///< of those that joints of its kind have
};

/// What an event has changed of a section.
template <int Dim>
struct SectionChange {
    double time = 0.0;                                   ///< of the event [s]
    const SceneOptions<Dim>& first;                      ///< the scene as it was written
    const SceneOptions<Dim>& present;                    ///< with all that events have set
    const std::map<std::string, double>& removed_joints; ///< and when [s]
    const Node& node;                                    ///< the same as a scene
    const std::filesystem::path& folder;
    const std::string& event_path;
    std::vector<Problem>& problems;
};

/// A kind of bodies in space of a dimension. Functions that a kind has no use for stay empty.
template <int Dim>
struct KindOf {
    std::string name;                  ///< the word that scenes have for it, such as "fluid"
    std::string particle = "particle"; ///< what people call one of those that it consists of
    OptionsFormat<Dim> options;
    std::optional<SectionFormat> section = {};
    std::vector<FieldInfo> fields = {};
    std::vector<std::string> usual_fields = {}; ///< that frames have if nothing is said
    std::vector<FieldInfo> part_fields = {};    ///< of bodies as a whole; see Body::part_value
    std::vector<FieldInfo> joint_fields = {};   ///< see Body::joint_value
    std::vector<MaterialInfo> materials = {};
    Capabilities can = {};
    bool shares_solver = false;                ///< all bodies of the kind have one
    std::vector<std::string_view> places = {}; ///< keys of options that mean places within one body's shape

    /// What no part of the scene can tell alone.
    std::function<void(Reader&, const Node& root, const SceneOptions<Dim>&)> check = {};
    /// What is chosen from other parameters while a scene is read.
    std::function<void(SceneOptions<Dim>&)> fill_in = {};

    /// Must be there.
    std::function<std::unique_ptr<KindBuilder<Dim>>(BuildContext<Dim>&)> make_builder = {};

    /// What Body::set_parameters takes after an event that has changed these bodies of the kind, by their
    /// numbers in the scene, or the section. `memory` is what section_changed returned.
    std::function<std::any(const SceneOptions<Dim>&, std::span<const std::size_t> bodies,
                           const std::any& memory)>
        parameters = {};
    /// What the section joins; its key is "joints", so that events find them.
    std::function<std::vector<JointInfo>(const SceneOptions<Dim>&)> joints = {};
    /// What is to be remembered of the section once an event has changed it, or has taken a body or a joint
    /// away.
    std::function<std::any(const SectionChange<Dim>&, const std::any& memory)> section_changed = {};
};

/// What a scene says of one body.
template <int Dim>
struct BodyOptions {
    const KindOf<Dim>* kind = nullptr; ///< none if its type is not known
    std::any options = {};

    template <class Options>
    Options* get()
    {
        return std::any_cast<Options>(&options);
    }
    template <class Options>
    const Options* get() const
    {
        return std::any_cast<Options>(&options);
    }
    BodyBasics<Dim>& basics() { return kind->options.basics(options); }
    const BodyBasics<Dim>& basics() const { return kind->options.basics(const_cast<std::any&>(options)); }
    std::string_view name() const
    {
        return kind != nullptr ? std::string_view(basics().name) : std::string_view();
    }
};

/// What a scene says beside its bodies that only one kind knows.
template <int Dim>
struct KindSection {
    const KindOf<Dim>* kind = nullptr;
    std::any options = {};
};

/// The kinds that scenes may have, in the order in which their bodies stand in a world. Copies share the
/// kinds.
class Kinds {
public:
    /// Throws InputError if there is one of that name already.
    void add(KindOf<2> in_plane, KindOf<3> in_space);

    template <int Dim>
    const std::vector<std::shared_ptr<const KindOf<Dim>>>& of() const
    {
        return std::get<Dim - 2>(all_);
    }

    /// Null if there is none of that name.
    template <int Dim>
    const KindOf<Dim>* find(std::string_view name) const
    {
        for (const auto& kind : of<Dim>())
            if (kind->name == name) return kind.get();
        return nullptr;
    }

    std::vector<std::string_view> names() const;

    /// Of the fields of all of them.
    FieldUnits field_units() const;

private:
    std::tuple<std::vector<std::shared_ptr<const KindOf<2>>>, std::vector<std::shared_ptr<const KindOf<3>>>>
        all_;
};

} // namespace phyxel
