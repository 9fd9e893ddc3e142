// SPDX-License-Identifier: MIT
#include <phyxel/scene/kind.h>

#include <phyxel/core/error.h>

#include <utility>

namespace phyxel {

void Kinds::add(KindOf<2> in_plane, KindOf<3> in_space)
{
    if (find<3>(in_space.name) != nullptr)
        throw InputError("there is a kind of bodies named \"" + in_space.name + "\" already");
    std::get<0>(all_).push_back(std::make_shared<const KindOf<2>>(std::move(in_plane)));
    std::get<1>(all_).push_back(std::make_shared<const KindOf<3>>(std::move(in_space)));
}

std::vector<std::string_view> Kinds::names() const
{
    std::vector<std::string_view> names;
    for (const auto& kind : of<3>()) names.push_back(kind->name);
    return names;
}

FieldUnits Kinds::field_units() const
{
    FieldUnits units;
    for (const auto& kind : of<3>())
        for (const FieldInfo& field : kind->fields) units.add(field.name, field.unit);
    return units;
}

} // namespace phyxel
