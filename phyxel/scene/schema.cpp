// SPDX-License-Identifier: MIT
#include <phyxel/scene/schema.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

void add_bounds(Node& schema, const Parameter& parameter)
{
    if (!std::isinf(parameter.min)) schema.set("minimum", parameter.min);
    if (!std::isinf(parameter.above)) schema.set("exclusiveMinimum", parameter.above);
    if (!std::isinf(parameter.max)) schema.set("maximum", parameter.max);
    if (!std::isinf(parameter.below)) schema.set("exclusiveMaximum", parameter.below);
}

} // namespace

Node SchemaWriter::reference(const std::string& name, const std::function<Node()>& make)
{
    if (definitions_.find(name) == nullptr) {
        // There before it is made, because making it may ask for it again.
        definitions_.set(name, Node::object());
        Node definition = make();
        definitions_.set(name, std::move(definition));
    }
    return Node::object({{"$ref", "#/definitions/" + name}});
}

Node SchemaWriter::document(std::string_view title, const Node& schema) const
{
    Node document = Node::object();
    document.set("$schema", "http://json-schema.org/draft-07/schema#");
    document.set("title", title);
    for (const Node::Member& member : schema.members()) document.set(member.key, member.value);
    if (!definitions_.members().empty()) document.set("definitions", definitions_);
    return document;
}

Node quantity_schema(const Parameter& parameter)
{
    // Bounds concern numbers only; those of texts are beyond what a schema can say.
    Node schema = Node::object();
    schema.set("type", Node::list({"number", "string"}));
    add_bounds(schema, parameter);
    return schema;
}

Node whole_schema(const Parameter& parameter, double lowest, double highest)
{
    Parameter range = parameter;
    range.min = std::max(range.min, lowest);
    range.max = std::min(range.max, highest);
    Node schema = Node::object();
    schema.set("type", "integer");
    add_bounds(schema, range);
    return schema;
}

Node described_schema(Node schema, const Parameter& parameter, const Node& default_value)
{
    std::string description(parameter.doc);
    if (parameter.unit != "1")
        description += (description.empty() ? "[" : " [") + std::string(parameter.unit) + ']';
    // Draft 7 ignores everything beside a reference.
    const bool is_reference = schema.find("$ref") != nullptr;
    if (is_reference && (!description.empty() || !default_value.is_null()))
        schema = Node::object({{"allOf", Node::list({std::move(schema)})}});
    if (!description.empty()) schema.set("description", std::move(description));
    if (!default_value.is_null()) schema.set("default", default_value);
    return schema;
}

Node object_schema(Node properties, const std::vector<std::string>& required)
{
    Node schema = Node::object();
    schema.set("type", "object");
    schema.set("properties", std::move(properties));
    if (!required.empty())
        schema.set("required", Node::list(std::vector<Node>(required.begin(), required.end())));
    schema.set("additionalProperties", false);
    return schema;
}

void MemberSchema::add(std::string_view name, Node schema, bool is_required)
{
    properties_.set(std::string(name), std::move(schema));
    if (is_required) required_.emplace_back(name);
}

} // namespace phyxel
