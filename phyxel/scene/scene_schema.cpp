// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/scene_description.h>

#include <utility>

namespace phyxel {

Node scene_schema(const Kinds& kinds)
{
    SchemaWriter writer(&kinds);
    Node is_plane = Node::object();
    is_plane.set("properties", Node::object({{"dimension", Node::object({{"const", 2}})}}));
    is_plane.set("required", Node::list({"dimension"}));

    Node schema = Node::object();
    schema.set("type", "object");
    schema.set("if", std::move(is_plane));
    schema.set("then", ValueFormat<SceneOptions<2>>::schema(writer, {}));
    schema.set("else", ValueFormat<SceneOptions<3>>::schema(writer, {}));
    return writer.document("A scene of Phyxel", schema);
}

std::string scene_table(const Kinds& kinds) { return options_table<SceneOptions<3>>(&kinds); }

} // namespace phyxel
