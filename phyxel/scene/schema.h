// SPDX-License-Identifier: MIT
// JSON Schema (draft 7, which editors understand) of described parameters.
#pragma once

#include <phyxel/scene/node.h>
#include <phyxel/scene/parameters.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

class Kinds;

/// Collects definitions while schemas are made, so that a type may contain itself.
class SchemaWriter {
public:
    explicit SchemaWriter(const Kinds* kinds = nullptr) : kinds_(kinds) {}
    const Kinds* kinds() const { return kinds_; }

    /// A reference to the definition of this name, which `make` makes when it is first asked for.
    Node reference(const std::string& name, const std::function<Node()>& make);

    /// The schema of a whole document.
    Node document(std::string_view title, const Node& schema) const;

private:
    const Kinds* kinds_;
    Node definitions_ = Node::object();
};

/// A number, or a text with a unit or a formula.
Node quantity_schema(const Parameter& parameter);

/// A whole number.
Node whole_schema(const Parameter& parameter, double lowest, double highest);

/// Adds what is known of a parameter to the schema of its values. A default of null means none.
Node described_schema(Node schema, const Parameter& parameter, const Node& default_value);

/// `{ "type": "object", "properties": { … }, "required": […], "additionalProperties": false }`
Node object_schema(Node properties, const std::vector<std::string>& required);

/// Visitor that makes the schema of an object.
class MemberSchema {
public:
    explicit MemberSchema(SchemaWriter& writer) : writer_(writer) {}

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        const Node default_value = parameter.required ? Node() : ValueFormat<T>::write(member);
        add(name, described_schema(ValueFormat<T>::schema(writer_, parameter), parameter, default_value),
            parameter.required);
    }

    void add(std::string_view name, Node schema, bool is_required);

    SchemaWriter& writer() { return writer_; }
    Node finish() { return object_schema(std::move(properties_), required_); }

private:
    SchemaWriter& writer_;
    Node properties_ = Node::object();
    std::vector<std::string> required_;
};

} // namespace phyxel
