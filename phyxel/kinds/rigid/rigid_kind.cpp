// SPDX-License-Identifier: MIT
#include <phyxel/kinds/rigid/rigid_kind.h>

#include <phyxel/kinds/rigid/detail/rigid_builder.h>
#include <phyxel/kinds/rigid/detail/rigid_description.h>
#include <phyxel/kinds/rigid/rigid_body.h>
#include <phyxel/scene/kind_checks.h>
#include <phyxel/scene/kind_format.h>
#include <phyxel/scene/thermal_presets.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

RigidMaterialOptions::RigidMaterialOptions()
{
    const RigidPreset& wood = rigid_presets().front();
    from = wood.name;
    properties = material_of(wood);
    thermal = thermal_material_of(wood.name);
}

namespace {

/// Joints hold rigid bodies that are there.
template <int Dim>
void check_joints(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const auto& joints = scene.template section<JointSection<Dim>>()->joints;
    check_names(in, root, "joints", joints);
    std::vector<std::string_view> names;
    for (const BodyOptions<Dim>& body : scene.bodies)
        if (body.template get<RigidBodyOptions<Dim>>() != nullptr) names.push_back(body.name());
    for_each_item(in, root, "joints", joints,
                  [&](const JointOptions<Dim>& joint, const Node& node, std::size_t) {
                      const Node* list = node.find("bodies");
                      if (list == nullptr || !list->is_list() || list->items().size() != joint.bodies.size())
                          return;
                      const Reader::Scope scope = in.enter("bodies");
                      for (std::size_t k = 0; k < joint.bodies.size(); ++k) {
                          if (std::find(names.begin(), names.end(), joint.bodies[k]) != names.end()) continue;
                          const Reader::Scope item = in.enter(k);
                          in.add_problem(list->items()[k],
                                         "there is no rigid body named " + short_text(list->items()[k]),
                                         suggestion(joint.bodies[k], names) +
                                             "known: " + (names.empty() ? "none" : word_list(names)));
                      }
                      if (joint.bodies.size() == 2 && joint.bodies[0] == joint.bodies[1])
                          in.add_problem(*list, "a body cannot be joined to itself", "expected two bodies");
                  });
}

template <int Dim>
std::any parameters_of(const SceneOptions<Dim>& scene, std::span<const std::size_t> bodies,
                       const std::any& memory)
{
    RigidParameters<Dim> parameters;
    for (const std::size_t number : bodies) {
        const auto& body = *scene.bodies[number].template get<RigidBodyOptions<Dim>>();
        parameters.materials.emplace_back(body.name, body.material.properties);
        parameters.heat.push_back({body.name, body.material.thermal, air_of(body.heat.air)});
    }
    // Once something has happened to the joints.
    if (const auto* removed = std::any_cast<std::vector<std::string>>(&memory)) {
        for (const JointOptions<Dim>& joint : scene.template section<JointSection<Dim>>()->joints)
            parameters.motors.emplace_back(joint.name, joint.motor());
        parameters.removed_joints = *removed;
    }
    return parameters;
}

template <int Dim>
std::any change_joints(const SectionChange<Dim>& change, const std::any&)
{
    std::vector<std::string> removed;
    for (const auto& [name, time] : change.removed_joints) removed.push_back(name);
    return removed;
}

template <int Dim>
std::vector<JointInfo> joints_of(const SceneOptions<Dim>& scene)
{
    std::vector<JointInfo> all;
    for (const JointOptions<Dim>& joint : scene.template section<JointSection<Dim>>()->joints) {
        JointInfo& info = all.emplace_back(JointInfo{joint.name, joint.bodies, {}});
        for (const FieldInfo& field : joint_fields<Dim>)
            if (field.name != "position" || joint.type == JointType::Hinge || joint.type == JointType::Slider)
                info.fields.push_back(field.name);
    }
    return all;
}

} // namespace

template <int Dim>
KindOf<Dim> rigid_kind()
{
    KindOf<Dim> kind;
    kind.name = "rigid";
    kind.options = options_format<Dim, RigidBodyOptions<Dim>>();
    kind.section = section_format<JointSection<Dim>>();
    kind.fields.assign(rigid_fields.begin(), rigid_fields.end());
    const auto part_fields = rigid_part_fields<Dim>();
    kind.part_fields.assign(part_fields.begin(), part_fields.end());
    kind.joint_fields.assign(joint_fields<Dim>.begin(), joint_fields<Dim>.end());
    for (const RigidPreset& preset : rigid_presets())
        if (!preset.is_of_solids)
            kind.materials.push_back({.name = preset.name,
                                      .quantities = {{"density", "kg/m³", preset.density},
                                                     {"friction", "", preset.friction},
                                                     {"restitution", "", preset.restitution}},
                                      .source = preset.source});
    kind.can = {.be_held = true,
                .be_pushed = true,
                .be_warmed = true,
                .be_dropped = true,
                .carry_skin = true,
                .join_whole = true,
                .be_removed = true,
                .be_felt = true,
                .have_form = true};
    kind.check = check_joints<Dim>;
    kind.make_builder = [](BuildContext<Dim>& context) -> std::unique_ptr<KindBuilder<Dim>> {
        return std::make_unique<RigidBuilder<Dim>>(context);
    };
    kind.parameters = parameters_of<Dim>;
    kind.joints = joints_of<Dim>;
    kind.section_changed = change_joints<Dim>;
    return kind;
}

template KindOf<2> rigid_kind();
template KindOf<3> rigid_kind();

} // namespace phyxel
