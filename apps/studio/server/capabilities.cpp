// SPDX-License-Identifier: MIT
#include "capabilities.h"

#include <phyxel/world/fluid_body.h>
#include <phyxel/world/solid_body.h>

#include <algorithm>

namespace phyxel::studio {

Capabilities capabilities_of(std::string_view type, int dimension)
{
    const bool is_space = dimension == 3;
    if (type == "fluid")
        return {
            {"push", "drop", "pour"}, is_space ? "made" : "none", {fluid_fields.begin(), fluid_fields.end()}};
    if (type == "solid")
        return {{"grab", "fix", "push", "drop"},
                is_space ? "skin" : "none",
                {solid_fields.begin(), solid_fields.end()}};
    return {};
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
