// SPDX-License-Identifier: MIT
// As much of JSON Schema, draft 7, as our schemas use.
#pragma once

#include <phyxel/scene/document.h>
#include <phyxel/scene/node.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace phyxel {

class SchemaValidator {
public:
    explicit SchemaValidator(const Node& schema) : root_(schema) {}

    bool accepts(const Node& value) const { return is_valid(root_, value); }

private:
    static bool has_type(const Node& value, const Node& type)
    {
        if (type.is_list())
            return std::any_of(type.items().begin(), type.items().end(),
                               [&](const Node& one) { return has_type(value, one); });
        const std::string& name = type.text();
        return (name == "object" && value.is_object()) || (name == "array" && value.is_list()) ||
               (name == "string" && value.is_text()) || (name == "number" && value.is_number()) ||
               (name == "boolean" && value.is_bool()) ||
               (name == "integer" && value.is_number() && value.number() == std::floor(value.number()));
    }

    long count_valid(const Node& schemas, const Node& value) const
    {
        return std::count_if(schemas.items().begin(), schemas.items().end(),
                             [&](const Node& schema) { return is_valid(schema, value); });
    }

    bool is_valid(const Node& schema, const Node& value) const
    {
        if (const Node* reference = schema.find("$ref")) {
            const std::string name = reference->text().substr(std::string_view("#/definitions/").size());
            return is_valid(*root_.find("definitions")->find(name), value);
        }
        for (const Node::Member& keyword : schema.members())
            if (!holds(schema, keyword.key, keyword.value, value)) return false;
        return true;
    }

    bool holds(const Node& schema, std::string_view keyword, const Node& wanted, const Node& value) const
    {
        if (keyword == "type") return has_type(value, wanted);
        if (keyword == "const") return value == wanted;
        if (keyword == "enum")
            return std::find(wanted.items().begin(), wanted.items().end(), value) != wanted.items().end();
        if (keyword == "anyOf") return count_valid(wanted, value) > 0;
        if (keyword == "oneOf") return count_valid(wanted, value) == 1;
        if (keyword == "allOf") return count_valid(wanted, value) == static_cast<long>(wanted.items().size());
        if (keyword == "if") return is_valid(*schema.find(is_valid(wanted, value) ? "then" : "else"), value);
        if (value.is_number()) {
            if (keyword == "minimum") return value.number() >= wanted.number();
            if (keyword == "maximum") return value.number() <= wanted.number();
            if (keyword == "exclusiveMinimum") return value.number() > wanted.number();
            if (keyword == "exclusiveMaximum") return value.number() < wanted.number();
        }
        if (value.is_text() && keyword == "minLength")
            return value.text().size() >= static_cast<std::size_t>(wanted.number());
        if (value.is_list()) return holds_for_list(keyword, wanted, value);
        if (value.is_object()) return holds_for_object(schema, keyword, wanted, value);
        return true;
    }

    bool holds_for_list(std::string_view keyword, const Node& wanted, const Node& value) const
    {
        const auto size = static_cast<double>(value.items().size());
        if (keyword == "minItems") return size >= wanted.number();
        if (keyword == "maxItems") return size <= wanted.number();
        if (keyword == "items")
            return std::all_of(value.items().begin(), value.items().end(),
                               [&](const Node& item) { return is_valid(wanted, item); });
        return true;
    }

    bool holds_for_object(const Node& schema, std::string_view keyword, const Node& wanted,
                          const Node& value) const
    {
        if (keyword == "minProperties") return static_cast<double>(value.members().size()) >= wanted.number();
        if (keyword == "required")
            return std::all_of(wanted.items().begin(), wanted.items().end(),
                               [&](const Node& key) { return value.find(key.text()) != nullptr; });
        if (keyword == "properties")
            return std::all_of(value.members().begin(), value.members().end(),
                               [&](const Node::Member& member) {
                                   const Node* property = wanted.find(member.key);
                                   return property == nullptr || is_valid(*property, member.value);
                               });
        if (keyword == "additionalProperties")
            return std::all_of(value.members().begin(), value.members().end(),
                               [&](const Node::Member& member) {
                                   return schema.find("properties")->find(member.key) != nullptr;
                               });
        return true;
    }

    const Node& root_;
};

} // namespace phyxel
