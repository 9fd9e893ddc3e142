// SPDX-License-Identifier: MIT
// How scenes write materials: the name of a preset, or an object with what differs from one.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/options.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

template <class Preset>
std::vector<std::string_view> preset_names(std::span<const Preset> presets)
{
    std::vector<std::string_view> names;
    for (const Preset& preset : presets) names.push_back(preset.name);
    return names;
}

/// The form that materials of all kinds have. What differs between them stands in the format of each:
///
///     presets()                             those that can be named
///     apply(preset, value)                  makes the value that preset
///     required(node)                        keys that must be there if there is no preset
///     finish(in, node, value)               what no single key can tell
template <class Material>
struct MaterialFormat : DescribedFormat<Material> {
    using Base = DescribedFormat<Material>;
    using Format = ValueFormat<Material>;

    static void read(Reader& in, const Node& node, const Parameter& p, Material& value)
    {
        if (node.is_text()) {
            read_preset(in, node, value);
            return;
        }
        if (!node.is_object()) {
            in.add_mismatch(node, Format::expected(p));
            return;
        }
        const std::size_t problems_before = in.problems().size();
        if (const Node* from = node.find("from")) {
            const Reader::Scope scope = in.enter("from");
            read_preset(in, *from, value);
        } else {
            value = Format::without_preset(node);
            for (const std::string_view key : Format::required(node))
                if (node.find(key) == nullptr)
                    in.add_problem(node, "missing key \"" + std::string(key) + '"',
                                   "expected it, or \"from\" with the name of a material");
        }
        // The preset is read already, and is no plain text.
        MemberReader visit(in, node);
        visit.take("from");
        MemberSkipper without_from{visit};
        describe(without_from, value);
        visit.finish();
        if (in.problems().size() == problems_before) Format::finish(in, node, value);
    }

    /// `choices` are lists of keys, one of which is needed where there is no preset, if there are any.
    static Node schema_with(SchemaWriter& out, const Parameter& p,
                            const std::vector<std::vector<std::string_view>>& choices)
    {
        const std::vector<std::string_view> known = preset_names(Format::presets());
        const Node words =
            Node::object({{"enum", Node::list(std::vector<Node>(known.begin(), known.end()))}});
        Node object = Base::schema(out, p);
        // What is left out is that of the preset, not that of the first one.
        for (Node::Member& property : object.find("properties")->members()) {
            std::erase_if(property.value.members(), [](const Node::Member& m) { return m.key == "default"; });
            if (property.key == "from")
                property.value = described_schema(words, {.doc = "what the other keys change"}, Node());
        }
        if (choices.empty()) return Node::object({{"anyOf", Node::list({words, object})}});
        std::vector<Node> sufficient = {Node::object({{"required", Node::list({"from"})}})};
        for (const std::vector<std::string_view>& keys : choices)
            sufficient.push_back(
                Node::object({{"required", Node::list(std::vector<Node>(keys.begin(), keys.end()))}}));
        object.set("anyOf", Node::list(std::move(sufficient)));
        return Node::object({{"anyOf", Node::list({words, object})}});
    }

private:
    struct MemberSkipper {
        MemberReader& visit;
        template <class T>
        void operator()(std::string_view name, T& member, const Parameter& parameter)
        {
            if (name != "from") visit(name, member, parameter);
        }
    };

    static void read_preset(Reader& in, const Node& node, Material& value)
    {
        const auto presets = Format::presets();
        const std::vector<std::string_view> names = preset_names(presets);
        const bool is_known =
            node.is_text() && std::find(names.begin(), names.end(), node.text()) != names.end();
        if (!is_known && node.is_text() && in.kinds() != nullptr)
            for (const auto& kind : in.kinds()->template of<3>())
                for (const MaterialInfo& other : kind->materials) {
                    if (other.name != node.text()) continue;
                    in.add_problem(node, short_text(node) + " is a " + kind->name,
                                   "allowed: " + word_list(names));
                    return;
                }
        std::size_t number = 0;
        if (in.read_word(node, names, number)) Format::apply(presets[number], value);
    }
};

} // namespace phyxel
