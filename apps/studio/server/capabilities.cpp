// SPDX-License-Identifier: MIT
#include "capabilities.h"

#include <phyxel/kinds/standard_kinds.h>

#include <algorithm>

namespace phyxel::studio {

Capabilities capabilities_of(std::string_view type, int dimension)
{
    const Kinds kinds = standard_kinds();
    const KindOf<3>* kind = kinds.find<3>(type);
    if (kind == nullptr) return {};
    const phyxel::Capabilities& can = kind->can;
    Capabilities capabilities;
    if (can.be_held) capabilities.can = {"grab", "fix"};
    if (can.be_pushed) capabilities.can.emplace_back("push");
    if (can.be_warmed) capabilities.can.emplace_back("warm");
    if (can.be_dropped) capabilities.can.emplace_back("drop");
    if (!can.be_fed_by.empty()) capabilities.can.emplace_back("pour");
    if (dimension == 3) capabilities.surface = can.carry_skin ? "skin" : can.be_meshed ? "made" : "none";
    for (const FieldInfo& field : kind->fields) capabilities.fields.emplace_back(field.name);
    return capabilities;
}

std::vector<std::string> fields_of(const Node& resolved)
{
    std::vector<std::string> fields = {"velocity"};
    for (const Node& body : resolved.find("bodies")->items())
        for (std::string& field : capabilities_of(body.find("type")->text(), 0).fields)
            if (std::find(fields.begin(), fields.end(), field) == fields.end())
                fields.push_back(std::move(field));
    return fields;
}

} // namespace phyxel::studio
