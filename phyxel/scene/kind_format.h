// SPDX-License-Identifier: MIT
// The formats that a kind has, from descriptions of its options; for the files that define kinds.
#pragma once

#include <phyxel/scene/changeable.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/options.h>

#include <any>

namespace phyxel {

/// Of options that are described, and derived from BodyBasics.
template <int Dim, class Options>
OptionsFormat<Dim> options_format()
{
    return {.make = [] { return std::any(Options()); },
            .basics = [](std::any& value) -> BodyBasics<Dim>& { return *std::any_cast<Options>(&value); },
            .read = [](Reader& in, const Node& node, MemberReader& visit,
                       std::any& value) { read_members(in, node, visit, *std::any_cast<Options>(&value)); },
            .write = [](MemberWriter& visit,
                        std::any& value) { describe(visit, *std::any_cast<Options>(&value)); },
            .add_schema =
                [](MemberSchema& visit) {
                    Options defaults;
                    describe(visit, defaults);
                },
            .add_rows =
                [](MemberTable& visit) {
                    Options defaults;
                    describe(visit, defaults);
                },
            .list_changeable = [](ChangeableList& visit,
                                  std::any& value) { describe(visit, *std::any_cast<Options>(&value)); },
            .find_changeable = [](ChangeFinder& visit,
                                  std::any& value) { describe(visit, *std::any_cast<Options>(&value)); }};
}

/// Of described keys of the scene itself.
template <class Section>
SectionFormat section_format()
{
    return {.make = [] { return std::any(Section()); },
            .read = [](MemberReader& visit,
                       std::any& value) { describe(visit, *std::any_cast<Section>(&value)); },
            .write = [](MemberWriter& visit,
                        std::any& value) { describe(visit, *std::any_cast<Section>(&value)); },
            .add_schema =
                [](MemberSchema& visit) {
                    Section defaults;
                    describe(visit, defaults);
                },
            .add_rows =
                [](MemberTable& visit) {
                    Section defaults;
                    describe(visit, defaults);
                },
            .find_changeable = [](ChangeFinder& visit,
                                  std::any& value) { describe(visit, *std::any_cast<Section>(&value)); }};
}

} // namespace phyxel
