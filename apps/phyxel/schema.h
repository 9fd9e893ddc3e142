// SPDX-License-Identifier: MIT
// phyxel schema: what a scene file may hold, for editors and for people.
#pragma once

#include <string>

namespace phyxel::command {

struct SchemaCommand {
    bool table = false; ///< as a Markdown table instead
};

void print_schema(const SchemaCommand& command);

/// The schema as the text of a file that editors read.
std::string schema_text();

} // namespace phyxel::command
