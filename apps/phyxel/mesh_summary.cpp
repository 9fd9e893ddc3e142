// SPDX-License-Identifier: MIT
#include "mesh_summary.h"

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/mesh_check.h>

namespace phyxel::command {

std::vector<std::pair<std::string, std::string>>
mesh_summary(const std::vector<Vec<3>>& vertices, const std::vector<std::array<Index, 3>>& triangles)
{
    const auto report = check_mesh({vertices, triangles});
    std::string defects;
    for (const std::string& defect : describe_defects(report))
        defects += (defects.empty() ? "" : ", ") + defect;
    return {{"surface", report.is_watertight ? "closed" : "open"},
            {"pieces", std::to_string(report.components)},
            {"area", number_text(report.area, 4) + " m²"},
            {"volume", number_text(report.signed_volume, 4) + " m³"},
            {"defects", defects.empty() ? "none" : defects}};
}

} // namespace phyxel::command
