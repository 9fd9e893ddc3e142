// SPDX-License-Identifier: MIT
// How scenes write materials: the name of a preset, or an object with what differs from one.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/materials.h>
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
///     presets(), others(), other_kind       those that can be named, and those that cannot and what they are
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
        const std::vector<std::string_view> others = preset_names(Format::others());
        if (node.is_text() && std::find(others.begin(), others.end(), node.text()) != others.end()) {
            in.add_problem(node, short_text(node) + " is a " + std::string(Format::other_kind),
                           "allowed: " + word_list(names));
            return;
        }
        std::size_t number = 0;
        if (in.read_word(node, names, number)) Format::apply(presets[number], value);
    }
};

// Fluids.

void describe(auto& visit, FluidMaterial& o)
{
    visit("from", o.from,
          {.doc = "a preset, of which the other keys change something; see `phyxel list materials`"});
    visit("density", o.density, {.unit = "kg/m^3", .above = 0, .doc = "at rest"});
    visit("viscosity", o.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "dynamic viscosity"});
}

template <>
struct ValueFormat<FluidMaterial> : MaterialFormat<FluidMaterial> {
    static constexpr std::string_view other_kind = "solid";
    static std::span<const FluidPreset> presets() { return fluid_presets(); }
    static std::span<const SolidPreset> others() { return solid_presets(); }
    static void apply(const FluidPreset& preset, FluidMaterial& value)
    {
        value.from = preset.name;
        value.density = preset.density;
        value.viscosity = preset.viscosity;
    }
    /// What is not said is that of water.
    static FluidMaterial without_preset(const Node& node)
    {
        FluidMaterial material;
        if (node.find("density") != nullptr && node.find("viscosity") != nullptr) material.from.reset();
        return material;
    }
    static std::vector<std::string_view> required(const Node&) { return {}; }
    static void finish(Reader&, const Node&, FluidMaterial&) {}

    static std::string expected(const Parameter&)
    {
        return "a material such as \"water\", or an object with its properties";
    }
    static Node schema(SchemaWriter& out, const Parameter& p) { return schema_with(out, p, {}); }
};

// Solids.

constexpr auto words(ElasticLaw)
{
    return std::array{Word{ElasticLaw::StVenantKirchhoff, "st_venant_kirchhoff"},
                      Word{ElasticLaw::NeoHookean, "neo_hookean"}};
}

/// Six rows of six.
template <>
struct ValueFormat<StiffnessMatrix> {
    using Row = std::array<double, 6>;
    using Rows = std::array<Row, 6>;

    static std::string expected(const Parameter& p)
    {
        return "a list of 6 lists of 6, each " + ValueFormat<double>::expected(p);
    }
    static void read(Reader& in, const Node& node, const Parameter& p, StiffnessMatrix& value)
    {
        const bool is_square = node.is_list() && node.items().size() == 6 &&
                               std::all_of(node.items().begin(), node.items().end(), [](const Node& row) {
                                   return row.is_list() && row.items().size() == 6;
                               });
        if (!is_square) {
            in.add_mismatch(node, expected(p));
            return;
        }
        Rows rows = {};
        ValueFormat<Rows>::read(in, node, p, rows);
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
    }
    static Node write(const StiffnessMatrix& value)
    {
        Rows rows = {};
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                rows[i][j] = value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        return ValueFormat<Rows>::write(rows);
    }
    static Node schema(SchemaWriter& out, const Parameter& p) { return ValueFormat<Rows>::schema(out, p); }
};

void describe(auto& visit, SolidMaterialOptions& o)
{
    SolidMaterial& m = o.properties;
    visit("from", o.from,
          {.doc = "a preset, of which the other keys change something; see `phyxel list materials`"});
    visit("law", m.law,
          {.doc = "of stress and strain; st_venant_kirchhoff, which goes with stiffness, is for strains up "
                  "to some "
                  "30 % and collapses when pressed beyond that"});
    visit("density", m.density, {.unit = "kg/m^3", .above = 0, .doc = "at rest"});
    visit("youngs_modulus", m.youngs_modulus, {.unit = "Pa", .above = 0, .doc = "stiffness in tension"});
    visit("poisson_ratio", m.poisson_ratio,
          {.above = -1, .max = 0.499, .doc = "how much thinner it gets when it is stretched"});
    visit("volume_stiffness", m.volume_stiffness,
          {.unit = "Pa",
           .min = 0,
           .doc = "of a further resistance to change of volume; a tenth of youngs_modulus if not given"});
    visit("stiffness", m.stiffness,
          {.unit = "Pa",
           .doc = "stress (xx, yy, zz, xy, yz, xz) from strain (with twice the shear) of a material that is "
                  "not the same in all directions, instead of youngs_modulus and poisson_ratio"});
    visit("damping", m.damping, {.unit = "1/s", .min = 0, .doc = "rate at which all motion dies"});
    visit("viscosity", m.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "resists the rate of deformation"});
    visit("friction", m.friction, {.min = 0, .doc = "Coulomb's coefficient where it touches solids"});
}

template <>
struct ValueFormat<SolidMaterialOptions> : MaterialFormat<SolidMaterialOptions> {
    static constexpr std::string_view other_kind = "fluid";
    static std::span<const SolidPreset> presets() { return solid_presets(); }
    static std::span<const FluidPreset> others() { return fluid_presets(); }
    static void apply(const SolidPreset& preset, SolidMaterialOptions& value)
    {
        value.from = preset.name;
        value.properties = material_of(preset);
    }
    /// What is not said is that of no jelly: such a solid has no viscosity.
    static SolidMaterialOptions without_preset(const Node&)
    {
        SolidMaterialOptions material;
        material.from = std::nullopt;
        material.properties = {};
        return material;
    }
    static std::vector<std::string_view> required(const Node& node)
    {
        if (node.find("stiffness") != nullptr) return {"density"};
        return {"density", "youngs_modulus", "poisson_ratio"};
    }
    static void finish(Reader& in, const Node& node, SolidMaterialOptions& value)
    {
        const Node* stiffness = node.find("stiffness");
        if (stiffness == nullptr) return;
        // The one law that knows directions; a law that is asked for by name is looked at below.
        if (node.find("law") == nullptr) value.properties.law = ElasticLaw::StVenantKirchhoff;
        for (const std::string_view key : {"youngs_modulus", "poisson_ratio"}) {
            const Node* other = node.find(key);
            if (other == nullptr) continue;
            const Reader::Scope scope = in.enter(key);
            in.add_problem(*other, std::string(key) + " and stiffness are both given", "use one of them");
            return;
        }
        try {
            check_material(value.properties);
            set_mean_moduli(value.properties);
        } catch (const InputError& error) {
            const Reader::Scope scope = in.enter("stiffness");
            const std::string_view what = error.what();
            in.add_problem(*stiffness, std::string(what.substr(std::min(what.find(": ") + 2, what.size()))));
        }
    }

    static std::string expected(const Parameter&)
    {
        return "a material such as \"jelly\", or an object with its properties";
    }
    static Node write(const SolidMaterialOptions& value)
    {
        Node object = DescribedFormat::write(value);
        if (value.properties.stiffness)
            std::erase_if(object.members(), [](const Node::Member& member) {
                return member.key == "youngs_modulus" || member.key == "poisson_ratio";
            });
        return object;
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return schema_with(out, p,
                           {{"density", "youngs_modulus", "poisson_ratio"}, {"density", "stiffness"}});
    }

private:
    /// The moduli that Voigt's average over all directions has, for whoever needs one number.
    static void set_mean_moduli(SolidMaterial& material)
    {
        const StiffnessMatrix& C = *material.stiffness;
        const double axial = C(0, 0) + C(1, 1) + C(2, 2);
        const double coupled = C(0, 1) + C(1, 2) + C(0, 2);
        const double shear = C(3, 3) + C(4, 4) + C(5, 5);
        const double bulk_modulus = (axial + 2.0 * coupled) / 9.0;
        const double shear_modulus = (axial - coupled + 3.0 * shear) / 15.0;
        const double sum = 3.0 * bulk_modulus + shear_modulus;
        material.youngs_modulus = 9.0 * bulk_modulus * shear_modulus / sum;
        material.poisson_ratio = std::min(0.499, 0.5 * (3.0 * bulk_modulus - 2.0 * shear_modulus) / sum);
    }
};

} // namespace phyxel
