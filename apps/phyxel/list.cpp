// SPDX-License-Identifier: MIT
#include "list.h"

#include "console.h"
#include "shipped.h"
#include "text.h"

#include <phyxel/approx/kernels.h>
#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace phyxel::command {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// A column for each quantity that some material has.
Rows materials()
{
    const Kinds kinds = standard_kinds();
    const auto title = [](const MaterialQuantity& quantity) {
        return std::string(quantity.name) +
               (quantity.unit.empty() ? "" : " [" + std::string(quantity.unit) + "]");
    };
    std::vector<std::string> head = {"name", "type"};
    for (const auto& kind : kinds.of<3>())
        for (const MaterialInfo& material : kind->materials)
            for (const MaterialQuantity& quantity : material.quantities)
                if (std::find(head.begin(), head.end(), title(quantity)) == head.end())
                    head.push_back(title(quantity));
    Rows rows = {head};
    for (const auto& kind : kinds.of<3>())
        for (const MaterialInfo& material : kind->materials) {
            std::vector<std::string>& row = rows.emplace_back(head.size(), "-");
            row[0] = material.name;
            row[1] = kind->name;
            for (const MaterialQuantity& quantity : material.quantities)
                row[static_cast<std::size_t>(std::find(head.begin(), head.end(), title(quantity)) -
                                             head.begin())] = number_text(quantity.value);
            row.emplace_back(material.source);
        }
    rows.front().emplace_back("source");
    return rows;
}

Rows fields()
{
    Rows rows = {{"field", "of", "components", "unit", "meaning"}};
    const auto add = [&](const FieldInfo& field, const std::string& owner) {
        rows.push_back({std::string(field.name), owner, std::to_string(field.components),
                        std::string(field.unit), std::string(field.meaning)});
    };
    for (const FieldInfo& field : common_fields) add(field, "all");
    const Kinds kinds = standard_kinds();
    for (const auto& kind : kinds.of<3>())
        for (const FieldInfo& field : kind->fields) add(field, kind->name);
    return rows;
}

/// What stands behind a key, after its schema: `{ min, max }`, `[ shape, … ]`.
std::string form_of(const Node& schema)
{
    if (const Node* members = schema.find("properties")) {
        std::string keys;
        for (const Node::Member& member : members->members()) keys += (keys.empty() ? "" : ", ") + member.key;
        return "{ " + keys + " }";
    }
    const Node* type = schema.find("type");
    if (type != nullptr && *type == Node("array") && schema.find("minItems") != nullptr &&
        schema.find("maxItems") == nullptr)
        return "[ shape, … ]";
    return type != nullptr && *type == Node("string") ? "\"FILE\"" : "";
}

/// From the schema, which knows them all.
Rows shapes()
{
    const Node schema = scene_schema(standard_kinds());
    const Node& shape = value_at(schema, Path("definitions.shape_3d"));
    std::vector<std::string> kinds;
    for (const Node& choice : shape.find("oneOf")->items())
        kinds.push_back(choice.find("required")->items().front().text());

    Rows rows = {{"shape", "value", "meaning"}};
    Rows placement = {{}, {"beside it", "", "in the order in which they are applied"}};
    for (const Node::Member& member : shape.find("properties")->members()) {
        const bool is_kind = std::find(kinds.begin(), kinds.end(), member.key) != kinds.end();
        const Node* text = member.value.find("description");
        (is_kind ? rows : placement)
            .push_back(
                {member.key, is_kind ? form_of(member.value) : "", text != nullptr ? text->text() : ""});
    }
    rows.insert(rows.end(), placement.begin(), placement.end());
    return rows;
}

struct KernelText {
    std::string_view profile; ///< in q = r / support radius
    std::string_view meaning;
    std::string_view source;
};

KernelText text_of(KernelType type)
{
    switch (type) {
    case KernelType::Poly6:
        return {"(1 − q²)³", "smooth everywhere, weak repulsion at short range",
                "Müller, Charypar, Gross 2003, Eq. 20"};
    case KernelType::Spiky:
        return {"(1 − q)³", "pushes however close, for pressure", "Desbrun, Cani 1999, Eq. 21"};
    case KernelType::CubicSpline:
        return {"1 − 6q² + 6q³, from ½ on 2(1 − q)³", "the usual one", "Monaghan 1992"};
    case KernelType::WendlandC2:
        return {"(1 − q)⁴(1 + 4q), in 1D (1 − q)³(1 + 3q)", "does not clump with many neighbours",
                "Wendland 1995"};
    }
    return {};
}

Rows kernels()
{
    Rows rows = {{"name", "profile in q = r / h", "support", "meaning", "source"}};
    for (const KernelType type : all_kernel_types) {
        const KernelText text = text_of(type);
        rows.push_back({std::string(name_of(type)), std::string(text.profile), "0 ≤ q < 1",
                        std::string(text.meaning), std::string(text.source)});
    }
    return rows;
}

Rows examples()
{
    Rows rows = {{"name", "what it shows"}};
    for (const ShippedExample& example : shipped_examples()) rows.push_back({example.name, example.summary});
    if (rows.size() == 1) throw InputError("there are no examples beside this command");
    return rows;
}

} // namespace

void print_list(const ListCommand& command)
{
    struct List {
        std::string_view name;
        Rows (*rows)();
    };
    constexpr std::array<List, 5> lists = {{{"materials", materials},
                                            {"fields", fields},
                                            {"shapes", shapes},
                                            {"kernels", kernels},
                                            {"examples", examples}}};
    std::vector<std::string_view> known;
    for (const List& list : lists) {
        if (list.name == command.what) return print(aligned_columns(list.rows()));
        known.push_back(list.name);
    }
    throw InputError("list " + command.what + ": no such list, " + suggestion(command.what, known) +
                     "there are: " + word_list(known));
}

} // namespace phyxel::command
