// SPDX-License-Identifier: MIT
#include "schema.h"

#include "console.h"

#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

namespace phyxel::command {

std::string schema_text()
{
    Node schema = scene_schema(standard_kinds());
    // Not part of JSON Schema, but Visual Studio Code stops complaining of comments when it sees it.
    schema.set("allowComments", true);
    return to_text(schema) + "\n";
}

void print_schema(const SchemaCommand& command)
{
    print(command.table ? scene_table(standard_kinds()) : schema_text());
}

} // namespace phyxel::command
