// SPDX-License-Identifier: MIT
// How scenes write solids: their solvers, regions, surfaces and bodies.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/kinds/solid/solid_body_options.h>
#include <phyxel/kinds/solid/solid_presets.h>
#include <phyxel/scene/body_description.h>
#include <phyxel/scene/body_surface_description.h>
#include <phyxel/scene/heat_description.h>
#include <phyxel/scene/material_format.h>
#include <phyxel/scene/motion_description.h>
#include <phyxel/solid/resampling.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

// Materials.

constexpr auto words(ElasticLaw)
{
    std::array<Word<ElasticLaw>, elastic_law_names.size()> all = {};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = {elastic_law_names[i].law, elastic_law_names[i].name};
    return all;
}

constexpr auto words(FlowLaw)
{
    return std::array{Word{FlowLaw::Return, "return"}, Word{FlowLaw::Creep, "creep"},
                      Word{FlowLaw::Published, "published"}};
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

void describe(auto& visit, MoltenProperties& o)
{
    visit("youngs_modulus", o.youngs_modulus,
          {.unit = "Pa",
           .above = 0,
           .changeable = true,
           .doc = "as of the solid; how hard it is to compress follows from it and from poisson_ratio"});
    visit("poisson_ratio", o.poisson_ratio,
          {.above = -1, .max = 0.499, .changeable = true, .doc = "as of the solid"});
    visit("volume_stiffness", o.volume_stiffness,
          {.unit = "Pa", .min = 0, .changeable = true, .doc = "as of the solid"});
    visit("damping", o.damping, {.unit = "1/s", .min = 0, .changeable = true, .doc = "as of the solid"});
    visit("viscosity", o.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .changeable = true,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "how thick it is"});
    visit("friction", o.friction, {.min = 0, .changeable = true, .doc = "as of the solid"});
    visit("yield_strain", o.yield_strain,
          {.above = 0,
           .changeable = true,
           .group = "yield",
           .doc = "strain that it bears while it flows; none if neither this nor yield_stress is given"});
    visit("yield_stress", o.yield_stress,
          {.unit = "Pa",
           .above = 0,
           .changeable = true,
           .group = "yield",
           .doc = "the same as a stress (von Mises)"});
    visit("creep_rate", o.creep_rate,
          {.unit = "1/s",
           .min = 0,
           .changeable = true,
           .doc = "rate at which elastic strain dies out; at once if not given"});
    visit("conductivity", o.conductivity,
          {.unit = "W/(m K)", .min = 0, .changeable = true, .doc = "as of the solid"});
    visit("heat_capacity", o.heat_capacity,
          {.unit = "J/(kg K)", .above = 0, .changeable = true, .doc = "as of the solid"});
}

inline void check(Reader& in, const Node& node, const MoltenProperties& o)
{
    if (o.yield_strain && o.yield_stress)
        in.add_problem(node, "yield_strain and yield_stress are both given", "use one of them");
}

void describe(auto& visit, SolidMaterialOptions& o)
{
    SolidMaterial& m = o.properties;
    visit("from", o.from,
          {.doc = "a preset; the other keys change parts of it; see `phyxel list materials`"});
    visit("law", m.law,
          {.changeable = true,
           .doc = "relation of stress to strain; st_venant_kirchhoff is for strains up to about 30 % and "
                  "collapses when compressed further; only it can be combined with stiffness"});
    visit("density", m.density, {.unit = "kg/m^3", .above = 0, .doc = "density at rest"});
    visit("youngs_modulus", m.youngs_modulus,
          {.unit = "Pa", .above = 0, .changeable = !m.stiffness, .doc = "stiffness in tension"});
    visit("poisson_ratio", m.poisson_ratio,
          {.above = -1,
           .max = 0.499,
           .changeable = !m.stiffness,
           .doc = "how much thinner the material gets when it is stretched"});
    visit("volume_stiffness", m.volume_stiffness,
          {.unit = "Pa",
           .min = 0,
           .changeable = true,
           .doc = "extra resistance to change of volume; a tenth of youngs_modulus if not given"});
    visit("stiffness", m.stiffness,
          {.unit = "Pa",
           .changeable = true,
           .doc = "for a material that is not the same in all directions: matrix that turns strain (xx, yy, "
                  "zz, xy, yz, xz; shear doubled) into stress; instead of youngs_modulus and poisson_ratio"});
    visit("damping", m.damping,
          {.unit = "1/s", .min = 0, .changeable = true, .doc = "rate at which all motion dies out"});
    visit("viscosity", m.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .changeable = true,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "resistance to the rate of deformation"});
    visit("friction", m.friction,
          {.min = 0,
           .changeable = true,
           .doc = "Coulomb's coefficient against other solids, and against walls that have none"});
    visit(
        "yield_strain", m.yield_strain,
        {.above = 0,
         .changeable = true,
         .group = "yield",
         .doc =
             "norm of the deviatoric elastic strain beyond which the material flows; elastic if neither this "
             "nor yield_stress is given"});
    visit("yield_stress", m.yield_stress,
          {.unit = "Pa",
           .above = 0,
           .changeable = true,
           .group = "yield",
           .doc = "the same as a stress (von Mises)"});
    visit(
        "plastic_flow", m.plastic_flow,
        {.changeable = true,
         .doc =
             "how it flows: at once back to where it yields (return), towards that at creep_rate (creep), or "
             "by plastic strain that is taken off Green's strain as in the paper (published, which does not "
             "keep volume and goes with the law st_venant_kirchhoff)"});
    visit("creep_rate", m.creep_rate,
          {.unit = "1/s",
           .min = 0,
           .changeable = true,
           .doc = "share of the elastic strain that flows in a time, of what creeps"});
    visit("hardening", m.hardening,
          {.unit = "Pa",
           .min = 0,
           .changeable = true,
           .doc = "what the yield stress grows by for each unit of plastic strain"});
    visit("hardening_limit", m.hardening_limit,
          {.unit = "Pa",
           .min = 0,
           .changeable = true,
           .doc =
               "what it grows by at most besides, of hardening that dies out: as 1 - exp(-hardening_rate * "
               "plastic strain)"});
    visit("hardening_rate", m.hardening_rate,
          {.min = 0, .changeable = true, .doc = "how fast that dies out, for each unit of plastic strain"});
    visit("max_plastic_strain", m.max_plastic_strain,
          {.min = 0, .changeable = true, .doc = "plastic strain after which the material is elastic again"});
    BreakingMaterial& b = m.breaking;
    visit("strength", b.strength,
          {.unit = "Pa",
           .above = 0,
           .variables = "xyz",
           .doc =
               "largest stress in tension, where cracks start; a formula is of the place at rest; no stress "
               "breaks it if not given"});
    visit("fracture_energy", b.fracture_energy,
          {.unit = "J/m^2",
           .above = 0,
           .doc = "energy that a crack takes for its area, across the direction of the greatest strength; if "
                  "not given, spacing * strength^2 * (1 - poisson_ratio^2) / youngs_modulus"});
    visit("fracture_strain", b.fracture_strain,
          {.above = 0,
           .doc =
               "plastic strain, all added up, after which what is pulled tears; nothing tears by flowing if "
               "not given"});
    visit("strength_variation", b.strength_variation,
          {.min = 0,
           .max = 1,
           .doc = "share by which the strength differs from place to place, by chance and the seed of the "
                  "scene"});
    visit("crack_speed", b.crack_speed,
          {.above = 0, .max = 1, .doc = "largest speed of cracks, as a share of that of Rayleigh's waves"});
    visit("grain", b.grain, {.doc = "direction at rest, along which the strength is strength"});
    visit("strength_across", b.strength_across,
          {.unit = "Pa", .above = 0, .doc = "strength in all directions across the grain"});
    describe_heat(visit, m.thermal);
    describe_melting(visit, m.thermal);
    visit(
        "flows", m.flows,
        {.changeable = true,
         .doc =
             "whether its shape at rest is forgotten again and again, so that it can be drawn out, tear and "
             "flow together; without a yield strain or stress it is a liquid"});
    visit("molten", m.molten,
          {.doc =
               "what else the material is where it is molten, in which it flows; what is not given is that "
               "of the preset where that melts (wax, chocolate, lead), or else that of the solid"});
}

template <>
struct ValueFormat<SolidMaterialOptions> : MaterialFormat<SolidMaterialOptions> {
    static std::span<const SolidPreset> presets() { return solid_presets(); }
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
    /// What goes together, of a material that yields.
    static void finish_flow(Reader& in, const Node& node, SolidMaterialOptions& value)
    {
        SolidMaterial& m = value.properties;
        const auto add_problem = [&](std::string_view key, const char* what, const char* allowed) {
            const Node* at = node.find(key);
            const Reader::Scope scope = in.enter(key);
            in.add_problem(at != nullptr ? *at : node, what, allowed);
        };
        // One takes the place of the other that a preset has.
        if (node.find("yield_strain") != nullptr && node.find("yield_stress") != nullptr)
            add_problem("yield_strain", "yield_strain and yield_stress are both given", "use one of them");
        else if (node.find("yield_strain") != nullptr)
            m.yield_stress.reset();
        else if (node.find("yield_stress") != nullptr)
            m.yield_strain.reset();
        if (m.may_flow() && m.law != ElasticLaw::NeoHookean)
            add_problem("law", "what flows or melts goes with the law neo_hookean", "allowed: neo_hookean");
        else if (m.may_flow() && m.plastic_flow == FlowLaw::Published)
            add_problem("plastic_flow", "what flows or melts keeps its volume, which published flow does not",
                        "allowed: return, creep");
        if (!m.is_plastic()) return;
        const bool is_published = m.plastic_flow == FlowLaw::Published;
        if (is_published && node.find("law") == nullptr) m.law = ElasticLaw::StVenantKirchhoff;
        if (is_published && m.law != ElasticLaw::StVenantKirchhoff)
            add_problem("plastic_flow", "published plastic flow goes with the law st_venant_kirchhoff only",
                        "allowed with other laws: return, creep");
        if (!is_published && m.law != ElasticLaw::NeoHookean)
            add_problem(node.find("law") != nullptr ? "law" : "stiffness",
                        "what yields goes with the law neo_hookean",
                        "or with st_venant_kirchhoff and \"plastic_flow\": \"published\"");
        if (m.plastic_flow == FlowLaw::Creep && !(m.creep_rate > 0.0))
            add_problem("plastic_flow", "what creeps does so at a rate", "expected \"creep_rate\" above 0");
    }
    /// What belongs to a strength, and to a grain.
    static void finish_breaking(Reader& in, const Node& node, const SolidMaterialOptions& value)
    {
        const BreakingMaterial& b = value.properties.breaking;
        const auto add_problem = [&](std::string_view key, const char* what, const char* allowed) {
            const Node* at = node.find(key);
            if (at == nullptr) return;
            const Reader::Scope scope = in.enter(key);
            in.add_problem(*at, what, allowed);
        };
        // A scene that is written out has the usual values too.
        const BreakingMaterial usual;
        const auto belongs = [&](std::string_view key, bool is_given) {
            if (!b.strength && is_given)
                add_problem(key, "it belongs to a strength, without which nothing breaks",
                            "add \"strength\" or leave it out");
        };
        belongs("fracture_energy", b.fracture_energy.has_value());
        belongs("strength_variation", b.strength_variation != usual.strength_variation);
        belongs("grain", !b.grain.empty());
        belongs("strength_across", b.strength_across.has_value());
        if (!b.strength && !b.fracture_strain && b.crack_speed != usual.crack_speed)
            add_problem("crack_speed",
                        "it belongs to a strength or a fracture_strain, without which nothing breaks",
                        "add one of them or leave it out");
        if (b.fracture_strain && !value.properties.is_plastic())
            add_problem("fracture_strain", "it is plastic, and the material does not yield",
                        "add \"yield_stress\" or leave it out");
        if (b.grain.empty() != !b.strength_across)
            add_problem(b.grain.empty() ? "strength_across" : "grain",
                        "a grain and the strength across it belong together",
                        "expected both, or none of them");
        double length = 0.0;
        for (const double component : b.grain) length += component * component;
        if (!b.grain.empty() && !(length > 0.0 && std::isfinite(length)))
            add_problem("grain", "it has no direction", "expected numbers that are not all 0");
    }
    static void finish(Reader& in, const Node& node, SolidMaterialOptions& value)
    {
        finish_flow(in, node, value);
        finish_breaking(in, node, value);
        if (auto& molten = value.properties.molten) {
            if (value.properties.molten_once_warm)
                molten = completed(*molten, *value.properties.molten_once_warm);
            value.properties.thermal.molten_conductivity = molten->conductivity;
            value.properties.thermal.molten_heat_capacity = molten->heat_capacity;
        }
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

constexpr auto words(PhyxelSampling)
{
    return std::array{Word{PhyxelSampling::Lattice, "lattice"}, Word{PhyxelSampling::Jittered, "jittered"},
                      Word{PhyxelSampling::PoissonDisk, "poisson_disk"}};
}

// Solvers.

void describe_stabilization(auto& visit, double& stabilization)
{
    visit("stabilization", stabilization,
          {.min = 0,
           .max = 10,
           .changeable = true,
           .doc = "resistance to motion of neighbours that the strain of a phyxel does not show, as a share "
                  "of Young's modulus"});
}

constexpr std::string_view type_word(const LeapfrogOptions&) { return "leapfrog"; }

void describe(auto& visit, LeapfrogOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("courant_number", o.courant_number,
          {.above = 0,
           .max = 1,
           .changeable = true,
           .doc = "length of a step, as a share of the longest one that is stable at rest"});
}

constexpr std::string_view type_word(const ImplicitOptions&) { return "implicit"; }

void describe(auto& visit, ImplicitOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("time_step", o.time_step, {.unit = "s", .above = 0, .changeable = true, .doc = "longest step"});
    visit("tolerance", o.tolerance,
          {.above = 0,
           .max = 0.1,
           .changeable = true,
           .doc = "share of the forces that a step may leave unbalanced"});
    visit("newton_iterations", o.newton_iterations,
          {.min = 1,
           .max = 1000,
           .changeable = true,
           .doc = "largest number of Newton iterations in a step; 1 is the scheme of Müller et al. 2004"});
    visit("linear_iterations", o.linear_iterations,
          {.min = 1,
           .max = 100000,
           .changeable = true,
           .doc = "largest number of iterations of conjugate gradients in each Newton iteration"});
}

constexpr std::string_view type_word(const QuasiStaticOptions&) { return "quasi_static"; }

void describe(auto& visit, QuasiStaticOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("tolerance", o.tolerance,
          {.above = 0,
           .max = 0.1,
           .changeable = true,
           .doc = "share of the forces that a frame may leave unbalanced"});
    visit(
        "newton_iterations", o.newton_iterations,
        {.min = 1, .max = 1000, .changeable = true, .doc = "largest number of Newton iterations in a frame"});
    visit("linear_iterations", o.linear_iterations,
          {.min = 1,
           .max = 100000,
           .changeable = true,
           .doc = "largest number of iterations of conjugate gradients in each Newton iteration"});
}

// Regions.

template <int Dim>
void describe(auto& visit, SpringOptions<Dim>& o)
{
    visit("stiffness", o.stiffness,
          {.unit = "N/m", .above = 0, .required = true, .doc = "force per distance"});
    visit("to", o.to,
          {.unit = "m", .required = true, .doc = "point that the spring pulls the centre of the region to"});
    visit("damping", o.damping, {.unit = "N s/m", .min = 0, .doc = "force per speed"});
}

template <int Dim>
struct ValueFormat<RegionMotionOptions<Dim>> {
    using Options = RegionMotionOptions<Dim>;
    using Motion = ValueFormat<MotionOptions<Dim>>;

    static std::string expected(const Parameter& p) { return "\"free\", " + Motion::expected(p); }
    static void read(Reader& in, const Node& node, const Parameter& p, Options& value)
    {
        value.is_free = node.is_text() && node.text() == "free";
        if (!value.is_free) Motion::read(in, node, p, value);
    }
    static Node write(const Options& value) { return value.is_free ? Node("free") : Motion::write(value); }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object(
            {{"anyOf", Node::list({Node::object({{"const", "free"}}), Motion::schema(out, p)})}});
    }
};

template <int Dim>
void describe(auto& visit, RegionOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit("shape", o.shape,
          {.required = true,
           .doc = "phyxels that lie in this shape at rest belong to the region; written like the shape of a "
                  "body"});
    visit("motion", o.motion,
          {.changeable = true,
           .group = "action",
           .doc = "how the region moves: \"fixed\", \"free\", or written like the motion of an obstacle; a "
                  "motion set by an event continues from where the region is"});
    visit("force", o.force,
          {.unit = "N",
           .changeable = true,
           .group = "action",
           .variables = "t",
           .doc = "total force on the region, distributed by mass; instead of motion"});
    visit("pressure", o.pressure,
          {.unit = "Pa",
           .changeable = true,
           .group = "action",
           .variables = "t",
           .doc = "inward pressure on the surface within the region; instead of motion"});
    visit("spring", o.spring,
          {.changeable = true,
           .group = "action",
           .doc = "spring that pulls the region towards a point; instead of motion"});
    describe_heat(visit, o.heat, true, "temperature that all of the region keeps",
                  "heat into an area of the surface within the region",
                  "air around the surface within the region, where it touches nothing");
}

template <int Dim>
void check(Reader& in, const Node& node, const RegionOptions<Dim>& o)
{
    std::vector<std::string_view> given;
    if (o.motion) given.push_back("motion");
    if (o.force) given.push_back("force");
    if (o.pressure) given.push_back("pressure");
    if (o.spring) given.push_back("spring");
    check_heat(in, node, o.heat);
    if (given.size() == 1 || (given.empty() && heat_of(o.heat).has_any())) return;
    in.add_problem(node,
                   given.empty() ? std::string("nothing is done to the region")
                                 : word_list(given) + " are given together",
                   "expected one of motion, force, pressure, spring" +
                       std::string(given.empty() ? ", or one of temperature, heat_flux, air" : ""));
}

template <int Dim>
struct ValueFormat<RegionOptions<Dim>> : DescribedFormat<RegionOptions<Dim>> {
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        Node object = DescribedFormat<RegionOptions<Dim>>::schema(out, p);
        const auto required = [](const char* key) { return Node::object({{"required", Node::list({key})}}); };
        std::vector<Node> choices, heat;
        Node no_action = Node::object(); // null is none of them
        for (const char* key : {"motion", "force", "pressure", "spring"}) {
            choices.push_back(required(key));
            no_action.set(key, Node::object({{"type", "null"}}));
        }
        for (const char* key : {"temperature", "heat_flux", "air"}) heat.push_back(required(key));
        choices.push_back(Node::object({{"properties", no_action}, {"anyOf", Node::list(heat)}}));
        object.set("oneOf", Node::list(std::move(choices)));
        return object;
    }
};

// Bodies.

constexpr auto words(SkinMethod)
{
    return std::array{Word{SkinMethod::FirstOrder, "first_order"},
                      Word{SkinMethod::MovingLeastSquares, "moving_least_squares"},
                      Word{SkinMethod::Coat, "coat"},
                      Word{SkinMethod::FirstOrderThenCoat, "first_order_then_coat"}};
}

void describe(auto& visit, SkinOptions& o)
{
    visit("method", o.method,
          {.doc = "how the surface follows the phyxels: first_order blends the affine maps of nearby "
                  "phyxels, moving_least_squares uses shape functions, coat samples it again and again, "
                  "through tearing and merging, first_order_then_coat does so from the moment on at which "
                  "an event lets the body flow or melt; if not given, coat for what flows or melts and "
                  "first_order_then_coat for what does not"});
    visit("blobbiness", o.blobbiness,
          {.min = -2,
           .max = -0.5,
           .doc = "of a coat: nearer to 0, phyxels blend over larger distances, and drops of single ones are "
                  "smaller"});
    visit("detail", o.detail,
          {.min = 0,
           .max = 512,
           .doc = "number of cells along the longest side, unless the shape is a file; 0 for no surface; if "
                  "not given, four per spacing and at most 96"});
}

inline void check(Reader& in, const Node& node, const SkinOptions& o)
{
    constexpr int least = 4;
    if (!o.detail || *o.detail == 0 || *o.detail >= least) return;
    const Reader::Scope scope = in.enter("detail");
    in.add_problem(*node.find("detail"), std::to_string(*o.detail) + " cells are too few",
                   "must be 0 or at least " + std::to_string(least));
}

template <int Dim>
void describe(auto& visit, CrackDrawing<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit("polygon", o.polygon,
          {.unit = "m",
           .required = true,
           .doc = Dim == 2 ? "points of a line, at rest; what lies outside of the body does not count"
                           : "corners of a surface, at rest; what lies outside of the body does not count"});
}

template <int Dim>
void describe(auto& visit, BladeOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit(
        "polygon", o.polygon,
        {.unit = "m",
         .required = true,
         .doc = Dim == 2 ? "points of a line, whose ends cut" : "corners of a flat blade, whose edges cut"});
    visit("motion", o.motion,
          {.doc = "how the blade moves, written like the motion of an obstacle; it cuts where it goes along "
                  "itself, and nothing feels it"});
    visit("bodies", o.bodies, {.doc = "names of the solids that it cuts; all if not given"});
}

template <int Dim>
void describe(auto& visit, BladeSection<Dim>& o)
{
    visit("blades", o.blades, {.doc = "what cuts solids"});
}

template <int Dim>
void describe(auto& visit, SolidBodyOptions<Dim>& o)
{
    describe_basics(visit, o);
    visit("material", o.material, {.by_preset = true, .doc = "what it is made of"});
    visit("surface", o.surface,
          {.doc = "how the body affects fluids that flow along it: slip, no_slip or friction"});
    describe_heat<Dim>(visit, o.heat);
    visit("sampling", o.sampling, {.doc = "how phyxels fill the shape"});
    visit("support_ratio", o.support_ratio,
          {.min = 1.2,
           .max = 4,
           .doc = "support radius over the mean distance to the ten nearest phyxels (six in 2D); 3, as in "
                  "Müller et al. 2004, makes the solid too soft"});
    visit(
        "levels", o.levels,
        {.min = 0,
         .max = most_halvings,
         .doc = "how many times a phyxel may be halved where the body flows and is drawn out; 0 for never"});
    visit("merges_with", o.merges_with,
          {.changeable = true,
           .doc = "names of solids that name this one too: the two become one where they touch while one of "
                  "them flows"});
    visit("regions", o.regions, {.doc = "parts that are held, moved, pulled or pressed"});
    visit("solver", o.solver, {.doc = "method of computation, with its parameters"});
    if constexpr (Dim == 3) visit("skin", o.skin, {.doc = "the surface written with the frames"});
    visit("cracks", o.cracks, {.doc = "cracks that are there from the beginning"});
}

template <int Dim>
void check(Reader& in, const Node& node, const SolidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

} // namespace phyxel
